//! What is to be read: files, the pages of directories, stdin.

use anyhow::{Result, bail};
use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::Read;
use std::path::{Path, PathBuf};
use wisdom::crawl::is_page;

/// One page, or what stands in its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::command) enum Input {
    Stdin,
    File(PathBuf),
    /// A path that is no input, and why.
    Broken(PathBuf, String),
}

impl Input {
    /// The path as it is shown.
    pub(in crate::command) fn name(&self) -> String {
        match self {
            Self::Stdin => "-".to_owned(),
            Self::File(path) | Self::Broken(path, _) => path.to_string_lossy().into_owned(),
        }
    }

    /// The file's name without extension, and without `.gz` before that.
    pub(in crate::command) fn id(&self) -> String {
        match self {
            Self::Stdin => "stdin".to_owned(),
            Self::File(path) | Self::Broken(path, _) => {
                unpacked(path).file_stem().unwrap_or(path.as_os_str()).to_string_lossy().into_owned()
            }
        }
    }
}

/// The inputs in order, and the files of directories that were passed over, by extension.
#[derive(Debug, Default)]
pub(in crate::command) struct Found {
    pub(in crate::command) inputs: Vec<Input>,
    others: BTreeMap<String, u64>,
}

impl Found {
    /// Says what was passed over; nothing if nothing was.
    pub(in crate::command) fn passed_over(&self) -> Option<String> {
        const NAMED: usize = 8;
        let total: u64 = self.others.values().sum();
        let mut kinds: Vec<(&String, &u64)> = self.others.iter().collect();
        kinds.sort_by_key(|(_, count)| std::cmp::Reverse(**count));
        let more = if kinds.len() > NAMED { ", ..." } else { "" };
        let kinds: Vec<String> = kinds.iter().take(NAMED).map(|(kind, count)| format!("{count} {kind}")).collect();
        (total > 0).then(|| {
            format!(
                "passed over {} that {} no page by name: {}{more}",
                crate::command::plural(total, "file"),
                if total == 1 { "is" } else { "are" },
                kinds.join(", ")
            )
        })
    }
}

/// Lists the inputs. Of directories only names are read, and the beginnings of files without extension.
pub(in crate::command) fn list(paths: &[PathBuf]) -> Result<Found> {
    let mut found = Found::default();
    for path in paths {
        if path == Path::new("-") {
            if found.inputs.contains(&Input::Stdin) {
                bail!("- is given twice, but stdin can be read only once");
            }
            found.inputs.push(Input::Stdin);
            continue;
        }
        match fs::metadata(path) {
            Ok(meta) if meta.is_dir() => {
                let pages = walk(path, &mut found.others);
                if pages.is_empty() {
                    let why = "the directory holds no pages (*.html, *.htm, *.xhtml)".to_owned();
                    found.inputs.push(Input::Broken(path.clone(), why));
                }
                found.inputs.extend(pages);
            }
            Ok(_) => found.inputs.push(Input::File(path.clone())),
            Err(error) => found.inputs.push(Input::Broken(path.clone(), error.to_string())),
        }
    }
    Ok(found)
}

/// The pages below a directory, sorted by path, and in their places what cannot be read. Hidden names are left out.
fn walk(root: &Path, others: &mut BTreeMap<String, u64>) -> Vec<Input> {
    let mut pages: Vec<(PathBuf, Option<String>)> = Vec::new();
    // Real paths of the directories above, so that a symbolic link to one of them is not followed for ever.
    let mut above: Vec<PathBuf> = Vec::new();
    let mut open = vec![(root.to_path_buf(), 0)];
    while let Some((dir, level)) = open.pop() {
        above.truncate(level);
        let entries = fs::canonicalize(&dir).and_then(|real| {
            let again = above.contains(&real);
            above.push(real);
            if again { Ok(Vec::new()) } else { fs::read_dir(&dir)?.map(|entry| Ok(entry?.path())).collect() }
        });
        let entries = match entries {
            Ok(entries) => entries,
            Err(error) => {
                pages.push((dir, Some(error.to_string())));
                continue;
            }
        };
        for path in entries {
            if path.file_name().is_some_and(|name| name.as_encoded_bytes().starts_with(b".")) {
                continue;
            }
            match fs::metadata(&path) {
                Ok(meta) if meta.is_dir() => open.push((path, level + 1)),
                Ok(meta) if meta.is_file() => match kind(&path) {
                    Ok(None) => pages.push((path, None)),
                    Ok(Some(other)) => *others.entry(other).or_default() += 1,
                    Err(error) => pages.push((path, Some(error.to_string()))),
                },
                Ok(_) => *others.entry("special".to_owned()).or_default() += 1,
                Err(error) => pages.push((path, Some(error.to_string()))),
            }
        }
    }
    pages.sort();
    let input = |(path, why)| match why {
        None => Input::File(path),
        Some(why) => Input::Broken(path, why),
    };
    pages.into_iter().map(input).collect()
}

/// Nothing for a page; for another file the kind that it is counted as.
fn kind(path: &Path) -> std::io::Result<Option<String>> {
    let plain = unpacked(path);
    let Some(extension) = plain.extension() else {
        if plain != path {
            return Ok(Some(".gz".to_owned()));
        }
        let mut head = Vec::new();
        File::open(path)?.take(1024).read_to_end(&mut head)?;
        // Under this type the bytes decide.
        let is = is_page(Some("application/octet-stream"), &head);
        return Ok((!is).then(|| "without extension".to_owned()));
    };
    let extension = extension.to_string_lossy().to_ascii_lowercase();
    let is = matches!(extension.as_str(), "html" | "htm" | "xhtml" | "xht" | "shtml");
    Ok((!is).then(|| format!(".{extension}{}", if plain == path { "" } else { ".gz" })))
}

/// The path without `.gz`.
fn unpacked(path: &Path) -> PathBuf {
    let is_packed = path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("gz"));
    if is_packed { path.with_extension("") } else { path.to_path_buf() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_are_stems() {
        for (path, id) in [("a/b.html", "b"), ("b.c.html.gz", "b.c"), ("README", "README"), ("x.gz", "x"), ("..", "..")]
        {
            assert_eq!(Input::File(path.into()).id(), id);
        }
        assert_eq!(Input::Stdin.id(), "stdin");
    }
}
