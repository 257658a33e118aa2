//! `wisdom records`: the lists of every input, record by record, as JSON lines (`jsonl`), CSV (`csv`) or a table for people
//! (`terminal`).
mod csv;
mod jsonl;
mod terminal;

use super::{Ended, pages};
use crate::args::{Records, RecordsFormat, RecordsMethod};
use anyhow::{Context, Result, bail};
use std::path::Path;
use wisdom::dom::{Dom, decode};
use wisdom::records::embley::{self, Ontology};
use wisdom::records::{Method, records_with};

/// Largest tree that is looked at, in elements and texts: a row or two of output each come to a gigabyte there. The longest
/// list page that anybody reads has a hundredth of it.
const MOST_NODES: usize = 4_000_000;

pub(crate) fn run(args: &Records, talk: bool) -> Result<Ended> {
    let method = match args.method {
        RecordsMethod::Auto => Method::Auto,
        RecordsMethod::Mdr => Method::Mdr,
        RecordsMethod::MdrRepaired => Method::MdrRepaired,
        RecordsMethod::Net => Method::Net,
        RecordsMethod::Embley => Method::Embley,
    };
    if args.ontology.is_some() && method != Method::Embley {
        bail!("--ontology has no effect with --method {}; add --method embley, or leave it out", method.name());
    }
    let ontology = args.ontology.as_deref().map(|name| ontology(name, talk)).transpose()?;
    let found = pages::list(&args.paths)?;
    let several = found.inputs.len() > 1;
    if args.region > 1 && args.format == RecordsFormat::Jsonl {
        bail!("--region picks a list for csv and table; jsonl holds all of them");
    }
    let work = pages::Work {
        verb: "find records in",
        done: "wrote the records of",
        jobs: args.jobs,
        out: args.out.as_deref(),
        spaced: args.format == RecordsFormat::Table,
        talk,
    };
    let nth = usize::from(args.region) - 1;
    let width = terminal::width(args.out.is_some());
    let page = |input: &pages::Input, bytes: Vec<u8>| {
        let dom = Dom::parse(&decode(&bytes, None).text);
        drop(bytes);
        if dom.len() > MOST_NODES {
            return Err(format!("{} elements and texts, of which records takes {MOST_NODES} at most", dom.len()));
        }
        let regions = records_with(&dom, method, ontology.as_ref());
        Ok(match args.format {
            RecordsFormat::Jsonl => jsonl::page(input, &dom, method, regions),
            RecordsFormat::Csv => csv::page(several.then(|| input.id()).as_deref(), regions.get(nth)),
            RecordsFormat::Table => terminal::page(input, several, regions.get(nth), width),
        })
    };
    pages::each(&work, &found, page, |input, why| match args.format {
        RecordsFormat::Jsonl => jsonl::failure(input, why),
        RecordsFormat::Csv | RecordsFormat::Table => Vec::new(),
    })
}

/// The ontology of a shipped name, or of a file.
fn ontology(name: &Path, talk: bool) -> Result<Ontology> {
    let shown = name.display();
    if let Some(shipped) = name.to_str().and_then(Ontology::shipped) {
        return Ok(shipped);
    }
    let text = std::fs::read_to_string(name).with_context(|| {
        let names: Vec<&str> = Ontology::shipped_names().collect();
        format!("--ontology {shown} cannot be read; name a text file, or one of {}", names.join(", "))
    })?;
    let ontology = Ontology::parse(&text)
        .with_context(|| format!("--ontology {shown} is no ontology; correct the line (see wisdom records --help)"))?;
    if talk && ontology.record_identifying_fields(&embley::Params::PAPER).is_none() {
        eprintln!(
            "warning: {shown} has no vote: it takes three objects with a relation and a pattern, among five times as many"
        );
    }
    Ok(ontology)
}
