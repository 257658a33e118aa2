//! Images and rules that belong to what is kept.

use super::block::Page;
use crate::dom::{Dom, NodeId, Tag};

/// Images and rules that stand between two kept blocks, or in the innermost element that holds a kept block next to them:
/// its figure, cell or paragraph.
pub(super) fn between(dom: &Dom, page: &Page, keep: &[bool]) -> Vec<NodeId> {
    let mut found = Vec::new();
    let mut next = 0;
    for id in dom.ids() {
        while page.blocks.get(next).is_some_and(|block| block.first < id) {
            next += 1;
        }
        if !matches!(dom.tag(id), Tag::IMG | Tag::HR) || dom.is_hidden(id) {
            continue;
        }
        let before = next.checked_sub(1).filter(|&at| keep[at]);
        let after = Some(next).filter(|&at| at < keep.len() && keep[at]);
        let holds = |at: usize| {
            let holder = dom.ancestors(id).find(|&up| dom.tag(up).breaks_text());
            holder.is_some_and(|up| dom.contains(up, page.blocks[at].first))
        };
        let belongs = match (before, after) {
            (Some(_), Some(_)) => true,
            (Some(at), None) | (None, Some(at)) => dom.tag(id) == Tag::IMG && holds(at),
            (None, None) => false,
        };
        if belongs {
            found.push(id);
        }
    }
    found
}
