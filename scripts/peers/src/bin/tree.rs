//! A digest of every page's tree, to see that a change of the parser changes nothing: one line a page with tags, kept
//! attributes, depths, hidden flags, texts and text ranges hashed together, without the code in scripts and styles.
//!
//!     tree FOLDER...            digests of every file below the folders
//!     tree --peak FILE          parse one file; the page's bytes, the peak of memory before and in parsing, seconds

use std::hash::Hasher as _;
use std::path::{Path, PathBuf};
use wisdom::dom::{Attr, Dom, Tag, decode};

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    if let [flag, file] = &*arguments
        && flag == "--peak"
    {
        return peak(Path::new(file));
    }
    let mut files = Vec::new();
    arguments.iter().for_each(|folder| walk(Path::new(folder), &mut files));
    files.sort();
    for file in files {
        if let Ok(bytes) = std::fs::read(&file) {
            let decoded = decode(&bytes, None);
            println!("{:016x} {} {}", digest(&Dom::parse(&decoded.text)), decoded.charset, file.display());
        }
    }
}

fn walk(path: &Path, files: &mut Vec<PathBuf>) {
    if path.is_dir() {
        let entries = std::fs::read_dir(path).into_iter().flatten().flatten();
        entries.for_each(|entry| walk(&entry.path(), files));
    } else if path.extension().is_some_and(|e| ["html", "htm", "xhtml"].iter().any(|known| e == *known)) {
        files.push(path.to_path_buf());
    }
}

fn digest(dom: &Dom) -> u64 {
    let mut hash = xxhash_rust::xxh3::Xxh3::new();
    let number = |hash: &mut xxhash_rust::xxh3::Xxh3, n: usize| hash.write(&(n as u64).to_le_bytes());
    // Depths instead of places, and nothing of code: its text may be kept or not.
    let mut skipped = dom.root();
    for id in dom.ids() {
        if id < skipped {
            continue;
        }
        hash.write(dom.tag(id).name().as_bytes());
        number(&mut hash, dom.ancestors(id).count());
        number(&mut hash, usize::from(dom.is_hidden(id)));
        for (attr, value) in dom.attrs(id) {
            hash.write(attr.name().as_bytes());
            number(&mut hash, value.len());
            hash.write(value.as_bytes());
        }
        if let Some(range) = dom.text_range(id) {
            number(&mut hash, range.start);
            number(&mut hash, range.end);
        }
        let is_json = dom.attr(id, Attr::TYPE).is_some_and(|kind| kind.to_ascii_lowercase().contains("json"));
        if dom.tag(id) == Tag::STYLE || (dom.tag(id) == Tag::SCRIPT && !is_json) {
            skipped = dom.end(id);
        } else if dom.is_text(id) {
            hash.write(dom.text(id).as_bytes());
        }
    }
    hash.write(dom.visible_text().as_bytes());
    hash.finish()
}

fn peak(file: &Path) {
    let Ok(bytes) = std::fs::read(file) else {
        eprintln!("cannot read {}", file.display());
        std::process::exit(1);
    };
    let before = peak_kilobytes();
    let start = std::time::Instant::now();
    let decoded = decode(&bytes, None);
    let dom = Dom::parse(&decoded.text);
    let seconds = start.elapsed().as_secs_f64();
    let after = peak_kilobytes();
    println!(
        "{:.1} MB page, peak {:.1} MB with the page read, {:.1} MB with the tree ({:.2} times the page), {} nodes, {seconds:.2} s",
        bytes.len() as f64 / 1e6,
        before as f64 / 1e3,
        after as f64 / 1e3,
        after as f64 * 1e3 / bytes.len() as f64,
        dom.len()
    );
}

/// The most memory that the process has held so far, in thousands of bytes.
fn peak_kilobytes() -> usize {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    line.and_then(|line| line.split_whitespace().next()?.parse::<usize>().ok()).unwrap_or(0) * 1024 / 1000
}
