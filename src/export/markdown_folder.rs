//! [`MarkdownFolder`]: a Markdown file a page, with YAML front matter, in a folder a site.
//!
//! The name of a file is made of the last part of its URL's path and the begin of its id, of nothing but `a` to `z`, digits and
//! `-`: it is a name on every system, stands in the folder whatever the URL holds, is the same each time, and is no other
//! page's.

use super::fields::Field;
use super::output::is_ours;
use super::{Document, Draft, ExportError, Fields, FolderDraft, Outgoing, Sink, Summary, json_line};
use serde_json::Value;
use std::fmt::Write as _;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use url::Url;

/// Pages as files.
#[derive(Debug)]
pub struct MarkdownFolder {
    fields: Fields,
    way: Way,
    /// The folder of the site at hand.
    site: PathBuf,
    summary: Summary,
}

#[derive(Debug)]
enum Way {
    /// A new folder that takes its place when it is complete.
    Anew(FolderDraft),
    /// Each file takes its place in the folder at once.
    InPlace(PathBuf),
}

/// What the mark of our folders says.
const FORMAT: &str = "markdown";

impl MarkdownFolder {
    /// A folder at `path`. Where only changes are exported, an earlier export's folder is brought up to date file by file;
    /// otherwise it is replaced as a whole.
    pub fn new(fields: Fields, path: &Path, only_changes: bool) -> Result<Self, ExportError> {
        let way = if only_changes && is_ours(path, FORMAT) {
            Way::InPlace(path.to_path_buf())
        } else {
            Way::Anew(FolderDraft::begin(path, FORMAT)?)
        };
        // They are below the front matter.
        let fields = fields.without(&[Field::Text, Field::Markdown, Field::Html, Field::Article]);
        Ok(Self { fields, way, site: PathBuf::new(), summary: Summary::default() })
    }

    /// Whether `path` holds what an earlier export has made, so that it can be brought up to date.
    pub fn is_there(path: &Path) -> bool {
        is_ours(path, FORMAT)
    }
}

impl Sink for MarkdownFolder {
    fn begin(&mut self, key: &str, _site: &crate::store::SiteStore) -> Result<(), ExportError> {
        let root = match &self.way {
            Way::Anew(draft) => draft.path(),
            Way::InPlace(path) => path,
        };
        self.site = root.join(plain(key, LONGEST_NAME));
        fs::create_dir_all(&self.site).map_err(ExportError::file("create", &self.site))
    }

    fn write(&mut self, page: &Outgoing<'_>) -> Result<(), ExportError> {
        let document = page.document;
        let path = self.site.join(file_name(&document.id, &document.url));
        let text = file(&self.fields, document);
        match self.way {
            // The folder as a whole is renamed later.
            Way::Anew(_) => fs::write(&path, text).map_err(ExportError::file("write", &path))?,
            Way::InPlace(_) => {
                let mut draft = Draft::begin(&path)?;
                draft.write_all(text.as_bytes())?;
                draft.commit()?;
            }
        }
        self.summary.written += 1;
        Ok(())
    }

    fn remove(&mut self, id: &str, url: &str) -> Result<(), ExportError> {
        let path = self.site.join(file_name(id, url));
        match fs::remove_file(&path) {
            Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
                return Err(ExportError::file("remove", &path)(error));
            }
            _ => {}
        }
        self.summary.removed += 1;
        Ok(())
    }

    fn has_lost(&self, id: &str, url: &str) -> bool {
        // A folder made anew has none of its files yet, and is asked for none.
        matches!(self.way, Way::InPlace(_)) && !self.site.join(file_name(id, url)).exists()
    }

    fn finish(self: Box<Self>) -> Result<Summary, ExportError> {
        if let Way::Anew(draft) = self.way {
            draft.commit()?;
        }
        Ok(self.summary)
    }
}

/// Bytes of a name at most, before the id.
const LONGEST_NAME: usize = 60;
/// Digits of the id in a name: 64 bits, so that no two of a site's pages share them.
const ID_DIGITS: usize = 16;

fn file_name(id: &str, url: &str) -> String {
    let parsed = Url::parse(url).ok();
    let last = parsed.as_ref().and_then(|url| url.path_segments()?.rev().find(|part| !part.is_empty()));
    let stem = last.map_or("", |last| last.rsplit_once('.').map_or(last, |(stem, _)| stem));
    let mut name = plain(stem, LONGEST_NAME);
    if name.is_empty() {
        "index".clone_into(&mut name);
    }
    format!("{name}-{}.md", plain(id, ID_DIGITS))
}

/// The letters and digits of a text in lower case, runs of anything else as one `-`.
fn plain(text: &str, longest: usize) -> String {
    let mut name = String::new();
    for c in text.chars().filter(|c| !c.is_control()) {
        if name.len() >= longest {
            break;
        }
        match c.to_ascii_lowercase() {
            c @ ('a'..='z' | '0'..='9') => name.push(c),
            _ if name.ends_with('-') || name.is_empty() => {}
            _ => name.push('-'),
        }
    }
    name.truncate(name.trim_end_matches('-').len());
    name
}

/// The whole file of a document.
fn file(fields: &Fields, document: &Document) -> String {
    let mut out = String::from("---\n");
    // A document is a map with string keys, so that this cannot fail.
    let values = serde_json::to_value(fields.of(document)).unwrap_or_default();
    for name in fields.names() {
        if let Some(value) = values.get(name).filter(|value| **value != Value::Null) {
            out.push_str(name);
            out.push_str(": ");
            // JSON with all that YAML takes for a line end escaped is YAML.
            push_yaml(&mut out, &json_line(value));
        }
    }
    out.push_str("---\n\n");
    let markdown = document.article.as_ref().map_or("", |article| article.markdown.trim());
    out.push_str(markdown);
    if !markdown.is_empty() {
        out.push('\n');
    }
    if document.page_type == "toc"
        && let Some(toc) = &document.toc
    {
        if !markdown.is_empty() {
            out.push('\n');
        }
        for link in &toc.links {
            out.push_str("- [");
            for c in link.text.chars() {
                match c {
                    '[' | ']' | '\\' | '`' | '*' | '_' | '<' | '!' | '&' => out.extend(['\\', c]),
                    c if c.is_control() => out.push(' '),
                    c => out.push(c),
                }
            }
            out.push_str("](<");
            out.push_str(&link.url.replace('<', "%3C").replace('>', "%3E").replace(char::is_whitespace, "%20"));
            out.push_str(">)\n");
        }
    }
    out
}

/// Characters that YAML does not take as they are, though JSON does.
fn push_yaml(out: &mut String, json: &str) {
    for c in json.chars() {
        if matches!(c, '\u{fffe}' | '\u{ffff}' | '\u{feff}') {
            let _ = write!(out, "\\u{:04x}", u32::from(c));
        } else {
            out.push(c);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::export::fixture::{HOSTILE, Place, hostile, sample};

    #[test]
    fn names_are_names_everywhere() {
        let id = "00ff00ff00ff00ff00ff00ff00ff00ff";
        for (url, wanted) in [
            ("http://h.example/", "index"),
            ("http://h.example/a/Page.HTML?x=1", "page"),
            ("http://h.example/a/b/", "b"),
            ("http://h.example/..%2f..%2fetc%2fpasswd", "2f"),
            ("http://h.example/con", "con"),
            ("http://h.example/a%00b%0a:c|d.", "a-00b-0a-c-d"),
            ("http://h.example/%E6%B8%AF", "e6-b8-af"),
            ("no url", "index"),
        ] {
            let name = file_name(id, url);
            assert_eq!(name.strip_suffix("-00ff00ff00ff00ff.md"), Some(wanted), "{url}: {name}");
        }
        let long = file_name(id, &format!("http://h.example/{}", "long".repeat(500)));
        assert!(long.len() < 100, "{long}");
        assert_eq!(plain("h.example_8080", 60), "h-example-8080");
        assert_eq!(plain("../..", 60), "");
    }

    #[test]
    fn front_matter_holds_hostile_text_on_its_line() {
        let text = file(&Fields::named(["url", "title", "depth", "links"]).unwrap(), &hostile(1));
        let lines: Vec<&str> = text.split(['\n', '\r', '\u{85}', '\u{2028}', '\u{2029}']).collect();
        assert_eq!((lines[0], lines[5]), ("---", "---"));
        let title: String = serde_json::from_str(lines[2].strip_prefix("title: ").unwrap()).unwrap();
        assert_eq!(title, HOSTILE);
        assert_eq!((lines[3], lines[4]), ("depth: 1", "links: [\"http://h.example/next\"]"));
        assert!(text.ends_with("---\n\n## Head\n\nOne. Two.\n"));
    }

    #[test]
    fn lists_are_written_as_links() {
        let mut document = sample();
        document.page_type = "toc".to_owned();
        document.article = None;
        document.toc.as_mut().unwrap().links[0].text = "a [b] <c>".to_owned();
        let text = file(&Fields::named(["id"]).unwrap(), &document);
        assert!(text.ends_with("---\n\n- [a \\[b\\] \\<c>](<http://h.example/next>)\n"), "{text}");
    }

    #[test]
    fn a_folder_is_made_anew_or_brought_up_to_date() {
        let place = Place::new();
        let path = place.dir.path().join("out");
        let names = || {
            let mut names: Vec<String> = (fs::read_dir(path.join("h-example")).unwrap())
                .map(|entry| entry.unwrap().file_name().into_string().unwrap())
                .collect();
            names.sort();
            names
        };
        let sink = |changes| Box::new(MarkdownFolder::new(Fields::default(), &path, changes).unwrap());
        let half = sink(false);
        assert!(!path.exists());
        drop(half);
        assert!(!MarkdownFolder::is_there(&path));
        place.send(sink(true), &[sample(), hostile(1)], &[]);
        assert_eq!(names(), ["1-0000000000000000.md", "a-00ff00ff00ff00ff.md"]);
        let gone = sample();
        place.send(sink(true), &[], &[(&gone.id, &gone.url), ("none", "http://h.example/none")]);
        assert_eq!(names(), ["1-0000000000000000.md"]);
        place.send(sink(false), &[sample()], &[]);
        assert_eq!(names(), ["a-00ff00ff00ff00ff.md"]);
    }
}
