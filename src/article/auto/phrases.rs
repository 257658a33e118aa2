//! Phrases that tell content from what sites say around it: "Read more", "Leave a reply", "责任编辑", "Читайте также".
//!
//! `scripts/train-blocks` learns a weight for each run of one to three tokens that it met on enough sites, in whatever
//! language; nobody picks them, and there is no list by language. What a block scores is one feature of many, so a phrase
//! can be outvoted by where it stands.

use super::block::{Class, class, lower, step};
use crate::trees::rows_of;
use rustc_hash::FxHashMap;
use std::sync::LazyLock;

/// Tokens of a block that is read whole; of a longer one count how it begins and how it ends.
const WHOLE: usize = 24;
const HEAD: usize = 3;
const TAIL: usize = 2;
/// Bytes at the end of a long block in which its last tokens are looked for.
const TAIL_BYTES: usize = 96;
/// Tokens of the longest run.
const LONGEST: usize = 3;

/// What stands for the edges of a block and for what is left out of a long one; no token of a text is like these.
const BEGIN: &str = "<s>";
const END: &str = "</s>";
const LEFT_OUT: &str = "<..>";

/// The weight of each run of tokens, by the hash of the run.
#[derive(Debug, Default)]
pub(super) struct Phrases(FxHashMap<u64, f32>);

/// The shipped table, read when first needed.
pub(super) static PHRASES: LazyLock<Phrases> =
    LazyLock::new(|| Phrases::parse(include_str!("../../../models/phrases.txt")).unwrap_or_default());

impl Phrases {
    /// Reads a table of lines `WEIGHT TOKEN...`; `#` and a blank begin a comment. `None` for a damaged table.
    pub(super) fn parse(text: &str) -> Option<Self> {
        let mut weights = FxHashMap::default();
        for line in rows_of(text) {
            let mut words = line.split(' ');
            let weight = words.next()?.parse().ok()?;
            let run = words.map(|token| if is_edge(token) { edge(token) } else { hash(token) }).fold(0, join);
            weights.insert(run, weight);
        }
        Some(Self(weights))
    }

    /// The sum of the weights of the runs of a text. Time O(1) for long texts.
    pub(super) fn score(&self, text: &str) -> f32 {
        let mut sum = 0.0;
        let mut add = |run: &[u64]| {
            if let Some(weight) = self.0.get(&run.iter().copied().fold(0, join)) {
                sum += weight;
            }
        };
        let (begin, end) = (edge(BEGIN), edge(END));
        match sample(text) {
            Sample::Whole(tokens) => {
                let all: Vec<u64> = [begin].into_iter().chain(tokens.into_iter().map(hash)).chain([end]).collect();
                for from in 0..all.len() {
                    // An edge alone says nothing.
                    let least = if from == 0 { 2 } else { 1 };
                    for len in least..=LONGEST.min(all.len() - from) {
                        if from + 1 < all.len() {
                            add(&all[from..from + len]);
                        }
                    }
                }
            }
            Sample::Ends(head, tail) => {
                let head: Vec<u64> = [begin].into_iter().chain(head.into_iter().map(hash)).collect();
                (2..=head.len()).for_each(|len| add(&head[..len]));
                let tail: Vec<u64> = tail.into_iter().map(hash).chain([end]).collect();
                (2..=tail.len()).for_each(|len| add(&tail[tail.len() - len..]));
            }
        }
        sum
    }
}

/// The tokens of a text that count, parted by blanks, in lower case and with a zero for each number, as the trainer reads
/// them.
pub(super) fn phrase_tokens(text: &str) -> String {
    let written = |token: &str| {
        if token.starts_with(|c| class(c) == Class::Digit) {
            "0".to_owned()
        } else {
            token.chars().map(lower).collect()
        }
    };
    match sample(text) {
        Sample::Whole(tokens) => tokens.into_iter().map(written).collect::<Vec<_>>().join(" "),
        Sample::Ends(head, tail) => {
            let head = head.into_iter().map(written).chain([LEFT_OUT.to_owned()]);
            head.chain(tail.into_iter().map(written)).collect::<Vec<_>>().join(" ")
        }
    }
}

enum Sample<'a> {
    Whole(Vec<&'a str>),
    Ends(Vec<&'a str>, Vec<&'a str>),
}

fn sample(text: &str) -> Sample<'_> {
    let mut first = tokens(text, WHOLE + 1);
    if first.len() <= WHOLE {
        return Sample::Whole(first);
    }
    first.truncate(HEAD);
    let mut from = text.len().saturating_sub(TAIL_BYTES);
    while !text.is_char_boundary(from) {
        from += 1;
    }
    let mut tail = tokens(&text[from..], usize::MAX);
    let cut = tail.len().saturating_sub(TAIL);
    tail.drain(..cut);
    Sample::Ends(first, tail)
}

/// The first tokens of a text: words, numbers, single characters of scripts without blanks, single marks.
fn tokens(text: &str, most: usize) -> Vec<&str> {
    let mut tokens = Vec::new();
    let mut start = None;
    let mut in_number = false;
    for (at, c) in text.char_indices() {
        let class = class(c);
        let is_number = class == Class::Digit;
        let is_run = is_number || matches!(class, Class::Letter | Class::Capital);
        if let Some(from) = start
            && (!is_run || is_number != in_number)
        {
            tokens.push(&text[from..at]);
            start = None;
        }
        if is_run {
            start = start.or(Some(at));
            in_number = is_number;
        } else if class != Class::Space {
            tokens.push(&text[at..at + c.len_utf8()]);
        }
        if tokens.len() >= most {
            tokens.truncate(most);
            return tokens;
        }
    }
    tokens.extend(start.map(|from| &text[from..]));
    tokens
}

/// The hash of a token, whatever its case; all numbers are one.
fn hash(token: &str) -> u64 {
    if token.starts_with(|c| class(c) == Class::Digit) { step(0, '0') } else { token.chars().fold(0, step) }
}

fn is_edge(token: &str) -> bool {
    token == BEGIN || token == END
}

fn edge(token: &str) -> u64 {
    // A control character is in no token.
    if token == BEGIN { 1 } else { 2 }
}

fn join(run: u64, token: u64) -> u64 {
    (run.rotate_left(23) ^ token).wrapping_mul(0x9E37_79B9_7F4A_7C15)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tokens_are_words_numbers_and_marks() {
        for (text, want) in [
            ("Read MORE: 12 stories", "read more : 0 stories"),
            ("  2nd\n— Ed.", "0 nd — ed ."),
            ("责任编辑：张3", "责 任 编 辑 ： 张 0"),
            ("ЧИТАЙТЕ также", "читайте также"),
            ("", ""),
        ] {
            assert_eq!(phrase_tokens(text), want);
        }
        let long = format!("One two three {} last words.", "and ".repeat(500));
        assert_eq!(phrase_tokens(&long), "one two three <..> words .");
    }

    #[test]
    fn runs_are_found_wherever_they_stand() {
        let table = "# comment\n1 read more\n2 <s> read\n4 story </s>\n8 the\n16 <s> the whole\n32 <s> read </s>\n";
        let phrases = Phrases::parse(table).expect("a table");
        for (text, want) in [
            ("Read more", 3.0),
            ("To read more of the story", 13.0),
            ("The whole story", 28.0),
            ("READ", 34.0),
            ("Nothing", 0.0),
            ("", 0.0),
        ] {
            assert!((phrases.score(text) - want).abs() < 1e-6, "{text}: {}", phrases.score(text));
        }
        // Of a long block the edges alone are read.
        let long = format!("The whole thing {} read more of the story", "again ".repeat(50));
        assert!((phrases.score(&long) - 20.0).abs() < 1e-6, "{}", phrases.score(&long));
        assert!(Phrases::parse("x read").is_none());
    }

    #[derive(serde::Deserialize)]
    struct Check {
        phrases: Vec<(String, f32)>,
    }

    /// What the trainer's own code says of the shipped table.
    #[test]
    fn scores_are_those_of_the_trainer() {
        let check: Check = serde_json::from_str(include_str!("../../../tests/data/blocks-check.json")).expect("JSON");
        assert!(check.phrases.len() >= 10);
        for (text, want) in check.phrases {
            assert!((PHRASES.score(&text) - want).abs() < 1e-3, "{text}: {} {want}", PHRASES.score(&text));
        }
    }
}
