//! [`Push`]: `_bulk` bodies to a server, until each document is taken or its rejection is known. The only file that names
//! the `reqwest` crate.
//!
//! What can be asked again is asked again, a limited number of times and with growing pauses: 408, 429, 502, 503, 504, broken
//! connections, and items that answer 429 or 503. Sending a document twice changes nothing, since it replaces itself. A
//! body that is too large (413) is halved down to single documents, and later bodies keep below what was refused. Anything
//! else ends the export, with nothing said to be done that is not.

use super::{ExportError, Rejected, Summary};
use crate::dom::is_obeyed;
use reqwest::header::{CONTENT_TYPE, HeaderMap, HeaderName, HeaderValue, RETRY_AFTER};
use reqwest::redirect::Policy;
use serde::Deserialize;
use std::collections::{BTreeMap, VecDeque};
use std::error::Error;
use std::ops::Range;
use std::time::{Duration, SystemTime};
use tokio::runtime::Runtime;
use url::Url;

/// How patient a push is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Patience {
    /// Times that one body, or one document, is sent.
    pub attempts: u32,
    /// The pause before the second time; it doubles.
    pub pause: Duration,
    /// The longest pause, also where the server asks for a longer one.
    pub longest: Duration,
    /// For one request and its answer.
    pub timeout: Duration,
}

impl Patience {
    /// Eight times over about a minute and a half, or as long as the server asks for.
    pub const DEFAULT: Self = Self {
        attempts: 8,
        pause: Duration::from_millis(700),
        longest: Duration::from_mins(2),
        timeout: Duration::from_mins(2),
    };
}

/// Why documents cannot be pushed.
#[derive(Debug, thiserror::Error)]
pub enum PushError {
    /// The certificates cannot be read.
    #[error("these are no certificates in PEM (-----BEGIN CERTIFICATE-----){}", if .0.is_empty() { String::new() } else { format!(": {}", .0) })]
    Certificates(String),
    /// A header that HTTP does not allow. Its value is not told: it may be a password.
    #[error("--push-header {name:?} cannot be sent; write --push-header 'Name: value'")]
    Header {
        /// What stands before the colon.
        name: String,
    },
    /// No URL to push to.
    #[error("{url} cannot be pushed to; write --push http://host:9200/index")]
    Url {
        /// The URL.
        url: String,
    },
    /// The HTTP client does not start.
    #[error("the HTTP client does not start: {0}")]
    Build(String),
    /// The server does not take bodies.
    #[error("{url} answers {status}: {said}")]
    Refused {
        /// Where to.
        url: String,
        /// HTTP status.
        status: u16,
        /// The begin of what it says.
        said: String,
    },
    /// The server cannot be reached.
    #[error("{url} cannot be reached: {why}")]
    Unreachable {
        /// Where to.
        url: String,
        /// What the connection says.
        why: String,
    },
    /// All attempts failed.
    #[error(
        "{url} took {documents} documents not, in {attempts} attempts: {why}; export again, what it has taken is replaced"
    )]
    GaveUp {
        /// Where to.
        url: String,
        /// Documents of the body at hand.
        documents: usize,
        /// Times that it was sent.
        attempts: u32,
        /// The last answer.
        why: String,
    },
    /// The answer does not tell what became of each document.
    #[error("the answer of {url} is none of _bulk: {why}")]
    Answer {
        /// Where to.
        url: String,
        /// What is wrong with it.
        why: String,
    },
}

impl From<PushError> for ExportError {
    fn from(source: PushError) -> Self {
        Self::Sink { what: "cannot push".to_owned(), source: Box::new(source) }
    }
}

/// A body in the making.
#[derive(Debug, Default)]
pub(super) struct Batch {
    body: Vec<u8>,
    operations: Vec<Operation>,
}

#[derive(Debug)]
struct Operation {
    id: String,
    url: String,
    lines: Range<usize>,
    is_delete: bool,
}

impl Batch {
    pub(super) fn is_empty(&self) -> bool {
        self.operations.is_empty()
    }

    /// Bytes.
    pub(super) fn len(&self) -> usize {
        self.body.len()
    }

    pub(super) fn add(&mut self, lines: &[u8], id: &str, url: &str, is_delete: bool) {
        let start = self.body.len();
        self.body.extend_from_slice(lines);
        let lines = start..self.body.len();
        self.operations.push(Operation { id: id.to_owned(), url: url.to_owned(), lines, is_delete });
    }

    /// The body of some operations.
    fn body_of(&self, operations: &[usize]) -> Vec<u8> {
        if operations.len() == self.operations.len() {
            return self.body.clone();
        }
        operations.iter().flat_map(|&at| &self.body[self.operations[at].lines.clone()]).copied().collect()
    }
}

/// Operations of a batch that are sent together, and how often they were.
struct Work {
    operations: Vec<usize>,
    attempts: u32,
}

/// What came back for a body.
enum Answer {
    /// What became of each operation.
    Told(Vec<u8>),
    /// Too large.
    TooLarge,
    /// Perhaps later.
    Later { why: String, wait: Option<Duration> },
}

/// A server that takes `_bulk` bodies.
#[derive(Debug)]
pub struct Push {
    client: reqwest::Client,
    runtime: Runtime,
    target: Url,
    /// The URL without what is nobody's business.
    shown: String,
    headers: HeaderMap,
    patience: Patience,
    /// Bytes of a body that the server would not take, halved.
    accepted: u64,
    has_answered: bool,
    tell: fn(&str),
}

/// A pause that is told.
const LONG_PAUSE: Duration = Duration::from_secs(5);

/// Bytes of an answer at most.
const LONGEST_ANSWER: usize = 256 << 20;

impl Push {
    /// A server by its URL: that of an index, or of the server, or the whole path up to `_bulk`. A user and password in it are
    /// sent as basic authorisation, and never shown. Headers are `(name, value)`. `certificates`, in PEM, are trusted beside
    /// those of the system; there may be none. `tell` is given the words of each pause of five seconds or more.
    pub fn new(
        url: &Url,
        headers: &[(String, String)],
        certificates: &[u8],
        patience: Patience,
        tell: fn(&str),
    ) -> Result<Self, PushError> {
        let mut target = url.clone();
        let mut shown = url.clone();
        // These cannot fail where there is a host.
        let _ = shown.set_username("").and_then(|()| shown.set_password(None));
        shown.set_query(None);
        shown.set_fragment(None);
        target.set_fragment(None);
        // `…/pages/` is the index `…/pages`.
        let shown = shown.as_str().trim_end_matches('/').to_owned();
        if !matches!(url.scheme(), "http" | "https") || !url.has_host() {
            return Err(PushError::Url { url: shown });
        }
        let is_whole = url.path_segments().and_then(Iterator::last).is_some_and(|last| last == "_bulk");
        if !is_whole && let Ok(mut path) = target.path_segments_mut() {
            path.pop_if_empty().push("_bulk");
        }
        let mut sent = HeaderMap::new();
        for (name, value) in headers {
            let wrong = || PushError::Header { name: name.clone() };
            let key = HeaderName::from_bytes(name.trim().as_bytes()).map_err(|_| wrong())?;
            let mut value = HeaderValue::from_str(value.trim()).map_err(|_| wrong())?;
            value.set_sensitive(true);
            sent.append(key, value);
        }
        sent.insert(CONTENT_TYPE, HeaderValue::from_static("application/x-ndjson"));
        let failed = |error: &dyn Error| PushError::Build(error.to_string());
        let runtime =
            tokio::runtime::Builder::new_current_thread().enable_all().build().map_err(|error| failed(&error))?;
        // A redirect would send documents, and passwords, to where nobody said. Between bodies nothing watches the
        // connection, so that none is kept.
        let wrong = |error: &reqwest::Error| PushError::Certificates(words(error));
        let roots = reqwest::Certificate::from_pem_bundle(certificates).map_err(|error| wrong(&error))?;
        if roots.is_empty() && !certificates.is_empty() {
            return Err(PushError::Certificates(String::new()));
        }
        let client = reqwest::Client::builder()
            .tls_certs_merge(roots)
            .redirect(Policy::none())
            .pool_max_idle_per_host(0)
            .timeout(patience.timeout)
            .user_agent(concat!("wisdom/", env!("CARGO_PKG_VERSION")))
            .build()
            // Certificates are looked into only here.
            .map_err(|error| if certificates.is_empty() { failed(&error) } else { wrong(&error) })?;
        let accepted = u64::MAX;
        Ok(Self { client, runtime, target, shown, headers: sent, patience, accepted, has_answered: false, tell })
    }

    /// Where documents go, without passwords.
    pub fn shown(&self) -> &str {
        &self.shown
    }

    /// Bytes of a body at most, where `wanted` are asked for.
    pub(super) fn limit(&self, wanted: u64) -> u64 {
        wanted.min(self.accepted)
    }

    /// Sends a batch, and empties it. Afterwards each of its documents counts in the summary as taken or as rejected.
    pub(super) fn send(&mut self, batch: &mut Batch, summary: &mut Summary) -> Result<(), PushError> {
        let all = (0..batch.operations.len()).collect();
        let mut waiting = VecDeque::from([Work { operations: all, attempts: 0 }]);
        while let Some(mut work) = waiting.pop_front() {
            let body = batch.body_of(&work.operations);
            let size = body.len() as u64;
            work.attempts += 1;
            match self.post(body)? {
                Answer::Told(answer) => {
                    let (again, why) = self.settle(batch, &work.operations, &answer, summary)?;
                    if again.is_empty() {
                        continue;
                    }
                    if work.attempts < self.patience.attempts {
                        self.pause(work.attempts, None, &why);
                        waiting.push_front(Work { operations: again, attempts: work.attempts });
                    } else {
                        let why = format!("{why} ({} attempts)", work.attempts);
                        reject(batch, &again, &why, summary);
                    }
                }
                Answer::TooLarge => {
                    if work.operations.len() == 1 {
                        reject(batch, &work.operations, &format!("413: {size} bytes are too many"), summary);
                        continue;
                    }
                    self.accepted = self.accepted.min(size / 2).max(1);
                    let rest = work.operations.split_off(work.operations.len() / 2);
                    waiting.push_front(Work { operations: rest, attempts: 0 });
                    waiting.push_front(Work { operations: work.operations, attempts: 0 });
                }
                Answer::Later { why, wait } => {
                    if work.attempts >= self.patience.attempts {
                        return Err(PushError::GaveUp {
                            url: self.shown.clone(),
                            documents: work.operations.len(),
                            attempts: work.attempts,
                            why,
                        });
                    }
                    self.pause(work.attempts, wait, &why);
                    waiting.push_front(work);
                }
            }
        }
        *batch = Batch::default();
        Ok(())
    }

    fn pause(&self, attempts: u32, asked: Option<Duration>, why: &str) {
        let doubled = self.patience.pause.saturating_mul(1 << (attempts - 1).min(16));
        // What asks for no pause at all does not mean it.
        let pause = asked.unwrap_or_default().max(doubled).min(self.patience.longest);
        if pause >= LONG_PAUSE {
            (self.tell)(&format!("{} is asked again in {} s: {why}", self.shown, pause.as_secs()));
        }
        std::thread::sleep(pause);
    }

    /// Sends one body.
    fn post(&mut self, body: Vec<u8>) -> Result<Answer, PushError> {
        let request = self.client.post(self.target.clone()).headers(self.headers.clone()).body(body);
        let answer = self.runtime.block_on(async {
            let mut response = request.send().await?;
            let status = response.status().as_u16();
            let wait = response.headers().get(RETRY_AFTER).and_then(|value| asked_wait(value.to_str().ok()?));
            let mut said = Vec::new();
            while let Some(piece) = response.chunk().await? {
                said.extend_from_slice(&piece);
                if said.len() > LONGEST_ANSWER {
                    break;
                }
            }
            Ok::<_, reqwest::Error>((status, wait, said))
        });
        match answer {
            Ok((status, wait, said)) => {
                self.has_answered = true;
                match status {
                    200..=299 => Ok(Answer::Told(said)),
                    413 => Ok(Answer::TooLarge),
                    408 | 429 | 502 | 503 | 504 => {
                        Ok(Answer::Later { why: format!("{status}: {}", begin_of(&said)), wait })
                    }
                    _ => Err(PushError::Refused { url: self.shown.clone(), status, said: begin_of(&said) }),
                }
            }
            // Where nothing listens, waiting helps only if something did.
            Err(error) if error.is_connect() && !self.has_answered => {
                Err(PushError::Unreachable { url: self.shown.clone(), why: words(&error) })
            }
            Err(error) => Ok(Answer::Later { why: words(&error), wait: None }),
        }
    }

    /// Notes what became of each operation; gives those to send again, and the words of the last of them.
    fn settle(
        &self,
        batch: &Batch,
        operations: &[usize],
        answer: &[u8],
        summary: &mut Summary,
    ) -> Result<(Vec<usize>, String), PushError> {
        let wrong = |why: String| PushError::Answer { url: self.shown.clone(), why };
        let answer: BulkAnswer = serde_json::from_slice(answer).map_err(|error| wrong(error.to_string()))?;
        if answer.items.len() != operations.len() {
            return Err(wrong(format!("{} items for {} documents", answer.items.len(), operations.len())));
        }
        let mut again = Vec::new();
        let mut words = String::new();
        for (&at, item) in operations.iter().zip(answer.items) {
            let operation = &batch.operations[at];
            let item = item.into_values().next().ok_or_else(|| wrong("an item is empty".to_owned()))?;
            if item.id.as_ref().is_some_and(|id| *id != operation.id) {
                return Err(wrong(format!("the item of document {} is of another", operation.id)));
            }
            match item.status {
                200..=299 => {
                    summary.written += u64::from(!operation.is_delete);
                    summary.removed += u64::from(operation.is_delete);
                }
                // It is gone, as it should be.
                404 if operation.is_delete => summary.removed += 1,
                429 | 503 => {
                    again.push(at);
                    words = reason(&item);
                }
                _ => reject(batch, &[at], &reason(&item), summary),
            }
        }
        Ok((again, words))
    }
}

fn reject(batch: &Batch, operations: &[usize], reason: &str, summary: &mut Summary) {
    let operations = operations.iter().map(|&at| &batch.operations[at]);
    summary.rejected.extend(operations.map(|operation| Rejected {
        id: operation.id.clone(),
        url: operation.url.clone(),
        reason: reason.to_owned(),
    }));
}

#[derive(Debug, Deserialize)]
struct BulkAnswer {
    items: Vec<BTreeMap<String, Item>>,
}

#[derive(Debug, Deserialize)]
struct Item {
    #[serde(rename = "_id")]
    id: Option<String>,
    status: u16,
    error: Option<serde_json::Value>,
}

/// The words of a rejection: status, type, reason and its cause.
fn reason(item: &Item) -> String {
    let mut text = item.status.to_string();
    if let Some(error) = &item.error {
        let cause = &error["caused_by"];
        let parts = [error.as_str(), error["type"].as_str(), error["reason"].as_str(), cause["reason"].as_str()];
        for part in parts.into_iter().flatten() {
            text.push_str(": ");
            text.push_str(part);
        }
    }
    begin_of(text.as_bytes())
}

/// Characters of an answer that are told.
const TOLD: usize = 300;

/// The begin of what a server says, on one line and safe for a terminal.
fn begin_of(said: &[u8]) -> String {
    let text = String::from_utf8_lossy(&said[..said.len().min(TOLD * 4)]);
    let text: String = text.chars().map(|c| if is_obeyed(c) { ' ' } else { c }).take(TOLD).collect();
    text.trim().to_owned()
}

/// How long `Retry-After` asks to wait: seconds, or an HTTP date.
fn asked_wait(value: &str) -> Option<Duration> {
    if let Ok(seconds) = value.trim().parse() {
        return Some(Duration::from_secs(seconds));
    }
    let date = httpdate::parse_http_date(value.trim()).ok()?;
    Some(date.duration_since(SystemTime::now()).unwrap_or_default())
}

/// The words of an error and its causes, without the URL, which may hold a password.
fn words(error: &reqwest::Error) -> String {
    let mut parts: Vec<String> = Vec::new();
    let mut cause = error.source();
    while let Some(e) = cause.filter(|_| parts.len() < 6) {
        parts.push(e.to_string());
        cause = e.source();
    }
    if parts.is_empty() { "the request failed".to_owned() } else { begin_of(parts.join(": ").as_bytes()) }
}
