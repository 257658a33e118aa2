//! Every kind of input as one stream of pages.

use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

use url::Url;

use super::jsonl::Lines;
use super::mirror::Mirror;
use super::warc::{WarcError, WarcReader};
use crate::page::Page;

/// Why an input, or one page of it, could not be read.
#[derive(Debug, thiserror::Error)]
pub enum InputError {
    /// A WARC file or one of its records.
    #[error(transparent)]
    Warc(#[from] WarcError),
    /// The operating system refused.
    #[error("cannot read {}: {source}", path.display())]
    Io {
        /// The file or directory.
        path: PathBuf,
        /// The cause.
        source: std::io::Error,
    },
    /// One line of a list is broken; reading goes on after it.
    #[error("{}: line {line} {what}; it is skipped", path.display())]
    Line {
        /// The list.
        path: PathBuf,
        /// Counted from 1.
        line: u64,
        /// What is wrong.
        what: String,
    },
    /// A directory says nothing of the URLs of its files.
    #[error("{} is a directory: tell the URL that it mirrors with --site URL", path.display())]
    NeedsSite {
        /// The directory.
        path: PathBuf,
    },
    /// The file is none of the known kinds.
    #[error("{} is no WARC file (.warc, .warc.gz), no list of pages (.jsonl, .jsonl.gz) and no directory", path.display())]
    UnknownKind {
        /// The file.
        path: PathBuf,
    },
}

impl InputError {
    pub(super) fn io(path: &Path) -> impl FnOnce(std::io::Error) -> Self {
        let path = path.to_path_buf();
        move |source| Self::Io { path, source }
    }
}

/// What was passed over because it is no page.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Skipped {
    /// WARC `revisit` records: the page is in the archive they point to.
    pub revisits: u64,
    /// Other WARC records: requests, metadata, DNS answers.
    pub others: u64,
    /// Files of a mirror that are no HTML.
    pub files: u64,
}

/// Streams the pages of `input`: a WARC file (told by its first bytes), a list in JSON lines (told by its first byte), or
/// a directory that mirrors `site`.
///
/// Pages come in the order of the file, or sorted by path; a broken page is an error in the stream, and the next ones
/// follow. URLs are as the input has them, and every status passes: normalising and choosing are the caller's. Memory is
/// that of one page.
pub fn read(input: &Path, site: Option<&Url>) -> Result<Pages, InputError> {
    let meta = std::fs::metadata(input).map_err(InputError::io(input))?;
    if meta.is_dir() {
        let site = site.ok_or_else(|| InputError::NeedsSite { path: input.to_path_buf() })?;
        return Ok(Pages { kind: Kind::Mirror(Mirror::open(input, site)?) });
    }
    let kind = match first_bytes(input)? {
        First::Warc => Kind::Warc(Box::new(WarcReader::open_at(input, 0)?)),
        First::Json => Kind::Lines(Lines::open(input)?),
        First::Empty if has_extension(input, "warc") => Kind::Warc(Box::new(WarcReader::open_at(input, 0)?)),
        First::Empty if has_extension(input, "jsonl") => Kind::Lines(Lines::open(input)?),
        First::Empty | First::Unknown => return Err(InputError::UnknownKind { path: input.to_path_buf() }),
    };
    Ok(Pages { kind })
}

/// The pages of one input.
#[derive(Debug)]
pub struct Pages {
    kind: Kind,
}

#[derive(Debug)]
enum Kind {
    Warc(Box<WarcReader>),
    Mirror(Mirror),
    Lines(Lines),
}

impl Pages {
    /// What was passed over so far.
    pub fn skipped(&self) -> Skipped {
        match &self.kind {
            Kind::Warc(reader) => reader.skipped(),
            Kind::Mirror(mirror) => mirror.skipped(),
            Kind::Lines(_) => Skipped::default(),
        }
    }

    /// How much was read, and of how much: bytes of a file, files of a directory.
    pub fn progress(&mut self) -> (u64, u64) {
        match &mut self.kind {
            Kind::Warc(reader) => reader.progress(),
            Kind::Mirror(mirror) => mirror.progress(),
            Kind::Lines(lines) => lines.progress(),
        }
    }
}

impl Iterator for Pages {
    type Item = Result<Page, InputError>;

    fn next(&mut self) -> Option<Self::Item> {
        match &mut self.kind {
            Kind::Warc(reader) => Some(reader.next()?.map(|(_, page)| page).map_err(InputError::from)),
            Kind::Mirror(mirror) => mirror.next(),
            Kind::Lines(lines) => lines.next(),
        }
    }
}

enum First {
    Warc,
    Json,
    Empty,
    Unknown,
}

/// Looks at the first bytes, unpacked.
fn first_bytes(path: &Path) -> Result<First, InputError> {
    let mut raw = Vec::new();
    File::open(path).and_then(|f| f.take(64 * 1024).read_to_end(&mut raw)).map_err(InputError::io(path))?;
    let mut start = Vec::new();
    if raw.starts_with(&[0x1f, 0x8b]) {
        // What can be unpacked is enough; the reader of that kind reports the damage behind it.
        let _ = flate2::read::MultiGzDecoder::new(&raw[..]).take(256).read_to_end(&mut start);
        if start.is_empty() && has_extension(path, "warc.gz") {
            return Ok(First::Warc);
        }
    } else {
        start = raw;
    }
    let start = start.strip_prefix(b"\xef\xbb\xbf").unwrap_or(&start).trim_ascii_start();
    Ok(match start.first() {
        None => First::Empty,
        Some(b'{') => First::Json,
        _ if start.starts_with(b"WARC/") => First::Warc,
        _ if has_extension(path, "warc") || has_extension(path, "warc.gz") => First::Warc,
        _ if has_extension(path, "jsonl") || has_extension(path, "jsonl.gz") => First::Json,
        _ => First::Unknown,
    })
}

fn has_extension(path: &Path, extension: &str) -> bool {
    let name = path.file_name().map(|n| n.to_string_lossy().to_ascii_lowercase()).unwrap_or_default();
    let gz = name.strip_suffix(".gz").unwrap_or(&name);
    let wanted = extension.strip_suffix(".gz").unwrap_or(extension);
    gz.strip_suffix(wanted).is_some_and(|stem| stem.ends_with('.')) && (extension == wanted || gz != name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kinds_are_told_by_content() {
        let dir = tempfile::tempdir().unwrap();
        let put = |name: &str, bytes: &[u8]| {
            let path = dir.path().join(name);
            std::fs::write(&path, bytes).unwrap();
            path
        };
        let site = Url::parse("http://a/").unwrap();
        assert!(matches!(read(&put("x", b"WARC/1.0\r\n"), None).unwrap().kind, Kind::Warc(_)));
        assert!(matches!(read(&put("y", b" {\"url\":\"http://a/\"}"), None).unwrap().kind, Kind::Lines(_)));
        assert!(matches!(read(&put("z.warc", b"damaged"), None).unwrap().kind, Kind::Warc(_)));
        assert!(matches!(read(&put("e.jsonl", b""), None).unwrap().kind, Kind::Lines(_)));
        assert!(matches!(read(&put("page.html", b"<p>"), None), Err(InputError::UnknownKind { .. })));
        assert!(matches!(read(dir.path(), None), Err(InputError::NeedsSite { .. })));
        assert!(matches!(read(dir.path(), Some(&site)).unwrap().kind, Kind::Mirror(_)));
        assert!(matches!(read(&dir.path().join("none"), None), Err(InputError::Io { .. })));
    }
}
