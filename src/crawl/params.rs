//! What a crawl is told: [`CrawlParams`] and the [`Filter`] of `--include` and `--exclude`.

use std::time::Duration;

use globset::{GlobBuilder, GlobMatcher};
use regex::Regex;
use thiserror::Error;
use url::Url;

/// Default for [`CrawlParams::user_agent`]. Whoever runs a large crawl should name themselves and an address there.
pub const USER_AGENT: &str = concat!("wisdom/", env!("CARGO_PKG_VERSION"));

/// Parameters of one crawl. [`CrawlParams::new`] gives the defaults.
#[derive(Clone, Debug)]
pub struct CrawlParams {
    /// The entrance; its host is the site.
    pub site: Url,
    /// Links from the entrance at most; 0 is the entrance alone, 1 also what it (or a sitemap) names. Default 3.
    pub depth: u32,
    /// Pages at most, over the whole crawl; `None` for all. Default `None`.
    pub limit: Option<u64>,
    /// Bytes of a body at most, after content decoding. Default 10 MiB.
    pub max_bytes: usize,
    /// Requests in flight at most. Default 4.
    pub concurrency: usize,
    /// Time between the starts of two requests to one host. `None`: 250 ms, or none on loopback and private networks.
    pub delay: Option<Duration>,
    /// Time for one response from the first byte sent to the last received. Default 20 s.
    pub timeout: Duration,
    /// The `User-Agent` header; its first token is the name looked for in robots.txt.
    pub user_agent: String,
    /// Whether hosts below the site's (or below it without `www.`) belong to the site. Default no.
    pub subdomains: bool,
    /// Which URLs are asked for. Default all.
    pub filter: Filter,
    /// Whether robots.txt, robots metas and `nofollow` are passed over. Default no.
    pub ignore_robots: bool,
    /// Whether sitemaps are read. Default yes.
    pub sitemap: bool,
    /// Further request headers.
    pub headers: Vec<(String, String)>,
    /// Cookies for the site, as in a `Cookie` header: `a=1; b=2`.
    pub cookie: Option<String>,
    /// URL of an HTTP or HTTPS proxy. Without one, the usual environment variables count.
    pub proxy: Option<String>,
}

impl CrawlParams {
    /// The defaults for a site.
    pub fn new(site: Url) -> Self {
        Self {
            site,
            depth: 3,
            limit: None,
            max_bytes: 10 << 20,
            concurrency: 4,
            delay: None,
            timeout: Duration::from_secs(20),
            user_agent: USER_AGENT.to_owned(),
            subdomains: false,
            filter: Filter::default(),
            ignore_robots: false,
            sitemap: true,
            headers: Vec::new(),
            cookie: None,
            proxy: None,
        }
    }

    /// The product token of the user agent, lower case: what robots.txt groups are named after.
    pub fn robots_token(&self) -> String {
        super::robots::product_token(&self.user_agent).to_ascii_lowercase()
    }
}

/// Which URLs are asked for. The entrance always is.
#[derive(Clone, Debug, Default)]
pub struct Filter {
    include: Vec<Pattern>,
    exclude: Vec<Pattern>,
}

impl Filter {
    /// Builds a filter from patterns: a regular expression after `re:`, found anywhere in the URL, else a glob over the
    /// whole URL, or over path and query if it begins with `/`. `*` crosses slashes.
    ///
    /// # Errors
    /// The first pattern that cannot be parsed.
    pub fn new<S: AsRef<str>>(include: &[S], exclude: &[S]) -> Result<Self, PatternError> {
        let all = |list: &[S]| list.iter().map(|text| Pattern::parse(text.as_ref())).collect::<Result<_, _>>();
        Ok(Self { include: all(include)?, exclude: all(exclude)? })
    }

    /// Whether some include pattern (or none is given) and no exclude pattern matches.
    pub fn accepts(&self, url: &Url) -> bool {
        (self.include.is_empty() || self.include.iter().any(|p| p.matches(url)))
            && !self.exclude.iter().any(|p| p.matches(url))
    }
}

/// A pattern of `--include` or `--exclude` that cannot be read.
#[derive(Debug, Error)]
#[error("pattern {pattern:?} cannot be read: {reason}; write a glob such as /news/**, or re: and a regular expression")]
pub struct PatternError {
    /// The pattern as given.
    pub pattern: String,
    /// What is wrong with it.
    pub reason: String,
}

#[derive(Clone, Debug)]
enum Pattern {
    Regex(Regex),
    Url(GlobMatcher),
    Path(GlobMatcher),
}

impl Pattern {
    fn parse(text: &str) -> Result<Self, PatternError> {
        let wrong = |reason: String| PatternError { pattern: text.to_owned(), reason };
        if let Some(regex) = text.strip_prefix("re:") {
            return Regex::new(regex).map(Self::Regex).map_err(|e| wrong(one_line(&e)));
        }
        let glob = GlobBuilder::new(text).literal_separator(false).build().map_err(|e| wrong(e.kind().to_string()))?;
        let matcher = glob.compile_matcher();
        Ok(if text.starts_with('/') { Self::Path(matcher) } else { Self::Url(matcher) })
    }

    fn matches(&self, url: &Url) -> bool {
        match self {
            Self::Regex(regex) => regex.is_match(url.as_str()),
            Self::Url(glob) => glob.is_match(url.as_str()),
            Self::Path(glob) => glob.is_match(&url[url::Position::BeforePath..url::Position::AfterQuery]),
        }
    }
}

/// What a regular expression lacks, without the drawing that comes before it.
fn one_line(error: &regex::Error) -> String {
    let text = error.to_string();
    let last = text.lines().last().unwrap_or_default();
    last.strip_prefix("error: ").unwrap_or(last).to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn accepts(include: &[&str], exclude: &[&str], url: &str) -> bool {
        Filter::new(include, exclude).expect("patterns").accepts(&Url::parse(url).expect("test URL"))
    }

    #[test]
    fn globs_and_regexes_filter_urls() {
        let url = "https://h.example/news/2020/a.html?p=2";
        for (include, exclude, want) in [
            (vec![], vec![], true),
            (vec!["/news/*"], vec![], true),
            (vec!["/news/**"], vec![], true),
            (vec!["/blog/*", "*/2020/*"], vec![], true),
            (vec!["https://h.example/news/*"], vec![], true),
            (vec!["news"], vec![], false),
            (vec!["re:news/\\d{4}"], vec![], true),
            (vec!["re:^/news"], vec![], false),
            (vec![], vec!["*p=2"], false),
            (vec!["/news/*"], vec!["re:\\?"], false),
            (vec![], vec!["/news/{2019,2021}/*"], true),
        ] {
            assert_eq!(accepts(&include, &exclude, url), want, "{include:?} {exclude:?}");
        }
    }

    #[test]
    fn bad_patterns_are_named() {
        let error = Filter::new(&["re:("], &[]).expect_err("unclosed group").to_string();
        assert!(error.starts_with("pattern \"re:(\" cannot be read: unclosed group; write"), "{error}");
        assert!(Filter::new(&["/a/[z"], &[]).is_err());
    }
}
