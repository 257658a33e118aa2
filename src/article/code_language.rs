//! [`language`]: what programming language code says that it is in.

use crate::dom::{Attr, Dom, NodeId, Tag};

/// The language of preformatted code, from a class on `pre`, the first `code` in it or an element that wraps it.
pub(super) fn language(dom: &Dom, pre: NodeId) -> Option<&str> {
    let code = dom.subtree(pre).find(|&id| dom.tag(id) == Tag::CODE);
    std::iter::once(pre).chain(code).chain(dom.ancestors(pre).take(2)).find_map(|id| own_language(dom, id))
}

/// The language that the class of one element names: `language-xx` or `lang-xx` as HTML proposes, `highlight-source-xx` as
/// GitHub writes, and the word behind `hljs`, `sourceCode` (Pandoc) or `brush:`.
pub(super) fn own_language(dom: &Dom, id: NodeId) -> Option<&str> {
    let class = dom.attr(id, Attr::CLASS)?;
    let is_name = |name: &&str| {
        let plain = |b: u8| b.is_ascii_alphanumeric() || matches!(b, b'+' | b'#' | b'.' | b'_' | b'-');
        (1..=30).contains(&name.len()) && name.bytes().all(plain)
    };
    let prefixed = class.split_whitespace().find_map(|class| {
        ["language-", "lang-", "highlight-source-"].iter().find_map(|prefix| class.strip_prefix(prefix))
    });
    let mut words = class.split_whitespace();
    let named = || {
        words.find(|word| matches!(*word, "hljs" | "sourceCode" | "brush:"))?;
        words.next().map(|word| word.trim_end_matches(';'))
    };
    prefixed.filter(is_name).or_else(named).filter(is_name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn classes_that_name_a_language() {
        for (class, want) in [
            ("hl language-c++", Some("c++")),
            ("lang-py", Some("py")),
            ("highlight highlight-source-rust", Some("rust")),
            ("hljs python", Some("python")),
            ("sourceCode haskell", Some("haskell")),
            ("brush: js; toolbar: false", Some("js")),
            ("highlight", None),
            ("language-", None),
            ("language-a(b)", None),
        ] {
            let dom = Dom::parse(&format!("<div><pre><code class='{class}'>x"));
            let pre = dom.ids().find(|&id| dom.tag(id) == Tag::PRE).unwrap_or(dom.root());
            assert_eq!(language(&dom, pre), want, "{class}");
        }
    }
}
