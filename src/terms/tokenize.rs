//! Text into words, with the script of each.

use super::script::{Class, class};
use super::segment::han_words;

/// One piece of text that may become a term.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Token<'a> {
    pub(super) text: &'a str,
    /// Where it begins in the whole text, in bytes.
    pub(super) start: usize,
    /// How much text it stands for: a word is 1; in scripts without blanks, each character is 1. Pairs that overlap share
    /// their characters, so that lengths add up.
    pub(super) words: u32,
    pub(super) kind: Kind,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// A word of a script with blanks.
    Word,
    /// Digits and nothing else.
    Number,
    /// A Chinese word.
    Han,
    /// Two neighbouring characters of a script without blanks, or a lone one.
    Pair,
}

/// Text of one kind, not yet cut further.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Run<'a> {
    pub(super) text: &'a str,
    /// Where it begins in the whole text, in bytes.
    pub(super) start: usize,
    /// What its tokens will be.
    pub(super) kind: Kind,
}

/// Calls `each` for the tokens of `text` in order. `pair_han` cuts Han characters into pairs as well, for Japanese. Time
/// linear in the text.
pub(super) fn tokens<'a>(text: &'a str, pair_han: bool, mut each: impl FnMut(Token<'a>)) {
    runs(text, pair_han, |run| match run.kind {
        Kind::Han => {
            let mut start = run.start;
            han_words(run.text, |word| {
                each(Token { text: word, start, words: count(word), kind: Kind::Han });
                start += word.len();
            });
        }
        Kind::Pair => pairs(run, &mut each),
        kind => each(Token { text: run.text, start: run.start, words: 1, kind }),
    });
}

/// Calls `each` for the words of scripts with blanks, and for the stretches of text without, in order. With `pair_han` Han
/// characters and kana stand in one stretch. Time linear in the text.
pub(super) fn runs<'a>(text: &'a str, pair_han: bool, mut each: impl FnMut(Run<'a>)) {
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let kind = class(first);
        let end = match kind {
            Class::Gap | Class::Mark => {
                rest = &rest[first.len_utf8()..];
                continue;
            }
            Class::Letter | Class::Digit => run(rest, |c| matches!(c, Class::Letter | Class::Digit | Class::Mark)),
            Class::Han if !pair_han => run(rest, |c| c == Class::Han),
            Class::Han | Class::Kana => {
                run(rest, |c| matches!(c, Class::Kana | Class::Mark) || (c == Class::Han && pair_han))
            }
            Class::Unspaced => run(rest, |c| matches!(c, Class::Unspaced | Class::Mark)),
        };
        let start = text.len() - rest.len();
        let (text, tail) = rest.split_at(end);
        let kind = match kind {
            Class::Han if !pair_han => Kind::Han,
            Class::Letter | Class::Digit if text.chars().all(|c| class(c) == Class::Digit) => Kind::Number,
            Class::Letter | Class::Digit => Kind::Word,
            _ => Kind::Pair,
        };
        each(Run { text, start, kind });
        rest = tail;
    }
}

/// Words of a text: those of scripts with blanks, and of other scripts each character. Time linear in the text.
pub(crate) fn count_words(text: &str) -> usize {
    let mut words = 0;
    tokens(text, true, |token| words += token.words as usize);
    words
}

fn run(text: &str, belongs: impl Fn(Class) -> bool) -> usize {
    text.char_indices().find(|&(_, c)| !belongs(class(c))).map_or(text.len(), |(at, _)| at)
}

#[allow(clippy::cast_possible_truncation, reason = "a word is shorter than 2^32 characters")]
fn count(word: &str) -> u32 {
    word.chars().count() as u32
}

/// All pairs of neighbouring characters, marks kept with their letter; the lone character where there is one only.
pub(super) fn pairs<'a>(run: Run<'a>, each: &mut impl FnMut(Token<'a>)) {
    let Run { text: run, start, .. } = run;
    let mut starts = run.char_indices().filter(|&(_, c)| class(c) != Class::Mark).map(|(at, _)| at).chain([run.len()]);
    let (Some(mut first), Some(mut second)) = (starts.next(), starts.next()) else { return };
    let mut any = false;
    for third in starts {
        // Each pair stands for its first character, the last for both.
        let words = if third == run.len() { 2 } else { 1 };
        each(Token { text: &run[first..third], start: start + first, words, kind: Kind::Pair });
        (first, second) = (second, third);
        any = true;
    }
    if !any {
        each(Token { text: &run[first..second], start: start + first, words: 1, kind: Kind::Pair });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cut(text: &str, pair_han: bool) -> Vec<String> {
        let mut all = Vec::new();
        tokens(text, pair_han, |t| {
            assert_eq!(&text[t.start..t.start + t.text.len()], t.text);
            all.push(format!("{}:{}:{:?}", t.text, t.words, t.kind));
        });
        all
    }

    #[test]
    fn words_numbers_and_unspaced_scripts() {
        assert_eq!(
            cut("It's 1902, naïve e\u{301}!", false),
            ["It:1:Word", "s:1:Word", "1902:1:Number", "naïve:1:Word", "e\u{301}:1:Word"]
        );
        assert_eq!(cut("港口工程ABC", false), ["港口:2:Han", "工程:2:Han", "ABC:1:Word"]);
        assert_eq!(cut("灯台守は", true), ["灯台:1:Pair", "台守:1:Pair", "守は:2:Pair"]);
        assert_eq!(cut("カ", true), ["カ:1:Pair"]);
        // Vowel signs stay with their consonant; the whole counts as many words as it has consonants.
        assert_eq!(cut("ที่นี่", false), ["ที่นี่:2:Pair"]);
        assert_eq!(cut("नमस्ते दुनिया", false), ["नमस्ते:1:Word", "दुनिया:1:Word"]);
        assert_eq!(cut("٣٤", false), ["٣٤:1:Number"]);
        assert_eq!(cut("", false), Vec::<String>::new());
    }
}
