//! The examples of the paper. Its pictures are missing from the text at hand: each page is built from the caption and the
//! sentences about it.

use super::*;
use crate::records::ColumnKind;

/// The tables of the regions, best first.
fn tables(html: &str) -> Vec<Vec<Vec<String>>> {
    let dom = Dom::parse(html);
    net(&dom, &Params::PAPER).into_iter().map(|region| region.table.rows).collect()
}

/// The tree of Figs. 5 and 6: N1 holds N2 (t1, N4 (t2, t3), N5 (t4, t5, t6)) and N3 (t7, N6 (t8, t9)). Terminals of one kind
/// match, so t1 and t7 are in elements of their own kind, as are second and third items.
const FIGURE_5: &str = "<main><section><h3>t1</h3><div><b>t2</b><i>t3</i></div><div><b>t4</b><i>t5</i><u>t6</u></div></section>\
     <section><h3>t7</h3><div><b>t8</b><i>t9</i></div></section></main>";

/// A table before it is expanded: the text of each cell, `*` for a column of a nested one.
fn raw(dom: &Dom, table: &DataTable) -> Vec<Vec<String>> {
    let cell = |row: &Row, column: usize| {
        let leaf = row.cells.iter().find(|cell| cell.0 == column).map(|cell| cell.1);
        match leaf {
            Some(Leaf::Item(node)) => dom.text(node).to_owned(),
            Some(Leaf::Column { column, .. }) => format!("*{column}"),
            None => "-".to_owned(),
        }
    };
    table.rows.iter().map(|row| table.order.iter().map(|&column| cell(row, column)).collect()).collect()
}

/// Figs. 5 and 8: at N2, t2-t4 and t3-t5 are linked, and t6 is optional. Figs. 6 and 9: at N1, the prototype *N4 with the
/// optional t6 matches N6; t1-t7, t2-t8 and t3-t9 are linked.
#[test]
fn figures_5_to_9_tables_of_each_level() {
    let dom = Dom::parse(FIGURE_5);
    let areas = build::traverse(&dom, &Params::PAPER);
    let found: Vec<_> = areas.iter().map(|area| (dom.tag(area.root).name(), raw(&dom, &area.table))).collect();
    assert_eq!(found.len(), 2);
    assert_eq!(
        found[0],
        (
            "section",
            vec![["t2", "t3", "-"].map(str::to_owned).to_vec(), ["t4", "t5", "t6"].map(str::to_owned).to_vec(),]
        )
    );
    assert_eq!(
        found[1],
        (
            "main",
            vec![
                ["t1", "*0", "*1", "*2"].map(str::to_owned).to_vec(),
                ["t7", "t8", "t9", "-"].map(str::to_owned).to_vec(),
            ]
        )
    );
}

/// Fig. 10: the final output for the tree of Fig. 5, nested data expanded.
#[test]
fn figure_10_final_output() {
    assert_eq!(tables(FIGURE_5), [[["t1", "t2", "t3", ""], ["t1", "t4", "t5", "t6"], ["t7", "t8", "t9", ""]]]);
    let dom = Dom::parse(FIGURE_5);
    assert_eq!(net(&dom, &Params::PAPER)[0].records.len(), 2, "two records, the first with two nested ones");
}

/// Fig. 1, cell by cell.
#[test]
fn figure_1_canning_jars() {
    let row = |size: &str, name: &str, stars: &str, price: &str| {
        format!("<tr><td>{size}</td><td><a href=x>{name}</a></td><td><i>{stars}</i></td><td><b>{price}</b></td></tr>")
    };
    let product = |image: &str, title: &str, rows: String| {
        format!("<div><img src=\"{image}\"><h3>{title}</h3><table>{rows}</table></div>")
    };
    let page = format!(
        "<body><h1>Canning</h1><div>{}{}</div>",
        product(
            "image 1",
            "Canning Jars by Ball",
            row("8-oz", "Canning Jars, Set of 4", "*****", "$4.95")
                + &row("1-pt", "Canning Jars, Set of 4; Blue Gingham", "****", "$5.95")
        ),
        product("image 2", "Canning Tools by Norpro", row("12-dia", "Canning Rack", "****", "$4.95"))
    );
    let wanted = [
        ["image 1", "Canning Jars by Ball", "8-oz", "Canning Jars, Set of 4", "*****", "$4.95"],
        ["image 1", "Canning Jars by Ball", "1-pt", "Canning Jars, Set of 4; Blue Gingham", "****", "$5.95"],
        ["image 2", "Canning Tools by Norpro", "12-dia", "Canning Rack", "****", "$4.95"],
    ];
    let dom = Dom::parse(&page);
    let regions = net(&dom, &Params::PAPER);
    assert_eq!(regions.len(), 1);
    assert_eq!(regions[0].table.rows, wanted);
    assert_eq!(regions[0].records.len(), 2);
    let kinds: Vec<ColumnKind> = regions[0].table.columns.iter().map(|column| column.kind).collect();
    assert_eq!((kinds[0], kinds[1]), (ColumnKind::Image, ColumnKind::Text));
}

/// Section 4: a record of several child nodes; a link from an earlier column begins the next row (Fig. 7, line 7).
#[test]
fn records_of_several_children() {
    let found = tables("<dl><dt><b>a</b><dd>1<dt><b>b</b><dd>2<dt><b>c</b><dd>3</dl>");
    assert_eq!(found, [[["a", "1"], ["b", "2"], ["c", "3"]]]);
}

/// Optional items get columns of their own where they appear.
#[test]
fn optional_items_are_inserted_in_place() {
    let item = |name: &str, sale: &str| format!("<li><h3>{name}</h3>{sale}<p>about</p><b>$1</b><i>x</i></li>");
    let found = tables(&format!("<ul>{}{}{}</ul>", item("a", ""), item("b", "<s>sale</s>"), item("c", "")));
    let wanted = [["a", "", "about", "$1", "x"], ["b", "sale", "about", "$1", "x"], ["c", "", "about", "$1", "x"]];
    assert_eq!(found, [wanted]);
}

/// Fig. 7, lines 13 to 17: children without aligned items part data areas; but linked items share a column.
#[test]
fn areas_under_one_node() {
    let (a, b) = ("<p><b>x</b></p>", "<ol><li>y<li>z</ol>");
    let found = tables(&format!("<div>{a}{a}<h2>title</h2>{b}{b}</div>"));
    assert_eq!(found.len(), 2);
    let found = tables(&format!("<div>{a}{a}<h2>advert</h2>{a}</div>"));
    assert_eq!(found, [[["x"], ["x"], ["x"]]]);
}

/// Cells of one item are attributes of their row; rows under a spanning cell are nested records of its row.
#[test]
fn rows_of_tables() {
    let found = tables("<table><tr><td><a>a</a><td><b>b</b><td>c<td>d<tr><td><a>e</a><td><b>f</b><td>g<td>h</table>");
    assert_eq!(found, [[["a", "b", "c", "d"], ["e", "f", "g", "h"]]]);
    let lead = |name: &str, rows: usize| {
        format!("<tr><td rowspan={rows}><i>{name}</i><br>d<td><a>s1</a><td><b>1</b><td><i>x</i>")
    };
    let more = "<tr><td><a>s2</a><td><b>2</b><td><i>y</i>";
    let page = format!("<table>{}{more}{more}{}{}{more}</table>", lead("A", 3), lead("B", 1), lead("C", 2));
    let found = tables(&page);
    let wanted = [
        ["A", "d", "s1", "1", "x"],
        ["A", "d", "s2", "2", "y"],
        ["A", "d", "s2", "2", "y"],
        ["B", "d", "s1", "1", "x"],
        ["C", "d", "s1", "1", "x"],
        ["C", "d", "s2", "2", "y"],
    ];
    assert_eq!(found, [wanted]);
    let dom = Dom::parse(&page);
    assert_eq!(net(&dom, &Params::PAPER)[0].records.len(), 3);
}

#[test]
fn running_text_is_no_list() {
    assert!(tables("<div><p>See <a>one</a> and <a>two</a> or <a>three</a>.</p></div>").is_empty());
}

/// No item of a region's records is left out of its table.
#[test]
fn no_item_is_lost() {
    use std::fmt::Write as _;
    let mut page = String::from("<ul>");
    for at in 0..40 {
        let parts = (0..at % 7).fold(String::new(), |mut parts, part| {
            let _ = write!(parts, "<p><b>k{at}.{part}</b> <i>v{at}.{part}</i></p>");
            parts
        });
        let extra = ["", "<em>e</em>", "<s>s</s> <u>u</u>"][at % 3];
        let _ = write!(page, "<li><h3>n{at}</h3>{extra}<div>{parts}</div><ul><li>a{at}<li>b{at}</ul></li>");
    }
    let dom = Dom::parse(&page);
    for region in net(&dom, &Params::PAPER) {
        let cells = region.table.rows.concat().join(" ");
        let cells: std::collections::HashSet<&str> = cells.split(' ').collect();
        for record in &region.records {
            for word in record.text(&dom).split_whitespace() {
                assert!(cells.contains(word), "{word} is lost");
            }
        }
    }
}
