//! Records of list pages: what a person would call "the list", item by item.
//!
//! Three published methods, each to the letter: [`mdr`] compares tag strings, [`embley`] looks for the tag that separates.
mod region;

mod edit_distance;
pub mod embley;
pub mod mdr;
mod tag_tree;

pub use region::{Column, ColumnKind, Record, Region, Table};
