//! [`judge`]: a page as the page-level classifier sees it, for those who know more of the page than it does.

use super::block::{blocks, ratio};
use super::keep::{BlockFacts, facts, is_forum, keep};
use super::{block_range, block_text, chances, description, images, nodes_of};
use crate::article::meta::{Statements, names_month};
use crate::dom::{Attr, Dom, NodeId, Tag};
use crate::terms::push_lower;
use serde::{Deserialize, Serialize};
use std::ops::Range;
use xxhash_rust::xxh3::xxh3_64;

/// A page cut into blocks.
#[derive(Clone, Debug)]
pub struct JudgedPage {
    /// The probability of each kind of page: article, forum, product, listing, collection, documentation, service.
    pub kinds: [f32; 7],
    /// The page's headline; empty where none was found.
    pub title: String,
    /// Blocks in document order.
    pub blocks: Vec<JudgedBlock>,
    /// The first text node of each block.
    pub first: Vec<NodeId>,
    /// Where the text of each block stands in [`Dom::visible_text`].
    pub texts: Vec<Range<usize>>,
    /// Whether each block is kept, as far as the page by itself tells.
    pub kept: Vec<bool>,
    /// Images that belong to the kept blocks, in document order.
    pub images: Vec<NodeId>,
}

/// One block.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct JudgedBlock {
    /// The probability that it is content, of all that the page itself tells.
    pub chance: f32,
    /// Hash of where it stands: tags and classes from the root to its container, digits as one.
    pub place: u64,
    /// Hash of its text, in lower case, white space folded.
    pub chunk: u64,
    /// The lowest block element around it, a place in document order.
    pub container: u32,
    /// Share of its text that is linked, 0 to 1.
    pub linked: f32,
    /// What the final decision needs.
    pub facts: BlockFacts,
}

/// Cuts a page into blocks and says how likely each is content. Time O(n log n).
pub fn judge(dom: &Dom) -> JudgedPage {
    let statements = Statements::read(dom);
    let title = statements.title(None).unwrap_or_default();
    let page = blocks(dom, &title, &description(dom));
    let types = statements.types();
    let (chances, kinds) = chances(dom, &page, types, &mut |_| {});
    let has_posts = is_forum(&kinds) || types.discussion || names_forum_software(dom);
    let facts = facts(dom, &page, Some(&title), false);
    let kept = keep(&facts, &chances, &chances, &kinds).keep;
    let judged =
        page.blocks.iter().zip(chances).zip(facts).enumerate().map(|(at, ((block, chance), facts))| JudgedBlock {
            chance,
            place: block.class_path,
            chunk: chunk(block_text(dom, &page, at), has_posts),
            container: u32::try_from(block.container.index()).unwrap_or(u32::MAX),
            linked: ratio(block.linked, block.len),
            facts,
        });
    JudgedPage {
        kinds,
        title,
        blocks: judged.collect(),
        first: page.blocks.iter().map(|block| block.first).collect(),
        texts: (0..page.blocks.len()).map(|at| block_range(dom, &page, at)).collect(),
        images: images::between(dom, &page, &kept).into_iter().filter(|&id| dom.tag(id) == Tag::IMG).collect(),
        kept,
    }
}

/// Where the text of each block of a page stands in [`Dom::visible_text`], in document order: the blocks of [`judge`], without
/// judging them. Time linear in the page.
pub fn block_texts(dom: &Dom) -> Vec<Range<usize>> {
    let page = blocks(dom, "", "");
    (0..page.blocks.len()).map(|at| block_range(dom, &page, at)).collect()
}

/// The nodes of the kept blocks of a page, given by their places among its blocks: texts, and the images and rules that
/// belong to them. Time linear in the page.
pub fn kept_nodes(dom: &Dom, kept: &[u32]) -> Vec<NodeId> {
    let page = blocks(dom, "", "");
    let mut keep = vec![false; page.blocks.len()];
    for &at in kept {
        if let Some(kept) = keep.get_mut(at as usize) {
            *kept = true;
        }
    }
    nodes_of(dom, &page, &keep).collect()
}

/// Whether a page names software that forums are made with, as such software does on every page: in a link to the software's own
/// site, or as what generated the page. Time linear in the page.
fn names_forum_software(dom: &Dom) -> bool {
    let made_with = |id: NodeId| {
        let is_generator = dom.attr(id, Attr::NAME).is_some_and(|name| name.trim().eq_ignore_ascii_case("generator"));
        dom.attr(id, Attr::CONTENT).filter(|_| is_generator)
    };
    let host = |id: NodeId| dom.attr(id, Attr::HREF)?.split_once("//")?.1.split(['/', '?', '#', ':']).next();
    dom.ids().any(|id| match dom.tag(id) {
        Tag::META => made_with(id).is_some_and(|made| {
            let name = made.trim_start().to_ascii_lowercase();
            FORUM_SOFTWARE.iter().any(|(known, _)| name.starts_with(known))
        }),
        Tag::A => host(id).is_some_and(|host| {
            let host = host.strip_prefix("www.").unwrap_or(host);
            FORUM_SOFTWARE.iter().any(|(_, known)| host.eq_ignore_ascii_case(known))
        }),
        _ => false,
    })
}

/// Software that forums are made with: how it names itself, and its site.
const FORUM_SOFTWARE: [(&str, &str); 15] = [
    ("phpbb", "phpbb.com"),
    ("vbulletin", "vbulletin.com"),
    ("xenforo", "xenforo.com"),
    ("simple machines", "simplemachines.org"),
    ("mybb", "mybb.com"),
    ("fluxbb", "fluxbb.org"),
    ("punbb", "punbb.informer.com"),
    ("invision", "invisioncommunity.com"),
    ("discuz", "discuz.net"),
    ("flarum", "flarum.org"),
    ("nodebb", "nodebb.org"),
    ("woltlab", "woltlab.com"),
    ("vanilla", "vanillaforums.com"),
    ("discourse", "discourse.org"),
    ("bbpress", "bbpress.org"),
];

/// Hash of a text in lower case, white space folded. Numbers count: "the race was won in 107 minutes" says something else on
/// every page. (With digits as one, article F1 on the seventeen mirrors differed by .0003.) But not when a post was written, on
/// pages that `has_posts`: without that the line is new on every page that all posts have above them. (On the forum among the
/// mirrors F1 rose from .828 to .862.)
fn chunk(text: &str, has_posts: bool) -> u64 {
    let moments = if has_posts { moments(text) } else { Vec::new() };
    let mut folded = String::with_capacity(text.len());
    for (at, word) in text.split_whitespace().enumerate() {
        if at > 0 {
            folded.push(' ');
        }
        if moments.get(at).is_some_and(|is_moment| *is_moment) {
            folded.push('0');
        } else {
            word.chars().for_each(|c| push_lower(&mut folded, c));
        }
    }
    xxh3_64(folded.as_bytes())
}

/// Words of the head of a post beside its day and time, at most; more are a sentence, which says something of its own.
const MOST_OTHERS: usize = 6;
/// Words of the head of a post, at most.
const MOST_WORDS: usize = 16;

/// Which words of the head of a post tell its day and time: one or two in numbers, or else those around the name of a month,
/// where the line has a time of the day as well or says nothing else. Empty where none do, and where the line says more.
fn moments(text: &str) -> Vec<bool> {
    let words: Vec<&str> = text.split_whitespace().take(MOST_WORDS + 1).collect();
    if words.len() > MOST_WORDS {
        return Vec::new();
    }
    let dated = dated(&words);
    let mut moments: Vec<bool> = words.iter().map(|word| is_instant(word)).collect();
    let instants = moments.iter().enumerate().filter(|(at, is_instant)| **is_instant && !dated.contains(at)).count();
    let has_time = || words.iter().any(|word| word.contains(':') && is_instant(word));
    let has_date = !dated.is_empty() && (dated.len() == words.len() || has_time());
    if instants > 2 || (instants == 0 && !has_date) {
        return Vec::new();
    }
    for at in 1..words.len() {
        moments[at] |= moments[at - 1] && is_half_of_day(words[at]);
    }
    if has_date {
        moments[dated].fill(true);
    }
    let others = moments.iter().filter(|is_moment| !**is_moment).count();
    if others <= MOST_OTHERS { moments } else { Vec::new() }
}

fn is_half_of_day(word: &str) -> bool {
    ["am", "pm", "a.m.", "p.m."].iter().any(|half| word.trim_end_matches([',', ')']).eq_ignore_ascii_case(half))
}

/// The words of a date whose month is named: `Sat Jun 06, 2009 7:05 pm`. Empty where there is none.
fn dated(words: &[&str]) -> Range<usize> {
    let bare = |at: usize| words[at].trim_matches(|c: char| !c.is_alphanumeric());
    let is_number = |at: usize| {
        let digits = words[at].trim_end_matches([',', '.', 'º', 'ª']);
        let digits = ["st", "nd", "rd", "th"].iter().find_map(|end| digits.strip_suffix(end)).unwrap_or(digits);
        (1..=4).contains(&digits.len()) && digits.bytes().all(|b| b.is_ascii_digit())
    };
    let joins = |at: usize| matches!(words[at], "de" | "del" | "of");
    let is_part = |at: &usize| is_number(*at) || joins(*at) || is_half_of_day(words[*at]) || is_instant(words[*at]);
    // A month without a number beside it, or a word that joins both, is none.
    let is_beside = |at: &usize| {
        let near = |at: usize| at < words.len() && (is_number(at) || joins(at));
        at.checked_sub(1).is_some_and(near) || near(at + 1)
    };
    let Some(month) = (0..words.len()).filter(is_beside).find(|&at| names_month(bare(at))) else { return 0..0 };
    let before = (0..month).rev().take_while(is_part).count();
    let behind = (month + 1..words.len()).take_while(is_part).count();
    if !(month - before..=month + behind).any(is_number) {
        return 0..0;
    }
    let first = month - before;
    // A day of the week is short, or a comma parts it from the date.
    let is_weekday = |at: &usize| {
        bare(*at).chars().all(char::is_alphabetic) && (words[*at].ends_with(',') || bare(*at).chars().count() <= 3)
    };
    first.checked_sub(1).filter(is_weekday).unwrap_or(first)..month + behind + 1
}

/// Whether a word is a day or a time in numbers: three of which one has four digits or all have two, hours with minutes, or
/// several with the signs of Chinese, Japanese and Korean dates.
fn is_instant(word: &str) -> bool {
    const SIGNS: &str = ":年月日時时分秒년월일시";
    let word = word.trim_matches(|c: char| !c.is_alphanumeric());
    let is_of_it = |c: char| c.is_ascii_digit() || "./-".contains(c) || SIGNS.contains(c);
    // No date is longer; every sign has three bytes.
    if word.len() > 40 || !word.starts_with(|c: char| c.is_ascii_digit()) || !word.chars().all(is_of_it) {
        return false;
    }
    let groups: Vec<usize> =
        word.split(|c: char| !c.is_ascii_digit()).map(str::len).filter(|&digits| digits > 0).collect();
    let [first, rest @ ..] = &groups[..] else { return false };
    if word.contains(':') {
        // No score: minutes and seconds have two digits.
        return *first <= 2 && matches!(rest, [2] | [2, 2]) && !word.contains(['.', '/', '-']);
    }
    let is_day = groups.len() == 3 && (groups.contains(&4) || groups.iter().all(|&digits| digits == 2));
    let has_sign = groups.len() >= 2 && word.contains(|c| SIGNS.contains(c));
    groups.iter().all(|&digits| digits <= 4) && (is_day || has_sign)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(text: &str) -> u64 {
        chunk(text, false)
    }

    #[test]
    fn texts_with_other_numbers_are_other_texts() {
        assert_eq!(text("Read the 12 best offers  of our sale"), text("read the 12 best\noffers of our sale"));
        assert_ne!(text("Weight 103 g"), text("Weight 98 g"));
        assert_ne!(text("The race was won in 107 minutes."), text("The race was won in 109 minutes."));
        assert_ne!(text("Published: 2009-06-05"), text("Published: 2009-07-12"));
    }

    #[test]
    fn forum_software_is_named_by_links_and_generators() {
        let names = |html: &str| names_forum_software(&Dom::parse(html));
        assert!(names("<p>Powered by <a href='http://www.phpBB.com/?x=1'>phpBB</a>"));
        assert!(names("<a href=//www.discourse.org>d</a>"));
        assert!(names("<meta name=Generator content='Discuz! X3.4'>"));
        assert!(names("<meta name=generator content='Discourse 3.1 - https://github.com/discourse/discourse'>"));
        assert!(!names("<a href='https://www.civildiscourse.org/'>x</a><a href='http://phpbb.com.test/'>y</a>"));
        assert!(!names("<a href='/phpbb/viewtopic.php'>x</a><a href='https://a.test/phpbb.com'>y</a>"));
        assert!(!names("<meta name=description content='phpBB'><p>phpbb.com"));
    }

    #[test]
    fn on_a_forum_only_the_day_and_time_of_a_post_differ() {
        let post = |text| chunk(text, true);
        assert_eq!(post("Verfasst am: 06.06.2009 - 19:11 Titel:"), post("verfasst am: 12.11.2010 - 7:05 Titel:"));
        assert_eq!(post("发表于 2009年6月6日 19:11"), post("发表于 2010年11月12日 07:05"));
        assert_ne!(post("Posted: 06.06.2009 by Anna"), post("Posted: 06.06.2009 by Berta"));
        assert_ne!(
            post("The last day of registration is 06.02.2012, and the event starts at 14:55 in the great hall."),
            post("The last day of registration is 07.02.2012, and the event starts at 16:55 in the great hall.")
        );
        assert_ne!(
            post("The train that I took left at 7:05 and was very late."),
            post("The train that I took left at 8:05 and was very late.")
        );
        assert_ne!(post("Buses at 7:05 8:05 9:05"), post("Buses at 7:15 8:15 9:15"));
        assert_ne!(post("Version 3.8.0 is out"), post("Version 3.8.1 is out"));
        assert_eq!(post("Posted: Sat Jun 06, 2009 7:05 pm"), post("Posted: Mon Dec 14, 2015 11:40 am"));
        assert_eq!(post("Сообщение Анна » 6 июня 2009, 19:11"), post("Сообщение Анна » 14 декабря 2015, 07:05"));
        assert_eq!(post("Publicado: 5 de octubre de 2018, 02:16"), post("Publicado: 14 de mayo de 2019, 12:20"));
        assert_eq!(post("by Anna, 5th October 2018, 2:16 PM"), post("by Anna, 3rd May 2019, 3:20 AM"));
        assert_ne!(post("Carta de Mayo de Anna 02:16"), post("Carta de Junio de Anna 02:16"));
        assert_eq!(post("Saturday, 6 June 2009"), post("Monday, 14 December 2015"));
        assert_eq!(post("#3 Jun 6, 2009 at 7:05 PM"), post("#3 Dec 14, 2015 at 7:40 AM"));
        assert_ne!(post("#3 Jun 6, 2009 at 7:05 PM"), post("#4 Jun 6, 2009 at 7:05 PM"));
        assert_ne!(post("Joined in June 2009"), post("Joined in May 2008"));
        assert_ne!(post("Anna, Jun 6, 2009 7:05 pm"), post("Berta Lind, Jun 6, 2009 7:05 pm"));
        assert_ne!(post("I may come at 7:05"), post("I may come at 8:05 or 9"));
        assert_ne!(post("It took 3.14 hours, or 7-8"), post("It took 3.15 hours, or 7-8"));
        for word in
            ["06.06.2009", "2009-06-06", "6/6/2009,", "(06.06.09)", "19:11", "7:05:30", "2009年6月6日", "6月6日"]
        {
            assert!(is_instant(word), "{word}");
        }
        for word in [
            "",
            "２",
            "-",
            ":",
            "3.8.0",
            "3.14",
            "7-8",
            "12",
            "2009",
            "1.2.3.4:80x",
            "12345.1.1",
            "a:b",
            "5:3",
            "06.81.98.11.68",
            "1:2:3",
            "1:2月x",
        ] {
            assert!(!is_instant(word), "{word}");
        }
    }
}
