//! temp
#![allow(missing_docs, missing_debug_implementations, dead_code)]
use crate::dom::*;
use url::Url;
pub struct Selection(Vec<NodeId>);
impl Selection { pub fn new(_d: &Dom, n: impl IntoIterator<Item = NodeId>) -> Self { Self(n.into_iter().collect()) } }
pub struct Metadata { pub title: Option<String>, pub date: Option<String>, pub author: Option<String> }
pub fn text(dom: &Dom, s: &Selection) -> String {
    let mut text = String::new(); let mut last = usize::MAX;
    for &id in &s.0 { if dom.is_text(id) && !dom.is_hidden(id) { let r = dom.text_range(id).unwrap_or_default(); if r.start != last { text.push('\n'); } text.push_str(dom.text(id)); last = r.end; } }
    text.lines().map(fold_space).filter(|l| !l.is_empty()).collect::<Vec<_>>().join("\n")
}
pub fn html(_d: &Dom, _s: &Selection, _b: &Url) -> String { String::new() }
pub fn markdown(_d: &Dom, _s: &Selection, _b: &Url) -> String { String::new() }
pub fn meta(_d: &Dom, _b: &Url) -> Metadata { Metadata { title: None, date: None, author: None } }
