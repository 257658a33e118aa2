//! The sink that the command line of `wisdom export` asks for.

use crate::args::{Export, Format};
use anyhow::{Context, Result, bail};
use clap::ValueEnum;
use std::fmt::Write as _;
use std::io::BufWriter;
use std::path::{Path, PathBuf};
use url::Url;
use wisdom::export::{
    BulkTarget, Chunks, Csv, Feed, FeedForm, Fields, Lines, MarkdownFolder, OpenSearch, Output, ParquetSink, Patience,
    Push, PushError, SearchIndexSink, Sink, Sitemap, Warc,
};

/// MiB of a part or body unless told otherwise: what search servers advise is between 5 and 15.
const BULK_MB: u64 = 10;
/// Tokens of a passage unless told otherwise. About 400 tokens of a language model, which embedding models with a window of 512
/// take whole.
const CHUNK_TOKENS: u32 = 300;

/// A sink that is ready.
pub(super) struct Opened {
    pub(super) sink: Box<dyn Sink>,
    /// What tells it from other sinks, for `--changed`.
    pub(super) name: String,
    /// Where documents go, for people; `None` for stdout.
    pub(super) shown: Option<String>,
    /// What the form of documents depends on beside the documents.
    pub(super) settings: String,
    /// Whether documents are with whoever takes them before the export is done.
    pub(super) is_live: bool,
}

/// Refuses flags that mean nothing for the format.
pub(super) fn check(args: &Export) -> Result<()> {
    use Format::{
        Chunks, Csv, Jsonl, Markdown, Meilisearch, Opensearch, Parquet, Sitemap, Tantivy, Typesense, Vespa, Warc,
    };
    let lines = [Jsonl, Opensearch, Meilisearch, Typesense, Vespa, Chunks];
    let with_fields = [Jsonl, Opensearch, Meilisearch, Typesense, Vespa, Csv, Markdown];
    let uses: [(&str, bool, &[Format]); 9] = [
        ("--fields", !args.fields.is_empty(), &with_fields),
        ("--bulk-mb", args.bulk_mb.is_some(), &lines),
        ("--push", args.push.is_some(), &[Opensearch]),
        ("--index", args.index.is_some(), &[Opensearch]),
        ("--vespa-type", args.vespa_type.is_some(), &[Vespa]),
        ("--chunk-tokens", args.chunk_tokens.is_some(), &[Chunks]),
        ("--chunk-overlap", args.chunk_overlap.is_some(), &[Chunks]),
        // They are whole or of no use.
        ("--changed", args.changed && args.format == Sitemap, &[]),
        ("--changed", args.changed && args.format == Warc, &[]),
    ];
    for (flag, is_given, formats) in uses {
        if is_given && !formats.contains(&args.format) {
            let names: Vec<String> = formats.iter().map(|format| name_of(*format)).collect();
            let hint = if names.is_empty() { String::new() } else { format!("; it is for {}", names.join(", ")) };
            bail!("{flag} has no effect with --format {}{hint}", name_of(args.format));
        }
    }
    if args.changed && args.out.is_none() && [Meilisearch, Typesense, Csv].contains(&args.format) {
        bail!("--format {} cannot tell deletions on stdout; add --out FILE to --changed", name_of(args.format));
    }
    let tokens = args.chunk_tokens.unwrap_or(CHUNK_TOKENS);
    if let Some(overlap) = args.chunk_overlap.filter(|overlap| *overlap > tokens / 2) {
        bail!(
            "--chunk-overlap {overlap} is more than half of a passage of {tokens} tokens; take {} at most",
            tokens / 2
        );
    }
    if [Markdown, Tantivy, Parquet].contains(&args.format) && args.out.is_none() {
        bail!("--format {} makes a folder; add --out DIR", name_of(args.format));
    }
    Ok(())
}

fn name_of(format: Format) -> String {
    format.to_possible_value().map_or_else(String::new, |value| value.get_name().to_owned())
}

/// Opens the sink. Nothing is there under the name that was asked for until it finishes.
pub(super) fn open(args: &Export) -> Result<Opened> {
    let path = args.out.as_deref();
    let fields = if args.fields.is_empty() { Fields::default() } else { named(args)? };
    let vespa = args.vespa_type.as_deref().unwrap_or("wisdom:page");
    let (tokens, overlap) = (args.chunk_tokens.unwrap_or(CHUNK_TOKENS), args.chunk_overlap.unwrap_or(0));
    let mut shown = path.map(|path| path.display().to_string());
    let mut place = path.map_or_else(|| Ok("-".into()), std::path::absolute)?;
    let sink: Box<dyn Sink> = match args.format {
        Format::Jsonl => {
            let form = FeedForm::Jsonl((!args.fields.is_empty()).then_some(fields));
            Box::new(Feed::new(form, lines(args, "jsonl")?, path))
        }
        Format::Opensearch => {
            let target = match &args.push {
                Some(url) => {
                    let push = push(url, args)?;
                    shown = Some(push.shown().to_owned());
                    place = PathBuf::from(push.shown());
                    BulkTarget::Push(Box::new(push), limit(args))
                }
                None => BulkTarget::Lines(lines(args, "ndjson")?),
            };
            Box::new(OpenSearch::new(fields, args.index.clone(), target))
        }
        Format::Meilisearch => Box::new(Feed::new(FeedForm::Meilisearch(fields), lines(args, "ndjson")?, path)),
        Format::Typesense => Box::new(Feed::new(FeedForm::Typesense(fields), lines(args, "jsonl")?, path)),
        Format::Vespa => {
            let is_name =
                |name: &str| !name.is_empty() && name.chars().all(|c| c.is_alphanumeric() || "_-".contains(c));
            let parts = vespa.split_once(':').filter(|(namespace, doctype)| is_name(namespace) && is_name(doctype));
            let (namespace, doctype) =
                parts.with_context(|| format!("--vespa-type {vespa}: write NAMESPACE:TYPE, such as site:page"))?;
            let form = FeedForm::Vespa { namespace: namespace.to_owned(), doctype: doctype.to_owned(), fields };
            Box::new(Feed::new(form, lines(args, "jsonl")?, path))
        }
        Format::Csv => Box::new(Csv::new(fields, output(path)?, path)?),
        Format::Markdown => Box::new(MarkdownFolder::new(fields, folder(path)?, args.changed)?),
        // Without an index that is there, everything is sent anew.
        Format::Tantivy if args.changed && SearchIndexSink::is_there(folder(path)?) => {
            Box::new(SearchIndexSink::update(folder(path)?)?)
        }
        Format::Tantivy => Box::new(SearchIndexSink::create(folder(path)?)?),
        Format::Parquet => Box::new(ParquetSink::create(folder(path)?)?),
        Format::Chunks => Box::new(Chunks::new(lines(args, "jsonl")?, tokens as usize, overlap as usize)),
        Format::Warc => {
            let name = path.and_then(Path::file_name).map(|name| name.to_string_lossy().into_owned());
            Box::new(Warc::new(output(path)?, &name.unwrap_or_else(|| "pages.warc.gz".to_owned())))
        }
        Format::Sitemap => Box::new(Sitemap::new(output(path)?, path)?),
    };
    let index = args.index.as_deref().unwrap_or_default();
    let name = format!("{} {} {index}", name_of(args.format), place.display());
    let mut settings = format!("{} {vespa} {tokens}", args.fields.join(","));
    if overlap > 0 {
        let _ = write!(settings, " {overlap}");
    }
    let is_live = args.push.is_some()
        || match path {
            Some(path) if args.format == Format::Markdown => args.changed && MarkdownFolder::is_there(path),
            Some(path) => !path.is_dir() && Output::is_stream(path),
            None => true,
        };
    Ok(Opened { sink, name, shown, settings, is_live })
}

fn named(args: &Export) -> Result<Fields> {
    Fields::named(&args.fields).context("--fields")
}

fn limit(args: &Export) -> u64 {
    args.bulk_mb.unwrap_or(BULK_MB) << 20
}

/// Where lines go.
fn lines(args: &Export, ending: &str) -> Result<Lines> {
    match &args.out {
        Some(path) => Ok(Lines::at(path, ending, limit(args))?),
        None => Ok(Lines::one(output(None)?)),
    }
}

/// The folder of a format that makes one.
fn folder(path: Option<&Path>) -> Result<&Path> {
    path.context("this format makes a folder; add --out DIR")
}

fn output(path: Option<&Path>) -> Result<Output> {
    match path {
        Some(path) => Ok(Output::at(path)?),
        None => Ok(Output::Stream(Box::new(BufWriter::with_capacity(1 << 16, std::io::stdout())))),
    }
}

fn push(url: &str, args: &Export) -> Result<Push> {
    // What was written may hold a password, so that it is not told.
    let url = Url::parse(url).context("--push is given no URL; write --push http://host:9200/index")?;
    let mut pairs = Vec::new();
    for given in &args.push_header {
        let lines = match given.strip_prefix('@') {
            Some(file) => std::fs::read_to_string(file).with_context(|| format!("--push-header {given}"))?,
            None => given.clone(),
        };
        let lines = lines.trim_start_matches('\u{feff}').lines().zip(1..).map(|(line, at)| (line.trim(), at));
        for (header, at) in lines.filter(|(line, _)| !line.is_empty() && !line.starts_with('#')) {
            let pair = header.split_once(':').with_context(|| match given.strip_prefix('@') {
                Some(file) => format!("line {at} of {file} has no colon; write 'Name: value'"),
                None => "--push-header has no colon; write --push-header 'Name: value'".to_owned(),
            })?;
            pairs.push((pair.0.to_owned(), pair.1.to_owned()));
        }
    }
    let certificates = match &args.push_ca {
        Some(file) => std::fs::read(file).with_context(|| format!("--push-ca {}", file.display()))?,
        None => Vec::new(),
    };
    if let Some(file) = args.push_ca.as_ref().filter(|_| certificates.is_empty()) {
        bail!("--push-ca {} is empty", file.display());
    }
    let pushed = Push::new(&url, &pairs, &certificates, Patience::DEFAULT, |words| eprintln!("{words}"));
    pushed.map_err(|error| match (&args.push_ca, &error) {
        (Some(file), PushError::Certificates(_)) => anyhow::anyhow!("--push-ca {}: {error}", file.display()),
        _ => error.into(),
    })
}
