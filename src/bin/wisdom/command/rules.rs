//! `wisdom rules`.

use super::{Ended, keys, open, plural, print, store_flag, tell_failures, with_bar, write_file};
use crate::args::Rules;
use crate::bar::Unit;
use anyhow::{Context, Result, bail};
use wisdom::pipeline::site_rules;

pub(crate) fn run(args: &Rules, talk: bool) -> Result<Ended> {
    let store = open(&args.which.store)?;
    let keys = keys(&store, &args.which)?;
    let place = args.which.store.store.display();
    let [key] = keys.as_slice() else {
        bail!(
            "the store {place} holds {}, and rules are those of one; name it, as in --site {}",
            plural(keys.len() as u64, "site"),
            keys.first().map_or("HOST", String::as_str)
        );
    };
    let site = store.site(key)?;
    let found =
        with_bar(talk, &format!("rules {key}"), Unit::Pages, |progress| site_rules(&site, key, usize::MAX, progress));
    let (file, report) = found.with_context(|| format!("learning the rules of {key}"))?;
    site.close()?;
    tell_failures(&report);
    if report.skipped > 0 {
        let flag = store_flag(&args.which.store.store);
        eprintln!(
            "warning: {} not mined, so without a say: run wisdom mine{flag} first",
            plural(report.skipped, "page")
        );
    }
    let mut json = serde_json::to_vec_pretty(&file).context("cannot write rules as JSON")?;
    json.push(b'\n');
    match &args.out {
        None => print(&json)?,
        Some(path) => {
            let cannot = || format!("cannot write {}", path.display());
            write_file(path, |out| out.write_all(&json).with_context(cannot))?;
            Ended::Done
        }
    };
    if talk {
        let what = plural(file.rules.len() as u64, "rule");
        let to = args.out.as_ref().map_or_else(String::new, |path| format!(" to {}", path.display()));
        eprintln!("wrote {what} of {key}, measured on {}{to}", plural(u64::from(file.pages), "page"));
    }
    Ok(Ended::of(&report))
}
