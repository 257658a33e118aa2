//! [`Document`]: what export says of a page. Its JSON field names are a contract.

use super::list::{DocumentList, mined_list};
use crate::article::{Selection, TextLine, html, kept_nodes, markdown, meta, text_lines};
use crate::blocks::{Mined, MinedBlock};
use crate::dom::{Dom, Link, NodeId, links_in, parse_page, selector_path};
use crate::page::Page;
use crate::store::PageRecord;
use rustc_hash::FxHashMap;
use serde::Serialize;
use sha2::{Digest, Sha256};
use url::Url;

/// One page as exported.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Document {
    /// 32 hexadecimal digits made of the URL: short enough for any index, whatever the length of the URL.
    pub id: String,
    /// The URL of the page, normalised.
    pub url: String,
    /// The URL that answered; redirects are followed as links of their own, so it is the same.
    pub final_url: String,
    /// Host of the site, with its port unless that is the usual one.
    pub site: String,
    /// When it was fetched, RFC 3339 in UTC.
    pub fetched_at: String,
    /// HTTP status.
    pub status: u16,
    /// Links from the entrance.
    pub depth: u32,
    /// Title of the page, without the site's name where that could be told.
    pub title: String,
    /// ISO 639 code of the language; empty when unknown.
    pub lang: String,
    /// Name of the charset it came in.
    pub charset: String,
    /// `article`, `toc` or `other`.
    pub page_type: String,
    /// What the page says, as plain text: the article, and for a table of contents also the texts of its links.
    pub text: String,
    /// The article.
    pub article: Option<Article>,
    /// The table of contents.
    pub toc: Option<Toc>,
    /// The blocks that the two were made of.
    pub blocks: Vec<DocumentBlock>,
    /// The lists of records of list pages, best first; of method `auto` only.
    pub records: Vec<DocumentList>,
    /// The URL of the page that this one repeats: a page of the store that repeats none itself.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub duplicate_of: Option<String>,
    /// The mining method; empty for a page that was not mined.
    pub method: String,
    /// What the reader should know.
    pub warnings: Vec<String>,
    /// Where the lines of `text` come from that are of the article: they are its first.
    #[serde(skip)]
    pub lines: Vec<DocumentLine>,
}

/// Where a line of a document's text comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DocumentLine {
    /// Where it begins in the text, in bytes.
    pub start: usize,
    /// Its level, 1 to 6, where it is a heading.
    pub heading: Option<u8>,
    /// The block it stands in, a place in the document's blocks.
    pub block: Option<usize>,
}

/// The article of a page.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Article {
    /// Plain text, one block a line.
    pub text: String,
    /// Clean HTML.
    pub html: String,
    /// Markdown.
    pub markdown: String,
    /// Title.
    pub title: String,
    /// Date, ISO 8601.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub date: Option<String>,
    /// Author.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub author: Option<String>,
}

/// The table of contents of a page.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Toc {
    /// Links in document order.
    pub links: Vec<TocEntry>,
}

/// One link of a table of contents.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct TocEntry {
    /// Target.
    pub url: String,
    /// Text of the anchor.
    pub text: String,
    /// How informative it is: API for the WISDOM methods.
    pub score: f64,
}

/// One informative block.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct DocumentBlock {
    /// `article` or `toc`.
    pub kind: String,
    /// The step that brought it in.
    pub step: String,
    /// Where it stands, as a CSS selector.
    pub path: String,
    /// Words.
    pub text_len: u32,
    /// Content information index.
    pub cii: Option<f64>,
    /// Structure information index.
    pub sii: Option<f64>,
    /// Mean anchor precision index.
    pub api: Option<f64>,
    /// The aggregated feature it was searched by.
    pub score: f64,
}

/// Makes the document of a page from its bytes and what was mined. Pure.
pub fn document(site: &str, record: &PageRecord, page: &Page, mined: Option<&Mined>) -> Document {
    let (dom, charset) = parse_page(page);
    let base = Url::parse(&page.url).ok();
    let links = base.as_ref().map(|base| links_in(&dom, base, charset));
    let base = links.as_ref().map_or(base, |links| Some(links.base.clone()));
    let about = base.as_ref().map(|base| meta(&dom, Some(base)));
    let title = about.as_ref().and_then(|m| m.title.clone()).unwrap_or_else(|| dom.title());
    let mut warnings = Vec::new();
    if mined.is_none() {
        warnings.push("not mined since it changed: run wisdom mine".to_owned());
    }
    if dom.is_truncated() {
        warnings.push("the page is larger than can be parsed; its end is missing".to_owned());
    }
    let nodes = mined.and_then(|mined| match &mined.kept {
        Some(kept) => (mined.nodes == dom.len()).then(|| kept_nodes(&dom, kept)),
        None => mined.article_nodes(&dom),
    });
    if mined.is_some() && nodes.is_none() {
        warnings.push("mined by another version, whose parser counts otherwise: run wisdom mine".to_owned());
    }
    let mined = mined.filter(|_| nodes.is_some());
    let ids: Vec<NodeId> = dom.ids().collect();

    let mut lines = Vec::new();
    let article = nodes.zip(base.as_ref()).and_then(|(nodes, base)| {
        let selection = Selection::new(&dom, nodes);
        let (text, text_lines) = text_lines(&dom, &selection);
        lines = text_lines;
        (!text.is_empty()).then(|| Article {
            html: html(&dom, &selection, Some(base)),
            markdown: markdown(&dom, &selection, Some(base)),
            text,
            title: title.clone(),
            date: about.as_ref().and_then(|m| m.date.clone()),
            author: about.as_ref().and_then(|m| m.author.clone()),
        })
    });
    let targets: FxHashMap<usize, &Link> =
        links.iter().flat_map(|found| &found.links).map(|link| (link.node.index(), link)).collect();
    let toc_links: Vec<TocEntry> = mined
        .iter()
        .flat_map(|mined| &mined.links)
        .filter_map(|link| {
            let target = targets.get(&link.node)?;
            Some(TocEntry { url: target.url.to_string(), text: target.text.clone(), score: link.score })
        })
        .collect();
    let toc = (!toc_links.is_empty()).then_some(Toc { links: toc_links });
    let roots: Vec<(&MinedBlock, NodeId)> = (mined.iter().flat_map(|mined| &mined.blocks))
        .filter_map(|block| Some((block, *ids.get(block.node)?)))
        .collect();
    let blocks = roots.iter().map(|&(block, root)| DocumentBlock {
        kind: block.kind.clone(),
        step: block.step.clone(),
        path: selector_path(&dom, root),
        text_len: block.text_len,
        cii: block.cii,
        sii: block.sii,
        api: block.api,
        score: block.score,
    });
    let page_type = mined.map_or("other", |mined| &*mined.page_type).to_owned();
    Document {
        id: id(&record.url),
        url: record.url.clone(),
        final_url: record.url.clone(),
        site: site.to_owned(),
        fetched_at: rfc3339(record.fetched_at),
        status: record.status,
        depth: record.depth,
        title,
        lang: record.lang.clone(),
        charset: record.charset.clone(),
        text: said(&page_type, article.as_ref(), toc.as_ref()),
        lines: placed(&dom, &lines, &roots),
        blocks: blocks.collect(),
        page_type,
        article,
        toc,
        records: mined.iter().flat_map(|mined| &mined.records).filter_map(|list| mined_list(&dom, list)).collect(),
        duplicate_of: mined.and_then(|mined| mined.duplicate_of.clone()),
        method: mined.map_or_else(String::new, |mined| mined.method.clone()),
        warnings,
    }
}

/// The lines with the innermost block that each stands in. Time linear in lines and blocks, but for looking up each line.
fn placed(dom: &Dom, lines: &[TextLine], roots: &[(&MinedBlock, NodeId)]) -> Vec<DocumentLine> {
    // In document order the last block that begins before a node and reaches over it is the innermost; blocks of one kind
    // are nested seldom, so that few are passed.
    let mut by_root: Vec<(NodeId, usize)> = (roots.iter().enumerate())
        .filter(|(_, (block, _))| block.kind == "article")
        .map(|(at, &(_, root))| (root, at))
        .collect();
    by_root.sort_unstable();
    by_root.dedup_by_key(|(root, _)| *root);
    let block_of = |node: NodeId| {
        let before = by_root.partition_point(|(root, _)| *root <= node);
        by_root[..before].iter().rev().take(MAX_PASSED).find(|(root, _)| dom.contains(*root, node)).map(|(_, at)| *at)
    };
    let line = |line: &TextLine| DocumentLine {
        start: line.start,
        heading: line.heading,
        block: line.node.and_then(block_of),
    };
    lines.iter().map(line).collect()
}

/// Blocks beside a line that are looked at before it counts as being in none.
const MAX_PASSED: usize = 256;

/// The text of what the page says.
fn said(page_type: &str, article: Option<&Article>, toc: Option<&Toc>) -> String {
    let mut text = article.map_or_else(String::new, |article| article.text.clone());
    if page_type == "toc" {
        for link in toc.iter().flat_map(|toc| &toc.links).filter(|link| !link.text.is_empty()) {
            // Teasers are in the article's text already, with their titles.
            if !text.lines().any(|line| line == link.text) {
                if !text.is_empty() {
                    text.push('\n');
                }
                text.push_str(&link.text);
            }
        }
    }
    text
}

fn id(url: &str) -> String {
    let digest = Sha256::digest(url.as_bytes());
    data_encoding::HEXLOWER.encode(&digest[..16])
}

/// Seconds since 1970 as RFC 3339.
fn rfc3339(seconds: u64) -> String {
    // Years up to 9999; a damaged time is shown as the epoch rather than not at all.
    let time = std::time::UNIX_EPOCH + std::time::Duration::from_secs(seconds.min(253_402_300_799));
    humantime::format_rfc3339_seconds(time).to_string()
}
