//! Growing the skeleton set: direct and collateral sibling tree merging (WISDOM, section 3.3, Fig. 9).

use super::{BlockKind, Grown, Params};
use crate::coverage::CoverageTree;
use crate::dom::{Dom, NodeId};
use std::collections::BTreeMap;

/// DSTM around every skeleton node, then k-CSTM: DSTM around its first `params.cstm` nonsingleton ancestors. Returns the
/// roots of the merged subtrees with the step that brought each in, in document order; none lies in another.
///
/// Time O(depth + siblings) for each skeleton node.
pub(super) fn merge(
    dom: &Dom,
    tree: &CoverageTree,
    skeleton: &[NodeId],
    kind: BlockKind,
    params: &Params,
) -> Vec<(NodeId, Grown)> {
    let mut roots: BTreeMap<NodeId, Grown> = skeleton.iter().map(|&s| (s, Grown::Skeleton)).collect();
    for &s in skeleton {
        let mut add = |siblings: Vec<NodeId>, step| {
            for id in siblings {
                roots.entry(id).or_insert(step);
            }
        };
        add(qualified_siblings(dom, tree, s, kind, params), Grown::Dstm);
        for p in nonsingleton_ancestors(dom, tree, s, kind, params).take(params.cstm) {
            add(qualified_siblings(dom, tree, p, kind, params), Grown::Cstm);
        }
    }
    // A root inside another says nothing new.
    let mut end = dom.root();
    roots
        .into_iter()
        .filter(|&(id, _)| {
            let outside = id >= end;
            if outside {
                end = dom.end(id);
            }
            outside
        })
        .collect()
}

/// The siblings of a node that match the type constraint and have a smaller feature, but not 0 (dummies).
fn qualified_siblings(dom: &Dom, tree: &CoverageTree, node: NodeId, kind: BlockKind, params: &Params) -> Vec<NodeId> {
    let Some(parent) = dom.parent(node) else { return Vec::new() };
    let feature = kind.feature(params);
    let limit = tree.feature(node, feature);
    dom.children(parent)
        .filter(|&id| id != node)
        .filter(|&id| {
            let value = tree.feature(id, feature);
            value > 0.0 && value < limit && kind.matches(tree, id, params)
        })
        .collect()
}

/// The ancestors with more than one sibling that is no dummy, from the nearest up. Read as "at least one other": an
/// ancestor with exactly one is where a title stands beside its article.
fn nonsingleton_ancestors<'a>(
    dom: &'a Dom,
    tree: &'a CoverageTree,
    node: NodeId,
    kind: BlockKind,
    params: &Params,
) -> impl Iterator<Item = NodeId> + 'a {
    let feature = kind.feature(params);
    dom.ancestors(node).filter(move |&up| {
        dom.parent(up).is_some_and(|parent| dom.children(parent).any(|id| id != up && tree.feature(id, feature) > 0.0))
    })
}
