//! Small pages in; exact text, Markdown and HTML out. Properties over random trees.

use super::build::Class;
use super::{Selection, html, markdown, text};
use crate::dom::{Dom, NodeId, Tag};
use proptest::prelude::*;
use std::fmt::Write as _;
use url::Url;

fn base() -> Url {
    "https://example.org/a/b.html".parse().expect("a constant")
}

fn all(dom: &Dom) -> Selection {
    Selection::new(dom, dom.ids())
}

/// Writes the whole page in the three ways.
#[track_caller]
fn check(source: &str, want_text: &str, want_markdown: &str, want_html: &str) {
    let dom = Dom::parse(source);
    let selection = all(&dom);
    assert_eq!(text(&dom, &selection), want_text, "text");
    assert_eq!(markdown(&dom, &selection, Some(&base())), want_markdown, "markdown");
    assert_eq!(html(&dom, &selection, Some(&base())), want_html, "html");
    assert_eq!(text(&Dom::parse(want_html), &all(&Dom::parse(want_html))), want_text, "text of the html");
}

#[track_caller]
fn check_text(source: &str, want: &str) {
    let dom = Dom::parse(source);
    assert_eq!(text(&dom, &all(&dom)), want);
}

#[track_caller]
fn check_markdown(source: &str, want: &str) {
    let dom = Dom::parse(source);
    assert_eq!(markdown(&dom, &all(&dom), Some(&base())), want);
}

#[track_caller]
fn check_html(source: &str, want: &str) {
    let dom = Dom::parse(source);
    assert_eq!(html(&dom, &all(&dom), Some(&base())), want);
}

#[test]
fn blocks_are_not_glued_and_inlines_not_split() {
    check(
        "<h1>Va<b>l</b>ve</h1><div><div>night shift</div><span>14 March</span></div><p>Read<span> </span>the<i> plate </i>now",
        "Valve\nnight shift\n14 March\nRead the plate now",
        "# Va**l**ve\n\nnight shift\n\n14 March\n\nRead the *plate* now",
        "<h1>Va<b>l</b>ve</h1>\n<p>night shift</p>\n<p>14 March</p>\n<p>Read the <i>plate</i> now</p>",
    );
}

#[test]
fn quotations_in_a_line_keep_their_marks() {
    check(
        "<p>She said <q>the <b>pool</b> <q>leaks</q></q>, twice. <q></q>",
        "She said “the pool ‘leaks’”, twice.",
        "She said “the **pool** ‘leaks’”, twice.",
        "<p>She said “the <b>pool</b> ‘leaks’”, twice.</p>",
    );
}

#[test]
fn line_ends() {
    check("<div>a<br>\n b <br><br>\nc<br></div>", "a\nb\nc", "a\\\nb\n\nc", "<p>a<br>b</p>\n<p>c</p>");
    check_markdown("<h2>a<br>b</h2>", "## a b");
    check_html("<p>a<span><br></span>b<br></p><p><br>", "<p>a<br>b</p>");
}

#[test]
fn blanks() {
    check_text("<p> a&nbsp; b\u{ad}c\u{200b}d\u{feff} \u{2028}e\u{7} </p><p>&nbsp;</p>", "a bcd e");
    check_text("<p>图书\n馆 做，\n<b>人</b> <i>Linux</i> 和 カ\nナ 한국 어", "图书馆 做，人 Linux 和 カナ 한국 어");
    // As browsers do: names are parted by blanks, and the ends of lines part nothing.
    check_text(
        "<p>记者 刘涛 \n 　王明，\t 编辑 　张三<b>（图）</b> 李四\n\t王五",
        "记者 刘涛 王明，编辑 张三（图）李四王五",
    );
    check_html("<p>记者 <b>刘涛</b> 王明", "<p>记者 <b>刘涛</b> 王明</p>");
    // A blank that the author meant stays, also when the HTML is read again.
    check("<p>张三&nbsp;李四", "张三 李四", "张三 李四", "<p>张三&nbsp;李四</p>");
    check_text("<p>中 <img src=x> 文", "中 文");
    check_text("<p>他说：\n“好” \n他 — 人\n…… 又 “a” b", "他说：“好”他—人……又“a” b");
    check_text("<p>a “b” c", "a “b” c");
    check_text("<p>a<span style='display:block'>b</span><a href=x style='display: block'>c</a>", "a\nb\nc");
    check_text("<p><ruby>漢<rp>(<rt>かん<rp>)</ruby>字", "漢字");
}

#[test]
fn preformatted() {
    check(
        "<pre><code class='hl language-py'><span>def</span> f():\n\n    # `x`  \n    return 1 &lt; 2\n</code></pre>",
        "def f():\n    # `x`\n    return 1 < 2",
        "```py\ndef f():\n\n    # `x`\n    return 1 < 2\n```",
        "<pre><code class=\"language-py\">def f():\n\n    # `x`  \n    return 1 &lt; 2\n</code></pre>",
    );
    check_html(
        "<div class=highlight-source-js><pre>x</pre></div><p><code class=language-c>y</code>",
        "<pre class=\"language-js\">x</pre>\n<p><code class=\"language-c\">y</code></p>",
    );
    check_markdown("<pre>```\nx</pre>", "````\n```\nx\n````");
    check_text("<pre><div>a</div><div>  b</div>c<br>d</pre>", "a\n  b\nc\nd");
    check_html("<pre>\n\nx</pre>", "<pre>\n\nx</pre>");
    check_markdown("<ul><li>see<pre>a\n\nb</pre><li>c</ul>", "- see\n\n  ```\n  a\n\n  b\n  ```\n\n- c");
}

#[test]
fn lists() {
    check(
        "<p>x<ul><li>a<ul><li>a1<li>a2</ul><li><p>b</p></ul><ol start=9><li>c<li>d<ol><li>e</ol></ol>",
        "x\na\na1\na2\nb\nc\nd\ne",
        "x\n\n- a\n  - a1\n  - a2\n- b\n\n9. c\n10. d\n    1. e",
        "<p>x</p>\n<ul>\n<li>a\n<ul>\n<li>a1</li>\n<li>a2</li>\n</ul>\n</li>\n<li>b</li>\n</ul>\n<ol start=\"9\">\n<li>c</li>\n<li>d\n<ol>\n<li>e</li>\n</ol>\n</li>\n</ol>",
    );
    check_markdown("<ul><li><p>a<p>b<li>c</ul>", "- a\n\n  b\n\n- c");
    check_markdown("<ul><li>a</ul><ul><li>b</ul>", "- a\n\n* b");
    // Sloppy nesting, text without an item, an item without a list.
    check_markdown("<ul><li>a<ul><li>b</ul><ul><li>c</ul><li>d</ul>", "- a\n  - b\n  * c\n- d");
    check_html("<ul>t<li>a</li><ul><li>b</ul></ul>", "<ul>\n<li>t</li>\n<li>a\n<ul>\n<li>b</li>\n</ul>\n</li>\n</ul>");
    check_html("<li>a<li>b", "<p>a</p>\n<p>b</p>");
    check_markdown("<ol><li>a<ol start=3><li>b</ol><li>c</ol>", "1. a\n\n   3. b\n2. c");
}

#[test]
fn tables() {
    check(
        "<table><caption>Tides</caption><thead><tr><th>Port<th>High</thead><tr><td>A|B<td>3<br>4<tr><td><td><p><b>5</b></p></table>",
        "Tides\nPort\tHigh\nA|B\t3 4\n\t5",
        "Tides\n\n| Port | High |\n| --- | --- |\n| A\\|B | 3<br>4 |\n| | **5** |",
        "<table>\n<caption>Tides</caption>\n<tr>\n<th>Port</th>\n<th>High</th>\n</tr>\n<tr>\n<td>A|B</td>\n<td>3<br>4</td>\n</tr>\n<tr>\n<td></td>\n<td><b>5</b></td>\n</tr>\n</table>",
    );
    // Columns stay in place; those that only make room are left out.
    check_text("<table><tr><td>a<td><td>b<td><tr><td>c<td><td><td><tr><td><td><td>d<td>", "a\tb\nc\n\td");
    check_markdown(
        "<table><tr><td><th>1911<th>1912<tr><th>eels<td>4<td>5</table>",
        "| | 1911 | 1912 |\n| --- | --- | --- |\n| eels | 4 | 5 |",
    );
    // Row headers do not head the table.
    check_markdown("<table><tr><th>k<td>v<tr><th>l<td>w</table>", "| | |\n| --- | --- |\n| k | v |\n| l | w |");
    check_markdown(
        "<table><tr><td colspan=2>a<td rowspan=2>b<tr><td>c<td>d</table>",
        "| a | | b |\n| --- | --- | --- |\n| c | d | |",
    );
    // Layout: one cell a row, or cells with blocks.
    check(
        "<table><tr><td></td><td><h1>T</h1><p>a<p>b</td></tr></table>",
        "T\na\nb",
        "# T\n\na\n\nb",
        "<h1>T</h1>\n<p>a</p>\n<p>b</p>",
    );
    check_markdown("<table><tr><td>m<td><p>a<p>b</table>", "m\n\na\n\nb");
    check_text("<table><tr><td>m<td><p>a<p>b<tr><td>x<td>y</table>", "m\na\nb\nx\ty");
}

#[test]
fn quotes_rules_and_definitions() {
    check(
        "<blockquote><p>a</p><blockquote>b<br>c</blockquote></blockquote><hr><hr><p>d</p><hr>",
        "a\nb\nc\nd",
        "> a\n>\n> > b\\\n> > c\n\n---\n\nd",
        "<blockquote>\n<p>a</p>\n<blockquote>\n<p>b<br>c</p>\n</blockquote>\n</blockquote>\n<hr>\n<p>d</p>",
    );
    check(
        "<dl><dt>P<dd>low<dt>L<dd><p>x<p>y</dl>",
        "P\nlow\nL\nx\ny",
        "P\n: low\n\nL\n: x\n\n  y",
        "<dl>\n<dt>P</dt>\n<dd>low</dd>\n<dt>L</dt>\n<dd><p>x</p>\n<p>y</p>\n</dd>\n</dl>",
    );
    check_markdown("<blockquote>a</blockquote><blockquote>b</blockquote>", "> a\n\n> b");
}

#[test]
fn links_and_images() {
    check(
        "<p>See <a href='../c?x=1&amp;y=(2)' title='T &quot;q&quot;'>the [map] </a>or<a href='javascript:x()'> no</a>!\
         <a href='data:text/html,x'>d</a><figure><a href='/i'><img src='i.png' alt='A [b]'></a><figcaption>Cap</figcaption></figure>",
        "See the [map] or no!d\nCap",
        "See [the \\[map\\]](https://example.org/c?x=1&y=\\(2\\) \"T \\\"q\\\"\") or no!d\n\n\
         [![A \\[b\\]](https://example.org/a/i.png)](https://example.org/i)\n\nCap",
        "<p>See <a href=\"https://example.org/c?x=1&amp;y=(2)\" title=\"T &quot;q&quot;\">the [map]</a> or no!d</p>\n\
         <figure>\n<a href=\"https://example.org/i\"><img src=\"https://example.org/a/i.png\" alt=\"A [b]\"></a>\n\
         <figcaption>Cap</figcaption>\n</figure>",
    );
    check_html(
        "<p>x<img src='data:image/gif;base64,xx' data-src=l.jpg><img src='javascript:x'><time datetime=2020-01-02>now</time>",
        "<p>x<img src=\"https://example.org/a/l.jpg\"><time datetime=\"2020-01-02\">now</time></p>",
    );
    // A link around blocks is written in each.
    check_markdown(
        "<a href=u><h2>t</h2><p>s</p></a>",
        "## [t](https://example.org/a/u)\n\n[s](https://example.org/a/u)",
    );
    check_markdown("<p>Stop!<a href=u>x</a>", "Stop\\![x](https://example.org/a/u)");
    check_html("<p onclick=x()>a<script>s</script><style>t</style><svg><text>v</text></svg><b></b>", "<p>a</p>");
    check_html("<div lang=fr><p>a<p lang=de>b</div><p>c", "<p lang=\"fr\">a</p>\n<p lang=\"de\">b</p>\n<p>c</p>");
}

#[test]
fn emphasis_is_read_as_such_or_left_out() {
    check_markdown("<p><b>注意：</b>这里 <b>注意</b>这里", "注意：这里 **注意**这里");
    check_markdown("<p><b><i>x</i></b> <i>a</i><b>b</b> <s>c</s>", "***x*** *a*b ~~c~~");
    check_markdown(
        "<p><code>f(<a href=/x>B</a>)</code> <code>a`b</code>",
        "`f(`[`B`](https://example.org/x)`)` ``a`b``",
    );
    check_markdown("<p><b>a</b> <b>b</b><b> c </b>d", "**a b c** d");
}

#[test]
fn only_what_reads_as_markup_is_escaped() {
    for (plain, want) in [
        ("snake_case 2 * 3 a*b _x_ `y`", "snake\\_case 2 * 3 a\\*b \\_x\\_ \\`y\\`".replace("snake\\_", "snake_")),
        ("# no", "\\# no".into()),
        ("#tag C# a-b", "#tag C# a-b".into()),
        ("- x", "\\- x".into()),
        ("-5 °C", "-5 °C".into()),
        ("1. x", "1\\. x".into()),
        ("1.5 x (1) 2020", "1.5 x (1) 2020".into()),
        ("> x > y", "\\> x > y".into()),
        ("---", "\\---".into()),
        ("[x](y) [z]", "\\[x\\](y) [z]".into()),
        ("[x]: y", "\\[x]: y".into()),
        ("[1] y", "[1] y".into()),
        ("a & b &amp;c; AT&T", "a & b \\&c; AT&T".into()),
        ("a < b &lt;i> x", "a < b \\<i> x".into()),
        ("C:\\dir \\* ~5 a\\", "C:\\dir \\\\\\* \\~5 a\\".into()),
    ] {
        check_markdown(&format!("<p>{plain}</p>"), &want);
    }
    check_markdown("<p>a<br>===<br>+ b", "a\\\n\\===\\\n\\+ b");
    check_markdown("<h2>a #</h2>", "## a \\#");
}

#[test]
fn parts_of_a_page() {
    let dom = Dom::parse(
        "<div><ul><li>a<li id=b>b <b>c</b></ul><table><tr><td>k<td>v</table><p>t<img src=i><p hidden>h</div>",
    );
    let pick = |texts: &[&str]| {
        Selection::new(&dom, dom.ids().filter(|&id| dom.is_text(id) && texts.contains(&dom.text(id).trim())))
    };
    let write = |texts: &[&str]| html(&dom, &pick(texts), Some(&base()));
    assert_eq!(write(&["b", "c"]), "<p>b <b>c</b></p>");
    assert_eq!(write(&["k"]), "<p>k</p>");
    assert_eq!(write(&["k", "v"]), "<table>\n<tr>\n<td>k</td>\n<td>v</td>\n</tr>\n</table>");
    assert_eq!(write(&["a", "t"]), "<ul>\n<li>a</li>\n</ul>\n<p>t</p>");
    for nothing in [pick(&["h"]), pick(&[]), Selection::new(&Dom::parse(""), [])] {
        assert!(nothing.is_empty());
        assert_eq!(
            text(&dom, &nothing) + &markdown(&dom, &nothing, Some(&base())) + &html(&dom, &nothing, Some(&base())),
            ""
        );
    }
}

#[test]
fn hostile_pages_stay_linear() {
    let mut sources = Vec::new();
    for tag in [
        "div",
        "b",
        "blockquote",
        "ul><li",
        "ol",
        "table><tr><td>x<td",
        "dl><dd",
        "a href=x><div",
        "pre",
        "figure",
        "span lang=en",
    ] {
        sources.push(format!("<{tag}>x").repeat(500));
        // Something deep around much.
        sources.push(format!("<{tag}>").repeat(500) + &"<p>x".repeat(3000));
    }
    sources.push("<table>".to_owned() + &"<tr><td colspan=1000 rowspan=1000>x<td rowspan=9999>y".repeat(3000));
    sources.push("<table>".to_owned() + &"<td rowspan=60000>x".repeat(2000) + &"<tr><td>y<td>z".repeat(2000));
    sources
        .push("<div lang=en>".to_owned() + &format!("<a href='{}'>", "u".repeat(3000)) + &"<div>x</div>".repeat(3000));
    sources.push("[".repeat(5000) + &"`".repeat(5000) + &"&".repeat(5000) + &"*".repeat(5000));
    for source in sources {
        let dom = Dom::parse(&source);
        let selection = all(&dom);
        let sizes =
            [text(&dom, &selection), markdown(&dom, &selection, Some(&base())), html(&dom, &selection, Some(&base()))];
        for out in &sizes {
            let limit = 40 * source.len() + 400_000;
            assert!(!out.is_empty() && out.len() <= limit, "{} from {}: {:.60}", out.len(), source.len(), source);
        }
        assert_eq!(text(&Dom::parse(&sizes[2]), &all(&Dom::parse(&sizes[2]))), sizes[0], "{source:.60}");
    }
}

const TAGS: &str = "p¦div¦b¦i¦em¦a href=/x¦a href='javascript:'¦code¦pre¦ul¦ol start=3¦li¦table¦tr¦td¦th¦thead¦caption¦\
    blockquote¦h1¦h3¦dl¦dt¦dd¦figure¦figcaption¦span¦div hidden¦section lang=fr¦ruby¦rt¦time datetime=2020¦q¦details¦\
    summary¦s¦center¦font¦button¦sub¦address¦label¦big¦table><tr><td¦/td><td¦/tr><tr><td";

const TEXTS: &str = "word¦ ¦\n¦two words¦中¦文 ¦カ\n¦한¦&nbsp;¦*x*¦_¦<br>¦<br>¦<hr>¦<img src=i.png alt=A>¦<img>¦1. ¦# ¦|¦&amp;¦\
    &lt;b>¦\u{200b}¦\t¦é¦。¦\u{3000}¦`¦[¦]¦(¦)¦!¦:¦\\¦  a  ¦&#10;¦&#8232;¦~¦-¦- ¦=¦+ ¦&amp;lt;¦<textarea> x\n y</textarea>¦**";

fn parts(list: &'static str) -> Vec<&'static str> {
    list.split('¦').collect()
}

/// A random page: tags opened and closed at random between texts, as authors and attackers do.
pub(super) fn page() -> impl Strategy<Value = String> {
    let part = prop_oneof![
        3 => proptest::sample::select(parts(TAGS)).prop_map(|tag| format!("<{tag}>")),
        2 => proptest::sample::select(parts(TAGS))
            .prop_map(|tag| format!("</{}>", tag.split(' ').next().unwrap_or_default())),
        5 => proptest::sample::select(parts(TEXTS)).prop_map(str::to_owned),
    ];
    proptest::collection::vec(part, 0..60).prop_map(|parts| parts.concat())
}

pub(super) fn shown(text: &str) -> String {
    text.chars().filter(|&c| Class::of(c) == Class::Shown).collect()
}

/// All elements with nothing in them, and all attributes, that clean HTML must not have.
fn dirt(dom: &Dom) -> String {
    let mut out = String::new();
    let body = dom.body();
    for id in dom.subtree(body).skip(1).filter(|&id| !dom.is_text(id)) {
        let tag = dom.tag(id);
        let void = matches!(tag, Tag::BR | Tag::HR | Tag::IMG | Tag::TD | Tag::TH);
        let has_something =
            |id: NodeId| dom.subtree(id).any(|inner| dom.tag(inner) == Tag::IMG || !shown(dom.text(inner)).is_empty());
        if !void && !has_something(id) {
            let _ = write!(out, "empty {} ", tag.name());
        }
    }
    out
}

/// Random pages, without a file of failures beside the source: each fault found becomes a test by name.
pub(super) fn config(cases: u32) -> ProptestConfig {
    ProptestConfig { cases, failure_persistence: None, ..ProptestConfig::default() }
}

#[test]
fn images_of_a_figure_in_parts_stay_parted() {
    let dom = Dom::parse("<figure><img src=i.png alt=A><address><img src=j.png alt=B></address><p>C</figure>");
    let written = html(&dom, &all(&dom), Some(&base()));
    let again = Dom::parse(&written);
    assert_eq!(html(&again, &all(&again), Some(&base())), written);
    assert!(!written.contains("i.png\" alt=\"A\">\n<img"), "{written}");
}

/// What the text, the HTML and the HTML written from the HTML say.
#[test]
fn marks_of_quotations_stand_before_line_ends() {
    for (source, want) in [
        ("<p><q>a<br></q> b", "“a”\nb"),
        ("<p><q>a <br></q><img src=i.png alt=A> b", "“a”\nb"),
        ("<a href=/x><q>- <br><a href=/x><img src=i.png alt=A>c", "“-”\nc"),
        ("<p><q>a<br><br></q> b", "“a”\nb"),
    ] {
        let dom = Dom::parse(source);
        assert_eq!(text(&dom, &all(&dom)), want, "{source}");
        let written = html(&dom, &all(&dom), Some(&base()));
        let again = Dom::parse(&written);
        assert_eq!(text(&again, &all(&again)), want, "{source}");
        assert_eq!(html(&again, &all(&again), Some(&base())), written, "{source}");
    }
}

proptest! {
    #![proptest_config(config(600))]

    #[test]
    fn text_holds_every_kept_character_in_order(source in page(), seed in any::<u64>()) {
        let dom = Dom::parse(&source);
        let kept: Vec<NodeId> = dom
            .ids()
            .filter(|id| seed == 0 || (seed >> (id.index() % 64)) & 1 == 1 || seed % 3 == 0)
            .collect();
        let selection = Selection::new(&dom, kept.iter().copied());
        let want: String =
            kept.iter().filter(|&&id| dom.is_text(id) && !dom.is_hidden(id)).map(|&id| shown(dom.text(id))).collect();
        let got = text(&dom, &selection);
        // A `q` gets marks that its page does not hold.
        let unquoted = |text: String| text.replace(['“', '”', '‘', '’'], "");
        prop_assert_eq!(unquoted(shown(&got)), unquoted(want));
        let is_line_end = |c: char| matches!(u32::from(c), 0x2028 | 0x2029);
        let is_allowed = |c: char| matches!(c, '\n' | '\t') || !(c.is_control() || is_line_end(c));
        prop_assert!(got.chars().all(is_allowed));
        prop_assert!(got.is_empty() || got.split('\n').all(|line| !line.trim().is_empty() && line.trim_end() == line));

        let written = html(&dom, &selection, Some(&base()));
        let again = Dom::parse(&written);
        prop_assert_eq!(text(&again, &all(&again)), got, "{}", written);
        prop_assert_eq!(dirt(&again), "", "{}", written);
        prop_assert_eq!(html(&again, &all(&again), Some(&base())), written);

        markdown(&dom, &selection, Some(&base()));
    }
}
