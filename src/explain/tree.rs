//! What the WISDOM methods made of a page: the coverage tree and the searches in it.

use super::{Decisions, Explanation};
use crate::blocks::{BlockKind, BlockSet, Params, Structure, TypeEvidence, Verdict};
use crate::coverage::{CoverageTree, Feature};
use crate::dom::{Attr, Dom, NodeId, NodeMap, fold_space};
use crate::terms::PageTerms;

/// Deepest level that is told apart.
const DEEPEST: usize = 60;

/// How much was known when a page was searched.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Knowledge {
    /// A site of so many pages.
    Pages(u64),
    /// The page alone: every term counts as new, and no link leads anywhere.
    Nothing,
}

/// The decisions of a WISDOM method on a page.
#[derive(Clone, Debug, PartialEq)]
pub struct Tree {
    /// Whether a site was known.
    pub knowledge: Knowledge,
    /// ISO 639 code of the language, or `unknown`.
    pub language: String,
    /// What the type was told from.
    pub evidence: TypeEvidence,
    /// Article blocks, table-of-contents blocks and links of the latter.
    pub counts: [usize; 3],
    /// The feature that tables of contents were searched by: `API` or `ALEN`.
    pub toc_feature: &'static str,
    /// The nodes that hold text or that a search looked at, in document order.
    pub nodes: Vec<Node>,
}

/// One node of the coverage tree.
#[derive(Clone, Debug, PartialEq)]
pub struct Node {
    /// Its place in document order.
    pub node: usize,
    /// Levels below `body`, 60 at most.
    pub depth: usize,
    /// Tag with id and classes, or the beginning of its text in quotation marks.
    pub name: String,
    /// Words outside anchors, below it and itself included.
    pub clen: f64,
    /// Words in anchors.
    pub alen: f64,
    /// Content information index; absent without terms.
    pub cii: Option<f64>,
    /// Structure information index of CLEN; absent with fewer than two children that have some.
    pub sii_clen: Option<f64>,
    /// Anchor precision index, summed.
    pub api: f64,
    /// The same for each anchor; absent without anchors.
    pub mean_api: Option<f64>,
    /// Structure information index of the feature that tables of contents were searched by.
    pub sii_toc: Option<f64>,
    /// What the searches made of it.
    pub marks: Vec<String>,
}

/// Explains what was found on a page. Time linear in the nodes and children of the page.
pub fn explain_structure(
    dom: &Dom,
    url: &str,
    method: &'static str,
    knowledge: Knowledge,
    terms: &PageTerms,
    structure: &Structure,
    params: &Params,
) -> Explanation {
    let mut marks = NodeMap::filled(dom, Vec::new());
    for set in [&structure.article, &structure.toc] {
        mark(dom, set, &structure.tree, params, &mut marks);
    }
    let tree = &structure.tree;
    let shown = dom.subtree(dom.body()).filter(|&id| tree.text_len(id) > 0 || !marks[id].is_empty());
    let nodes = shown.map(|id| Node {
        node: id.index(),
        depth: dom.ancestors(id).count().saturating_sub(2).min(DEEPEST),
        name: name(dom, id),
        clen: tree.feature(id, Feature::Clen),
        alen: tree.feature(id, Feature::Alen),
        cii: tree.cii(id),
        sii_clen: tree.sii(dom, id, Feature::Clen),
        api: tree.feature(id, Feature::Api),
        mean_api: tree.mean_api(id),
        sii_toc: tree.sii(dom, id, params.toc_feature),
        marks: marks[id].clone(),
    });
    let language = if terms.language.is_unknown() { "unknown" } else { terms.language.code() };
    Explanation {
        url: url.to_owned(),
        method,
        pages: match knowledge {
            Knowledge::Pages(pages) => pages,
            Knowledge::Nothing => 0,
        },
        page_type: structure.page_type.name(),
        decisions: Decisions::Tree(Tree {
            knowledge,
            language: language.to_owned(),
            evidence: structure.evidence,
            counts: [structure.article.blocks.len(), structure.toc.blocks.len(), structure.links.len()],
            toc_feature: if params.toc_feature == Feature::Alen { "ALEN" } else { "API" },
            nodes: nodes.collect(),
        }),
    }
}

/// Notes for each node what a search made of it.
fn mark(dom: &Dom, set: &BlockSet, tree: &CoverageTree, params: &Params, marks: &mut NodeMap<Vec<String>>) {
    let kind = set.kind.name();
    for &(id, verdict) in &set.trace {
        let sii = tree.sii(dom, id, set.kind.feature(params));
        let why = match verdict {
            Verdict::Chosen => {
                sii.map_or("a leaf of the kind sought".to_owned(), |s| format!("SII {s:.2} > {}", params.st))
            }
            Verdict::Split => sii.map_or("one child".to_owned(), |s| format!("SII {s:.2} ≤ {}", params.st)),
            Verdict::WrongKind => match set.kind {
                BlockKind::Article => format!("CII under {:.2}", 1.0 - params.tc_article),
                BlockKind::Toc => format!("mean API under {}", params.tc_toc),
            },
        };
        let what = match verdict {
            Verdict::Chosen => "chosen",
            Verdict::Split => "split",
            Verdict::WrongKind if params.split_failed => "split, wrong kind",
            Verdict::WrongKind => "dropped, wrong kind",
        };
        marks[id].push(format!("{kind}: {what}: {why}"));
    }
    for block in &set.blocks {
        marks[block.root].push(format!("{kind} block by {}", block.grown.name()));
    }
    for &id in &set.removed {
        marks[id].push(format!("{kind}: removed by condensing"));
    }
}

/// A node for people: tag with id or class, or the beginning of its text.
fn name(dom: &Dom, id: NodeId) -> String {
    if dom.is_text(id) {
        let text: String = fold_space(dom.text(id)).chars().take(40).collect();
        return format!("\"{text}\"");
    }
    let mut name = dom.tag(id).name().to_owned();
    if let Some(value) = dom.attr(id, Attr::ID) {
        name.push('#');
        name.extend(value.chars().take(30).filter(|c| !c.is_control()));
    }
    for class in dom.attr(id, Attr::CLASS).unwrap_or_default().split_whitespace().take(2) {
        name.push('.');
        name.extend(class.chars().take(30).filter(|c| !c.is_control()));
    }
    name
}
