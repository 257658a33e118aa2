//! The fields of the index, and the tokenizers that they name.

use super::error::SearchError;
use super::tokens::Words;
use crate::terms::Analyser;
use std::path::Path;
use tantivy::schema::{
    FAST, Field, INDEXED, IndexRecordOption, STORED, STRING, Schema, TextFieldIndexing, TextOptions,
};
use tantivy::{Index, TantivyError};

/// The fields.
#[derive(Clone, Debug)]
pub(super) struct Fields {
    pub(super) id: Field,
    pub(super) url: Field,
    pub(super) site: Field,
    pub(super) lang: Field,
    pub(super) page_type: Field,
    pub(super) date: Field,
    pub(super) author: Field,
    pub(super) duplicate_of: Field,
    pub(super) fetched_at: Field,
    pub(super) title: Field,
    pub(super) body: Field,
    pub(super) links: Field,
    /// What is searched, by analyser.
    words: Vec<(Analyser, WordFields)>,
}

/// The searched fields of one analyser.
#[derive(Clone, Copy, Debug)]
pub(super) struct WordFields {
    pub(super) title: Field,
    pub(super) body: Field,
    pub(super) links: Field,
}

impl WordFields {
    pub(super) fn all(self) -> [Field; 3] {
        [self.title, self.body, self.links]
    }
}

impl Fields {
    /// The fields and the schema that they make.
    pub(super) fn new() -> (Self, Schema) {
        let mut schema = Schema::builder();
        let fields = Self {
            id: schema.add_text_field("id", STRING | STORED),
            // Fast, so that results of one score come in the order of their URLs.
            url: schema.add_text_field("url", STRING | STORED | FAST),
            site: schema.add_text_field("site", STRING | STORED),
            lang: schema.add_text_field("lang", STRING | STORED),
            page_type: schema.add_text_field("page_type", STRING | STORED),
            date: schema.add_text_field("date", STRING | STORED),
            author: schema.add_text_field("author", STRING | STORED),
            duplicate_of: schema.add_text_field("duplicate_of", STRING | STORED),
            fetched_at: schema.add_date_field("fetched_at", INDEXED | STORED | FAST),
            title: schema.add_text_field("title", STORED),
            body: schema.add_text_field("body", STORED),
            links: schema.add_text_field("links", STORED),
            words: Analyser::all()
                .map(|analyser| {
                    let indexing = TextFieldIndexing::default()
                        .set_tokenizer(&tokenizer_name(analyser))
                        .set_index_option(IndexRecordOption::WithFreqsAndPositions);
                    let options = TextOptions::default().set_indexing_options(indexing);
                    let mut add =
                        |name: &str| schema.add_text_field(&format!("{name}_{}", analyser.code()), options.clone());
                    (analyser, WordFields { title: add("title"), body: add("body"), links: add("links") })
                })
                .collect(),
        };
        (fields, schema.build())
    }

    /// The searched fields of an analyser.
    pub(super) fn of(&self, analyser: Analyser) -> Option<WordFields> {
        self.words.iter().find(|(one, _)| *one == analyser).map(|(_, fields)| *fields)
    }

    /// All searched fields.
    pub(super) fn words(&self) -> impl Iterator<Item = (Analyser, WordFields)> + '_ {
        self.words.iter().copied()
    }
}

fn tokenizer_name(analyser: Analyser) -> String {
    format!("wisdom_{}", analyser.code())
}

/// Gives an open index the tokenizers that the fields of our indexes name (`wisdom_en`, `wisdom_zh`, ...), so that a
/// program of another make can write to it and parse queries for it.
pub fn register(index: &Index) {
    for analyser in Analyser::all() {
        index.tokenizers().register(&tokenizer_name(analyser), Words { analyser });
    }
}

/// Opens an index that has our fields.
pub(super) fn open(dir: &Path) -> Result<(Index, Fields), SearchError> {
    let own = || dir.to_path_buf();
    // A folder that is not there is no folder with damage.
    if !dir.join("meta.json").is_file() {
        return Err(SearchError::NoIndex { dir: own() });
    }
    let index = Index::open_in_dir(dir).map_err(|source| refused(dir, source))?;
    let (fields, schema) = Fields::new();
    if index.schema() != schema {
        return Err(SearchError::Foreign { dir: own() });
    }
    register(&index);
    Ok((index, fields))
}

/// What a failure of tantivy means for a folder.
pub(super) fn refused(dir: &Path, source: TantivyError) -> SearchError {
    let dir = dir.to_path_buf();
    match source {
        TantivyError::DataCorruption(what) => SearchError::Damaged { dir, what: format!("{what:?}") },
        TantivyError::IoError(error) if error.kind() != std::io::ErrorKind::PermissionDenied => {
            SearchError::Damaged { dir, what: error.to_string() }
        }
        TantivyError::OpenReadError(error) => SearchError::Damaged { dir, what: format!("{error:?}") },
        source => SearchError::Read { dir, source },
    }
}
