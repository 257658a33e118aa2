//! [`Lesson`]: of a mined page what rules are learned from. Small, so that many fit where one parsed page does.

use super::names::{NONE, Names};
use crate::blocks::PageType;
use crate::dom::{Attr, Dom, LinkKind, NodeId, NodeMap, Tag, links_in};
use crate::site::canonical;
use crate::terms::is_unspaced;
use rustc_hash::{FxHashMap, FxHashSet};
use url::Url;

/// What mining made of a page.
#[derive(Clone, Copy, Debug)]
pub struct Example<'a> {
    /// Its address.
    pub url: &'a Url,
    /// The charset that its links are encoded in.
    pub charset: &'a str,
    /// The nodes of the article.
    pub kept: &'a [NodeId],
    /// The `a` elements of the table of contents, as places in document order.
    pub toc: &'a [usize],
    /// What the page is.
    pub page_type: PageType,
}

/// An element that is shown.
#[derive(Clone, Copy, Debug)]
pub(super) struct Element {
    /// Place of the element around it; its own for the outermost.
    pub(super) parent: u32,
    /// The place behind its last descendant.
    pub(super) end: u32,
    pub(super) tag: Tag,
    pub(super) id: u32,
    classes: (u32, u32),
}

/// A number of words, and how many of them mining kept.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Words {
    pub(super) all: u32,
    pub(super) kept: u32,
}

impl std::ops::Add for Words {
    type Output = Self;
    fn add(self, other: Self) -> Self {
        Self { all: self.all + other.all, kept: self.kept + other.kept }
    }
}

impl std::ops::Sub for Words {
    type Output = Self;
    fn sub(self, other: Self) -> Self {
        Self { all: self.all - other.all, kept: self.kept - other.kept }
    }
}

/// Of a mined page its elements with tags, names and numbers of words, and its links.
#[derive(Clone, Debug)]
pub struct Lesson {
    /// In document order.
    pub(super) elements: Vec<Element>,
    classes: Vec<u32>,
    /// Distinct ids and classes, which elements name by their places.
    names: Vec<String>,
    /// Words of the text nodes of each element itself.
    pub(super) own: Vec<Words>,
    /// Links: the element, and the key of the target.
    pub(super) links: Vec<(u32, u64)>,
    /// Distinct targets of the table of contents, sorted.
    pub(super) wanted: Vec<u64>,
    /// Words of the article.
    pub(super) kept: u32,
    pub(super) page_type: PageType,
}

impl Lesson {
    /// Takes of a page what is learned from. Time and memory linear in the page.
    pub fn new(dom: &Dom, example: &Example<'_>) -> Self {
        let mut lesson = Self {
            elements: Vec::new(),
            classes: Vec::new(),
            names: Vec::new(),
            own: Vec::new(),
            links: Vec::new(),
            wanted: Vec::new(),
            kept: 0,
            page_type: example.page_type,
        };
        let places = lesson.read(dom, example.kept);
        lesson.kept = lesson.own.iter().map(|words| words.kept).sum();
        let toc: FxHashSet<usize> = example.toc.iter().copied().collect();
        for (node, target) in targets(dom, example.url, example.charset) {
            let Some(&place) = places.get(&node) else { continue };
            lesson.links.push((place, target));
            if toc.contains(&node.index()) {
                lesson.wanted.push(target);
            }
        }
        lesson.wanted.sort_unstable();
        lesson.wanted.dedup();
        lesson
    }

    /// Reads the elements. Returns the places of links.
    fn read(&mut self, dom: &Dom, kept: &[NodeId]) -> FxHashMap<NodeId, u32> {
        let mut keep = NodeMap::filled(dom, false);
        for &id in kept {
            keep[id] = true;
        }
        let mut known: FxHashMap<String, u32> = FxHashMap::default();
        let mut links = FxHashMap::default();
        let mut open: Vec<(NodeId, u32)> = Vec::new();
        let mut skip_to = dom.root();
        for id in dom.ids() {
            while let Some(&(_, place)) = open.last().filter(|(end, _)| id >= *end) {
                self.elements[place as usize].end = place_of(self.elements.len());
                open.pop();
            }
            if id < skip_to || dom.tag(id) == Tag::DOCUMENT {
                continue;
            }
            if dom.is_hidden(id) {
                skip_to = dom.end(id);
                continue;
            }
            let up = open.last().map(|&(_, place)| place);
            if dom.is_text(id) {
                if let Some(up) = up {
                    let all = words_in(dom.text(id));
                    let own = &mut self.own[up as usize];
                    *own = *own + Words { all, kept: if keep[id] { all } else { 0 } };
                }
                continue;
            }
            let place = place_of(self.elements.len());
            let mut name = |sign: char, text: &str| {
                let next = place_of(known.len());
                let number = *known.entry(format!("{sign}{text}")).or_insert(next);
                if number == next {
                    self.names.push(format!("{sign}{text}"));
                }
                number
            };
            let own_id = dom.attr(id, Attr::ID).map_or(NONE, |text| name('#', text));
            let first = place_of(self.classes.len());
            let classes = dom.attr(id, Attr::CLASS).unwrap_or_default().split_ascii_whitespace();
            self.classes.extend(classes.map(|text| name('.', text)));
            self.elements.push(Element {
                parent: up.unwrap_or(place),
                end: place + 1,
                tag: dom.tag(id),
                id: own_id,
                classes: (first, place_of(self.classes.len())),
            });
            self.own.push(Words::default());
            if dom.tag(id) == Tag::A {
                links.insert(id, place);
            }
            open.push((dom.end(id), place));
        }
        for (_, place) in open {
            self.elements[place as usize].end = place_of(self.elements.len());
        }
        links
    }

    /// The id and classes of an element, without those that cannot be written.
    pub(super) fn names(&self, element: &Element) -> impl Iterator<Item = u32> {
        let classes = &self.classes[element.classes.0 as usize..element.classes.1 as usize];
        std::iter::once(element.id).chain(classes.iter().copied()).filter(|name| *name != NONE)
    }
}

/// The lessons of a site, their names as numbers.
#[derive(Clone, Debug, Default)]
pub struct Lessons {
    pub(super) pages: Vec<Lesson>,
    pub(super) names: Names,
}

impl Lessons {
    /// Adds a page. Rules depend on the order of pages only where all else is equal.
    pub fn add(&mut self, mut page: Lesson) {
        let numbers = self.names.add(&page.names);
        let number = |name: u32| numbers.get(name as usize).copied().unwrap_or(NONE);
        for class in &mut page.classes {
            *class = number(*class);
        }
        for element in &mut page.elements {
            element.id = number(element.id);
        }
        page.names = Vec::new();
        self.pages.push(page);
    }
}

/// The `a` elements that are shown, with the keys of their targets. Links of the page to itself, such as its headline's, are
/// among them: who applies a rule may not know the address of the page.
pub(super) fn targets(dom: &Dom, url: &Url, charset: &str) -> Vec<(NodeId, u64)> {
    let links = links_in(dom, url, charset).links.into_iter();
    let shown = links.filter(|link| link.kind == LinkKind::A && !dom.is_hidden(link.node));
    shown.map(|link| (link.node, canonical(&link.url))).collect()
}

/// Words of a text; a character of a script without blanks is one.
pub(super) fn words_in(text: &str) -> u32 {
    let (mut count, mut in_word) = (0, false);
    for c in text.chars() {
        if is_unspaced(c) {
            (count, in_word) = (count + 1, false);
        } else if c.is_alphanumeric() {
            count += u32::from(!in_word);
            in_word = true;
        } else {
            in_word &= !c.is_whitespace();
        }
    }
    count
}

/// F1 of what was found, given how much was right and how much there was.
pub(super) fn f1(right: usize, found: usize, wanted: usize) -> f64 {
    if found + wanted == 0 { 1.0 } else { 2.0 * right as f64 / (found + wanted) as f64 }
}

fn place_of(index: usize) -> u32 {
    u32::try_from(index).unwrap_or(NONE)
}
