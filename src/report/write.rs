//! A report as a folder of files.

use super::{ListedSite, Scope, Shell, SiteReport, escape, page, site_list};
use crate::export::{ExportError, FolderDraft};
use crate::pipeline::PipelineError;
use crate::progress::{Progress, Report};
use crate::store::{SiteStore, Store, StoreError};
use rayon::prelude::*;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering;

/// The format that a report's folder is marked with.
const FORMAT: &str = "report";
/// Views that are made at once.
const GROUP: usize = 64;

/// How a report is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ReportOptions {
    /// Pages of a site that have a view of their own at most, some of each kind.
    pub pages: usize,
}

impl Default for ReportOptions {
    fn default() -> Self {
        Self { pages: 1000 }
    }
}

/// Why a report was not written.
#[derive(Debug, thiserror::Error)]
pub enum ReportError {
    /// The store, or what was mined.
    #[error(transparent)]
    Pipeline(#[from] PipelineError),
    /// The store.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The folder is there and is no report.
    #[error("{} holds something else than a report; it is not replaced: name a new or an empty folder", dir.display())]
    Foreign {
        /// The folder.
        dir: PathBuf,
    },
    /// The folder cannot be made or moved.
    #[error(transparent)]
    Folder(ExportError),
    /// A file could not be written.
    #[error("cannot write {}: {source}", path.display())]
    Write {
        /// The file.
        path: PathBuf,
        /// The cause.
        source: io::Error,
    },
}

impl From<ExportError> for ReportError {
    fn from(error: ExportError) -> Self {
        match error {
            ExportError::NotOurs { path } => Self::Foreign { dir: path },
            error => Self::Folder(error),
        }
    }
}

/// Writes the report of some sites of a store into a folder, in place of an earlier report there: of one site its files, of
/// several a list and a folder for each. They are written beside it and moved when all are done, so that nobody sees half a
/// report. A page that cannot be read has no view and is a failure in the report that is returned.
///
/// Every page counts as done in `progress` when it is listed, and once more when its view is made.
///
/// The same store gives the same bytes. Memory is that of [`SiteReport::read`] and of some views.
pub fn write_report(
    store: &Store,
    keys: &[String],
    out: &Path,
    options: ReportOptions,
    progress: &Progress,
) -> Result<Report, ReportError> {
    let folder = FolderDraft::begin(out, FORMAT)?;
    let report = write_all(store, keys, folder.path(), options, progress)?;
    folder.commit()?;
    Ok(report)
}

fn write_all(
    store: &Store,
    keys: &[String],
    dir: &Path,
    options: ReportOptions,
    progress: &Progress,
) -> Result<Report, ReportError> {
    if let [key] = keys {
        return Ok(write_site(store, key, dir, options, None, progress)?.0);
    }
    let mut report = Report::default();
    let mut listed = Vec::new();
    for key in keys {
        let (one, pages) = write_site(store, key, &dir.join(key), options, Some("../index.html"), progress)?;
        report.merge(one);
        let note = escape::plural(pages, "page");
        listed.push(ListedSite { key: key.clone(), href: format!("{key}/index.html"), note });
    }
    put(&dir.join("index.html"), &site_list(&listed))?;
    Ok(report)
}

fn write_site(
    store: &Store,
    key: &str,
    dir: &Path,
    options: ReportOptions,
    sites: Option<&'static str>,
    progress: &Progress,
) -> Result<(Report, u64), ReportError> {
    let site = store.site(key)?;
    let views = site.n_pages().min(options.pages as u64);
    progress.total.fetch_add(site.n_pages() + views, Ordering::Relaxed);
    let mut made = SiteReport::read(&site, key, &Scope { pages: options.pages, live: false, sites }, progress)?;
    make_dir(&dir.join("pages"))?;
    // The list of pages has their titles, which their views tell.
    let mut report = write_views(&mut made, &site, dir, progress)?;
    for name in made.files() {
        if let Some(html) = made.file(&site, &name)? {
            put(&dir.join(&name), &html)?;
        }
    }
    report.skipped += made.facts.unmined;
    site.close()?;
    Ok((report, made.rows.len() as u64))
}

fn write_views(
    made: &mut SiteReport,
    site: &SiteStore,
    dir: &Path,
    progress: &Progress,
) -> Result<Report, ReportError> {
    let mut report = Report::default();
    let places: Vec<usize> = (0..made.rows.len()).filter(|&at| made.has_view(at)).collect();
    for group in places.chunks(GROUP) {
        let shared = &*made;
        let views: Vec<Result<Option<String>, ReportError>> = group
            .par_iter()
            .map(|&at| {
                let Some(view) = shared.view(site, at)? else { return Ok(None) };
                put(&path_of(shared, dir, at), &view.html)?;
                progress.add(1, 0);
                Ok(Some(view.title))
            })
            .collect();
        for (&at, view) in group.iter().zip(views) {
            match view {
                Ok(title) => {
                    made.titles.extend(title.map(|title| (at, title)));
                    report.done += 1;
                }
                Err(error @ ReportError::Write { .. }) => return Err(error),
                Err(error) => {
                    progress.add(0, 1);
                    report.fail(&made.rows[at].url, &error);
                    put(&path_of(made, dir, at), &not_shown(made, at, &error))?;
                }
            }
        }
    }
    Ok(report)
}

fn path_of(made: &SiteReport, dir: &Path, at: usize) -> PathBuf {
    dir.join(format!("pages/{}.html", made.rows[at].document))
}

/// What stands in the place of a view that could not be made.
fn not_shown(made: &SiteReport, at: usize, error: &ReportError) -> String {
    let shell = Shell {
        title: "Not shown",
        site: &made.key,
        file: "pages.html",
        up: "../",
        sites: made.sites,
        live: made.live,
    };
    let text = format!("{} cannot be shown: {error}", made.rows[at].url);
    page(&shell, &format!("<h1>Not shown</h1><p class=\"url\">{}</p>", escape::Text(&text)))
}

fn make_dir(dir: &Path) -> Result<(), ReportError> {
    fs::create_dir_all(dir).map_err(|source| ReportError::Write { path: dir.to_path_buf(), source })
}

fn put(path: &Path, text: &str) -> Result<(), ReportError> {
    fs::write(path, text).map_err(|source| ReportError::Write { path: path.to_path_buf(), source })
}
