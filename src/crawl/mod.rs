//! A site in, its pages out: the only part of the library that is asynchronous and talks to a network.
//!
//! [`run`] takes a [`Start`] (what waits) and sends a [`Visit`] for every URL on a bounded channel. Whoever receives
//! them stores outcome and discovered URLs together, and can hand in what is left at any later time.
//!
//! In the order of use: `params` what to do; `scope` which hosts; `opening` robots.txt (`robots`) and sitemaps
//! (`sitemap`); `frontier` in which order and how fast; `errand` one request (`fetch`, over the client in `spider`, with
//! `coding` and `sniff`) and the parsing; `retry` whether to ask again; `settle` what to keep and where it leads;
//! `announce` which URLs are new, with the guards of `trap`; `run` the loop around them all; `visit` the values that go
//! in and out.
//!
//! The frontier is ours, not the `spider` crate's; `spider.rs` says why. Not here: storing anything, and what pages say.
mod announce;
mod coding;
mod errand;
mod fetch;
mod frontier;
mod opening;
mod params;
mod retry;
mod robots;
mod run;
mod scope;
mod settle;
mod sitemap;
mod sniff;
mod spider;
mod trap;
mod visit;

#[cfg(test)]
mod tests;

pub use opening::SitemapNote;
pub use params::{CrawlParams, Filter, PatternError, USER_AGENT};
pub use run::run;
pub use sniff::is_page;
pub use spider::ClientError;
pub use visit::{
    CrawlError, CrawlProgress, CrawlSummary, Ending, EntranceTrouble, Memory, Outcome, Recall, RobotsNote, Start, Stop,
    Validators, Visit, entrance,
};
