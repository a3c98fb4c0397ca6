//! `/_/proxy/tenants/{tenant}/interfaces`: the interfaces that a tenant's modules provide.

use std::collections::HashSet;

use identity::modules::{Interface, Module};
use serde_json::{Value, json};

use super::{listing::INTERFACE, tenants};
use crate::{
    answer::{Problem, Reply},
    call::Call,
    platform::registry,
    route::{Answer, Routes},
};

const PATH: &str = "/_/proxy/tenants/{tenant}/interfaces";

pub(super) fn routes(routes: &mut Routes) {
    routes
        .get(PATH, list)
        .needs(&["okapi.proxy.tenants.interfaces.list"])
        .needs_of_own_tenant(&[])
        .summary("List the interfaces a tenant has")
        .asks("full:bool, type")
        .gives(&format!("[{{{INTERFACE}}}]"));
    routes
        .get(&format!("{PATH}/{{interface}}"), providers)
        .needs(&["okapi.proxy.tenants.interfaces.get"])
        .needs_of_own_tenant(&[])
        .summary("List the modules of a tenant that provide an interface")
        .asks("type")
        .gives("[{id*}]");
}

async fn enabled(call: &Call) -> Result<Vec<Module>, Problem> {
    let tenant = tenants::find(call).await?;
    let registry = registry(&call.app).await?;
    let enabled = tenant.modules.iter().filter_map(|id| registry.find(id));
    Ok(enabled.cloned().collect())
}

async fn list(call: Call) -> Answer {
    let modules = enabled(&call).await?;
    let kind = call.query.get("type");
    let full = call.query.flag("full");
    let mut told = HashSet::new();
    let mut shown = Vec::new();
    for module in &modules {
        for interface in module.provides.iter().filter(|i| is_of_kind(i, kind)) {
            let first = told.insert((interface.id.clone(), interface.version.clone()));
            if full {
                shown.push(descriptor_of(module, interface));
            } else if first {
                shown.push(json!({"id": interface.id, "version": interface.version}));
            }
        }
    }
    Ok(Reply::pretty(&Value::Array(shown)))
}

fn is_of_kind(interface: &Interface, kind: Option<&str>) -> bool {
    let own = interface.kind.as_deref().unwrap_or("proxy");
    kind.is_none_or(|kind| kind == own)
}

/// The interface with its routes.
fn descriptor_of(module: &Module, interface: &Interface) -> Value {
    let provides = module.descriptor["provides"].as_array();
    let found = provides.into_iter().flatten().find(|described| described["id"] == interface.id.as_str());
    found.cloned().unwrap_or_default()
}

async fn providers(call: Call) -> Answer {
    let modules = enabled(&call).await?;
    let (id, kind) = (call.param("interface"), call.query.get("type"));
    let provides = |module: &&Module| module.provides.iter().any(|i| i.id == id && is_of_kind(i, kind));
    let providers: Vec<_> = modules.iter().filter(provides).map(|m| json!({"id": m.id})).collect();
    Ok(Reply::pretty(&Value::Array(providers)))
}
