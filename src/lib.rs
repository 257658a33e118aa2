//! wisdom crawls a web site, learns what its pages repeat, and keeps what each page really says.
//!
//! # Code map, in pipeline order
//!
//! - [`page`]: what was fetched, and what waits to be fetched. [`urls`]: one normal form of URLs.
//! - [`dom`]: bytes to text to a flat, frozen tree. It does not know the network, terms or scores.
//! - [`terms`]: the words of a page. [`entropy`]: the sums of a site, and the entropies they give.
//! - `trees`: the tables that learned models are made of.
//! - [`coverage`]: every node of a page with what its subtree tells. [`blocks`]: WISDOM, which finds the blocks that inform.
//! - [`article`]: single pages. [`extract`] finds the main content, by a learned classifier of blocks (`auto`) or as published
//!   (`econ`); `meta` reads what a page says about itself; kept nodes are written as text, Markdown and HTML.
//! - [`records`]: list pages. Regions of records that look alike, the list a person would mean first (a learned ranking, or as
//!   published: `mdr`, `net`, `embley`), and their items in columns.
//! - [`site`]: what many pages say together. Method `auto` of mining: blocks, links, types and lists of pages, judged by their
//!   site.
//! - [`explain`]: why each decision on a page was made, told in one way to all who ask.
//! - [`crawl`]: a site to a stream of pages. [`archive`]: pages to WARC files and back. [`store`]: sites on disk.
//! - [`export`]: documents for a search indexer.
//! - [`pipeline`]: where the stages meet, and where decisions are explained (`inspect`). [`progress`]: what a run did.
//! - [`report`]: a site as pages for a browser. [`serve`]: the same over HTTP, and as JSON.
//!
//! # Invariants
//!
//! - `page`, `urls`, `dom`, `terms`, `trees`, `entropy`, `coverage`, `blocks`, `article`, `site`, `records` and `explain` are pure: no I/O, no
//!   clock, no async; values in, values out. Parsing never fails. A test reads the source and enforces this and the direction of imports.
//! - The site model is sums of integers, so that it depends neither on the order of pages nor on crashes: what was learned
//!   page by page equals, bit for bit, what is made anew from the archive.
//! - Nothing is lost silently: a URL that gave no page keeps its fate, a page that fails is in the report.
pub mod page;
pub mod urls;

pub mod dom;
pub mod terms;
mod trees;

pub mod entropy;

pub mod coverage;

pub mod blocks;

pub mod article;
pub use article::extract;

pub mod records;

pub mod site;

pub mod explain;

pub mod archive;
pub mod crawl;
pub mod store;

pub mod export;
pub mod progress;

pub mod pipeline;

pub mod report;

pub mod serve;
