//! One number for a whole model.

use sha2::{Digest, Sha256};

use super::{SiteStore, StoreError};
use crate::entropy::Table;

impl SiteStore {
    /// A digest of what the model says: every (table, key, df, TF, S) with df > 0, and the number of pages. Two models are
    /// equal exactly if their digests are, whatever the order of pages, ids and crashes on the way.
    ///
    /// The SHA-256 of each row is added up, which needs no sorting, and the sum hashed again. Reads the whole model.
    pub fn model_digest(&self) -> Result<[u8; 32], StoreError> {
        let mut lanes = [0_u64; 4];
        let mut rows = 0_u64;
        for table in Table::ALL {
            self.hot().for_each(&self.kv, table, self.budget, |key, _, stat| {
                if stat.is_empty() {
                    return;
                }
                let mut hash = Sha256::new();
                hash.update([table as u8]);
                hash.update((key.len() as u64).to_be_bytes());
                hash.update(key);
                hash.update(stat.df.to_be_bytes());
                hash.update(stat.tf.to_be_bytes());
                hash.update(stat.s.to_be_bytes());
                let digest: [u8; 32] = hash.finalize().into();
                for (lane, part) in lanes.iter_mut().zip(digest.chunks_exact(8)) {
                    let mut bytes = [0; 8];
                    bytes.copy_from_slice(part);
                    *lane = lane.wrapping_add(u64::from_be_bytes(bytes));
                }
                rows += 1;
            })?;
        }
        let mut hash = Sha256::new();
        hash.update(self.n_pages().to_be_bytes());
        hash.update(rows.to_be_bytes());
        for lane in lanes {
            hash.update(lane.to_be_bytes());
        }
        Ok(hash.finalize().into())
    }
}
