//! Dates as pages write them: ISO 8601 and its relatives, numbers in an order that can be told, and names of months.

use super::months::{iranian_month, month};
use std::ops::RangeInclusive;

/// A date, perhaps with a time and a zone.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Stamp {
    date: (u32, u32, u32),
    time: Option<String>,
}

impl Stamp {
    fn new(year: u32, month: u32, day: u32) -> Option<Self> {
        let leap = year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400));
        let days = [31, 28 + u32::from(leap), 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
        let valid = (1..=12).contains(&month) && (1..=days[month as usize - 1]).contains(&day);
        (valid && (1000..=2999).contains(&year)).then_some(Self { date: (year, month, day), time: None })
    }

    /// `YYYY-MM-DD`, or with `THH:MM:SS` and perhaps `±HH:MM`.
    pub(super) fn iso(&self) -> String {
        let (year, month, day) = self.date;
        let date = format!("{year:04}-{month:02}-{day:02}");
        self.time.as_ref().map_or(date.clone(), |time| format!("{date}T{time}"))
    }

    /// Whether the year is one in which web pages were written.
    fn is_recent(&self) -> bool {
        RECENT.contains(&self.date.0)
    }

    /// The date of the Thai calendar, whose years are 543 ahead, or of the Iranian one as a date of ours, where the year
    /// says so.
    fn of_any_calendar(year: u32, month: u32, day: u32) -> Option<Self> {
        let thai = year.checked_sub(543).filter(|year| RECENT.contains(year));
        match thai {
            Some(year) => Self::new(year, month, day),
            None if IRANIAN.contains(&year) => iranian(year, month, day),
            None => Self::new(year, month, day),
        }
    }
}

/// Years in which web pages were written.
const RECENT: RangeInclusive<u32> = 1990..=2100;
/// The same by the Iranian calendar.
const IRANIAN: RangeInclusive<u32> = 1369..=1479;

/// A date of the Iranian calendar: months of 31, then 30 days, from the spring equinox on; eight leap years in each 33
/// years, which holds from 1343 to 1502 (Heydari-Malayeri 2004).
fn iranian(year: u32, month: u32, day: u32) -> Option<Stamp> {
    const LEAP: [u32; 8] = [1, 5, 9, 13, 17, 22, 26, 30];
    let is_leap = |year: u32| LEAP.contains(&(year % 33));
    let longest = if month <= 6 { 31 } else { 30 - u32::from(month == 12 && !is_leap(year)) };
    if !(1..=12).contains(&month) || !(1..=longest).contains(&day) {
        return None;
    }
    // 1 Farvardin 1369 was 21 March 1990, day 7,384 of 1970.
    let years: u32 = (*IRANIAN.start()..year).map(|year| 365 + u32::from(is_leap(year))).sum();
    let of_year = (month - 1) * 30 + (month - 1).min(6) + day - 1;
    civil(7384 + i64::from(years + of_year))
}

/// Digits of other scripts as ours; `None` where all are.
fn plain_digits(text: &str) -> Option<String> {
    // Arabic, Persian, Devanagari, Bengali, Thai and wide digits.
    const ZEROS: [u32; 6] = [0x660, 0x6F0, 0x966, 0x9E6, 0xE50, 0xFF10];
    let digit = |c: char| {
        let code = u32::from(c);
        let zero = ZEROS.into_iter().find(|&zero| (zero..zero + 10).contains(&code))?;
        char::from_digit(code - zero, 10)
    };
    let is_foreign = !text.is_ascii() && text.chars().any(|c| digit(c).is_some());
    is_foreign.then(|| text.chars().map(|c| digit(c).unwrap_or(c)).collect())
}

/// How a page writes the numbers of a date that begins with neither the year nor a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Order {
    /// The day first, as in most languages.
    DayFirst,
    /// Unknown, or English of no certain country.
    Unknown,
}

/// The date in a value that is one: ISO 8601 with any of the usual signs between, else as in running text.
pub(super) fn stated_date(value: &str) -> Option<Stamp> {
    let folded = plain_digits(value);
    let value = folded.as_deref().unwrap_or(value).trim();
    let mut rest = value;
    year_first(&mut rest).map(|stamp| with_time(stamp, rest)).or_else(|| {
        // "1325462400" and its like are no dates, however they may be read.
        value.get(..64).is_none().then(|| date_in(value, Order::Unknown)).flatten().or_else(|| epoch(value))
    })
}

/// Seconds or milliseconds since 1970.
fn epoch(value: &str) -> Option<Stamp> {
    let seconds: i64 = match value.len() {
        10 => value.parse().ok()?,
        13 => value.parse::<i64>().ok()? / 1000,
        _ => return None,
    };
    civil(seconds.div_euclid(86_400)).filter(Stamp::is_recent)
}

/// The date of a day counted from 1970 (Hinnant 2013: eras of 400 years that begin in March).
fn civil(days: i64) -> Option<Stamp> {
    let days = days + 719_468;
    let era = days.div_euclid(146_097);
    let of_era = days.rem_euclid(146_097);
    let year = (of_era - of_era / 1460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year + year / 4 - year / 100);
    let from_march = (5 * of_year + 2) / 153;
    let day = of_year - (153 * from_march + 2) / 5 + 1;
    let month = if from_march < 10 { from_march + 3 } else { from_march - 9 };
    let year = year + era * 400 + i64::from(month <= 2);
    let number = |n: i64| u32::try_from(n).ok();
    Stamp::new(number(year)?, number(month)?, number(day)?)
}

/// The first date in running text, in any order that can be told without knowing the language: `2012-03-14`, `2012年3月4日`,
/// `14.03.2012`, `14/03/2012` (`03/04/2012`, which means two days, only in a known order), `14 March 2012`,
/// `March 14, 2012`, `2012. március 14.`; years of the Thai and the Iranian calendar, digits of any script. Time linear in
/// the text.
pub(super) fn date_in(text: &str, order: Order) -> Option<Stamp> {
    let folded = plain_digits(text);
    let text = folded.as_deref().unwrap_or(text);
    let mut at = 0;
    let mut inside_number = false;
    while let Some(c) = text[at..].chars().next() {
        if c.is_ascii_digit() && !inside_number {
            let mut rest = &text[at..];
            let stamp = year_first(&mut rest)
                .or_else(|| day_first(&mut rest, order))
                .or_else(|| year_named(&mut rest))
                .or_else(|| named(text, at, &mut rest));
            if let Some(stamp) = stamp.filter(Stamp::is_recent) {
                return Some(with_time(stamp, rest));
            }
        }
        inside_number = c.is_ascii_digit();
        at += c.len_utf8();
    }
    None
}

/// Year, month and day by `-`, `/`, `.`, Chinese, Japanese or Korean signs, or nothing.
fn year_first(rest: &mut &str) -> Option<Stamp> {
    let mut at = *rest;
    let year = number(&mut at, 4, 4)?;
    let compact = at.starts_with(|c: char| c.is_ascii_digit());
    let mut next = |from: usize| {
        if compact {
            return number(&mut at, 2, 2);
        }
        at =
            at.trim_start_matches(' ').strip_prefix(['-', '/', '.', '年', '月', '년', '월', '\u{2010}', '\u{2011}'])?;
        at = at.trim_start_matches(' ');
        number(&mut at, from, 2)
    };
    let (month, day) = (next(1)?, next(1)?);
    if at.starts_with(|c: char| c.is_ascii_digit()) {
        return None;
    }
    let stamp = Stamp::of_any_calendar(year, month, day)?;
    *rest = at;
    Some(stamp)
}

/// A year before the name of a month and a day: `2012. március 14.`, `2012, March 14`.
fn year_named(rest: &mut &str) -> Option<Stamp> {
    let mut at = *rest;
    let year = number(&mut at, 4, 4)?;
    at = at.trim_start_matches(['.', ',', ' ', '\u{a0}']);
    let (word, behind) = next_word(at)?;
    let mut day_at = strip_filler(behind.trim_start_matches('.'));
    let day = number(&mut day_at, 1, 2).filter(|_| !day_at.starts_with(|c: char| c.is_ascii_digit()))?;
    let stamp = Stamp::new(year, month(word)?, day)?;
    *rest = day_at;
    Some(stamp)
}

/// Day, month and year by points (always in this order), or by `/` or `-` where the numbers tell.
fn day_first(rest: &mut &str, order: Order) -> Option<Stamp> {
    let mut at = *rest;
    let first = number(&mut at, 1, 2)?;
    let sign = at.chars().next().filter(|c| matches!(c, '.' | '/' | '-'))?;
    at = at[1..].trim_start_matches(' ');
    let second = number(&mut at, 1, 2)?;
    at = at.strip_prefix(sign)?.trim_start_matches(' ');
    let year = number(&mut at, 4, 4)?;
    // A longer run of numbers is a version or an address.
    let goes_on = at.strip_prefix(sign).unwrap_or(at);
    if goes_on.starts_with(|c: char| c.is_ascii_digit()) {
        return None;
    }
    let (day, month) = match sign {
        '.' => (first, second),
        _ if first > 12 || first == second => (first, second),
        _ if second > 12 => (second, first),
        _ if order == Order::DayFirst => (first, second),
        _ => return None,
    };
    let stamp = Stamp::of_any_calendar(year, month, day)?;
    *rest = at;
    Some(stamp)
}

/// A day beside the name of a month and a year: `14 March 2012`, `14 de marzo de 2012`, `March 14th, 2012`. `at` is where
/// `rest`, which begins with the day, stands in the text.
fn named(text: &str, at: usize, rest: &mut &str) -> Option<Stamp> {
    let mut behind = *rest;
    let day = number(&mut behind, 1, 2).filter(|_| !behind.starts_with(|c: char| c.is_ascii_digit()))?;
    let mut after = strip_ordinal(behind);
    // Vietnamese numbers its months: "15 tháng 3, 2022".
    if let Some(numbered) = after.trim_start_matches([' ', ',']).strip_prefix("tháng ") {
        let mut numbered = numbered;
        let month = number(&mut numbered, 1, 2)?;
        let mut year_at = strip_filler(numbered);
        year_at = year_at.strip_prefix("năm ").unwrap_or(year_at);
        let year = number(&mut year_at, 4, 4)?;
        *rest = year_at;
        return Stamp::new(year, month, day);
    }
    if let Some((word, left)) = next_word(after)
        && let Some(month) = month(word)
    {
        after = left;
        let mut year_at = strip_filler(after.trim_start_matches('.'));
        if let Some(year) = number(&mut year_at, 4, 4).filter(|_| !year_at.starts_with(|c: char| c.is_ascii_digit())) {
            *rest = year_at;
            return Stamp::of_any_calendar(year, month, day);
        }
        return None;
    }
    // By the Iranian calendar, whose months have names of their own.
    if let Some((word, left)) = next_word(after)
        && let Some(month) = iranian_month(word)
    {
        let mut year_at = strip_filler(left);
        let year = number(&mut year_at, 4, 4).filter(|year| IRANIAN.contains(year))?;
        *rest = year_at;
        return iranian(year, month, day);
    }
    // The month before the day.
    let word = text[..at].trim_end_matches([' ', '\u{a0}', '.']).rsplit(|c: char| !is_word(c)).next()?;
    let month = month(word)?;
    let mut year_at = strip_filler(after);
    let year = number(&mut year_at, 4, 4)?;
    *rest = year_at;
    Stamp::new(year, month, day)
}

fn is_word(c: char) -> bool {
    // Vowel signs of Indic scripts are no letters of their own.
    c.is_alphabetic() || matches!(u32::from(c), 0x300..=0x36F | 0x900..=0xDFF | 0xE31..=0xE4E)
}

/// The day behind its number: `14th`, `1er`, `14.`, `14-го`, `14º`.
fn strip_ordinal(text: &str) -> &str {
    for ordinal in ["st", "nd", "rd", "th", "er", "re", "-го", "-е", "η", "ης", "º", "ª", "°"] {
        if let Some(rest) = text.strip_prefix(ordinal)
            && !rest.starts_with(is_word)
        {
            return rest;
        }
    }
    text.strip_prefix('.').unwrap_or(text)
}

/// The word that follows, over blanks, hyphens and words such as "de".
fn next_word(text: &str) -> Option<(&str, &str)> {
    let text = strip_filler(text);
    let end = text.find(|c: char| !is_word(c)).unwrap_or(text.len());
    (end > 0 && end <= 40).then(|| text.split_at(end))
}

fn strip_filler(text: &str) -> &str {
    let mut text = text.trim_start_matches([' ', '\u{a0}', ',', '-', '/', '،', '\n', '\t']);
    for filler in ["de ", "del ", "do ", "of ", "e ", "ng "] {
        text = text.strip_prefix(filler).unwrap_or(text);
    }
    text.trim_start()
}

/// The time behind a date, if one follows.
fn with_time(mut stamp: Stamp, rest: &str) -> Stamp {
    let mut rest = rest.trim_start_matches([
        '日', '일', 'г', 'р', 'r', 'T', 't', '.', ',', ' ', '\u{a0}', '|', '-', '–', '—', '\u{3000}', '\n', '\t', '(',
        '/', '·', '•',
    ]);
    for word in [
        "at ",
        "um ",
        "à ",
        "ore ",
        "o godz. ",
        "godz. ",
        "kl. ",
        "kl ",
        "в ",
        "às ",
        "a las ",
        "om ",
        "στις ",
        "года, ",
        "года ",
    ] {
        rest = rest.strip_prefix(word).unwrap_or(rest).trim_start();
    }
    stamp.time = time(rest);
    stamp
}

/// `HH:MM:SS±HH:MM`, or without a zone where none is written; fractions of a second are dropped.
fn time(text: &str) -> Option<String> {
    let mut rest = text;
    let mut hour = number(&mut rest, 1, 2)?;
    rest = rest.strip_prefix(':')?;
    let minute = number(&mut rest, 2, 2)?;
    let mut second = 0;
    if let Some(behind) = rest.strip_prefix(':') {
        rest = behind;
        second = number(&mut rest, 2, 2)?;
        if let Some(fraction) = rest.strip_prefix(['.', ',']) {
            rest = fraction.trim_start_matches(|c: char| c.is_ascii_digit());
        }
    }
    rest = rest.trim_start();
    let half = rest.get(..2).map(str::to_ascii_lowercase).or_else(|| rest.get(..4).map(str::to_ascii_lowercase));
    match half.as_deref() {
        Some("pm" | "p.") if hour < 12 => hour += 12,
        Some("am" | "a.") if hour == 12 => hour = 0,
        _ => {}
    }
    if matches!(half.as_deref(), Some("pm" | "am")) {
        rest = rest[2..].trim_start();
    }
    if hour > 23 || minute > 59 || second > 60 {
        return None;
    }
    let zone = zone(rest).unwrap_or_default();
    Some(format!("{hour:02}:{minute:02}:{second:02}{zone}"))
}

fn zone(text: &str) -> Option<String> {
    if text.starts_with(['Z', 'z']) || text.starts_with("UTC") || text.starts_with("GMT") {
        return Some("+00:00".to_owned());
    }
    let sign = text.chars().next().filter(|c| matches!(c, '+' | '-'))?;
    let mut rest = &text[1..];
    let hour = number(&mut rest, 2, 2)?;
    let mut minutes = rest.strip_prefix(':').unwrap_or(rest);
    let minute = number(&mut minutes, 2, 2).unwrap_or(0);
    (hour <= 14 && minute <= 59).then(|| format!("{sign}{hour:02}:{minute:02}"))
}

/// The date in the path of an address, `/2012/03/14/` or `/2012-03-14-`.
pub(super) fn date_in_path(path: &str) -> Option<Stamp> {
    path.match_indices('/').find_map(|(at, _)| {
        let mut rest = &path[at + 1..];
        let year = number(&mut rest, 4, 4)?;
        let sign = rest.chars().next().filter(|c| matches!(c, '/' | '-'))?;
        rest = &rest[1..];
        let month = number(&mut rest, 1, 2)?;
        rest = rest.strip_prefix(sign)?;
        let day = number(&mut rest, 1, 2)?;
        let ends = rest.is_empty() || rest.starts_with(['/', '-', '_', '.']);
        Stamp::new(year, month, day).filter(|stamp| ends && stamp.is_recent())
    })
}

/// Takes a number of so many digits off the front of a text.
fn number(rest: &mut &str, least: usize, most: usize) -> Option<u32> {
    let digits = rest.bytes().take(most).take_while(u8::is_ascii_digit).count();
    let (number, behind) = rest.split_at(digits);
    (digits >= least).then(|| *rest = behind)?;
    number.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stated_dates() {
        for (given, want) in [
            ("2022-03-14", Some("2022-03-14")),
            ("2022/3/4", Some("2022-03-04")),
            ("20220314", Some("2022-03-14")),
            ("2022年3月4日 08:05", Some("2022-03-04T08:05:00")),
            ("2022-03-14T10:20:30.123Z", Some("2022-03-14T10:20:30+00:00")),
            ("2022-03-14 10:20 +0530", Some("2022-03-14T10:20:00+05:30")),
            ("2022-03-14T10:20:30-08", Some("2022-03-14T10:20:30-08:00")),
            ("Mon, 14 Mar 2022 10:20:30 GMT", Some("2022-03-14T10:20:30+00:00")),
            ("14 March 2022", Some("2022-03-14")),
            ("1647253230", Some("2022-03-14")),
            ("1647253230000", Some("2022-03-14")),
            ("2022-02-30", None),
            ("2022-13-01", None),
            ("yesterday", None),
            ("", None),
        ] {
            assert_eq!(stated_date(given).map(|stamp| stamp.iso()).as_deref(), want, "{given}");
        }
    }

    #[test]
    fn dates_in_running_text() {
        for (given, want) in [
            ("Published March 14, 2022", Some("2022-03-14")),
            ("Updated: Mar. 14th, 2022 at 8:05 PM EST", Some("2022-03-14T20:05:00")),
            ("14. März 2022, 08:05 Uhr", Some("2022-03-14T08:05:00")),
            ("Publié le 1er août 2012 à 10:20", Some("2012-08-01T10:20:00")),
            ("14 de marzo de 2022", Some("2022-03-14")),
            ("14 de março de 2022 às 09:30", Some("2022-03-14T09:30:00")),
            ("发布时间：2012年3月4日 08:05 来源", Some("2012-03-04T08:05:00")),
            ("2012년 3월 4일", Some("2012-03-04")),
            ("14/03/2022", Some("2022-03-14")),
            ("03/14/2022", Some("2022-03-14")),
            ("04/03/2022", None),
            ("04.03.2022 15:10", Some("2022-03-04T15:10:00")),
            ("6 января 2012, 12:30", Some("2012-01-06T12:30:00")),
            ("Παρασκευή 6 Ιανουαρίου 2012", Some("2012-01-06")),
            ("6 ΙΑΝΟΥΑΡΙΟΥ 2012", Some("2012-01-06")),
            ("Pią, 2011-06-03 14:20", Some("2011-06-03T14:20:00")),
            ("5 stycznia 2012", Some("2012-01-05")),
            ("15 tháng 3, 2022", Some("2022-03-15")),
            ("14 Mart 2022", Some("2022-03-14")),
            ("१४ 14 मार्च 2022", Some("2022-03-14")),
            ("14 مارس 2022", Some("2022-03-14")),
            ("12-Jan-2012", Some("2012-01-12")),
            ("١٤ مارس ٢٠٢٢", Some("2022-03-14")),
            ("۱۲ فروردین ۱۴۰۳ ساعت ۱۰:۳۰", Some("2024-03-31")),
            ("۱۴۰۳/۰۱/۰۱", Some("2024-03-20")),
            ("1399/12/30", Some("2021-03-20")),
            ("1400/12/30", None),
            ("14 มีนาคม 2565", Some("2022-03-14")),
            ("2022. március 14. 10:20", Some("2022-03-14T10:20:00")),
            ("2022 in March 14 people", None),
            ("Room 14 in March House, 2022 seats", None),
            ("call 555-03-2022", None),
            ("version 1.2.2012.4", None),
            ("May 14", None),
        ] {
            assert_eq!(date_in(given, Order::Unknown).map(|stamp| stamp.iso()).as_deref(), want, "{given}");
        }
    }

    #[test]
    fn the_language_tells_the_order() {
        let date = |text| date_in(text, Order::DayFirst).map(|stamp| stamp.iso());
        assert_eq!(date("04/03/2022 09:10").as_deref(), Some("2022-03-04T09:10:00"));
        assert_eq!(date("03/14/2022").as_deref(), Some("2022-03-14"));
    }

    #[test]
    fn iranian_years_begin_at_the_equinox() {
        for (year, want) in [
            (1369, "1990-03-21"),
            (1375, "1996-03-20"),
            (1400, "2021-03-21"),
            (1405, "2026-03-21"),
            (1408, "2029-03-20"),
        ] {
            assert_eq!(iranian(year, 1, 1).map(|stamp| stamp.iso()).as_deref(), Some(want), "{year}");
        }
    }

    #[test]
    fn dates_in_addresses() {
        let date = |path| date_in_path(path).map(|stamp| stamp.iso());
        assert_eq!(date("/news/2012/03/14/boat").as_deref(), Some("2012-03-14"));
        assert_eq!(date("/2012-03-14-boat.html").as_deref(), Some("2012-03-14"));
        assert_eq!(date("/2012/03/boat"), None);
        assert_eq!(date("/1234/56/78/"), None);
    }
}
