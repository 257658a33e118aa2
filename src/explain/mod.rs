//! Why each decision on a page was made: one value for everyone who tells it.
//!
//! [`explain_decision`] explains method `auto`: every block and list of links with what the page and its site say of it.
//! [`explain_structure`] explains the WISDOM methods: the coverage tree with every measure, and what the searches made of its
//! nodes. `inspect` prints an [`Explanation`] ([`print()`]), the report shows the same one beside the page.
mod decision;
mod print;
mod tree;

use crate::dom::{fold_space, is_obeyed};

pub use decision::{Block, Blocks, Links, PlaceInSite, explain_decision, reason_of};
pub use print::print;
pub use tree::{Knowledge, Node, Tree, explain_structure};

/// Why a page was understood as it was.
#[derive(Clone, Debug, PartialEq)]
pub struct Explanation {
    /// The URL of the page.
    pub url: String,
    /// The method whose decisions these are.
    pub method: &'static str,
    /// Pages that the site knew.
    pub pages: u64,
    /// `article`, `toc` or `other`.
    pub page_type: &'static str,
    /// The decisions.
    pub decisions: Decisions,
}

/// The decisions of a method.
#[derive(Clone, Debug, PartialEq)]
pub enum Decisions {
    /// Of method `auto`.
    Blocks(Blocks),
    /// Of the WISDOM methods.
    Tree(Tree),
}

/// The first characters of a page's text, on one line and safe for a terminal.
pub(crate) fn beginning(text: &str) -> String {
    fold_space(text).chars().filter(|&c| !is_obeyed(c)).take(BEGINNING).collect()
}

/// Characters of a text that are told.
const BEGINNING: usize = 60;
