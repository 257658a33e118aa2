//! What all pages of a report share: head, policy, navigation.
//!
//! Style and script stand in each page and are named in its policy by their hashes, so that a single file can be moved or
//! mailed and still works, from `file://` too, where policies that name "this site" mean nothing.

use super::escape::{Bdi, Text};
use data_encoding::BASE64;
use sha2::{Digest, Sha256};
use std::fmt::Write as _;
use std::sync::LazyLock;

/// The style of the report's pages.
const STYLE: &str = include_str!("assets/style.css");
/// Sorting, filtering and folding; and the counters of a running crawl.
const SCRIPT: &str = include_str!("assets/script.js");
/// The style inside frames.
pub(super) const FRAME_STYLE: &str = include_str!("assets/frame.css");

/// The pages that every site has, in the order of the menu: file and name.
const MENU: [(&str, &str); 5] = [
    ("index.html", "Overview"),
    ("pages.html", "Pages"),
    ("terms.html", "Terms"),
    ("template.html", "Template"),
    ("rules.html", "Rules"),
];

fn hash_of(text: &str) -> String {
    format!("'sha256-{}'", BASE64.encode(&Sha256::digest(text)))
}

/// The policy inside frames: nothing but their style.
pub(super) fn frame_policy() -> &'static str {
    static POLICY: LazyLock<String> =
        LazyLock::new(|| format!("default-src 'none'; style-src {}", hash_of(FRAME_STYLE)));
    &POLICY
}

/// The content security policy of a page: its own style and script, the style of its frames, and nothing else. A live page may
/// ask its own server as well.
pub fn policy(live: bool) -> &'static str {
    static POLICIES: LazyLock<[String; 2]> = LazyLock::new(|| {
        let [style, frame, script] = [STYLE, FRAME_STYLE, SCRIPT].map(hash_of);
        let policy = |connect: &str| {
            format!(
                "default-src 'none'; style-src {style} {frame}; script-src {script};{connect} base-uri 'none'; form-action 'none'"
            )
        };
        [policy(""), policy(" connect-src 'self';")]
    });
    &POLICIES[usize::from(live)]
}

/// A page of the report, but for its body.
#[derive(Clone, Copy, Debug)]
pub(super) struct Shell<'a> {
    /// What it is about.
    pub(super) title: &'a str,
    /// The site's key; empty for the list of sites.
    pub(super) site: &'a str,
    /// The entry of the menu that it is, or is below.
    pub(super) file: &'a str,
    /// From it to the folder of the site: empty or `../`.
    pub(super) up: &'a str,
    /// From the folder of the site to the list of sites, where there is one.
    pub(super) sites: Option<&'a str>,
    /// Whether a crawl runs that may be asked.
    pub(super) live: bool,
}

/// The whole page.
pub(super) fn page(shell: &Shell<'_>, body: &str) -> String {
    let mut out = String::with_capacity(body.len() + STYLE.len() + SCRIPT.len() + 2000);
    let of = if shell.site.is_empty() { String::new() } else { format!(" · {}", shell.site) };
    let _ = write!(
        out,
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<meta http-equiv=\"Content-Security-Policy\" \
         content=\"{}\">\n<meta name=\"referrer\" content=\"no-referrer\">\n<meta name=\"viewport\" \
         content=\"width=device-width, initial-scale=1\">\n<meta name=\"color-scheme\" content=\"light dark\">\n\
         <title>{}{} · wisdom</title>\n<style>{STYLE}</style>\n</head>\n<body>\n\
         <a class=\"skip\" href=\"#main\">Skip to the content</a>\n<header class=\"top\"><div class=\"brand\">",
        policy(shell.live),
        Text(shell.title),
        Text(&of),
    );
    match shell.sites {
        Some(sites) => {
            let _ = write!(out, "<a href=\"{}{sites}\">wisdom</a>", shell.up);
        }
        None => out.push_str("<span>wisdom</span>"),
    }
    if !shell.site.is_empty() {
        let _ = write!(out, " <span class=\"site\">{}</span>", Bdi(shell.site));
    }
    out.push_str("</div>");
    if !shell.site.is_empty() {
        out.push_str("<nav aria-label=\"Report\"><ul>");
        for (file, name) in MENU {
            let current = if file == shell.file { " aria-current=\"page\"" } else { "" };
            let _ = write!(out, "<li><a href=\"{}{file}\"{current}>{name}</a></li>", shell.up);
        }
        out.push_str("</ul></nav>");
    }
    let _ = write!(
        out,
        "</header>\n<main id=\"main\" tabindex=\"-1\">\n{body}\n</main>\n<script>{SCRIPT}</script>\n</body>\n</html>\n"
    );
    out
}
