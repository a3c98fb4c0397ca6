//! `/_/proxy/tenants/{tenant}/modules`: which modules a tenant has.

use identity::modules::{Action, Module, Wanted};
use serde::Deserialize;
use serde_json::json;

use super::{listing, missing, tenants};
use crate::{
    answer::Reply,
    call::Call,
    platform::{Installation, catalogue, install},
    route::{Answer, Routes},
};

const PATH: &str = "/_/proxy/tenants/{tenant}/modules";

pub(super) fn routes(routes: &mut Routes) {
    let one = &format!("{PATH}/{{module}}");
    routes
        .get(PATH, list)
        .needs(&["okapi.proxy.tenants.modules.list"])
        .summary("List the modules of a tenant");
    routes
        .post(PATH, enable)
        .needs(&["okapi.proxy.tenants.modules.post"])
        .summary("Enable a module for a tenant")
        .takes("id*");
    routes
        .delete(PATH, disable_all)
        .needs(&["okapi.proxy.tenants.modules.enabled.delete"])
        .summary("Disable all modules of a tenant");
    routes
        .get(one, get)
        .needs(&["okapi.proxy.tenants.modules.enabled.get"])
        .summary("Read a module a tenant has");
    routes
        .post(one, upgrade)
        .needs(&["okapi.proxy.tenants.modules.enabled.post"])
        .summary("Replace a module of a tenant by another version");
    routes
        .delete(one, disable)
        .needs(&["okapi.proxy.tenants.modules.enabled.delete"])
        .summary("Disable a module for a tenant");
}

#[derive(Deserialize)]
struct Named {
    id: String,
}

async fn list(call: Call) -> Answer {
    let tenant = tenants::find(&call).await?;
    let catalogue = catalogue(&call.app).await?;
    let enabled = catalogue
        .modules()
        .filter(|module| tenant.modules.contains(&module.id));
    let found = listing::narrowed(enabled, &call.query);
    let shown = |module: &&Module| listing::shown(module, &call.query, false);
    Ok(Reply::pretty(&found.iter().map(shown).collect()))
}

async fn get(call: Call) -> Answer {
    let tenant = tenants::find(&call).await?;
    let id = call.param("module");
    if !tenant.modules.iter().any(|module| module == id) {
        return Err(missing("Module", id));
    }
    Ok(Reply::pretty(&json!({ "id": id })))
}

async fn change(
    call: &Call,
    ids: Vec<String>,
    action: Action,
) -> Result<(), crate::answer::Problem> {
    let wanted = ids.into_iter().map(|id| Wanted { id, action }).collect();
    let request = Installation {
        wanted,
        ..Installation::default()
    };
    install(&call.app, call.param("tenant"), &request).await?;
    Ok(())
}

async fn enable(call: Call) -> Answer {
    let sent: Named = call.parse()?;
    change(&call, vec![sent.id.clone()], Action::Enable).await?;
    enabled(&call, &sent.id)
}

async fn upgrade(call: Call) -> Answer {
    let sent: Named = call.parse()?;
    change(&call, vec![sent.id.clone()], Action::Enable).await?;
    enabled(&call, &sent.id)
}

fn enabled(call: &Call, id: &str) -> Answer {
    let location = format!("/_/proxy/tenants/{}/modules/{id}", call.param("tenant"));
    Ok(Reply::pretty(&json!({ "id": id })).created(&location))
}

async fn disable(call: Call) -> Answer {
    let tenant = tenants::find(&call).await?;
    let id = call.param("module").to_owned();
    if !tenant.modules.contains(&id) {
        return Err(missing("Module", &id));
    }
    change(&call, vec![id], Action::Disable).await?;
    Ok(Reply::no_content())
}

async fn disable_all(call: Call) -> Answer {
    let tenant = tenants::find(&call).await?;
    change(&call, tenant.modules, Action::Disable).await?;
    Ok(Reply::no_content())
}
