//! `CombComp` (MDR, Figs. 4 and 6): which runs of neighbouring siblings have similar tag strings.

use super::super::edit_distance::EditDistance;
use super::super::tag_tree::TagTree;
use super::Params;
use crate::dom::Tag;
use rustc_hash::FxHashMap;
use std::ops::Range;

/// Strings of tags of one page. Each different pair is compared once: equal strings get one number, and what was found for a
/// pair of numbers is kept.
#[derive(Debug)]
pub(super) struct Comparer<'a> {
    tags: &'a [Tag],
    threshold: f64,
    numbers: FxHashMap<&'a [Tag], u32>,
    known: FxHashMap<(u32, u32), bool>,
    distance: EditDistance,
}

impl<'a> Comparer<'a> {
    pub(super) fn new(tree: &'a TagTree, threshold: f64) -> Self {
        let (numbers, known) = (FxHashMap::default(), FxHashMap::default());
        Self { tags: &tree.tags, threshold, numbers, known, distance: EditDistance::default() }
    }

    /// Whether two tag strings of the page are similar: their normalised edit distance is at most the threshold.
    pub(super) fn similar(&mut self, a: Range<usize>, b: Range<usize>) -> bool {
        let (a, b) = (&self.tags[a], &self.tags[b]);
        self.strings_similar(a, b)
    }

    /// The same of strings that are put together from several parts of the page.
    pub(super) fn joined_similar(&mut self, a: &[Range<usize>], b: &[Range<usize>]) -> bool {
        if let ([a], [b]) = (a, b) {
            return self.similar(a.clone(), b.clone());
        }
        let tags = self.tags;
        let join =
            |parts: &[Range<usize>]| parts.iter().flat_map(|part| &tags[part.clone()]).copied().collect::<Vec<_>>();
        self.distance.is_within(&join(a), &join(b), self.threshold)
    }

    fn strings_similar(&mut self, a: &'a [Tag], b: &'a [Tag]) -> bool {
        // Unequal lengths settle most pairs, and without them a deep page's strings would be read at each of its levels.
        let mean = (a.len() + b.len()) as f64 / 2.0;
        if a.len().abs_diff(b.len()) as f64 / mean.max(1.0) > self.threshold {
            return false;
        }
        if a == b {
            return true;
        }
        let (a_number, b_number) = (self.number(a), self.number(b));
        let key = (a_number.min(b_number), a_number.max(b_number));
        if let Some(&similar) = self.known.get(&key) {
            return similar;
        }
        let similar = self.distance.is_within(a, b, self.threshold);
        self.known.insert(key, similar);
        similar
    }

    #[allow(clippy::cast_possible_truncation, reason = "at most K numbers a node of the page")]
    fn number(&mut self, string: &'a [Tag]) -> u32 {
        let next = self.numbers.len() as u32;
        *self.numbers.entry(string).or_insert(next)
    }
}

/// The comparisons of `CombComp` among `n` siblings in the paper's order: from each start (to the `k`th), of each length of
/// combination that was not compared from an earlier start, neighbour with neighbour.
pub(super) fn comparisons(n: usize, k: usize) -> impl Iterator<Item = (Range<usize>, Range<usize>)> {
    (0..k).flat_map(move |start| {
        (start + 1..=k).flat_map(move |length| {
            (start + length..)
                .step_by(length)
                .take_while(move |at| at + length <= n)
                .map(move |at| (at - length..at, at..at + length))
        })
    })
}

/// Marks that no combination of a row is similar to the next.
const NONE: u32 = u32::MAX;

/// What stands at a child in the row of a length of combination.
#[derive(Clone, Copy, Debug)]
struct Steps {
    /// How often in a row the combination is similar to the next.
    similar: u32,
    /// How many of these are equal.
    equal: u32,
    /// The next child in steps of the length where a combination is similar to the next; [`NONE`] where none is.
    next: u32,
}

/// A child whose combination is not similar to the next, nor any behind it.
const NOTHING: Steps = Steps { similar: 0, equal: 0, next: NONE };

/// A sequence of combinations each similar to the next.
#[derive(Clone, Copy, Debug)]
pub(super) struct Run {
    /// The first child.
    pub(super) first: usize,
    /// How often a combination is similar to the next.
    pub(super) similar: usize,
    /// How many of these are equal.
    pub(super) equal: usize,
}

/// What `CombComp` found among the children of one node: per length of combination and first child, how the combination
/// that begins there and those behind it compare.
#[derive(Debug)]
pub(super) struct Distances {
    n: usize,
    /// By `(length − 1) · n + first`.
    runs: Vec<Steps>,
    /// By `(length − 1) · (n + 1) + place`: how many children before the place are part of two similar combinations.
    paired: Vec<u32>,
}

impl Distances {
    /// Compares the combinations of the children. Time O(n·k) comparisons.
    #[allow(clippy::cast_possible_truncation, reason = "a page has under 2^32 nodes")]
    pub(super) fn of(children: &[usize], params: &Params, tree: &TagTree, comparer: &mut Comparer<'_>) -> Self {
        let n = children.len();
        // Longer combinations have no neighbour.
        let k = params.k.min(n / 2);
        let mut runs = vec![NOTHING; n * k];
        let mut paired = vec![0; (n + 1) * k];
        // Before each child and at it: how many neighbours there are of one kind.
        let mut alike = vec![0; n];
        for at in 1..n {
            alike[at] = alike[at - 1] + usize::from(tree.same_class(children[at - 1], children[at]));
        }
        let alike = |run: Range<usize>| alike[run.end - 1] - alike[run.start];
        let are_leaves = params.by_class && children.iter().all(|&child| tree.depth(child) == 1);
        let span = |run: Range<usize>| tree.span(children[run.start], children[run.end - 1]);
        for (a, b) in comparisons(n, k) {
            let at = (a.len() - 1) * n + a.start;
            if are_leaves && !a.clone().zip(b.clone()).all(|(a, b)| tree.same_class(children[a], children[b])) {
                continue;
            }
            let (within, over) = (alike(a.clone()) + alike(b.clone()), alike(a.start..b.end));
            if params.by_class && within > 0 && over + 1 < 2 * a.len() {
                // Records of one class and something else are glued together.
                continue;
            }
            let (a, b) = (span(a), span(b));
            if comparer.similar(a.clone(), b.clone()) {
                runs[at] = Steps { similar: 1, equal: u32::from(tree.tags[a] == tree.tags[b]), next: 0 };
            }
        }
        for length in 1..=k {
            let row = &mut runs[(length - 1) * n..length * n];
            let sums = &mut paired[(length - 1) * (n + 1)..length * (n + 1)];
            let mut paired_to = 0;
            for first in 0..n {
                if row[first].similar > 0 {
                    paired_to = first + 2 * length;
                }
                sums[first + 1] = sums[first] + u32::from(first < paired_to);
            }
            for first in (0..n).rev() {
                let behind = row.get(first + length).copied().unwrap_or(NOTHING);
                let Steps { similar, equal, .. } = row[first];
                row[first] = if similar > 0 {
                    Steps { similar: similar + behind.similar, equal: equal + behind.equal, next: first as u32 }
                } else {
                    Steps { next: behind.next, ..NOTHING }
                };
            }
        }
        Self { n, runs, paired }
    }

    /// From child `first` on in steps of `length`: the first combinations that are similar to the next ones.
    pub(super) fn next_run(&self, length: usize, first: usize) -> Option<Run> {
        let row = self.runs.get((length - 1) * self.n..length * self.n)?;
        let first = row.get(first)?.next as usize;
        let steps = row.get(first)?;
        Some(Run { first, similar: steps.similar as usize, equal: steps.equal as usize })
    }

    /// How many of the children in a range are part of two combinations of this length that are similar.
    pub(super) fn paired(&self, length: usize, range: Range<usize>) -> usize {
        let row = &self.paired[(length - 1) * (self.n + 1)..];
        (row[range.end] - row[range.start]) as usize
    }

    /// Number of children.
    pub(super) fn children(&self) -> usize {
        self.n
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A comparison as the paper writes it, nodes counted from 1.
    fn written((a, b): (Range<usize>, Range<usize>)) -> String {
        let name = |run: Range<usize>| run.map(|at| (at + 1).to_string()).collect::<Vec<_>>().join("-");
        format!("({}, {})", name(a), name(b))
    }

    /// Fig. 4 (its picture is missing: ten nodes below p, as its sentence says) with K = 3.
    #[test]
    fn figure_4_comparisons() {
        let wanted = [
            "(1, 2), (2, 3), (3, 4), (4, 5), (5, 6), (6, 7), (7, 8), (8, 9), (9, 10)",
            "(1-2, 3-4), (3-4, 5-6), (5-6, 7-8), (7-8, 9-10)",
            "(1-2-3, 4-5-6), (4-5-6, 7-8-9)",
            "(2-3, 4-5), (4-5, 6-7), (6-7, 8-9)",
            "(2-3-4, 5-6-7), (5-6-7, 8-9-10)",
            "(3-4-5, 6-7-8)",
        ];
        let found: Vec<String> = comparisons(10, 3).map(written).collect();
        assert_eq!(found.join(", "), wanted.join(", "));
    }

    /// Section 3.2.1: n·K − K(K+1)/2 comparisons where n is a multiple of all lengths; never more.
    #[test]
    fn as_many_comparisons_as_the_paper_counts() {
        for n in 1..80_usize {
            for k in 1..=10 {
                let bound = (n * k).saturating_sub(k * (k + 1) / 2);
                assert!(n < 2 * k || comparisons(n, k).count() <= bound, "{n} {k}");
                let mut all: Vec<_> = comparisons(n, k).map(|(a, b)| (a.start, a.end, b.end)).collect();
                let count = all.len();
                all.sort_unstable();
                all.dedup();
                assert_eq!(all.len(), count, "no pair twice");
                let wanted = (1..=k).map(|length| (n + 1).saturating_sub(2 * length)).sum::<usize>();
                assert_eq!(count, wanted, "no pair left out: {n} {k}");
            }
        }
    }
}
