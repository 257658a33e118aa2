//! `wisdom records`: the lists of every input, record by record, as JSON lines (`jsonl`), CSV (`csv`) or a table for people
//! (`terminal`).
mod csv;
mod jsonl;
mod terminal;

use super::{Ended, pages};
use crate::args::{Records, RecordsFormat, RecordsMethod};
use anyhow::{Result, bail};
use wisdom::dom::{Dom, decode};
use wisdom::records::{Method, records};

pub(crate) fn run(args: &Records, talk: bool) -> Result<Ended> {
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
    let method = match args.method {
        RecordsMethod::Auto => Method::Auto,
    };
    let nth = usize::from(args.region) - 1;
    let width = terminal::width(args.out.is_some());
    let page = |input: &pages::Input, bytes: Vec<u8>| {
        let dom = Dom::parse(&decode(&bytes, None).text);
        drop(bytes);
        let regions = records(&dom, method);
        match args.format {
            RecordsFormat::Jsonl => jsonl::page(input, &dom, method, &regions),
            RecordsFormat::Csv => csv::page(several.then(|| input.id()).as_deref(), regions.get(nth)),
            RecordsFormat::Table => terminal::page(input, several, regions.get(nth), width),
        }
    };
    pages::each(&work, &found, page, |input, why| match args.format {
        RecordsFormat::Jsonl => jsonl::failure(input, why),
        RecordsFormat::Csv | RecordsFormat::Table => Vec::new(),
    })
}
