//! The crawl itself: takes entries from the frontier, sends errands, turns what they bring into visits.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;
use std::time::{Duration, SystemTime};

use rustc_hash::FxHashMap;
use tokio::sync::OnceCell;
use tokio::sync::mpsc::Sender;
use tokio::task::JoinSet;
use tokio::time::{Instant, sleep_until, timeout};
use url::Url;

use super::announce::Announcer;
use super::errand::{self, Finished, Gate, Got, SharedGate, addresses};
use super::fetch::FetchError;
use super::frontier::{Frontier, Taken, Waiting};
use super::opening::{Manner, RobotsTrouble, robots_file, sitemaps};
use super::params::CrawlParams;
use super::retry::{LONGEST_WAIT, Next, after_error, after_status, parse_retry_after};
use super::robots::Rules;
use super::scope::{is_private, names_private_host};
use super::settle::{Settled, settle};
use super::spider::{Client, FailureKind};
use super::visit::{
    CrawlError, CrawlProgress, CrawlSummary, Ending, EntranceTrouble, Memory, Outcome, RobotsNote, Start, Stop, Visit,
};
use crate::page::{Fate, QueueEntry, Source};
use crate::urls::{identity, is_web, parse_normalized};

/// `Crawl-delay` that is honoured at most.
const LONGEST_DELAY: Duration = Duration::from_mins(1);
/// Time between requests to a public host when nothing else is asked for.
const PUBLIC_DELAY: Duration = Duration::from_millis(250);
/// A request that has been out this long no longer holds back deeper entries.
const DEPTH_PATIENCE: Duration = Duration::from_secs(5);
/// Entries in a row that the server would not, or could not, answer before the crawl leaves it alone.
const STRIKES: u32 = 5;
/// How long a stopped crawl waits for a slow consumer.
const LAST_DELIVERY: Duration = Duration::from_millis(1500);

/// Crawls a site: breadth first, politely, each entry exactly once.
///
/// Every entry of `start`, and every URL discovered, gives one [`Visit`] on `visits`, unless the run ends before
/// ([`Ending`]); what gave none still waits and is to be handed in again as `start.queue`. The channel is bounded: a slow
/// consumer slows the crawl down, and nothing is dropped. Retries wait in the schedule and hold up no other entry. After
/// `stop` the run returns within about two seconds; requests in flight are abandoned.
///
/// An entry is asked for only when no page above it that was sent for in the last five seconds is still out, so that
/// depths are those of the shortest path.
///
/// # Errors
/// When the crawl cannot begin: the site is no web address, its host does not answer, or its robots.txt cannot be had. And
/// when `visits` is closed.
pub async fn run(
    params: &CrawlParams,
    start: Start,
    memory: Memory<'_>,
    visits: Sender<Visit>,
    progress: &CrawlProgress,
    stop: Stop,
) -> Result<CrawlSummary, CrawlError> {
    if !is_web(&params.site) {
        return Err(CrawlError::Site(params.site.to_string()));
    }
    let client = Client::new(params)?;
    let near = tokio::select! {
        near = is_near(params) => near?,
        () = stop.wanted() => return Ok(stopped(&start)),
    };
    let manner = Arc::new(Manner {
        client,
        timeout: params.timeout,
        max_bytes: params.max_bytes,
        token: params.robots_token(),
        near,
    });
    let queued = start.queue.len();
    let mut crawl = Crawl::new(params, start, memory, visits, progress, manner, stop.clone());
    let opened = tokio::select! {
        opened = crawl.open() => opened,
        () = stop.wanted() => {
            crawl.summary.ending = Ending::Stopped;
            crawl.summary.left = queued;
            Ok(())
        }
    };
    opened?;
    if !stop.is_wanted() {
        crawl.work().await?;
    }
    Ok(crawl.summary)
}

fn stopped(start: &Start) -> CrawlSummary {
    CrawlSummary { left: start.queue.len(), ending: Ending::Stopped, ..CrawlSummary::default() }
}

/// Whether the site is at a loopback or private address. Behind a proxy names are not resolved here.
async fn is_near(params: &CrawlParams) -> Result<bool, CrawlError> {
    if names_private_host(&params.site) {
        return Ok(true);
    }
    if params.proxy.is_some() {
        return Ok(false);
    }
    let host = params.site.host_str().unwrap_or_default().to_owned();
    match addresses(&params.site).await {
        Ok(list) => Ok(list.into_iter().any(is_private)),
        // A proxy named by the environment may resolve what this machine cannot.
        Err(_) if proxy_in_environment() => Ok(false),
        Err(e) => Err(CrawlError::UnknownHost { host, reason: e.to_string() }),
    }
}

fn proxy_in_environment() -> bool {
    ["http_proxy", "https_proxy", "all_proxy", "HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY"]
        .iter()
        .any(|name| std::env::var_os(name).is_some_and(|v| !v.is_empty()))
}

/// The state of one run.
struct Crawl<'a> {
    params: &'a CrawlParams,
    memory: Memory<'a>,
    visits: Sender<Visit>,
    progress: &'a CrawlProgress,
    stop: Stop,
    manner: Arc<Manner>,
    frontier: Frontier,
    announcer: Announcer,
    gates: FxHashMap<String, SharedGate>,
    tasks: JoinSet<Finished>,
    /// Depth and start of every request in flight, by the order of starting.
    out: BTreeMap<u64, (u32, Instant)>,
    out_of: FxHashMap<tokio::task::Id, u64>,
    started: u64,
    gap: Duration,
    pages_before: u64,
    site_identity: String,
    /// What sitemaps named, to be announced with the entrance.
    from_sitemaps: Vec<(Url, Url)>,
    strikes: u32,
    /// Visits that a slow consumer did not take after the stop.
    undelivered: usize,
    summary: CrawlSummary,
}

impl<'a> Crawl<'a> {
    fn new(
        params: &'a CrawlParams,
        start: Start,
        memory: Memory<'a>,
        visits: Sender<Visit>,
        progress: &'a CrawlProgress,
        manner: Arc<Manner>,
        stop: Stop,
    ) -> Self {
        let gap = params.delay.unwrap_or(if manner.near { Duration::ZERO } else { PUBLIC_DELAY });
        let mut crawl = Self {
            params,
            memory,
            visits,
            progress,
            stop,
            announcer: Announcer::new(params, manner.near),
            manner,
            frontier: Frontier::default(),
            gates: FxHashMap::default(),
            tasks: JoinSet::new(),
            out: BTreeMap::new(),
            out_of: FxHashMap::default(),
            started: 0,
            gap,
            pages_before: start.pages_so_far,
            site_identity: identity(&params.site),
            from_sitemaps: Vec::new(),
            strikes: 0,
            undelivered: 0,
            summary: CrawlSummary::default(),
        };
        for url in start.seen {
            crawl.announcer.see(&url);
        }
        for entry in start.queue {
            crawl.announcer.see(&entry.url);
            // A target in the queue was in scope when it was announced, if only as the entrance's other name.
            match parse_normalized(&entry.url) {
                Some(url) => {
                    crawl.announcer.scope.widen(&url);
                    crawl.frontier.push(entry, url, gap);
                }
                None => crawl.summary.warnings.push(format!("{:?} was queued but is no web address", entry.url)),
            }
        }
        crawl
    }

    /// Reads robots.txt and sitemaps of the site.
    async fn open(&mut self) -> Result<(), CrawlError> {
        if self.frontier.len() == 0 {
            return Ok(());
        }
        let asks_robots = !self.params.ignore_robots || self.params.sitemap;
        let mut named = Vec::new();
        let mut rules = Rules::allow_all();
        if asks_robots {
            match robots_file(&self.manner, &self.params.site, !self.params.ignore_robots).await {
                Ok(file) => {
                    named.clone_from(&file.rules.sitemaps);
                    let (url, text) = (file.url.to_string(), file.body);
                    self.summary.robots = Some(RobotsNote { url, status: file.status, text });
                    if !self.params.ignore_robots {
                        rules = file.rules;
                    }
                }
                Err(trouble) => self.weigh(trouble)?,
            }
        }
        self.obey_delay(&self.params.site.clone(), rules.crawl_delay());
        let allowed = |url: &Url| rules.allows(url);
        if self.params.sitemap && self.params.depth > 0 && self.frontier_has_entrance() {
            if named.is_empty() {
                let usual = self.params.site.join("/sitemap.xml").ok();
                named.extend(usual.filter(|url| allowed(url)));
            }
            // Enough for any limit: not every URL of a sitemap gives a page.
            let most =
                self.params.limit.map_or(1_000_000, |n| usize::try_from(n).unwrap_or(1_000_000).saturating_mul(4));
            let (pages, notes) = sitemaps(&self.manner, &self.announcer.scope, named, self.gap, most.max(1000)).await;
            self.from_sitemaps = pages;
            self.summary.sitemaps = notes;
        }
        let gate = OnceCell::new_with(Some(Gate { rules, closed: None }));
        self.gates.insert(origin(&self.params.site), Arc::new(gate));
        if asks_robots {
            self.frontier.pause(&self.params.site, Instant::now() + self.gap);
        }
        Ok(())
    }

    fn frontier_has_entrance(&self) -> bool {
        self.frontier.holds(&self.params.site, &self.site_identity)
    }

    /// What follows from a robots.txt that cannot be had.
    fn weigh(&mut self, trouble: RobotsTrouble) -> Result<(), CrawlError> {
        let (url, reason) = (trouble.url.to_string(), trouble.reason);
        let host = super::scope::host_key(&self.params.site);
        match trouble.kind {
            Some(FailureKind::UnknownHost) => Err(CrawlError::UnknownHost { host, reason }),
            Some(FailureKind::Tls) => Err(CrawlError::Tls { host, reason }),
            Some(FailureKind::Refused | FailureKind::Timeout) => Err(CrawlError::Unreachable { host, reason }),
            _ if self.params.ignore_robots => {
                self.summary.warnings.push(format!("{url} cannot be had ({reason})"));
                Ok(())
            }
            _ => Err(CrawlError::RobotsUnreachable { url, reason }),
        }
    }

    /// Raises the gap of a host to its `Crawl-delay`.
    fn obey_delay(&mut self, url: &Url, delay: Option<Duration>) {
        let Some(asked) = delay.filter(|d| *d > self.gap) else { return };
        if asked > LONGEST_DELAY {
            let host = super::scope::host_key(url);
            let (asked, kept) = (asked.as_secs_f32(), LONGEST_DELAY.as_secs());
            self.summary.warnings.push(format!("{host} asks for {asked} s between requests; {kept} s are kept"));
        }
        let gap = asked.min(LONGEST_DELAY);
        self.frontier.set_gap(url, gap);
        if super::scope::host_key(url) == super::scope::host_key(&self.params.site) {
            self.gap = gap;
        }
    }

    /// Works until nothing is left, the limit is reached or the run is stopped.
    async fn work(&mut self) -> Result<(), CrawlError> {
        let stop = self.stop.clone();
        let ending = loop {
            if stop.is_wanted() {
                break Ending::Stopped;
            }
            if self.strikes >= STRIKES {
                break Ending::LeftAlone(format!("{STRIKES} requests in a row got no answer to work with"));
            }
            let wake = self.send_out().await?;
            self.count_queue();
            if self.tasks.is_empty() && wake.is_none() {
                break if self.frontier.len() > 0 { Ending::Limit } else { Ending::Complete };
            }
            // Without anything to wake up for, the arm below waits for good, that is for the others.
            let wake_at = wake.unwrap_or_else(|| Instant::now() + Duration::from_hours(1));
            tokio::select! {
                biased;
                () = stop.wanted() => {}
                Some(done) = self.tasks.join_next_with_id() => self.receive(done).await?,
                () = sleep_until(wake_at) => {}
            }
        };
        self.summary.ending = ending;
        self.summary.left = self.frontier.len() + self.out.len() + self.undelivered;
        self.tasks.abort_all();
        Ok(())
    }

    /// Starts as many requests as may start now. Returns when the next may, if time alone decides.
    async fn send_out(&mut self) -> Result<Option<Instant>, CrawlError> {
        loop {
            let pages = self.pages_before + self.summary.pages + self.summary.not_modified;
            let full = self.tasks.len() >= self.params.concurrency.max(1);
            if full || self.stop.is_wanted() || self.params.limit.is_some_and(|n| pages + self.tasks.len() as u64 >= n)
            {
                return Ok(None);
            }
            let now = Instant::now();
            let young = self.out.values().filter(|(_, at)| now < *at + DEPTH_PATIENCE);
            let barrier = young.min_by_key(|(depth, _)| *depth).copied();
            match self.frontier.take(now, barrier.map(|(depth, _)| depth)) {
                Taken::Now(waiting) => {
                    if let Some(reason) = self.refusal(&waiting) {
                        self.frontier.free(&waiting.url, now);
                        self.close(waiting.entry, Outcome::None(Fate::Skipped { reason }), Vec::new()).await?;
                    } else {
                        self.dispatch(*waiting);
                    }
                }
                Taken::NotBefore(at) => return Ok(Some(at)),
                Taken::Nothing => return Ok(barrier.map(|(_, at)| at + DEPTH_PATIENCE)),
            }
        }
    }

    /// The reason for not asking for an entry, as far as it is known without a request.
    fn refusal(&self, waiting: &Waiting) -> Option<String> {
        if let Some(reason) = self.announcer.traps.is_twin(&waiting.url).filter(|_| waiting.entry.depth > 0) {
            return Some(reason.to_owned());
        }
        self.gates.get(&origin(&waiting.url))?.get()?.refusal(&waiting.url)
    }

    fn dispatch(&mut self, mut waiting: Waiting) {
        waiting.tries = waiting.tries.saturating_add(1);
        if waiting.tries > 1 {
            self.summary.retries += 1;
        }
        let validators = (!waiting.unconditional).then(|| (self.memory.validators)(&waiting.entry.url)).flatten();
        let gate = Arc::clone(self.gates.entry(origin(&waiting.url)).or_default());
        let depth = waiting.entry.depth;
        let errand = errand::run(waiting, validators, Arc::clone(&self.manner), gate, !self.params.ignore_robots);
        let task = self.tasks.spawn(errand);
        self.out.insert(self.started, (depth, Instant::now()));
        self.out_of.insert(task.id(), self.started);
        self.started += 1;
    }

    async fn receive(
        &mut self,
        done: Result<(tokio::task::Id, Finished), tokio::task::JoinError>,
    ) -> Result<(), CrawlError> {
        let id = done.as_ref().map_or_else(tokio::task::JoinError::id, |(id, _)| *id);
        if let Some(number) = self.out_of.remove(&id) {
            self.out.remove(&number);
        }
        let finished = match done {
            Ok((_, finished)) => finished,
            Err(error) => {
                // A bug in parsing would come here; the entry stays queued, and the crawl goes on.
                self.summary.warnings.push(format!("a page could not be worked on: {error}"));
                return Ok(());
            }
        };
        self.obey_delay(&finished.waiting.url.clone(), finished.crawl_delay);
        match self.judge(&finished) {
            Some(Next::Again { after, whole_host }) => {
                let at = Instant::now() + after;
                if whole_host {
                    self.frontier.pause(&finished.waiting.url, at);
                }
                self.frontier.put_back(finished.waiting, at);
                Ok(())
            }
            _ => self.settle(finished).await,
        }
    }

    /// Whether the entry is to be tried again, and what the answer says of the server's health.
    fn judge(&mut self, finished: &Finished) -> Option<Next> {
        let tries = finished.waiting.tries;
        let (next, strike) = match &finished.got {
            Got::Refused(_) => return None,
            Got::Page(..) => (None, false),
            Got::Reply(reply) => {
                let asked = reply.header("retry-after");
                let now = SystemTime::now();
                let next = after_status(reply.status, asked, tries, now);
                let too_long = asked.and_then(|a| parse_retry_after(a, now)).is_some_and(|a| a > LONGEST_WAIT);
                let strike = too_long && next == Some(Next::GiveUp);
                (next, strike)
            }
            Got::Failed(error) => {
                let next = after_error(error, tries);
                let silent = matches!(
                    error,
                    FetchError::Network(f)
                        if matches!(f.kind, FailureKind::Refused | FailureKind::UnknownHost | FailureKind::Timeout)
                );
                let strike = silent && next == Next::GiveUp;
                (Some(next), strike)
            }
        };
        match next {
            Some(Next::Again { .. }) => {}
            _ if strike => self.strikes += 1,
            _ => self.strikes = 0,
        }
        next
    }

    async fn settle(&mut self, finished: Finished) -> Result<(), CrawlError> {
        let mut waiting = finished.waiting.clone();
        let is_entrance = waiting.entry.depth == 0;
        match settle(finished, &self.memory, self.params.ignore_robots, &mut self.announcer) {
            Settled::AskAgain => {
                waiting.unconditional = true;
                self.frontier.put_back(waiting, Instant::now());
                Ok(())
            }
            Settled::Done { outcome, mut discovered, trouble, trapped } => {
                self.summary.trapped += trapped;
                if is_entrance {
                    self.summary.entrance = trouble;
                }
                if identity(&waiting.url) == self.site_identity {
                    for (page, sitemap) in std::mem::take(&mut self.from_sitemaps) {
                        discovered.extend(self.announcer.announce(&page, &sitemap, 1, 0, Source::Sitemap));
                    }
                }
                self.close(waiting.entry, outcome, discovered).await
            }
        }
    }

    /// Counts and delivers a visit; what it discovered waits from now on.
    async fn close(
        &mut self,
        entry: QueueEntry,
        outcome: Outcome,
        discovered: Vec<QueueEntry>,
    ) -> Result<(), CrawlError> {
        let stop = self.stop.clone();
        let permit = tokio::select! {
            permit = self.visits.reserve() => Ok(permit),
            () = stop.wanted() => timeout(LAST_DELIVERY, self.visits.reserve()).await,
        };
        let Ok(permit) = permit else {
            // The consumer is too slow to wait for; the entry stays in its queue.
            self.undelivered += 1;
            return Ok(());
        };
        let permit = permit.map_err(|_| CrawlError::ConsumerGone)?;
        let (summary, progress) = (&mut self.summary, self.progress);
        match &outcome {
            Outcome::Page(page, _) => {
                summary.pages += 1;
                summary.bytes += page.body.len() as u64;
                progress.fetched.fetch_add(1, Relaxed);
                progress.bytes.fetch_add(page.body.len() as u64, Relaxed);
            }
            Outcome::NotModified => {
                summary.not_modified += 1;
                progress.fetched.fetch_add(1, Relaxed);
            }
            Outcome::None(Fate::Redirect { .. }) => summary.redirects += 1,
            Outcome::None(Fate::Skipped { reason }) => {
                summary.skipped += 1;
                if entry.depth == 0 && reason == errand::FORBIDDEN {
                    summary.entrance = Some(EntranceTrouble::Forbidden(entry.url.clone()));
                }
            }
            Outcome::None(Fate::Gone { .. }) => summary.gone += 1,
            Outcome::None(Fate::Failed { .. }) => {
                summary.failed += 1;
                progress.failed.fetch_add(1, Relaxed);
            }
        }
        for new in &discovered {
            if let Some(url) = parse_normalized(&new.url) {
                self.frontier.push(new.clone(), url, self.gap);
            }
        }
        permit.send(Visit { entry, outcome, discovered });
        Ok(())
    }

    fn count_queue(&self) {
        self.progress.queued.store((self.frontier.len() + self.out.len()) as u64, Relaxed);
    }
}

/// Scheme, host and port: what one robots.txt rules over.
fn origin(url: &Url) -> String {
    url.origin().ascii_serialization()
}
