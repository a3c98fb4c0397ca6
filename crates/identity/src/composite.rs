//! A user with what belongs to him: group, permissions, service points, proxies. Every function is one round trip.

use jiff::Timestamp;
use serde_json::{Map, Value};
use store::{Session, StoreError, statements::identity::composite as statements};
use uuid::Uuid;

use crate::{permissions, sign_in::Name};

/// What is wanted beside the user.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Wanted {
    /// The patron group.
    pub groups: bool,
    /// The permission user.
    pub permissions: bool,
    /// The service points the user works at.
    pub service_points: bool,
    /// For whom the user may act.
    pub proxies: bool,
    /// Permissions as objects, nested ones included.
    pub expanded: bool,
}

/// A user with what belongs to him; records are JSON texts as the database has them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Composite {
    /// The user.
    pub user: String,
    /// The patron group.
    pub group: Option<String>,
    /// The permission user.
    pub holder: Option<Value>,
    /// Permission objects, when expanded.
    pub permissions: Option<String>,
    /// The service points user with `servicePoints`.
    pub service_points: Option<String>,
    /// The proxies as an array.
    pub proxies: Option<String>,
}

fn keys(name: &Name) -> (Option<Uuid>, Option<&str>) {
    match name {
        Name::Id(id) => (Some(*id), None),
        Name::Username(username) => (None, Some(username)),
    }
}

/// The user of that name with what is wanted.
///
/// # Errors
/// [`StoreError`].
pub async fn find(
    session: &Session,
    name: &Name,
    wanted: Wanted,
) -> Result<Option<Composite>, StoreError> {
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
        user: row.get(0),
        group: row.get(1),
        holder: row.get(2),
        permissions: row.get(3),
        service_points: row.get(4),
        proxies: row.get(5),
    }))
}

/// A listed user with what is wanted: a JSON expression over a row `r` of the users' table, for
/// [`Collection::shown_as`](store::collection::Collection::shown_as).
#[must_use]
pub fn listed(wanted: Wanted) -> String {
    let parts = [
        (
            wanted.groups,
            "jsonb_build_object('patronGroup', g.doc) FROM groups g WHERE g.id = r.patrongroup",
        ),
        (
            wanted.permissions,
            "jsonb_build_object('permissions', p.doc) FROM permissions_users p WHERE p.userid = r.id",
        ),
        (
            wanted.proxies,
            "jsonb_build_object('proxiesFor', jsonb_agg(x.doc ORDER BY x.seq)) FROM proxyfor x \
             WHERE x.userid = r.id HAVING count(*) > 0",
        ),
    ];
    let found = parts.iter().filter(|(wanted, _)| *wanted);
    let members: String = found
        .map(|(_, part)| format!(" || coalesce((SELECT {part}), '{{}}')"))
        .collect();
    format!("(jsonb_build_object('user', r.doc){members})")
}

/// What keeps a user from being deleted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OpenTransactions {
    /// The user.
    pub user_id: Uuid,
    /// The user's barcode.
    pub barcode: Option<String>,
    /// Open loans.
    pub loans: i64,
    /// Open requests.
    pub requests: i64,
    /// Open fees and fines.
    pub fees_fines: i64,
    /// Proxies and sponsors.
    pub proxies: i64,
    /// Manual blocks that have not expired.
    pub blocks: i64,
}

impl OpenTransactions {
    /// True when there is anything.
    #[must_use]
    pub fn any(&self) -> bool {
        self.loans + self.requests + self.fees_fines + self.proxies + self.blocks > 0
    }
}

/// What the user of that name has open.
///
/// # Errors
/// [`StoreError`].
pub async fn open_transactions(
    session: &Session,
    name: &Name,
    now: Timestamp,
) -> Result<Option<OpenTransactions>, StoreError> {
    let (id, username) = keys(name);
    let row = session
        .find(statements::OPEN_TRANSACTIONS, &[&id, &username, &now])
        .await?;
    Ok(row.map(|row| OpenTransactions {
        user_id: row.get(0),
        barcode: row.get(1),
        loans: row.get(2),
        requests: row.get(3),
        fees_fines: row.get(4),
        proxies: row.get(5),
        blocks: row.get(6),
    }))
}

/// Deletes a user with everything that lets him sign in; false when there is none.
///
/// # Errors
/// [`StoreError`].
pub async fn delete(session: &Session, user: Uuid) -> Result<bool, StoreError> {
    let row = session.get(statements::DELETE_USER, &[&user]).await?;
    Ok(row.get::<_, i64>(0) > 0)
}

/// Users somebody means who has forgotten the password or the name: id, user name, whether active. At most two.
///
/// # Errors
/// [`StoreError`].
pub async fn locate(
    session: &Session,
    identifier: &str,
) -> Result<Vec<(Uuid, String, bool)>, StoreError> {
    let rows = session.query(statements::LOCATE, &[&identifier]).await?;
    let user = |row: &tokio_postgres::Row| (row.get(0), row.get(1), row.get(2));
    Ok(rows.iter().map(user).collect())
}

/// Where reset links lead: configuration entries of module USERSBL, code to value.
///
/// # Errors
/// [`StoreError`].
pub async fn reset_settings(session: &Session) -> Result<Map<String, Value>, StoreError> {
    match session.get(statements::RESET_SETTINGS, &[]).await?.get(0) {
        Some(Value::Object(settings)) => Ok(settings),
        _ => Ok(Map::new()),
    }
}

/// The name of a user, when there is such a user, and the enabled rules for passwords as a JSON array.
///
/// # Errors
/// [`StoreError`].
pub async fn password_rules(
    session: &Session,
    user: Option<Uuid>,
) -> Result<(Option<String>, Value), StoreError> {
    let row = session.get(statements::RULES, &[&user]).await?;
    Ok((row.get(0), row.get(1)))
}
