//! Listens on the ports and runs what must happen every few seconds.

use std::{convert::Infallible, future::Future, sync::Arc, time::Duration};

use axum::{Router, body::Body, serve::ListenerExt};
use http::{Request, Response};
use metrics_exporter_prometheus::PrometheusHandle;
use tokio::net::TcpListener;
use tower::service_fn;
use tower_http::compression::{CompressionLayer, predicate::SizeAbove};

use crate::{app::App, background, gateway, staff};

/// How often the list of tenants is read again and idle connections are closed.
const HOUSEKEEPING: Duration = Duration::from_secs(2);
/// How long events that are on their way may take to arrive when the server stops.
const LAST_EVENTS: Duration = Duration::from_secs(5);
/// Smaller answers are not worth compressing.
const COMPRESS_ABOVE: u16 = 1400;

/// Serves until `stop` is done; requests that run are finished first.
///
/// # Errors
/// When a listener fails.
pub async fn serve<S>(
    app: Arc<App>,
    folio: TcpListener,
    staff: TcpListener,
    metrics: Option<PrometheusHandle>,
    stop: S,
) -> std::io::Result<()>
where
    S: Future<Output = ()> + Send + Clone + 'static,
{
    let housekeeping = tokio::spawn(keep_house(Arc::clone(&app)));
    let jobs = tokio::spawn(run_jobs(Arc::clone(&app), stop.clone()));
    let events = tokio::spawn(deliver_events(Arc::clone(&app), stop.clone()));
    let for_staff = Arc::clone(&app);
    let folio = listen(folio, stop.clone(), move |request| {
        gateway::serve(Arc::clone(&app), request)
    });
    let staff = listen(staff, stop, move |request| {
        staff::serve(Arc::clone(&for_staff), metrics.clone(), request)
    });
    let outcome = tokio::try_join!(folio, staff).map(|_| ());
    if outcome.is_err() {
        jobs.abort();
    }
    // Told to stop, jobs that run come to their end or are given back.
    let _ = jobs.await;
    housekeeping.abort();
    let abort = events.abort_handle();
    if tokio::time::timeout(LAST_EVENTS, events).await.is_err() {
        abort.abort();
    }
    outcome
}

async fn run_jobs(app: Arc<App>, stop: impl Future<Output = ()>) {
    if app.settings.run_jobs {
        background::runner(app).run(stop).await;
    }
}

async fn listen<H, F, S>(listener: TcpListener, stop: S, handler: H) -> std::io::Result<()>
where
    H: Fn(Request<Body>) -> F + Clone + Send + Sync + 'static,
    F: Future<Output = Response<Body>> + Send + 'static,
    S: Future<Output = ()> + Send + 'static,
{
    let service = service_fn(move |request| {
        let answer = handler(request);
        async move { Ok::<_, Infallible>(answer.await) }
    });
    let router = Router::new()
        .fallback_service(service)
        .layer(CompressionLayer::new().compress_when(SizeAbove::new(COMPRESS_ABOVE.into())));
    let listener = listener.tap_io(|stream| {
        // Small answers must leave at once.
        let _ = stream.set_nodelay(true);
    });
    axum::serve(listener, router)
        .with_graceful_shutdown(stop)
        .await
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

async fn keep_house(app: Arc<App>) {
    let mut tick = tokio::time::interval(HOUSEKEEPING);
    loop {
        tick.tick().await;
        if let Err(error) = app.refresh_tenants().await {
            tracing::warn!(%error, "the list of tenants could not be read");
        }
        app.database.close_idle();
    }
}
