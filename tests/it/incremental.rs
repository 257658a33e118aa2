//! Crawling again: what is unchanged is not sent again, what changed replaces, what is gone leaves.

use crate::run::Disk;
use crate::site::{Reply, Site, html, prose};
use serde_json::Value;
use std::collections::BTreeMap;

/// The first state of the site. `/deep` can be reached only by way of `/same`.
fn first_state() -> Site {
    let site = Site::start();
    site.set("/", Reply::html(html("/", &["/same", "/changes", "/goes"])).etag("root-1"));
    site.set("/same", Reply::html(html("/same", &["/deep"])).etag("same-1"));
    site.set("/deep", Reply::html(html("/deep", &["/"])).header("Last-Modified", "Sun, 06 Nov 1994 08:49:37 GMT"));
    site.set("/changes", Reply::html(html("/changes", &["/"])).etag("changes-1"));
    site.set("/goes", Reply::html(html("/goes", &["/"])).etag("goes-1"));
    site
}

/// The second state of the site.
fn change(site: &Site) {
    let changed = html("/changes", &["/", "/new"]).replace("beside the", "far from the");
    site.set("/changes", Reply::html(changed).etag("changes-2"));
    site.set("/goes", Reply::new(404, "gone"));
    site.page("/new", &["/"]);
    site.clear_log();
}

/// The digest of a first crawl of the site as it is now.
fn fresh_digest(site: &Site) -> String {
    let disk = Disk::new();
    disk.crawl(&site.url("/"), &["--no-mine"]).code(0);
    disk.digest()
}

/// What documents say of pages, without the time of the look.
fn said(documents: &BTreeMap<String, Value>) -> BTreeMap<String, Value> {
    let mut documents = documents.clone();
    for document in documents.values_mut() {
        document["fetched_at"] = Value::Null;
    }
    documents
}

#[test]
fn a_second_crawl_makes_the_model_that_a_fresh_one_would_make() {
    let (site, disk) = (first_state(), Disk::new());
    disk.crawl(&site.url("/"), &[]).code(0);
    assert_eq!(disk.pages(), ["/", "/changes", "/deep", "/goes", "/same"]);
    let first = disk.digest();

    change(&site);
    let ran = disk.crawl(&site.url("/"), &[]).code(0);
    assert!(ran.err.contains("2 unchanged") && ran.err.contains("1 gone"), "{}", ran.err);
    let asked = site.requests("/same");
    assert_eq!(asked.len(), 1);
    assert_eq!(asked[0].header("if-none-match"), Some("\"same-1\""));
    assert_eq!(site.requests("/deep")[0].header("if-modified-since"), Some("Sun, 06 Nov 1994 08:49:37 GMT"));
    assert_eq!(site.asked(), ["/", "/changes", "/deep", "/goes", "/new", "/same"]);

    let documents = disk.export();
    assert_eq!(documents.keys().collect::<Vec<_>>(), ["/", "/changes", "/deep", "/new", "/same"]);
    assert!(documents["/changes"].to_string().contains("far from the"));
    assert!(documents.values().all(|d| d["method"] == "auto"), "all were mined again");
    let anew = Disk::new();
    anew.crawl(&site.url("/"), &[]).code(0);
    assert_eq!(said(&documents), said(&anew.export()), "as if all had been mined anew");
    let second = disk.digest();
    assert_ne!(second, first);
    assert_eq!(second, fresh_digest(&site));
    disk.run("rebuild", &[]).code(0);
    assert_eq!(disk.digest(), second);
    assert_eq!(disk.pages(), ["/", "/changes", "/deep", "/new", "/same"]);
}

/// A page whose print view says the same, as long as both are there.
#[test]
fn duplicates_are_those_of_a_fresh_crawl() {
    let tale = |name: &str| html(name, &["/"]).replace("</p>", &format!(" {} {}</p>", prose("one"), prose("two")));
    let site = Site::of(&[("/", &["/tale", "/tale?print=1", "/tale/old", "/other"])]);
    for path in ["/tale", "/tale?print=1", "/tale/old"] {
        site.set(path, Reply::html(tale("tale")));
    }
    site.page("/other", &["/"]);
    let disk = Disk::new();
    let repeated = |disk: &Disk| -> Vec<(String, String)> {
        let documents = disk.export();
        let found = documents.iter().filter_map(|(path, document)| {
            let url = document["duplicate_of"].as_str()?;
            Some((path.clone(), url.strip_prefix(&site.url(""))?.to_owned()))
        });
        found.collect()
    };
    let pairs = |pairs: &[(&str, &str)]| -> Vec<(String, String)> {
        pairs.iter().map(|(a, b)| ((*a).to_owned(), (*b).to_owned())).collect()
    };
    let crawl = || {
        disk.crawl(&site.url("/"), &[]).code(0);
        let fresh = Disk::new();
        fresh.crawl(&site.url("/"), &[]).code(0);
        assert_eq!(said(&disk.export()), said(&fresh.export()), "as if all had been mined anew");
    };
    crawl();
    assert_eq!(repeated(&disk), pairs(&[("/tale/old", "/tale"), ("/tale?print=1", "/tale")]));
    // The original goes: one of the others is the original now. Until it is mined again, none is said to repeat what is gone.
    site.set("/tale", Reply::new(404, "gone"));
    disk.crawl(&site.url("/"), &["--no-mine"]).code(0);
    assert_eq!(repeated(&disk), []);
    crawl();
    assert_eq!(repeated(&disk), pairs(&[("/tale?print=1", "/tale/old")]));
    // It comes back, and the old one comes to tell something else.
    site.set("/tale", Reply::html(tale("tale")));
    site.set("/tale/old", Reply::html(html("/tale/old", &["/"])));
    crawl();
    assert_eq!(repeated(&disk), pairs(&[("/tale?print=1", "/tale")]));
}

#[test]
fn a_second_crawl_of_an_unchanged_site_changes_nothing() {
    let (site, disk) = (first_state(), Disk::new());
    disk.crawl(&site.url("/"), &[]).code(0);
    let (digest, export) = (disk.digest(), disk.export());
    disk.crawl(&site.url("/"), &[]).code(0);
    assert_eq!(disk.digest(), digest);
    let mut again = disk.export();
    for (path, document) in &mut again {
        // Only the time of the look may differ.
        document["fetched_at"] = export[path]["fetched_at"].clone();
    }
    assert_eq!(again, export);
}

#[test]
fn what_a_server_refuses_today_stays_from_yesterday() {
    let (site, disk) = (first_state(), Disk::new());
    disk.crawl(&site.url("/"), &[]).code(0);
    let digest = disk.digest();
    site.set("/changes", Reply::new(500, "oh"));
    disk.crawl(&site.url("/"), &[]).code(1).says(&[&site.url("/changes")]);
    assert_eq!(disk.pages(), ["/", "/changes", "/deep", "/goes", "/same"]);
    assert_eq!(disk.digest(), digest);
}

#[test]
fn a_page_that_comes_to_redirect_or_to_refuse_robots_leaves() {
    let (site, disk) = (first_state(), Disk::new());
    disk.crawl(&site.url("/"), &[]).code(0);
    site.set("/changes", Reply::to("/deep"));
    site.set("/goes", Reply::html(html("/goes", &[])).header("X-Robots-Tag", "noindex"));
    disk.crawl(&site.url("/"), &[]).code(0);
    assert_eq!(disk.pages(), ["/", "/deep", "/same"]);
    assert_eq!(disk.digest(), fresh_digest(&site));
}

#[test]
fn pages_that_robots_txt_comes_to_forbid_leave() {
    let (site, disk) = (first_state(), Disk::new());
    disk.crawl(&site.url("/"), &[]).code(0);
    site.robots("User-agent: *\nDisallow: /goes");
    disk.crawl(&site.url("/"), &[]).code(0);
    assert_eq!(disk.pages(), ["/", "/changes", "/deep", "/same"]);
    assert_eq!(disk.digest(), fresh_digest(&site));
}

#[test]
fn fresh_keeps_what_was_stored_when_no_page_comes() {
    let (site, disk) = (first_state(), Disk::new());
    disk.crawl(&site.url("/"), &[]).code(0);
    let digest = disk.digest();
    site.set("/", Reply::new(404, "gone"));
    disk.crawl(&site.url("/"), &["--fresh"]).refuses(&["nothing was crawled"]);
    assert_eq!(disk.digest(), digest);
}

#[test]
fn fresh_forgets_what_was_stored() {
    let (site, disk) = (first_state(), Disk::new());
    disk.crawl(&site.url("/"), &[]).code(0);
    change(&site);
    disk.crawl(&site.url("/"), &["--fresh"]).code(0);
    assert_eq!(site.requests("/same")[0].header("if-none-match"), None);
    assert_eq!(disk.pages(), ["/", "/changes", "/deep", "/new", "/same"]);
    assert_eq!(disk.digest(), fresh_digest(&site));
}

#[test]
fn a_raised_limit_takes_in_what_was_left() {
    let site = Site::of(&[("/", &["/a", "/b", "/c", "/d"])]);
    for path in ["/a", "/b", "/c", "/d"] {
        site.page(path, &["/"]);
    }
    let disk = Disk::new();
    for (limit, pages) in [("2", 2), ("4", 4), ("9", 5)] {
        disk.crawl(&site.url("/"), &["--limit", limit, "--no-mine"]).code(0);
        assert_eq!(disk.pages().len(), pages);
    }
    assert_eq!(disk.digest(), fresh_digest(&site));
}

#[test]
fn other_term_settings_are_refused_for_a_known_site() {
    let (site, disk) = (first_state(), Disk::new());
    disk.crawl(&site.url("/"), &[]).code(0);
    let digest = disk.digest();
    disk.crawl(&site.url("/"), &["--keep-numbers"]).refuses(&["without --keep-numbers", "--fresh"]);
    assert_eq!(disk.digest(), digest, "nothing was lost");
    disk.crawl(&site.url("/"), &["--keep-numbers", "--fresh"]).code(0);
    disk.digest();
}

#[test]
fn a_closed_door_takes_nothing_out_of_the_model() {
    let (site, disk) = (first_state(), Disk::new());
    disk.crawl(&site.url("/"), &[]).code(0);
    let digest = disk.digest();
    for path in ["/", "/same", "/deep", "/changes", "/goes"] {
        site.set(path, Reply::new(403, "not you"));
    }
    disk.crawl(&site.url("/"), &[]).says(&["access is denied"]);
    assert_eq!(disk.digest(), digest);
}

/// Pages are looked at for mining when they are crawled or imported; one that is not, as after a rebuild or in a crawl that does
/// not mine, is looked at by the mining itself. Lists and articles, in another charset too.
#[test]
fn it_does_not_matter_when_pages_are_looked_at() {
    let site = Site::start();
    let items: Vec<String> = (0..12).map(|n| format!("/item-{n}")).collect();
    let paths: Vec<&str> = items.iter().map(String::as_str).collect();
    let list = |paths: &[&str]| {
        let row =
            |path: &&str| format!("<li class=row><h3><a href={path}>About {path}</a></h3><p>{}</p></li>", prose(path));
        let rows = paths.iter().map(row).collect::<Vec<_>>().concat();
        format!("<html lang=en><title>All</title><h1>All items</h1><ul class=list>{rows}</ul></html>")
    };
    site.set("/", Reply::html(list(&paths)));
    for path in &paths {
        site.page(path, &["/"]);
    }
    let (gbk, ..) = encoding_rs::GBK.encode("<html lang=zh><title>灯塔</title><p>灯塔的守护人每天晚上都要爬上楼梯，点亮灯火，为返航的船只照亮港口的入口。<a href='/?名=灯'>返回</a>");
    site.set("/item-3", Reply::new(200, gbk.into_owned()).header("Content-Type", "text/html; charset=gbk"));

    let crawled = Disk::new();
    crawled.crawl(&site.url("/"), &[]).code(0);
    let wanted = said(&crawled.export());
    assert!(wanted.values().any(|page| page["records"].as_array().is_some_and(|lists| !lists.is_empty())), "a list");

    let later = Disk::new();
    later.crawl(&site.url("/"), &["--no-mine"]).code(0);
    later.run("mine", &[]).code(0);
    assert_eq!(said(&later.export()), wanted, "looked at by mining");

    let archives = crawled.archives();
    let imported = Disk::new();
    imported.run("import", &archives.iter().map(|path| path.to_str().expect("UTF-8")).collect::<Vec<_>>()).code(0);
    imported.run("mine", &[]).code(0);
    assert_eq!(said(&imported.export()), wanted, "looked at by the import");

    let plain = Disk::new();
    let paths = archives.iter().map(|path| path.to_str().expect("UTF-8"));
    let ran = plain.run("import", &["--method", "wisdom"].into_iter().chain(paths).collect::<Vec<_>>()).code(0);
    ran.says(&["wisdom mine", "--method wisdom"]);
    plain.run("mine", &[]).code(0);
    assert_eq!(said(&plain.export()), wanted, "not looked at by the import");

    crawled.run("rebuild", &[]).code(0);
    crawled.run("mine", &[]).code(0);
    assert_eq!(said(&crawled.export()), wanted, "looked at after a rebuild");
}
