//! The bytes of a WARC file, plain or gzipped, with the offset each record starts at.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom};

use flate2::bufread::GzDecoder;

const BUFFER: usize = 64 * 1024;

/// Decoded bytes of a file that is plain, one gzip member, or many.
#[derive(Debug)]
pub(super) enum Stream {
    Plain(BufReader<File>),
    Gzip(Box<Members>),
}

impl Stream {
    /// Starts at `offset`, which for gzip is where a member starts. Gzip is told by its magic bytes.
    pub(super) fn open(mut file: File, offset: u64) -> io::Result<Self> {
        let mut magic = [0; 2];
        file.seek(SeekFrom::Start(offset))?;
        let is_gzip = file.read_exact(&mut magic).is_ok() && magic == [0x1f, 0x8b];
        file.seek(SeekFrom::Start(offset))?;
        let reader = BufReader::with_capacity(BUFFER, file);
        Ok(if is_gzip { Self::Gzip(Box::new(Members::new(reader, offset))) } else { Self::Plain(reader) })
    }

    /// Reads lines up to and with one that starts a record (`WARC/…`), and tells where that record starts: its own
    /// offset in a plain file, its member's in a gzipped one.
    pub(super) fn next_record(&mut self) -> io::Result<Next> {
        let mut junk = false;
        let mut line = Vec::new();
        loop {
            let before = match self {
                Self::Plain(reader) => reader.stream_position()?,
                Self::Gzip(_) => 0,
            };
            if !read_line_start(self, &mut line)? {
                return Ok(Next::End { junk });
            }
            if line.starts_with(b"WARC/") {
                let offset = match self {
                    Self::Plain(_) => before,
                    Self::Gzip(members) => members.start,
                };
                return Ok(Next::Record(RecordStart { offset, version: line, junk }));
            }
            junk |= !line.is_empty();
        }
    }

    /// How far the file has been read, in bytes.
    pub(super) fn file_position(&mut self) -> u64 {
        match self {
            Self::Plain(reader) => reader.stream_position().unwrap_or(0),
            Self::Gzip(members) => members.file_position(),
        }
    }

    /// After bytes that cannot be decoded: drops the rest of the gzip member at hand and goes on at the next place that
    /// looks like one. False where there is none, and in a plain file.
    pub(super) fn skip_member(&mut self) -> io::Result<bool> {
        match self {
            Self::Plain(_) => Ok(false),
            Self::Gzip(members) => members.resync(),
        }
    }

    /// After a record at `offset` whose length was wrong: goes back to where its block started, so that records which the
    /// wrong length swallowed are found again. In a gzipped file the next member after the record's own will do, and the
    /// rest of the member where it did not leave that.
    pub(super) fn search_from(&mut self, offset: u64, block_start: u64) -> io::Result<()> {
        match self {
            Self::Plain(reader) => reader.seek(SeekFrom::Start(block_start)).map(|_| ()),
            Self::Gzip(members) => {
                if members.start != offset {
                    members.start = offset;
                    members.resync()?;
                }
                Ok(())
            }
        }
    }

    /// Offset of the next byte of a plain file, of the member at hand in a gzipped one.
    pub(super) fn position(&mut self) -> u64 {
        match self {
            Self::Plain(reader) => reader.stream_position().unwrap_or(0),
            Self::Gzip(members) => members.start,
        }
    }

    pub(super) fn is_gzip(&self) -> bool {
        matches!(self, Self::Gzip(_))
    }
}

/// What [`Stream::next_record`] came to.
#[derive(Debug)]
pub(super) enum Next {
    Record(RecordStart),
    /// The end of the file; with whether something other than empty lines stood before it.
    End {
        junk: bool,
    },
}

/// The first line of a record.
#[derive(Debug)]
pub(super) struct RecordStart {
    /// Where it is, as [`Stream::next_record`] says.
    pub(super) offset: u64,
    /// The line, without its end.
    pub(super) version: Vec<u8>,
    /// Whether something other than empty lines stood before it.
    pub(super) junk: bool,
}

/// Reads one line and keeps its first bytes, without the line end. False at the end of the input.
fn read_line_start(input: &mut impl BufRead, line: &mut Vec<u8>) -> io::Result<bool> {
    const KEPT: usize = 64;
    line.clear();
    let mut any = false;
    loop {
        let buffer = input.fill_buf()?;
        if buffer.is_empty() {
            return Ok(any);
        }
        any = true;
        let newline = buffer.iter().position(|&b| b == b'\n');
        let content = &buffer[..newline.unwrap_or(buffer.len())];
        line.extend_from_slice(&content[..content.len().min(KEPT - line.len())]);
        let used = newline.map_or(buffer.len(), |i| i + 1);
        input.consume(used);
        if newline.is_some() {
            if line.last() == Some(&b'\r') {
                line.pop();
            }
            return Ok(true);
        }
    }
}

impl Read for Stream {
    fn read(&mut self, buf: &mut [u8]) -> io::Result<usize> {
        match self {
            Self::Plain(reader) => reader.read(buf),
            Self::Gzip(members) => members.read(buf),
        }
    }
}

impl BufRead for Stream {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        match self {
            Self::Plain(reader) => reader.fill_buf(),
            Self::Gzip(members) => members.fill_buf(),
        }
    }

    fn consume(&mut self, amount: usize) {
        match self {
            Self::Plain(reader) => reader.consume(amount),
            Self::Gzip(members) => members.consume(amount),
        }
    }
}

/// The members of a gzip file, decoded one after the other.
#[derive(Debug)]
pub(super) struct Members {
    /// The raw file between members; inside the decoder otherwise. Both `None` only after an error while switching.
    raw: Option<BufReader<File>>,
    decoder: Option<GzDecoder<BufReader<File>>>,
    /// Raw offset of the member at hand.
    start: u64,
    buffer: Vec<u8>,
    used: usize,
    filled: usize,
    /// A failure lasts until [`resync`](Self::resync), because the decoder would go on as if the member had ended.
    failed: Option<(io::ErrorKind, String)>,
}

impl Members {
    fn new(raw: BufReader<File>, start: u64) -> Self {
        Self { raw: Some(raw), decoder: None, start, buffer: vec![0; BUFFER], used: 0, filled: 0, failed: None }
    }

    fn file_position(&mut self) -> u64 {
        let raw = self.decoder.as_mut().map(GzDecoder::get_mut).or(self.raw.as_mut());
        raw.and_then(|raw| raw.stream_position().ok()).unwrap_or(self.start)
    }

    /// Decodes more of the member at hand, or opens the next. False at the end of the file.
    fn refill(&mut self) -> io::Result<bool> {
        let count = match self.decoder.as_mut() {
            Some(decoder) => decoder.read(&mut self.buffer)?,
            None => 0,
        };
        (self.used, self.filled) = (0, count);
        Ok(count > 0 || self.next_member()?)
    }

    /// Opens the next member. False at the end of the file.
    fn next_member(&mut self) -> io::Result<bool> {
        if let Some(decoder) = self.decoder.take() {
            self.raw = Some(decoder.into_inner());
        }
        let Some(mut raw) = self.raw.take() else { return Ok(false) };
        // Zero bytes may pad members (tapes, preallocated files).
        loop {
            let buffer = raw.fill_buf()?;
            let zeros = buffer.iter().take_while(|&&b| b == 0).count();
            if zeros == 0 || buffer.is_empty() {
                break;
            }
            raw.consume(zeros);
        }
        self.start = raw.stream_position()?;
        if raw.fill_buf()?.is_empty() {
            self.raw = Some(raw);
            return Ok(false);
        }
        self.decoder = Some(GzDecoder::new(raw));
        Ok(true)
    }

    /// Drops what is left of the member at hand and searches the raw bytes after its start for the next gzip header.
    fn resync(&mut self) -> io::Result<bool> {
        (self.used, self.filled, self.failed) = (0, 0, None);
        let raw = self.decoder.take().map(GzDecoder::into_inner).or(self.raw.take());
        let Some(mut raw) = raw else { return Ok(false) };
        let mut offset = self.start + 1;
        raw.seek(SeekFrom::Start(offset))?;
        let mut window = [0_u8; 3];
        let mut filled = 0;
        loop {
            let buffer = raw.fill_buf()?;
            let Some(&byte) = buffer.first() else {
                self.start = offset;
                self.raw = Some(raw);
                return Ok(false);
            };
            raw.consume(1);
            offset += 1;
            window = [window[1], window[2], byte];
            filled += 1;
            if filled >= 3 && window == [0x1f, 0x8b, 0x08] {
                self.start = offset - 3;
                raw.seek(SeekFrom::Start(self.start))?;
                self.decoder = Some(GzDecoder::new(raw));
                return Ok(true);
            }
        }
    }
}

impl Read for Members {
    fn read(&mut self, buf: &mut [u8]) -> io::Result<usize> {
        let available = self.fill_buf()?;
        let count = available.len().min(buf.len());
        buf[..count].copy_from_slice(&available[..count]);
        self.consume(count);
        Ok(count)
    }
}

impl BufRead for Members {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        if let Some((kind, what)) = &self.failed {
            return Err(io::Error::new(*kind, what.clone()));
        }
        while self.used == self.filled {
            match self.refill() {
                Ok(true) => {}
                Ok(false) => break,
                Err(error) => {
                    self.failed = Some((error.kind(), error.to_string()));
                    return Err(error);
                }
            }
        }
        Ok(&self.buffer[self.used..self.filled])
    }

    fn consume(&mut self, amount: usize) {
        self.used = (self.used + amount).min(self.filled);
    }
}
