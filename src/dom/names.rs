//! [`Names`]: values that stay where they are while more are added, so that they can be referred to while a tree grows.

use std::cell::{Cell, OnceCell};

/// Cells of the first block; every block is twice the one before.
const FIRST: usize = 64;
/// Blocks at most, for 2³² values and more.
const BLOCKS: usize = 27;

/// A list that only grows, by a shared reference. Adding takes constant time.
#[derive(Debug)]
pub(super) struct Names<T> {
    blocks: [OnceCell<Box<[OnceCell<T>]>>; BLOCKS],
    count: Cell<usize>,
}

impl<T> Names<T> {
    pub(super) fn new() -> Self {
        Self { blocks: [const { OnceCell::new() }; BLOCKS], count: Cell::new(0) }
    }

    /// Adds a value.
    pub(super) fn add(&self, value: T) -> &T {
        let place = self.count.get() + FIRST;
        self.count.set(self.count.get() + 1);
        let block = (place / FIRST).ilog2();
        let size = FIRST << block;
        let cells = self.blocks[block as usize].get_or_init(|| (0..size).map(|_| OnceCell::new()).collect());
        cells[place - size].get_or_init(|| value)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_stay_where_they_are() {
        let names = Names::new();
        let kept: Vec<&String> = (0..1000).map(|number| names.add(format!("{number}"))).collect();
        assert!(kept.iter().enumerate().all(|(number, name)| **name == number.to_string()));
    }
}
