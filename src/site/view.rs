//! [`PageView`]: all that the site needs of one page.

use super::Sketch;
use super::links::{canonical, series};
use crate::article::{JudgedBlock, JudgedPage, judge};
use crate::dom::{Attr, Dom, LinkKind, NodeId, PageLinks, Tag, links_in};
use crate::terms::{is_unspaced, push_lower};
use crate::urls::is_web;
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
    /// What it says, by itself.
    pub sketch: Sketch,
    /// A Bloom filter of the images in what it says: one bit each.
    pub images: u64,
    /// The key of the page that it names as canonical, if it names one.
    pub canonical: Option<u64>,
    /// The key of the page that it names as its AMP view.
    pub amp: Option<u64>,
}

impl PageView {
    /// Looks at a page. `charset` is the one its links are encoded in. Time O(n log n).
    pub fn new(dom: &Dom, url: &Url, charset: &str) -> Self {
        Self::with_links(dom, url, &links_in(dom, url, charset))
    }

    /// The same, where the links of the page are known.
    pub fn with_links(dom: &Dom, url: &Url, found: &PageLinks) -> Self {
        let judged = judge(dom);
        let own = series(url);
        let mut paths = FxHashMap::default();
        let mut links = Vec::new();
        let declared = |rel: &str| declared(dom, &found.base, rel);
        let (named, amp) = (declared("canonical"), declared("amphtml"));
        for link in &found.links {
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
        Self {
            key: canonical(url),
            nodes: place_of(dom.len()),
            kinds: judged.kinds,
            links,
            words: words(dom, &judged.blocks, &judged.first),
            sketch: sketch(dom, &judged),
            images: images(dom, &judged),
            blocks: judged.blocks,
            canonical: named,
            amp,
        }
    }
}

/// The key of the first web address that a `link` of the page gives for a relation.
fn declared(dom: &Dom, base: &Url, rel: &str) -> Option<u64> {
    let is = |id: &NodeId| {
        let words = dom.attr(*id, Attr::REL).filter(|_| dom.tag(*id) == Tag::LINK);
        words.is_some_and(|words| words.split_ascii_whitespace().any(|word| word.eq_ignore_ascii_case(rel)))
    };
    let url = dom.ids().filter(is).find_map(|id| base.join(dom.attr(id, Attr::HREF)?).ok().filter(is_web));
    url.map(|url| canonical(&url))
}

/// The sketch of the blocks that the page-level classifier keeps: what the page says, whatever its template says.
fn sketch(dom: &Dom, judged: &JudgedPage) -> Sketch {
    let texts = judged.texts.iter().zip(&judged.kept).filter(|(_, kept)| **kept);
    Sketch::new(texts.map(|(range, _)| &dom.visible_text()[range.clone()]))
}

/// One bit for each image among these blocks, by a hash of the name of its file.
fn images(dom: &Dom, judged: &JudgedPage) -> u64 {
    let names = judged.images.iter().filter_map(|&id| {
        let source = [Attr::DATA_SRC, Attr::SRC].into_iter().find_map(|attr| dom.attr(id, attr))?;
        source.split(['?', '#']).next()?.rsplit('/').next().filter(|name| !name.is_empty())
    });
    names.fold(0, |bits, name| bits | 1 << (xxh3_64(name.as_bytes()) % 64))
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
                push_lower(&mut word, c);
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
