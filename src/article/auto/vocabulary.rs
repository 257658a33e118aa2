//! What class names and ids tell: a small vocabulary that web developers of all countries use.

use aho_corasick::AhoCorasick;
use rustc_hash::FxHashMap;
use std::sync::LazyLock;

/// Kinds of names, as bits of a mask.
pub(super) const KINDS: [&str; 18] = [
    "content", "comment", "nav", "side", "foot", "head", "related", "share", "promo", "meta", "media", "modal",
    "thread", "product", "title", "summary", "list", "hidden",
];

/// Stems found anywhere in a name, each with the number of its kind.
const STEMS: [(&str, u8); 96] = [
    ("article", 0),
    ("content", 0),
    ("entry", 0),
    ("story", 0),
    ("prose", 0),
    ("markdown", 0),
    ("artikel", 0),
    ("main", 0),
    ("comment", 1),
    ("disqus", 1),
    ("respond", 1),
    ("kommentar", 1),
    ("discussion", 1),
    ("review", 1),
    ("responses", 1),
    ("comentario", 1),
    ("komment", 1),
    ("koment", 1),
    ("navi", 2),
    ("navbar", 2),
    ("menu", 2),
    ("breadcrumb", 2),
    ("toolbar", 2),
    ("crumb", 2),
    ("topbar", 2),
    ("skip", 2),
    ("editsection", 2),
    ("sidebar", 3),
    ("aside", 3),
    ("widget", 3),
    ("side-", 3),
    ("column", 3),
    ("right", 3),
    ("footer", 4),
    ("copyright", 4),
    ("legal", 4),
    ("bottom", 4),
    ("foot", 4),
    ("header", 5),
    ("masthead", 5),
    ("banner", 5),
    ("hero", 5),
    ("topper", 5),
    ("related", 6),
    ("recommend", 6),
    ("popular", 6),
    ("more", 6),
    ("teaser", 6),
    ("trending", 6),
    ("latest", 6),
    ("recent", 6),
    ("similar", 6),
    ("pagina", 6),
    ("pager", 6),
    ("also", 6),
    ("read-next", 6),
    ("most", 6),
    ("carousel", 6),
    ("share", 7),
    ("sharing", 7),
    ("social", 7),
    ("follow", 7),
    ("facebook", 7),
    ("twitter", 7),
    ("promo", 8),
    ("sponsor", 8),
    ("advert", 8),
    ("newsletter", 8),
    ("subscri", 8),
    ("signup", 8),
    ("outbrain", 8),
    ("taboola", 8),
    ("donat", 8),
    ("paywall", 8),
    ("regwall", 8),
    ("byline", 9),
    ("author", 9),
    ("dateline", 9),
    ("publish", 9),
    ("categor", 9),
    ("credit", 9),
    ("timestamp", 9),
    ("caption", 10),
    ("figure", 10),
    ("gallery", 10),
    ("photo", 10),
    ("image", 10),
    ("video", 10),
    ("cookie", 11),
    ("consent", 11),
    ("modal", 11),
    ("popup", 11),
    ("message", 12),
    ("thread", 12),
    ("topic", 12),
    ("product", 13),
];

/// Words that count only alone.
const WORDS: [(&str, u8); 79] = [
    ("post", 0),
    ("body", 0),
    ("text", 0),
    ("copy", 0),
    ("texte", 0),
    ("news", 0),
    ("detail", 0),
    ("details", 0),
    ("view", 0),
    ("reply", 1),
    ("replies", 1),
    ("comm", 1),
    ("nav", 2),
    ("tabs", 2),
    ("tab", 2),
    ("links", 2),
    ("toc", 2),
    ("subnav", 2),
    ("side", 3),
    ("rail", 3),
    ("left", 3),
    ("secondary", 3),
    ("col", 3),
    ("aux", 3),
    ("info", 9),
    ("terms", 4),
    ("contact", 4),
    ("bot", 4),
    ("top", 5),
    ("logo", 5),
    ("head", 5),
    ("hd", 5),
    ("next", 6),
    ("prev", 6),
    ("read", 6),
    ("box", 6),
    ("tags", 9),
    ("hot", 6),
    ("rank", 6),
    ("ranking", 6),
    ("like", 7),
    ("rss", 7),
    ("tools", 7),
    ("print", 7),
    ("email", 7),
    ("btn", 7),
    ("button", 7),
    ("vote", 12),
    ("ad", 8),
    ("ads", 8),
    ("adv", 8),
    ("cta", 8),
    ("dfp", 8),
    ("paywall", 8),
    ("alert", 8),
    ("meta", 9),
    ("date", 9),
    ("time", 9),
    ("tag", 9),
    ("source", 9),
    ("posted", 9),
    ("by", 9),
    ("cat", 9),
    ("bio", 9),
    ("img", 10),
    ("pic", 10),
    ("thumb", 10),
    ("media", 10),
    ("overlay", 11),
    ("dialog", 11),
    ("login", 11),
    ("gdpr", 11),
    ("form", 11),
    ("search", 11),
    ("forum", 12),
    ("price", 13),
    ("cart", 13),
    ("sku", 13),
    ("spec", 13),
];

/// More words that count only alone.
const MORE: [(&str, u8); 26] = [
    ("specs", 13),
    ("shop", 13),
    ("variant", 13),
    ("rating", 13),
    ("features", 13),
    ("feature", 13),
    ("faq", 0),
    ("title", 14),
    ("headline", 14),
    ("heading", 14),
    ("subtitle", 14),
    ("name", 14),
    ("summary", 15),
    ("lead", 15),
    ("intro", 15),
    ("excerpt", 15),
    ("desc", 15),
    ("description", 15),
    ("abstract", 15),
    ("deck", 15),
    ("dek", 15),
    ("lede", 15),
    ("card", 16),
    ("item", 16),
    ("list", 16),
    ("grid", 16),
];

/// Words of what is shown to some readers only.
const UNSEEN: [(&str, u8); 4] = [("hidden", 17), ("sr", 17), ("visually", 17), ("noprint", 17)];

/// Finds all stems in one pass.
#[allow(clippy::expect_used, reason = "a constant")]
static FINDER: LazyLock<AhoCorasick> = LazyLock::new(|| {
    AhoCorasick::builder()
        .ascii_case_insensitive(true)
        .build(STEMS.iter().map(|(stem, _)| *stem))
        .expect("the stems are short and few")
});

/// The words that count only alone.
static ALONE: LazyLock<FxHashMap<&'static str, u32>> = LazyLock::new(|| {
    let mut masks = FxHashMap::default();
    for (word, kind) in WORDS.iter().chain(&MORE).chain(&UNSEEN) {
        *masks.entry(*word).or_insert(0) |= 1 << kind;
    }
    masks
});

/// Bytes of the longest word that counts alone, or more.
const LONGEST: usize = 24;

/// The kinds of a class, id or role value, as a mask over [`KINDS`]. Time linear in the value, which is cut at 300 bytes.
pub(super) fn kinds(value: &str) -> u32 {
    let mut end = value.len().min(300);
    while !value.is_char_boundary(end) {
        end -= 1;
    }
    let value = &value[..end];
    let mut mask = 0;
    for found in FINDER.find_overlapping_iter(value) {
        mask |= 1 << STEMS[found.pattern().as_usize()].1;
    }
    let bytes = value.as_bytes();
    // A word in lower case, and its length; longer ones are in no list.
    let (mut word, mut len) = ([0_u8; LONGEST], 0);
    for at in 0..=bytes.len() {
        let letter = bytes.get(at).copied().filter(u8::is_ascii_alphabetic);
        let humps = letter.is_some_and(|b| b.is_ascii_uppercase()) && at > 0 && bytes[at - 1].is_ascii_lowercase();
        if (letter.is_none() || humps) && len > 0 {
            let known = word.get(..len).and_then(|word| std::str::from_utf8(word).ok());
            mask |= known.and_then(|word| ALONE.get(word)).copied().unwrap_or(0);
            len = 0;
        }
        if let Some(b) = letter {
            if let Some(place) = word.get_mut(len) {
                *place = b.to_ascii_lowercase();
            }
            len += 1;
        }
    }
    mask
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(value: &str) -> Vec<&'static str> {
        let mask = kinds(value);
        KINDS.iter().enumerate().filter(|(i, _)| mask & (1 << i) != 0).map(|(_, name)| *name).collect()
    }

    #[test]
    fn stems_count_anywhere_and_words_alone() {
        assert!(ALONE.keys().all(|word| word.len() <= LONGEST));
        assert_eq!(names("Article-Body"), ["content"]);
        assert_eq!(names("storyWithSidebar"), ["content", "side"]);
        assert_eq!(names("wp-block-ad"), ["promo"]);
        assert_eq!(names("header"), ["head"]);
        assert_eq!(names("shadow bread"), Vec::<&str>::new());
        assert_eq!(names("postDate"), ["content", "meta"]);
        assert_eq!(names("dialog"), ["modal"]);
        assert_eq!(names(&"é".repeat(400)), Vec::<&str>::new());
    }
}
