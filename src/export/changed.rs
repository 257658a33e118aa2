//! [`Changed`]: what an earlier export to the same sink has sent, so that the next sends only what differs.
//!
//! A sink has a name; per name and site there is a file `STORE/.exports/SITE-HASH.state` of one line a document: a digest
//! of what was sent, the id and the URL. Its lines are in the order in which the store gives pages, so that the old file is
//! read and the new one written while the pages go by, whatever their number. The new file takes the old one's place once
//! the sink has finished: an export that was interrupted is made again from the state before it. The directory is none of
//! the site's, so that the state outlives `rebuild` and `crawl --fresh`.
//!
//! Some sinks take effect at once, such as a server. Of these the new file is a journal: each line is with the system before
//! its document goes out. What an interrupted export leaves of it is taken up by the next: all documents of the journal may
//! be in the sink, in whichever form, so that they are sent again, or taken back if they are gone meanwhile.
//!
//! What counts as changed is what a page says: its title, language, type, text, article, links and lists, and what it repeats.
//! That it was fetched again, or that scores moved since other pages did, is no
//! change.

use super::{Document, Draft, ExportError, Rejected};
use crate::store::{SiteStore, url_order};
use serde::Serialize;
use sha2::{Digest, Sha256};
use std::collections::BTreeSet;
use std::fs::{self, File};
use std::io::{BufRead, BufReader, Lines, Write};
use std::path::{Path, PathBuf};

/// A document that an earlier export has sent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Sent {
    /// Of what was sent, or [`UNKNOWN`].
    digest: String,
    pub(super) id: String,
    pub(super) url: String,
}

/// The state of one sink and site, old and new.
#[derive(Debug)]
pub struct Changed {
    path: PathBuf,
    /// What the new digests begin with: what a document's form depends on beside the document.
    settings: String,
    old: Option<Lines<BufReader<File>>>,
    next: Option<Sent>,
    new: Draft,
    /// Whether the sink takes effect at once.
    is_live: bool,
    unchanged: u64,
}

/// What the sink has of earlier exports.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Since {
    /// What the last one that finished has sent. One that was interrupted left no trace in the sink.
    Last,
    /// What the last one that finished has sent, and what others have sent before they were interrupted.
    LastLive,
    /// Nothing: it is made anew.
    Never,
}

/// What the first line of a state begins with.
const HEAD: &str = "wisdom-export-state-1 ";

/// What the name of a journal ends with, behind that of its state.
const JOURNAL: &str = ".sent";

/// In place of a digest: it is not known in which form the sink has the document, if at all.
const UNKNOWN: &str = "?";
/// In place of a digest, until the export is done: the document was taken back.
const TAKEN_BACK: &str = "-";

impl Changed {
    /// Opens the state of a sink by its name. `settings` is what a document's form depends on beside the document, such as the
    /// names of the fields: where it differs from the earlier export's, all documents count as changed. `since` says what is
    /// known of what the sink has.
    pub fn open(site: &SiteStore, key: &str, sink: &str, settings: &str, since: Since) -> Result<Self, ExportError> {
        let dir = site.exports_dir();
        fs::create_dir_all(&dir).map_err(ExportError::file("create", &dir))?;
        let hash = data_encoding::HEXLOWER.encode(&Sha256::digest(sink)[..8]);
        let path = dir.join(format!("{key}-{hash}.state"));
        // For people who wonder what the file is.
        let head = format!("{HEAD}{}", sink.replace(char::is_control, " "));
        let journal = super::output::with_ending(&path, JOURNAL);
        let is_live = since == Since::LastLive;
        if is_live {
            take_up(&path, &journal, &head)?;
        }
        let old = if since == Since::Never { None } else { lines_of(&path)? };
        let mut new = if is_live { Draft::begin_journal(&path, journal)? } else { Draft::begin(&path)? };
        writeln!(new, "{head}")?;
        new.flush()?;
        let mut changed = Self { path, settings: settings.to_owned(), old, next: None, new, is_live, unchanged: 0 };
        changed.advance()?;
        Ok(changed)
    }

    /// Forgets what was sent to the sink of any site: what it had is not there any more. To be called before the first
    /// [`commit`](Self::commit) of an export that made everything anew.
    pub fn forget(&self) -> Result<(), ExportError> {
        let name = self.path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        let (Some(dir), Some((_, sink))) = (self.path.parent(), name.rsplit_once('-')) else { return Ok(()) };
        for entry in fs::read_dir(dir).map_err(ExportError::file("read", dir))? {
            let path = entry.map_err(ExportError::file("read", dir))?.path();
            let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
            if name.rsplit_once('-').is_some_and(|(_, other)| other.strip_suffix(JOURNAL).unwrap_or(other) == sink) {
                fs::remove_file(&path).map_err(ExportError::file("remove", &path))?;
            }
        }
        Ok(())
    }

    /// Documents that were passed over because they had not changed.
    pub fn unchanged(&self) -> u64 {
        self.unchanged
    }

    fn advance(&mut self) -> Result<(), ExportError> {
        self.next = None;
        if let Some(line) = self.old.as_mut().and_then(Iterator::next) {
            let line = line.map_err(ExportError::file("read", &self.path))?;
            self.next = Some(parse(&line).ok_or_else(|| damaged(&self.path))?);
        }
        Ok(())
    }

    /// Writes a line. If the sink takes effect at once, the line is out before that.
    fn line(&mut self, digest: &str, id: &str, url: &str) -> Result<(), ExportError> {
        writeln!(self.new, "{digest} {id} {url}")?;
        if self.is_live {
            self.new.flush()?;
        }
        Ok(())
    }

    /// What was sent of a page, if it was. `gone` is given what was sent of pages before it that are no more; pages come in
    /// the order of the store.
    pub(super) fn meet(
        &mut self,
        url: &str,
        gone: &mut dyn FnMut(&Sent) -> Result<(), ExportError>,
    ) -> Result<Option<Sent>, ExportError> {
        let here = url_order(url);
        while let Some(sent) = self.next.take() {
            let order = url_order(&sent.url);
            if order > here {
                self.next = Some(sent);
                return Ok(None);
            }
            self.advance()?;
            if order == here {
                return Ok(Some(sent));
            }
            self.drop_later(&sent)?;
            gone(&sent)?;
        }
        Ok(None)
    }

    /// Gives `gone` all that is left.
    pub(super) fn end(&mut self, gone: &mut dyn FnMut(&Sent) -> Result<(), ExportError>) -> Result<(), ExportError> {
        while let Some(sent) = self.next.take() {
            self.advance()?;
            self.drop_later(&sent)?;
            gone(&sent)?;
        }
        Ok(())
    }

    /// Whether a document is what was sent; notes it for the next export.
    pub(super) fn note(&mut self, sent: Option<&Sent>, document: &Document) -> Result<bool, ExportError> {
        let digest = digest(&self.settings, document);
        let is_same = sent.is_some_and(|sent| sent.digest == digest);
        self.unchanged += u64::from(is_same);
        self.line(&digest, &document.id, &document.url)?;
        Ok(is_same)
    }

    /// Keeps what was sent of a page of which nothing can be said now.
    pub(super) fn keep(&mut self, sent: &Sent) -> Result<(), ExportError> {
        self.line(&sent.digest, &sent.id, &sent.url)
    }

    /// Notes that a document is to be taken back. The line is left out of the state once the sink has done so.
    pub(super) fn drop_later(&mut self, sent: &Sent) -> Result<(), ExportError> {
        self.line(TAKEN_BACK, &sent.id, &sent.url)
    }

    /// Puts the new state in place of the old one, once the sink has finished. What it rejected is tried again next time.
    pub fn commit(mut self, rejected: &[Rejected]) -> Result<(), ExportError> {
        self.new.flush()?;
        let written = self.new.written().to_path_buf();
        let rejected: BTreeSet<&str> = rejected.iter().map(|rejected| &*rejected.id).collect();
        let reader = BufReader::new(File::open(&written).map_err(ExportError::file("read", &written))?);
        let mut last = Draft::begin(&super::output::with_ending(&self.path, ".last"))?;
        for (at, line) in reader.lines().enumerate() {
            let line = line.map_err(ExportError::file("read", &written))?;
            match line.split_once(' ') {
                _ if at == 0 => writeln!(last, "{line}")?,
                Some((digest, rest)) => {
                    let id = rest.split(' ').next().unwrap_or_default();
                    if rejected.contains(id) {
                        writeln!(last, "{UNKNOWN} {rest}")?;
                    } else if digest != TAKEN_BACK {
                        writeln!(last, "{line}")?;
                    }
                }
                None => {}
            }
        }
        last.aim_at(self.path.clone());
        last.commit()?;
        if self.is_live {
            fs::remove_file(&written).map_err(ExportError::file("remove", &written))?;
        }
        Ok(())
    }
}

/// The lines of a state behind its head, if there is one.
fn lines_of(path: &Path) -> Result<Option<Lines<BufReader<File>>>, ExportError> {
    let mut lines = match File::open(path) {
        Ok(file) => BufReader::new(file).lines(),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(ExportError::file("read", path)(error)),
    };
    let head = lines.next().transpose().map_err(ExportError::file("read", path))?;
    if head.is_some_and(|head| head.starts_with(HEAD)) { Ok(Some(lines)) } else { Err(damaged(path)) }
}

/// Brings into the state what an export that was interrupted has noted in its journal, and removes that.
fn take_up(path: &Path, journal: &Path, head: &str) -> Result<(), ExportError> {
    let noted = match fs::metadata(journal) {
        // Whoever dies at once has sent nothing.
        Ok(file) if file.len() == 0 => None,
        Ok(_) => lines_of(journal)?,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(()),
        Err(error) => return Err(ExportError::file("read", journal)(error)),
    };
    let mut both = Draft::begin(path)?;
    writeln!(both, "{head}")?;
    let mut old = lines_of(path)?.into_iter().flatten().peekable();
    for line in noted.into_iter().flatten() {
        let line = line.map_err(ExportError::file("read", journal))?;
        // The last line may be cut: what it was for has not gone out.
        let Some(noted) = parse(&line) else { break };
        let here = url_order(&noted.url);
        while let Some(line) = old.next_if(|line| {
            line.as_ref().map_or(true, |line| parse(line).is_none_or(|sent| url_order(&sent.url) <= here))
        }) {
            let line = line.map_err(ExportError::file("read", path))?;
            let sent = parse(&line).ok_or_else(|| damaged(path))?;
            if url_order(&sent.url) < here {
                writeln!(both, "{line}")?;
            }
        }
        writeln!(both, "{UNKNOWN} {} {}", noted.id, noted.url)?;
    }
    for line in old {
        writeln!(both, "{}", line.map_err(ExportError::file("read", path))?)?;
    }
    both.commit()?;
    fs::remove_file(journal).map_err(ExportError::file("remove", journal))
}

fn parse(line: &str) -> Option<Sent> {
    let mut parts = line.splitn(3, ' ');
    let sent = Sent { digest: parts.next()?.to_owned(), id: parts.next()?.to_owned(), url: parts.next()?.to_owned() };
    Some(sent)
}

fn damaged(path: &Path) -> ExportError {
    ExportError::Unsuited(format!(
        "{} cannot be read; remove it, and the next export with --changed sends everything",
        path.display()
    ))
}

/// What a page says, for comparison.
#[derive(Serialize)]
struct Said<'a> {
    settings: &'a str,
    title: &'a str,
    lang: &'a str,
    page_type: &'a str,
    text: &'a str,
    article: Option<&'a super::Article>,
    links: Vec<(&'a str, &'a str)>,
    tables: Vec<&'a [Vec<String>]>,
    duplicate_of: Option<&'a str>,
}

fn digest(settings: &str, document: &Document) -> String {
    let toc = document.toc.iter().flat_map(|toc| &toc.links);
    let said = Said {
        settings,
        title: &document.title,
        lang: &document.lang,
        page_type: &document.page_type,
        text: &document.text,
        article: document.article.as_ref(),
        links: toc.map(|link| (&*link.url, &*link.text)).collect(),
        tables: document.records.iter().map(|list| list.table.as_slice()).collect(),
        duplicate_of: document.duplicate_of.as_deref(),
    };
    // Writing to memory does not fail.
    let bytes = postcard::to_stdvec(&said).unwrap_or_default();
    data_encoding::HEXLOWER.encode(&Sha256::digest(bytes)[..16])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::export::fixture::{Place, sample};

    fn page(name: &str, text: &str) -> Document {
        Document {
            id: format!("id-{name}"),
            url: format!("http://h.example/{name}"),
            text: text.to_owned(),
            ..sample()
        }
    }

    /// Goes through pages as an export does, up to `stop` of them; gives what is sent, and what is taken back.
    fn run(
        place: &Place,
        pages: &[Document],
        since: Since,
        stop: usize,
        rejected: Option<&[&str]>,
    ) -> (Vec<String>, Vec<String>) {
        let (mut sent, mut gone) = (Vec::new(), Vec::new());
        let mut changed = Changed::open(&place.site, "h.example", "sink", "", since).unwrap();
        let mut take_back = |old: &Sent| {
            gone.push(old.id.clone());
            Ok(())
        };
        for page in pages.iter().take(stop) {
            let before = changed.meet(&page.url, &mut take_back).unwrap();
            if !changed.note(before.as_ref(), page).unwrap() {
                sent.push(page.id.clone());
            }
        }
        if stop > pages.len() {
            changed.end(&mut take_back).unwrap();
            if let Some(rejected) = rejected {
                let rejected: Vec<Rejected> = (rejected.iter())
                    .map(|id| Rejected { id: (*id).to_owned(), url: String::new(), reason: String::new() })
                    .collect();
                changed.commit(&rejected).unwrap();
            }
        }
        (sent, gone)
    }

    /// An export to a file, which is given up at the end unless it is to be committed.
    fn pass(place: &Place, pages: &[Document], rejected: &[&str], commit: bool) -> (Vec<String>, Vec<String>) {
        run(place, pages, Since::Last, usize::MAX, commit.then_some(rejected))
    }

    /// An export to a server, which is killed after `stop` pages if there are so many.
    fn pass_live(place: &Place, pages: &[Document], stop: usize) -> (Vec<String>, Vec<String>) {
        run(place, pages, Since::LastLive, stop, Some(&[]))
    }

    #[test]
    fn only_what_differs_is_sent_again() {
        let place = Place::new();
        let all = [page("a", "1"), page("b", "1"), page("c", "1")];
        let none = Vec::<String>::new();
        // An export that does not finish leaves no trace.
        for _ in 0..2 {
            assert_eq!(pass(&place, &all, &[], false).0.len(), 3);
        }
        assert_eq!(pass(&place, &all, &[], true).0.len(), 3);
        assert_eq!(pass(&place, &all, &[], true), (none.clone(), none.clone()));
        let later = [page("aa", "1"), page("b", "2")];
        let wanted = (vec!["id-aa".to_owned(), "id-b".to_owned()], vec!["id-a".to_owned(), "id-c".to_owned()]);
        assert_eq!(pass(&place, &later, &[], false), wanted);
        // What was rejected, sent or taken back, comes again.
        assert_eq!(pass(&place, &later, &["id-b", "id-c"], true), wanted);
        assert_eq!(pass(&place, &later, &[], true), (vec!["id-b".to_owned()], vec!["id-c".to_owned()]));
        assert_eq!(pass(&place, &later, &[], true), (none.clone(), none));
        let files = fs::read_dir(place.site.exports_dir()).unwrap().count();
        assert_eq!(files, 1);
    }

    #[test]
    fn what_an_interrupted_export_has_sent_is_taken_back() {
        let place = Place::new();
        let names = |names: &str| names.split_whitespace().map(|name| format!("id-{name}")).collect::<Vec<_>>();
        let pages = |names: &str, text: &str| names.split_whitespace().map(|name| page(name, text)).collect::<Vec<_>>();
        // Each run is given pages, and after how many it is killed.
        assert_eq!(pass_live(&place, &pages("a b c d", "1"), 3), (names("a b c"), vec![]));
        assert_eq!(pass_live(&place, &pages("a c d", "1"), 1), (names("a"), vec![]));
        assert_eq!(pass_live(&place, &pages("aa c d", "1"), 9), (names("aa c d"), names("a b")));
        assert_eq!(pass_live(&place, &pages("aa c d", "1"), 9), (vec![], vec![]));
        // What is the same, and what was taken back, may be in the sink as well or not.
        assert_eq!(pass_live(&place, &pages("c d", "1"), 1), (vec![], names("aa")));
        assert_eq!(pass_live(&place, &pages("aa c d", "1"), 9), (names("aa c"), vec![]));
        assert_eq!(fs::read_dir(place.site.exports_dir()).unwrap().count(), 1);
        // A line that was cut is of a document that was not sent.
        assert_eq!(pass_live(&place, &pages("a c", "2"), 1), (names("a"), vec![]));
        let journal = fs::read_dir(place.site.exports_dir()).unwrap().map(|entry| entry.unwrap().path());
        let journal = journal.into_iter().find(|path| path.to_string_lossy().ends_with(JOURNAL)).unwrap();
        let mut text = fs::read_to_string(&journal).unwrap();
        text.push_str("0123");
        fs::write(&journal, text).unwrap();
        assert_eq!(pass_live(&place, &pages("aa c d", "1"), 9), (vec![], names("a")));
        // What is made anew has no use for a journal.
        pass_live(&place, &pages("a", "1"), 1);
        let anew = Changed::open(&place.site, "h.example", "sink", "", Since::Never).unwrap();
        anew.forget().unwrap();
        anew.commit(&[]).unwrap();
        assert_eq!(fs::read_dir(place.site.exports_dir()).unwrap().count(), 1);
    }

    #[test]
    fn a_sink_made_anew_has_nothing_of_any_site() {
        let place = Place::new();
        let open = |key: &str, sink: &str| Changed::open(&place.site, key, sink, "", Since::Last).unwrap();
        for (key, sink) in [("h.example", "sink"), ("other.example", "sink"), ("h.example", "else")] {
            open(key, sink).commit(&[]).unwrap();
        }
        let anew = Changed::open(&place.site, "h.example", "sink", "", Since::Never).unwrap();
        anew.forget().unwrap();
        anew.commit(&[]).unwrap();
        // Its own state and that of the other sink.
        assert_eq!(fs::read_dir(place.site.exports_dir()).unwrap().count(), 2);
    }

    #[test]
    fn scores_and_times_are_no_change() {
        let mut later = sample();
        later.fetched_at.push('x');
        later.blocks[0].score += 1.0;
        later.toc.as_mut().unwrap().links[0].score = 0.0;
        let of = |document: &Document, settings: &str| digest(settings, document);
        assert_eq!(of(&later, ""), of(&sample(), ""));
        assert_ne!(of(&later, "fields"), of(&sample(), ""));
        later.toc = None;
        assert_ne!(of(&later, ""), of(&sample(), ""));
    }

    #[test]
    fn a_damaged_state_is_told() {
        let place = Place::new();
        pass(&place, &[page("a", "1")], &[], true);
        let path = fs::read_dir(place.site.exports_dir()).unwrap().next().unwrap().unwrap().path();
        for text in ["other\n", "wisdom-export-state-1 sink\nno\n"] {
            fs::write(&path, text).unwrap();
            let error = Changed::open(&place.site, "h.example", "sink", "", Since::Last).unwrap_err().to_string();
            assert!(error.contains("remove it"), "{error}");
        }
    }
}
