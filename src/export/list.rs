//! [`DocumentList`]: a list of records in JSON, of a page by itself and of a page of a site alike.

use crate::blocks::{MinedColumn, MinedList};
use crate::dom::{Dom, selector_path};
use crate::records::{ColumnKind, Region, SharedColumn, laid_out};
use serde::Serialize;

/// A list of a page.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct DocumentList {
    /// The method that found it.
    pub method: &'static str,
    /// The lowest node that holds all records, as a CSS selector.
    pub path: String,
    /// How sure the method is, to four digits.
    pub score: f64,
    /// Records in document order.
    pub records: Vec<DocumentRecord>,
    /// What stands in each column of the table.
    pub columns: Vec<DocumentColumn>,
    /// Cells: a row a record, unless nested records are expanded into several.
    pub table: Vec<Vec<String>>,
}

/// A record.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct DocumentRecord {
    /// Its text, one block a line.
    pub text: String,
    /// The cells of its row that hold something; none where nested records make more rows than there are records.
    pub items: Vec<String>,
}

/// A column.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct DocumentColumn {
    /// `text`, `link`, `image`, `price`, `date` or `number`.
    pub kind: &'static str,
    /// Its name, where the page has a header row or labels.
    pub name: Option<String>,
}

/// What is told of a region.
pub fn document_list(dom: &Dom, method: &'static str, region: Region) -> DocumentList {
    // Nested records may have several rows; without a row for each record there are no items to tell.
    let is_flat = region.table.rows.len() == region.records.len();
    let items = |at: usize| match region.table.rows.get(at) {
        Some(row) if is_flat => row.iter().filter(|cell| !cell.is_empty()).cloned().collect(),
        _ => Vec::new(),
    };
    let records = region.records.iter().enumerate();
    let columns = region.table.columns.iter();
    DocumentList {
        method,
        path: selector_path(dom, region.root),
        score: (region.score * 1e4).round() / 1e4,
        records: records.map(|(at, record)| DocumentRecord { text: record.text(dom), items: items(at) }).collect(),
        columns: columns.map(|c| DocumentColumn { kind: c.kind.name(), name: c.name.clone() }).collect(),
        table: region.table.rows,
    }
}

/// What is told of a mined list; `None` where the page does not have its nodes.
pub(super) fn mined_list(dom: &Dom, list: &MinedList) -> Option<DocumentList> {
    let column = |column: &MinedColumn| SharedColumn {
        key: column.key,
        time: column.time,
        kind: ColumnKind::of_name(&column.kind),
        name: column.name.clone(),
        is_shown: !column.is_hidden,
    };
    let columns: Vec<SharedColumn> = list.columns.iter().map(column).collect();
    let region = laid_out(dom, list.score, list.records.iter().map(Vec::as_slice), &columns)?;
    Some(document_list(dom, "auto", region))
}
