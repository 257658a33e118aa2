//! `wisdom export`.

use super::{Ended, keys, open, plural, store_flag, tell_failures, with_bar, write_file};
use crate::args::{Export, Format};
use crate::bar::Unit;
use anyhow::{Context, Result};
use std::io::{BufWriter, Write};
use std::path::Path;
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

/// Writes the export to a file.
pub(super) fn to_file(store: &Store, keys: &[String], format: Format, path: &Path, talk: bool) -> Result<Report> {
    write_file(path, |out| write(store, keys, format, out, talk))
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
