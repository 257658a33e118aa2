//! Where the text of scripts, styles and their like ends, and what the parser need not read: floods of attributes.

use memchr::{memchr, memchr2, memchr3, memmem};
use std::borrow::Cow;

/// Whether a byte ends the name of a tag.
pub(super) fn is_end_of_name(b: u8) -> bool {
    matches!(b, b'\t' | b'\n' | b'\x0c' | b'\r' | b' ' | b'/' | b'>')
}

/// Whether the name of a tag stands at some place.
fn is_named(bytes: &[u8], at: usize, name: &str) -> bool {
    let end = at + name.len();
    bytes.get(at..end).is_some_and(|tag| tag.eq_ignore_ascii_case(name.as_bytes()))
        && bytes.get(end).copied().is_some_and(is_end_of_name)
}

/// Where the text of an element such as `style` or `title` ends, whose start tag stands before `text`: the place of its end
/// tag. `None` where it has none. Time linear in what stands before that place.
pub(super) fn raw_text_end(text: &str, name: &str) -> Option<usize> {
    let bytes = text.as_bytes();
    memmem::find_iter(bytes, b"</").find(|&at| is_named(bytes, at + 2, name))
}

/// Where the text of a `script` ends: as [`raw_text_end`], but that a script which opens a comment may hold another in it.
pub(super) fn script_end(text: &str) -> Option<usize> {
    let bytes = text.as_bytes();
    let end = raw_text_end(text, "script")?;
    if memmem::find(&bytes[..end], b"<!--").is_none() {
        return Some(end);
    }
    let (mut in_comment, mut is_nested) = (false, false);
    let mut at = 0;
    while let Some(found) = memchr2(b'<', b'>', &bytes[at..]) {
        at += found;
        if bytes[at] == b'>' {
            if in_comment && bytes[..at].ends_with(b"--") {
                (in_comment, is_nested) = (false, false);
            }
        } else if !in_comment && bytes[at..].starts_with(b"<!--") {
            in_comment = true;
        } else if is_named(bytes, at + 2, "script") && bytes[at + 1] == b'/' {
            if !is_nested {
                return Some(at);
            }
            is_nested = false;
        } else if in_comment && is_named(bytes, at + 1, "script") {
            is_nested = true;
        }
        at += 1;
    }
    None
}

/// Attributes of one tag at most. The tokenizer compares each attribute with all before it.
const MAX_ATTRIBUTES: usize = 10_000;

/// The page without what stands behind the first [`MAX_ATTRIBUTES`] attributes of a tag. Borrows where no tag has so many.
/// Time linear in the page.
pub(super) fn without_attribute_floods(html: &str) -> Cow<'_, str> {
    let bytes = html.as_bytes();
    let mut kept = String::new();
    let mut copied = 0;
    let mut at = 0;
    while let Some(start) = memchr(b'<', &bytes[at..]).map(|found| at + found) {
        at = start + 1;
        if !bytes.get(at).is_some_and(u8::is_ascii_alphabetic) {
            continue;
        }
        let end = tag_end(bytes, at);
        // Every attribute takes a blank and a character at least.
        if end - at >= 2 * MAX_ATTRIBUTES
            && let Some(cut) = flood_start(bytes, at, end)
        {
            kept.push_str(&html[copied..cut]);
            copied = end;
        }
        at = end;
    }
    if copied == 0 {
        return Cow::Borrowed(html);
    }
    kept.push_str(&html[copied..]);
    Cow::Owned(kept)
}

/// The first `>` from `at` on that stands in no quotes, or the end of the page.
fn tag_end(bytes: &[u8], mut at: usize) -> usize {
    while let Some(found) = memchr3(b'>', b'"', b'\'', &bytes[at..]) {
        at += found;
        let quote = bytes[at];
        if quote == b'>' {
            return at;
        }
        at += 1;
        match memchr(quote, &bytes[at..]) {
            Some(close) => at += close + 1,
            None => break,
        }
    }
    bytes.len()
}

/// The blank outside quotes in a tag behind which its attributes are too many.
fn flood_start(bytes: &[u8], start: usize, end: usize) -> Option<usize> {
    let (mut blanks, mut quote) = (0, None);
    for at in start..end {
        let b = bytes[at];
        match quote {
            Some(open) if b == open => quote = None,
            None if b == b'"' || b == b'\'' => quote = Some(b),
            None if b.is_ascii_whitespace() || b == b'/' => {
                blanks += usize::from(!bytes[at - 1].is_ascii_whitespace());
                if blanks == MAX_ATTRIBUTES {
                    return Some(at);
                }
            }
            _ => {}
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dom::Dom;
    use std::fmt::Write as _;

    #[test]
    fn a_flood_of_attributes_is_cut() {
        let flood: String = (0..60_000).fold(String::from("<p>one<a href=x"), |mut tag, i| {
            let _ = write!(tag, " a{i}='>'");
            tag
        });
        let page = format!("{flood}>two</a><p>three");
        assert!(without_attribute_floods(&page).len() < 200_000);
        let dom = Dom::parse(&page);
        assert_eq!(dom.visible_text().trim(), "onetwo\nthree");
        let plain = "<p>a < b</p><img src='data:".to_owned() + &"x y".repeat(40_000) + "'>c";
        assert!(matches!(without_attribute_floods(&plain), Cow::Borrowed(_)));
    }

    #[test]
    fn code_ends_where_browsers_end_it() {
        let check = |text, end: Option<&str>| {
            assert_eq!(script_end(text).map(|at| &text[at..]), end, "{text}");
        };
        check("a < b</script>c", Some("</script>c"));
        check("</SCRIPT >c", Some("</SCRIPT >c"));
        check(
            "'</scripts>' '</script' </script/>c",
            Some("</script' </script/>c").filter(|_| false).or(Some("</script/>c")),
        );
        check("<!-- a --> </script>c", Some("</script>c"));
        check("<!-- a </script>c -->", Some("</script>c -->"));
        check("<script> <!-- a </script>c -->", Some("</script>c -->"));
        check("<!-- <Script> a </script> --> </script>c", Some("</script>c"));
        check("<!-- <script> a </script> </script>c", Some("</script>c"));
        check("<!-- <script> a --> </script>c", Some("</script>c"));
        check("<!--> <script> </script>c</script>", Some("</script>c</script>"));
        check("<!-- <script> </script>", None);
        check("<!-- <scripts> </script>", Some("</script>"));
        check("a", None);
        check("a</script", None);
        assert_eq!(raw_text_end("<!-- <style> </style>", "style"), Some(13));
    }
}
