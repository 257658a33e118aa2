//! Stop words, one set a language.

use super::Language;
use rustc_hash::{FxHashMap, FxHashSet};
use std::sync::{Arc, LazyLock};
use unicode_normalization::UnicodeNormalization;

/// A stop-word list that could not be used.
#[derive(Debug, thiserror::Error)]
pub enum StopwordError {
    /// The name is no language code.
    #[error("'{name}' is no language code: name a stop-word list as in 'en.txt'")]
    NoLanguage {
        /// The name given.
        name: String,
    },
}

/// Stop-word sets by language. Cheap to clone.
#[derive(Clone, Debug)]
pub struct Stopwords(Arc<FxHashMap<Language, FxHashSet<Box<str>>>>);

macro_rules! shipped {
    ($($code:literal),* $(,)?) => {
        &[$(($code, include_str!(concat!("../../stopwords/", $code, ".txt")))),*]
    };
}

const SHIPPED: &[(&str, &str)] = shipped![
    "ar", "da", "de", "el", "en", "es", "fi", "fr", "hu", "it", "ja", "nl", "no", "pt", "ro", "ru", "sv", "ta", "th",
    "tr", "zh"
];

impl Default for Stopwords {
    /// The lists in `stopwords/`, embedded in the binary.
    fn default() -> Self {
        static LISTS: LazyLock<Stopwords> = LazyLock::new(|| {
            Stopwords(Arc::new(SHIPPED.iter().map(|(code, list)| (Language::from_tag(code), words(list))).collect()))
        });
        LISTS.clone()
    }
}

impl Stopwords {
    /// The shipped lists with some replaced: `(language code, text of the list)`; one word a line, `#` begins a comment.
    pub fn with_lists<'a>(lists: impl IntoIterator<Item = (&'a str, &'a str)>) -> Result<Self, StopwordError> {
        let mut all = Self::default().0.as_ref().clone();
        for (code, list) in lists {
            let language = Language::from_tag(code);
            if language.is_unknown() {
                return Err(StopwordError::NoLanguage { name: code.to_owned() });
            }
            all.insert(language, words(list));
        }
        Ok(Self(Arc::new(all)))
    }

    /// Whether a word, in lower case and NFKC, is a stop word of a language.
    pub(super) fn is_stopword(&self, language: Language, word: &str) -> bool {
        self.of(language).is_some_and(|words| words.contains(word))
    }

    /// The words of a language, if it has a list.
    pub(super) fn of(&self, language: Language) -> Option<&FxHashSet<Box<str>>> {
        self.0.get(&language)
    }
}

fn words(list: &str) -> FxHashSet<Box<str>> {
    list.lines()
        .map(|line| line.split('#').next().unwrap_or_default().trim())
        .filter(|word| !word.is_empty())
        .map(|word| word.nfkc().collect::<String>().to_lowercase().into_boxed_str())
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_stemmed_language_has_a_list_and_lists_can_be_replaced() {
        for code in [
            "ar", "da", "de", "el", "en", "es", "fi", "fr", "hu", "it", "nl", "no", "pt", "ro", "ru", "sv", "ta", "tr",
            "zh", "ja",
        ] {
            assert!(Stopwords::default().of(Language::from_tag(code)).is_some_and(|words| words.len() > 40), "{code}");
        }
        let own = Stopwords::with_lists([("en", "# mine\nlantern\n")]).expect("a language code");
        let english = own.of(Language::ENGLISH).expect("a list");
        assert!(english.contains("lantern") && !english.contains("the"));
        assert!(Stopwords::with_lists([("english words", "x")]).is_err());
    }
}
