//! How fast each miner of records turns list pages over: flat, nested, table and separated lists of two lengths, items and all,
//! beside a naive one.
//!
//! `cargo bench --bench records`. Pages are made in memory, always the same ones. The ratio of the two lengths tells more than
//! the absolute numbers, which are one machine's: a good miner takes about twice the time for twice the rows.
#![allow(clippy::print_stdout, reason = "the numbers are what a benchmark is for")]

mod median;

use median::median;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::hint::black_box;

use wisdom::dom::{Dom, NodeId};
use wisdom::records::{Method, Record, Region, Table, records};

const ROUNDS: usize = 5;
const ROWS: usize = 4000;
type Miner = fn(&Dom) -> Vec<Region>;
const MINERS: [(&str, Miner); 6] = [
    ("naive siblings", naive),
    ("auto", |dom| records(dom, Method::Auto)),
    ("mdr", |dom| records(dom, Method::Mdr)),
    ("mdr-repaired", |dom| records(dom, Method::MdrRepaired)),
    ("net", |dom| records(dom, Method::Net)),
    ("embley", |dom| records(dom, Method::Embley)),
];
type Row = fn(usize) -> String;
const LISTS: [(&str, Row); 4] = [
    ("flat", flat),
    ("nested", nested),
    ("table", |at| format!("<tr><td><a>item {at}</a><td>{at}<td>{}<td><i>x</i>", "y".repeat(at % 9 + 1))),
    ("separated", |at| format!("<b>item {at}</b> sold for {} pounds<hr>", at % 97)),
];

fn main() {
    // `cargo bench` passes --bench; `cargo test --benches` and `cargo bench -- --test` want to see that it runs.
    let is_trial = !std::env::args().any(|arg| arg == "--bench") || std::env::args().any(|arg| arg == "--test");
    let (rows, rounds) = if is_trial { (40, 1) } else { (ROWS, ROUNDS) };
    println!("list       miner               {rows:5} rows  {:5} rows  ratio", 2 * rows);
    for (list, row) in LISTS {
        let pages = [rows, 2 * rows].map(|rows| Dom::parse(&page(list, row, rows)));
        for (name, mine) in MINERS {
            let [short, long] = [&pages[0], &pages[1]].map(|dom| median(rounds, || drop(black_box(mine(dom)))));
            let (short, long) = (short.as_secs_f64() * 1e3, long.as_secs_f64() * 1e3);
            println!("{list:10} {name:18} {short:8.2} ms {long:8.2} ms {:6.2}", long / short);
        }
    }
}

/// What anybody would try first, and the least that a miner may cost: of every node, the children of its commonest tag; the
/// group with most text times the root of its number is the list. No items.
fn naive(dom: &Dom) -> Vec<Region> {
    let mut best: Option<Region> = None;
    for root in dom.ids().filter(|&id| !dom.is_text(id)) {
        let mut groups: BTreeMap<&str, Vec<NodeId>> = BTreeMap::new();
        for child in dom.children(root).filter(|&id| !dom.is_text(id)) {
            groups.entry(dom.tag(child).name()).or_default().push(child);
        }
        let Some(nodes) = groups.into_values().max_by_key(Vec::len).filter(|nodes| nodes.len() > 1) else { continue };
        let text: usize = nodes.iter().map(|&id| dom.text(id).len()).sum();
        let score = text as f64 * (nodes.len() as f64).sqrt();
        if best.as_ref().is_none_or(|best| best.score < score) {
            let records = nodes.into_iter().map(|id| Record { nodes: vec![id] }).collect();
            best = Some(Region { root, score, records, table: Table::default() });
        }
    }
    best.into_iter().collect()
}

fn page(list: &str, row: Row, rows: usize) -> String {
    let rows: String = (0..rows).map(row).collect();
    let tag = if list == "table" { "table" } else { "div" };
    format!("<body><h1>List</h1><{tag}>{rows}</{tag}><p>The end.")
}

/// Rows of several shapes, so that neighbours differ.
fn flat(at: usize) -> String {
    // Multiplicative hashing: an order without a short period.
    match at.wrapping_mul(0x9E37_79B9) >> 7 & 3 {
        0 => format!("<div><h3>item {at}</h3><p>a</p></div>"),
        1 => format!("<div><h3>item {at}</h3><p>a</p><ul><li>x<li>y</ul></div>"),
        2 => format!("<div><img><h3>item {at}</h3></div>"),
        _ => format!("<section><b>item {at}</b><i>z</i><span>q</span></section>"),
    }
}

fn nested(at: usize) -> String {
    let offers = (0..=at % 5).fold(String::new(), |mut offers, offer| {
        let _ = write!(offers, "<li><b>seller {offer}</b> <i>{at}</i></li>");
        offers
    });
    format!("<div><h3>item {at}</h3><ul>{offers}</ul></div>")
}
