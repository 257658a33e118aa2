//! Keys to dense ids, one lexicon per table, in hash buckets of a few hundred keys.
//!
//! Buckets grow by linear hashing (W. Litwin, *Linear hashing: a new tool for file and table addressing*, VLDB 1980): when
//! the keys are too many, one bucket more is split off, so that growing never touches all of them. Buckets in use stay in
//! memory; changed ones are written at checkpoints.

use rustc_hash::FxHashMap;
use xxhash_rust::xxh3::xxh3_64;

use super::StoreError;
use super::codec::{Malformed, Reader, put, put_bytes};
use super::kv::{Changes, Kv};
use super::rows::table_key;
use crate::entropy::Table;

/// Keys per bucket, on average. More means fewer rows, and more bytes written for each new key.
const BUCKET: u64 = 256;

/// A key of a table: text for terms, a hash for chunks and anchors.
pub(super) trait Key: Ord + Clone {
    /// Chooses the bucket.
    fn hash(&self) -> u64;
    /// Bytes on the heap.
    fn heap(&self) -> usize;
    /// Writes sorted entries.
    fn encode(entries: &[(Self, u32)]) -> Vec<u8>;
    /// Reads what [`encode`](Self::encode) wrote.
    fn decode(bytes: &[u8]) -> Result<Vec<(Self, u32)>, Malformed>;
    /// The bytes of the key alone.
    fn bytes(&self) -> Vec<u8>;
    /// Reads a key as [`bytes`](Self::bytes) gives it.
    fn from_bytes(bytes: &[u8]) -> Result<Self, Malformed>;
}

impl Key for Box<str> {
    fn hash(&self) -> u64 {
        xxh3_64(self.as_bytes())
    }

    fn heap(&self) -> usize {
        self.len() + 16
    }

    /// Each term as the number of bytes shared with the one before, and the rest.
    fn encode(entries: &[(Self, u32)]) -> Vec<u8> {
        let mut out = Vec::with_capacity(entries.len() * 10);
        let mut last: &[u8] = &[];
        for (key, id) in entries {
            let key = key.as_bytes();
            let shared = key.iter().zip(last).take_while(|(a, b)| a == b).count();
            put(&mut out, shared as u64);
            put_bytes(&mut out, &key[shared..]);
            put(&mut out, u64::from(*id));
            last = key;
        }
        out
    }

    fn decode(bytes: &[u8]) -> Result<Vec<(Self, u32)>, Malformed> {
        let mut input = Reader::new(bytes);
        let mut entries = Vec::new();
        let mut last: Vec<u8> = Vec::new();
        while !input.is_empty() {
            let shared = usize::try_from(input.long()?).map_err(|_| Malformed)?;
            if shared > last.len() {
                return Err(Malformed);
            }
            last.truncate(shared);
            last.extend_from_slice(input.bytes()?);
            entries.push((Self::from_bytes(&last)?, input.int()?));
        }
        Ok(entries)
    }

    fn bytes(&self) -> Vec<u8> {
        self.as_bytes().to_vec()
    }

    fn from_bytes(bytes: &[u8]) -> Result<Self, Malformed> {
        std::str::from_utf8(bytes).map(Self::from).map_err(|_| Malformed)
    }
}

impl Key for u64 {
    fn hash(&self) -> u64 {
        // The keys are hashes, but nothing forces the caller's hash to be good in its low bits.
        xxh3_64(&self.to_be_bytes())
    }

    fn heap(&self) -> usize {
        0
    }

    fn encode(entries: &[(Self, u32)]) -> Vec<u8> {
        let mut out = Vec::with_capacity(entries.len() * 12);
        let mut last = 0;
        for (key, id) in entries {
            put(&mut out, key - last);
            put(&mut out, Self::from(*id));
            last = *key;
        }
        out
    }

    fn decode(bytes: &[u8]) -> Result<Vec<(Self, u32)>, Malformed> {
        let mut input = Reader::new(bytes);
        let mut entries = Vec::new();
        let mut last = 0_u64;
        while !input.is_empty() {
            last = last.checked_add(input.long()?).ok_or(Malformed)?;
            entries.push((last, input.int()?));
        }
        Ok(entries)
    }

    fn bytes(&self) -> Vec<u8> {
        self.to_be_bytes().to_vec()
    }

    fn from_bytes(bytes: &[u8]) -> Result<Self, Malformed> {
        bytes.try_into().map(Self::from_be_bytes).map_err(|_| Malformed)
    }
}

/// The lexicon of one table.
#[derive(Debug)]
pub(super) struct Lexicon<K> {
    table: Table,
    /// Buckets there are; at least 1.
    buckets: u32,
    /// Keys there are; the next id.
    keys: u32,
    loaded: FxHashMap<u32, Bucket<K>>,
    /// Bytes of the loaded buckets, about.
    bytes: usize,
}

#[derive(Debug)]
struct Bucket<K> {
    entries: Vec<(K, u32)>,
    dirty: bool,
}

impl<K: Key> Lexicon<K> {
    pub(super) fn new(table: Table, buckets: u32, keys: u32) -> Self {
        Self { table, buckets: buckets.max(1), keys, loaded: FxHashMap::default(), bytes: 0 }
    }

    pub(super) fn buckets(&self) -> u32 {
        self.buckets
    }

    pub(super) fn keys(&self) -> u32 {
        self.keys
    }

    pub(super) fn bytes(&self) -> usize {
        self.bytes
    }

    /// The id of a key, if it has one.
    pub(super) fn get(&mut self, kv: &Kv, key: &K) -> Result<Option<u32>, StoreError> {
        let bucket = self.bucket(kv, bucket_of(key.hash(), self.buckets))?;
        Ok(bucket.entries.binary_search_by(|(k, _)| k.cmp(key)).ok().map(|at| bucket.entries[at].1))
    }

    /// The id of a key, a new one where it has none; and whether it is new. `None` once ids run out.
    pub(super) fn get_or_add(&mut self, kv: &Kv, key: &K) -> Result<Option<(u32, bool)>, StoreError> {
        let next = self.keys;
        let bucket = self.bucket(kv, bucket_of(key.hash(), self.buckets))?;
        match bucket.entries.binary_search_by(|(k, _)| k.cmp(key)) {
            Ok(at) => Ok(Some((bucket.entries[at].1, false))),
            Err(_) if next == u32::MAX => Ok(None),
            Err(_) => {
                self.keys += 1;
                self.insert(kv, key.clone(), next)?;
                Ok(Some((next, true)))
            }
        }
    }

    /// Enters a key with a known id.
    pub(super) fn insert(&mut self, kv: &Kv, key: K, id: u32) -> Result<(), StoreError> {
        let bytes = key.heap() + size_of::<(K, u32)>();
        let bucket = self.bucket(kv, bucket_of(key.hash(), self.buckets))?;
        bucket.dirty = true;
        match bucket.entries.binary_search_by(|(k, _)| k.cmp(&key)) {
            Ok(at) => bucket.entries[at].1 = id,
            Err(at) => bucket.entries.insert(at, (key, id)),
        }
        self.bytes += bytes;
        while u64::from(self.keys) > u64::from(self.buckets) * BUCKET {
            self.split(kv)?;
        }
        Ok(())
    }

    /// Adds one bucket, with its share of the keys of the one it is split from.
    fn split(&mut self, kv: &Kv) -> Result<(), StoreError> {
        let new = self.buckets;
        let from = new - (new + 1).next_power_of_two() / 2;
        let source = self.bucket(kv, from)?;
        let (stay, go) = std::mem::take(&mut source.entries)
            .into_iter()
            .partition(|(key, _)| bucket_of(key.hash(), new + 1) == from);
        source.entries = stay;
        source.dirty = true;
        self.loaded.insert(new, Bucket { entries: go, dirty: true });
        self.bytes += size_of::<(u32, Bucket<K>)>();
        self.buckets += 1;
        Ok(())
    }

    /// The sorted entries of a bucket.
    pub(super) fn entries(&mut self, kv: &Kv, bucket: u32) -> Result<&[(K, u32)], StoreError> {
        Ok(&self.bucket(kv, bucket)?.entries)
    }

    fn bucket(&mut self, kv: &Kv, number: u32) -> Result<&mut Bucket<K>, StoreError> {
        match self.loaded.entry(number) {
            std::collections::hash_map::Entry::Occupied(bucket) => Ok(bucket.into_mut()),
            std::collections::hash_map::Entry::Vacant(place) => {
                let row = kv.get(&table_key(b'L', self.table, number))?.unwrap_or_default();
                let entries = K::decode(&row).map_err(|Malformed| kv.damaged("a lexicon row"))?;
                self.bytes += entries.iter().map(|(key, _)| key.heap() + size_of::<(K, u32)>()).sum::<usize>()
                    + size_of::<(u32, Bucket<K>)>();
                Ok(place.insert(Bucket { entries, dirty: false }))
            }
        }
    }

    /// Writes changed buckets. They stay marked until [`written`](Self::written).
    pub(super) fn write(&self, changes: &mut Changes) {
        #[allow(clippy::iter_over_hash_type, reason = "the changes sort themselves by key")]
        for (&number, bucket) in self.loaded.iter().filter(|(_, bucket)| bucket.dirty) {
            changes.put(table_key(b'L', self.table, number), K::encode(&bucket.entries));
        }
    }

    /// The changes of [`write`](Self::write) are on disk.
    pub(super) fn written(&mut self) {
        #[allow(clippy::iter_over_hash_type, reason = "every bucket gets the same")]
        for bucket in self.loaded.values_mut() {
            bucket.dirty = false;
        }
    }

    /// Forgets the buckets that are on disk as they are.
    pub(super) fn forget_clean(&mut self) {
        self.loaded.retain(|_, bucket| bucket.dirty);
        let sizes = self.loaded.values().map(|bucket| {
            let heap = bucket.entries.iter().map(|(key, _)| key.heap() + size_of::<(K, u32)>()).sum::<usize>();
            heap + size_of::<(u32, Bucket<K>)>()
        });
        self.bytes = sizes.sum();
    }
}

/// Linear hashing: the bucket of a hash among `buckets`.
#[allow(clippy::cast_possible_truncation, reason = "masked to 32 bits, then below `buckets`")]
fn bucket_of(hash: u64, buckets: u32) -> u32 {
    let size = u64::from(buckets).next_power_of_two();
    let bucket = hash & (size - 1);
    (if bucket < u64::from(buckets) { bucket } else { bucket - size / 2 }) as u32
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn splitting_moves_keys_only_to_the_new_bucket() {
        for buckets in 1..70_u32 {
            let from = buckets - (buckets + 1).next_power_of_two() / 2;
            for key in 0..500_u64 {
                let (before, after) = (bucket_of(key.hash(), buckets), bucket_of(key.hash(), buckets + 1));
                assert!(before == after || (before, after) == (from, buckets));
            }
        }
    }

    proptest! {
        #[test]
        fn buckets_come_back(
            terms in prop::collection::btree_map("[a-cé]{0,6}", any::<u32>(), 0..40),
            hashes in prop::collection::btree_map(any::<u64>(), any::<u32>(), 0..40),
            noise: Vec<u8>,
        ) {
            let terms: Vec<(Box<str>, u32)> = terms.into_iter().map(|(k, v)| (k.into(), v)).collect();
            prop_assert_eq!(Key::decode(&Key::encode(&terms)), Ok(terms));
            let hashes: Vec<(u64, u32)> = hashes.into_iter().collect();
            prop_assert_eq!(Key::decode(&Key::encode(&hashes)), Ok(hashes));
            let _ = <Box<str>>::decode(&noise);
            let _ = u64::decode(&noise);
        }
    }
}
