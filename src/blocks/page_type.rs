//! Article or table of contents: what kind of page it is.

/// The kind of a page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PageType {
    /// A page with a text of its own.
    Article,
    /// A page that leads to others.
    Toc,
    /// Neither: no informative block was found.
    Other,
}

impl PageType {
    /// The name in exported documents.
    pub fn name(self) -> &'static str {
        match self {
            Self::Article => "article",
            Self::Toc => "toc",
            Self::Other => "other",
        }
    }
}

/// What the type is told from. Shares are of the page's informative words: each word counts by the weight of its term, so
/// that menus and footers, which all pages share, count nothing.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TypeEvidence {
    /// Share of words inside anchors, 0 to 1.
    pub link_density: f64,
    /// Share of words that some linked page repeats, 0 to 1.
    pub repeated: f64,
    /// Whether the page has an article block.
    pub has_article: bool,
    /// Whether the page has a table-of-contents block.
    pub has_toc: bool,
}

/// Tells the type of a page: the mean of link density and repeated share, cut at ½. A hub's texts are the titles and
/// first lines of the pages it leads to; an article's are its own. (Link density alone got .824 balanced accuracy on 16
/// sites, the mean .965.)
pub fn page_type(evidence: &TypeEvidence) -> PageType {
    let hub = f64::midpoint(evidence.link_density, evidence.repeated) > 0.5;
    match (evidence.has_article, evidence.has_toc) {
        (false, false) => PageType::Other,
        (has_article, true) if hub || !has_article => PageType::Toc,
        (..) => PageType::Article,
    }
}
