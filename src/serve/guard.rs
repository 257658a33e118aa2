//! What holds for every request: who may ask, how, and what browsers may do with the answer.

use super::Server;
use crate::report::policy;
use axum::extract::{Request, State};
use axum::http::header::{
    ALLOW, CACHE_CONTROL, CONTENT_SECURITY_POLICY, CONTENT_TYPE, HOST, HeaderName, REFERRER_POLICY,
    X_CONTENT_TYPE_OPTIONS, X_FRAME_OPTIONS,
};
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use std::net::IpAddr;
use std::sync::Arc;

/// Refuses what is neither GET nor HEAD, and whoever asks under a name that is not the server's; tells browsers to keep to
/// the pages' policy.
pub(super) async fn guard(State(server): State<Arc<Server>>, request: Request, next: Next) -> Response {
    let mut answer = if !is_own(&server, request.headers()) {
        let text = "this server is asked by its address or by localhost; a name is allowed by --host NAME\n";
        (StatusCode::MISDIRECTED_REQUEST, text).into_response()
    } else if !matches!(*request.method(), Method::GET | Method::HEAD) {
        (StatusCode::METHOD_NOT_ALLOWED, [(ALLOW, "GET, HEAD")], "only GET and HEAD: nothing can be written here\n")
            .into_response()
    } else {
        next.run(request).await
    };
    let headers = answer.headers_mut();
    let fixed = |text: &'static str| HeaderValue::from_static(text);
    let is_page = headers.get(CONTENT_TYPE).is_some_and(|kind| kind.as_bytes().starts_with(b"text/html"));
    // What is no page has nothing to load.
    let allowed = if is_page { policy(true) } else { "default-src 'none'" };
    if let Ok(value) = HeaderValue::from_str(&format!("{allowed}; frame-ancestors 'none'")) {
        headers.insert(CONTENT_SECURITY_POLICY, value);
    }
    headers.insert(X_CONTENT_TYPE_OPTIONS, fixed("nosniff"));
    headers.insert(X_FRAME_OPTIONS, fixed("DENY"));
    headers.insert(REFERRER_POLICY, fixed("no-referrer"));
    headers.insert(CACHE_CONTROL, fixed("no-store"));
    headers.insert(HeaderName::from_static("cross-origin-resource-policy"), fixed("same-origin"));
    answer
}

/// Whether the one `Host` names this server: an address, `localhost` or an allowed name. Its port may be another's, as through a
/// tunnel: what a page of the web can choose is the name.
fn is_own(server: &Server, headers: &HeaderMap) -> bool {
    let mut hosts = headers.get_all(HOST).iter();
    let (Some(host), None) = (hosts.next(), hosts.next()) else { return false };
    host.to_str().is_ok_and(|host| names_server(host, &server.names))
}

fn names_server(host: &str, names: &[String]) -> bool {
    let name = match host.rsplit_once(':') {
        Some((name, port)) if !port.contains(']') => match port.parse::<u16>() {
            Ok(_) => name,
            Err(_) => return false,
        },
        _ => host,
    };
    let bare = name.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')).unwrap_or(name);
    let name = name.to_ascii_lowercase();
    name == "localhost" || bare.parse::<IpAddr>().is_ok() || names.contains(&name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_addresses_and_own_names_are_answered() {
        let names = ["box.lan".to_owned()];
        for host in ["127.0.0.1:80", "127.0.0.1", "LOCALHOST:80", "[::1]:80", "[::1]", "10.0.0.7:81", "box.lan"] {
            assert!(names_server(host, &names), "{host}");
        }
        for host in [
            "evil.example",
            "localhost.evil.example:80",
            "127.0.0.1.evil.example",
            "",
            ":80",
            "[::1",
            "a:b",
            "localhost:80:80",
        ] {
            assert!(!names_server(host, &names), "{host}");
        }
    }
}
