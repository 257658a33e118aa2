//! [`LinkedData`]: what the page's JSON-LD says.

use super::clean;
use super::types::{DeclaredTypes, is_article};
use crate::dom::{Dom, fold_space};
use serde_json::{Map, Value};

/// Bytes of a JSON-LD script, and such scripts, at most.
const MAX_JSON: usize = 1 << 19;
const MAX_SCRIPTS: usize = 16;
/// JSON values looked at, at most.
const MAX_VALUES: usize = 4000;
/// Articles beyond which a page is a list of them, so that none is the page's own.
const MAX_ARTICLES: usize = 3;
/// Names of one field, at most.
const MAX_NAMES: usize = 12;

/// Kinds of thing with an author or a date of its own, of which a page has one if it has not several.
const WORKS: [&str; 9] = [
    "Recipe",
    "HowTo",
    "VideoObject",
    "JobPosting",
    "Dataset",
    "Course",
    "Question",
    "PodcastEpisode",
    "SoftwareSourceCode",
];

/// What JSON-LD says of the page's article. Texts are plain, with white space folded.
#[derive(Debug, Default)]
pub(super) struct LinkedData {
    pub(super) headline: Option<String>,
    pub(super) published: Option<String>,
    pub(super) modified: Option<String>,
    pub(super) authors: Vec<String>,
    pub(super) description: Option<String>,
    pub(super) image: Option<String>,
    /// The publisher's name, or the name of the `WebSite`.
    pub(super) site_name: Option<String>,
    /// As written: markup and character references may be in it.
    body: Option<String>,
    types: DeclaredTypes,
}

impl LinkedData {
    /// Reads the scripts of a page; a broken one is skipped. Time linear in them.
    pub(super) fn read(scripts: &[&str]) -> Self {
        let values: Vec<Value> = scripts
            .iter()
            .filter(|text| text.len() <= MAX_JSON)
            .take(MAX_SCRIPTS)
            .filter_map(|text| parse(text))
            .collect();
        let mut read = Self::default();
        let (mut articles, mut works, mut page, mut site) = (Vec::new(), Vec::new(), None, None);
        let things = things(&values);
        for &thing in &things {
            for kind in texts(thing.get("@type")) {
                read.types.add_name(kind);
                match local(kind) {
                    "WebSite" => site = site.or(Some(thing)),
                    "WebPage" => page = page.or(Some(thing)),
                    kind if is_article(kind)
                        && articles.last().is_none_or(|&last: &&Map<String, Value>| !std::ptr::eq(last, thing)) =>
                    {
                        articles.push(thing);
                    }
                    kind if WORKS.contains(&kind) => works.push(thing),
                    _ => {}
                }
            }
        }
        let name_of_site = |thing: Option<&Map<String, Value>>| text(thing?.get("name"));
        if articles.len() <= MAX_ARTICLES
            && let Some(&article) =
                articles.iter().find(|article| article.contains_key("articleBody")).or(articles.first())
        {
            read.article(article, &things);
        } else if articles.is_empty()
            && let [work] = works[..]
        {
            read.article(work, &things);
        }
        read.site_name = read.site_name.or_else(|| name_of_site(site));
        // The page around the article repeats its dates in some templates that leave them out there.
        let dated = |name| page.and_then(|page| text(page.get(name)));
        read.published = read.published.or_else(|| dated("datePublished"));
        read.modified = read.modified.or_else(|| dated("dateModified"));
        read
    }

    fn article(&mut self, article: &Map<String, Value>, things: &[&Map<String, Value>]) {
        self.headline = text(article.get("headline")).or_else(|| text(article.get("name")));
        let dates = ["datePublished", "uploadDate", "datePosted", "dateCreated"];
        self.published = dates.into_iter().find_map(|name| text(article.get(name)));
        self.modified = text(article.get("dateModified"));
        self.description = text(article.get("description"));
        self.image = article.get("image").or_else(|| article.get("thumbnailUrl")).and_then(address);
        self.site_name = names(article.get("publisher"), things).into_iter().next();
        self.authors = names(article.get("author").or_else(|| article.get("creator")), things);
        self.body = article.get("articleBody").and_then(Value::as_str).map(str::to_owned);
    }

    pub(super) fn types(&self) -> DeclaredTypes {
        self.types
    }

    /// The text of the article, one paragraph a line; `None` where it is not stated.
    pub(super) fn article_body(&self) -> Option<String> {
        let body = self.body.as_deref()?;
        let body = if body.contains('<') || body.contains('&') {
            // Escaped twice is common: a second reading finds the tags that were text in the first.
            let once = Dom::parse(body).visible_text().to_owned();
            if once.contains("</") || once.contains("&nbsp;") {
                Dom::parse(&once).visible_text().to_owned()
            } else {
                once
            }
        } else {
            body.to_owned()
        };
        let lines: Vec<String> = body.lines().map(fold_space).filter(|line| !line.is_empty()).collect();
        (!lines.is_empty()).then(|| lines.join("\n"))
    }
}

/// Reads a script as JSON, as leniently as pages need: comment signs around it, line ends in strings, and what only
/// JavaScript allows (comments, commas before a closing bracket).
fn parse(script: &str) -> Option<Value> {
    let script =
        script.trim().trim_start_matches("<!--").trim_start_matches("//<![CDATA[").trim_start_matches("<![CDATA[");
    let script =
        script.trim_end_matches("-->").trim_end_matches("]]>").trim_end_matches("//").trim().trim_end_matches(';');
    serde_json::from_str(script).ok().or_else(|| {
        let blanked: String = script.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
        serde_json::from_str(&blanked).ok().or_else(|| serde_json::from_str(&without_script_ways(script)).ok())
    })
}

/// JSON without comments, without commas before a closing bracket, and with blanks for control characters. Time linear in
/// the text.
fn without_script_ways(json: &str) -> String {
    let mut out = String::with_capacity(json.len());
    let mut rest = json;
    let mut in_string = false;
    while let Some(c) = rest.chars().next() {
        if in_string && c == '\\' {
            let end = rest.char_indices().nth(2).map_or(rest.len(), |(at, _)| at);
            out.push_str(&rest[..end]);
            rest = &rest[end..];
            continue;
        }
        if !in_string {
            let comment = [("//", "\n"), ("/*", "*/")].into_iter().find(|(open, _)| rest.starts_with(open));
            if let Some((_, close)) = comment {
                let end = rest[2..].find(close).map_or(rest.len(), |at| 2 + at + close.len());
                rest = &rest[end..];
                continue;
            }
            if matches!(c, '}' | ']') {
                let kept = out.trim_end();
                let kept = kept.strip_suffix(',').unwrap_or(kept).len();
                out.truncate(kept);
            }
        }
        in_string ^= c == '"';
        out.push(if c.is_control() { ' ' } else { c });
        rest = &rest[c.len_utf8()..];
    }
    out
}

/// The objects that the scripts state of the page: at the top, in lists and graphs, and as a page's main entity.
fn things(values: &[Value]) -> Vec<&Map<String, Value>> {
    let mut open: Vec<&Value> = values.iter().rev().collect();
    let mut things = Vec::new();
    let mut looked_at = 0;
    while let Some(value) = open.pop().filter(|_| looked_at < MAX_VALUES) {
        looked_at += 1;
        match value {
            Value::Array(values) => open.extend(values.iter().rev()),
            Value::Object(fields) => {
                things.push(fields);
                let inner = ["@graph", "mainEntity", "mainEntityOfPage", "hasPart", "blogPost"];
                open.extend(inner.iter().rev().filter_map(|name| fields.get(*name)));
            }
            _ => {}
        }
    }
    things
}

fn local(kind: &str) -> &str {
    kind.rsplit(['/', '#', ':']).next().unwrap_or(kind)
}

/// A text, or the texts of a list.
fn texts(value: Option<&Value>) -> impl Iterator<Item = &str> {
    let several = value.and_then(Value::as_array).into_iter().flatten();
    value.into_iter().chain(several).filter_map(Value::as_str)
}

/// A text or the first of several, plain.
fn text(value: Option<&Value>) -> Option<String> {
    texts(value).map(plain).find(|text| !text.is_empty())
}

/// Text without the character references and tags that templates leave in it.
pub(super) fn plain(text: &str) -> String {
    if has_reference(text) || text.contains("</") { clean(Dom::parse(text).visible_text()) } else { clean(text) }
}

/// Whether a character reference such as `&amp;` stands in the text.
fn has_reference(text: &str) -> bool {
    text.match_indices('&').any(|(at, _)| {
        let rest = &text.as_bytes()[at + 1..];
        let name = rest.iter().take(10).take_while(|b| b.is_ascii_alphanumeric() || **b == b'#').count();
        name > 1 && rest.get(name) == Some(&b';')
    })
}

/// The names of people or organisations: texts, objects with a name, or such objects stated elsewhere.
fn names(value: Option<&Value>, things: &[&Map<String, Value>]) -> Vec<String> {
    let Some(value) = value else { return Vec::new() };
    let values: &[Value] = value.as_array().map_or(std::slice::from_ref(value), Vec::as_slice);
    let name = |value: &Value| match value {
        Value::String(name) => Some(plain(name)),
        Value::Object(fields) => text(fields.get("name")).or_else(|| {
            let id = fields.get("@id")?.as_str()?;
            let stated =
                things.iter().find(|thing| thing.contains_key("name") && thing.get("@id").is_some_and(|it| it == id));
            text(stated?.get("name"))
        }),
        _ => None,
    };
    values.iter().take(MAX_NAMES).filter_map(name).filter(|name| !name.is_empty()).collect()
}

/// The address of an image: a text, an object with one, or the first of several.
fn address(value: &Value) -> Option<String> {
    let value = value.as_array().map_or(Some(value), |values| values.first())?;
    let of = |value: &Value| value.as_str().map(str::to_owned);
    of(value).or_else(|| value.get("url").or_else(|| value.get("contentUrl")).and_then(of))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_article_is_found_wherever_it_stands() {
        for script in [
            r#"{"@type":"NewsArticle","headline":"H &amp; I","author":"A B"}"#,
            r#"[{"@type":"Organization","name":"O"},{"@type":["X","Article"],"headline":"H & I","author":[{"name":"A B"}]}]"#,
            r##"{"@graph":[{"@type":"BlogPosting","headline":"H & I","author":{"@id":"#p"}},{"@type":"Person","@id":"#p","name":"A B"}]}"##,
            r#"{"@type":"WebPage","mainEntity":{"@type":"http://schema.org/Article","headline":"H & I","author":{"name":["A B"]}}}"#,
            "{\"@type\":\"Article\", // kind\n\"headline\":\"H & I\", /* who, \\ */ \"author\":[\"A B\", ], }",
            "<!--\n{\"@type\":\"Article\",\"headline\":\"H\n & I\",\"author\":\"A B\"};\n-->",
        ] {
            let read = LinkedData::read(&["{broken", script]);
            assert_eq!(read.headline.as_deref(), Some("H & I"), "{script}");
            assert_eq!(read.authors, ["A B"], "{script}");
            assert!(read.types().article);
        }
        let odd = r#"{"@type":"Article","headline":"a // b, ] \" /* c",}"#;
        assert_eq!(LinkedData::read(&[odd]).headline.as_deref(), Some("a // b, ] \" /* c"));
        let list = format!("[{}]", [r#"{"@type":"Article","headline":"H"}"#; 9].join(","));
        assert_eq!(LinkedData::read(&[&list]).headline, None);
        assert_eq!(LinkedData::read(&[&"[".repeat(100_000)]).headline, None);
    }

    #[test]
    fn the_body_is_plain_text_in_paragraphs() {
        let body = |text: &str| {
            let script = serde_json::json!({"@type": "Article", "articleBody": text}).to_string();
            LinkedData::read(&[&script]).article_body()
        };
        assert_eq!(body("One  two.\n\nThree.").as_deref(), Some("One two.\nThree."));
        assert_eq!(body("<p>One &amp; <b>two</b>.</p><p>Three.</p>").as_deref(), Some("One & two.\nThree."));
        assert_eq!(body("&lt;p&gt;One&lt;/p&gt;&lt;p&gt;Two&lt;/p&gt;").as_deref(), Some("One\nTwo"));
        assert_eq!(body(" "), None);
    }
}
