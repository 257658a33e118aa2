//! The other commands: mine, inspect, sites, completions, demo, and what the command line says of itself.

use crate::run::{Disk, command, wisdom};
use crate::site::{Site, html};

fn crawled() -> (Site, Disk) {
    let site = Site::of(&[("/", &["/a", "/b", "/c"]), ("/a", &["/"]), ("/b", &["/"]), ("/c", &["/"])]);
    let disk = Disk::new();
    disk.crawl(&site.url("/"), &[]).code(0);
    (site, disk)
}

#[test]
fn mine_by_another_method_replaces_what_was_mined() {
    let (_site, disk) = crawled();
    assert!(disk.export().values().all(|document| document["method"] == "auto"));
    let digest = disk.digest();
    disk.run("mine", &["--method", "paper"]).code(0).says(&["mined 4 pages", "by paper"]);
    assert!(disk.export().values().all(|document| document["method"] == "paper"));
    assert_eq!(disk.digest(), digest, "mining changes no model");
}

#[test]
fn mining_options_out_of_range_are_refused() {
    let (_site, disk) = crawled();
    for (option, range) in [
        ("--k=0", "at least 1"),
        ("--st=1.5", "from 0 to 1"),
        ("--st=nan", "from 0 to 1"),
        ("--tc-article=-0.1", "from 0 to 1"),
        ("--tc-toc=-1", "from 0 up"),
        ("--tc-toc=inf", "from 0 up"),
    ] {
        let flag = option.split('=').next().unwrap_or_default();
        disk.run("mine", &[option]).refuses(&[flag, range]);
    }
    let options =
        ["--k", "2", "--st", "0.9", "--tc-article", "1", "--tc-toc", "0", "--cstm", "0", "--toc-feature", "alen"];
    let with_method: Vec<&str> = ["--method", "wisdom"].into_iter().chain(options).collect();
    disk.run("mine", &with_method).code(0);
    // What clap refuses has the same code.
    disk.run("mine", &options).refuses(&["--k has no effect with --method auto", "--method wisdom"]);
    assert!(disk.run("mine", &["--st", "much"]).code(2).err.contains("--st"));
    assert!(disk.run("mine", &["--method", "magic"]).code(2).err.contains("magic"));
}

#[test]
fn crawl_options_out_of_range_are_refused_before_anything_is_made() {
    let disk = Disk::new();
    for (option, said) in [
        ("--timeout=0", "0.1 to 3600"),
        ("--timeout=nan", "0.1 to 3600"),
        ("--concurrency=0", "--concurrency"),
        ("--depth=-1", "--depth"),
        ("--cache-mb=1", "--cache-mb"),
        ("--k=0", "at least 1"),
        ("--stopwords=no-such-dir", "no-such-dir"),
    ] {
        let ran = disk.crawl("http://127.0.0.1:9/", &[option]).code(2);
        assert!(ran.err.contains(said), "{option}: {}", ran.err);
    }
    assert!(!disk.store().exists());
}

#[test]
fn inspect_shows_the_tree_of_a_stored_page() {
    let (site, disk) = crawled();
    let shown = disk.run("inspect", &[&site.url("/a")]).code(0).out;
    assert!(shown.starts_with(&site.url("/a")), "{shown}");
    for word in ["method auto, 4 pages known", "type article", "P(article)", "keep", "(3)", "Lists of links"] {
        assert!(shown.contains(word), "{word:?} is missing in:\n{shown}");
    }
    let shown = disk.run("inspect", &["--method", "wisdom", &site.url("/a")]).code(0).out;
    for word in ["method wisdom, 4 pages known", "CII", "SII", "API", "article", "The "] {
        assert!(shown.contains(word), "{word:?} is missing in:\n{shown}");
    }
    disk.run("inspect", &[&site.url("/nowhere")]).refuses(&["/nowhere is no page of the store"]);
    disk.run("inspect", &["a/file.html"]).refuses(&["a/file.html", "no URL"]);
}

#[test]
fn inspect_shows_the_tree_of_a_file_without_a_store() {
    let disk = Disk::new();
    let file = disk.write("page.html", html("file", &["/x"]));
    let shown = wisdom(["inspect", file.to_str().expect("a path in UTF-8")]).code(0).out;
    assert!(shown.contains("no model: every term counts as new"), "{shown}");
    assert!(shown.contains("lists of records, the first is what records prints\n  none\n"), "{shown}");
    let rows = "<ul><li><a href=/1>Alma</a> <b>$9</b><li><a href=/2>Brise</a> <b>$14</b><li><a href=/3>Cora</a> <b>$7</b></ul>";
    let rows = format!("<p title=x>red \u{1b}[31m, and \u{202e}back</p>{rows}");
    let list = disk.write("list.html", rows);
    let shown = wisdom(["inspect", list.to_str().expect("a path in UTF-8")]).code(0).out;
    assert!(shown.contains("records    3  columns link text price  \"Alma $9\"  html > body > ul"), "{shown}");
    assert!(shown.contains("back") && !shown.contains(['\u{1b}', '\u{202e}']), "{shown:?}");
    wisdom(["inspect", "no-such-file.html"]).refuses(&["no-such-file.html"]);
}

#[test]
fn sites_lists_every_site_of_a_store() {
    let (site, disk) = crawled();
    let list =
        disk.write("list.jsonl", "{\"url\": \"http://h.example/\", \"html\": \"<p>Some text of a page.</p>\"}\n");
    disk.run("import", &[list.to_str().expect("a path in UTF-8")]).code(0);
    let out = disk.run("sites", &[]).code(0).out;
    let lines: Vec<&str> = out.lines().collect();
    assert_eq!(lines.len(), 3, "{out}");
    assert!(
        lines[1].starts_with(&format!("127.0.0.1_{} ", site.port())) && lines[1].ends_with("number 1, finished"),
        "{out}"
    );
    assert!(lines[2].starts_with("h.example ") && lines[2].ends_with("imported"), "{out}");
    assert_eq!(lines[1].split_whitespace().nth(1), Some("4"), "{out}");
    // Commands without --site work on all, and with it on one.
    assert_eq!(disk.run("verify", &[]).code(0).out.lines().count(), 2);
    let host = format!("127.0.0.1:{}", site.port());
    assert_eq!(disk.run("verify", &["--site", &host]).code(0).out.lines().count(), 1);
    assert_eq!(disk.run("verify", &["--site", "h.example"]).code(0).out.lines().count(), 1);
}

#[test]
fn completions_name_the_subcommands() {
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let out = wisdom(["completions", shell]).code(0).out;
        assert!(out.contains("wisdom") && out.contains("rebuild"), "{shell}");
    }
    wisdom(["completions", "dos"]).code(2);
}

#[cfg(target_os = "linux")]
#[test]
fn output_that_cannot_be_written_is_an_error() {
    let (site, disk) = crawled();
    let page = disk.write("page.html", html("file", &[]));
    let (page, store, stored) = (page.to_string_lossy(), disk.store(), site.url("/a"));
    let store = store.to_string_lossy();
    let demo = disk.path("demo");
    for args in [
        &["extract", &*page][..],
        &["inspect", &page],
        &["completions", "bash"],
        &["export", "--store", &store],
        &["sites", "--store", &store],
        &["verify", "--store", &store],
        &["inspect", "--store", &store, &stored],
        &["demo", "--store", &demo.to_string_lossy()],
    ] {
        let full = std::fs::File::options().write(true).open("/dev/full").expect("the full device");
        let output = command(args).stdout(full).output().expect("the binary starts");
        let told = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(2), "{args:?}: {told}");
        assert!(told.contains("error: ") && told.contains("No space left") && !told.contains("panicked"), "{told}");
    }
}

#[test]
fn help_and_version_go_to_stdout() {
    let help = wisdom(["--help"]).code(0).out;
    for subcommand in [
        "demo", "crawl", "import", "mine", "rebuild", "verify", "export", "extract", "inspect", "rules", "report",
        "serve", "sites",
    ] {
        assert!(help.contains(subcommand), "{subcommand} is missing in:\n{help}");
    }
    assert_eq!(wisdom(["--version"]).code(0).out.trim(), format!("wisdom {}", env!("CARGO_PKG_VERSION")));
    assert!(wisdom(["crawl", "--help"]).code(0).out.contains("--depth"));
    wisdom(["frobnicate"]).code(2);
}

#[test]
fn quiet_is_quiet_unless_something_fails() {
    let site = Site::of(&[("/", &["/ill"])]);
    let disk = Disk::new();
    let ran = disk.crawl(&site.url("/"), &["--quiet"]).code(0);
    assert_eq!((ran.out.as_str(), ran.err.as_str()), ("", ""));
    site.set("/ill", crate::site::Reply::html(html("/ill", &[])).cut_to(20));
    let ran = disk.crawl(&site.url("/"), &["--quiet"]).code(1);
    assert!(ran.err.contains(&site.url("/ill")), "{}", ran.err);
}

#[test]
fn the_demo_does_the_main_job() {
    let disk = Disk::new();
    let ran = disk.run("demo", &[]).code(0);
    let line = ran.out.lines().find(|line| line.contains("page types right: ")).expect("the line of numbers");
    let (_, counts) = line.split_once("page types right: ").expect("as found");
    let (right, pages) = counts.split_once(" of ").expect("two numbers");
    let (right, pages): (u32, u32) = (right.parse().expect("a number"), pages.trim().parse().expect("a number"));
    assert!(pages == 39 && right >= 36, "{line}");
    assert!(disk.path("store/documents.jsonl").exists());
    disk.digest();
}
