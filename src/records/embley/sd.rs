//! SD, standard deviation (section 4.3).

use super::rank::{Ranked, by_smallest};
use super::scan::Scan;
use crate::dom::Tag;

/// Candidates by the standard deviation of the number of characters from one appearance to the next, the smallest first.
/// A tag with fewer than two such intervals has none and is not ranked.
pub(super) fn rank(candidates: &[(Tag, usize)], scan: &Scan) -> Vec<Ranked> {
    by_smallest(candidates.iter().filter_map(|&(tag, _)| Some((tag, deviation(tag, scan)?))).collect())
}

fn deviation(tag: Tag, scan: &Scan) -> Option<f64> {
    let places: Vec<usize> = scan.starts.iter().filter(|start| start.0 == tag).map(|start| start.1).collect();
    let intervals: Vec<f64> = places.windows(2).map(|pair| (pair[1] - pair[0]) as f64).collect();
    if intervals.len() < 2 {
        return None;
    }
    let mean = intervals.iter().sum::<f64>() / intervals.len() as f64;
    let variance = intervals.iter().map(|interval| (interval - mean).powi(2)).sum::<f64>() / intervals.len() as f64;
    Some(variance.sqrt())
}
