//! The users that the archives of a library start with (contract 1.1).

use ::archives::first_users::{ADMINISTRATOR, add_administrator, add_hidden};
use identity::passwords;
use store::statements::identity::USER_BY_NAME;

use crate::{
    answer::Problem,
    app::{App, TenantState},
};

/// Adds those that are missing in the library whose archives are served, if there is one.
///
/// # Errors
/// The database fails.
pub async fn prepare(app: &App) -> Result<(), Problem> {
    match super::tenant(app) {
        Ok(tenant) => enter_first_users(app, &tenant, app.settings.archives_admin_password.as_deref()).await,
        // There is no library yet, or none is chosen.
        Err(_) => Ok(()),
    }
}

/// Adds those that are missing in a library; the administrator only with a password. Users of these names stay as they
/// are, with their passwords.
///
/// # Errors
/// The database fails.
pub async fn enter_first_users(app: &App, tenant: &TenantState, password: Option<&str>) -> Result<(), Problem> {
    let session = app.session(tenant)?;
    let now = (app.clock)();
    if let Some(password) = password
        && session.find(USER_BY_NAME, &[&ADMINISTRATOR]).await?.is_none()
    {
        add_administrator(&session, &passwords::hash(password).await, now).await?;
    }
    add_hidden(&session, now).await?;
    Ok(())
}
