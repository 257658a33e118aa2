//! Columns of tables, and the names that the page gives them.

use super::Cells;
use super::items::ItemKind;
use crate::dom::{Attr, Dom, NodeId, NodeMap, Tag, fold_space};
use crate::records::Record;
use rustc_hash::FxHashMap;

/// Columns of a table that are told apart.
const COLUMNS: usize = 1000;
/// Longest name of a column, in bytes.
const NAME: usize = 60;
/// Cells from rows above that are carried down to a row, at most.
const CARRIED: usize = 64;
/// Rows of a table's head that are read for a name.
const HEADS: usize = 8;

/// The column in which each cell begins, as HTML counts: cells that span columns take several, cells that span rows push
/// those of the next rows of their part of the table aside. And the head of each row: the last row before it that is made of
/// head cells, or stands in the head of the table. Time linear in the cells; no cell reaches beyond the thousandth column, and
/// no more cells are carried down than the page has nodes.
pub(super) fn cells(dom: &Dom) -> Cells {
    let mut columns = NodeMap::filled(dom, 0_u16);
    let mut heads: NodeMap<Option<NodeId>> = NodeMap::filled(dom, None);
    let mut carried: FxHashMap<NodeId, Vec<NodeId>> = FxHashMap::default();
    let mut budget = dom.len();
    for table in dom.ids().filter(|&id| dom.tag(id) == Tag::TABLE) {
        // For each column, the cell from above that reaches into it, and into how many rows it still does.
        let mut reach: Vec<(usize, NodeId)> = Vec::new();
        let mut head = None;
        let mut part = None;
        let mut is_after_head = false;
        for row in rows(dom, table) {
            let is_head = is_head(dom, row);
            // Of a head row, only the one right above belongs to the same head.
            heads[row] = head.filter(|_| !is_head || is_after_head);
            if is_head {
                head = Some(row);
            }
            is_after_head = is_head;
            if part != dom.parent(row) {
                part = dom.parent(row);
                reach.clear();
            }
            let mut above: Vec<NodeId> =
                reach.iter().filter(|&&(left, _)| left > 0).map(|&(_, cell)| cell).take(CARRIED).collect();
            above.dedup();
            if !above.is_empty() && above.len() <= budget {
                budget -= above.len();
                carried.insert(row, above);
            }
            let mut at = 0;
            for cell in cells_of(dom, row) {
                while reach.get(at).is_some_and(|&(left, _)| left > 0) {
                    at += 1;
                }
                columns[cell] = u16::try_from(at.min(COLUMNS)).unwrap_or(u16::MAX);
                let wide = span(dom, cell, Attr::COLSPAN).min(COLUMNS.saturating_sub(at)).max(1);
                let high = span(dom, cell, Attr::ROWSPAN);
                if at < COLUMNS {
                    reach.resize(reach.len().max(at + wide), (0, cell));
                    reach[at..at + wide].fill((high, cell));
                }
                at += wide;
            }
            for (left, _) in &mut reach {
                *left = left.saturating_sub(1);
            }
        }
    }
    Cells { columns, heads, carried }
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

/// The column of the table of records in which a thing in one of their rows stands, or in a cell that reaches into it.
/// `None` where records are no rows.
pub(super) fn column_of(dom: &Dom, cells: &Cells, item: NodeId, records: &[Record]) -> Option<u16> {
    let first = *records.first()?.nodes.first()?;
    if dom.tag(first) != Tag::TR {
        return None;
    }
    let table = dom.parent(dom.parent(first)?)?;
    let cell = std::iter::once(item)
        .chain(dom.ancestors(item))
        .take_while(|&up| up != table)
        .filter(|&up| matches!(dom.tag(up), Tag::TD | Tag::TH))
        .last()?;
    Some(cells.columns[cell])
}

/// The name of a column by one of its items: the head cell above it in its table, or what the page's own markup calls it.
pub(super) fn header(
    dom: &Dom,
    cells: &Cells,
    column: Option<u16>,
    (item, kind): (NodeId, ItemKind),
    records: &[Record],
) -> Option<String> {
    let first = *records.first()?.nodes.first()?;
    if kind != ItemKind::Text {
        return None;
    }
    if dom.tag(first) == Tag::TR {
        return head_name(dom, cells, cells.heads[first]?, column?);
    }
    let prop = std::iter::once(item).chain(dom.ancestors(item)).take_while(|&up| up > first).take(3);
    let name = prop.into_iter().find_map(|up| dom.attr(up, Attr::ITEMPROP))?;
    let plain = name.split_ascii_whitespace().next()?;
    (plain.len() <= NAME).then(|| plain.to_owned())
}

/// The name that a head of one or more rows, given by the last of them, has for a column: its lowest cell that says
/// something, with the one above before it where another column has the same.
fn head_name(dom: &Dom, cells: &Cells, head: NodeId, column: u16) -> Option<String> {
    let covers = |&cell: &NodeId| {
        let from = usize::from(cells.columns[cell]);
        (from..from + span(dom, cell, Attr::COLSPAN)).contains(&usize::from(column))
    };
    let mut names = std::iter::successors(Some(head), |&row| cells.heads[row])
        .take(HEADS)
        .filter_map(|row| cells_of(dom, row).find(covers).map(|cell| (row, fold_space(dom.text(cell)))))
        .filter(|(_, name)| !name.is_empty());
    let (row, mut name) = names.next()?;
    let same = cells_of(dom, row).filter(|&cell| fold_space(dom.text(cell)) == name).count();
    if same > 1
        && let Some((_, above)) = names.next()
    {
        name = format!("{above} {name}");
    }
    (name.len() <= NAME).then_some(name)
}

/// The columns that the head of these rows names, in order.
pub(super) fn named_columns(dom: &Dom, cells: &Cells, records: &[Record]) -> Vec<u16> {
    let head = records.first().and_then(|record| {
        let first = *record.nodes.first()?;
        (dom.tag(first) == Tag::TR).then_some(cells.heads[first]?)
    });
    let Some(head) = head else { return Vec::new() };
    let mut columns: Vec<u16> = std::iter::successors(Some(head), |&row| cells.heads[row])
        .take(HEADS)
        .flat_map(|row| cells_of(dom, row).map(|cell| cells.columns[cell]))
        .collect();
    columns.sort_unstable();
    columns.dedup();
    columns.retain(|&column| head_name(dom, cells, head, column).is_some());
    columns
}
