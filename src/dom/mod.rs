//! A parsed page as a flat, frozen tree.
//!
//! [`decode`] turns bytes into text, [`Dom::parse`] turns text into a [`Dom`]; both always give an answer. What `dom`
//! does not know: the network, terms, scores. Scores live in side tables ([`NodeMap`]), never in the tree.
mod arena;
mod attr;
mod charset;
mod doubt;
mod flatten;
mod links;
mod names;
mod node_map;
mod parse;
mod path;
mod raw_text;
mod shown;
mod style_rules;
mod tag;
mod tokenize;

#[cfg(test)]
mod charset_tests;
#[cfg(test)]
mod hostile_tests;
#[cfg(test)]
mod tokenize_tests;

pub(crate) use arena::fold_space;
pub use arena::{Children, Dom, NodeId, is_obeyed};
pub use attr::Attr;
pub use charset::{CharsetSource, Decoded, decode, parse_page};
pub use links::{Link, LinkKind, PageLinks, RobotsMeta, links, links_in};
pub use node_map::NodeMap;
pub use path::{selector_path, tag_path};
pub use tag::Tag;
