//! Enables and disables a tenant's modules: plans the steps, loads the data, then writes permissions and modules in one
//! transaction. A module listed as enabled is complete; a failure before that leaves rows that a retry accepts.

use identity::{
    modules::{Action, Change, Module, PlanError, Registry, Wanted, plan, product_of},
    permissions::{self, Collision},
};
use serde_json::json;
use store::{Session, bundle::Set, platform::Documents, record, tenants, tenants::Tenant};

use super::{
    bundled_records::load_bundled,
    refusals::{INTERFACES_MISSING, MODULE_UNKNOWN, PERMISSION_TAKEN, TENANT_UNKNOWN},
};
use crate::{answer::Problem, app::App, descriptors};

/// An installation request (docs/folio/okapi.md#installation).
#[derive(Debug, Clone, Default)]
pub struct Installation {
    /// Modules to enable and disable, in this order.
    pub wanted: Vec<Wanted>,
    /// Load the reference data of newly enabled modules.
    pub load_reference: bool,
    /// Load the sample data of newly enabled modules.
    pub load_sample: bool,
    /// Delete the data of newly disabled modules.
    pub purge: bool,
    /// Only report the steps.
    pub simulate: bool,
    /// Enable modules even if their required interfaces are missing.
    pub unchecked: bool,
    /// Give modules their permissions even if a user or another module has one of the names.
    pub takes_names: bool,
}

/// All modules: Carrel's own and those that clients have posted. One round trip.
pub async fn registry(app: &App) -> Result<Registry, Problem> {
    let posted = Documents::Modules.all(&app.database).await?;
    let posted = posted.into_iter().filter_map(Module::read).collect();
    Ok(Registry::with(&app.modules, posted))
}

/// Carries out an installation and returns its steps. Answers 404 text for an unknown tenant or module, and 400 text in
/// Okapi's words for a module whose required interfaces are missing, or that defines a permission of someone else.
pub async fn install(app: &App, tenant: &str, request: &Installation) -> Result<Vec<Change>, Problem> {
    let tenant = tenants::find(&app.database, tenant).await?.ok_or_else(|| TENANT_UNKNOWN.with("id", tenant))?;
    let registry = registry(app).await?;
    let check = !request.unchecked;
    let changes = plan(&registry, &tenant.modules, &request.wanted, check).map_err(|error| match error {
        PlanError::Unknown(id) => MODULE_UNKNOWN.with("id", id),
        PlanError::Unmet(_) => INTERFACES_MISSING.with("missing", error.to_string()),
    })?;
    if !request.simulate {
        carry_out(app, &tenant, &registry, request, &changes).await?;
        app.refresh_tenants().await?;
        if let Some(state) = app.tenant(&tenant.id) {
            state.directory.forget();
        }
    }
    Ok(changes)
}

async fn carry_out(
    app: &App,
    tenant: &Tenant,
    registry: &Registry,
    request: &Installation,
    changes: &[Change],
) -> Result<(), Problem> {
    let session = app.database.session(&tenants::schema_name(&tenant.id))?;
    let enabled = of(changes, Action::Enable);
    let disabled = of(changes, Action::Disable);
    load_data(app, &session, request, &enabled).await?;
    let modules = announcing(registry, tenant, &enabled);
    let replaced = changes.iter().filter_map(|change| change.from.clone());
    let gone: Vec<_> = disabled.iter().map(|id| (*id).to_owned()).chain(replaced).collect();
    let come: Vec<_> = enabled.iter().map(|id| (*id).to_owned()).collect();

    let now = record::print_instant((app.clock)());
    let metadata = json!({"createdDate": now, "updatedDate": now});
    let transaction = session.begin().await?;
    tenants::lock(&transaction, &tenant.id).await?;
    tenants::change_modules_in(&transaction, &tenant.id, &come, &gone).await?;
    if !disabled.is_empty() {
        let products: Vec<_> = disabled.iter().map(|id| product_of(id)).collect();
        permissions::deprecate(&transaction, &products).await?;
        if request.purge {
            tenants::empty(&transaction, &tables_of(app, &products)).await?;
        }
    }
    if !modules.is_empty() {
        let taken = permissions::install(&transaction, &modules, &metadata, request.takes_names).await?;
        if let Some(taken) = taken {
            return Err(name_taken(registry, &taken));
        }
    }
    transaction.commit().await?;
    Ok(())
}

/// The refusal of a module that defines a permission of a user or of another module.
fn name_taken(registry: &Registry, taken: &Collision) -> Problem {
    let keeper = registry.resolve("mod-permissions").map(|module| module.id.as_str());
    let refusal = PERMISSION_TAKEN.with("module", keeper.unwrap_or_default());
    refusal.with("name", taken.name.as_str()).with("record", taken.record.to_string()).into()
}

/// The modules whose permissions to write: those newly enabled, and all of the tenant's if mod-permissions is one of
/// them.
fn announcing<'a>(registry: &'a Registry, tenant: &Tenant, enabled: &[&str]) -> Vec<&'a Module> {
    let mut ids = enabled.to_vec();
    if enabled.iter().any(|id| product_of(id) == "mod-permissions") {
        ids.extend(tenant.modules.iter().map(String::as_str));
    }
    ids.into_iter().filter_map(|id| registry.find(id)).collect()
}

async fn load_data(app: &App, session: &Session, request: &Installation, enabled: &[&str]) -> Result<(), Problem> {
    let products: Vec<_> = enabled.iter().map(|id| product_of(id)).collect();
    let mut sets = vec![Set::Seed];
    if request.load_reference {
        sets.push(Set::Reference);
    }
    if request.load_sample {
        sets.push(Set::Sample);
    }
    load_bundled(app, session, &sets, &products).await
}

/// The modules whose last step is `action`.
fn of(changes: &[Change], action: Action) -> Vec<&str> {
    let is_last = |place: usize, change: &Change| {
        let later = &changes[place + 1..];
        later.iter().all(|other| other.id != change.id || other.action == Action::UpToDate)
    };
    changes
        .iter()
        .enumerate()
        .filter(|(place, change)| change.action == action && is_last(*place, change))
        .map(|(_, change)| change.id.as_str())
        .collect()
}

/// The tables of the products' collections.
fn tables_of<'a>(app: &'a App, products: &[&str]) -> Vec<&'a str> {
    let declared = app
        .collections
        .iter()
        .filter(|collection| descriptors::owner(collection.path).is_some_and(|owner| products.contains(&owner)));
    let mut tables: Vec<_> = declared.map(|collection| collection.table).collect();
    if products.contains(&"mod-login") {
        tables.extend(identity::collections::CREDENTIAL_TABLES);
    }
    tables
}
