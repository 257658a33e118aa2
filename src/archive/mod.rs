//! Pages on disk: WARC out and in, mirrors and lists of files in.
//!
//! [`PageArchive`] writes what was fetched as WARC/1.1, one gzip member per record, so that any WARC tool reads it and a
//! [`Location`] addresses one page. [`read`] streams pages from WARC files of any origin, from directories and from
//! JSON lines. Nothing here knows the site model.
mod input;
mod jsonl;
mod mirror;
mod warc;

pub use input::{InputError, Pages, Skipped, read};
pub use warc::{ArchivedPages, Location, PageArchive, WarcError, body_digest};
pub(crate) use warc::{info_member, response_member};
