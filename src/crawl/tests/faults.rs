//! Servers that fail: statuses, broken and endless bodies, silence, refusals.

use std::io::Write;
use std::time::Duration;

use tokio::io::AsyncWriteExt;
use tokio::net::TcpListener;
use url::Url;

use super::server::{Answer, Server, crawl, crawl_from, html, linking, missing, reply};
use crate::crawl::{CrawlError, CrawlParams, Memory, Outcome, Start, entrance};
use crate::page::Fate;

#[tokio::test]
async fn overload_and_failures_are_retried_as_asked() {
    let server = Server::start(|r| match (r.path.as_str(), r.nth) {
        ("/", _) => linking("start", &["/busy", "/flaky", "/broken", "/never", "/calm"]),
        ("/busy", 0) => reply(429, &["Retry-After: 2"], b"slow down"),
        ("/flaky", 0) => reply(503, &[], b""),
        ("/flaky", 1) => Answer::Reset,
        ("/broken", _) => reply(500, &[], b""),
        ("/never", _) => reply(501, &[], b""),
        ("/robots.txt" | "/sitemap.xml", _) => missing(),
        (other, _) => linking(other, &[]),
    })
    .await;
    let crawled = crawl(&server.params()).await;
    assert_eq!(crawled.pages(), ["/", "/busy", "/calm", "/flaky"]);
    assert!(matches!(crawled.fate("/broken"), Some(Fate::Failed { status: Some(500), .. })));
    let counts = ["/busy", "/flaky", "/broken", "/never"].map(|p| server.count(p));
    assert_eq!(counts, [2, 3, 3, 1]);
    let log = server.log();
    let busy: Vec<_> = log.iter().filter(|r| r.path == "/busy").map(|r| r.at).collect();
    assert!(busy[1] - busy[0] >= Duration::from_millis(1950));
}

#[tokio::test]
async fn bodies_that_are_cut_too_large_or_endless_are_not_stored() {
    let server = Server::start(|r| match r.path.as_str() {
        "/" => linking("start", &["/cut", "/cut-once", "/large", "/drip", "/bomb", "/flood", "/fine"]),
        "/cut" => {
            Answer::Bytes(b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 900\r\n\r\n<p>half".to_vec())
        }
        "/cut-once" if r.nth == 0 => Answer::Bytes(
            b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nTransfer-Encoding: chunked\r\n\r\n5\r\n<p>ha\r\n".to_vec(),
        ),
        "/large" => html(&"x".repeat(30_000)),
        "/drip" => Answer::Drip(b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<p>".to_vec()),
        "/flood" => Answer::Drip(
            [b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n".as_slice(), &b"x".repeat(50_000)].concat(),
        ),
        "/bomb" => {
            let mut gz = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::best());
            gz.write_all(&vec![b'x'; 1 << 20]).expect("memory");
            reply(200, &["Content-Type: text/html", "Content-Encoding: gzip"], &gz.finish().expect("memory"))
        }
        other => linking(other, &[]),
    })
    .await;
    let params = CrawlParams { max_bytes: 20_000, timeout: Duration::from_secs(1), ..server.params() };
    let crawled = crawl(&params).await;
    assert_eq!(crawled.pages(), ["/", "/cut-once", "/fine"]);
    for path in ["/large", "/bomb", "/flood", "/cut", "/drip"] {
        assert!(matches!(crawled.fate(path), Some(Fate::Failed { .. })), "{path} {:?}", crawled.fate(path));
    }
    assert_eq!((server.count("/cut"), server.count("/drip")), (3, 1));
}

#[tokio::test]
async fn silence_ends_in_time_and_holds_up_nobody() {
    let server = Server::start(|r| match r.path.as_str() {
        "/" => linking("start", &["/hang", "/a", "/b"]),
        "/hang" => Answer::Hang,
        other => linking(other, &[]),
    })
    .await;
    let crawled = crawl(&CrawlParams { timeout: Duration::from_millis(500), ..server.params() }).await;
    assert_eq!(crawled.pages(), ["/", "/a", "/b"]);
    assert_eq!(server.count("/hang"), 2);
    let Some(Fate::Failed { reason, .. }) = crawled.fate("/hang") else { panic!("{:?}", crawled.fate("/hang")) };
    assert!(reason.contains("0.5 s"), "{reason}");
}

#[tokio::test]
async fn what_is_no_page_is_not_stored_and_odd_pages_are() {
    let gz = |text: &[u8]| {
        let mut gz = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::best());
        gz.write_all(text).expect("memory");
        gz.finish().expect("memory")
    };
    let server = Server::start(move |r| match r.path.as_str() {
        "/" => linking(
            "start",
            &[
                "/pdf",
                "/image",
                "/zip",
                "/empty",
                "/plain",
                "/packed",
                "/wrong-length",
                "/mislabelled",
                "/untyped",
                "/json",
            ],
        ),
        "/pdf" => html("%PDF-1.4\n1 0 obj <</Filter /FlateDecode>> endobj"),
        "/image" => reply(200, &["Content-Type: image/png"], b"\x89PNG"),
        "/zip" => reply(200, &["Content-Type: text/html"], b"PK\x03\x04\0\0\0\0"),
        "/json" => reply(200, &["Content-Type: application/json"], b"{}"),
        "/empty" => html(""),
        "/plain" => reply(200, &["Content-Type: text/plain"], b"<!DOCTYPE html><p>words"),
        "/untyped" => reply(200, &[], b"<html><p>words"),
        "/packed" => reply(200, &["Content-Type: text/html", "Content-Encoding: gzip"], &gz(b"<p>packed words")),
        "/wrong-length" => {
            let head =
                b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Encoding: gzip\r\nContent-Length: 5000\r\n\r\n";
            Answer::Bytes([head.as_slice(), &gz(&b"<p>many words ".repeat(350))].concat())
        }
        "/mislabelled" => reply(200, &["Content-Type: text/html", "Content-Encoding: gzip"], b"<p>bare words"),
        _ => missing(),
    })
    .await;
    let crawled = crawl(&server.params()).await;
    let want = ["/", "/empty", "/mislabelled", "/packed", "/plain", "/untyped", "/wrong-length"];
    assert_eq!(crawled.pages(), want);
    let packed = crawled.visits.iter().find(|v| v.entry.url.ends_with("/packed")).expect("a visit");
    let Outcome::Page(page, dom) = &packed.outcome else { panic!("no page") };
    assert_eq!((page.body.as_slice(), dom.visible_text().trim()), (b"<p>packed words".as_slice(), "packed words"));
}

#[tokio::test]
async fn an_unreachable_robots_txt_stops_the_crawl() {
    let server = Server::start(|r| match r.path.as_str() {
        "/robots.txt" => reply(503, &["Retry-After: 1"], b"<h1>later</h1>"),
        other => linking(other, &[]),
    })
    .await;
    let start = Start { queue: vec![entrance(&server.base)], ..Start::default() };
    let error = crawl_from(&server.params(), start.clone(), Memory::none()).await.err().expect("an error");
    assert!(matches!(error, CrawlError::RobotsUnreachable { .. }), "{error}");
    assert!(server.paths().is_empty());
    let params = CrawlParams { ignore_robots: true, ..server.params() };
    assert_eq!(crawl_from(&params, start, Memory::none()).await.expect("a crawl").summary.pages, 1);
}

#[tokio::test]
async fn robots_that_fail_once_are_asked_again() {
    let server = Server::start(|r| match (r.path.as_str(), r.nth) {
        ("/robots.txt", 0) => Answer::Reset,
        ("/robots.txt", _) => reply(200, &[], b"User-agent: *\nDisallow: /a"),
        ("/", _) => linking("start", &["/a"]),
        (other, _) => linking(other, &[]),
    })
    .await;
    assert_eq!(crawl(&server.params()).await.pages(), ["/"]);
}

async fn error_of(site: &str) -> CrawlError {
    let params =
        CrawlParams { timeout: Duration::from_secs(3), ..CrawlParams::new(Url::parse(site).expect("test URL")) };
    let start = Start { queue: vec![entrance(&params.site)], ..Start::default() };
    crawl_from(&params, start, Memory::none()).await.err().expect("an error")
}

#[tokio::test]
async fn hosts_that_cannot_be_reached_are_named() {
    let error = error_of("http://no-such-host.invalid/").await;
    assert!(matches!(error, CrawlError::UnknownHost { .. }), "{error}");
    assert!(error.to_string().contains("no-such-host.invalid"), "{error}");

    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let port = listener.local_addr().expect("an address").port();
    drop(listener);
    let error = error_of(&format!("http://127.0.0.1:{port}/")).await;
    assert!(matches!(error, CrawlError::Unreachable { .. }), "{error}");

    // A server that speaks plain HTTP where TLS is expected.
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let port = listener.local_addr().expect("an address").port();
    tokio::spawn(async move {
        while let Ok((mut stream, _)) = listener.accept().await {
            let _ = stream.write_all(b"HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n").await;
        }
    });
    let error = error_of(&format!("https://127.0.0.1:{port}/")).await;
    assert!(matches!(error, CrawlError::Tls { .. }), "{error}");

    assert!(matches!(error_of("ftp://h/").await, CrawlError::Site(_)));
}

#[tokio::test]
async fn a_server_that_asks_for_a_long_rest_is_left_alone() {
    let server = Server::start(|r| match r.path.as_str() {
        "/" => {
            let links: Vec<String> = (0..40).map(|n| format!("/p/{n}")).collect();
            linking("start", &links.iter().map(String::as_str).collect::<Vec<_>>())
        }
        p if p.starts_with("/p/") => reply(503, &["Retry-After: 86400"], b""),
        _ => missing(),
    })
    .await;
    let crawled = crawl(&server.params()).await;
    assert!(matches!(crawled.summary.ending, crate::crawl::Ending::LeftAlone(_)));
    assert!(server.paths().len() < 12, "{:?}", server.paths());
    assert!(crawled.summary.left > 20);
}

#[tokio::test]
async fn a_consumer_that_goes_away_ends_the_crawl() {
    let server = Server::start(|r| linking(&r.path.clone(), &["/a", "/b"])).await;
    let (sender, receiver) = tokio::sync::mpsc::channel(1);
    drop(receiver);
    let start = Start { queue: vec![entrance(&server.base)], ..Start::default() };
    let progress = crate::crawl::CrawlProgress::default();
    let params = server.params();
    let end = crate::crawl::run(&params, start, Memory::none(), sender, &progress, crate::crawl::Stop::new()).await;
    assert!(matches!(end, Err(CrawlError::ConsumerGone)));
}
