//! Names of months in the languages of the web.

use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

/// The names and short forms of each month as dates write them, in lower case and without accents. A form that means one
/// month in one language and another month in another stands at the more widely spoken, or nowhere.
const NAMES: [&[&str]; 12] = [
    &[
        "january", "jan", "januar", "janner", "janvier", "janv", "enero", "ene", "janeiro", "gennaio", "gen", "januari",
        "tammikuuta", "tammikuu", "stycznia", "styczen", "sty", "ledna", "leden", "januara", "ianuarie", "ian", "января",
        "январь", "янв", "січня", "януари", "ιανουαριου", "ιανουαριος", "ιαν", "ocak", "oca", "يناير", "ינואר", "בינואר",
        "जनवरी", "มกราคม", "gener",
    ],
    &[
        "february", "feb", "februar", "fevrier", "fevr", "febrero", "fevereiro", "fev", "febbraio", "febr", "februari",
        "helmikuuta", "helmikuu", "lutego", "luty", "lut", "unora", "unor", "februara", "februarie", "февраля", "февраль",
        "фев", "февр", "лютого", "февруари", "φεβρουαριου", "φεβρουαριος", "φεβ", "subat", "sub", "فبراير", "פברואר",
        "בפברואר", "फरवरी", "กุมภาพนธ", "febrer",
    ],
    &[
        "march", "mar", "marz", "mars", "marzo", "março", "marco", "maart", "mrt", "maaliskuuta", "maaliskuu", "marca",
        "marzec", "brezna", "brezen", "marec", "marcius", "martie", "марта", "март", "мар", "березня", "μαρτιου",
        "μαρτιος", "μαρ", "mart", "maret", "مارس", "מרץ", "במרץ", "मार्च", "मारच", "มนาคม",
    ],
    &[
        "april", "apr", "avril", "avr", "abril", "abr", "aprile", "huhtikuuta", "huhtikuu", "kwietnia", "kwiecien", "kwi",
        "dubna", "duben", "aprila", "aprilis", "aprilie", "апреля", "апрель", "апр", "квітня", "април", "απριλιου",
        "απριλιος", "απρ", "nisan", "nis", "أبريل", "ابريل", "אפריל", "באפריל", "अप्रैल", "अपरल", "เมษายน",
    ],
    &[
        "may", "mai", "mayo", "maio", "maggio", "mag", "mei", "maj", "toukokuuta", "toukokuu", "maja", "kvetna", "kveten",
        "majus", "мая", "май", "травня", "μαιου", "μαιος", "μαι", "mayis", "مايو", "מאי", "במאי", "मई", "พฤษภาคม", "maig",
    ],
    &[
        "june", "jun", "juni", "juin", "junio", "junho", "giugno", "giu", "kesakuuta", "kesakuu", "czerwca", "czerwiec",
        "cze", "cervna", "cerven", "juna", "junius", "iunie", "iun", "июня", "июнь", "июн", "червня", "юни", "ιουνιου",
        "ιουνιος", "ιουν", "haziran", "haz", "يونيو", "יוני", "ביוני", "जून", "มถนายน", "juny",
    ],
    &[
        "july", "jul", "juli", "juillet", "juil", "julio", "julho", "luglio", "lug", "heinakuuta", "heinakuu", "lipca",
        "lipiec", "lip", "cervence", "cervenec", "jula", "julius", "iulie", "iul", "июля", "июль", "июл", "липня", "юли",
        "ιουλιου", "ιουλιος", "ιουλ", "temmuz", "tem", "يوليو", "יולי", "ביולי", "जुलाई", "กรกฎาคม", "juliol",
    ],
    &[
        "august", "aug", "aout", "agosto", "ago", "augustus", "augusti", "elokuuta", "elokuu", "sierpnia", "sierpien",
        "sie", "srpna", "srpen", "augusta", "augusztus", "августа", "август", "авг", "серпня", "αυγουστου", "αυγουστος",
        "αυγ", "agustos", "agu", "agustus", "أغسطس", "اغسطس", "אוגוסט", "באוגוסט", "अगस्त", "สงหาคม", "agost",
    ],
    &[
        "september", "sep", "sept", "septembre", "septiembre", "setiembre", "setembro", "settembre", "set", "syyskuuta",
        "syyskuu", "wrzesnia", "wrzesien", "wrz", "zari", "septembra", "szeptember", "septembrie", "сентября", "сентябрь",
        "сен", "сент", "вересня", "септември", "σεπτεμβριου", "σεπτεμβριος", "σεπ", "eylul", "eyl", "سبتمبر", "ספטמבר",
        "בספטמבר", "सितंबर", "กนยายน", "setembre",
    ],
    &[
        "october", "oct", "oktober", "okt", "octobre", "octubre", "outubro", "out", "ottobre", "ott", "lokakuuta",
        "lokakuu", "pazdziernika", "pazdziernik", "paz", "rijna", "rijen", "oktobra", "octombrie", "октября", "октябрь",
        "окт", "жовтня", "октомври", "οκτωβριου", "οκτωβριος", "οκτ", "ekim", "eki", "أكتوبر", "اكتوبر", "אוקטובר",
        "באוקטובר", "अक्टूबर", "ตลาคม",
    ],
    &[
        "november", "nov", "novembre", "noviembre", "novembro", "marraskuuta", "marraskuu", "listopada", "listopad",
        "listopadu", "lis", "novembra", "noiembrie", "noi", "ноября", "ноябрь", "ноя", "нояб", "ноември", "νοεμβριου",
        "νοεμβριος", "νοε", "kasim", "kas", "نوفمبر", "נובמבר", "בנובמבר", "नवंबर", "พฤศจกายน",
    ],
    &[
        "december", "dec", "dezember", "dez", "decembre", "diciembre", "dic", "dezembro", "dicembre", "joulukuuta",
        "joulukuu", "grudnia", "grudzien", "gru", "prosince", "prosinec", "decembra", "decembrie", "des", "desember",
        "декабря", "декабрь", "дек", "грудня", "декември", "δεκεμβριου", "δεκεμβριος", "δεκ", "aralik", "ara", "ديسمبر",
        "דצמבר", "בדצמבר", "दिसंबर", "ธนวาคม", "desembre",
    ],
];

/// The number of the month that a word names, whatever its case and accents.
pub(super) fn month(word: &str) -> Option<u32> {
    if word.chars().count() < 2 || word.len() > 40 {
        return None;
    }
    let folded: String =
        word.chars().flat_map(char::to_lowercase).nfd().filter(|c| !is_combining_mark(*c)).map(plain).collect();
    NAMES.iter().zip(1..).find(|(names, _)| names.iter().any(|name| *name == word || *name == folded || same(name, &folded))).map(|it| it.1)
}

/// Letters whose accents do not come off.
fn plain(c: char) -> char {
    match c {
        'ı' => 'i',
        'ł' => 'l',
        'ς' => 'σ',
        other => other,
    }
}

/// Whether a name equals a folded word once it is folded too; names in scripts whose letters hold marks need it.
fn same(name: &str, folded: &str) -> bool {
    !name.is_ascii() && name.chars().flat_map(char::to_lowercase).nfd().filter(|c| !is_combining_mark(*c)).map(plain).eq(folded.chars())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn months_are_known_in_many_languages() {
        for (word, want) in [
            ("März", 3), ("MÄRZ", 3), ("août", 8), ("Décembre", 12), ("января", 1), ("Μαΐου", 5), ("ΙΟΥΝΙΟΥ", 6), ("Şubat", 2),
            ("Ağustos", 8), ("października", 10), ("září", 9), ("มีนาคม", 3), ("मार्च", 3), ("مارس", 3), ("Kasım", 11), ("травня", 5),
            ("listopada", 11), ("março", 3), ("Sept", 9),
        ] {
            assert_eq!(month(word), Some(want), "{word}");
        }
        assert_eq!(month("house"), None);
        assert_eq!(month(""), None);
    }

    #[test]
    fn no_form_means_two_months() {
        for (at, names) in NAMES.iter().enumerate() {
            for name in *names {
                assert_eq!(NAMES.iter().filter(|other| other.contains(name)).count(), 1, "{name} of {}", at + 1);
            }
        }
    }
}
