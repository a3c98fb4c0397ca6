//! Tenants: each library has its own schema and a row in the shared list.

use tokio_postgres::Row;

use crate::{
    collection::Collection,
    db::{Database, Transaction},
    error::StoreError,
    query::expression::literal,
    schema::{self, SchemaError},
};

/// A library served by this installation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Tenant {
    /// `[a-z][a-z0-9]{0,30}`.
    pub id: String,
    pub name: String,
    pub description: Option<String>,
    /// Ids of the enabled modules, in ascending order.
    pub modules: Vec<String>,
}

/// The schema with a tenant's tables.
pub fn schema_name(tenant: &str) -> String {
    format!("t_{tenant}")
}

/// Whether the text is a valid tenant id.
pub fn is_tenant_id(id: &str) -> bool {
    id.len() <= 31
        && id.starts_with(|c: char| c.is_ascii_lowercase())
        && id.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit())
}

const SELECT: &str = "SELECT t.id, t.name, t.description,
    coalesce((SELECT array_agg(m.module_id ORDER BY m.module_id COLLATE \"C\") FROM carrel.tenant_module m
              WHERE m.tenant_id = t.id), '{}') AS modules FROM carrel.tenant t";

fn tenant(row: &Row) -> Tenant {
    Tenant {
        id: row.get("id"),
        name: row.get("name"),
        description: row.get("description"),
        modules: row.get("modules"),
    }
}

/// All tenants, by id. One round trip.
pub async fn list(database: &Database) -> Result<Vec<Tenant>, StoreError> {
    let rows = database.system()?.query(&format!("{SELECT} ORDER BY t.id"), &[]).await?;
    Ok(rows.iter().map(tenant).collect())
}

pub async fn find(database: &Database, id: &str) -> Result<Option<Tenant>, StoreError> {
    let row = database.system()?.find(&format!("{SELECT} WHERE t.id = $1"), &[&id]).await?;
    Ok(row.as_ref().map(tenant))
}

/// Creates the tenant's tables and its row in the list, with its modules, all or nothing.
///
/// # Errors
/// [`SchemaError`]; for an existing id [`StoreError::Duplicate`], and nothing changes.
pub async fn create(database: &Database, collections: &[Collection], tenant: &Tenant) -> Result<(), SchemaError> {
    let Tenant { id, name, description, modules } = tenant;
    let schema = schema_name(id);
    let transaction = database.session(&schema)?.begin_long().await?;
    transaction
        .execute("INSERT INTO carrel.tenant (id, name, description) VALUES ($1, $2, $3)", &[id, name, description])
        .await?;
    schema::migrate_in(&transaction, &schema, collections).await?;
    change_modules_in(&transaction, id, modules, &[]).await?;
    transaction.commit().await?;
    Ok(())
}

/// Changes name and description; returns false if the tenant does not exist.
pub async fn rename(database: &Database, id: &str, name: &str, description: Option<&str>) -> Result<bool, StoreError> {
    let sql = "UPDATE carrel.tenant SET name = $2, description = $3 WHERE id = $1";
    Ok(database.system()?.execute(sql, &[&id, &name, &description]).await? > 0)
}

/// Deletes the tenant with all its data at once; returns false if the tenant does not exist.
pub async fn delete(database: &Database, id: &str) -> Result<bool, StoreError> {
    let transaction = database.system()?.begin_long().await?;
    let found = transaction.execute("DELETE FROM carrel.tenant WHERE id = $1", &[&id]).await? > 0;
    if found {
        let schema = schema_name(id);
        database.forget(&schema);
        transaction.batch(&format!("DROP SCHEMA IF EXISTS {schema} CASCADE")).await?;
    }
    transaction.commit().await?;
    Ok(found)
}

/// Adds `enable` to the tenant's list of modules and removes `disable`. One round trip.
pub async fn change_modules(
    database: &Database,
    id: &str,
    enable: &[String],
    disable: &[String],
) -> Result<(), StoreError> {
    let system = database.system()?;
    system.execute(CHANGE_MODULES, &[&id, &enable, &disable]).await?;
    Ok(())
}

/// The same in a transaction with other changes of the tenant.
pub async fn change_modules_in(
    transaction: &Transaction,
    id: &str,
    enable: &[String],
    disable: &[String],
) -> Result<(), StoreError> {
    transaction.execute(CHANGE_MODULES, &[&id, &enable, &disable]).await?;
    Ok(())
}

const CHANGE_MODULES: &str =
    "WITH gone AS (DELETE FROM carrel.tenant_module WHERE tenant_id = $1 AND module_id = ANY($3))
     INSERT INTO carrel.tenant_module (tenant_id, module_id)
     SELECT $1, unnest($2::text[]) ON CONFLICT DO NOTHING";

/// Makes other installations of the tenant wait until this transaction ends.
pub async fn lock(transaction: &Transaction, id: &str) -> Result<(), StoreError> {
    let sql = "SELECT pg_advisory_xact_lock(hashtextextended('carrel install ' || $1, 0))";
    transaction.query(sql, &[&id]).await?;
    Ok(())
}

/// Truncates those of the tables that have rows, and all tables that refer to them.
pub async fn empty(transaction: &Transaction, tables: &[&str]) -> Result<(), StoreError> {
    let list = tables.iter().map(|table| literal(table)).collect::<Vec<_>>().join(", ");
    transaction
        .batch(&format!(
            "DO $$ DECLARE name text; filled boolean; names text := '';
             BEGIN
               FOREACH name IN ARRAY ARRAY[{list}]::text[] LOOP
                 EXECUTE format('SELECT EXISTS (SELECT FROM %I)', name) INTO filled;
                 IF filled THEN names := names || ', ' || quote_ident(name); END IF;
               END LOOP;
               IF names <> '' THEN EXECUTE 'TRUNCATE ' || substr(names, 3) || ' CASCADE'; END IF;
             END $$"
        ))
        .await
}
