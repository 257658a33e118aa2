//! [`judge`]: a page as the page-level classifier sees it, for those who know more of the page than it does.

use super::block::{blocks, ratio};
use super::keep::{BlockFacts, facts, keep};
use super::{block_range, block_text, chances, description, images, nodes_of};
use crate::article::meta::Statements;
use crate::dom::{Dom, NodeId, Tag};
use serde::{Deserialize, Serialize};
use std::ops::Range;
use xxhash_rust::xxh3::Xxh3;

/// A page cut into blocks.
#[derive(Clone, Debug)]
pub struct JudgedPage {
    /// The probability of each kind of page: article, forum, product, listing, collection, documentation, service.
    pub kinds: [f32; 7],
    /// The page's headline; empty where none was found.
    pub title: String,
    /// Blocks in document order.
    pub blocks: Vec<JudgedBlock>,
    /// The first text node of each block.
    pub first: Vec<NodeId>,
    /// Where the text of each block stands in [`Dom::visible_text`].
    pub texts: Vec<Range<usize>>,
    /// Whether each block is kept, as far as the page by itself tells.
    pub kept: Vec<bool>,
    /// Images that belong to the kept blocks, in document order.
    pub images: Vec<NodeId>,
}

/// One block.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct JudgedBlock {
    /// The probability that it is content, of all that the page itself tells.
    pub chance: f32,
    /// Hash of where it stands: tags and classes from the root to its container, digits as one.
    pub place: u64,
    /// Hash of its text, in lower case, white space folded.
    pub chunk: u64,
    /// The lowest block element around it, a place in document order.
    pub container: u32,
    /// Share of its text that is linked, 0 to 1.
    pub linked: f32,
    /// What the final decision needs.
    pub facts: BlockFacts,
}

/// Cuts a page into blocks and says how likely each is content. Time O(n log n).
pub fn judge(dom: &Dom) -> JudgedPage {
    let statements = Statements::read(dom);
    let title = statements.metadata(None).title.unwrap_or_default();
    let page = blocks(dom, &title, &description(dom));
    let (chances, kinds) = chances(dom, &page, statements.types(), &mut |_| {});
    let facts = facts(dom, &page, Some(&title), false);
    let kept = keep(&facts, &chances, &chances, &kinds).keep;
    let judged =
        page.blocks.iter().zip(chances).zip(facts).enumerate().map(|(at, ((block, chance), facts))| JudgedBlock {
            chance,
            place: block.class_path,
            chunk: chunk(block_text(dom, &page, at)),
            container: u32::try_from(block.container.index()).unwrap_or(u32::MAX),
            linked: ratio(block.linked, block.len),
            facts,
        });
    JudgedPage {
        kinds,
        title,
        blocks: judged.collect(),
        first: page.blocks.iter().map(|block| block.first).collect(),
        texts: (0..page.blocks.len()).map(|at| block_range(dom, &page, at)).collect(),
        images: images::between(dom, &page, &kept).into_iter().filter(|&id| dom.tag(id) == Tag::IMG).collect(),
        kept,
    }
}

/// Where the text of each block of a page stands in [`Dom::visible_text`], in document order: the blocks of [`judge`], without
/// judging them. Time linear in the page.
pub fn block_texts(dom: &Dom) -> Vec<Range<usize>> {
    let page = blocks(dom, "", "");
    (0..page.blocks.len()).map(|at| block_range(dom, &page, at)).collect()
}

/// The nodes of the kept blocks of a page, given by their places among its blocks: texts, and the images and rules that
/// belong to them. Time linear in the page.
pub fn kept_nodes(dom: &Dom, kept: &[u32]) -> Vec<NodeId> {
    let page = blocks(dom, "", "");
    let mut keep = vec![false; page.blocks.len()];
    for &at in kept {
        if let Some(kept) = keep.get_mut(at as usize) {
            *kept = true;
        }
    }
    nodes_of(dom, &page, &keep).collect()
}

/// Hash of a text in lower case, white space folded. Numbers count: "the race was won in 107 minutes" says something else on
/// every page. (With digits as one, article F1 on the seventeen mirrors differed by .0003.)
fn chunk(text: &str) -> u64 {
    let mut hash = Xxh3::new();
    let mut buffer = [0; 4];
    for (at, word) in text.split_whitespace().enumerate() {
        if at > 0 {
            hash.update(b" ");
        }
        word.chars().flat_map(char::to_lowercase).for_each(|c| hash.update(c.encode_utf8(&mut buffer).as_bytes()));
    }
    hash.digest()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_with_other_numbers_are_other_texts() {
        assert_eq!(chunk("Read the 12 best offers  of our sale"), chunk("read the 12 best\noffers of our sale"));
        assert_ne!(chunk("Weight 103 g"), chunk("Weight 98 g"));
        assert_ne!(chunk("The race was won in 107 minutes."), chunk("The race was won in 109 minutes."));
    }
}
