//! Where a crawl goes: depth, limits, filters, redirects, `<base>`, sitemaps.

use crate::run::Disk;
use crate::site::{Reply, Site, html};
use flate2::Compression;
use flate2::write::GzEncoder;
use std::io::Write;
use std::net::Ipv4Addr;

/// A chain of pages, each a link further from the entrance.
fn chain() -> Site {
    Site::of(&[("/", &["/one"]), ("/one", &["/two", "/"]), ("/two", &["/three"]), ("/three", &[])])
}

#[track_caller]
fn reaches(depth: &str, wanted: &[&str]) {
    let (site, disk) = (chain(), Disk::new());
    disk.crawl(&site.url("/"), &["--depth", depth]).code(0);
    assert_eq!(site.asked(), wanted);
    let documents = disk.export();
    assert_eq!(documents.keys().collect::<Vec<_>>(), wanted);
    for (path, links) in [("/", 0), ("/one", 1), ("/two", 2)] {
        if let Some(document) = documents.get(path) {
            assert_eq!(document["depth"], links, "{path}");
        }
    }
    disk.digest();
}

#[test]
fn depth_0_is_the_entrance_alone() {
    reaches("0", &["/"]);
}

#[test]
fn depth_1_is_what_the_entrance_links_to() {
    reaches("1", &["/", "/one"]);
}

#[test]
fn depth_2_is_two_links_away_whatever_the_path() {
    reaches("2", &["/", "/one", "/two"]);
}

#[test]
fn a_page_within_reach_by_two_ways_has_the_shorter_depth() {
    let site = Site::of(&[("/", &["/a", "/b"]), ("/a", &["/c"]), ("/b", &["/d"]), ("/c", &["/d"]), ("/d", &["/e"])]);
    site.page("/e", &[]);
    let disk = Disk::new();
    disk.crawl(&site.url("/"), &["--depth", "3", "--concurrency", "1"]).code(0);
    assert_eq!(disk.export()["/d"]["depth"], 2);
    assert_eq!(disk.pages(), ["/", "/a", "/b", "/c", "/d", "/e"]);
}

#[test]
fn limit_counts_pages_over_all_runs_of_a_crawl() {
    let site = Site::of(&[("/", &["/a", "/b", "/c", "/gone", "/d"])]);
    for path in ["/a", "/b", "/c", "/d"] {
        site.page(path, &[]);
    }
    let disk = Disk::new();
    disk.crawl(&site.url("/"), &["--limit", "3"]).code(0);
    assert_eq!(disk.pages().len(), 3);
    assert_eq!(site.asked().len(), 3);
    disk.digest();
}

#[test]
fn only_what_include_and_exclude_let_through_is_asked_for() {
    let site = Site::of(&[("/", &["/news/a", "/news/old/b", "/shop/c", "/news/d?print=1"])]);
    for path in ["/news/a", "/news/old/b", "/shop/c", "/news/d?print=1"] {
        site.page(path, &[]);
    }
    let disk = Disk::new();
    let filters = ["--include", "/news/*", "--exclude", "*/old/*", "--exclude", "re:[?&]print="];
    disk.crawl(&site.url("/"), &filters).code(0);
    // The entrance itself is always wanted.
    assert_eq!(site.asked(), ["/", "/news/a"]);
    assert_eq!(disk.pages(), ["/", "/news/a"]);
}

#[test]
fn a_bad_pattern_is_named_before_anything_is_asked_for() {
    let (site, disk) = (chain(), Disk::new());
    disk.crawl(&site.url("/"), &["--include", "re:("]).refuses(&["re:(", "glob"]);
    assert!(site.log().is_empty());
}

#[test]
fn a_chain_of_redirects_leads_to_one_page() {
    let site = Site::of(&[("/", &["/r1"]), ("/end", &["/r1"])]);
    site.set("/r1", Reply::to("/r2"));
    site.set("/r2", Reply::new(301, "").header("Location", &site.url("/r3")));
    site.set("/r3", Reply::new(308, "").header("Location", "end#part"));
    let disk = Disk::new();
    disk.crawl(&site.url("/"), &["--depth", "1"]).code(0);
    assert_eq!(site.asked(), ["/", "/end", "/r1", "/r2", "/r3"]);
    assert_eq!(disk.pages(), ["/", "/end"]);
    assert_eq!(disk.export()["/end"]["depth"], 1);
    let ran = disk.run("inspect", &[&site.url("/r1")]).code(2);
    ran.says(&["/r1 is no page of the store", &site.url("/r2")]);
}

#[test]
fn loops_of_redirects_end() {
    let site = Site::of(&[("/", &["/here", "/ping", "/fine"]), ("/fine", &[])]);
    site.set("/here", Reply::to("/here"));
    site.set("/ping", Reply::to("/pong"));
    site.set("/pong", Reply::to("/ping"));
    let disk = Disk::new();
    disk.crawl(&site.url("/"), &[]).code(0);
    disk.run("inspect", &[&site.url("/here")]).refuses(&["redirects to itself"]);
    assert_eq!(disk.pages(), ["/", "/fine"]);
    assert!(site.asked().len() <= 6, "{:?}", site.asked());
    disk.digest();
}

#[test]
fn a_redirect_to_another_host_is_not_followed() {
    let other = Site::start_on(Ipv4Addr::new(127, 0, 0, 2));
    other.page("/", &[]);
    let site = Site::of(&[("/", &["/away", "/here"]), ("/here", &[])]);
    site.page("/linking", &[&other.url("/")]);
    site.set("/away", Reply::to(&other.url("/")));
    let disk = Disk::new();
    disk.crawl(&site.url("/"), &[]).code(0);
    assert_eq!(disk.pages(), ["/", "/here"]);
    assert!(other.log().is_empty(), "{:?}", other.log());
}

#[test]
fn an_entrance_that_moved_away_is_told() {
    let other = Site::start_on(Ipv4Addr::new(127, 0, 0, 2));
    other.page("/", &[]);
    let site = Site::start();
    site.set("/", Reply::to(&other.url("/")));
    let disk = Disk::new();
    disk.crawl(&site.url("/"), &[]).refuses(&["redirects to another site", &format!("--site {}", other.url("/"))]);
    assert!(other.log().is_empty(), "{:?}", other.log());
}

#[test]
fn links_are_resolved_against_base() {
    let site = Site::start();
    let page = "<base href='../folder/'><title>Base</title><p>Some text.</p><a href='x'>x</a> <a href='/y'>y</a>";
    site.set("/a/b/", Reply::html(page));
    for path in ["/a/folder/x", "/y", "/a/b/x"] {
        site.page(path, &[]);
    }
    let disk = Disk::new();
    disk.crawl(&site.url("/a/b/"), &[]).code(0);
    assert_eq!(site.asked(), ["/a/b/", "/a/folder/x", "/y"]);
}

#[test]
fn a_sitemap_index_leads_to_gzipped_sitemaps_and_their_pages() {
    let site = Site::of(&[("/", &[]), ("/from-plain", &[]), ("/from-gzip", &[]), ("/from-text", &[])]);
    let other = Site::start_on(Ipv4Addr::new(127, 0, 0, 2));
    let urlset = |urls: &[String]| {
        let items: Vec<String> = urls.iter().map(|url| format!("<url><loc>{url}</loc></url>")).collect();
        format!(
            "<?xml version=\"1.0\"?><urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\">{}</urlset>",
            items.concat()
        )
    };
    let index = format!(
        "<sitemapindex><sitemap><loc>{}</loc></sitemap><sitemap><loc>{}</loc></sitemap></sitemapindex>",
        site.url("/plain.xml"),
        site.url("/packed.xml.gz"),
    );
    site.robots(&format!("User-agent: *\nDisallow:\nSitemap: {}\nSitemap: /list.txt\n", site.url("/index.xml")));
    site.set("/index.xml", Reply::new(200, index).header("Content-Type", "application/xml"));
    site.set("/plain.xml", Reply::new(200, urlset(&[site.url("/from-plain"), other.url("/elsewhere")])));
    site.set("/packed.xml.gz", Reply::new(200, gzip(urlset(&[site.url("/from-gzip")]).as_bytes())));
    site.set("/list.txt", Reply::text(site.url("/from-text")));
    let disk = Disk::new();
    disk.crawl(&site.url("/"), &[]).code(0);
    assert_eq!(disk.pages(), ["/", "/from-gzip", "/from-plain", "/from-text"]);
    assert_eq!(disk.export()["/from-gzip"]["depth"], 1);
    assert!(other.log().is_empty(), "{:?}", other.log());

    let without = Disk::new();
    without.crawl(&site.url("/"), &["--no-sitemap"]).code(0);
    assert_eq!(without.pages(), ["/"]);
}

/// Compresses as a server would.
pub(crate) fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(bytes).expect("writing to memory");
    encoder.finish().expect("writing to memory")
}

#[test]
fn a_folder_and_its_index_page_are_stored_once() {
    let site = Site::of(&[("/", &["/a/index.html", "/a/", "/b/index.html"]), ("/b/index.html", &[])]);
    let twin = Reply::html(html("/a/", &["/b/index.html"]));
    site.set("/a/", twin.clone());
    site.set("/a/index.html", twin);
    let disk = Disk::new();
    disk.crawl(&site.url("/"), &[]).code(0);
    assert_eq!(disk.pages(), ["/", "/a/", "/b/index.html"]);
    disk.digest();
}

#[test]
fn noindex_pages_are_followed_and_not_kept() {
    let site = Site::of(&[("/", &["/hidden", "/header"]), ("/behind", &[]), ("/behind-header", &[])]);
    let meta = "<meta name='robots' content='noindex'>";
    site.set("/hidden", Reply::html(format!("{meta}{}", html("/hidden", &["/behind"]))));
    site.set("/header", Reply::html(html("/header", &["/behind-header"])).header("X-Robots-Tag", "noindex"));
    let disk = Disk::new();
    disk.crawl(&site.url("/"), &[]).code(0);
    assert_eq!(disk.pages(), ["/", "/behind", "/behind-header"]);
    disk.run("inspect", &[&site.url("/hidden")]).code(2).says(&["noindex"]);

    let mine = Disk::new();
    mine.crawl(&site.url("/"), &["--ignore-robots"]).code(0);
    assert_eq!(mine.pages(), ["/", "/behind", "/behind-header", "/header", "/hidden"]);
}

#[test]
fn nofollow_links_and_pages_lead_nowhere() {
    let site = Site::of(&[("/dead-end", &[]), ("/friend", &["/x"]), ("/x", &[])]);
    site.set("/", Reply::html("<p>Front.</p><a href='/no' rel='nofollow'>no</a><a href='/silent'>s</a>"));
    let meta = "<meta name='robots' content='nofollow'>";
    site.set("/silent", Reply::html(format!("{meta}{}", html("/silent", &["/dead-end"]))));
    site.page("/no", &[]);
    let disk = Disk::new();
    disk.crawl(&site.url("/"), &[]).code(0);
    assert_eq!(site.asked(), ["/", "/silent"]);
    assert_eq!(disk.pages(), ["/", "/silent"]);
}

#[test]
fn a_url_of_any_sensible_length_is_a_page_like_others() {
    let long = format!("/find?word={}", "lamp+".repeat(200));
    let site = Site::of(&[("/", &[&long]), (&long, &[])]);
    let disk = Disk::new();
    disk.crawl(&site.url("/"), &[]).code(0);
    let documents = disk.export();
    assert_eq!(documents.len(), 2);
    let id = documents[&long]["id"].as_str().unwrap_or_default();
    assert_eq!(id.len(), 32, "an identifier that any index takes: {id}");
    assert!(disk.run("inspect", &[&site.url(&long)]).code(0).out.contains("find?word="));
    disk.digest();
}

#[test]
fn what_is_no_page_is_not_kept() {
    let site = Site::of(&[("/", &["/a.pdf", "/picture", "/lies", "/page"]), ("/page", &[])]);
    site.set("/a.pdf", Reply::new(200, "%PDF-1.4").header("Content-Type", "application/pdf"));
    site.set("/picture", Reply::new(200, b"\x89PNG\r\n\x1a\n\0\0\0".to_vec()));
    site.set("/lies", Reply::html(b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0".to_vec()));
    let disk = Disk::new();
    disk.crawl(&site.url("/"), &[]).code(0);
    assert_eq!(disk.pages(), ["/", "/page"]);
}
