//! Lays a selection out as a [`Flow`]: one walk over the selection's root.

use super::flow::{Block, Flow, Kind, Mark, MarkId, NO_MARKS, Piece, PieceKind};
use super::{Selection, links};
use crate::dom::{Attr, Dom, NodeId, NodeMap, Tag};
use rustc_hash::FxHashMap;
use url::Url;

/// Lists, quotes and tables inside one another, at most; deeper ones are dissolved. Each level costs the writers a
/// prefix on every line.
const MAX_NESTING: usize = 32;
/// Blocks that one link or other element with attributes may mark; an element around more was never closed.
const MAX_MARKED_BLOCKS: u32 = 64;

/// Something kept lies in the node.
const CONTENT: u8 = 1;
/// A table part with a row of two or more cells that hold something.
const TABULAR: u8 = 2;
/// A row with one such cell or more.
const HAS_CELL: u8 = 4;

impl Flow {
    /// Lays out a selection, with inline elements only where `marked`. Addresses count as the writers will give them.
    pub(super) fn build(dom: &Dom, selection: &Selection, base: Option<&Url>, marked: bool) -> Self {
        let mut walk = Walk {
            dom,
            base,
            marked,
            flags: flags(dom, selection, base),
            flow: Flow {
                blocks: vec![Block { kind: Kind::Root, node: None, lang: None, end: 0, pieces: 0..0, first: None }],
                pieces: Vec::new(),
                text: String::new(),
                chains: vec![(NO_MARKS, Mark { tag: Tag::SPAN, node: None }, 0)],
            },
            interned: FxHashMap::default(),
            elements: Vec::new(),
            containers: vec![Container { block: 0, implicit: false, last_child: None }],
            marks: Vec::new(),
            chain: NO_MARKS,
            langs: Vec::new(),
            heading: None,
            pre: 0,
            leaf: None,
            blank: None,
            breaks: 0,
            last: None,
            rule: false,
        };
        walk.run(selection);
        walk.flow
    }
}

/// What lies in each node: one sweep from the last node to the first.
fn flags(dom: &Dom, selection: &Selection, base: Option<&Url>) -> NodeMap<u8> {
    let mut flags = NodeMap::filled(dom, 0_u8);
    let mut kept = selection.nodes().iter().copied().peekable();
    let mut pre_end = dom.root();
    for id in dom.ids() {
        let tag = dom.tag(id);
        if tag.is_preformatted() && id >= pre_end {
            pre_end = dom.end(id);
        }
        let has = kept.next_if_eq(&id).is_some()
            && match tag {
                Tag::TEXT => dom.text(id).chars().any(|c| Class::of(c) == Class::Shown),
                // Markdown has no images in preformatted text, so nothing has.
                Tag::IMG => id >= pre_end && links::image(dom, id, base).is_some(),
                _ => false,
            };
        if has {
            flags[id] |= CONTENT;
        }
    }
    for id in dom.ids().rev() {
        let (Some(parent), own, tag) = (dom.parent(id), flags[id], dom.tag(id)) else { continue };
        flags[parent] |= own & CONTENT;
        match tag {
            Tag::TD | Tag::TH if own & CONTENT != 0 => {
                flags[parent] |= if flags[parent] & HAS_CELL == 0 { HAS_CELL } else { TABULAR };
            }
            Tag::TR | Tag::TBODY | Tag::THEAD | Tag::TFOOT => flags[parent] |= own & TABULAR,
            _ => {}
        }
    }
    flags
}

/// How a character is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Class {
    /// As it is.
    Shown,
    /// An end of a line of the source.
    LineEnd,
    /// A blank that the source may hold only to set apart what it is written of.
    Soft,
    /// A blank that the author meant.
    Hard,
    /// Not at all.
    Dropped,
}

impl Class {
    pub(super) fn of(c: char) -> Self {
        match c {
            ' ' | '\t' => Self::Soft,
            '\n'..='\r' | '\u{85}' | '\u{2028}' | '\u{2029}' => Self::LineEnd,
            '\u{ad}' | '\u{200b}' | '\u{2060}' | '\u{feff}' => Self::Dropped,
            _ if c.is_whitespace() => Self::Hard,
            _ if c.is_control() => Self::Dropped,
            _ => Self::Shown,
        }
    }
}

/// Whether the script of a character is written without blanks: Han, kana, bopomofo and their wide punctuation. Hangul is
/// written with blanks.
fn is_cjk(c: char) -> bool {
    matches!(u32::from(c),
        0x2E80..=0x2FDF | 0x3001..=0x30FF | 0x3100..=0x312F | 0x31A0..=0x31BF | 0x31F0..=0x31FF | 0x3400..=0x4DBF
        | 0x4E00..=0x9FFF | 0xF900..=0xFAFF | 0xFE30..=0xFE4F | 0xFF01..=0xFF9F | 0x20000..=0x3FFFF)
}

/// Whether no blank stands between two characters, because one of their scripts has none there: two wide ones, or a wide one
/// and a mark that both kinds of script write (quotes, dashes, ellipsis).
fn is_unspaced(last: char, next: char) -> bool {
    let is_shared = |c: char| matches!(c, '“' | '”' | '‘' | '’' | '—' | '…');
    match (is_cjk(last), is_cjk(next)) {
        (true, true) => true,
        (true, false) => is_shared(next),
        (false, true) => is_shared(last),
        (false, false) => false,
    }
}

/// Whether a character is a letter or digit of such a script, and no mark, which brings its own white with it.
fn is_cjk_letter(c: char) -> bool {
    is_cjk(c) && c.is_alphanumeric()
}

/// An open element and what closing it undoes.
struct Element {
    id: NodeId,
    container: bool,
    pre: bool,
    inline: Inline,
    /// Languages open outside.
    outer_langs: usize,
    /// The heading level outside.
    outer_heading: Option<u8>,
}

/// What an open element is within its line.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Inline {
    Nothing,
    /// One of the marks.
    Mark,
    /// A `q`, whose closing mark is owed.
    Quote,
}

/// An open container.
struct Container {
    block: usize,
    /// Opened because its parent cannot hold what came, not by an element.
    implicit: bool,
    last_child: Option<usize>,
}

struct Walk<'a> {
    dom: &'a Dom,
    base: Option<&'a Url>,
    marked: bool,
    flags: NodeMap<u8>,
    flow: Flow,
    interned: FxHashMap<(MarkId, Mark), MarkId>,
    elements: Vec<Element>,
    containers: Vec<Container>,
    /// Open inline elements and the blocks they marked; the kinds are distinct.
    marks: Vec<(NodeId, Mark, u32)>,
    /// Chain of `marks`.
    chain: MarkId,
    langs: Vec<NodeId>,
    heading: Option<u8>,
    pre: u32,
    /// The open leaf.
    leaf: Option<usize>,
    /// White space since the last piece.
    blank: Option<Class>,
    /// Line ends since the last piece.
    breaks: u32,
    /// Last character of the line; U+FFFC for an image.
    last: Option<char>,
    /// A rule waits for the block behind it.
    rule: bool,
}

impl Walk<'_> {
    fn run(&mut self, selection: &Selection) {
        let dom = self.dom;
        let root = selection.root();
        let mut kept = selection.nodes().iter().copied().peekable();
        let mut skip_to = root;
        for id in dom.subtree(root) {
            while self.elements.last().is_some_and(|open| id >= dom.end(open.id)) {
                self.close();
            }
            while kept.next_if(|&before| before < id).is_some() {}
            let is_kept = kept.next_if_eq(&id).is_some();
            if id < skip_to {
                continue;
            }
            if dom.is_hidden(id) {
                skip_to = dom.end(id);
                continue;
            }
            match dom.tag(id) {
                Tag::TEXT if is_kept && self.pre > 0 => self.add_preformatted(id),
                Tag::TEXT if is_kept => self.add_text(id),
                Tag::TEXT => {}
                Tag::IMG if is_kept && self.flags[id] & CONTENT != 0 => self.add_image(id),
                Tag::BR => self.add_break(),
                Tag::HR => {
                    self.boundary();
                    self.rule |= is_kept;
                }
                _ => self.open(id),
            }
        }
        while !self.elements.is_empty() {
            self.close();
        }
        self.boundary();
        while !self.containers.is_empty() {
            self.pop_container();
        }
    }

    fn open(&mut self, id: NodeId) {
        let dom = self.dom;
        let tag = dom.tag(id);
        if dom.breaks_text(id) {
            self.boundary();
        }
        let mut element = Element {
            id,
            container: false,
            pre: false,
            inline: Inline::Nothing,
            outer_langs: self.langs.len(),
            outer_heading: self.heading,
        };
        let has_content = self.flags[id] & CONTENT != 0;
        if has_content && dom.attr(id, Attr::LANG).is_some_and(is_language) {
            self.langs.push(id);
        }
        if (has_content || matches!(tag, Tag::TD | Tag::TH)) && self.pre == 0 && tag.breaks_text() {
            element.container = self.open_container(id, tag);
        }
        if has_content && tag.breaks_text() {
            if tag.is_preformatted() {
                element.pre = true;
                if self.pre == 0 {
                    self.start_leaf(Kind::Pre, Some(id));
                }
                self.pre += 1;
            }
            self.heading = heading_level(tag).or(self.heading);
        } else if has_content && tag == Tag::Q && self.pre == 0 {
            let mark = self.quote_mark(true);
            self.before_piece(mark);
            self.push_char(mark, self.chain);
            self.last = Some(mark);
            element.inline = Inline::Quote;
        } else if has_content {
            element.inline = if self.open_mark(id, tag) { Inline::Mark } else { Inline::Nothing };
        }
        self.elements.push(element);
    }

    fn close(&mut self) {
        let Some(element) = self.elements.pop() else { return };
        // The end of preformatted text is no line of it.
        if self.dom.breaks_text(element.id) && !(element.pre && self.pre == 1) {
            self.boundary();
        }
        if element.pre {
            self.pre -= 1;
            if self.pre == 0 {
                self.end_leaf();
            }
        }
        if element.container {
            while self.containers.last().is_some_and(|container| container.implicit) {
                self.pop_container();
            }
            self.pop_container();
        }
        if element.inline == Inline::Mark {
            self.marks.retain(|(id, ..)| *id != element.id);
            self.set_chain();
        }
        if element.inline == Inline::Quote && self.leaf.is_some() {
            let mark = self.quote_mark(false);
            self.push_char(mark, self.chain);
            // The mark stands before line ends that wait, and what comes next stands behind them.
            self.last = Some(mark).filter(|_| self.breaks == 0);
        }
        self.langs.truncate(element.outer_langs);
        self.heading = element.outer_heading;
    }

    /// What a browser draws around a `q` that opens or was just closed: double marks, within an odd number of others single
    /// ones. Marks are part of what is read, and plain text has no other way to say them.
    fn quote_mark(&self, opens: bool) -> char {
        let around = self.elements.iter().filter(|element| element.inline == Inline::Quote).count();
        match (around % 2, opens) {
            (0, true) => '“',
            (0, false) => '”',
            (_, true) => '‘',
            (_, false) => '’',
        }
    }

    /// Opens the container of an element, if it makes one here.
    fn open_container(&mut self, id: NodeId, tag: Tag) -> bool {
        let within = self.within();
        let kind = match tag {
            Tag::LI if matches!(within, Kind::List { .. }) => Kind::Item,
            Tag::DT if within == Kind::Definitions => Kind::Term,
            Tag::DD if within == Kind::Definitions => Kind::Definition,
            Tag::CAPTION if within == Kind::Table => Kind::Caption,
            Tag::TR if within == Kind::Table => {
                Kind::Row { head: self.dom.parent(id).is_some_and(|up| self.dom.tag(up) == Tag::THEAD) }
            }
            Tag::TD | Tag::TH if matches!(within, Kind::Row { .. }) => Kind::Cell { head: tag == Tag::TH },
            Tag::FIGCAPTION if within == Kind::Figure => Kind::Legend,
            _ if self.containers.len() > MAX_NESTING => return false,
            Tag::BLOCKQUOTE => Kind::Quote,
            Tag::OL => Kind::List { ordered: true },
            Tag::UL | Tag::MENU | Tag::DIR => Kind::List { ordered: false },
            Tag::DL => Kind::Definitions,
            Tag::FIGURE => Kind::Figure,
            Tag::TABLE if self.flags[id] & TABULAR != 0 => Kind::Table,
            _ => return false,
        };
        if matches!(
            kind,
            Kind::Item | Kind::Term | Kind::Definition | Kind::Caption | Kind::Row { .. } | Kind::Cell { .. }
        ) {
            while self.containers.last().is_some_and(|container| container.implicit) {
                self.pop_container();
            }
        } else {
            self.fit(kind);
        }
        self.push_container(kind, Some(id), false);
        true
    }

    /// The kind of the innermost container that an element opened.
    fn within(&self) -> Kind {
        let open = self.containers.iter().rev().find(|container| !container.implicit);
        open.map_or(Kind::Root, |container| self.flow.blocks[container.block].kind)
    }

    /// Opens what is missing between the innermost container and a block of running content.
    fn fit(&mut self, kind: Kind) {
        let Some(top) = self.containers.last() else { return };
        match self.flow.blocks[top.block].kind {
            Kind::List { .. } => match top.last_child {
                // A list that stands directly in a list belongs to the item before it.
                Some(item) if matches!(kind, Kind::List { .. }) => {
                    self.containers.push(Container { block: item, implicit: true, last_child: Some(item) });
                }
                _ => self.push_container(Kind::Item, None, true),
            },
            Kind::Definitions => self.push_container(Kind::Definition, None, true),
            Kind::Table => {
                self.push_container(Kind::Row { head: false }, None, true);
                self.push_container(Kind::Cell { head: false }, None, true);
            }
            Kind::Row { .. } => self.push_container(Kind::Cell { head: false }, None, true),
            _ => self.put_rule(),
        }
    }

    fn push_container(&mut self, kind: Kind, node: Option<NodeId>, implicit: bool) {
        let block = self.push_block(kind, node);
        self.containers.push(Container { block, implicit, last_child: None });
    }

    fn pop_container(&mut self) {
        if let Some(container) = self.containers.pop() {
            self.flow.blocks[container.block].end = self.flow.blocks.len();
        }
    }

    fn push_block(&mut self, kind: Kind, node: Option<NodeId>) -> usize {
        let (block, piece) = (self.flow.blocks.len(), self.flow.pieces.len());
        let lang = self.langs.last().copied();
        self.flow.blocks.push(Block { kind, node, lang, end: block + 1, pieces: piece..piece, first: None });
        if let Some(parent) = self.containers.last_mut() {
            parent.last_child = Some(block);
        }
        block
    }

    /// Writes the rule that waits, unless nothing stands before it in its container.
    fn put_rule(&mut self) {
        let follows = self.containers.last().is_some_and(|container| container.last_child.is_some());
        if std::mem::take(&mut self.rule) && follows {
            self.push_block(Kind::Rule, None);
        }
    }

    fn start_leaf(&mut self, kind: Kind, node: Option<NodeId>) {
        self.fit(kind);
        self.rule = false;
        self.leaf = Some(self.push_block(kind, node));
        (self.blank, self.breaks, self.last) = (None, 0, None);
        let mut dropped = false;
        for (_, mark, blocks) in &mut self.marks {
            *blocks += 1;
            dropped |= mark.node.is_some() && *blocks > MAX_MARKED_BLOCKS;
        }
        if dropped {
            self.marks.retain(|(_, mark, blocks)| mark.node.is_none() || *blocks <= MAX_MARKED_BLOCKS);
            self.set_chain();
        }
    }

    /// A block begins or ends here.
    fn boundary(&mut self) {
        if self.pre > 0 {
            self.preformatted_line_end(false);
        } else {
            self.end_leaf();
        }
    }

    fn end_leaf(&mut self) {
        if let Some(leaf) = self.leaf.take() {
            self.flow.blocks[leaf].pieces.end = self.flow.pieces.len();
        }
    }

    fn open_mark(&mut self, id: NodeId, tag: Tag) -> bool {
        if !self.marked {
            return false;
        }
        let tag = match tag {
            Tag::STRIKE => Tag::S,
            Tag::TT => Tag::CODE,
            Tag::ACRONYM => Tag::ABBR,
            other => other,
        };
        // Neighbours that only look different are one; others are told apart, as two code spans are.
        let is_look = matches!(tag, Tag::B | Tag::EM | Tag::I | Tag::S | Tag::SMALL | Tag::STRONG | Tag::U);
        let is_mark = is_look
            || matches!(tag, Tag::A | Tag::ABBR | Tag::CITE | Tag::CODE | Tag::DEL | Tag::DFN | Tag::INS | Tag::KBD)
            || matches!(tag, Tag::MARK | Tag::SAMP | Tag::SUB | Tag::SUP | Tag::TIME)
            || tag == Tag::VAR;
        // A kind stands in a chain once, which bounds chains and keeps links out of links.
        if !is_mark || self.marks.iter().any(|(_, mark, _)| mark.tag == tag) {
            return false;
        }
        if tag == Tag::A && links::link(self.dom, id, self.base).is_none() {
            return false;
        }
        self.marks.push((id, Mark { tag, node: (!is_look).then_some(id) }, 0));
        self.set_chain();
        true
    }

    fn set_chain(&mut self) {
        let mut chain = NO_MARKS;
        for &(_, mark, _) in &self.marks {
            let next = self.flow.chains.len();
            let length = self.flow.chains[chain].2 + 1;
            let outer = chain;
            chain = *self.interned.entry((outer, mark)).or_insert(next);
            if chain == next {
                self.flow.chains.push((outer, mark, length));
            }
        }
        self.chain = chain;
    }

    fn add_text(&mut self, id: NodeId) {
        for c in self.dom.text(id).chars() {
            match Class::of(c) {
                Class::Dropped => {}
                blank @ (Class::LineEnd | Class::Soft | Class::Hard) => {
                    // Of a run, what the author meant counts first, then that it ends a line.
                    let weight = |class: Class| (class == Class::Hard, class == Class::LineEnd);
                    if self.blank.is_none_or(|so_far| weight(blank) > weight(so_far)) {
                        self.blank = Some(blank);
                    }
                }
                Class::Shown => {
                    self.before_piece(c);
                    self.push_char(c, self.chain);
                    self.last = Some(c);
                    if let Some(leaf) = self.leaf {
                        self.flow.blocks[leaf].first.get_or_insert(id);
                    }
                }
            }
        }
    }

    fn add_image(&mut self, id: NodeId) {
        self.before_piece('\u{fffc}');
        self.flow.pieces.push(Piece { kind: PieceKind::Image(id), marks: self.chain });
        self.last = Some('\u{fffc}');
    }

    fn add_break(&mut self) {
        if self.pre > 0 {
            self.preformatted_line_end(true);
        } else if self.leaf.is_some() {
            self.breaks += 1;
            self.last = None;
        }
    }

    /// Writes the line end or blank that the next piece needs before it, and opens a leaf where none is open.
    fn before_piece(&mut self, next: char) {
        // Two line ends are how authors without paragraphs part them.
        if self.breaks > 1 && self.heading.is_none() {
            self.end_leaf();
        }
        if self.leaf.is_none() {
            self.start_leaf(self.heading.map_or(Kind::Para, Kind::Heading), None);
        }
        let outer = self.flow.pieces.last().map_or(NO_MARKS, |piece| piece.marks);
        let between = self.flow.common(outer, self.chain);
        if std::mem::take(&mut self.breaks) > 0 {
            self.flow.pieces.push(Piece { kind: PieceKind::Break, marks: between });
        }
        if let (Some(blank), Some(last)) = (self.blank.take(), self.last) {
            match (is_unspaced(last, next), blank) {
                (true, Class::LineEnd) => {}
                (true, Class::Soft) if !(is_cjk_letter(last) && is_cjk_letter(next)) => {}
                (true, Class::Hard) => self.push_char('\u{a0}', between),
                _ => self.push_char(' ', between),
            }
        }
    }

    fn push_char(&mut self, c: char, marks: MarkId) {
        let start = self.flow.text.len();
        self.flow.text.push(c);
        let end = self.flow.text.len();
        let first = self.leaf.map_or(0, |leaf| self.flow.blocks[leaf].pieces.start);
        if self.flow.pieces.len() > first
            && let Some(Piece { kind: PieceKind::Text(range), marks: known }) = self.flow.pieces.last_mut()
            && *known == marks
            && range.end == start
        {
            range.end = end;
        } else {
            self.flow.pieces.push(Piece { kind: PieceKind::Text(start..end), marks });
        }
    }

    fn add_preformatted(&mut self, id: NodeId) {
        for c in self.dom.text(id).chars() {
            match c {
                '\n' | '\u{b}' | '\u{c}' | '\u{85}' | '\u{2028}' | '\u{2029}' => self.preformatted_line_end(true),
                '\t' | '\u{3000}' => self.push_char(c, self.chain),
                '\r' => {}
                _ => match Class::of(c) {
                    Class::Dropped => {}
                    Class::Shown => self.push_char(c, self.chain),
                    Class::LineEnd | Class::Soft | Class::Hard => self.push_char(' ', self.chain),
                },
            }
        }
    }

    /// Ends a line of preformatted text; unless `always`, only where one has begun.
    fn preformatted_line_end(&mut self, always: bool) {
        let Some(leaf) = self.leaf else { return };
        let has_text = self.flow.pieces.len() > self.flow.blocks[leaf].pieces.start;
        if always || (has_text && !self.flow.text.ends_with('\n')) {
            self.push_char('\n', self.chain);
        }
    }
}

fn heading_level(tag: Tag) -> Option<u8> {
    [Tag::H1, Tag::H2, Tag::H3, Tag::H4, Tag::H5, Tag::H6].iter().zip(1..).find(|(h, _)| **h == tag).map(|(_, n)| n)
}

/// Whether a `lang` value may be a language tag; anything else is noise.
fn is_language(value: &str) -> bool {
    (2..=35).contains(&value.len()) && value.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-')
}
