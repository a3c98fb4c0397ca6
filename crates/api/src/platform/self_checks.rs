//! The permission set for self-checks in a new library.

use identity::collections::PERMISSIONS;
use serde_json::Value;
use store::{records, tenants};
use uuid::Uuid;

use crate::{answer::Problem, app::App};

/// The set, as a client would POST it to `/perms/permissions`. `docs/operations/sip2.md` shows it.
const SET: &str = include_str!("self_checks.json");

/// Adds the set. The library may change, copy and delete it like one of its own.
pub(super) async fn add_permission_set(app: &App, tenant: &str) -> Result<(), Problem> {
    let kept =
        app.collection(PERMISSIONS).ok_or_else(|| Problem::Internal("no collection keeps permissions".into()))?;
    let set: Value = serde_json::from_str(SET).map_err(|error| Problem::Internal(error.to_string()))?;
    let session = app.database.session(&tenants::schema_name(tenant))?;
    let id = Uuid::new_v4();
    let mut set = kept.schema.accept(set)?;
    set.insert("id".into(), id.to_string().into());
    for (member, value) in [("visible", true), ("mutable", true), ("dummy", false), ("deprecated", false)] {
        set.insert(member.into(), value.into());
    }
    records::insert(&session, &kept, id, set).await?;
    Ok(())
}
