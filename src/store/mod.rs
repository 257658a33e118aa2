//! Sites on disk: `STORE/<host[_port]>/` with `pages/` (WARC files) and `model/` (an ordered map).
//!
//! The WARC files are the source of truth; the model can be made anew from them ([`Store::rebuild`]). What one group of
//! pages changes is applied in one atomic batch after its WARC records are on disk, so a crash at any moment loses at most
//! the group at hand, whose URLs are still queued. The sums of the site model are not rewritten for every page: they are
//! kept in memory and written at *checkpoints*. Between those, the model notes which pages changed and what they counted at
//! the last checkpoint, from which opening makes the same sums again.
//!
//! This is the only module that knows which ordered map it is.
mod codec;
mod commit;
mod digest;
mod error;
mod group;
mod hot;
mod kv;
mod lexicon;
mod packed;
mod rebuild;
mod root;
mod rows;
mod site;
mod sums;
mod terms;
#[cfg(test)]
mod tests;
mod verify;

pub use error::StoreError;
pub use group::{Group, PageFacts, PageLooks};
pub use rebuild::{RebuildReport, RebuiltFrom};
pub use root::{SiteInfo, SiteSizes, Store, StoreOptions, site_key};
pub(crate) use rows::url_order;
pub use rows::{FateRecord, PageId, PageRecord};
pub use site::SiteStore;
pub use verify::{Problem, VerifyReport, verify};
