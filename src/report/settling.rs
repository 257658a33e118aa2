//! How the entropies of a site's terms settled as its pages came in (WISDOM, Fig. 11).
//!
//! The store keeps no history of its sums. But sums do not depend on history, so it can be made again: pages are counted
//! anew in the order in which they were fetched, and at some of them the entropies so far are compared with the final ones.
//! The paper plots the ratio of both; here it is the mean difference, which says the same and is defined for terms that are
//! not there yet.

use super::facts::PageRow;
use crate::entropy::{Stat, Table, entropy};
use crate::store::{SiteStore, StoreError};
use rustc_hash::FxHashMap;
use xxhash_rust::xxh3::xxh3_64;

/// Terms that are followed at most.
const MOST_TERMS: usize = 2000;
/// Pages that are counted anew at most, the first ones.
const MOST_PAGES: usize = 20_000;
/// Times that entropies are compared, about.
const TIMES: usize = 60;
/// A difference under this counts as settled, as in the text on Fig. 11 (section 4.1).
const SETTLED: f64 = 0.1;

/// How entropies settled.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Settling {
    /// After so many pages the mean difference from the final entropy.
    pub(super) points: Vec<(u64, f64)>,
    /// Terms that were followed.
    pub(super) terms: usize,
    /// Whether there are pages behind the last point.
    pub(super) is_cut: bool,
    /// The pages from which on the difference stays under a tenth.
    pub(super) settled: Option<u64>,
}

/// Counts the pages of a site anew. `None` with fewer than two pages or no term on two of them. Time linear in the
/// vectors of the pages that are counted, plus one pass over all terms.
pub(super) fn settling(site: &SiteStore, rows: &[PageRow]) -> Result<Option<Settling>, StoreError> {
    // The terms with the smallest hashes: a sample that depends on neither the order of pages nor that of terms.
    let mut sample: Vec<(u64, u32, Stat)> = Vec::new();
    site.for_each_key(Table::Terms, |key, id, stat| {
        if stat.df >= 2 {
            sample.push((xxh3_64(key), id, stat));
            if sample.len() > 4 * MOST_TERMS {
                smallest(&mut sample);
            }
        }
    })?;
    smallest(&mut sample);
    let pages = site.n_pages();
    if pages < 2 || sample.is_empty() {
        return Ok(None);
    }
    let finals: Vec<f64> = sample.iter().map(|(_, _, stat)| entropy(stat, pages)).collect();
    let places: FxHashMap<u32, usize> = sample.iter().enumerate().map(|(at, (_, id, _))| (*id, at)).collect();
    let mut order: Vec<&PageRow> = rows.iter().collect();
    order.sort_unstable_by_key(|row| (row.fetched_at, row.id));
    let counted = order.len().min(MOST_PAGES);
    let mut curve = Curve::new(finals, counted, TIMES);
    for row in &order[..counted] {
        let vector = site.vector(row.id, Table::Terms)?;
        curve.add(vector.into_iter().filter_map(|(term, count)| Some((*places.get(&term)?, count))));
    }
    let points = curve.points;
    let settled = settled(&points);
    Ok(Some(Settling { points, terms: sample.len(), is_cut: counted < order.len(), settled }))
}

/// The curve in the making: the sums of the pages so far.
struct Curve {
    /// The final entropies of the terms that are followed.
    finals: Vec<f64>,
    sums: Vec<Stat>,
    pages: usize,
    /// Pages that will come, and how many of them there are from one point to the next.
    all: usize,
    step: usize,
    points: Vec<(u64, f64)>,
}

impl Curve {
    /// A curve over `all` pages, with about `times` points.
    fn new(finals: Vec<f64>, all: usize, times: usize) -> Self {
        let sums = vec![Stat::default(); finals.len()];
        Self { finals, sums, pages: 0, all, step: all.div_ceil(times).max(1), points: Vec::new() }
    }

    /// Counts the next page: its terms by their places among those that are followed, each with its count.
    fn add(&mut self, terms: impl Iterator<Item = (usize, u32)>) {
        for (place, count) in terms {
            self.sums[place].add(count);
        }
        self.pages += 1;
        if self.pages.is_multiple_of(self.step) || self.pages == self.all {
            let pages = self.pages as u64;
            let off = self.sums.iter().zip(&self.finals).map(|(stat, last)| (entropy(stat, pages) - last).abs());
            self.points.push((pages, off.sum::<f64>() / self.finals.len() as f64));
        }
    }
}

/// The pages from which on the difference stays under a tenth; `None` where it does not at the last point.
fn settled(points: &[(u64, f64)]) -> Option<u64> {
    let from = points.iter().rposition(|(_, off)| *off >= SETTLED).map_or(0, |at| at + 1);
    points.get(from).map(|(pages, _)| *pages)
}

fn smallest(sample: &mut Vec<(u64, u32, Stat)>) {
    sample.sort_unstable_by_key(|(hash, id, _)| (*hash, *id));
    sample.truncate(MOST_TERMS);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::page::Page;
    use crate::store::{Group, PageFacts, Store, StoreOptions};
    use crate::terms::PageCounts;
    use proptest::prelude::*;

    /// A site of four pages, fetched in this order. `menu` stands once on each, `story` three times on the first and once on
    /// the third, `late` once on each of the last two; what stands on one page only is not followed.
    const PAGES: [&[(&str, u32)]; 4] = [
        &[("menu", 1), ("story", 3), ("once", 9)],
        &[("menu", 1)],
        &[("menu", 1), ("story", 1), ("late", 1)],
        &[("late", 1), ("menu", 1)],
    ];

    /// Fig. 11 of WISDOM by hand, EN = −Σ p·ln p / ln n over n pages (equation 1). In the end n = 4:
    ///
    /// - `menu` has p = ¼ four times: EN = log₄ 4 = 1;
    /// - `story` has p = ¾, ¼: EN = 1 − ¾·log₄ 3 = 0.405639;
    /// - `late` has p = ½ twice: EN = log₄ 2 = 0.5.
    ///
    /// After one page all are 0, which is off by (1 + 0.405639 + 0.5)/3 = 0.635213. After two, `menu` is 1: off by 0.905639/3 =
    /// 0.301880. After three, `menu` is 1, `story` (ln 4 − ¾·ln 3)/ln 3 = 0.511859, `late` 0: off by (0.106220 + 0.5)/3 =
    /// 0.202073. After four nothing is off.
    const BY_HAND: [(u64, f64); 4] = [(1, 0.635_213), (2, 0.301_880), (3, 0.202_073), (4, 0.0)];

    #[test]
    fn figure_11_on_four_pages_by_hand() {
        let dir = tempfile::tempdir().expect("a folder");
        let store = Store::create(dir.path(), StoreOptions::default()).expect("a store");
        let mut site = store.create_site(&url::Url::parse("http://h.test/").expect("a URL")).expect("a site");
        let mut group = Group::new(1);
        for (at, terms) in PAGES.iter().enumerate() {
            // Their names are in another order than they were fetched in.
            let url = format!("http://h.test/{}", 9 - at);
            let page =
                Page { url, status: 200, headers: Vec::new(), body: vec![b'x'], depth: 0, fetched_at: at as u64 };
            let terms = terms.iter().map(|&(term, count)| (term.into(), count)).collect();
            group.put_page(page, PageFacts::default(), PageCounts { terms, ..PageCounts::default() }, None);
        }
        site.commit(group).expect("a commit");
        let (_, rows) = super::super::facts::facts(&site, &crate::progress::Progress::default()).expect("rows");
        let found = settling(&site, &rows).expect("a store that can be read").expect("terms on two pages");
        assert_eq!((found.terms, found.is_cut, found.settled), (3, false, Some(4)));
        assert_eq!(found.points.len(), BY_HAND.len());
        for ((pages, off), (want_pages, want)) in found.points.iter().zip(BY_HAND) {
            assert!(*pages == want_pages && (off - want).abs() < 5e-7, "{pages}: {off}, by hand {want}");
        }
    }

    #[test]
    fn settled_is_what_stays_under_a_tenth() {
        assert_eq!(settled(&[(1, 0.3), (2, 0.05), (3, 0.2), (4, 0.09), (5, 0.0)]), Some(4));
        assert_eq!(settled(&[(1, 0.0), (2, 0.1)]), None);
        assert_eq!(settled(&[(1, 0.0)]), Some(1));
    }

    /// EN by its definition, over the counts of a term on each page.
    fn slow_entropy(counts: &[u32]) -> f64 {
        let total: f64 = counts.iter().map(|&count| f64::from(count)).sum();
        if counts.len() < 2 || total == 0.0 {
            return 0.0;
        }
        let shares = counts.iter().filter(|&&count| count > 0).map(|&count| f64::from(count) / total);
        -shares.map(|p| p * p.log(counts.len() as f64)).sum::<f64>()
    }

    proptest! {
        /// The curve over running sums is the one over all counts so far, made anew at each point.
        #[test]
        fn the_curve_is_that_of_the_definition(
            pages in prop::collection::vec(prop::collection::vec(0_u32..4, 5), 1..40),
            times in 1_usize..50,
        ) {
            let column = |term: usize, most: usize| -> Vec<u32> { pages[..most].iter().map(|page| page[term]).collect() };
            let finals: Vec<f64> = (0..5).map(|term| slow_entropy(&column(term, pages.len()))).collect();
            let mut curve = Curve::new(finals.clone(), pages.len(), times);
            for page in &pages {
                curve.add(page.iter().copied().enumerate());
            }
            prop_assert!(curve.points.len() <= times + 1);
            prop_assert_eq!(curve.points.last().map(|point| point.0), Some(pages.len() as u64));
            prop_assert!(curve.points.is_sorted_by(|a, b| a.0 < b.0));
            for &(known, off) in &curve.points {
                let known = usize::try_from(known).expect("a small number");
                let slow: f64 = (0..5).map(|term| (slow_entropy(&column(term, known)) - finals[term]).abs()).sum();
                prop_assert!((off - slow / 5.0).abs() < 1e-6, "{} at {}, by definition {}", off, known, slow / 5.0);
            }
        }
    }
}
