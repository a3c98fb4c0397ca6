//! What the gateway stores outside the tenants' schemas: posted module descriptors, changed timers, deployments,
//! environment entries, installations. Each function is one round trip.

use std::collections::HashMap;

use serde_json::Value;
use uuid::Uuid;

use crate::{db::Database, error::StoreError};

/// Small tables of documents by name, all of the same form.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Documents {
    /// Module descriptors posted by clients, by module id.
    Modules,
    /// Deployments that clients registered, by instance id.
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

    /// All documents, ordered by name.
    pub async fn all(self, database: &Database) -> Result<Vec<Value>, StoreError> {
        let (table, key, doc) = self.names();
        let sql = format!("SELECT {doc} FROM {table} ORDER BY {key} COLLATE \"C\"");
        database.system()?.values(&sql, &[]).await
    }

    /// Adds a document; returns false if the name is taken.
    pub async fn add(self, database: &Database, name: &str, document: &Value) -> Result<bool, StoreError> {
        let (table, key, doc) = self.names();
        let sql = format!("INSERT INTO {table} ({key}, {doc}) VALUES ($1, $2) ON CONFLICT DO NOTHING");
        let added = database.system()?.execute(&sql, &[&name, document]).await?;
        Ok(added > 0)
    }

    /// Removes a document; returns false if it does not exist.
    pub async fn remove(self, database: &Database, name: &str) -> Result<bool, StoreError> {
        let (table, key, _) = self.names();
        let sql = format!("DELETE FROM {table} WHERE {key} = $1");
        Ok(database.system()?.execute(&sql, &[&name]).await? > 0)
    }
}

/// A tenant's timers that differ from their defaults: timer id and routing entry.
pub async fn changed_timers(database: &Database, tenant: &str) -> Result<Vec<(String, Value)>, StoreError> {
    let sql = "SELECT timer_id, routing FROM carrel.tenant_timer WHERE tenant_id = $1";
    let rows = database.system()?.query(sql, &[&tenant]).await?;
    Ok(rows.iter().map(|row| (row.get("timer_id"), row.get("routing"))).collect())
}

/// Changes a tenant's timer; `None` restores the default.
pub async fn change_timer(
    database: &Database,
    tenant: &str,
    timer: &str,
    routing: Option<&Value>,
) -> Result<(), StoreError> {
    let system = database.system()?;
    match routing {
        Some(routing) => {
            let sql = "INSERT INTO carrel.tenant_timer (tenant_id, timer_id, routing) VALUES ($1, $2, $3)
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
pub async fn all_changed_timers(database: &Database) -> Result<HashMap<String, Vec<(String, Value)>>, StoreError> {
    let sql = "SELECT tenant_id, timer_id, routing FROM carrel.tenant_timer";
    let rows = database.system()?.query(sql, &[]).await?;
    let mut timers: HashMap<String, Vec<_>> = HashMap::new();
    for row in rows {
        let timer = (row.get("timer_id"), row.get("routing"));
        timers.entry(row.get("tenant_id")).or_default().push(timer);
    }
    Ok(timers)
}

/// Saves the outcome of an installation.
pub async fn keep_install_job(database: &Database, tenant: &str, id: Uuid, job: &Value) -> Result<(), StoreError> {
    let sql = "INSERT INTO carrel.install_job (id, tenant_id, doc) VALUES ($1, $2, $3)";
    database.system()?.execute(sql, &[&id, &tenant, job]).await?;
    Ok(())
}

/// The installations of a tenant, newest last.
pub async fn install_jobs(database: &Database, tenant: &str) -> Result<Vec<Value>, StoreError> {
    let sql = "SELECT doc FROM carrel.install_job WHERE tenant_id = $1 ORDER BY created";
    database.system()?.values(sql, &[&tenant]).await
}

/// Deletes an installation; returns false if it does not exist.
pub async fn forget_install_job(database: &Database, tenant: &str, id: Uuid) -> Result<bool, StoreError> {
    let sql = "DELETE FROM carrel.install_job WHERE tenant_id = $1 AND id = $2";
    Ok(database.system()?.execute(sql, &[&tenant, &id]).await? > 0)
}

pub async fn forget_install_jobs(database: &Database, tenant: &str) -> Result<(), StoreError> {
    let sql = "DELETE FROM carrel.install_job WHERE tenant_id = $1";
    database.system()?.execute(sql, &[&tenant]).await?;
    Ok(())
}
