//! [`extract`]: the main text of one page, from its bytes.

use super::meta::Statements;
use super::{Metadata, Selection, auto, econ, html, markdown, text};
use crate::dom::{Attr, Dom, Tag, decode, links_in};
use crate::terms::{Language, detect_briefly};
use url::Url;

/// How the main text is found.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Method {
    /// A learned classifier of blocks: one setting for all kinds of page and all languages.
    #[default]
    Auto,
    /// ECON as published (Guo et al. 2010): for news pages.
    Econ,
}

impl Method {
    /// The name on the command line and in output.
    pub fn name(self) -> &'static str {
        match self {
            Self::Auto => "auto",
            Self::Econ => "econ",
        }
    }
}

/// What is known of a page beside its bytes, and what is wanted of it.
#[derive(Clone, Copy, Debug, Default)]
pub struct Hints<'a> {
    /// The page's address, against which links are resolved; without it relative links stay as they are written.
    pub url: Option<&'a str>,
    /// The value of the `Content-Type` header.
    pub content_type: Option<&'a str>,
    /// How the main text is found.
    pub method: Method,
    /// Keep readers' comments as well.
    pub comments: bool,
    /// Keep the headline at the head of the body, where it stands there; it is always a field of its own
    /// ([`Metadata::title`]).
    pub with_title: bool,
}

/// The main content of a page. Parsed and chosen, not yet written: [`text`](Self::text), [`markdown`](Self::markdown) and
/// [`html`](Self::html) write it.
#[derive(Clone, Debug)]
pub struct Extraction {
    /// The parsed page.
    pub dom: Dom,
    /// What was kept of it.
    pub selection: Selection,
    /// What the page says about itself.
    pub metadata: Metadata,
    /// The language.
    pub language: Language,
    /// Name of the charset, as in the Encoding Standard.
    pub charset: &'static str,
    /// How the main text was found.
    pub method: Method,
    base: Option<Url>,
}

impl Extraction {
    /// The kind of page.
    #[allow(clippy::unused_self, reason = "until a classifier tells the kinds apart")]
    pub fn page_type(&self) -> &'static str {
        "article"
    }

    /// The content as plain text, one block a line.
    pub fn text(&self) -> String {
        text(&self.dom, &self.selection)
    }

    /// The content as Markdown.
    pub fn markdown(&self) -> String {
        markdown(&self.dom, &self.selection, self.base.as_ref())
    }

    /// The content as clean HTML.
    pub fn html(&self) -> String {
        html(&self.dom, &self.selection, self.base.as_ref())
    }
}

/// Finds the main content of a page. Never fails: a page without content gives an empty extraction. Time and memory linear
/// in the page.
///
/// ```
/// use wisdom::article::{Hints, extract};
/// let page = b"<nav><a href=/>Home</a></nav><p>The ferry to the north shore sails again on Monday, the harbour office said.";
/// assert_eq!(extract(page, &Hints::default()).text(), "The ferry to the north shore sails again on Monday, the harbour office said.");
/// ```
pub fn extract(bytes: &[u8], hints: &Hints<'_>) -> Extraction {
    let decoded = decode(bytes, hints.content_type);
    let dom = Dom::parse(&decoded.text);
    let url = hints.url.and_then(|url| Url::parse(url).ok());
    let base = url.map_or_else(|| written_base(&dom), |url| Some(links_in(&dom, &url, decoded.charset).base));
    let statements = Statements::read(&dom);
    let metadata = statements.metadata(base.as_ref());
    let selection = match hints.method {
        Method::Auto => auto::select(&dom, metadata.title.as_deref(), statements.types(), hints),
        Method::Econ => econ(&dom).selection(&dom),
    };
    let language = detect_briefly(&dom);
    Extraction { dom, selection, metadata, language, charset: decoded.charset, method: hints.method, base }
}

/// The address that the page itself says its links are relative to, where that needs no other.
fn written_base(dom: &Dom) -> Option<Url> {
    let base = dom.ids().find(|&id| dom.tag(id) == Tag::BASE && dom.attr(id, Attr::HREF).is_some())?;
    Url::parse(dom.attr(base, Attr::HREF)?.trim()).ok().filter(|url| !url.cannot_be_a_base())
}
