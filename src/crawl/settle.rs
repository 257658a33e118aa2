//! From an answer to an outcome: what is kept, and where it leads.

use std::time::{SystemTime, UNIX_EPOCH};

use url::Url;

use super::announce::Announcer;
use super::errand::{Finished, Got, Parsed, read_page};
use super::fetch::{Body, Reply};
use super::frontier::Waiting;
use super::opening::is_redirect;
use super::visit::{EntranceTrouble, Memory, Outcome};
use crate::dom::RobotsMeta;
use crate::page::{Fate, Page, QueueEntry, Source};
use crate::urls::{identity, normalize, parse_normalized};

/// Redirects in a row that are followed; browsers stop at 20.
const MAX_HOPS: u8 = 10;

/// What follows from a finished errand.
#[derive(Debug)]
pub(crate) enum Settled {
    /// Ask again without conditions: the stored page is lost.
    AskAgain,
    /// A visit.
    Done {
        outcome: Outcome,
        discovered: Vec<QueueEntry>,
        /// What to say if this was the entrance.
        trouble: Option<EntranceTrouble>,
        /// Links refused as traps.
        trapped: u64,
    },
}

/// Settles an errand that is not to be tried again.
pub(crate) fn settle(
    finished: Finished,
    memory: &Memory<'_>,
    ignore_robots: bool,
    announcer: &mut Announcer,
) -> Settled {
    let Finished { waiting, conditional, got, .. } = finished;
    match got {
        Got::Refused(reason) => done(Fate::Skipped { reason }),
        Got::Failed(error) => done(Fate::Failed { status: None, reason: error.to_string() }),
        Got::Page(reply, body, parsed) => page(&waiting, reply, body, *parsed, ignore_robots, announcer),
        Got::Reply(reply) if reply.status == 304 && conditional => {
            let Some(stored) = (memory.stored)(&waiting.entry.url) else { return Settled::AskAgain };
            let parsed = read_page(&stored.body, stored.header("content-type"), &waiting.url);
            let robots = robots_of(&parsed, &stored.headers, ignore_robots);
            let _ = announcer.traps.learn(&waiting.url, referrer(&waiting).as_ref(), parsed.said);
            let (discovered, trapped) = follow(&waiting, &parsed, robots, ignore_robots, announcer);
            Settled::Done { outcome: Outcome::NotModified, discovered, trouble: None, trapped }
        }
        Got::Reply(reply) => answer(&waiting, reply, announcer),
    }
}

fn done(fate: Fate) -> Settled {
    let trouble = match &fate {
        Fate::Redirect { .. } => None,
        Fate::Gone { status } => Some(EntranceTrouble::Gone(*status)),
        Fate::Skipped { reason } | Fate::Failed { reason, status: None } => {
            Some(EntranceTrouble::Other(reason.clone()))
        }
        Fate::Failed { status: Some(status), reason } => {
            Some(EntranceTrouble::Other(format!("status {status}, {reason}")))
        }
    };
    Settled::Done { outcome: Outcome::None(fate), discovered: Vec::new(), trouble, trapped: 0 }
}

fn failed(status: u16, reason: impl Into<String>) -> Settled {
    done(Fate::Failed { status: Some(status), reason: reason.into() })
}

fn left_out(reason: String) -> Settled {
    done(Fate::Skipped { reason })
}

/// A response without a page.
fn answer(waiting: &Waiting, reply: Reply, announcer: &mut Announcer) -> Settled {
    let status = reply.status;
    match (status, reply.body) {
        (404 | 410, _) => done(Fate::Gone { status }),
        (200..=299, Body::NotPage(kind)) => {
            let settled = done(Fate::Skipped { reason: format!("not a page: {kind}") });
            with_trouble(settled, EntranceTrouble::NotHtml(kind))
        }
        (204 | 205, _) => done(Fate::Skipped { reason: "no content".to_owned() }),
        (304, _) => failed(status, "not modified, though nothing was known of it"),
        _ if is_redirect(status) => {
            let location = super::fetch::header(&reply.headers, "location").unwrap_or_default().trim().to_owned();
            match waiting.url.join(&location) {
                Ok(to) if !location.is_empty() => redirect(waiting, status, &to, &location, announcer),
                _ => left_out(format!("a redirect to nowhere ({location:?})")),
            }
        }
        (401 | 403 | 407 | 451, _) => failed(status, "access is denied"),
        (429, _) => failed(status, "too many requests, though asked ever more slowly"),
        (500..=599, _) => failed(status, "the server failed"),
        _ => failed(status, "an answer without a page"),
    }
}

fn with_trouble(settled: Settled, trouble: EntranceTrouble) -> Settled {
    match settled {
        Settled::Done { outcome, discovered, trapped, .. } => {
            Settled::Done { outcome, discovered, trouble: Some(trouble), trapped }
        }
        again @ Settled::AskAgain => again,
    }
}

fn redirect(waiting: &Waiting, status: u16, to: &Url, location: &str, announcer: &mut Announcer) -> Settled {
    if identity(to) == identity(&waiting.url) {
        return left_out("redirects to itself".to_owned());
    }
    if waiting.entry.hops >= MAX_HOPS {
        return left_out(format!("more than {MAX_HOPS} redirects in a row"));
    }
    let is_entrance = waiting.entry.depth == 0;
    if is_entrance {
        // The site by its other name (www., another port) is the site.
        announcer.scope.widen(to);
    }
    let hops = waiting.entry.hops + 1;
    let target = announcer.announce(to, &waiting.url, waiting.entry.depth, hops, Source::Redirect);
    let trouble = (is_entrance && !announcer.is_inside(to)).then(|| EntranceTrouble::MovedAway(to.to_string()));
    let to = parse_normalized(to.as_str()).map_or_else(|| location.to_owned(), String::from);
    let outcome = Outcome::None(Fate::Redirect { status, to });
    Settled::Done { outcome, discovered: target.into_iter().collect(), trouble, trapped: 0 }
}

/// A response with a page.
fn page(
    waiting: &Waiting,
    reply: Reply,
    body: Vec<u8>,
    parsed: Parsed,
    ignore_robots: bool,
    announcer: &mut Announcer,
) -> Settled {
    if matches!(reply.status, 204..=206) {
        return failed(reply.status, "only a part of a page, or none");
    }
    let robots = robots_of(&parsed, &reply.headers, ignore_robots);
    let twin = announcer.traps.learn(&waiting.url, referrer(waiting).as_ref(), parsed.said);
    // First of all a redirect: such pages often say noindex besides, and link to the target once more.
    let refresh = parsed.links.refresh.as_ref().filter(|to| identity(to) != identity(&waiting.url));
    let refresh = refresh.filter(|_| waiting.entry.hops < MAX_HOPS && !robots.nofollow);
    let moved = refresh.map(|to| redirect(waiting, reply.status, to, to.as_str(), announcer));
    let (discovered, trapped) = follow(waiting, &parsed, robots, ignore_robots, announcer);
    if let Some(Settled::Done { outcome, discovered: mut all, trouble, .. }) = moved {
        all.extend(discovered);
        return Settled::Done { outcome, discovered: all, trouble, trapped };
    }
    let skipped = if robots.noindex {
        Some("noindex: the page asks not to be stored".to_owned())
    } else {
        twin.filter(|_| waiting.entry.depth > 0)
            .map(|twin| format!("the same page as {twin} but for a session in the URL"))
    };
    if let Some(reason) = skipped {
        let trouble = Some(EntranceTrouble::Other(reason.clone()));
        return Settled::Done { outcome: Outcome::None(Fate::Skipped { reason }), discovered, trouble, trapped };
    }
    let page = Page {
        url: waiting.entry.url.clone(),
        status: reply.status,
        headers: reply.headers,
        body,
        depth: waiting.entry.depth,
        fetched_at: SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |d| d.as_secs()),
    };
    let outcome = Outcome::Page(Box::new(page), Box::new(parsed.dom));
    Settled::Done { outcome, discovered, trouble: None, trapped }
}

fn referrer(waiting: &Waiting) -> Option<Url> {
    waiting.entry.referrer.as_deref().and_then(|r| Url::parse(r).ok())
}

/// What the page asks of robots, in its metas and its `X-Robots-Tag` headers.
fn robots_of(parsed: &Parsed, headers: &[(String, String)], ignore: bool) -> RobotsMeta {
    if ignore {
        return RobotsMeta::default();
    }
    let mut robots = parsed.links.robots;
    for (_, value) in headers.iter().filter(|(name, _)| name == "x-robots-tag") {
        // "otherbot: noindex" is for another; a date after "unavailable_after:" is for nobody.
        match value.split_once(':') {
            Some((agent, rules)) if agent.trim().eq_ignore_ascii_case("wisdom") => robots.add(rules),
            Some((agent, _)) if !agent.contains([',', ' ']) && !agent.eq_ignore_ascii_case("unavailable_after") => {}
            _ => robots.add(value),
        }
    }
    robots
}

/// The entries for the links of a page that are new, in order, and how many links were refused as traps.
fn follow(
    waiting: &Waiting,
    parsed: &Parsed,
    robots: RobotsMeta,
    ignore_robots: bool,
    announcer: &mut Announcer,
) -> (Vec<QueueEntry>, u64) {
    let mut discovered = Vec::new();
    let mut trapped = 0;
    if robots.nofollow {
        return (discovered, trapped);
    }
    let from = normalize(&waiting.url);
    for link in &parsed.links.links {
        if (link.rel_nofollow && !ignore_robots) || !announcer.is_inside(&link.url) {
            continue;
        }
        if announcer.traps.refuses(&link.url, &from).is_some() {
            trapped += 1;
            continue;
        }
        // Frames are parts of the page that shows them, but a site of frames within frames has to end as well.
        let depth = waiting.entry.depth.saturating_add(1);
        discovered.extend(announcer.announce(&link.url, &from, depth, 0, Source::Link));
    }
    (discovered, trapped)
}
