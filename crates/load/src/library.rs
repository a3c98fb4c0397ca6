//! The sample library as a tenant: creates it, sets it up and fills it.

use std::sync::Arc;

use api::{
    app::{App, TenantState},
    first_users,
    load::{Loader, Outcome},
    platform::{self, FirstUser},
};
use sample::{
    Library, Plan,
    settings::{Action, Part},
};
use serde_json::json;
use store::{
    statements::{archives::ARE_ARCHIVES_EMPTY, identity::USER_BY_NAME},
    tenants::{self, schema_name},
};
use uuid::Uuid;

use crate::{LoadError, archives, bulk, progress::Progress};

/// The description of a tenant while it is being filled; a tenant that still has it was left incomplete.
const LOADING: &str = "A sample library, not yet complete";
const COMPLETE: &str = "A sample library; its administrator's password is known to everybody";
/// The password of the archives' administrator in a sample library. It is public.
const ARCHIVES_PASSWORD: &str = "admin";
const NAME: &str = "Sample library";

/// The administrator of a sample library, whose password is public.
#[derive(Debug, Clone)]
pub struct Administrator {
    pub username: String,
    pub password: String,
}

impl Administrator {
    /// The administrator of FOLIO's own sample tenants.
    pub fn of(tenant: &str) -> Self {
        Self { username: format!("{tenant}_admin"), password: "admin".into() }
    }
}

/// The state of a sample library under a tenant's id.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Found {
    Nothing,
    /// A tenant with unknown content.
    Tenant,
    /// The remains of an interrupted load.
    Remains,
}

pub fn find(app: &App, tenant: &str) -> Found {
    match app.tenant(tenant) {
        None => Found::Nothing,
        Some(state) if state.tenant.description.as_deref() == Some(LOADING) => Found::Remains,
        Some(_) => Found::Tenant,
    }
}

/// Creates a sample library. The remains of an interrupted load are removed first; any other tenant with that id is
/// removed only with `replace`.
///
/// # Errors
/// [`LoadError::TenantExists`], or an error of the database, after which the tenant is removed again.
pub async fn create(
    app: &Arc<App>,
    tenant: &str,
    administrator: &Administrator,
    plan: Plan,
    replace: bool,
    progress: &dyn Progress,
) -> Result<(), LoadError> {
    match find(app, tenant) {
        Found::Tenant if !replace => return Err(LoadError::TenantExists(tenant.into())),
        Found::Nothing => {}
        _ => drop(platform::delete_tenant(app, tenant).await?),
    }
    progress.begin("Making the tenant", 1);
    let first =
        FirstUser { username: &administrator.username, password: Some(&administrator.password), of_the_platform: true };
    platform::create_library(app, tenant, NAME, &first, true, false).await?;
    tenants::rename(&app.database, tenant, NAME, Some(LOADING)).await?;
    progress.advance(1);
    if let Err(error) = fill(app, tenant, administrator, plan, progress).await {
        platform::delete_tenant(app, tenant).await?;
        return Err(error);
    }
    tenants::rename(&app.database, tenant, NAME, Some(COMPLETE)).await?;
    app.refresh_tenants().await?;
    Ok(())
}

/// Sets up an empty tenant and fills it.
async fn fill(
    app: &Arc<App>,
    tenant: &str,
    administrator: &Administrator,
    plan: Plan,
    progress: &dyn Progress,
) -> Result<(), LoadError> {
    let library = Arc::new(Library::new(plan)?);
    let state = app.tenant(tenant).ok_or_else(|| LoadError::NoTenant(tenant.into()))?;
    let desk = Desk::new(app, &state)?;
    desk.send_all(&library.settings()?, "Setting the desk up", progress).await?;
    let database = app.database.with_connections(bulk::CONNECTIONS);
    let session = database.session(&schema_name(tenant))?;
    bulk::copy(app, &session, &library, progress).await?;
    database.forget(&schema_name(tenant));
    let mut rest = library.relations();
    rest.push(library.reserves()?);
    rest.extend(desk.assign_service_points(&library, administrator).await?);
    desk.send_all(&rest, "Setting patrons and courses up", progress).await?;
    fill_archives(app, &state, &library, progress).await
}

/// Adds the first users of the archives and, if the plan has any, the archives.
async fn fill_archives(
    app: &Arc<App>,
    state: &Arc<TenantState>,
    library: &Arc<Library>,
    progress: &dyn Progress,
) -> Result<(), LoadError> {
    first_users::enter_first_users(app, state, Some(ARCHIVES_PASSWORD)).await?;
    match library.collection_sizes() {
        sizes if sizes.is_empty() => Ok(()),
        sizes => archives::fill(app, state, library, &sizes, progress).await,
    }
}

/// Gives a sample library that was made before there were any its archives.
///
/// # Errors
/// A record is refused, which is a defect; the database fails.
pub async fn complete(app: &Arc<App>, tenant: &str, plan: Plan, progress: &dyn Progress) -> Result<(), LoadError> {
    let Some(state) = app.tenant(tenant).filter(|state| state.tenant.description.as_deref() == Some(COMPLETE)) else {
        return Ok(());
    };
    if app.session(&state)?.value(ARE_ARCHIVES_EMPTY, &[]).await? {
        fill_archives(app, &state, &Arc::new(Library::new(plan)?), progress).await?;
    }
    Ok(())
}

/// Sends the settings as a client would.
struct Desk {
    app: Arc<App>,
    state: Arc<TenantState>,
    loader: Loader,
}

impl Desk {
    fn new(app: &Arc<App>, state: &Arc<TenantState>) -> Result<Self, LoadError> {
        Ok(Self { app: Arc::clone(app), state: Arc::clone(state), loader: Loader::new(app, state)? })
    }

    async fn send_all(&self, parts: &[Part], step: &str, progress: &dyn Progress) -> Result<(), LoadError> {
        progress.begin(step, u64::try_from(parts.len()).unwrap_or(0));
        for part in parts {
            self.send(part).await?;
            progress.advance(1);
        }
        Ok(())
    }

    async fn send(&self, part: &Part) -> Result<(), LoadError> {
        match part.action {
            Action::Add => {
                for outcome in self.loader.post(part.path, &part.records).await? {
                    accepted(part.path, outcome)?;
                }
            }
            Action::Replace => {
                for record in &part.records {
                    let path = match record["id"].as_str() {
                        Some(id) => format!("{}/{id}", part.path),
                        None => part.path.to_owned(),
                    };
                    accepted(part.path, self.loader.put(&path, record).await?)?;
                }
            }
        }
        Ok(())
    }

    /// Assigns all service points to the administrator.
    async fn assign_service_points(
        &self,
        library: &Library,
        administrator: &Administrator,
    ) -> Result<Option<Part>, LoadError> {
        let session = self.app.session(&self.state)?;
        let user: Option<Uuid> = session.find_value(USER_BY_NAME, &[&administrator.username]).await?;
        let Some(id) = user else {
            return Ok(None);
        };
        let desks = library.desks();
        let seat = json!({"userId": id, "servicePointsIds": desks, "defaultServicePointId": desks.first()});
        Ok(Some(Part { path: "/service-points-users", action: Action::Add, records: vec![seat] }))
    }
}

/// A refused record of the sample library is a defect.
fn accepted(path: &str, outcome: Outcome) -> Result<(), LoadError> {
    match outcome {
        Outcome::Refused(reason) => Err(LoadError::Refused { path: path.into(), reason }),
        _ => Ok(()),
    }
}
