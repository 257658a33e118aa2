//! `wisdom crawl`.

use super::serve::listen;
use super::{Ended, create, mine, mine_options, plural, site_url, store_flag, tell_failures, terms};
use crate::args::Crawl;
use crate::bar::{Bar, Counts, Unit};
use anyhow::{Context, Result, bail};
use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};
use tokio::sync::oneshot;
use wisdom::crawl::{CrawlParams, CrawlProgress, Ending, Filter, Stop};
use wisdom::pipeline::{CrawlOptions, CrawlOutcome, LiveSite, Method, crawl_site};
use wisdom::serve::{Source, serve};
use wisdom::store::{Store, site_key};

pub(crate) fn run(args: &Crawl, talk: bool) -> Result<Ended> {
    let mining = mine_options(&args.mining, Method::Auto)?;
    let looks = !args.no_mine && mining.method == Method::Auto;
    let options = CrawlOptions { params: params(args)?, terms: terms(&args.terms)?, fresh: args.fresh, looks };
    let store = create(&args.store)?;
    let begun = Instant::now();
    let outcome = crawl(&store, &options, args.serve, talk)?;
    tell_failures(&outcome.report);
    if talk {
        tell(&outcome, begun.elapsed());
    }
    for warning in &outcome.summary.warnings {
        eprintln!("warning: {warning}");
    }
    let ended = Ended::of(&outcome.report);
    if outcome.summary.ending == Ending::Stopped {
        eprintln!(
            "stopped: run the same command again to go on; {} still wait",
            plural(outcome.summary.left as u64, "URL")
        );
        return Ok(Ended::InPart);
    }
    if let Ending::LeftAlone(why) = &outcome.summary.ending {
        eprintln!("warning: {why}; run the same command again later to go on");
    }
    if outcome.pages == 0 {
        match outcome.summary.entrance {
            Some(trouble) => bail!("nothing was crawled: {trouble}"),
            None => bail!("nothing was crawled: {} gave no page", args.site),
        }
    }
    if let Some(trouble) = &outcome.summary.entrance {
        eprintln!("warning: {trouble}");
    }
    if args.no_mine {
        return Ok(ended);
    }
    let key = site_key(&options.params.site)?;
    let mined = mine::one(&store, &key, &mining, talk)?;
    if talk {
        eprintln!("next: wisdom export{} --site {key} --format jsonl", store_flag(&args.store.store));
    }
    let left_alone = if matches!(outcome.summary.ending, Ending::LeftAlone(_)) { Ended::InPart } else { Ended::Done };
    Ok(ended.and(mined).and(left_alone))
}

/// Crawls under a bar; Ctrl-C ends the crawl with everything stored, a second one at once. Meanwhile the site is shown at the
/// address `served`.
pub(super) fn crawl(
    store: &Store,
    options: &CrawlOptions,
    served: Option<SocketAddr>,
    talk: bool,
) -> Result<CrawlOutcome> {
    let progress = Arc::new(CrawlProgress::default());
    let shown = Arc::clone(&progress);
    let label = options.params.site.host_str().unwrap_or("crawl").to_owned();
    let _bar = Bar::start(talk, &label, Unit::Pages, move || Counts {
        total: shown.fetched.load(Ordering::Relaxed) + shown.queued.load(Ordering::Relaxed),
        done: shown.fetched.load(Ordering::Relaxed),
        errors: shown.failed.load(Ordering::Relaxed),
        queued: Some(shown.queued.load(Ordering::Relaxed)),
    });
    let runtime =
        tokio::runtime::Builder::new_multi_thread().enable_all().build().context("cannot start the runtime")?;
    let outcome = runtime.block_on(async {
        let live = Arc::new(LiveSite::default());
        // Dropped with this block, which ends the server.
        let (_running, over) = oneshot::channel::<()>();
        if let Some(address) = served {
            let source = Source::crawl(site_key(&options.params.site)?, Arc::clone(&live));
            let listener = listen(address, talk).await?;
            tokio::spawn(serve(listener, source, &[], async {
                // Either way the crawl is over.
                let _ = over.await;
            }));
        }
        let stop = Stop::new();
        let wanted = stop.clone();
        tokio::spawn(async move {
            if tokio::signal::ctrl_c().await.is_ok() {
                wanted.now();
            }
        });
        Ok(crawl_site(store, options, &progress, &stop, &live).await?)
    });
    runtime.shutdown_timeout(Duration::from_secs(1));
    outcome
}

fn params(args: &Crawl) -> Result<CrawlParams> {
    let mut params = CrawlParams::new(site_url(&args.site)?);
    params.depth = args.depth;
    params.limit = args.limit;
    params.max_bytes = args.max_bytes;
    params.concurrency = usize::from(args.concurrency);
    params.delay = args.delay.map(Duration::from_millis);
    if !(0.1..=3600.0).contains(&args.timeout) {
        bail!("--timeout {} is out of range; give seconds from 0.1 to 3600", args.timeout);
    }
    params.timeout = Duration::from_secs_f64(args.timeout);
    if let Some(agent) = &args.user_agent {
        params.user_agent.clone_from(agent);
    }
    params.subdomains = args.subdomains;
    params.filter = Filter::new(&args.include, &args.exclude)?;
    params.ignore_robots = args.ignore_robots;
    params.sitemap = !args.no_sitemap;
    for header in &args.header {
        let Some((name, value)) = header.split_once(':') else {
            bail!("--header {header:?} has no colon; write --header 'Name: value'");
        };
        params.headers.push((name.trim().to_owned(), value.trim().to_owned()));
    }
    params.cookie.clone_from(&args.cookie);
    params.proxy.clone_from(&args.proxy);
    Ok(params)
}

fn tell(outcome: &CrawlOutcome, time: Duration) {
    let summary = &outcome.summary;
    let mut parts = Vec::new();
    for (count, what) in [
        (summary.not_modified, "unchanged"),
        (summary.redirects, "redirected"),
        (summary.skipped, "left out"),
        (summary.gone, "gone"),
        (summary.failed, "failed"),
        (summary.trapped, "links into traps"),
    ] {
        if count > 0 {
            parts.push(format!("{count} {what}"));
        }
    }
    let more = if parts.is_empty() { String::new() } else { format!(" ({})", parts.join(", ")) };
    let resumed = if outcome.resumed { ", resumed" } else { "" };
    eprintln!(
        "crawled {}{more} in {:.1} s{resumed}; the model holds {}",
        plural(summary.pages, "page"),
        time.as_secs_f64(),
        plural(outcome.pages, "page"),
    );
}
