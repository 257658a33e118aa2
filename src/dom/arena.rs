//! [`Dom`]: the arena. Node `i`'s subtree is the index range `i..end(i)`, so ancestry is a range test, subtree sums are
//! one reverse sweep, and consecutive siblings are one contiguous range.

use super::{Attr, Tag};
use std::ops::Range;

/// A node of one [`Dom`]: its place in document order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct NodeId(pub(super) u32);

impl NodeId {
    /// The place in document order, from 0.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// Where a node's subtree lies.
#[derive(Clone, Copy, Debug)]
pub(super) struct Span {
    pub(super) parent: u32,
    pub(super) end: u32,
}

/// Where a node's text and its first attribute stand.
#[derive(Clone, Copy, Debug)]
pub(super) struct Content {
    pub(super) start: u32,
    pub(super) end: u32,
    pub(super) attrs: u32,
}

/// What a node is.
#[derive(Clone, Copy, Debug)]
pub(super) struct Kind {
    pub(super) tag: Tag,
    /// Number of attributes.
    pub(super) attrs: u8,
    pub(super) is_hidden: bool,
}

/// A parsed page: elements and text nodes in document order (pre-order), frozen. Comments are gone. Node 0 is the
/// document itself.
///
/// All visible text stands in one buffer with a line feed at every block boundary, so the text of a subtree is a slice
/// of it in which neighbouring blocks are never glued. Text that is not shown (`head`, hidden elements) stands in a second
/// buffer; a hidden node's text is a slice of that one. Scripts and styles have no text, but for scripts whose `type` says
/// JSON. 23 bytes a node beside its text and attributes, in columns.
#[derive(Clone, Debug)]
pub struct Dom {
    pub(super) spans: Vec<Span>,
    pub(super) contents: Vec<Content>,
    pub(super) kinds: Vec<Kind>,
    /// Each kept attribute with the place in `values` where its value ends and the next one's begins.
    pub(super) attrs: Vec<(Attr, u32)>,
    pub(super) values: String,
    pub(super) text: String,
    pub(super) hidden_text: String,
    pub(super) truncated: bool,
}

/// Where the value of an attribute stands.
pub(super) fn value_range(attrs: &[(Attr, u32)], at: usize) -> Range<usize> {
    let start = if at == 0 { 0 } else { attrs[at - 1].1 as usize };
    start..attrs[at].1 as usize
}

impl Dom {
    /// Number of nodes, at least 1.
    #[allow(clippy::len_without_is_empty, reason = "a Dom is never empty")]
    pub fn len(&self) -> usize {
        self.kinds.len()
    }

    /// Whether the page was so large that its end was left out (over 2³² bytes of text or nodes).
    pub fn is_truncated(&self) -> bool {
        self.truncated
    }

    /// The document node.
    pub fn root(&self) -> NodeId {
        NodeId(0)
    }

    /// The `body` element, or the root where there is none (framesets).
    pub fn body(&self) -> NodeId {
        self.ids().find(|&id| self.tag(id) == Tag::BODY).unwrap_or(self.root())
    }

    /// All nodes in document order.
    #[allow(clippy::cast_possible_truncation, reason = "the builder stops before 2^32 nodes")]
    pub fn ids(&self) -> impl DoubleEndedIterator<Item = NodeId> + ExactSizeIterator + use<> {
        (0..self.kinds.len() as u32).map(NodeId)
    }

    /// The nodes of a subtree in document order, its root first.
    pub fn subtree(&self, id: NodeId) -> impl DoubleEndedIterator<Item = NodeId> + use<> {
        (id.0..self.spans[id.index()].end).map(NodeId)
    }

    /// The nodes from one to another, both included, in document order.
    pub fn between(&self, first: NodeId, last: NodeId) -> impl DoubleEndedIterator<Item = NodeId> + use<> {
        (first.0..=last.0).map(NodeId)
    }

    /// The tag of a node; [`Tag::TEXT`] for text.
    pub fn tag(&self, id: NodeId) -> Tag {
        self.kinds[id.index()].tag
    }

    /// Whether the node is text.
    pub fn is_text(&self, id: NodeId) -> bool {
        self.tag(id) == Tag::TEXT
    }

    /// The node behind the last node of the subtree; the number of nodes where there is none.
    pub fn end(&self, id: NodeId) -> NodeId {
        NodeId(self.spans[id.index()].end)
    }

    /// The parent; `None` for the root.
    pub fn parent(&self, id: NodeId) -> Option<NodeId> {
        (id.0 > 0).then(|| NodeId(self.spans[id.index()].parent))
    }

    /// Parent, grandparent and so on up to the root.
    pub fn ancestors(&self, id: NodeId) -> impl Iterator<Item = NodeId> {
        std::iter::successors(self.parent(id), |&up| self.parent(up))
    }

    /// Children in document order.
    pub fn children(&self, id: NodeId) -> Children<'_> {
        Children { dom: self, next: id.0 + 1, end: self.spans[id.index()].end }
    }

    /// Whether `inner` is `outer` or below it. Constant time.
    pub fn contains(&self, outer: NodeId, inner: NodeId) -> bool {
        outer <= inner && inner.0 < self.spans[outer.index()].end
    }

    /// The value of an attribute, as written (entities decoded).
    pub fn attr(&self, id: NodeId, attr: Attr) -> Option<&str> {
        self.attrs_of(id).find(|&at| self.attrs[at].0 == attr).map(|at| &self.values[value_range(&self.attrs, at)])
    }

    /// The attributes that are kept, in source order.
    pub fn attrs(&self, id: NodeId) -> impl Iterator<Item = (Attr, &str)> {
        self.attrs_of(id).map(|at| (self.attrs[at].0, &self.values[value_range(&self.attrs, at)]))
    }

    fn attrs_of(&self, id: NodeId) -> Range<usize> {
        let start = self.contents[id.index()].attrs as usize;
        start..start + usize::from(self.kinds[id.index()].attrs)
    }

    /// Whether the node is not shown: hidden itself (code, metadata, `hidden`, `display:none`) or below such a node.
    pub fn is_hidden(&self, id: NodeId) -> bool {
        self.kinds[id.index()].is_hidden
    }

    /// The text of the subtree, with a line feed at each block boundary inside it and white space as written. Visible
    /// text only; for a node that is hidden, its hidden text.
    pub fn text(&self, id: NodeId) -> &str {
        let Content { start, end, .. } = self.contents[id.index()];
        let buffer = if self.is_hidden(id) { &self.hidden_text } else { &self.text };
        &buffer[start as usize..end as usize]
    }

    /// Where [`text`](Self::text) of a visible node stands in [`visible_text`](Self::visible_text); `None` for a hidden
    /// one.
    pub fn text_range(&self, id: NodeId) -> Option<Range<usize>> {
        let Content { start, end, .. } = self.contents[id.index()];
        (!self.is_hidden(id)).then_some(start as usize..end as usize)
    }

    /// All visible text of the page.
    pub fn visible_text(&self) -> &str {
        &self.text
    }

    /// The text of the first `title` in `head`, white space folded; empty where there is none.
    pub fn title(&self) -> String {
        let in_svg = |id| self.ancestors(id).any(|up| self.tag(up) == Tag::SVG);
        let title = self.ids().find(|&id| self.tag(id) == Tag::TITLE && !in_svg(id));
        title.map_or_else(String::new, |id| fold_space(self.text(id)))
    }
}

/// Text with each run of white space as one blank, and none at the ends.
pub(crate) fn fold_space(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for word in text.split_whitespace() {
        if !out.is_empty() {
            out.push(' ');
        }
        out.push_str(word);
    }
    out
}

/// Whether a terminal obeys a character instead of showing it: controls, and marks of direction.
///
/// ```
/// use wisdom::dom::is_obeyed;
/// assert!(is_obeyed('\u{1b}') && is_obeyed('\u{202e}') && !is_obeyed('é'));
/// ```
pub fn is_obeyed(c: char) -> bool {
    c.is_control() || matches!(c, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// Children of a node, in document order.
#[derive(Clone, Debug)]
pub struct Children<'a> {
    dom: &'a Dom,
    next: u32,
    end: u32,
}

impl Iterator for Children<'_> {
    type Item = NodeId;
    fn next(&mut self) -> Option<NodeId> {
        (self.next < self.end).then(|| {
            let id = NodeId(self.next);
            self.next = self.dom.spans[id.index()].end;
            id
        })
    }
}
