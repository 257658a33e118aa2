//! A small HTTP server on loopback that can misbehave, and a run of the crawl against it.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::time::{Instant, sleep};
use url::Url;

use crate::crawl::{
    CrawlError, CrawlParams, CrawlProgress, CrawlSummary, Memory, Outcome, Start, Stop, Visit, entrance, run,
};
use crate::page::Fate;

/// What the server does with a request.
pub(super) enum Answer {
    /// Sends these bytes and closes.
    Bytes(Vec<u8>),
    /// Sends these bytes after a time.
    Late(Duration, Vec<u8>),
    /// Sends nothing, ever.
    Hang,
    /// Sends the bytes, then one more every 20 ms, for ever.
    Drip(Vec<u8>),
    /// Breaks the connection.
    Reset,
}

/// A request as it came.
#[derive(Clone, Debug)]
pub(super) struct Request {
    pub(super) path: String,
    /// All headers, lower case.
    pub(super) head: String,
    /// How many requests for this path came before.
    pub(super) nth: usize,
    pub(super) at: Instant,
}

/// A running server. It ends with the test's runtime.
pub(super) struct Server {
    pub(super) base: Url,
    log: Arc<Mutex<Vec<Request>>>,
}

impl Server {
    pub(super) async fn start(answer: impl Fn(&Request) -> Answer + Send + Sync + 'static) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
        let port = listener.local_addr().expect("an address").port();
        let base = Url::parse(&format!("http://127.0.0.1:{port}/")).expect("a URL");
        let log = Arc::new(Mutex::new(Vec::new()));
        let (answer, shared) = (Arc::new(answer), Arc::clone(&log));
        tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                tokio::spawn(converse(stream, Arc::clone(&answer), Arc::clone(&shared)));
            }
        });
        Self { base, log }
    }

    pub(super) fn log(&self) -> Vec<Request> {
        self.log.lock().expect("the log").clone()
    }

    /// Paths asked for, in order, without robots.txt and the sitemap that is always looked for.
    pub(super) fn paths(&self) -> Vec<String> {
        let all = self.log().into_iter().map(|r| r.path);
        all.filter(|p| p != "/robots.txt" && p != "/sitemap.xml").collect()
    }

    pub(super) fn count(&self, path: &str) -> usize {
        self.log().iter().filter(|r| r.path == path).count()
    }

    pub(super) fn url(&self, path: &str) -> String {
        self.base.join(path).expect("a URL").into()
    }

    pub(super) fn params(&self) -> CrawlParams {
        CrawlParams { timeout: Duration::from_secs(5), ..CrawlParams::new(self.base.clone()) }
    }
}

async fn converse(mut stream: TcpStream, answer: Arc<impl Fn(&Request) -> Answer>, log: Arc<Mutex<Vec<Request>>>) {
    let mut head = Vec::new();
    let mut byte = [0];
    while !head.ends_with(b"\r\n\r\n") && matches!(stream.read(&mut byte).await, Ok(1)) {
        head.push(byte[0]);
    }
    let head = String::from_utf8_lossy(&head).into_owned();
    let Some(path) = head.split(' ').nth(1).map(str::to_owned) else { return };
    let request = {
        let mut log = log.lock().expect("the log");
        let nth = log.iter().filter(|r: &&Request| r.path == path).count();
        let request = Request { path, head: head.to_ascii_lowercase(), nth, at: Instant::now() };
        log.push(request.clone());
        request
    };
    match answer(&request) {
        Answer::Bytes(bytes) => {
            let _ = stream.write_all(&bytes).await;
            let _ = stream.shutdown().await;
        }
        Answer::Late(time, bytes) => {
            sleep(time).await;
            let _ = stream.write_all(&bytes).await;
        }
        Answer::Hang => sleep(Duration::from_mins(10)).await,
        Answer::Drip(bytes) => {
            let _ = stream.write_all(&bytes).await;
            while stream.write_all(b"x").await.is_ok() {
                sleep(Duration::from_millis(20)).await;
            }
        }
        Answer::Reset => {
            // With a linger of zero, closing sends a reset.
            let _ = stream.set_zero_linger();
        }
    }
}

/// A response with these header lines and a correct length.
pub(super) fn reply(status: u16, headers: &[&str], body: &[u8]) -> Answer {
    let mut bytes = format!("HTTP/1.1 {status} Status\r\nConnection: close\r\nContent-Length: {}\r\n", body.len());
    for line in headers {
        bytes.push_str(line);
        bytes.push_str("\r\n");
    }
    bytes.push_str("\r\n");
    Answer::Bytes([bytes.as_bytes(), body].concat())
}

/// An HTML page.
pub(super) fn html(body: &str) -> Answer {
    reply(200, &["Content-Type: text/html; charset=utf-8"], body.as_bytes())
}

/// An HTML page with a text of its own and these links.
pub(super) fn linking(name: &str, links: &[&str]) -> Answer {
    let links: Vec<String> = links.iter().map(|l| format!("<a href='{l}'>{l}</a>")).collect();
    let links = links.join(" ");
    html(&format!("<title>{name}</title><p>The page called {name} says so.</p>{links}"))
}

/// A redirect.
pub(super) fn to(location: &str) -> Answer {
    reply(302, &[&format!("Location: {location}")], b"")
}

pub(super) fn missing() -> Answer {
    reply(404, &["Content-Type: text/html"], b"no such page")
}

/// A finished crawl.
pub(super) struct Crawled {
    pub(super) visits: Vec<Visit>,
    pub(super) summary: CrawlSummary,
}

impl Crawled {
    /// Paths of the pages, sorted.
    pub(super) fn pages(&self) -> Vec<String> {
        let is_page = |v: &&Visit| matches!(v.outcome, Outcome::Page(..) | Outcome::NotModified);
        let mut paths: Vec<_> = self.visits.iter().filter(is_page).map(|v| path(&v.entry.url)).collect();
        paths.sort();
        paths
    }

    /// What became of a path that gave no page.
    pub(super) fn fate(&self, wanted: &str) -> Option<&Fate> {
        self.visits.iter().find(|v| path(&v.entry.url) == wanted).and_then(|v| match &v.outcome {
            Outcome::None(fate) => Some(fate),
            _ => None,
        })
    }

    pub(super) fn depth(&self, wanted: &str) -> Option<u32> {
        self.visits.iter().find(|v| path(&v.entry.url) == wanted).map(|v| v.entry.depth)
    }
}

pub(super) fn path(url: &str) -> String {
    Url::parse(url).map(|u| u[url::Position::BeforePath..].to_owned()).unwrap_or_default()
}

/// Crawls from the entrance to the end.
pub(super) async fn crawl(params: &CrawlParams) -> Crawled {
    let start = Start { queue: vec![entrance(&params.site)], ..Start::default() };
    crawl_from(params, start, Memory::none()).await.expect("a crawl that begins")
}

/// Crawls from `start` to the end.
pub(super) async fn crawl_from(params: &CrawlParams, start: Start, memory: Memory<'_>) -> Result<Crawled, CrawlError> {
    let (sender, mut receiver) = tokio::sync::mpsc::channel(4);
    let progress = CrawlProgress::default();
    let collect = async {
        let mut visits = Vec::new();
        while let Some(visit) = receiver.recv().await {
            visits.push(visit);
        }
        visits
    };
    let (summary, visits) = tokio::join!(run(params, start, memory, sender, &progress, Stop::new()), collect);
    summary.map(|summary| Crawled { visits, summary })
}
