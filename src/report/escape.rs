//! Text from crawled pages in HTML: everything that is not ours goes through here.

use std::fmt::{self, Display, Formatter, Write};

/// Text that reads as itself, in content and in quoted attribute values; control characters are dropped.
#[derive(Clone, Copy, Debug)]
pub(super) struct Text<'a>(pub(super) &'a str);

impl Display for Text<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        for c in self.0.chars() {
            match c {
                '&' => f.write_str("&amp;")?,
                '<' => f.write_str("&lt;")?,
                '>' => f.write_str("&gt;")?,
                '"' => f.write_str("&quot;")?,
                '\'' => f.write_str("&#39;")?,
                '\n' | '\t' => f.write_char(c)?,
                _ if c.is_control() => {}
                _ => f.write_char(c)?,
            }
        }
        Ok(())
    }
}

/// The same, isolated from what stands around it: it may run from right to left, or say that what follows does.
#[derive(Clone, Copy, Debug)]
pub(super) struct Bdi<'a>(pub(super) &'a str);

impl Display for Bdi<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "<bdi>{}</bdi>", Text(self.0))
    }
}

/// Characters of an address that are shown.
const ADDRESS: usize = 120;

/// An address, isolated; of a long one the beginning, with the whole as what is shown on request.
#[derive(Clone, Copy, Debug)]
pub(super) struct Address<'a>(pub(super) &'a str);

impl Display for Address<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self.0.char_indices().nth(ADDRESS) {
            None => Bdi(self.0).fmt(f),
            Some((end, _)) => write!(f, "<bdi title=\"{}\">{}…</bdi>", Text(self.0), Text(&self.0[..end])),
        }
    }
}

/// The beginning of a text: as many characters, and an ellipsis where it goes on.
pub(super) fn beginning(text: &str, most: usize) -> String {
    match text.char_indices().nth(most) {
        None => text.to_owned(),
        Some((end, _)) => format!("{}…", text[..end].trim_end()),
    }
}

/// A number for people: thousands apart.
pub(super) fn number(value: u64) -> String {
    let digits = value.to_string();
    let mut out = String::with_capacity(digits.len() + digits.len() / 3);
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            // A narrow space that no line is broken at.
            out.push('\u{202f}');
        }
        out.push(digit);
    }
    out
}

/// A count with its noun.
pub(super) fn plural(count: u64, what: &str) -> String {
    if count == 1 { format!("1 {what}") } else { format!("{} {what}s", number(count)) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_gets_out_of_text_and_attributes() {
        let hostile = "</textarea><script>'\"&\u{0}\u{1b}";
        assert_eq!(Text(hostile).to_string(), "&lt;/textarea&gt;&lt;script&gt;&#39;&quot;&amp;");
        assert_eq!(Bdi("a\u{202e}b").to_string(), "<bdi>a\u{202e}b</bdi>");
    }

    #[test]
    fn long_addresses_are_cut_and_said_in_full() {
        assert_eq!(Address("/a").to_string(), "<bdi>/a</bdi>");
        let head = format!("/{}", "é".repeat(ADDRESS - 1));
        // The mark behind it is no part of what is shown, and harmless where the whole is.
        let long = format!("/{}\"é", "é".repeat(ADDRESS));
        let whole = long.replace('"', "&quot;");
        assert_eq!(Address(&long).to_string(), format!("<bdi title=\"{whole}\">{head}…</bdi>"));
    }

    #[test]
    fn numbers_and_beginnings() {
        assert_eq!(
            (number(7), number(1234), number(1_234_567)),
            ("7".into(), "1\u{202f}234".into(), "1\u{202f}234\u{202f}567".into())
        );
        assert_eq!((plural(1, "page"), plural(2, "page")), ("1 page".to_owned(), "2 pages".to_owned()));
        assert_eq!((beginning("añb", 3), beginning("añb c", 4)), ("añb".to_owned(), "añb…".to_owned()));
    }
}
