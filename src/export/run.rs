//! [`export_site`]: the pages of a site to a sink, a group at a time.

use super::{Document, ExportError, Outgoing, Sink, document};
use crate::blocks::Mined;
use crate::page::Page;
use crate::progress::{Progress, Report};
use crate::store::{PageId, PageRecord, SiteStore, StoreError};
use rayon::prelude::*;
use std::sync::atomic::Ordering;

/// Pages that are made into documents at once, and the most that are in memory.
const GROUP: usize = 64;

/// Sends the documents of all pages of a site, in the order of their URLs; those that were not mined since they changed
/// count as skipped in the report, and have no article and no links. A page that cannot be read becomes a failure in the
/// report. The sink is left open for further sites.
pub fn export_site(
    site: &SiteStore,
    key: &str,
    sink: &mut dyn Sink,
    progress: &Progress,
) -> Result<Report, ExportError> {
    progress.total.fetch_add(site.n_pages(), Ordering::Relaxed);
    let mut report = Report::default();
    sink.begin(key, site)?;
    let mut pages = site.pages();
    loop {
        let group: Vec<(PageId, PageRecord)> = pages.by_ref().take(GROUP).collect::<Result<_, _>>()?;
        if group.is_empty() {
            return Ok(report);
        }
        let made: Vec<Result<(Page, Document), StoreError>> = group
            .par_iter()
            .map(|(id, record)| {
                let made = page_document(site, key, *id, record)?;
                progress.done.fetch_add(1, Ordering::Relaxed);
                Ok(made)
            })
            .collect();
        for ((id, record), made) in group.iter().zip(made) {
            match made {
                Ok((page, document)) => {
                    report.skipped += u64::from(document.method.is_empty());
                    sink.write(&Outgoing { document: &document, id: *id, record, page: &page, site, replaces: false })?;
                    report.done += 1;
                }
                Err(error) => {
                    progress.failed.fetch_add(1, Ordering::Relaxed);
                    report.fail(&record.url, &error);
                }
            }
        }
    }
}

fn page_document(site: &SiteStore, key: &str, id: PageId, record: &PageRecord) -> Result<(Page, Document), StoreError> {
    let page = site.read_page(record)?;
    let mined: Option<Mined> = site.mined(id)?.and_then(|bytes| serde_json::from_slice(&bytes).ok());
    let mut document = document(key, record, &page, mined.as_ref());
    // The original may have gone since this page was mined.
    if let Some(original) = &document.duplicate_of
        && site.page(original)?.is_none()
    {
        document.duplicate_of = None;
    }
    Ok((page, document))
}
