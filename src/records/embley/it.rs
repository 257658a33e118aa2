//! IT, identifiable "separator" tags (section 4.2).

use super::rank::{Ranked, by_smallest};
use crate::dom::Tag;

/// Tags that separate records on a hundred pages of obituaries and car advertisements of 1998, the commonest first.
const SEPARATORS: [Tag; 12] =
    [Tag::HR, Tag::TD, Tag::TR, Tag::A, Tag::TABLE, Tag::P, Tag::BR, Tag::H4, Tag::H1, Tag::STRONG, Tag::B, Tag::I];

/// The tag's place in the list.
pub(super) fn place(tag: Tag) -> Option<usize> {
    SEPARATORS.iter().position(|&separator| separator == tag)
}

/// Candidates in the order of the list, without those that are not in it.
pub(super) fn rank(candidates: &[(Tag, usize)]) -> Vec<Ranked> {
    by_smallest(candidates.iter().filter_map(|&(tag, _)| Some((tag, place(tag)? as f64))).collect())
}
