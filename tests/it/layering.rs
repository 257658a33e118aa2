//! The rules of the source tree, enforced by reading it: which modules are pure, which file may name which crate, and in
//! which direction modules use each other.
//!
//! Tests inside the sources are exempt: they may read files and wait.

use regex::Regex;
use std::path::{Path, PathBuf};

/// Modules without input, output, clock or waiting.
const PURE: [&str; 11] =
    ["page", "urls", "dom", "terms", "trees", "entropy", "coverage", "blocks", "article", "site", "records"];

/// What each module may use of the others.
const ALLOWED: [(&str, &[&str]); 17] = [
    ("page", &[]),
    ("urls", &[]),
    ("dom", &["page", "urls"]),
    ("terms", &["dom"]),
    ("trees", &[]),
    ("entropy", &[]),
    ("coverage", &["dom", "terms", "entropy"]),
    ("blocks", &["dom", "coverage", "terms"]),
    ("article", &["dom", "blocks", "terms", "trees"]),
    ("records", &["dom", "article", "terms", "trees", "urls"]),
    ("site", &["dom", "urls", "terms", "article", "blocks", "records"]),
    ("archive", &["page", "urls"]),
    ("crawl", &["page", "urls", "dom"]),
    ("store", &["page", "archive", "entropy", "terms"]),
    ("progress", &[]),
    (
        "export",
        &[
            "page", "urls", "dom", "terms", "entropy", "coverage", "blocks", "article", "site", "records", "archive",
            "crawl", "store", "progress",
        ],
    ),
    (
        "pipeline",
        &[
            "page", "urls", "dom", "terms", "entropy", "coverage", "blocks", "article", "site", "records", "archive",
            "crawl", "store", "progress", "export",
        ],
    ),
];

/// Crates that only some files, or the files of one folder, may name.
const HIDDEN: [(&str, &[&str]); 6] = [
    ("sled", &["store/"]),
    ("spider", &["crawl/spider.rs"]),
    ("reqwest", &["export/push.rs"]),
    ("tantivy", &["export/search_index/"]),
    ("parquet", &["export/parquet_tables/"]),
    ("html5ever", &["dom/parse.rs", "dom/tokenize.rs", "dom/tokenize_tests.rs"]),
];

#[test]
fn the_source_keeps_its_layers() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let files = sources(&root);
    assert!(files.len() > 50, "the source is there");
    let mut offences = Vec::new();
    for file in files {
        let name = file.strip_prefix(&root).expect("below the root").to_string_lossy().replace('\\', "/");
        let text = std::fs::read_to_string(&file).expect("a source file");
        offences.extend(offences_in(&name, &text));
    }
    assert!(offences.is_empty(), "{}", offences.join("\n"));
}

#[test]
fn what_breaks_a_rule_is_found() {
    for (file, source, wanted) in [
        ("terms/a.rs", "use crate::store::Store;", "terms may not use store"),
        ("dom/a.rs", "use crate::{page::Page, blocks::{Block, k}};", "dom may not use blocks"),
        ("crawl/a.rs", "fn f() -> crate::pipeline::Method { m }", "crawl may not use pipeline"),
        ("page.rs", "use super::urls::normalize;", "page may not use urls"),
        ("entropy/a.rs", "fn f(d: &super::super::dom::Dom) {}", "entropy may not use dom"),
        ("newcomer/mod.rs", "fn f() {}", "newcomer has no place"),
        ("dom/a.rs", "pub async fn f() {}", "dom is pure: async"),
        ("article/a.rs", "fn f() { g().await; }", "article is pure: .await"),
        ("terms/a.rs", "use std::fs;", "terms is pure: std::fs"),
        ("terms/a.rs", "use std::{collections::HashMap, fs::File};", "terms is pure: std::{collections::HashMap, fs"),
        ("urls.rs", "fn f(r: impl std::io::Read) {}", "urls is pure: std::io"),
        ("blocks/a.rs", "let t = std::time::Instant::now();", "blocks is pure: Instant::now"),
        ("coverage/a.rs", "let t = SystemTime::now();", "coverage is pure: SystemTime::now"),
        ("page.rs", "use tokio::sync::mpsc;", "page is pure: tokio"),
        ("pipeline/a.rs", "use sled::Db;", "only store/ may name sled"),
        ("pipeline/a.rs", "fn f(db: &::sled::Db) {}", "only store/ may name sled"),
        ("crawl/a.rs", "use spider as s;", "only crawl/spider.rs may name spider"),
        ("dom/a.rs", "use {html5ever::Attribute, x::Y};", "only dom/parse.rs may name html5ever"),
        ("bin/wisdom/a.rs", "#[path = \"../../store/kv.rs\"] mod kv;", "takes in a source file"),
        ("bin/wisdom/a.rs", "fn f() { sled::open(p); }", "only store/ may name sled"),
    ] {
        let found = offences_in(file, source);
        assert!(found.iter().any(|offence| offence.contains(wanted)), "{file}: {source}: {found:?}");
    }
}

#[test]
fn what_breaks_no_rule_is_left_alone() {
    for (file, source) in [
        (
            "terms/a.rs",
            "// use crate::store::Store;\n/* async */ let s = \"std::fs tokio \\\" sled::Db\"; let c = '\"';",
        ),
        ("dom/a.rs", "use crate::dom::Dom; use crate::page::Page; use super::arena::Arena;"),
        ("crawl/a.rs", "use super::spider::Client; use super::{spider, fetch}; pub use spider::ClientError;"),
        ("crawl/mod.rs", "mod spider; pub use spider::ClientError;"),
        (
            "dom/a.rs",
            "fn f<'a>(s: &'a str) {}\n#[cfg(test)]\nmod tests { use crate::store::Store; fn f() { std::fs::read(x); } }",
        ),
        ("dom/tests.rs", "use std::fs;"),
        ("store/kv.rs", "use sled::Db; use std::fs::File;"),
        ("bin/wisdom/command/crawl.rs", "use crate::args::Crawl; use super::plural; use wisdom::crawl::Stop;"),
    ] {
        let found = offences_in(file, source);
        assert!(found.is_empty(), "{file}: {source}: {found:?}");
    }
}

/// All Rust files below a directory.
fn sources(dir: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    for path in crate::run::entries(dir) {
        if path.is_dir() {
            files.extend(sources(&path));
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            files.push(path);
        }
    }
    files
}

/// What a file, named by its path below `src`, does against the rules.
fn offences_in(file: &str, source: &str) -> Vec<String> {
    let is_test = file.split('/').any(|part| part == "tests" || part == "tests.rs" || part.ends_with("_tests.rs"));
    if is_test {
        return Vec::new();
    }
    let code = without_tests(&bare_code(source));
    let mut offences = Vec::new();
    // The name itself with what it is called on: `super::spider::Client` is our module, `spider::Client` the crate.
    for (name, places) in HIDDEN {
        let named = pattern(&format!(r"(?:^|[^\w:]|[^\w]::){name}::|\buse {name}\b"));
        // Where our module of that name is declared or imported, the short name is the module's.
        let ours = pattern(&format!(r"\bmod {name};|\bsuper::(\{{[^}}]*\b)?{name}\s*[,;}}]")).is_match(&code);
        if !places.iter().any(|place| file.starts_with(place)) && named.is_match(&code) && !ours {
            offences.push(format!("{file}: only {} may name {name}", places[0]));
        }
    }
    let module = file.split('/').next().unwrap_or_default().trim_end_matches(".rs");
    match module {
        "lib" => return offences,
        "bin" => {
            if pattern(r"(#\[path\s*=|\binclude!\s*\()[^\n]*\.\.").is_match(source) {
                offences.push(format!(
                    "{file}: the binary takes in a source file; it uses public names of the library only"
                ));
            }
            return offences;
        }
        _ => {}
    }
    if PURE.contains(&module) {
        let impure = r"\basync\b|\.await\b|\bstd::(fs|net|io)\b|\bstd::\{[^;]*?\b(fs|net|io)\b|\b(SystemTime|Instant)::now\b|\b(tokio|sled|spider)\b";
        offences.extend(
            pattern(impure).find_iter(&code).map(|found| format!("{file}: {module} is pure: {}", found.as_str())),
        );
    }
    let Some((_, allowed)) = ALLOWED.iter().find(|(name, _)| *name == module) else {
        offences.push(format!("{file}: {module} has no place in the table of this test"));
        return offences;
    };
    let mut used = names_after(&code, "crate::");
    // As many `super::` as the file is deep lead to the crate.
    used.extend(names_after(&code, &"super::".repeat(file.trim_end_matches("/mod.rs").split('/').count())));
    for name in used {
        let is_module = ALLOWED.iter().any(|(module, _)| *module == name);
        if is_module && name != module && !allowed.contains(&name.as_str()) {
            offences.push(format!("{file}: {module} may not use {name}"));
        }
    }
    offences
}

fn pattern(text: &str) -> Regex {
    Regex::new(text).expect("a fixed pattern")
}

/// The first names of the paths that follow `prefix`, also in braces.
fn names_after(code: &str, prefix: &str) -> Vec<String> {
    let mut names = Vec::new();
    for (at, _) in code.match_indices(prefix) {
        if code[..at].ends_with(|c: char| c.is_alphanumeric() || c == '_' || c == ':') {
            continue;
        }
        let rest = &code[at + prefix.len()..];
        let Some(inner) = rest.strip_prefix('{') else {
            names.push(first_name(rest));
            continue;
        };
        let mut depth = 1;
        let mut item = String::new();
        for c in inner.chars() {
            match c {
                '{' => depth += 1,
                '}' => depth -= 1,
                _ => {}
            }
            if depth == 0 || (depth == 1 && c == ',') {
                names.push(first_name(item.trim()));
                item.clear();
            } else {
                item.push(c);
            }
            if depth == 0 {
                break;
            }
        }
    }
    names
}

fn first_name(path: &str) -> String {
    path.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect()
}

/// The code without comments, and with empty strings and characters.
fn bare_code(source: &str) -> String {
    // In this order: comments, raw strings, strings, characters. A lifetime is no character, for it has no second quote.
    let dropped = pattern(
        r##"(?s)//[^\n]*|/\*.*?\*/|r#+".*?"#+|r"[^"]*"|"(?:\\.|[^"\\])*"|'(?:\\(?:u\{[^}]*\}|x..|.)|[^'\\\n])'"##,
    );
    dropped
        .replace_all(source, |found: &regex::Captures<'_>| match found[0].chars().next() {
            Some('/') => " ",
            _ => "\"\"",
        })
        .into_owned()
}

/// The code without modules that are compiled for tests only.
fn without_tests(code: &str) -> String {
    let begin = pattern(r"#\[cfg\(test\)\]\s*mod \w+ \{");
    let mut rest = code;
    let mut kept = String::new();
    while let Some(found) = begin.find(rest) {
        kept.push_str(&rest[..found.start()]);
        let mut depth = 1;
        let end = rest[found.end()..].find(|c| {
            depth += match c {
                '{' => 1,
                '}' => -1,
                _ => 0,
            };
            depth == 0
        });
        rest = end.map_or("", |end| &rest[found.end() + end + 1..]);
    }
    kept.push_str(rest);
    kept
}
