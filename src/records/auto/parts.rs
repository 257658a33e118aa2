//! The parts of which records are made, names of classes left out: whether a record of several nodes is several records glued
//! together, and whether a node in other dress holds what the others hold.

use super::candidates::{Candidate, Origin};
use super::view::{View, mix};
use crate::dom::{Attr, NodeId, Tag};
use rustc_hash::FxHashMap;

/// Records of a candidate that are looked at, spread evenly.
const SAMPLE: usize = 32;
/// Parts of a record that are looked at.
const PARTS: usize = 12;
/// Nodes of a part that are looked at.
const NODES: usize = 200;
/// Share of the paths in which two parts agree that are alike.
const ALIKE: f64 = 0.8;
/// Share of the records in which one of two places holds the longer text, beyond which the places are not alike; and how many
/// times as long it is there.
const ONE_SIDED: (f64, f64) = (0.9, 2.0);

/// The tags from a node down to each thing shown in it, in order of hash, each once; twice where `count` is set and it occurs
/// more often. Headings of all levels are one tag, and the answers in a comment (elements of its own look, with what they stand
/// in) are left out.
fn held(view: &View<'_>, root: NodeId, count: bool) -> Vec<u64> {
    let dom = view.dom;
    let mut found: Vec<u64> = Vec::new();
    let mut above: Vec<(NodeId, u64)> = Vec::new();
    let has_name =
        dom.tag(root) == Tag::LI || dom.attr(root, Attr::CLASS).is_some_and(|class| !class.trim().is_empty());
    let is_answer = |id: NodeId| has_name && view.look[id] == view.look[root];
    // Where the branch of the root began that is looked at.
    let mut branch = 0;
    let mut left_out = root;
    for id in dom.subtree(root).skip(1).take(NODES) {
        if id < left_out || !view.mass[id].shows() {
            continue;
        }
        while above.last().is_some_and(|&(end, _)| id >= end) {
            above.pop();
        }
        if above.is_empty() {
            branch = found.len();
        }
        if is_answer(id) {
            found.truncate(branch);
            left_out = above.first().map_or(dom.end(id), |&(end, _)| end);
            continue;
        }
        let hash = mix(above.last().map_or(5, |&(_, hash)| hash), plain_tag(dom.tag(id)));
        found.push(hash);
        above.push((dom.end(id), hash));
    }
    found.sort_unstable();
    let again = found.windows(2).filter(|pair| count && pair[0] == pair[1]).map(|pair| mix(6, pair[0]));
    let again: Vec<u64> = again.collect();
    found.extend(again);
    found.sort_unstable();
    found.dedup();
    found
}

fn plain_tag(tag: Tag) -> u64 {
    match tag {
        Tag::H1 | Tag::H2 | Tag::H3 | Tag::H4 | Tag::H5 | Tag::H6 => Tag::H1.number() as u64,
        _ => tag.number() as u64,
    }
}

/// Members that two sorted sets have in common, by those that either has; 1 for two empty ones.
fn agreement(one: &[u64], other: &[u64]) -> f64 {
    let common = one.iter().filter(|path| other.binary_search(path).is_ok()).count();
    let all = one.len() + other.len() - common;
    if all == 0 { 1.0 } else { common as f64 / all as f64 }
}

/// How alike the parts of a record are, mean over the records of several parts: the paths that a part has in common with the
/// first one of its record, none for another tag. 0 where all records are single nodes.
pub(super) fn parts_alike(view: &View<'_>, candidate: &Candidate) -> f64 {
    likeness(view, candidate, false)
}

/// The same, with paths that occur once told from those that occur more often where `count` is set.
fn likeness(view: &View<'_>, candidate: &Candidate, count: bool) -> f64 {
    let (mut sum, mut pairs) = (0.0, 0_u32);
    for record in several(candidate) {
        let first = record[0];
        let held_first = held(view, first, count);
        for &part in record[1..].iter().take(PARTS) {
            pairs += 1;
            if view.dom.tag(part) == view.dom.tag(first) && !view.dom.is_text(part) {
                sum += agreement(&held_first, &held(view, part, count));
            }
        }
    }
    if pairs == 0 { 0.0 } else { sum / f64::from(pairs) }
}

/// A sample of the records of several nodes.
fn several(candidate: &Candidate) -> impl Iterator<Item = &[NodeId]> {
    let step = candidate.len().div_ceil(SAMPLE).max(1);
    let all = candidate.nodes.len() > candidate.len();
    candidate.records().step_by(step).filter(move |record| all && record.len() > 1)
}

/// Whether each record is several records glued together: rows of two colours, or a comment with those that nobody answered.
/// Its parts are of one tag and alike, any of them could stand in the place of another, and they are what lists are made of
/// (items, rows) or hold more than a line each, or have one look.
pub(super) fn is_glued(view: &View<'_>, candidate: &Candidate) -> bool {
    if candidate.origin != Origin::Starts || likeness(view, candidate, true) < ALIKE {
        return false;
    }
    let is_unit = |id: NodeId| {
        matches!(view.dom.tag(id), Tag::LI | Tag::TR | Tag::ARTICLE | Tag::OPTION)
            || view.mass[id].pieces > 1
            || view.look[id] == view.look[candidate.nodes[0]]
    };
    several(candidate).flatten().all(|&id| is_unit(id)) && !is_one_sided(view, candidate)
}

/// Whether the first parts of the records have texts that are nearly always longer, or nearly always shorter, than those that
/// follow: a title and its description.
fn is_one_sided(view: &View<'_>, candidate: &Candidate) -> bool {
    let (mut longer, mut shorter, mut all) = (0_u32, 0_u32, 0_u32);
    let (mut firsts, mut others) = (0.0, 0.0);
    for record in several(candidate) {
        let first = f64::from(view.mass[record[0]].text);
        let rest = &record[1..record.len().min(PARTS + 1)];
        let other = rest.iter().map(|&id| f64::from(view.mass[id].text)).sum::<f64>() / rest.len() as f64;
        all += 1;
        longer += u32::from(first > other);
        shorter += u32::from(first < other);
        firsts += first;
        others += other;
    }
    let (share, times) = ONE_SIDED;
    let most = f64::from(longer.max(shorter));
    most >= share * f64::from(all) && (firsts > times * others || others > times * firsts)
}

/// What most of some nodes hold.
pub(super) struct Common {
    shares: FxHashMap<u64, f64>,
    sum: f64,
}

impl Common {
    /// Of a sample of nodes.
    pub(super) fn of(view: &View<'_>, nodes: &[NodeId]) -> Self {
        let mut counts: FxHashMap<u64, u32> = FxHashMap::default();
        let (mut sampled, mut sum) = (0_u32, 0);
        for &id in nodes.iter().step_by(nodes.len().div_ceil(SAMPLE).max(1)) {
            let held = held(view, id, false);
            sampled += 1;
            sum += held.len();
            for path in held {
                *counts.entry(path).or_default() += 1;
            }
        }
        let n = f64::from(sampled.max(1));
        let shares = counts.into_iter().map(|(path, count)| (path, f64::from(count) / n)).collect();
        Self { shares, sum: sum as f64 / n }
    }

    /// Whether a node holds all of it but a little, and whatever else.
    pub(super) fn is_in(&self, view: &View<'_>, id: NodeId) -> bool {
        let common: f64 = held(view, id, false).iter().filter_map(|path| self.shares.get(path)).sum();
        self.sum > 0.0 && common >= ALIKE * self.sum
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dom::Dom;
    use crate::records::auto::candidates::candidates;

    /// Whether the candidate with these records, written as the texts of their parts, is glued.
    #[track_caller]
    fn glued(html: &str, first: &[&str]) -> bool {
        let dom = Dom::parse(html);
        let view = View::new(&dom);
        let all = candidates(&view, 100);
        let letters = |text: &str| text.chars().filter(|c| c.is_alphanumeric()).collect::<String>();
        let texts = |record: &[NodeId]| record.iter().map(|&id| letters(dom.text(id))).collect::<Vec<String>>();
        let wanted: Vec<String> = first.iter().map(|text| letters(text)).collect();
        let found = all.iter().find(|c| c.records().next().is_some_and(|record| texts(record) == wanted));
        is_glued(&view, found.unwrap_or_else(|| panic!("no candidate begins with {first:?}")))
    }

    #[test]
    fn rows_of_two_colours() {
        let rows = "<tr class=odd><td>Alma<td>9<tr class=even><td>Brise<td>14<tr class=odd><td>Cora<td>3\
            <tr class=even><td>Dagny<td>21";
        assert!(glued(&format!("<table>{rows}</table>"), &["Alma9", "Brise14"]));
        let items = "<li class=a><a>Alma</a><li><a>Brise</a><li class=a><a>Cora</a><li><a>Dagny</a>";
        assert!(glued(&format!("<ul>{items}</ul>"), &["Alma", "Brise"]));
    }

    #[test]
    fn comments_with_and_without_an_answer() {
        let comment = |name: &str, inner: &str| format!("<div class=c><b>{name}</b><p>I think so.</p>{inner}</div>");
        let answered = |name: &str| comment(name, &comment("x", ""));
        let page = [answered("a"), comment("b", ""), comment("c", ""), answered("d"), comment("e", "")].concat();
        assert!(glued(&page, &["aI think so.xI think so.", "bI think so.", "cI think so."]));
    }

    #[test]
    fn a_title_and_its_description_are_one_record() {
        let pair = |n: u32| {
            format!(
                "<tr class=t><td>Boat {n}</td></tr><tr class=d><td>Lies at the quay, dry, tight and {n} feet long.</td></tr>"
            )
        };
        let rows: String = (1..6).map(pair).collect::<Vec<_>>().concat();
        let first = ["Boat 1", "Lies at the quay, dry, tight and 1 feet long."];
        assert!(!glued(&format!("<table>{rows}</table>"), &first));
        // Alike at a glance, but for the number of cells and links.
        let pair = |n: u32| {
            let title = format!("<tr class=t><td>{n}.</td><td><a>Boats of the year {n}</a> (port)</td></tr>");
            format!("{title}<tr><td></td><td>{n} points by Ann | <a>hide</a> | <a>2 notes</a></td></tr>")
        };
        let rows: String = (1..6).map(pair).collect::<Vec<_>>().concat();
        assert!(!glued(&format!("<table>{rows}</table>"), &["1Boatsoftheyear1port", "1pointsbyAnnhide2notes"]));
        let pair = |n: u32| format!("<div class=name>Anna {n}</div><div class=role>Head of {n}</div>");
        let rows: String = (1..6).map(pair).collect::<Vec<_>>().concat();
        assert!(!glued(&rows, &["Anna 1", "Head of 1"]));
    }

    #[test]
    fn a_hero_holds_what_the_others_hold_and_an_advert_does_not() {
        let card = "<article><h2><a>t</a></h2><p>x</p></article>";
        let hero = "<article><a><img src=i></a><h1><a>t</a></h1><p>x</p><ul><li>y</li></ul></article>";
        let dom = Dom::parse(&format!("{card}{card}{card}{hero}<article><a>z<img src=j></a></article>"));
        let view = View::new(&dom);
        let nodes: Vec<NodeId> = dom.ids().filter(|&id| dom.tag(id) == Tag::ARTICLE).collect();
        let common = Common::of(&view, &nodes[..3]);
        assert!(common.is_in(&view, nodes[3]));
        assert!(!common.is_in(&view, nodes[4]));
    }
}
