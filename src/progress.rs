//! What a run did and what went wrong on the way; and the counters that a progress bar shows meanwhile.

use std::sync::atomic::{AtomicU64, Ordering};

/// Something that failed on one page (or input) and did not stop the run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure {
    /// The page's URL, or the input.
    pub what: String,
    /// Why, and what to do.
    pub why: String,
}

/// The outcome of a run over many pages.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Report {
    /// Pages done.
    pub done: u64,
    /// Pages passed over on purpose (no HTML, another site, not successful).
    pub skipped: u64,
    /// Of the pages done, those found to repeat others.
    pub repeated: u64,
    /// Pages that failed.
    pub failed: u64,
    /// The failures, up to [`Report::MOST`]; `failed` counts all.
    pub failures: Vec<Failure>,
}

impl Report {
    /// Failures that are kept with their reasons.
    pub const MOST: usize = 1000;

    /// Notes a failure.
    pub fn fail(&mut self, what: impl Into<String>, why: &dyn std::fmt::Display) {
        self.failed += 1;
        if self.failures.len() < Self::MOST {
            self.failures.push(Failure { what: what.into(), why: why.to_string() });
        }
    }

    /// Adds another run's outcome.
    pub fn merge(&mut self, other: Self) {
        self.done += other.done;
        self.skipped += other.skipped;
        self.repeated += other.repeated;
        self.failed += other.failed;
        let room = Self::MOST - self.failures.len().min(Self::MOST);
        self.failures.extend(other.failures.into_iter().take(room));
    }
}

/// Counters of a run, read by whoever shows progress.
#[derive(Debug, Default)]
pub struct Progress {
    /// Pages (or bytes) in all; 0 while unknown.
    pub total: AtomicU64,
    /// Pages (or bytes) done.
    pub done: AtomicU64,
    /// Pages that failed.
    pub failed: AtomicU64,
}

impl Progress {
    /// Counts what was done and what failed.
    pub fn add(&self, done: u64, failed: u64) {
        self.done.fetch_add(done, Ordering::Relaxed);
        self.failed.fetch_add(failed, Ordering::Relaxed);
    }
}
