//! Rules for tables of contents: the links.
//!
//! Sequential covering as for articles, with F1 of the targets of the links. A page that is no table of contents and has
//! links that match counts with an F1 of 0.

use super::index::{Hit, Index, Key, Path};
use super::lesson::{Lesson, f1};
use super::{LEAST_PAGES, MOST_RULES, RuleKind, STEP};
use crate::blocks::PageType;
use crate::dom::Tag;

const LIST_BAR: f64 = RuleKind::Toc.bar();
/// Paths that are made longer.
const TRIED: usize = 8;
/// Steps of a selector at most, without the link's own.
const MOST_STEPS: usize = 3;
/// Exclusions of a rule at most.
const MOST_EXCLUDED: usize = 4;

/// A rule in the making.
#[derive(Clone, Debug)]
pub(super) struct TocDraft {
    pub(super) select: Path,
    pub(super) exclude: Vec<Path>,
}

/// Links of a page that a path selects, as places among its links.
type Picked = Vec<(u32, Vec<u32>)>;

/// Finds the rules, in the order in which they are to be tried.
pub(super) fn toc_rules(index: &Index<'_>) -> Vec<TocDraft> {
    let mut search = Search { index, open: vec![true; index.lessons.pages.len()] };
    let mut rules = Vec::new();
    while rules.len() < MOST_RULES {
        let Some((rule, picked)) = search.best() else { break };
        for (page, _) in picked.iter().filter(|(_, links)| !links.is_empty()) {
            search.open[*page as usize] = false;
        }
        rules.push(rule);
    }
    rules
}

struct Search<'a> {
    index: &'a Index<'a>,
    /// Pages that no rule selects links of yet.
    open: Vec<bool>,
}

#[derive(Clone)]
struct Candidate {
    value: f64,
    /// What it is worth if all that is wrong can be left out.
    soft: f64,
    path: Path,
    hits: Vec<Hit>,
    picked: Picked,
}

impl Search<'_> {
    fn best(&self) -> Option<(TocDraft, Picked)> {
        let wanted = |page: &Lesson| page.page_type == PageType::Toc && !page.wanted.is_empty();
        let left =
            self.index.lessons.pages.iter().zip(&self.open).filter(|(page, open)| **open && wanted(page)).count();
        if left < LEAST_PAGES {
            return None;
        }
        let candidate = |path: Path, hits: Vec<Hit>| self.candidate(path, hits);
        let single = |&key: &Key| candidate(vec![key], self.index.hits(&[key]));
        let mut layer: Vec<Candidate> = self.index.keys.iter().filter_map(single).collect();
        let mut best: Option<Candidate> = None;
        for steps in 1..=MOST_STEPS {
            layer = self.top(layer);
            for found in &layer {
                if best.as_ref().is_none_or(|best| found.value > best.value) {
                    best = Some(found.clone());
                }
            }
            if steps == MOST_STEPS {
                break;
            }
            let mut next = Vec::new();
            for found in &layer {
                for &key in &self.index.keys {
                    let own = self.index.hits(&[key]);
                    let inner = self.index.below(&found.hits, &own);
                    next.extend(candidate([&found.path[..], &[key]].concat(), inner));
                    let outer = self.index.below(&own, &found.hits);
                    if outer.len() < found.hits.len() {
                        next.extend(candidate([&[key], &found.path[..]].concat(), outer));
                    }
                }
            }
            layer = next;
        }
        let best = best?;
        let (draft, picked) = self.exclude(best);
        let value = picked.iter().map(|(page, links)| self.worth(*page, links)).sum::<f64>();
        (value > 0.0).then_some((draft, picked))
    }

    /// Those that are worth most, as they are and with all wrong links left out.
    fn top(&self, layer: Vec<Candidate>) -> Vec<Candidate> {
        let mut layer: Vec<(_, Candidate)> =
            layer.into_iter().map(|found| (self.index.plainness(&found.path), found)).collect();
        let mut chosen: Vec<Candidate> = Vec::new();
        for rank in [|found: &Candidate| found.value, |found: &Candidate| found.soft] {
            layer.sort_by(|(plain, a), (other, b)| rank(b).total_cmp(&rank(a)).then_with(|| plain.cmp(other)));
            let mut taken = 0;
            for (_, found) in &layer {
                if taken == TRIED {
                    break;
                }
                if chosen.iter().all(|other| other.picked != found.picked) {
                    taken += 1;
                    chosen.push(found.clone());
                }
            }
        }
        chosen
    }

    fn candidate(&self, path: Path, hits: Vec<Hit>) -> Option<Candidate> {
        let picked = self.pick(&hits);
        let (mut value, mut soft, mut right) = (0.0, 0.0, 0);
        for &(page, ref links) in &picked {
            let own = self.worth(page, links);
            value += own;
            let lesson = self.lesson(page);
            if own > -LIST_BAR {
                right += 1;
                let found = self.right(page, links);
                soft += f1(found, found, lesson.wanted.len()) - LIST_BAR;
            }
        }
        let cost = STEP * picked.len() as f64 * (path.len() - 1) as f64;
        (right >= LEAST_PAGES).then_some(Candidate { value: value - cost, soft: soft - cost, path, hits, picked })
    }

    /// Adds exclusions while they are worth it.
    fn exclude(&self, found: Candidate) -> (TocDraft, Picked) {
        let mut path = found.path;
        let mut picked = found.picked;
        if !self.are_links(&found.hits) {
            path.push(Key::Tag(Tag::A));
        }
        let mut exclude = Vec::new();
        while exclude.len() < MOST_EXCLUDED {
            let worth: f64 = picked.iter().map(|(page, links)| self.worth(*page, links)).sum();
            let mut best = (worth + STEP * picked.len() as f64, None);
            for &key in &self.index.keys {
                let left = self.without(&picked, &self.index.outermost(&self.index.hits(&[key])));
                let value: f64 = left.iter().map(|(page, links)| self.worth(*page, links)).sum();
                if value > best.0 {
                    best = (value, Some((key, left)));
                }
            }
            let Some((key, left)) = best.1 else { break };
            exclude.push(vec![key]);
            picked = left;
        }
        (TocDraft { select: path, exclude }, picked)
    }

    /// What it is worth that these links are selected on a page.
    fn worth(&self, page: u32, links: &[u32]) -> f64 {
        let lesson = self.lesson(page);
        if links.is_empty() {
            0.0
        } else if lesson.page_type == PageType::Toc {
            f1(self.right(page, links), self.targets(page, links).len(), lesson.wanted.len()) - LIST_BAR
        } else {
            -LIST_BAR
        }
    }

    fn right(&self, page: u32, links: &[u32]) -> usize {
        let wanted = &self.lesson(page).wanted;
        self.targets(page, links).iter().filter(|target| wanted.binary_search(target).is_ok()).count()
    }

    fn targets(&self, page: u32, links: &[u32]) -> Vec<u64> {
        let all = &self.lesson(page).links;
        let mut targets: Vec<u64> = links.iter().map(|&at| all[at as usize].1).collect();
        targets.sort_unstable();
        targets.dedup();
        targets
    }

    /// Links at or below elements, on open pages: at them where all are links.
    fn pick(&self, hits: &[Hit]) -> Picked {
        let at_links = self.are_links(hits);
        let hits = self.index.outermost(hits);
        let mut picked = Vec::new();
        for page in hits.chunk_by(|a, b| a.page == b.page).filter(|page| self.open[page[0].page as usize]) {
            let links = &self.lesson(page[0].page).links;
            let mut own = Vec::new();
            for &hit in page {
                let from = links.partition_point(|(place, _)| *place < hit.place + u32::from(!at_links));
                let to = links.partition_point(|(place, _)| *place < self.index.end(hit));
                own.extend((from..to).filter_map(|at| u32::try_from(at).ok()));
            }
            if !own.is_empty() {
                picked.push((page[0].page, own));
            }
        }
        picked
    }

    /// The selection without the links at or below elements.
    fn without(&self, picked: &Picked, hits: &[Hit]) -> Picked {
        let left = |(page, links): &(u32, Vec<u32>)| {
            let from = hits.partition_point(|hit| hit.page < *page);
            let to = hits.partition_point(|hit| hit.page <= *page);
            let own = &hits[from..to];
            let all = &self.lesson(*page).links;
            let is_left = |at: &u32| {
                let place = all[*at as usize].0;
                let behind = own.partition_point(|hit| hit.place <= place);
                behind.checked_sub(1).is_none_or(|before| self.index.end(own[before]) <= place)
            };
            (*page, links.iter().copied().filter(is_left).collect())
        };
        picked.iter().map(left).collect()
    }

    fn are_links(&self, hits: &[Hit]) -> bool {
        hits.iter().all(|hit| self.lesson(hit.page).elements[hit.place as usize].tag == Tag::A)
    }

    fn lesson(&self, page: u32) -> &Lesson {
        &self.index.lessons.pages[page as usize]
    }
}
