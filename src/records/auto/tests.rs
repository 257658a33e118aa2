//! One page of our own a shape: which list comes first, and what its records are.

#![allow(clippy::format_collect, reason = "short pages, written once")]

use super::MOST;
use super::candidates::{Origin, candidates};
use super::view::View;
use crate::dom::Dom;
use crate::records::{Method, Region, records};
use proptest::prelude::*;
use std::fmt::Write as _;

const MENU: &str = "<div id=nav><ul><li><a href=/>Home</a></li><li><a href=/n>News</a></li><li><a href=/s>Shop</a></li>\
    <li><a href=/a>About</a></li><li><a href=/c>Contact</a></li><li><a href=/h>Help</a></li><li><a href=/j>Jobs</a></li>\
    <li><a href=/l>Login</a></li></ul></div><h1>All offers</h1>";
const FOOTER: &str =
    "<div id=footer><p>Copyright 2009 The Harbour Press <a href=/t>Terms</a> <a href=/p>Privacy</a></p></div>";

/// Boats for sale: a title, a price and a sentence each.
const BOATS: [(&str, &str, &str); 7] = [
    ("Alma, a cutter", "$9,200", "Built of larch on oak, new rigging, lies at the north quay."),
    ("Brise, a ketch", "$14,500", "Sails like the wind she is named for, if somebody paints her."),
    ("Cora, a sloop", "$3,750", "Small and dry, with an engine that starts at the second pull."),
    ("Dagny, a pilot boat", "$21,000", "Served forty winters at the bar, and would serve forty more."),
    ("Elida, a yawl", "$7,900", "The mast is new, the deck is tight, the cabin sleeps three."),
    ("Freya, a dory", "$1,150", "Oars and trailer go with her, and the smell of herring."),
    ("Gunvor, a smack", "$17,300", "Fished until last spring; nets and licence by agreement."),
];

/// A page with a menu before and a footer behind.
fn page(body: &str) -> Dom {
    Dom::parse(&format!("<html><body>{MENU}<div>{body}</div>{FOOTER}</body></html>"))
}

fn each(form: impl Fn(usize, &str, &str, &str) -> String) -> Vec<String> {
    BOATS.iter().enumerate().map(|(at, (title, price, text))| form(at, title, price, text)).collect()
}

fn texts(dom: &Dom, region: &Region) -> Vec<String> {
    region.records.iter().map(|record| record.text(dom)).collect()
}

/// Checks that the first region is the boats, each whole and alone.
#[track_caller]
fn holds_the_boats(body: &str) -> (Dom, Region) {
    let dom = page(body);
    let regions = records(&dom, Method::Auto);
    let region = regions.first().cloned().unwrap_or_else(|| panic!("no region in {body}"));
    let texts = texts(&dom, &region);
    assert_eq!(texts.len(), BOATS.len(), "{texts:#?}");
    for ((title, price, sentence), text) in BOATS.iter().zip(&texts) {
        for part in [title, price, sentence] {
            assert!(text.contains(part), "{part:?} is not in {text:?}");
        }
        assert_eq!(BOATS.iter().filter(|(other, ..)| text.contains(other)).count(), 1, "{text:?}");
    }
    assert!(region.table.rows.iter().all(|row| row.len() == region.table.columns.len()));
    (dom, region)
}

#[test]
fn cards() {
    let cards =
        each(|at, t, p, s| format!("<div class=card><h3><a href=/b/{at}>{t}</a></h3><span>{p}</span><p>{s}</p></div>"));
    holds_the_boats(&format!("<div class=cards>{}</div>", cards.concat()));
    let items = each(|at, t, p, s| format!("<li><a href=/b/{at}>{t}</a> <b>{p}</b><p>{s}</p></li>"));
    holds_the_boats(&format!("<ul>{}</ul>", items.concat()));
    let sections =
        each(|at, t, p, s| format!("<section><h2><a href=/b/{at}>{t}</a></h2><p>{p}</p><p>{s}</p></section>"));
    holds_the_boats(&sections.concat());
}

#[test]
fn adverts_and_headers_between_records_are_none() {
    let mut cards =
        each(|at, t, p, s| format!("<div class=item><h3><a href=/b/{at}>{t}</a></h3><i>{p}</i><p>{s}</p></div>"));
    cards.insert(4, "<div class=promo><a href=/ad>Sponsored: paint</a><img src=ad.gif></div>".to_owned());
    cards.insert(0, "<div class=head>Seven boats</div>".to_owned());
    let (dom, region) = holds_the_boats(&format!("<div class=list>{}</div>", cards.concat()));
    assert!(texts(&dom, &region).iter().all(|text| !text.contains("Sponsored") && !text.contains("Seven boats")));
}

#[test]
fn classes_of_state_do_not_split_a_list() {
    let items = each(|at, t, p, s| {
        let state = ["first odd", "even", "odd hot", "even", "odd", "even sold", "odd last"][at];
        format!("<li class='item item-{at} {state}'><a href=/b/{at}>{t}</a><b>{p}</b><p>{s}</p></li>")
    });
    holds_the_boats(&format!("<ul class=items>{}</ul>", items.concat()));
}

#[test]
fn groups_under_dates_are_one_list() {
    let items = each(|at, t, p, s| format!("<li class=item><h4><a href=/b/{at}>{t}</a></h4><b>{p}</b><p>{s}</p></li>"));
    let mut body = String::new();
    for (day, items) in [(3, &items[..2]), (4, &items[2..5]), (5, &items[5..])] {
        let _ = write!(body, "<div class=day><h3>{day} March</h3><ul>{}</ul></div>", items.concat());
    }
    holds_the_boats(&format!("<div class=days>{body}</div>"));
}

#[test]
fn rows_of_cards_are_no_records() {
    let cards = each(|at, t, p, s| {
        format!("<article class=card><h3><a href=/b/{at}>{t}</a></h3><b>{p}</b><p>{s}</p></article>")
    });
    let rows: Vec<String> = cards.chunks(3).map(|row| format!("<div class=row>{}</div>", row.concat())).collect();
    holds_the_boats(&format!("<div class=grid>{}</div>", rows.concat()));
}

#[test]
fn of_nested_lists_the_outer_records_are_the_records() {
    let items = each(|at, t, p, s| {
        let offers: String =
            (0..=at % 3 + 1).map(|n| format!("<li class=offer>Broker {at}{n}: <b>{p}</b></li>")).collect();
        format!("<div class=boat><h3><a href=/b/{at}>{t}</a></h3><p>{s}</p><ul class=offers>{offers}</ul></div>")
    });
    holds_the_boats(&format!("<div class=boats>{}</div>", items.concat()));
}

#[test]
fn tables() {
    let rows = each(|at, t, p, s| format!("<tr><td><a href=/b/{at}>{t}</a></td><td>{p}</td><td>{s}</td></tr>"));
    let head = "<tr><th>Boat</th><th>Price</th><th>Remarks</th></tr>";
    let (_, region) = holds_the_boats(&format!("<table>{head}{}</table>", rows.concat()));
    let names: Vec<Option<&str>> = region.table.columns.iter().map(|c| c.name.as_deref()).collect();
    assert!(["Boat", "Price", "Remarks"].iter().all(|name| names.contains(&Some(name))), "{names:?}");
    let price = region.table.columns.iter().position(|c| c.name.as_deref() == Some("Price")).expect("the column");
    assert_eq!(region.table.columns[price].kind.name(), "price");
    assert_eq!(region.table.rows[2][price], "$3,750");
}

#[test]
fn two_rows_a_record() {
    let rows = each(|at, t, p, s| {
        format!("<tr><td rowspan=2>{at}.</td><td><a href=/b/{at}>{t}</a></td></tr><tr><td>{p} {s}</td></tr>")
    });
    holds_the_boats(&format!("<table>{}</table>", rows.concat()));
}

#[test]
fn a_cell_that_spans_rows_begins_a_record() {
    let rows = each(|at, t, p, s| {
        format!(
            "<tr><td rowspan=3><a href=/b/{at}>{t}</a></td><td>{p}</td></tr><tr><td>{s}</td></tr><tr><td>ref {at}</td></tr>"
        )
    });
    holds_the_boats(&format!("<table>{}</table>", rows.concat()));
}

#[test]
fn records_between_separators() {
    for separator in ["<hr>", "<br><br>"] {
        let parts = each(|_, t, p, s| format!("<b>{t}</b> {p} <i>as seen</i> {s}"));
        holds_the_boats(&format!("<div>{}</div>", parts.join(separator)));
    }
}

#[test]
fn paragraphs_that_are_left_open() {
    let parts = each(|at, t, p, s| format!("<p><b><a href=/b/{at}>{t}</a></b>, {p}. {s}"));
    holds_the_boats(&format!("<div class=list>{}</div>", parts.concat()));
}

#[test]
fn headings_with_what_follows() {
    let parts = each(|at, t, p, s| format!("<h3><a href=/b/{at}>{t}</a></h3><div class=meta>{p}</div><p>{s}</p>"));
    holds_the_boats(&format!("<div class=posts>{}</div>", parts.concat()));
}

#[test]
fn definition_lists() {
    let parts = each(|at, t, p, s| format!("<dt><a href=/b/{at}>{t}</a></dt><dd>{p}</dd><dd>{s}</dd>"));
    holds_the_boats(&format!("<dl>{}</dl>", parts.concat()));
}

#[test]
fn cells_one_above_the_other() {
    let mut rows = String::new();
    for boats in BOATS.chunks(3) {
        let titles: String = boats.iter().map(|(t, ..)| format!("<td><b>{t}</b></td>")).collect();
        let rest: String = boats.iter().map(|(_, p, s)| format!("<td>{s}<br>{p}</td>")).collect();
        let _ = write!(rows, "<tr>{titles}</tr><tr>{rest}</tr>");
    }
    holds_the_boats(&format!("<table>{rows}</table>"));
}

#[test]
fn menus_and_tags_rank_below_a_shorter_list() {
    let tags: String = (0..60).map(|n| format!("<a href=/t/{n}>sail{n}</a> ")).collect();
    let pages: String = (1..30).map(|n| format!("<li><a href=/p/{n}>{n}</a></li>")).collect();
    let items = each(|at, t, p, s| format!("<li class=entry><a href=/b/{at}>{t}</a><em>{p}</em><p>{s}</p></li>"));
    let list = items.concat();
    holds_the_boats(&format!("<div class=tags>{tags}</div><ul class=entries>{list}</ul><ul class=pages>{pages}</ul>"));
}

#[test]
fn chinese_news() {
    let titles = [
        "港口新码头本月开放",
        "老桥维修延期三周",
        "渔市搬迁方案公布",
        "夜校招收新学员",
        "台风过后渡轮恢复",
        "图书馆延长开放时间",
    ];
    let items: String = titles
        .iter()
        .enumerate()
        .map(|(n, t)| format!("<li>·<a href=/n/{n}>{t}</a><span>[2020-03-0{n}]</span></li>"))
        .collect();
    let dom = page(&format!("<ul>{items}<li class=line></li></ul>"));
    let regions = records(&dom, Method::Auto);
    let texts = texts(&dom, &regions[0]);
    assert_eq!(texts.len(), titles.len(), "{texts:?}");
    assert!(titles.iter().zip(&texts).all(|(title, text)| text.contains(title)), "{texts:?}");
    assert!(regions[0].table.columns.iter().any(|column| column.kind.name() == "date"));
}

/// Rows of two colours are rows, whether their number is odd or even, and items of two colours are items.
#[test]
fn rows_of_two_colours_are_not_glued_in_pairs() {
    for count in [4, 6, 7] {
        let row = |at: usize, colour: &str| {
            let (title, price, text) = BOATS[at];
            format!("<tr{colour}><td>{title}</td><td>{price}</td><td>{text}</td></tr>")
        };
        for colours in [[" class=odd", " class=even"], ["", " class=alt"]] {
            let rows: String = (0..count).map(|at| row(at, colours[at % 2])).collect();
            let dom = page(&format!("<table>{rows}</table>"));
            assert_eq!(texts(&dom, &records(&dom, Method::Auto)[0]).len(), count, "{colours:?}");
        }
        let items: String = (0..count)
            .map(|at| format!("<li class={}><a href=/b/{at}>{}</a></li>", ["odd", "even"][at % 2], BOATS[at].0))
            .collect();
        let dom = Dom::parse(&format!("<ul>{items}</ul>{FOOTER}"));
        assert_eq!(texts(&dom, &records(&dom, Method::Auto)[0]).len(), count);
    }
}

#[test]
fn comments_with_and_without_answers_are_one_list() {
    let comment = |at: usize, inner: &str| {
        let (title, _, text) = BOATS[at % 7];
        format!("<div class=note><b>{title}</b><p>{text}</p>{inner}</div>")
    };
    let answer = |at: usize| comment(at + 3, "").replace("quay", "pier");
    let notes: String = (0..7).map(|at| comment(at, &if at % 3 == 0 { answer(at) } else { String::new() })).collect();
    let dom = page(&format!("<div id=notes>{notes}</div>"));
    assert_eq!(texts(&dom, &records(&dom, Method::Auto)[0]).len(), 7);
}

/// The heading of the next group belongs to no record, whatever element it is.
#[test]
fn headings_between_records_belong_to_none() {
    for (heading, item) in [
        ("h3", "p"),
        ("dt", "dd"),
        ("li class=day", "li"),
        ("div class=day", "div class=boat"),
        ("tr><th colspan=2", "tr"),
    ] {
        let (open, close) =
            (|tag: &str| format!("<{tag}>"), |tag: &str| format!("</{}>", tag.split(['>', ' ']).next().unwrap_or(tag)));
        let mut body = String::new();
        for (at, (title, price, _)) in BOATS.iter().enumerate() {
            if matches!(at, 0 | 3 | 5) {
                let _ = write!(body, "{}{at} March{}", open(heading), close(heading));
            }
            let cells = format!("<a href=/b/{at}>{title}</a> <i>{price}</i>");
            let cells = if item == "tr" { format!("<td><a href=/b/{at}>{title}</a><td>{price}") } else { cells };
            let _ = write!(body, "{}{cells}{}", open(item), close(item));
        }
        let parent = match item {
            "dd" => "dl",
            "li" => "ul",
            "tr" => "table",
            _ => "main",
        };
        let dom = page(&format!("<{parent}>{body}</{parent}>"));
        let texts = texts(&dom, &records(&dom, Method::Auto)[0]);
        assert_eq!(texts.len(), BOATS.len(), "{heading}: {texts:#?}");
        assert!(texts.iter().all(|text| !text.contains("March")), "{heading}: {texts:#?}");
    }
}

/// As many events each day, and a day with a single one: the records are the events, and each is told with its day.
#[test]
fn events_under_their_days_are_records() {
    let item = |at: usize, (open, close): (&str, &str)| {
        let (title, price, _) = BOATS[at];
        if open.starts_with("<tr") {
            return format!("{open}<td>{price}</td><td><a href=/b/{at}>{title}</a></td><td>quay {at}</td>{close}");
        }
        format!("{open}<a href=/b/{at}>{title}</a> <span>{price}</span> <em>quay {at}</em>{close}")
    };
    let forms = [
        ("main", "", "<div class=day>", "</div>", ("<div class=event>", "</div>"), ""),
        ("main", "", "<h3>", "</h3>", ("<p>", "</p>"), ""),
        ("main", "<section class=day>", "<h3>", "</h3><ul>", ("<li>", "</li>"), "</ul></section>"),
        ("table", "", "<tr><th colspan=3>", "</th></tr>", ("<tr>", "</tr>"), ""),
        ("table", "", "<tr class=day><td colspan=3><b>", "</b></td></tr>", ("<tr>", "</tr>"), ""),
    ];
    for (parent, before, open, close, tags, behind) in forms {
        for days in [&[0..2, 2..4, 4..6][..], &[0..3, 3..4, 4..7]] {
            let mut body = String::new();
            for (day, of) in ["Monday", "Tuesday", "Friday"].iter().zip(days) {
                let items: String = of.clone().map(|at| item(at, tags)).collect();
                let _ = write!(body, "{before}{open}{day}{close}{items}{behind}");
            }
            let dom = page(&format!("<{parent}>{body}</{parent}>"));
            let region = &records(&dom, Method::Auto)[0];
            let texts = texts(&dom, region);
            assert_eq!(texts.len(), days[2].end, "{open}: {texts:#?}");
            let told: Vec<&str> = region.table.rows.iter().map(|row| row[0].as_str()).collect();
            let wanted =
                ["Monday", "Tuesday", "Friday"].iter().zip(days).flat_map(|(day, of)| of.clone().map(|_| *day));
            assert_eq!(told, wanted.collect::<Vec<_>>(), "{open}");
            assert_eq!(region.table.columns[0].name.as_deref(), Some("group"));
        }
    }
}

/// Images are a list, whatever menu stands above them.
#[test]
fn a_gallery_ranks_above_the_menu() {
    let image = |at: usize| format!("<img src=/i/{at}.jpg>");
    for (open, close) in [
        ("<figure>", "</figure>"),
        ("<a href=/i>", "</a>"),
        ("<li><a href=/i>", "</a></li>"),
        ("<div class=thumb><a href=/i>", "</a></div>"),
    ] {
        let images: String =
            (0..9).map(|at| format!("{open}{}{close}", image(at)).replace("=/i>", &format!("=/i/{at}>"))).collect();
        let parent = if open.starts_with("<li") { "ul" } else { "div" };
        let dom = page(&format!("<{parent} class=gallery>{images}</{parent}>"));
        let region = &records(&dom, Method::Auto)[0];
        assert_eq!(region.records.len(), 9, "{open}: {:?}", texts(&dom, region));
        assert!(region.table.rows.iter().enumerate().all(|(at, row)| row.contains(&format!("/i/{at}.jpg"))), "{open}");
    }
}

/// Rows in pairs, and a last row that leads to the next page.
#[test]
fn a_pager_behind_the_last_record_belongs_to_none() {
    let rows = each(|at, t, p, s| {
        format!("<tr><td><a href=/b/{at}>{t}</a></td><td>{p}</td></tr><tr><td colspan=2>{s}</td></tr>")
    });
    let more = "<tr><td colspan=2><a href=/2>Next page</a></td></tr>";
    let (dom, region) = holds_the_boats(&format!("<table>{}{more}</table>", rows.concat()));
    assert!(texts(&dom, &region).iter().all(|text| !text.contains("Next")));
}

/// What a reader may choose in a form is neither a list nor an item.
#[test]
fn choices_are_no_records() {
    let options: String = (0..80).map(|n| format!("<option>Harbour number {n} of the coast</option>")).collect();
    let form = format!("<form><select>{options}</select></form>");
    let items = each(|at, t, p, s| {
        format!("<li><a href=/b/{at}>{t}</a> <b>{p}</b><p>{s}</p><select><option>one<option>two</select></li>")
    });
    let (_, region) = holds_the_boats(&format!("{form}<ul>{}</ul>", items.concat()));
    assert!(region.table.rows.iter().flatten().all(|cell| cell != "one"), "{:?}", region.table.rows[0]);
    let regions = records(&Dom::parse(&form), Method::Auto);
    assert!(regions.is_empty(), "{regions:?}");
}

#[test]
fn a_total_is_no_record() {
    let rows = each(|_, t, p, s| format!("<tr><td>{t}</td><td>{s}</td><td>{p}</td></tr>"));
    for total in
        ["<tr><td colspan=2>Total</td><td>$74,800</td></tr>", "<tfoot><tr><td>All<td>of them<td>$74,800</tfoot>"]
    {
        holds_the_boats(&format!("<table>{}{total}</table>", rows.concat()));
    }
}

#[test]
fn a_first_record_in_better_dress_is_a_record() {
    let cards = each(|at, t, p, s| {
        let (class, level, image) = if at == 0 { ("card hero", 1, "<img src=h.jpg>") } else { ("card", 2, "") };
        format!(
            "<article class='{class}'>{image}<h{level}><a href=/b/{at}>{t}</a></h{level}><i>{p}</i><p>{s}</p></article>"
        )
    });
    holds_the_boats(&format!("<div>{}</div>", cards.concat()));
}

#[test]
fn of_short_groups_the_items_are_the_records() {
    let items = each(|at, t, p, s| format!("<li><a href=/b/{at}>{t}</a> <b>{p}</b> {s}</li>"));
    let groups: String = [0..2, 2..5, 5..6, 6..7]
        .into_iter()
        .map(|of| format!("<h2>{} March</h2><ul>{}</ul>", of.start, items[of.start..of.end].concat()))
        .collect();
    holds_the_boats(&format!("<main>{groups}</main>"));
}

#[test]
fn a_page_without_lists_has_no_regions() {
    for html in ["", "<p>One paragraph.", "<html><body></body></html>", "plain text"] {
        assert!(records(&Dom::parse(html), Method::Auto).is_empty(), "{html}");
    }
}

#[test]
fn regions_differ() {
    let cards =
        each(|at, t, p, s| format!("<div class=card><h3><a href=/b/{at}>{t}</a></h3><span>{p}</span><p>{s}</p></div>"));
    let dom = page(&cards.concat());
    let regions = records(&dom, Method::Auto);
    assert!(regions.len() > 1 && regions.len() <= super::REGIONS);
    assert!(regions.windows(2).all(|pair| pair[0].score >= pair[1].score));
    for (at, one) in regions.iter().enumerate() {
        assert!(one.records.iter().all(|r| r.nodes.iter().all(|&id| dom.contains(one.root, id))));
        assert!(regions[..at].iter().all(|other| other.records != one.records));
    }
}

fn soup() -> impl Strategy<Value = String> {
    let part = prop_oneof![
        Just("<div>"),
        Just("</div>"),
        Just("<ul>"),
        Just("<li>a "),
        Just("</ul>"),
        Just("<table>"),
        Just("<tr>"),
        Just("<td>x "),
        Just("<td rowspan=3 colspan=2>y "),
        Just("<td rowspan=99999>"),
        Just("</table>"),
        Just("<hr>"),
        Just("<br>"),
        Just("<p>b "),
        Just("<a href=/q>c</a>"),
        Just("<dl><dt>d<dd>e"),
        Just("<img src=i>"),
        Just("text "),
        Just("<h2 class='x y1'>f</h2>"),
        Just("<div class=x9>g</div>"),
        Just("<span hidden>h</span>"),
        Just("<nav>"),
        Just("</nav>"),
        Just("明"),
        Just("<tbody>"),
    ];
    proptest::collection::vec(part, 0..120).prop_map(|parts| parts.concat())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    /// Whatever the page: no panic, records that are disjoint and in order, rows as wide as the table, the same again.
    #[test]
    fn any_page_has_sound_regions(html in soup()) {
        let dom = Dom::parse(&html);
        let regions = records(&dom, Method::Auto);
        for region in &regions {
            prop_assert!(region.records.len() > 1);
            prop_assert!(region.score.is_finite());
            prop_assert_eq!(region.table.rows.len(), region.records.len());
            prop_assert!(region.table.rows.iter().all(|row| row.len() == region.table.columns.len()));
            let mut nodes: Vec<_> = region.records.iter().flat_map(|record| record.nodes.iter().copied()).collect();
            nodes.sort_unstable();
            prop_assert!(nodes.windows(2).all(|pair| dom.end(pair[0]) <= pair[1]), "records overlap");
        }
        prop_assert_eq!(records(&dom, Method::Auto), regions);
    }
}

/// Whether some candidate of the page has exactly these records, in this order, told by how each begins.
fn is_candidate(html: &str, begins: &[&str]) -> bool {
    let dom = Dom::parse(html);
    let view = View::new(&dom);
    candidates(&view, MOST).iter().any(|candidate| {
        candidate.len() == begins.len()
            && candidate.records().zip(begins).all(|(record, begin)| dom.text(record[0]).trim().starts_with(begin))
    })
}

/// The deeper ones come first on the page and last among the children of its nodes.
#[test]
fn records_of_another_depth_are_of_the_list_and_in_order() {
    let hit =
        |kind: &str, name: &str| format!("<div class='hit {kind}'><a href=/{name}>{name}</a> <i>9 tons</i></div>");
    let own = ["Cora", "Dagny", "Elida"].map(|name| hit("own", name)).concat();
    let top = ["Alma", "Brise"].map(|name| hit("top", name)).concat();
    let page = format!(
        "<div id=all><p>Five</p><div class=ads>{top}</div>{own}<div class=ads>{}</div></div>",
        hit("top", "Freya")
    );
    assert!(is_candidate(&page, &["Alma", "Brise", "Cora", "Dagny", "Elida", "Freya"]));
}

#[test]
fn a_name_in_every_record_tells_records_of_any_depth() {
    let title = |name: &str| format!("<h3 class=title>{name}</h3>");
    let own = ["Cora", "Dagny"].map(|name| format!("<div class=hit>{}<p>9 tons</p></div>", title(name))).concat();
    let two = ["Alma", "Brise"].map(|name| format!("<li><div>{}</div><p>4 tons</p></li>", title(name))).concat();
    let page = format!(
        "<div id=all><div><ul>{two}</ul></div>{own}<section><div>{}</div>7 tons</section></div>",
        title("Elida")
    );
    let dom = Dom::parse(&page);
    let view = View::new(&dom);
    let all = candidates(&view, MOST);
    let climbed =
        all.iter().find(|candidate| candidate.origin == Origin::Climbed).expect("titles have records around them");
    let tags: Vec<&str> = climbed.nodes.iter().map(|&id| dom.tag(id).name()).collect();
    assert_eq!(tags, ["li", "li", "div", "div", "section"]);
}

/// Items without a class, in two lists with one class in common.
#[test]
fn the_name_of_the_lists_joins_their_items() {
    let items = |names: &[&str]| {
        names.iter().map(|name| format!("<li><a href=/{name}>{name}</a> sails</li>")).collect::<String>()
    };
    let page = format!(
        "<div><div><ol class='reg top'>{}</ol></div><ol class='reg'>{}</ol></div><ol>{}</ol>",
        items(&["Alma"]),
        items(&["Brise", "Cora"]),
        items(&["Home", "Help"])
    );
    assert!(is_candidate(&page, &["Alma", "Brise", "Cora"]));
}

/// Sponsored boats stand in the column of the others, popular ones in a column of their own.
#[test]
fn popular_records_beside_the_list_are_left_out() {
    let cards =
        each(|at, t, p, s| format!("<div class=item><h3><a href=/b/{at}>{t}</a></h3><b>{p}</b><p>{s}</p></div>"));
    let other = |name: &str| {
        format!("<div class=item><h3><a href=/{name}>{name}</a></h3><b>$5</b><p>A boat of {name}.</p></div>")
    };
    let side = ["Hulda", "Inga", "Jorunn"].map(other).concat();
    let (dom, region) = holds_the_boats(&format!(
        "<div class=main><div class=list>{}</div></div><div class=popular><h4>Popular</h4>{side}</div>",
        cards.concat()
    ));
    assert!(texts(&dom, &region).iter().all(|text| !text.contains("Hulda")));
}
