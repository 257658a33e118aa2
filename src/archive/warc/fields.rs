//! Named fields, as WARC and HTTP headers share them.

use std::io::BufRead;

/// The longest header block that is read, in bytes. HTTP servers refuse far smaller ones.
const MAX_HEADER_BYTES: u64 = 1 << 20;

/// Reads lines up to the first empty one (LF or CRLF), without it. `None` where the input ends first or the block is over
/// the limit.
pub(super) fn read_block(input: &mut impl BufRead) -> std::io::Result<Option<Vec<Vec<u8>>>> {
    let mut lines = Vec::new();
    let mut left = MAX_HEADER_BYTES;
    loop {
        let Some(line) = read_line(input, &mut left)? else { return Ok(None) };
        if line.is_empty() {
            return Ok(Some(lines));
        }
        lines.push(line);
    }
}

/// One line without its end, `None` at the end of input or once `left` bytes are used up.
pub(super) fn read_line(input: &mut impl BufRead, left: &mut u64) -> std::io::Result<Option<Vec<u8>>> {
    let mut line = Vec::new();
    let mut bounded = std::io::Read::take(&mut *input, *left);
    let read = bounded.read_until(b'\n', &mut line)?;
    *left -= read as u64;
    if line.pop() != Some(b'\n') {
        return Ok(None);
    }
    if line.last() == Some(&b'\r') {
        line.pop();
    }
    Ok(Some(line))
}

/// Splits `name: value` lines. Names become lower case; a line that starts with a blank continues the one before
/// (folding); lines without a colon are dropped, as HTTP clients do. Invalid bytes are replaced.
pub(super) fn parse(lines: &[Vec<u8>]) -> Vec<(String, String)> {
    let mut fields: Vec<(String, String)> = Vec::with_capacity(lines.len());
    for line in lines {
        let text = String::from_utf8_lossy(line);
        if text.starts_with([' ', '\t']) {
            if let Some((_, value)) = fields.last_mut() {
                value.push(' ');
                value.push_str(text.trim());
            }
        } else if let Some((name, value)) = text.split_once(':') {
            fields.push((name.trim().to_ascii_lowercase(), value.trim().to_owned()));
        }
    }
    fields
}

/// The first value of a field, by lower-case name.
pub(super) fn get<'a>(fields: &'a [(String, String)], name: &str) -> Option<&'a str> {
    fields.iter().find(|(n, _)| n == name).map(|(_, value)| value.as_str())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folded_lines_join_and_odd_line_ends_pass() {
        let mut input: &[u8] = b"A: 1\r\nB: x\n\t y \r\nno colon\nC:\xff\n\nrest";
        let lines = read_block(&mut input).unwrap().unwrap();
        let fields = parse(&lines);
        let want = [("a", "1"), ("b", "x y"), ("c", "\u{fffd}")];
        assert_eq!(fields, want.map(|(n, v)| (n.to_owned(), v.to_owned())));
        assert_eq!(input, b"rest");
        assert!(read_block(&mut &b"A: 1\r\n"[..]).unwrap().is_none());
    }
}
