//! `wisdom search`.

use super::{Ended, language, plural, print};
use crate::args::Search;
use anyhow::Result;
use serde::Serialize;
use std::fmt::Write as _;
use std::io::IsTerminal;
use wisdom::dom::is_obeyed;
use wisdom::export::{Hit, QueryOptions, SearchIndex, json_line};

/// URLs of copies that are told for one page.
const TOLD_COPIES: usize = 3;

/// A hit as a JSON line.
#[derive(Serialize)]
struct Line<'a> {
    rank: usize,
    #[serde(flatten)]
    hit: &'a Hit,
}

pub(crate) fn run(args: &Search, talk: bool) -> Result<Ended> {
    let options = QueryOptions { lang: args.lang.as_deref().map(language).transpose()? };
    let index = SearchIndex::open(&args.index)?;
    index.check()?;
    let found = index.search(&args.query.join(" "), usize::from(args.limit), options)?;
    let is_terminal = std::io::stdout().is_terminal() && std::env::var_os("NO_COLOR").is_none_or(|no| no.is_empty());
    let mut out = String::new();
    for (at, hit) in found.best.iter().enumerate() {
        if args.json {
            out.push_str(&json_line(&Line { rank: at + 1, hit }));
        } else {
            if at > 0 {
                out.push('\n');
            }
            show(&mut out, at + 1, hit, is_terminal);
        }
    }
    let ended = print(out.as_bytes())?;
    if talk {
        match (found.matches, found.best.len()) {
            (0, _) => eprintln!("nothing found in {}", plural(index.len(), "document")),
            (matches, shown) => {
                let verb = if matches == 1 { "matches" } else { "match" };
                eprintln!("{} {verb}, {shown} shown", plural(matches as u64, "page"));
            }
        }
    }
    Ok(ended)
}

/// A hit for people. On a terminal what was looked for is bold, elsewhere it stands between asterisks.
fn show(out: &mut String, rank: usize, hit: &Hit, is_terminal: bool) {
    let (begin, end) = if is_terminal { ("\x1b[1m", "\x1b[0m") } else { ("*", "*") };
    // Titles and addresses are other people's, and a terminal obeys control characters and marks of direction.
    let plain = |text: &str| text.replace(is_obeyed, " ");
    let title = if hit.title.is_empty() { "(no title)".to_owned() } else { plain(&hit.title) };
    let date = hit.date.as_ref().map_or_else(String::new, |date| format!(" ({})", plain(date)));
    let _ = writeln!(out, "{rank}. {title}{date}\n   {}", plain(&hit.url));
    if !hit.snippet.is_empty() {
        out.push_str("   ");
        for piece in &hit.snippet {
            let text = plain(&piece.text);
            let _ = if piece.hit { write!(out, "{begin}{text}{end}") } else { write!(out, "{text}") };
        }
        out.push('\n');
    }
    for copy in hit.copies.iter().take(TOLD_COPIES) {
        let _ = writeln!(out, "   also at {}", plain(copy));
    }
    if hit.copies.len() > TOLD_COPIES {
        let _ = writeln!(out, "   and at {} more", plural((hit.copies.len() - TOLD_COPIES) as u64, "address"));
    }
}
