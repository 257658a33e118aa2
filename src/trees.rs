//! Boosted trees and linear models as flat tables: what the shipped models of `article` and `records` are made of. No
//! training, no runtime; each model says which trainer wrote its tables.

use rustc_hash::FxHashSet;
use std::ops::AddAssign;

/// Rows, or places of a row, that are worked on together.
pub(crate) const LANES: usize = 8;
/// Leaves of a tree at most: a bit for each.
const LEAVES: usize = 32;

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

    /// Whether every walk over a row of this width ends in a leaf: children stand behind their parents, and each below one.
    pub(crate) fn is_sound(&self, width: usize) -> bool {
        let mut met: FxHashSet<i16> = FxHashSet::default();
        let mut ok = |at: usize, child: i16| {
            let stands = match usize::try_from(child) {
                Ok(inner) => inner > at && inner < self.splits.len(),
                Err(_) => usize::from(child.unsigned_abs()) <= self.leaves.len(),
            };
            stands && met.insert(child)
        };
        let mut splits = self.splits.iter().enumerate();
        (1..=LEAVES).contains(&self.leaves.len())
            && splits.all(|(at, s)| {
                s.children.iter().all(|&child| ok(at, child)) && usize::from(s.feature) < width && !s.threshold.is_nan()
            })
    }

    /// The value of the leaf that a row falls into.
    pub(crate) fn value(&self, row: &[f32]) -> f32 {
        let mut at = 0_i16;
        while let Some(split) = usize::try_from(at).ok().and_then(|at| self.splits.get(at)) {
            at = split.next(row[usize::from(split.feature)]);
        }
        self.leaf(at)
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

    /// Its leaves from left to right, and for each split which of them are on its left, a bit each.
    fn in_order(&self, leaves: &mut Vec<f32>, left: &mut [u32]) {
        if self.splits.is_empty() {
            leaves.push(self.leaf(-1));
            return;
        }
        // Splits that are waited for, with the number of leaves that stood before their left side, once that is known.
        let mut waiting: Vec<(usize, Option<usize>)> = vec![(0, None)];
        let below = |set: usize| u32::try_from((1_u64 << set.min(LEAVES)) - 1).unwrap_or(u32::MAX);
        while let Some((at, before)) = waiting.pop() {
            let [to_left, to_right] = self.splits[at].children;
            let child = match before {
                None => {
                    waiting.push((at, Some(leaves.len())));
                    to_left
                }
                Some(before) => {
                    left[at] = below(leaves.len()) & !below(before);
                    to_right
                }
            };
            match usize::try_from(child) {
                Ok(inner) => waiting.push((inner, None)),
                Err(_) => leaves.push(self.leaf(child)),
            }
        }
    }

    /// What the tree says of a row that it does not look at.
    #[cfg(test)]
    pub(crate) fn root_value(&self) -> f32 {
        self.splits.first().map_or(self.leaves[0], |split| split.value)
    }
}

/// Trees in the form in which many of them are asked at once, after `QuickScorer` (Lucchese et al., SIGIR 2015): no row walks.
/// Splits stand in the order of what they ask, the feature and then the threshold, so that those a row passes come first; each one
/// passed takes the leaves on its left from the row, and of a tree's leaves the first that is left is the row's.
///
/// It says to the bit what [`Tree::value`] says.
#[derive(Clone, Debug, Default)]
pub(crate) struct Forest {
    trees: Vec<Tree>,
    /// Features that are asked for, each with the place behind its last test.
    asked: Vec<(u16, usize)>,
    tests: Vec<Test>,
    /// The leaves of each tree from left to right.
    leaves: Vec<[f32; LEAVES]>,
}

/// A split as it is asked.
#[derive(Clone, Copy, Debug)]
struct Test {
    threshold: f32,
    tree: u32,
    /// The leaves on its left, which a row whose value is above the threshold does not fall into.
    left: u32,
}

impl Forest {
    /// Takes trees that are [sound](Tree::is_sound).
    pub(crate) fn new(trees: Vec<Tree>) -> Self {
        let mut forest = Self { leaves: vec![[0.0; LEAVES]; trees.len()], ..Self::default() };
        let mut tests: Vec<(u16, Test)> = Vec::new();
        for ((number, tree), leaves) in (0..).zip(&trees).zip(&mut forest.leaves) {
            let mut order = Vec::with_capacity(tree.leaves.len());
            let mut left = vec![0_u32; tree.splits.len()];
            tree.in_order(&mut order, &mut left);
            for (leaf, value) in leaves.iter_mut().zip(order) {
                *leaf = value;
            }
            let test =
                |(split, left): (&Split, u32)| (split.feature, Test { threshold: split.threshold, tree: number, left });
            tests.extend(tree.splits.iter().zip(left).map(test));
        }
        tests.sort_by(|(one, a), (other, b)| one.cmp(other).then(a.threshold.total_cmp(&b.threshold)));
        for (at, (feature, _)) in tests.iter().enumerate() {
            match forest.asked.last_mut().filter(|(last, _)| last == feature) {
                Some((_, end)) => *end = at + 1,
                None => forest.asked.push((*feature, at + 1)),
            }
        }
        forest.tests = tests.into_iter().map(|(_, test)| test).collect();
        forest.trees = trees;
        forest
    }

    /// The trees it is made of.
    pub(crate) fn trees(&self) -> &[Tree] {
        &self.trees
    }

    /// Adds what the trees say of rows of this width, tree after tree. Time O(rows · (splits passed + trees)).
    pub(crate) fn add<S: AddAssign + From<f32>>(&self, rows: &[f32], width: usize, sums: &mut [S]) {
        if self.trees.is_empty() {
            return;
        }
        let mut open = vec![[0_u32; LANES]; self.trees.len()];
        for (rows, sums) in rows.chunks(LANES * width).zip(sums.chunks_mut(LANES)) {
            open.fill([u32::MAX; LANES]);
            self.close(rows, width, &mut open);
            for (leaves, open) in self.leaves.iter().zip(&open) {
                for (sum, open) in sums.iter_mut().zip(open) {
                    // The rightmost leaf is on no split's left, so a bit is set.
                    *sum += S::from(leaves[open.trailing_zeros() as usize % LEAVES]);
                }
            }
        }
    }

    /// Takes from each row the leaves that it does not fall into.
    fn close(&self, rows: &[f32], width: usize, open: &mut [[u32; LANES]]) {
        let mut from = 0;
        for &(feature, end) in &self.asked {
            let mut values = [f32::NEG_INFINITY; LANES];
            for (value, row) in values.iter_mut().zip(rows.chunks_exact(width)) {
                *value = row[usize::from(feature)];
            }
            let most = values.iter().copied().fold(f32::NEG_INFINITY, f32::max);
            let passed = self.tests[from..end].iter().take_while(|test| most > test.threshold);
            for Test { threshold, tree, left } in passed {
                let open = &mut open[*tree as usize];
                // Without a branch, so that all lanes are worked on at once.
                *open = std::array::from_fn(|lane| {
                    let is_passed = u32::from(values[lane] > *threshold).wrapping_neg();
                    open[lane] & !(is_passed & left)
                });
            }
            from = end;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const WIDTH: usize = 5;

    /// A tree that grows by splitting a leaf at a time, its leaves numbered as they come; what is split and asked is drawn.
    fn grown(steps: &[(usize, u16, f32)]) -> Tree {
        let mut tree = Tree { splits: Vec::new(), leaves: vec![0.0] };
        // Where each leaf hangs: below which split, and on which side.
        let mut hangs: Vec<Option<(usize, usize)>> = vec![None];
        for &(pick, feature, threshold) in steps {
            let leaf = pick % hangs.len();
            let split = tree.splits.len();
            if let Some((parent, side)) = hangs[leaf] {
                tree.splits[parent].children[side] = i16::try_from(split).expect("small");
            }
            let number = |leaf: usize| -1 - i16::try_from(leaf).expect("small");
            tree.splits.push(Split { feature, children: [number(leaf), number(hangs.len())], threshold, value: 0.0 });
            hangs[leaf] = Some((split, 0));
            hangs.push(Some((split, 1)));
        }
        tree.leaves = (0_u8..).take(hangs.len()).map(|at| f32::from(at) * 0.37 + 0.1).collect();
        tree
    }

    /// Few values, so that many are equal to a threshold; and what is no number.
    fn number() -> impl Strategy<Value = f32> {
        prop_oneof![8 => (-3_i8..4).prop_map(f32::from), 1 => Just(f32::NAN), 1 => Just(f32::INFINITY), 1 => Just(-0.0)]
    }

    proptest! {
        #[test]
        fn a_forest_says_what_its_trees_say(
            trees in prop::collection::vec(
                prop::collection::vec((0_usize..40, 0..5_u16, (-3_i8..4).prop_map(f32::from)), 0..LEAVES), 0..6),
            rows in prop::collection::vec(prop::collection::vec(number(), WIDTH), 0..30),
        ) {
            let trees: Vec<Tree> = trees.iter().map(|steps| grown(steps)).collect();
            prop_assert!(trees.iter().all(|tree| tree.is_sound(WIDTH)));
            let mut sums = vec![0.5_f32; rows.len()];
            Forest::new(trees.clone()).add(&rows.concat(), WIDTH, &mut sums);
            for (row, sum) in rows.iter().zip(sums) {
                let mut slow = 0.5_f32;
                for tree in &trees {
                    slow += tree.value(row);
                }
                prop_assert_eq!(sum.to_bits(), slow.to_bits(), "{:?}", row);
            }
        }
    }

    #[test]
    fn what_is_no_tree_is_not_sound() {
        let tree = |children: &[[i16; 2]], leaves: usize| {
            let split = |&children: &[i16; 2]| Split { feature: 0, children, threshold: 0.0, value: 0.0 };
            Tree { splits: children.iter().map(split).collect(), leaves: vec![0.0; leaves] }
        };
        assert!(tree(&[[1, -1], [-2, -3]], 3).is_sound(1));
        assert!(tree(&[], 1).is_sound(0));
        for (children, leaves, fault) in [
            (&[[1, 1], [-1, -2]][..], 2, "a split below two sides"),
            (&[[-1, -1]], 1, "a leaf on two sides"),
            (&[[0, -1]], 1, "a circle"),
            (&[[-1, -2]], LEAVES + 1, "more leaves than bits"),
            (&[], 0, "no leaf"),
        ] {
            assert!(!tree(children, leaves).is_sound(1), "{fault}");
        }
        assert!(!tree(&[[-1, -2]], 2).is_sound(0), "a feature that no row has");
    }
}
