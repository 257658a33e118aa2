//! The lines near the headline that say who wrote the page and when.

use super::dates::{Stamp, date_in};
use super::months::month;
use super::{clean, shown_text};
use crate::dom::{Attr, Dom, NodeId};
use std::ops::Range;

/// How far from the headline a byline stands, in bytes of visible text.
const BEFORE: usize = 300;
const BEHIND: usize = 900;
/// Characters of a line that may be a byline.
const MAX_LINE: usize = 160;
/// Characters of one name, and words.
const MAX_NAME: usize = 48;
const MAX_WORDS: usize = 5;
/// Names of one page, at most.
const MAX_NAMES: usize = 12;

/// The date nearest to the headline: behind it first, then before it.
pub(super) fn date_near(text: &str, headline: &Range<usize>) -> Option<Stamp> {
    let mut behind = lines(text, headline.end..headline.end.saturating_add(BEHIND));
    let before = lines(text, headline.start.saturating_sub(BEFORE)..headline.start);
    behind.find_map(date_in).or_else(|| before.rev().find_map(date_in))
}

/// The author named on a line near the headline behind a word that says so.
pub(super) fn author_near(text: &str, headline: &Range<usize>) -> Option<String> {
    let behind = lines(text, headline.end..headline.end.saturating_add(BEHIND));
    let before = lines(text, headline.start.saturating_sub(BEFORE)..headline.start);
    behind.chain(before).find_map(announced)
}

/// The author in an element near the headline whose class says so.
pub(super) fn author_by_class(dom: &Dom, headline: &Range<usize>) -> Option<String> {
    let near = headline.start.saturating_sub(BEFORE)..headline.end.saturating_add(BEHIND);
    let is_author = |&id: &NodeId| {
        !dom.is_hidden(id)
            && dom.text_range(id).is_some_and(|range| near.contains(&range.start) && range.len() <= 4 * MAX_LINE)
            && dom.attr(id, Attr::CLASS).is_some_and(|class| class.split_ascii_whitespace().any(says_author))
    };
    dom.ids().filter(|&id| !dom.is_text(id)).filter(is_author).take(16).find_map(|id| {
        let text = shown_text(dom, id)?;
        let first = dom.text(id).lines().map(clean).find(|line| !line.is_empty())?;
        announced(&text).or_else(|| announced(&first)).or_else(|| people(&first)).or_else(|| people(&text))
    })
}

/// Whether a class names the author, such as `byline`, `author-name`, `post__author`.
fn says_author(class: &str) -> bool {
    let parts = || class.split(['-', '_']).filter(|part| !part.is_empty());
    let is = |part: &str, names: &[&str]| names.iter().any(|name| part.eq_ignore_ascii_case(name));
    parts().any(|part| is(part, &["byline", "author", "authors", "writer", "autor", "auteur", "authorname", "bylines"]))
        && !parts().any(|part| {
            is(
                part,
                &[
                    "bio", "avatar", "image", "img", "photo", "comment", "social", "date", "title", "info", "box",
                    "related", "more",
                ],
            )
        })
}

/// Lines that may be bylines, wholly or partly in a range of the text.
fn lines(text: &str, range: Range<usize>) -> impl DoubleEndedIterator<Item = &str> {
    let mut start = range.start.min(text.len());
    while !text.is_char_boundary(start) {
        start += 1;
    }
    let mut end = range.end.min(text.len());
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    let part = if start < end { &text[start..end] } else { "" };
    part.split('\n').map(str::trim).filter(|line| !line.is_empty() && line.chars().nth(MAX_LINE).is_none())
}

/// Words before an author's name. Those that end in a colon, or are written without blanks, announce one wherever they
/// stand; the others need names that look like names behind them.
const ANNOUNCED: [&str; 38] = [
    "written by ",
    "posted by ",
    "published by ",
    "story by ",
    "words by ",
    "text by ",
    "by: ",
    "by ",
    "author: ",
    "authors: ",
    "von: ",
    "von ",
    "par ",
    "por ",
    "di ",
    "door ",
    "av ",
    "af ",
    "autor: ",
    "autorka: ",
    "autorzy: ",
    "auteur: ",
    "autore: ",
    "автор: ",
    "автор ",
    "авторы: ",
    "συντάκτης: ",
    "γράφει ο ",
    "γράφει η ",
    "του ",
    "της ",
    "yazan: ",
    "penulis: ",
    "tekst: ",
    "text: ",
    "作者：",
    "作者:",
    "文/",
];

/// The names on a line that begins with a word that announces them.
fn announced(line: &str) -> Option<String> {
    let line = clean(line);
    let lower: String = line.chars().take(24).flat_map(char::to_lowercase).collect();
    let word = ANNOUNCED.iter().find(|word| lower.starts_with(**word))?;
    let rest = line.chars().skip(word.chars().count()).collect::<String>();
    let rest = rest.trim();
    // What follows on the line: a date, a source, a place.
    let end = rest
        .find(['|', '•', '·', '–', '—', '(', '\t', '［', '['])
        .into_iter()
        .chain(rest.find(|c: char| c.is_ascii_digit()))
        .chain(rest.find(" - "))
        .chain(rest.find(". ").filter(|&at| at > 3))
        .chain(if word.ends_with(['：', ':', '/']) && !word.is_ascii() {
            rest.find([' ', '　']).filter(|_| rest.chars().next().is_some_and(|c| u32::from(c) >= 0x2E80))
        } else {
            None
        })
        .min()
        .unwrap_or(rest.len());
    let mut names = rest[..end].trim();
    for tail in [
        ", Published",
        " Published",
        " Updated",
        " Posted",
        " on ",
        " Data publikacji",
        " Дата",
        " 来源",
        " 來源",
        " 责任编辑",
    ] {
        names = names.split(tail).next().unwrap_or(names);
    }
    // After a word of running text, a name has a capital.
    let is_sure = word.trim_end().ends_with([':', '：', '/']);
    people(names).filter(|names| is_sure || !names.starts_with(char::is_lowercase))
}

/// Names joined with ", "; `None` where the text is no list of names.
pub(super) fn people(text: &str) -> Option<String> {
    let text = text.trim().trim_end_matches(['.', ',', ':', ';', '|']).trim();
    if text.is_empty() || text.chars().nth(MAX_LINE).is_some() {
        return None;
    }
    let mut names: Vec<&str> = vec![text];
    for sign in
        [", ", " and ", " & ", " und ", " et ", " y ", " i ", " и ", " και ", " e ", " och ", " og ", "、", "; "]
    {
        names = names.into_iter().flat_map(|name| name.split(sign)).collect();
    }
    let names: Vec<&str> =
        names.into_iter().map(|name| name.trim().trim_start_matches("and ")).filter(|name| !name.is_empty()).collect();
    let taken: Vec<&str> = names.iter().copied().take_while(|name| is_name(name)).take(MAX_NAMES).collect();
    (!taken.is_empty()).then(|| taken.join(", "))
}

/// Whether a text looks like the name of a person: few words, most of them with a capital where the script has any.
fn is_name(text: &str) -> bool {
    let words: Vec<&str> = text.split(' ').collect();
    let cased = |word: &&&str| word.chars().next().is_some_and(char::is_lowercase);
    let small = words.iter().filter(cased).count();
    text.chars().count() >= 2
        && text.chars().nth(MAX_NAME).is_none()
        && words.len() <= MAX_WORDS
        && (words.len() == 1 || small * 2 <= words.len())
        && (words.len() > 1 || small == 0 || text.chars().count() >= 3)
        && (small < words.len() || words.len() == 1)
        && text.chars().any(char::is_alphabetic)
        && !text.contains(['/', '@', ':', '?', '!', '=', '{', '<', '«', '"', '…', '。', '，'])
        && !text.chars().any(|c| c.is_ascii_digit())
        && month(text).is_none()
        && !BARE.iter().any(|word| text.eq_ignore_ascii_case(word))
}

/// What templates write where no name is.
const BARE: [&str; 8] = ["written by", "posted by", "by", "author", "admin", "staff", "share", "published"];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bylines_name_people() {
        for (line, want) in [
            ("By Ann Lee", Some("Ann Lee")),
            ("by Ann Lee and Bo Ek, March 14, 2022", Some("Ann Lee, Bo Ek")),
            ("BY ANN LEE | Staff Writer", Some("ANN LEE")),
            ("Von Hans Müller und Eva Groß", Some("Hans Müller, Eva Groß")),
            ("Autor: mgorska. Data publikacji Pią, 2011-06-03", Some("mgorska")),
            ("Автор: Иван Петров", Some("Иван Петров")),
            ("作者：张三 来源：新华网", Some("张三")),
            ("By Monday the boats were back in the harbour again", None),
            ("By the sea", None),
            ("Boats by night", None),
        ] {
            assert_eq!(announced(line).as_deref(), want, "{line}");
        }
    }

    #[test]
    fn the_date_nearest_to_the_headline_counts() {
        let text = "1 May 2001\nBoat\nBy Ann Lee\n2 June 2012\nlong text of the story\n3 July 2013";
        let at = text.find("Boat").unwrap_or(0);
        assert_eq!(date_near(text, &(at..at + 4)).map(|stamp| stamp.iso()).as_deref(), Some("2012-06-02"));
        assert_eq!(author_near(text, &(at..at + 4)).as_deref(), Some("Ann Lee"));
    }
}
