//! Which pages have a view of their own, where not all can.
//!
//! A large site is many pages of few kinds. The first thousand by address, or by distance from the entrance, may be of one; so
//! pages are told apart by type and by the pattern of their address, and each kind gives its first, then each its second,
//! and so on.

use super::facts::PageRow;
use rustc_hash::FxHashMap;
use std::cmp::Reverse;
use url::Url;
use xxhash_rust::xxh3::xxh3_64;

/// Which rows have a view: all, or `most` of them, some of each kind. Of a kind those closest to the entrance come first; where
/// there are more kinds than views, the entrance and the kinds of most pages have one. Time O(n log n).
pub(super) fn chosen(rows: &[PageRow], most: usize) -> Vec<bool> {
    if rows.len() <= most {
        return vec![true; rows.len()];
    }
    let mut kinds: FxHashMap<(&str, u64), Vec<usize>> = FxHashMap::default();
    for (at, row) in rows.iter().enumerate() {
        kinds.entry((&row.page_type, pattern(&row.url))).or_default().push(at);
    }
    let mut turns = Vec::with_capacity(rows.len());
    #[allow(clippy::iter_over_hash_type, reason = "the turns are sorted, and no two are equal")]
    for mut kind in kinds.into_values() {
        kind.sort_by_key(|&at| rows[at].depth);
        let pages = kind.len();
        turns.extend(kind.into_iter().enumerate().map(|(turn, at)| {
            let depth = rows[at].depth;
            (turn, depth > 0, Reverse(pages), depth, at)
        }));
    }
    turns.sort_unstable();
    let mut views = vec![false; rows.len()];
    for (.., at) in turns.into_iter().take(most) {
        views[at] = true;
    }
    views
}

/// What addresses of one kind of page share, as a hash: the folder, or, where there are parameters, the file and their names;
/// numbers are all the same.
fn pattern(url: &str) -> u64 {
    let Ok(url) = Url::parse(url) else { return 0 };
    let path = url.path();
    let mut text = String::from(url.host_str().unwrap_or_default());
    if url.query().is_some() {
        text.push_str(path);
        let mut names: Vec<_> = url.query_pairs().map(|(name, _)| name).collect();
        names.sort_unstable();
        names.dedup();
        text.extend(names.iter().flat_map(|name| ["&", name]));
    } else {
        text.push_str(path.rsplit_once('/').map_or(path, |(folder, _)| folder));
    }
    let mut folded = String::with_capacity(text.len());
    for c in text.chars() {
        let c = if c.is_ascii_digit() { '0' } else { c };
        if c != '0' || !folded.ends_with('0') {
            folded.push(c);
        }
    }
    xxh3_64(folded.as_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::PageId;

    fn row(url: &str, page_type: &str, depth: u32) -> PageRow {
        PageRow {
            id: PageId(0),
            url: url.to_owned(),
            document: String::new(),
            status: 200,
            depth,
            fetched_at: 0,
            lang: String::new(),
            method: "auto".to_owned(),
            page_type: page_type.to_owned(),
            words: 0,
            links: 0,
            records: 0,
            duplicate_of: None,
        }
    }

    fn names(rows: &[PageRow], most: usize) -> Vec<&str> {
        let views = chosen(rows, most);
        let chosen = rows.iter().zip(views).filter(|(_, view)| *view);
        chosen.map(|(row, _)| row.url.strip_prefix("http://h.test").unwrap_or(&row.url)).collect()
    }

    #[test]
    fn each_kind_gives_its_closest_pages_in_turn() {
        let mut rows: Vec<PageRow> =
            (0..50).map(|n| row(&format!("http://h.test/2024/{n}/a.html"), "article", 2)).collect();
        rows[7].depth = 1;
        rows.push(row("http://h.test/", "toc", 0));
        rows.push(row("http://h.test/tag/x", "toc", 3));
        rows.push(row("http://h.test/tag/y", "other", 3));
        rows.push(row("http://h.test/show?id=7", "article", 4));
        rows.push(row("http://h.test/show?id=8", "article", 4));
        assert_eq!(names(&rows, 1), ["/"]);
        assert_eq!(names(&rows, 2), ["/2024/7/a.html", "/"]);
        assert_eq!(names(&rows, 5), ["/2024/7/a.html", "/", "/tag/x", "/tag/y", "/show?id=7"]);
        assert_eq!(
            names(&rows, 7),
            ["/2024/0/a.html", "/2024/7/a.html", "/", "/tag/x", "/tag/y", "/show?id=7", "/show?id=8"]
        );
        assert_eq!(names(&rows, 55).len(), 55);
        assert_eq!(names(&rows, 0).len(), 0);
    }
}
