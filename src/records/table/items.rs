//! The items of one record, each with a key that says where it stands.

use super::Cells;
use crate::dom::{Attr, Dom, NodeId, Tag, fold_space};
use crate::records::ColumnKind;
use rustc_hash::FxHashSet;
use serde::{Deserialize, Serialize};
use xxhash_rust::xxh3::xxh3_64;

/// What an item is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub(super) enum ItemKind {
    Text,
    Link,
    Image,
}

impl ItemKind {
    /// The kind of a column of such items, whatever the texts say.
    pub(super) fn plain(self) -> ColumnKind {
        match self {
            Self::Text => ColumnKind::Text,
            Self::Link => ColumnKind::Link,
            Self::Image => ColumnKind::Image,
        }
    }
}

/// One item.
#[derive(Debug)]
pub(super) struct Item {
    /// The same for items in the same place of their records.
    pub(super) key: u64,
    /// Of a text that is alone in its line but not its line's own: the key that it has beside others.
    pub(super) inner: Option<u64>,
    pub(super) kind: ItemKind,
    pub(super) node: NodeId,
    pub(super) text: String,
}

/// The key of the headings of groups; what hashes to it by chance is one in 2⁶⁴.
pub(super) const GROUP: u64 = 2;

impl Item {
    /// The heading of a record's group.
    pub(super) fn heading(dom: &Dom, id: NodeId) -> Self {
        Self { key: GROUP, inner: None, kind: ItemKind::Text, node: id, text: fold_space(dom.text(id)) }
    }
}

/// A node above the one that is looked at.
struct Above {
    end: NodeId,
    key: u64,
    /// The key of the nearest node that starts a line of its own.
    block: u64,
}

fn mix(a: u64, b: u64) -> u64 {
    (a.rotate_left(5) ^ b).wrapping_mul(0x9e37_79b9_7f4a_7c15)
}

/// The items of a record in document order. `of_parts` where records of its region have several nodes: then each node is a
/// place of its own, also of a record that has but one.
pub(super) fn items(dom: &Dom, cells: &Cells, record: &[NodeId], of_parts: bool) -> Vec<Item> {
    let mut found: Vec<Item> = Vec::new();
    for (number, &root) in record.iter().enumerate() {
        let is_row = dom.tag(root) == Tag::TR;
        let start = if of_parts && !dom.is_text(root) { mix(1, part_key(dom, record, number, is_row)) } else { 1 };
        let before = found.len();
        // A cell that reaches down from an earlier row says the same of this one.
        let carried = cells.carried.get(&root).map_or(&[][..], Vec::as_slice);
        for &cell in carried.iter().filter(|&&cell| !record.iter().any(|&own| dom.contains(own, cell))) {
            walk(dom, cells, cell, mix(start, step(dom, cells, cell)), &mut found);
        }
        walk(dom, cells, root, start, &mut found);
        if is_row && cells.heads[root].is_some() {
            join_lines(dom, &mut found, before);
        }
    }
    found
}

/// The items in a subtree, whose root has this key.
fn walk(dom: &Dom, cells: &Cells, root: NodeId, start: u64, found: &mut Vec<Item>) {
    let mut above: Vec<Above> = Vec::new();
    let mut control_end = root;
    for id in dom.subtree(root) {
        while above.last().is_some_and(|up| id >= up.end) {
            above.pop();
        }
        if dom.is_hidden(id) || id < control_end {
            continue;
        }
        let (up, block) = above.last().map_or((start, start), |up| (up.key, up.block));
        if dom.is_text(id) {
            text(dom, id, up, block, found);
            continue;
        }
        if matches!(dom.tag(id), Tag::SELECT | Tag::DATALIST | Tag::TEXTAREA) {
            // What a reader may choose is no item.
            control_end = dom.end(id);
            continue;
        }
        let key = if id == root { start } else { mix(up, step(dom, cells, id)) };
        let block = if dom.tag(id).breaks_text() { key } else { block };
        attributes(dom, id, key, found);
        above.push(Above { end: dom.end(id), key, block });
    }
}

/// Joins the texts that stand in a cell of their own, line by line, from an item on: where a head names the columns, a line
/// break begins none.
fn join_lines(dom: &Dom, found: &mut Vec<Item>, from: usize) {
    for item in found.split_off(from) {
        let is_line = |item: &Item| item.kind == ItemKind::Text && is_cell(dom, dom.parent(item.node));
        match found[from..].last_mut() {
            Some(before) if is_line(&item) && is_line(before) && dom.parent(before.node) == dom.parent(item.node) => {
                before.text.push(' ');
                before.text.push_str(&item.text);
            }
            _ => found.push(item),
        }
    }
}

fn is_cell(dom: &Dom, id: Option<NodeId>) -> bool {
    id.is_some_and(|id| matches!(dom.tag(id), Tag::TD | Tag::TH))
}

/// What a node of a record of several is: of table rows the place in the record, else its tag and class.
fn part_key(dom: &Dom, record: &[NodeId], number: usize, is_row: bool) -> u64 {
    if is_row { number as u64 } else { own_key(dom, record[number]) }
}

/// What an element adds to the key: in table rows the column, else tag and first class name without its digits.
fn step(dom: &Dom, cells: &Cells, id: NodeId) -> u64 {
    match dom.tag(id) {
        Tag::TD | Tag::TH => 1000 + u64::from(cells.columns[id]),
        _ => own_key(dom, id),
    }
}

pub(super) fn own_key(dom: &Dom, id: NodeId) -> u64 {
    let tag = dom.tag(id).number() as u64;
    let class = dom.attr(id, Attr::CLASS).and_then(|value| value.split_ascii_whitespace().next());
    match class {
        None => tag,
        Some(class) => {
            let plain: String = class.chars().filter(|c| !c.is_ascii_digit()).collect();
            mix(tag, xxh3_64(plain.as_bytes()))
        }
    }
}

/// A text, under the key of its line where it is alone there, so that a colour or an emphasis makes no other column: see
/// [`settle`].
fn text(dom: &Dom, id: NodeId, up: u64, block: u64, found: &mut Vec<Item>) {
    if !dom.text(id).chars().any(char::is_alphanumeric) {
        return;
    }
    let text = fold_space(dom.text(id));
    let line = dom.ancestors(id).find(|&up| dom.tag(up).breaks_text() || dom.parent(up).is_none());
    let is_alone = line.is_some_and(|line| dom.text(line).trim().len() == dom.text(id).trim().len());
    let (key, inner) = if is_alone { (mix(block, 7), (up != block).then(|| mix(up, 7))) } else { (mix(up, 7), None) };
    found.push(Item { key, inner, kind: ItemKind::Text, node: id, text });
}

/// Keys of texts that stand beside others in their lines.
pub(super) fn shared_keys(records: &[Vec<Item>]) -> FxHashSet<u64> {
    let texts = records.iter().flatten().filter(|item| item.kind == ItemKind::Text && item.inner.is_none());
    texts.map(|item| item.key).collect()
}

/// Gives texts that are alone in their lines the keys that they have beside others, where those are `known`: a title is one
/// column, whether or not a date follows it.
pub(super) fn settle(records: &mut [Vec<Item>], known: &FxHashSet<u64>) {
    for item in records.iter_mut().flatten() {
        if let Some(inner) = item.inner.filter(|inner| known.contains(inner)) {
            (item.key, item.inner) = (inner, None);
        }
    }
}

/// The target of a link and the source of an image.
fn attributes(dom: &Dom, id: NodeId, key: u64, found: &mut Vec<Item>) {
    match dom.tag(id) {
        Tag::A => {
            let target = dom.attr(id, Attr::HREF).map(str::trim).filter(|href| {
                !href.is_empty() && !href.starts_with('#') && !href.to_ascii_lowercase().starts_with("javascript:")
            });
            if let Some(target) = target {
                found.push(Item {
                    key: mix(key, 8),
                    inner: None,
                    kind: ItemKind::Link,
                    node: id,
                    text: target.to_owned(),
                });
            }
        }
        Tag::IMG => {
            let sources = [Attr::DATA_SRC, Attr::DATA_ORIGINAL, Attr::DATA_LAZY_SRC, Attr::SRC];
            let source = sources.into_iter().filter_map(|attr| dom.attr(id, attr)).map(str::trim);
            if let Some(source) = { source }.find(|source| !source.is_empty() && !source.starts_with("data:")) {
                found.push(Item {
                    key: mix(key, 9),
                    inner: None,
                    kind: ItemKind::Image,
                    node: id,
                    text: source.to_owned(),
                });
            }
        }
        _ => {}
    }
}
