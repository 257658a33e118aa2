//! Integer sums per term, chunk or anchor, and the entropies they give.
//!
//! Everything the site model knows of a term is three integers ([`Stat`]); adding, replacing or removing a page adds to
//! them or subtracts from them, so the tables do not depend on the order of pages and merge by addition.
mod formulas;
mod stat;

pub use formulas::{entropy, idf, novelty, weight};
pub use stat::{MAX_TF, Stat, Table, q};
