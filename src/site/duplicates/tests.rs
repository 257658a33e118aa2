//! Duplicates among made pages.

use super::sketch::tests::sketch;
use super::*;
use crate::dom::Dom;
use crate::site::{PageView, SiteView};
use proptest::prelude::*;
use std::convert::Infallible;

/// Numbers as words.
fn text(numbers: impl IntoIterator<Item = u32>) -> String {
    numbers.into_iter().map(|number| format!("w{number}")).collect::<Vec<_>>().join(" ")
}

fn page<'a>(url: &'a str, text: &str) -> Sketched<'a> {
    Sketched { url, canonical: None, amp: None, sketch: sketch(text) }
}

fn key(url: &str) -> Option<u64> {
    Url::parse(url).ok().map(|url| canonical(&url))
}

/// URLs of duplicates with those of their originals, sorted, where every closer look says yes.
fn found<'a>(pages: &[Sketched<'a>]) -> Vec<(&'a str, &'a str)> {
    let Ok(found) = repeats(pages, |_, _, _| Ok::<_, Infallible>(true));
    let pairs = pages.iter().zip(&found).filter_map(|(page, repeat)| Some((page.url, pages[(*repeat)?.original].url)));
    let mut pairs: Vec<_> = pairs.collect();
    pairs.sort_unstable();
    pairs
}

#[test]
fn the_page_that_others_name_is_the_original() {
    let said = text(0..90);
    let mut pages = vec![
        page("https://h.test/a", &said),
        page("https://h.test/archive/2020/a-story?id=12&print=1", &said),
        page("https://h.test/b", &said),
    ];
    assert_eq!(
        found(&pages),
        [
            ("https://h.test/archive/2020/a-story?id=12&print=1", "https://h.test/a"),
            ("https://h.test/b", "https://h.test/a")
        ]
    );
    pages[2].canonical = key(pages[1].url);
    let named = pages[1].url;
    assert_eq!(found(&pages), [("https://h.test/a", named), ("https://h.test/b", named)]);
}

#[test]
fn else_the_plainest_url_is_the_original() {
    let said = text(0..90);
    for (plain, other) in [
        ("http://h.test/a-long-story-of-the-harbour", "http://h.test/a?print=1"),
        ("http://h.test/a-long-story-of-the-harbour", "http://h.test/amp/a"),
        ("http://h.test/story/7", "http://h.test/s?id=7"),
        ("https://h.test/a/b/c", "http://h.test/a/b"),
        ("http://h.test/ab", "http://h.test/abc"),
        ("http://h.test/ab", "http://h.test/ac"),
    ] {
        assert_eq!(found(&[page(other, &said), page(plain, &said)]), [(other, plain)]);
    }
}

#[test]
fn a_hint_is_confirmed_by_what_the_pages_say() {
    let home = page("http://h.test/", &text(500..700));
    let mut pages = vec![home];
    let urls: Vec<String> = (0..40).map(|number| format!("http://h.test/{number}")).collect();
    for (number, url) in (0..).zip(&urls) {
        // Two thirds of what each says is on all of them.
        let said = text((0..60).chain(1000 * (number + 1)..1000 * (number + 1) + 30));
        pages.push(Sketched { canonical: key("http://h.test/"), ..page(url, &said) });
    }
    assert_eq!(found(&pages), []);
    // All name the home page, which says something else: two that are nearly alike are two all the same.
    let staff = ["Anna", "Tom"]
        .map(|name| format!("{name} joined the office in the spring and looks after the letters and the archive"));
    let named = |url, said: &String| Sketched { canonical: key("http://h.test/"), ..page(url, said) };
    let two = [named("http://h.test/st/1", &staff[0]), named("http://h.test/st/2", &staff[1])];
    let home = page("http://h.test/", &text(0..100));
    assert_eq!(found(&[home, two[0].clone(), two[1].clone()]), []);
    // Where the page they name is not known, nothing speaks against them.
    assert_eq!(found(&two), [("http://h.test/st/2", "http://h.test/st/1")]);
    // The view of one part of three names the whole as canonical.
    let whole = page("http://h.test/story", &text(0..300));
    let part = Sketched { canonical: key(whole.url), ..page("http://h.test/story?part=1", &text(0..100)) };
    assert_eq!(found(&[whole, part]), []);
}

#[test]
fn a_hint_does_for_short_texts_and_for_views_with_something_beside() {
    let short = "The harbour is closed on Sunday until further notice, says the master.";
    let print = "http://h.test/notice?print=1";
    assert_eq!(found(&[page("http://h.test/notice", short), page(print, short)]), [(print, "http://h.test/notice")]);
    assert_eq!(found(&[page("http://h.test/notice", short), page("http://h.test/other", short)]), []);
    let amp = Sketched { canonical: key("http://h.test/n"), ..page("http://h.test/x", &text(0..230)) };
    assert_eq!(found(&[page("http://h.test/n", &text(0..200)), amp]), [("http://h.test/x", "http://h.test/n")]);
    let named = Sketched { amp: key("http://h.test/x"), ..page("http://h.test/n", &text(0..200)) };
    assert_eq!(found(&[named, page("http://h.test/x", &text(0..230))]).len(), 1);
}

#[test]
fn being_alike_goes_no_further_than_the_original() {
    let (a, b, c) = (text(0..400), text(20..420), text(40..440));
    let pages = [page("http://h.test/a", &a), page("http://h.test/bb", &b), page("http://h.test/ccc", &c)];
    assert!(pages[1].sketch.is_near(&pages[0].sketch) && pages[1].sketch.is_near(&pages[2].sketch));
    assert!(!pages[0].sketch.is_near(&pages[2].sketch));
    assert_eq!(found(&pages), [("http://h.test/bb", "http://h.test/a")]);
}

#[test]
fn a_text_under_a_thousand_urls_is_one_page() {
    let said = text(0..60);
    let urls: Vec<String> = (0..1000).map(|number| format!("http://h.test/gone/{number}")).collect();
    let pages: Vec<_> = urls.iter().map(|url| page(url, &said)).collect();
    let mut looks = 0;
    let found = repeats(&pages, |_, _, _| {
        looks += 1;
        Ok::<_, ()>(true)
    });
    assert_eq!(found.map(|found| found.iter().flatten().count()), Ok(999));
    assert_eq!(looks, 999, "each is compared once");
}

/// Every page with every original before it.
fn by_all_pairs(pages: &[Sketched<'_>], same: impl Fn(usize, usize) -> bool) -> Vec<Option<usize>> {
    let mut names: Vec<Names> = pages.iter().map(Names::new).collect();
    let joined = |names: &[Names], a: usize, b: usize| {
        let (one, other) = (&pages[a], &pages[b]);
        let least = one.sketch.shingles().min(other.sketch.shingles());
        let hint = names[a].all().any(|name| names[b].all().any(|other| other == name));
        let hinted = hint && least >= LEAST_HINTED && one.sketch.resemblance(&other.sketch) >= HINTED;
        (hinted || least >= LEAST && one.sketch.is_near(&other.sketch)) && same(a.min(b), a.max(b))
    };
    let meant = |at: usize| {
        let spelt = (0..pages.len()).filter(|&other| Some(names[other].own) == pages[at].canonical);
        spelt.min_by_key(|&other| (names[other].look(), pages[other].url)).filter(|&other| other != at)
    };
    let meant: Vec<Option<usize>> = (0..pages.len()).map(meant).collect();
    let named: Vec<Option<usize>> =
        meant.iter().enumerate().map(|(at, target)| target.filter(|&target| joined(&names, at, target))).collect();
    for at in 0..pages.len() {
        if meant[at].is_some() && named[at].is_none() {
            names[at].canonical = None;
        }
    }
    let joins = |a, b| joined(&names, a, b);
    let look = |at: usize| (names[at].look(), pages[at].url);
    let mut order: Vec<usize> = (0..pages.len()).collect();
    order.sort_by_key(|&at| (named[at].is_some(), !named.contains(&Some(at)), look(at)));
    let mut found = vec![None; pages.len()];
    for (place, &at) in order.iter().enumerate() {
        let mut before = order[..place].to_vec();
        before.sort_by_key(|&other| Some(other) != named[at]);
        found[at] = before.into_iter().find(|&other| found[other].is_none() && joins(at, other));
    }
    found
}

#[derive(Clone, Debug)]
struct Made {
    url: String,
    canonical: Option<u64>,
    said: String,
}

/// Pages of a small site: texts of a few stories with parts left out and added, URLs that are views of each other.
fn made() -> impl Strategy<Value = Vec<Made>> {
    let view = prop::sample::select(vec!["", "?print=1", "?ref=x", "?page=2", "/amp", "/"]);
    let page = (0..4_u32, 0..5_u32, view, 0..30_u32, 0..30_u32, prop::option::of(0..5_u32), 10..120_u32);
    prop::collection::vec(page, 2..24).prop_map(|pages| {
        let mut made: Vec<Made> = Vec::new();
        for (story, name, view, from, more, canonical, len) in pages {
            let url = format!("http://h.test/{name}{view}");
            let said = text((story * 1000 + from..story * 1000 + from + len).chain(9000..9000 + more));
            if made.iter().all(|page| page.url != url) {
                let canonical = canonical.and_then(|name| key(&format!("http://h.test/{name}")));
                made.push(Made { url, canonical, said });
            }
        }
        made
    })
}

fn sketched(made: &[Made]) -> Vec<Sketched<'_>> {
    made.iter().map(|made| Sketched { canonical: made.canonical, ..page(&made.url, &made.said) }).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]

    #[test]
    fn the_search_finds_what_all_pairs_give(made in made(), salt in 1..9_usize) {
        let pages = sketched(&made);
        // A closer look that says no at times.
        let same = |a: usize, b: usize| !(a * 7 + b * 13).is_multiple_of(salt) || salt == 1;
        let Ok(found) = repeats(&pages, |a, b, _| Ok::<_, Infallible>(same(a, b)));
        let originals: Vec<Option<usize>> = found.iter().map(|repeat| repeat.map(|repeat| repeat.original)).collect();
        prop_assert_eq!(&originals, &by_all_pairs(&pages, same));
        for &original in originals.iter().flatten() {
            prop_assert_eq!(originals[original], None, "no chains");
        }
    }

    #[test]
    fn the_order_of_pages_does_not_matter(made in made(), salt in any::<u64>()) {
        let mut shuffled = made.clone();
        shuffled.sort_by_key(|page| xxhash_rust::xxh3::xxh3_64_with_seed(page.url.as_bytes(), salt));
        prop_assert_eq!(found(&sketched(&made)), found(&sketched(&shuffled)));
    }
}

fn view(url: &str, html: &str) -> PageView {
    PageView::new(&Dom::parse(html), &Url::parse(url).expect("a URL"), "UTF-8")
}

const STORY: &str = "<p>The old breakwater was built by forty masons, who carried each stone over the hill in winter and laid \
    it at low water before the tide came back.<p>When the last of them died, his daughter wrote down how they had done it, \
    and the harbour master keeps that book beside the tide tables to this day.";

#[test]
fn a_view_says_what_stands_behind_its_template() {
    let menu = "<ul><li><a href=/>Home</a><li><a href=/news>News</a><li><a href=/about>About the harbour</a></ul>";
    let whole = view(
        "http://h.test/a",
        &format!(
            "<title>The breakwater</title><link rel='x AMPHTML' href=a/amp><link rel=canonical href='?x=1'><body>{menu}\
             <div class=story><h1>The breakwater</h1>{STORY}<img src=/i/wall.jpg?w=3>\
             <p>It has two hundred pages and smells of salt, say those who were allowed to read it.</div>{menu}"
        ),
    );
    let print = view(
        "http://h.test/p/1",
        &format!(
            "<title>The breakwater</title><h1>The breakwater</h1><pre></pre>{STORY}\
             <p>It has two hundred pages and smells of salt, say those who were allowed to read it.<p><small>Printed</small>"
        ),
    );
    assert!(whole.sketch.is_near(&print.sketch), "{}", whole.sketch.resemblance(&print.sketch));
    assert_eq!((whole.canonical, whole.amp), (key("http://h.test/a?x=1"), key("http://h.test/a/amp")));
    assert_eq!((whole.images.count_ones(), print.images), (1, 0));
    let site = SiteView::new([&whole, &print].into_iter());
    assert!(says_the_same(&whole, &print, &site, false));
}

#[test]
fn form_letters_are_told_apart_by_what_no_other_page_has() {
    let letter = |number: usize, name: &str| {
        view(
            &format!("http://h.test/{number}"),
            &format!("<title>Town hall</title>{STORY}<p>To all the people of {name}"),
        )
    };
    let names =
        ["Ash", "Birch", "Cedar", "Dun", "Elm", "Far", "Grim", "Hart", "Ips", "Kel", "Lin", "Mor", "Nor", "Oak"];
    let mut views: Vec<PageView> = names.iter().enumerate().map(|(number, name)| letter(number, name)).collect();
    let site = SiteView::new(views.iter());
    assert!(views[0].sketch.is_near(&views[1].sketch), "by their texts alone they are alike");
    assert!(!says_the_same(&views[0], &views[1], &site, true));
    // But a copy of one says what that says, though all its words but one are everywhere.
    views.push(letter(99, "Ash"));
    assert!(says_the_same(&views[0], &views[14], &SiteView::new(views.iter()), true));
}

#[test]
fn stubs_and_cartoons_are_told_apart_without_a_hint() {
    let site = SiteView::default();
    let stub = |topic: &str| {
        let html = format!("<title>{topic}</title><h1>{topic}</h1>{STORY}");
        view("http://h.test/s", &html)
    };
    let (lamp, bell) = (stub("The lamp"), stub("The bell"));
    assert!(lamp.sketch.is_near(&bell.sketch));
    assert!(!says_the_same(&lamp, &bell, &site, false) && says_the_same(&lamp, &bell, &site, true));
    assert!(says_the_same(&lamp, &stub("The lamp"), &site, false));
    let cartoon = |file: &str| {
        view("http://h.test/c", &format!("<title>Cartoon</title>{STORY}<p><img src={file}>Again</p>{STORY}"))
    };
    let (one, other) = (cartoon("1.png"), cartoon("2.png"));
    assert!(one.images != 0 && one.sketch.is_near(&other.sketch));
    assert!(!says_the_same(&one, &other, &site, false) && says_the_same(&one, &one, &site, false));
}
