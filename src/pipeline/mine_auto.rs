//! Mining by method `auto`: every page is looked at once, the site is put together from what was seen, and each page is
//! decided on by its view and the site's.
//!
//! Views are kept in the store until their page changes, so that mining again after a crawl reads and parses only pages that
//! changed. The decisions are all made anew: any page may change what the site says of any other. So the result is that of
//! mining everything.

use super::PipelineError;
use super::mine::GROUP;
use super::mine_lists::{ListPage, mined_lists, site_lists};
use crate::article::tables_stamp;
use crate::blocks::{Mined, MinedBlock, MinedLink, MinedList};
use crate::dom::parse_page;
use crate::progress::{Progress, Report};
use crate::site::{Decision, Listed, PageView, SiteView, decide, listed};
use crate::store::{PageId, PageRecord, SiteStore, StoreError};
use rayon::prelude::*;
use rustc_hash::FxHashMap;
use std::sync::atomic::Ordering;
use url::Url;

/// Changes when views are made or written in another way.
const VIEW_VERSION: u64 = 1;

/// Mines every page of a site: see [`mine_site`](super::mine_site).
pub(super) fn mine_auto(site: &mut SiteStore, progress: &Progress) -> Result<Report, PipelineError> {
    let pages: Vec<(PageId, PageRecord)> = site.pages().collect::<Result<_, _>>()?;
    progress.total.fetch_add(pages.len() as u64, Ordering::Relaxed);
    let mut report = Report::default();
    let seen = look(site, &pages, &mut report, progress)?;
    let model = site_view(site, &seen)?;
    let hubs = hubs(site, &seen, &model)?;
    let model = model.with_templates(hubs);
    let records: FxHashMap<PageId, &PageRecord> = pages.iter().map(|(id, record)| (*id, record)).collect();
    let mut list_pages = Vec::new();
    for group in seen.chunks(GROUP) {
        let shared = &*site;
        let decided: Vec<Result<Decided, StoreError>> = group
            .par_iter()
            .map(|id| {
                let view = seen_view(shared, *id)?;
                let decision = decide(&view, &model);
                Ok(match listed(&view, &decision) {
                    Some(listed) => Decided::List { listed, nodes: view.nodes },
                    None => Decided::Mined(encode_mined(&mined(&view, &decision, Vec::new()))),
                })
            })
            .collect();
        let mut rows = Vec::with_capacity(group.len());
        for (id, decided) in group.iter().zip(decided) {
            match (decided?, records.get(id)) {
                (Decided::List { listed, nodes }, Some(record)) => {
                    list_pages.push(ListPage { id: *id, record, listed, nodes });
                }
                (Decided::Mined(bytes), _) => {
                    rows.push((*id, bytes));
                    report.done += 1;
                    progress.add(1, 0);
                }
                (Decided::List { .. }, None) => {}
            }
        }
        site.put_mined(rows)?;
    }
    mine_list_pages(site, &list_pages, &model, &mut report, progress)?;
    Ok(report)
}

/// What becomes of a page: it is mined, or waits for the lists of the others.
enum Decided {
    Mined(Vec<u8>),
    List { listed: Listed, nodes: u32 },
}

fn mine_list_pages(
    site: &mut SiteStore,
    pages: &[ListPage<'_>],
    model: &SiteView,
    report: &mut Report,
    progress: &Progress,
) -> Result<(), PipelineError> {
    let lists = site_lists(site, pages, report)?;
    for group in pages.chunks(GROUP) {
        let shared = &*site;
        let rows: Result<Vec<(PageId, Vec<u8>)>, StoreError> = group
            .par_iter()
            .map(|page| {
                let view = seen_view(shared, page.id)?;
                let records = mined_lists(shared, page, &lists)?;
                Ok((page.id, encode_mined(&mined(&view, &decide(&view, model), records))))
            })
            .collect();
        site.put_mined(rows?)?;
        report.done += group.len() as u64;
        progress.add(group.len() as u64, 0);
    }
    Ok(())
}

fn encode_mined(mined: &Mined) -> Vec<u8> {
    // Writing to memory does not fail.
    serde_json::to_vec(mined).unwrap_or_default()
}

/// Looks at the pages that the store has no view of. Returns the pages that could be looked at, ever; the others are in the
/// report.
fn look(
    site: &mut SiteStore,
    pages: &[(PageId, PageRecord)],
    report: &mut Report,
    progress: &Progress,
) -> Result<Vec<PageId>, PipelineError> {
    let mut seen = Vec::with_capacity(pages.len());
    for group in pages.chunks(GROUP) {
        let shared = &*site;
        let views: Vec<Result<Option<Vec<u8>>, StoreError>> = group
            .par_iter()
            .map(|(id, record)| {
                if view(shared, *id)?.is_some() {
                    return Ok(None);
                }
                view_of(shared, record).map(|view| Some(encode(&view)))
            })
            .collect();
        let mut rows = Vec::new();
        for ((id, record), view) in group.iter().zip(views) {
            match view {
                Ok(view) => {
                    seen.push(*id);
                    rows.extend(view.map(|bytes| (*id, bytes)));
                }
                Err(error) => {
                    progress.add(0, 1);
                    report.fail(&record.url, &error);
                }
            }
        }
        site.put_views(rows)?;
    }
    Ok(seen)
}

pub(super) fn view_of(site: &SiteStore, record: &PageRecord) -> Result<PageView, StoreError> {
    let page = site.read_page(record)?;
    let (dom, charset) = parse_page(&page);
    let Ok(url) = Url::parse(&page.url) else { return Ok(PageView::default()) };
    Ok(PageView::new(&dom, &url, charset))
}

/// The site as it is known now, for judging one page.
pub(super) fn known_site(site: &SiteStore) -> Result<SiteView, PipelineError> {
    let pages: Vec<(PageId, PageRecord)> = site.pages().collect::<Result<_, _>>()?;
    let mut seen = Vec::with_capacity(pages.len());
    for (id, _) in &pages {
        if view(site, *id)?.is_some() {
            seen.push(*id);
        }
    }
    let model = site_view(site, &seen)?;
    let hubs = hubs(site, &seen, &model)?;
    Ok(model.with_templates(hubs))
}

/// The views of all pages put together.
fn site_view(site: &SiteStore, pages: &[PageId]) -> Result<SiteView, PipelineError> {
    let mut failed = None;
    let views = pages.iter().map_while(|&id| match seen_view(site, id) {
        Ok(view) => Some(view),
        Err(error) => {
            failed = Some(error);
            None
        }
    });
    let model = SiteView::new(views);
    match failed {
        Some(error) => Err(error.into()),
        None => Ok(model),
    }
}

/// What each page looks like by itself, and where it has what it says.
fn hubs(site: &SiteStore, pages: &[PageId], model: &SiteView) -> Result<Vec<(f64, Vec<u64>)>, PipelineError> {
    let hub = |id: &PageId| {
        let decision = decide(&seen_view(site, *id)?, model);
        Ok((decision.own_hub, decision.template))
    };
    pages.par_iter().map(hub).collect()
}

/// Views begin with a stamp: those that another version or another classifier made are of no use.
fn stamp() -> [u8; 8] {
    tables_stamp().wrapping_add(VIEW_VERSION).to_le_bytes()
}

fn encode(view: &PageView) -> Vec<u8> {
    let mut bytes = stamp().to_vec();
    // Writing to memory does not fail.
    bytes.extend(postcard::to_stdvec(view).unwrap_or_default());
    bytes
}

/// The view of a page, if the store has one that is of use.
fn view(site: &SiteStore, id: PageId) -> Result<Option<PageView>, StoreError> {
    let bytes = site.view(id)?;
    Ok(bytes.and_then(|bytes| postcard::from_bytes(bytes.strip_prefix(&stamp())?).ok()))
}

/// The view of a page that was looked at; where it is gone all the same the store is damaged.
fn seen_view(site: &SiteStore, id: PageId) -> Result<PageView, StoreError> {
    view(site, id)?.ok_or_else(|| site.damaged_view())
}

/// What is stored of a decision.
fn mined(view: &PageView, decision: &Decision, records: Vec<MinedList>) -> Mined {
    let kept = (0_u32..).zip(&decision.blocks).filter(|(_, block)| block.kept).map(|(at, _)| at).collect();
    let articles =
        view.blocks.iter().zip(&decision.blocks).filter(|(_, verdict)| verdict.kept).map(|(block, verdict)| {
            block_of(
                "article",
                block.container,
                format!(
                    "page {:.2}, place {:.2} on {} others, text on {}",
                    verdict.own, verdict.elsewhere, verdict.others, verdict.copies
                ),
                block.facts.words,
                f64::from(verdict.chance),
            )
        });
    let lists = decision.groups.iter().filter(|group| group.taken).filter_map(|group| {
        let link = view.links.get(*group.links.first()? as usize)?;
        let step = format!("{} links in one place", group.links.len());
        Some(block_of("toc", link.node, step, u32::try_from(group.links.len()).unwrap_or(u32::MAX), group.score))
    });
    let link = |&(at, score): &(u32, f64)| MinedLink { node: view.links[at as usize].node as usize, score };
    Mined {
        method: "auto".to_owned(),
        nodes: view.nodes as usize,
        page_type: decision.page_type.name().to_owned(),
        link_density: decision.evidence[0],
        repeated: decision.evidence[1],
        blocks: articles.chain(lists).collect(),
        article_removed: Vec::new(),
        links: decision.toc.iter().map(link).collect(),
        kept: Some(kept),
        records,
    }
}

fn block_of(kind: &str, node: u32, step: String, text_len: u32, score: f64) -> MinedBlock {
    MinedBlock { kind: kind.to_owned(), node: node as usize, step, text_len, cii: None, sii: None, api: None, score }
}
