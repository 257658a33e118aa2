//! The part of a text that shows best why it was found.

use super::query::Chain;
use crate::terms::{Analyser, Side, search_terms};
use rustc_hash::{FxHashMap, FxHashSet};
use serde::Serialize;
use std::ops::Range;

/// A piece of a snippet.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Piece {
    /// Its text; line ends and control characters are blanks.
    pub text: String,
    /// Whether it is what was looked for.
    pub hit: bool,
}

/// Bytes of a snippet, about.
const LENGTH: usize = 240;
/// Bytes of it before the first hit, about.
const BEFORE: usize = 60;
/// Bytes within which a blank is looked for to cut at; fewer than stand before the first hit.
const NEAR: usize = 40;
/// Hits that are considered. A text with more of them says the same over and over.
const MAX_HITS: usize = 2000;

/// The stretch of a text that holds most of the chains, with the hits in it; the head of the text where there is none. Time
/// linear in the text and in the hits of a stretch.
pub(super) fn snippet<'a>(text: &str, analyser: Analyser, chains: impl Iterator<Item = &'a Chain>) -> Vec<Piece> {
    let chains: Vec<&Chain> = chains.collect();
    let hits = hits(text, analyser, &chains);
    let from = match best(&hits) {
        Some(start) => start.saturating_sub(BEFORE),
        None => 0,
    };
    let from = if from == 0 { 0 } else { soft(text, from) };
    let to = if from + LENGTH >= text.len() { text.len() } else { soft(text, from + LENGTH) };
    let mut marked: Vec<Range<usize>> =
        hits.into_iter().map(|hit| hit.range).filter(|r| r.start >= from && r.end <= to).collect();
    marked.sort_by_key(|range| (range.start, range.end));
    let mut pieces: Vec<Piece> = Vec::new();
    let mut push = |text: &str, hit: bool| match pieces.last_mut() {
        _ if text.is_empty() => {}
        Some(last) if last.hit == hit => last.text.push_str(&text.replace(char::is_control, " ")),
        _ => pieces.push(Piece { text: text.replace(char::is_control, " "), hit }),
    };
    if from > 0 {
        push("… ", false);
    }
    let mut at = from;
    let mut marked = marked.into_iter().peekable();
    while let Some(mut range) = marked.next() {
        // Pairs of characters overlap, and words and the words in them.
        while let Some(next) = marked.next_if(|next| next.start <= range.end) {
            range.end = range.end.max(next.end);
        }
        push(&text[at..range.start], false);
        push(&text[range.clone()], true);
        at = range.end;
    }
    push(text[at..to].trim_end(), false);
    if to < text.len() {
        push(" …", false);
    }
    pieces
}

/// A place near `at` where the text may be cut: after the next blank, or where there is none nearby (Chinese) at a character.
fn soft(text: &str, at: usize) -> usize {
    let mut at = at.min(text.len());
    while !text.is_char_boundary(at) {
        at += 1;
    }
    let mut near = text[at..].char_indices().take_while(|(further, _)| *further < NEAR);
    near.find(|(_, c)| c.is_whitespace()).map_or(at, |(blank, c)| at + blank + c.len_utf8())
}

#[derive(Debug)]
struct Hit {
    range: Range<usize>,
    chain: usize,
}

/// Where the chains stand, in the order of the text.
fn hits(text: &str, analyser: Analyser, chains: &[&Chain]) -> Vec<Hit> {
    let wanted: FxHashSet<&str> = chains.iter().flat_map(|chain| &chain.terms).map(|(_, term)| &**term).collect();
    let mut hits = Vec::new();
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        let mut places: FxHashMap<(usize, &str), Range<usize>> = FxHashMap::default();
        let mut firsts: Vec<(usize, &str)> = Vec::new();
        search_terms(line, analyser, Side::Page, &mut |term| {
            if let Some(&wanted) = wanted.get(term.text) {
                places.insert((term.position, wanted), term.range);
                firsts.push((term.position, wanted));
            }
        });
        for (position, term) in firsts {
            for (number, chain) in chains.iter().enumerate().filter(|(_, chain)| chain.terms[0].1 == term) {
                let ranges = chain.terms.iter().map(|(place, term)| places.get(&(position + place, &**term)));
                let Some(ranges) = ranges.collect::<Option<Vec<_>>>() else { continue };
                let start = ranges.iter().map(|range| range.start).min().unwrap_or(0);
                let end = ranges.iter().map(|range| range.end).max().unwrap_or(0);
                hits.push(Hit { range: at + start..at + end, chain: number });
            }
        }
        at += line.len();
        if hits.len() >= MAX_HITS {
            break;
        }
    }
    hits.sort_by_key(|hit| (hit.range.start, hit.range.end, hit.chain));
    hits
}

/// Where the best stretch begins: the first of those with most distinct chains.
fn best(hits: &[Hit]) -> Option<usize> {
    let mut best: Option<(usize, usize)> = None;
    let mut end = 0;
    let mut counts: FxHashMap<usize, usize> = FxHashMap::default();
    for (at, hit) in hits.iter().enumerate() {
        end = end.max(at);
        while let Some(next) = hits.get(end).filter(|next| next.range.end <= hit.range.start + LENGTH - BEFORE) {
            *counts.entry(next.chain).or_default() += 1;
            end += 1;
        }
        if best.is_none_or(|(distinct, _)| counts.len() > distinct) {
            best = Some((counts.len(), hit.range.start));
        }
        // A hit that is longer than a stretch was not counted in.
        if at < end
            && let Some(count) = counts.get_mut(&hit.chain)
        {
            *count -= 1;
            if *count == 0 {
                counts.remove(&hit.chain);
            }
        }
    }
    best.map(|(_, start)| start)
}

#[cfg(test)]
mod tests {
    use super::super::query::Reading;
    use super::*;
    use crate::terms::Language;
    use proptest::prelude::*;

    fn shown(text: &str, query: &str, lang: &str) -> String {
        let analyser = Analyser::of(Language::from_tag(lang));
        let reading = Reading::new(query, analyser);
        let pieces = snippet(text, analyser, reading.chains());
        pieces.iter().map(|piece| if piece.hit { format!("[{}]", piece.text) } else { piece.text.clone() }).collect()
    }

    #[test]
    fn hits_are_marked_as_the_page_writes_them() {
        assert_eq!(shown("The keepers lit\nthe LAMPS.", "lamp keeper", "en"), "The [keepers] lit the [LAMPS].");
        assert_eq!(
            shown("Lamps of the harbour, the harbour", "\"the harbour\"", "en"),
            "Lamps of [the harbour], [the harbour]"
        );
        assert_eq!(shown("國家圖書館在北京。", "图书馆", "zh"), "國家[圖書館]在北京。");
        assert_eq!(shown("東京大学の灯台", "東京大学", "ja"), "[東京大学]の灯台");
        assert_eq!(shown("nothing here", "lamp", "en"), "nothing here");
        assert_eq!(shown("", "lamp", "en"), "");
    }

    #[test]
    fn the_stretch_with_most_words_is_shown() {
        let text = format!("lamp {} the lamp of the keeper {}", "sea ".repeat(200), "sand ".repeat(200));
        let shown = shown(&text, "keeper lamp", "en");
        assert!(shown.starts_with("… ") && shown.ends_with(" …"), "{shown}");
        assert!(shown.contains("the [lamp] of the [keeper]"), "{shown}");
        assert!(shown.len() < LENGTH + 120, "{shown}");
    }

    proptest! {
        #[test]
        fn any_text_can_be_cut(text in "[ab é灯塔ｶﾞ\n\u{301}\u{202e}]{0,400}", query in "[ab 灯塔ガ\"-]{0,8}", at in 0_usize..21) {
            let analyser = Analyser::all().nth(at).expect("21 of them");
            let reading = Reading::new(&query, analyser);
            let pieces = snippet(&text, analyser, reading.chains());
            let shown: String = pieces.iter().map(|piece| &*piece.text).collect();
            let plain = text.replace(char::is_control, " ");
            prop_assert!(plain.contains(shown.trim_start_matches("… ").trim_end_matches(" …")));
        }
    }
}
