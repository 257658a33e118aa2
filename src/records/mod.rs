//! Records of list pages: what a person would call "the list", item by item.
mod auto;
mod region;
mod table;

use crate::dom::Dom;
#[doc(hidden)]
pub use auto::{CandidateFeatures, candidate_features};
pub use region::{Column, ColumnKind, Record, Region, Table};

/// How records are found.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Method {
    /// Candidates of all shapes and one ranking.
    #[default]
    Auto,
}

impl Method {
    /// The name on the command line and in output.
    pub fn name(self) -> &'static str {
        match self {
            Self::Auto => "auto",
        }
    }
}

/// The lists of a page, the best first.
pub fn records(dom: &Dom, method: Method) -> Vec<Region> {
    match method {
        Method::Auto => auto::auto(dom),
    }
}
