//! Rules: what mining found on a site, as selectors that any program can use.
//!
//! Of each mined page a [`Lesson`] is kept: its elements with tags, ids, classes and numbers of words, which of these mining
//! kept, and its links. [`learn_rules`] finds the short selectors that select the same on many pages, [`measure`] compares
//! them with mining on every page, and [`settle`] leaves out those that agree too little. The result is a [`RuleFile`],
//! which [`Rules`] applies to pages that nobody mined.
//!
//! A rule consists of selectors of elements by tag, id and class that lie anywhere below each other. There are no positions
//! and no direct children in it, for parsers differ in the elements they add; and no id or class with a number of the page.
mod apply;
mod article;
mod file;
mod index;
mod learn;
mod lesson;
mod names;
mod selector;
mod toc;

#[cfg(test)]
mod selector_tests;
#[cfg(test)]
mod tests;

pub use apply::Selected;
pub use file::{RULE_FORMAT, Rule, RuleFile, RuleKind, RuleSelector, Rules, RulesError, Support};
pub use learn::{Measured, learn_rules, measure, settle};
pub use lesson::{Example, Lesson, Lessons};
pub use selector::{Selector, SelectorError};

/// Pages that a rule must fit.
pub const LEAST_PAGES: usize = 3;
/// Rules of a kind at most.
const MOST_RULES: usize = 12;
/// What a step of a selector must add to the mean F1.
const STEP: f64 = 0.001;
