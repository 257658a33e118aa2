//! [`learn_rules`]: rules from lessons. [`measure`] and [`settle`]: how well they agree with mining, and which are kept.

use super::LEAST_PAGES;
use super::article::article_rules;
use super::file::{Rule, RuleKind, RuleSelector, Rules, Support};
use super::index::{Index, Path};
use super::lesson::{Example, Lessons, f1, targets, words_in};
use super::toc::toc_rules;
use crate::blocks::PageType;
use crate::dom::{Dom, NodeId, NodeMap};
use rustc_hash::{FxHashMap, FxHashSet};

/// Learns the rules of a site, in the order in which they are to be tried. How well they agree with mining is not measured yet.
pub fn learn_rules(lessons: &Lessons) -> Vec<Rule> {
    let index = Index::new(lessons);
    let written = |paths: &[Path]| paths.iter().map(|path| RuleSelector::from(&index.selector(path))).collect();
    let rule = |kind, select: &[Path], exclude: &[Path]| Rule {
        name: String::new(),
        kind,
        select: written(select),
        exclude: written(exclude),
        support: Support::default(),
        example: String::new(),
    };
    let articles =
        article_rules(&index).into_iter().map(|draft| rule(RuleKind::Article, &draft.select, &draft.exclude));
    let lists = toc_rules(&index).into_iter().map(|draft| rule(RuleKind::Toc, &[draft.select], &draft.exclude));
    articles.chain(lists).collect()
}

/// How rules do on one page.
#[derive(Clone, Debug)]
pub struct Measured {
    /// Of each rule F1 against mining; nothing where it selects nothing.
    scores: Vec<Option<f64>>,
    page_type: PageType,
    url: String,
}

/// Measures rules on a page. Time O(rules · nodes).
pub fn measure(rules: &Rules, dom: &Dom, example: &Example<'_>) -> Measured {
    let mut kept = NodeMap::filled(dom, false);
    for &id in example.kept {
        kept[id] = true;
    }
    let words = |id: NodeId| if dom.is_text(id) { words_in(dom.text(id)) as usize } else { 0 };
    let wanted: usize = example.kept.iter().map(|&id| words(id)).sum();
    let targets: FxHashMap<NodeId, u64> = targets(dom, example.url, example.charset).into_iter().collect();
    let toc: FxHashSet<u64> =
        targets.iter().filter(|(node, _)| example.toc.contains(&node.index())).map(|(_, target)| *target).collect();
    let score = |rule: &super::file::Ready| match rule.kind {
        RuleKind::Article => {
            let nodes = rule.nodes(dom);
            let found: usize = nodes.iter().map(|&id| words(id)).sum();
            let right: usize = nodes.iter().filter(|&&id| kept[id]).map(|&id| words(id)).sum();
            (found > 0).then(|| f1(right, found, wanted))
        }
        RuleKind::Toc => {
            let links = rule.links(dom);
            let found: FxHashSet<u64> = links.iter().filter_map(|link| targets.get(link)).copied().collect();
            let right = found.intersection(&toc).count();
            let is_toc = example.page_type == PageType::Toc;
            (!links.is_empty()).then(|| if is_toc { f1(right, found.len(), toc.len()) } else { 0.0 })
        }
    };
    Measured {
        scores: rules.rules.iter().map(score).collect(),
        page_type: example.page_type,
        url: example.url.as_str().to_owned(),
    }
}

/// Leaves out rules that agree with mining by less than [`RuleKind::bar`] or on fewer than [`LEAST_PAGES`] pages, one by one, the
/// worst first, for the pages of one that is left out fall to those behind it. States support and an example of the others
/// and names them.
pub fn settle(rules: Vec<Rule>, pages: &[Measured]) -> Vec<Rule> {
    let mut alive = vec![true; rules.len()];
    let supports = loop {
        let supports: Vec<(Support, Option<usize>)> = tally(&rules, &alive, pages);
        let is_bad = |at: &usize| {
            let support = &supports[*at].0;
            alive[*at] && (support.confidence < rules[*at].kind.bar() || (support.pages as usize) < LEAST_PAGES)
        };
        let bad = (0..rules.len()).filter(is_bad);
        match bad.min_by(|&a, &b| supports[a].0.confidence.total_cmp(&supports[b].0.confidence)) {
            Some(worst) => alive[worst] = false,
            None => break supports,
        }
    };
    let mut settled = Vec::new();
    let (mut articles, mut lists) = (0, 0);
    for ((mut rule, (support, example)), alive) in rules.into_iter().zip(supports).zip(alive) {
        if !alive {
            continue;
        }
        let (word, number) = match rule.kind {
            RuleKind::Article => ("article", &mut articles),
            RuleKind::Toc => ("toc", &mut lists),
        };
        *number += 1;
        rule.name = format!("{word}-{number}");
        rule.support = support;
        rule.example = example.and_then(|at| pages.get(at)).map(|page| page.url.clone()).unwrap_or_default();
        settled.push(rule);
    }
    settled
}

/// The support of each rule where those that are left out are passed over, and the page that it fits best, the first of such.
fn tally(rules: &[Rule], alive: &[bool], pages: &[Measured]) -> Vec<(Support, Option<usize>)> {
    let mut sums = vec![(Support::default(), None, -1.0); rules.len()];
    for (at, page) in pages.iter().enumerate() {
        for kind in [RuleKind::Article, RuleKind::Toc] {
            let selects = |rule: &usize| alive[*rule] && rules[*rule].kind == kind && page.scores[*rule].is_some();
            let Some(rule) = (0..rules.len()).find(selects) else { continue };
            let Some(score) = page.scores[rule] else { continue };
            let (support, best, best_score) = &mut sums[rule];
            support.matches += 1;
            let is_own = match kind {
                RuleKind::Article => page.page_type == PageType::Article,
                RuleKind::Toc => page.page_type == PageType::Toc,
            };
            if is_own {
                support.pages += 1;
                support.confidence += score;
                if score > *best_score {
                    (*best, *best_score) = (Some(at), score);
                }
            }
        }
    }
    let mean = |(rule, (mut support, best, _)): (&Rule, (Support, Option<usize>, f64))| {
        let over = match rule.kind {
            RuleKind::Article => support.pages,
            RuleKind::Toc => support.matches,
        };
        // Four digits are more than the measure tells.
        support.confidence = (support.confidence / f64::from(over.max(1)) * 1e4).round() / 1e4;
        (support, best)
    };
    rules.iter().zip(sums).map(mean).collect()
}
