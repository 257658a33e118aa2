//! Whether time grows with the page and no faster: pages that are made to be slow, each at one, two and four times a size.
//!
//!     hostile [--size 250000] [KIND]...
//!
//! One line a kind: for each size the page's bytes, seconds to extract its text and nodes, and how much longer the
//! largest took than the smallest: 4 is linear, 16 quadratic.

use std::time::Instant;
use wisdom::article::{Hints, extract};

/// A page of a kind, of so many parts.
type Make = fn(usize) -> String;

const KINDS: &[(&str, Make)] = &[
    ("one text", |n| "x".repeat(40 * n)),
    ("lines in a table", |n| format!("<table>{}", "x\n".repeat(10 * n))),
    ("div", |n| "<div>x".repeat(n)),
    ("b", |n| "<b>x".repeat(n)),
    ("b with ids", |n| parts(n, |i| format!("<b id={i}>x"))),
    ("a", |n| "<a href=x>x".repeat(n)),
    ("table", |n| "<table>x".repeat(n)),
    ("table tr td", |n| "<table><tr><td>x".repeat(n)),
    ("font in p", |n| parts(n, |i| format!("<p><font color={i}>x"))),
    ("svg", |n| "<svg>x".repeat(n)),
    ("svg foreignObject", |n| "<svg><foreignObject>x".repeat(n)),
    ("math", |n| "<math><mi>x".repeat(n)),
    ("select", |n| "<select><option>x".repeat(n)),
    ("template", |n| "<template>x".repeat(n)),
    ("button", |n| "<button>x".repeat(n)),
    ("li", |n| "<ul><li>x".repeat(n)),
    ("ruby", |n| "<ruby><rt>x".repeat(n)),
    ("custom names", |n| parts(n, |i| format!("<x-{i}>x"))),
    ("custom names, closed", |n| parts(n, |i| format!("<x-name-{i}>x</x-name-{i}>"))),
    ("end tags alone", |n| "</p></b></div></table>".repeat(n)),
    ("end tags in depth", |n| format!("{}{}", "<div>".repeat(500), "</p></i></x>".repeat(n))),
    ("attribute value", |n| format!("<a title='{}'>x", "x".repeat(40 * n))),
    ("value copied", |n| format!("<div><b title='{}'></div>{}", "x".repeat(10 * n), "<div><p>x</p></div>".repeat(n))),
    ("link copied", |n| format!("<div><a href='{}'></div>{}", "x".repeat(10 * n), "<div>x</div>".repeat(n))),
    ("attributes", |n| format!("<a {}>x", parts(n, |i| format!("a{i}=1 ")))),
    ("body tags", |n| parts(n, |i| format!("<body class=c{i} id=i title=t>x"))),
    ("comments", |n| "<!-- c -->x".repeat(n)),
    ("open comments", |n| "<!-- ".repeat(n)),
    ("foster parents", |n| format!("<table>{}", "<tr><td>y</td>x".repeat(n))),
    ("foster parents, blocks", |n| format!("<table>{}", "<p>x<tr>".repeat(n))),
    ("foster links", |n| format!("<table>{}", "<a href=x>x<tr>".repeat(n))),
    ("NULs", |n| format!("<p>{}", "x\0".repeat(10 * n))),
    ("NULs in a table", |n| format!("<table>{}", "x\0".repeat(10 * n))),
    ("plaintext", |n| format!("<plaintext>{}", "<p>x".repeat(n))),
    ("framesets", |n| format!("<body>x{}", "<frameset><frame>".repeat(n))),
    ("misnested", |n| "<b><i><p>x</b></i></p>".repeat(n)),
    ("misnested, open", |n| "<b><p>x</b><i><div></i>".repeat(n)),
    ("misnested links", |n| "<a><p><a><div>x</a>".repeat(n)),
    ("nobr", |n| "<nobr><p>x".repeat(n)),
    ("applets", |n| "<applet><b>x".repeat(n)),
    ("scripts", |n| "<script>'x'</script>y".repeat(n)),
    ("open scripts", |n| "<script><!-- <script>".repeat(n)),
    ("scripts in comments", |n| "<script><!-- <script></script>".repeat(n)),
    ("almost end tags", |n| format!("<script>{}", "</scrip></scripts>".repeat(n))),
    ("styles", |n| "<style>a{}</style>y".repeat(n)),
    ("textarea", |n| format!("<textarea>{}", "</textare>\n".repeat(n))),
    ("references", |n| "&amp;&notit;&#0;&#x110000;&".repeat(n)),
    ("quotes", |n| "<a b='\">x".repeat(n)),
    ("doctypes", |n| "<!DOCTYPE x SYSTEM 'y'>".repeat(n)),
    ("forms", |n| "<form><input name=a><form>".repeat(n)),
    ("headings", |n| "<h1><h2>x".repeat(n)),
    ("less-than signs", |n| "<".repeat(20 * n)),
    ("hidden", |n| "<div hidden>x</div><p style='a:b;display:none'>x</p>y".repeat(n)),
    ("styles of many parts", |n| format!("<p style='{}'>x", "a:b;".repeat(10 * n))),
];

fn parts(n: usize, part: impl Fn(usize) -> String) -> String {
    (0..n).map(part).collect()
}

fn main() {
    let (mut size, mut wanted) = (250_000, Vec::new());
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        match argument.as_str() {
            "--size" => size = arguments.next().and_then(|n| n.parse().ok()).unwrap_or(size),
            _ => wanted.push(argument),
        }
    }
    for (kind, make) in KINDS.iter().filter(|(kind, _)| wanted.is_empty() || wanted.iter().any(|w| w == kind)) {
        print!("{kind:24}");
        let mut times = Vec::new();
        for times_larger in [1, 2, 4] {
            let page = make(size * times_larger);
            let start = Instant::now();
            let done = extract(page.as_bytes(), &Hints::default());
            let text = done.text();
            times.push(start.elapsed().as_secs_f64());
            let megabytes = page.len() as f64 / 1e6;
            print!(" | {megabytes:5.1} MB {:6.2} s {:8} nodes", times[times.len() - 1], done.dom.len());
            std::hint::black_box(text);
        }
        println!(" | {:5.1}", times[2] / times[0].max(1e-9));
    }
}
