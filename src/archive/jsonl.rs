//! Pages named or held by JSON lines.
//!
//! `{"url": …, "file": …}` names a file, relative to the list; `{"url": …, "html": …}` holds the page. Both may have
//! `status`, `headers` (an object, or a list of pairs), `content_type`, `fetched_at` (seconds, or RFC 3339), `depth`.

use std::fs::File;
use std::io::{BufRead, BufReader, Read, Seek};
use std::path::{Path, PathBuf};
use std::time::UNIX_EPOCH;

use flate2::bufread::MultiGzDecoder;
use serde::Deserialize;
use serde_json::Value;
use url::Url;

use super::InputError;
use crate::page::Page;

/// The longest line that is read, in bytes.
const MAX_LINE: u64 = 512 << 20;

/// Streams the pages of one list.
#[derive(Debug)]
pub(super) struct Lines {
    path: PathBuf,
    input: Input,
    line: u64,
    length: u64,
    done: bool,
}

#[derive(Debug)]
enum Input {
    Plain(BufReader<File>),
    Gzip(Box<BufReader<MultiGzDecoder<BufReader<File>>>>),
}

#[derive(Deserialize)]
struct Entry {
    url: String,
    file: Option<PathBuf>,
    html: Option<String>,
    status: Option<u16>,
    headers: Option<Value>,
    content_type: Option<String>,
    fetched_at: Option<Value>,
    depth: Option<u32>,
}

impl Lines {
    pub(super) fn open(path: &Path) -> Result<Self, InputError> {
        let file = File::open(path).map_err(InputError::io(path))?;
        let length = file.metadata().map_err(InputError::io(path))?.len();
        let mut raw = BufReader::new(file);
        let gzip = raw.fill_buf().map_err(InputError::io(path))?.starts_with(&[0x1f, 0x8b]);
        let input =
            if gzip { Input::Gzip(Box::new(BufReader::new(MultiGzDecoder::new(raw)))) } else { Input::Plain(raw) };
        Ok(Self { path: path.to_path_buf(), input, line: 0, length, done: false })
    }

    pub(super) fn progress(&mut self) -> (u64, u64) {
        let raw = match &mut self.input {
            Input::Plain(raw) => raw,
            Input::Gzip(decoder) => decoder.get_mut().get_mut(),
        };
        (raw.stream_position().unwrap_or(0), self.length)
    }

    fn read_line(&mut self) -> std::io::Result<Vec<u8>> {
        let mut line = Vec::new();
        match &mut self.input {
            Input::Plain(input) => input.take(MAX_LINE).read_until(b'\n', &mut line)?,
            Input::Gzip(input) => input.take(MAX_LINE).read_until(b'\n', &mut line)?,
        };
        Ok(line)
    }

    /// The page of a line, or a phrase that follows "line 7".
    fn page(&self, line: &[u8]) -> Result<Page, String> {
        let entry: Entry = serde_json::from_slice(line)
            .map_err(|e| format!("is no object with \"url\" and \"file\" or \"html\" ({e})"))?;
        let url = Url::parse(&entry.url).map_err(|e| format!("has the unusable URL {:?} ({e})", entry.url))?;
        if !matches!(url.scheme(), "http" | "https") {
            return Err(format!("has the URL {url}, which is not of the web"));
        }
        let body = match (entry.html, entry.file) {
            (Some(html), _) => html.into_bytes(),
            (None, Some(file)) => {
                let path = self.path.parent().unwrap_or(Path::new("")).join(file);
                std::fs::read(&path).map_err(|e| format!("names {}, which cannot be read ({e})", path.display()))?
            }
            (None, None) => return Err("has neither \"file\" nor \"html\"".to_owned()),
        };
        let mut headers = entry.headers.map_or(Ok(vec![]), |value| headers(&value))?;
        if let Some(content_type) = entry.content_type {
            headers.retain(|(name, _)| name != "content-type");
            headers.push(("content-type".to_owned(), content_type));
        }
        Ok(Page {
            url: url.into(),
            status: entry.status.unwrap_or(200),
            headers,
            body,
            depth: entry.depth.unwrap_or(0),
            fetched_at: entry.fetched_at.map_or(Ok(0), |value| time(&value))?,
        })
    }
}

impl Iterator for Lines {
    type Item = Result<Page, InputError>;

    fn next(&mut self) -> Option<Self::Item> {
        while !self.done {
            self.line += 1;
            let line = match self.read_line() {
                Ok(line) => line,
                Err(source) => {
                    self.done = true;
                    return Some(Err(InputError::Io { path: self.path.clone(), source }));
                }
            };
            if line.is_empty() {
                self.done = true;
                break;
            }
            let text = if self.line == 1 { line.strip_prefix(b"\xef\xbb\xbf").unwrap_or(&line) } else { &line };
            if text.trim_ascii().is_empty() {
                continue;
            }
            let (path, line) = (&self.path, self.line);
            return Some(self.page(text).map_err(|what| InputError::Line { path: path.clone(), line, what }));
        }
        None
    }
}

fn headers(value: &Value) -> Result<Vec<(String, String)>, String> {
    let pair = |name: &str, value: &Value| match value {
        Value::String(text) => Some((name.to_ascii_lowercase(), text.clone())),
        Value::Number(number) => Some((name.to_ascii_lowercase(), number.to_string())),
        _ => None,
    };
    let pairs: Option<Vec<_>> = match value {
        Value::Null => Some(vec![]),
        Value::Object(map) => map.iter().map(|(name, value)| pair(name, value)).collect(),
        Value::Array(list) => list.iter().map(|item| pair(item.get(0)?.as_str()?, item.get(1)?)).collect(),
        _ => None,
    };
    pairs.ok_or_else(|| "has \"headers\" that are no object of strings and no list of pairs".to_owned())
}

fn time(value: &Value) -> Result<u64, String> {
    let seconds = match value {
        Value::Null => Some(0),
        Value::String(text) => {
            let time = humantime::parse_rfc3339_weak(text).ok();
            time.and_then(|t| t.duration_since(UNIX_EPOCH).ok()).map(|d| d.as_secs())
        }
        _ => value.as_u64(),
    };
    seconds
        .ok_or_else(|| "has a \"fetched_at\" that is neither seconds nor a date like 2026-01-31T12:00:00Z".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write;

    const LIST: &str = concat!(
        "\u{feff}{\"url\":\"http://a/1\",\"file\":\"one.html\",\"content_type\":\"text/html; charset=gbk\"}\n",
        "\n",
        "{\"url\":\"http://a/2\",\"html\":\"<p>two\",\"status\":404,\"headers\":{\"ETag\":\"x\"},\"fetched_at\":\"1970-01-01T00:01:00Z\"}\r\n",
        "{\"url\":\"http://a/3\",\"file\":\"none.html\"}\n",
        "{\"url\":\"no url\",\"html\":\"\"}\n",
        "nonsense\n",
        "{\"url\":\"http://a/4\"}\n",
        "{\"url\":\"http://a/5\",\"html\":\"last\",\"headers\":[[\"A\",\"b\"]],\"fetched_at\":7}",
    );

    fn check(name: &str, bytes: &[u8]) {
        let dir = tempfile::tempdir().unwrap();
        std::fs::write(dir.path().join("one.html"), "<p>one").unwrap();
        let path = dir.path().join(name);
        std::fs::write(&path, bytes).unwrap();
        let mut pages = Vec::new();
        let mut bad = Vec::new();
        for item in Lines::open(&path).unwrap() {
            match item {
                Ok(page) => pages.push(page),
                Err(InputError::Line { line, .. }) => bad.push(line),
                Err(error) => panic!("{error}"),
            }
        }
        assert_eq!(bad, [4, 5, 6, 7]);
        let bodies: Vec<_> =
            pages.iter().map(|p| (p.url.as_str(), p.status, p.body.as_slice(), p.fetched_at)).collect();
        let want: [(&str, u16, &[u8], u64); 3] =
            [("http://a/1", 200, b"<p>one", 0), ("http://a/2", 404, b"<p>two", 60), ("http://a/5", 200, b"last", 7)];
        assert_eq!(bodies, want);
        assert_eq!(pages[0].header("content-type"), Some("text/html; charset=gbk"));
        assert_eq!(pages[1].header("etag"), Some("x"));
        assert_eq!(pages[2].header("a"), Some("b"));
    }

    #[test]
    fn lines_become_pages_or_errors() {
        check("list.jsonl", LIST.as_bytes());
        let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
        gzip.write_all(LIST.as_bytes()).unwrap();
        check("list.jsonl.gz", &gzip.finish().unwrap());
    }
}
