//! What mining keeps of a page: node numbers and scores. Texts are made from the archived page when they are exported.

use super::{BlockKind, BlockSet, Grown, Params, Structure};
use crate::dom::{Dom, NodeId, NodeMap};
use serde::{Deserialize, Serialize};

/// The mined structure of a page, as stored.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Mined {
    /// The method's name.
    pub method: String,
    /// Nodes of the parsed page, to notice a parser that counts otherwise.
    pub nodes: usize,
    /// `article`, `toc` or `other`.
    pub page_type: String,
    /// Share of informative words in anchors.
    pub link_density: f64,
    /// Share of informative words that linked pages repeat.
    pub repeated: f64,
    /// Blocks of both kinds, articles first.
    pub blocks: Vec<MinedBlock>,
    /// Roots of subtrees that condensing removed from article blocks.
    pub article_removed: Vec<usize>,
    /// Links of the table of contents.
    pub links: Vec<MinedLink>,
    /// Of method `auto`: the kept blocks of the page, by their places in the cut of `article`. They make the article; `blocks`
    /// only explains it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub kept: Option<Vec<u32>>,
    /// Of method `auto`: the lists of records, best first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub records: Vec<MinedList>,
    /// Of method `auto`: the URL of the page that this one repeats.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub duplicate_of: Option<String>,
}

/// One list of records.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct MinedList {
    /// How sure it is, 0 to 1.
    pub score: f64,
    /// The nodes of each record, places in document order.
    pub records: Vec<Vec<u32>>,
    /// Its columns, as the site's pages share them.
    pub columns: Vec<MinedColumn>,
}

/// One column of a list.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct MinedColumn {
    /// Hash of where its items stand in their records.
    pub key: u64,
    /// How many items of this key come before it in the record.
    pub time: u32,
    /// What its cells are: `text`, `link`, `image`, `price`, `date` or `number`.
    pub kind: String,
    /// Its name, where pages have one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// Whether it is left out of the table: a label, or what another column says.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_hidden: bool,
}

/// One block.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct MinedBlock {
    /// `article` or `toc`.
    pub kind: String,
    /// Its root, a place in document order.
    pub node: usize,
    /// The step that brought it in: `kmib`, `dstm` or `cstm`.
    pub step: String,
    /// Length of its text, in words.
    pub text_len: u32,
    /// CII; absent without terms.
    pub cii: Option<f64>,
    /// SII of the feature it was searched by; absent for a leaf.
    pub sii: Option<f64>,
    /// Mean API of its anchors; absent without anchors.
    pub api: Option<f64>,
    /// The aggregated feature it was searched by.
    pub score: f64,
}

/// One link.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct MinedLink {
    /// The `a` element, a place in document order.
    pub node: usize,
    /// API.
    pub score: f64,
}

impl Mined {
    /// Keeps of a structure what is stored.
    pub fn new(dom: &Dom, method: &str, structure: &Structure, params: &Params) -> Self {
        let of = |set: &BlockSet| blocks(dom, set, structure, params);
        Self {
            method: method.to_owned(),
            nodes: dom.len(),
            page_type: structure.page_type.name().to_owned(),
            link_density: structure.evidence.link_density,
            repeated: structure.evidence.repeated,
            blocks: [of(&structure.article), of(&structure.toc)].concat(),
            article_removed: structure.article.removed.iter().map(|id| id.index()).collect(),
            links: structure.links.iter().map(|l| MinedLink { node: l.node.index(), score: l.score }).collect(),
            kept: None,
            records: Vec::new(),
            duplicate_of: None,
        }
    }

    /// The kept nodes of the article, in document order; `None` when the page no longer parses to the same nodes.
    pub fn article_nodes(&self, dom: &Dom) -> Option<Vec<NodeId>> {
        if self.nodes != dom.len() {
            return None;
        }
        let mut keep = NodeMap::filled(dom, false);
        let ids: Vec<NodeId> = dom.ids().collect();
        for block in self.blocks.iter().filter(|block| block.kind == BlockKind::Article.name()) {
            dom.subtree(*ids.get(block.node)?).for_each(|id| keep[id] = true);
        }
        for &removed in &self.article_removed {
            dom.subtree(*ids.get(removed)?).for_each(|id| keep[id] = false);
        }
        Some(ids.into_iter().filter(|&id| keep[id]).collect())
    }
}

fn blocks(dom: &Dom, set: &BlockSet, structure: &Structure, params: &Params) -> Vec<MinedBlock> {
    let (tree, feature) = (&structure.tree, set.kind.feature(params));
    let block = |root: NodeId, grown: Grown| MinedBlock {
        kind: set.kind.name().to_owned(),
        node: root.index(),
        step: grown.name().to_owned(),
        text_len: tree.text_len(root),
        cii: tree.cii(root),
        sii: tree.sii(dom, root, feature),
        api: tree.mean_api(root),
        score: tree.feature(root, feature),
    };
    set.blocks.iter().map(|b| block(b.root, b.grown)).collect()
}
