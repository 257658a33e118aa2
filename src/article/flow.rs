//! [`Flow`]: a selection laid out as blocks and inline pieces, with white space folded as a reader wants it.

use crate::dom::{NodeId, Tag};
use std::ops::Range;

/// What a block is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// The whole; block 0.
    Root,
    /// Leaf: text of one paragraph or other line of inline content.
    Para,
    /// Leaf: a heading of level 1 to 6.
    Heading(u8),
    /// Leaf: preformatted text.
    Pre,
    /// `hr`.
    Rule,
    /// `blockquote`.
    Quote,
    /// `ol`, `ul`.
    List { ordered: bool },
    /// `li`; holds blocks.
    Item,
    /// A table in which some row has two cells that are not empty. Others are dissolved into their blocks.
    Table,
    /// `caption`; holds blocks.
    Caption,
    /// `tr`; `head` in `thead`.
    Row { head: bool },
    /// `td`, `th`; holds blocks, or nothing.
    Cell { head: bool },
    /// `dl`.
    Definitions,
    /// `dt`; holds blocks.
    Term,
    /// `dd`; holds blocks.
    Definition,
    /// `figure`.
    Figure,
    /// `figcaption`; holds blocks.
    Legend,
}

/// A block; blocks stand in document order, so the blocks inside block `i` are `i + 1..end`.
#[derive(Clone, Debug)]
pub(super) struct Block {
    pub(super) kind: Kind,
    /// The element; `None` for leaves other than `Pre`, and for elements that the page left out.
    pub(super) node: Option<NodeId>,
    /// The nearest element at or above that names a language.
    pub(super) lang: Option<NodeId>,
    pub(super) end: usize,
    /// Pieces of a leaf.
    pub(super) pieces: Range<usize>,
    /// The first text of a leaf.
    pub(super) first: Option<NodeId>,
}

/// The inline elements around a piece: an entry of [`Flow`]'s table of chains. [`NO_MARKS`] is the empty chain.
pub(super) type MarkId = usize;

/// No inline element.
pub(super) const NO_MARKS: MarkId = 0;

/// One inline element.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Mark {
    pub(super) tag: Tag,
    /// The element, where its attributes matter; two neighbours without are one mark.
    pub(super) node: Option<NodeId>,
}

/// A run of inline content.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum PieceKind {
    /// Text, a range of [`Flow::text`].
    Text(Range<usize>),
    /// A line end inside the block.
    Break,
    /// An image with a usable address.
    Image(NodeId),
}

/// A run of inline content and the inline elements around it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Piece {
    pub(super) kind: PieceKind,
    pub(super) marks: MarkId,
}

/// The layout. Text outside `Pre` has no white space but single blanks inside lines; U+00A0 stands for a blank between
/// two Chinese or Japanese characters that the author meant, because a plain one would be dropped there.
#[derive(Clone, Debug)]
pub(super) struct Flow {
    pub(super) blocks: Vec<Block>,
    pub(super) pieces: Vec<Piece>,
    pub(super) text: String,
    /// Chains of marks: parent chain, innermost mark, length. Entry 0 is the empty chain.
    pub(super) chains: Vec<(MarkId, Mark, usize)>,
}

/// Characters of a cell with line ends inside, at most, for its row to be written on one line.
const SHORT_CELL: usize = 120;

impl Flow {
    /// The children of a block.
    pub(super) fn children(&self, block: usize) -> impl Iterator<Item = usize> {
        let end = self.blocks[block].end;
        let first = (block + 1 < end).then_some(block + 1);
        std::iter::successors(first, move |&child| Some(self.blocks[child].end).filter(|&next| next < end))
    }

    /// The pieces of a leaf.
    pub(super) fn pieces(&self, block: usize) -> &[Piece] {
        &self.pieces[self.blocks[block].pieces.clone()]
    }

    /// The marks of a chain, outermost first.
    pub(super) fn marks(&self, chain: MarkId) -> Vec<Mark> {
        let up = |&at: &MarkId| (at != NO_MARKS).then(|| self.chains[at].0);
        let mut marks: Vec<Mark> = std::iter::successors(Some(chain), up)
            .take_while(|&at| at != NO_MARKS)
            .map(|at| self.chains[at].1)
            .collect();
        marks.reverse();
        marks
    }

    /// The longest chain that both begin with.
    pub(super) fn common(&self, mut a: MarkId, mut b: MarkId) -> MarkId {
        while a != b {
            if self.chains[a].2 >= self.chains[b].2 {
                a = self.chains[a].0;
            } else {
                b = self.chains[b].0;
            }
        }
        a
    }

    /// The text of a leaf, a line feed for a line end, and blanks folded where an image is left out.
    pub(super) fn plain(&self, block: usize) -> String {
        let pre = self.blocks[block].kind == Kind::Pre;
        let mut out = String::new();
        for piece in self.pieces(block) {
            match &piece.kind {
                PieceKind::Text(range) if pre => out.push_str(&self.text[range.clone()]),
                PieceKind::Text(range) => {
                    for c in self.text[range.clone()].chars() {
                        let c = if c == '\u{a0}' { ' ' } else { c };
                        if c != ' ' || !(out.is_empty() || out.ends_with([' ', '\n'])) {
                            out.push(c);
                        }
                    }
                }
                PieceKind::Break => {
                    out.truncate(out.trim_end_matches(' ').len());
                    if !out.is_empty() && !out.ends_with('\n') {
                        out.push('\n');
                    }
                }
                PieceKind::Image(_) => {}
            }
        }
        if !pre {
            out.truncate(out.trim_end_matches([' ', '\n']).len());
        }
        out
    }

    /// Whether a cell is empty or one line: one paragraph at most, and that short if it has line ends.
    pub(super) fn is_plain_cell(&self, cell: usize) -> bool {
        let inside = cell + 1..self.blocks[cell].end;
        if inside.is_empty() {
            return true;
        }
        let leaf = inside.start;
        if inside.len() > 1 || self.blocks[leaf].kind != Kind::Para {
            return false;
        }
        let pieces = self.pieces(leaf);
        let length = |piece: &Piece| match &piece.kind {
            PieceKind::Text(range) => self.text[range.clone()].chars().count(),
            _ => 0,
        };
        pieces.iter().all(|piece| piece.kind != PieceKind::Break)
            || pieces.iter().map(length).sum::<usize>() <= SHORT_CELL
    }
}
