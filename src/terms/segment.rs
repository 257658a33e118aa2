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
