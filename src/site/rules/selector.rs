//! [`Selector`]: the part of CSS that rules are written in, and the same in `XPath`.
//!
//! A selector is steps of a tag (or `*`), an id and classes, joined by a blank (anywhere below) or `>` (a child). The file of
//! rules may be written by hand, so all else of CSS is refused by name rather than passed over.

use crate::dom::{Attr, Dom, NodeId, Tag};
use std::fmt;

/// Why a selector was refused.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("selector {selector:?} {reason}; write tags, #ids and .classes, joined by blanks or >")]
pub struct SelectorError {
    /// The selector as written; of a long one the beginning.
    pub selector: String,
    /// What is wrong with it.
    pub reason: String,
}

/// How a step is reached from the one before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Join {
    Below,
    Child,
}

/// An element by its tag, id and classes; by none of them any element.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Step {
    pub(super) tag: Option<Tag>,
    pub(super) id: Option<String>,
    pub(super) classes: Vec<String>,
}

/// A CSS selector of tags, ids and classes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Selector {
    steps: Vec<(Join, Step)>,
}

/// Characters of a selector that an error shows.
const MOST_SHOWN: usize = 160;

/// Steps of a selector at most: as many as a word of [`Selector::matches`] has bits.
const MOST_STEPS: usize = 32;

impl Selector {
    /// Reads a selector.
    ///
    /// ```
    /// use wisdom::site::Selector;
    /// let selector = Selector::parse("#main  div.text > p").unwrap();
    /// assert_eq!(selector.to_string(), "#main div.text > p");
    /// assert!(Selector::parse("p:first-child").is_err());
    /// ```
    pub fn parse(text: &str) -> Result<Self, SelectorError> {
        parse(text).map_err(|reason| {
            let mut selector: String = text.chars().take(MOST_SHOWN).collect();
            if selector.len() < text.len() {
                selector.push('…');
            }
            SelectorError { selector, reason }
        })
    }

    /// The selector of steps that lie anywhere below each other.
    pub(super) fn of(steps: impl IntoIterator<Item = Step>) -> Self {
        Self { steps: steps.into_iter().map(|step| (Join::Below, step)).collect() }
    }

    #[cfg(test)]
    pub(super) fn steps(&self) -> &[(Join, Step)] {
        &self.steps
    }

    /// Elements that match, in document order, hidden ones too. Time and memory O(nodes · steps): a node keeps which
    /// beginnings of the selector end at it, and which at it or above.
    pub fn matches(&self, dom: &Dom) -> Vec<NodeId> {
        let Some(last) = self.steps.len().checked_sub(1) else { return Vec::new() };
        let mut ended: Vec<(u32, u32)> = Vec::with_capacity(dom.len());
        let mut found = Vec::new();
        for id in dom.ids() {
            let (at_parent, above) = dom.parent(id).map_or((0, 0), |up| ended[up.index()]);
            let mut here = 0_u32;
            for (at, (join, step)) in self.steps.iter().enumerate() {
                let before = if *join == Join::Child { at_parent } else { above };
                if (at == 0 || before >> (at - 1) & 1 == 1) && step.is(dom, id) {
                    here |= 1 << at;
                }
            }
            ended.push((here, above | here));
            if here >> last & 1 == 1 {
                found.push(id);
            }
        }
        found
    }

    /// The same in `XPath` 1.0, from the document on.
    pub fn xpath(&self) -> String {
        let mut out = String::new();
        for (join, step) in &self.steps {
            out.push_str(if *join == Join::Child { "/" } else { "//" });
            out.push_str(step.tag.map_or("*", Tag::name));
            if let Some(id) = &step.id {
                out.extend(["[@id=\"", id, "\"]"]);
            }
            for class in &step.classes {
                out.extend(["[contains(concat(\" \", normalize-space(@class), \" \"), \" ", class, " \")]"]);
            }
        }
        out
    }
}

impl fmt::Display for Selector {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (at, (join, step)) in self.steps.iter().enumerate() {
            if at > 0 {
                f.write_str(if *join == Join::Child { " > " } else { " " })?;
            }
            match step.tag {
                Some(tag) => f.write_str(tag.name())?,
                None if step.id.is_none() && step.classes.is_empty() => f.write_str("*")?,
                None => {}
            }
            if let Some(id) = &step.id {
                write!(f, "#{id}")?;
            }
            step.classes.iter().try_for_each(|class| write!(f, ".{class}"))?;
        }
        Ok(())
    }
}

impl Step {
    fn is(&self, dom: &Dom, id: NodeId) -> bool {
        let tag = dom.tag(id);
        if matches!(tag, Tag::TEXT | Tag::DOCUMENT) || self.tag.is_some_and(|wanted| wanted != tag) {
            return false;
        }
        let has_id = self.id.as_deref().is_none_or(|wanted| dom.attr(id, Attr::ID) == Some(wanted));
        has_id
            && (self.classes.is_empty()
                || dom.attr(id, Attr::CLASS).is_some_and(|value| {
                    self.classes.iter().all(|wanted| value.split_ascii_whitespace().any(|class| class == wanted))
                }))
    }
}

/// Whether a name can be written in a selector without escapes.
pub(super) fn is_name(name: &str) -> bool {
    let bare = name.strip_prefix('-').unwrap_or(name);
    bare.starts_with(|c: char| is_name_char(c) && !c.is_ascii_digit()) && name.chars().all(is_name_char)
}

fn is_name_char(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '-' || c == '_' || (!c.is_ascii() && c.is_alphanumeric())
}

fn parse(text: &str) -> Result<Selector, String> {
    let mut steps = Vec::new();
    let mut join = Join::Below;
    let mut rest = text.trim_ascii();
    if rest.is_empty() {
        return Err("is empty".to_owned());
    }
    loop {
        let (step, after) = parse_step(rest)?;
        steps.push((join, step));
        if steps.len() > MOST_STEPS {
            return Err(format!("has more than {MOST_STEPS} steps"));
        }
        let next = after.trim_ascii_start();
        if next.is_empty() {
            return Ok(Selector { steps });
        }
        (join, rest) = match next.strip_prefix('>') {
            Some(next) => (Join::Child, next.trim_ascii_start()),
            None if next.len() < after.len() => (Join::Below, next),
            None => return Err(refused(next)),
        };
        if rest.is_empty() {
            return Err("ends with >".to_owned());
        }
    }
}

fn parse_step(text: &str) -> Result<(Step, &str), String> {
    let mut step = Step::default();
    let mut rest = text;
    if let Some(after) = rest.strip_prefix('*') {
        rest = after;
    } else if let (Some(name), after) = split_name(rest) {
        let lower = name.to_ascii_lowercase();
        let tag = Tag::from_name(&lower);
        if tag == Tag::OTHER {
            return Err(format!("names the element {name}, which HTML does not have"));
        }
        (step.tag, rest) = (Some(tag), after);
    }
    while let Some(sign) = rest.chars().next().filter(|sign| matches!(sign, '#' | '.')) {
        let (name, after) = split_name(&rest[1..]);
        let name = name.filter(|name| is_name(name)).ok_or_else(|| format!("has no name behind {sign}"))?;
        if sign == '.' {
            step.classes.push(name.to_owned());
        } else if step.id.replace(name.to_owned()).is_some() {
            return Err("has two ids in one step".to_owned());
        }
        rest = after;
    }
    if rest.len() == text.len() { Err(refused(rest)) } else { Ok((step, rest)) }
}

fn split_name(text: &str) -> (Option<&str>, &str) {
    let end = text.find(|c| !is_name_char(c)).unwrap_or(text.len());
    let (name, rest) = text.split_at(end);
    ((!name.is_empty()).then_some(name), rest)
}

/// What is wrong where no step goes on.
fn refused(rest: &str) -> String {
    match rest.chars().next() {
        Some(':') => "holds a pseudo-class, which is not supported".to_owned(),
        Some('[') => "asks for an attribute, which is not supported".to_owned(),
        Some('+' | '~') => "asks for siblings, which is not supported".to_owned(),
        Some(',') => "is a list; write each part as a selector of its own".to_owned(),
        Some('\\') => "holds an escape, which is not supported".to_owned(),
        Some(c) => format!("holds {c:?}, which is not supported there"),
        None => "is empty".to_owned(),
    }
}
