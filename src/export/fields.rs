//! [`Fields`]: which parts of a document a sink is sent.

use super::Document;
use serde::ser::{Serialize, SerializeMap, Serializer};

/// A part of a document by its name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Field {
    Id,
    Url,
    FinalUrl,
    Site,
    FetchedAt,
    Status,
    Depth,
    Title,
    Lang,
    Charset,
    PageType,
    Text,
    Article,
    Toc,
    Blocks,
    Records,
    DuplicateOf,
    Method,
    Warnings,
    Date,
    Author,
    Html,
    Markdown,
    Links,
}

/// The names: those of [`Document`], then short ones for parts of `article` and `toc`, for engines that take flat documents.
const NAMES: [(Field, &str); 24] = [
    (Field::Id, "id"),
    (Field::Url, "url"),
    (Field::FinalUrl, "final_url"),
    (Field::Site, "site"),
    (Field::FetchedAt, "fetched_at"),
    (Field::Status, "status"),
    (Field::Depth, "depth"),
    (Field::Title, "title"),
    (Field::Lang, "lang"),
    (Field::Charset, "charset"),
    (Field::PageType, "page_type"),
    (Field::Text, "text"),
    (Field::Article, "article"),
    (Field::Toc, "toc"),
    (Field::Blocks, "blocks"),
    (Field::Records, "records"),
    (Field::DuplicateOf, "duplicate_of"),
    (Field::Method, "method"),
    (Field::Warnings, "warnings"),
    (Field::Date, "date"),
    (Field::Author, "author"),
    (Field::Html, "html"),
    (Field::Markdown, "markdown"),
    (Field::Links, "links"),
];

/// What engines are sent unless told otherwise: flat, and no text twice.
const SEARCH: [Field; 12] = [
    Field::Id,
    Field::Url,
    Field::Site,
    Field::Title,
    Field::Lang,
    Field::PageType,
    Field::Text,
    Field::Date,
    Field::Author,
    Field::FetchedAt,
    Field::Depth,
    Field::DuplicateOf,
];

impl Field {
    pub(super) fn name(self) -> &'static str {
        NAMES.iter().find(|(field, _)| *field == self).map_or("", |(_, name)| name)
    }
}

/// A name that no field has.
#[derive(Debug, thiserror::Error)]
#[error("no field is called {name:?}; the fields are {}", NAMES.map(|(_, name)| name).join(", "))]
pub struct UnknownField {
    /// The name.
    pub name: String,
}

/// Parts of a document, in the order in which they are written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fields(Vec<Field>);

impl Default for Fields {
    /// What a search engine needs: `id`, `url`, `site`, `title`, `lang`, `page_type`, `text`, `date`, `author`, `fetched_at`,
    /// `depth` and `duplicate_of`.
    fn default() -> Self {
        Self(SEARCH.to_vec())
    }
}

impl Fields {
    /// The fields of these names, in this order; a name that comes twice counts once.
    pub fn named<S: AsRef<str>>(names: impl IntoIterator<Item = S>) -> Result<Self, UnknownField> {
        let mut fields = Vec::new();
        for name in names {
            let name = name.as_ref().trim();
            let known = NAMES.iter().find(|(_, known)| *known == name);
            let (field, _) = known.ok_or_else(|| UnknownField { name: name.to_owned() })?;
            if !fields.contains(field) {
                fields.push(*field);
            }
        }
        Ok(Self(fields))
    }

    /// These fields with `id` before them, unless it is among them: no engine can do without.
    pub(super) fn with_id(mut self) -> Self {
        if !self.0.contains(&Field::Id) {
            self.0.insert(0, Field::Id);
        }
        self
    }

    /// These fields without some of them.
    pub(super) fn without(mut self, fields: &[Field]) -> Self {
        self.0.retain(|field| !fields.contains(field));
        self
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = Field> + '_ {
        self.0.iter().copied()
    }

    /// Their names.
    pub(super) fn names(&self) -> impl Iterator<Item = &'static str> + '_ {
        self.iter().map(Field::name)
    }

    /// The parts of a document, as a JSON object. What the document does not have is left out.
    pub(super) fn of<'a>(&'a self, document: &'a Document) -> Parts<'a> {
        Parts { fields: self, document }
    }
}

/// Parts of a document, to be written as an object.
#[derive(Debug)]
pub(super) struct Parts<'a> {
    fields: &'a Fields,
    document: &'a Document,
}

impl Serialize for Parts<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        for field in self.fields.iter() {
            entry(&mut map, field, self.document)?;
        }
        map.end()
    }
}

fn entry<M: SerializeMap>(map: &mut M, field: Field, document: &Document) -> Result<(), M::Error> {
    let d = document;
    let article = d.article.as_ref();
    let name = field.name();
    match field {
        Field::Id => map.serialize_entry(name, &d.id),
        Field::Url => map.serialize_entry(name, &d.url),
        Field::FinalUrl => map.serialize_entry(name, &d.final_url),
        Field::Site => map.serialize_entry(name, &d.site),
        Field::FetchedAt => map.serialize_entry(name, &d.fetched_at),
        Field::Status => map.serialize_entry(name, &d.status),
        Field::Depth => map.serialize_entry(name, &d.depth),
        Field::Title => map.serialize_entry(name, &d.title),
        Field::Lang => map.serialize_entry(name, &d.lang),
        Field::Charset => map.serialize_entry(name, &d.charset),
        Field::PageType => map.serialize_entry(name, &d.page_type),
        Field::Text => map.serialize_entry(name, &d.text),
        Field::Article => some(map, name, article),
        Field::Toc => some(map, name, d.toc.as_ref()),
        Field::Blocks => map.serialize_entry(name, &d.blocks),
        Field::Records => map.serialize_entry(name, &d.records),
        Field::DuplicateOf => some(map, name, d.duplicate_of.as_ref()),
        Field::Method => map.serialize_entry(name, &d.method),
        Field::Warnings => map.serialize_entry(name, &d.warnings),
        Field::Date => some(map, name, article.and_then(|a| a.date.as_ref())),
        Field::Author => some(map, name, article.and_then(|a| a.author.as_ref())),
        Field::Html => some(map, name, article.map(|a| &a.html)),
        Field::Markdown => some(map, name, article.map(|a| &a.markdown)),
        Field::Links => {
            let urls = d.toc.as_ref().map(|toc| toc.links.iter().map(|link| &*link.url).collect::<Vec<&str>>());
            some(map, name, urls.as_ref())
        }
    }
}

fn some<M: SerializeMap>(map: &mut M, name: &str, value: Option<&impl Serialize>) -> Result<(), M::Error> {
    value.map_or(Ok(()), |value| map.serialize_entry(name, value))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::export::fixture::sample;
    use serde_json::Value;

    #[test]
    fn every_part_of_a_document_can_be_named() {
        let document = sample();
        let whole = serde_json::to_value(&document).unwrap();
        let names = NAMES.map(|(_, name)| name);
        let parts = serde_json::to_value(Fields::named(names).unwrap().of(&document)).unwrap();
        for (name, value) in whole.as_object().unwrap() {
            assert_eq!(&parts[name], value, "{name}");
        }
        for name in names {
            assert!(!parts[name].is_null(), "{name}");
        }
        assert_eq!(parts["links"], serde_json::json!(["http://h.example/next"]));
        assert_eq!(parts["date"], whole["article"]["date"]);
    }

    #[test]
    fn parts_come_in_the_order_asked_for() {
        let fields = Fields::named(["title", " url", "title"]).unwrap();
        assert_eq!(
            serde_json::to_string(&fields.of(&sample())).unwrap(),
            r#"{"title":"A \"title\", with =signs","url":"http://h.example/a"}"#
        );
        assert_eq!(fields.with_id().names().collect::<Vec<_>>(), ["id", "title", "url"]);
        let bare = Document { article: None, toc: None, duplicate_of: None, ..sample() };
        let parts: Value = serde_json::to_value(Fields::default().of(&bare)).unwrap();
        assert!(parts.get("date").is_none() && parts.get("text").is_some());
    }

    #[test]
    fn an_unknown_name_is_told_with_the_known_ones() {
        let error = Fields::named(["url", "titel"]).unwrap_err().to_string();
        assert!(error.contains("\"titel\"") && error.contains("title, lang"), "{error}");
    }
}
