//! Anchor precision index: how much an anchor's text says of the page behind it (WISDOM, section 3.1.2).

use crate::dom::NodeId;

/// The smallest entropy that counts in 1/EN. The paper says that EN is positive for a term that stands on two pages, which
/// is true, and small enough to drown every other term. Without a floor one rare word outweighs a list.
pub const MIN_ENTROPY: f64 = 0.05;

/// One anchor with a page behind it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AnchorScore {
    /// The `a` element.
    pub node: NodeId,
    /// API of the anchor.
    pub api: f64,
    /// Whether it counts among the anchors of its block: it leads to another page of the model.
    pub counted: bool,
}

/// API(N) = Σ 1/EN(term) over the distinct terms that stand in the anchor's text and on the linked page.
///
/// `anchor` holds (term id, entropy) of the anchor's distinct terms; `linked` the sorted term ids of the linked page. An
/// entropy under [`MIN_ENTROPY`] counts as that. 0 where nothing matches. Time O(anchor · log linked).
pub fn anchor_precision(anchor: &[(u32, f64)], linked: &[u32]) -> f64 {
    anchor
        .iter()
        .filter(|(term, _)| linked.binary_search(term).is_ok())
        .map(|&(_, entropy)| 1.0 / entropy.max(MIN_ENTROPY))
        .sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// WISDOM, section 4.2: "each basic informative link contains one matching term with entropy 0.8, and its API value is
    /// 1.25".
    #[test]
    fn basic_informative_link() {
        assert!((anchor_precision(&[(7, 0.8), (9, 0.5)], &[3, 7]) - 1.25).abs() < 1e-12);
        assert!((anchor_precision(&[(7, 0.001)], &[7]) - 20.0).abs() < 1e-12);
        assert!(anchor_precision(&[(7, 0.8)], &[]).abs() < 1e-12);
    }
}
