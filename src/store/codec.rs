//! Compact bytes for the rows of the store.
//!
//! Numbers are LEB128 (seven bits a byte, least significant first); strings and byte strings carry their length. Reading
//! never panics: damaged bytes give [`Malformed`].

/// Bytes that no row of ours can be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Malformed;

/// Appends a number.
pub(super) fn put(out: &mut Vec<u8>, number: u64) {
    put_wide(out, u128::from(number));
}

/// Appends a number of up to 128 bits.
#[allow(clippy::cast_possible_truncation, reason = "the low seven bits are what is meant")]
pub(super) fn put_wide(out: &mut Vec<u8>, mut number: u128) {
    while number >= 0x80 {
        out.push(number as u8 | 0x80);
        number >>= 7;
    }
    out.push(number as u8);
}

/// Appends bytes after their length.
pub(super) fn put_bytes(out: &mut Vec<u8>, bytes: &[u8]) {
    put(out, bytes.len() as u64);
    out.extend_from_slice(bytes);
}

/// Appends 0 for nothing, or the string with its length + 1.
pub(super) fn put_option(out: &mut Vec<u8>, text: Option<&str>) {
    match text {
        None => put(out, 0),
        Some(text) => {
            put(out, text.len() as u64 + 1);
            out.extend_from_slice(text.as_bytes());
        }
    }
}

/// Reads what the `put` functions wrote.
#[derive(Debug)]
pub(super) struct Reader<'a> {
    bytes: &'a [u8],
}

impl<'a> Reader<'a> {
    pub(super) fn new(bytes: &'a [u8]) -> Self {
        Self { bytes }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.bytes.is_empty()
    }

    pub(super) fn wide(&mut self) -> Result<u128, Malformed> {
        let mut number = 0_u128;
        for shift in (0..=126).step_by(7) {
            let (&byte, rest) = self.bytes.split_first().ok_or(Malformed)?;
            self.bytes = rest;
            let bits = u128::from(byte & 0x7f);
            if bits.leading_zeros() < shift {
                return Err(Malformed);
            }
            number |= bits << shift;
            if byte & 0x80 == 0 {
                return Ok(number);
            }
        }
        Err(Malformed)
    }

    pub(super) fn long(&mut self) -> Result<u64, Malformed> {
        u64::try_from(self.wide()?).map_err(|_| Malformed)
    }

    pub(super) fn int(&mut self) -> Result<u32, Malformed> {
        u32::try_from(self.wide()?).map_err(|_| Malformed)
    }

    pub(super) fn short(&mut self) -> Result<u16, Malformed> {
        u16::try_from(self.wide()?).map_err(|_| Malformed)
    }

    /// A count of entries that take at least one byte each, so that damage cannot ask for more memory than it has bytes.
    pub(super) fn count(&mut self) -> Result<usize, Malformed> {
        let count = usize::try_from(self.wide()?).map_err(|_| Malformed)?;
        if count > self.bytes.len() { Err(Malformed) } else { Ok(count) }
    }

    pub(super) fn take(&mut self, length: usize) -> Result<&'a [u8], Malformed> {
        let (taken, rest) = self.bytes.split_at_checked(length).ok_or(Malformed)?;
        self.bytes = rest;
        Ok(taken)
    }

    pub(super) fn bytes(&mut self) -> Result<&'a [u8], Malformed> {
        let length = self.count()?;
        self.take(length)
    }

    pub(super) fn text(&mut self) -> Result<&'a str, Malformed> {
        std::str::from_utf8(self.bytes()?).map_err(|_| Malformed)
    }

    pub(super) fn option(&mut self) -> Result<Option<&'a str>, Malformed> {
        let Some(length) = self.long()?.checked_sub(1) else { return Ok(None) };
        let length = usize::try_from(length).map_err(|_| Malformed)?;
        std::str::from_utf8(self.take(length)?).map(Some).map_err(|_| Malformed)
    }

    /// A fixed number of bytes.
    pub(super) fn array<const N: usize>(&mut self) -> Result<[u8; N], Malformed> {
        self.take(N)?.try_into().map_err(|_| Malformed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn what_is_put_comes_back(number: u128, long: u64, bytes: Vec<u8>, text: Option<String>) {
            let mut out = Vec::new();
            put_wide(&mut out, number);
            put(&mut out, long);
            put_bytes(&mut out, &bytes);
            put_option(&mut out, text.as_deref());
            let mut reader = Reader::new(&out);
            prop_assert_eq!(reader.wide(), Ok(number));
            prop_assert_eq!(reader.long(), Ok(long));
            prop_assert_eq!(reader.bytes(), Ok(&bytes[..]));
            prop_assert_eq!(reader.option(), Ok(text.as_deref()));
            prop_assert!(reader.is_empty());
        }

        #[test]
        fn damage_is_an_error(bytes: Vec<u8>) {
            let mut reader = Reader::new(&bytes);
            while reader.wide().is_ok() {}
            let mut reader = Reader::new(&bytes);
            while reader.text().is_ok() && !reader.is_empty() {}
            let _ = reader.option();
            let _ = reader.array::<7>();
        }
    }
}
