//! The ranking of candidates: boosted trees and a linear part, as flat tables. Trained by `scripts/train-records`, read from
//! `models/records.txt`.

use crate::trees::{Forest, Linear, Tree, rows_of};
use std::sync::LazyLock;

/// The tables.
#[derive(Clone, Debug, Default)]
pub(super) struct Model {
    /// Names of the features in the order of a row.
    pub(super) features: Vec<String>,
    trees: Forest,
    linear: Vec<Linear>,
}

/// Standard deviations at which a feature is cut in the linear part.
const LIMIT: f32 = 4.0;

/// The shipped ranking, read when first needed.
pub(super) static RANKING: LazyLock<Model> =
    LazyLock::new(|| Model::parse(include_str!("../../../models/records.txt")).unwrap_or_default());

impl Model {
    /// Reads the tables. Lines: `feature NAME`; `tree SPLITS`, followed by its `FEATURE THRESHOLD LEFT RIGHT` lines and one
    /// line of leaves; `linear FEATURE MEAN SCALE WEIGHT`. `#` begins a comment. `None` for a damaged table.
    fn parse(text: &str) -> Option<Self> {
        let mut model = Self::default();
        let mut trees = Vec::new();
        let mut lines = rows_of(text);
        while let Some(line) = lines.next() {
            let mut words = line.split(' ');
            match words.next()? {
                "feature" => model.features.push(words.next()?.to_owned()),
                "tree" => trees.push(Tree::parse(words.next()?.parse().ok()?, &mut lines)?),
                "linear" => model.linear.push(Linear::parse(words)?),
                _ => return None,
            }
        }
        let width = model.features.len();
        let sound = trees.iter().all(|tree| tree.is_sound(width))
            && model.linear.iter().all(|l| usize::from(l.feature) < width);
        sound.then(|| Self { trees: Forest::new(trees), ..model })
    }

    /// How much each candidate deserves to be first, by its row of features; 0 for all where rows have another width.
    pub(super) fn scores(&self, rows: &[Vec<f32>]) -> Vec<f64> {
        let width = self.features.len();
        let mut scores = vec![0.0_f64; rows.len()];
        if rows.iter().any(|row| row.len() != width) {
            return scores;
        }
        self.trees.add(&rows.concat(), width, &mut scores);
        for (row, score) in rows.iter().zip(&mut scores) {
            self.linear.iter().for_each(|l| *score += f64::from(l.weight) * f64::from(l.standard(row, LIMIT)));
        }
        scores
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::trees::LANES;

    #[test]
    fn the_shipped_ranking_fits_the_features() {
        let names = super::super::all_names();
        assert_eq!(RANKING.features, names);
        assert_eq!(super::super::AT.map(|at| names[at].as_str()), super::super::TOLD);
        assert!(!RANKING.trees.trees().is_empty() && !RANKING.linear.is_empty());
    }

    #[test]
    fn trees_and_weights_add_up() {
        let model =
            Model::parse("feature a\nfeature b\ntree 1\n1 2.5 -1 -2\n0.5 0.25\nlinear 0 1 2 3\n").expect("sound");
        for (row, wanted) in [([1.0, 2.0], 0.5), ([1.5, 2.0], 3.5), ([1.0, 3.0], 0.25), ([99.0, 3.0], 12.25)] {
            let rows = vec![row.to_vec(); LANES + 1];
            assert!(model.scores(&rows).iter().all(|score| (score - wanted).abs() < 1e-6), "{row:?}");
        }
        assert!(model.scores(&[vec![1.0]])[0].abs() < 1e-9, "a row of another width tells nothing");
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
