//! Comparing a model with what its pages say.

use std::collections::HashMap;

use rayon::prelude::*;
use rustc_hash::FxHashSet;

use super::hot::vector;
use super::rows::{PageId, PageRecord, PageVector, key_number};
use super::site::pages_dir;
use super::{SiteStore, StoreError};
use crate::archive::{Location, PageArchive, WarcError, body_digest};
use crate::entropy::{Stat, Table};
use crate::page::Page;
use crate::terms::PageCounts;

/// One thing that is wrong in a store.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Problem {
    /// A record of the archive cannot be read.
    Record {
        /// What is wrong.
        error: String,
    },
    /// A counted page has no readable record where the model says.
    PageLost {
        /// Its URL.
        url: String,
    },
    /// The archived body is not the one that was counted.
    PageChanged {
        /// Its URL.
        url: String,
    },
    /// The counts of a page are not those that its text gives.
    Counts {
        /// Its URL.
        url: String,
    },
    /// Two URLs have one page number, or a number has no URL.
    Numbering {
        /// The page number.
        page: u32,
    },
    /// The sums of some keys are not the sums over the pages.
    Sums {
        /// Name of the table.
        table: &'static str,
        /// How many keys.
        keys: u64,
    },
    /// A lexicon does not give every id exactly once.
    Lexicon {
        /// Name of the table.
        table: &'static str,
    },
    /// The counter of pages is off.
    PageCount {
        /// What the counter says.
        counter: u64,
        /// The pages there are.
        pages: u64,
    },
}

/// What [`verify`] found.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct VerifyReport {
    /// Counted pages.
    pub pages: u64,
    /// Readable page records in the archive, also of earlier versions of pages.
    pub records: u64,
    /// Keys with sums, over all tables.
    pub keys: u64,
    /// What is wrong; nothing where the store is sound.
    pub problems: Vec<Problem>,
}

/// Pages that are read before their counts are made, in parallel.
pub(super) const CHUNK: usize = 64;

/// Recounts every page from its archived bytes by `recount`, and compares: archive records and digests, one URL per page
/// number, the vector of each page, the sums of each key, and the counters. `progress` hears pages done and in all.
///
/// Reads the archive once and the vectors once per 16 million keys of a table; memory is a few hundred bytes per page.
/// An error means that the check itself could not go on, for instance because the model cannot be read.
pub fn verify(
    site: &SiteStore,
    recount: &(dyn Fn(&Page) -> PageCounts + Sync),
    progress: &mut dyn FnMut(u64, u64),
) -> Result<VerifyReport, StoreError> {
    let mut report = VerifyReport::default();
    let mut wanted: HashMap<Location, (PageId, PageRecord)> = HashMap::new();
    let mut numbers = FxHashSet::default();
    for row in site.pages() {
        let (id, record) = row?;
        report.pages += 1;
        if !numbers.insert(id) || id.0 >= site.state.next_page {
            report.problems.push(Problem::Numbering { page: id.0 });
        }
        if let Some((_, other)) = wanted.insert(record.location, (id, record)) {
            report.problems.push(Problem::PageLost { url: other.url });
        }
    }
    if report.pages != site.n_pages() {
        report.problems.push(Problem::PageCount { counter: site.n_pages(), pages: report.pages });
    }
    check_archive(site, &mut wanted, recount, progress, &mut report)?;
    let mut lost: Vec<String> = wanted.into_values().map(|(_, record)| record.url).collect();
    lost.sort_unstable();
    report.problems.extend(lost.into_iter().map(|url| Problem::PageLost { url }));
    for row in site.kv.scan(b"V") {
        let number = key_number(&row?.0).map_err(|_| site.kv.damaged("a page number"))?;
        if !numbers.contains(&PageId(number)) {
            report.problems.push(Problem::Numbering { page: number });
        }
    }
    for table in Table::ALL {
        check_table(site, table, &mut report)?;
    }
    Ok(report)
}

/// Takes from `wanted` what the archive holds, and compares it.
fn check_archive(
    site: &SiteStore,
    wanted: &mut HashMap<Location, (PageId, PageRecord)>,
    recount: &(dyn Fn(&Page) -> PageCounts + Sync),
    progress: &mut dyn FnMut(u64, u64),
    report: &mut VerifyReport,
) -> Result<(), StoreError> {
    let all = wanted.len() as u64;
    let mut done = 0;
    let mut chunk = Vec::with_capacity(CHUNK);
    let mut records = PageArchive::pages(&pages_dir(&site.dir));
    loop {
        let record = records.next();
        let last = record.is_none();
        match record {
            Some(Ok((location, page))) => {
                report.records += 1;
                if let Some((id, record)) = wanted.remove(&location) {
                    chunk.push((id, record, page));
                }
            }
            Some(Err(error @ WarcError::Io { .. })) => return Err(error.into()),
            Some(Err(error)) => report.problems.push(Problem::Record { error: error.to_string() }),
            None => {}
        }
        if chunk.len() == CHUNK || last {
            let counts: Vec<PageCounts> = chunk.par_iter().map(|(_, _, page)| recount(page)).collect();
            for ((id, record, page), counts) in chunk.drain(..).zip(counts) {
                done += 1;
                if page.url != record.url || body_digest(&page.body) != record.digest {
                    report.problems.push(Problem::PageChanged { url: record.url });
                } else if site.hot().look_up(&site.kv, counts)? != vector(&site.kv, id)? {
                    report.problems.push(Problem::Counts { url: record.url });
                }
            }
            site.hot().keep_under(site.budget);
            progress(done, all);
        }
        if last {
            return Ok(());
        }
    }
}

/// Compares the sums of a table with those over the vectors, a window of ids at a time.
fn check_table(site: &SiteStore, table: Table, report: &mut VerifyReport) -> Result<(), StoreError> {
    const WINDOW: u32 = 1 << 24;
    let name = match table {
        Table::Terms => "terms",
        Table::Chunks => "chunks",
        Table::Anchors => "anchors",
    };
    let keys = site.n_keys(table);
    let mut seen = vec![false; keys as usize];
    let mut twice = false;
    site.hot().for_each(&site.kv, table, site.budget, |_, id, _| match seen.get_mut(id as usize) {
        Some(seen) if !*seen => *seen = true,
        _ => twice = true,
    })?;
    if twice || seen.contains(&false) {
        report.problems.push(Problem::Lexicon { table: name });
    }
    let mut wrong = 0;
    let mut start = 0;
    while start < keys {
        let end = start.saturating_add(WINDOW).min(keys);
        let mut sums = vec![Stat::default(); (end - start) as usize];
        for row in site.kv.scan(b"V") {
            let vector = PageVector::decode(&row?.1).map_err(|_| site.kv.damaged("a page vector"))?;
            for &(id, count) in vector.table(table) {
                if (start..end).contains(&id) {
                    sums[(id - start) as usize].add(count);
                } else if id >= keys {
                    wrong += 1;
                }
            }
        }
        for (id, sum) in (start..end).zip(sums) {
            let mut hot = site.hot();
            let stat = hot.sums.get(&site.kv, table, id)?;
            wrong += u64::from(stat != sum);
            report.keys += u64::from(!sum.is_empty());
            if id % 4096 == 0 {
                hot.keep_under(site.budget);
            }
        }
        start = end;
    }
    if wrong > 0 {
        report.problems.push(Problem::Sums { table: name, keys: wrong });
    }
    Ok(())
}

impl std::fmt::Display for Problem {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Record { error } => write!(f, "archive: {error}"),
            Self::PageLost { url } => write!(f, "{url}: no record in the archive where the model says"),
            Self::PageChanged { url } => write!(f, "{url}: the archived page is not the one that was counted"),
            Self::Counts { url } => write!(f, "{url}: the counts are not those of the archived page"),
            Self::Numbering { page } => write!(f, "page number {page}: not exactly one URL has it"),
            Self::Sums { table, keys } => write!(f, "{table}: the sums of {keys} keys are not those over the pages"),
            Self::Lexicon { table } => write!(f, "{table}: not every id has exactly one key"),
            Self::PageCount { counter, pages } => write!(f, "the counter says {counter} pages, there are {pages}"),
        }
    }
}
