//! [`NodeMap`]: a value for every node of one Dom.

use super::{Dom, NodeId};
use std::ops::{Index, IndexMut};

/// A side table: one value a node, in document order.
#[derive(Clone, Debug, PartialEq)]
pub struct NodeMap<T>(Vec<T>);

impl<T: Clone> NodeMap<T> {
    /// The same value for every node.
    pub fn filled(dom: &Dom, value: T) -> Self {
        Self(vec![value; dom.len()])
    }
}

impl<T> NodeMap<T> {
    /// A value for every node, computed in document order.
    pub fn from_fn(dom: &Dom, f: impl FnMut(NodeId) -> T) -> Self {
        Self(dom.ids().map(f).collect())
    }
}

impl<T: Copy + std::ops::AddAssign> NodeMap<T> {
    /// Turns own values into subtree sums: one sweep from the last node to the first.
    pub fn sum_subtrees(&mut self, dom: &Dom) {
        for id in dom.ids().rev() {
            if let Some(parent) = dom.parent(id) {
                let value = self.0[id.index()];
                self.0[parent.index()] += value;
            }
        }
    }
}

impl<T> Index<NodeId> for NodeMap<T> {
    type Output = T;
    fn index(&self, id: NodeId) -> &T {
        &self.0[id.index()]
    }
}

impl<T> IndexMut<NodeId> for NodeMap<T> {
    fn index_mut(&mut self, id: NodeId) -> &mut T {
        &mut self.0[id.index()]
    }
}
