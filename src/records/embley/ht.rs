//! HT, highest-count tags (section 4.1).

use super::rank::{Ranked, by_smallest};
use crate::dom::Tag;

/// Candidates by number of appearances, the most frequent first.
pub(super) fn rank(candidates: &[(Tag, usize)]) -> Vec<Ranked> {
    by_smallest(candidates.iter().map(|&(tag, count)| (tag, -(count as f64))).collect())
}
