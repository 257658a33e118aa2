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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dom::Attr;
    use crate::terms::{TermOptions, page_terms};

    /// WISDOM, Fig. 9, whose picture is lost: S has three qualified siblings S', which DSTM merges; its parent is alone, so
    /// the first nonsingleton ancestor P1 is the one above, and 1-CSTM merges the two qualified siblings P1'. A sibling
    /// that is larger than P1, one without text and one of the wrong kind are left alone.
    #[test]
    fn figure_9_direct_and_collateral_siblings() {
        let dom = Dom::parse(
            "<html lang=en><div id=larger>oak oak oak oak oak oak oak oak oak oak oak oak oak oak</div>\
             <div id=q1>ash elm</div>\
             <div id=p1><div id=alone><p id=s1>fir yew<p id=s>bay box fig gum ivy<p id=s2>hop nut pea<p id=s3>rye</div></div>\
             <div id=dummy><br></div><div id=menu>home</div>\
             <div id=q2>tea</div>",
        );
        let terms = page_terms(&dom, &TermOptions::default());
        // All terms inform but the one of the menu.
        let weights: Vec<f64> = terms.terms.iter().map(|term| if &**term == "home" { 0.0 } else { 1.0 }).collect();
        let tree = CoverageTree::new(&dom, &terms, &weights, &[]);
        let skeleton: Vec<NodeId> = dom.ids().filter(|&id| dom.attr(id, Attr::ID) == Some("s")).collect();
        let merged = |cstm: usize| -> Vec<String> {
            merge(&dom, &tree, &skeleton, BlockKind::Article, &Params { cstm, ..Params::PAPER })
                .into_iter()
                .map(|(id, grown)| format!("{} {}", dom.attr(id, Attr::ID).unwrap_or_default(), grown.name()))
                .collect()
        };
        assert_eq!(merged(0), ["s1 dstm", "s kmib", "s2 dstm", "s3 dstm"]);
        assert_eq!(merged(1), ["q1 cstm", "s1 dstm", "s kmib", "s2 dstm", "s3 dstm", "q2 cstm"]);
    }
}
