//! RP, repeating-tag pattern (section 4.4).

use super::Params;
use super::rank::{Ranked, by_smallest};
use super::scan::Scan;
use crate::dom::Tag;

/// Candidates by how far the count of a pair of adjacent candidates without text between is from the count of the tag alone;
/// the best pair of each counts. Pairs that are rare beside the rarest candidate are left out, and so the list may be empty.
pub(super) fn rank(candidates: &[(Tag, usize)], scan: &Scan, params: &Params) -> Vec<Ranked> {
    let rarest = candidates.iter().map(|candidate| candidate.1).min().unwrap_or(0);
    let place = |tag: Tag| candidates.iter().position(|candidate| candidate.0 == tag);
    let n = candidates.len();
    let mut pairs = vec![0_usize; n * n];
    for pair in scan.starts.windows(2) {
        let [(a, a_text), (b, b_text)] = pair else { continue };
        if let (true, Some(a), Some(b)) = (a_text == b_text, place(*a), place(*b)) {
            pairs[a * n + b] += 1;
        }
    }
    let mut best: Vec<Option<usize>> = vec![None; n];
    for (at, &count) in pairs.iter().enumerate() {
        if count == 0 || count as f64 <= params.least_pairs * rarest as f64 {
            continue;
        }
        for tag in [at / n, at % n] {
            let difference = count.abs_diff(candidates[tag].1);
            best[tag] = Some(best[tag].map_or(difference, |known| known.min(difference)));
        }
    }
    let values = candidates.iter().zip(best).filter_map(|(&(tag, _), best)| Some((tag, best? as f64)));
    by_smallest(values.collect())
}
