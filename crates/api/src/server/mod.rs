//! Listens on the ports and runs what must happen every few seconds.

mod activity;
mod port;
mod register;
mod socket;
mod spelling;

use std::{future::Future, sync::Arc, time::Duration};

use metrics_exporter_prometheus::PrometheusHandle;
use tokio::net::TcpListener;

pub use crate::gateway::Origins;
pub use activity::Patience;
pub(crate) use port::Peer;
pub use register::Bounds;

use crate::{app::App, background, gateway, staff};
use port::Port;

/// How often the list of tenants is read again, idle connections are closed and what was measured is summed up.
const HOUSEKEEPING: Duration = Duration::from_secs(2);
/// How long events that are on their way may take to arrive when the server stops.
const LAST_EVENTS: Duration = Duration::from_secs(5);

/// Serves until `stop` is done; requests that run are finished first.
pub async fn serve<S>(
    app: Arc<App>,
    folio: TcpListener,
    staff: TcpListener,
    metrics: Option<PrometheusHandle>,
    stop: S,
) where
    S: Future<Output = ()> + Send + Clone + 'static,
{
    let housekeeping = tokio::spawn(keep_house(Arc::clone(&app), metrics.clone()));
    let jobs = tokio::spawn(run_jobs(Arc::clone(&app), stop.clone()));
    let events = tokio::spawn(deliver_events(Arc::clone(&app), stop.clone()));
    let for_staff = Arc::clone(&app);
    let settings = &app.settings;
    let port = |name, listener, bounds| Port {
        name,
        listener,
        bounds,
        patience: settings.patience,
    };
    let folio = port("folio", folio, settings.folio_connections);
    let staff = port("staff", staff, settings.staff_connections);
    let folio = folio.serve(stop.clone(), move |request| {
        gateway::serve(Arc::clone(&app), request)
    });
    let staff = staff.serve(stop, move |request| {
        staff::serve(Arc::clone(&for_staff), metrics.clone(), request)
    });
    tokio::join!(folio, staff);
    // Told to stop, jobs that run come to their end or are given back.
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
        all.map(|tenant| (tenant.tenant.id.clone(), tenant.schema.clone()))
            .collect()
    };
    Arc::clone(&app.events).run(Arc::new(tenants), stop).await;
}

async fn keep_house(app: Arc<App>, metrics: Option<PrometheusHandle>) {
    let mut tick = tokio::time::interval(HOUSEKEEPING);
    loop {
        tick.tick().await;
        if let Some(metrics) = &metrics {
            // Each measurement is kept until it is summed up, whether or not anybody asks.
            metrics.run_upkeep();
        }
        if let Err(error) = app.refresh_tenants().await {
            tracing::warn!(%error, "the list of tenants could not be read");
        }
        app.database.close_idle();
        identity::passwords::free_spare_memory();
    }
}
