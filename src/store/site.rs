//! One site of the store, open.

use std::fs::File;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use rustc_hash::FxHashSet;

use super::hot::{Hot, open as open_hot, vector};
use super::kv::{Changes, Kv};
use super::packed::{pack, unpack};
use super::rows::{
    FateRecord, META_CRAWL, META_FORMAT, META_STATE, PageId, PageRecord, State, UrlRow, page_key, url_key,
};
use super::{StoreError, codec};
use crate::archive::{PageArchive, WarcError, body_digest};
use crate::entropy::{Stat, Table};
use crate::page::{Page, QueueEntry};
use crate::terms::PageCounts;

/// The format of the rows. Raise it when they change. 2: packed by LZ4 (1: deflated, which are still read).
pub(super) const FORMAT: u64 = 2;

/// What views are, in the error for one that is damaged.
const LOOKS: &str = "what a page looks like to its site";

/// Notes that rows of the present format are in the model from now on: an older program must not take them for damaged ones.
pub(super) fn note_format(changes: &mut Changes) {
    changes.put(META_FORMAT.to_vec(), vec![u8::try_from(FORMAT).unwrap_or(u8::MAX)]);
}

/// An open site. Reading may go on from several threads at once; one process holds a site at a time.
///
/// [`close`](Self::close) writes the last checkpoint. Dropping it instead loses nothing; the next opening takes longer.
#[derive(Debug)]
pub struct SiteStore {
    pub(super) dir: PathBuf,
    pub(super) url: String,
    // The order of fields is the order of closing: the map before the lock.
    pub(super) kv: Kv,
    pub(super) archive: PageArchive,
    pub(super) hot: Mutex<Hot>,
    pub(super) state: State,
    /// Pages changed since the last checkpoint.
    pub(super) changed: FxHashSet<PageId>,
    /// A commit failed.
    pub(super) failed: bool,
    /// Bytes of lexicon and sums to keep in memory, about.
    pub(super) budget: usize,
    /// Held while the site is open.
    _lock: Arc<File>,
}

/// Whether an empty model is as it should be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Fresh {
    Yes,
    No,
}

/// Where the parts of a site are.
pub(super) fn pages_dir(site: &Path) -> PathBuf {
    site.join("pages")
}

pub(super) fn model_dir(site: &Path) -> PathBuf {
    site.join("model")
}

impl SiteStore {
    /// Opens the model in `model`, a directory below the site's `dir`, or makes an empty one there if it is to be fresh.
    pub(super) fn open(
        dir: &Path,
        model: &Path,
        fresh: Fresh,
        url: &str,
        lock: Arc<File>,
        cache_mb: usize,
    ) -> Result<Self, StoreError> {
        let cache = cache_mb << 20;
        let kv = Kv::open(model, cache as u64 / 3)?;
        let format = kv.get(META_FORMAT)?.map(|bytes| codec::Reader::new(&bytes).long());
        match format.transpose().map_err(|_| kv.damaged("the format"))? {
            None if fresh == Fresh::No => {
                return Err(StoreError::Damaged { dir: model.to_path_buf(), what: "it is empty".to_owned() });
            }
            None => {
                let mut changes = Changes::default();
                note_format(&mut changes);
                changes.put(META_STATE.to_vec(), State::default().encode());
                kv.apply(changes)?;
            }
            Some(found) if found > FORMAT => {
                return Err(StoreError::Newer { dir: dir.to_path_buf(), found, known: FORMAT });
            }
            Some(_) => {}
        }
        let state = kv.get(META_STATE)?.ok_or_else(|| kv.damaged("the missing counters"))?;
        let state = State::decode(&state).map_err(|_| kv.damaged("the counters"))?;
        let (hot, changed) = open_hot(&kv, &state)?;
        let archive = PageArchive::open(&pages_dir(dir), state.end)?;
        Ok(Self {
            dir: dir.to_path_buf(),
            url: url.to_owned(),
            kv,
            archive,
            hot: Mutex::new(hot),
            state,
            changed: changed.into_iter().collect(),
            failed: false,
            budget: cache / 2,
            _lock: lock,
        })
    }

    /// Writes the last checkpoint, so that the next opening is quick, and closes the site. Where there is no room for it,
    /// the next opening is slow, and nothing is lost.
    pub fn close(mut self) -> Result<(), StoreError> {
        if self.failed || self.changed.is_empty() {
            return Ok(());
        }
        match self.checkpoint() {
            Err(error) if error.is_no_room() => Ok(()),
            written => written,
        }
    }

    /// Where exports keep what they have sent. It is beside the sites, so that it outlives what is made anew.
    pub(crate) fn exports_dir(&self) -> PathBuf {
        self.dir.with_file_name(".exports")
    }

    /// The URL that the site was made with.
    pub fn url(&self) -> &str {
        &self.url
    }

    /// Counted pages.
    pub fn n_pages(&self) -> u64 {
        self.state.pages
    }

    /// Keys that a table has ever had, on present pages or not. Ids are below this.
    pub fn n_keys(&self, table: Table) -> u32 {
        self.state.keys[table as usize]
    }

    pub(super) fn hot(&self) -> MutexGuard<'_, Hot> {
        self.hot.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn url_row(&self, url: &str) -> Result<UrlRow, StoreError> {
        let key = url_key(url);
        let Some(value) = self.kv.get(&key)? else { return Ok(UrlRow::default()) };
        match UrlRow::decode(&key, &value) {
            Ok((_, row)) => Ok(row),
            Err(codec::Malformed) => Err(self.kv.damaged("the row of a URL")),
        }
    }

    /// All rows of URLs, in the order of URLs.
    pub(super) fn url_rows(&self) -> impl Iterator<Item = Result<(String, UrlRow), StoreError>> + '_ {
        self.kv.scan(b"U").map(|row| {
            let (key, value) = row?;
            UrlRow::decode(&key, &value).map_err(|_| self.kv.damaged("the row of a URL"))
        })
    }

    /// The page counted under a URL.
    pub fn page(&self, url: &str) -> Result<Option<(PageId, PageRecord)>, StoreError> {
        Ok(self.url_row(url)?.page)
    }

    /// All counted pages in the order of their URLs (of URLs over 256 bytes, the first 200 decide).
    pub fn pages(&self) -> impl Iterator<Item = Result<(PageId, PageRecord), StoreError>> + '_ {
        self.url_rows().filter_map(|row| row.map(|(_, row)| row.page).transpose())
    }

    /// What waits to be fetched, by depth, then in the order it was queued.
    pub fn queue(&self) -> Result<Vec<QueueEntry>, StoreError> {
        let mut queue: Vec<(u64, QueueEntry)> =
            self.url_rows().filter_map(|row| row.map(|(_, row)| row.queued).transpose()).collect::<Result<_, _>>()?;
        queue.sort_unstable_by_key(|(order, entry)| (entry.depth, *order));
        Ok(queue.into_iter().map(|(_, entry)| entry).collect())
    }

    /// What became of the URLs that gave no page, in the order of URLs.
    pub fn fates(&self) -> impl Iterator<Item = Result<(String, FateRecord), StoreError>> + '_ {
        self.url_rows().filter_map(|row| row.map(|(url, row)| row.fate.map(|fate| (url, fate))).transpose())
    }

    /// What became of a URL that gave no page.
    pub fn fate(&self, url: &str) -> Result<Option<FateRecord>, StoreError> {
        Ok(self.url_row(url)?.fate)
    }

    /// The (id, count) pairs of a page in one table, in id order; empty for an unknown page.
    pub fn vector(&self, page: PageId, table: Table) -> Result<Vec<(u32, u32)>, StoreError> {
        let vector = vector(&self.kv, page)?.unwrap_or_default();
        Ok(vector.table(table).to_vec())
    }

    /// The ids of terms, `None` for those the site does not have.
    pub fn term_ids<'a>(&self, terms: impl IntoIterator<Item = &'a str>) -> Result<Vec<Option<u32>>, StoreError> {
        let mut hot = self.hot();
        let ids = terms.into_iter().map(|term| hot.terms.get(&self.kv, &Box::from(term))).collect();
        hot.keep_under(self.budget);
        ids
    }

    /// The ids of chunk or anchor hashes, `None` for those the site does not have (and for all in the table of terms).
    pub fn hash_ids(&self, table: Table, hashes: &[u64]) -> Result<Vec<Option<u32>>, StoreError> {
        let mut hot = self.hot();
        let ids = hashes.iter().map(|hash| match table {
            Table::Terms => Ok(None),
            Table::Chunks => hot.chunks.get(&self.kv, hash),
            Table::Anchors => hot.anchors.get(&self.kv, hash),
        });
        let ids = ids.collect();
        hot.keep_under(self.budget);
        ids
    }

    /// The sums of ids, as [`vector`](Self::vector) and the `_ids` functions give them.
    pub fn stats(&self, table: Table, ids: impl IntoIterator<Item = u32>) -> Result<Vec<Stat>, StoreError> {
        let mut hot = self.hot();
        let stats = ids.into_iter().map(|id| hot.sums.get(&self.kv, table, id)).collect();
        hot.keep_under(self.budget);
        stats
    }

    /// Shows every key of a table that some page holds, as stored (see [`Table`]), with its id and sums, in no particular
    /// order. Reads the whole table; memory stays under the site's budget.
    pub fn for_each_key(&self, table: Table, mut visit: impl FnMut(&[u8], u32, Stat)) -> Result<(), StoreError> {
        self.hot().for_each(&self.kv, table, self.budget, |key, id, stat| {
            if !stat.is_empty() {
                visit(key, id, stat);
            }
        })
    }

    /// The (id, count) pairs that a page's counts have here; keys the site does not have are left out.
    pub fn known(&self, counts: &PageCounts) -> Result<[Vec<(u32, u32)>; 3], StoreError> {
        let mut lists: [Vec<(u32, u32)>; 3] = Default::default();
        let terms = self.term_ids(counts.terms.iter().map(|(term, _)| &**term))?;
        lists[0] = terms.into_iter().zip(&counts.terms).filter_map(|(id, (_, count))| Some((id?, *count))).collect();
        for (table, counts) in [(Table::Chunks, &counts.chunks), (Table::Anchors, &counts.anchors)] {
            let hashes: Vec<u64> = counts.iter().map(|(hash, _)| *hash).collect();
            let ids = self.hash_ids(table, &hashes)?;
            lists[table as usize] =
                ids.into_iter().zip(counts).filter_map(|(id, (_, count))| Some((id?, *count))).collect();
        }
        Ok(lists)
    }

    /// The archived page, checked against its digest.
    pub fn read_page(&self, record: &PageRecord) -> Result<Page, StoreError> {
        let pages = pages_dir(&self.dir);
        let page = PageArchive::read(&pages, record.location)?;
        if page.url != record.url || body_digest(&page.body) != record.digest {
            let what = format!("is not the page {} that the model names", record.url);
            return Err(WarcError::Record { path: pages, offset: record.location.offset, what }.into());
        }
        // Since it was archived, a later crawl may have found it unchanged at another depth.
        Ok(Page { depth: record.depth, ..page })
    }

    /// Keeps the bytes that mining made of pages, in place of earlier ones. One atomic batch.
    pub fn put_mined(&mut self, mined: impl IntoIterator<Item = (PageId, Vec<u8>)>) -> Result<(), StoreError> {
        self.put_packed(b'D', mined)
    }

    /// The bytes that mining made of a page, if it has been mined since it changed.
    pub fn mined(&self, page: PageId) -> Result<Option<Vec<u8>>, StoreError> {
        self.packed(b'D', page, "what was mined of a page")
    }

    /// Keeps the bytes of what a page looks like to its site, until it changes. One atomic batch.
    pub fn put_views(&mut self, views: impl IntoIterator<Item = (PageId, Vec<u8>)>) -> Result<(), StoreError> {
        self.put_packed(b'W', views)
    }

    /// The bytes of what a page looks like to its site, if it was looked at since it changed.
    pub fn view(&self, page: PageId) -> Result<Option<Vec<u8>>, StoreError> {
        self.packed(b'W', page, LOOKS)
    }

    /// The error for a view that is not there or cannot be read, though it was kept.
    pub fn damaged_view(&self) -> StoreError {
        self.kv.damaged(LOOKS)
    }

    /// Keeps the bytes of what a page's lists look like to its site, until it changes. One atomic batch.
    pub fn put_lists(&mut self, lists: impl IntoIterator<Item = (PageId, Vec<u8>)>) -> Result<(), StoreError> {
        self.put_packed(b'R', lists)
    }

    /// The bytes of what a page's lists look like to its site, if they were looked for since it changed.
    pub fn lists(&self, page: PageId) -> Result<Option<Vec<u8>>, StoreError> {
        self.packed(b'R', page, "what a page's lists look like to its site")
    }

    fn put_packed(&self, table: u8, rows: impl IntoIterator<Item = (PageId, Vec<u8>)>) -> Result<(), StoreError> {
        let mut changes = Changes::default();
        for (page, bytes) in rows {
            changes.put(page_key(table, page), pack(&bytes));
        }
        if !changes.is_empty() {
            note_format(&mut changes);
        }
        self.kv.apply(changes)
    }

    /// The bytes of a row, if it is there; `what` it is, for the error.
    fn packed(&self, table: u8, page: PageId, what: &str) -> Result<Option<Vec<u8>>, StoreError> {
        let Some(row) = self.kv.get(&page_key(table, page))? else { return Ok(None) };
        unpack(&row).map(Some).ok_or_else(|| self.kv.damaged(what))
    }

    /// Forgets everything mined.
    pub fn clear_mined(&mut self) -> Result<(), StoreError> {
        let mut changes = Changes::default();
        for row in self.kv.scan(b"D") {
            changes.remove(row?.0);
        }
        self.kv.apply(changes)
    }

    /// The text that the crawl keeps of itself (parameters, number, whether it finished).
    pub fn crawl_state(&self) -> Result<Option<String>, StoreError> {
        let bytes = self.kv.get(META_CRAWL)?;
        bytes.map(String::from_utf8).transpose().map_err(|_| self.kv.damaged("the state of the crawl"))
    }

    /// Replaces that text.
    pub fn set_crawl_state(&mut self, state: &str) -> Result<(), StoreError> {
        let mut changes = Changes::default();
        changes.put(META_CRAWL.to_vec(), state.as_bytes().to_vec());
        self.kv.apply(changes)
    }
}
