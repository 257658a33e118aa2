//! Columns that the lists of several pages share: [`views`] of each page, put together by [`ColumnSums`], filled by [`lay_out`].

use super::items::{Item, ItemKind, settle, shared_keys};
use super::kinds::Kinds;
use super::{Cells, Grown, MOST, cell_of, filled, gather, grow, name_of, one_label, order, repeated, told};
use crate::dom::Dom;
use crate::records::{Column, ColumnKind, Record, Table};
use rustc_hash::FxHashSet;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::collections::btree_map::Entry;

/// What one page tells of a column of its list.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ColumnView {
    place: Place,
    kind: ItemKind,
    sum: Sum,
    /// Its name, where the page has a header row or the like.
    name: Option<String>,
}

/// Where the items of a column stand in their records, as hashes: see [`Item`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
struct Place {
    key: u64,
    inner: Option<u64>,
    /// How many items of this key come before it in the record.
    time: u32,
}

/// Fixed point of the places of items in their records.
const ONE: f64 = (1_u64 << 20) as f64;

/// What can be added up of a column.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Sum {
    /// Records that have it.
    count: u64,
    /// Sum of its places in them, each from 0 to 1, in 2⁻²⁰.
    place: u64,
    /// When it was first met on a page; of several pages the earliest.
    first: u32,
    kinds: Kinds,
    /// The text that all cells repeat, where that is a label.
    label: Option<String>,
    /// Whether other links or images of the record say the same, on every page.
    is_repeated: bool,
}

impl Sum {
    fn add(&mut self, other: &Self) {
        self.count = self.count.saturating_add(other.count);
        self.place = self.place.saturating_add(other.place);
        self.first = self.first.min(other.first);
        self.kinds.add(&other.kinds);
        if self.label != other.label {
            self.label = None;
        }
        self.is_repeated &= other.is_repeated;
    }
}

/// A column as the pages of a site share it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SharedColumn {
    /// Hash of where its items stand in their records.
    pub key: u64,
    /// How many items of this key come before it in the record.
    pub time: u32,
    /// What its cells are.
    pub kind: ColumnKind,
    /// Its name, where pages have one.
    pub name: Option<String>,
    /// Whether it is part of the table. What is not is a label, or repeats another column.
    pub is_shown: bool,
}

/// What a page tells of the columns of its list, the commonest [`MOST`].
pub(in crate::records) fn views(dom: &Dom, cells: &Cells, records: &[Record]) -> Vec<ColumnView> {
    let mut found = gather(dom, cells, records);
    let shared = shared_keys(&found);
    settle(&mut found, &shared);
    let place = |item: &Item, time: u32| Place { key: item.key, inner: item.inner, time };
    let Grown { keys, columns, rows } = grow(found, place, |item| cell_of(dom, cells, records, item), &[]);
    let order = order(&columns);
    let rows = filled(rows, &order, columns.len());
    let kinds: Vec<ColumnKind> = order.iter().map(|&column| columns[column].kind.plain()).collect();
    let repeated = repeated(&kinds, &rows);
    let view = |(at, &column): (usize, &usize)| {
        let grown = &columns[column];
        let cells_of = || rows.iter().map(|row| row[at].as_str());
        let is_text = grown.kind == ItemKind::Text;
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a sum of shares in fixed point")]
        let sum = Sum {
            count: grown.count as u64,
            place: (grown.place * ONE).round() as u64,
            first: u32::try_from(column).unwrap_or(u32::MAX),
            kinds: if is_text { Kinds::of(cells_of()) } else { Kinds::default() },
            label: one_label(cells_of()).filter(|_| is_text).map(str::to_owned),
            is_repeated: repeated[at],
        };
        ColumnView { place: keys[column], kind: grown.kind, sum, name: name_of(dom, cells, records, grown) }
    };
    order.iter().enumerate().map(view).collect()
}

/// The columns of a list, added up over pages. Sums of integers and the like: the order of pages does not matter.
#[derive(Clone, Debug, Default)]
pub struct ColumnSums {
    pages: u32,
    sums: Sums,
}

type Sums = BTreeMap<(ItemKind, Place), Shared>;

/// What all pages tell of one column.
#[derive(Clone, Debug)]
struct Shared {
    sum: Sum,
    pages: u32,
    /// How many pages give it each name.
    names: BTreeMap<String, u32>,
}

impl Shared {
    fn add(&mut self, other: &Self) {
        self.sum.add(&other.sum);
        self.pages = self.pages.saturating_add(other.pages);
        for (name, count) in &other.names {
            let known = self.names.entry(name.clone()).or_default();
            *known = known.saturating_add(*count);
        }
    }
}

impl ColumnSums {
    /// Adds what one page tells.
    pub fn add(&mut self, views: &[ColumnView]) {
        self.pages = self.pages.saturating_add(1);
        for ColumnView { place, kind, sum, name } in views {
            let names = name.iter().map(|name| (name.clone(), 1)).collect();
            merge(&mut self.sums, (*kind, *place), Shared { sum: sum.clone(), pages: 1, names });
        }
    }

    /// The columns: the commonest of those that two pages have, or one where there is no other, in the order of their mean
    /// places in the records. A text that is alone in its line on some pages and beside others elsewhere is one column; a name
    /// is the one that most pages give, of equals the first by alphabet; labels and what repeats on every page are not shown.
    /// Time O(n log n) in the distinct columns of all pages.
    pub fn columns(&self) -> Vec<SharedColumn> {
        let beside = |(kind, place): &&(ItemKind, Place)| *kind == ItemKind::Text && place.inner.is_none();
        let beside: FxHashSet<u64> = self.sums.keys().filter(beside).map(|(_, place)| place.key).collect();
        let mut sums = Sums::new();
        for ((kind, place), shared) in &self.sums {
            let key = place.inner.filter(|inner| beside.contains(inner)).unwrap_or(place.key);
            merge(&mut sums, (*kind, Place { key, inner: None, time: place.time }), shared.clone());
        }
        let mut order: Vec<_> = sums.into_iter().filter(|(_, shared)| shared.pages > 1 || self.pages < 2).collect();
        order.sort_by_key(|((_, place), shared)| (std::cmp::Reverse(shared.sum.count), shared.sum.first, *place));
        order.truncate(MOST);
        let mean = |sum: &Sum| sum.place as f64 / sum.count.max(1) as f64;
        order.sort_by(|((_, a), Shared { sum: one, .. }), ((_, b), Shared { sum: other, .. })| {
            mean(one).total_cmp(&mean(other)).then((one.first, other.count, a).cmp(&(other.first, one.count, b)))
        });
        let mut columns: Vec<SharedColumn> = Vec::with_capacity(order.len());
        let mut label: Option<String> = None;
        let count = order.len();
        for (at, ((kind, place), Shared { sum, names, .. })) in order.into_iter().enumerate() {
            let most = names.iter().max_by(|a, b| a.1.cmp(b.1).then(b.0.cmp(a.0)));
            let name = most.map(|(name, _)| name.clone()).or(label.take());
            label = sum.label.filter(|_| sum.count > 1 && at + 1 < count);
            let is_shown = !sum.is_repeated && label.is_none();
            let kind = if kind == ItemKind::Text { sum.kinds.most() } else { kind.plain() };
            columns.push(SharedColumn { key: place.key, time: place.time, kind, name, is_shown });
        }
        columns
    }
}

fn merge(sums: &mut Sums, at: (ItemKind, Place), shared: Shared) {
    match sums.entry(at) {
        Entry::Vacant(place) => _ = place.insert(shared),
        Entry::Occupied(mut place) => place.get_mut().add(&shared),
    }
}

/// The table of a list whose columns are known, with empty ones for what no record has. Items that stand where no known
/// column is come behind, in columns of their own.
pub(in crate::records) fn lay_out(dom: &Dom, cells: &Cells, records: &[Record], known: &[SharedColumn]) -> Table {
    let mut found = gather(dom, cells, records);
    let mut shared = shared_keys(&found);
    shared.extend(known.iter().map(|column| column.key));
    settle(&mut found, &shared);
    let keys: Vec<(u64, u32)> = known.iter().map(|column| (column.key, column.time)).collect();
    let width = known.len();
    let Grown { columns, rows, .. } =
        grow(found, |item, time| (item.key, time), |item| cell_of(dom, cells, records, item), &keys);
    let mut order: Vec<usize> = (0..known.len()).filter(|&at| known[at].is_shown).collect();
    let shown = order.len();
    order.extend((0..columns.len()).map(|grown| width + grown).take(MOST.saturating_sub(shown)));
    let rows = filled(rows, &order, width + columns.len());
    let column = |(at, &number): (usize, &usize)| match number.checked_sub(width) {
        None => Column { kind: known[number].kind, name: known[number].name.clone() },
        Some(grown) => told(dom, cells, records, &columns[grown], &mut rows.iter().map(|row| row[at].as_str())),
    };
    let columns: Vec<Column> = order.iter().enumerate().map(column).collect();
    // Of columns of its own, those that repeat others are left out; the known ones are as they are.
    let repeated = repeated(&columns.iter().map(|column| column.kind).collect::<Vec<_>>(), &rows);
    let is_kept = |at: usize| at < shown || !repeated[at];
    let kept = |row: Vec<String>| row.into_iter().enumerate().filter(|&(at, _)| is_kept(at)).map(|(_, cell)| cell);
    Table {
        rows: rows.into_iter().map(|row| kept(row).collect()).collect(),
        columns: columns.into_iter().enumerate().filter(|&(at, _)| is_kept(at)).map(|(_, column)| column).collect(),
    }
}
