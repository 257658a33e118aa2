//! Filling the HTML files of the demo site, and writing its text as HTML.

use super::content::{Block, spans};

/// Replaces each `{{name}}` of a template by its value, in one pass, so values are never searched for names.
/// A name without a value is left as it stands; a test over all pages finds such names.
pub(super) fn fill(template: &str, values: &[(&str, &str)]) -> String {
    let mut out = String::with_capacity(template.len() * 2);
    let mut rest = template;
    while let Some((before, name, after)) = next_name(rest) {
        out.push_str(before);
        match values.iter().find(|(key, _)| *key == name) {
            Some((_, value)) => out.push_str(value),
            None => out.extend(["{{", name, "}}"]),
        }
        rest = after;
    }
    out.push_str(rest);
    out
}

fn next_name(text: &str) -> Option<(&str, &str, &str)> {
    let (before, rest) = text.split_once("{{")?;
    let (name, after) = rest.split_once("}}")?;
    Some((before, name, after))
}

/// Writes text so that HTML reads it as text, also inside a quoted attribute.
pub(super) fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

/// The pieces that `write` makes of the items, one after another.
pub(super) fn concat<T>(items: impl IntoIterator<Item = T>, write: impl FnMut(T) -> String) -> String {
    items.into_iter().map(write).collect::<Vec<_>>().concat()
}

/// Writes blocks as well-formed HTML, one a line, with `insert` after the middle one.
pub(super) fn blocks_html(blocks: &[Block], insert: &str) -> String {
    let middle = blocks.len().div_ceil(2);
    let mut out = String::new();
    for (index, block) in blocks.iter().enumerate() {
        if index == middle {
            out.push_str(insert);
        }
        let html = match block {
            Block::Heading(text) => format!("<h2>{}</h2>\n", spans_html(text)),
            Block::Paragraph(text) => format!("<p>{}</p>\n", spans_html(text)),
            Block::Quote(text) => format!("<blockquote><p>{}</p></blockquote>\n", spans_html(text)),
            Block::Items(items) => {
                let items = concat(items, |item| format!("<li>{}</li>\n", spans_html(item)));
                format!("<ul>\n{items}</ul>\n")
            }
        };
        out.push_str(&html);
    }
    out
}

/// Writes blocks as a careless hand would: no closing tags, and misnested ones around the first words.
pub(super) fn blocks_broken_html(blocks: &[Block], insert: &str) -> String {
    let middle = blocks.len().div_ceil(2);
    let mut out = String::new();
    for (index, text) in blocks.iter().flat_map(Block::texts).enumerate() {
        if index == middle {
            out.push_str(insert);
        }
        let (first, rest) = text.split_once(' ').unwrap_or((&text, ""));
        out.extend(["<p><b><i>", &escape(first), "</b></i> ", &escape(rest), "<br>\n"]);
    }
    out
}

/// Writes one block's text with its links.
fn spans_html(text: &str) -> String {
    concat(spans(text), |span| match span.href {
        Some(href) => format!("<a href=\"{}\">{}</a>", escape(href), escape(span.text)),
        None => escape(span.text),
    })
}

/// A day as the English pages show it: `2024-05-21` is 21 May 2024.
pub(super) fn english_date(date: &str) -> String {
    const MONTHS: [&str; 12] = [
        "January",
        "February",
        "March",
        "April",
        "May",
        "June",
        "July",
        "August",
        "September",
        "October",
        "November",
        "December",
    ];
    let Some((year, month, day)) = date_parts(date) else { return date.to_owned() };
    match month.checked_sub(1).and_then(|index| MONTHS.get(index)) {
        Some(name) => format!("{day} {name} {year}"),
        None => date.to_owned(),
    }
}

/// A day as the Chinese pages show it: `2024-05-21` is 2024年5月21日.
pub(super) fn chinese_date(date: &str) -> String {
    date_parts(date).map_or_else(|| date.to_owned(), |(year, month, day)| format!("{year}年{month}月{day}日"))
}

fn date_parts(date: &str) -> Option<(usize, usize, usize)> {
    let mut parts = date.split('-').map(|part| part.parse().ok());
    Some((parts.next()??, parts.next()??, parts.next()??))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fill_replaces_names_once() {
        assert_eq!(fill("<p>{{a}}-{{b}}{{a}}</p>", &[("a", "{{b}}"), ("b", "2")]), "<p>{{b}}-2{{b}}</p>");
        assert_eq!(fill("{{missing}} {{", &[]), "{{missing}} {{");
    }

    #[test]
    fn dates_are_written_in_two_languages() {
        assert_eq!(english_date("2024-05-01"), "1 May 2024");
        assert_eq!(chinese_date("2024-12-21"), "2024年12月21日");
        assert_eq!(english_date("2024-13-01"), "2024-13-01");
        assert_eq!(english_date("today"), "today");
    }

    #[test]
    fn text_is_escaped_and_links_are_written() {
        let blocks = [Block::Paragraph("A & B"), Block::Items(vec!["[x<y](/x)"])];
        let html = blocks_html(&blocks, "<hr>");
        assert_eq!(html, "<p>A &amp; B</p>\n<hr><ul>\n<li><a href=\"/x\">x&lt;y</a></li>\n</ul>\n");
    }
}
