//! A search index on disk, written by `export --format tantivy` and read by `search`.
//!
//! The index is a plain directory of [tantivy](https://docs.rs/tantivy), which other programs may open: [`register`] gives
//! them the tokenizers that the fields name. The fields are
//!
//! | field | kind | holds |
//! |---|---|---|
//! | `id`, `url`, `site`, `lang`, `page_type`, `duplicate_of` | one term, stored | as in the [`Document`](super::Document) |
//! | `date`, `author` | one term, stored | of the article: ISO 8601, and as written |
//! | `fetched_at` | date, stored, fast | when the page was fetched |
//! | `title`, `body`, `links` | stored only | the title, the article's text, the texts of the links of a table of contents |
//! | `title_XX`, `body_XX`, `links_XX` | words with positions | the same, for searching, where `XX` is the analyser of the page's language |
//!
//! There is one set of the last row for each [`Analyser`](crate::terms::Analyser), so that a page is found by the words of
//! its own language, with its own word counts; a field that no page uses costs nothing. A query whose language is not said
//! is analysed by each analyser that the index has pages of, and searched in that one's fields. This is also why words that
//! mean different things in two languages do not mix up their counts.
//!
//! This is the only folder that names tantivy.
mod backlog;
mod error;
mod query;
mod schema;
mod search;
mod snippet;
mod tokens;
mod write;

pub use error::SearchError;
pub use query::QueryOptions;
pub use schema::register;
pub use search::{Hit, Hits, SearchIndex};
pub use snippet::Piece;
pub use write::SearchIndexSink;
