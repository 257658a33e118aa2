//! What can go wrong with a store.

use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use crate::archive::WarcError;

/// Why a store, or a site in it, could not be opened, read or written.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// There is no store at the path.
    #[error("there is no store at {}: make one with wisdom crawl or wisdom import", path.display())]
    NoStore {
        /// The path.
        path: PathBuf,
    },
    /// The store does not hold the site.
    #[error("the store {} holds no site {key}: wisdom sites lists those it holds", root.display())]
    NoSite {
        /// The store.
        root: PathBuf,
        /// The site asked for.
        key: String,
    },
    /// The URL cannot name a site.
    #[error("{url} has no host, so it names no site: give a URL like https://example.com/")]
    NoHost {
        /// The URL.
        url: String,
    },
    /// Two sites would share one directory.
    #[error("{} already holds the site {held}, so {given} cannot go there: use another --store", dir.display())]
    OtherSite {
        /// The site's directory.
        dir: PathBuf,
        /// Its site.
        held: String,
        /// The site asked for.
        given: String,
    },
    /// Another process works on the site.
    #[error("{} is in use by another wisdom process: wait until that ends, or stop it", dir.display())]
    InUse {
        /// The site's directory.
        dir: PathBuf,
    },
    /// The store was written by a newer version.
    #[error("{} has store format {found}, and this wisdom knows up to {known}: install a newer wisdom", dir.display())]
    Newer {
        /// The site's directory.
        dir: PathBuf,
        /// The format found.
        found: u64,
        /// The format known.
        known: u64,
    },
    /// The model cannot be read; the pages can.
    #[error("the model in {} is damaged ({what}): wisdom rebuild makes it anew from the stored pages", dir.display())]
    Damaged {
        /// The model's directory.
        dir: PathBuf,
        /// What was found.
        what: String,
    },
    /// A write failed before; the store must be opened anew.
    #[error("{} had a failed write; what was committed before is safe: open the store again", dir.display())]
    Failed {
        /// The site's directory.
        dir: PathBuf,
    },
    /// More entries than the format can number (2³² of one kind).
    #[error("{} is full: more than four billion {what}", dir.display())]
    TooLarge {
        /// The site's directory.
        dir: PathBuf,
        /// What there are too many of.
        what: &'static str,
    },
    /// The operating system refused.
    #[error("cannot {doing} {}: {source}{}", path.display(), hint(source))]
    Io {
        /// What was tried.
        doing: &'static str,
        /// The file or directory.
        path: PathBuf,
        /// The cause.
        source: std::io::Error,
    },
    /// The archive of pages could not be written, or a page in it not be read.
    #[error("{source}{}", warc_hint(source))]
    Archive {
        /// The cause.
        #[from]
        source: WarcError,
    },
}

impl StoreError {
    pub(super) fn io(doing: &'static str, path: &Path) -> impl FnOnce(std::io::Error) -> Self {
        let path = path.to_path_buf();
        move |source| Self::Io { doing, path, source }
    }

    /// Whether there is no room for a write that was asked for.
    pub(super) fn is_no_room(&self) -> bool {
        matches!(self, Self::Io { source, .. } if is_no_room(source))
    }
}

fn is_no_room(error: &std::io::Error) -> bool {
    matches!(error.kind(), ErrorKind::StorageFull | ErrorKind::QuotaExceeded | ErrorKind::FileTooLarge)
}

fn warc_hint(error: &WarcError) -> &'static str {
    match error {
        WarcError::Io { source, .. } => hint(source),
        WarcError::Record { .. } => "",
    }
}

/// What to do about it, for the causes that a user can act on.
fn hint(error: &std::io::Error) -> &'static str {
    match error.kind() {
        _ if is_no_room(error) => "; make room and run the same command again: what was committed is safe",
        ErrorKind::PermissionDenied | ErrorKind::ReadOnlyFilesystem => {
            // Whoever reads a site takes its lock, and what an interrupted write left is settled first.
            "; choose a --store you may write to, or change its permissions (reading locks it as well: if it must not change, use a copy)"
        }
        ErrorKind::NotADirectory | ErrorKind::AlreadyExists => "; choose another --store, that path is a file",
        _ => "",
    }
}
