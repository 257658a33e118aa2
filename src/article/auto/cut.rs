//! Which blocks are kept, given how likely each is content.

use super::{BlockFacts, Kept};
use rustc_hash::FxHashMap;

/// The blocks to keep: of all that are as likely as some level, those that maximise the expected F1,
/// `2·Σ(p·len) / (Σ len + Σ_all(p·len))`. It adapts to the page: where nothing looks sure the level falls. Of blocks with
/// the same words, 12 or more, in different elements the likeliest copy is kept. Never empty for a page with blocks. Time O(n log n).
///
/// `article` is the probability that the page is an article. Blocks of an article stand or fall together more than the
/// formula knows, so the surer that is the sharper it cuts: chances are raised to 1 + `SHARPEN` times it (news by site
/// +.002 to +.009 S4F, other kinds unchanged).
pub(super) fn cut(facts: &[BlockFacts], chances: &[f32], article: f32) -> Kept {
    let chances: Vec<f32> = chances.iter().map(|chance| chance.powf(1.0 + SHARPEN * article)).collect();
    let lens: Vec<f64> = facts.iter().map(|b| f64::from(b.words)).collect();
    let mut order: Vec<usize> = (0..chances.len().min(lens.len())).collect();
    order.sort_by(|&a, &b| chances[b].total_cmp(&chances[a]).then(a.cmp(&b)));
    let all: f64 = order.iter().map(|&i| f64::from(chances[i]) * lens[i]).sum();
    let (mut hit, mut len, mut best, mut kept) = (0.0, 0.0, -1.0, 0);
    for (rank, &i) in order.iter().enumerate() {
        hit += f64::from(chances[i]) * lens[i];
        len += lens[i];
        let f = if len + all > 0.0 { 2.0 * hit / (len + all) } else { 0.0 };
        if f > best {
            (best, kept) = (f, rank + 1);
        }
    }
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
const SHARPEN: f32 = 0.5;
