//! Pages that are made to be slow or large: each gives the right tree, in time and memory linear in the page. Tests are not
//! timed; one that is quadratic would not end. `scripts/peers` (`hostile`) measures.

use super::{Attr, Dom, Tag};
use std::fmt::Write as _;

/// Parts of a page; enough of them that a quadratic parser is seen to hang.
const MANY: usize = 100_000;

fn count(dom: &Dom, tag: Tag) -> usize {
    dom.ids().filter(|&id| dom.tag(id) == tag).count()
}

fn parts(n: usize, mut part: impl FnMut(&mut String, usize)) -> String {
    let mut page = String::new();
    (0..n).for_each(|at| part(&mut page, at));
    page
}

/// Number of `x` in the visible text.
fn shown(dom: &Dom) -> usize {
    dom.visible_text().matches('x').count()
}

#[test]
fn deep_nests_of_every_kind_keep_their_text() {
    for tag in ["div", "b", "a", "table", "font", "ul><li", "button", "ruby><rb", "p", "nobr", "x-y", "center><b"] {
        let dom = Dom::parse(&format!("<{tag}>x").repeat(MANY));
        assert_eq!(shown(&dom), MANY, "{tag}");
        let deepest = dom.ids().filter(|&id| dom.is_text(id)).map(|id| dom.ancestors(id).count()).max();
        assert!(deepest.is_some_and(|depth| depth < 600), "{tag}: {deepest:?}");
    }
    for tag in ["svg", "template"] {
        let dom = Dom::parse(&(format!("<{tag}>y").repeat(MANY) + &format!("</{tag}>").repeat(MANY) + "<p>x"));
        assert_eq!(dom.visible_text().trim(), "x", "{tag}");
    }
    let options = Dom::parse(&"<select><option>x".repeat(MANY));
    assert_eq!(shown(&options), MANY);
}

#[test]
fn large_parts_are_kept_whole() {
    let large = "x".repeat(5_000_000);
    let dom = Dom::parse(&format!("<a title='{large}'>{large}</a>"));
    assert_eq!(dom.visible_text().trim(), large);
    assert_eq!(dom.ids().find_map(|id| dom.attr(id, Attr::TITLE)).map(str::len), Some(large.len()));
    // Text in pieces, of characters of several bytes, at the borders of what is read and held at a time.
    for front in 0..4 {
        let text = "y".repeat(front) + &"灯塔\n".repeat(500_000);
        let dom = Dom::parse(&format!("<pre>{text}</pre>"));
        assert!(dom.visible_text().trim() == text.trim(), "{front} in front");
        assert_eq!(count(&dom, Tag::TEXT), 1);
    }
    let lines = Dom::parse(&format!("<table>{}", "x\n".repeat(10 * MANY)));
    assert_eq!(shown(&lines), 10 * MANY);
}

#[test]
fn attributes_of_open_elements_are_not_copied_without_end() {
    // Each paragraph opens the element again, with its attributes.
    let large = "y".repeat(1_000_000);
    for tag in ["b", "a"] {
        let page = format!("<div><{tag} title='{large}'></div>{}", "<div><p>x</p></div>".repeat(20_000));
        let dom = Dom::parse(&page);
        assert_eq!(shown(&dom), 20_000);
        let held: usize = dom.ids().filter_map(|id| dom.attr(id, Attr::TITLE)).map(str::len).sum();
        assert!(held <= 2 * page.len() + (1 << 20), "{tag}: {held}");
    }
    let attributes = parts(MANY, |page, at| {
        let _ = write!(page, " a{at}=1");
    });
    let dom = Dom::parse(&format!("<a href=x{attributes} title=t>x</a><p id=i>"));
    assert_eq!((shown(&dom), dom.ids().find_map(|id| dom.attr(id, Attr::ID))), (1, Some("i")));
    let bodies = parts(MANY, |page, at| {
        let _ = write!(page, "<body class=c{at} {}>x", if at == 7 { "id=late" } else { "" });
    });
    let dom = Dom::parse(&(bodies + "<p lang=en>"));
    let attrs: Vec<_> = dom.attrs(dom.body()).collect();
    assert_eq!(attrs, [(Attr::CLASS, "c0"), (Attr::ID, "late")]);
    assert_eq!(dom.ids().find_map(|id| dom.attr(id, Attr::LANG)), Some("en"));
}

#[test]
fn names_without_end_are_left_out_and_their_text_stays() {
    let page = parts(MANY, |page, at| {
        let _ = write!(page, "<x-element-{at}>x</x-element-{at}><i>z</i>");
    });
    let dom = Dom::parse(&page);
    assert_eq!((shown(&dom), count(&dom, Tag::I)), (MANY, MANY));
    assert!((1_000..5_000).contains(&count(&dom, Tag::OTHER)));
}

#[test]
fn text_moved_out_of_tables_is_not_copied_again_and_again() {
    let dom = Dom::parse(&format!("<table>{}", "<tr><td>y</td>x".repeat(MANY)));
    assert_eq!((shown(&dom), count(&dom, Tag::TR)), (MANY, MANY));
    // What may not stand in a table stands before it, and is one text.
    let before: Vec<_> = dom.ids().filter(|&id| dom.is_text(id) && dom.text(id).starts_with('x')).collect();
    assert_eq!(before.len(), 1);
    assert_eq!(dom.text(before[0]).len(), MANY);
    let blocks = Dom::parse(&format!("<table>{}", "<p>x<tr>".repeat(MANY)));
    assert_eq!((shown(&blocks), count(&blocks, Tag::P)), (MANY, MANY));
}

#[test]
fn what_is_no_content_stays_small() {
    let comments = Dom::parse(&"<!-- c -->x".repeat(MANY));
    assert_eq!((shown(&comments), count(&comments, Tag::TEXT)), (MANY, MANY));
    let ends = Dom::parse(&("<p>x".to_owned() + &"</b></i></div></table></x>".repeat(MANY) + "y"));
    assert_eq!(ends.visible_text().trim(), "xy");
    // An end tag of a paragraph that is not open makes an empty one, as in browsers.
    assert_eq!(count(&Dom::parse(&("<body>".to_owned() + &"</p>".repeat(MANY))), Tag::P), MANY);
    let frames = Dom::parse(&format!("<body>x{}", "<frameset><frame>".repeat(MANY)));
    assert_eq!((shown(&frames), count(&frames, Tag::FRAME)), (1, 0));
    let plain = Dom::parse(&format!("<plaintext>{}", "<p>x".repeat(MANY)));
    assert_eq!((shown(&plain), count(&plain, Tag::P)), (MANY, 0));
    assert_eq!(shown(&Dom::parse(&format!("<p>{}", "x\0".repeat(MANY)))), MANY);
    let doctypes = Dom::parse(&("<!DOCTYPE x SYSTEM 'y'>".repeat(MANY) + "x"));
    assert_eq!(shown(&doctypes), 1);
}

#[test]
fn misnested_formatting_keeps_its_text() {
    for part in ["<b><i><p>x</b></i></p>", "<b><p>x</b><i><div></i>", "<a><p><a><div>x</a>", "<nobr><p>x"] {
        let dom = Dom::parse(&part.repeat(20_000));
        assert_eq!(shown(&dom), 20_000, "{part}");
        assert!(dom.len() < 1_000_000, "{part}: {}", dom.len());
    }
}

#[test]
fn scripts_hold_no_text_but_for_json() {
    let page = "<script>a('</p>x')</script><p>one</p><style>p { color: x }</style>\
        <script type='application/LD+JSON'>{\"x\": 1}</script><script><!-- <script></script> x --></script>\
        <svg><style>.x</style><title>t</title></svg><p>two";
    let dom = Dom::parse(page);
    assert_eq!(dom.visible_text().trim(), "one\ntwo");
    let code: Vec<&str> =
        dom.ids().filter(|&id| matches!(dom.tag(id), Tag::SCRIPT | Tag::STYLE)).map(|id| dom.text(id)).collect();
    assert_eq!(code, ["", "", "{\"x\": 1}", "", ""]);
    for part in ["<script>'x'</script>y", "<style>a{x}</style>y"] {
        let dom = Dom::parse(&part.repeat(MANY));
        assert_eq!(dom.visible_text().matches('y').count(), MANY);
    }
    for open in
        ["<script><!-- <script>", "<script><!-- <script></script>", "<script></scrip></scripts>", "<style></styl"]
    {
        assert_eq!(Dom::parse(&("<p>x</p>".to_owned() + &open.repeat(MANY))).visible_text().trim(), "x");
    }
    // An end tag far behind what the tokenizer holds at a time.
    let far = Dom::parse(&format!("<p>x<script>{}</script>y", "'<' ".repeat(MANY)));
    assert_eq!(far.visible_text().trim(), "xy");
}
