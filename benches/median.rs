//! The median time of some work: what the benchmarks print.

use std::time::{Duration, Instant};

pub(crate) fn median(rounds: usize, mut work: impl FnMut()) -> Duration {
    let mut times: Vec<Duration> = (0..rounds)
        .map(|_| {
            let begun = Instant::now();
            work();
            begun.elapsed()
        })
        .collect();
    times.sort_unstable();
    times[rounds / 2]
}
