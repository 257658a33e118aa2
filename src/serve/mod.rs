//! The report of a store over HTTP, and what it says as JSON: [`serve`].
//!
//! Pages are those of [`report`](crate::report), made when they are asked for. Nothing can be written: there are GET and HEAD, and
//! nothing else. The server is for its own machine. Binding it elsewhere is the caller's decision; who asks must name it by an
//! address, by `localhost` or by a name that it was given, so that no page of the web can have a browser ask it under a name
//! of its own (DNS rebinding).
mod api;
mod guard;
mod routes;
mod source;

pub use source::Source;

use std::future::Future;
use std::io;
use std::sync::Arc;
use tokio::net::TcpListener;

/// What a server answers with, and to whom.
#[derive(Debug)]
pub struct Server {
    source: Source,
    /// Names, beside addresses and `localhost`, that it may be asked by; in lower case.
    names: Vec<String>,
}

/// Answers requests until `stop` is done; then finishes those that are being answered. `names` are hosts, beside addresses and
/// `localhost`, that it may be asked by.
///
/// # Errors
/// When the listener fails.
pub async fn serve(
    listener: TcpListener,
    source: Source,
    names: &[String],
    stop: impl Future<Output = ()> + Send + 'static,
) -> io::Result<()> {
    let names = names.iter().map(|name| name.to_ascii_lowercase()).collect();
    let server = Arc::new(Server { source, names });
    let release = tokio::spawn(release(Arc::clone(&server)));
    let served = axum::serve(listener, routes::routes(server)).with_graceful_shutdown(stop).await;
    release.abort();
    served
}

/// Lets go of sites that nobody has asked for lately, so that other processes can work on them.
async fn release(server: Arc<Server>) {
    let mut clock = tokio::time::interval(source::IDLE / 4);
    loop {
        clock.tick().await;
        server.source.release();
    }
}
