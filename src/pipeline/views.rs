//! What each page looks like to its site, as the store keeps it until the page changes.
//!
//! A page is looked at when it is learned and is in memory anyway, or when it is mined.

use crate::article::tables_stamp;
use crate::dom::{Dom, parse_page};
use crate::site::PageView;
use crate::store::{PageId, PageRecord, SiteStore, StoreError};
use url::Url;

/// Changes when views are made or written in another way.
const VIEW_VERSION: u64 = 5;

/// The view of a page as the store keeps it. `charset` is the one its links are encoded in.
pub(super) fn look(dom: &Dom, url: &str, charset: &str) -> Vec<u8> {
    encode(&new_view(dom, url, charset))
}

/// A view of no blocks and links where the URL is none.
fn new_view(dom: &Dom, url: &str, charset: &str) -> PageView {
    Url::parse(url).map(|url| PageView::new(dom, &url, charset)).unwrap_or_default()
}

/// Looks at a stored page.
pub(super) fn view_of(site: &SiteStore, record: &PageRecord) -> Result<PageView, StoreError> {
    let page = site.read_page(record)?;
    let (dom, charset) = parse_page(&page);
    Ok(new_view(&dom, &page.url, charset))
}

/// Views begin with a stamp: those that another version or another classifier made are of no use.
fn stamp() -> [u8; 8] {
    tables_stamp().wrapping_add(VIEW_VERSION).to_le_bytes()
}

pub(super) fn encode(view: &PageView) -> Vec<u8> {
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
