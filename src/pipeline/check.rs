//! Verify and rebuild: the model against the archive, and the model from the archive.

use super::learn::recount;
use super::{PipelineError, SiteState, TermSettings};
use crate::progress::Progress;
use crate::store::{RebuildReport, SiteStore, Store, StoreError, VerifyReport, verify};
use std::sync::atomic::Ordering;

/// Recounts every page of a site from its archived bytes and compares with the model: see [`verify`].
pub fn verify_site(site: &SiteStore, progress: &Progress) -> Result<VerifyReport, PipelineError> {
    let options = SiteState::of(site)?.term_options()?;
    Ok(verify(site, &|page| recount(page, &options).1, &mut hear(progress))?)
}

/// Makes a site's model anew from its archive: see [`Store::rebuild`].
///
/// Terms are made as `terms` says; `None` takes the settings that the old model kept, or the defaults where it cannot be
/// read.
pub fn rebuild_site(
    store: &Store,
    key: &str,
    terms: Option<&TermSettings>,
    progress: &Progress,
) -> Result<RebuildReport, PipelineError> {
    let old = match store.site(key) {
        Ok(site) => {
            let state = SiteState::of(&site);
            site.close()?;
            state.unwrap_or_default()
        }
        Err(StoreError::Damaged { .. }) => SiteState::default(),
        Err(error) => return Err(error.into()),
    };
    let terms = terms.cloned().or_else(|| old.terms.clone()).unwrap_or_default();
    let options = terms.options()?;
    let report = store.rebuild(key, &|page| recount(page, &options), &mut hear(progress))?;
    let mut site = store.site(key)?;
    SiteState { terms: Some(terms), ..old }.save(&mut site)?;
    site.close()?;
    Ok(report)
}

fn hear(progress: &Progress) -> impl FnMut(u64, u64) {
    |done, total| {
        progress.done.store(done, Ordering::Relaxed);
        progress.total.store(total, Ordering::Relaxed);
    }
}
