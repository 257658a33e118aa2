//! Text for a search index: NFKC with the way back to the bytes it came from, and words without accents.

use std::borrow::Cow;
use unicode_normalization::char::{canonical_combining_class, is_combining_mark};
use unicode_normalization::{IsNormalized, UnicodeNormalization, is_nfkc_quick};

/// Text in NFKC that knows where it came from.
pub(super) struct Normal<'a> {
    text: Cow<'a, str>,
    /// Where normal text and original part: (byte in the normal text, byte in the original), for the ends of stretches that
    /// changed. In order; empty where nothing did.
    turns: Vec<(usize, usize)>,
}

impl<'a> Normal<'a> {
    /// Normalises a text. Time linear in it; memory beside the text only for what changes.
    pub(super) fn new(original: &'a str) -> Self {
        if is_nfkc_quick(original.chars()) == IsNormalized::Yes {
            return Self { text: Cow::Borrowed(original), turns: Vec::new() };
        }
        let mut text = String::with_capacity(original.len());
        let mut turns = Vec::new();
        let mut rest = original;
        while let Some(first) = rest.chars().next() {
            // What may melt into the character before it is normalised along with it.
            let end = rest.char_indices().skip(1).find(|&(_, c)| !joins(c)).map_or(rest.len(), |(at, _)| at);
            let (cluster, tail) = rest.split_at(end);
            let before = text.len();
            if first.is_ascii() && cluster.len() == 1 {
                text.push(first);
            } else {
                text.extend(cluster.nfkc());
            }
            rest = tail;
            if text[before..] != *cluster {
                turns.push((before, original.len() - rest.len() - cluster.len()));
                turns.push((text.len(), original.len() - rest.len()));
            }
        }
        Self { text: Cow::Owned(text), turns }
    }

    /// The normal text.
    pub(super) fn text(&self) -> &str {
        &self.text
    }

    /// The byte of the original at which a piece of the normal text begins: for a byte inside of what was one character,
    /// that character's first. Time logarithmic in the changes.
    pub(super) fn start(&self, at: usize) -> usize {
        match self.turns.partition_point(|&(normal, _)| normal <= at).checked_sub(1) {
            None => at,
            // Inside of a stretch that changed.
            Some(turn) if turn % 2 == 0 => self.turns[turn].1,
            Some(turn) => self.turns[turn].1 + (at - self.turns[turn].0),
        }
    }

    /// The byte of the original at which a piece of the normal text ends, likewise.
    pub(super) fn end(&self, at: usize) -> usize {
        match self.turns.partition_point(|&(normal, _)| normal < at).checked_sub(1) {
            None => at,
            Some(turn) if turn % 2 == 0 => self.turns[turn + 1].1,
            Some(turn) => self.turns[turn].1 + (at - self.turns[turn].0),
        }
    }
}

/// Whether a character may become one with the character before it.
fn joins(c: char) -> bool {
    // Vowels and final consonants of Korean syllables; voice marks of half-width kana.
    matches!(c, '\u{1160}'..='\u{11FF}' | '\u{FF9E}' | '\u{FF9F}') || canonical_combining_class(c) != 0
}

/// A word in lower case without accents, and without the characters that only shape it. `word` is in NFKC. Letters of other
/// scripts than Latin, Greek and Cyrillic keep their marks, which are vowels there.
pub(super) fn lower(word: &str) -> String {
    if word.is_ascii() {
        return word.to_ascii_lowercase();
    }
    let mut lower = String::with_capacity(word.len());
    for c in word.chars().flat_map(char::to_lowercase) {
        match c {
            // Soft hyphen and joiners; what is left of the Turkish capital İ.
            '\u{ad}' | '\u{200c}' | '\u{200d}' | '\u{307}' => {}
            'ё' => lower.push('е'),
            'ς' => lower.push('σ'),
            c => lower.push(c),
        }
    }
    lower
}

/// Takes the accents off a stem. Time linear in it.
pub(super) fn without_accents(stem: &str) -> String {
    if stem.is_ascii() {
        return stem.to_owned();
    }
    let mut plain = String::with_capacity(stem.len());
    let mut is_bare = false;
    for c in stem.nfd() {
        match c {
            '\u{300}'..='\u{36f}' if is_bare => continue,
            'ß' => plain.push_str("ss"),
            'æ' => plain.push_str("ae"),
            'œ' => plain.push_str("oe"),
            'þ' => plain.push_str("th"),
            'ø' => plain.push('o'),
            'ł' => plain.push('l'),
            'đ' | 'ð' => plain.push('d'),
            'ħ' => plain.push('h'),
            'ı' => plain.push('i'),
            c => plain.push(c),
        }
        if !is_combining_mark(c) {
            is_bare = matches!(u32::from(c), 0x41..=0x24F | 0x370..=0x3FF);
        }
    }
    plain.nfc().collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn accents_go_from_latin_and_greek_only() {
        for (word, plain) in [
            ("Crème", "creme"),
            ("Straße", "strasse"),
            ("ØRSTED", "orsted"),
            ("İstanbul", "istanbul"),
            ("φάρος", "φαροσ"),
            ("Ёлка", "елка"),
            ("й", "й"),
            ("नमस्ते", "नमस्ते"),
            ("ที่", "ที่"),
            ("Tiếng", "tieng"),
            ("co\u{ad}op", "coop"),
        ] {
            assert_eq!(without_accents(&lower(word)), plain, "{word}");
        }
    }

    #[test]
    fn normal_text_leads_back() {
        let original = "x ﬁsh，ＡＢ e\u{301} ｶﾞｲ 가 z";
        let normal = Normal::new(original);
        assert_eq!(normal.text(), "x fish,AB é ガイ 가 z");
        for (piece, from) in [("fish", "ﬁsh"), ("A", "Ａ"), ("é", "e\u{301}"), ("ガイ", "ｶﾞｲ"), ("가", "가"), ("z", "z")]
        {
            let at = normal.text().find(piece).expect("a piece");
            assert_eq!(&original[normal.start(at)..normal.end(at + piece.len())], from, "{piece}");
        }
        // The i of the ligature alone is all of it.
        let at = normal.text().find("ish").expect("a piece");
        assert_eq!(&original[normal.start(at)..normal.end(at + 1)], "ﬁ");
    }

    proptest! {
        #[test]
        fn ways_back_end_at_characters(text in "[a-zﬁ，Ａe\u{301}\u{1100}\u{1161}\u{11a8}ｶﾞ가漢 ½\u{fdfa}]{0,24}") {
            let normal = Normal::new(&text);
            let mut last = 0;
            for (at, c) in normal.text().char_indices() {
                let (start, end) = (normal.start(at), normal.end(at + c.len_utf8()));
                prop_assert!(text.get(start..end).is_some_and(|piece| !piece.is_empty()));
                prop_assert!(start >= last);
                last = start;
            }
        }
    }
}
