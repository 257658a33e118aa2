//! Bytes to text: the charset as browsers find it, with the repairs that real pages need.

use super::Dom;
use super::doubt::doubted;
use crate::page::Page;
use encoding_rs::{Encoding, GB18030, GBK, ISO_2022_JP, KOI8_R, KOI8_U, UTF_8, UTF_16BE, UTF_16LE};
use std::borrow::Cow;

/// How far into a page a declaration is looked for. The standard says 1,024 bytes; pages with long comments in front
/// declare later.
const DECLARED_WITHIN: usize = 8192;
/// How much of an undeclared page is shown to the detector, from where most bytes are beyond ASCII: it reads 3 MB/s.
pub(super) const DETECTED_WITHIN: usize = 16_384;

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
/// GB18030 and `latin1` as windows-1252. Repairs beyond them: bytes that are valid UTF-8 (and not plain ASCII) are
/// UTF-8 whatever is declared, also with a few broken ones; a declaration under which many bytes fit no character, or under
/// which they make no text of its script, gives way to the next one; UTF-16 without byte order mark is recognised by its
/// NULs, and ISO-2022-JP by its escapes. Time linear in the bytes.
///
/// ```
/// let page = wisdom::dom::decode(b"<meta charset=gb2312>\xb5\xc6\xcb\xfe", None);
/// assert_eq!((page.charset, page.text.ends_with("灯塔")), ("gb18030", true));
/// ```
pub fn decode<'a>(bytes: &'a [u8], content_type: Option<&str>) -> Decoded<'a> {
    if let Some((text, charset)) = utf32(bytes) {
        return Decoded { text: Cow::Owned(text), charset, source: CharsetSource::Bom };
    }
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
        if !escapes && let Some(text) = iso_2022_jp(bytes) {
            return Decoded { text: Cow::Owned(text), charset: ISO_2022_JP.name(), source: CharsetSource::Detected };
        }
        if !escapes {
            let named = declared.clone().find(|_| text.is_ascii());
            let (charset, source) = named.map_or((UTF_8.name(), source), |(e, source)| (e.name(), source));
            return Decoded { text: Cow::Borrowed(text), charset, source };
        }
    }
    if is_damaged_utf8(bytes) {
        let source = declared.clone().find(|(e, _)| *e == UTF_8).map_or(CharsetSource::Detected, |(_, source)| source);
        return with(UTF_8, bytes, source).0;
    }
    let mut best: Option<(Decoded<'a>, usize)> = None;
    let mut again = declared.clone();
    for (encoding, source) in declared {
        let (decoded, bad) = with(encoding, bytes, source);
        if is_well_read(&decoded, bad) {
            let Some(other) = doubted(encoding, &prose(bytes)) else { return decoded };
            let (other, bad) = with(koi8(other, bytes), bytes, CharsetSource::Detected);
            if !is_well_read(&other, bad) {
                return decoded;
            }
            // Another label may say what the bytes say.
            let named = again.find(|(label, _)| label.name() == other.charset);
            return Decoded { source: named.map_or(CharsetSource::Detected, |(_, source)| source), ..other };
        }
        if best.as_ref().is_none_or(|(_, least)| bad < *least) {
            best = Some((decoded, bad));
        }
    }
    let (guess, bad) = with(koi8(detect(bytes), bytes), bytes, CharsetSource::Detected);
    match best {
        Some((declared, least)) if least <= bad => declared,
        _ => guess,
    }
}

/// Whether a charset fits: a stray byte or two is the page's fault, one in a hundred characters beyond ASCII is the label's.
fn is_well_read(decoded: &Decoded<'_>, bad: usize) -> bool {
    bad == 0 || bad * 100 < decoded.text.chars().filter(|c| !c.is_ascii()).count()
}

/// The text of bytes that switch to Japanese characters by escapes and read as such from end to end.
fn iso_2022_jp(bytes: &[u8]) -> Option<String> {
    let switches = |at: usize| matches!(bytes.get(at + 1..at + 3), Some(b"$B" | b"$@"));
    if !memchr::memchr_iter(0x1b, bytes).any(switches) || !bytes.is_ascii() {
        return None;
    }
    let text = ISO_2022_JP.decode_without_bom_handling_and_without_replacement(bytes)?;
    (!text.is_ascii()).then(|| text.into_owned())
}

/// Whether bytes are UTF-8 but for a few: then a label that says otherwise is wrong, for in text of another charset hardly
/// any sequence is UTF-8 by chance. A character that is cut at the end counts as whole.
fn is_damaged_utf8(bytes: &[u8]) -> bool {
    let (mut good, mut bad) = (0_usize, 0_usize);
    for chunk in bytes.utf8_chunks() {
        good += chunk.valid().bytes().filter(|b| *b >= 0xc0).count();
        bad += usize::from(!chunk.invalid().is_empty());
    }
    // A start of a character with nothing behind it is at the very end only.
    let cut = bytes.utf8_chunks().last().is_some_and(|chunk| {
        let left = chunk.invalid();
        !left.is_empty() && std::str::from_utf8(left).is_err_and(|error| error.error_len().is_none())
    });
    let bad = bad - usize::from(cut);
    good >= 3 && good > 20 * bad
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
    // A page of Chinese has few NULs but in its first tag.
    let first = |odd: usize| head[..16].iter().skip(odd).step_by(2).filter(|&&b| b == 0).count();
    match () {
        () if first(1) == 8 && first(0) == 0 => Some(UTF_16LE),
        () if first(0) == 8 && first(1) == 0 => Some(UTF_16BE),
        () if odd * 10 > half * 7 && even * 10 < half => Some(UTF_16LE),
        () if even * 10 > half * 7 && odd * 10 < half => Some(UTF_16BE),
        () => None,
    }
}

/// UTF-32 by its byte order mark. The standard leaves it out, and would read its mark as that of UTF-16.
fn utf32(bytes: &[u8]) -> Option<(String, &'static str)> {
    let (number, charset): (fn([u8; 4]) -> u32, _) = match bytes {
        [0xff, 0xfe, 0, 0, ..] => (u32::from_le_bytes, "UTF-32LE"),
        [0, 0, 0xfe, 0xff, ..] => (u32::from_be_bytes, "UTF-32BE"),
        _ => return None,
    };
    let units = bytes[4..].chunks(4).map(|unit| <[u8; 4]>::try_from(unit).ok().map(number));
    Some((units.map(|unit| unit.and_then(char::from_u32).unwrap_or('\u{FFFD}')).collect(), charset))
}

/// The part of a page that tells most about its charset: the windows with most bytes beyond ASCII, in their order, since
/// comments and names in scripts at the head of a page may say nothing, or be in another charset than its prose.
fn prose(bytes: &[u8]) -> Cow<'_, [u8]> {
    const WINDOW: usize = 2048;
    // How far a run of windows may grow to either side.
    const MAX_STRETCH: usize = 8192;
    if bytes.len() <= DETECTED_WITHIN {
        return Cow::Borrowed(bytes);
    }
    let starts: Vec<usize> = (0..bytes.len()).step_by(WINDOW).collect();
    let window = |start: usize| &bytes[start..bytes.len().min(start + WINDOW)];
    let mut ranked: Vec<(usize, usize)> =
        starts.iter().map(|&start| (window(start).iter().filter(|b| !b.is_ascii()).count(), start)).collect();
    ranked.sort_by_key(|&(beyond, start)| (std::cmp::Reverse(beyond), start));
    let mut chosen: Vec<usize> =
        ranked.iter().take(DETECTED_WITHIN / WINDOW).filter(|(beyond, _)| *beyond > 0).map(|it| it.1).collect();
    chosen.sort_unstable();
    let mut sample = Vec::with_capacity(DETECTED_WITHIN);
    // Windows may begin and end inside a character. Blanks and angle brackets are part of no longer character in any
    // charset, so runs of windows are cut there.
    let is_whole = |b: &u8| matches!(b, b'\t' | b'\n' | b'\r' | b' ' | b'<' | b'>');
    let mut runs: Vec<(usize, usize)> = Vec::new();
    for start in chosen {
        match runs.last_mut() {
            Some((_, end)) if *end == start => *end += WINDOW,
            _ => runs.push((start, start + WINDOW)),
        }
    }
    for (start, end) in runs {
        let end = bytes.len().min(end);
        let before = &bytes[start.saturating_sub(MAX_STRETCH)..start];
        let behind = &bytes[end..bytes.len().min(end + MAX_STRETCH)];
        let first = before.iter().rposition(is_whole).map_or(start, |at| start - before.len() + at);
        let last = behind.iter().position(is_whole).map_or(end, |at| end + at);
        sample.push(b'\n');
        sample.extend_from_slice(&bytes[first..last]);
    }
    Cow::Owned(sample)
}

/// A guess from the bytes of the prose.
fn detect(bytes: &[u8]) -> &'static Encoding {
    let sample = &*prose(bytes);
    let mut detector = chardetng::EncodingDetector::new(chardetng::Iso2022JpDetection::Allow);
    detector.feed(sample, false);
    // A page that is UTF-8 but for a few bytes counts as UTF-8 for the detector only without them, so ask ourselves.
    let utf8 = String::from_utf8_lossy(sample);
    let (bad, good) = utf8.chars().fold((0, 0), |(bad, good), c| match c {
        '\u{FFFD}' => (bad + 1, good),
        c if c.is_ascii() => (bad, good),
        _ => (bad, good + 1),
    });
    if good > 4 * bad { UTF_8 } else { detector.guess(None, chardetng::Utf8Detection::Allow) }
}

/// KOI8-R where KOI8-U was guessed and no Ukrainian or Belarusian letter is in the bytes, which is all that tells them apart.
fn koi8(guess: &'static Encoding, bytes: &[u8]) -> &'static Encoding {
    let is_ukrainian = |b: &u8| matches!(b, 0xa4 | 0xa6 | 0xa7 | 0xad | 0xae | 0xb4 | 0xb6 | 0xb7 | 0xbd | 0xbe);
    if guess == KOI8_U && !bytes.iter().any(is_ukrainian) { KOI8_R } else { guess }
}
