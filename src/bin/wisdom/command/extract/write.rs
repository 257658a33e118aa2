//! An extraction in the wanted format.

use super::Fit;
use crate::args::ExtractFormat;
use crate::command::pages::Input;
use serde::Serialize;
use std::collections::HashSet;
use wisdom::article::{Extraction, Sources, TextSource};
use wisdom::dom::{Attr, NodeId, is_obeyed};
use wisdom::export::json_line;

/// A line of `--format jsonl`.
#[derive(Debug, Serialize)]
struct Record<'a> {
    id: &'a str,
    file: &'a str,
    text: &'a str,
    title: &'a str,
    lang: &'a str,
    charset: &'a str,
    page_type: &'a str,
    method: &'a str,
    /// The rule that selected the text.
    #[serde(skip_serializing_if = "Option::is_none")]
    rule: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    toc: Option<Toc<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    date: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    author: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    site_name: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    description: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    canonical: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    image: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    modified: Option<&'a str>,
    /// Where each field was found.
    sources: &'a Sources,
    /// `page`, or `json_ld` where the text was taken from there.
    text_source: &'a str,
}

/// The table of contents, by the rule that selected it.
#[derive(Debug, Serialize)]
struct Toc<'a> {
    rule: &'a str,
    links: Vec<TocLink>,
}

#[derive(Debug, Serialize)]
struct TocLink {
    url: String,
    text: String,
}

/// The same for a page that could not be read.
#[derive(Debug, Serialize)]
struct Failed<'a> {
    id: &'a str,
    file: &'a str,
    error: &'a str,
}

/// What is written for a page, ending in a line feed unless it is empty. Of several pages each begins with its name.
pub(super) fn page(
    format: ExtractFormat,
    input: &Input,
    several: bool,
    extraction: &Extraction,
    fit: &Fit<'_>,
) -> Vec<u8> {
    let (heading, body) = match format {
        ExtractFormat::Jsonl => return record(input, extraction, fit).into_bytes(),
        ExtractFormat::Text => (format!("==> {} <==\n", shown(input)), extraction.text()),
        // A comment ends at its first "--".
        ExtractFormat::Markdown => {
            (format!("<!-- {} -->\n\n", shown(input).replace("--", "- -")), extraction.markdown())
        }
        ExtractFormat::Html => (format!("<!-- {} -->\n", shown(input).replace("--", "- -")), extraction.html()),
    };
    let mut out = if several { heading } else { String::new() };
    out.push_str(&body);
    if !body.is_empty() && !body.ends_with('\n') {
        out.push('\n');
    }
    out.into_bytes()
}

/// What is written for a page that could not be read: nothing but in JSON lines.
pub(super) fn failure(format: ExtractFormat, input: &Input, why: &str) -> Vec<u8> {
    match format {
        ExtractFormat::Jsonl => json_line(&Failed { id: &input.id(), file: &input.name(), error: why }).into_bytes(),
        ExtractFormat::Text | ExtractFormat::Markdown | ExtractFormat::Html => Vec::new(),
    }
}

fn record(input: &Input, extraction: &Extraction, fit: &Fit<'_>) -> String {
    let about = &extraction.metadata;
    json_line(&Record {
        id: &input.id(),
        file: &input.name(),
        text: &extraction.text(),
        title: about.title.as_deref().unwrap_or_default(),
        lang: extraction.language.code(),
        charset: extraction.charset,
        page_type: extraction.page_type,
        method: if fit.article.is_some() { "rules" } else { extraction.method.name() },
        rule: fit.article,
        toc: fit.toc.as_ref().map(|(rule, nodes)| Toc { rule, links: links(extraction, nodes) }),
        date: about.date.as_deref(),
        author: about.author.as_deref(),
        site_name: about.site_name.as_deref(),
        description: about.description.as_deref(),
        canonical: about.canonical.as_deref(),
        image: about.image.as_deref(),
        modified: about.modified.as_deref(),
        sources: &about.sources,
        text_source: match extraction.text_source {
            TextSource::Page => "page",
            TextSource::JsonLd => "json_ld",
        },
    })
}

/// Each target once, in the order of the page; as it is written where the page's address is not known.
fn links(extraction: &Extraction, nodes: &[NodeId]) -> Vec<TocLink> {
    let dom = &extraction.dom;
    let mut seen = HashSet::new();
    let mut links = Vec::new();
    for &node in nodes {
        let Some(href) = dom.attr(node, Attr::HREF).map(str::trim) else { continue };
        let absolute = extraction.base().and_then(|base| base.join(href).ok());
        let url = absolute.map_or_else(|| href.to_owned(), String::from);
        if seen.insert(url.clone()) {
            let text = dom.text(node).split_whitespace().collect::<Vec<_>>().join(" ");
            links.push(TocLink { url, text });
        }
    }
    links
}

/// The path on one line.
fn shown(input: &Input) -> String {
    input.name().replace(is_obeyed, "\u{fffd}")
}
