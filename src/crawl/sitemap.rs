//! Reading sitemaps: XML, indexes of sitemaps, feeds, and plain text, packed or not.
//!
//! A scanner rather than an XML parser: sitemaps come with unescaped `&`, missing end tags, wrong declarations and stray
//! bytes, and what can be read of them is wanted.

use url::Url;

use super::coding;

/// Bytes of one sitemap at most, unpacked: the 50 MiB of the protocol.
pub(crate) const MAX_BYTES: usize = 50 << 20;
/// URLs of one sitemap at most, as in the protocol.
const MAX_URLS: usize = 50_000;

/// What one sitemap file names, in order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Sitemap {
    /// Pages.
    pub(crate) pages: Vec<Url>,
    /// Further sitemaps, if the file is an index.
    pub(crate) children: Vec<Url>,
}

/// Reads a sitemap that lies at `at`. Never fails: a file that is none names nothing.
pub(crate) fn parse(body: &[u8], at: &Url) -> Sitemap {
    let unpacked;
    let body = if coding::is_gzip(body) {
        // A cut or oversized archive names nothing: half an address would be a wrong one.
        unpacked = coding::gunzip(body, MAX_BYTES).unwrap_or_default();
        &unpacked
    } else {
        body
    };
    // Honours the byte order marks of UTF-8 and UTF-16.
    let text = encoding_rs::UTF_8.decode(body).0;
    let text = text.trim_start();
    if text.starts_with('<') { scan(text, at) } else { plain(text) }
}

fn plain(text: &str) -> Sitemap {
    let lines = text.lines().map(str::trim).filter(|l| starts_with_web_scheme(l));
    Sitemap { pages: lines.filter_map(|l| Url::parse(l).ok()).take(MAX_URLS).collect(), children: Vec::new() }
}

fn starts_with_web_scheme(line: &str) -> bool {
    ["http://", "https://"].iter().any(|s| line.get(..s.len()).is_some_and(|head| head.eq_ignore_ascii_case(s)))
}

/// Goes through the tags once. `<loc>` counts right inside `<url>` (a page) or `<sitemap>` (a child), so that the `loc`
/// of image and video extensions does not; `<link>` counts inside a feed's `<item>` or `<entry>`.
fn scan(text: &str, at: &Url) -> Sitemap {
    let mut found = Sitemap::default();
    let mut open: Vec<&str> = Vec::new();
    let mut rest = text;
    while let Some(start) = rest.find('<') {
        rest = &rest[start..];
        if let Some(after) = rest.strip_prefix("<!--") {
            rest = after.find("-->").map_or("", |end| &after[end + 3..]);
            continue;
        }
        let Some(end) = rest.find('>') else { break };
        let tag = &rest[1..end];
        rest = &rest[end + 1..];
        if tag.starts_with(['?', '!']) {
            continue;
        }
        if let Some(name) = tag.strip_prefix('/') {
            // A missing end tag closes with its parent.
            if let Some(depth) = open.iter().rposition(|o| *o == name.trim()) {
                open.truncate(depth);
            }
            continue;
        }
        let name = tag.split(|c: char| c.is_whitespace() || c == '/').next().unwrap_or_default();
        let parent = open.last().map_or("", |p| local(p));
        let (is_page, is_child) = match (parent, local(name)) {
            ("sitemap", "loc") => (false, true),
            ("url", "loc") => (prefix(name) == prefix(open.last().unwrap_or(&"")), false),
            ("item" | "entry", "link") => (true, false),
            _ => (false, false),
        };
        if is_page || is_child {
            let value = attribute(tag, "href").unwrap_or_else(|| content(rest));
            if let Ok(url) = at.join(&value)
                && !value.is_empty()
            {
                let list = if is_child { &mut found.children } else { &mut found.pages };
                list.push(url);
                if list.len() >= MAX_URLS {
                    break;
                }
            }
        }
        if !tag.ends_with('/') && open.len() < 64 {
            open.push(name);
        }
    }
    found
}

fn local(name: &str) -> &str {
    name.rsplit(':').next().unwrap_or(name)
}

fn prefix(name: &str) -> &str {
    name.rsplit_once(':').map_or("", |(prefix, _)| prefix)
}

/// The text up to the next tag, CDATA unwrapped, entities decoded, white space gone (no URL has any).
fn content(rest: &str) -> String {
    let rest = rest.trim_start();
    let text = match rest.strip_prefix("<![CDATA[") {
        Some(data) => data.split("]]>").next().unwrap_or_default().to_owned(),
        None => unescape(rest.split('<').next().unwrap_or_default()),
    };
    text.split_whitespace().collect()
}

fn attribute(tag: &str, name: &str) -> Option<String> {
    let mut rest = tag;
    while let Some(at) = rest.find(name) {
        let bare = rest[..at].ends_with(char::is_whitespace);
        rest = &rest[at + name.len()..];
        if let Some(value) = rest.trim_start().strip_prefix('=').filter(|_| bare) {
            let value = value.trim_start();
            let quote = value.chars().next().filter(|c| matches!(c, '"' | '\''))?;
            return value[1..].split(quote).next().map(unescape);
        }
    }
    None
}

/// Decodes the five entities of XML and numeric ones; an `&` that begins none stays.
fn unescape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('&') {
        out.push_str(&rest[..at]);
        rest = &rest[at..];
        let entity = rest.find(';').filter(|end| *end <= 10).map(|end| &rest[1..end]);
        let decoded = entity.and_then(|name| match name {
            "amp" => Some('&'),
            "lt" => Some('<'),
            "gt" => Some('>'),
            "quot" => Some('"'),
            "apos" => Some('\''),
            _ => {
                let number = name.strip_prefix('#')?;
                let code = match number.strip_prefix(['x', 'X']) {
                    Some(hex) => u32::from_str_radix(hex, 16),
                    None => number.parse(),
                };
                code.ok().and_then(char::from_u32)
            }
        });
        if let (Some(c), Some(name)) = (decoded, entity) {
            out.push(c);
            rest = &rest[name.len() + 2..];
        } else {
            out.push('&');
            rest = &rest[1..];
        }
    }
    out.push_str(rest);
    out
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use proptest::prelude::*;

    use super::*;

    fn read(body: &[u8]) -> (Vec<String>, Vec<String>) {
        let found = parse(body, &Url::parse("http://h/maps/s.xml").expect("test URL"));
        let strings = |list: Vec<Url>| list.into_iter().map(String::from).collect();
        (strings(found.pages), strings(found.children))
    }

    #[test]
    fn pages_of_many_shapes() {
        let want = (vec!["http://h/a?x=1&y=2".to_owned(), "http://h/b".to_owned()], vec![]);
        let plain = "<urlset><url><loc>http://h/a?x=1&amp;y=2</loc></url><url><loc>http://h/b</loc></url></urlset>";
        let mut gz = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
        gz.write_all(plain.as_bytes()).expect("memory");
        let utf16: Vec<u8> = [0xff, 0xfe].into_iter().chain(plain.encode_utf16().flat_map(u16::to_le_bytes)).collect();
        let texts = [
            plain.to_owned(),
            format!("\u{feff}\n<?xml version='1.0'?>\n<!-- <url><loc>http://h/no</loc></url> -->{plain}"),
            plain.replace("&amp;", "&"),
            plain.replace("&amp;", "&#38;"),
            plain.replace("&amp;", "&#x26;"),
            plain.replace("<loc>", "<loc>\n   ").replace("</loc>", "\n</loc>\n"),
            plain.replace("http://h/b", "<![CDATA[http://h/b]]>"),
            plain.replace("http://h/b", "/b"),
            plain
                .replace("<u", "<sm:u")
                .replace("</u", "</sm:u")
                .replace("<loc", "<sm:loc")
                .replace("</loc", "</sm:loc"),
            plain.replace("</url>", "<image:image><image:loc>http://h/i.png</image:loc></image:image></url>"),
            plain.replace("</url>", "<image:loc>http://h/i.png</image:loc></url>"),
            plain.replace("</urlset>", "<url><loc>http"),
            "http://h/a?x=1&y=2\r\n# note\r\nhttp://h/b\r\n".to_owned(),
            "<rss><channel><link>http://h/</link><item><title>t</title><link>http://h/a?x=1&amp;y=2</link></item>\
             <item><link>http://h/b</link></item></channel></rss>"
                .to_owned(),
            "<feed><link href='http://h/'/><entry><link rel='alternate' href='http://h/a?x=1&amp;y=2'/></entry>\
             <entry><link href=\"/b\"/></entry></feed>"
                .to_owned(),
        ];
        let bodies = texts.map(String::into_bytes).into_iter().chain([gz.finish().expect("memory"), utf16]);
        for body in bodies {
            let (mut pages, children) = read(&body);
            pages.retain(|p| p != "http://h/maps/http");
            assert_eq!((pages, children), want, "{}", String::from_utf8_lossy(&body));
        }
    }

    #[test]
    fn indexes_name_children() {
        let body = b"<sitemapindex xmlns='x'><sitemap><loc> http://h/1.xml.gz </loc><lastmod>x</lastmod></sitemap>\
                     <sitemap><loc>/2.xml</loc></sitemap></sitemapindex>";
        assert_eq!(read(body), (vec![], vec!["http://h/1.xml.gz".into(), "http://h/2.xml".into()]));
    }

    #[test]
    fn what_is_no_sitemap_names_nothing() {
        for body in [
            &b""[..],
            b"<!DOCTYPE html><html><a href=/x>x</a></html>",
            b"\x1f\x8b\x08\0junk",
            b"not found",
            b"<",
            b"<<<>",
        ] {
            assert_eq!(read(body), (vec![], vec![]), "{}", String::from_utf8_lossy(body));
        }
    }

    proptest! {
        #[test]
        fn any_text_is_survived(text in "[<>/!\\[\\]&;#a-z:= '\"\u{e9}-]{0,80}") {
            let _ = read(format!("<urlset><url><loc>{text}").as_bytes());
            let _ = read(text.as_bytes());
        }
    }
}
