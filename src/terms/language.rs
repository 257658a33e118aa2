//! The language of a page: what its `html lang` says, checked against its text.

use super::script::{Class, class};
use crate::dom::{Attr, Dom, Tag};
use std::fmt;

/// A language by its ISO 639-1 code (639-3 where there is none), lower case; empty when unknown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Language([u8; 3]);

impl Language {
    /// No language could be told.
    pub const UNKNOWN: Self = Self([0; 3]);
    /// Chinese.
    pub const CHINESE: Self = Self(*b"zh\0");
    /// Japanese.
    pub const JAPANESE: Self = Self(*b"ja\0");
    /// English.
    pub const ENGLISH: Self = Self(*b"en\0");

    /// The language of a tag such as `en-GB` or `zh_TW`: its first part. Unknown where that is no code.
    pub fn from_tag(tag: &str) -> Self {
        let code = tag.trim().split(['-', '_', ',', ' ']).next().unwrap_or_default().to_ascii_lowercase();
        let code = match code.as_str() {
            "nb" | "nn" => "no",
            "cmn" | "zho" | "chi" => "zh",
            "jp" => "ja",
            other => other,
        };
        let bytes = code.as_bytes();
        match bytes {
            [a, b] => Self([*a, *b, 0]),
            [a, b, c] => Self([*a, *b, *c]),
            _ => Self::UNKNOWN,
        }
        .if_letters()
    }

    fn if_letters(self) -> Self {
        let ok = self.code().bytes().all(|b| b.is_ascii_lowercase());
        if ok { self } else { Self::UNKNOWN }
    }

    /// The code, e.g. `en`; empty when unknown.
    pub fn code(&self) -> &str {
        let len = self.0.iter().position(|&b| b == 0).unwrap_or(3);
        std::str::from_utf8(&self.0[..len]).unwrap_or_default()
    }

    /// Whether nothing is known.
    pub fn is_unknown(&self) -> bool {
        *self == Self::UNKNOWN
    }
}

impl fmt::Display for Language {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.code())
    }
}

/// Characters of text that are looked at.
const SAMPLE: usize = 1500;

/// The language of a page. Han and kana decide by themselves; else the text's trigrams, where they are sure; else `html
/// lang`; else the trigrams' best guess. Time bounded by a sample of the longest lines.
pub fn detect(dom: &Dom) -> Language {
    let hint = dom
        .ids()
        .find(|&id| dom.tag(id) == Tag::HTML)
        .and_then(|id| dom.attr(id, Attr::LANG))
        .map_or(Language::UNKNOWN, Language::from_tag);
    let sample = sample(dom.visible_text());
    let (mut han, mut kana, mut other) = (0_usize, 0_usize, 0_usize);
    for c in sample.chars() {
        match class(c) {
            Class::Han => han += 1,
            Class::Kana => kana += 1,
            Class::Letter | Class::Unspaced => other += 1,
            Class::Gap | Class::Digit | Class::Mark => {}
        }
    }
    if (han + kana) * 3 > other {
        return if kana * 10 > han + kana { Language::JAPANESE } else { Language::CHINESE };
    }
    match whatlang::detect(&sample) {
        Some(info) if info.is_reliable() || hint.is_unknown() => Language::from_tag(two_letters(info.lang())),
        _ => hint,
    }
}

/// The longest lines of the text, up to [`SAMPLE`] characters: prose tells more than menus.
fn sample(text: &str) -> String {
    let mut lines: Vec<&str> = text.lines().map(str::trim).filter(|line| line.len() > 20).collect();
    lines.sort_by_key(|line| std::cmp::Reverse(line.len()));
    let mut sample = String::new();
    let mut left = SAMPLE;
    for line in lines {
        let part: String = line.chars().take(left).collect();
        left -= part.chars().count();
        sample.push_str(&part);
        sample.push('\n');
        if left == 0 {
            return sample;
        }
    }
    if sample.is_empty() { text.chars().take(SAMPLE).collect() } else { sample }
}

fn two_letters(lang: whatlang::Lang) -> &'static str {
    use whatlang::Lang as L;
    match lang {
        L::Epo => "eo",
        L::Eng => "en",
        L::Rus => "ru",
        L::Cmn => "zh",
        L::Spa => "es",
        L::Por => "pt",
        L::Ita => "it",
        L::Ben => "bn",
        L::Fra => "fr",
        L::Deu => "de",
        L::Ukr => "uk",
        L::Kat => "ka",
        L::Ara => "ar",
        L::Hin => "hi",
        L::Jpn => "ja",
        L::Heb => "he",
        L::Yid => "yi",
        L::Pol => "pl",
        L::Amh => "am",
        L::Jav => "jv",
        L::Kor => "ko",
        L::Nob => "no",
        L::Dan => "da",
        L::Swe => "sv",
        L::Fin => "fi",
        L::Tur => "tr",
        L::Nld => "nl",
        L::Hun => "hu",
        L::Ces => "cs",
        L::Ell => "el",
        L::Bul => "bg",
        L::Bel => "be",
        L::Mar => "mr",
        L::Kan => "kn",
        L::Ron => "ro",
        L::Slv => "sl",
        L::Hrv => "hr",
        L::Srp => "sr",
        L::Mkd => "mk",
        L::Lit => "lt",
        L::Lav => "lv",
        L::Est => "et",
        L::Tam => "ta",
        L::Vie => "vi",
        L::Urd => "ur",
        L::Tha => "th",
        L::Guj => "gu",
        L::Uzb => "uz",
        L::Pan => "pa",
        L::Aze => "az",
        L::Ind => "id",
        L::Tel => "te",
        L::Pes => "fa",
        L::Mal => "ml",
        L::Ori => "or",
        L::Mya => "my",
        L::Nep => "ne",
        L::Sin => "si",
        L::Khm => "km",
        L::Tuk => "tk",
        L::Aka => "ak",
        L::Zul => "zu",
        L::Sna => "sn",
        L::Afr => "af",
        L::Lat => "la",
        L::Slk => "sk",
        L::Cat => "ca",
        L::Tgl => "tl",
        L::Hye => "hy",
        L::Cym => "cy",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn language(html: &str) -> String {
        detect(&Dom::parse(html)).to_string()
    }

    #[test]
    fn text_decides_and_the_attribute_helps() {
        let english =
            "<p>The keeper of the lighthouse climbed the stairs every evening to light the lamp for the boats.";
        assert_eq!(language(english), "en");
        assert_eq!(language(&format!("<html lang=de>{english}")), "en");
        assert_eq!(language("<html lang=de-AT><p>Ok</p>"), "de");
        assert_eq!(language("<p>灯塔守护人每天傍晚都要爬上楼梯点灯。"), "zh");
        assert_eq!(language("<html lang=en><p>灯台守は毎晩階段を上って明かりをともした。"), "ja");
        assert_eq!(language("<p>Ο φαροφύλακας ανέβαινε κάθε βράδυ τις σκάλες για να ανάψει το φως."), "el");
        assert_eq!(language("<p>등대지기는 매일 저녁 계단을 올라가 등불을 켰다."), "ko");
        assert_eq!(language(""), "");
        assert_eq!(Language::from_tag("zh_TW").code(), "zh");
        assert_eq!(Language::from_tag("<script>").code(), "");
    }
}
