//! Running the binary: with a limit of time, everything it says caught.

use serde_json::Value;
use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// Longest run of the binary; whatever takes longer is killed, and the test fails.
const LIMIT: Duration = Duration::from_secs(90);

/// The path of the binary.
pub(crate) const BINARY: &str = env!("CARGO_BIN_EXE_wisdom");

/// A run that has ended.
#[derive(Debug)]
pub(crate) struct Ran {
    /// Exit code; `None` where a signal ended it.
    pub(crate) code: Option<i32>,
    pub(crate) out: String,
    pub(crate) err: String,
}

impl Ran {
    /// Checks the exit code; on failure everything that was said is shown.
    #[track_caller]
    pub(crate) fn code(self, wanted: i32) -> Self {
        assert_eq!(self.code, Some(wanted), "stdout:\n{}\nstderr:\n{}", self.out, self.err);
        self
    }

    /// Checks that the run failed with code 2 and one message on stderr that holds all `words`, and that stdout is empty.
    #[track_caller]
    pub(crate) fn refuses(self, words: &[&str]) -> Self {
        let ran = self.code(2);
        assert_eq!(ran.out, "", "stdout holds data only");
        let errors = ran.err.lines().filter(|line| line.starts_with("error: ")).count();
        assert_eq!(errors, 1, "one message: {}", ran.err);
        assert!(!ran.err.contains("panicked"), "{}", ran.err);
        ran.says(words)
    }

    /// Checks that stderr holds all `words`.
    #[track_caller]
    pub(crate) fn says(self, words: &[&str]) -> Self {
        for word in words {
            assert!(self.err.contains(word), "{word:?} is missing in:\n{}", self.err);
        }
        self
    }
}

/// A run that goes on.
pub(crate) struct Running {
    child: Child,
    out: Option<JoinHandle<String>>,
    err: Option<JoinHandle<String>>,
}

impl Running {
    /// Starts a command with its output caught.
    pub(crate) fn start(command: &mut Command) -> Self {
        let mut child = command
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the binary starts");
        let out = child.stdout.take().map(collect);
        let err = child.stderr.take().map(collect);
        Self { child, out, err }
    }

    /// Ends the process at once, as a crash would.
    pub(crate) fn kill(mut self) -> Ran {
        self.child.kill().expect("the process can be killed");
        self.wait()
    }

    /// Sends what Ctrl-C sends.
    pub(crate) fn interrupt(&self) {
        let sent = Command::new("kill").args(["-INT", &self.child.id().to_string()]).status().expect("kill runs");
        assert!(sent.success(), "the process is there to be interrupted");
    }

    /// Waits for the end.
    pub(crate) fn wait(mut self) -> Ran {
        let status = end_of(&mut self.child);
        let said = |thread: Option<JoinHandle<String>>| thread.and_then(|t| t.join().ok()).unwrap_or_default();
        let (out, err) = (said(self.out.take()), said(self.err.take()));
        let Some(status) = status else { panic!("no end within {LIMIT:?}; stdout:\n{out}\nstderr:\n{err}") };
        Ran { code: status.code(), out, err }
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        // After `wait` there is nothing to end; in a test that fails there is.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The status of a process within the limit; after it the process is killed.
fn end_of(child: &mut Child) -> Option<ExitStatus> {
    let begun = Instant::now();
    loop {
        if let Some(status) = child.try_wait().expect("the process can be waited for") {
            return Some(status);
        }
        if begun.elapsed() > LIMIT {
            let _ = child.kill();
            let _ = child.wait();
            return None;
        }
        std::thread::sleep(Duration::from_millis(5));
    }
}

fn collect(mut from: impl Read + Send + 'static) -> JoinHandle<String> {
    std::thread::spawn(move || {
        let mut bytes = Vec::new();
        // What came before a failure is worth showing.
        let _ = from.read_to_end(&mut bytes);
        String::from_utf8_lossy(&bytes).into_owned()
    })
}

/// The binary with arguments, free of what the environment says of proxies.
pub(crate) fn command<S: AsRef<OsStr>>(args: impl IntoIterator<Item = S>) -> Command {
    let mut command = Command::new(BINARY);
    command.args(args);
    without_proxies(&mut command);
    command
}

pub(crate) fn without_proxies(command: &mut Command) {
    for name in ["http_proxy", "https_proxy", "all_proxy", "HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "RUST_BACKTRACE"] {
        command.env_remove(name);
    }
}

/// Runs the binary to its end.
pub(crate) fn wisdom<S: AsRef<OsStr>>(args: impl IntoIterator<Item = S>) -> Ran {
    Running::start(&mut command(args)).wait()
}

/// A store in a directory for temporary files, gone when dropped.
pub(crate) struct Disk {
    dir: tempfile::TempDir,
}

impl Disk {
    pub(crate) fn new() -> Self {
        Self { dir: tempfile::tempdir().expect("a directory for temporary files") }
    }

    /// A path beside the store.
    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.dir.path().join(name)
    }

    /// The path of the store.
    pub(crate) fn store(&self) -> PathBuf {
        self.path("store")
    }

    /// Writes a file beside the store.
    pub(crate) fn write(&self, name: &str, bytes: impl AsRef<[u8]>) -> PathBuf {
        let path = self.path(name);
        if let Some(parent) = path.parent() {
            std::fs::create_dir_all(parent).expect("a new directory");
        }
        std::fs::write(&path, bytes).expect("a new file");
        path
    }

    /// The arguments of a subcommand on this store.
    fn args<'a>(&self, subcommand: &'a str, more: &[&'a str]) -> Vec<std::ffi::OsString> {
        let mut args: Vec<std::ffi::OsString> = vec![subcommand.into(), "--store".into(), self.store().into()];
        args.extend(more.iter().map(Into::into));
        args
    }

    /// Runs a subcommand on the store.
    pub(crate) fn run(&self, subcommand: &str, more: &[&str]) -> Ran {
        wisdom(self.args(subcommand, more))
    }

    /// Starts a subcommand on the store.
    pub(crate) fn start(&self, subcommand: &str, more: &[&str]) -> Running {
        Running::start(&mut command(self.args(subcommand, more)))
    }

    /// Crawls the site at a URL into the store.
    pub(crate) fn crawl(&self, url: &str, more: &[&str]) -> Ran {
        self.run("crawl", &[&["--site", url], more].concat())
    }

    /// The exported documents, by path and query.
    #[track_caller]
    pub(crate) fn export(&self) -> BTreeMap<String, Value> {
        documents(&self.run("export", &[]).code(0).out)
    }

    /// Paths of the exported documents, sorted.
    #[track_caller]
    pub(crate) fn pages(&self) -> Vec<String> {
        self.export().into_keys().collect()
    }

    /// Checks that `verify` finds the store sound. Returns the digest of the model of its only site.
    #[track_caller]
    pub(crate) fn digest(&self) -> String {
        let ran = self.run("verify", &[]).code(0);
        let line = ran.out.trim_end();
        assert!(line.contains(": sound, ") && !line.contains('\n'), "{line}");
        line.rsplit(' ').next().unwrap_or_default().to_owned()
    }

    /// The only site directory of the store.
    pub(crate) fn site_dir(&self) -> PathBuf {
        let dirs: Vec<PathBuf> = entries(&self.store()).into_iter().filter(|path| path.is_dir()).collect();
        assert_eq!(dirs.len(), 1, "{dirs:?}");
        dirs.into_iter().next().expect("one directory")
    }

    /// The WARC files of its only site, in order.
    pub(crate) fn archives(&self) -> Vec<PathBuf> {
        entries(&self.site_dir().join("pages"))
    }
}

/// What a directory holds, sorted.
pub(crate) fn entries(dir: &Path) -> Vec<PathBuf> {
    let mut paths: Vec<PathBuf> =
        std::fs::read_dir(dir).expect("a directory").map(|entry| entry.expect("an entry").path()).collect();
    paths.sort();
    paths
}

/// Parses exported lines: documents by path and query.
#[track_caller]
pub(crate) fn documents(lines: &str) -> BTreeMap<String, Value> {
    let mut found = BTreeMap::new();
    for line in lines.lines() {
        let document: Value = serde_json::from_str(line).expect("a JSON document a line");
        let url = url::Url::parse(document["url"].as_str().unwrap_or_default()).expect("a document has a URL");
        let path = url[url::Position::BeforePath..].to_owned();
        assert!(found.insert(path, document).is_none(), "{url} is exported twice");
    }
    found
}
