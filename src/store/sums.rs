//! The sums of every id, in rows of 256, with the rows in use in memory.

use rustc_hash::FxHashMap;

use super::StoreError;
use super::codec::Malformed;
use super::kv::{Changes, Kv};
use super::rows::{PageVector, decode_sums, encode_sums, table_key};
use crate::entropy::{Stat, Table};

const ROW: usize = 256;

/// Sums by (table, id). Rows load on demand; changed ones are written at checkpoints.
#[derive(Debug, Default)]
pub(super) struct Sums {
    loaded: FxHashMap<(Table, u32), Row>,
}

#[derive(Debug)]
struct Row {
    stats: Box<[Stat; ROW]>,
    dirty: bool,
}

impl Sums {
    /// Bytes of the loaded rows, about.
    pub(super) fn bytes(&self) -> usize {
        self.loaded.len() * (size_of::<[Stat; ROW]>() + 64)
    }

    pub(super) fn get(&mut self, kv: &Kv, table: Table, id: u32) -> Result<Stat, StoreError> {
        Ok(self.row(kv, table, id / 256)?.stats[(id % 256) as usize])
    }

    /// Counts a page in.
    pub(super) fn add(&mut self, kv: &Kv, vector: &PageVector) -> Result<(), StoreError> {
        self.change(kv, vector, Stat::add)
    }

    /// Counts a page out.
    pub(super) fn remove(&mut self, kv: &Kv, vector: &PageVector) -> Result<(), StoreError> {
        self.change(kv, vector, Stat::remove)
    }

    fn change(&mut self, kv: &Kv, vector: &PageVector, change: fn(&mut Stat, u32)) -> Result<(), StoreError> {
        for table in Table::ALL {
            let mut list = vector.table(table);
            // Ids are in order, so those of a row come together.
            while let Some(&(first, _)) = list.first() {
                let row = self.row(kv, table, first / 256)?;
                row.dirty = true;
                let here = list.partition_point(|(id, _)| id / 256 == first / 256);
                for &(id, count) in &list[..here] {
                    change(&mut row.stats[(id % 256) as usize], count);
                }
                list = &list[here..];
            }
        }
        Ok(())
    }

    fn row(&mut self, kv: &Kv, table: Table, number: u32) -> Result<&mut Row, StoreError> {
        match self.loaded.entry((table, number)) {
            std::collections::hash_map::Entry::Occupied(row) => Ok(row.into_mut()),
            std::collections::hash_map::Entry::Vacant(place) => {
                let mut stats = Box::new([Stat::default(); ROW]);
                if let Some(bytes) = kv.get(&table_key(b'S', table, number))? {
                    decode_sums(&bytes, &mut *stats).map_err(|Malformed| kv.damaged("a row of sums"))?;
                }
                Ok(place.insert(Row { stats, dirty: false }))
            }
        }
    }

    /// Writes changed rows. They stay marked until [`written`](Self::written).
    pub(super) fn write(&self, changes: &mut Changes) {
        #[allow(clippy::iter_over_hash_type, reason = "the changes sort themselves by key")]
        for (&(table, number), row) in self.loaded.iter().filter(|(_, row)| row.dirty) {
            changes.put(table_key(b'S', table, number), encode_sums(&*row.stats));
        }
    }

    /// The changes of [`write`](Self::write) are on disk.
    pub(super) fn written(&mut self) {
        #[allow(clippy::iter_over_hash_type, reason = "every row gets the same")]
        for row in self.loaded.values_mut() {
            row.dirty = false;
        }
    }

    /// Forgets the rows that are on disk as they are.
    pub(super) fn forget_clean(&mut self) {
        self.loaded.retain(|_, row| row.dirty);
    }
}
