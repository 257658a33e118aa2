//! What is read before the first page: robots.txt and sitemaps.

use std::collections::VecDeque;
use std::time::{Duration, SystemTime};

use rustc_hash::FxHashSet;
use tokio::time::{Instant, sleep, sleep_until};
use url::Url;

use super::fetch::{Ask, Body, FetchError, Reply, Want, fetch};
use super::retry::parse_retry_after;
use super::robots::{self, Rules};
use super::scope::{Scope, names_private_host};
use super::sitemap;
use super::spider::{Client, FailureKind};
use crate::urls::identity;

/// Redirects of robots.txt that are followed, as RFC 9309 asks.
const ROBOTS_REDIRECTS: usize = 5;
/// Time spent on a robots.txt that cannot be had.
const ROBOTS_PATIENCE: Duration = Duration::from_secs(10);
/// Sitemap files read at most.
const MAX_SITEMAPS: usize = 500;

/// How requests are made before and beside the pages.
#[derive(Clone, Debug)]
pub(crate) struct Manner {
    pub(crate) client: Client,
    pub(crate) timeout: Duration,
    pub(crate) max_bytes: usize,
    /// The crawler's name in robots.txt.
    pub(crate) token: String,
    /// Whether private addresses may be asked: the site is at one itself.
    pub(crate) near: bool,
}

/// What one request for robots.txt (with its redirects and retries) gave.
#[derive(Clone, Debug)]
pub(crate) struct RobotsFile {
    /// Where it lies; after redirects still the URL first asked for.
    pub(crate) url: Url,
    /// The last status.
    pub(crate) status: u16,
    /// The text, for the archive and for people; empty where there is none.
    pub(crate) body: Vec<u8>,
    pub(crate) rules: Rules,
}

/// Why robots.txt could not be had, so that nothing may be fetched.
#[derive(Clone, Debug)]
pub(crate) struct RobotsTrouble {
    pub(crate) url: Url,
    /// The kind, where no server answered.
    pub(crate) kind: Option<FailureKind>,
    pub(crate) reason: String,
}

/// Fetches the robots.txt of a URL's host. 4xx (but 429) allows everything; 5xx, 429 and silence forbid everything, after
/// some seconds of patience. `patient: false` tries once.
pub(crate) async fn robots_file(manner: &Manner, of: &Url, patient: bool) -> Result<RobotsFile, RobotsTrouble> {
    let mut url = of.clone();
    url.set_path("/robots.txt");
    url.set_query(None);
    url.set_fragment(None);
    let end = Instant::now() + ROBOTS_PATIENCE;
    let mut tries = 0_u8;
    loop {
        tries += 1;
        let (reason, kind, wait) = match robots_once(manner, &url).await {
            Ok(reply) if reply.status == 429 || reply.status >= 500 => {
                let asked = reply.header("retry-after").and_then(|v| parse_retry_after(v, SystemTime::now()));
                (format!("status {}", reply.status), None, asked)
            }
            Ok(Reply { status, body: Body::Whole(body), .. }) => {
                let rules = Rules::parse(&body, &url, &manner.token);
                return Ok(RobotsFile { url, status, body, rules });
            }
            Ok(reply) => {
                return Ok(RobotsFile { url, status: reply.status, body: Vec::new(), rules: Rules::allow_all() });
            }
            Err(error) => {
                let kind = match &error {
                    FetchError::Network(failure) => Some(failure.kind),
                    _ => None,
                };
                (error.to_string(), kind, None)
            }
        };
        let hopeless = matches!(kind, Some(FailureKind::UnknownHost | FailureKind::Tls | FailureKind::Timeout));
        let again = Instant::now() + wait.unwrap_or(Duration::from_secs(u64::from(tries)));
        if !patient || hopeless || tries >= 4 || again > end {
            return Err(RobotsTrouble { url, kind, reason });
        }
        sleep_until(again).await;
    }
}

async fn robots_once(manner: &Manner, url: &Url) -> Result<Reply, FetchError> {
    let mut at = url.clone();
    let mut redirects = 0;
    loop {
        let ask = Ask {
            url: &at,
            etag: None,
            last_modified: None,
            max_bytes: robots::MAX_BYTES,
            timeout: manner.timeout.min(ROBOTS_PATIENCE),
            want: Want::Beginning,
            trusted: at.host_str() == url.host_str(),
        };
        let mut reply = fetch(&manner.client, &ask).await?;
        let target = reply.header("location").filter(|_| is_redirect(reply.status)).and_then(|to| at.join(to).ok());
        match target {
            Some(to) if redirects < ROBOTS_REDIRECTS && (manner.near || !names_private_host(&to)) => {
                redirects += 1;
                at = to;
            }
            // Too many redirects, or one to nowhere, is no robots.txt.
            Some(_) => {
                reply.body = Body::Unread;
                return Ok(reply);
            }
            None => return Ok(reply),
        }
    }
}

/// Whether the status sends the client to its `Location`.
pub(crate) fn is_redirect(status: u16) -> bool {
    matches!(status, 300..=303 | 307 | 308)
}

/// What became of one sitemap, for people.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SitemapNote {
    /// Its URL.
    pub url: String,
    /// URLs of pages (or of further sitemaps) that it names, or why it could not be read.
    pub named: Result<usize, String>,
}

/// Pages named by sitemaps, each with its sitemap, in order, and the notes.
pub(crate) type FromSitemaps = (Vec<(Url, Url)>, Vec<SitemapNote>);

/// Reads the sitemaps in `start` and those they lead to, breadth first, until `most` pages are known. Each file is read
/// once, so indexes may name each other.
pub(crate) async fn sitemaps(
    manner: &Manner,
    scope: &Scope,
    start: Vec<Url>,
    gap: Duration,
    most: usize,
) -> FromSitemaps {
    let (mut pages, mut notes) = (Vec::new(), Vec::new());
    let mut queue = VecDeque::from(start);
    let mut seen: FxHashSet<String> = FxHashSet::default();
    while let Some(url) = queue.pop_front() {
        if pages.len() >= most || notes.len() >= MAX_SITEMAPS {
            break;
        }
        let reachable = matches!(url.scheme(), "http" | "https") && (manner.near || !names_private_host(&url));
        if !reachable || !seen.insert(identity(&url)) {
            continue;
        }
        sleep(gap).await;
        let named = match sitemap_file(manner, scope, &url).await {
            Ok(found) => {
                let count = found.pages.len() + found.children.len();
                pages.extend(found.pages.into_iter().map(|page| (page, url.clone())));
                queue.extend(found.children);
                Ok(count)
            }
            Err(reason) => Err(reason),
        };
        notes.push(SitemapNote { url: url.into(), named });
    }
    pages.truncate(most);
    (pages, notes)
}

async fn sitemap_file(manner: &Manner, scope: &Scope, url: &Url) -> Result<sitemap::Sitemap, String> {
    let mut at = url.clone();
    for tries in 0..6 {
        let ask = Ask {
            url: &at,
            etag: None,
            last_modified: None,
            max_bytes: sitemap::MAX_BYTES,
            timeout: manner.timeout,
            want: Want::Any,
            trusted: scope.holds(&at),
        };
        let reply = match fetch(&manner.client, &ask).await {
            Ok(reply) => reply,
            Err(FetchError::Network(f)) if f.kind == FailureKind::Reset && tries == 0 => continue,
            Err(error) => return Err(error.to_string()),
        };
        match (reply.status, reply.header("location").and_then(|to| at.join(to).ok())) {
            (status, Some(to)) if is_redirect(status) && (manner.near || !names_private_host(&to)) => at = to,
            (200..=299, _) => {
                let Body::Whole(body) = reply.body else { return Ok(sitemap::Sitemap::default()) };
                return Ok(sitemap::parse(&body, &at));
            }
            (429 | 500.., _) if tries < 2 => sleep(Duration::from_secs(1 + tries)).await,
            (status, _) => return Err(format!("status {status}")),
        }
    }
    Err("too many redirects".to_owned())
}
