use super::*;
use crate::article::text;
use crate::dom::Attr;
use proptest::prelude::*;

fn by_id(dom: &Dom, name: &str) -> NodeId {
    dom.ids().find(|&id| dom.attr(id, Attr::ID) == Some(name)).unwrap_or_else(|| panic!("no node {name}"))
}

fn content(html: &str) -> String {
    let dom = Dom::parse(html);
    text(&dom, &econ(&dom).selection(&dom))
}

/// The tree of Fig. 2 to 4, rebuilt from their captions and from the sentences about them: the text of the paper holds no
/// picture. A `div` wraps node1 and node4, which are no big-nodes, around the `p` node2 and node3; noise stands outside.
fn figure(second: &str, third: &str) -> Dom {
    Dom::parse(&format!(
        "<body><div id=top><ul><li><a>Home</a></li><li><a>World</a></li></ul></div>\
         <div id=summary><div id=node1><img src=a.jpg></div><p id=node2>{second}</p><p id=node3>{third}</p>\
         <div id=node4><ul><li><a>Related news</a></li></ul></div>\
         <p id=far>The end, at last.</p></div>\
         <div id=foot><a>About us</a></div></body>"
    ))
}

#[test]
fn figure_4_joint_para_merges_node2_and_node3_between_node1_and_node4() {
    let dom = figure("The ferry sails again,", "the office said on Monday.");
    let found = econ(&dom);
    let of = |name| {
        let id = by_id(&dom, name);
        found
            .text_paras
            .iter()
            .find(|para| para.first <= id && id < para.end && dom.parent(para.first) == dom.parent(id))
    };
    let para = of("node2").expect("node2 is a big-node");
    assert_eq!((para.first, para.end), (by_id(&dom, "node2"), by_id(&dom, "node4")));
    assert_eq!((para.length, para.punc_num), (41, 2));
    assert_eq!(of("node3"), Some(para), "joined from either node, the set is one");
    assert_eq!((of("node1"), of("node4")), (None, None));
    // "If the punc-num of the merged text is 0, Joint-para will prune node2 and node3."
    let dom = figure("Print", "Send");
    let found = econ(&dom);
    let para = found.text_paras.iter().find(|para| para.first == by_id(&dom, "node2")).expect("node2 is a big-node");
    assert!(para.is_noise());
    assert_eq!(text(&dom, &found.selection(&dom)), "The end, at last.");
}

#[test]
fn figure_3_backtracking_from_p_stops_at_div() {
    let dom = figure("The ferry sails again, says the office,", "and tickets are cheap.");
    let found = econ(&dom);
    assert_eq!(found.snippet, Some((by_id(&dom, "node2"), 2)));
    // The trace is <p>-<div>; body adds no period and no comma.
    let step = |node, node_punc_num, distance| Step { node, node_punc_num, distance };
    assert_eq!(found.path, [step(by_id(&dom, "summary"), 5, 3), step(dom.body(), 5, 0)]);
    assert_eq!(found.summary, Some(by_id(&dom, "summary")));
    assert_eq!(
        text(&dom, &found.selection(&dom)),
        "The ferry sails again, says the office,\nand tickets are cheap.\nThe end, at last.",
        "the related news were pruned on the way"
    );
}

#[test]
fn a_pieces_page_is_joined() {
    // As Fig. 6: bold words and line breaks, beside a notice that is longer than any piece.
    let pieces = "<div id=story>The hurdler <strong>Liu</strong> is expected back,<br>said <a>his coach</a>.<br><br>\
                  <b>Sun</b>, who landed on <i>Monday</i>, brought two sandbags.</div>\
                  <div id=notice>All rights in the texts and the pictures of this page are reserved by their owners.</div>";
    assert_eq!(
        content(&format!("<div>{pieces}</div>").replace("id=notice", "hidden")),
        "The hurdler Liu is expected back,\nsaid his coach.\nSun, who landed on Monday, brought two sandbags."
    );
    // Neighbours join even if one is noise that has a period: the paper's Wrong pages.
    assert!(content(&format!("<div>{pieces}</div>")).ends_with("by their owners."));
    let paragraphs = "<div><p>Short,<p>pieces,<p><b>of</b> <i>news</i>,<p>by<p>the<p>dozen.</div>\
                      <ul><li>One long piece of noise that is longer than each of them.</ul>";
    let dom = Dom::parse(paragraphs);
    let found = econ(&dom);
    assert_eq!(
        found.snippet.map(|(id, _)| dom.tag(id)),
        Some(Tag::LI),
        "29 characters lose against the piece of noise"
    );
    let dom = Dom::parse(&paragraphs.replace("dozen", "dozen in this paragraph here"));
    assert_eq!(econ(&dom).snippet.map(|(id, _)| dom.tag(id)), Some(Tag::P), "55 win");
}

#[test]
fn a_short_page_is_missed_as_the_paper_says() {
    // "The text of the content of news is so short that ECON can not find one snippet-node correctly."
    let noise = "Copyright by the Port Gazette Company, all rights reserved worldwide, no copying.";
    let page = format!("<table><tr><td><p>Rain fell in the port today.</table><div><div>{noise}</div></div>");
    assert_eq!(content(&page), noise);
}

#[test]
fn noise_without_punctuation_is_removed_inside_the_summary_node() {
    let page = "<div><p>First, some news.</p><div><span>Share</span> <span>Print</span></div><p>Second, more news.</p>\
                <div>Source: <a>Agency</a></div><section><p>Third, the end.</p></section></div>";
    assert_eq!(content(page), "First, some news.\nSecond, more news.\nThird, the end.");
}

#[test]
fn scripts_and_hidden_nodes_are_no_text_and_part_neighbours() {
    let dom =
        Dom::parse("<div><p>a, b.</p><script>c(1,2,3,4);</script><p>d.</p><!-- e, --> <p>f.<p hidden>g,h,i</div>");
    let found = econ(&dom);
    let punc: Vec<u32> = found.text_paras.iter().map(|para| para.punc_num).collect();
    assert_eq!(punc, [2, 2]);
    assert_eq!(text(&dom, &found.selection(&dom)), "a, b.\nd.\nf.");
}

#[test]
fn punctuation_of_other_scripts_counts() {
    for sentence in ["渡轮复航，票价便宜。", "フェリーは、出る。", "تبحر العبارة، غدا۔", "नाव चलती है।", "ﾌｪﾘｰ､ﾃﾞﾙ｡"]
    {
        assert_eq!(
            content(&format!("<ul><li>{0}</ul><p>{sentence}", sentence.replace(|c| !char::is_alphabetic(c), ""))),
            sentence
        );
    }
}

#[test]
fn ties_go_to_the_first_and_a_page_without_punctuation_has_no_content() {
    let dom = Dom::parse("<div><p id=a>Twins.</div><div><p id=b>Twins.</div>");
    assert_eq!(econ(&dom).snippet, Some((by_id(&dom, "a"), 1)));
    for page in ["", "<p>No mark at all", "<script>a,b.c</script>", "<img>"] {
        let dom = Dom::parse(page);
        let found = econ(&dom);
        assert!(found.summary.is_none() && found.selection(&dom).is_empty(), "{page}");
    }
}

#[test]
fn a_million_siblings_and_deep_nests_take_linear_work() {
    for page in
        ["a,<br>".repeat(300_000), "<div>a,".repeat(100_000), "<b>".repeat(100_000) + "a.", "<p>x".repeat(300_000)]
    {
        let dom = Dom::parse(&page);
        let found = econ(&dom);
        assert!(found.text_paras.len() <= dom.len() && found.path.len() <= dom.len());
        found.selection(&dom);
    }
}

/// The paper read word by word, however slow: Joint-para from each big-node by looking at its brothers, node-punc-nums
/// counted anew, pruned nodes in a set.
mod twin {
    use super::*;

    fn shows(dom: &Dom, id: NodeId) -> bool {
        dom.is_text(id) && !dom.is_hidden(id) && !dom.text(id).trim().is_empty()
    }

    fn is_big(dom: &Dom, id: NodeId) -> bool {
        const TAGS: [&str; 14] =
            ["p", "br", "h1", "h2", "h3", "h4", "h5", "h6", "strong", "em", "b", "i", "tt", "font"];
        !dom.is_text(id)
            && !dom.is_hidden(id)
            && (dom.children(id).any(|child| shows(dom, child)) || TAGS.contains(&dom.tag(id).name()))
    }

    fn text_of(dom: &Dom, id: NodeId) -> String {
        dom.subtree(id).filter(|&id| shows(dom, id)).map(|id| dom.text(id)).collect()
    }

    fn punc(text: &str) -> usize {
        text.chars().filter(|&c| is_period_or_comma(c)).count()
    }

    fn joint_para(dom: &Dom, node: NodeId) -> Vec<NodeId> {
        let Some(father) = dom.parent(node) else { return vec![node] };
        let brothers: Vec<NodeId> =
            dom.children(father).filter(|&id| shows(dom, id) || !dom.is_text(id) || dom.is_hidden(id)).collect();
        let joins = |id: &&NodeId| is_big(dom, **id) || shows(dom, **id);
        let at = brothers.iter().position(|&id| id == node).unwrap_or(0);
        let before = brothers[..at].iter().rev().take_while(joins).count();
        let after = brothers[at..].iter().take_while(joins).count();
        brothers[at - before..at + after].to_vec()
    }

    /// Snippet-node, summary-node and the texts that are kept.
    pub(super) fn extract_news(dom: &Dom) -> Option<(NodeId, NodeId, Vec<NodeId>)> {
        let mut best: Option<(usize, NodeId)> = None;
        let mut pruned = Vec::new();
        for node in dom.ids().filter(|&id| id != dom.root() && is_big(dom, id)) {
            let set = joint_para(dom, node);
            let para: String = set.iter().map(|&id| text_of(dom, id)).collect();
            if punc(&para) == 0 {
                pruned.extend(set.iter().flat_map(|&id| dom.subtree(id)));
                continue;
            }
            let length = para.chars().filter(|c| !c.is_whitespace()).count();
            let first = set.into_iter().find(|&id| is_big(dom, id))?;
            if best.is_none_or(|(most, at)| length > most || (length == most && first < at)) {
                best = Some((length, first));
            }
        }
        let (_, snippet) = best?;
        let mut summary = snippet;
        while let Some(up) = dom.parent(summary) {
            if punc(&text_of(dom, up)) == punc(&text_of(dom, summary)) {
                break;
            }
            summary = up;
        }
        let kept = dom.subtree(summary).filter(|&id| shows(dom, id) && !pruned.contains(&id)).collect();
        Some((snippet, summary, kept))
    }
}

proptest! {
    #[test]
    fn equals_the_slow_twin(
        pieces in prop::collection::vec(
            prop::sample::select(vec![
                "<div>", "</div>", "<p>", "</p>", "<b>", "</b>", "<span>", "</span>", "<ul><li>", "</ul>", "<br>", "<td>",
                "<table>", "</table>", "<script>a,b.</script>", "<p hidden>", "<a>", "</a>", " ", "word", "one, two", "End.",
                "。", "<h2>", "</h2>", "<img>", "\n", "much longer words",
            ]),
            0..60,
        )
    ) {
        let dom = Dom::parse(&pieces.concat());
        let found = econ(&dom);
        let fast = found.snippet.zip(found.summary).map(|((snippet, _), summary)| {
            let shows = |id: &NodeId| dom.is_text(*id) && !dom.text(*id).trim().is_empty();
            (snippet, summary, found.selection(&dom).nodes().iter().copied().filter(shows).collect::<Vec<_>>())
        });
        prop_assert_eq!(fast, twin::extract_news(&dom));
        prop_assert!(found.path.iter().rev().skip(1).all(|step| step.distance > 0));
    }
}
