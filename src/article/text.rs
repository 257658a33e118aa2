//! [`text`]: a selection as plain text.

use super::Selection;
use super::flow::{Flow, Kind};
use crate::dom::Dom;

/// The kept text, one block a line, without a line feed at the end.
///
/// Headings, paragraphs, items and cells are never glued, inline elements never split; `br` ends a line; the cells of a
/// table row stand on one line with tabs between them, unless a cell holds several blocks. White space is folded, but kept
/// in `pre` apart from empty lines and blanks at line ends. A blank or line feed of the source between two Chinese or
/// Japanese characters is dropped: browsers show a blank there, but it falls inside a word. Other blanks, such as U+00A0,
/// become U+0020; soft hyphens, zero-width spaces and control characters are dropped. No line is empty or, outside
/// `pre`, begins with a blank. Time linear in the page.
pub fn text(dom: &Dom, selection: &Selection) -> String {
    let flow = Flow::build(dom, selection, None, false);
    let mut out = String::new();
    let mut next = 0;
    while let Some(block) = flow.blocks.get(next) {
        let index = next;
        next += 1;
        match block.kind {
            Kind::Para | Kind::Heading(_) | Kind::Pre => push_lines(&mut out, &flow.plain(index)),
            Kind::Row { .. } if flow.children(index).all(|cell| flow.is_plain_cell(cell)) => {
                let cells: Vec<String> = (index + 1..block.end)
                    .filter(|&leaf| flow.blocks[leaf].kind == Kind::Para)
                    .map(|leaf| flow.plain(leaf).replace('\n', " "))
                    .filter(|cell| !cell.is_empty())
                    .collect();
                push_lines(&mut out, &cells.join("\t"));
                next = block.end;
            }
            _ => {}
        }
    }
    out
}

fn push_lines(out: &mut String, text: &str) {
    for line in text.split('\n').map(str::trim_end).filter(|line| !line.is_empty()) {
        if !out.is_empty() {
            out.push('\n');
        }
        out.push_str(line);
    }
}
