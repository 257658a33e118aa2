//! What one page adds to the site model: how often each term, chunk and anchor stands on it.

/// The counts of one page, one list per [`Table`](crate::entropy::Table).
///
/// The order of entries does not matter, and an entry may come twice: [`normalized`](Self::normalized) makes equal pages
/// equal values.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PageCounts {
    /// Stemmed terms and their occurrences.
    pub terms: Vec<(Box<str>, u32)>,
    /// Hashes of normalised text chunks and their occurrences.
    pub chunks: Vec<(u64, u32)>,
    /// Hashes of (target URL, tag path without positions) and their occurrences.
    pub anchors: Vec<(u64, u32)>,
}

impl PageCounts {
    /// The same counts in key order, each key once, without zeros. O(n log n) in the number of entries.
    #[must_use]
    pub fn normalized(self) -> Self {
        Self { terms: merged(self.terms), chunks: merged(self.chunks), anchors: merged(self.anchors) }
    }
}

fn merged<K: Ord>(mut counts: Vec<(K, u32)>) -> Vec<(K, u32)> {
    counts.retain(|(_, count)| *count > 0);
    counts.sort_unstable_by(|a, b| a.0.cmp(&b.0));
    counts.dedup_by(|later, first| {
        let same = later.0 == first.0;
        if same {
            first.1 = first.1.saturating_add(later.1);
        }
        same
    });
    counts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_keys_are_added_and_zeros_dropped() {
        let counts = PageCounts {
            terms: vec![("b".into(), 1), ("a".into(), 0), ("b".into(), 2)],
            chunks: vec![(9, 1), (3, u32::MAX), (3, 1)],
            anchors: vec![],
        };
        let want = PageCounts { terms: vec![("b".into(), 3)], chunks: vec![(3, u32::MAX), (9, 1)], anchors: vec![] };
        assert_eq!(counts.normalized(), want);
    }
}
