//! What cannot be done: one clear message, exit code 2, and nothing lost.
#![allow(clippy::print_stderr, reason = "a check that could not be made has to be told")]

use crate::run::{BINARY, Disk, Running, command, entries, without_proxies};
use crate::site::{Reply, Site, html};
use std::io::Write;
use std::net::TcpListener;
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::process::Command;

fn crawled() -> (Site, Disk) {
    let site = Site::of(&[("/", &["/a", "/b"]), ("/a", &["/"]), ("/b", &["/"])]);
    let disk = Disk::new();
    disk.crawl(&site.url("/"), &[]).code(0);
    (site, disk)
}

#[test]
fn an_unknown_host_is_named() {
    let disk = Disk::new();
    disk.crawl("http://no-such-host.invalid/", &[]).refuses(&["no-such-host.invalid", "unknown", "--site"]);
    disk.run("sites", &[]).code(0);
    assert!(!disk.run("sites", &[]).code(0).out.contains("no-such-host"), "no empty site stays behind");
}

#[test]
fn a_refused_connection_is_told() {
    let disk = Disk::new();
    // Bound, and not listening any more: nobody answers there.
    let port = {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
        listener.local_addr().expect("its address").port()
    };
    let host = format!("127.0.0.1:{port}");
    disk.crawl(&format!("http://{host}/"), &[]).refuses(&[&host, "refused"]);
}

#[test]
fn a_server_without_tls_behind_https_is_told() {
    let (site, disk) = (Site::of(&[("/", &[])]), Disk::new());
    let host = format!("127.0.0.1:{}", site.port());
    disk.crawl(&format!("https://{host}/"), &[]).refuses(&["no secure connection", &host, "http://"]);
}

#[test]
fn a_site_closed_by_robots_txt_is_told_with_the_way_out() {
    let (site, disk) = (Site::of(&[("/", &[])]), Disk::new());
    site.robots("User-agent: *\nDisallow: /");
    disk.crawl(&site.url("/"), &[]).refuses(&["robots.txt", "forbids the entrance", "--ignore-robots"]);
    assert_eq!(site.asked(), Vec::<String>::new());
}

#[test]
fn a_robots_txt_that_cannot_be_had_closes_the_site() {
    let (site, disk) = (Site::of(&[("/", &[])]), Disk::new());
    site.set("/robots.txt", Reply::new(503, "later"));
    disk.crawl(&site.url("/"), &[]).refuses(&["/robots.txt", "status 503", "try again later"]);
    assert_eq!(site.asked(), Vec::<String>::new());
}

#[test]
fn an_entrance_that_is_no_page_is_told() {
    let (site, disk) = (Site::start(), Disk::new());
    site.set("/", Reply::new(200, "%PDF-1.4 ...").header("Content-Type", "application/pdf"));
    disk.crawl(&site.url("/"), &[]).refuses(&["no HTML page", "application/pdf"]);
    let gone = Disk::new();
    gone.crawl(&site.url("/missing"), &[]).refuses(&["does not exist", "404"]);
}

#[test]
fn a_site_without_scheme_is_refused_with_an_example() {
    let disk = Disk::new();
    for site in ["example.com", "ftp://example.com/", "http://", "/a/b"] {
        disk.crawl(site, &[]).refuses(&[site, "write --site https://example.com/"]);
    }
    assert!(!disk.store().exists());
}

#[test]
fn a_store_that_is_a_file_is_refused() {
    let disk = Disk::new();
    disk.write("store", "a file");
    for subcommand in ["export", "verify", "mine", "sites", "rebuild"] {
        disk.run(subcommand, &[]).refuses(&["store", "choose another --store"]);
    }
    let ran = disk.crawl("http://127.0.0.1:9/", &[]).refuses(&["store", "choose another --store, that path is a file"]);
    assert_eq!(ran.err.matches("os error").count(), 1, "the cause is told once: {}", ran.err);
    assert_eq!(std::fs::read_to_string(disk.store()).expect("the file"), "a file");
}

#[test]
fn a_store_that_is_not_there_is_named() {
    let disk = Disk::new();
    for subcommand in ["export", "verify", "mine", "sites", "rebuild"] {
        disk.run(subcommand, &[]).refuses(&["there is no store at", "wisdom crawl"]);
    }
    let (_site, disk) = crawled();
    for subcommand in ["export", "verify", "mine", "rebuild"] {
        disk.run(subcommand, &["--site", "nowhere.example"]).refuses(&["no site nowhere.example", "wisdom sites"]);
    }
}

#[test]
fn a_store_without_a_site_is_told() {
    let disk = Disk::new();
    std::fs::create_dir(disk.store()).expect("a new directory");
    for subcommand in ["export", "verify", "mine", "rebuild", "rules"] {
        disk.run(subcommand, &[]).refuses(&["holds no site", "crawl or import one first"]);
    }
    disk.run("sites", &[]).code(0);
}

#[test]
fn a_store_that_cannot_be_written_is_told() {
    let disk = Disk::new();
    let site = Site::of(&[("/", &[])]);
    if Path::new("/proc/self").exists() {
        let ran = crate::run::wisdom(["crawl", "--site", &site.url("/"), "--store", "/proc/wisdom-store"]);
        ran.refuses(&["/proc/wisdom-store"]);
    }
    let closed = disk.path("closed");
    std::fs::create_dir(&closed).expect("a new directory");
    std::fs::set_permissions(&closed, PermissionsExt::from_mode(0o555)).expect("its owner may");
    if std::fs::write(closed.join("probe"), "").is_ok() {
        eprintln!("the superuser may write anywhere: a closed directory was NOT checked");
        return;
    }
    let store = closed.join("store");
    let args = ["crawl", "--site", &site.url("/"), "--store", store.to_str().expect("a path in UTF-8")];
    crate::run::wisdom(args).refuses(&["Permission denied", "choose a --store you may write to"]);
}

#[test]
fn a_store_of_a_newer_format_is_left_alone() {
    let (site, disk) = crawled();
    let note = disk.site_dir().join("site.json");
    let text = std::fs::read_to_string(&note).expect("the note");
    let newer = text.replace("\"format\":2", "\"format\":7");
    assert_ne!(newer, text, "the note names the format");
    std::fs::write(&note, newer).expect("the note can be written");
    for subcommand in ["export", "verify", "mine", "rebuild"] {
        disk.run(subcommand, &[]).refuses(&["store format 7", "install a newer wisdom"]);
    }
    disk.crawl(&site.url("/"), &[]).refuses(&["store format 7"]);
    disk.crawl(&site.url("/"), &["--fresh"]).refuses(&["store format 7"]);
    assert!(disk.run("sites", &[]).code(1).err.contains("store format 7"));
    std::fs::write(&note, text).expect("the note can be written");
    assert_eq!(disk.pages(), ["/", "/a", "/b"]);
    disk.digest();
}

#[test]
fn a_store_in_use_is_left_to_its_user() {
    let site = Site::of(&[("/", &["/hung"])]);
    site.set("/hung", Reply::hang());
    let disk = Disk::new();
    let running = disk.start("crawl", &["--site", &site.url("/"), "--timeout", "60"]);
    site.wait_for("/hung");
    for subcommand in ["export", "verify", "mine", "rebuild"] {
        disk.run(subcommand, &[]).refuses(&["in use by another wisdom process"]);
    }
    disk.crawl(&site.url("/"), &[]).refuses(&["in use by another wisdom process"]);
    disk.crawl(&site.url("/"), &["--fresh"]).refuses(&["in use by another wisdom process"]);
    assert!(disk.run("sites", &[]).code(1).err.contains("in use"));
    running.kill();
    site.page("/hung", &[]);
    disk.crawl(&site.url("/"), &[]).code(0);
    assert_eq!(disk.pages(), ["/", "/hung"]);
}

/// A site of so many large pages, each a link from the one before.
fn large_site(pages: usize) -> Site {
    let site = Site::start();
    for n in 0..pages {
        let path = if n == 0 { "/".to_owned() } else { format!("/p{n}") };
        // Words that occur once, so that everything kept of the page is large.
        let words: Vec<String> = (0..800).map(|w| format!("q{}x{}", n * 7919 + w * 31, w)).collect();
        let next = format!("/p{}", n + 1);
        let links = if n + 1 < pages { vec![next.as_str()] } else { vec![] };
        let page = html(&path, &links).replace("</h1>", &format!("</h1><p>{}</p>", words.join(" ")));
        site.set(&path, Reply::html(page));
    }
    site
}

/// Checks that a crawl that found the disk full lost nothing, and goes on.
fn goes_on_after_a_full_disk(disk: &Disk, site: &Site, pages: usize) {
    disk.digest();
    let ran = disk.crawl(&site.url("/"), &["--depth", "1000", "--no-mine"]).code(0);
    assert!(ran.err.contains("resumed"), "{}", ran.err);
    assert_eq!(disk.pages().len(), pages);
    disk.digest();
}

#[test]
fn a_limit_on_the_size_of_files_is_told_as_no_room() {
    let (site, disk) = (large_site(50), Disk::new());
    // Blocks of 512 bytes: half a megabyte a file. Without the signal, the write fails as on a full disk.
    let script = "trap '' XFSZ; ulimit -f 1000; exec \"$@\"";
    let store = disk.store();
    let mut shell = Command::new("sh");
    shell
        .args(["-c", script, "sh", BINARY, "crawl", "--depth", "1000", "--site", &site.url("/"), "--store"])
        .arg(store);
    without_proxies(&mut shell);
    Running::start(&mut shell).wait().refuses(&["cannot write", "make room and run the same command again"]);
    goes_on_after_a_full_disk(&disk, &site, 50);
}

/// A small file system in memory, where the tests may mount one.
struct SmallDisk(PathBuf);

impl SmallDisk {
    fn mount(at: &Path, size: &str) -> Option<Self> {
        std::fs::create_dir_all(at).ok()?;
        let options = format!("size={size}");
        let mount = Command::new("mount").args(["-t", "tmpfs", "-o", &options, "tmpfs"]).arg(at).output().ok()?;
        mount.status.success().then(|| Self(at.to_path_buf()))
    }

    fn grow(&self, size: &str) {
        let options = format!("remount,size={size}");
        let grown = Command::new("mount").args(["-o", &options]).arg(&self.0).status().expect("mount runs");
        assert!(grown.success());
    }
}

impl Drop for SmallDisk {
    fn drop(&mut self) {
        // If it is still in use, it goes when that ends.
        let _ = Command::new("umount").arg("-l").arg(&self.0).status();
    }
}

#[test]
fn a_full_disk_is_told_and_nothing_is_lost() {
    let (site, disk) = (large_site(120), Disk::new());
    let Some(small) = SmallDisk::mount(&disk.store(), "3m") else {
        // The limit on the size of files above is the next best.
        eprintln!("no file system may be mounted here: a full disk was NOT checked");
        return;
    };
    let args = ["--depth", "1000"];
    disk.crawl(&site.url("/"), &args).refuses(&["No space left on device", "make room and run the same command again"]);
    // What only reads needs hardly any room, and where there is not even that it says so; in no case does it wait for it.
    assert!(disk.run("sites", &[]).code(0).out.contains("unfinished"));
    assert!(!disk.pages().is_empty());
    disk.digest();
    let filler = disk.store().join("filler");
    let mut file = std::fs::File::create(&filler).expect("a name needs no room");
    while file.write_all(&[0; 4096]).is_ok() {}
    let filled = file.metadata().expect("the filler").len();
    for left in [0, 8, 16, 32, 64, 128, 256, 512] {
        file.set_len(filled.saturating_sub(left * 1024)).expect("the filler shrinks");
        for _ in 0..3 {
            let ran = disk.run("sites", &[]);
            assert!(
                ran.out.contains("unfinished") || ran.err.contains("No space left on device"),
                "{left}: {}",
                ran.err
            );
        }
    }
    drop(file);
    std::fs::remove_file(&filler).expect("the filler goes");
    small.grow("60m");
    goes_on_after_a_full_disk(&disk, &site, 120);
}

#[test]
fn a_damaged_model_is_told_and_rebuilt() {
    let (site, disk) = crawled();
    let digest = disk.digest();
    let map = disk.site_dir().join("model").join("db");
    let size = usize::try_from(std::fs::metadata(&map).expect("the map").size()).expect("a size");
    std::fs::write(&map, vec![0xa5; size]).expect("the map can be written");
    for subcommand in ["export", "verify", "mine"] {
        disk.run(subcommand, &[]).refuses(&["is damaged", "wisdom rebuild"]);
    }
    disk.crawl(&site.url("/"), &[]).refuses(&["is damaged", "wisdom rebuild"]);
    disk.run("rebuild", &[]).code(0);
    assert_eq!(disk.digest(), digest);
    assert_eq!(disk.pages(), ["/", "/a", "/b"]);
    // And it can be crawled again.
    disk.crawl(&site.url("/"), &[]).code(0);
    assert_eq!(disk.digest(), digest);
}

#[test]
fn a_lost_model_is_rebuilt() {
    let (_site, disk) = crawled();
    let digest = disk.digest();
    std::fs::remove_dir_all(disk.site_dir().join("model")).expect("the model goes");
    disk.run("export", &[]).refuses(&["is missing", "wisdom rebuild"]);
    disk.run("rebuild", &[]).code(0);
    assert_eq!(disk.digest(), digest);
}

#[test]
fn damage_in_the_archive_is_found_by_verify() {
    let (_site, disk) = crawled();
    let archive = disk.archives().remove(0);
    let mut bytes = std::fs::read(&archive).expect("the archive");
    let middle = bytes.len() / 2;
    bytes[middle..middle + 20].fill(0xa5);
    std::fs::write(&archive, bytes).expect("the archive can be written");
    let ran = disk.run("verify", &[]).code(1);
    assert!(ran.err.contains("problem: "), "{}", ran.err);
    assert!(ran.out.contains("wisdom rebuild"), "{}", ran.out);
    // The pages that can be read are exported; the others are told.
    let ran = disk.run("export", &[]).code(1);
    assert!(ran.err.contains("failed: http://127.0.0.1"), "{}", ran.err);
    let left = ran.out.lines().count();
    assert!(left < 3, "{}", ran.out);
    disk.run("rebuild", &[]).code(1).says(&["lost: http://127.0.0.1"]);
    assert_eq!(disk.pages().len(), left);
}

#[test]
fn nothing_is_written_outside_the_store() {
    let (site, disk) = (Site::of(&[("/", &[])]), Disk::new());
    let work = disk.path("work");
    std::fs::create_dir(&work).expect("a new directory");
    let store = disk.store();
    let mut crawl = command(["crawl", "--site", &site.url("/"), "--store", store.to_str().expect("a path in UTF-8")]);
    let ran = Running::start(crawl.current_dir(&work).env("HOME", &work).env("TMPDIR", &work)).wait();
    ran.code(0);
    assert_eq!(entries(&work), Vec::<PathBuf>::new());
}
