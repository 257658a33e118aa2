//! `wisdom import`.

use super::{Ended, create, plural, site_url, store_flag, tell_failures, terms, with_bar};
use crate::args::Import;
use crate::bar::Unit;
use anyhow::{Result, bail};
use wisdom::pipeline::{ImportOptions, Method, import};

pub(crate) fn run(args: &Import, talk: bool) -> Result<Ended> {
    let site = args.site.as_deref().map(site_url).transpose()?;
    let method = Method::from(args.method);
    let looks = method == Method::Auto;
    let options = ImportOptions { inputs: args.inputs.clone(), site, terms: terms(&args.terms)?, looks };
    // A store is made only for inputs that are there.
    for input in &options.inputs {
        if !input.exists() {
            bail!("{} does not exist; name a WARC file, a mirror directory or a .jsonl list", input.display());
        }
    }
    let store = create(&args.store)?;
    let report = with_bar(talk, "import", Unit::Bytes, |progress| import(&store, &options, progress))?;
    tell_failures(&report);
    if report.done == 0 && report.failed == 0 {
        bail!(
            "no page was imported ({} passed over); pages must have status 200, be HTML and, with --site, be of its host",
            report.skipped
        );
    }
    if talk {
        let more = if report.skipped > 0 { format!(" ({} passed over)", report.skipped) } else { String::new() };
        let method = if looks { String::new() } else { format!(" --method {}", method.name()) };
        eprintln!(
            "imported {}{more}; next: wisdom mine{}{method}",
            plural(report.done, "page"),
            store_flag(&args.store.store)
        );
    }
    Ok(Ended::of(&report))
}
