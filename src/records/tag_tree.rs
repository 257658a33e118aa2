//! [`TagTree`]: the tags of a page without its text, so that a tag string is a slice.

use crate::dom::{Attr, Dom, NodeId, Tag};
use std::ops::Range;
use xxhash_rust::xxh3::xxh3_64_with_seed;

/// The elements of a page in document order, without text and without what is not shown (scripts, comments and the like are
/// useless to a miner of records, MDR section 3.1). Node `i`'s subtree is the range `i..ends[i]`, so its tag string, and
/// that of neighbouring siblings together, is a slice of `tags`.
#[derive(Debug)]
pub(super) struct TagTree {
    /// Tags in document order: the tag string of the page.
    pub(super) tags: Vec<Tag>,
    /// The page's node of each.
    nodes: Vec<NodeId>,
    ends: Vec<u32>,
    depths: Vec<u32>,
    /// Of elements with classes, tag and the set of classes as one hash; else 0.
    classes: Vec<u64>,
}

impl TagTree {
    /// Reads the elements of a page. Time O(n).
    #[allow(clippy::cast_possible_truncation, reason = "a Dom has under 2^32 nodes")]
    pub(super) fn of(dom: &Dom) -> Self {
        let is_element = |id: NodeId| !dom.is_text(id) && !dom.is_hidden(id);
        let mut before: Vec<u32> = Vec::with_capacity(dom.len() + 1);
        let mut nodes = Vec::new();
        for id in dom.ids() {
            before.push(nodes.len() as u32);
            if is_element(id) {
                nodes.push(id);
            }
        }
        before.push(nodes.len() as u32);
        let tags = nodes.iter().map(|&id| dom.tag(id)).collect();
        let ends: Vec<u32> = nodes.iter().map(|&id| before[dom.end(id).index()]).collect();
        let mut depths = vec![1_u32; nodes.len()];
        for (at, &id) in nodes.iter().enumerate().rev() {
            if let Some(up) = dom.parent(id) {
                let up = before[up.index()] as usize;
                depths[up] = depths[up].max(depths[at] + 1);
            }
        }
        let class = |&id: &NodeId| {
            let mut names: Vec<&str> = dom.attr(id, Attr::CLASS).unwrap_or_default().split_whitespace().collect();
            names.sort_unstable();
            names.dedup();
            let start = dom.tag(id).number() as u64;
            let all = names.iter().fold(start, |hash, name| xxh3_64_with_seed(name.as_bytes(), hash));
            if names.is_empty() { 0 } else { all | 1 }
        };
        let classes = nodes.iter().map(class).collect();
        Self { tags, nodes, ends, depths, classes }
    }

    /// Number of nodes.
    pub(super) fn len(&self) -> usize {
        self.tags.len()
    }

    /// The page's node.
    pub(super) fn node(&self, at: usize) -> NodeId {
        self.nodes[at]
    }

    /// The node behind the subtree.
    pub(super) fn end(&self, at: usize) -> usize {
        self.ends[at] as usize
    }

    /// Levels of the subtree: 1 for a node without children.
    pub(super) fn depth(&self, at: usize) -> u32 {
        self.depths[at]
    }

    /// Whether two elements have the same tag and the same classes, and any.
    pub(super) fn same_class(&self, a: usize, b: usize) -> bool {
        self.classes[a] != 0 && self.classes[a] == self.classes[b]
    }

    /// The children of a node.
    pub(super) fn children(&self, at: usize) -> impl Iterator<Item = usize> {
        let end = self.end(at);
        std::iter::successors((at + 1 < end).then_some(at + 1), move |&child| {
            let next = self.end(child);
            (next < end).then_some(next)
        })
    }

    /// Where the tag string of a run of siblings stands in `tags`, from the first to the last of them.
    pub(super) fn span(&self, first: usize, last: usize) -> Range<usize> {
        first..self.end(last)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn elements_without_text_and_hidden_ones() {
        let dom =
            Dom::parse("<body><ul>x<li>a<b>c</b></li><script>1</script><li hidden><i>y</i></li><li></li></ul><p>z");
        let tree = TagTree::of(&dom);
        let names: Vec<&str> = tree.tags.iter().map(|tag| tag.name()).collect();
        assert_eq!(names, ["#document", "html", "body", "ul", "li", "b", "li", "p"]);
        assert_eq!(tree.children(3).collect::<Vec<_>>(), [4, 6]);
        assert_eq!(tree.children(2).collect::<Vec<_>>(), [3, 7]);
        assert_eq!((tree.depth(3), tree.depth(7), tree.depth(0)), (3, 1, 6));
        assert_eq!(tree.span(4, 6), 4..7);
        assert_eq!(dom.tag(tree.node(5)), Tag::B);
    }
}
