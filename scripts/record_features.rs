//! Writes the candidate regions of pages and their features for `scripts/train-records`.
//!
//! The pages' paths on stdin, one a line; on stdout one JSON object a page: `file`; `text`, its visible letters and digits;
//! `images`, the sources of its images in document order; `candidates`, each with `origin`, `row` (features), `records`: ranges
//! of `text`, and `images`: ranges of the page's images. The first line is the features' names.

use std::io::{BufWriter, Write};
use unicode_normalization::UnicodeNormalization;
use wisdom::dom::{Attr, Dom, NodeId, Tag, decode};
use wisdom::records::candidate_features;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut out = BufWriter::new(std::io::stdout().lock());
    let names = candidate_features(&Dom::parse("")).names;
    serde_json::to_writer(&mut out, &names)?;
    out.write_all(b"\n")?;
    for path in std::io::stdin().lines() {
        let path = path?;
        let dom = Dom::parse(&decode(&std::fs::read(&path)?, None).text);
        let page = candidate_features(&dom);
        // Where each byte of the visible text lies in the normal form, in characters.
        let mut text = String::new();
        let mut places = Vec::with_capacity(dom.visible_text().len() + 1);
        let mut length = 0_usize;
        for c in dom.visible_text().chars() {
            places.resize(places.len() + c.len_utf8(), length);
            for c in std::iter::once(c).nfkc().flat_map(char::to_lowercase).filter(|c| c.is_alphanumeric()) {
                text.push(c);
                length += 1;
            }
        }
        places.push(length);
        let records = |records: &Vec<wisdom::records::Record>| -> Vec<Vec<[usize; 2]>> {
            let ranges = records.iter().map(|record| record.nodes.iter().filter_map(|&id| dom.text_range(id)));
            ranges.map(|ranges| ranges.map(|range| [places[range.start], places[range.end]]).collect()).collect()
        };
        let images: Vec<NodeId> = dom.ids().filter(|&id| dom.tag(id) == Tag::IMG).collect();
        let shown = |records: &Vec<wisdom::records::Record>| -> Vec<Vec<[usize; 2]>> {
            let range = |&id: &NodeId| [id, dom.end(id)].map(|at| images.partition_point(|&image| image < at));
            records.iter().map(|record| record.nodes.iter().map(range).collect()).collect()
        };
        let candidates: Vec<serde_json::Value> = page
            .rows
            .iter()
            .zip(&page.records)
            .zip(&page.origins)
            .map(|((row, list), origin)| {
                serde_json::json!({"origin": origin, "row": row, "records": records(list), "images": shown(list)})
            })
            .collect();
        let sources: Vec<&str> = images.iter().map(|&id| dom.attr(id, Attr::SRC).unwrap_or_default()).collect();
        let page = serde_json::json!({"file": path, "text": text, "images": sources, "candidates": candidates});
        serde_json::to_writer(&mut out, &page)?;
        out.write_all(b"\n")?;
    }
    Ok(())
}
