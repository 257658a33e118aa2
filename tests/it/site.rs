//! A web site on loopback whose every answer a test decides: a listener, and one thread a connection.

use std::collections::HashMap;
use std::io::{Read, Write};
use std::net::{IpAddr, Ipv4Addr, Shutdown, SocketAddr, TcpListener, TcpStream};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// Longest wait for something that a test expects to happen.
pub(crate) const PATIENCE: Duration = Duration::from_secs(40);

/// What the site does with a request.
#[derive(Clone, Debug)]
pub(crate) struct Reply {
    status: u16,
    headers: Vec<(String, String)>,
    body: Vec<u8>,
    how: How,
}

/// How a reply is sent.
#[derive(Clone, Debug)]
enum How {
    /// As it should be.
    Whole,
    /// After a time.
    Late(Duration),
    /// Never: the connection stays open in silence.
    Hang,
    /// The connection is reset before anything is sent.
    Reset,
    /// The length of the whole body is promised, so many bytes are sent, and the connection ends.
    Cut(usize),
    /// The body is repeated until the client has enough.
    Endless,
}

impl Reply {
    /// A reply with a status and a body.
    pub(crate) fn new(status: u16, body: impl Into<Vec<u8>>) -> Self {
        Self { status, headers: Vec::new(), body: body.into(), how: How::Whole }
    }

    /// An HTML page in UTF-8.
    pub(crate) fn html(body: impl Into<Vec<u8>>) -> Self {
        Self::new(200, body).header("Content-Type", "text/html; charset=utf-8")
    }

    /// A plain text, such as a robots.txt.
    pub(crate) fn text(body: impl Into<Vec<u8>>) -> Self {
        Self::new(200, body).header("Content-Type", "text/plain")
    }

    /// A redirect.
    pub(crate) fn to(location: &str) -> Self {
        Self::new(302, "").header("Location", location)
    }

    /// Adds a header.
    pub(crate) fn header(mut self, name: &str, value: &str) -> Self {
        self.headers.push((name.to_owned(), value.to_owned()));
        self
    }

    /// Gives the reply an `ETag`: a request that brings it along is answered with 304.
    pub(crate) fn etag(self, tag: &str) -> Self {
        self.header("ETag", &format!("\"{tag}\""))
    }

    pub(crate) fn late(mut self, time: Duration) -> Self {
        self.how = How::Late(time);
        self
    }

    pub(crate) fn cut_to(mut self, bytes: usize) -> Self {
        self.how = How::Cut(bytes);
        self
    }

    pub(crate) fn endless(mut self) -> Self {
        self.how = How::Endless;
        self
    }

    pub(crate) fn hang() -> Self {
        Self { how: How::Hang, ..Self::new(200, "") }
    }

    pub(crate) fn reset() -> Self {
        Self { how: How::Reset, ..Self::new(200, "") }
    }
}

/// A request as it came.
#[derive(Clone, Debug)]
pub(crate) struct Request {
    /// Path and query.
    pub(crate) path: String,
    /// Names in lower case.
    headers: Vec<(String, String)>,
    /// When it was read.
    pub(crate) at: Instant,
}

impl Request {
    /// The value of a header, by lower-case name.
    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(n, _)| n == name).map(|(_, value)| value.as_str())
    }
}

/// The site. It ends when dropped.
pub(crate) struct Site {
    address: SocketAddr,
    shared: Arc<Shared>,
    listener: Option<JoinHandle<()>>,
}

struct Shared {
    state: Mutex<State>,
    /// Woken by every request and by the end.
    changed: Condvar,
}

#[derive(Default)]
struct State {
    /// The replies of a path, one a request; the last one stays.
    routes: HashMap<String, Vec<Reply>>,
    log: Vec<Request>,
    ended: bool,
}

impl Shared {
    fn state(&self) -> MutexGuard<'_, State> {
        // A test that fails while it holds the lock fails by itself.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Site {
    /// An empty site on 127.0.0.1: every path is answered with 404.
    pub(crate) fn start() -> Self {
        Self::start_on(Ipv4Addr::LOCALHOST)
    }

    /// An empty site on another loopback address.
    pub(crate) fn start_on(address: Ipv4Addr) -> Self {
        let listener = TcpListener::bind((IpAddr::V4(address), 0)).expect("a free port on loopback");
        let address = listener.local_addr().expect("the listener's address");
        let shared = Arc::new(Shared { state: Mutex::default(), changed: Condvar::new() });
        let for_listener = Arc::clone(&shared);
        let listener = std::thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                if for_listener.state().ended {
                    return;
                }
                let for_stream = Arc::clone(&for_listener);
                std::thread::spawn(move || converse(stream, &for_stream));
            }
        });
        Self { address, shared, listener: Some(listener) }
    }

    /// A site with these pages; see [`Site::page`].
    pub(crate) fn of(pages: &[(&str, &[&str])]) -> Self {
        let site = Self::start();
        for (path, links) in pages {
            site.page(path, links);
        }
        site
    }

    /// Sets the reply of a path, from now on.
    pub(crate) fn set(&self, path: &str, reply: Reply) {
        self.set_sequence(path, vec![reply]);
    }

    /// Sets the replies of a path: one a request from the first on, and the last one for ever.
    pub(crate) fn set_sequence(&self, path: &str, replies: Vec<Reply>) {
        let mut replies = replies;
        replies.reverse();
        self.shared.state().routes.insert(path.to_owned(), replies);
    }

    /// Sets a page with a text of its own and these links.
    pub(crate) fn page(&self, path: &str, links: &[&str]) {
        self.set(path, Reply::html(html(path, links)));
    }

    pub(crate) fn robots(&self, text: &str) {
        self.set("/robots.txt", Reply::text(text));
    }

    /// The URL of a path.
    pub(crate) fn url(&self, path: &str) -> String {
        format!("http://{}{path}", self.address)
    }

    pub(crate) fn port(&self) -> u16 {
        self.address.port()
    }

    /// All requests so far.
    pub(crate) fn log(&self) -> Vec<Request> {
        self.shared.state().log.clone()
    }

    /// Forgets all requests so far.
    pub(crate) fn clear_log(&self) {
        self.shared.state().log.clear();
    }

    /// Paths asked for so far, sorted, but for robots.txt and the sitemap that is always looked for.
    pub(crate) fn asked(&self) -> Vec<String> {
        let mut paths: Vec<String> = self.log().into_iter().map(|request| request.path).collect();
        paths.retain(|path| path != "/robots.txt" && path != "/sitemap.xml");
        paths.sort();
        paths
    }

    /// Requests for a path so far.
    pub(crate) fn requests(&self, path: &str) -> Vec<Request> {
        let mut log = self.log();
        log.retain(|request| request.path == path);
        log
    }

    /// Waits until so many requests have come.
    pub(crate) fn wait_for_requests(&self, count: usize) {
        self.wait_until(&format!("{count} requests"), |log| log.len() >= count);
    }

    /// Waits until a path has been asked for.
    pub(crate) fn wait_for(&self, path: &str) {
        self.wait_until(path, |log| log.iter().any(|request| request.path == path));
    }

    fn wait_until(&self, what: &str, come: impl Fn(&[Request]) -> bool) {
        let waited = self.shared.changed.wait_timeout_while(self.shared.state(), PATIENCE, |state| !come(&state.log));
        let (state, time) = waited.unwrap_or_else(PoisonError::into_inner);
        assert!(!time.timed_out(), "waited for {what}, and only these requests came: {:?}", state.log);
    }
}

impl Drop for Site {
    fn drop(&mut self) {
        self.shared.state().ended = true;
        self.shared.changed.notify_all();
        // Wakes the listener, which sees that it is over.
        let _ = TcpStream::connect(self.address);
        if let Some(listener) = self.listener.take() {
            let _ = listener.join();
        }
    }
}

/// The HTML of a page with a title, a text of its own and links.
pub(crate) fn html(name: &str, links: &[&str]) -> String {
    let items: Vec<String> = links.iter().map(|link| format!("<li><a href=\"{link}\">To {link}</a></li>")).collect();
    let text = prose(name);
    format!(
        "<!DOCTYPE html><html lang=\"en\"><head><title>Page {name}</title></head><body><h1>Page {name}</h1>\
         <p>{text}</p><ul>{}</ul></body></html>",
        items.concat()
    )
}

/// Some sentences that differ from name to name.
pub(crate) fn prose(name: &str) -> String {
    const WORDS: [&str; 24] = [
        "harbour", "lantern", "winter", "bakery", "orchard", "pilot", "granite", "violin", "meadow", "saddle",
        "copper", "museum", "kettle", "glacier", "letter", "tunnel", "falcon", "ribbon", "quarry", "candle", "ferry",
        "walnut", "marble", "thunder",
    ];
    // A fixed mixture of the name decides the words.
    let mut seed = name.bytes().fold(7_usize, |sum, byte| (sum * 31 + usize::from(byte)) % 1_000_003);
    let mut next = || {
        seed = (seed * 7919 + 13) % 1_000_003;
        WORDS[seed % WORDS.len()]
    };
    let sentences: Vec<String> =
        (0..4).map(|_| format!("The {} of {name} stands beside the {} and the {}.", next(), next(), next())).collect();
    sentences.join(" ")
}

/// Reads one request, notes it, and answers.
fn converse(mut stream: TcpStream, shared: &Shared) {
    let Some(head) = peek_head(&stream) else {
        // TLS, say: told what a web server without it tells.
        let mut some = [0; 4096];
        if stream.read(&mut some).is_ok_and(|read| read > 0) {
            let _ = stream.write_all(b"HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\n");
        }
        return;
    };
    let text = String::from_utf8_lossy(&head).into_owned();
    let mut lines = text.split("\r\n");
    let Some(path) = lines.next().and_then(|line| line.split(' ').nth(1)).map(str::to_owned) else { return };
    let headers: Vec<(String, String)> = lines
        .filter_map(|line| line.split_once(':'))
        .map(|(name, value)| (name.to_ascii_lowercase(), value.trim().to_owned()))
        .collect();
    let request = Request { path, headers, at: Instant::now() };
    let reply = {
        let mut state = shared.state();
        state.log.push(request.clone());
        match state.routes.get_mut(&request.path) {
            Some(replies) if replies.len() > 1 => replies.pop(),
            Some(replies) => replies.last().cloned(),
            None => None,
        }
    };
    shared.changed.notify_all();
    let reply = reply.unwrap_or_else(|| Reply::new(404, "no such page").header("Content-Type", "text/html"));
    if let How::Reset = reply.how {
        // The request is still unread, so closing resets the connection.
        return;
    }
    let mut read = vec![0; head.len()];
    if stream.read_exact(&mut read).is_err() {
        return;
    }
    if let Err(_gone) = send(&mut stream, &request, &reply, shared) {
        // The client has gone, which is its right.
    }
    let _ = stream.shutdown(Shutdown::Both);
}

/// The head of a request, left unread in the socket; nothing where what came is not HTTP.
fn peek_head(stream: &TcpStream) -> Option<Vec<u8>> {
    stream.set_read_timeout(Some(PATIENCE)).ok()?;
    let begun = Instant::now();
    let mut buffer = vec![0; 64 << 10];
    loop {
        let seen = stream.peek(&mut buffer).ok()?;
        if let Some(end) = buffer[..seen].windows(4).position(|four| four == b"\r\n\r\n") {
            return Some(buffer[..end + 4].to_vec());
        }
        let is_http = buffer[..seen].first().is_some_and(u8::is_ascii_uppercase);
        if !is_http || begun.elapsed() > PATIENCE {
            return None;
        }
        // The head is on its way in pieces.
        std::thread::sleep(Duration::from_millis(1));
    }
}

fn send(stream: &mut TcpStream, request: &Request, reply: &Reply, shared: &Shared) -> std::io::Result<()> {
    match reply.how {
        How::Late(time) => pause(shared, time),
        How::Hang => {
            pause(shared, Duration::from_mins(10));
            return Ok(());
        }
        _ => {}
    }
    let tag = reply.headers.iter().find(|(name, _)| name == "ETag").map(|(_, value)| value.as_str());
    if tag.is_some() && request.header("if-none-match") == tag {
        let head =
            format!("HTTP/1.1 304 Not Modified\r\nConnection: close\r\nETag: {}\r\n\r\n", tag.unwrap_or_default());
        return stream.write_all(head.as_bytes());
    }
    let mut head = format!("HTTP/1.1 {} Answer\r\nConnection: close\r\n", reply.status);
    for (name, value) in &reply.headers {
        head.push_str(name);
        head.push_str(": ");
        head.push_str(value);
        head.push_str("\r\n");
    }
    if !matches!(reply.how, How::Endless) {
        head.push_str("Content-Length: ");
        head.push_str(&reply.body.len().to_string());
        head.push_str("\r\n");
    }
    head.push_str("\r\n");
    stream.write_all(head.as_bytes())?;
    match reply.how {
        How::Endless => loop {
            stream.write_all(&reply.body)?;
            if shared.state().ended {
                return Ok(());
            }
        },
        How::Cut(bytes) => stream.write_all(&reply.body[..bytes]),
        _ => stream.write_all(&reply.body),
    }
}

/// Waits for the time, or until the site ends.
fn pause(shared: &Shared, time: Duration) {
    drop(shared.changed.wait_timeout_while(shared.state(), time, |state| !state.ended));
}
