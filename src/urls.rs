//! One normal form of URLs, so that a page is fetched, stored and looked up under a single name.
//!
//! [`normalize`] says which URL is asked for and stored; [`identity`] says which URLs are the same page. They differ in
//! one thing: the order of query parameters never makes a new page, but a request is sent in the order the site wrote.
//! Pure: no network, no clock.

use std::borrow::Cow;

use url::Url;

/// Query and path parameters that only carry a session, in lower case.
const SESSION_PARAMS: &[&str] = &[
    "jsessionid",
    "phpsessid",
    "phpsession",
    "sessionid",
    "session_id",
    "session-id",
    "sessid",
    "sess_id",
    "asp.net_sessionid",
    "aspsessionid",
    "cfid",
    "cftoken",
    "cfsession",
    "oscsid",
    "oscadminid",
    "zenid",
    "xtcsid",
    "mscssid",
    "osessionid",
    "jservsessionid",
    "sessionkey",
    "session_key",
    "sessiontoken",
    "wosid",
    "bv_sessionid",
    "bv_engineid",
    "msgsid",
];

/// Session parameters whose name also serves other ends: dropped only with a value that looks like a token.
const SHORT_SESSION_PARAMS: &[&str] = &["sid", "s", "session", "sess", "psid", "tsid", "ssid"];

/// Parameters that tell the site's statistics where a reader came from, in lower case. None changes the page.
const TRACKING_PARAMS: &[&str] = &[
    "fbclid",
    "gclid",
    "gclsrc",
    "dclid",
    "gbraid",
    "wbraid",
    "msclkid",
    "yclid",
    "ysclid",
    "twclid",
    "ttclid",
    "igshid",
    "li_fat_id",
    "mc_cid",
    "mc_eid",
    "mkt_tok",
    "_ga",
    "_gl",
    "_hsenc",
    "_hsmi",
    "__hssc",
    "__hstc",
    "__hsfp",
    "hsctatracking",
    "vero_id",
    "oly_enc_id",
    "oly_anon_id",
    "_openstat",
    "wickedid",
    "srsltid",
    "s_kwcid",
    "ef_id",
];

/// The URL under which a page is asked for and stored.
///
/// Dropped: fragment, user name and password, the trailing dot of a host, an empty query, session and tracking
/// parameters (in the query, in `;name=value` path parameters and as ASP.NET `(S(...))` segments). Percent-encoding is
/// brought to one form: unreserved characters bare, hexadecimal digits in upper case. Scheme, host, default ports, dot
/// segments and IDN are normal already in any [`Url`]. Order and case of everything else stay, and `/` is not
/// `/index.html`. Idempotent. Linear in the length of the URL, but for URLs made to be decoded again and again.
///
/// ```
/// let url = url::Url::parse("HTTP://Example.COM:80/%7ejo/a;jsessionid=1F?utm_source=x&id=7#top").unwrap();
/// assert_eq!(wisdom::urls::normalize(&url).as_str(), "http://example.com/~jo/a?id=7");
/// ```
pub fn normalize(url: &Url) -> Url {
    let mut now = step(url.clone());
    // Taking something away can bring two harmless halves together ("%%361", "..;sid=1"), so go on to a fixed point.
    // Every step only shortens, or raises the case of, what is left; the bound is for the reader's peace of mind.
    for _ in 0..16 {
        let next = step(now.clone());
        if next == now {
            break;
        }
        now = next;
    }
    now
}

/// Parses and normalises an absolute http or https URL; `None` for anything else.
pub fn parse_normalized(text: &str) -> Option<Url> {
    let url = Url::parse(text.trim()).ok()?;
    is_web(&url).then(|| normalize(&url))
}

/// Whether the URL is one that a crawl can ask for: http or https, with a host.
pub fn is_web(url: &Url) -> bool {
    matches!(url.scheme(), "http" | "https") && url.host_str().is_some_and(|h| !h.is_empty())
}

/// The key under which two spellings of one page meet: the normal form with its query parameters sorted by name and
/// empty ones left out. Parameters of the same name keep their order. Use it to match anchors with stored pages.
///
/// ```
/// let a = url::Url::parse("http://h/l?b=2&a=1").unwrap();
/// let b = url::Url::parse("http://h/l?&a=1&b=2#x").unwrap();
/// assert_eq!(wisdom::urls::identity(&a), wisdom::urls::identity(&b));
/// ```
pub fn identity(url: &Url) -> String {
    let mut url = normalize(url);
    if let Some(query) = url.query() {
        let mut pairs: Vec<&str> = query.split('&').filter(|p| !p.is_empty()).collect();
        pairs.sort_by_key(|p| param_name(p));
        let sorted = pairs.join("&");
        url.set_query((!sorted.is_empty()).then_some(&sorted));
    }
    url.into()
}

/// The name of a `name=value` pair as it stands.
pub(crate) fn param_name(pair: &str) -> &str {
    pair.split_once('=').map_or(pair, |(name, _)| name)
}

fn step(mut url: Url) -> Url {
    url.set_fragment(None);
    if !url.username().is_empty() || url.password().is_some() {
        // Both calls fail only for URLs that cannot have a user, which then need no cleaning.
        let _ = url.set_username("");
        let _ = url.set_password(None);
    }
    if let Some(host) = url.host_str().filter(|h| h.len() > 1 && h.ends_with('.')) {
        let host = host.trim_end_matches('.').to_owned();
        if !host.is_empty() {
            let _ = url.set_host(Some(&host));
        }
    }
    if !url.cannot_be_a_base() {
        let path = percent_normal(url.path());
        let path = without_path_sessions(&path).into_owned();
        if path != url.path() {
            url.set_path(&path);
        }
    }
    if let Some(query) = url.query() {
        let kept: Vec<Cow<'_, str>> = query.split('&').filter(|p| !is_noise(p)).map(percent_normal).collect();
        let kept = kept.join("&");
        if kept.trim_matches('&').is_empty() {
            url.set_query(None);
        } else if Some(kept.as_str()) != url.query() {
            url.set_query(Some(&kept));
        }
    }
    url
}

/// Whether a query parameter says nothing about which page is meant.
fn is_noise(pair: &str) -> bool {
    let (name, value) = pair.split_once('=').unwrap_or((pair, ""));
    // "&amp;" escaped once too often leaves "amp;utm_source".
    let name = name.to_ascii_lowercase();
    let name = name.strip_prefix("amp;").unwrap_or(&name);
    name.starts_with("utm_")
        || TRACKING_PARAMS.contains(&name)
        || SESSION_PARAMS.contains(&name)
        || name.starts_with("aspsessionid")
        || (SHORT_SESSION_PARAMS.contains(&name) && is_token(value))
}

/// Long, of letters and digits both, no words: what session ids look like.
fn is_token(value: &str) -> bool {
    value.len() >= 16
        && value.bytes().all(|b| b.is_ascii_alphanumeric())
        && value.bytes().filter(u8::is_ascii_digit).count() >= 3
}

fn without_path_sessions(path: &str) -> Cow<'_, str> {
    if !path.contains([';', '(']) {
        return Cow::Borrowed(path);
    }
    let segments = path.split('/').filter(|s| !is_cookieless(s)).map(|segment| {
        let mut parts = segment.split(';');
        let first = parts.next().unwrap_or_default().to_owned();
        parts.filter(|p| !is_path_session(p)).fold(first, |kept, part| kept + ";" + part)
    });
    Cow::Owned(segments.collect::<Vec<_>>().join("/"))
}

fn is_path_session(param: &str) -> bool {
    let name = param_name(param).to_ascii_lowercase();
    // WebLogic writes ";jsessionid!token".
    let name = name.split('!').next().unwrap_or_default();
    SESSION_PARAMS.contains(&name) || (SHORT_SESSION_PARAMS.contains(&name) && param.contains('='))
}

/// ASP.NET's session without cookies: a path segment such as `(S(3xk2...))` or `(A(...)S(...))`.
fn is_cookieless(segment: &str) -> bool {
    let Some(inner) = segment.strip_prefix('(').and_then(|s| s.strip_suffix(')')) else { return false };
    let mut rest = inner;
    if rest.is_empty() {
        return false;
    }
    while !rest.is_empty() {
        let Some(group) = rest.strip_prefix(['A', 'S', 'F', 'X']).and_then(|r| r.strip_prefix('(')) else {
            return false;
        };
        let Some((value, after)) = group.split_once(')') else { return false };
        if value.is_empty() || !value.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-' || b == b'_') {
            return false;
        }
        rest = after;
    }
    true
}

/// Bare unreserved characters and upper-case digits in percent-encoded ones (RFC 3986, section 6.2.2).
fn percent_normal(text: &str) -> Cow<'_, str> {
    if !text.contains('%') {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('%') {
        let (before, from) = rest.split_at(at);
        out.push_str(before);
        let byte = from.get(1..3).filter(|h| h.bytes().all(|b| b.is_ascii_hexdigit()));
        match byte.and_then(|hex| u8::from_str_radix(hex, 16).ok()) {
            Some(b) if b.is_ascii_alphanumeric() || matches!(b, b'-' | b'.' | b'_' | b'~') => {
                out.push(char::from(b));
                rest = &from[3..];
            }
            Some(_) => {
                out.push_str(&from[..3].to_ascii_uppercase());
                rest = &from[3..];
            }
            None => {
                out.push('%');
                rest = &from[1..];
            }
        }
    }
    out.push_str(rest);
    Cow::Owned(out)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn norm(text: &str) -> String {
        normalize(&Url::parse(text).expect("test URL")).into()
    }

    #[test]
    fn table_of_normal_forms() {
        for (given, want) in [
            ("http://h", "http://h/"),
            ("http://h/#top", "http://h/"),
            ("HTTP://ExAmPle.COM:80/A", "http://example.com/A"),
            ("https://h:443/", "https://h/"),
            ("http://h:8080/", "http://h:8080/"),
            ("http://h./a", "http://h/a"),
            ("http://me:secret@h/a", "http://h/a"),
            ("http://h/a/./b/../c", "http://h/a/c"),
            ("http://h/a?", "http://h/a"),
            ("http://h/a?&", "http://h/a"),
            ("http://h/%7euser/%c3%a9", "http://h/~user/%C3%A9"),
            ("http://h/caf\u{e9}", "http://h/caf%C3%A9"),
            ("http://b\u{fc}cher.example/", "http://xn--bcher-kva.example/"),
            ("http://h/a%2fb", "http://h/a%2Fb"),
            ("http://h/a?x=%2f&y=%41", "http://h/a?x=%2F&y=A"),
            ("http://h/a?b=2&a=1", "http://h/a?b=2&a=1"),
            ("http://h/wares?&pg=2", "http://h/wares?&pg=2"),
            ("http://h/a?utm_source=n&id=1&UTM_medium=m", "http://h/a?id=1"),
            ("http://h/a?fbclid=1&gclid=2", "http://h/a"),
            ("http://h/lamps;jsessionid=004291?from=menu", "http://h/lamps?from=menu"),
            ("http://h/a;JSESSIONID=A!12!34/b;v=1", "http://h/a/b;v=1"),
            ("http://h/a?PHPSESSID=1&q=x", "http://h/a?q=x"),
            ("http://h/a?ASPSESSIONIDQQABC=1", "http://h/a"),
            ("http://h/a?CFID=1&CFTOKEN=2&p=3", "http://h/a?p=3"),
            ("http://h/t?sid=0a1b2c3d4e5f60718293a4b5c6d7e8f9&t=5", "http://h/t?t=5"),
            ("http://h/t?sid=12&t=5", "http://h/t?sid=12&t=5"),
            ("http://h/t?s=harbourwallharbour", "http://h/t?s=harbourwallharbour"),
            ("http://h/(S(lit3py55t21z5v55vlm25s55))/a.aspx", "http://h/a.aspx"),
            ("http://h/(draft)/a", "http://h/(draft)/a"),
            ("http://h/Foo_(bar)", "http://h/Foo_(bar)"),
            ("http://h/100%", "http://h/100%"),
            ("http://h/%%361", "http://h/a"),
            ("http://h/index.html", "http://h/index.html"),
            ("http://h/a//b", "http://h/a//b"),
        ] {
            assert_eq!(norm(given), want, "{given}");
        }
    }

    #[test]
    fn only_web_urls_are_parsed() {
        assert_eq!(parse_normalized("  http://h/a#b\n").map(String::from).as_deref(), Some("http://h/a"));
        for other in ["javascript:void(0)", "mailto:a@b", "ftp://h/a", "/a", "", "http://", "data:text/html,x"] {
            assert_eq!(parse_normalized(other), None, "{other}");
        }
    }

    #[test]
    fn order_and_empty_parameters_make_no_new_page() {
        let id = |text| identity(&Url::parse(text).expect("test URL"));
        assert_eq!(id("http://h/w?&pg=2"), id("http://h/w?pg=2"));
        assert_eq!(id("http://h/w?b=1&a=2&b=0"), id("http://h/w?b=1&b=0&a=2"));
        assert_ne!(id("http://h/w?b=1&b=0"), id("http://h/w?b=0&b=1"));
        assert_ne!(id("http://h/w"), id("http://h/w/"));
        assert_ne!(id("http://h/W"), id("http://h/w"));
    }

    proptest! {
        #[test]
        fn normal_forms_are_fixed_points(
            path in "[a-zA-Z0-9/.;=%()&~!_-]{0,40}",
            query in "[a-zA-Z0-9=&%;_+.-]{0,40}",
            tail in proptest::sample::select(vec!["", ";jsessionid=1", "%%36%31", "/%2e%2E/x", "?utm_a=1&&b", "(S(a))"]),
        ) {
            if let Ok(url) = Url::parse(&format!("http://h/{path}{tail}?{query}")) {
                let once = normalize(&url);
                prop_assert_eq!(normalize(&once), once.clone());
                prop_assert_eq!(identity(&once), identity(&url));
                let id = identity(&url);
                prop_assert_eq!(identity(&Url::parse(&id).expect("an identity is a URL")), id);
            }
        }
    }
}
