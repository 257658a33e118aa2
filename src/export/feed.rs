//! [`Feed`]: documents as JSON lines, in the forms that search engines import.
//!
//! What each engine asks of ids and lines:
//!
//! - Meilisearch: `id` of letters, digits, `-` and `_`; one object a line (`application/x-ndjson`). Deletions are another
//!   request, of a JSON array of ids.
//! - Typesense: `id` is a string; one object a line, for `documents/import?action=upsert`. Deletions are requests by id.
//! - Vespa: `{"put":"id:NAMESPACE:TYPE::ID","fields":{…}}` and `{"remove":"id:NAMESPACE:TYPE::ID"}`, one a line.
//!
//! Our ids are 32 hexadecimal digits, so that they suit all of them.

use super::lines::{DeletionForm, Deletions, Lines};
use super::{ExportError, Fields, Outgoing, Sink, Summary, json_line};
use serde::Serialize;
use std::path::Path;

/// The form of a feed's lines.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FeedForm {
    /// Documents, or the parts of them that are asked for; a document that is taken back gives `id`, `url` and `deleted`.
    Jsonl(Option<Fields>),
    /// For Meilisearch.
    Meilisearch(Fields),
    /// For Typesense.
    Typesense(Fields),
    /// For Vespa: namespace and document type, and the fields.
    Vespa {
        /// What stands between the first two colons of ids.
        namespace: String,
        /// The document type of the schema.
        doctype: String,
        /// The fields of the schema.
        fields: Fields,
    },
}

/// Documents as lines.
#[derive(Debug)]
pub struct Feed {
    form: FeedForm,
    out: Lines,
    deletions: Option<Deletions>,
    summary: Summary,
}

impl Feed {
    /// A feed to `out`. `path` is where that leads, if it is no stream: deletions that the form has no line for are listed
    /// beside it, as `PATH.deleted`.
    pub fn new(form: FeedForm, out: Lines, path: Option<&Path>) -> Self {
        let deletions = match form {
            FeedForm::Jsonl(_) | FeedForm::Vespa { .. } => None,
            FeedForm::Meilisearch(_) => Some(DeletionForm::Array),
            FeedForm::Typesense(_) => Some(DeletionForm::Lines),
        };
        let form = match form {
            FeedForm::Meilisearch(fields) => FeedForm::Meilisearch(fields.with_id()),
            FeedForm::Typesense(fields) => FeedForm::Typesense(fields.with_id()),
            // The id of a Vespa document is no field of it.
            FeedForm::Vespa { namespace, doctype, fields } => {
                FeedForm::Vespa { namespace, doctype, fields: fields.without(&[super::fields::Field::Id]) }
            }
            form @ FeedForm::Jsonl(_) => form,
        };
        let deletions = deletions.map(|listed| Deletions::beside(path, listed));
        Self { form, out, deletions, summary: Summary::default() }
    }
}

/// A line that takes a document back.
#[derive(Debug, Serialize)]
struct TakenBack<'a> {
    id: &'a str,
    url: &'a str,
    deleted: bool,
}

#[derive(Debug, Serialize)]
struct Put<T> {
    put: String,
    fields: T,
}

#[derive(Debug, Serialize)]
struct Remove {
    remove: String,
}

impl Sink for Feed {
    fn write(&mut self, page: &Outgoing<'_>) -> Result<(), ExportError> {
        let document = page.document;
        let line = match &self.form {
            FeedForm::Jsonl(None) => json_line(document),
            FeedForm::Jsonl(Some(fields)) | FeedForm::Meilisearch(fields) | FeedForm::Typesense(fields) => {
                json_line(&fields.of(document))
            }
            FeedForm::Vespa { namespace, doctype, fields } => {
                let put = format!("id:{namespace}:{doctype}::{}", document.id);
                without_controls(&json_line(&Put { put, fields: fields.of(document) }))
            }
        };
        self.out.write(line.as_bytes())?;
        self.summary.written += 1;
        Ok(())
    }

    fn remove(&mut self, id: &str, url: &str) -> Result<(), ExportError> {
        match (&self.form, &mut self.deletions) {
            (_, Some(deletions)) => deletions.add(id)?,
            (FeedForm::Vespa { namespace, doctype, .. }, None) => {
                let line = json_line(&Remove { remove: format!("id:{namespace}:{doctype}::{id}") });
                self.out.write(line.as_bytes())?;
            }
            (_, None) => self.out.write(json_line(&TakenBack { id, url, deleted: true }).as_bytes())?,
        }
        self.summary.removed += 1;
        Ok(())
    }

    fn finish(self: Box<Self>) -> Result<Summary, ExportError> {
        let mut summary = self.summary;
        if let Some(parts) = self.out.commit()? {
            summary.notes.push(format!("parts: {parts}"));
        }
        if let Some(path) = self.deletions.map(Deletions::commit).transpose()?.flatten() {
            summary.notes.push(format!("deleted documents are listed in {}", path.display()));
        }
        Ok(summary)
    }
}

/// A line of JSON without what Vespa refuses in strings: control characters other than tab and line ends, and code points
/// that are no characters.
fn without_controls(line: &str) -> String {
    let mut out = String::with_capacity(line.len());
    let mut chars = line.chars();
    while let Some(c) = chars.next() {
        match c {
            '\\' => match chars.next() {
                // All that is escaped by number is a control character, or a line end that Vespa takes.
                Some('u') => {
                    let digits: String = chars.by_ref().take(4).collect();
                    if matches!(&*digits, "0085" | "2028" | "2029") {
                        out.push_str("\\u");
                        out.push_str(&digits);
                    }
                }
                Some('b' | 'f') | None => {}
                Some(escaped) => out.extend(['\\', escaped]),
            },
            '\u{fdd0}'..='\u{fdef}' => {}
            c if u32::from(c) & 0xfffe == 0xfffe => {}
            c => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::export::Output;
    use crate::export::fixture::{HOSTILE, Held, Place, hostile, sample};
    use serde_json::Value;

    fn lines_of(form: FeedForm, gone: &[(&str, &str)]) -> Vec<Value> {
        let held = Held::default();
        let out = Lines::one(Output::Stream(Box::new(held.clone())));
        let sink = Box::new(Feed::new(form, out, None));
        let summary = Place::new().send(sink, &[sample(), hostile(1)], gone);
        assert_eq!((summary.written, summary.removed), (2, gone.len() as u64));
        let text = held.text();
        assert!(text.ends_with('\n'));
        // Readers that take other characters for line ends see the same lines.
        let ends = |c: char| matches!(c, '\n' | '\r' | '\u{b}' | '\u{c}' | '\u{85}' | '\u{2028}' | '\u{2029}');
        text.trim_end().split(ends).map(|line| serde_json::from_str(line).unwrap()).collect()
    }

    #[test]
    fn json_lines_hold_what_the_document_holds() {
        let lines = lines_of(FeedForm::Jsonl(None), &[("ab", "http://h.example/gone")]);
        assert_eq!(lines[0], serde_json::to_value(sample()).unwrap());
        assert_eq!(lines[1]["text"], HOSTILE);
        assert_eq!(lines[2], serde_json::json!({"id": "ab", "url": "http://h.example/gone", "deleted": true}));
        let fields = Fields::named(["url", "title"]).unwrap();
        let lines = lines_of(FeedForm::Jsonl(Some(fields)), &[]);
        assert_eq!(lines[1], serde_json::json!({"url": "http://h.example/1", "title": HOSTILE}));
    }

    #[test]
    fn engines_get_ids_by_their_rules() {
        let fields = || Fields::named(["title"]).unwrap();
        for form in [FeedForm::Meilisearch(fields()), FeedForm::Typesense(fields())] {
            for line in lines_of(form, &[]) {
                let id = line["id"].as_str().unwrap();
                assert!(id.len() == 32 && id.bytes().all(|b| b.is_ascii_alphanumeric()), "{id}");
                assert_eq!(line.as_object().unwrap().len(), 2);
            }
        }
        let vespa =
            FeedForm::Vespa { namespace: "n".to_owned(), doctype: "page".to_owned(), fields: Fields::default() };
        let lines = lines_of(vespa, &[("ab", "")]);
        assert_eq!(lines[0]["put"], "id:n:page::00ff00ff00ff00ff00ff00ff00ff00ff");
        assert!(lines[0]["fields"].get("id").is_none());
        assert_eq!(lines[2], serde_json::json!({"remove": "id:n:page::ab"}));
        let text = lines[1]["fields"]["text"].as_str().unwrap();
        assert_eq!(text, "=1+1\n\"q\", \u{2028}\u{2029}\u{85}\\u0000 \u{202e}gnp<&]]>'---\r\n\t𝄞");
    }
}
