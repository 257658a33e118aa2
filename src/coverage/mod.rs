//! The information coverage tree: every node of a page with what its subtree tells (WISDOM, sections 3.1 and 3.2.1).
mod anchors;
mod cii;
mod sii;
mod tree;

pub use anchors::{AnchorScore, MIN_ENTROPY, anchor_precision};
pub use sii::structure_information;
pub use tree::{CoverageTree, Feature};
