//! Records as JSON lines, one object a page.

use crate::command::pages::Input;
use serde::Serialize;
use wisdom::dom::Dom;
use wisdom::export::{DocumentList, document_list, json_line};
use wisdom::records::{Method, Region};

/// A line.
#[derive(Debug, Serialize)]
struct Line<'a> {
    id: &'a str,
    file: &'a str,
    regions: Vec<DocumentList>,
}

/// The same for a page that could not be read.
#[derive(Debug, Serialize)]
struct Failed<'a> {
    id: &'a str,
    file: &'a str,
    error: &'a str,
}

pub(super) fn page(input: &Input, dom: &Dom, method: Method, regions: Vec<Region>) -> Vec<u8> {
    let regions = regions.into_iter().map(|region| document_list(dom, method.name(), region)).collect();
    json_line(&Line { id: &input.id(), file: &input.name(), regions }).into_bytes()
}

pub(super) fn failure(input: &Input, why: &str) -> Vec<u8> {
    json_line(&Failed { id: &input.id(), file: &input.name(), error: why }).into_bytes()
}
