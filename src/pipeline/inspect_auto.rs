//! Inspect, for method `auto`: every block and list of links of a stored page, with what the page and its site say of it.

use super::PipelineError;
use super::duplicates::Seen;
use super::mine_auto::{KnownSite, put_together, view, view_of};
use crate::dom::{Dom, NodeId, fold_space, parse_page, selector_path};
use crate::site::{EVIDENCE, decide};
use crate::store::{PageId, PageRecord, SiteStore};
use std::fmt::Write as _;

/// Characters of a text that are shown.
const BEGINNING: usize = 60;
/// Groups of links that are shown.
const SHOWN: usize = 8;

pub(super) fn inspect_auto(site: &SiteStore, record: &PageRecord) -> Result<String, PipelineError> {
    let pages: Vec<(PageId, PageRecord)> = site.pages().collect::<Result<_, _>>()?;
    let mut seen = Vec::with_capacity(pages.len());
    for (id, page) in &pages {
        if view(site, *id)?.is_some() {
            seen.push(Seen { id: *id, record: page });
        }
    }
    let KnownSite { model: known, repeats } = put_together(site, &seen)?;
    let view = view_of(site, record)?;
    let decision = decide(&view, &known);
    let (dom, _) = parse_page(&site.read_page(record)?);
    let ids: Vec<NodeId> = dom.ids().collect();
    let path = |node: u32| ids.get(node as usize).map_or_else(String::new, |&id| selector_path(&dom, id));
    let mut out = format!(
        "{}\nmethod auto, {} pages known\ntype {}: hub {:.2}, with the pages of its template {:.2} (toc above 0.45)\n",
        record.url,
        known.pages(),
        decision.page_type.name(),
        decision.own_hub,
        decision.hub,
    );
    let own = seen.iter().position(|page| page.record.url == record.url);
    if let Some(repeat) = own.and_then(|own| repeats[own]) {
        let _ = writeln!(out, "repeats {} (share of shingles {:.2})", seen[repeat.original].record.url, repeat.share);
    }
    let copies = own.map_or(0, |own| repeats.iter().flatten().filter(|repeat| repeat.original == own).count());
    if copies > 0 {
        let _ = writeln!(out, "is the original of {copies} duplicate{}", if copies == 1 { "" } else { "s" });
    }
    let _ = writeln!(out, "  P(article), by itself: {:.2}", view.kinds[0]);
    for (name, value) in EVIDENCE.iter().zip(decision.evidence) {
        let _ = writeln!(out, "  {name}: {value:.2}");
    }
    out.push_str("\n          all  page  place (others)  copies\n");
    for (block, verdict) in view.blocks.iter().zip(&decision.blocks) {
        let what = if verdict.kept { "keep" } else { "drop" };
        let note = if verdict.note.is_empty() { String::new() } else { format!("  [{}]", verdict.note) };
        let _ = writeln!(
            out,
            "  {what}  {:.2}  {:.2}  {:.2} {:>9}  {:>6}  \"{}\"  {}{note}",
            verdict.chance,
            verdict.own,
            verdict.elsewhere,
            format!("({})", verdict.others),
            verdict.copies,
            beginning(&dom, ids.get(block.container as usize).copied()),
            path(block.container),
        );
    }
    out.push_str("\nLists of links, best first:\n");
    for group in decision.groups.iter().take(SHOWN) {
        let what = if group.taken { "keep" } else { "drop" };
        let first = group.links.first().and_then(|&at| view.links.get(at as usize)).map_or(0, |link| link.node);
        let _ = writeln!(out, "  {what}  {:8.1}  {} links  {}", group.score, group.links.len(), path(first));
    }
    out.push_str(
        "\n  all: chance that the block is content, from what the page says of it (page), what stands in its place on other \
         pages (place), and on how many pages its text stands in that place (copies).\n",
    );
    Ok(out)
}

/// The beginning of the text of a block's element.
fn beginning(dom: &Dom, container: Option<NodeId>) -> String {
    let text = container.map_or_else(String::new, |id| fold_space(dom.text(id)));
    text.chars().filter(|c| !c.is_control()).take(BEGINNING).collect()
}
