//! Files and folders that appear under their name only when they are complete.
//!
//! A file is written beside its place, as `NAME.part`, and renamed. A folder is written as `NAME.part/`; the old folder moves
//! to `NAME.old/`, the new one takes its place, and the old one goes. A run that is killed leaves the part, which the next
//! run replaces. Between the two renames of a folder nothing stands under the name for a moment; what a crash leaves there
//! is settled by the next run.

use super::ExportError;
use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

/// Bytes that are collected before they go to the system.
const BUFFER: usize = 256 * 1024;

/// Somewhere to write to.
pub enum Output {
    /// A stream that takes what it gets: stdout, a pipe, a device.
    Stream(Box<dyn Write>),
    /// A file in the making.
    Draft(Draft),
}

impl std::fmt::Debug for Output {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Stream(_) => out.write_str("Stream"),
            Self::Draft(draft) => out.debug_tuple("Draft").field(&draft.target).finish(),
        }
    }
}

impl Output {
    /// Opens what a path names. What is no regular file (a pipe, `/dev/null`) is written as it stands, and a symbolic link
    /// goes on leading to what is written.
    pub fn at(path: &Path) -> Result<Self, ExportError> {
        if Self::is_stream(path) {
            let file = File::options().write(true).open(path).map_err(ExportError::file("write", path))?;
            return Ok(Self::Stream(Box::new(BufWriter::with_capacity(BUFFER, file))));
        }
        Draft::begin(path).map(Self::Draft)
    }

    /// Whether whoever reads there has what is written at once.
    pub fn is_stream(path: &Path) -> bool {
        // `/dev/stdout` may be a file, which is not to be replaced.
        path.starts_with("/dev") || path.metadata().is_ok_and(|meta| !meta.is_file())
    }

    /// Ends the writing; a draft takes its place.
    pub fn commit(self) -> Result<(), ExportError> {
        match self {
            Self::Stream(mut stream) => Ok(stream.flush()?),
            Self::Draft(draft) => draft.commit(),
        }
    }
}

impl Write for Output {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            Self::Stream(stream) => stream.write(bytes),
            Self::Draft(draft) => draft.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match self {
            Self::Stream(stream) => stream.flush(),
            Self::Draft(draft) => draft.flush(),
        }
    }
}

/// A file in the making. Dropped without [`commit`](Self::commit), it leaves nothing.
#[derive(Debug)]
pub struct Draft {
    target: PathBuf,
    part: PathBuf,
    /// Taken by `close`.
    file: Option<BufWriter<File>>,
    is_placed: bool,
    /// Whether it is left where it is being written when it is dropped.
    is_kept: bool,
}

impl Draft {
    /// Begins the file that is to stand at `path`, in place of what may be there.
    pub fn begin(path: &Path) -> Result<Self, ExportError> {
        let target = behind_links(path);
        let part = with_ending(&target, ".part");
        Self::write_to(target, part, false)
    }

    /// Begins a file that is to stand at `path`, written at another place, where it stays if it is dropped: whoever comes
    /// next reads there how far the writing came.
    pub(super) fn begin_journal(path: &Path, written: PathBuf) -> Result<Self, ExportError> {
        Self::write_to(path.to_path_buf(), written, true)
    }

    fn write_to(target: PathBuf, part: PathBuf, is_kept: bool) -> Result<Self, ExportError> {
        let file = File::create(&part).map_err(|error| match part.parent() {
            Some(dir) if error.kind() == io::ErrorKind::NotFound && !dir.as_os_str().is_empty() && !dir.exists() => {
                ExportError::Unsuited(format!(
                    "cannot write {}: there is no folder {}; make it first",
                    target.display(),
                    dir.display()
                ))
            }
            _ => ExportError::file("write", &part)(error),
        })?;
        Ok(Self { target, part, file: Some(BufWriter::with_capacity(BUFFER, file)), is_placed: false, is_kept })
    }

    /// Where it is being written.
    pub(super) fn written(&self) -> &Path {
        &self.part
    }

    /// Gives it another place to stand.
    pub(super) fn aim_at(&mut self, target: PathBuf) {
        self.target = target;
    }

    /// Ends the writing, and waits until all is on disk. The file does not take its place yet.
    pub(super) fn close(&mut self) -> Result<(), ExportError> {
        let Some(file) = self.file.take() else { return Ok(()) };
        let done = file.into_inner().map_err(io::IntoInnerError::into_error).and_then(|file| file.sync_all());
        done.map_err(ExportError::file("write", &self.target))
    }

    /// Waits until all is on disk, and puts the file in its place.
    pub fn commit(mut self) -> Result<(), ExportError> {
        self.close()?;
        fs::rename(&self.part, &self.target).map_err(ExportError::file("write", &self.target))?;
        self.is_placed = true;
        Ok(())
    }
}

impl Write for Draft {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.file.as_mut().map_or(Ok(0), |file| file.write(bytes))
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.as_mut().map_or(Ok(()), Write::flush)
    }
}

impl Drop for Draft {
    fn drop(&mut self) {
        if let Some(file) = self.file.take() {
            // Dropping the writer would write its buffer; taking it apart does not.
            drop(file.into_parts());
        }
        if !self.is_placed && !self.is_kept {
            // What was written is of no use; what keeps it from being removed is no news beside why it was given up.
            let _ = fs::remove_file(&self.part);
        }
    }
}

/// A folder in the making. Dropped without [`commit`](Self::commit), it leaves nothing.
#[derive(Debug)]
pub struct FolderDraft {
    target: PathBuf,
    part: PathBuf,
    is_committed: bool,
}

/// The file in a folder of ours that says so, and in which format it is.
const MARK: &str = ".wisdom-export";

impl FolderDraft {
    /// Begins the folder that is to stand at `path`. What stands there already must be nothing, an empty folder, or a folder
    /// that an earlier export in the same format made: anything else is left alone.
    pub fn begin(path: &Path, format: &str) -> Result<Self, ExportError> {
        let target = behind_links(path);
        settle(&target)?;
        if !is_free(&target, format) {
            return Err(ExportError::NotOurs { path: target });
        }
        if let Some(kept) = somebodys(&target) {
            let target = target.display();
            return Err(ExportError::Unsuited(format!(
                "{target} holds {kept}, which no export made, and which would go with it; move {kept} out, or name another folder"
            )));
        }
        let part = with_ending(&target, ".part");
        remove_ours(&part)?;
        fs::create_dir_all(&part).map_err(ExportError::file("create", &part))?;
        let draft = Self { target, part, is_committed: false };
        let mark = draft.part.join(MARK);
        fs::write(&mark, format!("{format}\n")).map_err(ExportError::file("write", &mark))?;
        Ok(draft)
    }

    /// Where its files are written meanwhile.
    pub fn path(&self) -> &Path {
        &self.part
    }

    /// Puts the folder in its place.
    pub fn commit(mut self) -> Result<(), ExportError> {
        let old = with_ending(&self.target, ".old");
        if self.target.exists() {
            remove_ours(&old)?;
            fs::rename(&self.target, &old).map_err(ExportError::file("rename", &self.target))?;
        }
        fs::rename(&self.part, &self.target).map_err(ExportError::file("rename", &self.part))?;
        self.is_committed = true;
        // An empty folder that stood there has no mark, and goes as well.
        if fs::remove_dir(&old).is_err() {
            remove_ours(&old)?;
        }
        Ok(())
    }
}

impl Drop for FolderDraft {
    fn drop(&mut self) {
        if !self.is_committed {
            let _ = remove_marked(&self.part);
        }
    }
}

/// Whether a folder may be made at a path, or be replaced.
fn is_free(path: &Path, format: &str) -> bool {
    match fs::read_dir(path) {
        Ok(mut entries) => entries.next().is_none() || is_ours(path, format),
        Err(error) => error.kind() == io::ErrorKind::NotFound,
    }
}

/// How the hidden names begin that exports write: the mark, and what an index keeps beside its files.
const HIDDEN: [&str; 3] = [MARK, ".managed.json", ".tantivy"];

/// A hidden name in a folder of ours that no export writes, such as `.git`: what somebody would miss most.
fn somebodys(path: &Path) -> Option<String> {
    let names =
        fs::read_dir(path).ok()?.filter_map(Result::ok).map(|entry| entry.file_name().to_string_lossy().into_owned());
    let is_ours = |name: &str| HIDDEN.iter().any(|begin| name.starts_with(begin));
    names.filter(|name| name.starts_with('.') && !is_ours(name)).min()
}

/// Whether an export in a format made the folder.
pub(super) fn is_ours(path: &Path, format: &str) -> bool {
    fs::read_to_string(path.join(MARK)).is_ok_and(|mark| mark.trim_end() == format)
}

/// Undoes a swap of folders that a crash interrupted: the old one comes back.
fn settle(target: &Path) -> Result<(), ExportError> {
    let old = with_ending(target, ".old");
    if old.join(MARK).is_file() && !target.exists() {
        fs::rename(&old, target).map_err(ExportError::file("rename", &old))?;
    }
    Ok(())
}

/// Removes a folder that bears our mark; nothing is done where there is none.
fn remove_ours(path: &Path) -> Result<(), ExportError> {
    if !path.exists() {
        return Ok(());
    }
    // Whoever dies right after making a folder leaves an empty one.
    if !path.join(MARK).is_file() && fs::remove_dir(path).is_err() {
        return Err(ExportError::NotOurs { path: path.to_path_buf() });
    }
    remove_marked(path).map_err(ExportError::file("remove", path))
}

/// Removes a folder, its mark last: what a crash leaves of it still bears the mark.
fn remove_marked(path: &Path) -> io::Result<()> {
    let entries = match fs::read_dir(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        entries => entries?,
    };
    for entry in entries {
        let entry = entry?;
        if entry.file_name() == MARK {
            continue;
        }
        if entry.file_type()?.is_dir() { fs::remove_dir_all(entry.path())? } else { fs::remove_file(entry.path())? }
    }
    fs::remove_dir_all(path)
}

/// A path with more at the end of its last name.
pub(super) fn with_ending(path: &Path, ending: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    // `dir/` and `dir` are the same folder.
    if let Some(last) = path.file_name() {
        name = path.with_file_name(last).into_os_string();
    }
    name.push(ending);
    PathBuf::from(name)
}

/// Links that are followed at most, as the system does.
const MAX_LINKS: usize = 40;

/// The file that a path leads to over symbolic links, which need not be there yet.
fn behind_links(path: &Path) -> PathBuf {
    let mut path = path.to_path_buf();
    for _ in 0..MAX_LINKS {
        let Ok(next) = fs::read_link(&path) else { break };
        // A relative link is relative to the directory that it stands in.
        path = path.parent().map_or_else(|| next.clone(), |dir| dir.join(&next));
    }
    path
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(dir: &Path) -> Vec<String> {
        let mut names: Vec<String> =
            fs::read_dir(dir).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }

    #[test]
    fn a_file_appears_whole_or_not_at_all() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("out");
        let mut draft = Draft::begin(&path).unwrap();
        draft.write_all(b"half").unwrap();
        assert_eq!(names(dir.path()), ["out.part"]);
        drop(draft);
        assert_eq!(names(dir.path()), [""; 0]);
        for text in ["one", "two"] {
            let mut output = Output::at(&path).unwrap();
            output.write_all(text.as_bytes()).unwrap();
            output.commit().unwrap();
            assert_eq!(fs::read_to_string(&path).unwrap(), text);
        }
        assert_eq!(names(dir.path()), ["out"]);
    }

    #[test]
    fn a_folder_is_replaced_only_where_it_is_ours() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("out");
        let draft = FolderDraft::begin(&path, "markdown").unwrap();
        fs::write(draft.path().join("a"), "a").unwrap();
        drop(draft);
        assert_eq!(names(dir.path()), [""; 0]);
        // What a killed run leaves is in no one's way.
        let killed = FolderDraft::begin(&path, "markdown").unwrap();
        fs::write(killed.path().join("half"), "a").unwrap();
        std::mem::forget(killed);
        FolderDraft::begin(&path, "markdown").unwrap();
        fs::create_dir(dir.path().join("out.part")).unwrap();
        for name in ["a", "b"] {
            let draft = FolderDraft::begin(&dir.path().join("out/"), "markdown").unwrap();
            fs::write(draft.path().join(name), name).unwrap();
            draft.commit().unwrap();
            assert_eq!(names(&path), [MARK, name]);
        }
        assert_eq!(names(dir.path()), ["out"]);
        assert!(matches!(FolderDraft::begin(&path, "parquet"), Err(ExportError::NotOurs { .. })));
        // What somebody keeps there does not go with it.
        fs::create_dir(path.join(".git")).unwrap();
        let error = FolderDraft::begin(&path, "markdown").unwrap_err().to_string();
        assert!(error.contains("move .git out"), "{error}");
        assert!(path.join(".git").is_dir());
        fs::remove_dir(path.join(".git")).unwrap();
        fs::write(path.join(".git"), "gitdir: elsewhere").unwrap();
        FolderDraft::begin(&path, "markdown").unwrap_err();
        fs::remove_file(path.join(".git")).unwrap();
        FolderDraft::begin(&path, "markdown").unwrap();
        let error = Draft::begin(&dir.path().join("no/such/file")).unwrap_err().to_string();
        assert!(error.ends_with("no/such; make it first"), "{error}");
        let own = dir.path().join("own");
        fs::create_dir(&own).unwrap();
        FolderDraft::begin(&own, "markdown").unwrap().commit().unwrap();
        fs::remove_file(own.join(MARK)).unwrap();
        fs::write(own.join("letter"), "dear").unwrap();
        assert!(matches!(FolderDraft::begin(&own, "markdown"), Err(ExportError::NotOurs { .. })));
        assert_eq!(names(&own), ["letter"]);
    }

    #[test]
    fn a_swap_that_was_interrupted_is_undone() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("out");
        FolderDraft::begin(&path, "markdown").unwrap().commit().unwrap();
        fs::rename(&path, dir.path().join("out.old")).unwrap();
        drop(FolderDraft::begin(&path, "markdown").unwrap());
        assert_eq!(names(dir.path()), ["out"]);
    }
}
