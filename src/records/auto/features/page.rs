//! [`Page`]: what is known of the whole page, and what is found out once for all candidates.

use super::NODES;
use super::paths::Paths;
use crate::dom::{Attr, NodeId, NodeMap};
use crate::records::auto::view::{Mass, View};
use crate::records::auto::zones::zones;
use rustc_hash::FxHashMap;

/// What is known of the whole page.
#[derive(Debug)]
pub(in crate::records::auto) struct Page<'v, 'd> {
    pub(in crate::records::auto) view: &'v View<'d>,
    pub(super) zones: NodeMap<u16>,
    pub(super) all: Mass,
    /// Text before each node, in document order.
    before: Vec<u32>,
    /// Text of the largest group of alike siblings in each subtree.
    pub(super) repeated: NodeMap<u32>,
    /// The elements of each look that show something.
    pub(super) by_look: FxHashMap<u64, Vec<NodeId>>,
    /// The next node with the target of a link, from each node on.
    next_link: Vec<Option<NodeId>>,
    /// Marks of sentences at the beginning of a node's text, where they were counted.
    marks: NodeMap<Option<u32>>,
    pub(super) paths: Paths,
}

impl<'v, 'd> Page<'v, 'd> {
    pub(in crate::records::auto) fn new(view: &'v View<'d>) -> Self {
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
        let mut next_link = vec![None; dom.len()];
        let mut next = None;
        for id in dom.ids().rev() {
            next = dom.attr(id, Attr::HREF).map_or(next, |_| Some(id));
            next_link[id.index()] = next;
        }
        Self {
            view,
            zones: zones(view),
            all: view.mass[dom.root()],
            before,
            repeated: repeated(view),
            by_look,
            next_link,
            marks: NodeMap::filled(dom, None),
            paths: Paths::new(dom),
        }
    }

    /// The first target of a link among the first nodes of a record's parts.
    pub(super) fn link_of(&self, record: &[NodeId]) -> Option<&'d str> {
        let dom = self.view.dom;
        let near = |id: &NodeId| {
            let next = self.next_link[id.index()]?;
            let is_inside = dom.contains(*id, next) && next.index() - id.index() < NODES;
            dom.attr(next, Attr::HREF).filter(|_| is_inside)
        };
        record.iter().find_map(near)
    }

    /// Marks of sentences in the first 2000 characters of a node's text.
    pub(super) fn marks(&mut self, id: NodeId) -> u32 {
        let text = self.view.dom.text(id);
        *self.marks[id].get_or_insert_with(|| {
            let is_mark = |c: &char| matches!(c, '.' | ',' | '。' | '，' | '!' | '?' | ';');
            u32::try_from(text.chars().take(2000).filter(is_mark).count()).unwrap_or(u32::MAX)
        })
    }

    pub(super) fn text_before(&self, id: NodeId) -> u32 {
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
