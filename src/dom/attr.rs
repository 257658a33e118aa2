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
    };
}

attrs! {
    ID "id", CLASS "class", HREF "href", SRC "src", ALT "alt", TITLE "title", DATETIME "datetime", LANG "lang",
    ITEMPROP "itemprop", ITEMTYPE "itemtype", ITEMSCOPE "itemscope", REL "rel", STYLE "style", HIDDEN "hidden",
    ARIA_HIDDEN "aria-hidden", ROLE "role", NAME "name", CONTENT "content", PROPERTY "property",
    HTTP_EQUIV "http-equiv", CHARSET "charset", TYPE "type", COLSPAN "colspan", ROWSPAN "rowspan", SRCSET "srcset",
    DATA_SRC "data-src", DATA_ORIGINAL "data-original", DATA_LAZY_SRC "data-lazy-src", DATA_SRCSET "data-srcset",
    OPEN "open", START "start", TARGET "target", CITE "cite",
}

impl Attr {
    /// The attribute of a lower-case name, if the arena keeps it.
    pub fn from_name(name: &str) -> Option<Self> {
        NAMES.iter().zip(0_u8..).find(|(known, _)| **known == name).map(|(_, number)| Self(number))
    }

    /// The lower-case name.
    pub fn name(self) -> &'static str {
        NAMES[usize::from(self.0)]
    }
}
