//! What a crawl or an import wants changed, collected until it is committed at once.

use super::rows::FateRecord;
use crate::archive::{Location, body_digest};
use crate::page::{Fate, Page, QueueEntry};
use crate::terms::PageCounts;

/// What the caller found out about a page beside its counts.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PageFacts {
    /// Language, such as `en` or `zh`; empty where unknown.
    pub lang: String,
    /// Name of the charset it was decoded by.
    pub charset: String,
}

/// What a page looks like to its site, in the caller's bytes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PageLooks {
    /// See [`SiteStore::put_views`](super::SiteStore::put_views).
    pub view: Vec<u8>,
    /// See [`SiteStore::put_lists`](super::SiteStore::put_lists); `None` where nobody has looked for lists.
    pub lists: Option<Vec<u8>>,
}

/// Changes that belong together. Within one group the last word on a URL counts.
#[derive(Debug)]
pub struct Group {
    pub(super) crawl: u32,
    pub(super) changes: Vec<Change>,
    pages: usize,
    bytes: usize,
}

#[derive(Debug)]
pub(super) enum Change {
    Put(Box<PutPage>),
    Remove { url: String },
    Touch { url: String, depth: u32 },
    Enqueue(QueueEntry),
    Settle { url: String, depth: u32, fate: Option<Fate> },
    Restore { url: String, queued: Option<QueueEntry>, fate: Option<FateRecord> },
}

#[derive(Debug)]
pub(super) struct PutPage {
    pub(super) page: Page,
    pub(super) facts: PageFacts,
    pub(super) counts: PageCounts,
    pub(super) looks: Option<PageLooks>,
    /// The place in the archive and the crawl that last saw it, where the page is there already.
    pub(super) stored: Option<(Location, u32)>,
}

impl Group {
    /// An empty group of the crawl with this number (0 for imports).
    pub fn new(crawl: u32) -> Self {
        Self { crawl, changes: Vec::new(), pages: 0, bytes: 0 }
    }

    /// Counts a page, in place of the one known under its URL, and archives it; `looks` is what it looks like to its site, if
    /// somebody has looked already.
    pub fn put_page(&mut self, page: Page, facts: PageFacts, counts: PageCounts, looks: Option<PageLooks>) {
        self.put(PutPage { page, facts, counts, looks, stored: None });
    }

    /// Counts a page that is in the archive already.
    pub(super) fn put_stored(&mut self, page: Page, facts: PageFacts, counts: PageCounts, at: Location, crawl: u32) {
        self.put(PutPage { page, facts, counts, looks: None, stored: Some((at, crawl)) });
    }

    fn put(&mut self, page: PutPage) {
        self.pages += 1;
        self.bytes += page.page.body.len();
        self.changes.push(Change::Put(Box::new(page)));
    }

    /// Takes a page out of the model. Nothing happens where there is none; its record stays in the archive.
    pub fn remove_page(&mut self, url: impl Into<String>) {
        self.changes.push(Change::Remove { url: url.into() });
    }

    /// Notes that this crawl saw the page unchanged.
    pub fn touch(&mut self, url: impl Into<String>, depth: u32) {
        self.changes.push(Change::Touch { url: url.into(), depth });
    }

    /// Queues a URL, unless it is queued already.
    pub fn enqueue(&mut self, entry: QueueEntry) {
        self.changes.push(Change::Enqueue(entry));
    }

    /// Takes a URL off the queue, with what became of it; `None` where it gave a page.
    pub fn settle(&mut self, url: impl Into<String>, depth: u32, fate: Option<Fate>) {
        self.changes.push(Change::Settle { url: url.into(), depth, fate });
    }

    /// Takes over what another model knew of a URL.
    pub(super) fn restore(&mut self, url: String, queued: Option<QueueEntry>, fate: Option<FateRecord>) {
        self.changes.push(Change::Restore { url, queued, fate });
    }

    /// The digest of the body that the group puts under a URL, if that is its last word on it.
    pub fn digest_of(&self, url: &str) -> Option<[u8; 20]> {
        self.changes.iter().rev().find_map(|change| match change {
            Change::Put(put) if put.page.url == url => Some(Some(body_digest(&put.page.body))),
            Change::Remove { url: removed } if removed == url => Some(None),
            _ => None,
        })?
    }

    /// Pages put so far, to tell when a group is large enough.
    pub fn pages(&self) -> usize {
        self.pages
    }

    /// Bytes of the pages put so far.
    pub fn bytes(&self) -> usize {
        self.bytes
    }

    /// Whether nothing would change.
    pub fn is_empty(&self) -> bool {
        self.changes.is_empty()
    }
}
