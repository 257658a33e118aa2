//! From a link to the stored page behind it.

use crate::page::Fate;
use crate::store::{PageId, SiteStore, StoreError};
use url::Url;

/// Redirects followed from one link.
const MOST_HOPS: usize = 5;

/// The stored page that a link leads to: the page of its URL, what the site's redirects made of that, or the page that a
/// static server would send for it (`/a/` for `/a` and `/a/index.html`; http and https alike).
pub(super) fn resolve(site: &SiteStore, link: &Url) -> Result<Option<PageId>, StoreError> {
    let mut url = link.clone();
    for _ in 0..=MOST_HOPS {
        for spelling in spellings(&url) {
            if let Some((id, _)) = site.page(&spelling)? {
                return Ok(Some(id));
            }
        }
        match site.fate(url.as_str())?.map(|record| record.fate) {
            Some(Fate::Redirect { to, .. }) => match Url::parse(&to) {
                Ok(target) => url = target,
                Err(_) => return Ok(None),
            },
            _ => return Ok(None),
        }
    }
    Ok(None)
}

/// The URL as written, and the other ways a site writes it.
fn spellings(url: &Url) -> Vec<String> {
    let mut all = vec![url.as_str().to_owned()];
    let path = url.path();
    let other = if let Some(folder) = index_folder(path) {
        Some(folder.to_owned())
    } else if let Some(bare) = path.strip_suffix('/').filter(|bare| !bare.is_empty()) {
        Some(bare.to_owned())
    } else if !path.ends_with('/') && !path.rsplit('/').next().unwrap_or_default().contains('.') {
        Some(format!("{path}/"))
    } else {
        None
    };
    if let Some(other) = other {
        let mut changed = url.clone();
        changed.set_path(&other);
        all.push(changed.into());
    }
    for at in 0..all.len() {
        let swapped = match all[at].split_once("://") {
            Some(("http", rest)) => format!("https://{rest}"),
            Some(("https", rest)) => format!("http://{rest}"),
            _ => continue,
        };
        all.push(swapped);
    }
    all
}

/// The folder that an `index.html` stands for.
pub(super) fn index_folder(path: &str) -> Option<&str> {
    let folder = path.strip_suffix("index.html").or_else(|| path.strip_suffix("index.htm"))?;
    folder.ends_with('/').then_some(folder)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_ways_a_site_writes_a_url() {
        let all = |url: &str| spellings(&Url::parse(url).expect("test URL"));
        assert_eq!(all("http://h/a"), ["http://h/a", "http://h/a/", "https://h/a", "https://h/a/"]);
        assert_eq!(
            all("https://h/a/?p=1"),
            ["https://h/a/?p=1", "https://h/a?p=1", "http://h/a/?p=1", "http://h/a?p=1"]
        );
        assert_eq!(all("http://h/a/index.html")[1], "http://h/a/");
        assert_eq!(all("http://h/a.html"), ["http://h/a.html", "https://h/a.html"]);
        assert_eq!(all("http://h/"), ["http://h/", "https://h/"]);
    }
}
