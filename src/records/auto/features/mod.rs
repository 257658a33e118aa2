//! What tells a list from a menu: numbers that a candidate is ranked by.

mod alike;
mod lost;
mod page;
mod paths;
mod spread;

use super::candidates::{CLIMB, Candidate, Origin};
use super::view::{Mass, View};
use super::zones::{ZONES, around};
use crate::dom::{Attr, NodeId, Tag};
pub(super) use alike::trimmed;
use alike::{alike, likeness};
use lost::lost;
pub(super) use page::Page;
use rustc_hash::{FxHashMap, FxHashSet};

/// Records of a candidate whose insides are looked at, spread evenly.
const SAMPLE: usize = 32;
/// Nodes of a record that are looked at.
const NODES: usize = 200;

/// Names of the features, in the order of a row.
pub(super) fn names() -> Vec<String> {
    let mut names: Vec<String> = NAMES.iter().map(|&name| name.to_owned()).collect();
    for place in ["own", "near", "far"] {
        names.extend(ZONES.iter().map(|zone| format!("{place}.{zone}")));
    }
    names
}

const NAMES: [&str; 87] = [
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
    "main.records",
    "main.levels",
    "main.text",
    "others.alike",
    "others.least",
    "others.looks",
    "others.text",
    "others.zones",
    "others.named",
    "others.lists",
];

/// The lowest node that holds all records, from the first and last of their nodes.
pub(in crate::records::auto) fn root_of(view: &View<'_>, candidate: &Candidate) -> NodeId {
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

/// How many of the values differ.
fn distinct<T: Ord>(values: impl Iterator<Item = T>) -> usize {
    let mut values: Vec<T> = values.collect();
    values.sort_unstable();
    values.dedup();
    values.len()
}

/// The first letters and digits of a text.
fn start(text: &str) -> [char; 12] {
    let mut start = ['\0'; 12];
    start.iter_mut().zip(text.chars().filter(|c| c.is_alphanumeric())).for_each(|(place, c)| *place = c);
    start
}

/// The row of a candidate.
#[allow(clippy::too_many_lines, reason = "one line a feature")]
pub(super) fn features(page: &mut Page<'_, '_>, candidate: &Candidate) -> Vec<f32> {
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
    let alike = alike(view, &mut page.paths, &sample);
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
    let whole = distinct(sample.iter().map(|record| {
        let text = text_of(record).trim();
        (text.len(), text)
    }));
    let starts = distinct(sample.iter().map(|record| start(text_of(record))));
    let links = distinct(sample.iter().filter_map(|record| page.link_of(record)));
    let nodes: f64 = sample
        .iter()
        .flat_map(|record| record.iter())
        .map(|&id| (dom.end(id).index() - id.index()) as f64)
        .sum::<f64>()
        / sample.len() as f64;
    let stops: u64 = sample.iter().filter_map(|record| record.first()).map(|&id| u64::from(page.marks(id))).sum();

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
        if is_single { likeness(page, &alike, typical, &beside_nodes, seen as usize) } else { (0.0, 0.0) };
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
        if is_single { likeness(page, &alike, typical, &elsewhere_nodes, count) } else { (0.0, 0.0) };
    let lost = lost(view, root, candidate);
    let in_places = spread::spread(page, root, candidate);
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
        whole as f64 / sample.len() as f64,
        starts as f64 / sample.len() as f64,
        links as f64 / sample.len() as f64,
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
    row.extend(in_places);
    let bits = around(view, &page.zones, first);
    let root_bits = around(view, &page.zones, root);
    for (place, bits) in [bits[0], bits[1], root_bits[2] | page.zones[root]].into_iter().enumerate() {
        debug_assert!(place < 3);
        row.extend((0..ZONES.len()).map(|zone| is(bits >> zone & 1 == 1)));
    }
    #[allow(clippy::cast_possible_truncation, reason = "the model was trained on this precision")]
    row.into_iter().map(|value| value as f32).collect()
}
