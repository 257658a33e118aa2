//! Mining: the informative structure of every page of a site, in parallel over pages.

use super::learn::{anchor_key, anchors};
use super::mine_auto::mine_auto;
use super::resolve::resolve;
use super::{PipelineError, SiteState};
use crate::blocks::{Anchor, Mined, Params, Structure, page_structure};
use crate::dom::{Dom, Link, parse_page};
use crate::entropy::{Table, entropy};
use crate::page::Page;
use crate::progress::{Progress, Report};
use crate::store::{PageId, PageRecord, SiteStore, StoreError};
use crate::terms::{PageTerms, TermOptions, page_terms};
use rayon::prelude::*;
use rustc_hash::FxHashMap;
use std::sync::atomic::Ordering;

/// How pages are mined.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Method {
    /// Blocks, links and types of pages, judged by what the whole site tells: see [`site`](crate::site).
    Auto,
    /// WISDOM as published.
    Paper,
    /// WISDOM with its gaps closed.
    Wisdom,
}

impl Method {
    /// The name of the method, as on the command line and in documents.
    pub fn name(self) -> &'static str {
        match self {
            Self::Auto => "auto",
            Self::Paper => "paper",
            Self::Wisdom => "wisdom",
        }
    }

    /// The method of a name.
    pub fn named(name: &str) -> Option<Self> {
        [Self::Auto, Self::Paper, Self::Wisdom].into_iter().find(|method| method.name() == name)
    }

    /// Its constants; `auto` has none.
    pub fn params(self) -> Params {
        match self {
            Self::Paper => Params::PAPER,
            Self::Auto | Self::Wisdom => Params::WISDOM,
        }
    }
}

/// What to mine with.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MineOptions {
    /// The method.
    pub method: Method,
    /// Its constants, perhaps changed.
    pub params: Params,
}

impl From<Method> for MineOptions {
    fn from(method: Method) -> Self {
        Self { method, params: method.params() }
    }
}

/// Pages that are mined before what was found is written.
pub(super) const GROUP: usize = 256;

/// Mines every page of a site and stores the structures, in place of earlier ones. The same store gives the same bytes,
/// whatever the number of threads.
pub fn mine_site(site: &mut SiteStore, options: &MineOptions, progress: &Progress) -> Result<Report, PipelineError> {
    if options.method == Method::Auto {
        return mine_auto(site, progress);
    }
    let terms = SiteState::of(site)?.term_options()?;
    let pages: Vec<(PageId, PageRecord)> = site.pages().collect::<Result<_, _>>()?;
    progress.total.fetch_add(pages.len() as u64, Ordering::Relaxed);
    let mut report = Report::default();
    for group in pages.chunks(GROUP) {
        let shared = &*site;
        let mined: Vec<Result<Vec<u8>, StoreError>> = group
            .par_iter()
            .map(|(id, record)| {
                let mined = mine_page(shared, *id, record, &terms, options)?;
                progress.add(1, 0);
                Ok(serde_json::to_vec(&mined).unwrap_or_default())
            })
            .collect();
        let mut rows = Vec::with_capacity(group.len());
        for ((id, record), result) in group.iter().zip(mined) {
            match result {
                Ok(bytes) => {
                    report.done += 1;
                    rows.push((*id, bytes));
                }
                Err(error) => {
                    progress.add(0, 1);
                    report.fail(&record.url, &error);
                }
            }
        }
        site.put_mined(rows)?;
    }
    Ok(report)
}

fn mine_page(
    site: &SiteStore,
    id: PageId,
    record: &PageRecord,
    options: &TermOptions,
    mine: &MineOptions,
) -> Result<Mined, StoreError> {
    let page = site.read_page(record)?;
    let looked = Look::at(site, &page, Some(id), options)?;
    let structure = looked.structure(&mine.params);
    Ok(Mined::new(&looked.dom, mine.method.name(), &structure, &mine.params))
}

/// A page with everything that the site knows of it.
pub(super) struct Look {
    pub(super) dom: Dom,
    pub(super) terms: PageTerms,
    pub(super) entropies: Vec<f64>,
    ids: Vec<Option<u32>>,
    links: Vec<Link>,
    link_entropies: Vec<f64>,
    targets: Vec<Option<usize>>,
    vectors: Vec<Vec<u32>>,
}

impl Look {
    /// Looks up the page's terms, anchors and linked pages. `own` is its id, so that links to itself count for nothing.
    pub(super) fn at(
        site: &SiteStore,
        page: &Page,
        own: Option<PageId>,
        options: &TermOptions,
    ) -> Result<Self, StoreError> {
        let (dom, charset) = parse_page(page);
        let terms = page_terms(&dom, options);
        let n = site.n_pages();
        let ids = site.term_ids(terms.terms.iter().map(|term| &**term))?;
        let entropies = entropies(site, Table::Terms, &ids, n)?;
        let links = anchors(&dom, &page.url, charset);
        let keys: Vec<u64> = links.iter().map(|link| anchor_key(&dom, link)).collect();
        let link_entropies = entropies_of_hashes(site, &keys, n)?;
        let mut known: FxHashMap<&str, Option<usize>> = FxHashMap::default();
        let mut places: FxHashMap<PageId, usize> = FxHashMap::default();
        let mut vectors: Vec<Vec<u32>> = Vec::new();
        let mut targets = Vec::with_capacity(links.len());
        for link in &links {
            let target = if let Some(&target) = known.get(link.url.as_str()) {
                target
            } else {
                let target = match resolve(site, &link.url)?.filter(|&id| Some(id) != own) {
                    None => None,
                    Some(id) => Some(if let Some(&place) = places.get(&id) {
                        place
                    } else {
                        vectors.push(site.vector(id, Table::Terms)?.into_iter().map(|(term, _)| term).collect());
                        places.insert(id, vectors.len() - 1);
                        vectors.len() - 1
                    }),
                };
                known.insert(link.url.as_str(), target);
                target
            };
            targets.push(target);
        }
        drop(known);
        Ok(Self { dom, terms, entropies, ids, links, link_entropies, targets, vectors })
    }

    pub(super) fn structure(&self, params: &Params) -> Structure {
        let anchors: Vec<Anchor<'_>> = self
            .links
            .iter()
            .zip(&self.link_entropies)
            .zip(&self.targets)
            .map(|((link, &entropy), target)| Anchor {
                node: link.node,
                linked: target.map(|place| self.vectors[place].as_slice()),
                entropy,
            })
            .collect();
        page_structure(&self.dom, &self.terms, &self.ids, &self.entropies, &anchors, params)
    }
}

/// EN of each id; 0 for what the site does not know.
fn entropies(site: &SiteStore, table: Table, ids: &[Option<u32>], n: u64) -> Result<Vec<f64>, StoreError> {
    let mut stats = site.stats(table, ids.iter().filter_map(|id| *id))?.into_iter();
    Ok(ids.iter().map(|id| id.and_then(|_| stats.next()).map_or(0.0, |stat| entropy(&stat, n))).collect())
}

fn entropies_of_hashes(site: &SiteStore, hashes: &[u64], n: u64) -> Result<Vec<f64>, StoreError> {
    let ids = site.hash_ids(Table::Anchors, hashes)?;
    entropies(site, Table::Anchors, &ids, n)
}
