//! The sample library as a tenant: made, set up and filled.

use std::sync::Arc;

use api::{
    app::{App, TenantState},
    loading::{Loader, Outcome},
    platform::{self, FirstUser},
};
use sample::{
    Library, Plan,
    settings::{Action, Part},
};
use serde_json::json;
use store::{
    statements::identity::USER_BY_NAME,
    tenants::{self, schema_name},
};
use uuid::Uuid;

use crate::{LoadError, bulk, progress::Progress};

/// Describes a tenant that is being filled; one that still has this description was left half-way.
const LOADING: &str = "A sample library, not yet complete";
const COMPLETE: &str = "A sample library; its administrator's password is known to everybody";
const NAME: &str = "Sample library";

/// The administrator of a sample library, known to everybody.
#[derive(Debug, Clone)]
pub struct Administrator {
    /// Name to sign in with, `diku_admin`.
    pub username: String,
    /// Password, `admin`.
    pub password: String,
}

impl Administrator {
    /// The administrator FOLIO's own sample tenants have.
    #[must_use]
    pub fn of(tenant: &str) -> Self {
        Self {
            username: format!("{tenant}_admin"),
            password: "admin".into(),
        }
    }
}

/// What there is of a sample library under a tenant's id.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Found {
    /// No such tenant.
    Nothing,
    /// A tenant; nobody knows what is in it.
    Tenant,
    /// What an earlier load left when it was stopped.
    Remains,
}

/// Looks for a sample library.
#[must_use]
pub fn look(app: &App, tenant: &str) -> Found {
    match app.tenant(tenant) {
        None => Found::Nothing,
        Some(state) if state.tenant.description.as_deref() == Some(LOADING) => Found::Remains,
        Some(_) => Found::Tenant,
    }
}

/// Makes a sample library. What an earlier load left half-way is removed first; any other tenant of that id is
/// removed only with `replace`.
///
/// # Errors
/// [`LoadError::TenantExists`]; the database's failures, after which the tenant is removed again.
pub async fn create(
    app: &Arc<App>,
    tenant: &str,
    administrator: &Administrator,
    plan: Plan,
    replace: bool,
    progress: &dyn Progress,
) -> Result<(), LoadError> {
    match look(app, tenant) {
        Found::Tenant if !replace => return Err(LoadError::TenantExists(tenant.into())),
        Found::Nothing => {}
        _ => drop(platform::delete_tenant(app, tenant).await?),
    }
    progress.begin("Making the tenant", 1);
    let first = FirstUser {
        username: &administrator.username,
        password: Some(&administrator.password),
        of_the_platform: true,
    };
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

/// Sets an empty tenant up and fills it.
async fn fill(
    app: &Arc<App>,
    tenant: &str,
    administrator: &Administrator,
    plan: Plan,
    progress: &dyn Progress,
) -> Result<(), LoadError> {
    let library = Arc::new(Library::new(plan)?);
    let state = app
        .tenant(tenant)
        .ok_or_else(|| LoadError::NoTenant(tenant.into()))?;
    let desk = Desk::new(app, &state)?;
    desk.send_all(&library.settings()?, "Setting the desk up", progress)
        .await?;
    let database = app.database.with_connections(bulk::CONNECTIONS);
    let session = database.session(&schema_name(tenant))?;
    bulk::copy(app, &session, &library, progress).await?;
    database.forget(&schema_name(tenant));
    let mut rest = library.relations();
    rest.extend(desk.seat(&library, administrator).await?);
    desk.send_all(&rest, "Setting patrons up", progress).await
}

/// Sends the settings the way a client would.
struct Desk {
    app: Arc<App>,
    state: Arc<TenantState>,
    loader: Loader,
}

impl Desk {
    fn new(app: &Arc<App>, state: &Arc<TenantState>) -> Result<Self, LoadError> {
        Ok(Self {
            app: Arc::clone(app),
            state: Arc::clone(state),
            loader: Loader::new(app, state)?,
        })
    }

    async fn send_all(
        &self,
        parts: &[Part],
        step: &str,
        progress: &dyn Progress,
    ) -> Result<(), LoadError> {
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

    /// The administrator may work at every desk.
    async fn seat(
        &self,
        library: &Library,
        administrator: &Administrator,
    ) -> Result<Option<Part>, LoadError> {
        let session = self.app.session(&self.state)?;
        let row = session
            .find(USER_BY_NAME, &[&administrator.username])
            .await?;
        let Some(id) = row.map(|row| row.get::<_, Uuid>(0)) else {
            return Ok(None);
        };
        let desks = library.desks();
        let seat = json!({"userId": id, "servicePointsIds": desks, "defaultServicePointId": desks.first()});
        Ok(Some(Part {
            path: "/service-points-users",
            action: Action::Add,
            records: vec![seat],
        }))
    }
}

/// A record of ours that is refused is a defect.
fn accepted(path: &str, outcome: Outcome) -> Result<(), LoadError> {
    match outcome {
        Outcome::Refused(reason) => Err(LoadError::Refused {
            path: path.into(),
            reason,
        }),
        _ => Ok(()),
    }
}
