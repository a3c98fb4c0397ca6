//! Links of instances to authorities, and what has changed in authorities of what they depend on (contract 10.4). The database
//! notes changes, and removes links that are void, with every write (`sql/replaceable/tables/authorities.sql`).

use jiff::Timestamp;
use serde_json::{Map, Value, json};
use store::{
    Session, StoreError,
    record::{print_exactly, print_instant},
    statements::{
        authorities::{AUTHORITY_STATS, COUNT_LINKS, LINK_STATS, LINKS},
        writes::REPLACE_AUTHORITY_LINKS,
    },
};
use uuid::Uuid;

use crate::{
    Failed,
    refusal::{CONSTRAINT_UNKNOWN, DATES_TURNED, LINKED_TO_NOTHING, OTHER_INSTANCE},
};

/// The links of an instance. One round trip.
///
/// # Errors
/// [`StoreError`].
pub async fn of_instance(session: &Session, instance: Uuid) -> Result<Value, StoreError> {
    let links: Value = session.value(LINKS, &[&instance]).await?;
    let total = links.as_array().map_or(0, Vec::len);
    Ok(json!({"links": links, "totalRecords": total}))
}

/// Gives an instance just these links. One round trip.
///
/// # Errors
/// [`Failed::Refused`] if a link is of another instance, or its authority or rule does not exist.
pub async fn replace(
    session: &Session,
    instance: Uuid,
    sent: &Map<String, Value>,
    now: Timestamp,
) -> Result<(), Failed> {
    let links = sent.get("links").cloned().unwrap_or_else(|| json!([]));
    let others = links.as_array().into_iter().flatten().filter_map(|link| link["instanceId"].as_str());
    let others = others.filter(|of| Uuid::parse_str(of) != Ok(instance));
    if let Some(refusal) = OTHER_INSTANCE.about_all(others.map(|of| ("instanceId", of.to_owned()))) {
        return Err(refusal.with("path", instance).into());
    }
    match session.value::<Option<Uuid>>(REPLACE_AUTHORITY_LINKS, &[&instance, &links, &now]).await {
        Ok(Some(unknown)) => Err(LINKED_TO_NOTHING.with("id", unknown).into()),
        Ok(None) => Ok(()),
        Err(StoreError::ForeignKey { .. }) => Err(CONSTRAINT_UNKNOWN.into()),
        Err(error) => Err(error.into()),
    }
}

/// How many instances have links to each of some authorities. One round trip.
///
/// # Errors
/// [`StoreError`].
pub async fn count(session: &Session, authorities: &[Uuid]) -> Result<Value, StoreError> {
    let links: Value = session.value(COUNT_LINKS, &[&authorities]).await?;
    Ok(json!({"links": links}))
}

/// Which changes are asked for.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Asked {
    /// An action, or a status.
    pub of: Option<String>,
    pub from: Option<Timestamp>,
    pub to: Option<Timestamp>,
    pub limit: i64,
}

impl Asked {
    async fn read(&self, session: &Session, statement: &str, at: &[&str]) -> Result<Value, StoreError> {
        let from = self.from.unwrap_or(Timestamp::UNIX_EPOCH);
        let to = self.to.unwrap_or(Timestamp::MAX);
        let rows = session.query(statement, &[&self.of, &from, &to, &(self.limit + 1)]).await?;
        let shown = usize::try_from(self.limit).unwrap_or_default();
        let mut stats = Vec::new();
        for row in rows.iter().take(shown) {
            let mut stat: Value = row.get("stat");
            let moment = Value::from(print_instant(row.get("at")));
            match at {
                [outer, inner] => stat[*outer][*inner] = moment,
                at => stat[at.first().copied().unwrap_or_default()] = moment,
            }
            stats.push(stat);
        }
        let mut body = json!({"stats": stats});
        if let Some(next) = rows.get(shown) {
            // A cut moment would be before the row that it names.
            body["next"] = print_exactly(next.get("at")).into();
        }
        Ok(body)
    }
}

/// What has changed in authorities. One round trip.
///
/// # Errors
/// [`StoreError`].
pub async fn changes(session: &Session, asked: &Asked) -> Result<Value, StoreError> {
    asked.read(session, AUTHORITY_STATS, &["metadata", "startedAt"]).await
}

/// Links, the last changed first. One round trip.
///
/// # Errors
/// [`Failed::Refused`] if the dates are turned round.
pub async fn changed(session: &Session, asked: &Asked) -> Result<Value, Failed> {
    if let (Some(from), Some(to)) = (asked.from, asked.to)
        && from > to
    {
        return Err(DATES_TURNED.with("fromDate", print_instant(from)).with("toDate", print_instant(to)).into());
    }
    Ok(asked.read(session, LINK_STATS, &["updatedAt"]).await?)
}
