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

    /// The language of a tag such as `en-GB` or `zh_TW`: its first part, of two letters where it has such a
    /// code (`eng` is `en`). Unknown where that is no code.
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
            [a, b, c] => match whatlang::Lang::from_code(code) {
                Some(lang) => return Self::from_tag(two_letters(lang)),
                None => Self([*a, *b, *c]),
            },
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

/// The language of a page, by a sample of its longest lines: by its script or small words where these leave no doubt, else by
/// trigrams. What `html lang` says counts where the text leaves doubt. Time bounded by the sample, once the lines are known.
pub fn detect(dom: &Dom) -> Language {
    let sample = sample(dom.visible_text());
    let mut letters = Letters::default();
    sample.chars().for_each(|c| letters.count(c));
    language_of(&sample, &letters, dom)
}

/// Characters that [`detect_briefly`] looks at.
const BRIEF: usize = 400;

/// The language of a page, found in less time than by [`detect`], and nearly always the same: from a shorter sample. For what is
/// not counted in a site's model, whose terms must stay as they were learned. Time bounded by the text's bytes.
pub fn detect_briefly(dom: &Dom) -> Language {
    let mut sample = String::with_capacity(2 * BRIEF);
    let mut letters = Letters::default();
    // Long lines are prose; short ones serve where there are no others.
    for least in [160, 60, 1] {
        for line in dom.visible_text().split('\n').map(str::trim).filter(|line| line.len() >= least) {
            for c in line.chars().take(BRIEF) {
                letters.count(c);
                sample.push(c);
            }
            sample.push('\n');
            if letters.all() >= BRIEF {
                break;
            }
        }
        if letters.all() >= BRIEF / 2 {
            break;
        }
    }
    language_of(&sample, &letters, dom)
}

/// How many letters of each kind a text has.
#[derive(Clone, Copy, Debug, Default)]
struct Letters {
    han: usize,
    kana: usize,
    other: usize,
}

impl Letters {
    fn count(&mut self, c: char) {
        match class(c) {
            Class::Han => self.han += 1,
            Class::Kana => self.kana += 1,
            Class::Letter | Class::Unspaced => self.other += 1,
            Class::Gap | Class::Digit | Class::Mark => {}
        }
    }

    fn all(&self) -> usize {
        self.han + self.kana + self.other
    }
}

/// The language of a text. Han and kana decide by themselves, and so do scripts that one language writes, and small words where
/// they stand thick; else the text's trigrams, where they are sure; else the page's `html lang`; else the trigrams' best guess.
///
/// Of 9,713 pages of the dev sets 3,811 in other scripts than Han and kana do not need the trigrams, which take longer than all
/// the rest; they would have said the same of all but one of these, Korean with some English, which they call English.
fn language_of(sample: &str, letters: &Letters, dom: &Dom) -> Language {
    let Letters { han, kana, other } = *letters;
    if (han + kana) * 3 > other {
        return if kana * 10 > han + kana { Language::JAPANESE } else { Language::CHINESE };
    }
    if let Some(language) = language_of_script(sample, other).or_else(|| language_of_small_words(sample)) {
        return language;
    }
    let hint = dom.ids().find(|&id| dom.tag(id) == Tag::HTML).and_then(|id| dom.attr(id, Attr::LANG));
    let hint = hint.map_or(Language::UNKNOWN, Language::from_tag);
    match whatlang::detect(sample) {
        Some(info) if info.is_reliable() || hint.is_unknown() => Language::from_tag(two_letters(info.lang())),
        _ => hint,
    }
}

/// The language of a text most of whose letters are of a script that hardly another language of the web writes.
fn language_of_script(text: &str, letters: usize) -> Option<Language> {
    let code = |c: char| match u32::from(c) {
        0x370..=0x3FF | 0x1F00..=0x1FFF => Some("el"),
        0x530..=0x58F => Some("hy"),
        0x10A0..=0x10FF => Some("ka"),
        0xE00..=0xE7F => Some("th"),
        0x1100..=0x11FF | 0xAC00..=0xD7AF => Some("ko"),
        _ => None,
    };
    let first = text.chars().find_map(code)?;
    let of_script = text.chars().filter(|c| code(*c) == Some(first)).count();
    (of_script * 2 > letters).then(|| Language::from_tag(first))
}

/// The commonest small words of some languages, without those that neighbours share.
const SMALL_WORDS: [(&str, &[&str]); 9] = [
    (
        "en",
        &[
            "the", "of", "and", "to", "is", "that", "for", "with", "was", "it", "on", "are", "this", "by", "from",
            "have", "has",
        ],
    ),
    (
        "de",
        &[
            "der", "die", "und", "das", "ist", "nicht", "mit", "für", "auf", "ein", "eine", "dem", "den", "von", "zu",
            "sich",
        ],
    ),
    ("fr", &["le", "les", "et", "des", "est", "dans", "une", "pour", "qui", "sur", "pas", "du", "au", "plus", "avec"]),
    ("es", &["el", "los", "las", "y", "en", "una", "por", "con", "del", "es", "para", "se", "más", "su", "al"]),
    ("pt", &["o", "os", "e", "em", "um", "uma", "não", "do", "da", "dos", "das", "para", "com", "mais", "ao"]),
    ("it", &["il", "che", "di", "è", "per", "gli", "della", "una", "non", "sono", "del", "con", "più", "nel"]),
    ("nl", &["het", "een", "van", "niet", "en", "dat", "zijn", "voor", "met", "op", "aan", "ook"]),
    ("pl", &["w", "i", "na", "się", "nie", "jest", "że", "do", "przez", "od", "oraz", "dla", "jak"]),
    ("ru", &["и", "в", "на", "не", "что", "с", "по", "это", "как", "из", "для", "его", "также"]),
];

/// The language whose small words stand so thick in a text, and all others' so thin, that no other can be meant.
fn language_of_small_words(text: &str) -> Option<Language> {
    // Letters that Russian lacks.
    if text.chars().any(|c| matches!(c, 'і' | 'ї' | 'є' | 'ў' | 'ј' | 'љ')) {
        return None;
    }
    let mut votes = [0_usize; SMALL_WORDS.len()];
    let mut words = 0;
    for word in text.split(|c: char| !c.is_alphabetic()).filter(|word| !word.is_empty()) {
        words += 1;
        if word.len() <= 12 {
            for (vote, (_, known)) in votes.iter_mut().zip(&SMALL_WORDS) {
                *vote += usize::from(known.contains(&word));
            }
        }
    }
    let (best, most) = votes.iter().enumerate().max_by_key(|(_, votes)| **votes)?;
    let second = votes.iter().enumerate().filter(|(at, _)| *at != best).map(|(_, votes)| *votes).max()?;
    (*most >= 6 && most * 6 >= words && *most >= 3 * second).then(|| Language::from_tag(SMALL_WORDS[best].0))
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
    fn codes_of_a_language_are_one() {
        for tag in ["en", "EN", "en-GB", "en_US", "eng", " en "] {
            assert_eq!(Language::from_tag(tag).code(), "en", "{tag}");
        }
        for (tag, code) in [("cmn", "zh"), ("nob", "no"), ("deu", "de"), ("fil", "fil"), ("english", ""), ("1a", "")] {
            assert_eq!(Language::from_tag(tag).code(), code, "{tag}");
        }
    }

    #[test]
    fn the_brief_look_agrees() {
        for html in [
            "<html lang=de><p>The keeper of the lighthouse climbed the stairs every evening to light the lamp for the boats.",
            "<html lang=en><p>Latarnik wchodził co wieczór po schodach, żeby zapalić lampę dla łodzi, które wracają do portu.",
            "<html lang=en><p>Der Wärter des Leuchtturms stieg jeden Abend die Treppen hinauf, um das Licht für die Boote zu entzünden.",
            "<p>Сторож маяка каждый вечер поднимался по лестнице, чтобы зажечь лампу для лодок, и не жаловался на судьбу.",
            "<p>Доглядач маяка щовечора піднімався сходами, щоб засвітити лампу для човнів, і ніколи не скаржився на долю.",
            "<p>Ο φαροφύλακας ανέβαινε κάθε βράδυ τις σκάλες για να ανάψει το φως.",
            "<p>灯塔守护人每天傍晚都要爬上楼梯点灯。",
            "<html lang=en><p>灯台守は毎晩階段を上って明かりをともした。",
            "<p>등대지기는 매일 저녁 계단을 올라가 등불을 켰다.",
            "<html lang=de-AT><p>Ok</p>",
            "",
        ] {
            let dom = Dom::parse(html);
            assert_eq!(detect_briefly(&dom), detect(&dom), "{html}");
        }
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
