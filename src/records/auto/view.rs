//! [`View`]: what every node of a page holds, summed over its subtree, and hashes by which nodes are alike.

use crate::dom::{Attr, Dom, NodeId, NodeMap, Tag};
use xxhash_rust::xxh3::xxh3_64;

/// Class names of a node that are looked at.
const TOKENS: usize = 8;

/// What a subtree holds, shown things only.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Mass {
    /// Letters and digits; ideographs and kana count double.
    pub(super) text: u32,
    /// Of these, inside links.
    pub(super) link_text: u32,
    /// Links.
    pub(super) links: u32,
    /// Images.
    pub(super) images: u32,
    /// Text nodes that hold a letter or digit.
    pub(super) pieces: u32,
    /// Headings, `h1` to `h6`.
    pub(super) headings: u32,
    /// Digits in the text.
    pub(super) digits: u32,
    /// Form controls.
    pub(super) controls: u32,
}

impl std::ops::AddAssign for Mass {
    fn add_assign(&mut self, other: Self) {
        let add = |a: &mut u32, b: u32| *a = a.saturating_add(b);
        add(&mut self.text, other.text);
        add(&mut self.link_text, other.link_text);
        add(&mut self.links, other.links);
        add(&mut self.images, other.images);
        add(&mut self.pieces, other.pieces);
        add(&mut self.headings, other.headings);
        add(&mut self.digits, other.digits);
        add(&mut self.controls, other.controls);
    }
}

impl Mass {
    /// Whether there is anything to see.
    pub(super) fn shows(&self) -> bool {
        self.text > 0 || self.images > 0
    }
}

/// Side tables of one page. Time and memory linear in the page.
#[derive(Debug)]
pub(super) struct View<'a> {
    pub(super) dom: &'a Dom,
    pub(super) mass: NodeMap<Mass>,
    /// The tags from the root down to the node.
    pub(super) path: NodeMap<u64>,
    /// The tag with all class names, digits left out.
    pub(super) look: NodeMap<u64>,
    /// Hashes of all class names, and where those of a node are among them: see [`tokens`](View::tokens).
    tokens: Vec<u64>,
    named: NodeMap<(u32, u8)>,
    /// Depth; the root has 0.
    pub(super) depth: NodeMap<u32>,
    /// Whether a cell of an earlier row reaches into the table row.
    pub(super) spanned: NodeMap<bool>,
}

impl<'a> View<'a> {
    pub(super) fn new(dom: &'a Dom) -> Self {
        let mut mass = NodeMap::filled(dom, Mass::default());
        let mut path = NodeMap::filled(dom, 0_u64);
        let mut look = NodeMap::filled(dom, 0_u64);
        let mut named = NodeMap::filled(dom, (0_u32, 0_u8));
        let mut all_tokens = Vec::new();
        let mut depth = NodeMap::filled(dom, 0_u32);
        let mut link_end = dom.root();
        let mut control_end = dom.root();
        for id in dom.ids() {
            let tag = dom.tag(id);
            if let Some(parent) = dom.parent(id) {
                path[id] = mix(path[parent], tag.number() as u64 + 1);
                depth[id] = depth[parent] + 1;
            }
            let own = tokens(dom, id);
            look[id] = own.iter().fold(mix(0, tag.number() as u64 + 1), |hash, &token| mix(hash, token));
            // A node has eight at most; a page has fewer than 2³² bytes.
            named[id] = (u32::try_from(all_tokens.len()).unwrap_or(0), u8::try_from(own.len()).unwrap_or(0));
            all_tokens.extend(own);
            if tag == Tag::A && dom.end(id) > link_end {
                link_end = dom.end(id);
            }
            if dom.is_hidden(id) || id < control_end {
                continue;
            }
            if offers_choices(tag) {
                // Choices are what a reader may enter, not what the page says: they are neither records nor items.
                control_end = dom.end(id);
            }
            if dom.is_text(id) {
                mass[id] = text_mass(dom.text(id), id < link_end);
            } else {
                mass[id] = element_mass(tag);
            }
        }
        mass.sum_subtrees(dom);
        Self { dom, mass, path, look, tokens: all_tokens, named, depth, spanned: spanned(dom) }
    }

    /// The children that show something, separators among them: elements, and texts with a letter or digit.
    pub(super) fn units(&self, parent: NodeId) -> impl Iterator<Item = NodeId> + '_ {
        self.dom.children(parent).filter(|&id| {
            !self.dom.is_hidden(id)
                && (self.mass[id].shows() || matches!(self.dom.tag(id), Tag::HR | Tag::BR) || self.is_spacer(id))
        })
    }

    /// Hashes of a node's class names without their digits, each once, in order of hash.
    pub(super) fn tokens(&self, id: NodeId) -> &[u64] {
        let (from, count) = self.named[id];
        &self.tokens[from as usize..][..usize::from(count)]
    }

    /// An element that is shown as empty space.
    fn is_spacer(&self, id: NodeId) -> bool {
        !self.mass[id].shows() && self.dom.tag(id).breaks_text()
    }
}

/// Longest span of a cell, in rows.
const SPAN: usize = 1000;

fn spanned(dom: &Dom) -> NodeMap<bool> {
    let mut spanned = NodeMap::filled(dom, false);
    let mut left: NodeMap<u16> = NodeMap::filled(dom, 0);
    for row in dom.ids().filter(|&id| dom.tag(id) == Tag::TR) {
        let Some(part) = dom.parent(row) else { continue };
        spanned[row] = left[part] > 0;
        let spans = dom.children(row).filter_map(|cell| dom.attr(cell, Attr::ROWSPAN)?.trim().parse::<usize>().ok());
        let most = u16::try_from(spans.max().unwrap_or(1).clamp(1, SPAN) - 1).unwrap_or(0);
        left[part] = left[part].saturating_sub(1).max(most);
    }
    spanned
}

/// Whether an element is a form control that holds texts.
fn offers_choices(tag: Tag) -> bool {
    matches!(tag, Tag::SELECT | Tag::DATALIST | Tag::TEXTAREA)
}

fn text_mass(text: &str, in_link: bool) -> Mass {
    let (mut letters, mut digits) = (0_u32, 0_u32);
    for c in text.chars() {
        if c.is_ascii_digit() {
            digits += 1;
            letters += 1;
        } else if c.is_alphanumeric() {
            letters += if matches!(c, '\u{2e80}'..='\u{9fff}' | '\u{ac00}'..='\u{d7af}' | '\u{20000}'..='\u{3ffff}') {
                2
            } else {
                1
            };
        }
    }
    Mass {
        text: letters,
        link_text: if in_link { letters } else { 0 },
        pieces: u32::from(letters > 0),
        digits,
        ..Mass::default()
    }
}

fn element_mass(tag: Tag) -> Mass {
    let is = u32::from;
    Mass {
        links: is(tag == Tag::A),
        images: is(matches!(tag, Tag::IMG | Tag::PICTURE)),
        headings: is(matches!(tag, Tag::H1 | Tag::H2 | Tag::H3 | Tag::H4 | Tag::H5 | Tag::H6)),
        controls: is(matches!(tag, Tag::INPUT | Tag::SELECT | Tag::BUTTON | Tag::TEXTAREA)),
        ..Mass::default()
    }
}

/// One hash of two.
pub(super) fn mix(a: u64, b: u64) -> u64 {
    (a.rotate_left(5) ^ b).wrapping_mul(0x9e37_79b9_7f4a_7c15)
}

/// Hashes of a node's class names without their digits (`post-12` and `post-13` are one class), each once, in order of hash.
fn tokens(dom: &Dom, id: NodeId) -> Vec<u64> {
    let Some(class) = dom.attr(id, Attr::CLASS) else { return Vec::new() };
    let mut plain = String::new();
    let mut tokens: Vec<u64> = class
        .split_ascii_whitespace()
        .take(TOKENS)
        .map(|token| {
            if !token.bytes().any(|b| b.is_ascii_digit()) {
                return xxh3_64(token.as_bytes());
            }
            plain.clear();
            plain.extend(token.chars().filter(|c| !c.is_ascii_digit()));
            xxh3_64(plain.as_bytes())
        })
        .collect();
    tokens.sort_unstable();
    tokens.dedup();
    tokens
}
