//! Work on several threads, results in order.

use anyhow::{Context, Result};
use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::channel;

/// Results that may wait for an earlier one, a thread.
const WAITING: usize = 8;

/// Makes `count` results on `jobs` threads, and takes them one by one in order on this one. A result is `None` where making
/// it panicked. Only a few are begun ahead of the first that is not taken, so that one slow result does not pile up others.
/// Stops at the first error of `take`.
pub(super) fn in_order<T: Send>(
    count: usize,
    jobs: usize,
    make: impl Fn(usize) -> T + Sync,
    mut take: impl FnMut(usize, Option<T>) -> Result<()>,
) -> Result<()> {
    let jobs = jobs.min(count).max(1);
    let pool =
        rayon::ThreadPoolBuilder::new().num_threads(jobs).build().context("cannot start threads; try --jobs 1")?;
    let make = &make;
    pool.in_place_scope(|scope| {
        let (send, results) = channel();
        let mut waiting: BTreeMap<usize, Option<T>> = BTreeMap::new();
        let mut begun = 0;
        for next in 0..count {
            while begun < count && begun < next + jobs * WAITING {
                let (send, index) = (send.clone(), begun);
                scope.spawn(move |_| {
                    // Nothing that a panic may leave half done is used afterwards. If nobody waits, a `take` has failed.
                    let _ = send.send((index, catch_unwind(AssertUnwindSafe(|| make(index))).ok()));
                });
                begun += 1;
            }
            let result = loop {
                if let Some(result) = waiting.remove(&next) {
                    break result;
                }
                let (index, result) = results.recv().context("the threads ended early")?;
                waiting.insert(index, result);
            };
            take(next, result)?;
        }
        Ok(())
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::time::Duration;

    #[test]
    fn results_come_in_order_and_not_far_ahead() {
        let (taken, farthest) = (AtomicUsize::new(0), AtomicUsize::new(0));
        let make = |index: usize| {
            let ahead = index - taken.load(Ordering::SeqCst).min(index);
            farthest.fetch_max(ahead, Ordering::SeqCst);
            std::thread::sleep(Duration::from_micros(if index.is_multiple_of(50) { 2000 } else { 10 }));
            index * 2
        };
        let mut got = Vec::new();
        let take = |index, result: Option<usize>| {
            got.push((index, result));
            taken.store(index + 1, Ordering::SeqCst);
            Ok(())
        };
        in_order(300, 3, make, take).expect("no error");
        assert_eq!(got, (0..300).map(|index| (index, Some(index * 2))).collect::<Vec<_>>());
        assert!(farthest.into_inner() <= 3 * WAITING);
    }

    #[test]
    fn an_error_stops_and_a_panic_does_not() {
        let mut got = Vec::new();
        let ended = in_order(
            1000,
            2,
            |index| if index == 3 { panic!("on purpose") } else { index },
            |index, result| {
                got.push(result);
                anyhow::ensure!(index < 5, "enough");
                Ok(())
            },
        );
        assert!(ended.is_err());
        assert_eq!(got, [Some(0), Some(1), Some(2), None, Some(4), Some(5)]);
        in_order(0, 4, |_| (), |_, _| Ok(())).expect("nothing to do");
    }
}
