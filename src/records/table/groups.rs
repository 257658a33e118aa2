//! Headings of groups: the day above its events, which each of them is told with.

use super::items::own_key;
use crate::dom::{Dom, NodeId, fold_space};
use crate::records::Record;
use rustc_hash::{FxHashMap, FxHashSet};

/// Longest heading, in bytes.
const HEADING: usize = 120;
/// Nodes before a record among which its heading is looked for: a page may have many lists of few records each, far apart.
const FAR: usize = 1000;
/// Nodes above that say where a heading stands.
const ABOVE: usize = 3;

/// The heading of each record's group; empty where the records, which are in document order, stand in no groups with headings.
///
/// A heading is what stands between two records, or before the first within the node that holds them all, in the same place as
/// the headings of other groups: before the first group, and in most places where anything stands between records. There are
/// two groups and fewer than records, and most headings differ. Time linear in the records and up to
/// [`FAR`] nodes before each.
pub(super) fn headings(dom: &Dom, records: &[Record]) -> Vec<Option<NodeId>> {
    found(dom, records).unwrap_or_default()
}

fn found(dom: &Dom, records: &[Record]) -> Option<Vec<Option<NodeId>>> {
    let first = *records.first()?.nodes.first()?;
    let last = *records.last()?.nodes.last()?;
    let root = dom.ancestors(first).find(|&up| dom.contains(up, last))?;
    let before = between(dom, dom.subtree(root).nth(1)?, first);
    let mut gaps: Vec<Vec<NodeId>> = Vec::with_capacity(records.len());
    for pair in records.windows(2) {
        let (end, start) = (dom.end(*pair[0].nodes.last()?), *pair[1].nodes.first()?);
        if start < end {
            return None;
        }
        gaps.push(between(dom, end, start));
    }
    let first_keys: FxHashSet<u64> = before.iter().map(|&id| place(dom, id)).collect();
    let mut counts: FxHashMap<u64, usize> = FxHashMap::default();
    let mut order: Vec<u64> = Vec::new();
    for gap in &gaps {
        let mut keys: Vec<u64> = gap.iter().map(|&id| place(dom, id)).filter(|key| first_keys.contains(key)).collect();
        keys.dedup();
        for key in keys {
            let count = counts.entry(key).or_default();
            if *count == 0 {
                order.push(key);
            }
            *count += 1;
        }
    }
    let filled = gaps.iter().filter(|gap| !gap.is_empty()).count();
    let is_heading = |key: &&u64| 2 * counts[*key] > filled && counts[*key] + 1 < records.len();
    let key = *order.iter().find(is_heading)?;
    let heading = |gap: &Vec<NodeId>| gap.iter().rev().copied().find(|&id| place(dom, id) == key);
    let mut heads = vec![heading(&before)];
    heads.extend(gaps.iter().map(heading));
    let texts: Vec<String> = heads.iter().flatten().map(|&id| fold_space(dom.text(id))).collect();
    let distinct: FxHashSet<&String> = texts.iter().collect();
    if 2 * distinct.len() <= texts.len() || texts.iter().any(|text| text.len() > HEADING) {
        return None;
    }
    let mut current = None;
    Some(
        heads
            .into_iter()
            .map(|head| {
                current = head.or(current);
                current
            })
            .collect(),
    )
}

/// The largest nodes with a letter or digit to see that stand whole from `from` up to `to`, of the last [`FAR`] nodes before it.
fn between(dom: &Dom, from: NodeId, to: NodeId) -> Vec<NodeId> {
    let mut found = Vec::new();
    if from >= to {
        return found;
    }
    let from = dom.between(from, to).rev().take(FAR + 1).last().unwrap_or(from);
    let mut next = from;
    for id in dom.between(from, to) {
        // Where the node reaches beyond, its parts are looked at.
        if id < next || id >= to || dom.end(id) > to || dom.is_hidden(id) {
            continue;
        }
        next = dom.end(id);
        if dom.text(id).chars().any(char::is_alphanumeric) {
            found.push(id);
        }
    }
    found
}

/// What a node is, and what it stands in.
fn place(dom: &Dom, id: NodeId) -> u64 {
    let above = dom.ancestors(id).take(ABOVE).map(|up| dom.tag(up).number() as u64);
    above.fold(own_key(dom, id), |hash, tag| hash.rotate_left(5).wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ tag)
}

#[cfg(test)]
mod tests {
    use crate::dom::{Dom, NodeId};
    use crate::records::Record;
    use crate::records::table::{Cells, table};

    /// The table of the elements with the class `r`, or of all `li` and `tr` where there is none.
    #[track_caller]
    fn check(html: &str, names: &[&str], rows: &[&[&str]]) {
        let dom = Dom::parse(html);
        let is_record = |&id: &NodeId| dom.attr(id, crate::dom::Attr::CLASS) == Some("r");
        let records: Vec<Record> = dom.ids().filter(is_record).map(|id| Record { nodes: vec![id] }).collect();
        let table = table(&dom, &Cells::new(&dom), &records);
        let found: Vec<&str> = table.columns.iter().map(|c| c.name.as_deref().unwrap_or_default()).collect();
        assert_eq!(table.rows, rows);
        assert_eq!(found, names, "{:?}", table.rows);
    }

    #[test]
    fn headings_among_records_and_around_them() {
        let rows: [&[&str]; 3] = [&["Monday", "Choir"], &["Monday", "Tides"], &["Tuesday", "Dance"]];
        for html in [
            "<main><h1>Week</h1><h3>Monday</h3><p class=r>Choir</p><p class=r>Tides</p><h3>Tuesday</h3><p class=r>Dance</main>",
            "<div class=d1>Monday</div><div class=r>Choir</div><div class=r>Tides</div><div class=d2>Tuesday</div><div class=r>Dance</div>",
            "<section><h2>Monday</h2><ul><li class=r>Choir<li class=r>Tides</ul></section><section><h2>Tuesday</h2><ul><li class=r>Dance</ul></section>",
            "<h2>Monday</h2><ul><li class=r>Choir<li class=r>Tides</ul><i>all</i><h2>Tuesday</h2><ul><li class=r>Dance</ul>",
            "<table><tr><th colspan=2>Monday<tr class=r><td>Choir<tr class=r><td>Tides<tr><th colspan=2>Tuesday<tr class=r><td>Dance</table>",
        ] {
            check(html, &["group", ""], &rows);
        }
    }

    #[test]
    fn a_heading_is_found_near_its_group() {
        let far = "<hr>".repeat(super::FAR);
        let page = format!(
            "<main>{far}<h3>Monday</h3><p class=r>Choir</p><p class=r>Tides</p>{far}<h3>Tuesday</h3><p class=r>Dance</main>"
        );
        check(&page, &["group", ""], &[&["Monday", "Choir"], &["Monday", "Tides"], &["Tuesday", "Dance"]]);
        let page =
            format!("<main><h3>Monday</h3>{far}<p class=r>Choir</p><h3>Tuesday</h3>{far}<p class=r>Dance</main>");
        check(&page, &[""], &[&["Choir"], &["Dance"]]);
    }

    /// The names of the columns of a table stay those of its head.
    #[test]
    fn a_group_takes_no_name_of_a_column() {
        check(
            "<table><tr><th>What<th>When<tr><td colspan=2>Monday<tr class=r><td>Choir<td>9:30<tr class=r><td>Tides<td>11:00\
             <tr><td colspan=2>Tuesday<tr class=r><td>Dance<td>21:00</table>",
            &["group", "What", "When"],
            &[&["Monday", "Choir", "9:30"], &["Monday", "Tides", "11:00"], &["Tuesday", "Dance", "21:00"]],
        );
    }

    #[test]
    fn what_is_no_heading() {
        let rows: [&[&str]; 3] = [&["Choir"], &["Tides"], &["Dance"]];
        for html in [
            // Nothing of the kind before the first.
            "<main><p class=r>Choir</p><h3>Tuesday</h3><p class=r>Tides</p><p class=r>Dance</main>",
            // The same again.
            "<main><b>Advert</b><p class=r>Choir</p><p class=r>Tides</p><b>Advert</b><p class=r>Dance</main>",
            // A title each.
            "<main><h3>A</h3><p class=r>Choir</p><h3>B</h3><p class=r>Tides</p><h3>C</h3><p class=r>Dance</main>",
            "<main><h3>Monday</h3><p class=r>Choir</p><p class=r>Tides</p><p class=r>Dance</main>",
        ] {
            check(html, &[""], &rows);
        }
    }
}
