//! [`LiveSite`]: a look at a site while it is crawled.

use crate::store::SiteStore;
use std::sync::{Arc, Mutex, PoisonError, RwLock, Weak};

/// Lets others read the site that a crawl of this process writes. A store has one process at a time, so whoever wants to see a
/// running crawl must be in its process.
#[derive(Debug, Default)]
pub struct LiveSite {
    site: Mutex<Weak<RwLock<SiteStore>>>,
}

impl LiveSite {
    /// Reads the site as of its last commit; `None` before the crawl has begun and after it has ended. Commits wait meanwhile.
    pub fn look<T>(&self, read: impl FnOnce(&SiteStore) -> T) -> Option<T> {
        let site = self.site.lock().unwrap_or_else(PoisonError::into_inner).upgrade()?;
        let site = site.read().unwrap_or_else(PoisonError::into_inner);
        Some(read(&site))
    }

    pub(super) fn open(&self, site: &Arc<RwLock<SiteStore>>) {
        *self.site.lock().unwrap_or_else(PoisonError::into_inner) = Arc::downgrade(site);
    }

    pub(super) fn close(&self) {
        *self.site.lock().unwrap_or_else(PoisonError::into_inner) = Weak::new();
    }
}
