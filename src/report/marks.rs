//! Which texts of a page were kept, for its frame and its plots.

use super::frame::Marks;
use crate::article::{block_texts, kept_nodes};
use crate::blocks::Mined;
use crate::dom::{Dom, NodeId, NodeMap};
use crate::explain::{Blocks, Decisions, Explanation, reason_of};

/// What was kept of a page.
#[derive(Clone, Debug)]
pub(super) struct KeptOf {
    /// Why each text stands out.
    pub(super) marks: Marks,
    /// Ranges of nodes of the article, close ones as one.
    pub(super) article: Vec<(f64, f64)>,
    /// The same of the links of the table of contents.
    pub(super) toc: Vec<(f64, f64)>,
}

/// What was kept of a page that was mined. Time linear in the page.
pub(super) fn kept_of(dom: &Dom, mined: &Mined, why: &Explanation) -> KeptOf {
    let mut marks = Marks { marks: Vec::new(), of: NodeMap::filled(dom, 0) };
    if mined.nodes != dom.len() {
        return KeptOf { marks, article: Vec::new(), toc: Vec::new() };
    }
    let article = match (&mined.kept, &why.decisions) {
        (Some(kept), Decisions::Blocks(blocks)) => {
            mark_blocks(dom, blocks, &mut marks);
            kept_nodes(dom, kept)
        }
        (Some(kept), Decisions::Tree(_)) => kept_nodes(dom, kept),
        (None, _) => {
            let nodes = mined.article_nodes(dom).unwrap_or_default();
            marks.marks.push(("k", "in an article block".to_owned()));
            for &id in &nodes {
                marks.of[id] = 1;
            }
            nodes
        }
    };
    let ids: Vec<NodeId> = dom.ids().collect();
    let mut links = Vec::new();
    for link in &mined.links {
        let Some(&anchor) = ids.get(link.node) else { continue };
        marks.marks.push(("l", format!("a link of the table of contents, score {:.2}", link.score)));
        let mark = number(marks.marks.len());
        for id in dom.subtree(anchor) {
            marks.of[id] = mark;
        }
        links.push(anchor);
    }
    KeptOf { marks, article: ranges(dom, &article), toc: ranges(dom, &links) }
}

/// Each text is marked by the block that it is in.
fn mark_blocks(dom: &Dom, found: &Blocks, marks: &mut Marks) {
    let texts = block_texts(dom);
    if texts.len() != found.blocks.len() {
        return;
    }
    for block in &found.blocks {
        let verdict = &block.verdict;
        let (class, what) = if verdict.kept { ("k", "kept") } else { ("d", "dropped") };
        let note = if verdict.note.is_empty() { String::new() } else { format!("; {}", verdict.note) };
        marks.marks.push((class, format!("{what}, {:.2}: {}{note}", verdict.chance, reason_of(verdict))));
    }
    for id in dom.ids().filter(|&id| dom.is_text(id)) {
        let Some(range) = dom.text_range(id) else { continue };
        let at = texts.partition_point(|text| text.start <= range.start);
        if let Some(text) = at.checked_sub(1).and_then(|at| texts.get(at))
            && range.end <= text.end
        {
            marks.of[id] = number(at);
        }
    }
}

fn number(at: usize) -> u32 {
    u32::try_from(at).unwrap_or(0)
}

/// Nodes in document order as ranges; gaps of a two-hundredth of the page are none.
fn ranges(dom: &Dom, nodes: &[NodeId]) -> Vec<(f64, f64)> {
    let gap = dom.len() as f64 / 200.0;
    let mut ranges: Vec<(f64, f64)> = Vec::new();
    for node in nodes {
        let (from, to) = (node.index() as f64, dom.end(*node).index() as f64);
        match ranges.last_mut().filter(|last| from - last.1 <= gap) {
            Some(last) => last.1 = last.1.max(to),
            None => ranges.push((from, to)),
        }
    }
    ranges
}
