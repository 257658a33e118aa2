//! How fast each stage turns pages over: decode, parse, terms, learn, mine; in MB/s of HTML and as ratios to parsing.
//!
//! `cargo bench --bench stages`. Pages are made in memory, always the same ones, so that nothing but the code changes
//! between two runs. Absolute numbers are one machine's; the ratios to parsing travel. A plain `main` and the median of
//! five rounds: what a change of a few per cent is worth is told by `scripts/bench-crawl` on a whole crawl.
#![allow(clippy::print_stdout, reason = "the numbers are what a benchmark is for")]

mod median;

use median::median;
use std::collections::{BTreeMap, HashMap};
use std::fmt::Write as _;
use std::hint::black_box;
use std::time::Duration;

use url::Url;
use wisdom::blocks::{Anchor, Params, page_structure};
use wisdom::dom::{Dom, Link, LinkKind, decode, links, tag_path};
use wisdom::entropy::{Stat, entropy};
use wisdom::page::Page;
use wisdom::pipeline::learn;
use wisdom::terms::{PageTerms, TermOptions, page_terms};

const ROUNDS: usize = 5;
const ARTICLES: usize = 360;
const PER_LIST: usize = 40;

fn main() {
    // `cargo bench` passes --bench; `cargo test --benches` and `cargo bench -- --test` want to see that it runs.
    let is_trial = !std::env::args().any(|arg| arg == "--bench") || std::env::args().any(|arg| arg == "--test");
    let (articles, rounds) = if is_trial { (9, 1) } else { (ARTICLES, ROUNDS) };
    let options = TermOptions::default();
    // The dictionary of Chinese words is read once in a run, not once a page.
    black_box(page_terms(&Dom::parse("<html lang=zh><p>灯塔的看守人每天晚上点亮灯火。"), &options));
    for (language, speech) in [("English", Speech::English), ("Chinese", Speech::Chinese)] {
        let pages = site(speech, articles);
        let times = measure(&pages, &options, rounds);
        #[allow(clippy::cast_precision_loss, reason = "a few megabytes")]
        let megabytes = pages.iter().map(|page| page.body.len()).sum::<usize>() as f64 / 1e6;
        println!("{language}: {} pages, {megabytes:.1} MB, median of {rounds}", pages.len());
        println!("  stage             MB/s  time of parse");
        let parse = times.iter().find(|(stage, _)| *stage == "parse").map_or(f64::NAN, |(_, time)| time.as_secs_f64());
        for (stage, time) in &times {
            let seconds = time.as_secs_f64();
            println!("  {stage:15} {:6.1}  {:13.2}", megabytes / seconds, seconds / parse);
        }
    }
}

/// The median time of each stage over all pages. A stage gets what the ones before it made, and only its own work counts.
fn measure(pages: &[Page], options: &TermOptions, rounds: usize) -> Vec<(&'static str, Duration)> {
    let texts: Vec<String> = pages.iter().map(|page| decode(&page.body, None).text.into_owned()).collect();
    let doms: Vec<Dom> = texts.iter().map(|text| Dom::parse(text)).collect();
    let model = Model::of(pages, &doms, options);
    let known: Vec<Known<'_>> = (0..pages.len()).map(|at| model.known(at)).collect();
    vec![
        ("decode", median(rounds, || pages.iter().for_each(|page| drop(black_box(decode(&page.body, None)))))),
        ("parse", median(rounds, || texts.iter().for_each(|text| drop(black_box(Dom::parse(text)))))),
        ("terms", median(rounds, || doms.iter().for_each(|dom| drop(black_box(page_terms(dom, options)))))),
        // Terms again, and with them chunks, links and anchors: all that a page adds to the model, but for the store.
        (
            "learn",
            median(rounds, || {
                for (page, dom) in pages.iter().zip(&doms) {
                    black_box(learn(page, dom, "utf-8", options));
                }
            }),
        ),
        (
            "page_structure",
            median(rounds, || {
                for ((dom, terms), known) in doms.iter().zip(&model.terms).zip(&known) {
                    let Known { ids, entropies, anchors } = known;
                    black_box(page_structure(dom, terms, ids, entropies, anchors, &Params::WISDOM));
                }
            }),
        ),
    ]
}

/// What the store would hold of the site, in memory.
struct Model {
    terms: Vec<PageTerms>,
    links: Vec<Vec<Link>>,
    ids: HashMap<Box<str>, u32>,
    stats: Vec<Stat>,
    /// Sorted term ids of each page, by its URL.
    vectors: HashMap<String, Vec<u32>>,
    /// By page and link, the entropy of the anchor.
    link_entropies: Vec<Vec<f64>>,
}

/// What mining asks the model for about one page.
struct Known<'a> {
    ids: Vec<Option<u32>>,
    entropies: Vec<f64>,
    anchors: Vec<Anchor<'a>>,
}

impl Model {
    fn of(pages: &[Page], doms: &[Dom], options: &TermOptions) -> Self {
        let terms: Vec<PageTerms> = doms.iter().map(|dom| page_terms(dom, options)).collect();
        let mut ids: HashMap<Box<str>, u32> = HashMap::new();
        let mut stats: Vec<Stat> = Vec::new();
        let mut vectors = HashMap::new();
        for (page, terms) in pages.iter().zip(&terms) {
            let mut counts = vec![0; terms.terms.len()];
            terms.occurrences.iter().for_each(|o| counts[o.term as usize] += 1);
            let mut vector = Vec::with_capacity(counts.len());
            for (term, count) in terms.terms.iter().zip(counts) {
                let id = *ids.entry(term.clone()).or_insert_with(|| {
                    stats.push(Stat::default());
                    u32::try_from(stats.len() - 1).unwrap_or(u32::MAX)
                });
                stats[id as usize].add(count);
                vector.push(id);
            }
            vector.sort_unstable();
            vectors.insert(page.url.clone(), vector);
        }
        let links: Vec<Vec<Link>> = pages.iter().zip(doms).map(|(page, dom)| visible_links(page, dom)).collect();
        let mut anchors: HashMap<(String, String), Stat> = HashMap::new();
        let key = |dom: &Dom, link: &Link| (link.url.to_string(), tag_path(dom, link.node));
        for (dom, links) in doms.iter().zip(&links) {
            let mut counts: BTreeMap<_, u32> = BTreeMap::new();
            for link in links {
                *counts.entry(key(dom, link)).or_default() += 1;
            }
            for (key, count) in counts {
                anchors.entry(key).or_default().add(count);
            }
        }
        let entropy_of = |dom: &Dom, link: &Link| entropy(&anchors[&key(dom, link)], pages.len() as u64);
        let link_entropies = doms
            .iter()
            .zip(&links)
            .map(|(dom, links)| links.iter().map(|link| entropy_of(dom, link)).collect())
            .collect();
        Self { terms, links, ids, stats, vectors, link_entropies }
    }

    fn known(&self, at: usize) -> Known<'_> {
        let ids: Vec<Option<u32>> = self.terms[at].terms.iter().map(|term| self.ids.get(term).copied()).collect();
        let n = self.vectors.len() as u64;
        let entropies = ids.iter().map(|id| id.map_or(0.0, |id| entropy(&self.stats[id as usize], n))).collect();
        let anchors = self.links[at]
            .iter()
            .zip(&self.link_entropies[at])
            .map(|(link, &entropy)| {
                let linked = self.vectors.get(link.url.as_str()).map(Vec::as_slice);
                Anchor { node: link.node, linked, entropy }
            })
            .collect();
        Known { ids, entropies, anchors }
    }
}

fn visible_links(page: &Page, dom: &Dom) -> Vec<Link> {
    let Ok(url) = Url::parse(&page.url) else { return Vec::new() };
    let mut links = links(dom, &url).links;
    links.retain(|link| link.kind == LinkKind::A && !dom.is_hidden(link.node));
    links
}

#[derive(Clone, Copy)]
enum Speech {
    English,
    Chinese,
}

/// A source of numbers that is the same everywhere (`SplitMix64`).
struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        ((z ^ (z >> 31)) % sides.max(1) as u64).try_into().unwrap_or(0)
    }

    /// A rank under `below`, small ones far more often, as with words.
    fn rank(&mut self, below: usize) -> usize {
        let reach = self.roll(below) + 1;
        let reach = self.roll(reach) + 1;
        self.roll(reach)
    }
}

const ENGLISH: &[&str] = &[
    "lamp", "harbour", "keeper", "storm", "engine", "market", "signal", "valley", "record", "council", "garden",
    "bridge", "winter", "letter", "number", "station", "water", "measure", "river", "village", "report", "school",
    "winding", "paper",
];
const ENDINGS: &[&str] = &["", "s", "ed", "ing", "ly", "ness", "ful", "er", "ism", "ation"];
const LITTLE: &[&str] = &["the", "of", "and", "to", "in", "a", "that", "was", "for", "with", "on", "it"];
const CHINESE: &[&str] = &[
    "灯塔",
    "港口",
    "看守",
    "风暴",
    "发动机",
    "市场",
    "信号",
    "山谷",
    "记录",
    "委员会",
    "花园",
    "桥梁",
    "冬天",
    "信件",
    "数字",
    "车站",
    "河流",
    "村庄",
    "报告",
    "学校",
    "纸张",
    "研究",
    "历史",
    "人民",
    "经济",
    "文化",
    "技术",
    "社会",
    "问题",
    "发展",
    "的",
    "了",
    "在",
    "和",
    "是",
    "每天",
    "我们",
    "他们",
    "可以",
    "因为",
    "所以",
    "但是",
];

/// A sentence of the language, from some ten thousand different words in English.
fn sentence(speech: Speech, dice: &mut Dice) -> String {
    let mut text = String::new();
    let words = 8 + dice.roll(16);
    for at in 0..words {
        match speech {
            Speech::English => {
                if at > 0 {
                    text.push(' ');
                }
                if dice.roll(5) < 2 {
                    let _ = write!(text, "{} ", LITTLE[dice.rank(LITTLE.len())]);
                }
                // Two halves make many words out of few.
                let rank = dice.rank(ENGLISH.len() * ENGLISH.len() * ENDINGS.len());
                let (ending, pair) = (rank % ENDINGS.len(), rank / ENDINGS.len());
                if pair >= ENGLISH.len() {
                    text.push_str(ENGLISH[pair / ENGLISH.len()]);
                }
                text.push_str(ENGLISH[pair % ENGLISH.len()]);
                text.push_str(ENDINGS[ending]);
            }
            Speech::Chinese => text.push_str(CHINESE[dice.rank(CHINESE.len())]),
        }
    }
    text.push_str(match speech {
        Speech::English => ". ",
        Speech::Chinese => "。",
    });
    text
}

/// A site of articles and lists of them, with menus, sidebars and footers.
fn site(speech: Speech, articles: usize) -> Vec<Page> {
    let mut dice = Dice(2005);
    let titles: Vec<String> = (0..articles).map(|_| sentence(speech, &mut dice)).collect();
    let item = |at: usize| format!("<li><a href=\"/a{at}.html\">{}</a></li>", titles[at]);
    let lists = articles.div_ceil(PER_LIST);
    let menu = (0..lists).fold(String::new(), |mut menu, at| {
        let _ = write!(menu, "<li><a href=\"/list{at}.html\">{}</a></li>", titles[at]);
        menu
    });
    let recent: String = (0..articles.min(12)).map(item).collect();
    let lang = match speech {
        Speech::English => "en",
        Speech::Chinese => "zh",
    };
    let page = |path: String, title: &str, body: &str| Page {
        url: format!("http://bench.example/{path}"),
        status: 200,
        headers: vec![],
        body: format!(
            "<!DOCTYPE html><html lang={lang}><head><meta charset=utf-8><title>{title}</title></head><body>\
             <nav class=menu><ul>{menu}</ul></nav><div id=main>{body}</div>\
             <aside class=side><h2>{0}</h2><ul>{recent}</ul></aside><footer><p>{0}</p></footer></body></html>",
            titles[0]
        )
        .into_bytes(),
        depth: 1,
        fetched_at: 0,
    };
    let mut pages = Vec::new();
    for (at, title) in titles.iter().enumerate() {
        let mut body = format!("<article><h1>{title}</h1><div class=\"text body\">");
        for _ in 0..5 + dice.roll(12) {
            body.push_str("<p>");
            (0..3 + dice.roll(4)).for_each(|_| body.push_str(&sentence(speech, &mut dice)));
            body.push_str("</p>\n");
        }
        let near: String = (0..6).map(|_| item(dice.roll(articles))).collect();
        let _ = write!(body, "</div></article><div class=related><ul>{near}</ul></div>");
        pages.push(page(format!("a{at}.html"), title, &body));
    }
    for list in 0..lists {
        let mut body = String::from("<ul class=list>");
        for at in (list * PER_LIST..articles).take(PER_LIST) {
            let teaser = sentence(speech, &mut dice);
            let _ = write!(body, "<li><h3><a href=\"/a{at}.html\">{}</a></h3><p>{teaser}</p></li>", titles[at]);
        }
        body.push_str("</ul>");
        pages.push(page(format!("list{list}.html"), &titles[list], &body));
    }
    pages
}
