//! The ordered map under the store: the one file that names sled.
//!
//! sled 0.34 tells some kinds of damage by a panic, on open and on reads. Every call goes through [`guarded`], which turns
//! such a panic into [`StoreError::Damaged`].

use std::cell::Cell;
use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, File};
use std::io::{ErrorKind, Write};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, Once, PoisonError};
use std::time::Duration;

use super::StoreError;

/// The size of sled's log segments, in bytes, fixed for the life of a store. A small one keeps a ten-page site small (sled
/// fills up whole segments), but values over a quarter of it become files of their own.
const SEGMENT: usize = 64 * 1024;

/// Files of room beside what sled is given, for whole segments and leaves of its tree, which can be large: with one of them sled
/// now and then met the full disk itself, and then said that the model is damaged. Several, since the size of a file may be
/// limited as well.
const SPARE: [&str; 4] = ["room.tmp", "room-1.tmp", "room-2.tmp", "room-3.tmp"];
/// Segments of each.
const SPARE_SEGMENTS: usize = 4;

/// How long an opening waits for a lock. Other processes hold the lock of the site, so this one is soon free.
const LOCK_WAIT: Duration = Duration::from_secs(5);
const LOCK_POLL: Duration = Duration::from_millis(5);

/// Directories of maps that damage kept this process from opening.
fn broken_off() -> MutexGuard<'static, BTreeSet<PathBuf>> {
    static DIRS: Mutex<BTreeSet<PathBuf>> = Mutex::new(BTreeSet::new());
    DIRS.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Another map stands in the directory now: a lock on it is one that will be free again.
pub(super) fn replaced(dir: &Path) {
    broken_off().remove(dir);
}

/// An ordered map from bytes to bytes in a directory of its own.
#[derive(Debug)]
pub(super) struct Kv {
    dir: PathBuf,
    /// Taken only by `drop`.
    db: Option<sled::Db>,
}

/// Writes that are applied together or not at all. The last word on a key counts.
#[derive(Debug, Default)]
pub(super) struct Changes {
    writes: BTreeMap<Vec<u8>, Option<Vec<u8>>>,
    bytes: usize,
}

impl Changes {
    pub(super) fn put(&mut self, key: Vec<u8>, value: Vec<u8>) {
        self.bytes += key.len() + value.len();
        self.writes.insert(key, Some(value));
    }

    pub(super) fn remove(&mut self, key: Vec<u8>) {
        self.bytes += key.len();
        self.writes.insert(key, None);
    }

    pub(super) fn is_empty(&self) -> bool {
        self.writes.is_empty()
    }
}

impl Kv {
    /// Opens the map in `dir`, and makes it where there is none. `cache` is in bytes.
    pub(super) fn open(dir: &Path, cache: u64) -> Result<Self, StoreError> {
        let config = sled::Config::new()
            .path(dir)
            .segment_size(SEGMENT)
            .cache_capacity(cache.max(1 << 20))
            .mode(sled::Mode::LowSpace)
            // Every commit flushes; a thread that flushes in between would only write more.
            .flush_every_ms(None);
        let mut waited = Duration::ZERO;
        loop {
            match guarded(dir, "open", || config.open()) {
                Ok(db) => return Ok(Self { dir: dir.to_path_buf(), db: Some(db) }),
                // A map that this process closed a moment ago keeps its lock until its last write thread is done, and one
                // whose opening ended in a panic keeps it for good.
                Err(StoreError::InUse { .. }) if broken_off().contains(dir) => {
                    let what = "it could not be opened before".to_owned();
                    return Err(StoreError::Damaged { dir: dir.to_path_buf(), what });
                }
                Err(StoreError::InUse { .. }) if waited < LOCK_WAIT => {
                    std::thread::sleep(LOCK_POLL);
                    waited += LOCK_POLL;
                }
                Err(error) => {
                    if matches!(error, StoreError::Damaged { .. }) {
                        broken_off().insert(dir.to_path_buf());
                    }
                    return Err(error);
                }
            }
        }
    }

    fn with<T>(&self, doing: &'static str, work: impl FnOnce(&sled::Db) -> sled::Result<T>) -> Result<T, StoreError> {
        match &self.db {
            Some(db) => guarded(&self.dir, doing, || work(db)),
            None => Err(StoreError::Failed { dir: self.dir.clone() }),
        }
    }

    pub(super) fn get(&self, key: &[u8]) -> Result<Option<Vec<u8>>, StoreError> {
        self.with("read", |db| Ok(db.get(key)?.map(|value| value.to_vec())))
    }

    /// The error for a row that cannot be decoded.
    pub(super) fn damaged(&self, what: &str) -> StoreError {
        StoreError::Damaged { dir: self.dir.clone(), what: format!("{what} cannot be decoded") }
    }

    /// All rows whose key starts with `prefix`, in key order.
    pub(super) fn scan(&self, prefix: &[u8]) -> Scan<'_> {
        Scan { kv: self, iter: self.db.as_ref().map(|db| db.scan_prefix(prefix)) }
    }

    /// [`ensure_room`](Self::ensure_room), then [`write`](Self::write).
    pub(super) fn apply(&self, changes: Changes) -> Result<(), StoreError> {
        if changes.is_empty() {
            return Ok(());
        }
        self.ensure_room(&changes)?;
        self.write(changes)
    }

    /// Applies the changes atomically and waits until they are on disk.
    pub(super) fn write(&self, changes: Changes) -> Result<(), StoreError> {
        if changes.is_empty() {
            return Ok(());
        }
        let mut batch = sled::Batch::default();
        for (key, value) in changes.writes {
            match value {
                Some(value) => batch.insert(key, value),
                None => batch.remove(key),
            }
        }
        self.with("write", |db| db.apply_batch(batch))?;
        self.with("write", |db| db.flush().map(|_| ()))
    }

    /// Finds out that the disk is full before a batch is half written: takes the room that the batch may need, and gives
    /// it back.
    pub(super) fn ensure_room(&self, changes: &Changes) -> Result<(), StoreError> {
        // sled writes up to four times what it is given.
        self.take_room(changes.bytes * 4 / SEGMENT).map_err(StoreError::io("write to", &self.dir))
    }

    /// Takes room for so many segments and some more, and gives it back.
    fn take_room(&self, segments: usize) -> std::io::Result<()> {
        let zeros = vec![0; SEGMENT];
        let paths = SPARE.map(|name| self.dir.join(name));
        let take = |(path, segments): (&PathBuf, usize)| {
            let mut file = File::create(path)?;
            (0..segments).try_for_each(|_| file.write_all(&zeros))
        };
        let wanted = std::iter::once(segments).chain(std::iter::repeat(0)).map(|segments| segments + SPARE_SEGMENTS);
        let mut done = paths.iter().zip(wanted).try_for_each(take);
        for path in &paths {
            // Those after the first that failed are not there.
            let removed = fs::remove_file(path).or_else(|error| match error.kind() {
                ErrorKind::NotFound => Ok(()),
                _ => Err(error),
            });
            done = done.and(removed);
        }
        done
    }
}

impl Drop for Kv {
    fn drop(&mut self) {
        let Some(db) = self.db.take() else { return };
        let is_full = self.take_room(0).is_err_and(|error| {
            matches!(error.kind(), ErrorKind::StorageFull | ErrorKind::QuotaExceeded | ErrorKind::FileTooLarge)
        });
        if is_full {
            // sled would wait for ever for what it cannot write. Every commit was flushed, so nothing is lost; what is left
            // open goes with the process.
            std::mem::forget(db);
            return;
        }
        // Failures on the way out change nothing: every commit was flushed.
        let _ = guarded(&self.dir, "close", || {
            drop(db);
            Ok(())
        });
    }
}

/// Rows in key order.
pub(super) struct Scan<'a> {
    kv: &'a Kv,
    iter: Option<sled::Iter>,
}

impl Iterator for Scan<'_> {
    type Item = Result<(Vec<u8>, Vec<u8>), StoreError>;

    fn next(&mut self) -> Option<Self::Item> {
        let iter = self.iter.as_mut()?;
        let row = guarded(&self.kv.dir, "read", || iter.next().transpose());
        match row {
            Ok(row) => row.map(|(key, value)| Ok((key.to_vec(), value.to_vec()))),
            Err(error) => {
                // After damage the iterator may give the same row for ever.
                self.iter = None;
                Some(Err(error))
            }
        }
    }
}

thread_local! {
    static QUIET: Cell<bool> = const { Cell::new(false) };
}

/// Calls sled; a panic becomes an error, and its message goes there instead of to stderr.
fn guarded<T>(dir: &Path, doing: &'static str, work: impl FnOnce() -> sled::Result<T>) -> Result<T, StoreError> {
    static HOOK: Once = Once::new();
    HOOK.call_once(|| {
        let before = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |info| {
            let of_sled = std::thread::current().name().is_some_and(|name| name.starts_with("sled-"));
            if !of_sled && !QUIET.get() {
                before(info);
            }
        }));
    });
    let outer = QUIET.replace(true);
    let result = catch_unwind(AssertUnwindSafe(work));
    QUIET.set(outer);
    match result {
        Ok(Ok(value)) => Ok(value),
        Ok(Err(sled::Error::Io(error))) if error.to_string().starts_with("could not acquire lock") => {
            Err(StoreError::InUse { dir: dir.to_path_buf() })
        }
        Ok(Err(sled::Error::Io(source))) => match source.kind() {
            // What sled reports where its own bytes make no sense.
            ErrorKind::UnexpectedEof | ErrorKind::InvalidData | ErrorKind::NotFound => {
                Err(StoreError::Damaged { dir: dir.to_path_buf(), what: source.to_string() })
            }
            _ => Err(StoreError::Io { doing, path: dir.to_path_buf(), source }),
        },
        Ok(Err(error)) => Err(StoreError::Damaged { dir: dir.to_path_buf(), what: first_line(&error.to_string()) }),
        Err(panic) => {
            let message = panic.downcast_ref::<String>().map(String::as_str);
            let message = message.or_else(|| panic.downcast_ref::<&str>().copied()).unwrap_or("unreadable");
            Err(StoreError::Damaged { dir: dir.to_path_buf(), what: first_line(message) })
        }
    }
}

/// The start of a message, for one line of text.
fn first_line(message: &str) -> String {
    // The map's errors end in a backtrace that is never there.
    let line = message.lines().next().unwrap_or_default().trim_end_matches(" backtrace ()");
    line.chars().take(160).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// sled keeps the lock of a map whose opening ended in a panic; the map that is made anew in its place is another one.
    #[test]
    fn the_lock_of_a_map_made_anew_is_waited_for() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("map");
        let held = Kv::open(&path, 1 << 20).unwrap();
        broken_off().insert(path.clone());
        assert!(matches!(Kv::open(&path, 1 << 20), Err(StoreError::Damaged { .. })));
        replaced(&path);
        let closing = std::thread::spawn(move || {
            std::thread::sleep(Duration::from_millis(50));
            drop(held);
        });
        assert!(Kv::open(&path, 1 << 20).is_ok());
        closing.join().unwrap();
    }
}
