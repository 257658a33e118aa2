//! Embley, Jiang and Ng: one separator tag divides a page into records; five heuristics vote on it.
//!
//! Source: *Record-Boundary Discovery in Web Documents*, SIGMOD 1999. [`embley()`] divides the page, [`report`] says how each
//! heuristic voted.
mod certainty;
mod ht;
mod it;
mod om;
mod ontology;
mod rank;
mod rp;
mod scan;
mod sd;
mod split;

#[cfg(test)]
mod tests;

pub use ontology::{Indicator, ObjectSet, Ontology, OntologyError, Relation};
pub use rank::Ranked;

use super::tag_tree::TagTree;
use super::{Record, Region, Table};
use crate::dom::{Dom, NodeId, Tag};
use scan::Scan;

/// The constants of the method.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Params {
    /// A tag with fewer appearances among the children than this share of all tags of the subtree is irrelevant.
    pub least_share: f64,
    /// Pairs of adjacent tags count from this share of the rarest candidate's appearances on (RP).
    pub least_pairs: f64,
    /// OM is left out with fewer record-identifying fields than this.
    pub least_fields: usize,
    /// And at most this share of the ontology's object sets are asked.
    pub most_fields: f64,
}

impl Params {
    /// The paper's values (sections 3, 4.4 and 4.5).
    pub const PAPER: Self = Self { least_share: 0.1, least_pairs: 0.1, least_fields: 3, most_fields: 0.2 };
}

/// How one heuristic ranked the candidate tags.
#[derive(Clone, Debug, PartialEq)]
pub struct Ranking {
    /// Which one.
    pub heuristic: Heuristic,
    /// Its candidates, best first; empty where it supplies no answer.
    pub tags: Vec<Ranked>,
}

/// The five heuristics.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Heuristic {
    /// Ontology matching: as many as there are records by the count of fields that each record has once.
    Om,
    /// Repeating-tag pattern: another tag stands right before or behind it as often as it appears.
    Rp,
    /// Standard deviation: records are about the same size.
    Sd,
    /// Identifiable separator tags: a list of common ones.
    It,
    /// Highest-count tags.
    Ht,
}

/// What the method found on a page, and why.
#[derive(Clone, Debug, PartialEq)]
pub struct Report {
    /// The root of the highest-fan-out subtree.
    pub root: NodeId,
    /// Candidate tags with their number of appearances in the subtree, in order of first appearance.
    pub candidates: Vec<(Tag, usize)>,
    /// What each heuristic says, in the paper's order; empty with a single candidate, which needs no vote.
    pub rankings: Vec<Ranking>,
    /// The compound certainty factor of each candidate, highest first.
    pub certainties: Vec<(Tag, f64)>,
}

impl Report {
    /// The consensus separator tag.
    pub fn separator(&self) -> Option<Tag> {
        self.certainties.first().map(|&(tag, _)| tag)
    }
}

/// The *Record-Boundary Discovery Algorithm* (section 5.3): the highest-fan-out subtree, its candidate tags, the five rankings
/// and their combination. `None` for a page without two elements side by side.
///
/// - The tag tree is the page's own (without what is not shown). Appendix A, which reads tags as written, ends an unclosed
///   element before the next tag; here it ends where HTML ends it, so that an unclosed `p` holds its record.
/// - Candidates are tags of the root's children that appear there as often as [`Params::least_share`] of all tags of the
///   subtree. On pages where no tag does (records of many tags each) the children alone are the measure.
/// - Equal candidates share a rank; equal certainties are decided by the list of IT, then by the page's order.
///
/// Time O(n + c² log c) for n nodes and c candidates, and one pass over the text for each pattern of the ontology.
pub fn report(dom: &Dom, params: &Params, ontology: Option<&Ontology>) -> Option<Report> {
    let tree = TagTree::of(dom);
    let fan_out = |&at: &usize| (tree.children(at).count(), std::cmp::Reverse(at));
    let root = (0..tree.len()).max_by_key(fan_out)?;
    let scan = Scan::of(dom, &tree, root);
    let candidates = candidates(&tree, root, &scan, params)?;
    let certain = |tag| (tag, 1.0);
    let mut found = Report { root: tree.node(root), candidates, rankings: Vec::new(), certainties: Vec::new() };
    if let [(only, _)] = found.candidates[..] {
        found.certainties = vec![certain(only)];
        return Some(found);
    }
    let tags = &found.candidates;
    found.rankings = vec![
        Ranking { heuristic: Heuristic::Om, tags: om::rank(tags, dom.text(found.root), ontology, params) },
        Ranking { heuristic: Heuristic::Rp, tags: rp::rank(tags, &scan, params) },
        Ranking { heuristic: Heuristic::Sd, tags: sd::rank(tags, &scan) },
        Ranking { heuristic: Heuristic::It, tags: it::rank(tags) },
        Ranking { heuristic: Heuristic::Ht, tags: ht::rank(tags) },
    ];
    found.certainties = certainty::combine(tags, &found.rankings);
    Some(found)
}

/// Section 3: the tags of the root's children that are not irrelevant.
fn candidates(tree: &TagTree, root: usize, scan: &Scan, params: &Params) -> Option<Vec<(Tag, usize)>> {
    let mut children: Vec<(Tag, usize)> = Vec::new();
    for child in tree.children(root) {
        let tag = tree.tags[child];
        match children.iter_mut().find(|(known, _)| *known == tag) {
            Some((_, count)) => *count += 1,
            None => children.push((tag, 1)),
        }
    }
    let of_all = |total: usize| {
        let is_candidate = |&&(_, count): &&(Tag, usize)| count as f64 >= params.least_share * total as f64;
        children.iter().filter(is_candidate).map(|&(tag, _)| (tag, scan.count(tag))).collect::<Vec<_>>()
    };
    let in_subtree = of_all(scan.starts.len());
    let found = if in_subtree.is_empty() { of_all(tree.children(root).count()) } else { in_subtree };
    (tree.children(root).count() > 1 && !found.is_empty()).then_some(found)
}

/// Divides a page into records by its consensus separator tag: one region, or none.
///
/// Source: Embley, Jiang, Ng: *Record-Boundary Discovery in Web Documents*, SIGMOD 1999; [`report`] says what is found how.
/// The paper ends with the separator. What lies between two separators among the root's children is a record here:
/// - A separator that holds text itself (`p`, `li`, `tr`) begins its record, an empty one (`hr`, `br`) only divides.
/// - Parts without text are none: `br br` divides once.
/// - What stands before the first separator, and behind the last one that is empty, is a record if it is of a record's size: at
///   least half the shortest of the others and at most twice the longest. So the headline above the first rule is none.
///
/// The score is the separator's compound certainty factor, from 0 to 1. The paper aligns no items: the table is empty;
/// [`super::records()`] fills it.
/// Without an ontology it holds exactly the wanted records on all 6 development pages with separator tags; on all of
/// authored-dev, hand-dev and estuka-dev on .542, .385 and .243 of the pages: the widest node is often a menu there.
///
/// With an ontology that names three or more record-identifying fields, OM votes too. Time as for [`report`].
///
/// ```
/// use wisdom::{dom::Dom, records::embley::{Params, embley}};
/// let notice = |name: &str| format!("<hr><b>{name}</b> died on a day in the month of May.");
/// let dom = Dom::parse(&format!("<h1>Notices</h1>{}{}{}<hr>", notice("A"), notice("B"), notice("C")));
/// let regions = embley(&dom, &Params::PAPER, None);
/// assert_eq!(regions[0].records.len(), 3);
/// assert_eq!(regions[0].records[0].text(&dom), "A died on a day in the month of May.");
/// ```
pub fn embley(dom: &Dom, params: &Params, ontology: Option<&Ontology>) -> Vec<Region> {
    let Some(report) = report(dom, params, ontology) else { return Vec::new() };
    let Some(&(separator, score)) = report.certainties.first() else { return Vec::new() };
    let records: Vec<Record> =
        split::split(dom, report.root, separator).into_iter().map(|nodes| Record { nodes }).collect();
    if records.len() < 2 {
        return Vec::new();
    }
    vec![Region { root: report.root, score, records, table: Table::default() }]
}
