//! [`mine_blocks`]: the WISDOM stage for one page and one kind of block.

use super::condense::condense;
use super::merge::merge;
use super::{Params, Verdict, kmib};
use crate::coverage::{CoverageTree, Feature};
use crate::dom::{Dom, NodeId};

/// The two kinds of informative block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BlockKind {
    /// Information authority: the text of an article.
    Article,
    /// Information hub: a table of contents.
    Toc,
}

impl BlockKind {
    /// The name in documents.
    pub fn name(self) -> &'static str {
        match self {
            Self::Article => "article",
            Self::Toc => "toc",
        }
    }

    /// The feature that blocks of this kind are searched by.
    pub fn feature(self, params: &Params) -> Feature {
        match self {
            Self::Article => Feature::Clen,
            Self::Toc => params.toc_feature,
        }
    }

    /// The type constraint TC (WISDOM, section 3.2.2): CII ≥ 1 − `TC_article`, or mean API ≥ `TC_TOC`.
    pub fn matches(self, tree: &CoverageTree, node: NodeId, params: &Params) -> bool {
        match self {
            Self::Article => tree.cii(node).is_some_and(|cii| cii >= 1.0 - params.tc_article),
            Self::Toc => tree.mean_api(node).is_some_and(|api| api >= params.tc_toc),
        }
    }

    /// Whether condensing removes the node: it can be judged and does not match.
    pub(super) fn fails(self, tree: &CoverageTree, node: NodeId, params: &Params) -> bool {
        let judged = match self {
            Self::Article => tree.cii(node).is_some() || tree.text_len(node) > 0,
            Self::Toc => tree.anchors(node) > 0,
        };
        judged && !self.matches(tree, node, params)
    }
}

/// The step that brought a block into the structure.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Grown {
    /// k-MIB.
    Skeleton,
    /// Direct sibling tree merging.
    Dstm,
    /// Collateral sibling tree merging.
    Cstm,
}

impl Grown {
    /// The name in documents.
    pub fn name(self) -> &'static str {
        match self {
            Self::Skeleton => "kmib",
            Self::Dstm => "dstm",
            Self::Cstm => "cstm",
        }
    }
}

/// One informative block: a subtree, less what condensing removed from it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Block {
    /// Root of the subtree.
    pub root: NodeId,
    /// How it came in.
    pub grown: Grown,
}

/// The informative structure of a page for one kind of block.
#[derive(Clone, Debug, PartialEq)]
pub struct BlockSet {
    /// Which kind.
    pub kind: BlockKind,
    /// The blocks in document order; none lies in another.
    pub blocks: Vec<Block>,
    /// Roots of the subtrees that condensing removed, in document order.
    pub removed: Vec<NodeId>,
    /// What k-MIB looked at, in order.
    pub trace: Vec<(NodeId, Verdict)>,
}

impl BlockSet {
    /// The nodes of the structure in document order: all of its blocks, less what was removed. Time linear in the blocks.
    pub fn nodes(&self, dom: &Dom) -> Vec<NodeId> {
        let mut removed = self.removed.iter().copied().peekable();
        let mut nodes = Vec::new();
        for block in &self.blocks {
            let mut skip_to = block.root;
            for id in dom.subtree(block.root) {
                while removed.next_if(|&cut| cut < id).is_some() {}
                if removed.next_if_eq(&id).is_some() {
                    skip_to = dom.end(id);
                }
                if id >= skip_to {
                    nodes.push(id);
                }
            }
        }
        nodes
    }
}

/// Mines the blocks of one kind below `root`: k-MIB, DSTM, k-CSTM, condensing. Time O(n log n) in the nodes.
pub fn mine_blocks(dom: &Dom, tree: &CoverageTree, root: NodeId, kind: BlockKind, params: &Params) -> BlockSet {
    let trace = kmib(dom, tree, root, kind, params);
    let skeleton: Vec<NodeId> = trace.iter().filter(|(_, v)| *v == Verdict::Chosen).map(|(id, _)| *id).collect();
    let blocks: Vec<Block> =
        merge(dom, tree, &skeleton, kind, params).into_iter().map(|(root, grown)| Block { root, grown }).collect();
    let removed = blocks.iter().flat_map(|block| condense(dom, tree, block.root, kind, params)).collect();
    BlockSet { kind, blocks, removed, trace }
}
