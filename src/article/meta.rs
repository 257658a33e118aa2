//! [`meta`]: what a page says about itself.

use super::links;
use crate::dom::{Attr, Dom, NodeId, Tag, fold_space};
use serde_json::Value;
use url::Url;

/// What a page says about itself; `None` where it says nothing usable. Texts have their white space folded.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Metadata {
    /// The headline, without the name of the site.
    pub title: Option<String>,
    /// The name of the site.
    pub site_name: Option<String>,
    /// Who wrote it.
    pub author: Option<String>,
    /// When it was published: `YYYY-MM-DD`, or `YYYY-MM-DDTHH:MM:SS` with `±HH:MM` where the zone is known (ISO 8601).
    pub date: Option<String>,
    /// A summary.
    pub description: Option<String>,
    /// The address that the page wants to be known by, absolute.
    pub canonical: Option<String>,
    /// The address of the leading image, absolute.
    pub image: Option<String>,
}

/// Longest text of a field, in characters.
const MAX_FIELD: usize = 2000;
/// Bytes of a JSON-LD script, and such scripts, at most.
const MAX_JSON: usize = 1 << 18;
const MAX_SCRIPTS: usize = 8;
/// JSON values looked at, at most.
const MAX_VALUES: usize = 2000;

/// Reads `<title>`, `meta` (Open Graph, Dublin Core, article), microdata, `time`, `h1` and, where these are silent,
/// JSON-LD.
///
/// The site name is cut from `<title>` at a separator only if something supports the cut: the rest is the page's `h1` or
/// `og:title`, or what is cut is `og:site_name`; so a dash inside a headline stays. Addresses are absolute, against
/// `base`. Time linear in the page.
///
/// ```
/// use wisdom::{article::meta, dom::Dom};
/// let dom = Dom::parse("<title>North-South ferry - first boat - Gazette</title><h1>North-South ferry - first boat</h1>");
/// let base = "https://example.org/".parse()?;
/// assert_eq!(meta(&dom, &base).title.as_deref(), Some("North-South ferry - first boat"));
/// # Ok::<(), url::ParseError>(())
/// ```
pub fn meta(dom: &Dom, base: &Url) -> Metadata {
    let declared = Declared::read(dom);
    let linked = LinkedData::read(dom);
    let site_name = declared.first(&["og:site_name", "application-name"]);
    let date = declared
        .dates
        .iter()
        .find_map(|value| iso_date(value))
        .or_else(|| DATE_NAMES.iter().find_map(|name| declared.all(name).find_map(iso_date)))
        .or_else(|| linked.date.as_deref().and_then(iso_date))
        .or_else(|| declared.times.iter().find_map(|value| iso_date(value)));
    let author = declared
        .all_of(&["author", "article:author", "dc.creator", "dcterms.creator", "byl", "parsely-author"])
        .chain(declared.authors.iter().map(String::as_str))
        .find_map(person)
        .or_else(|| linked.author.as_deref().and_then(person));
    let canonical = dom
        .ids()
        .filter(|&id| dom.tag(id) == Tag::LINK && has_token(dom.attr(id, Attr::REL), "canonical"))
        .find_map(|id| dom.attr(id, Attr::HREF).and_then(|href| links::web(href, base)))
        .or_else(|| declared.all("og:url").find_map(|url| links::web(url, base)));
    let image = declared
        .all_of(&["og:image", "og:image:url", "og:image:secure_url", "twitter:image"])
        .find_map(|url| links::web(url, base));
    Metadata {
        title: title(dom, base, &declared, site_name.as_deref()).or(linked.headline),
        site_name,
        author,
        date,
        description: declared.first(&["og:description", "description", "dc.description", "twitter:description"]),
        canonical,
        image,
    }
}

/// Names of `meta` elements that hold the date of publication, best first.
const DATE_NAMES: [&str; 11] = [
    "article:published_time",
    "datepublished",
    "og:published_time",
    "dc.date.issued",
    "dcterms.issued",
    "dc.date",
    "dcterms.date",
    "dcterms.created",
    "date",
    "pubdate",
    "publishdate",
];

/// The statements of `meta` elements and microdata, in document order.
struct Declared {
    /// Lower-case name and content.
    named: Vec<(String, String)>,
    /// Dates of publication as microdata.
    dates: Vec<String>,
    /// Shown times.
    times: Vec<String>,
    /// Texts marked as the author.
    authors: Vec<String>,
}

impl Declared {
    fn read(dom: &Dom) -> Self {
        let mut read = Self { named: Vec::new(), dates: Vec::new(), times: Vec::new(), authors: Vec::new() };
        for id in dom.ids().filter(|&id| !dom.is_text(id)) {
            let tag = dom.tag(id);
            let content = dom.attr(id, Attr::CONTENT);
            if tag == Tag::META {
                let names = [Attr::PROPERTY, Attr::NAME, Attr::ITEMPROP].into_iter().filter_map(|a| dom.attr(id, a));
                for name in names.flat_map(str::split_whitespace).take(4) {
                    let content = content.map(clean).unwrap_or_default();
                    if !content.is_empty() && name.len() <= 64 {
                        read.named.push((name.to_ascii_lowercase(), content));
                    }
                }
                continue;
            }
            let itemprop = dom.attr(id, Attr::ITEMPROP);
            let datetime = dom.attr(id, Attr::DATETIME);
            if has_token(itemprop, "datePublished") {
                read.dates.extend(datetime.or(content).map(str::to_owned).or_else(|| shown_text(dom, id)));
            }
            if tag == Tag::TIME && !dom.is_hidden(id) {
                read.times.extend(datetime.map(str::to_owned).or_else(|| shown_text(dom, id)));
            }
            let is_author =
                has_token(itemprop, "author") || (tag == Tag::A && has_token(dom.attr(id, Attr::REL), "author"));
            if is_author && read.authors.len() < 8 {
                let is_name = |&inner: &NodeId| has_token(dom.attr(inner, Attr::ITEMPROP), "name");
                read.authors.extend(shown_text(dom, dom.subtree(id).find(is_name).unwrap_or(id)));
            }
        }
        read
    }

    fn all(&self, name: &str) -> impl Iterator<Item = &str> {
        self.named.iter().filter(move |(known, _)| known == name).map(|(_, content)| &**content)
    }

    fn all_of(&self, names: &'static [&'static str]) -> impl Iterator<Item = &str> {
        names.iter().flat_map(|name| self.all(name))
    }

    fn first(&self, names: &'static [&'static str]) -> Option<String> {
        self.all_of(names).next().map(str::to_owned)
    }
}

/// The visible text of a short element.
fn shown_text(dom: &Dom, id: NodeId) -> Option<String> {
    let text = dom.text(id);
    (!dom.is_hidden(id) && text.len() <= 4 * MAX_FIELD).then(|| clean(text)).filter(|text| !text.is_empty())
}

fn clean(text: &str) -> String {
    let text: String = text
        .chars()
        .filter(|c| c.is_whitespace() || !(c.is_control() || matches!(c, '\u{ad}' | '\u{200b}' | '\u{feff}')))
        .take(4 * MAX_FIELD)
        .collect();
    fold_space(&text).chars().take(MAX_FIELD).collect()
}

fn has_token(value: Option<&str>, token: &str) -> bool {
    value.is_some_and(|value| value.split_whitespace().any(|known| known.eq_ignore_ascii_case(token)))
}

/// A name without the word before it; `None` for addresses and what is no name.
fn person(name: &str) -> Option<String> {
    let name = clean(name);
    let lower = name.get(..3).map(str::to_ascii_lowercase);
    let name = if lower.as_deref() == Some("by ") { name[3..].trim() } else { &*name };
    let is_name = name.chars().any(char::is_alphabetic) && !name.contains("://") && name.chars().count() <= 200;
    is_name.then(|| name.to_owned())
}

const SEPARATORS: [&str; 12] = [" - ", " | ", " – ", " — ", " · ", " • ", " » ", " « ", "—", "_", "::", "|"];

fn title(dom: &Dom, base: &Url, declared: &Declared, site_name: Option<&str>) -> Option<String> {
    let written = clean(&dom.title());
    let shared: Vec<String> = declared.all_of(&["og:title", "twitter:title"]).map(str::to_owned).collect();
    let host: String = base.host_str().unwrap_or_default().chars().filter(char::is_ascii_alphanumeric).collect();
    let is_site = |text: &str| {
        let key: String = key(text).chars().filter(|c| *c != ' ').collect();
        site_name.is_some_and(|name| self::key(name) == self::key(text)) || (key.len() > 3 && host.contains(&key))
    };
    let headings: Vec<String> = dom
        .ids()
        .filter(|&id| dom.tag(id) == Tag::H1)
        .filter_map(|id| shown_text(dom, id))
        .filter(|heading| !is_site(heading))
        .take(8)
        .collect();
    if written.is_empty() {
        return shared.into_iter().chain(headings).next().map(|title| cut_site(&title, &[], site_name));
    }
    let witnesses: Vec<&str> = headings.iter().chain(&shared).map(String::as_str).collect();
    let cut = cut_site(&written, &witnesses, site_name);
    // A title that was cut short for the tab is shown in full on the page.
    let stem = cut.trim_end_matches(['…', '.']);
    let full = headings
        .iter()
        .find(|heading| stem.len() + 2 < cut.len() + usize::from(cut.ends_with('…')) && heading.starts_with(stem));
    Some(full.cloned().unwrap_or(cut))
}

/// Letters and digits in lower case, parted by single blanks: equal for texts that read alike.
fn key(text: &str) -> String {
    let plain: String =
        text.chars().map(|c| if c.is_alphanumeric() { c } else { ' ' }).flat_map(char::to_lowercase).collect();
    fold_space(&plain)
}

/// The title without the site's name, cut where a witness (a heading, a shared title) or the name supports it.
fn cut_site(title: &str, witnesses: &[&str], site_name: Option<&str>) -> String {
    let mut cuts: Vec<(usize, usize)> = SEPARATORS
        .iter()
        .flat_map(|separator| title.match_indices(separator).map(|(at, found)| (at, at + found.len())))
        .take(32)
        .collect();
    cuts.sort_unstable();
    let witnesses: Vec<String> = witnesses.iter().map(|witness| key(witness)).filter(|key| !key.is_empty()).collect();
    let whole = key(title);
    if witnesses.contains(&whole) {
        return title.to_owned();
    }
    let sides: Vec<(&str, &str)> = cuts
        .iter()
        .flat_map(|&(from, to)| {
            let (left, right) = (title[..from].trim(), title[to..].trim());
            [(left, right), (right, left)]
        })
        .filter(|(kept, _)| !kept.is_empty())
        .collect();
    let longest = |choose: &dyn Fn(&str, &str) -> bool| {
        let chosen = sides.iter().filter(|(kept, cut)| choose(kept, cut)).map(|(kept, _)| *kept);
        chosen.max_by_key(|kept| kept.len()).map(str::to_owned)
    };
    // What stands between two separators may be the headline as well.
    let middle = || {
        cuts.iter().enumerate().find_map(|(at, &(_, from))| {
            let to =
                cuts[at + 1..].iter().find(|(to, _)| *to >= from && witnesses.contains(&key(&title[from..*to])))?.0;
            Some(title[from..to].trim().to_owned())
        })
    };
    let site = site_name.map(key).filter(|site| !site.is_empty());
    longest(&|kept, _| witnesses.contains(&key(kept)))
        .or_else(middle)
        .or_else(|| longest(&|_, cut| Some(key(cut)) == site))
        .or_else(|| {
            longest(&|kept, cut| {
                let (kept, cut) = (key(kept), key(cut));
                let holds = |witness: &String| {
                    kept.contains(witness.as_str()) && witness.len() * 5 >= kept.len() * 3 && !witness.contains(&cut)
                };
                !cut.is_empty() && witnesses.iter().any(holds)
            })
        })
        .unwrap_or_else(|| title.to_owned())
}

/// The first date in a text that begins with one: year, month and day by `-`, `/`, `.`, Chinese signs or nothing; then
/// perhaps a time and a zone.
fn iso_date(text: &str) -> Option<String> {
    let mut rest = text.trim();
    let year = number(&mut rest, 4, 4)?;
    let compact = rest.starts_with(|c: char| c.is_ascii_digit());
    let mut next = |from: usize| {
        if compact {
            return number(&mut rest, 2, 2);
        }
        rest = rest.strip_prefix(['-', '/', '.', '年', '月'])?;
        number(&mut rest, from, 2)
    };
    let (month, day) = (next(1)?, next(1)?);
    let leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    let days = [31, 28 + u32::from(leap), 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
    let valid = (1..=12).contains(&month) && (1..=days[month as usize - 1]).contains(&day);
    if !valid || !(1000..=2999).contains(&year) || rest.starts_with(|c: char| c.is_ascii_digit()) {
        return None;
    }
    let date = format!("{year:04}-{month:02}-{day:02}");
    Some(time(rest).map_or(date.clone(), |time| format!("{date}T{time}")))
}

/// `HH:MM:SS±HH:MM`, or without a zone where none is written; fractions of a second are dropped.
fn time(text: &str) -> Option<String> {
    let mut rest = text.trim_start_matches('日').trim_start_matches(['T', 't', ' ']);
    let hour = number(&mut rest, 1, 2)?;
    rest = rest.strip_prefix(':')?;
    let minute = number(&mut rest, 2, 2)?;
    let mut second = 0;
    if let Some(behind) = rest.strip_prefix(':') {
        rest = behind;
        second = number(&mut rest, 2, 2)?;
        if let Some(fraction) = rest.strip_prefix(['.', ',']) {
            rest = fraction.trim_start_matches(|c: char| c.is_ascii_digit());
        }
    }
    if hour > 23 || minute > 59 || second > 60 {
        return None;
    }
    let zone = zone(rest.trim_start()).unwrap_or_default();
    Some(format!("{hour:02}:{minute:02}:{second:02}{zone}"))
}

fn zone(text: &str) -> Option<String> {
    if text.starts_with(['Z', 'z']) || text.starts_with("UTC") || text.starts_with("GMT") {
        return Some("+00:00".to_owned());
    }
    let sign = text.chars().next().filter(|c| matches!(c, '+' | '-'))?;
    let mut rest = &text[1..];
    let hour = number(&mut rest, 2, 2)?;
    let mut minutes = rest.strip_prefix(':').unwrap_or(rest);
    let minute = number(&mut minutes, 2, 2).unwrap_or(0);
    (hour <= 14 && minute <= 59).then(|| format!("{sign}{hour:02}:{minute:02}"))
}

/// Takes a number of so many digits off the front of a text.
fn number(rest: &mut &str, least: usize, most: usize) -> Option<u32> {
    let digits = rest.bytes().take(most).take_while(u8::is_ascii_digit).count();
    let (number, behind) = rest.split_at(digits);
    (digits >= least).then(|| *rest = behind)?;
    number.parse().ok()
}

/// What the page's JSON-LD says of its article.
#[derive(Default)]
struct LinkedData {
    headline: Option<String>,
    date: Option<String>,
    author: Option<String>,
}

impl LinkedData {
    /// Reads the scripts in order; the first article in them counts. Broken and huge scripts are passed over.
    fn read(dom: &Dom) -> Self {
        let is_json = |&id: &NodeId| {
            dom.tag(id) == Tag::SCRIPT
                && dom.attr(id, Attr::TYPE).is_some_and(|kind| kind.trim().eq_ignore_ascii_case("application/ld+json"))
        };
        dom.ids()
            .filter(is_json)
            .map(|id| dom.text(id))
            .filter(|text| text.len() <= MAX_JSON)
            .take(MAX_SCRIPTS)
            .filter_map(|text| serde_json::from_str::<Value>(text).ok())
            .find_map(|value| Self::of_article(&value))
            .unwrap_or_default()
    }

    fn of_article(value: &Value) -> Option<Self> {
        let mut open = vec![value];
        let mut looked_at = 0;
        while let Some(value) = open.pop().filter(|_| looked_at < MAX_VALUES) {
            looked_at += 1;
            match value {
                Value::Array(values) => open.extend(values.iter().rev()),
                Value::Object(fields) => {
                    if is_article(fields.get("@type")) {
                        let text = |name| fields.get(name).and_then(Value::as_str).map(clean);
                        return Some(Self {
                            headline: text("headline").filter(|text| !text.is_empty()),
                            date: text("datePublished"),
                            author: fields.get("author").and_then(name_of),
                        });
                    }
                    open.extend(fields.get("@graph").into_iter().chain(fields.get("mainEntity")));
                }
                _ => {}
            }
        }
        None
    }
}

fn is_article(kind: Option<&Value>) -> bool {
    let is = |kind: &Value| kind.as_str().is_some_and(|kind| kind.ends_with("Article") || kind.ends_with("Posting"));
    match kind {
        Some(Value::Array(kinds)) => kinds.iter().any(is),
        Some(kind) => is(kind),
        None => false,
    }
}

/// The name of a person: a text, an object with a name, or the first of several.
fn name_of(value: &Value) -> Option<String> {
    let value = value.as_array().map_or(Some(value), |values| values.first())?;
    value.as_str().or_else(|| value.get("name").and_then(Value::as_str)).map(clean)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(html: &str) -> Metadata {
        meta(&Dom::parse(html), &"https://news.example.org/a/b".parse().expect("a constant"))
    }

    #[track_caller]
    fn check_title(html: &str, want: &str) {
        assert_eq!(read(html).title.unwrap_or_default(), want, "{html}");
    }

    #[test]
    fn site_name_is_cut_where_something_supports_it() {
        let site = "<meta property=og:site_name content='Harbour Gazette'>";
        let long = "North-South ferry - first boat on Monday";
        check_title(&format!("{site}<title>{long} - Harbour Gazette</title><h1>{long}</h1>"), long);
        check_title(&format!("{site}<title>{long} - Harbour Gazette</title>"), long);
        check_title(&format!("<title>Harbour Gazette | News | {long}</title><h1>{long}</h1>"), long);
        check_title(&format!("<title>News | {long} | Harbour Gazette</title><h1>{long}</h1>"), long);
        check_title(&format!("<title>{long}</title><h1>first boat</h1>"), long);
        check_title(&format!("<title>{long}</title>"), long);
        check_title("<title>North-South</title><h1>South</h1>", "North-South");
        check_title("<title>标题_新闻网</title><h1>标题</h1>", "标题");
        check_title("<title>标题——副题_新闻网</title><meta property=og:title content=标题——副题>", "标题——副题");
        check_title("<title>std::vec</title><h1>Vectors</h1>", "std::vec");
        check_title("<title>Boat « Gazette</title><h1> Boat </h1>", "Boat");
        // The heading is the name of the site.
        check_title(&format!("{site}<title>Boat - Harbour Gazette</title><h1>Harbour Gazette</h1>"), "Boat");
        check_title("<title>Boat - Other</title><h1>Example</h1>", "Boat - Other");
        // The page shows more than the tab.
        check_title("<title>First boat on…</title><h1>First boat on Monday</h1>", "First boat on Monday");
        check_title("<h1>Only <b>this</b></h1>", "Only this");
        check_title("<h1>shown</h1><meta property=og:title content=shared>", "shared");
        check_title("", "");
    }

    #[test]
    fn dates_are_normalised() {
        for (given, want) in [
            ("2022-03-14", Some("2022-03-14")),
            ("2022/3/4", Some("2022-03-04")),
            ("20220314", Some("2022-03-14")),
            ("2022年3月4日 08:05", Some("2022-03-04T08:05:00")),
            ("2022-03-14T10:20:30.123Z", Some("2022-03-14T10:20:30+00:00")),
            ("2022-03-14 10:20 +0530", Some("2022-03-14T10:20:00+05:30")),
            ("2022-03-14T10:20:30-08", Some("2022-03-14T10:20:30-08:00")),
            ("2022-02-30", None),
            ("2022-13-01", None),
            ("14 March 2022", None),
            ("yesterday", None),
            ("", None),
        ] {
            assert_eq!(iso_date(given).as_deref(), want, "{given}");
        }
    }

    #[test]
    fn fields_come_from_the_best_statement() {
        let page = read(
            "<title>T</title><link rel='x Canonical' href='/c?x=1'><meta property=og:image content='javascript:x'>\
             <meta name=twitter:image content=i.png><meta name=Description content=' a \n b '><meta name=author content='By  Ann Lee'>\
             <meta property=article:published_time content='bad'><meta name=DC.date content='2020-01-02'>\
             <time datetime='2021-01-01'>x</time><meta property=og:site_name content=Site>",
        );
        assert_eq!(page.canonical.as_deref(), Some("https://news.example.org/c?x=1"));
        assert_eq!(page.image.as_deref(), Some("https://news.example.org/a/i.png"));
        assert_eq!(page.description.as_deref(), Some("a b"));
        assert_eq!(page.author.as_deref(), Some("Ann Lee"));
        assert_eq!(page.date.as_deref(), Some("2020-01-02"));
        assert_eq!(page.site_name.as_deref(), Some("Site"));

        let page = read(
            "<span itemprop=author><a itemprop=name>Bo Ek</a>, editor</span><time itemprop=datePublished>2020-05-06</time>\
             <time hidden datetime=2019-01-01></time>",
        );
        assert_eq!((page.author.as_deref(), page.date.as_deref()), (Some("Bo Ek"), Some("2020-05-06")));
        assert_eq!(read("<p>x"), Metadata::default());
    }

    #[test]
    fn json_ld_fills_in() {
        let page = read(
            "<script type=application/ld+json>{broken</script><script type=application/ld+json>\
             {\"@graph\":[{\"@type\":\"WebSite\"},{\"@type\":[\"NewsArticle\"],\"headline\":\"H\",\
             \"datePublished\":\"2020-01-02T03:04:05Z\",\"author\":[{\"name\":\"A B\"}]}]}</script>",
        );
        assert_eq!(page.title.as_deref(), Some("H"));
        assert_eq!(page.author.as_deref(), Some("A B"));
        assert_eq!(page.date.as_deref(), Some("2020-01-02T03:04:05+00:00"));
        let deep = format!("<script type=application/ld+json>{}</script>", "[".repeat(100_000));
        assert_eq!(read(&deep), Metadata::default());
    }
}
