//! wisdom crawls a web site, learns what its pages repeat, and keeps what each page really says.
//!
//! # Code map, in pipeline order
//!
//! - [`page`]: what was fetched.
//! - [`entropy`]: integer sums per term, and the entropies they give.
pub mod entropy;
pub mod page;
