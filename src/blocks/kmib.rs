//! k-maximum informative block mining (WISDOM, section 3.2.2).

use super::{BlockKind, Params};
use crate::coverage::CoverageTree;
use crate::dom::{Dom, NodeId};
use std::cmp::{Ordering, Reverse};
use std::collections::BinaryHeap;

/// What k-MIB made of a node that it looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// Uneven, or a single-child chain: its children were looked at instead.
    Split,
    /// Even or a leaf, and of the kind sought: in the candidate set.
    Chosen,
    /// Even or a leaf, and not of the kind sought: dropped, or split where [`Params::split_failed`] says so.
    WrongKind,
}

/// The algorithm MIB(k, f_A, ST): from `root` down, always at the node with the largest feature, splits nodes whose
/// children share it unevenly and selects the first `k` that share it evenly and match the type constraint. Returns
/// every node it looked at, in order.
///
/// A node without positive children is a leaf; a single positive child is descended to (SII needs two). Nodes with equal
/// features are taken in document order. Time O(n log n) in the nodes.
pub fn kmib(dom: &Dom, tree: &CoverageTree, root: NodeId, kind: BlockKind, params: &Params) -> Vec<(NodeId, Verdict)> {
    let feature = kind.feature(params);
    let value = |id| tree.feature(id, feature);
    let mut heap = BinaryHeap::new();
    let push = |heap: &mut BinaryHeap<Entry>, id| {
        if value(id) > 0.0 {
            heap.push(Entry { value: value(id), node: Reverse(id) });
        }
    };
    push(&mut heap, root);
    let mut seen = Vec::new();
    let mut chosen = 0;
    while chosen < params.k {
        let Some(Entry { node: Reverse(node), .. }) = heap.pop() else { break };
        let leaf = dom.children(node).all(|child| value(child) <= 0.0);
        let even = tree.sii(dom, node, feature).is_some_and(|sii| sii > params.st);
        let verdict = match (leaf || even, kind.matches(tree, node, params)) {
            (true, true) => Verdict::Chosen,
            (true, false) => Verdict::WrongKind,
            (false, _) => Verdict::Split,
        };
        seen.push((node, verdict));
        match verdict {
            Verdict::Chosen => chosen += 1,
            Verdict::WrongKind if !params.split_failed => {}
            Verdict::WrongKind | Verdict::Split => dom.children(node).for_each(|child| push(&mut heap, child)),
        }
    }
    seen
}

struct Entry {
    value: f64,
    node: Reverse<NodeId>,
}

impl Ord for Entry {
    fn cmp(&self, other: &Self) -> Ordering {
        self.value.total_cmp(&other.value).then(self.node.cmp(&other.node))
    }
}

impl PartialOrd for Entry {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Entry {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Entry {}
