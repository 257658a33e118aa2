//! What a site keeps of its crawls beside its pages.

use super::PipelineError;
use crate::store::SiteStore;
use crate::terms::{Stopwords, TermOptions};
use serde::{Deserialize, Serialize};

/// The settings that terms were made with. A site's pages must all be cut alike, so they are kept with the site.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct TermSettings {
    /// Whether numbers are terms.
    pub keep_numbers: bool,
    /// Stop-word lists in place of the shipped ones: (language code, text), sorted.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub stopwords: Vec<(String, String)>,
}

impl TermSettings {
    /// The options for cutting pages into terms.
    pub fn options(&self) -> Result<TermOptions, PipelineError> {
        let lists = self.stopwords.iter().map(|(code, list)| (code.as_str(), list.as_str()));
        Ok(TermOptions { keep_numbers: self.keep_numbers, stopwords: Stopwords::with_lists(lists)? })
    }

    fn describe(&self) -> String {
        let numbers = if self.keep_numbers { "with --keep-numbers" } else { "without --keep-numbers" };
        match self.stopwords.as_slice() {
            [] => format!("{numbers} and with the shipped stop words"),
            lists => {
                let codes: Vec<&str> = lists.iter().map(|(code, _)| code.as_str()).collect();
                format!("{numbers} and with own stop words for {}", codes.join(", "))
            }
        }
    }
}

/// The state of a site.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct SiteState {
    /// Number of the last crawl, from 1; 0 for a site that was only imported.
    pub crawl: u32,
    /// Whether that crawl came to its end.
    pub finished: bool,
    /// How terms are made.
    pub terms: Option<TermSettings>,
}

impl SiteState {
    /// Reads a site's state.
    pub fn of(site: &SiteStore) -> Result<Self, PipelineError> {
        match site.crawl_state()? {
            None => Ok(Self::default()),
            Some(text) => serde_json::from_str(&text)
                .map_err(|e| PipelineError::State { site: site.url().to_owned(), reason: e.to_string() }),
        }
    }

    /// Writes it.
    pub fn save(&self, site: &mut SiteStore) -> Result<(), PipelineError> {
        let text = serde_json::to_string(self)
            .map_err(|e| PipelineError::State { site: site.url().to_owned(), reason: e.to_string() })?;
        Ok(site.set_crawl_state(&text)?)
    }

    /// Takes over `wanted` for a new site; for a known one, checks that it is the same.
    pub(super) fn settle_terms(&mut self, site: &SiteStore, wanted: &TermSettings) -> Result<(), PipelineError> {
        match &self.terms {
            Some(known) if known != wanted && site.n_pages() > 0 => {
                Err(PipelineError::OtherSettings { site: site.url().to_owned(), was: known.describe() })
            }
            _ => {
                self.terms = Some(wanted.clone());
                Ok(())
            }
        }
    }

    /// The options that the site's terms were made with.
    pub fn term_options(&self) -> Result<TermOptions, PipelineError> {
        self.terms.clone().unwrap_or_default().options()
    }
}
