//! One response: its head, and its body under a limit of bytes and of time.

use std::time::Duration;

use thiserror::Error;
use url::Url;

use super::coding::{self, CodingError};
use super::sniff::{self, Promise};
use super::spider::{Client, Failure};

/// What the crawl understands; anything but HTML is asked for only faintly.
const ACCEPT: &str = "text/html,application/xhtml+xml;q=0.9,*/*;q=0.5";

/// What to ask for, and how much to take.
#[derive(Clone, Debug)]
pub(crate) struct Ask<'a> {
    pub(crate) url: &'a Url,
    /// `If-None-Match`.
    pub(crate) etag: Option<&'a str>,
    /// `If-Modified-Since`.
    pub(crate) last_modified: Option<&'a str>,
    /// Bytes of the body at most, before and after decoding.
    pub(crate) max_bytes: usize,
    /// Time from the first byte sent to the last received.
    pub(crate) timeout: Duration,
    pub(crate) want: Want,
    /// Whether the URL belongs to the site.
    pub(crate) trusted: bool,
}

/// Bytes that a body of which only the beginning is wanted may unpack to.
const BEGINNING_UNPACKED: usize = 64 << 20;

/// What body is wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Want {
    /// A page; other bodies are left unread.
    Page,
    /// A body of any type.
    Any,
    /// The beginning of a body of any type: over the limit it is cut.
    Beginning,
}

/// A response.
#[derive(Clone, Debug)]
pub(crate) struct Reply {
    pub(crate) status: u16,
    pub(crate) headers: Vec<(String, String)>,
    pub(crate) body: Body,
}

impl Reply {
    /// The first value of a header, by lower-case name.
    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        header(&self.headers, name)
    }
}

/// The body of a response.
#[derive(Clone, Debug)]
pub(crate) enum Body {
    /// All of it, decoded.
    Whole(Vec<u8>),
    /// Left unread: a page was wanted, and this is none; why.
    NotPage(String),
    /// Left unread: the status says there is nothing to keep.
    Unread,
}

/// Why there is no response.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub(crate) enum FetchError {
    #[error("{}", .0.detail)]
    Network(Failure),
    #[error("the body is over {limit} bytes (--max-bytes)")]
    TooLarge { limit: usize },
    #[error("the body ends before it is complete")]
    Truncated,
    #[error("the content encoding {0:?} cannot be undone")]
    Coding(String),
    #[error("no complete answer within {} s (--timeout)", .after.as_secs_f32())]
    Timeout { after: Duration, answered: bool },
}

pub(crate) fn header<'a>(headers: &'a [(String, String)], name: &str) -> Option<&'a str> {
    headers.iter().find(|(n, _)| n == name).map(|(_, v)| v.as_str())
}

/// Fetches one URL; redirects are answers, not followed.
pub(crate) async fn fetch(client: &Client, ask: &Ask<'_>) -> Result<Reply, FetchError> {
    let mut answered = false;
    match tokio::time::timeout(ask.timeout, exchange(client, ask, &mut answered)).await {
        Ok(result) => result,
        Err(_) => Err(FetchError::Timeout { after: ask.timeout, answered }),
    }
}

async fn exchange(client: &Client, ask: &Ask<'_>, answered: &mut bool) -> Result<Reply, FetchError> {
    let mut headers = vec![("accept", ACCEPT), ("accept-encoding", "gzip")];
    headers.extend(ask.etag.map(|v| ("if-none-match", v)));
    headers.extend(ask.last_modified.map(|v| ("if-modified-since", v)));
    let mut response = client.get(ask.url, &headers, ask.trusted).await.map_err(FetchError::Network)?;
    *answered = true;

    let mut reply = Reply { status: response.status(), headers: response.headers(), body: Body::Unread };
    if !(200..300).contains(&reply.status) {
        return Ok(reply);
    }
    let promise = sniff::promise(reply.header("content-type"));
    if ask.want == Want::Page && promise == Promise::Other {
        let kind = reply.header("content-type").unwrap_or_default().chars().take(100).collect();
        reply.body = Body::NotPage(kind);
        return Ok(reply);
    }
    let codings = reply.header("content-encoding").unwrap_or_default().to_owned();
    let declared = reply.header("content-length").and_then(|v| v.parse::<usize>().ok());
    if ask.want != Want::Beginning && declared.is_some_and(|n| n > ask.max_bytes) {
        return Err(FetchError::TooLarge { limit: ask.max_bytes });
    }

    let mut body = Vec::with_capacity(declared.unwrap_or(0).min(1 << 20));
    let mut sniffed = false;
    let mut cut = false;
    loop {
        match response.read_into(&mut body).await {
            Ok(true) => {}
            Ok(false) => break,
            Err(_) => {
                cut = true;
                break;
            }
        }
        if body.len() > ask.max_bytes {
            if ask.want == Want::Beginning {
                break;
            }
            return Err(FetchError::TooLarge { limit: ask.max_bytes });
        }
        // Binary data without end is noticed at its beginning.
        if ask.want == Want::Page && !sniffed && codings.is_empty() && body.len() >= 1024 {
            sniffed = true;
            if let Err(kind) = sniff::check(promise, &body) {
                reply.body = Body::NotPage(kind.to_owned());
                return Ok(reply);
            }
        }
    }
    let packed = !codings.is_empty() && coding::is_gzip(&body);
    let mut most = ask.max_bytes;
    if ask.want == Want::Beginning {
        // What is behind the beginning is no fault: a plain body is cut here, a packed one by its reader.
        most = BEGINNING_UNPACKED;
        if !packed {
            body.truncate(ask.max_bytes);
        }
    }
    let decoded = coding::decode(&codings, body, most);
    // A packed body knows its own end, so a wrong Content-Length (servers state the unpacked length) does no harm.
    if cut && !(packed && decoded.is_ok()) {
        return Err(FetchError::Truncated);
    }
    let body = decoded.map_err(|e| match e {
        CodingError::TooLarge => FetchError::TooLarge { limit: ask.max_bytes },
        CodingError::Damaged => FetchError::Truncated,
        CodingError::Unknown(name) => FetchError::Coding(name),
    })?;
    reply.body = match sniff::check(promise, &body) {
        Err(kind) if ask.want == Want::Page => Body::NotPage(kind.to_owned()),
        _ => Body::Whole(body),
    };
    Ok(reply)
}
