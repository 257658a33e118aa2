//! Records of list pages: what a person would call "the list", item by item.
//!
//! [`records()`] is the way in. Three published methods, each to the letter: [`mdr`] compares tag strings, [`embley`] looks for
//! the tag that separates, and [`net`] matches trees and aligns what is in them. The default takes candidates of all shapes
//! (`auto`) and ranks them; items are aligned into columns (`table`).
//!
//! What the lists of several pages have in common is for [`site`](crate::site) to tell: [`PageLists`] is what it needs of a page,
//! [`ColumnSums`] puts columns together, and [`laid_out`] fills them.
mod auto;
mod edit_distance;
pub mod embley;
mod lists;
pub mod mdr;
pub mod net;
mod region;
mod table;
mod tag_tree;
mod tree_match;

use crate::dom::Dom;
#[doc(hidden)]
pub use auto::{CandidateFeatures, candidate_features};
pub use lists::{ListView, LoneView, PageLists, RecordSpan, laid_out};
pub use region::{Column, ColumnKind, Record, Region, Table};
pub use table::{ColumnSums, ColumnView, SharedColumn};

/// How records are found.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Method {
    /// Candidates of all shapes and one ranking.
    #[default]
    Auto,
    /// MDR as published ([`mdr::Params::PAPER`]).
    Mdr,
    /// MDR repaired ([`mdr::Params::WISDOM`]): the shortest combination that explains a list wins.
    MdrRepaired,
    /// NET as published ([`net::Params::PAPER`]): nested records too.
    Net,
    /// Embley, Jiang and Ng as published ([`embley::Params::PAPER`]): one region, divided by one tag.
    Embley,
}

impl Method {
    /// The name on the command line and in output.
    pub fn name(self) -> &'static str {
        match self {
            Self::Auto => "auto",
            Self::Mdr => "mdr",
            Self::MdrRepaired => "mdr-repaired",
            Self::Net => "net",
            Self::Embley => "embley",
        }
    }
}

/// The lists of a page, the best first; empty for a page without any. [`Method::Embley`] goes without an ontology here; see
/// [`records_with`].
///
/// The items of a region are aligned into its table, a row a record; by [`Method::Net`], which aligns them itself, a record
/// with nested ones has a row for each of these.
///
/// Time linear in the page for [`Method::Auto`], and near-linear for the others, each of which says more where it is.
///
/// ```
/// use wisdom::{dom::Dom, records::{Method, records}};
/// let dom = Dom::parse("<ul><li><a href=/1>Alma</a> <b>$9</b><li><a href=/2>Brise</a> <b>$14</b><li><a href=/3>Cora</a> <b>$7</b></ul>");
/// for method in [Method::Auto, Method::Embley] {
///     let regions = records(&dom, method);
///     assert_eq!(regions[0].records.len(), 3);
///     assert_eq!(regions[0].table.rows, [["/1", "Alma", "$9"], ["/2", "Brise", "$14"], ["/3", "Cora", "$7"]]);
/// }
/// ```
pub fn records(dom: &Dom, method: Method) -> Vec<Region> {
    records_with(dom, method, None)
}

/// The same with an ontology, which takes part in the vote of [`Method::Embley`] where it names three or more
/// record-identifying fields; the other methods do not look at it.
///
/// Time: one pass more over the text for each of its patterns.
///
/// ```
/// use wisdom::{dom::Dom, records::{Method, embley::Ontology, records_with}};
/// let notice = |name: &str| format!("<hr><b>{name}</b> died on a day in May, aged 80. Funeral services on Monday.");
/// let dom = Dom::parse(&format!("<h1>Notices</h1>{}{}<hr>", notice("A"), notice("B")));
/// let regions = records_with(&dom, Method::Embley, Ontology::shipped("obituaries").as_ref());
/// assert_eq!(regions[0].records.len(), 2);
/// ```
pub fn records_with(dom: &Dom, method: Method, ontology: Option<&embley::Ontology>) -> Vec<Region> {
    match method {
        Method::Auto => aligned(dom, auto::auto(dom)),
        Method::Mdr => aligned(dom, mdr::mdr(dom, &mdr::Params::PAPER)),
        Method::MdrRepaired => aligned(dom, mdr::mdr(dom, &mdr::Params::WISDOM)),
        Method::Net => net::net(dom, &net::Params::PAPER),
        Method::Embley => aligned(dom, embley::embley(dom, &embley::Params::PAPER, ontology)),
    }
}

/// Regions with the tables of their items, which their methods do not make.
fn aligned(dom: &Dom, mut regions: Vec<Region>) -> Vec<Region> {
    if regions.is_empty() {
        return regions;
    }
    let cells = table::Cells::new(dom);
    for region in &mut regions {
        region.table = table::table(dom, &cells, &region.records);
    }
    regions
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Records of one node stand in the same columns as records of several, where a region has both.
    #[test]
    fn records_of_one_node_and_of_several_are_aligned() {
        let boat = |name: &str| format!("<div><h3>{name}</h3><p>lies at the quay</p></div>");
        let page = format!("<main>{}{}<em>sold</em>{}</main>", boat("Alma"), boat("Brise"), boat("Cora"));
        let regions = records(&Dom::parse(&page), Method::Embley);
        let rows = &regions[0].table.rows;
        let quay = "lies at the quay";
        assert_eq!(*rows, [["Alma", quay, ""], ["Brise", quay, "sold"], ["Cora", quay, ""]]);
    }

    #[test]
    fn pages_without_lists_give_none() {
        for method in [Method::Auto, Method::Mdr, Method::MdrRepaired, Method::Net, Method::Embley] {
            assert!(records(&Dom::parse("<p>x</p>"), method).is_empty(), "{}", method.name());
        }
    }
}
