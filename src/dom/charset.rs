//! Bytes to text: the charset as browsers find it, with the repairs that real pages need.

use super::Dom;
use crate::page::Page;
use encoding_rs::{Encoding, GB18030, GBK, UTF_8, UTF_16BE, UTF_16LE};
use std::borrow::Cow;

/// How far into a page a declaration is looked for. The standard says 1,024 bytes; pages with long comments in front
/// declare later.
const DECLARED_WITHIN: usize = 8192;
/// How much of an undeclared page is shown to the detector, from its first non-ASCII byte on: it reads 3 MB/s.
const DETECTED_WITHIN: usize = 16_384;

/// What named the charset.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CharsetSource {
    /// A byte order mark.
    Bom,
    /// The `Content-Type` header.
    Header,
    /// A `meta` element or an XML declaration.
    Meta,
    /// Nothing: valid UTF-8, or a guess from the bytes.
    Detected,
}

/// A page as text.
#[derive(Clone, Debug)]
pub struct Decoded<'a> {
    /// The text, without byte order mark; bytes that fit no character are U+FFFD.
    pub text: Cow<'a, str>,
    /// The charset's name in the Encoding Standard, e.g. `UTF-8`, `gb18030`, `windows-1252`.
    pub charset: &'static str,
    /// What named it.
    pub source: CharsetSource,
}

/// Decodes a page. Never fails.
///
/// Order: byte order mark, `content_type` header, declaration in the page, detection. As browsers do, `gb2312` is read as
/// GB18030 and `latin1` as windows-1252. Three repairs beyond them: bytes that are valid UTF-8 (and not plain ASCII) are
/// UTF-8 whatever is declared; a declaration under which many bytes fit no character gives way to the next one; UTF-16
/// without byte order mark is recognised by its NULs. Time linear in the bytes.
///
/// ```
/// let page = wisdom::dom::decode(b"<meta charset=gb2312>\xb5\xc6\xcb\xfe", None);
/// assert_eq!((page.charset, page.text.ends_with("灯塔")), ("gb18030", true));
/// ```
pub fn decode<'a>(bytes: &'a [u8], content_type: Option<&str>) -> Decoded<'a> {
    if let Some((encoding, bom)) = Encoding::for_bom(bytes) {
        return with(encoding, &bytes[bom..], CharsetSource::Bom).0;
    }
    if let Some(encoding) = utf16_without_bom(bytes) {
        return with(encoding, bytes, CharsetSource::Detected).0;
    }
    let header = content_type.and_then(header_label).and_then(for_label);
    let meta = declared(&bytes[..bytes.len().min(DECLARED_WITHIN)]);
    let declared = header.map(|e| (e, CharsetSource::Header)).into_iter().chain(meta.map(|e| (e, CharsetSource::Meta)));
    if let Ok(text) = std::str::from_utf8(bytes) {
        let source = declared.clone().find(|(e, _)| *e == UTF_8).map_or(CharsetSource::Detected, |(_, source)| source);
        // ASCII is valid in every charset that a page may declare but for the escape-sequence ones.
        let escapes = bytes.contains(&0x1b) && declared.clone().any(|(e, _)| !e.is_ascii_compatible());
        if !escapes {
            let named = declared.clone().find(|_| text.is_ascii());
            let (charset, source) = named.map_or((UTF_8.name(), source), |(e, source)| (e.name(), source));
            return Decoded { text: Cow::Borrowed(text), charset, source };
        }
    }
    let mut best: Option<(Decoded<'a>, usize)> = None;
    for (encoding, source) in declared {
        let (decoded, bad) = with(encoding, bytes, source);
        // A stray byte or two is the page's fault, one in a hundred characters beyond ASCII is the label's.
        if bad == 0 || bad * 100 < decoded.text.chars().filter(|c| !c.is_ascii()).count() {
            return decoded;
        }
        if best.as_ref().is_none_or(|(_, least)| bad < *least) {
            best = Some((decoded, bad));
        }
    }
    let (guess, bad) = with(detect(bytes), bytes, CharsetSource::Detected);
    match best {
        Some((declared, least)) if least <= bad => declared,
        _ => guess,
    }
}

/// Decodes and parses a fetched page; also the name of its charset.
pub fn parse_page(page: &Page) -> (Dom, &'static str) {
    let decoded = decode(&page.body, page.header("content-type"));
    (Dom::parse(&decoded.text), decoded.charset)
}

/// Decodes, and counts the characters that could not be.
fn with<'a>(encoding: &'static Encoding, bytes: &'a [u8], source: CharsetSource) -> (Decoded<'a>, usize) {
    let encoding = if encoding == GBK { GB18030 } else { encoding };
    let (text, malformed) = encoding.decode_without_bom_handling(bytes);
    let bad = if malformed { text.matches('\u{FFFD}').count() } else { 0 };
    (Decoded { text, charset: encoding.name(), source }, bad)
}

fn for_label(label: &str) -> Option<&'static Encoding> {
    Encoding::for_label_no_replacement(label.as_bytes())
}

/// The charset parameter of a `Content-Type` value.
fn header_label(value: &str) -> Option<&str> {
    let at = find_ignoring_case(value.as_bytes(), b"charset")?;
    label_after(&value.as_bytes()[at + 7..]).and_then(|label| std::str::from_utf8(label).ok())
}

/// The label in `= "label"`, quoted or not.
fn label_after(bytes: &[u8]) -> Option<&[u8]> {
    let rest = bytes.trim_ascii_start().strip_prefix(b"=")?.trim_ascii_start();
    let quoted = rest.first().is_some_and(|b| matches!(b, b'"' | b'\''));
    let rest = if quoted { &rest[1..] } else { rest };
    let end = rest
        .iter()
        .position(|&b| matches!(b, b'"' | b'\'' | b'>' | b';' | b'/' | b'?') || (!quoted && b.is_ascii_whitespace()))
        .unwrap_or(rest.len());
    let label = rest[..end].trim_ascii();
    (!label.is_empty()).then_some(label)
}

/// The first usable charset that a `meta` element or an XML declaration names, outside comments.
fn declared(head: &[u8]) -> Option<&'static Encoding> {
    let mut rest = head;
    while let Some(at) = rest.iter().position(|&b| b == b'<') {
        rest = &rest[at..];
        if rest.starts_with(b"<!--") {
            let end = rest.windows(3).skip(2).position(|w| w == b"-->")?;
            rest = &rest[end + 5..];
            continue;
        }
        let end = rest.iter().position(|&b| b == b'>').unwrap_or(rest.len());
        let tag = &rest[..end];
        let key: Option<&[u8]> = if starts_ignoring_case(tag, b"<meta") {
            Some(b"charset")
        } else if starts_ignoring_case(tag, b"<?xml") {
            Some(b"encoding")
        } else {
            None
        };
        if let Some(key) = key
            && let Some(at) = find_ignoring_case(tag, key)
            && let Some(label) = label_after(&tag[at + key.len()..])
            && let Some(encoding) = Encoding::for_label_no_replacement(label)
        {
            // The declaration could be read as ASCII, so the page is no UTF-16: the standard says UTF-8.
            return Some(if encoding == UTF_16BE || encoding == UTF_16LE { UTF_8 } else { encoding });
        }
        rest = &rest[end.min(rest.len() - 1) + 1..];
    }
    None
}

fn starts_ignoring_case(bytes: &[u8], prefix: &[u8]) -> bool {
    bytes.len() >= prefix.len() && bytes[..prefix.len()].eq_ignore_ascii_case(prefix)
}

fn find_ignoring_case(bytes: &[u8], needle: &[u8]) -> Option<usize> {
    bytes.windows(needle.len()).position(|window| window.eq_ignore_ascii_case(needle))
}

/// UTF-16 whose byte order mark was lost: every other byte of the ASCII in a page's head is NUL.
fn utf16_without_bom(bytes: &[u8]) -> Option<&'static Encoding> {
    let head = &bytes[..bytes.len().min(256) & !1];
    if head.len() < 16 {
        return None;
    }
    let nuls = |odd: usize| head.iter().skip(odd).step_by(2).filter(|&&b| b == 0).count();
    let (even, odd, half) = (nuls(0), nuls(1), head.len() / 2);
    match () {
        () if odd * 10 > half * 7 && even * 10 < half => Some(UTF_16LE),
        () if even * 10 > half * 7 && odd * 10 < half => Some(UTF_16BE),
        () => None,
    }
}

/// A guess from the bytes around the first that are not ASCII.
fn detect(bytes: &[u8]) -> &'static Encoding {
    let first = bytes.iter().position(|b| !b.is_ascii()).unwrap_or(0).saturating_sub(64);
    let sample = &bytes[first..bytes.len().min(first + DETECTED_WITHIN)];
    let mut detector = chardetng::EncodingDetector::new(chardetng::Iso2022JpDetection::Allow);
    detector.feed(sample, first + sample.len() == bytes.len());
    // A page that is UTF-8 but for a few bytes counts as UTF-8 for the detector only without them, so ask ourselves.
    let utf8 = String::from_utf8_lossy(sample);
    let (bad, good) = utf8.chars().fold((0, 0), |(bad, good), c| match c {
        '\u{FFFD}' => (bad + 1, good),
        c if c.is_ascii() => (bad, good),
        _ => (bad, good + 1),
    });
    if good > 20 * bad { UTF_8 } else { detector.guess(None, chardetng::Utf8Detection::Allow) }
}

#[cfg(test)]
mod tests {
    use super::*;

    const CHINESE: &str = "港口的灯塔在夜里为归来的渔船指路，老人每天傍晚都要爬上一百二十级台阶去点灯。";
    const KOREAN: &str = "등대지기는 매일 저녁 백이십 개의 계단을 올라가 등불을 켰다.";
    const FRENCH: &str =
        "Le gardien du phare gravissait chaque soir cent vingt marches, été comme hiver, déjà fatigué.";

    fn check(bytes: &[u8], header: Option<&str>, charset: &str, text: &str) {
        let got = decode(bytes, header);
        assert!(got.text.ends_with(text), "{charset}: {}", got.text);
        assert_eq!(got.charset, charset);
    }

    fn page(label: &str, text: &str) -> Vec<u8> {
        let encoding = Encoding::for_label(label.as_bytes()).unwrap_or(UTF_8);
        let mut page =
            format!("<html><head><meta http-equiv=Content-Type content=\"text/html; charset={label}\"></head>")
                .into_bytes();
        page.extend_from_slice(&encoding.encode(text).0);
        page
    }

    #[test]
    fn declared_charsets_are_read_as_browsers_read_them() {
        check(&page("gb2312", CHINESE), None, "gb18030", CHINESE);
        check(&page("big5", "燈塔"), None, "Big5", "燈塔");
        check(&page("euc-kr", KOREAN), None, "EUC-KR", KOREAN);
        check(&page("iso-8859-1", FRENCH), None, "windows-1252", FRENCH);
        check(b"<meta charset=latin1>\x93quoted\x94", None, "windows-1252", "\u{201c}quoted\u{201d}");
        check(b"\xe9t\xe9", Some("text/html; Charset=\"ISO-8859-1\""), "windows-1252", "été");
        check(b"<?xml version=\"1.0\" encoding='iso-8859-2'?>\xb1", None, "ISO-8859-2", "ą");
        check(b"<!-- <meta charset=koi8-r> --><meta charset='utf-8'>\xc3\xa9", None, "UTF-8", "é");
    }

    #[test]
    fn wrong_and_missing_declarations_are_repaired() {
        let (gbk, ..) = GBK.encode(CHINESE);
        check(&gbk, None, "gb18030", CHINESE);
        check(&encoding_rs::EUC_KR.encode(KOREAN).0, None, "EUC-KR", KOREAN);
        // Declared UTF-8, really GBK.
        let mut wrong = b"<meta charset=utf-8>".to_vec();
        wrong.extend_from_slice(&gbk);
        check(&wrong, None, "gb18030", CHINESE);
        // Valid UTF-8 wins over any other label.
        check(
            &[b"<meta charset=gb2312>", CHINESE.as_bytes()].concat(),
            Some("text/html; charset=big5"),
            "UTF-8",
            CHINESE,
        );
        // One bad byte does not make a UTF-8 page something else.
        let long = CHINESE.repeat(5);
        check(&[b"<meta charset=utf-8>\xff", long.as_bytes()].concat(), None, "UTF-8", &long);
        check(&[b"\xff<p>", long.as_bytes()].concat(), None, "UTF-8", &long);
        // A header label that does not fit gives way to the page's own.
        check(&page("gb2312", CHINESE), Some("text/html; charset=utf-8"), "gb18030", CHINESE);
        // UTF-16 with and without mark, and a meta that says so wrongly.
        let utf16: Vec<u8> = "<html><title>A lighthouse</title>".encode_utf16().flat_map(u16::to_le_bytes).collect();
        check(&utf16, None, "UTF-16LE", "</title>");
        check(&[b"\xff\xfe", &*utf16].concat(), Some("text/html; charset=utf-8"), "UTF-16LE", "</title>");
        check("<meta charset=utf-16>é".as_bytes(), None, "UTF-8", "é");
        check(b"", None, "UTF-8", "");
    }
}
