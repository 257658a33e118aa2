//! Inline content as `CommonMark`: emphasis that parsers will read as such, code spans, links, and as few escapes as do.

use super::flow::{Flow, Mark, PieceKind};
use super::links;
use crate::dom::{Attr, Dom, NodeId, Tag};
use url::Url;

/// Where inline content stands, which decides how its line ends are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Place {
    /// A paragraph: a backslash and a line feed.
    Para,
    /// A heading is one line: a blank.
    Heading,
    /// A table cell is one line: `<br>`.
    Cell,
}

/// The marks that Markdown has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Style {
    Emphasis,
    Strong,
    Strike,
    Link(NodeId),
    Code,
}

impl Style {
    fn of(mark: Mark) -> Option<Self> {
        match (mark.tag, mark.node) {
            (Tag::EM | Tag::I, _) => Some(Self::Emphasis),
            (Tag::STRONG | Tag::B, _) => Some(Self::Strong),
            (Tag::S | Tag::DEL, _) => Some(Self::Strike),
            (Tag::CODE | Tag::KBD | Tag::SAMP, _) => Some(Self::Code),
            (Tag::A, Some(node)) => Some(Self::Link(node)),
            _ => None,
        }
    }

    /// The delimiter; empty for links and code.
    fn delimiter(self) -> &'static str {
        match self {
            Self::Emphasis => "*",
            Self::Strong => "**",
            Self::Strike => "~~",
            Self::Link(_) | Self::Code => "",
        }
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Token {
    Open(Style),
    Close(Style),
    Text(String),
    Code(String),
    Image(NodeId),
    Break,
    /// A delimiter that parsers would have read as plain characters.
    Nothing,
}

/// The pieces of a leaf as Markdown; several lines where it has line ends and stands in a paragraph.
pub(super) fn inline_markdown(dom: &Dom, flow: &Flow, leaf: usize, base: Option<&Url>, place: Place) -> String {
    let mut tokens = tokens(flow, leaf);
    drop_unreadable(&mut tokens);
    let tokens = joined(tokens);
    let mut out = String::new();
    let mut links_open = 0_usize;
    for at in 0..tokens.len() {
        match &tokens[at] {
            Token::Open(Style::Link(_)) => {
                if out.ends_with('!') {
                    // Else the link would read as an image.
                    out.insert(out.len() - 1, '\\');
                }
                out.push('[');
                links_open += 1;
            }
            Token::Close(Style::Link(node)) => {
                links_open -= 1;
                out.push_str("](");
                push_address(&mut out, &links::link(dom, *node, base).unwrap_or_default());
                push_title(&mut out, dom.attr(*node, Attr::TITLE));
                out.push(')');
            }
            Token::Open(style) | Token::Close(style) => out.push_str(style.delimiter()),
            Token::Text(text) => {
                let starts_line = place == Place::Para && (out.is_empty() || out.ends_with('\n'));
                let is_last = matches!(tokens.get(at + 1), None | Some(Token::Break));
                // A line end is written with other characters.
                let next = match (tokens.get(at + 1), place) {
                    (Some(Token::Break), Place::Para) => Some('\\'),
                    (Some(Token::Break), Place::Cell) => Some('<'),
                    _ => first_char(&tokens[at + 1..]),
                };
                let marker = if starts_line { line_marker(text, is_last) } else { None };
                push_escaped(&mut out, text, marker, next, links_open > 0);
            }
            Token::Code(code) => push_code(&mut out, code),
            Token::Image(node) => {
                out.push_str("![");
                let alt = dom.attr(*node, Attr::ALT).unwrap_or_default();
                push_escaped(&mut out, &crate::dom::fold_space(alt), None, Some(']'), true);
                out.push_str("](");
                push_address(&mut out, &links::image(dom, *node, base).unwrap_or_default());
                push_title(&mut out, dom.attr(*node, Attr::TITLE));
                out.push(')');
            }
            Token::Break => out.push_str(match place {
                Place::Para => "\\\n",
                Place::Heading => " ",
                Place::Cell => "<br>",
            }),
            Token::Nothing => {}
        }
    }
    match place {
        Place::Cell => out.replace('|', "\\|"),
        Place::Heading => {
            // A closing run of number signs would be dropped.
            let body = out.trim_end_matches('#').len();
            if body < out.len() && (body == 0 || out[..body].ends_with(' ')) {
                out.insert(body, '\\');
            }
            out
        }
        Place::Para => out,
    }
}

/// The pieces with their marks opened and closed in turn; code innermost, because nothing is read as markup in code.
fn tokens(flow: &Flow, leaf: usize) -> Vec<Token> {
    let mut tokens: Vec<Token> = Vec::new();
    let mut open: Vec<Style> = Vec::new();
    for piece in flow.pieces(leaf) {
        let mut wanted: Vec<Style> = Vec::new();
        let mut in_code = false;
        for style in flow.marks(piece.marks).into_iter().filter_map(Style::of) {
            if style == Style::Code {
                in_code = true;
            } else if !wanted.contains(&style) {
                wanted.push(style);
            }
        }
        let same = open.iter().zip(&wanted).take_while(|(a, b)| a == b).count();
        tokens.extend(open.drain(same..).rev().map(Token::Close));
        tokens.extend(wanted[same..].iter().copied().map(Token::Open));
        open.extend_from_slice(&wanted[same..]);
        match &piece.kind {
            PieceKind::Text(range) => {
                let text = flow.text[range.clone()].replace('\u{a0}', " ");
                match tokens.last_mut() {
                    Some(Token::Code(code)) if in_code => code.push_str(&text),
                    Some(Token::Text(before)) if !in_code => before.push_str(&text),
                    _ if in_code => tokens.push(Token::Code(text)),
                    _ => tokens.push(Token::Text(text)),
                }
            }
            PieceKind::Break => tokens.push(Token::Break),
            PieceKind::Image(node) => tokens.push(Token::Image(*node)),
        }
    }
    tokens.extend(open.into_iter().rev().map(Token::Close));
    // A link's code that holds `]:` would make a line that begins with the link define a reference.
    if matches!(written(tokens.iter().filter(|token| !is_delimiter(token))), Some(Token::Open(_))) {
        let first = tokens.iter().position(|token| matches!(token, Token::Close(Style::Link(_)))).unwrap_or(0);
        for token in &mut tokens[..first] {
            *token = match std::mem::replace(token, Token::Nothing) {
                Token::Code(code) if code.contains("]:") => Token::Text(code),
                other => other,
            };
        }
    }
    tokens
}

/// The tokens without those that write nothing, and code and text between which nothing is left in one.
fn joined(tokens: Vec<Token>) -> Vec<Token> {
    let mut joined: Vec<Token> = Vec::with_capacity(tokens.len());
    for token in tokens.into_iter().filter(|token| *token != Token::Nothing) {
        match (joined.last_mut(), &token) {
            (Some(Token::Code(before)), Token::Code(code)) => before.push_str(code),
            (Some(Token::Text(before)), Token::Text(text)) => before.push_str(text),
            _ => joined.push(token),
        }
    }
    joined
}

fn is_delimiter(token: &Token) -> bool {
    matches!(token, Token::Open(style) | Token::Close(style) if !style.delimiter().is_empty())
}

/// Takes out pairs of delimiters that the rules of `CommonMark` for left- and right-flanking runs would not read as
/// emphasis (`**Note:**now`), and pairs that begin where another ends (`*a***b**`): plain text is better than stray
/// asterisks. So are pairs inside a pair of the same character whose begin would be read as the end of that one
/// (``**`a`*`b`***``).
fn drop_unreadable(tokens: &mut [Token]) {
    let mut stack: Vec<usize> = Vec::new();
    let mut pairs: Vec<(usize, usize)> = Vec::new();
    for (at, token) in tokens.iter().enumerate() {
        match token {
            Token::Open(_) => stack.push(at),
            Token::Close(_) => pairs.extend(stack.pop().map(|open| (open, at))),
            _ => {}
        }
    }
    pairs.sort_unstable();
    // The pairs around that stay.
    let mut around: Vec<(usize, usize)> = Vec::new();
    for (open, close) in pairs {
        while around.pop_if(|(_, end)| *end < open).is_some() {}
        if !is_delimiter(&tokens[open]) {
            continue;
        }
        let adjoins = written(tokens[..open].iter().rev())
            .is_some_and(|token| is_delimiter(token) && matches!(token, Token::Close(_)));
        let outside = |before: Option<char>| before.unwrap_or(' ');
        let (before, behind) = (outside(last_content(&tokens[..open])), outside(first_content(&tokens[close + 1..])));
        let opens = flanks(before, outside(first_content(&tokens[open + 1..])));
        let closes = flanks(behind, outside(last_content(&tokens[..close])));
        // Where a pair of other characters begins or ends with this run, they stand inside as punctuation.
        let is_other = |token: Option<&Token>| token.is_some_and(|token| begins_otherwise(token, &tokens[open]));
        let is_run = |token: &&Token| {
            **token == Token::Nothing || is_delimiter(token) && !begins_otherwise(token, &tokens[open])
        };
        let opens_other = !is_other(written(tokens[open + 1..].iter().skip_while(is_run))) || flanks(before, '*');
        let closes_other = !is_other(written(tokens[..close].iter().rev().skip_while(is_run))) || flanks(behind, '*');
        // The characters at both sides of the run, delimiters of others among them.
        let beside =
            |token: Option<&Token>, content: Option<char>| if is_other(token) { '*' } else { outside(content) };
        let left = beside(written(tokens[..open].iter().rev().skip_while(is_run)), Some(before));
        let right = beside(written(tokens[open + 1..].iter().skip_while(is_run)), first_content(&tokens[open + 1..]));
        let ends_outer = flanks(right, left) && around.iter().any(|&(outer, _)| could_end(tokens, outer, open));
        if adjoins || !opens || !closes || !opens_other || !closes_other || ends_outer {
            tokens[open] = Token::Nothing;
            tokens[close] = Token::Nothing;
        } else {
            around.push((open, close));
        }
    }
}

/// Whether a run of delimiters that opens, and could as well close, would be read to close an outer one: both of one
/// character, in two runs, whose lengths do not add up to a multiple of three (or both are one).
fn could_end(tokens: &[Token], outer: usize, inner: usize) -> bool {
    let is_same = |token: &Token| is_delimiter(token) && !begins_otherwise(token, &tokens[inner]);
    if !is_same(&tokens[outer]) || written(tokens[outer..inner].iter().filter(|token| !is_same(token))).is_none() {
        return false;
    }
    let run = |at: usize| {
        let length = |token: &Token| match token {
            Token::Open(style) | Token::Close(style) => style.delimiter().len(),
            _ => 0,
        };
        let part = |token: &&Token| **token == Token::Nothing || is_same(token);
        let before: usize = tokens[..at].iter().rev().take_while(part).map(length).sum();
        before + tokens[at..].iter().take_while(part).map(length).sum::<usize>()
    };
    let (outer, inner) = (run(outer), run(inner));
    (outer + inner) % 3 != 0 || (outer % 3 == 0 && inner % 3 == 0)
}

/// The first of the tokens that writes something.
fn written<'a>(mut tokens: impl Iterator<Item = &'a Token>) -> Option<&'a Token> {
    tokens.find(|token| **token != Token::Nothing)
}

/// Whether both are delimiters, of different characters: those of one character make one run.
fn begins_otherwise(one: &Token, other: &Token) -> bool {
    let first = |token: &Token| match token {
        Token::Open(style) | Token::Close(style) => style.delimiter().chars().next(),
        _ => None,
    };
    first(one).zip(first(other)).is_some_and(|(one, other)| one != other)
}

/// Whether a delimiter run between the two characters holds on to the inner one.
fn flanks(outer: char, inner: char) -> bool {
    let is_punctuation = |c: char| !c.is_alphanumeric() && !c.is_whitespace();
    !inner.is_whitespace() && (!is_punctuation(inner) || outer.is_whitespace() || is_punctuation(outer))
}

fn first_content(tokens: &[Token]) -> Option<char> {
    let content = tokens.iter().find(|token| **token != Token::Nothing && !is_delimiter(token))?;
    first_char(std::slice::from_ref(content))
}

fn last_content(tokens: &[Token]) -> Option<char> {
    let content = tokens.iter().rev().find(|token| **token != Token::Nothing && !is_delimiter(token))?;
    match content {
        Token::Text(text) => text.chars().next_back(),
        Token::Code(_) => Some('`'),
        Token::Open(_) => Some('['),
        Token::Close(_) | Token::Image(_) => Some(')'),
        Token::Break | Token::Nothing => Some('\n'),
    }
}

/// The first character that the tokens write.
fn first_char(tokens: &[Token]) -> Option<char> {
    match tokens.iter().find(|token| **token != Token::Nothing)? {
        Token::Open(Style::Link(_)) => Some('['),
        Token::Close(Style::Link(_)) => Some(']'),
        Token::Open(style) | Token::Close(style) => style.delimiter().chars().next(),
        Token::Text(text) => text.chars().next(),
        Token::Code(_) => Some('`'),
        Token::Image(_) => Some('!'),
        Token::Break | Token::Nothing => Some('\n'),
    }
}

/// Where in the first text of a line a backslash is needed for it not to read as a heading, item, quote, rule, table or
/// reference. `alone`: nothing follows on the line.
fn line_marker(text: &str, alone: bool) -> Option<usize> {
    let ends_word = |rest: &str| rest.is_empty() || rest.starts_with(' ');
    let first = text.chars().next()?;
    let needed = match first {
        '>' => true,
        // A reference definition, or the box of a task.
        '[' => {
            let is_task = ["[ ]", "[x]", "[X]"].iter().any(|task| text.starts_with(task));
            is_task || text.contains("]:") || !text[1..].contains(']') || (text.ends_with(']') && !alone)
        }
        '#' => {
            let rest = text.trim_start_matches('#');
            text.len() - rest.len() <= 6 && ends_word(rest)
        }
        '-' | '+' | '=' | ':' | '|' => {
            (matches!(first, '-' | '+') && ends_word(&text[1..]))
                || (alone && first != '+' && text.chars().all(|c| matches!(c, '-' | '=' | ':' | '|' | ' ')))
        }
        '0'..='9' => {
            let digits = text.len() - text.trim_start_matches(|c: char| c.is_ascii_digit()).len();
            let rest = &text[digits..];
            let is_marker = digits <= 9 && rest.starts_with(['.', ')']) && ends_word(&rest[1..]);
            return is_marker.then_some(digits);
        }
        _ => false,
    };
    needed.then_some(0)
}

/// Appends text with a backslash before the characters that would be markup where they stand.
fn push_escaped(out: &mut String, text: &str, marker: Option<usize>, after: Option<char>, in_link: bool) {
    // Delimiters around do not count as blanks, and an edge of the line does.
    let mut previous = out.chars().next_back().unwrap_or(' ');
    let mut at = 0;
    let mut rest = text.chars();
    while let Some(c) = rest.next() {
        let next = rest.clone().next().or(after).unwrap_or(' ');
        let loose = previous.is_whitespace() && next.is_whitespace() && at > 0;
        let inside_word = previous.is_alphanumeric() && next.is_alphanumeric();
        let escaped = marker == Some(at)
            || match c {
                '\\' => next.is_ascii_punctuation() || next == '\n',
                '`' => true,
                '*' | '~' => !loose,
                '_' => !loose && !inside_word,
                '[' => in_link,
                ']' => in_link || next == '(',
                '<' => next.is_ascii_alphabetic() || matches!(next, '/' | '!' | '?'),
                '&' => reads_as_entity(rest.as_str()),
                '!' => next == '[' && !rest.as_str().is_empty() && in_link,
                _ => false,
            };
        if escaped {
            out.push('\\');
        }
        out.push(c);
        previous = c;
        at += c.len_utf8();
    }
}

/// Whether an ampersand before the text would begin a character reference.
fn reads_as_entity(rest: &str) -> bool {
    let name = rest.bytes().take(34).take_while(|b| b.is_ascii_alphanumeric() || *b == b'#').count();
    name > 0 && rest[name..].starts_with(';')
}

/// A code span with a fence longer than any run of backticks inside.
fn push_code(out: &mut String, code: &str) {
    let fence = "`".repeat(longest_run(code, '`') + 1);
    let blank = if code.starts_with('`') || code.ends_with('`') { " " } else { "" };
    out.extend([&fence, blank, code, blank, &fence]);
}

/// Length of the longest run of a character.
pub(super) fn longest_run(text: &str, c: char) -> usize {
    text.split(|other| other != c).map(str::len).max().unwrap_or(0) / c.len_utf8()
}

/// A link destination. What would end it or be read in it is percent-encoded or escaped.
fn push_address(out: &mut String, address: &str) {
    for (at, c) in address.char_indices() {
        match c {
            '(' | ')' => out.extend(['\\', c]),
            '&' if reads_as_entity(&address[at + 1..]) => out.push_str("\\&"),
            '\\' => out.push_str("%5C"),
            '|' => out.push_str("%7C"),
            '`' => out.push_str("%60"),
            '<' => out.push_str("%3C"),
            '>' => out.push_str("%3E"),
            ' ' => out.push_str("%20"),
            _ if c.is_control() => {}
            _ => out.push(c),
        }
    }
}

fn push_title(out: &mut String, title: Option<&str>) {
    let title = title.map(crate::dom::fold_space).unwrap_or_default();
    if !title.is_empty() {
        out.push_str(" \"");
        for c in title.chars().filter(|c| !c.is_control()) {
            if matches!(c, '"' | '\\' | '`' | '<' | '&') {
                out.push('\\');
            }
            out.push(c);
        }
        out.push('"');
    }
}
