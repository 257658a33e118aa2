//! The part of the model that lives in memory: lexicons and sums in use, and which of them are newer than the disk.

use std::collections::BTreeMap;

use super::kv::{Changes, Kv};
use super::lexicon::{Key, Lexicon};
use super::rows::{PageId, PageVector, State, key_number, page_key};
use super::sums::Sums;
use super::{StoreError, codec};
use crate::entropy::{Stat, Table};
use crate::terms::PageCounts;

/// Lexicons and sums, as of the last commit.
#[derive(Debug)]
pub(super) struct Hot {
    pub(super) terms: Lexicon<Box<str>>,
    pub(super) chunks: Lexicon<u64>,
    pub(super) anchors: Lexicon<u64>,
    pub(super) sums: Sums,
}

/// Keys that got their id since the last commit, by table and in id order, to be written as `N` rows.
#[derive(Debug, Default)]
pub(super) struct NewKeys(BTreeMap<(u8, u32), Vec<u8>>);

impl NewKeys {
    pub(super) fn write(&self, changes: &mut Changes) {
        // One row per run of ids that follow each other.
        let mut run: Option<(u8, u32, u32, Vec<u8>)> = None;
        for (&(table, id), key) in &self.0 {
            match &mut run {
                Some((t, _, next, bytes)) if (*t, *next) == (table, id) => {
                    codec::put_bytes(bytes, key);
                    *next += 1;
                }
                _ => {
                    put_run(changes, run.take());
                    let mut bytes = Vec::new();
                    codec::put_bytes(&mut bytes, key);
                    run = Some((table, id, id + 1, bytes));
                }
            }
        }
        put_run(changes, run);
    }
}

fn put_run(changes: &mut Changes, run: Option<(u8, u32, u32, Vec<u8>)>) {
    if let Some((table, first, _, bytes)) = run {
        let mut key = vec![b'N', table];
        key.extend_from_slice(&first.to_be_bytes());
        changes.put(key, bytes);
    }
}

impl Hot {
    /// As of the last checkpoint: `buckets` are those on disk, keys those of the last commit.
    pub(super) fn new(buckets: [u32; 3], keys: [u32; 3]) -> Self {
        Self {
            terms: Lexicon::new(Table::Terms, buckets[0], keys[0]),
            chunks: Lexicon::new(Table::Chunks, buckets[1], keys[1]),
            anchors: Lexicon::new(Table::Anchors, buckets[2], keys[2]),
            sums: Sums::default(),
        }
    }

    /// Makes up for what was committed after the last checkpoint. Gives the pages that changed since.
    pub(super) fn replay(&mut self, kv: &Kv) -> Result<Vec<PageId>, StoreError> {
        for row in kv.scan(b"N") {
            let (key, value) = row?;
            let damaged = |_| kv.damaged("a row of new keys");
            let table = *key.get(1).ok_or_else(|| damaged(codec::Malformed))?;
            let mut id = key_number(&key).map_err(damaged)?;
            let mut input = codec::Reader::new(&value);
            while !input.is_empty() {
                let bytes = input.bytes().map_err(damaged)?;
                match table {
                    0 => self.terms.insert(kv, Key::from_bytes(bytes).map_err(damaged)?, id)?,
                    1 => self.chunks.insert(kv, Key::from_bytes(bytes).map_err(damaged)?, id)?,
                    2 => self.anchors.insert(kv, Key::from_bytes(bytes).map_err(damaged)?, id)?,
                    _ => return Err(damaged(codec::Malformed)),
                }
                id = id.checked_add(1).ok_or_else(|| damaged(codec::Malformed))?;
            }
        }
        let mut changed = Vec::new();
        for row in kv.scan(b"O") {
            let (key, value) = row?;
            let page = PageId(key_number(&key).map_err(|_| kv.damaged("a row of old vectors"))?);
            if !value.is_empty() {
                let old = PageVector::decode(&value).map_err(|_| kv.damaged("an old vector"))?;
                self.sums.remove(kv, &old)?;
            }
            if let Some(now) = vector(kv, page)? {
                self.sums.add(kv, &now)?;
            }
            changed.push(page);
        }
        Ok(changed)
    }

    /// The vector of a page's counts; keys that are new get ids. `None` once ids run out.
    pub(super) fn number(
        &mut self,
        kv: &Kv,
        counts: PageCounts,
        new: &mut NewKeys,
    ) -> Result<Option<PageVector>, StoreError> {
        let counts = normalized(counts);
        let lists = [
            number(kv, &mut self.terms, 0, &counts.terms, new)?,
            number(kv, &mut self.chunks, 1, &counts.chunks, new)?,
            number(kv, &mut self.anchors, 2, &counts.anchors, new)?,
        ];
        Ok(match lists {
            [Some(terms), Some(chunks), Some(anchors)] => Some(PageVector([terms, chunks, anchors])),
            _ => None,
        })
    }

    /// The vector of a page's counts, without giving ids: `None` where a key has none.
    pub(super) fn look_up(&mut self, kv: &Kv, counts: PageCounts) -> Result<Option<PageVector>, StoreError> {
        let counts = normalized(counts);
        let lists = [
            look_up(kv, &mut self.terms, &counts.terms)?,
            look_up(kv, &mut self.chunks, &counts.chunks)?,
            look_up(kv, &mut self.anchors, &counts.anchors)?,
        ];
        Ok(match lists {
            [Some(terms), Some(chunks), Some(anchors)] => Some(PageVector([terms, chunks, anchors])),
            _ => None,
        })
    }

    /// Every key of a table with its id and sums, bucket by bucket. The memory in use is kept under `budget`.
    pub(super) fn for_each(
        &mut self,
        kv: &Kv,
        table: Table,
        budget: usize,
        mut visit: impl FnMut(&[u8], u32, Stat),
    ) -> Result<(), StoreError> {
        let buckets = match table {
            Table::Terms => self.terms.buckets(),
            Table::Chunks => self.chunks.buckets(),
            Table::Anchors => self.anchors.buckets(),
        };
        for bucket in 0..buckets {
            let entries: Vec<(Vec<u8>, u32)> = match table {
                Table::Terms => bytes(self.terms.entries(kv, bucket)?),
                Table::Chunks => bytes(self.chunks.entries(kv, bucket)?),
                Table::Anchors => bytes(self.anchors.entries(kv, bucket)?),
            };
            for (key, id) in entries {
                visit(&key, id, self.sums.get(kv, table, id)?);
            }
            self.keep_under(budget);
        }
        Ok(())
    }

    /// Keys per table.
    pub(super) fn keys(&self) -> [u32; 3] {
        [self.terms.keys(), self.chunks.keys(), self.anchors.keys()]
    }

    /// Adds everything that is newer than the disk to the changes.
    pub(super) fn write(&self, changes: &mut Changes) {
        self.terms.write(changes);
        self.chunks.write(changes);
        self.anchors.write(changes);
        self.sums.write(changes);
        let mut buckets = Vec::new();
        for number in [self.terms.buckets(), self.chunks.buckets(), self.anchors.buckets()] {
            codec::put(&mut buckets, u64::from(number));
        }
        changes.put(super::rows::META_CHECKPOINT.to_vec(), buckets);
    }

    /// What [`write`](Self::write) added is on disk.
    pub(super) fn written(&mut self) {
        self.terms.written();
        self.chunks.written();
        self.anchors.written();
        self.sums.written();
    }

    /// Bytes in memory, about.
    pub(super) fn bytes(&self) -> usize {
        self.terms.bytes() + self.chunks.bytes() + self.anchors.bytes() + self.sums.bytes()
    }

    /// Where more than `budget` bytes are in memory, forgets what is on disk as it is.
    pub(super) fn keep_under(&mut self, budget: usize) {
        if self.bytes() > budget {
            self.terms.forget_clean();
            self.chunks.forget_clean();
            self.anchors.forget_clean();
            self.sums.forget_clean();
        }
    }
}

/// Opens the lexicons and sums of a model as of its last commit, and tells which pages changed since its last checkpoint.
pub(super) fn open(kv: &Kv, state: &State) -> Result<(Hot, Vec<PageId>), StoreError> {
    let mut buckets = [1; 3];
    if let Some(bytes) = kv.get(super::rows::META_CHECKPOINT)? {
        let mut input = codec::Reader::new(&bytes);
        for number in &mut buckets {
            *number = input.int().map_err(|_| kv.damaged("the checkpoint"))?;
        }
    }
    let mut hot = Hot::new(buckets, state.keys);
    let changed = hot.replay(kv)?;
    Ok((hot, changed))
}

/// The stored vector of a page.
pub(super) fn vector(kv: &Kv, page: PageId) -> Result<Option<PageVector>, StoreError> {
    let row = kv.get(&page_key(b'V', page))?;
    row.map(|bytes| PageVector::decode(&bytes)).transpose().map_err(|_| kv.damaged("a page vector"))
}

/// The same counts in key order, each key once, without zeros.
pub(super) fn normalized(counts: PageCounts) -> PageCounts {
    PageCounts { terms: merged(counts.terms), chunks: merged(counts.chunks), anchors: merged(counts.anchors) }
}

fn merged<K: Ord>(mut counts: Vec<(K, u32)>) -> Vec<(K, u32)> {
    counts.retain(|(_, count)| *count > 0);
    counts.sort_unstable_by(|a, b| a.0.cmp(&b.0));
    counts.dedup_by(|later, first| {
        let same = later.0 == first.0;
        if same {
            first.1 = first.1.saturating_add(later.1);
        }
        same
    });
    counts
}

fn bytes<K: Key>(entries: &[(K, u32)]) -> Vec<(Vec<u8>, u32)> {
    entries.iter().map(|(key, id)| (key.bytes(), *id)).collect()
}

fn number<K: Key>(
    kv: &Kv,
    lexicon: &mut Lexicon<K>,
    table: u8,
    counts: &[(K, u32)],
    new: &mut NewKeys,
) -> Result<Option<Vec<(u32, u32)>>, StoreError> {
    let mut list = Vec::with_capacity(counts.len());
    for (key, count) in counts {
        let Some((id, is_new)) = lexicon.get_or_add(kv, key)? else { return Ok(None) };
        if is_new {
            new.0.insert((table, id), key.bytes());
        }
        list.push((id, *count));
    }
    list.sort_unstable();
    Ok(Some(list))
}

fn look_up<K: Key>(
    kv: &Kv,
    lexicon: &mut Lexicon<K>,
    counts: &[(K, u32)],
) -> Result<Option<Vec<(u32, u32)>>, StoreError> {
    let mut list = Vec::with_capacity(counts.len());
    for (key, count) in counts {
        let Some(id) = lexicon.get(kv, key)? else { return Ok(None) };
        list.push((id, *count));
    }
    list.sort_unstable();
    Ok(Some(list))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_keys_are_added_and_zeros_dropped() {
        let counts = PageCounts {
            terms: vec![("b".into(), 1), ("a".into(), 0), ("b".into(), 2)],
            chunks: vec![(9, 1), (3, u32::MAX), (3, 1)],
            anchors: vec![],
        };
        let want = PageCounts { terms: vec![("b".into(), 3)], chunks: vec![(3, u32::MAX), (9, 1)], anchors: vec![] };
        assert_eq!(normalized(counts), want);
    }
}
