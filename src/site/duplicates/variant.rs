//! [`Variant`]: what a URL would be if it did not ask for the print view, the AMP page or where the reader came from.

use url::Url;
use xxhash_rust::xxh3::xxh3_64;

/// A URL without the parts that ask for another view of the same page. Two URLs with one key may show one page; whether they
/// do is for what the pages say to tell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Variant {
    /// Hash of what is left, without scheme and `www`.
    pub(super) key: u64,
    /// Parts that were left out.
    pub(super) marks: u32,
    /// Parameters that were not.
    pub(super) params: u32,
}

/// Words that stand in hosts, paths and parameters of views for printers, telephones and AMP.
const VIEWS: [&str; 16] = [
    "amp",
    "amphtml",
    "print",
    "printable",
    "printer",
    "printerfriendly",
    "printer-friendly",
    "printer_friendly",
    "printfriendly",
    "printpage",
    "printversion",
    "printview",
    "print-view",
    "print_view",
    "mobile",
    "touch",
];

/// Parameters that say where the reader came from or how the page is shown.
const WAYS: [&str; 22] = [
    "campaign",
    "cmp",
    "cmpid",
    "fontsize",
    "from",
    "highlight",
    "icid",
    "nocache",
    "origin",
    "partner",
    "ref",
    "referer",
    "referrer",
    "replytocom",
    "rss",
    "share",
    "source",
    "src",
    "tmpl",
    "tracking",
    "trk",
    "via",
];

/// Names of the page that a server sends for a folder, without their endings.
const INDEX: &str = "index";

/// Takes a URL apart. Linear in its length.
pub(super) fn variant(url: &Url) -> Variant {
    let mut marks = 0;
    let mut is_mark = |text: &str| {
        let found = VIEWS.contains(&&*text.to_ascii_lowercase());
        marks += u32::from(found);
        found
    };
    let host = url.host_str().unwrap_or_default();
    let host = match host.split_once('.') {
        Some(("www", rest)) => rest,
        Some((first, rest)) if rest.contains('.') && (first == "m" || is_mark(first)) => rest,
        _ => host,
    };
    let mut text = host.to_owned();
    for part in url.path().split('/').filter(|part| !part.is_empty()) {
        let (stem, ending) = part.split_once('.').unwrap_or((part, ""));
        if is_mark(stem) || stem == INDEX {
            continue;
        }
        // story-print.html, print_story.html, story.amp.html.
        let stem = match stem.rsplit_once(['-', '_']).filter(|(_, last)| is_mark(last)) {
            Some((rest, _)) => rest,
            None => stem.split_once(['-', '_']).filter(|(first, _)| is_mark(first)).map_or(stem, |(_, rest)| rest),
        };
        text.extend(["/", stem]);
        for ending in ending.split('.').filter(|ending| !ending.is_empty() && !is_mark(ending)) {
            text.extend([".", ending]);
        }
    }
    let mut pairs: Vec<(String, String)> = Vec::new();
    let mut ways = 0;
    for (name, value) in url.query_pairs() {
        if WAYS.contains(&&*name.to_ascii_lowercase()) {
            ways += 1;
        } else if !(is_mark(&name) || is_mark(&value) || name.is_empty() && value.is_empty()) {
            pairs.push((name.into_owned(), value.into_owned()));
        }
    }
    pairs.sort_unstable();
    for (name, value) in &pairs {
        text.extend(["&", name, "=", value]);
    }
    if let Some(port) = url.port() {
        text.extend([":", &port.to_string()]);
    }
    Variant {
        key: xxh3_64(text.as_bytes()),
        marks: marks + ways,
        params: u32::try_from(pairs.len()).unwrap_or(u32::MAX),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(text: &str) -> Variant {
        variant(&Url::parse(text).expect("a URL"))
    }

    #[test]
    fn views_of_a_page_have_one_key() {
        let page = of("https://h.test/news/a-story.html?id=7");
        assert_eq!((page.marks, page.params), (0, 1));
        for (view, marks) in [
            ("http://www.h.test/news/a-story.html?id=7", 0),
            ("https://m.h.test/news/a-story.html?id=7", 0),
            ("https://h.test/news/a-story.html?id=7&ref=home", 1),
            ("https://h.test/news/a-story.html?print=1&id=7", 1),
            ("https://h.test/news/a-story.html?id=7&view=print", 1),
            ("https://h.test/print/news/a-story.html?id=7", 1),
            ("https://h.test/amp/news/a-story.html?id=7", 1),
            ("https://h.test/news/a-story-print.html?id=7", 1),
            ("https://h.test/news/print_a-story.html?id=7", 1),
            ("https://h.test/news/a-story.amp.html?id=7&source=feed", 2),
            ("https://amp.h.test/news/a-story.html?id=7", 1),
        ] {
            assert_eq!((of(view).key, of(view).marks), (page.key, marks), "{view}");
        }
        assert_eq!(of("http://h.test/news/a/index.html").key, of("http://h.test/news/a").key);
        assert_eq!(of("http://h.test/a/?amp").key, of("http://h.test/a").key);
    }

    #[test]
    fn other_pages_have_other_keys() {
        let page = of("https://h.test/news/story?id=7");
        for other in [
            "https://h.test/news/story?id=8",
            "https://h.test/news/story",
            "https://h.test/news/story?id=7&page=2",
            "https://h.test/old/story?id=7",
            "https://h.test:8080/news/story?id=7",
            "https://de.h.test/news/story?id=7",
            "https://h.test/news/sprint-story?id=7",
        ] {
            assert_ne!(of(other).key, page.key, "{other}");
        }
        assert_ne!(of("http://h.test/print").key, of("http://h.test/reprint").key);
    }
}
