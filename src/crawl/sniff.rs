//! Whether a response is a page: the declared type checked against what the bytes are.

/// How far into a body is looked.
const WITHIN: usize = 1024;

/// What a `Content-Type` header promises.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Promise {
    /// HTML or XHTML.
    Page,
    /// Nothing sure: no type, plain text, generic XML or bytes. The body decides.
    Maybe,
    /// Something that is no page.
    Other,
}

/// Reads a `Content-Type`.
pub(crate) fn promise(content_type: Option<&str>) -> Promise {
    // Servers that send two types send the better one last.
    let essence = content_type.unwrap_or_default().rsplit(',').find(|t| t.contains('/')).unwrap_or_default();
    let essence = essence.split(';').next().unwrap_or_default().trim().to_ascii_lowercase();
    match essence.as_str() {
        "text/html" | "application/xhtml+xml" | "application/vnd.wap.xhtml+xml" | "text/x-html" | "text/xhtml" => {
            Promise::Page
        }
        ""
        | "text/plain"
        | "text/xml"
        | "application/xml"
        | "application/octet-stream"
        | "unknown/unknown"
        | "application/unknown"
        | "application/x-unknown"
        | "*/*"
        | "application/html"
        | "text"
        | "html" => Promise::Maybe,
        _ => Promise::Other,
    }
}

/// Whether somebody's stored page is one: nothing binary, and not declared to be another type. Without a type, whoever
/// stored it as a page is believed.
pub fn is_page(content_type: Option<&str>, body: &[u8]) -> bool {
    let promise = content_type.map_or(Promise::Page, |value| promise(Some(value)));
    check(promise, body).is_ok()
}

/// Whether the body (its beginning is enough) is a page under this promise; the reason if not.
///
/// Known binary formats and NULs are no page whatever is promised; without a promise the body has to begin like HTML.
pub(crate) fn check(promise: Promise, body: &[u8]) -> Result<(), &'static str> {
    if let Some(kind) = binary_kind(body) {
        return Err(kind);
    }
    match promise {
        Promise::Page => Ok(()),
        Promise::Maybe if begins_like_html(body) => Ok(()),
        Promise::Maybe => Err("text without HTML"),
        Promise::Other => Err("another type"),
    }
}

/// The format of a body that is no text, by its first bytes.
fn binary_kind(body: &[u8]) -> Option<&'static str> {
    const MAGIC: &[(&[u8], &str)] = &[
        (b"%PDF-", "a PDF"),
        (b"\x89PNG", "an image"),
        (b"GIF8", "an image"),
        (b"\xff\xd8\xff", "an image"),
        (b"\x00\x00\x01\x00", "an image"),
        (b"II*\0", "an image"),
        (b"MM\0*", "an image"),
        (b"PK\x03\x04", "a zip archive"),
        (b"PK\x05\x06", "a zip archive"),
        (b"\x1f\x8b", "a gzip file"),
        (b"BZh", "a bzip2 file"),
        (b"\xfd7zXZ", "an xz file"),
        (b"\x28\xb5\x2f\xfd", "a zstd file"),
        (b"7z\xbc\xaf\x27\x1c", "a 7z archive"),
        (b"Rar!\x1a\x07", "a RAR archive"),
        (b"\xd0\xcf\x11\xe0", "an Office document"),
        (b"{\\rtf", "an RTF document"),
        (b"%!PS", "a PostScript document"),
        (b"ID3", "an audio file"),
        (b"OggS", "an audio file"),
        (b"fLaC", "an audio file"),
        (b"\x1aE\xdf\xa3", "a video file"),
        (b"wOFF", "a font"),
        (b"wOF2", "a font"),
        (b"\x7fELF", "a program"),
        (b"MZ\x90\x00", "a program"),
        (b"\0asm", "a program"),
        (b"SQLite format 3\0", "a database"),
    ];
    let head = &body[..body.len().min(WITHIN)];
    // PDF readers accept some junk before the header, and servers send it.
    let start = head.iter().position(|b| !b.is_ascii_whitespace()).unwrap_or(0);
    let at_start = |magic: &[u8]| head.starts_with(magic) || head[start..].starts_with(magic);
    if let Some((_, kind)) = MAGIC.iter().find(|(magic, _)| at_start(magic)) {
        return Some(kind);
    }
    if head.get(4..8) == Some(b"ftyp") {
        return Some("a video file");
    }
    if head.starts_with(b"RIFF") && matches!(head.get(8..12), Some(b"WEBP" | b"WAVE" | b"AVI ")) {
        return Some("a media file");
    }
    (is_binary(head) && !is_utf16(head)).then_some("binary data")
}

/// Control characters that no text has: one NUL in thirty bytes, or one other in ten. A page with a stray one is a page.
fn is_binary(head: &[u8]) -> bool {
    let count = |is: fn(&u8) -> bool| head.iter().filter(|b| is(b)).count();
    let nuls = count(|b| *b == 0);
    let odd = count(|b| matches!(b, 1..=8 | 0x0e..=0x1a | 0x1c..=0x1f | 0x7f));
    (nuls > 0 && nuls * 30 >= head.len()) || odd * 10 > head.len()
}

/// UTF-16 by its byte order mark, or by a NUL in every other byte of its beginning.
fn is_utf16(head: &[u8]) -> bool {
    if head.starts_with(b"\xff\xfe") || head.starts_with(b"\xfe\xff") {
        return true;
    }
    let pairs = head.chunks_exact(2).take(16);
    pairs.len() >= 4 && (pairs.clone().all(|p| p[0] != 0 && p[1] == 0) || pairs.clone().all(|p| p[0] == 0 && p[1] != 0))
}

/// Whether text begins as HTML does: a doctype or a tag that only HTML has, after white space, byte order mark, comments
/// and an XML declaration.
fn begins_like_html(body: &[u8]) -> bool {
    const TAGS: &[&str] = &[
        "html", "head", "body", "title", "meta", "script", "style", "table", "div", "p", "h1", "h2", "a", "br", "font",
        "center", "iframe", "frameset", "link", "ul", "span", "b", "img", "form",
    ];
    let head = &body[..body.len().min(WITHIN)];
    let text = if is_utf16(head) {
        head.iter().copied().filter(|b| *b != 0 && b.is_ascii()).map(char::from).collect()
    } else {
        String::from_utf8_lossy(head).to_ascii_lowercase()
    };
    let text = text.to_ascii_lowercase();
    let mut rest = text.trim_start_matches('\u{feff}').trim_start();
    loop {
        let end = if rest.starts_with("<!--") {
            "-->"
        } else if rest.starts_with("<?xml") {
            "?>"
        } else {
            break;
        };
        match rest.find(end) {
            Some(at) => rest = rest[at + end.len()..].trim_start(),
            None => return false,
        }
    }
    if rest.starts_with("<!doctype html") {
        return true;
    }
    let Some(name) = rest.strip_prefix('<') else { return false };
    let end = name.find(|c: char| !c.is_ascii_alphanumeric()).unwrap_or(name.len());
    TAGS.contains(&&name[..end]) && name[end..].starts_with(|c: char| c == '>' || c.is_ascii_whitespace() || c == '/')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn is_page(content_type: Option<&str>, body: &[u8]) -> bool {
        check(promise(content_type), body).is_ok()
    }

    #[test]
    fn types_are_checked_against_bytes() {
        let html = b"<!DOCTYPE html><p>x".as_slice();
        let utf16: Vec<u8> = "<html><p>x y z".encode_utf16().flat_map(u16::to_le_bytes).collect();
        let table: &[(Option<&str>, &[u8], bool)] = &[
            (Some("text/html"), html, true),
            (Some("Text/HTML; charset=utf-8"), b"no tag at all", true),
            (Some("text/html"), b"", true),
            (Some("application/xhtml+xml"), b"<?xml version='1.0'?><html xmlns='x'/>", true),
            (Some("text/html"), b"%PDF-1.4\n1 0 obj", false),
            (Some("text/html"), b"\n\n%PDF-1.4\n1 0 obj", false),
            (Some("text/html"), b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR", false),
            (Some("text/html"), b"\xff\xd8\xff\xe0\0\x10JFIF", false),
            (Some("text/html"), b"PK\x03\x04\x14\0", false),
            (Some("text/html"), b"\x1f\x8b\x08\0\0\0\0\0", false),
            (Some("text/html"), b"\0\0\0\x18ftypmp42\0\0\0\0", false),
            (Some("text/html"), b"ab\0\0\0c\x01\x02\x03\x04\0\0", false),
            (Some("text/html"), &utf16, true),
            (None, html, true),
            (None, b"  <!-- hello --> <HTML>", true),
            (None, b"just words", false),
            (Some("text/plain"), html, true),
            (Some("text/plain"), b"\xef\xbb\xbf<html lang=en>", true),
            (Some("text/plain"), b"<b>", true),
            (Some("text/plain"), b"a <html> in text", false),
            (Some("text/plain"), b"<htmlx>", false),
            (Some("text/xml"), b"<?xml version='1.0'?><!DOCTYPE html><html>", true),
            (Some("text/xml"), b"<?xml version='1.0'?><rss>", false),
            (Some("application/octet-stream"), html, true),
            (Some("application/json"), html, false),
            (Some("image/png"), html, false),
            (Some("application/pdf"), b"%PDF-1.4", false),
            (Some("text/css"), b"p {}", false),
        ];
        for (content_type, body, want) in table {
            assert_eq!(is_page(*content_type, body), *want, "{content_type:?} {:?}", String::from_utf8_lossy(body));
        }
    }

    #[test]
    fn one_stray_nul_makes_no_binary() {
        let mut body = b"<html><p>".repeat(100);
        body[50] = 0;
        assert!(is_page(Some("text/html"), &body));
    }
}
