//! What a site holds: its pages in rows, and counts of everything.

use crate::blocks::Mined;
use crate::export::document_id;
use crate::page::Fate;
use crate::progress::Progress;
use crate::store::{PageId, SiteStore, StoreError};
use std::collections::BTreeMap;

/// URLs of one kind of fate that are named; the rest are counted.
const NAMED: usize = 200;

/// One page of a site.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PageRow {
    /// Its number in the store.
    pub id: PageId,
    /// Its URL.
    pub url: String,
    /// The `id` of its document.
    pub document: String,
    /// HTTP status.
    pub status: u16,
    /// Links from the entrance.
    pub depth: u32,
    /// Seconds since 1970, UTC.
    pub fetched_at: u64,
    /// ISO 639 code, or empty.
    pub lang: String,
    /// How it was mined; empty where it was not.
    pub method: String,
    /// `article`, `toc` or `other`; empty where it was not mined.
    pub page_type: String,
    /// Words of its article blocks.
    pub words: u64,
    /// Links of its table of contents.
    pub links: u64,
    /// Records of its best list.
    pub records: u64,
    /// The URL of the page that it repeats.
    pub duplicate_of: Option<String>,
}

/// What became of URLs that gave no page, of one kind.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Fates {
    /// How many there are.
    pub(super) count: u64,
    /// The first in the order of URLs, each with what is known of it.
    pub(super) named: Vec<(String, String)>,
}

impl Fates {
    fn add(&mut self, url: String, what: String) {
        self.count += 1;
        if self.named.len() < NAMED {
            self.named.push((url, what));
        }
    }
}

/// Counts of a site.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Facts {
    /// Pages by type, language, depth and status, each with its count.
    pub(super) types: BTreeMap<String, u64>,
    pub(super) langs: BTreeMap<String, u64>,
    pub(super) depths: BTreeMap<u32, u64>,
    pub(super) statuses: BTreeMap<u16, u64>,
    /// Pages that repeat others.
    pub(super) duplicates: u64,
    /// Pages that were not mined since they changed.
    pub(super) unmined: u64,
    /// URLs that wait to be fetched.
    pub(super) queued: u64,
    pub(super) redirects: Fates,
    pub(super) skipped: Fates,
    pub(super) gone: Fates,
    pub(super) failed: Fates,
}

/// Reads the rows of all pages, in the order of URLs, and counts. Time linear in pages and URLs.
pub(super) fn facts(site: &SiteStore, progress: &Progress) -> Result<(Facts, Vec<PageRow>), StoreError> {
    let mut facts = Facts::default();
    let mut rows = Vec::new();
    for page in site.pages() {
        let (id, record) = page?;
        let mined: Option<Mined> = site.mined(id)?.and_then(|bytes| serde_json::from_slice(&bytes).ok());
        let of = |kind: &str| {
            mined.iter().flat_map(|m| &m.blocks).filter(|b| b.kind == kind).map(|b| u64::from(b.text_len)).sum()
        };
        let row = PageRow {
            id,
            document: document_id(&record.url),
            status: record.status,
            depth: record.depth,
            fetched_at: record.fetched_at,
            lang: record.lang,
            words: of("article"),
            links: mined.as_ref().map_or(0, |m| m.links.len() as u64),
            records: mined.as_ref().and_then(|m| m.records.first()).map_or(0, |list| list.records.len() as u64),
            duplicate_of: mined.as_ref().and_then(|m| m.duplicate_of.clone()),
            method: mined.as_ref().map_or_else(String::new, |m| m.method.clone()),
            page_type: mined.map_or_else(String::new, |m| m.page_type),
            url: record.url,
        };
        let named = |name: &str, none: &str| if name.is_empty() { none.to_owned() } else { name.to_owned() };
        *facts.types.entry(named(&row.page_type, "not mined")).or_insert(0) += 1;
        *facts.langs.entry(named(&row.lang, "unknown")).or_insert(0) += 1;
        *facts.depths.entry(row.depth).or_insert(0) += 1;
        *facts.statuses.entry(row.status).or_insert(0) += 1;
        facts.duplicates += u64::from(row.duplicate_of.is_some());
        facts.unmined += u64::from(row.method.is_empty());
        rows.push(row);
        progress.add(1, 0);
    }
    for fate in site.fates() {
        let (url, record) = fate?;
        match record.fate {
            Fate::Redirect { status, to } => facts.redirects.add(url, format!("{status}, to {to}")),
            Fate::Skipped { reason } => facts.skipped.add(url, reason),
            Fate::Gone { status } => facts.gone.add(url, format!("status {status}")),
            Fate::Failed { reason, .. } => facts.failed.add(url, reason),
        }
    }
    facts.queued = site.queue()?.len() as u64;
    Ok((facts, rows))
}
