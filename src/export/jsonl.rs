//! [`json_line`]: a value as one line of JSON.

use serde::Serialize;
use std::fmt::Write as _;

/// One JSON object and a line feed. Characters that some readers take for line ends, and control characters, are escaped. A
/// value that JSON cannot hold (a map whose keys are no strings) gives an empty line. Time linear in the value.
pub fn json_line(value: &impl Serialize) -> String {
    let json = serde_json::to_string(value).unwrap_or_default();
    let mut line = String::with_capacity(json.len() + 1);
    for c in json.chars() {
        match c {
            '\u{7f}'..='\u{9f}' | '\u{2028}' | '\u{2029}' => {
                // All of these are one UTF-16 unit, and stand inside strings only.
                let _ = write!(line, "\\u{:04x}", u32::from(c));
            }
            c => line.push(c),
        }
    }
    line.push('\n');
    line
}
