//! [`repeats`]: which pages of a site are there under several URLs: print views, AMP pages, URLs with a note of where the
//! reader came from, copies that name another page as canonical, or none of these and the same text all the same.
//!
//! Each page has a [`Sketch`] of what it says (the blocks that the page-level classifier keeps, not the template). Pages are
//! compared where the search by bands of the sketches, or a hint (URLs that differ in the view they ask for, `rel=canonical`,
//! `rel=amphtml`), brings them together, and found the same by sketch and by [`says_the_same`]. A hint is never enough: many
//! sites name their home page as canonical everywhere.
//!
//! - No duplicates: pages that say nothing; without a hint, pages with hardly any text, whose headlines differ, or that are
//!   lists; parts of an article; an article and a list that shows it; an article in two languages.
//! - A text that a site serves under many URLs (a soft 404) is one page and its duplicates, if there is enough of it.
//!
//! On seventeen mirrors of 7,337 pages 24 duplicates are found, all of which say the same to the eye. On a made site of 50,000
//! pages (`scripts/twin_pages.py`) all 15,432 are found and no other; mining takes 1.3 ms a page there, 1.0 ms of 2,000 pages.
mod same;
mod sketch;
mod variant;

#[cfg(test)]
mod tests;

use super::canonical;
use rustc_hash::FxHashMap;
use url::Url;
use variant::{Variant, variant};

pub use same::{says_the_same, without_twins};
pub use sketch::Sketch;

/// What is compared of a page.
#[derive(Clone, Debug)]
pub struct Sketched<'a> {
    /// Its URL, different from those of all others.
    pub url: &'a str,
    /// The key of the page it names as canonical: see [`canonical`](super::canonical).
    pub canonical: Option<u64>,
    /// The key of the page it names as its AMP view.
    pub amp: Option<u64>,
    /// What it says.
    pub sketch: Sketch,
}

/// Of a page that repeats another.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Repeat {
    /// The page it repeats, by its place in the list of pages; one that repeats none itself.
    pub original: usize,
    /// About the share of shingles that both have, of all that one of them has.
    pub share: f64,
}

/// Least resemblance of pages that a hint joins: above that of an article's half with the whole.
const HINTED: f64 = 2.0 / 3.0;
/// Fewest shingles of a page that a hint joins to another, and without a hint. Of two texts of so many shingles the latter
/// resembles none in which a single word differs.
const LEAST_HINTED: u32 = 8;
const LEAST: u32 = 40;
/// Originals that are compared with a page because of one name or one band. What is named or shared by more tells nothing.
const MOST_NAMED: usize = 16;
const MOST_IN_BAND: usize = 64;

/// Finds the pages that repeat others. `same(a, b, hint)` takes a closer look at two pages by their places; an error of it
/// ends the search.
///
/// Pages are put into an order that knows nothing of when they came: first those that a page names as canonical which says
/// the same, last those that name another such page; then those with the fewest marks of another view in the URL (print,
/// AMP, source), the fewest parameters, https, the shortest URL, the first one by its text. One after another each page is
/// compared with the originals so far and repeats the first that it is the same as, but the one that it names as canonical
/// before all; or it is an original. So every duplicate is the same as its original, and no original repeats another that it
/// was compared with. Being the same is not transitive: where B is like A and C is like B but not like A, C is an original.
///
/// At most 64 originals are compared for a band and 16 for a name, in that order; within this the search by bands finds
/// every original that is near. So time is O(n log n) in the pages, with at most 770 comparisons of sketches each, and
/// memory about 1 KB a page.
///
/// ```
/// use wisdom::site::{Sketch, Sketched, repeats};
/// let page = |url| Sketched { url, canonical: None, amp: None, sketch: Sketch::default() };
/// // Pages that say nothing are no duplicates, whatever their URLs.
/// let found = repeats(&[page("http://h/a"), page("http://h/a?print=1")], |_, _, _| Ok::<_, ()>(true));
/// assert_eq!(found, Ok(vec![None, None]));
/// ```
pub fn repeats<E>(
    pages: &[Sketched<'_>],
    same: impl FnMut(usize, usize, bool) -> Result<bool, E>,
) -> Result<Vec<Option<Repeat>>, E> {
    let mut names: Vec<Names> = pages.iter().map(Names::new).collect();
    let mut comparison = Comparison { pages, same, known: FxHashMap::default() };
    let mut by_url: Vec<usize> = (0..pages.len()).collect();
    by_url.sort_unstable_by_key(|&at| (names[at].look(), pages[at].url));
    let named = confirmed_canonicals(&by_url, &mut names, &mut comparison)?;
    let mut is_named = vec![false; pages.len()];
    for &target in named.iter().flatten() {
        is_named[target] = true;
    }
    let mut order = by_url;
    // A stable sort keeps the order by URL.
    order.sort_by_key(|&at| (named[at].is_some(), !is_named[at]));
    let mut rank = vec![0; pages.len()];
    for (place, &at) in order.iter().enumerate() {
        rank[at] = place;
    }

    let mut found: Vec<Option<Repeat>> = vec![None; pages.len()];
    let mut originals = Originals::default();
    for &at in &order {
        let sketch = &pages[at].sketch;
        if sketch.shingles() < LEAST_HINTED {
            continue;
        }
        let mut candidates = originals.candidates(sketch, &names[at]);
        // Of one page a hint goes before none.
        candidates.sort_unstable_by_key(|&(other, hint)| (Some(other) != named[at], rank[other], !hint));
        candidates.dedup();
        let mut original = None;
        for (other, hint) in candidates {
            if comparison.is_same(at, other, hint)? {
                original = Some(other);
                break;
            }
        }
        match original {
            Some(original) => {
                let share = sketch.resemblance(&pages[original].sketch);
                found[at] = Some(Repeat { original, share });
            }
            None => originals.add(at, sketch, &names[at]),
        }
    }
    Ok(found)
}

/// For each page the one that it names as canonical, where that is another page of the site and says the same. One that says
/// something else is no hint any more: pages that all name the home page have nothing in common by that.
fn confirmed_canonicals<E, F: FnMut(usize, usize, bool) -> Result<bool, E>>(
    by_url: &[usize],
    names: &mut [Names],
    comparison: &mut Comparison<'_, F>,
) -> Result<Vec<Option<usize>>, E> {
    // Of several pages with one key (with and without the last slash, say) the first by URL is meant.
    let mut stored: FxHashMap<u64, usize> = FxHashMap::default();
    for &at in by_url {
        stored.entry(names[at].own).or_insert(at);
    }
    let mut named = vec![None; names.len()];
    for &at in by_url {
        let target = names[at].canonical.and_then(|key| stored.get(&key).copied()).filter(|&target| target != at);
        let Some(target) = target else { continue };
        if comparison.is_same(at, target, true)? {
            named[at] = Some(target);
        } else {
            names[at].canonical = None;
        }
    }
    Ok(named)
}

/// Compares pages, each two once.
struct Comparison<'a, F> {
    pages: &'a [Sketched<'a>],
    same: F,
    known: FxHashMap<(usize, usize, bool), bool>,
}

impl<E, F: FnMut(usize, usize, bool) -> Result<bool, E>> Comparison<'_, F> {
    fn is_same(&mut self, a: usize, b: usize, hint: bool) -> Result<bool, E> {
        let (a, b) = (a.min(b), a.max(b));
        let (one, other) = (&self.pages[a].sketch, &self.pages[b].sketch);
        let alike = if hint {
            one.shingles().min(other.shingles()) >= LEAST_HINTED && one.resemblance(other) >= HINTED
        } else {
            one.shingles().min(other.shingles()) >= LEAST && one.is_near(other)
        };
        if !alike {
            return Ok(false);
        }
        if let Some(&known) = self.known.get(&(a, b, hint)) {
            return Ok(known);
        }
        let found = (self.same)(a, b, hint)?;
        self.known.insert((a, b, hint), found);
        Ok(found)
    }
}

/// The originals so far, by what may bring a page to them. Lists are in the order in which pages are taken.
#[derive(Default)]
struct Originals {
    names: FxHashMap<u64, Vec<usize>>,
    /// By their own keys alone, so that a page that all others name as canonical is found.
    keys: FxHashMap<u64, Vec<usize>>,
    bands: FxHashMap<u64, Vec<usize>>,
}

impl Originals {
    fn add(&mut self, at: usize, sketch: &Sketch, names: &Names) {
        push(self.keys.entry(names.own).or_default(), at, MOST_NAMED);
        for name in names.all() {
            push(self.names.entry(name).or_default(), at, MOST_NAMED);
        }
        if sketch.shingles() >= LEAST {
            for band in sketch.bands() {
                push(self.bands.entry(band).or_default(), at, MOST_IN_BAND);
            }
        }
    }

    /// Originals that a page is to be compared with, and whether a hint says so.
    fn candidates(&self, sketch: &Sketch, names: &Names) -> Vec<(usize, bool)> {
        let mut found: Vec<(usize, bool)> = Vec::new();
        for name in names.all() {
            for map in [&self.keys, &self.names] {
                found.extend(map.get(&name).into_iter().flatten().map(|&other| (other, true)));
            }
        }
        if sketch.shingles() >= LEAST {
            for band in sketch.bands() {
                found.extend(self.bands.get(&band).into_iter().flatten().map(|&other| (other, false)));
            }
        }
        found
    }
}

fn push(list: &mut Vec<usize>, at: usize, most: usize) {
    if list.len() < most && list.last() != Some(&at) {
        list.push(at);
    }
}

/// The names under which pages may be one.
struct Names {
    own: u64,
    variant: Variant,
    canonical: Option<u64>,
    amp: Option<u64>,
    is_plain_http: bool,
    len: usize,
}

impl Names {
    fn new(page: &Sketched<'_>) -> Self {
        let url = Url::parse(page.url).ok();
        // What is no URL is a name all the same, of its own.
        let unknown = || Variant { key: xxhash_rust::xxh3::xxh3_64(page.url.as_bytes()), marks: 0, params: 0 };
        let variant = url.as_ref().map_or_else(unknown, variant);
        Self {
            own: url.as_ref().map_or(variant.key, canonical),
            variant,
            canonical: page.canonical,
            amp: page.amp,
            is_plain_http: page.url.starts_with("http:"),
            len: page.url.len(),
        }
    }

    fn all(&self) -> impl Iterator<Item = u64> {
        [Some(self.own), Some(self.variant.key), self.canonical, self.amp].into_iter().flatten()
    }

    /// The less a URL looks like that of another view the earlier it comes.
    fn look(&self) -> (u32, u32, bool, usize) {
        (self.variant.marks, self.variant.params, self.is_plain_http, self.len)
    }
}
