//! Where the text of scripts, styles and their like ends.

use memchr::{memchr2, memmem};

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

#[cfg(test)]
mod tests {
    use super::*;

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
