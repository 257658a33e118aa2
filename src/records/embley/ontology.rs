//! [`Ontology`]: what is known of an application, as far as OM needs it, and its plain-text form.

use super::Params;
use regex::Regex;
use std::fmt;
use std::str::FromStr;
use thiserror::Error;

/// The object sets of an application: what a record of it may hold.
///
/// Written as lines of a word and its value; blank lines and lines that begin with `#` say nothing:
///
/// ```text
/// ontology obituaries
/// object Death Date
/// relation one-to-one
/// keyword (?i)\bdied on\b
/// keyword (?i)\bpassed away\b
/// object Age
/// relation functional
/// value (?i)\bage \d{1,3}\b
/// type number
/// object Relative
/// ```
///
/// - `ontology` names the whole, once, first.
/// - `object` begins an object set; the lines behind it are its own. An object set needs none of them: it is counted all
///   the same, as the paper bounds the fields that OM asks by the number of object sets.
/// - `relation one-to-one` or `relation functional` makes it a record-identifying field: every record has it exactly once, or
///   at most once.
/// - `keyword` is a regular expression whose match shows that the field is there; `value` one that matches the field's value.
///   An object set may have several of one kind. Case counts unless the expression says `(?i)`.
/// - `type` names the type of its values (date, number). Values of a type that another object set has too identify nothing.
#[derive(Clone, Debug)]
pub struct Ontology {
    /// Its name.
    pub name: String,
    /// Its object sets in the order written.
    pub objects: Vec<ObjectSet>,
}

/// One object set.
#[derive(Clone, Debug)]
pub struct ObjectSet {
    /// Its name.
    pub name: String,
    /// How its objects belong to records; `None` where a record may hold any number of them.
    pub relation: Option<Relation>,
    /// What its patterns match.
    pub indicator: Indicator,
    /// The type of its values.
    pub value_type: Option<String>,
    patterns: Vec<Regex>,
}

/// How the objects of a record-identifying field belong to records; the better ones first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Relation {
    /// One in each record.
    OneToOne,
    /// One at most in each record.
    Functional,
}

/// What the patterns of an object set match; the better ones first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Indicator {
    /// Words that show that the field is there.
    Keyword,
    /// The field's value.
    Value,
}

/// Why a text is no ontology. Lines are counted from 1.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum OntologyError {
    /// The first line with content names no ontology.
    #[error("line {line}: an ontology begins with a line `ontology NAME`")]
    NoName {
        /// The line.
        line: usize,
    },
    /// A line begins with a word that has no meaning, or a second `ontology`.
    #[error("line {line}: `{word}` is none of `object`, `relation`, `keyword`, `value` and `type`")]
    UnknownWord {
        /// The line.
        line: usize,
        /// The word.
        word: String,
    },
    /// A word without its value.
    #[error("line {line}: `{word}` has no value")]
    NoValue {
        /// The line.
        line: usize,
        /// The word.
        word: String,
    },
    /// A line of an object set before the first of these.
    #[error("line {line}: `{word}` belongs to an object set; begin one with `object NAME`")]
    NoObject {
        /// The line.
        line: usize,
        /// The word.
        word: String,
    },
    /// A relation that is none.
    #[error("line {line}: the relation `{relation}` is neither `one-to-one` nor `functional`")]
    UnknownRelation {
        /// The line.
        line: usize,
        /// What stands there.
        relation: String,
    },
    /// Keywords and values in one object set.
    #[error("line {line}: the object set `{object}` has keywords and values; give it one kind")]
    MixedIndicators {
        /// The line.
        line: usize,
        /// The object set.
        object: String,
    },
    /// A pattern that is no regular expression.
    #[error("line {line}: the pattern does not compile: {reason}")]
    BadPattern {
        /// The line.
        line: usize,
        /// What the compiler says.
        reason: String,
    },
}

/// Ontologies that come with the crate, with their names.
const SHIPPED: [(&str, &str); 4] = [
    ("obituaries", include_str!("../../../models/ontologies/obituaries.txt")),
    ("car-ads", include_str!("../../../models/ontologies/car-ads.txt")),
    ("job-ads", include_str!("../../../models/ontologies/job-ads.txt")),
    ("courses", include_str!("../../../models/ontologies/courses.txt")),
];

impl Ontology {
    /// Reads the plain-text form.
    pub fn parse(text: &str) -> Result<Self, OntologyError> {
        let is_said = |line: &&str| !line.is_empty() && !line.starts_with('#');
        let mut lines =
            (1..).zip(text.trim_start_matches('\u{feff}').lines().map(str::trim)).filter(|(_, line)| is_said(line));
        let (line, first) = lines.next().unwrap_or((1, ""));
        let name = first.strip_prefix("ontology ").ok_or(OntologyError::NoName { line })?;
        let mut ontology = Self { name: name.trim().to_owned(), objects: Vec::new() };
        for (line, text) in lines {
            let (word, value) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
            ontology.read_line(line, word, value.trim())?;
        }
        Ok(ontology)
    }

    fn read_line(&mut self, line: usize, word: &str, value: &str) -> Result<(), OntologyError> {
        let named = || word.to_owned();
        if !matches!(word, "object" | "relation" | "keyword" | "value" | "type") {
            return Err(OntologyError::UnknownWord { line, word: named() });
        }
        if value.is_empty() {
            return Err(OntologyError::NoValue { line, word: named() });
        }
        if word == "object" {
            self.objects.push(ObjectSet {
                name: value.to_owned(),
                relation: None,
                indicator: Indicator::Keyword,
                value_type: None,
                patterns: Vec::new(),
            });
            return Ok(());
        }
        let object = self.objects.last_mut().ok_or(OntologyError::NoObject { line, word: named() })?;
        match word {
            "relation" => object.relation = Some(relation(line, value)?),
            "type" => object.value_type = Some(value.to_owned()),
            _ => {
                let indicator = if word == "keyword" { Indicator::Keyword } else { Indicator::Value };
                if !object.patterns.is_empty() && object.indicator != indicator {
                    return Err(OntologyError::MixedIndicators { line, object: object.name.clone() });
                }
                object.indicator = indicator;
                let bad = |error: regex::Error| OntologyError::BadPattern { line, reason: reason(&error) };
                object.patterns.push(Regex::new(value).map_err(bad)?);
            }
        }
        Ok(())
    }

    /// Names of the ontologies that come with the crate.
    pub fn shipped_names() -> impl Iterator<Item = &'static str> {
        SHIPPED.iter().map(|(name, _)| *name)
    }

    /// An ontology that comes with the crate; `None` for a name that none has.
    pub fn shipped(name: &str) -> Option<Self> {
        let (_, text) = SHIPPED.iter().find(|(known, _)| *known == name)?;
        Self::parse(text).ok()
    }

    /// The record-identifying fields that OM asks, best first: those in one-to-one relation before functional ones, keywords
    /// before values, and no values of a type that another object set shares. `None` where they are too few (section 4.5):
    /// fewer than three, or three would be more than 20 % of the object sets.
    pub fn record_identifying_fields(&self, params: &Params) -> Option<Vec<&ObjectSet>> {
        let shares_type = |object: &ObjectSet| {
            let same = |other: &&ObjectSet| object.value_type.is_some() && other.value_type == object.value_type;
            self.objects.iter().filter(same).count() > 1
        };
        let is_asked = |object: &&ObjectSet| {
            let is_plain_value = object.indicator == Indicator::Value && shares_type(object);
            object.relation.is_some() && !object.patterns.is_empty() && !is_plain_value
        };
        let mut fields: Vec<&ObjectSet> = self.objects.iter().filter(is_asked).collect();
        fields.sort_by_key(|object| (object.relation, object.indicator));
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a share of a small number")]
        let most = (self.objects.len() as f64 * params.most_fields).max(0.0) as usize;
        fields.truncate(most);
        (fields.len() >= params.least_fields.max(1)).then_some(fields)
    }

    /// How many records the text holds by its record-identifying fields: the mean of their numbers of occurrences. `None`
    /// where the fields are too few. Time linear in the text for each pattern.
    pub fn estimate(&self, text: &str, params: &Params) -> Option<f64> {
        let fields = self.record_identifying_fields(params)?;
        let occurrences: usize = fields.iter().map(|field| field.occurrences(text)).sum();
        Some(occurrences as f64 / fields.len() as f64)
    }
}

impl FromStr for Ontology {
    type Err = OntologyError;
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        Self::parse(text)
    }
}

fn relation(line: usize, value: &str) -> Result<Relation, OntologyError> {
    match value {
        "one-to-one" => Ok(Relation::OneToOne),
        "functional" => Ok(Relation::Functional),
        _ => Err(OntologyError::UnknownRelation { line, relation: value.to_owned() }),
    }
}

/// What the compiler says in one line: its last, without the pattern drawn above it.
fn reason(error: &regex::Error) -> String {
    let said = error.to_string();
    let last = said.lines().last().unwrap_or_default().trim();
    last.strip_prefix("error: ").unwrap_or(last).to_owned()
}

impl ObjectSet {
    /// How often its patterns match in a text. Time linear in the text for each.
    pub fn occurrences(&self, text: &str) -> usize {
        self.patterns.iter().map(|pattern| pattern.find_iter(text).count()).sum()
    }
}

impl fmt::Display for ObjectSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn error(text: &str) -> OntologyError {
        Ontology::parse(text).unwrap_err()
    }

    #[test]
    fn what_is_wrong_is_said_with_its_line() {
        assert_eq!(error(""), OntologyError::NoName { line: 1 });
        assert_eq!(error("# a\n\nobject A"), OntologyError::NoName { line: 3 });
        assert!(Ontology::parse("\u{feff}ontology a").is_ok(), "a byte order mark is no content");
        assert_eq!(error("ontology a\n\nkeyword x"), OntologyError::NoObject { line: 3, word: "keyword".into() });
        assert_eq!(error("# a\nontology a\nobjects"), OntologyError::UnknownWord { line: 3, word: "objects".into() });
        assert_eq!(error("ontology a\nobject"), OntologyError::NoValue { line: 2, word: "object".into() });
        let wanted = OntologyError::UnknownRelation { line: 3, relation: "many".into() };
        assert_eq!(error("ontology a\nobject A\nrelation many"), wanted);
        let mixed = error("ontology a\nobject A\nvalue x\nkeyword y");
        assert_eq!(mixed, OntologyError::MixedIndicators { line: 4, object: "A".into() });
        let bad = error("ontology a\nobject A\nvalue (");
        assert_eq!(bad.to_string(), "line 3: the pattern does not compile: unclosed group");
    }

    /// Section 4.5: the order from best to worst, shared types, and both bounds of the number of fields.
    #[test]
    fn fields_are_chosen_from_best_to_worst() {
        let head = "ontology a
            object Value\nrelation one-to-one\nvalue v
            object Date\nrelation one-to-one\nvalue d\ntype date
            object Other Date\ntype date
            object Functional\nrelation functional\nkeyword f
            object Keyword\nrelation one-to-one\nkeyword k
            object Unrelated\nkeyword u\n";
        let names = |others: usize| {
            let ontology = Ontology::parse(&(head.to_owned() + &"object X\n".repeat(others))).unwrap();
            let fields = ontology.record_identifying_fields(&Params::PAPER);
            fields.map(|fields| fields.into_iter().map(ToString::to_string).collect::<Vec<_>>().join(" "))
        };
        assert_eq!(names(8), None, "20 % of 14 are fewer than 3");
        assert_eq!(names(9).as_deref(), Some("Keyword Value Functional"));
        assert_eq!(names(100).as_deref(), Some("Keyword Value Functional"));
        let few = Ontology::parse(
            &("ontology a\nobject A\nrelation functional\nkeyword a\n".to_owned() + &"object X\n".repeat(99)),
        );
        assert!(few.unwrap().record_identifying_fields(&Params::PAPER).is_none());
    }

    #[test]
    fn shipped_ontologies_identify_records() {
        for name in Ontology::shipped_names() {
            let ontology = Ontology::shipped(name).unwrap_or_else(|| panic!("{name} does not parse"));
            assert!(ontology.record_identifying_fields(&Params::PAPER).is_some(), "{name}");
        }
        let estimate =
            |name: &str, text: &str| Ontology::shipped(name).unwrap().estimate(text, &Params::PAPER).unwrap();
        let cars = "1994 FORD Taurus, 4 dr, auto, 60,000 miles, $4,500 obo. 555-1234\n\
                    '91 Honda Civic, 5 spd, 90K mi. Asking $3,200. 555-9876";
        assert!((estimate("car-ads", cars) - 2.0).abs() < 0.5);
        let jobs = "PROGRAMMER. C++, 3 years experience required. Send resume to Box 12.\n\
                    ANALYST. BS degree, 2 yrs experience. Fax resume to 555-1234.";
        assert!((estimate("job-ads", jobs) - 2.0).abs() < 0.7);
        let courses =
            "CS 200 Theory. 3 credits. Prerequisite: CS 100.\nCS 213 Practice (4 credit hours). Prereq: CS 200.";
        assert!((estimate("courses", courses) - 2.0).abs() < 0.7);
        assert!(Ontology::shipped("weather").is_none());
    }
}
