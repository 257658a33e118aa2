//! What a crawled site holds, what was kept of it and why, as pages for a browser.
//!
//! [`SiteReport`] makes any page of a report by the name of its file: [`write_report`] writes them all, `serve` answers with
//! them one by one. So both show the same, and links between pages are the same relative ones.
//!
//! Pages of a report ask for nothing: style and script stand in each (`shell`), texts of crawled pages are escaped (`escape`), and
//! the content of a page is written anew from a list of harmless elements and shown in a sandboxed frame (`frame`). They work
//! without the script, which sorts, filters and folds.
mod escape;
mod facts;
mod frame;
mod list;
mod marks;
mod overview;
mod plot;
mod rules;
mod settling;
mod shell;
mod template;
mod terms;
mod tree;
mod view;
mod write;

pub use facts::PageRow;
pub use shell::policy;
pub use write::{ReportError, ReportOptions, write_report};

use crate::explain::Explanation;
use crate::page::Page;
use crate::pipeline::{KnownSite, Method, MineOptions, PipelineError, explain_tree};
use crate::store::{PageId, PageRecord, SiteStore};
use facts::Facts;
use rustc_hash::FxHashMap;
use serde::Serialize;
use shell::{Shell, page};

/// The report of one site: what all its pages need.
#[derive(Debug)]
pub struct SiteReport {
    key: String,
    url: String,
    live: bool,
    /// Where the list of sites is, from the folder of this one.
    sites: Option<&'static str>,
    facts: Facts,
    /// Pages in the order of URLs.
    rows: Vec<PageRow>,
    by_url: FxHashMap<String, usize>,
    by_document: FxHashMap<String, usize>,
    /// Pages that have a view; see `has_view`.
    shown: usize,
    views: Vec<bool>,
    known: Option<KnownSite>,
}

/// How a site is reported.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Scope {
    /// Pages that have a view of their own at most, those closest to the entrance.
    pub pages: usize,
    /// Whether a crawl of the site runs, so that numbers change and nothing is mined.
    pub live: bool,
    /// Where the list of sites is, from the folder of the site; `None` where there is none.
    pub sites: Option<&'static str>,
}

/// Counts of a site, for programs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct SiteCounts {
    /// The site's key.
    pub site: String,
    /// The URL it was made with.
    pub url: String,
    /// Whether a crawl of it runs.
    pub live: bool,
    /// Pages.
    pub pages: u64,
    /// Of these, articles.
    pub articles: u64,
    /// Tables of contents.
    pub tocs: u64,
    /// Pages that repeat others.
    pub duplicates: u64,
    /// Pages that were not mined since they changed.
    pub unmined: u64,
    /// URLs that wait to be fetched.
    pub queued: u64,
    /// URLs that redirect.
    pub redirects: u64,
    /// URLs that are gone.
    pub gone: u64,
    /// URLs that failed.
    pub failed: u64,
    /// URLs that were left out.
    pub skipped: u64,
}

impl SiteReport {
    /// Reads what all pages of the report need. Time as of mining again where the site was mined by `auto`, else linear in
    /// its pages; memory for a row a page, and for what mining keeps in memory.
    pub fn read(site: &SiteStore, key: &str, scope: &Scope) -> Result<Self, PipelineError> {
        let (facts, rows) = facts::facts(site)?;
        let known =
            if !scope.live && rows.iter().any(|row| row.method == "auto") { Some(KnownSite::of(site)?) } else { None };
        let mut order: Vec<usize> = (0..rows.len()).collect();
        order.sort_by_key(|&at| rows[at].depth);
        order.truncate(scope.pages);
        let mut views = vec![false; rows.len()];
        for &at in &order {
            views[at] = true;
        }
        Ok(Self {
            key: key.to_owned(),
            url: site.url().to_owned(),
            live: scope.live,
            sites: scope.sites,
            facts,
            by_url: rows.iter().enumerate().map(|(at, row)| (row.url.clone(), at)).collect(),
            by_document: rows.iter().enumerate().map(|(at, row)| (row.document.clone(), at)).collect(),
            rows,
            shown: order.len(),
            views,
            known,
        })
    }

    /// The pages of the site in the order of URLs.
    pub fn rows(&self) -> &[PageRow] {
        &self.rows
    }

    /// The place of a document among [`rows`](Self::rows).
    pub fn row_of_document(&self, id: &str) -> Option<usize> {
        self.by_document.get(id).copied()
    }

    /// What the site holds.
    pub fn counts(&self) -> SiteCounts {
        let facts = &self.facts;
        let of = |kind: &str| facts.types.get(kind).copied().unwrap_or(0);
        SiteCounts {
            site: self.key.clone(),
            url: self.url.clone(),
            live: self.live,
            pages: self.rows.len() as u64,
            articles: of("article"),
            tocs: of("toc"),
            duplicates: facts.duplicates,
            unmined: facts.unmined,
            queued: facts.queued,
            redirects: facts.redirects.count,
            gone: facts.gone.count,
            failed: facts.failed.count,
            skipped: facts.skipped.count,
        }
    }

    /// Why the page at a place of [`rows`](Self::rows) was understood as it was: by `auto` where it was mined so, else by what the
    /// model says of it. `None` where it has gone since.
    pub fn explain(&self, site: &SiteStore, at: usize) -> Result<Option<Explanation>, PipelineError> {
        let Some((id, record)) = self.rows.get(at).map(|row| site.page(&row.url)).transpose()?.flatten() else {
            return Ok(None);
        };
        if let Some(known) = &self.known
            && self.rows[at].method == "auto"
        {
            return Ok(Some(known.explain(site, &record)?));
        }
        self.measure(site, at, id, &record, &site.read_page(&record)?).map(Some)
    }

    /// The coverage tree of a page, by the method that it was mined by where that is one of WISDOM's.
    fn measure(
        &self,
        site: &SiteStore,
        at: usize,
        id: PageId,
        record: &PageRecord,
        page: &Page,
    ) -> Result<Explanation, PipelineError> {
        let method = if self.rows[at].method == "paper" { Method::Paper } else { Method::Wisdom };
        explain_tree(site, id, record, page, &MineOptions::from(method))
    }

    /// The files of the report but for the views of pages.
    pub fn files(&self) -> Vec<String> {
        let fixed = ["index.html", "terms.html", "template.html", "rules.html"].map(str::to_owned);
        fixed.into_iter().chain((0..list::parts(self)).map(list::file_name)).collect()
    }

    /// A file of the report: one of [`files`](Self::files), or `pages/ID.html` with the `id` of a document. `None` for any other
    /// name.
    pub fn file(&self, site: &SiteStore, name: &str) -> Result<Option<String>, PipelineError> {
        if let Some(id) = name.strip_prefix("pages/").and_then(|rest| rest.strip_suffix(".html")) {
            let Some(at) = self.row_of_document(id).filter(|&at| self.views[at]) else { return Ok(None) };
            let made = view::view(self, site, at)?;
            return Ok(made.map(|(title, body)| self.page(&title, "pages.html", "../", &body)));
        }
        let (title, body) = match name {
            "index.html" => ("Overview", overview::overview(self, site)?),
            "terms.html" => ("Terms", terms::terms(site)?),
            "template.html" => ("Template", template::template(site, &self.rows)?),
            "rules.html" => ("Rules", rules::rules(self, site)?),
            _ => {
                let part = (0..list::parts(self)).find(|&part| list::file_name(part) == name);
                let Some(body) = part.and_then(|part| list::list(self, part)) else { return Ok(None) };
                return Ok(Some(self.page("Pages", "pages.html", "", &body)));
            }
        };
        Ok(Some(self.page(title, name, "", &body)))
    }

    fn page(&self, title: &str, file: &str, up: &str, body: &str) -> String {
        page(&Shell { title, site: &self.key, file, up, sites: self.sites, live: self.live }, body)
    }

    fn row_of(&self, url: &str) -> Option<usize> {
        self.by_url.get(url).copied()
    }

    fn has_view(&self, at: usize) -> bool {
        self.views[at]
    }

    fn truncated(&self) -> bool {
        self.shown < self.rows.len()
    }
}

/// A site in the list of sites.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ListedSite {
    /// Its key.
    pub key: String,
    /// Where its report is.
    pub href: String,
    /// What is told of it beside its name.
    pub note: String,
}

/// The page that lists sites.
pub fn site_list(sites: &[ListedSite]) -> String {
    use std::fmt::Write as _;
    let mut body = String::from(
        "<h1>Sites</h1>\n<div class=\"card scroll\" tabindex=\"0\" role=\"region\" aria-label=\"Sites\"><table id=\"sites\" data-sort><thead><tr><th scope=\"col\">Site</th><th scope=\"col\">What it holds</th></tr></thead><tbody>",
    );
    for site in sites {
        let _ = write!(
            body,
            "<tr><td><a href=\"{}\">{}</a></td><td>{}</td></tr>",
            escape::Text(&site.href),
            escape::Bdi(&site.key),
            escape::Text(&site.note)
        );
    }
    body.push_str("</tbody></table></div>");
    if sites.is_empty() {
        body.push_str("<p class=\"note\">The store holds no site.</p>");
    }
    page(&Shell { title: "Sites", site: "", file: "", up: "", sites: None, live: false }, &body)
}

/// A page that says why there is none.
pub fn trouble(title: &str, text: &str) -> String {
    let body = format!("<h1>{}</h1><p>{}</p>", escape::Text(title), escape::Text(text));
    page(&Shell { title, site: "", file: "", up: "", sites: Some("/"), live: false }, &body)
}
