//! A report as a folder of files.

use super::{ListedSite, Scope, SiteReport, site_list};
use crate::pipeline::PipelineError;
use crate::progress::{Progress, Report};
use crate::store::{Store, StoreError};
use rayon::prelude::*;
use std::ffi::OsString;
use std::fs;
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering;

/// The file that tells a report's folder from others.
const NOTE: &str = ".wisdom-report";
/// Views that are made at once.
const GROUP: usize = 64;

/// How a report is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ReportOptions {
    /// Pages of a site that have a view of their own at most, those closest to the entrance.
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
    #[error("{} is there and was not written by wisdom report; name a new or an empty folder", dir.display())]
    Foreign {
        /// The folder.
        dir: PathBuf,
    },
    /// A file could not be written.
    #[error("cannot write {}: {source}", path.display())]
    Write {
        /// The file.
        path: PathBuf,
        /// The cause.
        source: io::Error,
    },
}

/// Writes the report of some sites of a store into a folder, in place of an earlier report there: of one site its files, of
/// several a list and a folder for each. They are written beside it and moved when all are done, so that nobody sees half a
/// report. A page that cannot be read has no view and is a failure in the report that is returned.
///
/// The same store gives the same bytes. Memory is that of [`SiteReport::read`] and of some views.
pub fn write_report(
    store: &Store,
    keys: &[String],
    out: &Path,
    options: ReportOptions,
    progress: &Progress,
) -> Result<Report, ReportError> {
    // A link to a folder goes on leading to the report.
    let out = fs::canonicalize(out).unwrap_or_else(|_| out.components().collect());
    refuse_foreign(&out)?;
    let next = beside(&out, ".part");
    remove(&next)?;
    make_dir(&next)?;
    put(&next.join(NOTE), "written by wisdom report\n")?;
    let written = write_all(store, keys, &next, options, progress).and_then(|report| {
        replace(&next, &out)?;
        Ok(report)
    });
    if written.is_err() {
        // What was written is of no use; if it cannot be removed, the error at hand says more.
        let _ = remove(&next);
    }
    written
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
        let note = super::escape::plural(pages, "page");
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
    let made = SiteReport::read(&site, key, &Scope { pages: options.pages, live: false, sites })?;
    make_dir(&dir.join("pages"))?;
    progress.total.fetch_add(made.shown as u64, Ordering::Relaxed);
    for name in made.files() {
        if let Some(html) = made.file(&site, &name)? {
            put(&dir.join(&name), &html)?;
        }
    }
    let mut report = Report::default();
    let places: Vec<usize> = (0..made.rows.len()).filter(|&at| made.has_view(at)).collect();
    for group in places.chunks(GROUP) {
        let views: Vec<Result<(), ReportError>> = group
            .par_iter()
            .map(|&at| {
                let name = format!("pages/{}.html", made.rows[at].document);
                if let Some(html) = made.file(&site, &name)? {
                    put(&dir.join(&name), &html)?;
                }
                progress.add(1, 0);
                Ok(())
            })
            .collect();
        for (&at, view) in group.iter().zip(views) {
            match view {
                Ok(()) => report.done += 1,
                Err(error @ ReportError::Write { .. }) => return Err(error),
                Err(error) => {
                    progress.add(0, 1);
                    let row = &made.rows[at];
                    report.fail(&row.url, &error);
                    let text = format!("{} cannot be shown: {error}", row.url);
                    let html = super::page(
                        &super::Shell {
                            title: "Not shown",
                            site: key,
                            file: "pages.html",
                            up: "../",
                            sites,
                            live: false,
                        },
                        &format!("<h1>Not shown</h1><p>{}</p>", super::escape::Text(&text)),
                    );
                    put(&dir.join(format!("pages/{}.html", row.document)), &html)?;
                }
            }
        }
    }
    report.skipped += made.facts.unmined;
    site.close()?;
    Ok((report, made.rows.len() as u64))
}

/// An empty folder, or a report, may be replaced; nothing else.
fn refuse_foreign(dir: &Path) -> Result<(), ReportError> {
    let foreign = || ReportError::Foreign { dir: dir.to_path_buf() };
    match fs::read_dir(dir) {
        Ok(mut entries) => {
            let is_ours = entries.next().is_none() || dir.join(NOTE).is_file();
            if is_ours { Ok(()) } else { Err(foreign()) }
        }
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(()),
        Err(error) if error.kind() == ErrorKind::NotADirectory => Err(foreign()),
        Err(source) => Err(ReportError::Write { path: dir.to_path_buf(), source }),
    }
}

/// Moves the new report into place; the old one goes when that is done.
fn replace(next: &Path, out: &Path) -> Result<(), ReportError> {
    let old = beside(out, ".old");
    remove(&old)?;
    let failed = |source| ReportError::Write { path: out.to_path_buf(), source };
    let had = match fs::rename(out, &old) {
        Ok(()) => true,
        Err(error) if error.kind() == ErrorKind::NotFound => false,
        Err(source) => return Err(failed(source)),
    };
    if let Err(source) = fs::rename(next, out) {
        if had {
            // Back to how it was; the first error says more than another.
            let _ = fs::rename(&old, out);
        }
        return Err(failed(source));
    }
    remove(&old)
}

/// A path with something behind its name.
fn beside(path: &Path, end: &str) -> PathBuf {
    let mut name: OsString = path.as_os_str().to_owned();
    name.push(end);
    PathBuf::from(name)
}

fn make_dir(dir: &Path) -> Result<(), ReportError> {
    fs::create_dir_all(dir).map_err(|source| ReportError::Write { path: dir.to_path_buf(), source })
}

fn put(path: &Path, text: &str) -> Result<(), ReportError> {
    fs::write(path, text).map_err(|source| ReportError::Write { path: path.to_path_buf(), source })
}

/// Deletes what an earlier run left, which has its note in it; nothing where there is none.
fn remove(dir: &Path) -> Result<(), ReportError> {
    refuse_foreign(dir)?;
    match fs::remove_dir_all(dir) {
        Err(error) if error.kind() != ErrorKind::NotFound => {
            Err(ReportError::Write { path: dir.to_path_buf(), source: error })
        }
        _ => Ok(()),
    }
}
