//! What record mining finds: regions of a page, their records, and the table of their items.

use crate::dom::{Dom, NodeId};
use std::ops::Range;

/// One data record: whole subtrees, disjoint, in document order. Usually one node (a row, a card) or a run of siblings (the
/// parts between two separators); of a non-contiguous record, nodes with others between.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Record {
    /// Roots of the subtrees.
    pub nodes: Vec<NodeId>,
}

impl Record {
    /// The record's visible text, one block a line. Nodes that follow each other within a line stay in it.
    pub fn text(&self, dom: &Dom) -> String {
        let mut ranges: Vec<Range<usize>> = Vec::new();
        for range in self.nodes.iter().filter_map(|&node| dom.text_range(node)) {
            match ranges.last_mut() {
                Some(before) if before.end == range.start => before.end = range.end,
                _ => ranges.push(range),
            }
        }
        let mut out = String::new();
        for line in ranges.into_iter().flat_map(|range| dom.visible_text()[range].lines()) {
            let mut words = line.split_whitespace().peekable();
            if words.peek().is_some() && !out.is_empty() {
                out.push('\n');
            }
            let start = out.len();
            for word in words {
                if out.len() > start {
                    out.push(' ');
                }
                out.push_str(word);
            }
        }
        out
    }
}

/// A list of records that belong together.
#[derive(Clone, Debug, PartialEq)]
pub struct Region {
    /// The lowest node that holds every record.
    pub root: NodeId,
    /// How sure the method is that this is a list of records; comparable within one page and method only.
    pub score: f64,
    /// Records in document order.
    pub records: Vec<Record>,
    /// The items of the records, aligned into columns.
    pub table: Table,
}

/// Items in rows and columns; a row a record, unless nested records are expanded into several.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Table {
    /// What stands in each column.
    pub columns: Vec<Column>,
    /// Cells, each row as long as `columns`; an empty cell is an empty string.
    pub rows: Vec<Vec<String>>,
}

/// One column of a [`Table`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Column {
    /// What its cells are.
    pub kind: ColumnKind,
    /// Its name, where the page has a header row or labels.
    pub name: Option<String>,
}

/// What the cells of a column are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ColumnKind {
    /// Words.
    Text,
    /// The target of a link.
    Link,
    /// The source of an image.
    Image,
    /// An amount of money.
    Price,
    /// A date or time.
    Date,
    /// A number.
    Number,
}

impl ColumnKind {
    /// The kind of a name; text for an unknown one.
    pub fn of_name(name: &str) -> Self {
        let kinds = [Self::Link, Self::Image, Self::Price, Self::Date, Self::Number];
        kinds.into_iter().find(|kind| kind.name() == name).unwrap_or(Self::Text)
    }

    /// The name in output.
    pub fn name(self) -> &'static str {
        match self {
            Self::Text => "text",
            Self::Link => "link",
            Self::Image => "image",
            Self::Price => "price",
            Self::Date => "date",
            Self::Number => "number",
        }
    }
}
