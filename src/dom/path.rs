//! Where a node stands, as text.

use super::{Attr, Dom, NodeId};
use std::fmt::Write as _;

/// The tags from the root to the node without positions, as `html/body/ul/li/a`: the same for all items of a list. Time
/// linear in the depth.
pub fn tag_path(dom: &Dom, id: NodeId) -> String {
    let mut tags: Vec<&str> = vec![dom.tag(id).name()];
    tags.extend(dom.ancestors(id).filter(|&up| dom.parent(up).is_some()).map(|up| dom.tag(up).name()));
    tags.reverse();
    tags.join("/")
}

/// A path that names the node for people: tags with id or first class, from below `html`, the deepest eight of them.
pub fn selector_path(dom: &Dom, id: NodeId) -> String {
    let mut steps: Vec<String> = Vec::new();
    for node in std::iter::once(id).chain(dom.ancestors(id)).filter(|&up| dom.parent(up).is_some()).take(8) {
        let mut step = dom.tag(node).name().to_owned();
        if let Some(value) = dom.attr(node, Attr::ID).filter(|v| is_plain(v)) {
            let _ = write!(step, "#{value}");
        } else if let Some(class) = dom.attr(node, Attr::CLASS).and_then(|v| v.split_whitespace().find(|c| is_plain(c)))
        {
            let _ = write!(step, ".{class}");
        }
        steps.push(step);
    }
    steps.reverse();
    steps.join(" > ")
}

fn is_plain(name: &str) -> bool {
    !name.is_empty() && name.len() <= 60 && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '-' || c == '_')
}
