//! Content information index: the mean weight of the distinct terms below a node (WISDOM, section 3.1.1).

use crate::dom::{Dom, NodeId, NodeMap};
use crate::terms::Occurrence;

/// A weight of 1 in fixed point. Sums of weights are taken in integers, so that subtracting what was added leaves nothing.
const ONE: f64 = 4_294_967_296.0;

/// Distinct terms of every subtree and the sum of their weights.
#[derive(Clone, Debug)]
pub(super) struct TermSums {
    pub(super) count: NodeMap<i64>,
    sum: NodeMap<i64>,
}

impl TermSums {
    /// CII(N); `None` for a subtree without terms.
    pub(super) fn cii(&self, id: NodeId) -> Option<f64> {
        let count = self.count[id];
        (count > 0).then(|| self.sum[id] as f64 / ONE / count as f64)
    }
}

/// Sums over the distinct terms of each subtree, in one sweep: every occurrence is counted where it stands, and for each
/// two consecutive occurrences of a term, one is taken back at their lowest common ancestor. Time O(occurrences · log
/// depth + nodes).
pub(super) fn term_sums(dom: &Dom, occurrences: &[Occurrence], weights: &[f64]) -> TermSums {
    let mut count = NodeMap::filled(dom, 0_i64);
    let mut sum = NodeMap::filled(dom, 0_i64);
    #[allow(clippy::cast_possible_truncation, reason = "a weight lies between 0 and 1")]
    let fixed: Vec<i64> = weights.iter().map(|w| (w * ONE).round() as i64).collect();
    let mut last: Vec<Option<NodeId>> = vec![None; weights.len()];
    let mut open: Vec<NodeId> = Vec::new();
    for &Occurrence { node, term } in occurrences {
        let term = term as usize;
        if open.last() != Some(&node) {
            open_path(dom, node, &mut open);
        }
        count[node] += 1;
        sum[node] += fixed[term];
        if let Some(before) = last[term].replace(node) {
            // An open ancestor of this node holds the earlier one exactly when it begins before it.
            let at = open.partition_point(|&ancestor| ancestor <= before);
            let common = open[at.saturating_sub(1)];
            count[common] -= 1;
            sum[common] -= fixed[term];
        }
    }
    count.sum_subtrees(dom);
    sum.sum_subtrees(dom);
    TermSums { count, sum }
}

/// Makes `open` the path from the root to `node`, both included. Amortised linear: nodes come in document order.
fn open_path(dom: &Dom, node: NodeId, open: &mut Vec<NodeId>) {
    while open.last().is_some_and(|&top| !dom.contains(top, node)) {
        open.pop();
    }
    let top = open.last().copied();
    let from = open.len();
    let mut up = Some(node);
    while let Some(id) = up.filter(|&id| Some(id) != top) {
        open.push(id);
        up = dom.parent(id);
    }
    open[from..].reverse();
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeSet;
    use std::fmt::Write as _;

    proptest! {
        /// Slow twin: the set of terms of each subtree, and the mean of its weights.
        #[test]
        fn sums_are_those_of_the_distinct_terms(
            shape in prop::collection::vec((0_u8..4, 0_u32..6), 1..60),
            weights in prop::collection::vec(0.0_f64..1.0, 6),
        ) {
            let mut html = String::new();
            for &(op, word) in &shape {
                match op {
                    0 => html.push_str("<div>"),
                    1 => html.push_str("</div>"),
                    _ => { let _ = write!(html, "<i>w{word}</i> "); },
                }
            }
            let dom = Dom::parse(&html);
            let occurrences: Vec<Occurrence> = dom.ids().filter(|&id| dom.is_text(id)).filter_map(|node| {
                dom.text(node).trim().strip_prefix('w').and_then(|n| n.parse().ok()).map(|term| Occurrence { node, term })
            }).collect();
            let got = term_sums(&dom, &occurrences, &weights);
            for id in dom.ids() {
                let distinct: BTreeSet<u32> = occurrences.iter().filter(|o| dom.contains(id, o.node)).map(|o| o.term).collect();
                let mean = distinct.iter().map(|&t| weights[t as usize]).sum::<f64>() / distinct.len() as f64;
                match got.cii(id) {
                    Some(cii) => prop_assert!((cii - mean).abs() < 1e-8),
                    None => prop_assert!(distinct.is_empty()),
                }
                prop_assert_eq!(usize::try_from(got.count[id]), Ok(distinct.len()));
            }
        }
    }
}
