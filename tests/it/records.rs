//! `wisdom records`: inputs, formats, errors and exit codes.

use crate::run::wisdom;
use serde_json::Value;
use std::io::Write;

const PAGE: &str =
    "<html><body><ul class=menu><li><a href=/>Home</a><li><a href=/x>Shop</a><li><a href=/y>Help</a></ul>
<table><tr><th>Boat</th><th>Price</th><th>Remarks</th></tr>
<tr><td><a href=/1>Alma</a></td><td>$9,200</td><td>Built of larch on oak, lies at the quay</td></tr>
<tr><td><a href=/2>Brise</a></td><td>$14,500</td><td>=HYPERLINK(\"x\") is what somebody wrote here</td></tr>
<tr><td><a href=/3>Cora</a></td><td>$3,750</td><td>Small, dry, with an engine that starts</td></tr>
<tr><td><a href=/4>松月号</a></td><td>$21,000</td><td>四十个冬天都在港口服务的老船</td></tr></table></body></html>";

fn folder(pages: &[(&str, &[u8])]) -> tempfile::TempDir {
    let dir = tempfile::tempdir().expect("a folder");
    for (name, bytes) in pages {
        std::fs::write(dir.path().join(name), bytes).expect("a page");
    }
    dir
}

#[test]
fn json_lines_come_in_order_with_errors_in_their_places() {
    let mut packed = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    packed.write_all(PAGE.as_bytes()).expect("packing");
    let packed = packed.finish().expect("packing");
    let dir =
        folder(&[("a.html", PAGE.as_bytes()), ("b.html", b"\x00\x01\x02\x03binary\x00\x00"), ("c.html.gz", &packed)]);
    let ran = wisdom(["records", "--jobs", "3", dir.path().to_str().expect("a path")]).code(1);
    let lines: Vec<Value> = ran.out.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    let ids: Vec<&str> = lines.iter().filter_map(|line| line["id"].as_str()).collect();
    assert_eq!(ids, ["a", "b", "c"]);
    assert!(lines[1]["error"].is_string() && lines[1].get("regions").is_none());
    assert_eq!(lines[0]["regions"], lines[2]["regions"]);
    let best = &lines[0]["regions"][0];
    assert_eq!(best["method"], "auto");
    assert!(best["path"].as_str().is_some_and(|path| path.contains("table")));
    assert_eq!(best["records"].as_array().map(Vec::len), Some(4));
    assert!(best["records"][0]["text"].as_str().is_some_and(|text| text.contains("Alma")));
    assert!(best["records"][0]["items"].as_array().is_some_and(|items| items.contains(&"$9,200".into())));
    let columns = best["columns"].as_array().expect("columns");
    let price = columns.iter().position(|c| c["name"] == "Price").expect("a name from the head of the table");
    assert_eq!(columns[price]["kind"], "price");
    assert_eq!(best["table"][2][price], "$3,750");
    ran.says(&["b.html", "binary"]);
}

#[test]
fn csv_is_quoted_and_harmless() {
    let dir = folder(&[("a.html", PAGE.as_bytes())]);
    let out = dir.path().join("out.csv");
    let page = dir.path().join("a.html");
    let arguments =
        ["records", "--format", "csv", "--out", out.to_str().expect("a path"), page.to_str().expect("a path")];
    wisdom(arguments).code(0);
    let csv = std::fs::read_to_string(&out).expect("the file");
    let lines: Vec<&str> = csv.split("\r\n").collect();
    assert_eq!(lines.len(), 6, "a head, four rows, an end: {csv}");
    assert!(lines[0].contains("Boat") && lines[0].contains("Price"), "{csv}");
    assert!(csv.contains("\"'=HYPERLINK(\"\"x\"\") is what somebody wrote here\""), "{csv}");
    assert!(csv.contains("\"$9,200\""), "{csv}");
}

#[test]
fn a_table_for_people_fits_its_width() {
    let dir = folder(&[("a.html", PAGE.as_bytes())]);
    let page = dir.path().join("a.html");
    let ran = wisdom(["records", "--format", "table", page.to_str().expect("a path")]).code(0);
    assert!(ran.out.lines().next().is_some_and(|line| line.contains("Boat")), "{}", ran.out);
    assert!(ran.out.contains("松月号"));
    let ran = wisdom(["records", "--format", "table", "--region", "999", page.to_str().expect("a path")]).code(0);
    assert_eq!(ran.out, "no records\n");
}

#[test]
fn what_cannot_be_done_is_refused() {
    wisdom(["records", "--format", "csv", "no-such-page.html"]).refuses(&["no-such-page.html"]);
    let dir = folder(&[("a.html", PAGE.as_bytes())]);
    let page = dir.path().join("a.html");
    wisdom(["records", "--region", "2", page.to_str().expect("a path")]).refuses(&["--region", "csv"]);
}
