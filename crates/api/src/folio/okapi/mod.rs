//! Okapi's administration of tenants and modules (docs/folio/okapi.md). Responses are formatted as Okapi formats them;
//! errors are text.

mod discovery;
mod install;
mod interfaces;
mod jobs;
mod listing;
mod modules;
mod refusals;
mod tenant_modules;
mod tenants;
mod timers;

use identity::modules::{OKAPI, Registry, version_of};

pub(crate) use refusals::TABLE;

use crate::{
    answer::{Problem, Reply},
    call::Call,
    route::{Answer, Routes},
};
use refusals::NOT_FOUND;

/// Adds the gateway's own routes.
pub fn routes(routes: &mut Routes) {
    routes.get("/_/version", version).open().summary("Version of the gateway's API").gives_text();
    let health_of_all = format!("[{{{}}}]", discovery::HEALTH);
    routes.get("/_/proxy/health", health).open().summary("Whether the gateway answers").gives(&health_of_all);
    tenants::routes(routes);
    tenant_modules::routes(routes);
    install::routes(routes);
    interfaces::routes(routes);
    modules::routes(routes);
    timers::routes(routes);
    jobs::routes(routes);
    discovery::routes(routes);
}

async fn version(_: Call) -> Answer {
    let ids = Registry::built_in(OKAPI);
    let version = ids.first().and_then(|id| version_of(id));
    Ok(Reply::text(version.unwrap_or_default()))
}

async fn health(_: Call) -> Answer {
    Ok(Reply::json_text("[ ]"))
}

/// Okapi answers only the name of what does not exist.
fn missing(name: impl Into<String>) -> Problem {
    NOT_FOUND.with("name", name.into()).into()
}
