//! Entropy, weight and IDF of a term, from its [`Stat`] (WISDOM, section 3.1).

use super::Stat;

/// EN(term) = −Σ w `log_n` w over the pages that hold the term, w the share of its occurrences on each (WISDOM, section
/// 3.1): 0 for a term of one page, 1 for one spread evenly over all `pages`.
///
/// Computed from the sums as (ln TF − (S/2³²)/TF) / ln n, which is the same number. 0 where `pages` < 2 or no page holds
/// the term. Constant time.
///
/// ```
/// use wisdom::entropy::{Stat, entropy};
/// let mut term = Stat::default();
/// for tf in [2, 2, 2] {
///     term.add(tf);
/// }
/// assert!((1.0 - entropy(&term, 4) - 0.207519).abs() < 1e-6);
/// ```
pub fn entropy(stat: &Stat, pages: u64) -> f64 {
    if pages < 2 || stat.tf == 0 || stat.df < 2 {
        return 0.0;
    }
    let tf = stat.tf as f64;
    let s = stat.s as f64 / 4_294_967_296.0;
    ((tf.ln() - s / tf) / (pages as f64).ln()).clamp(0.0, 1.0)
}

/// W(term) = 1 − EN(term) (WISDOM, section 3.1): 1 for a term of one page, 0 for one spread evenly over all.
pub fn weight(stat: &Stat, pages: u64) -> f64 {
    1.0 - entropy(stat, pages)
}

/// IDF = `log_n(n` / df), the yardstick that WISDOM, section 3.1 compares the weight with. 1 where `pages` < 2 or no page
/// holds the term.
pub fn idf(stat: &Stat, pages: u64) -> f64 {
    novelty(u64::from(stat.df), pages)
}

/// 1 − ln df / ln n: how new a piece of text is that stands on `df` of n `pages`; 1 on one page, 0 on all. The weight of
/// chunks, which repeat whole. 1 where `pages` < 2.
pub fn novelty(df: u64, pages: u64) -> f64 {
    if pages < 2 || df < 2 {
        return 1.0;
    }
    (1.0 - (df as f64).ln() / (pages as f64).ln()).clamp(0.0, 1.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn stat(tfs: &[u32]) -> Stat {
        let mut stat = Stat::default();
        for &tf in tfs {
            stat.add(tf);
        }
        stat
    }

    /// −Σ w `log_n` w, term by term as printed.
    fn entropy_by_definition(tfs: &[u32], pages: u64) -> f64 {
        let total: f64 = tfs.iter().map(|&tf| f64::from(tf)).sum();
        -tfs.iter()
            .filter(|&&tf| tf > 0)
            .map(|&tf| {
                let w = f64::from(tf) / total;
                w * w.ln() / (pages as f64).ln()
            })
            .sum::<f64>()
    }

    /// WISDOM, equations (1) and (2): Fig. 5 has four pages; Term A stands twice on three of them, Term B once, once and
    /// four times. The figure is lost; the counts are those in the printed calculation.
    #[test]
    fn equations_1_and_2() {
        let a = stat(&[2, 2, 2]);
        assert!((weight(&a, 4) - 0.207_519).abs() < 5e-7);
        assert!((idf(&a, 4) - 0.207_519).abs() < 5e-7);
        let b = stat(&[1, 1, 4]);
        assert!((weight(&b, 4) - 0.374_185).abs() < 5e-7);
        assert!((idf(&b, 4) - 0.207_519).abs() < 5e-7);
    }

    #[test]
    fn small_sites_have_no_entropy() {
        assert!(entropy(&stat(&[5]), 1).abs() < f64::EPSILON);
        assert!(entropy(&stat(&[5]), 9).abs() < f64::EPSILON);
        assert!(entropy(&Stat::default(), 9).abs() < f64::EPSILON);
        assert!((entropy(&stat(&[3, 3]), 2) - 1.0).abs() < 1e-9);
    }

    proptest! {
        #[test]
        fn entropy_from_sums_is_the_definition(tfs in prop::collection::vec(0_u32..2000, 2..80), more in 0_u64..50) {
            let pages = tfs.len() as u64 + more;
            prop_assert!((entropy(&stat(&tfs), pages) - entropy_by_definition(&tfs, pages)).abs() < 1e-9 || tfs.iter().all(|&t| t == 0));
        }

        /// WISDOM, section 3.1, relations 1) and 2): W = IDF for a uniform term, W > IDF for a skewed one.
        #[test]
        fn weight_is_idf_for_uniform_terms_and_exceeds_it_otherwise(tf in 1_u32..500, df in 2_usize..40, extra in 1_u32..500, more in 0_u64..50) {
            let pages = df as u64 + more;
            let mut tfs = vec![tf; df];
            let uniform = stat(&tfs);
            prop_assert!((weight(&uniform, pages) - idf(&uniform, pages)).abs() < 1e-9);
            tfs[0] += extra;
            let skewed = stat(&tfs);
            prop_assert!(weight(&skewed, pages) > idf(&skewed, pages) - 1e-12);
        }
    }
}
