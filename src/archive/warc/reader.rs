//! Pages out of WARC files of any origin.
//!
//! Plain and gzipped files, gzipped as a whole or record by record, WARC/1.0 and 1.1. Broken records become errors in the
//! stream, and reading goes on behind them.

use std::fs::File;
use std::io::{BufRead, ErrorKind, Read};
use std::path::{Path, PathBuf};
use std::time::UNIX_EPOCH;

use super::stream::{Next, RecordStart, Stream};
use super::{WarcError, fields, http};
use crate::archive::Skipped;
use crate::page::Page;

/// The largest record that is read, in bytes; a `Content-Length` beyond is taken as broken.
const MAX_BLOCK: u64 = http::MAX_BODY + (1 << 20);

/// Streams (offset, page) from one file. The offset is the record's own, or that of the gzip member which holds it.
#[derive(Debug)]
pub(crate) struct WarcReader {
    path: PathBuf,
    stream: Stream,
    length: u64,
    done: bool,
    skipped: Skipped,
    /// A record whose first line was read already.
    pending: Option<RecordStart>,
    /// An error was given for the bytes before the next record, so they need no second one.
    reported: bool,
}

impl WarcReader {
    /// Starts at `offset`, where a record (in a gzipped file, a member) starts.
    pub(crate) fn open_at(path: &Path, offset: u64) -> Result<Self, WarcError> {
        let file = File::open(path).map_err(WarcError::io("open", path))?;
        let length = file.metadata().map_err(WarcError::io("read", path))?.len();
        let stream = Stream::open(file, offset).map_err(WarcError::io("read", path))?;
        let path = path.to_path_buf();
        Ok(Self { path, stream, length, done: false, skipped: Skipped::default(), pending: None, reported: false })
    }

    /// Records that are no pages, so far.
    pub(crate) fn skipped(&self) -> Skipped {
        self.skipped
    }

    /// Bytes of the file read so far, and in all.
    pub(crate) fn progress(&mut self) -> (u64, u64) {
        (self.stream.file_position(), self.length)
    }

    /// The next record's page; `Ok(None)` where the record is no page.
    fn next_record(&mut self) -> Option<Result<Option<(u64, Page)>, WarcError>> {
        let start = match self.pending.take() {
            Some(start) => start,
            None => match self.stream.next_record() {
                Ok(Next::Record(start)) => start,
                Ok(Next::End { junk }) => {
                    self.done = true;
                    let length = self.length;
                    let told = std::mem::take(&mut self.reported) || !junk;
                    return if told {
                        None
                    } else {
                        Some(Err(self.broken(length, "is missing: other bytes end the file")))
                    };
                }
                Err(error) => {
                    let offset = self.stream.position();
                    return Some(Err(self.failed(offset, &error)));
                }
            },
        };
        let reported = std::mem::take(&mut self.reported);
        if start.junk && !reported {
            let error = self.broken(start.offset, "comes after bytes that belong to no record; those are lost");
            self.reported = false;
            self.pending = Some(RecordStart { junk: false, ..start });
            return Some(Err(error));
        }
        Some(self.read_record(&start))
    }

    fn read_record(&mut self, start: &RecordStart) -> Result<Option<(u64, Page)>, WarcError> {
        let offset = start.offset;
        let lines = match fields::read_block(&mut self.stream) {
            Ok(Some(lines)) => lines,
            Ok(None) => return Err(self.broken(offset, "has no end of its header")),
            Err(error) => return Err(self.failed(offset, &error)),
        };
        let head = fields::parse(&lines);
        let version = String::from_utf8_lossy(&start.version);
        if !version.starts_with("WARC/1.") && !version.starts_with("WARC/0.") {
            return Err(self.broken(offset, format!("is of the unknown version {version:?}")));
        }
        let body_start = self.stream.position();
        let Some(length) = fields::get(&head, "content-length").and_then(|l| l.parse::<u64>().ok()) else {
            return Err(self.broken(offset, "has no Content-Length"));
        };
        if length > MAX_BLOCK {
            return Err(self.wrong_length(offset, body_start, format!("claims {length} bytes")));
        }
        let mut block = Vec::new();
        match self.stream.by_ref().take(length).read_to_end(&mut block) {
            Ok(_) if (block.len() as u64) < length => {
                return Err(self.wrong_length(offset, body_start, "is shorter than its Content-Length"));
            }
            Ok(_) => {}
            Err(error) => return Err(self.failed(offset, &error)),
        }
        match self.ends_here(offset) {
            Ok(true) => {}
            Ok(false) => return Err(self.wrong_length(offset, body_start, "has a wrong Content-Length")),
            Err(error) => return Err(self.failed(offset, &error)),
        }
        match page(&head, block) {
            Found::Page(page) => Ok(Some((offset, page))),
            Found::Revisit => {
                self.skipped.revisits += 1;
                Ok(None)
            }
            Found::Other => {
                self.skipped.others += 1;
                Ok(None)
            }
            Found::Broken(what) => {
                // The record's frame is sound; only what it holds is not.
                let error = self.broken(offset, what);
                self.reported = false;
                Err(error)
            }
        }
    }

    /// Whether the record ends here: two line ends follow, as they must, or the next record, or nothing. Reading on to
    /// there also checks the checksum of the gzip member.
    fn ends_here(&mut self, offset: u64) -> std::io::Result<bool> {
        let mut ends = 0;
        loop {
            let next = self.stream.fill_buf().map(|buffer| {
                let blank = buffer.iter().take_while(|b| matches!(b, b'\r' | b'\n')).count();
                let newlines: usize = buffer[..blank].iter().map(|&b| usize::from(b == b'\n')).sum();
                (blank, newlines, buffer.first().copied())
            });
            match next {
                Ok((0, _, first)) => return Ok(ends >= 2 || matches!(first, None | Some(b'W'))),
                Ok((blank, newlines, _)) => {
                    ends += newlines;
                    self.stream.consume(blank);
                }
                // The next member is broken, not this one; the stream gives the same error again.
                Err(_) if self.stream.is_gzip() && self.stream.position() != offset => return Ok(true),
                Err(error) => return Err(error),
            }
        }
    }

    fn broken(&mut self, offset: u64, what: impl Into<String>) -> WarcError {
        self.reported = true;
        WarcError::Record { path: self.path.clone(), offset, what: what.into() }
    }

    /// Goes back to where records may hide that a wrong length swallowed.
    fn wrong_length(&mut self, offset: u64, body_start: u64, what: impl Into<String>) -> WarcError {
        if self.stream.search_from(offset, body_start).is_err() {
            self.done = true;
        }
        self.broken(offset, what)
    }

    /// After a failure of the file or its compression: goes on at the next gzip member, if there is one.
    fn failed(&mut self, offset: u64, error: &std::io::Error) -> WarcError {
        let what = match error.kind() {
            ErrorKind::UnexpectedEof => "is cut short".to_owned(),
            ErrorKind::InvalidInput | ErrorKind::InvalidData | ErrorKind::Other => {
                format!("cannot be unpacked ({error})")
            }
            // Not the file's fault: reading on would only repeat it.
            kind => {
                self.done = true;
                return WarcError::Io { doing: "read", path: self.path.clone(), source: kind.into() };
            }
        };
        if !self.stream.skip_member().unwrap_or(false) {
            self.done = true;
        }
        self.broken(offset, what)
    }
}

impl Iterator for WarcReader {
    type Item = Result<(u64, Page), WarcError>;

    fn next(&mut self) -> Option<Self::Item> {
        while !self.done || self.pending.is_some() {
            match self.next_record()? {
                Ok(Some(found)) => return Some(Ok(found)),
                Ok(None) => {}
                Err(error) => return Some(Err(error)),
            }
        }
        None
    }
}

/// What a whole record turned out to be.
enum Found {
    Page(Page),
    Revisit,
    Other,
    Broken(String),
}

fn page(head: &[(String, String)], block: Vec<u8>) -> Found {
    let field = |name| fields::get(head, name);
    let kind = field("warc-type").unwrap_or_default().to_ascii_lowercase();
    if kind == "revisit" {
        return Found::Revisit;
    }
    // WARC/1.0 was often written with the URI in angle brackets.
    let url = field("warc-target-uri").unwrap_or_default().trim_start_matches('<').trim_end_matches('>');
    if !matches!(kind.as_str(), "response" | "resource") || !is_http(url) {
        return Found::Other;
    }
    let depth = field("warc-wisdom-depth").and_then(|d| d.parse().ok());
    let content_type = field("content-type").unwrap_or_default();
    let (status, headers, body) = if kind == "resource" {
        let headers =
            if content_type.is_empty() { vec![] } else { vec![("content-type".to_owned(), content_type.to_owned())] };
        (200, headers, block)
    } else {
        match http::parse(&block) {
            Ok(mut response) => {
                if depth.is_some() {
                    http::restore_headers(&mut response.headers);
                }
                (response.status, response.headers, response.body)
            }
            Err(what) => return Found::Broken(format!("for {url} {what}")),
        }
    };
    let fetched_at = field("warc-date").map_or(0, seconds);
    Found::Page(Page { url: url.to_owned(), status, headers, body, depth: depth.unwrap_or(0), fetched_at })
}

fn is_http(url: &str) -> bool {
    let scheme = url.split(':').next().unwrap_or_default();
    scheme.eq_ignore_ascii_case("http") || scheme.eq_ignore_ascii_case("https")
}

/// Seconds since 1970 of a WARC date; 0 where it is none.
fn seconds(date: &str) -> u64 {
    let time = humantime::parse_rfc3339_weak(date).ok();
    time.and_then(|t| t.duration_since(UNIX_EPOCH).ok()).map_or(0, |d| d.as_secs())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write;

    fn record(kind: &str, url: &str, block: &str) -> String {
        let kind_of = if kind == "response" { "application/http; msgtype=response" } else { "text/html" };
        format!(
            "WARC/1.0\r\nWARC-Type: {kind}\r\nWARC-Target-URI: <{url}>\r\nWARC-Date: 2020-01-02T03:04:05.678Z\r\n\
             Content-Type: {kind_of}\r\nContent-Length: {}\r\n\r\n{block}\r\n\r\n",
            block.len()
        )
    }

    fn response(url: &str, body: &str) -> String {
        record("response", url, &format!("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n{body}"))
    }

    fn gzip(bytes: &[u8]) -> Vec<u8> {
        let mut out = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
        out.write_all(bytes).unwrap();
        out.finish().unwrap()
    }

    /// One line per item: the URL and body of a page, or `!` and what is wrong.
    fn read(bytes: &[u8]) -> (Vec<String>, Skipped) {
        let mut file = tempfile::NamedTempFile::new().unwrap();
        file.write_all(bytes).unwrap();
        let mut reader = WarcReader::open_at(file.path(), 0).unwrap();
        let mut lines = Vec::new();
        for item in reader.by_ref() {
            lines.push(match item {
                Ok((_, page)) => format!("{} {}", page.url, String::from_utf8_lossy(&page.body)),
                Err(WarcError::Record { what, .. }) => format!("! {what}"),
                Err(error) => format!("!! {error}"),
            });
            assert!(lines.len() < 100, "endless");
        }
        (lines, reader.skipped())
    }

    fn three() -> [String; 3] {
        ["1", "2", "3"].map(|n| response(&format!("http://a/{n}"), &format!("body {n} ").repeat(3)))
    }

    const WANT: [&str; 3] =
        ["http://a/1 body 1 body 1 body 1 ", "http://a/2 body 2 body 2 body 2 ", "http://a/3 body 3 body 3 body 3 "];

    #[test]
    fn plain_whole_gzip_and_record_gzip_read_alike() {
        let plain = three().concat();
        let (head, tail) = plain.as_bytes().split_at(plain.len() / 2);
        let members: Vec<u8> = three().iter().flat_map(|r| gzip(r.as_bytes())).collect();
        for bytes in [
            plain.clone().into_bytes(),
            plain.replace("\r\n\r\nHTTP", "\n\nHTTP").replace("\r\nWARC-", "\nWARC-").into_bytes(),
            gzip(plain.as_bytes()),
            members,
            // Members that end anywhere (parallel gzip).
            [gzip(head), gzip(tail)].concat(),
        ] {
            assert_eq!(read(&bytes).0, WANT);
        }
    }

    #[test]
    fn other_records_are_counted() {
        let text = [
            record("warcinfo", "", "software: x"),
            record("request", "http://a/", "GET / HTTP/1.1\r\n\r\n"),
            record("revisit", "http://a/", "HTTP/1.1 200 OK\r\n\r\n"),
            record("resource", "http://a/r", "<p>"),
            record("resource", "urn:x", "<p>"),
            record("response", "dns:a", "1.2.3.4"),
        ]
        .concat();
        let (lines, skipped) = read(text.as_bytes());
        assert_eq!(lines, ["http://a/r <p>"]);
        assert_eq!(skipped, Skipped { revisits: 1, others: 4, files: 0 });
    }

    #[test]
    fn broken_records_are_told_and_the_others_read() {
        let [one, two, three] = three();
        let lying = |by: &str| two.replacen("Content-Length: ", &format!("Content-Length: {by}"), 1);
        for (bad, parts) in [
            ("too long", vec![lying("1")]),
            ("far too long", vec![lying("99999")]),
            ("no number", vec![lying("x")]),
            ("no HTTP", vec![record("response", "http://a/x", "nothing")]),
            ("junk", vec!["junk\r\n".to_owned()]),
            ("version", vec![two.replace("WARC/1.0", "WARC/9")]),
        ] {
            let text = [one.clone(), parts.concat(), three.clone()].concat();
            let (lines, _) = read(text.as_bytes());
            let pages: Vec<&String> = lines.iter().filter(|l| !l.starts_with('!')).collect();
            assert_eq!(pages, [WANT[0], WANT[2]], "{bad}: {lines:?}");
            assert_eq!(lines.len(), 3, "{bad}: {lines:?}");
            let members: Vec<u8> =
                [one.clone(), parts.concat(), three.clone()].iter().flat_map(|r| gzip(r.as_bytes())).collect();
            let (lines, _) = read(&members);
            let pages: Vec<&String> = lines.iter().filter(|l| !l.starts_with('!')).collect();
            assert_eq!(pages, [WANT[0], WANT[2]], "{bad}, gzip: {lines:?}");
            assert_eq!(lines.len(), 3, "{bad}, gzip: {lines:?}");
        }
    }

    #[test]
    fn a_too_short_length_is_told() {
        let [one, two, three] = three();
        let length = two.split("Content-Length: ").nth(1).unwrap().split('\r').next().unwrap().to_owned();
        let short = two.replace(&format!("Content-Length: {length}"), "Content-Length: 60");
        let (lines, _) = read([one, short, three].concat().as_bytes());
        assert_eq!(lines, [WANT[0], "! has a wrong Content-Length", WANT[2]]);
    }

    #[test]
    fn a_damaged_member_does_not_hide_the_next() {
        let members: Vec<Vec<u8>> = three().iter().map(|r| gzip(r.as_bytes())).collect();
        for at in 0..members[1].len() {
            let mut bad = members[1].clone();
            bad[at] ^= 0x55;
            let (lines, _) = read(&[members[0].clone(), bad, members[2].clone()].concat());
            let pages: Vec<&String> = lines.iter().filter(|l| !l.starts_with('!')).collect();
            // Damage to the member's time stamp and the like changes nothing; other damage is told. Where it lies after the
            // page, the page may still come.
            let told = *pages[0] == WANT[0] && *pages[pages.len() - 1] == WANT[2];
            assert!(told && (lines == WANT || lines.len() > pages.len() && lines.len() <= 4), "{at}: {lines:?}");
        }
        // A file cut anywhere gives its whole records and one error, unless cut between two.
        let all = members.concat();
        for cut in 1..all.len() {
            let (lines, _) = read(&all[..cut]);
            assert!(lines.iter().filter(|l| l.starts_with('!')).count() <= 1, "{cut}: {lines:?}");
            assert!(!lines.is_empty(), "{cut}");
        }
    }

    proptest::proptest! {
        #[test]
        fn no_bytes_make_it_panic(mut bytes in proptest::collection::vec(proptest::prelude::any::<u8>(), 0..300), at in 0_usize..400, zip: bool) {
            let mut all = three().concat().into_bytes();
            let at = at.min(all.len());
            all.splice(at..(at + bytes.len()).min(all.len()), bytes.drain(..));
            if zip {
                let mut zipped = gzip(&all);
                let at = at.min(zipped.len() - 1);
                zipped[at] ^= 1;
                read(&zipped);
            }
            read(&all);
        }
    }
}
