//! Which blocks of a page are kept, given how likely each is content and what it is.

use super::block::{Page, word_set};
use super::cut::cut;
use super::model::KINDS;
use super::{block_text, places};
use crate::dom::{Dom, NodeId, Tag};
use serde::{Deserialize, Serialize};

/// What the decision needs to know of a block beside its chance.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct BlockFacts {
    /// Words; a character of a script without blanks is one.
    pub words: u32,
    /// Hash of the words, to know copies.
    pub text: u64,
    /// The element that holds its container, a place in document order. Equal texts within one are a refrain.
    pub holder: u32,
    /// The table of which it is a row or the caption, a place in document order.
    pub table: Option<u32>,
    /// Whether it says what the page's headline says.
    pub is_headline: bool,
    /// Whether it stands in one of several like elements whose class says comment.
    pub is_comment: bool,
}

/// Which blocks are kept, and why where that is not their chance.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Kept {
    /// Whether each block is kept.
    pub keep: Vec<bool>,
    /// Why it was dropped though it is as likely as others that were kept, or kept though it is not; empty otherwise.
    pub notes: Vec<&'static str>,
}

/// The facts of a page's blocks. Time linear in the page.
pub(super) fn facts(dom: &Dom, page: &Page, title: Option<&str>, comments: bool) -> Vec<BlockFacts> {
    let place = |id: NodeId| u32::try_from(id.index()).unwrap_or(u32::MAX);
    let title = word_set(title.unwrap_or_default());
    let comments = if comments { Vec::new() } else { places::comment_items(dom, page) };
    let fact = |(at, block): (usize, &super::block::Block)| {
        let own = block.container;
        let mut above = std::iter::once(own).chain(dom.ancestors(own).take(2));
        let part = if dom.tag(own) == Tag::TR { Some(own) } else { above.find(|&up| dom.tag(up) == Tag::CAPTION) };
        let table = part.and_then(|part| dom.ancestors(part).find(|&up| dom.tag(up) == Tag::TABLE));
        BlockFacts {
            words: block.words,
            text: block.hash,
            holder: dom.parent(block.container).map_or(0, place),
            table: table.map(place),
            // Of so many words a block must share two fifths with the title to say the same.
            is_headline: !title.is_empty()
                && block.in_title as usize * 5 >= title.len() * 2
                && says_the_same(&word_set(block_text(dom, page, at)), &title),
            is_comment: comments.get(at).is_some_and(|comment| *comment),
        }
    };
    page.blocks.iter().enumerate().map(fact).collect()
}

fn says_the_same(own: &rustc_hash::FxHashSet<u64>, title: &rustc_hash::FxHashSet<u64>) -> bool {
    let shared = own.intersection(title).count();
    2.0 * shared as f32 / (own.len() + title.len()).max(1) as f32 >= 0.8
}

/// Decides. `kinds` are the probabilities of the kinds of page, an article's first; on a forum comments are the content.
/// Never empty for a page with blocks. Time O(n log n).
pub fn keep(facts: &[BlockFacts], chances: &[f32], kinds: &[f32]) -> Kept {
    let keep = cut(facts, chances, kinds.first().copied().unwrap_or_default());
    let mut kept = Kept { notes: vec![""; keep.len()], keep };
    complete_tables(facts, &mut kept);
    drop_headline(facts, &mut kept);
    if kinds.get(FORUM).is_none_or(|forum| *forum < 0.5) {
        drop_comments(facts, &mut kept);
    }
    kept
}

/// Keeps a data table whole, header, caption and all, where most of its words were kept: its rows mean nothing apart.
fn complete_tables(facts: &[BlockFacts], Kept { keep, notes }: &mut Kept) {
    let mut at = 0;
    while at < keep.len() {
        let Some(own) = facts[at].table else {
            at += 1;
            continue;
        };
        let end = (at..keep.len()).find(|&other| facts[other].table != Some(own)).unwrap_or(keep.len());
        let all: u64 = facts[at..end].iter().map(|block| u64::from(block.words)).sum();
        let kept: u64 = (at..end).filter(|&row| keep[row]).map(|row| u64::from(facts[row].words)).sum();
        if kept * 2 >= all {
            for row in (at..end).filter(|&row| !std::mem::replace(&mut keep[row], true)) {
                notes[row] = "the other rows of its table";
            }
        }
        at = end;
    }
}

/// Drops what readers wrote below an article. Not where hardly anything else was kept: then the class means something else.
fn drop_comments(facts: &[BlockFacts], Kept { keep, notes }: &mut Kept) {
    let others = (0..keep.len()).filter(|&at| keep[at] && !facts[at].is_comment).map(|at| u64::from(facts[at].words));
    if others.sum::<u64>() < LEAST_BESIDE_COMMENTS {
        return;
    }
    for at in (0..keep.len()).filter(|&at| facts[at].is_comment) {
        if keep[at] {
            (keep[at], notes[at]) = (false, "a reader's comment");
        }
    }
}

/// Words of an article, at least, beside which comments are comments.
const LEAST_BESIDE_COMMENTS: u64 = 15;
/// Place of forums among the kinds of page.
const FORUM: usize = 1;
const _: () = assert!(FORUM < KINDS);

/// Drops the headline where it stands at the head of the body: it is a field of its own.
fn drop_headline(facts: &[BlockFacts], Kept { keep, notes }: &mut Kept) {
    for at in 0..keep.len() {
        if !keep[at] {
            continue;
        }
        if !facts[at].is_headline {
            break;
        }
        (keep[at], notes[at]) = (false, "the headline");
    }
    // A page that says nothing but its headline says that.
    if let Some(only) = notes.iter().position(|note| *note == "the headline").filter(|_| !keep.contains(&true)) {
        (keep[only], notes[only]) = (true, "");
    }
}
