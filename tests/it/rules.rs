//! `wisdom rules`, and `wisdom extract --rules`: a site is imported and mined, its rules are learned, and pages of it that
//! were not imported are extracted by them.

use crate::run::{Disk, wisdom};
use serde_json::Value;
use std::path::{Path, PathBuf};

const MENU: &str = "<ul class=menu><li><a href=/>Home of the harbour</a><li><a href=/about>About the harbour</a></ul>";
/// No rule that looks at one page alone can tell it from the paragraphs around it.
const PROMOTION: &str = "<div class=promotion><p>Support our work: members read every report of the harbour first, without waiting, \
    and get the yearly almanac for nothing.</p></div>";

const TOPICS: [&str; 10] = [
    "keeper",
    "lantern",
    "breakwater",
    "pilot boat",
    "fog horn",
    "dredger",
    "tide gauge",
    "mooring",
    "customs house",
    "winter dock",
];

fn said(number: usize) -> [String; 2] {
    let topic = TOPICS[number % TOPICS.len()];
    [
        format!(
            "In the year {number} the {topic} was seen by many people, and each of them told another story about it."
        ),
        format!(
            "The council, asked about the {topic}, said that nothing of the kind would happen before spring; meanwhile, the \
             {topic} stays where it has always been, number {number} in the register."
        ),
    ]
}

fn article(number: usize) -> String {
    let topic = TOPICS[number % TOPICS.len()];
    let [first, second] = said(number);
    format!(
        "<title>The {topic} of {number}</title><body id=page-{number}>{MENU}<div class=story><h1>The {topic} of {number}</h1>\
         <p>{first}</p>{PROMOTION}<p>{second}</p></div><p>All rights of the harbour reserved.</p></body>"
    )
}

/// A store with the mined site of ten articles.
fn mined(method: &str) -> Disk {
    let disk = Disk::new();
    let mut lines = String::new();
    for number in 0..10 {
        let url = format!("http://h.test/{number}");
        lines += &serde_json::json!({ "url": url, "html": article(number) }).to_string();
        lines.push('\n');
    }
    let list = disk.write("list.jsonl", lines);
    disk.run("import", &[text(&list)]).code(0);
    if !method.is_empty() {
        disk.run("mine", &["--method", method]).code(0);
    }
    disk
}

fn text(path: &Path) -> &str {
    path.to_str().expect("a path in UTF-8")
}

fn learned(disk: &Disk) -> PathBuf {
    let path = disk.path("rules.json");
    disk.run("rules", &["--out", text(&path)]).code(0).says(&["wrote 1 rule of h.test, measured on 10 pages"]);
    path
}

fn json(text: &str) -> Value {
    serde_json::from_str(text).expect("JSON")
}

#[test]
fn rules_tell_the_container_and_what_is_dropped() {
    let disk = mined("auto");
    let path = learned(&disk);
    let written = std::fs::read_to_string(&path).expect("the file");
    let file = json(&written);
    assert_eq!(
        (&file["format"], &file["site"], &file["pages"]),
        (&"wisdom-rules-1".into(), &"h.test".into(), &10.into())
    );
    let rule = &file["rules"][0];
    assert_eq!((&rule["name"], &rule["kind"]), (&"article-1".into(), &"article".into()));
    assert_eq!(
        rule["select"],
        json(
            "[{\"css\":\".story\",\"xpath\":\"//*[contains(concat(\\\" \\\", normalize-space(@class), \\\" \\\"), \\\" story \\\")]\"}]"
        )
    );
    let excluded: Vec<&str> =
        rule["exclude"].as_array().expect("a list").iter().filter_map(|e| e["css"].as_str()).collect();
    assert_eq!(excluded, [".promotion"]);
    assert_eq!(rule["support"], json("{\"matches\":10,\"pages\":10,\"confidence\":1.0}"));
    // On stdout the same, to the byte, whatever the number of threads.
    assert_eq!(disk.run("rules", &[]).code(0).out, written);
    let store = disk.store();
    let mut one = crate::run::command(["rules", "--quiet", "--store", text(&store), "--site", "h.test"]);
    let output = one.env("RAYON_NUM_THREADS", "1").output().expect("the binary runs");
    assert_eq!(String::from_utf8_lossy(&output.stdout), written);
    assert!(output.stderr.is_empty());
}

#[test]
fn pages_that_were_not_crawled_are_extracted_by_rules_or_by_themselves() {
    let disk = mined("auto");
    let rules = learned(&disk);
    let new = disk.write("new.html", article(123));
    let other = disk.write("other.html", format!("<title>x</title><body><article><p>{}</p></article>", said(5)[1]));
    let run = |format| wisdom(["extract", "--rules", text(&rules), "--format", format, text(&new)]).code(0).out;
    let [first, second] = said(123);
    let title = "The pilot boat of 123";
    assert_eq!(run("text"), format!("{title}\n{first}\n{second}\n"));
    assert_eq!(run("markdown"), format!("# {title}\n\n{first}\n\n{second}\n"));
    assert_eq!(run("html"), format!("<h1>{title}</h1>\n<p>{first}</p>\n<p>{second}</p>\n"));
    let lines = wisdom(["extract", "--rules", text(&rules), "--format", "jsonl", text(&new), text(&other)]).code(0).out;
    let [new, other] = lines.lines().map(json).collect::<Vec<_>>().try_into().expect("two lines");
    assert_eq!((&new["method"], &new["rule"]), (&"rules".into(), &"article-1".into()));
    assert_eq!(new["text"], format!("{title}\n{first}\n{second}"));
    assert_eq!(new["title"], title);
    assert_eq!((&other["method"], other.get("rule"), other.get("toc")), (&"auto".into(), None, None));
    assert_eq!(other["text"], said(5)[1]);
}

#[test]
fn rules_written_by_hand_select_links() {
    let disk = Disk::new();
    let rules = disk.write(
        "rules.json",
        "{\"format\":\"wisdom-rules-1\",\"rules\":[{\"name\":\"mine\",\"kind\":\"toc\",\"select\":[{\"css\":\"ul.list > li a\"}],\
         \"exclude\":[{\"css\":\".tag\"}]}]}",
    );
    let page = disk.write(
        "a.html",
        "<ul class=list><li><a href=one>The  one</a> <a class=tag href=/tag>tag</a><li><a href=one>again</a><li><a href=/two>Two</a></ul>\
         <p>Some words of the page.",
    );
    let links = |more: &[&str]| {
        let args = ["extract", "--format", "jsonl", "--rules", text(&rules), text(&page)];
        json(&wisdom(args.iter().chain(more)).code(0).out)["toc"].clone()
    };
    assert_eq!(
        links(&[]),
        json(
            "{\"rule\":\"mine\",\"links\":[{\"url\":\"one\",\"text\":\"The one\"},{\"url\":\"/two\",\"text\":\"Two\"}]}"
        )
    );
    assert_eq!(links(&["--url", "http://h.test/x/y"])["links"][0]["url"], "http://h.test/x/one");
}

#[test]
fn rules_need_one_site_that_was_mined_by_auto() {
    let disk = mined("");
    disk.run("rules", &[]).refuses(&["no page of h.test is mined", "wisdom mine"]);
    disk.run("mine", &["--method", "wisdom"]).code(0);
    disk.run("rules", &[]).refuses(&["h.test was mined by wisdom", "--method auto"]);
    disk.run("mine", &[]).code(0);
    disk.run("rules", &["--site", "g.test"]).refuses(&["g.test"]);
    let list = disk.write("more.jsonl", "{\"url\":\"http://g.test/\",\"html\":\"<p>Some text of a page.\"}\n");
    disk.run("import", &[text(&list)]).code(0);
    disk.run("rules", &[]).refuses(&["holds 2 sites", "--site g.test"]);
    disk.run("rules", &["--site", "h.test"]).code(0);
    let out = disk.path("no/rules.json");
    disk.run("rules", &["--site", "h.test", "--out", text(&out)]).refuses(&["cannot write", "rules.json"]);
    let empty = Disk::new();
    empty.run("rules", &[]).refuses(&["store"]);
}

#[test]
fn pages_that_were_not_mined_are_told() {
    let disk = mined("auto");
    let list =
        disk.write("more.jsonl", serde_json::json!({ "url": "http://h.test/new", "html": article(55) }).to_string());
    disk.run("import", &[text(&list)]).code(0);
    let ran = disk.run("rules", &[]).code(0).says(&["warning: 1 page not mined"]);
    assert_eq!(json(&ran.out)["pages"], 10);
}

#[test]
fn files_of_rules_that_cannot_be_used_are_refused() {
    let disk = Disk::new();
    let page = disk.write("a.html", "<p>Some words.");
    let refused = |name: &str, content: &str, words: &[&str]| {
        let rules = disk.write(name, content);
        wisdom(["extract", "--rules", text(&rules), text(&page)]).refuses(&[&[name], words].concat());
    };
    refused("empty.json", "", &["not a file of rules"]);
    refused("page.json", "<p>x", &["not a file of rules"]);
    refused("other.json", "{\"a\":1}", &["states no format"]);
    refused("later.json", "{\"format\":\"wisdom-rules-2\"}", &["wisdom-rules-2", "wisdom rules"]);
    refused(
        "css.json",
        "{\"format\":\"wisdom-rules-1\",\"rules\":[{\"name\":\"r\",\"kind\":\"article\",\"select\":[{\"css\":\"p:nth-child(2)\"}]}]}",
        &["rule \"r\"", "\"p:nth-child(2)\"", "pseudo-class"],
    );
    let missing = disk.path("no.json");
    wisdom(["extract", "--rules", text(&missing), text(&page)]).refuses(&["cannot read --rules", "no.json"]);
    let rules = disk.write("good.json", "{\"format\":\"wisdom-rules-1\",\"rules\":[]}");
    for flags in [&["--method", "econ"][..], &["--comments"]] {
        let args = ["extract", "--rules", text(&rules), text(&page)];
        wisdom(args.iter().chain(flags)).refuses(&["--rules", flags[0]]);
    }
    // No rule is no fault: the page speaks for itself.
    let out = wisdom(["extract", "--rules", text(&rules), text(&page)]).code(0).out;
    assert_eq!(out, "Some words.\n");
}

#[test]
fn the_demo_has_rules() {
    let disk = Disk::new();
    disk.run("demo", &["--quiet"]).code(0);
    let file = json(&disk.run("rules", &[]).code(0).out);
    let rules = file["rules"].as_array().expect("a list");
    for kind in ["article", "toc"] {
        assert!(rules.iter().any(|rule| rule["kind"] == kind), "{kind} is missing in {file:#}");
    }
    assert!(rules.iter().all(|rule| rule["support"]["confidence"].as_f64() >= Some(0.8)), "{file:#}");
}

#[test]
fn help_tells_how_rules_are_used() {
    let help = wisdom(["rules", "--help"]).code(0).out;
    for word in ["select", "exclude", "support", "Scrapy", "querySelectorAll", "extract --rules"] {
        assert!(help.contains(word), "{word:?} is missing in:\n{help}");
    }
    assert!(wisdom(["extract", "--help"]).code(0).out.contains("--rules"));
}
