//! How well `extract` does on pages of many kinds and languages. The pages (`tests/pages/*.html`) and what counts as their
//! content (`*.txt` of the same name) were written for this test, so that it needs nothing from outside; the model was not
//! trained on them. They are few and tidy: their scores say that nothing has broken, not how good the extractor is.

use std::collections::{BTreeMap, HashMap};
use std::path::Path;
use wisdom::article::{Hints, extract};

/// The pages and the least token F1 of their text: .02 to .03 under what was measured on 2026-11-28, which stands beside
/// each. Lower one only with a reason.
const PAGES: [(&str, f64); 14] = [
    ("news-with-comments", 0.96),        // .987: keeps the byline
    ("short-news-beside-consent", 0.97), // 1
    // .889, which is poor: all posts are found, but names, times and signatures around them are kept as well.
    ("forum-thread", 0.865),
    ("questions-and-answers", 0.95), // .977: keeps who asked, and the tags
    // .847, which is poor: the table of specifications is lost, and "in stock" is kept.
    ("product", 0.825),
    ("listing", 0.955),      // .983: keeps the filters
    ("collection", 0.92),    // 1
    ("documentation", 0.97), // 1
    ("service", 0.965),      // .990
    ("chinese-news", 0.97),  // 1
    ("russian-news", 0.97),  // 1
    ("greek-news", 0.97),    // 1
    ("arabic-news", 0.955),  // .979: keeps the date
    ("japanese-news", 0.97), // 1
];

/// The page as a server would send it: the Chinese one in GBK, declared as GB2312, as such pages are.
fn page(name: &str) -> Vec<u8> {
    let html = read(name, "html");
    if name == "chinese-news" { encoding_rs::GBK.encode(&html).0.into_owned() } else { html.into_bytes() }
}

fn read(name: &str, extension: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/pages").join(name).with_extension(extension);
    std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// Words in lower case, how often each; kana and Han characters are words of their own.
fn words(text: &str) -> HashMap<String, usize> {
    let mut counts = HashMap::new();
    for run in text.to_lowercase().split(|c: char| !c.is_alphanumeric()) {
        let mut word = String::new();
        for c in run.chars() {
            if matches!(c, '\u{3040}'..='\u{30ff}' | '\u{3400}'..='\u{9fff}') {
                *counts.entry(c.to_string()).or_default() += 1;
                *counts.entry(std::mem::take(&mut word)).or_default() += 1;
            } else {
                word.push(c);
            }
        }
        *counts.entry(word).or_default() += 1;
    }
    counts.remove("");
    counts
}

fn f1(found: &str, gold: &str) -> f64 {
    let (found, gold) = (words(found), words(gold));
    let common: usize = found.iter().map(|(word, n)| (*n).min(gold.get(word).copied().unwrap_or(0))).sum();
    let all = found.values().sum::<usize>() + gold.values().sum::<usize>();
    2.0 * f64::from(u32::try_from(common).expect("a short page")) / f64::from(u32::try_from(all).expect("a short page"))
}

#[test]
fn own_pages_stay_above_their_floors() {
    let mut low = BTreeMap::new();
    for (name, floor) in PAGES {
        let text = extract(&page(name), &Hints::default()).text();
        let got = f1(&text, &read(name, "txt"));
        if got < floor {
            low.insert(name, (got, floor, text));
        }
    }
    assert!(low.is_empty(), "under the floor, as (got, floor, text): {low:#?}");
}

#[test]
fn every_page_has_a_floor() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/pages");
    for entry in std::fs::read_dir(folder).expect("the folder of pages") {
        let path = entry.expect("an entry").path();
        let name = path.file_stem().and_then(|name| name.to_str()).unwrap_or_default();
        assert!(PAGES.iter().any(|(known, _)| *known == name), "{} has no floor", path.display());
    }
}

#[test]
fn the_measure_counts_words_and_characters() {
    assert!((f1("One two, TWO 三四", "two two 三") - 0.75).abs() < 1e-9);
    assert!((f1("", "two") - 0.0).abs() < 1e-9);
}
