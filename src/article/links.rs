//! Addresses of links and images, made absolute where that is possible.

use crate::dom::{Attr, Dom, NodeId};
use url::Url;

/// Longest address that is written, in bytes; longer ones are data in disguise.
const MAX_ADDRESS: usize = 4096;

/// Where an `a` leads; `None` where it leads nowhere that another page could lead to (`javascript:`, `data:`, broken).
/// Without a base, relative addresses stay as they are written.
pub(super) fn link(dom: &Dom, node: NodeId, base: Option<&Url>) -> Option<String> {
    resolve(dom.attr(node, Attr::HREF)?, base, &["http", "https", "mailto", "tel", "ftp"])
}

/// The address of an image: the best of `srcset` where `src` is missing, what a script would put in `src` (`data-src`) where
/// `src` is missing or holds the image itself or a placeholder.
pub(super) fn image(dom: &Dom, node: NodeId, base: Option<&Url>) -> Option<String> {
    let lazy =
        [Attr::DATA_SRC, Attr::DATA_ORIGINAL, Attr::DATA_LAZY_SRC].into_iter().find_map(|attr| dom.attr(node, attr));
    let source = dom.attr(node, Attr::SRC).filter(|src| lazy.is_none() || !is_placeholder(src));
    let set = [Attr::SRCSET, Attr::DATA_SRCSET].into_iter().find_map(|attr| dom.attr(node, attr)).and_then(best_of);
    [source, lazy, set, dom.attr(node, Attr::SRC)].into_iter().flatten().find_map(|src| web(src, base))
}

/// Whether an image only keeps the place of another that a script loads.
fn is_placeholder(address: &str) -> bool {
    let file = address.rsplit('/').next().unwrap_or(address).to_ascii_lowercase();
    let names = [
        "blank",
        "placeholder",
        "spacer",
        "lazy",
        "transparent",
        "loading",
        "pixel",
        "1x1",
        "grey.",
        "gray.",
        "loader",
    ];
    address.starts_with("data:") || names.iter().any(|name| file.contains(name))
}

/// The candidate of a `srcset` with the most pixels.
fn best_of(set: &str) -> Option<&str> {
    let mut best: Option<(&str, f64)> = None;
    let mut rest = set.trim_start();
    while !rest.is_empty() {
        // An address may hold commas, but ends at a blank; the size behind it ends at a comma.
        let end = rest.find(char::is_whitespace).unwrap_or(rest.len());
        let (address, behind) = rest.split_at(end);
        let (size, next) =
            if address.ends_with(',') { ("", behind) } else { behind.split_once(',').unwrap_or((behind, "")) };
        let size = size.trim().trim_end_matches(['w', 'x', 'h']).parse().unwrap_or(1.0);
        let address = address.trim_matches(',');
        if !address.is_empty() && best.is_none_or(|(_, most)| size > most) {
            best = Some((address, size));
        }
        rest = next.trim_start_matches(|c: char| c.is_whitespace() || c == ',');
    }
    best.map(|(address, _)| address)
}

/// An address of the web.
pub(super) fn web(address: &str, base: Option<&Url>) -> Option<String> {
    resolve(address, base, &["http", "https"])
}

fn resolve(address: &str, base: Option<&Url>, schemes: &[&str]) -> Option<String> {
    let address = address.trim();
    if address.is_empty() || address.len() > MAX_ADDRESS {
        return None;
    }
    let of_web = |url: &Url| schemes.contains(&url.scheme());
    match base {
        Some(base) => base.join(address).ok().filter(of_web).map(Into::into),
        None => match Url::parse(address) {
            Ok(url) => of_web(&url).then(|| url.into()),
            Err(url::ParseError::RelativeUrlWithoutBase) => {
                Some(address.chars().filter(|c| !c.is_control()).collect::<String>().replace(' ', "%20"))
            }
            Err(_) => None,
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dom::Tag;

    #[track_caller]
    fn check(html: &str, base: Option<&str>, want: Option<&str>) {
        let dom = Dom::parse(html);
        let base = base.map(|base| Url::parse(base).expect("a constant"));
        let found = dom.ids().find_map(|id| match dom.tag(id) {
            Tag::IMG => Some(image(&dom, id, base.as_ref())),
            Tag::A => Some(link(&dom, id, base.as_ref())),
            _ => None,
        });
        assert_eq!(found.flatten().as_deref(), want, "{html}");
    }

    #[test]
    fn the_image_that_is_meant() {
        check("<img src=a.png>", Some("https://e.org/x/"), Some("https://e.org/x/a.png"));
        check("<img src=data:image/gif;base64,x data-src=b.png>", None, Some("b.png"));
        check("<img src=/img/blank.gif data-original=//c.org/b.png>", None, Some("//c.org/b.png"));
        check("<img src=a.png data-src=b.png>", None, Some("a.png"));
        check("<img srcset='s.png 300w, m,1.png 800w,l.png 600w'>", None, Some("m,1.png"));
        check("<img srcset='s.png, l.png 2x'>", None, Some("l.png"));
        check("<img src=data:image/gif;base64,x>", None, None);
    }

    #[test]
    fn without_a_base_addresses_stay_as_they_are_written() {
        for written in ["../a?b=c#d", "/a", "//e.org/a", "#note", "a b"] {
            check(&format!("<a href='{written}'>x</a>"), None, Some(&written.replace(' ', "%20")));
        }
        check("<a href=' HTTPS://E.org/A '>x</a>", None, Some("https://e.org/A"));
        check("<a href='JavaScript:x()'>x</a>", None, None);
        check("<a href='data:x'>x</a>", Some("https://e.org/"), None);
    }
}
