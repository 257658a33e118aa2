//! Learning: what one page adds to the site model.

use super::views::{look, no_look};
use crate::dom::{Dom, Link, LinkKind, links_in, parse_page, tag_path};
use crate::page::Page;
use crate::store::{PageFacts, PageLooks};
use crate::terms::{PageCounts, PageTerms, TermOptions, chunk_hashes, page_terms};
use crate::urls::identity;
use rustc_hash::FxHashMap;
use std::hash::Hash;
use url::Url;
use xxhash_rust::xxh3::xxh3_64;

/// What a page adds to the three tables, and what was found out on the way. Pure; time linear in the page.
pub fn learn(page: &Page, dom: &Dom, charset: &str, options: &TermOptions) -> (PageFacts, PageCounts) {
    let (facts, counts, _) = learn_page(page, dom, charset, options, false);
    (facts, counts)
}

/// The same, and with `looks` what the page looks like to its site.
pub(super) fn learn_page(
    page: &Page,
    dom: &Dom,
    charset: &str,
    options: &TermOptions,
    looks: bool,
) -> (PageFacts, PageCounts, Option<PageLooks>) {
    let found = Url::parse(&page.url).ok().map(|url| {
        let links = links_in(dom, &url, charset);
        (url, links)
    });
    let anchors = found.iter().flat_map(|(_, links)| &links.links).filter(|link| is_anchor(dom, link));
    let terms = page_terms(dom, options);
    let facts = PageFacts { lang: terms.language.code().to_owned(), charset: charset.to_owned() };
    let counts = PageCounts {
        terms: term_counts(&terms),
        chunks: counted(chunk_hashes(dom)),
        anchors: counted(anchors.map(|link| anchor_key(dom, link))),
    };
    let looks = looks.then(|| found.as_ref().map_or_else(no_look, |(url, links)| look(dom, url, links)));
    (facts, counts, looks)
}

/// What a page adds, from its bytes alone: for rebuilding and verifying.
pub(super) fn recount(page: &Page, options: &TermOptions) -> (PageFacts, PageCounts) {
    let (dom, charset) = parse_page(page);
    learn(page, &dom, charset, options)
}

/// The anchors of a page that its readers see, in document order.
pub(super) fn anchors(dom: &Dom, url: &str, charset: &str) -> Vec<Link> {
    let Ok(url) = Url::parse(url) else { return Vec::new() };
    let mut links = links_in(dom, &url, charset).links;
    links.retain(|link| is_anchor(dom, link));
    links
}

/// Whether a link is one that readers see.
fn is_anchor(dom: &Dom, link: &Link) -> bool {
    link.kind == LinkKind::A && !dom.is_hidden(link.node)
}

/// The key of an anchor in the site model: its target and its tag path without positions.
pub(super) fn anchor_key(dom: &Dom, link: &Link) -> u64 {
    xxh3_64(format!("{}\n{}", identity(&link.url), tag_path(dom, link.node)).as_bytes())
}

fn term_counts(terms: &PageTerms) -> Vec<(Box<str>, u32)> {
    let mut counts = vec![0_u32; terms.terms.len()];
    for occurrence in &terms.occurrences {
        counts[occurrence.term as usize] += 1;
    }
    terms.terms.iter().cloned().zip(counts).collect()
}

/// Distinct values with their counts, in order of first occurrence.
fn counted<T: Copy + Eq + Hash>(values: impl IntoIterator<Item = T>) -> Vec<(T, u32)> {
    let mut places: FxHashMap<T, usize> = FxHashMap::default();
    let mut counts: Vec<(T, u32)> = Vec::new();
    for value in values {
        let place = *places.entry(value).or_insert_with(|| {
            counts.push((value, 0));
            counts.len() - 1
        });
        counts[place].1 += 1;
    }
    counts
}
