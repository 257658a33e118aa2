//! [`extract`]: the main text of one page, from its bytes.

use super::meta::Statements;
use super::{Metadata, Selection, auto, econ, html, markdown, text};
use crate::dom::{Attr, Dom, NodeId, Tag, decode, links_in};
use crate::terms::{Language, detect_briefly};
use rustc_hash::FxHashSet;
use url::Url;

/// How the main text is found.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Method {
    /// A learned classifier of blocks: one setting for all kinds of page and all languages.
    #[default]
    Auto,
    /// ECON as published (Guo et al. 2010): for news pages.
    Econ,
}

impl Method {
    /// The name on the command line and in output.
    pub fn name(self) -> &'static str {
        match self {
            Self::Auto => "auto",
            Self::Econ => "econ",
        }
    }
}

/// What is known of a page beside its bytes, and what is wanted of it.
#[derive(Clone, Copy, Debug, Default)]
pub struct Hints<'a> {
    /// The page's address, against which links are resolved; without it relative links stay as they are written.
    pub url: Option<&'a str>,
    /// The value of the `Content-Type` header.
    pub content_type: Option<&'a str>,
    /// How the main text is found.
    pub method: Method,
    /// Keep readers' comments as well.
    pub comments: bool,
    /// Write the headline at the head of the body; it is always a field of its own ([`Metadata::title`]).
    pub with_title: bool,
}

/// The main content of a page. Parsed and chosen, not yet written: [`text`](Self::text), [`markdown`](Self::markdown) and
/// [`html`](Self::html) write it.
#[derive(Clone, Debug)]
pub struct Extraction {
    /// The parsed page.
    pub dom: Dom,
    /// What was kept of it.
    pub selection: Selection,
    /// What the page says about itself.
    pub metadata: Metadata,
    /// The language.
    pub language: Language,
    /// Name of the charset, as in the Encoding Standard.
    pub charset: &'static str,
    /// How the main text was found.
    pub method: Method,
    /// The kind of page: `article`, `forum`, `product`, `listing`, `collection`, `documentation` or `service`.
    /// [`Method::Econ`] knows articles only.
    pub page_type: &'static str,
    /// Where the text was found.
    pub text_source: TextSource,
    with_title: bool,
    base: Option<Url>,
}

/// Where the main text of a page was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TextSource {
    /// In what the page shows.
    Page,
    /// In the page's JSON-LD: the page shows only the beginning of it. [`Extraction::dom`] is then made of that text.
    JsonLd,
}

impl Extraction {
    /// The content as plain text, one block a line.
    pub fn text(&self) -> String {
        self.titled(text(&self.dom, &self.selection), |title| format!("{title}\n"))
    }

    /// The content as Markdown.
    pub fn markdown(&self) -> String {
        let body = markdown(&self.dom, &self.selection, self.base.as_ref());
        self.titled(body, |title| {
            let dom = Dom::parse(&heading(title));
            markdown(&dom, &Selection::new(&dom, dom.ids()), None).trim_end().to_owned() + "\n\n"
        })
    }

    /// The content as clean HTML.
    pub fn html(&self) -> String {
        self.titled(html(&self.dom, &self.selection, self.base.as_ref()), |title| heading(title) + "\n")
    }

    /// The same page with other nodes kept, say by rules of its site.
    #[must_use]
    pub fn keeping(mut self, nodes: impl IntoIterator<Item = NodeId>) -> Self {
        self.selection = Selection::new(&self.dom, nodes);
        self
    }

    /// What the page's links are relative to, where that is known.
    pub fn base(&self) -> Option<&Url> {
        self.base.as_ref()
    }

    /// The body behind the headline, where that is asked for and does not head the body already.
    fn titled(&self, body: String, write: impl Fn(&str) -> String) -> String {
        match self.metadata.title.as_deref() {
            Some(title) if self.with_title && !self.begins_with(title) => write(title) + &body,
            _ => body,
        }
    }

    /// Whether one of the first lines says what the title says, or they together do.
    fn begins_with(&self, title: &str) -> bool {
        let body = text(&self.dom, &self.selection);
        let first = body.lines().next().unwrap_or_default();
        // Behind a line above it, too.
        if auto::says_the_same(first, title) || body.lines().take(3).any(|line| line == title) {
            return true;
        }
        // A line break within the headline.
        let (mut title, mut lines) = (title.split_whitespace().peekable(), body.lines());
        while title.peek().is_some() {
            let Some(line) = lines.next() else { return false };
            if !line.split_whitespace().all(|word| title.next() == Some(word)) {
                return false;
            }
        }
        true
    }
}

/// Finds the main content of a page. Never fails: a page without content gives an empty extraction. Time and memory linear
/// in the page.
///
/// ```
/// use wisdom::article::{Hints, extract};
/// let page = b"<nav><a href=/>Home</a></nav><p>The ferry to the north shore sails again on Monday, the harbour office said.";
/// assert_eq!(extract(page, &Hints::default()).text(), "The ferry to the north shore sails again on Monday, the harbour office said.");
/// ```
pub fn extract(bytes: &[u8], hints: &Hints<'_>) -> Extraction {
    let decoded = decode(bytes, hints.content_type);
    let mut dom = Dom::parse(&decoded.text);
    if says_all_beside_frames(&dom) {
        dom = Dom::parse(&without_frames(&decoded.text));
    }
    let url = hints.url.and_then(|url| Url::parse(url).ok());
    let base = url.map_or_else(|| written_base(&dom), |url| Some(links_in(&dom, &url, decoded.charset).base));
    let statements = Statements::read(&dom);
    let metadata = statements.metadata(base.as_ref());
    let body = statements.article_body();
    let (selection, page_type) = match hints.method {
        Method::Auto => auto::select(&dom, metadata.title.as_deref(), statements.types(), hints),
        Method::Econ => (econ(&dom).selection(&dom), "article"),
    };
    let language = detect_briefly(&dom);
    let mut extraction = Extraction {
        dom,
        selection,
        metadata,
        language,
        charset: decoded.charset,
        method: hints.method,
        page_type,
        text_source: TextSource::Page,
        with_title: hints.with_title,
        base,
    };
    if hints.method == Method::Auto
        && let Some(body) = body
    {
        extraction.go_on_with(&body);
    }
    extraction
}

impl Extraction {
    /// Takes the article that the page states in JSON-LD, where what was found is the beginning of it and the page does
    /// not show the rest. Hints are never trusted over what is shown: it has to confirm them.
    fn go_on_with(&mut self, body: &str) {
        let found = words(&text(&self.dom, &self.selection));
        let stated = words(body);
        let is_alone = says_nothing_beside(&self.dom, body);
        if !is_alone && stated.len() < found.len() + found.len() / 4 + 20 {
            return;
        }
        let known: FxHashSet<&[String]> = stated.windows(3).collect();
        let confirmed = found.windows(3).filter(|words| known.contains(words)).count();
        let shown = words(self.dom.visible_text());
        let shown: FxHashSet<&[String]> = shown.windows(3).collect();
        let unseen = known.iter().filter(|words| !shown.contains(*words)).count();
        let is_confirmed = confirmed * 10 >= found.len().saturating_sub(2) * 8;
        if !(is_alone || is_confirmed) || unseen * 10 < known.len() * 2 {
            return;
        }
        let paragraphs: Vec<String> = body
            .lines()
            .filter(|line| !line.trim().is_empty())
            .map(|line| format!("<p>{}</p>", escape(line)))
            .collect();
        let dom = Dom::parse(&paragraphs.concat());
        self.selection = Selection::new(&dom, dom.ids());
        self.dom = dom;
        self.text_source = TextSource::JsonLd;
    }
}

/// How many times the page's own words an article must hold that stands in JSON-LD alone.
const STATED_ALONE: usize = 4;

/// Whether a page says, of all that is no link, hardly a part of what the article would: menus, a footer and "Loading…" around
/// a place that a script fills.
fn says_nothing_beside(dom: &Dom, body: &str) -> bool {
    let letters = |text: &str| text.chars().filter(|c| c.is_alphanumeric()).count();
    let mut own = letters(dom.visible_text());
    let mut until = dom.root();
    for id in dom.ids().filter(|&id| dom.tag(id) == Tag::A && !dom.is_hidden(id)) {
        if id >= until {
            own -= letters(dom.text(id)).min(own);
            until = dom.end(id);
        }
    }
    let stated = letters(body);
    stated >= LEAST_STATED_ALONE && own * STATED_ALONE < stated
}

/// Letters of such an article, at least.
const LEAST_STATED_ALONE: usize = 150;

/// Text of `noframes` that says more than that frames are needed, in bytes.
const LEAST_BESIDE_FRAMES: usize = 200;

/// Whether a page is a set of frames, whose texts are other pages, and tells readers without frames what it has to say.
fn says_all_beside_frames(dom: &Dom) -> bool {
    dom.visible_text().trim().is_empty()
        && dom.ids().any(|id| dom.tag(id) == Tag::FRAMESET)
        && dom.ids().any(|id| dom.tag(id) == Tag::NOFRAMES && dom.text(id).trim().len() >= LEAST_BESIDE_FRAMES)
}

/// The page as browsers without frames read it: `noframes` and `frameset` mean nothing there. Time linear in the page.
fn without_frames(html: &str) -> String {
    let mut out = String::with_capacity(html.len());
    let mut rest = html;
    while let Some(at) = rest.find('<') {
        let (before, tag) = rest.split_at(at);
        out.push_str(before);
        let name = tag[1..].trim_start_matches('/').as_bytes();
        let is = |word: &str| name.get(..word.len()).is_some_and(|start| start.eq_ignore_ascii_case(word.as_bytes()));
        let end = if is("noframes") || is("frameset") { tag.find('>').map_or(tag.len(), |end| end + 1) } else { 1 };
        if end == 1 {
            out.push('<');
        }
        rest = &tag[end..];
    }
    out.push_str(rest);
    out
}

/// Words in lower case; a character of a script without blanks is joined to its neighbours, which is enough to compare.
fn words(text: &str) -> Vec<String> {
    text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).map(str::to_lowercase).collect()
}

fn heading(title: &str) -> String {
    format!("<h1>{}</h1>", escape(title))
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

/// The address that the page itself says its links are relative to, where that needs no other.
fn written_base(dom: &Dom) -> Option<Url> {
    let base = dom.ids().find(|&id| dom.tag(id) == Tag::BASE && dom.attr(id, Attr::HREF).is_some())?;
    Url::parse(dom.attr(base, Attr::HREF)?.trim()).ok().filter(|url| !url.cannot_be_a_base())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fmt::Write as _;

    fn extracted(body: &str) -> String {
        let page = format!("<title>Night ferry</title><body><nav><a href=/>Home</a> <a href=/b>News</a></nav>{body}");
        extract(page.as_bytes(), &Hints::default()).text()
    }

    const ARTICLE: &str = "<main><h1>Night ferry</h1><p>The night ferry to the northern islands sails again from Monday, \
        the harbour office said, after two winters in the dock.</p><p>Tickets are sold at the old customs house, and on \
        board if there is room, until five minutes before the boat leaves.</p>";

    #[test]
    fn readers_are_left_out_unless_asked_for() {
        let mut page = format!("{ARTICLE}</main><section id=comments><ol class=comment-list>");
        for i in 0..12 {
            let _ = write!(
                page,
                "<li class=comment><div class=comment-author>reader {i}</div><div class=comment-body><p>I waited \
                for {i} hours at the customs house, and nobody came to sell a ticket, so I went home again.</p><p>Next time \
                I will take the train, which is late as well, but at least it is warm.</p></div></li>"
            );
        }
        page.push_str("</ol></section>");
        let text = extracted(&page);
        assert!(
            text.contains("two winters") && text.contains("five minutes") && !text.contains("nobody came"),
            "{text}"
        );
        let html = format!("<title>Night ferry</title>{page}");
        let all = extract(html.as_bytes(), &Hints { comments: true, ..Hints::default() }).text();
        assert_eq!(all.matches("nobody came").count(), 12, "{all}");
    }

    #[test]
    fn boxes_over_the_page_are_left_out_unless_it_has_nothing_else() {
        let consent = "<p>We store small files on your device, and read them later, so that we can count visits, show you \
            what you like, and sell the numbers to our partners, whose list is long.</p><p>You may refuse, in which case we \
            ask again tomorrow, the day after, and on each day that follows, for thirteen months.</p>";
        for open in ["<div role=dialog>", "<div class='cookie-bar'><button>Yes</button>", "<div id=gdpr><input>"] {
            let text = extracted(&format!("{open}{consent}</div>{ARTICLE}"));
            assert!(text.contains("two winters") && !text.contains("thirteen months"), "{open}: {text}");
            let text = extracted(&format!("{open}{consent}</div>"));
            assert!(text.contains("thirteen months"), "{open}: {text}");
        }
    }

    #[test]
    fn tables_and_refrains_stay_whole() {
        let mut page = format!("{ARTICLE}<table><caption>In winter</caption><tr><th>Stop<th>Leaves</tr>");
        for i in 1..=9 {
            let _ = write!(page, "<tr><td>{}<td>1{i}:05</tr>", ["Quay", "North Head", "Fir"][i % 3]);
        }
        page.push_str("</table><p>All times are harbour times, which are a quarter of an hour late, as they have always been.</p>");
        let text = extracted(&page);
        assert!(text.contains("In winter\nStop\tLeaves") && text.matches(":05").count() == 9, "{text}");

        let refrain = "<p>Row on, row on, my brothers all, the lamp is lit and the tide is high, row on, row on to the harbour wall.</p>";
        let verse = |n: &str| {
            format!(
                "<p>The {n} night we saw no land, the compass broke in the captain's hand, and the rain came down.</p>"
            )
        };
        let song = ["first", "second", "third"].map(|n| verse(n) + refrain).concat();
        assert_eq!(extracted(&format!("<main><h1>Night ferry</h1>{song}")).matches("Row on, row on, my").count(), 3);
    }

    #[test]
    fn a_stated_article_goes_on_where_the_page_shows_its_beginning() {
        let shown = "The eel counters of the lower wharf work at night, with a white plate under the water.";
        let rest = "In a good hour one of them counts four thousand animals. Then the tide turns, and there is none until \
            morning. Their numbers go to an office that has never seen an eel, and come back as a curve that falls.";
        let page = |stated: &str| {
            format!(
                "<title>Eels</title><script type=application/ld+json>{{\"@type\":\"NewsArticle\",\"articleBody\":\"{stated}\"}}\
                </script><main><h1>Eels</h1><p>{shown}</p></main>"
            )
        };
        let got = extract(page(&format!("{shown}\\n{rest}")).as_bytes(), &Hints::default());
        assert_eq!((got.text_source, got.text()), (TextSource::JsonLd, format!("{shown}\n{rest}")));
        // What the page does not confirm is not trusted.
        let other = rest.repeat(3);
        let long = format!("{shown} The office says that the white plates are old.");
        let page = |stated: &str| page(stated).replace(&format!("<p>{shown}"), &format!("<p>{}", long.repeat(4)));
        let shown = long.repeat(4);
        let got = extract(page(&other).as_bytes(), &Hints::default());
        assert_eq!((got.text_source, got.text()), (TextSource::Page, shown.clone()));
    }

    #[test]
    fn an_article_in_json_ld_alone_is_taken() {
        let stated = "The eel counters of the lower wharf work at night, with a white plate under the water. In a good hour \
            one of them counts four thousand animals. Then the tide turns, and there is none until morning.";
        let menu: String = (0..30).fold(String::new(), |mut menu, i| {
            let _ = write!(menu, "<li><a href=/{i}>Section number {i} of the paper</a>");
            menu
        });
        let page = |shown: &str| {
            format!(
                "<title>Eels - Gazette</title><script type=application/ld+json>{{\"@type\":\"NewsArticle\",\"headline\":\"Eels\",\
                \"articleBody\":\"{stated}\"}}</script><nav><ul>{menu}</ul></nav><div id=app>{shown}</div>\
                <footer>© 2024 Gazette</footer>"
            )
        };
        let got = extract(page("Loading…").as_bytes(), &Hints::default());
        assert_eq!((got.text_source, got.text()), (TextSource::JsonLd, stated.to_owned()));
        let shown =
            "The harbour office counts boats, not eels, and publishes the numbers every day but Sunday. ".repeat(3);
        let got = extract(page(&format!("<p>{shown}</p>")).as_bytes(), &Hints::default());
        assert_eq!((got.text_source, got.text()), (TextSource::Page, shown.trim().to_owned()));
    }

    #[test]
    fn what_stands_for_frames_is_read() {
        let said = "The night ferry to the northern islands sails again from Monday, the harbour office said, after two winters \
            in the dock. Tickets are sold at the old customs house, and on board if there is room.";
        let page = format!(
            "<html><head><title>Ferry</title></head><FRAMESET cols='20%,*'><frame src=menu.html><frame src=main.html>\
            <NoFrames><body><h1>Ferry</h1><p>{said}</p></body></noframes></FRAMESET></html>"
        );
        let got = extract(page.as_bytes(), &Hints::default());
        assert_eq!((got.text(), got.metadata.title.as_deref()), (said.to_owned(), Some("Ferry")));
        let bare = page.replace(said, "Your browser does not show frames.");
        assert_eq!(extract(bare.as_bytes(), &Hints::default()).text(), "");
    }

    /// Rules may select the headline with the body.
    #[test]
    fn a_headline_that_heads_the_body_is_not_put_there_again() {
        for shown in [
            "Night &amp; ferry to the isles",
            "Night &amp; ferry<br>to the isles",
            "News: Night &amp; ferry to the isles",
        ] {
            let page = format!("<title>Night &amp; ferry to the isles</title><h1>{shown}</h1><p>It sails.</p>");
            let all = extract(page.as_bytes(), &Hints { with_title: true, ..Hints::default() });
            let nodes: Vec<NodeId> =
                all.dom.ids().filter(|&id| all.dom.is_text(id) && !all.dom.is_hidden(id)).collect();
            let text = all.keeping(nodes).text();
            assert_eq!(text.matches("ferry").count(), 1, "{text}");
        }
        let page = "<title>Night ferry</title><p>Night ferry and day ferry sail.</p>";
        let text = extract(page.as_bytes(), &Hints { with_title: true, ..Hints::default() }).text();
        assert_eq!(text, "Night ferry\nNight ferry and day ferry sail.");
    }

    #[test]
    fn the_headline_stands_at_the_head_when_asked_for() {
        let page = format!("<title>Night &amp; ferry - Gazette</title><h1>Night &amp; ferry</h1>{ARTICLE}")
            .replace("<main><h1>Night ferry</h1>", "<main>");
        let plain = extract(page.as_bytes(), &Hints::default());
        assert!(plain.text().starts_with("The night ferry"), "{}", plain.text());
        let titled = extract(page.as_bytes(), &Hints { with_title: true, ..Hints::default() });
        assert!(titled.text().starts_with("Night & ferry\nThe night"), "{}", titled.text());
        assert!(titled.markdown().starts_with("# Night & ferry\n\nThe night"), "{}", titled.markdown());
        assert!(titled.html().starts_with("<h1>Night &amp; ferry</h1>\n"), "{}", titled.html());
    }
}
