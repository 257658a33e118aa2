//! `wisdom report`.

use super::{Ended, keys, open, outside, plural, store_flag, tell_failures, with_bar};
use crate::args::Report;
use crate::bar::Unit;
use anyhow::{Context, Result};
use wisdom::report::{ReportOptions, write_report};

pub(crate) fn run(args: &Report, talk: bool) -> Result<Ended> {
    let store = open(&args.which.store)?;
    let keys = keys(&store, &args.which)?;
    outside(&args.which.store.store, &args.out)?;
    let options = ReportOptions { pages: args.pages };
    let written =
        with_bar(talk, "report", Unit::Pages, |progress| write_report(&store, &keys, &args.out, options, progress));
    let report = written.context("making the report")?;
    tell_failures(&report);
    if report.skipped > 0 {
        let flag = store_flag(&args.which.store.store);
        eprintln!(
            "warning: {} not mined, so shown as the model sees them: run wisdom mine{flag} first",
            plural(report.skipped, "page")
        );
    }
    if talk {
        eprintln!("wrote {}: open {}", plural(report.done, "page"), args.out.join("index.html").display());
    }
    Ok(Ended::of(&report))
}
