//! `wisdom extract`: the main content of every input, in the wanted format (`write`).
mod write;

use super::{Ended, pages};
use crate::args::{Extract, ExtractFormat, ExtractMethod};
use anyhow::{Context, Result, bail};
use url::Url;
use wisdom::article::{Hints, Method, extract};

pub(crate) fn run(args: &Extract, talk: bool) -> Result<Ended> {
    if args.comments && matches!(args.method, ExtractMethod::Econ) {
        bail!("--comments has no effect with --method econ; leave one of them out");
    }
    let found = pages::list(&args.paths)?;
    if let Some(url) = &args.url {
        check_url(url, found.inputs.len())?;
    }
    let hints = Hints {
        url: args.url.as_deref(),
        method: match args.method {
            ExtractMethod::Auto => Method::Auto,
            ExtractMethod::Econ => Method::Econ,
        },
        comments: args.comments,
        with_title: args.with_title,
        ..Hints::default()
    };
    let several = found.inputs.len() > 1;
    let work = pages::Work {
        verb: "extract",
        done: "extracted",
        jobs: args.jobs,
        out: args.out.as_deref(),
        spaced: args.format != ExtractFormat::Jsonl,
        talk,
    };
    let page = |input: &pages::Input, bytes: Vec<u8>| {
        let extraction = extract(&bytes, &hints);
        // The page is in the extraction; a large one need not be held twice while it is written.
        drop(bytes);
        Ok(write::page(args.format, input, several, &extraction))
    };
    pages::each(&work, &found, page, |input, why| write::failure(args.format, input, why))
}

fn check_url(url: &str, pages: usize) -> Result<()> {
    let parsed = Url::parse(url).with_context(|| format!("--url {url} is no URL; write https://example.com/page"))?;
    if !matches!(parsed.scheme(), "http" | "https") {
        bail!("--url {url} is no http or https URL; write https://example.com/page");
    }
    if pages > 1 {
        bail!("--url is the address of a single page, but {pages} pages are given; extract them one by one");
    }
    Ok(())
}
