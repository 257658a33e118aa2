//! What the cells of a column are.

use crate::records::ColumnKind;
use serde::{Deserialize, Serialize};

/// Share of the cells that have to be of a kind for the column to be.
const SHARE: f64 = 0.8;

/// How many cells of a column are of which kind; empty ones do not count.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Kinds {
    pub(super) all: u32,
    prices: u32,
    dates: u32,
    numbers: u32,
}

impl Kinds {
    pub(super) fn of<'a>(cells: impl Iterator<Item = &'a str>) -> Self {
        let mut kinds = Self::default();
        for cell in cells.filter(|cell| !cell.is_empty()) {
            kinds.all += 1;
            match kind_of(cell) {
                ColumnKind::Price => kinds.prices += 1,
                ColumnKind::Date => kinds.dates += 1,
                ColumnKind::Number => kinds.numbers += 1,
                _ => {}
            }
        }
        kinds
    }

    pub(super) fn add(&mut self, other: &Self) {
        let add = |a: &mut u32, b: u32| *a = a.saturating_add(b);
        add(&mut self.all, other.all);
        add(&mut self.prices, other.prices);
        add(&mut self.dates, other.dates);
        add(&mut self.numbers, other.numbers);
    }

    /// What most cells are.
    pub(super) fn most(&self) -> ColumnKind {
        let enough = |count: u32| self.all > 0 && f64::from(count) >= SHARE * f64::from(self.all);
        if enough(self.prices) {
            ColumnKind::Price
        } else if enough(self.dates) {
            ColumnKind::Date
        } else if enough(self.numbers) {
            ColumnKind::Number
        } else {
            ColumnKind::Text
        }
    }
}

/// The kind of a column of texts.
pub(super) fn kind<'a>(cells: impl Iterator<Item = &'a str>) -> ColumnKind {
    Kinds::of(cells).most()
}

const CURRENCIES: [&str; 24] = [
    "usd", "eur", "gbp", "cad", "aud", "chf", "jpy", "cny", "rmb", "inr", "krw", "kr", "sek", "nok", "dkk", "pln",
    "zł", "руб", "元", "円", "원", "us", "ca", "rs",
];

/// The kind of one cell.
fn kind_of(cell: &str) -> ColumnKind {
    // Words around a number: "from $3", "12 points". More than that is prose.
    if cell.len() > 60 || !cell.contains(|c: char| c.is_ascii_digit()) && !is_age(cell) {
        return ColumnKind::Text;
    }
    let digits = cell.chars().filter(char::is_ascii_digit).count();
    let has_sign = cell.contains(is_currency_sign);
    let mut letters = words(cell);
    if has_sign && letters.clone().count() <= 4 || digits > 0 && is_price(&mut letters.clone()) {
        return ColumnKind::Price;
    }
    if is_date(cell) {
        return ColumnKind::Date;
    }
    // The score of a match is no number.
    let is_number = letters.next().is_none() && digits > 0 && !cell.contains(':');
    if is_number { ColumnKind::Number } else { ColumnKind::Text }
}

fn is_currency_sign(c: char) -> bool {
    matches!(c, '$' | '€' | '£' | '¥' | '￥' | '₹' | '₽' | '₩' | '₺' | '₴' | '₫' | '฿' | '₪')
}

/// Runs of letters.
fn words(cell: &str) -> impl Iterator<Item = &str> + Clone {
    cell.split(|c: char| !c.is_alphabetic()).filter(|word| !word.is_empty())
}

/// Whether the only word is a currency.
fn is_price<'a>(words: &mut (impl Iterator<Item = &'a str> + Clone)) -> bool {
    let mut count = 0;
    let all = words.all(|word| {
        count += 1;
        CURRENCIES.contains(&word.to_lowercase().as_str())
    });
    all && count == 1
}

/// Names of months, English and Russian (as dates have them). What begins one, from three letters on, is its short form.
const MONTHS: [&str; 24] = [
    "january",
    "february",
    "march",
    "april",
    "may",
    "june",
    "july",
    "august",
    "september",
    "october",
    "november",
    "december",
    "января",
    "февраля",
    "марта",
    "апреля",
    "мая",
    "июня",
    "июля",
    "августа",
    "сентября",
    "октября",
    "ноября",
    "декабря",
];

/// "Yesterday", "3 hours ago", "2 小时前".
fn is_age(cell: &str) -> bool {
    let lower = cell.to_lowercase();
    lower.ends_with(" ago")
        || lower == "yesterday"
        || lower == "today"
        || cell.ends_with('前')
        || cell == "昨天"
        || cell == "今天"
}

fn is_date(cell: &str) -> bool {
    if is_age(cell) {
        return true;
    }
    let has_month = words(cell).any(|word| {
        let lower = word.to_lowercase();
        word.chars().count() >= 3 && MONTHS.iter().any(|month| month.starts_with(&lower))
    });
    let numbers: Vec<usize> = cell
        .split(|c: char| !c.is_ascii_digit())
        .filter(|run| !run.is_empty())
        .map(|run| run.parse().unwrap_or(usize::MAX))
        .collect();
    if has_month && words(cell).count() <= 5 && numbers.iter().any(|&n| n <= 31 || (1900..2100).contains(&n)) {
        return true;
    }
    let is_clock = numbers.len() <= 7 && cell.split(|c: char| !c.is_ascii_digit() && c != ':').any(is_time);
    let parts = numbers.get(..3).is_some_and(|n| {
        let is_year = |n: usize| (1900..2100).contains(&n);
        is_year(n[0]) && (1..=12).contains(&n[1]) && (1..=31).contains(&n[2])
            || (1..=31).contains(&n[0]) && (1..=31).contains(&n[1]) && (is_year(n[2]) || n[2] < 100)
    });
    let has_marks = cell.contains(['-', '/', '.']) || cell.contains('年');
    let monthday = cell.contains('月') && cell.contains('日') || words(cell).count() == 0 && is_short_day(cell);
    words(cell).count() <= 5
        && (parts && has_marks
            || monthday
            || is_clock
                && words(cell).count() <= 2
                && words(cell).all(|w| matches!(w.to_lowercase().as_str(), "am" | "pm" | "a" | "p" | "m" | "t" | "z")))
}

/// "9:05", "23:59:01". Minutes have two digits: `0:1` and `3:2` are how matches ended.
fn is_time(run: &str) -> bool {
    let mut parts = run.split(':');
    let hours = parts.next().unwrap_or_default();
    let is_pair = |part: &str| part.len() == 2 && part < "60";
    let mut minutes = 0;
    let are_pairs = parts.all(|part| {
        minutes += 1;
        is_pair(part)
    });
    matches!(hours.len(), 1 | 2)
        && hours.parse::<u8>().is_ok_and(|hour| hour <= 24)
        && are_pairs
        && matches!(minutes, 1 | 2)
}

/// "03-27", "3/27".
fn is_short_day(cell: &str) -> bool {
    let Some((month, day)) = cell.trim_matches(['[', ']', '(', ')', ' ']).split_once(['-', '/']) else { return false };
    let number = |text: &str| text.parse::<u32>().ok().filter(|_| text.len() <= 2);
    matches!((number(month), number(day)), (Some(1..=12), Some(1..=31)) | (Some(1..=31), Some(1..=12)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_have_kinds() {
        for (cell, kind) in [
            ("$12.50", ColumnKind::Price),
            ("from £3", ColumnKind::Price),
            ("CA$8.07", ColumnKind::Price),
            ("1 200,00 kr", ColumnKind::Price),
            ("99元", ColumnKind::Price),
            ("2020-01-27", ColumnKind::Date),
            ("[2020-01-27]", ColumnKind::Date),
            ("03-27", ColumnKind::Date),
            ("27/01/2020", ColumnKind::Date),
            ("Mar 3, 2017", ColumnKind::Date),
            ("Friday, March 11, 2016 - 12:35", ColumnKind::Date),
            ("2020年3月1日", ColumnKind::Date),
            ("3 hours ago", ColumnKind::Date),
            ("10:42 am", ColumnKind::Date),
            ("9:05", ColumnKind::Date),
            ("23:59:01", ColumnKind::Date),
            ("[19:30 - 21:00]", ColumnKind::Date),
            ("0:1", ColumnKind::Text),
            ("3:2", ColumnKind::Text),
            ("101:98", ColumnKind::Text),
            ("28:61", ColumnKind::Text),
            ("1,204", ColumnKind::Number),
            ("(42)", ColumnKind::Number),
            ("3.5%", ColumnKind::Number),
            ("14/98", ColumnKind::Number),
            ("Marble quartz No. 149", ColumnKind::Text),
            ("Maybe 5 of them", ColumnKind::Text),
            ("12 points", ColumnKind::Text),
            ("in stock since 1990, which cost $3 then and is now worth far more than that", ColumnKind::Text),
        ] {
            assert_eq!(kind_of(cell), kind, "{cell}");
        }
    }

    #[test]
    fn a_column_is_what_most_cells_are() {
        assert_eq!(kind(["$1", "", "$2", "$3", "$4", "sold"].into_iter()), ColumnKind::Price);
        assert_eq!(kind(["$1", "sold", "$3"].into_iter()), ColumnKind::Text);
        assert_eq!(kind(std::iter::empty()), ColumnKind::Text);
    }
}
