//! Requests from inside the process: the loaders of the command line send records to the same handlers as
//! clients do, without a socket and without a token.

use std::sync::Arc;

use bytes::Bytes;
use http::{HeaderMap, Method};
use serde_json::Value;

use crate::{
    answer::Problem,
    app::{App, TenantState},
    call::{Call, Query},
    route::Answer,
};

/// The request as its handler gets it; every permission counts as granted by the operator.
///
/// # Errors
/// 404 text for a path nothing serves.
pub fn call(
    app: &Arc<App>,
    tenant: &Arc<TenantState>,
    method: &Method,
    path: &str,
    body: &Value,
) -> Result<Call, Problem> {
    let unknown = || Problem::not_found(format!("nothing serves {method} {path}"));
    let (route, values) = app.routes.find(method, path).ok_or_else(unknown)?;
    Ok(Call {
        app: Arc::clone(app),
        tenant: Arc::clone(tenant),
        session: app.session(tenant)?,
        caller: None,
        route,
        path: values,
        query: Query::default(),
        headers: Arc::new(HeaderMap::new()),
        body: Bytes::from(body.to_string()),
        now: (app.clock)(),
        request_id: "inside".into(),
    })
}

/// Sends a request and returns its answer.
///
/// # Errors
/// The handler's refusal.
pub async fn send(
    app: &Arc<App>,
    tenant: &Arc<TenantState>,
    method: &Method,
    path: &str,
    body: &Value,
) -> Answer {
    let call = call(app, tenant, method, path, body)?;
    let route = Arc::clone(&call.route);
    route.run(call).await
}
