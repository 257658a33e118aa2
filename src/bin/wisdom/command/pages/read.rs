//! The bytes of a page.

use super::Input;
use flate2::read::MultiGzDecoder;
use std::fs::File;
use std::io::{self, Read};
use wisdom::crawl::is_page;

/// Largest page that is read, in bytes after decompression; the parsed page takes some five times as much, one of nothing but short
/// paragraphs thirteen times.
const MOST: u64 = 64 << 20;

/// Reads a page; if it cannot be read, or is none, says why.
pub(super) fn read(input: &Input) -> Result<Vec<u8>, String> {
    let bytes = match input {
        Input::Stdin => limited(io::stdin().lock())?,
        Input::File(path) => limited(File::open(path).map_err(told)?)?,
        Input::Broken(_, why) => return Err(why.clone()),
    };
    let bytes = if bytes.starts_with(b"\x1f\x8b") { limited(MultiGzDecoder::new(bytes.as_slice()))? } else { bytes };
    if is_page(None, &bytes) || begins_with_a_tag(&bytes) {
        Ok(bytes)
    } else {
        Err("binary data, no page; give HTML".to_owned())
    }
}

fn limited(from: impl Read) -> Result<Vec<u8>, String> {
    let mut bytes = Vec::new();
    from.take(MOST + 1).read_to_end(&mut bytes).map_err(told)?;
    if bytes.len() as u64 > MOST {
        return Err(format!("larger than {} MiB, no page", MOST >> 20));
    }
    Ok(bytes)
}

#[allow(clippy::needless_pass_by_value, reason = "as map_err passes it")]
fn told(error: io::Error) -> String {
    error.to_string()
}

/// A page with so many NULs or control characters that it looks like binary data still begins with a tag.
fn begins_with_a_tag(bytes: &[u8]) -> bool {
    let mut text = bytes.iter().filter(|b| **b > b' ');
    text.next() == Some(&b'<') && text.next().is_some_and(|b| b.is_ascii_alphabetic() || matches!(b, b'!' | b'?'))
}
