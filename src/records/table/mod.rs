//! The items of records, aligned into a table.
//!
//! An item is a text, the target of a link or the source of an image. Items that stand in the same place of their records
//! (the tags and first class names down to them, in table rows the column) are one column; what a record lacks is an empty
//! cell, so that no value slips into the place of another. Time and memory linear in the records.
mod items;
mod kinds;
mod names;

use super::{Column, ColumnKind, Record, Table};
use crate::dom::{Dom, NodeId, NodeMap};
use items::{Item, ItemKind, items};
use rustc_hash::FxHashMap;

/// Columns of a table at most; the rarest are left out.
const MOST: usize = 64;

/// Where the cells of all tables of a page stand; see `names`.
pub(super) struct Cells {
    /// The column of its table that each cell begins in, rows and columns that span several counted.
    columns: NodeMap<u16>,
    /// The head of each row: the last row before it that names columns.
    /// Of a row of a head, the row of the same head right above it.
    heads: NodeMap<Option<NodeId>>,
    /// The cells of earlier rows that reach into each row.
    carried: FxHashMap<NodeId, Vec<NodeId>>,
}

impl Cells {
    /// Of all tables of a page.
    pub(super) fn new(dom: &Dom) -> Self {
        names::cells(dom)
    }
}

/// What a column is while it is made.
struct Growing {
    kind: ItemKind,
    /// Where its items stand, to name it.
    first: NodeId,
    /// Sum of the places of its items in their records, each from 0 to 1.
    place: f64,
    /// Number of the rows that have it.
    count: usize,
    /// Where records are rows, the column of their table in which it stands.
    cell: Option<u16>,
}

/// The table of the records of a region, a row a record.
pub(super) fn table(dom: &Dom, cells: &Cells, records: &[Record]) -> Table {
    let mut places: FxHashMap<(u64, u32), usize> = FxHashMap::default();
    let mut growing: Vec<Growing> = Vec::new();
    let mut rows: Vec<Vec<(usize, String)>> = Vec::with_capacity(records.len());
    let of_parts = records.iter().any(|record| record.nodes.len() > 1);
    for record in records {
        let found = items(dom, cells, &record.nodes, of_parts);
        let mut times: FxHashMap<u64, u32> = FxHashMap::default();
        let total = found.len().max(1) as f64;
        let mut row = Vec::with_capacity(found.len());
        for (at, Item { key, kind, node, text }) in found.into_iter().enumerate() {
            let time = times.entry(key).or_default();
            let column = *places.entry((key, *time)).or_insert_with(|| {
                let cell = names::column_of(dom, cells, node, records).filter(|_| !of_parts);
                growing.push(Growing { kind, first: node, place: 0.0, count: 0, cell });
                growing.len() - 1
            });
            *time += 1;
            growing[column].place += at as f64 / total;
            growing[column].count += 1;
            row.push((column, text));
        }
        rows.push(row);
    }
    if let Some(&first) = records.first().and_then(|record| record.nodes.first()).filter(|_| !of_parts) {
        empty_columns(dom, cells, (records, first), &mut growing);
    }
    // The commonest columns, then those of rows as their table has them, others in the order of their mean places.
    let mut order: Vec<usize> = (0..growing.len()).collect();
    order.sort_by_key(|&column| (std::cmp::Reverse(growing[column].count), column));
    order.truncate(MOST);
    let mean = |column: usize| growing[column].place / growing[column].count.max(1) as f64;
    let cell = |column: usize| growing[column].cell;
    order.sort_by(|&a, &b| cell(a).cmp(&cell(b)).then(mean(a).total_cmp(&mean(b))).then(a.cmp(&b)));
    let mut to: Vec<Option<usize>> = vec![None; growing.len()];
    for (at, &column) in order.iter().enumerate() {
        to[column] = Some(at);
    }
    let rows: Vec<Vec<String>> = rows
        .into_iter()
        .map(|row| {
            let mut cells = vec![String::new(); order.len()];
            for (column, text) in row {
                if let Some(at) = to[column] {
                    cells[at] = text;
                }
            }
            cells
        })
        .collect();
    let name = |column: &Growing| {
        let cell = column.cell.or_else(|| names::column_of(dom, cells, column.first, records));
        names::header(dom, cells, cell, (column.first, column.kind), records)
    };
    let columns = order
        .iter()
        .enumerate()
        .map(|(at, &column)| Column {
            kind: match growing[column].kind {
                ItemKind::Text => kinds::kind(rows.iter().map(|row| row[at].as_str())),
                ItemKind::Link => ColumnKind::Link,
                ItemKind::Image => ColumnKind::Image,
            },
            name: name(&growing[column]),
        })
        .collect();
    tidied(Table { columns, rows })
}

/// Adds the columns that a head names and no record fills: the next page of the same list may.
fn empty_columns(dom: &Dom, cells: &Cells, (records, first): (&[Record], NodeId), growing: &mut Vec<Growing>) {
    let named = names::named_columns(dom, cells, records);
    for (at, &from) in named.iter().enumerate() {
        let to = named.get(at + 1).copied().unwrap_or(u16::MAX);
        if !growing.iter().any(|column| column.cell.is_some_and(|cell| (from..to).contains(&cell))) {
            growing.push(Growing { kind: ItemKind::Text, first, place: 0.0, count: 0, cell: Some(from) });
        }
    }
}

/// Leaves out columns that say nothing: repeated targets of links, and labels, which become the next column's name.
fn tidied(table: Table) -> Table {
    let Table { mut columns, rows } = table;
    let column = |at: usize| rows.iter().map(move |row| row[at].as_str());
    let mut kept: Vec<usize> = Vec::new();
    for at in 0..columns.len() {
        let is_again = matches!(columns[at].kind, ColumnKind::Link | ColumnKind::Image)
            && kept.iter().any(|&before| {
                columns[before].kind == columns[at].kind
                    && column(before).zip(column(at)).all(|(one, other)| other.is_empty() || one == other)
            });
        if is_again {
            continue;
        }
        let label = label(column(at)).map(str::to_owned);
        if let Some(label) = label
            && let Some(next) = columns.get_mut(at + 1)
        {
            next.name.get_or_insert(label);
            continue;
        }
        kept.push(at);
    }
    Table {
        columns: kept.iter().map(|&at| columns[at].clone()).collect(),
        rows: rows.into_iter().map(|row| kept.iter().map(|&at| row[at].clone()).collect()).collect(),
    }
}

/// The label that all cells repeat, if they do: one text, ending in a colon.
fn label<'a>(cells: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    let mut filled = cells.filter(|cell| !cell.is_empty());
    let first = filled.next()?;
    let name = first.strip_suffix([':', '：'])?.trim_end();
    let mut rest = filled.peekable();
    (rest.peek().is_some() && !name.is_empty() && rest.all(|cell| cell == first)).then_some(name)
}
