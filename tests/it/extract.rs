//! `wisdom extract`: formats, inputs, order, and what happens to a page that cannot be read. Which text is the content is the
//! business of the library's tests; here a page holds one paragraph, which every method keeps.

use crate::run::{Disk, Running, command, wisdom};
use flate2::{Compression, write::GzEncoder};
use serde_json::Value;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::Stdio;

/// What the page of that name says.
fn sentence(name: &str) -> String {
    format!("The {name} ferry sails again on Monday, the harbour office said, and tickets are as cheap as they were.")
}

fn page(name: &str) -> String {
    format!(
        "<!DOCTYPE html><html lang=en><title>On {name}</title><body><article><p>{}</p></article></body></html>",
        sentence(name)
    )
}

fn text(path: &Path) -> &str {
    path.to_str().expect("a path in UTF-8")
}

fn records(lines: &str) -> Vec<Value> {
    lines.lines().map(|line| serde_json::from_str(line).expect("a JSON object a line")).collect()
}

fn ids(lines: &str) -> Vec<String> {
    records(lines).iter().map(|record| record["id"].as_str().unwrap_or_default().to_owned()).collect()
}

/// Runs the command with a page on stdin.
fn piped(args: &[&str], page: &str) -> String {
    let mut child = command(args)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the binary starts");
    child.stdin.take().expect("a pipe").write_all(page.as_bytes()).expect("the page is read");
    let output = child.wait_with_output().expect("the binary ends");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).expect("UTF-8")
}

#[test]
fn a_single_page_comes_in_each_format_as_it_is() {
    let disk = Disk::new();
    let file = disk.write("north.html", page("north"));
    for method in ["auto", "econ"] {
        let run = |format| wisdom(["extract", "--method", method, "--format", format, text(&file)]).code(0);
        assert_eq!(run("text").out, format!("{}\n", sentence("north")));
        assert_eq!(run("markdown").out, format!("{}\n", sentence("north")));
        assert_eq!(run("html").out, format!("<p>{}</p>\n", sentence("north")));
        let ran = run("jsonl");
        assert_eq!(ran.err, "");
        let [record] = records(&ran.out).try_into().expect("one line");
        for (field, value) in [
            ("id", "north"),
            ("file", text(&file)),
            ("text", &sentence("north")),
            ("title", "On north"),
            ("lang", "en"),
            ("charset", "UTF-8"),
            ("method", method),
        ] {
            assert_eq!(record[field], value, "{field}");
        }
        assert!(record["page_type"].is_string() && record.get("error").is_none());
    }
    assert_eq!(wisdom(["extract", text(&file)]).code(0).out, format!("{}\n", sentence("north")), "text by auto");
}

#[test]
fn several_pages_are_named() {
    let disk = Disk::new();
    let (one, two) = (disk.write("one.html", page("one")), disk.write("two--x.html", page("two")));
    let run = |format| wisdom(["extract", "--format", format, text(&one), text(&two)]).code(0).out;
    assert_eq!(
        run("text"),
        format!("==> {} <==\n{}\n\n==> {} <==\n{}\n", text(&one), sentence("one"), text(&two), sentence("two"))
    );
    for (format, between) in [("markdown", "\n\n"), ("html", "\n<p>")] {
        let out = run(format);
        assert!(out.starts_with(&format!("<!-- {} -->{between}{}", text(&one), sentence("one"))), "{out}");
        assert!(out.contains("\n\n<!-- ") && out.contains("two- -x.html -->"), "{out}");
    }
}

#[test]
fn stdin_is_a_page() {
    let out = piped(&["extract", "--format", "jsonl", "-"], &page("piped"));
    let [record] = records(&out).try_into().expect("one line");
    assert_eq!(
        (&record["id"], &record["file"], &record["text"]),
        (&"stdin".into(), &"-".into(), &sentence("piped").into())
    );
    wisdom(["extract", "-", "-"]).refuses(&["- is given twice"]);
}

#[test]
fn a_directory_gives_its_pages_sorted_and_says_what_was_passed_over() {
    let disk = Disk::new();
    for name in ["d/b.html", "d/a/z.HTM", "d/a.xhtml", "d/plain", "d/.hidden.html"] {
        disk.write(name, page("some"));
    }
    let mut packed = GzEncoder::new(Vec::new(), Compression::default());
    packed.write_all(page("packed").as_bytes()).expect("in memory");
    disk.write("d/c.html.gz", packed.finish().expect("in memory"));
    for (name, bytes) in [("d/style.css", "p {}"), ("d/notes", "just words"), ("d/x.png", "\u{89}PNG"), ("d/y.css", "")]
    {
        disk.write(name, bytes);
    }
    let ran = wisdom(["extract", "--format", "jsonl", text(&disk.path("d"))]).code(0);
    assert_eq!(ids(&ran.out), ["z", "a", "b", "c", "plain"]);
    assert_eq!(records(&ran.out)[3]["text"], sentence("packed"));
    ran.says(&["passed over 4 files", "2 .css", "1 .png", "1 without extension"]);
    let ran = wisdom(["extract", "--quiet", text(&disk.path("d"))]).code(0);
    assert_eq!(ran.err, "");
    // A file that is named is read whatever its extension.
    let other = disk.write("page.asp", page("asp"));
    assert_eq!(wisdom(["extract", text(&other)]).code(0).out, format!("{}\n", sentence("asp")));
}

#[test]
fn a_page_that_cannot_be_read_keeps_its_place() {
    let disk = Disk::new();
    let (first, last) = (disk.write("first.html", page("first")), disk.write("last.html", page("last")));
    let binary = disk.write("picture.html", b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR");
    let cut = disk.write("cut.html.gz", b"\x1f\x8b\x08\0\0\0\0\0");
    let missing = disk.path("missing.html");
    std::fs::create_dir(disk.path("empty")).expect("a new directory");
    let paths: Vec<PathBuf> = vec![first.clone(), missing, binary, cut, disk.path("empty"), last];
    let args = |format| ["extract", "--format", format].into_iter().chain(paths.iter().map(|path| text(path)));
    let ran = wisdom(args("jsonl")).code(1);
    let lines = records(&ran.out);
    assert_eq!(ids(&ran.out), ["first", "missing", "picture", "cut", "empty", "last"]);
    for (line, is_good) in lines.iter().zip([true, false, false, false, false, true]) {
        assert_eq!((line.get("text").is_some(), line.get("error").is_some()), (is_good, !is_good), "{line}");
        assert!(
            line["file"].is_string() && line.as_object().is_some_and(|object| is_good || object.len() == 3),
            "{line}"
        );
    }
    ran.says(&["missing.html", "picture.html: binary data", "cut.html.gz", "empty: the directory holds no pages"]);
    let out = wisdom(args("text")).code(1).out;
    assert_eq!(out.matches("==> ").count(), 2, "{out}");
}

#[test]
fn nothing_read_is_an_error() {
    let disk = Disk::new();
    wisdom(["extract", text(&disk.path("none.html"))]).refuses(&["cannot extract", "none.html", "No such file"]);
    wisdom(["extract", "no-1.html", "no-2.html"]).refuses(&[
        "none of the 2 inputs could be read",
        "no-1.html",
        "no-2.html",
    ]);
    std::fs::create_dir(disk.path("empty")).expect("a new directory");
    wisdom(["extract", text(&disk.path("empty"))]).refuses(&["empty", "holds no pages"]);
    let binary = disk.write("a.html", b"\x7fELF\x02\x01\x01\0\0\0\0");
    wisdom(["extract", text(&binary)]).refuses(&["a.html", "binary data"]);
    assert!(wisdom(["extract"]).code(2).err.contains("PATH"));
    // Also as JSON lines, which say it in their own way too.
    let ran = wisdom(["extract", "--format", "jsonl", text(&binary)]).code(2);
    assert!(records(&ran.out)[0]["error"].is_string());
}

#[test]
fn an_empty_file_is_a_page_without_text() {
    let disk = Disk::new();
    let empty = disk.write("empty.html", "");
    for method in ["auto", "econ"] {
        for format in ["text", "markdown", "html"] {
            assert_eq!(wisdom(["extract", "--method", method, "--format", format, text(&empty)]).code(0).out, "");
        }
        let out = wisdom(["extract", "--method", method, "--format", "jsonl", text(&empty)]).code(0).out;
        assert_eq!((&records(&out)[0]["text"], &records(&out)[0]["title"]), (&"".into(), &"".into()));
    }
}

#[test]
fn jobs_change_no_byte() {
    let disk = Disk::new();
    for number in 0..60 {
        // Of very different size, so that they do not end in the order in which they begin.
        let name = format!("p{number:02}");
        disk.write(&format!("d/{name}.html"), page(&name).repeat(1 + (number * 37 % 11) * 20));
    }
    let (missing, dir) = (disk.path("missing.html"), disk.path("d"));
    for format in ["jsonl", "text"] {
        let run = |jobs| {
            let args = ["extract", "--jobs", jobs, "--format", format, text(&missing), text(&dir)];
            wisdom(args).code(1).out
        };
        let one = run("1");
        assert!(one.len() > 60 * 100);
        assert!(run("2") == one && run("7") == one && run("200") == one);
    }
    wisdom(["extract", "--jobs", "0", text(&disk.path("d"))]).code(2);
}

#[test]
fn an_address_makes_links_absolute_and_is_for_one_page() {
    let disk = Disk::new();
    let body = page("linked").replace("the harbour office", "the <a href=office>harbour office</a>");
    let file = disk.write("a.html", &body);
    let url = "https://example.org/news/1";
    let out = wisdom(["extract", "--method", "econ", "--format", "markdown", "--url", url, text(&file)]).code(0).out;
    assert!(out.contains("[harbour office](https://example.org/news/office)"), "{out}");
    wisdom(["extract", "--url", url, text(&file), text(&file)]).refuses(&["--url", "single page", "2 pages"]);
    wisdom(["extract", "--url", "example", text(&file)]).refuses(&["--url example", "no URL"]);
    wisdom(["extract", "--url", "file:///x", text(&file)]).refuses(&["--url file:///x", "no http"]);
}

#[test]
fn out_is_replaced_when_all_is_done() {
    let disk = Disk::new();
    let file = disk.write("a.html", page("out"));
    let out = disk.write("out.txt", "old");
    wisdom(["extract", "--out", text(&out), "no-such.html"]).refuses(&["no-such.html"]);
    assert_eq!(std::fs::read_to_string(&out).expect("the old file"), "old");
    let ran = wisdom(["extract", "--out", text(&out), text(&file)]).code(0).says(&["extracted 1 page"]);
    assert_eq!(ran.out, "");
    assert_eq!(std::fs::read_to_string(&out).expect("the new file"), format!("{}\n", sentence("out")));
    assert!(!disk.path("out.txt.part").exists());
    wisdom(["extract", "--out", text(&disk.path("no/dir.txt")), text(&file)]).refuses(&["cannot write", "dir.txt"]);
    #[cfg(unix)]
    {
        wisdom(["extract", "--quiet", "--out", "/dev/null", text(&file)]).code(0);
        // A link goes on leading to the file, also to one that is not there yet.
        for target in ["out.txt", "new.txt"] {
            let link = disk.path(&format!("link-to-{target}"));
            std::os::unix::fs::symlink(target, &link).expect("a new link");
            wisdom(["extract", "--quiet", "--out", text(&link), text(&file)]).code(0);
            assert!(std::fs::symlink_metadata(&link).is_ok_and(|meta| meta.is_symlink()));
            let written = std::fs::read_to_string(disk.path(target)).expect("the file behind the link");
            assert_eq!(written, format!("{}\n", sentence("out")));
        }
    }
}

#[test]
fn a_reader_that_has_enough_is_no_fault() {
    let disk = Disk::new();
    for number in 0..400 {
        disk.write(&format!("d/{number}.html"), page("closed").repeat(20));
    }
    let mut closed = command(["extract", "--method", "econ", "--format", "jsonl", text(&disk.path("d"))]);
    let mut child = closed.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("the binary starts");
    drop(child.stdout.take());
    let output = child.wait_with_output().expect("the binary ends");
    assert!(output.status.success() && output.stderr.is_empty(), "{}", String::from_utf8_lossy(&output.stderr));
}

#[test]
fn comments_and_econ_are_refused_together() {
    let disk = Disk::new();
    let file = disk.write("a.html", page("a"));
    wisdom(["extract", "--method", "econ", "--comments", text(&file)]).refuses(&["--comments", "econ"]);
}

#[test]
fn help_tells_how_pages_are_told_apart() {
    let help = Running::start(&mut command(["extract", "--help"])).wait().code(0).out;
    for word in ["==> FILE <==", "<!-- FILE -->", "\"error\"", "one a processor core", "*.xhtml", "Exit codes"] {
        assert!(help.contains(word), "{word:?} is missing in:\n{help}");
    }
}
