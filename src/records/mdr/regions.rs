//! Data regions (MDR, section 3.2.3): `IdentDRs` at one node, `FindDRs` over the page.

use super::super::tag_tree::TagTree;
use super::Params;
use super::compare::{Comparer, Distances};
use std::ops::Range;

/// A data region: neighbouring children of one node that form similar generalized nodes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct DataRegion {
    /// Number of nodes in a generalized node.
    pub(super) length: usize,
    /// The node whose children they are.
    pub(super) parent: usize,
    /// The children, a multiple of `length`.
    pub(super) nodes: Vec<usize>,
}

/// The regions of one node as the paper notes them: nodes in a combination, place of the first child from 0, number of
/// children covered.
pub(super) type MaxDr = (usize, usize, usize);

/// `IdentDRs` (Fig. 9): one after another, the region that covers the most children and begins no later than one of shorter
/// combinations.
///
/// Two slips of the figure are mended: a region that reaches the last child is reported too (line 18 drops it), and the
/// search ends where no child is left. Time O(n·k + r·k²) for r regions; the figure's loops would read the whole list of
/// children once a region.
///
/// With [`Params::shortest`], a combination does not win over shorter ones that explain most of what it covers, and of regions
/// that cover as much the one wins in which more neighbours are equal: it begins where a record does.
pub(super) fn ident_drs(distances: &Distances, params: &Params) -> Vec<MaxDr> {
    let mut found = Vec::new();
    let mut start = 0;
    while start < distances.children() {
        let mut max: Option<(MaxDr, usize)> = None;
        for length in 1..=params.k {
            for first in start..=start + length {
                let Some(run) = distances.next_run(length, first) else { continue };
                let (at, covered) = (run.first, (run.similar + 1) * length);
                let wins = max.is_none_or(|((max_length, max_at, max_covered), max_equal)| {
                    let is_longer = covered > max_covered && at <= max_at;
                    let is_evener = length == max_length && covered == max_covered && run.equal > max_equal;
                    is_longer || (params.shortest && is_evener)
                });
                if wins && !(params.shortest && is_compound(distances, length, at..at + covered)) {
                    max = Some(((length, at, covered), run.equal));
                }
            }
        }
        let Some((max, _)) = max else { break };
        found.push(max);
        start = max.1 + max.2;
    }
    found
}

/// Whether shorter combinations are similar in more than two thirds of what a longer one covers: then it is several of
/// those, with a heading or an advert among them that its length makes up for.
fn is_compound(distances: &Distances, length: usize, range: Range<usize>) -> bool {
    (1..length).any(|shorter| distances.paired(shorter, range.clone()) * 3 > range.len() * 2)
}

/// `MDR` and `FindDRs` (Figs. 5, 8 and 10): the regions of every node of [`Params::least_depth`] or more that no region of a node above
/// covers, in document order of their parents.
///
/// Where the paper computes a child's regions and then drops them as covered, they are not computed.
pub(super) fn find_drs(tree: &TagTree, params: &Params, comparer: &mut Comparer<'_>) -> Vec<DataRegion> {
    let mut found: Vec<DataRegion> = Vec::new();
    // By the first node of a region, the node behind it.
    let mut covered_to = vec![0_usize; tree.len()];
    let mut node = 0;
    while node < tree.len() {
        if covered_to[node] > 0 {
            node = covered_to[node];
            continue;
        }
        if tree.depth(node) >= params.least_depth {
            let children: Vec<usize> = tree.children(node).collect();
            let distances = Distances::of(&children, params, tree, comparer);
            for (length, at, covered) in ident_drs(&distances, params) {
                let nodes = children[at..at + covered].to_vec();
                covered_to[nodes[0]] = tree.end(nodes[covered - 1]);
                found.push(DataRegion { length, parent: node, nodes });
            }
        }
        node += 1;
    }
    found
}
