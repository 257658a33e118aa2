//! Selectors against two slow twins: the definition of CSS, from the element up, and a reader of the `XPath` that is written,
//! from the document down.

use super::selector::{Join, Selector, Step};
use crate::dom::{Attr, Dom, NodeId, Tag};
use proptest::prelude::*;

const PAGE: &str = "<html><body class='home x'><div id=main class='a b'><p class=a>1<b>2</b></p><div class=c><p>3</p></div></div>\
    <p class='a-b'>4</p><my-box class=c><p>5</p></my-box><table><tr><td>6</table></body></html>";

#[track_caller]
fn check(selector: &str, texts: &[&str]) {
    let dom = Dom::parse(PAGE);
    let selector = Selector::parse(selector).expect("a selector");
    let found = selector.matches(&dom);
    assert_eq!(found.iter().map(|&id| dom.text(id).trim()).collect::<Vec<_>>(), texts, "{selector}");
    assert_eq!(found, by_xpath(&dom, &selector.xpath()), "{}", selector.xpath());
}

#[test]
fn selectors_select() {
    check("p", &["12", "3", "4", "5"]);
    check("#main p", &["12", "3"]);
    check("#main > p", &["12"]);
    check("div div p", &["3"]);
    check(".c p", &["3", "5"]);
    check("body.home.x > *.c>p", &["5"]);
    check("DIV.a.b#main b", &["2"]);
    check(".a", &["12\n3", "12"]);
    check(".A", &[]);
    check("table > tr", &[]);
    check("table td", &["6"]);
    check("* > b", &["2"]);
}

#[test]
fn selectors_are_written_as_they_are_read() {
    for text in ["p", "*", "#a", ".a", "p#a.b.c", "#a .b > p", "body.x-y *", ".über", "-a.b".trim_start_matches("-a")]
    {
        assert_eq!(Selector::parse(text).expect("a selector").to_string(), text);
    }
    let xpath = Selector::parse("#a  li.b>a").expect("a selector").xpath();
    assert_eq!(xpath, "//*[@id=\"a\"]//li[contains(concat(\" \", normalize-space(@class), \" \"), \" b \")]/a");
}

#[test]
fn what_is_not_supported_is_named() {
    for (text, said) in [
        ("", "is empty"),
        ("  ", "is empty"),
        ("p:first-child", "pseudo-class"),
        ("a[href]", "attribute"),
        ("h1 + p", "siblings"),
        ("h1 ~ p", "siblings"),
        ("p, li", "is a list"),
        ("a >", "ends with >"),
        ("> a", "'>'"),
        ("a > > b", "'>'"),
        ("frobnicate", "element frobnicate"),
        (".1a", "no name behind ."),
        (".a\\:b", "escape"),
        ("#", "no name behind #"),
        ("#a#b", "two ids"),
        ("a{", "'{'"),
        ("//div", "'/'"),
        (&"a ".repeat(33), "more than 32 steps"),
    ] {
        let error = Selector::parse(text).expect_err(text).to_string();
        assert!(error.contains(said) && error.contains(&format!("{text:?}")), "{text}: {error}");
    }
}

fn steps() -> impl Strategy<Value = Vec<(bool, usize, Option<bool>, Vec<usize>)>> {
    let step = (
        any::<bool>(),
        0..TAGS.len() + 1,
        prop::option::weighted(0.2, any::<bool>()),
        prop::collection::vec(0..3_usize, 0..2),
    );
    prop::collection::vec(step, 1..5)
}

const TAGS: [Tag; 3] = [Tag::DIV, Tag::SECTION, Tag::SPAN];
const IDS: [&str; 2] = ["i", "j"];
const CLASSES: [&str; 3] = ["x", "y", "z"];

fn parsed(steps: &[(bool, usize, Option<bool>, Vec<usize>)]) -> Selector {
    let mut text = String::new();
    for (at, (is_child, tag, id, classes)) in steps.iter().enumerate() {
        text += if at == 0 {
            ""
        } else if *is_child {
            " > "
        } else {
            " "
        };
        text += TAGS.get(*tag).map_or("*", |tag| tag.name());
        text.extend(id.iter().flat_map(|id| ["#", IDS[usize::from(*id)]]));
        text.extend(classes.iter().flat_map(|class| [".", CLASSES[*class]]));
    }
    Selector::parse(&text).expect("a selector")
}

fn page() -> impl Strategy<Value = String> {
    let element = (0..TAGS.len(), 0..6_usize, 0..8_usize, 0..3_usize);
    prop::collection::vec(element, 1..40).prop_map(|elements| {
        let mut html = String::from("<body>");
        let mut open = Vec::new();
        for (tag, id, classes, closes) in elements {
            for _ in 0..closes {
                if let Some(name) = open.pop() {
                    html.extend(["</", name, ">"]);
                }
            }
            let classes: Vec<&str> = (0..3).filter(|bit| classes >> bit & 1 == 1).map(|bit| CLASSES[bit]).collect();
            html.extend(["<", TAGS[tag].name()]);
            html.extend(IDS.get(id).into_iter().flat_map(|id| [" id=", id]));
            html.extend([" class='", &classes.join("  "), "'>t"]);
            open.push(TAGS[tag].name());
        }
        html
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn matching_is_what_css_and_xpath_define(html in page(), steps in steps()) {
        let (dom, selector) = (Dom::parse(&html), parsed(&steps));
        let found = selector.matches(&dom);
        let steps = selector.steps();
        let by_definition: Vec<NodeId> = dom.ids().filter(|&id| defined(&dom, steps, id)).collect();
        prop_assert_eq!(&found, &by_definition);
        prop_assert_eq!(&found, &by_xpath(&dom, &selector.xpath()));
    }
}

/// Whether an element matches, by the definition: the last step is it, and the steps before match some element above.
fn defined(dom: &Dom, steps: &[(Join, Step)], id: NodeId) -> bool {
    let Some(((join, step), before)) = steps.split_last() else { return true };
    let classes: Vec<&str> = dom.attr(id, Attr::CLASS).unwrap_or_default().split_whitespace().collect();
    let is = !dom.is_text(id)
        && id != dom.root()
        && step.tag.is_none_or(|tag| tag == dom.tag(id))
        && step.id.as_deref().is_none_or(|wanted| dom.attr(id, Attr::ID) == Some(wanted))
        && step.classes.iter().all(|class| classes.contains(&class.as_str()));
    is && (before.is_empty()
        || match join {
            Join::Child => dom.parent(id).is_some_and(|up| defined(dom, before, up)),
            Join::Below => dom.ancestors(id).any(|up| defined(dom, before, up)),
        })
}

/// Evaluates an `XPath` of the shape that is written, step by step from the document.
fn by_xpath(dom: &Dom, xpath: &str) -> Vec<NodeId> {
    let mut context = vec![dom.root()];
    let mut rest = xpath;
    while let Some(after) = rest.strip_prefix('/') {
        let (deep, after) = after.strip_prefix('/').map_or((false, after), |after| (true, after));
        // No name or predicate that is written holds a slash.
        let end = after.find('/').unwrap_or(after.len());
        let (step, next) = after.split_at(end);
        let (name, predicates) = step.split_at(step.find('[').unwrap_or(step.len()));
        let mut found: Vec<NodeId> = context
            .iter()
            .flat_map(|&up| if deep { dom.subtree(up).skip(1).collect::<Vec<_>>() } else { dom.children(up).collect() })
            .filter(|&id| !dom.is_text(id) && (name == "*" || dom.tag(id).name() == name))
            .filter(|&id| predicates.split_terminator(']').all(|predicate| holds(dom, id, predicate)))
            .collect();
        found.sort_unstable();
        found.dedup();
        (context, rest) = (found, next);
    }
    assert_eq!(rest, "", "an XPath of steps");
    context
}

fn holds(dom: &Dom, id: NodeId, predicate: &str) -> bool {
    let quoted = |text: &str| text.trim_matches('"').to_owned();
    if let Some(value) = predicate.strip_prefix("[@id=") {
        return dom.attr(id, Attr::ID) == Some(&quoted(value));
    }
    let wanted = predicate
        .strip_prefix("[contains(concat(\" \", normalize-space(@class), \" \"), ")
        .and_then(|value| value.strip_suffix(')'))
        .expect("one of the two predicates");
    let class: Vec<&str> = dom.attr(id, Attr::CLASS).unwrap_or_default().split_ascii_whitespace().collect();
    format!(" {} ", class.join(" ")).contains(&quoted(wanted))
}
