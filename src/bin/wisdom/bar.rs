//! Progress bars: a thread that shows a run's counters until it ends.

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::io::IsTerminal;
use std::sync::mpsc::{Sender, channel};
use std::thread::JoinHandle;
use std::time::Duration;

/// What a bar shows.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Counts {
    /// Steps in all; 0 while unknown.
    pub(crate) total: u64,
    pub(crate) done: u64,
    pub(crate) errors: u64,
    /// Only for crawls: URLs that wait.
    pub(crate) queued: Option<u64>,
}

/// What the steps are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Unit {
    Pages,
    Bytes,
}

/// A bar on stderr; gone when dropped. Shows nothing when stderr is no terminal.
#[derive(Debug)]
pub(crate) struct Bar {
    ended: Option<Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl Bar {
    /// Shows `counts` until the bar is dropped.
    pub(crate) fn start(talk: bool, label: &str, unit: Unit, counts: impl Fn() -> Counts + Send + 'static) -> Self {
        if !talk || !std::io::stderr().is_terminal() {
            return Self { ended: None, thread: None };
        }
        let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr());
        bar.set_prefix(label.to_owned());
        let (ended, end) = channel::<()>();
        let thread = std::thread::spawn(move || {
            let mut total = None;
            loop {
                let now = counts();
                if total != Some(now.total) {
                    total = Some(now.total);
                    bar.set_style(style(unit, now.total > 0));
                    if now.total > 0 {
                        bar.set_length(now.total);
                    }
                }
                bar.set_position(now.done);
                let queued = now.queued.map_or_else(String::new, |n| format!("{n} queued, "));
                bar.set_message(format!("{queued}{} errors", now.errors));
                bar.tick();
                // The sender is dropped when the run has ended.
                if !matches!(
                    end.recv_timeout(Duration::from_millis(120)),
                    Err(std::sync::mpsc::RecvTimeoutError::Timeout)
                ) {
                    bar.finish_and_clear();
                    return;
                }
            }
        });
        Self { ended: Some(ended), thread: Some(thread) }
    }
}

impl Drop for Bar {
    fn drop(&mut self) {
        drop(self.ended.take());
        if let Some(thread) = self.thread.take() {
            // The thread only draws; if it died, so did the bar.
            let _ = thread.join();
        }
    }
}

fn style(unit: Unit, known: bool) -> ProgressStyle {
    let template = match (unit, known) {
        (Unit::Pages, true) => "{prefix} {bar:24} {pos}/{len} pages  {per_sec}  {msg}  ETA {eta}",
        (Unit::Pages, false) => "{prefix} {spinner} {pos} pages  {per_sec}  {msg}  {elapsed}",
        (Unit::Bytes, true) => "{prefix} {bar:24} {bytes}/{total_bytes}  {bytes_per_sec}  {msg}  ETA {eta}",
        (Unit::Bytes, false) => "{prefix} {spinner} {bytes}  {bytes_per_sec}  {msg}  {elapsed}",
    };
    ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar())
}
