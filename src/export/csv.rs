//! [`Csv`]: documents as comma-separated values (RFC 4180): a row of names, then a row a document; lines end in CR LF.
//!
//! Spreadsheets run cells that begin like a formula, and what stands in the cells is other people's text: an apostrophe is
//! put before such a cell, unless it is a number. What is no text or number is written as JSON; NUL is left out, which
//! hardly any reader takes.

use super::lines::{DeletionForm, Deletions};
use super::{ExportError, Fields, Outgoing, Output, Sink, Summary};
use serde_json::Value;
use std::path::Path;

/// Documents as rows.
pub struct Csv {
    fields: Fields,
    out: csv::Writer<Output>,
    deletions: Deletions,
    summary: Summary,
}

impl std::fmt::Debug for Csv {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.debug_struct("Csv").field("fields", &self.fields).finish_non_exhaustive()
    }
}

impl Csv {
    /// Rows of these fields to `out`. `path` is where that leads, if it is no stream: ids of documents that are taken back
    /// are listed beside it, as `PATH.deleted`.
    pub fn new(fields: Fields, out: Output, path: Option<&Path>) -> Result<Self, ExportError> {
        let mut out = csv::WriterBuilder::new().terminator(csv::Terminator::CRLF).from_writer(out);
        out.write_record(fields.names()).map_err(told)?;
        let deletions = Deletions::beside(path, DeletionForm::Lines);
        Ok(Self { fields, out, deletions, summary: Summary::default() })
    }
}

impl Sink for Csv {
    fn write(&mut self, page: &Outgoing<'_>) -> Result<(), ExportError> {
        // A document is a map with string keys, so that this cannot fail.
        let values = serde_json::to_value(self.fields.of(page.document)).unwrap_or_default();
        for name in self.fields.names() {
            self.out.write_field(cell(values.get(name))).map_err(told)?;
        }
        self.out.write_record(None::<&[u8]>).map_err(told)?;
        self.summary.written += 1;
        Ok(())
    }

    fn remove(&mut self, id: &str, _url: &str) -> Result<(), ExportError> {
        self.summary.removed += 1;
        self.deletions.add(id)
    }

    fn finish(self: Box<Self>) -> Result<Summary, ExportError> {
        let mut summary = self.summary;
        self.out.into_inner().map_err(|error| ExportError::Write(error.into_error()))?.commit()?;
        if let Some(path) = self.deletions.commit()? {
            summary.notes.push(format!("deleted documents are listed in {}", path.display()));
        }
        Ok(summary)
    }
}

fn told(error: csv::Error) -> ExportError {
    match error.into_kind() {
        csv::ErrorKind::Io(error) => ExportError::Write(error),
        other => ExportError::Sink { what: "cannot write CSV".to_owned(), source: format!("{other:?}").into() },
    }
}

fn cell(value: Option<&Value>) -> String {
    match value {
        None | Some(Value::Null) => String::new(),
        Some(Value::String(text)) => {
            let guard = if is_formula(text) { "'" } else { "" };
            format!("{guard}{}", text.replace('\0', ""))
        }
        Some(other) => other.to_string(),
    }
}

fn is_formula(text: &str) -> bool {
    match text.chars().next() {
        // Some spreadsheets read the wide forms as well.
        Some('=' | '@' | '\t' | '\r' | '＝' | '＠' | '＋' | '－') => true,
        Some('+' | '-') => text.parse::<f64>().is_err(),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::export::fixture::{HOSTILE, Held, Place, hostile, sample};

    #[test]
    fn rows_come_back_and_no_cell_is_a_formula() {
        let held = Held::default();
        let fields = Fields::named(["id", "title", "depth", "text", "links", "date"]).unwrap();
        let out = Output::Stream(Box::new(held.clone()));
        let mut bare = hostile(1);
        bare.article = None;
        let sink = Box::new(Csv::new(fields, out, None).unwrap());
        assert_eq!(Place::new().send(sink, &[sample(), bare], &[]).written, 2);
        let text = held.text();
        assert!(text.starts_with("id,title,depth,text,links,date\r\n") && text.ends_with("\r\n"));
        let mut reader = csv::Reader::from_reader(text.as_bytes());
        let rows: Vec<csv::StringRecord> = reader.records().map(Result::unwrap).collect();
        assert_eq!(&rows[0][1], "A \"title\", with =signs");
        assert_eq!(&rows[0][4], "[\"http://h.example/next\"]");
        assert_eq!((&rows[0][2], &rows[0][5], &rows[1][5]), ("1", "2025-12-31", ""));
        assert_eq!(rows[1][3], format!("'{}", HOSTILE.replace('\0', "")));
    }

    #[test]
    fn numbers_are_no_formulas() {
        for (text, guarded) in
            [("-1.5", false), ("+3", false), ("-1+2", true), ("@a", true), ("a=b", false), ("", false)]
        {
            assert_eq!(cell(Some(&Value::from(text))).starts_with('\''), guarded, "{text}");
        }
    }
}
