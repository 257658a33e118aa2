//! [`HidingRules`]: class names and ids that the page's own style sheets hide.

use super::shown::declarations;
use super::{Attr, Dom, NodeId};
use memchr::{memchr2_iter, memmem, memrchr};
use rustc_hash::FxHashMap;
use std::borrow::Cow;
use std::ops::Range;
use std::sync::LazyLock;

/// Names that are remembered at most, and bytes of style sheets that are read at most.
const MAX_NAMES: usize = 4096;
const MAX_BYTES: usize = 1 << 21;

static DISPLAY: LazyLock<memmem::Finder<'static>> = LazyLock::new(|| memmem::Finder::new("display"));
static COMMENT: LazyLock<memmem::Finder<'static>> = LazyLock::new(|| memmem::Finder::new("/*"));
static COMMENT_END: LazyLock<memmem::Finder<'static>> = LazyLock::new(|| memmem::Finder::new("*/"));

/// What rules say of the elements of one class or id.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Said {
    /// A rule for the name alone, in force at any width of the screen, says `display: none`.
    is_hidden: bool,
    /// A rule says, of the name in some state or place, that it is displayed: a tab, a menu, a fold that scripts open.
    is_shown: bool,
}

/// Class names (`.x`) and ids (`#x`) that style sheets speak of. Only plain rules count, and only where no other rule shows
/// what they hide: what a page may yet show is part of it.
#[derive(Clone, Debug, Default)]
pub(super) struct HidingRules {
    classes: FxHashMap<String, Said>,
    ids: FxHashMap<String, Said>,
    read: usize,
}

impl HidingRules {
    /// Reads a style sheet. Time linear in it.
    pub(super) fn read(&mut self, css: &str) {
        self.read += css.len();
        if self.read > MAX_BYTES || DISPLAY.find(css.as_bytes()).is_none() {
            return;
        }
        let css = &*without_comments(css);
        let bytes = css.as_bytes();
        let mut displays = DISPLAY.find_iter(bytes).peekable();
        // Blocks open, the begin of the part before a brace, and the part before the block that was opened last, if no other
        // brace was passed since.
        let (mut depth, mut start) = (0_usize, 0);
        let mut opened: Option<Range<usize>> = None;
        for brace in memchr2_iter(b'{', b'}', bytes).chain([css.len()]) {
            if let Some(before) = opened.take() {
                while displays.next_if(|&at| at < before.end).is_some() {}
                if displays.peek().is_some_and(|&at| at < brace) {
                    let selectors = last_statement(&css[before.clone()]);
                    if !selectors.starts_with('@') {
                        self.rule(selectors, &css[before.end + 1..brace], depth == 1);
                    }
                }
            }
            match bytes.get(brace) {
                Some(b'{') => {
                    opened = Some(start..brace);
                    depth += 1;
                }
                _ => depth = depth.saturating_sub(1),
            }
            start = brace + 1;
            if displays.peek().is_none() {
                break;
            }
        }
    }

    fn rule(&mut self, selectors: &str, block: &str, is_always: bool) {
        let displays = || declarations(block).filter(|(property, _)| property.eq_ignore_ascii_case("display"));
        let Some((_, display)) = displays().last() else { return };
        let hides = display.eq_ignore_ascii_case("none");
        for selector in selectors.split(',').map(str::trim) {
            let name = selector.get(1..).unwrap_or_default();
            let is_plain = selector.starts_with(['.', '#']) && name.bytes().all(is_name);
            if hides && !(is_plain && is_always) {
                continue;
            }
            for (sign, name) in names(selector) {
                let known = if sign == "." { &mut self.classes } else { &mut self.ids };
                if !known.contains_key(name) && known.len() < MAX_NAMES {
                    known.insert(name.to_owned(), Said::default());
                }
                if let Some(said) = known.get_mut(name) {
                    said.is_hidden |= hides;
                    said.is_shown |= !hides;
                }
            }
        }
    }

    /// Whether the rules hide an element.
    pub(super) fn hide(&self, dom: &Dom, id: NodeId) -> bool {
        let hide = |said: Option<&Said>| said.is_some_and(|said| said.is_hidden && !said.is_shown);
        !(self.classes.is_empty() && self.ids.is_empty())
            && dom.attrs(id).any(|(attr, value)| match attr {
                Attr::CLASS => value.split_ascii_whitespace().any(|name| hide(self.classes.get(name))),
                Attr::ID => hide(self.ids.get(value)),
                _ => false,
            })
    }
}

fn is_name(b: u8) -> bool {
    b.is_ascii_alphanumeric() || matches!(b, b'-' | b'_') || !b.is_ascii()
}

/// The class names and ids in a selector, and their signs.
fn names(selector: &str) -> impl Iterator<Item = (&str, &str)> {
    selector.match_indices(['.', '#']).map(|(at, _)| {
        let end = selector[at + 1..].bytes().position(|b| !is_name(b)).map_or(selector.len(), |end| at + 1 + end);
        (&selector[at..=at], &selector[at + 1..end])
    })
}

fn without_comments(css: &str) -> Cow<'_, str> {
    let next = |css: &str| COMMENT.find(css.as_bytes());
    let Some(mut open) = next(css) else { return Cow::Borrowed(css) };
    let mut kept = String::with_capacity(css.len());
    let mut rest = css;
    loop {
        kept.push_str(&rest[..open]);
        let Some(close) = COMMENT_END.find(&rest.as_bytes()[open + 2..]) else { break };
        rest = &rest[open + 2 + close + 2..];
        let Some(found) = next(rest) else {
            kept.push_str(rest);
            break;
        };
        open = found;
    }
    Cow::Owned(kept)
}

/// What stands behind the last statement without a block in the text before a brace.
fn last_statement(part: &str) -> &str {
    let start = memrchr(b';', part.as_bytes()).map_or(0, |semicolon| semicolon + 1);
    part[start..].trim().trim_start_matches("<!--").trim_start()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[track_caller]
    fn check(css: &str, is_hidden: bool) {
        let text =
            Dom::parse(&format!("<style>{css}</style>a<b id=y class='w x'>b</b>c")).visible_text().trim().to_owned();
        assert_eq!(text, if is_hidden { "ac" } else { "abc" }, "{css}");
    }

    #[test]
    fn plain_rules_hide() {
        check(".x{display:none}", true);
        check("/* a{ */ p, #y , .z { color: red; display: none !important; }", true);
        check("/* .x{display:block} */ .x /* x */ {display:none} /*", true);
        check("/* .x{display:none} */", false);
        check("@charset 'x'; @import url(a); .x{display:none}", true);
        check("@media print { .q{display:none} } .x{display:none}", true);
        check("<!-- .x { display : none } -->", true);
    }

    #[test]
    fn rules_of_another_state_or_place_do_not() {
        check("@media print { .x{display:none} }", false);
        check("@media (max-width:9px){ p{color:red} .x{display:none} }", false);
        check(".a .x{display:none} .x:hover{display:none} b.x{display:none} .xx{display:none}", false);
        check(".x{display:none} .x.open{display:block}", false);
        check(".x{display:none} @media screen { #a .x{display:flex} }", false);
        check(".x{display:none;display:block}", false);
        check("} .q{ .x{color:red}", false);
        let print = "<style media=print>.x{display:none}</style><noscript><style>.x{display:none}</style></noscript>";
        assert_eq!(Dom::parse(&format!("{print}<b class=x>b</b>")).visible_text().trim(), "b");
    }

    /// Brace by brace, each block read for itself.
    fn slowly(css: &str) -> HidingRules {
        let mut rules = HidingRules::default();
        let css = &*without_comments(css);
        let (mut depth, mut start) = (0_usize, 0);
        for (at, brace) in css.match_indices(['{', '}']) {
            let part = last_statement(&css[start..at]);
            start = at + 1;
            if brace == "}" {
                depth = depth.saturating_sub(1);
                continue;
            }
            let block = css[start..].split(['{', '}']).next().unwrap_or_default();
            if !part.starts_with('@') && block.contains("display") {
                rules.rule(part, block, depth == 0);
            }
            depth += 1;
        }
        rules
    }

    const PIECES: [&str; 22] = [
        ".a",
        "#b",
        ".c .d",
        ", ",
        "p",
        "{",
        "}",
        "{display:none}",
        "{ display : block }",
        "@media print",
        "@import x;",
        ";",
        "color:red",
        "display:none",
        "display",
        "/*",
        "*/",
        "/* } */",
        "<!--",
        " ",
        "\n",
        ":hover",
    ];

    proptest! {
        #[test]
        fn sheets_are_read_as_if_block_by_block(pieces in prop::collection::vec(prop::sample::select(&PIECES[..]), 0..40)) {
            let css = pieces.concat();
            let (mut quick, slow) = (HidingRules::default(), slowly(&css));
            quick.read(&css);
            prop_assert_eq!((quick.classes, quick.ids), (slow.classes, slow.ids), "{}", css);
        }
    }
}
