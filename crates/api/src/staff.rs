//! The port for people and operators: the staff web application, health, metrics, the API document; and the
//! FOLIO API under `/folio`, so that the page needs one address only.

use std::sync::Arc;

use axum::body::Body;
use http::{HeaderValue, Request, Response, StatusCode, Uri, header};
use metrics_exporter_prometheus::PrometheusHandle;
use rust_embed::RustEmbed;
use serde_json::json;

use crate::{app::App, gateway, open_api};

#[derive(RustEmbed)]
#[folder = "../../web/dist"]
#[allow_missing = true]
struct Web;

/// Answers one request on the staff port.
pub(crate) async fn serve(
    app: Arc<App>,
    metrics: Option<PrometheusHandle>,
    mut request: Request<Body>,
) -> Response<Body> {
    let path = request.uri().path();
    if let Some(rest) = path
        .strip_prefix("/folio")
        .filter(|rest| rest.starts_with('/'))
    {
        let query = request
            .uri()
            .query()
            .map(|query| format!("?{query}"))
            .unwrap_or_default();
        match format!("{rest}{query}").parse::<Uri>() {
            Ok(uri) => *request.uri_mut() = uri,
            Err(_) => return text(StatusCode::BAD_REQUEST, "The path is not valid".into()),
        }
        return gateway::serve(app, request).await;
    }
    match path {
        "/healthz" => text(StatusCode::OK, "ok\n".into()),
        "/readyz" => ready(&app).await,
        "/metrics" => match metrics {
            Some(metrics) => {
                gauge_connections(&app);
                gauge_process();
                typed("text/plain; version=0.0.4", metrics.render())
            }
            None => text(StatusCode::NOT_FOUND, "metrics are off\n".into()),
        },
        "/openapi.json" => typed(
            "application/json",
            open_api::document(&app.routes).to_string(),
        ),
        "/status.json" => typed(
            "application/json",
            json!({
                "version": env!("CARGO_PKG_VERSION"),
                "openTenantsAllowed": app.settings.allow_open_tenants,
                "sampleLibrary": app.settings.sample_library,
            })
            .to_string(),
        ),
        _ => file(path.trim_start_matches('/')),
    }
}

async fn ready(app: &App) -> Response<Body> {
    let check = async { app.database.system()?.get("SELECT 1", &[]).await };
    match check.await {
        Ok(_) => text(StatusCode::OK, "ready\n".into()),
        Err(error) => text(StatusCode::SERVICE_UNAVAILABLE, format!("{error}\n")),
    }
}

fn gauge_connections(app: &App) {
    let connections = app.database.connections();
    metrics::gauge!("carrel_database_connections").set(connections.open as f64);
    metrics::gauge!("carrel_database_idle_connections").set(connections.idle as f64);
    metrics::gauge!("carrel_database_waiting_requests").set(connections.waiting as f64);
}

/// Processor time and memory of this process, by the names that Prometheus' own clients give them. Nothing where the
/// system does not say.
fn gauge_process() {
    let Ok(stat) = std::fs::read_to_string("/proc/self/stat") else {
        return;
    };
    if let Some((seconds, bytes)) = processor_and_memory(&stat) {
        metrics::gauge!("process_cpu_seconds_total").set(seconds);
        metrics::gauge!("process_resident_memory_bytes").set(bytes);
    }
}

/// From `/proc/self/stat`: the kernel counts hundredths of seconds and, on every machine Carrel is built for but some
/// ARM ones, pages of 4096 bytes.
fn processor_and_memory(stat: &str) -> Option<(f64, f64)> {
    let (_, after_name) = stat.rsplit_once(')')?;
    let fields: Vec<&str> = after_name.split_whitespace().collect();
    let number = |at: usize| fields.get(at)?.parse::<f64>().ok();
    Some(((number(11)? + number(12)?) / 100.0, number(21)? * 4096.0))
}

/// A file of the web application; unknown paths without an extension get its first page, which routes them.
fn file(path: &str) -> Response<Body> {
    let known = Web::get(path).map(|file| (path, file));
    let page = if path.contains('.') {
        None
    } else {
        Web::get("index.html")
    };
    let Some((path, file)) = known.or(page.map(|file| ("index.html", file))) else {
        return text(StatusCode::NOT_FOUND, "There is no such page\n".into());
    };
    let mut response = Response::new(Body::from(file.data.into_owned()));
    let headers = response.headers_mut();
    headers.insert(
        header::CONTENT_TYPE,
        HeaderValue::from_static(content_type(path)),
    );
    let forever = path.starts_with("assets/");
    let caching = if forever {
        "public, max-age=31536000, immutable"
    } else {
        "no-cache"
    };
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static(caching));
    headers.insert(
        header::X_CONTENT_TYPE_OPTIONS,
        HeaderValue::from_static("nosniff"),
    );
    headers.insert(header::X_FRAME_OPTIONS, HeaderValue::from_static("DENY"));
    response
}

fn content_type(path: &str) -> &'static str {
    match path.rsplit('.').next().unwrap_or_default() {
        "html" => "text/html; charset=utf-8",
        "js" | "mjs" => "text/javascript; charset=utf-8",
        "css" => "text/css; charset=utf-8",
        "json" | "map" => "application/json",
        "svg" => "image/svg+xml",
        "png" => "image/png",
        "ico" => "image/x-icon",
        "woff2" => "font/woff2",
        "webmanifest" => "application/manifest+json",
        _ => "application/octet-stream",
    }
}

fn typed(content_type: &'static str, body: String) -> Response<Body> {
    let mut response = text(StatusCode::OK, body);
    response
        .headers_mut()
        .insert(header::CONTENT_TYPE, HeaderValue::from_static(content_type));
    response
}

fn text(status: StatusCode, body: String) -> Response<Body> {
    let mut response = Response::new(Body::from(body));
    *response.status_mut() = status;
    let plain = HeaderValue::from_static("text/plain; charset=utf-8");
    response.headers_mut().insert(header::CONTENT_TYPE, plain);
    response
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn processor_time_and_memory_are_read_from_the_kernels_line() {
        let line = "7 (a ) b) S 1 7 7 0 -1 0 0 0 0 0 150 50 3 4 20 0 9 0 5 1000000 256 0";
        assert_eq!(processor_and_memory(line), Some((2.0, 1_048_576.0)));
        assert_eq!(processor_and_memory("7 (a) S 1"), None);
        assert_eq!(processor_and_memory(""), None);
    }
}
