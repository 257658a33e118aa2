//! Inspect, for single pages: what `extract` keeps of a page and why, what it reads of its metadata, and its lists of records.

use crate::article::{Hints, explain, extract};
use crate::dom::{Dom, decode, selector_path};
use crate::explain::beginning;
use crate::page::Page;
use crate::records::{Method, records};
use std::fmt::Write as _;

/// Reasons shown for each block.
const SHOWN: usize = 4;

/// What the first part of a feature's name stands for.
const LEGEND: [(&str, &str); 25] = [
    (
        "up",
        "the element so many levels up: its share of the page's prose, link density (ld), length, punctuation (marks), words of the title (topic)",
    ),
    ("classes", "all blocks in like places, by tags and classes"),
    ("tags", "all blocks in like places, by tags"),
    ("kind", "nearness of an element whose class, id or role says so; .good: its share of the page's prose"),
    ("zone", "nearness of such an element"),
    ("holder", "steps up to the element that holds 50 (0), 75 (1) or 90 % (2) of the prose"),
    ("top", "steps up to the element with most prose close above it"),
    ("main", "where it stands beside the like places that hold most prose"),
    ("title", "words shared with the headline, and where it stands beside it"),
    ("description", "words shared with the page's description"),
    ("item", "the nearest of several like elements that it is in"),
    ("outer", "the outermost of several like elements that it is in"),
    ("window", "blocks around it"),
    ("prev", "the block before"),
    ("next", "the block behind"),
    ("section", "what stands between two headings"),
    ("heading", "the headings around it"),
    ("at", "its place on the page"),
    ("page", "the page as a whole"),
    ("len", "its length"),
    ("ld", "the share of its text that is linked"),
    ("ends", "its last character"),
    ("is", "its element"),
    ("stop", "ends of sentences in it"),
    ("copies", "how often its text stands on the page"),
];

/// Every block of a page with its probability, whether it was kept, and the features that weigh most; then what the page
/// says about itself and where, and its lists of records.
pub fn inspect_extraction(page: &Page) -> String {
    let hints = Hints { content_type: page.header("content-type"), ..Hints::default() };
    let extraction = extract(&page.body, &hints);
    // The dom of the extraction may be made of stated text; what is explained is the page.
    let dom = Dom::parse(&decode(&page.body, hints.content_type).text);
    let blocks = explain(&dom, &hints);
    let kept = blocks.iter().filter(|block| block.kept).count();
    let mut out = format!(
        "extract {}: page type {}, charset {}, {kept} of {} blocks kept\n",
        page.url,
        extraction.page_type,
        extraction.charset,
        blocks.len()
    );
    if extraction.text_source == crate::article::TextSource::JsonLd {
        out.push_str("The text was taken from the page's JSON-LD, of which the kept blocks are the beginning.\n");
    }
    let about = &extraction.metadata;
    let fields = [
        ("title", &about.title),
        ("author", &about.author),
        ("date", &about.date),
        ("site name", &about.site_name),
        ("description", &about.description),
        ("canonical", &about.canonical),
        ("image", &about.image),
    ];
    for (name, value) in fields {
        if let Some(value) = value {
            let _ = writeln!(out, "  {name}: {value}");
        }
    }
    if let Ok(sources) = serde_json::to_string(&about.sources) {
        let _ = writeln!(out, "  found in: {sources}");
    }
    out.push_str("\n         p  what adds to its log-odds\n");
    for block in &blocks {
        let reasons: Vec<String> =
            block.reasons.iter().take(SHOWN).map(|(name, sum)| format!("{name} {sum:+.1}")).collect();
        let text = beginning(&block.text);
        let note = if block.note.is_empty() { String::new() } else { format!("  [{}]", block.note) };
        let what = if block.kept { "keep" } else { "drop" };
        let _ =
            writeln!(out, "  {what} {:.2}  {:60}  \"{text}\"  {}{note}", block.chance, reasons.join(", "), block.path);
    }
    out.push('\n');
    for (name, meaning) in LEGEND {
        let used = |reason: &str| {
            let first = reason.split(['.', '_']).next().unwrap_or(reason);
            first.trim_end_matches(|c: char| c.is_ascii_digit()) == name
        };
        if blocks.iter().flat_map(|block| block.reasons.iter().take(SHOWN)).any(|(reason, _)| used(reason)) {
            let _ = writeln!(out, "  {name}: {meaning}");
        }
    }
    out.push_str("  A block is kept if that raises the expected F1 of the whole; p of articles is sharpened first.\n");
    print_lists(&mut out, &dom);
    out
}

/// The lists of records of the page, best first.
fn print_lists(out: &mut String, dom: &Dom) {
    out.push_str("\nlists of records, the first is what records prints\n");
    let regions = records(dom, Method::Auto);
    if regions.is_empty() {
        out.push_str("  none\n");
    }
    for region in &regions {
        let columns: Vec<&str> = region.table.columns.iter().map(|column| column.kind.name()).collect();
        let first = region.records.first().map_or_else(String::new, |record| beginning(&record.text(dom)));
        let _ = writeln!(
            out,
            "  {:.2}  records {:>4}  columns {}  \"{first}\"  {}",
            region.score,
            region.records.len(),
            columns.join(" "),
            selector_path(dom, region.root),
        );
    }
}
