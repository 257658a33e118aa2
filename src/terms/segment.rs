//! Words of Chinese text.

use jieba_rs::Jieba;
use rustc_hash::FxHashMap;
use std::sync::LazyLock;

/// Dictionary and model; loaded on first use (about 0.35 s).
static JIEBA: LazyLock<Jieba> = LazyLock::new(Jieba::new);

/// Simplified forms of Traditional characters.
static SIMPLIFIED: LazyLock<FxHashMap<char, char>> = LazyLock::new(|| {
    let mut pairs = FxHashMap::default();
    for pair in include_str!("../../models/traditional.txt")
        .lines()
        .filter(|line| !line.starts_with('#'))
        .flat_map(str::split_whitespace)
    {
        let mut characters = pair.chars();
        if let (Some(traditional), Some(simplified)) = (characters.next(), characters.next()) {
            pairs.insert(traditional, simplified);
        }
    }
    pairs
});

/// Cuts a run of Han characters into words, in order, without gaps. The dictionary is Simplified: word boundaries of
/// Traditional text are found in a copy with each character simplified, and the words returned are those written. Time
/// linear in the run.
pub(super) fn han_words<'a>(run: &'a str, mut word: impl FnMut(&'a str)) {
    let simplified: String = run.chars().map(|c| SIMPLIFIED.get(&c).copied().unwrap_or(c)).collect();
    let mut rest = run;
    for token in JIEBA.cut(&simplified, true) {
        let count = token.word.chars().count();
        let end = rest.char_indices().nth(count).map_or(rest.len(), |(at, _)| at);
        let (head, tail) = rest.split_at(end);
        word(head);
        rest = tail;
    }
}

/// A run of Han characters as a search index sees it: each character simplified, and cut by the dictionary alone, since
/// guesses at words that it does not hold come out otherwise in another sentence.
pub(super) struct HanSearch {
    simplified: String,
}

/// A word of a [`HanSearch`]: its text, and its characters by number, as first and end.
pub(super) type HanWord<'a> = (&'a str, usize, usize);

impl HanSearch {
    pub(super) fn new(run: &str) -> Self {
        Self { simplified: run.chars().map(|c| SIMPLIFIED.get(&c).copied().unwrap_or(c)).collect() }
    }

    /// The words, in order, without gaps. Time linear in the run.
    pub(super) fn words(&self) -> impl Iterator<Item = HanWord<'_>> {
        JIEBA.cut(&self.simplified, false).into_iter().map(|token| (token.word, token.start, token.end))
    }

    /// The same, with the words of two and three characters in longer ones, and each character. Time linear in the run.
    pub(super) fn words_and_parts(&self) -> impl Iterator<Item = HanWord<'_>> {
        let words = JIEBA.cut_for_search(&self.simplified, false).into_iter();
        let words = words.map(|token| (token.word, token.start, token.end)).filter(|(_, start, end)| end - start > 1);
        let characters = self.simplified.char_indices().enumerate();
        words.chain(characters.map(|(at, (byte, c))| (&self.simplified[byte..byte + c.len_utf8()], at, at + 1)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cut(run: &str) -> Vec<&str> {
        let mut words = Vec::new();
        han_words(run, |word| words.push(word));
        words
    }

    #[test]
    fn traditional_text_is_cut_like_its_simplified_form() {
        assert_eq!(cut("电子信息工程"), ["电子", "信息工程"]);
        assert_eq!(cut("電子信息工程"), ["電子", "信息工程"]);
        assert_eq!(cut("國家圖書館"), ["國家圖書館"]);
        assert_eq!(cut("𠮷野家漢"), ["𠮷", "野家漢"]);
    }
}
