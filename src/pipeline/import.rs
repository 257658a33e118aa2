//! Import: pages from WARC files, mirrors and lists into a store, as if they had been crawled.

use super::learn::learn_page;
use super::{PipelineError, SiteState, TermSettings};
use crate::archive;
use crate::crawl::is_page;
use crate::dom::parse_page;
use crate::page::Page;
use crate::progress::{Progress, Report};
use crate::store::{Group, Store, site_key};
use crate::urls::parse_normalized;
use rayon::prelude::*;
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::atomic::Ordering;
use url::Url;

/// What to import, and how.
#[derive(Clone, Debug, Default)]
pub struct ImportOptions {
    /// WARC files, mirror directories and lists.
    pub inputs: Vec<PathBuf>,
    /// The URL that mirrors stand for; of other inputs, only pages of its host are taken.
    pub site: Option<Url>,
    /// How terms are made.
    pub terms: TermSettings,
    /// Look at pages while they are in memory, as mining by method `auto` will want it.
    pub looks: bool,
}

/// Bytes of pages that wait for their site at most. Many sites in one input come in any order, and opening a site costs
/// more than a page.
const WAITING: usize = 64 << 20;
/// Pages of one atomic batch…
const GROUP_PAGES: usize = 64;
/// …or bytes of them: what was found out on all of them is in memory at once.
const GROUP_BYTES: usize = 8 << 20;

/// Reads all inputs into the store. Pages with a status other than 200 and what is no HTML are passed over; the last page
/// of a URL counts. `progress` counts bytes of input.
pub fn import(store: &Store, options: &ImportOptions, progress: &Progress) -> Result<Report, PipelineError> {
    let mut report = Report::default();
    let mut waiting: BTreeMap<String, (usize, Vec<Page>)> = BTreeMap::new();
    let mut total = 0;
    let host = options.site.as_ref().map(site_key).transpose()?;
    // A wrong setting is found before the first page is read.
    options.terms.options()?;
    for input in &options.inputs {
        let mut pages = archive::read(input, options.site.as_ref())?;
        let before = progress.done.load(Ordering::Relaxed);
        while let Some(next) = pages.next() {
            let (done, all) = pages.progress();
            progress.total.store(before + all, Ordering::Relaxed);
            progress.done.store(before + done, Ordering::Relaxed);
            let page = match next {
                Ok(page) => page,
                Err(error) => {
                    progress.add(0, 1);
                    report.fail(input.display().to_string(), &error);
                    continue;
                }
            };
            let Some(page) = accept(page, host.as_deref(), &mut report) else { continue };
            let key = match Url::parse(&page.url) {
                Ok(url) => site_key(&url)?,
                Err(_) => continue,
            };
            let (bytes, list) = waiting.entry(key).or_default();
            *bytes += page.body.len();
            total += page.body.len();
            list.push(page);
            if total > WAITING {
                let largest = waiting.iter().max_by_key(|(_, (bytes, _))| *bytes).map(|(key, _)| key.clone());
                if let Some((key, (bytes, pages))) = largest.and_then(|key| waiting.remove_entry(&key)) {
                    total -= bytes;
                    flush(store, &key, pages, options, &mut report)?;
                }
            }
        }
        let skipped = pages.skipped();
        report.skipped += skipped.revisits + skipped.others + skipped.files;
    }
    for (key, (_, pages)) in waiting {
        flush(store, &key, pages, options, &mut report)?;
    }
    Ok(report)
}

/// The page under its normal URL; `None` where it is none that a crawl would keep.
fn accept(mut page: Page, host: Option<&str>, report: &mut Report) -> Option<Page> {
    let Some(url) = parse_normalized(&page.url) else {
        report.fail(&page.url, &"is no http or https URL; the page is left out");
        return None;
    };
    let elsewhere = host.is_some_and(|host| site_key(&url).is_ok_and(|key| key != host));
    if elsewhere || page.status != 200 || !is_page(page.header("content-type"), &page.body) {
        report.skipped += 1;
        return None;
    }
    page.url = url.into();
    Some(page)
}

/// Counts the pages of one site, and looks at them where that is wanted, group by group.
fn flush(
    store: &Store,
    key: &str,
    pages: Vec<Page>,
    options: &ImportOptions,
    report: &mut Report,
) -> Result<(), PipelineError> {
    let Some(url) = pages.first().and_then(|page| Url::parse(&page.url).ok()) else { return Ok(()) };
    debug_assert_eq!(site_key(&url).ok().as_deref(), Some(key));
    let root = options.site.clone().unwrap_or_else(|| {
        let mut root = url.clone();
        root.set_path("/");
        root.set_query(None);
        root
    });
    let mut site = store.create_site(&root)?;
    let mut state = SiteState::of(&site)?;
    state.settle_terms(&site, &options.terms)?;
    state.save(&mut site)?;
    let terms = options.terms.options()?;
    let mut pages = pages.into_iter();
    loop {
        let mut batch: Vec<Page> = Vec::new();
        let mut bytes = 0;
        while batch.len() < GROUP_PAGES && bytes < GROUP_BYTES {
            let Some(page) = pages.next() else { break };
            bytes += page.body.len();
            batch.push(page);
        }
        if batch.is_empty() {
            break;
        }
        let learned: Vec<_> = batch
            .par_iter()
            .map(|page| {
                let (dom, charset) = parse_page(page);
                learn_page(page, &dom, charset, &terms, options.looks)
            })
            .collect();
        let mut group = Group::new(state.crawl);
        for (page, (facts, counts, looks)) in batch.into_iter().zip(learned) {
            group.settle(page.url.clone(), page.depth, None);
            group.put_page(page, facts, counts, looks);
            report.done += 1;
        }
        site.commit(group)?;
    }
    Ok(site.close()?)
}
