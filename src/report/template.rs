//! What a site repeats: the text chunks that most of its pages carry.

use super::escape::{Bdi, beginning, number, plural};
use super::facts::PageRow;
use crate::dom::parse_page;
use crate::entropy::{Table, novelty};
use crate::store::{SiteStore, StoreError};
use crate::terms::chunk_texts;
use rustc_hash::FxHashMap;
use std::fmt::Write as _;

/// Chunks that are shown.
const SHOWN: usize = 200;
/// Characters of a chunk that are shown.
const BEGINNING: usize = 300;

struct Chunk {
    hash: u64,
    id: u32,
    pages: u32,
    times: u64,
}

/// The body of the page. The model knows chunks by their hashes; their texts are looked up on pages that carry them, one page
/// for each chunk at most.
pub(super) fn template(site: &SiteStore, rows: &[PageRow]) -> Result<String, StoreError> {
    let mut chunks: Vec<Chunk> = Vec::new();
    let by_pages = |chunks: &mut Vec<Chunk>| {
        chunks.sort_unstable_by(|a, b| b.pages.cmp(&a.pages).then(b.times.cmp(&a.times)).then(a.hash.cmp(&b.hash)));
        chunks.truncate(SHOWN);
    };
    site.for_each_key(Table::Chunks, |key, id, stat| {
        if stat.df >= 2
            && let Ok(hash) = key.try_into().map(u64::from_be_bytes)
        {
            chunks.push(Chunk { hash, id, pages: stat.df, times: stat.tf });
            if chunks.len() > 8 * SHOWN {
                by_pages(&mut chunks);
            }
        }
    })?;
    by_pages(&mut chunks);
    let texts = texts_of(site, rows, &chunks)?;
    let pages = site.n_pages();
    let mut out = format!(
        "<h1>Template</h1>\n<p>Texts that stand on two pages or more of {}, those on most pages first, in lower case with every digit \
         as 0: so they are counted. W = 1 − ln(pages) / ln(all pages) is what they weigh.</p>\n",
        plural(pages, "page")
    );
    out.push_str(
        "<div class=\"tools\" data-filter=\"chunks\" hidden><label>Find<input type=\"search\"></label><output aria-live=\"polite\" class=\"small soft\"></output></div>\
         <div class=\"card scroll\" tabindex=\"0\" role=\"region\" aria-label=\"Template texts\"><table id=\"chunks\" data-sort><thead><tr><th scope=\"col\">Text</th><th scope=\"col\" class=\"n\">Pages</th><th scope=\"col\" class=\"n\">Times</th><th scope=\"col\" class=\"n\">W</th></tr></thead><tbody>\n",
    );
    for chunk in &chunks {
        let text = texts.get(&chunk.id).map_or("(its pages cannot be read)", String::as_str);
        let _ = writeln!(
            out,
            "<tr><td class=\"w\" dir=\"auto\">{}</td><td class=\"n\" data-v=\"{}\">{}</td><td class=\"n\" data-v=\"{}\">{}</td><td class=\"n\">{:.3}</td></tr>",
            Bdi(&beginning(text, BEGINNING)),
            chunk.pages,
            number(u64::from(chunk.pages)),
            chunk.times,
            number(chunk.times),
            novelty(u64::from(chunk.pages), pages),
        );
    }
    out.push_str("</tbody></table></div>");
    Ok(out)
}

/// The texts of chunks, by their ids.
fn texts_of(site: &SiteStore, rows: &[PageRow], chunks: &[Chunk]) -> Result<FxHashMap<u32, String>, StoreError> {
    let mut wanted: FxHashMap<u32, u64> = chunks.iter().map(|chunk| (chunk.id, chunk.hash)).collect();
    let mut texts = FxHashMap::default();
    for row in rows {
        if wanted.is_empty() {
            break;
        }
        let here: Vec<u32> = site.vector(row.id, Table::Chunks)?.into_iter().map(|(id, _)| id).collect();
        let here: Vec<u32> = here.into_iter().filter(|id| wanted.contains_key(id)).collect();
        if here.is_empty() {
            continue;
        }
        let Some((_, record)) = site.page(&row.url)? else { continue };
        // A page that cannot be read fails where it is shown; another one may carry the same texts.
        let Ok(page) = site.read_page(&record) else { continue };
        let found: FxHashMap<u64, String> = chunk_texts(&parse_page(&page).0).into_iter().collect();
        for id in here {
            if let Some(text) = wanted.get(&id).and_then(|hash| found.get(hash)) {
                texts.insert(id, text.clone());
                wanted.remove(&id);
            }
        }
    }
    Ok(texts)
}
