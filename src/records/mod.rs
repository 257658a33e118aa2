//! Records of list pages: what a person would call "the list", item by item.
//!
//! Three published methods, each to the letter: [`mdr`] compares tag strings, [`embley`] looks for the tag that
//! separates, and [`net`] matches trees and aligns what is in them.
mod region;

mod edit_distance;
pub mod embley;
pub mod mdr;
pub mod net;
mod tag_tree;
mod tree_match;

pub use region::{Column, ColumnKind, Record, Region, Table};
