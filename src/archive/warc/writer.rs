//! The archive of a site: what was fetched, in numbered WARC files.

use std::fs::{self, File, OpenOptions};
use std::io::{BufWriter, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, UNIX_EPOCH};

use flate2::Compression;
use flate2::write::GzEncoder;
use sha1::{Digest, Sha1};

use super::reader::WarcReader;
use super::{Location, WarcError, file_name, http};
use crate::page::Page;

/// Files are closed once they are this long, in bytes. Common practice of web archives is 1 GB.
const ROLL_AT: u64 = 1_000_000_000;

/// SHA-1 of a page's body, the digest that WARC tools check. Not for security.
pub fn body_digest(body: &[u8]) -> [u8; 20] {
    Sha1::digest(body).into()
}

/// Appends pages to `pages/00000.warc.gz` and its successors, one gzip member per record.
///
/// [`append`](Self::append) buffers; after [`sync`](Self::sync) everything appended survives a crash. The place where the
/// files end ([`end`](Self::end)) is remembered by the caller and given back to [`open`](Self::open), which cuts a torn
/// record off.
#[derive(Debug)]
pub struct PageArchive {
    dir: PathBuf,
    roll_at: u64,
    end: Location,
    file: Option<BufWriter<File>>,
}

impl PageArchive {
    /// Opens the archive in `dir`, whose files were known to end at `known`.
    ///
    /// Whole records after `known` (appended, but the crash came before the caller could note it) stay, a torn one at the
    /// end is cut off. Damage with readable records behind it is left alone. Linear in the bytes after `known`.
    pub fn open(dir: &Path, known: Location) -> Result<Self, WarcError> {
        let mut end = known;
        let mut number = known.file;
        loop {
            let path = dir.join(file_name(number));
            let Ok(meta) = fs::metadata(&path) else { break };
            let from = if number == known.file { known.offset } else { 0 };
            if meta.len() < from {
                // Damage, not a crash of ours: leave the file as it is and go on in a new one.
                end = Location { file: number + 1, offset: 0 };
            } else {
                let whole = whole_until(&path, from)?;
                if whole == meta.len() {
                    end = Location { file: number, offset: whole };
                } else if WarcReader::open_at(&path, whole)?.any(|record| record.is_ok()) {
                    end = Location { file: number + 1, offset: 0 };
                } else {
                    let cut = OpenOptions::new().write(true).open(&path).and_then(|f| f.set_len(whole));
                    cut.map_err(WarcError::io("cut a torn record off", &path))?;
                    end = Location { file: number, offset: whole };
                }
            }
            number += 1;
        }
        Ok(Self { dir: dir.to_path_buf(), roll_at: ROLL_AT, end, file: None })
    }

    /// Where the next record will start, unless a new file is due.
    pub fn end(&self) -> Location {
        self.end
    }

    /// Appends a `response` record and tells where it starts.
    pub fn append(&mut self, page: &Page) -> Result<Location, WarcError> {
        if self.end.offset >= self.roll_at {
            self.sync()?;
            self.file = None;
            self.end = Location { file: self.end.file + 1, offset: 0 };
        }
        if self.end.offset == 0 {
            self.write_member(&info_record(&file_name(self.end.file), page.fetched_at))?;
        }
        let location = self.end;
        self.write_member(&response_record(page))?;
        Ok(location)
    }

    /// Makes everything appended durable.
    pub fn sync(&mut self) -> Result<(), WarcError> {
        let path = self.path();
        if let Some(file) = &mut self.file {
            let synced = file.flush().and_then(|()| file.get_ref().sync_data());
            synced.map_err(WarcError::io("write", &path))?;
        }
        Ok(())
    }

    /// Takes back what was appended since the archive ended at `end`, so that a failed write leaves no torn record. Best
    /// effort: what stays is cut off by the next [`open`](Self::open).
    pub fn roll_back(&mut self, end: Location) {
        if let Some(file) = self.file.take() {
            // Dropping the writer would write its buffer; taking it apart does not.
            drop(file.into_parts());
        }
        for newer in end.file + 1..=self.end.file {
            let _ = fs::remove_file(self.dir.join(file_name(newer)));
        }
        let path = self.dir.join(file_name(end.file));
        if fs::metadata(&path).is_ok_and(|meta| meta.len() > end.offset) {
            let _ = OpenOptions::new().write(true).open(&path).and_then(|f| f.set_len(end.offset));
        }
        self.end = end;
    }

    fn path(&self) -> PathBuf {
        self.dir.join(file_name(self.end.file))
    }

    fn write_member(&mut self, record: &[u8]) -> Result<(), WarcError> {
        let path = self.path();
        let file = if let Some(file) = &mut self.file {
            file
        } else {
            fs::create_dir_all(&self.dir).map_err(WarcError::io("create", &self.dir))?;
            let opened =
                OpenOptions::new().create(true).truncate(false).write(true).open(&path).and_then(|mut file| {
                    file.seek(SeekFrom::Start(self.end.offset))?;
                    Ok(file)
                });
            let file = opened.map_err(WarcError::io("open", &path))?;
            // A new name is durable once its directory is; not every system can sync one.
            if let Ok(dir) = File::open(&self.dir) {
                let _ = dir.sync_all();
            }
            self.file.insert(BufWriter::new(file))
        };
        let written = member(record).and_then(|member| {
            file.write_all(&member)?;
            Ok(member.len() as u64)
        });
        self.end.offset += written.map_err(WarcError::io("write", &path))?;
        Ok(())
    }
}

/// The pages of an archive in the order they were written, with their places.
#[derive(Debug)]
pub struct ArchivedPages {
    dir: PathBuf,
    next_file: u32,
    reader: Option<(u32, WarcReader)>,
}

impl PageArchive {
    /// Streams every page of the archive in `dir`.
    pub fn pages(dir: &Path) -> ArchivedPages {
        ArchivedPages { dir: dir.to_path_buf(), next_file: 0, reader: None }
    }

    /// Reads the page at a place that [`append`](Self::append) gave.
    pub fn read(dir: &Path, at: Location) -> Result<Page, WarcError> {
        let path = dir.join(file_name(at.file));
        let mut reader = WarcReader::open_at(&path, at.offset)?;
        match reader.next() {
            Some(Ok((offset, page))) if offset == at.offset => Ok(page),
            Some(Err(error)) => Err(error),
            _ => Err(WarcError::Record { path, offset: at.offset, what: "is missing".to_owned() }),
        }
    }
}

impl Iterator for ArchivedPages {
    type Item = Result<(Location, Page), WarcError>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            if let Some((file, reader)) = &mut self.reader {
                let file = *file;
                match reader.next() {
                    Some(Ok((offset, page))) => return Some(Ok((Location { file, offset }, page))),
                    Some(Err(error)) => return Some(Err(error)),
                    None => self.reader = None,
                }
            }
            let path = self.dir.join(file_name(self.next_file));
            if !path.exists() {
                return None;
            }
            match WarcReader::open_at(&path, 0) {
                Ok(reader) => self.reader = Some((self.next_file, reader)),
                Err(error) => {
                    self.next_file += 1;
                    return Some(Err(error));
                }
            }
            self.next_file += 1;
        }
    }
}

fn member(record: &[u8]) -> std::io::Result<Vec<u8>> {
    let mut encoder = GzEncoder::new(Vec::with_capacity(record.len() / 3), Compression::default());
    encoder.write_all(record)?;
    encoder.finish()
}

/// The gzip member of the record that begins a file of this name.
pub(crate) fn info_member(name: &str, date: u64) -> std::io::Result<Vec<u8>> {
    let name: String = name.chars().filter(|c| !c.is_control()).collect();
    member(&info_record(&name, date))
}

/// The gzip member of the record of a page, as [`PageArchive::append`] writes it.
pub(crate) fn response_member(page: &Page) -> std::io::Result<Vec<u8>> {
    member(&response_record(page))
}

/// The offset up to which the file holds whole gzip members, counted from `from`, where one starts.
fn whole_until(path: &Path, from: u64) -> Result<u64, WarcError> {
    let io = || WarcError::io("read", path);
    let file = File::open(path).map_err(io())?;
    let length = file.metadata().map_err(io())?.len();
    let mut reader = std::io::BufReader::new(file);
    let mut whole = from;
    while whole < length {
        reader.seek(SeekFrom::Start(whole)).map_err(io())?;
        let mut member = flate2::bufread::GzDecoder::new(&mut reader);
        if std::io::copy(&mut member, &mut std::io::sink()).is_err() {
            break;
        }
        drop(member);
        whole = reader.stream_position().map_err(io())?;
    }
    Ok(whole)
}

fn info_record(name: &str, date: u64) -> Vec<u8> {
    let block = format!(
        "software: wisdom/{}\r\nformat: WARC File Format 1.1\r\nconformsTo: \
         https://iipc.github.io/warc-specifications/specifications/warc-format/warc-1.1/\r\n",
        env!("CARGO_PKG_VERSION")
    );
    let date = rfc3339(date);
    let id = record_id(&[name.as_bytes(), date.as_bytes()]);
    let head = format!(
        "WARC/1.1\r\nWARC-Type: warcinfo\r\nWARC-Record-ID: {id}\r\nWARC-Date: {date}\r\nWARC-Filename: {name}\r\n\
         Content-Type: application/warc-fields\r\n"
    );
    record(&head, block.as_bytes())
}

fn response_record(page: &Page) -> Vec<u8> {
    let block = http::build(page.status, &page.headers, &page.body);
    let payload = body_digest(&page.body);
    let date = rfc3339(page.fetched_at);
    let url: String = page.url.chars().filter(|c| !c.is_control()).collect();
    let id = record_id(&[&payload, url.as_bytes(), date.as_bytes()]);
    let head = format!(
        "WARC/1.1\r\nWARC-Type: response\r\nWARC-Record-ID: {id}\r\nWARC-Date: {date}\r\nWARC-Target-URI: {url}\r\n\
         WARC-Payload-Digest: sha1:{}\r\nWARC-Wisdom-Depth: {}\r\nContent-Type: application/http; msgtype=response\r\n",
        base32(&payload),
        page.depth,
    );
    record(&head, &block)
}

fn record(head: &str, block: &[u8]) -> Vec<u8> {
    let mut record = Vec::with_capacity(head.len() + block.len() + 128);
    record.extend_from_slice(head.as_bytes());
    let digest = base32(&Sha1::digest(block));
    record.extend_from_slice(
        format!("WARC-Block-Digest: sha1:{digest}\r\nContent-Length: {}\r\n\r\n", block.len()).as_bytes(),
    );
    record.extend_from_slice(block);
    record.extend_from_slice(b"\r\n\r\n");
    record
}

fn base32(digest: &[u8]) -> String {
    data_encoding::BASE32.encode(digest)
}

/// Seconds since 1970 as WARC wants them; years beyond 9999 become the last second of that year.
fn rfc3339(seconds: u64) -> String {
    const LAST: u64 = 253_402_300_799;
    humantime::format_rfc3339_seconds(UNIX_EPOCH + Duration::from_secs(seconds.min(LAST))).to_string()
}

/// A UUID (version 8, RFC 9562) made from the parts, so that the same fetch always has the same id.
fn record_id(parts: &[&[u8]]) -> String {
    let mut hash = Sha1::new();
    for part in parts {
        hash.update((part.len() as u64).to_be_bytes());
        hash.update(part);
    }
    let mut id = [0; 16];
    id.copy_from_slice(&hash.finalize()[..16]);
    id[6] = (id[6] & 0x0f) | 0x80;
    id[8] = (id[8] & 0x3f) | 0x80;
    let hex = data_encoding::HEXLOWER.encode(&id);
    format!("<urn:uuid:{}-{}-{}-{}-{}>", &hex[..8], &hex[8..12], &hex[12..16], &hex[16..20], &hex[20..])
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn page(url: &str, body: &[u8]) -> Page {
        Page {
            url: url.to_owned(),
            status: 200,
            headers: vec![("content-type".to_owned(), "text/html".to_owned())],
            body: body.to_vec(),
            depth: 2,
            fetched_at: 1_700_000_000,
        }
    }

    #[test]
    fn a_torn_tail_is_cut_and_whole_records_stay() {
        let dir = tempfile::tempdir().unwrap();
        let mut archive = PageArchive::open(dir.path(), Location::default()).unwrap();
        let first = archive.append(&page("http://a/1", b"one")).unwrap();
        archive.sync().unwrap();
        let known = archive.end();
        archive.append(&page("http://a/2", b"two")).unwrap();
        archive.sync().unwrap();
        let whole = archive.end();
        drop(archive);
        let path = dir.path().join(file_name(0));
        let mut file = OpenOptions::new().append(true).open(&path).unwrap();
        file.write_all(&fs::read(&path).unwrap()[..40]).unwrap();
        drop(file);
        let archive = PageArchive::open(dir.path(), known).unwrap();
        assert_eq!(archive.end(), whole);
        assert_eq!(fs::metadata(&path).unwrap().len(), whole.offset);
        assert_eq!(PageArchive::read(dir.path(), first).unwrap(), page("http://a/1", b"one"));
        let urls: Vec<String> = PageArchive::pages(dir.path()).map(|p| p.unwrap().1.url).collect();
        assert_eq!(urls, ["http://a/1", "http://a/2"]);
    }

    #[test]
    fn damage_with_records_behind_it_is_not_cut() {
        let dir = tempfile::tempdir().unwrap();
        let mut archive = PageArchive::open(dir.path(), Location::default()).unwrap();
        let places: Vec<Location> =
            (0..3).map(|i| archive.append(&page(&format!("http://a/{i}"), b"x")).unwrap()).collect();
        archive.sync().unwrap();
        let path = dir.path().join(file_name(0));
        let mut bytes = fs::read(&path).unwrap();
        bytes[usize::try_from(places[1].offset).unwrap() + 50] ^= 1;
        fs::write(&path, &bytes).unwrap();
        let archive = PageArchive::open(dir.path(), Location::default()).unwrap();
        assert_eq!(archive.end(), Location { file: 1, offset: 0 });
        assert_eq!(fs::read(&path).unwrap(), bytes);
        assert_eq!(PageArchive::pages(dir.path()).flatten().count(), 2);
    }

    #[test]
    fn files_roll_and_places_stay_valid() {
        let dir = tempfile::tempdir().unwrap();
        let mut archive = PageArchive::open(dir.path(), Location::default()).unwrap();
        archive.roll_at = 2000;
        let pages: Vec<Page> = (0..9).map(|i| page(&format!("http://a/{i}"), &[b'x'; 50])).collect();
        let places: Vec<Location> = pages.iter().map(|p| archive.append(p).unwrap()).collect();
        archive.sync().unwrap();
        assert!(places.last().unwrap().file > 0);
        for (page, place) in pages.iter().zip(&places) {
            assert_eq!(&PageArchive::read(dir.path(), *place).unwrap(), page);
        }
        let again: Vec<(Location, Page)> = PageArchive::pages(dir.path()).map(Result::unwrap).collect();
        assert_eq!(again, places.into_iter().zip(pages).collect::<Vec<_>>());
    }

    #[test]
    fn rolling_back_leaves_the_old_end() {
        let dir = tempfile::tempdir().unwrap();
        let mut archive = PageArchive::open(dir.path(), Location::default()).unwrap();
        archive.append(&page("http://a/1", b"one")).unwrap();
        archive.sync().unwrap();
        let end = archive.end();
        archive.append(&page("http://a/2", b"two")).unwrap();
        archive.sync().unwrap();
        archive.append(&page("http://a/3", b"three")).unwrap();
        archive.roll_back(end);
        assert_eq!(fs::metadata(dir.path().join(file_name(0))).unwrap().len(), end.offset);
        let place = archive.append(&page("http://a/4", b"four")).unwrap();
        archive.sync().unwrap();
        assert_eq!(place, end);
        assert_eq!(PageArchive::read(dir.path(), place).unwrap().url, "http://a/4");
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]
        #[test]
        fn pages_come_back_as_they_went_in(
            body in prop::collection::vec(any::<u8>(), 0..2000),
            value in "[!-~][ -~é]{0,30}[!-~]",
            status in 100_u16..1000,
            depth in any::<u32>(),
            fetched_at in 0_u64..253_402_300_800,
        ) {
            let dir = tempfile::tempdir().unwrap();
            let headers = [("x", value.as_str()), ("content-encoding", "gzip"), ("transfer-encoding", "chunked"), ("content-length", "3")];
            let page = Page {
                url: "https://example.com/ä?b=c".to_owned(),
                status,
                headers: headers.map(|(n, v)| (n.to_owned(), v.to_owned())).to_vec(),
                body,
                depth,
                fetched_at,
            };
            let mut archive = PageArchive::open(dir.path(), Location::default()).unwrap();
            let place = archive.append(&page).unwrap();
            archive.sync().unwrap();
            prop_assert_eq!(PageArchive::read(dir.path(), place).unwrap(), page);
        }
    }
}
