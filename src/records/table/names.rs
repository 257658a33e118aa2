//! Columns of tables, and the names that the page gives them.

use super::Cells;
use super::items::ItemKind;
use crate::dom::{Attr, Dom, NodeId, NodeMap, Tag, fold_space};
use crate::records::Record;

/// Columns of a table that are told apart.
const COLUMNS: usize = 1000;
/// Longest name of a column, in bytes.
const NAME: usize = 60;

/// The column in which each cell begins, as HTML counts: cells that span columns take several, cells that span rows push
/// those of the next rows aside. And the head of each row: the last row before it that is made of head cells, or stands in
/// the head of the table. Time linear in the cells; no cell reaches beyond the thousandth column.
pub(super) fn cells(dom: &Dom) -> Cells {
    let mut columns = NodeMap::filled(dom, 0_u16);
    let mut heads: NodeMap<Option<NodeId>> = NodeMap::filled(dom, None);
    for table in dom.ids().filter(|&id| dom.tag(id) == Tag::TABLE) {
        // For each column, the rows that a cell from above still reaches into.
        let mut reach: Vec<usize> = Vec::new();
        let mut head = None;
        for row in rows(dom, table) {
            heads[row] = head;
            if is_head(dom, row) {
                head = Some(row);
            }
            let mut at = 0;
            for cell in cells_of(dom, row) {
                while reach.get(at).is_some_and(|&left| left > 0) {
                    at += 1;
                }
                columns[cell] = u16::try_from(at.min(COLUMNS)).unwrap_or(u16::MAX);
                let wide = span(dom, cell, Attr::COLSPAN).min(COLUMNS.saturating_sub(at)).max(1);
                let high = span(dom, cell, Attr::ROWSPAN);
                if at < COLUMNS {
                    reach.resize(reach.len().max(at + wide), 0);
                    reach[at..at + wide].fill(high);
                }
                at += wide;
            }
            for left in &mut reach {
                *left = left.saturating_sub(1);
            }
        }
    }
    Cells { columns, heads }
}

fn is_head(dom: &Dom, row: NodeId) -> bool {
    let mut cells = cells_of(dom, row);
    dom.parent(row).is_some_and(|part| dom.tag(part) == Tag::THEAD)
        || cells_of(dom, row).nth(1).is_some() && cells.all(|cell| dom.tag(cell) == Tag::TH)
}

fn cells_of(dom: &Dom, row: NodeId) -> impl Iterator<Item = NodeId> {
    dom.children(row).filter(|&cell| matches!(dom.tag(cell), Tag::TD | Tag::TH))
}

fn span(dom: &Dom, cell: NodeId, attr: Attr) -> usize {
    dom.attr(cell, attr).and_then(|value| value.trim().parse().ok()).unwrap_or(1).clamp(1, COLUMNS)
}

/// The rows of a table, not of tables inside it.
fn rows(dom: &Dom, table: NodeId) -> impl Iterator<Item = NodeId> {
    let parts = dom.children(table).flat_map(move |part| {
        let is_row = dom.tag(part) == Tag::TR;
        let below =
            (!is_row && matches!(dom.tag(part), Tag::TBODY | Tag::THEAD | Tag::TFOOT)).then(|| dom.children(part));
        is_row.then_some(part).into_iter().chain(below.into_iter().flatten())
    });
    parts.filter(move |&row| dom.tag(row) == Tag::TR)
}

/// The name of a column by one of its items: the head cell above it in its table, or what the page's own markup calls it.
pub(super) fn header(dom: &Dom, cells: &Cells, item: NodeId, kind: ItemKind, records: &[Record]) -> Option<String> {
    let first = *records.first()?.nodes.first()?;
    if kind == ItemKind::Text && dom.tag(first) == Tag::TR {
        let cell = std::iter::once(item)
            .chain(dom.ancestors(item))
            .find(|&up| matches!(dom.tag(up), Tag::TD | Tag::TH))
            .filter(|&cell| dom.parent(cell).is_some_and(|row| dom.tag(row) == Tag::TR))?;
        let head = cells.heads[first]?;
        let name = cells_of(dom, head).take_while(|&name| cells.columns[name] <= cells.columns[cell]).last()?;
        return Some(fold_space(dom.text(name))).filter(|name| !name.is_empty() && name.len() <= NAME);
    }
    let prop = std::iter::once(item).chain(dom.ancestors(item)).take_while(|&up| up > first).take(3);
    let name = prop.into_iter().find_map(|up| dom.attr(up, Attr::ITEMPROP))?;
    let plain = name.split_ascii_whitespace().next()?;
    (kind == ItemKind::Text && plain.len() <= NAME).then(|| plain.to_owned())
}
