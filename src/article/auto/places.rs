//! Places on a page: its headline, the elements that hold its prose, and where readers comment.

use super::block::{Block, Page, key, ratio};
use super::sums::{Prefix, log, range};
use super::vocabulary::kinds;
use crate::dom::{Attr, Dom, NodeId, Tag};
use rustc_hash::FxHashMap;

pub(super) fn heading(dom: &Dom, block: &Block) -> u8 {
    match dom.tag(block.container) {
        Tag::H1 => 1,
        Tag::H2 => 2,
        Tag::H3 => 3,
        Tag::H4 => 4,
        Tag::H5 => 5,
        Tag::H6 => 6,
        _ => 0,
    }
}

/// The element that holds most good text close above it, as Readability finds it: a paragraph counts for its parent, and
/// half for its grandparent.
pub(super) fn top_container(dom: &Dom, page: &Page) -> NodeId {
    let mut scores: FxHashMap<NodeId, f32> = FxHashMap::default();
    let mut best = (dom.body(), 0.0);
    for block in page.blocks.iter().filter(|b| b.len >= 25) {
        let own = block.len - block.linked;
        let score = (1.0 + log(block.commas + block.stops) + (ratio(own, 100)).min(3.0)) * (1.0 - block.link_density());
        let is_text =
            matches!(dom.tag(block.container), Tag::P | Tag::PRE | Tag::LI | Tag::TD | Tag::BLOCKQUOTE | Tag::DD);
        let mut up = if is_text { dom.parent(block.container) } else { Some(block.container) };
        for share in [1.0, 0.5, 0.33] {
            let Some(node) = up else { break };
            let sum = scores.entry(node).or_insert(0.0);
            *sum += score * share;
            if *sum > best.1 {
                best = (node, *sum);
            }
            up = dom.parent(node);
        }
    }
    best.0
}

/// The lowest element that holds this share of the good text.
pub(super) fn holder(dom: &Dom, page: &Page, prefix: &Prefix, share: f64) -> NodeId {
    let all = prefix.all().good;
    let mut node = dom.body();
    if all == 0 {
        return node;
    }
    // Down into the one child that still holds enough.
    while let Some(child) = dom.children(node).find(|&child| {
        !dom.is_text(child) && f64::from(prefix.of(&range(dom, page, child)).good) >= share * f64::from(all)
    }) {
        node = child;
    }
    node
}

pub(super) fn path_up(dom: &Dom, node: NodeId) -> Vec<NodeId> {
    std::iter::once(node).chain(dom.ancestors(node)).collect()
}

/// Steps up from the end of a path until the node is inside.
#[allow(clippy::cast_precision_loss, reason = "few steps")]
pub(super) fn steps(dom: &Dom, path: &[NodeId], node: NodeId) -> f32 {
    path.partition_point(|&up| !dom.contains(up, node)) as f32
}

/// The block that shows the title: the first heading that holds most of its words, else the first block that does.
pub(super) fn title_block(dom: &Dom, page: &Page) -> Option<(usize, f32)> {
    let words = u32::try_from(page.title_words).unwrap_or(u32::MAX);
    let mut best: Option<(usize, f32)> = None;
    for (i, block) in page.blocks.iter().enumerate() {
        if block.in_title == 0 {
            continue;
        }
        let level = heading(dom, block);
        let bonus = if level == 1 {
            0.3
        } else if level > 0 {
            0.15
        } else {
            0.0
        };
        let score = 2.0 * ratio(block.in_title, block.words + words) + bonus;
        if score >= 0.6 && best.is_none_or(|(_, old)| score > old + 0.05) {
            best = Some((i, score));
        }
    }
    best.or_else(|| page.blocks.iter().position(|b| dom.tag(b.container) == Tag::H1).map(|i| (i, 0.0)))
}

/// Which blocks stand where readers comment, by class names. Time linear in the page.
pub(super) fn comments(dom: &Dom, page: &Page) -> Vec<bool> {
    let mut names = Names::default();
    inside(dom, page, |id| names.say_comment(dom, id))
}

/// Which blocks stand in one of several like elements that say comment. Time linear in the page.
pub(super) fn comment_items(dom: &Dom, page: &Page) -> Vec<bool> {
    let mut names = Names::default();
    inside(dom, page, |id| {
        let like =
            || dom.parent(id).and_then(|up| page.siblings.get(&(up, key(dom, id)))).is_some_and(|s| s.filled >= 2);
        names.say_comment(dom, id) && like()
    })
}

/// Class names and ids that were looked at: a page repeats few of them often.
#[derive(Default)]
struct Names<'a>(FxHashMap<&'a str, bool>);

impl<'a> Names<'a> {
    fn say_comment(&mut self, dom: &'a Dom, id: NodeId) -> bool {
        let mut named = [Attr::CLASS, Attr::ID, Attr::ITEMPROP].into_iter().filter_map(|attr| dom.attr(id, attr));
        named.any(|value| *self.0.entry(value).or_insert_with(|| kinds(value) & COMMENT != 0))
    }
}

/// The bit of comments in [`KINDS`].
const COMMENT: u32 = 1 << 1;

/// Which blocks stand in an element of some kind, other than the page as a whole.
pub(super) fn inside(dom: &Dom, page: &Page, mut is: impl FnMut(NodeId) -> bool) -> Vec<bool> {
    let mut flags = vec![false; page.blocks.len()];
    let mut until = dom.root();
    let mut at = 0;
    for id in dom.ids() {
        let Some(block) = page.blocks.get(at) else { break };
        let element = !matches!(dom.tag(id), Tag::TEXT | Tag::DOCUMENT | Tag::HTML | Tag::BODY);
        // An element in which no block begins tells of none.
        if element && id >= until && block.first < dom.end(id) && is(id) {
            until = dom.end(id);
        }
        if block.first == id {
            flags[at] = id < until;
            at += 1;
        }
    }
    flags
}
