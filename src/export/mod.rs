//! What leaves the store: one [`Document`] a page, to a [`Sink`].
mod document;
mod error;
mod jsonl;
mod list;
mod output;
mod parquet_tables;
mod run;
pub mod search_index;
mod sink;

pub use document::{Article, Document, DocumentBlock, Toc, TocEntry, document};
pub use error::ExportError;
pub use jsonl::{Jsonl, json_line};
pub use list::{DocumentColumn, DocumentList, DocumentRecord, document_list};
pub use output::{Draft, FolderDraft, Output};
pub use parquet_tables::ParquetSink;
pub use run::export_site;
pub use search_index::{Hit, Hits, QueryOptions, SearchError, SearchIndex, SearchIndexSink};
pub use sink::{Outgoing, Rejected, Sink, Summary};
