//! Crawls that are cut short, and go on.

use crate::run::Disk;
use crate::site::{Reply, Site};
use std::collections::HashMap;
use std::time::{Duration, Instant};

/// Sections of the site, and articles of each.
const SECTIONS: usize = 8;
const ARTICLES: usize = 14;
/// All pages: the entrance, the sections, the articles.
const PAGES: usize = 1 + SECTIONS + SECTIONS * ARTICLES;

/// A site of three levels, every page with the menu.
fn three_levels() -> Site {
    let site = Site::start();
    let sections: Vec<String> = (0..SECTIONS).map(|s| format!("/s{s}/")).collect();
    let menu: Vec<&str> = std::iter::once("/").chain(sections.iter().map(String::as_str)).collect();
    site.page("/", &menu);
    for section in &sections {
        let articles: Vec<String> = (0..ARTICLES).map(|a| format!("{section}a{a}.html")).collect();
        let links: Vec<&str> = menu.iter().copied().chain(articles.iter().map(String::as_str)).collect();
        site.page(section, &links);
        for article in &articles {
            site.page(article, &menu);
        }
    }
    site
}

/// Requests for pages beyond one a page.
fn asked_again(site: &Site) -> usize {
    let mut counts: HashMap<String, usize> = HashMap::new();
    for path in site.asked() {
        *counts.entry(path).or_default() += 1;
    }
    counts.into_values().map(|count| count - 1).sum()
}

/// The digest of the model that a crawl without interruption makes.
fn digest_of_one_go(site: &Site) -> String {
    let disk = Disk::new();
    disk.crawl(&site.url("/"), &["--no-mine"]).code(0);
    disk.digest()
}

#[test]
fn a_killed_crawl_goes_on_and_counts_no_page_twice() {
    let (site, disk) = (three_levels(), Disk::new());
    let url = site.url("/");
    let slowly = ["--site", &url, "--delay", "10", "--no-sitemap"];
    for wanted in [30, 65, 100] {
        let running = disk.start("crawl", &slowly);
        site.wait_for_requests(wanted);
        let ran = running.kill();
        assert_eq!(ran.code, None, "it was killed in the middle: {}", ran.err);
        // Whatever was cut off, what is there is sound.
        disk.digest();
    }
    let before_last = asked_again(&site);
    let ran = disk.run("crawl", &slowly).code(0);
    assert!(ran.err.contains("resumed"), "{}", ran.err);
    assert_eq!(disk.pages().len(), PAGES);
    // A crash loses one group of 32 pages and what was in flight at most.
    assert!(asked_again(&site) - before_last <= 40, "{} requests for pages that were there", asked_again(&site));
    let digest = disk.digest();
    assert_eq!(digest, digest_of_one_go(&site));
    disk.run("rebuild", &[]).code(0);
    assert_eq!(disk.digest(), digest);
    assert_eq!(disk.pages().len(), PAGES);
}

#[test]
fn after_ctrl_c_the_same_command_goes_on() {
    let (site, disk) = (three_levels(), Disk::new());
    let url = site.url("/");
    let slowly = ["--site", &url, "--delay", "10"];
    let running = disk.start("crawl", &slowly);
    site.wait_for_requests(40);
    running.interrupt();
    running.wait().code(1).says(&["run the same command again to go on", "still wait"]);
    let stored = disk.pages().len();
    assert!((20..PAGES).contains(&stored), "{stored}");
    disk.digest();
    assert!(disk.run("sites", &[]).code(0).out.contains("unfinished"));

    let ran = disk.run("crawl", &slowly).code(0);
    assert!(ran.err.contains("resumed"), "{}", ran.err);
    assert_eq!(disk.pages().len(), PAGES);
    // Only what was in flight is asked for again.
    assert!(asked_again(&site) <= 4, "{:?}", site.asked());
    assert_eq!(disk.digest(), digest_of_one_go(&site));
    assert!(disk.run("sites", &[]).code(0).out.contains("number 1, finished"));
}

#[test]
fn ctrl_c_does_not_wait_for_a_server_that_hangs() {
    let site = Site::of(&[("/", &["/hung", "/fine"]), ("/fine", &[])]);
    site.set("/hung", Reply::hang());
    let disk = Disk::new();
    let running = disk.start("crawl", &["--site", &site.url("/"), "--timeout", "60", "--concurrency", "1"]);
    site.wait_for("/hung");
    let begun = Instant::now();
    running.interrupt();
    running.wait().code(1).says(&["run the same command again"]);
    assert!(begun.elapsed() < Duration::from_secs(15), "{:?}", begun.elapsed());
    // The hung page and the one after it still wait, and are had later.
    site.page("/hung", &[]);
    disk.crawl(&site.url("/"), &[]).code(0);
    assert_eq!(disk.pages(), ["/", "/fine", "/hung"]);
}

#[test]
fn ctrl_c_while_robots_txt_hangs_ends_the_crawl() {
    let site = Site::of(&[("/", &[])]);
    site.set("/robots.txt", Reply::hang());
    let disk = Disk::new();
    let running = disk.start("crawl", &["--site", &site.url("/"), "--timeout", "60"]);
    site.wait_for("/robots.txt");
    running.interrupt();
    running.wait().code(1).says(&["run the same command again"]);
    site.robots("");
    disk.crawl(&site.url("/"), &[]).code(0);
    assert_eq!(disk.pages(), ["/"]);
}

#[test]
fn a_killed_import_leaves_a_sound_store_and_can_be_done_again() {
    let disk = Disk::new();
    let lines: Vec<String> = (0..1500)
        .map(|n| {
            let html = crate::site::html(&format!("/p{n}"), &["/", "/p1"]);
            serde_json::json!({"url": format!("http://h.example/p{n}"), "html": html}).to_string()
        })
        .collect();
    let list = disk.write("list.jsonl", lines.join("\n"));
    let list = list.to_str().expect("a path in UTF-8");
    let running = disk.start("import", &[list]);
    let begun = Instant::now();
    let archives = disk.store().join("h.example").join("pages");
    // As soon as something is on disk.
    let written =
        || std::fs::read_dir(&archives).is_ok_and(|dir| dir.flatten().any(|e| e.metadata().is_ok_and(|m| m.len() > 0)));
    while !written() {
        assert!(begun.elapsed() < crate::site::PATIENCE, "nothing was written");
        std::thread::sleep(Duration::from_millis(2));
    }
    running.kill();
    disk.digest();
    disk.run("import", &[list]).code(0);
    assert_eq!(disk.pages().len(), 1500);
    disk.digest();
}
