//! [`tokenize`](super::tokenize) beside the parser's own tokenizer: both must give the same tree.

use super::flatten::flatten;
use super::parse::{Guard, build};
use super::tokenize::tokenize;
use super::{Attr, Dom, Tag};
use html5ever::TokenizerResult;
use html5ever::tendril::StrTendril;
use html5ever::tokenizer::{BufferQueue, Token, TokenSink, TokenSinkResult, Tokenizer, TokenizerOpts};
use proptest::prelude::*;
use std::fmt::Write as _;

/// The guard lent to the parser's tokenizer, which keeps what it is given.
struct Lent<'b, 'a>(&'b Guard<'a>);

impl<'a> TokenSink for Lent<'_, 'a> {
    type Handle = <Guard<'a> as TokenSink>::Handle;

    fn process_token(&self, token: Token, line: u64) -> TokenSinkResult<Self::Handle> {
        self.0.process_token(token, line)
    }

    fn end(&self) {
        self.0.end();
    }

    fn adjusted_current_node_present_but_not_in_html_namespace(&self) -> bool {
        self.0.adjusted_current_node_present_but_not_in_html_namespace()
    }
}

fn slowly(html: &str, guard: &Guard<'_>) {
    // It would drop a mark of byte order behind every script too, where it takes up its work again.
    let html = html.strip_prefix('\u{feff}').unwrap_or(html);
    let opts = TokenizerOpts { discard_bom: false, ..TokenizerOpts::default() };
    let tokenizer = Tokenizer::new(Lent(guard), opts);
    let queue = BufferQueue::default();
    queue.push_back(StrTendril::from_slice(html));
    while !matches!(tokenizer.feed(&queue), TokenizerResult::Done) {}
    tokenizer.end();
}

fn tree(html: &str, run: impl Fn(&str, &Guard<'_>)) -> String {
    format!("{:#?}", flatten(build(html, true, run).expect("a plain tree is never given up")))
}

fn formatted_tree(html: &str, run: impl Fn(&str, &Guard<'_>)) -> Option<String> {
    build(html, false, run).map(|tree| format!("{:#?}", flatten(tree)))
}

#[track_caller]
fn check(html: &str) {
    assert_eq!(tree(html, |html, guard| tokenize(html, guard)), tree(html, slowly), "{html:?}");
    assert_eq!(formatted_tree(html, |html, guard| tokenize(html, guard)), formatted_tree(html, slowly), "{html:?}");
}

/// Pieces that change how a tokenizer reads what stands behind them.
const PIECES: [&str; 117] = [
    "<",
    ">",
    "/",
    "!",
    "?",
    "=",
    "\"",
    "'",
    "-",
    "--",
    "&",
    ";",
    "#",
    "x",
    "\0",
    "\r",
    "\n",
    "\r\n",
    "\t",
    "\x0c",
    " ",
    "a",
    "B",
    "é",
    "漢",
    "\u{feff}",
    "</",
    "<!",
    "<!-",
    "<!--",
    "-->",
    "--!>",
    "<!-->",
    "<!--->",
    "<!>",
    "</>",
    "<?",
    "<a",
    "<b ",
    "<p>",
    "<P>",
    "</p>",
    "</P x=y>",
    "<br/>",
    "<br / >",
    "<div",
    " id=a",
    " ID='b'",
    " class=\"c d\"",
    " href=x&y",
    " title=\"&amp;&lt\"",
    " alt='&notit;'",
    " alt=&not=",
    " data-x=1",
    " color=red",
    " onclick=f()",
    " name",
    " x=",
    " style = ",
    "<script>",
    "<script type=application/json>",
    "</script>",
    "</SCRIPT\n",
    "<script",
    "</script",
    "<style>",
    "</style>",
    "<title>",
    "</title>",
    "</title x",
    "<textarea>\n",
    "</textarea>",
    "<xmp>",
    "</xmp>",
    "<iframe>",
    "</iframe>",
    "<plaintext>",
    "<noscript>",
    "</noscript>",
    "<svg>",
    "</svg>",
    "<svg/>",
    "<math>",
    "<![CDATA[",
    "]]>",
    "]",
    "<foreignObject>",
    "<table>",
    "<td>",
    "</table>",
    "<tr>",
    "<i>",
    "<font size=1>",
    "</font>",
    "<em x=1>",
    "</b>",
    "<a href='#'>",
    "</a>",
    "<template>",
    "</template>",
    "<select>",
    "<option>",
    "<!doctype html>",
    "<!DOCTYPE html PUBLIC \"-//W3C//DTD HTML 4.01//EN\"",
    "<!doctype",
    "&amp;",
    "&amp",
    "&nbsp;",
    "&notin;",
    "&noti",
    "&#",
    "&#x",
    "&#65;",
    "&#x80",
    "&#0;",
    "&#99999999999;",
    "&NotEqualTilde;",
];

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1500))]
    #[test]
    fn soup_gives_the_tree_that_the_parsers_own_tokenizer_gives(
        pieces in prop::collection::vec(prop::sample::select(&PIECES[..]), 0..40)
    ) {
        check(&pieces.concat());
    }
}

#[test]
fn a_flood_of_attributes_is_cut() {
    let flood: String = (0..60_000).fold(String::from("<a href=x"), |mut tag, i| {
        let _ = write!(tag, " a:{i}='>'");
        tag
    });
    let dom = Dom::parse(&format!("<p>one{flood}>two</a><p>three"));
    assert_eq!(dom.visible_text().trim(), "onetwo\nthree");
    let link = dom.ids().find(|&id| dom.tag(id) == Tag::A).expect("the link");
    assert_eq!(dom.attr(link, Attr::HREF), Some("x"));
}

#[test]
fn hard_cases_give_the_same_tree() {
    for html in [
        "<font color=1 x=1><font color=1 x=2><font color=1 x=3><font color=1 x=4><p>a",
        "<p title='a\r\nb\rc\0&#13;&amp'>x\r\ny\rz\0</p>",
        "<svg><a xlink:href=x xlink:title=y>a<![CDATA[ <b> \0 ]] ]]]>b</a></svg><![CDATA[c]]>",
        "<script type=ld+json><!-- <script> </script> --> &amp; \0</script>x",
        "<script type=ld+json><!-- <script> </script",
        "<textarea>\r\n&lt;\0</TEXTAREA >b<title>c</titles></title",
        "<p a=1 a=2 class=x class=y id=z/>a<p =a =b>b<p a='x'b=c>d<p id= >e<p id=",
        "<math><annotation-xml encoding=text/html><p>a</annotation-xml></math><input type=hidden><table><input type=hidden>",
    ] {
        check(html);
    }
    // Longer than a portion, which must not part a line end or a character.
    for end in ["\r\n", "é", "漢\r\n"] {
        for pad in 0..4 {
            check(&format!("<p>{}{}{end}x{end}<b>", "a".repeat(pad), end.repeat(40_000)));
        }
    }
}
