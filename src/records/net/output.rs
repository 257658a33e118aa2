//! `Output` (NET, section 4): the tables that no other covers, nested records expanded.

use super::build::{Area, row_span};
use super::{DataTable, Leaf, Row};
use crate::dom::{Attr, Dom, NodeId, Tag, fold_space};
use crate::records::{Column, ColumnKind, Record, Region, Table};
use rustc_hash::FxHashMap;

/// Items of a record beyond which they are not repeated for each of its nested records.
const MOST_REPEATED: usize = 64;

/// One row of the final table: column and item, in no order of columns.
type Cells = Vec<(usize, NodeId)>;

/// The regions of a page, best first. `areas` hold nested tables before those that nest them.
pub(super) fn regions(dom: &Dom, areas: &[Area]) -> Vec<Region> {
    let covered = covered(dom, areas);
    let mut expanded: Vec<Vec<Cells>> = Vec::with_capacity(areas.len());
    for area in areas {
        let mut rows: Vec<Cells> = Vec::new();
        let mut spanning = Cells::new();
        for row in &area.table.rows {
            let from = rows.len();
            rows.extend(expand(&row.cells, &expanded));
            if row.continues {
                rows[from..].iter_mut().for_each(|cells| repeat(cells, &spanning));
            } else {
                spanning = spanning_cells(dom, row);
            }
        }
        expanded.push(rows);
    }
    let mut regions: Vec<Region> = areas
        .iter()
        .zip(&expanded)
        .zip(&covered)
        .filter(|(_, covered)| !**covered)
        .map(|((area, rows), _)| region(dom, area, rows))
        .collect();
    regions.sort_by(|a, b| b.score.total_cmp(&a.score).then_with(|| a.root.cmp(&b.root)));
    regions
}

/// Which areas stand inside a record of another.
fn covered(dom: &Dom, areas: &[Area]) -> Vec<bool> {
    let mut depth = vec![0_i32; dom.len() + 1];
    for node in areas.iter().flat_map(|area| &area.table.rows).flat_map(|row| &row.nodes) {
        depth[node.index()] += 1;
        depth[dom.end(*node).index()] -= 1;
    }
    let mut sum = 0;
    for value in &mut depth {
        sum += *value;
        *value = sum;
    }
    areas.iter().map(|area| depth[area.root.index()] > 0).collect()
}

/// The rows that one record becomes: as many as the longest list nested in it, or one.
fn expand(cells: &[(usize, Leaf)], expanded: &[Vec<Cells>]) -> Vec<Cells> {
    let mut own: Cells = Vec::new();
    // Nested tables, each with the column here of each of its columns.
    let mut nested: Vec<(usize, FxHashMap<usize, usize>)> = Vec::new();
    for &(column, leaf) in cells {
        match leaf {
            Leaf::Item(node) => own.push((column, node)),
            Leaf::Column { table, column: inner } => match nested.iter_mut().find(|(known, _)| *known == table) {
                Some((_, columns)) => drop(columns.insert(inner, column)),
                None => nested.push((table, FxHashMap::from_iter([(inner, column)]))),
            },
        }
    }
    let count = nested.iter().map(|(table, _)| expanded[*table].len()).max().unwrap_or(1);
    let mut rows: Vec<Cells> = Vec::with_capacity(count);
    for at in 0..count {
        let mut row = if at == 0 || own.len() <= MOST_REPEATED { own.clone() } else { Cells::new() };
        for (table, columns) in &nested {
            // What the prototype has no place for stays with its neighbour.
            let mut last = columns.values().min().copied().unwrap_or(0);
            for &(inner, node) in expanded[*table].get(at).into_iter().flatten() {
                last = columns.get(&inner).copied().unwrap_or(last);
                row.push((last, node));
            }
        }
        rows.push(row);
    }
    rows
}

/// The items of a row in cells that span further rows.
fn spanning_cells(dom: &Dom, row: &Row) -> Cells {
    let spans = |node: NodeId| {
        let cell =
            std::iter::once(node).chain(dom.ancestors(node)).find(|&up| matches!(dom.tag(up), Tag::TD | Tag::TH));
        cell.is_some_and(|cell| row_span(dom, cell).is_some())
    };
    let items = row.cells.iter().filter_map(|&(column, leaf)| match leaf {
        Leaf::Item(node) => Some((column, node)),
        Leaf::Column { .. } => None,
    });
    items.filter(|&(_, node)| spans(node)).collect()
}

/// Fills empty cells of a row from those that span into it.
fn repeat(cells: &mut Cells, spanning: &Cells) {
    let own: Vec<usize> = cells.iter().map(|cell| cell.0).collect();
    cells.extend(spanning.iter().filter(|(column, _)| !own.contains(column)));
}

fn region(dom: &Dom, area: &Area, rows: &[Cells]) -> Region {
    let mut records: Vec<Record> = Vec::new();
    for row in &area.table.rows {
        match records.last_mut() {
            Some(record) if row.continues => record.nodes.extend(&row.nodes),
            _ => records.push(Record { nodes: row.nodes.clone() }),
        }
    }
    let letters = |node: &NodeId| dom.text(*node).chars().filter(|c| !c.is_whitespace()).count();
    let text = records.iter().flat_map(|record| &record.nodes).map(letters).sum::<usize>();
    let score = text as f64 * (records.len() as f64).sqrt();
    Region { root: area.root, score, records, table: table(dom, &area.table, rows) }
}

fn table(dom: &Dom, data: &DataTable, rows: &[Cells]) -> Table {
    let mut place = vec![0; data.order.len()];
    for (at, &column) in data.order.iter().enumerate() {
        place[column] = at;
    }
    let mut has_text = vec![false; place.len()];
    let mut out = Vec::with_capacity(rows.len());
    for row in rows {
        let mut cells = vec![String::new(); place.len()];
        for &(column, node) in row {
            let cell = &mut cells[place[column]];
            if !cell.is_empty() {
                cell.push(' ');
            }
            has_text[place[column]] |= dom.is_text(node);
            cell.push_str(&content(dom, node));
        }
        out.push(cells);
    }
    let kind = |&has_text: &bool| if has_text { ColumnKind::Text } else { ColumnKind::Image };
    let columns = has_text.iter().map(|has_text| Column { kind: kind(has_text), name: None }).collect();
    Table { columns, rows: out }
}

/// The text, or the source of the image.
fn content(dom: &Dom, node: NodeId) -> String {
    if dom.tag(node) == Tag::IMG {
        let sources = [Attr::SRC, Attr::DATA_SRC, Attr::DATA_ORIGINAL, Attr::DATA_LAZY_SRC];
        return sources.into_iter().find_map(|attr| dom.attr(node, attr)).unwrap_or_default().to_owned();
    }
    fold_space(dom.text(node))
}
