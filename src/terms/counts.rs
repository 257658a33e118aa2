//! [`PageCounts`]: what one page adds to the site model.

use crate::dom::Dom;
use xxhash_rust::xxh3::xxh3_64;

/// What one page adds to the three tables of the site model. Keys are distinct; order does not matter.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PageCounts {
    /// Terms with the times they occur.
    pub terms: Vec<(Box<str>, u32)>,
    /// Hashes of text chunks with the times they occur.
    pub chunks: Vec<(u64, u32)>,
    /// Hashes of anchors (target URL and tag path) with the times they occur.
    pub anchors: Vec<(u64, u32)>,
}

/// The hashes of a page's text chunks in document order. A chunk is a maximal run of visible text between block
/// boundaries, in lower case, white space folded, digits as 0 (so that dates and counters do not make it new). Runs
/// without letters or digits are no chunks. Time linear in the text.
pub fn chunk_hashes(dom: &Dom) -> Vec<u64> {
    let mut hashes = Vec::new();
    each_chunk(dom, |text| hashes.push(xxh3_64(text.as_bytes())));
    hashes
}

/// The same with the chunks themselves, as they are hashed.
pub fn chunk_texts(dom: &Dom) -> Vec<(u64, String)> {
    let mut texts = Vec::new();
    each_chunk(dom, |text| texts.push((xxh3_64(text.as_bytes()), text.to_owned())));
    texts
}

fn each_chunk(dom: &Dom, mut each: impl FnMut(&str)) {
    let mut chunk = String::new();
    let mut flush = |chunk: &mut String| {
        let text = chunk.trim_end();
        if text.chars().any(char::is_alphanumeric) {
            each(text);
        }
        chunk.clear();
    };
    let mut end = usize::MAX;
    for id in dom.ids() {
        let Some(range) = dom.text_range(id).filter(|_| dom.is_text(id)) else { continue };
        // A gap between the ranges of neighbouring text nodes is a block boundary.
        if range.start != end {
            flush(&mut chunk);
        }
        end = range.end;
        for c in dom.text(id).chars() {
            if c.is_whitespace() {
                if !chunk.is_empty() && !chunk.ends_with(' ') {
                    chunk.push(' ');
                }
            } else if c.is_numeric() {
                chunk.push('0');
            } else {
                chunk.extend(c.to_lowercase());
            }
        }
    }
    flush(&mut chunk);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chunks_are_runs_between_block_boundaries() {
        let hashes = chunk_hashes(&Dom::parse(
            "<p>Page 12 of <b>20</b>\n</p><p>page 34\n of 10<br>***<br>end<script>x</script>",
        ));
        assert_eq!(hashes.len(), 3);
        assert_eq!(hashes[0], hashes[1]);
        assert_eq!(hashes[2], xxh3_64(b"end"));
        let texts = chunk_texts(&Dom::parse("<p>Page 12 of <b>20</b>\n</p>"));
        assert_eq!(texts, [(hashes[0], "page 00 of 00".to_owned())]);
    }
}
