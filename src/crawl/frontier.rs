//! What waits to be fetched, in which order, and when each host may be asked again.
//!
//! Order: breadth first by depth, then by discovery. Each host has its own queue, so that one that has to be left alone
//! for a while holds up no other. Nothing here waits; [`Frontier::take`] says when to come back.

use std::collections::BTreeMap;
use std::time::Duration;

use tokio::time::Instant;
use url::Url;

use super::scope::host_key;
use crate::page::QueueEntry;
use crate::urls::identity;

/// One entry with what is known of it in this run.
#[derive(Clone, Debug)]
pub(crate) struct Waiting {
    pub(crate) entry: QueueEntry,
    pub(crate) url: Url,
    /// Requests made for it.
    pub(crate) tries: u8,
    /// Ask without conditions: an earlier "not modified" could not be used.
    pub(crate) unconditional: bool,
    place: Place,
}

/// Depth, then order of discovery.
type Place = (u32, u64);

/// The queues of all hosts.
#[derive(Debug, Default)]
pub(crate) struct Frontier {
    hosts: BTreeMap<String, Host>,
    discovered: u64,
    waiting: usize,
}

#[derive(Debug)]
struct Host {
    ready: BTreeMap<Place, Waiting>,
    later: BTreeMap<(Instant, u64), Waiting>,
    /// When the next request may start.
    free_at: Instant,
    /// Time between the starts of two requests.
    gap: Duration,
}

/// What [`Frontier::take`] found.
#[derive(Debug)]
pub(crate) enum Taken {
    /// Fetch this now.
    Now(Box<Waiting>),
    /// Nothing may start before this moment.
    NotBefore(Instant),
    /// Nothing may start before some request in flight has ended, or nothing is left.
    Nothing,
}

impl Frontier {
    /// Adds a new entry behind all of its depth. `gap` counts for hosts not seen before.
    pub(crate) fn push(&mut self, entry: QueueEntry, url: Url, gap: Duration) {
        let place = (entry.depth, self.discovered);
        self.discovered += 1;
        self.waiting += 1;
        let host = self.host(&url, gap);
        host.ready.insert(place, Waiting { entry, url, tries: 0, unconditional: false, place });
    }

    /// Puts an entry back into its place, to be taken after `at`.
    pub(crate) fn put_back(&mut self, waiting: Waiting, at: Instant) {
        self.waiting += 1;
        let host = self.host(&waiting.url, Duration::ZERO);
        host.later.insert((at, waiting.place.1), waiting);
    }

    /// Starts no request to the host of `url` before `until`.
    pub(crate) fn pause(&mut self, url: &Url, until: Instant) {
        let host = self.host(url, Duration::ZERO);
        host.free_at = host.free_at.max(until);
    }

    /// Sets the time between the starts of two requests to the host of `url`.
    pub(crate) fn set_gap(&mut self, url: &Url, gap: Duration) {
        self.host(url, gap).gap = gap;
    }

    /// Lets the next request to the host of `url` start at `now`: the last entry taken was not asked for after all.
    pub(crate) fn free(&mut self, url: &Url, now: Instant) {
        self.host(url, Duration::ZERO).free_at = now;
    }

    /// Whether an entry of this identity waits at the host of `url`. Linear in the entries of the host.
    pub(crate) fn holds(&self, url: &Url, wanted: &str) -> bool {
        let host = self.hosts.get(&host_key(url));
        host.is_some_and(|h| h.ready.values().chain(h.later.values()).any(|w| identity(&w.url) == wanted))
    }

    /// Entries that wait, those to be tried again among them.
    pub(crate) fn len(&self) -> usize {
        self.waiting
    }

    /// Takes the first entry (by depth, then discovery) whose host may be asked at `now`, and starts that host's gap.
    /// Entries deeper than `max_depth` stay, because a page above them is still to come. Logarithmic in the entries, linear
    /// in the hosts.
    pub(crate) fn take(&mut self, now: Instant, max_depth: Option<u32>) -> Taken {
        let mut best: Option<(Place, &String)> = None;
        let mut wake: Option<Instant> = None;
        for (name, host) in &mut self.hosts {
            while let Some(first) = host.later.first_entry().filter(|f| f.key().0 <= now) {
                let waiting = first.remove();
                host.ready.insert(waiting.place, waiting);
            }
            let ready = host.ready.first_key_value().map(|(place, _)| *place);
            let ready = ready.filter(|place| max_depth.is_none_or(|max| place.0 <= max));
            let at = match (ready, host.later.first_key_value()) {
                (Some(place), _) if host.free_at <= now => {
                    if best.is_none_or(|(b, _)| place < b) {
                        best = Some((place, name));
                    }
                    continue;
                }
                (Some(_), _) => host.free_at,
                (None, Some(((at, _), _))) => (*at).max(host.free_at),
                (None, None) => continue,
            };
            wake = Some(wake.map_or(at, |w| w.min(at)));
        }
        let found = best.map(|(place, name)| (place, name.clone()));
        if let Some((place, name)) = found
            && let Some(host) = self.hosts.get_mut(&name)
            && let Some(waiting) = host.ready.remove(&place)
        {
            host.free_at = now + host.gap;
            self.waiting -= 1;
            return Taken::Now(Box::new(waiting));
        }
        wake.map_or(Taken::Nothing, Taken::NotBefore)
    }

    fn host(&mut self, url: &Url, gap: Duration) -> &mut Host {
        self.hosts.entry(host_key(url)).or_insert_with(|| Host {
            ready: BTreeMap::new(),
            later: BTreeMap::new(),
            free_at: Instant::now(),
            gap,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::page::Source;

    const GAP: Duration = Duration::from_millis(100);

    fn push(frontier: &mut Frontier, url: &str, depth: u32) {
        let entry = QueueEntry { url: url.into(), depth, hops: 0, source: Source::Link, referrer: None };
        frontier.push(entry, Url::parse(url).expect("test URL"), GAP);
    }

    fn take(frontier: &mut Frontier, now: Instant) -> Result<Waiting, Taken> {
        match frontier.take(now, None) {
            Taken::Now(waiting) => Ok(*waiting),
            other => Err(other),
        }
    }

    #[tokio::test]
    async fn breadth_first_then_discovery_with_a_gap_per_host() {
        let mut frontier = Frontier::default();
        for (url, depth) in [("http://a/2", 2), ("http://a/1", 1), ("http://b/1", 1), ("http://a/1b", 1)] {
            push(&mut frontier, url, depth);
        }
        let now = Instant::now();
        assert_eq!(take(&mut frontier, now).expect("entry").entry.url, "http://a/1");
        assert_eq!(take(&mut frontier, now).expect("entry").entry.url, "http://b/1");
        let Err(Taken::NotBefore(at)) = take(&mut frontier, now) else { panic!("the gap is over") };
        assert_eq!(at, now + GAP);
        assert_eq!(take(&mut frontier, at).expect("entry").entry.url, "http://a/1b");
        assert!(matches!(frontier.take(at + GAP, Some(1)), Taken::Nothing));
        assert_eq!(take(&mut frontier, at + GAP).expect("entry").entry.url, "http://a/2");
        assert_eq!(frontier.len(), 0);
    }

    #[tokio::test]
    async fn put_back_and_paused_entries_hold_up_no_other_host() {
        let mut frontier = Frontier::default();
        for url in ["http://a/1", "http://a/2", "http://b/1"] {
            push(&mut frontier, url, 1);
        }
        let now = Instant::now();
        let first = take(&mut frontier, now).expect("entry");
        let later = now + Duration::from_secs(3);
        frontier.pause(&first.url, later);
        frontier.put_back(first, later);
        assert_eq!(take(&mut frontier, now).expect("entry").entry.url, "http://b/1");
        assert!(matches!(frontier.take(now + GAP, None), Taken::NotBefore(at) if at == later));
        assert_eq!(take(&mut frontier, later).expect("entry").entry.url, "http://a/1");
        assert_eq!(frontier.len(), 1);
    }
}
