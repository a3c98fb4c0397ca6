//! The gateway: what Okapi does before and after a module handles a request (docs/folio/gateway.md), that is CORS,
//! tenant, token, permissions, request ids and error bodies; and Carrel's own round-trip counts, logs and metrics.

pub(crate) mod body;
pub(crate) mod client;
mod cors;
pub(crate) mod entry;
pub(crate) mod identify;

use std::{panic::AssertUnwindSafe, sync::Arc};

use axum::body::Body;
use futures_util::FutureExt;
use http::{HeaderName, HeaderValue, Method, Request, Response, StatusCode, header};
use store::db::Meter;

use self::{body::Sent, cors::Asking};
use crate::{
    answer::{Problem, Reply},
    app::App,
    pretty::pretty,
};

/// The `Server` header, which tells Carrel from Okapi. (Version requests get a version of Okapi.)
pub(crate) const SERVER: &str = concat!("Carrel/", env!("CARGO_PKG_VERSION"));

/// Handles one request on the FOLIO port.
pub async fn serve(app: Arc<App>, mut request: Request<Body>) -> Response<Body> {
    let asking = Asking::of(request.headers(), &app.settings.allowed_origins);
    let mut response = if request.method() == Method::OPTIONS {
        cors::preflight(&asking)
    } else {
        asking.forget_cookies(&mut request);
        let mut response = answer(&app, request).await;
        cors::expose(&mut response, &asking);
        response
    };
    let nosniff = HeaderValue::from_static("nosniff");
    let headers = response.headers_mut();
    headers.insert(header::X_CONTENT_TYPE_OPTIONS, nosniff);
    response
}

async fn answer(app: &Arc<App>, request: Request<Body>) -> Response<Body> {
    let mut log = entry::LogLine::new(&request);
    let (parts, body) = request.into_parts();
    let mut body = Sent::new(&parts.headers, body);
    let handled = AssertUnwindSafe(entry::handle(app, parts, &mut body, &mut log)).catch_unwind().await;
    let outcome = handled.unwrap_or_else(|panic| Err(Problem::Internal(panic_text(&*panic))));
    let mut response = render(outcome, &log);
    if let Some(meter) = &log.meter {
        server_timing(&mut response, meter);
    }
    let headers = response.headers_mut();
    headers.insert(header::SERVER, HeaderValue::from_static(SERVER));
    if !body.discard().await {
        headers.insert(header::CONNECTION, HeaderValue::from_static("close"));
    }
    log.write(response.status());
    response
}

pub(crate) fn panic_text(panic: &(dyn std::any::Any + Send)) -> String {
    let text = panic.downcast_ref::<String>().map(String::as_str).or_else(|| panic.downcast_ref::<&str>().copied());
    format!("panic: {}", text.unwrap_or("no message"))
}

pub(crate) fn render(outcome: Result<Reply, Problem>, log: &entry::LogLine) -> Response<Body> {
    match outcome {
        Ok(reply) => {
            let mut response = Response::new(reply.body);
            *response.status_mut() = reply.status;
            for (name, value) in reply.headers {
                response.headers_mut().append(name, value);
            }
            response
        }
        Err(problem) => {
            let mut response = refused(problem, log);
            if let Some(seconds) = retry_after(response.status()) {
                response.headers_mut().insert(header::RETRY_AFTER, seconds.into());
            }
            response
        }
    }
}

fn refused(problem: Problem, log: &entry::LogLine) -> Response<Body> {
    match problem {
        Problem::Text(status, text) => typed(status, "text/plain", text),
        Problem::Json(status, value) => typed(status, "application/json", value.to_string()),
        Problem::Pretty(status, value) => typed(status, "application/json", pretty(&value)),
        Problem::Unquoted(status, text) => typed(status, "application/json", text),
        Problem::Internal(context) => typed(StatusCode::INTERNAL_SERVER_ERROR, "text/plain", internal(&context, log)),
    }
}

/// What clients are told of an internal failure, whose context is for the log only.
pub(crate) fn internal(context: &str, log: &entry::LogLine) -> String {
    tracing::error!(request = log.request_id, context, "internal failure");
    format!("Internal server error: the log has the details under request {}", log.request_id)
}

/// Seconds after which a client refused for now may retry; `None` for other statuses.
fn retry_after(status: StatusCode) -> Option<u16> {
    match status {
        StatusCode::SERVICE_UNAVAILABLE => Some(2),
        StatusCode::TOO_MANY_REQUESTS => Some(10),
        _ => None,
    }
}

fn typed(status: StatusCode, content_type: &'static str, body: String) -> Response<Body> {
    let mut response = Response::new(Body::from(body));
    *response.status_mut() = status;
    response.headers_mut().insert(header::CONTENT_TYPE, HeaderValue::from_static(content_type));
    response
}

pub(crate) fn server_timing(response: &mut Response<Body>, meter: &Meter) {
    let trips = meter.trips();
    let noun = if trips == 1 { "round trip" } else { "round trips" };
    let millis = meter.time().as_secs_f64() * 1000.0;
    let value = format!("db;dur={millis:.2};desc=\"{trips} {noun}\"");
    if let Ok(value) = HeaderValue::from_str(&value) {
        response.headers_mut().insert(HeaderName::from_static("server-timing"), value);
    }
}
