//! What leaves the store: one [`Document`] a page, for a search indexer.
mod document;
mod jsonl;
mod list;

pub use document::{Article, Document, DocumentBlock, Toc, TocEntry, document, document_id};
pub use jsonl::{ExportError, json_line, page_document, write_jsonl};
pub use list::{DocumentColumn, DocumentList, DocumentRecord, document_list};
