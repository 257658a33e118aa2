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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dom::Tag;

    /// The table of the rows of a page that are not of head cells: names, then rows.
    #[track_caller]
    fn check(html: &str, names: &[&str], rows: &[&[&str]]) {
        let dom = Dom::parse(&format!("<table>{html}</table>"));
        let is_record = |&id: &NodeId| dom.tag(id) == Tag::TR && dom.children(id).any(|cell| dom.tag(cell) == Tag::TD);
        let records: Vec<Record> = dom.ids().filter(is_record).map(|id| Record { nodes: vec![id] }).collect();
        let table = table(&dom, &Cells::new(&dom), &records);
        let found: Vec<&str> = table.columns.iter().map(|c| c.name.as_deref().unwrap_or_default()).collect();
        assert_eq!(found, names, "{:?}", table.rows);
        assert_eq!(table.rows, rows);
    }

    #[test]
    fn cells_that_span_rows_are_carried_down() {
        check(
            "<tr><th>Line<th>From<th>Fare<tr><td rowspan=2>North<td>Ayr<td>£4<tr><td>Bute<td>£5<tr><td>West<td>Fowey<td>£9",
            &["Line", "From", "Fare"],
            &[&["North", "Ayr", "£4"], &["North", "Bute", "£5"], &["West", "Fowey", "£9"]],
        );
    }

    /// HTML ends spans with the part of the table that they begin in.
    #[test]
    fn no_cell_is_carried_into_another_part_of_the_table() {
        check(
            "<tbody><tr><td rowspan=9>North<td>Ayr<tbody><tr><td>West<td>Fowey",
            &["", ""],
            &[&["North", "Ayr"], &["West", "Fowey"]],
        );
    }

    #[test]
    fn two_rows_of_head_cells_name_all_columns() {
        check(
            "<tr><th rowspan=2>Place<th colspan=2>Goals<tr><th>Home<th>Away<tr><td>Ayr<td>0<td>1<tr><td>Bute<td>2<td>3",
            &["Place", "Home", "Away"],
            &[&["Ayr", "0", "1"], &["Bute", "2", "3"]],
        );
        check(
            "<tr><th rowspan=2>Place<th colspan=2>2023<th colspan=2>2024<tr><th>Won<th>Lost<th>Won<th>Lost\
             <tr><td>Ayr<td>0<td>1<td>2<td>3<tr><td>Bute<td>4<td>5<td>6<td>7",
            &["Place", "2023 Won", "2023 Lost", "2024 Won", "2024 Lost"],
            &[&["Ayr", "0", "1", "2", "3"], &["Bute", "4", "5", "6", "7"]],
        );
    }

    #[test]
    fn a_line_break_begins_no_column_below_a_head() {
        check(
            "<tr><th>Name<th>Says<tr><td>Lee<br>Bo<td>one<br>two<br>three<tr><td>Ng<td>four",
            &["Name", "Says"],
            &[&["Lee Bo", "one two three"], &["Ng", "four"]],
        );
    }

    #[test]
    fn a_named_column_stays_when_it_is_empty() {
        check(
            "<tr><th>Place<th>Note<th>Fare<tr><td>Ayr<td><td>£4<tr><td>Bute<td><td>£5",
            &["Place", "Note", "Fare"],
            &[&["Ayr", "", "£4"], &["Bute", "", "£5"]],
        );
    }
}
