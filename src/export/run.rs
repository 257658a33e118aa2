//! [`export_site`]: the pages of a site to a sink, a group at a time.

use super::changed::{Changed, Sent};
use super::{Document, ExportError, Filter, Outgoing, Sink, document};
use crate::blocks::Mined;
use crate::page::Page;
use crate::progress::{Progress, Report};
use crate::store::{PageId, PageRecord, SiteStore, StoreError};
use rayon::prelude::*;
use std::sync::atomic::Ordering;

/// Pages that are made into documents at once, and the most that are in memory.
const GROUP: usize = 64;

/// Sends the documents of the pages of a site that pass the filter, in the order of their URLs. Those that were not mined
/// since they changed count as skipped in the report, and have no article and no links. A page that cannot be read becomes
/// a failure in the report. The sink is left open for further sites.
///
/// With `changed`, what an earlier export has sent and is the same now is passed over, and what it has sent and is gone or
/// does not pass any more is taken back. The caller commits that state once the sink has finished.
pub fn export_site(
    site: &SiteStore,
    key: &str,
    sink: &mut dyn Sink,
    filter: &Filter,
    mut changed: Option<&mut Changed>,
    progress: &Progress,
) -> Result<Report, ExportError> {
    progress.total.fetch_add(site.n_pages(), Ordering::Relaxed);
    let mut report = Report::default();
    sink.begin(key, site)?;
    let mut pages = site.pages();
    loop {
        let group: Vec<(PageId, PageRecord)> = pages.by_ref().take(GROUP).collect::<Result<_, _>>()?;
        if group.is_empty() {
            break;
        }
        let made: Vec<Result<Option<(Page, Document)>, StoreError>> = group
            .par_iter()
            .map(|(id, record)| {
                let made = passing(site, key, *id, record, filter)?;
                progress.done.fetch_add(1, Ordering::Relaxed);
                Ok(made)
            })
            .collect();
        for ((id, record), made) in group.iter().zip(made) {
            let sent = match &mut changed {
                Some(changed) => changed.meet(&record.url, &mut |gone| sink.remove(&gone.id, &gone.url))?,
                None => None,
            };
            match made {
                Ok(Some((page, document))) => {
                    let sent = sent.filter(|sent| !sink.has_lost(&sent.id, &sent.url));
                    let is_same = match &mut changed {
                        Some(changed) => changed.note(sent.as_ref(), &document)?,
                        None => false,
                    };
                    report.skipped += u64::from(document.method.is_empty());
                    if !is_same {
                        let replaces = sent.is_some();
                        sink.write(&Outgoing { document: &document, id: *id, record, page: &page, site, replaces })?;
                        report.done += 1;
                    }
                }
                Ok(None) => filtered_out(sink, changed.as_deref_mut(), sent.as_ref())?,
                Err(error) => {
                    if let (Some(changed), Some(sent)) = (&mut changed, &sent) {
                        changed.keep(sent)?;
                    }
                    progress.failed.fetch_add(1, Ordering::Relaxed);
                    report.fail(&record.url, &error);
                }
            }
        }
    }
    if let Some(changed) = changed {
        changed.end(&mut |gone| sink.remove(&gone.id, &gone.url))?;
    }
    Ok(report)
}

fn filtered_out(sink: &mut dyn Sink, changed: Option<&mut Changed>, sent: Option<&Sent>) -> Result<(), ExportError> {
    if let (Some(changed), Some(sent)) = (changed, sent) {
        sink.remove(&sent.id, &sent.url)?;
        changed.drop_later(sent)?;
    }
    Ok(())
}

/// The document of a stored page, with what was mined of it.
pub fn page_document(site: &SiteStore, key: &str, id: PageId, record: &PageRecord) -> Result<Document, StoreError> {
    Ok(made(site, key, record, mined(site, id)?.as_ref())?.1)
}

/// The document of a page that passes the filter.
fn passing(
    site: &SiteStore,
    key: &str,
    id: PageId,
    record: &PageRecord,
    filter: &Filter,
) -> Result<Option<(Page, Document)>, StoreError> {
    if !filter.may_take(record) {
        return Ok(None);
    }
    let mined = mined(site, id)?;
    if !filter.may_take_mined(mined.as_ref()) {
        return Ok(None);
    }
    let made = made(site, key, record, mined.as_ref())?;
    Ok(filter.takes(&made.1).then_some(made))
}

fn mined(site: &SiteStore, id: PageId) -> Result<Option<Mined>, StoreError> {
    Ok(site.mined(id)?.and_then(|bytes| serde_json::from_slice(&bytes).ok()))
}

fn made(
    site: &SiteStore,
    key: &str,
    record: &PageRecord,
    mined: Option<&Mined>,
) -> Result<(Page, Document), StoreError> {
    let page = site.read_page(record)?;
    let mut document = document(key, record, &page, mined);
    // The original may have gone since this page was mined.
    if let Some(original) = &document.duplicate_of
        && site.page(original)?.is_none()
    {
        document.duplicate_of = None;
    }
    Ok((page, document))
}
