//! Events: publishers and subscribers (mod-pubsub), and the outbox (decision 0017). Each function is one round trip.
//! Delivery itself is in `sql/replaceable/events/delivery.sql`.

use jiff::Timestamp;
use serde_json::Value;
use uuid::Uuid;

use crate::{
    Session, StoreError,
    db::{Parameter, Row},
};

/// A module's relation to an event type.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Role {
    Publisher,
    Subscriber,
}

impl Role {
    /// The name in mod-pubsub.
    pub fn name(self) -> &'static str {
        match self {
            Self::Publisher => "PUBLISHER",
            Self::Subscriber => "SUBSCRIBER",
        }
    }
}

/// An event to deliver to one subscriber.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Outgoing {
    /// Its position in the outbox.
    pub seq: i64,
    /// The same in every delivery attempt.
    pub id: Uuid,
    /// The event type.
    pub topic: String,
    /// The record concerned; events with the same key are delivered in order.
    pub key: String,
    /// JSON text.
    pub payload: String,
    /// When the event happened.
    pub written: Timestamp,
    /// How often the subscriber has refused it.
    pub attempts: i32,
    /// Failed connections to the subscriber since the last success.
    pub failures: i32,
    /// The destination.
    pub address: String,
    /// The key that signs the subscriber's events.
    pub secret: Option<String>,
}

/// The outcome of a batch of events.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Settlement {
    /// Outbox positions of delivered events.
    pub delivered: Vec<i64>,
    pub refused: Vec<Refused>,
    /// Why the subscriber was unreachable, and when to retry.
    pub unreachable: Option<(String, Timestamp)>,
}

/// An event that its subscriber did not accept.
#[derive(Debug, Clone, PartialEq)]
pub struct Refused {
    /// Its position in the outbox.
    pub seq: i64,
    /// The subscriber's answer.
    pub error: String,
    /// When to retry; `None` after the last attempt.
    pub due: Option<Timestamp>,
}

/// The descriptors of all event types, by name.
pub async fn event_types(session: &Session) -> Result<Vec<Value>, StoreError> {
    documents(session, "SELECT descriptor FROM event_type ORDER BY name", &[]).await
}

/// The descriptors of the known ones of these event types.
pub async fn some_event_types(session: &Session, names: &[&str]) -> Result<Vec<Value>, StoreError> {
    let sql = "SELECT descriptor FROM event_type WHERE name = ANY ($1)";
    documents(session, sql, &[&names]).await
}

async fn documents(session: &Session, sql: &str, parameters: &[Parameter<'_>]) -> Result<Vec<Value>, StoreError> {
    session.values(sql, parameters).await
}

/// Adds a descriptor or replaces a temporary one. Returns `None` on success, else the existing descriptor.
pub async fn add_event_type(session: &Session, name: &str, descriptor: &Value) -> Result<Option<Value>, StoreError> {
    let sql = crate::statements::events::ADD_EVENT_TYPE;
    session.value(sql, &[&name, descriptor]).await
}

/// Replaces a descriptor; returns false if the event type does not exist.
pub async fn replace_event_type(session: &Session, name: &str, descriptor: &Value) -> Result<bool, StoreError> {
    let sql = "UPDATE event_type SET descriptor = $2 WHERE name = $1";
    Ok(session.execute(sql, &[&name, descriptor]).await? > 0)
}

/// Removes an event type unless modules publish or subscribe to it. Returns whether it existed, and those modules.
pub async fn delete_event_type(session: &Session, name: &str) -> Result<(bool, Vec<String>), StoreError> {
    let sql = crate::statements::events::DELETE_EVENT_TYPE;
    let row = session.get(sql, &[&name]).await?;
    Ok((row.get("was_known"), row.get("users")))
}

/// The modules that publish or subscribe to an event type, in mod-pubsub's form.
pub async fn modules(session: &Session, event_type: &str, role: Role, tenant: &str) -> Result<Vec<Value>, StoreError> {
    let sql = crate::statements::events::MODULES;
    documents(session, sql, &[&event_type, &role.name(), &tenant]).await
}

/// Replaces what a module publishes or subscribes to: event types and callback addresses. Adds unknown types of a
/// subscriber as temporary ones.
pub async fn declare(
    session: &Session,
    module: &str,
    role: Role,
    declared: &[(String, Option<String>)],
) -> Result<(), StoreError> {
    let (types, callbacks): (Vec<&str>, Vec<Option<&str>>) =
        declared.iter().map(|(name, callback)| (name.as_str(), callback.as_deref())).unzip();
    let sql = "SELECT declare_messaging_module($1, $2, $3, $4)";
    session.query(sql, &[&module, &role.name(), &types, &callbacks]).await?;
    Ok(())
}

/// Removes declarations of modules. As in mod-pubsub, `module` stands for all its versions.
pub async fn withdraw(
    session: &Session,
    event_type: Option<&str>,
    module: Option<&str>,
    role: Role,
) -> Result<(), StoreError> {
    let sql = crate::statements::events::WITHDRAW;
    session.execute(sql, &[&event_type, &module, &role.name()]).await?;
    Ok(())
}

/// Stores an event published by a client, for its subscribers.
pub async fn publish(session: &Session, id: Uuid, event_type: &str, payload: &str) -> Result<(), StoreError> {
    let sql = crate::statements::events::PUBLISH;
    session.execute(sql, &[&id, &event_type, &payload]).await?;
    Ok(())
}

/// Selects undelivered events.
#[derive(Debug, Clone, Default)]
pub struct Asked<'a> {
    /// Earliest time of writing.
    pub from: Option<Timestamp>,
    /// Latest time of writing.
    pub until: Option<Timestamp>,
    pub id: Option<Uuid>,
    pub topic: Option<&'a str>,
    /// Maximum number of events, oldest first.
    pub limit: i64,
}

/// Undelivered events, as mod-pubsub's audit messages.
pub async fn undelivered(session: &Session, asked: &Asked<'_>, tenant: &str) -> Result<Vec<Value>, StoreError> {
    let sql = crate::statements::events::UNDELIVERED;
    let Asked { from, until, id, topic, limit } = asked;
    documents(session, sql, &[from, until, id, topic, limit, &tenant]).await
}

/// The payload of an undelivered event.
pub async fn payload(session: &Session, id: Uuid) -> Result<Option<String>, StoreError> {
    let sql = "SELECT payload FROM event_outbox WHERE id = $1 LIMIT 1";
    session.find_value(sql, &[&id]).await
}

/// The subscribers and their state, one JSON object each.
pub async fn subscribers(session: &Session) -> Result<Vec<Value>, StoreError> {
    documents(session, crate::statements::events::SUBSCRIBERS, &[]).await
}

/// Resumes delivery to a subscriber from its oldest event; returns false if it does not exist.
pub async fn resume(session: &Session, subscriber: &str) -> Result<bool, StoreError> {
    let sql = "SELECT resume_subscriber($1)";
    session.value(sql, &[&subscriber]).await
}

/// Sets the key that signs a subscriber's events; returns false if the subscriber does not exist.
pub async fn set_secret(session: &Session, subscriber: &str, secret: Option<&str>) -> Result<bool, StoreError> {
    let sql = "UPDATE event_subscriber SET secret = $2 WHERE name = $1";
    Ok(session.execute(sql, &[&subscriber, &secret]).await? > 0)
}

/// Deletes the events that a subscriber refused for good; returns false if the subscriber does not exist.
pub async fn forget_dead(session: &Session, subscriber: &str) -> Result<bool, StoreError> {
    let sql = crate::statements::events::FORGET_DEAD;
    session.value(sql, &[&subscriber]).await
}

/// Subscribers with events due now and no current lease.
pub async fn due_subscribers(session: &Session, now: Timestamp) -> Result<Vec<String>, StoreError> {
    session.values("SELECT due_subscribers($1)", &[&now]).await
}

/// Whether there are any subscribers.
pub async fn has_subscribers(session: &Session) -> Result<bool, StoreError> {
    let sql = "SELECT EXISTS (SELECT FROM event_subscriber)";
    session.value(sql, &[]).await
}

/// A process's exclusive right to deliver to a subscriber.
#[derive(Debug, Clone, Copy)]
pub struct Lease<'a> {
    pub subscriber: &'a str,
    /// The process.
    pub me: Uuid,
    /// Duration, unless extended.
    pub seconds: f64,
}

/// Takes or extends the lease of a subscriber. Returns its next events in order, or none if another process holds the
/// lease.
pub async fn take(
    session: &Session,
    lease: Lease<'_>,
    now: Timestamp,
    at_most: i32,
) -> Result<Vec<Outgoing>, StoreError> {
    let sql = "SELECT * FROM take_events($1, $2, $3, $4, $5)";
    let Lease { subscriber, me, seconds } = lease;
    let rows = session.query(sql, &[&subscriber, &me, &now, &seconds, &at_most]).await?;
    Ok(rows.iter().map(outgoing).collect())
}

fn outgoing(row: &Row) -> Outgoing {
    Outgoing {
        seq: row.get("seq"),
        id: row.get("id"),
        topic: row.get("topic"),
        key: row.get("key"),
        payload: row.get("payload"),
        written: row.get("written"),
        attempts: row.get("attempts"),
        failures: row.get("failures"),
        address: row.get("address"),
        secret: row.get("secret"),
    }
}

/// Records the outcome of a batch. Ignores failures if the process has lost the lease since, because the subscriber was
/// resumed.
///
/// # Errors
/// [`StoreError`]; the events are then delivered again.
pub async fn settle(session: &Session, lease: Lease<'_>, now: Timestamp, how: &Settlement) -> Result<(), StoreError> {
    let refused: Value = how
        .refused
        .iter()
        .map(|event| serde_json::json!({"seq": event.seq, "error": event.error, "due": event.due}))
        .collect();
    let (fault, retry) = match &how.unreachable {
        Some((fault, retry)) => (Some(fault), Some(retry)),
        None => (None, None),
    };
    let Lease { subscriber, me, .. } = lease;
    let sql = "SELECT settle_events($1, $2, $3, $4, $5, $6, $7)";
    session.query(sql, &[&subscriber, &me, &now, &how.delivered, &refused, &fault, &retry]).await?;
    Ok(())
}

/// Releases the lease of a subscriber.
pub async fn release(session: &Session, subscriber: &str, me: Uuid) -> Result<(), StoreError> {
    session.query("SELECT release_subscriber($1, $2)", &[&subscriber, &me]).await?;
    Ok(())
}

/// Limits of what may wait for a subscriber.
#[derive(Debug, Clone, Copy)]
pub struct Bounds {
    /// Maximum number of events, refused ones included.
    pub events: i64,
    /// Minimum time of writing.
    pub oldest: Timestamp,
    /// Events written earlier are deleted for all subscribers.
    pub forget: Timestamp,
}

/// Gives up on subscribers over the limits; returns their names and how much waits for them.
pub async fn break_subscribers(
    session: &Session,
    now: Timestamp,
    bounds: &Bounds,
) -> Result<Vec<(String, i64)>, StoreError> {
    let sql = "SELECT name, pending FROM break_subscribers($1, $2, $3, $4)";
    let rows = session.query(sql, &[&now, &bounds.events, &bounds.oldest, &bounds.forget]).await?;
    Ok(rows.iter().map(|row| (row.get("name"), row.get("pending"))).collect())
}

/// Sends these topics to Kafka; `None` stops sending.
pub async fn listen_with_kafka(session: &Session, topics: Option<&[&str]>) -> Result<(), StoreError> {
    session.query("SELECT listen_with_kafka($1)", &[&topics]).await?;
    Ok(())
}
