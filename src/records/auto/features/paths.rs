//! [`Paths`]: what stands in a record, as paths from its root down.

use super::NODES;
use crate::dom::{Dom, NodeId, NodeMap};
use crate::records::auto::view::{View, mix};
use rustc_hash::FxHashMap;
use std::ops::Range;

/// Path sets of records. Candidates share many nodes, so the set of a node is made once.
#[derive(Debug)]
pub(super) struct Paths {
    /// The number of each path that was met, by its hash. Few paths are on a page, so what counts them is a row of numbers.
    numbers: FxHashMap<u64, u32>,
    /// All sets, one behind the other.
    sets: Vec<u32>,
    /// The sets of records of one node, by tags and by looks.
    known: [NodeMap<Option<(u32, u32)>>; 2],
    found: Vec<u32>,
    above: Vec<(NodeId, u64)>,
}

impl Paths {
    pub(super) fn new(dom: &Dom) -> Self {
        let known = || NodeMap::filled(dom, None);
        Self {
            numbers: FxHashMap::default(),
            sets: Vec::new(),
            known: [known(), known()],
            found: Vec::new(),
            above: Vec::new(),
        }
    }

    /// The paths of a record's shown elements and texts, each once, sorted: by tags, or by looks. See [`get`](Self::get).
    pub(super) fn of(&mut self, view: &View<'_>, record: &[NodeId], looks: bool) -> Range<usize> {
        let single = if let [id] = *record { Some(id) } else { None };
        if let Some((from, to)) = single.and_then(|id| self.known[usize::from(looks)][id]) {
            return from as usize..to as usize;
        }
        self.find(view, record, looks);
        let from = self.sets.len();
        self.sets.extend_from_slice(&self.found);
        let set = from..self.sets.len();
        if let (Some(id), Ok(from), Ok(to)) = (single, u32::try_from(set.start), u32::try_from(set.end)) {
            self.known[usize::from(looks)][id] = Some((from, to));
        }
        set
    }

    /// A set that was made.
    pub(super) fn get(&self, set: Range<usize>) -> &[u32] {
        &self.sets[set]
    }

    /// In how many of the sets each path is, by its number.
    pub(super) fn counts(&self, sets: &[&[u32]]) -> Vec<u32> {
        let mut counts = vec![0; self.numbers.len()];
        for &path in sets.iter().copied().flatten() {
            counts[path as usize] += 1;
        }
        counts
    }

    fn find(&mut self, view: &View<'_>, record: &[NodeId], looks: bool) {
        let dom = view.dom;
        let Self { numbers, found, above, .. } = self;
        found.clear();
        for &root in record {
            above.clear();
            for id in dom.subtree(root).take(NODES) {
                while above.last().is_some_and(|&(end, _)| id >= end) {
                    above.pop();
                }
                if !view.mass[id].shows() && view.mass[id].controls == 0 {
                    continue;
                }
                let own = if looks { view.look[id] } else { dom.tag(id).number() as u64 };
                // A record's own look does not count: odd and even rows are alike.
                let own = if id == root && record.len() == 1 { 1 } else { own };
                let hash = mix(above.last().map_or(5, |&(_, hash)| hash), own);
                // A page has fewer than 2^32 nodes, and no more paths.
                let next = u32::try_from(numbers.len()).unwrap_or(u32::MAX);
                found.push(*numbers.entry(hash).or_insert(next));
                above.push((dom.end(id), hash));
            }
        }
        found.sort_unstable();
        found.dedup();
    }
}
