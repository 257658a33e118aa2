//! Servers that fail, and pages that are no good: what is retried, what is left out, what is told.

use crate::run::Disk;
use crate::site::{Reply, Site, html};
use crate::walks::gzip;
use std::time::Duration;

/// A site with one healthy page beside the one at hand.
fn beside(path: &str) -> Site {
    let site = Site::of(&[("/", &[path, "/fine"]), ("/fine", &[])]);
    site.page(path, &[]);
    site
}

#[test]
fn after_429_the_page_is_asked_for_again_when_the_server_said() {
    let site = beside("/busy");
    let busy = Reply::new(429, "slow down").header("Retry-After", "2");
    site.set_sequence("/busy", vec![busy, Reply::html(html("/busy", &[]))]);
    let disk = Disk::new();
    disk.crawl(&site.url("/"), &["--no-mine"]).code(0);
    assert_eq!(disk.pages(), ["/", "/busy", "/fine"]);
    let asked = site.requests("/busy");
    assert_eq!(asked.len(), 2);
    let gap = asked[1].at - asked[0].at;
    assert!(gap >= Duration::from_millis(1900), "asked again after {gap:?}");
}

#[test]
fn a_failing_page_is_asked_for_again_after_a_pause() {
    let site = beside("/ill");
    site.set_sequence("/ill", vec![Reply::new(500, "oh"), Reply::html(html("/ill", &[]))]);
    let disk = Disk::new();
    disk.crawl(&site.url("/"), &["--no-mine"]).code(0);
    assert_eq!(disk.pages(), ["/", "/fine", "/ill"]);
    let asked = site.requests("/ill");
    assert_eq!(asked.len(), 2);
    assert!(asked[1].at - asked[0].at >= Duration::from_millis(900));
}

#[test]
fn a_page_that_never_gets_well_is_told_and_the_rest_is_kept() {
    let site = beside("/ill");
    site.set("/ill", Reply::new(502, "oh"));
    let disk = Disk::new();
    disk.crawl(&site.url("/"), &[]).code(1).says(&[&format!("failed: {}", site.url("/ill"))]);
    assert_eq!(disk.pages(), ["/", "/fine"]);
    assert!((2..=5).contains(&site.requests("/ill").len()), "{:?}", site.asked());
    disk.digest();
}

#[test]
fn a_reset_connection_is_tried_again() {
    let site = beside("/shaky");
    site.set_sequence("/shaky", vec![Reply::reset(), Reply::html(html("/shaky", &[]))]);
    let disk = Disk::new();
    disk.crawl(&site.url("/"), &["--no-mine"]).code(0);
    assert_eq!(disk.pages(), ["/", "/fine", "/shaky"]);
}

#[test]
fn a_page_over_max_bytes_has_failed_and_its_reason_is_kept() {
    let site = beside("/big");
    site.set("/big", Reply::html(html("/big", &[]) + &"x".repeat(30_000)));
    let disk = Disk::new();
    disk.crawl(&site.url("/"), &["--max-bytes", "20000"]).code(1).says(&["/big", "over 20000 bytes"]);
    assert_eq!(disk.pages(), ["/", "/fine"]);
    disk.run("inspect", &[&site.url("/big")]).code(2).says(&["over 20000 bytes (--max-bytes)"]);
}

#[test]
fn a_small_gzip_body_that_unpacks_to_a_large_one_is_left_out() {
    let site = beside("/bomb");
    let bomb = gzip(&vec![b' '; 40 << 20]);
    assert!(bomb.len() < 100_000);
    site.set("/bomb", Reply::html(bomb).header("Content-Encoding", "gzip"));
    let disk = Disk::new();
    disk.crawl(&site.url("/"), &["--max-bytes", "1000000"]).code(1);
    assert_eq!(disk.pages(), ["/", "/fine"]);
    disk.run("inspect", &[&site.url("/bomb")]).code(2).says(&["over 1000000 bytes"]);
}

#[test]
fn a_body_without_end_is_left_out() {
    let site = beside("/endless");
    site.set("/endless", Reply::html("<p>and so on</p>\n".repeat(500)).endless());
    let disk = Disk::new();
    disk.crawl(&site.url("/"), &["--max-bytes", "1000000"]).code(1);
    assert_eq!(disk.pages(), ["/", "/fine"]);
}

#[test]
fn a_gzipped_page_is_stored_unpacked() {
    let site = beside("/packed");
    let packed = gzip(html("/packed", &["/behind"]).as_bytes());
    site.set("/packed", Reply::html(packed).header("Content-Encoding", "gzip"));
    site.page("/behind", &[]);
    let disk = Disk::new();
    disk.crawl(&site.url("/"), &[]).code(0);
    assert_eq!(disk.pages(), ["/", "/behind", "/fine", "/packed"]);
    assert_eq!(disk.export()["/packed"]["title"], "Page /packed");
    disk.digest();
}

#[test]
fn a_response_that_hangs_is_given_up() {
    let site = beside("/hung");
    site.set("/hung", Reply::hang());
    let disk = Disk::new();
    disk.crawl(&site.url("/"), &["--timeout", "1"]).code(1).says(&[&site.url("/hung"), "--timeout"]);
    assert_eq!(disk.pages(), ["/", "/fine"]);
}

#[test]
fn a_slow_response_within_the_timeout_is_a_page() {
    let site = beside("/slow");
    site.set("/slow", Reply::html(html("/slow", &[])).late(Duration::from_millis(700)));
    let disk = Disk::new();
    disk.crawl(&site.url("/"), &["--no-mine"]).code(0);
    assert_eq!(disk.pages(), ["/", "/fine", "/slow"]);
}

#[test]
fn a_body_that_ends_early_is_asked_for_again() {
    let site = beside("/torn");
    let whole = Reply::html(html("/torn", &[]));
    site.set_sequence("/torn", vec![whole.clone().cut_to(50), whole]);
    let disk = Disk::new();
    disk.crawl(&site.url("/"), &["--no-mine"]).code(0);
    assert_eq!(disk.pages(), ["/", "/fine", "/torn"]);
    assert_eq!(site.requests("/torn").len(), 2);
}

#[test]
fn half_a_page_is_never_stored_as_a_page() {
    let site = beside("/torn");
    site.set("/torn", Reply::html(html("/torn", &[])).cut_to(50));
    let disk = Disk::new();
    disk.crawl(&site.url("/"), &["--no-mine"]).code(1).says(&[&site.url("/torn"), "ends before it is complete"]);
    assert_eq!(disk.pages(), ["/", "/fine"]);
}
