//! Internal calls to the HTTP handlers, without a socket or a token: the command line's loaders send records, and
//! self-checks act with the permissions of the user they logged in as.

use std::sync::Arc;

use bytes::Bytes;
use http::{HeaderMap, Method, StatusCode};
use http_body_util::BodyExt;
use identity::access::Access;
use jiff::Timestamp;
use serde_json::Value;
use store::{Session, db::Lane};

use crate::{
    answer::Problem,
    app::{App, TenantState},
    call::{Call, Caller, Query},
    gateway::identify,
    route::{Answer, Found},
};

/// The request as its handler receives it, with every permission granted on behalf of the operator. Answers 404 text
/// for an unknown path.
pub fn call(
    app: &Arc<App>,
    tenant: &Arc<TenantState>,
    method: &Method,
    path: &str,
    body: &Value,
) -> Result<Call, Problem> {
    let unknown = || Problem::not_found(format!("nothing serves {method} {path}"));
    let found = app.routes.find(method, path).ok_or_else(unknown)?;
    Ok(Call { body: Bytes::from(body.to_string()), ..bare(app, tenant, app.session(tenant)?, found, (app.clock)()) })
}

/// A request without a caller, query string, headers or body.
pub(crate) fn bare(
    app: &Arc<App>,
    tenant: &Arc<TenantState>,
    session: Session,
    (route, path): Found,
    now: Timestamp,
) -> Call {
    Call {
        app: Arc::clone(app),
        tenant: Arc::clone(tenant),
        session,
        caller: None,
        route,
        path,
        query: Query::default(),
        client: None,
        headers: Arc::new(HeaderMap::new()),
        body: Bytes::new(),
        now,
        request_id: "inside".into(),
    }
}

/// Sends a request and returns the response.
pub async fn send(app: &Arc<App>, tenant: &Arc<TenantState>, method: &Method, path: &str, body: &Value) -> Answer {
    let call = call(app, tenant, method, path, body)?;
    let route = Arc::clone(&call.route);
    route.run(call).await
}

/// A user who has logged in without a token, for the duration of one transaction. Every request is checked against the
/// permissions of its route, as in the gateway.
pub struct Insider {
    /// The application.
    pub app: Arc<App>,
    /// The tenant.
    pub tenant: Arc<TenantState>,
    /// A session on the tenant's tables. Counts the round trips of all requests.
    pub session: Session,
    /// The time of all requests; every rule uses this instant.
    pub now: Timestamp,
    access: Arc<Access>,
}

impl Insider {
    /// Acts as a user with the given permissions.
    pub fn new(
        app: &Arc<App>,
        tenant: &Arc<TenantState>,
        access: Arc<Access>,
        now: Timestamp,
    ) -> Result<Self, Problem> {
        Ok(Self {
            app: Arc::clone(app),
            tenant: Arc::clone(tenant),
            session: app.request(tenant, Lane::Desk)?,
            now,
            access,
        })
    }

    /// The user.
    pub fn user(&self) -> &Access {
        &self.access
    }

    /// Checks that the user may send such a request. Path parameters may have any value.
    pub fn permit(&self, method: &Method, path: &str) -> Result<(), Problem> {
        self.route(method, path).map(drop)
    }

    fn route(&self, method: &Method, path: &str) -> Result<Found, Problem> {
        let unknown = || Problem::not_found(format!("nothing serves {method} {path}"));
        let (route, values) = self.app.routes.find(method, path).ok_or_else(unknown)?;
        let module = route.module;
        if module.is_some_and(|module| !self.tenant.has_module(module)) {
            return Err(unknown());
        }
        if self.tenant.has_module("mod-authtoken") {
            identify::permit(&route, false, &self.access)?;
        } else {
            identify::open_tenant(&self.app, &self.tenant, &route)?;
        }
        Ok((route, values))
    }

    /// The request as its handler receives it, unless the gateway refuses it.
    pub fn call(&self, method: &Method, path: &str, body: &Value) -> Result<Call, Problem> {
        let (path, query) = path.split_once('?').unwrap_or((path, ""));
        let found = self.route(method, path)?;
        let caller = Caller {
            user_id: self.access.user_id,
            username: self.access.username.clone(),
            access: Arc::clone(&self.access),
            token: String::new(),
        };
        Ok(Call {
            caller: Some(caller),
            query: Query::read(query),
            body: Bytes::from(body.to_string()),
            ..bare(&self.app, &self.tenant, self.session.clone(), found, self.now)
        })
    }

    /// Sends a request and returns the response body, or null if it has none.
    pub async fn send(&self, method: &Method, path: &str, body: &Value) -> Result<Value, Problem> {
        let call = self.call(method, path, body)?;
        let route = Arc::clone(&call.route);
        read(route.run(call).await).await
    }
}

/// A response body as JSON, or null if it has none.
pub async fn read(answer: Answer) -> Result<Value, Problem> {
    let reply = answer?;
    if reply.status == StatusCode::NO_CONTENT {
        return Ok(Value::Null);
    }
    let unreadable = |error: &dyn std::fmt::Display| Problem::Internal(error.to_string());
    let body = reply.body.collect().await;
    let bytes = body.map_err(|error| unreadable(&error))?.to_bytes();
    if bytes.is_empty() {
        return Ok(Value::Null);
    }
    serde_json::from_slice(&bytes).map_err(|error| unreadable(&error))
}
