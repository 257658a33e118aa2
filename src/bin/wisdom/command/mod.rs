//! One file per subcommand, and what they share.
pub(crate) mod crawl;
pub(crate) mod demo;
pub(crate) mod export;
pub(crate) mod extract;
pub(crate) mod import;
pub(crate) mod inspect;
pub(crate) mod mine;
mod pages;
pub(crate) mod rebuild;
pub(crate) mod records;
pub(crate) mod report;
pub(crate) mod rules;
pub(crate) mod search;
pub(crate) mod serve;
pub(crate) mod sites;
pub(crate) mod verify;

use crate::args::{MiningArgs, StoreArgs, TermArgs, TocFeature, Which};
use crate::bar::{Bar, Counts, Unit};
use anyhow::{Context, Result, bail};
use std::io::{ErrorKind, Write};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use url::Url;
use wisdom::coverage::Feature;
use wisdom::export::{ExportError, Output};
use wisdom::pipeline::{Method, MineOptions, TermSettings};
use wisdom::progress::{Progress, Report};
use wisdom::store::{Store, StoreOptions, site_key};
use wisdom::terms::Language;

/// How a command that could run has ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Ended {
    /// All done.
    Done,
    /// Done, but for some pages.
    InPart,
}

impl Ended {
    fn of(report: &Report) -> Self {
        if report.failed == 0 { Self::Done } else { Self::InPart }
    }

    fn and(self, other: Self) -> Self {
        if self == Self::Done { other } else { self }
    }
}

/// Whether the reader of stdout has gone, which is no fault.
pub(crate) fn is_closed_pipe(error: &anyhow::Error) -> bool {
    error.chain().any(|cause| match cause.downcast_ref::<ExportError>() {
        Some(ExportError::Write(source)) => source.kind() == ErrorKind::BrokenPipe,
        _ => cause.downcast_ref::<std::io::Error>().is_some_and(|e| e.kind() == ErrorKind::BrokenPipe),
    })
}

/// Writes what a command has to say on stdout.
pub(crate) fn print(data: &[u8]) -> Result<Ended> {
    let mut out = std::io::stdout().lock();
    out.write_all(data).and_then(|()| out.flush()).context("cannot write to stdout")?;
    Ok(Ended::Done)
}

fn options(store: &StoreArgs) -> StoreOptions {
    StoreOptions { cache_mb: store.cache_mb as usize }
}

fn open(store: &StoreArgs) -> Result<Store> {
    Ok(Store::open(&store.store, options(store))?)
}

fn create(store: &StoreArgs) -> Result<Store> {
    Ok(Store::create(&store.store, options(store))?)
}

/// The keys of the sites that a command works on; an error where there is none.
fn keys(store: &Store, which: &Which) -> Result<Vec<String>> {
    if let Some(site) = &which.site {
        return Ok(vec![key_of(site)?]);
    }
    let keys: Vec<String> = store.sites()?.into_iter().map(|site| site.key).collect();
    if keys.is_empty() {
        bail!("the store {} holds no site; crawl or import one first", which.store.store.display());
    }
    Ok(keys)
}

/// A site's key from what people write: its key, host, host:port or URL.
fn key_of(site: &str) -> Result<String> {
    if let Some(url) = Url::parse(site).ok().filter(Url::has_host) {
        return Ok(site_key(&url)?);
    }
    // host_port is the name of the directory.
    let host = match site.rsplit_once('_') {
        Some((host, port)) if port.bytes().all(|b| b.is_ascii_digit()) && !port.is_empty() => format!("{host}:{port}"),
        _ => site.to_owned(),
    };
    let url = Url::parse(&format!("http://{host}/"))
        .with_context(|| format!("--site {site}: write a host, host:port or URL"))?;
    Ok(site_key(&url)?)
}

fn site_url(site: &str) -> Result<Url> {
    let url =
        Url::parse(site).with_context(|| format!("--site {site} is no URL; write --site https://example.com/"))?;
    if !matches!(url.scheme(), "http" | "https") || url.host_str().is_none_or(str::is_empty) {
        bail!("--site {site} is no http or https URL; write --site https://example.com/");
    }
    Ok(url)
}

fn terms(args: &TermArgs) -> Result<TermSettings> {
    let mut settings = TermSettings { keep_numbers: args.keep_numbers, stopwords: Vec::new() };
    let Some(dir) = &args.stopwords else { return Ok(settings) };
    for entry in std::fs::read_dir(dir).with_context(|| format!("cannot read --stopwords {}", dir.display()))? {
        let path = entry?.path();
        if path.extension().is_some_and(|e| e == "txt") {
            let code = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
            let list = std::fs::read_to_string(&path).with_context(|| format!("cannot read {}", path.display()))?;
            settings.stopwords.push((code, list));
        }
    }
    if settings.stopwords.is_empty() {
        bail!("--stopwords {} holds no list; name lists as in en.txt", dir.display());
    }
    settings.stopwords.sort();
    settings.options()?;
    Ok(settings)
}

/// What to mine with; where no method was asked for, with `method`.
fn mine_options(args: &MiningArgs, method: Method) -> Result<MineOptions> {
    let method = args.method.map_or(method, Method::from);
    let mut params = method.params();
    params.k = args.k.unwrap_or(params.k);
    params.st = args.st.unwrap_or(params.st);
    params.tc_article = args.tc_article.unwrap_or(params.tc_article);
    params.tc_toc = args.tc_toc.unwrap_or(params.tc_toc);
    params.cstm = args.cstm.unwrap_or(params.cstm);
    match args.toc_feature {
        Some(TocFeature::Api) => params.toc_feature = Feature::Api,
        Some(TocFeature::Alen) => params.toc_feature = Feature::Alen,
        None => {}
    }
    if params.k == 0 {
        bail!("--k 0 selects no block; give at least 1");
    }
    for (flag, value) in [("--st", params.st), ("--tc-article", params.tc_article)] {
        if !(0.0..=1.0).contains(&value) {
            bail!("{flag} {value} is out of range; give a number from 0 to 1");
        }
    }
    if !params.tc_toc.is_finite() || params.tc_toc < 0.0 {
        bail!("--tc-toc {} is out of range; give a number from 0 up", params.tc_toc);
    }
    let given = [
        ("--k", args.k.is_some()),
        ("--st", args.st.is_some()),
        ("--tc-article", args.tc_article.is_some()),
        ("--tc-toc", args.tc_toc.is_some()),
        ("--cstm", args.cstm.is_some()),
        ("--toc-feature", args.toc_feature.is_some()),
    ];
    if method == Method::Auto
        && let Some((flag, _)) = given.iter().find(|(_, given)| *given)
    {
        bail!("{flag} has no effect with --method auto; add --method wisdom or --method paper");
    }
    Ok(MineOptions { method, params })
}

/// Runs `work` under a bar that shows its progress.
fn with_bar<T>(talk: bool, label: &str, unit: Unit, work: impl FnOnce(&Progress) -> T) -> T {
    let progress = Arc::new(Progress::default());
    let shown = Arc::clone(&progress);
    let _bar = Bar::start(talk, label, unit, move || Counts {
        total: shown.total.load(Ordering::Relaxed),
        done: shown.done.load(Ordering::Relaxed),
        errors: shown.failed.load(Ordering::Relaxed),
        queued: None,
    });
    work(&progress)
}

/// Failures that are told one by one; the rest are counted.
const TOLD: usize = 10;

/// Tells what failed; always, since nothing is to be lost silently.
fn tell_failures(report: &Report) {
    for failure in report.failures.iter().take(TOLD) {
        eprintln!("failed: {}: {}", failure.what, failure.why);
    }
    let rest = report.failed.saturating_sub(TOLD as u64);
    if rest > 0 {
        eprintln!("failed: {rest} more");
    }
}

/// Writes an output file: beside the target, then renamed, so that a reader never sees half of it.
fn write_file<T>(path: &Path, write: impl FnOnce(&mut dyn Write) -> Result<T>) -> Result<T> {
    let mut out = Output::at(path)?;
    let written = write(&mut out)?;
    out.commit()?;
    Ok(written)
}

/// Refuses a folder of output in the store: it would be taken for a site there.
fn outside(store: &Path, out: &Path) -> Result<()> {
    let root = std::fs::canonicalize(store).with_context(|| format!("cannot read {}", store.display()))?;
    let mut at = std::path::absolute(out).with_context(|| format!("cannot tell where {} is", out.display()))?;
    // What is to be made is where the folder above it is.
    while !at.exists() && at.pop() {}
    if std::fs::canonicalize(&at).is_ok_and(|at| at.starts_with(&root)) {
        bail!("{} is in the store {}; name a place elsewhere", out.display(), store.display());
    }
    Ok(())
}

/// The language of a `--lang`.
fn language(tag: &str) -> Result<Language> {
    let language = Language::from_tag(tag);
    if language.is_unknown() {
        bail!("--lang {tag} is no language code; write --lang en");
    }
    Ok(language)
}

fn plural(count: u64, what: &str) -> String {
    if count == 1 { format!("1 {what}") } else { format!("{count} {what}s") }
}

fn megabytes(bytes: u64) -> String {
    if bytes < 1_000_000 { format!("{:.0} kB", bytes as f64 / 1e3) } else { format!("{:.1} MB", bytes as f64 / 1e6) }
}

/// The flag that names a store, for hints.
fn store_flag(path: &Path) -> String {
    if path == Path::new("wisdom-store") { String::new() } else { format!(" --store {}", path.display()) }
}
