//! Sums over runs of blocks, and over blocks that stand in like places.

use super::block::Page;
use crate::dom::{Dom, NodeId};
use rustc_hash::FxHashMap;
use std::sync::LazyLock;

/// Sums over the blocks before each, so that any range costs a subtraction.
#[derive(Clone, Copy, Default)]
pub(super) struct Sums {
    pub(super) len: u32,
    pub(super) linked: u32,
    pub(super) good: u32,
    pub(super) marks: u32,
    pub(super) good_blocks: u32,
    pub(super) words: u32,
    pub(super) in_title: u32,
    pub(super) in_description: u32,
    pub(super) links: u32,
}

pub(super) struct Range {
    pub(super) lo: u32,
    pub(super) hi: u32,
}

pub(super) struct Prefix(pub(super) Vec<Sums>);

impl Prefix {
    pub(super) fn new(page: &Page) -> Self {
        let mut sums = Vec::with_capacity(page.blocks.len() + 1);
        let mut sum = Sums::default();
        sums.push(sum);
        for block in &page.blocks {
            sum.len += block.len;
            sum.linked += block.linked;
            if block.is_good() {
                sum.good += block.len - block.linked;
                sum.good_blocks += 1;
            }
            sum.marks += block.stops + block.commas;
            sum.words += block.words;
            sum.in_title += block.in_title;
            sum.in_description += block.in_description;
            sum.links += block.links;
            sums.push(sum);
        }
        Self(sums)
    }

    pub(super) fn of(&self, range: &Range) -> Sums {
        let (a, b) = (self.0[range.lo as usize], self.0[range.hi as usize]);
        Sums {
            len: b.len - a.len,
            linked: b.linked - a.linked,
            good: b.good - a.good,
            marks: b.marks - a.marks,
            good_blocks: b.good_blocks - a.good_blocks,
            words: b.words - a.words,
            in_title: b.in_title - a.in_title,
            in_description: b.in_description - a.in_description,
            links: b.links - a.links,
        }
    }

    pub(super) fn all(&self) -> Sums {
        self.0[self.0.len() - 1]
    }
}

/// The blocks that begin in a subtree.
#[allow(clippy::cast_possible_truncation, reason = "fewer blocks than nodes")]
pub(super) fn range(dom: &Dom, page: &Page, id: NodeId) -> Range {
    let lo = page.blocks.partition_point(|b| b.first < id);
    let hi = lo + page.blocks[lo..].partition_point(|b| b.first < dom.end(id));
    Range { lo: lo as u32, hi: hi as u32 }
}

/// ln of 1 + a count; most counts are small, and each block has forty.
pub(super) fn log(count: u32) -> f32 {
    LOGS.get(count as usize).copied().unwrap_or_else(|| ln_1p(count))
}

static LOGS: LazyLock<[f32; 1024]> =
    LazyLock::new(|| std::array::from_fn(|count| ln_1p(u32::try_from(count).unwrap_or(0))));

#[allow(clippy::cast_precision_loss, reason = "features need no more than 24 bits")]
fn ln_1p(count: u32) -> f32 {
    (1.0 + count as f32).ln()
}

/// A group of blocks that stand in like places.
#[derive(Clone, Copy, Default)]
pub(super) struct Group {
    pub(super) count: u32,
    pub(super) len: u32,
    pub(super) linked: u32,
    pub(super) good: u32,
    pub(super) marks: u32,
}

pub(super) fn groups(page: &Page) -> (FxHashMap<u64, Group>, FxHashMap<u64, Group>) {
    let mut by_tags: FxHashMap<u64, Group> = FxHashMap::default();
    let mut by_classes: FxHashMap<u64, Group> = FxHashMap::default();
    for block in &page.blocks {
        for (map, path) in [(&mut by_tags, block.tag_path), (&mut by_classes, block.class_path)] {
            let group = map.entry(path).or_default();
            group.count += 1;
            group.len += block.len;
            group.linked += block.linked;
            group.marks += block.stops + block.commas;
            if block.is_good() {
                group.good += block.len - block.linked;
            }
        }
    }
    (by_tags, by_classes)
}
