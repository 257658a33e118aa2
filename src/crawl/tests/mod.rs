//! The crawl against servers on loopback: what a site is made of, and what goes wrong.
mod faults;
mod server;
mod walks;
