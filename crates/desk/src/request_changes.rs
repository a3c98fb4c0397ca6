//! Requests made, changed, moved and deleted, from the read to the write. Two round trips.

use std::sync::Arc;

use jiff::Timestamp;
use serde_json::{Map, Value, json};
use store::{Session, StoreError};
use uuid::Uuid;

use super::{
    Columns, Desk, Failed, Operator, at_rest::until_at_rest, created, requests::Changes,
    stamp_record, updated,
};
use circulation::{
    configuration::Configuration,
    dates::stored,
    notices::Happenings,
    records::{Item, ItemStatus, Loan},
    requests::{
        FoundRequester, RequestChange, RequestContext, RequestDeed,
        place::PlaceCommand,
        representation::{self, RequestRow},
    },
};

const READ: &str = include_str!("../../store/queries/circulation/read_request.sql");
const WRITE: &str = "\
    WITH told AS MATERIALIZED (SELECT set_config('carrel.through_override', ($9::boolean)::text, true)) \
    SELECT write_request($1, $2, $3, $4, $5, $6, $7), note_events($8) FROM told";

/// Which request is made or changed: the ids that it and its neighbours are read by. What is not named is that of
/// the stored request.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct RequestSubject {
    /// The stored request, when there is one.
    pub request: Option<Uuid>,
    /// The item.
    pub item: Option<Uuid>,
    /// The title.
    pub title: Option<Uuid>,
    /// Who asks.
    pub requester: Option<Uuid>,
    /// Who acts for them.
    pub proxy: Option<Uuid>,
    /// When any copy of the title is looked at.
    pub copies: Copies,
}

/// When the copies of a title are read with a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Copies {
    /// Never: one item is in question.
    #[default]
    Never,
    /// In any case.
    Always,
    /// For a request that is not stored yet.
    ForNewRequest,
    /// For a stored request that is for its title.
    ForStoredTitleRequest,
}

impl Copies {
    /// As `read_request.sql` knows it.
    fn name(self) -> &'static str {
        match self {
            Copies::Never => "never",
            Copies::Always => "always",
            Copies::ForNewRequest => "new",
            Copies::ForStoredTitleRequest => "stored title",
        }
    }
}

impl RequestSubject {
    /// A stored request.
    pub fn stored(request: Uuid) -> RequestSubject {
        RequestSubject {
            request: Some(request),
            ..RequestSubject::default()
        }
    }

    /// A request as a client wrote it; `stored` when it replaces another version.
    pub fn written(command: &PlaceCommand, stored: Option<Uuid>) -> RequestSubject {
        RequestSubject {
            request: stored,
            item: command.item_id,
            title: command.instance_id,
            requester: command.requester_id,
            proxy: command.proxy_user_id,
            copies: match command.is_title_level() {
                true => Copies::ForNewRequest,
                false => Copies::Never,
            },
        }
    }
}

/// A change of a request that has been written.
#[derive(Debug)]
pub struct ChangedRequest {
    /// What was decided.
    pub change: RequestChange,
    /// What it was decided by.
    pub context: RequestContext,
    /// By which configuration.
    pub configuration: Arc<Configuration>,
    now: Timestamp,
}

/// Reads, lets `decide` decide, and writes. Two round trips.
///
/// # Errors
/// [`Failed`].
pub async fn change_request<E>(
    desk: &Desk,
    session: &Session,
    subject: RequestSubject,
    operator: Operator,
    now: Timestamp,
    decide: impl Fn(&RequestContext, &Configuration) -> Result<RequestChange, E>,
) -> Result<ChangedRequest, Failed<E>> {
    until_at_rest("the queue", || async {
        let (context, configuration) = read_request(desk, session, subject, now).await?;
        let mut change = decide(&context, &configuration).map_err(Failed::Refused)?;
        stamp(&mut change, &context, operator, now);
        write(session, &change, &context, &configuration, operator, now).await?;
        Ok(ChangedRequest {
            change,
            context,
            configuration,
            now,
        })
    })
    .await
}

/// Everything that a request is decided by. One round trip.
///
/// # Errors
/// [`StoreError`].
pub async fn read_request(
    desk: &Desk,
    session: &Session,
    subject: RequestSubject,
    now: Timestamp,
) -> Result<(RequestContext, Arc<Configuration>), StoreError> {
    let RequestSubject {
        request,
        item,
        title,
        requester,
        proxy,
        copies,
    } = subject;
    let (now, copies) = (stored(now).to_string(), copies.name());
    let parameters: [store::db::Parameter<'_>; 7] =
        [&request, &item, &title, &requester, &proxy, &now, &copies];
    let row = session.get(READ, &parameters).await?;
    let configuration = desk.configuration(session, row.column(0)?).await?;
    let requester = match row.record(7)? {
        None => None,
        Some(patron) => Some(FoundRequester {
            patron,
            manual_blocks: row.record(8)?.unwrap_or_default(),
            standing: row.record(9)?.unwrap_or_default(),
        }),
    };
    let context = RequestContext {
        existing: row.record(1)?,
        item: row.record(2)?,
        item_title: row.column(3)?,
        source: row.record(4)?,
        title: row.record(5)?,
        loan: row.record::<Map<String, Value>>(6)?.map(Loan::new),
        requester,
        proxy: row.record(10)?,
        proxy_relationships: row.record(11)?.unwrap_or_default(),
        requests: row.record(12)?.unwrap_or_default(),
        copies: row.record(13)?.unwrap_or_default(),
        own_loan: row.record::<Map<String, Value>>(14)?.map(Loan::new),
        borrower: row.record(17)?,
        has_holdings: row.column(18)?,
        queue_of: (row.column(15)?, row.column(16)?),
    };
    Ok((context, configuration))
}

/// Gives a new request its id, and every one its `metadata`.
fn stamp(change: &mut RequestChange, context: &RequestContext, operator: Operator, now: Timestamp) {
    let record = &mut change.request;
    if !record.contains_key("id") {
        record.insert("id".into(), json!(store::new_id()));
    }
    let stored = context.existing.as_ref().and_then(|r| r.get("metadata"));
    let mut metadata = match stored.and_then(Value::as_object) {
        Some(metadata) => metadata.clone(),
        None => created(operator, now)
            .as_object()
            .cloned()
            .unwrap_or_default(),
    };
    metadata.extend(
        updated(operator, now)
            .as_object()
            .cloned()
            .unwrap_or_default(),
    );
    record.insert("metadata".into(), metadata.into());
}

async fn write(
    session: &Session,
    change: &RequestChange,
    context: &RequestContext,
    configuration: &Configuration,
    operator: Operator,
    now: Timestamp,
) -> Result<(), StoreError> {
    let mut happened = Happenings::new(configuration);
    happened.request_changed(change, context);
    let events = happened.into_value();
    let object = |record: &Map<String, Value>| Value::Object(record.clone());
    let kept = matches!(change.deed, RequestDeed::Made | RequestDeed::Changed);
    let replaces = matches!(change.deed, RequestDeed::Changed | RequestDeed::Deleted);
    let request = kept.then(|| object(&change.request));
    let before = context.existing.as_ref().filter(|_| replaces).map(object);
    let loan_before = change.loan_before.as_ref().map(|loan| object(&loan.record));
    let (items, stamp) = (items(change, now), updated(operator, now));
    let loan = change.loan.clone().filter(|_| loan_before.is_some());
    let loan = loan.map(|mut loan| {
        stamp_record(&mut loan.record, &stamp);
        Value::Object(loan.record)
    });
    let queue = queue(change, context);
    let parameters: [store::db::Parameter<'_>; 9] = [
        &items,
        &stamp,
        &queue,
        &request,
        &before,
        &loan,
        &loan_before,
        &events,
        &change.through_override,
    ];
    session.query(WRITE, &parameters).await?;
    Ok(())
}

fn items(change: &RequestChange, now: Timestamp) -> Value {
    let changed = change.items.iter().map(|(item, status)| {
        let status = status_since(status, now);
        json!({"id": item.id, "version": item.version, "status": status})
    });
    let changes = |item: &&Item| {
        change
            .items
            .iter()
            .any(|(changed, _)| changed.id == item.id)
    };
    let relied_on = change.relied_on.iter().filter(|item| !changes(item));
    let relied_on = relied_on.map(|item| json!({"id": item.id, "version": item.version}));
    changed.chain(relied_on).collect()
}

fn status_since(name: &str, now: Timestamp) -> ItemStatus {
    ItemStatus {
        name: name.to_owned(),
        date: Some(stored(now).to_string()),
    }
}

/// The queue as it was read, with the other requests that move.
fn queue(change: &RequestChange, context: &RequestContext) -> Value {
    let (item, title) = context.queue_of;
    let mut changes = Changes::new(item, title, &context.requests);
    changes.shift(&change.moved);
    changes.into_value()
}

impl ChangedRequest {
    /// The request as clients see it.
    pub fn representation(&self) -> Value {
        let change = &self.change;
        let mut item = change.item.clone();
        if let Some(item) = &mut item
            && let Some((_, status)) = change.items.iter().find(|(c, _)| c.id == item.id)
        {
            item.status = status_since(status, self.now);
        }
        let due = change.loan.as_ref().and_then(|loan| loan.text("dueDate"));
        let row = RequestRow {
            request: change.request.clone(),
            version: self.configuration.version,
            item,
            instance: self.context.title.clone(),
            due_date: due.map(str::to_owned),
            requester: self.context.patron().cloned(),
            proxy: self.context.proxy.clone(),
            printer: None,
        };
        representation::request(&row, &self.configuration)
    }
}
