//! OM, ontology matching (section 4.5).

use super::rank::{Ranked, by_smallest};
use super::{Ontology, Params};
use crate::dom::Tag;

/// Candidates by how close their number of appearances comes to the average number of occurrences of the record-identifying
/// fields in the text. Empty without an ontology, or with too few such fields.
pub(super) fn rank(
    candidates: &[(Tag, usize)],
    text: &str,
    ontology: Option<&Ontology>,
    params: &Params,
) -> Vec<Ranked> {
    let Some(average) = ontology.and_then(|ontology| ontology.estimate(text, params)) else { return Vec::new() };
    by_smallest(candidates.iter().map(|&(tag, count)| (tag, (count as f64 - average).abs())).collect())
}
