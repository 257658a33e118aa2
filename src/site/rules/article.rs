//! Rules for articles: containers, and what is dropped of them.
//!
//! Sequential covering: the rule that is worth most on the pages that no rule selects from yet is taken, and the pages it
//! selects from are done with, until none is worth anything. A rule is worth the sum over pages of F1 − [`RuleKind::bar`], less
//! [`STEP`] a page for each step of its selectors beyond the first: so a short selector that many pages share is preferred
//! to a long one that fits few of them a little better.

use super::index::{Hit, Index, Key, Path, is_name, pages};
use super::lesson::{Lesson, Words, f1};
use super::{LEAST_PAGES, MOST_RULES, RuleKind, STEP};
use crate::blocks::PageType;
use rustc_hash::FxHashSet;

const BAR: f64 = RuleKind::Article.bar();
/// Containers that are looked at closely, for each of two ways to rank them.
const TRIED: usize = 8;
/// Selectors of a rule at most.
const MOST_SELECTORS: usize = 16;
/// Parts that are worth most at first, and are looked at again after each step.
const LIKELY: usize = 200;

/// A rule in the making.
#[derive(Clone, Debug)]
pub(super) struct Draft {
    pub(super) select: Vec<Path>,
    pub(super) exclude: Vec<Path>,
    value: f64,
}

/// Elements that can be selected or excluded together: by path, the outermost of them.
struct Part {
    path: Path,
    hits: Vec<Hit>,
}

/// A page under a draft: words before each element, of what no exclusion drops and of what is selected.
#[derive(Default)]
struct Sheet {
    allowed: Vec<Words>,
    chosen: Vec<Words>,
}

impl Sheet {
    fn total(&self) -> Words {
        self.chosen.last().copied().unwrap_or_default()
    }
}

/// Finds the rules, in the order in which they are to be tried. Time O(rules · selectors · elements of all pages).
pub(super) fn article_rules(index: &Index<'_>) -> Vec<Draft> {
    let lessons = &index.lessons.pages;
    let mut search = Search {
        index,
        open: lessons.iter().map(|page| page.page_type == PageType::Article && page.kept > 0).collect(),
        base: lessons.iter().map(|page| sums(page, &[], &[]).allowed).collect(),
        parts: parts(index),
    };
    let mut rules = Vec::new();
    while rules.len() < MOST_RULES {
        let Some(rule) = search.best() else { break };
        for (at, sheet) in search.sheets(&rule).into_iter().enumerate() {
            search.open[at] &= sheet.total().all == 0;
        }
        rules.push(rule);
    }
    rules
}

struct Search<'a> {
    index: &'a Index<'a>,
    /// Articles that no rule selects from yet.
    open: Vec<bool>,
    /// Words before each element of each page.
    base: Vec<Vec<Words>>,
    parts: Vec<Part>,
}

/// A container alone: its worth, its worth if half of what is wrong in it can be excluded, and the container.
struct Start {
    value: f64,
    soft: f64,
    path: Path,
    hits: Vec<Hit>,
}

impl Search<'_> {
    fn best(&self) -> Option<Draft> {
        let singles: Vec<Start> = self.index.keys.iter().filter_map(|&key| self.start(vec![key])).collect();
        let singles = best_of(self.index, singles);
        let mut starts = Vec::new();
        for single in singles {
            for &outer in self.index.keys.iter().filter(|key| is_name(**key)) {
                let path: Path = std::iter::once(outer).chain(single.path.iter().copied()).collect();
                let narrowed = self.start(path).filter(|start| start.hits.len() < single.hits.len());
                starts.extend(narrowed.filter(|start| start.value > single.value || start.soft > single.soft));
            }
            starts.push(single);
        }
        let drafts = best_of(self.index, starts).into_iter().map(|start| self.refine(start.path));
        let worth = |draft: &Draft| draft.value > 0.0;
        drafts.filter(worth).reduce(|best, next| if next.value > best.value { next } else { best })
    }

    /// A container alone on the open pages. A bare tag must be the only one of its kind on each page: `p` or `td` say
    /// nothing of their place.
    fn start(&self, path: Path) -> Option<Start> {
        let all = self.index.hits(&path);
        let hits = self.index.outermost(&all);
        if path.last().is_some_and(|key| !is_name(*key)) && all.len() != pages(&all) {
            return None;
        }
        let (mut value, mut soft, mut count) = (0.0, 0.0, 0_u32);
        for page in hits.chunk_by(|a, b| a.page == b.page) {
            let at = page[0].page as usize;
            if !self.open[at] {
                continue;
            }
            let words = self.sum(&self.base[at], page);
            if words.all == 0 {
                continue;
            }
            let wanted = self.lesson(at).kept;
            let own = score(words, wanted);
            count += 1;
            value += own - BAR;
            soft += f64::midpoint(own, score(Words { all: words.kept, kept: words.kept }, wanted)) - BAR;
        }
        let cost = STEP * f64::from(count) * (path.len() - 1) as f64;
        (count as usize >= LEAST_PAGES).then_some(Start { value: value - cost, soft: soft - cost, path, hits })
    }

    /// Adds exclusions and further containers while they are worth it.
    fn refine(&self, path: Path) -> Draft {
        let mut draft = Draft { select: vec![path], exclude: Vec::new(), value: 0.0 };
        let mut sheets = self.sheets(&draft);
        let mut likely: Vec<(bool, usize)> = Vec::new();
        for select in [false, true] {
            let gains = self.parts.iter().enumerate().map(|(at, part)| (self.gain(&sheets, &part.hits, select), at));
            let mut gains: Vec<(f64, usize)> = gains.filter(|(gain, _)| *gain > 0.0).collect();
            gains.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
            likely.extend(gains.into_iter().take(LIKELY).map(|(_, at)| (select, at)));
        }
        while draft.select.len() + draft.exclude.len() < MOST_SELECTORS {
            let matched = sheets.iter().filter(|sheet| sheet.total().all > 0).count() as f64;
            let net = |&(select, at): &(bool, usize)| {
                let part = &self.parts[at];
                self.gain(&sheets, &part.hits, select) - STEP * matched * part.path.len() as f64
            };
            let gains = likely.iter().map(|choice| (net(choice), *choice));
            let best =
                gains.filter(|(gain, _)| *gain > 0.0).reduce(|best, next| if next.0 > best.0 { next } else { best });
            let Some((_, (select, at))) = best else { break };
            let path = self.parts[at].path.clone();
            if select {
                draft.select.push(path);
            } else {
                draft.exclude.push(path);
            }
            sheets = self.sheets(&draft);
        }
        let steps: usize = draft.select.iter().chain(&draft.exclude).map(Vec::len).sum();
        for (at, sheet) in sheets.iter().enumerate().filter(|(_, sheet)| sheet.total().all > 0) {
            draft.value += score(sheet.total(), self.lesson(at).kept) - BAR - STEP * (steps - 1) as f64;
        }
        draft
    }

    /// What the rule is worth more with a part selected or excluded.
    fn gain(&self, sheets: &[Sheet], hits: &[Hit], select: bool) -> f64 {
        let mut gain = 0.0;
        let mut moved = Words::default();
        for page in hits.chunk_by(|a, b| a.page == b.page) {
            let at = page[0].page as usize;
            let sheet = &sheets[at];
            if sheet.chosen.is_empty() {
                continue;
            }
            let inside = self.sum(&sheet.chosen, page);
            let (before, wanted) = (sheet.total(), self.lesson(at).kept);
            let (change, after) = if select {
                let change = self.sum(&sheet.allowed, page) - inside;
                (change, before + change)
            } else {
                (inside, before - inside)
            };
            if change.all > 0 {
                moved = moved + change;
                let worth = |words: Words| score(words, wanted) - BAR;
                gain += if after.all == 0 {
                    // A page of which nothing is left is not won by that.
                    -1.0
                } else if before.all == 0 {
                    // Pages that have this part alone are of another template, and may have a rule of their own.
                    worth(after).min(0.0)
                } else {
                    worth(after) - worth(before)
                };
            }
        }
        // Dropped is what mining drops nearly always, wherever that costs little here.
        if !select && moved.kept * PURE > moved.all { 0.0 } else { gain }
    }

    fn sheets(&self, draft: &Draft) -> Vec<Sheet> {
        let hits = |paths: &[Path]| {
            let mut by_page: Vec<Vec<(u32, u32)>> = vec![Vec::new(); self.open.len()];
            for path in paths {
                for hit in self.index.outermost(&self.index.hits(path)) {
                    by_page[hit.page as usize].push((hit.place, self.index.end(hit)));
                }
            }
            by_page
        };
        let (select, exclude) = (hits(&draft.select), hits(&draft.exclude));
        let sheet = |at: usize| {
            if self.open[at] { sums(self.lesson(at), &select[at], &exclude[at]) } else { Sheet::default() }
        };
        (0..self.open.len()).map(sheet).collect()
    }

    fn sum(&self, before: &[Words], hits: &[Hit]) -> Words {
        hits.iter().fold(Words::default(), |sum, &hit| {
            sum + (before[self.index.end(hit) as usize] - before[hit.place as usize])
        })
    }

    fn lesson(&self, at: usize) -> &Lesson {
        &self.index.lessons.pages[at]
    }
}

/// Of dropped words at most one in so many may be one that mining kept.
const PURE: u32 = 5;

fn score(words: Words, wanted: u32) -> f64 {
    f1(words.kept as usize, words.all as usize, wanted as usize)
}

/// The best starts by either ranking, of those that select the same the plainest.
fn best_of(index: &Index<'_>, starts: Vec<Start>) -> Vec<Start> {
    let mut starts: Vec<(Start, _)> = starts
        .into_iter()
        .map(|start| (index.plainness(&start.path), start))
        .map(|(plain, start)| (start, plain))
        .collect();
    let mut chosen: Vec<Start> = Vec::new();
    for rank in [|start: &Start| start.value, |start: &Start| start.soft] {
        starts.sort_by(|(a, plain), (b, other)| rank(b).total_cmp(&rank(a)).then_with(|| plain.cmp(other)));
        let mut taken = 0;
        for (start, _) in &mut starts {
            if taken == TRIED {
                break;
            }
            if start.hits.is_empty() {
                // Taken before.
                taken += 1;
            } else if chosen.iter().all(|other| other.hits != start.hits) {
                taken += 1;
                let hits = std::mem::take(&mut start.hits);
                chosen.push(Start { value: start.value, soft: start.soft, path: start.path.clone(), hits });
            }
        }
    }
    chosen
}

/// What can be selected or excluded: every key, and tags below the nearest name around them.
fn parts(index: &Index<'_>) -> Vec<Part> {
    let mut paths: Vec<Path> = index.keys.iter().map(|&key| vec![key]).collect();
    let known: FxHashSet<Key> = index.keys.iter().copied().collect();
    let mut pairs: FxHashSet<(Key, Key)> = FxHashSet::default();
    for lesson in &index.lessons.pages {
        // For each element the place of the nearest named element at or above it.
        let mut named: Vec<Option<u32>> = Vec::with_capacity(lesson.elements.len());
        for (place, element) in (0_u32..).zip(&lesson.elements) {
            let around = if element.parent == place { None } else { named[element.parent as usize] };
            let mut names = lesson.names(element).map(Key::Name).filter(|key| known.contains(key));
            named.push(if names.next().is_some() { Some(place) } else { around });
            let tag = Key::Tag(element.tag);
            let Some(around) = around.filter(|_| known.contains(&tag)) else { continue };
            let names = lesson.names(&lesson.elements[around as usize]).map(Key::Name);
            pairs.extend(names.filter(|name| known.contains(name)).map(|name| (name, tag)));
        }
    }
    let mut pairs: Vec<(Key, Key)> = pairs.into_iter().collect();
    pairs.sort_unstable();
    paths.extend(pairs.into_iter().map(|(name, tag)| vec![name, tag]));
    paths.sort_by_cached_key(|path| index.plainness(path));
    let part = |path: Path| {
        let hits = index.outermost(&index.hits(&path));
        (pages(&hits) >= LEAST_PAGES).then_some(Part { path, hits })
    };
    paths.into_iter().filter_map(part).collect()
}

/// The words before each element, given ranges of places that are selected and excluded.
fn sums(lesson: &Lesson, select: &[(u32, u32)], exclude: &[(u32, u32)]) -> Sheet {
    let n = lesson.elements.len();
    let depth = |ranges: &[(u32, u32)]| {
        let mut steps = vec![0_i32; n + 1];
        for &(from, to) in ranges {
            steps[from as usize] += 1;
            steps[to as usize] -= 1;
        }
        steps
    };
    let (inside, outside) = (depth(select), depth(exclude));
    let (mut selected, mut dropped) = (0, 0);
    let mut sheet = Sheet { allowed: vec![Words::default()], chosen: vec![Words::default()] };
    let (mut allowed, mut chosen) = (Words::default(), Words::default());
    for (at, own) in lesson.own.iter().enumerate() {
        selected += inside[at];
        dropped += outside[at];
        if dropped == 0 {
            allowed = allowed + *own;
            if selected > 0 {
                chosen = chosen + *own;
            }
        }
        sheet.allowed.push(allowed);
        sheet.chosen.push(chosen);
    }
    sheet
}
