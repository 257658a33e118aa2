//! `wisdom extract`: the main content of every input, by rules of its site where these are given, in the wanted format (`write`).
mod write;

use super::{Ended, pages};
use crate::args::{Extract, ExtractFormat, ExtractMethod};
use anyhow::{Context, Result, bail};
use std::path::Path;
use url::Url;
use wisdom::article::{Extraction, Hints, Method, TextSource, extract};
use wisdom::dom::NodeId;
use wisdom::site::Rules;

pub(crate) fn run(args: &Extract, talk: bool) -> Result<Ended> {
    if args.comments && matches!(args.method, ExtractMethod::Econ) {
        bail!("--comments has no effect with --method econ; leave one of them out");
    }
    let rules = args.rules.as_ref().map(|path| read_rules(path, args)).transpose()?;
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
        let (extraction, fit) = match &rules {
            Some(rules) => by_rules(rules, extraction),
            None => (extraction, Fit::default()),
        };
        Ok(write::page(args.format, input, several, &extraction, &fit))
    };
    pages::each(&work, &found, page, |input, why| write::failure(args.format, input, why))
}

/// What rules say of a page.
#[derive(Debug, Default)]
struct Fit<'a> {
    /// The rule that selected the article.
    article: Option<&'a str>,
    /// The rule that selected the links of the table of contents, and these.
    toc: Option<(&'a str, Vec<NodeId>)>,
}

/// Reads the file of rules, which goes with no flag that the rules would pass over.
fn read_rules(path: &Path, args: &Extract) -> Result<Rules> {
    for (flag, given) in [("--method econ", matches!(args.method, ExtractMethod::Econ)), ("--comments", args.comments)]
    {
        if given {
            bail!("{flag} has no effect on pages that --rules fits; leave one of them out");
        }
    }
    let text =
        if path == Path::new("-") { std::io::read_to_string(std::io::stdin()) } else { std::fs::read_to_string(path) };
    let text = text.with_context(|| format!("cannot read --rules {}", path.display()))?;
    Rules::parse(&text).with_context(|| format!("cannot use --rules {}", path.display()))
}

/// The page by the rule that fits it, if one does. What the page states beside what it shows is no business of rules.
fn by_rules(rules: &Rules, extraction: Extraction) -> (Extraction, Fit<'_>) {
    if extraction.text_source != TextSource::Page {
        return (extraction, Fit::default());
    }
    let toc = rules.links(&extraction.dom).map(|found| (found.rule, found.nodes));
    match rules.article(&extraction.dom) {
        Some(found) => (extraction.keeping(found.nodes), Fit { article: Some(found.rule), toc }),
        None => (extraction, Fit { article: None, toc }),
    }
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
