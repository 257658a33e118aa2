//! The HTTP client, and the only file that names the `spider` crate.
//!
//! Of `spider` 2.53.9 only the client is used: its crawl counts path segments as depth, loses pages when the consumer is
//! slow, misreads robots.txt, folds the case of URLs and has no size limit. Its own redirects and content decoding are
//! switched off, because `fetch` has to see what the server said.

use std::error::Error as _;
use std::sync::Once;
use std::time::Duration;

use spider::client::header::{HeaderMap, HeaderName, HeaderValue};
use spider::client::{Proxy, Response as RawResponse};
use spider::configuration::RedirectPolicy;
use spider::reqwest::Version;
use spider::website::Website;
use thiserror::Error;
use url::Url;

use super::params::CrawlParams;

/// Time for one connection at most.
const LONGEST_CONNECT: Duration = Duration::from_secs(10);

/// Why a client cannot be made from the parameters.
#[derive(Debug, Error)]
pub enum ClientError {
    /// A header that HTTP does not allow.
    #[error("header {name:?} cannot be sent: {reason}; write --header 'Name: value'")]
    Header {
        /// Its name as given.
        name: String,
        /// What is wrong.
        reason: String,
    },
    /// A proxy that is no URL.
    #[error("proxy {proxy:?} cannot be used: {reason}; write a URL such as http://127.0.0.1:3128")]
    Proxy {
        /// As given.
        proxy: String,
        /// What is wrong.
        reason: String,
    },
    /// The HTTP client does not start.
    #[error("the HTTP client does not start: {0}")]
    Build(String),
}

/// What kind of failure kept a response away.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum FailureKind {
    /// No address for the name.
    UnknownHost,
    /// Nobody listens there, or no way leads there.
    Refused,
    /// No trust or no common protocol.
    Tls,
    /// No connection in time.
    Timeout,
    /// The connection broke.
    Reset,
    /// What came is not HTTP.
    Protocol,
    /// Anything else.
    Other,
}

/// A failure with its words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Failure {
    pub(crate) kind: FailureKind,
    pub(crate) detail: String,
}

/// An HTTP client with cookies, without redirects.
#[derive(Clone, Debug)]
pub(crate) struct Client {
    inner: spider::Client,
    /// Headers of the user's, for the site only: they may hold passwords.
    own: HeaderMap,
}

impl Client {
    pub(crate) fn new(params: &CrawlParams) -> Result<Self, ClientError> {
        // Without its background runtime every connection fails; a second call would start a second one.
        static BACKGROUND: Once = Once::new();
        BACKGROUND.call_once(spider::utils::connect::init_background_runtime);

        let mut own = HeaderMap::new();
        for (name, value) in &params.headers {
            let wrong = |reason: String| ClientError::Header { name: name.clone(), reason };
            let key = HeaderName::from_bytes(name.trim().as_bytes()).map_err(|e| wrong(e.to_string()))?;
            let value = HeaderValue::from_str(value.trim()).map_err(|e| wrong(e.to_string()))?;
            own.append(key, value);
        }
        let mut site = Website::new(params.site.as_str());
        site.with_user_agent(Some(&params.user_agent))
            .with_redirect_policy(RedirectPolicy::None)
            // A little less than the time for the whole response, so that "no connection" is told from "no answer".
            .with_default_http_connect_timeout(Some(params.timeout.mul_f32(0.9).min(LONGEST_CONNECT)))
            // `fetch` watches the time itself; this one only has to be longer.
            .with_default_http_read_timeout(Some(params.timeout.saturating_mul(2)));
        for cookie in params.cookie.iter().flat_map(|c| c.split(';')).map(str::trim).filter(|c| !c.is_empty()) {
            site.cookie_jar.add_cookie_str(cookie, &params.site);
        }
        let mut builder = site
            .configure_http_client_builder()
            .no_gzip()
            .no_brotli()
            .no_deflate()
            .no_zstd()
            .pool_idle_timeout(Duration::from_secs(30));
        if let Some(proxy) = &params.proxy {
            let wrong = |e: spider::client::Error| ClientError::Proxy { proxy: proxy.clone(), reason: chain(&e) };
            builder = builder.proxy(Proxy::all(proxy).map_err(wrong)?);
        }
        let inner = builder.build().map_err(|e| ClientError::Build(chain(&e)))?;
        Ok(Self { inner, own })
    }

    /// Sends a GET and waits for the head of the response. `trusted`: the URL belongs to the site, so the user's own
    /// headers go along.
    pub(crate) async fn get(&self, url: &Url, headers: &[(&str, &str)], trusted: bool) -> Result<Response, Failure> {
        let mut request = self.inner.get(url.clone());
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        if trusted {
            request = request.headers(self.own.clone());
        }
        let response = request.send().await.map_err(|e| failure(&e))?;
        if response.version() == Version::HTTP_09 {
            return Err(Failure { kind: FailureKind::Protocol, detail: "the answer is not HTTP".to_owned() });
        }
        Ok(Response(response))
    }
}

/// The head of a response; its body is still to come.
#[derive(Debug)]
pub(crate) struct Response(RawResponse);

impl Response {
    pub(crate) fn status(&self) -> u16 {
        self.0.status().as_u16()
    }

    /// Names in lower case, invalid bytes replaced, order kept.
    pub(crate) fn headers(&self) -> Vec<(String, String)> {
        let pair = |(name, value): (&HeaderName, &HeaderValue)| {
            (name.as_str().to_owned(), String::from_utf8_lossy(value.as_bytes()).into_owned())
        };
        self.0.headers().iter().map(pair).collect()
    }

    /// Appends the next piece of the body; `false` at its end.
    pub(crate) async fn read_into(&mut self, body: &mut Vec<u8>) -> Result<bool, Failure> {
        match self.0.chunk().await {
            Ok(Some(chunk)) => {
                body.extend_from_slice(&chunk);
                Ok(true)
            }
            Ok(None) => Ok(false),
            Err(e) => Err(failure(&e)),
        }
    }
}

fn failure(error: &spider::client::Error) -> Failure {
    let detail = chain(error);
    let lower = detail.to_ascii_lowercase();
    let has = |words: &[&str]| words.iter().any(|w| lower.contains(w));
    let io = io_kind(error);
    let kind = if has(&["dns error", "failed to lookup address", "name or service not known", "no such host"]) {
        FailureKind::UnknownHost
    } else if has(&[
        "certificate",
        "tls",
        "handshake",
        "invalidcontenttype",
        "corrupt message",
        "peer sent",
        "close_notify",
    ]) {
        FailureKind::Tls
    } else if error.is_timeout() || io == Some(std::io::ErrorKind::TimedOut) {
        FailureKind::Timeout
    } else if matches!(
        io,
        Some(
            std::io::ErrorKind::ConnectionReset
                | std::io::ErrorKind::ConnectionAborted
                | std::io::ErrorKind::BrokenPipe
        )
    ) || has(&["connection closed before message completed", "connection reset"])
    {
        FailureKind::Reset
    } else if matches!(io, Some(std::io::ErrorKind::ConnectionRefused)) || error.is_connect() {
        FailureKind::Refused
    } else if has(&["invalid http", "message head is too large", "parsed"]) {
        FailureKind::Protocol
    } else {
        FailureKind::Other
    };
    Failure { kind, detail }
}

/// The words of an error and its causes, repetitions and the URL (which the reader knows) left out.
fn chain(error: &spider::client::Error) -> String {
    let mut parts: Vec<String> = Vec::new();
    let mut cause = error.source();
    while let Some(e) = cause {
        let text = e.to_string();
        // "client error (Connect)" says nothing that its cause does not.
        if !text.is_empty() && !text.starts_with("client error") && parts.last() != Some(&text) && parts.len() < 6 {
            parts.push(text);
        }
        cause = e.source();
    }
    if parts.is_empty() { error.to_string() } else { parts.join(": ") }
}

fn io_kind(error: &spider::client::Error) -> Option<std::io::ErrorKind> {
    let mut cause = error.source();
    let mut kind = None;
    while let Some(e) = cause {
        if let Some(io) = e.downcast_ref::<std::io::Error>() {
            kind = Some(io.kind());
        }
        cause = e.source();
    }
    kind
}
