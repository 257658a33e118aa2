//! [`doubted`]: labels under which the bytes make no text of the label's script.
//!
//! Old servers put one label on all their pages, most often `iso-8859-1` or `gb2312`, and single-byte charsets and GB18030
//! read nearly any bytes without an error. Two tests have to agree before a label is overruled: what its bytes look like
//! under it, by the shares of bytes below, and the detector, which is told to expect the label.

use encoding_rs::{
    BIG5, EUC_JP, EUC_KR, Encoding, GB18030, GBK, IBM866, ISO_8859_2, ISO_8859_3, ISO_8859_4, ISO_8859_5, ISO_8859_6,
    ISO_8859_7, ISO_8859_8, ISO_8859_8_I, ISO_8859_10, ISO_8859_13, ISO_8859_14, ISO_8859_15, ISO_8859_16, KOI8_R,
    KOI8_U, MACINTOSH, SHIFT_JIS, WINDOWS_874, WINDOWS_1250, WINDOWS_1251, WINDOWS_1252, WINDOWS_1253, WINDOWS_1254,
    WINDOWS_1255, WINDOWS_1256, WINDOWS_1257, WINDOWS_1258, X_MAC_CYRILLIC,
};

/// Bytes beyond ASCII that a sample must hold for a label to be doubted: a name or a heading tells too little.
const LEAST_EVIDENCE: usize = 30;

/// Charsets that are never told apart by overruling a label: those of one script that share most of their places.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Family {
    Latin,
    Cyrillic,
    Koi8,
    CyrillicOfDos,
    CyrillicOfIso,
    CyrillicOfMac,
    Greek,
    Hebrew,
    Arabic,
    Thai,
    Chinese,
    Taiwanese,
    Korean,
    ShiftJis,
    EucJp,
}

impl Family {
    /// Whether [`Bytes::fit`] knows what its bytes look like.
    fn has_shape(self) -> bool {
        matches!(
            self,
            Self::Latin | Self::Chinese | Self::Taiwanese | Self::Korean | Self::ShiftJis | Self::Cyrillic | Self::Koi8
        )
    }
}

/// The family of a charset, and a country where it is at home, as a top-level domain.
fn family(encoding: &'static Encoding) -> Option<(Family, &'static [u8])> {
    let families: [(Family, &[u8], &[&'static Encoding]); 20] = [
        (Family::Latin, b"de", &[WINDOWS_1252, ISO_8859_15, MACINTOSH, ISO_8859_14]),
        (Family::Latin, b"pl", &[WINDOWS_1250, ISO_8859_2, ISO_8859_16]),
        (Family::Latin, b"tr", &[WINDOWS_1254, ISO_8859_3]),
        (Family::Latin, b"lt", &[WINDOWS_1257, ISO_8859_4, ISO_8859_10, ISO_8859_13]),
        (Family::Latin, b"vn", &[WINDOWS_1258]),
        (Family::Cyrillic, b"ru", &[WINDOWS_1251]),
        (Family::Koi8, b"ru", &[KOI8_R]),
        (Family::Koi8, b"ua", &[KOI8_U]),
        (Family::CyrillicOfDos, b"ru", &[IBM866]),
        (Family::CyrillicOfIso, b"ru", &[ISO_8859_5]),
        (Family::CyrillicOfMac, b"ru", &[X_MAC_CYRILLIC]),
        (Family::Greek, b"gr", &[WINDOWS_1253, ISO_8859_7]),
        (Family::Hebrew, b"il", &[WINDOWS_1255, ISO_8859_8, ISO_8859_8_I]),
        (Family::Arabic, b"eg", &[WINDOWS_1256, ISO_8859_6]),
        (Family::Thai, b"th", &[WINDOWS_874]),
        (Family::Chinese, b"cn", &[GBK, GB18030]),
        (Family::Taiwanese, b"tw", &[BIG5]),
        (Family::Korean, b"kr", &[EUC_KR]),
        (Family::ShiftJis, b"jp", &[SHIFT_JIS]),
        (Family::EucJp, b"jp", &[EUC_JP]),
    ];
    families.into_iter().find(|(.., members)| members.contains(&encoding)).map(|(family, home, _)| (family, home))
}

/// The charset that a sample of a page's prose is in, where that is plainly of another script than its label. Time linear in
/// the sample.
pub(super) fn doubted(label: &'static Encoding, sample: &[u8]) -> Option<&'static Encoding> {
    let (own, home) = family(label)?;
    let bytes = Bytes::count(sample);
    if bytes.beyond < LEAST_EVIDENCE || bytes.fit(own) {
        return None;
    }
    let mut detector = chardetng::EncodingDetector::new(chardetng::Iso2022JpDetection::Deny);
    detector.feed(sample, false);
    // Where the bytes could fit the label and do not, the detector may guess freely.
    let home = if own.has_shape() { None } else { Some(home) };
    let guess = detector.guess(home, chardetng::Utf8Detection::Deny);
    let (other, _) = family(guess)?;
    // In Latin script letters beyond ASCII stand alone among others; in every other script they stand together.
    let is_likely = if other == Family::Latin { bytes.share_together() < 0.5 } else { bytes.share_together() > 0.6 };
    (other != own && is_likely).then_some(guess)
}

/// What the bytes of a sample look like.
#[derive(Debug)]
struct Bytes {
    /// Bytes beyond ASCII, and those of them with another such beside them, not its equal: rules and runs of blanks are no
    /// letters.
    beyond: usize,
    together: usize,
    /// Pairs, read from the left as two-byte charsets do, by their first byte.
    pairs: usize,
    leads: [u32; 256],
    /// Single bytes by value.
    singles: [u32; 256],
}

impl Bytes {
    fn count(sample: &[u8]) -> Self {
        let mut all = Self { beyond: 0, together: 0, pairs: 0, leads: [0; 256], singles: [0; 256] };
        let mut lead = None;
        for (at, &b) in sample.iter().enumerate() {
            if let Some(first) = lead.take()
                && b >= 0x40
            {
                all.pairs += 1;
                all.leads[usize::from(first)] += 1;
            } else if b > 0x80 {
                lead = Some(b);
            }
            if b.is_ascii() {
                continue;
            }
            all.beyond += 1;
            all.singles[usize::from(b)] += 1;
            let is_other = |near: Option<&u8>| near.is_some_and(|&near| near >= 0x80 && near != b);
            let before = at.checked_sub(1).and_then(|before| sample.get(before));
            all.together += usize::from(is_other(before) || is_other(sample.get(at + 1)));
        }
        all
    }

    fn share_together(&self) -> f64 {
        self.together as f64 / self.beyond.max(1) as f64
    }

    /// Share of the pairs whose first byte is in a range.
    fn led_by(&self, range: std::ops::RangeInclusive<usize>) -> f64 {
        f64::from(self.leads[range].iter().sum::<u32>()) / self.pairs.max(1) as f64
    }

    /// Whether most letters are small, and of them as many as in Slavic languages these vowels.
    fn is_cyrillic(&self, small: std::ops::RangeInclusive<usize>, vowels: [usize; 4]) -> bool {
        let all = f64::from(self.singles[0xc0..].iter().sum::<u32>().max(1));
        let small = f64::from(self.singles[small].iter().sum::<u32>());
        let vowels = f64::from(vowels.iter().map(|&vowel| self.singles[vowel]).sum::<u32>());
        small > 0.75 * all && vowels > 0.25 * small && self.share_together() > 0.6
    }

    /// Whether the bytes are what text of a charset of the family looks like, so that the detector need not be asked.
    fn fit(&self, family: Family) -> bool {
        match family {
            Family::Latin => self.share_together() < 0.5,
            // Characters of the first level, in the order of their sounds, b to z; Korean read so has none beyond r.
            Family::Chinese => {
                self.led_by(0xb0..=0xd7) + self.led_by(0xa1..=0xa3) > 0.7 && self.led_by(0xc9..=0xd7) > 0.15
            }
            // Characters of the first level, and signs; not so many of few strokes as Japanese has kana.
            Family::Taiwanese => {
                self.led_by(0xa1..=0xc6) > 0.9 && self.led_by(0xa4..=0xaf) > 0.2 && self.led_by(0xa4..=0xa5) < 0.5
            }
            // Syllables; hardly anything else.
            Family::Korean => self.led_by(0xb0..=0xc8) > 0.9,
            // Kana, signs and characters of the first level.
            Family::ShiftJis => self.led_by(0x81..=0x83) > 0.25 && self.led_by(0x81..=0x98) > 0.8,
            // Small letters, many of them the vowels о, а, е, и.
            Family::Cyrillic => self.is_cyrillic(0xe0..=0xff, [0xee, 0xe0, 0xe5, 0xe8]),
            Family::Koi8 => self.is_cyrillic(0xc0..=0xdf, [0xcf, 0xc1, 0xc5, 0xc9]),
            _ => false,
        }
    }
}
