//! The classifier: gradient-boosted trees averaged with a logistic regression, as flat tables. Trained by
//! `scripts/train-blocks`, read from `models/blocks.txt`.

use std::sync::LazyLock;

/// One inner node of a tree. A row goes left where its value is at most the threshold.
#[derive(Clone, Copy, Debug)]
struct Split {
    feature: u16,
    /// An inner node of the same tree; below 0, leaf `-1 - child`.
    left: i16,
    right: i16,
    threshold: f32,
    /// What the tree would say of a row that stopped here.
    value: f32,
}

/// One tree: splits from its root on, and the values of its leaves.
#[derive(Clone, Debug, Default)]
struct Tree {
    splits: Vec<Split>,
    leaves: Vec<f32>,
}

/// A feature in the regression: standardised, cut at five standard deviations, weighed.
#[derive(Clone, Copy, Debug)]
struct Linear {
    mean: f32,
    scale: f32,
    weight: f32,
}

/// The tables of a classifier.
#[derive(Clone, Debug, Default)]
pub(super) struct Model {
    /// Names of the features in the order of a row.
    pub(super) features: Vec<String>,
    trees: Vec<Tree>,
    linear: Vec<Linear>,
    intercept: f32,
}

/// Share of the trees in the mean of the two probabilities; the regression has the rest.
const TREES: f32 = 0.5;

/// The shipped classifier, read when first needed.
pub(super) static BLOCKS: LazyLock<Model> =
    LazyLock::new(|| Model::parse(include_str!("../../../models/blocks.txt")).unwrap_or_default());

impl Model {
    /// Reads the tables. Lines: `feature NAME MEAN SCALE WEIGHT`, `intercept X`, then for each tree `tree SPLITS`, its
    /// `FEATURE THRESHOLD LEFT RIGHT VALUE` lines and one line of leaves. `#` begins a comment. `None` for a damaged table.
    pub(super) fn parse(text: &str) -> Option<Self> {
        let mut model = Self::default();
        let mut lines = text.lines().filter(|line| !line.starts_with('#') && !line.is_empty());
        while let Some(line) = lines.next() {
            let mut words = line.split(' ');
            match words.next()? {
                "feature" => {
                    model.features.push(words.next()?.to_owned());
                    let mut number = || words.next()?.parse().ok();
                    model.linear.push(Linear { mean: number()?, scale: number()?, weight: number()? });
                }
                "intercept" => model.intercept = words.next()?.parse().ok()?,
                "tree" => {
                    let splits: usize = words.next()?.parse().ok()?;
                    let mut tree = Tree::default();
                    for _ in 0..splits {
                        let mut words = lines.next()?.split(' ');
                        let feature: u16 = words.next()?.parse().ok()?;
                        let threshold = words.next()?.parse().ok()?;
                        let (left, right) = (words.next()?.parse().ok()?, words.next()?.parse().ok()?);
                        let value = words.next()?.parse().ok()?;
                        if usize::from(feature) >= model.features.len() {
                            return None;
                        }
                        tree.splits.push(Split { feature, left, right, threshold, value });
                    }
                    tree.leaves = lines.next()?.split(' ').map(|leaf| leaf.parse().ok()).collect::<Option<_>>()?;
                    model.trees.push(tree);
                }
                _ => return None,
            }
        }
        model.trees.iter().all(Tree::is_sound).then_some(model)
    }

    /// The probability that each block is content. `rows` holds a value a feature, row after row.
    pub(super) fn predict(&self, rows: &[f32]) -> Vec<f32> {
        let width = self.features.len();
        if width == 0 {
            return Vec::new();
        }
        // Tree by tree, so that a tree stays in the cache while all rows pass it.
        let mut sums = vec![0.0_f32; rows.len() / width];
        for tree in &self.trees {
            for (row, sum) in rows.chunks_exact(width).zip(&mut sums) {
                *sum += tree.value(row);
            }
        }
        for (row, sum) in rows.chunks_exact(width).zip(&mut sums) {
            *sum = TREES * logistic(*sum) + (1.0 - TREES) * logistic(self.linear(row));
        }
        sums
    }

    fn linear(&self, row: &[f32]) -> f32 {
        let terms = row.iter().zip(&self.linear).map(|(value, l)| l.weight * standard(*value, *l));
        self.intercept + terms.sum::<f32>()
    }

    /// What each feature adds to the log-odds of a row, largest first: in the trees the change that each split on it
    /// makes, in the regression its term.
    pub(super) fn reasons(&self, row: &[f32]) -> Vec<(&str, f32)> {
        let mut sums = vec![0.0_f32; self.features.len()];
        for tree in &self.trees {
            tree.explain(row, &mut sums, TREES);
        }
        for ((sum, value), l) in sums.iter_mut().zip(row).zip(&self.linear) {
            *sum += (1.0 - TREES) * l.weight * standard(*value, *l);
        }
        let mut reasons: Vec<(&str, f32)> = self.features.iter().map(String::as_str).zip(sums).collect();
        reasons.sort_by(|a, b| b.1.abs().total_cmp(&a.1.abs()));
        reasons
    }
}

fn standard(value: f32, l: Linear) -> f32 {
    ((value - l.mean) * l.scale).clamp(-5.0, 5.0)
}

fn logistic(x: f32) -> f32 {
    1.0 / (1.0 + (-x).exp())
}

impl Tree {
    /// Whether every walk ends in a leaf: children stand behind their parents.
    fn is_sound(&self) -> bool {
        let ok = |at: usize, child: i16| match usize::try_from(child) {
            Ok(inner) => inner > at && inner < self.splits.len(),
            Err(_) => usize::from(child.unsigned_abs()) <= self.leaves.len(),
        };
        !self.leaves.is_empty()
            && self.splits.iter().enumerate().all(|(at, split)| ok(at, split.left) && ok(at, split.right))
    }

    fn value(&self, row: &[f32]) -> f32 {
        let mut at = 0_usize;
        while let Some(split) = self.splits.get(at) {
            let child = if row[usize::from(split.feature)] <= split.threshold { split.left } else { split.right };
            match usize::try_from(child) {
                Ok(inner) => at = inner,
                Err(_) => return self.leaves[usize::from(child.unsigned_abs()) - 1],
            }
        }
        self.leaves[0]
    }

    fn explain(&self, row: &[f32], sums: &mut [f32], share: f32) {
        let mut at = 0_usize;
        while let Some(split) = self.splits.get(at) {
            let child = if row[usize::from(split.feature)] <= split.threshold { split.left } else { split.right };
            let (next, value) = match usize::try_from(child) {
                Ok(inner) => (inner, self.splits[inner].value),
                Err(_) => (usize::MAX, self.leaves[usize::from(child.unsigned_abs()) - 1]),
            };
            sums[usize::from(split.feature)] += share * (value - split.value);
            at = next;
        }
    }
}
