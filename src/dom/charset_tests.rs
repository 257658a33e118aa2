//! Every charset with every label: what pages say comes out right.

use super::charset::{CharsetSource, DETECTED_WITHIN, decode};
use encoding_rs::{Encoding, GBK, UTF_8};

const CHINESE: &str = "港口的灯塔在夜里为归来的渔船指路，老人每天傍晚都要爬上一百二十级台阶去点灯。";
const KOREAN: &str = "등대지기는 매일 저녁 백이십 개의 계단을 올라가 등불을 켰다.";
const FRENCH: &str = "Le gardien du phare gravissait chaque soir cent vingt marches, été comme hiver, déjà fatigué.";

fn check(bytes: &[u8], header: Option<&str>, charset: &str, text: &str) {
    let got = decode(bytes, header);
    assert!(got.text.ends_with(text), "{charset}: {}", got.text);
    assert_eq!(got.charset, charset);
}

fn page(label: &str, text: &str) -> Vec<u8> {
    let encoding = Encoding::for_label(label.as_bytes()).unwrap_or(UTF_8);
    let mut page = format!("<html><head><meta http-equiv=Content-Type content=\"text/html; charset={label}\"></head>")
        .into_bytes();
    page.extend_from_slice(&encoding.encode(text).0);
    page
}

#[test]
fn declared_charsets_are_read_as_browsers_read_them() {
    check(&page("gb2312", CHINESE), None, "gb18030", CHINESE);
    check(&page("big5", "燈塔"), None, "Big5", "燈塔");
    check(&page("euc-kr", KOREAN), None, "EUC-KR", KOREAN);
    check(&page("iso-8859-1", FRENCH), None, "windows-1252", FRENCH);
    check(b"<meta charset=latin1>\x93quoted\x94", None, "windows-1252", "\u{201c}quoted\u{201d}");
    check(b"\xe9t\xe9", Some("text/html; Charset=\"ISO-8859-1\""), "windows-1252", "été");
    check(b"<?xml version=\"1.0\" encoding='iso-8859-2'?>\xb1", None, "ISO-8859-2", "ą");
    check(b"<!-- <meta charset=koi8-r> --><meta charset='utf-8'>\xc3\xa9", None, "UTF-8", "é");
}

#[test]
fn wrong_and_missing_declarations_are_repaired() {
    let (gbk, ..) = GBK.encode(CHINESE);
    check(&gbk, None, "gb18030", CHINESE);
    check(&encoding_rs::EUC_KR.encode(KOREAN).0, None, "EUC-KR", KOREAN);
    // Declared UTF-8, really GBK.
    let mut wrong = b"<meta charset=utf-8>".to_vec();
    wrong.extend_from_slice(&gbk);
    check(&wrong, None, "gb18030", CHINESE);
    // Valid UTF-8 wins over any other label.
    check(&[b"<meta charset=gb2312>", CHINESE.as_bytes()].concat(), Some("text/html; charset=big5"), "UTF-8", CHINESE);
    // One bad byte does not make a UTF-8 page something else.
    let long = CHINESE.repeat(5);
    check(&[b"<meta charset=utf-8>\xff", long.as_bytes()].concat(), None, "UTF-8", &long);
    check(&[b"\xff<p>", long.as_bytes()].concat(), None, "UTF-8", &long);
    // A header label that does not fit gives way to the page's own.
    check(&page("gb2312", CHINESE), Some("text/html; charset=utf-8"), "gb18030", CHINESE);
    // UTF-16 with and without mark, and a meta that says so wrongly.
    let utf16: Vec<u8> = "<html><title>A lighthouse</title>".encode_utf16().flat_map(u16::to_le_bytes).collect();
    check(&utf16, None, "UTF-16LE", "</title>");
    check(&[b"\xff\xfe", &*utf16].concat(), Some("text/html; charset=utf-8"), "UTF-16LE", "</title>");
    check("<meta charset=utf-16>é".as_bytes(), None, "UTF-8", "é");
    check(b"", None, "UTF-8", "");
}

const PROSE: [(&str, &str, &str); 14] = [
    (
        "gbk",
        "gb18030",
        "每天傍晚，看守灯塔的老人都要爬上一百二十级台阶去点灯，好让归来的渔船认得回家的路。港口的孩子们说，他从来没有迟到过一天，连下雪的日子也不例外。",
    ),
    (
        "big5",
        "Big5",
        "每天傍晚，看守燈塔的老人都要爬上一百二十級臺階去點燈，好讓歸來的漁船認得回家的路。港口的孩子們說，他從來沒有遲到過一天，連下雪的日子也不例外。",
    ),
    (
        "shift_jis",
        "Shift_JIS",
        "灯台守の老人は毎日夕方になると百二十段の階段を上り、帰ってくる漁船のために明かりをともした。港の子どもたちは、雪の日でも一度も遅れたことがないと話している。",
    ),
    (
        "euc-jp",
        "EUC-JP",
        "灯台守の老人は毎日夕方になると百二十段の階段を上り、帰ってくる漁船のために明かりをともした。港の子どもたちは、雪の日でも一度も遅れたことがないと話している。",
    ),
    (
        "euc-kr",
        "EUC-KR",
        "등대지기는 매일 저녁 백이십 개의 계단을 올라가 돌아오는 어선을 위해 등불을 켰다. 항구의 아이들은 눈이 오는 날에도 그가 늦은 적이 없다고 말한다.",
    ),
    (
        "windows-1250",
        "windows-1250",
        "Każdego wieczoru latarnik wchodził po stu dwudziestu stopniach, żeby zapalić światło dla łodzi wracających do portu. Dzieci mówią, że nigdy się nie spóźnił, nawet gdy padał śnieg i wiał mroźny wiatr od morza.",
    ),
    (
        "iso-8859-2",
        "ISO-8859-2",
        "Każdego wieczoru latarnik wchodził po stu dwudziestu stopniach, żeby zapalić światło dla łodzi wracających do portu. Dzieci mówią, że nigdy się nie spóźnił, nawet gdy padał śnieg i wiał mroźny wiatr od morza.",
    ),
    (
        "windows-1251",
        "windows-1251",
        "Каждый вечер смотритель маяка поднимался по ста двадцати ступеням, чтобы зажечь огонь для лодок, возвращающихся в порт. Дети говорят, что он ни разу не опоздал, даже когда шёл снег.",
    ),
    (
        "koi8-r",
        "KOI8-R",
        "Каждый вечер смотритель маяка поднимался по ста двадцати ступеням, чтобы зажечь огонь для лодок, возвращающихся в порт. Дети говорят, что он ни разу не опоздал, даже когда шёл снег.",
    ),
    (
        "windows-1252",
        "windows-1252",
        "Chaque soir, le gardien du phare gravissait cent vingt marches pour allumer la lumière des bateaux qui rentraient. Les enfants disent qu’il n’a jamais été en retard, même quand la neige tombait à l’aube.",
    ),
    (
        "windows-1253",
        "windows-1253",
        "Κάθε βράδυ ο φαροφύλακας ανέβαινε εκατόν είκοσι σκαλοπάτια για να ανάψει το φως για τις βάρκες που γύριζαν στο λιμάνι. Τα παιδιά λένε πως δεν άργησε ποτέ, ούτε όταν χιόνιζε.",
    ),
    (
        "windows-1254",
        "windows-1254",
        "Fener bekçisi her akşam limana dönen tekneler için ışığı yakmak üzere yüz yirmi basamak çıkardı. Çocuklar, kar yağdığında bile onun hiç gecikmediğini, yağmurda da şarkı söylediğini anlatır.",
    ),
    (
        "windows-1255",
        "windows-1255",
        "בכל ערב עלה שומר המגדלור מאה ועשרים מדרגות כדי להדליק את האור לסירות השבות אל הנמל. הילדים מספרים שהוא לא איחר אף פעם, גם כשירד שלג.",
    ),
    (
        "windows-1256",
        "windows-1256",
        "كان حارس المنارة يصعد كل مساء مئة وعشرين درجة ليضيء المصباح للقوارب العائدة إلى الميناء. ويقول الأطفال إنه لم يتأخر يوما واحدا حتى عندما كان الثلج يتساقط.",
    ),
];

/// A page as they are: scripts and menus before the prose, which is what differs.
fn realistic(label: &str, prose: &str, declared: &str, script: usize) -> Vec<u8> {
    let encoding = Encoding::for_label(label.as_bytes()).unwrap_or(UTF_8);
    let code = "function track(a,b){return a+b;} ".repeat(script / 33);
    let text = format!(
        "<html><head>{declared}<title>Page</title><script>/* © Zürich */ {code}</script><style>.menu{{margin:0}}</style></head>\
         <body><div class=\"menu\"><a href=\"/\">Home</a></div><p>{}</p><p>{prose}",
        [prose; 3].join("</p><p>")
    );
    encoding.encode(&text).0.into_owned()
}

#[test]
fn every_charset_is_told_from_prose() {
    for (label, charset, prose) in PROSE {
        check(&realistic(label, prose, "", 0), None, charset, prose);
        // Far behind more script than the detector is shown; the sample has to come from the prose.
        check(&realistic(label, prose, "", 200_000), None, charset, prose);
        // Declared UTF-8, which it is not.
        check(&realistic(label, prose, "<meta charset=utf-8>", 0), Some("text/html; charset=UTF-8"), charset, prose);
        // Declared twice, the first time wrongly as UTF-8; the right one is in the page.
        let declared = format!("<meta charset={label}>");
        check(&realistic(label, prose, &declared, 0), Some("text/html; charset=utf-8"), charset, prose);
    }
}

/// One label for all pages of a server.
#[test]
fn labels_of_another_script_are_overruled() {
    let labels = ["iso-8859-1", "gb2312", "windows-1251", "euc-kr", "big5", "shift_jis", "windows-1250", "koi8-r"];
    let mut believed = Vec::new();
    for (label, charset, prose) in PROSE {
        for wrong in labels {
            let Some(named) = Encoding::for_label(wrong.as_bytes()) else { panic!("{wrong} is known") };
            let bytes = realistic(label, prose, &format!("<meta charset={wrong}>"), 0);
            let got = decode(&bytes, None);
            let is_latin = |name: &str| matches!(name, "windows-1250" | "windows-1252" | "windows-1254" | "ISO-8859-2");
            if is_latin(charset) && is_latin(named.name()) {
                // Charsets of one script are told apart by their labels alone.
                assert_eq!(got.charset, named.name(), "{label} as {wrong}");
            } else if got.charset != charset || !got.text.ends_with(prose) {
                believed.push(format!("{label} as {wrong}: {}", got.charset));
            }
        }
    }
    assert_eq!(believed, Vec::<String>::new());
}

#[test]
fn right_labels_are_not_overruled() {
    for (label, charset, prose) in PROSE {
        let declared = format!("<meta charset={label}>");
        for bytes in [
            realistic(label, prose, &declared, 0),
            realistic(label, &prose.chars().take(40).collect::<String>(), &declared, 0),
            realistic(label, &prose.to_uppercase(), &declared, 0),
            realistic(label, &prose.split(' ').rev().collect::<Vec<_>>().join(" | "), &declared, 0),
        ] {
            let got = decode(&bytes, None);
            assert_eq!((got.charset, got.source), (charset, CharsetSource::Meta), "{label}");
        }
    }
    // Rules, dots and signs of Western pages stand together, and are no letters.
    let signs = format!("<meta charset=iso-8859-1><p>{FRENCH}{}{}", "\u{a0}".repeat(60), "«…»—".repeat(4));
    let bytes = encoding_rs::WINDOWS_1252.encode(&signs).0;
    assert_eq!(decode(&bytes, None).charset, "windows-1252");
}

#[test]
fn iso_2022_jp_is_told_by_its_escapes() {
    let prose = PROSE[2].2;
    for declared in ["", "<meta charset=utf-8>", "<meta charset=iso-2022-jp>"] {
        let page = encoding_rs::ISO_2022_JP.encode(&format!("{declared}<p>{prose}")).0.into_owned();
        check(&page, None, "ISO-2022-JP", prose);
    }
    check(b"<p>\x1b[1mcolours\x1b[0m of a terminal", None, "UTF-8", "of a terminal");
}

#[test]
fn damaged_and_wide_pages_are_read() {
    for (_, _, prose) in PROSE {
        let page = format!("<html><head><title>x</title></head><p>{prose}</p><p>{prose}");
        let utf8 = page.as_bytes();
        check(utf8, None, "UTF-8", prose);
        // A few broken bytes and a tail that was cut inside a character.
        let mut broken = utf8.to_vec();
        broken.splice(30..30, [0xff, 0xc3]);
        broken.push(0xe3);
        let got = decode(&broken, None);
        assert_eq!(got.charset, "UTF-8");
        assert!(got.text.trim_end_matches('\u{FFFD}').ends_with(prose));
        // NULs do not make it another charset.
        let mut nuls = utf8.to_vec();
        nuls.splice(40..40, [0, 1, 2]);
        check(&nuls, None, "UTF-8", prose);
        let wide = |be: bool| -> Vec<u8> {
            page.encode_utf16().flat_map(|unit| if be { unit.to_be_bytes() } else { unit.to_le_bytes() }).collect()
        };
        check(&wide(false), None, "UTF-16LE", prose);
        check(&wide(true), None, "UTF-16BE", prose);
        check(&[b"\xfe\xff", &*wide(true)].concat(), None, "UTF-16BE", prose);
        // UTF-32 is not in the standard; a mark of it is plain enough.
        let le: Vec<u8> = "\u{feff}".chars().chain(page.chars()).flat_map(|c| u32::from(c).to_le_bytes()).collect();
        let be: Vec<u8> = "\u{feff}".chars().chain(page.chars()).flat_map(|c| u32::from(c).to_be_bytes()).collect();
        check(&le, None, "UTF-32LE", prose);
        check(&be, None, "UTF-32BE", prose);
    }
}

#[test]
fn a_broken_byte_does_not_make_utf8_another_charset() {
    let text = CHINESE.repeat(3) + FRENCH;
    for label in ["iso-8859-1", "windows-1252", "gb2312", "utf-8"] {
        let whole = format!("<meta charset={label}><p>{text}</p><p>{CHINESE}").into_bytes();
        check(&whole, None, "UTF-8", CHINESE);
        let cut = decode(&whole[..whole.len() - 1], None);
        assert_eq!((cut.charset, cut.text.contains(&text)), ("UTF-8", true), "{label}");
        let mut broken = whole.clone();
        broken.splice(30..30, [0xe9, b' ']);
        check(&broken, None, "UTF-8", CHINESE);
    }
    // Real pages of the labels stay what they are.
    for (label, charset, text) in
        [("gbk", "gb18030", CHINESE), ("iso-8859-1", "windows-1252", FRENCH), ("euc-kr", "EUC-KR", KOREAN)]
    {
        check(&page(label, &text.repeat(30)), None, charset, text);
    }
}

/// Samples of a long page are cut out of it, and must not begin or end inside a character.
#[test]
fn long_undeclared_pages_of_two_byte_charsets_are_read() {
    for (label, text) in [
        ("gbk", CHINESE),
        ("big5", "港口的燈塔在夜裡為歸來的漁船指路，老人每天傍晚都要爬上台階去點燈。"),
        ("euc-kr", KOREAN),
    ] {
        for shift in 0..4 {
            let ascii = "<td class=\"list\">link 1</td>\n".repeat(61);
            let html = format!("{}{}", "x".repeat(shift), format!("{ascii}<p>{}</p>", text.repeat(40)).repeat(12));
            let Some(encoding) = Encoding::for_label(label.as_bytes()) else { panic!("{label} is known") };
            let bytes = encoding.encode(&html).0;
            assert!(bytes.len() > 3 * DETECTED_WITHIN, "the page is long");
            let got = decode(&bytes, None);
            assert_eq!(
                (got.text.contains(text), got.text.contains('\u{FFFD}')),
                (true, false),
                "{label} {shift}: {}",
                got.charset
            );
        }
    }
}
