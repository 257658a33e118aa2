//! [`decide`]: the article, the table of contents and the type of a page, by what the page and its site tell.

use super::site_view::means;
use super::{PageDecision, PageView, SiteView};
use crate::article::{BlockFacts, Kept, keep};
use crate::blocks::PageType;
use rustc_hash::{FxHashMap, FxHashSet};

/// What became of a block, and on what evidence.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BlockVerdict {
    /// The probability that it is content, by the page alone.
    pub own: f32,
    /// Mean probability of what stands in its place on other pages; ½ where no other page has it.
    pub elsewhere: f64,
    /// Other pages that have its place.
    pub others: u32,
    /// Pages that have its text in its place.
    pub copies: u32,
    /// The probability, all told.
    pub chance: f32,
    /// Whether it is kept.
    pub kept: bool,
    /// Why, where that is not its probability.
    pub note: &'static str,
}

impl BlockVerdict {
    /// Whether it may be what this page says: most pages that have its place have another text there.
    fn is_own(&self) -> bool {
        self.copies < 2 || self.copies * 2 <= self.others + 1
    }
}

/// The links of one place of a page: tags and ids from the root on alike.
#[derive(Clone, Debug, PartialEq)]
pub struct Group {
    /// How much it looks like what the page is there to list.
    pub score: f64,
    /// Links, as places in [`PageView::links`].
    pub links: Vec<u32>,
    /// Whether it is the table of contents, or part of it.
    pub taken: bool,
}

/// Names of the parts of [`Decision::evidence`].
pub const EVIDENCE: [&str; 3] =
    ["linked share of its own text", "its own words that the pages it lists have", "its own texts that they have"];

/// What was made of a page.
#[derive(Clone, Debug, PartialEq)]
pub struct Decision {
    /// Verdicts on its blocks.
    pub blocks: Vec<BlockVerdict>,
    /// Groups of links with a score above 0, best first.
    pub groups: Vec<Group>,
    /// Links of the table of contents in document order, one a target: places in [`PageView::links`] with the score of each.
    pub toc: Vec<(u32, f64)>,
    /// What the page is.
    pub page_type: PageType,
    /// What that was told from: see [`EVIDENCE`].
    pub evidence: [f64; EVIDENCE.len()],
    /// How much the page looks like one that leads to others, 0 to 1, by itself, and with the pages of its template.
    pub own_hub: f64,
    /// See `own_hub`.
    pub hub: f64,
    /// Pages of the site that list it.
    pub listed: u32,
    /// How much the pages it lists are pages of its own template, 0 to 1; 0 where that is not known.
    pub peers: f64,
    /// Hashes of the places that hold what it says, sorted.
    pub template: Vec<u64>,
}

impl Decision {
    /// What it tells of other pages. `view` is that of the page.
    pub fn of_others(self, view: &PageView, site: &SiteView) -> PageDecision {
        let lists = self.toc.iter().map(|(at, _)| site.original(view.links[*at as usize].target)).collect();
        PageDecision { key: view.key, own_hub: self.own_hub, template: self.template, lists }
    }
}

/// Decides on one page. Time O(n log n) in its blocks and links, plus the words of at most [`MOST_TARGETS`] pages it lists.
pub fn decide(view: &PageView, site: &SiteView) -> Decision {
    let mut blocks = verdicts(view, site);
    let chances: Vec<f32> = blocks.iter().map(|block| block.chance).collect();
    let facts: Vec<_> = view.blocks.iter().map(|block| block.facts).collect();
    let unopposed = |block: &BlockVerdict| if block.copies > 1 { 0.0 } else { block.chance };
    let unopposed: Vec<f32> = blocks.iter().map(unopposed).collect();
    let Kept { keep, notes } = keep(&facts, &chances, &unopposed, &view.kinds);
    for ((block, kept), note) in blocks.iter_mut().zip(keep).zip(notes) {
        (block.kept, block.note) = (kept, note);
    }
    // The best cut of what is all unlikely is no article: an empty page, a form, "not found".
    if !blocks.iter().any(|block| block.kept && block.chance >= LIKELY) {
        for block in blocks.iter_mut().filter(|block| block.kept) {
            (block.kept, block.note) = (false, "nothing on the page is likely");
        }
    }
    let groups = groups(view, site);
    let mut seen = FxHashSet::default();
    let taken = groups.iter().filter(|group| group.taken).flat_map(|group| &group.links).copied();
    let mut links: Vec<u32> = taken.collect();
    links.sort_unstable();
    links.retain(|&at| {
        let link = &view.links[at as usize];
        let target = site.original(link.target);
        !link.is_pagination && target != site.original(view.key) && seen.insert(target)
    });
    let toc = links.iter().map(|&at| (at, link_score(view, site, at as usize))).collect();
    let evidence = evidence(view, site, &links);
    let own_hub = hub(&evidence);
    let template = template(view, &blocks, &groups);
    let hub = site.hub(own_hub, &template);
    let listed = site.listed(view.key);
    // Near 0 for a list of articles, near 1 for articles that name related ones.
    let peers = site.alike(&template, links.iter().map(|&at| view.links[at as usize].target), MOST_TARGETS);
    let page_type = page_type(hub, least_hub(listed, peers), blocks.iter().any(|block| block.kept), !links.is_empty());
    keep_headline(&facts, &mut blocks, site);
    Decision { blocks, groups, toc, page_type, evidence, own_hub, hub, listed, peers, template }
}

/// Puts the page's headline at the head of its article: of the headings before it that say what the page's title says, the one
/// that does so most, the last of several. None where the article has such a heading at its head already, or as good a one
/// anywhere. A heading that other pages have in its place too is the headline of copies where those are a quarter at most and
/// the article begins with no other heading; else it is the name of the site or of a part of it. One page alone is left as the
/// page-level classifier has it.
///
/// On the seventeen mirrors the F1 of articles rose from .972 to .979: what a site holds to be its article mostly begins so. One
/// of them, whose headlines stand in a banner, lost .004, and the others nothing. Headlines that are no headings would add
/// nothing.
fn keep_headline(facts: &[BlockFacts], blocks: &mut [BlockVerdict], site: &SiteView) {
    let Some(first) = blocks.iter().position(|block| block.kept).filter(|_| site.pages() > 1) else { return };
    let is_title = |fact: &BlockFacts| fact.is_heading && fact.is_headline();
    let is_own =
        |block: &BlockVerdict| block.copies < 2 || block.copies * 4 <= block.others + 1 && !facts[first].is_heading;
    let said = (0..first).filter(|&at| is_title(&facts[at]) && is_own(&blocks[at]));
    let Some(at) = said.max_by_key(|&at| (facts[at].headline, at)) else { return };
    let (said, rank) = (facts[at].said(), facts[at].headline);
    let mut kept = facts.iter().zip(&*blocks).filter(|(_, block)| block.kept).map(|(fact, _)| fact);
    let has_one = facts[first].is_headline()
        || kept.clone().take(HEAD).any(|fact| is_title(fact) && fact.said() >= said)
        || kept.any(|fact| is_title(fact) && fact.headline >= rank);
    // The page's own headline is no heading: then this is that of another of its series.
    let is_other = (0..first).any(|other| facts[other].said() > said && is_own(&blocks[other]));
    if !has_one && !is_other {
        (blocks[at].kept, blocks[at].note) = (true, "the headline");
    }
}

/// The first blocks of an article, among which its headline may stand behind a line above it.
const HEAD: usize = 4;

/// The probability of each block, all told. In log-odds, with `s = c/(c + 2)` for c other pages that have its place:
///
/// `l = OWN·own + s·(PLACE·elsewhere − SHIFT·own) − TEMPLATE·EN^1.5 − PROMOTION·r³·ln(k/2)·w`
///
/// EN is how widely its text repeats in its place. So with evidence the weight moves from what the block looks like to what
/// stands in its place on other pages, and what all pages say is no page's content. The last term is for a text of 20·w
/// words (w at most 1) that stands on k pages, a share r of those that have its place: no page's own paragraph does that,
/// though a label may. The corrections fade in with the number n of known pages, by (n − 1)/(n + 1): one page alone is
/// judged as the page-level classifier does.
///
/// The first four weights are those of a logistic regression on 57 sites of the article sets and 17 mirrors, of which each
/// was left out in turn, without the last term: article S4F rose from .940 to .950 on daniel-dev, from .964 to .971 on
/// cleanportaleval, from .950 to .963 on the mirrors, and stayed at .983 on big9-dev. A boosted model of fourteen features
/// had .966 on the mirrors, and no gain elsewhere. Exponents from 1 to 3, shrinkage from 1 to 5 pages and limits from 3 to 5
/// differ by .002. The last weight was set so that a promotion on each of eight articles is dropped; it costs .015 on one
/// mirror, whose articles really end in texts that all have, and .01 at most on the others. With any one of the weights, the
/// exponent or the shrinkage halved or doubled, the mean over the mirrors stays within .9613 and .9696 (.9655 as they are), and
/// that over the sites of the article sets within .9584 and .9616 (.9612).
fn verdicts(view: &PageView, site: &SiteView) -> Vec<BlockVerdict> {
    let means = means(view);
    let n = f64::from(site.pages().max(1));
    let known = (n - 1.0) / (n + 1.0);
    let verdict = |block: &crate::article::JudgedBlock| {
        let (sum, weight) = means.get(&block.place).copied().unwrap_or((0.0, 1.0));
        let (elsewhere, others) = site.elsewhere(block.place, sum / weight);
        let (entropy, copies) = site.repetition(block.place, block.chunk);
        let s = f64::from(others) / (f64::from(others) + 2.0);
        let own = log_odds(f64::from(block.chance), 6.0);
        let moved = (OWN - 1.0) * own + s * (PLACE * log_odds(elsewhere, 5.0) - SHIFT * own);
        let odds = own + known * (moved - TEMPLATE * entropy.powf(1.5));
        let share = f64::from(copies) / f64::from(others + 1).max(f64::from(copies));
        let words = f64::from(block.facts.words.min(20)) / 20.0;
        let odds = odds - known * PROMOTION * share.powi(3) * (f64::from(copies) / 2.0).ln().max(0.0) * words;
        #[allow(clippy::cast_possible_truncation, reason = "a probability")]
        let chance = if site.pages() < 2 { block.chance } else { (1.0 / (1.0 + (-odds).exp())) as f32 };
        BlockVerdict { own: block.chance, elsewhere, others, copies, chance, kept: false, note: "" }
    };
    view.blocks.iter().map(verdict).collect()
}

/// A page has an article only if a block reaches this chance. Of the 2,719 pages of the article sets and mirrors, judged by
/// models that had not seen their sites, eight do not, and what would be kept of them has nothing right; of the next eight, up to
/// ½, three have half of it or more.
const LIKELY: f32 = 0.3;

const OWN: f64 = 1.16;
const PLACE: f64 = 0.6;
const SHIFT: f64 = 0.44;
const TEMPLATE: f64 = 2.1;
const PROMOTION: f64 = 6.0;

fn log_odds(p: f64, limit: f64) -> f64 {
    let p = p.clamp(1e-6, 1.0 - 1e-6);
    (p / (1.0 - p)).ln().clamp(-limit, limit)
}

/// How much a link looks like an entry of what the page lists: new to the site, long, all of its block, and leading to an
/// article of the site. Links out of the site, to the page itself and to other pages of the same list count nothing.
fn link_score(view: &PageView, site: &SiteView, at: usize) -> f64 {
    let link = &view.links[at];
    if !link.is_internal || link.is_pagination || site.original(link.target) == site.original(view.key) {
        return 0.0;
    }
    let news = (1.0 - site.link_repetition(link.path, link.target)).max(0.0).powi(6);
    let target = site.target(link.target, view.key).and_then(|key| site.kinds(key));
    let entry = 0.2 + target.map_or(0.0, |kinds| f64::from(kinds[0]));
    let density = view.blocks.get(link.block as usize).map_or(0.0, |block| f64::from(block.linked));
    news * f64::from(link.len) * (0.1 + density) * entry
}

/// Groups of links with a score: the sum over distinct targets. Taken are those that reach four fifths of the best; on the
/// seventeen mirrors any share from .7 to .9 gives F1 within .007.
fn groups(view: &PageView, site: &SiteView) -> Vec<Group> {
    let mut places: FxHashMap<u64, usize> = FxHashMap::default();
    let mut groups: Vec<Group> = Vec::new();
    let mut seen = FxHashSet::default();
    for (at, link) in (0_u32..).zip(&view.links) {
        let place = *places.entry(link.path).or_insert_with(|| {
            groups.push(Group { score: 0.0, links: Vec::new(), taken: false });
            groups.len() - 1
        });
        groups[place].links.push(at);
        if seen.insert((link.path, site.original(link.target))) {
            groups[place].score += link_score(view, site, at as usize);
        }
    }
    groups.retain(|group| group.score > 0.0);
    // A stable sort: of equal groups the first on the page stays first.
    groups.sort_by(|a, b| b.score.total_cmp(&a.score));
    let best = groups.first().map_or(0.0, |group| group.score);
    for group in &mut groups {
        group.taken = group.score >= LEAST_NEWS.max(0.8 * best);
    }
    groups
}

/// Less than this of a new character says nothing: where a menu is missing on a page or two, its links are still no news on all
/// the others.
const LEAST_NEWS: f64 = 0.01;

/// Pages of a list that are compared with it.
pub const MOST_TARGETS: usize = 20;

fn evidence(view: &PageView, site: &SiteView, links: &[u32]) -> [f64; EVIDENCE.len()] {
    let listed: Vec<u64> = links
        .iter()
        .filter_map(|&at| site.target(view.links[at as usize].target, view.key))
        .take(MOST_TARGETS)
        .collect();
    let (mut linked, mut repeated, mut all) = (0.0, 0.0, 0.0);
    for block in &view.blocks {
        let new = f64::from(block.facts.words) * (1.0 - site.repetition(block.place, block.chunk).0);
        all += new;
        linked += new * f64::from(block.linked);
        if listed.iter().any(|&key| site.has_chunk(key, block.chunk)) {
            repeated += new;
        }
    }
    let are_theirs = among(&view.words, listed.iter().map(|&key| site.words(key)));
    let (mut shared, mut weights) = (0.0, 0.0);
    for (word, is_theirs) in view.words.iter().zip(are_theirs) {
        let weight = site.weight(*word);
        weights += weight;
        if is_theirs {
            shared += weight;
        }
    }
    let share = |part: f64, whole: f64| if whole > 0.0 { part / whole } else { 0.0 };
    [share(linked, all), share(shared, weights), share(repeated, all)]
}

/// Which of these words is in one of the others' lists. All are sorted, so that no table of them is needed.
fn among<'a>(own: &[u32], others: impl Iterator<Item = &'a [u32]>) -> Vec<bool> {
    let mut found = vec![false; own.len()];
    for words in others {
        let mut words = words.iter().copied().peekable();
        for (word, is_found) in own.iter().zip(&mut found) {
            while words.next_if(|other| other < word).is_some() {}
            *is_found |= words.peek() == Some(word);
        }
    }
    found
}

/// How much a page looks like one that leads to others, 0 to 1, by itself: the share of its own text that is linked; the mean
/// of that and the share of its own words that the pages it lists have; or the share of its own texts that they have.
/// Whichever is most: a list of bare links shows the first, teasers the second, articles in full the third.
fn hub(evidence: &[f64; EVIDENCE.len()]) -> f64 {
    let [linked, words, texts] = *evidence;
    linked.max(f64::midpoint(linked, words)).max(texts)
}

/// Where a page has what it says: the places of its lists and of those kept blocks that are its own, distinct. With what most
/// pages say there, which makes no template, balanced accuracy is .962 on the mirrors instead of .964.
pub(super) fn template(view: &PageView, blocks: &[BlockVerdict], groups: &[Group]) -> Vec<u64> {
    let kept = view.blocks.iter().zip(blocks).filter(|(_, verdict)| verdict.kept && verdict.is_own());
    let kept = kept.map(|(block, _)| block.place);
    let lists = groups.iter().filter(|group| group.taken).filter_map(|group| group.links.first());
    let mut places: Vec<u64> = kept.chain(lists.map(|&at| view.links[at as usize].path)).collect();
    places.sort_unstable();
    places.dedup();
    places
}

/// From where on a page with an article and a list is a table of contents, listed by so many pages, and with so much in common
/// with those that it lists: articles are what lists lead to, and lists are mostly found in menus; and what lists its like is
/// an article that names related ones, the rather the more of them name it. From .38 up to .88.
///
/// With .45 for all, balanced accuracy on the pages of the sixteen mirrors that are articles or lists is .948; with `listed`
/// alone, from .4, .957; with both .959. On nine made sites of short articles with up to twenty teasers it was .81 without `peers`,
/// and is .997. With half the weight of either .953 and .958 on the mirrors, with twice .944 and .952.
pub fn least_hub(listed: u32, peers: f64) -> f64 {
    0.38 + (0.1 + 0.4 * peers) * f64::from(listed) / (f64::from(listed) + 2.0)
}

/// Tells the type, from what the page and those of its template look like: see [`SiteView::with_decisions`]. On one site
/// tables of contents stand in the template of articles, and too few of them are told (.60).
fn page_type(hub: f64, least_hub: f64, has_article: bool, has_toc: bool) -> PageType {
    match (has_article, has_toc) {
        (false, false) => PageType::Other,
        (false, true) => PageType::Toc,
        (true, true) if hub > least_hub => PageType::Toc,
        (true, _) => PageType::Article,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn among_finds_what_a_set_finds(
            own in prop::collection::btree_set(0_u32..40, 0..20),
            others in prop::collection::vec(prop::collection::btree_set(0_u32..40, 0..20), 0..4),
        ) {
            let own: Vec<u32> = own.into_iter().collect();
            let others: Vec<Vec<u32>> = others.into_iter().map(|set| set.into_iter().collect()).collect();
            let slow: Vec<bool> = own.iter().map(|word| others.iter().any(|words| words.contains(word))).collect();
            prop_assert_eq!(among(&own, others.iter().map(Vec::as_slice)), slow);
        }
    }
}
