//! What rules select of a page.

use super::file::{Ready, RuleKind, Rules};
use super::selector::Selector;
use crate::dom::{Attr, Dom, NodeId, NodeMap, Tag};

/// What a rule selects of a page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Selected<'a> {
    /// The name of the rule.
    pub rule: &'a str,
    /// In document order: of an article its text nodes, images and rules that are shown; of a table of contents its links.
    pub nodes: Vec<NodeId>,
}

impl Rules {
    /// The article, by the first rule that selects a text of it; `None` where none does. Time O(rules · nodes).
    pub fn article(&self, dom: &Dom) -> Option<Selected<'_>> {
        self.first(RuleKind::Article, |rule| {
            let nodes = rule.nodes(dom);
            nodes.iter().any(|&id| dom.is_text(id) && !dom.text(id).trim().is_empty()).then_some(nodes)
        })
    }

    /// The links of the table of contents, by the first rule that selects one; `None` where none does. Time O(rules · nodes).
    pub fn links(&self, dom: &Dom) -> Option<Selected<'_>> {
        self.first(RuleKind::Toc, |rule| {
            let nodes = rule.links(dom);
            (!nodes.is_empty()).then_some(nodes)
        })
    }

    fn first(&self, kind: RuleKind, nodes: impl Fn(&Ready) -> Option<Vec<NodeId>>) -> Option<Selected<'_>> {
        let mut rules = self.rules.iter().filter(|rule| rule.kind == kind);
        rules.find_map(|rule| Some(Selected { rule: &rule.name, nodes: nodes(rule)? }))
    }
}

impl Ready {
    /// Texts, images and rules of the selected elements.
    pub(super) fn nodes(&self, dom: &Dom) -> Vec<NodeId> {
        let selected = spread(dom, &self.select, &self.exclude);
        let is_part = |id: &NodeId| matches!(dom.tag(*id), Tag::TEXT | Tag::IMG | Tag::HR) && !dom.is_hidden(*id);
        dom.ids().filter(|&id| selected[id]).filter(is_part).collect()
    }

    /// The links that are selected or stand in what is.
    pub(super) fn links(&self, dom: &Dom) -> Vec<NodeId> {
        let selected = spread(dom, &self.select, &self.exclude);
        let is_link =
            |id: &NodeId| dom.tag(*id) == Tag::A && dom.attr(*id, Attr::HREF).is_some() && !dom.is_hidden(*id);
        dom.ids().filter(|&id| selected[id]).filter(is_link).collect()
    }
}

/// Marks what matches some of `select` with all that is below it, but for what matches some of `except` with all below.
fn spread(dom: &Dom, select: &[Selector], except: &[Selector]) -> NodeMap<bool> {
    let mut marks = NodeMap::filled(dom, false);
    for (selectors, mark) in [(select, true), (except, false)] {
        let mut matched: Vec<NodeId> = selectors.iter().flat_map(|selector| selector.matches(dom)).collect();
        matched.sort_unstable();
        // Elements inside one that is marked are marked with it.
        let mut until = dom.root();
        for id in matched {
            if id >= until {
                until = dom.end(id);
                dom.subtree(id).for_each(|id| marks[id] = mark);
            }
        }
    }
    marks
}
