//! `/_/proxy/tenants`: manages tenants.

use http::StatusCode;
use serde::Deserialize;
use serde_json::{Value, json};
use store::tenants::{self, Tenant};
use uuid::Uuid;

use super::{
    missing,
    refusals::{SUPERTENANT_DELETED, TENANT_ID_CHANGED},
};
use crate::{
    answer::{Problem, Reply},
    call::Call,
    platform,
    route::{Answer, Routes},
};

const BODY: &str = "id, name, description";

pub(super) fn routes(routes: &mut Routes) {
    routes
        .get("/_/proxy/tenants", list)
        .needs(&["okapi.proxy.tenants.list"])
        .summary("List the tenants")
        .gives(&format!("[{{{BODY}}}]"));
    routes
        .post("/_/proxy/tenants", create)
        .needs(&["okapi.proxy.tenants.post"])
        .summary("Create a tenant")
        .with_status(StatusCode::CREATED)
        .takes(BODY)
        .gives(BODY);
    routes
        .get("/_/proxy/tenants/{tenant}", get)
        .needs(&["okapi.proxy.tenants.get"])
        .summary("Read a tenant")
        .gives(BODY);
    routes
        .put("/_/proxy/tenants/{tenant}", replace)
        .needs(&["okapi.proxy.tenants.put"])
        .summary("Rename a tenant")
        .takes(BODY)
        .gives(BODY);
    routes
        .delete("/_/proxy/tenants/{tenant}", delete)
        .needs(&["okapi.proxy.tenants.delete"])
        .summary("Delete a tenant and everything it has");
}

#[derive(Deserialize)]
struct Description {
    id: Option<String>,
    name: Option<String>,
    description: Option<String>,
}

fn shown(id: &str, name: &str, description: Option<&str>) -> Value {
    let mut value = json!({"id": id, "name": name});
    if let Some(description) = description {
        value["description"] = description.into();
    }
    value
}

fn show(tenant: &Tenant) -> Value {
    shown(&tenant.id, &tenant.name, tenant.description.as_deref())
}

async fn list(call: Call) -> Answer {
    let tenants = tenants::list(&call.app.database).await?;
    Ok(Reply::pretty(&tenants.iter().map(show).collect()))
}

async fn create(call: Call) -> Answer {
    let sent: Description = call.parse()?;
    let id = sent
        .id
        .filter(|id| !id.is_empty())
        .unwrap_or_else(|| format!("t{}", &Uuid::new_v4().simple().to_string()[..30]));
    platform::check_id(&id)?;
    let name = sent.name.unwrap_or_else(|| id.clone());
    let description = sent.description.as_deref();
    platform::create_tenant(&call.app, &id, &name, description).await?;
    let location = format!("/_/proxy/tenants/{id}");
    Ok(Reply::pretty(&shown(&id, &name, description)).created(&location))
}

async fn get(call: Call) -> Answer {
    Ok(Reply::pretty(&show(&find(&call).await?)))
}

/// The tenant in the path.
pub(super) async fn find(call: &Call) -> Result<Tenant, Problem> {
    let id = call.param("tenant");
    let found = tenants::find(&call.app.database, id).await?;
    found.ok_or_else(|| missing(id))
}

async fn replace(call: Call) -> Answer {
    let id = call.param("tenant");
    let sent: Description = call.parse()?;
    if let Some(sent) = sent.id.filter(|sent| sent != id) {
        return Err(TENANT_ID_CHANGED.with("sent", sent).with("id", id).into());
    }
    let name = sent.name.unwrap_or_else(|| id.to_owned());
    let description = sent.description.as_deref();
    if !tenants::rename(&call.app.database, id, &name, description).await? {
        return Err(missing(id));
    }
    call.app.refresh_tenants().await?;
    Ok(Reply::pretty(&shown(id, &name, description)))
}

async fn delete(call: Call) -> Answer {
    let id = call.param("tenant");
    if id == platform::SUPERTENANT {
        return Err(SUPERTENANT_DELETED.with("id", id).into());
    }
    if !platform::delete_tenant(&call.app, id).await? {
        return Err(missing(id));
    }
    Ok(Reply::no_content())
}
