//! Which blocks are kept, given how likely each is content.

use super::model::ARTICLE;
use super::{BlockFacts, Kept};
use rustc_hash::FxHashMap;

/// The blocks to keep: of all that are likelier than some level, those of which the best F1 is to be expected. Of blocks with the
/// same words, 12 or more, in different elements the likeliest copy is kept. Never empty for a page with blocks. Time O(n log n).
///
/// What can be expected of some blocks is the mean of two guesses, weighed by the probability that the page is an article:
///
/// - On an article what is content rises and falls together: thirty teasers are content all or none. The text is one of these
///   same sets, that of level u, any between 0 and the best chance; the F1 is the mean over u of
///   `2·len(both) / (len(one) + len(other))`.
/// - On other pages each block is content or not by itself, and the F1 is `2·Σ(p·len) / (Σ len + Σ_all(p·len))`.
///
/// By the second alone many teasers of .4 each outweigh a short article of .8. By site, t-S4F, against that: daniel-dev .952 to
/// .956, its articles under 150 tokens .906 to .926, its Russian pages .904 to .915, seven sets on average .9278 to .9285. By the
/// first alone .9291, but made lists of cards lose their cards.
///
/// The surer the page is an article, the sharper it is cut: chances are raised to 1 + `SHARPEN` times that. `kinds` are the
/// probabilities of the kinds of page.
pub(super) fn cut(facts: &[BlockFacts], chances: &[f32], kinds: &[f32]) -> Kept {
    let article = kinds.get(ARTICLE).copied().unwrap_or_default();
    let chances: Vec<f32> = chances.iter().map(|chance| chance.powf(1.0 + SHARPEN * article)).collect();
    let lens: Vec<f64> = facts.iter().map(|b| f64::from(b.words)).collect();
    let mut order: Vec<usize> = (0..chances.len().min(lens.len())).collect();
    order.sort_by(|&a, &b| chances[b].total_cmp(&chances[a]).then(a.cmp(&b)));
    let mut sums: Vec<f64> = order.iter().map(|&i| lens[i]).collect();
    let mut hits: Vec<f64> = order.iter().map(|&i| f64::from(chances[i]) * lens[i]).collect();
    for rank in 1..sums.len() {
        sums[rank] += sums[rank - 1];
        hits[rank] += hits[rank - 1];
    }
    let top = order.first().map_or(0.0, |&i| chances[i]);
    // How many blocks are more likely than each level, their words, and how many of these can be expected to be content.
    let above: [(usize, f64, f64); LEVELS] = std::array::from_fn(|level| {
        let level = top * ((level as f32 + 0.5) / LEVELS as f32);
        let count = order.partition_point(|&i| chances[i] > level);
        count.checked_sub(1).map_or((0, 0.0, 0.0), |last| (count, sums[last], hits[last]))
    });
    let all = hits.last().copied().unwrap_or_default();
    let (mut best, mut kept) = (-1.0, 0);
    let mut before = usize::MAX;
    for &(count, len, hit) in above.iter().rev() {
        // Levels with nothing between them part the page alike.
        if std::mem::replace(&mut before, count) == count {
            continue;
        }
        let together: f64 = above.iter().map(|(_, wanted, _)| len.min(*wanted) / (len + wanted).max(1.0)).sum();
        let together = f64::from(top) * together / LEVELS as f64;
        let f = f64::from(article) * together + f64::from(1.0 - article) * hit / (len + all).max(1e-9);
        if f > best {
            (best, kept) = (f, count);
        }
    }
    // Where nothing has a chance, the first block.
    kept = kept.max(1).min(order.len());
    let mut keep = vec![false; facts.len()];
    for &i in &order[..kept] {
        keep[i] = true;
    }
    let mut notes = vec![""; keep.len()];
    let mut copies: FxHashMap<u64, usize> = FxHashMap::default();
    for i in 0..keep.len() {
        if !keep[i] || facts[i].words < MIN_COPY {
            continue;
        }
        let other = *copies.entry(facts[i].text).or_insert(i);
        // Within one element a repeated block is a refrain.
        if other != i && facts[other].holder != facts[i].holder {
            let loser = if chances[i] > chances[other] { other } else { i };
            (keep[loser], notes[loser]) = (false, "the same text stands elsewhere");
            if loser == other {
                copies.insert(facts[i].text, i);
            }
        }
    }
    Kept { keep, notes }
}

/// Words from which on two equal blocks are one block twice, and not a refrain.
const MIN_COPY: u32 = 12;

/// How much sharper an article is cut than a page of another kind.
const SHARPEN: f32 = 0.2;

/// Levels that stand for all.
const LEVELS: usize = 64;

#[cfg(test)]
mod tests {
    use super::super::keep::block;
    use super::*;
    use proptest::prelude::*;

    /// Taken one by one, thirty teasers of 30 words would be worth having for their 360 expected words.
    #[test]
    fn a_short_article_is_kept_without_the_teasers_around_it() {
        let words = [[40; 4].as_slice(), &[30; 30]].concat();
        let facts: Vec<BlockFacts> = words.into_iter().map(|words| block(words, false)).collect();
        let chances: Vec<f32> = [[0.8; 4].as_slice(), &[0.4; 30]].concat();
        let kept = |chances: &[f32]| cut(&facts, chances, &[1.0]).keep.iter().filter(|kept| **kept).count();
        assert_eq!(kept(&chances), 4);
        // A list of which they are as sure a part is kept whole.
        assert_eq!(kept(&[[0.8; 4].as_slice(), &[0.7; 30]].concat()), 34);
    }

    #[test]
    fn no_page_with_blocks_is_left_without_one() {
        assert_eq!(cut(&[block(5, false), block(9, false)], &[1e-7, 1e-9], &[]).keep, [true, false]);
        assert_eq!(cut(&[block(0, false)], &[0.0], &[]).keep, [true]);
        assert!(cut(&[], &[], &[]).keep.is_empty());
    }

    proptest! {
        /// Every set of the likeliest blocks: beside the text of each of a thousand levels, and block by block.
        #[test]
        fn no_other_level_can_be_expected_to_score_better(
            blocks in prop::collection::vec((0_u32..80, 0.0_f32..1.0), 1..24), article in 0.0_f32..=1.0,
        ) {
            let (facts, chances): (Vec<_>, Vec<_>) = blocks.iter().map(|&(words, p)| (block(words, false), p)).unzip();
            let got = cut(&facts, &chances, &[article]).keep;
            let chances: Vec<f32> = chances.iter().map(|p| p.powf(1.0 + SHARPEN * article)).collect();
            let top = chances.iter().copied().fold(0.0, f32::max);
            let said = |is_of: &dyn Fn(usize) -> bool| -> f64 {
                (0..facts.len()).filter(|&i| is_of(i)).map(|i| f64::from(facts[i].words)).sum()
            };
            let likely = |is_of: &dyn Fn(usize) -> bool| -> f64 {
                (0..facts.len()).filter(|&i| is_of(i)).map(|i| f64::from(facts[i].words) * f64::from(chances[i])).sum()
            };
            let expected = |keep: &dyn Fn(usize) -> bool| -> f64 {
                let levels = (0..1000).map(|level| top * (level as f32 + 0.5) / 1000.0);
                let together = levels.map(|level| {
                    let both = said(&|i| keep(i) && chances[i] > level);
                    2.0 * both / (said(keep) + said(&|i| chances[i] > level)).max(1.0)
                });
                let together = f64::from(top) * together.sum::<f64>() / 1000.0;
                let alone = 2.0 * likely(keep) / (said(keep) + likely(&|_| true)).max(1e-9);
                f64::from(article) * together + f64::from(1.0 - article) * alone
            };
            let best = chances.iter().map(|&least| expected(&|i| chances[i] >= least)).fold(0.0, f64::max);
            let own = expected(&|i| got[i]);
            prop_assert!(own > best - 0.02, "{own} {best}");
        }
    }
}
