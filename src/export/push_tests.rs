//! Pushing to a server on loopback that reads `_bulk` strictly and misbehaves on purpose.

use super::fixture::{Place, hostile, sample};
use super::{BulkTarget, Document, ExportError, Fields, OpenSearch, Patience, Push, Sink, Summary};
use serde_json::{Value, json};
use std::collections::{BTreeMap, VecDeque};
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex};
use std::time::Duration;
use url::Url;

/// What the server does with a request.
#[derive(Clone, Debug)]
enum Act {
    /// Takes it.
    Take,
    /// Refuses it with a status and headers.
    Refuse(u16, &'static str),
    /// Takes it, but answers for these ids with this status.
    Items(u16, Vec<String>),
    /// Breaks the connection before an answer.
    Reset,
    /// Takes it, and breaks the connection within the answer.
    CutAnswer,
    /// Answers something else.
    Say(&'static str),
}

/// What the server holds and has seen.
#[derive(Debug, Default)]
struct Seen {
    script: VecDeque<Act>,
    /// Bytes of a body that it takes at most.
    limit: usize,
    documents: BTreeMap<String, Value>,
    /// Sizes of bodies, and how many operations each had.
    bodies: Vec<(usize, usize)>,
    heads: Vec<String>,
    /// What was against the protocol.
    offences: Vec<String>,
}

/// A server; it ends with the process of the tests.
struct Server {
    url: Url,
    seen: Arc<Mutex<Seen>>,
}

impl Server {
    fn start(script: impl IntoIterator<Item = Act>, limit: usize) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let url = Url::parse(&format!("http://{}/pages", listener.local_addr().unwrap())).unwrap();
        let seen = Arc::new(Mutex::new(Seen { script: script.into_iter().collect(), limit, ..Seen::default() }));
        let shared = Arc::clone(&seen);
        std::thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                // A client that goes away is no fault of the server.
                let _ = converse(&stream, &shared);
            }
        });
        Self { url, seen }
    }

    fn push(&self, documents: &[Document], gone: &[(&str, &str)]) -> Result<Summary, ExportError> {
        self.push_by(documents, gone, 1 << 20)
    }

    fn push_by(&self, documents: &[Document], gone: &[(&str, &str)], limit: u64) -> Result<Summary, ExportError> {
        let push = Push::new(&self.url, &[("X-Key".to_owned(), "secret".to_owned())], b"", QUICK, |_| {})?;
        let mut sink: Box<dyn Sink> =
            Box::new(OpenSearch::new(Fields::default(), None, BulkTarget::Push(Box::new(push), limit)));
        let place = Place::new();
        for document in documents {
            place.try_write(sink.as_mut(), document)?;
        }
        for (id, url) in gone {
            sink.remove(id, url)?;
        }
        sink.finish()
    }

    /// What was seen, after a check that nothing was against the protocol.
    #[track_caller]
    fn seen(&self) -> std::sync::MutexGuard<'_, Seen> {
        let seen = self.seen.lock().unwrap();
        assert!(seen.offences.is_empty(), "{:?}", seen.offences);
        seen
    }
}

const QUICK: Patience = Patience {
    attempts: 4,
    pause: Duration::from_millis(1),
    longest: Duration::from_millis(50),
    timeout: Duration::from_secs(20),
};

fn converse(stream: &TcpStream, seen: &Mutex<Seen>) -> std::io::Result<()> {
    let mut reader = BufReader::new(stream);
    let mut head = String::new();
    while !head.ends_with("\r\n\r\n") {
        if reader.read_line(&mut head)? == 0 {
            return Ok(());
        }
    }
    let lower = head.to_ascii_lowercase();
    let length = lower.split("content-length: ").nth(1).and_then(|rest| rest.lines().next()?.trim().parse().ok());
    let mut body = vec![0; length.unwrap_or(0)];
    reader.read_exact(&mut body)?;
    let mut seen = seen.lock().unwrap();
    let mut offences = Vec::new();
    if !head.starts_with("POST /pages/_bulk HTTP/1.1\r\n") {
        offences.push(format!("request: {head}"));
    }
    if !lower.contains("content-type: application/x-ndjson\r\n") || length.is_none() {
        offences.push(format!("headers: {head}"));
    }
    let operations = operations(&body, &mut offences);
    seen.offences.extend(offences);
    seen.heads.push(lower);
    seen.bodies.push((body.len(), operations.len()));
    let act = if body.len() > seen.limit { Act::Refuse(413, "") } else { seen.script.pop_front().unwrap_or(Act::Take) };
    let mut out = stream;
    let (status, headers, answer) = match act {
        Act::Reset => return Ok(()),
        Act::Refuse(status, headers) => (status, headers, "no\u{7} \u{1b}[31mthanks".to_owned()),
        Act::Say(text) => (200, "", text.to_owned()),
        Act::Take => (200, "", take(&mut seen, operations, 0, &[])),
        Act::Items(status, ids) => (200, "", take(&mut seen, operations, status, &ids)),
        Act::CutAnswer => {
            let answer = take(&mut seen, operations, 0, &[]);
            write!(out, "HTTP/1.1 200 OK\r\nContent-Length: {}\r\n\r\n{}", answer.len(), &answer[..9])?;
            return Ok(());
        }
    };
    write!(out, "HTTP/1.1 {status} X\r\n{headers}Connection: close\r\nContent-Length: {}\r\n\r\n{answer}", answer.len())
}

type Operation = (&'static str, String, Option<Value>);

/// Reads a body strictly: each action on its line, with its source on the next, and the last line ended.
fn operations(body: &[u8], offences: &mut Vec<String>) -> Vec<Operation> {
    let mut found = Vec::new();
    if body.last() != Some(&b'\n') {
        offences.push("the last line does not end".to_owned());
    }
    let mut lines = body.strip_suffix(b"\n").unwrap_or(body).split(|&b| b == b'\n');
    while let Some(line) = lines.next() {
        let action: Value = serde_json::from_slice(line).unwrap_or_default();
        let keys: Vec<&String> = action.as_object().into_iter().flat_map(|action| action.keys()).collect();
        let id = |name: &str| action[name]["_id"].as_str().map(str::to_owned);
        match (&keys[..], id("index"), id("delete")) {
            ([_], Some(id), None) => {
                let source = lines.next().and_then(|line| serde_json::from_slice(line).ok());
                if source.as_ref().is_none_or(|source: &Value| source["id"] != id) {
                    offences.push(format!("no source for {id}"));
                }
                found.push(("index", id, source));
            }
            ([_], None, Some(id)) => found.push(("delete", id, None)),
            _ => offences.push(format!("no action: {}", String::from_utf8_lossy(line))),
        }
    }
    found
}

fn take(seen: &mut Seen, operations: Vec<Operation>, status: u16, ids: &[String]) -> String {
    let mut items = Vec::new();
    for (name, id, source) in operations {
        let status = if ids.contains(&id) {
            status
        } else if let Some(source) = source {
            seen.documents.insert(id.clone(), source);
            201
        } else if seen.documents.remove(&id).is_some() {
            200
        } else {
            404
        };
        let mut item = json!({"_index": "pages", "_id": id, "status": status});
        if ids.contains(&id) {
            item["error"] = json!({"type": "mapper_parsing_exception", "reason": "failed to parse"});
        }
        items.push(json!({ name: item }));
    }
    json!({"took": 1, "errors": !ids.is_empty(), "items": items}).to_string()
}

fn documents(count: u32) -> Vec<Document> {
    (0..count).map(hostile).collect()
}

fn id(number: u32) -> String {
    hostile(number).id
}

#[test]
fn documents_and_deletions_arrive_once() {
    let server = Server::start([], usize::MAX);
    server.push(&[sample()], &[]).unwrap();
    let summary = server.push(&documents(5), &[(&sample().id, "u"), ("none", "u")]).unwrap();
    assert_eq!((summary.written, summary.removed, summary.rejected.len()), (5, 2, 0));
    let seen = server.seen();
    assert_eq!(seen.documents.len(), 5);
    assert_eq!(seen.documents[&id(3)]["title"], hostile(3).title);
    assert!(seen.heads[0].contains("x-key: secret\r\n"));
    drop(seen);
    assert!(
        server.push(&[], &[]).unwrap().written == 0 && server.seen().bodies.len() == 2,
        "an empty body is not sent"
    );
}

#[test]
fn bodies_keep_to_the_limit() {
    let server = Server::start([], usize::MAX);
    server.push_by(&documents(20), &[], 3000).unwrap();
    let seen = server.seen();
    assert_eq!(seen.documents.len(), 20);
    assert!(seen.bodies.len() > 1 && seen.bodies.iter().all(|(bytes, _)| *bytes <= 3000), "{:?}", seen.bodies);
    drop(seen);
    // One document alone may have more.
    let server = Server::start([], usize::MAX);
    server.push_by(&documents(3), &[], 10).unwrap();
    assert!(server.seen().bodies.iter().all(|(_, operations)| *operations == 1));
}

#[test]
fn a_body_that_is_too_large_is_halved_down_to_documents() {
    let server = Server::start([], 1500);
    let mut documents = documents(9);
    documents[4].text = "long ".repeat(1000);
    let summary = server.push(&documents, &[]).unwrap();
    assert_eq!(summary.written, 8);
    assert_eq!(summary.rejected.len(), 1);
    assert_eq!((&summary.rejected[0].id, &summary.rejected[0].url), (&documents[4].id, &documents[4].url));
    assert!(summary.rejected[0].reason.starts_with("413: "), "{}", summary.rejected[0].reason);
    assert_eq!(server.seen().documents.len(), 8);
}

#[test]
fn what_may_pass_later_is_sent_again() {
    let script = [
        Act::Refuse(429, "Retry-After: 0\r\n"),
        Act::Refuse(503, "Retry-After: Thu, 01 Jan 1970 00:00:00 GMT\r\n"),
        Act::Reset,
        Act::CutAnswer,
        Act::Take,
        Act::CutAnswer,
    ];
    // A cut answer and a reset are one attempt each, so that one body needs five.
    let server = Server::start(script[..3].iter().cloned(), usize::MAX);
    assert_eq!(server.push(&documents(3), &[]).unwrap().written, 3);
    assert_eq!(server.seen().bodies.len(), 4);
    let server = Server::start(script[3..].iter().cloned(), usize::MAX);
    let summary = server.push(&documents(3), &[]).unwrap();
    assert_eq!((summary.written, server.seen().documents.len()), (3, 3), "what was taken already counts once");
}

#[test]
fn items_that_are_too_many_are_sent_again_and_others_are_rejected() {
    let script = [Act::Items(429, vec![id(1), id(3)]), Act::Items(400, vec![id(3)])];
    let server = Server::start(script, usize::MAX);
    let summary = server.push(&documents(5), &[]).unwrap();
    assert_eq!(summary.written, 4);
    let rejected = &summary.rejected[0];
    assert_eq!(
        (&*rejected.url, &*rejected.reason),
        ("http://h.example/3", "400: mapper_parsing_exception: failed to parse")
    );
    let seen = server.seen();
    assert_eq!(seen.bodies.iter().map(|(_, operations)| *operations).collect::<Vec<_>>(), [5, 2]);
    assert_eq!(seen.documents.len(), 4);
    drop(seen);
    // One that stays too many is rejected in the end, not lost.
    let server = Server::start(vec![Act::Items(429, vec![id(0)]); 9], usize::MAX);
    let summary = server.push(&documents(2), &[]).unwrap();
    assert_eq!((summary.written, summary.rejected.len()), (1, 1));
    assert!(summary.rejected[0].reason.ends_with("(4 attempts)"), "{}", summary.rejected[0].reason);
    assert_eq!(server.seen().bodies.len(), 4);
}

#[test]
fn a_server_that_does_not_take_bodies_ends_the_export() {
    for (script, words) in [
        (vec![Act::Refuse(503, ""); 9], "in 4 attempts: 503: no   [31mthanks"),
        (vec![Act::Reset; 9], "in 4 attempts"),
        (vec![Act::Refuse(401, "")], "answers 401: no"),
        (vec![Act::Refuse(302, "Location: http://127.0.0.1:9/\r\n")], "answers 302"),
        (vec![Act::Say("<html>")], "none of _bulk"),
        (vec![Act::Say(r#"{"items":[]}"#)], "0 items for 2 documents"),
        (
            vec![Act::Say(r#"{"items":[{"index":{"_id":"x","status":201}},{"index":{"_id":"y","status":201}}]}"#)],
            "of another",
        ),
    ] {
        let server = Server::start(script, usize::MAX);
        let error = server.push(&documents(2), &[]).unwrap_err();
        let text = format!("{error:?} {error}");
        assert!(error.to_string().contains(words), "{words}: {error}");
        assert!(!text.contains('\u{1b}') && !text.contains("secret"), "{text}");
        drop(server.seen());
    }
    // Nobody there.
    let closed = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let server = Server { url: Url::parse(&format!("http://user:pass@{closed}/pages")).unwrap(), seen: Arc::default() };
    let error = server.push(&documents(1), &[]).unwrap_err().to_string();
    assert!(error.contains("cannot be reached") && !error.contains("pass"), "{error}");
}

#[test]
fn passwords_are_sent_and_never_shown() {
    let mut server = Server::start([], usize::MAX);
    server.url.set_username("user").unwrap();
    server.url.set_password(Some("p%40ss")).unwrap();
    server.push(&documents(1), &[]).unwrap();
    let seen = server.seen();
    // user:p@ss
    assert!(seen.heads[0].contains("authorization: basic dxnlcjpwqhnz"), "{}", seen.heads[0]);
    drop(seen);
    let push = Push::new(&server.url, &[], b"", QUICK, |_| {}).unwrap();
    assert!(!push.shown().contains("user") && push.shown().ends_with("/pages"));
    let header = ("X Key".to_owned(), "secret".to_owned());
    let error = Push::new(&server.url, &[header], b"", QUICK, |_| {}).unwrap_err().to_string();
    assert!(error.contains("X Key") && !error.contains("secret"), "{error}");
    for url in ["ftp://h/", "mailto:a@b"] {
        assert!(Push::new(&Url::parse(url).unwrap(), &[], b"", QUICK, |_| {}).is_err());
    }
    // What is no certificate is said to be none, and not shown.
    let cut = "-----BEGIN CERTIFICATE-----\nsecret\n-----END CERTIFICATE-----\n";
    for pem in ["secret", "-----BEGIN CERTIFICATE-----\nsecret", cut] {
        let error = Push::new(&server.url, &[], pem.as_bytes(), QUICK, |_| {}).unwrap_err().to_string();
        assert!(error.contains("no certificates in PEM") && !error.contains("secret"), "{error}");
    }
}
