//! wisdom crawls a web site, learns what its pages repeat, and keeps what each page really says.
//!
//! # Code map, in pipeline order
//!
//! - [`dom`]: bytes to text to a flat tree.
//! - [`terms`]: the words of a page.
//! - [`page`]: what was fetched.
//! - [`entropy`]: integer sums per term, and the entropies they give.
//! - [`article`]: kept nodes as text, Markdown and HTML, and what a page says about itself.
pub mod article;
pub mod blocks;
pub mod coverage;
pub mod dom;
pub mod entropy;
pub mod page;
pub mod terms;
