//! The pages of a site in tables of bounded length.

use super::SiteReport;
use super::escape::{Address, Bdi, Text, number, plural};
use std::fmt::Write as _;

/// Pages in one file of the list.
pub(super) const LENGTH: usize = 1000;

/// The name of a file of the list, from 0.
pub(super) fn file_name(part: usize) -> String {
    if part == 0 { "pages.html".to_owned() } else { format!("pages-{}.html", part + 1) }
}

/// How many files the list has, at least one.
pub(super) fn parts(report: &SiteReport) -> usize {
    report.rows.len().div_ceil(LENGTH).max(1)
}

/// A page as a link to its view, or as text where it has none.
pub(super) fn link(report: &SiteReport, at: usize, up: &str) -> String {
    linked(report, at, up, Address(path_of(report, &report.rows[at].url)).to_string())
}

fn linked(report: &SiteReport, at: usize, up: &str, shown: String) -> String {
    if report.has_view(at) {
        format!("<a href=\"{up}pages/{}.html\">{shown}</a>", report.rows[at].document)
    } else {
        shown
    }
}

/// A page in the list: its title, where that is known, and its address.
fn entry(report: &SiteReport, at: usize) -> String {
    let url = &report.rows[at].url;
    match report.titles.get(&at).filter(|title| *title != url) {
        None => link(report, at, ""),
        Some(title) => format!(
            "{}<div class=\"small soft\">{}</div>",
            linked(report, at, "", Bdi(title).to_string()),
            Address(path_of(report, url))
        ),
    }
}

/// A URL without the site's address, where it begins with that.
fn path_of<'a>(report: &SiteReport, url: &'a str) -> &'a str {
    let origin = url::Url::parse(&report.url).map(|site| site.origin().ascii_serialization()).unwrap_or_default();
    url.strip_prefix(&origin).filter(|rest| rest.starts_with('/')).unwrap_or(url)
}

/// The body of one file of the list; `None` behind the last.
pub(super) fn list(report: &SiteReport, part: usize) -> Option<String> {
    if part >= parts(report) {
        return None;
    }
    let from = part * LENGTH;
    let to = report.rows.len().min(from + LENGTH);
    let mut out = String::from("<h1>Pages</h1>\n");
    if parts(report) > 1 {
        let _ = write!(
            out,
            "<p class=\"note\">{} to {} of {}, in the order of URLs. Sorting and filtering work on these.</p>",
            number(from as u64 + 1),
            number(to as u64),
            plural(report.rows.len() as u64, "page")
        );
    }
    if report.truncated() {
        let _ = write!(
            out,
            "<p class=\"note\"><strong>Cut:</strong> pages with a page of their own here, and a title: {}.</p>",
            number(report.shown as u64)
        );
    }
    pager(&mut out, report, part);
    out.push_str(
        "<div class=\"tools\" data-filter=\"list\" hidden><label>Find<input type=\"search\"></label>\
         <label>Type<select data-column=\"1\"><option value=\"\">all</option></select></label>\
         <label>Language<select data-column=\"2\"><option value=\"\">all</option></select></label>\
         <label>Duplicates<select data-column=\"8\"><option value=\"\">with and without</option></select></label>\
         <output aria-live=\"polite\" class=\"small soft\"></output></div>\n\
         <div class=\"card scroll\" tabindex=\"0\" role=\"region\" aria-label=\"Pages\"><table id=\"list\" data-sort><thead><tr>\
         <th scope=\"col\">Page</th><th scope=\"col\">Type</th><th scope=\"col\">Language</th><th scope=\"col\" class=\"n\">Depth</th>\
         <th scope=\"col\" class=\"n\">Status</th><th scope=\"col\" class=\"n\">Words</th><th scope=\"col\" class=\"n\">Links</th>\
         <th scope=\"col\" class=\"n\">Records</th><th scope=\"col\">Duplicate</th></tr></thead><tbody>\n",
    );
    for at in from..to {
        let row = &report.rows[at];
        let (kind, class) = match row.page_type.as_str() {
            "article" => ("article", "keep"),
            "toc" => ("toc", "toc"),
            "" => ("not mined", "bad"),
            _ => ("other", ""),
        };
        let duplicate = if row.duplicate_of.is_some() { "yes" } else { "" };
        let _ = writeln!(
            out,
            "<tr><td class=\"w\">{}</td><td><span class=\"tag {class}\">{kind}</span></td><td>{}</td><td class=\"n\">{}</td><td class=\"n\">{}</td><td class=\"n\" data-v=\"{}\">{}</td><td class=\"n\">{}</td><td class=\"n\">{}</td><td>{duplicate}</td></tr>",
            entry(report, at),
            Text(&row.lang),
            row.depth,
            row.status,
            row.words,
            number(row.words),
            row.links,
            row.records,
        );
    }
    out.push_str("</tbody></table></div>\n");
    pager(&mut out, report, part);
    Some(out)
}

fn pager(out: &mut String, report: &SiteReport, part: usize) {
    let parts = parts(report);
    if parts < 2 {
        return;
    }
    // The ends, and what is near: a list of a thousand files has no thousand links.
    let near = |at: &usize| *at == 0 || *at + 1 == parts || at.abs_diff(part) <= 3;
    out.push_str("<nav aria-label=\"Parts of the list\"><ul class=\"pager\">");
    for at in (0..parts).filter(near) {
        let _ = if at == part {
            write!(out, "<li><span aria-current=\"page\">{}</span></li>", at + 1)
        } else {
            write!(out, "<li><a href=\"{}\">{}</a></li>", file_name(at), at + 1)
        };
    }
    out.push_str("</ul></nav>\n");
}
