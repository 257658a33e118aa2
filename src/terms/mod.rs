//! From the text of a page to the counts that the site model sums.
mod counts;

pub use counts::PageCounts;
