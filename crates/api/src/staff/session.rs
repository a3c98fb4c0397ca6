//! `/session` of the staff port: sign in, who is signed in, sign out; and who makes a request of a page
//! ([decision 64](../../../../docs/decisions/0064-the-staff-pages-have-a-session-in-a-cookie.md)).

use std::sync::Arc;

use axum::body::Body;
use http::{HeaderMap, HeaderName, HeaderValue, Method, Request, Response, StatusCode, header};
use identity::{
    composite::{self, Wanted},
    door::Visitor,
    events,
    refresh::RefreshToken,
    sign_in::{self, Name, SignInError},
    staff_sessions::Staff,
};
use serde::Deserialize;
use serde_json::{Value, json};
use store::{Session, db::Lane};

use super::page::{self, Origin};
use crate::{
    answer::{Problem, Reply},
    app::{App, TenantState},
    folio::LOG_IN_REFUSED,
    gateway::{
        self,
        body::{Allowed, ON_OPEN_ROUTES, Sent},
        client,
        entry::LogLine,
    },
};

pub(super) const PATH: &str = "/session";
const NOBODY: &str = "Nobody is signed in, or not any more";

#[derive(Deserialize)]
struct LogIn {
    library: String,
    username: String,
    password: String,
}

/// Answers a request for the session itself.
pub(super) async fn serve(app: &Arc<App>, request: Request<Body>) -> Response<Body> {
    let mut log = LogLine::new(&request);
    let outcome = answer(app, request, &mut log).await;
    let mut response = gateway::render(outcome, &log);
    response.headers_mut().insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    log.write(response.status());
    response
}

async fn answer(app: &Arc<App>, request: Request<Body>, log: &mut LogLine) -> Result<Reply, Problem> {
    if page::origin(request.headers()) != Origin::OwnPage {
        return Err(foreign());
    }
    match *request.method() {
        Method::POST => begin(app, request, log).await,
        Method::GET => {
            let (tenant, staff) = current(app, request.headers()).await?.ok_or_else(nobody)?;
            log.tenant.clone_from(&tenant.tenant.id);
            let session = app.request(&tenant, Lane::Desk)?;
            Ok(Reply::json(&described(app, &tenant, &session, &staff).await?))
        }
        Method::DELETE => {
            let secure = page::is_secure(request.extensions(), request.headers(), &app.settings.trusted_proxies);
            end(app, request.headers(), secure).await
        }
        _ => Err(Problem::Text(StatusCode::METHOD_NOT_ALLOWED, "GET, POST or DELETE".to_owned())),
    }
}

async fn begin(app: &Arc<App>, request: Request<Body>, log: &mut LogLine) -> Result<Reply, Problem> {
    let (parts, body) = request.into_parts();
    let secure = page::is_secure(&parts.extensions, &parts.headers, &app.settings.trusted_proxies);
    let silence = app.settings.patience.silence;
    let allowed = Allowed { limit: ON_OPEN_ROUTES, too_large: None, room: &app.bodies, silence };
    let (body, _room) = Sent::new(&parts.headers, body).read(&allowed).await?;
    let unread = |error: serde_json::Error| Problem::bad_request(format!("The log-in cannot be read: {error}"));
    let LogIn { library, username, password } = serde_json::from_slice(&body).map_err(unread)?;
    let tenant = app.tenant(&library).filter(|tenant| tenant.has_module("mod-login"));
    let tenant = tenant.ok_or_else(|| Problem::bad_request(format!("No such Tenant {library}")))?;
    log.tenant.clone_from(&library);
    let now = (app.clock)();
    let client = client::address(&parts.extensions, &parts.headers, &app.settings.trusted_proxies);
    let browser = parts.headers.get(header::USER_AGENT).and_then(|value| value.to_str().ok());
    let address = client.map(|address| address.to_string());
    let origin = events::Origin { tenant: library.clone(), address, browser: browser.map(str::to_owned) };
    let visitor = Visitor { tenant: &library, name: &username, address: client };
    let session = app.request(&tenant, Lane::Desk)?;
    let secret = RefreshToken::new(now, app.settings.refresh_token_seconds);
    let name = Name::Username(username.clone());
    let checking = sign_in::sign_in(&session, &name, &password, Some(&secret), &origin, now);
    let signed_in = app.door.pass(visitor, now, checking, sign_in::verdict).await?;
    signed_in.map_err(|failed| match failed {
        SignInError::Store(error) => Problem::from(error),
        SignInError::Refused { blocked } => {
            if let Some(user) = blocked {
                tenant.directory.forget_user(user);
            }
            LOG_IN_REFUSED.into()
        }
    })?;
    let staff = tenant.staff.find(&session, (&app.keys, &library), &secret.text, now).await?.ok_or_else(nobody)?;
    let told = described(app, &tenant, &session, &staff).await?;
    let cookie = page::begin(&library, &secret.text, secure);
    Ok(Reply::json(&told).with_status(StatusCode::CREATED).with_header(header::SET_COOKIE, &cookie))
}

/// Ends the session of the cookie, which goes in any case.
async fn end(app: &App, headers: &HeaderMap, secure: bool) -> Result<Reply, Problem> {
    if let Some((library, secret)) = page::cookie(headers)
        && let Some(tenant) = app.tenant(library)
    {
        tenant.staff.end(&app.request(&tenant, Lane::Desk)?, secret).await?;
    }
    Ok(Reply::no_content().with_header(header::SET_COOKIE, &page::end(secure)))
}

/// The library and the user of a request's cookie. `None` if nobody is signed in, or another user or in another library
/// than the page believes: in another tab of the browser, somebody else has signed in.
async fn current(app: &App, headers: &HeaderMap) -> Result<Option<(Arc<TenantState>, Arc<Staff>)>, Problem> {
    let Some((library, secret)) = page::cookie(headers) else { return Ok(None) };
    let Some(tenant) = app.tenant(library) else { return Ok(None) };
    let lookups = app.request(&tenant, Lane::Desk)?;
    let found = tenant.staff.find(&lookups, (&app.keys, library), secret, (app.clock)()).await?;
    let believed = |name: &str, is: &str| headers.get(name).is_none_or(|sent| sent.as_bytes() == is.as_bytes());
    let as_believed = |staff: &Arc<Staff>| {
        believed("x-okapi-tenant", library) && believed("x-okapi-user-id", &staff.user_id.to_string())
    };
    Ok(found.filter(as_believed).map(|staff| (tenant, staff)))
}

/// Gives a page's request the token of its session, if it has none of its own. Answers 401 if nobody is signed in.
pub(super) async fn identify(app: &App, request: &mut Request<Body>) -> Result<(), Problem> {
    let names_itself = ["x-okapi-token", "authorization"].iter().any(|name| request.headers().contains_key(*name));
    match page::origin(request.headers()) {
        Origin::Client => return Ok(()),
        Origin::Elsewhere => return Err(foreign()),
        Origin::OwnPage if names_itself => return Ok(()),
        Origin::OwnPage => {}
    }
    let (tenant, staff) = current(app, request.headers()).await?.ok_or_else(nobody)?;
    let headers = request.headers_mut();
    headers.remove(header::COOKIE);
    for (name, value) in [("x-okapi-tenant", &tenant.tenant.id), ("x-okapi-token", &staff.token)] {
        let value = HeaderValue::from_str(value).map_err(|error| Problem::Internal(error.to_string()))?;
        headers.insert(HeaderName::from_static(name), value);
    }
    Ok(())
}

/// What a page has to know of its user. Two round trips, one if the permissions were read a moment ago.
async fn described(app: &App, tenant: &TenantState, session: &Session, staff: &Staff) -> Result<Value, Problem> {
    let access = tenant.directory.access(session, staff.user_id, (app.clock)()).await?.ok_or_else(nobody)?;
    let mut permissions: Vec<&str> = access.permissions().collect();
    permissions.sort_unstable();
    let wanted = Wanted { service_points: true, ..Wanted::default() };
    let found = composite::find(session, &Name::Id(staff.user_id), wanted).await?.ok_or_else(nobody)?;
    let user = parsed(&found.user)?;
    let points = found.service_points.as_deref().map(parsed).transpose()?.unwrap_or_default();
    let listed = points["servicePoints"].as_array().into_iter().flatten();
    let listed: Vec<Value> = listed.map(|point| json!({"id": point["id"], "name": point["name"]})).collect();
    let personal = &user["personal"];
    let mut told = json!({"library": tenant.tenant.id,
        "user": {"id": staff.user_id, "username": access.username, "lastName": personal["lastName"],
            "firstName": personal["firstName"], "preferredFirstName": personal["preferredFirstName"]},
        "permissions": permissions, "servicePoints": listed,
        "defaultServicePointId": points["defaultServicePointId"], "expires": staff.expires.to_string()});
    drop_nulls(&mut told["user"]);
    drop_nulls(&mut told);
    Ok(told)
}

fn drop_nulls(value: &mut Value) {
    if let Some(members) = value.as_object_mut() {
        members.retain(|_, value| !value.is_null());
    }
}

fn parsed(text: &str) -> Result<Value, Problem> {
    serde_json::from_str(text).map_err(|error| Problem::Internal(format!("a stored record: {error}")))
}

fn nobody() -> Problem {
    Problem::Text(StatusCode::UNAUTHORIZED, NOBODY.to_owned())
}

fn foreign() -> Problem {
    let text = "This request does not come from a page of this server";
    Problem::Text(StatusCode::FORBIDDEN, text.to_owned())
}
