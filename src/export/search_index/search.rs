//! [`SearchIndex`]: an index opened for searching.

use super::error::SearchError;
use super::query::{QueryOptions, Reading, combined};
use super::schema::{Fields, open, refused};
use super::snippet::{Piece, snippet};
use crate::terms::{Analyser, Language};
use rustc_hash::FxHashMap;
use serde::Serialize;
use std::path::{Path, PathBuf};
use tantivy::collector::sort_key::{SortBySimilarityScore, SortByString};
use tantivy::collector::{Count, TopDocs};
use tantivy::query::Query;
use tantivy::schema::{Field, Value};
use tantivy::{DocAddress, Index, IndexReader, Order, ReloadPolicy, Score, Searcher, TantivyDocument, TantivyError};

/// A search index, as of its last commit before it was opened.
pub struct SearchIndex {
    dir: PathBuf,
    index: Index,
    fields: Fields,
    reader: IndexReader,
}

impl std::fmt::Debug for SearchIndex {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.debug_tuple("SearchIndex").field(&self.dir).finish()
    }
}

/// What was found.
#[derive(Clone, Debug, PartialEq)]
pub struct Hits {
    /// Pages that match, those among them that repeat another.
    pub matches: usize,
    /// The best, best first; pages of one score in the order of their URLs.
    pub best: Vec<Hit>,
}

/// A page that was found. The same query on the same documents gives the same hits; after changes to an index, scores may
/// still count documents that were taken out, until their segment is merged.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Hit {
    /// BM25, summed over the words and the fields that hold them.
    pub score: Score,
    /// URL of the page.
    pub url: String,
    /// Its title.
    pub title: String,
    /// Its site.
    pub site: String,
    /// Its language; empty when unknown.
    pub lang: String,
    /// `article`, `toc` or `other`.
    pub page_type: String,
    /// The date of its article.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub date: Option<String>,
    /// The part of its text, or of its links' texts, that shows best why it was found.
    pub snippet: Vec<Piece>,
    /// URLs of pages that matched as well, and say the same as this one.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub copies: Vec<String>,
}

/// A document of the results, without what is only needed once it is shown.
#[derive(Debug)]
struct Found {
    score: Score,
    entry: TantivyDocument,
}

impl SearchIndex {
    /// Opens the index in a folder. Its files are not read through; see [`check`](Self::check).
    pub fn open(dir: &Path) -> Result<Self, SearchError> {
        let (index, fields) = open(dir)?;
        // No thread that watches for later commits.
        let reader = index.reader_builder().reload_policy(ReloadPolicy::Manual).try_into();
        let reader = reader.map_err(|source: TantivyError| refused(dir, source))?;
        Ok(Self { dir: dir.to_path_buf(), index, fields, reader })
    }

    /// Compares every file of the index with its checksum. Time linear in the index.
    pub fn check(&self) -> Result<(), SearchError> {
        let damaged = self.index.validate_checksum().map_err(|source| refused(&self.dir, source))?;
        match damaged.iter().min() {
            None => Ok(()),
            Some(file) => {
                let what = format!("{} is not as it was written", file.display());
                Err(SearchError::Damaged { dir: self.dir.clone(), what })
            }
        }
    }

    /// Documents in the index.
    pub fn len(&self) -> u64 {
        self.reader.searcher().num_docs()
    }

    /// Whether there is no document.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The best pages for a query, at most `limit`. Of a page and those that repeat it, the best match is shown, with the
    /// URLs of others that were met on the way.
    pub fn search(&self, query: &str, limit: usize, options: QueryOptions) -> Result<Hits, SearchError> {
        let failed = |source| refused(&self.dir, source);
        let searcher = self.reader.searcher();
        let analysers = match options.lang {
            Some(lang) => vec![Analyser::of(lang)],
            None => self.analysers(&searcher).map_err(failed)?,
        };
        let readings: Vec<(Analyser, Reading)> =
            analysers.into_iter().map(|analyser| (analyser, Reading::new(query, analyser))).collect();
        let Some(compiled) = combined(&readings, &self.fields, options) else {
            // An empty index has no analysers, which is no fault of the query.
            return if Reading::new(query, Analyser::OTHER).is_empty() {
                Err(SearchError::NoWords)
            } else {
                Ok(Hits { matches: 0, best: Vec::new() })
            };
        };
        let mut depth = 2 * limit.max(1) + 16;
        loop {
            let (matches, found) = top(&searcher, &*compiled, depth).map_err(failed)?;
            let is_all = found.len() < depth;
            let groups = self.grouped(found);
            if is_all || groups.len() >= limit {
                let shown = groups.into_iter().take(limit);
                let best = shown.map(|(found, copies)| self.hit(&found, copies, &readings)).collect();
                return Ok(Hits { matches, best });
            }
            depth *= 4;
        }
    }

    /// The analysers that the index has words of.
    fn analysers(&self, searcher: &Searcher) -> Result<Vec<Analyser>, TantivyError> {
        let mut used = Vec::new();
        for (analyser, fields) in self.fields.words() {
            for field in fields.all() {
                let mut tokens = 0;
                for segment in searcher.segment_readers() {
                    tokens += segment.inverted_index(field)?.total_num_tokens();
                }
                if tokens > 0 {
                    used.push(analyser);
                    break;
                }
            }
        }
        Ok(used)
    }

    /// One document for each page and its copies, with the URLs of the others.
    fn grouped(&self, found: Vec<Found>) -> Vec<(Found, Vec<String>)> {
        let mut places: FxHashMap<String, usize> = FxHashMap::default();
        let mut groups: Vec<(Found, Vec<String>)> = Vec::new();
        for found in found {
            let url = text(&found.entry, self.fields.url);
            let original = Some(text(&found.entry, self.fields.duplicate_of)).filter(|original| !original.is_empty());
            let key = original.unwrap_or_else(|| url.clone());
            if let Some(&at) = places.get(&key) {
                groups[at].1.push(url);
            } else {
                places.insert(key, groups.len());
                groups.push((found, Vec::new()));
            }
        }
        groups
    }

    fn hit(&self, found: &Found, copies: Vec<String>, readings: &[(Analyser, Reading)]) -> Hit {
        let fields = &self.fields;
        let get = |field| text(&found.entry, field);
        let lang = get(fields.lang);
        let analyser = Analyser::of(Language::from_tag(&lang));
        let reading = readings.iter().find(|(one, _)| *one == analyser).map(|(_, reading)| reading);
        let shown = |text: &str| snippet(text, analyser, reading.into_iter().flat_map(Reading::chains));
        let body = shown(&get(fields.body));
        let snippet = if body.iter().any(|piece| piece.hit) {
            body
        } else {
            let links = found.entry.get_all(fields.links).filter_map(|value| value.as_str()).collect::<Vec<_>>();
            let links = shown(&links.join("\n"));
            // Neither where only the title matches.
            if body.is_empty() || links.iter().any(|piece| piece.hit) { links } else { body }
        };
        Hit {
            score: found.score,
            url: get(fields.url),
            title: get(fields.title),
            site: get(fields.site),
            page_type: get(fields.page_type),
            date: Some(get(fields.date)).filter(|date| !date.is_empty()),
            lang,
            snippet,
            copies,
        }
    }
}

/// The best documents for a query, so many at most, and how many there are.
fn top(searcher: &Searcher, query: &dyn Query, depth: usize) -> Result<(usize, Vec<Found>), TantivyError> {
    let by_score = (SortBySimilarityScore, Order::Desc);
    let by_url = (SortByString::for_field("url"), Order::Asc);
    let top = TopDocs::with_limit(depth).order_by((by_score, by_url));
    let (best, matches) = searcher.search(query, &(top, Count))?;
    let found = best.into_iter().map(|((score, _), address): ((Score, Option<String>), DocAddress)| {
        Ok(Found { score, entry: searcher.doc(address)? })
    });
    Ok((matches, found.collect::<Result<_, TantivyError>>()?))
}

/// The stored text of a field; empty where there is none.
fn text(entry: &TantivyDocument, field: Field) -> String {
    entry.get_first(field).and_then(|value| value.as_str()).unwrap_or_default().to_owned()
}
