//! [`search_terms`]: the words of a text as a search index keeps them.

use super::page_terms::{FOREIGN, algorithm, script, script_of};
use super::search_fold::{Normal, lower, without_accents};
use super::segment::HanSearch;
use super::tokenize::{Kind, Run, pairs, runs};
use super::{Language, Stopwords};
use rust_stemmers::Stemmer;
use std::ops::Range;

/// How the text of a page's language is made into terms. There is one for each language with a stemmer, one for Chinese, one
/// for Japanese, and [`OTHER`](Self::OTHER) for all others, whose words stay whole.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Analyser(u8);

/// The codes of the analysers; the order is that of their numbers.
const CODES: [&str; 21] = [
    "other", "ar", "da", "de", "el", "en", "es", "fi", "fr", "hu", "it", "ja", "nl", "no", "pt", "ro", "ru", "sv",
    "ta", "tr", "zh",
];

impl Analyser {
    /// Words as they are, in lower case and without accents; pairs of characters where there are no blanks between words
    /// (Thai, Lao, Khmer, Burmese) and in Korean, whose words end in particles.
    pub const OTHER: Self = Self(0);

    /// All analysers.
    #[allow(clippy::cast_possible_truncation, reason = "21 of them")]
    pub fn all() -> impl Iterator<Item = Self> {
        (0..CODES.len()).map(|at| Self(at as u8))
    }

    /// The analyser of a language. Constant time.
    ///
    /// ```
    /// use wisdom::terms::{Analyser, Language};
    /// assert_eq!(Analyser::of(Language::from_tag("de-AT")).code(), "de");
    /// assert_eq!(Analyser::of(Language::from_tag("ko")), Analyser::OTHER);
    /// ```
    pub fn of(language: Language) -> Self {
        Self::all().find(|analyser| analyser.code() == language.code()).unwrap_or(Self::OTHER)
    }

    /// The ISO 639-1 code of its language, or `other`.
    pub fn code(self) -> &'static str {
        CODES[usize::from(self.0)]
    }

    fn language(self) -> Language {
        if self == Self::OTHER { Language::UNKNOWN } else { Language::from_tag(self.code()) }
    }
}

/// What a text is to search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// What is searched. In scripts without blanks its terms overlap: words and the words in them, and each character, so
    /// that what is asked for is found however the text around it was cut.
    Page,
    /// What is searched for: each character once.
    Query,
}

/// A term and where it stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SearchTerm<'a> {
    /// The term; at most [`MAX_TERM`] bytes.
    pub text: &'a str,
    /// The bytes of the text that it was made of.
    pub range: Range<usize>,
    /// Its place among the terms: words are counted, and in scripts without blanks characters. Phrases are found by it.
    pub position: usize,
    /// How many places it takes.
    pub width: usize,
    /// How it was cut from the text around it.
    pub cut: Cut,
    /// Whether it is a stop word of the language. Stop words are told of, since a phrase may need them.
    pub is_stopword: bool,
}

/// How terms are cut from text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cut {
    /// Between blanks and signs.
    Blanks,
    /// By the Chinese dictionary.
    Dictionary,
    /// Into pairs of characters.
    Pairs,
}

/// Bytes of a term at most. Longer words are cut off there, on both sides alike; index formats have limits.
pub const MAX_TERM: usize = 255;

/// Calls `each` for the terms of a text, in the order of their places but for the parts of Chinese words. NFKC, lower case,
/// the language's stem where it has one, no accents. Words in a script that the language is not written in are stemmed by
/// the language that writes most of them, as in [`page_terms`](super::page_terms), but numbers and stop words are kept.
/// Chinese is cut by a dictionary, in simplified characters; Japanese, Korean, Thai and their like into pairs of
/// characters. Time linear in the text.
///
/// ```
/// use wisdom::terms::{Analyser, Language, Side, search_terms};
/// let english = Analyser::of(Language::ENGLISH);
/// let mut terms = Vec::new();
/// search_terms("The Cafés closed in 1902", english, Side::Query, &mut |term| terms.push(term.text.to_owned()));
/// assert_eq!(terms, ["the", "cafe", "close", "in", "1902"]);
/// ```
pub fn search_terms(text: &str, analyser: Analyser, side: Side, each: &mut dyn FnMut(SearchTerm<'_>)) {
    let language = analyser.language();
    let rules = Rules::of(analyser);
    let normal = Normal::new(text);
    let mut position = 0;
    runs(normal.text(), language == Language::JAPANESE, |run| {
        let mut tell = |text: &str, range: Range<usize>, position, width, cut, is_stopword| {
            let range = normal.start(range.start)..normal.end(range.end);
            each(SearchTerm { text, range, position, width, cut, is_stopword });
        };
        match run.kind {
            Kind::Han => position += han(run, position, side, &rules, &mut tell),
            Kind::Pair => position += paired(run, position, side, &mut tell),
            Kind::Number | Kind::Word => {
                // A Korean word may hold Latin letters: "LG전자".
                for part in by_hangul(run) {
                    if part.kind == Kind::Pair {
                        position += paired(part, position, side, &mut tell);
                    } else {
                        let range = part.start..part.start + part.text.len();
                        let (term, is_stopword) = rules.term(part.text);
                        if !term.is_empty() {
                            tell(&term, range, position, 1, Cut::Blanks, is_stopword);
                        }
                        position += 1;
                    }
                }
            }
        }
    });
}

type Tell<'a> = dyn FnMut(&str, Range<usize>, usize, usize, Cut, bool) + 'a;

/// The terms of a run of Han characters. Gives its characters.
fn han(run: Run<'_>, position: usize, side: Side, rules: &Rules, tell: &mut Tell<'_>) -> usize {
    let bytes: Vec<usize> = run.text.char_indices().map(|(at, _)| at).chain([run.text.len()]).collect();
    let cut = HanSearch::new(run.text);
    let mut tell = |(word, first, end): (&str, usize, usize)| {
        let (Some(start), Some(stop)) = (bytes.get(first), bytes.get(end)) else { return };
        let range = run.start + start..run.start + stop;
        let is_stopword = rules.stopwords.is_stopword(rules.language, word);
        tell(word, range, position + first, end - first, Cut::Dictionary, is_stopword);
    };
    match side {
        Side::Page => cut.words_and_parts().for_each(&mut tell),
        Side::Query => cut.words().for_each(&mut tell),
    }
    bytes.len() - 1
}

/// The terms of a run that is cut into pairs. Gives its characters.
fn paired(run: Run<'_>, position: usize, side: Side, tell: &mut Tell<'_>) -> usize {
    let mut width = 0;
    pairs(run, &mut |pair| {
        let words = pair.words as usize;
        let marks = |c: char| unicode_normalization::char::is_combining_mark(c);
        let second = pair.text.char_indices().skip(1).find(|&(_, c)| !marks(c)).map_or(pair.text.len(), |(at, _)| at);
        let end = pair.start + pair.text.len();
        let is_pair = second < pair.text.len();
        if is_pair {
            tell(&lower(pair.text), pair.start..end, position + width, 2, Cut::Pairs, false);
        }
        if side == Side::Page || !is_pair {
            let (one, other) = pair.text.split_at(second);
            tell(&lower(one), pair.start..pair.start + second, position + width, 1, Cut::Pairs, false);
            if words == 2 {
                tell(&lower(other), pair.start + second..end, position + width + 1, 1, Cut::Pairs, false);
            }
        }
        width += words;
    });
    width
}

/// A word in parts that are Hangul throughout (to be paired) or not at all.
fn by_hangul(run: Run<'_>) -> impl Iterator<Item = Run<'_>> {
    let mut rest = run;
    std::iter::from_fn(move || {
        let first = rest.text.chars().next()?;
        let is_mark = unicode_normalization::char::is_combining_mark;
        let same = |c: char| is_hangul(c) == is_hangul(first) || is_mark(c);
        let end = rest.text.char_indices().find(|&(_, c)| !same(c)).map_or(rest.text.len(), |(at, _)| at);
        let (text, tail) = rest.text.split_at(end);
        let kind = if is_hangul(first) { Kind::Pair } else { rest.kind };
        let part = Run { text, start: rest.start, kind };
        rest = Run { text: tail, start: rest.start + end, kind: rest.kind };
        Some(part)
    })
}

fn is_hangul(c: char) -> bool {
    matches!(c, '\u{AC00}'..='\u{D7AF}' | '\u{1100}'..='\u{11FF}' | '\u{3131}'..='\u{318E}')
}

/// What is done with words.
struct Rules {
    analyser: Analyser,
    language: Language,
    stopwords: Stopwords,
}

impl Rules {
    fn of(analyser: Analyser) -> Self {
        Self { analyser, language: analyser.language(), stopwords: Stopwords::default() }
    }

    /// The language that a word is taken for: the page's own, or that which its script is mostly used for.
    fn language_of(&self, word: &str) -> Language {
        let script = script(word);
        if self.analyser == Analyser::OTHER || script.is_none() || script == script_of(self.language) {
            return self.language;
        }
        let foreign = FOREIGN.iter().find(|(foreign, _)| Some(*foreign) == script);
        foreign.map_or(self.language, |(_, code)| Language::from_tag(code))
    }

    /// The term of a word, and whether it is a stop word.
    fn term(&self, word: &str) -> (String, bool) {
        let word = lower(up_to(word, MAX_TERM));
        let language = self.language_of(&word);
        let is_stopword = self.stopwords.is_stopword(language, &word);
        let stem = algorithm(language).map(|algorithm| Stemmer::create(algorithm).stem(&word).into_owned());
        let term = without_accents(&stem.filter(|stem| !stem.is_empty()).unwrap_or(word));
        // Lower case and ligatures may have made it longer again.
        (up_to(&term, MAX_TERM).to_owned(), is_stopword)
    }
}

/// The head of a text, of at most so many bytes.
fn up_to(text: &str, bytes: usize) -> &str {
    let mut end = bytes.min(text.len());
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    &text[..end]
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn terms(text: &str, code: &str, side: Side) -> String {
        let mut all = Vec::new();
        search_terms(text, Analyser::of(Language::from_tag(code)), side, &mut |term| {
            all.push(format!("{}@{}", term.text, term.position));
        });
        all.join(" ")
    }

    #[test]
    fn words_are_stemmed_by_their_language_and_lose_accents() {
        for (code, text, wanted) in [
            ("en", "The keepers' ﬁshes, 1902 Wi-Fi", "the@0 keeper@1 fish@2 1902@3 wi@4 fi@5"),
            ("de", "Die Häuser der Straße", "die@0 haus@1 der@2 strass@3"),
            ("fr", "Les résumés", "le@0 resum@1"),
            ("ru", "Ёлки и маяков keepers", "елк@0 и@1 маяк@2 keeper@3"),
            ("el", "Οι φάροι", "οι@0 φαρ@1"),
            ("tr", "İstanbul'da", "istanbul@0 da@1"),
            ("pl", "Łódź keepers", "lodz@0 keepers@1"),
            ("", "", ""),
            ("en", "a\0b", "a@0 b@1"),
            ("he", "שלום עולם", "שלום@0 עולם@1"),
        ] {
            assert_eq!(terms(text, code, Side::Query), wanted);
        }
    }

    #[test]
    fn chinese_is_cut_into_words_and_their_parts() {
        assert_eq!(terms("國家圖書館 ABCs", "zh", Side::Query), "国家图书馆@0 abc@5");
        let page = terms("国家图书馆", "zh", Side::Page);
        for part in ["国家@0", "图书@2", "图书馆@2", "国家图书馆@0", "国@0", "馆@4"] {
            assert!(page.split(' ').any(|term| term == part), "{part}: {page}");
        }
    }

    #[test]
    fn scripts_without_blanks_are_paired_and_korean_too() {
        assert_eq!(terms("灯台守", "ja", Side::Query), "灯台@0 台守@1");
        assert_eq!(terms("灯台守", "ja", Side::Page), "灯台@0 灯@0 台守@1 台@1 守@2");
        assert_eq!(terms("猫", "ja", Side::Query), "猫@0");
        assert_eq!(terms("ｶﾞｲﾄﾞ", "ja", Side::Query), "ガイ@0 イド@1");
        assert_eq!(terms("LG전자는 좋다", "ko", Side::Query), "lg@0 전자@1 자는@2 좋다@4");
        assert_eq!(terms("ที่นี่", "th", Side::Query), "ที่นี่@0");
    }

    #[test]
    fn long_words_are_cut_on_both_sides_alike() {
        let long = "x".repeat(100_000);
        let page = terms(&long, "en", Side::Page);
        assert_eq!(page.len(), MAX_TERM + 2);
        assert_eq!(page, terms(&long, "en", Side::Query));
        assert!(terms(&"ﷺ".repeat(400), "ar", Side::Page).split(' ').all(|term| term.len() < MAX_TERM + 8));
    }

    #[test]
    fn every_stemmed_language_has_its_analyser() {
        for code in CODES.iter().skip(1) {
            let language = Language::from_tag(code);
            assert_eq!(Analyser::of(language).code(), *code);
            assert!(algorithm(language).is_some() || ["ja", "zh"].contains(code), "{code}");
        }
    }

    proptest! {
        /// What is asked for in the very words of a page is found there: each term of the query side is on the page side, at
        /// the place where it stands.
        #[test]
        fn pages_hold_what_is_asked_for(
            before in "[a-z 国家灯台]{0,6}", text in "[a-zé 灯台守图书馆国家ガイ전자ที่]{0,12}", at in 0_usize..21,
        ) {
            let analyser = Analyser::all().nth(at).expect("21 of them");
            let page = format!("{before}. {text}");
            let mut held = std::collections::BTreeSet::new();
            search_terms(&page, analyser, Side::Page, &mut |term| {
                held.insert((term.text.to_owned(), term.range.start));
                assert!(page.get(term.range.clone()).is_some());
            });
            let from = page.len() - text.len();
            search_terms(&text, analyser, Side::Query, &mut |term| {
                let wanted = (term.text.to_owned(), term.range.start + from);
                assert!(held.contains(&wanted), "{wanted:?} of {page:?}: {held:?}");
            });
        }
    }
}
