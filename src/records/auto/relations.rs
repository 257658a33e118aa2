//! What candidates say of one another: that one divides another's records, or adds to them.
//!
//! A candidate alone does not tell whether its records are groups of records, or whether a part of the list stands elsewhere;
//! beside the candidate of the items, or of the whole list, it does.

use super::candidates::{Candidate, Origin};
use super::view::View;
use crate::dom::NodeId;
use std::borrow::Cow;

/// Names of these features, in the order of a row.
pub(super) const NAMES: [&str; 25] = [
    "finer.share",
    "finer.per",
    "finer.median",
    "finer.least",
    "finer.text",
    "coarser.share",
    "coarser.per",
    "coarser.median",
    "coarser.least",
    "wider.count",
    "wider.median",
    "wider.least",
    "narrower.count",
    "narrower.median",
    "narrower.least",
    "parts",
    "finer.left",
    "coarser.left",
    "joins.count",
    "joins.others",
    "joins.zones",
    "joins.named",
    "joins.lists",
    "joins.root",
    "joins.gap",
];

/// Records of a candidate that are looked for in another.
const SAMPLE: usize = 8;
/// How many times as many records another candidate may have that is compared.
const TIMES: usize = 4;
/// Share of the text of the records that a finer candidate has to have to divide them.
const DIVIDED: f64 = 0.5;

/// What is compared of a candidate.
struct Brief<'c> {
    candidate: &'c Candidate,
    /// Its nodes in document order.
    nodes: Cow<'c, [NodeId]>,
    end: NodeId,
    text: f64,
    /// How alike its records are: the median, and the least by the median.
    median: f64,
    least: f64,
    mean_text: f64,
    /// Texts of a record.
    mean_pieces: f64,
    alone: Alone,
}

/// What the ranking knows of a candidate by itself.
#[derive(Clone, Copy, Debug)]
pub(super) struct Alone {
    /// How alike its records are, the median of them.
    pub(super) median: f32,
    /// How alike the least is, by the median.
    pub(super) least: f32,
    /// How alike the parts of its records are.
    pub(super) parts: f32,
    /// The share of its records under the parent with most of them.
    pub(super) main: f32,
    /// Of a list under several parents, of the records that are not under the one with most: how like those there they are; the
    /// shares of them in kinds of places where those do not stand, with a name of theirs, in lists with a name of theirs.
    pub(super) others: [f32; 4],
    /// The share of the records in the text of their root.
    pub(super) root: f32,
    /// The text between records, by theirs.
    pub(super) gap: f32,
}

/// A row of each candidate. Time O(c² + c p log n) for c candidates, of which p pairs overlap in place.
pub(super) fn relations(view: &View<'_>, candidates: &[Candidate], alone: &[Alone]) -> Vec<[f32; NAMES.len()]> {
    let briefs: Vec<Brief<'_>> =
        candidates.iter().zip(alone).map(|(candidate, &alone)| brief(view, candidate, alone)).collect();
    let mut rows = vec![[0.0_f64; NAMES.len()]; briefs.len()];
    // The share of the best partner so far, of each candidate in each role.
    let mut best = vec![[0.0_f64; 5]; briefs.len()];
    for (at, outer) in briefs.iter().enumerate() {
        rows[at][15] = f64::from(alone[at].parts);
        for (of, inner) in briefs.iter().enumerate() {
            let is_within = outer.nodes.first() <= inner.nodes.first() && inner.end <= outer.end;
            if at == of || !is_within || inner.candidate.len() <= outer.candidate.len() {
                // A list that is part of another has fewer records, one that divides it has more.
                if at != of && is_within && inner.candidate.len() < outer.candidate.len() {
                    adds(&briefs, (at, of), &mut rows, &mut best);
                }
                continue;
            }
            let share = inner.text / outer.text.max(1.0);
            // Records of several nodes may be divided into these.
            let of_parts = outer.nodes.len() > outer.candidate.len();
            let divides = |id: NodeId| holder(view, outer, id).is_some_and(|held| held < id || of_parts);
            if share < DIVIDED || !sample(&inner.nodes).all(divides) {
                continue;
            }
            let per = (inner.candidate.len() as f64 / outer.candidate.len() as f64).ln();
            // What stands in a group beside its records: a heading is one text, a record with parts has more of its own.
            let left =
                outer.mean_pieces - inner.mean_pieces * inner.candidate.len() as f64 / outer.candidate.len() as f64;
            if share > best[at][0] {
                best[at][0] = share;
                rows[at][16] = left.max(0.0).ln_1p();
                rows[at][..5].copy_from_slice(&[share, per, inner.median, inner.least, inner.mean_text.ln_1p()]);
            }
            if share > best[of][1] {
                best[of][1] = share;
                rows[of][17] = left.max(0.0).ln_1p();
                rows[of][5..9].copy_from_slice(&[share, per, outer.median, outer.least]);
            }
        }
    }
    #[allow(clippy::cast_possible_truncation, reason = "the model was trained on this precision")]
    rows.into_iter().map(|row| row.map(|value| value as f32)).collect()
}

/// Notes a candidate that holds all records of another and more of the kind.
fn adds(briefs: &[Brief<'_>], (at, of): (usize, usize), rows: &mut [[f64; NAMES.len()]], best: &mut [[f64; 5]]) {
    let (more, less) = (&briefs[at], &briefs[of]);
    let (many, few) = (more.candidate.len(), less.candidate.len());
    let is_headless = more.candidate.origin == Origin::Headless;
    let are_single = (more.nodes.len() == many || is_headless) && less.nodes.len() == few;
    if !are_single || many > TIMES * few || !sample(&less.nodes).all(|id| more.nodes.binary_search(&id).is_ok()) {
        return;
    }
    let count = (many as f64 / few as f64).ln();
    let median = more.median / less.median.max(1e-9);
    if more.median > best[of][2] {
        best[of][2] = more.median;
        rows[of][9..12].copy_from_slice(&[count, median, more.least]);
    }
    // What joins them with others under another parent, where the two hang together best.
    let Alone { main, others: [alike, zones, named, lists], root, gap, .. } = more.alone;
    let bonds = f64::from(1.0 + alike - zones + named + lists + root);
    if main < 1.0 && bonds > best[of][4] {
        best[of][4] = bonds;
        rows[of][18] = count;
        rows[of][19..25].copy_from_slice(&[alike, zones, named, lists, root, gap].map(f64::from));
    }
    if less.median > best[at][3] {
        best[at][3] = less.median;
        rows[at][12..15].copy_from_slice(&[count, median, less.least]);
    }
}

fn brief<'c>(view: &View<'_>, candidate: &'c Candidate, alone: Alone) -> Brief<'c> {
    let mut nodes = Cow::Borrowed(candidate.nodes.as_slice());
    if candidate.origin == Origin::Grid {
        nodes.to_mut().sort_unstable();
    }
    let text: f64 = nodes.iter().map(|&id| f64::from(view.mass[id].text)).sum();
    Brief {
        end: nodes.last().map_or(view.dom.root(), |&last| view.dom.end(last)),
        text,
        median: f64::from(alone.median),
        least: f64::from(alone.least),
        mean_text: text / candidate.len().max(1) as f64,
        mean_pieces: nodes.iter().map(|&id| f64::from(view.mass[id].pieces)).sum::<f64>()
            / candidate.len().max(1) as f64,
        alone,
        nodes,
        candidate,
    }
}

/// The node of a candidate that holds this one or is it.
fn holder(view: &View<'_>, outer: &Brief<'_>, id: NodeId) -> Option<NodeId> {
    let at = outer.nodes.partition_point(|&node| node <= id).checked_sub(1)?;
    Some(outer.nodes[at]).filter(|&node| view.dom.contains(node, id))
}

fn sample(nodes: &[NodeId]) -> impl Iterator<Item = NodeId> {
    nodes.iter().copied().step_by(nodes.len().div_ceil(SAMPLE).max(1))
}
