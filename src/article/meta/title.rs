//! [`headline`]: the best headline of a page, from what it shows and what it says.

use super::json_ld::plain;
use super::statements::Statements;
use super::{Source, clean, shown_text};
use crate::dom::{Attr, Dom, Tag};
use memchr::memmem;
use std::ops::Range;

/// A headline and where it stands.
#[derive(Debug)]
pub(super) struct Headline {
    pub(super) text: String,
    pub(super) source: Source,
    /// Its place in the page's visible text.
    pub(super) place: Option<Range<usize>>,
}

/// What sites put between a headline and their name. Those without blanks are told apart from signs inside words below.
const SEPARATORS: [&str; 27] = [
    " - ", " | ", " – ", " — ", " · ", " • ", " » ", " « ", " // ", " :: ", " : ", ": ", " ~ ", " / ", " -- ", " < ",
    " > ", " ‹ ", " › ", " -", "| ", "—", "_", "::", "|", "｜", ". ",
];
/// Separators that hardly ever stand inside a headline.
const STRONG: [&str; 11] = [" | ", " » ", " « ", " // ", " :: ", " • ", "｜", "|", " ‹ ", " › ", "| "];
/// Segments of a title that are put together again in every way.
const MAX_SEGMENTS: usize = 8;
/// Links to the root of the site that are read for its name.
const MAX_LOGOS: usize = 8;

/// A part of a title between two separators or edges.
struct Span<'a> {
    text: &'a str,
    key: String,
    start: usize,
}

/// A shown heading.
struct Heading {
    text: String,
    key: String,
    place: Option<Range<usize>>,
}

/// The headline. In this order: a shown `h1` that the title repeats, whole or between separators; an `h1` that shares most
/// words with it; the part of the title that stands on a line of its own; the only `h1` there is; the title without the
/// site's name, as far as something supports the cut; what the page says for sharing.
pub(super) fn headline(statements: &Statements<'_>, host: &str, site_name: Option<&str>) -> Option<Headline> {
    let dom = statements.dom;
    let site = site_name.map(key).unwrap_or_default();
    let written = statements.title.map(|id| plain(dom.text(id))).filter(|title| !title.is_empty());
    let logos = logos(dom, host, &written.as_deref().map(key).unwrap_or_default());
    let is_site = |text: &str| {
        let key = key(text);
        let joined: String = key.chars().filter(|c| *c != ' ').collect();
        let is_named = (!site.is_empty() && key == site) || logos.contains(&key);
        is_named || (joined.len() > 3 && host.contains(&joined)) || is_domain(text)
    };
    let written = written.filter(|title| !is_site(title));
    let shared = statements.all_of(&["og:title", "twitter:title"]).map(|title| (plain(title), Source::OpenGraph));
    let linked = statements.linked.headline.clone().map(|title| (title, Source::JsonLd));
    let hints: Vec<(String, Source)> =
        shared.take(4).chain(linked).filter(|(title, _)| !title.is_empty() && !is_site(title)).collect();

    let mut headings: Vec<Heading> = Vec::new();
    for &id in statements.headings.iter().take(12) {
        let Some(text) = shown_text(dom, id) else { continue };
        let lines: Vec<&str> = dom.text(id).lines().map(str::trim).filter(|line| !line.is_empty()).collect();
        let parts: Vec<&str> = dom.subtree(id).filter(|&it| dom.is_text(it)).map(|it| dom.text(it).trim()).collect();
        let alternatives = lines.into_iter().chain(parts).take(16).map(clean);
        for text in std::iter::once(text).chain(alternatives) {
            let text = text.trim_end_matches(['¶', '#', '§', ' ']).to_owned();
            let key = key(&text);
            if !key.is_empty() && !is_site(&text) && headings.iter().all(|known| known.key != key) {
                headings.push(Heading { text, key, place: dom.text_range(id) });
            }
        }
    }
    let found = |heading: &Heading| Headline {
        text: without_site(&heading.text, &is_site),
        source: Source::Heading,
        place: heading.place.clone(),
    };

    let titles: Vec<&str> = written.as_deref().into_iter().chain(hints.iter().map(|(hint, _)| &**hint)).collect();
    let spans: Vec<Span<'_>> = titles.iter().flat_map(|title| spans(title)).collect();
    let exact = headings
        .iter()
        .filter(|heading| spans.iter().any(|span| span.key == heading.key))
        .max_by_key(|heading| heading.key.len());
    let longest = titles.first().map_or(0, |title| key(title).len());
    if let Some(heading) = exact.filter(|heading| heading.key.len() * 2 > longest) {
        return Some(found(heading));
    }
    let title_spans = written.as_deref().map(self::spans).unwrap_or_default();
    let on_a_line = || {
        let mut by_length: Vec<&Span<'_>> = title_spans.iter().filter(|span| !is_site(span.text)).collect();
        by_length.sort_by_key(|span| std::cmp::Reverse(span.key.len()));
        by_length.into_iter().find_map(|span| Some((span, line(dom.visible_text(), span.text)?)))
    };
    let from_title = |text: &str, place| Headline { text: text.to_owned(), source: Source::TitleElement, place };
    if let Some(heading) = exact {
        let longer = on_a_line().filter(|(span, _)| span.start == 0 && span.key.len() > 2 * heading.key.len());
        return Some(longer.map_or_else(|| found(heading), |(span, place)| from_title(span.text, Some(place))));
    }
    if let Some(heading) = alike(&headings, &titles) {
        return Some(found(heading));
    }
    if let Some((span, place)) = on_a_line().filter(|(span, _)| span.key.len() * 3 > longest) {
        return Some(from_title(&without_site(span.text, &is_site), Some(place)));
    }
    let whole: Vec<&Heading> = headings.iter().filter(|heading| word_count(&heading.key) >= 4).collect();
    if let [heading] = whole[..]
        && statements.headings.len() <= 2
    {
        return Some(found(heading));
    }
    let Some(title) = written.as_deref() else {
        if let [only] = &headings[..] {
            return Some(found(only));
        }
        if let Some((hint, source)) = hints.first() {
            return Some(Headline { text: without_site(hint, &is_site), source: *source, place: None });
        }
        return headings.first().map(found).or_else(|| {
            let id = statements.lesser_headings.first().copied()?;
            Some(Headline { text: shown_text(dom, id)?, source: Source::Heading, place: dom.text_range(id) })
        });
    };
    let cut = without_site(title, &is_site);
    let hidden = statements.hidden_headings.iter().take(8).map(|&id| key(&plain(dom.text(id))));
    let hinted: Vec<String> = hints.iter().map(|(hint, _)| key(hint)).chain(hidden).collect();
    let is_hinted = |span: &&Span<'_>| span.key.len() < longest && !is_site(span.text) && hinted.contains(&span.key);
    if let Some(span) = title_spans.iter().filter(is_hinted).max_by_key(|span| span.key.len()) {
        return Some(from_title(span.text, None));
    }
    Some(from_title(&cut_strong(&cut), None))
}

/// What the page calls its site where it links to the site's root, unless that is all that its title says.
fn logos(dom: &Dom, host: &str, title: &str) -> Vec<String> {
    let is_root = |href: &str| {
        let rest = href.trim().trim_start_matches("https:").trim_start_matches("http:");
        let named = rest.strip_prefix("//").is_some_and(|rest| !host.is_empty() && rest.trim_end_matches('/') == host);
        rest == "/" || named
    };
    let links = dom.ids().filter(|&id| dom.tag(id) == Tag::A && dom.attr(id, Attr::HREF).is_some_and(is_root));
    let keys = links.take(MAX_LOGOS).filter_map(|id| Some(key(&shown_text(dom, id)?)));
    keys.filter(|key| !key.is_empty() && key != title).collect()
}

/// The heading that shares most of its words with what the page says its title is, unless it is but a small part of it.
fn alike<'h>(headings: &'h [Heading], titles: &[&str]) -> Option<&'h Heading> {
    let keys: Vec<String> = titles.iter().map(|title| key(title)).collect();
    let said: Vec<Vec<&str>> = keys.iter().map(|key| tokens(key)).collect();
    let longest =
        titles.iter().flat_map(|title| segments(title)).map(|part| key(&title_part(part)).len()).max().unwrap_or(0);
    let shared = |heading: &Heading| {
        let own = tokens(&heading.key);
        let most = said.iter().map(|said| own.iter().filter(|token| said.contains(token)).count()).max().unwrap_or(0);
        let is_part = keys.iter().any(|key| key.contains(&heading.key));
        let enough = if is_part { heading.key.len() * 5 >= longest * 3 } else { heading.key.len() * 5 >= longest * 2 };
        (most >= 2 && most * 5 >= own.len() * 2 && enough).then_some((most * 100 / own.len(), most))
    };
    headings
        .iter()
        .filter_map(|heading| shared(heading).map(|score| (score, heading)))
        .max_by_key(|(score, _)| *score)
        .map(|it| it.1)
}

fn title_part((text, _): (&str, usize)) -> String {
    text.to_owned()
}

/// Letters and digits in lower case, parted by single blanks: equal for texts that read alike.
pub(super) fn key(text: &str) -> String {
    let mut key = String::with_capacity(text.len());
    let mut is_apart = false;
    for c in text.chars() {
        if !c.is_alphanumeric() {
            is_apart = true;
            continue;
        }
        if std::mem::take(&mut is_apart) && !key.is_empty() {
            key.push(' ');
        }
        if c.is_ascii() { key.push(c.to_ascii_lowercase()) } else { key.extend(c.to_lowercase()) }
    }
    key
}

/// Words, and pairs of neighbours in scripts without blanks.
fn tokens(key: &str) -> Vec<&str> {
    let mut tokens = Vec::new();
    for word in key.split(' ') {
        let starts: Vec<usize> = word.char_indices().map(|(at, _)| at).collect();
        if word.chars().any(is_unspaced) && starts.len() > 2 {
            tokens.extend(starts.iter().enumerate().filter_map(|(at, &from)| {
                let to = starts.get(at + 2).copied().unwrap_or(word.len());
                (at + 1 < starts.len()).then(|| &word[from..to])
            }));
        } else {
            tokens.push(word);
        }
    }
    tokens
}

fn word_count(key: &str) -> usize {
    key.split(' ').map(|word| 1 + word.chars().filter(|c| is_unspaced(*c)).count() / 2).sum()
}

fn is_unspaced(c: char) -> bool {
    matches!(u32::from(c), 0x0E00..=0x0EFF | 0x3040..=0x30FF | 0x3400..=0x9FFF | 0xF900..=0xFAFF | 0x20000..=0x3FFFF)
}

/// Places of separators, in order, without overlaps.
fn cuts(title: &str) -> Vec<(usize, usize)> {
    let mut cuts: Vec<(usize, usize)> = SEPARATORS
        .iter()
        .flat_map(|separator| title.match_indices(separator).map(|(at, found)| (at, at + found.len())))
        .take(64)
        .collect();
    // Between Chinese or Japanese characters, a hyphen separates.
    cuts.extend(title.match_indices('-').map(|(at, _)| (at, at + 1)).filter(|&(from, to)| {
        title[..from].chars().next_back().is_some_and(is_unspaced)
            || title[to..].chars().next().is_some_and(is_unspaced)
    }));
    cuts.sort_unstable_by_key(|&(from, to)| (from, std::cmp::Reverse(to)));
    let mut end = 0;
    cuts.retain(|&(from, to)| {
        let kept = from >= end;
        if kept {
            end = to;
        }
        kept
    });
    cuts
}

/// The parts between separators, and where each begins.
fn segments(title: &str) -> Vec<(&str, usize)> {
    let mut segments = Vec::new();
    let mut start = 0;
    for (from, to) in cuts(title).into_iter().chain([(title.len(), title.len())]) {
        segments.push((title[start..from].trim(), start));
        start = to;
    }
    segments
}

/// All runs of segments; the whole title is one.
fn spans(title: &str) -> Vec<Span<'_>> {
    let cuts = cuts(title);
    let mut starts: Vec<usize> = vec![0];
    starts.extend(cuts.iter().map(|(_, to)| *to));
    let mut ends: Vec<usize> = cuts.iter().map(|(from, _)| *from).collect();
    ends.push(title.len());
    let near = |at: usize| at < MAX_SEGMENTS || at + 1 >= starts.len();
    let mut spans = Vec::new();
    for (first, &start) in starts.iter().enumerate().filter(|(at, _)| near(*at)) {
        for (_, &end) in ends.iter().enumerate().filter(|(last, _)| *last >= first && near(*last)) {
            let text = title[start..end].trim();
            let key = key(text);
            if !key.is_empty() {
                spans.push(Span { text, key, start });
            }
        }
    }
    spans
}

/// The title without the site's name and what stands beyond it, at either end.
fn without_site(title: &str, is_site: &dyn Fn(&str) -> bool) -> String {
    let cuts = cuts(title);
    let behind = cuts.iter().find(|&&(from, to)| from > 0 && is_site(title[to..].trim()));
    let end = behind.map_or(title.len(), |&(from, _)| from);
    let segments_behind = cuts.iter().filter(|(from, _)| *from < end).zip(1..).find(|((_, to), _)| {
        let next = cuts.iter().map(|(from, _)| *from).find(|from| from >= to).unwrap_or(end);
        is_site(title[*to..next.min(end)].trim())
    });
    let end = segments_behind.map_or(end, |((from, _), _)| *from);
    let ahead = cuts.iter().find(|&&(from, to)| to < end && is_site(title[..from].trim()));
    let start = ahead.map_or(0, |&(_, to)| to);
    let kept = title[start..end].trim();
    if kept.is_empty() { title.to_owned() } else { kept.to_owned() }
}

/// The title up to the first sign that sites part their name with, if a headline stands before it.
fn cut_strong(title: &str) -> String {
    let at = STRONG.iter().filter_map(|separator| title.find(separator)).min();
    let head = at.map_or(title, |at| title[..at].trim());
    if word_count(&key(head)) >= 3 { head.to_owned() } else { title.to_owned() }
}

/// `Forbes.com`, `PRM.RU`, `Правда.Ру`.
fn is_domain(text: &str) -> bool {
    let text = text.trim();
    let name = text.strip_prefix("www.").unwrap_or(text);
    name.rsplit_once('.').is_some_and(|(name, top)| {
        let plain = |c: char| c.is_alphanumeric() || matches!(c, '-' | '.');
        (2..=4).contains(&top.chars().count())
            && top.chars().all(char::is_alphabetic)
            && name.chars().count() >= 2
            && name.chars().all(plain)
            && !name.ends_with('.')
    })
}

/// Where a text stands on lines of its own.
fn line(text: &str, wanted: &str) -> Option<Range<usize>> {
    let blank = |c: char| c.is_whitespace() && c != '\n';
    memmem::find_iter(text.as_bytes(), wanted).take(32).find_map(|at| {
        let end = at + wanted.len();
        let before = text[..at].trim_end_matches(blank);
        let behind = text[end..].trim_start_matches(blank);
        let alone = (before.is_empty() || before.ends_with('\n')) && (behind.is_empty() || behind.starts_with('\n'));
        alone.then_some(at..end)
    })
}
