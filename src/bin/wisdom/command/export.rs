//! `wisdom export`.

use super::{Ended, keys, open, plural, store_flag, tell_failures, with_bar};
use crate::args::{Export, Format};
use crate::bar::Unit;
use anyhow::{Context, Result, bail};
use std::io::BufWriter;
use std::path::Path;
use wisdom::export::{Jsonl, Output, ParquetSink, SearchIndexSink, Sink, Summary, export_site};
use wisdom::progress::Report;
use wisdom::store::Store;

pub(crate) fn run(args: &Export, talk: bool) -> Result<Ended> {
    let store = open(&args.which.store)?;
    let keys = keys(&store, &args.which)?;
    let sink = sink(args)?;
    let (report, summary) = export(&store, &keys, sink, talk)?;
    tell_failures(&report);
    if report.skipped > 0 {
        let store = store_flag(&args.which.store.store);
        eprintln!(
            "warning: {} not mined, so without text: run wisdom mine{store} first",
            plural(report.skipped, "page")
        );
    }
    if talk && let Some(path) = &args.out {
        eprintln!("exported {} to {}", plural(summary.written, "document"), path.display());
    }
    Ok(Ended::of(&report))
}

/// The sink that the command line asks for.
fn sink(args: &Export) -> Result<Box<dyn Sink>> {
    let out = || output(args.out.as_deref());
    Ok(match args.format {
        Format::Jsonl => Box::new(Jsonl::new(out()?)),
        Format::Tantivy => Box::new(SearchIndexSink::create(folder(args)?)?),
        Format::Parquet => Box::new(ParquetSink::create(folder(args)?)?),
    })
}

/// The folder that a format of several files is written to.
fn folder(args: &Export) -> Result<&Path> {
    match &args.out {
        Some(out) => Ok(out),
        None => bail!("this format is a folder of files; name it by --out DIR"),
    }
}

fn output(path: Option<&Path>) -> Result<Output> {
    match path {
        Some(path) => Ok(Output::at(path)?),
        None => Ok(Output::Stream(Box::new(BufWriter::with_capacity(1 << 16, std::io::stdout())))),
    }
}

/// Writes the documents of sites to a file of JSON lines.
pub(super) fn to_file(store: &Store, keys: &[String], path: &Path, talk: bool) -> Result<Report> {
    let (report, _) = export(store, keys, Box::new(Jsonl::new(Output::at(path)?)), talk)?;
    Ok(report)
}

/// Sends the documents of sites to a sink, to its end.
fn export(store: &Store, keys: &[String], mut sink: Box<dyn Sink>, talk: bool) -> Result<(Report, Summary)> {
    let mut report = Report::default();
    for key in keys {
        let site = store.site(key)?;
        let done = with_bar(talk, &format!("export {key}"), Unit::Pages, |progress| {
            export_site(&site, key, sink.as_mut(), progress)
        });
        report.merge(done.with_context(|| format!("exporting {key}"))?);
        site.close()?;
    }
    Ok((report, sink.finish()?))
}
