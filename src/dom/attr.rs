//! [`Attr`]: the attributes that the arena keeps.

/// An attribute name. The arena keeps these and drops the rest (event handlers, data attributes, layout), which are most
/// of a page's attribute bytes and which nothing here reads.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Attr(u8);

macro_rules! attrs {
    ($($constant:ident $name:literal),* $(,)?) => {
        #[allow(non_camel_case_types, clippy::upper_case_acronyms, reason = "one variant an attribute, only to number them")]
        enum Number { $($constant),* }
        impl Attr {
            $(#[doc = concat!("`", $name, "`")] pub const $constant: Self = Self(Number::$constant as u8);)*
        }
        const NAMES: &[&str] = &[$($name),*];
        const NUMBERS: &[u8] = &[$(Number::$constant as u8),*];
    };
}

attrs! {
    ID "id", CLASS "class", HREF "href", SRC "src", ALT "alt", TITLE "title", DATETIME "datetime", LANG "lang",
    ITEMPROP "itemprop", ITEMTYPE "itemtype", ITEMSCOPE "itemscope", REL "rel", STYLE "style", HIDDEN "hidden",
    ARIA_HIDDEN "aria-hidden", ROLE "role", NAME "name", CONTENT "content", PROPERTY "property",
    HTTP_EQUIV "http-equiv", CHARSET "charset", TYPE "type", COLSPAN "colspan", ROWSPAN "rowspan", SRCSET "srcset",
    DATA_SRC "data-src", DATA_ORIGINAL "data-original", DATA_LAZY_SRC "data-lazy-src", DATA_SRCSET "data-srcset",
    OPEN "open", START "start", SHADOWROOTMODE "shadowrootmode", TARGET "target", CITE "cite",
}

impl Attr {
    /// The attribute of a lower-case name, if the arena keeps it.
    pub fn from_name(name: &str) -> Option<Self> {
        // Most attributes of a page are not kept: a look at their length settles nearly all of them.
        let candidates = BY_LENGTH.get(name.len())?;
        candidates
            .iter()
            .take_while(|&&number| number != NO_MORE)
            .find_map(|&number| (NAMES[usize::from(number)] == name).then_some(Self(number)))
    }

    /// The lower-case name.
    pub fn name(self) -> &'static str {
        NAMES[usize::from(self.0)]
    }
}

/// Ends a row of [`BY_LENGTH`].
const NO_MORE: u8 = u8::MAX;

/// The numbers of the names of each length.
const BY_LENGTH: [[u8; 8]; 16] = {
    let mut rows = [[NO_MORE; 8]; 16];
    let mut filled = [0; 16];
    let mut number = 0;
    while number < NAMES.len() {
        let len = NAMES[number].len();
        rows[len][filled[len]] = NUMBERS[number];
        filled[len] += 1;
        number += 1;
    }
    rows
};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_go_both_ways() {
        for &name in NAMES {
            assert_eq!(Attr::from_name(name).map(Attr::name), Some(name));
        }
        for other in ["", "onclick", "hreF", "data-sr", "aria-hidden-not"] {
            assert_eq!(Attr::from_name(other), None);
        }
    }
}
