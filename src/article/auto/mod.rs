//! The learned classifier of blocks.

use super::{Hints, Selection};
use crate::dom::Dom;

/// The main content of a page.
pub(super) fn select(dom: &Dom, _hints: &Hints<'_>) -> Selection {
    Selection::new(dom, dom.ids().filter(|&id| dom.is_text(id) && dom.text(id).len() > 40))
}
