//! [`SearchIndexSink`]: documents into an index.

use super::backlog::{Backlog, Waiting};
use super::error::SearchError;
use super::schema::{Fields, open, register};
use crate::export::{Document, ExportError, FolderDraft, Outgoing, Sink, Summary};
use crate::terms::{Analyser, Language};
use std::fs;
use std::path::{Path, PathBuf};
use tantivy::indexer::LogMergePolicy;
use tantivy::schema::Field;
use tantivy::{DateTime, Index, IndexWriter, TantivyDocument, TantivyError, Term};

/// The name of the format, in the mark of its folders.
const FORMAT: &str = "tantivy";
/// Threads that index at most, each with a segment of its own in the making.
const MAX_WORKERS: usize = 4;
/// Bytes of postings that a worker collects before it writes a segment.
const WORKER_BYTES: usize = 32 << 20;
/// Bytes of documents that wait for a worker.
const WAITING_BYTES: usize = 16 << 20;
/// A segment with this share of deleted documents is merged, which rids it of them.
const DELETED_SHARE: f32 = 0.3;

/// Writes documents to a search index.
///
/// A new index is made in a folder beside its place and moved there when it is complete. Changes to an index that is there
/// are one commit: until [`finish`](Sink::finish) every reader sees the index as it was, also if the process dies before.
/// Memory is bounded by some tens of megabytes a worker and the largest document, whatever their number.
#[derive(Debug)]
pub struct SearchIndexSink {
    // Dropped first: its workers write in the folder of the draft.
    writer: IndexOf,
    fields: Fields,
    backlog: Backlog,
    /// Where the index is to stand.
    dir: PathBuf,
    /// Where a new index is made; none for changes to one that is there.
    draft: Option<FolderDraft>,
    summary: Summary,
}

/// The writer, which has no `Debug`.
struct IndexOf(IndexWriter<Waiting>);

impl std::fmt::Debug for IndexOf {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.write_str("IndexWriter")
    }
}

impl SearchIndexSink {
    /// Begins a new index that is to stand at `dir`, in place of an earlier one.
    pub fn create(dir: &Path) -> Result<Self, ExportError> {
        let draft = FolderDraft::begin(dir, FORMAT)?;
        let (fields, schema) = Fields::new();
        let index = Index::create_in_dir(draft.path(), schema).map_err(failed("create the index"))?;
        Self::begin(&index, fields, dir, Some(draft))
    }

    /// Whether an index stands at `dir` that [`update`](Self::update) can change.
    pub fn is_there(dir: &Path) -> bool {
        open(dir).is_ok()
    }

    /// Begins changes to the index at `dir`: documents replace those of the same id, and the others stay.
    pub fn update(dir: &Path) -> Result<Self, ExportError> {
        let (index, fields) = open(dir).map_err(|source| match source {
            SearchError::Read { source, .. } => failed("open the index")(source),
            source => ExportError::Unsuited(source.to_string()),
        })?;
        Self::begin(&index, fields, dir, None)
    }

    fn begin(index: &Index, fields: Fields, dir: &Path, draft: Option<FolderDraft>) -> Result<Self, ExportError> {
        register(index);
        let workers = std::thread::available_parallelism().map_or(1, usize::from).min(MAX_WORKERS);
        let writer = index.writer_with_num_threads(workers, workers * WORKER_BYTES).map_err(|source| match source {
            TantivyError::LockFailure(..) => {
                ExportError::Unsuited("another process is writing to this index; wait until it is done".to_owned())
            }
            source => failed("open the index")(source),
        })?;
        let mut policy = LogMergePolicy::default();
        policy.set_del_docs_ratio_before_merge(DELETED_SHARE);
        writer.set_merge_policy(Box::new(policy));
        Ok(Self {
            writer: IndexOf(writer),
            fields,
            backlog: Backlog::default(),
            dir: dir.to_path_buf(),
            draft,
            summary: Summary::default(),
        })
    }

    /// Takes one document, fetched so many seconds after 1970.
    fn add(&mut self, document: &Document, fetched_at: u64) -> Result<(), ExportError> {
        // A new index has none of them, and no id comes twice.
        if self.draft.is_none() {
            self.delete(&document.id);
        }
        let (entry, bytes) = entry(&self.fields, document, fetched_at);
        let entry = self.backlog.admit(entry, bytes, WAITING_BYTES);
        self.writer.0.add_document(entry).map_err(failed("index a document"))?;
        self.summary.written += 1;
        Ok(())
    }

    fn delete(&self, id: &str) {
        self.writer.0.delete_term(Term::from_field_text(self.fields.id, id));
    }

    /// Publishes what was taken.
    fn complete(mut self) -> Result<Summary, ExportError> {
        self.writer.0.commit().map_err(failed("write the index"))?;
        self.writer.0.wait_merging_threads().map_err(failed("merge the index"))?;
        share(self.draft.as_ref().map_or(&self.dir, FolderDraft::path))?;
        if let Some(draft) = self.draft {
            draft.commit()?;
        }
        Ok(self.summary)
    }
}

impl Sink for SearchIndexSink {
    fn write(&mut self, page: &Outgoing<'_>) -> Result<(), ExportError> {
        self.add(page.document, page.record.fetched_at)
    }

    fn remove(&mut self, id: &str, _url: &str) -> Result<(), ExportError> {
        self.delete(id);
        self.summary.removed += 1;
        Ok(())
    }

    fn finish(self: Box<Self>) -> Result<Summary, ExportError> {
        self.complete()
    }
}

/// Lets whoever may read the segments of the index in `dir` read its lists of segments: tantivy makes those as temporary
/// files, which none but their owner may read, so that a search service of another user could not open the index.
fn share(dir: &Path) -> Result<(), ExportError> {
    let lists = ["meta.json", ".managed.json"].map(|name| dir.join(name));
    for entry in fs::read_dir(dir).map_err(ExportError::file("read", dir))? {
        let path = entry.map_err(ExportError::file("read", dir))?.path();
        // A segment that was merged into another one may be deleted meanwhile.
        let Some(like) = fs::metadata(&path).ok().filter(|like| like.is_file() && path.extension().is_some()) else {
            continue;
        };
        if !lists.contains(&path) && path.extension() != Some("lock".as_ref()) {
            for list in lists.iter().filter(|list| list.exists()) {
                fs::set_permissions(list, like.permissions()).map_err(ExportError::file("change", list))?;
            }
            break;
        }
    }
    Ok(())
}

fn failed(what: &str) -> impl Fn(TantivyError) -> ExportError + use<> {
    let what = format!("cannot {what}");
    move |source| ExportError::Sink { what: what.clone(), source: Box::new(source) }
}

/// The entry of a document, and the bytes that it takes in memory, about.
fn entry(fields: &Fields, document: &Document, fetched_at: u64) -> (TantivyDocument, usize) {
    let mut entry = TantivyDocument::default();
    let mut bytes = 1000;
    let mut add = |field: Field, text: &str| {
        if !text.is_empty() {
            bytes += text.len();
            entry.add_text(field, text);
        }
    };
    for (field, text) in [
        (fields.id, Some(&document.id)),
        (fields.url, Some(&document.url)),
        (fields.site, Some(&document.site)),
        (fields.lang, Some(&document.lang)),
        (fields.page_type, Some(&document.page_type)),
        (fields.duplicate_of, document.duplicate_of.as_ref()),
        (fields.date, document.article.as_ref().and_then(|article| article.date.as_ref())),
        (fields.author, document.article.as_ref().and_then(|article| article.author.as_ref())),
    ] {
        if let Some(text) = text {
            add(field, text);
        }
    }
    let words = fields.of(Analyser::of(Language::from_tag(&document.lang)));
    let mut add_both = |stored: Field, searched: Option<Field>, text: &str| {
        add(stored, text);
        if let Some(field) = searched {
            add(field, text);
        }
    };
    add_both(fields.title, words.map(|words| words.title), &document.title);
    if let Some(article) = &document.article {
        add_both(fields.body, words.map(|words| words.body), &article.text);
    }
    for link in document.toc.iter().flat_map(|toc| &toc.links) {
        add_both(fields.links, words.map(|words| words.links), &link.text);
    }
    entry.add_date(fields.fetched_at, DateTime::from_timestamp_secs(i64::try_from(fetched_at).unwrap_or_default()));
    (entry, bytes)
}

#[cfg(test)]
#[path = "tests.rs"]
mod tests;
