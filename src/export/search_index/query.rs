//! What is typed, as a query.
//!
//! Every word must be on the page, in its title, its text or the texts of its links; `"several words"` must stand there
//! together; `-word` must not. Stop words count only in quotes, or where there is nothing else. There is no other syntax, and
//! nothing that is typed is an error.

use super::schema::{Fields, WordFields};
use crate::terms::{Analyser, Cut, Language, Side, search_terms};
use tantivy::query::{BooleanQuery, BoostQuery, ConstScoreQuery, Occur, PhraseQuery, Query, TermQuery};
use tantivy::schema::{Field, IndexRecordOption};
use tantivy::{Score, Term};

/// How a query is understood.
#[derive(Clone, Copy, Debug, Default)]
pub struct QueryOptions {
    /// Its language: only pages of this language are searched. Without one the query is read in each way in which the pages of
    /// the index were read.
    pub lang: Option<Language>,
}

/// How much more a word counts in a title than in the text, and in the text of a link.
const TITLE: Score = 2.0;
const LINK: Score = 0.5;

/// From this many characters on, a Chinese word is also looked for character by character: shorter words are found inside of
/// longer ones, since pages are cut into these as well.
const LONG_WORD: usize = 4;

/// Something that is asked for.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Wish<'a> {
    text: &'a str,
    is_phrase: bool,
    is_unwanted: bool,
}

/// Terms that are to stand together, with their places: one word, or a phrase.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Chain {
    /// (place from the first one on, term); not empty.
    pub(super) terms: Vec<(usize, String)>,
    is_stopword: bool,
}

/// A query as one analyser reads it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Reading {
    /// Of each group at least one chain.
    wanted: Vec<Vec<Chain>>,
    unwanted: Vec<Chain>,
}

impl Reading {
    /// Reads what is typed. Time linear in it.
    pub(super) fn new(query: &str, analyser: Analyser) -> Self {
        let mut reading = Self::default();
        for wish in wishes(query) {
            if wish.is_unwanted {
                // All of it together: "-wi-fi" keeps pages about wires.
                reading.unwanted.extend(phrase(wish.text, analyser));
            } else if wish.is_phrase {
                reading.wanted.extend(phrase(wish.text, analyser).map(|chain| vec![chain]));
            } else {
                reading.wanted.append(&mut words(wish.text, analyser));
            }
        }
        if reading.wanted.iter().flatten().any(|chain| !chain.is_stopword) {
            reading.wanted.retain(|chains| chains.iter().any(|chain| !chain.is_stopword));
        }
        reading
    }

    /// Whether there is nothing to look for.
    pub(super) fn is_empty(&self) -> bool {
        self.wanted.is_empty()
    }

    /// All that is to be marked in a text.
    pub(super) fn chains(&self) -> impl Iterator<Item = &Chain> {
        self.wanted.iter().flatten()
    }

    /// The query in the fields of its analyser; `None` where there is nothing to look for.
    pub(super) fn query(&self, fields: WordFields) -> Option<Box<dyn Query>> {
        if self.is_empty() {
            return None;
        }
        let wanted = self.wanted.iter().map(|chains| {
            let mut ways: Vec<Box<dyn Query>> = chains.iter().map(|chain| in_fields(chain, fields)).collect();
            let one = if ways.len() == 1 { ways.pop() } else { None };
            (Occur::Must, one.unwrap_or_else(|| Box::new(BooleanQuery::union(ways))))
        });
        let unwanted = self.unwanted.iter().map(|chain| (Occur::MustNot, in_fields(chain, fields)));
        Some(Box::new(BooleanQuery::new(wanted.chain(unwanted).collect())))
    }
}

/// The query over all languages of an index.
pub(super) fn combined(
    readings: &[(Analyser, Reading)],
    fields: &Fields,
    options: QueryOptions,
) -> Option<Box<dyn Query>> {
    let queries = readings.iter().filter_map(|(analyser, reading)| reading.query(fields.of(*analyser)?));
    let queries: Vec<Box<dyn Query>> = queries.collect();
    if queries.is_empty() {
        return None;
    }
    let any: Box<dyn Query> = Box::new(BooleanQuery::union(queries));
    Some(match options.lang {
        None => any,
        Some(lang) => {
            let lang = TermQuery::new(Term::from_field_text(fields.lang, lang.code()), IndexRecordOption::Basic);
            let lang = Box::new(ConstScoreQuery::new(Box::new(lang), 0.0));
            Box::new(BooleanQuery::intersection(vec![any, lang]))
        }
    })
}

fn in_fields(chain: &Chain, fields: WordFields) -> Box<dyn Query> {
    let title = Box::new(BoostQuery::new(in_field(chain, fields.title), TITLE));
    let links = Box::new(BoostQuery::new(in_field(chain, fields.links), LINK));
    Box::new(BooleanQuery::union(vec![title, in_field(chain, fields.body), links]))
}

fn in_field(chain: &Chain, field: Field) -> Box<dyn Query> {
    let mut terms: Vec<(usize, Term)> =
        chain.terms.iter().map(|(at, term)| (*at, Term::from_field_text(field, term))).collect();
    match terms.pop() {
        Some((_, term)) if terms.is_empty() => Box::new(TermQuery::new(term, IndexRecordOption::WithFreqs)),
        Some(last) => {
            terms.push(last);
            Box::new(PhraseQuery::new_with_offset(terms))
        }
        None => Box::new(BooleanQuery::union(Vec::new())),
    }
}

/// What is typed, wish by wish.
fn wishes(query: &str) -> Vec<Wish<'_>> {
    let is_quote = |c: char| matches!(c, '"' | '“' | '”' | '„' | '«' | '»');
    let mut wishes = Vec::new();
    let mut rest = query.trim_start();
    while let Some(first) = rest.chars().next() {
        let after = &rest[first.len_utf8()..];
        let is_unwanted = first == '-' && !after.starts_with(char::is_whitespace);
        let body = if is_unwanted { after } else { rest };
        let opening = body.chars().next().filter(|&c| is_quote(c));
        let (text, tail) = match opening {
            Some(quote) => {
                let body = &body[quote.len_utf8()..];
                let end = body.find(is_quote).unwrap_or(body.len());
                let tail = &body[end..];
                (&body[..end], tail.strip_prefix(is_quote).unwrap_or(tail))
            }
            None => body.split_at(body.find(char::is_whitespace).unwrap_or(body.len())),
        };
        wishes.push(Wish { text, is_phrase: opening.is_some(), is_unwanted });
        rest = tail.trim_start();
    }
    wishes
}

/// All of a text together. Chinese is looked for character by character, however the page around it is cut.
fn phrase(text: &str, analyser: Analyser) -> Option<Chain> {
    let mut terms: Vec<(usize, String)> = Vec::new();
    search_terms(text, analyser, Side::Query, &mut |term| match term.cut {
        Cut::Dictionary => {
            terms.extend(term.text.chars().enumerate().map(|(at, c)| (term.position + at, c.to_string())));
        }
        Cut::Blanks | Cut::Pairs => terms.push((term.position, term.text.to_owned())),
    });
    let first = terms.first()?.0;
    for (at, _) in &mut terms {
        *at -= first;
    }
    Some(Chain { terms, is_stopword: false })
}

/// The words of a text one by one. Neighbours of one character, which the dictionary does not know together (names), stay
/// together.
fn words(text: &str, analyser: Analyser) -> Vec<Vec<Chain>> {
    let mut groups: Vec<Vec<Chain>> = Vec::new();
    // The place after the lone character told last, if that was the last term.
    let mut lone_end = None;
    search_terms(text, analyser, Side::Query, &mut |term| {
        let is_lone = term.cut == Cut::Dictionary && term.width == 1;
        let single = |text: &str| Chain { terms: vec![(0, text.to_owned())], is_stopword: term.is_stopword };
        match groups.last_mut().and_then(|group| group.first_mut()) {
            Some(chain) if is_lone && lone_end == Some(term.position) => {
                let at = chain.terms.len();
                chain.terms.push((at, term.text.to_owned()));
                chain.is_stopword &= term.is_stopword;
            }
            _ => {
                let mut group = vec![single(term.text)];
                if term.cut == Cut::Dictionary && term.width >= LONG_WORD {
                    let characters = term.text.chars().enumerate().map(|(at, c)| (at, c.to_string()));
                    group.push(Chain { terms: characters.collect(), is_stopword: term.is_stopword });
                }
                groups.push(group);
            }
        }
        lone_end = is_lone.then_some(term.position + 1);
    });
    groups
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(query: &str, lang: &str) -> String {
        let reading = Reading::new(query, Analyser::of(Language::from_tag(lang)));
        let chain =
            |chain: &Chain| chain.terms.iter().map(|(at, term)| format!("{at}{term}")).collect::<Vec<_>>().join("+");
        let wanted = reading.wanted.iter().map(|chains| chains.iter().map(chain).collect::<Vec<_>>().join("|"));
        let unwanted = reading.unwanted.iter().map(|unwanted| format!("-{}", chain(unwanted)));
        wanted.chain(unwanted).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn words_phrases_and_what_is_unwanted() {
        for (lang, query, wanted) in [
            ("en", "harbour lamps", "0harbour 0lamp"),
            ("en", "the lamps of the harbour", "0lamp 0harbour"),
            ("en", "the", "0the"),
            ("en", "\"lamps of the harbour\" -tide", "0lamp+1of+2the+3harbour -0tide"),
            ("en", "“lamps -the", "0lamp+1the"),
            ("en", "Wi-Fi -wi-fi - x", "0wi 0fi 0x -0wi+1fi"),
            ("en", "-tide", "-0tide"),
            ("en", " \u{0} ", ""),
            ("en", "\"\"", ""),
            ("en", "title:x AND (lamp OR", "0titl 0x 0lamp"),
            ("zh", "灯塔维修", "0灯塔 0维修"),
            ("zh", "國家圖書館", "0国家图书馆|0国+1家+2图+3书+4馆"),
            ("zh", "\"灯塔维修\"", "0灯+1塔+2维+3修"),
            ("ja", "東京大学", "0東京 0京大 0大学"),
            ("ja", "\"東京大学\"", "0東京+1京大+2大学"),
        ] {
            assert_eq!(read(query, lang), wanted, "{query}");
        }
    }
}
