//! What was fetched, and what is still to be fetched: the values that crawl, archive and store hand each other.
//!
//! A *page* is a fetched response. A parsed page is a `Dom`; an exported one is a `Document`. The three are never mixed.

use serde::{Deserialize, Serialize};

/// A fetched (or imported) response with its body as it came over the wire, after content decoding.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Page {
    /// The normalised URL under which the page is known. Redirects are queue entries of their own, so this is the URL
    /// that answered.
    pub url: String,
    /// HTTP status; 200 for imported files.
    pub status: u16,
    /// Response headers in order, names in lower case, values with invalid bytes replaced.
    pub headers: Vec<(String, String)>,
    /// The body: bytes after `Content-Encoding`, before any charset decoding.
    pub body: Vec<u8>,
    /// Links from the entrance; 0 for the entrance itself and for imported pages.
    pub depth: u32,
    /// When the response came, in seconds since 1970-01-01 UTC.
    pub fetched_at: u64,
}

impl Page {
    /// The first value of a header, by lower-case name.
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(n, _)| n == name).map(|(_, v)| v.as_str())
    }
}

/// Where a queued URL came from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Source {
    /// The `--site` URL.
    Entrance,
    /// A link on a page.
    Link,
    /// A sitemap.
    Sitemap,
    /// The target of a redirect.
    Redirect,
    /// A page known from an earlier crawl that is due for another look.
    Known,
}

/// One URL waiting in the frontier.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct QueueEntry {
    /// The normalised URL.
    pub url: String,
    /// Links from the entrance.
    pub depth: u32,
    /// Redirects followed to get here, without a page between.
    pub hops: u8,
    /// Where it came from.
    pub source: Source,
    /// The page (or sitemap) that named it, if any.
    pub referrer: Option<String>,
}

/// What became of a URL that gave no page, kept so that nothing is lost silently.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Fate {
    /// Redirected; `to` is the normalised target, or what the server sent where that is no usable URL.
    Redirect {
        /// HTTP status.
        status: u16,
        /// The target.
        to: String,
    },
    /// Left out on purpose: robots, noindex, not HTML, over a limit, out of scope.
    Skipped {
        /// Why, for people.
        reason: String,
    },
    /// The server says there is no such page (404, 410).
    Gone {
        /// HTTP status.
        status: u16,
    },
    /// No answer, or none that could be used, after all retries.
    Failed {
        /// The last HTTP status, where there was one.
        status: Option<u16>,
        /// Why, for people.
        reason: String,
    },
}
