//! `wisdom inspect`.

use super::{Ended, mine_options, print, store_flag};
use crate::args::{Inspect, MiningArgs};
use anyhow::{Context, Result};
use std::io::Read;
use std::path::Path;
use url::Url;
use wisdom::dom::is_obeyed;
use wisdom::page::Page;
use wisdom::pipeline::{Method, inspect_extraction, inspect_file, inspect_stored, mined_by};
use wisdom::store::{Store, StoreOptions, site_key};
use wisdom::terms::TermOptions;
use wisdom::urls::parse_normalized;

pub(crate) fn run(args: &Inspect) -> Result<Ended> {
    let shown = match (&args.store, parse_normalized(&args.page)) {
        (Some(store), Some(url)) => stored(store, &url, &args.mining)?,
        (Some(_), None) => anyhow::bail!("{} is no URL; with --store, name a page by its URL", args.page),
        (None, Some(url)) => stored("wisdom-store".as_ref(), &url, &args.mining)?,
        (None, None) => {
            let options = mine_options(&args.mining, Method::Auto)?;
            let page = file(&args.page)?;
            inspect_extraction(&page) + "\n" + &inspect_file(&page, &TermOptions::default(), &options)
        }
    };
    // Names and texts are the page's.
    print(shown.replace(|c| c != '\n' && is_obeyed(c), "\u{fffd}").as_bytes())
}

fn stored(store: &Path, url: &Url, args: &MiningArgs) -> Result<String> {
    let flag = store_flag(store);
    let store = Store::open(store, StoreOptions::default())?;
    let site = store.site(&site_key(url)?)?;
    let mined_by = mined_by(&site, url.as_str())?;
    let options = mine_options(args, mined_by.unwrap_or(Method::Auto))?;
    let shown = inspect_stored(&site, url.as_str(), &options)?;
    site.close()?;
    if mined_by.is_none() {
        let method = options.method.name();
        eprintln!("warning: the page is not mined, so shown as {method} would mine it: run wisdom mine{flag} first");
    }
    Ok(shown)
}

fn file(path: &str) -> Result<Page> {
    let mut body = Vec::new();
    if path == "-" {
        std::io::stdin().read_to_end(&mut body).context("cannot read stdin")?;
    } else {
        body = std::fs::read(path).with_context(|| format!("cannot read {path}"))?;
    }
    Ok(Page { url: path.to_owned(), status: 200, headers: Vec::new(), body, depth: 0, fetched_at: 0 })
}
