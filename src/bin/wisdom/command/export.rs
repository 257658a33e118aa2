//! `wisdom export`.

use super::{Ended, keys, open, plural, store_flag, tell_failures, with_bar};
use crate::args::{Export, Format};
use crate::bar::Unit;
use anyhow::{Context, Result};
use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};
use wisdom::export::write_jsonl;
use wisdom::progress::Report;
use wisdom::store::Store;

pub(crate) fn run(args: &Export, talk: bool) -> Result<Ended> {
    let store = open(&args.which.store)?;
    let keys = keys(&store, &args.which)?;
    let report = match &args.out {
        None => {
            let mut out = BufWriter::new(std::io::stdout().lock());
            write(&store, &keys, args.format, &mut out, talk)?
        }
        Some(path) => to_file(&store, &keys, args.format, path, talk)?,
    };
    tell_failures(&report);
    if report.skipped > 0 {
        let store = store_flag(&args.which.store.store);
        eprintln!(
            "warning: {} not mined, so without text: run wisdom mine{store} first",
            plural(report.skipped, "page")
        );
    }
    if talk && let Some(path) = &args.out {
        eprintln!("exported {} to {}", plural(report.done, "document"), path.display());
    }
    Ok(Ended::of(&report))
}

/// Writes beside the target and renames, so that a reader never sees half an export.
pub(super) fn to_file(store: &Store, keys: &[String], format: Format, path: &Path, talk: bool) -> Result<Report> {
    let mut next = path.as_os_str().to_owned();
    next.push(".part");
    let next = PathBuf::from(next);
    let file = File::create(&next).with_context(|| format!("cannot write {}", next.display()))?;
    let mut out = BufWriter::new(file);
    let written = write(store, keys, format, &mut out, talk);
    let written = written.and_then(|report| {
        out.into_inner().map_err(std::io::IntoInnerError::into_error)?.sync_all()?;
        Ok(report)
    });
    match written {
        Ok(report) => {
            std::fs::rename(&next, path).with_context(|| format!("cannot write {}", path.display()))?;
            Ok(report)
        }
        Err(error) => {
            // What was written is of no use; if it cannot be removed, the error at hand says more.
            let _ = std::fs::remove_file(&next);
            Err(error)
        }
    }
}

fn write(store: &Store, keys: &[String], format: Format, out: &mut dyn Write, talk: bool) -> Result<Report> {
    let mut report = Report::default();
    for key in keys {
        let site = store.site(key)?;
        let written = with_bar(talk, &format!("export {key}"), Unit::Pages, |progress| match format {
            Format::Jsonl => write_jsonl(&site, key, out, progress),
        });
        report.merge(written.with_context(|| format!("exporting {key}"))?);
        site.close()?;
    }
    Ok(report)
}
