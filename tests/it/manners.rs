//! How a crawl behaves towards a server: robots.txt, pauses, and what it says of itself.

use crate::run::Disk;
use crate::site::{Site, html};
use std::time::Duration;

/// A site whose entrance links to these paths.
fn star(paths: &[&str]) -> Site {
    let site = Site::of(&[("/", paths)]);
    for path in paths {
        site.page(path, &[]);
    }
    site
}

#[track_caller]
fn asks_for(robots: &str, paths: &[&str], wanted: &[&str]) {
    let (site, disk) = (star(paths), Disk::new());
    site.robots(robots);
    disk.crawl(&site.url("/"), &["--no-mine", "--no-sitemap"]).code(0);
    assert_eq!(site.asked(), wanted);
    assert_eq!(disk.pages(), wanted);
    assert_eq!(site.requests("/robots.txt").len(), 1, "robots.txt is asked for once");
}

#[test]
fn the_own_group_of_robots_txt_counts_instead_of_the_general_one() {
    let robots =
        "User-agent: *\nDisallow: /\n\nUser-agent: wisdom\nDisallow: /private/\n\nUser-agent: other\nDisallow: /a";
    asks_for(robots, &["/a", "/private/x"], &["/", "/a"]);
}

#[test]
fn groups_of_one_agent_are_one_group() {
    let robots =
        "User-agent: wisdom\nDisallow: /a\n\nUser-agent: *\nDisallow: /c\n\nUser-agent: Wisdom/0.1\nDisallow: /b";
    asks_for(robots, &["/a", "/b", "/c"], &["/", "/c"]);
}

#[test]
fn the_longest_matching_rule_counts() {
    let robots = "User-agent: *\nAllow: /shop/open/\nDisallow: /shop/\nDisallow: /*.csv$\nAllow: /$";
    asks_for(
        robots,
        &["/shop/a", "/shop/open/b", "/data.csv", "/data.csv.html", "/shopping"],
        &["/", "/data.csv.html", "/shop/open/b", "/shopping"],
    );
}

#[test]
fn allow_counts_where_it_is_as_long_as_disallow() {
    asks_for("User-agent: *\nDisallow: /page\nAllow: /page\nDisallow: /pages", &["/page", "/pages"], &["/", "/page"]);
}

#[test]
fn a_byte_order_mark_and_blank_lines_spoil_no_robots_txt() {
    asks_for(
        "\u{feff}User-agent: *\r\n\r\nDisallow: /a\r\n\r\nDisallow: /b?x=\r\n",
        &["/a", "/b?x=1", "/b"],
        &["/", "/b"],
    );
}

#[test]
fn another_name_in_the_user_agent_is_the_name_looked_for() {
    let site = star(&["/a", "/b"]);
    site.robots("User-agent: wisdom\nDisallow: /a\n\nUser-agent: Lantern\nDisallow: /b");
    let disk = Disk::new();
    disk.crawl(&site.url("/"), &["--user-agent", "Lantern/3 (me@example.org)"]).code(0);
    assert_eq!(site.asked(), ["/", "/a"]);
    assert_eq!(site.requests("/a")[0].header("user-agent"), Some("Lantern/3 (me@example.org)"));
}

#[test]
fn ignore_robots_passes_over_robots_txt() {
    let site = star(&["/private/x"]);
    site.robots("User-agent: *\nDisallow: /");
    let disk = Disk::new();
    disk.crawl(&site.url("/"), &["--ignore-robots"]).code(0);
    assert_eq!(disk.pages(), ["/", "/private/x"]);
}

#[test]
fn crawl_delay_is_kept_between_requests() {
    let site = star(&["/a", "/b"]);
    site.robots("User-agent: *\nCrawl-delay: 1\nDisallow:");
    let disk = Disk::new();
    disk.crawl(&site.url("/"), &["--delay", "0", "--no-sitemap", "--no-mine"]).code(0);
    let log = site.log();
    assert_eq!(log.len(), 4);
    for pair in log.windows(2) {
        let gap = pair[1].at - pair[0].at;
        assert!(gap > Duration::from_millis(900), "{} came {gap:?} after {}", pair[1].path, pair[0].path);
    }
}

#[test]
fn delay_is_kept_between_requests() {
    let site = star(&["/a", "/b", "/c"]);
    let disk = Disk::new();
    disk.crawl(&site.url("/"), &["--delay", "300", "--no-sitemap", "--no-mine"]).code(0);
    for pair in site.log().windows(2) {
        assert!(pair[1].at - pair[0].at > Duration::from_millis(250), "{} came too early", pair[1].path);
    }
}

#[test]
fn headers_and_cookies_go_with_every_request_to_the_site() {
    let site = star(&["/a"]);
    let disk = Disk::new();
    let own = ["--header", "X-Token: abc=def", "--header", "Accept-Language: fi", "--cookie", "id=7; theme=dark"];
    disk.crawl(&site.url("/"), &own).code(0);
    for request in site.log() {
        assert_eq!(request.header("x-token"), Some("abc=def"), "{}", request.path);
        assert_eq!(request.header("accept-language"), Some("fi"), "{}", request.path);
        let cookies = request.header("cookie").unwrap_or_default();
        assert!(cookies.contains("id=7") && cookies.contains("theme=dark"), "{}: {cookies}", request.path);
        let agent = request.header("user-agent").unwrap_or_default();
        assert!(agent.starts_with("wisdom/"), "{agent}");
    }
}

#[test]
fn a_header_without_colon_is_refused() {
    let disk = Disk::new();
    disk.crawl("http://127.0.0.1:9/", &["--header", "X-Token"]).refuses(&["X-Token", "Name: value"]);
    assert!(!disk.store().exists(), "nothing was made");
}

#[test]
fn a_page_is_asked_for_once_whatever_the_spelling_of_its_links() {
    let site = Site::start();
    let same = ["/a", "/a#x", "/./a", "/b/../a", "/%61"];
    site.set("/", crate::site::Reply::html(html("/", &same)));
    site.page("/a", &["/"]);
    let disk = Disk::new();
    disk.crawl(&site.url("/"), &[]).code(0);
    assert_eq!(site.asked(), ["/", "/a"]);
}

#[test]
fn a_robots_txt_over_the_limit_still_counts() {
    let (site, disk) = (Site::start(), Disk::new());
    site.robots(&format!("User-agent: *\nDisallow: /closed\n{}", "# a long story\n".repeat(60_000)));
    site.page("/", &["/open", "/closed"]);
    site.page("/open", &[]);
    site.page("/closed", &[]);
    disk.crawl(&site.url("/"), &[]).code(0);
    assert_eq!(disk.pages(), ["/", "/open"]);
}
