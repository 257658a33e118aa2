//! A web server on loopback that answers from a fixed table of routes.
//!
//! It speaks HTTP/1.1 with keep-alive, knows GET and HEAD, and stops when it is dropped. It exists for the demo, so it
//! binds 127.0.0.1 only and keeps everything in memory.

use std::collections::HashMap;
use std::convert::Infallible;
use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use http_body_util::Full;
use hyper::body::{Bytes, Incoming};
use hyper::header::{ALLOW, CONTENT_TYPE, HeaderMap, HeaderValue};
use hyper::service::service_fn;
use hyper::{Method, Request, Response, StatusCode};
use hyper_util::rt::TokioIo;
use tokio::net::{TcpListener, TcpStream};
use tokio::task::{JoinHandle, JoinSet};

use super::site::Route;

/// How long to wait before accepting again when accepting fails, as it does when files run out.
const ACCEPT_PAUSE: Duration = Duration::from_millis(50);

/// A running server. Dropping it closes the port and every connection.
#[derive(Debug)]
pub(crate) struct Server {
    /// Where it listens.
    pub(crate) addr: SocketAddr,
    task: JoinHandle<()>,
}

impl Server {
    /// The address of the server as a URL without a slash at the end, like `http://127.0.0.1:8000`.
    pub(crate) fn base(&self) -> String {
        base(self.addr)
    }

    /// Stops the server and waits until its port is closed.
    pub(crate) async fn shutdown(mut self) {
        self.task.abort();
        // The only error is that the task was aborted, which is what was asked for.
        let _aborted = (&mut self.task).await;
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.task.abort();
    }
}

/// Binds a free port of 127.0.0.1, builds the routes for that address and serves them in the background.
///
/// `build` gets the address as a URL without a slash at the end. Must be called inside a tokio runtime with I/O and
/// time enabled.
///
/// # Errors
/// When no port can be bound, or when a route has a status or header that HTTP does not allow.
pub(crate) async fn serve(build: impl FnOnce(&str) -> Vec<Route>) -> io::Result<Server> {
    let listener = TcpListener::bind((std::net::Ipv4Addr::LOCALHOST, 0)).await?;
    let addr = listener.local_addr()?;
    let replies = build(&base(addr)).into_iter().map(reply).collect::<io::Result<HashMap<_, _>>>()?;
    let task = tokio::spawn(accept(listener, Arc::new(replies)));
    Ok(Server { addr, task })
}

fn base(addr: SocketAddr) -> String {
    format!("http://{addr}")
}

/// A route made ready to send.
#[derive(Debug)]
struct Reply {
    status: StatusCode,
    headers: HeaderMap,
    body: Bytes,
}

type Replies = HashMap<String, Reply>;

fn reply(route: Route) -> io::Result<(String, Reply)> {
    let Route { path, status, headers, body } = route;
    let invalid = |what: String| io::Error::new(io::ErrorKind::InvalidInput, format!("route {path}: {what}"));
    let status = StatusCode::from_u16(status).map_err(|_| invalid(format!("{status} is no HTTP status")))?;
    let mut map = HeaderMap::new();
    for (name, value) in headers {
        let value = HeaderValue::from_str(&value).map_err(|error| invalid(format!("header {name}: {error}")))?;
        let name = hyper::header::HeaderName::from_bytes(name.as_bytes())
            .map_err(|error| invalid(format!("header {name}: {error}")))?;
        map.append(name, value);
    }
    Ok((path, Reply { status, headers: map, body: Bytes::from(body) }))
}

/// Accepts connections until the task is aborted, which ends the connections too because it owns them.
async fn accept(listener: TcpListener, replies: Arc<Replies>) {
    let mut connections = JoinSet::new();
    loop {
        tokio::select! {
            accepted = listener.accept() => match accepted {
                Ok((stream, _)) => {
                    connections.spawn(connection(stream, Arc::clone(&replies)));
                }
                Err(_) => tokio::time::sleep(ACCEPT_PAUSE).await,
            },
            // Finished connections are taken out, so that a long crawl does not pile them up.
            Some(_) = connections.join_next() => {}
        }
    }
}

async fn connection(stream: TcpStream, replies: Arc<Replies>) {
    let service = service_fn(move |request: Request<Incoming>| {
        let response = respond(request.method(), request.uri().path(), &replies);
        async move { Ok::<_, Infallible>(response) }
    });
    // A client that goes away or sends no HTTP concerns that client alone.
    let _closed = hyper::server::conn::http1::Builder::new().serve_connection(TokioIo::new(stream), service).await;
}

/// The answer to one request. For HEAD hyper sends the headers, with the length, and leaves out the body.
fn respond(method: &Method, path: &str, replies: &Replies) -> Response<Full<Bytes>> {
    let mut response = Response::new(Full::default());
    if method != Method::GET && method != Method::HEAD {
        *response.status_mut() = StatusCode::METHOD_NOT_ALLOWED;
        response.headers_mut().insert(ALLOW, HeaderValue::from_static("GET, HEAD"));
        return response;
    }
    if let Some(reply) = replies.get(path) {
        *response.status_mut() = reply.status;
        response.headers_mut().clone_from(&reply.headers);
        *response.body_mut() = Full::new(reply.body.clone());
    } else {
        *response.status_mut() = StatusCode::NOT_FOUND;
        response.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static("text/html; charset=utf-8"));
        *response.body_mut() = Full::new(Bytes::from_static(include_bytes!("site/templates/not-found.html")));
    }
    response
}

#[cfg(test)]
mod tests {
    use std::io::{Read as _, Write as _};
    use std::net::TcpStream as StdStream;

    use super::super::site::routes;
    use super::*;

    /// Sends one request and returns head and body of the answer.
    async fn ask(addr: SocketAddr, method: &'static str, path: &'static str) -> (String, Vec<u8>) {
        let answer = tokio::task::spawn_blocking(move || {
            let mut stream = StdStream::connect(addr)?;
            write!(stream, "{method} {path} HTTP/1.1\r\nHost: {addr}\r\nConnection: close\r\n\r\n")?;
            let mut bytes = Vec::new();
            stream.read_to_end(&mut bytes)?;
            Ok::<_, io::Error>(bytes)
        });
        let bytes = answer.await.expect("the client ran").expect("the server answered");
        let split = bytes.windows(4).position(|window| window == b"\r\n\r\n").expect("a head");
        (String::from_utf8_lossy(&bytes[..split]).to_lowercase(), bytes[split + 4..].to_vec())
    }

    #[tokio::test]
    async fn serves_pages_redirects_and_errors() {
        let server = serve(routes).await.expect("a free port");
        let addr = server.addr;
        let (head, body) = ask(addr, "GET", "/").await;
        assert!(head.starts_with("http/1.1 200") && head.contains("content-type: text/html; charset=utf-8"), "{head}");
        assert!(String::from_utf8_lossy(&body).contains(&server.base()), "the front page names its own address");

        let (head, empty) = ask(addr, "HEAD", "/?query=1").await;
        assert!(
            head.starts_with("http/1.1 200") && head.contains(&format!("content-length: {}", body.len())),
            "{head}"
        );
        assert!(empty.is_empty());

        let (head, _) = ask(addr, "GET", "/old-news/2019/late-ferry").await;
        assert!(head.starts_with("http/1.1 301") && head.contains("location: /harbour/"), "{head}");
        let (head, body) = ask(addr, "GET", "/no/such/page").await;
        assert!(head.starts_with("http/1.1 404") && body.starts_with(b"<!DOCTYPE html>"), "{head}");
        assert!(ask(addr, "GET", "/status/tides-live").await.0.starts_with("http/1.1 500"));
        assert!(ask(addr, "POST", "/").await.0.starts_with("http/1.1 405"));
    }

    #[tokio::test]
    async fn shutdown_closes_the_port() {
        let server = serve(|_| Vec::new()).await.expect("a free port");
        let addr = server.addr;
        server.shutdown().await;
        assert!(StdStream::connect(addr).is_err());
    }

    #[tokio::test]
    async fn a_route_that_http_does_not_allow_is_refused() {
        let bad = |headers, status| Route { path: "/x".to_owned(), status, headers, body: Vec::new() };
        let error = serve(|_| vec![bad(vec![("location", "a\nb".to_owned())], 301)]).await.expect_err("a bad header");
        assert!(error.to_string().starts_with("route /x: header location"), "{error}");
        assert!(serve(|_| vec![bad(Vec::new(), 99)]).await.is_err());
    }
}
