//! `wisdom serve` and `wisdom crawl --serve`: what is answered, to whom, and what is refused.

use crate::run::{Disk, command};
use crate::site::{PATIENCE, Reply, Site, html};
use serde_json::Value;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// A server that is ended with the test.
struct Served {
    child: Child,
    port: u16,
}

impl Served {
    /// Starts a command that serves, and waits until it says where.
    fn start(command: &mut Command) -> Self {
        let mut child =
            command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped()).spawn().expect("it starts");
        let mut lines = BufReader::new(child.stderr.take().expect("stderr")).lines();
        let mut told = Vec::new();
        let port = loop {
            let line = lines.next().unwrap_or_else(|| panic!("it ended: {told:?}")).expect("a line");
            if let Some(port) = line.strip_prefix("serving http://127.0.0.1:").and_then(|rest| rest.strip_suffix('/')) {
                break port.parse().expect("a port");
            }
            told.push(line);
        };
        // What it says further is read, so that it does not wait for that.
        std::thread::spawn(move || lines.for_each(drop));
        Self { child, port }
    }

    fn of(disk: &Disk, more: &[&str]) -> Self {
        let store = disk.store();
        let args = ["serve", "--listen", "127.0.0.1:0", "--store", &*store.to_string_lossy()].map(str::to_owned);
        Self::start(&mut command(args.into_iter().chain(more.iter().map(|&arg| arg.to_owned()))))
    }

    /// Sends a request as written. Returns the head, in lower case, and the body.
    fn send(&self, request: &str) -> (String, String) {
        let mut stream = TcpStream::connect(("127.0.0.1", self.port)).expect("it listens");
        stream.set_read_timeout(Some(PATIENCE)).expect("a limit");
        stream.write_all(request.as_bytes()).expect("it reads");
        let mut bytes = Vec::new();
        stream.read_to_end(&mut bytes).expect("it answers");
        let text = String::from_utf8_lossy(&bytes).into_owned();
        let (head, body) = text.split_once("\r\n\r\n").unwrap_or((&text, ""));
        (head.to_lowercase(), body.to_owned())
    }

    fn ask(&self, method: &str, path: &str) -> (String, String) {
        self.send(&format!("{method} {path} HTTP/1.1\r\nHost: 127.0.0.1:{}\r\nConnection: close\r\n\r\n", self.port))
    }

    fn get(&self, path: &str) -> String {
        let (head, body) = self.ask("GET", path);
        assert!(head.starts_with("http/1.1 200"), "{path}: {head}\n{body}");
        body
    }

    fn json(&self, path: &str) -> Value {
        serde_json::from_str(&self.get(path)).expect("JSON")
    }

    fn status(&self, method: &str, path: &str) -> u16 {
        let (head, _) = self.ask(method, path);
        head.split(' ').nth(1).and_then(|status| status.parse().ok()).expect("a status")
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn crawled() -> (Site, Disk, String) {
    let site = Site::of(&[("/", &["/a", "/b", "/c"]), ("/a", &["/"]), ("/b", &["/"]), ("/c", &["/"])]);
    let disk = Disk::new();
    disk.crawl(&site.url("/"), &[]).code(0);
    let key = format!("127.0.0.1_{}", site.port());
    (site, disk, key)
}

#[test]
fn pages_are_those_of_the_report_and_json_says_the_same() {
    let (site, disk, key) = crawled();
    let served = Served::of(&disk, &[]);
    assert!(served.get("/").contains(&format!("href=\"sites/{key}/index.html\"")));
    for file in ["index.html", "pages.html", "terms.html", "template.html", "rules.html"] {
        assert!(served.get(&format!("/sites/{key}/{file}")).contains("aria-current=\"page\""), "{file}");
    }
    assert_eq!(served.json("/api/sites")[0]["site"], key);
    let counts = served.json(&format!("/api/sites/{key}"));
    assert_eq!((&counts["pages"], &counts["live"], &counts["queued"]), (&4.into(), &false.into(), &0.into()));

    let list = served.json(&format!("/api/sites/{key}/documents"));
    assert_eq!((&list["total"], list["documents"].as_array().map(Vec::len)), (&4.into(), Some(4)));
    let part = served.json(&format!("/api/sites/{key}/documents?offset=1&limit=2"));
    assert_eq!(part["documents"].as_array().expect("a list")[..], list["documents"].as_array().expect("a list")[1..3]);
    let beyond = served.json(&format!("/api/sites/{key}/documents?offset=18446744073709551615&limit=200"));
    assert_eq!(beyond["documents"].as_array().map(Vec::len), Some(0));
    for bad in ["limit=0", "limit=201", "limit=x", "offset=-1", "sort=url"] {
        assert_eq!(served.status("GET", &format!("/api/sites/{key}/documents?{bad}")), 400, "{bad}");
    }

    let one = list["documents"]
        .as_array()
        .expect("a list")
        .iter()
        .find(|one| one["url"] == site.url("/a"))
        .expect("the page");
    let id = one["id"].as_str().expect("an id");
    let document = served.json(&format!("/api/sites/{key}/documents/{id}"));
    assert_eq!((&document["url"], &document["id"]), (&site.url("/a").into(), &id.into()));
    let why = served.json(&format!("/api/sites/{key}/documents/{id}/blocks"));
    let reason = why["blocks"][0]["reason"].as_str().expect("a reason").to_owned();
    assert!(reason.starts_with("page 0."), "{why}");
    assert!(served.get(&format!("/sites/{key}/pages/{id}.html")).contains(&reason));
    assert_eq!(served.json(&format!("/api/sites/{key}/rules"))["format"], "wisdom-rules-1");
    let description = served.json("/openapi.json");
    assert_eq!(description["openapi"], "3.1.0");
    let described: Vec<String> = description["paths"].as_object().expect("paths").keys().cloned().collect();
    for path in described {
        served.get(&path.replace("{site}", &key).replace("{id}", id));
    }

    // Between requests the store is free again: other commands work.
    let begun = Instant::now();
    while disk.run("verify", &[]).code != Some(0) {
        assert!(begun.elapsed() < PATIENCE, "the site is let go of");
        std::thread::sleep(Duration::from_millis(50));
    }
    served.get(&format!("/sites/{key}/index.html"));
    drop(served);
    assert_eq!(disk.run("verify", &[]).code(0).out.lines().count(), 1);
}

#[test]
fn nothing_is_written_and_strangers_are_refused() {
    let (_site, disk, key) = crawled();
    let served = Served::of(&disk, &["--host", "Box.lan"]);
    for method in ["POST", "PUT", "DELETE", "PATCH", "OPTIONS", "TRACE", "BREW"] {
        let (head, _) = served.ask(method, &format!("/api/sites/{key}"));
        assert!(head.starts_with("http/1.1 405") && head.contains("allow: get, head"), "{method}: {head}");
    }
    let (head, body) = served.ask("HEAD", "/");
    assert!(head.starts_with("http/1.1 200") && body.is_empty(), "{head}");

    let port = served.port;
    let named = |host: &str| served.send(&format!("GET / HTTP/1.1\r\n{host}Connection: close\r\n\r\n")).0;
    for host in [
        format!("Host: localhost:{port}\r\n"),
        "Host: localhost:1\r\n".to_owned(),
        format!("Host: [::1]:{port}\r\n"),
        format!("Host: box.LAN:{port}\r\n"),
    ] {
        assert!(named(&host).starts_with("http/1.1 200"), "{host}");
    }
    for host in [
        format!("Host: evil.example:{port}\r\n"),
        format!("Host: localhost.evil.example:{port}\r\n"),
        format!("Host: 127.0.0.1:{port}\r\nHost: evil.example:{port}\r\n"),
        String::new(),
    ] {
        let head = named(&host);
        assert!(head.starts_with("http/1.1 421") || head.starts_with("http/1.1 400"), "{host}: {head}");
    }

    for path in ["/", &format!("/sites/{key}/index.html"), "/api/sites", "/openapi.json", "/nowhere", "/api/nowhere"] {
        let (head, _) = served.ask("GET", path);
        for header in [
            "content-security-policy: default-src 'none'",
            "frame-ancestors 'none'",
            "x-content-type-options: nosniff",
            "referrer-policy: no-referrer",
        ] {
            assert!(head.contains(header), "{path}: {header}: {head}");
        }
        assert!(!head.contains("access-control"), "{head}");
    }

    for path in [
        "/sites/../../etc/passwd".to_owned(),
        "/sites/..%2f..%2fetc/passwd".to_owned(),
        format!("/sites/{key}/..%2f..%2flock"),
        format!("/sites/{key}/%2e%2e%2fsite.json"),
        format!("/sites/{key}/pages/..%2f..%2fsite.json"),
        format!("/sites/{key}/site.json"),
        format!("/sites/{key}/pages/00000.warc.gz"),
        format!("/sites/{key}%00/index.html"),
        "/sites/./index.html".to_owned(),
        "/sites/%2e%2e/index.html".to_owned(),
        format!("/api/sites/..%2f{key}"),
        format!("/api/sites/{key}/documents/..%2f..%2fsite.json"),
        format!("/api/sites/{key}/documents/{}", "0".repeat(32)),
        "/api/sites/no.example".to_owned(),
    ] {
        assert_eq!(served.status("GET", &path), 404, "{path}");
    }
}

#[test]
fn ctrl_c_ends_it_and_a_taken_port_is_told() {
    let (_site, disk, _) = crawled();
    let mut served = Served::of(&disk, &[]);
    let taken = format!("127.0.0.1:{}", served.port);
    disk.run("serve", &["--listen", &taken]).refuses(&["cannot listen on", &taken]);
    disk.run("serve", &["--site", "no.example"]).refuses(&["no.example"]);
    served.get("/");
    let sent = Command::new("kill").args(["-INT", &served.child.id().to_string()]).status().expect("kill runs");
    assert!(sent.success());
    let begun = Instant::now();
    let ended = loop {
        if let Some(status) = served.child.try_wait().expect("it can be waited for") {
            break status;
        }
        assert!(begun.elapsed() < PATIENCE, "it ends");
        std::thread::sleep(Duration::from_millis(5));
    };
    assert_eq!(ended.code(), Some(0));
}

/// While a crawl runs it shows what it has; another process is told that the site is in use.
#[test]
fn a_running_crawl_shows_itself() {
    let site = Site::of(&[("/", &["/a", "/b", "/late"])]);
    site.set("/a", Reply::html(html("/a", &["/"])));
    site.set("/b", Reply::html(html("/b", &["/"])));
    site.set("/late", Reply::hang());
    let disk = Disk::new();
    let (store, url) = (disk.store(), site.url("/"));
    let args =
        ["crawl", "--serve", "127.0.0.1:0", "--site", &url, "--timeout", "60", "--store", &*store.to_string_lossy()];
    let served = Served::start(&mut command(args));
    let key = format!("127.0.0.1_{}", site.port());
    let begun = Instant::now();
    let counts = loop {
        let (head, body) = served.ask("GET", &format!("/api/sites/{key}"));
        let counts: Value = serde_json::from_str(&body).expect("JSON");
        if head.starts_with("http/1.1 200") && counts["pages"] == 3 {
            break counts;
        }
        assert!(begun.elapsed() < PATIENCE, "pages come in: {head} {body}");
        std::thread::sleep(Duration::from_millis(50));
    };
    assert_eq!((&counts["live"], &counts["unmined"]), (&true.into(), &3.into()));
    let overview = served.get(&format!("/sites/{key}/index.html"));
    assert!(overview.contains("A crawl is running") && overview.contains("data-live"), "{overview}");
    let list = served.json(&format!("/api/sites/{key}/documents"));
    let id = list["documents"][0]["id"].as_str().expect("an id").to_owned();
    let page = served.get(&format!("/sites/{key}/pages/{id}.html"));
    assert!(page.contains("Coverage tree") && page.contains("not mined"), "{page}");
    assert!(served.get(&format!("/sites/{key}/rules.html")).contains("still being crawled"));

    let other = Served::of(&disk, &[]);
    assert_eq!(other.status("GET", &format!("/sites/{key}/index.html")), 503);
    assert_eq!(other.status("GET", &format!("/api/sites/{key}")), 503);
    // So is who wants a report.
    let out = disk.path("report");
    disk.run("report", &["--out", &out.to_string_lossy()]).refuses(&["in use by another wisdom process", "wait until"]);
    assert!(!out.exists());
}
