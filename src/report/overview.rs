//! The first page of a site: what there is, and how the entropies settled.

use super::escape::{Address, Bdi, Text, number, plural};
use super::facts::Fates;
use super::plot::{Plot, Shape, figure};
use super::settling::{Settling, settling};
use super::{SiteReport, list};
use crate::store::{SiteStore, StoreError};
use std::fmt::Write as _;

/// The body of the page.
pub(super) fn overview(report: &SiteReport, site: &SiteStore) -> Result<String, StoreError> {
    let facts = &report.facts;
    let mut out = format!("<h1>{}</h1>\n", Bdi(&report.url));
    if report.live {
        let _ = write!(
            out,
            "<p class=\"note\" data-live=\"{}\">A crawl is running; the counts below follow it. <span data-count=\"queued\">{}</span> \
             URLs wait. Load this page again for the rest.</p>",
            Text(&format!("/api/sites/{}", report.key)),
            facts.queued
        );
    }
    if report.truncated() {
        let _ = write!(
            out,
            "<p class=\"note\"><strong>Cut:</strong> of {}, {} have a page of their own here: some of each type and kind of address, \
             those closest to the entrance first. <code>--pages</code> sets how many. Counts are of all pages.</p>",
            plural(report.rows.len() as u64, "page"),
            number(report.shown as u64),
        );
    }
    if facts.unmined > 0 && !report.live {
        let _ = write!(
            out,
            "<p class=\"note\">Not mined since they changed: {}. Run <code>wisdom mine</code>, then make this anew.</p>",
            plural(facts.unmined, "page")
        );
    }
    out.push_str("<ul class=\"tiles\">");
    for (name, count, what) in [
        ("pages", report.rows.len() as u64, "pages"),
        ("articles", facts.types.get("article").copied().unwrap_or(0), "articles"),
        ("tocs", facts.types.get("toc").copied().unwrap_or(0), "tables of contents"),
        ("duplicates", facts.duplicates, "duplicates"),
        ("redirects", facts.redirects.count, "redirects"),
        ("gone", facts.gone.count, "gone"),
        ("failed", facts.failed.count, "failed"),
        ("skipped", facts.skipped.count, "left out"),
    ] {
        let _ = write!(out, "<li><b data-count=\"{name}\">{}</b>{what}</li>", number(count));
    }
    out.push_str("</ul>\n");
    if report.rows.is_empty() {
        out.push_str("<p class=\"note\">No page is kept. What became of addresses is told below.</p>");
    } else {
        distributions(&mut out, report, site)?;
    }
    for (title, fates) in [
        ("Failed", &facts.failed),
        ("Gone", &facts.gone),
        ("Redirects", &facts.redirects),
        ("Left out", &facts.skipped),
    ] {
        fates_of(&mut out, title, fates);
    }
    duplicates(&mut out, report);
    Ok(out)
}

/// Pages by what they are, and how the entropies settled.
fn distributions(out: &mut String, report: &SiteReport, site: &SiteStore) -> Result<(), StoreError> {
    let facts = &report.facts;
    out.push_str("<div class=\"grid\">");
    bars(out, "Types of pages", facts.types.iter().map(|(name, count)| (name.clone(), *count)));
    bars(out, "Languages", facts.langs.iter().map(|(name, count)| (name.clone(), *count)));
    bars(out, "Links from the entrance", facts.depths.iter().map(|(depth, count)| (depth.to_string(), *count)));
    bars(out, "Status", facts.statuses.iter().map(|(status, count)| (status.to_string(), *count)));
    out.push_str("</div>\n<section class=\"card\"><h2>How the entropies settled</h2>");
    match settling(site, &report.rows)? {
        None => out.push_str("<p class=\"note\">It takes two pages that share a term to say something of it.</p>"),
        Some(found) => settled(out, &found),
    }
    out.push_str("</section>\n");
    Ok(())
}

fn bars(out: &mut String, title: &str, counts: impl Iterator<Item = (String, u64)>) {
    /// Values that have a bar of their own; the rest are summed up.
    const MOST: usize = 12;
    let mut counts: Vec<(String, u64)> = counts.collect();
    let total: u64 = counts.iter().map(|(_, count)| count).sum();
    if counts.len() > MOST {
        counts.sort_by(|a, b| b.1.cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
        let rest = counts.split_off(MOST - 1);
        counts.push((format!("{} others", rest.len()), rest.iter().map(|(_, count)| count).sum()));
    }
    let _ = write!(
        out,
        "<section class=\"card\"><h2>{title}</h2><table><thead><tr><th scope=\"col\">Value</th><th scope=\"col\"><span class=\"soft\">Share</span></th><th scope=\"col\" class=\"n\">Pages</th></tr></thead><tbody>"
    );
    for (name, count) in counts {
        let share = 100.0 * count as f64 / total.max(1) as f64;
        let _ = write!(
            out,
            "<tr><th scope=\"row\">{name}</th><td><meter min=\"0\" max=\"100\" value=\"{share:.1}\" aria-label=\"share of pages: {name}\">{share:.0} %</meter></td><td class=\"n\">{}</td></tr>",
            number(count),
            name = Text(&name),
        );
    }
    out.push_str("</tbody></table></section>");
}

fn settled(out: &mut String, found: &Settling) {
    let points: Vec<(f64, f64)> = found.points.iter().map(|&(pages, off)| (pages as f64, off)).collect();
    let end = points.last().map_or(1.0, |point| point.0);
    let top = points.iter().map(|point| point.1).fold(0.1, f64::max);
    let plot = Plot {
        caption: "Mean difference of the entropies so far from the final ones, by pages known",
        axes: ["pages known", "mean difference"],
        shape: Shape::Line,
        ends: [end, top],
        points: &points,
        shaded: &[],
    };
    out.push_str(&figure(&plot));
    let from = found.settled.map_or_else(
        || "It is not under 0.1 yet.".to_owned(),
        |pages| format!("It stays under 0.1 from {} on.", plural(pages, "page")),
    );
    let cut = if found.is_cut { " Later pages are not drawn." } else { "" };
    let _ = write!(
        out,
        "<p class=\"small soft\">Pages in the order they were fetched, {} that stand on two pages or more. {from}{cut}</p>",
        plural(found.terms as u64, "term")
    );
}

fn fates_of(out: &mut String, title: &str, fates: &Fates) {
    if fates.count == 0 {
        return;
    }
    let _ = write!(
        out,
        "<details class=\"card\"><summary><strong>{title}</strong> <span class=\"soft\">{}</span></summary><div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"{title}\"><table><thead><tr><th scope=\"col\">URL</th><th scope=\"col\">What is known</th></tr></thead><tbody>",
        plural(fates.count, "URL")
    );
    for (url, what) in &fates.named {
        let _ = write!(out, "<tr><td class=\"w\">{}</td><td class=\"w\">{}</td></tr>", Address(url), Address(what));
    }
    out.push_str("</tbody></table></div>");
    let rest = fates.count - fates.named.len() as u64;
    if rest > 0 {
        let _ = write!(out, "<p class=\"note\">{} more.</p>", number(rest));
    }
    out.push_str("</details>\n");
}

/// Duplicates that are named.
const NAMED: usize = 200;

fn duplicates(out: &mut String, report: &SiteReport) {
    let count = report.facts.duplicates;
    if count == 0 {
        return;
    }
    let _ = write!(
        out,
        "<details class=\"card\"><summary><strong>Duplicates</strong> <span class=\"soft\">{}</span></summary><div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"Duplicates\"><table><thead><tr><th scope=\"col\">Page</th><th scope=\"col\">repeats</th></tr></thead><tbody>",
        plural(count, "page")
    );
    let repeats = report.rows.iter().filter_map(|row| Some((row, row.duplicate_of.as_deref()?)));
    for (row, original) in repeats.take(NAMED) {
        let original =
            report.row_of(original).map_or_else(|| Address(original).to_string(), |at| list::link(report, at, ""));
        let page = report.row_of(&row.url).map_or_else(String::new, |at| list::link(report, at, ""));
        let _ = write!(out, "<tr><td class=\"w\">{page}</td><td class=\"w\">{original}</td></tr>");
    }
    out.push_str("</tbody></table></div>");
    if count > NAMED as u64 {
        let _ = write!(out, "<p class=\"note\">{} more.</p>", number(count - NAMED as u64));
    }
    out.push_str("</details>\n");
}
