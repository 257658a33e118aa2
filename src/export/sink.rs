//! [`Sink`]: where documents go, one at a time.

use super::{Document, ExportError};
use crate::page::Page;
use crate::store::{PageId, PageRecord, SiteStore};

/// A page on its way out, with what a sink may want to know of it.
#[derive(Clone, Copy, Debug)]
pub struct Outgoing<'a> {
    /// What export says of the page.
    pub document: &'a Document,
    /// Its number in the site, for [`SiteStore::vector`] and the like.
    pub id: PageId,
    /// What the store keeps of it.
    pub record: &'a PageRecord,
    /// The response as archived.
    pub page: &'a Page,
    /// The site that it belongs to, open.
    pub site: &'a SiteStore,
    /// Whether an earlier export to the same sink has sent a document of this id, which this one replaces.
    pub replaces: bool,
}

/// A form in which documents leave, and a place that they go to.
///
/// The calls come in this order: for each site [`begin`](Self::begin), then any number of [`write`](Self::write) and
/// [`remove`](Self::remove), no id twice; at the very end [`finish`](Self::finish). A sink that is dropped instead leaves
/// nothing under the name that was asked for. A sink holds a document no longer than the call lasts, unless it collects
/// up to a limit of its own.
pub trait Sink {
    /// A site begins. What a sink tells of a site as a whole it reads here.
    fn begin(&mut self, key: &str, site: &SiteStore) -> Result<(), ExportError> {
        let _ = (key, site);
        Ok(())
    }

    /// Takes one document.
    fn write(&mut self, page: &Outgoing<'_>) -> Result<(), ExportError>;

    /// Takes back a document that an earlier export to this sink has sent: its page is gone, or is filtered out by now.
    fn remove(&mut self, id: &str, url: &str) -> Result<(), ExportError>;

    /// Whether a document that an earlier export has sent is known to be there no more, so that it is to be sent again.
    fn has_lost(&self, id: &str, url: &str) -> bool {
        let _ = (id, url);
        false
    }

    /// Completes the export: only now something appears under the name that was asked for.
    fn finish(self: Box<Self>) -> Result<Summary, ExportError>;
}

/// What became of an export.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Summary {
    /// Documents that the sink has taken for good.
    pub written: u64,
    /// Documents that it has taken back.
    pub removed: u64,
    /// Documents, and removals, that whoever is behind the sink would not take. They do not count above.
    pub rejected: Vec<Rejected>,
    /// Remarks for people, such as files beside the one asked for.
    pub notes: Vec<String>,
}

/// A document that was not taken.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rejected {
    /// Its id.
    pub id: String,
    /// Its URL.
    pub url: String,
    /// Why.
    pub reason: String,
}
