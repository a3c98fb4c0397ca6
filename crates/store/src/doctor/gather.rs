//! Reads the facts from the database; changes nothing.

use std::time::Duration;

use jiff::Timestamp;
use tokio_postgres::Row;

use super::facts::{Index, Listener, Miscount, Rule, Schema, Server, Setting, Statement, Table};
use crate::{
    db::{Database, Parameter, Session, only},
    tenants,
};

/// The settings that the checks use.
const SETTINGS: &[&str] = &[
    "autovacuum",
    "default_transaction_read_only",
    "fsync",
    "full_page_writes",
    "in_hot_standby",
    "max_connections",
    "reserved_connections",
    "shared_buffers",
    "superuser_reserved_connections",
    "synchronous_commit",
    "track_counts",
    "work_mem",
    "zero_damaged_pages",
];

type Gathered<T> = Result<T, String>;

async fn rows(session: &Session, sql: &str, values: &[Parameter<'_>]) -> Gathered<Vec<Row>> {
    let rows = session.query(sql, values).await;
    rows.map_err(|error| error.to_string())
}

fn session(database: &Database, schema: &str) -> Gathered<Session> {
    database.session(schema).map_err(|error| error.to_string())
}

/// The server, with its clock compared to this machine's.
pub async fn server(database: &Database, clock: &(dyn Fn() -> Timestamp + Sync)) -> Gathered<Server> {
    let session = session(database, "public")?;
    let settings = rows(&session, crate::statements::doctor::SETTINGS, &[&SETTINGS]).await?;
    let sql = crate::statements::doctor::SERVER;
    // The first run prepares the statement; the second reads the clock in the middle of a round trip.
    rows(&session, sql, &[]).await?;
    let before = clock();
    let found = rows(&session, sql, &[]).await?;
    let after = clock();
    let row = found.first().ok_or("the server does not know this database")?;
    let here = before + after.duration_since(before) / 2;
    let has_system = row.get("has_system");
    let tenants = if has_system { count(&rows(&session, "SELECT count(*) FROM carrel.tenant", &[]).await?) } else { 0 };
    Ok(Server {
        version: row.get("version"),
        settings: settings.iter().map(setting).collect(),
        counting_since: row.get("counting_since"),
        clock_ahead: row.get::<_, Timestamp>("clock").duration_since(here),
        bytes: positive(row.get("bytes")),
        transaction_age: positive(row.get::<_, i32>("transaction_age").into()),
        connections: positive(row.get("connections")),
        forgotten: positive(row.get("forgotten")),
        longest_transaction: Duration::from_secs_f64(row.get::<_, f64>("longest_seconds").max(0.0)),
        prepared: positive(row.get("prepared")),
        has_system,
        tenants,
        statement_statistics: row.get("statement_statistics"),
    })
}

fn setting(row: &Row) -> (String, Setting) {
    let (value, unit) = (row.get("setting"), row.get("unit"));
    (row.get("name"), Setting { value, unit })
}

fn count(rows: &[Row]) -> u64 {
    positive(rows.first().and_then(|row| only(row).ok()).unwrap_or(0))
}

fn positive(number: i64) -> u64 {
    u64::try_from(number).unwrap_or(0)
}

/// The ids of the tenants, and the schemas named like theirs.
pub async fn tenants(database: &Database) -> Gathered<(Vec<String>, Vec<Schema>)> {
    let tenants = tenants::list(database).await.map_err(|error| error.to_string())?;
    let public = session(database, "public")?;
    let found = rows(&public, crate::statements::doctor::SCHEMAS, &[]).await?;
    let mut schemas = Vec::new();
    for row in found {
        let name: String = row.get("schema");
        let history = if row.get("has_history") { Some(history(&session(database, &name)?).await?) } else { None };
        let tenant = name.trim_start_matches("t_").to_owned();
        schemas.push(Schema { tenant, history });
    }
    Ok((tenants.into_iter().map(|tenant| tenant.id).collect(), schemas))
}

async fn history(session: &Session) -> Gathered<Vec<(i32, String)>> {
    let sql = "SELECT version, checksum FROM schema_history ORDER BY version";
    let found = rows(session, sql, &[]).await?;
    Ok(found.iter().map(|row| (row.get("version"), row.get("checksum"))).collect())
}

pub async fn indexes(database: &Database) -> Gathered<Vec<Index>> {
    let sql = crate::statements::doctor::INDEXES;
    let found = rows(&session(database, "public")?, sql, &[]).await?;
    let index = |row: &Row| Index {
        schema: row.get("schema"),
        table: row.get("on_table"),
        name: row.get("name"),
        valid: row.get("valid"),
        unique: row.get("is_unique"),
        scans: positive(row.get("scans")),
        bytes: positive(row.get("bytes")),
    };
    Ok(found.iter().map(index).collect())
}

pub async fn constraints(database: &Database) -> Gathered<Vec<Rule>> {
    let sql = crate::statements::doctor::CONSTRAINTS;
    let found = rows(&session(database, "public")?, sql, &[]).await?;
    let rule = |row: &Row| Rule {
        schema: row.get("schema"),
        table: row.get("on_table"),
        name: row.get("name"),
        trigger: row.get::<_, String>("kind") == "t",
        in_force: row.get("in_force"),
    };
    Ok(found.iter().map(rule).collect())
}

pub async fn tables(database: &Database) -> Gathered<Vec<Table>> {
    let sql = crate::statements::doctor::TABLES;
    let found = rows(&session(database, "public")?, sql, &[]).await?;
    let table = |row: &Row| Table {
        schema: row.get("schema"),
        name: row.get("name"),
        live: positive(row.get("live")),
        dead: positive(row.get("dead")),
        vacuumed: row.get::<_, Option<Timestamp>>("vacuumed").is_some(),
        analyzed: row.get::<_, Option<Timestamp>>("analyzed").is_some(),
        bytes: positive(row.get("bytes")),
    };
    Ok(found.iter().map(table).collect())
}

/// The slowest statements; `schema` is that of `pg_stat_statements`.
pub async fn statements(database: &Database, schema: &str) -> Gathered<Vec<Statement>> {
    let sql = crate::statements::doctor::STATEMENTS;
    let sql = sql.replace("{schema}", &format!("\"{}\"", schema.replace('"', "\"\"")));
    let found = rows(&session(database, "public")?, &sql, &[]).await?;
    let statement = |row: &Row| Statement {
        text: row.get("query"),
        calls: positive(row.get("calls")),
        mean_ms: row.get("mean_ms"),
        rows_each: row.get("rows_each"),
    };
    Ok(found.iter().map(statement).collect())
}

/// The patrons whose counters are wrong.
pub async fn counters(database: &Database, tenant: &str) -> Gathered<Vec<Miscount>> {
    let sql = crate::statements::doctor::PATRON_COUNTERS;
    let found = rows(&session(database, &tenants::schema_name(tenant))?, sql, &[]).await?;
    let miscount = |row: &Row| Miscount {
        patron: row.get::<_, uuid::Uuid>("user_id").to_string(),
        open_loans: (row.get("kept_open_loans"), row.get("open_loans")),
        claimed_returned: (row.get("kept_claimed_returned"), row.get("claimed_returned")),
        lost_items: (row.get("kept_lost_items"), row.get("lost_items")),
        fee_balance: (row.get("kept_fee_balance"), row.get("fee_balance")),
    };
    Ok(found.iter().map(miscount).collect())
}

/// The subscribers to a tenant's events.
pub async fn listeners(database: &Database, tenant: &str) -> Gathered<Vec<Listener>> {
    let sql = crate::statements::doctor::EVENT_SUBSCRIBERS;
    let found = rows(&session(database, &tenants::schema_name(tenant))?, sql, &[]).await?;
    let listener = |row: &Row| Listener {
        name: row.get("name"),
        broken: row.get("broken"),
        failures: positive(row.get::<_, i32>("failures").into()),
        waiting: positive(row.get("waiting")),
        dead: positive(row.get("dead")),
        error: row.get("error"),
    };
    Ok(found.iter().map(listener).collect())
}
