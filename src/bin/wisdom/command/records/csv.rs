//! A list as CSV (RFC 4180): a row of column names, then a row a record. Lines end in CR LF.
//!
//! Spreadsheets run cells that begin like a formula, and what stands in the cells is other people's text: an apostrophe is put
//! before such a cell, unless it is a plain number.

use wisdom::records::{Region, Table};

/// The list of a page; nothing where there is none. Of several pages, each row begins with the page's `id`.
pub(super) fn page(id: Option<&str>, region: Option<&Region>) -> Vec<u8> {
    let Some(Region { table, .. }) = region else { return Vec::new() };
    let mut out = String::new();
    let names = names(table);
    line(&mut out, id.map(|_| "page").into_iter().chain(names.iter().map(String::as_str)));
    for row in &table.rows {
        line(&mut out, id.into_iter().chain(row.iter().map(String::as_str)));
    }
    out.into_bytes()
}

/// The columns' names: their own, or their kind and number (`text 1`, `price`).
pub(super) fn names(table: &Table) -> Vec<String> {
    let of_kind = |at: usize| table.columns[..at].iter().filter(|c| c.kind == table.columns[at].kind).count();
    let name = |at: usize| match &table.columns[at].name {
        Some(name) => name.clone(),
        None => match of_kind(at) {
            0 => table.columns[at].kind.name().to_owned(),
            before => format!("{} {}", table.columns[at].kind.name(), before + 1),
        },
    };
    (0..table.columns.len()).map(name).collect()
}

fn line<'a>(out: &mut String, cells: impl Iterator<Item = &'a str>) {
    for (at, cell) in cells.enumerate() {
        if at > 0 {
            out.push(',');
        }
        let guard = if is_formula(cell) { "'" } else { "" };
        if cell.contains([',', '"', '\n', '\r']) {
            out.push('"');
            out.push_str(guard);
            out.push_str(&cell.replace('"', "\"\""));
            out.push('"');
        } else {
            out.push_str(guard);
            out.push_str(cell);
        }
    }
    out.push_str("\r\n");
}

fn is_formula(cell: &str) -> bool {
    let is_number =
        |rest: &str| !rest.is_empty() && rest.chars().all(|c| c.is_ascii_digit() || matches!(c, '.' | ',' | ' '));
    match cell.chars().next() {
        Some('=' | '@' | '\t' | '\r') => true,
        Some('+' | '-') => !is_number(&cell[1..]),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use wisdom::dom::Dom;
    use wisdom::records::{Column, ColumnKind};

    fn region(rows: &[&[&str]], names: &[Option<&str>]) -> Region {
        let column = |name: Option<&str>| Column { kind: ColumnKind::Text, name: name.map(str::to_owned) };
        Region {
            root: Dom::parse("").root(),
            score: 1.0,
            records: Vec::new(),
            table: Table {
                columns: names.iter().copied().map(column).collect(),
                rows: rows.iter().map(|row| row.iter().map(|&cell| cell.to_owned()).collect()).collect(),
            },
        }
    }

    #[test]
    fn cells_are_quoted_as_rfc_4180_says() {
        let region = region(&[&["a, b", "say \"hi\""], &["", "two\nlines"]], &[Some("One"), None]);
        let csv = String::from_utf8(page(None, Some(&region))).expect("text");
        assert_eq!(csv, "One,text 2\r\n\"a, b\",\"say \"\"hi\"\"\"\r\n,\"two\nlines\"\r\n");
        let csv = String::from_utf8(page(Some("p"), Some(&region))).expect("text");
        assert!(csv.starts_with("page,One,text 2\r\np,"), "{csv}");
        assert_eq!(page(None, None), b"");
    }

    #[test]
    fn formulas_are_made_harmless() {
        for (cell, wanted) in [
            ("=1+1", "'=1+1"),
            ("@SUM(A1)", "'@SUM(A1)"),
            ("-5", "-5"),
            ("+1 200.50", "+1 200.50"),
            ("+CALL(1)", "'+CALL(1)"),
            ("-", "'-"),
            ("a=b", "a=b"),
        ] {
            let mut out = String::new();
            line(&mut out, std::iter::once(cell));
            assert_eq!(out.trim_end(), wanted);
        }
    }
}
