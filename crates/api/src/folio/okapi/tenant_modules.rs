//! `/_/proxy/tenants/{tenant}/modules`: the modules enabled for a tenant.

use http::StatusCode;
use identity::modules::{Action, Change, Module, Wanted, product_of};
use serde::Deserialize;
use serde_json::json;

use super::{listing, missing, tenants};
use crate::{
    answer::{Problem, Reply},
    call::Call,
    platform::{Installation, install, registry},
    route::{Answer, Routes},
};

const PATH: &str = "/_/proxy/tenants/{tenant}/modules";

pub(super) fn routes(routes: &mut Routes) {
    let one = &format!("{PATH}/{{module}}");
    routes
        .get(PATH, list)
        .needs(&["okapi.proxy.tenants.modules.list"])
        .needs_of_own_tenant(&[])
        .summary("List the modules of a tenant")
        .asks(listing::PARAMETERS)
        .gives(&format!("[{{{}}}]", listing::MODULE));
    routes
        .post(PATH, enable)
        .needs(&["okapi.proxy.tenants.modules.post"])
        .summary("Enable a module for a tenant")
        .asks("depCheck:bool")
        .gives("id*")
        .with_status(StatusCode::CREATED)
        .takes("id*");
    routes
        .delete(PATH, disable_all)
        .needs(&["okapi.proxy.tenants.modules.enabled.delete"])
        .summary("Disable all modules of a tenant")
        .asks("depCheck:bool");
    routes
        .get(one, get)
        .needs(&["okapi.proxy.tenants.modules.enabled.get"])
        .needs_of_own_tenant(&[])
        .summary("Read a module a tenant has")
        .gives("id*");
    routes
        .post(one, enable)
        .needs(&["okapi.proxy.tenants.modules.enabled.post"])
        .summary("Replace a module of a tenant by another version")
        .asks("depCheck:bool")
        .takes("id*")
        .gives("id*")
        .with_status(StatusCode::CREATED);
    routes
        .delete(one, disable)
        .needs(&["okapi.proxy.tenants.modules.enabled.delete"])
        .summary("Disable a module for a tenant")
        .asks("depCheck:bool");
}

#[derive(Deserialize)]
struct Named {
    id: String,
}

async fn list(call: Call) -> Answer {
    let tenant = tenants::find(&call).await?;
    let registry = registry(&call.app).await?;
    let enabled = registry.modules().filter(|module| tenant.modules.contains(&module.id));
    let found = listing::narrowed(enabled, &call.query);
    let shown = |module: &&Module| listing::shown(module, &call.query, false);
    Ok(Reply::pretty(&found.iter().map(shown).collect()))
}

async fn get(call: Call) -> Answer {
    let tenant = tenants::find(&call).await?;
    let id = call.param("module");
    if !tenant.modules.iter().any(|module| module == id) {
        return Err(missing(id));
    }
    Ok(Reply::pretty(&json!({ "id": id })))
}

async fn change(call: &Call, ids: Vec<String>, action: Action) -> Result<Vec<Change>, Problem> {
    let wanted = ids.into_iter().map(|id| Wanted { id, action }).collect();
    let request = Installation { wanted, unchecked: call.query.is_off("depCheck"), ..Installation::default() };
    install(&call.app, call.param("tenant"), &request).await
}

/// Enables a module, given by id or product. It may replace another version.
async fn enable(call: Call) -> Answer {
    let Named { id } = call.parse()?;
    let changes = change(&call, vec![id.clone()], Action::Enable).await?;
    let mut ids = changes.into_iter().map(|change| change.id);
    let found = ids.find(|one| *one == id || product_of(one) == id);
    let id = found.unwrap_or(id);
    let location = format!("/_/proxy/tenants/{}/modules/{id}", call.param("tenant"));
    Ok(Reply::pretty(&json!({ "id": id })).created(&location))
}

async fn disable(call: Call) -> Answer {
    let tenant = tenants::find(&call).await?;
    let id = call.param("module").to_owned();
    if !tenant.modules.contains(&id) {
        return Err(missing(&id));
    }
    change(&call, vec![id], Action::Disable).await?;
    Ok(Reply::no_content())
}

async fn disable_all(call: Call) -> Answer {
    let tenant = tenants::find(&call).await?;
    change(&call, tenant.modules, Action::Disable).await?;
    Ok(Reply::no_content())
}
