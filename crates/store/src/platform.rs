//! What the gateway keeps beside the tenants: module descriptors clients posted, timers they changed,
//! deployments, environment entries, installations. Each function is one round trip.

use std::collections::HashMap;

use serde_json::Value;
use uuid::Uuid;

use crate::{db::Database, error::StoreError};

/// Small tables of documents by name, all alike.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Documents {
    /// Module descriptors posted by clients, by module id.
    Modules,
    /// Deployments the gateway was told of, by instance id.
    Deployments,
    /// Environment entries, by name.
    Environment,
}

impl Documents {
    fn names(self) -> (&'static str, &'static str, &'static str) {
        match self {
            Self::Modules => ("carrel.module", "id", "descriptor"),
            Self::Deployments => ("carrel.deployment", "instance_id", "doc"),
            Self::Environment => ("carrel.environment", "name", "doc"),
        }
    }

    /// All documents in the order of their names.
    ///
    /// # Errors
    /// [`StoreError`].
    pub async fn all(self, database: &Database) -> Result<Vec<Value>, StoreError> {
        let (table, key, doc) = self.names();
        let sql = format!("SELECT {doc} FROM {table} ORDER BY {key} COLLATE \"C\"");
        let rows = database.system()?.query(&sql, &[]).await?;
        Ok(rows.iter().map(|row| row.get(0)).collect())
    }

    /// Enters a document; false when the name is taken.
    ///
    /// # Errors
    /// [`StoreError`].
    pub async fn add(
        self,
        database: &Database,
        name: &str,
        document: &Value,
    ) -> Result<bool, StoreError> {
        let (table, key, doc) = self.names();
        let sql =
            format!("INSERT INTO {table} ({key}, {doc}) VALUES ($1, $2) ON CONFLICT DO NOTHING");
        let added = database.system()?.execute(&sql, &[&name, document]).await?;
        Ok(added > 0)
    }

    /// Removes a document; false when there is none of that name.
    ///
    /// # Errors
    /// [`StoreError`].
    pub async fn remove(self, database: &Database, name: &str) -> Result<bool, StoreError> {
        let (table, key, _) = self.names();
        let sql = format!("DELETE FROM {table} WHERE {key} = $1");
        Ok(database.system()?.execute(&sql, &[&name]).await? > 0)
    }
}

/// Timers of a tenant that differ from their defaults: timer id and routing entry.
///
/// # Errors
/// [`StoreError`].
pub async fn changed_timers(
    database: &Database,
    tenant: &str,
) -> Result<Vec<(String, Value)>, StoreError> {
    let sql = "SELECT timer_id, routing FROM carrel.tenant_timer WHERE tenant_id = $1";
    let rows = database.system()?.query(sql, &[&tenant]).await?;
    Ok(rows.iter().map(|row| (row.get(0), row.get(1))).collect())
}

/// Changes a timer of a tenant, or with `None` gives it its default back.
///
/// # Errors
/// [`StoreError`].
pub async fn change_timer(
    database: &Database,
    tenant: &str,
    timer: &str,
    routing: Option<&Value>,
) -> Result<(), StoreError> {
    let system = database.system()?;
    match routing {
        Some(routing) => {
            let sql =
                "INSERT INTO carrel.tenant_timer (tenant_id, timer_id, routing) VALUES ($1, $2, $3)
                       ON CONFLICT (tenant_id, timer_id) DO UPDATE SET routing = excluded.routing";
            system.execute(sql, &[&tenant, &timer, routing]).await?;
        }
        None => {
            let sql = "DELETE FROM carrel.tenant_timer WHERE tenant_id = $1 AND timer_id = $2";
            system.execute(sql, &[&tenant, &timer]).await?;
        }
    }
    Ok(())
}

/// The changed timers of all tenants.
///
/// # Errors
/// [`StoreError`].
pub async fn all_changed_timers(
    database: &Database,
) -> Result<HashMap<String, Vec<(String, Value)>>, StoreError> {
    let sql = "SELECT tenant_id, timer_id, routing FROM carrel.tenant_timer";
    let rows = database.system()?.query(sql, &[]).await?;
    let mut timers: HashMap<String, Vec<_>> = HashMap::new();
    for row in rows {
        let timer = (row.get(1), row.get(2));
        timers.entry(row.get(0)).or_default().push(timer);
    }
    Ok(timers)
}

/// Keeps what became of an installation.
///
/// # Errors
/// [`StoreError`].
pub async fn keep_install_job(
    database: &Database,
    tenant: &str,
    id: Uuid,
    job: &Value,
) -> Result<(), StoreError> {
    let sql = "INSERT INTO carrel.install_job (id, tenant_id, doc) VALUES ($1, $2, $3)";
    database
        .system()?
        .execute(sql, &[&id, &tenant, job])
        .await?;
    Ok(())
}

/// The installations of a tenant, the newest last.
///
/// # Errors
/// [`StoreError`].
pub async fn install_jobs(database: &Database, tenant: &str) -> Result<Vec<Value>, StoreError> {
    let sql = "SELECT doc FROM carrel.install_job WHERE tenant_id = $1 ORDER BY created";
    let rows = database.system()?.query(sql, &[&tenant]).await?;
    Ok(rows.iter().map(|row| row.get(0)).collect())
}

/// Forgets an installation; false when there is none of that id.
///
/// # Errors
/// [`StoreError`].
pub async fn forget_install_job(
    database: &Database,
    tenant: &str,
    id: Uuid,
) -> Result<bool, StoreError> {
    let sql = "DELETE FROM carrel.install_job WHERE tenant_id = $1 AND id = $2";
    Ok(database.system()?.execute(sql, &[&tenant, &id]).await? > 0)
}

/// Forgets the installations of a tenant.
///
/// # Errors
/// [`StoreError`].
pub async fn forget_install_jobs(database: &Database, tenant: &str) -> Result<(), StoreError> {
    let sql = "DELETE FROM carrel.install_job WHERE tenant_id = $1";
    database.system()?.execute(sql, &[&tenant]).await?;
    Ok(())
}
