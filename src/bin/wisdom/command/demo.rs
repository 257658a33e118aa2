//! `wisdom demo`: the main job on the bundled site.

use super::crawl::crawl;
use super::{Ended, export, mine, mine_options, plural, tell_failures};
use crate::args::{Demo, MiningArgs};
use crate::demo::server::serve;
use crate::demo::site::{Expected, expected, routes};
use anyhow::{Context, Result};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::io::Write;
use std::path::PathBuf;
use std::time::Instant;
use url::Url;
use wisdom::crawl::CrawlParams;
use wisdom::pipeline::{CrawlOptions, Method, TermSettings};
use wisdom::store::{Store, StoreOptions, site_key};

pub(crate) fn run(args: &Demo, talk: bool) -> Result<Ended> {
    let mut out = std::io::stdout();
    let dir = match &args.store {
        Some(dir) => dir.clone(),
        None => fresh_dir()?,
    };
    let runtime = tokio::runtime::Runtime::new().context("cannot start the runtime")?;
    let server = runtime.block_on(serve(routes)).context("cannot serve the demo site on loopback")?;
    let base = server.base();
    let site = Url::parse(&base).context("the demo's own address")?;
    writeln!(out, "The Harbour Lantern, a newspaper that does not exist, is served at {base}")?;

    let store = Store::create(&dir, StoreOptions::default())?;
    let begun = Instant::now();
    let mining = MiningArgs {
        method: Some(args.method),
        k: None,
        st: None,
        tc_article: None,
        tc_toc: None,
        cstm: None,
        toc_feature: None,
    };
    let mining = mine_options(&mining, Method::Auto)?;
    let options = CrawlOptions {
        params: CrawlParams::new(site.clone()),
        terms: TermSettings::default(),
        fresh: true,
        looks: mining.method == Method::Auto,
    };
    let outcome = crawl(&store, &options, None, talk)?;
    let key = site_key(&site)?;
    mine::one(&store, &key, &mining, false)?;
    let file = dir.join("documents.jsonl");
    export::to_file(&store, std::slice::from_ref(&key), &file, false)?;
    let summary = &outcome.summary;
    writeln!(
        out,
        "crawled {} in {:.1} s: {} redirected, {} left out, {} gone, {} failed",
        plural(summary.pages, "page"),
        begun.elapsed().as_secs_f64(),
        summary.redirects,
        summary.skipped,
        summary.gone,
        summary.failed,
    )?;
    tell_failures(&outcome.report);
    runtime.block_on(server.shutdown());

    let documents = std::fs::read_to_string(&file).with_context(|| format!("cannot read {}", file.display()))?;
    show(&documents, &base, &mut out)?;
    writeln!(out, "\ndocuments: {}", file.display())?;
    writeln!(out, "look closer: wisdom inspect --store {} {base}/", dir.display())?;
    out.flush()?;
    Ok(Ended::Done)
}

fn fresh_dir() -> Result<PathBuf> {
    let dir = std::env::temp_dir().join(format!("wisdom-demo-{}", std::process::id()));
    std::fs::create_dir_all(&dir).with_context(|| format!("cannot make {}", dir.display()))?;
    Ok(dir)
}

/// Prints what was found beside what a reader would say.
fn show(documents: &str, base: &str, out: &mut dyn Write) -> Result<()> {
    let mut found: BTreeMap<String, Value> = BTreeMap::new();
    for line in documents.lines() {
        let document: Value = serde_json::from_str(line).context("the demo's own export")?;
        let url = document["url"].as_str().unwrap_or_default();
        found.insert(url.strip_prefix(base).unwrap_or(url).to_owned(), document);
    }
    writeln!(out, "\n{:44} {:8} {:>6} {:>6}  says", "page", "type", "found", "right")?;
    let (mut right_type, mut pages) = (0_usize, 0_usize);
    let (mut article_scores, mut toc_scores) = (Vec::new(), Vec::new());
    for want in expected() {
        let Some(document) = found.get(want.path()) else {
            writeln!(out, "{:44} {:8} not found", want.path(), "-")?;
            pages += 1;
            continue;
        };
        let (scores, wanted) = match &want {
            Expected::Article { title, paragraphs, .. } => {
                let got = words(document["article"]["text"].as_str().unwrap_or_default());
                let mut text = paragraphs.join("\n");
                // A title above the text belongs to it as much as not.
                if document["article"]["text"].as_str().is_some_and(|t| t.starts_with(title.as_str())) {
                    text = format!("{title}\n{text}");
                }
                (overlap(&got, &words(&text)), "article")
            }
            Expected::List { targets, .. } => {
                let links = document["toc"]["links"].as_array().map_or(&[][..], Vec::as_slice);
                let got: BTreeSet<&str> = links.iter().filter_map(|l| l["url"].as_str()?.strip_prefix(base)).collect();
                let got = got.into_iter().map(|path| (path.to_owned(), 1)).collect();
                (overlap(&got, &targets.iter().map(|path| (path.clone(), 1)).collect()), "toc")
            }
        };
        let page_type = document["page_type"].as_str().unwrap_or_default();
        pages += 1;
        right_type += usize::from(page_type == wanted);
        let list = if wanted == "article" { &mut article_scores } else { &mut toc_scores };
        list.push(scores);
        let first = document["text"].as_str().unwrap_or_default().lines().next().unwrap_or_default();
        let first: String = first.chars().take(48).collect();
        writeln!(
            out,
            "{:44} {page_type:8} {:>5.0}% {:>5.0}%  {first}",
            want.path(),
            scores.recall * 100.0,
            scores.precision * 100.0
        )?;
    }
    let mean = |scores: &[Overlap]| scores.iter().map(Overlap::f1).sum::<f64>() / scores.len().max(1) as f64;
    writeln!(
        out,
        "\n{}: F1 {:.3}   {}: F1 {:.3}   page types right: {right_type} of {pages}",
        plural(article_scores.len() as u64, "article"),
        mean(&article_scores),
        plural(toc_scores.len() as u64, "list page"),
        mean(&toc_scores),
    )?;
    Ok(())
}

#[derive(Clone, Copy, Debug)]
struct Overlap {
    precision: f64,
    recall: f64,
}

impl Overlap {
    fn f1(&self) -> f64 {
        let sum = self.precision + self.recall;
        if sum > 0.0 { 2.0 * self.precision * self.recall / sum } else { 0.0 }
    }
}

/// Words with their counts; each Chinese character is one.
fn words(text: &str) -> BTreeMap<String, usize> {
    let mut counts = BTreeMap::new();
    let mut word = String::new();
    for c in text.chars().chain([' ']) {
        let han = ('\u{3400}'..='\u{9fff}').contains(&c);
        if c.is_alphanumeric() && !han {
            word.push(c);
            continue;
        }
        if !word.is_empty() {
            *counts.entry(std::mem::take(&mut word)).or_insert(0) += 1;
        }
        if han {
            *counts.entry(c.to_string()).or_insert(0) += 1;
        }
    }
    counts
}

fn overlap(got: &BTreeMap<String, usize>, want: &BTreeMap<String, usize>) -> Overlap {
    let both: usize = got.iter().map(|(word, count)| (*count).min(want.get(word).copied().unwrap_or(0))).sum();
    let share = |all: &BTreeMap<String, usize>| match all.values().sum::<usize>() {
        0 => 0.0,
        total => both as f64 / total as f64,
    };
    Overlap { precision: share(got), recall: share(want) }
}
