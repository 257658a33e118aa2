//! Which path is answered by what.

use super::source::Trouble;
use super::{Server, api, guard};
use crate::report::{ListedSite, site_list, trouble};
use axum::Router;
use axum::extract::{Path, State};
use axum::http::StatusCode;
use axum::http::header::CONTENT_TYPE;
use axum::middleware::from_fn_with_state;
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use std::sync::Arc;

/// All routes.
pub(super) fn routes(server: Arc<Server>) -> Router {
    Router::new()
        .route("/", get(sites))
        .route("/sites/{site}/{file}", get(file))
        .route("/sites/{site}/pages/{file}", get(view))
        .merge(api::routes())
        .fallback(async || page_of(&Trouble::None))
        .layer(from_fn_with_state(Arc::clone(&server), guard::guard))
        .with_state(server)
}

/// Runs what blocks where it holds nobody up.
pub(super) async fn blocking<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, Trouble> + Send + 'static,
) -> Result<T, Trouble> {
    match tokio::task::spawn_blocking(work).await {
        Ok(done) => done,
        Err(error) => Err(Trouble::Request(format!("the answer could not be made: {error}"))),
    }
}

/// The status that tells a trouble.
pub(super) fn status(error: &Trouble) -> StatusCode {
    match error {
        Trouble::None => StatusCode::NOT_FOUND,
        Trouble::InUse | Trouble::NotNow => StatusCode::SERVICE_UNAVAILABLE,
        Trouble::Request(_) => StatusCode::BAD_REQUEST,
        Trouble::Failed(_) => StatusCode::INTERNAL_SERVER_ERROR,
    }
}

fn html(status: StatusCode, text: String) -> Response {
    (status, [(CONTENT_TYPE, "text/html; charset=utf-8")], text).into_response()
}

fn page_of(error: &Trouble) -> Response {
    let title = match error {
        Trouble::None => "Not found",
        Trouble::InUse | Trouble::NotNow => "Not now",
        _ => "Not shown",
    };
    html(status(error), trouble(title, &error.to_string()))
}

async fn sites(State(server): State<Arc<Server>>) -> Response {
    let found = blocking(move || {
        let listed = |(key, url): (String, Option<String>)| ListedSite {
            href: format!("sites/{key}/index.html"),
            note: url.unwrap_or_default(),
            key,
        };
        Ok(server.source.sites()?.into_iter().map(listed).collect::<Vec<_>>())
    });
    match found.await {
        Ok(sites) => html(StatusCode::OK, site_list(&sites)),
        Err(error) => page_of(&error),
    }
}

async fn file(State(server): State<Arc<Server>>, Path((site, file)): Path<(String, String)>) -> Response {
    made(server, site, file).await
}

async fn view(State(server): State<Arc<Server>>, Path((site, file)): Path<(String, String)>) -> Response {
    made(server, site, format!("pages/{file}")).await
}

async fn made(server: Arc<Server>, site: String, name: String) -> Response {
    match blocking(move || server.source.file(&site, &name)).await {
        Ok(file) => html(StatusCode::OK, file.to_string()),
        Err(error) => page_of(&error),
    }
}
