//! [`Selection`]: the kept nodes of a page.

use crate::dom::{Dom, NodeId, Tag};

/// A set of kept nodes of one [`Dom`], in document order.
///
/// A text node, image or rule is written when it is in the set and visible. Elements need not be in the set: an element's
/// mark-up is written when something kept lies in it, up to the lowest block that holds all that is kept. A `br` between
/// two kept texts always counts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Selection {
    kept: Vec<NodeId>,
    root: NodeId,
}

impl Selection {
    /// The set of the given nodes; order and repetition do not matter, and nodes that are not shown are left out. Time
    /// linear in the nodes if they come in document order, else O(n log n).
    ///
    /// ```
    /// use wisdom::{article::{Selection, text}, dom::Dom};
    /// let dom = Dom::parse("<p>One<p>Two <b>bold");
    /// assert_eq!(text(&dom, &Selection::new(&dom, dom.ids())), "One\nTwo bold");
    /// ```
    pub fn new(dom: &Dom, nodes: impl IntoIterator<Item = NodeId>) -> Self {
        let writes = |id: &NodeId| matches!(dom.tag(*id), Tag::TEXT | Tag::IMG | Tag::HR) && !dom.is_hidden(*id);
        let mut kept: Vec<NodeId> = nodes.into_iter().filter(writes).collect();
        kept.sort_unstable();
        kept.dedup();
        let root = match (kept.first(), kept.last()) {
            (Some(&first), Some(&last)) => common_block(dom, first, last),
            _ => dom.root(),
        };
        Self { kept, root }
    }

    /// Whether nothing is kept.
    pub fn is_empty(&self) -> bool {
        self.kept.is_empty()
    }

    /// The kept text nodes, images and rules in document order.
    pub fn nodes(&self) -> &[NodeId] {
        &self.kept
    }

    /// The lowest block that holds all that is kept, from which mark-up is written.
    pub(super) fn root(&self) -> NodeId {
        self.root
    }
}

/// The lowest block above both nodes. Parts of a table stand for their table, and a block inside a heading or
/// preformatted text stands for that, because its text is read differently there.
fn common_block(dom: &Dom, first: NodeId, last: NodeId) -> NodeId {
    let is_block = |id: NodeId| {
        let tag = dom.tag(id);
        tag.breaks_text()
            && !matches!(tag, Tag::BR | Tag::HR | Tag::TR | Tag::TBODY | Tag::THEAD | Tag::TFOOT | Tag::COLGROUP)
    };
    let Some(block) = dom.ancestors(first).find(|&up| dom.contains(up, last) && is_block(up)) else {
        return dom.root();
    };
    let sets_mode = |&up: &NodeId| {
        let tag = dom.tag(up);
        tag.is_preformatted() || matches!(tag, Tag::H1 | Tag::H2 | Tag::H3 | Tag::H4 | Tag::H5 | Tag::H6)
    };
    dom.ancestors(block).filter(sets_mode).last().unwrap_or(block)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn root_is_the_lowest_common_block() {
        let dom = Dom::parse(
            "<div><p id=p>a <b>b</b> c</p><table><tr><td>x<td>y</table><h2><div>t</div></h2><p hidden>h</div>",
        );
        let root = |texts: &[&str]| {
            let nodes = dom.ids().filter(|&id| dom.is_text(id) && texts.contains(&dom.text(id).trim()));
            dom.tag(Selection::new(&dom, nodes).root())
        };
        assert_eq!(root(&["b"]), Tag::P);
        assert_eq!(root(&["a", "c"]), Tag::P);
        assert_eq!(root(&["x", "y"]), Tag::TABLE);
        assert_eq!(root(&["x"]), Tag::TD);
        assert_eq!(root(&["t"]), Tag::H2);
        assert_eq!(root(&["a", "x"]), Tag::DIV);
        assert_eq!(root(&["h"]), Tag::DOCUMENT);
    }
}
