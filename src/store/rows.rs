//! What the rows of the store hold, and their keys.
//!
//! One byte says the table: `M` meta, `U` URLs (with the page record, the place in the queue and the fate), `V` page
//! vectors, `L` lexicon buckets, `S` sums, `N` keys new since the last checkpoint, `O` vectors as of the last checkpoint,
//! `D` mined structures, `W` what pages look like to their site, `R` what their lists do.

use sha2::{Digest, Sha256};

use super::codec::{Malformed, Reader, put, put_bytes, put_option, put_wide};
use crate::archive::Location;
use crate::entropy::Table;
use crate::page::{Fate, QueueEntry, Source};

/// Number of a page in its store. Numbers are given in order and never again.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PageId(pub u32);

/// What the store keeps of a counted page beside its counts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PageRecord {
    /// The normalised URL.
    pub url: String,
    /// HTTP status.
    pub status: u16,
    /// Links from the entrance.
    pub depth: u32,
    /// When the response came, in seconds since 1970-01-01 UTC.
    pub fetched_at: u64,
    /// `ETag`, for conditional requests.
    pub etag: Option<String>,
    /// `Last-Modified`, for conditional requests.
    pub last_modified: Option<String>,
    /// SHA-1 of the body.
    pub digest: [u8; 20],
    /// Language, as the caller of [`Group::put_page`](super::Group::put_page) named it.
    pub lang: String,
    /// Charset, as the caller named it.
    pub charset: String,
    /// The crawl that last saw the page.
    pub crawl: u32,
    /// Where its record is in the archive.
    pub location: Location,
}

/// What became of a URL that gave no page, and in which crawl.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FateRecord {
    /// What became of it.
    pub fate: Fate,
    /// Links from the entrance.
    pub depth: u32,
    /// The page (or sitemap) that named it, if any.
    pub referrer: Option<String>,
    /// The crawl that found out.
    pub crawl: u32,
}

/// All that is known of one URL.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct UrlRow {
    pub(super) page: Option<(PageId, PageRecord)>,
    /// The place in the order of discovery, and the entry.
    pub(super) queued: Option<(u64, QueueEntry)>,
    pub(super) fate: Option<FateRecord>,
}

/// (id, count) pairs of one page, by table, each list in id order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct PageVector(pub(super) [Vec<(u32, u32)>; 3]);

/// Counters that change with every commit.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct State {
    pub(super) pages: u64,
    pub(super) next_page: u32,
    pub(super) next_order: u64,
    /// Keys per table; the next id.
    pub(super) keys: [u32; 3],
    /// Where the archive ends.
    pub(super) end: Location,
}

pub(super) const META_FORMAT: &[u8] = b"Mf";
pub(super) const META_STATE: &[u8] = b"Ms";
pub(super) const META_CHECKPOINT: &[u8] = b"Mc";
pub(super) const META_CRAWL: &[u8] = b"Mx";

pub(super) fn table_key(kind: u8, table: Table, number: u32) -> Vec<u8> {
    let [a, b, c, d] = number.to_be_bytes();
    vec![kind, table as u8, a, b, c, d]
}

pub(super) fn page_key(kind: u8, page: PageId) -> Vec<u8> {
    let [a, b, c, d] = page.0.to_be_bytes();
    vec![kind, a, b, c, d]
}

/// The number at the end of a [`table_key`] or [`page_key`].
pub(super) fn key_number(key: &[u8]) -> Result<u32, Malformed> {
    let tail = key.len().checked_sub(4).and_then(|start| key.get(start..)).ok_or(Malformed)?;
    tail.try_into().map(u32::from_be_bytes).map_err(|_| Malformed)
}

/// URLs up to this many bytes are keys themselves.
const LONG_URL: usize = 256;
/// Of longer ones, this many bytes are, so that they sort nearly right; a byte that no URL holds and a hash follow.
const LONG_URL_PREFIX: usize = 200;

pub(super) fn url_key(url: &str) -> Vec<u8> {
    let mut key = vec![b'U'];
    if url.len() <= LONG_URL {
        key.extend_from_slice(url.as_bytes());
    } else {
        key.extend_from_slice(&url.as_bytes()[..LONG_URL_PREFIX]);
        key.push(0xff);
        key.extend_from_slice(&Sha256::digest(url));
    }
    key
}

/// What URLs are ordered by in [`SiteStore::pages`](super::SiteStore::pages).
pub(crate) fn url_order(url: &str) -> Vec<u8> {
    url_key(url)
}

impl UrlRow {
    pub(super) fn is_empty(&self) -> bool {
        self.page.is_none() && self.queued.is_none() && self.fate.is_none()
    }

    pub(super) fn encode(&self, url: &str) -> Vec<u8> {
        let mut out = Vec::with_capacity(96);
        let flags = u64::from(self.page.is_some())
            | u64::from(self.queued.is_some()) << 1
            | u64::from(self.fate.is_some()) << 2
            | u64::from(url.len() > LONG_URL) << 3;
        put(&mut out, flags);
        if url.len() > LONG_URL {
            put_bytes(&mut out, url.as_bytes());
        }
        if let Some((id, page)) = &self.page {
            put(&mut out, u64::from(id.0));
            put(&mut out, u64::from(page.status));
            put(&mut out, u64::from(page.depth));
            put(&mut out, page.fetched_at);
            put_option(&mut out, page.etag.as_deref());
            put_option(&mut out, page.last_modified.as_deref());
            out.extend_from_slice(&page.digest);
            put_bytes(&mut out, page.lang.as_bytes());
            put_bytes(&mut out, page.charset.as_bytes());
            put(&mut out, u64::from(page.crawl));
            put(&mut out, u64::from(page.location.file));
            put(&mut out, page.location.offset);
        }
        if let Some((order, entry)) = &self.queued {
            put(&mut out, *order);
            put(&mut out, u64::from(entry.depth));
            put(&mut out, u64::from(entry.hops));
            put(&mut out, source_code(entry.source));
            put_referrer(&mut out, url, entry.referrer.as_deref());
        }
        if let Some(record) = &self.fate {
            put_fate(&mut out, &record.fate);
            put(&mut out, u64::from(record.depth));
            put_referrer(&mut out, url, record.referrer.as_deref());
            put(&mut out, u64::from(record.crawl));
        }
        out
    }

    /// The URL and the row, from the stored key and value.
    pub(super) fn decode(key: &[u8], value: &[u8]) -> Result<(String, Self), Malformed> {
        let mut input = Reader::new(value);
        let flags = input.long()?;
        let url = if flags & 8 != 0 {
            input.text()?.to_owned()
        } else {
            std::str::from_utf8(key.get(1..).ok_or(Malformed)?).map_err(|_| Malformed)?.to_owned()
        };
        let mut row = Self::default();
        if flags & 1 != 0 {
            let id = PageId(input.int()?);
            let record = PageRecord {
                url: url.clone(),
                status: input.short()?,
                depth: input.int()?,
                fetched_at: input.long()?,
                etag: input.option()?.map(str::to_owned),
                last_modified: input.option()?.map(str::to_owned),
                digest: input.array()?,
                lang: input.text()?.to_owned(),
                charset: input.text()?.to_owned(),
                crawl: input.int()?,
                location: Location { file: input.int()?, offset: input.long()? },
            };
            row.page = Some((id, record));
        }
        if flags & 2 != 0 {
            let order = input.long()?;
            let depth = input.int()?;
            let hops = u8::try_from(input.int()?).map_err(|_| Malformed)?;
            let source = source_of(input.long()?)?;
            let referrer = referrer(&mut input, &url)?;
            row.queued = Some((order, QueueEntry { url: url.clone(), depth, hops, source, referrer }));
        }
        if flags & 4 != 0 {
            let fate = fate(&mut input)?;
            let depth = input.int()?;
            let referrer = referrer(&mut input, &url)?;
            row.fate = Some(FateRecord { fate, depth, referrer, crawl: input.int()? });
        }
        if input.is_empty() { Ok((url, row)) } else { Err(Malformed) }
    }
}

/// A referrer is mostly of the same site, so only what differs from the URL's start is kept.
fn put_referrer(out: &mut Vec<u8>, url: &str, referrer: Option<&str>) {
    let Some(referrer) = referrer else { return put(out, 0) };
    let mut shared = url.bytes().zip(referrer.bytes()).take_while(|(a, b)| a == b).count();
    while !referrer.is_char_boundary(shared) {
        shared -= 1;
    }
    put(out, shared as u64 + 1);
    put_bytes(out, &referrer.as_bytes()[shared..]);
}

fn referrer(input: &mut Reader<'_>, url: &str) -> Result<Option<String>, Malformed> {
    let Some(shared) = input.long()?.checked_sub(1) else { return Ok(None) };
    let shared = usize::try_from(shared).ok().and_then(|shared| url.get(..shared)).ok_or(Malformed)?;
    Ok(Some(format!("{shared}{}", input.text()?)))
}

fn source_code(source: Source) -> u64 {
    match source {
        Source::Entrance => 0,
        Source::Link => 1,
        Source::Sitemap => 2,
        Source::Redirect => 3,
        Source::Known => 4,
    }
}

fn source_of(code: u64) -> Result<Source, Malformed> {
    Ok(match code {
        0 => Source::Entrance,
        1 => Source::Link,
        2 => Source::Sitemap,
        3 => Source::Redirect,
        4 => Source::Known,
        _ => return Err(Malformed),
    })
}

fn put_fate(out: &mut Vec<u8>, fate: &Fate) {
    match fate {
        Fate::Redirect { status, to } => {
            put(out, 0);
            put(out, u64::from(*status));
            put_bytes(out, to.as_bytes());
        }
        Fate::Skipped { reason } => {
            put(out, 1);
            put_bytes(out, reason.as_bytes());
        }
        Fate::Gone { status } => {
            put(out, 2);
            put(out, u64::from(*status));
        }
        Fate::Failed { status, reason } => {
            put(out, 3);
            put(out, status.map_or(0, |status| u64::from(status) + 1));
            put_bytes(out, reason.as_bytes());
        }
    }
}

fn fate(input: &mut Reader<'_>) -> Result<Fate, Malformed> {
    Ok(match input.long()? {
        0 => Fate::Redirect { status: input.short()?, to: input.text()?.to_owned() },
        1 => Fate::Skipped { reason: input.text()?.to_owned() },
        2 => Fate::Gone { status: input.short()? },
        3 => {
            let status = input.int()?.checked_sub(1).map(u16::try_from).transpose().map_err(|_| Malformed)?;
            Fate::Failed { status, reason: input.text()?.to_owned() }
        }
        _ => return Err(Malformed),
    })
}

impl PageVector {
    pub(super) fn table(&self, table: Table) -> &[(u32, u32)] {
        &self.0[table as usize]
    }

    /// Ids as differences; a count of 1, the commonest, costs no byte.
    pub(super) fn encode(&self) -> Vec<u8> {
        let mut out = Vec::new();
        for list in &self.0 {
            put(&mut out, list.len() as u64);
            let mut last = 0;
            for &(id, count) in list {
                let more = u64::from(count != 1);
                put(&mut out, u64::from(id - last) << 1 | more);
                if more == 1 {
                    put(&mut out, u64::from(count));
                }
                last = id;
            }
        }
        out
    }

    pub(super) fn decode(bytes: &[u8]) -> Result<Self, Malformed> {
        let mut input = Reader::new(bytes);
        let mut vector = Self::default();
        for list in &mut vector.0 {
            let entries = input.count()?;
            list.reserve(entries);
            let mut last = 0_u32;
            for _ in 0..entries {
                let code = input.long()?;
                let step = u32::try_from(code >> 1).map_err(|_| Malformed)?;
                let count = if code & 1 == 1 { input.int()? } else { 1 };
                last = last.checked_add(step).ok_or(Malformed)?;
                list.push((last, count));
            }
        }
        if input.is_empty() { Ok(vector) } else { Err(Malformed) }
    }
}

impl State {
    pub(super) fn encode(&self) -> Vec<u8> {
        let mut out = Vec::new();
        put(&mut out, self.pages);
        put(&mut out, u64::from(self.next_page));
        put(&mut out, self.next_order);
        for keys in self.keys {
            put(&mut out, u64::from(keys));
        }
        put(&mut out, u64::from(self.end.file));
        put(&mut out, self.end.offset);
        out
    }

    pub(super) fn decode(bytes: &[u8]) -> Result<Self, Malformed> {
        let mut input = Reader::new(bytes);
        Ok(Self {
            pages: input.long()?,
            next_page: input.int()?,
            next_order: input.long()?,
            keys: [input.int()?, input.int()?, input.int()?],
            end: Location { file: input.int()?, offset: input.long()? },
        })
    }
}

/// Sums of one block of ids: df, TF − df, and S where some count is over 1.
pub(super) fn encode_sums(stats: &[crate::entropy::Stat]) -> Vec<u8> {
    let used = stats.iter().rposition(|stat| *stat != crate::entropy::Stat::default()).map_or(0, |last| last + 1);
    let mut out = Vec::with_capacity(used * 4);
    for stat in &stats[..used] {
        put(&mut out, u64::from(stat.df));
        if stat.df > 0 {
            let more = stat.tf.saturating_sub(u64::from(stat.df));
            put(&mut out, more);
            if more > 0 {
                put_wide(&mut out, stat.s);
            }
        }
    }
    out
}

/// Fills `stats` from the front.
pub(super) fn decode_sums(bytes: &[u8], stats: &mut [crate::entropy::Stat]) -> Result<(), Malformed> {
    let mut input = Reader::new(bytes);
    for stat in stats {
        if input.is_empty() {
            return Ok(());
        }
        stat.df = input.int()?;
        if stat.df > 0 {
            let more = input.long()?;
            stat.tf = u64::from(stat.df).checked_add(more).ok_or(Malformed)?;
            if more > 0 {
                stat.s = input.wide()?;
            }
        }
    }
    if input.is_empty() { Ok(()) } else { Err(Malformed) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::entropy::Stat;
    use proptest::prelude::*;

    #[test]
    fn long_urls_keep_their_whole_text() {
        let long = format!("https://example.com/{}", "ä".repeat(3000));
        let row = UrlRow {
            fate: Some(FateRecord { fate: Fate::Gone { status: 410 }, depth: 1, referrer: None, crawl: 1 }),
            ..UrlRow::default()
        };
        let key = url_key(&long);
        assert!(key.len() < 300);
        assert_eq!(UrlRow::decode(&key, &row.encode(&long)), Ok((long.clone(), row)));
        assert_ne!(key, url_key(&format!("{long}x")));
    }

    fn text() -> impl Strategy<Value = String> {
        "[a-zé/]{0,20}"
    }

    fn fates() -> impl Strategy<Value = Fate> {
        prop_oneof![
            (any::<u16>(), text()).prop_map(|(status, to)| Fate::Redirect { status, to }),
            text().prop_map(|reason| Fate::Skipped { reason }),
            any::<u16>().prop_map(|status| Fate::Gone { status }),
            (any::<Option<u16>>(), text()).prop_map(|(status, reason)| Fate::Failed { status, reason }),
        ]
    }

    proptest! {
        #[test]
        fn url_rows_come_back(
            url in "http://é?/[a-z]{0,9}",
            page in prop::option::of((any::<u32>(), any::<u16>(), any::<u64>(), prop::option::of(text()), any::<[u8; 20]>(), text())),
            queued in prop::option::of((any::<u64>(), any::<u32>(), any::<u8>(), 0_u64..5, prop::option::of("http://é?ê?/[a-z]{0,9}"))),
            fate in prop::option::of((fates(), any::<u32>(), prop::option::of(text()))),
            cut in any::<prop::sample::Index>(),
            flip in any::<u8>(),
        ) {
            let row = UrlRow {
                page: page.map(|(id, status, long, text, digest, lang)| {
                    let location = Location { file: id, offset: long };
                    (PageId(id), PageRecord {
                        url: url.clone(), status, depth: id, fetched_at: long, etag: text.clone(), last_modified: text, digest,
                        lang, charset: String::new(), crawl: id, location,
                    })
                }),
                queued: queued.map(|(order, depth, hops, source, referrer)| {
                    (order, QueueEntry { url: url.clone(), depth, hops, source: source_of(source).unwrap(), referrer })
                }),
                fate: fate.map(|(fate, number, referrer)| FateRecord { fate, depth: number, referrer, crawl: number }),
            };
            let mut bytes = row.encode(&url);
            let key = url_key(&url);
            prop_assert_eq!(UrlRow::decode(&key, &bytes), Ok((url, row)));
            let at = cut.index(bytes.len());
            bytes[at] ^= flip;
            let _ = UrlRow::decode(&key, &bytes);
            prop_assert!(UrlRow::decode(&key, &bytes[..at]).is_err() || at > 0);
        }

        #[test]
        fn vectors_come_back(lists in prop::array::uniform3(prop::collection::btree_map(any::<u32>(), 1_u32.., 0..40)), noise: Vec<u8>) {
            let vector = PageVector(lists.map(|list| list.into_iter().collect()));
            prop_assert_eq!(PageVector::decode(&vector.encode()), Ok(vector));
            let _ = PageVector::decode(&noise);
            let _ = State::decode(&noise);
        }

        #[test]
        fn sums_come_back(counts in prop::collection::vec(prop::collection::vec(0_u32..9, 0..5), 0..9), noise: Vec<u8>) {
            let mut stats = [Stat::default(); 9];
            for (stat, counts) in stats.iter_mut().zip(&counts) {
                for &count in counts {
                    stat.add(count);
                }
            }
            let mut again = [Stat::default(); 9];
            prop_assert_eq!(decode_sums(&encode_sums(&stats), &mut again), Ok(()));
            prop_assert_eq!(again, stats);
            let _ = decode_sums(&noise, &mut again);
        }
    }
}
