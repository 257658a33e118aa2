//! Sound sites: depth, scope, links, redirects, robots, sitemaps, limits, resuming, crawling again.

use std::io::Write;
use std::time::Duration;

use super::server::{Answer, Request, Server, crawl, crawl_from, html, linking, missing, path, reply, to};
use crate::crawl::{
    CrawlParams, CrawlProgress, Ending, EntranceTrouble, Filter, Memory, Outcome, Start, Stop, Validators, entrance,
    run,
};
use crate::page::{Fate, Page, QueueEntry, Source};

fn robots(text: &str) -> Answer {
    reply(200, &["Content-Type: text/plain"], text.as_bytes())
}

#[tokio::test]
async fn depth_counts_links_from_the_entrance() {
    let site = |r: &Request| match r.path.as_str() {
        "/" => linking("start", &["/a/very/deep/path", "/b"]),
        "/a/very/deep/path" => linking("one", &["/two", "/"]),
        "/b" => linking("b", &[]),
        "/two" => linking("two", &["/three"]),
        "/three" => linking("three", &["/four"]),
        _ => missing(),
    };
    for (depth, want) in
        [(0, vec!["/"]), (1, vec!["/", "/a/very/deep/path", "/b"]), (2, vec!["/", "/a/very/deep/path", "/b", "/two"])]
    {
        let server = Server::start(site).await;
        let crawled = crawl(&CrawlParams { depth, ..server.params() }).await;
        assert_eq!(crawled.pages(), want, "depth {depth}");
        assert_eq!(crawled.summary.ending, Ending::Complete);
        assert_eq!(crawled.summary.left, 0);
    }
}

#[tokio::test]
async fn depths_are_those_of_the_shortest_path_though_answers_come_late() {
    let server = Server::start(|r| match r.path.as_str() {
        "/" => linking("start", &["/quick", "/slow"]),
        "/quick" => linking("quick", &["/quicker"]),
        "/quicker" => linking("quicker", &["/both"]),
        "/slow" => match linking("slow", &["/both"]) {
            Answer::Bytes(bytes) => Answer::Late(Duration::from_millis(300), bytes),
            other => other,
        },
        "/both" => linking("both", &["/end"]),
        "/end" => linking("end", &[]),
        _ => missing(),
    })
    .await;
    let crawled = crawl(&server.params()).await;
    assert_eq!(crawled.depth("/both"), Some(2));
    assert_eq!(crawled.depth("/end"), Some(3));
}

#[tokio::test]
async fn one_page_is_fetched_once_under_all_its_names() {
    let server = Server::start(|r| match r.path.split('?').next().unwrap_or_default() {
        "/" => linking(
            "start",
            &[
                "#top",
                "/#news",
                "/guide",
                "/guide#a",
                " /gu\nide ",
                "/guide?utm_source=x",
                "/guide;jsessionid=12",
                "/x/../guide",
                "/gu%69de?",
            ],
        ),
        "/guide" => linking("guide", &["", "#x", "/list?b=1&a=2", "/list?a=2&b=1"]),
        "/list" => linking("list", &[]),
        _ => missing(),
    })
    .await;
    let crawled = crawl(&server.params()).await;
    assert_eq!(server.paths(), ["/", "/guide", "/list?b=1&a=2"]);
    assert_eq!(crawled.pages().len(), 3);
}

#[tokio::test]
async fn the_base_and_all_kinds_of_links_count() {
    let server = Server::start(|r| match r.path.as_str() {
        "/" => html("<frameset><frame src=menu.html></frameset>"),
        "/menu.html" => html(
            "<base href='/board/'><link rel=next href=2><map><area href=3></map><a href=4 rel=nofollow>x</a>\
             <iframe src=5></iframe><meta http-equiv=refresh content='60;url=6'><a href='mailto:a@b'>x</a>\
             <a href='javascript:x()'>x</a><a href='http://elsewhere.example/'>x</a>",
        ),
        other if other.starts_with("/board/") => linking(other, &[]),
        _ => missing(),
    })
    .await;
    let crawled = crawl(&server.params()).await;
    assert_eq!(crawled.pages(), ["/", "/board/2", "/board/3", "/board/5", "/board/6", "/menu.html"]);
    let all = crawl(&CrawlParams { ignore_robots: true, ..server.params() }).await;
    assert!(all.pages().contains(&"/board/4".to_owned()), "nofollow is a robots rule");
}

#[tokio::test]
async fn redirects_are_followed_within_the_site_and_loops_end() {
    let server = Server::start(|r| match r.path.as_str() {
        "/" => linking("start", &["/1", "/left", "/self", "/away", "/nowhere", "/meta", "/far/0", "/cookie"]),
        "/1" => to("/2"),
        "/2" => reply(301, &["location: 3"], b""),
        "/3" => linking("three", &["/under"]),
        "/under" => linking("under", &[]),
        "/left" => to("/right"),
        "/right" => to("/left"),
        "/self" => to("/self#x"),
        "/away" => to("http://192.0.2.1/x"),
        "/nowhere" => reply(302, &[], b""),
        "/meta" => html("<meta name=robots content=noindex><meta http-equiv=refresh content='0; url=/3'>moved"),
        "/cookie" if r.head.contains("cookie: seen=1") => linking("cookie", &[]),
        "/cookie" => reply(302, &["Location: /cookie", "Set-Cookie: seen=1; Path=/"], b""),
        other => match other.strip_prefix("/far/").and_then(|n| n.parse::<u32>().ok()) {
            Some(n) => to(&format!("/far/{}", n + 1)),
            None => missing(),
        },
    })
    .await;
    let crawled = crawl(&server.params()).await;
    assert_eq!(crawled.pages(), ["/", "/3", "/cookie", "/under"]);
    assert_eq!(crawled.depth("/3"), Some(1), "a redirect is no link");
    assert_eq!(crawled.fate("/meta"), Some(&Fate::Redirect { status: 200, to: server.url("/3") }));
    assert_eq!(crawled.fate("/1"), Some(&Fate::Redirect { status: 302, to: server.url("/2") }));
    assert_eq!(crawled.fate("/away"), Some(&Fate::Redirect { status: 302, to: "http://192.0.2.1/x".into() }));
    assert!(matches!(crawled.fate("/self"), Some(Fate::Skipped { .. })));
    assert!(matches!(crawled.fate("/nowhere"), Some(Fate::Skipped { .. })));
    assert!(matches!(crawled.fate("/far/10"), Some(Fate::Skipped { .. })));
    assert_eq!(
        (server.count("/left"), server.count("/right"), server.count("/self"), server.count("/cookie")),
        (1, 1, 1, 2)
    );
}

#[tokio::test]
async fn a_session_forced_into_the_url_is_followed_under_the_name_without_it() {
    let server = Server::start(|r| match r.path.as_str() {
        "/" => linking("start", &["/shop;jsessionid=1", "/shop"]),
        "/shop" => to("/shop;jsessionid=77"),
        "/shop;jsessionid=77" => linking("shop", &["/shop;jsessionid=78"]),
        _ => missing(),
    })
    .await;
    let crawled = crawl(&server.params()).await;
    assert_eq!(crawled.pages(), ["/", "/shop"]);
    assert_eq!(server.paths(), ["/", "/shop", "/shop;jsessionid=77"]);
}

#[tokio::test]
async fn robots_rules_metas_and_headers_are_obeyed() {
    let site = |r: &Request| match r.path.as_str() {
        "/robots.txt" => robots(
            "\u{feff}User-agent: *\r\nDisallow: /\r\n\r\nUser-agent: Wisdom/9\r\nDisallow: /no/\r\nAllow: /no/but\r\n\
             Disallow: /*word=\r\nSitemap: /map.xml",
        ),
        "/" => linking("start", &["/yes", "/no/1", "/no/but", "/find?word=a", "/noindex", "/nofollow", "/header"]),
        "/noindex" => html("<meta name=robots content=noindex><a href=/behind-noindex>x</a>"),
        "/nofollow" => html("<meta name=robots content=nofollow>words<a href=/behind-nofollow>x</a>"),
        "/header" => reply(200, &["Content-Type: text/html", "X-Robots-Tag: none"], b"<a href=/behind-header>x</a>"),
        other => linking(other, &[]),
    };
    let server = Server::start(site).await;
    let crawled = crawl(&server.params()).await;
    assert_eq!(crawled.pages(), ["/", "/behind-noindex", "/no/but", "/nofollow", "/yes"]);
    assert_eq!(crawled.fate("/no/1"), Some(&Fate::Skipped { reason: "robots.txt forbids it".into() }));
    assert_eq!(server.count("/no/1") + server.count("/find?word=a"), 0);
    assert_eq!(server.log()[0].path, "/robots.txt");
    assert_eq!(crawled.summary.robots.as_ref().map(|r| r.status), Some(200));

    let all = crawl(&CrawlParams { ignore_robots: true, ..server.params() }).await;
    assert_eq!(all.summary.pages, 11);
}

#[tokio::test]
async fn robots_that_forbid_the_entrance_are_named() {
    let server = Server::start(|r| match r.path.as_str() {
        "/robots.txt" => robots("User-agent: wisdom\nDisallow: /"),
        _ => linking("x", &[]),
    })
    .await;
    let crawled = crawl(&server.params()).await;
    assert!(server.paths().is_empty());
    let trouble = crawled.summary.entrance.expect("trouble").to_string();
    assert!(trouble.contains("robots.txt") && trouble.contains("--ignore-robots"), "{trouble}");
}

#[tokio::test]
async fn robots_may_redirect_and_may_be_a_page() {
    for (answer, moved, want) in [
        (to("/rules.txt"), "User-agent: *\nDisallow: /a", vec!["/"]),
        (to("/robots.txt"), "", vec!["/", "/a"]),
        (html("<html><p>User-agent: none</p></html>"), "", vec!["/", "/a"]),
        (reply(403, &[], b""), "", vec!["/", "/a"]),
    ] {
        let answer = match answer {
            Answer::Bytes(bytes) => bytes,
            _ => Vec::new(),
        };
        let server = Server::start(move |r| match r.path.as_str() {
            "/robots.txt" => Answer::Bytes(answer.clone()),
            "/rules.txt" => robots(moved),
            "/" => linking("start", &["/a"]),
            other => linking(other, &[]),
        })
        .await;
        assert_eq!(crawl(&server.params()).await.pages(), want);
    }
}

#[tokio::test]
async fn crawl_delay_spaces_all_requests() {
    let server = Server::start(|r| match r.path.as_str() {
        "/robots.txt" => robots("User-agent: *\nCrawl-delay: 0.3"),
        "/" => linking("start", &["/a", "/b", "/c"]),
        other => linking(other, &[]),
    })
    .await;
    let crawled = crawl(&server.params()).await;
    assert_eq!(crawled.summary.pages, 4);
    let log = server.log();
    for pair in log.windows(2) {
        let gap = pair[1].at - pair[0].at;
        assert!(gap >= Duration::from_millis(270), "{} {gap:?} after {}", pair[1].path, pair[0].path);
    }
}

#[tokio::test]
async fn sitemaps_lead_to_pages() {
    let server = Server::start(|r| match r.path.as_str() {
        "/robots.txt" => robots("Sitemap: /index.xml\nUser-agent: *\nDisallow:"),
        "/index.xml" => reply(
            200,
            &["Content-Type: application/xml"],
            b"<sitemapindex><sitemap><loc>/one.xml.gz</loc></sitemap><sitemap><loc>/two.txt</loc></sitemap>\
              <sitemap><loc>/index.xml</loc></sitemap><sitemap><loc>/gone.xml</loc></sitemap></sitemapindex>",
        ),
        "/one.xml.gz" => {
            let mut gz = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
            gz.write_all(b"<urlset><url><loc>/in-gz</loc></url><url><loc>http://192.0.2.1/no</loc></url></urlset>")
                .expect("memory");
            reply(200, &["Content-Type: application/octet-stream"], &gz.finish().expect("memory"))
        }
        "/two.txt" => {
            let host = r.head.split("host: ").nth(1).and_then(|h| h.split("\r\n").next()).unwrap_or_default();
            robots(&format!("http://{host}/in-text"))
        }
        "/gone.xml" => missing(),
        "/in-gz" => linking("in-gz", &["/deeper"]),
        other => linking(other, &[]),
    })
    .await;
    let crawled = crawl(&CrawlParams { depth: 1, ..server.params() }).await;
    assert_eq!(crawled.pages(), ["/", "/in-gz", "/in-text"]);
    assert_eq!(crawled.depth("/in-gz"), Some(1));
    assert_eq!(server.count("/index.xml"), 1);
    assert_eq!(crawled.summary.sitemaps.len(), 4);
    let first = &crawled.visits[0];
    assert_eq!(first.discovered.iter().filter(|e| e.source == Source::Sitemap).count(), 2);

    assert_eq!(crawl(&CrawlParams { sitemap: false, ..server.params() }).await.pages(), ["/"]);
    assert_eq!(crawl(&CrawlParams { depth: 0, ..server.params() }).await.pages(), ["/"]);
}

fn wide(r: &Request) -> Answer {
    match r.path.as_str() {
        "/robots.txt" | "/sitemap.xml" => missing(),
        "/" => {
            let links: Vec<String> = (0..30).map(|n| format!("/p/{n}")).collect();
            linking("start", &links.iter().map(String::as_str).collect::<Vec<_>>())
        }
        other => linking(other, &["/", "/p/1", "/last"]),
    }
}

#[tokio::test]
async fn the_limit_counts_pages_and_what_is_left_resumes() {
    let server = Server::start(wide).await;
    let params = CrawlParams { limit: Some(10), ..server.params() };
    let first = crawl(&params).await;
    assert_eq!((first.summary.pages, first.summary.ending.clone()), (10, Ending::Limit));
    assert_eq!(first.summary.left, left(&first.visits).len());

    let start = Start {
        queue: left(&first.visits),
        seen: first.visits.iter().map(|v| v.entry.url.clone()).collect(),
        pages_so_far: 10,
    };
    let more = CrawlParams { limit: Some(15), ..server.params() };
    let second = crawl_from(&more, start.clone(), Memory::none()).await.expect("a crawl");
    assert_eq!(second.summary.pages, 5);
    let rest = crawl_from(&server.params(), start, Memory::none()).await.expect("a crawl");
    assert_eq!(rest.summary.pages + 10, 32);
}

/// What a store would hold as waiting after these visits.
fn left(visits: &[crate::crawl::Visit]) -> Vec<QueueEntry> {
    let done: Vec<&str> = visits.iter().map(|v| v.entry.url.as_str()).collect();
    visits.iter().flat_map(|v| &v.discovered).filter(|e| !done.contains(&e.url.as_str())).cloned().collect()
}

#[tokio::test]
async fn a_stopped_crawl_returns_soon_and_goes_on_where_it_was() {
    let server = Server::start(|r| match wide(r) {
        Answer::Bytes(bytes) if r.path.starts_with("/p/2") => Answer::Late(Duration::from_millis(50), bytes),
        Answer::Bytes(bytes) => Answer::Bytes(bytes),
        other => other,
    })
    .await;
    let params = server.params();
    let (stop, progress) = (Stop::new(), CrawlProgress::default());
    let (sender, mut receiver) = tokio::sync::mpsc::channel(1);
    let start = Start { queue: vec![entrance(&params.site)], ..Start::default() };
    let switch = stop.clone();
    let collect = async move {
        let mut visits = Vec::new();
        while let Some(visit) = receiver.recv().await {
            visits.push(visit);
            if visits.len() == 12 {
                switch.now();
            }
        }
        visits
    };
    let began = tokio::time::Instant::now();
    let (summary, visits) = tokio::join!(run(&params, start, Memory::none(), sender, &progress, stop), collect);
    let summary = summary.expect("a crawl");
    assert!(began.elapsed() < Duration::from_secs(4));
    assert_eq!(summary.ending, Ending::Stopped);
    let queue = left(&visits);
    assert!(!queue.is_empty());

    let seen = visits.iter().map(|v| v.entry.url.clone()).collect();
    let rest = crawl_from(&params, Start { queue, seen, pages_so_far: 0 }, Memory::none()).await.expect("a crawl");
    let mut all: Vec<String> = visits.iter().chain(&rest.visits).map(|v| path(&v.entry.url)).collect();
    all.sort();
    let count = all.len();
    all.dedup();
    assert_eq!((all.len(), count), (32, 32), "each entry once");
}

#[tokio::test]
async fn a_slow_consumer_loses_nothing() {
    let server = Server::start(wide).await;
    let params = CrawlParams { concurrency: 8, ..server.params() };
    let (sender, mut receiver) = tokio::sync::mpsc::channel::<crate::crawl::Visit>(1);
    let progress = CrawlProgress::default();
    let start = Start { queue: vec![entrance(&params.site)], ..Start::default() };
    let collect = async move {
        let mut count = 0;
        while let Some(visit) = receiver.recv().await {
            tokio::time::sleep(Duration::from_millis(10)).await;
            count += usize::from(matches!(visit.outcome, Outcome::Page(..)));
        }
        count
    };
    let (summary, count) = tokio::join!(run(&params, start, Memory::none(), sender, &progress, Stop::new()), collect);
    assert_eq!((summary.expect("a crawl").pages, count), (32, 32));
}

#[tokio::test]
async fn unchanged_pages_are_not_sent_again_and_their_links_count() {
    let server = Server::start(|r| match r.path.as_str() {
        "/" if r.head.contains("if-none-match: \"a1\"") => reply(304, &[], b""),
        "/stay" if r.head.contains("if-modified-since: mon, 03 mar") => reply(304, &[], b""),
        "/lost" if r.head.contains("if-none-match") => reply(304, &[], b""),
        "/gone" => missing(),
        other => linking(other, &[]),
    })
    .await;
    let known = |path: &str, links: &str| Page {
        url: server.url(path),
        status: 200,
        headers: vec![("content-type".into(), "text/html".into())],
        body: links.as_bytes().to_vec(),
        depth: 0,
        fetched_at: 0,
    };
    let pages = [known("/", "<a href=/stay>s</a>"), known("/stay", "<a href=/new>n</a>"), known("/gone", "x")];
    let tags = [("/", "\"a1\"", ""), ("/stay", "", "Mon, 03 Mar 2031 10:00:00 GMT"), ("/lost", "\"l\"", "")];
    let tag = |url: &str| tags.iter().find(|(p, ..)| server.url(p) == url).copied();
    let some = |text: &str| (!text.is_empty()).then(|| text.to_owned());
    let memory = Memory {
        validators: Box::new(move |url| tag(url).map(|(_, e, m)| Validators { etag: some(e), last_modified: some(m) })),
        stored: Box::new(|url| pages.iter().find(|p| p.url == url).cloned()),
    };
    let entry =
        |path: &str, depth| QueueEntry { url: server.url(path), depth, hops: 0, source: Source::Known, referrer: None };
    let queue = vec![entry("/", 0), entry("/stay", 1), entry("/gone", 1), entry("/lost", 1)];
    let crawled = crawl_from(&server.params(), Start { queue, ..Start::default() }, memory).await.expect("a crawl");
    let summary = &crawled.summary;
    assert_eq!((summary.not_modified, summary.pages, summary.gone), (2, 2, 1));
    assert_eq!(crawled.pages(), ["/", "/lost", "/new", "/stay"]);
    assert_eq!(crawled.fate("/gone"), Some(&Fate::Gone { status: 404 }));
    assert_eq!(server.count("/lost"), 2, "a page that is not stored after all is fetched");
}

#[tokio::test]
async fn filters_choose_what_is_asked_for() {
    let server = Server::start(|r| match r.path.as_str() {
        "/" => linking("start", &["/news/1", "/news/2", "/shop/1"]),
        other => linking(other, &[]),
    })
    .await;
    let filter = Filter::new(&["/news/*"], &["re:2$"]).expect("patterns");
    let crawled = crawl(&CrawlParams { filter, ..server.params() }).await;
    assert_eq!(crawled.pages(), ["/", "/news/1"]);
}

#[tokio::test]
async fn agent_headers_and_cookies_are_sent() {
    let server = Server::start(|r| linking(&r.path.clone(), &[])).await;
    let params = CrawlParams {
        headers: vec![("X-Key".into(), "k1".into())],
        cookie: Some("a=1; b=2".into()),
        ..server.params()
    };
    crawl(&params).await;
    let log = server.log();
    let page = log.iter().find(|r| r.path == "/").expect("the entrance");
    for part in ["user-agent: wisdom/", "x-key: k1", "a=1", "b=2", "accept-encoding: gzip\r\n"] {
        assert!(page.head.contains(part), "{part} in {}", page.head);
    }
}

#[tokio::test]
async fn an_endless_calendar_and_growing_paths_end() {
    let server = Server::start(|r| {
        let number = |text: &str| text.rsplit('/').next().and_then(|n| n.parse::<u32>().ok()).unwrap_or(0);
        match r.path.as_str() {
            "/" => linking("start", &["/calendar/5", "/grow/", "/s?sid=1"]),
            p if p.starts_with("/calendar/") => {
                let n = number(p);
                let (next, last) = (format!("/calendar/{}", n + 1), format!("/calendar/{}", n.wrapping_sub(1)));
                html(&format!("Nothing on in month {n}<a href='{next}'>next</a><a href='{last}'>last</a>"))
            }
            p if p.starts_with("/grow/") => html("Words that stay<a href='grow/'>deeper</a>"),
            p if p.starts_with("/s?sid=") => {
                let n = p[7..].parse::<u32>().unwrap_or(0);
                html(&format!(
                    "Lamps for sale<a href='/s?sid={}'>again</a><a href='/s?sid={}'>and</a>",
                    n * 2,
                    n * 2 + 1
                ))
            }
            _ => missing(),
        }
    })
    .await;
    let crawled = crawl(&CrawlParams { depth: 1000, ..server.params() }).await;
    let count = |start: &str| server.paths().iter().filter(|p| p.starts_with(start)).count();
    assert!(count("/calendar/") < 30, "{}", count("/calendar/"));
    assert!(count("/grow/") < 5, "{}", count("/grow/"));
    assert!(count("/s?") < 6, "{}", count("/s?"));
    assert_eq!(crawled.pages().iter().filter(|p| p.starts_with("/s?")).count(), 1);
    assert!(crawled.summary.trapped > 0);
}

#[tokio::test]
async fn a_moved_or_missing_entrance_is_explained() {
    let server = Server::start(|r| match r.path.as_str() {
        "/away" => to("http://192.0.2.1/"),
        "/file" => reply(200, &["Content-Type: application/pdf"], b"%PDF-1.4"),
        _ => missing(),
    })
    .await;
    let trouble = async |path: &str| {
        let mut params = server.params();
        params.site = params.site.join(path).expect("a URL");
        crawl(&params).await.summary.entrance
    };
    assert_eq!(trouble("/away").await, Some(EntranceTrouble::MovedAway("http://192.0.2.1/".into())));
    assert_eq!(trouble("/file").await, Some(EntranceTrouble::NotHtml("application/pdf".into())));
    assert_eq!(trouble("/none").await, Some(EntranceTrouble::Gone(404)));
}
