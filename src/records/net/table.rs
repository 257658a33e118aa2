//! `PutDataInTables` (NET, Fig. 7).

use super::super::tree_match::Shapes;
use super::align::Alignment;
use super::build::Subtree;
use super::{DataTable, Leaf, Row};

/// Columns of a table at most; further items go into the last one's cells.
const MOST_COLUMNS: usize = 128;

/// A table and where its rows come from.
#[derive(Debug)]
pub(super) struct PlacedTable {
    /// Its number on the page.
    pub(super) number: usize,
    pub(super) table: DataTable,
    /// The children of each row.
    pub(super) children: Vec<Vec<usize>>,
}

/// Where the last item was put.
#[derive(Clone, Copy)]
struct Cursor {
    table: usize,
    /// Place of its column from the left.
    place: usize,
}

/// The tables of the children of one node, those with two rows or more, numbered from `first_number`. `items` are the items of
/// all children, in order. Time linear in the items but for the search of columns.
pub(super) fn put_data_in_tables(
    children: &[Subtree],
    items: &[Leaf],
    alignment: &mut Alignment,
    shapes: &Shapes,
    first_number: usize,
) -> Vec<PlacedTable> {
    let mut tables: Vec<PlacedTable> = Vec::new();
    let mut cursor: Option<Cursor> = None;
    let mut behind = 0;
    for (at, child) in children.iter().enumerate() {
        let first = behind;
        behind += shapes.shape(child.shape).items as usize;
        let Some(group) = alignment.group_of[at] else { continue };
        if !alignment.is_aligned(group) {
            cursor = None;
            continue;
        }
        let linked = (0..alignment.groups[group].items()).find_map(|item| alignment.column(group, item));
        let mut now = begin(&mut tables, linked, cursor);
        let placed = &mut tables[now.table];
        if let (Some(row), Some(nodes)) = (placed.table.rows.last_mut(), placed.children.last_mut()) {
            row.nodes.push(child.node);
            nodes.push(at);
        }
        for (item, &leaf) in items[first..behind].iter().enumerate() {
            let table = &mut placed.table;
            match alignment.column(group, item) {
                Some((owner, column)) if owner == now.table => {
                    now.place = place_of(&table.order, column, now.place);
                }
                None if table.order.len() < MOST_COLUMNS => {
                    let column = table.order.len();
                    now.place = if column == 0 { 0 } else { (now.place + 1).min(column) };
                    table.order.insert(now.place, column);
                    alignment.set_column(group, item, now.table, column);
                }
                _ => {}
            }
            let column = table.order[now.place];
            if let Some(row) = table.rows.last_mut() {
                row.cells.push((column, leaf));
            }
        }
        cursor = Some(now);
    }
    keep(tables, alignment, first_number)
}

/// Finds the table and row for the next child: the table that links to it, in a new row where the link comes from a column
/// that is not further right; else the current row; else a new table.
fn begin(tables: &mut Vec<PlacedTable>, linked: Option<(usize, usize)>, cursor: Option<Cursor>) -> Cursor {
    let new_row = |placed: &mut PlacedTable| {
        placed.table.rows.push(Row::default());
        placed.children.push(Vec::new());
    };
    match (linked, cursor) {
        (Some((table, column)), cursor) => {
            let place = place_of(&tables[table].table.order, column, 0);
            let goes_on = cursor.filter(|cursor| cursor.table == table && cursor.place < place);
            goes_on.unwrap_or_else(|| {
                new_row(&mut tables[table]);
                Cursor { table, place }
            })
        }
        (None, Some(cursor)) => cursor,
        (None, None) => {
            let mut placed = PlacedTable { number: 0, table: DataTable::default(), children: Vec::new() };
            new_row(&mut placed);
            tables.push(placed);
            Cursor { table: tables.len() - 1, place: 0 }
        }
    }
}

/// The place of a column from the left, which is near the last one as a rule.
fn place_of(order: &[usize], column: usize, near: usize) -> usize {
    let later = order.iter().skip(near).position(|&known| known == column).map(|at| near + at);
    later.or_else(|| order.iter().position(|&known| known == column)).unwrap_or(near)
}

/// Drops tables of one row and numbers the others.
fn keep(tables: Vec<PlacedTable>, alignment: &mut Alignment, first_number: usize) -> Vec<PlacedTable> {
    let mut numbers: Vec<Option<usize>> = Vec::with_capacity(tables.len());
    let mut kept = Vec::new();
    for mut placed in tables {
        let is_list = placed.table.rows.len() > 1;
        numbers.push(is_list.then_some(first_number + kept.len()));
        if is_list {
            placed.number = first_number + kept.len();
            kept.push(placed);
        }
    }
    alignment.renumber_tables(&numbers);
    kept
}
