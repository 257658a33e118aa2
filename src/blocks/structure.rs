//! [`page_structure`]: the informative structure of one page, all of WISDOM for it.

use super::{BlockKind, BlockSet, PageType, Params, TypeEvidence, mine_blocks, page_type};
use crate::coverage::{AnchorScore, CoverageTree, anchor_precision};
use crate::dom::{Attr, Dom, NodeId, NodeMap, Tag};
use crate::terms::PageTerms;

/// What is known of a page's anchor.
#[derive(Clone, Debug)]
pub struct Anchor<'a> {
    /// The `a` element.
    pub node: NodeId,
    /// Sorted term ids of the page behind it; `None` where that is not another page of the model.
    pub linked: Option<&'a [u32]>,
    /// Entropy of the anchor (its target and tag path) over the pages of the site, 0 to 1: near 1 for a menu entry.
    pub entropy: f64,
}

/// A link of a table of contents.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TocLink {
    /// The `a` element.
    pub node: NodeId,
    /// API of the anchor.
    pub score: f64,
}

/// The informative structure of a page.
#[derive(Clone, Debug)]
pub struct Structure {
    /// All features of all nodes.
    pub tree: CoverageTree,
    /// Article blocks.
    pub article: BlockSet,
    /// Table-of-contents blocks.
    pub toc: BlockSet,
    /// Links of the table of contents to pages of the model, in document order.
    pub links: Vec<TocLink>,
    /// Article or table of contents.
    pub page_type: PageType,
    /// What the type was told from.
    pub evidence: TypeEvidence,
}

/// Mines one page.
///
/// `ids` and `entropies` belong to `terms.terms`: the id of each term in the site model (`None` where the model has not
/// seen it) and EN. `anchors` lists the page's visible anchors in document order. Time O(n log n) in the nodes, plus
/// O(terms + linked terms) for each anchor.
pub fn page_structure(
    dom: &Dom,
    terms: &PageTerms,
    ids: &[Option<u32>],
    entropies: &[f64],
    anchors: &[Anchor<'_>],
    params: &Params,
) -> Structure {
    let weights: Vec<f64> = entropies.iter().map(|entropy| 1.0 - entropy).collect();
    let scores: Vec<AnchorScore> = anchors
        .iter()
        .filter_map(|anchor| {
            let linked = anchor.linked?;
            let menu = anchor.entropy > params.max_anchor_entropy;
            let api = if menu {
                0.0
            } else {
                anchor_precision(&anchor_terms(dom, terms, ids, entropies, anchor.node), linked)
            };
            Some(AnchorScore { node: anchor.node, api, counted: true })
        })
        .collect();
    let tree = CoverageTree::new(dom, terms, &weights, &scores);
    let root = dom.body();
    let article = mine_blocks(dom, &tree, root, BlockKind::Article, params);
    let toc = mine_blocks(dom, &tree, root, BlockKind::Toc, params);
    let kept = toc.nodes(dom);
    let links: Vec<TocLink> = scores
        .iter()
        .filter(|score| kept.binary_search(&score.node).is_ok())
        .map(|score| TocLink { node: score.node, score: score.api })
        .collect();
    let has_article = article.nodes(dom).iter().any(|&id| terms.words[id] > 0);
    let evidence = type_evidence(dom, terms, ids, &weights, anchors, has_article, !links.is_empty());
    Structure { tree, article, toc, links, page_type: page_type(&evidence), evidence }
}

/// Distinct terms below a node with their entropies; terms that the model does not know match nothing. In the order of the
/// page's terms, not of their ids: ids depend on the order in which pages were learned, and so would the last digit of a
/// sum over them.
fn anchor_terms(dom: &Dom, terms: &PageTerms, ids: &[Option<u32>], entropies: &[f64], node: NodeId) -> Vec<(u32, f64)> {
    let from = terms.occurrences.partition_point(|o| o.node < node);
    let end = dom.end(node);
    let mut found: Vec<usize> =
        terms.occurrences[from..].iter().take_while(|o| o.node < end).map(|o| o.term as usize).collect();
    found.sort_unstable();
    found.dedup();
    found.into_iter().filter_map(|term| ids[term].map(|id| (id, entropies[term]))).collect()
}

/// Menu entries lead to pages that repeat the menu, which tells nothing: anchors above this entropy are no evidence.
const MENU_ENTROPY: f64 = 0.5;

/// Link density and repeated share over the page's words, each weighing W². The square leaves out what a large part of the
/// site shares: with W the same rule told .905 of the types on 17 sites (balanced, mean), with W² .926.
fn type_evidence(
    dom: &Dom,
    terms: &PageTerms,
    ids: &[Option<u32>],
    weights: &[f64],
    anchors: &[Anchor<'_>],
    has_article: bool,
    has_toc: bool,
) -> TypeEvidence {
    let mut by_id: Vec<(u32, usize)> =
        ids.iter().enumerate().filter_map(|(term, id)| id.map(|id| (id, term))).collect();
    by_id.sort_unstable();
    let mut repeated = vec![false; ids.len()];
    for linked in anchors.iter().filter(|a| a.entropy <= MENU_ENTROPY).filter_map(|a| a.linked) {
        let mut theirs = linked.iter().peekable();
        for &(id, term) in &by_id {
            while theirs.next_if(|&&other| other < id).is_some() {}
            if theirs.peek() == Some(&&id) {
                repeated[term] = true;
            }
        }
    }
    let mut in_anchor = NodeMap::filled(dom, false);
    for id in dom.ids() {
        let parent = dom.parent(id).is_some_and(|up| in_anchor[up]);
        in_anchor[id] = parent || (dom.tag(id) == Tag::A && dom.attr(id, Attr::HREF).is_some());
    }
    let (mut all, mut linked, mut again) = (0.0, 0.0, 0.0);
    for occurrence in &terms.occurrences {
        let term = occurrence.term as usize;
        let weight = weights[term] * weights[term];
        all += weight;
        if in_anchor[occurrence.node] {
            linked += weight;
        }
        if repeated[term] {
            again += weight;
        }
    }
    let share = |part: f64| if all > 0.0 { part / all } else { 0.0 };
    TypeEvidence { link_density: share(linked), repeated: share(again), has_article, has_toc }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::terms::{TermOptions, page_terms};

    /// Two models of the same pages number terms differently; what is mined must not show it, not even in the last digit.
    #[test]
    fn scores_do_not_depend_on_the_numbers_of_terms() {
        let dom =
            Dom::parse("<html lang=en><p><a href=/x>harbour lantern keeper climbs seventy narrow stairs tonight</a>");
        let terms = page_terms(&dom, &TermOptions::default());
        let n = u32::try_from(terms.terms.len()).expect("few terms");
        let entropies: Vec<f64> = (1..=n).map(|i| 1.0 / (f64::from(i) + 0.7)).collect();
        let anchor = dom.ids().find(|&id| dom.tag(id) == Tag::A).expect("an anchor");
        let score = |number: &dyn Fn(u32) -> u32| {
            let ids: Vec<Option<u32>> = (0..n).map(|i| Some(number(i))).collect();
            let linked: Vec<u32> = (0..n).collect();
            let anchors = [Anchor { node: anchor, linked: Some(&linked), entropy: 0.0 }];
            page_structure(&dom, &terms, &ids, &entropies, &anchors, &Params::WISDOM).links[0].score.to_bits()
        };
        let plain = score(&|i| i);
        for turn in 1..n {
            assert_eq!(score(&|i| (i + turn) % n), plain);
            assert_eq!(score(&|i| n - 1 - (i + turn) % n), plain);
        }
    }
}
