//! MDR: data records are neighbouring siblings with similar tag strings.
//!
//! Source: Liu, Grossman, Zhai: *Mining Data Records in Web Pages*, KDD 2003. [`mdr()`] is the whole of it.
mod compare;
mod find_records;
mod regions;

#[cfg(test)]
mod tests;

use super::tag_tree::TagTree;
use super::{Record, Region, Table};
use crate::dom::{Dom, NodeId, Tag};
use compare::Comparer;
use find_records::{FoundRegion, Page};

/// What a letter in a link counts less than others for the score of a region.
const LINKED: f64 = 0.9;

/// The constants of MDR.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Params {
    /// K: the most tag nodes in a generalized node.
    pub k: usize,
    /// The greatest normalised edit distance of similar tag strings.
    pub threshold: f64,
    /// Repair: a combination does not win over shorter ones that are similar in more than two thirds of what it covers. As
    /// published it does, where it covers but one node more, so that a heading or an advert glues records together. And of
    /// regions of one length that cover as much, the one with more equal neighbours is taken, not the first.
    pub shortest: bool,
    /// Levels of a subtree under which no region is searched (Fig. 5, line 1). Three as published; the repair also searches
    /// nodes whose children have none, as lists of plain text are.
    pub least_depth: u32,
    /// Repair: what authors tell. Of one kind are elements with the same tag and the same set of classes.
    ///
    /// - Where no child of a node has children there is nothing to compare, and only nodes of one kind are similar.
    /// - A combination that holds two neighbours of one kind and something else, such as cards with the heading above them, is
    ///   compared with none. So a record of unlike parts of one kind is cut; on hand-dev and estuka-dev that is rarer than
    ///   cards that look unlike (top-1 perfect .731 and .781 when it was tried; where such neighbours must be similar too, .654
    ///   and .765).
    /// - Where all nodes of a region are of one kind, or all are items of a list (`li`), each is a record.
    /// - Siblings of the kind of all records of a region are records too, whatever they hold, unless regions in them have as
    ///   many records. So are those that have all classes which the records share, and items of a list where none has a class,
    ///   if they hold no less than half of the shortest record's text and no more than twice the longest's. (Top-1 perfect of
    ///   flat pages of estuka-dev .853 without these, .917 with; .858 where half of the classes are enough.)
    pub by_class: bool,
}

impl Params {
    /// The paper's values (sections 3.2.3 and 4).
    pub const PAPER: Self = Self { k: 10, threshold: 0.3, shortest: false, least_depth: 3, by_class: false };

    /// MDR repaired.
    pub const WISDOM: Self = Self { shortest: true, least_depth: 2, by_class: true, ..Self::PAPER };
}

/// Mines the data records of a page as published: every region in which neighbouring nodes look alike, menus included.
///
/// Source: Liu, Grossman, Zhai: *Mining Data Records in Web Pages*, KDD 2003, sections 3.1 to 3.4.
///
/// - The *tag tree* holds the page's elements; the *tag string* of a node is the tags of its subtree, without text.
/// - A *generalized node* is a run of up to K neighbouring siblings, a *data region* a sequence of two or more adjacent
///   generalized nodes of one length, each similar to the next: normalised edit distance at most the threshold. `CombComp`
///   compares, `IdentDRs` picks regions among the children of a node of depth 3 or more, and `FindDRs` drops those that a
///   region above covers.
/// - *Data records* are the generalized nodes, or their children where these are similar and no cells of a data table. The
///   children of several nodes make *non-contiguous* records: names in one row, descriptions in the next.
/// - Records outside regions (the odd one in the last row) are found by the tag string of one inside.
///
/// Where the paper is silent or slips:
/// - Fig. 9, line 18, drops a region that reaches the last child, and would be lost for every list. It is reported.
/// - A threshold is met by equality, as in Fig. 9; the definition of section 3.2 says *less*.
/// - All children are similar when there are two or more and each is similar to the next: what `CombComp` computed.
/// - A row of a data table has in each cell one piece of text at most and no picture.
/// - Section 3.4 matches the *children* of siblings. Where records are no children, siblings themselves are matched, and
///   regions of one parent with matching records are one region: an advert between does not part a list. A region inside a
///   sibling goes when all of the sibling matches (two objects in a last row of four).
/// - Adjacent regions (section 3.3, second case) are such that consist of all children of neighbouring siblings; they are
///   joined when they have equally many nodes and are not similar.
/// - Regions come unranked in the paper. Here the score is the number of characters of a region, white space aside and those
///   of links a tenth, times the square root of its number of records: of two lists with as much text, the one of more records
///   comes first, and menus come last. Top-1 perfect of [`Params::WISDOM`] on estuka-dev and hand-dev .842 and .769; by the
///   median of the records in place of their sum .814 and .769. With a few more regions, .850 and .769 became .793 and .769 with
///   all letters alike, .826 and .731 by text alone, .502 and .538 by the number alone.
/// - The paper aligns no items: the tables are empty. [`super::records()`] fills them.
///
/// Share of development pages whose best region holds exactly the wanted records, with [`Params::PAPER`] and
/// [`Params::WISDOM`]. What is left: records under several parents, records that neither look alike nor share a class, and
/// pages where another list has more text.
///
/// | pages | number | as published | repaired |
/// |---|---|---|---|
/// | authored-dev, non-contiguous | 6 | .667 | 1.000 |
/// | authored-dev, table | 4 | .750 | 1.000 |
/// | authored-dev, flat | 4 | .000 | 1.000 |
/// | hand-dev, flat | 22 | .545 | .909 |
/// | estuka-dev, flat | 204 | .480 | .917 |
/// | estuka-dev, table | 22 | .409 | .955 |
/// | all of authored-dev, hand-dev, estuka-dev | 297 | .438 | .835 |
///
/// Time: each pair of different tag strings is compared once, bounded. O(n·K) comparisons, of strings no longer than 4,096
/// tags in full; a string takes part in O(K² log n) of them at most, as unequal lengths are told apart without looking.
///
/// ```
/// use wisdom::{dom::Dom, records::mdr::{Params, mdr}};
/// let dom = Dom::parse("<table><tr><td><b>A</b><i>1</i><td><b>B</b><i>2</i><tr><td><b>C</b><i>3</i></table>");
/// let regions = mdr(&dom, &Params::PAPER);
/// let texts: Vec<String> = regions[0].records.iter().map(|record| record.text(&dom)).collect();
/// assert_eq!(texts, ["A1", "B2"]);
/// ```
pub fn mdr(dom: &Dom, params: &Params) -> Vec<Region> {
    let tree = TagTree::of(dom);
    let mut comparer = Comparer::new(&tree, params.threshold);
    let found = regions::find_drs(&tree, params, &mut comparer);
    let mut page = Page { dom, tree: &tree, params, comparer: &mut comparer };
    let found = find_records::find_records(found, &mut page);
    let mut regions: Vec<Region> = found.into_iter().map(|region| finish(dom, &tree, region)).collect();
    regions.sort_by(|a, b| b.score.total_cmp(&a.score).then_with(|| first(a).cmp(&first(b))));
    regions
}

fn first(region: &Region) -> Option<NodeId> {
    region.records.first().and_then(|record| record.nodes.first()).copied()
}

fn finish(dom: &Dom, tree: &TagTree, region: FoundRegion) -> Region {
    let record = |nodes: Vec<usize>| match (nodes.first(), nodes.last()) {
        (Some(&first), Some(&last)) if region.is_contiguous && first < last => {
            run(dom, tree.node(first), tree.node(last))
        }
        _ => nodes.into_iter().map(|at| tree.node(at)).collect(),
    };
    let records: Vec<Record> = region.records.into_iter().map(|nodes| Record { nodes: record(nodes) }).collect();
    let letters = |node: NodeId| dom.text(node).chars().filter(|c| !c.is_whitespace()).count() as f64;
    let linked = |node: NodeId| {
        let (mut sum, mut end) = (0.0, node);
        for link in dom.subtree(node).filter(|&id| dom.tag(id) == Tag::A && !dom.is_hidden(id)) {
            // Links may stand in links by way of an `object`.
            if link >= end {
                sum += letters(link);
                end = dom.end(link);
            }
        }
        sum
    };
    let weight = |&node: &NodeId| letters(node) - LINKED * linked(node);
    let text: f64 = records.iter().flat_map(|record| &record.nodes).map(weight).sum();
    let score = text * (records.len() as f64).sqrt();
    Region { root: region.root, score, records, table: Table::default() }
}

/// Siblings from one to another with the text among them and right behind them.
fn run(dom: &Dom, first: NodeId, last: NodeId) -> Vec<NodeId> {
    let Some(parent) = dom.parent(first) else { return vec![first] };
    let siblings =
        std::iter::successors(Some(first), |&id| Some(dom.end(id)).filter(|&next| dom.contains(parent, next)));
    siblings.take_while(|&id| id <= last || dom.is_text(id)).collect()
}
