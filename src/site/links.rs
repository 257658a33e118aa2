//! Links as a site sees them: one key for all spellings of a target, and lists that go on from page to page.

use crate::urls::identity;
use url::Url;
use xxhash_rust::xxh3::xxh3_64;

/// One key for a page, however the site spells its URL: http or https, with or without `index.html` and the last slash.
pub fn canonical(url: &Url) -> u64 {
    let text = identity(url);
    let bare = text.split_once("://").map_or(&*text, |(_, rest)| rest);
    let (path, query) = bare.split_once('?').map_or((bare, ""), |(path, query)| (path, query));
    let path = ["index.html", "index.htm", "index.php"].iter().find_map(|file| path.strip_suffix(file)).unwrap_or(path);
    let path = path.trim_end_matches('/');
    xxh3_64(format!("{path}?{query}").as_bytes())
}

/// Names of the parameters that number the pages of a list. Not `p`: it is as often the number of an article.
const PAGE_NAMES: [&str; 10] =
    ["page", "paged", "pg", "start", "offset", "seite", "pagina", "pagenum", "cpage", "pageno"];

/// The list that a URL is a page of: its path and parameters without a page number. Two URLs with the same are pages of
/// one list, and a link from one to the other is pagination.
pub(super) fn series(url: &Url) -> u64 {
    let path = url.path().trim_end_matches('/');
    // /page/2, /page-2 or /page2 at the end.
    let numberless = path.trim_end_matches(|c: char| c.is_ascii_digit());
    let path = if numberless.len() < path.len() {
        let name = numberless.trim_end_matches(['/', '-', '_']);
        let (folder, last) = name.rsplit_once('/').unwrap_or(("", name));
        if PAGE_NAMES.contains(&last.to_ascii_lowercase().as_str()) { folder } else { path }
    } else {
        path
    };
    let mut query: Vec<String> = url
        .query_pairs()
        .filter(|(name, value)| !(PAGE_NAMES.contains(&&**name) && value.bytes().all(|b| b.is_ascii_digit())))
        .map(|(name, value)| format!("{name}={value}"))
        .collect();
    query.sort_unstable();
    xxh3_64(
        format!("{}{}?{}", url.host_str().unwrap_or_default(), path.trim_end_matches('/'), query.join("&")).as_bytes(),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn url(text: &str) -> Url {
        Url::parse(text).expect("a URL")
    }

    #[test]
    fn spellings_of_a_page_have_one_key() {
        let key = canonical(&url("http://h.test/a/"));
        for same in ["https://h.test/a", "http://h.test/a/index.html", "http://h.test/a#x"] {
            assert_eq!(canonical(&url(same)), key, "{same}");
        }
        for other in ["http://h.test/b", "http://h.test/a?x=1", "http://g.test/a"] {
            assert_ne!(canonical(&url(other)), key, "{other}");
        }
    }

    #[test]
    fn pages_of_a_list_are_one_series() {
        let list = series(&url("http://h.test/news/"));
        for same in [
            "http://h.test/news/page/2/",
            "http://h.test/news?page=3",
            "http://h.test/news/page-4",
            "http://h.test/news",
        ] {
            assert_eq!(series(&url(same)), list, "{same}");
        }
        for other in [
            "http://h.test/news/2/",
            "http://h.test/news?id=3",
            "http://h.test/news/page/",
            "http://h.test/old/page/2",
            "http://h.test/news?p=3",
        ] {
            assert_ne!(series(&url(other)), list, "{other}");
        }
    }
}
