//! Candidate regions: groups of nodes, or of runs of siblings, that may be the records of a list.
//!
//! Cheap generators make more than is wanted, and ranking chooses. Each looks at a node a bounded number of times.

use super::table_rows::{RowKind, row_kind};
use super::view::{View, mix};
use crate::dom::{Attr, NodeId, Tag};
use rustc_hash::{FxHashMap, FxHashSet};
use std::ops::Range;

/// How a candidate was made.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Origin {
    /// Children of one parent.
    Siblings,
    /// Nodes under several parents that stand in the same place.
    Cousins,
    /// Runs of siblings, each beginning with a node of one kind.
    Starts,
    /// Runs of siblings between separators.
    Separated,
    /// Cells of several rows, one above the other.
    Grid,
    /// The branches, one each, in which nodes stand that are in the same place.
    Lifted,
    /// Children of one parent, and before them the parts of a record that has no element of its own.
    Headless,
    /// The largest nodes, one each, that hold a single one of the nodes that share a name.
    Climbed,
}

/// A candidate: `records[i]` are the nodes from `bounds[i]` to `bounds[i + 1]`.
#[derive(Clone, Debug)]
pub(super) struct Candidate {
    pub(super) origin: Origin,
    pub(super) nodes: Vec<NodeId>,
    bounds: Vec<u32>,
}

impl Candidate {
    pub(super) fn of_nodes(origin: Origin, nodes: Vec<NodeId>) -> Self {
        let bounds = (0..=place(nodes.len())).collect();
        Self { origin, nodes, bounds }
    }

    fn of_runs(origin: Origin, runs: impl IntoIterator<Item = Vec<NodeId>>) -> Self {
        let mut made = Self { origin, nodes: Vec::new(), bounds: vec![0] };
        for run in runs {
            made.nodes.extend(run);
            made.bounds.push(place(made.nodes.len()));
        }
        made
    }

    /// Number of records.
    pub(super) fn len(&self) -> usize {
        self.bounds.len() - 1
    }

    /// The nodes of each record.
    pub(super) fn records(&self) -> impl ExactSizeIterator<Item = &[NodeId]> + Clone {
        self.bounds.windows(2).map(|pair| &self.nodes[pair[0] as usize..pair[1] as usize])
    }

    fn fingerprint(&self) -> u64 {
        let nodes = self.nodes.iter().fold(7, |hash, id| mix(hash, id.index() as u64));
        if self.nodes.len() == self.len() {
            nodes
        } else {
            self.bounds.iter().fold(nodes, |hash, &at| mix(hash, u64::from(at)))
        }
    }
}

/// A place among nodes; a page has fewer than 2^32.
fn place(at: usize) -> u32 {
    u32::try_from(at).unwrap_or(u32::MAX)
}

/// Fewest records of a list.
const LEAST: usize = 2;
/// Kinds of children that are tried as the beginning of a record.
const STARTERS: usize = 12;

/// The candidates of a page with most to show, at most so many, no two alike, in the order they were made.
pub(super) fn candidates(view: &View<'_>, most: usize) -> Vec<Candidate> {
    let mut made = Made { view, most, seen: FxHashSet::default(), count: 0, all: Vec::new() };
    let mut places = Places::default();
    for parent in view.dom.ids() {
        // The foot of a table sums up its rows.
        if view.dom.is_text(parent) || !view.mass[parent].shows() || view.dom.tag(parent) == Tag::TFOOT {
            continue;
        }
        let units: Vec<NodeId> = view.units(parent).collect();
        places.add(view, &units);
        if units.len() >= LEAST {
            siblings(view, &units, &mut made);
            runs(view, &units, &mut made);
            grid(view, &units, &mut made);
        }
    }
    places.cousins(view, &mut made);
    made.prune();
    made.all.sort_by_key(|&(_, number, _)| number);
    made.all.into_iter().map(|(.., candidate)| candidate).collect()
}

/// What has been made. At most twice as many candidates are held as are wanted, since each is as large as its list.
struct Made<'v, 'd> {
    view: &'v View<'d>,
    most: usize,
    seen: FxHashSet<u64>,
    count: usize,
    /// With what each has to show, and its number.
    all: Vec<(u64, usize, Candidate)>,
}

impl Made<'_, '_> {
    fn add(&mut self, candidate: Candidate) {
        if candidate.len() >= LEAST && self.seen.insert(candidate.fingerprint()) {
            self.all.push((self.shown(&candidate), self.count, candidate));
            self.count += 1;
            if self.all.len() >= 2 * self.most {
                self.prune();
            }
        }
    }

    /// How much there is to see, an image for ten letters, of long lists more.
    fn shown(&self, candidate: &Candidate) -> u64 {
        let masses = candidate.nodes.iter().map(|&id| &self.view.mass[id]);
        let sum: u64 = masses.map(|mass| u64::from(mass.text) + 10 * u64::from(mass.images)).sum();
        sum * (candidate.len() as u64).min(8)
    }

    fn prune(&mut self) {
        self.all.sort_by_key(|&(shown, number, _)| (std::cmp::Reverse(shown), number));
        self.all.truncate(self.most);
    }
}

/// The keys by which a node may belong to others: its tag, its tag with all its class names, with each of them, with the kinds
/// of its children. Of table rows, those of head cells alone and those of totals are tags of their own.
fn keys(view: &View<'_>, id: NodeId) -> Vec<u64> {
    let tag = mix(1, tag_number(view, id));
    let tokens = view.tokens(id);
    let mut keys = vec![tag, mix(tag, shape(view, id))];
    if !tokens.is_empty() {
        keys.push(tokens.iter().fold(mix(2, tag), |hash, &token| mix(hash, token)));
        if tokens.len() > 1 {
            keys.extend(tokens.iter().map(|&token| mix(mix(3, tag), token)));
        }
    }
    keys
}

fn tag_number(view: &View<'_>, id: NodeId) -> u64 {
    let tag = view.dom.tag(id);
    match row_kind(view, id) {
        Some(RowKind::Head) => 500,
        Some(RowKind::Total) => 501,
        Some(RowKind::Plain) | None => tag.number() as u64 + 1,
    }
}

/// The tags of the children, each once in a row of the same.
fn shape(view: &View<'_>, id: NodeId) -> u64 {
    shape_of(view, view.dom.children(id))
}

fn shape_of(view: &View<'_>, children: impl Iterator<Item = NodeId>) -> u64 {
    let mut hash = 4;
    let mut last = None;
    for child in children.take(24) {
        if !view.mass[child].shows() {
            continue;
        }
        let tag = view.dom.tag(child);
        if last != Some(tag) {
            hash = mix(hash, tag.number() as u64 + 1);
            last = Some(tag);
        }
    }
    hash
}

/// Children of one parent that share a key.
fn siblings(view: &View<'_>, units: &[NodeId], made: &mut Made<'_, '_>) {
    let mut groups = Groups::default();
    for &id in units.iter().filter(|&&id| view.mass[id].shows() && !view.dom.is_text(id)) {
        for key in keys(view, id) {
            groups.add(key, id);
        }
    }
    for nodes in groups.lists {
        if nodes.len() >= LEAST {
            headless(view, units, &nodes, made);
            made.add(Candidate::of_nodes(Origin::Siblings, nodes));
        }
    }
}

/// Parts of a bare first record at most.
const BARE: usize = 32;

/// An opening tag used as a separator (`<p>` between records): the first record stands before it, bare.
fn headless(view: &View<'_>, units: &[NodeId], nodes: &[NodeId], made: &mut Made<'_, '_>) {
    let before: Vec<NodeId> = units.iter().copied().take(BARE).take_while(|&id| id < nodes[0]).collect();
    let shown = shown(view, &before);
    if !shown.is_empty() && shape_of(view, shown.iter().copied()) == shape(view, nodes[0]) {
        let runs = std::iter::once(shown).chain(nodes.iter().map(|&id| vec![id]));
        made.add(Candidate::of_runs(Origin::Headless, runs));
    }
}

/// Lists by key, in the order in which keys were first met.
#[derive(Default)]
struct Groups {
    places: FxHashMap<u64, usize>,
    lists: Vec<Vec<NodeId>>,
}

impl Groups {
    fn add(&mut self, key: u64, id: NodeId) {
        let place = *self.places.entry(key).or_insert_with(|| {
            self.lists.push(Vec::new());
            self.lists.len() - 1
        });
        self.lists[place].push(id);
    }
}

/// Nodes by the place where they stand: the tags down to them, and their own keys.
#[derive(Default)]
struct Places {
    groups: Groups,
}

impl Places {
    fn add(&mut self, view: &View<'_>, units: &[NodeId]) {
        for &id in units.iter().filter(|&&id| view.mass[id].shows() && !view.dom.is_text(id)) {
            let tokens = view.tokens(id);
            let tag = tag_number(view, id);
            let place = mix(view.path[id], tag);
            self.groups.add(mix(11, place), id);
            if tokens.is_empty() {
                // A list in several parts: what names the parts is all that is said of the items.
                for &token in view.dom.parent(id).map_or(&[][..], |parent| view.tokens(parent)) {
                    self.groups.add(mix(mix(16, tag), token), id);
                }
            }
            if !tokens.is_empty() {
                self.groups.add(mix(mix(12, view.look[id]), place), id);
                // In whatever depth: a look that is rare enough to be a name.
                self.groups.add(mix(13, view.look[id]), id);
                if tokens.len() > 1 {
                    for &token in tokens {
                        self.groups.add(mix(mix(14, place), token), id);
                        self.groups.add(mix(mix(15, tag), token), id);
                    }
                }
            }
        }
    }

    fn cousins(self, view: &View<'_>, made: &mut Made<'_, '_>) {
        for mut nodes in self.groups.lists {
            if nodes.len() < LEAST || nodes.windows(2).all(|pair| view.dom.parent(pair[0]) == view.dom.parent(pair[1]))
            {
                continue;
            }
            // They were met parent by parent, and those of other depths stand between one another.
            nodes.sort_unstable();
            // One inside another is no record beside it: the outer ones are kept.
            let mut end = view.dom.root();
            let outer: Vec<NodeId> = nodes
                .into_iter()
                .filter(|&id| {
                    let is_outer = id >= end;
                    if is_outer {
                        end = view.dom.end(id);
                    }
                    is_outer
                })
                .collect();
            if let Some(branches) = lifted(view, &outer) {
                made.add(Candidate::of_nodes(Origin::Lifted, branches));
                continue;
            }
            if let Some(holders) = climbed(view, &outer) {
                made.add(Candidate::of_nodes(Origin::Climbed, holders));
            }
            made.add(Candidate::of_nodes(Origin::Cousins, outer));
        }
    }
}

/// Levels that are climbed to find a branch.
pub(super) const CLIMB: usize = 64;

/// Where each of the nodes stands in a branch of its own below their common ancestor: these branches, which are whole records
/// where the nodes are parts of them.
fn lifted(view: &View<'_>, nodes: &[NodeId]) -> Option<Vec<NodeId>> {
    let root = common(view, nodes)?;
    let branches: Vec<NodeId> = nodes.iter().map(|&id| branch(view, root, id)).collect::<Option<_>>()?;
    branches.windows(2).all(|pair| pair[0] < pair[1]).then_some(branches)
}

/// For each of the nodes, which are in document order, the highest node that holds it and none of the others: whole records of
/// any depth where the nodes are parts of them. `None` where most of them have no such node above, and are whole by themselves.
///
/// One without neighbours, as the only event of its day, would climb to the day: it stops where it stands like most others.
fn climbed(view: &View<'_>, nodes: &[NodeId]) -> Option<Vec<NodeId>> {
    let mut moved = 0;
    let mut holders = Vec::with_capacity(nodes.len());
    for (at, &id) in nodes.iter().enumerate() {
        let before = at.checked_sub(1).map(|at| nodes[at]);
        let next = nodes.get(at + 1).copied();
        let is_alone = |&up: &NodeId| {
            before.is_none_or(|other| other < up) && next.is_none_or(|other| !view.dom.contains(up, other))
        };
        let holder = view.dom.ancestors(id).take(CLIMB).take_while(is_alone).last();
        moved += usize::from(holder.is_some());
        holders.push(holder.unwrap_or(id));
    }
    if 2 * moved <= nodes.len() {
        return None;
    }
    let mut places: FxHashMap<u64, usize> = FxHashMap::default();
    for &holder in &holders {
        *places.entry(view.path[holder]).or_default() += 1;
    }
    let most = places.iter().map(|(&place, &count)| (count, place)).max();
    let Some((_, usual)) = most.filter(|&(count, _)| 2 * count > holders.len()) else { return Some(holders) };
    for (holder, &id) in holders.iter_mut().zip(nodes).filter(|(holder, _)| view.path[**holder] != usual) {
        let top = *holder;
        let mut below = std::iter::once(id).chain(view.dom.ancestors(id)).take(CLIMB).take_while(|&up| up != top);
        if let Some(lower) = below.find(|&up| view.path[up] == usual) {
            *holder = lower;
        }
    }
    Some(holders)
}

/// The lowest node that holds all of these, which are in document order.
fn common(view: &View<'_>, nodes: &[NodeId]) -> Option<NodeId> {
    let (&first, &last) = (nodes.first()?, nodes.last()?);
    view.dom.ancestors(first).take(CLIMB).find(|&up| view.dom.contains(up, last))
}

/// The child of `root` that holds the node.
pub(super) fn branch(view: &View<'_>, root: NodeId, id: NodeId) -> Option<NodeId> {
    std::iter::once(id).chain(view.dom.ancestors(id)).take(CLIMB).find(|&up| view.dom.parent(up) == Some(root))
}

/// Runs of siblings: from each node of a kind to the next, and between nodes that show nothing.
fn runs(view: &View<'_>, units: &[NodeId], made: &mut Made<'_, '_>) {
    for by_shape in [false, true] {
        let mut kinds: Vec<(u64, usize)> = Vec::new();
        let mut places: FxHashMap<u64, usize> = FxHashMap::default();
        let kind_of: Vec<usize> = units
            .iter()
            .enumerate()
            .map(|(at, &id)| {
                let kind = unit_kind(view, units, at, id, by_shape);
                let place = *places.entry(kind).or_insert_with(|| {
                    kinds.push((kind, 0));
                    kinds.len() - 1
                });
                kinds[place].1 += 1;
                place
            })
            .collect();
        if kinds.len() < 2 {
            continue;
        }
        // Of kinds that take turns, the first begins the record.
        let mut counts: FxHashSet<usize> = FxHashSet::default();
        let mut starters: Vec<usize> = (0..kinds.len()).filter(|&kind| kinds[kind].1 >= LEAST).collect();
        starters.truncate(4 * STARTERS);
        let starters: Vec<usize> =
            starters.into_iter().filter(|&kind| counts.insert(kinds[kind].1)).take(STARTERS).collect();
        for starter in starters {
            let first = kind_of.iter().position(|&kind| kind == starter).unwrap_or(0);
            let shows = view.mass[units[first]].shows();
            let cuts: Vec<usize> = (0..units.len()).filter(|&at| kind_of[at] == starter).collect();
            if shows {
                if cuts.len() < units.len() {
                    starts(view, units, &kind_of, &cuts, made);
                }
            } else {
                separated(view, units, &kind_of, &cuts, made);
            }
        }
    }
}

/// What a child is as the part of a record. Line breaks in a row are another thing than a single one.
fn unit_kind(view: &View<'_>, units: &[NodeId], at: usize, id: NodeId, by_shape: bool) -> u64 {
    let dom = view.dom;
    let tag = tag_number(view, id);
    let is_break = |id: NodeId| dom.tag(id) == Tag::BR;
    if is_break(id) {
        let again = at > 0 && is_break(units[at - 1]) || units.get(at + 1).is_some_and(|&next| is_break(next));
        return mix(21, u64::from(again));
    }
    if !view.mass[id].shows() {
        return mix(22, tag);
    }
    if dom.is_text(id) {
        return 23;
    }
    if !by_shape {
        return mix(24, view.look[id]);
    }
    let mut hash = mix(mix(25, tag), shape(view, id));
    if dom.tag(id) == Tag::TR {
        let cells = dom.children(id).filter(|&cell| !dom.is_text(cell)).count();
        let spans = dom.children(id).any(|cell| dom.attr(cell, Attr::ROWSPAN).is_some_and(|n| n.trim() != "1"));
        hash = mix(mix(hash, cells as u64), u64::from(spans));
    }
    hash
}

/// Runs that begin with a kind. What follows the last beginning ends where a kind comes that no other run holds, or none so
/// often: a pager stands there. Headings of groups end the run before them.
fn starts(view: &View<'_>, units: &[NodeId], kind_of: &[usize], cuts: &[usize], made: &mut Made<'_, '_>) {
    let Some(&last) = cuts.last() else { return };
    let mut most: FxHashMap<usize, usize> = FxHashMap::default();
    let mut runs: Vec<Range<usize>> = Vec::with_capacity(cuts.len());
    let mut held: FxHashMap<usize, usize> = FxHashMap::default();
    for pair in cuts.windows(2) {
        held.clear();
        for &kind in &kind_of[pair[0]..pair[1]] {
            let count = held.entry(kind).or_default();
            *count += 1;
            let most = most.entry(kind).or_default();
            *most = (*most).max(*count);
        }
        runs.push(pair[0]..pair[1]);
    }
    held.clear();
    let length = kind_of[last..]
        .iter()
        .take_while(|&&kind| {
            let count = held.entry(kind).or_default();
            *count += 1;
            most.get(&kind).is_some_and(|most| *count <= *most)
        })
        .count()
        .max(1);
    runs.push(last..last + length);
    without_headings(kind_of, &mut runs);
    made.add(Candidate::of_runs(Origin::Starts, runs.into_iter().map(|run| shown(view, &units[run]))));
}

/// Ends runs before the heading of the next group. Kinds of headings stand before the first run and end some other runs, at
/// most half of them, but not the last: a part of a record would stand in no such place.
fn without_headings(kind_of: &[usize], runs: &mut [Range<usize>]) {
    let [first, .., last] = runs else { return };
    let starter = kind_of[first.start];
    let mut headings: FxHashSet<usize> = kind_of[..first.start].iter().copied().collect();
    for kind in &kind_of[last.clone()] {
        headings.remove(kind);
    }
    headings.remove(&starter);
    let tail = |run: &Range<usize>, headings: &FxHashSet<usize>| {
        kind_of[run.clone()].iter().rev().take_while(|kind| headings.contains(kind)).count()
    };
    // What stands in the middle of a run is no heading; without it, other tails are shorter. Each round loses a kind.
    loop {
        let inside = runs.iter().find_map(|run| {
            let end = run.end - tail(run, &headings);
            kind_of[run.start..end].iter().copied().find(|kind| headings.contains(kind))
        });
        let Some(kind) = inside else { break };
        headings.remove(&kind);
    }
    let ended = runs.iter().filter(|run| tail(run, &headings) > 0).count();
    if 2 * ended <= runs.len() {
        for run in runs {
            run.end -= tail(run, &headings);
        }
    }
}

/// Runs between separators, those at both ends only if they hold what the others hold.
fn separated(view: &View<'_>, units: &[NodeId], kind_of: &[usize], cuts: &[usize], made: &mut Made<'_, '_>) {
    let mut ends: Vec<usize> = vec![0];
    ends.extend(cuts.iter().flat_map(|&at| [at, at + 1]));
    ends.push(units.len());
    let runs: Vec<(usize, usize)> = ends
        .chunks(2)
        .map(|pair| (pair[0], pair[1]))
        .filter(|&(from, to)| units[from..to].iter().any(|&id| view.mass[id].shows()))
        .collect();
    let kinds = |&(from, to): &(usize, usize)| kind_of[from..to].iter().copied().collect::<FxHashSet<usize>>();
    let mut kept: Vec<(usize, usize)> = runs.clone();
    if runs.len() > 3 {
        let inner: FxHashSet<usize> = runs[1..runs.len() - 1].iter().flat_map(kinds).collect();
        let alike = |run: &(usize, usize)| {
            let kinds = kinds(run);
            let common = kinds.intersection(&inner).count();
            common == kinds.len() && 2 * common >= kinds_most(&runs[1..runs.len() - 1], kind_of)
        };
        let (first, last) = (alike(&runs[0]), alike(&runs[runs.len() - 1]));
        kept = runs
            .iter()
            .copied()
            .enumerate()
            .filter(|&(at, _)| (at > 0 || first) && (at + 1 < runs.len() || last))
            .map(|(_, run)| run)
            .collect();
    }
    made.add(Candidate::of_runs(Origin::Separated, kept.iter().map(|&(from, to)| shown(view, &units[from..to]))));
    if kept.len() != runs.len() {
        made.add(Candidate::of_runs(Origin::Separated, runs.iter().map(|&(from, to)| shown(view, &units[from..to]))));
    }
}

/// How many kinds the median run holds.
fn kinds_most(runs: &[(usize, usize)], kind_of: &[usize]) -> usize {
    let mut counts: Vec<usize> =
        runs.iter().map(|&(from, to)| kind_of[from..to].iter().collect::<FxHashSet<_>>().len()).collect();
    counts.sort_unstable();
    counts.get(counts.len() / 2).copied().unwrap_or(0)
}

fn shown(view: &View<'_>, run: &[NodeId]) -> Vec<NodeId> {
    run.iter().copied().filter(|&id| view.mass[id].shows()).collect()
}

/// Rows whose kinds take turns, of several cells each: a record is the cells one above the other (MDR's second case of
/// non-contiguous records).
fn grid(view: &View<'_>, units: &[NodeId], made: &mut Made<'_, '_>) {
    let rows: Vec<Vec<NodeId>> = units
        .iter()
        .filter(|&&id| view.mass[id].shows() && !view.dom.is_text(id))
        .map(|&row| view.units(row).filter(|&cell| !view.dom.is_text(cell)).collect())
        .collect();
    let kind = |row: &Vec<NodeId>| {
        let mut kinds = row.iter().map(|&cell| mix(mix(31, view.look[cell]), shape(view, cell)));
        let first = kinds.next()?;
        kinds.all(|kind| kind == first).then_some(first)
    };
    let Some(kinds) = rows.iter().map(kind).collect::<Option<Vec<u64>>>() else { return };
    let columns = rows.iter().map(Vec::len).max().unwrap_or(0);
    for period in 2..=3 {
        let full = rows.len() / period * period;
        let turns = full >= period.max(2)
            && full == rows.len()
            && columns > 1
            && (period..full).all(|at| kinds[at] == kinds[at - period])
            && (1..period).all(|at| kinds[at] != kinds[0])
            && rows.chunks(period).all(|rows| rows.iter().all(|row| row.len() == rows[0].len()));
        if turns {
            let records = rows.chunks(period).flat_map(|rows| {
                (0..rows[0].len()).map(|column| rows.iter().map(|row| row[column]).collect::<Vec<NodeId>>())
            });
            made.add(Candidate::of_runs(Origin::Grid, records));
            return;
        }
    }
}
