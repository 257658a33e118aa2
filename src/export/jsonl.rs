//! JSON lines: one document a line, in the order of URLs, the same bytes for the same store.

use super::{ExportError, Outgoing, Output, Sink, Summary};
use serde::Serialize;
use std::fmt::Write as _;
use std::io::Write;

/// Documents as JSON lines. A document that is taken back gives a line of `id`, `url` and `deleted`.
#[derive(Debug)]
pub struct Jsonl {
    out: Output,
    summary: Summary,
}

impl Jsonl {
    /// Lines that go to `out`.
    pub fn new(out: Output) -> Self {
        Self { out, summary: Summary::default() }
    }
}

/// A line that takes a document back.
#[derive(Debug, Serialize)]
struct TakenBack<'a> {
    id: &'a str,
    url: &'a str,
    deleted: bool,
}

impl Sink for Jsonl {
    fn write(&mut self, page: &Outgoing<'_>) -> Result<(), ExportError> {
        self.out.write_all(json_line(page.document).as_bytes())?;
        self.summary.written += 1;
        Ok(())
    }

    fn remove(&mut self, id: &str, url: &str) -> Result<(), ExportError> {
        self.out.write_all(json_line(&TakenBack { id, url, deleted: true }).as_bytes())?;
        self.summary.removed += 1;
        Ok(())
    }

    fn finish(self: Box<Self>) -> Result<Summary, ExportError> {
        self.out.commit()?;
        Ok(self.summary)
    }
}

/// One JSON object and a line feed. Characters that some readers take for line ends, and control characters, are escaped. A
/// value that JSON cannot hold (a map whose keys are no strings) gives an empty line. Time linear in the value.
pub fn json_line(value: &impl Serialize) -> String {
    let json = serde_json::to_string(value).unwrap_or_default();
    let mut line = String::with_capacity(json.len() + 1);
    for c in json.chars() {
        match c {
            '\u{7f}'..='\u{9f}' | '\u{2028}' | '\u{2029}' => {
                // All of these are one UTF-16 unit, and stand inside strings only.
                let _ = write!(line, "\\u{:04x}", u32::from(c));
            }
            c => line.push(c),
        }
    }
    line.push('\n');
    line
}
