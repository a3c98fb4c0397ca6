//! Listens on the ports and runs periodic housekeeping.

mod activity;
mod port;
mod register;
mod request_line;
mod socket;
mod spelling;

use std::{future::Future, sync::Arc, time::Duration};

use metrics_exporter_prometheus::PrometheusHandle;
use tokio::net::TcpListener;

pub use crate::{
    connection::{Bounds, Patience},
    origins::Origins,
};

use crate::{
    app::App,
    archives::{self, Identity},
    background, gateway, indexes, staff,
};
use port::Port;

/// Interval for reloading the tenant list, closing idle connections and aggregating metrics.
const HOUSEKEEPING: Duration = Duration::from_secs(2);
/// How long deliveries under way may take at shutdown.
const LAST_EVENTS: Duration = Duration::from_secs(5);

/// The sockets of the ports.
#[derive(Debug)]
pub struct Listeners {
    pub folio: TcpListener,
    pub staff: TcpListener,
    /// The archives' API, if it is served.
    pub archives: Option<TcpListener>,
}

/// Serves until `stop` completes. Requests under way are finished first.
pub async fn serve<S>(app: Arc<App>, listeners: Listeners, metrics: Option<PrometheusHandle>, stop: S)
where
    S: Future<Output = ()> + Send + Clone + 'static,
{
    let housekeeping = tokio::spawn(keep_house(Arc::clone(&app), metrics.clone()));
    let jobs = tokio::spawn(run_jobs(Arc::clone(&app), stop.clone()));
    let events = tokio::spawn(deliver_events(Arc::clone(&app), stop.clone()));
    let (for_staff, for_archives) = (Arc::clone(&app), Arc::clone(&app));
    let settings = &app.settings;
    let port = |name, listener, bounds| Port { name, listener, bounds, patience: settings.patience };
    indexes::open(&app, listeners.archives.is_some());
    let folio = port("folio", listeners.folio, settings.folio_connections);
    let staff = port("staff", listeners.staff, settings.staff_connections);
    let archives = listeners.archives.map(|listener| port("archives", listener, settings.archives_connections));
    let folio = folio.serve(stop.clone(), move |request| gateway::serve(Arc::clone(&app), request));
    let serve_archives = move |request| archives::serve(Arc::clone(&for_archives), Identity::OfSession, request);
    let archives = archives.map(|port| port.serve(stop.clone(), serve_archives));
    let archives = async { futures_util::future::OptionFuture::from(archives).await };
    let staff = staff.serve(stop, move |request| staff::serve(Arc::clone(&for_staff), metrics.clone(), request));
    tokio::join!(folio, staff, archives);
    // At shutdown, running jobs are completed or given back.
    let _ = jobs.await;
    housekeeping.abort();
    let abort = events.abort_handle();
    if tokio::time::timeout(LAST_EVENTS, events).await.is_err() {
        abort.abort();
    }
}

async fn run_jobs(app: Arc<App>, stop: impl Future<Output = ()>) {
    if app.settings.run_jobs {
        background::runner(app).run(stop).await;
    }
}

async fn deliver_events(app: Arc<App>, stop: impl Future<Output = ()> + Send) {
    let of = Arc::clone(&app);
    let tenants = move || {
        let all = of.all_tenants().into_iter();
        all.map(|tenant| (tenant.tenant.id.clone(), tenant.schema.clone())).collect()
    };
    Arc::clone(&app.events).run(Arc::new(tenants), stop).await;
}

async fn keep_house(app: Arc<App>, metrics: Option<PrometheusHandle>) {
    let mut tick = tokio::time::interval(HOUSEKEEPING);
    loop {
        tick.tick().await;
        if let Some(metrics) = &metrics {
            // Measurements accumulate until aggregated, whether or not anything reads the metrics.
            metrics.run_upkeep();
        }
        if let Err(error) = app.refresh_tenants().await {
            tracing::warn!(%error, "the list of tenants could not be read");
        }
        app.database.close_idle();
        identity::passwords::free_spare_memory();
    }
}
