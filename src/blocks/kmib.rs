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

/// The algorithm MIB(k, `f_A`, ST): from `root` down, always at the node with the largest feature, splits nodes whose
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::coverage::AnchorScore;
    use crate::dom::{Attr, Tag};
    use crate::terms::{TermOptions, page_terms};

    /// A tree whose anchors have the API in their `title`, and whose terms all weigh 1.
    fn tree(html: &str) -> (Dom, CoverageTree) {
        let dom = Dom::parse(html);
        let terms = page_terms(&dom, &TermOptions::default());
        let anchors: Vec<AnchorScore> = dom
            .ids()
            .filter(|&id| dom.tag(id) == Tag::A)
            .map(|node| {
                let api = dom.attr(node, Attr::TITLE).and_then(|t| t.parse().ok()).unwrap_or(0.0);
                AnchorScore { node, api, counted: true }
            })
            .collect();
        let weights = vec![1.0; terms.terms.len()];
        let tree = CoverageTree::new(&dom, &terms, &weights, &anchors);
        (dom, tree)
    }

    fn run(html: &str, kind: BlockKind, params: &Params) -> Vec<String> {
        let (dom, tree) = tree(html);
        let name = |id| dom.attr(id, Attr::ID).unwrap_or(dom.tag(id).name()).to_owned();
        kmib(&dom, &tree, dom.body(), kind, params).into_iter().map(|(id, v)| format!("{} {v:?}", name(id))).collect()
    }

    /// WISDOM, Fig. 8: the search on a table-of-contents page with k = 2. The picture is lost; this page has its parts: a
    /// menu of poor links, an uneven main column, and two lists of even, informative links, the larger of which comes
    /// first.
    #[test]
    fn figure_8_search_for_two_blocks() {
        let page = "<nav id=menu><a title=0.2>home</a><a title=0.2>news</a></nav>\
            <div id=main><div id=top><ul id=hot><li><a title=4>a</a><li><a title=4>b</a><li><a title=5>c</a></ul></div>\
            <ul id=rest><li><a title=1.5>d</a><li><a title=1.3>e</a></ul><p id=more><a title=0.5>f</a></p></div>";
        let params = Params { k: 2, ..Params::PAPER };
        let want = ["body Split", "main Split", "top Split", "hot Chosen", "rest Chosen"];
        assert_eq!(run(page, BlockKind::Toc, &params), want);
        // With k = 1 the search ends at the first.
        assert_eq!(run(page, BlockKind::Toc, &Params::PAPER), &want[..4]);
    }

    /// An even node of the wrong kind takes all that is in it with it in the paper's pseudo-code, and is split in ours.
    #[test]
    fn a_node_of_the_wrong_kind_is_dropped_or_split() {
        let page = "<ul id=poor><li><a title=1>a</a><li><a title=1>b</a><li id=good><a title=1.3>c</a></ul>";
        assert_eq!(run(page, BlockKind::Toc, &Params::PAPER), ["body Split", "poor WrongKind"]);
        let repaired = Params { split_failed: true, ..Params::PAPER };
        let found = run(page, BlockKind::Toc, &repaired);
        assert_eq!(&found[..2], ["body Split", "poor WrongKind"]);
        assert!(found.contains(&"good Split".to_owned()) && found.last().is_some_and(|v| v == "a Chosen"), "{found:?}");
    }

    #[test]
    fn ties_are_taken_in_document_order() {
        let found = run(
            "<div id=x>a b</div><div id=y>c d</div><div id=z></div>",
            BlockKind::Article,
            &Params { k: 9, st: 1.0, ..Params::PAPER },
        );
        assert_eq!(found, ["body Split", "x Split", "#text WrongKind", "y Split", "#text WrongKind"]);
    }
}
