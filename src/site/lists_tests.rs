//! Lists of a made site: what its list pages agree on.

use super::{ListColumns, Listed, SiteLists, TakenList, take};
use crate::dom::{Dom, NodeId, Tag};
use crate::records::{ListView, PageLists, RecordSpan, Region, laid_out};
use proptest::prelude::*;

/// A boat for sale: its name, and what only some are told with.
type Boat = (&'static str, Option<&'static str>, Option<&'static str>);

const HARBOUR: [Boat; 3] =
    [("Alma of the north", Some("$9,200"), None), ("Brise", Some("$14,500"), None), ("Cora", None, None)];
const CANAL: [Boat; 3] = [("Dagny", None, Some("2021-04-03")), ("Elida", None, None), ("Freja", None, None)];
const POND: [Boat; 1] = [("Gerda", Some("$450"), None)];

fn page(boats: &[Boat]) -> Dom {
    let row = |(name, price, date): &Boat| {
        let price = price.map_or_else(String::new, |price| format!("<b>{price}</b>"));
        let date = date.map_or_else(String::new, |date| format!("<i>{date}</i>"));
        format!("<li><a href='/boat/{name}'>{name}</a> {price} {date}</li>")
    };
    let rows: String = boats.iter().map(row).collect();
    Dom::parse(&format!(
        "<body><nav><a href=/>Home</a> <a href=/about>About</a></nav><h1>Boats</h1>\
         <ul class=boats>{rows}</ul><p>The end of the list.</p></body>"
    ))
}

/// The links to boats, as a table of contents would have them.
fn listed(dom: &Dom) -> Listed {
    let is_boat = |id: &NodeId| dom.attr(*id, crate::dom::Attr::HREF).is_some_and(|href| href.starts_with("/boat/"));
    let links = dom.ids().filter(|&id| dom.tag(id) == Tag::A).filter(is_boat);
    Listed::Links(links.map(|id| u32::try_from(id.index()).expect("a small page")).collect())
}

struct Known {
    dom: Dom,
    listed: Listed,
    lists: PageLists,
}

fn known(pages: &[&[Boat]]) -> Vec<Known> {
    let known = |boats: &&[Boat]| {
        let dom = page(boats);
        Known { listed: listed(&dom), lists: PageLists::new(&dom), dom }
    };
    pages.iter().map(known).collect()
}

fn site(pages: &[Known], order: &[usize]) -> SiteLists {
    let mut site = SiteLists::default();
    for &at in order {
        site.vote(&pages[at].listed, &pages[at].lists);
    }
    let mut columns = ListColumns::default();
    for &at in order {
        columns.add(&pages[at].lists, &take(&pages[at].listed, &pages[at].lists, &site));
    }
    site.with_columns(&columns)
}

fn regions(page: &Known, site: &SiteLists) -> Vec<Region> {
    let region = |list: TakenList| {
        laid_out(&page.dom, list.score, list.records.iter().map(Vec::as_slice), site.columns(list.place))
    };
    take(&page.listed, &page.lists, site).into_iter().filter_map(region).collect()
}

fn rows(page: &Known, site: &SiteLists) -> Vec<Vec<String>> {
    let regions = regions(page, site);
    assert_eq!(regions.len(), 1, "the boats, and not the menu: {regions:?}");
    regions[0].table.rows.clone()
}

#[test]
fn columns_keep_their_places_from_page_to_page() {
    let pages = known(&[&HARBOUR, &CANAL, &HARBOUR, &CANAL, &POND]);
    let site = site(&pages, &[0, 1, 2, 3, 4]);
    let wanted =
        [["/boat/Alma of the north", "Alma of the north", "$9,200", ""], ["/boat/Brise", "Brise", "$14,500", ""]];
    assert_eq!(rows(&pages[0], &site)[..2], wanted);
    assert_eq!(rows(&pages[1], &site)[0], ["/boat/Dagny", "Dagny", "", "2021-04-03"]);
    assert_eq!(regions(&pages[0], &site)[0].table.columns, regions(&pages[1], &site)[0].table.columns);
}

#[test]
fn a_list_of_one_is_a_list_where_others_have_more() {
    let pages = known(&[&HARBOUR, &CANAL, &POND]);
    assert_eq!(rows(&pages[2], &site(&pages, &[0, 1, 2])), [["/boat/Gerda", "Gerda", "$450"]]);
    assert!(regions(&pages[2], &site(&pages, &[2])).is_empty(), "a page alone cannot know");
}

/// A column that one page alone has comes behind those that pages share.
#[test]
fn what_one_page_has_comes_behind() {
    let pages = known(&[&HARBOUR, &HARBOUR, &CANAL]);
    let site = site(&pages, &[0, 1, 2]);
    assert_eq!(rows(&pages[2], &site)[0], ["/boat/Dagny", "Dagny", "", "2021-04-03"]);
    assert_eq!(rows(&pages[0], &site)[0].len(), 3);
}

#[test]
fn the_site_overrules_the_odd_choice_of_a_page() {
    let span = |node: u32, len: u32| RecordSpan { node, len };
    let list = |place: u64, score: f32, spans: Vec<RecordSpan>| ListView {
        place,
        score,
        spans,
        sizes: Vec::new(),
        is_prose: false,
        columns: Vec::new(),
    };
    let cards = |score| list(1, score, vec![span(10, 10), span(20, 10), span(30, 10)]);
    let bodies = |score| list(2, score, vec![span(12, 8), span(22, 8), span(32, 8)]);
    let listed = Listed::Links(vec![15, 25, 35]);
    let page =
        |first: ListView, second: ListView| PageLists { nodes: 50, lists: vec![first, second], lone: Vec::new() };
    let usual = page(cards(0.9), bodies(0.6));
    let odd = page(bodies(0.9), cards(0.8));
    let mut site = SiteLists::default();
    site.vote(&listed, &odd);
    assert_eq!(take(&listed, &odd, &site)[0].place, 2, "alone it has its way");
    for _ in 0..3 {
        site.vote(&listed, &usual);
    }
    let taken = take(&listed, &odd, &site);
    assert_eq!((taken.len(), taken[0].place, taken[0].list), (1, 1, Some(1)), "{taken:?}");
    assert_eq!(taken[0].records, [[10], [20], [30]]);
}

#[test]
fn parts_of_one_text_are_no_list() {
    let paragraph = "<p>The keeper of the lantern said that nothing of the kind would happen before spring.</p>";
    let dom = Dom::parse(&format!("<body><div>{}</div></body>", paragraph.repeat(4)));
    let lists = PageLists::new(&dom);
    assert!(!lists.lists.is_empty());
    let texts = dom.ids().filter(|&id| dom.tag(id) == Tag::P);
    let texts = texts.map(|id| (u32::try_from(id.index()).expect("a small page"), 16, true));
    assert!(take(&Listed::Texts(texts.collect()), &lists, &SiteLists::default()).is_empty());
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn the_order_of_list_pages_does_not_matter(order in Just((0..5_usize).collect::<Vec<_>>()).prop_shuffle()) {
        let pages = known(&[&HARBOUR, &CANAL, &POND, &HARBOUR[1..], &CANAL[..2]]);
        let (one, other) = (site(&pages, &[0, 1, 2, 3, 4]), site(&pages, &order));
        for page in &pages {
            prop_assert_eq!(take(&page.listed, &page.lists, &one), take(&page.listed, &page.lists, &other));
            prop_assert_eq!(regions(page, &one), regions(page, &other));
        }
    }
}
