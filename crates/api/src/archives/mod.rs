//! The archives' API on its own port: what happens before and after a handler, that is session, tenant, parameters,
//! permissions and the bodies of errors (contract 1); and Carrel's own round-trip counts, logs and metrics.

mod assessments;
mod authorities;
mod batches;
mod bulk_update;
mod calculators;
mod call;
mod circulation;
mod clients;
mod containers;
mod endpoint;
mod enumerations;
mod exports;
pub mod first_users;
mod groups;
mod harvest;
mod identify;
pub(crate) mod jobs;
mod locations;
mod lookups;
mod merges;
mod open_api;
mod parameters;
mod records;
mod reports;
mod repositories;
mod search;
mod sessions;
mod settings;
mod system;
mod transfers;
mod trees;
mod users;

use std::{
    panic::AssertUnwindSafe,
    sync::{Arc, LazyLock},
};

use ::archives::{permissions::Rights, refusal::Refusal};
use axum::body::Body;
use bytes::Bytes;
use futures_util::FutureExt;
use http::{HeaderMap, HeaderValue, Method, Request, Response, StatusCode, header, request::Parts};
use percent_encoding::percent_decode_str;
use serde_json::{Value, json};
use store::db::Lane;

use self::{
    call::Call,
    endpoint::{Endpoint, Endpoints, Found, Paging, Table},
    parameters::{Parameter, Parameters},
};
use crate::{
    answer::{Problem, Reply},
    app::{App, TenantState},
    call::Query,
    gateway::{
        self,
        body::{Allowed, ON_OPEN_ROUTES, Sent},
        client,
        entry::{LogLine, Served},
    },
    platform::SUPERTENANT,
};

/// The header with the secret of a session; some scripts write it with underscores, which ArchivesSpace takes for hyphens.
const SESSION: [&str; 2] = ["x-archivesspace-session", "x_archivesspace_session"];
const LONGEST_PATH: usize = 65_536;
/// Parameters that every list takes.
const OF_LISTS: &str = "resolve:texts";

static ROUTES: LazyLock<Table> = LazyLock::new(|| {
    let mut endpoints = Endpoints::default();
    sessions::routes(&mut endpoints);
    users::routes(&mut endpoints);
    groups::routes(&mut endpoints);
    repositories::routes(&mut endpoints);
    records::routes(&mut endpoints);
    containers::routes(&mut endpoints);
    circulation::routes(&mut endpoints);
    locations::routes(&mut endpoints);
    assessments::routes(&mut endpoints);
    merges::routes(&mut endpoints);
    calculators::routes(&mut endpoints);
    transfers::routes(&mut endpoints);
    trees::routes(&mut endpoints);
    authorities::routes(&mut endpoints);
    enumerations::routes(&mut endpoints);
    lookups::routes(&mut endpoints);
    exports::routes(&mut endpoints);
    harvest::routes(&mut endpoints);
    search::routes(&mut endpoints);
    settings::routes(&mut endpoints);
    batches::routes(&mut endpoints);
    bulk_update::routes(&mut endpoints);
    jobs::routes(&mut endpoints);
    clients::routes(&mut endpoints);
    reports::routes(&mut endpoints);
    system::routes(&mut endpoints);
    endpoints.table()
});

/// The API document of the archives' port.
pub fn document() -> Value {
    open_api::document(&ROUTES)
}

/// The path, with named parameters, of the route that serves a request.
pub fn path_of(method: &Method, path: &str) -> Option<String> {
    ROUTES.find(method, &routed(path)).map(|(endpoint, _)| endpoint.path.clone())
}

/// Opens the index of the archives, so that the first search does not wait for it.
pub(crate) fn open_index(app: &App) {
    if let Ok(tenant) = tenant(app) {
        search::index(app, &tenant);
    }
}

/// How a client says who it is.
pub(crate) enum Identity {
    /// By the secret of a session of the archives, in a header.
    OfSession,
    /// By the token of the library, if there is one: on the staff port, whose pages sign in once.
    OfStaff(Option<String>),
}

/// Handles one request to the archives' API.
pub(crate) async fn serve(app: Arc<App>, identity: Identity, request: Request<Body>) -> Response<Body> {
    let mut log = LogLine::new(&request);
    let (parts, body) = request.into_parts();
    let mut body = Sent::new(&parts.headers, body);
    let handled = AssertUnwindSafe(handle(&app, identity, parts, &mut body, &mut log)).catch_unwind().await;
    let outcome = handled.unwrap_or_else(|panic| Err(Problem::Internal(gateway::panic_text(&*panic))));
    let mut response = gateway::render(outcome.map_err(|problem| in_json(problem, &log)), &log);
    if let Some(meter) = &log.meter {
        gateway::server_timing(&mut response, meter);
    }
    let headers = response.headers_mut();
    headers.insert(header::SERVER, HeaderValue::from_static(gateway::SERVER));
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("private, must-revalidate, max-age=0"));
    headers.insert(header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    if !body.discard().await {
        headers.insert(header::CONNECTION, HeaderValue::from_static("close"));
    }
    if let Ok(tenant) = tenant(&app) {
        let (method, path) = log.asked();
        tenant.archives.answered((app.clock)(), method, path, response.status().as_u16());
    }
    log.write(response.status());
    response
}

/// Errors are JSON on this port.
fn in_json(problem: Problem, log: &LogLine) -> Problem {
    let (status, text) = match problem {
        Problem::Text(status, text) | Problem::Unquoted(status, text) => (status, text),
        Problem::Internal(context) => (StatusCode::INTERNAL_SERVER_ERROR, gateway::internal(&context, log)),
        problem => return problem,
    };
    Problem::Json(status, json!({"error": text}))
}

impl From<Refusal> for Problem {
    fn from(refusal: Refusal) -> Self {
        match (refusal.answer(), refusal) {
            (Some((status, body)), _) => {
                Problem::Json(StatusCode::from_u16(status).unwrap_or(StatusCode::BAD_REQUEST), body)
            }
            (None, Refusal::Store(error)) => error.into(),
            (None, other) => Problem::Internal(other.to_string()),
        }
    }
}

async fn handle(
    app: &Arc<App>,
    identity: Identity,
    parts: Parts,
    body: &mut Sent,
    log: &mut LogLine,
) -> Result<Reply, Problem> {
    if parts.uri.path().len() + parts.uri.query().map_or(0, str::len) > LONGEST_PATH {
        return Err(Problem::Text(StatusCode::URI_TOO_LONG, "URI too long".into()));
    }
    let tenant = tenant(app)?;
    log.tenant.clone_from(&tenant.tenant.id);
    let path = &routed(parts.uri.path());
    let now = (app.clock)();
    let lookups = app.request(&tenant, Lane::Desk)?;
    let (user, rights) = match identity {
        Identity::OfStaff(token) => {
            let (user, rights) = identify::signed_in_to_library(app, &tenant, &lookups, token, now).await?;
            (Some(user), rights)
        }
        // A client whose session is over signs in again with its header still set.
        Identity::OfSession => match secret(&parts.headers).filter(|_| !is_log_in(path)) {
            Some(secret) => {
                let (user, rights) = identify::of_session(&tenant, &lookups, secret, now).await?;
                (Some(user), rights)
            }
            None => (None, Rights::default()),
        },
    };
    let (endpoint, values): Found =
        ROUTES.find(&parts.method, path).ok_or_else(|| Problem::not_found("Resource not found"))?;
    log.route = Some(Arc::clone(&endpoint) as Arc<dyn Served>);
    let allowed = Allowed {
        limit: if user.is_some() { app.settings.body_limit } else { app.settings.body_limit.min(ON_OPEN_ROUTES) },
        too_large: None,
        room: &app.bodies,
        silence: app.settings.patience.silence,
    };
    let (body, _room) = body.read(&allowed).await?;
    let values = decoded(values)?;
    let parameters = collect(&endpoint, &parts, &values, &body).await?;
    let repository = checked(&endpoint, &parameters, &tenant, &lookups).await?;
    if !endpoint.needs.iter().all(|code| rights.can(code, repository)) {
        return Err(Refusal::Denied.into());
    }
    let lists = match endpoint.reads_lists {
        true => tenant.archives.lists(&lookups, now).await?,
        false => Arc::default(),
    };
    let session = app.request(&tenant, endpoint.lane)?;
    log.meter = Some(Arc::clone(session.meter()));
    let text = |name| parts.headers.get(name).and_then(|value: &HeaderValue| value.to_str().ok()).map(str::to_owned);
    let (browser, media) = (text(header::USER_AGENT), text(header::CONTENT_TYPE));
    let client = client::address(&parts.extensions, &parts.headers, &app.settings.trusted_proxies);
    let app = Arc::clone(app);
    let path = values;
    let call = Call {
        app,
        tenant,
        session,
        user,
        rights,
        lists,
        repository,
        parameters,
        path,
        body,
        media,
        client,
        browser,
        now,
    };
    let memory = Arc::clone(&call.tenant.archives);
    let answer = endpoint.run(call).await;
    // Whatever a client has been told it saved is found by its next search.
    if !endpoint.only_reads {
        memory.wrote();
    }
    answer
}

/// The library whose archives this port serves.
fn tenant(app: &App) -> Result<Arc<TenantState>, Problem> {
    let unavailable = |text: &str| Problem::Text(StatusCode::SERVICE_UNAVAILABLE, text.into());
    if let Some(id) = &app.settings.archives_tenant {
        return app.tenant(id).ok_or_else(|| unavailable("The library of the setting archives_tenant does not exist"));
    }
    let mut all = app.all_tenants().into_iter().filter(|tenant| tenant.tenant.id != SUPERTENANT);
    match (all.next(), all.next()) {
        (Some(only), None) => Ok(only),
        (None, _) => Err(unavailable("There is no library yet")),
        (Some(_), Some(_)) => {
            Err(unavailable("There are several libraries; set archives_tenant to the one with the archives"))
        }
    }
}

fn secret(headers: &HeaderMap) -> Option<String> {
    let sent = SESSION.iter().find_map(|name| headers.get(*name))?;
    let sent = String::from_utf8_lossy(sent.as_bytes()).into_owned();
    Some(sent).filter(|secret| !secret.is_empty())
}

/// A path as ArchivesSpace's server hands it to its routes: slashes are decoded, and several in a row are one. Its staff
/// application signs in with `/users/admin%2Flogin`, and asks for `/config/enumerations/%2Fnames%2Flevel` (`common/jsonmodel_type.rb`
/// escapes what it takes for an id).
fn routed(path: &str) -> String {
    let mut routed = path.replace("%2F", "/").replace("%2f", "/");
    while routed.contains("//") {
        routed = routed.replace("//", "/");
    }
    if routed.len() > 1 && routed.ends_with('/') {
        routed.pop();
    }
    routed
}

fn is_log_in(path: &str) -> bool {
    path.starts_with("/users/") && path.ends_with("/login")
}

fn decoded(values: Vec<(String, String)>) -> Result<Vec<(String, String)>, Problem> {
    let decode = |(name, value): (String, String)| match percent_decode_str(&value).decode_utf8() {
        Ok(text) if !text.contains('\0') => Ok((name, text.into_owned())),
        _ => Err(Problem::bad_request(format!("{name} in the path is not UTF-8 text"))),
    };
    values.into_iter().map(decode).collect()
}

/// The parameters of the query, of a form in the body, and of the path, which wins.
async fn collect(
    endpoint: &Endpoint,
    parts: &Parts,
    path: &[(String, String)],
    body: &Bytes,
) -> Result<Parameters, Problem> {
    let mut pairs = Query::read(parts.uri.query().unwrap_or_default()).into_pairs();
    if !endpoint.takes_record {
        pairs.extend(form(&parts.headers, body).await?);
    }
    pairs.extend(path.iter().cloned());
    if let Some((name, _)) = pairs.iter().find(|(_, value)| value.contains('\0')) {
        // Not repeated: it may be in the name, too.
        let name = name.replace('\0', "");
        return Err(Refusal::parameter(&name, "The character U+0000 cannot be stored").into());
    }
    Ok(Parameters::collect(pairs))
}

/// The fields of a form: `curl -d` or `curl -F`.
async fn form(headers: &HeaderMap, body: &Bytes) -> Result<Vec<(String, String)>, Problem> {
    let media = headers.get(header::CONTENT_TYPE).and_then(|media| media.to_str().ok()).unwrap_or_default();
    let Ok(boundary) = multer::parse_boundary(media) else {
        return Ok(std::str::from_utf8(body).map(|form| Query::read(form).into_pairs()).unwrap_or_default());
    };
    let broken = |error: multer::Error| Problem::bad_request(format!("The form cannot be read: {error}"));
    let whole = futures_util::stream::once(std::future::ready(Ok::<_, std::convert::Infallible>(body.clone())));
    let mut fields = multer::Multipart::new(whole, boundary);
    let mut pairs = Vec::new();
    while let Some(field) = fields.next_field().await.map_err(broken)? {
        if let Some(name) = field.name().map(str::to_owned) {
            pairs.push((name, field.text().await.map_err(broken)?));
        }
    }
    Ok(pairs)
}

/// Checks the parameters; returns the repository of the path, which must exist.
async fn checked(
    endpoint: &Endpoint,
    given: &Parameters,
    tenant: &TenantState,
    lookups: &store::Session,
) -> Result<Option<i64>, Problem> {
    let of_lists = OF_LISTS.split(' ').map(Parameter::read).filter(|_| endpoint.paging == Paging::Paginated);
    let declared: Vec<_> = endpoint.parameters.iter().cloned().chain(of_lists).collect();
    let mut wrong = given.check(&declared).err().unwrap_or_default();
    let repository = given.integer("repo_id").filter(|_| endpoint.names_repository());
    if let Some(id) = repository
        && !tenant.archives.has_repository(lookups, id).await?
    {
        wrong.insert("repo_id".to_owned(), json!(["Failed validation -- The Repository must exist"]));
    }
    if wrong.is_empty() { Ok(repository) } else { Err(Refusal::Parameters(wrong).into()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Clients read errors as JSON, and what failed inside is not theirs to know.
    #[test]
    fn a_failure_is_json_and_tells_nothing() {
        let log = LogLine::new(&Request::new(Body::empty()));
        let Problem::Json(status, told) = in_json(Problem::Internal("a secret".to_owned()), &log) else {
            panic!("no JSON");
        };
        let text = told["error"].as_str().unwrap_or_default();
        assert!(status == 500 && text.starts_with("Internal server error") && !text.contains("secret"), "{told}");
    }
}
