//! Export in every format, of changes only, interrupted, and to a server.

use crate::run::{Disk, entries};
use crate::site::{Reply, Site, html};
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::path::Path;
use std::sync::{Arc, Mutex};

fn demo() -> Disk {
    let disk = Disk::new();
    disk.run("demo", &["--quiet"]).code(0);
    disk
}

fn text(path: &Path) -> &str {
    path.to_str().expect("a path of text")
}

fn objects(lines: &str) -> Vec<Value> {
    assert!(lines.is_empty() || lines.ends_with('\n'));
    lines.lines().map(|line| serde_json::from_str(line).expect("a JSON object a line")).collect()
}

fn read(path: &Path) -> String {
    std::fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

fn names(dir: &Path) -> Vec<String> {
    entries(dir).iter().map(|path| path.file_name().unwrap_or_default().to_string_lossy().into_owned()).collect()
}

#[test]
fn the_demo_leaves_in_every_format() {
    let disk = demo();
    let documents = disk.export();
    let count = documents.len();
    let ids: BTreeSet<&str> = documents.values().filter_map(|document| document["id"].as_str()).collect();
    assert!(count > 30 && ids.len() == count);

    // Bodies for one request, and in parts: the same lines.
    let bulk = disk.run("export", &["--format", "opensearch", "--index", "pages"]).code(0).out;
    let lines = objects(&bulk);
    assert_eq!(lines.len(), count * 2);
    for pair in lines.chunks(2) {
        assert_eq!(pair[0]["index"]["_index"], "pages");
        assert_eq!(pair[0]["index"]["_id"], pair[1]["id"]);
        assert!(pair[1].get("blocks").is_none() && pair[1]["text"].is_string());
    }
    let folder = format!("{}/", text(&disk.path("bulk")));
    disk.run("export", &["--format", "opensearch", "--index", "pages", "--out", &folder]).code(0).says(&["parts: 1"]);
    assert_eq!(names(&disk.path("bulk")), ["part-00001.ndjson"]);
    assert_eq!(read(&disk.path("bulk/part-00001.ndjson")), bulk);

    for format in ["meilisearch", "typesense"] {
        let lines = objects(&disk.run("export", &["--format", format, "--fields", "title"]).code(0).out);
        assert!(lines.iter().all(|line| ids.contains(line["id"].as_str().unwrap_or_default())), "{format}");
        assert_eq!(lines.len(), count);
    }
    let lines = objects(&disk.run("export", &["--format", "vespa", "--vespa-type", "news:story"]).code(0).out);
    assert!(lines.iter().all(|line| line["put"].as_str().is_some_and(|id| id.starts_with("id:news:story::"))));
    assert!(lines.iter().all(|line| line["fields"]["url"].is_string()));

    let rows = disk.run("export", &["--format", "csv", "--fields", "url,depth"]).code(0).out;
    assert_eq!(rows.split("\r\n").count(), count + 2);
    assert!(rows.starts_with("url,depth\r\nhttp://127.0.0.1:"), "{rows}");

    let out = disk.path("out.warc.gz");
    disk.run("export", &["--format", "warc", "--out", text(&out)]).code(0);
    let again = Disk::new();
    again.run("import", &[text(&out)]).code(0);
    assert_eq!(again.digest(), disk.digest(), "the pages make the same model");

    let sitemap = disk.run("export", &["--format", "sitemap"]).code(0).out;
    let listed = documents.values().filter(|document| document["page_type"] != "other" && document["text"] != "");
    assert_eq!(sitemap.matches("<loc>").count(), listed.filter(|d| d["duplicate_of"].is_null()).count());
}

#[test]
fn passages_put_together_are_the_texts() {
    let disk = demo();
    let documents = disk.export();
    let lines = objects(&disk.run("export", &["--format", "chunks", "--chunk-tokens", "60"]).code(0).out);
    let (mut many, mut headed) = (0, 0);
    for document in documents.values() {
        let passages: Vec<&Value> = lines.iter().filter(|line| line["document"] == document["id"]).collect();
        let texts: String = passages.iter().filter_map(|passage| passage["text"].as_str()).collect();
        assert_eq!(document["text"], texts);
        let all: Vec<char> = texts.chars().collect();
        for (number, passage) in passages.iter().enumerate() {
            assert_eq!(passage["number"], number);
            let at = |name: &str| usize::try_from(passage[name].as_u64().expect("a number")).expect("a place");
            assert_eq!(passage["text"], all[at("start")..at("end")].iter().collect::<String>());
            assert!(at("tokens") <= 60);
            let blocks: Vec<&Value> = document["blocks"].as_array().into_iter().flatten().map(|b| &b["path"]).collect();
            let own = passage["blocks"].as_array().expect("blocks");
            assert!(own.iter().all(|path| blocks.contains(&path)), "{passage}");
            headed += usize::from(passage["headings"] != json!([]));
        }
        if document["page_type"] == "article" {
            assert!(passages.iter().any(|passage| passage["blocks"] != json!([])), "{document}");
        }
        many += usize::from(passages.len() > 1);
    }
    assert!(many > 5 && headed > 5, "{many} {headed}");
}

#[test]
fn markdown_makes_a_file_a_page_and_leaves_other_folders_alone() {
    let disk = demo();
    let out = disk.path("pages");
    disk.run("export", &["--format", "markdown", "--out", text(&out)]).code(0).says(&["exported"]);
    let site = entries(&out).into_iter().find(|path| path.is_dir()).expect("the folder of the site");
    assert_eq!(names(&site).len(), disk.export().len());
    let front = names(&site).into_iter().find(|name| name.starts_with("index-")).expect("the front page");
    let page = read(&site.join(front));
    assert!(page.starts_with("---\nid: \"") && page.contains("\npage_type: \"toc\"\n"), "{page}");
    let own = disk.write("own/letter.txt", "dear");
    let dir = own.parent().expect("a folder");
    disk.run("export", &["--format", "markdown", "--out", text(dir)]).refuses(&["own", "name a new folder"]);
    assert_eq!(names(dir), ["letter.txt"]);
    disk.run("export", &["--format", "markdown"]).refuses(&["--out DIR"]);
}

#[test]
fn filters_and_fields() {
    let disk = demo();
    let documents = disk.export();
    let of = |args: &[&str]| objects(&disk.run("export", args).code(0).out).len();
    let having = |name: &str, value: &str| documents.values().filter(|document| document[name] == value).count();
    assert_eq!(of(&["--type", "article"]), having("page_type", "article"));
    assert_eq!(of(&["--type", "toc,other"]), documents.len() - having("page_type", "article"));
    assert!(having("lang", "zh") > 0);
    assert_eq!(of(&["--lang", "ZH"]), having("lang", "zh"));
    assert_eq!(of(&["--lang", "cmn,zh-TW"]), having("lang", "zh"));
    disk.run("export", &["--lang", "englisch"]).refuses(&["--lang englisch", "no language code"]);
    let archive = disk.archives().remove(0);
    disk.run("export", &["--out", text(&archive)]).refuses(&["is in the store"]);
    assert_eq!(of(&["--since", "2020-01-31"]), documents.len());
    assert_eq!(of(&["--since", "2999-01-31T00:00:00Z"]), 0);
    let lines = objects(&disk.run("export", &["--fields", "url,date,links"]).code(0).out);
    assert!(lines.iter().all(|line| line.as_object().is_some_and(|line| line.len() <= 3 && line.contains_key("url"))));
    assert!(lines.iter().any(|line| line.get("date").is_some()));
    disk.run("export", &["--fields", "url,titel"]).refuses(&["titel", "page_type"]);
    disk.run("export", &["--since", "yesterday"]).code(2);
    disk.run("export", &["--format", "warc", "--fields", "url"]).refuses(&["--fields has no effect", "jsonl"]);
    disk.run("export", &["--format", "csv", "--push", "http://127.0.0.1:9/x"]).refuses(&["opensearch"]);
    disk.run("export", &["--format", "sitemap", "--changed"]).refuses(&["--changed has no effect"]);
    disk.run("export", &["--format", "csv", "--changed"]).refuses(&["deletions", "--out FILE"]);
    disk.run("export", &["--format", "vespa", "--vespa-type", "a b"]).refuses(&["NAMESPACE:TYPE"]);
    disk.run("export", &["--format", "opensearch", "--push", "nowhere"]).refuses(&["no URL"]);
}

#[test]
fn only_changes_leave_and_deletions_with_them() {
    let site = Site::of(&[("/", &["/changes", "/goes", "/same"])]);
    for path in ["/changes", "/goes", "/same"] {
        site.page(path, &["/"]);
    }
    let disk = Disk::new();
    disk.crawl(&site.url("/"), &[]).code(0);
    let folder = disk.path("pages");
    let changed = |format: &str| disk.run("export", &["--format", format, "--changed"]).code(0).out;
    let update = || disk.run("export", &["--format", "markdown", "--changed", "--out", text(&folder)]).code(0);
    for format in ["jsonl", "opensearch", "vespa"] {
        assert!(changed(format).contains("/goes"), "the first export has all");
        assert_eq!(changed(format), "", "{format}: nothing has changed");
    }
    let feed = disk.path("feed.ndjson");
    let meilisearch = ["--format", "meilisearch", "--changed", "--out", text(&feed)];
    disk.run("export", &meilisearch).code(0).says(&["exported 4 documents, deleted 0, left 0 unchanged"]);
    update();
    let pages = |dir: &Path| names(&entries(dir).into_iter().find(|path| path.is_dir()).expect("a site")).len();
    assert_eq!(pages(&folder), 4);

    site.set("/changes", Reply::html(html("/changes", &["/"]).replace("beside the", "far from the")));
    site.set("/goes", Reply::new(404, "gone"));
    disk.crawl(&site.url("/"), &[]).code(0);
    let goes = site.url("/goes");
    let lines = objects(&changed("jsonl"));
    let urls: BTreeSet<&str> = lines.iter().filter_map(|line| line["url"].as_str()).collect();
    assert!(urls.contains(&*site.url("/changes")) && urls.contains(&*goes) && !urls.contains(&*site.url("/same")));
    let gone = lines.iter().find(|line| line["url"] == *goes).expect("the line of what is gone");
    assert_eq!(gone["deleted"], true);
    let id = gone["id"].as_str().expect("an id").to_owned();
    assert!(objects(&changed("opensearch")).contains(&json!({"delete": {"_id": id}})));
    assert!(objects(&changed("vespa")).contains(&json!({"remove": format!("id:wisdom:page::{id}")})));
    disk.run("export", &meilisearch).code(0).says(&["deleted 1", "feed.ndjson.deleted"]);
    assert_eq!(serde_json::from_str::<Value>(&read(&disk.path("feed.ndjson.deleted"))).expect("JSON"), json!([id]));
    update();
    assert_eq!(pages(&folder), 3);

    // The state outlives a model that is made anew, and filters take documents back.
    disk.run("rebuild", &[]).code(0);
    disk.run("mine", &[]).code(0);
    assert_eq!(changed("jsonl"), "");
    let lines = objects(&disk.run("export", &["--changed", "--lang", "xx"]).code(0).out);
    assert_eq!(lines.iter().filter(|line| line["deleted"] == true).count(), 3);
    assert_eq!(changed("jsonl").lines().count(), 3);
    // A file that somebody has deleted is written again.
    let of_site = entries(&folder).into_iter().find(|path| path.is_dir()).expect("a site");
    std::fs::remove_file(&entries(&of_site)[0]).expect("a file can be removed");
    update().says(&["exported 1 document, deleted 0, left 2 unchanged"]);
    assert_eq!(pages(&folder), 3);
    // A folder that is gone is made anew.
    std::fs::remove_dir_all(&folder).expect("the folder can be removed");
    update();
    assert_eq!(pages(&folder), 3);
    // A whole export with another filter leaves other files there, and that is what the next changes begin from.
    disk.run("export", &["--format", "markdown", "--lang", "xx", "--out", text(&folder)]).code(0);
    assert_eq!(pages(&folder), 0);
    update();
    assert_eq!(pages(&folder), 3);
}

#[test]
fn an_interrupted_export_leaves_what_was_there() {
    let disk = Disk::new();
    let lines: Vec<String> = (0..500)
        .map(|n| json!({"url": format!("http://h.example/{n}"), "html": html(&n.to_string(), &["/1"])}).to_string())
        .collect();
    let list = disk.write("list.jsonl", lines.join("\n"));
    disk.run("import", &[text(&list)]).code(0);
    for (format, name) in [("jsonl", "out.jsonl"), ("markdown", "out")] {
        let (out, part) = (disk.path(name), disk.path(&format!("{name}.part")));
        let args = ["--format", format, "--changed", "--out", text(&out)];
        let running = disk.start("export", &args);
        while !part.exists() {
            assert!(!out.exists(), "{format} was done before it could be interrupted");
            std::thread::sleep(std::time::Duration::from_millis(1));
        }
        running.kill();
        assert!(!out.exists(), "{format}: half an export under the final name");
        // Nothing counts as sent, and what was left is in no one's way.
        disk.run("export", &args).code(0).says(&["exported 500 documents", "left 0 unchanged"]);
        assert!(out.exists() && !part.exists());
    }
    let urls: BTreeSet<String> =
        objects(&read(&disk.path("out.jsonl"))).iter().map(|line| line["url"].to_string()).collect();
    assert_eq!(urls.len(), 500);
}

#[test]
fn what_a_broken_pipe_may_have_got_is_taken_back() {
    let disk = demo();
    let documents = disk.export();
    let store = disk.store();
    let mut command =
        crate::run::command(["export", "--changed", "--quiet", "--store", text(&store)].iter().map(Path::new));
    let mut child = command.stdout(std::process::Stdio::piped()).spawn().expect("the binary");
    let mut reader = BufReader::new(child.stdout.take().expect("its output"));
    let mut first = String::new();
    reader.read_line(&mut first).expect("a line");
    drop(reader);
    child.wait().expect("an end");
    let notes = names(&store.join(".exports")).join(" ");
    assert!(notes.contains(".sent") && !notes.contains(".state "), "all documents fit into the pipe: {notes}");
    let got: Value = serde_json::from_str(&first).expect("a document");
    // Of what may have been sent, what the next export does not want is taken back, and the rest is sent again.
    let other = if got["page_type"] == "toc" { "article" } else { "toc" };
    let lines = objects(&disk.run("export", &["--changed", "--type", other]).code(0).out);
    let (gone, sent): (Vec<&Value>, Vec<&Value>) = lines.iter().partition(|line| line["deleted"] == true);
    assert!(gone.iter().any(|line| line["id"] == got["id"]), "{gone:?}");
    assert_eq!(sent.len(), documents.values().filter(|document| document["page_type"] == other).count());
    assert_eq!(objects(&disk.run("export", &["--changed", "--type", other]).code(0).out), [Value::Null; 0]);
}

/// A server that takes `_bulk` requests and rejects documents whose URL ends in what `reject` holds.
fn bulk_server(reject: Arc<Mutex<String>>) -> (String, Arc<Mutex<Vec<Value>>>) {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let url = format!("http://user:secret@{}/pages", listener.local_addr().expect("an address"));
    let seen = Arc::new(Mutex::new(Vec::new()));
    let log = Arc::clone(&seen);
    std::thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            let reject = reject.lock().expect("the word").clone();
            answer(&stream, &reject, &mut log.lock().expect("the log"));
        }
    });
    (url, seen)
}

fn answer(stream: &TcpStream, reject: &str, log: &mut Vec<Value>) {
    let mut reader = BufReader::new(stream);
    let mut head = String::new();
    while !head.ends_with("\r\n\r\n") {
        if reader.read_line(&mut head).expect("a head") == 0 {
            return;
        }
    }
    let lower = head.to_ascii_lowercase();
    assert!(lower.starts_with("post /pages/_bulk ") && lower.contains("authorization: basic "), "{head}");
    let length = lower.split("content-length: ").nth(1).and_then(|rest| rest.lines().next()?.parse().ok());
    let mut body = vec![0; length.expect("a length")];
    reader.read_exact(&mut body).expect("a body");
    let lines = objects(&String::from_utf8(body).expect("text"));
    let mut items = Vec::new();
    let mut lines = lines.into_iter();
    while let Some(action) = lines.next() {
        if action.get("delete").is_some() {
            items.push(json!({"delete": {"_id": action["delete"]["_id"], "status": 200}}));
            log.push(action);
            continue;
        }
        let source = lines.next().expect("a source");
        let status = if source["url"].as_str().is_some_and(|url| url.ends_with(reject)) { 400 } else { 201 };
        items.push(json!({"index": {"_id": source["id"], "status": status, "error": {"reason": "no\u{1b}[2J date"}}}));
        log.push(source);
    }
    let answer = json!({"errors": true, "items": items}).to_string();
    let mut out = stream;
    // A client that goes away is no fault of the server.
    let _ = write!(out, "HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: {}\r\n\r\n{answer}", answer.len());
}

#[test]
fn what_a_server_rejects_is_told_and_tried_again() {
    let site = Site::of(&[("/", &["/a", "/b"]), ("/a", &["/"]), ("/b", &["/"])]);
    let disk = Disk::new();
    disk.crawl(&site.url("/"), &[]).code(0);
    let reject = Arc::new(Mutex::new("/b".to_owned()));
    let (url, seen) = bulk_server(Arc::clone(&reject));
    let push = || disk.run("export", &["--format", "opensearch", "--changed", "--push", &url]);
    let rejected = format!("rejected: {}: 400: no [2J date", site.url("/b"));
    let ran = push().code(1).says(&["exported 2 documents", "rejected: 1 document in all", "/pages"]);
    assert!(ran.err.replace("  ", " ").contains(&rejected), "{}", ran.err);
    assert!(!ran.err.contains("secret") && !ran.err.contains('\u{1b}'), "{}", ran.err);
    assert_eq!(std::mem::take(&mut *seen.lock().expect("the log")).len(), 3);
    "nothing".clone_into(&mut reject.lock().expect("the word"));
    push().code(0).says(&["exported 1 document, deleted 0, left 2 unchanged"]);
    assert_eq!(seen.lock().expect("the log")[0]["url"], site.url("/b"));
    site.set("/a", Reply::new(404, "gone"));
    disk.crawl(&site.url("/"), &[]).code(0);
    push().code(0).says(&["deleted 1"]);
    assert!(seen.lock().expect("the log").iter().any(|line| line.get("delete").is_some()));
}
