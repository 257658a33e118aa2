//! Data records in data regions (MDR, sections 3.3 and 3.4).

use super::super::tag_tree::TagTree;
use super::Params;
use super::compare::Comparer;
use super::regions::DataRegion;
use crate::dom::{Attr, Dom, NodeId, Tag};
use std::ops::Range;

/// Where the records of a generalized node stand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Level {
    /// The generalized node is one.
    Node,
    /// They are its children: each child of a single node, the corresponding children of several.
    Children,
}

/// A region with its records, each the tree nodes it consists of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct FoundRegion {
    /// The lowest node that holds all records.
    pub(super) root: NodeId,
    /// Whether a record is a run of neighbouring siblings, so that the text between them is its own.
    pub(super) is_contiguous: bool,
    /// Records in document order.
    pub(super) records: Vec<Vec<usize>>,
}

/// A region on the way to a [`FoundRegion`].
struct Draft {
    region: DataRegion,
    level: Level,
    records: Vec<Vec<usize>>,
    is_dropped: bool,
}

/// Where the parts of a tag string stand.
type Spans = Vec<Range<usize>>;

/// What a record of a region looks like.
struct Samples<'a> {
    /// Records with different tag strings.
    spans: Vec<Spans>,
    /// What all of them are.
    kind: Option<Kind<'a>>,
}

/// What an author says that siblings are.
struct Kind<'a> {
    /// One of them, where all have the same classes and no others.
    same: Option<usize>,
    tag: Tag,
    /// The classes that all have.
    classes: Vec<&'a str>,
    /// Least and most bytes of text.
    texts: (usize, usize),
}

/// Classes of an element that are read, at most.
const MOST_CLASSES: usize = 16;

/// What the procedures below read.
pub(super) struct Page<'a, 'b> {
    pub(super) dom: &'a Dom,
    pub(super) tree: &'a TagTree,
    pub(super) params: &'a Params,
    pub(super) comparer: &'b mut Comparer<'a>,
}

/// The records of all regions of a page, `regions` in the order of `find_drs`.
pub(super) fn find_records(regions: Vec<DataRegion>, page: &mut Page<'_, '_>) -> Vec<FoundRegion> {
    let mut drafts: Vec<Draft> = regions.into_iter().map(|region| page.draft(region)).collect();
    page.reach_outside(&mut drafts);
    drafts.retain(|draft| !draft.is_dropped);
    page.join_adjacent(drafts)
}

impl<'a> Page<'a, '_> {
    fn draft(&mut self, mut region: DataRegion) -> Draft {
        let mut records = Vec::new();
        let mut level = Level::Node;
        let mut are_nodes = true;
        for generalized in region.nodes.chunks_exact(region.length) {
            level = match generalized {
                [node] => self.find_records_1(*node, &mut records),
                _ => self.find_records_n(generalized, &mut records),
            };
            are_nodes &= level == Level::Node;
        }
        let are_items = region.nodes.iter().all(|&node| self.tree.tags[node] == Tag::LI);
        let is_parted = self.params.by_class && are_nodes && region.length > 1;
        if is_parted && (are_items || self.are_of_one_class(&region.nodes)) {
            records = region.nodes.iter().map(|&node| vec![node]).collect();
            region.length = 1;
        }
        Draft { region, level, records, is_dropped: false }
    }

    /// `FindRecords-1` (Fig. 12).
    fn find_records_1(&mut self, node: usize, records: &mut Vec<Vec<usize>>) -> Level {
        let children: Vec<usize> = self.tree.children(node).collect();
        if self.all_similar(&children) && !self.is_data_table_row(&children) {
            records.extend(children.into_iter().map(|child| vec![child]));
            return Level::Children;
        }
        records.push(vec![node]);
        Level::Node
    }

    /// `FindRecords-n` (Fig. 15).
    fn find_records_n(&mut self, nodes: &[usize], records: &mut Vec<Vec<usize>>) -> Level {
        let rows: Vec<Vec<usize>> = nodes.iter().map(|&node| self.tree.children(node).collect()).collect();
        if rows.iter().all(|row| row.len() == rows[0].len() && self.all_similar(row)) {
            records.extend(columns(&rows));
            return Level::Children;
        }
        records.push(nodes.to_vec());
        Level::Node
    }

    /// Whether there are several nodes and neighbours are similar.
    fn all_similar(&mut self, nodes: &[usize]) -> bool {
        nodes.len() > 1 && nodes.windows(2).all(|pair| self.are_similar(pair[0], pair[1]))
    }

    fn are_of_one_class(&self, nodes: &[usize]) -> bool {
        nodes.windows(2).all(|pair| self.tree.same_class(pair[0], pair[1]))
    }

    /// What kind all records of a region are by what the author says, where each is one node: one tag and the classes that
    /// all have, or items of a list without any.
    fn kind_of(&self, draft: &Draft) -> Option<Kind<'a>> {
        let Draft { region, level, .. } = draft;
        let tag = self.tree.tags[region.nodes[0]];
        let is_one = self.params.by_class && region.length == 1 && *level == Level::Node;
        if !is_one || region.nodes.iter().any(|&node| self.tree.tags[node] != tag) {
            return None;
        }
        let mut classes: Vec<&str> = self.classes(region.nodes[0]).collect();
        for &node in &region.nodes[1..] {
            classes.retain(|name| self.classes(node).any(|other| other == *name));
        }
        let has_none = || region.nodes.iter().all(|&node| self.classes(node).next().is_none());
        if classes.is_empty() && !(tag == Tag::LI && has_none()) {
            return None;
        }
        let texts = region.nodes.iter().map(|&node| self.text_len(node));
        let texts = texts.fold((usize::MAX, 0), |(least, most), text| (text.min(least), text.max(most)));
        let same = self.are_of_one_class(&region.nodes).then(|| region.nodes[0]);
        Some(Kind { same, tag, classes, texts })
    }

    fn classes(&self, node: usize) -> impl Iterator<Item = &'a str> + use<'a> {
        self.dom.attr(self.tree.node(node), Attr::CLASS).unwrap_or_default().split_ascii_whitespace().take(MOST_CLASSES)
    }

    fn are_similar(&mut self, a: usize, b: usize) -> bool {
        self.comparer.similar(self.tree.span(a, a), self.tree.span(b, b))
    }

    /// Whether each cell has only one piece of text or a number (section 3.3); a cell may be empty, and a picture is no text.
    fn is_data_table_row(&self, cells: &[usize]) -> bool {
        cells.iter().all(|&cell| {
            let pieces = self.dom.subtree(self.tree.node(cell)).filter(|&id| {
                let is_text = self.dom.is_text(id) && !self.dom.is_hidden(id) && !self.dom.text(id).trim().is_empty();
                is_text || self.dom.tag(id) == Tag::IMG
            });
            let mut pieces = pieces.take(2);
            pieces.next().is_none_or(|piece| self.dom.is_text(piece)) && pieces.next().is_none()
        })
    }

    /// Data records not in data regions (section 3.4): what is among the siblings of a region's nodes and matches one of its
    /// records.
    ///
    /// `drafts` come grouped by parent. Of one parent the K regions with most nodes do so, the first with K different
    /// records, the second with K/2 and so on, so that a list of many small regions costs no more than its comparisons did.
    fn reach_outside(&mut self, drafts: &mut [Draft]) {
        let mut firsts: Vec<(usize, usize)> = drafts.iter().map(|draft| draft.region.nodes[0]).zip(0..).collect();
        firsts.sort_unstable();
        let mut at = 0;
        while at < drafts.len() {
            let parent = drafts[at].region.parent;
            let group = at..at + drafts[at..].iter().take_while(|draft| draft.region.parent == parent).count();
            at = group.end;
            let mut order: Vec<usize> = group.clone().collect();
            order.sort_by_key(|&draft| std::cmp::Reverse(drafts[draft].region.nodes.len()));
            let mut free = self.siblings_of(parent, &drafts[group]);
            for (rank, &draft) in order.iter().enumerate().take(self.params.k) {
                if !drafts[draft].is_dropped {
                    let spans = self.samples(&drafts[draft], self.params.k / (rank + 1));
                    let samples = Samples { spans, kind: self.kind_of(&drafts[draft]) };
                    self.merge_alike(drafts, draft, &order[rank + 1..], &samples);
                    self.adopt(drafts, draft, &mut free, &firsts, &samples);
                }
            }
        }
    }

    /// The children of a node that are in no region of it.
    fn siblings_of(&self, parent: usize, regions: &[Draft]) -> Vec<usize> {
        let mut inside: Vec<usize> = regions.iter().flat_map(|draft| draft.region.nodes.iter().copied()).collect();
        inside.sort_unstable();
        self.tree.children(parent).filter(|child| inside.binary_search(child).is_err()).collect()
    }

    /// Takes in other regions of the same parent whose records match: one list that something parted.
    fn merge_alike(&mut self, drafts: &mut [Draft], into: usize, others: &[usize], samples: &Samples<'_>) {
        for &other in others {
            let (a, b) = (&drafts[into], &drafts[other]);
            let is_same_kind = a.level == b.level && a.region.length == b.region.length && !b.is_dropped;
            let has_class = b.records.iter().all(|record| self.is_of_kind(samples, record));
            if is_same_kind && (has_class || b.records.last().is_some_and(|last| self.matches_any(samples, last))) {
                drafts[other].is_dropped = true;
                let records = std::mem::take(&mut drafts[other].records);
                drafts[into].records.extend(records);
            }
        }
        drafts[into].records.sort_unstable();
    }

    /// Takes in records among the siblings that are in no region, and drops the regions inside them.
    fn adopt(
        &mut self,
        drafts: &mut [Draft],
        into: usize,
        free: &mut Vec<usize>,
        firsts: &[(usize, usize)],
        samples: &Samples<'_>,
    ) {
        let (length, number) = (drafts[into].region.length, drafts[into].records.len());
        let mut adopted = vec![false; free.len()];
        let mut at = 0;
        while at + length <= free.len() {
            let run = &free[at..at + length];
            let is_run = run.windows(2).all(|pair| self.tree.end(pair[0]) == pair[1]);
            let inner = regions_inside(self.tree.span(run[0], run[length - 1]), firsts);
            let held: usize = inner.iter().map(|&(_, draft)| drafts[draft].records.len()).sum();
            let records = if held < number && self.is_of_kind(samples, run) {
                vec![run.to_vec()]
            } else if is_run {
                self.matches_in(run, drafts[into].level, samples, !inner.is_empty())
            } else {
                Vec::new()
            };
            if records.is_empty() {
                at += 1;
                continue;
            }
            drafts[into].records.extend(records);
            for &(_, draft) in inner {
                drafts[draft].is_dropped = true;
            }
            adopted[at..at + length].fill(true);
            at += length;
        }
        let mut adopted = adopted.into_iter();
        free.retain(|_| !adopted.next().unwrap_or(false));
        drafts[into].records.sort_unstable();
    }

    /// Whether a record is one node of the kind. Where only some of its classes say so, or that it is an item, it must hold
    /// about as much as the others: no link to the next page, heading or menu.
    fn is_of_kind(&self, samples: &Samples<'_>, record: &[usize]) -> bool {
        let (Some(kind), &[node]) = (&samples.kind, record) else { return false };
        if kind.same.is_some_and(|same| self.tree.same_class(same, node)) {
            return true;
        }
        let has_all = || kind.classes.iter().all(|name| self.classes(node).any(|other| other == *name));
        let is_bare = || !kind.classes.is_empty() || self.classes(node).next().is_none();
        let (least, most) = kind.texts;
        let holds_enough = || (least.div_ceil(2).max(1)..=2 * most).contains(&self.text_len(node));
        self.tree.tags[node] == kind.tag && has_all() && is_bare() && holds_enough()
    }

    fn text_len(&self, node: usize) -> usize {
        self.dom.text(self.tree.node(node)).trim().len()
    }

    /// The records in a run of siblings that match a record of a region; where regions were found in there, only if
    /// everything in it matches.
    fn matches_in(
        &mut self,
        run: &[usize],
        level: Level,
        samples: &Samples<'_>,
        holds_region: bool,
    ) -> Vec<Vec<usize>> {
        if level == Level::Node {
            return if self.matches_any(samples, run) { vec![run.to_vec()] } else { Vec::new() };
        }
        let rows: Vec<Vec<usize>> = run.iter().map(|&node| self.tree.children(node).collect()).collect();
        if rows.iter().any(|row| row.len() != rows[0].len()) {
            return Vec::new();
        }
        let mut records = columns(&rows);
        records.retain(|record| self.matches_any(samples, record));
        if holds_region && records.len() < rows[0].len() { Vec::new() } else { records }
    }

    /// Where all have one class, only that tells of nodes that hold nothing.
    fn matches_any(&mut self, samples: &Samples<'_>, record: &[usize]) -> bool {
        if samples.kind.is_some() && record.iter().all(|&node| self.tree.depth(node) == 1) {
            return self.is_of_kind(samples, record);
        }
        let spans = self.spans(record);
        samples.spans.iter().any(|sample| self.comparer.joined_similar(sample, &spans))
    }

    /// Records of a region with different tag strings, at most so many.
    fn samples(&self, draft: &Draft, most: usize) -> Vec<Spans> {
        let string = |spans: &Spans| spans.iter().flat_map(|span| &self.tree.tags[span.clone()]).copied().collect();
        let mut seen: Vec<Vec<Tag>> = Vec::new();
        let mut samples = Vec::new();
        for record in &draft.records {
            let spans = self.spans(record);
            let tags: Vec<Tag> = string(&spans);
            if samples.len() < most && !seen.contains(&tags) {
                seen.push(tags);
                samples.push(spans);
            }
        }
        samples
    }

    /// Where the tag string of a record stands, neighbours in one piece.
    fn spans(&self, nodes: &[usize]) -> Spans {
        let mut spans: Spans = Vec::new();
        for span in nodes.iter().map(|&node| self.tree.span(node, node)) {
            match spans.last_mut() {
                Some(before) if before.end == span.start => before.end = span.end,
                _ => spans.push(span),
            }
        }
        spans
    }

    /// The second case of non-contiguous records (section 3.3): adjacent regions that are not similar, such as a row of names
    /// and a row of descriptions, are joined node by node.
    ///
    /// Adjacent are regions that consist of all children of neighbouring siblings, one node a generalized node.
    fn join_adjacent(&mut self, drafts: Vec<Draft>) -> Vec<FoundRegion> {
        let mut found = Vec::new();
        let mut chain: Vec<Draft> = Vec::new();
        for draft in drafts {
            let continues = chain.last().is_some_and(|before| self.joins(before, &draft));
            if !continues {
                found.extend(self.close_chain(&mut chain));
            }
            chain.push(draft);
        }
        found.extend(self.close_chain(&mut chain));
        found
    }

    fn joins(&mut self, a: &Draft, b: &Draft) -> bool {
        let (up, down) = (a.region.parent, b.region.parent);
        let fills = |draft: &Draft| {
            let DataRegion { length, parent, nodes } = &draft.region;
            *length == 1 && self.tree.children(*parent).count() == nodes.len()
        };
        let parent = |node| self.dom.parent(self.tree.node(node));
        self.tree.end(up) == down
            && parent(up) == parent(down)
            && a.region.nodes.len() == b.region.nodes.len()
            && fills(a)
            && fills(b)
            && !self.are_similar(up, down)
    }

    fn close_chain(&self, chain: &mut Vec<Draft>) -> Vec<FoundRegion> {
        if chain.len() < 2 {
            let finish = |draft: Draft| {
                let root = self.tree.node(draft.region.parent);
                // The last generalized node may be a record where others hold theirs.
                let is_run = |record: &Vec<usize>| record.windows(2).all(|pair| self.tree.end(pair[0]) == pair[1]);
                let is_contiguous = draft.level == Level::Node && draft.records.iter().all(is_run);
                FoundRegion { root, is_contiguous, records: draft.records }
            };
            return chain.drain(..).map(finish).collect();
        }
        let root = self.tree.node(chain[0].region.parent);
        let root = self.dom.parent(root).unwrap_or(root);
        let rows: Vec<Vec<usize>> = chain.drain(..).map(|draft| draft.region.nodes).collect();
        vec![FoundRegion { root, is_contiguous: false, records: columns(&rows) }]
    }
}

/// Corresponding nodes of several rows that are equally long.
fn columns(rows: &[Vec<usize>]) -> Vec<Vec<usize>> {
    (0..rows[0].len()).map(|column| rows.iter().map(|row| row[column]).collect()).collect()
}

/// The regions whose first node stands in a range; `firsts` holds first nodes and places of all regions, sorted.
fn regions_inside(span: Range<usize>, firsts: &[(usize, usize)]) -> &[(usize, usize)] {
    let from = firsts.partition_point(|&(first, _)| first < span.start);
    let to = firsts.partition_point(|&(first, _)| first < span.end);
    &firsts[from..to]
}
