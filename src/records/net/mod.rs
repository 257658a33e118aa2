//! NET: records, also nested ones, by matching subtrees from the bottom up; their items in one table.
//!
//! Source: Liu, Zhai: *NET: A System for Extracting Web Data from Flat and Nested Data Records*, WISE 2005. [`net()`] is the
//! whole of it.
mod align;
mod build;
mod output;
mod prototype;
mod table;

#[cfg(test)]
mod tests;

use super::Region;
use crate::dom::{Dom, NodeId};

/// The constants of NET.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Params {
    /// T: two subtrees match when their similarity is above it.
    pub threshold: f64,
    /// How many further different shapes of children a child is compared with, those that follow first. The paper compares
    /// every pair, which costs the square of the page.
    pub window: usize,
}

impl Params {
    /// The paper's threshold (section 5), and a window that no list of records exhausts.
    pub const PAPER: Self = Self { threshold: 0.7, window: 10 };
}

/// A terminal node of the tree that NET works on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Leaf {
    /// A data item: a text or an image.
    Item(NodeId),
    /// An item of a prototype: it stands for a column of the nested table it was made from.
    Column {
        /// The table.
        table: usize,
        /// The column's number.
        column: usize,
    },
}

/// What `PutDataInTables` makes of a run of matching children.
#[derive(Clone, Debug, Default)]
struct DataTable {
    /// Numbers of the columns from left to right.
    order: Vec<usize>,
    rows: Vec<Row>,
}

/// A row of a data table: one data record.
#[derive(Clone, Debug, Default)]
struct Row {
    /// The child nodes that it consists of.
    nodes: Vec<NodeId>,
    /// Column and item, in the order of the page.
    cells: Vec<(usize, Leaf)>,
    /// Whether it is a further row of the record before: a cell of that one spans into it.
    continues: bool,
}

/// Mines flat and nested records as published: for each data area that no larger one covers, its records and the table of
/// their items, nested records expanded into rows.
///
/// Source: Liu, Zhai: *NET: A System for Extracting Web Data from Flat and Nested Data Records*, WISE 2005, section 4.
///
/// - The page is traversed in post-order (Fig. 2). At each node of depth 3 or more, counting *data items* (texts and images)
///   as a level, `Match` (Fig. 3) compares its child subtrees with each other.
/// - *Simple tree matching* (Fig. 4) counts the pairs of a maximum matching; over the mean size of the trees it is their
///   similarity, which must be above the threshold. Traced back, it aligns items, and aligned items are *linked* (`AlignAndLink`;
///   of several matches the earliest).
/// - `PutDataInTables` (Fig. 7) makes linked items a column; an item linked from a column that is not further right begins a
///   row. `GenPrototypes` puts one *prototype* record in the place of the records, with the optional items of all of them, so
///   that the next level up matches records whatever their number of nested ones.
/// - `Output`: tables that no table above covers. A row with nested records becomes as many rows as they are (Fig. 1b).
///
/// Where the paper is silent or needs a browser:
/// - There is no renderer. The tag tree is the page's own, and the *visual cues* that forbid a match are structural: the tag,
///   text or image, and size (records of more than 1,000 nodes match only their equals). Class names are no cue, as they tell
///   odd rows from even ones. A node that holds text of its own among inline elements alone is running text, not records.
/// - As rectangles would show: the cells of a table row are attributes where they hold one item each, and no records of their
///   own; a row that a cell of a row before spans into (`rowspan`) belongs to that one's record, and the cell is repeated.
/// - Every pair of children is compared in the paper. Equal subtrees are compared once here, and different ones with the ten
///   different ones that follow ([`Params::window`]); of the children of a node 256 take part in a matching, and a table has 128
///   columns, the items beyond which share the last one's cells.
/// - A child without aligned items ends a table, unless one behind it is linked from the table. Children without any item
///   (`br`, `hr`) end none. A table has two rows or more, and an element among its children.
/// - Several lists nested in one record are laid side by side, not multiplied. Items of a record with more than 64 of its own
///   are not repeated for its nested records.
/// - Cells are texts, and the sources of images. Regions come unranked in the paper: the score is as for MDR, text times the
///   square root of the number of records.
///
/// Share of development pages whose best region holds exactly the wanted records, and F of the rows of its table where these
/// are known: nested pages of authored-dev (3) 1.000 and 1.000, its data tables (4) 1.000 and 1.000; flat pages of hand-dev
/// (22) .955, of estuka-dev (204) .755; all of authored-dev .625, hand-dev .808, estuka-dev .688.
///
/// Time near-linear in the page: O(n · window) matchings, each pair of shapes once, of trees of at most 1,000 nodes.
///
/// ```
/// use wisdom::{dom::Dom, records::net::{Params, net}};
/// let dom = Dom::parse("<ul><li><b>Jar</b><p>8 oz</p><p>1 pt</p><li><b>Rack</b><p>12 in</p></ul>");
/// let regions = net(&dom, &Params::PAPER);
/// assert_eq!(regions[0].table.rows, [["Jar", "8 oz"], ["Jar", "1 pt"], ["Rack", "12 in"]]);
/// assert_eq!(regions[0].records.len(), 2);
/// ```
pub fn net(dom: &Dom, params: &Params) -> Vec<Region> {
    let tables = build::traverse(dom, params);
    output::regions(dom, &tables)
}
