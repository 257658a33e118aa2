//! [`PageLists`]: all that the site needs of one page's lists, so that the page need not be parsed again.

use super::table::{Cells, ColumnView, SharedColumn, lay_out, views};
use super::{Record, Region, auto};
use crate::dom::{Attr, Dom, NodeId, NodeMap, Tag};
use serde::{Deserialize, Serialize};
use xxhash_rust::xxh3::xxh3_64;

/// A node with its subtree: places in document order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RecordSpan {
    /// The node.
    pub node: u32,
    /// Nodes of its subtree.
    pub len: u32,
}

impl RecordSpan {
    fn new(dom: &Dom, id: NodeId) -> Self {
        Self { node: number(id.index()), len: number(dom.end(id).index() - id.index()) }
    }

    /// The place behind its last node.
    pub fn end(self) -> u32 {
        self.node.saturating_add(self.len)
    }
}

/// A list of a page, as the page alone tells.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ListView {
    /// Hash of where most of its records stand: tags and ids down to their parent, its class, their own tag and class.
    pub place: u64,
    /// How sure the ranking is, 0 to 1.
    pub score: f32,
    /// The nodes of its records, in document order within each.
    pub spans: Vec<RecordSpan>,
    /// Nodes of each record; empty where each is one.
    pub sizes: Vec<u32>,
    /// Whether most records begin with a paragraph, a heading or bare text, as the parts of an article do.
    pub is_prose: bool,
    /// What it tells of its columns.
    pub columns: Vec<ColumnView>,
}

impl ListView {
    /// The nodes of each record.
    pub fn records(&self) -> Vec<&[RecordSpan]> {
        if self.sizes.is_empty() {
            return self.spans.chunks(1).collect();
        }
        let mut rest = &self.spans[..];
        let mut records = Vec::with_capacity(self.sizes.len());
        for &size in &self.sizes {
            let (record, after) = rest.split_at((size as usize).min(rest.len()));
            records.push(record);
            rest = after;
        }
        records
    }
}

/// An element that no other of its page stands beside, but that may be the only record of a list.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LoneView {
    /// Where it stands: see [`ListView::place`].
    pub place: u64,
    /// The element.
    pub span: RecordSpan,
}

/// The lists of a page, best first, and what may be lists of one.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct PageLists {
    /// Nodes of the parsed page, to notice a parser that counts otherwise.
    pub nodes: u32,
    /// Lists of two records and more.
    pub lists: Vec<ListView>,
    /// Elements that stand alone in their places.
    pub lone: Vec<LoneView>,
}

/// Lone elements that are kept of a page.
const LONE: usize = 512;

impl PageLists {
    /// Looks for the lists of a page as [`Method::Auto`](super::Method::Auto) does. Time linear in the page.
    pub fn new(dom: &Dom) -> Self {
        let places = Places::new(dom);
        let cells = Cells::new(dom);
        let list = |region: Region| {
            let of_parts = region.records.iter().any(|record| record.nodes.len() > 1);
            let sizes = region.records.iter().filter(|_| of_parts).map(|record| number(record.nodes.len())).collect();
            #[allow(clippy::cast_possible_truncation, reason = "a probability")]
            ListView {
                place: places.of_list(&region.records, of_parts),
                score: region.score as f32,
                spans: region.records.iter().flat_map(|r| &r.nodes).map(|&id| RecordSpan::new(dom, id)).collect(),
                sizes,
                is_prose: 2 * region.records.iter().filter(|record| is_prose(dom, record)).count()
                    > region.records.len(),
                columns: views(dom, &cells, &region.records),
            }
        };
        let lists = auto::auto(dom).into_iter().map(list).collect();
        Self { nodes: number(dom.len()), lists, lone: places.lone(dom) }
    }
}

fn is_prose(dom: &Dom, record: &Record) -> bool {
    let begins = |tag: Tag| {
        matches!(tag, Tag::P | Tag::TEXT | Tag::H1 | Tag::H2 | Tag::H3 | Tag::H4 | Tag::H5 | Tag::H6 | Tag::BLOCKQUOTE)
    };
    record.nodes.first().is_some_and(|&id| begins(dom.tag(id)))
}

/// The records of a page as a region whose columns are known: see [`ColumnSums`](super::ColumnSums). Nodes are places in
/// document order; those that the page does not have are left out, and `None` is returned where nothing is left.
pub fn laid_out<'a>(
    dom: &Dom,
    score: f64,
    records: impl IntoIterator<Item = &'a [u32]>,
    columns: &[SharedColumn],
) -> Option<Region> {
    let ids: Vec<NodeId> = dom.ids().collect();
    let record = |nodes: &[u32]| {
        let nodes: Vec<NodeId> = nodes.iter().filter_map(|&node| ids.get(node as usize)).copied().collect();
        (!nodes.is_empty()).then_some(Record { nodes })
    };
    let records: Vec<Record> = records.into_iter().filter_map(record).collect();
    let nodes = || records.iter().flat_map(|record| &record.nodes).copied();
    let (first, last) = (nodes().min()?, nodes().max()?);
    let root = dom.ancestors(first).find(|&up| dom.contains(up, last)).unwrap_or(dom.root());
    let table = lay_out(dom, &Cells::new(dom), &records, columns);
    Some(Region { root, score, records, table })
}

/// Where each node stands.
struct Places(NodeMap<u64>);

impl Places {
    fn new(dom: &Dom) -> Self {
        // Of each element: the tags and ids down to it, and the same with its class.
        let mut paths = NodeMap::filled(dom, 0_u64);
        let mut places = NodeMap::filled(dom, 0_u64);
        for id in dom.ids() {
            let (path, place) = dom.parent(id).map_or((0, 0), |up| (paths[up], mix(paths[up], class(dom, up))));
            let tag = mix(path, dom.tag(id).number() as u64 + 1);
            paths[id] = dom.attr(id, Attr::ID).map_or(tag, |name| mix(tag, plain(name)));
            places[id] = mix(mix(place, dom.tag(id).number() as u64 + 1), class(dom, id));
        }
        Self(places)
    }

    /// The place of most records, of equals the lowest.
    fn of_list(&self, records: &[Record], of_parts: bool) -> u64 {
        let first = |record: &Record| record.nodes.first().map_or(0, |&id| self.0[id]);
        let mut places: Vec<u64> = records.iter().map(first).collect();
        places.sort_unstable();
        let most = places.chunk_by(|a, b| a == b).max_by(|a, b| a.len().cmp(&b.len()).then(b[0].cmp(&a[0])));
        mix(most.map_or(0, |run| run[0]), u64::from(of_parts))
    }

    /// Links, and elements that start a line, which show something and share their place with no other.
    fn lone(&self, dom: &Dom) -> Vec<LoneView> {
        let shows = |id: NodeId| {
            (dom.tag(id).breaks_text() || dom.tag(id) == Tag::A)
                && !matches!(dom.tag(id), Tag::HTML | Tag::BODY)
                && !dom.is_hidden(id)
                && !dom.text(id).trim_start().is_empty()
        };
        let mut all: Vec<(u64, NodeId)> = dom.ids().filter(|&id| shows(id)).map(|id| (self.0[id], id)).collect();
        all.sort_unstable();
        let mut lone: Vec<LoneView> = all
            .chunk_by(|a, b| a.0 == b.0)
            .filter(|run| run.len() == 1)
            .map(|run| LoneView { place: mix(run[0].0, 0), span: RecordSpan::new(dom, run[0].1) })
            .collect();
        lone.sort_unstable_by_key(|lone| lone.span.node);
        lone.truncate(LONE);
        lone
    }
}

/// Hash of the first class name, digits left out; 0 where there is none. That of `body` tells of the page, not of the place.
fn class(dom: &Dom, id: NodeId) -> u64 {
    if dom.tag(id) == Tag::BODY {
        return 0;
    }
    let name = dom.attr(id, Attr::CLASS).and_then(|value| value.split_ascii_whitespace().next());
    name.map_or(0, plain)
}

fn plain(name: &str) -> u64 {
    let plain: String = name.chars().filter(|c| !c.is_ascii_digit()).collect();
    xxh3_64(plain.as_bytes())
}

fn mix(a: u64, b: u64) -> u64 {
    (a.rotate_left(5) ^ b).wrapping_mul(0x9e37_79b9_7f4a_7c15)
}

fn number(index: usize) -> u32 {
    u32::try_from(index).unwrap_or(u32::MAX)
}
