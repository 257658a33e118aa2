//! What method `auto` made of a page, and on what evidence.

use super::{Decisions, Explanation, beginning};
use crate::dom::{Dom, NodeId, selector_path};
use crate::site::{BlockVerdict, Decision, EVIDENCE, PageView, least_hub};

/// The page that a page repeats, and the pages that repeat it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PlaceInSite {
    /// The URL of the page that this one repeats, with the share of shingles that both have.
    pub repeats: Option<(String, f64)>,
    /// Pages that repeat this one.
    pub copies: usize,
}

/// The decisions of method `auto` on a page.
#[derive(Clone, Debug, PartialEq)]
pub struct Blocks {
    /// How much the page looks like one that leads to others, 0 to 1, by itself.
    pub own_hub: f64,
    /// The same with the pages of its template.
    pub hub: f64,
    /// Pages that list it.
    pub listed: u32,
    /// How much the pages it lists are pages of its own template, 0 to 1.
    pub peers: f64,
    /// What `hub` must exceed for a table of contents, where there is an article as well.
    pub least_hub: f64,
    /// Which page it repeats, and which repeat it.
    pub place: PlaceInSite,
    /// The probability that it is an article, by itself.
    pub article: f32,
    /// What the type was told from: names and values, see [`EVIDENCE`].
    pub evidence: Vec<(&'static str, f64)>,
    /// Its blocks in document order.
    pub blocks: Vec<Block>,
    /// Its lists of links, best first.
    pub links: Vec<Links>,
}

/// One block.
#[derive(Clone, Debug, PartialEq)]
pub struct Block {
    /// What became of it, and on what evidence.
    pub verdict: BlockVerdict,
    /// The lowest block element around it, a place in document order.
    pub container: u32,
    /// The beginning of the text of that element.
    pub text: String,
    /// Where that stands, as a CSS selector.
    pub path: String,
}

/// The links of one place.
#[derive(Clone, Debug, PartialEq)]
pub struct Links {
    /// Whether they are the table of contents, or part of it.
    pub taken: bool,
    /// How much they look like what the page is there to list.
    pub score: f64,
    /// How many they are.
    pub count: usize,
    /// Where the first stands, as a CSS selector.
    pub path: String,
}

/// Explains what was decided of a page. `pages` are those that the site knew. Time linear in the page and the depth of its
/// blocks.
pub fn explain_decision(
    dom: &Dom,
    url: &str,
    pages: u64,
    view: &PageView,
    decision: &Decision,
    place: PlaceInSite,
) -> Explanation {
    let ids: Vec<NodeId> = dom.ids().collect();
    let path = |node: u32| ids.get(node as usize).map_or_else(String::new, |&id| selector_path(dom, id));
    let blocks = view.blocks.iter().zip(&decision.blocks).map(|(block, verdict)| Block {
        verdict: *verdict,
        container: block.container,
        text: ids.get(block.container as usize).map_or_else(String::new, |&id| beginning(dom.text(id))),
        path: path(block.container),
    });
    let links = decision.groups.iter().map(|group| {
        let first = group.links.first().and_then(|&at| view.links.get(at as usize)).map_or(0, |link| link.node);
        Links { taken: group.taken, score: group.score, count: group.links.len(), path: path(first) }
    });
    Explanation {
        url: url.to_owned(),
        method: "auto",
        pages,
        page_type: decision.page_type.name(),
        decisions: Decisions::Blocks(Blocks {
            own_hub: decision.own_hub,
            hub: decision.hub,
            listed: decision.listed,
            peers: decision.peers,
            least_hub: least_hub(decision.listed, decision.peers),
            place,
            article: view.kinds[0],
            evidence: EVIDENCE.into_iter().zip(decision.evidence).collect(),
            blocks: blocks.collect(),
            links: links.collect(),
        }),
    }
}

/// The evidence for a block in one line, as documents have it in `step`.
///
/// ```
/// use wisdom::{explain::reason_of, site::BlockVerdict};
/// let verdict = BlockVerdict { own: 0.9, elsewhere: 0.75, others: 3, copies: 1, chance: 0.8, kept: true, note: "" };
/// assert_eq!(reason_of(&verdict), "page 0.90, place 0.75 on 3 others, text on 1");
/// let alone = BlockVerdict { others: 0, ..verdict };
/// assert_eq!(reason_of(&alone), "page 0.90, place on no other, text on 1");
/// ```
pub fn reason_of(verdict: &BlockVerdict) -> String {
    // Where no other page has the place, what stands there is not known, and the number would be made up.
    let place = match verdict.others {
        0 => "place on no other".to_owned(),
        1 => format!("place {:.2} on 1 other", verdict.elsewhere),
        others => format!("place {:.2} on {others} others", verdict.elsewhere),
    };
    format!("page {:.2}, {place}, text on {}", verdict.own, verdict.copies)
}
