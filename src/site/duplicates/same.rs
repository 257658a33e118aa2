//! [`says_the_same`]: a closer look at two pages whose sketches are alike.

use crate::article::keep;
use crate::site::{PageView, SiteView};
use rustc_hash::FxHashSet;

/// Share of what the page that has less to say says that must stand on the other one.
const SHARED: f64 = 0.8;

/// Whether two pages say the same: of the one that has less to say, four fifths stand on the other, by the blocks that the
/// page-level classifier keeps or by all words. Blocks bear with other things beside the article, words with an article
/// that is cut into other blocks. Each block (by its words) and each word weighs the less the more other pages of the site
/// have it, by `1 − ln(1 + others)/ln n` as [`SiteView`] has it, but the others are the pages beside these two: where these
/// two are all pages, they say all that they say.
///
/// So what all pages of a site say makes no two of them alike. If most pages are one form letter, the names in it tell them
/// apart.
///
/// Without a `hint` that they are one page, such as their URLs, the headline of each, where it has one, must stand on the
/// other as a block of its own, and not both may have images among what they say that the other has not: two stubs have only
/// their headlines to tell them apart, and two cartoons only themselves.
///
/// Exact, but for images, which are compared by Bloom filters and may be taken for the same. Time O(n log n) in the blocks
/// and linear in the words.
pub fn says_the_same(a: &PageView, b: &PageView, site: &SiteView, hint: bool) -> bool {
    let other_images = a.images & !b.images != 0 && b.images & !a.images != 0;
    let differ = other_images || !has_headline_of(a, b) || !has_headline_of(b, a);
    (hint || !differ)
        && (common_words(a, b, site) >= SHARED || common_blocks(a, b, site).max(common_blocks(b, a, site)) >= SHARED)
}

/// Share of the words of the page with less of them that are on the other one, by weight; 0 without words.
fn common_words(a: &PageView, b: &PageView, site: &SiteView) -> f64 {
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
    if least > 0.0 { common / least } else { 0.0 }
}

/// Share of what a page says that stands on another one in blocks of the same words, by weight; 0 where it says nothing.
fn common_blocks(page: &PageView, other: &PageView, site: &SiteView) -> f64 {
    let facts: Vec<_> = page.blocks.iter().map(|block| block.facts).collect();
    let chances: Vec<f32> = page.blocks.iter().map(|block| block.chance).collect();
    let kept = keep(&facts, &chances, &chances, &page.kinds).keep;
    let texts: FxHashSet<u64> = other.blocks.iter().map(|block| block.facts.text).collect();
    let placed: FxHashSet<(u64, u64)> = other.blocks.iter().map(|block| (block.place, block.chunk)).collect();
    let (mut common, mut all) = (0.0, 0.0);
    for (block, _) in page.blocks.iter().zip(kept).filter(|(_, kept)| *kept) {
        let own = 1 + u32::from(placed.contains(&(block.place, block.chunk)));
        let weight = f64::from(block.facts.words) * site.text_weight_beside(block.place, block.chunk, own);
        all += weight;
        if texts.contains(&block.facts.text) {
            common += weight;
        }
    }
    if all > 0.0 { common / all } else { 0.0 }
}

/// Whether a page has the headline of another as a block; so it is where that has none.
fn has_headline_of(page: &PageView, other: &PageView) -> bool {
    let texts: FxHashSet<u64> = page.blocks.iter().map(|block| block.facts.text).collect();
    let mut headlines = other.blocks.iter().filter(|block| block.facts.is_headline()).peekable();
    headlines.peek().is_none() || headlines.any(|block| texts.contains(&block.facts.text))
}

/// Drops the links of a page to its twins, which `is_twin` knows by their keys: pages so like it that they may be other views
/// of it. That it links to its print view makes no page a list.
pub fn without_twins(mut view: PageView, is_twin: impl Fn(u64) -> bool) -> PageView {
    view.links.retain(|link| !is_twin(link.target));
    view
}
