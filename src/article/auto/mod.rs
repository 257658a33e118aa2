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
mod model;
mod places;
mod sums;
mod vocabulary;

use super::meta::{DeclaredTypes, Statements};
use super::{Hints, Selection};
use crate::dom::{Attr, Dom, NodeId, Tag, selector_path};
use block::{Page, blocks, word_set};
use cut::cut;
use features::features;
use model::{BLOCKS, KINDS};

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
    let page = &chosen.page;
    let texts = page.blocks.iter().zip(&chosen.keep).filter(|(_, kept)| **kept).flat_map(|(block, _)| {
        // Blanks between inline elements are text nodes of their own, and no block's.
        let nodes = page.nodes(block);
        let (first, last) = nodes.fold((block.first, block.first), |(first, _), id| (first, id));
        dom.between(first, last).filter(|&id| dom.is_text(id))
    });
    let best = (0..KINDS).max_by(|&a, &b| chosen.kinds[a].total_cmp(&chosen.kinds[b])).unwrap_or(0);
    let kind = BLOCKS.kinds.get(best).map_or("article", String::as_str);
    (Selection::new(dom, texts.chain(images::between(dom, page, &chosen.keep))), kind)
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
    let width = BLOCKS.features.len() + KINDS;
    let mut chances = Vec::new();
    let mut kinds: Option<[f32; KINDS]> = None;
    features(dom, &page, types, KINDS, None, |rows| {
        // The first batch, nearly always the whole page, tells its kind.
        let kinds = kinds.get_or_insert_with(|| BLOCKS.page_kinds(rows, features::WORDS));
        for row in rows.chunks_exact_mut(width) {
            row[width - KINDS..].copy_from_slice(kinds);
            look(row);
        }
        chances.extend(BLOCKS.predict(rows));
    });
    let kinds = kinds.unwrap_or([0.0; KINDS]);
    let mut notes = vec![""; chances.len()];
    let mut keep = cut(dom, &page, &chances, kinds[0]);
    complete_tables(dom, &page, &mut keep, &mut notes);
    if let Some(title) = title {
        drop_headline(dom, &page, title, &mut keep, &mut notes);
    }
    if !hints.comments && kinds[FORUM] < 0.5 {
        drop_comments(&page, &places::comment_items(dom, &page), &mut keep, &mut notes);
    }
    if hints.comments {
        for (at, comment) in places::comments(dom, &page).into_iter().enumerate() {
            if comment && !keep[at] && page.blocks[at].link_density() < 0.5 {
                (keep[at], notes[at]) = (true, "comment");
            }
        }
    }
    Chosen { page, kinds, chances, keep, notes }
}

/// Keeps a data table whole, header, caption and all, where most of its words were kept: its rows mean nothing apart.
fn complete_tables(dom: &Dom, page: &Page, keep: &mut [bool], notes: &mut [&'static str]) {
    let table = |at: usize| {
        let own = page.blocks[at].container;
        let mut above = std::iter::once(own).chain(dom.ancestors(own).take(2));
        let part = if dom.tag(own) == Tag::TR { Some(own) } else { above.find(|&up| dom.tag(up) == Tag::CAPTION) };
        dom.ancestors(part?).find(|&up| dom.tag(up) == Tag::TABLE)
    };
    let mut at = 0;
    while at < keep.len() {
        let Some(own) = table(at) else {
            at += 1;
            continue;
        };
        let end = (at..keep.len()).find(|&other| table(other) != Some(own)).unwrap_or(keep.len());
        let all: u32 = page.blocks[at..end].iter().map(|block| block.words).sum();
        let kept: u32 = (at..end).filter(|&row| keep[row]).map(|row| page.blocks[row].words).sum();
        if kept * 2 >= all {
            for row in (at..end).filter(|&row| !std::mem::replace(&mut keep[row], true)) {
                notes[row] = "the other rows of its table";
            }
        }
        at = end;
    }
}

/// Drops what readers wrote below an article: blocks in one of several like elements whose class says comment (on a forum
/// they are the content). Not where hardly anything else was kept: then the class means something else.
fn drop_comments(page: &Page, comments: &[bool], keep: &mut [bool], notes: &mut [&'static str]) {
    let is_comment = |at: usize| comments.get(at).is_some_and(|comment| *comment);
    let others = (0..keep.len()).filter(|&at| keep[at] && !is_comment(at)).map(|at| page.blocks[at].words).sum::<u32>();
    if others < LEAST_BESIDE_COMMENTS {
        return;
    }
    for at in (0..keep.len()).filter(|&at| is_comment(at)) {
        if keep[at] {
            (keep[at], notes[at]) = (false, "a reader's comment");
        }
    }
}

/// Words of an article, at least, beside which comments are comments.
const LEAST_BESIDE_COMMENTS: u32 = 15;
/// Place of forums among the kinds of page.
const FORUM: usize = 1;

/// Drops the headline where it stands at the head of the body: it is a field of its own.
fn drop_headline(dom: &Dom, page: &Page, title: &str, keep: &mut [bool], notes: &mut [&'static str]) {
    let words = word_set(title);
    if words.is_empty() {
        return;
    }
    for at in 0..keep.len() {
        if !keep[at] {
            continue;
        }
        let own = word_set(block_text(dom, page, at));
        let shared = own.intersection(&words).count();
        if 2.0 * shared as f32 / (own.len() + words.len()).max(1) as f32 >= 0.8 {
            (keep[at], notes[at]) = (false, "the headline");
        } else {
            break;
        }
    }
    // A page that says nothing but its headline says that.
    if let Some(only) = notes.iter().position(|note| *note == "the headline").filter(|_| !keep.contains(&true)) {
        (keep[only], notes[only]) = (true, "");
    }
}

fn block_text<'a>(dom: &'a Dom, page: &Page, at: usize) -> &'a str {
    let mut nodes = page.nodes(&page.blocks[at]);
    let first = nodes.next();
    let last = nodes.last().or(first);
    match (first.and_then(|id| dom.text_range(id)), last.and_then(|id| dom.text_range(id))) {
        (Some(from), Some(to)) => &dom.visible_text()[from.start..to.end],
        _ => "",
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
