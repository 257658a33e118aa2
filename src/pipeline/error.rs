//! What can stop a whole run.

use crate::archive::InputError;
use crate::crawl::CrawlError;
use crate::store::StoreError;
use crate::terms::StopwordError;

/// Why a run could not begin or go on. What fails on single pages is no such error: see [`Report`](crate::progress::Report).
#[derive(Debug, thiserror::Error)]
pub enum PipelineError {
    /// The store.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The crawl.
    #[error(transparent)]
    Crawl(#[from] CrawlError),
    /// An input of an import.
    #[error(transparent)]
    Input(#[from] InputError),
    /// A stop-word list.
    #[error(transparent)]
    Stopwords(#[from] StopwordError),
    /// What a site keeps of its crawls cannot be read.
    #[error("the crawl state of {site} cannot be read ({reason}); run the crawl with --fresh, or wisdom rebuild")]
    State {
        /// The site.
        site: String,
        /// The cause.
        reason: String,
    },
    /// A site was learned with other term settings.
    #[error("{site} was learned {was}; use the same settings, or begin anew with --fresh")]
    OtherSettings {
        /// The site.
        site: String,
        /// How it was learned.
        was: String,
    },
    /// A URL is not in the store.
    #[error("{url} is no page of the store{hint}")]
    NoPage {
        /// The URL.
        url: String,
        /// What is known of it.
        hint: String,
    },
    /// A site has no mined page.
    #[error("no page of {site} is mined; run wisdom mine first")]
    NotMined {
        /// The site.
        site: String,
    },
    /// A site was mined by a method that decides page by page.
    #[error(
        "{site} was mined by {method}, and rules are learned from what auto found; run wisdom mine --method auto first"
    )]
    OtherMethod {
        /// The site.
        site: String,
        /// The method.
        method: String,
    },
    /// The task that stores pages died.
    #[error(
        "the thread that stores pages ended unexpectedly: {0}; what was committed is safe, run the same command again"
    )]
    Worker(String),
}
