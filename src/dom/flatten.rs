//! The tree that parsing grows (nodes move while it grows), and its one-time conversion into the arena.

use super::arena::Node;
use super::{Attr, Dom, Tag};
use std::ops::Range;

/// No node.
pub(super) const NONE: u32 = u32::MAX;

#[derive(Debug)]
pub(super) struct RawNode {
    pub(super) tag: Tag,
    pub(super) attrs: Vec<(Attr, Box<str>)>,
    pub(super) parent: u32,
    first: u32,
    last: u32,
    next: u32,
    previous: u32,
    text: Range<usize>,
}

impl RawNode {
    pub(super) fn new(tag: Tag) -> Self {
        Self { tag, attrs: Vec::new(), parent: NONE, first: NONE, last: NONE, next: NONE, previous: NONE, text: 0..0 }
    }
}

/// Linked nodes; node 0 is the document.
#[derive(Debug, Default)]
pub(super) struct RawTree {
    pub(super) nodes: Vec<RawNode>,
    /// Text of all text nodes. A node that grows when it is no longer the last is copied to the end.
    text: String,
}

impl RawTree {
    #[allow(clippy::cast_possible_truncation, reason = "a page under 2^30 bytes has fewer than 2^32 nodes: see Guard")]
    pub(super) fn add(&mut self, node: RawNode) -> u32 {
        self.nodes.push(node);
        (self.nodes.len() - 1) as u32
    }

    fn at(&mut self, node: u32) -> &mut RawNode {
        &mut self.nodes[node as usize]
    }

    /// Puts a detached node before `before`, or last where that is [`NONE`].
    pub(super) fn insert(&mut self, parent: u32, before: u32, node: u32) {
        let previous = if before == NONE { self.at(parent).last } else { self.at(before).previous };
        let new = self.at(node);
        (new.parent, new.previous, new.next) = (parent, previous, before);
        if previous == NONE {
            self.at(parent).first = node;
        } else {
            self.at(previous).next = node;
        }
        if before == NONE {
            self.at(parent).last = node;
        } else {
            self.at(before).previous = node;
        }
    }

    /// Adds text before `before` or last, to the text node that stands there or to a new one, which is returned.
    pub(super) fn insert_text(&mut self, parent: u32, before: u32, text: &str) -> Option<u32> {
        let previous = if before == NONE { self.at(parent).last } else { self.at(before).previous };
        if previous != NONE && self.at(previous).tag == Tag::TEXT {
            let range = self.at(previous).text.clone();
            let start = if range.end == self.text.len() {
                range.start
            } else {
                let start = self.text.len();
                self.text.extend_from_within(range);
                start
            };
            self.text.push_str(text);
            self.at(previous).text = start..self.text.len();
            return None;
        }
        let start = self.text.len();
        self.text.push_str(text);
        let mut new = RawNode::new(Tag::TEXT);
        new.text = start..self.text.len();
        let node = self.add(new);
        self.insert(parent, before, node);
        Some(node)
    }

    pub(super) fn detach(&mut self, node: u32) {
        let RawNode { parent, previous, next, .. } = *self.at(node);
        if parent == NONE {
            return;
        }
        if previous == NONE {
            self.at(parent).first = next;
        } else {
            self.at(previous).next = next;
        }
        if next == NONE {
            self.at(parent).last = previous;
        } else {
            self.at(next).previous = previous;
        }
        let own = self.at(node);
        (own.parent, own.previous, own.next) = (NONE, NONE, NONE);
    }

    /// Moves all children behind those of another node; returns how many.
    pub(super) fn move_children(&mut self, from: u32, to: u32) -> usize {
        let mut moved = 0;
        while self.at(from).first != NONE {
            let child = self.at(from).first;
            self.detach(child);
            self.insert(to, NONE, child);
            moved += 1;
        }
        moved
    }
}

/// Copies the tree into an arena in document order, without comments, visible text apart from hidden text.
pub(super) fn flatten(mut tree: RawTree) -> Dom {
    let mut out = Flat {
        dom: Dom {
            nodes: Vec::with_capacity(tree.nodes.len()),
            attrs: Vec::new(),
            text: String::with_capacity(tree.text.len()),
            hidden_text: String::new(),
            truncated: false,
        },
        open: Vec::new(),
        edges: [0; 2],
    };
    if tree.nodes.is_empty() {
        tree.add(RawNode::new(Tag::DOCUMENT));
    }
    let mut node = 0_u32;
    loop {
        let skipped = node != 0 && tree.at(node).tag == Tag::DOCUMENT;
        if !skipped {
            let raw = tree.at(node);
            let (tag, attrs, range) = (raw.tag, std::mem::take(&mut raw.attrs), raw.text.clone());
            out.enter(tag, attrs, &tree.text[range]);
            let first = tree.at(node).first;
            if first != NONE {
                node = first;
                continue;
            }
            out.leave();
        }
        while tree.at(node).next == NONE {
            node = tree.at(node).parent;
            if node == NONE || node == 0 {
                break;
            }
            out.leave();
        }
        if node == NONE || node == 0 {
            break;
        }
        node = tree.at(node).next;
    }
    while !out.open.is_empty() {
        out.leave();
    }
    out.dom.text.shrink_to_fit();
    out.dom
}

struct Flat {
    dom: Dom,
    open: Vec<u32>,
    /// Ends of the two buffers when a block boundary was last marked in them.
    edges: [usize; 2],
}

impl Flat {
    #[allow(clippy::cast_possible_truncation, reason = "a page under 2^30 bytes stays under 2^32 in every count")]
    fn enter(&mut self, tag: Tag, attrs: Vec<(Attr, Box<str>)>, text: &str) {
        let parent = self.open.last().copied().unwrap_or(0);
        let inherited = self.open.last().is_some_and(|&up| self.dom.nodes[up as usize].hidden);
        let hidden = inherited || is_hidden(tag, &attrs);
        let buffer = if hidden { &mut self.dom.hidden_text } else { &mut self.dom.text };
        if tag.breaks_text() || (hidden && !inherited) {
            break_line(buffer, &mut self.edges[usize::from(hidden)]);
        }
        let start = buffer.len() as u32;
        buffer.push_str(text);
        let first_attr = self.dom.attrs.len() as u32;
        self.dom.attrs.extend(attrs);
        let node =
            Node { parent, end: 0, text: start..start, attrs: first_attr..self.dom.attrs.len() as u32, tag, hidden };
        self.open.push(self.dom.nodes.len() as u32);
        self.dom.nodes.push(node);
    }

    #[allow(clippy::cast_possible_truncation, reason = "as in enter")]
    fn leave(&mut self) {
        let Some(id) = self.open.pop() else { return };
        let end = self.dom.nodes.len() as u32;
        let node = &mut self.dom.nodes[id as usize];
        node.end = end;
        let buffer = if node.hidden { &mut self.dom.hidden_text } else { &mut self.dom.text };
        node.text.end = buffer.len() as u32;
        if node.tag.breaks_text() {
            break_line(buffer, &mut self.edges[usize::from(node.hidden)]);
        }
    }
}

/// Marks a block boundary by a line feed, once where several boundaries meet. A line feed of the text itself is no mark, so
/// two text nodes have a gap between them exactly where a boundary is.
fn break_line(buffer: &mut String, edge: &mut usize) {
    if buffer.len() > *edge {
        buffer.push('\n');
        *edge = buffer.len();
    }
}

fn is_hidden(tag: Tag, attrs: &[(Attr, Box<str>)]) -> bool {
    // A page that hides its whole body shows it again by script.
    if tag == Tag::HTML || tag == Tag::BODY {
        return false;
    }
    if tag.is_never_shown() {
        return true;
    }
    let value = |attr| attrs.iter().find(|(a, _)| *a == attr).map(|(_, value)| &**value);
    value(Attr::HIDDEN).is_some_and(|v| !v.eq_ignore_ascii_case("until-found"))
        || value(Attr::STYLE).is_some_and(style_hides)
        || (tag == Tag::DIALOG && value(Attr::OPEN).is_none())
}

fn style_hides(style: &str) -> bool {
    style.split(';').filter_map(|declaration| declaration.split_once(':')).any(|(property, value)| {
        let value = value.trim().trim_end_matches("!important").trim_end();
        let is = |a: &str, b: &str| property.trim().eq_ignore_ascii_case(a) && value.eq_ignore_ascii_case(b);
        is("display", "none") || is("visibility", "hidden")
    })
}
