//! What many pages say together, and no page alone: method `auto` of mining.
//!
//! - [`PageView`]: one page, cut into blocks and links, each block with what the page-level classifier thinks of it. All that
//!   the site needs of a page; it is kept, so that mining again looks only at pages that changed.
//! - [`SiteView`]: what all pages have in common: texts that repeat, places and what stands in them, links that all pages
//!   have. Integer sums, so that the order of pages does not matter.
//! - [`repeats`]: pages that are there under several URLs. They count once, and links to any of them are links to one page.
//! - [`decide`]: the article, the table of contents and the type of one page, from its view and the site's.
//! - [`SiteLists`]: the lists of records that list pages have in common, in which place and with which columns.
//! - [`learn_rules`]: what was decided, as CSS selectors that also fit pages nobody mined.
//!
//! Nothing is learned from labels of the site; with one page known the answer is the page-level one, but
//! that a page on which nothing is likely has no article.
mod decide;
mod duplicates;
mod links;
mod lists;
mod rules;
mod site_view;
mod view;

#[cfg(test)]
mod lists_tests;
#[cfg(test)]
mod tests;

pub use decide::{BlockVerdict, Decision, EVIDENCE, Group, MOST_TARGETS, decide, least_hub};
pub use duplicates::{Repeat, Sketch, Sketched, repeats, says_the_same, without_twins};
pub use links::canonical;
pub use lists::{ListColumns, Listed, SiteLists, TakenList, listed, take};
pub use rules::{
    Example, LEAST_PAGES, Lesson, Lessons, Measured, RULE_FORMAT, Rule, RuleFile, RuleKind, RuleSelector, Rules,
    RulesError, Selected, Selector, SelectorError, Support, learn_rules, measure, settle,
};
pub use site_view::{PageDecision, SiteView};
pub use view::{LinkView, PageView};
