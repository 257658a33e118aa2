//! What leaves the store: one [`Document`] a page, to a [`Sink`].
//!
//! [`export_site`] makes the documents of the pages that a [`Filter`] lets pass, a small group at a time, and hands them to a
//! sink one by one. Sinks that are files or folders appear under their name when they are complete (`output`).
mod changed;
mod chunks;
mod csv;
mod document;
mod error;
mod feed;
mod fields;
mod filter;
mod jsonl;
mod lines;
mod list;
mod markdown_folder;
mod opensearch;
mod output;
mod parquet_tables;
mod push;
mod run;
pub mod search_index;
mod sink;
mod sitemap;
mod warc;

#[cfg(test)]
mod fixture;
#[cfg(test)]
mod push_tests;

pub use changed::{Changed, Since};
pub use chunks::Chunks;
pub use csv::Csv;
pub use document::{Article, Document, DocumentBlock, DocumentLine, Toc, TocEntry, document, document_id};
pub use error::ExportError;
pub use feed::{Feed, FeedForm};
pub use fields::{Fields, UnknownField};
pub use filter::Filter;
pub use jsonl::json_line;
pub use lines::Lines;
pub use list::{DocumentColumn, DocumentList, DocumentRecord, document_list};
pub use markdown_folder::MarkdownFolder;
pub use opensearch::{BulkTarget, OpenSearch};
pub use output::{Draft, FolderDraft, Output};
pub use parquet_tables::ParquetSink;
pub use push::{Patience, Push, PushError};
pub use run::{export_site, page_document};
pub use search_index::{Hit, Hits, QueryOptions, SearchError, SearchIndex, SearchIndexSink};
pub use sink::{Outgoing, Rejected, Sink, Summary};
pub use sitemap::Sitemap;
pub use warc::Warc;
