//! `wisdom sites`.

use super::{Ended, megabytes, open};
use crate::args::Sites;
use anyhow::Result;
use std::io::Write;
use wisdom::entropy::Table;
use wisdom::pipeline::SiteState;

pub(crate) fn run(args: &Sites) -> Result<Ended> {
    let store = open(&args.store)?;
    let mut out = std::io::stdout().lock();
    let mut ended = Ended::Done;
    writeln!(
        out,
        "{:32} {:>8} {:>8} {:>9} {:>9} {:>9}  crawl",
        "site", "pages", "queued", "terms", "archive", "model"
    )?;
    for info in store.sites()? {
        let sizes = store.sizes(&info.key)?;
        let (archive, model) = (megabytes(sizes.archive), megabytes(sizes.model));
        match store.site(&info.key) {
            Ok(site) => {
                let state = SiteState::of(&site)?;
                let crawl = match (state.crawl, state.finished) {
                    (0, _) => "imported".to_owned(),
                    (n, true) => format!("number {n}, finished"),
                    (n, false) => format!("number {n}, unfinished"),
                };
                let (pages, queued, terms) = (site.n_pages(), site.queue()?.len(), site.n_keys(Table::Terms));
                writeln!(out, "{:32} {pages:>8} {queued:>8} {terms:>9} {archive:>9} {model:>9}  {crawl}", info.key)?;
                site.close()?;
            }
            Err(error) => {
                ended = Ended::InPart;
                writeln!(out, "{:32} {:>8} {:>8} {:>9} {archive:>9} {model:>9}  unreadable", info.key, "-", "-", "-")?;
                eprintln!("failed: {}: {error}", info.key);
            }
        }
    }
    out.flush()?;
    Ok(ended)
}
