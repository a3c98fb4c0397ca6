//! Statements about events: who publishes and who listens (mod-pubsub), and the outbox (decision 0017). The rules are
//! in `sql/replaceable/events_delivery.sql`.

use jiff::Timestamp;
use serde_json::Value;
use uuid::Uuid;

use crate::{
    Session, StoreError,
    db::{Parameter, Row},
};

/// Name under which Kafka listens.
pub const KAFKA: &str = "(kafka)";

/// What a module is to an event.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Role {
    /// It makes such events.
    Publisher,
    /// It listens to them.
    Subscriber,
}

impl Role {
    /// As mod-pubsub writes it.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Publisher => "PUBLISHER",
            Self::Subscriber => "SUBSCRIBER",
        }
    }
}

/// An event on its way to one subscriber.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Outgoing {
    /// Its place in the outbox.
    pub seq: i64,
    /// Its id; the same each time it is tried.
    pub id: Uuid,
    /// What kind of event it is.
    pub topic: String,
    /// The record it is about: those of one key are delivered in order.
    pub key: String,
    /// JSON.
    pub payload: String,
    /// When it happened.
    pub written: Timestamp,
    /// How often it was refused.
    pub attempts: i32,
    /// How often the subscriber could not be reached since it was last.
    pub failures: i32,
    /// Where it goes to.
    pub address: String,
    /// What the subscriber's events are signed with.
    pub secret: Option<String>,
}

/// How a batch of events went.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Settlement {
    /// Places of those that arrived.
    pub delivered: Vec<i64>,
    /// Those that the subscriber refused.
    pub refused: Vec<Refused>,
    /// Why the subscriber could not be reached, and when to try again.
    pub unreachable: Option<(String, Timestamp)>,
}

/// An event that its subscriber did not take.
#[derive(Debug, Clone, PartialEq)]
pub struct Refused {
    /// Its place.
    pub seq: i64,
    /// What the subscriber said.
    pub error: String,
    /// When to try again; `None` after the last time.
    pub due: Option<Timestamp>,
}

/// The descriptors of all kinds of events, by name. One round trip.
///
/// # Errors
/// [`StoreError`].
pub async fn event_types(session: &Session) -> Result<Vec<Value>, StoreError> {
    documents(
        session,
        "SELECT descriptor FROM event_type ORDER BY name",
        &[],
    )
    .await
}

/// The descriptors of these kinds of events, as far as they are known. One round trip.
///
/// # Errors
/// [`StoreError`].
pub async fn some_event_types(session: &Session, names: &[&str]) -> Result<Vec<Value>, StoreError> {
    let sql = "SELECT descriptor FROM event_type WHERE name = ANY ($1)";
    documents(session, sql, &[&names]).await
}

async fn documents(
    session: &Session,
    sql: &str,
    parameters: &[Parameter<'_>],
) -> Result<Vec<Value>, StoreError> {
    let rows = session.query(sql, parameters).await?;
    Ok(rows.iter().map(|row| row.get(0)).collect())
}

/// Enters a descriptor, or puts it in the place of a temporary one; `None` when that was done, else the one that is
/// there. One round trip.
///
/// # Errors
/// [`StoreError`].
pub async fn add_event_type(
    session: &Session,
    name: &str,
    descriptor: &Value,
) -> Result<Option<Value>, StoreError> {
    let sql = crate::statements::events::ADD_EVENT_TYPE;
    let row = session.get(sql, &[&name, descriptor]).await?;
    Ok(row.get(0))
}

/// Replaces a descriptor; false when there is none of that name. One round trip.
///
/// # Errors
/// [`StoreError`].
pub async fn replace_event_type(
    session: &Session,
    name: &str,
    descriptor: &Value,
) -> Result<bool, StoreError> {
    let sql = "UPDATE event_type SET descriptor = $2 WHERE name = $1";
    Ok(session.execute(sql, &[&name, descriptor]).await? > 0)
}

/// Removes a kind of event, unless modules publish it or listen to it: whether it was there, and those modules. One
/// round trip.
///
/// # Errors
/// [`StoreError`].
pub async fn delete_event_type(
    session: &Session,
    name: &str,
) -> Result<(bool, Vec<String>), StoreError> {
    let sql = crate::statements::events::DELETE_EVENT_TYPE;
    let row = session.get(sql, &[&name]).await?;
    Ok((row.get(0), row.get(1)))
}

/// The modules that publish an event, or listen to it, as mod-pubsub shows them. One round trip.
///
/// # Errors
/// [`StoreError`].
pub async fn modules(
    session: &Session,
    event_type: &str,
    role: Role,
    tenant: &str,
) -> Result<Vec<Value>, StoreError> {
    let sql = crate::statements::events::MODULES;
    documents(session, sql, &[&event_type, &role.name(), &tenant]).await
}

/// Says what a module publishes, or listens to, in place of what it said before: event types and callback addresses.
/// Unknown types of a subscriber become known for the time being. One round trip.
///
/// # Errors
/// [`StoreError`].
pub async fn declare(
    session: &Session,
    module: &str,
    role: Role,
    declared: &[(String, Option<String>)],
) -> Result<(), StoreError> {
    let (types, callbacks): (Vec<&str>, Vec<Option<&str>>) = declared
        .iter()
        .map(|(name, callback)| (name.as_str(), callback.as_deref()))
        .unzip();
    let sql = "SELECT declare_messaging_module($1, $2, $3, $4)";
    session
        .query(sql, &[&module, &role.name(), &types, &callbacks])
        .await?;
    Ok(())
}

/// Withdraws what modules declared. As in mod-pubsub, `module` stands for all versions of it. One round trip.
///
/// # Errors
/// [`StoreError`].
pub async fn withdraw(
    session: &Session,
    event_type: Option<&str>,
    module: Option<&str>,
    role: Role,
) -> Result<(), StoreError> {
    let sql = crate::statements::events::WITHDRAW;
    session
        .execute(sql, &[&event_type, &module, &role.name()])
        .await?;
    Ok(())
}

/// Writes an event that a client publishes, for those that listen to it. One round trip.
///
/// # Errors
/// [`StoreError`].
pub async fn publish(
    session: &Session,
    id: Uuid,
    event_type: &str,
    payload: &str,
) -> Result<(), StoreError> {
    let sql = crate::statements::events::PUBLISH;
    session.execute(sql, &[&id, &event_type, &payload]).await?;
    Ok(())
}

/// Which of the events that are still there somebody asks for.
#[derive(Debug, Clone, Default)]
pub struct Asked<'a> {
    /// Written from then on.
    pub from: Option<Timestamp>,
    /// Written until then.
    pub until: Option<Timestamp>,
    /// Its id.
    pub id: Option<Uuid>,
    /// Its kind.
    pub topic: Option<&'a str>,
    /// At most so many, the oldest.
    pub limit: i64,
}

/// Events that have not been delivered, as mod-pubsub's audit messages. One round trip.
///
/// # Errors
/// [`StoreError`].
pub async fn undelivered(
    session: &Session,
    asked: &Asked<'_>,
    tenant: &str,
) -> Result<Vec<Value>, StoreError> {
    let sql = crate::statements::events::UNDELIVERED;
    let Asked {
        from,
        until,
        id,
        topic,
        limit,
    } = asked;
    documents(session, sql, &[from, until, id, topic, limit, &tenant]).await
}

/// The payload of an event that has not been delivered. One round trip.
///
/// # Errors
/// [`StoreError`].
pub async fn payload(session: &Session, id: Uuid) -> Result<Option<String>, StoreError> {
    let sql = "SELECT payload FROM event_outbox WHERE id = $1 LIMIT 1";
    Ok(session.find(sql, &[&id]).await?.map(|row| row.get(0)))
}

/// The subscribers and how they are, a JSON object each. One round trip.
///
/// # Errors
/// [`StoreError`].
pub async fn subscribers(session: &Session) -> Result<Vec<Value>, StoreError> {
    documents(session, crate::statements::events::SUBSCRIBERS, &[]).await
}

/// Delivers to a subscriber again, from the oldest of its events on; false when there is none of that name. One round
/// trip.
///
/// # Errors
/// [`StoreError`].
pub async fn resume(session: &Session, subscriber: &str) -> Result<bool, StoreError> {
    let sql = "SELECT resume_subscriber($1)";
    Ok(session.get(sql, &[&subscriber]).await?.get(0))
}

/// Sets what the events of a subscriber are signed with; false when there is none of that name. One round trip.
///
/// # Errors
/// [`StoreError`].
pub async fn set_secret(
    session: &Session,
    subscriber: &str,
    secret: Option<&str>,
) -> Result<bool, StoreError> {
    let sql = "UPDATE event_subscriber SET secret = $2 WHERE name = $1";
    Ok(session.execute(sql, &[&subscriber, &secret]).await? > 0)
}

/// Forgets the events that a subscriber refused for good; false when there is no such subscriber. One round trip.
///
/// # Errors
/// [`StoreError`].
pub async fn forget_dead(session: &Session, subscriber: &str) -> Result<bool, StoreError> {
    let sql = crate::statements::events::FORGET_DEAD;
    Ok(session.get(sql, &[&subscriber]).await?.get(0))
}

/// Subscribers with events to be delivered now that nobody delivers to. One round trip.
///
/// # Errors
/// [`StoreError`].
pub async fn due_subscribers(session: &Session, now: Timestamp) -> Result<Vec<String>, StoreError> {
    let rows = session.query("SELECT due_subscribers($1)", &[&now]).await?;
    Ok(rows.iter().map(|row| row.get(0)).collect())
}

/// Whether anybody listens. One round trip.
///
/// # Errors
/// [`StoreError`].
pub async fn has_subscribers(session: &Session) -> Result<bool, StoreError> {
    let sql = "SELECT EXISTS (SELECT FROM event_subscriber)";
    Ok(session.get(sql, &[]).await?.get(0))
}

/// A process's hold on a subscriber.
#[derive(Debug, Clone, Copy)]
pub struct Lease<'a> {
    /// The subscriber.
    pub subscriber: &'a str,
    /// The process.
    pub me: Uuid,
    /// How long it lasts unless it is prolonged.
    pub seconds: f64,
}

/// Takes or prolongs the lease of a subscriber; its next events in order, none when somebody else has it. One round
/// trip.
///
/// # Errors
/// [`StoreError`].
pub async fn take(
    session: &Session,
    lease: Lease<'_>,
    now: Timestamp,
    at_most: i32,
) -> Result<Vec<Outgoing>, StoreError> {
    let sql = "SELECT * FROM take_events($1, $2, $3, $4, $5)";
    let Lease {
        subscriber,
        me,
        seconds,
    } = lease;
    let rows = session
        .query(sql, &[&subscriber, &me, &now, &seconds, &at_most])
        .await?;
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

/// Records how a batch went. Failures are left out when the process has lost the lease meanwhile, because the subscriber
/// was resumed. One round trip.
///
/// # Errors
/// [`StoreError`]; the events are delivered once more then.
pub async fn settle(
    session: &Session,
    lease: Lease<'_>,
    now: Timestamp,
    how: &Settlement,
) -> Result<(), StoreError> {
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
    session
        .query(
            sql,
            &[
                &subscriber,
                &me,
                &now,
                &how.delivered,
                &refused,
                &fault,
                &retry,
            ],
        )
        .await?;
    Ok(())
}

/// Gives the lease of a subscriber back. One round trip.
///
/// # Errors
/// [`StoreError`].
pub async fn release(session: &Session, subscriber: &str, me: Uuid) -> Result<(), StoreError> {
    session
        .query("SELECT release_subscriber($1, $2)", &[&subscriber, &me])
        .await?;
    Ok(())
}

/// How much may wait for a subscriber.
#[derive(Debug, Clone, Copy)]
pub struct Bounds {
    /// So many events, those it refused included.
    pub events: i64,
    /// None written before.
    pub oldest: Timestamp,
    /// What was written before is forgotten, whoever it is for.
    pub forget: Timestamp,
}

/// Gives up on subscribers that leave too much behind: their names, and what waits for them. One round trip.
///
/// # Errors
/// [`StoreError`].
pub async fn break_subscribers(
    session: &Session,
    now: Timestamp,
    bounds: &Bounds,
) -> Result<Vec<(String, i64)>, StoreError> {
    let sql = "SELECT name, pending FROM break_subscribers($1, $2, $3, $4)";
    let rows = session
        .query(sql, &[&now, &bounds.events, &bounds.oldest, &bounds.forget])
        .await?;
    Ok(rows.iter().map(|row| (row.get(0), row.get(1))).collect())
}

/// Sends these topics to Kafka; `None` sends nothing any longer. One round trip.
///
/// # Errors
/// [`StoreError`].
pub async fn listen_with_kafka(
    session: &Session,
    topics: Option<&[&str]>,
) -> Result<(), StoreError> {
    session
        .query("SELECT listen_with_kafka($1)", &[&topics])
        .await?;
    Ok(())
}
