//! [`Ranked`]: a tag in the list that a heuristic gives.

use crate::dom::Tag;

/// A candidate tag and its rank.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ranked {
    /// The tag.
    pub tag: Tag,
    /// 1 for the best. Equal candidates share a rank, and the next one's counts them all.
    pub rank: usize,
}

/// Ranks tags by a value each, the smallest first; equal ones stay in the order given.
pub(super) fn by_smallest(mut values: Vec<(Tag, f64)>) -> Vec<Ranked> {
    values.sort_by(|a, b| a.1.total_cmp(&b.1));
    let rank = |value: f64| 1 + values.iter().take_while(|(_, other)| other.total_cmp(&value).is_lt()).count();
    values.iter().map(|&(tag, value)| Ranked { tag, rank: rank(value) }).collect()
}
