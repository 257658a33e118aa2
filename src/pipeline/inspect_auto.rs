//! Inspect, for method `auto`: a site put together once, from which any of its pages is explained.

use super::PipelineError;
use super::duplicates::Seen;
use super::mine_auto::put_together;
use super::views::view;
use crate::dom::parse_page;
use crate::explain::{Explanation, PlaceInSite, explain_decision};
use crate::site::{PageView, SiteView, decide};
use crate::store::{PageId, PageRecord, SiteStore};
use rustc_hash::FxHashMap;
use url::Url;

/// What the pages of a site that were looked at tell together, when they were crawled, imported or mined.
///
/// In memory it takes what mining takes; pages that nobody has looked at are not in it.
#[derive(Debug)]
pub struct KnownSite {
    model: SiteView,
    /// Of each page that repeats another the URL of that one, with the share of shingles.
    repeats: FxHashMap<String, (String, f64)>,
    /// Of each page that others repeat, how many.
    copies: FxHashMap<String, usize>,
}

impl KnownSite {
    /// Puts a site together from the views in the store. Time as of mining, without looking at pages.
    pub fn of(site: &SiteStore) -> Result<Self, PipelineError> {
        let pages: Vec<(PageId, PageRecord)> = site.pages().collect::<Result<_, _>>()?;
        let mut seen = Vec::with_capacity(pages.len());
        for (id, page) in &pages {
            if view(site, *id)?.is_some() {
                seen.push(Seen { id: *id, record: page });
            }
        }
        let together = put_together(site, &seen)?;
        let (mut repeats, mut copies) = (FxHashMap::default(), FxHashMap::default());
        for (page, repeat) in seen.iter().zip(&together.repeats) {
            let Some(repeat) = repeat else { continue };
            let original = &seen[repeat.original].record.url;
            repeats.insert(page.record.url.clone(), (original.clone(), repeat.share));
            *copies.entry(original.clone()).or_insert(0) += 1;
        }
        Ok(Self { model: together.model, repeats, copies })
    }

    /// Pages that were looked at and repeat no other.
    pub fn pages(&self) -> u32 {
        self.model.pages()
    }

    /// Why a page was understood as it was.
    pub fn explain(&self, site: &SiteStore, record: &PageRecord) -> Result<Explanation, PipelineError> {
        let page = site.read_page(record)?;
        let (dom, charset) = parse_page(&page);
        let view = Url::parse(&page.url).map(|url| PageView::new(&dom, &url, charset)).unwrap_or_default();
        let decision = decide(&view, &self.model);
        let place = PlaceInSite {
            repeats: self.repeats.get(&record.url).cloned(),
            copies: self.copies.get(&record.url).copied().unwrap_or(0),
        };
        Ok(explain_decision(&dom, &record.url, u64::from(self.pages()), &view, &decision, place))
    }
}
