//! [`ParquetSink`]: documents into tables.

use super::column::{Cell, Kind};
use super::table::Table;
use crate::entropy::{entropy, idf, weight};
use crate::export::{Document, DocumentList, ExportError, FolderDraft, Outgoing, Sink, Summary};
use crate::store::SiteStore;
use parquet::errors::ParquetError;
use std::path::Path;

/// The name of the format, in the mark of its folders.
const FORMAT: &str = "parquet";
/// Bytes of values in a row group of one table: enough to compress and to scan well, and little to keep for each table.
const GROUP_BYTES: usize = 16 << 20;

const DOCUMENTS: &[(&str, Kind)] = &[
    ("id", Kind::Text),
    ("url", Kind::Text),
    ("final_url", Kind::Text),
    ("site", Kind::Text),
    ("fetched_at", Kind::Time),
    ("status", Kind::Int),
    ("depth", Kind::Int),
    ("title", Kind::Text),
    ("lang", Kind::MaybeText),
    ("charset", Kind::MaybeText),
    ("page_type", Kind::Text),
    ("text", Kind::Text),
    ("article_text", Kind::MaybeText),
    ("article_html", Kind::MaybeText),
    ("article_markdown", Kind::MaybeText),
    ("article_title", Kind::MaybeText),
    ("date", Kind::MaybeText),
    ("author", Kind::MaybeText),
    ("duplicate_of", Kind::MaybeText),
    ("method", Kind::MaybeText),
    ("warnings", Kind::Texts),
];

const BLOCKS: &[(&str, Kind)] = &[
    ("document_id", Kind::Text),
    ("block", Kind::Int),
    ("kind", Kind::Text),
    ("step", Kind::Text),
    ("path", Kind::Text),
    ("text_len", Kind::Long),
    ("cii", Kind::MaybeDouble),
    ("sii", Kind::MaybeDouble),
    ("api", Kind::MaybeDouble),
    ("score", Kind::Double),
];

const LINKS: &[(&str, Kind)] = &[
    ("document_id", Kind::Text),
    ("link", Kind::Int),
    ("url", Kind::Text),
    ("text", Kind::Text),
    ("score", Kind::Double),
];

const RECORDS: &[(&str, Kind)] = &[
    ("document_id", Kind::Text),
    ("list", Kind::Int),
    ("record", Kind::Int),
    ("method", Kind::Text),
    ("path", Kind::Text),
    ("score", Kind::Double),
    ("text", Kind::Text),
    ("items", Kind::Texts),
    ("cells", Kind::MaybeTexts),
    ("column_names", Kind::MaybeInTexts),
    ("column_kinds", Kind::Texts),
];

const TERMS: &[(&str, Kind)] = &[
    ("site", Kind::Text),
    ("term", Kind::Text),
    ("pages", Kind::Long),
    ("occurrences", Kind::Long),
    ("site_pages", Kind::Long),
    ("entropy", Kind::Double),
    ("weight", Kind::Double),
    ("idf", Kind::Double),
];

const REMOVED: &[(&str, Kind)] = &[("id", Kind::Text), ("url", Kind::Text)];

/// Writes documents to a folder of Parquet files, which appears when it is complete. Memory is bounded by a row group of each
/// table, the largest document, and the terms of one site.
#[derive(Debug)]
pub struct ParquetSink {
    // Closed before the folder goes.
    documents: Table,
    blocks: Table,
    links: Table,
    records: Table,
    terms: Table,
    removed: Option<Table>,
    folder: FolderDraft,
    group_bytes: usize,
    summary: Summary,
}

impl ParquetSink {
    /// Begins the tables that are to stand in the folder `dir`, in place of earlier ones.
    pub fn create(dir: &Path) -> Result<Self, ExportError> {
        Self::with_groups(dir, GROUP_BYTES)
    }

    fn with_groups(dir: &Path, group_bytes: usize) -> Result<Self, ExportError> {
        let folder = FolderDraft::begin(dir, FORMAT)?;
        let table = |name: &str, columns| {
            let file = folder.path().join(name);
            Table::create(&file, columns, group_bytes).map_err(failed)
        };
        Ok(Self {
            documents: table("documents.parquet", DOCUMENTS)?,
            blocks: table("blocks.parquet", BLOCKS)?,
            links: table("links.parquet", LINKS)?,
            records: table("records.parquet", RECORDS)?,
            terms: table("terms.parquet", TERMS)?,
            removed: None,
            folder,
            group_bytes,
            summary: Summary::default(),
        })
    }

    /// Takes one document, fetched so many seconds after 1970.
    fn add(&mut self, document: &Document, fetched_at: u64) -> Result<(), ParquetError> {
        let id = Cell::Text(&document.id);
        self.documents.push(&document_row(document, fetched_at))?;
        for (at, block) in document.blocks.iter().enumerate() {
            self.blocks.push(&[
                id.clone(),
                number(at),
                Cell::Text(&block.kind),
                Cell::Text(&block.step),
                Cell::Text(&block.path),
                Cell::Number(i64::from(block.text_len)),
                block.cii.into(),
                block.sii.into(),
                block.api.into(),
                Cell::Double(block.score),
            ])?;
        }
        for (at, link) in document.toc.iter().flat_map(|toc| &toc.links).enumerate() {
            let (url, text) = (Cell::Text(&link.url), Cell::Text(&link.text));
            self.links.push(&[id.clone(), number(at), url, text, Cell::Double(link.score)])?;
        }
        for (at, list) in document.records.iter().enumerate() {
            self.add_list(&id, at, list)?;
        }
        Ok(())
    }

    fn add_list(&mut self, id: &Cell<'_>, at: usize, list: &DocumentList) -> Result<(), ParquetError> {
        let names = list.columns.iter().map(|column| column.name.as_deref()).collect();
        let kinds = list.columns.iter().map(|column| Some(column.kind)).collect();
        let (names, kinds) = (Cell::Texts(names), Cell::Texts(kinds));
        let is_flat = list.table.len() == list.records.len();
        for (number_in_list, record) in list.records.iter().enumerate() {
            let cells = list.table.get(number_in_list).filter(|_| is_flat);
            self.records.push(&[
                id.clone(),
                number(at),
                number(number_in_list),
                Cell::Text(list.method),
                Cell::Text(&list.path),
                Cell::Double(list.score),
                Cell::Text(&record.text),
                texts(&record.items),
                cells.map_or(Cell::Null, |cells| texts(cells)),
                names.clone(),
                kinds.clone(),
            ])?;
        }
        Ok(())
    }

    fn add_terms(&mut self, key: &str, site: &SiteStore) -> Result<(), ExportError> {
        let pages = site.n_pages();
        for (term, stat) in site.terms()? {
            let row = [
                Cell::Text(key),
                Cell::Text(&term),
                Cell::Number(i64::from(stat.df)),
                Cell::Number(i64::try_from(stat.tf).unwrap_or(i64::MAX)),
                Cell::Number(i64::try_from(pages).unwrap_or(i64::MAX)),
                Cell::Double(entropy(&stat, pages)),
                Cell::Double(weight(&stat, pages)),
                Cell::Double(idf(&stat, pages)),
            ];
            self.terms.push(&row).map_err(failed)?;
        }
        Ok(())
    }

    fn complete(self) -> Result<Summary, ExportError> {
        let tables = [self.documents, self.blocks, self.links, self.records, self.terms];
        for table in tables.into_iter().chain(self.removed) {
            table.finish().map_err(failed)?;
        }
        self.folder.commit()?;
        Ok(self.summary)
    }
}

impl Sink for ParquetSink {
    fn begin(&mut self, key: &str, site: &SiteStore) -> Result<(), ExportError> {
        self.add_terms(key, site)
    }

    fn write(&mut self, page: &Outgoing<'_>) -> Result<(), ExportError> {
        self.add(page.document, page.record.fetched_at).map_err(failed)?;
        self.summary.written += 1;
        Ok(())
    }

    fn remove(&mut self, id: &str, url: &str) -> Result<(), ExportError> {
        if self.removed.is_none() {
            let file = self.folder.path().join("removed.parquet");
            self.removed = Some(Table::create(&file, REMOVED, self.group_bytes).map_err(failed)?);
        }
        if let Some(table) = &mut self.removed {
            table.push(&[Cell::Text(id), Cell::Text(url)]).map_err(failed)?;
        }
        self.summary.removed += 1;
        Ok(())
    }

    fn finish(self: Box<Self>) -> Result<Summary, ExportError> {
        self.complete()
    }
}

fn failed(source: ParquetError) -> ExportError {
    ExportError::Sink { what: "cannot write the tables".to_owned(), source: Box::new(source) }
}

fn document_row(document: &Document, fetched_at: u64) -> Vec<Cell<'_>> {
    let article = document.article.as_ref();
    let known = |text: &'_ str| -> bool { !text.is_empty() };
    vec![
        Cell::Text(&document.id),
        Cell::Text(&document.url),
        Cell::Text(&document.final_url),
        Cell::Text(&document.site),
        Cell::Number(i64::try_from(fetched_at.saturating_mul(1_000_000)).unwrap_or(i64::MAX)),
        Cell::Number(i64::from(document.status)),
        Cell::Number(i64::from(document.depth)),
        Cell::Text(&document.title),
        Some(&*document.lang).filter(|lang| known(lang)).into(),
        Some(&*document.charset).filter(|charset| known(charset)).into(),
        Cell::Text(&document.page_type),
        Cell::Text(&document.text),
        article.map(|article| &*article.text).into(),
        article.map(|article| &*article.html).into(),
        article.map(|article| &*article.markdown).into(),
        article.map(|article| &*article.title).into(),
        article.and_then(|article| article.date.as_deref()).into(),
        article.and_then(|article| article.author.as_deref()).into(),
        document.duplicate_of.as_deref().into(),
        Some(&*document.method).filter(|method| known(method)).into(),
        texts(&document.warnings),
    ]
}

fn texts(texts: &[String]) -> Cell<'_> {
    Cell::Texts(texts.iter().map(|text| Some(&**text)).collect())
}

/// A place in a list; pages are too short for more of them than fit.
fn number<'a>(at: usize) -> Cell<'a> {
    Cell::Number(i64::try_from(at).unwrap_or(i64::MAX))
}

#[cfg(test)]
#[path = "tests.rs"]
mod tests;
