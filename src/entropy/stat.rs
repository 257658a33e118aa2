//! [`Stat`]: the sums of one term, from which its entropy follows exactly.

/// The three tables of the site model. All hold the same sums; they differ in what is counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Table {
    /// Stemmed terms; the key is the term in UTF-8.
    Terms,
    /// Runs of text between block boundaries; the key is the 64-bit hash of the normalised run, big-endian.
    Chunks,
    /// Anchors; the key is the 64-bit hash of target URL and tag path without positions, big-endian.
    Anchors,
}

impl Table {
    /// All tables, in storage order.
    pub const ALL: [Self; 3] = [Self::Terms, Self::Chunks, Self::Anchors];
}

/// Sums over the pages of a site for one term: in how many pages it occurs, how often, and Σ q(tf).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Stat {
    /// Pages that hold the term.
    pub df: u32,
    /// Occurrences over all pages, TF = Σ tf.
    pub tf: u64,
    /// S = Σ [`q`]`(tf)`: Σ tf·ln tf in units of 2⁻³².
    pub s: u128,
}

impl Stat {
    /// Counts one page with `tf` occurrences. `tf` = 0 changes nothing.
    pub fn add(&mut self, tf: u32) {
        if tf > 0 {
            self.df += 1;
            self.tf += u64::from(tf.min(MAX_TF));
            self.s += u128::from(q(tf));
        }
    }

    /// Takes back what [`add`](Self::add) counted. Saturates, so that a damaged store cannot panic here; `verify` finds
    /// such damage.
    pub fn remove(&mut self, tf: u32) {
        if tf > 0 {
            self.df = self.df.saturating_sub(1);
            self.tf = self.tf.saturating_sub(u64::from(tf.min(MAX_TF)));
            self.s = self.s.saturating_sub(u128::from(q(tf)));
        }
    }

    /// Adds the sums of another set of pages.
    pub fn merge(&mut self, other: &Self) {
        self.df += other.df;
        self.tf += other.tf;
        self.s += other.s;
    }

    /// Whether no page holds the term any more.
    pub fn is_empty(&self) -> bool {
        self.df == 0
    }
}

/// The largest count of one term on one page; larger counts are taken as this one. A page under the byte limit cannot
/// reach it, and up to here [`q`] fits 64 bits.
pub const MAX_TF: u32 = 1 << 27;

/// q(x) = round(x · ln x · 2³²) by integer arithmetic alone, so that every machine gives the same bits.
///
/// `x` is taken as [`MAX_TF`] where it is larger. Constant time; small arguments come from a table.
pub fn q(x: u32) -> u64 {
    const SMALL: usize = 256;
    static TABLE: [u64; SMALL] = {
        let mut table = [0; SMALL];
        let mut x = 0_u32;
        while (x as usize) < SMALL {
            table[x as usize] = q_slow(x);
            x += 1;
        }
        table
    };
    TABLE.get(x as usize).copied().unwrap_or_else(|| q_slow(x))
}

#[allow(clippy::cast_possible_truncation, reason = "MAX_TF · ln MAX_TF · 2^32 is under 2^64")]
const fn q_slow(x: u32) -> u64 {
    if x < 2 {
        return 0;
    }
    let x = if x > MAX_TF { MAX_TF } else { x };
    // x · log2(x) has under 27 + 61 bits in units of 2^-56. Times ln 2 (2^-64) in two parts, so that nothing overflows.
    let product = (x as u128) * (log2_fixed(x) as u128);
    let (high, low) = (product >> 44, product & ((1 << 44) - 1));
    let scaled = high * LN_2 + ((low * LN_2) >> 44);
    ((scaled + (1 << 43)) >> 44) as u64
}

/// ln 2 in units of 2⁻⁶⁴, rounded.
const LN_2: u128 = 0xB172_17F7_D1CF_79AC;

/// log2(x) in units of 2⁻⁵⁶, by repeated squaring of the mantissa: each squaring gives one more bit.
const fn log2_fixed(x: u32) -> u64 {
    let whole = x.ilog2();
    // The mantissa in [1, 2) with 63 bits after the point.
    let mut mantissa = (x as u128) << (63 - whole);
    let mut bits = whole as u64;
    let mut i = 0;
    while i < 56 {
        mantissa = (mantissa * mantissa) >> 63;
        bits <<= 1;
        if mantissa >> 64 != 0 {
            mantissa >>= 1;
            bits |= 1;
        }
        i += 1;
    }
    bits
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn q_is_x_ln_x_in_fixed_point() {
        assert_eq!(q(0), 0);
        assert_eq!(q(1), 0);
        // 2 ln 2 · 2^32 = 5 954 088 943.98…
        assert_eq!(q(2), 5_954_088_944);
        for x in [3_u32, 10, 255, 256, 1000, 65_537, 9_999_999, MAX_TF] {
            let want = f64::from(x) * f64::from(x).ln() * 4_294_967_296.0;
            // Half a unit of rounding, and what f64 itself loses.
            assert!((q(x) as f64 - want).abs() <= 0.5 + want * 1e-14, "q({x}) = {}, {want}", q(x));
        }
        assert_eq!(q(u32::MAX), q(MAX_TF));
    }

    proptest! {
        /// Adding and removing pages in any order leaves the sums of the pages that remain, to the bit.
        #[test]
        fn incremental_sums_equal_recomputed_ones(
            pages in prop::collection::vec(0_u32..5000, 1..60),
            ops in prop::collection::vec((any::<prop::sample::Index>(), 0_u32..5000, any::<bool>()), 0..120),
        ) {
            let mut live: Vec<Option<u32>> = pages.iter().map(|_| None).collect();
            let mut stat = Stat::default();
            for (slot, &tf) in pages.iter().enumerate() {
                stat.add(tf);
                live[slot] = Some(tf);
            }
            for (index, tf, replace) in ops {
                let slot = index.index(live.len());
                if let Some(old) = live[slot].take() {
                    stat.remove(old);
                }
                if replace {
                    stat.add(tf);
                    live[slot] = Some(tf);
                }
            }
            let mut again = Stat::default();
            for tf in live.iter().rev().flatten() {
                again.add(*tf);
            }
            prop_assert_eq!(stat, again);
        }
    }
}
