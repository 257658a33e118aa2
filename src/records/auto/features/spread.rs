//! How the records of a list in several places hang together: those under the parent that holds most of them, and the others.
//!
//! Sponsored results above the results, or the articles of another day, are like the rest and stand in the same column; what is
//! popular stands in a column of its own, however much it looks like a result.

use super::alike::Profile;
use super::page::Page;
use super::{SAMPLE, ratio};
use crate::dom::NodeId;
use crate::records::auto::candidates::Candidate;
use crate::records::auto::view::View;
use crate::records::auto::zones::around;
use rustc_hash::FxHashMap;

/// In the order of their names: the share of records under the parent with most of them; the levels from `root` down to it;
/// its share of the text of `root`; how like its records the others are by tags, in the mean and the least, and by looks; how
/// long they are by its records, as a logarithm; the share of them in kinds of places where its records do not stand; the shares
/// of them that have a class name in common with its first record, and whose parents have one in common with it. A list under
/// one parent, or with records of several nodes, has nothing to compare.
///
/// Time linear in the records, and in the nodes of a sample of them.
pub(super) fn spread(page: &mut Page<'_, '_>, root: NodeId, candidate: &Candidate) -> [f64; 10] {
    let view = page.view;
    let mut counts: FxHashMap<Option<NodeId>, (usize, NodeId)> = FxHashMap::default();
    for &id in &candidate.nodes {
        counts.entry(view.dom.parent(id)).or_insert((0, id)).0 += 1;
    }
    // Of equals, the one with the first record.
    let main = counts.iter().max_by_key(|&(_, &(count, first))| (count, std::cmp::Reverse(first)));
    let Some((&Some(main), &(count, first))) = main else { return ALONE };
    let levels = f64::from(view.depth[main].saturating_sub(view.depth[root]));
    let held = ratio(view.mass[main].text, view.mass[root].text);
    if count == candidate.nodes.len() || candidate.len() != candidate.nodes.len() {
        return [1.0, levels, held, 1.0, 1.0, 1.0, 0.0, 0.0, 1.0, 1.0];
    }
    let (inside, others): (Vec<NodeId>, Vec<NodeId>) =
        candidate.nodes.iter().partition(|&&id| view.dom.parent(id) == Some(main));
    let mean = |nodes: &[NodeId]| {
        ratio(nodes.iter().map(|&id| f64::from(view.mass[id].text)).sum::<f64>(), nodes.len() as f64).ln_1p()
    };
    let length = mean(&others) - mean(&inside);
    let (inside, others) = (sample(&inside), sample(&others));
    let [by_tags, by_looks] = [false, true].map(|looks| likeness(page, &inside, &others, looks));
    let own = around(view, &page.zones, first)[2];
    let strange = others.iter().filter(|&&id| around(view, &page.zones, id)[2] & !own != 0).count();
    [
        ratio(count as f64, candidate.len() as f64),
        levels,
        held,
        ratio(by_tags.iter().sum::<f64>(), by_tags.len() as f64),
        by_tags.iter().copied().fold(1.0, f64::min),
        ratio(by_looks.iter().sum::<f64>(), by_looks.len() as f64),
        length,
        ratio(strange as f64, others.len() as f64),
        ratio(others.iter().filter(|&&id| have_name(view, id, first)).count() as f64, others.len() as f64),
        ratio(
            others.iter().filter(|&&id| view.dom.parent(id).is_some_and(|up| have_name(view, up, main))).count() as f64,
            others.len() as f64,
        ),
    ]
}

/// What is said of a list with no records.
const ALONE: [f64; 10] = [1.0, 0.0, 1.0, 1.0, 1.0, 1.0, 0.0, 0.0, 1.0, 1.0];

/// Whether two nodes have a class name in common.
fn have_name(view: &View<'_>, one: NodeId, other: NodeId) -> bool {
    let names = view.tokens(other);
    view.tokens(one).iter().any(|name| names.contains(name))
}

/// How like the first nodes each of the others is, at most 1; their own mean likeness is 1.
fn likeness(page: &mut Page<'_, '_>, inside: &[NodeId], others: &[NodeId], looks: bool) -> Vec<f64> {
    let (view, paths) = (page.view, &mut page.paths);
    let sets: Vec<_> = inside.iter().map(|&id| paths.of(view, &[id], looks)).collect();
    let sets: Vec<&[u32]> = sets.into_iter().map(|set| paths.get(set)).collect();
    let profile = Profile::of(paths, &sets);
    let own = ratio(sets.iter().map(|set| profile.similarity(set)).sum::<f64>(), sets.len() as f64).max(1e-9);
    let one = |&id: &NodeId| {
        let set = paths.of(view, &[id], looks);
        (profile.similarity(paths.get(set)) / own).min(1.0)
    };
    others.iter().map(one).collect()
}

/// At most so many nodes, spread evenly.
fn sample(nodes: &[NodeId]) -> Vec<NodeId> {
    nodes.iter().copied().step_by(nodes.len().div_ceil(SAMPLE / 2).max(1)).collect()
}
