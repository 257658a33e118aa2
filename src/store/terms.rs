//! All terms of a site with their sums.

use super::{SiteStore, StoreError};
use crate::entropy::{Stat, Table};

impl SiteStore {
    /// The terms that stand on some page, in their order as UTF-8, with their sums. Time n log n in the terms that the site
    /// has ever had; all are in memory at once, which takes about a hundred bytes each.
    pub fn terms(&self) -> Result<Vec<(Box<str>, Stat)>, StoreError> {
        let mut numbered: Vec<(u32, Box<str>)> = Vec::new();
        let buckets = self.hot().terms.buckets();
        for bucket in 0..buckets {
            let mut hot = self.hot();
            let entries = hot.terms.entries(&self.kv, bucket)?;
            numbered.extend(entries.iter().map(|(term, id)| (*id, term.clone())));
            hot.keep_under(self.budget);
        }
        // Sums lie together by id.
        numbered.sort_unstable();
        let mut terms: Vec<(Box<str>, Stat)> = Vec::with_capacity(numbered.len());
        for (id, term) in numbered {
            let mut hot = self.hot();
            let stat = hot.sums.get(&self.kv, Table::Terms, id)?;
            hot.keep_under(self.budget);
            if !stat.is_empty() {
                terms.push((term, stat));
            }
        }
        terms.sort_unstable_by(|(a, _), (b, _)| a.cmp(b));
        Ok(terms)
    }
}
