//! [`Statements`]: what a page states about itself in markup, gathered in one sweep over the page.

use super::dates::Order;
use super::json_ld::LinkedData;
use super::types::DeclaredTypes;
use crate::dom::{Attr, Dom, NodeId, Tag};
use aho_corasick::AhoCorasick;
use std::borrow::Cow;
use std::sync::LazyLock;

/// Nodes before the `html` element, at most: comments and a doctype.
const MAX_BEFORE_HTML: usize = 64;
/// Statements of one kind that are kept, at most; a page that makes more is hostile or a list.
const MAX_OF_A_KIND: usize = 64;

/// Where a page states something about itself: `meta` elements, links, microdata, headings, times, JSON-LD. The JSON-LD is
/// parsed here, once.
#[derive(Debug)]
pub(crate) struct Statements<'a> {
    pub(super) dom: &'a Dom,
    /// Name and content of `meta` elements, in document order; neither is empty.
    named: Vec<(&'a str, &'a str)>,
    /// Addresses of `link rel=canonical`.
    pub(super) canonical: Vec<&'a str>,
    /// The `title` element.
    pub(super) title: Option<NodeId>,
    /// Shown `h1`, and shown `h2` and `h3`.
    pub(super) headings: Vec<NodeId>,
    pub(super) lesser_headings: Vec<NodeId>,
    /// `h1` that are not shown: those of `noscript` say what a script would show.
    pub(super) hidden_headings: Vec<NodeId>,
    /// Shown `time` elements.
    pub(super) times: Vec<NodeId>,
    /// Elements whose microdata say when the page was published, and when it was changed.
    pub(super) published: Vec<NodeId>,
    pub(super) modified: Vec<NodeId>,
    /// Elements in which readers comment; none where the page says that it is a discussion, or where its headline stands in
    /// one.
    comments: Vec<NodeId>,
    /// Footers of the page, not of its article.
    footers: Vec<NodeId>,
    /// Shown elements marked as the author by microdata or `rel`.
    pub(super) authors: Vec<NodeId>,
    pub(super) linked: LinkedData,
    types: DeclaredTypes,
}

impl<'a> Statements<'a> {
    /// Gathers the statements of a page. Time linear in the page.
    pub(crate) fn read(dom: &'a Dom) -> Self {
        let mut read = Self {
            dom,
            named: Vec::new(),
            canonical: Vec::new(),
            title: None,
            headings: Vec::new(),
            lesser_headings: Vec::new(),
            hidden_headings: Vec::new(),
            times: Vec::new(),
            published: Vec::new(),
            modified: Vec::new(),
            comments: Vec::new(),
            footers: Vec::new(),
            authors: Vec::new(),
            linked: LinkedData::default(),
            types: DeclaredTypes::default(),
        };
        let mut scripts = Vec::new();
        for id in dom.ids() {
            match dom.tag(id) {
                Tag::TEXT => {}
                Tag::META => read.meta_element(id),
                Tag::SCRIPT => {
                    if dom.attr(id, Attr::TYPE).is_some_and(|kind| contains_ignoring_case(kind, "ld+json")) {
                        scripts.push(dom.text(id));
                    }
                }
                tag => read.element(id, tag),
            }
        }
        read.linked = LinkedData::read(&scripts);
        read.types.add(read.linked.types());
        if let Some(kind) = read.first(&["og:type"]) {
            read.types.add_open_graph(kind);
        }
        read.leave_out_comments();
        read
    }

    fn meta_element(&mut self, id: NodeId) {
        let Some(content) = self.dom.attr(id, Attr::CONTENT).map(str::trim).filter(|content| !content.is_empty())
        else {
            return;
        };
        for (attr, value) in self.dom.attrs(id) {
            if matches!(attr, Attr::PROPERTY | Attr::NAME | Attr::ITEMPROP) && self.named.len() < 8 * MAX_OF_A_KIND {
                self.named.extend(value.split_whitespace().take(4).map(|name| (name, content)));
            }
            if attr == Attr::ITEMPROP {
                self.microdata(id, value);
            }
        }
    }

    fn element(&mut self, id: NodeId, tag: Tag) {
        let shown = !self.dom.is_hidden(id);
        match tag {
            Tag::H1 if shown => push(&mut self.headings, id),
            Tag::H1 => push(&mut self.hidden_headings, id),
            Tag::H2 | Tag::H3 if shown => push(&mut self.lesser_headings, id),
            Tag::TIME if shown => push(&mut self.times, id),
            Tag::FOOTER if !self.dom.ancestors(id).any(|up| matches!(self.dom.tag(up), Tag::ARTICLE | Tag::MAIN)) => {
                push(&mut self.footers, id);
            }
            Tag::TITLE if self.title.is_none() => {
                let in_svg = self.dom.ancestors(id).any(|up| self.dom.tag(up) == Tag::SVG);
                self.title = (!in_svg).then_some(id);
            }
            _ => {}
        }
        for (attr, value) in self.dom.attrs(id) {
            match attr {
                Attr::ITEMPROP => self.microdata(id, value),
                Attr::ITEMTYPE => {
                    value.split_whitespace().for_each(|kind| self.types.add_name(kind));
                    if value.ends_with("/Comment") || value.ends_with("/UserComments") {
                        self.comment(id);
                    }
                }
                Attr::CLASS | Attr::ID
                    if tag != Tag::BODY
                        && NAMED.is_match(value)
                        && value.split_ascii_whitespace().any(says_comment) =>
                {
                    self.comment(id);
                }
                Attr::REL if tag == Tag::LINK && has_token(value, "canonical") => {
                    if let Some(href) = self.dom.attr(id, Attr::HREF).filter(|_| self.canonical.len() < 8) {
                        self.canonical.push(href);
                    }
                }
                Attr::REL if tag == Tag::A && shown && has_token(value, "author") => push(&mut self.authors, id),
                _ => {}
            }
        }
    }

    fn microdata(&mut self, id: NodeId, properties: &str) {
        for property in properties.split_whitespace() {
            match property {
                "comment" => self.comment(id),
                "datePublished" => push(&mut self.published, id),
                "dateModified" => push(&mut self.modified, id),
                "author" if self.authors.last() != Some(&id) => push(&mut self.authors, id),
                _ => {}
            }
        }
    }

    fn comment(&mut self, id: NodeId) {
        if self.comments.last().is_none_or(|&last| !self.dom.contains(last, id)) {
            push(&mut self.comments, id);
        }
    }

    /// Forgets what was found in readers' comments: they have dates and authors of their own.
    fn leave_out_comments(&mut self) {
        let dom = self.dom;
        if self.types.discussion {
            self.comments.clear();
        }
        let headings = &self.headings;
        self.comments.retain(|&comment| !headings.iter().any(|&heading| dom.contains(comment, heading)));
        let comments = &self.comments;
        let is_outside = |id: &NodeId| !comments.iter().any(|&comment| dom.contains(comment, *id));
        for nodes in [&mut self.times, &mut self.published, &mut self.modified, &mut self.authors] {
            nodes.retain(is_outside);
        }
    }

    /// The page's visible text with line feeds in place of the comments and of the page's footers.
    pub(super) fn own_text(&self) -> Cow<'a, str> {
        let visible = self.dom.visible_text();
        let mut kept = String::new();
        let mut copied = 0;
        let mut others: Vec<NodeId> = self.comments.iter().chain(&self.footers).copied().collect();
        others.sort_unstable();
        for range in others.into_iter().filter_map(|id| self.dom.text_range(id)) {
            if range.is_empty() || range.start < copied {
                continue;
            }
            kept.push_str(&visible[copied..range.start]);
            kept.extend(std::iter::repeat_n('\n', range.len()));
            copied = range.end;
        }
        if copied == 0 {
            return Cow::Borrowed(visible);
        }
        kept.push_str(&visible[copied..]);
        Cow::Owned(kept)
    }

    /// In which order the page writes the numbers of a date, by the language that it says it is in.
    pub(super) fn date_order(&self) -> Order {
        let stated = self.dom.ids().take(MAX_BEFORE_HTML).find(|&id| self.dom.tag(id) == Tag::HTML);
        let stated = stated.and_then(|id| self.dom.attr(id, Attr::LANG)).filter(|lang| !lang.trim().is_empty());
        let Some(lang) = stated.or_else(|| self.all_of(&["content-language", "og:locale", "language"]).next()) else {
            return Order::Unknown;
        };
        let lang = lang.trim().to_ascii_lowercase().replace('_', "-");
        match lang.split_once('-').unwrap_or((&lang, "")) {
            // The order of the Philippines and of Canada is as uncertain as that of no country.
            ("en", "gb" | "au" | "nz" | "ie" | "in" | "za" | "sg" | "my" | "hk" | "ng" | "ke" | "pk") => {
                Order::DayFirst
            }
            ("en" | "zh" | "ja" | "ko" | "hu" | "fa" | "fil" | "tl", _) => Order::Unknown,
            (language, _) if (2..=3).contains(&language.len()) => Order::DayFirst,
            _ => Order::Unknown,
        }
    }

    /// Whether a node stands in a comment.
    pub(super) fn is_in_comment(&self, id: NodeId) -> bool {
        self.comments.iter().any(|&comment| self.dom.contains(comment, id))
    }

    /// The contents of all `meta` elements of a name, whatever its case.
    pub(super) fn all(&self, name: &str) -> impl Iterator<Item = &'a str> {
        self.named.iter().filter(move |(known, _)| known.eq_ignore_ascii_case(name)).map(|(_, content)| *content)
    }

    /// The contents of all `meta` elements of these names, the first name first.
    pub(super) fn all_of(&self, names: &'static [&'static str]) -> impl Iterator<Item = &'a str> {
        names.iter().flat_map(|name| self.all(name))
    }

    /// The first content of the best name.
    pub(super) fn first(&self, names: &'static [&'static str]) -> Option<&'a str> {
        self.all_of(names).next()
    }

    /// What kinds of thing the page says it is.
    pub(crate) fn types(&self) -> DeclaredTypes {
        self.types
    }

    /// The text of the page's article as JSON-LD states it, one paragraph a line; `None` where it does not.
    pub(crate) fn article_body(&self) -> Option<String> {
        self.linked.article_body()
    }
}

/// What comments, and lists of them, are called.
const NAMES: [&str; 14] = [
    "comment",
    "comments",
    "kommentar",
    "kommentare",
    "commentaire",
    "commentaires",
    "comentario",
    "comentarios",
    "commento",
    "commenti",
    "komentarz",
    "komentarze",
    "disqus",
    "respond",
];

/// Finds what may say comment, at a fraction of the price of [`says_comment`].
static NAMED: LazyLock<AhoCorasick> = LazyLock::new(|| {
    AhoCorasick::builder().ascii_case_insensitive(true).build(NAMES).expect("the names are short and few")
});

/// Whether a class name or id is that of a reader's comment, or of a list of them; `comments-open`, `comment-count` and their
/// like are not.
fn says_comment(name: &str) -> bool {
    const PARTS: [&str; 23] = [
        "list",
        "lists",
        "area",
        "body",
        "content",
        "text",
        "item",
        "section",
        "block",
        "box",
        "wrapper",
        "wrap",
        "container",
        "thread",
        "author",
        "meta",
        "date",
        "time",
        "reader",
        "readers",
        "user",
        "post",
        "article",
    ];
    let lower = name.to_ascii_lowercase();
    let is_part = |part: &str| PARTS.contains(&part) || part == "li" || part.bytes().all(|b| b.is_ascii_digit());
    let mut named = false;
    lower.split(['-', '_']).all(|part| {
        let stem = part.strip_suffix("list").unwrap_or(part);
        named |= NAMES.contains(&stem);
        NAMES.contains(&stem) || is_part(part)
    }) && named
}

fn push(nodes: &mut Vec<NodeId>, id: NodeId) {
    if nodes.len() < MAX_OF_A_KIND {
        nodes.push(id);
    }
}

fn has_token(value: &str, token: &str) -> bool {
    value.split_whitespace().any(|known| known.eq_ignore_ascii_case(token))
}

fn contains_ignoring_case(value: &str, part: &str) -> bool {
    value.as_bytes().windows(part.len()).any(|window| window.eq_ignore_ascii_case(part.as_bytes()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn class_names_of_comments() {
        for name in
            ["comment", "Comments", "commentlist", "comment-body", "li-comment-12", "post_comments", "kommentare"]
        {
            assert!(says_comment(name), "{name}");
        }
        for name in
            ["comments-open", "no-comments", "comment-count", "has-comments", "commented", "post", "list-body", ""]
        {
            assert!(!says_comment(name), "{name}");
        }
    }
}
