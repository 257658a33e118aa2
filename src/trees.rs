//! Boosted trees and linear models as flat tables: what the shipped models of `article` and `records` are made of. No
//! training, no runtime; each model says which trainer wrote its tables.

use std::ops::AddAssign;

/// Rows that walk down a tree together.
pub(crate) const LANES: usize = 8;

/// One inner node of a tree. A row goes left where its value is at most the threshold.
#[derive(Clone, Copy, Debug)]
struct Split {
    feature: u16,
    /// Where to go, left and right: an inner node of the same tree; below 0, leaf `-1 - child`.
    children: [i16; 2],
    threshold: f32,
    /// What the tree would say of a row that stopped here; 0 in tables that do not say.
    value: f32,
}

/// One tree: splits from its root on, and the values of its leaves.
#[derive(Clone, Debug, Default)]
pub(crate) struct Tree {
    splits: Vec<Split>,
    leaves: Vec<f32>,
}

/// A feature in a linear model: standardised and weighed.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Linear {
    /// Its place in a row.
    pub(crate) feature: u16,
    pub(crate) mean: f32,
    pub(crate) scale: f32,
    /// Its weight.
    pub(crate) weight: f32,
}

/// The lines of a table that say something: `#` begins a comment.
pub(crate) fn rows_of(text: &str) -> impl Iterator<Item = &str> {
    text.lines().filter(|line| !line.starts_with('#') && !line.is_empty())
}

impl Linear {
    /// Reads `FEATURE MEAN SCALE WEIGHT`.
    pub(crate) fn parse<'a>(mut words: impl Iterator<Item = &'a str>) -> Option<Self> {
        let feature = words.next()?.parse().ok()?;
        let mut number = || words.next()?.parse().ok();
        Some(Self { feature, mean: number()?, scale: number()?, weight: number()? })
    }

    /// The feature of a row, standardised and cut at some standard deviations.
    pub(crate) fn standard(&self, row: &[f32], limit: f32) -> f32 {
        ((row[usize::from(self.feature)] - self.mean) * self.scale).clamp(-limit, limit)
    }
}

impl Split {
    fn next(&self, value: f32) -> i16 {
        self.children[usize::from(value > self.threshold)]
    }
}

impl Tree {
    /// Reads the lines of a tree's splits, `FEATURE THRESHOLD LEFT RIGHT [VALUE]`, and the line of its leaves.
    pub(crate) fn parse<'a>(splits: usize, lines: &mut impl Iterator<Item = &'a str>) -> Option<Self> {
        let mut tree = Self::default();
        for _ in 0..splits {
            let mut words = lines.next()?.split(' ');
            let feature = words.next()?.parse().ok()?;
            let threshold = words.next()?.parse().ok()?;
            let children = [words.next()?.parse().ok()?, words.next()?.parse().ok()?];
            let value = words.next().map_or(Some(0.0), |value| value.parse().ok())?;
            tree.splits.push(Split { feature, children, threshold, value });
        }
        tree.leaves = lines.next()?.split(' ').map(|leaf| leaf.parse().ok()).collect::<Option<_>>()?;
        Some(tree)
    }

    /// Whether every walk over a row of this width ends in a leaf: children stand behind their parents.
    pub(crate) fn is_sound(&self, width: usize) -> bool {
        let ok = |at: usize, child: i16| match usize::try_from(child) {
            Ok(inner) => inner > at && inner < self.splits.len(),
            Err(_) => usize::from(child.unsigned_abs()) <= self.leaves.len(),
        };
        let mut splits = self.splits.iter().enumerate();
        !self.leaves.is_empty()
            && splits.all(|(at, s)| s.children.iter().all(|&child| ok(at, child)) && usize::from(s.feature) < width)
    }

    /// The value of the leaf that a row falls into.
    pub(crate) fn value(&self, row: &[f32]) -> f32 {
        let mut at = 0_i16;
        while let Some(split) = usize::try_from(at).ok().and_then(|at| self.splits.get(at)) {
            at = split.next(row[usize::from(split.feature)]);
        }
        self.leaf(at)
    }

    /// As [`value`](Self::value), for some rows of this width.
    pub(crate) fn values(&self, rows: &[f32], width: usize) -> [f32; LANES] {
        let mut at = [0_i16; LANES];
        if self.splits.is_empty() {
            return [self.leaf(-1); LANES];
        }
        while at.iter().any(|&at| at >= 0) {
            for (lane, at) in at.iter_mut().enumerate() {
                // A row that is done waits for the others.
                let split = &self.splits[usize::from((*at).max(0).unsigned_abs())];
                let next = split.next(rows[lane * width + usize::from(split.feature)]);
                *at = if *at < 0 { *at } else { next };
            }
        }
        at.map(|at| self.leaf(at))
    }

    /// The value of a leaf by its number below 0; of the only leaf of a tree without splits.
    fn leaf(&self, at: i16) -> f32 {
        self.leaves[usize::from(at.min(-1).unsigned_abs()) - 1]
    }

    /// Adds to each feature's sum what the splits on it change.
    pub(crate) fn explain(&self, row: &[f32], sums: &mut [f32]) {
        let mut at = 0_usize;
        while let Some(split) = self.splits.get(at) {
            let child = split.next(row[usize::from(split.feature)]);
            let (next, value) = match usize::try_from(child) {
                Ok(inner) => (inner, self.splits[inner].value),
                Err(_) => (usize::MAX, self.leaves[usize::from(child.unsigned_abs()) - 1]),
            };
            sums[usize::from(split.feature)] += value - split.value;
            at = next;
        }
    }

    /// What the tree says of a row that it does not look at.
    #[cfg(test)]
    pub(crate) fn root_value(&self) -> f32 {
        self.splits.first().map_or(self.leaves[0], |split| split.value)
    }
}

/// Rows that the fastest cache holds together.
const NEAR: usize = 3 * LANES;

/// Adds what trees say of rows. Tree by tree, so that a tree stays in the cache while the rows pass it, and some rows at a time:
/// a walk waits for memory at each step, and several can wait at once.
pub(crate) fn add<S: AddAssign + From<f32>>(trees: &[Tree], rows: &[f32], width: usize, sums: &mut [S]) {
    if trees.is_empty() {
        return;
    }
    for (rows, sums) in rows.chunks(NEAR * width).zip(sums.chunks_mut(NEAR)) {
        let groups = rows.chunks_exact(LANES * width);
        // The rows that fill no group walk together with rows of zeros.
        let last: Vec<f32> = match groups.remainder() {
            [] => Vec::new(),
            rest => rest.iter().copied().chain(std::iter::repeat(0.0)).take(LANES * width).collect(),
        };
        for tree in trees {
            let groups = rows.chunks_exact(LANES * width).chain(last.chunks_exact(LANES * width));
            for (group, place) in groups.zip(sums.chunks_mut(LANES)) {
                for (sum, value) in place.iter_mut().zip(tree.values(group, width)) {
                    *sum += S::from(value);
                }
            }
        }
    }
}
