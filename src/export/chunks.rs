//! [`Chunks`]: documents as passages, for retrieval.
//!
//! A passage is a piece of a document's text, whole sentences (by Unicode Standard Annex #29, within a line) in order, up to a
//! number of tokens; it never goes on over a heading, so that it stands under one path of headings. A sentence that is too
//! long by itself is cut between words. The passages of a document put together are its text, to the byte, unless they are
//! to overlap: then a passage that goes on where the one before was full begins with the last sentences of that, as many as
//! fit into the overlap.
//!
//! A *token* is a word of a script with blanks, or a character of a script without (Chinese, Japanese, Thai, Lao, Khmer,
//! Burmese); but a text has at least one for every sixteen characters, so that what has no words (rows of dots, base64) is
//! cut as well. Tokens of language models are smaller: about 1.3 a word in English.

use super::lines::Lines;
use super::{Document, ExportError, Outgoing, Sink, Summary, json_line};
use crate::terms::count_words;
use serde::Serialize;
use std::ops::Range;
use unicode_segmentation::UnicodeSegmentation;

/// Documents as lines of passages.
#[derive(Debug)]
pub struct Chunks {
    out: Lines,
    size: Size,
    summary: Summary,
}

/// How much a passage holds, in tokens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Size {
    most: usize,
    /// Of these, what is repeated of the passage before.
    overlap: usize,
}

impl Chunks {
    /// Passages of `tokens` at most, at least 1, to `out`. Up to `overlap` of them, at most half, are those of the passage
    /// before.
    pub fn new(out: Lines, tokens: usize, overlap: usize) -> Self {
        let most = tokens.max(1);
        Self { out, size: Size { most, overlap: overlap.min(most / 2) }, summary: Summary::default() }
    }
}

/// One line.
#[derive(Debug, Serialize)]
struct Line<'a> {
    id: String,
    document: &'a str,
    url: &'a str,
    title: &'a str,
    lang: &'a str,
    page_type: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    duplicate_of: Option<&'a str>,
    /// From 0.
    number: usize,
    /// Headings above, the outermost first.
    headings: Vec<&'a str>,
    /// CSS selectors of the blocks that it comes from.
    blocks: Vec<&'a str>,
    /// Place in the document's text, in characters (Unicode scalar values).
    start: usize,
    end: usize,
    tokens: usize,
    text: &'a str,
}

/// A line that takes all passages of a document back.
#[derive(Debug, Serialize)]
struct TakenBack<'a> {
    document: &'a str,
    url: &'a str,
    deleted: bool,
}

impl Sink for Chunks {
    fn write(&mut self, page: &Outgoing<'_>) -> Result<(), ExportError> {
        let document = page.document;
        let mut lines = String::new();
        if page.replaces {
            // There may have been more passages than there are now.
            lines.push_str(&json_line(&TakenBack { document: &document.id, url: &document.url, deleted: true }));
        }
        // Where the last passage began, in bytes and in characters.
        let (mut begin, mut start) = (0, 0);
        for (number, passage) in passages(document, self.size).into_iter().enumerate() {
            let text = document.text.get(passage.range.clone()).unwrap_or_default();
            start += document.text.get(begin..passage.range.start).unwrap_or_default().chars().count();
            begin = passage.range.start;
            let end = start + text.chars().count();
            lines.push_str(&json_line(&Line {
                id: format!("{}-{number}", document.id),
                document: &document.id,
                url: &document.url,
                title: &document.title,
                lang: &document.lang,
                page_type: &document.page_type,
                duplicate_of: document.duplicate_of.as_deref(),
                number,
                headings: passage.headings.iter().map(|range| line_text(&document.text, range)).collect(),
                blocks: passage.blocks.iter().filter_map(|&at| Some(&*document.blocks.get(at)?.path)).collect(),
                start,
                end,
                tokens: passage.tokens,
                text,
            }));
        }
        self.out.write(lines.as_bytes())?;
        self.summary.written += 1;
        Ok(())
    }

    fn remove(&mut self, id: &str, url: &str) -> Result<(), ExportError> {
        self.out.write(json_line(&TakenBack { document: id, url, deleted: true }).as_bytes())?;
        self.summary.removed += 1;
        Ok(())
    }

    fn finish(self: Box<Self>) -> Result<Summary, ExportError> {
        let mut summary = self.summary;
        if let Some(parts) = self.out.commit()? {
            summary.notes.push(format!("parts: {parts}"));
        }
        Ok(summary)
    }
}

/// A passage of a document.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Passage {
    /// Its bytes of the text.
    range: Range<usize>,
    /// The lines of the headings above it, the outermost first.
    headings: Vec<Range<usize>>,
    /// Its blocks, in the order in which it comes to them.
    blocks: Vec<usize>,
    tokens: usize,
}

fn line_text<'a>(text: &'a str, range: &Range<usize>) -> &'a str {
    text.get(range.clone()).unwrap_or_default().trim_end_matches('\n')
}

/// Characters that count as a token at least.
const CHARS_A_TOKEN: usize = 16;

fn count_tokens(text: &str) -> usize {
    count_words(text).max(text.chars().count() / CHARS_A_TOKEN)
}

/// What a passage is put together from.
#[derive(Clone, Debug)]
struct Piece {
    range: Range<usize>,
    tokens: usize,
    block: Option<usize>,
}

/// The passage of some pieces, which follow one another; none of none.
fn passage_of(pieces: &[Piece], headings: &[(u8, Range<usize>)]) -> Option<Passage> {
    let mut blocks = Vec::new();
    for block in pieces.iter().filter_map(|piece| piece.block) {
        if !blocks.contains(&block) {
            blocks.push(block);
        }
    }
    Some(Passage {
        range: pieces.first()?.range.start..pieces.last()?.range.end,
        headings: headings.iter().map(|(_, range)| range.clone()).collect(),
        blocks,
        tokens: pieces.iter().map(|piece| piece.tokens).sum(),
    })
}

/// How many of the first pieces a full passage does not share with the next, whose first piece of its own has `tokens`.
fn not_shared(pieces: &[Piece], size: Size, tokens: usize) -> usize {
    let room = size.overlap.min(size.most.saturating_sub(tokens));
    let mut shared = 0;
    if size.overlap == 0 {
        // Not even sentences without a word.
        return pieces.len();
    }
    // The first piece stays behind, so that each passage begins after the one before.
    let tail = pieces.iter().skip(1).rev().take_while(|piece| {
        shared += piece.tokens;
        shared <= room
    });
    pieces.len() - tail.count()
}

/// The passages of a document, in order; none of an empty text. Time linear in the text.
fn passages(document: &Document, size: Size) -> Vec<Passage> {
    let text = &*document.text;
    let mut passages: Vec<Passage> = Vec::new();
    // Of the open passage.
    let mut open: Vec<Piece> = Vec::new();
    let mut filled = 0;
    let mut headings: Vec<(u8, Range<usize>)> = Vec::new();
    // The headings above, with their levels; and whether the open passage holds more than headings.
    let mut above: Vec<(u8, Range<usize>)> = Vec::new();
    let mut has_body = false;
    let mut known = document.lines.iter().peekable();
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        let range = at..at + line.len();
        at = range.end;
        while known.next_if(|known| known.start < range.start).is_some() {}
        let told = known.next_if(|known| known.start == range.start);
        if told.is_none() && !above.is_empty() {
            // What follows the article, such as the links of a table of contents, is not below its last heading.
            above.clear();
            passages.extend(passage_of(&std::mem::take(&mut open), &headings));
        }
        let heading = told.and_then(|line| line.heading);
        if let Some(level) = heading {
            above.truncate(above.iter().position(|(known, _)| *known >= level).unwrap_or(above.len()));
            above.push((level, range.clone()));
            if has_body {
                passages.extend(passage_of(&std::mem::take(&mut open), &headings));
            }
        }
        let block = told.and_then(|line| line.block);
        for (piece, tokens) in pieces(line, size.most) {
            filled = if open.is_empty() { 0 } else { filled };
            if !open.is_empty() && filled + tokens > size.most {
                passages.extend(passage_of(&open, &headings));
                open.drain(..not_shared(&open, size, tokens));
                filled = open.iter().map(|piece| piece.tokens).sum();
            }
            open.push(Piece { range: range.start + piece.start..range.start + piece.end, tokens, block });
            filled += tokens;
            headings.clone_from(&above);
        }
        has_body = heading.is_none();
    }
    passages.extend(passage_of(&open, &headings));
    passages
}

/// A line cut into sentences, and those of more tokens than `most` into pieces of words; with their tokens.
fn pieces(line: &str, most: usize) -> Vec<(Range<usize>, usize)> {
    let mut pieces = Vec::new();
    for (at, sentence) in line.split_sentence_bound_indices() {
        let tokens = count_tokens(sentence);
        if tokens <= most {
            pieces.push((at..at + sentence.len(), tokens));
        } else {
            cut(at, sentence, most, &mut pieces);
        }
    }
    pieces
}

/// Cuts a sentence between words, and a word that is too long by itself where it is full.
fn cut(at: usize, sentence: &str, most: usize, pieces: &mut Vec<(Range<usize>, usize)>) {
    let mut start = 0;
    let (mut words, mut chars) = (0, 0);
    let mut close = |start: &mut usize, end: usize, words: &mut usize, chars: &mut usize| {
        if end > *start {
            pieces.push((at + *start..at + end, (*words).max(*chars / CHARS_A_TOKEN)));
        }
        (*start, *words, *chars) = (end, 0, 0);
    };
    for (place, word) in sentence.split_word_bound_indices() {
        let (more_words, more_chars) = (count_words(word), word.chars().count());
        if (words + more_words).max((chars + more_chars) / CHARS_A_TOKEN) > most {
            close(&mut start, place, &mut words, &mut chars);
        }
        if more_words.max(more_chars / CHARS_A_TOKEN) <= most {
            words += more_words;
            chars += more_chars;
            continue;
        }
        // More than a passage in one word: each character may be a token.
        for (offset, c) in word.char_indices() {
            let more = count_words(c.encode_utf8(&mut [0; 4]));
            let is_full = words + more > most && more_words > 1;
            if is_full || (chars + 1) / CHARS_A_TOKEN > most {
                close(&mut start, place + offset, &mut words, &mut chars);
            }
            words = if more_words > 1 { words + more } else { 1 };
            chars += 1;
        }
    }
    close(&mut start, sentence.len(), &mut words, &mut chars);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::export::fixture::{HOSTILE, Held, Place, hostile, sample};
    use crate::export::{DocumentLine, Output};
    use proptest::prelude::*;
    use serde_json::{Value, json};

    fn document(lines: &[(Option<u8>, &str)]) -> Document {
        let mut document = sample();
        document.text.clear();
        document.lines.clear();
        for (heading, line) in lines {
            if !document.text.is_empty() {
                document.text.push('\n');
            }
            let start = document.text.len();
            document.lines.push(DocumentLine { start, heading: *heading, block: Some(0) });
            document.text.push_str(line);
        }
        document
    }

    fn cut_into(document: &Document, most: usize) -> Vec<(&str, Vec<&str>)> {
        let passages = passages(document, Size { most, overlap: 0 });
        let told = |p: &Passage| p.headings.iter().map(|range| line_text(&document.text, range)).collect();
        passages.iter().map(|p| (&document.text[p.range.clone()], told(p))).collect()
    }

    #[test]
    fn passages_are_whole_sentences_under_one_path_of_headings() {
        let page = document(&[
            (None, "Before all. And more."),
            (Some(1), "Top"),
            (Some(2), "First"),
            (None, "One two three. Four five six."),
            (None, "Seven eight."),
            (Some(2), "Second"),
            (None, "Nine."),
        ]);
        assert_eq!(
            cut_into(&page, 100),
            [
                ("Before all. And more.\n", vec![]),
                ("Top\nFirst\nOne two three. Four five six.\nSeven eight.\n", vec!["Top", "First"]),
                ("Second\nNine.", vec!["Top", "Second"]),
            ]
        );
        assert_eq!(
            cut_into(&page, 5).into_iter().map(|(text, _)| text).collect::<Vec<_>>(),
            [
                "Before all. And more.\n",
                "Top\nFirst\nOne two three. ",
                "Four five six.\nSeven eight.\n",
                "Second\nNine."
            ]
        );
    }

    #[test]
    fn chinese_is_counted_by_characters_and_cut_at_its_full_stops() {
        let page = document(&[(None, "港口工程开始了。船长来了。大家都很高兴。")]);
        let texts: Vec<&str> = cut_into(&page, 12).into_iter().map(|(text, _)| text).collect();
        assert_eq!(texts, ["港口工程开始了。船长来了。", "大家都很高兴。"]);
        let texts: Vec<&str> = cut_into(&page, 3).into_iter().map(|(text, _)| text).collect();
        assert_eq!(texts.concat(), page.text);
        assert!(texts.iter().all(|text| count_tokens(text) <= 3), "{texts:?}");
    }

    #[test]
    fn a_full_passage_shares_its_last_sentences_with_the_next() {
        let page = document(&[
            (Some(1), "Top"),
            (None, "One two. Three. Four five. Six."),
            (None, "Sëven. Eight."),
            (Some(1), "Nine"),
        ]);
        let held = Held::default();
        let sink = Chunks::new(Lines::one(Output::Stream(Box::new(held.clone()))), 5, 2);
        let mut sink: Box<dyn Sink> = Box::new(sink);
        Place::new().write(sink.as_mut(), &page, false);
        sink.finish().unwrap();
        let text = held.text();
        let lines: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        // "One two. Three." are three tokens, "Six. Sëven." are two; nothing is shared over a heading.
        let wanted = ["Top\nOne two. Three. ", "Three. Four five. Six.\nSëven. ", "Six.\nSëven. Eight.\n", "Nine"];
        assert_eq!(lines.iter().map(|line| &line["text"]).collect::<Vec<_>>(), wanted);
        let chars: Vec<char> = page.text.chars().collect();
        for line in &lines {
            let range = usize::try_from(line["start"].as_u64().unwrap()).unwrap()
                ..usize::try_from(line["end"].as_u64().unwrap()).unwrap();
            assert_eq!(chars[range].iter().collect::<String>(), line["text"].as_str().unwrap());
        }
    }

    #[test]
    fn lines_tell_where_a_passage_stands() {
        let held = Held::default();
        let sink = Chunks::new(Lines::one(Output::Stream(Box::new(held.clone()))), 3, 0);
        let place = Place::new();
        let mut sink: Box<dyn Sink> = Box::new(sink);
        place.write(sink.as_mut(), &sample(), true);
        place.write(sink.as_mut(), &hostile(1), false);
        sink.remove("ab", "http://h.example/gone").unwrap();
        assert_eq!(sink.finish().unwrap().written, 2);
        let text = held.text();
        let lines: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        assert_eq!(lines[0], json!({"document": sample().id, "url": "http://h.example/a", "deleted": true}));
        assert_eq!(lines[1]["text"], "Head\nOne. Two.");
        assert_eq!((&lines[1]["start"], &lines[1]["end"]), (&json!(0), &json!(14)));
        assert_eq!((&lines[1]["headings"], &lines[1]["blocks"]), (&json!(["Head"]), &json!(["body > div"])));
        let hostile: String = lines[2..lines.len() - 1].iter().map(|line| line["text"].as_str().unwrap()).collect();
        assert_eq!(hostile, HOSTILE);
        assert_eq!(lines.last().unwrap()["document"], "ab");
    }

    proptest! {
        #[test]
        fn passages_cover_the_text_once_and_in_order(
            lines in prop::collection::vec((prop::option::of(1_u8..7), "[a-z .!?。港口\u{300}\u{202e}-]{1,80}|[.]{1,300}|[a-z0-9+]{1,400}"), 0..12),
            most in 1_usize..40,
            overlap in 0_usize..20,
        ) {
            let lines: Vec<(Option<u8>, &str)> = lines.iter().map(|(heading, line)| (*heading, &**line)).collect();
            let page = document(&lines);
            let found = passages(&page, Size { most, overlap: 0 });
            let mut at = 0;
            // Those that overlap end at whole pieces too, each further on than the one before, without a gap.
            let mut last = 0..0;
            for passage in passages(&page, Size { most, overlap: overlap.min(most / 2) }) {
                prop_assert!(passage.range.start <= last.end && passage.range.end > last.end);
                prop_assert!(last.is_empty() || passage.range.start > last.start);
                prop_assert!(passage.tokens <= most, "{} tokens", passage.tokens);
                let shared = page.text.get(passage.range.start..last.end);
                prop_assert!(shared.is_some_and(|shared| count_tokens(shared) <= most), "{shared:?}");
                last = passage.range;
            }
            prop_assert_eq!(last.end, page.text.len());
            for passage in &found {
                prop_assert_eq!(passage.range.start, at);
                prop_assert!(passage.range.end > at);
                at = passage.range.end;
                prop_assert!(passage.tokens <= most, "{} tokens", passage.tokens);
            }
            prop_assert_eq!(at, page.text.len());
            // No sentence that fits is cut.
            let mut start = 0;
            for line in page.text.split_inclusive('\n') {
                for (offset, sentence) in line.split_sentence_bound_indices() {
                    let inside = start + offset + 1..start + offset + sentence.len();
                    let is_cut = found.iter().any(|passage| inside.contains(&passage.range.start));
                    prop_assert!(!is_cut || count_tokens(sentence) > most, "{sentence:?} is cut");
                }
                start += line.len();
            }
        }
    }
}
