//! What each page looks like to its site, as the store keeps it until the page changes.
//!
//! A page is looked at when it is learned and is in memory anyway, or when it is mined.

use super::mine_lists;
use crate::article::tables_stamp;
use crate::dom::{Dom, PageLinks, links_in, parse_page};
use crate::records::PageLists;
use crate::site::PageView;
use crate::store::{PageId, PageLooks, PageRecord, SiteStore, StoreError};
use url::Url;

/// Changes when views are made or written in another way.
const VIEW_VERSION: u64 = 5;

/// What a page looks like, as the store keeps it: its view, and its lists where it is a list by itself, so that it need not be
/// parsed again for them.
pub(super) fn look(dom: &Dom, url: &Url, links: &PageLinks) -> PageLooks {
    let view = PageView::with_links(dom, url, links);
    let lists = view.is_list_alone().then(|| mine_lists::encode(&PageLists::new(dom)));
    PageLooks { view: encode(&view), lists }
}

/// A page whose URL is none: a view without blocks and links.
pub(super) fn no_look() -> PageLooks {
    PageLooks { view: encode(&PageView::default()), lists: None }
}

/// Looks at a stored page.
pub(super) fn look_at(site: &SiteStore, record: &PageRecord) -> Result<PageLooks, StoreError> {
    let page = site.read_page(record)?;
    let (dom, charset) = parse_page(&page);
    let Ok(url) = Url::parse(&page.url) else { return Ok(no_look()) };
    Ok(look(&dom, &url, &links_in(&dom, &url, charset)))
}

/// Views begin with a stamp: those that another version or another classifier made are of no use.
fn stamp() -> [u8; 8] {
    tables_stamp().wrapping_add(VIEW_VERSION).to_le_bytes()
}

fn encode(view: &PageView) -> Vec<u8> {
    let mut bytes = stamp().to_vec();
    // Writing to memory does not fail.
    bytes.extend(postcard::to_stdvec(view).unwrap_or_default());
    bytes
}

/// The view of a page, if the store has one that is of use.
pub(super) fn view(site: &SiteStore, id: PageId) -> Result<Option<PageView>, StoreError> {
    let bytes = site.view(id)?;
    Ok(bytes.and_then(|bytes| postcard::from_bytes(bytes.strip_prefix(&stamp())?).ok()))
}

/// The view of a page that was looked at; where it is gone all the same the store is damaged.
pub(super) fn seen_view(site: &SiteStore, id: PageId) -> Result<PageView, StoreError> {
    view(site, id)?.ok_or_else(|| site.damaged_view())
}
