//! Records as JSON lines, one object a page.

use crate::command::pages::Input;
use serde::{Serialize, Serializer};
use wisdom::dom::{Dom, selector_path};
use wisdom::export::json_line;
use wisdom::records::{Method, Region};

/// A line.
#[derive(Debug, Serialize)]
struct Line<'a> {
    id: &'a str,
    file: &'a str,
    regions: Vec<RegionLine<'a>>,
}

/// A list of the page.
#[derive(Debug, Serialize)]
struct RegionLine<'a> {
    method: &'static str,
    /// The lowest node that holds all records, as a CSS selector.
    path: String,
    score: f64,
    #[serde(serialize_with = "records")]
    records: (&'a Dom, &'a Region),
    columns: Vec<ColumnLine<'a>>,
    table: &'a [Vec<String>],
}

#[derive(Debug, Serialize)]
struct RecordLine<'a> {
    text: String,
    /// The cells of its row that hold something; none where nested records make more rows than there are records.
    items: Vec<&'a str>,
}

#[derive(Debug, Serialize)]
struct ColumnLine<'a> {
    kind: &'static str,
    name: Option<&'a str>,
}

/// The same for a page that could not be read.
#[derive(Debug, Serialize)]
struct Failed<'a> {
    id: &'a str,
    file: &'a str,
    error: &'a str,
}

pub(super) fn page(input: &Input, dom: &Dom, method: Method, regions: &[Region]) -> Vec<u8> {
    let regions = regions.iter().map(|region| region_line(dom, method, region)).collect();
    json_line(&Line { id: &input.id(), file: &input.name(), regions }).into_bytes()
}

pub(super) fn failure(input: &Input, why: &str) -> Vec<u8> {
    json_line(&Failed { id: &input.id(), file: &input.name(), error: why }).into_bytes()
}

fn region_line<'a>(dom: &'a Dom, method: Method, region: &'a Region) -> RegionLine<'a> {
    let columns = region.table.columns.iter();
    RegionLine {
        method: method.name(),
        path: selector_path(dom, region.root),
        score: (region.score * 1e4).round() / 1e4,
        records: (dom, region),
        columns: columns.map(|c| ColumnLine { kind: c.kind.name(), name: c.name.as_deref() }).collect(),
        table: &region.table.rows,
    }
}

/// Writes the records one by one, so that the texts of a long list are not held at once.
fn records<S: Serializer>(&(dom, region): &(&Dom, &Region), serializer: S) -> Result<S::Ok, S::Error> {
    // Nested records may have several rows; without a row for each record there are no items to tell.
    let is_flat = region.table.rows.len() == region.records.len();
    let items = |at: usize| match region.table.rows.get(at) {
        Some(row) if is_flat => row.iter().map(String::as_str).filter(|cell| !cell.is_empty()).collect(),
        _ => Vec::new(),
    };
    let lines = region.records.iter().enumerate();
    serializer.collect_seq(lines.map(|(at, record)| RecordLine { text: record.text(dom), items: items(at) }))
}
