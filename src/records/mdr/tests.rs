//! The examples of the paper. Its pictures are missing from the text at hand: each page is built from the caption and the
//! sentences about it. And the slow twin of the whole method.

use super::super::edit_distance::tests::normalised;
use super::*;
use crate::dom::{Attr, Tag};
use proptest::prelude::*;
use regions::{DataRegion, MaxDr};
use std::fmt::Write as _;

/// The texts of the records of each region, best first, blocks within a record parted by blanks.
fn mined(html: &str) -> Vec<Vec<String>> {
    let dom = Dom::parse(html);
    let texts = |region: &Region| region.records.iter().map(|r| r.text(&dom).replace('\n', " ")).collect();
    mdr(&dom, &Params::PAPER).iter().map(texts).collect()
}

fn found_regions(dom: &Dom, params: &Params) -> (TagTree, Vec<DataRegion>) {
    let tree = TagTree::of(dom);
    let mut comparer = Comparer::new(&tree, params.threshold);
    let found = regions::find_drs(&tree, params, &mut comparer);
    drop(comparer);
    (tree, found)
}

/// An object of a shop: a picture, a name and a price, so that its cell is not one piece of text.
fn object(name: &str) -> String {
    format!("<td><img src=x><a href=y>{name}</a><b>{name} price</b></td>")
}

/// Fig. 3 (picture missing): below node 2 are 5 to 10, where 5 and 6 are one region and 8 to 10 another; below node 4 are
/// 13 to 20, where (14, 15), (16, 17) and (18, 19) are a third; 7, 13 and 20 belong to none.
#[test]
fn figure_3_three_regions() {
    let (five, seven, eight) = ("<p><a>x</a></p>", "<ul><li>x<li>x</ul>", "<div><b>x</b><i>y</i></div>");
    let pair = "<h3><i>x</i></h3><dl><dt>x<dd>y</dl>";
    let page = format!(
        "<body><main>{five}{five}{seven}{eight}{eight}{eight}</main><header><b>x</b><i>y</i></header>\
         <article><form><input></form>{pair}{pair}{pair}<hr></article>"
    );
    let dom = Dom::parse(&page);
    let (tree, found) = found_regions(&dom, &Params::PAPER);
    let named = |region: &DataRegion| {
        let names: Vec<&str> = region.nodes.iter().map(|&at| tree.tags[at].name()).collect();
        (tree.tags[region.parent].name(), region.length, names.join(" "))
    };
    let found: Vec<_> = found.iter().map(named).collect();
    let wanted = [("main", 1, "p p"), ("main", 1, "div div div"), ("article", 2, "h3 dl h3 dl h3 dl")];
    assert_eq!(found, wanted.map(|(parent, length, names)| (parent, length, names.to_owned())));
}

/// Fig. 7 (picture missing): four rows of two cells, eight objects. Each row is a generalized node, and no pair of rows;
/// the regions that the cells of each row form are covered.
#[test]
fn figure_7_rows_are_generalized_nodes() {
    let row = |at: usize| format!("<tr>{}{}", object(&format!("o{at}")), object(&format!("o{}", at + 1)));
    let page = format!("<table>{}</table>", [1, 3, 5, 7].map(row).concat());
    let dom = Dom::parse(&page);
    let (tree, found) = found_regions(&dom, &Params::PAPER);
    let [region] = &found[..] else { panic!("one region: {found:?}") };
    assert_eq!((region.length, region.nodes.len(), tree.tags[region.parent]), (1, 4, Tag::TBODY));
    let wanted: Vec<String> = (1..=8).map(|at| format!("o{at}o{at} price")).collect();
    assert_eq!(mined(&page), [wanted]);
}

/// Fig. 11: each row with more than one data record.
#[test]
fn figure_11_cells_are_records() {
    let [one, two, three, four] = ["one", "two", "three", "four"].map(object);
    let found = mined(&format!("<table><tr>{one}{two}<tr>{three}{four}</table>"));
    assert_eq!(found, [["oneone price", "twotwo price", "threethree price", "fourfour price"]]);
}

/// Fig. 13: a data table, whose rows are the records though their cells are similar.
#[test]
fn figure_13_rows_of_a_data_table() {
    let found = mined(
        "<table><tr><td><b>a1</b><td><b>b1</b><td><b>c1</b><td><b>d1</b>\
         <tr><td><b>a2</b><td><b>b2</b><td><td><b>d2</b></table>",
    );
    // The empty cell lacks a tag: the rows are similar still, .12 apart.
    assert_eq!(found, [["a1 b1 c1 d1", "a2 b2 d2"]]);
}

/// Fig. 14: each row is one object.
#[test]
fn figure_14_a_generalized_node_is_a_record() {
    let row = |name: &str| format!("<tr><td><img><td><a>{name}</a><p>text</p><td>$5");
    let found = mined(&format!("<table>{}{}</table>", row("one"), row("two")));
    assert_eq!(found, [["one text $5", "two text $5"]]);
}

/// Fig. 16: one object in two rows. The cells of the first are different, the second has one cell.
#[test]
fn figure_16_one_object_in_multiple_rows() {
    let rows = |name: &str| format!("<tr><td><img><td><a>{name}</a><td><b>$1</b> <i>new</i><tr><td>about {name}");
    let found = mined(&format!("<table>{}{}</table>", rows("one"), rows("two")));
    assert_eq!(found, [["one $1 new about one", "two $1 new about two"]]);
}

/// Figs. 17 and 18: names in one row, descriptions in the next.
#[test]
fn figure_17_and_18_non_contiguous_records() {
    let rows =
        |a: usize, b: usize| format!("<tr><td><a><b>n{a}</b></a><td><a><b>n{b}</b></a><tr><td>d{a}<br>x<td>d{b}<br>x");
    let page = format!("<table>{}{}</table>", rows(1, 2), rows(3, 4));
    let dom = Dom::parse(&page);
    let (_, found) = found_regions(&dom, &Params::PAPER);
    assert_eq!(found.iter().map(|region| (region.length, region.nodes.len())).collect::<Vec<_>>(), [(2, 4)]);
    assert_eq!(mined(&page), [["n1 d1 x", "n2 d2 x", "n3 d3 x", "n4 d4 x"]]);
}

/// Section 3.3, the second case: rows 1 and 2 of Fig. 17 alone are two adjacent regions, which are joined.
#[test]
fn figure_17_without_rows_3_and_4() {
    let page = "<table><tr><td><a><b>n1</b></a><td><a><b>n2</b></a><tr><td>d1<br>x<td>d2<br>x</table>";
    let dom = Dom::parse(page);
    assert_eq!(found_regions(&dom, &Params::PAPER).1.len(), 2, "a region in each row");
    assert_eq!(mined(page), [["n1 d1 x", "n2 d2 x"]]);
    let root = mdr(&dom, &Params::PAPER)[0].root;
    assert_eq!(dom.tag(root), Tag::TBODY, "the lowest node that holds both rows");
    // With unequal numbers of nodes there is nothing to join.
    let page =
        "<table><tr><td><a><b>n1</b></a><td><a><b>n2</b></a><td><a><b>n3</b></a><tr><td>d1<br>x<td>d2<br>x</table>";
    assert_eq!(mined(page).len(), 2);
}

/// Figs. 19 and 20: an odd number of objects; the fifth is in no region and matches those that are.
#[test]
fn figure_19_and_20_an_odd_number_of_objects() {
    let names = ["o1", "o2", "o3", "o4", "o5"];
    let [one, two, three, four, five] = names.map(object);
    let page = format!("<table><tr>{one}{two}<tr>{three}{four}<tr>{five}</table>");
    let dom = Dom::parse(&page);
    let (_, found) = found_regions(&dom, &Params::PAPER);
    assert_eq!(found.iter().map(|region| region.nodes.len()).collect::<Vec<_>>(), [2], "row 3 is in no region");
    assert_eq!(mined(&page), [names.map(|name| format!("{name}{name} price"))]);
}

/// Beyond Fig. 19: two objects in a last row of four are a region of their own before they are matched.
#[test]
fn a_last_row_of_several_objects_is_taken_in() {
    let names = ["o1", "o2", "o3", "o4", "o5", "o6", "o7", "o8", "o9", "p1"];
    let cells = names.map(object);
    let rows = cells.chunks(4).fold(String::new(), |mut rows, row| {
        let _ = write!(rows, "<tr>{}", row.concat());
        rows
    });
    assert_eq!(mined(&format!("<table>{rows}</table>")), [names.map(|name| format!("{name}{name} price"))]);
}

/// An advert between items parts a region; the records match.
#[test]
fn an_advert_between_records_does_not_part_them() {
    let item = |at: usize| format!("<div><h3>n{at}</h3><p>t{at}</p></div>");
    let advert = "<section><a><img></a><i>buy</i><b>now</b></section>";
    let items = [1, 2, 3, 4, 5, 6].map(item);
    let page = format!("<div>{}{advert}{}{advert}{}</div>", items[..3].concat(), items[3..5].concat(), items[5]);
    let wanted: Vec<String> = (1..=6).map(|at| format!("n{at} t{at}")).collect();
    assert_eq!(mined(&page), [wanted]);
}

/// As published, a longer combination that covers one node more wins, and a header row glues four rows together; the repair
/// keeps the rows, and the records of several rows where there are such.
#[test]
fn the_repair_keeps_the_shortest_combination() {
    let header = "<tr><th>a<th>b<th>c<th>d";
    let rows: String = (0..15).fold(String::new(), |mut rows, at| {
        let _ = write!(rows, "<tr><td><a>{at}</a><td>b<td>c<td>d");
        rows
    });
    let dom = Dom::parse(&format!("<table>{header}{rows}</table>"));
    assert_eq!(mdr(&dom, &Params::PAPER)[0].records.len(), 4);
    assert_eq!(mdr(&dom, &Params::WISDOM)[0].records.len(), 15);
    let rows: String = (0..6).fold(String::new(), |mut rows, at| {
        let _ = write!(rows, "<tr><td><a><b>{at}</b></a><td><img><tr><td>x<tr><td>y");
        rows
    });
    let dom = Dom::parse(&format!("<table>{rows}</table>"));
    let records = |params| mdr(&dom, params)[0].records.iter().map(|r| r.text(&dom)).collect::<Vec<_>>();
    assert_eq!(records(&Params::WISDOM), ["0\nx\ny", "1\nx\ny", "2\nx\ny", "3\nx\ny", "4\nx\ny", "5\nx\ny"]);
    assert_eq!(records(&Params::PAPER), records(&Params::WISDOM));
}

/// An advert before records of three rows is similar enough to their last row for a region that begins one row too early.
#[test]
fn the_repair_begins_where_records_do() {
    let rows = |at: usize| format!("<tr><td><b>{at}</b><td><a>n</a><tr><td>by<tr><td>");
    let advert = "<tr><td><div>buy</div>";
    let list = |range: std::ops::Range<usize>| range.map(rows).collect::<String>();
    let page = format!("<table>{}{advert}{}</table>", list(0..3), list(3..9));
    let dom = Dom::parse(&page);
    let regions = mdr(&dom, &Params::WISDOM);
    let texts: Vec<String> = regions[0].records.iter().map(|r| r.text(&dom).replace('\n', " ")).collect();
    assert_eq!(texts, (0..9).map(|at| format!("{at} n by")).collect::<Vec<_>>());
}

/// Leaves have nothing to compare, so only a class tells that they are of a kind.
#[test]
fn the_repair_takes_leaves_of_one_class() {
    let records = |html: &str| {
        let dom = Dom::parse(html);
        let texts = |region: &Region| region.records.iter().map(|r| r.text(&dom)).collect::<Vec<_>>();
        mdr(&dom, &Params::WISDOM).iter().map(texts).collect::<Vec<_>>()
    };
    assert_eq!(records("<ul><li class=r>1<li class=r>2<li class=r>3</ul>"), [["1", "2", "3"]]);
    assert_eq!(records("<div><p class=head>a<p class=r>1<p class=r>2<p class=foot>b</div>"), [["1", "2"]]);
    assert!(records("<ul><li>1<li>2<li>3</ul>").is_empty());
    assert!(records("<div><p class=r>1<span class=r>2</span></div>").is_empty());
}

/// Records that are alike only two by two, or like none, are records all the same where they have one class.
#[test]
fn the_repair_takes_siblings_of_one_class_one_by_one() {
    let (short, long) = ("<b>x</b>", "<h3>y</h3><p><i>a</i></p><p>b</p><ul><li>c<li>d</ul>");
    let odd = "<table><tr><td>z</table><img><hr><img><br><img><hr><img>";
    let page = |class: &str| {
        let record = |inside: &str| format!("<div{class}>{inside}</div>");
        let pair = [short, long].map(record).concat();
        format!("<main>{pair}{pair}{pair}<div class=advert>buy</div>{}</main>", record(odd))
    };
    let lengths = |class: &str, params| {
        let dom = Dom::parse(&page(class));
        mdr(&dom, params)[0].records.iter().map(|record| record.nodes.len()).collect::<Vec<_>>()
    };
    assert_eq!(lengths(" class=hit", &Params::WISDOM), [1; 7]);
    assert_eq!(lengths("", &Params::WISDOM), [2; 3]);
    assert_eq!(lengths(" class=hit", &Params::PAPER), [2; 3]);
}

/// Items of a list, and siblings that share what all records have in common, are records however unlike they are inside; one
/// that holds nothing, or lacks what the others share, is none.
#[test]
fn the_repair_takes_unlike_siblings_that_the_author_calls_alike() {
    let texts = |html: &str| {
        let dom = Dom::parse(html);
        let found = mdr(&dom, &Params::WISDOM);
        found[0].records.iter().map(|record| record.text(&dom).replace('\n', " ")).collect::<Vec<_>>()
    };
    let alike = |at: usize| format!("<b>{at}</b><p>n<i>by</i></p>");
    let unlike = "<h3>odd</h3><table><tr><td>a<td>b</table><hr><pre>c<u>d</u></pre><img>";
    let [one, two, three] = [0, 1, 2].map(alike);
    let wanted = ["0 nby", "odd a b cd", "1 nby", "2 nby"].map(String::from);
    let list = |names: [&str; 4]| {
        let items = names.iter().zip([&*one, unlike, &two, &three]);
        items.map(|(name, inside)| format!("<li{name}>{inside}</li>")).collect::<Vec<_>>().concat()
    };
    let flat = |texts: Vec<String>| texts.iter().map(|text| text.replace('\t', " ")).collect::<Vec<_>>();
    assert_eq!(flat(texts(&format!("<ul>{}<li><img></ul>", list([""; 4])))), wanted);
    assert_eq!(
        flat(texts(&format!("<ul>{}</ul>", list([" class='r x'", " class='y r'", " class=r", " class='r x'"])))),
        wanted
    );
    let more = texts(&format!("<ul>{}<li><span>next page</span></li></ul>", list([" class=r"; 4])));
    assert_eq!(flat(more), wanted);
    let other = texts(&format!("<ul>{}</ul>", list([" class=r", " class=advert", " class=r", " class=r"])));
    assert_eq!(other, [0, 2, 3].map(|at: usize| wanted[at].clone()));
}

/// What holds much less or more than the items of a list is none of them: a link to the next page, a heading, a menu's panel, the
/// list itself beside a menu.
#[test]
fn the_repair_leaves_items_of_another_size() {
    let news = "<li><h3>headline</h3><p>what happened today</p></li>".repeat(6);
    for other in ["<li><button>more</button></li>", "<li><b>June 1</b></li>", "<li><a>1</a> <a>2</a> <a>Next</a></li>"]
    {
        assert_eq!(numbers(&format!("<ul>{news}{other}</ul>")).0[0], 6, "{other}");
    }
    let menu = "<li><a href=/1>Menu</a></li>".repeat(4);
    let inner = "<div><h3>News</h3><p>First text</p></div>".repeat(3);
    let found = mdr(&Dom::parse(&format!("<ul>{menu}<li>{inner}</li></ul>")), &Params::WISDOM);
    let mut lengths: Vec<usize> = found.iter().map(|region| region.records.len()).collect();
    lengths.sort_unstable();
    assert_eq!(lengths, [3, 4]);
    let picture = "<div class=g><a href=/g><img src=/g.jpg></a><p>cap <b>N</b></p><i>x</i><u>z</u></div>".repeat(3);
    let bare = "<div class=g><a href=/g><img src=/g.jpg></a></div>";
    assert_eq!(numbers(&format!("<main>{picture}{bare}{picture}</main>")).0[0], 7);
}

/// Links that are not shown weigh nothing.
#[test]
fn hidden_links_take_nothing_from_a_list() {
    let hidden = format!("<a href=x style='display:none'>{}</a>", "w".repeat(90));
    let card = format!("<div class=card><b>name</b><i>price</i>{hidden}</div>");
    let menu = "<li><a href=x>menu</a></li>".repeat(4);
    let dom = Dom::parse(&format!("<ul>{menu}</ul><main>{}</main>", card.repeat(3)));
    let found = mdr(&dom, &Params::WISDOM);
    assert_eq!(found[0].records[0].text(&dom).replace('\n', " "), "nameprice");
    assert!(found.iter().all(|region| region.score > 0.0));
}

/// A list of sections of one class does not swallow the longer list that one of them holds.
#[test]
fn the_repair_keeps_a_longer_list_within_a_sibling_of_its_class() {
    let row = "<li><a>x</a><b>y</b></li>";
    let section = |inside: &str| format!("<div class=part>{inside}</div>");
    let page =
        [section("<h2>a</h2><p>b</p>"), section("<h2>a</h2><p>b</p>"), section(&format!("<ul>{}</ul>", row.repeat(9)))];
    let dom = Dom::parse(&format!("<main>{}</main>", page.concat()));
    let mut numbers: Vec<usize> = mdr(&dom, &Params::WISDOM).iter().map(|region| region.records.len()).collect();
    numbers.sort_unstable();
    assert_eq!(numbers, [2, 9]);
}

/// Numbers of records of the regions of a page, and how many of them hold something else than one node.
fn numbers(html: &str) -> (Vec<usize>, usize) {
    let found = mdr(&Dom::parse(html), &Params::WISDOM);
    let glued = found.iter().flat_map(|region| &region.records).filter(|record| record.nodes.len() > 1).count();
    (found.iter().map(|region| region.records.len()).collect(), glued)
}

/// Rows of two colours, items of a list, classes in another order, and headings among cards.
#[test]
fn the_repair_glues_no_records_of_a_class_together() {
    let zebra = ["<li class=odd>x", "<li class=even>y"].concat().repeat(3);
    assert_eq!(numbers(&format!("<ul>{zebra}</ul>")), (vec![6], 0));
    let pair = "<li class=q><b>Q</b></li><li class=a><p>A</p><p>1</p></li>";
    assert_eq!(numbers(&format!("<ul>{}</ul>", pair.repeat(4))), (vec![8], 0));
    let order = ["<p class='a b'>x", "<p class='b  a a'>y"].concat().repeat(3);
    assert_eq!(numbers(&format!("<div>{order}</div>")), (vec![6], 0));
    for cards in 2..6 {
        let day = format!("<h3>day</h3>{}", "<div class=r><b>rec</b><i>t</i></div>".repeat(cards));
        assert_eq!(numbers(&format!("<main>{}</main>", day.repeat(12))), (vec![12 * cards], 0), "{cards}");
    }
}

/// What stands in a row of a grid is not lost for the rows, though something parts it.
#[test]
fn the_repair_loses_no_list_to_siblings_of_its_holder() {
    let row = |inside: &str| format!("<div class=row>{inside}</div>");
    let two = "<p class=item><b>x</b><i>y</i></p>".repeat(2);
    let page = [row("<b>foot</b><i>x</i>").repeat(3), row(&format!("<div>{two}<hr>{two}<hr><hr></div>"))].concat();
    let (mut found, glued) = numbers(&page);
    found.sort_unstable();
    // The rules as well.
    assert_eq!((found, glued), (vec![3, 3, 4], 0));
}

/// Nodes without children and classes are told by their tags where something beside them has children.
#[test]
fn the_repair_takes_plain_leaves_beside_others() {
    let page = "<div><p>1<p>2<p>3<blockquote><i>ad</i></blockquote><p>4<p>5<p>6</div>";
    assert_eq!(numbers(page), (vec![6], 0));
    assert_eq!(mdr(&Dom::parse(page), &Params::PAPER)[0].records.len(), 6);
}

#[test]
fn links_in_links_count_once() {
    let deep = "<a href=x>name<object>".repeat(9);
    let page = format!("<ul>{}</ul>", format!("<li>{deep}</li>").repeat(3));
    assert!(mdr(&Dom::parse(&page), &Params::PAPER).iter().all(|region| region.score >= 0.0));
}

/// A menu has more text than the list, but all of it is of links.
#[test]
fn links_weigh_a_tenth() {
    let menu = "<li><a>a long name of a section of this shop</a></li>".repeat(8);
    let list = "<div><h3><a>A thing</a></h3><p>What it is and costs</p></div>".repeat(4);
    let page = format!("<ul>{menu}</ul><section>{list}</section>");
    assert_eq!(mined(&page)[0].len(), 4);
    assert_eq!(mined(&page)[1].len(), 8);
}

/// Only elements are in the tag tree: text between the nodes of a record, and behind its last, is the record's all the same.
#[test]
fn text_between_the_nodes_of_a_record_is_its_own() {
    let found = mined("<div><h4><a>A</a></h4> one <br> two <h4><a>B</a></h4> three <br> four</div>");
    assert_eq!(found, [["A one two", "B three four"]]);
}

/// A region that ends at the last child is kept, though Fig. 9 as printed drops it; and a list too flat for line 1 of
/// Fig. 5 is not searched.
#[test]
fn regions_reach_the_last_child() {
    let found = mined("<ul><li><b>1</b><li><b>2</b><li><b>3</b></ul>");
    assert_eq!(found, [["1", "2", "3"]]);
    assert!(mined("<ul><li>1<li>2<li>3</ul>").is_empty());
}

/// `IdentDRs` as printed (Fig. 9), but for its last lines: the loops read a table of distances.
fn slow_ident_drs(n: usize, k: usize, similar: &dyn Fn(usize, usize) -> bool) -> Vec<MaxDr> {
    let (mut start, mut found) = (0, Vec::new());
    while start < n {
        let mut max = (0, 0, 0);
        for i in 1..=k {
            for f in start..=start + i {
                let (mut flag, mut current) = (true, (0, 0, 0));
                let mut j = f;
                while j < n {
                    if similar(i, j) {
                        if flag {
                            current = (i, j, 2 * i);
                            flag = false;
                        } else {
                            current.2 += i;
                        }
                    } else if !flag {
                        break;
                    }
                    j += i;
                }
                if max.2 < current.2 && (max.2 == 0 || current.1 <= max.1) {
                    max = current;
                }
            }
        }
        if max.2 == 0 {
            break;
        }
        found.push(max);
        start = max.1 + max.2;
    }
    found
}

/// `FindDRs` as printed (Figs. 5, 8 and 10): all pairs at every node, without cache or shortcut, then what is covered goes.
fn slow_find_drs(dom: &Dom, tree: &TagTree, params: &Params, node: usize) -> Vec<DataRegion> {
    if tree.depth(node) < params.least_depth {
        return Vec::new();
    }
    let children: Vec<usize> = tree.children(node).collect();
    let string = |first: usize, length: usize| &tree.tags[children[first]..tree.end(children[first + length - 1])];
    let are_leaves = children.iter().all(|&child| tree.children(child).count() == 0);
    let class =
        |at: usize| dom.attr(tree.node(children[at]), Attr::CLASS).map(|class| (tree.tags[children[at]], class));
    let is_of_a_kind =
        |a: usize, b: usize| !params.by_class || !are_leaves || class(a).is_some() && class(a) == class(b);
    // Neighbours of one class and others are not glued together.
    let is_glued = |length: usize, first: usize| {
        let alike = |at: usize| class(at).is_some() && class(at) == class(at + 1);
        let within = |from: usize| (from..from + length - 1).any(alike);
        params.by_class && (within(first) || within(first + length)) && !(first..first + 2 * length - 1).all(alike)
    };
    let similar = |length: usize, first: usize| {
        first + 2 * length <= children.len()
            && !is_glued(length, first)
            && (first..first + length).all(|at| is_of_a_kind(at, at + length))
            && normalised(string(first, length), string(first + length, length)) <= params.threshold
    };
    let own = slow_ident_drs(children.len(), params.k, &similar);
    let mut found: Vec<DataRegion> = Vec::new();
    for &(length, at, covered) in &own {
        found.push(DataRegion { length, parent: node, nodes: children[at..at + covered].to_vec() });
    }
    for (place, &child) in children.iter().enumerate() {
        let below = slow_find_drs(dom, tree, params, child);
        if !own.iter().any(|&(_, at, covered)| (at..at + covered).contains(&place)) {
            found.extend(below);
        }
    }
    found
}

/// Pages of nested rows and cells, alike often enough for regions at every level.
fn page() -> impl Strategy<Value = String> {
    let leaf = prop::sample::select(vec!["<b>x</b>", "<i>x</i>", "<img>", "<br>", "x"]).prop_map(str::to_owned);
    leaf.prop_recursive(4, 120, 8, |inner| {
        (
            prop::sample::select(vec!["div", "p", "section", "span"]),
            prop::sample::select(vec!["", " class=a", " class=b"]),
            prop::collection::vec(inner, 1..8),
            1..4_usize,
        )
            .prop_map(|(tag, class, parts, times)| format!("<{tag}{class}>{}</{tag}>", parts.concat()).repeat(times))
    })
}

#[test]
fn records_in_rows_do_not_take_what_stands_between_them() {
    // Two and two rows are alike; the first two hold two records, the last two are one.
    let row = "<div><img><img></div>";
    let dom = Dom::parse(&format!("<div>{row}{row}{row}<div><img></div></div>"));
    let found = mdr(&dom, &Params::PAPER);
    assert_eq!(found.len(), 1);
    let names = |nodes: &[NodeId]| nodes.iter().map(|&node| dom.tag(node).name()).collect::<Vec<_>>().join(" ");
    let records: Vec<String> = found[0].records.iter().map(|record| names(&record.nodes)).collect();
    assert_eq!(records, ["img img", "img img", "div div"]);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]
    #[test]
    fn equals_all_pairs_without_cache(html in page(), k in 1..5_usize, threshold in 0.0..0.8_f64, least_depth in 2..5_u32, by_class: bool) {
        let dom = Dom::parse(&html);
        let params = Params { k, threshold, shortest: false, least_depth, by_class };
        let (tree, found) = found_regions(&dom, &params);
        let mut wanted = slow_find_drs(&dom, &tree, &params, 0);
        wanted.sort_by_key(|region| (region.parent, region.nodes[0]));
        prop_assert_eq!(found, wanted);
    }

    #[test]
    fn records_are_disjoint_and_in_order(html in page()) {
        let dom = Dom::parse(&html);
        for region in [Params::PAPER, Params::WISDOM].iter().flat_map(|params| mdr(&dom, params)) {
            let mut nodes: Vec<NodeId> = region.records.iter().flat_map(|record| record.nodes.clone()).collect();
            prop_assert!(region.records.len() > 1);
            prop_assert!(region.records.windows(2).all(|pair| pair[0].nodes[0] < pair[1].nodes[0]));
            prop_assert!(nodes.iter().all(|&node| dom.contains(region.root, node)));
            nodes.sort_unstable();
            prop_assert!(nodes.windows(2).all(|pair| dom.end(pair[0]) <= pair[1]));
        }
    }
}
