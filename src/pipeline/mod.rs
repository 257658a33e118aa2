//! Where the stages meet: crawl or import, learn, mine, rules, rebuild, verify, inspect.
//!
//! Each stage takes the values of the one before it; here they are joined with the store, run in parallel over pages, and
//! what fails on one page is noted in a [`Report`](crate::progress::Report) and left behind.
mod check;
mod crawl;
mod duplicates;
mod error;
mod import;
mod inspect;
mod inspect_auto;
mod inspect_blocks;
mod learn;
mod live;
mod mine;
mod mine_auto;
mod mine_lists;
mod resolve;
mod rules;
mod state;
mod views;

pub use check::{rebuild_site, verify_site};
pub use crawl::{CrawlOptions, CrawlOutcome, crawl_site};
pub use error::PipelineError;
pub use import::{ImportOptions, import};
pub use inspect::{explain_tree, inspect_file, inspect_stored, mined_by};
pub use inspect_auto::KnownSite;
pub use inspect_blocks::inspect_extraction;
pub use learn::learn;
pub use live::LiveSite;
pub use mine::{Method, MineOptions, mine_site};
pub use rules::site_rules;
pub use state::{SiteState, TermSettings};
