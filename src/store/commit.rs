//! Committing a group, and checkpoints.
//!
//! The order of a commit: WARC records and their fsync, then one atomic batch with page rows, vectors, new keys, queue and
//! counters. The batch also notes, for each page it changes for the first time since the last checkpoint, the vector it had
//! then (`O` rows). A checkpoint writes the changed lexicon buckets and sums, and drops those notes and the new keys, in one
//! batch of its own. So at any moment: sums on disk − vectors in `O` + present vectors of the same pages = sums.

use std::collections::BTreeMap;
use std::sync::PoisonError;

use super::group::{Change, Group, PutPage};
use super::hot::{NewKeys, vector};
use super::kv::Changes;
use super::packed::pack;
use super::rows::{FateRecord, META_STATE, PageId, PageRecord, State, UrlRow, page_key, url_key};
use super::site::note_format;
use super::{SiteStore, StoreError};
use crate::archive::{Location, body_digest};

/// Changed pages after which a checkpoint is due, at least. Replaying so many on open takes a fraction of a second.
const CHECKPOINT_PAGES: usize = 1000;

/// The rows of URLs as the group leaves them.
type UrlRows = BTreeMap<String, UrlRow>;

impl SiteStore {
    /// Makes a group durable, all of it or, on an error, nothing.
    ///
    /// After an error the store refuses further commits, because its memory may be ahead of the disk: drop it and open it
    /// again. Time is linear in the group; now and then a checkpoint writes all sums that changed.
    pub fn commit(&mut self, group: Group) -> Result<(), StoreError> {
        if self.failed {
            return Err(StoreError::Failed { dir: self.dir.clone() });
        }
        if group.is_empty() {
            return Ok(());
        }
        let done = self.try_commit(group);
        self.failed = done.is_err();
        done
    }

    fn try_commit(&mut self, mut group: Group) -> Result<(), StoreError> {
        keep_last_puts(&mut group.changes);
        let end = self.archive.end();
        let (changes, state) = match self.prepare(group) {
            Ok(prepared) => prepared,
            Err(error) => {
                // Only here: once the batch is given to the map, it may become durable even where that fails.
                self.archive.roll_back(end);
                return Err(error);
            }
        };
        self.kv.write(changes)?;
        self.state = state;
        let crowded = self.hot.get_mut().unwrap_or_else(PoisonError::into_inner).bytes() > self.budget;
        let due = CHECKPOINT_PAGES.max(usize::try_from(self.state.pages / 4).unwrap_or(usize::MAX));
        if crowded || self.changed.len() >= due {
            self.checkpoint()?;
        }
        Ok(())
    }

    /// Archives the pages, and makes the batch and the counters that it leaves.
    fn prepare(&mut self, group: Group) -> Result<(Changes, State), StoreError> {
        let places = self.archive_pages(&group)?;
        let mut batch = Batch {
            rows: UrlRows::new(),
            state: self.state.clone(),
            changes: Changes::default(),
            new: NewKeys::default(),
        };
        batch.state.end = self.archive.end();
        let mut places = places.into_iter();
        for change in group.changes {
            match change {
                Change::Put(put) => {
                    let place = places.next().unwrap_or_default();
                    let crawl = put.stored.map_or(group.crawl, |(_, crawl)| crawl);
                    self.put(&mut batch, *put, crawl, place)?;
                }
                Change::Remove { url } => self.remove(&mut batch, url)?,
                Change::Touch { url, depth } => {
                    if let Some((_, page)) = &mut self.row(&mut batch.rows, url)?.page {
                        page.crawl = group.crawl;
                        page.depth = depth;
                    }
                }
                Change::Enqueue(entry) => {
                    let row = self.row(&mut batch.rows, entry.url.clone())?;
                    if row.queued.is_none() {
                        row.queued = Some((batch.state.next_order, entry));
                        batch.state.next_order += 1;
                    }
                }
                Change::Restore { url, queued, fate } => {
                    let row = self.row(&mut batch.rows, url)?;
                    row.fate = fate;
                    row.queued = queued.map(|entry| (batch.state.next_order, entry));
                    batch.state.next_order += 1;
                }
                Change::Settle { url, depth, fate } => {
                    let row = self.row(&mut batch.rows, url)?;
                    let referrer = row.queued.take().and_then(|(_, entry)| entry.referrer);
                    row.fate = fate.map(|fate| FateRecord { fate, depth, referrer, crawl: group.crawl });
                }
            }
        }

        let Batch { rows, mut state, mut changes, new } = batch;
        for (url, row) in rows {
            if row.is_empty() {
                changes.remove(url_key(&url));
            } else {
                changes.put(url_key(&url), row.encode(&url));
            }
        }
        new.write(&mut changes);
        let hot = self.hot.get_mut().unwrap_or_else(PoisonError::into_inner);
        state.keys = hot.keys();
        changes.put(META_STATE.to_vec(), state.encode());
        note_format(&mut changes);
        self.kv.ensure_room(&changes)?;
        Ok((changes, state))
    }

    fn archive_pages(&mut self, group: &Group) -> Result<Vec<Location>, StoreError> {
        let mut places = Vec::new();
        for change in &group.changes {
            if let Change::Put(put) = change {
                places.push(match put.stored {
                    Some((place, _)) => place,
                    None => self.archive.append(&put.page)?,
                });
            }
        }
        self.archive.sync()?;
        Ok(places)
    }

    /// The row of a URL as the group has left it so far.
    fn row<'a>(&self, rows: &'a mut UrlRows, url: String) -> Result<&'a mut UrlRow, StoreError> {
        match rows.entry(url) {
            std::collections::btree_map::Entry::Occupied(row) => Ok(row.into_mut()),
            std::collections::btree_map::Entry::Vacant(place) => {
                let row = self.url_row(place.key())?;
                Ok(place.insert(row))
            }
        }
    }

    fn put(&mut self, batch: &mut Batch, put: PutPage, crawl: u32, location: Location) -> Result<(), StoreError> {
        let PutPage { page, facts, counts, looks, .. } = put;
        let too_large = |what| StoreError::TooLarge { dir: self.dir.clone(), what };
        let old = self.row(&mut batch.rows, page.url.clone())?.page.take();
        let id = if let Some((id, _)) = &old {
            *id
        } else {
            let id = PageId(batch.state.next_page);
            batch.state.next_page = id.0.checked_add(1).ok_or_else(|| too_large("pages"))?;
            batch.state.pages += 1;
            id
        };
        self.count_out(batch, id, old.is_some())?;
        let hot = self.hot.get_mut().unwrap_or_else(PoisonError::into_inner);
        let vector = hot.number(&self.kv, counts, &mut batch.new)?;
        let vector = vector.ok_or_else(|| StoreError::TooLarge { dir: self.dir.clone(), what: "terms" })?;
        hot.sums.add(&self.kv, &vector)?;
        batch.changes.put(page_key(b'V', id), vector.encode());
        // What was mined from the old page is out of date.
        batch.changes.remove(page_key(b'D', id));
        let (view, lists) = looks.map_or((None, None), |looks| (Some(looks.view), looks.lists));
        for (table, look) in [(b'W', view), (b'R', lists)] {
            match look {
                Some(look) => batch.changes.put(page_key(table, id), pack(&look)),
                None => batch.changes.remove(page_key(table, id)),
            }
        }
        let record = PageRecord {
            status: page.status,
            depth: page.depth,
            fetched_at: page.fetched_at,
            etag: page.header("etag").map(str::to_owned),
            last_modified: page.header("last-modified").map(str::to_owned),
            digest: body_digest(&page.body),
            lang: facts.lang,
            charset: facts.charset,
            crawl,
            location,
            url: page.url.clone(),
        };
        self.row(&mut batch.rows, page.url)?.page = Some((id, record));
        Ok(())
    }

    fn remove(&mut self, batch: &mut Batch, url: String) -> Result<(), StoreError> {
        let Some((id, _)) = self.row(&mut batch.rows, url)?.page.take() else { return Ok(()) };
        self.count_out(batch, id, true)?;
        batch.changes.remove(page_key(b'V', id));
        batch.changes.remove(page_key(b'D', id));
        batch.changes.remove(page_key(b'W', id));
        batch.changes.remove(page_key(b'R', id));
        batch.state.pages = batch.state.pages.saturating_sub(1);
        Ok(())
    }

    /// Takes a page's counts out of the sums, and notes what they were at the last checkpoint.
    fn count_out(&mut self, batch: &mut Batch, id: PageId, counted: bool) -> Result<(), StoreError> {
        // A page changes once per group, so its vector on disk is its present one.
        let old = if counted { vector(&self.kv, id)? } else { None };
        if let Some(old) = &old {
            let hot = self.hot.get_mut().unwrap_or_else(PoisonError::into_inner);
            hot.sums.remove(&self.kv, old)?;
        }
        if self.changed.insert(id) {
            batch.changes.put(page_key(b'O', id), old.map(|old| old.encode()).unwrap_or_default());
        }
        Ok(())
    }

    /// Writes lexicons and sums as they are now.
    pub(super) fn checkpoint(&mut self) -> Result<(), StoreError> {
        let hot = self.hot.get_mut().unwrap_or_else(PoisonError::into_inner);
        let mut changes = Changes::default();
        hot.write(&mut changes);
        for table in [b"N", b"O"] {
            for row in self.kv.scan(table) {
                changes.remove(row?.0);
            }
        }
        self.kv.apply(changes)?;
        hot.written();
        hot.keep_under(self.budget);
        self.changed.clear();
        Ok(())
    }
}

/// A commit in the making.
struct Batch {
    rows: UrlRows,
    state: State,
    changes: Changes,
    new: NewKeys,
}

/// Of several puts and removals of one page, only the last stays, so that a page changes once per group.
fn keep_last_puts(changes: &mut Vec<Change>) {
    let mut seen = std::collections::HashSet::new();
    let mut keep: Vec<bool> = changes
        .iter()
        .rev()
        .map(|change| match change {
            Change::Put(put) => seen.insert(put.page.url.clone()),
            Change::Remove { url } => seen.insert(url.clone()),
            _ => true,
        })
        .collect();
    changes.retain(|_| keep.pop().unwrap_or(true));
}
