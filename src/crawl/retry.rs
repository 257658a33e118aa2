//! When a request is made again, and how long to wait before.

use std::time::{Duration, SystemTime};

use super::fetch::FetchError;
use super::spider::FailureKind;

/// Longest `Retry-After` that is waited for; a server that asks for more is left alone in this run.
pub(crate) const LONGEST_WAIT: Duration = Duration::from_mins(1);

/// What follows from an answer that is no page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Next {
    /// Ask again after this time. `whole_host`: the server is overloaded, so nothing else is asked of it meanwhile.
    Again { after: Duration, whole_host: bool },
    /// Do not ask again in this run.
    GiveUp,
}

/// Judges a status after `tries` requests. `None`: the status is an answer, not a fault.
pub(crate) fn after_status(status: u16, retry_after: Option<&str>, tries: u8, now: SystemTime) -> Option<Next> {
    let most = match status {
        429 | 503 => 4,
        408 | 425 | 500 | 502 | 504 | 520..=530 => 3,
        _ => return None,
    };
    let asked = retry_after.and_then(|value| parse_retry_after(value, now));
    if tries >= most || asked.is_some_and(|a| a > LONGEST_WAIT) {
        return Some(Next::GiveUp);
    }
    let after = asked.map_or_else(|| backoff(tries), |a| a.max(Duration::from_millis(500)));
    Some(Next::Again { after, whole_host: matches!(status, 429 | 503) && asked.is_some() })
}

/// Judges a failed request after `tries` requests.
pub(crate) fn after_error(error: &FetchError, tries: u8) -> Next {
    let most = match error {
        FetchError::Network(failure) => match failure.kind {
            FailureKind::Reset | FailureKind::Refused | FailureKind::Other => 3,
            FailureKind::Timeout => 2,
            FailureKind::UnknownHost | FailureKind::Tls | FailureKind::Protocol => 1,
        },
        FetchError::Truncated => 3,
        // No byte came: the server may have been busy. Bytes came, but too slowly: they will again.
        FetchError::Timeout { answered: false, .. } => 2,
        FetchError::Timeout { answered: true, .. } | FetchError::TooLarge { .. } | FetchError::Coding(_) => 1,
    };
    if tries >= most { Next::GiveUp } else { Next::Again { after: backoff(tries), whole_host: false } }
}

/// One second, doubled with every try, half a minute at most.
pub(crate) fn backoff(tries: u8) -> Duration {
    Duration::from_secs(1 << tries.saturating_sub(1).min(5)).min(Duration::from_secs(30))
}

/// A `Retry-After` value: seconds, or a date in any of the three forms of HTTP. A date gone by means now.
pub(crate) fn parse_retry_after(value: &str, now: SystemTime) -> Option<Duration> {
    let value = value.trim();
    if !value.is_empty() && value.bytes().all(|b| b.is_ascii_digit()) {
        return Some(Duration::from_secs(value.parse().unwrap_or(u64::from(u32::MAX))));
    }
    if let Some((whole, fraction)) = value.split_once('.')
        && fraction.bytes().all(|b| b.is_ascii_digit())
    {
        return whole.parse().ok().map(|s: u64| Duration::from_secs(s.saturating_add(1)));
    }
    let date = httpdate::parse_http_date(value).ok()?;
    // Dates have whole seconds, so the asked-for moment may be up to one later than it reads.
    Some(date.duration_since(now).map_or(Duration::ZERO, |d| d + Duration::from_secs(1)))
}

#[cfg(test)]
mod tests {
    use super::super::spider::Failure;
    use super::*;

    #[test]
    fn retry_after_in_seconds_and_as_a_date() {
        let now = SystemTime::UNIX_EPOCH + Duration::from_secs(784_111_777);
        for (value, want) in [
            ("3", Some(3)),
            (" 120 ", Some(120)),
            ("99999999999999999999", Some(u64::from(u32::MAX))),
            ("1.5", Some(2)),
            ("Sun, 06 Nov 1994 08:49:47 GMT", Some(11)),
            ("Sunday, 06-Nov-94 08:49:47 GMT", Some(11)),
            ("Sun Nov  6 08:49:47 1994", Some(11)),
            ("Sun, 06 Nov 1994 08:00:00 GMT", Some(0)),
            ("soon", None),
            ("-3", None),
            ("", None),
        ] {
            assert_eq!(parse_retry_after(value, now), want.map(Duration::from_secs), "{value:?}");
        }
    }

    #[test]
    fn statuses_are_judged() {
        let now = SystemTime::UNIX_EPOCH;
        let again = |s, whole_host| Some(Next::Again { after: Duration::from_secs(s), whole_host });
        for (status, header, tries, want) in [
            (200, None, 1, None),
            (404, None, 1, None),
            (501, None, 1, None),
            (429, Some("3"), 1, again(3, true)),
            (503, Some("3"), 3, again(3, true)),
            (503, Some("3"), 4, Some(Next::GiveUp)),
            (503, Some("3600"), 1, Some(Next::GiveUp)),
            (503, None, 1, again(1, false)),
            (500, None, 2, again(2, false)),
            (500, None, 3, Some(Next::GiveUp)),
            (429, Some("0"), 1, Some(Next::Again { after: Duration::from_millis(500), whole_host: true })),
        ] {
            assert_eq!(after_status(status, header, tries, now), want, "{status} {header:?} {tries}");
        }
    }

    #[test]
    fn errors_are_judged() {
        let network = |kind| FetchError::Network(Failure { kind, detail: String::new() });
        let again = |e: &FetchError, tries| after_error(e, tries) != Next::GiveUp;
        assert!(again(&network(FailureKind::Reset), 2));
        assert!(!again(&network(FailureKind::Reset), 3));
        assert!(!again(&network(FailureKind::Tls), 1));
        assert!(again(&FetchError::Truncated, 1));
        assert!(!again(&FetchError::TooLarge { limit: 1 }, 1));
        assert_eq!(backoff(1), Duration::from_secs(1));
        assert_eq!(backoff(200), Duration::from_secs(30));
    }
}
