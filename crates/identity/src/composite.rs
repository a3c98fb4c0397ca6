//! A user with related records: group, permissions, service points, proxies. Each function is one round trip.

use serde_json::{Map, Value};
use store::{Session, StoreError, statements::identity::composite as statements};
use uuid::Uuid;

use crate::{permissions, sign_in::Name};

/// The related records to read.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Wanted {
    pub groups: bool,
    pub permissions: bool,
    pub service_points: bool,
    /// The users for whom the user may act.
    pub proxies: bool,
    /// Permissions as objects, including nested ones.
    pub expanded: bool,
}

/// A user with related records; records are JSON texts as stored.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Composite {
    pub user: String,
    pub group: Option<String>,
    /// The permission user.
    pub holder: Option<Value>,
    /// Permission objects, when expanded.
    pub permissions: Option<String>,
    /// The service points user with `servicePoints`.
    pub service_points: Option<String>,
    /// A JSON array.
    pub proxies: Option<String>,
}

fn keys(name: &Name) -> (Option<Uuid>, Option<&str>) {
    match name {
        Name::Id(id) => (Some(*id), None),
        Name::Username(username) => (None, Some(username)),
    }
}

/// The user with that name, with the requested records.
pub async fn find(session: &Session, name: &Name, wanted: Wanted) -> Result<Option<Composite>, StoreError> {
    let (id, username) = keys(name);
    let row = session
        .find(
            statements::OF_USER,
            &[
                &id,
                &username,
                &wanted.groups,
                &wanted.permissions,
                &wanted.service_points,
                &wanted.proxies,
                &wanted.expanded,
                permissions::replacements(),
            ],
        )
        .await?;
    Ok(row.map(|row| Composite {
        user: row.get("user_record"),
        group: row.get("group_record"),
        holder: row.get("holder"),
        permissions: row.get("permissions"),
        service_points: row.get("service_points"),
        proxies: row.get("proxies"),
    }))
}

/// A user in a list, with the requested records: a JSON expression over a row `r` of the users' table, for
/// [`Collection::shown_as`](store::collection::Collection::shown_as). FOLIO calls user and group otherwise here than
/// when it shows one user.
pub fn listed(wanted: Wanted) -> String {
    let parts = [
        (wanted.groups, "jsonb_build_object('groups', g.doc) FROM groups g WHERE g.id = r.patrongroup"),
        (
            wanted.permissions,
            "jsonb_build_object('permissions', jsonb_build_object('permissions', p.doc->'permissions')) \
             FROM permissions_users p WHERE p.userid = r.id",
        ),
        (
            wanted.proxies,
            "jsonb_build_object('proxiesFor', jsonb_agg(x.doc ORDER BY x.seq)) FROM proxyfor x \
             WHERE x.userid = r.id HAVING count(*) > 0",
        ),
    ];
    let found = parts.iter().filter(|(wanted, _)| *wanted);
    let members: String = found.map(|(_, part)| format!(" || coalesce((SELECT {part}), '{{}}')")).collect();
    format!("(jsonb_build_object('users', r.doc){members})")
}

/// The open transactions that prevent a user's deletion.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OpenTransactions {
    pub user_id: Uuid,
    pub barcode: Option<String>,
    pub loans: i64,
    pub requests: i64,
    pub fees_fines: i64,
    /// As proxy or sponsor.
    pub proxies: i64,
    /// Manual blocks, expired or not.
    pub blocks: i64,
}

impl OpenTransactions {
    pub fn any(&self) -> bool {
        self.loans + self.requests + self.fees_fines + self.proxies + self.blocks > 0
    }
}

/// The open transactions of the user with that name.
pub async fn open_transactions(session: &Session, name: &Name) -> Result<Option<OpenTransactions>, StoreError> {
    let (id, username) = keys(name);
    let row = session.find(statements::OPEN_TRANSACTIONS, &[&id, &username]).await?;
    Ok(row.map(|row| OpenTransactions {
        user_id: row.get("id"),
        barcode: row.get("barcode"),
        loans: row.get("loans"),
        requests: row.get("requests"),
        fees_fines: row.get("fees_fines"),
        proxies: row.get("proxies"),
        blocks: row.get("blocks"),
    }))
}

/// Deletes a user with credentials and permissions; returns false if the user does not exist.
pub async fn delete(session: &Session, user: Uuid) -> Result<bool, StoreError> {
    let deleted: i64 = session.value(statements::DELETE_USER, &[&user]).await?;
    Ok(deleted > 0)
}

/// The users a forgotten password or user name may belong to: id, user name, whether active. At most two.
pub async fn locate(session: &Session, identifier: &str) -> Result<Vec<(Uuid, String, bool)>, StoreError> {
    let rows = session.query(statements::LOCATE, &[&identifier]).await?;
    let user = |row: &tokio_postgres::Row| (row.get("id"), row.get("username"), row.get("active"));
    Ok(rows.iter().map(user).collect())
}

/// Settings of password reset links: configuration entries of module USERSBL, from code to value.
pub async fn reset_settings(session: &Session) -> Result<Map<String, Value>, StoreError> {
    match session.value(statements::RESET_SETTINGS, &[]).await? {
        Some(Value::Object(settings)) => Ok(settings),
        _ => Ok(Map::new()),
    }
}

/// The name of a user, if the user exists, and the enabled password rules as a JSON array.
pub async fn password_rules(session: &Session, user: Option<Uuid>) -> Result<(Option<String>, Value), StoreError> {
    let row = session.get(statements::RULES, &[&user]).await?;
    Ok((row.get("username"), row.get("rules")))
}
