//! The blocks of a page that inform, and the rest left out (WISDOM, sections 3.2.2 and 3.3).
//!
//! [`mine_blocks`] runs the three steps in order: k-MIB finds the skeleton set, DSTM and k-CSTM grow it, condensing cuts
//! from the grown trees what does not belong. [`page_structure`] does all of it for one page.
mod condense;
mod evaluate;
mod kmib;
mod merge;
mod mine;
mod mined;
mod page_type;
mod params;
mod structure;

pub use evaluate::{Match, compare};
pub use kmib::{Verdict, kmib};
pub use mine::{Block, BlockKind, BlockSet, Grown, mine_blocks};
pub use mined::{Mined, MinedBlock, MinedColumn, MinedLink, MinedList};
pub use page_type::{PageType, TypeEvidence, page_type};
pub use params::Params;
pub use structure::{Anchor, Structure, TocLink, page_structure};
