//! What robots.txt allows (RFC 9309).
//!
//! `robotxt` parses and matches: of the three crates compared it alone merges the groups of one agent, compares
//! percent-encoded octets in one form, and limits the size. Here is mended what it leaves: agents written with a version
//! (`wisdom/2.0`), rules written as whole URLs, relative sitemaps, UTF-16 files.

use std::time::Duration;

use robotxt::{Agent, Robots};
use url::Url;

/// Bytes of robots.txt that are read: the 500 KiB that RFC 9309 asks for.
pub(crate) const MAX_BYTES: usize = robotxt::BYTE_LIMIT;

/// The rules of one robots.txt for one crawler.
#[derive(Clone, Debug)]
pub(crate) struct Rules {
    robots: Robots,
    /// Sitemaps named anywhere in the file, resolved against it, in order, once each.
    pub(crate) sitemaps: Vec<Url>,
}

impl Rules {
    /// Parses the body of a robots.txt that lies at `at`. Never fails: what is no rule (an HTML page, say) forbids nothing.
    pub(crate) fn parse(body: &[u8], at: &Url, token: &str) -> Self {
        let text = decode(whole_lines(body));
        let mut clean = String::with_capacity(text.len());
        let mut sitemaps: Vec<Url> = Vec::new();
        for line in text.split(['\r', '\n', '\0']) {
            let line = line.trim_matches(|c: char| c.is_whitespace() || c == '\u{feff}');
            let (key, value) = key_value(line);
            if is_agent(key) {
                clean.push_str("User-agent: ");
                clean.push_str(if value.starts_with('*') { "*" } else { product_token(value) });
            } else if is_sitemap(key) {
                if let Ok(url) = at.join(value)
                    && !value.is_empty()
                    && !sitemaps.contains(&url)
                {
                    sitemaps.push(url);
                }
                continue;
            } else if let Some(path) = path_of_whole_url(value) {
                clean.push_str(key);
                clean.push_str(": ");
                clean.push_str(&path);
            } else {
                clean.push_str(line);
            }
            clean.push('\n');
        }
        Self { robots: Robots::parse(clean.as_bytes(), Agent::Exact(token)), sitemaps }
    }

    /// No robots.txt: everything is allowed.
    pub(crate) fn allow_all() -> Self {
        Self { robots: Robots::allow_all(), sitemaps: Vec::new() }
    }

    /// robots.txt cannot be had: nothing is allowed (RFC 9309, section 2.3.1.4).
    pub(crate) fn disallow_all() -> Self {
        Self { robots: Robots::disallow_all(), sitemaps: Vec::new() }
    }

    /// Whether the URL may be asked for: the longest matching rule counts, and `Allow` at equal length.
    pub(crate) fn allows(&self, url: &Url) -> bool {
        self.robots.is_url_allowed(url)
    }

    /// The `Crawl-delay` of the group that applies.
    pub(crate) fn crawl_delay(&self) -> Option<Duration> {
        self.robots.crawl_delay()
    }
}

/// The letters, `-` and `_` that a user agent begins with: `wisdom` of `wisdom/0.1 (+...)`.
pub(crate) fn product_token(agent: &str) -> &str {
    let agent = agent.trim_start();
    let end = agent.find(|c: char| !(c.is_ascii_alphabetic() || c == '-' || c == '_')).unwrap_or(agent.len());
    if end == 0 { agent.split([' ', '/', '\t']).next().unwrap_or_default() } else { &agent[..end] }
}

/// The lines that end within the first [`MAX_BYTES`]: half a rule would forbid too much.
fn whole_lines(body: &[u8]) -> &[u8] {
    match body.get(..MAX_BYTES) {
        Some(head) => &head[..head.iter().rposition(|&b| b == b'\n' || b == b'\r').unwrap_or(0)],
        None => body,
    }
}

fn decode(body: &[u8]) -> String {
    // UTF-8 unless a byte order mark says UTF-16; single stray bytes (Latin-1) spoil nothing but their own line.
    encoding_rs::UTF_8.decode(body).0.into_owned()
}

/// Key and value of a line, its comment cut off.
fn key_value(line: &str) -> (&str, &str) {
    let line = line.split('#').next().unwrap_or_default();
    let (key, value) = line.split_once(':').or_else(|| line.split_once([' ', '\t'])).unwrap_or((line, ""));
    (key.trim(), value.trim())
}

fn is_agent(key: &str) -> bool {
    ["user-agent", "useragent", "user agent"].iter().any(|k| key.eq_ignore_ascii_case(k))
}

fn is_sitemap(key: &str) -> bool {
    ["sitemap", "site-map", "site map"].iter().any(|k| key.eq_ignore_ascii_case(k))
}

/// Path and query of a rule written as `https://host/path`; `None` for other rules.
fn path_of_whole_url(value: &str) -> Option<String> {
    let scheme_end =
        value.find("://").filter(|&at| ["http", "https"].contains(&value[..at].to_ascii_lowercase().as_str()))?;
    let rest = &value[scheme_end + 3..];
    Some(rest.find('/').map_or_else(|| "/".to_owned(), |at| rest[at..].to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rules(text: &str) -> Rules {
        Rules::parse(text.as_bytes(), &Url::parse("http://h/robots.txt").expect("test URL"), "wisdom")
    }

    fn allowed(text: &str, path: &str) -> bool {
        rules(text).allows(&Url::parse(&format!("http://h{path}")).expect("test URL"))
    }

    #[test]
    fn rules_match_by_the_standard() {
        // (robots.txt, path, allowed)
        let table: &[(&str, &str, bool)] = &[
            ("User-agent: *\nDisallow: /private/", "/private/x", false),
            ("\u{feff}User-agent: *\r\nDisallow: /private/\r\n\r\n# end\r\n", "/private/x", false),
            ("\u{feff}User-agent: *\r\nDisallow: /private/\r\n", "/open", true),
            ("User-agent: *\rDisallow: /a\r", "/a", false),
            // Blank lines end nothing, comments and unknown lines neither.
            ("User-agent: *\n\nDisallow: /a\n\nDisallow: /b", "/b", false),
            ("User-agent: * # all\nNoise: x\nDisallow: /a # why", "/a", false),
            ("user-AGENT : *\n  disallow:/a", "/a", false),
            ("User-agent: *\nDisallow:", "/a", true),
            ("", "/a", true),
            ("<!DOCTYPE html><html><body>Not found<p>Disallow: /</body></html>", "/a", true),
            // Own group instead of the general one; names in any case, with a version, several to a group.
            ("User-agent: *\nDisallow: /\n\nUser-agent: wisdom\nAllow: /", "/a", true),
            ("User-agent: *\nAllow: /\n\nUser-agent: WISDOM/2.0\nDisallow: /", "/a", false),
            ("User-agent: other\nUser-agent: Wisdom\nDisallow: /a", "/a", false),
            ("User-agent: wisdomtooth\nDisallow: /", "/a", true),
            ("User-agent: wis\nDisallow: /", "/a", true),
            ("User-agent: *\nDisallow: /a\nUser-agent: wisdom\nDisallow:", "/a", true),
            // Groups of one agent are one group.
            (
                "User-agent: wisdom\nDisallow: /a\n\nUser-agent: x\nDisallow: /c\n\nUser-agent: wisdom\nDisallow: /b",
                "/a",
                false,
            ),
            (
                "User-agent: wisdom\nDisallow: /a\n\nUser-agent: x\nDisallow: /c\n\nUser-agent: wisdom\nDisallow: /b",
                "/b",
                false,
            ),
            (
                "User-agent: wisdom\nDisallow: /a\n\nUser-agent: x\nDisallow: /c\n\nUser-agent: wisdom\nDisallow: /b",
                "/c",
                true,
            ),
            // The longest match counts, Allow at equal length.
            ("User-agent: *\nDisallow: /a\nAllow: /a/b", "/a/b/c", true),
            ("User-agent: *\nAllow: /a/b\nDisallow: /a", "/a/c", false),
            ("User-agent: *\nDisallow: /a\nAllow: /a", "/a", true),
            ("User-agent: *\nDisallow: /\nAllow: /$", "/", true),
            ("User-agent: *\nDisallow: /\nAllow: /$", "/a", false),
            // Wildcards, also over the query.
            ("User-agent: *\nDisallow: /*word=", "/find?word=lamp", false),
            ("User-agent: *\nDisallow: /*.csv$", "/data.csv", false),
            ("User-agent: *\nDisallow: /*.csv$", "/data.csv.html", true),
            ("User-agent: *\nDisallow: /*?", "/a", true),
            ("User-agent: *\nDisallow: *secret", "/top/secret", false),
            ("User-agent: *\nDisallow: /a**b", "/axxb", false),
            // Percent-encoding in any case, bare characters, spaces.
            ("User-agent: *\nDisallow: /%7ejoe/", "/~joe/x", false),
            ("User-agent: *\nDisallow: /caf%c3%a9", "/caf\u{e9}", false),
            ("User-agent: *\nDisallow: /caf\u{e9}", "/caf%C3%A9", false),
            ("User-agent: *\nDisallow: /a%2fb", "/a/b", true),
            ("User-agent: *\nDisallow: /A", "/a", true),
            // Careless files.
            ("User-agent: *\nDisallow: private/", "/private/x", false),
            ("User-agent: *\nDisallow: http://h/private/", "/private/x", false),
            ("User-agent: *\nDissalow: /a", "/a", false),
            ("User-agent *\nDisallow /a", "/a", false),
            ("User-agent: *\nSitemap: http://h/s.xml\nDisallow: /a", "/a", false),
            ("User-agent: *\nCrawl-delay: 1\nUser-agent: other\nDisallow: /a", "/a", true),
            ("Disallow: /a", "/a", true),
            ("User-agent: *\nDisallow: /", "/robots.txt", true),
        ];
        for (text, path, want) in table {
            assert_eq!(allowed(text, path), *want, "{text:?} for {path}");
        }
    }

    #[test]
    fn utf16_files_are_read() {
        let text = "User-agent: *\nDisallow: /a";
        let bytes: Vec<u8> = [0xff, 0xfe].into_iter().chain(text.encode_utf16().flat_map(u16::to_le_bytes)).collect();
        let at = Url::parse("http://h/robots.txt").expect("test URL");
        assert!(!Rules::parse(&bytes, &at, "wisdom").allows(&at.join("/a").expect("test URL")));
    }

    #[test]
    fn sitemaps_are_resolved_and_kept_once() {
        let found =
            rules("Sitemap: /s.xml\nUser-agent: x\nSITEMAP: http://cdn/t.xml#x\nsitemap:/s.xml\nSitemap:\n").sitemaps;
        assert_eq!(found.iter().map(Url::as_str).collect::<Vec<_>>(), ["http://h/s.xml", "http://cdn/t.xml"]);
    }

    #[test]
    fn crawl_delay_is_that_of_the_own_group() {
        let delay = |text| rules(text).crawl_delay();
        assert_eq!(delay("User-agent: *\nCrawl-delay: 2.5"), Some(Duration::from_millis(2500)));
        assert_eq!(delay("User-agent: *\nCrawl-delay: 9\n\nUser-agent: wisdom\nDisallow:"), None);
        assert_eq!(delay("User-agent: wisdom\nCrawl-delay: 1"), Some(Duration::from_secs(1)));
        assert_eq!(delay("User-agent: *\nCrawl-delay: soon"), None);
        assert_eq!(delay("User-agent: *\nCrawl-delay: -1"), None);
    }

    #[test]
    fn only_the_first_500_kib_count() {
        let mut text = String::from("User-agent: *\nDisallow: /a\n");
        text.push_str(&"#x\n".repeat(MAX_BYTES / 3));
        text.push_str("Disallow: /b\n");
        assert!(!allowed(&text, "/a"));
        assert!(allowed(&text, "/b"));
    }

    #[test]
    fn tokens_are_what_an_agent_begins_with() {
        for (agent, want) in
            [("wisdom/0.1 (+x)", "wisdom"), ("My-Bot_x 2", "My-Bot_x"), ("", ""), ("360Spider", "360Spider")]
        {
            assert_eq!(product_token(agent), want);
        }
    }
}
