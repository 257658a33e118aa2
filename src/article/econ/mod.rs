//! [`econ()`]: the content of a news page by its periods and commas, as published.

use super::Selection;
use crate::dom::{Dom, NodeId, Tag};

#[cfg(test)]
mod tests;

/// A text-para: the text that a text-node-set wraps (section III.B). The set is a run of neighbours, so a range of nodes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TextPara {
    /// The first node of the set.
    pub first: NodeId,
    /// The node behind the last one's subtree.
    pub end: NodeId,
    /// The first big-node of the set: the snippet-node, should this be the longest text-para.
    pub big_node: NodeId,
    /// Length in characters without white space.
    pub length: u32,
    /// Periods and commas. A text-para without any is noise, and its nodes are pruned.
    pub punc_num: u32,
}

/// A node on the way from the snippet-node up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Step {
    /// The node.
    pub node: NodeId,
    /// Periods and commas of the text it wraps.
    pub node_punc_num: u32,
    /// That less the number of the step before; the way ends at the first 0.
    pub distance: u32,
}

/// What ECON found on a page, and how.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Econ {
    /// Every text-para of the page in document order, noise among them.
    pub text_paras: Vec<TextPara>,
    /// The snippet-node and its node-punc-num; `None` where the page has no text-para with a period or comma.
    pub snippet: Option<(NodeId, u32)>,
    /// The way up from the snippet-node, without it.
    pub path: Vec<Step>,
    /// The summary-node, which wraps the content.
    pub summary: Option<NodeId>,
}

/// Finds the content of a news page by ECON: it is where the periods and commas are.
///
/// Source: Guo, Tang, Song, Wang, Ding: *ECON: An Approach to Extract Content from Web News Page*, `APWeb` 2010,
/// section III. There are no thresholds and weights.
///
/// - A *big-node* is the father of a text (and no `script` or `style`), or a `p`, `br`, `h1` to `h6`, `strong`, `em`, `b`,
///   `i`, `tt` or `font`. A *text-node-set* is a run of neighbouring big-nodes of one father, its text a *text-para*
///   (*Joint-para*, Fig. 4). A text-para without period and comma is noise: its nodes are pruned.
/// - The *snippet-node* is a node of the set with the longest text-para. From there up, *distance* is the gain in periods and
///   commas of a node over its child (*Extract-news*, Fig. 3). At the first distance 0 the child is the *summary-node*, and
///   what it wraps, less what was pruned, is the content.
///
/// Where the paper is silent:
/// - *Texts among big-nodes* (`text <b>word</b> text`) belong to the set, which still needs a big-node. If they parted it, the
///   single word would be noise, and the pieces-page of Fig. 6, which the paper says Joint-para deals with, would lose its
///   words: t-S4F of daniel-dev .817 instead of .825, of big9-dev .878 instead of .903.
/// - Text of white space alone is no text: else the indented source of a page makes every element a big-node (.739 on
///   daniel-dev). What is not shown (`head`, `noscript`, `display: none`) is treated as `script`: no text, no big-node, and
///   neighbours that it parts are not adjacent.
/// - Sets inside a kept set are pruned too, as Joint-para runs *for each* big-node. Sparing them: .818 on daniel-dev, .879
///   instead of .870 on scrapinghub.
/// - Length is in characters without white space. *Select randomly*, and ties, mean the first in document order.
/// - Periods and commas are those of all scripts that have their own: full-width and half-width Chinese and Japanese,
///   Arabic, Urdu, Devanagari and others. A point in a number or address counts, as every point does.
/// - On a page without any there is no snippet-node, and the content is empty.
///
/// Shares of pages by the paper's measure (Correct, Wrong, Missed; limits .95, headline cut off) on the development sets; the
/// paper's own are .937, .056, .007 in Chinese and .90, .06, .04 in nine other languages, in 2010 and by hand:
///
/// | set | Correct | Wrong | Missed | t-S4F |
/// |---|---|---|---|---|
/// | cwce-zh | .662 | .162 | .176 | .902 |
/// | daniel-dev zh | .587 | .279 | .135 | .881 |
/// | daniel-dev el | .504 | .443 | .053 | .913 |
/// | daniel-dev ru | .262 | .546 | .192 | .749 |
/// | daniel-dev pl | .191 | .548 | .262 | .726 |
/// | daniel-dev en | .190 | .665 | .145 | .804 |
/// | big9-dev (en) | .273 | .682 | .045 | .903 |
/// | scrapinghub (en) | .343 | .431 | .227 | .870 |
/// | cleanportaleval (en) | .290 | .580 | .130 | .888 |
/// | wcxb-dev-sample (no news) | .135 | .115 | .750 | .598 |
///
/// Time O(n log n) in the nodes (the text-paras are sorted), memory O(n), no recursion.
///
/// ```
/// use wisdom::{article::{econ, text}, dom::Dom};
/// let dom = Dom::parse("<div><h1>Ferry sails</h1><ul><li><a>Home<a></ul><p>At last, it sails.<p>Tickets, too, are cheap.</div>");
/// let found = econ(&dom);
/// assert_eq!(found.summary.map(|node| dom.tag(node).name()), Some("div"));
/// assert_eq!(text(&dom, &found.selection(&dom)), "At last, it sails.\nTickets, too, are cheap.");
/// ```
pub fn econ(dom: &Dom) -> Econ {
    let counts = Counts::of(dom);
    let mut text_paras = text_paras(dom, &counts);
    text_paras.sort_unstable_by_key(|para| para.first);
    let mut longest: Option<&TextPara> = None;
    for para in text_paras.iter().filter(|para| !para.is_noise()) {
        if longest.is_none_or(|best| para.length > best.length) {
            longest = Some(para);
        }
    }
    let Some(snippet) = longest.map(|para| para.big_node) else { return Econ { text_paras, ..Econ::default() } };
    let start = counts.node_punc_num(dom, snippet);
    let mut path: Vec<Step> = Vec::new();
    let (mut summary, mut below) = (snippet, start);
    for node in dom.ancestors(snippet) {
        let node_punc_num = counts.node_punc_num(dom, node);
        let distance = node_punc_num - below;
        path.push(Step { node, node_punc_num, distance });
        if distance == 0 {
            break;
        }
        (summary, below) = (node, node_punc_num);
    }
    Econ { text_paras, snippet: Some((snippet, start)), path, summary: Some(summary) }
}

impl TextPara {
    /// Whether Joint-para prunes its nodes.
    pub fn is_noise(&self) -> bool {
        self.punc_num == 0
    }
}

impl Econ {
    /// The content: what the summary-node wraps, without noise. Time linear in the page.
    pub fn selection(&self, dom: &Dom) -> Selection {
        let Some(summary) = self.summary else { return Selection::new(dom, []) };
        let mut noise = self.text_paras.iter().filter(|para| para.is_noise()).peekable();
        let mut pruned_to = summary;
        Selection::new(
            dom,
            dom.subtree(summary).filter(|&id| {
                while let Some(para) = noise.next_if(|para| para.first <= id) {
                    pruned_to = pruned_to.max(para.end);
                }
                id >= pruned_to
            }),
        )
    }
}

/// Sums over the nodes before each node, so that a range's sum is a difference.
struct Counts {
    lengths: Vec<u32>,
    punc_nums: Vec<u32>,
    /// Whether the node is a text that shows something, or the father of one.
    has_text: Vec<bool>,
}

impl Counts {
    fn of(dom: &Dom) -> Self {
        let mut counts = Self {
            lengths: Vec::with_capacity(dom.len() + 1),
            punc_nums: Vec::with_capacity(dom.len() + 1),
            has_text: vec![false; dom.len()],
        };
        let (mut length, mut punc_num) = (0_u32, 0_u32);
        for id in dom.ids() {
            counts.lengths.push(length);
            counts.punc_nums.push(punc_num);
            if !dom.is_text(id) || dom.is_hidden(id) {
                continue;
            }
            let before = length;
            for c in dom.text(id).chars().filter(|c| !c.is_whitespace()) {
                length += 1;
                punc_num += u32::from(is_period_or_comma(c));
            }
            if length > before {
                counts.has_text[id.index()] = true;
                if let Some(father) = dom.parent(id) {
                    counts.has_text[father.index()] = true;
                }
            }
        }
        counts.lengths.push(length);
        counts.punc_nums.push(punc_num);
        counts
    }

    fn node_punc_num(&self, dom: &Dom, id: NodeId) -> u32 {
        between(&self.punc_nums, id, dom.end(id))
    }
}

fn between(sums: &[u32], first: NodeId, end: NodeId) -> u32 {
    sums[end.index()] - sums[first.index()]
}

/// Joint-para for every big-node. All nodes of a set find the same set, so each is made once: one walk over every node's
/// children.
fn text_paras(dom: &Dom, counts: &Counts) -> Vec<TextPara> {
    let mut paras = Vec::new();
    for father in dom.ids().filter(|&id| !dom.is_text(id) && !dom.is_hidden(id)) {
        // First node, first big-node and end of the run at hand.
        let mut run: Option<(NodeId, Option<NodeId>, NodeId)> = None;
        for child in dom.children(father).map(Some).chain([None]) {
            let member = match child {
                Some(id) if dom.is_text(id) && !counts.has_text[id.index()] && !dom.is_hidden(id) => continue,
                Some(id) if dom.is_text(id) && !dom.is_hidden(id) => Some((id, None)),
                Some(id) if is_big_node(dom, counts, id) => Some((id, Some(id))),
                _ => None,
            };
            if let Some((id, big_node)) = member {
                let (first, before, _) = run.unwrap_or((id, None, id));
                run = Some((first, before.or(big_node), dom.end(id)));
            } else if let Some((first, Some(big_node), end)) = run.take() {
                let length = between(&counts.lengths, first, end);
                let punc_num = between(&counts.punc_nums, first, end);
                paras.push(TextPara { first, end, big_node, length, punc_num });
            }
        }
    }
    paras
}

/// Section III.B. The paper's list names `br` twice.
fn is_big_node(dom: &Dom, counts: &Counts, id: NodeId) -> bool {
    !dom.is_hidden(id)
        && !dom.is_text(id)
        && (counts.has_text[id.index()]
            || matches!(
                dom.tag(id),
                Tag::P
                    | Tag::BR
                    | Tag::H1
                    | Tag::H2
                    | Tag::H3
                    | Tag::H4
                    | Tag::H5
                    | Tag::H6
                    | Tag::STRONG
                    | Tag::EM
                    | Tag::B
                    | Tag::I
                    | Tag::TT
                    | Tag::FONT
            ))
}

/// Periods and commas: Latin, Cyrillic and Greek; Armenian; Arabic and Urdu; Devanagari and its neighbours; Burmese;
/// Ethiopic; Khmer; Chinese and Japanese in full, small and half width.
fn is_period_or_comma(c: char) -> bool {
    matches!(
        c,
        '.' | ','
            | '\u{589}'
            | '\u{60c}'
            | '\u{6d4}'
            | '\u{964}'
            | '\u{965}'
            | '\u{104a}'
            | '\u{104b}'
            | '\u{1362}'
            | '\u{1363}'
            | '\u{17d4}'
            | '\u{3001}'
            | '\u{3002}'
            | '\u{fe50}'..='\u{fe52}' | '\u{ff0c}' | '\u{ff0e}' | '\u{ff61}' | '\u{ff64}'
    )
}
