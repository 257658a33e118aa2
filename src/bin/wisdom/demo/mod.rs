//! The bundled demo: a small newspaper that does not exist, served from inside the binary on loopback.
//!
//! The demo exists so that the whole of the program can be tried without a network and judged against a known truth.
//! `content` reads the text files under `site/`, `template` fills the HTML files under `site/templates/`, `site` makes
//! routes and the expected result from both, and `server` answers requests for the routes. Nothing here knows how pages
//! are crawled or mined.

pub(crate) mod server;
pub(crate) mod site;

mod content;
mod template;
