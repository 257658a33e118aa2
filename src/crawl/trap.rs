//! Guards against sites without end: repeated paths, growing queries, calendars, soft loops, sessions in unknown
//! parameters.
//!
//! What can be told from a URL alone is refused at once ([`absurd`]). The rest is learned: a page that says, but for its
//! numbers, what another page of the same form of URL said, and shows the same pictures, is *stale*, and a chain of stale
//! pages that lead to each other (next month, next month, ...) is cut. Lists are safe, however long: their pages differ, or
//! hang on another page; so are galleries, whose pages say "Photo 7 of 300" around another picture each.

use rustc_hash::{FxHashMap, FxHashSet};
use url::Url;
use xxhash_rust::xxh3::xxh3_64;

use crate::dom::{Attr, Dom, Tag};
use crate::urls::{identity, param_name};

/// Longest URL that is asked for, in bytes; common servers and proxies stop at 8 KiB or earlier.
const MAX_URL: usize = 4096;
/// Path segments at most.
const MAX_SEGMENTS: usize = 30;
/// Query parameters at most.
const MAX_PARAMS: usize = 40;
/// A run of up to four segments may come this often in a row.
const MAX_REPEATS: usize = 2;
/// One segment (of letters) may come this often in a path.
const MAX_SAME_SEGMENT: usize = 4;

/// Stale pages in a chain, and stale pages of a form reached from stale ones, before a form of URL goes no further.
const CHAIN: (u8, u32) = (10, 60);
/// The same for URLs that look like a calendar's.
const CALENDAR_CHAIN: (u8, u32) = (4, 12);

/// Names of parameters that often carry a session, a clock or a random number, but not always.
const WEAK_PARAMS: &[&str] = &[
    "sid",
    "s",
    "session",
    "sess",
    "psid",
    "ssid",
    "token",
    "rnd",
    "rand",
    "random",
    "_",
    "ts",
    "timestamp",
    "nocache",
    "cb",
    "cachebuster",
    "t",
    "time",
    "r",
    "uid",
    "uniq",
    "nonce",
    "hash",
    "key",
    "ref",
    "from",
    "src",
    "visit",
];

/// The reason for never asking for a URL, told from the URL alone.
pub(crate) fn absurd(url: &Url) -> Option<&'static str> {
    if url.as_str().len() > MAX_URL {
        return Some("the URL is too long");
    }
    let segments: Vec<&str> = url.path().split('/').filter(|s| !s.is_empty()).collect();
    if segments.len() > MAX_SEGMENTS {
        return Some("the path is too deep");
    }
    let same = |s: &&str| segments.iter().filter(|o| *o == s).count() > MAX_SAME_SEGMENT;
    if segments.iter().any(|s| !is_number(s) && same(s)) || (1..=4).any(|len| repeats(&segments, len)) {
        return Some("the path repeats itself");
    }
    let pairs: Vec<&str> = url.query().unwrap_or_default().split('&').filter(|p| !p.is_empty()).collect();
    if pairs.len() > MAX_PARAMS {
        return Some("the query has too many parameters");
    }
    if pairs.iter().any(|p| pairs.iter().filter(|o| *o == p).count() > MAX_REPEATS) {
        return Some("the query repeats itself");
    }
    None
}

fn is_number(segment: &str) -> bool {
    segment.bytes().all(|b| b.is_ascii_digit())
}

/// Whether some `len` segments, not all numbers, come more than [`MAX_REPEATS`] times in a row.
fn repeats(segments: &[&str], len: usize) -> bool {
    segments
        .windows(len * (MAX_REPEATS + 1))
        .any(|w| w[..len].iter().any(|s| !is_number(s)) && w.chunks_exact(len).all(|block| block == &w[..len]))
}

/// What a page says, as two hashes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Sayings {
    exact: u64,
    without_numbers: u64,
}

/// Hashes the visible text of a page, white space folded: once as it is, once without digits and with the addresses of
/// the pictures, films and sounds on it (without their queries, where clocks and random numbers stand).
pub(crate) fn sayings(dom: &Dom) -> Sayings {
    let words: Vec<&str> = dom.visible_text().split_whitespace().collect();
    let exact = words.join(" ");
    let mut bare: String = exact.chars().filter(|c| !c.is_numeric()).collect();
    for id in dom.ids() {
        if !matches!(dom.tag(id), Tag::IMG | Tag::VIDEO | Tag::AUDIO | Tag::SOURCE | Tag::EMBED) {
            continue;
        }
        for attr in [Attr::SRC, Attr::DATA_SRC, Attr::DATA_ORIGINAL, Attr::DATA_LAZY_SRC] {
            if let Some(address) = dom.attr(id, attr) {
                bare.push('\n');
                bare.push_str(address.split('?').next().unwrap_or_default());
            }
        }
    }
    Sayings { exact: xxh3_64(exact.as_bytes()), without_numbers: xxh3_64(bare.as_bytes()) }
}

/// What has been learned in this run.
#[derive(Debug, Default)]
pub(crate) struct Traps {
    /// By form of URL: what was said, and how many stale pages were reached from stale ones.
    forms: FxHashMap<u64, Form>,
    /// Length of the chain of stale pages that ends at a page, by identity.
    chains: FxHashMap<u64, u8>,
    /// By URL without weak parameters: what its pages said.
    bare: FxHashMap<u64, Vec<(u64, Box<str>)>>,
    /// URLs without weak parameters for which these parameters changed nothing.
    proven: FxHashSet<u64>,
}

#[derive(Debug, Default)]
struct Form {
    said: FxHashSet<u64>,
    stale: u32,
}

impl Traps {
    /// Learns from a page. Returns the URL of a page that differs from this one only in weak parameters and says exactly
    /// the same, if there is one.
    pub(crate) fn learn(&mut self, url: &Url, referrer: Option<&Url>, said: Sayings) -> Option<String> {
        let form = form(url);
        let state = self.forms.entry(form).or_default();
        if !state.said.insert(said.without_numbers) {
            let before = referrer.and_then(|r| self.chains.get(&key(r))).copied();
            if before.is_some() {
                state.stale += 1;
            }
            self.chains.insert(key(url), before.unwrap_or(0).saturating_add(1));
        }

        let (bare, weak) = without_weak(url);
        let known = self.bare.entry(bare).or_default();
        if let Some((_, twin)) = known.iter().find(|(exact, u)| *exact == said.exact && **u != *url.as_str()) {
            if weak || without_weak_differs(twin, url) {
                self.proven.insert(bare);
                return Some(twin.to_string());
            }
        } else if known.len() < 8 {
            known.push((said.exact, url.as_str().into()));
        }
        None
    }

    /// The reason for not following a link from a page that has been learned, if any.
    pub(crate) fn refuses(&self, link: &Url, from: &Url) -> Option<&'static str> {
        if let Some(reason) = absurd(link).or_else(|| self.is_twin(link)) {
            return Some(reason);
        }
        let chain = *self.chains.get(&key(from))?;
        // A form of which nothing is known yet may be a way out.
        let stale = self.forms.get(&form(link))?.stale;
        let (longest, most) = if is_calendar(link) { CALENDAR_CHAIN } else { CHAIN };
        (chain >= longest || stale >= most).then_some("pages of this form say the same again and again")
    }

    /// The reason for not asking for a queued URL after all: its weak parameters have been found to change nothing.
    pub(crate) fn is_twin(&self, url: &Url) -> Option<&'static str> {
        if self.proven.is_empty() {
            return None;
        }
        let (bare, weak) = without_weak(url);
        (weak && self.proven.contains(&bare)).then_some("the same page but for a session parameter")
    }
}

fn key(url: &Url) -> u64 {
    xxh3_64(identity(url).as_bytes())
}

/// The form of a URL: digits made one, runs of equal segments made one, query names only.
fn form(url: &Url) -> u64 {
    let mut out = String::with_capacity(url.as_str().len());
    out.push_str(url.host_str().unwrap_or_default());
    let mut last = String::new();
    for segment in url.path().split('/') {
        let masked = mask_digits(segment);
        if masked != last {
            out.push('/');
            out.push_str(&masked);
            last = masked;
        }
    }
    let mut names: Vec<&str> = url.query().unwrap_or_default().split('&').map(param_name).collect();
    names.sort_unstable();
    names.dedup();
    out.push('?');
    out.push_str(&names.join("&"));
    xxh3_64(out.as_bytes())
}

fn mask_digits(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match (c.is_ascii_digit(), out.ends_with('0')) {
            (true, true) => {}
            (true, false) => out.push('0'),
            (false, _) => out.push(c),
        }
    }
    out
}

/// Whether a URL looks like a calendar's: a word for it, or a year with a month.
fn is_calendar(url: &Url) -> bool {
    const WORDS: &[&str] = &[
        "calendar",
        "kalender",
        "calendrier",
        "calendario",
        "agenda",
        "ical",
        "month",
        "monat",
        "mois",
        "week",
        "year",
        "jahr",
        "annee",
        "date",
        "day",
        "event",
        "termine",
        "schedule",
    ];
    let text = url[url::Position::BeforePath..].to_ascii_lowercase();
    let year = |w: &[u8]| w.iter().all(u8::is_ascii_digit) && matches!(&w[..2], b"19" | b"20" | b"21");
    WORDS.iter().any(|w| text.contains(w)) || text.as_bytes().windows(4).any(year)
}

/// Whether a folder of a path looks like a session: a long number, or a long mix of letters and digits.
fn is_weak_folder(segment: &str) -> bool {
    let digits = segment.bytes().filter(u8::is_ascii_digit).count();
    (segment.len() >= 4 && digits == segment.len())
        || (segment.len() >= 16 && digits >= 3 && segment.bytes().all(|b| b.is_ascii_alphanumeric()))
}

/// The hash of the URL without what may be a session (weak query parameters, path parameters, folders that look like
/// one), and whether it has any.
fn without_weak(url: &Url) -> (u64, bool) {
    let is_weak = |pair: &&str| WEAK_PARAMS.contains(&param_name(pair).to_ascii_lowercase().as_str());
    let mut weak = false;
    let mut out = String::from(url.host_str().unwrap_or_default());
    let mut segments = url.path().split('/').peekable();
    while let Some(segment) = segments.next() {
        out.push('/');
        if segments.peek().is_some() && is_weak_folder(segment) {
            weak = true;
            continue;
        }
        let mut parts = segment.split(';');
        out.push_str(parts.next().unwrap_or_default());
        // Whatever a path parameter is called, it seldom names a page.
        weak |= parts.next().is_some();
    }
    let mut pairs: Vec<&str> = url.query().unwrap_or_default().split('&').filter(|p| !p.is_empty()).collect();
    let all = pairs.len();
    pairs.retain(|p| !is_weak(p));
    weak |= pairs.len() < all;
    pairs.sort_unstable();
    out.push('?');
    out.push_str(&pairs.join("&"));
    (xxh3_64(out.as_bytes()), weak)
}

fn without_weak_differs(twin: &str, url: &Url) -> bool {
    Url::parse(twin).is_ok_and(|twin| without_weak(&twin).1 && twin != *url)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn url(text: &str) -> Url {
        Url::parse(&format!("http://h{text}")).expect("test URL")
    }

    fn said(text: &str) -> Sayings {
        sayings(&Dom::parse(text))
    }

    #[test]
    fn absurd_urls_are_refused() {
        for (path, want) in [
            ("/a/b/c".to_owned(), false),
            ("/a/a/x".to_owned(), false),
            ("/a/b/a/b/x".to_owned(), false),
            ("/a/a/a".to_owned(), true),
            ("/x/a/b/a/b/a/b".to_owned(), true),
            ("/a/1/a/2/a/3/a/4".to_owned(), false),
            ("/a/1/a/2/a/3/a/4/a/5".to_owned(), true),
            ("/2020/01/01/01".to_owned(), false),
            ("/x?a=1&a=1".to_owned(), false),
            ("/x?a=1&a=1&a=1".to_owned(), true),
            ("/x?a=1&a=2&a=3".to_owned(), false),
            (format!("/{}", "1/".repeat(31)), true),
            (format!("/{}", "long-name-".repeat(60)), false),
            (format!("/{}", "x".repeat(5000)), true),
        ] {
            assert_eq!(absurd(&url(&path)).is_some(), want, "{path}");
        }
    }

    /// Follows a chain of pages, each found on the one before, until a link is refused.
    fn follow(name: impl Fn(u32) -> String, text: impl Fn(u32) -> String) -> u32 {
        let mut traps = Traps::default();
        let mut from = None;
        for n in 0..500 {
            let here = url(&name(n));
            if let Some(from) = &from
                && traps.refuses(&here, from).is_some()
            {
                return n;
            }
            traps.learn(&here, from.as_ref(), said(&text(n)));
            from = Some(here);
        }
        500
    }

    #[test]
    fn calendars_and_soft_loops_end_and_lists_do_not() {
        let month = |n: u32| format!("Nothing on in {}/{}", n % 12 + 1, 2000 + n / 12);
        assert!(follow(|n| format!("/calendar/{}/{}", 2000 + n / 12, n % 12 + 1), month) < 10);
        assert!(follow(|n| format!("/calendar?month={n}"), month) < 10);
        assert!(follow(|n| format!("/more?n={n}"), |_| "The same words".to_owned()) < 20);
        // Each folder leads one deeper; the words are always the same.
        assert!(follow(|n| format!("/x{}", "/7".repeat(n as usize + 1)), |n| format!("Step {n}")) < 20);
        // Two forms that lead to each other.
        assert!(follow(|n| format!("/{}/{n}", ["a", "b"][n as usize % 2]), |_| "The same words".to_owned()) < 20);
        assert_eq!(follow(|n| format!("/list?page={n}"), |n| format!("Item {}", "x".repeat(n as usize))), 500);
        let photo = |n: u32| format!("Photo {n} of 500 <img src=/photos/{n}.jpg> <img src=/logo.png>");
        assert_eq!(follow(|n| format!("/gallery/{n}"), photo), 500);
        let spacer = |n: u32| format!("Nothing on {n} <img src='/dot.gif?{n}'> <img src=/logo.png>");
        assert!(follow(|n| format!("/gallery/{n}"), spacer) < 20);
    }

    #[test]
    fn many_like_pages_on_one_list_are_all_followed() {
        let mut traps = Traps::default();
        let index = url("/");
        traps.learn(&index, None, said("index"));
        for n in 0..200 {
            let page = url(&format!("/p/{n}"));
            assert_eq!(traps.refuses(&page, &index), None);
            assert_eq!(traps.learn(&page, Some(&index), said(&format!("Page {n}"))), None);
        }
    }

    #[test]
    fn unknown_sessions_are_learned() {
        let mut traps = Traps::default();
        let text = said("Three lamps for sale");
        assert_eq!(traps.learn(&url("/lamps?sid=1"), None, text), None);
        assert_eq!(traps.learn(&url("/lamps?sid=2"), None, text), Some("http://h/lamps?sid=1".into()));
        assert!(traps.is_twin(&url("/lamps?sid=3")).is_some());
        assert!(traps.is_twin(&url("/rugs?sid=3")).is_none());
        assert!(traps.refuses(&url("/lamps?sid=4"), &url("/")).is_some());
        let other = said("Three rugs for sale");
        assert_eq!(traps.learn(&url("/s/004291/rugs"), None, other), None);
        assert_eq!(traps.learn(&url("/s/993120/rugs"), None, other), Some("http://h/s/004291/rugs".into()));
        assert!(traps.is_twin(&url("/s/104242/rugs")).is_some());
        assert_eq!(traps.learn(&url("/s/004291/cups"), None, said("Cups")), None);
        assert_eq!(traps.learn(&url("/s/993120/cups"), None, said("Other cups")), None);
        // The same words under another name of a page are a copy, not a session.
        assert_eq!(traps.learn(&url("/lamps-copy"), None, text), None);
        assert_eq!(traps.learn(&url("/a?id=1"), None, text), None);
        assert_eq!(traps.learn(&url("/a?id=2"), None, text), None);
    }
}
