//! Duplicates among the stored pages of a site, by what their views say.

use super::views::seen_view;
use crate::blocks::PageType;
use crate::site::{PageView, Repeat, SiteView, Sketched, decide, repeats, says_the_same, without_twins};
use crate::store::{PageId, PageRecord, SiteStore, StoreError};
use rustc_hash::FxHashMap;

/// A page that was looked at.
pub(super) struct Seen<'a> {
    pub(super) id: PageId,
    pub(super) record: &'a PageRecord,
}

/// What duplicates are found by, gathered while views are read.
#[derive(Default)]
pub(super) struct Sketches<'a> {
    keys: Vec<u64>,
    pages: Vec<Sketched<'a>>,
    /// The pages of a key, by their places.
    places: FxHashMap<u64, Vec<usize>>,
}

impl<'a> Sketches<'a> {
    pub(super) fn add(&mut self, url: &'a str, view: &PageView) {
        self.places.entry(view.key).or_default().push(self.pages.len());
        self.keys.push(view.key);
        self.pages.push(Sketched { url, canonical: view.canonical, amp: view.amp, sketch: view.sketch.clone() });
    }

    /// A view without links to pages that say nearly the same.
    pub(super) fn without_twins(&self, view: PageView) -> PageView {
        let sketch = view.sketch.clone();
        without_twins(view, |key| {
            self.places.get(&key).into_iter().flatten().any(|&at| sketch.is_near(&self.pages[at].sketch))
        })
    }
}

/// Of each page the one that it repeats. `all` is the model of all pages, duplicates and originals alike.
pub(super) fn duplicates(
    site: &SiteStore,
    seen: &[Seen<'_>],
    sketches: &Sketches<'_>,
    all: &SiteView,
) -> Result<Vec<Option<Repeat>>, StoreError> {
    let mut lists: FxHashMap<usize, bool> = FxHashMap::default();
    repeats(&sketches.pages, |a, b, hint| {
        let (one, other) = (seen_view(site, seen[a].id)?, seen_view(site, seen[b].id)?);
        if !says_the_same(&one, &other, all, hint) {
            return Ok(false);
        }
        let mut is_list = |at, view| {
            *lists.entry(at).or_insert_with(|| decide(&sketches.without_twins(view), all).page_type == PageType::Toc)
        };
        // Lists may show the same teasers and are different lists all the same.
        Ok(hint || !(is_list(a, one) || is_list(b, other)))
    })
}

/// The keys of duplicates with those of their originals. A key that an original has as well (of two pages whose URLs differ
/// in their last slash, say) stays its own.
pub(super) fn original_keys(sketches: &Sketches<'_>, repeats: &[Option<Repeat>]) -> FxHashMap<u64, u64> {
    let pairs = sketches.keys.iter().zip(repeats);
    let mut keys: FxHashMap<u64, u64> =
        pairs.filter_map(|(&key, repeat)| Some((key, sketches.keys[(*repeat)?.original]))).collect();
    for (key, _) in sketches.keys.iter().zip(repeats).filter(|(_, repeat)| repeat.is_none()) {
        keys.remove(key);
    }
    keys
}
