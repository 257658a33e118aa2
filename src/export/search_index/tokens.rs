//! [`Words`]: our search terms as a tokenizer.

use crate::terms::{Analyser, Side, search_terms};
use tantivy::tokenizer::{Token, TokenStream, Tokenizer};

/// Cuts the text of a page for one analyser. Lines are blocks of text, so no phrase spans two of them.
#[derive(Clone, Copy, Debug)]
pub(super) struct Words {
    pub(super) analyser: Analyser,
}

/// The tokens of a text, made a line at a time so that a long text takes little memory.
#[derive(Debug)]
pub(super) struct WordStream<'a> {
    analyser: Analyser,
    /// What is not yet cut.
    rest: &'a str,
    /// Where the rest begins in the whole, in bytes.
    at: usize,
    /// The place of the first term of the next line.
    position: usize,
    /// The terms of the line at hand, one after the other.
    text: String,
    /// These terms: the end of each in `text`, and where it stands.
    line: Vec<Placed>,
    next: usize,
    token: Token,
}

#[derive(Clone, Copy, Debug)]
struct Placed {
    text_end: usize,
    from: usize,
    to: usize,
    position: usize,
    width: usize,
}

impl Tokenizer for Words {
    type TokenStream<'a> = WordStream<'a>;

    fn token_stream<'a>(&'a mut self, text: &'a str) -> WordStream<'a> {
        WordStream {
            analyser: self.analyser,
            rest: text,
            at: 0,
            position: 0,
            text: String::new(),
            line: Vec::new(),
            next: 0,
            token: Token::default(),
        }
    }
}

/// Bytes of a line that are cut at once. The rare line that is longer is parted at a blank, or where there is none between two
/// characters.
const PART: usize = 1 << 16;

/// The end of the first line, or of its first part.
fn part_end(text: &str) -> usize {
    if let Some(end) = text.bytes().take(PART).position(|byte| byte == b'\n') {
        return end + 1;
    }
    if text.len() <= PART {
        return text.len();
    }
    let mut end = PART;
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    let blank = text[..end].char_indices().rev().find(|(_, c)| c.is_whitespace());
    blank.map_or(end, |(at, c)| at + c.len_utf8())
}

impl WordStream<'_> {
    fn cut_line(&mut self) {
        self.text.clear();
        self.line.clear();
        self.next = 0;
        let end = part_end(self.rest);
        let (line, rest) = self.rest.split_at(end);
        let (at, first) = (self.at, self.position);
        search_terms(line, self.analyser, Side::Page, &mut |term| {
            self.text.push_str(term.text);
            let position = first + term.position;
            self.position = self.position.max(position + term.width);
            self.line.push(Placed {
                text_end: self.text.len(),
                from: at + term.range.start,
                to: at + term.range.end,
                position,
                width: term.width,
            });
        });
        if line.ends_with('\n') {
            self.position += 1;
        }
        self.rest = rest;
        self.at += end;
    }
}

impl TokenStream for WordStream<'_> {
    fn advance(&mut self) -> bool {
        while self.next == self.line.len() {
            if self.rest.is_empty() {
                return false;
            }
            self.cut_line();
        }
        let begin = self.next.checked_sub(1).map_or(0, |last| self.line[last].text_end);
        let term = self.line[self.next];
        self.next += 1;
        self.token.text.clear();
        self.token.text.push_str(&self.text[begin..term.text_end]);
        self.token.offset_from = term.from;
        self.token.offset_to = term.to;
        self.token.position = term.position;
        self.token.position_length = term.width;
        true
    }

    fn token(&self) -> &Token {
        &self.token
    }

    fn token_mut(&mut self) -> &mut Token {
        &mut self.token
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::terms::Language;

    #[test]
    fn tokens_know_their_place_across_lines() {
        let text = "The lamp\n\n灯塔 burns";
        let mut words = Words { analyser: Analyser::of(Language::ENGLISH) };
        let mut stream = words.token_stream(text);
        let mut all = Vec::new();
        while let Some(token) = stream.next() {
            all.push(format!("{}={}@{}", token.text, &text[token.offset_from..token.offset_to], token.position));
        }
        assert_eq!(all, ["the=The@0", "lamp=lamp@1", "灯塔=灯塔@4", "灯=灯@4", "塔=塔@5", "burn=burns@6"]);
        // A line in several parts loses nothing.
        let long = "lamps and seas ".repeat(10_000);
        let mut stream = words.token_stream(&long);
        let mut places = 0..;
        while let Some(token) = stream.next() {
            assert_eq!(Some(token.position), places.next());
            assert_eq!(&long[token.offset_from..token.offset_from + 3], &token.text[..3]);
        }
        assert_eq!(places.next(), Some(30_000));
        let unspaced = "灯".repeat(50_000);
        let mut stream = words.token_stream(&unspaced);
        let mut last = 0;
        while let Some(token) = stream.next() {
            last = last.max(token.offset_to);
        }
        assert_eq!(last, unspaced.len());
        assert!(words.token_stream("").next().is_none());
        assert!(words.token_stream("\n\0\n").next().is_none());
    }
}
