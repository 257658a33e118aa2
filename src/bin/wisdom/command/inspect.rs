//! `wisdom inspect`.

use super::{Ended, mine_options, print};
use crate::args::Inspect;
use anyhow::{Context, Result};
use std::io::Read;
use url::Url;
use wisdom::page::Page;
use wisdom::pipeline::{inspect_extraction, inspect_file, inspect_stored};
use wisdom::store::{Store, StoreOptions, site_key};
use wisdom::terms::TermOptions;
use wisdom::urls::parse_normalized;

pub(crate) fn run(args: &Inspect) -> Result<Ended> {
    let options = mine_options(&args.mining)?;
    let shown = match (&args.store, parse_normalized(&args.page)) {
        (Some(store), Some(url)) => stored(store, &url, &options)?,
        (Some(_), None) => anyhow::bail!("{} is no URL; with --store, name a page by its URL", args.page),
        (None, Some(url)) => stored("wisdom-store".as_ref(), &url, &options)?,
        (None, None) => {
            let page = file(&args.page)?;
            inspect_extraction(&page) + "\n" + &inspect_file(&page, &TermOptions::default(), &options)
        }
    };
    print(shown.as_bytes())
}

fn stored(store: &std::path::Path, url: &Url, options: &wisdom::pipeline::MineOptions) -> Result<String> {
    let store = Store::open(store, StoreOptions::default())?;
    let site = store.site(&site_key(url)?)?;
    let shown = inspect_stored(&site, url.as_str(), options)?;
    site.close()?;
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
