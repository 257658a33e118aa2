//! What tells a list from a menu: numbers that a candidate is ranked by.

use super::candidates::{CLIMB, Candidate, Origin, branch};
use super::parts::Common;
use super::view::{Mass, View, mix};
use super::zones::{ZONES, around, zones};
use crate::dom::{Attr, NodeId, NodeMap, Tag};
use rustc_hash::{FxHashMap, FxHashSet};

/// Records of a candidate whose insides are looked at, spread evenly.
const SAMPLE: usize = 32;
/// Nodes of a record that are looked at.
const NODES: usize = 200;

/// What is known of the whole page.
#[derive(Debug)]
pub(super) struct Page<'v, 'd> {
    view: &'v View<'d>,
    zones: NodeMap<u16>,
    all: Mass,
    /// Text before each node, in document order.
    before: Vec<u32>,
    /// Text of the largest group of alike siblings in each subtree.
    repeated: NodeMap<u32>,
    /// The elements of each look that show something.
    by_look: FxHashMap<u64, Vec<NodeId>>,
}

impl<'v, 'd> Page<'v, 'd> {
    pub(super) fn new(view: &'v View<'d>) -> Self {
        let dom = view.dom;
        let mut before = Vec::with_capacity(dom.len() + 1);
        let mut sum = 0_u32;
        for id in dom.ids() {
            before.push(sum);
            if dom.is_text(id) {
                sum = sum.saturating_add(view.mass[id].text);
            }
        }
        before.push(sum);
        let mut by_look: FxHashMap<u64, Vec<NodeId>> = FxHashMap::default();
        for id in dom.ids().filter(|&id| !dom.is_text(id) && !dom.is_hidden(id) && view.mass[id].shows()) {
            by_look.entry(view.look[id]).or_default().push(id);
        }
        Self { view, zones: zones(view), all: view.mass[dom.root()], before, repeated: repeated(view), by_look }
    }

    fn text_before(&self, id: NodeId) -> u32 {
        self.before[id.index().min(self.before.len() - 1)]
    }
}

/// For every node the text of the largest group of children of one look, two or more, of itself or below.
fn repeated(view: &View<'_>) -> NodeMap<u32> {
    let dom = view.dom;
    let mut best = NodeMap::filled(dom, 0_u32);
    let mut groups: FxHashMap<u64, (u32, u32)> = FxHashMap::default();
    for id in dom.ids().rev() {
        if dom.is_text(id) || !view.mass[id].shows() {
            continue;
        }
        groups.clear();
        let mut most = 0;
        for child in dom.children(id).filter(|&child| !dom.is_text(child) && view.mass[child].text > 0) {
            most = most.max(best[child]);
            let (count, text) = groups.entry(view.look[child]).or_default();
            *count += 1;
            *text = text.saturating_add(view.mass[child].text);
            if *count > 1 {
                most = most.max(*text);
            }
        }
        best[id] = most;
    }
    best
}

/// Names of the features, in the order of a row.
pub(super) fn names() -> Vec<String> {
    let mut names: Vec<String> = NAMES.iter().map(|&name| name.to_owned()).collect();
    for place in ["own", "near", "far"] {
        names.extend(ZONES.iter().map(|zone| format!("{place}.{zone}")));
    }
    names
}

const NAMES: [&str; 77] = [
    "origin",
    "records",
    "text.mean",
    "text.median",
    "text.spread",
    "text.min",
    "text.max",
    "share.page",
    "share.root",
    "links.density",
    "links.mean",
    "links.any",
    "links.same",
    "heading.any",
    "image.any",
    "digits",
    "controls",
    "pieces.mean",
    "pieces.spread",
    "alike.tags",
    "alike.looks",
    "alike.least",
    "alike.first",
    "alike.last",
    "alike.odd",
    "alike.median",
    "beside",
    "beside.best",
    "elsewhere",
    "elsewhere.best",
    "elsewhere.count",
    "inner",
    "distinct",
    "distinct.start",
    "distinct.links",
    "nodes.mean",
    "depth",
    "start",
    "end",
    "gap.text",
    "gap.any",
    "gap.links",
    "gap.tail",
    "left.same_tag",
    "left.same_look",
    "left.text",
    "parents",
    "per_parent",
    "tag.li",
    "tag.tr",
    "tag.div",
    "tag.article",
    "tag.a",
    "tag.inline",
    "tag.td",
    "tag.option",
    "runs",
    "text.unlinked",
    "sentences",
    "root.tag",
    "small",
    "root.units",
    "own.id",
    "items",
    "share.gap",
    "looks",
    "wide",
    "parent.single",
    "median.unlinked",
    "branches",
    "lost.text",
    "lost.any",
    "lost.links",
    "lost.headings",
    "spanned",
    "strange",
    "strange.least",
];

/// The lowest node that holds all records, from the first and last of their nodes.
pub(super) fn root_of(view: &View<'_>, candidate: &Candidate) -> NodeId {
    let (Some(&first), Some(&last)) = (candidate.nodes.iter().min(), candidate.nodes.iter().max()) else {
        return view.dom.root();
    };
    let end = view.dom.end(last);
    view.dom.ancestors(first).take(CLIMB).find(|&up| view.dom.end(up) >= end).unwrap_or(view.dom.root())
}

/// Mean, median and spread (standard deviation by mean) of numbers.
fn moments(values: &mut [f64]) -> (f64, f64, f64) {
    if values.is_empty() {
        return (0.0, 0.0, 0.0);
    }
    values.sort_by(f64::total_cmp);
    let n = values.len() as f64;
    let mean = values.iter().sum::<f64>() / n;
    let deviation = (values.iter().map(|v| (v - mean).powi(2)).sum::<f64>() / n).sqrt();
    (mean, values[values.len() / 2], deviation / mean.max(1e-9))
}

fn ratio(part: impl Into<f64>, of: impl Into<f64>) -> f64 {
    let of = of.into();
    if of > 0.0 { part.into() / of } else { 0.0 }
}

/// How alike the sampled records are, by the paths below their roots.
struct Alike {
    /// By tags with class names: the share of records that hold a random path of a random record.
    looks: f64,
    /// By tags: how like each record is to the profile of all.
    tags: Vec<f64>,
    profile: Profile,
    distinct_looks: f64,
}

/// How often each path is in a record.
struct Profile {
    shares: FxHashMap<u64, f64>,
    sum: f64,
}

impl Profile {
    fn of(sets: &[Vec<u64>]) -> Self {
        let mut counts: FxHashMap<u64, u32> = FxHashMap::default();
        for &path in sets.iter().flatten() {
            *counts.entry(path).or_default() += 1;
        }
        let all: usize = sets.iter().map(Vec::len).sum();
        let n = sets.len().max(1) as f64;
        // Each share is made from an integer, so that no order of a table shows.
        Self {
            shares: counts.into_iter().map(|(path, count)| (path, f64::from(count) / n)).collect(),
            sum: all as f64 / n,
        }
    }

    /// What a record and a mean record have in common, of what either holds.
    fn similarity(&self, set: &[u64]) -> f64 {
        let common: f64 = set.iter().filter_map(|path| self.shares.get(path)).sum();
        ratio(common, set.len() as f64 + self.sum - common)
    }
}

fn alike(view: &View<'_>, records: &[&[NodeId]]) -> Alike {
    let paths = |looks: bool| -> Vec<Vec<u64>> { records.iter().map(|record| paths(view, record, looks)).collect() };
    let by_tags = paths(false);
    let profile = Profile::of(&by_tags);
    let roots: FxHashSet<u64> = records.iter().filter_map(|record| record.first()).map(|&id| view.look[id]).collect();
    Alike {
        looks: agreement(&paths(true)),
        tags: by_tags.iter().map(|set| profile.similarity(set)).collect(),
        profile,
        distinct_looks: ratio(roots.len() as f64, records.len() as f64),
    }
}

/// The paths of a record's shown elements and texts, each once.
fn paths(view: &View<'_>, record: &[NodeId], looks: bool) -> Vec<u64> {
    let dom = view.dom;
    let mut found: Vec<u64> = Vec::new();
    let mut above: Vec<(NodeId, u64)> = Vec::new();
    for &root in record {
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
            found.push(hash);
            above.push((dom.end(id), hash));
        }
        above.clear();
    }
    found.sort_unstable();
    found.dedup();
    found
}

/// The share of sets that hold a random member of a random set.
fn agreement(sets: &[Vec<u64>]) -> f64 {
    let mut counts: FxHashMap<u64, u32> = FxHashMap::default();
    for &path in sets.iter().flatten() {
        *counts.entry(path).or_default() += 1;
    }
    let squares: f64 = sets.iter().flatten().map(|path| f64::from(counts[path])).sum();
    ratio(squares, (sets.iter().map(Vec::len).sum::<usize>() * sets.len()) as f64)
}

/// The candidate without what stands among its records and is none: adverts and headings, which have another look than most
/// records and less than half in common with them. `None` where there is no such thing.
pub(super) fn trimmed(view: &View<'_>, candidate: &Candidate) -> Option<Candidate> {
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
    let sets: Vec<Vec<u64>> = candidate.records().step_by(step).map(|record| paths(view, record, false)).collect();
    let profile = Profile::of(&sets);
    let (_, typical, _) = moments(&mut sets.iter().map(|set| profile.similarity(set)).collect::<Vec<f64>>());
    let ordinary: Vec<NodeId> = candidate.nodes.iter().copied().filter(|&id| view.look[id] == common).collect();
    let shared = Common::of(view, &ordinary);
    // A record in better dress, as the first often is, holds what the others hold.
    let is_record = |&id: &NodeId| {
        view.look[id] == common
            || profile.similarity(&paths(view, &[id], false)) >= typical / 2.0
            || shared.is_in(view, id)
    };
    let nodes: Vec<NodeId> = candidate.nodes.iter().copied().filter(is_record).collect();
    (nodes.len() < candidate.len()).then(|| Candidate::of_nodes(candidate.origin, nodes))
}

/// How like the records others are that were left out: their number by the number of records, weighed by likeness, and the
/// greatest likeness.
fn likeness(view: &View<'_>, alike: &Alike, typical: f64, others: &[NodeId], count: usize) -> (f64, f64) {
    let step = others.len().div_ceil(SAMPLE / 2).max(1);
    let mut sum = 0.0;
    let mut best = 0.0_f64;
    for &other in others.iter().step_by(step) {
        let similarity = alike.profile.similarity(&paths(view, &[other], false)) / typical.max(1e-9);
        sum += similarity.min(1.0) * step as f64;
        best = best.max(similarity);
    }
    (sum / count as f64, best)
}

/// What the branches below the root that hold records hold beside them: the date above a group, or the rest of an outer
/// record.
#[derive(Default)]
struct Lost {
    branches: f64,
    text: f64,
    any: f64,
    links: f64,
    headings: f64,
}

fn lost(view: &View<'_>, root: NodeId, candidate: &Candidate) -> Lost {
    let mut sum = Lost::default();
    if !matches!(candidate.origin, Origin::Cousins) || candidate.nodes.is_empty() {
        sum.branches = candidate.len() as f64;
        return sum;
    }
    let mut at = 0;
    while at < candidate.nodes.len() {
        let id = candidate.nodes[at];
        // Deeper than is climbed, each node counts as a branch of its own.
        let up = branch(view, root, id).unwrap_or(id);
        let mut held = Mass::default();
        while at < candidate.nodes.len() && view.dom.contains(up, candidate.nodes[at]) {
            held += view.mass[candidate.nodes[at]];
            at += 1;
        }
        let all = view.mass[up];
        sum.branches += 1.0;
        sum.text += f64::from(all.text - held.text);
        sum.any += f64::from(u8::from(all.text > held.text));
        sum.links += f64::from(all.links - held.links);
        sum.headings += f64::from(u8::from(all.headings > held.headings));
    }
    sum
}

/// The row of a candidate.
#[allow(clippy::too_many_lines, reason = "one line a feature")]
pub(super) fn features(page: &Page<'_, '_>, candidate: &Candidate) -> Vec<f32> {
    let view = page.view;
    let dom = view.dom;
    let count = candidate.len();
    let masses: Vec<Mass> = candidate
        .records()
        .map(|record| {
            let mut sum = Mass::default();
            for &id in record {
                sum += view.mass[id];
            }
            sum
        })
        .collect();
    let mut all = Mass::default();
    for &mass in &masses {
        all += mass;
    }
    let n = count as f64;
    let step = count.div_ceil(SAMPLE).max(1);
    let mut sample: Vec<&[NodeId]> = candidate.records().step_by(step).collect();
    if step > 1
        && let Some(last) = candidate.records().last()
    {
        sample.push(last);
    }
    let root = root_of(view, candidate);
    let first = candidate.nodes[0];
    let last = candidate.nodes[candidate.nodes.len() - 1];
    let any = |f: &dyn Fn(&Mass) -> bool| masses.iter().filter(|mass| f(mass)).count() as f64 / n;
    let (mean, median, spread) = moments(&mut masses.iter().map(|m| f64::from(m.text)).collect::<Vec<f64>>());
    let (_, unlinked, _) = moments(&mut masses.iter().map(|m| f64::from(m.text - m.link_text)).collect::<Vec<f64>>());
    let (pieces, _, pieces_spread) = moments(&mut masses.iter().map(|m| f64::from(m.pieces)).collect::<Vec<f64>>());
    let least = masses.iter().map(|m| m.text).min().unwrap_or(0);
    let most = masses.iter().map(|m| m.text).max().unwrap_or(0);
    let links_first = masses.get(count / 2).map_or(0, |m| m.links);
    let alike = alike(view, &sample);
    let (_, typical, _) = moments(&mut alike.tags.clone());

    // What stands inside records that looks like records itself.
    let inner: f64 = sample
        .iter()
        .map(|record| {
            let text: u32 = record.iter().map(|&id| view.mass[id].text).sum();
            let repeated = record.iter().map(|&id| page.repeated[id]).max().unwrap_or(0);
            ratio(repeated, text)
        })
        .sum::<f64>()
        / sample.len() as f64;

    let text_of = |record: &[NodeId]| record.first().map_or("", |&id| dom.text(id));
    let whole: FxHashSet<&str> = sample.iter().map(|record| text_of(record).trim()).collect();
    let starts: FxHashSet<String> = sample
        .iter()
        .map(|record| text_of(record).chars().filter(|c| c.is_alphanumeric()).take(12).collect())
        .collect();
    let link_of = |record: &[NodeId]| {
        record.iter().flat_map(|&id| dom.subtree(id).take(NODES)).find_map(|id| dom.attr(id, Attr::HREF))
    };
    let links: FxHashSet<&str> = sample.iter().filter_map(|record| link_of(record)).collect();
    let nodes: f64 = sample
        .iter()
        .flat_map(|record| record.iter())
        .map(|&id| (dom.end(id).index() - id.index()) as f64)
        .sum::<f64>()
        / sample.len() as f64;
    let stops: usize = sample
        .iter()
        .map(|record| {
            text_of(record)
                .chars()
                .take(2000)
                .filter(|c| matches!(c, '.' | ',' | '。' | '，' | '!' | '?' | ';'))
                .count()
        })
        .sum();

    // Between records, where these are in document order.
    let (mut gap_text, mut gaps, mut gap_tail) = (0_u32, 0_u32, 0_u32);
    let mut gap_links = 0_u32;
    if candidate.origin != Origin::Grid {
        for (one, next) in candidate.records().zip(candidate.records().skip(1)) {
            let (before, after) = (one[one.len() - 1], next[0]);
            let end = dom.end(before);
            if after > end {
                let text = page.text_before(after) - page.text_before(end);
                gap_text = gap_text.saturating_add(text);
                gaps += u32::from(text > 0);
                gap_tail = gap_tail.max(text);
                if text > 0 && dom.parent(before) == dom.parent(after) {
                    gap_links += 1;
                }
            }
        }
    }

    // What was left out beside them.
    let members: FxHashSet<NodeId> = candidate.nodes.iter().copied().collect();
    let mut parents: Vec<NodeId> = candidate.nodes.iter().filter_map(|&id| dom.parent(id)).collect();
    parents.dedup();
    let (mut same_tag, mut same_look, mut left_text, mut units) = (0_u32, 0_u32, 0_u32, 0_u32);
    let parent_step = parents.len().div_ceil(SAMPLE).max(1);
    let mut seen = 0_u32;
    let mut beside_nodes: Vec<NodeId> = Vec::new();
    for &parent in parents.iter().step_by(parent_step) {
        let mut looks: FxHashSet<u64> = FxHashSet::default();
        let mut others: Vec<NodeId> = Vec::new();
        for child in view.units(parent).filter(|&child| view.mass[child].shows()) {
            units += 1;
            if members.contains(&child) {
                looks.insert(view.look[child]);
                seen += 1;
            } else {
                others.push(child);
            }
        }
        for other in others {
            if dom.tag(other) == dom.tag(first) && !dom.is_text(other) {
                beside_nodes.push(other);
            }
            same_tag += u32::from(dom.tag(other) == dom.tag(first));
            same_look += u32::from(looks.contains(&view.look[other]));
            left_text += view.mass[other].text;
        }
    }
    let is_single = candidate.nodes.len() == count;
    let (beside, beside_best) =
        if is_single { likeness(view, &alike, typical, &beside_nodes, seen as usize) } else { (0.0, 0.0) };
    // Of the look that most records have, those elsewhere on the page.
    let mut looks: FxHashMap<u64, u32> = FxHashMap::default();
    candidate.records().for_each(|record| *looks.entry(view.look[record[0]]).or_default() += 1);
    let common = looks.iter().map(|(&look, &count)| (count, look)).max().map_or(0, |(_, look)| look);
    let elsewhere_nodes: Vec<NodeId> = page
        .by_look
        .get(&common)
        .map_or(&[][..], Vec::as_slice)
        .iter()
        .copied()
        .filter(|id| !members.contains(id))
        .take(4 * SAMPLE)
        .collect();
    // Records of other looks than the common one: rows of other colours are as like the rest as any, adverts are not.
    let strange: Vec<f64> = sample
        .iter()
        .zip(&alike.tags)
        .filter(|(record, _)| view.look[record[0]] != common)
        .map(|(_, similarity)| (similarity / typical.max(1e-9)).min(1.0))
        .collect();
    let (elsewhere, elsewhere_best) =
        if is_single { likeness(view, &alike, typical, &elsewhere_nodes, count) } else { (0.0, 0.0) };
    let lost = lost(view, root, candidate);
    let parent_count = parents.iter().collect::<FxHashSet<_>>().len().max(1) as f64;
    let tag = dom.tag(first);
    let is = |yes: bool| f64::from(u8::from(yes));
    let small = masses.iter().filter(|m| f64::from(m.text) < median * 0.2).count() as f64 / n;
    let root_tag = dom.tag(root);

    let mut row: Vec<f64> = vec![
        f64::from(candidate.origin as u8),
        n.ln(),
        mean.ln_1p(),
        median.ln_1p(),
        spread,
        ratio(least, mean),
        ratio(most, mean),
        ratio(all.text, page.all.text),
        ratio(all.text, view.mass[root].text),
        ratio(all.link_text, all.text),
        (f64::from(all.links) / n).ln_1p(),
        any(&|m| m.links > 0),
        any(&|m| m.links == links_first),
        any(&|m| m.headings > 0),
        any(&|m| m.images > 0),
        ratio(all.digits, all.text),
        (f64::from(all.controls) / n).ln_1p(),
        pieces.ln_1p(),
        pieces_spread,
        alike.tags.iter().sum::<f64>() / sample.len() as f64,
        alike.looks,
        alike.tags.iter().copied().fold(1.0, f64::min) / typical.max(1e-9),
        alike.tags[0] / typical.max(1e-9),
        alike.tags[alike.tags.len() - 1] / typical.max(1e-9),
        alike.tags.iter().filter(|&&s| s < typical / 2.0).count() as f64 / sample.len() as f64,
        typical,
        beside,
        beside_best,
        elsewhere,
        elsewhere_best,
        elsewhere_nodes.len() as f64 / n,
        inner,
        whole.len() as f64 / sample.len() as f64,
        starts.len() as f64 / sample.len() as f64,
        links.len() as f64 / sample.len() as f64,
        nodes.ln_1p(),
        f64::from(view.depth[first]),
        ratio(page.text_before(first), page.all.text),
        ratio(page.text_before(dom.end(last)), page.all.text),
        ratio(gap_text, all.text),
        f64::from(gaps) / n,
        f64::from(gap_links) / n,
        ratio(gap_tail, mean),
        ratio(same_tag, seen),
        ratio(same_look, seen),
        ratio(left_text, f64::from(seen) * mean),
        parent_count.ln(),
        n / parent_count,
        is(tag == Tag::LI),
        is(tag == Tag::TR),
        is(tag == Tag::DIV),
        is(matches!(tag, Tag::ARTICLE | Tag::SECTION)),
        is(tag == Tag::A),
        is(!tag.breaks_text()),
        is(matches!(tag, Tag::TD | Tag::TH)),
        is(matches!(tag, Tag::OPTION | Tag::OPTGROUP)),
        candidate.nodes.len() as f64 / n,
        ratio(all.text - all.link_text, page.all.text - page.all.link_text),
        ratio(stops as f64, sample.len() as f64).ln_1p(),
        is(matches!(root_tag, Tag::UL | Tag::OL | Tag::TBODY | Tag::TABLE | Tag::DL)),
        small,
        ratio(seen, units),
        is(dom.attr(first, Attr::ID).is_some()),
        ratio(pieces, nodes),
        ratio(gap_text, page.all.text),
        alike.distinct_looks,
        mean / f64::from(page.all.text.max(1)),
        is(parent_count > 1.0 && (parent_count - n).abs() < 0.5),
        unlinked.ln_1p(),
        lost.branches / n,
        ratio(lost.text, lost.text + f64::from(all.text)),
        ratio(lost.any, lost.branches),
        ratio(lost.links, lost.branches).ln_1p(),
        ratio(lost.headings, lost.branches),
        candidate.records().filter(|record| view.spanned[record[0]]).count() as f64 / n,
        strange.len() as f64 / sample.len() as f64,
        strange.iter().copied().fold(1.0, f64::min),
    ];
    let bits = around(view, &page.zones, first);
    let root_bits = around(view, &page.zones, root);
    for (place, bits) in [bits[0], bits[1], root_bits[2] | page.zones[root]].into_iter().enumerate() {
        debug_assert!(place < 3);
        row.extend((0..ZONES.len()).map(|zone| is(bits >> zone & 1 == 1)));
    }
    #[allow(clippy::cast_possible_truncation, reason = "the model was trained on this precision")]
    row.into_iter().map(|value| value as f32).collect()
}
