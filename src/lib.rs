//! wisdom crawls a web site, learns what its pages repeat, and keeps what each page really says.
//!
//! # Code map, in pipeline order
//!
//! - [`page`]: what was fetched.
//! - [`archive`]: WARC in and out, mirrors and lists in.
//! - [`terms`]: what one page adds to the site model.
//! - [`entropy`]: integer sums per term, and the entropies they give.
pub mod archive;
pub mod entropy;
pub mod page;
pub mod terms;
