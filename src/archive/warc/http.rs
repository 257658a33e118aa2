//! The HTTP response inside a WARC `response` record.

use std::io::Read;

use flate2::read::{DeflateDecoder, MultiGzDecoder, ZlibDecoder};

use super::fields;

/// The largest body that is read, in bytes after decoding; what is beyond is an error, not a page.
pub(super) const MAX_BODY: u64 = 256 << 20;

/// Status, headers and body of a response.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Response {
    pub(super) status: u16,
    pub(super) headers: Vec<(String, String)>,
    pub(super) body: Vec<u8>,
}

/// Parses an HTTP response as archives hold them: LF-only line ends and folded headers pass; chunks and content codings
/// are undone, unless the archive did that before and left the header. The error is a phrase that follows "the record".
pub(super) fn parse(block: &[u8]) -> Result<Response, String> {
    let mut rest = block;
    let lines = match fields::read_block(&mut rest) {
        Ok(Some(lines)) => lines,
        // A response that ends within its headers has no body.
        _ => block.split(|&b| b == b'\n').map(|l| l.strip_suffix(b"\r").unwrap_or(l).to_vec()).collect(),
    };
    let status_line = lines.first().map_or(&b""[..], Vec::as_slice);
    let status = parse_status(status_line).ok_or("holds no HTTP response")?;
    let headers = fields::parse(&lines[1..]);
    let block_body = if lines.len() > 1 || rest.len() < block.len() { rest } else { &[] };
    let mut body = block_body.to_vec();
    if has_token(&headers, "transfer-encoding", "chunked")
        && let Some(joined) = join_chunks(block_body)
    {
        body = joined;
    }
    if let Some(codings) = fields::get(&headers, "content-encoding") {
        for coding in codings.rsplit(',') {
            body = decode(coding.trim(), body)?;
        }
    }
    Ok(Response { status, headers, body })
}

fn parse_status(line: &[u8]) -> Option<u16> {
    let line = std::str::from_utf8(line.get(..line.len().min(16))?).ok()?;
    let mut words = line.split_ascii_whitespace();
    let version = words.next()?;
    if !version.starts_with("HTTP/") && version != "ICY" {
        return None;
    }
    words.next()?.parse().ok().filter(|status| (100..1000).contains(status))
}

fn has_token(headers: &[(String, String)], name: &str, token: &str) -> bool {
    headers.iter().any(|(n, v)| n == name && v.split(',').any(|t| t.trim().eq_ignore_ascii_case(token)))
}

/// Undoes chunked transfer coding; `None` where the body is not chunked. A body that ends within a chunk gives what came.
fn join_chunks(mut input: &[u8]) -> Option<Vec<u8>> {
    let mut joined = Vec::with_capacity(input.len());
    loop {
        let end = input.iter().take(1024).position(|&b| b == b'\n');
        let Some(end) = end else { return if joined.is_empty() { None } else { Some(joined) } };
        let line = std::str::from_utf8(&input[..end]).ok()?;
        let size = usize::from_str_radix(line.split(';').next().unwrap_or("").trim(), 16).ok()?;
        input = &input[end + 1..];
        if size == 0 {
            return Some(joined);
        }
        let size = size.min(input.len());
        joined.extend_from_slice(&input[..size]);
        input = &input[size..];
        input = input.strip_prefix(b"\r\n").or_else(|| input.strip_prefix(b"\n")).unwrap_or(input);
    }
}

/// Undoes one content coding. Bytes that do not start like the coding were decoded by whoever archived them.
fn decode(coding: &str, body: Vec<u8>) -> Result<Vec<u8>, String> {
    let coding = coding.to_ascii_lowercase();
    match coding.as_str() {
        "" | "identity" | "none" | "utf-8" => Ok(body),
        "gzip" | "x-gzip" => {
            if body.starts_with(&[0x1f, 0x8b]) {
                inflate(&coding, MultiGzDecoder::new(&body[..]))
            } else {
                Ok(body)
            }
        }
        "deflate" => {
            // RFC 9110 means zlib; some servers send the bare deflate stream.
            if body.is_empty() || looks_like_text(&body) {
                Ok(body)
            } else {
                inflate(&coding, ZlibDecoder::new(&body[..]))
                    .or_else(|_| inflate(&coding, DeflateDecoder::new(&body[..])))
            }
        }
        _ if looks_like_text(&body) => Ok(body),
        _ => Err(format!("has a body in the content coding {coding:?}, which is not supported")),
    }
}

fn looks_like_text(body: &[u8]) -> bool {
    let start = &body[..body.len().min(512)];
    body.trim_ascii_start().starts_with(b"<") || !start.iter().any(|&b| b < 9 || b == 0x7f)
}

fn inflate(coding: &str, decoder: impl Read) -> Result<Vec<u8>, String> {
    let mut out = Vec::new();
    match decoder.take(MAX_BODY + 1).read_to_end(&mut out) {
        Ok(_) if out.len() as u64 > MAX_BODY => Err(format!("has a {coding} body over {} MiB", MAX_BODY >> 20)),
        Ok(_) => Ok(out),
        // A body cut short still has its start, as browsers show it.
        Err(e) if e.kind() == std::io::ErrorKind::UnexpectedEof && !out.is_empty() => Ok(out),
        Err(e) => Err(format!("has a broken {coding} body ({e})")),
    }
}

/// Headers that stop being true once the body is decoded; they are kept under `x-orig-`.
const RENAMED: [&str; 3] = ["content-encoding", "transfer-encoding", "content-length"];
const PREFIX: &str = "x-orig-";

/// The response as one block, with a `Content-Length` that fits the decoded body.
pub(super) fn build(status: u16, headers: &[(String, String)], body: &[u8]) -> Vec<u8> {
    let mut block = Vec::with_capacity(body.len() + 512);
    block.extend_from_slice(format!("HTTP/1.1 {status} {}\r\n", reason(status)).as_bytes());
    for (name, value) in headers {
        if RENAMED.contains(&name.as_str()) {
            block.extend_from_slice(PREFIX.as_bytes());
        }
        block.extend(name.bytes().map(|b| if b.is_ascii_graphic() && b != b':' { b } else { b'-' }));
        block.extend_from_slice(b": ");
        block.extend(value.trim().bytes().map(|b| if b < b' ' { b' ' } else { b }));
        block.extend_from_slice(b"\r\n");
    }
    block.extend_from_slice(format!("content-length: {}\r\n\r\n", body.len()).as_bytes());
    block.extend_from_slice(body);
    block
}

/// Undoes what [`build`] did to the headers.
pub(super) fn restore_headers(headers: &mut Vec<(String, String)>) {
    headers.pop();
    for (name, _) in headers {
        if let Some(original) = name.strip_prefix(PREFIX)
            && RENAMED.contains(&original)
        {
            *name = original.to_owned();
        }
    }
}

fn reason(status: u16) -> &'static str {
    match status {
        200 => "OK",
        203 => "Non-Authoritative Information",
        206 => "Partial Content",
        301 => "Moved Permanently",
        302 => "Found",
        304 => "Not Modified",
        403 => "Forbidden",
        404 => "Not Found",
        410 => "Gone",
        500 => "Internal Server Error",
        503 => "Service Unavailable",
        _ => "Unknown",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write;

    fn gzip(bytes: &[u8]) -> Vec<u8> {
        let mut out = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
        out.write_all(bytes).unwrap();
        out.finish().unwrap()
    }

    fn response(head: &str, body: &[u8]) -> Result<Response, String> {
        parse(&[head.as_bytes(), body].concat())
    }

    #[test]
    fn bodies_are_decoded_once() {
        let html = b"<p>one</p>";
        for (head, body) in [
            ("HTTP/1.1 200 OK\r\nX: 1\r\n\r\n", html.to_vec()),
            ("HTTP/1.0 200\nX: 1\n\n", html.to_vec()),
            (
                "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n",
                b"5;x=y\r\n<p>on\r\n5\r\ne</p>\r\n0\r\n\r\n".to_vec(),
            ),
            ("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n", html.to_vec()),
            ("HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n\r\n", gzip(html)),
            ("HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n\r\n", html.to_vec()),
            ("HTTP/1.1 200 OK\r\nContent-Encoding: br\r\n\r\n", html.to_vec()),
            ("HTTP/1.1 200 OK\r\nContent-Encoding: deflate, gzip\r\n\r\n", {
                let mut z = flate2::write::ZlibEncoder::new(Vec::new(), flate2::Compression::fast());
                z.write_all(html).unwrap();
                gzip(&z.finish().unwrap())
            }),
        ] {
            let got = response(head, &body).unwrap();
            assert_eq!((got.status, got.body.as_slice()), (200, &html[..]), "{head}");
        }
    }

    #[test]
    fn what_is_no_response_is_an_error() {
        assert!(response("", b"").is_err());
        assert!(response("<html>\r\n\r\n", b"").is_err());
        assert!(response("HTTP/1.1 99 x\r\n\r\n", b"").is_err());
        assert!(response("HTTP/1.1 200 OK\r\nContent-Encoding: br\r\n\r\n", &[0, 1, 2]).unwrap_err().contains("br"));
        assert!(response("HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n\r\n", &[0x1f, 0x8b, 8, 9]).is_err());
        let cut = response("HTTP/1.1 404 Not Found\r\nA: b", b"").unwrap();
        assert_eq!((cut.status, cut.body.len(), cut.headers.len()), (404, 0, 1));
    }

    #[test]
    fn build_and_parse_are_inverse() {
        let headers: Vec<(String, String)> = [("content-encoding", "br"), ("content-length", "7"), ("x-a", "b: c")]
            .map(|(n, v)| (n.to_owned(), v.to_owned()))
            .to_vec();
        let mut got = parse(&build(200, &headers, b"<a>\r\n\r\n\0")).unwrap();
        restore_headers(&mut got.headers);
        assert_eq!(got, Response { status: 200, headers, body: b"<a>\r\n\r\n\0".to_vec() });
    }
}
