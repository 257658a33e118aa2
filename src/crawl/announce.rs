//! Which of the URLs that come up are new, within the site, and worth asking for.

use rustc_hash::FxHashSet;
use url::Url;
use xxhash_rust::xxh3::xxh3_128;

use super::params::{CrawlParams, Filter};
use super::scope::{Scope, names_private_host};
use super::trap::{Traps, absurd};
use crate::page::{QueueEntry, Source};
use crate::urls::{identity, is_web, normalize};

/// Knows what was announced before, the site's hosts, the filter, and what has been learned of traps.
#[derive(Debug)]
pub(crate) struct Announcer {
    pub(crate) scope: Scope,
    pub(crate) traps: Traps,
    filter: Filter,
    depth: u32,
    /// Whether the site is at a private address itself.
    near: bool,
    /// Hashes of the identities announced: 16 bytes a URL, and a collision in no crawl that will ever be run.
    seen: FxHashSet<u128>,
}

impl Announcer {
    pub(crate) fn new(params: &CrawlParams, near: bool) -> Self {
        Self {
            scope: Scope::new(&params.site, params.subdomains),
            traps: Traps::default(),
            filter: params.filter.clone(),
            depth: params.depth,
            near,
            seen: FxHashSet::default(),
        }
    }

    /// Remembers a URL as announced.
    pub(crate) fn see(&mut self, url: &str) {
        let key = Url::parse(url).map_or_else(|_| url.to_owned(), |url| identity(&url));
        self.seen.insert(xxh3_128(key.as_bytes()));
    }

    /// Whether the URL belongs to the site and may be touched at all.
    pub(crate) fn is_inside(&self, url: &Url) -> bool {
        is_web(url) && self.scope.holds(url) && (self.near || !names_private_host(url))
    }

    /// The entry for a URL that is new, inside the site, no trap, shallow enough and let through by the filter.
    pub(crate) fn announce(
        &mut self,
        url: &Url,
        referrer: &Url,
        depth: u32,
        hops: u8,
        source: Source,
    ) -> Option<QueueEntry> {
        // The entrance's redirects are the entrance, and always wanted.
        let wanted = depth == 0 || self.filter.accepts(url);
        if depth > self.depth || !self.is_inside(url) || !wanted || absurd(url).is_some() {
            return None;
        }
        if !self.seen.insert(xxh3_128(identity(url).as_bytes())) {
            return None;
        }
        Some(QueueEntry { url: normalize(url).into(), depth, hops, source, referrer: Some(referrer.to_string()) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn url(text: &str) -> Url {
        Url::parse(text).expect("test URL")
    }

    #[test]
    fn only_new_urls_inside_the_site_are_announced() {
        let mut params = CrawlParams::new(url("http://h.example/"));
        params.filter = Filter::new(&[], &["/no/*"]).expect("patterns");
        params.depth = 2;
        let mut announcer = Announcer::new(&params, false);
        announcer.see("http://h.example/");
        for (link, depth, want) in [
            ("http://h.example/a", 1, true),
            ("http://h.example/a#x", 1, false),
            ("http://H.example:80/a?utm_source=x", 1, false),
            ("http://h.example/", 1, false),
            ("http://h.example/no/a", 1, false),
            ("http://h.example/deep", 3, false),
            ("http://h.example/deep", 2, true),
            ("http://other.example/", 1, false),
            ("http://127.0.0.1/", 1, false),
            ("http://h.example/q?a=1&b=2", 1, true),
            ("http://h.example/q?b=2&a=1", 1, false),
            ("http://h.example/x/x/x/x", 1, false),
        ] {
            let entry = announcer.announce(&url(link), &url("http://h.example/"), depth, 0, Source::Link);
            assert_eq!(entry.is_some(), want, "{link}");
        }
    }
}
