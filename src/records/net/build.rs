//! `Traverse` and `Match` (NET, Figs. 2 and 3).

use super::super::tree_match::{ShapeId, Shapes};
use super::align::Alignment;
use super::prototype::prototypes;
use super::table::put_data_in_tables;
use super::{DataTable, Leaf, Params};
use crate::dom::{Attr, Dom, NodeId, Tag};

/// Levels of a subtree under which nothing is matched (Fig. 2, line 1).
const LEAST_DEPTH: u32 = 3;
/// Symbol of a text; tags have numbers under 256.
const TEXT: u32 = 256;
/// Symbol of an image.
const IMAGE: u32 = 257;

/// A data area: the node and its table.
#[derive(Debug)]
pub(super) struct Area {
    /// The node whose children are the records.
    pub(super) root: NodeId,
    pub(super) table: DataTable,
}

/// A subtree that was left behind in the traversal, records in it replaced by their prototypes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Subtree {
    pub(super) node: NodeId,
    pub(super) shape: ShapeId,
    pub(super) depth: u32,
}

/// The state of the traversal.
struct Traversal<'a> {
    dom: &'a Dom,
    params: &'a Params,
    shapes: Shapes,
    /// Subtrees whose parent is still open.
    done: Vec<Subtree>,
    /// Their items, one subtree's behind the other's.
    leaves: Vec<Leaf>,
    areas: Vec<Area>,
}

/// The tables of all nodes, those further down before those above.
pub(super) fn traverse(dom: &Dom, params: &Params) -> Vec<Area> {
    let mut traversal =
        Traversal { dom, params, shapes: Shapes::default(), done: Vec::new(), leaves: Vec::new(), areas: Vec::new() };
    // Open elements, each with the number of subtrees and items before it.
    let mut open: Vec<(NodeId, usize, usize)> = Vec::new();
    for id in dom.ids().filter(|&id| !dom.is_hidden(id)) {
        while let Some(&(top, subtrees, leaves)) = open.last().filter(|(top, ..)| !dom.contains(*top, id)) {
            traversal.leave(top, subtrees, leaves);
            open.pop();
        }
        if let Some(symbol) = item_symbol(dom, id) {
            let shape = traversal.shapes.number(symbol, &[], true);
            traversal.done.push(Subtree { node: id, shape, depth: 1 });
            traversal.leaves.push(Leaf::Item(id));
        } else if !dom.is_text(id) {
            open.push((id, traversal.done.len(), traversal.leaves.len()));
        }
    }
    for (top, subtrees, leaves) in open.into_iter().rev() {
        traversal.leave(top, subtrees, leaves);
    }
    traversal.areas
}

/// The symbol of a data item; `None` for other nodes.
fn item_symbol(dom: &Dom, id: NodeId) -> Option<u32> {
    if dom.tag(id) == Tag::IMG {
        return Some(IMAGE);
    }
    (dom.is_text(id) && !dom.text(id).trim().is_empty()).then_some(TEXT)
}

impl Traversal<'_> {
    /// Post-order: all children of the node are done.
    #[allow(clippy::cast_possible_truncation, reason = "a tag's number is under 256")]
    fn leave(&mut self, node: NodeId, subtrees: usize, leaves: usize) {
        let depth = 1 + self.done[subtrees..].iter().map(|child| child.depth).max().unwrap_or(0);
        if depth >= LEAST_DEPTH && self.done.len() - subtrees > 1 && !self.is_running_text(node) {
            self.match_children(node, subtrees, leaves);
        }
        let children: Vec<ShapeId> = self.done.drain(subtrees..).map(|child| child.shape).collect();
        let shape = self.shapes.number(self.dom.tag(node).number() as u32, &children, false);
        self.done.push(Subtree { node, shape, depth });
    }

    /// Whether the node holds text of its own among inline elements alone.
    fn is_running_text(&self, node: NodeId) -> bool {
        let mut has_text = false;
        for child in self.dom.children(node).filter(|&child| !self.dom.is_hidden(child)) {
            let tag = self.dom.tag(child);
            if tag.breaks_text() && tag != Tag::BR {
                return false;
            }
            has_text |= tag == Tag::TEXT && !self.dom.text(child).trim().is_empty();
        }
        has_text
    }

    /// `Match`: aligns the children with each other, puts their items in tables and prototypes in their place.
    fn match_children(&mut self, node: NodeId, subtrees: usize, leaves: usize) {
        let children: Vec<Subtree> = self.done[subtrees..].to_vec();
        let mut alignment = Alignment::of(&children, self.dom.tag(node) == Tag::TR, self.params, &mut self.shapes);
        if !alignment.has_aligned_element(&self.shapes) {
            return;
        }
        let items = &self.leaves[leaves..];
        let mut tables = put_data_in_tables(&children, items, &mut alignment, &self.shapes, self.areas.len());
        let spanned = spanned_rows(self.dom, &children);
        for placed in &mut tables {
            for (row, nodes) in placed.table.rows.iter_mut().zip(&placed.children).skip(1) {
                row.continues = nodes.first().is_some_and(|&child| spanned[child]);
            }
        }
        if tables.is_empty() {
            return;
        }
        let (children, leaves_left) = prototypes(&children, items, &tables, &alignment, &mut self.shapes);
        self.done.truncate(subtrees);
        self.done.extend(children);
        self.leaves.truncate(leaves);
        self.leaves.extend(leaves_left);
        self.areas.extend(tables.into_iter().map(|placed| Area { root: node, table: placed.table }));
    }
}

/// Which children are table rows that a cell of a row before reaches into: for the eye, they belong to its record.
fn spanned_rows(dom: &Dom, children: &[Subtree]) -> Vec<bool> {
    let mut left = 0_u32;
    let row = |child: &Subtree| {
        if dom.tag(child.node) != Tag::TR {
            left = 0;
            return false;
        }
        let is_spanned = left > 0;
        let spans = dom.children(child.node).filter_map(|cell| row_span(dom, cell));
        left = left.saturating_sub(1).max(spans.max().map_or(0, |span| span - 1));
        is_spanned
    };
    children.iter().map(row).collect()
}

/// How many rows a cell spans, if more than one.
pub(super) fn row_span(dom: &Dom, cell: NodeId) -> Option<u32> {
    dom.attr(cell, Attr::ROWSPAN).and_then(|span| span.trim().parse::<u32>().ok()).filter(|&span| span > 1)
}
