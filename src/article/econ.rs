//! ECON (Guo et al. 2010): the content of a news page by its punctuation.

use super::Selection;
use crate::dom::Dom;

/// The content of a news page.
pub(super) fn select(dom: &Dom) -> Selection {
    Selection::new(dom, dom.ids())
}
