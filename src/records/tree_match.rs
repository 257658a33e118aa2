//! [`Shapes`]: subtrees that are equal share a number, and simple tree matching between them.
//!
//! Source: Yang: *Identifying syntactic differences between two programs*, 1991, as NET uses it (Liu, Zhai 2005, Fig. 4).

use rustc_hash::FxHashMap;

/// Nodes of the largest tree that is matched with a different one. No data record is larger.
pub(super) const LARGEST: u32 = 1000;
/// Children of a node, from the first on, that take part in a matching.
const WIDEST: usize = 256;

/// What a pair weighs in the matrix M: more than all pairs of equal trees of one node's children.
const PAIR: u32 = 1 << 10;

/// The number of a shape.
pub(super) type ShapeId = u32;

/// A tree without its content: a symbol and the shapes of the children, in order.
#[derive(Clone, Debug)]
pub(super) struct Shape {
    /// What must be equal for two nodes to match.
    pub(super) symbol: u32,
    /// The children.
    pub(super) children: Box<[ShapeId]>,
    /// Number of nodes.
    pub(super) size: u32,
    /// Number of data items below.
    pub(super) items: u32,
}

/// All shapes of a page. Equal subtrees get equal numbers (hash-consing), so that a pair is matched once however often it
/// occurs.
#[derive(Debug, Default)]
pub(super) struct Shapes {
    all: Vec<Shape>,
    known: FxHashMap<(u32, Box<[ShapeId]>), ShapeId>,
    matches: FxHashMap<(ShapeId, ShapeId), u32>,
}

/// Two nodes that are matched: where each stands in its tree, and what it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Pair {
    /// The shapes.
    pub(super) shapes: (ShapeId, ShapeId),
    /// Places in pre-order, from 0.
    pub(super) places: (u32, u32),
    /// Number of items before each in its tree.
    pub(super) items: (u32, u32),
}

impl Shapes {
    /// The number of a tree. `is_item` says that a node without children is a data item.
    #[allow(clippy::cast_possible_truncation, reason = "a page has under 2^32 nodes")]
    pub(super) fn number(&mut self, symbol: u32, children: &[ShapeId], is_item: bool) -> ShapeId {
        let key = (symbol, Box::from(children));
        if let Some(&id) = self.known.get(&key) {
            return id;
        }
        let sum = |value: fn(&Shape) -> u32| {
            children.iter().fold(0_u32, |sum, &child| sum.saturating_add(value(self.shape(child))))
        };
        let size = sum(|shape| shape.size).saturating_add(1);
        let items = sum(|shape| shape.items) + u32::from(is_item);
        let id = self.all.len() as u32;
        self.all.push(Shape { symbol, children: key.1.clone(), size, items });
        self.known.insert(key, id);
        id
    }

    /// A shape by its number.
    pub(super) fn shape(&self, id: ShapeId) -> &Shape {
        &self.all[id as usize]
    }

    /// The similarity of two trees: pairs of a maximum matching over the mean size. 1 for equal trees; 0 where both are not
    /// equal and one has more than [`LARGEST`] nodes.
    pub(super) fn similarity(&mut self, a: ShapeId, b: ShapeId) -> f64 {
        if a == b {
            return 1.0;
        }
        let (a_size, b_size) = (self.shape(a).size, self.shape(b).size);
        if a_size.max(b_size) > LARGEST {
            return 0.0;
        }
        f64::from(self.matching(a, b)) / f64::midpoint(f64::from(a_size), f64::from(b_size))
    }

    /// `Simple_Tree_Matching`: the number of pairs of a maximum matching. Of nodes with more than 256 children the first 256
    /// take part. Time O(|a|·|b|) for the first of equal pairs; no recursion.
    pub(super) fn matching(&mut self, a: ShapeId, b: ShapeId) -> u32 {
        let mut open = vec![(a, b)];
        while let Some(&(a, b)) = open.last() {
            let before = open.len();
            if self.looked_up(a, b).is_none() {
                for &x in self.first_children(a) {
                    for &y in self.first_children(b) {
                        if self.looked_up(x, y).is_none() {
                            open.push((x, y));
                        }
                    }
                }
            }
            if open.len() > before {
                continue;
            }
            open.pop();
            if self.looked_up(a, b).is_none() {
                let table = self.table(a, b);
                let pairs = table.last().map_or(0, |value| value / PAIR) + 1;
                self.matches.insert((a, b), pairs);
            }
        }
        self.looked_up(a, b).unwrap_or(0)
    }

    /// What is known of a pair without a table.
    fn looked_up(&self, a: ShapeId, b: ShapeId) -> Option<u32> {
        let (x, y) = (self.shape(a), self.shape(b));
        if x.symbol != y.symbol {
            return Some(0);
        }
        if a == b && x.size <= LARGEST {
            return Some(x.size);
        }
        if x.children.is_empty() || y.children.is_empty() {
            return Some(1);
        }
        self.matches.get(&(a, b)).copied()
    }

    fn first_children(&self, id: ShapeId) -> &[ShapeId] {
        let children = &self.shape(id).children;
        &children[..children.len().min(WIDEST)]
    }

    /// The matrix M of Fig. 4 row by row, with row and column 0; the matchings of all children are known. In units of
    /// [`PAIR`], beside which each pair of equal trees counts one.
    fn table(&self, a: ShapeId, b: ShapeId) -> Vec<u32> {
        let (rows, columns) = (self.first_children(a), self.first_children(b));
        let width = columns.len() + 1;
        let mut table = vec![0; (rows.len() + 1) * width];
        for (i, &x) in (1..).zip(rows) {
            for (j, &y) in (1..).zip(columns) {
                let w = self.looked_up(x, y).unwrap_or(0) * PAIR + u32::from(x == y);
                let at = i * width + j;
                table[at] = table[at - 1].max(table[at - width]).max(table[at - width - 1] + w);
            }
        }
        table
    }

    /// The pairs of a maximum matching, traced back in the matrices M. Of several maximal ones it has the most pairs of equal
    /// trees (the paper allows more than order to decide), and of those a node is matched to the one that appears the earliest. The roots are the first pair; parents come before their children.
    pub(super) fn trace(&mut self, a: ShapeId, b: ShapeId) -> Vec<Pair> {
        if self.matching(a, b) == 0 {
            return Vec::new();
        }
        let mut pairs = vec![Pair { shapes: (a, b), places: (0, 0), items: (0, 0) }];
        let mut at = 0;
        while let Some(&pair) = pairs.get(at) {
            at += 1;
            let (a, b) = pair.shapes;
            let (rows, columns) = (self.first_children(a).to_vec(), self.first_children(b).to_vec());
            let width = columns.len() + 1;
            let table = self.table(a, b);
            let (mut i, mut j) = (rows.len(), columns.len());
            while i > 0 && j > 0 {
                let value = table[i * width + j];
                if value == table[i * width + j - 1] {
                    j -= 1;
                } else if value == table[(i - 1) * width + j] {
                    i -= 1;
                } else {
                    (i, j) = (i - 1, j - 1);
                    let (a_place, a_items) = self.before(&rows[..i]);
                    let (b_place, b_items) = self.before(&columns[..j]);
                    pairs.push(Pair {
                        shapes: (rows[i], columns[j]),
                        places: (pair.places.0 + 1 + a_place, pair.places.1 + 1 + b_place),
                        items: (pair.items.0 + a_items, pair.items.1 + b_items),
                    });
                }
            }
        }
        pairs
    }

    /// Nodes and items of some siblings.
    fn before(&self, siblings: &[ShapeId]) -> (u32, u32) {
        siblings.iter().fold((0, 0), |(size, items), &id| {
            let shape = self.shape(id);
            (size + shape.size, items + shape.items)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// A tree as letters and brackets: `a(b c(d))`.
    #[derive(Clone, Debug)]
    struct Tree(u32, Vec<Tree>);

    fn number(shapes: &mut Shapes, Tree(symbol, children): &Tree) -> ShapeId {
        let children: Vec<ShapeId> = children.iter().map(|child| number(shapes, child)).collect();
        shapes.number(*symbol, &children, children.is_empty())
    }

    /// Fig. 4, word for word.
    fn plain(a: &Tree, b: &Tree) -> u32 {
        if a.0 != b.0 {
            return 0;
        }
        let mut table = vec![vec![0; b.1.len() + 1]; a.1.len() + 1];
        for i in 1..table.len() {
            for j in 1..table[0].len() {
                let w = plain(&a.1[i - 1], &b.1[j - 1]);
                table[i][j] = table[i][j - 1].max(table[i - 1][j]).max(table[i - 1][j - 1] + w);
            }
        }
        table[a.1.len()][b.1.len()] + 1
    }

    fn tree() -> impl Strategy<Value = Tree> {
        let leaf = (0..3_u32).prop_map(|symbol| Tree(symbol, Vec::new()));
        leaf.prop_recursive(4, 40, 5, |inner| {
            (0..3_u32, prop::collection::vec(inner, 0..5)).prop_map(|(symbol, children)| Tree(symbol, children))
        })
    }

    fn leaf(symbol: u32) -> Tree {
        Tree(symbol, Vec::new())
    }

    /// The pairs by their places.
    fn places(a: &Tree, b: &Tree) -> Vec<(u32, u32)> {
        let mut shapes = Shapes::default();
        let (a, b) = (number(&mut shapes, a), number(&mut shapes, b));
        let mut places: Vec<_> = shapes.trace(a, b).iter().map(|pair| pair.places).collect();
        places.sort_unstable();
        places
    }

    /// Of several maximal matchings, the earliest node is chosen in either tree.
    #[test]
    fn ties_go_to_the_earliest() {
        let (one, three) = (Tree(0, vec![leaf(1)]), Tree(0, vec![leaf(1), leaf(1), leaf(1)]));
        assert_eq!(places(&one, &three), [(0, 0), (1, 1)]);
        assert_eq!(places(&three, &one), [(0, 0), (1, 1)]);
        let two = Tree(0, vec![leaf(1), leaf(2), leaf(1)]);
        assert_eq!(places(&Tree(0, vec![leaf(1), leaf(2)]), &two), [(0, 0), (1, 1), (2, 2)]);
        assert_eq!(places(&Tree(0, vec![leaf(2), leaf(1)]), &two), [(0, 0), (1, 2), (2, 3)]);
        assert!(places(&leaf(1), &leaf(2)).is_empty());
        // Both children of the first match as many nodes; the second is equal.
        let (rich, plain) = (Tree(1, vec![leaf(2), leaf(3)]), Tree(1, vec![leaf(3)]));
        assert_eq!(places(&Tree(0, vec![rich, plain.clone()]), &Tree(0, vec![plain])), [(0, 0), (4, 1), (5, 2)]);
    }

    #[test]
    fn large_trees_match_only_their_like() {
        let mut shapes = Shapes::default();
        let item = shapes.number(1, &[], true);
        let large = vec![item; LARGEST as usize];
        let (a, b) = (shapes.number(0, &large, false), shapes.number(0, &large[1..], false));
        assert!(shapes.similarity(a, a) > 0.99 && shapes.similarity(a, b) < 0.01);
        assert_eq!(shapes.shape(a).items, LARGEST);
    }

    #[test]
    fn deep_trees_need_no_stack() {
        let mut shapes = Shapes::default();
        let mut chain =
            |leaf: u32| (0..990).fold(shapes.number(leaf, &[], true), |id, _| shapes.number(0, &[id], false));
        let (a, b) = (chain(1), chain(2));
        assert_eq!(shapes.matching(a, b), 990);
        assert_eq!(shapes.trace(a, b).len(), 990);
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(400))]
        #[test]
        fn equals_the_plain_recursion(a in tree(), b in tree()) {
            let mut shapes = Shapes::default();
            let (x, y) = (number(&mut shapes, &a), number(&mut shapes, &b));
            prop_assert_eq!(shapes.matching(x, y), plain(&a, &b));
        }

        #[test]
        fn a_trace_is_a_maximum_matching(a in tree(), b in tree()) {
            let mut shapes = Shapes::default();
            let (x, y) = (number(&mut shapes, &a), number(&mut shapes, &b));
            let pairs = shapes.trace(x, y);
            prop_assert_eq!(u32::try_from(pairs.len()).unwrap(), plain(&a, &b));
            let mut places: Vec<_> = pairs.iter().map(|pair| pair.places).collect();
            places.sort_unstable();
            // Order is kept and no node is matched twice.
            prop_assert!(places.windows(2).all(|pair| pair[0].0 < pair[1].0 && pair[0].1 < pair[1].1));
            for pair in &pairs {
                prop_assert_eq!(shapes.shape(pair.shapes.0).symbol, shapes.shape(pair.shapes.1).symbol);
            }
        }
    }
}
