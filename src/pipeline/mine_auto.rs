//! Mining by method `auto`: every page is looked at once, the site is put together from what was seen, and each page is
//! decided on by its view and the site's.
//!
//! Views are kept in the store until their page changes, and are mostly there since the page was learned: mining reads and
//! parses only pages that were not looked at. The decisions are all made anew: any page may change what the site says of any
//! other. So the result is that of mining everything.

use super::PipelineError;
use super::duplicates::{Seen, Sketches, duplicates, original_keys};
use super::mine::GROUP;
use super::mine_lists::{ListPage, mined_lists, site_lists};
use super::views::{look_at, seen_view, view};
use crate::blocks::{Mined, MinedBlock, MinedLink, MinedList};
use crate::explain::reason_of;
use crate::progress::{Progress, Report};
use crate::site::{Decision, Listed, PageDecision, PageView, Repeat, SiteView, decide, listed};
use crate::store::{PageId, PageLooks, PageRecord, SiteStore, StoreError};
use rayon::prelude::*;
use rustc_hash::FxHashMap;
use std::sync::atomic::Ordering;

/// Mines every page of a site: see [`mine_site`](super::mine_site).
pub(super) fn mine_auto(site: &mut SiteStore, progress: &Progress) -> Result<Report, PipelineError> {
    let pages: Vec<(PageId, PageRecord)> = site.pages().collect::<Result<_, _>>()?;
    progress.total.fetch_add(pages.len() as u64, Ordering::Relaxed);
    let mut report = Report::default();
    let seen = look(site, &pages, &mut report, progress)?;
    let Together { model, repeats } = put_together(site, &seen)?;
    report.repeated += repeats.iter().flatten().count() as u64;
    let originals: FxHashMap<PageId, &str> = seen
        .iter()
        .zip(&repeats)
        .filter_map(|(page, repeat)| Some((page.id, &*seen[repeat.as_ref()?.original].record.url)))
        .collect();
    let mut list_pages = Vec::new();
    for group in seen.chunks(GROUP) {
        let shared = &*site;
        let decided: Vec<Result<Decided, StoreError>> = group
            .par_iter()
            .map(|page| {
                let view = seen_view(shared, page.id)?;
                let decision = decide(&view, &model);
                Ok(if let Some(listed) = listed(&view, &decision) {
                    Decided::List { listed, nodes: view.nodes }
                } else {
                    let original = originals.get(&page.id).copied();
                    Decided::Mined(encode_mined(&mined(&view, &decision, Vec::new(), original)))
                })
            })
            .collect();
        let mut rows = Vec::with_capacity(group.len());
        for (page, decided) in group.iter().zip(decided) {
            match decided? {
                Decided::List { listed, nodes } => {
                    let original = originals.get(&page.id).copied();
                    list_pages.push(ListPage { id: page.id, record: page.record, listed, nodes, original });
                }
                Decided::Mined(bytes) => {
                    rows.push((page.id, bytes));
                    report.done += 1;
                    progress.add(1, 0);
                }
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
                Ok((page.id, encode_mined(&mined(&view, &decide(&view, model), records, page.original))))
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
fn look<'a>(
    site: &mut SiteStore,
    pages: &'a [(PageId, PageRecord)],
    report: &mut Report,
    progress: &Progress,
) -> Result<Vec<Seen<'a>>, PipelineError> {
    let mut seen = Vec::with_capacity(pages.len());
    for group in pages.chunks(GROUP) {
        let shared = &*site;
        let found: Vec<Result<Option<PageLooks>, StoreError>> = group
            .par_iter()
            .map(|(id, record)| {
                if view(shared, *id)?.is_some() {
                    return Ok(None);
                }
                look_at(shared, record).map(Some)
            })
            .collect();
        let (mut views, mut lists) = (Vec::new(), Vec::new());
        for ((id, record), looks) in group.iter().zip(found) {
            match looks {
                Ok(looks) => {
                    seen.push(Seen { id: *id, record });
                    if let Some(looks) = looks {
                        views.push((*id, looks.view));
                        lists.extend(looks.lists.map(|lists| (*id, lists)));
                    }
                }
                Err(error) => {
                    progress.add(0, 1);
                    report.fail(&record.url, &error);
                }
            }
        }
        site.put_views(views)?;
        site.put_lists(lists)?;
    }
    Ok(seen)
}

/// A site put together.
pub(super) struct Together {
    pub(super) model: SiteView,
    /// Of each page that was put in the one that it repeats, by places.
    pub(super) repeats: Vec<Option<Repeat>>,
}

/// Puts the views of pages together. Duplicates are found first, and then the site is one without them.
pub(super) fn put_together(site: &SiteStore, seen: &[Seen<'_>]) -> Result<Together, PipelineError> {
    let mut sketches = Sketches::default();
    let all = site_view(site, seen, FxHashMap::default(), |page, view| sketches.add(&page.record.url, view))?;
    let (own, is_final) = first_decisions(site, seen, &all, |view| sketches.without_twins(view))?;
    let all = all.with_decisions(own);
    let repeats = duplicates(site, seen, &sketches, &all)?;
    let model = if repeats.iter().any(Option::is_some) {
        drop(all);
        let originals = || seen.iter().zip(&repeats).filter(|(_, repeat)| repeat.is_none()).map(|(page, _)| page);
        let model = site_view(site, originals(), original_keys(&sketches, &repeats), |_, _| {})?;
        let (decisions, _) = first_decisions(site, originals(), &model, |view| view)?;
        model.with_decisions(decisions)
    } else if is_final {
        all
    } else {
        let (decisions, _) = first_decisions(site, seen, &all, |view| view)?;
        all.with_decisions(decisions)
    };
    Ok(Together { model, repeats })
}

/// The views of pages put together; each is shown to `each` as well.
fn site_view<'a, 'b: 'a>(
    site: &SiteStore,
    pages: impl IntoIterator<Item = &'a Seen<'b>>,
    originals: FxHashMap<u64, u64>,
    mut each: impl FnMut(&'a Seen<'b>, &PageView),
) -> Result<SiteView, PipelineError> {
    let mut failed = None;
    let views = pages.into_iter().map_while(|page| match seen_view(site, page.id) {
        Ok(view) => {
            each(page, &view);
            Some(view)
        }
        Err(error) => {
            failed = Some(error);
            None
        }
    });
    let model = SiteView::of_originals(views, originals);
    match failed {
        Some(error) => Err(error.into()),
        None => Ok(model),
    }
}

/// What is decided on pages by the views alone. `change` is what is done to its view first; the second
/// value says whether that left all links of all pages as they were.
fn first_decisions<'a, 'b: 'a>(
    site: &SiteStore,
    pages: impl IntoIterator<Item = &'a Seen<'b>>,
    model: &SiteView,
    change: impl Fn(PageView) -> PageView + Sync,
) -> Result<(Vec<PageDecision>, bool), PipelineError> {
    let pages: Vec<PageId> = pages.into_iter().map(|page| page.id).collect();
    let decided = |id: &PageId| {
        let view = seen_view(site, *id)?;
        let links = view.links.len();
        let view = change(view);
        let decision = decide(&view, model);
        let is_unchanged = view.links.len() == links;
        Ok((decision.of_others(&view, model), is_unchanged))
    };
    let decisions = pages.par_iter().map(decided).collect::<Result<Vec<_>, StoreError>>()?;
    let is_unchanged = decisions.iter().all(|(_, unchanged)| *unchanged);
    Ok((decisions.into_iter().map(|(decision, _)| decision).collect(), is_unchanged))
}

/// What is stored of a decision.
fn mined(view: &PageView, decision: &Decision, records: Vec<MinedList>, original: Option<&str>) -> Mined {
    let kept = (0_u32..).zip(&decision.blocks).filter(|(_, block)| block.kept).map(|(at, _)| at).collect();
    let articles =
        view.blocks.iter().zip(&decision.blocks).filter(|(_, verdict)| verdict.kept).map(|(block, verdict)| {
            block_of("article", block.container, reason_of(verdict), block.facts.words, f64::from(verdict.chance))
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
        duplicate_of: original.map(str::to_owned),
    }
}

fn block_of(kind: &str, node: u32, step: String, text_len: u32, score: f64) -> MinedBlock {
    MinedBlock { kind: kind.to_owned(), node: node as usize, step, text_len, cii: None, sii: None, api: None, score }
}
