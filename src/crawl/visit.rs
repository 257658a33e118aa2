//! The values that a crawl takes and gives: where to start, what is remembered from earlier, visits, progress, summary.

use std::fmt;
use std::sync::atomic::AtomicU64;

use thiserror::Error;
use tokio::sync::watch;
use url::Url;

use super::opening::SitemapNote;
use super::spider::ClientError;
use crate::dom::Dom;
use crate::page::{Fate, Page, QueueEntry, Source};
use crate::urls::normalize;

/// One queued URL, done with. Every entry gives exactly one visit per crawl; an entry without one still waits.
#[derive(Debug)]
pub struct Visit {
    /// The entry.
    pub entry: QueueEntry,
    /// What became of it.
    pub outcome: Outcome,
    /// URLs that this visit brought up and that were never announced before: to be stored together with the outcome, so
    /// that a crash loses neither.
    pub discovered: Vec<QueueEntry>,
}

/// What became of an entry.
#[derive(Debug)]
pub enum Outcome {
    /// A page, parsed.
    Page(Box<Page>, Box<Dom>),
    /// The stored page is still good.
    NotModified,
    /// No page.
    None(Fate),
}

/// Where a crawl begins.
#[derive(Clone, Debug, Default)]
pub struct Start {
    /// What waits: the entrance ([`entrance`]) for a new crawl, what was left for a resumed one, and the pages of an
    /// earlier crawl ([`Source::Known`]) for another look.
    pub queue: Vec<QueueEntry>,
    /// All URLs announced before; those in `queue` need not be repeated.
    pub seen: Vec<String>,
    /// Pages that count towards the limit already.
    pub pages_so_far: u64,
}

/// The queue entry of the entrance.
pub fn entrance(site: &Url) -> QueueEntry {
    QueueEntry { url: normalize(site).into(), depth: 0, hops: 0, source: Source::Entrance, referrer: None }
}

/// What an earlier response said for asking "is it still the same?".
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Validators {
    /// Its `ETag`.
    pub etag: Option<String>,
    /// Its `Last-Modified`.
    pub last_modified: Option<String>,
}

/// A question about a stored page, by URL.
pub type Recall<'a, T> = Box<dyn Fn(&str) -> Option<T> + Send + Sync + 'a>;

/// What is stored from earlier crawls.
pub struct Memory<'a> {
    /// The validators of a stored page.
    pub validators: Recall<'a, Validators>,
    /// A stored page, to follow its links when it has not changed.
    pub stored: Recall<'a, Page>,
}

impl Memory<'_> {
    /// Nothing is stored.
    pub fn none() -> Self {
        Self { validators: Box::new(|_| None), stored: Box::new(|_| None) }
    }
}

impl fmt::Debug for Memory<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Memory").finish_non_exhaustive()
    }
}

/// Counters that a progress bar reads while the crawl runs.
#[derive(Debug, Default)]
pub struct CrawlProgress {
    /// Pages fetched or found unchanged in this run.
    pub fetched: AtomicU64,
    /// Entries that wait or are in flight.
    pub queued: AtomicU64,
    /// Entries that failed for good.
    pub failed: AtomicU64,
    /// Bytes of bodies, decoded.
    pub bytes: AtomicU64,
}

/// A switch that ends a crawl from outside. Clones are the same switch.
#[derive(Clone, Debug)]
pub struct Stop(watch::Sender<bool>);

impl Default for Stop {
    fn default() -> Self {
        Self(watch::Sender::new(false))
    }
}

impl Stop {
    /// A switch that is off.
    pub fn new() -> Self {
        Self::default()
    }

    /// Turns it on, for good.
    pub fn now(&self) {
        self.0.send_replace(true);
    }

    /// Whether it is on.
    pub fn is_wanted(&self) -> bool {
        *self.0.borrow()
    }

    /// Waits until it is on.
    pub async fn wanted(&self) {
        let mut receiver = self.0.subscribe();
        // The sender lives as long as `self`, so waiting cannot fail.
        let _ = receiver.wait_for(|on| *on).await;
    }
}

/// Why a crawl cannot begin or go on. Nothing delivered is lost, and what waits stays queued.
#[derive(Debug, Error)]
pub enum CrawlError {
    /// Not a web address.
    #[error("{0:?} is no web address; write --site https://example.com/")]
    Site(String),
    /// The client cannot be made from the parameters.
    #[error(transparent)]
    Client(#[from] ClientError),
    /// No address for the host.
    #[error("host {host:?} is unknown ({reason}); check the spelling of --site and the network")]
    UnknownHost {
        /// The host of the site.
        host: String,
        /// The resolver's words.
        reason: String,
    },
    /// Nobody answers.
    #[error("no connection to {host} ({reason}); check the port of --site and whether the server runs")]
    Unreachable {
        /// Host and port.
        host: String,
        /// The system's words.
        reason: String,
    },
    /// No trust.
    #[error(
        "no secure connection to {host} ({reason}); check the site's certificate, or use http:// if it offers that"
    )]
    Tls {
        /// Host and port.
        host: String,
        /// The TLS library's words.
        reason: String,
    },
    /// The rules cannot be had, so nothing may be fetched (RFC 9309, section 2.3.1.4).
    #[error(
        "{url} cannot be had ({reason}), so nothing was fetched; try again later, or pass --ignore-robots if the site is yours"
    )]
    RobotsUnreachable {
        /// Its URL.
        url: String,
        /// Status or error.
        reason: String,
    },
    /// The receiver of visits is gone.
    #[error("the crawl was given up because its results could not be stored")]
    ConsumerGone,
}

/// What is wrong with the entrance, when a crawl gets no page from it.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum EntranceTrouble {
    /// robots.txt forbids it.
    #[error("robots.txt of {0} forbids the entrance; pass --ignore-robots if the site is yours")]
    Forbidden(String),
    /// It is no HTML page.
    #[error("the entrance is no HTML page ({0}); point --site at a page")]
    NotHtml(String),
    /// It sends to another site.
    #[error("the entrance redirects to another site; crawl that one: --site {0}")]
    MovedAway(String),
    /// It is not there.
    #[error("the entrance does not exist (status {0}); check the path of --site")]
    Gone(u16),
    /// Something else.
    #[error("the entrance gave no page: {0}")]
    Other(String),
}

/// The robots.txt of the site.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RobotsNote {
    /// Its URL.
    pub url: String,
    /// The status of the answer.
    pub status: u16,
    /// Its bytes as they came; empty where there is none.
    pub text: Vec<u8>,
}

/// Why a crawl ended.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Ending {
    /// Nothing is left to fetch.
    #[default]
    Complete,
    /// The page limit is reached.
    Limit,
    /// [`Stop`] was turned on.
    Stopped,
    /// The server is to be left alone for now; why, for people.
    LeftAlone(String),
}

/// What a crawl did. Counts are of this run.
#[derive(Clone, Debug, Default)]
pub struct CrawlSummary {
    /// Pages fetched.
    pub pages: u64,
    /// Pages found unchanged.
    pub not_modified: u64,
    /// Redirects.
    pub redirects: u64,
    /// Entries left out on purpose.
    pub skipped: u64,
    /// Entries that the server says do not exist.
    pub gone: u64,
    /// Entries that failed.
    pub failed: u64,
    /// Requests made a second time or more.
    pub retries: u64,
    /// Links not followed because they lead into a trap.
    pub trapped: u64,
    /// Bytes of bodies, decoded.
    pub bytes: u64,
    /// Entries that still wait.
    pub left: usize,
    /// The site's robots.txt, where one was asked for.
    pub robots: Option<RobotsNote>,
    /// The sitemaps read.
    pub sitemaps: Vec<SitemapNote>,
    /// What is wrong with the entrance, if it gave no page in this run.
    pub entrance: Option<EntranceTrouble>,
    /// What the reader of the log should know.
    pub warnings: Vec<String>,
    /// Why the crawl ended.
    pub ending: Ending,
}
