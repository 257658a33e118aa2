//! Inspect: the coverage tree of one page with every measure, and why each block was chosen or not.

use super::inspect_auto::inspect_auto;
use super::learn::anchors;
use super::mine::Look;
use super::{Method, MineOptions, PipelineError, SiteState};
use crate::blocks::{Anchor, BlockKind, BlockSet, Structure, Verdict, page_structure};
use crate::coverage::Feature;
use crate::dom::{Attr, Dom, NodeId, NodeMap, fold_space, parse_page};
use crate::page::{Fate, Page};
use crate::store::SiteStore;
use crate::terms::{PageTerms, TermOptions, page_terms};
use std::fmt::Write as _;

/// The tree of a stored page, with the site's model behind every number.
pub fn inspect_stored(site: &SiteStore, url: &str, options: &MineOptions) -> Result<String, PipelineError> {
    let Some((id, record)) = site.page(url)? else {
        let hint = match site.fate(url)?.map(|record| record.fate) {
            Some(Fate::Redirect { to, .. }) => format!("; it redirects to {to}"),
            Some(Fate::Skipped { reason }) => format!("; it was left out: {reason}"),
            Some(Fate::Gone { status }) => format!("; the server says that it is gone (status {status})"),
            Some(Fate::Failed { reason, .. }) => format!("; it failed: {reason}"),
            None => "; wisdom export lists the pages it holds".to_owned(),
        };
        return Err(PipelineError::NoPage { url: url.to_owned(), hint });
    };
    if options.method == Method::Auto {
        return inspect_auto(site, &record);
    }
    let page = site.read_page(&record)?;
    let terms = SiteState::of(site)?.term_options()?;
    let look = Look::at(site, &page, Some(id), &terms)?;
    let structure = look.structure(&options.params);
    let head = format!("{url}\nmethod {}, {} pages known", options.method.name(), site.n_pages());
    Ok(print(&look.dom, &look.terms, &structure, options, &head))
}

/// The tree of a page without any model: every term counts as new, and no link leads anywhere.
pub fn inspect_file(page: &Page, terms: &TermOptions, options: &MineOptions) -> String {
    let (dom, charset) = parse_page(page);
    let terms = page_terms(&dom, terms);
    let ids = vec![None; terms.terms.len()];
    let entropies = vec![0.0; terms.terms.len()];
    let links = anchors(&dom, &page.url, charset);
    let anchors: Vec<Anchor<'_>> =
        links.iter().map(|link| Anchor { node: link.node, linked: None, entropy: 0.0 }).collect();
    let structure = page_structure(&dom, &terms, &ids, &entropies, &anchors, &options.params);
    let head = format!("{}\nmethod {}, no model: every term counts as new", page.url, options.method.name());
    print(&dom, &terms, &structure, options, &head)
}

fn print(dom: &Dom, terms: &PageTerms, structure: &Structure, options: &MineOptions, head: &str) -> String {
    let evidence = &structure.evidence;
    let mut out = format!(
        "{head}, language {}\ntype {}: link density {:.2}, repeated by linked pages {:.2}; {} article and {} toc blocks, {} toc links\n\n",
        if terms.language.is_unknown() { "unknown" } else { terms.language.code() },
        structure.page_type.name(),
        evidence.link_density,
        evidence.repeated,
        structure.article.blocks.len(),
        structure.toc.blocks.len(),
        structure.links.len(),
    );
    let _ = writeln!(
        out,
        "  CLEN   ALEN   CII  SII(CLEN)     API  mean  SII({})  node",
        if options.params.toc_feature == Feature::Alen { "ALEN" } else { "API" }
    );
    let mut marks = NodeMap::filled(dom, String::new());
    for set in [&structure.article, &structure.toc] {
        mark(dom, set, structure, options, &mut marks);
    }
    let tree = &structure.tree;
    let number = |value: Option<f64>| value.map_or_else(|| "-".to_owned(), |v| format!("{v:.2}"));
    for id in dom.subtree(dom.body()) {
        if tree.text_len(id) == 0 && marks[id].is_empty() {
            continue;
        }
        let depth = dom.ancestors(id).count().saturating_sub(2).min(60);
        let _ = writeln!(
            out,
            "{:6} {:6} {:>5} {:>10} {:7.1} {:>5} {:>9}  {:depth$}{}{}",
            tree.feature(id, Feature::Clen),
            tree.feature(id, Feature::Alen),
            number(tree.cii(id)),
            number(tree.sii(dom, id, Feature::Clen)),
            tree.feature(id, Feature::Api),
            number(tree.mean_api(id)),
            number(tree.sii(dom, id, options.params.toc_feature)),
            "",
            name(dom, id),
            marks[id],
        );
    }
    out
}

/// Notes for each node what the two searches made of it.
fn mark(dom: &Dom, set: &BlockSet, structure: &Structure, options: &MineOptions, marks: &mut NodeMap<String>) {
    let (kind, params, tree) = (set.kind.name(), &options.params, &structure.tree);
    for &(id, verdict) in &set.trace {
        let sii = tree.sii(dom, id, set.kind.feature(params));
        let why = match verdict {
            Verdict::Chosen => {
                sii.map_or("a leaf of the kind sought".to_owned(), |s| format!("SII {s:.2} > {}", params.st))
            }
            Verdict::Split => sii.map_or("one child".to_owned(), |s| format!("SII {s:.2} ≤ {}", params.st)),
            Verdict::WrongKind => match set.kind {
                BlockKind::Article => format!("CII under {:.2}", 1.0 - params.tc_article),
                BlockKind::Toc => format!("mean API under {}", params.tc_toc),
            },
        };
        let what = match verdict {
            Verdict::Chosen => "chosen",
            Verdict::Split => "split",
            Verdict::WrongKind if params.split_failed => "split, wrong kind",
            Verdict::WrongKind => "dropped, wrong kind",
        };
        let _ = write!(marks[id], "  [{kind}: {what}: {why}]");
    }
    for block in &set.blocks {
        let _ = write!(marks[block.root], "  [{kind} block by {}]", block.grown.name());
    }
    for &id in &set.removed {
        let _ = write!(marks[id], "  [{kind}: removed by condensing]");
    }
}

/// A node for people: tag with id or class, or the beginning of its text.
fn name(dom: &Dom, id: NodeId) -> String {
    if dom.is_text(id) {
        let text: String = fold_space(dom.text(id)).chars().take(40).collect();
        return format!("\"{text}\"");
    }
    let mut name = dom.tag(id).name().to_owned();
    if let Some(value) = dom.attr(id, Attr::ID) {
        name.push('#');
        name.extend(value.chars().take(30).filter(|c| !c.is_control()));
    }
    for class in dom.attr(id, Attr::CLASS).unwrap_or_default().split_whitespace().take(2) {
        name.push('.');
        name.extend(class.chars().take(30).filter(|c| !c.is_control()));
    }
    name
}
