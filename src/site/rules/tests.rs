//! Rules of made pages, whose kept nodes are told by a mark in their text.

use super::{Example, Lesson, Lessons, RULE_FORMAT, Rule, RuleFile, RuleKind, Rules, learn_rules, measure, settle};
use crate::blocks::PageType;
use crate::dom::{Dom, NodeId, Tag};
use url::Url;

/// Texts that hold this are the article; links that hold it are the table of contents.
const MARK: &str = "said";

/// A page: its number, what it is, and the HTML of its body.
type Page = (usize, PageType, String);

fn read<T>((number, page_type, html): &Page, with: impl FnOnce(&Dom, &Example<'_>) -> T) -> T {
    let dom = Dom::parse(html);
    let is_marked = |id: &NodeId| dom.text(*id).contains(MARK);
    let kept: Vec<NodeId> = dom.ids().filter(|&id| dom.is_text(id)).filter(is_marked).collect();
    let links = dom.ids().filter(|&id| dom.tag(id) == Tag::A).filter(is_marked);
    let toc: Vec<usize> = links.map(NodeId::index).collect();
    let url = Url::parse(&format!("http://h.test/{number}")).expect("a URL");
    with(&dom, &Example { url: &url, charset: "utf-8", kept: &kept, toc: &toc, page_type: *page_type })
}

fn rules(pages: &[Page]) -> Vec<Rule> {
    let mut lessons = Lessons::default();
    for page in pages {
        lessons.add(read(page, Lesson::new));
    }
    let learned = learn_rules(&lessons);
    let file = |rules| RuleFile { format: RULE_FORMAT.to_owned(), site: String::new(), pages: 0, rules };
    let ready = Rules::of(&file(learned.clone())).expect("rules that can be read");
    let measured: Vec<_> = pages.iter().map(|page| read(page, |dom, example| measure(&ready, dom, example))).collect();
    settle(learned, &measured)
}

/// Each rule as `name: select - exclude`.
fn shown(rules: &[Rule]) -> Vec<String> {
    let list =
        |of: &[super::RuleSelector]| of.iter().map(|selector| selector.css.clone()).collect::<Vec<_>>().join(", ");
    rules.iter().map(|rule| format!("{}: {} - {}", rule.name, list(&rule.select), list(&rule.exclude))).collect()
}

const MENU: &str = "<ul class=menu><li><a href=/>Home of the harbour</a><li><a href=/about>About the harbour</a></ul>";

fn article(number: usize) -> Page {
    let html = format!(
        "<body class='single post-{number}'>{MENU}<div id=post-{number} class='text col-8'><h1>Report {number}</h1>\
         <p>The keeper of lamp {number} said this and that.<p class=ad>Buy a lamp of us today, all of you.\
         <p>Nothing of it was said in the year {number}.</div><p>All rights of the harbour reserved.</body>"
    );
    (number, PageType::Article, html)
}

fn list(number: usize) -> Page {
    let item = |at: usize| {
        let target = number * 10 + at;
        format!("<li><h2><a href=/{target}>The keeper said {at}</a></h2><a href=/tag/{at}>a tag</a>")
    };
    let items: Vec<String> = (0..6).map(item).collect();
    let items = items.concat();
    (1000 + number, PageType::Toc, format!("<body class=list>{MENU}<ol class=reports>{items}</ol></body>"))
}

fn site() -> Vec<Page> {
    (0..8).map(article).chain((0..4).map(list)).collect()
}

#[test]
fn rules_are_short_and_of_names_that_stay() {
    let rules = rules(&site());
    assert_eq!(shown(&rules), ["article-1: .text - .ad, h1", "toc-1: h2 a - "]);
    assert_eq!((rules[0].support.matches, rules[0].support.pages), (8, 8));
    assert_eq!((rules[1].support.matches, rules[1].support.pages), (4, 4));
    assert!(rules.iter().all(|rule| rule.support.confidence > 0.999), "{rules:?}");
    assert_eq!(rules[0].example, "http://h.test/0");
}

#[test]
fn what_the_page_numbers_say_is_no_name() {
    let all: Vec<String> = shown(&rules(&site()));
    assert!(all.iter().all(|rule| !rule.contains("post-")), "{all:?}");
}

#[test]
fn templates_have_rules_of_their_own() {
    let mut pages = site();
    for number in 100..106 {
        let html = format!(
            "<body class=page>{MENU}<div class=wide><p>The office said {number}.<p>More was said in {number}.</div>\
             <div class=text>Write to the office of the harbour, any day of the week but Sunday, of course.</div>"
        );
        pages.push((number, PageType::Article, html));
    }
    let rules = rules(&pages);
    let articles: Vec<String> = shown(&rules).into_iter().filter(|rule| rule.starts_with("article")).collect();
    assert_eq!(articles.len(), 2, "{articles:?}");
    assert!(rules.iter().all(|rule| rule.support.confidence > 0.999), "{rules:?}");
    let total: u32 = rules.iter().filter(|rule| rule.kind == RuleKind::Article).map(|rule| rule.support.pages).sum();
    assert_eq!(total, 14);
}

#[test]
fn pages_that_agree_in_nothing_have_no_rule() {
    let odd = |number: usize| {
        let tag = ["div", "section", "main", "table", "ul"][number % 5];
        let junk = "words that nobody kept ".repeat(10);
        (number, PageType::Article, format!("<{tag}><p>It was said {number}.<br>{junk}</p>{junk}</{tag}>"))
    };
    let pages: Vec<Page> = (0..10).map(odd).collect();
    assert_eq!(shown(&rules(&pages)), Vec::<String>::new());
    assert_eq!(shown(&rules(&[])), Vec::<String>::new());
    assert_eq!(shown(&rules(&site()[..2])), Vec::<String>::new(), "two pages are too few");
}

#[test]
fn rules_are_applied_in_order_and_fit_or_not() {
    let file = RuleFile { format: RULE_FORMAT.to_owned(), site: String::new(), pages: 0, rules: rules(&site()) };
    let rules = Rules::parse(&serde_json::to_string(&file).expect("JSON")).expect("a file of rules");
    let texts = |page: &Page| {
        let dom = Dom::parse(&page.2);
        let article = rules.article(&dom).map(|found| {
            let texts = found.nodes.iter().filter(|&&id| dom.is_text(id)).map(|&id| dom.text(id).trim().to_owned());
            (found.rule.to_owned(), texts.collect::<Vec<_>>())
        });
        (article, rules.links(&dom).map(|found| found.nodes.len()))
    };
    let (name, said) = texts(&article(77)).0.expect("a rule that fits");
    assert_eq!(name, "article-1");
    assert_eq!(said, ["The keeper of lamp 77 said this and that.", "Nothing of it was said in the year 77."]);
    assert_eq!(texts(&list(9)), (None, Some(6)));
    assert_eq!(texts(&(5, PageType::Other, "<p>A page of another site.".to_owned())), (None, None));
    assert_eq!(texts(&(5, PageType::Other, "<div class=text><p class=ad>Buy</div>".to_owned())), (None, None));
}

#[test]
fn files_that_cannot_be_used_say_why() {
    let rule = |body: &str| format!("{{\"format\":\"{RULE_FORMAT}\",\"rules\":[{body}]}}");
    for (json, said) in [
        ("", "not a file of rules"),
        ("[]", "not a file of rules"),
        ("{}", "states no format"),
        ("{\"format\":\"wisdom-rules-9\",\"pages\":{}}", "\"wisdom-rules-9\""),
        (&format!("{{\"format\":\"{RULE_FORMAT}\"}}"), "missing field `rules`"),
        (&rule("{\"name\":\"a\",\"kind\":\"article\"}"), "missing field `select`"),
        (&rule("{\"name\":\"a\",\"kind\":\"title\",\"select\":[]}"), "unknown variant `title`"),
        (&rule("{\"name\":\"a\",\"kind\":\"article\",\"select\":[]}"), "rule \"a\" has no selector"),
        (
            &rule("{\"name\":\"a\",\"kind\":\"article\",\"select\":[{\"css\":\"p\"}],\"exlude\":[]}"),
            "unknown field `exlude`",
        ),
        (
            &rule("{\"name\":\"a\",\"kind\":\"toc\",\"select\":[{\"css\":\"li:hover a\"}]}"),
            "rule \"a\": selector \"li:hover a\"",
        ),
    ] {
        let error = Rules::parse(json).expect_err(json).to_string();
        assert!(error.contains(said), "{json}: {error}");
    }
    let least = rule("{\"name\":\"a\",\"kind\":\"article\",\"select\":[{\"css\":\"p\"}]}");
    assert!(Rules::parse(&least).expect("enough").article(&Dom::parse("<p>x")).is_some());
    assert!(Rules::parse(&format!("\u{feff}{least}")).is_ok());
    let long =
        rule(&format!("{{\"name\":\"a\",\"kind\":\"article\",\"select\":[{{\"css\":\"{}:x\"}}]}}", "p ".repeat(9999)));
    assert!(Rules::parse(&long).expect_err("a pseudo-class").to_string().len() < 400);
    let blank = rule("{\"name\":\"a\",\"kind\":\"article\",\"select\":[{\"css\":\"p\u{a0}a\"}]}");
    assert!(Rules::parse(&blank).is_err());
}

#[test]
fn links_in_what_a_rule_selects_are_its_links() {
    let rule = |css: &str| {
        let json = format!(
            "{{\"format\":\"{RULE_FORMAT}\",\"rules\":[{{\"name\":\"a\",\"kind\":\"toc\",\"select\":[{{\"css\":\"{css}\"}}],\"exclude\":[{{\"css\":\".ad\"}}]}}]}}"
        );
        Rules::parse(&json).expect("a rule")
    };
    let dom =
        Dom::parse("<ul><li><a href=a>A</a><li><p><a href=b>B</a></p><li class=ad><a href=c>C</a></ul><a href=d>D</a>");
    let said = |css: &str| {
        let rules = rule(css);
        rules.links(&dom).map(|found| found.nodes.iter().map(|&id| dom.text(id).trim().to_owned()).collect::<Vec<_>>())
    };
    assert_eq!(said("li"), Some(vec!["A".to_owned(), "B".to_owned()]));
    assert_eq!(said("ul a"), said("li"));
    assert_eq!(said("p b"), None);
}
