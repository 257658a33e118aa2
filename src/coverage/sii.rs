//! Structure information index: how evenly a node's children share a feature (WISDOM, section 3.1.3).

/// SII(N, f) = −Σ `w_j` `log_m` `w_j` with `w_j` = `f(n_j)` / Σ `f(n_k)`, over the m children whose feature is positive (the others
/// are dummies): 1 when all have the same value, near 0 when one has nearly all. `None` for m < 2, where the base of the
/// logarithm makes no sense. Time linear in the children.
///
/// ```
/// use wisdom::coverage::structure_information;
/// let even = structure_information([3.0, 3.0, 0.0].into_iter());
/// assert!(even.is_some_and(|sii| (sii - 1.0).abs() < 1e-9));
/// assert_eq!(structure_information([3.0, 0.0].into_iter()), None);
/// ```
pub fn structure_information(children: impl Iterator<Item = f64>) -> Option<f64> {
    let (mut m, mut total, mut sum_ln) = (0_u32, 0.0, 0.0);
    for f in children.filter(|&f| f > 0.0) {
        m += 1;
        total += f;
        sum_ln += f * f.ln();
    }
    // −Σ (f/F) ln (f/F) = ln F − Σ f ln f / F.
    (m >= 2).then(|| ((total.ln() - sum_ln / total) / f64::from(m).ln()).clamp(0.0, 1.0))
}
