//! JSON lines: one document a line, in the order of URLs, the same bytes for the same store.

use super::{Document, document};
use crate::blocks::Mined;
use crate::progress::{Progress, Report};
use crate::store::{PageId, PageRecord, SiteStore, StoreError};
use rayon::prelude::*;
use serde::Serialize;
use std::fmt::Write as _;
use std::io::{self, Write};
use std::sync::atomic::Ordering;

/// Why an export stopped.
#[derive(Debug, thiserror::Error)]
pub enum ExportError {
    /// The store.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The output. A closed pipe is the reader's wish.
    #[error("cannot write the export: {0}")]
    Write(#[from] io::Error),
}

/// Pages that are made into documents at once.
const GROUP: usize = 64;

/// Writes the documents of all pages of a site; those that were not mined since they changed count as skipped in the report,
/// and have no article and no links. A page that cannot be read becomes a failure in the report, not a line.
pub fn write_jsonl(
    site: &SiteStore,
    key: &str,
    out: &mut dyn Write,
    progress: &Progress,
) -> Result<Report, ExportError> {
    let pages: Vec<(PageId, PageRecord)> = site.pages().collect::<Result<_, _>>()?;
    progress.total.fetch_add(pages.len() as u64, Ordering::Relaxed);
    let mut report = Report::default();
    for (id, _) in &pages {
        report.skipped += u64::from(site.mined(*id)?.is_none());
    }
    for group in pages.chunks(GROUP) {
        let lines: Vec<Result<String, StoreError>> = group
            .par_iter()
            .map(|(id, record)| {
                let line = json_line(&page_document(site, key, *id, record)?);
                progress.done.fetch_add(1, Ordering::Relaxed);
                Ok(line)
            })
            .collect();
        for ((_, record), line) in group.iter().zip(lines) {
            match line {
                Ok(line) => {
                    out.write_all(line.as_bytes())?;
                    report.done += 1;
                }
                Err(error) => {
                    progress.failed.fetch_add(1, Ordering::Relaxed);
                    report.fail(&record.url, &error);
                }
            }
        }
    }
    out.flush()?;
    Ok(report)
}

/// The document of a stored page, with what was mined of it.
pub fn page_document(site: &SiteStore, key: &str, id: PageId, record: &PageRecord) -> Result<Document, StoreError> {
    let page = site.read_page(record)?;
    let mined: Option<Mined> = site.mined(id)?.and_then(|bytes| serde_json::from_slice(&bytes).ok());
    let mut document = document(key, record, &page, mined.as_ref());
    // The original may have gone since this page was mined.
    if let Some(original) = &document.duplicate_of
        && site.page(original)?.is_none()
    {
        document.duplicate_of = None;
    }
    Ok(document)
}

/// One JSON object and a line feed. Characters that some readers take for line ends, and control characters, are escaped. A
/// value that JSON cannot hold (a map whose keys are no strings) gives an empty line. Time linear in the value.
pub fn json_line(value: &impl Serialize) -> String {
    let json = serde_json::to_string(value).unwrap_or_default();
    let mut line = String::with_capacity(json.len() + 1);
    for c in json.chars() {
        match c {
            '\u{7f}'..='\u{9f}' | '\u{2028}' | '\u{2029}' => {
                // All of these are one UTF-16 unit, and stand inside strings only.
                let _ = write!(line, "\\u{:04x}", u32::from(c));
            }
            c => line.push(c),
        }
    }
    line.push('\n');
    line
}
