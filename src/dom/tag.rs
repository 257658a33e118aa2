//! [`Tag`]: element names as small numbers.

use rustc_hash::FxHashMap;
use std::sync::LazyLock;

/// An element's name, or one of the two kinds of node that have none ([`Tag::TEXT`], [`Tag::DOCUMENT`]). Names outside
/// the list below are all [`Tag::OTHER`]: custom elements and typing errors lay out as `span` does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Tag(u8);

macro_rules! tags {
    ($($constant:ident $name:literal),* $(,)?) => {
        #[allow(non_camel_case_types, clippy::upper_case_acronyms, reason = "one variant a tag, only to number them")]
        enum Number { $($constant),* }
        impl Tag {
            $(#[doc = concat!("`", $name, "`")] pub const $constant: Self = Self(Number::$constant as u8);)*
        }
        const NAMES: &[&str] = &[$($name),*];
    };
}

tags! {
    TEXT "#text", DOCUMENT "#document", OTHER "#other",
    A "a", ABBR "abbr", ACRONYM "acronym", ADDRESS "address", APPLET "applet", ANNOTATION "annotation", ANNOTATION_XML "annotation-xml",
    AREA "area", ARTICLE "article", ASIDE "aside",
    AUDIO "audio", B "b", BASE "base", BASEFONT "basefont", BDI "bdi", BDO "bdo", BIG "big", BLOCKQUOTE "blockquote",
    BODY "body", BR "br", BUTTON "button", CANVAS "canvas", CAPTION "caption", CENTER "center", CITE "cite", CODE "code",
    COL "col", COLGROUP "colgroup", DATA "data", DATALIST "datalist", DD "dd", DEL "del", DETAILS "details", DFN "dfn",
    DIALOG "dialog", DIR "dir", DIV "div", DL "dl", DT "dt", EM "em", EMBED "embed", FIELDSET "fieldset",
    FIGCAPTION "figcaption", FIGURE "figure", FONT "font", FOOTER "footer", FORM "form", FRAME "frame", FRAMESET "frameset",
    H1 "h1", H2 "h2", H3 "h3", H4 "h4", H5 "h5", H6 "h6", HEAD "head", HEADER "header", HGROUP "hgroup", HR "hr",
    HTML "html", I "i", IFRAME "iframe", IMG "img", INPUT "input", INS "ins", KBD "kbd", LABEL "label", LEGEND "legend",
    LI "li", LINK "link", LISTING "listing", MAIN "main", MAP "map", MARK "mark", MARQUEE "marquee", MATH "math", MENU "menu", META "meta",
    METER "meter", NAV "nav", NOBR "nobr", NOFRAMES "noframes", NOSCRIPT "noscript", OBJECT "object", OL "ol",
    OPTGROUP "optgroup", OPTION "option", OUTPUT "output", P "p", PARAM "param", PICTURE "picture", PLAINTEXT "plaintext", PRE "pre",
    PROGRESS "progress", Q "q", RB "rb", RP "rp", RT "rt", RTC "rtc", RUBY "ruby", S "s", SAMP "samp", SCRIPT "script",
    SEARCH "search", SECTION "section", SELECT "select", SLOT "slot", SMALL "small", SOURCE "source", SPAN "span",
    STRIKE "strike", STRONG "strong", STYLE "style", SUB "sub", SUMMARY "summary", SUP "sup", SVG "svg", TABLE "table",
    TBODY "tbody", TD "td", TEMPLATE "template", TEXTAREA "textarea", TFOOT "tfoot", TH "th", THEAD "thead", TIME "time",
    TITLE "title", TR "tr", TRACK "track", TT "tt", U "u", UL "ul", VAR "var", VIDEO "video", WBR "wbr", XMP "xmp",
}

impl Tag {
    /// The tag of a lower-case name; [`Tag::OTHER`] for names that HTML does not have.
    pub fn from_name(name: &str) -> Self {
        static NUMBERS: LazyLock<FxHashMap<&'static str, u8>> =
            LazyLock::new(|| NAMES.iter().zip(0_u8..).map(|(&name, number)| (name, number)).collect());
        NUMBERS.get(name).map_or(Self::OTHER, |&number| Self(number))
    }

    /// A number under 256, for tables.
    pub(crate) fn number(self) -> usize {
        usize::from(self.0)
    }

    /// The lower-case name.
    pub fn name(self) -> &'static str {
        NAMES[usize::from(self.0)]
    }

    /// Whether browsers start a new line (or cell) before and after the element, so that its text is not glued to its
    /// neighbours'. `br` counts.
    pub fn breaks_text(self) -> bool {
        matches!(
            self,
            Self::ADDRESS
                | Self::ARTICLE
                | Self::ASIDE
                | Self::BLOCKQUOTE
                | Self::BODY
                | Self::BR
                | Self::CAPTION
                | Self::CENTER
                | Self::DD
                | Self::DETAILS
                | Self::DIALOG
                | Self::DIR
                | Self::DIV
                | Self::DL
                | Self::DT
                | Self::FIELDSET
                | Self::FIGCAPTION
                | Self::FIGURE
                | Self::FOOTER
                | Self::FORM
                | Self::FRAMESET
                | Self::H1
                | Self::H2
                | Self::H3
                | Self::H4
                | Self::H5
                | Self::H6
                | Self::HEAD
                | Self::HEADER
                | Self::HGROUP
                | Self::HR
                | Self::HTML
                | Self::LEGEND
                | Self::LI
                | Self::LISTING
                | Self::MAIN
                | Self::MENU
                | Self::NAV
                | Self::OL
                | Self::OPTGROUP
                | Self::OPTION
                | Self::P
                | Self::PLAINTEXT
                | Self::PRE
                | Self::SEARCH
                | Self::SECTION
                | Self::SELECT
                | Self::SUMMARY
                | Self::TABLE
                | Self::TBODY
                | Self::TD
                | Self::TEXTAREA
                | Self::TFOOT
                | Self::TH
                | Self::THEAD
                | Self::TITLE
                | Self::TR
                | Self::UL
                | Self::XMP
        )
    }

    /// Whether white space in the element's text is to be kept.
    pub fn is_preformatted(self) -> bool {
        matches!(self, Self::PRE | Self::TEXTAREA | Self::LISTING | Self::XMP | Self::PLAINTEXT)
    }

    /// Whether the element's content is never shown as text of the page: code, metadata, what stands in for a
    /// feature the browser lacks, the readings beside ruby text, and the sources of formulas.
    pub fn is_never_shown(self) -> bool {
        matches!(
            self,
            Self::HEAD
                | Self::SCRIPT
                | Self::STYLE
                | Self::TEMPLATE
                | Self::NOSCRIPT
                | Self::IFRAME
                | Self::NOFRAMES
                | Self::SVG
                | Self::CANVAS
                | Self::AUDIO
                | Self::VIDEO
                | Self::DATALIST
                | Self::TITLE
                | Self::APPLET
                | Self::RP
                | Self::RT
                | Self::RTC
                | Self::ANNOTATION
                | Self::ANNOTATION_XML
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_go_both_ways() {
        for &name in NAMES {
            assert_eq!(Tag::from_name(name).name(), name);
        }
        assert_eq!(Tag::from_name("my-element"), Tag::OTHER);
    }
}
