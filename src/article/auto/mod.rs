//! The learned extractor: cuts a page into blocks, tells how likely each is content, and keeps those that maximise the
//! expected F1.
//!
//! One setting for all kinds of page and all languages: the features (`features`) know lengths, links, punctuation,
//! repetition and place, and a small vocabulary of class names, but no words of any language. The classifier (`model`) is
//! trained by `scripts/train-blocks`; the tables say on what. Time O(n log n) in the page.
mod block;
mod cut;
mod features;
mod images;
mod judge;
mod keep;
mod model;
mod places;
mod sums;
mod vocabulary;

use super::meta::{DeclaredTypes, Statements};
use super::{Hints, Selection};
use crate::dom::{Attr, Dom, NodeId, Tag, selector_path};
use block::{Page, blocks};
use features::features;
use model::{BLOCKS, KINDS};
use std::ops::Range;

pub use judge::{JudgedBlock, JudgedPage, block_texts, judge, kept_nodes};
pub(super) use keep::says_the_same;
pub use keep::{BlockFacts, Kept, keep};
pub use model::tables_stamp;

/// The blocks of a page with their features, as the trainer reads them.
#[derive(Clone, Debug)]
pub struct BlockFeatures {
    /// Names of the features.
    pub names: Vec<String>,
    /// One row of values a block, one row after another.
    pub values: Vec<f32>,
    /// The text of each block.
    pub texts: Vec<String>,
    /// The page's headline.
    pub title: String,
}

/// The features of a page's blocks. Time O(n log n).
pub fn block_features(dom: &Dom) -> BlockFeatures {
    let statements = Statements::read(dom);
    let title = statements.metadata(None).title.unwrap_or_default();
    let page = blocks(dom, &title, &description(dom));
    let mut names = Vec::new();
    let mut values = Vec::new();
    features(dom, &page, statements.types(), 0, Some(&mut names), |rows| values.extend_from_slice(rows));
    let texts = (0..page.blocks.len()).map(|at| block_text(dom, &page, at).to_owned()).collect();
    BlockFeatures { names, values, texts, title }
}

/// What became of one block, and why.
#[derive(Clone, Debug)]
pub struct BlockReport {
    /// Where it stands, as a CSS selector.
    pub path: String,
    /// Its text, white space as written.
    pub text: String,
    /// The probability that it is content, 0 to 1.
    pub chance: f32,
    /// Whether it was kept.
    pub kept: bool,
    /// Why it was dropped though it is as likely as others that were kept, or kept though it is not.
    pub note: &'static str,
    /// What each feature adds to its log-odds, largest first; at most eight.
    pub reasons: Vec<(String, f32)>,
}

/// Says of each block of a page whether [`extract`](super::extract) keeps it, and why. Time as for extraction, plus
/// O(trees + features) for each block.
pub fn explain(dom: &Dom, hints: &Hints<'_>) -> Vec<BlockReport> {
    let statements = Statements::read(dom);
    let mut reasons = Vec::new();
    let chosen = choose(dom, statements.metadata(None).title.as_deref(), statements.types(), hints, |row| {
        let best = BLOCKS.reasons(row).into_iter().take(8);
        reasons.push(best.map(|(name, sum)| (name.to_owned(), sum)).collect());
    });
    let reports = chosen.page.blocks.iter().zip(reasons).enumerate().map(|(at, (block, reasons))| BlockReport {
        path: selector_path(dom, block.container),
        text: block_text(dom, &chosen.page, at).to_owned(),
        chance: chosen.chances[at],
        kept: chosen.keep[at],
        note: chosen.notes[at],
        reasons,
    });
    let overlays = chosen.page.overlays.iter().map(|&id| BlockReport {
        path: selector_path(dom, id),
        text: dom.text(id).to_owned(),
        chance: 0.0,
        kept: false,
        note: "a box over the page",
        reasons: Vec::new(),
    });
    overlays.chain(reports).collect()
}

/// The main content of a page, given its headline, and the kind of page.
pub(super) fn select(
    dom: &Dom,
    title: Option<&str>,
    types: DeclaredTypes,
    hints: &Hints<'_>,
) -> (Selection, &'static str) {
    let chosen = choose(dom, title, types, hints, |_| {});
    let best = (0..KINDS).max_by(|&a, &b| chosen.kinds[a].total_cmp(&chosen.kinds[b])).unwrap_or(0);
    let kind = BLOCKS.kinds.get(best).map_or("article", String::as_str);
    (Selection::new(dom, nodes_of(dom, &chosen.page, &chosen.keep)), kind)
}

/// The texts of kept blocks, and the images and rules that belong to them.
fn nodes_of<'a>(dom: &'a Dom, page: &'a Page, keep: &'a [bool]) -> impl Iterator<Item = NodeId> + 'a {
    let texts = page.blocks.iter().zip(keep).filter(|(_, kept)| **kept).flat_map(|(block, _)| {
        // Blanks between inline elements are text nodes of their own, and no block's.
        let nodes = page.nodes(block);
        let (first, last) = nodes.fold((block.first, block.first), |(first, _), id| (first, id));
        dom.between(first, last).filter(|&id| dom.is_text(id))
    });
    texts.chain(images::between(dom, page, keep))
}

struct Chosen {
    page: Page,
    kinds: [f32; KINDS],
    chances: Vec<f32>,
    keep: Vec<bool>,
    notes: Vec<&'static str>,
}

fn choose(
    dom: &Dom,
    title: Option<&str>,
    types: DeclaredTypes,
    hints: &Hints<'_>,
    mut look: impl FnMut(&[f32]),
) -> Chosen {
    let page = blocks(dom, title.unwrap_or_default(), &description(dom));
    let (chances, kinds) = chances(dom, &page, types, &mut look);
    let facts = keep::facts(dom, &page, title, hints.comments);
    let Kept { mut keep, mut notes } = keep(&facts, &chances, &chances, &kinds);
    if hints.comments {
        for (at, comment) in places::comments(dom, &page).into_iter().enumerate() {
            if comment && !keep[at] && page.blocks[at].link_density() < 0.5 {
                (keep[at], notes[at]) = (true, "comment");
            }
        }
    }
    Chosen { page, kinds, chances, keep, notes }
}

/// How likely each block is content, and each kind of page.
fn chances(dom: &Dom, page: &Page, types: DeclaredTypes, look: &mut impl FnMut(&[f32])) -> (Vec<f32>, [f32; KINDS]) {
    let width = BLOCKS.features.len() + KINDS;
    let mut chances = Vec::new();
    let mut kinds: Option<[f32; KINDS]> = None;
    features(dom, page, types, KINDS, None, |rows| {
        // The first batch, nearly always the whole page, tells its kind.
        let kinds = kinds.get_or_insert_with(|| BLOCKS.page_kinds(rows, features::WORDS));
        for row in rows.chunks_exact_mut(width) {
            row[width - KINDS..].copy_from_slice(kinds);
            look(row);
        }
        chances.extend(BLOCKS.predict(rows));
    });
    (chances, kinds.unwrap_or([0.0; KINDS]))
}

fn block_text<'a>(dom: &'a Dom, page: &Page, at: usize) -> &'a str {
    &dom.visible_text()[block_range(dom, page, at)]
}

/// Where the text of a block stands among the visible text of the page.
fn block_range(dom: &Dom, page: &Page, at: usize) -> Range<usize> {
    let mut nodes = page.nodes(&page.blocks[at]);
    let first = nodes.next();
    let last = nodes.last().or(first);
    match (first.and_then(|id| dom.text_range(id)), last.and_then(|id| dom.text_range(id))) {
        (Some(from), Some(to)) => from.start..to.end,
        _ => 0..0,
    }
}

fn description(dom: &Dom) -> String {
    let is = |id: &NodeId| {
        dom.tag(*id) == Tag::META
            && [Attr::NAME, Attr::PROPERTY]
                .into_iter()
                .filter_map(|a| dom.attr(*id, a))
                .any(|name| name.eq_ignore_ascii_case("description") || name.eq_ignore_ascii_case("og:description"))
    };
    dom.ids().find(is).and_then(|id| dom.attr(id, Attr::CONTENT)).unwrap_or_default().chars().take(1000).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The tables name features by their place in a row.
    #[test]
    fn features_are_those_of_the_tables() {
        let names = block_features(&Dom::parse("<title>One</title><p>One two three.")).names;
        assert_eq!(names, BLOCKS.features);
        assert_eq!(names[features::WORDS], "words");
    }
}
