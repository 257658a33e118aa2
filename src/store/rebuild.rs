//! Making a model anew from the archived pages.

use std::collections::HashMap;
use std::fs::{self, File};
use std::path::Path;
use std::sync::Arc;

use rayon::prelude::*;

use super::group::{Group, PageFacts};
use super::rows::{PageRecord, UrlRow};
use super::site::{Fresh, model_dir, pages_dir};
use super::verify::CHUNK;
use super::{SiteStore, Store, StoreError};
use crate::archive::{Location, PageArchive, WarcError, body_digest};
use crate::page::{Page, QueueEntry, Source};
use crate::terms::PageCounts;

/// What a rebuilt model counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RebuiltFrom {
    /// The pages that the old model counted; the queue and the fates were kept.
    Model,
    /// The old model could not be read: the latest record of every URL in the archive, also of pages that had been removed
    /// since. The queue is lost.
    Archive,
}

/// What [`Store::rebuild`] did.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RebuildReport {
    /// What it went by.
    pub from: RebuiltFrom,
    /// Pages counted.
    pub pages: u64,
    /// URLs of pages that the old model counted and the archive does not hold any more. They are queued again.
    pub lost: Vec<String>,
    /// Records of the archive that cannot be read.
    pub broken: Vec<String>,
}

/// What is taken over from the old model.
#[derive(Default)]
struct Old {
    pages: HashMap<Location, PageRecord>,
    rest: Vec<(String, UrlRow)>,
    crawl: Option<String>,
}

impl Store {
    /// Makes the model of a site anew from its archive, with `recount` as the source of counts, and puts it in place of the
    /// old one. A crash leaves the old or the new model, never a half.
    ///
    /// `progress` hears pages done and in all (0 while that is unknown). What had been mined is dropped.
    pub fn rebuild(
        &self,
        key: &str,
        recount: &(dyn Fn(&Page) -> (PageFacts, PageCounts) + Sync),
        progress: &mut dyn FnMut(u64, u64),
    ) -> Result<RebuildReport, StoreError> {
        let (dir, url, lock) = self.locked(key)?;
        let new_dir = dir.join(NEW);
        remove_dir(&new_dir)?;
        let (Old { mut pages, rest, crawl }, from) = match read_old(&dir, &url, &lock, self.cache_mb()) {
            Ok(old) => (old, RebuiltFrom::Model),
            Err(StoreError::Damaged { .. }) => (Old { pages: latest(&dir)?, ..Old::default() }, RebuiltFrom::Archive),
            Err(error) => return Err(error),
        };
        let mut report = RebuildReport { from, pages: 0, lost: vec![], broken: vec![] };
        let mut site = SiteStore::open(&dir, &new_dir, Fresh::Yes, &url, lock.clone(), self.cache_mb())?;
        count_pages(&mut site, &mut pages, recount, progress, &mut report)?;
        let mut group = Group::new(0);
        for (url, row) in rest {
            group.restore(url, row.queued.map(|(_, entry)| entry), row.fate);
        }
        let mut lost: Vec<(String, u32)> = pages.into_values().map(|record| (record.url, record.depth)).collect();
        lost.sort_unstable();
        for (url, depth) in lost {
            group.enqueue(QueueEntry { url: url.clone(), depth, hops: 0, source: Source::Known, referrer: None });
            report.lost.push(url);
        }
        site.commit(group)?;
        if let Some(crawl) = crawl {
            site.set_crawl_state(&crawl)?;
        }
        report.pages = site.n_pages();
        site.close()?;
        swap(&dir)?;
        drop(lock);
        Ok(report)
    }
}

/// Reads from the old model what the new one takes over.
fn read_old(dir: &Path, url: &str, lock: &Arc<File>, cache_mb: usize) -> Result<Old, StoreError> {
    let model = model_dir(dir);
    if !model.is_dir() {
        return Err(StoreError::Damaged { dir: model, what: "it is missing".to_owned() });
    }
    let site = SiteStore::open(dir, &model, Fresh::No, url, lock.clone(), cache_mb)?;
    let mut old = Old { crawl: site.crawl_state()?, ..Old::default() };
    for row in site.url_rows() {
        let (url, mut row) = row?;
        if let Some((_, record)) = row.page.take() {
            old.pages.insert(record.location, record);
        }
        if !row.is_empty() {
            old.rest.push((url, row));
        }
    }
    // In the order in which they were queued.
    old.rest.sort_by_key(|(_, row)| row.queued.as_ref().map(|(order, _)| *order));
    Ok(old)
}

/// The latest record of every URL in the archive.
fn latest(dir: &Path) -> Result<HashMap<Location, PageRecord>, StoreError> {
    let mut urls: HashMap<String, PageRecord> = HashMap::new();
    for record in PageArchive::pages(&pages_dir(dir)) {
        match record {
            Ok((location, page)) => {
                let record = PageRecord {
                    status: page.status,
                    depth: page.depth,
                    fetched_at: page.fetched_at,
                    etag: None,
                    last_modified: None,
                    digest: body_digest(&page.body),
                    lang: String::new(),
                    charset: String::new(),
                    crawl: 0,
                    location,
                    url: page.url.clone(),
                };
                urls.insert(page.url, record);
            }
            // Broken records are reported by the second reading.
            Err(WarcError::Record { .. }) => {}
            Err(error) => return Err(error.into()),
        }
    }
    Ok(urls.into_values().map(|record| (record.location, record)).collect())
}

/// Counts the pages that `wanted` names, and takes them out of it.
fn count_pages(
    site: &mut SiteStore,
    wanted: &mut HashMap<Location, PageRecord>,
    recount: &(dyn Fn(&Page) -> (PageFacts, PageCounts) + Sync),
    progress: &mut dyn FnMut(u64, u64),
    report: &mut RebuildReport,
) -> Result<(), StoreError> {
    let all = wanted.len() as u64;
    let mut done = 0;
    let mut chunk: Vec<(PageRecord, Page)> = Vec::with_capacity(CHUNK);
    let mut records = PageArchive::pages(&pages_dir(&site.dir));
    loop {
        let record = records.next();
        let last = record.is_none();
        match record {
            Some(Ok((location, page))) => {
                let sound = |record: &PageRecord| record.url == page.url && record.digest == body_digest(&page.body);
                if wanted.get(&location).is_some_and(sound)
                    && let Some(record) = wanted.remove(&location)
                {
                    chunk.push((record, page));
                }
            }
            Some(Err(error @ WarcError::Io { .. })) => return Err(error.into()),
            Some(Err(error)) => report.broken.push(error.to_string()),
            None => {}
        }
        if chunk.len() == CHUNK || last {
            let counted: Vec<_> = chunk.par_iter().map(|(_, page)| recount(page)).collect();
            let mut group = Group::new(0);
            done += chunk.len() as u64;
            for ((record, page), (facts, counts)) in chunk.drain(..).zip(counted) {
                let page = Page { depth: record.depth, ..page };
                group.put_stored(page, facts, counts, record.location, record.crawl);
            }
            site.commit(group)?;
            progress(done, all);
        }
        if last {
            return Ok(());
        }
    }
}

const NEW: &str = "model.new";
const OLD: &str = "model.old";

/// Puts the new model in place of the old one.
fn swap(dir: &Path) -> Result<(), StoreError> {
    let (model, new, old) = (model_dir(dir), dir.join(NEW), dir.join(OLD));
    remove_dir(&old)?;
    if model.exists() {
        fs::rename(&model, &old).map_err(StoreError::io("rename", &model))?;
    }
    fs::rename(&new, &model).map_err(StoreError::io("rename", &new))?;
    super::kv::replaced(&model);
    sync_dir(dir);
    remove_dir(&old)
}

/// Finishes or undoes a swap that a crash interrupted.
pub(super) fn settle_swap(dir: &Path) -> Result<(), StoreError> {
    let (model, new, old) = (model_dir(dir), dir.join(NEW), dir.join(OLD));
    if !model.exists() && old.exists() {
        // The old one is moved away only once the new one is whole.
        let from = if new.exists() { &new } else { &old };
        fs::rename(from, &model).map_err(StoreError::io("rename", from))?;
        sync_dir(dir);
    }
    remove_dir(&new)?;
    remove_dir(&old)
}

fn remove_dir(dir: &Path) -> Result<(), StoreError> {
    match fs::remove_dir_all(dir) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => Err(StoreError::io("remove", dir)(error)),
        _ => Ok(()),
    }
}

/// Makes renames durable where directories can be synced.
fn sync_dir(dir: &Path) {
    if let Ok(dir) = File::open(dir) {
        let _ = dir.sync_all();
    }
}
