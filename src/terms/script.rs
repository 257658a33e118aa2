//! Character classes that decide how text is cut into words.

use unicode_normalization::char::is_combining_mark;

/// How a character takes part in words.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Class {
    /// Parts words: blanks, punctuation, symbols.
    Gap,
    /// A letter of a script that writes blanks between words.
    Letter,
    /// A digit.
    Digit,
    /// A mark that belongs to the letter before it.
    Mark,
    /// A Chinese character.
    Han,
    /// Japanese syllables.
    Kana,
    /// Thai, Lao, Khmer, Burmese and other scripts without blanks between words.
    Unspaced,
}

/// The class of a character. Constant time.
pub(super) fn class(c: char) -> Class {
    if c.is_ascii() {
        return match c {
            'a'..='z' | 'A'..='Z' => Class::Letter,
            '0'..='9' => Class::Digit,
            _ => Class::Gap,
        };
    }
    match u32::from(c) {
        0x3005..=0x3007 | 0x3400..=0x4DBF | 0x4E00..=0x9FFF | 0xF900..=0xFAFF | 0x20000..=0x3FFFF => Class::Han,
        0x3041..=0x3096 | 0x309D..=0x309F | 0x30A1..=0x30FA | 0x30FC..=0x30FF | 0x31F0..=0x31FF | 0xFF66..=0xFF9F => {
            Class::Kana
        }
        // Digits and marks of these scripts are told apart below.
        0x0E00..=0x0EFF
        | 0x1000..=0x109F
        | 0x1780..=0x17FF
        | 0x1980..=0x19DF
        | 0x1A20..=0x1AAF
        | 0xA9E0..=0xA9FF
        | 0xAA60..=0xAADF
            if !c.is_numeric() =>
        {
            if is_combining_mark(c) {
                Class::Mark
            } else if c.is_alphabetic() {
                Class::Unspaced
            } else {
                Class::Gap
            }
        }
        _ if c.is_alphabetic() => Class::Letter,
        _ if c.is_numeric() => Class::Digit,
        // Joiners shape Persian and Indic words from the inside.
        0x200C | 0x200D | 0x00AD => Class::Mark,
        _ if is_combining_mark(c) => Class::Mark,
        _ => Class::Gap,
    }
}

/// Appends a character in lower case; of most texts it is ASCII, and that is quick.
pub(crate) fn push_lower(out: &mut String, c: char) {
    if c.is_ascii() {
        out.push(c.to_ascii_lowercase());
    } else {
        out.extend(c.to_lowercase());
    }
}

/// Whether a character is a letter of a script that is written without blanks between words. Constant time.
pub(crate) fn is_unspaced(c: char) -> bool {
    matches!(class(c), Class::Han | Class::Kana | Class::Unspaced)
}
