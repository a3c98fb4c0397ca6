//! `/_/proxy/modules`: all modules known to the platform, including those whose descriptors clients post.

use http::StatusCode;
use identity::modules::{Module, Registry, missing as missing_of};
use serde_json::Value;
use store::{platform::Documents, tenants};

use super::{
    listing,
    listing::MODULE,
    missing,
    refusals::{
        INTERFACES_MISSING, MODULE_BUILT_IN, MODULE_EXISTS, MODULE_ID_INVALID, MODULE_IN_USE, MODULE_UNKNOWN,
        PATTERN_INVALID,
    },
};
use crate::{
    answer::{Problem, Reply},
    call::Call,
    platform::registry,
    route::{Answer, Routes},
};

pub(super) fn routes(routes: &mut Routes) {
    routes
        .get("/_/proxy/modules", list)
        .needs(&["okapi.proxy.modules.list"])
        .summary("List the modules known to the platform")
        .asks(listing::PARAMETERS)
        .gives(&format!("[{{{MODULE}}}]"));
    routes
        .post("/_/proxy/modules", create)
        .needs(&["okapi.proxy.modules.post"])
        .summary("Make a module known")
        .asks("check:bool")
        .takes(MODULE)
        .gives(MODULE)
        .with_status(StatusCode::CREATED);
    routes
        .get("/_/proxy/modules/{module}", get)
        .needs(&["okapi.proxy.modules.get"])
        .summary("Read a module descriptor")
        .gives(MODULE);
    routes
        .delete("/_/proxy/modules/{module}", delete)
        .needs(&["okapi.proxy.modules.delete"])
        .summary("Forget a module");
    routes
        .post("/_/proxy/import/modules", import)
        .needs(&["okapi.proxy.modules.post"])
        .summary("Make several modules known")
        .asks("check:bool")
        .takes(&format!("[{{{MODULE}}}]"));
    routes
        .post("/_/proxy/pull/modules", pull)
        .needs(&["okapi.proxy.pull.modules.post"])
        .summary("Copy module descriptors of another gateway: Carrel copies none")
        .takes("urls[]")
        .gives("[{id*}]");
}

async fn list(call: Call) -> Answer {
    let registry = registry(&call.app).await?;
    let found = listing::narrowed(registry.modules(), &call.query);
    let shown = |module: &&Module| listing::shown(module, &call.query, true);
    Ok(Reply::pretty(&found.iter().map(shown).collect()))
}

/// Characters that no path has, as Okapi has them.
const NOT_IN_PATHS: &str = "\\%+{}()[].;:=?@#^$\"' ";

fn read(descriptor: &Value) -> Result<Module, Problem> {
    let provided = descriptor["provides"].as_array().into_iter().flatten();
    let handlers = provided.flat_map(|interface| interface["handlers"].as_array().into_iter().flatten());
    let patterns = handlers.filter_map(|handler| handler["pathPattern"].as_str());
    if let Some(fault) = patterns.into_iter().find_map(fault_of_pattern) {
        return Err(PATTERN_INVALID.with("fault", fault).into());
    }
    Module::read(descriptor.clone()).ok_or_else(|| {
        let id = descriptor.get("id").and_then(Value::as_str).unwrap_or_default();
        MODULE_ID_INVALID.with("id", id).into()
    })
}

/// What is wrong with a `pathPattern`, whose parameters are in braces.
fn fault_of_pattern(pattern: &str) -> Option<String> {
    let mut is_inside = false;
    for c in pattern.chars() {
        match c {
            '{' if !is_inside => is_inside = true,
            '}' if is_inside => is_inside = false,
            _ if is_inside && (c == '/' || NOT_IN_PATHS.contains(c)) => {
                return Some(format!("Invalid character {c} inside {{}}-construct in pathPattern"));
            }
            _ if NOT_IN_PATHS.contains(c) => return Some(format!("Invalid character {c} for pathPattern")),
            _ => {}
        }
    }
    is_inside.then(|| "Missing }-character for {}-construct in pathPattern".to_owned())
}

/// Adds descriptors. An existing one is accepted again if it is identical. The interfaces they require must be known or
/// among them, unless the client sends `check=false`.
async fn add(call: &Call, modules: &[Module]) -> Result<(), Problem> {
    let taken = |module: &Module| Err(MODULE_EXISTS.with("id", &module.id).into());
    let registry = registry(&call.app).await?;
    let mut new = Vec::new();
    for module in modules {
        match registry.find(&module.id) {
            Some(same) if same == module => {}
            Some(_) => return taken(module),
            None => new.push(module),
        }
    }
    let known: Vec<_> = registry.modules().chain(new.iter().copied()).collect();
    let missing: Vec<_> = new.iter().flat_map(|one| missing_of(one, &known)).collect();
    if !missing.is_empty() && !call.query.is_off("check") {
        return Err(INTERFACES_MISSING.with("missing", missing.join("\n")).into());
    }
    for module in new {
        let added = Documents::Modules.add(&call.app.database, &module.id, &module.descriptor).await?;
        if !added {
            return taken(module);
        }
    }
    Ok(())
}

async fn create(call: Call) -> Answer {
    let module = read(&call.json()?)?;
    add(&call, std::slice::from_ref(&module)).await?;
    let location = format!("/_/proxy/modules/{}", module.id);
    Ok(Reply::pretty(&module.descriptor).created(&location))
}

async fn import(call: Call) -> Answer {
    let sent: Vec<Value> = call.parse()?;
    let modules: Vec<_> = sent.iter().map(read).collect::<Result<_, _>>()?;
    add(&call, &modules).await?;
    Ok(Reply::no_content())
}

async fn pull(call: Call) -> Answer {
    let _: serde_json::Map<String, Value> = call.parse()?;
    Ok(Reply::json_text("[ ]"))
}

async fn get(call: Call) -> Answer {
    let id = call.param("module");
    let registry = registry(&call.app).await?;
    let module = registry.find(id).ok_or_else(|| missing(id))?;
    Ok(Reply::pretty(&module.descriptor))
}

async fn delete(call: Call) -> Answer {
    let id = call.param("module");
    if Registry::is_built_in(id) {
        return Err(MODULE_BUILT_IN.with("id", id).into());
    }
    let tenants = tenants::list(&call.app.database).await?;
    if let Some(user) = tenants.iter().find(|t| t.modules.iter().any(|m| m == id)) {
        return Err(MODULE_IN_USE.with("id", id).with("tenant", &user.id).into());
    }
    if Documents::Modules.remove(&call.app.database, id).await? {
        Ok(Reply::no_content())
    } else {
        Err(MODULE_UNKNOWN.with("id", id).into())
    }
}
