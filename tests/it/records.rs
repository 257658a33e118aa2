//! `wisdom records`: inputs, formats, methods, errors and exit codes.

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

/// The best list of a page: its row texts, one a record, and its table.
fn best(page: &str, arguments: &[&str]) -> (Vec<String>, Value) {
    let dir = folder(&[("a.html", page.as_bytes())]);
    let path = dir.path().join("a.html");
    let ran = wisdom([&["records"], arguments, &[path.to_str().expect("a path")]].concat()).code(0);
    let line: Value = serde_json::from_str(&ran.out).expect("JSON");
    let region = &line["regions"][0];
    if let Some(at) = arguments.iter().position(|&argument| argument == "--method") {
        assert_eq!(region["method"], arguments[at + 1]);
    }
    let records = region["records"].as_array().expect("records");
    let texts = records.iter().filter_map(|record| record["text"].as_str()).map(|text| text.replace('\n', " "));
    (texts.collect(), region["table"].clone())
}

const BOATS: [(&str, &str); 5] =
    [("Alma", "$9,200"), ("Brise", "$14,500"), ("Cora", "$3,750"), ("Dagny", "$21,000"), ("Elida", "$7,900")];

/// As published, a row of names glues five rows of boats together to three records of two rows; the repair keeps the rows.
#[test]
fn mdr_as_published_and_repaired() {
    let row =
        |(name, price)| format!("<tr><td><a href=/{name}><b>{name}</b></a><td><img src={name}.jpg><td><i>{price}</i>");
    let page = format!("<table><tr><td>Boats<td>for<td>sale{}</table>", BOATS.map(row).concat());
    let (texts, table) = best(&page, &["--method", "mdr-repaired"]);
    assert_eq!(texts, BOATS.map(|(name, price)| format!("{name} {price}")));
    let cells = BOATS.map(|(name, price)| [format!("/{name}"), name.into(), format!("{name}.jpg"), price.into()]);
    assert_eq!(table, serde_json::json!(cells));
    let (texts, table) = best(&page, &["--method", "mdr"]);
    assert_eq!(texts, ["Boats for sale Alma $9,200", "Brise $14,500 Cora $3,750", "Dagny $21,000 Elida $7,900"]);
    assert_eq!(table.as_array().map(Vec::len), Some(3));
}

/// Offers within goods: a row an offer, the good's name in each.
#[test]
fn net_expands_nested_records() {
    let offer = |(size, price)| format!("<p><b>{size}</b> <i>{price}</i></p>");
    let jar = [("8 oz", "$3"), ("1 pt", "$5")].map(offer).concat();
    let rack = [("12 in", "$9"), ("18 in", "$12"), ("24 in", "$15")].map(offer).concat();
    let page = format!("<h1>Tins</h1><ul><li><h3>Jar</h3>{jar}</li><li><h3>Rack</h3>{rack}</li></ul>");
    let (texts, table) = best(&page, &["--method", "net"]);
    assert_eq!(texts, ["Jar 8 oz $3 1 pt $5", "Rack 12 in $9 18 in $12 24 in $15"]);
    let wanted = serde_json::json!([
        ["Jar", "8 oz", "$3"],
        ["Jar", "1 pt", "$5"],
        ["Rack", "12 in", "$9"],
        ["Rack", "18 in", "$12"],
        ["Rack", "24 in", "$15"]
    ]);
    assert_eq!(table, wanted);
}

/// Four notices of unlike lengths, their parts divided by breaks.
fn notices() -> String {
    let names = ["Ada Berg", "Carl Dahl", "Eva Frost", "Gil Holm"];
    let notice = |(at, name): (usize, &str)| {
        let words = ["He", "kept", "bees"].iter().take(2 + at % 2).map(|word| format!("<i>{word}</i> "));
        let words: String = words.collect();
        format!("<b>{name}</b> died on May {}, aged 8{at}.<br>{words}<br>Funeral services on Friday.<br>", at + 2)
    };
    format!("<div>{}</div>", names.into_iter().enumerate().map(notice).collect::<String>())
}

/// Tags alone divide the notices at each break. An ontology, shipped or in a file, knows that they are four.
#[test]
fn embley_asks_the_ontology() {
    let (texts, _) = best(&notices(), &["--method", "embley"]);
    assert_eq!(texts.len(), 12, "{texts:?}");
    let dir = tempfile::tempdir().expect("a folder");
    let file = dir.path().join("notices.txt");
    let fields = ["died on", "aged", "(?i)funeral services"]
        .map(|words| format!("object {words}\nrelation one-to-one\nkeyword {words}\n"))
        .concat();
    let others = "object Other\n".repeat(12);
    std::fs::write(&file, format!("# Of our own.\nontology notices\n{fields}{others}")).expect("an ontology");
    for name in ["obituaries", file.to_str().expect("a path")] {
        let (texts, table) = best(&notices(), &["--method", "embley", "--ontology", name]);
        assert_eq!(texts.len(), 4, "{name}: {texts:?}");
        assert_eq!(texts[1], "Carl Dahl died on May 3, aged 81. He kept bees Funeral services on Friday.");
        let names = [0, 1, 2, 3].map(|row| table[row][0].as_str().unwrap_or_default().to_owned());
        assert_eq!(names, ["Ada Berg", "Carl Dahl", "Eva Frost", "Gil Holm"], "aligned: {table}");
    }
}

#[test]
fn an_ontology_that_cannot_be_used_is_told() {
    let dir = folder(&[
        ("a.html", notices().as_bytes()),
        ("word.txt", b"ontology a\n\nobjects B\n"),
        ("pattern.txt", b"ontology a\nobject B\nkeyword (\n"),
        ("few.txt", b"ontology a\nobject B\nrelation one-to-one\nkeyword died\n"),
    ]);
    let path = |name: &str| dir.path().join(name).to_str().expect("a path").to_owned();
    let page = path("a.html");
    let with = |name: &str| wisdom(["records", "--method", "embley", "--ontology", name, &page]);
    with("weather").refuses(&["--ontology weather", "obituaries, car-ads, job-ads, courses"]);
    with(&path("word.txt")).refuses(&["word.txt", "correct", "line 3", "`objects` is none of"]);
    with(&path("pattern.txt")).refuses(&["pattern.txt", "correct", "line 3", "unclosed group"]);
    with(&path("few.txt")).code(0).says(&["warning", "few.txt", "no vote"]);
    for method in ["auto", "mdr", "mdr-repaired", "net"] {
        let ran = wisdom(["records", "--method", method, "--ontology", "obituaries", &page]);
        ran.refuses(&["--ontology", method, "--method embley"]);
    }
    wisdom(["records", "--ontology", "obituaries", &page]).refuses(&["--method embley"]);
}
