//! [`Index`]: for each tag and name the elements that have it, on all pages.

use super::LEAST_PAGES;
use super::lesson::Lessons;
use super::names::NONE;
use super::selector::{Selector, Step};
use crate::dom::Tag;
use rustc_hash::FxHashMap;

/// What an element is known by: a tag, an id or a class.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum Key {
    Name(u32),
    Tag(Tag),
}

/// An element of a page.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Hit {
    pub(super) page: u32,
    pub(super) place: u32,
}

/// Steps that lie below each other.
pub(super) type Path = Vec<Key>;

/// The elements of each key, in order of pages and places.
#[derive(Debug)]
pub(super) struct Index<'a> {
    pub(super) lessons: &'a Lessons,
    hits: FxHashMap<Key, Vec<Hit>>,
    /// Keys that enough pages have, in an order that does not depend on hashes.
    pub(super) keys: Vec<Key>,
}

impl<'a> Index<'a> {
    /// Time and memory linear in the elements and their names.
    pub(super) fn new(lessons: &'a Lessons) -> Self {
        let mut hits: FxHashMap<Key, Vec<Hit>> = FxHashMap::default();
        let mut stable: FxHashMap<u32, bool> = FxHashMap::default();
        for (page, lesson) in (0_u32..).zip(&lessons.pages) {
            for (place, element) in (0_u32..).zip(&lesson.elements) {
                let hit = Hit { page, place };
                if element.tag != Tag::OTHER {
                    hits.entry(Key::Tag(element.tag)).or_default().push(hit);
                }
                for name in lesson.names(element) {
                    if *stable.entry(name).or_insert_with(|| lessons.names.is_stable(name)) {
                        let list = hits.entry(Key::Name(name)).or_default();
                        // A class that is written twice.
                        if list.last() != Some(&hit) {
                            list.push(hit);
                        }
                    }
                }
            }
        }
        let mut keys: Vec<Key> = hits.keys().copied().filter(|key| pages(&hits[key]) >= LEAST_PAGES).collect();
        keys.sort_unstable();
        Self { lessons, hits, keys }
    }

    /// Elements that a path selects.
    pub(super) fn hits(&self, path: &[Key]) -> Vec<Hit> {
        let of = |key: &Key| self.hits.get(key).cloned().unwrap_or_default();
        let Some((first, rest)) = path.split_first() else { return Vec::new() };
        rest.iter().fold(of(first), |outer, key| self.below(&outer, self.hits.get(key).map_or(&[], Vec::as_slice)))
    }

    /// Of some elements those that lie below others. Time linear in both.
    pub(super) fn below(&self, outer: &[Hit], inner: &[Hit]) -> Vec<Hit> {
        let outer = self.outermost(outer);
        let mut at = 0;
        let mut found = Vec::new();
        for hit in inner {
            while outer
                .get(at)
                .is_some_and(|up| up.page < hit.page || (up.page == hit.page && self.end(*up) <= hit.place))
            {
                at += 1;
            }
            if outer.get(at).is_some_and(|up| up.page == hit.page && up.place < hit.place) {
                found.push(*hit);
            }
        }
        found
    }

    /// Those that are in no other.
    pub(super) fn outermost(&self, hits: &[Hit]) -> Vec<Hit> {
        let mut found: Vec<Hit> = Vec::new();
        for &hit in hits {
            if found.last().is_none_or(|up| up.page != hit.page || self.end(*up) <= hit.place) {
                found.push(hit);
            }
        }
        found
    }

    /// The place behind the last descendant of an element.
    pub(super) fn end(&self, hit: Hit) -> u32 {
        self.lessons.pages[hit.page as usize].elements[hit.place as usize].end
    }

    /// The selector of a path.
    pub(super) fn selector(&self, path: &[Key]) -> Selector {
        Selector::of(path.iter().map(|key| {
            let mut step = Step::default();
            match key {
                Key::Tag(tag) => step.tag = Some(*tag),
                Key::Name(name) => match self.lessons.names.text(*name).split_at_checked(1) {
                    Some(("#", id)) => step.id = Some(id.to_owned()),
                    Some((_, class)) => step.classes.push(class.to_owned()),
                    None => {}
                },
            }
            step
        }))
    }

    /// Simple paths before long ones, names before tags that stand anywhere, and among these a fixed order.
    pub(super) fn plainness(&self, path: &[Key]) -> (usize, usize, usize, String) {
        let text = self.selector(path).to_string();
        let vague = path.iter().filter(|key| matches!(key, Key::Tag(tag) if VAGUE.contains(tag))).count();
        (path.len(), vague, text.len(), text)
    }
}

/// Tags that say nothing of what is in them.
const VAGUE: [Tag; 12] = [
    Tag::HTML,
    Tag::DIV,
    Tag::SECTION,
    Tag::SPAN,
    Tag::P,
    Tag::TABLE,
    Tag::TBODY,
    Tag::TR,
    Tag::TD,
    Tag::UL,
    Tag::LI,
    Tag::A,
];

/// Distinct pages of elements that are in order.
pub(super) fn pages(hits: &[Hit]) -> usize {
    hits.chunk_by(|a, b| a.page == b.page).count()
}

/// Whether a key is a name.
pub(super) fn is_name(key: Key) -> bool {
    matches!(key, Key::Name(name) if name != NONE)
}
