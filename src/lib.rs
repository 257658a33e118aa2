//! wisdom crawls a web site, learns what its pages repeat, and keeps what each page really says.
//!
//! # Code map, in pipeline order
//!
//! - [`page`]: what was fetched.
//! - [`archive`]: WARC in and out, mirrors and lists in.
//! - [`dom`]: bytes to text to a flat tree.
//! - [`terms`]: the words of a page.
//! - [`entropy`]: integer sums per term, and the entropies they give.
//! - [`store`]: sites on disk, with their pages, sums, queue and mined structures.
pub mod archive;
pub mod blocks;
pub mod coverage;
pub mod dom;
pub mod entropy;
pub mod page;
pub mod store;
pub mod terms;
