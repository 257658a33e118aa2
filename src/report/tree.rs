//! The coverage tree of a page as lists that fold.

use super::escape::{Text, plural};
use crate::explain::{Node, Tree};
use std::fmt::Write as _;

/// Nodes that are shown at most.
const MOST_NODES: usize = 2500;
/// Levels that are folded one into the other; deeper nodes stand side by side.
const DEEPEST: usize = 40;
/// Levels that are open at first.
const OPEN: usize = 3;

/// The tree. Time linear in the nodes that are shown.
pub(super) fn tree(found: &Tree) -> String {
    let nodes = &found.nodes[..found.nodes.len().min(MOST_NODES)];
    let level = |node: &Node| node.depth.min(DEEPEST);
    // Open is what leads to a decision.
    let mut is_open = vec![false; nodes.len()];
    let mut marked_at: Vec<usize> = Vec::new();
    for (at, node) in nodes.iter().enumerate().rev() {
        let depth = level(node);
        let below = marked_at.iter().any(|&marked| marked > depth);
        is_open[at] = depth < OPEN || below;
        marked_at.retain(|&marked| marked <= depth);
        if !node.marks.is_empty() || below {
            marked_at.retain(|&marked| marked != depth);
            marked_at.push(depth);
        }
    }
    let mut out = String::from("<ul class=\"tree\" id=\"tree\">");
    let mut open: Vec<usize> = Vec::new();
    for (at, node) in nodes.iter().enumerate() {
        let depth = level(node);
        while open.pop_if(|open| *open >= depth).is_some() {
            out.push_str("</ul></details></li>");
        }
        let is_leaf = nodes.get(at + 1).is_none_or(|next| level(next) <= depth);
        if is_leaf {
            out.push_str("<li class=\"leaf\">");
            line(&mut out, node, found.toc_feature);
            out.push_str("</li>");
        } else {
            out.push_str(if is_open[at] { "<li><details open><summary>" } else { "<li><details><summary>" });
            line(&mut out, node, found.toc_feature);
            out.push_str("</summary><ul>");
            open.push(depth);
        }
    }
    for _ in open {
        out.push_str("</ul></details></li>");
    }
    out.push_str("</ul>");
    let rest = found.nodes.len() - nodes.len();
    if rest > 0 {
        let _ = write!(out, "<p class=\"note\">Left out here: {}.</p>", plural(rest as u64, "more node"));
    }
    out
}

fn line(out: &mut String, node: &Node, toc_feature: &str) {
    let _ = write!(out, "<code dir=\"auto\">{}</code><span class=\"m\">", Text(&node.name));
    let _ = write!(out, "CLEN {} ALEN {}", node.clen, node.alen);
    for (name, value) in [("CII", node.cii), ("SII", node.sii_clen), ("API", node.mean_api)] {
        if let Some(value) = value {
            let _ = write!(out, " {name} {value:.2}");
        }
    }
    if let Some(value) = node.sii_toc {
        let _ = write!(out, " SII({toc_feature}) {value:.2}");
    }
    out.push_str("</span>");
    for mark in &node.marks {
        let class = if mark.contains("chosen") || mark.contains("block by") {
            if mark.starts_with("toc") { "toc" } else { "keep" }
        } else if mark.contains("dropped") || mark.contains("removed") {
            "bad"
        } else {
            ""
        };
        let _ = write!(out, " <span class=\"tag {class}\">{}</span>", Text(mark));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::blocks::TypeEvidence;
    use crate::explain::Knowledge;

    fn of(depths: &[(usize, bool)]) -> String {
        let node = |(at, &(depth, marked)): (usize, &(usize, bool))| Node {
            node: at,
            depth,
            name: format!("n{at}<"),
            clen: 1.0,
            alen: 0.0,
            cii: Some(0.5),
            sii_clen: None,
            api: 0.0,
            mean_api: None,
            sii_toc: None,
            marks: if marked { vec!["article: chosen: \"x\"".to_owned()] } else { Vec::new() },
        };
        tree(&Tree {
            knowledge: Knowledge::Nothing,
            language: "en".to_owned(),
            evidence: TypeEvidence { link_density: 0.0, repeated: 0.0, has_article: true, has_toc: false },
            counts: [0; 3],
            toc_feature: "API",
            nodes: depths.iter().enumerate().map(node).collect(),
        })
    }

    #[test]
    fn nodes_fold_and_what_leads_to_a_decision_is_open() {
        let deep: Vec<(usize, bool)> =
            (0..6).map(|depth| (depth, depth == 5)).chain([(3, false), (4, false)]).collect();
        let html = of(&deep);
        assert_eq!(html.matches("<details open>").count(), 5, "{html}");
        assert_eq!(html.matches("<details>").count(), 1, "{html}");
        assert_eq!(html.matches("<details").count(), html.matches("</details>").count());
        assert_eq!((html.matches("<li").count(), html.matches("</li>").count()), (8, 8));
        assert!(html.contains("n0&lt;") && html.contains("&quot;x&quot;") && !html.contains("n0<"), "{html}");
    }

    #[test]
    fn a_large_and_deep_tree_is_cut() {
        let html = of(&(0..4000).map(|at| (at, false)).collect::<Vec<_>>());
        assert!(html.contains("1\u{202f}500 more nodes"), "{}", html.len());
        assert_eq!(html.matches("<details").count(), html.matches("</details>").count());
    }
}
