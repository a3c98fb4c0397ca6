//! Accepts terminals, up to a limit.

use std::{future::Future, sync::Arc, time::Duration};

use api::app::App;
use sip2::{Dialect, Trailer};
use tokio::{
    net::{TcpListener, TcpStream},
    sync::{OwnedSemaphorePermit, Semaphore},
    task::JoinSet,
};

use crate::{answers::status, connection::Connection, recent::Recent, settings::Settings};

/// How long to pause when the system cannot accept another connection.
const OUT_OF_ROOM: Duration = Duration::from_millis(100);

/// Serves terminals until `stop` completes; running transactions are finished and answered first.
pub async fn serve<S>(app: Arc<App>, listener: TcpListener, settings: Settings, stop: S)
where
    S: Future<Output = ()> + Send + Clone + 'static,
{
    let places = Arc::new(Semaphore::new(settings.terminals));
    let settings = Arc::new(settings);
    let recent = Arc::new(Recent::default());
    let mut terminals = JoinSet::new();
    loop {
        let accepted = tokio::select! {
            biased;
            () = stop.clone() => break,
            Some(_) = terminals.join_next() => continue,
            accepted = listener.accept() => accepted,
        };
        let (stream, peer) = match accepted {
            Ok(accepted) => accepted,
            Err(error) => {
                tracing::warn!(target: "carrel::sip2", %error, "no terminal could be accepted");
                tokio::time::sleep(OUT_OF_ROOM).await;
                continue;
            }
        };
        let Ok(place) = Arc::clone(&places).try_acquire_owned() else {
            tracing::warn!(target: "carrel::sip2", %peer, most = settings.terminals, "too many terminals");
            turn_away(&stream, settings.dialect);
            continue;
        };
        let connection = Connection::new(Arc::clone(&app), Arc::clone(&settings), Arc::clone(&recent), stream, peer);
        terminals.spawn(talk(connection, stop.clone(), place));
    }
    drop(listener);
    while terminals.join_next().await.is_some() {}
}

async fn talk(connection: Connection, stop: impl Future<Output = ()>, place: OwnedSemaphorePermit) {
    let _counted = Counted::new();
    connection.run(stop).await;
    drop(place);
}

/// Answers a terminal that is over the limit, without waiting for it to read.
fn turn_away(stream: &TcpStream, dialect: Dialect) {
    metrics::counter!("carrel_sip2_turned_away_total").increment(1);
    let now = sip2::stamp(&jiff::Timestamp::now().to_zoned(jiff::tz::TimeZone::UTC));
    let busy = status::turned_away(&now);
    let _ = stream.try_write(&dialect.write(&busy, Trailer::default()));
}

/// Counts connected terminals, including those whose task is aborted.
struct Counted;

impl Counted {
    fn new() -> Self {
        metrics::gauge!("carrel_sip2_terminals").increment(1.0);
        Counted
    }
}

impl Drop for Counted {
    fn drop(&mut self) {
        metrics::gauge!("carrel_sip2_terminals").decrement(1.0);
    }
}
