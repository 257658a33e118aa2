//! Pages that are there under several URLs, from import to export.

use crate::run::Disk;
use serde_json::{Value, json};
use std::collections::BTreeMap;

const MENU: &str =
    "<ul id=menu><li><a href=/>Home of the harbour</a><li><a href=/about>About the harbour master</a></ul>";

/// Words that no other seed gives in this order.
fn sentences(seed: usize, count: usize) -> Vec<String> {
    const WORDS: [&str; 32] = [
        "harbour", "lantern", "winter", "bakery", "orchard", "pilot", "granite", "violin", "meadow", "saddle",
        "copper", "museum", "kettle", "glacier", "letter", "tunnel", "falcon", "ribbon", "quarry", "candle", "ferry",
        "walnut", "marble", "thunder", "beacon", "cellar", "dredger", "engine", "furnace", "garden", "hammer",
        "island",
    ];
    let mut state = seed * 7_919 + 17;
    let mut next = || {
        state = (state * 48_271) % 2_147_483_647;
        WORDS[state % WORDS.len()]
    };
    let one = |_| {
        format!(
            "In those days the {} of the {} was kept beside a {}, and nobody who came by the {} asked for the {} before noon.",
            next(),
            next(),
            next(),
            next(),
            next()
        )
    };
    (0..count).map(one).collect()
}

fn joined(parts: impl Iterator<Item = String>) -> String {
    parts.collect::<Vec<_>>().concat()
}

fn paragraphs(sentences: &[String]) -> String {
    joined(sentences.chunks(2).map(|two| format!("<p>{}</p>", two.join(" "))))
}

fn page(head: &str, title: &str, body: &str) -> String {
    format!(
        "<html><head><title>{title}</title>{head}</head><body>{MENU}<div class=story><h1>{title}</h1>{body}</div>\
             <p class=foot>All rights are with the harbour, whose office is open on weekdays.</p></body></html>"
    )
}

fn print_view(title: &str, body: &str) -> String {
    format!(
        "<html><head><title>{title}</title></head><body><h2>{title}</h2>{body}<hr><small>Printed by the harbour</small></body></html>"
    )
}

fn article(number: usize) -> (String, String) {
    (format!("The tale of number {number} and its keeper"), paragraphs(&sentences(number, 10)))
}

/// A site of eight articles with their list, and what `more` adds.
fn site(more: &[(&str, String)]) -> BTreeMap<String, String> {
    let mut pages = BTreeMap::new();
    let mut items = Vec::new();
    for number in 0..8 {
        let (title, body) = article(number);
        items.push(format!("<li><a href=/tale/{number}>{title}</a>"));
        pages.insert(format!("http://h.test/tale/{number}"), page("", &title, &body));
    }
    pages.insert("http://h.test/".to_owned(), page("", "All tales", &format!("<ol>{}</ol>", items.concat())));
    pages.extend(more.iter().map(|(path, html)| (format!("http://h.test{path}"), html.clone())));
    pages
}

/// Imports pages and mines them. Returns the documents by path and query.
fn mined(pages: &BTreeMap<String, String>) -> (Disk, BTreeMap<String, Value>) {
    let disk = Disk::new();
    let lines: Vec<String> = pages.iter().map(|(url, html)| json!({"url": url, "html": html}).to_string()).collect();
    let file = disk.write("pages.jsonl", lines.join("\n"));
    disk.run("import", &[&file.to_string_lossy()]).code(0);
    let ran = disk.run("mine", &[]).code(0);
    let documents = disk.export();
    let count = documents.values().filter(|document| !document["duplicate_of"].is_null()).count();
    assert_eq!(ran.err.contains("duplicate"), count > 0, "{}", ran.err);
    (disk, documents)
}

/// Paths of duplicates with the URLs of their originals.
fn repeated(documents: &BTreeMap<String, Value>) -> BTreeMap<&str, &str> {
    let found = documents.iter().filter_map(|(path, document)| Some((&**path, document["duplicate_of"].as_str()?)));
    let found: BTreeMap<&str, &str> = found.collect();
    for original in found.values() {
        let path = original.strip_prefix("http://h.test").expect("a page of the site");
        assert!(documents[path]["duplicate_of"].is_null(), "{path} is an original");
    }
    found
}

#[test]
fn views_of_an_article_are_found_and_change_nothing_else() {
    let canonical = |number: usize| format!("<link rel=canonical href=/tale/{number}>");
    let (titles, bodies): (Vec<String>, Vec<String>) = (0..8).map(article).unzip();
    let related = "<div class=related><p>Read more of the tales of the harbour and of those who keep it.</p></div>";
    let views = [
        ("/tale/0?print=1", print_view(&titles[0], &bodies[0])),
        ("/print/tale/1", print_view(&titles[1], &bodies[1])),
        ("/tale/2?ref=front", page("", &titles[2], &bodies[2])),
        ("/amp/tale/3", page(&canonical(3), &titles[3], &format!("{}{related}", bodies[3]))),
        ("/x/9931", page(&canonical(4), &titles[4], &bodies[4])),
        ("/archive/five", page("", &titles[5], &bodies[5])),
        ("/tale/6/", page("", &titles[6], &bodies[6])),
        ("/tale/7?visit=ab12", page("", &titles[7], &bodies[7])),
    ];
    let (disk, documents) = mined(&site(&views));
    let wanted: BTreeMap<&str, String> =
        views.iter().enumerate().map(|(number, (path, _))| (*path, format!("http://h.test/tale/{number}"))).collect();
    let found = repeated(&documents);
    assert_eq!(found, wanted.iter().map(|(path, url)| (*path, &**url)).collect());

    let shown = disk.run("inspect", &["http://h.test/tale/2?ref=front"]).code(0).out;
    assert!(shown.contains("repeats http://h.test/tale/2 (share of shingles 1.00)"), "{shown}");
    let shown = disk.run("inspect", &["http://h.test/tale/2"]).code(0).out;
    assert!(shown.contains("is the original of 1 duplicate\n"), "{shown}");

    // A duplicate adds nothing to what the site knows.
    let (_, without) = mined(&site(&[]));
    for (path, document) in &without {
        for field in ["article", "toc", "page_type", "blocks"] {
            assert_eq!(documents[path][field], document[field], "{field} of {path}");
        }
    }
}

#[test]
fn scripts_without_blanks_are_compared() {
    let story = |seed: usize| -> String {
        let signs: Vec<char> = "港务局今天宣布新的防波堤将在明年春天完工渔民们表示欢迎但担心噪音影响海鸟繁殖季节灯塔守人每晚点亮古老明灯为归航船只指引方向".chars().collect();
        let mut state = seed * 131 + 7;
        let mut sign = || {
            state = (state * 48_271) % 2_147_483_647;
            signs[state % signs.len()]
        };
        joined((0..6).map(|_| format!("<p>{}。</p>", (0..40).map(|_| sign()).collect::<String>())))
    };
    let pages = [
        ("/zh/1", page("", "灯塔的故事", &story(1))),
        ("/zh/2", page("", "海鸟的春天", &story(2))),
        ("/zh/old", print_view("灯塔的故事", &story(1))),
    ];
    let (_disk, documents) = mined(&site(&pages));
    assert_eq!(repeated(&documents), BTreeMap::from([("/zh/old", "http://h.test/zh/1")]));
}

#[test]
fn what_is_alike_by_accident_is_no_duplicate() {
    let long = sentences(100, 24);
    let (first, second) = (paragraphs(&long[..12]), paragraphs(&long[12..]));
    let stub =
        "<p>There is nothing to tell yet. Come back when the keeper has had time to write it down for all of you.</p>";
    let teasers = joined((0..4).map(|number| {
        let text = &sentences(number, 1)[0];
        format!("<div class=teaser><h2><a href=/tale/{number}>{}</a></h2><p>{text}</p></div>", article(number).0)
    }));
    let (title, body) = article(0);
    let hub = joined((0..4).map(article).map(|(title, body)| format!("<h2>{title}</h2>{body}")));
    let home = "<link rel=canonical href=/>";
    let pages = [
        ("/serial", page("", "A tale in two parts", &first)),
        ("/serial?page=2", page("<link rel=canonical href=/serial>", "A tale in two parts", &second)),
        ("/stub/lamp", page("", "The lamp", stub)),
        ("/stub/bell", page("", "The bell", stub)),
        ("/tag/sea", page("", "Tales of the sea", &teasers)),
        ("/tag/hill", page("", "Tales of the hill", &teasers)),
        ("/all-of-them", page("", "Everything", &hub)),
        ("/wrong/1", page(home, &article(101).0, &article(101).1)),
        ("/wrong/2", page(home, &article(102).0, &article(102).1)),
        ("/empty/1", String::new()),
        ("/empty/1?print=1", String::new()),
        ("/empty/2", "<link rel=canonical href=/empty/1><p>Loading…".to_owned()),
        ("/blog/", page("", "Latest", &format!("<div class=post><h2><a href=/tale/0>{title}</a></h2>{body}</div>"))),
    ];
    let (_disk, documents) = mined(&site(&pages));
    assert_eq!(repeated(&documents), BTreeMap::new());
}

#[test]
fn one_text_under_many_urls_is_one_page() {
    let gone = page("", "Not found", &paragraphs(&sentences(7_000, 4)));
    let paths: Vec<String> = (0..5).map(|number| format!("/gone/{number}")).collect();
    let pages: Vec<(&str, String)> = paths.iter().map(|path| (&**path, gone.clone())).collect();
    let (_disk, documents) = mined(&site(&pages));
    assert_eq!(repeated(&documents), paths[1..].iter().map(|path| (&**path, "http://h.test/gone/0")).collect());
}
