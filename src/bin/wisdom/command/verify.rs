//! `wisdom verify`.

use super::{Ended, keys, open, plural, with_bar};
use crate::args::Which;
use crate::bar::Unit;
use anyhow::{Context, Result};
use std::io::Write;
use wisdom::pipeline::verify_site;

/// Problems that are told one by one.
const TOLD: usize = 20;

pub(crate) fn run(args: &Which, talk: bool) -> Result<Ended> {
    let store = open(&args.store)?;
    let mut out = std::io::stdout().lock();
    let mut ended = Ended::Done;
    for key in keys(&store, args)? {
        let site = store.site(&key)?;
        let report = with_bar(talk, &format!("verify {key}"), Unit::Pages, |progress| verify_site(&site, progress))
            .with_context(|| format!("verifying {key}"))?;
        let digest = data_encoding::HEXLOWER.encode(&site.model_digest()?);
        site.close()?;
        for problem in report.problems.iter().take(TOLD) {
            eprintln!("problem: {key}: {problem}");
        }
        let rest = report.problems.len().saturating_sub(TOLD);
        if rest > 0 {
            eprintln!("problem: {key}: {rest} more");
        }
        if report.problems.is_empty() {
            writeln!(out, "{key}: sound, {}, {} keys, model {digest}", plural(report.pages, "page"), report.keys)?;
        } else {
            writeln!(
                out,
                "{key}: {}; wisdom rebuild makes the model anew",
                plural(report.problems.len() as u64, "problem")
            )?;
            ended = Ended::InPart;
        }
    }
    out.flush()?;
    Ok(ended)
}
