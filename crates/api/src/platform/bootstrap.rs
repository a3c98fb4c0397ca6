//! Sets up an installation before its first request: the supertenant, and a tenant with an administrator who can log
//! in.

use identity::{
    modules::{Action, Registry, Wanted, product_of},
    passwords,
};
use serde_json::json;
use store::{
    record, records,
    statements::identity::{ADMINISTRATOR, USER_BY_NAME},
    tenants,
};
use uuid::Uuid;

use super::{
    Installation, create_tenant, delete_tenant, install,
    refusals::{ID_BEGINS_WITH_DIGIT, ID_INVALID, ID_TOO_LONG, ID_WITH_MINUS, ID_WITH_UNDERSCORE},
    self_checks,
};
use crate::{answer::Problem, app::App};

/// The tenant of requests that name none. It has no users of its own.
pub const SUPERTENANT: &str = "supertenant";

/// Creates, if missing, the supertenant, which requires tokens like any other tenant, and the configured administrator. A
/// library that is created beside others is worth a warning: it may be a typing error, and with a second library the archives and the
/// self-checks need to be told which one is theirs.
pub async fn prepare(app: &App) -> Result<(), Problem> {
    app.refresh_tenants().await?;
    upgrade_modules(app).await?;
    if app.tenant(SUPERTENANT).is_none() {
        let description = Some("Okapi built-in super tenant");
        create_tenant(app, SUPERTENANT, SUPERTENANT, description).await?;
        install(app, SUPERTENANT, &everything(false, false)).await?;
    }
    let Some(administrator) = &app.settings.administrator else {
        return Ok(());
    };
    let (id, username) = (administrator.tenant.as_str(), administrator.username.as_str());
    let first =
        FirstUser { username: &administrator.username, password: Some(&administrator.password), of_the_platform: true };
    if app.tenant(id).is_none() {
        let beside = libraries(app).join(", ");
        create_library(app, id, id, &first, true, false).await?;
        match beside.is_empty() {
            true => tracing::info!(tenant = id, username, "the library of admin_tenant is created"),
            false => {
                tracing::warn!(tenant = id, username, beside, "the library of admin_tenant is created beside others")
            }
        }
    } else if !has_user(app, id, username).await? {
        enter(app, id, &first).await?;
        tracing::info!(tenant = id, username, "the administrator of admin_username is created");
    } else {
        tracing::info!(
            tenant = id,
            username,
            "the administrator of admin_username exists already and keeps their password"
        );
    }
    Ok(())
}

/// All tenants but the supertenant, in order.
fn libraries(app: &App) -> Vec<String> {
    let all = app.all_tenants();
    let mut libraries: Vec<_> = all.iter().map(|of| of.tenant.id.clone()).filter(|id| id != SUPERTENANT).collect();
    libraries.sort_unstable();
    libraries
}

/// Upgrades every tenant's modules to the versions this program provides, with their permissions.
async fn upgrade_modules(app: &App) -> Result<(), Problem> {
    let own = Registry::built_in_ids();
    for tenant in app.all_tenants() {
        let newer = |id: &String| {
            let own = own.iter().find(|own| product_of(own) == product_of(id))?;
            (own != id).then(|| Wanted { id: own.clone(), action: Action::Enable })
        };
        let wanted: Vec<_> = tenant.tenant.modules.iter().filter_map(newer).collect();
        if !wanted.is_empty() {
            // What a library has done with its permissions must not keep a newer program from starting.
            let request = Installation { wanted, unchecked: true, takes_names: true, ..Installation::default() };
            install(app, &tenant.tenant.id, &request).await?;
        }
    }
    Ok(())
}

async fn has_user(app: &App, tenant: &str, username: &str) -> Result<bool, Problem> {
    let session = app.database.session(&tenants::schema_name(tenant))?;
    Ok(session.find(USER_BY_NAME, &[&username]).await?.is_some())
}

/// A new library's first user.
#[derive(Debug, Clone)]
pub struct FirstUser<'a> {
    /// User name.
    pub username: &'a str,
    /// Password. If absent, a strong one is generated.
    pub password: Option<&'a str>,
    /// Whether the user may also create and delete tenants.
    pub of_the_platform: bool,
}

/// Creates a tenant with every module enabled, an administrator with all permissions, and a permission set for
/// self-checks. Returns the administrator's password. Answers 400 text if the id is invalid or taken. On failure the
/// tenant is deleted again.
pub async fn create_library(
    app: &App,
    id: &str,
    name: &str,
    administrator: &FirstUser<'_>,
    load_reference: bool,
    load_sample: bool,
) -> Result<String, Problem> {
    check_id(id)?;
    create_tenant(app, id, name, None).await?;
    let modules = everything(load_reference, load_sample);
    let furnished = furnish(app, id, administrator, &modules).await;
    if furnished.is_err() {
        delete_tenant(app, id).await?;
    }
    furnished
}

async fn furnish(
    app: &App,
    id: &str,
    administrator: &FirstUser<'_>,
    modules: &Installation,
) -> Result<String, Problem> {
    install(app, id, modules).await?;
    let password = enter(app, id, administrator).await?;
    self_checks::add_permission_set(app, id).await?;
    Ok(password)
}

/// Validates a tenant id. Answers 400 text in Okapi's words (docs/folio/okapi.md#tenant-ids).
pub(crate) fn check_id(id: &str) -> Result<(), Problem> {
    let faults = [
        (id.contains('_'), ID_WITH_UNDERSCORE),
        (id.contains('-'), ID_WITH_MINUS),
        (id.len() > 31, ID_TOO_LONG),
        (id.starts_with(|c: char| c.is_ascii_digit()), ID_BEGINS_WITH_DIGIT),
        (!tenants::is_tenant_id(id), ID_INVALID),
    ];
    match faults.into_iter().find(|(is_so, _)| *is_so) {
        Some((_, wording)) => Err(wording.with("id", id).with("pattern", "[a-z][a-z0-9]{0,30}").into()),
        None => Ok(()),
    }
}

fn everything(load_reference: bool, load_sample: bool) -> Installation {
    let wanted = Registry::built_in_ids();
    let enable = |id| Wanted { id, action: Action::Enable };
    Installation {
        wanted: wanted.into_iter().map(enable).collect(),
        load_reference,
        load_sample,
        // What clients have posted must not keep a new library from its own modules.
        takes_names: true,
        ..Installation::default()
    }
}

async fn enter(app: &App, tenant: &str, administrator: &FirstUser<'_>) -> Result<String, Problem> {
    let password = administrator.password.map_or_else(passwords::generate, ToOwned::to_owned);
    let hash = passwords::hash(&password).await;
    let users = app.collection("users").ok_or_else(|| Problem::Internal("no collection keeps users".into()))?;
    let session = app.database.session(&tenants::schema_name(tenant))?;
    let now = record::print_instant((app.clock)());
    let id = Uuid::new_v4();
    let metadata = json!({"createdDate": now, "createdByUserId": id, "updatedDate": now, "updatedByUserId": id});
    let user = json!({"id": id, "username": administrator.username, "active": true, "type": "staff",
        "personal": {"firstName": tenant.to_uppercase(), "lastName": "Administrator"}, "metadata": metadata});
    let mut user = users.schema.accept(user)?;
    user.insert("id".into(), id.to_string().into());
    user.insert("metadata".into(), metadata.clone());
    records::insert(&session, &users, id, user).await?;
    let okapi = administrator.of_the_platform;
    session.execute(ADMINISTRATOR, &[&id, &hash, &okapi, &metadata]).await?;
    Ok(password)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bad_tenant_ids_are_refused_in_okapis_words() {
        for (id, start) in [
            ("a_b", "Tenant id must not contain underscore: a_b"),
            ("a-b", "Tenant id must not contain minus: a-b"),
            ("1a", "Tenant id must not start with a digit"),
            (
                "Lib",
                "Invalid tenant id, may only contain a-z and 0-9 and must match '[a-z][a-z0-9]{0,30}' but it is Lib",
            ),
            ("", "Invalid tenant id"),
            ("é", "Invalid tenant id"),
            ("a;drop", "Invalid tenant id"),
            ("a2345678901234567890123456789012", "Tenant id must not exceed 31 characters"),
        ] {
            let Err(Problem::Text(status, text)) = check_id(id) else {
                panic!("{id} was accepted");
            };
            assert_eq!(status, 400);
            assert!(text.starts_with(start), "{text}");
        }
        for id in ["a", "lib1", "supertenant", "a234567890123456789012345678901"] {
            assert!(check_id(id).is_ok(), "{id}");
        }
    }
}
