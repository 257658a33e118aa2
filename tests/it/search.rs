//! The search index and the tables of an export, of the bundled demo site and of sites that change.

use crate::run::{Disk, Ran, command, wisdom};
use crate::site::{Reply, Site};
use serde_json::Value;
use std::path::Path;

/// Searches an index: the paths of what was found, best first.
#[track_caller]
fn found(index: &Path, query: &[&str]) -> Vec<String> {
    let ran = search(index, &[query, &["--json"]].concat()).code(0);
    let hits = ran.out.lines().map(|line| serde_json::from_str::<Value>(line).expect("a JSON object a line"));
    hits.map(|hit| {
        let url = url::Url::parse(hit["url"].as_str().expect("a URL")).expect("a URL");
        url.path().to_owned()
    })
    .collect()
}

fn search(index: &Path, more: &[&str]) -> Ran {
    let mut args: Vec<&std::ffi::OsStr> = vec!["search".as_ref(), "--index".as_ref(), index.as_ref()];
    args.extend(more.iter().map(|arg| std::ffi::OsStr::new(*arg)));
    wisdom(args)
}

fn to(format: &str, out: &Path) -> [String; 4] {
    ["--format".to_owned(), format.to_owned(), "--out".to_owned(), out.to_string_lossy().into_owned()]
}

#[track_caller]
fn export(disk: &Disk, format: &str, out: &Path) -> Ran {
    let args = to(format, out);
    disk.run("export", &args.each_ref().map(String::as_str)).code(0)
}

#[test]
fn the_demo_site_is_found_by_what_it_says_and_not_by_its_menus() {
    let disk = Disk::new();
    wisdom(["demo".as_ref(), "--store".as_ref(), disk.store().as_os_str()]).code(0);
    let index = disk.path("index");
    export(&disk, "tantivy", &index).says(&["exported"]);
    for (query, path) in [
        (&["sailcloth prisms"][..], "/harbour/lighthouse-lamp.html"),
        (&["\"wrapped in sailcloth\"", "crate"], "/harbour/lighthouse-lamp.html"),
        (&["紫砂壶"], "/zh/tea-house.html"),
        (&["老茶客 續水", "--lang", "zh"], "/zh/tea-house.html"),
    ] {
        let found = found(&index, query);
        assert_eq!(found.len(), 1, "{query:?}: {found:?}");
        let stem = path.rsplit('/').next().and_then(|name| name.split('.').next()).expect("a name");
        assert!(found[0].contains(stem), "{query:?}: {found:?}");
    }
    // Words of every page's head, menu, side and foot, which stand in no article.
    for query in ["热门文章", "实时潮汐", "不得转载", "中文首页", "\"most read\"", "\"privacy notice\""]
    {
        assert_eq!(found(&index, &[query]), [""; 0], "{query}");
    }
    let ran = search(&index, &["sailcloth prisms"]).code(0).says(&["1 page matches, 1 shown"]);
    assert!(
        ran.out.starts_with("1. Old lighthouse lamp found under a barn floor (2024-05-09)\n   http://"),
        "{}",
        ran.out
    );
    assert!(ran.out.contains(" *sailcloth* ") && !ran.out.contains('\u{1b}'), "{}", ran.out);
    let nothing = search(&index, &["zyzzyva"]).code(0).says(&["nothing found in"]);
    assert_eq!(nothing.out, "");
    assert_eq!(search(&index, &["lamp", "--limit", "2", "--json"]).code(0).out.lines().count(), 2);
    let quiet = wisdom(["search", "--quiet", "--index", &index.to_string_lossy(), "sailcloth"]).code(0);
    assert_eq!(quiet.err, "");

    // The same store again gives the same hits, whatever became of the segments.
    let again = disk.path("again");
    export(&disk, "tantivy", &again);
    for query in ["the harbour", "lamp", "港口", "ferry -council"] {
        assert_eq!(search(&index, &[query, "--json"]).out, search(&again, &[query, "--json"]).out, "{query}");
    }
}

#[test]
fn folders_without_an_index_are_refused() {
    let disk = Disk::new();
    search(&disk.path("nowhere"), &["lamp"]).refuses(&["nowhere", "no search index", "--format tantivy"]);
    disk.write("notes/letter.txt", "dear");
    search(&disk.path("notes"), &["lamp"]).refuses(&["no search index"]);
    disk.write("broken/meta.json", "{}");
    search(&disk.path("broken"), &["lamp"]).refuses(&["is damaged"]);
    let site = Site::of(&[("/", &["/a"]), ("/a", &["/"])]);
    disk.crawl(&site.url("/"), &[]).code(0);
    let notes = to("tantivy", &disk.path("notes"));
    disk.run("export", &notes.each_ref().map(String::as_str)).refuses(&["notes", "not replaced"]);
    assert!(disk.path("notes/letter.txt").is_file());
    for format in ["tantivy", "parquet"] {
        disk.run("export", &["--format", format]).refuses(&[format, "--out DIR"]);
    }
    let index = disk.path("index");
    export(&disk, "tantivy", &index);
    search(&index, &["…"]).refuses(&["no word"]);
    search(&index, &["lamp", "--lang", "x1"]).refuses(&["--lang x1"]);
    search(&index, &[]).code(2);
}

fn article(words: &str) -> String {
    let text: String = (0..6)
        .map(|at| format!("<p>Paragraph {at} of this article says a good deal about {words}, and then some more.</p>"))
        .collect::<Vec<_>>()
        .concat();
    format!(
        "<title>About {words}</title><body><nav><a href=/>Front</a> <a href=/a>Alpha</a> <a href=/b>Beta</a> <a href=/c>Gamma</a></nav><main><h1>About {words}</h1>{text}</main></body>"
    )
}

#[test]
fn a_later_export_takes_the_place_of_an_earlier_one() {
    let site = Site::start();
    site.set("/", Reply::html(article("the front")));
    site.set("/a", Reply::html(article("gherkins")));
    site.set("/b", Reply::html(article("turnips")));
    site.set("/c", Reply::html(article("beetroot")));
    let disk = Disk::new();
    disk.crawl(&site.url("/"), &[]).code(0);
    let index = disk.path("index");
    export(&disk, "tantivy", &index);
    assert_eq!(found(&index, &["gherkins"]), ["/a"]);
    site.set("/a", Reply::html(article("parsnips")));
    site.set("/b", Reply::new(410, ""));
    disk.crawl(&site.url("/"), &[]).code(0);
    export(&disk, "tantivy", &index);
    assert_eq!(found(&index, &["gherkins"]), [""; 0]);
    assert_eq!(found(&index, &["turnips"]), [""; 0]);
    assert_eq!(found(&index, &["parsnips"]), ["/a"]);
    assert_eq!(found(&index, &["beetroot"]), ["/c"]);
}

#[test]
fn an_index_takes_changes_only() {
    let site = Site::start();
    for (path, words) in [("/", "the front"), ("/a", "gherkins"), ("/b", "turnips"), ("/c", "beetroot")] {
        site.set(path, Reply::html(article(words)));
    }
    let disk = Disk::new();
    disk.crawl(&site.url("/"), &[]).code(0);
    let index = disk.path("index");
    let changed = || {
        let args = to("tantivy", &index);
        let args: Vec<&str> = args.iter().map(String::as_str).chain(["--changed"]).collect();
        disk.run("export", &args).code(0)
    };
    changed().says(&["exported 4 documents"]);
    site.set("/a", Reply::html(article("parsnips")));
    site.set("/b", Reply::new(410, ""));
    disk.crawl(&site.url("/"), &[]).code(0);
    changed().says(&["deleted 1,"]);
    for (word, paths) in [("gherkins", &[][..]), ("turnips", &[]), ("parsnips", &["/a"]), ("beetroot", &["/c"])] {
        assert_eq!(found(&index, &[word]), *paths, "{word}");
    }
    changed().says(&["exported 0 documents"]);
    assert_eq!(found(&index, &["beetroot"]), ["/c"]);
    // An index that is gone is made anew, not in part.
    std::fs::remove_dir_all(&index).expect("an index");
    changed().says(&["exported 3 documents"]);
    assert_eq!(found(&index, &["beetroot"]), ["/c"]);
}

#[test]
fn an_export_that_is_killed_leaves_what_was_there() {
    let disk = Disk::new();
    let words = |at: usize| format!("number{at} lamps and {}", "quite different matters ".repeat(at % 9));
    let mut lines = String::new();
    for at in 0..400 {
        let page = serde_json::json!({"url": format!("http://example.org/{at}"), "html": article(&words(at))});
        lines.push_str(&page.to_string());
        lines.push('\n');
    }
    let input = disk.write("pages.jsonl", lines);
    disk.run("import", &[&input.to_string_lossy()]).code(0);
    disk.run("mine", &[]).code(0);
    for (format, file) in [("tantivy", "meta.json"), ("parquet", "documents.parquet")] {
        let out = disk.path(format);
        let part = disk.path(&format!("{format}.part"));
        let start = || disk.start("export", &to(format, &out).each_ref().map(String::as_str));
        // Until it writes, or is done already.
        let kill = || {
            let running = start();
            let begun = std::time::Instant::now();
            while !part.join(file).exists() && begun.elapsed().as_secs() < 60 {
                std::thread::sleep(std::time::Duration::from_millis(1));
            }
            running.kill()
        };
        let first = kill();
        assert_ne!(first.code, Some(0), "killed before its end");
        assert!(!out.exists(), "nothing under the final name");
        export(&disk, format, &out);
        assert!(out.join(file).is_file() && !part.exists());
        let before = std::fs::read(out.join(file)).expect("a file");
        assert_ne!(kill().code, Some(0), "killed before its end");
        assert_eq!(std::fs::read(out.join(file)).expect("a file"), before);
        export(&disk, format, &out);
        assert!(!part.exists());
    }
    assert_eq!(found(&disk.path("tantivy"), &["number77"]), ["/77"]);
    let mut closed = command(["search", "--help"]);
    assert!(closed.output().expect("it runs").status.success());
}
