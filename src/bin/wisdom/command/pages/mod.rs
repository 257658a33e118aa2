//! Single pages: the inputs of `extract` and `records` (`inputs`), each read (`read`) and worked on by one of several
//! threads, the results written in the order of the inputs (`in_order`).
mod in_order;
mod inputs;
mod read;

use super::{Ended, plural, tell_failures, with_bar, write_file};
use crate::bar::Unit;
use anyhow::{Result, bail};
use in_order::in_order;
pub(super) use inputs::{Found, Input, list};
use std::io::{BufWriter, IsTerminal, Write};
use std::path::Path;
use std::sync::atomic::Ordering;
use wisdom::progress::{Progress, Report};

/// What is done with pages, and where it is written.
pub(super) struct Work<'a> {
    /// The verb, as in "cannot extract".
    pub(super) verb: &'static str,
    /// The verb of what was done, as in "extracted 3 pages".
    pub(super) done: &'static str,
    /// Threads; one a processor core where none are asked for.
    pub(super) jobs: Option<u16>,
    /// The output file; stdout where there is none.
    pub(super) out: Option<&'a Path>,
    /// Whether an empty line stands between the results of two pages.
    pub(super) spaced: bool,
    pub(super) talk: bool,
}

/// Makes something of every input: `page` of the bytes of one, `failure` of the reason why one could not be read or `page`
/// refuses it. Fails where none could be read.
pub(super) fn each(
    work: &Work<'_>,
    found: &Found,
    page: impl Fn(&Input, Vec<u8>) -> Result<Vec<u8>, String> + Sync,
    failure: impl Fn(&Input, &str) -> Vec<u8> + Sync,
) -> Result<Ended> {
    let several = found.inputs.len() > 1;
    // Lines of a bar and of the output would mix on one terminal.
    let bar = work.talk && several && (work.out.is_some() || !std::io::stdout().is_terminal());
    let report = with_bar(bar, work.verb, Unit::Pages, |progress| {
        let all = |out: &mut dyn Write| all(work, &found.inputs, &page, &failure, out, progress);
        match work.out {
            None => all(&mut BufWriter::new(std::io::stdout().lock())),
            Some(path) => write_file(path, all),
        }
    })?;
    tell_failures(&report);
    if work.talk
        && let Some(passed_over) = found.passed_over()
    {
        eprintln!("{passed_over}");
    }
    if work.talk
        && let Some(path) = work.out
    {
        eprintln!("{} {} to {}", work.done, plural(report.done, "page"), path.display());
    }
    Ok(Ended::of(&report))
}

/// What came of an input: what is to be written, and why it failed if it did.
struct Outcome {
    bytes: Vec<u8>,
    failure: Option<String>,
}

fn all(
    work: &Work<'_>,
    inputs: &[Input],
    page: &(impl Fn(&Input, Vec<u8>) -> Result<Vec<u8>, String> + Sync),
    failure: &(impl Fn(&Input, &str) -> Vec<u8> + Sync),
    out: &mut dyn Write,
    progress: &Progress,
) -> Result<Report> {
    progress.total.store(inputs.len() as u64, Ordering::Relaxed);
    let jobs = work.jobs.map_or_else(|| std::thread::available_parallelism().map_or(1, usize::from), usize::from);
    let failed = |input: &Input, why: String| Outcome { bytes: failure(input, &why), failure: Some(why) };
    let mut report = Report::default();
    let mut is_first = true;
    in_order(
        inputs.len(),
        jobs,
        |index| match read::read(&inputs[index]).and_then(|bytes| page(&inputs[index], bytes)) {
            Ok(bytes) => Outcome { bytes, failure: None },
            Err(why) => failed(&inputs[index], why),
        },
        |index, outcome| {
            let input = &inputs[index];
            let outcome = outcome.unwrap_or_else(|| {
                failed(input, "the program is at fault and gave this page up; please report it".to_owned())
            });
            if work.spaced && !outcome.bytes.is_empty() && !std::mem::take(&mut is_first) {
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
            bail!("cannot {} {}: {}", work.verb, only.what, only.why);
        }
        tell_failures(&report);
        bail!("none of the {} inputs could be read; name HTML files, or directories of them", report.failed);
    }
    Ok(report)
}
