//! The list that a person would mean, of any shape: candidates from several cheap generators, one ranking.
mod candidates;
mod features;
mod model;
mod parts;
mod relations;
mod table_rows;
mod view;
mod zones;

#[cfg(test)]
mod tests;

use super::{Record, Region, Table};
use crate::dom::{Dom, NodeId};
use candidates::{Candidate, candidates};
use features::{Page, features, names, root_of, trimmed};
use model::RANKING;
use parts::{is_glued, parts_alike};
use relations::{Alone, relations};
use rustc_hash::FxHashSet;
use view::View;

/// Regions that are told of a page.
const REGIONS: usize = 8;
/// Share of the smaller one's records that two regions may have in common; beyond, the better one stands for both.
const COMMON: f64 = 0.5;

/// The best regions of a page, best first, without their tables.
pub(super) fn auto(dom: &Dom) -> Vec<Region> {
    let view = View::new(dom);
    let all = kept(&view);
    let mut page = Page::new(&view);
    let rows = rows(&mut page, &all);
    let mut ranked: Vec<(f64, &Candidate)> = RANKING.scores(&rows).into_iter().zip(&all).collect();
    // Of equals the one made first.
    ranked.sort_by(|a, b| b.0.total_cmp(&a.0));
    let mut told: Vec<(f64, &Candidate, FxHashSet<NodeId>)> = Vec::new();
    for (score, candidate) in ranked {
        if told.len() == REGIONS {
            break;
        }
        let nodes: FxHashSet<NodeId> = candidate.nodes.iter().copied().collect();
        let again = told.iter().any(|(.., before)| {
            let (few, many) = if before.len() < nodes.len() { (before, &nodes) } else { (&nodes, before) };
            candidate.nodes.iter().filter(|id| few.contains(id) && many.contains(id)).count() as f64
                > COMMON * few.len() as f64
        });
        if !again {
            told.push((score, candidate, nodes));
        }
    }
    let region = |(score, candidate, _): (f64, &Candidate, FxHashSet<NodeId>)| {
        let trimmed = trimmed(&mut page, candidate);
        let candidate = trimmed.as_ref().unwrap_or(candidate);
        let records: Vec<Record> = candidate.records().map(|nodes| Record { nodes: nodes.to_vec() }).collect();
        let score = 1.0 / (1.0 + (-score).exp());
        Region { root: root_of(&view, candidate), score, records, table: Table::default() }
    };
    told.into_iter().map(region).collect()
}

/// Candidates that are looked at closely.
const MOST: usize = 160;

/// The candidates with most to show, in the order they were made.
fn kept(view: &View<'_>) -> Vec<Candidate> {
    let mut all = candidates(view, MOST);
    all.retain(|candidate| !is_glued(view, candidate));
    all
}

/// Where a candidate's row says what others are compared by, as `TOLD` names it.
const AT: [usize; 9] = [25, 21, 77, 80, 84, 85, 86, 8, 39];
/// How alike its records are, the median, and the least by it; the share of them under one parent; of those under another, how
/// like these they are, and the shares in other kinds of places, with a name of theirs, in lists with a name of theirs; its
/// share of its root; what stands between its records.
#[cfg(test)]
const TOLD: [&str; 9] = [
    "alike.median",
    "alike.least",
    "main.records",
    "others.alike",
    "others.zones",
    "others.named",
    "others.lists",
    "share.root",
    "gap.text",
];

/// The rows of all candidates: what each is, and what it is beside the others.
fn rows(page: &mut Page<'_, '_>, all: &[Candidate]) -> Vec<Vec<f32>> {
    let mut rows: Vec<Vec<f32>> = all.iter().map(|candidate| features(page, candidate)).collect();
    let view = page.view;
    #[allow(clippy::cast_possible_truncation, reason = "the model was trained on this precision")]
    let parts = |candidate: &Candidate| parts_alike(view, candidate) as f32;
    let alone = |(row, candidate): (&Vec<f32>, &Candidate)| {
        let [median, least, main, others @ .., root, gap] = AT.map(|at| row[at]);
        Alone { median, least, parts: parts(candidate), main, others, root, gap }
    };
    let alone: Vec<Alone> = rows.iter().zip(all).map(alone).collect();
    for (row, more) in rows.iter_mut().zip(relations(view, all, &alone)) {
        row.extend(more);
    }
    rows
}

/// Names of the features, in the order of a row.
fn all_names() -> Vec<String> {
    names().into_iter().chain(relations::NAMES.map(str::to_owned)).collect()
}

/// What `scripts/train-records` learns from: the candidates of a page and their features.
#[doc(hidden)]
#[derive(Debug)]
pub struct CandidateFeatures {
    /// Names of the features.
    pub names: Vec<String>,
    /// A row a candidate.
    pub rows: Vec<Vec<f32>>,
    /// The records of each candidate.
    pub records: Vec<Vec<Record>>,
    /// How each was made.
    pub origins: Vec<String>,
}

/// The candidates of a page with their features, as `auto` sees them.
#[doc(hidden)]
pub fn candidate_features(dom: &Dom) -> CandidateFeatures {
    let view = View::new(dom);
    let all = kept(&view);
    let mut page = Page::new(&view);
    let rows = rows(&mut page, &all);
    CandidateFeatures {
        names: all_names(),
        rows,
        records: all.iter().map(|c| c.records().map(|nodes| Record { nodes: nodes.to_vec() }).collect()).collect(),
        origins: all.iter().map(|c| format!("{:?}", c.origin)).collect(),
    }
}
