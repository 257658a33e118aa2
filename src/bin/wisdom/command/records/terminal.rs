//! A list as a table for people, as wide as the terminal. Wide characters (Chinese, Japanese, Korean) take two places.

use super::csv::names;
use crate::command::pages::Input;
use std::fmt::Write as _;
use std::io::IsTerminal;
use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};
use wisdom::dom::is_obeyed;
use wisdom::records::{ColumnKind, Region};

/// Places of a line where the output is no terminal.
const NO_TERMINAL: usize = 120;
/// Places that every column may take before any is cut.
const LEAST: usize = 8;
/// Between two columns.
const GAP: usize = 2;

/// Places of a line: those of the terminal that is written to.
pub(super) fn width(to_file: bool) -> usize {
    if to_file || !std::io::stdout().is_terminal() {
        return NO_TERMINAL;
    }
    terminal_size::terminal_size().map_or(NO_TERMINAL, |(width, _)| usize::from(width.0).max(20))
}

/// The list of a page. Of several pages each begins with a line that names it.
pub(super) fn page(input: &Input, several: bool, region: Option<&Region>, width: usize) -> Vec<u8> {
    let mut out = String::new();
    if several {
        let _ = writeln!(out, "==> {} <==", input.name().replace(is_obeyed, "\u{fffd}"));
    }
    match region {
        Some(region) => table(&mut out, region, width),
        None => out.push_str("no records\n"),
    }
    out.into_bytes()
}

fn table(out: &mut String, region: &Region, width: usize) {
    let shown = |cell: &str| cell.replace(is_obeyed, " ");
    let mut rows: Vec<Vec<String>> = vec![names(&region.table)];
    rows.extend(region.table.rows.iter().cloned());
    for cell in rows.iter_mut().flatten() {
        *cell = shown(cell);
    }
    // A column that does not fit in at all is left out, and said to be.
    let columns = region.table.columns.len().min((width + GAP) / (LEAST + GAP)).max(1).min(region.table.columns.len());
    let wanted: Vec<usize> =
        (0..columns).map(|at| rows.iter().map(|row| row[at].width()).max().unwrap_or(0).max(1)).collect();
    let widths = shares(&wanted, (width + GAP).saturating_sub(GAP * columns));
    for (number, row) in rows.iter().enumerate() {
        let mut line = String::new();
        for (at, &places) in widths.iter().enumerate() {
            let cell = cut(&row[at], places);
            let blanks = " ".repeat(places - cell.width());
            let is_right = matches!(region.table.columns[at].kind, ColumnKind::Number | ColumnKind::Price);
            if is_right {
                line.push_str(&blanks);
            }
            line.push_str(&cell);
            if !is_right {
                line.push_str(&blanks);
            }
            line.push_str(&" ".repeat(GAP));
        }
        out.push_str(line.trim_end());
        out.push('\n');
        if number == 0 {
            let rule: Vec<String> = widths.iter().map(|&places| "-".repeat(places)).collect();
            out.push_str(&rule.join(&" ".repeat(GAP)));
            out.push('\n');
        }
    }
    if columns < region.table.columns.len() {
        let _ = writeln!(out, "({} more columns)", region.table.columns.len() - columns);
    }
}

/// Places for every column: what it wants, or, where that is too much, an equal share of what the narrower ones leave.
fn shares(wanted: &[usize], room: usize) -> Vec<usize> {
    let mut order: Vec<usize> = (0..wanted.len()).collect();
    order.sort_by_key(|&at| wanted[at]);
    let mut widths = vec![0; wanted.len()];
    let mut room = room;
    for (done, &at) in order.iter().enumerate() {
        widths[at] = wanted[at].min(room / (wanted.len() - done)).max(1);
        room = room.saturating_sub(widths[at]);
    }
    widths
}

/// The text in at most so many places, with an ellipsis where it is cut.
fn cut(text: &str, places: usize) -> String {
    if text.width() <= places {
        return text.to_owned();
    }
    let mut out = String::new();
    let mut used = 0;
    for c in text.chars() {
        let more = c.width().unwrap_or(0);
        if used + more + 1 > places {
            break;
        }
        used += more;
        out.push(c);
    }
    out.push('…');
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wide_characters_take_two_places() {
        assert_eq!(cut("明月松间照", 10), "明月松间照");
        assert_eq!(cut("明月松间照", 6), "明月…");
        assert_eq!(cut("明月松间照", 5), "明月…");
        assert_eq!(cut("abcdef", 4), "abc…");
    }

    #[test]
    fn narrow_columns_keep_what_they_want() {
        assert_eq!(shares(&[3, 100, 50], 43), [3, 20, 20]);
        assert_eq!(shares(&[3, 4], 43), [3, 4]);
        assert_eq!(shares(&[9, 9, 9], 2), [1, 1, 1]);
        assert!(shares(&[], 10).is_empty());
    }
}
