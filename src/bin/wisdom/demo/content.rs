//! The text of the demo site: articles and information pages, read from the files under `site/`.
//!
//! A content file starts with `name: value` lines and has its text after a line `---`. A blank line ends a block;
//! a block starting with `## ` is a heading, with `> ` a quotation, and lines starting with `- ` are list items.
//! `[text](address)` is a link. In an article a second `---` opens the readers' comments, one a line, in three parts
//! separated by ` | `: name, time, text.

/// A piece of running text, with its links still in markup.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Block {
    /// A heading inside the text.
    Heading(&'static str),
    /// A paragraph.
    Paragraph(&'static str),
    /// A quotation set apart.
    Quote(&'static str),
    /// The items of a list.
    Items(Vec<&'static str>),
}

impl Block {
    /// What a reader reads of the block, one string for each paragraph or list item.
    pub(super) fn texts(&self) -> Vec<String> {
        match self {
            Self::Heading(text) | Self::Paragraph(text) | Self::Quote(text) => vec![plain(text)],
            Self::Items(items) => items.iter().map(|item| plain(item)).collect(),
        }
    }
}

/// What a reader wrote under an article.
#[derive(Debug, Clone)]
pub(super) struct Comment {
    /// The reader's name.
    pub(super) name: &'static str,
    /// When it was written, as shown.
    pub(super) time: &'static str,
    /// The comment.
    pub(super) text: &'static str,
}

/// How an article's page is built.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Layout {
    /// The newspaper's own page.
    News,
    /// The Chinese edition's table layout.
    Chinese,
    /// A page with unclosed and misnested tags.
    Broken,
}

/// One article.
#[derive(Debug, Clone)]
pub(super) struct Article {
    /// The name of the content file, by which other articles refer to it.
    pub(super) slug: &'static str,
    /// The path of its page.
    pub(super) path: String,
    /// The headline.
    pub(super) title: &'static str,
    /// The section that lists it, the first segment of its path.
    pub(super) section: &'static str,
    /// The day of publication, as in `2024-05-21`.
    pub(super) date: &'static str,
    /// Who wrote it.
    pub(super) author: &'static str,
    /// One sentence for lists.
    pub(super) teaser: &'static str,
    /// The words under the picture; no picture without them.
    pub(super) caption: Option<&'static str>,
    /// The slugs of related articles.
    pub(super) related: Vec<&'static str>,
    /// How the page is built.
    pub(super) layout: Layout,
    /// Whether the page is sent as GBK and calls itself `gb2312`.
    pub(super) gbk: bool,
    /// The text.
    pub(super) body: Vec<Block>,
    /// The readers' comments.
    pub(super) comments: Vec<Comment>,
}

/// A page about the newspaper itself.
#[derive(Debug, Clone)]
pub(super) struct Info {
    /// The path of the page.
    pub(super) path: &'static str,
    /// The heading.
    pub(super) title: &'static str,
    /// The text.
    pub(super) body: Vec<Block>,
}

/// Slugs and texts of the named files under `site/articles`.
macro_rules! article_files {
    ($($slug:literal),+ $(,)?) => { [$(($slug, include_str!(concat!("site/articles/", $slug, ".txt")))),+] };
}

/// Every article, newest first (and by slug within a day).
pub(super) fn articles() -> Vec<Article> {
    let files = article_files![
        "bakery-fire",
        "brass-band",
        "bus-shelters",
        "chess-club",
        "clock-tower",
        "cold-swimmers",
        "crab-quota",
        "dredger-returns",
        "ferry-timetable",
        "film-club",
        "fish-supper",
        "football-promotion",
        "harbour-plan",
        "hedgehog-crossing",
        "letters-from-the-ice",
        "library-roof",
        "lighthouse-lamp",
        "lost-buoy",
        "market-square",
        "museum-map",
        "poetry-bench",
        "regatta-result",
        "school-garden",
        "tide-gauge",
        "zh-book-shelf",
        "zh-bridge-lamps",
        "zh-dragon-boat",
        "zh-fish-market",
        "zh-night-school",
        "zh-noodle-shop",
        "zh-tea-house",
        "zh-typhoon",
    ];
    let mut articles: Vec<Article> = files.into_iter().map(|(slug, text)| parse_article(slug, text)).collect();
    articles.sort_by(|a, b| b.date.cmp(a.date).then(a.slug.cmp(b.slug)));
    articles
}

/// Every information page. The last is the staff's, which the robots file closes.
pub(super) fn infos() -> [Info; 4] {
    [
        include_str!("site/pages/about.txt"),
        include_str!("site/pages/contact.txt"),
        include_str!("site/pages/privacy.txt"),
        include_str!("site/pages/staff.txt"),
    ]
    .map(|text| {
        let (head, body) = text.split_once("\n---\n").unwrap_or((text, ""));
        Info { path: field(head, "path"), title: field(head, "title"), body: parse_blocks(body) }
    })
}

fn parse_article(slug: &'static str, text: &'static str) -> Article {
    let (head, rest) = text.split_once("\n---\n").unwrap_or((text, ""));
    let (body, comments) = rest.split_once("\n---\n").unwrap_or((rest, ""));
    let section = field(head, "section");
    let date = field(head, "date");
    let year = date.split('-').next().unwrap_or_default();
    let name = slug.strip_prefix("zh-").unwrap_or(slug);
    let layout = match (field(head, "template"), section) {
        ("broken", _) => Layout::Broken,
        (_, "zh") => Layout::Chinese,
        _ => Layout::News,
    };
    Article {
        slug,
        path: format!("/{section}/{year}/{name}.html"),
        title: field(head, "title"),
        section,
        date,
        author: field(head, "author"),
        teaser: field(head, "teaser"),
        caption: Some(field(head, "caption")).filter(|caption| !caption.is_empty()),
        related: field(head, "related").split(',').map(str::trim).filter(|slug| !slug.is_empty()).collect(),
        layout,
        gbk: field(head, "charset") == "gbk",
        body: parse_blocks(body),
        comments: comments.lines().filter_map(parse_comment).collect(),
    }
}

/// The value of the first `name: value` line, or nothing.
fn field(head: &'static str, name: &str) -> &'static str {
    head.lines()
        .filter_map(|line| line.split_once(": "))
        .find(|(key, _)| *key == name)
        .map_or("", |(_, value)| value.trim())
}

fn parse_comment(line: &'static str) -> Option<Comment> {
    let (name, rest) = line.split_once(" | ")?;
    let (time, text) = rest.split_once(" | ")?;
    Some(Comment { name, time, text })
}

fn parse_blocks(text: &'static str) -> Vec<Block> {
    text.split("\n\n").map(str::trim).filter(|block| !block.is_empty()).map(parse_block).collect()
}

fn parse_block(block: &'static str) -> Block {
    if let Some(heading) = block.strip_prefix("## ") {
        Block::Heading(heading)
    } else if let Some(quote) = block.strip_prefix("> ") {
        Block::Quote(quote)
    } else if block.starts_with("- ") {
        Block::Items(block.lines().filter_map(|line| line.strip_prefix("- ")).collect())
    } else {
        Block::Paragraph(block)
    }
}

/// A run of text, or a link.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Span<'a> {
    /// The words.
    pub(super) text: &'a str,
    /// Where they lead, if anywhere.
    pub(super) href: Option<&'a str>,
}

/// Cuts text into runs and links. A bracket that opens no link is text.
pub(super) fn spans(text: &str) -> Vec<Span<'_>> {
    let mut spans = Vec::new();
    let mut rest = text;
    while let Some((before, label, href, after)) = next_link(rest) {
        spans.push(Span { text: before, href: None });
        spans.push(Span { text: label, href: Some(href) });
        rest = after;
    }
    spans.push(Span { text: rest, href: None });
    spans
}

fn next_link(text: &str) -> Option<(&str, &str, &str, &str)> {
    let (before, rest) = text.split_once('[')?;
    let (label, rest) = rest.split_once("](")?;
    let (href, after) = rest.split_once(')')?;
    Some((before, label, href, after))
}

/// The text without its link markup.
fn plain(text: &str) -> String {
    spans(text).into_iter().map(|span| span.text).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_are_cut_out_of_text() {
        let cut = spans("See [the plan](/plan.pdf) now");
        assert_eq!(cut[1], Span { text: "the plan", href: Some("/plan.pdf") });
        assert_eq!(plain("See [the plan](/plan.pdf) now"), "See the plan now");
        assert_eq!(plain("a [bracket] alone"), "a [bracket] alone");
    }

    #[test]
    fn every_article_is_complete() {
        let articles = articles();
        for article in &articles {
            let fields = [article.title, article.section, article.date, article.author, article.teaser];
            assert!(fields.iter().all(|field| !field.is_empty()), "{} lacks a field: {fields:?}", article.slug);
            assert!(article.body.len() >= 4, "{} has {} blocks", article.slug, article.body.len());
            for related in &article.related {
                assert!(articles.iter().any(|other| other.slug == *related), "{}: no {related}", article.slug);
            }
        }
        assert_eq!(articles.iter().filter(|article| !article.comments.is_empty()).count(), 2);
        assert_eq!(articles.iter().filter(|article| article.gbk).count(), 1);
    }

    #[test]
    fn articles_have_the_length_of_newspaper_articles() {
        for article in articles() {
            let text: String = article.body.iter().flat_map(Block::texts).collect::<Vec<_>>().join(" ");
            if article.section == "zh" {
                let length = text.chars().count();
                assert!((200..=500).contains(&length), "{}: {length} characters", article.slug);
            } else {
                let length = text.split_whitespace().count();
                assert!((120..=400).contains(&length), "{}: {length} words", article.slug);
            }
        }
    }
}
