//! The containers that were learned: the rules of `wisdom rules`.

use super::SiteReport;
use super::escape::{Bdi, Text, number, plural};
use super::list;
use crate::pipeline::{PipelineError, site_rules};
use crate::progress::Progress;
use crate::site::{Rule, RuleFile, RuleKind, RuleSelector};
use crate::store::SiteStore;
use std::fmt::Write as _;

/// Pages that rules are measured on, spread evenly over the site: enough that a share is right to two in a hundred.
const MOST_MEASURED: usize = 2000;

/// The body of the page. As long as learning rules from so many pages takes, and one look at what was mined of all.
pub(super) fn rules(report: &SiteReport, site: &SiteStore) -> Result<String, PipelineError> {
    let mut out = String::from("<h1>Rules</h1>\n");
    if report.live {
        out.push_str("<p class=\"note\">Rules are learned from a site that is crawled and mined; this one is still being crawled.</p>");
        return Ok(out);
    }
    match site_rules(site, &report.key, MOST_MEASURED, &Progress::default()) {
        Ok((file, _)) => write_rules(&mut out, report, &file),
        Err(error @ (PipelineError::NotMined { .. } | PipelineError::OtherMethod { .. })) => {
            let _ = write!(out, "<p class=\"note\">{}.</p>", Text(&error.to_string()));
        }
        Err(error) => return Err(error),
    }
    Ok(out)
}

fn write_rules(out: &mut String, report: &SiteReport, file: &RuleFile) {
    let spread = if report.rows.len() > MOST_MEASURED {
        format!(", spread evenly over the site's {}", number(report.rows.len() as u64))
    } else {
        String::new()
    };
    let _ = write!(
        out,
        "<p>Which elements hold what pages say, as selectors that fit pages nobody mined; measured on {}{spread}. <code>wisdom \
         rules</code> writes them for programs.</p>",
        plural(u64::from(file.pages), "page")
    );
    if file.rules.is_empty() {
        out.push_str("<p class=\"note\">No rule agrees with mining well enough.</p>");
    }
    for rule in &file.rules {
        one(out, report, rule);
    }
}

fn one(out: &mut String, report: &SiteReport, rule: &Rule) {
    let (kind, class) = match rule.kind {
        RuleKind::Article => ("article", "keep"),
        RuleKind::Toc => ("toc", "toc"),
    };
    let support = &rule.support;
    let _ = write!(
        out,
        "<section class=\"card\"><h2>{} <span class=\"tag {class}\">{kind}</span></h2><p class=\"small\">Selects something on {}; \
         {} of these by mining: {}. Agrees with mining by {:.3}.</p>",
        Bdi(&rule.name),
        plural(u64::from(support.matches), "page"),
        if rule.kind == RuleKind::Article { "articles" } else { "tables of contents" },
        number(u64::from(support.pages)),
        support.confidence,
    );
    selectors(out, "Select", &rule.select);
    if !rule.exclude.is_empty() {
        selectors(out, "Exclude", &rule.exclude);
    }
    if let Some(at) = report.row_of(&rule.example) {
        let _ = write!(out, "<p class=\"small\">Example: {}</p>", list::link(report, at, ""));
    }
    out.push_str("</section>\n");
}

fn selectors(out: &mut String, title: &str, selectors: &[RuleSelector]) {
    let _ = write!(out, "<h3>{title}</h3>");
    for selector in selectors {
        let _ = write!(
            out,
            "<pre>{}</pre><details class=\"small\"><summary>XPath</summary><pre>{}</pre></details>",
            Text(&selector.css),
            Text(&selector.xpath)
        );
    }
}
