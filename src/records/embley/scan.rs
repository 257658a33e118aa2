//! [`Scan`]: the start-tags of a subtree and how much text lies before each, in one pass.

use super::super::tag_tree::TagTree;
use crate::dom::{Dom, Tag};

/// A subtree as the heuristics see it.
#[derive(Debug)]
pub(super) struct Scan {
    /// Each start-tag below the root in document order, with the characters of plain text before it (white space aside).
    pub(super) starts: Vec<(Tag, usize)>,
}

impl Scan {
    /// Reads the subtree. Time linear in it and its text.
    pub(super) fn of(dom: &Dom, tree: &TagTree, root: usize) -> Self {
        let mut starts = Vec::new();
        let mut text = 0;
        for id in dom.subtree(tree.node(root)).skip(1).filter(|&id| !dom.is_hidden(id)) {
            if dom.is_text(id) {
                text += dom.text(id).chars().filter(|c| !c.is_whitespace()).count();
            } else {
                starts.push((dom.tag(id), text));
            }
        }
        Self { starts }
    }

    /// Number of appearances of a tag.
    pub(super) fn count(&self, tag: Tag) -> usize {
        self.starts.iter().filter(|start| start.0 == tag).count()
    }
}
