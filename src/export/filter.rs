//! [`Filter`]: which pages leave.

use super::Document;
use crate::blocks::Mined;
use crate::store::PageRecord;

/// What pages must be to be exported. An empty list asks for nothing.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Filter {
    /// Types of page: `article`, `toc`, `other`.
    pub types: Vec<String>,
    /// ISO 639 codes of languages, in lower case.
    pub langs: Vec<String>,
    /// Fetched then or later, in seconds since 1970-01-01 UTC.
    pub since: Option<u64>,
}

impl Filter {
    /// Whether a page may pass, as far as its record tells: what is told by it need not be read.
    pub(super) fn may_take(&self, record: &PageRecord) -> bool {
        (self.langs.is_empty() || self.langs.contains(&record.lang))
            && self.since.is_none_or(|since| record.fetched_at >= since)
    }

    /// Whether a page may pass, as far as what was mined tells. A page that cannot be read as it was mined is of type
    /// `other`, so that this is not the last word where those are wanted.
    pub(super) fn may_take_mined(&self, mined: Option<&Mined>) -> bool {
        let other = || self.takes_type("other");
        other() || mined.is_some_and(|mined| self.takes_type(&mined.page_type))
    }

    /// Whether a document passes that may pass.
    pub(super) fn takes(&self, document: &Document) -> bool {
        self.takes_type(&document.page_type)
    }

    fn takes_type(&self, page_type: &str) -> bool {
        self.types.is_empty() || self.types.iter().any(|wanted| wanted == page_type)
    }
}
