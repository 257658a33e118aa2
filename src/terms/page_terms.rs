//! [`page_terms`]: the terms of a page and where they stand.

use super::tokenize::{Kind, Token, tokens};
use super::{Language, Stopwords, detect};
use crate::dom::{Dom, NodeId, NodeMap};
use rust_stemmers::{Algorithm, Stemmer};
use rustc_hash::{FxHashMap, FxHashSet};
use unicode_normalization::{IsNormalized, UnicodeNormalization, is_nfkc_quick};

/// How terms are made.
#[derive(Clone, Debug, Default)]
pub struct TermOptions {
    /// Keep numbers as terms. The paper drops them: nearly each is new, so their weight is noise (WISDOM, section 4.4).
    pub keep_numbers: bool,
    /// The stop words.
    pub stopwords: Stopwords,
}

/// One occurrence of a term.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Occurrence {
    /// The text node in which the term begins.
    pub node: NodeId,
    /// Index into [`PageTerms::terms`].
    pub term: u32,
}

/// The terms of one page.
#[derive(Clone, Debug)]
pub struct PageTerms {
    /// The page's language.
    pub language: Language,
    /// Distinct terms in order of first occurrence.
    pub terms: Vec<Box<str>>,
    /// All occurrences in document order.
    pub occurrences: Vec<Occurrence>,
    /// Words of each text node, stop words and numbers among them; a character counts as a word in scripts without
    /// blanks. 0 for elements and for hidden text.
    pub words: NodeMap<u32>,
}

/// Cuts the visible text of a page into terms. Time linear in the text (stems are looked up once a distinct word).
///
/// ```
/// use wisdom::{dom::Dom, terms::{TermOptions, page_terms}};
/// let terms = page_terms(&Dom::parse("<html lang=en><p>The keepers kept keeping the lamp lit."), &TermOptions::default());
/// assert_eq!(terms.terms.join(" "), "keeper kept keep lamp lit");
/// ```
pub fn page_terms(dom: &Dom, options: &TermOptions) -> PageTerms {
    let language = detect(dom);
    let mut maker = Maker::new(language, options);
    let mut occurrences = Vec::new();
    let mut words = NodeMap::filled(dom, 0_u32);
    for node in dom.ids().filter(|&id| dom.is_text(id) && !dom.is_hidden(id)) {
        let mut length = 0_u32;
        tokens(dom.text(node), language == Language::JAPANESE, |token| {
            length += token.words;
            if let Some(term) = maker.term(token) {
                occurrences.push(Occurrence { node, term });
            }
        });
        words[node] = length;
    }
    PageTerms { language, terms: maker.terms, occurrences, words }
}

/// Makes terms of tokens, each distinct token once.
struct Maker<'a> {
    own: Rules<'a>,
    own_script: Option<Script>,
    /// For words in a script that the page's language does not use: most such words are of one language, and the same
    /// word must give the same term on every page of the site, whatever the rest of the page is written in.
    foreign: [Rules<'a>; FOREIGN.len()],
    keep_numbers: bool,
    known: FxHashMap<Box<str>, Option<u32>>,
    numbers: FxHashMap<Box<str>, u32>,
    terms: Vec<Box<str>>,
}

struct Rules<'a> {
    stemmer: Option<Stemmer>,
    stopwords: Option<&'a FxHashSet<Box<str>>>,
}

impl<'a> Rules<'a> {
    fn of(language: Language, options: &'a TermOptions) -> Self {
        Self { stemmer: algorithm(language).map(Stemmer::create), stopwords: options.stopwords.of(language) }
    }
}

/// The scripts of the stemmed languages.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Script {
    Latin,
    Cyrillic,
    Greek,
    Arabic,
    Tamil,
}

/// The language that a word in a foreign script is taken for.
pub(super) const FOREIGN: [(Script, &str); 5] = [
    (Script::Latin, "en"),
    (Script::Cyrillic, "ru"),
    (Script::Greek, "el"),
    (Script::Arabic, "ar"),
    (Script::Tamil, "ta"),
];

pub(super) fn script(word: &str) -> Option<Script> {
    let first = word.chars().find(|c| c.is_alphabetic())?;
    match u32::from(first) {
        0x41..=0x24F | 0x1E00..=0x1EFF => Some(Script::Latin),
        0x370..=0x3FF | 0x1F00..=0x1FFF => Some(Script::Greek),
        0x400..=0x52F => Some(Script::Cyrillic),
        0x600..=0x6FF | 0x750..=0x77F => Some(Script::Arabic),
        0xB80..=0xBFF => Some(Script::Tamil),
        _ => None,
    }
}

/// The script that a language is written in, of those above.
pub(super) fn script_of(language: Language) -> Option<Script> {
    match language.code() {
        "ru" | "uk" | "be" | "bg" | "sr" | "mk" | "kk" | "mn" | "tg" | "ky" => Some(Script::Cyrillic),
        "el" => Some(Script::Greek),
        "ar" | "fa" | "ur" | "ps" | "ug" | "sd" => Some(Script::Arabic),
        "ta" => Some(Script::Tamil),
        "" | "zh" | "ja" | "ko" | "th" | "lo" | "km" | "my" | "he" | "yi" | "hy" | "ka" | "am" | "hi" | "mr" | "ne"
        | "bn" | "gu" | "pa" | "kn" | "te" | "ml" | "or" | "si" => None,
        _ => Some(Script::Latin),
    }
}

impl<'a> Maker<'a> {
    fn new(language: Language, options: &'a TermOptions) -> Self {
        Self {
            own: Rules::of(language, options),
            own_script: script_of(language),
            foreign: FOREIGN.map(|(_, code)| Rules::of(Language::from_tag(code), options)),
            keep_numbers: options.keep_numbers,
            known: FxHashMap::default(),
            numbers: FxHashMap::default(),
            terms: Vec::new(),
        }
    }

    /// The rules for a word: the page's own, or those of the language that its script is mostly used for.
    fn rules(&self, word: &str) -> &Rules<'a> {
        let script = script(word);
        if script.is_none() || script == self.own_script {
            return &self.own;
        }
        FOREIGN.iter().position(|(foreign, _)| Some(*foreign) == script).map_or(&self.own, |at| &self.foreign[at])
    }

    fn term(&mut self, token: Token<'_>) -> Option<u32> {
        if let Some(&known) = self.known.get(token.text) {
            return known;
        }
        let term = self.normal(token).map(|term| self.number(term));
        self.known.insert(Box::from(token.text), term);
        term
    }

    #[allow(clippy::cast_possible_truncation, reason = "a page has fewer than 2^32 distinct terms")]
    fn number(&mut self, term: Box<str>) -> u32 {
        if let Some(&number) = self.numbers.get(&term) {
            return number;
        }
        let number = self.terms.len() as u32;
        self.terms.push(term.clone());
        self.numbers.insert(term, number);
        number
    }

    /// The term of a token; `None` for stop words, dropped numbers and lone Latin letters.
    fn normal(&self, token: Token<'_>) -> Option<Box<str>> {
        if token.kind == Kind::Number && !self.keep_numbers {
            return None;
        }
        let folded: String = match is_nfkc_quick(token.text.chars()) {
            IsNormalized::Yes => token.text.to_lowercase(),
            _ => token.text.nfkc().collect::<String>().to_lowercase(),
        };
        let folded = folded.replace(['\u{ad}', '\u{200c}', '\u{200d}'], "");
        let rules = self.rules(&folded);
        if folded.is_empty() || rules.stopwords.is_some_and(|words| words.contains(folded.as_str())) {
            return None;
        }
        // What is left of "it's" and "l'eau" after the apostrophe.
        if token.kind == Kind::Word && folded.is_ascii() && folded.len() == 1 {
            return None;
        }
        match (&rules.stemmer, token.kind) {
            (Some(stemmer), Kind::Word) => {
                let stem = stemmer.stem(&folded);
                Some(Box::from(if stem.is_empty() { folded.as_str() } else { &stem }))
            }
            _ => Some(folded.into_boxed_str()),
        }
    }
}

pub(super) fn algorithm(language: Language) -> Option<Algorithm> {
    Some(match language.code() {
        "ar" => Algorithm::Arabic,
        "da" => Algorithm::Danish,
        "nl" => Algorithm::Dutch,
        "en" => Algorithm::English,
        "fi" => Algorithm::Finnish,
        "fr" => Algorithm::French,
        "de" => Algorithm::German,
        "el" => Algorithm::Greek,
        "hu" => Algorithm::Hungarian,
        "it" => Algorithm::Italian,
        "no" => Algorithm::Norwegian,
        "pt" => Algorithm::Portuguese,
        "ro" => Algorithm::Romanian,
        "ru" => Algorithm::Russian,
        "es" => Algorithm::Spanish,
        "sv" => Algorithm::Swedish,
        "ta" => Algorithm::Tamil,
        "tr" => Algorithm::Turkish,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn terms(html: &str, keep_numbers: bool) -> String {
        let options = TermOptions { keep_numbers, ..TermOptions::default() };
        page_terms(&Dom::parse(html), &options).terms.join(" ")
    }

    #[test]
    fn stems_stop_words_and_numbers() {
        let english = "<html lang=en><p>The 12 KEEPERS of the lamps won't climb, and they didn't climb in 1902 with ﬁsh</p><script>hidden</script>";
        assert_eq!(terms(english, false), "keeper lamp climb fish");
        assert_eq!(terms(english, true), "12 keeper lamp climb 1902 fish");
        assert_eq!(
            terms("<html lang=zh><p>灯塔的守护人在港口读 the newspapers 和 ＡＢＣ", false),
            "灯塔 守护人 港口 读 newspap abc"
        );
        assert_eq!(
            terms("<html lang=ru><p>Смотрители маяков каждый вечер поднимались по лестнице и зажигали лампы", false),
            "смотрител маяк вечер поднима лестниц зажига ламп"
        );
    }

    #[test]
    fn a_word_gives_the_same_term_on_pages_of_other_languages() {
        let russian = "<html lang=ru><p>Смотрители маяков каждый вечер поднимались по лестнице, чтобы зажигать lamps";
        let english = "<html lang=en><p>The keepers climbed every evening to light the lamps; they read «Смотрители маяков» aloud";
        let (russian, english) = (terms(russian, false), terms(english, false));
        for term in ["смотрител", "маяк", "lamp"] {
            assert!(
                russian.split(' ').any(|t| t == term) && english.split(' ').any(|t| t == term),
                "{term}: {russian} / {english}"
            );
        }
    }

    #[test]
    fn occurrences_point_to_their_text_nodes_and_words_are_counted() {
        let dom = Dom::parse("<html lang=en><p>lamp and <b>lamp</b> oil 7");
        let page = page_terms(&dom, &TermOptions::default());
        let texts: Vec<_> = page.occurrences.iter().map(|o| (dom.text(o.node).trim(), o.term)).collect();
        assert_eq!(texts, [("lamp and", 0), ("lamp", 0), ("oil 7", 1)]);
        let total: u32 = dom.ids().map(|id| page.words[id]).sum();
        assert_eq!(total, 5);
    }
}
