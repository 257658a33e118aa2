//! `wisdom mine`.

use super::{Ended, keys, mine_options, open, plural, tell_failures, with_bar};
use crate::args::Mine;
use crate::bar::Unit;
use anyhow::{Context, Result};
use wisdom::pipeline::{Method, MineOptions, mine_site};
use wisdom::store::Store;

pub(crate) fn run(args: &Mine, talk: bool) -> Result<Ended> {
    let options = mine_options(&args.mining, Method::Auto)?;
    let store = open(&args.which.store)?;
    let keys = keys(&store, &args.which)?;
    let mut ended = Ended::Done;
    for key in keys {
        ended = ended.and(one(&store, &key, &options, talk)?);
    }
    Ok(ended)
}

/// Mines one site.
pub(super) fn one(store: &Store, key: &str, options: &MineOptions, talk: bool) -> Result<Ended> {
    let mut site = store.site(key)?;
    let report =
        with_bar(talk, &format!("mine {key}"), Unit::Pages, |progress| mine_site(&mut site, options, progress))
            .with_context(|| format!("mining {key}"))?;
    site.close()?;
    tell_failures(&report);
    if talk {
        let repeated = match report.repeated {
            0 => String::new(),
            1 => "; 1 is a duplicate".to_owned(),
            n => format!("; {n} are duplicates"),
        };
        eprintln!("mined {} of {key} by {}{repeated}", plural(report.done, "page"), options.method.name());
    }
    Ok(Ended::of(&report))
}
