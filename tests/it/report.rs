//! `wisdom report`: the files of a report, what stands in them, and what does not.

use crate::run::{Disk, entries, wisdom};
use crate::site::{Reply, Site, html};
use regex::Regex;
use std::collections::BTreeMap;
use std::path::Path;

/// What a page may hold to get out of its frame.
const HOSTILE: &str = r#"<!DOCTYPE html><html onclick="steal()"><head><title>Evil </title></title><script>evil('title')</script></head>
<body onload="evil('load')" style="position:fixed;inset:0;z-index:99999;background:url(http://evil.test/css)">
<base href="http://evil.test/"><meta http-equiv="refresh" content="0;url=http://evil.test/refresh">
<link rel="stylesheet" href="http://evil.test/style.css"><style>@import url(http://evil.test/import.css); *{display:none}</style>
<script>evil('script')</script><script src="http://evil.test/script.js"></script>
<article><h1>&lt;script&gt;evil('heading')&lt;/script&gt; and "quotes' of &amp; a page</h1>
<p>The text of this page is long enough to be taken for an article, and it says things that no other page of the site says, with
<a href="javascript:evil('link')" onmouseover="evil('over')">a link that runs</a>, <a href="data:text/html,<script>evil('data')</script>">one
that brings its page</a> and <a href="http://elsewhere.test/away">one that leads away</a>.</p>
<p>A second paragraph follows here, so that the article does not consist of one alone, which would be a short one.</p>
<img src="http://evil.test/pixel.png" onerror="evil('img')" alt="&quot;&gt;&lt;script&gt;evil('alt')&lt;/script&gt;">
<svg onload="evil('svg')"><a xlink:href="javascript:evil('xlink')"><text>x</text></a></svg>
<iframe src="http://evil.test/frame" srcdoc="<script>evil('srcdoc')</script>"></iframe>
<object data="http://evil.test/object"></object><embed src="http://evil.test/embed">
<form action="http://evil.test/form"><input autofocus onfocus="evil('focus')"><button formaction="javascript:evil('button')">go</button></form>
<math><mtext><table><mglyph><style><!--</style><img title="--&gt;&lt;img src=1 onerror=evil('math')&gt;"></table></mtext></math>
<div style="position:fixed;top:0">over everything</div><textarea></textarea><script>evil('textarea')</script>
</iframe></section></main></div></article></body></html><script>evil('end')</script>"#;

/// The names and texts of all files of a folder.
fn files(dir: &Path) -> BTreeMap<String, String> {
    let mut found = BTreeMap::new();
    let mut open = vec![dir.to_path_buf()];
    while let Some(at) = open.pop() {
        for path in entries(&at) {
            if path.is_dir() {
                open.push(path);
            } else {
                let name = path.strip_prefix(dir).expect("below the folder").to_string_lossy().replace('\\', "/");
                found.insert(name, std::fs::read_to_string(&path).expect("a text file"));
            }
        }
    }
    found
}

fn is_page(name: &str) -> bool {
    Path::new(name).extension().is_some_and(|extension| extension == "html")
}

/// A report of the bundled site.
fn demo() -> (Disk, BTreeMap<String, String>) {
    let disk = Disk::new();
    disk.run("demo", &[]).code(0);
    let out = disk.path("report");
    disk.run("report", &["--out", &out.to_string_lossy()]).code(0);
    let found = files(&out);
    (disk, found)
}

/// The page of one article of the demo. The entrance has the same headline, and names of files depend on the port.
fn article_on_the_roof(files: &BTreeMap<String, String>) -> &str {
    let own = Regex::new(r#"<p class="url"><a href="[^"]*/library-roof\.html""#).expect("a pattern");
    let is_it = |page: &&String| own.is_match(page);
    files.values().find(is_it).expect("the article on the roof")
}

/// The rest of a page when its frames are taken out.
fn without_frames(page: &str) -> String {
    Regex::new(r#"<iframe sandbox title="[^"]*" srcdoc="[^"]*"></iframe>"#)
        .expect("a pattern")
        .replace_all(page, "")
        .into_owned()
}

#[test]
fn the_report_of_the_demo_is_whole_and_asks_for_nothing() {
    let (disk, files) = demo();
    for name in ["index.html", "pages.html", "terms.html", "template.html", "rules.html", ".wisdom-export"] {
        assert!(files.contains_key(name), "{name} is missing");
    }
    assert!(files.keys().filter(|name| name.starts_with("pages/")).count() >= 39, "{:?}", files.keys());
    let attribute = Regex::new(r#"(?:src|href|srcset|action|data|poster|background)="([^"]*)""#).expect("a pattern");
    for (name, page) in files.iter().filter(|(name, _)| is_page(name)) {
        assert!(
            page.contains(
                "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'sha256-"
            ),
            "{name}"
        );
        assert!(!page.contains("unsafe-inline") && !page.contains("<link"), "{name}");
        assert_eq!(page.matches("<iframe").count(), page.matches("<iframe sandbox title=").count(), "{name}");
        assert!(!without_frames(page).contains("<iframe"), "{name}");
        for found in attribute.captures_iter(&without_frames(page)) {
            let target = &found[1];
            if target.starts_with("http") {
                // The one link that leads out is to the page itself.
                assert!(found[0].starts_with("href=") && name.starts_with("pages/"), "{name}: {}", &found[0]);
                continue;
            }
            let Some(path) = target.split('#').next().filter(|path| !path.is_empty()) else { continue };
            let base = if name.starts_with("pages/") { "pages/" } else { "" };
            let whole = match path.strip_prefix("../") {
                Some(rest) => rest.to_owned(),
                None => format!("{base}{path}"),
            };
            assert!(files.contains_key(&whole), "{name} leads to {target}, which is not there");
        }
    }
    // What it says: a page of each kind, a rule, a template text, a term, and why.
    let overview = &files["index.html"];
    for word in ["How the entropies settled", "Types of pages", "Redirects", "Gone", "<svg role=\"img\""] {
        assert!(overview.contains(word), "{word}");
    }
    assert!(files["template.html"].contains("understood") && files["rules.html"].contains("article-1"));
    let article = article_on_the_roof(&files);
    for word in [
        "CII distribution",
        "API distribution",
        "Coverage tree",
        "mark class=&quot;k&quot;",
        "<details",
        "on 22 others",
    ] {
        assert!(article.contains(word), "{word}");
    }
    assert!(files.values().any(|page| page.contains("<table id=\"records-0\"")));

    // The same store gives the same bytes, and an older report is replaced.
    let out = disk.path("report");
    std::fs::write(out.join("old.html"), "old").expect("a file");
    disk.run("report", &["--out", &out.to_string_lossy()]).code(0);
    assert!(self::files(&out) == files, "two runs differ");
    assert!(!disk.path("report.part").exists() && !disk.path("report.old").exists());
}

#[test]
fn the_report_and_inspect_give_the_same_reasons() {
    let (disk, files) = demo();
    let article = article_on_the_roof(&files);
    let url = Regex::new(r#"<p class="url"><a href="([^"]*)""#).expect("a pattern");
    let url = url.captures(article).expect("its address")[1].to_owned();
    let told = disk.run("inspect", &[&url]).code(0).out;
    let line =
        Regex::new(r"(?m)^  (keep|drop)  (\d\.\d\d)  (\d\.\d\d)  (\d\.\d\d) +\((\d+)\) +(\d+) ").expect("a pattern");
    let mut found = 0;
    for block in line.captures_iter(&told) {
        let place = match &block[5] {
            "0" => "place on no other".to_owned(),
            "1" => format!("place {} on 1 other", &block[4]),
            others => format!("place {} on {others} others", &block[4]),
        };
        let reason = format!("page {}, {place}, text on {}", &block[3], &block[6]);
        assert!(article.contains(&reason), "{reason}");
        found += 1;
    }
    assert!(found > 10, "{told}");
}

/// Whatever mined a page, inspect and the report tell it by that.
#[test]
fn pages_are_explained_by_the_method_that_mined_them() {
    let site = Site::of(&[("/", &["/a", "/b"]), ("/a", &["/b"]), ("/b", &[])]);
    let disk = Disk::new();
    disk.crawl(&site.url("/"), &["--no-mine"]).code(0);
    let ran = disk.run("inspect", &[&site.url("/a")]).code(0).says(&["not mined, so shown as auto"]);
    assert!(ran.out.contains("method auto"), "{}", ran.out);
    for method in ["paper", "wisdom", "auto"] {
        disk.run("mine", &["--method", method]).code(0);
        let ran = disk.run("inspect", &[&site.url("/a")]).code(0);
        assert!(ran.out.contains(&format!("method {method}, ")) && ran.err.is_empty(), "{}{}", ran.out, ran.err);
        let out = disk.path("report");
        disk.run("report", &["--out", &out.to_string_lossy()]).code(0);
        let found = files(&out);
        let view = found.values().find(|page| page.contains("/a</bdi></a></p>")).expect("its view");
        assert!(view.contains(&format!("<li class=\"tag\">method {method}</li>")), "{view}");
        let tree = if method == "auto" { "wisdom" } else { method };
        assert!(view.contains(&format!("What method {tree} measures")), "{view}");
        assert_eq!(view.contains("<h2>Why</h2>"), method == "auto");
        if method != "auto" {
            // The measures of the node that was chosen are the same in both.
            let line = ran.out.lines().find(|line| line.contains("[article: chosen")).expect("a chosen node");
            let cii = line.split_whitespace().nth(2).expect("its CII");
            let chosen = Regex::new(&format!(
                "CII {cii}[^<]*</span>( <span class=\"tag [a-z]*\">[^<]*</span>)* <span class=\"tag keep\">article: chosen"
            ));
            assert!(chosen.expect("a pattern").is_match(view), "{line}");
        }
    }
}

#[test]
fn a_hostile_page_stays_in_its_frame() {
    // A crawl would follow the refresh; an import takes the page as it is.
    let pages = [
        ("http://h.test/", html("/", &["/evil"])),
        ("http://h.test/evil", HOSTILE.to_owned()),
        ("http://h.test/c?\"><script>evil('url')</script>", html("/c", &["/evil"])),
    ];
    let lines = pages.map(|(url, html)| serde_json::json!({ "url": url, "html": html }).to_string());
    let disk = Disk::new();
    let list = disk.write("list.jsonl", lines.join("\n"));
    disk.run("import", &[list.to_str().expect("a path in UTF-8")]).code(0);
    disk.run("mine", &[]).code(0);
    let out = disk.path("report");
    disk.run("report", &["--out", &out.to_string_lossy()]).code(0);
    let files = files(&out);
    let evil = files.values().find(|page| page.contains("/evil</bdi></a></p>")).expect("its view");
    assert!(evil.contains("long enough to be taken for an article"), "its text is shown");
    let tags = Regex::new(r"<[a-z0-9]+( [^<>]*)?>").expect("a pattern");
    let value = Regex::new("=\"[^\"]*\"").expect("a pattern");
    let leads_out = Regex::new("(?:href|src)=\"(?:javascript|data|http://evil)").expect("a pattern");
    for (name, page) in files.iter().filter(|(name, _)| is_page(name)) {
        // One script in each page, ours; no handler; nothing of theirs unescaped.
        assert_eq!(page.matches("<script").count(), 1, "{name}");
        assert!(!page.contains("<script>evil") && !page.contains("<img") && !page.contains("<base"), "{name}");
        let (_, body) = page.split_once("<body>").expect("a body");
        let (body, _) = body.split_once("<script>").expect("a script");
        for tag in tags.find_iter(&without_frames(body)) {
            assert!(!leads_out.is_match(tag.as_str()), "{name}: {}", tag.as_str());
            let bare = value.replace_all(tag.as_str(), "=");
            for attribute in bare.split_whitespace().skip(1) {
                let is_ours = !attribute.starts_with("on") && !attribute.starts_with("style");
                assert!(is_ours, "{name}: {attribute} in {}", tag.as_str());
            }
        }
    }
    // Inside the frame there is nothing left either.
    let tag_of = Regex::new(r"<[^>]*>").expect("a pattern");
    let asks = Regex::new(r"\s(on[a-z]+|href|src|style|action)=").expect("a pattern");
    let frame = Regex::new(r#"srcdoc="([^"]*)""#).expect("a pattern");
    for found in frame.captures_iter(evil) {
        let inner = found[1]
            .replace("&lt;", "<")
            .replace("&gt;", ">")
            .replace("&quot;", "\"")
            .replace("&#39;", "'")
            .replace("&amp;", "&");
        assert!(inner.contains("default-src 'none'; style-src 'sha256-"), "{inner}");
        for tag in tag_of.find_iter(&inner) {
            let name: String =
                tag.as_str().trim_start_matches(['<', '/']).chars().take_while(char::is_ascii_alphanumeric).collect();
            for bad in
                ["script", "img", "iframe", "svg", "math", "base", "link", "object", "embed", "form", "input", "a"]
            {
                assert_ne!(name, bad, "{}", tag.as_str());
            }
            assert!(!asks.is_match(tag.as_str()), "{}", tag.as_str());
        }
    }
}

#[test]
fn many_pages_are_cut_with_a_word_and_several_sites_are_listed() {
    let links: Vec<String> = (0..6).map(|n| format!("/p{n}")).collect();
    let links: Vec<&str> = links.iter().map(String::as_str).collect();
    let site = Site::of(&[("/", &links)]);
    for (number, link) in links.iter().enumerate() {
        site.set(link, Reply::html(html(link, &links[..number])));
    }
    let disk = Disk::new();
    disk.crawl(&site.url("/"), &[]).code(0);
    let out = disk.path("report");
    disk.run("report", &["--out", &out.to_string_lossy(), "--pages", "2"]).code(0);
    let found = files(&out);
    assert_eq!(found.keys().filter(|name| name.starts_with("pages/")).count(), 2);
    assert!(found["index.html"].contains("<strong>Cut:</strong> of 7 pages, 2 have a page of their own"), "it is told");
    assert!(found["pages.html"].contains("/p5"), "all pages are listed");
    // Those that have a view are listed by their titles.
    assert_eq!(found["pages.html"].matches("</bdi></a><div class=\"small soft\"><bdi>/").count(), 2);

    let list =
        disk.write("list.jsonl", "{\"url\": \"http://h.example/\", \"html\": \"<p>Some text of a page.</p>\"}\n");
    disk.run("import", &[list.to_str().expect("a path in UTF-8")]).code(0);
    disk.run("report", &["--out", &out.to_string_lossy()]).code(0).says(&["1 page not mined"]);
    let found = files(&out);
    assert!(found["index.html"].contains("href=\"h.example/index.html\""), "{}", found["index.html"]);
    assert!(found.contains_key("h.example/pages.html") && !found.contains_key("pages.html"));
    assert!(found["h.example/index.html"].contains("href=\"../index.html\""));
}

#[test]
fn a_folder_that_is_no_report_is_left_alone() {
    let disk = Disk::new();
    let list =
        disk.write("list.jsonl", "{\"url\": \"http://h.example/\", \"html\": \"<p>Some text of a page.</p>\"}\n");
    disk.run("import", &[list.to_str().expect("a path in UTF-8")]).code(0);
    disk.write("mine/notes.txt", "keep me");
    let mine = disk.path("mine");
    disk.run("report", &["--out", &mine.to_string_lossy()]).refuses(&["something else than a report"]);
    disk.run("report", &["--out", &list.to_string_lossy()]).refuses(&["something else than a report"]);
    let pages = disk.path("pages");
    disk.run("export", &["--format", "markdown", "--out", &pages.to_string_lossy()]).code(0);
    disk.run("report", &["--out", &pages.to_string_lossy()]).refuses(&["something else than a report"]);
    // A folder in the store would be taken for a site.
    let inside = disk.path("store/sub/report");
    disk.run("report", &["--out", &inside.to_string_lossy()]).refuses(&["is in the store"]);
    disk.run("export", &["--format", "markdown", "--out", &inside.to_string_lossy()]).refuses(&["is in the store"]);
    assert!(!disk.path("store/sub").exists());
    // Nor is what stands where a report is prepared.
    disk.write("new.part/notes.txt", "keep me");
    disk.run("report", &["--out", &disk.path("new").to_string_lossy()]).refuses(&["new.part"]);
    for kept in [mine.join("notes.txt"), disk.path("new.part/notes.txt")] {
        assert_eq!(std::fs::read_to_string(kept).expect("the file"), "keep me");
    }
    assert!(!disk.path("new").exists());
    disk.run("report", &["--out", &disk.path("x").to_string_lossy(), "--site", "no.example"]).refuses(&["no.example"]);
    wisdom(["report", "--store", &disk.path("none").to_string_lossy(), "--out", &disk.path("x").to_string_lossy()])
        .refuses(&["no store"]);
    assert!(!disk.path("x").exists() && !disk.path("x.part").exists());
}
