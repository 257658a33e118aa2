//! [`OpenSearch`]: documents as bodies of the `_bulk` request of `OpenSearch` and Elasticsearch.
//!
//! A document is two lines, an action `{"index":{"_id":…}}` and the source; one that is taken back is the action
//! `{"delete":{"_id":…}}` alone. The last line ends as well. `index` replaces what has the same id, so that sending a body
//! twice changes nothing.

use super::lines::Lines;
use super::push::{Batch, Push};
use super::{ExportError, Fields, Outgoing, Sink, Summary, json_line};
use serde::Serialize;

/// Where bodies go.
#[derive(Debug)]
pub enum BulkTarget {
    /// To files.
    Lines(Lines),
    /// To a server, in requests of this many bytes at most, unless one document alone has more.
    Push(Box<Push>, u64),
}

/// Documents as `_bulk` bodies.
#[derive(Debug)]
pub struct OpenSearch {
    fields: Fields,
    index: Option<String>,
    target: BulkTarget,
    batch: Batch,
    summary: Summary,
}

impl OpenSearch {
    /// Bodies for an index, or where none is named for the one in the URL that they are sent to.
    pub fn new(fields: Fields, index: Option<String>, target: BulkTarget) -> Self {
        Self { fields: fields.with_id(), index, target, batch: Batch::default(), summary: Summary::default() }
    }

    fn send(&mut self, lines: &[u8], id: &str, url: &str, is_delete: bool) -> Result<(), ExportError> {
        match &mut self.target {
            BulkTarget::Lines(out) => {
                out.write(lines)?;
                self.summary.written += u64::from(!is_delete);
                self.summary.removed += u64::from(is_delete);
            }
            BulkTarget::Push(push, limit) => {
                if !self.batch.is_empty() && (self.batch.len() + lines.len()) as u64 > push.limit(*limit) {
                    push.send(&mut self.batch, &mut self.summary)?;
                }
                self.batch.add(lines, id, url, is_delete);
            }
        }
        Ok(())
    }
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "snake_case")]
enum Action<'a> {
    Index(Target<'a>),
    Delete(Target<'a>),
}

#[derive(Debug, Serialize)]
struct Target<'a> {
    #[serde(rename = "_index", skip_serializing_if = "Option::is_none")]
    index: Option<&'a str>,
    #[serde(rename = "_id")]
    id: &'a str,
}

impl Sink for OpenSearch {
    fn write(&mut self, page: &Outgoing<'_>) -> Result<(), ExportError> {
        let document = page.document;
        let action = Action::Index(Target { index: self.index.as_deref(), id: &document.id });
        let lines = json_line(&action) + &json_line(&self.fields.of(document));
        self.send(lines.as_bytes(), &document.id, &document.url, false)
    }

    fn remove(&mut self, id: &str, url: &str) -> Result<(), ExportError> {
        let line = json_line(&Action::Delete(Target { index: self.index.as_deref(), id }));
        self.send(line.as_bytes(), id, url, true)
    }

    fn finish(mut self: Box<Self>) -> Result<Summary, ExportError> {
        match self.target {
            BulkTarget::Lines(out) => {
                if let Some(parts) = out.commit()? {
                    self.summary.notes.push(format!("parts: {parts}"));
                }
            }
            BulkTarget::Push(mut push, _) => {
                if !self.batch.is_empty() {
                    push.send(&mut self.batch, &mut self.summary)?;
                }
            }
        }
        Ok(self.summary)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::export::Output;
    use crate::export::fixture::{Held, Place, hostile, sample};
    use serde_json::{Value, json};

    #[test]
    fn each_source_follows_its_action_and_the_last_line_ends() {
        let held = Held::default();
        let target = BulkTarget::Lines(Lines::one(Output::Stream(Box::new(held.clone()))));
        let sink = Box::new(OpenSearch::new(Fields::default(), Some("pages".to_owned()), target));
        let summary = Place::new().send(sink, &[sample(), hostile(1)], &[("ab", "http://h.example/gone")]);
        assert_eq!((summary.written, summary.removed), (2, 1));
        let text = held.text();
        let lines: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        assert!(text.ends_with("}\n"));
        assert_eq!(lines.len(), 5);
        assert_eq!(lines[0], json!({"index": {"_index": "pages", "_id": sample().id}}));
        assert_eq!(lines[1]["url"], "http://h.example/a");
        assert!(lines[1].get("blocks").is_none());
        assert_eq!(lines[4], json!({"delete": {"_index": "pages", "_id": "ab"}}));
    }
}
