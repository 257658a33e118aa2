//! One page of a site: what it says, what was kept of it, and why.

use super::SiteReport;
use super::escape::{Address, Bdi, Text, beginning, number, plural};
use super::frame::frame;
use super::list;
use super::marks::{KeptOf, kept_of};
use super::plot::{Plot, Shape, figure};
use super::tree::tree;
use crate::blocks::Mined;
use crate::dom::{Dom, parse_page};
use crate::explain::{Blocks, Decisions, Explanation, Tree, reason_of};
use crate::export::{Document, DocumentList, page_document};
use crate::pipeline::PipelineError;
use crate::store::SiteStore;
use std::fmt::Write as _;

/// Rows of one table at most.
const MOST_ROWS: usize = 500;
/// Lists of records that are shown.
const MOST_LISTS: usize = 5;
/// Characters of a cell that are shown.
const CELL: usize = 300;

/// Title and body of the page at a place of the rows; `None` where it has gone since.
pub(super) fn view(
    report: &SiteReport,
    site: &SiteStore,
    at: usize,
) -> Result<Option<(String, String)>, PipelineError> {
    let row = &report.rows[at];
    let Some((id, record)) = site.page(&row.url)? else { return Ok(None) };
    let page = site.read_page(&record)?;
    let document = page_document(site, &report.key, id, &record)?;
    let mined: Option<Mined> = site.mined(id)?.and_then(|bytes| serde_json::from_slice(&bytes).ok());
    let measured = report.measure(site, at, id, &record, &page)?;
    let decided = match &report.known {
        Some(known) if mined.as_ref().is_some_and(|m| m.method == "auto") => Some(known.explain(site, &record)?),
        _ => None,
    };
    let why = decided.as_ref().unwrap_or(&measured);
    let (dom, _) = parse_page(&page);
    let kept = mined.as_ref().map(|mined| kept_of(&dom, mined, why));

    let title = if document.title.is_empty() { row.url.clone() } else { document.title.clone() };
    let mut out = String::new();
    head(&mut out, report, at, &document, &title);
    beside(&mut out, &dom, &document, kept.as_ref());
    if let Decisions::Blocks(blocks) = &why.decisions {
        decisions(&mut out, why, blocks);
    }
    if let Decisions::Tree(found) = &measured.decisions {
        distributions(&mut out, &dom, found, kept.as_ref());
    }
    links(&mut out, report, &document);
    for (number, list) in document.records.iter().take(MOST_LISTS).enumerate() {
        records(&mut out, number, list);
    }
    if document.records.len() > MOST_LISTS {
        let _ = write!(
            out,
            "<p class=\"note\">More lists, which are left out here: {}.</p>",
            document.records.len() - MOST_LISTS
        );
    }
    if let Decisions::Tree(found) = &measured.decisions {
        coverage(&mut out, &measured, found);
    }
    Ok(Some((beginning(&title, 80), out)))
}

fn head(out: &mut String, report: &SiteReport, at: usize, document: &Document, title: &str) {
    let (is_mined, fetched_at) = (!report.rows[at].method.is_empty(), report.rows[at].fetched_at);
    let _ = write!(out, "<h1>{}</h1>\n<p class=\"url\">", Bdi(&beginning(title, CELL)));
    // Other schemes than these two are never followed.
    if document.url.starts_with("http://") || document.url.starts_with("https://") {
        let _ = write!(
            out,
            "<a href=\"{}\" rel=\"noopener noreferrer nofollow\">{}</a>",
            Text(&document.url),
            Address(&document.url)
        );
    } else {
        let _ = write!(out, "{}", Address(&document.url));
    }
    let (kind, class) = match document.page_type.as_str() {
        _ if !is_mined => ("not mined", "bad"),
        "article" => ("article", "keep"),
        "toc" => ("toc", "toc"),
        _ => ("other", ""),
    };
    let _ = write!(out, "</p>\n<ul class=\"tags\"><li class=\"tag {class}\">{kind}</li>");
    let language = if document.lang.is_empty() { "language unknown" } else { &document.lang };
    for text in [
        language,
        &document.charset,
        &format!("depth {}", document.depth),
        &format!("status {}", document.status),
        // Imported pages may come without a time.
        &if fetched_at == 0 {
            "fetched at a time unknown".to_owned()
        } else {
            format!("fetched {}", document.fetched_at)
        },
    ] {
        let _ = write!(out, "<li class=\"tag\">{}</li>", Text(text));
    }
    if is_mined {
        let _ = write!(out, "<li class=\"tag\">method {}</li>", Text(&document.method));
    }
    if let Some(article) = &document.article {
        for (name, value) in [("date", &article.date), ("author", &article.author)] {
            if let Some(value) = value {
                let _ = write!(out, "<li class=\"tag\">{name} {}</li>", Bdi(&beginning(value, 80)));
            }
        }
    }
    out.push_str("</ul>\n");
    if let Some(original) = &document.duplicate_of {
        let original =
            report.row_of(original).map_or_else(|| Address(original).to_string(), |at| list::link(report, at, "../"));
        let _ = write!(out, "<p class=\"note\">Repeats {original}</p>");
    }
    for warning in &document.warnings {
        let _ = write!(out, "<p class=\"note\"><strong>Note:</strong> {}.</p>", Text(warning));
    }
}

/// The page with its marks, and what was extracted, side by side.
fn beside(out: &mut String, dom: &Dom, document: &Document, kept: Option<&KeptOf>) {
    let whole = frame(dom, kept.map(|kept| &kept.marks));
    let _ = write!(
        out,
        "<div class=\"split\"><section class=\"card\"><h2>The page</h2><p class=\"small soft\">Without its looks, pictures and links. \
         <span class=\"tag keep\">kept text</span> <span class=\"tag toc\">links of the table of contents</span> stand out; the \
         reason for each text is its title.</p><iframe sandbox title=\"The page, sanitised\" srcdoc=\"{}\"></iframe></section>\
         <section class=\"card\"><h2>What it says</h2>",
        Text(&whole)
    );
    match &document.article {
        Some(article) => {
            let lang = Text(&document.lang).to_string();
            let extracted = Dom::parse(&format!("<html lang=\"{lang}\"><body>{}", article.html));
            let words = article.text.split_whitespace().count();
            let _ = write!(
                out,
                "<p class=\"small soft\">The article as it is exported, {}.</p><iframe sandbox title=\"The article, as extracted\" srcdoc=\"{}\"></iframe>",
                plural(words as u64, "word"),
                Text(&frame(&extracted, None))
            );
        }
        None => out.push_str("<p class=\"note\">No article.</p>"),
    }
    out.push_str("</section></div>\n");
}

/// Why each block and list of links was kept or not.
fn decisions(out: &mut String, why: &Explanation, found: &Blocks) {
    let _ = write!(
        out,
        "<section class=\"card\"><h2>Why</h2><p>Type <strong>{}</strong>: it looks like a hub by {:.2}, with the pages of its template by \
         {:.2} (a table of contents above {:.2}: listed by {}, lists its like {:.2}). By itself it is an article with probability {:.2}. {} known.</p><ul class=\"tags\">",
        why.page_type,
        found.own_hub,
        found.hub,
        found.least_hub,
        plural(found.listed.into(), "page"),
        found.peers,
        found.article,
        plural(why.pages, "page")
    );
    for (name, value) in &found.evidence {
        let _ = write!(out, "<li class=\"tag\">{name}: {value:.2}</li>");
    }
    out.push_str("</ul>");
    if let Some((original, share)) = &found.place.repeats {
        let _ = write!(out, "<p>Repeats {} (share of shingles {share:.2}).</p>", Bdi(original));
    }
    if found.place.copies > 0 {
        let _ = write!(out, "<p>Is the original of {}.</p>", plural(found.place.copies as u64, "duplicate"));
    }
    out.push_str(
        "<h3>Blocks</h3><div class=\"tools\" data-filter=\"blocks\" hidden><label>Find<input type=\"search\"></label>\
         <label>Decision<select data-column=\"0\"><option value=\"\">all</option></select></label>\
         <output aria-live=\"polite\" class=\"small soft\"></output></div>\
         <div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"Blocks\"><table id=\"blocks\" data-sort><caption>Chance: all told, from what the page says of the block, \
         what stands in its place on other pages, and on how many pages its text stands there.</caption><thead><tr><th scope=\"col\">Decision</th><th scope=\"col\" class=\"n\">Chance</th><th scope=\"col\">Text</th><th scope=\"col\">Evidence</th><th scope=\"col\">Place</th></tr></thead><tbody>",
    );
    for block in found.blocks.iter().take(MOST_ROWS) {
        let verdict = &block.verdict;
        let (what, class) = if verdict.kept { ("keep", "keep") } else { ("drop", "") };
        let note = if verdict.note.is_empty() { String::new() } else { format!("; {}", verdict.note) };
        let _ = write!(
            out,
            "<tr><td><span class=\"tag {class}\">{what}</span></td><td class=\"n\">{:.2}</td><td class=\"w\">{}</td><td>{}{}</td><td class=\"w small soft\">{}</td></tr>",
            verdict.chance,
            Bdi(&block.text),
            Text(&reason_of(verdict)),
            Text(&note),
            Text(&block.path),
        );
    }
    out.push_str("</tbody></table></div>");
    cut(out, found.blocks.len());
    if !found.links.is_empty() {
        out.push_str("<h3>Lists of links, best first</h3><div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"Lists of links\"><table><thead><tr><th scope=\"col\">Decision</th><th scope=\"col\" class=\"n\">Score</th><th scope=\"col\" class=\"n\">Links</th><th scope=\"col\">Place</th></tr></thead><tbody>");
        for links in found.links.iter().take(20) {
            let (what, class) = if links.taken { ("keep", "toc") } else { ("drop", "") };
            let _ = write!(
                out,
                "<tr><td><span class=\"tag {class}\">{what}</span></td><td class=\"n\">{:.1}</td><td class=\"n\">{}</td><td class=\"w small soft\">{}</td></tr>",
                links.score,
                links.count,
                Text(&links.path)
            );
        }
        out.push_str("</tbody></table></div>");
    }
    out.push_str("</section>\n");
}

/// CII and API over the nodes in document order (WISDOM, Fig. 6).
fn distributions(out: &mut String, dom: &Dom, found: &Tree, kept: Option<&KeptOf>) {
    let end = dom.len() as f64;
    let series = |value: fn(&crate::explain::Node) -> Option<f64>| -> Vec<(f64, f64)> {
        found.nodes.iter().filter_map(|node| Some((node.node as f64, value(node)?))).collect()
    };
    let (cii, api) = (series(|node| node.cii), series(|node| node.mean_api));
    let top = api.iter().map(|point| point.1).fold(1.0, f64::max);
    let shaded = |of: fn(&KeptOf) -> &Vec<(f64, f64)>| kept.map_or(&[][..], |kept| of(kept).as_slice());
    out.push_str("<div class=\"grid\">");
    for plot in [
        Plot {
            caption: "Content information index of the nodes in document order; shaded is what was kept as article",
            axes: ["node", "CII"],
            shape: Shape::Needles,
            ends: [end, 1.0],
            points: &cii,
            shaded: shaded(|kept| &kept.article),
        },
        Plot {
            caption: "Mean anchor precision index of the nodes; shaded are the links of the table of contents",
            axes: ["node", "API"],
            shape: Shape::Needles,
            ends: [end, top],
            points: &api,
            shaded: shaded(|kept| &kept.toc),
        },
    ] {
        let _ =
            write!(out, "<section class=\"card\"><h2>{} distribution</h2>{}</section>", plot.axes[1], figure(&plot));
    }
    out.push_str("</div>\n");
}

fn links(out: &mut String, report: &SiteReport, document: &Document) {
    let Some(toc) = &document.toc else { return };
    let _ = write!(
        out,
        "<section class=\"card\"><h2>Table of contents</h2><div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"Table of contents\"><table id=\"toc\" data-sort><caption>{}</caption><thead><tr><th scope=\"col\">Link</th><th scope=\"col\">Target</th><th scope=\"col\" class=\"n\">Score</th></tr></thead><tbody>",
        plural(toc.links.len() as u64, "link")
    );
    for entry in toc.links.iter().take(MOST_ROWS) {
        let target = report
            .row_of(&entry.url)
            .map_or_else(|| Address(&entry.url).to_string(), |at| list::link(report, at, "../"));
        let _ = write!(
            out,
            "<tr><td class=\"w\">{}</td><td class=\"w\">{target}</td><td class=\"n\">{:.2}</td></tr>",
            Bdi(&beginning(&entry.text, CELL)),
            entry.score
        );
    }
    out.push_str("</tbody></table></div>");
    cut(out, toc.links.len());
    out.push_str("</section>\n");
}

fn records(out: &mut String, at: usize, list: &DocumentList) {
    let _ = write!(
        out,
        "<section class=\"card\"><h2>Records{}</h2><div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"Records {}\"><table id=\"records-{at}\" data-sort><caption>{} in <code>{}</code>, score {:.2}</caption><thead><tr>",
        if at == 0 { String::new() } else { format!(", list {}", at + 1) },
        at + 1,
        plural(list.records.len() as u64, "record"),
        Text(&list.path),
        list.score
    );
    for (number, column) in list.columns.iter().enumerate() {
        let class = if matches!(column.kind, "number" | "price") { " class=\"n\"" } else { "" };
        let name = column.name.clone().unwrap_or_else(|| format!("{} {}", column.kind, number + 1));
        let _ = write!(out, "<th scope=\"col\"{class}>{}</th>", Bdi(&beginning(&name, 40)));
    }
    out.push_str("</tr></thead><tbody>");
    for row in list.table.iter().take(MOST_ROWS) {
        out.push_str("<tr>");
        for cell in row {
            let _ = write!(out, "<td dir=\"auto\">{}</td>", Text(&beginning(cell, CELL)));
        }
        out.push_str("</tr>");
    }
    out.push_str("</tbody></table></div>");
    cut(out, list.table.len());
    out.push_str("</section>\n");
}

fn coverage(out: &mut String, measured: &Explanation, found: &Tree) {
    let _ = writeln!(
        out,
        "<section class=\"card\"><h2>Coverage tree</h2><p class=\"small soft\">What method {} measures: words outside (CLEN) and inside \
         anchors (ALEN), how new the terms are (CII), how evenly the children share it (SII), how much anchors say of the pages \
         behind them (API). Language {}, {} known.</p><div class=\"tools\" data-fold=\"tree\" hidden><button type=\"button\">Unfold all</button><button type=\"button\">Fold all</button></div>{}</section>",
        measured.method,
        Text(&found.language),
        plural(measured.pages, "page"),
        tree(found)
    );
}

fn cut(out: &mut String, rows: usize) {
    if rows > MOST_ROWS {
        let _ = write!(out, "<p class=\"note\">Left out here: {} more.</p>", number((rows - MOST_ROWS) as u64));
    }
}
