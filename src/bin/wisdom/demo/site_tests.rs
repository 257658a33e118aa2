//! Tests of the demo site: it is whole, its links hold, and its oddities are what they claim to be.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use regex::Regex;

use super::*;

const BASE: &str = "http://127.0.0.1:8000";
/// The address that footers link to and that nothing answers.
const WANTED_404: &str = "/archive/1998/";

/// The text of a page, in its charset.
fn text(route: &Route) -> String {
    let gbk = std::str::from_utf8(&route.body).is_err();
    let encoding = if gbk { encoding_rs::GBK } else { encoding_rs::UTF_8 };
    encoding.decode(&route.body).0.into_owned()
}

fn is_html(route: &Route) -> bool {
    route.headers.iter().any(|(name, value)| *name == "content-type" && value.starts_with("text/html"))
}

/// The internal paths that a page's anchors name, quoted or not.
fn anchors(html: &str) -> BTreeSet<String> {
    let anchor = Regex::new(r#"<a [^>]*?href="?(/[^"\s>]*)"#).expect("a fixed pattern");
    anchor.captures_iter(html).map(|found| found[1].to_owned()).collect()
}

fn by_path(routes: &[Route]) -> BTreeMap<&str, &Route> {
    routes.iter().map(|route| (route.path.as_str(), route)).collect()
}

/// The least number of links from the front page to each path, redirects followed at no cost.
fn depths(routes: &[Route]) -> BTreeMap<String, usize> {
    let known = by_path(routes);
    let mut depths = BTreeMap::from([("/".to_owned(), 0)]);
    let mut queue = VecDeque::from(["/".to_owned()]);
    while let Some(path) = queue.pop_front() {
        let depth = depths[&path];
        let Some(route) = known.get(path.as_str()) else { continue };
        for target in anchors(&text(route)) {
            if !depths.contains_key(&target) {
                depths.insert(target.clone(), depth + 1);
                queue.push_back(target);
            }
        }
    }
    depths
}

#[test]
fn routes_are_unique_and_about_forty_pages() {
    let routes = routes(BASE);
    assert_eq!(by_path(&routes).len(), routes.len());
    let pages = routes.iter().filter(|route| route.status == 200 && is_html(route)).count();
    assert!((38..=46).contains(&pages), "{pages} pages");
}

#[test]
fn every_name_of_a_template_is_filled() {
    for route in routes(BASE).iter().filter(|route| is_html(route)) {
        let html = text(route);
        assert!(!html.contains("{{") && !html.contains("}}"), "{}: {html}", route.path);
    }
}

#[test]
fn internal_links_resolve_but_for_the_wanted_404() {
    let routes = routes(BASE);
    let known = by_path(&routes);
    let mut dead = BTreeSet::new();
    for route in routes.iter().filter(|route| is_html(route)) {
        dead.extend(anchors(&text(route)).into_iter().filter(|target| !known.contains_key(target.as_str())));
    }
    assert_eq!(dead, BTreeSet::from([WANTED_404.to_owned()]));
    let (_, location) = known[REDIRECT.0].headers.iter().find(|(name, _)| *name == "location").expect("a redirect");
    assert_eq!(known[location.as_str()].status, 200);
}

#[test]
fn articles_are_within_three_links_but_for_the_one_of_the_sitemap() {
    let routes = routes(BASE);
    let depths = depths(&routes);
    let mut unreached = Vec::new();
    for article in articles() {
        match depths.get(&article.path) {
            Some(depth) => assert!(*depth <= 3, "{} is {depth} links away", article.path),
            None => unreached.push(article.slug),
        }
    }
    assert_eq!(unreached, [SITEMAP_ONLY]);
    assert!(depths.values().any(|depth| *depth == 3), "depth 3 should matter");
    let sitemap = text(by_path(&routes)["/sitemap.xml"]);
    assert!(sitemap.contains(&format!("{BASE}/culture/2024/{SITEMAP_ONLY}.html")));
}

#[test]
fn pages_hold_what_is_expected_of_them() {
    let routes = routes(BASE);
    let known = by_path(&routes);
    let strip = Regex::new(r"<[^>]*>").expect("a fixed pattern");
    for expected in expected() {
        let html = text(known[expected.path()]);
        match &expected {
            Expected::Article { path, title, paragraphs } => {
                let plain = strip.replace_all(&html, "");
                for paragraph in [title].into_iter().chain(paragraphs) {
                    assert!(plain.contains(&escape(paragraph)), "{path} lacks {paragraph:?}");
                }
            }
            Expected::List { path, targets } => {
                assert!(targets.len() >= 3, "{path} lists {targets:?}");
                assert!(targets.is_subset(&anchors(&html)), "{path} lacks some of {targets:?}");
            }
        }
    }
}

#[test]
fn the_gbk_page_is_gbk_and_needs_more_than_gb2312() {
    let routes = routes(BASE);
    let route = by_path(&routes)["/zh/2024/fish-market.html"];
    assert!(std::str::from_utf8(&route.body).is_err());
    let (html, _, malformed) = encoding_rs::GBK.decode(&route.body);
    assert!(!malformed && html.contains("charset=gb2312") && html.contains("陈喆"));
    assert!(!html.contains("&#"), "a character outside GBK was written as a reference");
    assert_eq!(route.headers, [("content-type", "text/html".to_owned())]);
}

#[test]
fn robots_close_the_staff_pages_and_name_the_sitemap() {
    let routes = routes(BASE);
    let known = by_path(&routes);
    let robots = text(known["/robots.txt"]);
    assert!(robots.contains("Disallow: /admin/\n") && robots.ends_with(&format!("Sitemap: {BASE}/sitemap.xml\n")));
    assert!(!robots.contains("Crawl-delay"));
    assert_eq!(known["/admin/login.html"].status, 200);
    assert_eq!(known["/status/tides-live"].status, 500);
}
