//! Pages of a directory that mirrors a site.
//!
//! The URL of a file is the base URL and the file's path; `index.html` stands for its folder. A `?` in a name is the
//! query, as `wget` saves it.

use std::fs::{self, File};
use std::io::Read;
use std::path::{Path, PathBuf};
use std::time::UNIX_EPOCH;

use url::Url;

use super::{InputError, Skipped};
use crate::page::Page;

/// Extensions of files that are never pages, so that they need not be opened.
const NO_PAGES: [&str; 41] = [
    "7z", "avi", "avif", "bmp", "bz2", "css", "csv", "doc", "docx", "eot", "epub", "exe", "gif", "gz", "ico", "jar",
    "jpeg", "jpg", "js", "json", "map", "mjs", "mov", "mp3", "mp4", "mpg", "ogg", "otf", "pdf", "png", "ppt", "rss",
    "svg", "tar", "tgz", "ttf", "wav", "webm", "webp", "woff", "woff2",
];

/// Streams the HTML files below a directory, sorted by path.
#[derive(Debug)]
pub(super) struct Mirror {
    base: Url,
    root: PathBuf,
    files: std::vec::IntoIter<PathBuf>,
    total: u64,
    skipped: u64,
    failed: Vec<InputError>,
}

impl Mirror {
    /// Lists the directory (names only; contents are read page by page).
    pub(super) fn open(root: &Path, site: &Url) -> Result<Self, InputError> {
        // The directory itself must be readable; one below it that is not is an error in the stream.
        fs::read_dir(root).map_err(InputError::io(root))?;
        let mut files = Vec::new();
        let mut failed = Vec::new();
        let mut above = Vec::new();
        let mut open = vec![(root.to_path_buf(), 0)];
        while let Some((dir, level)) = open.pop() {
            above.truncate(level);
            match list(&dir, &mut above) {
                Ok((dirs, more)) => {
                    files.extend(more);
                    open.extend(dirs.into_iter().map(|dir| (dir, level + 1)));
                }
                Err(source) => failed.push(InputError::Io { path: dir, source }),
            }
        }
        files.sort();
        let total = files.len() as u64;
        Ok(Self { base: base(site), root: root.to_path_buf(), files: files.into_iter(), total, skipped: 0, failed })
    }

    pub(super) fn skipped(&self) -> Skipped {
        Skipped { files: self.skipped, ..Skipped::default() }
    }

    pub(super) fn progress(&self) -> (u64, u64) {
        (self.total - self.files.len() as u64, self.total)
    }

    /// The page of a file; nothing where it is no HTML.
    fn page(&self, path: &Path) -> std::io::Result<Option<Page>> {
        if extension(path).is_some_and(|e| NO_PAGES.binary_search(&e.as_str()).is_ok()) {
            return Ok(None);
        }
        let mut file = File::open(path)?;
        let mut body = Vec::new();
        file.by_ref().take(SNIFFED).read_to_end(&mut body)?;
        let named = extension(path).is_some_and(|e| matches!(e.as_str(), "html" | "htm" | "xhtml" | "shtml"));
        if body.contains(&0) && !is_utf16(&body) || !(named || looks_like_html(&body)) {
            return Ok(None);
        }
        file.read_to_end(&mut body)?;
        let changed = file.metadata().ok().and_then(|meta| meta.modified().ok());
        let fetched_at = changed.and_then(|t| t.duration_since(UNIX_EPOCH).ok()).map_or(0, |d| d.as_secs());
        let relative = path.strip_prefix(&self.root).unwrap_or(path);
        let url = url_of(&self.base, relative).into();
        Ok(Some(Page { url, status: 200, headers: vec![], body, depth: 0, fetched_at }))
    }
}

impl Iterator for Mirror {
    type Item = Result<Page, InputError>;

    fn next(&mut self) -> Option<Self::Item> {
        if let Some(error) = self.failed.pop() {
            return Some(Err(error));
        }
        loop {
            let path = self.files.next()?;
            match self.page(&path) {
                Ok(Some(page)) => return Some(Ok(page)),
                Ok(None) => self.skipped += 1,
                Err(source) => return Some(Err(InputError::Io { path, source })),
            }
        }
    }
}

/// The folders and files of one directory, without hidden ones. `above` holds the real paths of the directory's own
/// ancestors, so that a symbolic link to one of them is not followed for ever; the directory's is added.
fn list(dir: &Path, above: &mut Vec<PathBuf>) -> std::io::Result<(Vec<PathBuf>, Vec<PathBuf>)> {
    let real = fs::canonicalize(dir)?;
    if above.contains(&real) {
        above.push(real);
        return Ok((vec![], vec![]));
    }
    above.push(real);
    let (mut dirs, mut files) = (Vec::new(), Vec::new());
    for entry in fs::read_dir(dir)? {
        let path = entry?.path();
        if path.file_name().is_some_and(|name| name.as_encoded_bytes().starts_with(b".")) {
            continue;
        }
        match fs::metadata(&path) {
            Ok(meta) if meta.is_dir() => dirs.push(path),
            Ok(meta) if meta.is_file() => files.push(path),
            // Dangling links, sockets and the like.
            _ => {}
        }
    }
    Ok((dirs, files))
}

/// The URL that the directory itself stands for: with a slash at its end, without query and fragment.
fn base(site: &Url) -> Url {
    let mut base = site.clone();
    base.set_query(None);
    base.set_fragment(None);
    let path = base.path().to_owned();
    let (folder, last) = path.rsplit_once('/').unwrap_or(("", ""));
    if is_index(last) {
        base.set_path(&format!("{folder}/"));
    } else if !last.is_empty() {
        base.set_path(&format!("{path}/"));
    }
    base
}

fn is_index(name: &str) -> bool {
    name.eq_ignore_ascii_case("index.html") || name.eq_ignore_ascii_case("index.htm")
}

fn url_of(base: &Url, relative: &Path) -> Url {
    let mut url = base.clone();
    let mut path = base.path().to_owned();
    let mut parts = relative.components().peekable();
    while let Some(part) = parts.next() {
        let name = part.as_os_str().as_encoded_bytes();
        if parts.peek().is_some() {
            encode(name, &mut path);
            path.push('/');
            continue;
        }
        let (name, query) = match name.iter().position(|&b| b == b'?') {
            Some(at) => (&name[..at], Some(&name[at + 1..])),
            None => (name, None),
        };
        if !std::str::from_utf8(name).is_ok_and(is_index) {
            encode(name, &mut path);
        }
        if let Some(query) = query {
            let mut text = String::new();
            encode_with(query, b"#", &mut text);
            url.set_query(Some(&text));
        }
    }
    url.set_path(&path);
    url
}

fn encode(name: &[u8], out: &mut String) {
    encode_with(name, b"#?", out);
}

/// Percent-encodes what a URL cannot hold. `%41` in a file name is taken as encoded already, as mirroring tools leave it.
fn encode_with(name: &[u8], special: &[u8], out: &mut String) {
    for (i, &byte) in name.iter().enumerate() {
        let encoded = byte == b'%' && name.get(i + 1..i + 3).is_some_and(|hex| hex.iter().all(u8::is_ascii_hexdigit));
        let safe = byte.is_ascii_graphic() && !b"\"<>`{}\\^|%".contains(&byte) && !special.contains(&byte);
        if encoded || safe {
            out.push(char::from(byte));
        } else {
            let hex = data_encoding::HEXUPPER.encode(&[byte]);
            out.push('%');
            out.push_str(&hex);
        }
    }
}

/// The extension in lower case, without a query that follows it in the name.
fn extension(path: &Path) -> Option<String> {
    let name = path.file_name()?.to_string_lossy();
    let name = name.split('?').next().unwrap_or_default();
    name.rsplit_once('.').map(|(_, extension)| extension.to_ascii_lowercase())
}

/// How much of a file is looked at to tell whether it is HTML.
const SNIFFED: u64 = 2048;

fn is_utf16(start: &[u8]) -> bool {
    start.starts_with(&[0xff, 0xfe]) || start.starts_with(&[0xfe, 0xff])
}

fn looks_like_html(start: &[u8]) -> bool {
    let text: String = start.iter().filter(|&&b| b != 0).map(|b| char::from(b.to_ascii_lowercase())).collect();
    let marks = ["<!doctype html", "<html", "<head", "<body", "<title", "<frameset"];
    marks.iter().any(|mark| text.contains(mark))
        || ["<p", "<div", "<h1", "<table", "<a "].iter().any(|mark| text.trim_start().starts_with(mark))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn put(root: &Path, name: &str, bytes: &[u8]) {
        let path = root.join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, bytes).unwrap();
    }

    #[test]
    fn files_become_urls() {
        let dir = tempfile::tempdir().unwrap();
        let root = dir.path();
        for name in [
            "index.html",
            "b/index.htm",
            "b/a b.html",
            "b/x.html?q=1&r=ä",
            "b/m@lang=de.html",
            "p%20q%zz.html",
            "INDEX.HTML.d/x.htm",
        ] {
            put(root, name, b"text");
        }
        put(root, "bare", b"\n<!DOCTYPE HTML><p>");
        put(root, "notes.txt", b"plain words");
        put(root, "style.css", b"<html>");
        put(root, "data.html", b"PK\0\0<html>");
        put(root, ".git/x.html", b"<html>");
        #[cfg(unix)]
        std::os::unix::fs::symlink(root, root.join("b/loop")).unwrap();
        let urls = |site: &str| -> Vec<String> {
            let mut mirror = Mirror::open(root, &Url::parse(site).unwrap()).unwrap();
            let urls = mirror.by_ref().map(|page| page.unwrap().url).collect();
            assert_eq!(mirror.skipped().files, 3);
            urls
        };
        assert_eq!(
            urls("https://example.com"),
            [
                "https://example.com/INDEX.HTML.d/x.htm",
                "https://example.com/b/a%20b.html",
                "https://example.com/b/",
                "https://example.com/b/m@lang=de.html",
                "https://example.com/b/x.html?q=1&r=%C3%A4",
                "https://example.com/bare",
                "https://example.com/",
                "https://example.com/p%20q%25zz.html",
            ]
        );
        assert_eq!(urls("https://example.com/docs/index.html?x")[6], "https://example.com/docs/");
        assert_eq!(urls("https://example.com/docs")[5], "https://example.com/docs/bare");
    }

    #[test]
    fn the_list_of_extensions_is_sorted() {
        assert!(NO_PAGES.is_sorted());
    }
}
