//! The path of a request through the gateway to its handler.

use std::{
    sync::{Arc, LazyLock},
    time::{Duration, Instant},
};

use axum::body::Body;
use http::{HeaderMap, Method, Request, StatusCode, request::Parts};
use percent_encoding::percent_decode_str;
use rand::Rng;
use store::db::{Lane, Meter};

use super::{
    body::{self, Allowed, Sent},
    client, identify,
};
use crate::{
    answer::{Problem, Reply},
    app::App,
    call::{Call, Query},
    manner,
    measures::Measures,
    route::Route,
};

/// The status in logs and metrics if the client disconnected. nginx made this number customary.
const ABANDONED: u16 = 499;
const LONGEST_PATH: usize = 65_536;
const NO_MODULE: &str = "No suitable module found for path and tenant";

/// The measures of requests that no route serves.
static UNKNOWN: LazyLock<Measures> = LazyLock::new(Measures::default);

/// What the log and the metrics tell of a route.
pub(crate) trait Served: Send + Sync {
    /// Its path, with named parameters.
    fn path(&self) -> &str;
    /// What its requests take.
    fn measures(&self) -> &Measures;
}

impl Served for Route {
    fn path(&self) -> &str {
        &self.path
    }

    fn measures(&self) -> &Measures {
        &self.measures
    }
}

/// The log entry of a request. It never contains query strings, bodies or tokens.
pub(crate) struct LogLine {
    pub(crate) request_id: String,
    pub(crate) meter: Option<Arc<Meter>>,
    pub(crate) route: Option<Arc<dyn Served>>,
    pub(crate) tenant: String,
    method: Method,
    path: String,
    started: Instant,
    is_written: bool,
}

impl LogLine {
    pub(crate) fn new(request: &Request<Body>) -> Self {
        let path = request.uri().path().to_owned();
        Self {
            request_id: request_id(request.headers(), &path),
            meter: None,
            method: request.method().clone(),
            path,
            route: None,
            tenant: String::new(),
            started: Instant::now(),
            is_written: false,
        }
    }

    /// Method and path of the request.
    pub(crate) fn asked(&self) -> (&str, &str) {
        (self.method.as_str(), &self.path)
    }

    pub(crate) fn write(&mut self, status: StatusCode) {
        self.is_written = true;
        let took = self.started.elapsed();
        let trips = self.meter.as_ref().map_or(0, |meter| meter.trips());
        let (measures, route) = match &self.route {
            Some(route) => (route.measures(), route.path()),
            None => (&*UNKNOWN, "none"),
        };
        measures.note(known(&self.method), route, status, took, trips);
        let db = self.meter.as_ref().map_or(Duration::ZERO, |meter| meter.time());
        tracing::info!(
            target: "carrel::request",
            request = self.request_id,
            tenant = self.tenant,
            method = self.method.as_str(),
            route,
            path = self.path,
            status = status.as_u16(),
            ms = took.as_secs_f64() * 1000.0,
            db_ms = db.as_secs_f64() * 1000.0,
            round_trips = trips,
        );
    }
}

/// The method, if it is a standard one. Clients could fill the memory with metrics for invented ones.
fn known(method: &Method) -> &'static str {
    match *method {
        Method::GET => "GET",
        Method::HEAD => "HEAD",
        Method::POST => "POST",
        Method::PUT => "PUT",
        Method::PATCH => "PATCH",
        Method::DELETE => "DELETE",
        _ => "other",
    }
}

impl Drop for LogLine {
    /// Writes the log entry even if the client disconnected and gets no response.
    fn drop(&mut self) {
        if !self.is_written {
            self.write(StatusCode::from_u16(ABANDONED).unwrap_or_default());
        }
    }
}

/// The caller's request id, if any, followed by six digits and the first segment of the path
/// (docs/folio/gateway.md#request-ids).
fn request_id(headers: &HeaderMap, path: &str) -> String {
    let first = path.trim_start_matches('/').split('/').next().unwrap_or_default();
    let own = format!("{:06}/{first}", rand::rng().random_range(0..1_000_000));
    match headers.get("x-okapi-request-id").and_then(|value| value.to_str().ok()) {
        Some(before) if before.len() < 200 => format!("{before};{own}"),
        _ => own,
    }
}

pub(super) async fn handle(app: &Arc<App>, parts: Parts, body: &mut Sent, log: &mut LogLine) -> Result<Reply, Problem> {
    if parts.uri.path().len() + parts.uri.query().map_or(0, str::len) > LONGEST_PATH {
        return Err(Problem::Text(StatusCode::URI_TOO_LONG, "URI too long".into()));
    }
    let token = identify::token(&parts.headers)?;
    let (invoked, path) = invoked_tenant(parts.uri.path());
    let tenant_id = match invoked {
        Some(tenant) => tenant.to_owned(),
        None => identify::tenant_id(&parts.headers, token.as_deref())?,
    };
    log.tenant.clone_from(&tenant_id);
    let tenant = app.tenant(&tenant_id).ok_or_else(|| Problem::bad_request(format!("No such Tenant {tenant_id}")))?;
    let path = if path.len() > 1 { path.trim_end_matches('/') } else { path };
    let unknown = || Problem::not_found(NO_MODULE);
    let (route, values) = app.routes.find(&parts.method, path).ok_or_else(unknown)?;
    log.route = Some(Arc::clone(&route) as Arc<dyn Served>);
    if route.module.is_some_and(|module| !tenant.has_module(module)) {
        return Err(unknown());
    }
    let now = (app.clock)();
    let lookups = app.request(&tenant, Lane::Desk)?;
    let caller = identify::caller(app, &tenant, (&route, &values), &parts.headers, token, &lookups, now).await?;
    let allowed = Allowed {
        limit: largest_body(app, &route),
        too_large: route.too_large,
        room: &app.bodies,
        silence: app.settings.patience.silence,
    };
    let (body, _room) = body.read(&allowed).await?;
    let _at_desk = (route.lane == Lane::Desk).then(priority::at_desk);
    let session = app.request(&tenant, route.lane)?;
    log.meter = Some(Arc::clone(session.meter()));
    let proxies = &app.settings.trusted_proxies;
    let client = client::address(&parts.extensions, &parts.headers, proxies);
    let call = Call {
        app: Arc::clone(app),
        tenant,
        session,
        caller,
        path: decoded(values)?,
        query: Query::read(parts.uri.query().unwrap_or_default()),
        client,
        headers: Arc::new(parts.headers),
        body,
        now,
        request_id: log.request_id.clone(),
        route: Arc::clone(&route),
    };
    manner::check_media(&call)?;
    if matches!(route.method, Method::GET | Method::HEAD) {
        return route.run(call).await;
    }
    let tenant = Arc::clone(&call.tenant);
    let answer = route.run(call).await;
    tenant.wrote();
    answer
}

/// `/_/invoke/tenant/{t}/{path}` runs `{path}` as tenant t (docs/folio/gateway.md#tenant-and-token).
fn invoked_tenant(path: &str) -> (Option<&str>, &str) {
    let Some(rest) = path.strip_prefix("/_/invoke/tenant/") else {
        return (None, path);
    };
    match rest.find('/') {
        Some(slash) => (Some(&rest[..slash]), &rest[slash..]),
        None => (None, path),
    }
}

fn decoded(values: Vec<(String, String)>) -> Result<Vec<(String, String)>, Problem> {
    values
        .into_iter()
        .map(|(name, value)| match percent_decode_str(&value).decode_utf8() {
            Ok(text) if !text.contains('\0') => Ok((name, text.into_owned())),
            _ => Err(Problem::bad_request(format!("{name} in the path is not UTF-8 text"))),
        })
        .collect()
}

/// The maximum body size of a route, in bytes.
fn largest_body(app: &App, route: &Route) -> usize {
    let general = if route.required.is_empty() {
        app.settings.body_limit.min(body::ON_OPEN_ROUTES)
    } else {
        app.settings.body_limit
    };
    route.body_limit.unwrap_or(general)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_invoked_path_names_its_tenant() {
        assert_eq!(invoked_tenant("/_/invoke/tenant/diku/saml/x"), (Some("diku"), "/saml/x"));
        assert_eq!(invoked_tenant("/users"), (None, "/users"));
        assert_eq!(invoked_tenant("/_/invoke/tenant/diku"), (None, "/_/invoke/tenant/diku"));
    }

    #[test]
    fn request_ids_are_appended_to_what_came_in() {
        let mut headers = HeaderMap::new();
        let own = request_id(&headers, "/users/1");
        assert_eq!(own.len(), 12);
        assert!(own.ends_with("/users"));
        headers.insert("x-okapi-request-id", http::HeaderValue::from_static("1/a"));
        assert!(request_id(&headers, "/users").starts_with("1/a;"));
    }
}
