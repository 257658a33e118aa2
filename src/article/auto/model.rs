//! The classifier: gradient-boosted trees averaged with a logistic regression, as flat tables. Trained by
//! `scripts/train-blocks`, read from `models/blocks.txt`.

use crate::trees::{Forest, LANES, Linear, Tree, rows_of};
use std::sync::LazyLock;

/// Kinds of page, in the order of the tables.
pub(super) const KINDS: usize = 7;
pub(super) const ARTICLE: usize = 0;
pub(super) const FORUM: usize = 1;

/// The tables of a classifier.
#[derive(Clone, Debug, Default)]
pub(super) struct Model {
    /// Names of the features in the order of a row.
    pub(super) features: Vec<String>,
    /// Names of the kinds of page.
    pub(super) kinds: Vec<String>,
    /// Trees that tell the kind, each of one kind.
    kind_trees: Vec<(usize, Tree)>,
    /// Trees that every block walks down.
    first: Forest,
    /// Trees for the blocks that the first ones do not rule out.
    trees: Forest,
    /// Log-odds by the first trees below which a block is ruled out.
    least: f32,
    linear: Vec<Linear>,
    dense: Dense,
    intercept: f32,
}

/// The regression by place in a row, so that several places are weighed at once.
#[derive(Clone, Debug, Default)]
struct Dense {
    mean: Vec<f32>,
    scale: Vec<f32>,
    weight: Vec<f32>,
}

impl Dense {
    fn new(linear: &[Linear], width: usize) -> Self {
        let mut dense = Self { mean: vec![0.0; width], scale: vec![0.0; width], weight: vec![0.0; width] };
        for l in linear {
            let at = usize::from(l.feature);
            (dense.mean[at], dense.scale[at], dense.weight[at]) = (l.mean, l.scale, l.weight);
        }
        dense
    }

    /// The sum of the weighed features of a row, each standardised and cut.
    fn sum(&self, row: &[f32]) -> f32 {
        let mut sums = [0.0_f32; LANES];
        let tables = self.mean.chunks(LANES).zip(self.scale.chunks(LANES)).zip(self.weight.chunks(LANES));
        for (values, ((means, scales), weights)) in row.chunks(LANES).zip(tables) {
            let places = means.iter().zip(scales).zip(weights);
            for ((sum, value), ((mean, scale), weight)) in sums.iter_mut().zip(values).zip(places) {
                *sum += weight * ((value - mean) * scale).clamp(-LIMIT, LIMIT);
            }
        }
        sums.iter().sum()
    }
}

/// Share of the trees in the mean of the two probabilities; the regression has the rest.
const TREES: f32 = 0.7;

/// Standard deviations at which a feature is cut in the regression.
const LIMIT: f32 = 5.0;

/// The shipped classifier, read when first needed.
pub(super) static BLOCKS: LazyLock<Model> =
    LazyLock::new(|| Model::parse(include_str!("../../../models/blocks.txt")).unwrap_or_default());

/// A number that changes with the shipped tables.
pub fn tables_stamp() -> u64 {
    static STAMP: LazyLock<u64> =
        LazyLock::new(|| xxhash_rust::xxh3::xxh3_64(include_bytes!("../../../models/blocks.txt")));
    *STAMP
}

impl Model {
    /// Reads the tables. Lines: `feature NAME`, `type NAME`, `type_tree KIND SPLITS` and `tree SPLITS`, each followed by its
    /// `FEATURE THRESHOLD LEFT RIGHT VALUE` lines and one line of leaves, `linear FEATURE MEAN SCALE WEIGHT`,
    /// `intercept X`, and behind the first trees `least X`. `#` begins a comment. `None` for a damaged table. Features from the
    /// number of names on are the kinds.
    pub(super) fn parse(text: &str) -> Option<Self> {
        let mut model = Self::default();
        let (mut first, mut trees) = (Vec::new(), Vec::new());
        let mut lines = rows_of(text);
        while let Some(line) = lines.next() {
            let mut words = line.split(' ');
            match words.next()? {
                "feature" => model.features.push(words.next()?.to_owned()),
                "type" => model.kinds.push(words.next()?.to_owned()),
                "type_tree" => {
                    let kind = words.next()?.parse().ok().filter(|kind| *kind < KINDS)?;
                    let tree = Tree::parse(words.next()?.parse().ok()?, &mut lines)?;
                    model.kind_trees.push((kind, tree));
                }
                "tree" => trees.push(Tree::parse(words.next()?.parse().ok()?, &mut lines)?),
                "least" => {
                    model.least = words.next()?.parse().ok()?;
                    first.append(&mut trees);
                }
                "linear" => model.linear.push(Linear::parse(words)?),
                "intercept" => model.intercept = words.next()?.parse().ok()?,
                _ => return None,
            }
        }
        let width = model.features.len();
        let sound = model.kinds.len() == KINDS
            && first.iter().chain(&trees).all(|tree| tree.is_sound(width + KINDS))
            && model.kind_trees.iter().all(|(_, tree)| tree.is_sound(2 * width))
            && model.linear.iter().all(|l| usize::from(l.feature) < width + KINDS);
        if !sound {
            return None;
        }
        let dense = Dense::new(&model.linear, width + KINDS);
        Some(Self { first: Forest::new(first), trees: Forest::new(trees), dense, ..model })
    }

    /// The probability of each kind of page, from the means of its rows: weighed by words, then plain. `words` is the
    /// feature that holds the logarithm of the words.
    pub(super) fn page_kinds(&self, rows: &[f32], words: usize) -> [f32; KINDS] {
        let width = self.features.len();
        // Rows have room for the kinds behind their features.
        let stride = width + KINDS;
        let mut means = vec![0.0_f64; 2 * width];
        let (mut all, mut count) = (0.0_f64, 0.0_f64);
        for row in rows.chunks_exact(stride) {
            let weight = f64::from(row[words]).exp_m1() + 0.01;
            all += weight;
            count += 1.0;
            let (weighed, plain) = means.split_at_mut(width);
            for ((value, weighed), plain) in row.iter().zip(weighed).zip(plain) {
                let value = f64::from(*value);
                *weighed += weight * value;
                *plain += value;
            }
        }
        #[allow(clippy::cast_possible_truncation, reason = "the trees were trained on this precision")]
        let means: Vec<f32> = means
            .iter()
            .enumerate()
            .map(|(at, sum)| (sum / if at < width { all } else { count }.max(f64::MIN_POSITIVE)) as f32)
            .collect();
        let mut sums = [0.0_f32; KINDS];
        for (kind, tree) in &self.kind_trees {
            sums[*kind] += tree.value(&means);
        }
        let top = sums.iter().copied().fold(f32::MIN, f32::max);
        let all: f32 = sums.iter().map(|sum| (sum - top).exp()).sum();
        sums.map(|sum| (sum - top).exp() / all)
    }

    /// The probability that each block is content. `rows` holds the features and then the kinds of the page, row after row.
    ///
    /// A block that the first trees rule out walks down no others: more than every other block, on pages judged by models that
    /// have not seen their site without loss (t-S4F within .0004 on every set).
    pub(super) fn predict(&self, rows: &[f32]) -> Vec<f32> {
        let width = self.features.len() + KINDS;
        let mut sums = vec![0.0_f32; rows.len() / width];
        self.first.add(rows, width, &mut sums);
        let open: Vec<usize> = (0..sums.len()).filter(|&at| self.is_open(sums[at])).collect();
        let mut left: Vec<f32> = Vec::with_capacity(open.len() * width);
        for at in &open {
            left.extend_from_slice(&rows[at * width..(at + 1) * width]);
        }
        let mut more: Vec<f32> = open.iter().map(|&at| sums[at]).collect();
        self.trees.add(&left, width, &mut more);
        for (at, sum) in open.into_iter().zip(more) {
            sums[at] = sum;
        }
        for (row, sum) in rows.chunks_exact(width).zip(&mut sums) {
            let linear = self.dense.sum(row);
            *sum = TREES * logistic(*sum) + (1.0 - TREES) * logistic(self.intercept + linear);
        }
        sums
    }

    /// Whether the first trees, which say this, leave it to the others.
    fn is_open(&self, first: f32) -> bool {
        self.first.trees().is_empty() || first >= self.least
    }

    /// The trees that a block walks down.
    fn walked(&self, row: &[f32]) -> impl Iterator<Item = &Tree> {
        let first: f32 = self.first.trees().iter().map(|tree| tree.value(row)).sum();
        let others = if self.is_open(first) { self.trees.trees() } else { &[] };
        self.first.trees().iter().chain(others)
    }

    /// What each feature adds to the log-odds of a row, largest first: in the trees the change that each split on it
    /// makes, in the regression its term.
    pub(super) fn reasons(&self, row: &[f32]) -> Vec<(&str, f32)> {
        let width = self.features.len();
        if row.len() != width + KINDS {
            return Vec::new();
        }
        let mut sums = vec![0.0_f32; row.len()];
        for tree in self.walked(row) {
            tree.explain(row, &mut sums);
        }
        for sum in &mut sums {
            *sum *= TREES;
        }
        for l in &self.linear {
            sums[usize::from(l.feature)] += (1.0 - TREES) * l.weight * l.standard(row, LIMIT);
        }
        let names = self.features.iter().chain(&self.kinds).map(String::as_str);
        let mut reasons: Vec<(&str, f32)> = names.zip(sums).collect();
        reasons.sort_by(|a, b| b.1.abs().total_cmp(&a.1.abs()));
        reasons
    }
}

fn logistic(x: f32) -> f32 {
    1.0 / (1.0 + (-x).exp())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What the trainer's own libraries said of rows that no page has.
    #[derive(serde::Deserialize)]
    struct Check {
        rows: Vec<Vec<f32>>,
        types: Vec<f32>,
        chances: Vec<f32>,
    }

    #[test]
    fn tables_say_what_the_trainer_said() {
        let kinds = [(ARTICLE, "article"), (FORUM, "forum")];
        assert!(kinds.iter().all(|(place, name)| BLOCKS.kinds[*place] == *name), "{:?}", BLOCKS.kinds);
        let check: Check = serde_json::from_str(include_str!("../../../tests/data/blocks-check.json")).expect("JSON");
        let words = BLOCKS.features.iter().position(|name| name == "words").expect("the feature");
        let bare: Vec<f32> = check.rows.iter().flat_map(|row| row.iter().copied().chain([0.0; KINDS])).collect();
        let kinds = BLOCKS.page_kinds(&bare, words);
        for (got, want) in kinds.iter().zip(&check.types) {
            assert!((got - want).abs() < 2e-5, "{kinds:?} {:?}", check.types);
        }
        let rows: Vec<f32> = check.rows.iter().flat_map(|row| row.iter().copied().chain(kinds)).collect();
        let chances = BLOCKS.predict(&rows);
        assert_eq!(chances.len(), 24);
        for (got, want) in chances.iter().zip(&check.chances) {
            assert!((got - want).abs() < 2e-5, "{got} {want}");
        }
        let spread = chances.iter().copied().fold(0.0, f32::max) - chances.iter().copied().fold(1.0, f32::min);
        assert!(spread > 0.2, "the rows are unlike: {chances:?}");
    }

    #[test]
    fn reasons_add_up() {
        let check: Check = serde_json::from_str(include_str!("../../../tests/data/blocks-check.json")).expect("JSON");
        let mut row = check.rows[0].clone();
        row.extend([0.0; KINDS]);
        let trees: f32 = BLOCKS.walked(&row).map(|tree| tree.value(&row)).sum();
        let roots: f32 = BLOCKS.walked(&row).map(Tree::root_value).sum();
        let linear: f32 = BLOCKS.linear.iter().map(|l| l.weight * l.standard(&row, LIMIT)).sum();
        let sum: f32 = BLOCKS.reasons(&row).iter().map(|(_, part)| part).sum();
        let want = TREES * (trees - roots) + (1.0 - TREES) * linear;
        assert!((sum - want).abs() < 1e-2, "{sum} {want}");
    }

    #[test]
    fn damaged_tables_are_refused() {
        let head = "feature a\n".to_owned() + &"type x\n".repeat(KINDS);
        let tree = |line: &str| Model::parse(&format!("{head}tree 1\n{line}\n0.5 0.25\n")).is_some();
        assert!(tree("0 1.5 -1 -2 0"));
        for broken in ["0 1.5 -1 -3 0", "0 1.5 0 -1 0", "9 1.5 -1 -2 0", "0 1.5 -1", "0 x -1 -2 0"] {
            assert!(!tree(broken), "{broken}");
        }
        assert!(Model::parse("nonsense 1").is_none());
    }
}
