//! What leaves the store: one [`Document`] a page, for a search indexer.
mod document;
mod jsonl;

pub use document::{Article, Document, DocumentBlock, Toc, TocEntry, document};
pub use jsonl::{ExportError, json_line, write_jsonl};
