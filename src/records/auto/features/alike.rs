//! How alike records are, and whether what was left out is like them.

use super::page::Page;
use super::paths::Paths;
use super::{SAMPLE, moments, ratio};
use crate::dom::NodeId;
use crate::records::auto::candidates::Candidate;
use crate::records::auto::parts::Common;
use crate::records::auto::view::View;
use rustc_hash::{FxHashMap, FxHashSet};

/// How alike the sampled records are, by the paths below their roots.
pub(super) struct Alike {
    /// By tags with class names: the share of records that hold a random path of a random record.
    pub(super) looks: f64,
    /// By tags: how like each record is to the profile of all.
    pub(super) tags: Vec<f64>,
    profile: Profile,
    pub(super) distinct_looks: f64,
}

/// How often each path is in a record.
pub(super) struct Profile {
    /// In how many of the records each path is, by its number.
    counts: Vec<u32>,
    n: f64,
    /// Paths of a record, on average.
    sum: f64,
}

impl Profile {
    pub(super) fn of(paths: &Paths, sets: &[&[u32]]) -> Self {
        let all: usize = sets.iter().map(|set| set.len()).sum();
        let n = sets.len().max(1) as f64;
        Self { counts: paths.counts(sets), n, sum: all as f64 / n }
    }

    /// What a record and a mean record have in common, of what either holds.
    pub(super) fn similarity(&self, set: &[u32]) -> f64 {
        // A path that was met later is in none of the records.
        let common: u64 = set.iter().filter_map(|&path| self.counts.get(path as usize)).map(|&n| u64::from(n)).sum();
        let common = common as f64 / self.n;
        ratio(common, set.len() as f64 + self.sum - common)
    }
}

pub(super) fn alike(view: &View<'_>, paths: &mut Paths, records: &[&[NodeId]]) -> Alike {
    let mut all = |looks: bool| -> Vec<_> { records.iter().map(|record| paths.of(view, record, looks)).collect() };
    let (by_tags, by_looks) = (all(false), all(true));
    let by_tags: Vec<&[u32]> = by_tags.into_iter().map(|set| paths.get(set)).collect();
    let by_looks: Vec<&[u32]> = by_looks.into_iter().map(|set| paths.get(set)).collect();
    let profile = Profile::of(paths, &by_tags);
    let roots: FxHashSet<u64> = records.iter().filter_map(|record| record.first()).map(|&id| view.look[id]).collect();
    Alike {
        looks: agreement(paths, &by_looks),
        tags: by_tags.iter().map(|set| profile.similarity(set)).collect(),
        profile,
        distinct_looks: ratio(roots.len() as f64, records.len() as f64),
    }
}

/// The share of sets that hold a random member of a random set.
fn agreement(paths: &Paths, sets: &[&[u32]]) -> f64 {
    let counts = paths.counts(sets);
    let squares: u64 = sets.iter().copied().flatten().map(|&path| u64::from(counts[path as usize])).sum();
    ratio(squares as f64, (sets.iter().map(|set| set.len()).sum::<usize>() * sets.len()) as f64)
}

/// The candidate without what stands among its records and is none: adverts and headings, which have another look than most
/// records and less than half in common with them. `None` where there is no such thing.
pub(in crate::records::auto) fn trimmed(page: &mut Page<'_, '_>, candidate: &Candidate) -> Option<Candidate> {
    let (view, paths) = (page.view, &mut page.paths);
    if candidate.nodes.len() != candidate.len() {
        return None;
    }
    let mut looks: FxHashMap<u64, u32> = FxHashMap::default();
    for &id in &candidate.nodes {
        *looks.entry(view.look[id]).or_default() += 1;
    }
    let (most, common) = looks.iter().map(|(&look, &count)| (count, look)).max()?;
    if looks.len() < 2 || 2 * (most as usize) <= candidate.len() {
        return None;
    }
    let step = candidate.len().div_ceil(SAMPLE).max(1);
    let sets: Vec<_> = candidate.records().step_by(step).map(|record| paths.of(view, record, false)).collect();
    let sets: Vec<&[u32]> = sets.into_iter().map(|set| paths.get(set)).collect();
    let profile = Profile::of(paths, &sets);
    let (_, typical, _) = moments(&mut sets.iter().map(|set| profile.similarity(set)).collect::<Vec<f64>>());
    let ordinary: Vec<NodeId> = candidate.nodes.iter().copied().filter(|&id| view.look[id] == common).collect();
    let shared = Common::of(view, &ordinary);
    // A record in better dress, as the first often is, holds what the others hold.
    let is_record = |&id: &NodeId| {
        view.look[id] == common
            || {
                let set = paths.of(view, &[id], false);
                profile.similarity(paths.get(set)) >= typical / 2.0
            }
            || shared.is_in(view, id)
    };
    let nodes: Vec<NodeId> = candidate.nodes.iter().copied().filter(is_record).collect();
    (nodes.len() < candidate.len()).then(|| Candidate::of_nodes(candidate.origin, nodes))
}

/// How like the records others are that were left out: their number by the number of records, weighed by likeness, and the
/// greatest likeness.
pub(super) fn likeness(
    page: &mut Page<'_, '_>,
    alike: &Alike,
    typical: f64,
    others: &[NodeId],
    count: usize,
) -> (f64, f64) {
    let step = others.len().div_ceil(SAMPLE / 2).max(1);
    let mut sum = 0.0;
    let mut best = 0.0_f64;
    for &other in others.iter().step_by(step) {
        let set = page.paths.of(page.view, &[other], false);
        let similarity = alike.profile.similarity(page.paths.get(set)) / typical.max(1e-9);
        sum += similarity.min(1.0) * step as f64;
        best = best.max(similarity);
    }
    (sum / count as f64, best)
}
