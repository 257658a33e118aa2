//! The tokenizer of the WHATWG HTML standard, over a page that is in memory as a whole.
//!
//! The parser's own tokenizer takes its input in pieces that may end anywhere, and most of it character by character, which is
//! half of the time of an extraction. Here the end of a text, a value, a comment or a script is searched for in the page at once.
//! Attributes that neither the tree nor its building reads are left out. A test holds both tokenizers to the same trees. Doctypes,
//! one a page, are left to the parser's own. Time linear in the page: of the attributes of a tag, the first [`MAX_ATTRIBUTES`] that
//! are read are kept.

use super::Attr;
use super::raw_text::{is_end_of_name, raw_text_end, script_end};
use html5ever::data::{C1_REPLACEMENTS, NAMED_ENTITIES};
use html5ever::tendril::StrTendril;
use html5ever::tokenizer::states::RawKind;
use html5ever::tokenizer::{BufferQueue, Doctype, Tag, TagKind, Token, TokenSink, TokenSinkResult, TokenizerOpts};
use html5ever::{Attribute, LocalName, QualName, ns};
use memchr::{memchr, memchr3, memmem};
use rustc_hash::FxHashMap;
use std::borrow::Cow;
use std::cell::RefCell;

/// Bytes of text in one token at most.
const PORTION: usize = 1 << 16;
/// Attributes of a tag that are kept at most: each is compared with all before it.
const MAX_ATTRIBUTES: usize = 256;
/// Names that are remembered at most: more than any page has that does not make them up.
const MAX_NAMES: usize = 4096;

/// What takes the tokens of a page.
pub(super) trait PageSink: TokenSink {
    /// Whether it wants no more tokens.
    fn is_done(&self) -> bool;
    /// Takes the text of the element whose start tag it just took where that is code; false where it wants it as tokens.
    fn take_code(&self, text: &str) -> bool;
    /// Whether it reads the attributes of such an element that [`is_read`] does not name.
    fn reads_all_attributes(&self, name: &str) -> bool;
}

/// Gives a page's tokens to a sink, the end of the page included.
pub(super) fn tokenize(html: &str, sink: &impl PageSink) {
    let html = html.strip_prefix('\u{feff}').unwrap_or(html);
    let mut page = Page { html, at: 0, sink, names: FxHashMap::default() };
    while page.at < html.len() && !sink.is_done() {
        page.step();
    }
    page.give(Token::EOFToken);
    sink.end();
}

/// Whether an attribute is kept in the tree, or tells the parser how to build it.
fn is_read(name: &str) -> bool {
    Attr::from_name(name).is_some()
        || matches!(name, "form" | "media" | "encoding" | "color" | "face" | "size")
        || name.starts_with("shadowroot")
        // In foreign elements the part before the colon is taken off.
        || name.contains(':')
}

/// Where the tokenizer stands.
struct Page<'a, S> {
    html: &'a str,
    at: usize,
    sink: &'a S,
    /// The names that were seen.
    names: FxHashMap<&'a str, LocalName>,
}

impl<'a, S: PageSink> Page<'a, S> {
    fn rest(&self) -> &'a str {
        &self.html[self.at..]
    }

    fn byte(&self, ahead: usize) -> Option<u8> {
        self.html.as_bytes().get(self.at + ahead).copied()
    }

    /// Takes text up to some length.
    fn take(&mut self, len: usize) -> &'a str {
        let taken = &self.html[self.at..self.at + len];
        self.at += len;
        taken
    }

    /// Gives a token that changes nothing about how the text behind it is read.
    fn give(&self, token: Token) {
        let _: TokenSinkResult<S::Handle> = self.sink.process_token(token, 1);
    }

    fn give_text(&self, mut text: &str) {
        while !text.is_empty() {
            let mut end = text.floor_char_boundary(PORTION);
            end += usize::from(text[..end].ends_with('\r') && text[end..].starts_with('\n'));
            let (part, behind) = text.split_at(end);
            self.give(Token::CharacterTokens(StrTendril::from_slice(&with_line_feeds(part))));
            text = behind;
        }
    }

    fn give_comment(&self) {
        // What it says is not kept.
        self.give(Token::CommentToken(StrTendril::new()));
    }

    /// One step in the data state.
    fn step(&mut self) {
        let rest = self.rest();
        let text = memchr3(b'<', b'&', 0, rest.as_bytes()).unwrap_or(rest.len());
        if text > 0 {
            let text = self.take(text);
            self.give_text(text);
            return;
        }
        match self.byte(0) {
            Some(b'&') => {
                let (text, len) = reference(rest, false);
                self.at += len;
                self.give(Token::CharacterTokens(StrTendril::from_slice(&text)));
            }
            Some(0) => {
                self.at += 1;
                self.give(Token::NullCharacterToken);
            }
            _ => self.markup(),
        }
    }

    /// A `<` and what belongs to it.
    fn markup(&mut self) {
        match (self.byte(1), self.byte(2)) {
            (Some(b'!'), _) => self.declaration(),
            (Some(b'/'), Some(b)) if b.is_ascii_alphabetic() => self.tag(TagKind::EndTag),
            (Some(b'/'), Some(b'>')) => self.at += 3,
            (Some(b'/'), None) => {
                self.at += 2;
                self.give_text("</");
            }
            (Some(b'/'), _) => self.bogus_comment(2),
            (Some(b'?'), _) => self.bogus_comment(1),
            (Some(b), _) if b.is_ascii_alphabetic() => self.tag(TagKind::StartTag),
            _ => {
                self.at += 1;
                self.give_text("<");
            }
        }
    }

    /// Passes over the text to the next `>` from some place ahead on.
    fn bogus_comment(&mut self, ahead: usize) {
        self.at += ahead;
        let rest = self.rest();
        self.at += memchr(b'>', rest.as_bytes()).map_or(rest.len(), |end| end + 1);
        self.give_comment();
    }

    fn declaration(&mut self) {
        let inner = &self.rest()[2..];
        if let Some(comment) = inner.strip_prefix("--") {
            self.at += 4 + comment_len(comment);
            self.give_comment();
        } else if inner.as_bytes().get(..7).is_some_and(|word| word.eq_ignore_ascii_case(b"doctype")) {
            let len = memchr(b'>', self.rest().as_bytes()).map_or(self.rest().len(), |end| end + 1);
            let doctype = doctype(self.take(len));
            self.give(Token::DoctypeToken(doctype));
        } else if self.sink.adjusted_current_node_present_but_not_in_html_namespace() && inner.starts_with("[CDATA[") {
            self.at += 9;
            let rest = self.rest();
            let len = memmem::find(rest.as_bytes(), b"]]>").unwrap_or(rest.len());
            let text = self.take(len);
            self.at = (self.at + 3).min(self.html.len());
            for (number, part) in text.split('\0').enumerate() {
                if number > 0 {
                    self.give(Token::NullCharacterToken);
                }
                self.give_text(part);
            }
        } else {
            self.bogus_comment(2);
        }
    }

    /// A start or end tag, and the text behind it where that is read in another way. A tag that the page's end cuts off is none.
    fn tag(&mut self, kind: TagKind) {
        self.at += if kind == TagKind::StartTag { 1 } else { 2 };
        let len = self.rest().bytes().position(is_end_of_name).unwrap_or(self.rest().len());
        let written = self.take(len);
        let name = self.name(written);
        let keeps_all = self.sink.reads_all_attributes(&name);
        let mut tag = Tag { kind, name, self_closing: false, attrs: Vec::new(), had_duplicate_attributes: false };
        loop {
            match self.byte(0) {
                None => return,
                Some(b'>') => break,
                Some(b'/') if self.byte(1) == Some(b'>') => {
                    tag.self_closing = true;
                    self.at += 1;
                    break;
                }
                Some(b'/' | b' ' | b'\t' | b'\n' | b'\x0c' | b'\r') => self.at += 1,
                Some(_) => self.attribute(&mut tag, keeps_all),
            }
        }
        self.at += 1;
        let written = (kind == TagKind::StartTag).then_some(written);
        match (self.sink.process_token(Token::TagToken(tag), 1), written) {
            (TokenSinkResult::Plaintext, _) => {
                let text = self.take(self.rest().len());
                self.give_raw(text);
            }
            (TokenSinkResult::RawData(raw), Some(name)) => self.raw_text(raw, name),
            _ => {}
        }
    }

    /// The text of an element up to its end tag, or to the end of the page.
    fn raw_text(&mut self, kind: RawKind, name: &str) {
        let rest = self.rest();
        let end = match kind {
            RawKind::ScriptData | RawKind::ScriptDataEscaped(_) => script_end(rest),
            RawKind::Rcdata | RawKind::Rawtext => raw_text_end(rest, name),
        };
        let text = self.take(end.unwrap_or(rest.len()));
        if self.sink.take_code(text) {
            return;
        }
        if kind != RawKind::Rcdata {
            self.give_raw(text);
            return;
        }
        let mut rest = text;
        while let Some(found) = memchr(b'&', rest.as_bytes()) {
            self.give_raw(&rest[..found]);
            let (text, len) = reference(&rest[found..], false);
            self.give(Token::CharacterTokens(StrTendril::from_slice(&text)));
            rest = &rest[found + len..];
        }
        self.give_raw(rest);
    }

    fn give_raw(&self, text: &str) {
        self.give_text(&without_nulls(text));
    }

    /// An attribute with its value.
    fn attribute(&mut self, tag: &mut Tag, keeps_all: bool) {
        let rest = self.rest().as_bytes();
        // A name may begin with `=`.
        let len = rest.iter().skip(1).position(|&b| b == b'=' || is_end_of_name(b)).map_or(rest.len(), |len| len + 1);
        let written = self.take(len);
        let value = self.value();
        if tag.kind == TagKind::EndTag || self.at == self.html.len() || tag.attrs.len() == MAX_ATTRIBUTES {
            return;
        }
        let lower = lower(written);
        if !keeps_all && !is_read(&lower) {
            return;
        }
        let name = self.name(written);
        if !tag.attrs.iter().any(|known| known.name.local == name) {
            let name = QualName::new(None, ns!(), name);
            tag.attrs.push(Attribute { name, value: StrTendril::from_slice(&attribute_value(value)) });
        }
    }

    /// The value of an attribute as it is written, whose name was just read; empty where it has none.
    fn value(&mut self) -> &'a str {
        self.pass_blanks();
        if self.byte(0) != Some(b'=') {
            return "";
        }
        self.at += 1;
        self.pass_blanks();
        let rest = self.rest();
        if let Some(quote @ (b'"' | b'\'')) = self.byte(0) {
            self.at += 1;
            if let Some(len) = memchr(quote, &rest.as_bytes()[1..]) {
                let value = self.take(len);
                self.at += 1;
                value
            } else {
                self.take(rest.len() - 1)
            }
        } else {
            let is_end = |b: u8| b == b'>' || (b != b'/' && is_end_of_name(b));
            self.take(rest.bytes().position(is_end).unwrap_or(rest.len()))
        }
    }

    fn pass_blanks(&mut self) {
        while self.byte(0).is_some_and(|b| matches!(b, b' ' | b'\t' | b'\n' | b'\x0c' | b'\r')) {
            self.at += 1;
        }
    }

    /// The name of a tag or attribute, in lower case.
    fn name(&mut self, written: &'a str) -> LocalName {
        if let Some(known) = self.names.get(written) {
            return known.clone();
        }
        let name = LocalName::from(&*lower(written));
        if self.names.len() < MAX_NAMES {
            self.names.insert(written, name.clone());
        }
        name
    }
}

fn lower(written: &str) -> Cow<'_, str> {
    if written.bytes().any(|b| b.is_ascii_uppercase() || b == 0) {
        Cow::Owned(without_nulls(written).to_ascii_lowercase())
    } else {
        Cow::Borrowed(written)
    }
}

fn without_nulls(text: &str) -> Cow<'_, str> {
    if memchr(0, text.as_bytes()).is_some() { Cow::Owned(text.replace('\0', "\u{fffd}")) } else { Cow::Borrowed(text) }
}

/// Text whose lines all end in a line feed.
fn with_line_feeds(text: &str) -> Cow<'_, str> {
    if memchr(b'\r', text.as_bytes()).is_some() {
        Cow::Owned(text.replace("\r\n", "\n").replace('\r', "\n"))
    } else {
        Cow::Borrowed(text)
    }
}

/// An attribute's value, read.
fn attribute_value(written: &str) -> Cow<'_, str> {
    if memchr3(b'&', b'\r', 0, written.as_bytes()).is_none() {
        return Cow::Borrowed(written);
    }
    let mut out = String::with_capacity(written.len());
    let mut rest = written;
    while let Some(found) = memchr(b'&', rest.as_bytes()) {
        out.push_str(&without_nulls(&with_line_feeds(&rest[..found])));
        let (text, len) = reference(&rest[found..], true);
        out.push_str(&text);
        rest = &rest[found + len..];
    }
    out.push_str(&without_nulls(&with_line_feeds(rest)));
    Cow::Owned(out)
}

/// Length of a comment with its end, from behind its `<!--` on.
fn comment_len(text: &str) -> usize {
    for empty in [">", "->"] {
        if text.starts_with(empty) {
            return empty.len();
        }
    }
    let bytes = text.as_bytes();
    let mut at = 0;
    while let Some(found) = memmem::find(&bytes[at..], b"--") {
        at += found + 2;
        match (bytes.get(at), bytes.get(at + 1)) {
            (Some(b'>'), _) => return at + 1,
            (Some(b'!'), Some(b'>')) => return at + 2,
            // The second of the two may be the first of the next.
            _ => at -= 1,
        }
    }
    bytes.len()
}

/// What a character reference stands for, and its length; the `&` alone where it is none.
fn reference(text: &str, in_attribute: bool) -> (Cow<'static, str>, usize) {
    let none = (Cow::Borrowed("&"), 1);
    let bytes = text.as_bytes();
    if bytes.get(1) == Some(&b'#') {
        return numeric(bytes).map_or(none, |(c, len)| (Cow::Owned(c.to_string()), len));
    }
    let mut found = None;
    for end in 2..=bytes.len() {
        // No name has other bytes than these, so `end` is between characters.
        if !bytes[end - 1].is_ascii_alphanumeric() && bytes[end - 1] != b';' {
            break;
        }
        match NAMED_ENTITIES.get(&text[1..end]) {
            Some(&(0, _)) => {}
            Some(&chars) => found = Some((chars, end)),
            None => break,
        }
    }
    let Some(((first, second), end)) = found else { return none };
    let goes_on = bytes.get(end).is_some_and(|b| *b == b'=' || b.is_ascii_alphanumeric());
    if in_attribute && bytes[end - 1] != b';' && goes_on {
        return none;
    }
    let chars = [first, second].into_iter().filter(|&code| code != 0).filter_map(char::from_u32);
    (Cow::Owned(chars.collect()), end)
}

/// The character of a numeric reference, and its length.
fn numeric(bytes: &[u8]) -> Option<(char, usize)> {
    let is_hex = matches!(bytes.get(2), Some(b'x' | b'X'));
    let (start, base) = if is_hex { (3, 16) } else { (2, 10) };
    let mut code = 0_u32;
    let mut end = start;
    while let Some(digit) = bytes.get(end).and_then(|b| char::from(*b).to_digit(base)) {
        code = code.saturating_mul(base).saturating_add(digit);
        end += 1;
    }
    if end == start {
        return None;
    }
    let replaced = code.checked_sub(0x80).and_then(|at| C1_REPLACEMENTS.get(at as usize).copied().flatten());
    let c = replaced.or_else(|| char::from_u32(code)).filter(|&c| c != '\0').unwrap_or('\u{fffd}');
    Some((c, end + usize::from(bytes.get(end) == Some(&b';'))))
}

/// What a doctype says.
fn doctype(text: &str) -> Doctype {
    struct Taker(RefCell<Doctype>);
    impl TokenSink for Taker {
        type Handle = ();
        fn process_token(&self, token: Token, _line: u64) -> TokenSinkResult<()> {
            if let Token::DoctypeToken(doctype) = token {
                self.0.replace(doctype);
            }
            TokenSinkResult::Continue
        }
    }
    let tokenizer = html5ever::tokenizer::Tokenizer::new(Taker(RefCell::default()), TokenizerOpts::default());
    let queue = BufferQueue::default();
    queue.push_back(StrTendril::from_slice(text));
    while !matches!(tokenizer.feed(&queue), html5ever::TokenizerResult::Done) {}
    tokenizer.end();
    tokenizer.sink.0.into_inner()
}
