//! [`EditDistance`]: normalised edit distance of tag strings, decided without being computed in full.

use crate::dom::Tag;

/// Bits of a word: rows of the table that one step computes.
const WORD: usize = u64::BITS as usize;
/// Tags that are told apart by number.
const TAGS: usize = 256;
/// Longer strings, in tags, are compared by how often each tag occurs, which is a lower bound of their distance. No data
/// record is as long, and a page of two halves would cost the square of its size.
pub(super) const LONGEST: usize = 4096;

/// Compares strings of tags, with room that is used again from pair to pair.
///
/// The *edit distance* of two strings is the least number of changes, insertions and deletions of a letter that turn one
/// into the other; normalised, it is divided by their mean length (MDR, section 3.2.2). [`is_within`](Self::is_within) asks
/// only whether it is small: unequal lengths and unequal counts of tags say no at once; common ends are cut off; what is left
/// is computed 64 rows at a time (Myers 1999, in blocks as Hyyrö 2003) and only in the band of cells that a small distance can
/// pass through, until no cell of a column can lead to one.
///
/// Time O(n · (1 + d/64)) for strings of n tags and a greatest distance d; O(n) beyond [`LONGEST`], where the distance is
/// bounded from below instead.
#[derive(Debug, Default)]
pub(super) struct EditDistance {
    /// Per tag of the pattern and block, the rows where the tag stands.
    rows: Vec<u64>,
    /// Per block, rows where a column's value grows and falls from the row above.
    ups: Vec<u64>,
    downs: Vec<u64>,
}

/// The greatest distance of strings of these lengths that normalises to no more than `threshold`.
#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "both are small and not negative")]
fn greatest(threshold: f64, lengths: usize) -> usize {
    let mean = lengths as f64 / 2.0;
    let guess = (threshold * mean).max(0.0) as usize;
    // 0.3 · 10 rounds to 3, but other products fall short of the whole number that the quotient is compared with.
    if (guess + 1) as f64 / mean <= threshold { guess + 1 } else { guess }
}

impl EditDistance {
    /// Whether the normalised edit distance of the strings is at most `threshold`. Two empty strings are equal.
    pub(super) fn is_within(&mut self, a: &[Tag], b: &[Tag], threshold: f64) -> bool {
        if a.is_empty() && b.is_empty() {
            return true;
        }
        let max = greatest(threshold, a.len() + b.len());
        a.len().abs_diff(b.len()) <= max && (a == b || self.bounded(a, b, max).is_some())
    }

    /// The edit distance if it is at most `max`; `None` if it is more. Of strings longer than [`LONGEST`] a lower bound.
    fn bounded(&mut self, a: &[Tag], b: &[Tag], max: usize) -> Option<usize> {
        let (a, b) = without_common_ends(a, b);
        let (pattern, text) = if a.len() <= b.len() { (a, b) } else { (b, a) };
        if text.len() - pattern.len() > max {
            return None;
        }
        if pattern.is_empty() {
            return Some(text.len());
        }
        if text.len() > WORD {
            let least = bag_distance(pattern, text);
            if least > max {
                return None;
            }
            if text.len() > LONGEST {
                return Some(least);
            }
        }
        self.band(pattern, text, max)
    }

    /// Myers' algorithm in the band. `pattern` is not empty and no longer than `text`, and `max` at least the difference.
    fn band(&mut self, pattern: &[Tag], text: &[Tag], max: usize) -> Option<usize> {
        let (m, n) = (pattern.len(), text.len());
        let blocks = m.div_ceil(WORD);
        let slots = self.read_pattern(pattern, blocks);
        // A path of cost `max` from corner to corner leaves the first diagonal by this much at most.
        let (below, above) = ((max - (n - m)) / 2, usize::midpoint(max, n - m));
        // Block of the last row that column `j` (from 1) needs, and of the first.
        let last_of = |j: usize| (j + below).clamp(1, m).div_ceil(WORD) - 1;
        let first_of = |j: usize| (j.saturating_sub(above)).clamp(1, m).div_ceil(WORD) - 1;
        let mut last = last_of(1);
        // The value of the lowest row that is computed.
        let mut lowest = (last + 1) * WORD;
        for (j, tag) in (1..).zip(text) {
            let first = first_of(j);
            if last_of(j) > last {
                // New rows stand, before this column, each one more than the row above.
                last += 1;
                lowest += WORD;
            }
            // Above the band, and in row 0, a value is one more than to its left.
            let mut carry = 1_i8;
            let slot = usize::from(slots[tag.number()]);
            for block in first..=last {
                let mask = if slot == 0 { 0 } else { self.rows[slot * blocks + block] };
                carry = self.step(block, mask, carry);
            }
            lowest = lowest.wrapping_add_signed(isize::from(carry));
            if j % WORD == 0 && j < n && self.least_in_column(first, last, lowest, (m, n, j)) > max {
                return None;
            }
        }
        let distance = self.value_at(m, last, lowest);
        (distance <= max).then_some(distance)
    }

    /// Numbers the tags of the pattern from 1 (0 where a tag does not occur) and notes where each stands.
    fn read_pattern(&mut self, pattern: &[Tag], blocks: usize) -> [u8; TAGS] {
        let mut slots = [0_u8; TAGS];
        let mut used = 0_u8;
        self.rows.clear();
        self.rows.resize(blocks, 0);
        for (at, tag) in pattern.iter().enumerate() {
            let slot = &mut slots[tag.number()];
            if *slot == 0 {
                used += 1;
                *slot = used;
                self.rows.resize((usize::from(used) + 1) * blocks, 0);
            }
            self.rows[usize::from(*slot) * blocks + at / WORD] |= 1 << (at % WORD);
        }
        self.ups.clear();
        self.ups.resize(blocks, !0);
        self.downs.clear();
        self.downs.resize(blocks, 0);
        slots
    }

    /// Computes one block of a column; takes and gives the horizontal difference at its upper and lower border.
    fn step(&mut self, block: usize, mut rows: u64, carry: i8) -> i8 {
        let (ups, downs) = (self.ups[block], self.downs[block]);
        let vertical = rows | downs;
        rows |= u64::from(carry < 0);
        let horizontal = ((rows & ups).wrapping_add(ups) ^ ups) | rows;
        let grow = downs | !(horizontal | ups);
        let fall = ups & horizontal;
        let out = i8::from(grow >> (WORD - 1) == 1) - i8::from(fall >> (WORD - 1) == 1);
        let (grow, fall) = (grow << 1 | u64::from(carry > 0), fall << 1 | u64::from(carry < 0));
        self.ups[block] = fall | !(vertical | grow);
        self.downs[block] = grow & vertical;
        out
    }

    /// The least distance that any cell of column `j` can still lead to.
    fn least_in_column(&self, first: usize, last: usize, lowest: usize, (m, n, j): (usize, usize, usize)) -> usize {
        let mut value = lowest;
        let mut least = usize::MAX;
        for row in (first * WORD + 1..=(last + 1) * WORD).rev() {
            if row <= m {
                least = least.min(value + (m - row).abs_diff(n - j));
            }
            value = self.above(row, value);
        }
        least
    }

    /// The value of a row of the last column, from that of the lowest row.
    fn value_at(&self, row: usize, last: usize, lowest: usize) -> usize {
        (row + 1..=(last + 1) * WORD).rev().fold(lowest, |value, row| self.above(row, value))
    }

    /// The value of the row above `row` (from 1), from that of `row`.
    fn above(&self, row: usize, value: usize) -> usize {
        let (block, bit) = ((row - 1) / WORD, (row - 1) % WORD);
        let (up, down) = (self.ups[block] >> bit & 1, self.downs[block] >> bit & 1);
        value + usize::from(down == 1) - usize::from(up == 1)
    }
}

/// Both strings without what they begin and end with alike, which changes no distance.
fn without_common_ends<'a>(a: &'a [Tag], b: &'a [Tag]) -> (&'a [Tag], &'a [Tag]) {
    let front = a.iter().zip(b).take_while(|(a, b)| a == b).count();
    let (a, b) = (&a[front..], &b[front..]);
    let back = a.iter().rev().zip(b.iter().rev()).take_while(|(a, b)| a == b).count();
    (&a[..a.len() - back], &b[..b.len() - back])
}

/// How many letters of either string the other lacks, order aside: no more than the edit distance.
fn bag_distance(a: &[Tag], b: &[Tag]) -> usize {
    let mut counts = [0_i64; TAGS];
    for tag in a {
        counts[tag.number()] += 1;
    }
    for tag in b {
        counts[tag.number()] -= 1;
    }
    let sum = |sign: i64| counts.iter().map(|&count| (sign * count).max(0).unsigned_abs()).sum::<u64>();
    usize::try_from(sum(1).max(sum(-1))).unwrap_or(usize::MAX)
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use proptest::prelude::*;

    /// The whole table, row by row.
    pub(in crate::records) fn full(a: &[Tag], b: &[Tag]) -> usize {
        let mut row: Vec<usize> = (0..=b.len()).collect();
        for (i, x) in a.iter().enumerate() {
            let mut diagonal = row[0];
            row[0] = i + 1;
            for (j, y) in b.iter().enumerate() {
                let changed = diagonal + usize::from(x != y);
                diagonal = row[j + 1];
                row[j + 1] = changed.min(row[j] + 1).min(diagonal + 1);
            }
        }
        row[b.len()]
    }

    /// As the paper defines it.
    pub(in crate::records) fn normalised(a: &[Tag], b: &[Tag]) -> f64 {
        if a.is_empty() && b.is_empty() {
            return 0.0;
        }
        full(a, b) as f64 / ((a.len() + b.len()) as f64 / 2.0)
    }

    fn tags(letters: &str) -> Vec<Tag> {
        let names = ["td", "tr", "a", "b", "br", "p"];
        letters.bytes().map(|letter| Tag::from_name(names[usize::from(letter - b'a')])).collect()
    }

    #[test]
    fn a_threshold_is_met_exactly() {
        // 3 changes in 10 letters are .3 of the mean length, 3 in 9 and 10 more.
        let mut distance = EditDistance::default();
        assert!(distance.is_within(&tags("aaaaaaabbb"), &tags("aaaaaaaccc"), 0.3));
        assert!(!distance.is_within(&tags("aaaaaaabbb"), &tags("aaaaaaacc"), 0.3));
        assert!(!distance.is_within(&tags("aaaaaaabbb"), &tags("aaaaaacccc"), 0.3));
        assert!(!distance.is_within(&tags("a"), &tags("b"), 0.3));
        assert!(!distance.is_within(&tags("a"), &[], 0.3));
        assert!(distance.is_within(&[], &[], 0.3));
        for sum in 1..2000 {
            let max = greatest(0.3, sum);
            let mean = sum as f64 / 2.0;
            assert!(max as f64 / mean <= 0.3 && (max + 1) as f64 / mean > 0.3, "{sum}");
        }
    }

    #[test]
    fn very_long_strings_are_compared_by_their_counts() {
        let long = tags("ab").repeat(LONGEST);
        let mut turned = long.clone();
        turned.rotate_left(LONGEST / 2 + 1);
        let mut distance = EditDistance::default();
        assert!(distance.is_within(&long, &turned, 0.0), "a lower bound, so that it may say yes where it should not");
        assert!(!distance.is_within(&long, &tags("ac").repeat(LONGEST), 0.3));
    }

    fn string(max: usize) -> impl Strategy<Value = Vec<Tag>> {
        prop::collection::vec(prop::sample::select(tags("abcd")), 0..max)
    }

    /// A string and an edited copy, so that small distances are common.
    fn pair() -> impl Strategy<Value = (Vec<Tag>, Vec<Tag>)> {
        let edits = prop::collection::vec((any::<prop::sample::Index>(), 0..3_u8, 0..4_u8), 0..60);
        (string(400), edits).prop_map(|(a, edits)| {
            let mut b = a.clone();
            for (at, kind, letter) in edits {
                let at = at.index(b.len() + 1);
                let tag = tags("abcd")[usize::from(letter)];
                match kind {
                    0 => b.insert(at, tag),
                    1 if at < b.len() => drop(b.remove(at)),
                    _ if at < b.len() => b[at] = tag,
                    _ => {}
                }
            }
            (a, b)
        })
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(400))]
        #[test]
        fn equals_the_full_table((a, b) in pair(), max in 0..200_usize) {
            let wanted = full(&a, &b);
            let found = EditDistance::default().bounded(&a, &b, max);
            prop_assert_eq!(found, (wanted <= max).then_some(wanted));
        }

        #[test]
        fn equals_the_full_table_on_strangers(a in string(200), b in string(200), max in 0..200_usize, t in 0.0..1.0_f64) {
            let wanted = full(&a, &b);
            let mut distance = EditDistance::default();
            prop_assert_eq!(distance.bounded(&a, &b, max), (wanted <= max).then_some(wanted));
            prop_assert_eq!(distance.is_within(&a, &b, t), normalised(&a, &b) <= t);
            prop_assert!(bag_distance(&a, &b) <= wanted);
        }
    }
}
