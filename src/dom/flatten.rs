//! The tree that parsing grows (nodes move while it grows), and its one-time conversion into the arena.
//!
//! Pages are large and most of a page's memory is here, so nodes are small, lie in columns, and a column is given back as
//! soon as the conversion is through with it.

use super::arena::{Content, Kind, Span, value_range};
use super::shown::hides;
use super::style_rules::HidingRules;
use super::{Attr, Dom, NodeId, Tag};
use std::ops::Range;

/// No node.
pub(super) const NONE: u32 = u32::MAX;
/// In place of a text node's number of attributes: it lies in several pieces.
const SCATTERED: u8 = 1;
/// Bytes of text that are held in one piece and given back together. A power of two.
const CHUNK: usize = 1 << 20;

/// Where a node hangs.
#[derive(Debug)]
struct Links {
    parent: u32,
    first: u32,
    next: u32,
}

/// What only growing needs.
#[derive(Debug)]
struct Back {
    last: u32,
    previous: u32,
    /// See [`RawTree::set_depth`].
    depth: u16,
    /// Whether text behind this text is another node: a comment stands between.
    is_closed: bool,
}

/// What a node holds. An element: the place of its first attribute. A text: its place and length, or the first and last of
/// its pieces.
#[derive(Clone, Copy, Debug, Default)]
struct Held {
    start: u32,
    rest: u32,
}

/// A part of a text that lies in several.
#[derive(Debug)]
struct Piece {
    start: u32,
    len: u32,
    next: u32,
}

/// Linked nodes; node 0 is the document.
#[derive(Debug)]
pub(super) struct RawTree {
    links: Vec<Links>,
    back: Vec<Back>,
    held: Vec<Held>,
    kinds: Vec<Kind>,
    attrs: Vec<(Attr, u32)>,
    values: String,
    /// Bytes of `values` at most. The parser copies the attributes of elements that are left open, however large they are.
    values_max: usize,
    is_overfull: bool,
    /// All text, in pieces of [`CHUNK`] bytes. A place is a piece's number times [`CHUNK`] and the place in it.
    text: Vec<String>,
    text_len: usize,
    pieces: Vec<Piece>,
    /// What the page's own style sheets hide.
    pub(super) rules: HidingRules,
}

impl RawTree {
    /// A tree of the document alone, with room for a page of so many bytes.
    pub(super) fn new(page_len: usize) -> Self {
        let nodes = page_len / 64 + 16;
        let mut tree = Self {
            links: Vec::with_capacity(nodes),
            back: Vec::with_capacity(nodes),
            held: Vec::with_capacity(nodes),
            kinds: Vec::with_capacity(nodes),
            attrs: Vec::with_capacity(nodes / 2),
            values: String::with_capacity(page_len / 8),
            values_max: (2 * page_len + (1 << 20)).min(u32::MAX as usize),
            is_overfull: false,
            text: vec![String::with_capacity(CHUNK.min(page_len / 2 + 64))],
            text_len: 0,
            pieces: Vec::new(),
            rules: HidingRules::default(),
        };
        tree.add(Tag::DOCUMENT);
        tree
    }

    pub(super) fn len(&self) -> usize {
        self.links.len()
    }

    /// Whether attributes are left out, since their values outgrew the page.
    pub(super) fn is_overfull(&self) -> bool {
        self.is_overfull
    }

    pub(super) fn parent(&self, node: u32) -> Option<u32> {
        Some(self.links[node as usize].parent).filter(|&parent| parent != NONE)
    }

    /// The depth that was set last.
    pub(super) fn depth(&self, node: u32) -> u16 {
        self.back[node as usize].depth
    }

    /// Remembers how deep a node was when it was put in its place.
    pub(super) fn set_depth(&mut self, node: u32, depth: u16) {
        self.back[node as usize].depth = depth;
    }

    /// Whether an element's text is code that nothing reads: a style, or a script that is no JSON.
    pub(super) fn is_code(&self, node: u32) -> bool {
        match self.kinds[node as usize].tag {
            Tag::STYLE => true,
            Tag::SCRIPT => !self.attrs_of(node).any(|at| {
                let (attr, value) = (self.attrs[at].0, &self.values.as_bytes()[value_range(&self.attrs, at)]);
                attr == Attr::TYPE && value.windows(4).any(|part| part.eq_ignore_ascii_case(b"json"))
            }),
            _ => false,
        }
    }

    /// Adds a detached node, to which [`attribute`](Self::attribute) may add until another node is added.
    #[allow(clippy::cast_possible_truncation, reason = "a page under 2^30 bytes has fewer than 2^32 nodes: see Guard")]
    pub(super) fn add(&mut self, tag: Tag) -> u32 {
        let node = self.links.len() as u32;
        self.links.push(Links { parent: NONE, first: NONE, next: NONE });
        self.back.push(Back { last: NONE, previous: NONE, depth: 0, is_closed: false });
        self.held.push(Held { start: self.attrs.len() as u32, rest: 0 });
        self.kinds.push(Kind { tag, attrs: 0, is_hidden: false });
        node
    }

    /// Whether a node has the attribute.
    pub(super) fn has(&self, node: u32, attr: Attr) -> bool {
        self.attrs[self.attrs_of(node)].iter().any(|(known, _)| *known == attr)
    }

    fn attrs_of(&self, node: u32) -> Range<usize> {
        let start = self.held[node as usize].start as usize;
        start..start + usize::from(self.kinds[node as usize].attrs)
    }

    /// Gives an element another attribute.
    #[allow(clippy::cast_possible_truncation, reason = "checked")]
    pub(super) fn attribute(&mut self, node: u32, attr: Attr, value: &str) {
        let own = self.attrs_of(node);
        if self.values.len() + value.len() > self.values_max || own.len() >= usize::from(u8::MAX) {
            self.is_overfull = true;
            return;
        }
        if own.end != self.attrs.len() {
            // Those of other nodes stand behind: a second `body` or `html` tag adds to the first.
            self.held[node as usize].start = self.attrs.len() as u32;
            for at in own {
                let copied = value_range(&self.attrs, at);
                self.values.extend_from_within(copied);
                self.attrs.push((self.attrs[at].0, self.values.len() as u32));
            }
        }
        self.values.push_str(value);
        self.attrs.push((attr, self.values.len() as u32));
        self.kinds[node as usize].attrs += 1;
    }

    fn is_text(&self, node: u32) -> bool {
        node != NONE && self.kinds[node as usize].tag == Tag::TEXT
    }

    fn previous_of_place(&self, parent: u32, before: u32) -> u32 {
        if before == NONE { self.back[parent as usize].last } else { self.back[before as usize].previous }
    }

    /// Puts a detached node before `before`, or last where that is [`NONE`].
    pub(super) fn insert(&mut self, parent: u32, before: u32, node: u32) {
        let previous = self.previous_of_place(parent, before);
        let new = &mut self.links[node as usize];
        (new.parent, new.next) = (parent, before);
        self.back[node as usize].previous = previous;
        if previous == NONE {
            self.links[parent as usize].first = node;
        } else {
            self.links[previous as usize].next = node;
        }
        if before == NONE {
            self.back[parent as usize].last = node;
        } else {
            self.back[before as usize].previous = node;
        }
    }

    /// Marks a comment: text before and behind it are two nodes.
    pub(super) fn insert_comment(&mut self, parent: u32, before: u32) {
        let previous = self.previous_of_place(parent, before);
        if self.is_text(previous) {
            self.back[previous as usize].is_closed = true;
        }
    }

    /// Adds text before `before` or last, to the text node that stands there or to a new one.
    pub(super) fn insert_text(&mut self, parent: u32, before: u32, text: &str) {
        let mut rest = text;
        while rest.len() > CHUNK {
            let (part, behind) = rest.split_at(rest.floor_char_boundary(CHUNK));
            self.insert_part(parent, before, part);
            rest = behind;
        }
        self.insert_part(parent, before, rest);
    }

    #[allow(clippy::cast_possible_truncation, reason = "a page under 2^30 bytes has less text than 2^32 bytes")]
    fn insert_part(&mut self, parent: u32, before: u32, text: &str) {
        let start = self.store(text);
        let len = text.len() as u32;
        // A part never reaches from one chunk into the next.
        let goes_on = |end: u32| end == start && !start.is_multiple_of(CHUNK as u32);
        let previous = self.previous_of_place(parent, before);
        if !self.is_text(previous) || self.back[previous as usize].is_closed {
            let node = self.add(Tag::TEXT);
            self.held[node as usize] = Held { start, rest: len };
            self.insert(parent, before, node);
            return;
        }
        let held = self.held[previous as usize];
        if self.kinds[previous as usize].attrs == SCATTERED {
            let last = &mut self.pieces[held.rest as usize];
            if goes_on(last.start + last.len) {
                last.len += len;
                return;
            }
            let next = self.pieces.len() as u32;
            self.pieces[held.rest as usize].next = next;
            self.held[previous as usize].rest = next;
        } else if goes_on(held.start + held.rest) {
            self.held[previous as usize].rest += len;
            return;
        } else {
            let first = self.pieces.len() as u32;
            self.pieces.push(Piece { start: held.start, len: held.rest, next: first + 1 });
            self.held[previous as usize] = Held { start: first, rest: first + 1 };
            self.kinds[previous as usize].attrs = SCATTERED;
        }
        self.pieces.push(Piece { start, len, next: NONE });
    }

    /// Keeps text of a chunk at most, and returns its place.
    #[allow(clippy::cast_possible_truncation, reason = "as in insert_part")]
    fn store(&mut self, text: &str) -> u32 {
        self.text_len += text.len();
        if self.text.last().is_none_or(|last| last.len() + text.len() > CHUNK) {
            self.text.push(String::with_capacity(CHUNK));
        }
        let chunk = self.text.len() - 1;
        let start = chunk * CHUNK + self.text[chunk].len();
        self.text[chunk].push_str(text);
        start as u32
    }

    pub(super) fn detach(&mut self, node: u32) {
        let Links { parent, next, .. } = self.links[node as usize];
        let previous = self.back[node as usize].previous;
        if parent == NONE {
            return;
        }
        if previous == NONE {
            self.links[parent as usize].first = next;
        } else {
            self.links[previous as usize].next = next;
        }
        if next == NONE {
            self.back[parent as usize].last = previous;
        } else {
            self.back[next as usize].previous = previous;
        }
        let own = &mut self.links[node as usize];
        (own.parent, own.next) = (NONE, NONE);
        self.back[node as usize].previous = NONE;
    }

    /// Moves all children behind those of another node; returns how many.
    pub(super) fn move_children(&mut self, from: u32, to: u32) -> usize {
        let mut moved = 0;
        while self.links[from as usize].first != NONE {
            let child = self.links[from as usize].first;
            self.detach(child);
            self.insert(to, NONE, child);
            moved += 1;
        }
        moved
    }
}

/// Copies the tree into an arena in document order, visible text apart from hidden text.
pub(super) fn flatten(tree: RawTree) -> Dom {
    let RawTree { links, back, held: all_held, kinds, mut attrs, mut values, text, text_len, pieces, rules, .. } = tree;
    drop(back);
    let (order, spans) = walk(links);
    attrs.shrink_to_fit();
    values.shrink_to_fit();
    let mut source = Source { left: text.iter().map(String::len).collect(), text, pieces };
    let mut out = Flat {
        dom: Dom {
            spans,
            contents: Vec::with_capacity(order.len()),
            kinds: Vec::with_capacity(order.len()),
            attrs,
            values,
            text: String::with_capacity(text_len),
            hidden_text: String::new(),
            truncated: false,
        },
        open: 0,
        edges: [0; 2],
        revealed: None,
        rules,
        is_decoration: false,
    };
    for (at, &node) in (0_u32..).zip(&order) {
        out.leave_before(at);
        let (kind, held) = (kinds[node as usize], all_held[node as usize]);
        if kind.tag == Tag::TEXT {
            let is_scattered = kind.attrs == SCATTERED;
            let buffer = out.enter(at, Kind { attrs: 0, ..kind }, 0);
            source.read(held, is_scattered, buffer);
        } else {
            out.is_decoration = is_decoration(&out.dom, &order, at, &kinds, &all_held, &source);
            out.enter(at, kind, held.start);
        }
    }
    out.leave_before(NONE);
    let Flat { mut dom, rules, .. } = out;
    if let Some(id) = shown_by_script(&dom) {
        dom = reveal(dom, id, rules);
    }
    dom.text.shrink_to_fit();
    dom
}

/// How many times the visible text an element must hold to count as what scripts show.
const SHOWN_BY_SCRIPT: usize = 4;
/// Bytes of text that such an element holds at least.
const LEAST_SHOWN: usize = 200;

/// The hidden element that holds nearly all text of the page: the `noscript` of a page that is built by scripts, or the
/// body of one that scripts unveil. `None` for other pages.
fn shown_by_script(dom: &Dom) -> Option<NodeId> {
    let visible = dom.text.trim().len();
    let least = (visible * SHOWN_BY_SCRIPT).max(LEAST_SHOWN);
    if dom.hidden_text.len() < least {
        return None;
    }
    let is_veiled = |id: &NodeId| {
        let tag = dom.tag(*id);
        let is_code = tag.is_never_shown() && tag != Tag::NOSCRIPT;
        let outermost = dom.parent(*id).is_some_and(|up| !dom.is_hidden(up));
        tag != Tag::TEXT && outermost && dom.is_hidden(*id) && !is_code
    };
    let text = |id: NodeId| dom.text(id).split_whitespace().map(str::len).sum::<usize>();
    dom.ids()
        .filter(is_veiled)
        .filter(|&id| dom.text(id).len() >= least)
        .map(|id| (text(id), id))
        .filter(|(len, _)| *len >= least)
        .max_by_key(|(len, id)| (*len, std::cmp::Reverse(*id)))
        .map(|(_, id)| id)
}

/// The same tree with an element shown that was hidden.
fn reveal(old: Dom, id: NodeId, rules: HidingRules) -> Dom {
    let Dom { spans, contents, kinds, attrs, values, text, hidden_text, truncated } = old;
    let mut out = Flat {
        dom: Dom {
            spans,
            contents: Vec::with_capacity(contents.len()),
            kinds: Vec::with_capacity(kinds.len()),
            attrs,
            values,
            text: String::new(),
            hidden_text: String::new(),
            truncated,
        },
        open: 0,
        edges: [0; 2],
        revealed: Some(id),
        rules,
        is_decoration: false,
    };
    for (at, (kind, content)) in (0_u32..).zip(kinds.into_iter().zip(contents)) {
        out.leave_before(at);
        out.is_decoration = kind.is_hidden && says_decoration(&out.dom.attrs, &out.dom.values, content.attrs, kind);
        let buffer = out.enter(at, kind, content.attrs);
        if kind.tag == Tag::TEXT {
            let from = if kind.is_hidden { &hidden_text } else { &text };
            buffer.push_str(&from[content.start as usize..content.end as usize]);
        }
    }
    out.leave_before(NONE);
    out.dom
}

/// The nodes in document order, and parents and ends in that order.
#[allow(clippy::cast_possible_truncation, reason = "as many as the tree's nodes")]
fn walk(links: Vec<Links>) -> (Vec<u32>, Vec<Span>) {
    let mut order = Vec::with_capacity(links.len());
    let mut spans: Vec<Span> = Vec::with_capacity(links.len());
    let (mut node, mut parent) = (0_u32, 0_u32);
    'nodes: loop {
        let at = order.len() as u32;
        order.push(node);
        spans.push(Span { parent, end: at + 1 });
        let Links { first, mut next, .. } = links[node as usize];
        if first != NONE {
            (node, parent) = (first, at);
            continue;
        }
        while next == NONE || node == 0 {
            node = links[node as usize].parent;
            if node == NONE {
                break 'nodes;
            }
            spans[parent as usize].end = order.len() as u32;
            parent = spans[parent as usize].parent;
            next = links[node as usize].next;
        }
        node = next;
    }
    // As large as both together: given back before more is made.
    drop(links);
    (order, spans)
}

/// The text of a tree, given back chunk by chunk.
struct Source {
    text: Vec<String>,
    pieces: Vec<Piece>,
    /// Bytes of each chunk that were not read yet.
    left: Vec<usize>,
}

impl Source {
    /// Moves the text of a node.
    fn read(&mut self, held: Held, is_scattered: bool, to: &mut String) {
        if !is_scattered {
            return self.read_part(held.start, held.rest, to);
        }
        let mut next = held.start;
        while next != NONE {
            let Piece { start, len, next: behind } = self.pieces[next as usize];
            self.read_part(start, len, to);
            next = behind;
        }
    }

    /// The text of a node that was not read yet, if it lies in one piece.
    fn peek(&self, held: Held, kind: Kind) -> Option<&str> {
        let (chunk, start) = (held.start as usize / CHUNK, held.start as usize % CHUNK);
        (kind.attrs != SCATTERED).then(|| &self.text[chunk][start..start + held.rest as usize])
    }

    fn read_part(&mut self, start: u32, len: u32, to: &mut String) {
        let (chunk, start, len) = (start as usize / CHUNK, start as usize % CHUNK, len as usize);
        to.push_str(&self.text[chunk][start..start + len]);
        self.left[chunk] -= len;
        if self.left[chunk] == 0 {
            self.text[chunk] = String::new();
        }
    }
}

struct Flat {
    dom: Dom,
    /// The innermost node that was entered and not left.
    open: u32,
    /// Ends of the two buffers when a block boundary was last marked in them.
    edges: [usize; 2],
    /// The element that is shown though it says that it is not.
    revealed: Option<NodeId>,
    rules: HidingRules,
    /// The node to be entered is a decoration that is no text.
    is_decoration: bool,
}

/// Nodes in a decoration, and characters of it, at most.
const MAX_DECORATION: usize = 8;

/// Whether an inline element says that it is nothing to be read out, and holds signs alone: arrows, bars, crosses. Larger
/// parts say so as well while a dialog lies over them, and letters may be shown only there.
fn is_decoration(dom: &Dom, order: &[u32], at: u32, kinds: &[Kind], held: &[Held], source: &Source) -> bool {
    let own = order[at as usize] as usize;
    if !says_decoration(&dom.attrs, &dom.values, held[own].start, kinds[own]) {
        return false;
    }
    let inner = &order[at as usize + 1..dom.spans[at as usize].end as usize];
    let mut signs = 0;
    let is_signs = |&node: &u32| {
        let (kind, held) = (kinds[node as usize], held[node as usize]);
        let text = if kind.tag == Tag::TEXT { source.peek(held, kind) } else { Some("") };
        signs += text.map_or(0, |text| text.trim().len());
        kind.tag != Tag::IMG && text.is_some_and(|text| !text.chars().any(char::is_alphanumeric))
    };
    inner.len() <= MAX_DECORATION && inner.iter().all(is_signs) && (1..=4 * MAX_DECORATION).contains(&signs)
}

fn says_decoration(attrs: &[(Attr, u32)], values: &str, first: u32, kind: Kind) -> bool {
    let first = first as usize;
    matches!(kind.tag, Tag::SPAN | Tag::I | Tag::B | Tag::EM | Tag::A | Tag::SUP | Tag::SMALL | Tag::STRONG | Tag::FONT)
        && (first..first + usize::from(kind.attrs))
            .any(|at| attrs[at].0 == Attr::ARIA_HIDDEN && values[value_range(attrs, at)].eq_ignore_ascii_case("true"))
}

impl Flat {
    /// Begins a node; returns the buffer for its text.
    #[allow(clippy::cast_possible_truncation, reason = "a page under 2^30 bytes stays under 2^32 in every count")]
    fn enter(&mut self, at: u32, kind: Kind, attrs: u32) -> &mut String {
        let is_decoration = std::mem::take(&mut self.is_decoration);
        let dom = &mut self.dom;
        let parent = dom.spans[at as usize].parent;
        let is_inherited = at > 0 && dom.kinds[parent as usize].is_hidden;
        dom.kinds.push(kind);
        dom.contents.push(Content { start: 0, end: 0, attrs });
        let is_hidden = is_inherited
            || (self.revealed != Some(NodeId(at))
                && (is_decoration || hides(dom, NodeId(at)) || self.rules.hide(dom, NodeId(at))));
        let breaks = dom.breaks_text(NodeId(at));
        let buffer = if is_hidden { &mut dom.hidden_text } else { &mut dom.text };
        if breaks || (is_hidden && !is_inherited) {
            break_line(buffer, &mut self.edges[usize::from(is_hidden)]);
        }
        dom.kinds[at as usize].is_hidden = is_hidden;
        dom.contents[at as usize].start = buffer.len() as u32;
        self.open = at;
        buffer
    }

    /// Ends all nodes that the node at `next` is not in.
    #[allow(clippy::cast_possible_truncation, reason = "as in enter")]
    fn leave_before(&mut self, next: u32) {
        let dom = &mut self.dom;
        while let Some(kind) = dom.kinds.get(self.open as usize) {
            let Span { parent, end } = dom.spans[self.open as usize];
            if end > next {
                return;
            }
            let is_hidden = kind.is_hidden;
            let breaks = dom.breaks_text(NodeId(self.open));
            let buffer = if is_hidden { &mut dom.hidden_text } else { &mut dom.text };
            dom.contents[self.open as usize].end = buffer.len() as u32;
            if breaks {
                break_line(buffer, &mut self.edges[usize::from(is_hidden)]);
            }
            if self.open == 0 {
                return;
            }
            self.open = parent;
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
