//! wisdom crawls a web site, learns what its pages repeat, and keeps what each page really says.
//!
//! # Code map, in pipeline order
//!
//! - [`urls`]: one normal form of URLs.
//! - [`dom`]: bytes to text to a flat tree.
//! - [`page`]: what was fetched.
//! - [`entropy`]: integer sums per term, and the entropies they give.
pub mod crawl;
pub mod dom;
pub mod entropy;
pub mod page;
pub mod urls;
