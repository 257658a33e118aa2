//! The paper's two measures of how well mined blocks match an answer (WISDOM, section 4.1).

use crate::dom::{Dom, NodeId};

/// What an answer set A and a result set W share: sums over the nodes of their subtrees.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Match {
    /// In both.
    pub aw: u64,
    /// In the answer only.
    pub ao: u64,
    /// In the result only.
    pub wo: u64,
}

impl Match {
    /// P = AW / (AW + WO); 0 for an empty result.
    pub fn precision(&self) -> f64 {
        share(self.aw, self.aw + self.wo)
    }

    /// R = AW / (AW + AO); 0 for an empty answer.
    pub fn recall(&self) -> f64 {
        share(self.aw, self.aw + self.ao)
    }

    /// F = 2PR / (P + R).
    pub fn f(&self) -> f64 {
        let (p, r) = (self.precision(), self.recall());
        if p + r > 0.0 { 2.0 * p * r / (p + r) } else { 0.0 }
    }
}

fn share(part: u64, whole: u64) -> f64 {
    if whole == 0 { 0.0 } else { part as f64 / whole as f64 }
}

/// Compares the subtrees of `answer` with those of `result`, each node by its weight. With weight 1 for each node (or each
/// anchor) this is *significant node coverage*, SNC; with the length of each node's own text, *information coverage*, IC.
/// Time linear in the page.
pub fn compare(dom: &Dom, answer: &[NodeId], result: &[NodeId], weight: impl Fn(NodeId) -> u64) -> Match {
    let (answer, result) = (covered(dom, answer), covered(dom, result));
    let mut found = Match::default();
    for id in dom.ids() {
        let sum = match (answer[id.index()], result[id.index()]) {
            (true, true) => &mut found.aw,
            (true, false) => &mut found.ao,
            (false, true) => &mut found.wo,
            (false, false) => continue,
        };
        *sum += weight(id);
    }
    found
}

fn covered(dom: &Dom, roots: &[NodeId]) -> Vec<bool> {
    let mut covered = vec![false; dom.len()];
    for &root in roots {
        dom.subtree(root).for_each(|id| covered[id.index()] = true);
    }
    covered
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dom::{Attr, Tag};

    /// WISDOM, Table 3. Fig. 10 is lost; these trees have the printed counts: an answer of six nodes with 15 words whose
    /// result covers three with 9, and one of ten nodes with 25 words whose result covers five with 17.
    #[test]
    fn table_3() {
        let dom = Dom::parse(
            "<section id=at><a>a b</a><a>c d</a><div id=wt>e f g<a>h i j</a><a>k l m</a></div>n o</section>\
             <section id=aa><p>a b</p><p>c d</p><p>e</p><p>f</p><div id=wa>1 2 3 4 5<p>6 7 8</p><p>1 2 3</p><p>4 5 6</p><p>7 8 9</p></div>x y</section>",
        );
        let by_id = |name: &str| dom.ids().find(|&id| dom.attr(id, Attr::ID) == Some(name)).expect("an id of the test");
        // Nodes are tags, as in the paper; the length of a node is that of the text directly in it.
        let node = |id: NodeId| u64::from(!dom.is_text(id));
        let words = |id: NodeId| {
            let own = dom.children(id).filter(|&child| dom.is_text(child));
            own.map(|child| dom.text(child).split_whitespace().count() as u64).sum::<u64>()
        };
        let check = |answer: &str, result: &str, snc: (u64, u64, u64), ic: (u64, u64, u64), f: (f64, f64)| {
            for (counts, got, f) in [
                (snc, compare(&dom, &[by_id(answer)], &[by_id(result)], node), f.0),
                (ic, compare(&dom, &[by_id(answer)], &[by_id(result)], words), f.1),
            ] {
                assert_eq!((got.aw, got.ao, got.wo), counts, "{answer}");
                assert!((got.precision() - 1.0).abs() < 1e-12);
                assert!((got.f() - f).abs() < 0.005, "{answer}: {}", got.f());
            }
        };
        check("at", "wt", (3, 3, 0), (9, 6, 0), (0.67, 0.75));
        check("aa", "wa", (5, 5, 0), (17, 8, 0), (0.67, 0.81));
        let recall = compare(&dom, &[by_id("aa")], &[by_id("wa")], words).recall();
        assert!((recall - 0.68).abs() < 1e-12);
        assert_eq!(dom.tag(by_id("at")), Tag::SECTION);
    }

    #[test]
    fn empty_sets_score_nothing() {
        let dom = Dom::parse("<p>a");
        let none = compare(&dom, &[], &[], |_| 1);
        assert!(none.f().abs() < f64::EPSILON && none.precision().abs() < f64::EPSILON);
        let spurious = compare(&dom, &[], &[dom.body()], |_| 1);
        assert_eq!((spurious.aw, spurious.ao), (0, 0));
        assert!(spurious.wo > 0);
    }
}
