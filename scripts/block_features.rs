//! Writes the blocks and features of pages for `scripts/train-blocks`.
//!
//! `block_features OUT`, the pages' paths on stdin, one a line: `OUT.names`, one feature a line; `OUT.f32`, rows of little-endian floats; `OUT.jsonl`, one
//! line a page: its file, its title and the texts of its blocks, in the order of the rows.

use std::fs::File;
use std::io::{BufWriter, Write};
use wisdom::article::block_features;
use wisdom::dom::{Dom, decode};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut args = std::env::args().skip(1);
    let out = args.next().ok_or("block_features OUT < PATHS")?;
    let mut rows = BufWriter::new(File::create(format!("{out}.f32"))?);
    let mut lines = BufWriter::new(File::create(format!("{out}.jsonl"))?);
    let mut names = Vec::new();
    for path in std::io::stdin().lines() {
        let path = path?;
        let bytes = std::fs::read(&path)?;
        let page = block_features(&Dom::parse(&decode(&bytes, None).text));
        for value in &page.values {
            rows.write_all(&value.to_le_bytes())?;
        }
        serde_json::to_writer(
            &mut lines,
            &serde_json::json!({"file": path, "title": page.title, "texts": page.texts}),
        )?;
        lines.write_all(b"\n")?;
        if !page.names.is_empty() {
            names = page.names;
        }
    }
    std::fs::write(format!("{out}.names"), names.join("\n"))?;
    Ok(())
}
