//! [`says_the_same`]: a closer look at two pages whose sketches are alike.

use crate::site::{PageView, SiteView};
use rustc_hash::FxHashSet;

/// Share of the words of the page that has less to say that must stand on the other one.
const SHARED: f64 = 0.8;

/// Whether two pages say the same, by their words: of the one that has less to say, four fifths stand on the other, each word
/// weighing the less the more other pages of the site have it.
///
/// So what a template says does not count for likeness, and what one view of an article has beside it (a menu, titles of
/// other articles) not against it; but two pages that only the names and numbers in a form letter tell apart are told apart.
/// The weight is `1 − ln(1 + others)/ln n`, as [`SiteView`] has it, but `others` are the pages beside these two: with a
/// site of two pages both say all that they say.
///
/// Without a `hint` that they are one page, such as their URLs, the headline of each, where it has one, must stand on the
/// other as a block of its own, and where both have images among what they say, one must be on both: two stubs have only
/// their headlines to tell them apart, and two cartoons only themselves.
/// Exact. Time linear in the pages.
pub fn says_the_same(a: &PageView, b: &PageView, site: &SiteView, hint: bool) -> bool {
    let (mut common, mut of_a, mut of_b) = (0.0, 0.0, 0.0);
    let mut others = b.words.iter().peekable();
    for word in &a.words {
        while let Some(other) = others.next_if(|other| *other < word) {
            of_b += site.weight_beside(*other, 1);
        }
        if others.next_if_eq(&word).is_some() {
            common += site.weight_beside(*word, 2);
        } else {
            of_a += site.weight_beside(*word, 1);
        }
    }
    of_b += others.map(|other| site.weight_beside(*other, 1)).sum::<f64>();
    let least = common + of_a.min(of_b);
    let same_words = least > 0.0 && common >= SHARED * least;
    let other_images = a.images != 0 && b.images != 0 && a.images & b.images == 0;
    same_words && (hint || (!other_images && has_headline_of(a, b) && has_headline_of(b, a)))
}

/// Whether a page has the headline of another as a block; so it is where that has none.
fn has_headline_of(page: &PageView, other: &PageView) -> bool {
    let texts: FxHashSet<u64> = page.blocks.iter().map(|block| block.facts.text).collect();
    let mut headlines = other.blocks.iter().filter(|block| block.facts.is_headline).peekable();
    headlines.peek().is_none() || headlines.any(|block| texts.contains(&block.facts.text))
}

/// Drops the links of a page to its twins, which `is_twin` knows by their keys: pages so like it that they may be other views
/// of it. That it links to its print view makes no page a list.
pub fn without_twins(mut view: PageView, is_twin: impl Fn(u64) -> bool) -> PageView {
    view.links.retain(|link| !is_twin(link.target));
    view
}
