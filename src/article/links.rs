//! Addresses of links and images, made absolute.

use crate::dom::{Attr, Dom, NodeId};
use url::Url;

/// Longest address that is written, in bytes; longer ones are data in disguise.
const MAX_ADDRESS: usize = 4096;

/// Where an `a` leads; `None` where it leads nowhere that another page could lead to (`javascript:`, `data:`, broken).
pub(super) fn link(dom: &Dom, node: NodeId, base: &Url) -> Option<String> {
    let url = resolve(dom.attr(node, Attr::HREF)?, base)?;
    matches!(url.scheme(), "http" | "https" | "mailto" | "tel" | "ftp").then(|| url.into())
}

/// The address of an image: `src`, or what a script would put there (`data-src`, the first of `srcset`) where `src` is
/// missing or holds the image itself.
pub(super) fn image(dom: &Dom, node: NodeId, base: &Url) -> Option<String> {
    let srcset = dom.attr(node, Attr::SRCSET).and_then(|set| set.split_whitespace().next());
    [dom.attr(node, Attr::SRC), dom.attr(node, Attr::DATA_SRC), srcset.map(|first| first.trim_end_matches(','))]
        .into_iter()
        .flatten()
        .find_map(|src| web(src, base))
}

/// An address of the web, made absolute.
pub(super) fn web(address: &str, base: &Url) -> Option<String> {
    let url = resolve(address, base)?;
    matches!(url.scheme(), "http" | "https").then(|| url.into())
}

fn resolve(address: &str, base: &Url) -> Option<Url> {
    let address = address.trim();
    if address.is_empty() || address.len() > MAX_ADDRESS {
        return None;
    }
    base.join(address).ok()
}
