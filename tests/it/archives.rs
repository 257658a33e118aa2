//! Import from every kind of input, and export.

use crate::run::{Disk, command, documents};
use crate::site::{Reply, Site, html, prose};
use serde_json::json;
use std::io::{BufRead, BufReader, Read};
use std::path::Path;
use std::process::Stdio;

fn text(path: &Path) -> &str {
    path.to_str().expect("a path in UTF-8")
}

/// A small site with pages in two charsets, a redirect and a missing page.
fn small_site() -> Site {
    let site =
        Site::of(&[("/", &["/a/", "/a/b.html", "/gbk", "/r", "/missing"]), ("/a/", &["/"]), ("/a/b.html", &["/a/"])]);
    let (gbk, _, _) =
        encoding_rs::GBK.encode("<title>港口</title><p>港口的灯塔照亮了归来的渔船。</p><a href='/'>首页</a>");
    site.set("/gbk", Reply::new(200, gbk.into_owned()).header("Content-Type", "text/html; charset=gbk"));
    site.set("/r", Reply::to("/a/"));
    site
}

#[test]
fn an_archive_of_a_crawl_gives_the_same_export_and_the_same_model() {
    let (site, crawled, imported) = (small_site(), Disk::new(), Disk::new());
    crawled.crawl(&site.url("/"), &[]).code(0);
    let archives = crawled.archives();
    assert!(!archives.is_empty());
    let paths: Vec<&str> = archives.iter().map(|path| text(path)).collect();
    imported.run("import", &paths).code(0).says(&["imported 4 pages"]);
    imported.run("mine", &[]).code(0);
    assert_eq!(imported.digest(), crawled.digest());
    let export = crawled.run("export", &[]).code(0).out;
    assert_eq!(documents(&export).len(), 4);
    assert_eq!(imported.run("export", &[]).code(0).out, export);
}

#[test]
fn an_import_done_twice_counts_each_page_once() {
    let (site, crawled, imported) = (small_site(), Disk::new(), Disk::new());
    crawled.crawl(&site.url("/"), &["--no-mine"]).code(0);
    let archives = crawled.archives();
    let paths: Vec<&str> = archives.iter().map(|path| text(path)).collect();
    imported.run("import", &paths).code(0);
    imported.run("import", &paths).code(0);
    assert_eq!(imported.digest(), crawled.digest());
}

#[test]
fn a_mirror_directory_is_imported_under_its_url() {
    let disk = Disk::new();
    for (file, links) in [("index.html", &["/news/a.html"][..]), ("news/a.html", &["/"]), ("news/index.html", &[])] {
        disk.write(&format!("mirror/{file}"), html(file, links));
    }
    disk.write("mirror/style.css", "p { color: red }");
    let mirror = disk.path("mirror");
    disk.run("import", &["--site", "https://h.example/", text(&mirror)])
        .code(0)
        .says(&["imported 3 pages", "1 passed over"]);
    assert_eq!(disk.pages(), ["/", "/news/", "/news/a.html"]);
    assert_eq!(disk.export()["/"]["site"], "h.example");
    disk.digest();
    let without = Disk::new();
    without.run("import", &[text(&mirror)]).refuses(&[text(&mirror), "--site URL"]);
}

#[test]
fn json_lines_hold_pages_or_name_files() {
    let disk = Disk::new();
    disk.write("pages/b.html", html("/b", &[]));
    let lines = [
        json!({"url": "http://h.example/a", "html": html("/a", &["/b"])}),
        json!({"url": "http://h.example/b", "file": "pages/b.html", "fetched_at": "2020-02-03T04:05:06Z"}),
        json!({"url": "http://h.example/gone", "html": "x", "status": 404}),
        json!({"url": "http://other.example/", "html": html("/other", &[])}),
    ];
    let lines: Vec<String> = lines.iter().map(ToString::to_string).collect();
    let list = disk.write("list.jsonl", lines.join("\n"));
    disk.run("import", &[text(&list)]).code(0).says(&["imported 3 pages"]);
    let site = disk.run("export", &["--site", "h.example"]).code(0);
    let found = documents(&site.out);
    assert_eq!(found.keys().collect::<Vec<_>>(), ["/a", "/b"]);
    assert_eq!(found["/b"]["fetched_at"], "2020-02-03T04:05:06Z");
    assert_eq!(found["/b"]["title"], "Page /b");

    let only = Disk::new();
    only.run("import", &["--site", "http://other.example/", text(&list)]).code(0);
    assert_eq!(documents(&only.run("export", &[]).code(0).out).len(), 1);
}

#[test]
fn a_broken_line_is_told_and_the_others_are_imported() {
    let disk = Disk::new();
    let good = json!({"url": "http://h.example/a", "html": html("/a", &[])});
    let lost = json!({"url": "http://h.example/b", "file": "nowhere.html"});
    let last = json!({"url": "http://h.example/c", "html": html("/c", &[])});
    let list = disk.write("list.jsonl", format!("{good}\n{{\"url\": \n{lost}\n{last}\n"));
    let ran = disk.run("import", &[text(&list)]).code(1);
    ran.says(&["list.jsonl: line 2 ", "list.jsonl: line 3 ", "nowhere.html", "imported 2 pages"]);
    assert_eq!(disk.pages(), ["/a", "/c"]);
}

#[test]
fn a_torn_archive_gives_its_whole_records() {
    let (site, crawled, imported) = (small_site(), Disk::new(), Disk::new());
    crawled.crawl(&site.url("/"), &["--no-mine"]).code(0);
    let archive = crawled.archives().remove(0);
    let bytes = std::fs::read(archive).expect("the archive");
    let torn = imported.write("torn.warc.gz", &bytes[..bytes.len() - 60]);
    imported.run("import", &[text(&torn)]).code(1).says(&["torn.warc.gz"]);
    assert!(imported.pages().len() >= 2);
    imported.digest();
}

#[test]
fn inputs_that_cannot_be_read_are_named() {
    let disk = Disk::new();
    disk.run("import", &["no-such-file.warc"]).refuses(&["no-such-file.warc", "does not exist"]);
    assert!(!disk.store().exists(), "nothing was made");
    let picture = disk.write("picture.png", b"\x89PNG\r\n\x1a\n");
    disk.run("import", &[text(&picture)]).refuses(&["picture.png", ".jsonl"]);
    let nothing =
        disk.write("nothing.jsonl", json!({"url": "http://h.example/a.png", "html": "\u{0}\u{1}"}).to_string());
    disk.run("import", &[text(&nothing)]).refuses(&["no page was imported"]);
}

#[test]
fn export_writes_a_file_or_stdout_the_same_bytes_each_time() {
    let (site, disk) = (small_site(), Disk::new());
    disk.crawl(&site.url("/"), &[]).code(0);
    let export = disk.run("export", &["--format", "jsonl"]).code(0).out;
    let out = disk.path("documents.jsonl");
    disk.run("export", &["--out", text(&out)]).code(0).says(&["exported 4 documents", text(&out)]);
    assert_eq!(std::fs::read_to_string(&out).expect("the export"), export);
    assert!(!disk.path("documents.jsonl.part").exists());
    let again = disk.run("export", &["--site", &site.url("/")]).code(0).out;
    assert_eq!(again, export);

    // One thread gives what many give.
    let mut alone = command(["mine", "--store", text(&disk.store())]);
    assert!(alone.env("RAYON_NUM_THREADS", "1").output().expect("the binary runs").status.success());
    assert_eq!(disk.run("export", &[]).code(0).out, export);
}

#[test]
fn documents_have_the_fields_of_the_contract() {
    let (site, disk) = (small_site(), Disk::new());
    disk.crawl(&site.url("/"), &[]).code(0);
    let documents = disk.export();
    let front = &documents["/"];
    let fields = [
        "url",
        "final_url",
        "site",
        "fetched_at",
        "status",
        "depth",
        "title",
        "lang",
        "charset",
        "page_type",
        "article",
        "toc",
        "blocks",
        "records",
        "method",
        "warnings",
    ];
    for field in fields {
        assert!(front.get(field).is_some(), "{field} is missing in {front:#}");
    }
    assert_eq!(front["url"], site.url("/"));
    assert_eq!(front["site"], format!("127.0.0.1_{}", site.port()));
    assert_eq!(front["status"], 200);
    assert_eq!(front["lang"], "en");
    assert_eq!(documents["/gbk"]["lang"], "zh");
    assert!(["article", "toc", "other"].contains(&front["page_type"].as_str().unwrap_or_default()));
    let article = documents["/a/b.html"]["article"]["text"].as_str().unwrap_or_default();
    assert!(article.contains(&prose("/a/b.html")), "{article}");
}

#[test]
fn characters_that_end_lines_elsewhere_are_escaped() {
    let disk = Disk::new();
    let page = html("/a", &[]).replace("beside the", "beside\u{2028}the\u{2029}big\u{85}old\u{7f}");
    let list = disk.write("list.jsonl", json!({"url": "http://h.example/a", "html": page}).to_string());
    disk.run("import", &[text(&list)]).code(0);
    disk.run("mine", &[]).code(0);
    let out = disk.run("export", &[]).code(0).out;
    assert!(!out.contains(['\u{2028}', '\u{2029}', '\u{85}', '\u{7f}']), "{out}");
    assert_eq!(out.lines().count(), 1);
    assert_eq!(documents(&out).len(), 1);
}

#[test]
fn a_reader_that_has_enough_is_no_fault() {
    let disk = Disk::new();
    let lines: Vec<String> = (0..150)
        .map(|n| json!({"url": format!("http://h.example/{n}"), "html": html(&n.to_string(), &["/1"])}).to_string())
        .collect();
    let list = disk.write("list.jsonl", lines.join("\n"));
    disk.run("import", &[text(&list)]).code(0);
    disk.run("mine", &[]).code(0);
    let mut export = command(["export", "--store", text(&disk.store())]);
    let mut child = export.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("the binary starts");
    let mut reader = BufReader::new(child.stdout.take().expect("stdout is caught"));
    let mut line = String::new();
    reader.read_line(&mut line).expect("a first line");
    assert_eq!(documents(&line).len(), 1);
    drop(reader);
    let mut said = String::new();
    child.stderr.take().expect("stderr is caught").read_to_string(&mut said).expect("text");
    let status = child.wait().expect("the end");
    assert!(status.success(), "{status}: {said}");
    assert_eq!(said, "");
}

#[test]
fn an_export_to_where_nothing_can_be_written_is_told() {
    let (site, disk) = (small_site(), Disk::new());
    disk.crawl(&site.url("/"), &["--no-mine"]).code(0);
    disk.run("export", &["--out", "/proc/no/such/out.jsonl"]).refuses(&["/proc/no/such/out.jsonl"]);
    if Path::new("/dev/full").exists() {
        // A full device behind stdout.
        let full = std::fs::OpenOptions::new().write(true).open("/dev/full").expect("the device");
        let ran = command(["export", "--store", text(&disk.store())]).stdout(full).output().expect("the binary runs");
        assert_eq!(ran.status.code(), Some(2));
        assert!(String::from_utf8_lossy(&ran.stderr).contains("cannot write the export"));
    }
}
