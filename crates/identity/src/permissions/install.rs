//! Permissions come with modules: enabling a module installs them, disabling it marks them as deprecated.

use serde_json::{Map, Value, json};
use store::{
    Session, StoreError,
    db::Transaction,
    statements::identity::permissions::{COLLISION, DEPRECATE, INSTALL, PURGE_DEPRECATED, RENAME},
};

use crate::modules::{Module, version_of};

/// A name that a module defines and that is a user's or another module's.
#[derive(Debug, Clone, PartialEq)]
pub struct Collision {
    pub name: String,
    /// The permission that has it.
    pub record: Value,
}

/// The first permission that the modules may not define, because its name is taken.
async fn collision(
    transaction: &Transaction,
    modules: &[&Module],
    definitions: &Value,
) -> Result<Option<Collision>, StoreError> {
    let replaced: Map<_, _> =
        modules.iter().map(|module| (module.product().to_owned(), module.replaces().into())).collect();
    let found = transaction.query(COLLISION, &[definitions, &Value::Object(replaced)]).await?;
    Ok(found.first().map(|row| Collision { name: row.get("name"), record: row.get("doc") }))
}

/// Installs the permissions of the modules. `metadata` is used for new records. Unless it `takes_names`, returns the first
/// one whose name is taken, and the transaction must not be committed.
pub async fn install(
    transaction: &Transaction,
    modules: &[&Module],
    metadata: &Value,
    takes_names: bool,
) -> Result<Option<Collision>, StoreError> {
    let products: Vec<_> = modules.iter().map(|module| module.product()).collect();
    let renamed: Value = modules.iter().flat_map(|module| renamed(module)).collect();
    // Before the old names are deprecated and the new ones are known.
    transaction.execute(RENAME, &[&renamed]).await?;
    let definitions: Value = modules.iter().flat_map(|module| definitions(module)).collect();
    // Permissions of an earlier version of the module that this version no longer defines.
    transaction.execute(DEPRECATE, &[&products, &definitions]).await?;
    // What one of the modules gives up here, another may have.
    if !takes_names && let Some(taken) = collision(transaction, modules, &definitions).await? {
        return Ok(Some(taken));
    }
    transaction.execute(INSTALL, &[&definitions, metadata]).await?;
    Ok(None)
}

pub async fn deprecate(transaction: &Transaction, products: &[&str]) -> Result<(), StoreError> {
    transaction.execute(DEPRECATE, &[&products, &json!([])]).await?;
    Ok(())
}

/// Deletes all deprecated permissions and returns their names.
pub async fn purge(session: &Session) -> Result<Vec<String>, StoreError> {
    session.value(PURGE_DEPRECATED, &[]).await
}

/// The names that a module gives up, each with one that replaces it, `{product, old, new}`.
fn renamed(module: &Module) -> impl Iterator<Item = Value> {
    let of_set = |set: &Value| -> Vec<_> {
        let old = set["replaces"].as_array().into_iter().flatten();
        old.map(|old| json!({"product": module.product(), "old": old, "new": set["permissionName"]})).collect()
    };
    module.permission_sets().iter().flat_map(of_set)
}

/// The permissions of a module as records, without id and metadata.
fn definitions(module: &Module) -> Vec<Value> {
    module
        .permission_sets()
        .iter()
        .filter(|set| set["permissionName"].is_string())
        .map(|set| definition(module, set))
        .collect()
}

fn definition(module: &Module, set: &Value) -> Value {
    let mut record = Map::new();
    for member in ["permissionName", "displayName", "description"] {
        if let Some(value) = set.get(member).filter(|value| value.is_string()) {
            record.insert(member.into(), value.clone());
        }
    }
    let subs = set.get("subPermissions").filter(|subs| subs.is_array());
    record.insert("tags".into(), json!([]));
    record.insert("subPermissions".into(), subs.cloned().unwrap_or_else(|| json!([])));
    record.insert("mutable".into(), false.into());
    let visible = set.get("visible") == Some(&true.into());
    record.insert("visible".into(), visible.into());
    record.insert("dummy".into(), false.into());
    record.insert("moduleName".into(), module.product().into());
    record.insert("moduleVersion".into(), version_of(&module.id).unwrap_or_default().into());
    Value::Object(record)
}
