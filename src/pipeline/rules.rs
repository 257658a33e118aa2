//! Rules of a mined site: learned from some of its pages, measured on all.

use super::{Method, PipelineError};
use crate::article::kept_nodes;
use crate::blocks::{Mined, PageType};
use crate::dom::{Dom, NodeId, parse_page};
use crate::progress::{Progress, Report};
use crate::site::{Example, Lesson, Lessons, RULE_FORMAT, RuleFile, Rules, learn_rules, measure, settle};
use crate::store::{PageId, PageRecord, SiteStore, StoreError};
use rayon::prelude::*;
use std::sync::atomic::Ordering;
use url::Url;

/// Pages that rules are learned from at most, spread evenly over the site; all are measured.
const MOST_LESSONS: usize = 400;
/// Pages that are read at once.
const GROUP: usize = 64;

/// Learns the rules of a site whose pages were mined by method `auto`, and measures them on `most` of these, spread evenly over
/// the site, or on all. Pages that were not mined since they changed count as skipped in the report. `key` is the name of the
/// site in the file. The same store gives the same rules.
pub fn site_rules(
    site: &SiteStore,
    key: &str,
    most: usize,
    progress: &Progress,
) -> Result<(RuleFile, Report), PipelineError> {
    let mut report = Report::default();
    let mut pages = mined_pages(site, key, &mut report)?;
    if pages.len() > most {
        let (all, mut at) = (pages.len(), 0_usize);
        // Of every `all` pages in a row, `most` stay: those at which the share of the way is whole.
        pages.retain(|_| {
            let stays = at * most / all != (at + 1) * most / all;
            at += 1;
            stays
        });
    }
    let sample: Vec<&MinedPage> = if pages.len() > MOST_LESSONS {
        (0..MOST_LESSONS).filter_map(|at| pages.get(at * pages.len() / MOST_LESSONS)).collect()
    } else {
        pages.iter().collect()
    };
    progress.total.fetch_add((sample.len() + pages.len()) as u64, Ordering::Relaxed);
    let mut lessons = Lessons::default();
    for group in sample.chunks(GROUP) {
        let read: Vec<_> = group.par_iter().map(|page| look(site, page, Lesson::new)).collect();
        progress.add(group.len() as u64, 0);
        // What cannot be read is told when all pages are measured.
        read.into_iter().flatten().for_each(|lesson| lessons.add(lesson));
    }
    let learned = learn_rules(&lessons);
    drop(lessons);
    let file = |rules, pages| RuleFile { format: RULE_FORMAT.to_owned(), site: key.to_owned(), pages, rules };
    let learned = file(learned, 0);
    // Selectors are written by this program.
    let rules = Rules::of(&learned).unwrap_or_default();
    let mut measured = Vec::with_capacity(pages.len());
    for group in pages.chunks(GROUP) {
        let read: Vec<_> =
            group.par_iter().map(|page| look(site, page, |dom, example| measure(&rules, dom, example))).collect();
        for (page, result) in group.iter().zip(read) {
            match result {
                Ok(one) => {
                    measured.push(one);
                    report.done += 1;
                    progress.add(1, 0);
                }
                Err(why) => {
                    report.fail(&page.record.url, &why);
                    progress.add(0, 1);
                }
            }
        }
    }
    let count = u32::try_from(measured.len()).unwrap_or(u32::MAX);
    Ok((file(settle(learned.rules, &measured), count), report))
}

struct MinedPage {
    id: PageId,
    url: Url,
    record: PageRecord,
}

fn mined_of(site: &SiteStore, id: PageId) -> Result<Option<Mined>, StoreError> {
    Ok(site.mined(id)?.and_then(|bytes| serde_json::from_slice(&bytes).ok()))
}

/// The mined pages in the order of their URLs. What was mined is read again when it is needed: that of all pages would be
/// more than a large site leaves room for.
fn mined_pages(site: &SiteStore, key: &str, report: &mut Report) -> Result<Vec<MinedPage>, PipelineError> {
    let mut pages = Vec::new();
    for page in site.pages() {
        let (id, record) = page?;
        let (Some(mined), Ok(url)) = (mined_of(site, id)?, Url::parse(&record.url)) else {
            report.skipped += 1;
            continue;
        };
        if mined.method != Method::Auto.name() || mined.kept.is_none() {
            return Err(PipelineError::OtherMethod { site: key.to_owned(), method: mined.method });
        }
        pages.push(MinedPage { id, url, record });
    }
    if pages.is_empty() {
        return Err(PipelineError::NotMined { site: key.to_owned() });
    }
    pages.sort_by(|a, b| a.record.url.cmp(&b.record.url));
    Ok(pages)
}

/// Reads a page and makes something of it and what was mined.
fn look<T>(site: &SiteStore, page: &MinedPage, make: impl Fn(&Dom, &Example<'_>) -> T) -> Result<T, String> {
    let archived = site.read_page(&page.record).map_err(|error| error.to_string())?;
    let (dom, charset) = parse_page(&archived);
    let mined = mined_of(site, page.id).map_err(|error| error.to_string())?;
    let Some(mined) = mined.filter(|mined| mined.nodes == dom.len()) else {
        return Err("mined by another version, whose parser counts otherwise: run wisdom mine".to_owned());
    };
    let kept: Vec<NodeId> = mined.kept.as_ref().map_or_else(Vec::new, |kept| kept_nodes(&dom, kept));
    let toc: Vec<usize> = mined.links.iter().map(|link| link.node).collect();
    let types = [PageType::Article, PageType::Toc];
    let page_type = types.into_iter().find(|kind| kind.name() == mined.page_type).unwrap_or(PageType::Other);
    Ok(make(&dom, &Example { url: &page.url, charset, kept: &kept, toc: &toc, page_type }))
}
