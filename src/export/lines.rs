//! [`Lines`]: where lines go, one file or several of limited size.

use super::{Draft, ExportError, Output};
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

/// Where the lines of a feed go.
#[derive(Debug)]
pub struct Lines(Way);

#[derive(Debug)]
enum Way {
    One(Output),
    Parts(Parts),
}

/// The last name of a path in which this stands is a pattern of names: the number of the part takes its place.
const NUMBER: &str = "{}";

impl Lines {
    /// All lines to one output.
    pub fn one(out: Output) -> Self {
        Self(Way::One(out))
    }

    /// What a path asks for: a folder, or a path that ends in `/`, is given parts `part-00001.ENDING` and so on; a name with
    /// `{}` in it is the pattern of the parts' names; anything else is one file. A part has `limit` bytes at most, unless one
    /// document alone has more.
    pub fn at(path: &Path, ending: &str, limit: u64) -> Result<Self, ExportError> {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let is_folder = path.is_dir() || path.as_os_str().to_string_lossy().ends_with('/');
        if !is_folder && !name.contains(NUMBER) {
            return Ok(Self::one(Output::at(path)?));
        }
        let (folder, pattern) = if is_folder {
            (path.to_path_buf(), format!("part-{NUMBER}.{ending}"))
        } else {
            (path.parent().map(Path::to_path_buf).unwrap_or_default(), name.into_owned())
        };
        if !folder.as_os_str().is_empty() {
            fs::create_dir_all(&folder).map_err(ExportError::file("create", &folder))?;
        }
        Ok(Self(Way::Parts(Parts { folder, pattern, limit, closed: Vec::new(), open: None })))
    }

    /// Writes lines that must not be parted.
    pub(super) fn write(&mut self, lines: &[u8]) -> Result<(), ExportError> {
        match &mut self.0 {
            Way::One(out) => Ok(out.write_all(lines)?),
            Way::Parts(parts) => parts.write(lines),
        }
    }

    /// Completes the files. Returns how many there are where they were to be parts.
    pub(super) fn commit(self) -> Result<Option<usize>, ExportError> {
        match self.0 {
            Way::One(out) => out.commit().map(|()| None),
            Way::Parts(parts) => parts.commit().map(Some),
        }
    }
}

/// Numbered files. All are written before the first takes its place, so that what an interrupted run leaves is that of the
/// run before.
#[derive(Debug)]
struct Parts {
    folder: PathBuf,
    pattern: String,
    limit: u64,
    closed: Vec<Draft>,
    open: Option<(Draft, u64)>,
}

impl Parts {
    fn path(&self, number: usize) -> PathBuf {
        self.folder.join(self.pattern.replacen(NUMBER, &format!("{number:05}"), 1))
    }

    fn write(&mut self, lines: &[u8]) -> Result<(), ExportError> {
        let more = lines.len() as u64;
        if let Some((mut draft, size)) = self.open.take() {
            if size + more <= self.limit {
                draft.write_all(lines)?;
                self.open = Some((draft, size + more));
                return Ok(());
            }
            draft.close()?;
            self.closed.push(draft);
        }
        let mut draft = Draft::begin(&self.path(self.closed.len() + 1))?;
        draft.write_all(lines)?;
        self.open = Some((draft, more));
        Ok(())
    }

    fn commit(mut self) -> Result<usize, ExportError> {
        if let Some((mut draft, _)) = self.open.take() {
            draft.close()?;
            self.closed.push(draft);
        }
        let count = self.closed.len();
        for draft in std::mem::take(&mut self.closed) {
            draft.commit()?;
        }
        // Parts of a longer export before this one would be taken for parts of it.
        let mut stale = count + 1;
        while fs::remove_file(self.path(stale)).is_ok() {
            stale += 1;
        }
        Ok(count)
    }
}

/// The ids of documents that were taken back, for formats whose feeds cannot say so: a file beside the feed.
#[derive(Debug)]
pub(super) struct Deletions {
    path: Option<PathBuf>,
    form: DeletionForm,
    draft: Option<Draft>,
}

/// How ids of documents are listed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum DeletionForm {
    /// One id a line.
    Lines,
    /// A JSON array.
    Array,
}

impl Deletions {
    /// Beside the file or folder at `path`, as `PATH.deleted`; where there is no path nothing can be taken back.
    pub(super) fn beside(path: Option<&Path>, form: DeletionForm) -> Self {
        let path = path.map(|path| super::output::with_ending(path, ".deleted"));
        Self { path, form, draft: None }
    }

    pub(super) fn add(&mut self, id: &str) -> Result<(), ExportError> {
        let Some(path) = &self.path else {
            let why = "documents are to be deleted, and this format cannot say so on stdout; add --out FILE";
            return Err(ExportError::Unsuited(why.to_owned()));
        };
        let is_first = self.draft.is_none();
        let draft = match &mut self.draft {
            Some(draft) => draft,
            None => self.draft.insert(Draft::begin(path)?),
        };
        match self.form {
            DeletionForm::Lines => writeln!(draft, "{id}")?,
            DeletionForm::Array => write!(draft, "{}\n\"{id}\"", if is_first { '[' } else { ',' })?,
        }
        Ok(())
    }

    /// Completes the list; where there is nothing to list, that of an earlier run goes. Gives its path.
    pub(super) fn commit(self) -> Result<Option<PathBuf>, ExportError> {
        let Some(mut draft) = self.draft else {
            if let Some(path) = &self.path {
                // It was mostly never there.
                let _ = fs::remove_file(path);
            }
            return Ok(None);
        };
        if self.form == DeletionForm::Array {
            writeln!(draft, "\n]")?;
        }
        draft.commit()?;
        Ok(self.path)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(dir: &Path) -> Vec<String> {
        let entries = fs::read_dir(dir).unwrap();
        let mut names: Vec<String> = entries.map(|e| e.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }

    #[test]
    fn parts_keep_to_the_limit_and_appear_together() {
        let dir = tempfile::tempdir().unwrap();
        let parts = |lines: &[&str]| {
            let mut out = Lines::at(&dir.path().join("p-{}.x"), "x", 10).unwrap();
            for line in lines {
                out.write(line.as_bytes()).unwrap();
            }
            out
        };
        let out = parts(&["12345\n", "678\n", "9\n", "far too long for one part\n", "a\n", "b\n"]);
        assert!(names(dir.path()).iter().all(|name| name.ends_with(".x.part")), "{:?}", names(dir.path()));
        assert_eq!(out.commit().unwrap(), Some(4));
        assert_eq!(names(dir.path()), ["p-00001.x", "p-00002.x", "p-00003.x", "p-00004.x"]);
        let read = |name: &str| fs::read_to_string(dir.path().join(name)).unwrap();
        assert_eq!(read("p-00001.x"), "12345\n678\n");
        assert_eq!(read("p-00002.x"), "9\n");
        assert_eq!(read("p-00004.x"), "a\nb\n");
        drop(parts(&["given up\n"]));
        assert_eq!(names(dir.path()).len(), 4);
        assert_eq!(read("p-00001.x"), "12345\n678\n");
        assert_eq!(parts(&["new\n"]).commit().unwrap(), Some(1));
        assert_eq!(names(dir.path()), ["p-00001.x"]);
    }

    #[test]
    fn folders_get_parts_and_files_get_all() {
        let dir = tempfile::tempdir().unwrap();
        for (path, wanted) in [("new/", "new/part-00001.ndjson"), ("", "part-00001.ndjson"), ("one.x", "one.x")] {
            let mut out = Lines::at(&dir.path().join(path), "ndjson", 10).unwrap();
            out.write(b"line\n").unwrap();
            out.commit().unwrap();
            assert_eq!(fs::read(dir.path().join(wanted)).unwrap(), b"line\n");
        }
    }

    #[test]
    fn deletions_are_listed_and_old_lists_go() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("feed");
        let list = |form, ids: &[&str]| {
            let mut list = Deletions::beside(Some(&path), form);
            for id in ids {
                list.add(id).unwrap();
            }
            list.commit().unwrap().map(|path| fs::read_to_string(path).unwrap())
        };
        assert_eq!(list(DeletionForm::Array, &["a", "b"]).unwrap(), "[\n\"a\",\n\"b\"\n]\n");
        assert_eq!(list(DeletionForm::Lines, &["a", "b"]).unwrap(), "a\nb\n");
        assert_eq!(list(DeletionForm::Lines, &[]), None);
        assert_eq!(names(dir.path()), [""; 0]);
        assert!(Deletions::beside(None, DeletionForm::Lines).add("a").is_err());
    }
}
