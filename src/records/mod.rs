//! Records of list pages: what a person would call "the list", item by item.
//!
//! Three published methods, each to the letter: [`mdr`] compares tag strings, [`embley`] looks for the tag that
//! separates, and [`net`] matches trees and aligns what is in them. The default takes candidates of all shapes (`auto`) and
//! ranks them; items are aligned into columns (`table`).
mod auto;
mod edit_distance;
pub mod embley;
pub mod mdr;
pub mod net;
mod region;
mod table;
mod tag_tree;
mod tree_match;

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
