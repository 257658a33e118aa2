//! `wisdom extract`: the inputs (`inputs`), each read (`read`) and extracted by one of several threads, the results written
//! (`write`) in the order of the inputs (`in_order`).
mod in_order;
mod inputs;
mod read;
mod write;

use super::{Ended, plural, tell_failures, with_bar, write_file};
use crate::args::{Extract, ExtractFormat, ExtractMethod};
use crate::bar::Unit;
use anyhow::{Context, Result, bail};
use in_order::in_order;
use inputs::Input;
use std::io::{BufWriter, IsTerminal, Write};
use std::sync::atomic::Ordering;
use url::Url;
use wisdom::article::{Hints, Method, extract};
use wisdom::progress::{Progress, Report};

pub(crate) fn run(args: &Extract, talk: bool) -> Result<Ended> {
    if args.comments && matches!(args.method, ExtractMethod::Econ) {
        bail!("--comments has no effect with --method econ; leave one of them out");
    }
    let found = inputs::list(&args.paths)?;
    let inputs = &found.inputs;
    if let Some(url) = &args.url {
        check_url(url, inputs.len())?;
    }
    let jobs = args.jobs.map_or_else(|| std::thread::available_parallelism().map_or(1, usize::from), usize::from);
    // Lines of a bar and of the output would mix on one terminal.
    let bar = talk && inputs.len() > 1 && (args.out.is_some() || !std::io::stdout().is_terminal());
    let report = with_bar(bar, "extract", Unit::Pages, |progress| match &args.out {
        None => all(args, inputs, jobs, &mut BufWriter::new(std::io::stdout().lock()), progress),
        Some(path) => write_file(path, |out| all(args, inputs, jobs, out, progress)),
    })?;
    tell_failures(&report);
    if talk && let Some(passed_over) = found.passed_over() {
        eprintln!("{passed_over}");
    }
    if talk && let Some(path) = &args.out {
        eprintln!("extracted {} to {}", plural(report.done, "page"), path.display());
    }
    Ok(Ended::of(&report))
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

/// What came of an input: what is to be written, and why it failed if it did.
struct Outcome {
    bytes: Vec<u8>,
    failure: Option<String>,
}

/// Extracts all inputs. Fails where none could be read.
fn all(args: &Extract, inputs: &[Input], jobs: usize, out: &mut dyn Write, progress: &Progress) -> Result<Report> {
    progress.total.store(inputs.len() as u64, Ordering::Relaxed);
    let several = inputs.len() > 1;
    let mut report = Report::default();
    let mut is_first = true;
    in_order(
        inputs.len(),
        jobs,
        |index| one(args, &inputs[index], several),
        |index, outcome| {
            let input = &inputs[index];
            let outcome = outcome.unwrap_or_else(|| {
                failed(args, input, "the program is at fault and gave this page up; please report it".to_owned())
            });
            if args.format != ExtractFormat::Jsonl && !outcome.bytes.is_empty() && !std::mem::take(&mut is_first) {
                out.write_all(b"\n")?;
            }
            out.write_all(&outcome.bytes)?;
            progress.add(1, u64::from(outcome.failure.is_some()));
            match outcome.failure {
                None => report.done += 1,
                Some(why) => report.fail(input.name(), &why),
            }
            Ok(())
        },
    )?;
    out.flush()?;
    if report.done == 0 {
        if let [only] = report.failures.as_slice() {
            bail!("cannot extract {}: {}", only.what, only.why);
        }
        tell_failures(&report);
        bail!("none of the {} inputs could be read; name HTML files, or directories of them", report.failed);
    }
    Ok(report)
}

fn one(args: &Extract, input: &Input, several: bool) -> Outcome {
    let bytes = match read::read(input) {
        Ok(bytes) => bytes,
        Err(why) => return failed(args, input, why),
    };
    let method = match args.method {
        ExtractMethod::Auto => Method::Auto,
        ExtractMethod::Econ => Method::Econ,
    };
    let hints = Hints {
        url: args.url.as_deref(),
        method,
        comments: args.comments,
        with_title: args.with_title,
        ..Hints::default()
    };
    let extraction = extract(&bytes, &hints);
    // The page is in the extraction; a large one need not be held twice while it is written.
    drop(bytes);
    Outcome { bytes: write::page(args.format, input, several, &extraction), failure: None }
}

fn failed(args: &Extract, input: &Input, why: String) -> Outcome {
    Outcome { bytes: write::failure(args.format, input, &why), failure: Some(why) }
}
