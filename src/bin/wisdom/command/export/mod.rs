//! `wisdom export`.
mod sink;

use super::{Ended, keys, language, open, outside, plural, store_flag, tell_failures, with_bar};
use crate::args::{Export, Format, PageTypeArg};
use crate::bar::Unit;
use anyhow::{Context, Result, bail};
use std::path::Path;
use wisdom::export::{
    Changed, Feed, FeedForm, Filter, Lines, MarkdownFolder, Output, SearchIndexSink, Since, Sink, Summary, export_site,
};
use wisdom::progress::Report;
use wisdom::store::Store;

/// What an export did.
struct Exported {
    report: Report,
    summary: Summary,
    unchanged: u64,
}

pub(crate) fn run(args: &Export, talk: bool) -> Result<Ended> {
    sink::check(args)?;
    let store = open(&args.which.store)?;
    let keys = keys(&store, &args.which)?;
    if args.format == Format::Sitemap && keys.len() > 1 {
        bail!("a sitemap is of one site, and the store holds {}; add --site HOST", keys.len());
    }
    if let Some(out) = &args.out {
        outside(&args.which.store.store, out)?;
    }
    let filter = filter(args)?;
    let sink::Opened { sink, name, shown, settings, is_live } = sink::open(args)?;
    // A folder is brought up to date by a later --changed, so that every export to it notes what it holds.
    let keeps = matches!(args.format, Format::Markdown | Format::Tantivy);
    let since = match is_live {
        _ if !args.changed || is_to_be_made_anew(args) => Since::Never,
        true => Since::LastLive,
        false => Since::Last,
    };
    let memory = (args.changed || keeps).then_some(Memory { name, settings, since });
    let done = export(&store, &keys, sink, &filter, memory.as_ref(), talk)?;
    tell_failures(&done.report);
    let rejected = &done.summary.rejected;
    for document in rejected {
        eprintln!("rejected: {}: {}", document.url, document.reason);
    }
    if done.report.skipped > 0 {
        let store = store_flag(&args.which.store.store);
        eprintln!(
            "warning: {} not mined, so without text: run wisdom mine{store} first",
            plural(done.report.skipped, "page")
        );
    }
    if talk {
        if let Some(place) = shown {
            let more = if args.changed {
                format!(", deleted {}, left {} unchanged", done.summary.removed, done.unchanged)
            } else {
                String::new()
            };
            eprintln!("exported {}{more} to {place}", plural(done.summary.written, "document"));
        }
        for note in &done.summary.notes {
            eprintln!("{note}");
        }
    }
    if !rejected.is_empty() {
        eprintln!("rejected: {} in all", plural(rejected.len() as u64, "document"));
        return Ok(Ended::InPart);
    }
    Ok(Ended::of(&done.report))
}

fn filter(args: &Export) -> Result<Filter> {
    let types = args.types.iter().map(|wanted| match wanted {
        PageTypeArg::Article => "article".to_owned(),
        PageTypeArg::Toc => "toc".to_owned(),
        PageTypeArg::Other => "other".to_owned(),
    });
    // With --changed a language that no page has would empty the sink.
    let langs = args.lang.iter().map(|tag| Ok(language(tag)?.code().to_owned())).collect::<Result<_>>()?;
    Ok(Filter { types: types.collect(), langs, since: args.since })
}

/// Whether what earlier exports have sent is not there any more. A file of changes is handed on, so that it tells nothing; a
/// folder stays.
fn is_to_be_made_anew(args: &Export) -> bool {
    let is_there = |is_there: fn(&Path) -> bool| args.out.as_deref().is_some_and(is_there);
    match args.format {
        Format::Markdown => !is_there(MarkdownFolder::is_there),
        Format::Tantivy => !is_there(SearchIndexSink::is_there),
        _ => false,
    }
}

/// Writes the documents of sites to a file of JSON lines.
pub(super) fn to_file(store: &Store, keys: &[String], path: &Path, talk: bool) -> Result<Report> {
    let feed = Feed::new(FeedForm::Jsonl(None), Lines::one(Output::at(path)?), Some(path));
    Ok(export(store, keys, Box::new(feed), &Filter::default(), None, talk)?.report)
}

/// How the state of `--changed` is found again, and what it must have in common with this export.
struct Memory {
    name: String,
    settings: String,
    since: Since,
}

/// Sends the documents of sites to a sink, to its end.
fn export(
    store: &Store,
    keys: &[String],
    mut sink: Box<dyn Sink>,
    filter: &Filter,
    memory: Option<&Memory>,
    talk: bool,
) -> Result<Exported> {
    let mut report = Report::default();
    let mut states = Vec::new();
    for key in keys {
        let site = store.site(key)?;
        let open = |memory: &Memory| Changed::open(&site, key, &memory.name, &memory.settings, memory.since);
        let mut changed = memory.map(open).transpose()?;
        let done = with_bar(talk, &format!("export {key}"), Unit::Pages, |progress| {
            export_site(&site, key, sink.as_mut(), filter, changed.as_mut(), progress)
        });
        report.merge(done.with_context(|| format!("exporting {key}"))?);
        site.close()?;
        states.extend(changed);
    }
    let summary = sink.finish()?;
    // Only now: what was not sent must not count as sent.
    let mut unchanged = 0;
    if memory.is_some_and(|memory| memory.since == Since::Never)
        && let Some(state) = states.first()
    {
        state.forget()?;
    }
    for state in states {
        unchanged += state.unchanged();
        state.commit(&summary.rejected)?;
    }
    Ok(Exported { report, summary, unchanged })
}
