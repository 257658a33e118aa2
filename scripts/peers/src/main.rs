//! How fast wisdom extracts pages beside `dom_smoothie` and `legible`, and where its time goes.
//!
//!     cargo run --release --manifest-path scripts/peers/Cargo.toml -- [--rounds 7] [--only NAME]... FOLDER...
//!
//! Every `*.html` of the folders is read and decoded first; then, on one thread, all contenders turn each page to text, one
//! after another, each page beginning with another contender. The first round over all pages is not counted. Time is the
//! thread's processor time, and a ratio is the median over the rounds of the ratio within a round, so that other programs
//! disturb little. Stages are wisdom's own, over the same pages.

use cpu_time::ThreadTime;
use std::hint::black_box;
use std::path::{Path, PathBuf};
use std::time::Duration;
use wisdom::article::{Hints, Selection, extract, meta, text};
use wisdom::dom::{Dom, decode};
use wisdom::terms::detect;

#[cfg(feature = "mimalloc")]
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// A contender or a stage: a name and what it does with one page.
type Run<'a> = (&'static str, Box<dyn Fn(usize) + 'a>);

fn main() {
    let (folders, rounds, only) = arguments();
    let files: Vec<PathBuf> = folders.iter().flat_map(|folder| pages(folder)).collect();
    let raw: Vec<Vec<u8>> = files.iter().filter_map(|file| std::fs::read(file).ok()).collect();
    let texts: Vec<String> = raw.iter().map(|bytes| decode(bytes, None).text.into_owned()).collect();
    let bytes: usize = texts.iter().map(String::len).sum();
    let megabytes = bytes as f64 / 1e6;
    println!("{} pages, {megabytes:.1} MB decoded, median of {rounds} rounds, one thread", texts.len());

    let doms: Vec<Dom> = texts.iter().map(|text| Dom::parse(text)).collect();
    let done: Vec<_> = texts.iter().map(|page| extract(page.as_bytes(), &Hints::default())).collect();
    let selections: Vec<Selection> = done.iter().map(|done| done.selection.clone()).collect();

    let runs: Vec<Run<'_>> = vec![
        (
            "dom_smoothie",
            Box::new(|at| {
                black_box(smoothie(&texts[at]));
            }),
        ),
        ("legible", Box::new(|at| drop(black_box(legible::parse(&texts[at], None, None).map(|a| a.text_content))))),
        ("wisdom", Box::new(|at| drop(black_box(extract(texts[at].as_bytes(), &Hints::default()).text())))),
        ("  decode", Box::new(|at| drop(black_box(decode(&raw[at], None))))),
        ("  parse", Box::new(|at| drop(black_box(Dom::parse(&texts[at]))))),
        ("  metadata", Box::new(|at| drop(black_box(meta(&doms[at], None))))),
        (
            "  language",
            Box::new(|at| {
                black_box(detect(&doms[at]));
            }),
        ),
        ("  render", Box::new(|at| drop(black_box(text(&doms[at], &selections[at]))))),
    ];
    let runs: Vec<Run<'_>> =
        runs.into_iter().filter(|(name, _)| only.is_empty() || only.iter().any(|o| o == name.trim())).collect();
    let times = measure(&runs, texts.len(), rounds);

    println!("{:14} {:>8} {:>8} {:>8} {:>13}", "", "MB/s", "least", "most", "dom_smoothie");
    let of = |name: &str| runs.iter().position(|(known, _)| known.trim() == name);
    for (at, (name, _)) in runs.iter().enumerate() {
        row(name, megabytes, &times[at], of("dom_smoothie").map(|base| &*times[base]));
    }
    if let (Some(all), false) = (of("wisdom"), runs.iter().all(|(name, _)| !name.starts_with(' '))) {
        // What the library's call does between its parts and no part of its own shows: choosing the blocks.
        let stages: Vec<usize> = (0..runs.len()).filter(|&at| runs[at].0.starts_with(' ')).collect();
        let rest: Vec<Duration> = (0..rounds)
            .map(|round| times[all][round].saturating_sub(stages.iter().map(|&at| times[at][round]).sum()))
            .collect();
        row("  select (rest)", megabytes, &rest, of("dom_smoothie").map(|base| &*times[base]));
    }
}

fn arguments() -> (Vec<PathBuf>, usize, Vec<String>) {
    let (mut folders, mut rounds, mut only) = (Vec::new(), 7, Vec::new());
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        match argument.as_str() {
            "--rounds" => rounds = arguments.next().and_then(|n| n.parse().ok()).filter(|&n| n > 0).unwrap_or(rounds),
            "--only" => only.extend(arguments.next()),
            folder => folders.push(PathBuf::from(folder)),
        }
    }
    if folders.is_empty() {
        eprintln!("usage: peers [--rounds 7] [--only NAME]... FOLDER...");
        std::process::exit(2);
    }
    (folders, rounds, only)
}

/// The pages of a folder in the order of their names.
fn pages(folder: &Path) -> Vec<PathBuf> {
    let mut files: Vec<PathBuf> = std::fs::read_dir(folder)
        .into_iter()
        .flatten()
        .filter_map(|entry| entry.ok().map(|entry| entry.path()))
        .filter(|path| path.extension().is_some_and(|extension| extension == "html" || extension == "htm"))
        .collect();
    files.sort();
    files
}

fn smoothie(page: &str) -> Option<usize> {
    let mut reader = dom_smoothie::Readability::new(page, None, None).ok()?;
    reader.parse().ok().map(|article| article.text_content.len())
}

/// The time of each run in each round.
fn measure(runs: &[Run<'_>], pages: usize, rounds: usize) -> Vec<Vec<Duration>> {
    let mut times = vec![vec![Duration::ZERO; rounds + 1]; runs.len()];
    for round in 0..=rounds {
        for page in 0..pages {
            for turn in 0..runs.len() {
                let at = (turn + page + round) % runs.len();
                let start = ThreadTime::now();
                runs[at].1(page);
                times[at][round] += start.elapsed();
            }
        }
    }
    times.iter_mut().for_each(|times| {
        times.remove(0);
    });
    times
}

fn row(name: &str, megabytes: f64, times: &[Duration], base: Option<&[Duration]>) {
    let speeds = sorted(times.iter().map(|time| megabytes / time.as_secs_f64().max(1e-9)));
    print!("{name:14} {:8.1} {:8.1} {:8.1}", speeds[speeds.len() / 2], speeds[0], speeds[speeds.len() - 1]);
    if let Some(base) = base {
        let ratios = sorted(times.iter().zip(base).map(|(own, base)| base.as_secs_f64() / own.as_secs_f64().max(1e-9)));
        print!(" {:13.2}", ratios[ratios.len() / 2]);
    }
    println!();
}

fn sorted(values: impl Iterator<Item = f64>) -> Vec<f64> {
    let mut values: Vec<f64> = values.collect();
    values.sort_by(f64::total_cmp);
    values
}
