//! Pages in the charsets of the web: what they say comes out right, however it was declared.

use crate::run::Disk;
use crate::site::{Reply, Site};
use encoding_rs::{BIG5, EUC_KR, Encoding, GBK, WINDOWS_1252};

/// Where a page says what it is written in.
enum Declared {
    Header(&'static str),
    Meta(&'static str),
    Nowhere,
}

/// Crawls one page in `encoding`, and checks its title, text, links and charset.
#[track_caller]
fn comes_out_right(encoding: &'static Encoding, declared: &Declared, title: &str, text: &str, charset: &str) {
    let meta = match declared {
        Declared::Meta(name) => format!("<meta charset=\"{name}\">"),
        _ => String::new(),
    };
    let paragraph = text.repeat(4);
    let page = format!(
        "<!DOCTYPE html><html><head>{meta}<title>{title}</title></head><body><h1>{title}</h1>\
         <p>{paragraph}</p><p>{paragraph}</p><a href=\"/next\">{title}</a></body></html>"
    );
    let (bytes, _, lossy) = encoding.encode(&page);
    assert!(!lossy, "the test's own text fits the charset");
    let kind = match declared {
        Declared::Header(name) => format!("text/html; charset={name}"),
        _ => "text/html".to_owned(),
    };
    let site = Site::start();
    site.set("/", Reply::new(200, bytes.into_owned()).header("Content-Type", &kind));
    site.page("/next", &["/"]);
    let disk = Disk::new();
    disk.crawl(&site.url("/"), &[]).code(0);
    let documents = disk.export();
    let document = &documents["/"];
    assert_eq!(document["title"], title);
    assert_eq!(document["charset"].as_str().unwrap_or_default().to_ascii_lowercase(), charset);
    let inspected = disk.run("inspect", &[&site.url("/")]).code(0).out;
    let beginning: String = text.chars().take(12).collect();
    assert!(inspected.contains(&beginning), "{inspected}");
    let said = document["text"].as_str().unwrap_or_default();
    assert!(said.contains(text.trim()), "{document:#}");
}

const CHINESE: &str = "港口的灯塔在冬天的夜里照亮了归来的渔船，老人们说这盏灯已经亮了一百年。";

#[test]
fn gbk_declared_by_the_header() {
    comes_out_right(GBK, &Declared::Header("GBK"), "港口新闻", CHINESE, "gb18030");
}

#[test]
fn gb2312_declared_by_a_meta_is_what_browsers_take_it_for() {
    // These characters are in GBK, which GB18030 extends, and not in GB2312.
    comes_out_right(GBK, &Declared::Meta("gb2312"), "鎔基與囍事", CHINESE, "gb18030");
}

#[test]
fn gbk_that_nobody_declared() {
    comes_out_right(GBK, &Declared::Nowhere, "港口新闻", CHINESE, "gb18030");
}

#[test]
fn big5_declared_by_a_meta() {
    let text = "港口的燈塔在冬天的夜裡照亮了歸來的漁船，老人們說這盞燈已經亮了一百年。";
    comes_out_right(BIG5, &Declared::Meta("big5"), "港口新聞", text, "big5");
}

#[test]
fn euc_kr_declared_by_the_header() {
    let text = "항구의 등대는 겨울 밤에 돌아오는 어선을 비추었고 노인들은 이 등불이 백 년 동안 켜져 있었다고 말한다. ";
    comes_out_right(EUC_KR, &Declared::Header("euc-kr"), "항구 소식", text, "euc-kr");
}

#[test]
fn iso_8859_1_is_windows_1252() {
    let text = "Le phare du port éclaire à l’aube les bateaux rentrés – « déjà cent ans », disent les aînés. ";
    comes_out_right(WINDOWS_1252, &Declared::Header("ISO-8859-1"), "Café du port", text, "windows-1252");
}

#[test]
fn iso_8859_1_declared_by_a_meta() {
    let text = "Die Fischer grüßen früh am Morgen die Möwen über dem Hafen, und die Älteren erzählen Märchen. ";
    comes_out_right(WINDOWS_1252, &Declared::Meta("latin1"), "Grüße", text, "windows-1252");
}
