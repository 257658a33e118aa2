//! Where a server reads: a store at rest, or the site of a running crawl.

use crate::pipeline::{LiveSite, PipelineError};
use crate::progress::Progress;
use crate::report::{Scope, SiteReport};
use crate::store::{SiteStore, Store, StoreError};
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// A site that nobody asks for is let go after so long.
pub(super) const IDLE: Duration = Duration::from_secs(4);
/// So long a running crawl's counts are taken for current, at least.
const CURRENT: Duration = Duration::from_secs(2);
/// And so many times as long as it took to read them: the crawl waits meanwhile, for a tenth of its time at most.
const SHARE: u32 = 9;

/// Why a site cannot be shown.
#[derive(Debug, thiserror::Error)]
pub(super) enum Trouble {
    /// There is no such site, page or document.
    #[error("there is no such site, page or document")]
    None,
    /// Another process works on the site.
    #[error(
        "another process works on this site; what a crawl does is shown by the crawl itself: wisdom crawl --serve. Try again later"
    )]
    InUse,
    /// The crawl has not begun, or is over.
    #[error("the crawl has ended or has not begun yet; try again later")]
    NotNow,
    /// The request makes no sense.
    #[error("{0}")]
    Request(String),
    /// The store, or what was mined.
    #[error(transparent)]
    Failed(PipelineError),
}

impl From<PipelineError> for Trouble {
    fn from(error: PipelineError) -> Self {
        match error {
            PipelineError::Store(error) => error.into(),
            error => Self::Failed(error),
        }
    }
}

impl From<StoreError> for Trouble {
    fn from(error: StoreError) -> Self {
        match error {
            StoreError::NoSite { .. } => Self::None,
            StoreError::InUse { .. } => Self::InUse,
            error => Self::Failed(error.into()),
        }
    }
}

/// Where a server reads.
#[derive(Debug)]
pub struct Source(Kind);

#[derive(Debug)]
enum Kind {
    Store { store: Store, only: Option<Vec<String>>, open: Mutex<Option<Arc<OpenSite>>> },
    Crawl { key: String, site: Arc<LiveSite>, last: Mutex<Option<Looked>> },
}

/// What a running crawl had when it was last looked at.
#[derive(Debug)]
struct Looked {
    until: Instant,
    report: Arc<SiteReport>,
}

/// A site of a store at rest. While it is open no other process can change it, so that what was made of it stays true.
#[derive(Debug)]
struct OpenSite {
    key: String,
    site: SiteStore,
    report: SiteReport,
    /// Files that were made; not those of single pages.
    files: Mutex<BTreeMap<String, Arc<str>>>,
    used: Mutex<Instant>,
}

impl Source {
    /// A store that nobody crawls: all its sites, or only some. One site is open at a time, and none that nobody asks for, so
    /// that other commands can work between requests.
    pub fn store(store: Store, only: Option<Vec<String>>) -> Self {
        Self(Kind::Store { store, only, open: Mutex::new(None) })
    }

    /// The site that a crawl of this process writes.
    pub fn crawl(key: String, site: Arc<LiveSite>) -> Self {
        Self(Kind::Crawl { key, site, last: Mutex::new(None) })
    }

    /// Keys and URLs of the sites.
    pub(super) fn sites(&self) -> Result<Vec<(String, Option<String>)>, Trouble> {
        Ok(match &self.0 {
            Kind::Store { store, only, .. } => {
                let is_shown = |key: &String| only.as_ref().is_none_or(|only| only.contains(key));
                let sites = store.sites()?.into_iter().map(|site| (site.key, site.url));
                sites.filter(|(key, _)| is_shown(key)).collect()
            }
            Kind::Crawl { key, site, .. } => vec![(key.clone(), site.look(|site| site.url().to_owned()))],
        })
    }

    /// Reads a site. Blocks: opening a site of a store takes as long as mining again.
    pub(super) fn with<T>(
        &self,
        key: &str,
        read: impl FnOnce(&SiteStore, &SiteReport) -> Result<T, Trouble>,
    ) -> Result<T, Trouble> {
        match &self.0 {
            Kind::Store { store, only, open } => {
                let open = opened(store, only.as_deref(), open, key)?;
                read(&open.site, &open.report)
            }
            Kind::Crawl { key: own, .. } if own != key => Err(Trouble::None),
            Kind::Crawl { site, last, .. } => site
                .look(|site| {
                    let report = current(site, key, last)?;
                    read(site, &report)
                })
                .ok_or(Trouble::NotNow)?,
        }
    }

    /// A file of the report of a site.
    pub(super) fn file(&self, key: &str, name: &str) -> Result<Arc<str>, Trouble> {
        let made = |site: &SiteStore, report: &SiteReport| -> Result<Arc<str>, Trouble> {
            report.file(site, name)?.map(Arc::from).ok_or(Trouble::None)
        };
        match &self.0 {
            Kind::Store { store, only, open } if !name.starts_with("pages/") => {
                let open = opened(store, only.as_deref(), open, key)?;
                if let Some(file) = locked(&open.files).get(name) {
                    return Ok(Arc::clone(file));
                }
                let file = made(&open.site, &open.report)?;
                locked(&open.files).insert(name.to_owned(), Arc::clone(&file));
                Ok(file)
            }
            _ => self.with(key, made),
        }
    }

    /// Lets go of a site that nobody has asked for lately.
    pub(super) fn release(&self) {
        let Kind::Store { open, .. } = &self.0 else { return };
        let mut open = locked(open);
        let is_idle = |site: &Arc<OpenSite>| Arc::strong_count(site) == 1 && locked(&site.used).elapsed() > IDLE;
        if open.as_ref().is_some_and(is_idle) {
            *open = None;
        }
    }
}

/// The site, open; the one that was open before is closed as soon as nobody reads it.
fn opened(
    store: &Store,
    only: Option<&[String]>,
    open: &Mutex<Option<Arc<OpenSite>>>,
    key: &str,
) -> Result<Arc<OpenSite>, Trouble> {
    if only.is_some_and(|only| !only.iter().any(|shown| shown == key)) {
        return Err(Trouble::None);
    }
    // Whoever asks meanwhile waits, and finds the site open.
    let mut open = locked(open);
    if let Some(site) = open.as_ref().filter(|site| site.key == key) {
        *locked(&site.used) = Instant::now();
        return Ok(Arc::clone(site));
    }
    *open = None;
    let site = store.site(key)?;
    let scope = Scope { pages: usize::MAX, live: false, sites: Some("../../") };
    let report = SiteReport::read(&site, key, &scope, &Progress::default())?;
    let site = Arc::new(OpenSite {
        key: key.to_owned(),
        site,
        report,
        files: Mutex::default(),
        used: Mutex::new(Instant::now()),
    });
    *open = Some(Arc::clone(&site));
    Ok(site)
}

fn current(site: &SiteStore, key: &str, last: &Mutex<Option<Looked>>) -> Result<Arc<SiteReport>, Trouble> {
    let mut last = locked(last);
    let begun = Instant::now();
    if let Some(looked) = last.as_ref().filter(|looked| begun < looked.until) {
        return Ok(Arc::clone(&looked.report));
    }
    let scope = Scope { pages: usize::MAX, live: true, sites: Some("../../") };
    let report = Arc::new(SiteReport::read(site, key, &scope, &Progress::default())?);
    let (read, now) = (begun.elapsed(), Instant::now());
    *last = Some(Looked { until: now + CURRENT.max(read * SHARE), report: Arc::clone(&report) });
    Ok(report)
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
