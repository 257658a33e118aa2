//! [`SiteView`]: what the pages of a site have in common.

use super::PageView;
use rustc_hash::FxHashMap;
use std::borrow::Borrow;
use std::collections::BTreeMap;
use std::collections::hash_map::Entry;

/// What the site knows of a page beside its view: enough to judge the pages that link to it.
#[derive(Clone, Debug)]
struct Known {
    kinds: [f32; 7],
    words: Vec<u32>,
    chunks: Vec<u32>,
}

impl Known {
    /// An order of pages that does not know when they came.
    fn rank(&self) -> (usize, &[u32], &[u32], [u32; 7]) {
        (self.words.len(), &self.words, &self.chunks, self.kinds.map(f32::to_bits))
    }
}

/// What stands in one place of many pages. Sums of integers, so that their order does not matter.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Place {
    pages: u32,
    /// Sum over pages of the mean chance of the blocks there, weighed by words, in 2⁻²⁰.
    chance: u64,
}

/// The pages of a site together.
#[derive(Clone, Debug, Default)]
pub struct SiteView {
    pages: u32,
    /// For the keys of duplicates those of their originals.
    originals: FxHashMap<u64, u64>,
    known: FxHashMap<u64, Known>,
    /// Pages on which a text stands in a place; what stands on one page is left out.
    chunks: FxHashMap<u64, u32>,
    /// Pages with a link to a target from a place; as above.
    anchors: FxHashMap<u64, u32>,
    places: FxHashMap<u64, Place>,
    words: FxHashMap<u32, u32>,
    /// For each place that holds what pages say: how many pages, and the sum of how much they look like hubs, in 2⁻²⁰.
    templates: FxHashMap<u64, (u32, u64)>,
    /// How many pages list a page, by the keys of those that some do.
    listed: FxHashMap<u64, u32>,
    /// The template of each page, by its key: halves of the hashes of its places, sorted.
    templates_of: FxHashMap<u64, Box<[u32]>>,
}

/// What was decided on a page that tells of others: see [`SiteView::with_decisions`].
#[derive(Clone, Debug, PartialEq)]
pub struct PageDecision {
    /// The key of the page.
    pub key: u64,
    /// [`Decision::own_hub`](super::Decision::own_hub).
    pub own_hub: f64,
    /// [`Decision::template`](super::Decision::template).
    pub template: Vec<u64>,
    /// Keys of the pages that its table of contents lists, each once.
    pub lists: Vec<u64>,
}

/// Fixed point of sums.
pub(super) const ONE: f64 = (1_u64 << 20) as f64;

impl SiteView {
    /// Puts the views of all pages together. A link to a URL that redirects leads to no known page: archives do not keep
    /// redirects, and an archive is to give what its crawl gave. Time O(n log n) in the blocks and links of all pages;
    /// memory some 40 bytes a block and 8 bytes a word.
    pub fn new(views: impl Iterator<Item = impl Borrow<PageView>>) -> Self {
        Self::of_originals(views, FxHashMap::default())
    }

    /// The same of a site with duplicates, which count once: `views` are those of originals, and `originals` holds for the
    /// keys of the duplicates the keys of the pages that they repeat. A duplicate adds nothing to any sum: not to the
    /// number of pages, nor to the pages of a text, a word, a link or a place, nor to what is meant by a place or a template.
    /// A link to it is one to its original, wherever it stands. Where it is decided on itself, it is taken for its original,
    /// as if it were counted; a view whose template no original has (say print views, all of them duplicates) is judged by
    /// itself.
    pub fn of_originals(views: impl Iterator<Item = impl Borrow<PageView>>, originals: FxHashMap<u64, u64>) -> Self {
        let mut site = Self { originals, ..Self::default() };
        let (mut chunks, mut anchors, mut words) = (Vec::new(), Vec::new(), Vec::new());
        for view in views {
            let view = view.borrow();
            site.pages += 1;
            distinct(&mut chunks, view.blocks.iter().map(|block| pair(block.place, block.chunk)));
            distinct(&mut anchors, view.links.iter().map(|link| pair(link.path, site.original(link.target))));
            words.extend_from_slice(&view.words);
            for (place, (chance, weight)) in means(view) {
                let entry = site.places.entry(place).or_default();
                entry.pages += 1;
                entry.chance += fixed(chance / weight);
            }
            let mut own = Vec::new();
            distinct(&mut own, view.blocks.iter().map(|block| short(block.chunk)));
            let known = Known { kinds: view.kinds, words: view.words.clone(), chunks: own };
            match site.known.entry(view.key) {
                Entry::Vacant(place) => _ = place.insert(known),
                // Of two spellings of a URL the one with more to say, whichever came first.
                Entry::Occupied(mut place) if known.rank() > place.get().rank() => _ = place.insert(known),
                Entry::Occupied(_) => {}
            }
        }
        site.chunks = repeated(chunks);
        site.anchors = repeated(anchors);
        site.words = repeated(words);
        site
    }

    /// Adds what [`decide`](super::decide) made of every page, in place of what was added before. Pages that share places share
    /// a template, and pages of a template are of a type; pages that lists lead to are rather no lists, nor are those whose
    /// lists lead to pages of their own template.
    #[must_use]
    pub fn with_decisions(mut self, pages: impl IntoIterator<Item = PageDecision>) -> Self {
        self.templates.clear();
        self.listed.clear();
        self.templates_of.clear();
        for page in pages {
            // Of two spellings of a URL the greater, whichever came first.
            let template = halves(&page.template);
            let kept = self.templates_of.entry(page.key).or_default();
            *kept = std::mem::take(kept).max(template);
            for place in page.template {
                let entry = self.templates.entry(place).or_default();
                entry.0 += 1;
                entry.1 += fixed(page.own_hub);
            }
            for target in page.lists {
                *self.listed.entry(target).or_default() += 1;
            }
        }
        self
    }

    /// How many pages list a page, by its key.
    pub(super) fn listed(&self, key: u64) -> u32 {
        self.listed.get(&self.original(key)).copied().unwrap_or_default()
    }

    /// How alike the template of a page and those of the known pages among `others` are: the places that both have, of those that
    /// either has, the mean of the first `most`; 0 where none is known.
    pub(super) fn alike(&self, template: &[u64], others: impl Iterator<Item = u64>, most: usize) -> f64 {
        let own = halves(template);
        let known = others.filter_map(|other| self.templates_of.get(&self.original(other)));
        let (mut sum, mut pages) = (0.0, 0);
        for other in known.take(most) {
            let both = own.iter().filter(|place| other.binary_search(place).is_ok()).count();
            sum += both as f64 / (own.len() + other.len() - both).max(1) as f64;
            pages += 1;
        }
        sum / f64::from(pages.max(1))
    }

    /// How much a page looks like a hub together with the pages of its template: a fifth by itself, the rest by the mean of
    /// the pages that have its places, rare places weighing more (by ln n/c). In each place the page itself counts as two of
    /// them: a place that no other page has speaks for the page's own look, and few others do not overrule it.
    pub(super) fn hub(&self, own: f64, template: &[u64]) -> f64 {
        let (mut sum, mut weights) = (0.0, 0.0);
        for place in template {
            let (pages, hubs) = self.templates.get(place).copied().unwrap_or((1, fixed(own)));
            let others = f64::from(pages.saturating_sub(1));
            let mean = (hubs.saturating_sub(fixed(own)) as f64 / ONE + 2.0 * own) / (others + 2.0);
            let weight = (f64::from(self.pages) / f64::from(pages)).ln().max(0.0) + 0.1;
            sum += weight * mean;
            weights += weight;
        }
        if weights > 0.0 { 0.2 * own + 0.8 * sum / weights } else { own }
    }

    /// Pages put together.
    pub fn pages(&self) -> u32 {
        self.pages
    }

    /// ln of the number of pages with a value, over ln of all pages: 0 for what stands on one page, 1 for what stands on
    /// all. With one page known nothing can repeat.
    fn entropy(&self, count: Option<&u32>) -> f64 {
        if self.pages < 2 { 0.0 } else { f64::from(count.copied().unwrap_or(1)).ln() / f64::from(self.pages).ln() }
    }

    /// How widely a text repeats in its place, 0 to 1, and on how many pages.
    pub(super) fn repetition(&self, place: u64, chunk: u64) -> (f64, u32) {
        let count = self.chunks.get(&pair(place, chunk));
        (self.entropy(count), count.copied().unwrap_or(1))
    }

    /// How widely a link repeats in its place, 0 to 1.
    pub(super) fn link_repetition(&self, path: u64, target: u64) -> f64 {
        self.entropy(self.anchors.get(&pair(path, self.original(target))))
    }

    /// The key of the page that a page is, or repeats.
    pub(super) fn original(&self, key: u64) -> u64 {
        self.originals.get(&key).copied().unwrap_or(key)
    }

    /// How informative a word is, 1 for one on a single page, 0 for one on all.
    pub(super) fn weight(&self, word: u32) -> f64 {
        1.0 - self.entropy(self.words.get(&word))
    }

    /// How informative a word is that stands on `own` of two pages, by the other pages of the site: 1 for one that none of
    /// those has, little but more than 0 for one that all have.
    pub(super) fn weight_beside(&self, word: u32, own: u32) -> f64 {
        self.beside(self.words.get(&word), own)
    }

    /// The same of a text in its place.
    pub(super) fn text_weight_beside(&self, place: u64, chunk: u64, own: u32) -> f64 {
        self.beside(self.chunks.get(&pair(place, chunk)), own)
    }

    fn beside(&self, count: Option<&u32>, own: u32) -> f64 {
        let others = count.copied().unwrap_or(own).saturating_sub(own);
        if self.pages < 2 { 1.0 } else { 1.0 - f64::from(1 + others).ln() / f64::from(self.pages).ln() }
    }

    /// Mean chance of what stands in a place on the site's other pages, and how many have it. `own` is this page's mean.
    pub(super) fn elsewhere(&self, place: u64, own: f64) -> (f64, u32) {
        let Some(at) = self.places.get(&place).filter(|at| at.pages > 1) else { return (0.5, 0) };
        let others = at.pages - 1;
        (at.chance.saturating_sub(fixed(own)) as f64 / ONE / f64::from(others), others)
    }

    /// The key of the page of the site that a link leads to, other than the page itself.
    pub(super) fn target(&self, target: u64, own: u64) -> Option<u64> {
        let target = self.original(target);
        (target != self.original(own) && self.known.contains_key(&target)).then_some(target)
    }

    /// The kinds of a known page.
    pub(super) fn kinds(&self, key: u64) -> Option<&[f32; 7]> {
        self.known.get(&key).map(|known| &known.kinds)
    }

    /// The words of a known page, sorted.
    pub(super) fn words(&self, key: u64) -> &[u32] {
        self.known.get(&key).map_or(&[], |known| &known.words)
    }

    /// Whether a known page has a text, wherever it stands.
    pub(super) fn has_chunk(&self, key: u64, chunk: u64) -> bool {
        self.known.get(&key).is_some_and(|known| known.chunks.binary_search(&short(chunk)).is_ok())
    }
}

#[allow(clippy::cast_possible_truncation, reason = "half of a hash is a hash")]
fn short(hash: u64) -> u32 {
    hash as u32
}

#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a share, rounded to 2⁻²⁰")]
pub(super) fn fixed(share: f64) -> u64 {
    (share.clamp(0.0, 1.0) * ONE).round() as u64
}

/// For each place of a page the sum of chances and of weights of its blocks.
pub(super) fn means(view: &PageView) -> BTreeMap<u64, (f64, f64)> {
    let mut means: BTreeMap<u64, (f64, f64)> = BTreeMap::new();
    for block in &view.blocks {
        let weight = f64::from(block.facts.words) + 0.5;
        let mean = means.entry(block.place).or_default();
        mean.0 += weight * f64::from(block.chance);
        mean.1 += weight;
    }
    means
}

/// Two hashes as one.
fn pair(a: u64, b: u64) -> u64 {
    (a.rotate_left(32) ^ b).wrapping_mul(0x9E37_79B9_7F4A_7C15)
}

/// Distinct halves of hashes, sorted.
fn halves(hashes: &[u64]) -> Box<[u32]> {
    let mut found = Vec::new();
    distinct(&mut found, hashes.iter().map(|&hash| short(hash)));
    found.into()
}

/// Appends the distinct values of one page.
fn distinct<T: Ord>(all: &mut Vec<T>, values: impl Iterator<Item = T>) {
    let mut own: Vec<T> = values.collect();
    own.sort_unstable();
    own.dedup();
    all.append(&mut own);
}

/// How often each value stands in a list, of those that stand there more than once.
fn repeated<T: Ord + Copy + std::hash::Hash>(mut values: Vec<T>) -> FxHashMap<T, u32> {
    values.sort_unstable();
    let runs = values.chunk_by(|a, b| a == b).filter(|run| run.len() > 1);
    runs.map(|run| (run[0], u32::try_from(run.len()).unwrap_or(u32::MAX))).collect()
}
