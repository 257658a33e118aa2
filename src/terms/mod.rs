//! A page's words: its language, its terms and how often each occurs.
//!
//! A *word* is what lengths are counted in; a *term* is what the site model counts: a word in lower case and NFKC,
//! stemmed, no stop word. Text without blanks between words is cut by a dictionary (Chinese) or into pairs of characters
//! (Japanese, Thai, Lao, Khmer, Burmese).
mod counts;
mod language;
mod page_terms;
mod script;
mod search_fold;
mod search_terms;
mod segment;
mod stopwords;
mod tokenize;

pub use counts::{PageCounts, chunk_hashes, chunk_texts};
pub use language::{Language, detect, detect_briefly};
pub use page_terms::{Occurrence, PageTerms, TermOptions, page_terms};
pub(crate) use script::{is_unspaced, push_lower};
pub use search_terms::{Analyser, Cut, MAX_TERM, SearchTerm, Side, search_terms};
pub use stopwords::{StopwordError, Stopwords};
pub(crate) use tokenize::count_words;
