//! Inspect: why a page of the store, or a file, was understood as it was.

use super::learn::anchors;
use super::mine::Look;
use super::{KnownSite, Method, MineOptions, PipelineError, SiteState};
use crate::blocks::{Anchor, Mined, page_structure};
use crate::dom::parse_page;
use crate::explain::{Explanation, Knowledge, explain_structure, print};
use crate::page::{Fate, Page};
use crate::store::{PageId, PageRecord, SiteStore};
use crate::terms::{TermOptions, page_terms};

/// What is decided of a stored page, and why, with the site's model behind every number.
pub fn inspect_stored(site: &SiteStore, url: &str, options: &MineOptions) -> Result<String, PipelineError> {
    let Some((id, record)) = site.page(url)? else {
        let hint = match site.fate(url)?.map(|record| record.fate) {
            Some(Fate::Redirect { to, .. }) => format!("; it redirects to {to}"),
            Some(Fate::Skipped { reason }) => format!("; it was left out: {reason}"),
            Some(Fate::Gone { status }) => format!("; the server says that it is gone (status {status})"),
            Some(Fate::Failed { reason, .. }) => format!("; it failed: {reason}"),
            None => "; wisdom export lists the pages it holds".to_owned(),
        };
        return Err(PipelineError::NoPage { url: url.to_owned(), hint });
    };
    Ok(print(&if options.method == Method::Auto {
        KnownSite::of(site)?.explain(site, &record)?
    } else {
        let page = site.read_page(&record)?;
        explain_tree(site, id, &record, &page, options)?
    }))
}

/// The method that mined a stored page; `None` where it was not mined since it changed, or is not there.
pub fn mined_by(site: &SiteStore, url: &str) -> Result<Option<Method>, PipelineError> {
    let Some((id, _)) = site.page(url)? else { return Ok(None) };
    let mined: Option<Mined> = site.mined(id)?.and_then(|bytes| serde_json::from_slice(&bytes).ok());
    Ok(mined.and_then(|mined| Method::named(&mined.method)))
}

/// The coverage tree of a stored page with what the site's model says of every node.
pub fn explain_tree(
    site: &SiteStore,
    id: PageId,
    record: &PageRecord,
    page: &Page,
    options: &MineOptions,
) -> Result<Explanation, PipelineError> {
    let terms = SiteState::of(site)?.term_options()?;
    let look = Look::at(site, page, Some(id), &terms)?;
    let structure = look.structure(&options.params);
    let knowledge = Knowledge::Pages(site.n_pages());
    let method = options.method.name();
    Ok(explain_structure(&look.dom, &record.url, method, knowledge, &look.terms, &structure, &options.params))
}

/// The tree of a page without any model: every term counts as new, and no link leads anywhere.
pub fn inspect_file(page: &Page, terms: &TermOptions, options: &MineOptions) -> String {
    let (dom, charset) = parse_page(page);
    let terms = page_terms(&dom, terms);
    let ids = vec![None; terms.terms.len()];
    let entropies = vec![0.0; terms.terms.len()];
    let links = anchors(&dom, &page.url, charset);
    let anchors: Vec<Anchor<'_>> =
        links.iter().map(|link| Anchor { node: link.node, linked: None, entropy: 0.0 }).collect();
    let structure = page_structure(&dom, &terms, &ids, &entropies, &anchors, &options.params);
    let method = options.method.name();
    print(&explain_structure(&dom, &page.url, method, Knowledge::Nothing, &terms, &structure, &options.params))
}
