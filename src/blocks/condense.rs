//! Cutting from merged trees the subtrees that cannot match the type constraint (WISDOM, section 3.3).

use super::{BlockKind, Params};
use crate::coverage::CoverageTree;
use crate::dom::{Dom, NodeId};

/// The subtrees below `root` that condensing removes, in document order: the highest nodes that fail the type
/// constraint. Nodes that the constraint cannot judge (no terms, no anchors) stay. Time linear in the subtree.
pub(super) fn condense(dom: &Dom, tree: &CoverageTree, root: NodeId, kind: BlockKind, params: &Params) -> Vec<NodeId> {
    let mut removed = Vec::new();
    let mut skip_to = root;
    for id in dom.subtree(root).skip(1) {
        if id < skip_to {
            continue;
        }
        if kind.fails(tree, id, params) {
            removed.push(id);
            skip_to = dom.end(id);
        }
    }
    removed
}
