//! `GenPrototypes` (NET, section 4): one record with the optional items of all in the place of the records.

use super::super::tree_match::{Pair, ShapeId, Shapes};
use super::Leaf;
use super::align::Alignment;
use super::build::Subtree;
use super::table::PlacedTable;
use rustc_hash::{FxHashMap, FxHashSet};

/// Groups of children, from the first on, whose optional items a prototype takes in.
const MOST_MERGED: usize = 32;

/// The children with prototypes for records, and their items. A prototype stands where the first record stood.
pub(super) fn prototypes(
    children: &[Subtree],
    items: &[Leaf],
    tables: &[PlacedTable],
    alignment: &Alignment,
    shapes: &mut Shapes,
) -> (Vec<Subtree>, Vec<Leaf>) {
    // By child: the table it is in, and whether in its first row.
    let mut places: Vec<Option<(usize, bool)>> = vec![None; children.len()];
    for (at, placed) in tables.iter().enumerate() {
        for (row, nodes) in placed.children.iter().enumerate() {
            for &child in nodes {
                places[child] = Some((at, row == 0));
            }
        }
    }
    let mut made: FxHashMap<usize, Vec<(ShapeId, Vec<usize>)>> = FxHashMap::default();
    for (at, placed) in tables.iter().enumerate() {
        made.insert(at, of_table(placed, alignment, shapes));
    }
    let (mut out, mut leaves, mut behind) = (Vec::new(), Vec::new(), 0);
    for (at, child) in children.iter().enumerate() {
        let first = behind;
        behind += shapes.shape(child.shape).items as usize;
        match places[at] {
            None => {
                out.push(*child);
                leaves.extend_from_slice(&items[first..behind]);
            }
            Some((table, true)) => {
                // All children of the prototype stand at the first child of the first row.
                for (shape, columns) in made.remove(&table).unwrap_or_default() {
                    out.push(Subtree { shape, ..*child });
                    let table = tables[table].number;
                    leaves.extend(columns.into_iter().map(|column| Leaf::Column { table, column }));
                }
            }
            Some((_, false)) => {}
        }
    }
    (out, leaves)
}

/// The subtrees of a table's prototype, each with the columns of its items.
fn of_table(placed: &PlacedTable, alignment: &Alignment, shapes: &mut Shapes) -> Vec<(ShapeId, Vec<usize>)> {
    let columns = |group: usize| -> Vec<usize> {
        (0..alignment.groups[group].items())
            .map(|item| alignment.column(group, item).map_or(usize::MAX, |(_, column)| column))
            .collect()
    };
    let mut record: Vec<(ShapeId, Vec<usize>)> = Vec::new();
    let mut present: FxHashSet<usize> = FxHashSet::default();
    let mut seen: FxHashSet<usize> = FxHashSet::default();
    for (row, children) in placed.children.iter().enumerate() {
        for group in children.iter().filter_map(|&child| alignment.group_of[child]) {
            if row == 0 {
                let columns = columns(group);
                present.extend(&columns);
                record.push((alignment.groups[group].shape, columns));
            } else if seen.len() < MOST_MERGED && seen.insert(group) {
                let (shape, columns) = (alignment.groups[group].shape, columns(group));
                if columns.iter().all(|column| present.contains(column)) {
                    continue;
                }
                take_in(&mut record, shape, &columns, &present, shapes);
                present.extend(&columns);
            }
        }
    }
    record
}

/// Inserts what a record has beyond the prototype: into the subtree that it is most similar to, or as a subtree of its own.
fn take_in(
    record: &mut Vec<(ShapeId, Vec<usize>)>,
    shape: ShapeId,
    columns: &[usize],
    present: &FxHashSet<usize>,
    shapes: &mut Shapes,
) {
    let shares = |own: &[usize]| own.iter().any(|column| columns.contains(column));
    let Some(at) = record.iter().position(|(_, own)| shares(own)) else {
        record.push((shape, columns.to_vec()));
        return;
    };
    let (own_shape, own_columns) = record[at].clone();
    let pairs = shapes.trace(own_shape, shape);
    let is_new = |item: usize| !present.contains(&columns[item]);
    let (merged, sources) = merge(own_shape, shape, &pairs, &is_new, shapes);
    let columns = sources.into_iter().map(|source| match source {
        Source::Own(item) => own_columns[item],
        Source::Other(item) => columns[item],
    });
    record[at] = (merged, columns.collect());
}

/// Which tree an item of a merged tree comes from.
#[derive(Clone, Copy)]
enum Source {
    Own(usize),
    Other(usize),
}

/// Subtrees to insert, by place of the parent and number of children before: shape and first item.
type Insertions = FxHashMap<(u32, usize), Vec<(ShapeId, usize)>>;

/// `a` with the subtrees of `b` that hold new items and are not matched, each behind what its left neighbour is matched with.
fn merge(
    a: ShapeId,
    b: ShapeId,
    pairs: &[Pair],
    is_new: &dyn Fn(usize) -> bool,
    shapes: &mut Shapes,
) -> (ShapeId, Vec<Source>) {
    let mut insertions = Insertions::default();
    let partner: FxHashMap<u32, u32> = pairs.iter().map(|pair| (pair.places.1, pair.places.0)).collect();
    for pair in pairs {
        let mut own: FxHashMap<u32, usize> = FxHashMap::default();
        let mut place = pair.places.0 + 1;
        for (at, &child) in shapes.shape(pair.shapes.0).children.iter().enumerate() {
            own.insert(place, at);
            place += shapes.shape(child).size;
        }
        let (mut place, mut item, mut behind) = (pair.places.1 + 1, pair.items.1 as usize, 0);
        for &child in &shapes.shape(pair.shapes.1).children {
            let items = shapes.shape(child).items as usize;
            match partner.get(&place).and_then(|matched| own.get(matched)) {
                Some(at) => behind = at + 1,
                None if (item..item + items).any(is_new) => {
                    insertions.entry((pair.places.0, behind)).or_default().push((child, item));
                }
                None => {}
            }
            place += shapes.shape(child).size;
            item += items;
        }
    }
    if insertions.is_empty() {
        let items = shapes.shape(a).items as usize;
        return (a, (0..items).map(Source::Own).collect());
    }
    debug_assert_ne!(a, b, "equal trees have nothing new");
    rebuild(a, &insertions, shapes)
}

/// A node on the way through a tree that is rebuilt.
struct Frame {
    shape: ShapeId,
    place: u32,
    next: usize,
    built: Vec<ShapeId>,
}

fn rebuild(root: ShapeId, insertions: &Insertions, shapes: &mut Shapes) -> (ShapeId, Vec<Source>) {
    let mut sources = Vec::new();
    let (mut place, mut item) = (0, 0);
    let mut open = vec![Frame { shape: root, place, next: 0, built: Vec::new() }];
    loop {
        let Some(frame) = open.last_mut() else { return (root, sources) };
        for &(shape, first) in insertions.get(&(frame.place, frame.next)).into_iter().flatten() {
            frame.built.push(shape);
            let items = shapes.shape(shape).items as usize;
            sources.extend((first..first + items).map(Source::Other));
        }
        if let Some(&child) = shapes.shape(frame.shape).children.get(frame.next) {
            frame.next += 1;
            place += 1;
            open.push(Frame { shape: child, place, next: 0, built: Vec::new() });
            continue;
        }
        let Some(Frame { shape, built, .. }) = open.pop() else { return (root, sources) };
        let old = shapes.shape(shape);
        let is_item = old.size == 1 && old.items == 1 && built.is_empty();
        if is_item {
            sources.push(Source::Own(item));
            item += 1;
        }
        let symbol = old.symbol;
        let id = shapes.number(symbol, &built, is_item);
        match open.last_mut() {
            Some(up) => up.built.push(id),
            None => return (id, sources),
        }
    }
}
