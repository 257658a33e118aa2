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
/// A difference under this counts as settled, as in the paper (section 4.5).
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
    let last: Vec<f64> = sample.iter().map(|(_, _, stat)| entropy(stat, pages)).collect();
    let places: FxHashMap<u32, usize> = sample.iter().enumerate().map(|(at, (_, id, _))| (*id, at)).collect();
    let mut order: Vec<&PageRow> = rows.iter().collect();
    order.sort_unstable_by_key(|row| (row.fetched_at, row.id));
    let counted = order.len().min(MOST_PAGES);
    let step = counted.div_ceil(TIMES).max(1);
    let mut sums = vec![Stat::default(); sample.len()];
    let mut points = Vec::new();
    for (at, row) in (1..).zip(&order[..counted]) {
        for (term, count) in site.vector(row.id, Table::Terms)? {
            if let Some(&place) = places.get(&term) {
                sums[place].add(count);
            }
        }
        if at % step == 0 || at == counted {
            let off = sums.iter().zip(&last).map(|(stat, last)| (entropy(stat, at as u64) - last).abs());
            points.push((at as u64, off.sum::<f64>() / sample.len() as f64));
        }
    }
    let from = points.iter().rposition(|(_, off)| *off >= SETTLED).map_or(0, |at| at + 1);
    let settled = points.get(from).map(|(pages, _)| *pages);
    Ok(Some(Settling { points, terms: sample.len(), is_cut: counted < order.len(), settled }))
}

fn smallest(sample: &mut Vec<(u64, u32, Stat)>) {
    sample.sort_unstable_by_key(|(hash, id, _)| (*hash, *id));
    sample.truncate(MOST_TERMS);
}
