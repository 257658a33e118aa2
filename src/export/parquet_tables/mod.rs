//! Tables for analysts, written by `export --format parquet`: what `DuckDB`, Spark and pandas read.
//!
//! A folder of files, which join by the id of the document. Whatever may be missing is null; nothing else is.
//!
//! - `documents.parquet`, a row a page: `id`, `url`, `final_url`, `site`, `fetched_at` (microseconds, UTC), `status`, `depth`,
//!   `title`, `lang`?, `charset`?, `page_type`, `text`, `article_text`?, `article_html`?, `article_markdown`?,
//!   `article_title`?, `date`? (ISO 8601, as exact as the page says it), `author`?, `duplicate_of`? (a URL), `method`? (null:
//!   not mined), `warnings` (list).
//! - `blocks.parquet`, a row an informative block: `document_id`, `block` (from 0, in document order), `kind`, `step`, `path`,
//!   `text_len`, `cii`?, `sii`?, `api`?, `score`.
//! - `links.parquet`, a row a link of a table of contents: `document_id`, `link` (from 0), `url`, `text`, `score`.
//! - `records.parquet`, a row a record of a list: `document_id`, `list` (from 0, the best), `record` (from 0), `method`, `path`,
//!   `score` (of the list), `text`, `items` (list), `cells`? (list, the record's row of the table; null where nested records
//!   make the rows others than the records), `column_names` (list with nulls), `column_kinds` (list).
//! - `terms.parquet`, a row a term of a site's model, in order of terms: `site`, `term`, `pages` (that hold it),
//!   `occurrences`, `site_pages` (of the site), `entropy`, `weight`, `idf`. Filters of the export leave it as it is.
//! - `removed.parquet`, only where documents of an earlier export are taken back: `id`, `url`.
//!
//! This is the only folder that names parquet.
mod column;
mod sink;
mod table;

pub use sink::ParquetSink;
