//! The items of records, aligned into a table.
//!
//! An item is a text, the target of a link or the source of an image. Items that stand in the same place of their records
//! (the tags and first class names down to them, in table rows the column) are one column; what a record lacks is an empty
//! cell, so that no value slips into the place of another. The heading of a group of records is an item of each of them, as a cell
//! that spans rows is (`groups`). Time and memory linear in the records.
//!
//! [`table`] looks at one list. Where many pages of a site have a list, [`ColumnSums`] puts together what each tells of its
//! columns, and [`lay_out`] fills the columns that come out of it.
mod groups;
mod items;
mod kinds;
mod names;
mod shared;

use super::{Column, ColumnKind, Record, Table};
use crate::dom::{Dom, NodeId, NodeMap};
use groups::headings;
use items::{GROUP, Item, ItemKind, items, settle, shared_keys};
use rustc_hash::FxHashMap;
pub use shared::{ColumnSums, ColumnView, SharedColumn};
pub(super) use shared::{lay_out, views};

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
    /// Whether it holds the headings of groups.
    is_group: bool,
}

/// Columns in the order in which they were first met, and what of them each row has.
struct Grown<K> {
    keys: Vec<K>,
    columns: Vec<Growing>,
    rows: Vec<Vec<(usize, String)>>,
}

/// The items of each record.
fn gather(dom: &Dom, cells: &Cells, records: &[Record]) -> Vec<Vec<Item>> {
    let of_parts = records.iter().any(|record| record.nodes.len() > 1);
    let headings = headings(dom, records);
    let items = |(at, record): (usize, &Record)| {
        let heading = headings.get(at).copied().flatten();
        heading.map(|id| Item::heading(dom, id)).into_iter().chain(items(dom, cells, &record.nodes, of_parts)).collect()
    };
    records.iter().enumerate().map(items).collect()
}

/// Sorts items into columns. `column` gives the key of an item's column from how often its place came before in the record.
/// `cell` gives the column of its table in which an item stands. Columns `known` before have the first numbers, and are not among those that are returned.
fn grow<K: Copy + Eq + std::hash::Hash>(
    records: Vec<Vec<Item>>,
    column: impl Fn(&Item, u32) -> K,
    cell: impl Fn(&Item) -> Option<u16>,
    known: &[K],
) -> Grown<K> {
    let mut places: FxHashMap<K, usize> = known.iter().enumerate().map(|(at, &key)| (key, at)).collect();
    let known = known.len();
    let mut keys: Vec<K> = Vec::new();
    let mut columns: Vec<Growing> = Vec::new();
    let mut rows: Vec<Vec<(usize, String)>> = Vec::with_capacity(records.len());
    for found in records {
        let mut times: FxHashMap<u64, u32> = FxHashMap::default();
        let total = found.len().max(1) as f64;
        let mut row = Vec::with_capacity(found.len());
        for (at, item) in found.into_iter().enumerate() {
            let time = times.entry(item.key).or_default();
            let key = column(&item, *time);
            let number = *places.entry(key).or_insert_with(|| {
                keys.push(key);
                let cell = cell(&item);
                let is_group = item.key == GROUP;
                columns.push(Growing { kind: item.kind, first: item.node, place: 0.0, count: 0, cell, is_group });
                known + columns.len() - 1
            });
            *time += 1;
            if let Some(grown) = number.checked_sub(known) {
                columns[grown].place += at as f64 / total;
                columns[grown].count += 1;
            }
            row.push((number, item.text));
        }
        rows.push(row);
    }
    Grown { keys, columns, rows }
}

/// Where records are rows, the column of their table in which an item stands.
fn cell_of(dom: &Dom, cells: &Cells, records: &[Record], item: &Item) -> Option<u16> {
    let are_rows = records.iter().all(|record| record.nodes.len() == 1);
    names::column_of(dom, cells, item.node, records).filter(|_| are_rows && item.key != GROUP)
}

/// The commonest columns, at most [`MOST`]: those of rows as their table has them, others in the order of their mean places.
fn order(columns: &[Growing]) -> Vec<usize> {
    let mut order: Vec<usize> = (0..columns.len()).collect();
    order.sort_by_key(|&column| (std::cmp::Reverse(columns[column].count), column));
    order.truncate(MOST);
    let mean = |column: usize| columns[column].place / columns[column].count.max(1) as f64;
    let cell = |column: usize| columns[column].cell;
    order.sort_by(|&a, &b| cell(a).cmp(&cell(b)).then(mean(a).total_cmp(&mean(b))).then(a.cmp(&b)));
    order
}

/// Rows with a cell for each of the columns in `order`, of `width` in all.
fn filled(rows: Vec<Vec<(usize, String)>>, order: &[usize], width: usize) -> Vec<Vec<String>> {
    let mut to: Vec<Option<usize>> = vec![None; width];
    for (at, &column) in order.iter().enumerate() {
        to[column] = Some(at);
    }
    let row = |row: Vec<(usize, String)>| {
        let mut cells = vec![String::new(); order.len()];
        for (column, text) in row {
            if let Some(at) = to[column] {
                cells[at] = text;
            }
        }
        cells
    };
    rows.into_iter().map(row).collect()
}

/// A column as it is told, from its cells.
fn told(
    dom: &Dom,
    cells: &Cells,
    records: &[Record],
    grown: &Growing,
    texts: &mut dyn Iterator<Item = &str>,
) -> Column {
    let kind = match grown.kind {
        ItemKind::Text => kinds::kind(texts),
        ItemKind::Link => ColumnKind::Link,
        ItemKind::Image => ColumnKind::Image,
    };
    Column { kind, name: name_of(dom, cells, records, grown) }
}

/// The name of a column.
fn name_of(dom: &Dom, cells: &Cells, records: &[Record], grown: &Growing) -> Option<String> {
    if grown.is_group {
        return Some("group".to_owned());
    }
    let cell = grown.cell.or_else(|| names::column_of(dom, cells, grown.first, records));
    names::header(dom, cells, cell, (grown.first, grown.kind), records)
}

/// The table of the records of a region, a row a record.
pub(super) fn table(dom: &Dom, cells: &Cells, records: &[Record]) -> Table {
    let mut found = gather(dom, cells, records);
    let shared = shared_keys(&found);
    settle(&mut found, &shared);
    let cell = |item: &Item| cell_of(dom, cells, records, item);
    let Grown { mut columns, rows, .. } = grow(found, |item, time| (item.key, time), cell, &[]);
    let is_one = |record: &Record| record.nodes.len() == 1;
    if let Some(&first) = records.first().and_then(|record| record.nodes.first()).filter(|_| records.iter().all(is_one))
    {
        empty_columns(dom, cells, (records, first), &mut columns);
    }
    let order = order(&columns);
    let rows = filled(rows, &order, columns.len());
    let columns = order
        .iter()
        .enumerate()
        .map(|(at, &column)| told(dom, cells, records, &columns[column], &mut rows.iter().map(|row| row[at].as_str())))
        .collect();
    tidied(Table { columns, rows })
}

/// Adds the columns that a head names and no record fills: the next page of the same list may.
fn empty_columns(dom: &Dom, cells: &Cells, (records, first): (&[Record], NodeId), growing: &mut Vec<Growing>) {
    let named = names::named_columns(dom, cells, records);
    for (at, &from) in named.iter().enumerate() {
        let to = named.get(at + 1).copied().unwrap_or(u16::MAX);
        if !growing.iter().any(|column| column.cell.is_some_and(|cell| (from..to).contains(&cell))) {
            growing.push(Growing {
                kind: ItemKind::Text,
                first,
                place: 0.0,
                count: 0,
                cell: Some(from),
                is_group: false,
            });
        }
    }
}

/// Leaves out columns that say nothing: repeated targets of links, and labels, which become the next column's name.
fn tidied(table: Table) -> Table {
    let Table { mut columns, rows } = table;
    let column = |at: usize| rows.iter().map(move |row| row[at].as_str());
    let repeated = repeated(&columns.iter().map(|column| column.kind).collect::<Vec<_>>(), &rows);
    let mut kept: Vec<usize> = Vec::new();
    for (at, is_repeated) in repeated.into_iter().enumerate() {
        if is_repeated {
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

/// Which columns of links or images say nothing that one before them, of the same kind, does not say.
fn repeated(kinds: &[ColumnKind], rows: &[Vec<String>]) -> Vec<bool> {
    let mut kept: Vec<usize> = Vec::new();
    let again = |at: usize| {
        let is_again = matches!(kinds[at], ColumnKind::Link | ColumnKind::Image)
            && kept.iter().any(|&before| {
                kinds[before] == kinds[at] && rows.iter().all(|row| row[at].is_empty() || row[at] == row[before])
            });
        if !is_again {
            kept.push(at);
        }
        is_again
    };
    (0..kinds.len()).map(again).collect()
}

/// The label that all cells repeat, if they do: one text, ending in a colon, and more than once.
fn label<'a>(cells: impl Iterator<Item = &'a str> + Clone) -> Option<&'a str> {
    cells.clone().filter(|cell| !cell.is_empty()).nth(1)?;
    one_label(cells)
}

/// The same where one cell is enough.
fn one_label<'a>(cells: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    let mut filled = cells.filter(|cell| !cell.is_empty());
    let first = filled.next()?;
    let name = first.strip_suffix([':', '：'])?.trim_end();
    (!name.is_empty() && filled.all(|cell| cell == first)).then_some(name)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dom::Tag;

    fn rows(page: &str) -> Vec<Vec<String>> {
        let dom = Dom::parse(page);
        let items = dom.ids().filter(|&id| dom.tag(id) == Tag::LI);
        let records: Vec<Record> = items.map(|id| Record { nodes: vec![id] }).collect();
        table(&dom, &Cells::new(&dom), &records).rows
    }

    /// A date that not all have splits no column of titles.
    #[test]
    fn a_text_alone_stands_where_it_stands_beside_others() {
        let rows = rows("<ul><li><a>Alma</a> <i>May</i><li><a>Brise</a><li><a>Cora</a></ul>");
        assert_eq!(rows, [["Alma", "May"], ["Brise", ""], ["Cora", ""]]);
    }

    /// Where it is alone in all records, a colour or an emphasis makes no other column.
    #[test]
    fn emphasis_makes_no_column() {
        assert_eq!(rows("<ul><li><b>1</b><li>2<li><font><b>3</b></font></ul>"), [["1"], ["2"], ["3"]]);
    }

    #[test]
    fn labels_name_the_next_column() {
        let page = "<ul><li><b>Price:</b> <i>$3</i><li><b>Price:</b> <i>$4</i></ul>";
        let dom = Dom::parse(page);
        let items = dom.ids().filter(|&id| dom.tag(id) == Tag::LI);
        let records: Vec<Record> = items.map(|id| Record { nodes: vec![id] }).collect();
        let cells = Cells::new(&dom);
        let alone = table(&dom, &cells, &records);
        let mut sums = ColumnSums::default();
        sums.add(&views(&dom, &cells, &records));
        let shared = lay_out(&dom, &cells, &records, &sums.columns());
        assert_eq!(alone.columns[0].name.as_deref(), Some("Price"));
        assert_eq!(alone, shared, "of one page the site knows what the page does");
    }

    /// On a page where no record has a date, titles are alone: the site knows better.
    #[test]
    fn a_text_alone_on_one_page_has_its_column_from_others() {
        let pages = [
            "<ul><li><a>Alma</a> <i>May</i><li><a>Brise</a> <i>June</i></ul>",
            "<ul><li><a>Cora</a><li><a>Dagny</a></ul>",
        ];
        let mut sums = ColumnSums::default();
        let pages = pages.map(|page| {
            let dom = Dom::parse(page);
            let items = dom.ids().filter(|&id| dom.tag(id) == Tag::LI);
            let records: Vec<Record> = items.map(|id| Record { nodes: vec![id] }).collect();
            sums.add(&views(&dom, &Cells::new(&dom), &records));
            (dom, records)
        });
        let tables = pages.map(|(dom, records)| lay_out(&dom, &Cells::new(&dom), &records, &sums.columns()).rows);
        assert_eq!(tables[0], [["Alma", "May"], ["Brise", "June"]]);
        assert_eq!(tables[1], [["Cora"], ["Dagny"]]);
    }

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
