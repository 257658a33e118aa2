//! `wisdom serve`, and the server beside a crawl.

use super::{Ended, keys, open};
use crate::args::Serve;
use anyhow::{Context, Result};
use std::net::SocketAddr;
use std::time::Duration;
use tokio::net::TcpListener;
use wisdom::serve::{Source, serve};

/// How long answers that are being made are waited for at the end.
const PATIENCE: Duration = Duration::from_secs(2);

pub(crate) fn run(args: &Serve, talk: bool) -> Result<Ended> {
    let store = open(&args.which.store)?;
    let only = if args.which.site.is_some() { Some(keys(&store, &args.which)?) } else { None };
    for key in only.iter().flatten() {
        // A site that is not there is told now, not to whoever asks.
        store.sizes(key)?;
    }
    let runtime = tokio::runtime::Runtime::new().context("cannot start the runtime")?;
    let served = runtime.block_on(async {
        let listener = listen(args.listen, talk).await?;
        let stop = async {
            // Where Ctrl-C cannot be heard, the process ends by it.
            if tokio::signal::ctrl_c().await.is_err() {
                std::future::pending::<()>().await;
            }
        };
        let server = serve(listener, Source::store(store, only), &args.host, stop);
        server.await.context("the server failed")
    });
    runtime.shutdown_timeout(PATIENCE);
    served.map(|()| Ended::Done)
}

/// Listens at an address, and says where.
pub(super) async fn listen(address: SocketAddr, talk: bool) -> Result<TcpListener> {
    let listener = TcpListener::bind(address)
        .await
        .with_context(|| format!("cannot listen on {address}; give another ADDR:PORT, or port 0 for a free one"))?;
    let address = listener.local_addr().context("cannot tell where the server listens")?;
    if !address.ip().is_loopback() {
        eprintln!("warning: {address} can be reached from elsewhere; whoever reaches it can read the store");
    }
    if talk {
        eprintln!("serving http://{address}/");
    }
    Ok(listener)
}
