//! What the names of elements, ids and classes say of a place: a menu, a footer, results.

use super::view::View;
use crate::dom::{Attr, NodeId, NodeMap, Tag};
use aho_corasick::{AhoCorasick, MatchKind};
use std::sync::LazyLock;

/// Kinds of place, one bit each.
pub(super) const ZONES: [&str; 13] = [
    "nav", "footer", "header", "aside", "crumbs", "pages", "related", "comments", "filter", "advert", "social",
    "results", "content",
];

/// Stems in names, and the kind of place that each tells.
const STEMS: [(&str, usize); 60] = [
    ("nav", 0),
    ("menu", 0),
    ("toolbar", 0),
    ("dropdown", 0),
    ("tabs", 0),
    ("footer", 1),
    ("foot", 1),
    ("bottom", 1),
    ("copyright", 1),
    ("header", 2),
    ("masthead", 2),
    ("topbar", 2),
    ("sidebar", 3),
    ("side", 3),
    ("aside", 3),
    ("rail", 3),
    ("right", 3),
    ("left", 3),
    ("widget", 3),
    ("crumb", 4),
    ("pagin", 5),
    ("pager", 5),
    ("page-num", 5),
    ("related", 6),
    ("recommend", 6),
    ("similar", 6),
    ("also", 6),
    ("trending", 6),
    ("popular", 6),
    ("recent", 6),
    ("suggest", 6),
    ("carousel", 6),
    ("comment", 7),
    ("review", 7),
    ("filter", 8),
    ("facet", 8),
    ("refine", 8),
    ("sort", 8),
    ("categor", 8),
    ("option", 8),
    ("sponsor", 9),
    ("promo", 9),
    ("banner", 9),
    ("advert", 9),
    ("social", 10),
    ("share", 10),
    ("login", 10),
    ("cookie", 10),
    ("language", 10),
    ("result", 11),
    ("listing", 11),
    ("products", 11),
    ("product", 11),
    ("search", 11),
    ("content", 12),
    ("main", 12),
    ("article", 12),
    ("stream", 12),
    ("feed", 12),
    ("river", 12),
];

/// The kinds of place that each element itself is named as.
pub(super) fn zones(view: &View<'_>) -> NodeMap<u16> {
    static FINDER: LazyLock<Option<AhoCorasick>> = LazyLock::new(|| {
        let stems = STEMS.iter().map(|(stem, _)| stem);
        AhoCorasick::builder().match_kind(MatchKind::Standard).ascii_case_insensitive(true).build(stems).ok()
    });
    let dom = view.dom;
    NodeMap::from_fn(dom, |id| {
        if dom.is_text(id) {
            return 0;
        }
        let mut bits = by_tag(dom.tag(id));
        let names = [Attr::ID, Attr::CLASS, Attr::ROLE].into_iter().filter_map(|attr| dom.attr(id, attr));
        for name in names.filter(|name| name.len() < 500) {
            for found in FINDER.as_ref().into_iter().flat_map(|finder| finder.find_overlapping_iter(name)) {
                bits |= 1 << STEMS[found.pattern().as_usize()].1;
            }
        }
        bits
    })
}

fn by_tag(tag: Tag) -> u16 {
    match tag {
        Tag::NAV | Tag::MENU => 1,
        Tag::FOOTER => 1 << 1,
        Tag::HEADER => 1 << 2,
        Tag::ASIDE => 1 << 3,
        Tag::FORM | Tag::SELECT => 1 << 8,
        Tag::SEARCH => 1 << 11,
        Tag::MAIN => 1 << 12,
        _ => 0,
    }
}

/// The kinds of a node and those around it: of itself, of up to three nodes above, of all above but `body`.
pub(super) fn around(view: &View<'_>, zones: &NodeMap<u16>, id: NodeId) -> [u16; 3] {
    let above = || view.dom.ancestors(id).filter(|&up| view.dom.tag(up) != Tag::BODY && view.dom.tag(up) != Tag::HTML);
    let or = |bits: u16, up: NodeId| bits | zones[up];
    [zones[id], above().take(3).fold(0, or), above().take(64).fold(0, or)]
}
