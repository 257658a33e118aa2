//! Which blocks of a page are kept, given how likely each is content and what it is.

use super::block::{Page, word_set};
use super::cut::cut;
use super::model::{ARTICLE, FORUM};
use super::{block_text, places};
use crate::dom::{Dom, NodeId, Tag};
use rustc_hash::{FxHashMap, FxHashSet};
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
    /// The list of which it is an item, a term or a definition, a place in document order.
    pub list: Option<u32>,
    /// How much it looks like the page's headline: 0 where it says something else than the page's title, and else the more the
    /// likelier: headings before what is none, then by the words it shares with the title, then by the rank of headings.
    pub headline: u16,
    /// Whether it stands in one of several like elements whose class says comment.
    pub is_comment: bool,
    /// Whether it is a heading (`h1` to `h6`).
    pub is_heading: bool,
}

impl BlockFacts {
    /// Whether it says what the page's title says.
    pub fn is_headline(&self) -> bool {
        self.headline > 0
    }

    /// How much its words are those of the title, 0 to 255 (Dice's coefficient), heading or not; 0 where it is no headline.
    pub fn said(&self) -> u16 {
        self.headline >> 4 & 0xff
    }
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
        let level = places::heading(dom, block);
        // Of so many words a block must share two fifths with the title to say the same.
        let may_be = !title.is_empty() && block.in_title as usize * 5 >= title.len() * 2;
        BlockFacts {
            words: block.words,
            text: block.hash,
            holder: dom.parent(block.container).map_or(0, place),
            table: table.map(place),
            list: list_of(dom, own).map(place),
            headline: if may_be { headline(&word_set(block_text(dom, page, at)), &title, level) } else { 0 },
            is_comment: comments.get(at).is_some_and(|comment| *comment),
            is_heading: level > 0,
        }
    };
    page.blocks.iter().enumerate().map(fact).collect()
}

/// The list that an element is an item of, in HTML as people write it: also of a `dl` whose pairs are in `div`s.
fn list_of(dom: &Dom, own: NodeId) -> Option<NodeId> {
    let lists: &[Tag] = match dom.tag(own) {
        Tag::LI => &[Tag::UL, Tag::OL, Tag::MENU, Tag::DIR],
        Tag::DT | Tag::DD => &[Tag::DL],
        _ => return None,
    };
    let up = dom.parent(own).filter(|up| dom.tag(*up) != Tag::DIV).or_else(|| dom.parent(dom.parent(own)?));
    up.filter(|up| lists.contains(&dom.tag(*up)))
}

/// Whether a text says what a title says: mostly the same words.
pub(in crate::article) fn says_the_same(text: &str, title: &str) -> bool {
    headline(&word_set(text), &word_set(title), 0) > 0
}

/// [`BlockFacts::headline`] of a block with these words; `level` is that of a heading, else 0.
fn headline(own: &FxHashSet<u64>, title: &FxHashSet<u64>, level: u8) -> u16 {
    let shared = own.intersection(title).count();
    let alike = 2.0 * shared as f32 / (own.len() + title.len()).max(1) as f32;
    if alike < 0.8 {
        return 0;
    }
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "at most 255")]
    let alike = (alike * 255.0) as u16;
    u16::from(level > 0) << 12 | alike << 4 | (7 - u16::from(level))
}

/// Decides. `kinds` are the probabilities of the kinds of page, an article's first; on a forum comments are the content.
/// `unopposed` are the chances with which headings and gaps are kept for the sake of what stands around them: the same where
/// nothing but the page is known. Where a site is, what other pages say in the same place has none, since what stands between
/// the paragraphs of every page is of no page. Never empty for a page with blocks. Time O(n log n).
pub fn keep(facts: &[BlockFacts], chances: &[f32], unopposed: &[f32], kinds: &[f32]) -> Kept {
    let mut kept = cut(facts, chances, kinds);
    complete_tables(facts, &mut kept);
    complete_lists(facts, &mut kept);
    drop_headline(facts, &mut kept);
    if !is_forum(kinds) {
        drop_comments(facts, &mut kept);
    }
    keep_headings(facts, unopposed, &mut kept);
    if !is_forum(kinds) {
        fill(facts, unopposed, kinds, &mut kept);
    }
    kept
}

/// Keeps a heading within what is kept, unless it is unlikely, where the text right behind it is kept: it says what that is
/// about. By site .001 S4F on the wcxb sets, .002 on documentation, and others as they were; any chance from .1 to .3 does it.
fn keep_headings(facts: &[BlockFacts], chances: &[f32], Kept { keep, notes }: &mut Kept) {
    let Some(first) = keep.iter().position(|kept| *kept) else { return };
    let mut behind = None;
    for at in (first + 1..keep.len()).rev().filter(|&at| facts[at].words > 0) {
        let heads_kept = behind.is_some_and(|next: usize| keep[next] && !facts[next].is_heading);
        if heads_kept && facts[at].is_heading && !keep[at] && notes[at].is_empty() && chances[at] >= LIKELY_HEADING {
            (keep[at], notes[at]) = (true, "the heading of what is kept");
        }
        behind = Some(at);
    }
}

/// Keeps a single block between two that are kept, if it is a third likely: what stands within a text is rather of it. On pages
/// that are no articles one more may stand beside it, such as the button of each card; on a forum furniture stands between
/// posts, and nothing is filled in. By site .001 S4F on the wcxb sets (listings .010, documentation .002), scrapinghub .001, and
/// others within .001.
fn fill(facts: &[BlockFacts], chances: &[f32], kinds: &[f32], Kept { keep, notes }: &mut Kept) {
    let steps = if kinds.get(ARTICLE).is_some_and(|article| *article >= 0.5) { 2 } else { 3 };
    let blocks: Vec<usize> = (0..keep.len()).filter(|&at| facts[at].words > 0).collect();
    let was: Vec<bool> = blocks.iter().map(|&at| keep[at]).collect();
    for (place, &at) in blocks.iter().enumerate().filter(|&(place, &at)| !was[place] && chances[at] >= LIKELY_BETWEEN) {
        let back = (1..steps).find(|step| place.checked_sub(*step).is_some_and(|before| was[before]));
        let ahead = (1..steps).find(|step| was.get(place + step) == Some(&true));
        if notes[at].is_empty() && back.zip(ahead).is_some_and(|(back, ahead)| back + ahead <= steps) {
            (keep[at], notes[at]) = (true, "between what is kept");
        }
    }
}

/// The chance from which on a block between others is kept.
const LIKELY_BETWEEN: f32 = 1.0 / 3.0;

/// The chance from which on a heading goes with its text.
const LIKELY_HEADING: f32 = 0.2;

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

/// Keeps or drops a list as a whole, as most of its words were. By site t-S4F .001 more on scrapinghub, documentation and
/// collections, and others as they were.
fn complete_lists(facts: &[BlockFacts], Kept { keep, notes }: &mut Kept) {
    let mut words: FxHashMap<u32, (u64, u64)> = FxHashMap::default();
    for (fact, kept) in facts.iter().zip(&*keep) {
        if let Some(list) = fact.list {
            let (all, of_kept) = words.entry(list).or_default();
            *all += u64::from(fact.words);
            *of_kept += u64::from(fact.words) * u64::from(*kept);
        }
    }
    let most = |list: u32| words.get(&list).is_some_and(|(all, of_kept)| of_kept * 2 >= *all);
    // A page that says nothing but some items of a list says those.
    if !facts.iter().zip(&*keep).any(|(fact, kept)| *kept && fact.list.is_none_or(most)) {
        return;
    }
    for (at, fact) in facts.iter().enumerate() {
        let Some(is_kept) = fact.list.map(most) else { continue };
        if fact.words > 0 && keep[at] != is_kept && notes[at].is_empty() {
            keep[at] = is_kept;
            notes[at] = if is_kept { "the other items of its list" } else { "most of its list is dropped" };
        }
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

pub(super) fn is_forum(kinds: &[f32]) -> bool {
    kinds.get(FORUM).is_some_and(|forum| *forum >= 0.5)
}

/// Drops the headline where it stands at the head of the body: it is a field of its own.
fn drop_headline(facts: &[BlockFacts], Kept { keep, notes }: &mut Kept) {
    for at in 0..keep.len() {
        if !keep[at] {
            continue;
        }
        if !facts[at].is_headline() {
            break;
        }
        (keep[at], notes[at]) = (false, "the headline");
    }
    // A page that says nothing but its headline says that.
    if let Some(only) = notes.iter().position(|note| *note == "the headline").filter(|_| !keep.contains(&true)) {
        (keep[only], notes[only]) = (true, "");
    }
}

/// A block of no list or table.
#[cfg(test)]
pub(super) fn block(words: u32, is_heading: bool) -> BlockFacts {
    BlockFacts { words, text: 0, holder: 0, table: None, list: None, headline: 0, is_comment: false, is_heading }
}

#[cfg(test)]
mod tests {
    use super::super::model::KINDS;
    use super::*;

    #[test]
    fn the_items_of_a_list_stand_or_fall_together() {
        let item = |list| BlockFacts { list: Some(list), ..block(10, false) };
        let facts = [block(50, false), item(1), item(1), item(2), item(1), item(2), item(2)];
        let chances = [0.9, 0.9, 0.9, 0.9, 0.01, 0.01, 0.01];
        let kept = keep(&facts, &chances, &chances, &[0.0; KINDS]);
        assert_eq!(kept.keep, [true, true, true, false, true, false, false]);
        let alone = keep(&facts[3..], &chances[3..], &chances[3..], &[0.0; KINDS]);
        assert_eq!(alone.keep, [true, false, false, false], "a page is not left without a block");
        assert_eq!(kept.notes[3..5], ["most of its list is dropped", "the other items of its list"]);
    }

    #[test]
    fn a_block_between_others_is_kept_but_no_copy() {
        let mut facts = [20, 3, 20, 3, 3, 20, 14, 20].map(|words| block(words, false));
        let chances = [0.9, 0.35, 0.9, 0.35, 0.35, 0.9, 0.8, 0.9];
        for (text, fact) in (1..).zip(&mut facts) {
            (fact.text, fact.holder) = (text, u32::try_from(text).unwrap());
        }
        let kept_on = |kind: usize, facts: &[BlockFacts]| {
            let kinds: [f32; KINDS] = std::array::from_fn(|at| f32::from(u8::from(at == kind)));
            keep(facts, &chances, &chances, &kinds)
        };
        let kept = |facts: &[BlockFacts]| kept_on(0, facts);
        assert_eq!(kept_on(FORUM, &facts).keep, [true, false, true, false, false, true, true, true]);
        assert_eq!(kept_on(3, &facts).keep, [true, true, true, true, true, true, true, true]);
        let found = kept(&facts);
        assert_eq!(found.keep, [true, true, true, false, false, true, true, true]);
        assert_eq!(found.notes[1], "between what is kept");
        facts[2].words = 14;
        facts[6].text = facts[2].text;
        let found = kept(&facts);
        assert_eq!((found.keep[6], found.notes[6]), (false, "the same text stands elsewhere"));
        let opposed = keep(&facts, &chances, &[0.0; 8], &[0.0; KINDS]);
        assert_eq!(opposed.keep[..5], [true, false, true, false, false], "what other pages say as well");
    }

    #[test]
    fn items_are_known_in_lists_as_people_write_them() {
        let dom = Dom::parse(
            "<ul><li>a<p>b</p></ul><dl><dt>c<dd>d</dl><dl><div><dt>e</dt><dd>f</dd></div></dl><div><li>g</div><ol><ul><li>h</ul></ol>",
        );
        let place = |tag| dom.ids().find(|id| dom.tag(*id) == tag);
        let all = |tag| -> Vec<Option<Tag>> {
            dom.ids().filter(|id| dom.tag(*id) == tag).map(|id| list_of(&dom, id).map(|list| dom.tag(list))).collect()
        };
        assert_eq!(all(Tag::LI), [Some(Tag::UL), None, Some(Tag::UL)]);
        assert_eq!((all(Tag::DT), all(Tag::DD)), (vec![Some(Tag::DL); 2], vec![Some(Tag::DL); 2]));
        assert_eq!(place(Tag::P).and_then(|p| list_of(&dom, p)), None);
    }

    #[test]
    fn a_heading_goes_with_the_text_behind_it() {
        // Text, a heading, an empty block, text, a heading of what is dropped, two headings in a row, one that is unlikely.
        let facts: Vec<BlockFacts> = [
            (40, false),
            (4, true),
            (0, false),
            (40, false),
            (4, true),
            (40, false),
            (4, true),
            (4, true),
            (40, false),
            (4, true),
            (40, false),
        ]
        .map(|(words, is_heading)| block(words, is_heading))
        .into();
        let chances = [0.9, 0.3, 0.0, 0.9, 0.3, 0.01, 0.3, 0.3, 0.9, 0.1, 0.9];
        let kept = keep(&facts, &chances, &chances, &[0.0; KINDS]);
        let wanted = [true, true, false, true, false, false, false, true, true, false, true];
        assert_eq!(kept.keep, wanted);
        assert_eq!(kept.notes[1], "the heading of what is kept");
        // Before the first block that is kept, a heading is that of the page.
        let kept = keep(&facts[1..], &chances[1..], &chances[1..], &[0.0; KINDS]);
        assert_eq!(kept.keep, [&[false], &wanted[2..]].concat());
    }
}
