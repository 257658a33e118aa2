//! [`people`]: the names of people in a text that may be a list of them.

use super::byline::MAX_LINE;
use super::months::month;

/// Characters of one name, and words.
const MAX_NAME: usize = 48;
const MAX_WORDS: usize = 5;
/// Names of one page, at most.
const MAX_NAMES: usize = 12;

/// What parts the last two names of a list.
const AND: [&str; 12] =
    [" and ", " & ", " und ", " et ", " y ", " i ", " и ", " και ", " e ", " och ", " og ", " with "];

/// Names joined with ", "; `None` where the text is no list of names. Behind a comma a place or a role is more common than
/// another name: what stands there is taken for a name only if it has as many words as names have and none that says
/// otherwise.
pub(super) fn people(text: &str) -> Option<String> {
    let text = text.trim().trim_end_matches(['.', ',', ':', ';', '|']).trim();
    if text.is_empty() || text.chars().nth(MAX_LINE).is_some() {
        return None;
    }
    let mut names: Vec<String> = Vec::new();
    for (at, part) in split(text).into_iter().enumerate() {
        let name = without_tail(part.text);
        if at > 0 && part.behind_comma && SUFFIXES.contains(&name) {
            if let Some(last) = names.last_mut() {
                *last = format!("{last} {name}");
            }
            continue;
        }
        let is_more = at == 0 || !part.behind_comma || (is_full(name) || names.first().is_some_and(|it| !is_full(it)));
        if !is_more || !is_name(name) || names.len() == MAX_NAMES {
            break;
        }
        names.push(name.to_owned());
    }
    (!names.is_empty()).then(|| names.join(", "))
}

/// The names of a statement that is a list of full names, or of one and its place; `None` for all else.
pub(super) fn several(text: &str) -> Option<String> {
    let parts = split(text);
    let is_list = parts.len() > 1 && is_full(parts[0].text);
    let all_names = parts.iter().all(|part| part.behind_comma || (is_full(part.text) && is_name(part.text)));
    (is_list && all_names).then(|| people(text)).flatten()
}

struct Part<'a> {
    text: &'a str,
    behind_comma: bool,
}

fn split(text: &str) -> Vec<Part<'_>> {
    let mut parts = vec![Part { text, behind_comma: false }];
    let mut at = |sign: &str, is_comma: bool| {
        let mut next = Vec::new();
        for part in parts.drain(..) {
            let pieces =
                part.text.split(sign).map(|piece| piece.trim().trim_start_matches("and ")).filter(|it| !it.is_empty());
            next.extend(pieces.enumerate().map(|(nth, piece)| Part {
                text: piece,
                behind_comma: if nth == 0 { part.behind_comma } else { is_comma },
            }));
        }
        parts = next;
    };
    for sign in AND {
        at(sign, false);
    }
    at("; ", false);
    at("、", false);
    at(", ", true);
    parts
}

/// A name without the small word behind it, which belongs to what came next: `Ann Lee on`, `Jean Dupont avec AFP`.
fn without_tail(name: &str) -> &str {
    let mut name = name.trim();
    for word in [" avec ", " mit ", " for ", " für ", " in ", " at ", " pour ", " à "] {
        name = name.split(word).next().unwrap_or(name);
    }
    if let Some((head, last)) = name.rsplit_once(' ')
        && last.starts_with(char::is_lowercase)
        && head.chars().any(char::is_uppercase)
    {
        name = head.trim_end_matches([',', ' ']);
    }
    name
}

/// Whether a name has a given and a family name, and none of the words of places and roles.
fn is_full(name: &str) -> bool {
    let says_otherwise = |word: &str| {
        let word = word.trim_matches(|c: char| !c.is_alphanumeric()).to_lowercase();
        OTHERWISE.contains(&&*word)
    };
    name.contains(' ') && !name.split(' ').any(says_otherwise)
}

/// Words of roles, of agencies, and of places of two words.
const OTHERWISE: [&str; 44] = [
    "writer",
    "reporter",
    "editor",
    "editors",
    "correspondent",
    "columnist",
    "contributor",
    "journalist",
    "producer",
    "staff",
    "press",
    "news",
    "agency",
    "agence",
    "agentur",
    "redaktion",
    "rédaction",
    "redakteur",
    "redakteurin",
    "korrespondent",
    "correspondant",
    "bureau",
    "desk",
    "team",
    "service",
    "chief",
    "director",
    "professor",
    "president",
    "associated",
    "post",
    "times",
    "new",
    "san",
    "los",
    "las",
    "saint",
    "st",
    "sankt",
    "bad",
    "united",
    "the",
    "корреспондент",
    "редактор",
];

/// What stands behind a name and its comma and belongs to it.
const SUFFIXES: [&str; 6] = ["Jr.", "Jr", "Sr.", "Sr", "II", "III"];

/// Whether a text looks like the name of a person: few words with capitals, where the script has any, and between them at most
/// the small words that names have.
fn is_name(text: &str) -> bool {
    let words: Vec<&str> = text.split(' ').collect();
    let is_small = |word: &str| word.chars().next().is_some_and(char::is_lowercase);
    let small = words.iter().filter(|word| is_small(word)).count();
    let is_cased = words.len() == 1 || words.iter().all(|word| !is_small(word) || PARTICLES.contains(word));
    text.chars().count() >= 2
        && text.chars().nth(MAX_NAME).is_none()
        && words.len() <= MAX_WORDS
        && is_cased
        && (words.len() > 1 || small == 0 || text.chars().count() >= 3)
        && (small < words.len() || words.len() == 1)
        && text.chars().any(char::is_alphabetic)
        && !text.contains(['/', '@', ':', '：', '?', '!', '=', '{', '<', '«', '"', '…', '。', '，'])
        && !text.chars().any(|c| c.is_ascii_digit())
        && month(text).is_none()
        && !is_role(text)
}

/// Small words inside names.
const PARTICLES: [&str; 33] = [
    "van", "von", "vom", "der", "den", "de", "del", "della", "dello", "degli", "di", "da", "das", "dos", "do", "du",
    "des", "la", "le", "lo", "el", "al", "bin", "ibn", "ben", "y", "e", "zu", "zur", "zum", "ter", "ten", "af",
];

/// Whether a name is that of a role account, or what templates write where no name is.
pub(super) fn is_role(name: &str) -> bool {
    let name = name.trim().to_lowercase();
    ROLES.contains(&&*name)
}

const ROLES: [&str; 44] = [
    "admin",
    "admins",
    "administrator",
    "site admin",
    "web admin",
    "webadmin",
    "superuser",
    "super user",
    "root",
    "webmaster",
    "editor",
    "editors",
    "moderator",
    "staff",
    "user",
    "guest",
    "system",
    "anonymous",
    "unknown",
    "default",
    "none",
    "null",
    "undefined",
    "n/a",
    "wordpress",
    "author",
    "written by",
    "posted by",
    "by",
    "share",
    "published",
    "redaktion",
    "die redaktion",
    "rédaction",
    "la rédaction",
    "redacción",
    "redazione",
    "redakcja",
    "администратор",
    "админ",
    "редакция",
    "管理员",
    "管理員",
    "佚名",
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_of_names() {
        for (text, want) in [
            ("Ann Lee", Some("Ann Lee")),
            ("Ann Lee, New York", Some("Ann Lee")),
            ("Ann Lee, Frankfurt am Main", Some("Ann Lee")),
            ("Ann Lee, Bo Ek", Some("Ann Lee, Bo Ek")),
            ("Ann Lee, The Associated Press", Some("Ann Lee")),
            ("Martin King, Jr.", Some("Martin King Jr")),
            ("Hans von Berg und Eva de la Cruz", Some("Hans von Berg, Eva de la Cruz")),
            ("ANN LEE", Some("ANN LEE")),
            ("the boats were back", None),
            ("Editor", None),
        ] {
            assert_eq!(people(text).as_deref(), want, "{text}");
        }
        assert_eq!(several("Smith & Sons"), None);
        assert_eq!(several("Ann Lee"), None);
    }
}
