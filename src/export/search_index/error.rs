//! [`SearchError`]: why an index could not be searched.

use std::path::PathBuf;
use tantivy::TantivyError;

/// Why an index could not be opened or searched.
#[derive(Debug, thiserror::Error)]
pub enum SearchError {
    /// There is no index.
    #[error("{} holds no search index; make one by wisdom export --format tantivy --out {}", dir.display(), dir.display())]
    NoIndex {
        /// The folder.
        dir: PathBuf,
    },
    /// An index, but with other fields.
    #[error(
        "the index in {} has other fields than this program writes; export it anew, or search it by the program that made it",
        dir.display()
    )]
    Foreign {
        /// The folder.
        dir: PathBuf,
    },
    /// Files that are not as they were written.
    #[error("the index in {} is damaged ({what}); export it anew into a new folder", dir.display())]
    Damaged {
        /// The folder.
        dir: PathBuf,
        /// What is wrong.
        what: String,
    },
    /// A query without a word that could be looked for.
    #[error("the query holds no word to look for")]
    NoWords,
    /// Reading failed otherwise.
    #[error("cannot read the index in {}: {source}", dir.display())]
    Read {
        /// The folder.
        dir: PathBuf,
        /// The cause.
        source: TantivyError,
    },
}
