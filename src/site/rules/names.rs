//! [`Names`]: ids and classes of many pages as numbers, and which of them are the same from page to page.

use super::selector::is_name;
use rustc_hash::{FxHashMap, FxHashSet};

/// No name.
pub(super) const NONE: u32 = u32::MAX;

/// Ids (`#a`) and classes (`.a`), each with the number of pages that have it.
#[derive(Clone, Debug, Default)]
pub(super) struct Names {
    numbers: FxHashMap<String, u32>,
    known: Vec<Name>,
    /// Pages that have a name of each form: the name with its digits as 0.
    forms: FxHashMap<String, u32>,
}

#[derive(Clone, Debug)]
struct Name {
    text: String,
    pages: u32,
}

impl Names {
    /// Adds the distinct names of one page. Returns their numbers in the same order.
    pub(super) fn add(&mut self, page: &[String]) -> Vec<u32> {
        let mut forms = FxHashSet::default();
        let mut numbers = Vec::with_capacity(page.len());
        for name in page {
            if !is_name(&name[1..]) {
                numbers.push(NONE);
                continue;
            }
            if has_digit(name) {
                let form: String = name.chars().map(|c| if c.is_ascii_digit() { '0' } else { c }).collect();
                if forms.insert(form.clone()) {
                    *self.forms.entry(form).or_default() += 1;
                }
            }
            let next = u32::try_from(self.known.len()).unwrap_or(NONE);
            let number = *self.numbers.entry(name.clone()).or_insert(next);
            if number == next {
                self.known.push(Name { text: name.clone(), pages: 0 });
            }
            if let Some(known) = self.known.get_mut(number as usize) {
                known.pages += 1;
            }
            numbers.push(number);
        }
        numbers
    }

    /// The name with its sign.
    pub(super) fn text(&self, number: u32) -> &str {
        self.known.get(number as usize).map_or("", |name| &name.text)
    }

    /// Whether a name is of its template and not of its page: it has no digits, or at least half of the pages that have a
    /// name of its form have this one (`col-8`, not `post-17`).
    pub(super) fn is_stable(&self, number: u32) -> bool {
        let Some(name) = self.known.get(number as usize) else { return false };
        if !has_digit(&name.text) {
            return true;
        }
        let form: String = name.text.chars().map(|c| if c.is_ascii_digit() { '0' } else { c }).collect();
        name.pages * 2 >= self.forms.get(&form).copied().unwrap_or_default()
    }
}

fn has_digit(name: &str) -> bool {
    name.bytes().any(|b| b.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_of_pages_are_not_stable_and_those_of_layouts_are() {
        let mut names = Names::default();
        for page in 0..6 {
            let own = format!("#post-{page}");
            names.add(&[own, ".col-8".to_owned(), ".text".to_owned(), ".md:w-1/2".to_owned()]);
        }
        let stable = |name: &str| names.numbers.get(name).map(|&number| names.is_stable(number));
        assert_eq!(stable("#post-3"), Some(false));
        assert_eq!((stable(".col-8"), stable(".text")), (Some(true), Some(true)));
        assert_eq!(stable(".md:w-1/2"), None, "no name without escapes");
    }
}
