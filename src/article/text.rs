//! [`text`]: a selection as plain text.

use super::Selection;
use super::flow::{Flow, Kind};
use crate::dom::{Dom, NodeId};

/// Where a line of the text comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TextLine {
    /// Where it begins in the text, in bytes. It goes on to the next line's begin, its line feed included.
    pub start: usize,
    /// Its level, 1 to 6, where it is a heading.
    pub heading: Option<u8>,
    /// The node that it begins in.
    pub node: Option<NodeId>,
}

/// The kept text, one block a line, without a line feed at the end.
///
/// Headings, paragraphs, items and cells are never glued, inline elements never split; `br` ends a line; the cells of a
/// table row stand on one line with tabs between them, empty ones too so that columns stay in place, unless a cell holds several
/// blocks. White space is folded, but kept in `pre` apart from empty lines and blanks at line ends. An end of a line of the
/// source between two Chinese or Japanese characters is dropped: browsers show a blank there, but it falls inside a word. So
/// is a blank beside a wide mark, which has its own white; one between letters parts names, and stays. Other blanks, such as
/// U+00A0, become U+0020; soft hyphens, zero-width spaces and control characters are dropped. No line is empty or, outside
/// `pre`, begins with a blank, but for the tab behind an empty first cell. Time linear in the page.
pub fn text(dom: &Dom, selection: &Selection) -> String {
    text_lines(dom, selection).0
}

/// [`text`], and where each of its lines comes from.
pub fn text_lines(dom: &Dom, selection: &Selection) -> (String, Vec<TextLine>) {
    let flow = Flow::build(dom, selection, None, false);
    let mut out = (String::new(), Vec::new());
    let mut next = 0;
    // The open tables: where each ends, and which of its columns hold something.
    let mut tables: Vec<(usize, Vec<bool>)> = Vec::new();
    while let Some(block) = flow.blocks.get(next) {
        let index = next;
        next += 1;
        while tables.pop_if(|(end, _)| *end <= index).is_some() {}
        match block.kind {
            Kind::Heading(level) => push_lines(&mut out, &flow.plain(index), Some(level), block.first),
            Kind::Para | Kind::Pre => push_lines(&mut out, &flow.plain(index), None, block.node.or(block.first)),
            Kind::Table => tables.push((block.end, used_columns(&flow, index))),
            Kind::Row { .. } if flow.children(index).all(|cell| flow.is_plain_cell(cell)) => {
                let used = tables.last().map_or(&[][..], |(_, used)| used);
                let cells: Vec<String> = (flow.children(index).enumerate())
                    .filter(|(column, _)| used.get(*column).is_none_or(|used| *used))
                    .map(|(_, cell)| cell_text(&flow, cell))
                    .collect();
                push_lines(&mut out, &cells.join("\t"), None, block.node);
                next = block.end;
            }
            _ => {}
        }
    }
    out
}

/// The one line of a plain cell.
fn cell_text(flow: &Flow, cell: usize) -> String {
    let leaf = cell + 1;
    if leaf < flow.blocks[cell].end { flow.plain(leaf).replace('\n', " ") } else { String::new() }
}

/// Which columns of a table have a cell that holds something: the others only make room.
fn used_columns(flow: &Flow, table: usize) -> Vec<bool> {
    let mut used = Vec::new();
    for row in flow.children(table).filter(|&part| matches!(flow.blocks[part].kind, Kind::Row { .. })) {
        for (column, cell) in flow.children(row).enumerate() {
            if used.len() <= column {
                used.push(false);
            }
            // A picture is no text.
            used[column] |= !used[column] && !cell_text(flow, cell).is_empty();
        }
    }
    used
}

fn push_lines((out, lines): &mut (String, Vec<TextLine>), text: &str, heading: Option<u8>, node: Option<NodeId>) {
    for line in text.split('\n').map(str::trim_end).filter(|line| !line.is_empty()) {
        if !out.is_empty() {
            out.push('\n');
        }
        lines.push(TextLine { start: out.len(), heading, node });
        out.push_str(line);
    }
}
