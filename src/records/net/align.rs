//! `AlignAndLink` (NET, section 4): which items of the children of one node are linked.

use super::super::tree_match::{ShapeId, Shapes};
use super::Params;
use super::build::Subtree;
use rustc_hash::FxHashMap;

/// An item of the first child of a group: group and place among its items.
pub(super) type Source = (usize, usize);

/// Children of equal shape. Each is linked, item by item, from the first of them.
#[derive(Debug)]
pub(super) struct Group {
    pub(super) shape: ShapeId,
    /// How many children.
    members: usize,
    /// For each item, the item of an earlier group that it is aligned with, first of its chain of links.
    links: Vec<Option<Source>>,
    /// Whether an item of it points to another group's.
    links_out: bool,
}

/// The links among the children of a node.
#[derive(Debug)]
pub(super) struct Alignment {
    pub(super) groups: Vec<Group>,
    /// The group of each child; `None` where it has no items.
    pub(super) group_of: Vec<Option<usize>>,
    /// Table and column of each group's items, where they have one.
    columns: Vec<Vec<Option<(usize, usize)>>>,
}

impl Alignment {
    /// Compares children as `Match` does (Fig. 3, lines 2 to 7), equal ones together and different ones within the window.
    ///
    /// With `are_cells`, the children are the cells of a table row: those of one item each are attributes of a record, and no
    /// records.
    pub(super) fn of(children: &[Subtree], are_cells: bool, params: &Params, shapes: &mut Shapes) -> Self {
        let mut groups: Vec<Group> = Vec::new();
        let mut by_shape: FxHashMap<ShapeId, usize> = FxHashMap::default();
        let mut group_of = Vec::with_capacity(children.len());
        for child in children {
            let items = shapes.shape(child.shape).items as usize;
            // A cell of one item still ends a table: it is alone in its group.
            if items == 1 && are_cells {
                groups.push(Group { shape: child.shape, members: 1, links: vec![None], links_out: false });
                group_of.push(Some(groups.len() - 1));
                continue;
            }
            if items == 0 {
                group_of.push(None);
                continue;
            }
            let group = *by_shape.entry(child.shape).or_insert_with(|| {
                groups.push(Group { shape: child.shape, members: 0, links: vec![None; items], links_out: false });
                groups.len() - 1
            });
            groups[group].members += 1;
            group_of.push(Some(group));
        }
        let is_attribute = |group: &Group| are_cells && group.items() == 1;
        for first in 0..groups.len() {
            // Whose items are all aligned and linked is no longer among the children.
            if groups[first].is_complete() || is_attribute(&groups[first]) {
                continue;
            }
            for other in (first + 1..groups.len()).take(params.window) {
                if !groups[other].is_complete()
                    && !is_attribute(&groups[other])
                    && shapes.similarity(groups[first].shape, groups[other].shape) > params.threshold
                {
                    link(&mut groups, first, other, shapes);
                }
            }
        }
        let columns = groups.iter().map(|group| vec![None; group.links.len()]).collect();
        Self { groups, group_of, columns }
    }

    /// Whether a child that is more than a bare item is aligned with another.
    pub(super) fn has_aligned_element(&self, shapes: &Shapes) -> bool {
        self.groups.iter().any(|group| group.is_aligned() && shapes.shape(group.shape).size > 1)
    }

    /// Whether the children of a group have aligned items.
    pub(super) fn is_aligned(&self, group: usize) -> bool {
        self.groups[group].is_aligned()
    }

    /// Table and column of an item.
    pub(super) fn column(&self, group: usize, item: usize) -> Option<(usize, usize)> {
        let (group, item) = self.source(group, item);
        self.columns[group][item]
    }

    /// Gives an item, and all that are linked with it, their column.
    pub(super) fn set_column(&mut self, group: usize, item: usize, table: usize, column: usize) {
        let (group, item) = self.source(group, item);
        self.columns[group][item] = Some((table, column));
    }

    /// Gives tables their numbers on the page; columns of those that have none are forgotten.
    pub(super) fn renumber_tables(&mut self, numbers: &[Option<usize>]) {
        for column in self.columns.iter_mut().flatten() {
            *column = column.and_then(|(table, column)| Some((numbers[table]?, column)));
        }
    }

    fn source(&self, group: usize, item: usize) -> Source {
        self.groups[group].links[item].unwrap_or((group, item))
    }
}

impl Group {
    /// Whether all its items have an incoming link.
    fn is_complete(&self) -> bool {
        self.links.iter().all(Option::is_some)
    }

    fn is_aligned(&self) -> bool {
        self.members > 1 || self.links_out || self.links.iter().any(Option::is_some)
    }

    /// Number of items of each child.
    pub(super) fn items(&self) -> usize {
        self.links.len()
    }
}

/// Links the items of two groups that the matching pairs.
fn link(groups: &mut [Group], first: usize, other: usize, shapes: &mut Shapes) {
    for pair in shapes.trace(groups[first].shape, groups[other].shape) {
        let is_item = |id: ShapeId| shapes.shape(id).size == 1 && shapes.shape(id).items == 1;
        if !is_item(pair.shapes.0) || !is_item(pair.shapes.1) {
            continue;
        }
        let (from, to) = (pair.items.0 as usize, pair.items.1 as usize);
        let source = groups[first].links[from].unwrap_or((first, from));
        groups[other].links[to].get_or_insert(source);
        groups[first].links_out = true;
        groups[source.0].links_out = true;
    }
}
