//! wisdom crawls a web site, learns what its pages repeat, and keeps what each page really says.
//!
//! # Code map, in pipeline order
//!
//! - [`page`]: what was fetched.
//! - [`archive`]: WARC in and out, mirrors and lists in.
//! - [`terms`]: what one page adds to the site model.
//! - [`entropy`]: integer sums per term, and the entropies they give.
//! - [`store`]: sites on disk, with their pages, sums, queue and mined structures.
pub mod archive;
pub mod entropy;
pub mod page;
pub mod store;
pub mod terms;
