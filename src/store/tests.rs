//! The store as a whole: against a slow twin, through crashes and damage.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use proptest::prelude::*;
use url::Url;

use super::*;
use crate::archive::PageArchive;
use crate::entropy::{Stat, Table};
use crate::page::{Fate, Page, QueueEntry, Source};
use crate::terms::PageCounts;

fn url(path: &str) -> String {
    format!("http://a.example/{path}")
}

/// A page whose body is the list of its counts, so that it can be recounted.
fn page(path: &str, words: &[(u8, u8)]) -> Page {
    let lines: Vec<String> = words.iter().map(|(word, count)| format!("{word} {count}")).collect();
    Page {
        url: url(path),
        status: 200,
        headers: vec![("etag".to_owned(), format!("\"{}\"", words.len()))],
        body: lines.join("\n").into_bytes(),
        depth: 1,
        fetched_at: 1_700_000_000,
    }
}

fn recount(page: &Page) -> PageCounts {
    let mut counts = PageCounts::default();
    for line in String::from_utf8_lossy(&page.body).lines() {
        let (word, count) = line.split_once(' ').unwrap();
        let (word, count): (u64, u32) = (word.parse().unwrap(), count.parse().unwrap());
        counts.terms.push((format!("term{word}").into(), count));
        counts.chunks.push((word * 7, count));
        if word % 2 == 0 {
            counts.anchors.push((word, 1));
        }
    }
    counts
}

fn recount_with_facts(page: &Page) -> (PageFacts, PageCounts) {
    (facts(), recount(page))
}

fn facts() -> PageFacts {
    PageFacts { lang: "en".to_owned(), charset: "UTF-8".to_owned() }
}

fn put(group: &mut Group, page: Page) {
    let counts = recount(&page);
    group.put_page(page, facts(), counts, None);
}

fn create(root: &Path, cache_mb: usize) -> (Store, SiteStore) {
    let store = Store::create(root, StoreOptions { cache_mb }).unwrap();
    let site = store.create_site(&Url::parse("http://a.example/").unwrap()).unwrap();
    (store, site)
}

const KEY: &str = "a.example";

/// Sums by table and key, recomputed from pages.
type Twin = BTreeMap<(Table, Vec<u8>), Stat>;

fn twin(pages: &BTreeMap<String, Page>) -> Twin {
    let mut twin = Twin::new();
    let mut add = |table, key: Vec<u8>, count| twin.entry((table, key)).or_default().add(count);
    for page in pages.values() {
        let counts = hot::normalized(recount(page));
        counts.terms.iter().for_each(|(k, c)| add(Table::Terms, k.as_bytes().to_vec(), *c));
        counts.chunks.iter().for_each(|(k, c)| add(Table::Chunks, k.to_be_bytes().to_vec(), *c));
        counts.anchors.iter().for_each(|(k, c)| add(Table::Anchors, k.to_be_bytes().to_vec(), *c));
    }
    twin
}

fn sums(site: &SiteStore) -> Twin {
    let mut sums = Twin::new();
    for table in Table::ALL {
        let visit = |key: &[u8], _, stat: Stat| {
            if !stat.is_empty() {
                assert!(sums.insert((table, key.to_vec()), stat).is_none());
            }
        };
        site.hot().for_each(&site.kv, table, site.budget, visit).unwrap();
    }
    sums
}

fn check(site: &SiteStore, pages: &BTreeMap<String, Page>) {
    assert_eq!(site.n_pages(), pages.len() as u64);
    assert_eq!(sums(site), twin(pages));
    let stored: Vec<String> = site.pages().map(|page| page.unwrap().1.url).collect();
    assert_eq!(stored, pages.keys().cloned().collect::<Vec<_>>());
    let report = verify(site, &recount, &mut |_, _| {}).unwrap();
    assert_eq!(report.problems, []);
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        let target = to.join(entry.file_name());
        if entry.metadata().unwrap().is_dir() {
            copy(&entry.path(), &target);
        } else {
            fs::copy(entry.path(), target).unwrap();
        }
    }
}

#[derive(Clone, Debug)]
enum Step {
    Put(u8, Vec<(u8, u8)>),
    Remove(u8),
    Commit,
    Crash,
    Close,
    Rebuild,
}

fn steps() -> impl Strategy<Value = Vec<Step>> {
    let words = prop::collection::vec((any::<u8>(), 1_u8..9), 0..30);
    prop::collection::vec(
        prop_oneof![
            6 => (0_u8..12, words).prop_map(|(page, words)| Step::Put(page, words)),
            2 => (0_u8..12).prop_map(Step::Remove),
            3 => Just(Step::Commit),
            2 => Just(Step::Crash),
            1 => Just(Step::Close),
            1 => Just(Step::Rebuild),
        ],
        1..40,
    )
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    /// Any sequence of additions, replacements, removals, crashes, checkpoints and rebuilds leaves the sums of the pages
    /// that were committed, to the bit. A crash loses what was not committed and nothing else.
    #[test]
    fn sums_are_those_of_the_committed_pages(steps in steps(), cache_mb in prop_oneof![Just(0_usize), Just(8)]) {
        let dir = tempfile::tempdir().unwrap();
        let (store, site) = create(dir.path(), cache_mb);
        let mut site = Some(site);
        let (mut committed, mut pending) = (BTreeMap::new(), BTreeMap::new());
        let mut group = Group::new(1);
        for step in steps {
            match step {
                Step::Put(number, words) => {
                    let page = page(&number.to_string(), &words);
                    pending.insert(page.url.clone(), page.clone());
                    put(&mut group, page);
                }
                Step::Remove(number) => {
                    pending.remove(&url(&number.to_string()));
                    group.remove_page(url(&number.to_string()));
                }
                Step::Commit => {
                    let group = std::mem::replace(&mut group, Group::new(1));
                    site.as_mut().unwrap().commit(group).unwrap();
                    committed.clone_from(&pending);
                }
                Step::Crash | Step::Close | Step::Rebuild => {
                    if matches!(step, Step::Crash) {
                        drop(site.take());
                    } else {
                        site.take().unwrap().close().unwrap();
                    }
                    group = Group::new(1);
                    pending.clone_from(&committed);
                    if matches!(step, Step::Rebuild) {
                        let report = store.rebuild(KEY, &recount_with_facts, &mut |_, _| {}).unwrap();
                        prop_assert_eq!((report.from, report.pages), (RebuiltFrom::Model, committed.len() as u64));
                        prop_assert!(report.lost.is_empty() && report.broken.is_empty());
                    }
                    site = Some(store.site(KEY).unwrap());
                }
            }
        }
        check(site.as_ref().unwrap(), &committed);
    }
}

fn many(range: std::ops::Range<u32>) -> Vec<Page> {
    range
        .map(|i| {
            let words: Vec<(u8, u8)> = (0..40_u32)
                .map(|j| (u8::try_from((i * 31 + j * j) % 251).unwrap(), u8::try_from(1 + j % 3).unwrap()))
                .collect();
            page(&i.to_string(), &words)
        })
        .collect()
}

/// What is on disk right after a commit is what a killed process leaves behind.
#[test]
fn a_kill_after_a_commit_loses_nothing() {
    let dir = tempfile::tempdir().unwrap();
    let (_, mut site) = create(&dir.path().join("live"), 8);
    let mut pages = BTreeMap::new();
    for round in 0..5 {
        let mut group = Group::new(1);
        for page in many(round * 4..round * 4 + 6) {
            group.enqueue(QueueEntry {
                url: format!("{}?next", page.url),
                depth: 2,
                hops: 0,
                source: Source::Link,
                referrer: Some(page.url.clone()),
            });
            pages.insert(page.url.clone(), page.clone());
            put(&mut group, page);
        }
        site.commit(group).unwrap();
        let copied = dir.path().join(format!("copy{round}"));
        copy(&dir.path().join("live"), &copied);
        let store = Store::open(&copied, StoreOptions { cache_mb: 8 }).unwrap();
        let copied = store.site(KEY).unwrap();
        check(&copied, &pages);
        assert_eq!(copied.model_digest().unwrap(), site.model_digest().unwrap());
        assert_eq!(copied.queue().unwrap().len(), pages.len());
    }
}

/// However the file of the map is damaged: an error that names the way out, or an earlier or equal state that is sound.
#[test]
fn damage_is_an_error_and_never_a_panic() {
    let dir = tempfile::tempdir().unwrap();
    let (store, mut site) = create(&dir.path().join("live"), 8);
    for round in 0..4 {
        let mut group = Group::new(1);
        for page in many(round * 10..round * 10 + 10) {
            put(&mut group, page);
        }
        site.commit(group).unwrap();
    }
    let digest = site.model_digest().unwrap();
    site.close().unwrap();
    drop(store);
    let model = |root: &Path| root.join(KEY).join("model");
    let length = fs::metadata(model(&dir.path().join("live")).join("db")).unwrap().len();
    let (mut errors, mut sound) = (0, 0);
    for case in 0..40_u64 {
        let root = dir.path().join(format!("case{case}"));
        copy(&dir.path().join("live"), &root);
        let db = model(&root).join("db");
        let at = case * length / 40;
        match case % 3 {
            0 => fs::OpenOptions::new().write(true).open(&db).unwrap().set_len(at).unwrap(),
            kind => {
                let mut bytes = fs::read(&db).unwrap();
                let end = (at + if kind == 1 { 1 } else { 3000 }).min(length);
                bytes[usize::try_from(at).unwrap()..usize::try_from(end).unwrap()].iter_mut().for_each(|b| *b ^= 0x5a);
                fs::write(&db, bytes).unwrap();
            }
        }
        let store = Store::open(&root, StoreOptions { cache_mb: 8 }).unwrap();
        let found = store.site(KEY).and_then(|site| {
            site.queue()?;
            verify(&site, &recount, &mut |_, _| {})
        });
        match found {
            Ok(_) => sound += 1,
            Err(error) => {
                assert!(error.to_string().contains("wisdom rebuild"), "{error}");
                errors += 1;
            }
        }
        let report = store.rebuild(KEY, &recount_with_facts, &mut |_, _| {}).unwrap();
        let site = store.site(KEY).unwrap();
        assert_eq!(verify(&site, &recount, &mut |_, _| {}).unwrap().problems, []);
        if report.from == RebuiltFrom::Archive {
            assert_eq!(site.model_digest().unwrap(), digest);
        }
        drop(site);
        fs::remove_dir_all(&root).unwrap();
    }
    assert!(errors > 0 && errors + sound == 40, "{errors} {sound}");
}

#[test]
fn the_queue_keeps_its_order_and_fates_are_kept() {
    let dir = tempfile::tempdir().unwrap();
    let (store, mut site) = create(dir.path(), 8);
    let entry = |path: &str, depth| QueueEntry {
        url: url(path),
        depth,
        hops: 0,
        source: Source::Link,
        referrer: Some(url("")),
    };
    let long = "x".repeat(3000);
    let mut group = Group::new(3);
    for (path, depth) in [("z", 1), ("deep", 2), ("a", 1), ("z", 0), (long.as_str(), 1)] {
        group.enqueue(entry(path, depth));
    }
    site.commit(group).unwrap();
    let queued = |site: &SiteStore| -> Vec<String> { site.queue().unwrap().into_iter().map(|e| e.url).collect() };
    assert_eq!(queued(&site), [url("z"), url("a"), url(&long), url("deep")]);
    let mut group = Group::new(3);
    group.settle(url("z"), 1, Some(Fate::Gone { status: 404 }));
    group.settle(url("a"), 1, None);
    put(&mut group, page("a", &[(1, 1)]));
    group.settle(url(&long), 1, Some(Fate::Skipped { reason: "robots".to_owned() }));
    site.commit(group).unwrap();
    site.set_crawl_state("{\"n\":3}").unwrap();
    drop(site);
    for rebuilt in [false, true] {
        if rebuilt {
            store.rebuild(KEY, &recount_with_facts, &mut |_, _| {}).unwrap();
        }
        let site = store.site(KEY).unwrap();
        assert_eq!(queued(&site), [url("deep")]);
        let fates: Vec<(String, FateRecord)> = site.fates().map(Result::unwrap).collect();
        assert_eq!(fates.len(), 2);
        assert_eq!(fates[0].0, url(&long));
        let gone = FateRecord { fate: Fate::Gone { status: 404 }, depth: 1, referrer: Some(url("")), crawl: 3 };
        assert_eq!(fates[1], (url("z"), gone));
        assert_eq!(site.crawl_state().unwrap().as_deref(), Some("{\"n\":3}"));
        let (_, record) = site.page(&url("a")).unwrap().unwrap();
        assert_eq!((record.crawl, record.etag.as_deref(), record.lang.as_str()), (3, Some("\"1\""), "en"));
    }
}

#[test]
fn an_unchanged_page_moves_and_a_changed_one_forgets_what_was_mined() {
    let dir = tempfile::tempdir().unwrap();
    let (_, mut site) = create(dir.path(), 8);
    let mut group = Group::new(1);
    put(&mut group, page("a", &[(1, 2), (2, 1)]));
    put(&mut group, page("b", &[(2, 1)]));
    site.commit(group).unwrap();
    let (a, record) = site.page(&url("a")).unwrap().unwrap();
    let (b, _) = site.page(&url("b")).unwrap().unwrap();
    assert_eq!(site.read_page(&record).unwrap(), page("a", &[(1, 2), (2, 1)]));
    site.put_mined([(a, vec![7; 9000]), (b, vec![])]).unwrap();
    assert_eq!(site.mined(a).unwrap(), Some(vec![7; 9000]));
    let mut group = Group::new(2);
    group.touch(url("a"), 5);
    put(&mut group, page("b", &[(3, 1)]));
    site.commit(group).unwrap();
    let (_, record) = site.page(&url("a")).unwrap().unwrap();
    assert_eq!((record.crawl, record.depth), (2, 5));
    assert_eq!((site.mined(a).unwrap().is_some(), site.mined(b).unwrap()), (true, None));
    site.clear_mined().unwrap();
    assert_eq!(site.mined(a).unwrap(), None);

    let ids = site.term_ids(["term1", "nowhere", "term2"]).unwrap();
    assert!(ids[0].is_some() && ids[1].is_none());
    let stats = site.stats(Table::Terms, ids.into_iter().flatten()).unwrap();
    assert_eq!(stats.iter().map(|s| (s.df, s.tf)).collect::<Vec<_>>(), [(1, 2), (1, 1)]);
    assert_eq!(site.hash_ids(Table::Chunks, &[7, 8]).unwrap().iter().filter(|id| id.is_some()).count(), 1);
    assert_eq!(site.vector(a, Table::Terms).unwrap(), site.known(&recount(&page("a", &[(1, 2), (2, 1)]))).unwrap()[0]);
}

#[test]
fn verify_tells_what_is_wrong() {
    let dir = tempfile::tempdir().unwrap();
    let (store, mut site) = create(dir.path(), 8);
    let mut group = Group::new(1);
    for page in many(0..5) {
        put(&mut group, page);
    }
    site.commit(group).unwrap();
    let (_, record) = site.page(&url("2")).unwrap().unwrap();
    // A page whose text gives other counts than those stored.
    let report =
        verify(&site, &|page| if page.url == url("3") { PageCounts::default() } else { recount(page) }, &mut |_, _| {});
    assert_eq!(report.unwrap().problems, [Problem::Counts { url: url("3") }]);
    site.close().unwrap();
    // A damaged record.
    let path = dir.path().join(KEY).join("pages/00000.warc.gz");
    let mut bytes = fs::read(&path).unwrap();
    bytes[usize::try_from(record.location.offset).unwrap() + 60] ^= 1;
    fs::write(&path, bytes).unwrap();
    let site = store.site(KEY).unwrap();
    let report = verify(&site, &recount, &mut |_, _| {}).unwrap();
    assert_eq!((report.pages, report.records), (5, 4));
    assert!(report.problems.contains(&Problem::PageLost { url: url("2") }), "{:?}", report.problems);
    drop(site);
    // Rebuilding counts the rest and queues the lost page again.
    let report = store.rebuild(KEY, &recount_with_facts, &mut |_, _| {}).unwrap();
    assert_eq!((report.pages, report.lost.as_slice()), (4, &[url("2")][..]));
    let site = store.site(KEY).unwrap();
    assert_eq!(site.queue().unwrap()[0].url, url("2"));
}

#[test]
fn a_lost_model_is_made_from_the_archive() {
    let dir = tempfile::tempdir().unwrap();
    let (store, mut site) = create(dir.path(), 8);
    for words in [[(1, 1)], [(2, 2)]] {
        let mut group = Group::new(1);
        put(&mut group, page("a", &words));
        put(&mut group, page("b", &[(9, 9)]));
        site.commit(group).unwrap();
    }
    let digest = site.model_digest().unwrap();
    site.close().unwrap();
    let model = dir.path().join(KEY).join("model");
    fs::remove_dir_all(&model).unwrap();
    assert!(store.site(KEY).unwrap_err().to_string().contains("wisdom rebuild"));
    // An interrupted rebuild is undone or finished by the next opening.
    fs::create_dir(model.with_extension("new")).unwrap();
    let report = store.rebuild(KEY, &recount_with_facts, &mut |_, _| {}).unwrap();
    assert_eq!((report.from, report.pages), (RebuiltFrom::Archive, 2));
    for (moved, kept) in [("old", "new"), ("new", "old")] {
        copy(&model, &model.with_extension(kept));
        if kept == "new" {
            fs::rename(&model, model.with_extension(moved)).unwrap();
        }
        let site = store.site(KEY).unwrap();
        assert_eq!(site.model_digest().unwrap(), digest);
        let left: BTreeSet<_> = fs::read_dir(dir.path().join(KEY)).unwrap().map(|e| e.unwrap().file_name()).collect();
        assert!(!left.contains(std::ffi::OsStr::new("model.old")) && !left.contains(std::ffi::OsStr::new("model.new")));
    }
}

#[test]
fn reading_goes_on_from_several_threads() {
    fn is_sync<T: Sync + Send>(_: &T) {}
    let dir = tempfile::tempdir().unwrap();
    let (_, mut site) = create(dir.path(), 0);
    let mut group = Group::new(1);
    for page in many(0..50) {
        put(&mut group, page);
    }
    site.commit(group).unwrap();
    is_sync(&site);
    let want = site.stats(Table::Terms, 0..50).unwrap();
    std::thread::scope(|scope| {
        for _ in 0..3 {
            scope.spawn(|| (0..20).for_each(|_| assert_eq!(site.stats(Table::Terms, 0..50).unwrap(), want)));
        }
    });
}

/// A thousand small sites must stay cheap.
#[test]
fn a_small_site_is_small_on_disk() {
    let dir = tempfile::tempdir().unwrap();
    let (store, mut site) = create(dir.path(), 8);
    let mut group = Group::new(1);
    for page in many(0..10) {
        put(&mut group, page);
    }
    site.commit(group).unwrap();
    site.close().unwrap();
    drop(store.site(KEY).unwrap());
    let sizes = store.sizes(KEY).unwrap();
    assert!(sizes.model < 256 * 1024, "{sizes:?}");
    assert_eq!(PageArchive::pages(&dir.path().join(KEY).join("pages")).count(), 10);
}

#[test]
fn what_a_page_looks_like_comes_and_goes_with_it() {
    let dir = tempfile::tempdir().unwrap();
    let (_, mut site) = create(dir.path(), 16);
    let looks = |n: u8| PageLooks { view: vec![n; 40], lists: (n == 1).then(|| vec![7; 30]) };
    let look = |site: &mut SiteStore, change: &dyn Fn(&mut Group)| {
        let mut group = Group::new(1);
        change(&mut group);
        site.commit(group).unwrap();
        let id = PageId(0);
        (site.view(id).unwrap(), site.lists(id).unwrap())
    };
    let seen = |group: &mut Group, n: u8| {
        let page = page("a", &[(n, 1)]);
        let counts = recount(&page);
        group.put_page(page, facts(), counts, Some(looks(n)));
    };
    assert_eq!(look(&mut site, &|group| seen(group, 1)), (Some(vec![1; 40]), Some(vec![7; 30])));
    assert_eq!(look(&mut site, &|group| seen(group, 2)), (Some(vec![2; 40]), None), "the new page's, and no old lists");
    assert_eq!(look(&mut site, &|group| put(group, page("a", &[(3, 1)]))), (None, None), "nobody has looked at it");
    look(&mut site, &|group| seen(group, 1));
    assert_eq!(look(&mut site, &|group| group.remove_page(url("a"))), (None, None));
}

#[test]
fn a_store_of_the_first_format_is_read_and_raised_when_rows_are_written() {
    let dir = tempfile::tempdir().unwrap();
    let (store, mut site) = create(dir.path(), 16);
    let mut group = Group::new(1);
    put(&mut group, page("a", &[(1, 1)]));
    site.commit(group).unwrap();
    let mut encoder = flate2::write::DeflateEncoder::new(Vec::new(), flate2::Compression::fast());
    std::io::Write::write_all(&mut encoder, b"what was mined").unwrap();
    let mut changes = kv::Changes::default();
    changes.put(rows::META_FORMAT.to_vec(), vec![1]);
    changes.put(rows::page_key(b'D', PageId(0)), encoder.finish().unwrap());
    site.kv.apply(changes).unwrap();
    site.close().unwrap();

    let mut site = store.site(KEY).unwrap();
    assert_eq!(site.mined(PageId(0)).unwrap().as_deref(), Some(&b"what was mined"[..]));
    assert_eq!(site.kv.get(rows::META_FORMAT).unwrap(), Some(vec![1]), "reading changes nothing");
    site.put_views([(PageId(0), b"a view".to_vec())]).unwrap();
    assert_eq!(site.kv.get(rows::META_FORMAT).unwrap(), Some(vec![2]), "older programs do not know this row");
    assert_eq!(site.mined(PageId(0)).unwrap().as_deref(), Some(&b"what was mined"[..]));
}
