//! [`ExportError`]: why an export stopped.

use crate::store::StoreError;
use std::io;
use std::path::{Path, PathBuf};

/// Why an export stopped. What concerns one document only is in the report or the summary instead.
#[derive(Debug, thiserror::Error)]
pub enum ExportError {
    /// The store.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The output stream. A closed pipe is the reader's wish.
    #[error("cannot write the export: {0}")]
    Write(#[from] io::Error),
    /// A file or folder of the output.
    #[error("cannot {doing} {}: {source}", path.display())]
    File {
        /// What was tried.
        doing: &'static str,
        /// The file or folder.
        path: PathBuf,
        /// The cause.
        source: io::Error,
    },
    /// A folder that holds something else than an earlier export.
    #[error(
        "{} holds something else than an export of this format; it is not replaced: name a new folder", path.display()
    )]
    NotOurs {
        /// The folder.
        path: PathBuf,
    },
    /// What was asked for cannot be done in this format.
    #[error("{0}")]
    Unsuited(String),
    /// What a sink of its own kind reports.
    #[error("{what}: {source}")]
    Sink {
        /// What was tried.
        what: String,
        /// The cause.
        source: Box<dyn std::error::Error + Send + Sync>,
    },
}

impl ExportError {
    /// Makes the error of a failed call on a file.
    pub(crate) fn file(doing: &'static str, path: &Path) -> impl FnOnce(io::Error) -> Self {
        let path = path.to_path_buf();
        move |source| Self::File { doing, path, source }
    }
}
