//! The store as a whole: a directory of sites.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use url::{Host, Url};

use super::site::{FORMAT, Fresh, model_dir, pages_dir};
use super::{SiteStore, StoreError};

/// How a store is opened.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StoreOptions {
    /// Memory for an open site, in MiB, about: the map's cache, the lexicons and the sums. A smaller one is slower.
    pub cache_mb: usize,
}

impl Default for StoreOptions {
    fn default() -> Self {
        Self { cache_mb: 256 }
    }
}

/// A directory of sites. Holding one costs nothing; sites are opened one at a time.
#[derive(Clone, Debug)]
pub struct Store {
    root: PathBuf,
    options: StoreOptions,
}

/// A site in the list of a store.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct SiteInfo {
    /// Its key: the name of its directory.
    pub key: String,
    /// The URL it was made with; `None` where the note of it is damaged.
    pub url: Option<String>,
}

/// Bytes on disk of a site.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SiteSizes {
    /// WARC files.
    pub archive: u64,
    /// The model.
    pub model: u64,
}

/// The note in `site.json`, which can be read without opening the model.
#[derive(Debug, Serialize, Deserialize)]
struct Note {
    format: u64,
    url: String,
}

/// The key of the site that a URL belongs to: its host, and its port where that is not the scheme's own.
///
/// The host is in lower case and fits a file name: `example.com`, `example.com_8080`, `2001-db8--1_81`.
pub fn site_key(url: &Url) -> Result<String, StoreError> {
    let no_host = || StoreError::NoHost { url: url.to_string() };
    let mut key = match url.host().ok_or_else(no_host)? {
        Host::Domain(domain) => domain.to_ascii_lowercase(),
        Host::Ipv4(address) => address.to_string(),
        Host::Ipv6(address) => address.to_string().replace(':', "-"),
    };
    if key.is_empty() {
        return Err(no_host());
    }
    // A name that begins with a hyphen would read as a flag.
    if key.starts_with(['.', '-']) {
        key.insert(0, '_');
    }
    if key.len() > 200 {
        let hash = data_encoding::HEXLOWER.encode(&Sha256::digest(&key)[..8]);
        key = format!("{}-{hash}", key.chars().take(150).collect::<String>());
    }
    if let Some(port) = url.port() {
        key = format!("{key}_{port}");
    }
    Ok(key.chars().map(|c| if c.is_control() || "/\\:*?\"<>|".contains(c) { '-' } else { c }).collect())
}

impl Store {
    /// Opens the store in the directory `root`.
    pub fn open(root: &Path, options: StoreOptions) -> Result<Self, StoreError> {
        match fs::metadata(root) {
            Ok(meta) if meta.is_dir() => Ok(Self { root: root.to_path_buf(), options }),
            Ok(_) => Err(StoreError::io("open", root)(ErrorKind::NotADirectory.into())),
            Err(error) if error.kind() == ErrorKind::NotFound => Err(StoreError::NoStore { path: root.to_path_buf() }),
            Err(error) => Err(StoreError::io("open", root)(error)),
        }
    }

    /// Opens the store in the directory `root`, which is made where there is none.
    pub fn create(root: &Path, options: StoreOptions) -> Result<Self, StoreError> {
        fs::create_dir_all(root).map_err(StoreError::io("create", root))?;
        Self::open(root, options)
    }

    /// The sites in the store, by key.
    pub fn sites(&self) -> Result<Vec<SiteInfo>, StoreError> {
        let mut sites = Vec::new();
        for entry in fs::read_dir(&self.root).map_err(StoreError::io("read", &self.root))? {
            let path = entry.map_err(StoreError::io("read", &self.root))?.path();
            if !note_path(&path).exists() && !pages_dir(&path).is_dir() {
                continue;
            }
            // A dot begins what was set aside.
            if let Some(key) = path.file_name().and_then(|name| name.to_str()).filter(|name| !name.starts_with('.')) {
                sites.push(SiteInfo { key: key.to_owned(), url: read_note(&path).ok().flatten().map(|note| note.url) });
            }
        }
        sites.sort_unstable();
        Ok(sites)
    }

    /// Opens a site that the store holds.
    pub fn site(&self, key: &str) -> Result<SiteStore, StoreError> {
        let (dir, url, lock) = self.locked(key)?;
        let model = model_dir(&dir);
        if !model.is_dir() {
            return Err(StoreError::Damaged { dir: model, what: "it is missing".to_owned() });
        }
        SiteStore::open(&dir, &model, Fresh::No, &url, lock, self.options.cache_mb)
    }

    /// Opens the site that a URL belongs to, and makes it where the store does not hold it.
    pub fn create_site(&self, url: &Url) -> Result<SiteStore, StoreError> {
        let key = site_key(url)?;
        let dir = self.root.join(&key);
        if note_path(&dir).exists() || pages_dir(&dir).is_dir() {
            let site = self.site(&key)?;
            // Keys of odd hosts may be equal.
            let same = Url::parse(&site.url).is_ok_and(|held| held.host() == url.host());
            if same {
                return Ok(site);
            }
            return Err(StoreError::OtherSite { dir, held: site.url, given: url.to_string() });
        }
        fs::create_dir_all(&dir).map_err(StoreError::io("create", &dir))?;
        let lock = lock(&dir)?;
        // The note comes last: a site without it is not there yet, and is made again.
        let cache_mb = self.options.cache_mb;
        let site = SiteStore::open(&dir, &model_dir(&dir), Fresh::Yes, url.as_str(), lock, cache_mb)?;
        write_note(&dir, &Note { format: FORMAT, url: url.to_string() })?;
        Ok(site)
    }

    /// Deletes the site that a URL belongs to, with its archive. Nothing happens where the store does not hold it. Fails
    /// while another process works on it, and for a site that a newer version wrote.
    pub fn remove_site(&self, url: &Url) -> Result<(), StoreError> {
        let dir = self.root.join(site_key(url)?);
        if !dir.is_dir() {
            return Ok(());
        }
        let _lock = lock(&dir)?;
        refuse_newer(&dir, read_note(&dir)?.as_ref())?;
        // The note goes first: without it and the pages, the directory is no site, whenever this is interrupted.
        let note = note_path(&dir);
        for path in [note, pages_dir(&dir), model_dir(&dir)] {
            let gone = if path.is_dir() { fs::remove_dir_all(&path) } else { fs::remove_file(&path) };
            match gone {
                Err(error) if error.kind() != ErrorKind::NotFound => {
                    return Err(StoreError::io("remove", &path)(error));
                }
                _ => {}
            }
        }
        Ok(())
    }

    /// Moves the site that a URL belongs to out of the list, so that another can be made in its place; returns whether
    /// there was one. Fails while another process works on it. What an earlier call left aside is deleted.
    pub fn set_aside(&self, url: &Url) -> Result<bool, StoreError> {
        let dir = self.root.join(site_key(url)?);
        if !note_path(&dir).exists() && !pages_dir(&dir).is_dir() {
            return Ok(false);
        }
        let _lock = lock(&dir)?;
        refuse_newer(&dir, read_note(&dir)?.as_ref())?;
        self.forget_aside(url)?;
        fs::rename(&dir, self.aside(url)?).map_err(StoreError::io("move", &dir))?;
        Ok(true)
    }

    /// Puts the site that was set aside back, in place of what was made there since.
    pub fn bring_back(&self, url: &Url) -> Result<(), StoreError> {
        let (dir, aside) = (self.root.join(site_key(url)?), self.aside(url)?);
        remove_all(&dir)?;
        fs::rename(&aside, &dir).map_err(StoreError::io("move", &aside))
    }

    /// Deletes the site that was set aside, if there is one.
    pub fn forget_aside(&self, url: &Url) -> Result<(), StoreError> {
        remove_all(&self.aside(url)?)
    }

    fn aside(&self, url: &Url) -> Result<PathBuf, StoreError> {
        Ok(self.root.join(format!(".aside-{}", site_key(url)?)))
    }

    /// Bytes on disk of a site, open or not.
    pub fn sizes(&self, key: &str) -> Result<SiteSizes, StoreError> {
        let dir = self.dir(key)?;
        Ok(SiteSizes { archive: size(&pages_dir(&dir))?, model: size(&model_dir(&dir))? })
    }

    pub(super) fn cache_mb(&self) -> usize {
        self.options.cache_mb
    }

    fn dir(&self, key: &str) -> Result<PathBuf, StoreError> {
        let plain = !key.is_empty() && !key.starts_with('.') && !key.contains(['/', '\\']);
        let dir = self.root.join(key);
        if plain && (note_path(&dir).exists() || pages_dir(&dir).is_dir()) {
            Ok(dir)
        } else {
            Err(StoreError::NoSite { root: self.root.clone(), key: key.to_owned() })
        }
    }

    /// A site's directory, URL and lock, after an interrupted rebuild was finished or undone.
    pub(super) fn locked(&self, key: &str) -> Result<(PathBuf, String, Arc<File>), StoreError> {
        let dir = self.dir(key)?;
        let lock = lock(&dir)?;
        let note = read_note(&dir)?;
        refuse_newer(&dir, note.as_ref())?;
        super::rebuild::settle_swap(&dir)?;
        // The key tells the host where the note is lost.
        let url = note.map_or_else(|| format!("http://{}/", key.replace('_', ":")), |note| note.url);
        Ok((dir, url, lock))
    }
}

fn refuse_newer(dir: &Path, note: Option<&Note>) -> Result<(), StoreError> {
    match note {
        Some(&Note { format: found, .. }) if found > FORMAT => {
            Err(StoreError::Newer { dir: dir.to_path_buf(), found, known: FORMAT })
        }
        _ => Ok(()),
    }
}

fn note_path(dir: &Path) -> PathBuf {
    dir.join("site.json")
}

/// The note of a site, `None` where it is missing or no note.
fn read_note(dir: &Path) -> Result<Option<Note>, StoreError> {
    let path = note_path(dir);
    match fs::read(&path) {
        Ok(bytes) => Ok(serde_json::from_slice(&bytes).ok()),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
        Err(error) => Err(StoreError::io("read", &path)(error)),
    }
}

fn write_note(dir: &Path, note: &Note) -> Result<(), StoreError> {
    let path = note_path(dir);
    let next = dir.join("site.json.tmp");
    let bytes = serde_json::to_vec(note).unwrap_or_default();
    let written = File::create(&next).and_then(|mut file| {
        file.write_all(&bytes)?;
        file.sync_all()
    });
    written.and_then(|()| fs::rename(&next, &path)).map_err(StoreError::io("write", &path))
}

/// Takes the site for this process. The claim ends with the file, however the process ends.
fn lock(dir: &Path) -> Result<Arc<File>, StoreError> {
    let path = dir.join("lock");
    let file = OpenOptions::new().create(true).truncate(false).write(true).open(&path);
    let file = file.map_err(StoreError::io("open", &path))?;
    match file.try_lock() {
        Ok(()) => Ok(Arc::new(file)),
        Err(TryLockError::WouldBlock) => Err(StoreError::InUse { dir: dir.to_path_buf() }),
        // Where the file system has no locks, the map's own decides.
        Err(TryLockError::Error(error)) if error.kind() == ErrorKind::Unsupported => Ok(Arc::new(file)),
        Err(TryLockError::Error(error)) => Err(StoreError::io("lock", &path)(error)),
    }
}

/// Deletes a directory with all that is in it; nothing where there is none.
fn remove_all(dir: &Path) -> Result<(), StoreError> {
    match fs::remove_dir_all(dir) {
        Err(error) if error.kind() != ErrorKind::NotFound => Err(StoreError::io("remove", dir)(error)),
        _ => Ok(()),
    }
}

/// Bytes of all files below a directory; 0 where there is none.
fn size(dir: &Path) -> Result<u64, StoreError> {
    let mut total = 0;
    let mut open = vec![dir.to_path_buf()];
    while let Some(dir) = open.pop() {
        let entries = match fs::read_dir(&dir) {
            Ok(entries) => entries,
            Err(error) if error.kind() == ErrorKind::NotFound => continue,
            Err(error) => return Err(StoreError::io("read", &dir)(error)),
        };
        for entry in entries {
            let entry = entry.map_err(StoreError::io("read", &dir))?;
            // Files may go while another process works here.
            match entry.metadata() {
                Ok(meta) if meta.is_dir() => open.push(entry.path()),
                Ok(meta) => total += meta.len(),
                Err(_) => {}
            }
        }
    }
    Ok(total)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_file_names() {
        for (url, want) in [
            ("https://Example.COM/a", "example.com"),
            ("https://example.com:443/", "example.com"),
            ("http://example.com:443/", "example.com_443"),
            ("http://[2001:db8::1]:81/", "2001-db8--1_81"),
            ("http://127.0.0.1:8080/", "127.0.0.1_8080"),
            ("http://bücher.de/", "xn--bcher-kva.de"),
        ] {
            assert_eq!(site_key(&Url::parse(url).unwrap()).unwrap(), want);
        }
        assert!(matches!(site_key(&Url::parse("file:///a").unwrap()), Err(StoreError::NoHost { .. })));
        if let Ok(url) = Url::parse("http://../x") {
            assert!(!site_key(&url).unwrap().starts_with('.'));
        }
    }

    #[test]
    fn faults_have_one_clear_message() {
        let dir = tempfile::tempdir().unwrap();
        let none = dir.path().join("none");
        assert!(Store::open(&none, StoreOptions::default()).unwrap_err().to_string().contains("no store"));
        let file = dir.path().join("file");
        fs::write(&file, "").unwrap();
        assert!(Store::create(&file, StoreOptions::default()).unwrap_err().to_string().contains("that path is a file"));
        let store = Store::create(dir.path(), StoreOptions::default()).unwrap();
        assert!(matches!(store.site("a"), Err(StoreError::NoSite { .. })));
        assert!(matches!(store.site(".."), Err(StoreError::NoSite { .. })));
        let url = Url::parse("http://a/").unwrap();
        let site = store.create_site(&url).unwrap();
        assert!(matches!(store.site("a"), Err(StoreError::InUse { .. })));
        assert!(matches!(store.create_site(&url), Err(StoreError::InUse { .. })));
        site.close().unwrap();
        store.site("a").unwrap().close().unwrap();
        assert_eq!(store.sites().unwrap(), [SiteInfo { key: "a".to_owned(), url: Some("http://a/".to_owned()) }]);
        write_note(&dir.path().join("a"), &Note { format: FORMAT + 1, url: "http://a/".to_owned() }).unwrap();
        let error = store.site("a").unwrap_err();
        assert!(matches!(error, StoreError::Newer { found, known: FORMAT, .. } if found == FORMAT + 1), "{error}");
    }
}
