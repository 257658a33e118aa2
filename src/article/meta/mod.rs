//! [`meta`]: what a page says about itself, and where it says so.

mod byline;
mod dates;
mod json_ld;
mod months;
mod names;
mod statements;
mod title;
mod types;

use super::links;
use crate::dom::{Attr, Dom, NodeId, fold_space};
use dates::{Stamp, date_in, date_in_path, stated_date};
use json_ld::plain;
use months::month;
use serde::Serialize;
use std::ops::Range;
use url::Url;

pub(crate) use statements::Statements;
#[allow(unused_imports, reason = "read by the block classifier")]
pub(crate) use types::DeclaredTypes;

/// What a page says about itself; `None` where it says nothing usable. Texts have their white space folded.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Metadata {
    /// The headline, without the name of the site.
    pub title: Option<String>,
    /// The name of the site.
    pub site_name: Option<String>,
    /// Who wrote it; several names are joined with ", ".
    pub author: Option<String>,
    /// When it was published: `YYYY-MM-DD`, or `YYYY-MM-DDTHH:MM:SS` with `±HH:MM` where the zone is known (ISO 8601).
    pub date: Option<String>,
    /// When it was last changed, written as `date` is.
    pub modified: Option<String>,
    /// A summary.
    pub description: Option<String>,
    /// The address that the page wants to be known by; absolute where the page's own address is known or it is written so.
    pub canonical: Option<String>,
    /// The address of the leading image, likewise.
    pub image: Option<String>,
    /// Where each was found.
    pub sources: Sources,
}

/// Where the fields of [`Metadata`] were found; `None` where the field is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Sources {
    /// Of the title.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub title: Option<Source>,
    /// Of the site's name.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub site_name: Option<Source>,
    /// Of the author.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub author: Option<Source>,
    /// Of the date of publication.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub date: Option<Source>,
    /// Of the date of change.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub modified: Option<Source>,
    /// Of the summary.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub description: Option<Source>,
    /// Of the canonical address.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub canonical: Option<Source>,
    /// Of the leading image.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub image: Option<Source>,
}

/// A place where pages say something about themselves. Serialised as its name in snake case, e.g. `json_ld`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Source {
    /// JSON-LD.
    JsonLd,
    /// Open Graph and what Facebook and Twitter added to it (`og:title`, `article:published_time`, `twitter:image`).
    OpenGraph,
    /// Other `meta` elements.
    MetaTag,
    /// Microdata.
    Microdata,
    /// The `title` element.
    TitleElement,
    /// A shown heading.
    Heading,
    /// A shown `time` element.
    TimeElement,
    /// A line shown near the headline, or an element there whose class says what it is.
    Byline,
    /// A `link` element.
    LinkElement,
    /// A shown link with `rel=author`.
    RelAuthor,
    /// The page's address.
    UrlPath,
}

/// A value and where it was found.
type Found<T = String> = Option<(T, Source)>;

/// Longest text of a field, in characters.
const MAX_FIELD: usize = 2000;

/// Reads `title`, headings, `meta` (Open Graph, Dublin Core, article), microdata, `time`, JSON-LD, and the lines near the
/// headline.
///
/// What the page shows goes before what it says for machines: the title is the shown headline, as long as the `title`
/// element or another statement bears it out; the site's name is cut from `title` only where something supports the cut,
/// so that a dash inside a headline stays. Dates in running text are read near the headline only, in any language whose
/// months are known, and only where day and month can be told apart; the address is the last resort. Addresses are made
/// absolute against `base`; without one they stay as written. Time linear in the page.
///
/// ```
/// use wisdom::{article::{Source, meta}, dom::Dom};
/// let dom = Dom::parse("<title>North-South ferry - first boat - Gazette</title><h1>North-South ferry - first boat</h1>\
///     <p>By Ann Lee, 14 March 2022");
/// let page = meta(&dom, None);
/// assert_eq!(page.title.as_deref(), Some("North-South ferry - first boat"));
/// assert_eq!((page.author.as_deref(), page.date.as_deref()), (Some("Ann Lee"), Some("2022-03-14")));
/// assert_eq!(page.sources.date, Some(Source::Byline));
/// ```
pub fn meta(dom: &Dom, base: Option<&Url>) -> Metadata {
    Statements::read(dom).metadata(base)
}

/// Whether a word names a month, in any of the languages that are known.
pub(crate) fn names_month(word: &str) -> bool {
    month(word).is_some()
}

/// Names of `meta` elements that hold the date of publication, best first, and of change.
const PUBLISHED: [&str; 20] = [
    "datepublished",
    "og:published_time",
    "dc.date.issued",
    "dcterms.issued",
    "dc.date",
    "dcterms.date",
    "dcterms.created",
    "dc.date.created",
    "parsely-pub-date",
    "sailthru.date",
    "cxenseparse:recs:publishtime",
    "citation_publication_date",
    "publication_date",
    "publish_date",
    "publishdate",
    "publishtime",
    "pubdate",
    "og:pubdate",
    "date",
    "originalpublicationdate",
];
const MODIFIED: [&str; 7] = [
    "article:modified_time",
    "og:updated_time",
    "datemodified",
    "dcterms.modified",
    "dc.date.modified",
    "last-modified",
    "lastmod",
];

/// What a page and its site are called, and where they are.
struct Named {
    canonical: Found,
    site_name: Found,
    address: Option<Url>,
    headline: Option<title::Headline>,
}

impl Statements<'_> {
    /// The page's title, as in [`meta`].
    pub(crate) fn title(&self, base: Option<&Url>) -> Option<String> {
        self.named(base).headline.map(|headline| headline.text)
    }

    /// What the page and its site are called.
    fn named(&self, base: Option<&Url>) -> Named {
        let canonical: Found = (self.canonical.iter().find_map(|href| links::web(href, base)))
            .map(|url| (url, Source::LinkElement))
            .or_else(|| Some((self.all("og:url").find_map(|url| links::web(url, base))?, Source::OpenGraph)));
        let site_name: Found = self
            .first(&["og:site_name"])
            .map(|name| (plain(name), Source::OpenGraph))
            .or_else(|| self.linked.site_name.clone().map(|name| (name, Source::JsonLd)))
            .or_else(|| Some((plain(self.first(&["application-name"])?), Source::MetaTag)))
            .filter(|(name, _)| !name.is_empty());
        let address = base.cloned().or_else(|| Url::parse(&canonical.as_ref()?.0).ok());
        let host = address.as_ref().and_then(Url::host_str).unwrap_or_default();
        let host: String = host.chars().filter(char::is_ascii_alphanumeric).collect();
        let headline = title::headline(self, &host, site_name.as_ref().map(|(name, _)| &**name));
        Named { canonical, site_name, address, headline }
    }

    /// What the page says about itself: see [`meta`].
    pub(crate) fn metadata(&self, base: Option<&Url>) -> Metadata {
        let linked = &self.linked;
        let Named { canonical, site_name, address, headline } = self.named(base);
        let place = headline.as_ref().and_then(|headline| {
            let visible = self.dom.visible_text();
            let search = || {
                memchr::memmem::find(visible.as_bytes(), headline.text.as_bytes())
                    .map(|at| at..at + headline.text.len())
            };
            headline.place.clone().or_else(search)
        });
        let date = self.date(place.as_ref(), address.as_ref());
        let modified = self
            .nodes(&self.modified)
            .find_map(|value| stated_date(&value))
            .map(|stamp| (stamp, Source::Microdata))
            .or_else(|| Some((stated_date(linked.modified.as_deref()?)?, Source::JsonLd)))
            .or_else(|| Some((self.all_of(&MODIFIED).find_map(stated_date)?, Source::MetaTag)));
        let author = self.author(place.as_ref(), site_name.as_ref().map(|(name, _)| &**name));
        let description: Found = [
            (self.first(&["og:description"]), Source::OpenGraph),
            (self.first(&["description", "dc.description", "dcterms.description"]), Source::MetaTag),
            (self.first(&["twitter:description"]), Source::OpenGraph),
        ]
        .into_iter()
        .find_map(|(text, source)| Some((plain(text?), source)).filter(|(text, _)| !text.is_empty()))
        .or_else(|| linked.description.clone().map(|text| (text, Source::JsonLd)));
        let image: Found = self
            .all_of(&["og:image", "og:image:url", "og:image:secure_url", "twitter:image", "twitter:image:src"])
            .find_map(|url| links::web(url, base))
            .map(|url| (url, Source::OpenGraph))
            .or_else(|| Some((links::web(linked.image.as_deref()?, base)?, Source::JsonLd)));
        let sources = Sources {
            title: headline.as_ref().map(|headline| headline.source),
            site_name: source(site_name.as_ref()),
            author: source(author.as_ref()),
            date: source(date.as_ref()),
            modified: source(modified.as_ref()),
            description: source(description.as_ref()),
            canonical: source(canonical.as_ref()),
            image: source(image.as_ref()),
        };
        Metadata {
            title: headline.map(|headline| headline.text),
            site_name: value(site_name),
            author: value(author),
            date: date.map(|(stamp, _)| stamp.iso()),
            modified: modified.map(|(stamp, _)| stamp.iso()),
            description: value(description),
            canonical: value(canonical),
            image: value(image),
            sources,
        }
    }

    /// When the page was published.
    fn date(&self, headline: Option<&Range<usize>>, address: Option<&Url>) -> Found<Stamp> {
        let (dom, order) = (self.dom, self.date_order());
        let near = |id: &NodeId| {
            let close = |range: Range<usize>| {
                headline.is_none_or(|at| range.start + 300 > at.start && range.start < at.end + 900)
            };
            dom.text_range(*id).is_some_and(close)
        };
        let time = |id: NodeId| {
            let stated = dom.attr(id, Attr::DATETIME).and_then(stated_date);
            stated.or_else(|| date_in(&shown_text(dom, id)?, order))
        };
        let from = |stamp: Option<Stamp>, source| Some((stamp?, source));
        from(self.all_of(&["article:published_time"]).find_map(stated_date), Source::OpenGraph)
            .or_else(|| from(self.linked.published.as_deref().and_then(stated_date), Source::JsonLd))
            .or_else(|| from(self.nodes(&self.published).find_map(|value| stated_date(&value)), Source::Microdata))
            .or_else(|| from(self.all_of(&PUBLISHED).find_map(stated_date), Source::MetaTag))
            .or_else(|| from(self.times.iter().copied().filter(near).find_map(time), Source::TimeElement))
            .or_else(|| from(byline::date_near(&self.own_text(), headline?, order), Source::Byline))
            .or_else(|| from(self.times.iter().copied().find_map(time), Source::TimeElement))
            .or_else(|| from(date_in_path(address?.path()), Source::UrlPath))
    }

    /// What the elements say: their `content`, `datetime` or shown text.
    fn nodes(&self, nodes: &[NodeId]) -> impl Iterator<Item = String> {
        let dom = self.dom;
        nodes.iter().filter_map(move |&id| {
            let stated = dom.attr(id, Attr::DATETIME).or_else(|| dom.attr(id, Attr::CONTENT));
            stated.map(str::to_owned).or_else(|| shown_text(dom, id))
        })
    }

    /// Who wrote the page.
    fn author(&self, headline: Option<&Range<usize>>, site_name: Option<&str>) -> Found {
        let dom = self.dom;
        let is_site = |name: &str| site_name.is_some_and(|site| title::key(site) == title::key(name));
        let person = |name: &str| person(name).filter(|name| !is_site(name));
        let joined = |names: Vec<String>| {
            let mut distinct: Vec<String> = Vec::new();
            for name in names {
                if !distinct.contains(&name) {
                    distinct.push(name);
                }
            }
            (!distinct.is_empty()).then(|| distinct.join(", "))
        };
        let marked = |with_rel: bool| {
            // Authors of one page stand together; those further down wrote comments or other pages.
            let place = |id: NodeId| dom.text_range(id).map_or(0, |range| range.start);
            let all = || self.authors.iter().copied().filter(|&id| dom.attr(id, Attr::ITEMPROP).is_none() == with_rel);
            let distance = |id: &NodeId| headline.map_or(0, |at| place(*id).abs_diff(at.end));
            let first = all().min_by_key(distance)?;
            let together = all().filter(|&id| place(id).abs_diff(place(first)) < 200);
            joined(together.filter_map(|id| person(&self.name_in(id)?)).take(8).collect())
        };
        let from = |name: Option<String>, source| Some((name?, source));
        // A byline of several names may mark up the first alone.
        let near = || byline::author_near(&self.own_text(), headline?);
        let with_others = |found: Found| {
            let (first, source) = found?;
            let all = near().filter(|all| all.strip_prefix(&*first).is_some_and(|rest| rest.starts_with(", ")));
            Some(all.map_or((first, source), |all| (all, Source::Byline)))
        };
        from(joined(self.linked.authors.iter().filter_map(|name| person(name)).collect()), Source::JsonLd)
            .or_else(|| with_others(from(marked(false), Source::Microdata)))
            .or_else(|| {
                let names = self.all_of(&[
                    "author",
                    "parsely-author",
                    "byl",
                    "sailthru.author",
                    "dc.creator",
                    "dcterms.creator",
                ]);
                from(joined(names.filter_map(person).take(8).collect()), Source::MetaTag)
            })
            .or_else(|| {
                from(joined(self.all("article:author").filter_map(person).take(8).collect()), Source::OpenGraph)
            })
            .or_else(|| with_others(from(marked(true), Source::RelAuthor)))
            .or_else(|| from(byline::author_by_class(self, headline?).filter(|name| !is_site(name)), Source::Byline))
            .or_else(|| from(near().filter(|name| !is_site(name)), Source::Byline))
    }

    /// The name in an element of microdata.
    fn name_in(&self, id: NodeId) -> Option<String> {
        let dom = self.dom;
        if let Some(content) = dom.attr(id, Attr::CONTENT) {
            return Some(content.to_owned());
        }
        let is_name = |&inner: &NodeId| {
            dom.attr(inner, Attr::ITEMPROP).is_some_and(|it| it.split_whitespace().any(|it| it == "name"))
        };
        let named = dom.subtree(id).find(is_name).unwrap_or(id);
        dom.attr(named, Attr::CONTENT).map(str::to_owned).or_else(|| shown_text(dom, named))
    }
}

fn source<T>(found: Option<&(T, Source)>) -> Option<Source> {
    found.map(|(_, source)| *source)
}

fn value(found: Found) -> Option<String> {
    found.map(|(value, _)| value)
}

/// The visible text of a short element.
fn shown_text(dom: &Dom, id: NodeId) -> Option<String> {
    let text = dom.text(id);
    (!dom.is_hidden(id) && text.len() <= 4 * MAX_FIELD).then(|| clean(text)).filter(|text| !text.is_empty())
}

fn clean(text: &str) -> String {
    let text: String = text
        .chars()
        .filter(|c| c.is_whitespace() || !(c.is_control() || matches!(c, '\u{ad}' | '\u{200b}' | '\u{feff}')))
        .take(4 * MAX_FIELD)
        .collect();
    fold_space(&text).chars().take(MAX_FIELD).collect()
}

/// A name without the word before it and the place behind it, or several; `None` for addresses, role accounts and what is no
/// name.
fn person(name: &str) -> Option<String> {
    let name = plain(name);
    let named = ["written by ", "posted by ", "by ", "author: ", "by: "].iter().find_map(|word| {
        let (head, rest) = (name.get(..word.len())?, name.get(word.len()..)?);
        head.eq_ignore_ascii_case(word).then_some(rest.trim())
    });
    let name = named.unwrap_or(&name);
    let name = name.trim_end_matches([',', ';', '|', ' ']);
    let is_name = name.chars().any(char::is_alphabetic) && !name.contains("://") && name.chars().count() <= 200;
    if !is_name || names::is_role(name) {
        return None;
    }
    Some(names::several(name).unwrap_or_else(|| name.to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(html: &str) -> Metadata {
        meta(&Dom::parse(html), Some(&"https://news.example.org/a/b".parse().expect("a constant")))
    }

    #[track_caller]
    fn check_title(html: &str, want: &str) {
        assert_eq!(read(html).title.unwrap_or_default(), want, "{html}");
    }

    #[test]
    fn site_name_is_cut_where_something_supports_it() {
        let site = "<meta property=og:site_name content='Harbour Gazette'>";
        let long = "North-South ferry - first boat on Monday";
        check_title(&format!("{site}<title>{long} - Harbour Gazette</title><h1>{long}</h1>"), long);
        check_title(&format!("{site}<title>{long} - Harbour Gazette</title>"), long);
        check_title(&format!("<title>Harbour Gazette | News | {long}</title><h1>{long}</h1>"), long);
        check_title(&format!("<title>News | {long} | Harbour Gazette</title><h1>{long}</h1>"), long);
        check_title(&format!("<title>{long}</title><h1>first boat</h1>"), long);
        check_title(&format!("<title>{long}</title>"), long);
        check_title("<title>North-South</title><h1>South</h1>", "North-South");
        check_title("<title>标题_新闻网</title><h1>标题</h1>", "标题");
        check_title("<title>标题——副题_新闻网</title><meta property=og:title content=标题——副题>", "标题——副题");
        check_title("<title>std::vec</title><h1>Vectors</h1>", "std::vec");
        check_title("<title>Boat « Gazette</title><h1> Boat </h1>", "Boat");
        // The heading is the name of the site.
        check_title(&format!("{site}<title>Boat - Harbour Gazette</title><h1>Harbour Gazette</h1>"), "Boat");
        check_title("<title>Boat - Other</title><h1>Example</h1>", "Boat - Other");
        // The logo says what the site is called; where that is all that the title says, it is the title.
        let logo = "<a class=logo href=/>The Lantern</a><main>";
        check_title(
            &format!("<title>Goat - The Lantern</title>{logo}<h1>Animal found on roof of school</h1>"),
            "Animal found on roof of school",
        );
        check_title(&format!("<title>Goat - The Lantern</title>{logo}<p>Goat</p>"), "Goat");
        check_title(&format!("<title>The Lantern</title>{logo}<p>Goat</p>"), "The Lantern");
        // The page shows more than the tab.
        check_title("<title>First boat on…</title><h1>First boat on Monday</h1>", "First boat on Monday");
        check_title("<h1>Only <b>this</b></h1>", "Only this");
        check_title("<h1>shown</h1><meta property=og:title content=shared>", "shown");
        check_title("<title>x</title><h1>Wake\u{80}\u{94} of <b>the boat</b></h1>", "Wake of the boat");
        check_title("", "");
    }

    #[test]
    fn fields_come_from_the_best_statement() {
        let page = read(
            "<title>T</title><link rel='x Canonical' href='/c?x=1'><meta property=og:image content='javascript:x'>\
             <meta name=twitter:image content=i.png><meta name=Description content=' a \n b '><meta name=author content='By  Ann Lee'>\
             <meta property=article:published_time content='bad'><meta name=DC.date content='2020-01-02'>\
             <time datetime='2021-01-01'>x</time><meta property=og:site_name content=Site>",
        );
        assert_eq!(page.canonical.as_deref(), Some("https://news.example.org/c?x=1"));
        assert_eq!(page.image.as_deref(), Some("https://news.example.org/a/i.png"));
        assert_eq!(page.description.as_deref(), Some("a b"));
        assert_eq!(page.author.as_deref(), Some("Ann Lee"));
        assert_eq!(page.date.as_deref(), Some("2020-01-02"));
        assert_eq!(page.site_name.as_deref(), Some("Site"));

        let page = read(
            "<span itemprop=author><a itemprop=name>Bo Ek</a>, editor</span><time itemprop=datePublished>2020-05-06</time>\
             <time hidden datetime=2019-01-01></time>",
        );
        assert_eq!((page.author.as_deref(), page.date.as_deref()), (Some("Bo Ek"), Some("2020-05-06")));
        assert_eq!(read("<p>x"), Metadata::default());
    }

    #[test]
    fn readers_are_not_the_author() {
        let story = "The night ferry to the islands sails again. ".repeat(3);
        let comments = "<div id=comments><ol class=commentlist><li class=comment><b class=author>Reader One</b> \
            <span itemprop=author>Reader Two</span><a rel=author>Reader</a><time datetime=2023-05-06>6 May 2023</time> \
            By Ann Lee, 7 May 2023</ol></div>";
        let page = read(&format!("<title>Boat</title><h1>Boat</h1><p>{story}</p>{comments}"));
        assert_eq!((page.date, page.author), (None, None));
        let page = read(&format!(
            "<title>Boat</title><article class=comments-open><h1>Boat</h1><p>{story}<time>1 May 2023</time></article>{comments}"
        ));
        assert_eq!(page.date.as_deref(), Some("2023-05-01"));
        // In a forum they are.
        let forum = format!(
            "<title>Boat</title><h1>Boat</h1><div itemscope itemtype=http://schema.org/DiscussionForumPosting>{comments}</div>"
        );
        assert_eq!(read(&forum).date.as_deref(), Some("2023-05-06"));
    }

    #[test]
    fn stated_authors_are_names() {
        for (stated, want) in [
            ("Anna Berg and Carl Dahl", Some("Anna Berg, Carl Dahl")),
            ("By Anna Berg, Carl Dahl & Eva Falk", Some("Anna Berg, Carl Dahl, Eva Falk")),
            ("Hans Keller, Hamburg", Some("Hans Keller")),
            ("Keller, Hans", Some("Keller, Hans")),
            ("admin", None),
            ("By Admin", None),
            ("Webmaster", None),
            ("Редакция", None),
            ("Smith and Sons Ltd", Some("Smith and Sons Ltd")),
            ("mgorska", Some("mgorska")),
            ("张三", Some("张三")),
        ] {
            assert_eq!(read(&format!("<meta name=author content='{stated}'>")).author.as_deref(), want, "{stated}");
        }
        let page = read("<title>T</title><h1>T</h1><p>By <a rel=author href=/a>Anna Berg</a> and Carl Dahl</p><p>x");
        assert_eq!(page.author.as_deref(), Some("Anna Berg, Carl Dahl"));
        let page = read(
            "<title>T</title><h1>T</h1><p><span class=author>Anna Berg</span> and <span class=author>Carl Dahl</span></p><p>x",
        );
        assert_eq!(page.author.as_deref(), Some("Anna Berg, Carl Dahl"));
    }

    #[test]
    fn json_ld_fills_in() {
        let page = read(
            "<script type=application/ld+json>{broken</script><script type=application/ld+json>\
             {\"@graph\":[{\"@type\":\"WebSite\"},{\"@type\":[\"NewsArticle\"],\"headline\":\"H\",\
             \"datePublished\":\"2020-01-02T03:04:05Z\",\"author\":[{\"name\":\"A B\"}]}]}</script>",
        );
        assert_eq!(page.title.as_deref(), Some("H"));
        assert_eq!(page.author.as_deref(), Some("A B"));
        assert_eq!(page.date.as_deref(), Some("2020-01-02T03:04:05+00:00"));
        let deep = format!("<script type=application/ld+json>{}</script>", "[".repeat(100_000));
        assert_eq!(read(&deep), Metadata::default());
    }
}
