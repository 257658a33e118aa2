//! Writing and searching together.

use super::*;
use crate::export::search_index::{Hits, QueryOptions, SearchIndex};
use crate::export::{Article, Toc, TocEntry};
use std::path::PathBuf;

fn page(url: &str, lang: &str, title: &str, text: &str, links: &[&str]) -> Document {
    Document {
        id: url.to_owned(),
        url: format!("https://example.org/{url}"),
        final_url: format!("https://example.org/{url}"),
        site: "example.org".to_owned(),
        fetched_at: "2024-05-01T00:00:00Z".to_owned(),
        status: 200,
        depth: 0,
        title: title.to_owned(),
        lang: lang.to_owned(),
        charset: "UTF-8".to_owned(),
        page_type: "article".to_owned(),
        text: text.to_owned(),
        article: (!text.is_empty()).then(|| Article {
            text: text.to_owned(),
            html: String::new(),
            markdown: String::new(),
            title: title.to_owned(),
            date: Some("2024-05-01".to_owned()),
            author: None,
        }),
        toc: (!links.is_empty()).then(|| Toc {
            links: links
                .iter()
                .map(|text| TocEntry { url: url.to_owned(), text: (*text).to_owned(), score: 1.0 })
                .collect(),
        }),
        blocks: Vec::new(),
        records: Vec::new(),
        duplicate_of: None,
        method: "auto".to_owned(),
        warnings: Vec::new(),
        lines: Vec::new(),
    }
}

/// A folder for an index.
struct Folder {
    root: tempfile::TempDir,
}

impl Folder {
    fn new() -> Self {
        Self { root: tempfile::tempdir().expect("a folder for temporary files") }
    }

    fn dir(&self) -> PathBuf {
        self.root.path().join("index")
    }

    fn with(pages: &[Document]) -> Self {
        let folder = Self::new();
        fill(SearchIndexSink::create(&folder.dir()).expect("a new index"), pages);
        folder
    }

    fn hits(&self, query: &str, lang: &str) -> Hits {
        let index = SearchIndex::open(&self.dir()).expect("an index");
        index.check().expect("a sound index");
        let lang = Some(Language::from_tag(lang)).filter(|lang| !lang.is_unknown());
        index.search(query, 10, QueryOptions { lang }).expect("a search")
    }

    fn found(&self, query: &str) -> Vec<String> {
        let url = |url: &str| url.trim_start_matches("https://example.org/").to_owned();
        self.hits(query, "").best.iter().map(|hit| url(&hit.url)).collect()
    }
}

fn fill(mut sink: SearchIndexSink, pages: &[Document]) {
    for page in pages {
        sink.add(page, 1_714_521_600).expect("room");
    }
    sink.complete().expect("room");
}

#[test]
fn pages_are_found_by_the_words_of_their_language() {
    let folder = Folder::with(&[
        page("en", "en", "The lamp of Gull Point", "The keepers kept the lamps burning in the café.", &[]),
        page("de", "de", "Der Leuchtturm", "Die Wärter der Häuser zündeten Lampen an.", &[]),
        page("ru", "ru", "Маяк", "Смотрители маяков каждый вечер зажигали лампы.", &[]),
        page("zh", "zh", "灯塔", "灯塔的守护人在國家圖書館里读书，李小明也在。", &[]),
        page("ja", "ja", "灯台", "灯台守は毎晩東京大学の猫を見ていた。", &[]),
        page("ko", "ko", "등대", "등대지기는 매일 저녁 계단을 올라갔다.", &[]),
        page("th", "th", "ประภาคาร", "ผู้ดูแลประภาคารขึ้นบันไดทุกเย็น", &[]),
        page("pl", "pl", "Latarnia", "Latarnik z Łodzi zapalał lampę.", &[]),
        page("ar", "ar", "المنارة", "كان حارس المنارة يصعد الدرج كل مساء.", &[]),
        page("none", "", "", "Qwerty 12345", &[]),
    ]);
    for (query, wanted) in [
        ("keeper", "en"),
        ("cafe lamp", "en"),
        ("haus", "de"),
        ("warter", "de"),
        ("маяк", "ru ru"),
        ("国家图书馆", "zh"),
        ("图书馆", "zh"),
        ("李小明", "zh"),
        ("猫", "ja"),
        ("東京大学", "ja"),
        ("등대", "ko"),
        ("계단", "ko"),
        ("ประภาคาร", "th"),
        ("lodzi", "pl"),
        ("حارس", "ar"),
        ("qwerty", "none"),
        ("12345", "none"),
        ("\"lamps burning\"", "en"),
        ("\"burning lamps\"", ""),
        ("keeper harbour", ""),
        ("lamp -café", "de"),
        ("灯塔 -守护人", ""),
    ] {
        let found = folder.found(query);
        assert_eq!(found, wanted.split_whitespace().take(1).collect::<Vec<_>>(), "{query}");
    }
    assert_eq!(folder.hits("lampen", "de").best.len(), 1);
    assert_eq!(folder.hits("lampen", "en").best.len(), 0);
    assert!(matches!(
        SearchIndex::open(&folder.dir()).expect("an index").search(" … ", 10, QueryOptions::default()),
        Err(SearchError::NoWords)
    ));
}

#[test]
fn titles_count_more_than_texts_and_these_more_than_links() {
    let folder = Folder::with(&[
        page("links", "en", "News", "", &["The ferry sinks", "Other things"]),
        page("text", "en", "News", "The ferry sinks today", &[]),
        page("title", "en", "Ferry", "It sinks today at sea", &[]),
    ]);
    assert_eq!(folder.found("ferry"), ["title", "text", "links"]);
    let links = folder.hits("other", "").best;
    assert_eq!(
        links[0].snippet.iter().filter(|piece| piece.hit).map(|piece| &*piece.text).collect::<String>(),
        "Other"
    );
}

#[test]
fn pages_that_say_the_same_are_shown_once() {
    let mut pages: Vec<Document> =
        (0..60).map(|at| page(&format!("copy{at:02}"), "en", "Lamp", "The lamp is lit", &[])).collect();
    for copy in &mut pages {
        copy.duplicate_of = Some("https://example.org/original".to_owned());
    }
    pages.push(page("original", "en", "Lamp", "The lamp is lit", &[]));
    pages.push(page(
        "other",
        "en",
        "",
        "A lamp among very many words of all kinds, which makes it count for less",
        &[],
    ));
    let hits = Folder::with(&pages).hits("lamp", "");
    assert_eq!(hits.matches, 62);
    assert_eq!(hits.best.len(), 2);
    assert_eq!(hits.best[0].copies.len(), 60);
    assert_eq!(hits.best[1].url, "https://example.org/other");
    // Also where the original was filtered out.
    assert_eq!(Folder::with(&pages[..3]).hits("lamp", "").best.len(), 1);
}

#[test]
fn an_index_takes_changes_at_once_or_not_at_all() {
    let folder = Folder::with(&[page("a", "en", "", "old words", &[]), page("b", "en", "", "words that stay", &[])]);
    let begin = || SearchIndexSink::update(&folder.dir()).expect("an index");
    let mut lost = begin();
    lost.add(&page("a", "en", "", "new words", &[]), 0).expect("room");
    lost.remove("b", "").expect("room");
    assert!(matches!(SearchIndexSink::update(&folder.dir()), Err(ExportError::Unsuited(_))), "one writer at a time");
    drop(lost);
    assert_eq!(folder.found("words"), ["a", "b"]);
    assert_eq!(folder.found("new"), [""; 0]);
    let mut changes = begin();
    changes.add(&page("a", "en", "", "new words", &[]), 0).expect("room");
    changes.remove("b", "").expect("room");
    changes.remove("never there", "").expect("room");
    let summary = changes.complete().expect("room");
    assert_eq!((summary.written, summary.removed), (1, 2));
    assert_eq!(folder.found("words"), ["a"]);
    assert_eq!(folder.found("old"), [""; 0]);
    // The same changes again change nothing.
    fill(begin(), &[page("a", "en", "", "new words", &[])]);
    assert_eq!(folder.hits("words", "").matches, 1);
    assert!(matches!(SearchIndexSink::update(folder.root.path()), Err(ExportError::Unsuited(_))));
}

#[test]
fn an_index_appears_when_it_is_complete() {
    let folder = Folder::new();
    let mut sink = SearchIndexSink::create(&folder.dir()).expect("a new index");
    sink.add(&page("a", "en", "", "words", &[]), 0).expect("room");
    drop(sink);
    assert_eq!(fs::read_dir(folder.root.path()).expect("a folder").count(), 0, "nothing is left");
    assert!(matches!(SearchIndex::open(&folder.dir()), Err(SearchError::NoIndex { .. })));
    fill(SearchIndexSink::create(&folder.dir()).expect("a new index"), &[]);
    assert_eq!(folder.hits("words", "").matches, 0);
    fill(SearchIndexSink::create(&folder.dir()).expect("its place"), &[page("a", "en", "", "words", &[])]);
    assert_eq!(folder.found("words"), ["a"]);
}

#[test]
fn hostile_documents_are_indexed() {
    let long = "x".repeat(70_000);
    let large = "the lamp and the sea ".repeat(500_000);
    let folder = Folder::with(&[
        page("empty", "", "", "", &[]),
        page("nul", "en", "a\0b", "c\0d \u{1b}[31m red", &["\0", ""]),
        page("long", "en", &long, &format!("{long} tail"), &[]),
        page("large", "en", "", &large, &[]),
        page("rtl", "he", "\u{202e}שלום", "שלום עולם \u{202e}abc", &[]),
        page("odd", "xxxx-not-a-code", "", "odd\u{fffd}\u{ffff} words 𠮷野家 👩‍👩‍👧", &[]),
        page(&"u/".repeat(2000), "en", "", "far away", &[]),
    ]);
    for (query, wanted) in
        [("red", "nul"), ("tail", "long"), (&*long, "long"), ("sea", "large"), ("שלום", "rtl"), ("野家", "odd")]
    {
        assert_eq!(folder.found(query), [wanted], "{}", &query[..query.len().min(20)]);
    }
    assert_eq!(folder.hits("far", "").matches, 1);
    assert!(folder.hits("sea", "").best[0].snippet.iter().map(|piece| piece.text.len()).sum::<usize>() < 400);
}

#[test]
fn the_same_documents_give_the_same_hits() {
    let pages: Vec<Document> = (0..300)
        .map(|at| page(&format!("{at:03}"), "en", "", &format!("lamp {}", "sea ".repeat(at % 7)), &[]))
        .collect();
    let backwards: Vec<Document> = pages.iter().rev().cloned().collect();
    let (one, other) = (Folder::with(&pages).hits("lamp sea", ""), Folder::with(&backwards).hits("lamp sea", ""));
    assert_eq!(one, other);
    assert!(one.best.windows(2).all(|pair| (pair[0].score, &pair[1].url) >= (pair[1].score, &pair[0].url)));
}

#[test]
fn damage_and_foreign_folders_are_told() {
    let folder = Folder::with(&[page("a", "en", "", "some words", &[])]);
    let open = || SearchIndex::open(&folder.dir()).and_then(|index| index.check());
    let files: Vec<PathBuf> =
        fs::read_dir(folder.dir()).expect("a folder").map(|file| file.expect("a file").path()).collect();
    let segments = files
        .iter()
        .filter(|file| file.extension().is_some_and(|e| ["idx", "term", "store", "pos"].iter().any(|x| e == *x)));
    let mut tried = 0;
    for file in segments {
        let whole = fs::read(file).expect("a file");
        let mut flipped = whole.clone();
        flipped[0] ^= 1;
        for damaged in [flipped, whole[..whole.len() / 2].to_vec(), Vec::new()] {
            fs::write(file, damaged).expect("a file");
            assert!(matches!(open(), Err(SearchError::Damaged { .. })), "{}", file.display());
            tried += 1;
        }
        fs::remove_file(file).expect("a file");
        assert!(open().is_err());
        fs::write(file, whole).expect("a file");
    }
    assert!(tried >= 12);
    open().expect("as it was");
    fs::write(folder.dir().join("meta.json"), "{").expect("a file");
    assert!(matches!(open(), Err(SearchError::Damaged { .. })));
    let foreign = Folder::new();
    fs::create_dir(foreign.dir()).expect("a folder");
    let mut schema = tantivy::schema::Schema::builder();
    schema.add_text_field("other", tantivy::schema::TEXT);
    Index::create_in_dir(foreign.dir(), schema.build()).expect("an index");
    assert!(matches!(SearchIndex::open(&foreign.dir()), Err(SearchError::Foreign { .. })));
    assert!(matches!(SearchIndexSink::create(&foreign.dir()), Err(ExportError::NotOurs { .. })));
}

#[cfg(unix)]
#[test]
fn who_may_read_the_segments_may_read_their_list() {
    use std::os::unix::fs::PermissionsExt;
    let folder = Folder::with(&[page("1", "en", "Tide", "The tide comes.", &[])]);
    let modes = || -> Vec<u32> {
        (fs::read_dir(folder.dir()).expect("the index"))
            .map(|entry| entry.expect("an entry").path())
            .filter(|path| path.extension().is_some_and(|ending| ending != "lock"))
            .map(|path| fs::metadata(path).expect("a file").permissions().mode() & 0o777)
            .collect()
    };
    let is_shared = |modes: Vec<u32>| modes.len() > 2 && modes.iter().all(|mode| *mode == modes[0]);
    assert!(is_shared(modes()), "{:?}", modes());
    let mut sink = SearchIndexSink::update(&folder.dir()).expect("the index is open");
    sink.add(&page("2", "en", "Ebb", "The ebb goes.", &[]), 0).expect("it is taken");
    sink.complete().expect("it is written");
    assert!(is_shared(modes()), "{:?}", modes());
}
