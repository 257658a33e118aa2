//! What a page shows: which elements hide what is in them, and which begin a line, by tag, attributes and class.

use super::{Attr, Dom, NodeId, Tag};

impl Dom {
    /// Whether browsers start a new line (or cell) before and after the node: by its tag, or because its `style` says that it
    /// is a block.
    pub fn breaks_text(&self, id: NodeId) -> bool {
        let tag = self.tag(id);
        tag.breaks_text() || (tag != Tag::TEXT && self.attr(id, Attr::STYLE).is_some_and(style_breaks))
    }
}

/// Whether an element hides what is in it.
pub(super) fn hides(dom: &Dom, id: NodeId) -> bool {
    let tag = dom.tag(id);
    // A page that hides its whole body shows it again by script; see also `shown_by_script`.
    if tag == Tag::HTML || tag == Tag::BODY {
        return false;
    }
    // The content of a declarative shadow root is what its host shows.
    let is_never_shown =
        tag.is_never_shown() && !(tag == Tag::TEMPLATE && dom.attr(id, Attr::SHADOWROOTMODE).is_some_and(is_shadow));
    is_never_shown
        || dom.attrs(id).any(|(attr, value)| match attr {
            Attr::HIDDEN => !value.eq_ignore_ascii_case("until-found"),
            Attr::STYLE => style_hides(value),
            Attr::CLASS => class_hides(dom, id, value),
            _ => false,
        })
        || (tag == Tag::DIALOG && dom.attr(id, Attr::OPEN).is_none())
}

fn is_shadow(mode: &str) -> bool {
    mode.eq_ignore_ascii_case("open") || mode.eq_ignore_ascii_case("closed")
}

fn style_hides(style: &str) -> bool {
    declarations(style).any(|(property, value)| {
        let is = |a: &str, b: &str| property.eq_ignore_ascii_case(a) && value.eq_ignore_ascii_case(b);
        is("display", "none") || is("visibility", "hidden")
    })
}

fn style_breaks(style: &str) -> bool {
    declarations(style).any(|(property, value)| {
        property.eq_ignore_ascii_case("display")
            && ["block", "flex", "grid", "table", "list-item", "flow-root", "table-row", "table-cell"]
                .iter()
                .any(|display| value.eq_ignore_ascii_case(display))
    })
}

/// The declarations of a `style`: property and value.
pub(super) fn declarations(style: &str) -> impl Iterator<Item = (&str, &str)> {
    style.split(';').filter_map(|declaration| declaration.split_once(':')).map(|(property, value)| {
        let value = value.trim();
        let important = value.len().checked_sub(10).and_then(|at| value.get(at..));
        let is_important = important.is_some_and(|end| end.eq_ignore_ascii_case("!important"));
        (property.trim(), if is_important { value[..value.len() - 10].trim_end() } else { value })
    })
}

/// Classes of the common frameworks for what is on no screen: text for screen readers alone (Bootstrap, Drupal, blogs),
/// and what is not displayed at any width (Bootstrap's `d-none`, unless another class shows it at some).
fn class_hides(dom: &Dom, id: NodeId, class: &str) -> bool {
    let mut is_none = false;
    for name in class.split_ascii_whitespace() {
        match name {
            "visually-hidden"
            | "visually-hidden-focusable"
            | "visuallyhidden"
            | "sr-only"
            | "sr-only-focusable"
            | "screen-reader-text"
            | "screen-reader-only"
            | "element-invisible" => return true,
            "d-none" => is_none = true,
            // The formula once more, for the eye; its MathML stands before.
            "katex-html" => return follows_katex_mathml(dom, id),
            _ => {}
        }
    }
    is_none && !class.split_ascii_whitespace().any(shows_somewhere)
}

fn follows_katex_mathml(dom: &Dom, id: NodeId) -> bool {
    let siblings = dom.parent(id).map(|up| dom.subtree(up).skip(1));
    let first = siblings.and_then(|mut siblings| siblings.next());
    first.filter(|&first| first < id).and_then(|first| dom.attr(first, Attr::CLASS)) == Some("katex-mathml")
}

/// `d-md-block` and its like.
fn shows_somewhere(name: &str) -> bool {
    name.strip_prefix("d-")
        .and_then(|rest| rest.split_once('-'))
        .is_some_and(|(width, display)| matches!(width, "sm" | "md" | "lg" | "xl" | "xxl") && display != "none")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(html: &str, want: &str) {
        assert_eq!(Dom::parse(html).visible_text().trim(), want, "{html}");
    }

    #[test]
    fn classes_that_hide() {
        for class in
            ["visually-hidden", "x sr-only", "screen-reader-text y", "d-none", "d-none d-print", "d-none d-lg-none"]
        {
            check(&format!("a<span class='{class}'>b</span>c"), "ac");
        }
        for class in ["d-none d-md-block", "d-none d-xl-inline-flex", "not-sr-only", "d-nonesuch", "sr-only-not"] {
            check(&format!("a<span class='{class}'>b</span>c"), "abc");
        }
    }

    #[test]
    fn styles_that_hide_or_break() {
        check("a<b style='color:red; DISPLAY : none !IMPORTANT'>b</b>c", "ac");
        check("a<b style='display:none-such'>b</b>c", "abc");
        check("a<span style='display:block'>b</span>c", "a\nb\nc");
        check("a<span style='color:block;display:inline-block'>b</span>c", "abc");
    }

    #[test]
    fn what_is_not_read_out_is_hidden_if_it_is_no_text() {
        check("a <span aria-hidden=true>›</span>b <i aria-hidden=TRUE><b>× </b></i>c", "a b c");
        check("a<span aria-hidden=true>7</span><span aria-hidden=false>|</span>", "a7|");
        check("<div aria-hidden=true>!</div>", "!");
        let katex =
            |first: &str| format!("<span class=katex>{first}<span class=katex-html aria-hidden=true>x2</span></span>");
        check(&katex("<span class=katex-mathml><math><mi>x</mi></math></span>"), "x");
        check(&katex(""), "x2");
    }

    #[test]
    fn a_declared_shadow_root_is_shown() {
        check("<div><template shadowrootmode=open><p>a</p></template></div>", "a");
        check("<div><template shadowrootmode=no><p>a</p></template><template>b</template></div>", "");
    }

    #[test]
    fn readings_and_annotations_are_not_text() {
        check("<ruby>漢<rp>(</rp><rt>かん</rt><rp>)</rp>字<rt>じ</rt></ruby>だ", "漢字だ");
        let math = "<math><semantics><mi>x</mi><annotation encoding='application/x-tex'>x</annotation>\
            <annotation-xml><mi>x</mi></annotation-xml></semantics></math>";
        check(&format!("let {math} be"), "let x be");
    }
}
