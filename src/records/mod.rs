//! Records of list pages: what a person would call "the list", item by item.
mod region;

pub use region::{Column, ColumnKind, Record, Region, Table};
