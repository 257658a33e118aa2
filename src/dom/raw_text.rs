//! What the parser need not read: the code in scripts and styles, and floods of attributes. Both are found in the text
//! itself, without a parser.

use memchr::{memchr, memchr3, memmem};
use std::borrow::Cow;

/// Where the text of a `script` or `style` ends, whose start tag stands before `text`: the place of its end tag. `None` where
/// it has none, or where only a parser can tell (a script that opens a comment and, in it, another script). Time linear in
/// what stands before that place.
pub(super) fn raw_text_end(text: &str, name: &str) -> Option<usize> {
    let bytes = text.as_bytes();
    let is_named =
        |at: usize| bytes.get(at..at + name.len()).is_some_and(|tag| tag.eq_ignore_ascii_case(name.as_bytes()));
    let end = memmem::find_iter(bytes, b"</").find(|&at| {
        let behind = bytes.get(at + 2 + name.len());
        is_named(at + 2) && behind.is_some_and(|b| matches!(b, b'\t' | b'\n' | b'\x0c' | b'\r' | b' ' | b'/' | b'>'))
    })?;
    let comment = memmem::find(&bytes[..end], b"<!--").unwrap_or(end);
    let is_nested = memchr::memchr_iter(b'<', &bytes[comment..end]).any(|at| is_named(comment + at + 1));
    (!is_nested || name != "script").then_some(end)
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
            assert_eq!(raw_text_end(text, "script").map(|at| &text[at..]), end, "{text}");
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
        check("<!-- <Script> a </script> --> </script>c", None);
        check("a", None);
        check("a</script", None);
        assert_eq!(raw_text_end("<!-- <style> </style>", "style"), Some(13));
    }
}
