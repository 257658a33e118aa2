//! [`RuleFile`]: rules as they are written, and [`Rules`]: as they are applied.

use super::selector::{Selector, SelectorError};
use serde::{Deserialize, Serialize};

/// The value of `format` of a file of rules.
pub const RULE_FORMAT: &str = "wisdom-rules-1";

/// The rules of a site, as in the file. They are tried in order: of each kind the first that selects something is the page's.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RuleFile {
    /// [`RULE_FORMAT`].
    pub format: String,
    /// The site: host, or host:port.
    #[serde(default)]
    pub site: String,
    /// Mined pages on which the rules were measured.
    #[serde(default)]
    pub pages: u32,
    /// The rules.
    pub rules: Vec<Rule>,
}

/// What a rule is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum RuleKind {
    /// It selects the elements that hold the article.
    Article,
    /// It selects the links of a table of contents.
    Toc,
}

impl RuleKind {
    /// The [`confidence`](Support::confidence) that a rule must have. Mining errs more often on lists: of a few links one
    /// that is wrong costs much, and it may take another list of the page for the one that is meant.
    pub const fn bar(self) -> f64 {
        match self {
            Self::Article => 0.9,
            Self::Toc => 0.8,
        }
    }
}

/// One rule: for the pages of one template.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Rule {
    /// Its name, as `article-1`.
    pub name: String,
    /// What it is for.
    pub kind: RuleKind,
    /// The elements that hold the article, or the `a` elements of the table of contents: all that match any of these. An
    /// element inside another one counts once.
    pub select: Vec<RuleSelector>,
    /// Of these, what is dropped: all elements of the page that match any of these, with what they hold.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub exclude: Vec<RuleSelector>,
    /// How well it agrees with mining.
    #[serde(default)]
    pub support: Support,
    /// The address of a page that it fits.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub example: String,
}

/// A selector, from the document on, written twice.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RuleSelector {
    /// In CSS. This one is applied.
    pub css: String,
    /// The same in `XPath` 1.0, for other programs; passed over when it is read.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub xpath: String,
}

/// How well a rule agrees with mining, measured on the site's pages.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Support {
    /// Pages on which it is the first rule of its kind to select something.
    pub matches: u32,
    /// Of these, pages that mining says are of its kind.
    pub pages: u32,
    /// Mean F1, 0 to 1. Of an article rule: of the words it selects against those that mining kept, over `pages`. Of a rule
    /// for tables of contents: of the targets of its links against those that mining kept, over `matches`; where mining sees
    /// no table of contents F1 is 0.
    pub confidence: f64,
}

/// Why a file of rules cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum RulesError {
    /// It is not what it should be.
    #[error("not a file of rules ({reason}); write one with wisdom rules")]
    Foreign {
        /// What is wrong.
        reason: String,
    },
    /// It is of another version.
    #[error("its format is {found:?}, and this version reads {RULE_FORMAT:?}; write it anew with wisdom rules")]
    Format {
        /// The format it states.
        found: String,
    },
    /// A selector is not supported.
    #[error("rule {rule:?}: {source}")]
    Selector {
        /// The name of the rule.
        rule: String,
        /// What is wrong.
        source: SelectorError,
    },
    /// A rule selects nothing.
    #[error("rule {rule:?} has no selector in \"select\"; give one, or take the rule out")]
    Empty {
        /// The name of the rule.
        rule: String,
    },
}

/// Rules that can be applied: see [`article`](Self::article) and [`links`](Self::links).
#[derive(Clone, Debug, Default)]
pub struct Rules {
    pub(super) rules: Vec<Ready>,
}

/// A rule with its selectors read.
#[derive(Clone, Debug)]
pub(super) struct Ready {
    pub(super) name: String,
    pub(super) kind: RuleKind,
    pub(super) select: Vec<Selector>,
    pub(super) exclude: Vec<Selector>,
}

impl Rules {
    /// Reads the text of a [`RuleFile`].
    pub fn parse(json: &str) -> Result<Self, RulesError> {
        // The format first: a file of another version may have other fields.
        #[derive(Deserialize)]
        struct Head {
            format: Option<String>,
        }
        // Editors of some systems write a mark of the byte order.
        let json = json.trim_start_matches('\u{feff}');
        let foreign = |error: serde_json::Error| RulesError::Foreign { reason: error.to_string() };
        match serde_json::from_str::<Head>(json).map_err(foreign)?.format {
            Some(format) if format == RULE_FORMAT => {}
            Some(found) => return Err(RulesError::Format { found }),
            None => return Err(RulesError::Foreign { reason: "it states no format".to_owned() }),
        }
        Self::of(&serde_json::from_str(json).map_err(foreign)?)
    }

    /// Reads the selectors of a file.
    pub fn of(file: &RuleFile) -> Result<Self, RulesError> {
        let ready = |rule: &Rule| {
            if rule.select.is_empty() {
                return Err(RulesError::Empty { rule: rule.name.clone() });
            }
            let read = |selectors: &[RuleSelector]| {
                let selectors = selectors.iter().map(|selector| Selector::parse(&selector.css));
                let refused = |source| RulesError::Selector { rule: rule.name.clone(), source };
                selectors.collect::<Result<Vec<_>, _>>().map_err(refused)
            };
            let (select, exclude) = (read(&rule.select)?, read(&rule.exclude)?);
            Ok(Ready { name: rule.name.clone(), kind: rule.kind, select, exclude })
        };
        Ok(Self { rules: file.rules.iter().map(ready).collect::<Result<_, _>>()? })
    }
}

impl From<&Selector> for RuleSelector {
    fn from(selector: &Selector) -> Self {
        Self { css: selector.to_string(), xpath: selector.xpath() }
    }
}
