//! [`markdown`]: a selection as `CommonMark` with the tables of GitHub.

use super::Selection;
use super::code_language::language;
use super::flow::{Flow, Kind};
use super::inline_markdown::{Place, inline_markdown, longest_run};
use crate::dom::{Attr, Dom, NodeId};
use url::Url;

/// The kept content as Markdown, without a line feed at the end: `CommonMark`, tables and strike-through as on GitHub, and
/// definition lists as `term` over `: meaning`, which reads well also where they are unknown.
///
/// Addresses are absolute, against `base`, or without one as the page writes them. Text that would read as markup is escaped, other text is not. Emphasis that
/// parsers would not recognise (`**Note:**now`) is left out. A table whose cells hold several blocks, or with one cell a
/// row, is written as its blocks; a first row of headers only heads its table, and so does the first row of a table
/// without any. Time linear in the page.
pub fn markdown(dom: &Dom, selection: &Selection, base: Option<&Url>) -> String {
    let flow = Flow::build(dom, selection, base, true);
    let mut writer = Writer {
        dom,
        base,
        tight: tight_lists(&flow),
        flow: &flow,
        out: String::new(),
        frames: Vec::new(),
        last_list: None,
    };
    let mut next = 1;
    while next < flow.blocks.len() {
        writer.close_before(next);
        next = writer.block(next);
    }
    writer.out
}

/// For each block whether it is a list that can be written without blank lines: each item is a paragraph, then at most
/// lists of that kind.
fn tight_lists(flow: &Flow) -> Vec<bool> {
    let mut tight = vec![false; flow.blocks.len()];
    for index in (0..flow.blocks.len()).rev() {
        if !matches!(flow.blocks[index].kind, Kind::List { .. }) {
            continue;
        }
        tight[index] = flow.children(index).all(|item| {
            flow.children(item).enumerate().all(|(at, child)| match flow.blocks[child].kind {
                Kind::Para => at == 0,
                Kind::List { .. } => tight[child],
                _ => false,
            })
        });
    }
    tight
}

/// An open container: what its lines begin with.
struct Frame {
    block: usize,
    first: String,
    rest: String,
    used: bool,
    /// The bullet or the sign behind the number, of a list.
    sign: char,
    /// The number of a list's next item.
    number: u32,
}

struct Writer<'a> {
    dom: &'a Dom,
    base: Option<&'a Url>,
    flow: &'a Flow,
    tight: Vec<bool>,
    out: String,
    frames: Vec<Frame>,
    /// Whether the list that ended just before was ordered, and its sign.
    last_list: Option<(bool, char)>,
}

impl Writer<'_> {
    fn close_before(&mut self, next: usize) {
        while let Some(frame) = self.frames.pop_if(|frame| self.flow.blocks[frame.block].end <= next) {
            if let Kind::List { ordered } = self.flow.blocks[frame.block].kind {
                self.last_list = Some((ordered, frame.sign));
            }
        }
    }

    /// Writes a leaf or table, or opens a container; returns the block to go on with.
    fn block(&mut self, index: usize) -> usize {
        let block = &self.flow.blocks[index];
        match block.kind {
            Kind::Para => {
                let text = inline_markdown(self.dom, self.flow, index, self.base, Place::Para);
                self.put(&text);
            }
            Kind::Heading(level) => {
                let text = inline_markdown(self.dom, self.flow, index, self.base, Place::Heading);
                self.put(&format!("{} {text}", "#".repeat(usize::from(level))));
            }
            Kind::Pre => {
                let code = self.flow.plain(index);
                let code = code.trim_end();
                let body = code.trim_start_matches('\n');
                let fence = "`".repeat(longest_run(body, '`').max(2) + 1);
                let language = block.node.and_then(|pre| language(self.dom, pre)).unwrap_or_default();
                if !body.is_empty() {
                    self.put(&format!("{fence}{language}\n{body}\n{fence}"));
                }
            }
            Kind::Rule => self.put("---"),
            Kind::Table if self.is_plain_table(index) => {
                self.table(index);
                return block.end;
            }
            kind => self.open(index, kind),
        }
        index + 1
    }

    /// Writes a table of plain cells and its captions, in their order; a caption between rows parts them into two tables.
    fn table(&mut self, table: usize) {
        let parts: Vec<usize> = self.flow.children(table).collect();
        let is_row = |part: usize| matches!(self.flow.blocks[part].kind, Kind::Row { .. });
        for run in parts.chunk_by(|&a, &b| is_row(a) && is_row(b)) {
            if is_row(run[0]) {
                let rows = self.rows(run);
                self.put(&rows);
            } else {
                let leaves: Vec<usize> = run.iter().flat_map(|&caption| self.flow.children(caption)).collect();
                for leaf in leaves {
                    self.block(leaf);
                }
            }
        }
    }

    fn open(&mut self, index: usize, kind: Kind) {
        let mut frame =
            Frame { block: index, first: String::new(), rest: String::new(), used: false, sign: '-', number: 0 };
        match kind {
            Kind::Quote => (frame.first, frame.rest) = ("> ".to_owned(), "> ".to_owned()),
            // Where definition lists are unknown, the colon is text, behind which only text can stand.
            Kind::Definition if self.flow.blocks.get(index + 1).is_some_and(|first| first.kind == Kind::Para) => {
                (frame.first, frame.rest) = (": ".to_owned(), "  ".to_owned());
            }
            Kind::List { ordered } => {
                let start = self.flow.blocks[index].node.and_then(|list| self.dom.attr(list, Attr::START));
                frame.number = start.and_then(|start| start.trim().parse().ok()).unwrap_or(1).min(999_000_000);
                let (sign, other) = if ordered { ('.', ')') } else { ('-', '*') };
                // Two lists without anything between are told apart by their signs.
                frame.sign = if self.last_list == Some((ordered, sign)) { other } else { sign };
            }
            Kind::Item => {
                if let Some(list) = self.frames.last_mut() {
                    list.number += 1;
                    frame.first = match self.flow.blocks[list.block].kind {
                        Kind::List { ordered: true } => format!("{}{} ", list.number - 1, list.sign),
                        _ => format!("{} ", list.sign),
                    };
                }
                frame.rest = " ".repeat(frame.first.len());
            }
            _ => {}
        }
        self.frames.push(frame);
    }

    /// Writes a block of lines, parted from the one before.
    fn put(&mut self, text: &str) {
        if !self.out.is_empty() {
            self.out.push('\n');
            if !self.is_tight_here() {
                let prefix: String =
                    self.frames.iter().take_while(|frame| frame.used).map(|frame| &*frame.rest).collect();
                self.out.push_str(prefix.trim_end());
                self.out.push('\n');
            }
        }
        for (at, line) in text.split('\n').enumerate() {
            if at > 0 {
                self.out.push('\n');
            }
            let line_start = self.out.len();
            for frame in &mut self.frames {
                self.out.push_str(if frame.used { &frame.rest } else { &frame.first });
                frame.used = true;
            }
            self.out.push_str(line);
            let end = self.out.trim_end_matches([' ', '\t']).len();
            self.out.truncate(end.max(line_start));
        }
        self.last_list = None;
    }

    /// Whether the next block follows without a blank line: the first of an item or definition that allows it.
    fn is_tight_here(&self) -> bool {
        let Some(fresh) = self.frames.iter().position(|frame| !frame.used && !frame.first.is_empty()) else {
            return false;
        };
        let kind = |at: usize| self.flow.blocks[self.frames[at].block].kind;
        if kind(fresh) == Kind::Definition {
            return true;
        }
        if kind(fresh) != Kind::Item || fresh == 0 {
            return false;
        }
        let list = &self.frames[fresh - 1];
        let is_first = list.block + 1 == self.frames[fresh].block;
        // The first item of a nested list follows the text of the item around it.
        let nested = fresh >= 3 && kind(fresh - 2) == Kind::Item && self.tight[self.frames[fresh - 3].block];
        // A list that begins with another number than 1 cannot interrupt a paragraph.
        let interrupts =
            !matches!(kind(fresh - 1), Kind::List { ordered: true }) || self.frames[fresh].first.starts_with("1.");
        if is_first { nested && interrupts } else { self.tight[list.block] }
    }

    /// Whether all cells are plain, so that Markdown can write them, and the captions are.
    fn is_plain_table(&self, table: usize) -> bool {
        self.flow.children(table).all(|part| match self.flow.blocks[part].kind {
            Kind::Row { .. } => self.flow.children(part).all(|cell| self.flow.is_plain_cell(cell)),
            _ => self.flow.children(part).all(|leaf| self.flow.blocks[leaf].end == leaf + 1),
        })
    }

    fn rows(&self, part: &[usize]) -> String {
        let mut rows: Vec<Vec<String>> = Vec::new();
        let mut heads: Vec<bool> = Vec::new();
        let mut any_head = false;
        // For each column, the rows that a cell from above still reaches into.
        let mut reaching: Vec<u32> = Vec::new();
        for &row in part {
            let Kind::Row { head } = self.flow.blocks[row].kind else { continue };
            let mut cells: Vec<String> = Vec::new();
            let (mut all_heads, mut heads_here) = (true, false);
            for cell in self.flow.children(row) {
                skip_reached(&mut cells, &mut reaching);
                let is_head = head || matches!(self.flow.blocks[cell].kind, Kind::Cell { head: true });
                let column = cells.len();
                let has_text = cell + 1 < self.flow.blocks[cell].end;
                // The corner above row headers is often an empty cell.
                let is_corner = column == 0 && !has_text;
                all_heads &= is_head || is_corner;
                heads_here |= is_head;
                cells.push(if has_text {
                    inline_markdown(self.dom, self.flow, cell + 1, self.base, Place::Cell)
                } else {
                    String::new()
                });
                let span = |attr| self.flow.blocks[cell].node.map_or(1, |node| span(self.dom, node, attr));
                cells.resize(column + span(Attr::COLSPAN).min(MAX_SPAN) as usize, String::new());
                let rows_below = span(Attr::ROWSPAN) - 1;
                if rows_below > 0 && cells.len() <= MAX_REACHED {
                    reaching.resize(reaching.len().max(cells.len()), 0);
                    reaching[column..cells.len()].fill(rows_below);
                }
            }
            skip_reached(&mut cells, &mut reaching);
            heads.push(all_heads && heads_here);
            any_head |= heads_here;
            rows.push(cells);
        }
        let width = rows.iter().map(Vec::len).max().unwrap_or(0);
        let first_heads = heads.first().is_some_and(|&head| head) || !any_head;
        let mut header = if first_heads && !rows.is_empty() { rows.remove(0) } else { Vec::new() };
        header.resize(width, String::new());
        let mut lines = vec![line(&header), format!("|{}", " --- |".repeat(width))];
        lines.extend(rows.iter().map(|row| line(row)));
        lines.join("\n")
    }
}

/// Columns that one cell spans, at most, and columns into which cells from above reach, at most: enough for tables that
/// people read, and a bound on what a hostile one can ask for.
const MAX_SPAN: u32 = 32;
const MAX_REACHED: usize = 64;

fn span(dom: &Dom, cell: NodeId, attr: Attr) -> u32 {
    dom.attr(cell, attr).and_then(|value| value.trim().parse().ok()).unwrap_or(1).clamp(1, 1000)
}

/// Adds an empty cell for each column here that a cell from above reaches into.
fn skip_reached(cells: &mut Vec<String>, reaching: &mut [u32]) {
    while let Some(left) = reaching.get_mut(cells.len()).filter(|left| **left > 0) {
        *left -= 1;
        cells.push(String::new());
    }
}

fn line(cells: &[String]) -> String {
    let mut out = String::from("|");
    for cell in cells {
        out.push(' ');
        out.push_str(cell);
        out.push_str(if cell.is_empty() { "|" } else { " |" });
    }
    out
}
