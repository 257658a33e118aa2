//! From the separator to records.

use crate::dom::{Dom, NodeId, Tag};

/// A part of the root's children between two separators.
#[derive(Default)]
struct Part {
    nodes: Vec<NodeId>,
    /// Characters of its text, white space aside.
    text: usize,
    /// Whether it lies between two separators, or begins with one that holds text.
    is_bounded: bool,
}

/// The records that the separator divides the children of a node into. Time linear in the subtree.
pub(super) fn split(dom: &Dom, root: NodeId, separator: Tag) -> Vec<Vec<NodeId>> {
    let mut parts: Vec<Part> = vec![Part::default()];
    let is_separator = |id: NodeId| dom.tag(id) == separator && !dom.is_hidden(id);
    for id in dom.children(root) {
        let text = if dom.is_hidden(id) { 0 } else { letters(dom, id) };
        if is_separator(id) {
            if let (true, Some(part)) = (text == 0 && parts.len() > 1, parts.last_mut()) {
                // An empty separator ends what stands before it.
                part.is_bounded = true;
            }
            parts.push(Part { is_bounded: text > 0, ..Part::default() });
            if text == 0 {
                continue;
            }
        }
        if let Some(part) = parts.last_mut() {
            part.nodes.push(id);
            part.text += text;
        }
    }
    parts.retain(|part| part.text > 0);
    let bounded = || parts.iter().filter(|part| part.is_bounded).map(|part| part.text);
    let (least, most) = (bounded().min().unwrap_or(0), bounded().max().unwrap_or(usize::MAX / 2));
    let is_record = |part: &Part| part.is_bounded || (part.text * 2 >= least && part.text <= most * 2);
    parts.into_iter().filter(is_record).map(|part| trimmed(dom, part.nodes)).collect()
}

fn letters(dom: &Dom, id: NodeId) -> usize {
    dom.text(id).chars().filter(|c| !c.is_whitespace()).count()
}

/// Without what shows nothing at either end: white space, line breaks, hidden elements.
fn trimmed(dom: &Dom, mut nodes: Vec<NodeId>) -> Vec<NodeId> {
    let shows = |id: NodeId| {
        let has_image = || dom.subtree(id).any(|inner| dom.tag(inner) == Tag::IMG);
        !dom.is_hidden(id) && (letters(dom, id) > 0 || has_image())
    };
    while nodes.last().is_some_and(|&id| !shows(id)) {
        nodes.pop();
    }
    let front = nodes.iter().take_while(|&&id| !shows(id)).count();
    nodes.drain(..front);
    nodes
}
