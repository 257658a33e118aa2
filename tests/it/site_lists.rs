//! Lists of records in the documents of a crawled site: columns that line up from page to page, lists of one, recrawls.

use crate::run::Disk;
use crate::site::{Reply, Site};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::fmt::Write as _;

/// A boat, and what only some are told with.
struct Boat {
    name: &'static str,
    price: Option<&'static str>,
    seen: Option<&'static str>,
}

const fn boat(name: &'static str, price: Option<&'static str>, seen: Option<&'static str>) -> Boat {
    Boat { name, price, seen }
}

/// Boats of the harbour have prices, those of the canal dates, and the pond has one boat.
const HARBOUR: [Boat; 4] = [
    boat("Alma", Some("$9,200"), None),
    boat("Brise", Some("$14,500"), None),
    boat("Cora", None, None),
    boat("Hedda", Some("$3,100"), None),
];
const CANAL: [Boat; 4] = [
    boat("Dagny", None, Some("2021-04-03")),
    boat("Elida", None, Some("2022-05-04")),
    boat("Freja", None, None),
    boat("Inga", None, None),
];
const POND: [Boat; 1] = [boat("Gerda", Some("$450"), None)];
const LISTS: [(&str, &[Boat]); 5] =
    [("/harbour", &HARBOUR), ("/canal", &CANAL), ("/pond", &POND), ("/quay", &HARBOUR), ("/lock", &CANAL)];

const MENU: &str = "<nav><a href=/harbour>Harbour</a> <a href=/canal>Canal</a> <a href=/pond>Pond</a> \
    <a href=/quay>Quay</a> <a href=/lock>Lock</a></nav>";

fn teaser(name: &str) -> String {
    format!("{name} was built of larch on oak, and lies where the old crane stood.")
}

fn list(path: &str, boats: &[Boat]) -> String {
    let mut cards = String::new();
    for Boat { name, price, seen } in boats {
        let _ = write!(cards, "<div class=card><h2><a href='/boat/{name}'>The good boat {name}</a></h2>");
        let _ = write!(cards, "<p class=teaser>{}</p>", teaser(name));
        let _ = price.map(|price| write!(cards, "<p class=price>{price}</p>"));
        let _ = seen.map(|seen| write!(cards, "<p class=seen>{seen}</p>"));
        cards.push_str("</div>");
    }
    let place = path.trim_start_matches('/');
    format!("<title>Boats: {place}</title><body>{MENU}<h1>Boats in the {place}</h1><main>{cards}</main></body>")
}

fn article(name: &str) -> String {
    let sentence =
        |part: &str| format!("Of {name} the {part} was made by hand, and nobody in the yard of {name} hurried.");
    let text: String = ["keel", "mast", "deck"].map(|part| format!("<p>{}</p>", sentence(part))).concat();
    format!(
        "<title>{name}</title><body>{MENU}<article><h1>The good boat {name}</h1><p>{}</p>{text}</article></body>",
        teaser(name)
    )
}

fn site() -> Site {
    let site = Site::start();
    site.set("/", Reply::html(format!("<title>Boats</title><body>{MENU}<p>Boats of every water.</p></body>")));
    for (path, boats) in LISTS {
        site.set(path, Reply::html(list(path, boats)));
        for boat in boats {
            site.set(&format!("/boat/{}", boat.name), Reply::html(article(boat.name)));
        }
    }
    site
}

/// The only list of a document.
#[track_caller]
fn only(documents: &BTreeMap<String, Value>, path: &str) -> Value {
    let records = documents[path]["records"].as_array().expect("lists");
    assert_eq!(records.len(), 1, "{path}: {records:#?}");
    records[0].clone()
}

#[test]
fn columns_line_up_from_page_to_page() {
    let (site, disk) = (site(), Disk::new());
    disk.crawl(&site.url("/"), &[]).code(0);
    let documents = disk.export();
    let (harbour, canal, pond) = (only(&documents, "/harbour"), only(&documents, "/canal"), only(&documents, "/pond"));
    assert_eq!(harbour["method"], "auto");
    assert!(harbour["path"].as_str().is_some_and(|path| path.ends_with("main")), "{}", harbour["path"]);
    let kinds: Vec<&Value> = harbour["columns"].as_array().expect("columns").iter().map(|c| &c["kind"]).collect();
    assert_eq!(kinds, ["link", "text", "text", "price", "date"]);
    let row = |name: &str, price: &str, seen: &str| {
        json!([format!("/boat/{name}"), format!("The good boat {name}"), teaser(name), price, seen])
    };
    assert_eq!(harbour["table"][0], row("Alma", "$9,200", ""));
    assert_eq!(harbour["table"][2], row("Cora", "", ""));
    assert_eq!(canal["table"][1], row("Elida", "", "2022-05-04"));
    assert_eq!(canal["columns"], harbour["columns"]);
    assert_eq!(pond["table"], json!([row("Gerda", "$450", "")]), "a list of one");
    assert_eq!(pond["columns"], harbour["columns"]);
    assert_eq!(pond["records"][0]["items"].as_array().map(Vec::len), Some(4), "cells that hold something");
    for (path, document) in &documents {
        assert!(path.starts_with("/boat/") <= document["records"].as_array().is_some_and(Vec::is_empty), "{path}");
    }
}

/// What was kept of lists before does not show: after a change all is as a fresh crawl has it.
#[test]
fn lists_after_a_recrawl_are_those_of_a_fresh_crawl() {
    let (site, disk) = (site(), Disk::new());
    disk.crawl(&site.url("/"), &[]).code(0);
    // The pond gets a second boat, and the canal loses its dates.
    let pond = [boat("Gerda", Some("$450"), None), boat("Jutta", Some("$70"), None)];
    site.set("/pond", Reply::html(list("/pond", &pond)));
    site.set("/boat/Jutta", Reply::html(article("Jutta")));
    let canal: Vec<Boat> = CANAL.iter().map(|b| boat(b.name, None, None)).collect();
    for path in ["/canal", "/lock"] {
        site.set(path, Reply::html(list(path, &canal)));
    }
    disk.crawl(&site.url("/"), &[]).code(0);
    let anew = Disk::new();
    anew.crawl(&site.url("/"), &[]).code(0);
    let records = |disk: &Disk| -> BTreeMap<String, Value> {
        disk.export().into_iter().map(|(path, document)| (path, document["records"].clone())).collect()
    };
    let again = records(&disk);
    assert_eq!(again, records(&anew));
    assert_eq!(again["/pond"][0]["table"].as_array().map(Vec::len), Some(2));
    assert_eq!(again["/harbour"][0]["columns"].as_array().map(Vec::len), Some(4), "no page has dates");
    disk.run("mine", &[]).code(0);
    assert_eq!(records(&disk), again, "mining again changes nothing");
}
