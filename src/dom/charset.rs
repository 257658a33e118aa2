//! Bytes to text: the charset as browsers find it, with the repairs that real pages need.

use super::Dom;
use crate::page::Page;
use encoding_rs::{Encoding, GB18030, GBK, UTF_8, UTF_16BE, UTF_16LE};
use std::borrow::Cow;

/// How far into a page a declaration is looked for. The standard says 1,024 bytes; pages with long comments in front
/// declare later.
const DECLARED_WITHIN: usize = 8192;
/// How much of an undeclared page is shown to the detector, from where most bytes are beyond ASCII: it reads 3 MB/s.
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
/// UTF-8 whatever is declared, also with a few broken ones; a declaration under which many bytes fit no character gives way to the next one; UTF-16
/// without byte order mark is recognised by its NULs. Time linear in the bytes.
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
fn prose(bytes: &[u8]) -> Vec<u8> {
    const WINDOW: usize = 2048;
    // How far a run of windows may grow to either side.
    const MAX_STRETCH: usize = 8192;
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
    sample
}

/// A guess from the bytes of the prose.
fn detect(bytes: &[u8]) -> &'static Encoding {
    let sample = if bytes.len() <= DETECTED_WITHIN { Cow::Borrowed(bytes) } else { Cow::Owned(prose(bytes)) };
    let sample = &*sample;
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

    const PROSE: [(&str, &str, &str); 14] = [
        (
            "gbk",
            "gb18030",
            "每天傍晚，看守灯塔的老人都要爬上一百二十级台阶去点灯，好让归来的渔船认得回家的路。港口的孩子们说，他从来没有迟到过一天，连下雪的日子也不例外。",
        ),
        (
            "big5",
            "Big5",
            "每天傍晚，看守燈塔的老人都要爬上一百二十級臺階去點燈，好讓歸來的漁船認得回家的路。港口的孩子們說，他從來沒有遲到過一天，連下雪的日子也不例外。",
        ),
        (
            "shift_jis",
            "Shift_JIS",
            "灯台守の老人は毎日夕方になると百二十段の階段を上り、帰ってくる漁船のために明かりをともした。港の子どもたちは、雪の日でも一度も遅れたことがないと話している。",
        ),
        (
            "euc-jp",
            "EUC-JP",
            "灯台守の老人は毎日夕方になると百二十段の階段を上り、帰ってくる漁船のために明かりをともした。港の子どもたちは、雪の日でも一度も遅れたことがないと話している。",
        ),
        (
            "euc-kr",
            "EUC-KR",
            "등대지기는 매일 저녁 백이십 개의 계단을 올라가 돌아오는 어선을 위해 등불을 켰다. 항구의 아이들은 눈이 오는 날에도 그가 늦은 적이 없다고 말한다.",
        ),
        (
            "windows-1250",
            "windows-1250",
            "Każdego wieczoru latarnik wchodził po stu dwudziestu stopniach, żeby zapalić światło dla łodzi wracających do portu. Dzieci mówią, że nigdy się nie spóźnił, nawet gdy padał śnieg i wiał mroźny wiatr od morza.",
        ),
        (
            "iso-8859-2",
            "ISO-8859-2",
            "Każdego wieczoru latarnik wchodził po stu dwudziestu stopniach, żeby zapalić światło dla łodzi wracających do portu. Dzieci mówią, że nigdy się nie spóźnił, nawet gdy padał śnieg i wiał mroźny wiatr od morza.",
        ),
        (
            "windows-1251",
            "windows-1251",
            "Каждый вечер смотритель маяка поднимался по ста двадцати ступеням, чтобы зажечь огонь для лодок, возвращающихся в порт. Дети говорят, что он ни разу не опоздал, даже когда шёл снег.",
        ),
        (
            "koi8-r",
            "KOI8-U",
            "Каждый вечер смотритель маяка поднимался по ста двадцати ступеням, чтобы зажечь огонь для лодок, возвращающихся в порт. Дети говорят, что он ни разу не опоздал, даже когда шёл снег.",
        ),
        (
            "windows-1252",
            "windows-1252",
            "Chaque soir, le gardien du phare gravissait cent vingt marches pour allumer la lumière des bateaux qui rentraient. Les enfants disent qu’il n’a jamais été en retard, même quand la neige tombait à l’aube.",
        ),
        (
            "windows-1253",
            "windows-1253",
            "Κάθε βράδυ ο φαροφύλακας ανέβαινε εκατόν είκοσι σκαλοπάτια για να ανάψει το φως για τις βάρκες που γύριζαν στο λιμάνι. Τα παιδιά λένε πως δεν άργησε ποτέ, ούτε όταν χιόνιζε.",
        ),
        (
            "windows-1254",
            "windows-1254",
            "Fener bekçisi her akşam limana dönen tekneler için ışığı yakmak üzere yüz yirmi basamak çıkardı. Çocuklar, kar yağdığında bile onun hiç gecikmediğini, yağmurda da şarkı söylediğini anlatır.",
        ),
        (
            "windows-1255",
            "windows-1255",
            "בכל ערב עלה שומר המגדלור מאה ועשרים מדרגות כדי להדליק את האור לסירות השבות אל הנמל. הילדים מספרים שהוא לא איחר אף פעם, גם כשירד שלג.",
        ),
        (
            "windows-1256",
            "windows-1256",
            "كان حارس المنارة يصعد كل مساء مئة وعشرين درجة ليضيء المصباح للقوارب العائدة إلى الميناء. ويقول الأطفال إنه لم يتأخر يوما واحدا حتى عندما كان الثلج يتساقط.",
        ),
    ];

    /// A page as they are: scripts and menus before the prose, which is what differs.
    fn realistic(label: &str, prose: &str, declared: &str, script: usize) -> Vec<u8> {
        let encoding = Encoding::for_label(label.as_bytes()).unwrap_or(UTF_8);
        let code = "function track(a,b){return a+b;} ".repeat(script / 33);
        let text = format!(
            "<html><head>{declared}<title>Page</title><script>/* © Zürich */ {code}</script><style>.menu{{margin:0}}</style></head>\
             <body><div class=\"menu\"><a href=\"/\">Home</a></div><p>{}</p><p>{prose}",
            [prose; 3].join("</p><p>")
        );
        encoding.encode(&text).0.into_owned()
    }

    #[test]
    fn every_charset_is_told_from_prose() {
        for (label, charset, prose) in PROSE {
            check(&realistic(label, prose, "", 0), None, charset, prose);
            // Far behind more script than the detector is shown; the sample has to come from the prose.
            check(&realistic(label, prose, "", 200_000), None, charset, prose);
            // Declared UTF-8, which it is not.
            check(
                &realistic(label, prose, "<meta charset=utf-8>", 0),
                Some("text/html; charset=UTF-8"),
                charset,
                prose,
            );
            // Declared twice, the first time wrongly as UTF-8; the right one is in the page.
            let declared = format!("<meta charset={label}>");
            let charset = if label == "koi8-r" { "KOI8-R" } else { charset };
            check(&realistic(label, prose, &declared, 0), Some("text/html; charset=utf-8"), charset, prose);
        }
    }

    #[test]
    fn damaged_and_wide_pages_are_read() {
        for (_, _, prose) in PROSE {
            let page = format!("<html><head><title>x</title></head><p>{prose}</p><p>{prose}");
            let utf8 = page.as_bytes();
            check(utf8, None, "UTF-8", prose);
            // A few broken bytes and a tail that was cut inside a character.
            let mut broken = utf8.to_vec();
            broken.splice(30..30, [0xff, 0xc3]);
            broken.push(0xe3);
            let got = decode(&broken, None);
            assert_eq!(got.charset, "UTF-8");
            assert!(got.text.trim_end_matches('\u{FFFD}').ends_with(prose));
            // NULs do not make it another charset.
            let mut nuls = utf8.to_vec();
            nuls.splice(40..40, [0, 1, 2]);
            check(&nuls, None, "UTF-8", prose);
            let wide = |be: bool| -> Vec<u8> {
                page.encode_utf16().flat_map(|unit| if be { unit.to_be_bytes() } else { unit.to_le_bytes() }).collect()
            };
            check(&wide(false), None, "UTF-16LE", prose);
            check(&wide(true), None, "UTF-16BE", prose);
            check(&[b"\xfe\xff", &*wide(true)].concat(), None, "UTF-16BE", prose);
            // UTF-32 is not in the standard; a mark of it is plain enough.
            let le: Vec<u8> = "\u{feff}".chars().chain(page.chars()).flat_map(|c| u32::from(c).to_le_bytes()).collect();
            let be: Vec<u8> = "\u{feff}".chars().chain(page.chars()).flat_map(|c| u32::from(c).to_be_bytes()).collect();
            check(&le, None, "UTF-32LE", prose);
            check(&be, None, "UTF-32BE", prose);
        }
    }

    #[test]
    fn a_broken_byte_does_not_make_utf8_another_charset() {
        let text = CHINESE.repeat(3) + FRENCH;
        for label in ["iso-8859-1", "windows-1252", "gb2312", "utf-8"] {
            let whole = format!("<meta charset={label}><p>{text}</p><p>{CHINESE}").into_bytes();
            check(&whole, None, "UTF-8", CHINESE);
            let cut = decode(&whole[..whole.len() - 1], None);
            assert_eq!((cut.charset, cut.text.contains(&text)), ("UTF-8", true), "{label}");
            let mut broken = whole.clone();
            broken.splice(30..30, [0xe9, b' ']);
            check(&broken, None, "UTF-8", CHINESE);
        }
        // Real pages of the labels stay what they are.
        for (label, charset, text) in
            [("gbk", "gb18030", CHINESE), ("iso-8859-1", "windows-1252", FRENCH), ("euc-kr", "EUC-KR", KOREAN)]
        {
            check(&page(label, &text.repeat(30)), None, charset, text);
        }
    }

    /// Samples of a long page are cut out of it, and must not begin or end inside a character.
    #[test]
    fn long_undeclared_pages_of_two_byte_charsets_are_read() {
        for (label, text) in [
            ("gbk", CHINESE),
            ("big5", "港口的燈塔在夜裡為歸來的漁船指路，老人每天傍晚都要爬上台階去點燈。"),
            ("euc-kr", KOREAN),
        ] {
            for shift in 0..4 {
                let ascii = "<td class=\"list\">link 1</td>\n".repeat(61);
                let html = format!("{}{}", "x".repeat(shift), format!("{ascii}<p>{}</p>", text.repeat(40)).repeat(12));
                let Some(encoding) = Encoding::for_label(label.as_bytes()) else { panic!("{label} is known") };
                let bytes = encoding.encode(&html).0;
                assert!(bytes.len() > 3 * DETECTED_WITHIN, "the page is long");
                let got = decode(&bytes, None);
                assert_eq!(
                    (got.text.contains(text), got.text.contains('\u{FFFD}')),
                    (true, false),
                    "{label} {shift}: {}",
                    got.charset
                );
            }
        }
    }
}
