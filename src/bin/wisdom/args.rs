//! The command line.

use clap::{Args as ClapArgs, CommandFactory, Parser, Subcommand, ValueEnum};
use clap_complete::Shell;
use std::net::SocketAddr;
use std::path::PathBuf;
use wisdom::pipeline::Method;

/// Where servers listen unless told otherwise.
const LISTEN: &str = "127.0.0.1:8090";

/// Crawls a web site, learns what its pages repeat, and hands a search indexer only what each page really says.
///
/// Exit codes: 0 done, 1 done but some pages failed, 2 could not run.
#[derive(Debug, Parser)]
#[command(version, propagate_version = true)]
pub(crate) struct Args {
    /// No progress bars and no summaries on stderr; errors are still told
    #[arg(long, short, global = true)]
    quiet: bool,
    #[command(subcommand)]
    pub(crate) command: Command,
}

impl Args {
    /// Whether to talk on stderr.
    pub(crate) fn talk(&self) -> bool {
        !self.quiet
    }
}

#[allow(clippy::large_enum_variant, reason = "one value a run")]
#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Do the main job on a bundled site that is served on loopback, and show what came out
    Demo(Demo),
    /// Crawl a site, learn its model and mine every page; goes on where an earlier run stopped
    Crawl(Crawl),
    /// Take pages from WARC files, mirror directories or JSON lines instead of the network
    Import(Import),
    /// Mine every page of a store again
    Mine(Mine),
    /// Write what mining found on a site as CSS selectors, for pages of the site that were not crawled
    #[command(after_long_help = RULES_HELP)]
    Rules(Rules),
    /// Make the models anew from the archived pages
    Rebuild(Rebuild),
    /// Recount every archived page and compare with the model
    Verify(Which),
    /// Write one document a page, for a search engine, a spreadsheet or a retrieval pipeline
    #[command(after_long_help = EXPORT_HELP)]
    Export(Export),
    /// Search an index that `export --format tantivy` wrote
    #[command(after_long_help = SEARCH_HELP)]
    Search(Search),
    /// Write the main content of single pages, without a store
    #[command(after_long_help = EXTRACT_HELP)]
    Extract(Extract),
    /// Write the records of list pages, without a store: what a person would call "the list", item by item
    #[command(after_long_help = RECORDS_HELP)]
    Records(Records),
    /// Show why each block of a page was chosen or not, the lists of a file, and the coverage tree
    Inspect(Inspect),
    /// Write a site as pages for a browser: what it holds, what was kept and why
    #[command(after_long_help = REPORT_HELP)]
    Report(Report),
    /// Show the report of a store in a browser, and as JSON; reads only
    #[command(after_long_help = SERVE_HELP)]
    Serve(Serve),
    /// List the sites of a store
    Sites(Sites),
    /// Print completions for a shell
    Completions {
        /// Which shell
        shell: Shell,
    },
}

/// The completions of a shell.
pub(crate) fn completions(shell: Shell) -> Vec<u8> {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut Args::command(), "wisdom", &mut script);
    script
}

#[derive(Debug, ClapArgs)]
pub(crate) struct StoreArgs {
    /// The store directory
    #[arg(long, value_name = "DIR", default_value = "wisdom-store")]
    pub(crate) store: PathBuf,
    /// Memory for the open site's tables, in MiB
    #[arg(long, value_name = "MIB", default_value_t = 256, value_parser = clap::value_parser!(u32).range(4..))]
    pub(crate) cache_mb: u32,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct TermArgs {
    /// Count numbers as terms
    #[arg(long)]
    pub(crate) keep_numbers: bool,
    /// A directory of stop-word lists (en.txt, zh.txt, ...) that replace the shipped ones of their languages
    #[arg(long, value_name = "DIR")]
    pub(crate) stopwords: Option<PathBuf>,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct Demo {
    /// Keep the demo's store in this directory [default: a new directory for temporary files]
    #[arg(long, value_name = "DIR")]
    pub(crate) store: Option<PathBuf>,
    /// Mining method
    #[arg(long, value_enum, default_value_t = MethodArg::Auto)]
    pub(crate) method: MethodArg,
}

#[allow(clippy::struct_excessive_bools, reason = "each is a flag of the command line")]
#[derive(Debug, ClapArgs)]
pub(crate) struct Crawl {
    /// The entrance of the site; its host is the site
    #[arg(long, value_name = "URL")]
    pub(crate) site: String,
    /// Links from the entrance at most
    #[arg(long, value_name = "N", default_value_t = 3)]
    pub(crate) depth: u32,
    #[command(flatten)]
    pub(crate) store: StoreArgs,
    /// Pages at most, over the whole crawl
    #[arg(long, value_name = "N")]
    pub(crate) limit: Option<u64>,
    /// Bytes of a page at most, after decompression
    #[arg(long, value_name = "BYTES", default_value_t = 10 << 20)]
    pub(crate) max_bytes: usize,
    /// Requests in flight at most
    #[arg(long, value_name = "N", default_value_t = 4, value_parser = clap::value_parser!(u16).range(1..=256))]
    pub(crate) concurrency: u16,
    /// Milliseconds between two requests [default: 250, or 0 on loopback and private networks]
    #[arg(long, value_name = "MS")]
    pub(crate) delay: Option<u64>,
    /// Seconds for one response, from the first byte to the last
    #[arg(long, value_name = "SECONDS", default_value_t = 20.0)]
    pub(crate) timeout: f64,
    /// The User-Agent header; its first word is the name looked for in robots.txt
    #[arg(long, value_name = "TEXT")]
    pub(crate) user_agent: Option<String>,
    /// Also crawl the hosts below the site's
    #[arg(long)]
    pub(crate) subdomains: bool,
    /// Ask only for URLs that match: a glob over path or URL, or re: and a regular expression
    #[arg(long, value_name = "PATTERN")]
    pub(crate) include: Vec<String>,
    /// Do not ask for URLs that match
    #[arg(long, value_name = "PATTERN")]
    pub(crate) exclude: Vec<String>,
    /// Pass over robots.txt, robots metas and nofollow; for sites of your own
    #[arg(long)]
    pub(crate) ignore_robots: bool,
    /// Do not read sitemaps
    #[arg(long)]
    pub(crate) no_sitemap: bool,
    /// A further request header
    #[arg(long, value_name = "NAME: VALUE")]
    pub(crate) header: Vec<String>,
    /// Cookies for the site
    #[arg(long, value_name = "A=1; B=2")]
    pub(crate) cookie: Option<String>,
    /// An HTTP or HTTPS proxy
    #[arg(long, value_name = "URL")]
    pub(crate) proxy: Option<String>,
    /// Delete what the store holds of the site, and begin anew
    #[arg(long)]
    pub(crate) fresh: bool,
    /// Crawl and learn only
    #[arg(long)]
    pub(crate) no_mine: bool,
    /// Show the crawl in a browser while it runs, as `wisdom serve` does
    #[arg(long, value_name = "ADDR:PORT", num_args = 0..=1, default_missing_value = LISTEN)]
    pub(crate) serve: Option<SocketAddr>,
    #[command(flatten)]
    pub(crate) terms: TermArgs,
    #[command(flatten)]
    pub(crate) mining: MiningArgs,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct Import {
    /// WARC files, mirror directories (with --site) or JSON lines of {"url","file"} or {"url","html"}
    #[arg(required = true, value_name = "INPUT")]
    pub(crate) inputs: Vec<PathBuf>,
    #[command(flatten)]
    pub(crate) store: StoreArgs,
    /// The URL that a mirror directory stands for; of other inputs, only pages of its host are taken
    #[arg(long, value_name = "URL")]
    pub(crate) site: Option<String>,
    /// What the pages will be mined by: for auto they are looked at while they are in memory, so that mining reads few again
    #[arg(long, value_enum, default_value_t = MethodArg::Auto)]
    pub(crate) method: MethodArg,
    #[command(flatten)]
    pub(crate) terms: TermArgs,
}

/// A store, and perhaps one site of it.
#[derive(Debug, ClapArgs)]
pub(crate) struct Which {
    #[command(flatten)]
    pub(crate) store: StoreArgs,
    /// Only this site: a host, host:port or URL [default: all sites]
    #[arg(long, value_name = "HOST")]
    pub(crate) site: Option<String>,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct Mine {
    #[command(flatten)]
    pub(crate) which: Which,
    #[command(flatten)]
    pub(crate) mining: MiningArgs,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct MiningArgs {
    /// Mining method [default: auto; inspect of a stored page: the one that mined it]
    #[arg(long, value_enum)]
    pub(crate) method: Option<MethodArg>,
    /// Blocks of one kind that k-MIB selects on a page [paper and wisdom: 1]
    #[arg(long, value_name = "N")]
    pub(crate) k: Option<usize>,
    /// SII threshold, 0 to 1 [paper: 0.8, wisdom: 0.5]
    #[arg(long, value_name = "X")]
    pub(crate) st: Option<f64>,
    /// Type constraint of articles: CII must reach 1 less this [paper: 0.8, wisdom: 0.9]
    #[arg(long, value_name = "X")]
    pub(crate) tc_article: Option<f64>,
    /// Type constraint of tables of contents: mean API must reach this [paper and wisdom: 1.25]
    #[arg(long, value_name = "X")]
    pub(crate) tc_toc: Option<f64>,
    /// Nonsingleton ancestors that k-CSTM climbs [paper and wisdom: 1]
    #[arg(long, value_name = "N")]
    pub(crate) cstm: Option<usize>,
    /// The feature that tables of contents are searched by
    #[arg(long, value_enum)]
    pub(crate) toc_feature: Option<TocFeature>,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum MethodArg {
    /// Each page judged by itself and by what its site repeats
    Auto,
    /// WISDOM with its gaps closed
    Wisdom,
    /// WISDOM as published
    Paper,
}

impl From<MethodArg> for Method {
    fn from(method: MethodArg) -> Self {
        match method {
            MethodArg::Auto => Self::Auto,
            MethodArg::Wisdom => Self::Wisdom,
            MethodArg::Paper => Self::Paper,
        }
    }
}

#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum TocFeature {
    /// Anchor precision index
    Api,
    /// Length of anchor text, for sites where most API are 0
    Alen,
}

const RULES_HELP: &str = "\
The file is one JSON object: format, site, pages (mined pages that the rules were measured on) and rules, in the order in which
they are to be tried. Of each kind the first rule that selects something is the page's. A rule holds

  name     article-1, toc-1, ...
  kind     article: select names the elements that hold the article; toc: select names the links of a table of contents
  select   selectors, each as css and as xpath, from the document on; all that match any of them, nested ones once
  exclude  the same: what is dropped, with all that is in it
  support  matches: pages on which it is the rule of its kind; pages: of these, pages that mining says are of the kind;
           confidence: how well it agrees with mining, as mean F1 of words (article, over pages) or of links (toc, over matches)
  example  the address of a page that it fits

Rules with a confidence under 0.9 (article) or 0.8 (toc), or that fit fewer than three pages, are left out. The site must have been mined by auto.

  wisdom rules --store docs --out rules.json
  wisdom extract --rules rules.json --format jsonl new/

In Scrapy, drop what exclude matches and read what select matches:

  for selector in rule[\"exclude\"]:
      for element in response.xpath(selector[\"xpath\"]):
          element.drop()
  texts = [response.xpath(selector[\"xpath\"]) for selector in rule[\"select\"]]

In a browser: document.querySelectorAll(selector.css).

The file may be written or changed by hand: name, kind and select with css are enough. Selectors are made of tags, #ids and
.classes, joined by blanks or >; others are refused.";

#[derive(Debug, ClapArgs)]
pub(crate) struct Rules {
    #[command(flatten)]
    pub(crate) which: Which,
    /// Output file, replaced when all is done [default: stdout]
    #[arg(long, value_name = "FILE")]
    pub(crate) out: Option<PathBuf>,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct Rebuild {
    #[command(flatten)]
    pub(crate) which: Which,
    #[command(flatten)]
    pub(crate) terms: TermArgs,
}

const EXPORT_HELP: &str = "\
  wisdom export --out pages.jsonl
  wisdom export --format opensearch --push http://localhost:9200/pages
  wisdom export --format opensearch --out bulk/       bulk/part-00001.ndjson, ... each for POST /pages/_bulk
  wisdom export --format meilisearch --out pages.ndjson
  wisdom export --format typesense --out pages.jsonl
  wisdom export --format vespa --vespa-type site:page | vespa feed -
  wisdom export --format chunks --chunk-tokens 300 --type article --out passages.jsonl
  wisdom export --format markdown --out pages/
  wisdom export --format tantivy --out index/         for wisdom search --index index/ QUERY
  wisdom export --format parquet --out tables/        documents, blocks, links, records, terms
  wisdom export --format csv --fields url,title,date,text --out pages.csv
  wisdom export --format warc --lang zh --out zh.warc.gz
  wisdom export --format sitemap --site example.com --out sitemap.xml
  wisdom export --format opensearch --push http://localhost:9200/pages --changed

Fields are id, url, final_url, site, fetched_at, status, depth, title, lang, charset, page_type, text, article, toc, blocks, records,
duplicate_of, method, warnings, and in short for parts of article and toc: date, author, html, markdown, links. jsonl has all but the
short ones by default; engines and csv get id, url, site, title, lang, page_type, text, date, author, fetched_at, depth, duplicate_of;
engines always get id. A field that a page does not have is left out (csv: empty).

A file takes its place when it is complete; so do numbered parts, all together, and a folder (markdown, tantivy, parquet), which
replaces an earlier export's with whatever files were put into that, unless it holds hidden names of others (.git). With --changed a
markdown folder that is there is brought up to date, each file by itself, and an index (tantivy) in one commit. Tables (parquet)
hold the changes, with removed.parquet for deletions.

--changed keeps what was sent per sink in STORE/.exports, and notes it when the sink has finished; what others see at once (a
server, stdout, a folder that is there) is noted before it goes, so that a run after an interrupted one makes up for it. What a page
says must have changed (title, language, type, text, article, links, lists), not its scores or when it was fetched. Documents whose
pages are gone, or do not pass the filters any more, are deleted: by delete actions (opensearch), remove (vespa), lines with
\"deleted\":true (jsonl, chunks), removed files (markdown), else by ids in OUT.deleted (meilisearch: a JSON array for
documents/delete-batch; typesense and csv: one a line). A file holds the last changes only, so hand it on before the next export.

--push sends bodies again on 408, 429, 502, 503, 504 and broken connections, with growing pauses or as long as Retry-After says; single
documents on 429 and 503; 413 halves a body. Documents that are rejected are named with the reason on stderr.

Exit codes: 0 done, 1 done but some pages could not be read or some documents were rejected, 2 could not run or was given up.";

/// When an export was last asked for, as a time.
fn since(text: &str) -> Result<u64, String> {
    let whole = if text.len() == 10 { format!("{text}T00:00:00Z") } else { text.to_owned() };
    let time = humantime::parse_rfc3339_weak(&whole)
        .map_err(|_| "write 2026-01-31 or 2026-01-31T12:00:00Z, in UTC".to_owned())?;
    Ok(time.duration_since(std::time::UNIX_EPOCH).map_or(0, |since| since.as_secs()))
}

#[derive(Debug, ClapArgs)]
pub(crate) struct Export {
    #[command(flatten)]
    pub(crate) which: Which,
    /// Output format
    #[arg(long, value_enum, default_value_t = Format::Jsonl)]
    pub(crate) format: Format,
    /// Output file or folder, replaced when the export is complete; for lines also a folder/ or a name with {} for numbered parts [default: stdout]
    #[arg(long, value_name = "PATH")]
    pub(crate) out: Option<PathBuf>,
    /// Only pages of these types
    #[arg(long = "type", value_enum, value_name = "TYPE", value_delimiter = ',')]
    pub(crate) types: Vec<PageTypeArg>,
    /// Only pages in these languages, by their ISO 639 codes
    #[arg(long, value_name = "CODE", value_delimiter = ',')]
    pub(crate) lang: Vec<String>,
    /// Only pages fetched on this day (UTC) or later
    #[arg(long, value_name = "DATE", value_parser = since, conflicts_with = "changed")]
    pub(crate) since: Option<u64>,
    /// Only what changed since the last --changed export of this format to this place, and deletions
    #[arg(long)]
    pub(crate) changed: bool,
    /// Only these fields, in this order
    #[arg(long, value_name = "NAME", value_delimiter = ',')]
    pub(crate) fields: Vec<String>,
    /// MiB of a part or of a pushed body at most, unless one document alone has more [default: 10]
    #[arg(long, value_name = "MIB", value_parser = clap::value_parser!(u64).range(1..=2000))]
    pub(crate) bulk_mb: Option<u64>,
    /// Send to this server (opensearch): the URL of an index, with user:password where needed
    #[arg(long, value_name = "URL", conflicts_with = "out")]
    pub(crate) push: Option<String>,
    /// A further header of what is pushed; @FILE reads headers from a file, one a line
    #[arg(long, value_name = "NAME: VALUE", requires = "push")]
    pub(crate) push_header: Vec<String>,
    /// Trust the certificates in this file (PEM) beside those of the system
    #[arg(long, value_name = "FILE", requires = "push")]
    pub(crate) push_ca: Option<PathBuf>,
    /// The index to name in each action (opensearch) [default: none, that of the URL]
    #[arg(long, value_name = "NAME")]
    pub(crate) index: Option<String>,
    /// Namespace and document type (vespa) [default: wisdom:page]
    #[arg(long, value_name = "NAMESPACE:TYPE")]
    pub(crate) vespa_type: Option<String>,
    /// Tokens of a passage at most (chunks) [default: 300]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(8..=100_000))]
    pub(crate) chunk_tokens: Option<u32>,
    /// Tokens that a passage repeats of the one before, at most half of its own (chunks) [default: 0]
    #[arg(long, value_name = "N")]
    pub(crate) chunk_overlap: Option<u32>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum PageTypeArg {
    Article,
    Toc,
    Other,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    /// One JSON document a line
    Jsonl,
    /// Bodies of _bulk requests, as opensearch and elasticsearch take them
    Opensearch,
    /// One JSON document a line, for Meilisearch
    Meilisearch,
    /// One JSON document a line, for Typesense
    Typesense,
    /// Put and remove operations of Vespa, one a line
    Vespa,
    /// Comma-separated values
    Csv,
    /// A folder with a Markdown file a page, with YAML front matter
    Markdown,
    /// Passages of text with their headings, one JSON object a line
    Chunks,
    /// The pages as they are stored
    Warc,
    /// A sitemap of the pages that say something
    Sitemap,
    /// A folder with a search index of tantivy, for `wisdom search` and programs of your own
    Tantivy,
    /// A folder of tables for databases and data frames: documents, blocks, links, records, terms
    Parquet,
}

const SEARCH_HELP: &str = "\
Every word must be on a page, in its title, its text or the texts of the links that it lists; \"words in quotes\" must stand
there together, and -word must not. Stop words count in quotes only, or where there is nothing else. What a site repeats on its
pages, such as menus, is in no index, so it is not found.

Words are looked for as the language of each page is read: stems, no case, no accents; Chinese in words, traditional or
simplified; Japanese, Korean, Thai and their like in pairs of characters. Without --lang a query is read in each way in which
the pages of the index are read. With --lang only pages of that language are searched.

Pages that say the same (duplicate_of) are shown once: the best match, and the addresses of the others that were met.

--json: one object a hit: rank, score, url, title, site, lang, page_type, date, snippet (pieces of text; hit tells which are
what was looked for), copies.

  wisdom export --format tantivy --out index
  wisdom search --index index 'harbour lamp'
  wisdom search --index index --lang zh --limit 3 --json 灯塔

The files of the index are checked against their sums first. Exit codes: 0 done, also where nothing is found, 2 could not run.";

#[derive(Debug, ClapArgs)]
pub(crate) struct Search {
    /// What to look for
    #[arg(required = true, value_name = "QUERY")]
    pub(crate) query: Vec<String>,
    /// The folder of the index
    #[arg(long, value_name = "DIR")]
    pub(crate) index: PathBuf,
    /// Pages shown at most
    #[arg(long, value_name = "N", default_value_t = 10, value_parser = clap::value_parser!(u16).range(1..=1000))]
    pub(crate) limit: u16,
    /// Search pages of this language only, and read the query so
    #[arg(long, value_name = "CODE")]
    pub(crate) lang: Option<String>,
    /// One JSON object a hit
    #[arg(long)]
    pub(crate) json: bool,
}

const EXTRACT_HELP: &str = "\
jsonl: one object a page, in the order of the inputs: id (the file's name without extension; stdin for -), file, text,
title, lang, charset, page_type, method, and what the page says of itself: date, author, site_name, description,
canonical, image. A page that cannot be read gives {\"id\",\"file\",\"error\"} in its place. With --rules, method is rules where a
rule fits and rule names it, and toc holds the rule and the links (url, text) where a rule for tables of contents fits; links
are as the page writes them unless --url tells its address.

text, markdown, html: a single page as it is; of several, each after a line that names it, as head and tail do:
==> FILE <== in text, <!-- FILE --> in Markdown and HTML, with an empty line between pages. HTML is a fragment: what
stands in a body.

Of a directory, and the directories below it, the files *.html, *.htm, *.xhtml, *.xht, *.shtml, these with .gz, and files
without extension that begin like HTML, sorted by path; hidden ones are passed over. Files that are named are read whatever
their extension, and unpacked where they are gzip.

Exit codes: 0 done, 1 done but some pages could not be read, 2 no page could be read.";

#[derive(Debug, ClapArgs)]
pub(crate) struct Extract {
    /// HTML files, directories, or - for stdin
    #[arg(required = true, value_name = "PATH")]
    pub(crate) paths: Vec<PathBuf>,
    /// How the main content is found
    #[arg(long, value_enum, default_value_t = ExtractMethod::Auto)]
    pub(crate) method: ExtractMethod,
    /// Rules of the pages' site, written by `wisdom rules`; pages that none of them fits are extracted by auto
    #[arg(long, value_name = "FILE")]
    pub(crate) rules: Option<PathBuf>,
    /// Output format
    #[arg(long, value_enum, default_value_t = ExtractFormat::Text)]
    pub(crate) format: ExtractFormat,
    /// Pages at once [default: one a processor core]; the output is the same
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub(crate) jobs: Option<u16>,
    /// Write the headline at the head of the content
    #[arg(long)]
    pub(crate) with_title: bool,
    /// Keep readers' comments; not with --method econ, which knows of none
    #[arg(long)]
    pub(crate) comments: bool,
    /// The address of the page, against which its links are made absolute; for a single page
    #[arg(long, value_name = "URL")]
    pub(crate) url: Option<String>,
    /// Output file, replaced when all is done [default: stdout]
    #[arg(long, value_name = "PATH")]
    pub(crate) out: Option<PathBuf>,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum ExtractMethod {
    /// A learned classifier of blocks: all kinds of page, all languages
    Auto,
    /// ECON as published: news pages, by their punctuation
    Econ,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum ExtractFormat {
    /// Plain text, one block a line
    Text,
    /// One JSON object a page
    Jsonl,
    /// Markdown
    Markdown,
    /// Clean HTML
    Html,
}

const RECORDS_HELP: &str = "\
jsonl: one object a page, in the order of the inputs: id (the file's name without extension; stdin for -), file, regions:
the lists of the page, the best first, each with method, path (a CSS selector), score, records (text, items), columns (kind:
text, link, image, price, date or number; name) and table (rows of cells). A page that cannot be read gives
{\"id\",\"file\",\"error\"} in its place.

csv: the best list as RFC 4180, a row of names and then a row a record. Of several pages each has its own row of names, and
the first column tells the page. An apostrophe is put before cells that a spreadsheet would run as a formula. table: the same
for people, as wide as the terminal. Of both, --region N takes the Nth list instead.

By --method net a record with nested ones has a row for each of these, and no items of its own. An ontology is lines of a word
and its value: ontology NAME first, then object NAME for each thing a record may state, and below it relation one-to-one or
relation functional, keyword REGEX or value REGEX, and type NAME. It votes where three of its objects have a relation and a
pattern, and these are a fifth of its objects at most.

Inputs are read as by `wisdom extract`.

Exit codes: 0 done, 1 done but some pages could not be read, 2 no page could be read.";

#[derive(Debug, ClapArgs)]
pub(crate) struct Records {
    /// HTML files, directories, or - for stdin
    #[arg(required = true, value_name = "PATH")]
    pub(crate) paths: Vec<PathBuf>,
    /// How records are found
    #[arg(long, value_enum, default_value_t = RecordsMethod::Auto)]
    pub(crate) method: RecordsMethod,
    /// What the records are about, for --method embley: a file, or one of obituaries, car-ads, job-ads and courses
    #[arg(long, value_name = "FILE|NAME")]
    pub(crate) ontology: Option<PathBuf>,
    /// Output format
    #[arg(long, value_enum, default_value_t = RecordsFormat::Jsonl)]
    pub(crate) format: RecordsFormat,
    /// The list to write, from 1, the best; csv and table only
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=1000))]
    pub(crate) region: u16,
    /// Pages at once [default: one a processor core]; the output is the same
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub(crate) jobs: Option<u16>,
    /// Output file, replaced when all is done [default: stdout]
    #[arg(long, value_name = "PATH")]
    pub(crate) out: Option<PathBuf>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum RecordsMethod {
    /// Lists of all shapes, the one that a person would call "the list" first
    Auto,
    /// MDR as published: neighbours with similar strings of tags
    Mdr,
    /// MDR with two repairs: no heading or advert glues records together
    MdrRepaired,
    /// NET as published: records by matching trees, nested ones too, in a row each
    Net,
    /// Embley, Jiang and Ng as published: one tag divides the page; an ontology may vote
    Embley,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum RecordsFormat {
    /// One JSON object a page, with all lists
    Jsonl,
    /// The best list as comma-separated values
    Csv,
    /// The best list as a table for the terminal
    Table,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct Inspect {
    /// A page of the store by its URL; without --store, an HTML file or - for stdin
    #[arg(value_name = "URL|PATH")]
    pub(crate) page: String,
    /// The store directory
    #[arg(long, value_name = "DIR")]
    pub(crate) store: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) mining: MiningArgs,
}

const REPORT_HELP: &str = "\
Open index.html of the folder in a browser: overview, pages, terms by entropy, what the site repeats, learned rules; and for each
page what it says beside what was kept of it, why, its records and its coverage tree. Nothing is asked of any server, so that the
folder can be moved, packed and mailed. The script of the pages only sorts, filters and folds.

The folder is written beside its place (DIR.part) and then moved there. An earlier report is replaced, any other folder that is not
empty is refused.

  wisdom report --store docs --out docs-report
  wisdom report --store docs --site example.com --pages 100 --out report

Exit codes: 0 done, 1 done but some pages could not be read, 2 could not run.";

#[derive(Debug, ClapArgs)]
pub(crate) struct Report {
    #[command(flatten)]
    pub(crate) which: Which,
    /// The folder to write
    #[arg(long, value_name = "DIR")]
    pub(crate) out: PathBuf,
    /// Pages of a site that have a page of their own in the report at most: some of each type and kind of address, those
    /// closest to the entrance first
    #[arg(long, value_name = "N", default_value_t = 1000)]
    pub(crate) pages: usize,
}

const SERVE_HELP: &str = "\
The pages are those of `wisdom report`, made when they are asked for. What they say is there as JSON as well; /openapi.json describes
it. There are GET and HEAD and nothing else.

A store is for one process at a time. `serve` opens a site when it is asked for and lets go of it after some seconds without a
request, so that other commands can work in between; a site that another process works on is answered with 503. To watch a crawl,
have the crawl itself serve: `wisdom crawl --serve`.

It listens on this machine only unless --listen says otherwise; then everyone who reaches the address can read the store. It must
be asked by an address, by localhost or by a name given with --host. Ctrl-C ends it.

  wisdom serve --store docs
  wisdom serve --store docs --site example.com --listen 127.0.0.1:9000
  curl http://127.0.0.1:8090/api/sites/example.com/documents?limit=10";

#[derive(Debug, ClapArgs)]
pub(crate) struct Serve {
    #[command(flatten)]
    pub(crate) which: Which,
    /// Where to listen; port 0 takes a free one
    #[arg(long, value_name = "ADDR:PORT", default_value = LISTEN)]
    pub(crate) listen: SocketAddr,
    /// A name that the server may be asked by, beside addresses and localhost; may be repeated
    #[arg(long, value_name = "NAME")]
    pub(crate) host: Vec<String>,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct Sites {
    #[command(flatten)]
    pub(crate) store: StoreArgs,
}
