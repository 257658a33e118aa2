//! The lists of records of a site's list pages, decided together.
//!
//! Which pages have lists, and of what, was decided before, by blocks and links ([`listed`]); a list of records is wanted that
//! says the same. On each page every region is weighed by how far it agrees with that and how sure the ranking is; the site
//! keeps the mean for each place ([`SiteLists`]), and a page takes the regions that are best by its own weights and those of
//! the other pages that have their places ([`take`]). So a list that is one on most pages wins over the odd choice of a page,
//! and where it has but one entry that is still found.

use super::site_view::{ONE, fixed};
use super::{Decision, PageView};
use crate::blocks::PageType;
use crate::records::{ColumnSums, ListView, PageLists, RecordSpan, SharedColumn};
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;

/// What a page lists, as it was decided by its blocks and links.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Listed {
    /// The links of a table of contents: places of their nodes, sorted.
    Links(Vec<u32>),
    /// Texts: the place of each block's element, its words, and whether it is content; sorted.
    Texts(Vec<(u32, u32, bool)>),
}

/// What a page lists; `None` for a page that is no list. A list is a table of contents, and another page that
/// [is a list by itself](PageView::is_list_alone).
pub fn listed(view: &PageView, decision: &Decision) -> Option<Listed> {
    if decision.page_type == PageType::Toc {
        let mut links: Vec<u32> = decision.toc.iter().map(|&(at, _)| view.links[at as usize].node).collect();
        links.sort_unstable();
        return Some(Listed::Links(links));
    }
    if !view.is_list_alone() {
        return None;
    }
    let blocks = view.blocks.iter().zip(&decision.blocks);
    let mut texts: Vec<(u32, u32, bool)> =
        blocks.map(|(b, verdict)| (b.container, b.facts.words, verdict.kept)).collect();
    texts.sort_unstable();
    texts.iter().any(|text| text.2).then_some(Listed::Texts(texts))
}

impl PageView {
    /// Whether the page-level classifier takes the page rather for a forum, a listing or a collection than for any other kind.
    /// What it says is nearly always a list then, whatever the site tells.
    pub fn is_list_alone(&self) -> bool {
        let [_, forum, _, listing, collection, _, _] = self.kinds;
        forum + listing + collection > 0.5
    }
}

/// How far a list says what its page lists. Where that is texts, paragraphs are prose and no records.
fn match_of(listed: &Listed, list: &ListView) -> Match {
    match listed {
        Listed::Texts(_) if list.is_prose => Match::default(),
        _ => agreement(listed, &list.records()),
    }
}

/// How far some records say what a page lists.
#[derive(Clone, Copy, Debug, Default)]
struct Match {
    /// Agreement, 0 to 1.
    agreement: f64,
    /// The share of what the page lists that they hold.
    share: f64,
    /// Whether most of them hold something of it.
    is_most: bool,
}

impl Match {
    fn is_enough(self) -> bool {
        self.is_most && self.agreement >= LEAST && self.share >= LEAST
    }
}

/// Agreement of records with what a page lists, the harmonic mean of precision and recall. Of links, a record counts once
/// however many it holds, so that sections of entries are worse than entries. Of texts words count, less the share that the
/// largest record has of them, so that parts of one text are no list.
fn agreement(listed: &Listed, records: &[&[RecordSpan]]) -> Match {
    let ratio = |part: f64, whole: f64| if whole > 0.0 { part / whole } else { 0.0 };
    match listed {
        Listed::Links(nodes) => {
            let holds = |span: &RecordSpan| {
                let at = nodes.partition_point(|&node| node < span.node);
                nodes.get(at).is_some_and(|&node| node < span.end())
            };
            let held = |span: &RecordSpan| {
                nodes.partition_point(|&node| node < span.end()) - nodes.partition_point(|&node| node < span.node)
            };
            let hits = records.iter().filter(|record| record.iter().any(holds)).count() as f64;
            let all = nodes.len() as f64;
            let inside: usize = records.iter().flat_map(|record| record.iter()).map(held).sum();
            let count = records.len() as f64;
            let agreement = ratio(2.0 * hits, count + all);
            Match { agreement, share: ratio(inside as f64, all), is_most: 2.0 * hits > count }
        }
        Listed::Texts(texts) => {
            let words = |span: &RecordSpan, kept: bool| -> u64 {
                let from = texts.partition_point(|text| text.0 < span.node);
                let to = texts.partition_point(|text| text.0 < span.end());
                texts[from..to].iter().filter(|text| text.2 == kept).map(|text| u64::from(text.1)).sum()
            };
            let all: u64 = texts.iter().filter(|text| text.2).map(|text| u64::from(text.1)).sum();
            let kept: Vec<u64> =
                records.iter().map(|record| record.iter().map(|span| words(span, true)).sum()).collect();
            let (inside, most) = (kept.iter().sum::<u64>() as f64, kept.iter().max().copied().unwrap_or(0) as f64);
            let dropped: u64 = records.iter().flat_map(|record| record.iter()).map(|span| words(span, false)).sum();
            let agreement = ratio(2.0 * inside, inside + dropped as f64 + all as f64);
            let holding = kept.iter().filter(|&&words| words > 0).count();
            Match {
                agreement: agreement * (1.0 - ratio(most, inside)),
                share: ratio(inside, all as f64),
                is_most: 2 * holding > records.len(),
            }
        }
    }
}

/// What pages say of a list in one place. Sums of integers, so that their order does not matter.
#[derive(Clone, Copy, Debug, Default)]
struct Votes {
    pages: u32,
    /// Sum of weights in 2⁻²⁰.
    weight: u64,
}

/// The lists of all list pages together.
#[derive(Clone, Debug, Default)]
pub struct SiteLists {
    votes: FxHashMap<u64, Votes>,
    columns: FxHashMap<u64, Vec<SharedColumn>>,
}

/// What pages tell of the columns of the lists that they took, by place.
#[derive(Clone, Debug, Default)]
pub struct ListColumns(FxHashMap<u64, ColumnSums>);

impl ListColumns {
    /// Adds what one page tells.
    pub fn add(&mut self, page: &PageLists, taken: &[TakenList]) {
        for list in taken.iter().filter_map(|taken| page.lists.get(taken.list?)) {
            self.0.entry(list.place).or_default().add(&list.columns);
        }
    }
}

impl SiteLists {
    /// Adds the weights of a page's lists. All pages come before any is taken from.
    pub fn vote(&mut self, listed: &Listed, page: &PageLists) {
        for (place, weight) in weights(listed, page) {
            let votes = self.votes.entry(place).or_default();
            votes.pages += 1;
            votes.weight += weight;
        }
    }

    /// Takes over the columns of all lists that were taken.
    #[must_use]
    pub fn with_columns(mut self, columns: &ListColumns) -> Self {
        self.columns = columns.0.iter().map(|(&place, sums)| (place, sums.columns())).collect();
        self
    }

    /// The columns of a list that was taken somewhere, as its pages share them.
    pub fn columns(&self, place: u64) -> &[SharedColumn] {
        self.columns.get(&place).map_or(&[], Vec::as_slice)
    }
}

/// The weight of each place where a page has lists; of two lists in one place the greater.
fn weights(listed: &Listed, page: &PageLists) -> BTreeMap<u64, u64> {
    let mut weights: BTreeMap<u64, u64> = BTreeMap::new();
    for list in &page.lists {
        let weight = fixed(match_of(listed, list).agreement * f64::from(list.score));
        let best = weights.entry(list.place).or_default();
        *best = weight.max(*best);
    }
    weights
}

/// A list that a page has taken for its own.
#[derive(Clone, Debug, PartialEq)]
pub struct TakenList {
    /// Where it stands: see [`ListView::place`](crate::records::ListView::place).
    pub place: u64,
    /// Its weight, all told, 0 to 1.
    pub score: f64,
    /// Which of the page's lists it is; `None` for one that has a single record.
    pub list: Option<usize>,
    /// The nodes of each record, places in document order.
    pub records: Vec<Vec<u32>>,
}

/// Least agreement with what a page lists, and the least share of it, that a list must have. So a page has four lists at most.
const LEAST: f64 = 0.25;

/// The lists of a page, best first. With c other list pages that have its place and s = c/(c + 2), a region weighs
/// `(1 − s)·own + s·mean of the others`; an element that stands alone where others have a list weighs what it weighs there,
/// as far as it agrees with what the page lists. Time O(r log n) in
/// the nodes of records.
pub fn take(listed: &Listed, page: &PageLists, site: &SiteLists) -> Vec<TakenList> {
    let own = weights(listed, page);
    let mut found: Vec<TakenList> = Vec::new();
    for (at, list) in page.lists.iter().enumerate() {
        let records = list.records();
        let matched = match_of(listed, list);
        if !matched.is_enough() {
            continue;
        }
        let weight = matched.agreement * f64::from(list.score);
        let best = own.get(&list.place).copied().unwrap_or(0);
        let score = match site.votes.get(&list.place).filter(|votes| votes.pages > 1) {
            None => weight,
            Some(votes) => {
                let others = f64::from(votes.pages - 1);
                let mean = votes.weight.saturating_sub(best) as f64 / ONE / others;
                (2.0 * weight + others * mean) / (others + 2.0)
            }
        };
        let records = records.iter().map(|record| record.iter().map(|span| span.node).collect()).collect();
        found.push(TakenList { place: list.place, score, list: Some(at), records });
    }
    for lone in page.lone.iter().filter(|lone| !own.contains_key(&lone.place)) {
        let Some(votes) = site.votes.get(&lone.place) else { continue };
        let mean = votes.weight as f64 / ONE / f64::from(votes.pages.max(1));
        let matched = agreement(listed, &[&[lone.span]]);
        if mean >= LEAST && matched.is_enough() {
            let (score, records) = (matched.agreement * mean, vec![vec![lone.span.node]]);
            found.push(TakenList { place: lone.place, score, list: None, records });
        }
    }
    // A stable sort: of equals what the page alone has before.
    found.sort_by(|a, b| b.score.total_cmp(&a.score));
    let mut taken: Vec<TakenList> = Vec::new();
    // Disjoint, in document order.
    let mut covered: Vec<RecordSpan> = Vec::new();
    for list in found {
        let own = spans_of(page, &list);
        let overlaps = |span: &RecordSpan| {
            let at = covered.partition_point(|before| before.end() <= span.node);
            covered.get(at).is_some_and(|before| before.node < span.end())
        };
        if !own.iter().any(overlaps) {
            covered.extend(own);
            covered.sort_unstable_by_key(|span| span.node);
            taken.push(list);
        }
    }
    taken
}

fn spans_of(page: &PageLists, list: &TakenList) -> Vec<RecordSpan> {
    if let Some(list) = list.list.and_then(|at| page.lists.get(at)) {
        return list.spans.clone();
    }
    let node = list.records.first().and_then(|record| record.first());
    page.lone.iter().filter(|lone| Some(&lone.span.node) == node).map(|lone| lone.span).collect()
}
