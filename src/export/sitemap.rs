//! [`Sitemap`]: the pages that say something, as sitemaps.org has it.
//!
//! A file has 50,000 URLs and 50 MB at most; where there are more, the file asked for becomes the index of numbered ones beside
//! it. A page is listed if it is an article or a table of contents with text, repeats no other page, and has a URL that is
//! short enough to be listed. `lastmod` is what
//! the page or its server says of its last change; when it was fetched says nothing of that, so that it may be missing.

use super::{Draft, ExportError, Outgoing, Output, Sink, Summary};
use std::fmt::Write as _;
use std::io::Write;
use std::path::{Path, PathBuf};
use url::Url;

/// Limits of one file: sitemaps.org, "Sitemap file size".
const MOST_URLS: usize = 50_000;
/// 50 MB, as that says: 52,428,800 bytes.
const MOST_BYTES: usize = 52_428_800;

/// Characters of a URL that make it too long: sitemaps.org, "<loc>".
const TOO_LONG: usize = 2048;

const HEAD: &str =
    "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\">\n";
const TAIL: &str = "</urlset>\n";

/// Pages as sitemaps.
#[derive(Debug)]
pub struct Sitemap {
    out: Output,
    path: Option<PathBuf>,
    limits: (usize, usize),
    urls: usize,
    bytes: usize,
    /// Files that are full.
    full: Vec<Draft>,
    /// The site's root, which numbered files are thought to be put in.
    root: Option<Url>,
    summary: Summary,
    left_out: u64,
    too_long: u64,
}

impl Sitemap {
    /// A sitemap at `path`, or on stdout.
    pub fn new(out: Output, path: Option<&Path>) -> Result<Self, ExportError> {
        let mut sitemap = Self {
            out,
            path: path.map(Path::to_path_buf),
            limits: (MOST_URLS, MOST_BYTES),
            urls: 0,
            bytes: HEAD.len() + TAIL.len(),
            full: Vec::new(),
            root: None,
            summary: Summary::default(),
            left_out: 0,
            too_long: 0,
        };
        sitemap.out.write_all(HEAD.as_bytes())?;
        Ok(sitemap)
    }

    /// The file at hand is full: ends it, and begins another.
    fn turn(&mut self) -> Result<(), ExportError> {
        let (Some(path), Output::Draft(_)) = (&self.path, &self.out) else {
            let why = "more than one sitemap is needed, which stdout cannot take; add --out FILE";
            return Err(ExportError::Unsuited(why.to_owned()));
        };
        let next = Draft::begin(&numbered(path, self.full.len() + 2))?;
        self.out.write_all(TAIL.as_bytes())?;
        if let Output::Draft(mut draft) = std::mem::replace(&mut self.out, Output::Draft(next)) {
            draft.close()?;
            draft.aim_at(numbered(path, self.full.len() + 1));
            self.full.push(draft);
        }
        self.out.write_all(HEAD.as_bytes())?;
        (self.urls, self.bytes) = (0, HEAD.len() + TAIL.len());
        Ok(())
    }
}

/// `sitemap.xml` becomes `sitemap-00001.xml`.
fn numbered(path: &Path, number: usize) -> PathBuf {
    let stem = path.file_stem().unwrap_or_default().to_string_lossy();
    let ending = path.extension().map_or_else(String::new, |ending| format!(".{}", ending.to_string_lossy()));
    path.with_file_name(format!("{stem}-{number:05}{ending}"))
}

impl Sink for Sitemap {
    fn begin(&mut self, _key: &str, site: &crate::store::SiteStore) -> Result<(), ExportError> {
        self.root = Url::parse(site.url()).and_then(|url| url.join("/")).ok();
        Ok(())
    }

    fn write(&mut self, page: &Outgoing<'_>) -> Result<(), ExportError> {
        let document = page.document;
        let says = matches!(&*document.page_type, "article" | "toc") && !document.text.is_empty();
        if !says || document.duplicate_of.is_some() {
            self.left_out += 1;
            return Ok(());
        }
        if document.url.len() >= TOO_LONG {
            self.too_long += 1;
            return Ok(());
        }
        let mut entry = format!("<url><loc>{}</loc>", escaped(&document.url));
        let by_server = page.record.last_modified.as_deref().and_then(|date| httpdate::parse_http_date(date).ok());
        let by_page = document.article.as_ref().and_then(|article| article.date.as_deref());
        if let Some(time) = by_server {
            let _ = write!(entry, "<lastmod>{}</lastmod>", humantime::format_rfc3339_seconds(time));
        } else if let Some(day) = by_page.and_then(|date| date.get(..10)).filter(|day| is_day(day)) {
            // The time of day may be without its zone, which a sitemap's may not.
            let _ = write!(entry, "<lastmod>{day}</lastmod>");
        }
        entry.push_str("</url>\n");
        if self.urls > 0 && (self.urls == self.limits.0 || self.bytes + entry.len() > self.limits.1) {
            self.turn()?;
        }
        self.out.write_all(entry.as_bytes())?;
        self.urls += 1;
        self.bytes += entry.len();
        self.summary.written += 1;
        Ok(())
    }

    fn remove(&mut self, _id: &str, url: &str) -> Result<(), ExportError> {
        Err(ExportError::Unsuited(format!("{url} cannot be taken back from a sitemap; export without --changed")))
    }

    fn finish(mut self: Box<Self>) -> Result<Summary, ExportError> {
        self.out.write_all(TAIL.as_bytes())?;
        if self.left_out > 0 {
            self.summary.notes.push(format!("left out, for they say nothing or repeat others: {}", self.left_out));
        }
        if self.too_long > 0 {
            self.summary.notes.push(format!("left out, for their URLs are too long for a sitemap: {}", self.too_long));
        }
        let Some(path) = self.path.filter(|_| !self.full.is_empty()) else {
            self.out.commit()?;
            return Ok(self.summary);
        };
        let count = self.full.len() + 1;
        for draft in self.full {
            draft.commit()?;
        }
        if let Output::Draft(mut last) = self.out {
            last.aim_at(numbered(&path, count));
            last.commit()?;
        }
        // Begun only now: the first file was begun for the same place.
        let mut index = Draft::begin(&path)?;
        index.write_all(HEAD.replace("urlset", "sitemapindex").as_bytes())?;
        for number in 1..=count {
            let file = numbered(&path, number);
            let name = file.file_name().unwrap_or_default().to_string_lossy();
            let url = self.root.as_ref().and_then(|root| root.join(&name).ok());
            let url = url.map_or_else(|| name.to_string(), String::from);
            writeln!(index, "<sitemap><loc>{}</loc></sitemap>", escaped(&url))?;
        }
        index.write_all(TAIL.replace("urlset", "sitemapindex").as_bytes())?;
        index.commit()?;
        self.summary.notes.push(format!("files beside their index: {count}; put all in the root of the site"));
        Ok(self.summary)
    }
}

/// Whether a text is a day, as in 2026-01-31.
fn is_day(text: &str) -> bool {
    text.bytes().enumerate().all(|(at, b)| if matches!(at, 4 | 7) { b == b'-' } else { b.is_ascii_digit() })
}

/// Text for an XML element; characters that XML cannot hold are left out.
fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&apos;"),
            '\u{fffe}' | '\u{ffff}' => {}
            c if c.is_control() => {}
            c => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::export::Document;
    use crate::export::fixture::{Place, sample};
    use std::fs;

    fn page(number: u32) -> Document {
        let url = format!("http://h.example/{number}?a=1&b='2'");
        Document { id: number.to_string(), url, duplicate_of: None, ..sample() }
    }

    fn sitemap(place: &Place, most: usize, pages: &[Document]) -> Summary {
        let path = place.dir.path().join("sitemap.xml");
        let mut sink = Sitemap::new(Output::at(&path).unwrap(), Some(&path)).unwrap();
        sink.limits.0 = most;
        place.send(Box::new(sink), pages, &[])
    }

    #[test]
    fn informative_pages_are_listed_once() {
        let place = Place::new();
        let mut pages = vec![page(1), page(2), sample(), page(3)];
        pages[1].page_type = "other".to_owned();
        pages[3].text.clear();
        // The first of these is one character too long.
        pages.extend([page(4), page(5)]);
        pages[4].url = format!("http://h.example/{}", "a".repeat(TOO_LONG - 17));
        pages[5].url = format!("http://h.example/{}", "ab".repeat(TOO_LONG));
        let summary = sitemap(&place, 10, &pages);
        assert_eq!(summary.written, 1);
        assert!(summary.notes[0].ends_with(": 3"), "{:?}", summary.notes);
        assert!(summary.notes[1].ends_with("too long for a sitemap: 2"), "{:?}", summary.notes);
        assert_eq!(
            fs::read_to_string(place.dir.path().join("sitemap.xml")).unwrap(),
            format!(
                "{HEAD}<url><loc>http://h.example/1?a=1&amp;b=&apos;2&apos;</loc>\
                 <lastmod>1994-11-15T12:45:26Z</lastmod></url>\n{TAIL}"
            )
        );
    }

    #[test]
    fn more_than_one_file_gets_an_index() {
        let place = Place::new();
        let pages: Vec<Document> = (0..5).map(page).collect();
        let summary = sitemap(&place, 2, &pages);
        assert_eq!(summary.written, 5);
        let read = |name: &str| fs::read_to_string(place.dir.path().join(name)).unwrap();
        let index = read("sitemap.xml");
        assert!(index.contains("<sitemapindex") && index.ends_with("</sitemapindex>\n"), "{index}");
        for (number, urls) in [(1, 2), (2, 2), (3, 1)] {
            let name = format!("sitemap-{number:05}.xml");
            assert!(index.contains(&format!("<loc>http://h.example/{name}</loc>")), "{index}");
            let part = read(&name);
            assert_eq!(part.matches("<loc>").count(), urls);
            assert!(part.starts_with(HEAD) && part.ends_with(TAIL));
        }
        assert!(!place.dir.path().join("sitemap-00004.xml").exists());
        assert_eq!(fs::read_dir(place.dir.path()).unwrap().count(), 5, "the store, the index and three parts");
    }
}
