//! Markdown read back by another parser says what the page said.

use super::render_tests::{config, page, shown};
use super::{Selection, markdown, text};
use crate::dom::Dom;
use proptest::prelude::*;
use pulldown_cmark::{Event, Options, Parser, Tag as Part, TagEnd};

/// Markdown as text in the manner of [`text`]: a line for each block, tabs between cells.
fn read_back(written: &str) -> String {
    let mut out = String::new();
    let mut in_image = 0;
    let options = Options::ENABLE_TABLES | Options::ENABLE_STRIKETHROUGH;
    for event in Parser::new_ext(written, options) {
        match event {
            Event::Start(Part::Image { .. }) => in_image += 1,
            Event::End(TagEnd::Image) => in_image -= 1,
            Event::Start(Part::TableCell) if !out.is_empty() && !out.ends_with('\n') => out.push('\t'),
            // The next cell needs its tab also behind an empty first one.
            Event::End(TagEnd::TableCell) if out.is_empty() || out.ends_with('\n') => out.push('\u{0}'),
            Event::Start(Part::TableCell | Part::Emphasis | Part::Strong | Part::Strikethrough | Part::Link { .. })
            | Event::End(
                TagEnd::TableCell | TagEnd::Emphasis | TagEnd::Strong | TagEnd::Strikethrough | TagEnd::Link,
            ) => {}
            Event::Start(_) | Event::End(_) | Event::HardBreak => out.push('\n'),
            Event::Text(words) if in_image == 0 => out.push_str(&words),
            Event::Code(words) if in_image == 0 => out.push_str(&words),
            Event::InlineHtml(html) if &*html == "<br>" => out.push(' '),
            Event::Html(html) | Event::InlineHtml(html) => out.push_str(&html),
            Event::SoftBreak if in_image == 0 => out.push('⏎'),
            _ => {}
        }
    }
    let lines = out.lines().map(|line| line.trim_end_matches(['\u{0}', '\t', ' ']).replace('\u{0}', ""));
    lines.filter(|line| !line.trim().is_empty()).collect::<Vec<_>>().join("\n")
}

/// What two readings of a page differ in: nothing, or both.
fn difference(source: &str) -> Option<(String, String, String)> {
    let dom = Dom::parse(source);
    let all = Selection::new(&dom, dom.ids());
    let written = markdown(&dom, &all, None);
    let (said, read) = (text(&dom, &all), read_back(&written));
    (said != read).then_some((said, read, written))
}

const INLINE: &[&str] = &[
    "2 * 3 * 4",
    "*x*",
    "**x**",
    "a*b*c",
    "*",
    "* x",
    "***",
    "_x_",
    "__init__",
    "snake_case_name",
    "_",
    "`x`",
    "``x`y``",
    "`",
    "a ` b",
    "# x",
    "#x",
    "#",
    "###### x",
    "####### x",
    "1. x",
    "1) x",
    "1.",
    "1.5",
    "12345678901. x",
    "- x",
    "-",
    "--",
    "---",
    "+ x",
    "+",
    "=== x",
    "===",
    "&lt;b>x&lt;/b>",
    "a &lt; b",
    "&lt;",
    "&lt;!-- x --&gt;",
    "&lt;http://a.b>",
    "&lt;a@b.c>",
    "&amp;amp;",
    "&amp;copy;",
    "&amp;#65;",
    "&amp;",
    "AT&amp;T;",
    "[x]",
    "[x](y)",
    "[x][y]",
    "[x]: y",
    "[",
    "]",
    "![x](y)",
    "!",
    "[ ] x",
    "[x] y",
    "a | b",
    "|",
    "| a | b |",
    "|---|",
    "a\\b",
    "\\",
    "\\*",
    "a\\",
    "~x~",
    "~~x~~",
    "~",
    "> x",
    ">",
    "&lt;?x?>",
    "http://a.b/c_d_e",
    "www.a.b",
    "a@b.c",
    "x  y",
    "&nbsp;&nbsp;&nbsp;&nbsp;x",
    ": x",
    "$x$",
    "^x^",
    "{x}",
    "x\\!",
    "\"x\"",
    "a<b>b</b>c",
    "<b>x:</b>y",
    "<i>x</i>y",
    "x<i>y</i>",
    "<b>“x”</b>y",
    "<b>注意：</b>这里",
    "中<b>文</b>字",
    "<b>x</b><i>y</i>",
    "<b><i>x</i></b>",
    "<i>*</i>",
    "<b>_</b>",
    "<b> x </b>y",
    "<s>x</s>y",
    "<s>~</s>",
    "<code>a`b</code>",
    "<code>`</code>",
    "<code> x </code>",
    "<code>a|b</code>",
    "<code>\\</code>",
    "<code>*x*</code>",
    "<code>&amp;amp;</code>",
    "<a href='http://a.b/c(d)e'>x</a>",
    "<a href='http://a.b/c d'>x]</a>",
    "<a href='http://a.b/()('>[x</a>",
    "!<a href=x>y</a>",
    "<a href='x'>a|b</a>",
    "<a href=x title='a \"b\" (c) \\ `'>y</a>",
    "<a href=x><b>y</b>z</a>",
    "<a href=x><code>`]</code></a>",
    "<a href=x>y</a>(z)",
    "<a href=x>y</a>[z]",
    "<a href=x>y</a>: z",
    "a<br>- b",
    "a<br>1. b",
    "a<br># b",
    "a<br>> b",
    "a<br>===",
    "a<br>---",
    "a<br>| b",
    "a<br>\\",
    "a\\<br>b",
    "<img src=i.png alt='a ] ` * b'>x",
    "<img src=i.png alt='a\\'>x",
    "x<sup>2</sup>",
    "<kbd>Ctrl</kbd>+<kbd>C</kbd>",
    "<del>x</del>,y",
    "a<b>,</b>b",
    "<b>a<br>b</b>",
    "<b>(x)</b>y",
    "x<b>(y)</b>",
    "x<i>-</i>y",
    "𝒳<b>!</b>z",
    "<i>a</i><b>b</b><i>c</i>",
    "<b>a</b>*b*",
    "`<code>x</code>`",
    "a `<code>x</code>",
    "\\<code>x</code>",
    "\\<b>x</b>",
    "_<i>x</i>_",
    "<i>x</i>*",
    "&lt;<a href=x>y</a>>",
    "[<a href=x>y</a>]",
    "<code>x</code><code>y</code>",
];

#[test]
fn hostile_inlines_come_back() {
    let mut wrong = Vec::new();
    for inline in INLINE {
        for (before, behind) in [
            ("<p>", "</p>"),
            ("<p>word ", " word</p>"),
            ("<p>w", "w</p>"),
            ("<h2>", "</h2>"),
            ("<h2>a ", "</h2>"),
            ("<ul><li>", "<li>b</ul>"),
            ("<ol><li><p>a<p>", "<ul><li>c</ul></ol>"),
            ("<blockquote>", "</blockquote>"),
            ("<table><tr><th>k<th>", "<tr><td>"),
            ("<table><tr><td>k<td>l<tr><td>", "<td>v</table>"),
            ("<p>a<br>", "<br>b</p>"),
            ("<p>“", "”</p>"),
            ("<p>中", "文</p>"),
            ("<p>(", ")</p>"),
        ] {
            // A heading is one line in Markdown.
            if before.starts_with("<h2") && inline.contains("<br>") {
                continue;
            }
            let source = format!("{before}{inline}{behind}");
            if let Some((said, read, written)) = difference(&source) {
                wrong.push(format!("{source}\n    said {said:?}\n    read {read:?}\n    from {written:?}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{} differ:\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn hostile_blocks_come_back() {
    for source in [
        "<ul><li>a<ul><li>b<ol><li>c<li>d</ol><li>e</ul><li>f</ul>",
        "<ol start=7><li>a<ol><li>b</ol><li>c</ol><ol><li>d</ol><ul><li>e</ul><ul><li>f</ul>",
        "<ul><li><p>a<p>b<blockquote>c<pre>d\n\n  e</pre></blockquote><li><h3>f</h3></ul>",
        "<ul><li><pre>  a</pre><li><table><tr><td>x<td>y</table><li>- b</ul>",
        "<ol><li>2. a<li># b<li>> c<li>```</ol>",
        "<pre>```\n~~~\n  x\n````</pre><pre>*a* &lt;b> &amp;amp;\\</pre><p>    a",
        "<pre>\ta\n\n b </pre><pre><code>c`</code></pre>",
        "<blockquote><p>> a<p>- b<ul><li>c</ul></blockquote><blockquote>d</blockquote><hr><p>---",
        "<table><tr><th>a|b<th>`c|d`<tr><td>\\|<td>e<br>f<tr><td><td>g</table>",
        "<table><caption>| a</caption><tr><td>b<td><code>c|</code></table>",
        "<code><a href=/x></pre><b>]:",
        "<p><a href=/x><code>]: y</code></a> more",
        "<code><b>word<ul><i><em>1. </i>1. ",
        "<b>word<i><ul>1. </div></i>`<i>*x*",
        "<i>word<ul><b>1. </b>`<b>*x*",
        "<p>five stars *<br>un<i>believ</i>able</p>",
        "<p>a <i>x *<br>y</i></p>",
        "<table><tr><td>a *<br>b*c*d<td>e</table>",
        "<p>a \\<br>b _<br>c</p>",
        "two words<b><i><s>two words</s></i></b>",
        "<p><b><em><p><s>two words</em><i><b><br>*x*",
        "two words<s><i><b>two words</b></i></s>end",
        "two words<i><b><s>two words</s></b></i>end",
        "<table><tr><td>b<td>c</tr><caption>| a</caption></table>",
        "<table><tr><td>two words<td>1. <caption>é</td><td>two words",
        "<table><tr><td>two words<td>é<caption><table><tr><td>1. </table><tr><td>two words",
        "<table><caption>x</caption><tr><td>a<td>b</tr><caption>y</caption><tr><td>c<td>d</tr><caption>z</caption></table>",
        "<table><tr><td>a<td></table><table><tr><td>b<td>c</table><p>d",
        "<h1># a</h1><h2>b #</h2><h3>c ##</h3><p>d<br>===<br>e",
        "<p>a</p>1. b<p>- c</p><p>+ d</p><p>* e</p><p>= f</p>",
        "<div>a</div><ul><li></ul><ul><li>b<br>- c<br>1. d</ul>",
        "word<b><s>two words</s></b>end",
        "word<s><b>two words</b></s>end <i><s>a</s></i>b <s>c<i>d</i></s>e",
    ] {
        assert_eq!(difference(source), None, "{source}");
    }
}

proptest! {
    #![proptest_config(config(800))]

    #[test]
    fn every_character_comes_back(source in page()) {
        // A list of definitions is read as text where it is unknown, with its colons.
        let source = source.replace("<dl>", "<p>").replace("<dt>", "<p>").replace("<dd>", "<p>");
        let dom = Dom::parse(&source);
        let all = Selection::new(&dom, dom.ids());
        let written = markdown(&dom, &all, None);
        prop_assert_eq!(shown(&read_back(&written)), shown(&text(&dom, &all)), "{}", written);
    }
}
