//! `wisdom rebuild`.

use super::{Ended, keys, open, plural, store_flag, terms, with_bar};
use crate::args::Rebuild;
use crate::bar::Unit;
use anyhow::{Context, Result};
use wisdom::pipeline::rebuild_site;
use wisdom::store::RebuiltFrom;

pub(crate) fn run(args: &Rebuild, talk: bool) -> Result<Ended> {
    let given = args.terms.keep_numbers || args.terms.stopwords.is_some();
    let settings = if given { Some(terms(&args.terms)?) } else { None };
    let store = open(&args.which.store)?;
    let mut ended = Ended::Done;
    for key in keys(&store, &args.which)? {
        let report = with_bar(talk, &format!("rebuild {key}"), Unit::Pages, |progress| {
            rebuild_site(&store, &key, settings.as_ref(), progress)
        })
        .with_context(|| format!("rebuilding {key}"))?;
        for url in &report.lost {
            eprintln!("lost: {url}: the archive no longer holds it; it is queued again");
        }
        for what in &report.broken {
            eprintln!("broken: {what}");
        }
        if report.from == RebuiltFrom::Archive {
            eprintln!(
                "warning: the old model of {key} could not be read: all archived pages count, and the queue is lost"
            );
        }
        if talk {
            let next = store_flag(&args.which.store.store);
            eprintln!("rebuilt {key} from {}; next: wisdom mine{next}", plural(report.pages, "page"));
        }
        if !report.lost.is_empty() || !report.broken.is_empty() {
            ended = Ended::InPart;
        }
    }
    Ok(ended)
}
