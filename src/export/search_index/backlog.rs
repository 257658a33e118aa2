//! A bound on the documents that wait to be indexed.
//!
//! The index writer takes up to 10,000 documents in advance, of whatever size. Each of ours therefore holds a share of a
//! fixed number of bytes, which it gives back when its turn comes.

use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::time::Duration;
use tantivy::TantivyDocument;
use tantivy::schema::document::Document;

/// How long a document waits for room. A worker that died gives none; the next call to the writer says so.
const PATIENCE: Duration = Duration::from_mins(1);

/// The bytes that wait.
#[derive(Clone, Debug, Default)]
pub(super) struct Backlog {
    shared: Arc<(Mutex<usize>, Condvar)>,
}

impl Backlog {
    /// Waits until no more than `limit` bytes are waiting with these among them, or until nothing else is.
    pub(super) fn admit(&self, document: TantivyDocument, bytes: usize, limit: usize) -> Waiting {
        let (waiting, room) = &*self.shared;
        let guard = waiting.lock().unwrap_or_else(PoisonError::into_inner);
        let is_full = |waiting: &mut usize| *waiting > 0 && *waiting + bytes > limit;
        let (mut guard, _) = room.wait_timeout_while(guard, PATIENCE, is_full).unwrap_or_else(PoisonError::into_inner);
        *guard += bytes;
        Waiting { document, _share: Share { backlog: self.clone(), bytes } }
    }
}

/// A document that waits to be indexed.
#[derive(Debug)]
pub(super) struct Waiting {
    document: TantivyDocument,
    _share: Share,
}

#[derive(Debug)]
struct Share {
    backlog: Backlog,
    bytes: usize,
}

impl Drop for Share {
    fn drop(&mut self) {
        let (waiting, room) = &*self.backlog.shared;
        let mut waiting = waiting.lock().unwrap_or_else(PoisonError::into_inner);
        *waiting = waiting.saturating_sub(self.bytes);
        room.notify_all();
    }
}

impl Document for Waiting {
    type Value<'a> = <TantivyDocument as Document>::Value<'a>;
    type FieldsValuesIter<'a> = <TantivyDocument as Document>::FieldsValuesIter<'a>;

    fn iter_fields_and_values(&self) -> Self::FieldsValuesIter<'_> {
        self.document.iter_fields_and_values()
    }

    /// Called once, when indexing of the document begins.
    fn into_tantivy_document(self) -> TantivyDocument {
        self.document
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_full_backlog_waits_and_a_large_document_passes_alone() {
        let backlog = Backlog::default();
        let first = backlog.admit(TantivyDocument::default(), 1000, 10);
        let other = backlog.clone();
        let second = std::thread::spawn(move || {
            let waiting = other.admit(TantivyDocument::default(), 5, 10);
            drop(waiting);
        });
        assert!(!second.is_finished());
        let _ = first.into_tantivy_document();
        second.join().expect("there is room now");
        assert_eq!(*backlog.shared.0.lock().expect("no panic"), 0);
    }
}
