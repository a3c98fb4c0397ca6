//! The port for staff and operators: the staff web application, health, metrics and the API document; and, so that the
//! pages need only one address and one log-in, the FOLIO API under `/folio` and the archives' API under `/archivesspace`.

mod files;
mod lab_runs;
mod page;
mod session;

use std::{
    sync::{Arc, OnceLock},
    time::Duration,
};

use axum::body::{Body, Bytes};
use http::{HeaderValue, Request, Response, StatusCode, Uri, header, uri::InvalidUri};
use metrics_exporter_prometheus::PrometheusHandle;
use serde_json::json;

use crate::{
    answer::Problem,
    app::App,
    archives::{self, Identity},
    connection::Peer,
    gateway::{self, entry::LogLine},
    indexes, open_api,
};

pub(crate) async fn serve(app: Arc<App>, metrics: Option<PrometheusHandle>, request: Request<Body>) -> Response<Body> {
    let mut response = answer(app, metrics, request).await;
    let nosniff = HeaderValue::from_static("nosniff");
    let headers = response.headers_mut();
    headers.insert(header::X_CONTENT_TYPE_OPTIONS, nosniff);
    response
}

async fn answer(app: Arc<App>, metrics: Option<PrometheusHandle>, mut request: Request<Body>) -> Response<Body> {
    if let Some(below) = below("/folio", request.uri()) {
        let Ok(uri) = below else { return text(StatusCode::BAD_REQUEST, "The path is not valid") };
        *request.uri_mut() = uri;
        if let Err(refused) = session::identify(&app, &mut request).await {
            let log = LogLine::new(&request);
            return refuse(refused, log);
        }
        return gateway::serve(app, request).await;
    }
    if let Some(below) = below("/archivesspace", request.uri()) {
        let Ok(uri) = below else { return text(StatusCode::BAD_REQUEST, "The path is not valid") };
        *request.uri_mut() = uri;
        // Whom the session does not identify is nobody there.
        let identified = session::identify(&app, &mut request).await;
        // Any page can make a browser send a cookie, but not these headers.
        request.headers_mut().remove(header::COOKIE);
        let token = identified.ok().and_then(|()| gateway::identify::token(request.headers()).ok().flatten());
        return archives::serve(app, Identity::OfStaff(token), request).await;
    }
    match request.uri().path() {
        session::PATH => session::serve(&app, request).await,
        "/healthz" => text(StatusCode::OK, "ok\n"),
        "/readyz" => ready(&app).await,
        "/metrics" => match metrics {
            Some(_) if !may_measure(&app, &request) => not_measured(&app),
            Some(metrics) => {
                gauge_connections(&app);
                let process = process();
                indexes::gauge(&app);
                typed("text/plain; version=0.0.4", metrics.render() + &process)
            }
            None => text(StatusCode::NOT_FOUND, "metrics are off\n"),
        },
        path if path.starts_with("/lab/") && !may_measure(&app, &request) => not_measured(&app),
        path if path.starts_with("/lab/") => {
            let path = path.to_owned();
            lab_runs::serve(&app, path).await
        }
        "/openapi.json" => typed("application/json", api_document(&app)),
        "/status.json" => typed(
            "application/json",
            json!({
                "version": env!("CARGO_PKG_VERSION"),
                "openTenantsAllowed": app.settings.allow_open_tenants,
                "sampleLibrary": app.settings.sample_library,
            })
            .to_string(),
        ),
        path => files::serve(path.trim_start_matches('/'), request.headers()),
    }
}

fn refuse(problem: Problem, mut log: LogLine) -> Response<Body> {
    let response = gateway::render(Err(problem), &log);
    log.write(response.status());
    response
}

/// The address below a prefix, if it is below it.
fn below(prefix: &str, uri: &Uri) -> Option<Result<Uri, InvalidUri>> {
    let rest = uri.path().strip_prefix(prefix).filter(|rest| rest.starts_with('/'))?;
    let query = uri.query().map(|query| format!("?{query}")).unwrap_or_default();
    Some(format!("{rest}{query}").parse())
}

/// The API document, made at the first request: it takes 50 ms, and anybody may ask for it. The routes of a process do
/// not change.
fn api_document(app: &App) -> Bytes {
    static DOCUMENT: OnceLock<Bytes> = OnceLock::new();
    let make = || open_api::document(&app.routes).to_string().into();
    DOCUMENT.get_or_init(make).clone()
}

/// Whether a request may read the metrics, which reveal much about a library and cost time to produce: it has the token
/// or, if none is configured, comes directly from this machine and not through a proxy.
fn may_measure(app: &App, request: &Request<Body>) -> bool {
    let headers = request.headers();
    if let Some(token) = &app.settings.metrics_token {
        let sent = headers.get(header::AUTHORIZATION);
        let sent = sent.and_then(|value| value.as_bytes().strip_prefix(b"Bearer "));
        return sent.is_some_and(|sent| is_same(sent, token.as_bytes()));
    }
    let forwarded = ["forwarded", "x-forwarded-for", "x-real-ip", "via"];
    let peer = request.extensions().get::<Peer>();
    peer.is_some_and(|Peer(peer)| peer.to_canonical().is_loopback())
        && !forwarded.iter().any(|name| headers.contains_key(*name))
}

/// Compares in constant time.
fn is_same(one: &[u8], other: &[u8]) -> bool {
    let differing = one.iter().zip(other).fold(0, |seen, (a, b)| seen | (a ^ b));
    one.len() == other.len() && differing == 0
}

fn not_measured(app: &App) -> Response<Body> {
    if app.settings.metrics_token.is_none() {
        let told = "The metrics are for this machine; set metrics_token to read them from another\n";
        return text(StatusCode::FORBIDDEN, told);
    }
    let told = "The metrics need the header Authorization: Bearer, with the metrics_token\n";
    let mut response = text(StatusCode::UNAUTHORIZED, told);
    let headers = response.headers_mut();
    headers.insert(header::WWW_AUTHENTICATE, HeaderValue::from_static("Bearer"));
    response
}

/// A database that takes longer to respond is not ready.
const SIGN_OF_LIFE: Duration = Duration::from_millis(1500);

async fn ready(app: &App) -> Response<Body> {
    match app.database.ping(SIGN_OF_LIFE).await {
        Ok(_) => text(StatusCode::OK, "ready\n"),
        Err(error) => text(StatusCode::SERVICE_UNAVAILABLE, format!("{error}\n")),
    }
}

fn gauge_connections(app: &App) {
    let connections = app.database.connections();
    metrics::gauge!("carrel_database_connections").set(connections.open as f64);
    metrics::gauge!("carrel_database_idle_connections").set(connections.idle as f64);
    metrics::gauge!("carrel_database_waiting_requests").set(connections.waiting as f64);
}

/// Processor time and memory use of this process, with the names used by Prometheus' own clients; empty if the system does
/// not report them. Written here, because the recorder's counters are whole numbers, and seconds of the processor are not.
fn process() -> String {
    let stat = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    processor_and_memory(&stat).map_or_else(String::new, |(seconds, bytes)| {
        format!(
            "# HELP process_cpu_seconds_total Processor time of this process\n\
             # TYPE process_cpu_seconds_total counter\nprocess_cpu_seconds_total {seconds}\n\
             # HELP process_resident_memory_bytes Memory of this process\n\
             # TYPE process_resident_memory_bytes gauge\nprocess_resident_memory_bytes {bytes}\n"
        )
    })
}

/// Parses `/proc/self/stat`. The kernel counts hundredths of a second and, on every machine Carrel is built for except
/// some ARM ones, pages of 4096 bytes.
fn processor_and_memory(stat: &str) -> Option<(f64, f64)> {
    let (_, after_name) = stat.rsplit_once(')')?;
    let fields: Vec<&str> = after_name.split_whitespace().collect();
    let number = |at: usize| fields.get(at)?.parse::<f64>().ok();
    Some(((number(11)? + number(12)?) / 100.0, number(21)? * 4096.0))
}

fn typed(content_type: &'static str, body: impl Into<Body>) -> Response<Body> {
    let mut response = text(StatusCode::OK, body);
    response.headers_mut().insert(header::CONTENT_TYPE, HeaderValue::from_static(content_type));
    response
}

fn text(status: StatusCode, body: impl Into<Body>) -> Response<Body> {
    let mut response = Response::new(body.into());
    *response.status_mut() = status;
    let plain = HeaderValue::from_static("text/plain; charset=utf-8");
    response.headers_mut().insert(header::CONTENT_TYPE, plain);
    response
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn processor_time_is_a_counter_with_fractions() {
        let text = process();
        assert!(text.contains("\n# TYPE process_cpu_seconds_total counter\nprocess_cpu_seconds_total "), "{text}");
        assert!(
            text.contains("\n# TYPE process_resident_memory_bytes gauge\nprocess_resident_memory_bytes "),
            "{text}"
        );
    }

    #[test]
    fn processor_time_and_memory_are_read_from_the_kernels_line() {
        let line = "7 (a ) b) S 1 7 7 0 -1 0 0 0 0 0 150 50 3 4 20 0 9 0 5 1000000 256 0";
        assert_eq!(processor_and_memory(line), Some((2.0, 1_048_576.0)));
        assert_eq!(processor_and_memory("7 (a) S 1"), None);
        assert_eq!(processor_and_memory(""), None);
    }
}
