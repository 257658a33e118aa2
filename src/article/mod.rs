//! What was kept of a page, written for people and machines: plain text, Markdown and clean HTML; and the page's own
//! statements about itself.
//!
//! A [`Selection`] names the kept nodes of a [`Dom`](crate::dom::Dom). It is laid out once (`flow`: blocks, lists and
//! tables, with white space folded), and every writer reads that, so that they agree on what a line is. What `article` does
//! not know: how the nodes were chosen, the network, scores. No recursion over depth; all in time linear in the page.
mod auto;
mod build;
mod code_language;
mod econ;
mod extract;
mod flow;
mod html;
mod inline_markdown;
mod links;
mod markdown;
mod meta;
mod selection;
mod text;

#[cfg(test)]
mod markdown_tests;
#[cfg(test)]
mod render_tests;

pub use auto::{
    BlockFacts, BlockFeatures, BlockReport, JudgedBlock, JudgedPage, Kept, block_features, block_texts, explain, judge,
    keep, kept_nodes, tables_stamp,
};
pub use econ::{Econ, Step, TextPara, econ};
pub use extract::{Extraction, Hints, Method, TextSource, extract};
pub use html::html;
pub use markdown::markdown;
pub use meta::{Metadata, Source, Sources, meta};
pub use selection::Selection;
pub use text::{TextLine, text, text_lines};
