//! An [`Explanation`] as plain text, for a terminal.

use super::{Blocks, Decisions, Explanation, Knowledge, Tree};
use std::fmt::Write as _;

/// Lists of links that are printed.
const SHOWN: usize = 8;

/// What columns of blocks mean.
pub(crate) const BLOCK_LEGEND: &str = "all: chance that the block is content, from what the page says of it (page), what \
    stands in its place on other pages (place), and on how many pages its text stands in that place (copies).";

/// The lines that `wisdom inspect` prints.
pub fn print(explanation: &Explanation) -> String {
    let mut out = format!("{}\nmethod {}, ", explanation.url, explanation.method);
    // Writing to a string does not fail.
    let _ = match &explanation.decisions {
        Decisions::Blocks(blocks) => print_blocks(&mut out, explanation, blocks),
        Decisions::Tree(tree) => print_tree(&mut out, explanation, tree),
    };
    out
}

fn print_blocks(out: &mut String, explanation: &Explanation, found: &Blocks) -> std::fmt::Result {
    writeln!(
        out,
        "{} known\ntype {}: hub {:.2}, with the pages of its template {:.2} (toc above {:.2}: listed by {}, lists its like {:.2})",
        counted(explanation.pages, "page"),
        explanation.page_type,
        found.own_hub,
        found.hub,
        found.least_hub,
        counted(found.listed.into(), "page"),
        found.peers,
    )?;
    if let Some((original, share)) = &found.place.repeats {
        writeln!(out, "repeats {original} (share of shingles {share:.2})")?;
    }
    if found.place.copies > 0 {
        writeln!(out, "is the original of {}", counted(found.place.copies as u64, "duplicate"))?;
    }
    writeln!(out, "  P(article), by itself: {:.2}", found.article)?;
    for (name, value) in &found.evidence {
        writeln!(out, "  {name}: {value:.2}")?;
    }
    out.push_str("\n          all  page  place (others)  copies\n");
    for block in &found.blocks {
        let verdict = &block.verdict;
        let what = if verdict.kept { "keep" } else { "drop" };
        let note = if verdict.note.is_empty() { String::new() } else { format!("  [{}]", verdict.note) };
        writeln!(
            out,
            "  {what}  {:.2}  {:.2}  {:.2} {:>9}  {:>6}  \"{}\"  {}{note}",
            verdict.chance,
            verdict.own,
            verdict.elsewhere,
            format!("({})", verdict.others),
            verdict.copies,
            block.text,
            block.path,
        )?;
    }
    if !found.links.is_empty() {
        out.push_str("\nLists of links, best first:\n");
    }
    for links in found.links.iter().take(SHOWN) {
        let what = if links.taken { "keep" } else { "drop" };
        writeln!(out, "  {what}  {:8.1}  {}  {}", links.score, counted(links.count as u64, "link"), links.path)?;
    }
    writeln!(out, "\n  {BLOCK_LEGEND}")
}

fn print_tree(out: &mut String, explanation: &Explanation, tree: &Tree) -> std::fmt::Result {
    match tree.knowledge {
        Knowledge::Pages(pages) => write!(out, "{} known", counted(pages, "page"))?,
        Knowledge::Nothing => out.push_str("no model: every term counts as new"),
    }
    let [articles, tocs, links] = tree.counts;
    writeln!(
        out,
        ", language {}\ntype {}: link density {:.2}, repeated by linked pages {:.2}; {}, {}, {}\n",
        tree.language,
        explanation.page_type,
        tree.evidence.link_density,
        tree.evidence.repeated,
        counted(articles as u64, "article block"),
        counted(tocs as u64, "toc block"),
        counted(links as u64, "toc link"),
    )?;
    writeln!(out, "  CLEN   ALEN   CII  SII(CLEN)     API  mean  SII({})  node", tree.toc_feature)?;
    let number = |value: Option<f64>| value.map_or_else(|| "-".to_owned(), |v| format!("{v:.2}"));
    for node in &tree.nodes {
        let depth = node.depth;
        write!(
            out,
            "{:6} {:6} {:>5} {:>10} {:7.1} {:>5} {:>9}  {:depth$}{}",
            node.clen,
            node.alen,
            number(node.cii),
            number(node.sii_clen),
            node.api,
            number(node.mean_api),
            number(node.sii_toc),
            "",
            node.name,
        )?;
        for mark in &node.marks {
            write!(out, "  [{mark}]")?;
        }
        out.push('\n');
    }
    Ok(())
}

/// A count with its noun.
fn counted(count: u64, what: &str) -> String {
    if count == 1 { format!("1 {what}") } else { format!("{count} {what}s") }
}
