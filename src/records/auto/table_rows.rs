//! Rows of tables that are no records: those that name columns, and those that sum them up.

use super::view::View;
use crate::dom::{Attr, NodeId, Tag, fold_space};

/// What a row of a table is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum RowKind {
    /// Of head cells alone.
    Head,
    /// The last row, which sums up.
    Total,
    /// Any other.
    Plain,
}

/// First cells of rows that sum up, in lower case, without punctuation behind.
const TOTALS: [&str; 32] = [
    "total",
    "totals",
    "grand total",
    "sum",
    "sum total",
    "overall",
    "gesamt",
    "summe",
    "insgesamt",
    "totale",
    "totaal",
    "totaux",
    "totales",
    "somme",
    "suma",
    "soma",
    "razem",
    "ogółem",
    "итого",
    "всего",
    "сумма",
    "σύνολο",
    "toplam",
    "celkem",
    "spolu",
    "összesen",
    "totalt",
    "yhteensä",
    "合计",
    "总计",
    "合計",
    "합계",
];

/// Rows behind a total that may be totals as well.
const LAST: usize = 3;

/// What a row is, by its cells; `None` for what is no row. A total is one of the last rows of its table, each of which begins
/// with a word for it, or with a head cell over several columns.
pub(super) fn row_kind(view: &View<'_>, row: NodeId) -> Option<RowKind> {
    if view.dom.tag(row) != Tag::TR {
        return None;
    }
    let mut cells = cells(view, row).map(|cell| view.dom.tag(cell)).peekable();
    if cells.peek().is_some() && cells.all(|tag| tag == Tag::TH) {
        return Some(RowKind::Head);
    }
    let is_last = || {
        let end = view.dom.end(view.dom.parent(row)?);
        let next = |&id: &NodeId| Some(view.dom.end(id)).filter(|&next| next < end);
        let mut behind = std::iter::successors(next(&row), next).filter(|&id| view.mass[id].shows());
        let totals = behind.by_ref().take(LAST).all(|other| sums_up(view, other));
        Some(totals && behind.next().is_none())
    };
    let is_total = sums_up(view, row) && is_last() == Some(true);
    Some(if is_total { RowKind::Total } else { RowKind::Plain })
}

fn cells<'v>(view: &'v View<'_>, row: NodeId) -> impl Iterator<Item = NodeId> + 'v {
    view.dom.children(row).filter(|&cell| !view.dom.is_text(cell))
}

/// Whether a row begins as one that sums up does.
fn sums_up(view: &View<'_>, row: NodeId) -> bool {
    let Some(first) = cells(view, row).find(|&cell| view.mass[cell].shows()) else { return false };
    if cells(view, row).nth(1).is_none() {
        return false;
    }
    let is_wide = || view.dom.attr(first, Attr::COLSPAN).is_some_and(|wide| wide.trim() != "1");
    if view.dom.tag(first) == Tag::TH && is_wide() {
        return true;
    }
    // The longest of the words has eleven letters.
    if view.mass[first].text > 22 {
        return false;
    }
    let text = fold_space(view.dom.text(first)).to_lowercase();
    TOTALS.contains(&text.trim_end_matches([':', '：', '.', ' ']))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dom::Dom;

    #[track_caller]
    fn check(rows: &str, wanted: &[RowKind]) {
        let dom = Dom::parse(&format!("<table>{rows}</table>"));
        let view = View::new(&dom);
        let kinds: Vec<RowKind> = dom.ids().filter_map(|id| row_kind(&view, id)).collect();
        assert_eq!(kinds, wanted, "{rows}");
    }

    #[test]
    fn heads_and_totals() {
        use RowKind::{Head, Plain, Total};
        check("<tr><th>Boat<th>Price<tr><td>Alma<td>3<tr><td>Total:<td>3", &[Head, Plain, Total]);
        check("<tr><td>1<td>Rain<td>3:12<tr><td colspan=2>合计<td>3:12", &[Plain, Total]);
        check("<tr><td>Alma<td>3<tr><th colspan=2>In all<td>3", &[Plain, Total]);
        check("<tr><th>Alma<td>3<tr><th>Brise<td>3", &[Plain, Plain]);
    }

    #[test]
    fn a_row_among_others_is_no_total() {
        use RowKind::{Plain, Total};
        check("<tr><td>Shell<td>3<tr><td>Total<td>4<tr><td>Wintershall<td>2", &[Plain, Plain, Plain]);
        check("<tr><td>Alma<td>3<tr><td>Sum<td>3<tr><td>Total<td>4", &[Plain, Total, Total]);
        check("<tr><td>Alma<td>3<tr><td>Total", &[Plain, Plain]);
    }
}
