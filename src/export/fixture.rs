//! A document and an open site for the tests of sinks.

use super::{Article, Document, DocumentBlock, DocumentLine, ExportError, Outgoing, Sink, Summary, Toc, TocEntry};
use crate::archive::Location;
use crate::page::Page;
use crate::store::{PageId, PageRecord, SiteStore, Store, StoreOptions};
use std::io::Write;
use std::sync::{Arc, Mutex};

/// What a document may hold at the worst: quotes, line ends of all kinds, controls, a formula, text that turns around.
pub(super) const HOSTILE: &str =
    "=1+1\n\"q\", \u{2028}\u{2029}\u{85}\0\u{8}\\u0000 \u{202e}gnp\u{fffe}<&]]>'---\r\n\t𝄞";

/// A document that has every part.
pub(super) fn sample() -> Document {
    Document {
        id: "00ff00ff00ff00ff00ff00ff00ff00ff".to_owned(),
        url: "http://h.example/a".to_owned(),
        final_url: "http://h.example/a".to_owned(),
        site: "h.example".to_owned(),
        fetched_at: "2026-01-02T03:04:05Z".to_owned(),
        status: 200,
        depth: 1,
        title: "A \"title\", with =signs".to_owned(),
        lang: "en".to_owned(),
        charset: "UTF-8".to_owned(),
        page_type: "article".to_owned(),
        text: "Head\nOne. Two.".to_owned(),
        article: Some(Article {
            text: "Head\nOne. Two.".to_owned(),
            html: "<h2>Head</h2><p>One. Two.</p>".to_owned(),
            markdown: "## Head\n\nOne. Two.\n".to_owned(),
            title: "A \"title\", with =signs".to_owned(),
            date: Some("2025-12-31".to_owned()),
            author: Some("A. Writer".to_owned()),
        }),
        toc: Some(Toc {
            links: vec![TocEntry { url: "http://h.example/next".to_owned(), text: "Next".to_owned(), score: 1.0 }],
        }),
        blocks: vec![DocumentBlock {
            kind: "article".to_owned(),
            step: "kmib".to_owned(),
            path: "body > div".to_owned(),
            text_len: 3,
            cii: Some(0.9),
            sii: None,
            api: None,
            score: 0.9,
        }],
        records: Vec::new(),
        duplicate_of: Some("http://h.example/original".to_owned()),
        method: "auto".to_owned(),
        warnings: Vec::new(),
        lines: vec![
            DocumentLine { start: 0, heading: Some(2), block: Some(0) },
            DocumentLine { start: 5, heading: None, block: Some(0) },
        ],
    }
}

/// The sample with hostile text in title and body, under another id and URL.
pub(super) fn hostile(number: u32) -> Document {
    let mut document = sample();
    document.id = format!("{number:032x}");
    document.url = format!("http://h.example/{number}");
    document.title = HOSTILE.to_owned();
    document.text = HOSTILE.to_owned();
    document.lines.clear();
    document
}

/// A writer that the test keeps a hand on.
#[derive(Clone, Debug, Default)]
pub(super) struct Held(Arc<Mutex<Vec<u8>>>);

impl Held {
    pub(super) fn text(&self) -> String {
        String::from_utf8(self.0.lock().unwrap().clone()).unwrap()
    }
}

impl Write for Held {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.lock().unwrap().extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

/// An empty site, and what sinks are told beside documents.
pub(super) struct Place {
    pub(super) dir: tempfile::TempDir,
    pub(super) site: SiteStore,
}

impl Place {
    pub(super) fn new() -> Self {
        let dir = tempfile::tempdir().unwrap();
        let store = Store::create(&dir.path().join("store"), StoreOptions::default()).unwrap();
        let site = store.create_site(&url::Url::parse("http://h.example/").unwrap()).unwrap();
        Self { dir, site }
    }

    /// Sends documents to a sink as an export does.
    pub(super) fn send(&self, mut sink: Box<dyn Sink>, documents: &[Document], gone: &[(&str, &str)]) -> Summary {
        sink.begin("h.example", &self.site).unwrap();
        for document in documents {
            self.write(sink.as_mut(), document, false);
        }
        for (id, url) in gone {
            sink.remove(id, url).unwrap();
        }
        sink.finish().unwrap()
    }

    pub(super) fn write(&self, sink: &mut dyn Sink, document: &Document, replaces: bool) {
        self.write_as(sink, document, replaces).unwrap();
    }

    pub(super) fn try_write(&self, sink: &mut dyn Sink, document: &Document) -> Result<(), ExportError> {
        self.write_as(sink, document, false)
    }

    fn write_as(&self, sink: &mut dyn Sink, document: &Document, replaces: bool) -> Result<(), ExportError> {
        let page = Page {
            url: document.url.clone(),
            status: 200,
            headers: vec![("content-type".to_owned(), "text/html".to_owned())],
            body: b"<p>as stored".to_vec(),
            depth: 1,
            fetched_at: 1_700_000_000,
        };
        let record = PageRecord {
            url: document.url.clone(),
            status: 200,
            depth: 1,
            fetched_at: 1_700_000_000,
            etag: None,
            last_modified: Some("Tue, 15 Nov 1994 12:45:26 GMT".to_owned()),
            digest: [7; 20],
            lang: document.lang.clone(),
            charset: "UTF-8".to_owned(),
            crawl: 1,
            location: Location::default(),
        };
        let site = &self.site;
        sink.write(&Outgoing { document, id: PageId(0), record: &record, page: &page, site, replaces })
    }
}
