//! Undoing `Content-Encoding` under a byte limit.
//!
//! The HTTP client could do it, but then a wrong `Content-Length` or a cut stream cannot be told from a whole one, and
//! the limit would have to be trusted to it.

use std::io::Read;

use flate2::read::{DeflateDecoder, MultiGzDecoder, ZlibDecoder};

/// What went wrong with a coded body.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum CodingError {
    /// More bytes than the limit came out.
    TooLarge,
    /// The stream ends early or is damaged.
    Damaged,
    /// A coding that was not asked for and is not known.
    Unknown(String),
}

/// Decodes a body. `encodings` is the value of `Content-Encoding`, codings in the order they were applied. A body that is
/// not what its header says (servers label plain bytes `gzip`) is taken as it is.
pub(crate) fn decode(encodings: &str, body: Vec<u8>, limit: usize) -> Result<Vec<u8>, CodingError> {
    let mut body = body;
    for coding in encodings.rsplit(',').map(|c| c.trim().to_ascii_lowercase()) {
        body = match coding.as_str() {
            "" | "identity" | "utf-8" | "none" | "binary" | "8bit" => body,
            _ if body.is_empty() => body,
            "gzip" | "x-gzip" if is_gzip(&body) => gunzip(&body, limit)?,
            // Without the magic bytes it is no gzip stream, so it is plain bytes under a wrong label.
            "gzip" | "x-gzip" => body,
            // "deflate" is a zlib stream by the standard and a bare one by habit.
            "deflate" => match read_all(ZlibDecoder::new(&*body), limit) {
                Err(CodingError::Damaged) => read_all(DeflateDecoder::new(&*body), limit)?,
                other => other?,
            },
            other => return Err(CodingError::Unknown(other.to_owned())),
        };
    }
    if body.len() > limit { Err(CodingError::TooLarge) } else { Ok(body) }
}

/// Whether the bytes begin as a gzip member does.
pub(crate) fn is_gzip(body: &[u8]) -> bool {
    body.starts_with(&[0x1f, 0x8b, 0x08])
}

/// Unpacks all members of a gzip file.
pub(crate) fn gunzip(body: &[u8], limit: usize) -> Result<Vec<u8>, CodingError> {
    let mut out = Vec::new();
    let mut take = MultiGzDecoder::new(body).take(limit as u64 + 1);
    match take.read_to_end(&mut out) {
        _ if out.len() > limit => Err(CodingError::TooLarge),
        Ok(_) => Ok(out),
        // Bytes behind the last member (padding) spoil nothing.
        Err(e) if e.kind() == std::io::ErrorKind::InvalidInput && !out.is_empty() => Ok(out),
        Err(_) => Err(CodingError::Damaged),
    }
}

fn read_all(reader: impl Read, limit: usize) -> Result<Vec<u8>, CodingError> {
    let mut out = Vec::new();
    match reader.take(limit as u64 + 1).read_to_end(&mut out) {
        _ if out.len() > limit => Err(CodingError::TooLarge),
        Ok(_) => Ok(out),
        Err(_) => Err(CodingError::Damaged),
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use flate2::Compression;
    use flate2::write::{DeflateEncoder, GzEncoder, ZlibEncoder};

    use super::*;

    fn gz(bytes: &[u8]) -> Vec<u8> {
        let mut out = GzEncoder::new(Vec::new(), Compression::default());
        out.write_all(bytes).expect("memory");
        out.finish().expect("memory")
    }

    #[test]
    fn codings_are_undone() {
        let text = b"harbour ".repeat(100);
        let mut zlib = ZlibEncoder::new(Vec::new(), Compression::default());
        zlib.write_all(&text).expect("memory");
        let mut bare = DeflateEncoder::new(Vec::new(), Compression::default());
        bare.write_all(&text).expect("memory");
        for (coding, body) in [
            ("", text.clone()),
            ("gzip", gz(&text)),
            ("X-GZIP", gz(&text)),
            ("gzip, gzip", gz(&gz(&text))),
            ("gzip, identity", gz(&text)),
            ("deflate", zlib.finish().expect("memory")),
            ("deflate", bare.finish().expect("memory")),
            ("gzip", text.clone()),
            ("gzip", [gz(&text[..400]), gz(&text[400..])].concat()),
            ("gzip", [gz(&text), vec![0; 64]].concat()),
        ] {
            assert_eq!(decode(coding, body, 800).as_deref(), Ok(&*text), "{coding}");
        }
        assert_eq!(decode("gzip", Vec::new(), 10), Ok(Vec::new()));
    }

    #[test]
    fn faults_are_told_apart() {
        let packed = gz(&vec![0; 1 << 20]);
        assert_eq!(decode("gzip", packed.clone(), 1000), Err(CodingError::TooLarge));
        assert_eq!(decode("", vec![0; 11], 10), Err(CodingError::TooLarge));
        assert_eq!(decode("gzip", packed[..packed.len() - 20].to_vec(), 2 << 20), Err(CodingError::Damaged));
        assert_eq!(decode("br", vec![1], 10), Err(CodingError::Unknown("br".into())));
    }
}
