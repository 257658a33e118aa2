//! What a crawled page looks like, made harmless: the document of a sandboxed frame.
//!
//! The page is not cleaned but written anew: only the elements listed here are written, none of the page's attributes but
//! `lang` and the spans of table cells, no links, no pictures, no styles. The frame that it is shown in runs no script and
//! asks for nothing (`sandbox`, and a content security policy of its own); this file does not rely on that, and that does
//! not rely on this file.

use super::escape::{Text, beginning};
use super::shell::{FRAME_STYLE, frame_policy};
use crate::dom::{Attr, Dom, NodeId, NodeMap, Tag};
use std::fmt::Write as _;

/// Bytes that are written of a page at most: more than most books have, and little enough for a thousand views.
const MOST_BYTES: usize = 1 << 20;
/// Open elements at most; deeper ones are passed over, but not what is in them.
const DEEPEST: usize = 120;

/// Why texts of a page stand out.
#[derive(Clone, Debug)]
pub(super) struct Marks {
    /// The marks: a class of the frame's style, and why, for people.
    pub(super) marks: Vec<(&'static str, String)>,
    /// Of each text node the mark, counted from 1; 0 for none.
    pub(super) of: NodeMap<u32>,
}

/// The whole document of a frame. Time linear in the page, memory bounded.
pub(super) fn frame(dom: &Dom, marks: Option<&Marks>) -> String {
    let mut out = format!(
        "<!DOCTYPE html><html lang=\"{}\"><head><meta charset=\"utf-8\"><meta http-equiv=\"Content-Security-Policy\" \
         content=\"{}\"><title>Page content</title><style>{FRAME_STYLE}</style></head><body dir=\"auto\">",
        Text(language(dom)),
        frame_policy(),
    );
    let mut open: Vec<(NodeId, &'static str)> = Vec::new();
    let mut in_pre = 0_usize;
    for id in dom.subtree(dom.body()) {
        while let Some((_, name)) = open.pop_if(|(end, _)| *end <= id) {
            in_pre -= usize::from(name == "pre");
            let _ = write!(out, "</{name}>");
        }
        if dom.is_hidden(id) {
            continue;
        }
        if out.len() > MOST_BYTES {
            out.push_str("<p class=\"cut\">The rest of the page is left out here.</p>");
            break;
        }
        if dom.is_text(id) {
            text(&mut out, dom, id, marks, in_pre > 0);
        } else if dom.tag(id) == Tag::IMG {
            let alt = dom.attr(id, Attr::ALT).unwrap_or_default();
            let _ = write!(
                out,
                "<span class=\"img\">picture{}{}</span>",
                if alt.is_empty() { "" } else { ": " },
                Text(&beginning(alt, 200))
            );
        } else if let Some(name) = element(dom.tag(id)) {
            start(&mut out, dom, id, name);
            if !matches!(name, "br" | "hr" | "wbr") && open.len() < DEEPEST {
                in_pre += usize::from(name == "pre");
                open.push((dom.end(id), name));
            } else if !matches!(name, "br" | "hr" | "wbr") {
                let _ = write!(out, "</{name}>");
            }
        }
    }
    for (_, name) in open.into_iter().rev() {
        let _ = write!(out, "</{name}>");
    }
    out.push_str("</body></html>");
    out
}

fn language(dom: &Dom) -> &str {
    let html = dom.ids().find(|&id| dom.tag(id) == Tag::HTML);
    html.and_then(|id| dom.attr(id, Attr::LANG)).filter(|lang| is_language(lang)).unwrap_or("und")
}

fn is_language(lang: &str) -> bool {
    (2..=35).contains(&lang.len()) && lang.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-')
}

fn text(out: &mut String, dom: &Dom, id: NodeId, marks: Option<&Marks>, is_pre: bool) {
    // One text may be longer than all that is written; the loop over nodes then ends at the next.
    let text = dom.text(id);
    let text = &text[..text.floor_char_boundary(MOST_BYTES)];
    if text.trim().is_empty() && !is_pre {
        // Rows and tables hold no text; between words a blank parts them.
        let holds_none = dom.parent(id).is_some_and(|up| {
            matches!(
                dom.tag(up),
                Tag::TABLE | Tag::TBODY | Tag::THEAD | Tag::TFOOT | Tag::TR | Tag::UL | Tag::OL | Tag::DL
            )
        });
        if !holds_none {
            out.push(' ');
        }
        return;
    }
    let mark = marks.and_then(|marks| marks.marks.get((marks.of[id] as usize).checked_sub(1)?));
    match mark {
        None => {
            let _ = write!(out, "{}", Text(text));
        }
        Some((class, why)) => {
            let _ = write!(out, "<mark class=\"{class}\" title=\"{}\">{}</mark>", Text(why), Text(text));
        }
    }
}

fn start(out: &mut String, dom: &Dom, id: NodeId, name: &'static str) {
    let _ = write!(out, "<{name}");
    if matches!(
        name,
        "p" | "h1"
            | "h2"
            | "h3"
            | "h4"
            | "h5"
            | "h6"
            | "li"
            | "td"
            | "th"
            | "dt"
            | "dd"
            | "blockquote"
            | "figcaption"
            | "caption"
            | "pre"
    ) {
        out.push_str(" dir=\"auto\"");
    }
    if let Some(lang) = dom.attr(id, Attr::LANG).filter(|lang| is_language(lang)) {
        let _ = write!(out, " lang=\"{}\"", Text(lang));
    }
    if matches!(name, "td" | "th") {
        for attr in [Attr::COLSPAN, Attr::ROWSPAN] {
            let span = dom.attr(id, attr).and_then(|value| value.trim().parse::<u16>().ok());
            if let Some(span) = span.filter(|span| (2..=200).contains(span)) {
                let _ = write!(out, " {}=\"{span}\"", attr.name());
            }
        }
    }
    if dom.tag(id) == Tag::A {
        let href = dom.attr(id, Attr::HREF).unwrap_or_default();
        let _ = write!(out, " class=\"a\" title=\"{}\"", Text(&beginning(href, 300)));
    }
    out.push('>');
}

/// What an element is written as; `None` where only what is in it is.
fn element(tag: Tag) -> Option<&'static str> {
    Some(match tag {
        Tag::ABBR
        | Tag::B
        | Tag::BDI
        | Tag::BLOCKQUOTE
        | Tag::BR
        | Tag::CAPTION
        | Tag::CITE
        | Tag::CODE
        | Tag::DD
        | Tag::DEL
        | Tag::DL
        | Tag::DT
        | Tag::EM
        | Tag::FIGCAPTION
        | Tag::FIGURE
        | Tag::H1
        | Tag::H2
        | Tag::H3
        | Tag::H4
        | Tag::H5
        | Tag::H6
        | Tag::HR
        | Tag::I
        | Tag::INS
        | Tag::KBD
        | Tag::LI
        | Tag::OL
        | Tag::P
        | Tag::PRE
        | Tag::Q
        | Tag::S
        | Tag::SAMP
        | Tag::SMALL
        | Tag::STRONG
        | Tag::SUB
        | Tag::SUP
        | Tag::TABLE
        | Tag::TBODY
        | Tag::TD
        | Tag::TFOOT
        | Tag::TH
        | Tag::THEAD
        | Tag::TIME
        | Tag::TR
        | Tag::U
        | Tag::UL
        | Tag::VAR
        | Tag::WBR => tag.name(),
        Tag::A | Tag::BUTTON | Tag::LABEL | Tag::OPTION | Tag::TEXTAREA => "span",
        _ if tag.breaks_text() && !matches!(tag, Tag::BODY | Tag::HTML | Tag::HEAD | Tag::FRAMESET) => "div",
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn body(html: &str) -> String {
        let whole = frame(&Dom::parse(html), None);
        let (_, body) = whole.split_once("<body dir=\"auto\">").expect("a body");
        body.strip_suffix("</body></html>").expect("its end").to_owned()
    }

    #[test]
    fn only_listed_elements_without_attributes_are_written() {
        for (html, want) in [
            ("<p onclick=x style='position:fixed' id=a class=b>t</p>", "<p dir=\"auto\">t</p>"),
            ("<script>x</script><style>*{color:red}</style><p>t", "<p dir=\"auto\">t</p>"),
            ("<a href='javascript:alert(1)'>t</a>", "<span class=\"a\" title=\"javascript:alert(1)\">t</span>"),
            ("<a href='\"><img src=x>'>t</a>", "<span class=\"a\" title=\"&quot;&gt;&lt;img src=x&gt;\">t</span>"),
            ("<img src=http://a/b.png onerror=x alt='a<b'>", "<span class=\"img\">picture: a&lt;b</span>"),
            ("<form action=/x><input value=1><button formaction=/y>t</button></form>", "<div><span>t</span></div>"),
            ("<iframe src=/x>i</iframe><object data=x>o</object><embed src=x><video src=x>v</video>", "o"),
            ("<meta http-equiv=refresh content='0;url=/x'><base href=//x><link rel=stylesheet href=//x>t", "t"),
            ("<svg><a xlink:href='javascript:x'><text>s</text></a></svg>t", "t"),
            (
                "<table><tr><td colspan=3 rowspan=x>t",
                "<table><tbody><tr><td dir=\"auto\" colspan=\"3\">t</td></tr></tbody></table>",
            ),
            ("<p lang='de'>t<p lang='\"x'>u", "<p dir=\"auto\" lang=\"de\">t</p><p dir=\"auto\">u</p>"),
            ("</body></html><b>t", "<b>t</b>"),
            ("<textarea></textarea><script>x</script>", "<span></span>"),
        ] {
            assert_eq!(body(html), want, "{html}");
        }
    }

    #[test]
    fn a_deep_page_stays_flat_and_a_long_one_is_cut() {
        let deep = body(&format!("{}x", "<div>".repeat(5000)));
        assert!(deep.contains('x') && deep.matches("<div>").count() == deep.matches("</div>").count());
        let long = body(&"<p>some text of a page</p>".repeat(200_000));
        assert!(long.len() < MOST_BYTES + 1000 && long.contains("left out here"));
        let one = body(&format!("<p>{}</p><p>behind it</p>", "é<".repeat(2 * MOST_BYTES)));
        assert!(one.len() < 5 * MOST_BYTES && one.contains("left out here") && !one.contains("behind it"));
    }

    #[test]
    fn marks_say_why() {
        let dom = Dom::parse("<p>a</p><p>b</p>");
        let mut marks = Marks { marks: vec![("k", "page \"1\"".to_owned())], of: NodeMap::filled(&dom, 0) };
        let a = dom.ids().find(|&id| dom.is_text(id)).expect("a text");
        marks.of[a] = 1;
        let html = frame(&dom, Some(&marks));
        assert!(html.contains("<mark class=\"k\" title=\"page &quot;1&quot;\">a</mark>"), "{html}");
        assert!(html.contains(">b</p>"), "{html}");
    }

    proptest! {
        /// Whatever a page holds: every tag that is written is a listed one, with none but our attributes.
        #[test]
        fn no_page_writes_anything_else(
            parts in prop::collection::vec(prop_oneof![
                Just("<".to_owned()), Just(">".to_owned()), Just("\"".to_owned()), Just("'".to_owned()), Just("=".to_owned()),
                Just("<script>".to_owned()), Just("<svg onload=".to_owned()), Just("<style>".to_owned()),
                Just("<math><mtext>".to_owned()), Just("<table><a href=".to_owned()), Just("<p title=".to_owned()),
                Just("</p>".to_owned()), Just("<!--".to_owned()), Just("-->".to_owned()), Just("<template>".to_owned()),
                Just("<noscript>".to_owned()), Just("<select><img alt=".to_owned()), Just(" x".to_owned()),
                "[a-z<>\"'= &;/]{0,8}",
            ], 0..40),
        ) {
            let written = body(&parts.concat());
            let allowed = regex::Regex::new(
                r#"^<(?:/[a-z0-9]+|[a-z0-9]+(?: (?:dir|lang|colspan|rowspan|class|title)="[^"<>]*")*)>"#,
            ).expect("a pattern");
            for (at, _) in written.match_indices('<') {
                prop_assert!(allowed.is_match(&written[at..]), "{}", &written[at..]);
                let name: String = written[at + 1..].trim_start_matches('/').chars().take_while(char::is_ascii_alphanumeric).collect();
                prop_assert!(!["script", "style", "svg", "math", "img", "a", "iframe", "template", "form", "noscript"].contains(&&*name));
            }
        }
    }
}
