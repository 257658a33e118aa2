//! The links of a page in document order, with their texts, and what the page says to robots.

use std::borrow::Cow;

use encoding_rs::Encoding;
use url::Url;

use super::arena::fold_space;
use super::{Attr, Dom, NodeId, Tag};
use crate::urls::{is_web, normalize};

/// A page that sends its reader elsewhere within this many seconds is a redirect; a slower one is a page with a link.
const REDIRECT_WITHIN_SECS: f64 = 1.0;

/// What kind of element a link is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LinkKind {
    /// `<a href>`.
    A,
    /// `<area href>` of an image map.
    Area,
    /// `<frame src>` or `<iframe src>`.
    Frame,
    /// `<link rel=next>` (or `<a rel=next>`'s counterpart in the head): the next page of a series.
    Next,
    /// `<meta http-equiv=refresh>`, when too slow to be a redirect.
    Refresh,
}

/// One link.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Link {
    /// The element.
    pub node: NodeId,
    /// The target in its normal form ([`normalize`]): absolute, http or https, without fragment.
    pub url: Url,
    /// The text of the element, white space folded. Empty where the link is an image.
    pub text: String,
    /// Whether `rel` holds `nofollow`.
    pub rel_nofollow: bool,
    /// What kind of element it is.
    pub kind: LinkKind,
}

/// What `<meta name=robots>` (or `name=wisdom`) asks for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RobotsMeta {
    /// The page is not to be stored.
    pub noindex: bool,
    /// The links of the page are not to be followed.
    pub nofollow: bool,
}

impl RobotsMeta {
    /// Adds the directives of a `content` attribute or an `X-Robots-Tag` value: names between commas, in any case;
    /// `none` means both; unknown ones mean nothing.
    pub fn add(&mut self, directives: &str) {
        for word in directives.split([',', ';', ' ', '\t', '\n', '\r']) {
            let is = |name: &str| word.eq_ignore_ascii_case(name);
            self.noindex |= is("noindex") || is("none");
            self.nofollow |= is("nofollow") || is("none");
        }
    }
}

/// The links of one page and what goes with them.
#[derive(Clone, Debug)]
pub struct PageLinks {
    /// What relative links are resolved against: the page's URL, or its first usable `<base href>`.
    pub base: Url,
    /// Links to http and https URLs in document order, repeated ones too. `mailto:`, `javascript:` and what cannot be
    /// parsed are left out.
    pub links: Vec<Link>,
    /// What the page says to robots.
    pub robots: RobotsMeta,
    /// Where the page sends its reader at once, if it does so (`<meta http-equiv=refresh>` within a second).
    pub refresh: Option<Url>,
}

/// The links of a page that is encoded in UTF-8; see [`links_in`].
pub fn links(dom: &Dom, page_url: &Url) -> PageLinks {
    links_in(dom, page_url, "utf-8")
}

/// The links of a page.
///
/// `charset` is the page's: browsers send the query of a link in it, and old servers expect that. Links are resolved as
/// in the WHATWG URL standard: white space and line ends inside `href` vanish, `<base>` may be relative itself and only
/// the first one with an `href` counts. Links inside `<template>`, and refreshes inside `<noscript>`, are for nobody and
/// left out. Linear in the size of the page.
///
/// ```
/// use wisdom::dom::{Dom, links};
/// let page = url::Url::parse("http://h/talk/9/").unwrap();
/// let dom = Dom::parse("<base href='/board/'><a href=' post/31#x'>A\n thread</a><a href='mailto:a@b'>us</a>");
/// let found = links(&dom, &page).links;
/// assert_eq!((found.len(), found[0].url.as_str(), &*found[0].text), (1, "http://h/board/post/31", "A thread"));
/// ```
pub fn links_in(dom: &Dom, page_url: &Url, charset: &str) -> PageLinks {
    let base = base(dom, page_url);
    let encoding = Encoding::for_label(charset.as_bytes()).map_or(encoding_rs::UTF_8, Encoding::output_encoding);
    let encode = query_encoder(|query| encoding.encode(query).0);
    let encode: url::EncodingOverride<'_> = if encoding == encoding_rs::UTF_8 { None } else { Some(&encode) };
    let resolve = |href: &str| {
        let url = Url::options().base_url(Some(&base)).encoding_override(encode).parse(href).ok()?;
        is_web(&url).then(|| normalize(&url))
    };

    let mut found = PageLinks { base: base.clone(), links: Vec::new(), robots: RobotsMeta::default(), refresh: None };
    let mut template_end = None;
    for node in dom.ids() {
        if template_end.is_some_and(|end| node < end) {
            continue;
        }
        let tag = dom.tag(node);
        let (attr, kind) = match tag {
            Tag::TEMPLATE => {
                template_end = Some(dom.end(node));
                continue;
            }
            Tag::A => (Attr::HREF, LinkKind::A),
            Tag::AREA => (Attr::HREF, LinkKind::Area),
            Tag::FRAME | Tag::IFRAME => (Attr::SRC, LinkKind::Frame),
            Tag::LINK if has_rel(dom, node, "next") => (Attr::HREF, LinkKind::Next),
            Tag::META => {
                if let Some((delay, url)) = meta(dom, node, &mut found.robots).and_then(|c| refresh(c, &resolve)) {
                    if delay <= REDIRECT_WITHIN_SECS {
                        found.refresh.get_or_insert(url);
                    } else {
                        found.links.push(Link {
                            node,
                            url,
                            text: String::new(),
                            rel_nofollow: false,
                            kind: LinkKind::Refresh,
                        });
                    }
                }
                continue;
            }
            _ => continue,
        };
        if let Some(url) = dom.attr(node, attr).and_then(resolve) {
            let text = if matches!(kind, LinkKind::A) { fold_space(dom.text(node)) } else { String::new() };
            found.links.push(Link { node, url, text, rel_nofollow: has_rel(dom, node, "nofollow"), kind });
        }
    }
    found
}

/// Tells the compiler that the closure borrows from its argument.
fn query_encoder<F: for<'a> Fn(&'a str) -> Cow<'a, [u8]>>(encode: F) -> F {
    encode
}

/// The first `<base href>` that gives a web URL, resolved against the page; else the page's URL.
fn base(dom: &Dom, page_url: &Url) -> Url {
    let mut bases = dom.ids().filter(|&id| dom.tag(id) == Tag::BASE).filter_map(|id| dom.attr(id, Attr::HREF));
    bases.next().and_then(|href| page_url.join(href).ok()).filter(is_web).unwrap_or_else(|| page_url.clone())
}

fn has_rel(dom: &Dom, node: NodeId, word: &str) -> bool {
    dom.attr(node, Attr::REL).is_some_and(|rel| rel.split_ascii_whitespace().any(|w| w.eq_ignore_ascii_case(word)))
}

/// Reads a `<meta>`: robots directives are added to `robots`; the content of a refresh is returned.
fn meta<'a>(dom: &'a Dom, node: NodeId, robots: &mut RobotsMeta) -> Option<&'a str> {
    let content = dom.attr(node, Attr::CONTENT)?;
    if let Some(name) = dom.attr(node, Attr::NAME)
        && ["robots", "wisdom"].iter().any(|n| name.trim().eq_ignore_ascii_case(n))
    {
        robots.add(content);
    }
    let equiv = dom.attr(node, Attr::HTTP_EQUIV)?;
    let in_noscript = || dom.ancestors(node).any(|up| dom.tag(up) == Tag::NOSCRIPT);
    (equiv.trim().eq_ignore_ascii_case("refresh") && !in_noscript()).then_some(content)
}

/// `5; url='/next'` as browsers read it: the delay in seconds and the target.
fn refresh(content: &str, resolve: &dyn Fn(&str) -> Option<Url>) -> Option<(f64, Url)> {
    let content = content.trim();
    let number_end = content.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(content.len());
    let (number, rest) = content.split_at(number_end);
    let delay = if number.is_empty() { 0.0 } else { number.parse().ok()? };
    let rest = rest.trim_start_matches(|c: char| c.is_ascii_whitespace() || c == ';' || c == ',');
    let target = match rest.get(..3) {
        Some(key) if key.eq_ignore_ascii_case("url") => {
            let after = rest[3..].trim_start();
            after.strip_prefix('=').map_or(rest, str::trim_start)
        }
        _ => rest,
    };
    let target = match target.chars().next() {
        Some(quote @ ('"' | '\'')) => target[1..].split(quote).next().unwrap_or_default(),
        _ => target,
    };
    // "5" alone reloads the page itself: no link.
    if target.is_empty() { None } else { resolve(target).map(|url| (delay, url)) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn page(html: &str) -> PageLinks {
        links(&Dom::parse(html), &Url::parse("http://h/dir/page.html").expect("test URL"))
    }

    fn urls(html: &str) -> Vec<String> {
        page(html).links.into_iter().map(|l| l.url.into()).collect()
    }

    #[test]
    fn hrefs_are_resolved_as_browsers_do() {
        for (href, want) in [
            ("a.html", "http://h/dir/a.html"),
            ("  a.html \n", "http://h/dir/a.html"),
            ("a\n.ht\tml", "http://h/dir/a.html"),
            ("/a b", "http://h/a%20b"),
            ("//other.example/x", "http://other.example/x"),
            ("?page=2", "http://h/dir/page.html?page=2"),
            ("?a=1&amp;b=2", "http://h/dir/page.html?a=1&b=2"),
            ("#top", "http://h/dir/page.html"),
            ("", "http://h/dir/page.html"),
            ("HTTPS://H/Up", "https://h/Up"),
            ("http:b.html", "http://h/dir/b.html"),
            ("\\back\\slash", "http://h/back/slash"),
            ("../../../x", "http://h/x"),
            ("http://h:80/x", "http://h/x"),
            ("http://h./x", "http://h/x"),
        ] {
            assert_eq!(urls(&format!("<a href=\"{href}\">x</a>")), [want], "{href:?}");
        }
        for href in
            ["javascript:void(0)", " JavaScript:x", "mailto:a@b.c", "tel:1", "data:text/html,x", "http://", "ftp://h/x"]
        {
            assert!(urls(&format!("<a href=\"{href}\">x</a>")).is_empty(), "{href:?}");
        }
    }

    #[test]
    fn base_may_be_relative_and_only_the_first_counts() {
        assert_eq!(urls("<base href=/board/><base href=/no/><a href=x>"), ["http://h/board/x"]);
        assert_eq!(urls("<base target=_top><base href=sub/><a href=x>"), ["http://h/dir/sub/x"]);
        assert_eq!(urls("<base href='javascript:1'><a href=x>"), ["http://h/dir/x"]);
        assert_eq!(urls("<a href=x></a><base href=//cdn.example/y/>"), ["http://cdn.example/y/x"]);
    }

    #[test]
    fn all_kinds_of_links_in_document_order() {
        let found = page(
            "<link rel='prefetch next' href=n><link rel=canonical href=c><link rel=alternate href=l>\
             <a href=1 rel='ugc nofollow'>One\n <b>two</b></a><map><area href=2></map><iframe src=3></iframe>\
             <template><a href=no>no</a></template><a name=x>no</a><a href=4><img alt=pic></a>",
        );
        let list: Vec<_> = found.links.iter().map(|l| (l.kind, l.url.path(), &*l.text, l.rel_nofollow)).collect();
        assert_eq!(
            list,
            [
                (LinkKind::Next, "/dir/n", "", false),
                (LinkKind::A, "/dir/1", "One two", true),
                (LinkKind::Area, "/dir/2", "", false),
                (LinkKind::Frame, "/dir/3", "", false),
                (LinkKind::A, "/dir/4", "", false),
            ]
        );
        assert_eq!(urls("<frameset><frame src=menu.html><frame src=/main.html></frameset>").len(), 2);
    }

    #[test]
    fn refreshes_are_redirects_or_links() {
        let to = |content: &str| {
            let found = page(&format!("<meta http-equiv=Refresh content=\"{content}\">"));
            (found.refresh.map(String::from), found.links.first().map(|l| l.url.to_string()))
        };
        let there = Some("http://h/next".to_owned());
        for content in ["0;url=/next", "0; URL='/next'", "1 ,url = /next", "; url=/next", "0;/next", "0.5;url=/next"] {
            assert_eq!(to(content), (there.clone(), None), "{content}");
        }
        assert_eq!(to("30; url=/next"), (None, there));
        assert_eq!(to("300"), (None, None));
        assert_eq!(to("0;url=javascript:x"), (None, None));
        assert_eq!(page("<noscript><meta http-equiv=refresh content='0;url=/nojs'></noscript>").refresh, None);
    }

    #[test]
    fn robots_directives_add_up() {
        let meta = |html: &str| page(html).robots;
        assert_eq!(meta("<meta name=ROBOTS content='NoIndex, follow'>"), RobotsMeta { noindex: true, nofollow: false });
        assert_eq!(meta("<meta name=robots content=none>"), RobotsMeta { noindex: true, nofollow: true });
        assert_eq!(
            meta("<meta name=robots content=noarchive><meta name=wisdom content=nofollow>"),
            RobotsMeta { noindex: false, nofollow: true }
        );
        assert_eq!(meta("<meta name=googlebot content=noindex>"), RobotsMeta::default());
    }

    #[test]
    fn queries_are_sent_in_the_charset_of_the_page() {
        let dom = Dom::parse("<a href='/\u{706f}?c=\u{706f}'>x</a>");
        let url = Url::parse("http://h/").expect("test URL");
        assert_eq!(links_in(&dom, &url, "gb18030").links[0].url.as_str(), "http://h/%E7%81%AF?c=%B5%C6");
        assert_eq!(links(&dom, &url).links[0].url.as_str(), "http://h/%E7%81%AF?c=%E7%81%AF");
    }
}
