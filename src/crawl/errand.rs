//! One entry's errand: rules of its host first, then the request, then parsing. Runs in a task of its own.

use std::net::IpAddr;
use std::sync::Arc;
use std::time::Duration;

use tokio::sync::OnceCell;
use url::Url;

use super::fetch::{Ask, Body, FetchError, Reply, Want, fetch};
use super::frontier::Waiting;
use super::opening::{Manner, is_redirect, robots_file};
use super::robots::Rules;
use super::scope::is_private;
use super::trap::{Sayings, sayings};
use super::visit::Validators;
use crate::dom::{Dom, PageLinks, decode, links_in};
use crate::urls::identity;

/// Redirects from a URL to another spelling of itself that are followed on the spot.
const SELF_REDIRECTS: usize = 4;

/// What is known of one host (scheme, name, port) before its pages are asked for.
#[derive(Clone, Debug)]
pub(crate) struct Gate {
    pub(crate) rules: Rules,
    /// Why nothing is allowed, if it is not the rules that say so.
    pub(crate) closed: Option<String>,
}

impl Gate {
    /// The reason for not asking for a URL, if any.
    pub(crate) fn refusal(&self, url: &Url) -> Option<String> {
        if let Some(reason) = &self.closed {
            return Some(reason.clone());
        }
        (!self.rules.allows(url)).then(|| FORBIDDEN.to_owned())
    }
}

/// The reason given for URLs that robots.txt forbids.
pub(crate) const FORBIDDEN: &str = "robots.txt forbids it";

/// A gate that the first errand to its host opens.
pub(crate) type SharedGate = Arc<OnceCell<Gate>>;

/// What an errand brought home.
#[derive(Debug)]
pub(crate) struct Finished {
    pub(crate) waiting: Waiting,
    /// Whether the request was conditional.
    pub(crate) conditional: bool,
    pub(crate) got: Got,
    /// The `Crawl-delay` of the host, if this errand learned it.
    pub(crate) crawl_delay: Option<Duration>,
}

/// The answer.
#[derive(Debug)]
pub(crate) enum Got {
    /// Not asked for.
    Refused(String),
    /// A response that is no page.
    Reply(Reply),
    /// A page; the body of the reply is taken out.
    Page(Reply, Vec<u8>, Box<Parsed>),
    /// No response.
    Failed(FetchError),
}

/// A page as read.
#[derive(Debug)]
pub(crate) struct Parsed {
    pub(crate) dom: Dom,
    pub(crate) links: PageLinks,
    pub(crate) said: Sayings,
}

/// Decodes and parses a body.
pub(crate) fn read_page(body: &[u8], content_type: Option<&str>, url: &Url) -> Parsed {
    let decoded = decode(body, content_type);
    let dom = Dom::parse(&decoded.text);
    let links = links_in(&dom, url, decoded.charset);
    let said = sayings(&dom);
    Parsed { dom, links, said }
}

/// Runs the errand.
pub(crate) async fn run(
    waiting: Waiting,
    validators: Option<Validators>,
    manner: Arc<Manner>,
    gate: SharedGate,
    with_robots: bool,
) -> Finished {
    let mut crawl_delay = None;
    let gate = gate
        .get_or_init(|| async {
            let gate = open_gate(&manner, &waiting.url, with_robots).await;
            crawl_delay = gate.rules.crawl_delay();
            gate
        })
        .await;
    let conditional = validators.as_ref().is_some_and(|v| v.etag.is_some() || v.last_modified.is_some());
    let got = match gate.refusal(&waiting.url) {
        Some(reason) => Got::Refused(reason),
        None => ask(&waiting.url, validators.as_ref(), &manner).await,
    };
    Finished { waiting, conditional, got, crawl_delay }
}

async fn ask(url: &Url, validators: Option<&Validators>, manner: &Manner) -> Got {
    let own = identity(url);
    let mut at = url.clone();
    let mut hops = 0;
    let mut reply = loop {
        let request = Ask {
            url: &at,
            etag: validators.and_then(|v| v.etag.as_deref()),
            last_modified: validators.and_then(|v| v.last_modified.as_deref()),
            max_bytes: manner.max_bytes,
            timeout: manner.timeout,
            want: Want::Page,
            trusted: true,
        };
        let reply = match fetch(&manner.client, &request).await {
            Ok(reply) => reply,
            Err(error) => return Got::Failed(error),
        };
        // The same page by another spelling: a cookie was set, or the server insists on a session in the URL. Our queue
        // knows only one spelling, so the other is followed here.
        let target = reply.header("location").filter(|_| is_redirect(reply.status)).and_then(|to| at.join(to).ok());
        match target {
            Some(to) if hops < SELF_REDIRECTS && identity(&to) == own => {
                hops += 1;
                // The same spelling again is worth one more request, with the cookie; then it is a loop.
                if to.as_str().split('#').next() == at.as_str().split('#').next() {
                    if reply.header("set-cookie").is_none() {
                        break reply;
                    }
                    hops = SELF_REDIRECTS;
                }
                at = to;
            }
            _ => break reply,
        }
    };
    match std::mem::replace(&mut reply.body, Body::Unread) {
        Body::Whole(body) => {
            let parsed = read_page(&body, reply.header("content-type"), url);
            Got::Page(reply, body, Box::new(parsed))
        }
        other => {
            reply.body = other;
            Got::Reply(reply)
        }
    }
}

async fn open_gate(manner: &Manner, url: &Url, with_robots: bool) -> Gate {
    if !manner.near && resolves_to_private(url).await {
        let closed = Some("the host has a private address".to_owned());
        return Gate { rules: Rules::disallow_all(), closed };
    }
    if !with_robots {
        return Gate { rules: Rules::allow_all(), closed: None };
    }
    match robots_file(manner, url, true).await {
        Ok(file) => Gate { rules: file.rules, closed: None },
        Err(trouble) => {
            let closed = Some(format!("{} cannot be had ({})", trouble.url, trouble.reason));
            Gate { rules: Rules::disallow_all(), closed }
        }
    }
}

/// The addresses of a URL's host, by the system's resolver.
pub(crate) async fn addresses(url: &Url) -> std::io::Result<Vec<IpAddr>> {
    match url.host() {
        Some(url::Host::Ipv4(v4)) => Ok(vec![v4.into()]),
        Some(url::Host::Ipv6(v6)) => Ok(vec![v6.into()]),
        Some(url::Host::Domain(name)) => {
            let port = url.port_or_known_default().unwrap_or(80);
            Ok(tokio::net::lookup_host((name, port)).await?.map(|a| a.ip()).collect())
        }
        None => Ok(Vec::new()),
    }
}

async fn resolves_to_private(url: &Url) -> bool {
    // What cannot be resolved here cannot be reached either, or a proxy resolves it; the request will tell.
    addresses(url).await.is_ok_and(|list| list.into_iter().any(is_private))
}
