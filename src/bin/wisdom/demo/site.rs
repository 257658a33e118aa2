//! The demo site: a made-up newspaper, *The Harbour Lantern*, as routes and as the result expected of mining it.
//!
//! Beside ordinary pages the site has one case of each thing a crawl meets: a page that only the sitemap names, a
//! redirect, a page with broken HTML, a page sent as GBK under the name `gb2312`, an address that always fails, a link
//! to nothing, a link to another host, a file that is no HTML and a directory that the robots file closes.

use std::collections::BTreeSet;

use super::content::{Article, Block, Comment, Info, Layout, articles, infos};
use super::template::{blocks_broken_html, blocks_html, chinese_date, concat, english_date, escape, fill};

/// One answer of the demo server.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Route {
    /// The absolute path asked for, without a query.
    pub(crate) path: String,
    /// The HTTP status.
    pub(crate) status: u16,
    /// The headers, without `Content-Length` and `Date`, which the server adds.
    pub(crate) headers: Vec<(&'static str, String)>,
    /// The body, in the charset that the page declares.
    pub(crate) body: Vec<u8>,
}

/// What a reader would say a page consists of.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Expected {
    /// A page that is an article.
    Article {
        /// The path of the page.
        path: String,
        /// The headline.
        title: String,
        /// The text in order: headings, paragraphs, quotations and list items, without links' markup. Byline, caption,
        /// share bar, promotion, related links and comments are not part of it.
        paragraphs: Vec<String>,
    },
    /// A page that lists articles.
    List {
        /// The path of the page.
        path: String,
        /// The paths of the articles that it lists. Links of menus, sidebars and page numbers are not part of it.
        targets: BTreeSet<String>,
    },
}

impl Expected {
    /// The path of the page.
    pub(crate) fn path(&self) -> &str {
        match self {
            Self::Article { path, .. } | Self::List { path, .. } => path,
        }
    }
}

/// A section of the newspaper. Its path is `/<name>/`.
struct Section {
    name: &'static str,
    title: &'static str,
    intro: &'static str,
    /// Articles on one list page; more of them go to a second.
    page_size: usize,
}

const SECTIONS: [Section; 4] = [
    Section { name: "harbour", title: "Harbour", intro: "Boats, tides and whatever comes in with them.", page_size: 8 },
    Section {
        name: "town",
        title: "Town",
        intro: "Council, schools, streets and those who live in them.",
        page_size: 4,
    },
    Section { name: "sport", title: "Sport", intro: "On the water, on the grass and at the board.", page_size: 8 },
    Section { name: "culture", title: "Culture", intro: "Music, pictures, words and old things.", page_size: 8 },
];

/// The article that no list and no link names, only the sitemap.
const SITEMAP_ONLY: &str = "letters-from-the-ice";
/// The article at the top of the front page.
const LEAD: &str = "library-roof";
/// The articles of the sidebars, most read first.
const MOST_READ: [&str; 5] = ["football-promotion", "clock-tower", "library-roof", "lighthouse-lamp", "chess-club"];
const MOST_READ_CHINESE: [&str; 4] = ["zh-noodle-shop", "zh-typhoon", "zh-tea-house", "zh-fish-market"];
/// How many articles of a section the front page shows.
const FRONT_ITEMS: usize = 3;
/// The old address and the article it leads to.
const REDIRECT: (&str, &str) = ("/old-news/2019/late-ferry", "ferry-timetable");

const HTML_UTF8: &str = "text/html; charset=utf-8";

/// All routes of the site, as served under `base` (like `http://127.0.0.1:8000`, without a slash at the end).
/// Paths are unique and in a fixed order.
pub(crate) fn routes(base: &str) -> Vec<Route> {
    let articles = articles();
    let site = Site { base, articles: &articles };
    let mut routes = vec![page("/", site.front())];
    for list in lists(&articles) {
        routes.push(page(&list.path(), site.list(&list)));
    }
    routes.push(page("/zh/", site.chinese_list()));
    for article in &articles {
        routes.push(site.article(article));
    }
    let infos = infos();
    routes.extend(infos.iter().map(|info| page(info.path, site.info(info))));
    routes.extend(fixed_routes());
    if let Some(target) = site.find(REDIRECT.1) {
        let headers = vec![("content-type", HTML_UTF8.to_owned()), ("location", target.path.clone())];
        routes.push(Route { path: REDIRECT.0.to_owned(), status: 301, headers, body: Vec::new() });
    }
    let robots = format!("User-agent: *\nDisallow: /admin/\n\nSitemap: {base}/sitemap.xml\n");
    routes.push(file("/robots.txt", "text/plain; charset=utf-8", robots.into_bytes()));
    routes.push(file("/sitemap.xml", "application/xml", sitemap(base, &articles).into_bytes()));
    routes
}

/// What mining the site should find, for every article and every list page, in the order of [`routes`].
pub(crate) fn expected() -> Vec<Expected> {
    let articles = articles();
    let site = Site { base: "", articles: &articles };
    let paths = |items: &[&Article]| items.iter().map(|article| article.path.clone()).collect();
    let mut expected = vec![Expected::List { path: "/".to_owned(), targets: paths(&site.front_articles()) }];
    for list in lists(&articles) {
        expected.push(Expected::List { path: list.path(), targets: paths(&list.articles) });
    }
    expected.push(Expected::List { path: "/zh/".to_owned(), targets: paths(&in_section(&articles, "zh")) });
    expected.extend(articles.iter().map(|article| Expected::Article {
        path: article.path.clone(),
        title: article.title.to_owned(),
        paragraphs: article.body.iter().flat_map(Block::texts).collect(),
    }));
    expected
}

/// One page of a section's list.
struct List<'a> {
    section: &'static Section,
    articles: Vec<&'a Article>,
    /// The page's number, from 1.
    number: usize,
    /// How many pages the list has.
    count: usize,
}

impl List<'_> {
    fn path(&self) -> String {
        list_path(self.section, self.number)
    }
}

fn list_path(section: &Section, number: usize) -> String {
    if number == 1 { format!("/{}/", section.name) } else { format!("/{}/page/{number}/", section.name) }
}

/// Every list page of the English sections.
fn lists(articles: &[Article]) -> Vec<List<'_>> {
    let mut lists = Vec::new();
    for section in &SECTIONS {
        let listed = in_section(articles, section.name);
        let pages: Vec<_> = listed.chunks(section.page_size).collect();
        for (index, chunk) in pages.iter().enumerate() {
            lists.push(List { section, articles: chunk.to_vec(), number: index + 1, count: pages.len() });
        }
    }
    lists
}

/// The articles that lists show of a section, newest first.
fn in_section<'a>(articles: &'a [Article], name: &str) -> Vec<&'a Article> {
    articles.iter().filter(|article| article.section == name && article.slug != SITEMAP_ONLY).collect()
}

/// What every page is built from.
struct Site<'a> {
    base: &'a str,
    articles: &'a [Article],
}

impl Site<'_> {
    fn find(&self, slug: &str) -> Option<&Article> {
        self.articles.iter().find(|article| article.slug == slug)
    }

    /// The articles that the front page names, the lead first.
    fn front_articles(&self) -> Vec<&Article> {
        let mut shown: Vec<&Article> = self.find(LEAD).into_iter().collect();
        for name in SECTIONS.iter().map(|section| section.name).chain(["zh"]) {
            shown.extend(self.front_group(name));
        }
        shown
    }

    fn front_group(&self, section: &str) -> Vec<&Article> {
        in_section(self.articles, section)
            .into_iter()
            .filter(|article| article.slug != LEAD)
            .take(FRONT_ITEMS)
            .collect()
    }

    fn front(&self) -> String {
        let group = |name: &str, title: &str, all: &str| {
            let items = concat(self.front_group(name), link_item);
            let values = [("section", name), ("section_name", title), ("items", items.as_str()), ("all", all)];
            fill(include_str!("site/templates/group.html"), &values)
        };
        let mut groups = concat(&SECTIONS, |section| group(section.name, section.title, "All stories"));
        groups.push_str(&group("zh", "中文", "全部新闻"));
        let main = self.find(LEAD).map_or_else(String::new, |lead| {
            let values = [
                ("lead_slug", lead.slug),
                ("lead_path", lead.path.as_str()),
                ("lead_title", &escape(lead.title)),
                ("lead_teaser", &escape(lead.teaser)),
                ("groups", &groups),
            ];
            fill(include_str!("site/templates/front.html"), &values)
        });
        self.shell("/", "Front page", "News from a town that is not on the map", "front", &main)
    }

    fn list(&self, list: &List<'_>) -> String {
        let cards = concat(&list.articles, |article| card(include_str!("site/templates/card.html"), article));
        let links = concat(1..=list.count, |number| {
            if number == list.number {
                format!("<span class=\"here\">{number}</span> ")
            } else {
                format!("<a href=\"{}\">{number}</a> ", list_path(list.section, number))
            }
        });
        let pager =
            if list.count > 1 { format!("      <nav class=\"pager\">Pages {links}</nav>") } else { String::new() };
        let section = list.section;
        let values = [("title", section.title), ("intro", section.intro), ("cards", &cards), ("pager", &pager)];
        let main = fill(include_str!("site/templates/list.html"), &values);
        self.shell(&list.path(), section.title, section.intro, "list", &main)
    }

    fn info(&self, info: &Info) -> String {
        let title = escape(info.title);
        let body = blocks_html(&info.body, "");
        let main = fill(include_str!("site/templates/info.html"), &[("title", &title), ("body", &body)]);
        self.shell(info.path, info.title, info.title, "info", &main)
    }

    fn article(&self, article: &Article) -> Route {
        match article.layout {
            Layout::News => page(&article.path, self.news(article)),
            Layout::Broken => page(&article.path, broken(article)),
            Layout::Chinese => self.chinese(article),
        }
    }

    fn news(&self, article: &Article) -> String {
        let section = SECTIONS.iter().find(|section| section.name == article.section);
        let related = concat(article.related.iter().filter_map(|slug| self.find(slug)), |other| {
            let (title, teaser) = (escape(other.title), escape(other.teaser));
            format!("<div class=\"also\"><h3><a href=\"{}\">{title}</a></h3><p>{teaser}</p></div>\n", other.path)
        });
        let values = [
            ("section", article.section),
            ("section_name", section.map_or(article.section, |section| section.title)),
            ("base", self.base),
            ("path", &article.path),
            ("slug", article.slug),
            ("title", &escape(article.title)),
            ("author", &escape(article.author)),
            ("date", article.date),
            ("date_text", &english_date(article.date)),
            ("figure", &figure(include_str!("site/templates/figure.html"), article)),
            ("body", &blocks_html(&article.body, include_str!("site/templates/promo.html"))),
            ("related", &related),
            ("comments", &comments_html(&article.comments)),
        ];
        let main = fill(include_str!("site/templates/news.html"), &values);
        self.shell(&article.path, article.title, article.teaser, "story-page", &main)
    }

    /// The English page around `main`.
    fn shell(&self, path: &str, title: &str, description: &str, class: &str, main: &str) -> String {
        let values = [
            ("base", self.base),
            ("path", path),
            ("title", &escape(title)),
            ("description", &escape(description)),
            ("class", class),
            ("main", main),
            ("most_read", &self.links(&MOST_READ)),
        ];
        fill(include_str!("site/templates/shell.html"), &values)
    }

    fn chinese(&self, article: &Article) -> Route {
        let title = escape(article.title);
        let values = [
            ("title", title.as_str()),
            ("date_text", &chinese_date(article.date)),
            ("author", &escape(article.author)),
            ("figure", &figure(include_str!("site/templates/zh-figure.html"), article)),
            ("body", &blocks_html(&article.body, include_str!("site/templates/promo-zh.html"))),
            ("related", &self.links(&article.related)),
        ];
        let main = fill(include_str!("site/templates/zh-article.html"), &values);
        if !article.gbk {
            return page(&article.path, self.chinese_shell("utf-8", article.title, &main));
        }
        // The header names no charset and the page names a smaller one than it uses, as old sites do.
        let html = self.chinese_shell("gb2312", article.title, &main);
        let (bytes, _, _) = encoding_rs::GBK.encode(&html);
        file(&article.path, "text/html", bytes.into_owned())
    }

    fn chinese_list(&self) -> String {
        let template = include_str!("site/templates/zh-card.html");
        let cards = concat(in_section(self.articles, "zh"), |article| card(template, article));
        let main = fill(include_str!("site/templates/zh-list.html"), &[("cards", &cards)]);
        self.chinese_shell("utf-8", "中文新闻", &main)
    }

    /// The Chinese page around `main`.
    fn chinese_shell(&self, charset: &str, title: &str, main: &str) -> String {
        let values = [
            ("charset", charset),
            ("title", &escape(title)),
            ("main", main),
            ("most_read", &self.links(&MOST_READ_CHINESE)),
        ];
        fill(include_str!("site/templates/zh.html"), &values)
    }

    /// List items that link the named articles.
    fn links(&self, slugs: &[&str]) -> String {
        concat(slugs.iter().filter_map(|slug| self.find(slug)), link_item)
    }
}

fn link_item(article: &Article) -> String {
    format!("<li><a href=\"{}\">{}</a></li>\n", article.path, escape(article.title))
}

fn broken(article: &Article) -> String {
    let promotion =
        "<div><b>Know your tides!<p>The pilots' almanac is sold at <a href=/contact.html>the office</b></a>\n";
    let title = escape(article.title);
    let values = [
        ("title", title.as_str()),
        ("description", &escape(article.teaser)),
        ("author", &escape(article.author)),
        ("date_text", &english_date(article.date)),
        ("body", &blocks_broken_html(&article.body, promotion)),
    ];
    fill(include_str!("site/templates/broken.html"), &values)
}

fn card(template: &str, article: &Article) -> String {
    let date_text = if article.section == "zh" { chinese_date(article.date) } else { english_date(article.date) };
    let values = [
        ("path", article.path.as_str()),
        ("title", &escape(article.title)),
        ("date", article.date),
        ("date_text", &date_text),
        ("teaser", &escape(article.teaser)),
    ];
    fill(template, &values)
}

fn figure(template: &str, article: &Article) -> String {
    article
        .caption
        .map_or_else(String::new, |caption| fill(template, &[("slug", article.slug), ("caption", &escape(caption))]))
}

fn comments_html(comments: &[Comment]) -> String {
    if comments.is_empty() {
        return String::new();
    }
    let items = concat(comments, |comment| {
        let (name, text) = (escape(comment.name), escape(comment.text));
        format!("<li class=\"comment\"><b>{name}</b> <span>{}</span><p>{text}</p></li>\n", comment.time)
    });
    format!("<section class=\"comments\">\n<h2>What readers say</h2>\n<ol>\n{items}</ol>\n</section>")
}

fn page(path: &str, html: String) -> Route {
    file(path, HTML_UTF8, html.into_bytes())
}

fn file(path: &str, content_type: &str, body: Vec<u8>) -> Route {
    Route { path: path.to_owned(), status: 200, headers: vec![("content-type", content_type.to_owned())], body }
}

/// The routes that are no pages, and the page that always fails.
fn fixed_routes() -> Vec<Route> {
    // Enough of a PDF to be taken for one: the header, bytes that are no text, the trailer.
    let pdf =
        b"%PDF-1.4\n%\xE2\xE3\xCF\xD3\n1 0 obj\n<< /Type /Catalog >>\nendobj\ntrailer\n<< /Root 1 0 R >>\n%%EOF\n";
    let mut failing = page("/status/tides-live", include_str!("site/templates/failing.html").to_owned());
    failing.status = 500;
    vec![
        file("/style.css", "text/css; charset=utf-8", include_bytes!("site/templates/style.css").to_vec()),
        file("/files/harbour-plan.pdf", "application/pdf", pdf.to_vec()),
        failing,
    ]
}

/// The sitemap: the front page, the lists and every article.
fn sitemap(base: &str, articles: &[Article]) -> String {
    let lists = lists(articles);
    let listing = ["/".to_owned(), "/zh/".to_owned()].into_iter().chain(lists.iter().map(List::path));
    let entries = concat(listing, |path| format!("<url><loc>{base}{path}</loc></url>\n"))
        + &concat(articles, |article| {
            format!("<url><loc>{base}{}</loc><lastmod>{}</lastmod></url>\n", article.path, article.date)
        });
    format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n\
         <urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\">\n{entries}</urlset>\n"
    )
}

#[cfg(test)]
#[path = "site_tests.rs"]
mod tests;
