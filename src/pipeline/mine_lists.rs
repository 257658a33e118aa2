//! Mining by method `auto`: the lists of records of list pages, for the whole site.
//!
//! Which pages are list pages is known only when the site is. Those that were not found to be lists by themselves when they
//! were looked at ([`views`](super::views)) are parsed once more; what is seen of their lists is kept
//! in the store until they change, so that mining again parses no page that has not. The site's lists are put together anew
//! each time, from those pages alone that are list pages now: the result does not depend on what was mined before.

use super::PipelineError;
use super::mine::GROUP;
use crate::blocks::{MinedColumn, MinedList};
use crate::dom::parse_page;
use crate::progress::Report;
use crate::records::{PageLists, SharedColumn};
use crate::site::{ListColumns, Listed, SiteLists, TakenList, take};
use crate::store::{PageId, PageRecord, SiteStore, StoreError};
use rayon::prelude::*;

/// Changes when lists are found or written in another way.
const LISTS_VERSION: u64 = 1;

/// A list page: its id and record, what it lists, and the nodes that it has when it is parsed.
pub(super) struct ListPage<'a> {
    pub(super) id: PageId,
    pub(super) record: &'a PageRecord,
    pub(super) listed: Listed,
    pub(super) nodes: u32,
    /// The URL of the page that it repeats.
    pub(super) original: Option<&'a str>,
}

/// Looks for the lists of pages that the store knows no lists of, and puts those of all pages together. Pages that cannot be
/// read have none, and are in the report.
pub(super) fn site_lists(
    site: &mut SiteStore,
    pages: &[ListPage<'_>],
    report: &mut Report,
) -> Result<SiteLists, PipelineError> {
    look(site, pages, report)?;
    let mut lists = SiteLists::default();
    for page in pages {
        lists.vote(&page.listed, &page_lists(site, page)?);
    }
    let mut columns = ListColumns::default();
    for page in pages {
        let own = page_lists(site, page)?;
        columns.add(&own, &take(&page.listed, &own, &lists));
    }
    Ok(lists.with_columns(&columns))
}

/// The lists that a page takes for its own, as they are stored.
pub(super) fn mined_lists(
    site: &SiteStore,
    page: &ListPage<'_>,
    lists: &SiteLists,
) -> Result<Vec<MinedList>, StoreError> {
    let own = page_lists(site, page)?;
    let mined = |taken: TakenList| {
        let columns = lists.columns(taken.place);
        mined_list(taken, columns)
    };
    Ok(take(&page.listed, &own, lists).into_iter().map(mined).collect())
}

fn look(site: &mut SiteStore, pages: &[ListPage<'_>], report: &mut Report) -> Result<(), PipelineError> {
    for group in pages.chunks(GROUP) {
        let shared = &*site;
        let found: Vec<Result<Option<Vec<u8>>, StoreError>> = group
            .par_iter()
            .map(|page| {
                if known(shared, page)?.is_some() {
                    return Ok(None);
                }
                let (dom, _) = parse_page(&shared.read_page(page.record)?);
                Ok(Some(encode(&PageLists::new(&dom))))
            })
            .collect();
        let mut rows = Vec::new();
        for (page, found) in group.iter().zip(found) {
            match found {
                Ok(found) => rows.extend(found.map(|bytes| (page.id, bytes))),
                Err(error) => report.fail(&page.record.url, &error),
            }
        }
        site.put_lists(rows)?;
    }
    Ok(())
}

pub(super) fn encode(lists: &PageLists) -> Vec<u8> {
    let mut bytes = LISTS_VERSION.to_le_bytes().to_vec();
    // Writing to memory does not fail.
    bytes.extend(postcard::to_stdvec(lists).unwrap_or_default());
    bytes
}

/// The lists of a page, if the store has some of this version and parser.
fn known(site: &SiteStore, page: &ListPage<'_>) -> Result<Option<PageLists>, StoreError> {
    let bytes = site.lists(page.id)?;
    let lists: Option<PageLists> =
        bytes.and_then(|bytes| postcard::from_bytes(bytes.strip_prefix(&LISTS_VERSION.to_le_bytes())?).ok());
    Ok(lists.filter(|lists| lists.nodes == page.nodes))
}

/// The same; no lists where the page could not be read.
fn page_lists(site: &SiteStore, page: &ListPage<'_>) -> Result<PageLists, StoreError> {
    Ok(known(site, page)?.unwrap_or_default())
}

fn mined_list(taken: TakenList, columns: &[SharedColumn]) -> MinedList {
    let column = |column: &SharedColumn| MinedColumn {
        key: column.key,
        time: column.time,
        kind: column.kind.name().to_owned(),
        name: column.name.clone(),
        is_hidden: !column.is_shown,
    };
    MinedList { score: taken.score, records: taken.records, columns: columns.iter().map(column).collect() }
}
