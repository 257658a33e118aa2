//! [`PageView`]: all that the site needs of one page.

use super::links::{canonical, series};
use crate::article::{JudgedBlock, judge};
use crate::dom::{Attr, Dom, LinkKind, NodeId, links_in};
use crate::terms::is_unspaced;
use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};
use url::Url;
use xxhash_rust::xxh3::xxh3_64;

/// A link that the page's readers see.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LinkView {
    /// The `a` element, a place in document order.
    pub node: u32,
    /// The block in which it begins, or the one before it.
    pub block: u32,
    /// The key of its target: see [`canonical`](super::canonical).
    pub target: u64,
    /// Hash of where it stands: tags and ids from the root to it, digits as one.
    pub path: u64,
    /// Characters of its text, 60 at most.
    pub len: u8,
    /// Whether it leads to the page's own host.
    pub is_internal: bool,
    /// Whether it leads to another page of the list that this page is one of.
    pub is_pagination: bool,
}

/// One page as the site sees it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct PageView {
    /// The key of its URL.
    pub key: u64,
    /// Nodes of the parsed page, to notice a parser that counts otherwise.
    pub nodes: u32,
    /// The probability of each kind of page: article, forum, product, listing, collection, documentation, service.
    pub kinds: [f32; 7],
    /// Blocks in document order.
    pub blocks: Vec<JudgedBlock>,
    /// Links in document order.
    pub links: Vec<LinkView>,
    /// Hashes of the distinct words of its blocks, sorted.
    pub words: Vec<u32>,
}

impl PageView {
    /// Looks at a page. `charset` is the one its links are encoded in. Time O(n log n).
    pub fn new(dom: &Dom, url: &Url, charset: &str) -> Self {
        let judged = judge(dom);
        let own = series(url);
        let mut paths = FxHashMap::default();
        let mut links = Vec::new();
        for link in links_in(dom, url, charset).links {
            if link.kind != LinkKind::A || dom.is_hidden(link.node) {
                continue;
            }
            let behind = judged.first.partition_point(|first| *first < link.node);
            let inside = judged.first.get(behind).is_some_and(|&first| dom.contains(link.node, first));
            links.push(LinkView {
                node: place(link.node),
                block: u32::try_from(if inside { behind } else { behind.saturating_sub(1) }).unwrap_or(u32::MAX),
                target: canonical(&link.url),
                path: path(dom, link.node, &mut paths),
                len: u8::try_from(link.text.chars().take(60).count()).unwrap_or(60),
                is_internal: link.url.host_str() == url.host_str(),
                is_pagination: series(&link.url) == own,
            });
        }
        let words = words(dom, &judged.blocks, &judged.first);
        Self {
            key: canonical(url),
            nodes: place_of(dom.len()),
            kinds: judged.kinds,
            blocks: judged.blocks,
            links,
            words,
        }
    }
}

fn place(id: NodeId) -> u32 {
    place_of(id.index())
}

fn place_of(index: usize) -> u32 {
    u32::try_from(index).unwrap_or(u32::MAX)
}

/// Hash of tags and ids from the root to a node, each chain hashed once.
fn path(dom: &Dom, id: NodeId, known: &mut FxHashMap<NodeId, u64>) -> u64 {
    let mut open: Vec<NodeId> = Vec::new();
    let mut hash = 0;
    for up in std::iter::once(id).chain(dom.ancestors(id)) {
        if let Some(&found) = known.get(&up) {
            hash = found;
            break;
        }
        open.push(up);
    }
    for up in open.into_iter().rev() {
        let mut step = format!("{hash:x}{}", dom.tag(up).name());
        if let Some(name) = dom.attr(up, Attr::ID) {
            step.push('#');
            step.extend(name.chars().map(|c| if c.is_ascii_digit() { '0' } else { c }));
        }
        hash = xxh3_64(step.as_bytes());
        known.insert(up, hash);
    }
    hash
}

/// Distinct words, as runs of letters and digits in lower case; of scripts without blanks, pairs of characters.
fn words(dom: &Dom, blocks: &[JudgedBlock], first: &[NodeId]) -> Vec<u32> {
    let mut found = Vec::new();
    let mut word = String::new();
    let mut before = None;
    let Some(&from) = first.first().filter(|_| !blocks.is_empty()) else { return found };
    for id in dom.between(from, dom.ids().next_back().unwrap_or(from)) {
        if !dom.is_text(id) || dom.is_hidden(id) {
            continue;
        }
        for c in dom.text(id).chars().chain([' ']) {
            let wide = is_unspaced(c);
            if c.is_alphanumeric() && !wide {
                word.extend(c.to_lowercase());
                before = None;
                continue;
            }
            if !word.is_empty() {
                found.push(short(xxh3_64(word.as_bytes())));
                word.clear();
            }
            if wide {
                if let Some(last) = before {
                    found.push(short(xxh3_64([last, c].iter().collect::<String>().as_bytes())));
                }
                before = Some(c);
            } else {
                before = None;
            }
        }
    }
    found.sort_unstable();
    found.dedup();
    found
}

#[allow(clippy::cast_possible_truncation, reason = "half of a hash is a hash")]
fn short(hash: u64) -> u32 {
    hash as u32
}
