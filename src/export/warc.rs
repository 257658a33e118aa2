//! [`Warc`]: pages as they are stored, in one WARC file that any WARC tool reads, `wisdom import` among them.

use super::{ExportError, Outgoing, Output, Sink, Summary};
use crate::archive::{info_member, response_member};
use std::io::Write;

/// Pages as WARC records, each a gzip member of its own.
#[derive(Debug)]
pub struct Warc {
    out: Output,
    name: String,
    summary: Summary,
}

impl Warc {
    /// Records to `out`; `name` is what the first record calls the file.
    pub fn new(out: Output, name: &str) -> Self {
        Self { out, name: name.to_owned(), summary: Summary::default() }
    }
}

impl Sink for Warc {
    fn write(&mut self, page: &Outgoing<'_>) -> Result<(), ExportError> {
        if self.summary.written == 0 {
            // Dated by its first page, so that the same store gives the same bytes.
            self.out.write_all(&info_member(&self.name, page.page.fetched_at)?)?;
        }
        self.out.write_all(&response_member(page.page)?)?;
        self.summary.written += 1;
        Ok(())
    }

    fn remove(&mut self, _id: &str, url: &str) -> Result<(), ExportError> {
        Err(ExportError::Unsuited(format!("{url} cannot be taken back from a WARC file; export without --changed")))
    }

    fn finish(self: Box<Self>) -> Result<Summary, ExportError> {
        self.out.commit()?;
        Ok(self.summary)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::archive::read;
    use crate::export::fixture::{Place, hostile, sample};

    #[test]
    fn pages_come_back_as_they_are_stored() {
        let place = Place::new();
        let path = place.dir.path().join("out.warc.gz");
        let sink = Box::new(Warc::new(Output::at(&path).unwrap(), "out.warc.gz"));
        assert_eq!(place.send(sink, &[sample(), hostile(1)], &[]).written, 2);
        let pages: Vec<_> = read(&path, None).unwrap().map(Result::unwrap).collect();
        assert_eq!(pages.len(), 2);
        assert_eq!(pages[1].url, "http://h.example/1");
        assert_eq!(pages[0].body, b"<p>as stored");
    }
}
