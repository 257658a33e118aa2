//! Crawl: fetch, learn and store, page by page, so that it can be stopped at any moment and goes on from there.

use super::learn::learn_page;
use super::resolve::index_folder;
use super::{LiveSite, PipelineError, SiteState, TermSettings};
use crate::archive::body_digest;
use crate::crawl::{
    self, CrawlParams, CrawlProgress, CrawlSummary, Ending, Memory, Outcome, Start, Stop, Validators, Visit,
};
use crate::dom::decode;
use crate::page::{Fate, QueueEntry, Source};
use crate::progress::Report;
use crate::store::{Group, SiteStore, Store, StoreError, site_key};
use crate::terms::TermOptions;
use std::sync::{Arc, PoisonError, RwLock};
use std::time::{Duration, Instant};
use tokio::sync::mpsc;
use url::Url;

/// What to crawl, and how.
#[derive(Clone, Debug)]
pub struct CrawlOptions {
    /// The site and the manners.
    pub params: CrawlParams,
    /// How terms are made.
    pub terms: TermSettings,
    /// Forget what the store holds of the site.
    pub fresh: bool,
    /// Look at pages while they are in memory, as mining by method `auto` will want it.
    pub looks: bool,
}

/// What a crawl did.
#[derive(Debug)]
pub struct CrawlOutcome {
    /// Counts and why it ended.
    pub summary: CrawlSummary,
    /// Pages stored, and those that failed with their reasons.
    pub report: Report,
    /// Whether this run went on with an unfinished crawl.
    pub resumed: bool,
    /// Pages of the site now in the model.
    pub pages: u64,
}

/// Visits that wait for the store at most; a slow disk slows the crawl.
const WAITING: usize = 64;
/// A group is committed when it has so many pages…
const GROUP_PAGES: usize = 32;
/// …or changes in all…
const GROUP_VISITS: usize = 256;
/// …or bytes of pages…
const GROUP_BYTES: usize = 8 << 20;
/// …or has waited so long: what a crash can lose.
const GROUP_AGE: Duration = Duration::from_millis(500);
/// At its end a crawl waits for those who look at its site: so often…
const LOOKS: usize = 6000;
/// …and so long each time.
const LOOK: Duration = Duration::from_millis(10);

/// Crawls a site into the store.
///
/// A crawl that was stopped goes on; a finished one is done again: stored pages are asked for with their `ETag` and
/// `Last-Modified`, changed ones replace what the model counted, those that are gone leave it. Ends early, with
/// everything stored, when `stop` is turned on. With `fresh`, what was stored goes once the new crawl has a page. Meanwhile
/// the site can be read through `live`.
pub async fn crawl_site(
    store: &Store,
    options: &CrawlOptions,
    progress: &CrawlProgress,
    stop: &Stop,
    live: &LiveSite,
) -> Result<CrawlOutcome, PipelineError> {
    let site = &options.params.site;
    let aside = options.fresh && store.set_aside(site)?;
    let outcome = run(store, options, progress, stop, live).await;
    if aside {
        let pages = match &outcome {
            Ok(outcome) => outcome.pages,
            Err(_) => site_key(site).and_then(|key| store.site(&key)).map_or(0, |site| site.n_pages()),
        };
        if pages == 0 { store.bring_back(site)? } else { store.forget_aside(site)? }
    }
    outcome
}

async fn run(
    store: &Store,
    options: &CrawlOptions,
    progress: &CrawlProgress,
    stop: &Stop,
    live: &LiveSite,
) -> Result<CrawlOutcome, PipelineError> {
    let mut site = store.create_site(&options.params.site)?;
    let mut state = SiteState::of(&site)?;
    state.settle_terms(&site, &options.terms)?;
    let terms = options.terms.options()?;
    let resumed = state.crawl > 0 && !state.finished;
    if !resumed {
        state.crawl += 1;
        state.finished = false;
    }
    let start = start(&site, &options.params, &state, resumed)?;
    if !resumed {
        // From here on the crawl can be resumed: what it begins with is on disk.
        let mut group = Group::new(state.crawl);
        start.queue.iter().cloned().for_each(|entry| group.enqueue(entry));
        site.commit(group)?;
    }
    state.save(&mut site)?;

    let site = Arc::new(RwLock::new(site));
    live.open(&site);
    let (sender, receiver) = mpsc::channel(WAITING);
    let keeper = {
        let site = Arc::clone(&site);
        let learning = Learning { crawl: state.crawl, terms, looks: options.looks };
        tokio::task::spawn_blocking(move || keep(&site, receiver, &learning))
    };
    let read = |url: &str| -> Option<_> {
        let site = site.read().unwrap_or_else(PoisonError::into_inner);
        site.page(url).ok().flatten()
    };
    let memory = Memory {
        validators: Box::new(|url| {
            let (_, record) = read(url)?;
            Some(Validators { etag: record.etag, last_modified: record.last_modified })
        }),
        stored: Box::new(|url| {
            let (_, record) = read(url)?;
            site.read().unwrap_or_else(PoisonError::into_inner).read_page(&record).ok()
        }),
    };
    let crawled = crawl::run(&options.params, start, memory, sender, progress, stop.clone()).await;
    let kept = keeper.await.map_err(|e| PipelineError::Worker(e.to_string()))?;
    live.close();
    let mut site = alone(site).await?;
    // The store's own error says more than the crawl's "nobody listens".
    let report = kept?;
    let summary = match crawled {
        Ok(summary) => summary,
        Err(error) => {
            let empty = state.crawl == 1 && site.n_pages() == 0 && site.fates().next().is_none();
            site.close()?;
            if empty {
                // A mistyped address is no site: nothing of it stays.
                store.remove_site(&options.params.site)?;
            }
            return Err(error.into());
        }
    };
    state.finished = matches!(summary.ending, Ending::Complete | Ending::Limit);
    state.save(&mut site)?;
    let pages = site.n_pages();
    site.close()?;
    Ok(CrawlOutcome { summary, report, resumed, pages })
}

/// The site, once nobody looks at it any more.
async fn alone(mut site: Arc<RwLock<SiteStore>>) -> Result<SiteStore, PipelineError> {
    for _ in 0..LOOKS {
        match Arc::try_unwrap(site) {
            Ok(site) => return Ok(site.into_inner().unwrap_or_else(PoisonError::into_inner)),
            Err(shared) => site = shared,
        }
        tokio::time::sleep(LOOK).await;
    }
    Err(PipelineError::Worker("the store is still in use".to_owned()))
}

/// What the crawl begins with: what was left, or the entrance and all known pages.
fn start(site: &SiteStore, params: &CrawlParams, state: &SiteState, resumed: bool) -> Result<Start, StoreError> {
    let mut start = Start::default();
    if resumed {
        start.queue = site.queue()?;
        for page in site.pages() {
            let (_, record) = page?;
            // A page of an earlier crawl that still waits for this one's look is in the queue as well.
            if record.crawl == state.crawl {
                start.pages_so_far += 1;
                start.seen.push(record.url);
            }
        }
        for fate in site.fates() {
            let (url, record) = fate?;
            if record.crawl == state.crawl {
                start.seen.push(url);
            }
        }
        return Ok(start);
    }
    start.queue.push(crawl::entrance(&params.site));
    for page in site.pages() {
        let (_, record) = page?;
        if record.url != start.queue[0].url && record.depth <= params.depth {
            start.queue.push(QueueEntry {
                url: record.url,
                depth: record.depth,
                hops: 0,
                source: Source::Known,
                referrer: None,
            });
        }
    }
    Ok(start)
}

/// What is done with the pages of a crawl.
struct Learning {
    /// The number of the crawl.
    crawl: u32,
    terms: TermOptions,
    looks: bool,
}

/// Receives visits until there are no more, and stores them in groups.
fn keep(
    site: &RwLock<SiteStore>,
    mut visits: mpsc::Receiver<Visit>,
    learning: &Learning,
) -> Result<Report, StoreError> {
    let mut report = Report::default();
    let mut group = Group::new(learning.crawl);
    let mut in_group = 0;
    let mut since = Instant::now();
    let runtime = tokio::runtime::Handle::current();
    loop {
        let next = if group.is_empty() {
            Ok(visits.blocking_recv())
        } else {
            let left = GROUP_AGE.saturating_sub(since.elapsed());
            runtime.block_on(async { tokio::time::timeout(left, visits.recv()).await })
        };
        let ended = match next {
            Ok(Some(visit)) => {
                if group.is_empty() {
                    since = Instant::now();
                }
                in_group += 1 + visit.discovered.len();
                let stored = site.read().unwrap_or_else(PoisonError::into_inner);
                take(&stored, &mut group, visit, learning, &mut report)?;
                false
            }
            Ok(None) => true,
            Err(_) => false,
        };
        let full = group.pages() >= GROUP_PAGES || group.bytes() >= GROUP_BYTES || in_group >= GROUP_VISITS;
        if ended || full || since.elapsed() >= GROUP_AGE {
            if !group.is_empty() {
                let ready = std::mem::replace(&mut group, Group::new(learning.crawl));
                site.write().unwrap_or_else(PoisonError::into_inner).commit(ready)?;
            }
            in_group = 0;
            since = Instant::now();
        }
        if ended {
            return Ok(report);
        }
    }
}

/// Turns a visit into changes.
fn take(
    site: &SiteStore,
    group: &mut Group,
    visit: Visit,
    learning: &Learning,
    report: &mut Report,
) -> Result<(), StoreError> {
    let Visit { entry, outcome, discovered } = visit;
    for entry in discovered {
        group.enqueue(entry);
    }
    match outcome {
        Outcome::Page(page, dom) => {
            if let Some(twin) = index_twin(site, group, &page.url, &page.body)? {
                if index_folder_of(&page.url).is_some() {
                    let reason = format!("the same page as {twin}");
                    group.remove_page(&page.url);
                    group.settle(entry.url, entry.depth, Some(Fate::Skipped { reason }));
                    report.skipped += 1;
                    return Ok(());
                }
                let reason = format!("the same page as {}", page.url);
                group.remove_page(&twin);
                group.settle(twin, entry.depth, Some(Fate::Skipped { reason }));
            }
            let charset = decode(&page.body, page.header("content-type")).charset;
            let (facts, counts, looks) = learn_page(&page, &dom, charset, &learning.terms, learning.looks);
            group.put_page(*page, facts, counts, looks);
            group.settle(entry.url, entry.depth, None);
            report.done += 1;
        }
        Outcome::NotModified => {
            group.touch(&entry.url, entry.depth);
            group.settle(entry.url, entry.depth, None);
            report.done += 1;
        }
        Outcome::None(fate) => {
            match &fate {
                // The server may be well again tomorrow: what is stored stays.
                // A closed door is an answer, and nothing failed; but it may be open tomorrow, or to others, as well.
                Fate::Failed { status: Some(401 | 403 | 407 | 451), .. } => report.skipped += 1,
                Fate::Failed { reason, .. } => report.fail(&entry.url, reason),
                Fate::Redirect { .. } | Fate::Skipped { .. } | Fate::Gone { .. } => {
                    group.remove_page(&entry.url);
                    report.skipped += 1;
                }
            }
            group.settle(entry.url, entry.depth, Some(fate));
        }
    }
    Ok(())
}

/// The stored page that is the same as this one but for `index.html` in its URL: a static site links to both.
fn index_twin(site: &SiteStore, group: &Group, url: &str, body: &[u8]) -> Result<Option<String>, StoreError> {
    let Ok(parsed) = Url::parse(url) else { return Ok(None) };
    let other = |path: &str| {
        let mut other = parsed.clone();
        other.set_path(path);
        String::from(other)
    };
    let path = parsed.path();
    let twins = match index_folder(path) {
        Some(folder) => vec![other(folder)],
        None if path.ends_with('/') => vec![other(&format!("{path}index.html")), other(&format!("{path}index.htm"))],
        None => return Ok(None),
    };
    let digest = body_digest(body);
    for twin in twins {
        let same = match group.digest_of(&twin) {
            Some(known) => known == digest,
            None => site.page(&twin)?.is_some_and(|(_, record)| record.digest == digest),
        };
        if same {
            return Ok(Some(twin));
        }
    }
    Ok(None)
}

fn index_folder_of(url: &str) -> Option<String> {
    let url = Url::parse(url).ok()?;
    index_folder(url.path()).map(str::to_owned)
}
