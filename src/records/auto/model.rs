//! The ranking of candidates: boosted trees and a linear part, as flat tables. Trained by `scripts/train-records`, read from
//! `models/records.txt`.

use std::sync::LazyLock;

/// One inner node of a tree. A row goes left where its value is at most the threshold.
#[derive(Clone, Copy, Debug)]
struct Split {
    feature: usize,
    threshold: f32,
    /// Where to go: an inner node of the same tree behind this one; below 0, leaf `-1 - child`.
    children: [i32; 2],
}

#[derive(Clone, Debug, Default)]
struct Tree {
    splits: Vec<Split>,
    leaves: Vec<f32>,
}

/// A feature in the linear part: standardised, cut at four standard deviations, weighed.
#[derive(Clone, Copy, Debug)]
struct Linear {
    feature: usize,
    mean: f32,
    scale: f32,
    weight: f32,
}

/// The tables.
#[derive(Clone, Debug, Default)]
pub(super) struct Model {
    /// Names of the features in the order of a row.
    pub(super) features: Vec<String>,
    trees: Vec<Tree>,
    linear: Vec<Linear>,
}

/// The shipped ranking, read when first needed.
pub(super) static RANKING: LazyLock<Model> =
    LazyLock::new(|| Model::parse(include_str!("../../../models/records.txt")).unwrap_or_default());

impl Model {
    /// Reads the tables. Lines: `feature NAME`; `tree SPLITS`, followed by its `FEATURE THRESHOLD LEFT RIGHT` lines and one
    /// line of leaves; `linear FEATURE MEAN SCALE WEIGHT`. `#` begins a comment. `None` for a damaged table.
    fn parse(text: &str) -> Option<Self> {
        let mut model = Self::default();
        let mut lines = text.lines().filter(|line| !line.starts_with('#') && !line.is_empty());
        while let Some(line) = lines.next() {
            let mut words = line.split(' ');
            match words.next()? {
                "feature" => model.features.push(words.next()?.to_owned()),
                "tree" => model.trees.push(Tree::parse(words.next()?.parse().ok()?, &mut lines)?),
                "linear" => {
                    let feature = words.next()?.parse().ok()?;
                    let mut number = || words.next()?.parse().ok();
                    model.linear.push(Linear { feature, mean: number()?, scale: number()?, weight: number()? });
                }
                _ => return None,
            }
        }
        let width = model.features.len();
        let sound =
            model.trees.iter().all(|tree| tree.is_sound(width)) && model.linear.iter().all(|l| l.feature < width);
        sound.then_some(model)
    }

    /// How much a candidate with these features deserves to be first.
    pub(super) fn score(&self, row: &[f32]) -> f64 {
        if row.len() != self.features.len() {
            return 0.0;
        }
        let linear = self
            .linear
            .iter()
            .map(|l| f64::from(l.weight) * f64::from(((row[l.feature] - l.mean) * l.scale).clamp(-4.0, 4.0)));
        self.trees.iter().map(|tree| f64::from(tree.value(row))).chain(linear).sum()
    }
}

impl Tree {
    fn parse<'a>(splits: usize, lines: &mut impl Iterator<Item = &'a str>) -> Option<Self> {
        let mut tree = Self::default();
        for _ in 0..splits {
            let mut words = lines.next()?.split(' ');
            let feature = words.next()?.parse().ok()?;
            let threshold = words.next()?.parse().ok()?;
            let children = [words.next()?.parse().ok()?, words.next()?.parse().ok()?];
            tree.splits.push(Split { feature, threshold, children });
        }
        tree.leaves = lines.next()?.split(' ').map(|leaf| leaf.parse().ok()).collect::<Option<_>>()?;
        Some(tree)
    }

    /// Whether every walk over a row of this width ends in a leaf.
    fn is_sound(&self, width: usize) -> bool {
        let ok = |at: usize, child: i32| match usize::try_from(child) {
            Ok(inner) => inner > at && inner < self.splits.len(),
            Err(_) => leaf(child) < self.leaves.len(),
        };
        let mut splits = self.splits.iter().enumerate();
        !self.leaves.is_empty()
            && splits.all(|(at, s)| s.children.iter().all(|&child| ok(at, child)) && s.feature < width)
    }

    fn value(&self, row: &[f32]) -> f32 {
        let mut at = if self.splits.is_empty() { -1 } else { 0 };
        while let Some(split) = usize::try_from(at).ok().and_then(|at| self.splits.get(at)) {
            at = split.children[usize::from(row[split.feature] > split.threshold)];
        }
        self.leaves[leaf(at)]
    }
}

/// The place of a leaf by its number below 0.
fn leaf(child: i32) -> usize {
    child.unsigned_abs().saturating_sub(1) as usize
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_shipped_ranking_fits_the_features() {
        assert_eq!(RANKING.features, super::super::features::names());
        assert!(!RANKING.trees.is_empty() && !RANKING.linear.is_empty());
    }

    #[test]
    fn trees_and_weights_add_up() {
        let model =
            Model::parse("feature a\nfeature b\ntree 1\n1 2.5 -1 -2\n0.5 0.25\nlinear 0 1 2 3\n").expect("sound");
        for (row, wanted) in [([1.0, 2.0], 0.5), ([1.5, 2.0], 3.5), ([1.0, 3.0], 0.25), ([99.0, 3.0], 12.25)] {
            assert!((model.score(&row) - wanted).abs() < 1e-6, "{row:?}");
        }
        assert!(model.score(&[1.0]).abs() < 1e-9, "a row of another width tells nothing");
    }

    #[test]
    fn damaged_tables_are_refused() {
        for broken in [
            "tree 1\n0 1.5 -1 -3\n1 2\n",
            "tree 1\n0 1.5 0 -1\n1 2\n",
            "tree 1\n9 1 -1 -2\n1 2\n",
            "linear 1 0 1 1\n",
            "x 1",
        ] {
            assert!(Model::parse(&format!("feature a\n{broken}")).is_none(), "{broken}");
        }
    }
}
