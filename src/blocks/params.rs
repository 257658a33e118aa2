//! [`Params`]: the constants of block mining.

use crate::coverage::Feature;

/// The constants of WISDOM. [`Params::PAPER`] are the paper's (section 4.4), [`Params::WISDOM`] the repaired ones.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Params {
    /// Blocks of one kind at most that k-MIB selects on a page.
    pub k: usize,
    /// SII threshold ST: a node whose SII is above it is a block, one below it is split.
    pub st: f64,
    /// `TC_article`: an article block has CII ≥ 1 − `TC_article`.
    pub tc_article: f64,
    /// `TC_TOC`: a table-of-contents block has a mean API ≥ this.
    pub tc_toc: f64,
    /// How many nonsingleton ancestors k-CSTM climbs; 0 leaves it out.
    pub cstm: usize,
    /// What table-of-contents blocks are searched by: API, or ALEN where most API are 0 (WISDOM, Fig. 21).
    pub toc_feature: Feature,
    /// Repair 1: a node that passes ST and fails the type constraint is split like any other. The paper's pseudo-code drops
    /// it with all that is in it.
    pub split_failed: bool,
    /// Repair 2: anchors that most pages carry in the same place (entropy above this) are menus and get API 0. 1 cuts none.
    pub max_anchor_entropy: f64,
}

impl Params {
    /// WISDOM as published.
    pub const PAPER: Self = Self {
        k: 1,
        st: 0.8,
        tc_article: 0.8,
        tc_toc: 1.25,
        cstm: 1,
        toc_feature: Feature::Api,
        split_failed: false,
        max_anchor_entropy: 1.0,
    };

    /// WISDOM with its gaps closed.
    pub const WISDOM: Self =
        Self { st: 0.5, tc_article: 0.9, split_failed: true, max_anchor_entropy: 0.5, ..Self::PAPER };
}
