//! What a candidate leaves out of the branches that hold its records.

use crate::dom::NodeId;
use crate::records::auto::candidates::{Candidate, Origin, branch};
use crate::records::auto::view::{Mass, View};

/// What the branches below the root that hold records hold beside them: the date above a group, or the rest of an outer
/// record.
#[derive(Default)]
pub(super) struct Lost {
    pub(super) branches: f64,
    pub(super) text: f64,
    pub(super) any: f64,
    pub(super) links: f64,
    pub(super) headings: f64,
}

pub(super) fn lost(view: &View<'_>, root: NodeId, candidate: &Candidate) -> Lost {
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
