//! What a report says, as JSON. `openapi.json` beside this file describes it; a test holds both together.

use super::Server;
use super::routes::{blocking, status};
use super::source::Trouble;
use crate::explain::{Decisions, Explanation, reason_of};
use crate::export::page_document;
use crate::pipeline::site_rules;
use crate::progress::Progress;
use crate::report::{PageRow, SiteReport};
use axum::Router;
use axum::extract::rejection::QueryRejection;
use axum::extract::{Path, Query, State};
use axum::http::StatusCode;
use axum::http::header::CONTENT_TYPE;
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use std::sync::Arc;

/// The description of this interface.
const OPENAPI: &str = include_str!("openapi.json");

/// Documents in one answer, unless it is asked for fewer or more.
const LIMIT: usize = 50;
/// Documents in one answer at most.
const MOST: usize = 200;

pub(super) fn routes() -> Router<Arc<Server>> {
    Router::new()
        .route("/openapi.json", get(async || answer(StatusCode::OK, OPENAPI.to_owned())))
        .route("/api/sites", get(sites))
        .route("/api/sites/{site}", get(counts))
        .route("/api/sites/{site}/documents", get(documents))
        .route("/api/sites/{site}/documents/{id}", get(document))
        .route("/api/sites/{site}/documents/{id}/blocks", get(blocks))
        .route("/api/sites/{site}/rules", get(rules))
        .route("/api/{*rest}", get(async || told::<()>(Err(Trouble::None))))
}

fn answer(status: StatusCode, text: String) -> Response {
    (status, [(CONTENT_TYPE, "application/json")], text).into_response()
}

fn told<T: Serialize>(made: Result<T, Trouble>) -> Response {
    match made {
        Ok(value) => match serde_json::to_string(&value) {
            Ok(text) => answer(StatusCode::OK, text),
            Err(error) => answer(StatusCode::INTERNAL_SERVER_ERROR, json!({ "error": error.to_string() }).to_string()),
        },
        Err(error) => answer(status(&error), json!({ "error": error.to_string() }).to_string()),
    }
}

async fn sites(State(server): State<Arc<Server>>) -> Response {
    let sites = blocking(move || {
        let sites = server.source.sites()?.into_iter().map(|(site, url)| json!({ "site": site, "url": url }));
        Ok(sites.collect::<Vec<Value>>())
    });
    told(sites.await)
}

async fn counts(State(server): State<Arc<Server>>, Path(site): Path<String>) -> Response {
    told(blocking(move || server.source.with(&site, |_, report| Ok(report.counts()))).await)
}

/// Which part of a list.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Part {
    #[serde(default)]
    offset: usize,
    limit: Option<usize>,
}

async fn documents(
    State(server): State<Arc<Server>>,
    Path(site): Path<String>,
    part: Result<Query<Part>, QueryRejection>,
) -> Response {
    let part = match part {
        Ok(Query(part)) if part.limit.is_none_or(|limit| (1..=MOST).contains(&limit)) => part,
        Ok(_) => return told::<()>(Err(Trouble::Request(format!("limit is a number from 1 to {MOST}")))),
        Err(_) => {
            return told::<()>(Err(Trouble::Request(
                "offset and limit are numbers, and there is nothing else".to_owned(),
            )));
        }
    };
    let found = blocking(move || {
        server.source.with(&site, |_, report| {
            let rows = report.rows();
            let here = rows.iter().skip(part.offset).take(part.limit.unwrap_or(LIMIT));
            let documents: Vec<Value> = here.map(summary).collect();
            Ok(json!({ "total": rows.len(), "offset": part.offset, "documents": documents }))
        })
    });
    told(found.await)
}

fn summary(row: &PageRow) -> Value {
    json!({
        "id": row.document,
        "url": row.url,
        "status": row.status,
        "depth": row.depth,
        "lang": row.lang,
        "method": row.method,
        "page_type": row.page_type,
        "words": row.words,
        "links": row.links,
        "records": row.records,
        "duplicate_of": row.duplicate_of,
    })
}

fn place(report: &SiteReport, id: &str) -> Result<usize, Trouble> {
    report.row_of_document(id).ok_or(Trouble::None)
}

async fn document(State(server): State<Arc<Server>>, Path((site, id)): Path<(String, String)>) -> Response {
    let found = blocking(move || {
        server.source.with(&site, |store, report| {
            let row = &report.rows()[place(report, &id)?];
            let (page, record) = store.page(&row.url)?.ok_or(Trouble::None)?;
            Ok(page_document(store, &site, page, &record)?)
        })
    });
    told(found.await)
}

async fn blocks(State(server): State<Arc<Server>>, Path((site, id)): Path<(String, String)>) -> Response {
    let found = blocking(move || {
        server.source.with(&site, |store, report| {
            let why = report.explain(store, place(report, &id)?)?.ok_or(Trouble::None)?;
            Ok(explained(&why))
        })
    });
    told(found.await)
}

/// An explanation in JSON.
fn explained(why: &Explanation) -> Value {
    let blocks: Vec<Value> = match &why.decisions {
        Decisions::Blocks(found) => found
            .blocks
            .iter()
            .map(|block| {
                json!({
                    "kept": block.verdict.kept,
                    "chance": block.verdict.chance,
                    "reason": reason_of(&block.verdict),
                    "note": block.verdict.note,
                    "text": block.text,
                    "path": block.path,
                })
            })
            .collect(),
        Decisions::Tree(found) => found
            .nodes
            .iter()
            .filter(|node| !node.marks.is_empty())
            .map(|node| {
                json!({
                    "node": node.node,
                    "name": node.name,
                    "cii": node.cii,
                    "sii": node.sii_clen,
                    "api": node.mean_api,
                    "marks": node.marks,
                })
            })
            .collect(),
    };
    json!({
        "url": why.url,
        "method": why.method,
        "pages_known": why.pages,
        "page_type": why.page_type,
        "blocks": blocks,
    })
}

async fn rules(State(server): State<Arc<Server>>, Path(site): Path<String>) -> Response {
    let found = blocking(move || {
        server.source.with(&site, |store, _| {
            let (file, _) = site_rules(store, &site, usize::MAX, &Progress::default())?;
            serde_json::to_value(&file).map_err(|error| Trouble::Request(error.to_string()))
        })
    });
    told(found.await)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The routes in this file and the paths in the description are the same.
    #[test]
    fn the_description_names_every_route_and_no_other() {
        let description: Value = serde_json::from_str(OPENAPI).expect("JSON");
        let described: Vec<&String> = description["paths"].as_object().expect("paths").keys().collect();
        let source = include_str!("api.rs");
        let (code, _) = source.split_once("#[cfg(test)]").expect("this module");
        let routed = code.split(".route(\"").skip(1).filter_map(|rest| rest.split_once('"')).map(|(path, _)| path);
        let mut routed: Vec<String> =
            routed.filter(|path| path.starts_with("/api/") && !path.contains('*')).map(str::to_owned).collect();
        routed.sort();
        assert_eq!(described, routed.iter().collect::<Vec<_>>());
    }

    /// The fields that the description promises of a document in a list are those that are written.
    #[test]
    fn a_summary_has_the_fields_that_are_described() {
        let row = PageRow {
            id: crate::store::PageId(0),
            url: String::new(),
            document: String::new(),
            status: 200,
            depth: 0,
            fetched_at: 0,
            lang: String::new(),
            method: String::new(),
            page_type: String::new(),
            words: 0,
            links: 0,
            records: 0,
            duplicate_of: None,
        };
        let description: Value = serde_json::from_str(OPENAPI).expect("JSON");
        let fields = |value: &Value| -> Vec<String> { value.as_object().expect("an object").keys().cloned().collect() };
        let described = fields(&description["components"]["schemas"]["Summary"]["properties"]);
        assert_eq!(fields(&summary(&row)), described);
    }
}
