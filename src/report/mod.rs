//! What a crawled site holds, what was kept of it and why, as pages for a browser.
//!
//! [`SiteReport`] makes any page of a report by the name of its file: [`write_report`] writes them all, `serve` answers with
//! them one by one. So both show the same, and links between pages are the same relative ones.
//!
//! Pages of a report ask for nothing: style and script stand in each (`shell`), texts of crawled pages are escaped (`escape`), and
//! the content of a page is written anew from a list of harmless elements and shown in a sandboxed frame (`frame`). They work
//! without the script, which sorts, filters and folds.
mod choice;
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
use crate::progress::Progress;
use crate::store::{PageId, PageRecord, SiteStore};
use choice::chosen;
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
    /// Places of rows, in the order of the text of their URLs and of the ids of their documents.
    by_url: Vec<u32>,
    by_document: Vec<u32>,
    /// Pages that have a view; see `has_view`.
    shown: usize,
    views: Vec<bool>,
    /// The titles of pages, by places of rows, as far as anyone has looked at them.
    titles: FxHashMap<usize, String>,
    known: Option<KnownSite>,
}

/// How a site is reported.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Scope {
    /// Pages that have a view of their own at most, some of each kind.
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
    /// its pages; memory for a row a page, and for what mining keeps in memory. Each row counts as done in `progress`.
    pub fn read(site: &SiteStore, key: &str, scope: &Scope, progress: &Progress) -> Result<Self, PipelineError> {
        let (facts, rows) = facts::facts(site, progress)?;
        let known =
            if !scope.live && rows.iter().any(|row| row.method == "auto") { Some(KnownSite::of(site)?) } else { None };
        let views = chosen(&rows, scope.pages);
        Ok(Self {
            key: key.to_owned(),
            url: site.url().to_owned(),
            live: scope.live,
            sites: scope.sites,
            facts,
            by_url: sorted(&rows, |row| &row.url),
            by_document: sorted(&rows, |row| &row.document),
            rows,
            shown: views.iter().filter(|view| **view).count(),
            views,
            titles: FxHashMap::default(),
            known,
        })
    }

    /// The pages of the site in the order of URLs.
    pub fn rows(&self) -> &[PageRow] {
        &self.rows
    }

    /// The place of a document among [`rows`](Self::rows).
    pub fn row_of_document(&self, id: &str) -> Option<usize> {
        found(&self.rows, &self.by_document, id, |row| &row.document)
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
        let method = Method::named(&self.rows[at].method).filter(|method| *method != Method::Auto);
        explain_tree(site, id, record, page, &MineOptions::from(method.unwrap_or(Method::Wisdom)))
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
            return Ok(self.view(site, at)?.map(|view| view.html));
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

    /// The view of the page at a place of the rows; `None` where it has gone since.
    fn view(&self, site: &SiteStore, at: usize) -> Result<Option<View>, PipelineError> {
        let made = view::view(self, site, at)?;
        Ok(made.map(|(title, body)| View { html: self.page(&title, "pages.html", "../", &body), title }))
    }

    fn page(&self, title: &str, file: &str, up: &str, body: &str) -> String {
        page(&Shell { title, site: &self.key, file, up, sites: self.sites, live: self.live }, body)
    }

    fn row_of(&self, url: &str) -> Option<usize> {
        found(&self.rows, &self.by_url, url, |row| &row.url)
    }

    fn has_view(&self, at: usize) -> bool {
        self.views[at]
    }

    fn truncated(&self) -> bool {
        self.shown < self.rows.len()
    }
}

/// A page's view, made.
struct View {
    title: String,
    html: String,
}

/// Places of rows in the order of one of their texts.
fn sorted(rows: &[PageRow], text: impl Fn(&PageRow) -> &str) -> Vec<u32> {
    let mut order: Vec<u32> = (0..).take(rows.len()).collect();
    order.sort_unstable_by(|&a, &b| text(&rows[a as usize]).cmp(text(&rows[b as usize])));
    order
}

/// The place of the row with a text, in such an order.
fn found(rows: &[PageRow], order: &[u32], wanted: &str, text: impl Fn(&PageRow) -> &str) -> Option<usize> {
    let at = order.binary_search_by(|&at| text(&rows[at as usize]).cmp(wanted)).ok()?;
    order.get(at).map(|&at| at as usize)
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
