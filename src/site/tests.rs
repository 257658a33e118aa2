//! A site of made pages: articles with a repeated promotion, and the list that leads to them.

use super::decide::template;
use super::{Decision, PageView, SiteView, decide, least_hub};
use crate::blocks::PageType;
use crate::dom::Dom;
use proptest::prelude::*;
use url::Url;

const MENU: &str =
    "<ul id=menu><li><a href=/>Home of the harbour</a><li><a href=/about>About the harbour master</a></ul>";
const PROMOTION: &str = "<p>Support our work: members read every report of the harbour first, without waiting, and get the yearly almanac.</p>";

fn article(number: usize) -> (String, String) {
    let topics = ["keeper", "lantern", "breakwater", "pilot boat", "fog horn", "dredger", "tide gauge", "mooring"];
    let topic = topics[number % topics.len()];
    let html = format!(
        "<title>The {topic} of year {number}</title><body>{MENU}<div class=story><h1>The {topic} of year {number}</h1>\
         <p>In the year {number} the {topic} was seen by {number} people, and each of them told another story about it.</p>\
         {PROMOTION}<p>The council, asked about the {topic}, said that nothing of the kind would happen before spring; \
         meanwhile, the {topic} stays where it has always been, number {number} in the register.</p></div></body>"
    );
    (format!("http://h.test/{}-{number}", topic.replace(' ', "-")), html)
}

fn list(numbers: std::ops::Range<usize>) -> (String, String) {
    let mut items = String::new();
    for number in numbers {
        let (url, html) = article(number);
        let title = html.split("<h1>").nth(1).and_then(|rest| rest.split('<').next()).unwrap_or_default();
        items.extend(["<li><a href='", &url, "'>", title, "</a></li>"]);
    }
    ("http://h.test/".to_owned(), format!("<title>Reports</title><body>{MENU}<ol class=reports>{items}</ol></body>"))
}

fn view((url, html): &(String, String)) -> PageView {
    PageView::new(&Dom::parse(html), &Url::parse(url).expect("a URL"), "UTF-8")
}

fn site(articles: usize) -> Vec<(String, String)> {
    std::iter::once(list(0..articles)).chain((0..articles).map(article)).collect()
}

fn known(views: &[PageView]) -> SiteView {
    let site = SiteView::new(views.iter());
    let decisions: Vec<_> = views.iter().map(|view| decide(view, &site).of_others(view, &site)).collect();
    site.with_decisions(decisions)
}

fn kept(view: &PageView, decision: &Decision, html: &str) -> Vec<String> {
    let dom = Dom::parse(html);
    let ids: Vec<_> = dom.ids().collect();
    let texts = view.blocks.iter().zip(&decision.blocks).filter(|(_, verdict)| verdict.kept);
    texts.map(|(block, _)| dom.text(ids[block.container as usize]).chars().take(16).collect()).collect()
}

/// No page-level rule can see that a paragraph among others stands on every page.
#[test]
fn what_every_page_says_is_no_page_s_content() {
    let pages = site(8);
    let views: Vec<PageView> = pages.iter().map(view).collect();
    let site = known(&views);
    for (page, view) in pages.iter().zip(&views).skip(1) {
        let kept = kept(view, &decide(view, &site), &page.1);
        assert_eq!(kept.len(), 3, "{kept:?}");
        assert!(
            kept[0].starts_with("The ") && kept[1].starts_with("In the year") && kept[2].starts_with("The council"),
            "{kept:?}"
        );
    }
}

/// The first kept texts of the articles of a site whose pages have this before the story, and why the very first is kept.
/// `head` is given the headline and the number of the page.
fn heads(head: impl Fn(&str, usize) -> String) -> Vec<(Vec<String>, &'static str)> {
    let page = |number| {
        let (url, html) = article(number);
        let (before, after) = html.split_once("<div class=story><h1>").expect("a story");
        let (title, story) = after.split_once("</h1>").expect("a headline");
        let before = before.replace("</title>", " | Harbour reports</title>");
        (url, format!("{before}{}<div class=story>{story}", head(title, number)))
    };
    let pages: Vec<_> = (0..8).map(page).collect();
    let views: Vec<PageView> = pages.iter().map(view).collect();
    let site = known(&views);
    let first = |(page, view): (&(String, String), &PageView)| {
        let decision = decide(view, &site);
        assert_eq!(decision.page_type, PageType::Article);
        let note = decision.blocks.iter().find(|block| block.kept).map_or("", |block| block.note);
        (kept(view, &decision, &page.1), note)
    };
    pages.iter().zip(&views).map(first).collect()
}

/// The headline stands at the head of its article, wherever the page has it.
#[test]
fn an_article_begins_with_its_headline() {
    let with = |head: &dyn Fn(&str, usize) -> String| {
        let found = heads(head);
        for (texts, note) in &found {
            assert!(texts[0].starts_with("The ") && *note == "the headline", "{found:?}");
            assert!(!texts[1].starts_with("The "), "once: {found:?}");
        }
    };
    with(&|title, _| format!("<div class=top><h1>{title}</h1><p>Share</div>"));
    with(&|title, _| format!("<h1>{title}</h1><div class=crumb>{title}</div>"));
    with(&|title, _| format!("<h1>{title}</h1><h2>Comments: {title}</h2>"));
    // Others of a series, whose titles differ in a number.
    with(&|title, number| {
        let other = title.replace(&number.to_string(), &(number + 50).to_string());
        format!("<h1>{title}</h1><h3><a href=/other>{other}</a></h3><div class=crumb>Home / {title}</div>")
    });
}

/// What repeats the headline further down takes nothing from its head.
#[test]
fn a_headline_is_not_lost_to_a_later_heading() {
    let found = heads(|title, number| {
        let other = title.replace(&number.to_string(), &(number + 50).to_string());
        format!("<h3><a href=/other>{other}</a></h3><div class=title>{title} | Harbour reports</div>")
    });
    assert!(found.iter().all(|(texts, _)| texts[0].starts_with("In the year")), "{found:?}");
    let page = |number| {
        let (url, html) = article(number);
        let title = html.split("<h1>").nth(1).and_then(|rest| rest.split('<').next()).unwrap_or_default().to_owned();
        (url, html.replace("<p>The council", &format!("<h2>{title}: the background</h2><p>The council")))
    };
    let pages: Vec<_> = (0..8).map(page).collect();
    let views: Vec<PageView> = pages.iter().map(view).collect();
    let site = known(&views);
    for (page, view) in pages.iter().zip(&views) {
        let decision = decide(view, &site);
        let first = decision.blocks.iter().find(|block| block.kept).map_or("", |block| block.note);
        assert_eq!(first, "the headline", "{:?}", kept(view, &decision, &page.1));
    }
}

/// Neither the site's name nor that of a part of it, nor what another page is called, and none where it is there already.
#[test]
fn an_article_begins_with_no_other_headline() {
    let without = |head: &dyn Fn(&str, usize) -> String, begin: &str| {
        let found = heads(head);
        for (texts, note) in &found {
            assert!(texts[0].starts_with(begin) && *note != "the headline", "{found:?}");
        }
    };
    without(&|_, _| "<h1>Harbour reports</h1>".to_owned(), "In the year");
    without(&|_, _| "<h1>A whale in the basin</h1>".to_owned(), "In the year");
    without(&|title, _| format!("<div class=share>Tweet: {title}</div>"), "In the year");
    let kicker =
        "Our reporter at the northern quay has asked everybody who was there in that year, and tells what they said.";
    let twice =
        heads(|title, _| format!("<header><h1>{title}</h1></header><div class=story><p>{kicker}</p><h1>{title}</h1>"));
    for (texts, _) in &twice {
        assert!(
            texts.iter().filter(|text| text.starts_with("The ") && !text.starts_with("The council")).count() <= 1,
            "{twice:?}"
        );
    }
}

#[test]
fn a_list_leads_to_the_articles_and_not_where_the_menu_does() {
    let pages = site(8);
    let views: Vec<PageView> = pages.iter().map(view).collect();
    let site = known(&views);
    let decision = decide(&views[0], &site);
    assert_eq!(decision.page_type, PageType::Toc);
    let mut targets: Vec<u64> = decision.toc.iter().map(|&(at, _)| views[0].links[at as usize].target).collect();
    let mut wanted: Vec<u64> = views[1..].iter().map(|view| view.key).collect();
    targets.sort_unstable();
    wanted.sort_unstable();
    assert_eq!(targets, wanted);
    assert!(views[1..].iter().all(|view| decide(view, &site).page_type == PageType::Article));
}

/// A print view has no menu; on all other pages the menu is none the less no list.
#[test]
fn a_menu_that_one_page_lacks_is_no_list_of_the_others() {
    let mut pages = site(20);
    let (url, html) = article(99);
    pages.push((url, html.replace(MENU, "")));
    let views: Vec<PageView> = pages.iter().map(view).collect();
    let site = known(&views);
    for (page, view) in pages.iter().zip(&views).skip(1) {
        let decision = decide(view, &site);
        assert!(decision.toc.is_empty() && decision.page_type == PageType::Article, "{}: {:?}", page.0, decision.toc);
    }
    assert_eq!(decide(&views[0], &site).toc.len(), 20);
}

/// What most pages say in a place is there on lists and articles alike, kept or not.
#[test]
fn what_most_pages_say_makes_no_template() {
    let pages = site(8);
    let views: Vec<PageView> = pages.iter().map(view).collect();
    let mut blocks = decide(&views[1], &known(&views)).blocks;
    let before = template(&views[1], &blocks, &[]);
    let menu = blocks.iter().position(|block| block.copies == 9).expect("a block of the menu");
    blocks[menu].kept = true;
    assert_eq!(template(&views[1], &blocks, &[]), before);
    blocks[menu].copies = 4;
    assert_eq!(template(&views[1], &blocks, &[]).len(), before.len() + 1);
}

#[test]
fn one_page_alone_is_judged_as_without_a_site() {
    let page = view(&article(3));
    let decision = decide(&page, &known(std::slice::from_ref(&page)));
    for (block, verdict) in page.blocks.iter().zip(&decision.blocks) {
        assert!((block.chance - verdict.chance).abs() < f32::EPSILON);
    }
    assert_eq!(decision.page_type, PageType::Article);
}

#[test]
fn a_page_without_text_is_neither_article_nor_list() {
    let page = view(&("http://h.test/x".to_owned(), String::new()));
    assert_eq!(decide(&page, &known(std::slice::from_ref(&page))).page_type, PageType::Other);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn the_order_of_pages_does_not_matter(order in Just((0..7_usize).collect::<Vec<_>>()).prop_shuffle()) {
        let views: Vec<PageView> = site(6).iter().map(view).collect();
        let shuffled: Vec<PageView> = order.iter().map(|&at| views[at].clone()).collect();
        let (one, other) = (known(&views), known(&shuffled));
        for view in &views {
            prop_assert_eq!(decide(view, &one), decide(view, &other));
        }
    }
}

#[test]
fn a_page_that_lists_lead_to_must_look_more_like_a_list() {
    assert!((least_hub(0, 0.0) - 0.38).abs() < 1e-9 && (least_hub(2, 0.0) - 0.43).abs() < 1e-9);
    assert!((least_hub(0, 1.0) - 0.38).abs() < 1e-9 && (least_hub(2, 1.0) - 0.63).abs() < 1e-9);
    let pages = site(8);
    let views: Vec<PageView> = pages.iter().map(view).collect();
    let known = known(&views);
    let decisions: Vec<Decision> = views.iter().map(|view| decide(view, &known)).collect();
    // The list is first, and leads to all the others, which lead to it by their menu.
    assert_eq!(decisions[0].listed, 0);
    assert!(
        decisions[1..].iter().all(|decision| decision.listed == 1),
        "{:?}",
        decisions.iter().map(|d| d.listed).collect::<Vec<_>>()
    );
}

/// Most of what such a page says, other pages say as well: by its words alone it is a list.
#[test]
fn a_short_article_above_many_teasers_is_no_list() {
    let teaser = |number: usize| {
        let (url, html) = article(number);
        let text: Vec<&str> = html.split("<p>").nth(1).unwrap_or_default().split(' ').take(9).collect();
        let text = text.join(" ");
        let title = html.split("<h1>").nth(1).and_then(|rest| rest.split('<').next()).unwrap_or_default();
        format!("<div class=item><h3><a href='{url}'>{title}</a></h3><p>{text}</p></div>")
    };
    let with_teasers = |number: usize| {
        let (url, html) = article(number);
        let others: String = (1..=12).map(|step| teaser((number + step * step) % 20)).collect();
        (url, html.replace("</div></body>", &format!("</div><h2>More</h2><div class=more>{others}</div></body>")))
    };
    let lists = (0..2_usize).map(|page| {
        let items: String = (page * 10..page * 10 + 10).map(teaser).collect();
        (
            format!("http://h.test/list/{page}"),
            format!("<title>Reports</title><body>{MENU}<div class=more>{items}</div></body>"),
        )
    });
    let pages: Vec<(String, String)> = (0..20).map(with_teasers).chain(lists).collect();
    let views: Vec<PageView> = pages.iter().map(view).collect();
    let known = known(&views);
    for (at, view) in views.iter().enumerate() {
        let decision = decide(view, &known);
        assert!(decision.hub > least_hub(decision.listed, 0.0), "{at}: {}", decision.hub);
        let (expected, peers) = if at < 20 { (PageType::Article, 0.5..=1.0) } else { (PageType::Toc, 0.0..=0.5) };
        assert!(peers.contains(&decision.peers), "{at}: {}", decision.peers);
        assert_eq!(
            decision.page_type,
            expected,
            "{at}: {}, {}",
            decision.hub,
            least_hub(decision.listed, decision.peers)
        );
    }
}
