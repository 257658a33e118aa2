//! WARC/1.1 (ISO 28500:2017): a writer for our own pages, a reader for everyone's.
mod fields;
mod http;
mod reader;
mod stream;
mod writer;

use std::path::{Path, PathBuf};

pub(crate) use reader::WarcReader;
pub use writer::{ArchivedPages, PageArchive, body_digest};
pub(crate) use writer::{info_member, response_member};

/// Where a record of our archive starts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Location {
    /// Number of the WARC file, as in `pages/00000.warc.gz`.
    pub file: u32,
    /// Byte offset of the record's gzip member in that file.
    pub offset: u64,
}

/// Why a WARC file, or one record of it, could not be read or written.
#[derive(Debug, thiserror::Error)]
pub enum WarcError {
    /// The operating system refused.
    #[error("cannot {doing} {}: {source}", path.display())]
    Io {
        /// What was tried.
        doing: &'static str,
        /// The file or directory.
        path: PathBuf,
        /// The cause.
        source: std::io::Error,
    },
    /// One record is broken; reading goes on after it.
    #[error("{}: the record at byte {offset} {what}; it is skipped", path.display())]
    Record {
        /// The file.
        path: PathBuf,
        /// Byte offset of the record, or of the gzip member that holds it.
        offset: u64,
        /// What is wrong.
        what: String,
    },
}

impl WarcError {
    fn io(doing: &'static str, path: &Path) -> impl FnOnce(std::io::Error) -> Self {
        let path = path.to_path_buf();
        move |source| Self::Io { doing, path, source }
    }
}

/// The file of a number in the `pages` directory.
pub(crate) fn file_name(file: u32) -> String {
    format!("{file:05}.warc.gz")
}
