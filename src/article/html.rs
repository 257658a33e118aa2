//! [`html`]: a selection as clean HTML.

use super::code_language::{language, own_language};
use super::flow::{Flow, Kind, Mark, PieceKind};
use super::{Selection, links};
use crate::dom::{Attr, Dom, NodeId, Tag};
use std::fmt::Write as _;
use url::Url;

/// The kept content as clean, well-formed HTML: paragraphs, headings, lists, tables, figures, images, links, quotes, code
/// and other inline elements; of attributes `href`, `src`, `alt`, `title`, `datetime`, `colspan`, `rowspan`, `start`,
/// `lang`, and the language of code as `class="language-xx"`.
///
/// Addresses are absolute, against `base`, or without one as the page writes them; links to anything but the web, mail, telephone and FTP are left out, their text
/// stays. Text outside paragraphs gets one. No element is empty but table cells, which keep their columns in place. Read
/// again, the result has the same [`text`](super::text()). Time linear in the page.
pub fn html(dom: &Dom, selection: &Selection, base: Option<&Url>) -> String {
    let flow = Flow::build(dom, selection, base, true);
    let mut writer = Writer { dom, base, flow: &flow, out: String::new(), open: Vec::new() };
    for index in 1..flow.blocks.len() {
        writer.close_before(index);
        writer.block(index);
    }
    writer.close_before(flow.blocks.len());
    writer.out.truncate(writer.out.trim_end().len());
    writer.out
}

struct Open<'a> {
    block: usize,
    name: &'static str,
    /// The language in force outside.
    outer_lang: Option<&'a str>,
    lang: Option<&'a str>,
}

struct Writer<'a> {
    dom: &'a Dom,
    base: Option<&'a Url>,
    flow: &'a Flow,
    out: String,
    open: Vec<Open<'a>>,
}

impl<'a> Writer<'a> {
    fn close_before(&mut self, next: usize) {
        while let Some(open) = self.open.pop_if(|open| self.flow.blocks[open.block].end <= next) {
            self.end(open.name);
        }
    }

    fn end(&mut self, name: &str) {
        let _ = writeln!(self.out, "</{name}>");
    }

    fn block(&mut self, index: usize) {
        let block = &self.flow.blocks[index];
        let outer_lang = self.open.last().and_then(|open| open.lang.or(open.outer_lang));
        let lang = block.lang.and_then(|node| self.dom.attr(node, Attr::LANG)).filter(|&lang| Some(lang) != outer_lang);
        let name = match block.kind {
            Kind::Root => return,
            Kind::Rule => {
                self.out.push_str("<hr>\n");
                return;
            }
            Kind::Para if lang.is_none() && self.is_bare(index) => {
                self.inline(index);
                if block.end < self.open.last().map_or(0, |open| self.flow.blocks[open.block].end) {
                    self.out.push('\n');
                }
                return;
            }
            kind => element(kind),
        };
        let _ = write!(self.out, "<{name}");
        self.attr("lang", lang);
        self.numbers(block.kind, block.node);
        if let (Kind::Pre, Some(pre)) = (block.kind, block.node)
            && !self.dom.subtree(pre).any(|id| self.dom.tag(id) == Tag::CODE)
        {
            self.class_of_code(language(self.dom, pre));
        }
        self.out.push('>');
        if matches!(block.kind, Kind::Para | Kind::Heading(_) | Kind::Pre) {
            // The parser drops a line feed right behind the tag.
            if block.kind == Kind::Pre && self.flow.plain(index).starts_with('\n') {
                self.out.push('\n');
            }
            self.inline(index);
            self.end(name);
            return;
        }
        if matches!(
            block.kind,
            Kind::List { .. } | Kind::Table | Kind::Row { .. } | Kind::Definitions | Kind::Quote | Kind::Figure
        ) {
            self.out.push('\n');
        }
        self.open.push(Open { block: index, name, outer_lang, lang });
    }

    /// Whether a paragraph needs no `p`: the only one of an item or cell, an item's text before a nested list, or the
    /// image of a figure.
    fn is_bare(&self, index: usize) -> bool {
        let Some(parent) = self.open.last().map(|open| open.block) else { return false };
        let mut siblings = self.flow.children(parent);
        match self.flow.blocks[parent].kind {
            Kind::Item => {
                siblings.next() == Some(index)
                    && siblings.all(|sibling| matches!(self.flow.blocks[sibling].kind, Kind::List { .. }))
            }
            Kind::Cell { .. } | Kind::Caption | Kind::Term | Kind::Definition | Kind::Legend => {
                siblings.next() == Some(index) && siblings.next().is_none()
            }
            // Two images in a row would be one paragraph.
            Kind::Figure => {
                let next = self.flow.blocks[index].end;
                self.is_image(index)
                    && !self.is_image(index - 1)
                    && !(next < self.flow.blocks[parent].end && self.is_image(next))
            }
            _ => false,
        }
    }

    /// Whether a block is a paragraph of images only.
    fn is_image(&self, index: usize) -> bool {
        self.flow.blocks[index].kind == Kind::Para
            && self.flow.pieces(index).iter().all(|piece| matches!(piece.kind, PieceKind::Image(_)))
    }

    /// The language of code, as HTML proposes to say it.
    fn class_of_code(&mut self, language: Option<&str>) {
        self.attr("class", language.map(|name| format!("language-{name}")).as_deref());
    }

    /// The attributes that hold numbers.
    fn numbers(&mut self, kind: Kind, node: Option<NodeId>) {
        let Some(node) = node else { return };
        let number = |attr| self.dom.attr(node, attr).and_then(|value| value.trim().parse::<i32>().ok());
        let (start, columns, rows) = (number(Attr::START), number(Attr::COLSPAN), number(Attr::ROWSPAN));
        if kind == (Kind::List { ordered: true })
            && let Some(start) = start.filter(|&start| start != 1)
        {
            let _ = write!(self.out, " start=\"{start}\"");
        }
        if matches!(kind, Kind::Cell { .. }) {
            for (name, value) in [("colspan", columns), ("rowspan", rows)] {
                if let Some(value) = value.filter(|value| (2..=1000).contains(value)) {
                    let _ = write!(self.out, " {name}=\"{value}\"");
                }
            }
        }
    }

    fn inline(&mut self, leaf: usize) {
        let mut open: Vec<Mark> = Vec::new();
        for piece in self.flow.pieces(leaf) {
            let wanted = self.flow.marks(piece.marks);
            self.turn(&mut open, &wanted);
            match &piece.kind {
                PieceKind::Text(range) => escape(&mut self.out, &self.flow.text[range.clone()]),
                PieceKind::Break => self.out.push_str("<br>"),
                PieceKind::Image(node) => self.image(*node),
            }
        }
        self.turn(&mut open, &[]);
    }

    /// Closes and opens inline elements until those wanted are open.
    fn turn(&mut self, open: &mut Vec<Mark>, wanted: &[Mark]) {
        let same = open.iter().zip(wanted).take_while(|(a, b)| a == b).count();
        for mark in open.drain(same..).rev() {
            let _ = write!(self.out, "</{}>", mark.tag.name());
        }
        for &mark in &wanted[same..] {
            let _ = write!(self.out, "<{}", mark.tag.name());
            if let Some(node) = mark.node {
                if mark.tag == Tag::A {
                    let href = links::link(self.dom, node, self.base);
                    self.attr("href", href.as_deref());
                }
                let titled = matches!(mark.tag, Tag::A | Tag::ABBR);
                self.attr("title", self.value(node, Attr::TITLE).filter(|_| titled));
                if mark.tag == Tag::CODE {
                    let pre = self.dom.ancestors(node).find(|&up| self.dom.tag(up) == Tag::PRE);
                    let name = own_language(self.dom, node).or_else(|| language(self.dom, pre?));
                    self.class_of_code(name);
                }
                self.attr("datetime", self.value(node, Attr::DATETIME).filter(|_| mark.tag == Tag::TIME));
            }
            self.out.push('>');
            open.push(mark);
        }
    }

    fn image(&mut self, node: NodeId) {
        let Some(src) = links::image(self.dom, node, self.base) else { return };
        self.out.push_str("<img");
        self.attr("src", Some(&src));
        self.attr("alt", self.dom.attr(node, Attr::ALT));
        self.attr("title", self.value(node, Attr::TITLE));
        self.out.push('>');
    }

    fn value(&self, node: NodeId, attr: Attr) -> Option<&'a str> {
        self.dom.attr(node, attr).map(str::trim).filter(|value| !value.is_empty())
    }

    fn attr(&mut self, name: &str, value: Option<&str>) {
        if let Some(value) = value {
            let _ = write!(self.out, " {name}=\"");
            escape(&mut self.out, value);
            self.out.push('"');
        }
    }
}

fn element(kind: Kind) -> &'static str {
    match kind {
        Kind::Root | Kind::Para => "p",
        Kind::Heading(level) => ["h1", "h2", "h3", "h4", "h5", "h6"][usize::from(level.clamp(1, 6)) - 1],
        Kind::Pre => "pre",
        Kind::Rule => "hr",
        Kind::Quote => "blockquote",
        Kind::List { ordered: true } => "ol",
        Kind::List { ordered: false } => "ul",
        Kind::Item => "li",
        Kind::Table => "table",
        Kind::Caption => "caption",
        Kind::Row { .. } => "tr",
        Kind::Cell { head: true } => "th",
        Kind::Cell { head: false } => "td",
        Kind::Definitions => "dl",
        Kind::Term => "dt",
        Kind::Definition => "dd",
        Kind::Figure => "figure",
        Kind::Legend => "figcaption",
    }
}

/// Appends text so that it reads as itself in content and in quoted attribute values; control characters are dropped.
fn escape(out: &mut String, text: &str) {
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\u{a0}' => out.push_str("&nbsp;"),
            '\n' | '\t' => out.push(c),
            _ if c.is_control() => {}
            _ => out.push(c),
        }
    }
}
