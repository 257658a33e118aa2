//! The lines near the headline that say who wrote the page and when.

use super::dates::{Order, Stamp, date_in};
use super::names::people;
use super::statements::Statements;
use super::{clean, shown_text};
use crate::dom::{Attr, NodeId};
use std::ops::Range;

/// How far from the headline a byline stands, in bytes of visible text.
const BEFORE: usize = 300;
const BEHIND: usize = 900;
/// How far apart the elements of several authors stand, in bytes of visible text.
const TOGETHER: usize = 200;
/// Characters of a line that may be a byline.
pub(super) const MAX_LINE: usize = 160;
/// The date nearest to the headline: behind it first, then before it.
pub(super) fn date_near(text: &str, headline: &Range<usize>, order: Order) -> Option<Stamp> {
    let date_in = |line| date_in(line, order);
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

/// The authors in elements near the headline whose class says so.
pub(super) fn author_by_class(statements: &Statements<'_>, headline: &Range<usize>) -> Option<String> {
    let dom = statements.dom;
    let near = headline.start.saturating_sub(BEFORE)..headline.end.saturating_add(BEHIND);
    let is_author = |&id: &NodeId| {
        !dom.is_hidden(id)
            && dom.text_range(id).is_some_and(|range| near.contains(&range.start) && range.len() <= 4 * MAX_LINE)
            && dom.attr(id, Attr::CLASS).is_some_and(|class| class.split_ascii_whitespace().any(says_author))
            && !statements.is_in_comment(id)
    };
    let names = |id: NodeId| {
        let text = shown_text(dom, id)?;
        let first = dom.text(id).lines().map(clean).find(|line| !line.is_empty())?;
        announced(&text).or_else(|| announced(&first)).or_else(|| people(&first)).or_else(|| people(&text))
    };
    let place = |id: NodeId| dom.text_range(id).map_or(0, |range| range.start);
    let mut marked = dom.ids().filter(|&id| !dom.is_text(id)).filter(is_author).take(16);
    let (first, mut found) = marked.find_map(|id| Some((id, names(id)?)))?;
    // Each author of a page may have an element of the same kind, close to the first.
    let alike = marked.filter(|&id| {
        !dom.contains(first, id)
            && dom.attr(id, Attr::CLASS) == dom.attr(first, Attr::CLASS)
            && place(id).abs_diff(place(first)) < TOGETHER
    });
    for more in alike.filter_map(names) {
        if found.split(", ").all(|known| known != more) {
            found = found + ", " + &more;
        }
    }
    Some(found)
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
const ANNOUNCED: [&str; 80] = [
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
    "geschrieben von ",
    "verfasst von ",
    "text: ",
    "autor: ",
    "autorin: ",
    "autoren: ",
    "par ",
    "par : ",
    "écrit par ",
    "publié par ",
    "rédigé par ",
    "propos recueillis par ",
    "auteur: ",
    "auteur : ",
    "texte : ",
    "por ",
    "escrito por ",
    "publicado por ",
    "di ",
    "a cura di ",
    "autore: ",
    "door ",
    "av ",
    "af ",
    "tekst: ",
    "autorka: ",
    "autorzy: ",
    "автор: ",
    "автор ",
    "авторы: ",
    "автор статьи: ",
    "текст: ",
    "беседовал ",
    "беседовала ",
    "συντάκτης: ",
    "γράφει ο ",
    "γράφει η ",
    "του ",
    "της ",
    "yazan: ",
    "penulis: ",
    "作者：",
    "作者:",
    "作者｜",
    "作者/",
    "作者 ",
    "文/",
    "文／",
    "文：",
    "文｜",
    "撰文：",
    "撰稿：",
    "记者：",
    "記者：",
    "本报记者",
    "记者 ",
    "記者 ",
    "执笔：",
    "글 ",
    "글: ",
    "كتب: ",
    "كتبت: ",
    "كتب ",
    "بقلم: ",
    "بقلم ",
    "نویسنده: ",
    "نويسنده: ",
    "به قلم ",
];

/// Words that announce an author in the middle of a line too: what stands before them is a date or a source.
const ANNOUNCED_INSIDE: [&str; 10] =
    ["作者：", "作者:", "记者：", "记者:", "記者：", "記者:", "撰文：", "撰稿：", "责任记者：", "نویسنده: "];

/// What Korean writes behind the name of a reporter.
const KOREAN_ROLES: [&str; 5] = ["기자", "특파원", "논설위원", "칼럼니스트", "인턴기자"];

/// The same in Japanese, where a blank may stand inside a name.
const ANNOUNCED_IN_JAPANESE: [&str; 12] = [
    "文＝",
    "文・",
    "文=",
    "取材・文＝",
    "取材・文：",
    "取材・文/",
    "執筆：",
    "執筆者：",
    "著者：",
    "筆者：",
    "投稿者：",
    "ライター：",
];

/// Words before a date on lines that name the author behind it: `Posted on 14 March 2022 by Ann Lee`; and the beginnings of
/// `Ein Kommentar von Hans Keller` and its like.
const INTRODUCED: [(&str, &str); 14] = [
    ("posted", " by "),
    ("published", " by "),
    ("written", " by "),
    ("submitted", " by "),
    ("an interview", " by "),
    ("publié", " par "),
    ("posté", " par "),
    ("un article", " par "),
    ("veröffentlicht", " von "),
    ("geschrieben", " von "),
    ("erstellt", " von "),
    ("ein", " von "),
    ("publicado", " por "),
    ("pubblicato", " da "),
];

/// The names on a line that begins with a word that announces them.
pub(super) fn announced(line: &str) -> Option<String> {
    let line = clean(line);
    let lower: String = line.chars().take(24).flat_map(char::to_lowercase).collect();
    let begins = |words: &[&'static str]| {
        words.iter().copied().filter(|word| lower.starts_with(word)).max_by_key(|word| word.len())
    };
    let (word, in_japanese) = match begins(&ANNOUNCED_IN_JAPANESE) {
        Some(word) => (word, true),
        None => match begins(&ANNOUNCED) {
            Some(word) => (word, false),
            None => return introduced(&line, &lower).or_else(|| inside(&line)).or_else(|| korean(&line)),
        },
    };
    let rest = line.chars().skip(word.chars().count()).collect::<String>();
    let rest = rest.trim();
    if let Some(names) = wide_names(rest, in_japanese) {
        return Some(names);
    }
    let names = before_the_rest(rest);
    // After a word of running text, a name has a capital.
    let is_sure = word.trim_end().ends_with([':', '：', '/', '／', '｜', '＝', '=']);
    people(names).filter(|names| is_sure || !names.starts_with(char::is_lowercase))
}

fn introduced(line: &str, lower: &str) -> Option<String> {
    let (_, word) = INTRODUCED.iter().find(|(begin, _)| lower.starts_with(begin))?;
    let (_, names) = line.split_once(word)?;
    people(before_the_rest(names)).filter(|names| !names.starts_with(char::is_lowercase))
}

fn inside(line: &str) -> Option<String> {
    let (at, word) = ANNOUNCED_INSIDE.iter().filter_map(|word| Some((line.find(word)?, word))).min()?;
    let rest = line[at + word.len()..].trim();
    wide_names(rest, false).or_else(|| people(before_the_rest(rest)))
}

/// The name before a reporter's title: `2024년 5월 1일 김철수 기자`, `[서울=연합] 김철수 기자 = ...`.
fn korean(line: &str) -> Option<String> {
    let words: Vec<&str> = line.split(' ').collect();
    let is_name = |word: &&str| {
        (2..=4).contains(&word.chars().count()) && word.chars().all(|c| matches!(u32::from(c), 0xAC00..=0xD7A3))
    };
    let is_title = |word: &str| KOREAN_ROLES.contains(&word.trim_end_matches([',', '=', '|', '·']));
    let at = words.iter().position(|word| is_title(word))?;
    words[..at].last().filter(|word| is_name(word)).map(|name| (*name).to_owned())
}

/// A line up to what follows the names: a date, a source, a place.
fn before_the_rest(line: &str) -> &str {
    let end = (line.find(['|', '•', '·', '⋅', '∙', '–', '—', '(', '（', '\t', '［', '[']).into_iter())
        .chain(line.find(|c: char| c.is_ascii_digit()))
        .chain(line.find(" - "))
        .chain(line.find(". ").filter(|&at| at > 3))
        .min()
        .unwrap_or(line.len());
    let mut names = line[..end].trim();
    for tail in [", Published", " Published", " Updated", " Posted", " on ", " Data publikacji", " Дата", ", vom "]
    {
        names = names.split(tail).next().unwrap_or(names);
    }
    names
}

/// What ends the place from which a report comes.
const PLACED: [&str; 8] = ["報導", "报道", "報道", "报导", "電", "电", "訊", "讯"];

/// Names in Chinese characters, kana or Hangul at the head of a line: short, parted by blanks or `、`. A blank in Japanese
/// parts the family name from the given one.
fn wide_names(line: &str, in_japanese: bool) -> Option<String> {
    let is_wide = |c: char| matches!(u32::from(c), 0x3005 | 0x3040..=0x30FF | 0x3400..=0x9FFF | 0xAC00..=0xD7A3);
    let is_name = |word: &&str| {
        (2..=8).contains(&word.chars().count())
            && word.chars().all(|c| is_wide(c) || c == '·')
            && !PLACED.iter().any(|tail| word.ends_with(tail))
    };
    let line = line.split(['（', '(', '/', '／', '｜', '|', '，']).next().unwrap_or(line);
    let ends = |c: char| c.is_whitespace() || matches!(c, '、' | ',' | '·');
    let words: Vec<&str> =
        line.split(|c| ends(c) && c != '·').filter(|word| !word.is_empty()).take_while(is_name).take(6).collect();
    let short = words.iter().filter(|word| word.chars().count() <= 4).count();
    match words.as_slice() {
        [] => None,
        [family, given, ..] if in_japanese && line.trim_start().starts_with(&format!("{family} {given}")) => {
            Some(format!("{family} {given}"))
        }
        [first, ..] if in_japanese || short < words.len() => Some((*first).to_owned()),
        names => Some(names.join(", ")),
    }
}

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
            ("Von Hamburg nach Berlin fährt nichts", None),
            ("Von Hans Keller, Hamburg", Some("Hans Keller")),
            ("By Ann Keller on 14 March 2022", Some("Ann Keller")),
            ("By Ann Lee, Staff Writer", Some("Ann Lee")),
            ("By Ann Lee, Bo Ek and Carl Dahl", Some("Ann Lee, Bo Ek, Carl Dahl")),
            ("By admin", None),
            ("By admin on 14 March 2022", None),
            ("Posted on 14 March 2022 by Ann Lee", Some("Ann Lee")),
            ("Posted on 14 March 2022 by admin", None),
            ("Ein Kommentar von Jan van der Berg", Some("Jan van der Berg")),
            ("Par Jean Dupont et Anne Martin", Some("Jean Dupont, Anne Martin")),
            ("Publié le 12 mars 2022 par Jean Dupont", Some("Jean Dupont")),
            ("Par Jean Dupont avec AFP", Some("Jean Dupont")),
            ("Текст: Иван Петров и Анна Орлова", Some("Иван Петров, Анна Орлова")),
            ("Автор: Иван Петров, 14.03.2022", Some("Иван Петров")),
            ("本报记者 张三 李四", Some("张三, 李四")),
            ("作者：张三、李四", Some("张三, 李四")),
            ("記者 邱小琪 台北報導", Some("邱小琪")),
            ("文／王小明", Some("王小明")),
            ("取材・文＝山田 太郎", Some("山田 太郎")),
            ("執筆者：山田太郎", Some("山田太郎")),
            ("作者：admin", None),
            ("2024年5月1日 10:20 来源：新华社 作者：张三", Some("张三")),
            ("김철수 기자", Some("김철수")),
            ("2024년 5월 1일 김철수 기자", Some("김철수")),
            ("그 기자 회견에서 시장은 말했다", None),
            ("كتب: أحمد علي", Some("أحمد علي")),
            ("نویسنده: علی رضایی", Some("علی رضایی")),
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
        assert_eq!(
            date_near(text, &(at..at + 4), Order::Unknown).map(|stamp| stamp.iso()).as_deref(),
            Some("2012-06-02")
        );
        assert_eq!(author_near(text, &(at..at + 4)).as_deref(), Some("Ann Lee"));
    }
}
