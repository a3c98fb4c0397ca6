//! Placing, replacing, deleting and moving requests (docs/folio/requests.md). Each is read, decided and written in two
//! round trips.

use std::sync::{Arc, LazyLock};

use circulation::{
    configuration::Configuration,
    dates::stored,
    notices::Happenings,
    records::{DatedStatus, Item, Request},
    requests::{
        FoundRequester, RequestChange, RequestContext, RequestDeed,
        by_instance::{self, TitleCommand},
        change::{self, MoveCommand},
        place::{self, PlaceCommand},
        representation::{self, RequestRow},
    },
};
use jiff::Timestamp;
use postgres_types::Json;
use refusals::Refused;
use serde_json::{Value, json};
use store::{
    Session, StoreError,
    collection::Collection,
    statements::{circulation::READ_REQUEST, writes::WRITE_REQUEST},
};
use uuid::Uuid;

use super::queue_changes::Changes;
use crate::{Columns, Desk, Failed, Operator, at_rest::until_at_rest, collections, created, updated};

static REQUESTS: LazyLock<Collection> = LazyLock::new(collections::requests);

/// A request change after it was written.
#[derive(Debug)]
pub struct ChangedRequest {
    /// The decided change.
    pub change: RequestChange,
    /// The records read for it.
    pub context: RequestContext,
    /// The configuration used.
    pub configuration: Arc<Configuration>,
    now: Timestamp,
}

/// Places an item-level or title-level request. Two round trips.
pub async fn place_request(
    desk: &Desk,
    session: &Session,
    command: &PlaceCommand,
    operator: Operator,
    now: Timestamp,
) -> Result<ChangedRequest, Failed> {
    let subject = RequestSubject::written(command, None);
    change_request(desk, session, subject, operator, now, |context, configuration| {
        place::decide(context, configuration, command, now)
    })
    .await
}

/// Places a request for the most suitable item of a title. Two round trips.
pub async fn place_title_request(
    desk: &Desk,
    session: &Session,
    command: &TitleCommand,
    operator: Operator,
    now: Timestamp,
) -> Result<ChangedRequest, Failed> {
    let subject = RequestSubject {
        title: Some(command.instance_id),
        requester: Some(command.requester_id),
        proxy: command.proxy_user_id,
        copies: Copies::Always,
        ..RequestSubject::default()
    };
    change_request(desk, session, subject, operator, now, |context, configuration| {
        by_instance::decide(context, configuration, command, now)
    })
    .await
}

/// Replaces a request, or places it if it does not exist yet. Two round trips.
pub async fn replace_request(
    desk: &Desk,
    session: &Session,
    (request, command): (Uuid, &PlaceCommand),
    operator: Operator,
    now: Timestamp,
) -> Result<ChangedRequest, Failed> {
    let subject = RequestSubject::written(command, Some(request));
    change_request(desk, session, subject, operator, now, |context, configuration| {
        change::replace(context, configuration, command, now)
    })
    .await
}

/// Deletes a request; the others in its queue move up. Two round trips.
pub async fn delete_request(
    desk: &Desk,
    session: &Session,
    request: Uuid,
    operator: Operator,
    now: Timestamp,
) -> Result<ChangedRequest, Failed> {
    let subject = RequestSubject::stored(request);
    change_request(desk, session, subject, operator, now, change::delete).await
}

/// Moves a request to another item of its title. Two round trips.
pub async fn move_request(
    desk: &Desk,
    session: &Session,
    (request, command): (Uuid, &MoveCommand),
    operator: Operator,
    now: Timestamp,
) -> Result<ChangedRequest, Failed> {
    let subject = RequestSubject { item: command.destination, ..RequestSubject::stored(request) };
    change_request(desk, session, subject, operator, now, |context, configuration| {
        change::relocate(context, configuration, command, now)
    })
    .await
}

/// Reads the records, calls `decide` and writes the result.
async fn change_request(
    desk: &Desk,
    session: &Session,
    subject: RequestSubject,
    operator: Operator,
    now: Timestamp,
    decide: impl Fn(&RequestContext, &Configuration) -> Result<RequestChange, Refused>,
) -> Result<ChangedRequest, Failed> {
    until_at_rest("the queue", || async {
        let (context, configuration) = read_request(desk, session, subject, now).await?;
        let mut change = decide(&context, &configuration)?;
        change.request = kept(change.request)?;
        stamp(&mut change, &context, operator, now);
        write(session, &change, &context, &configuration, operator, now).await?;
        Ok(ChangedRequest { change, context, configuration, now })
    })
    .await
}

/// The IDs to read when a request is created or changed. Missing ones come from the stored request.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct RequestSubject {
    /// The stored request; absent for a new one.
    pub request: Option<Uuid>,
    /// ID of the item.
    pub item: Option<Uuid>,
    /// ID of the instance.
    pub title: Option<Uuid>,
    /// ID of the requester.
    pub requester: Option<Uuid>,
    /// ID of the proxy.
    pub proxy: Option<Uuid>,
    /// When to read the copies of the instance.
    pub copies: Copies,
}

/// When to read the copies of an instance with a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Copies {
    /// Never: the request is for one item.
    #[default]
    Never,
    /// Always.
    Always,
    /// If the request is not stored yet.
    ForNewRequest,
    /// If the stored request is title-level.
    ForStoredTitleRequest,
}

impl Copies {
    /// The name in `read_request.sql`.
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
    /// The IDs for a stored request.
    pub fn stored(request: Uuid) -> RequestSubject {
        RequestSubject { request: Some(request), ..RequestSubject::default() }
    }

    /// The IDs for a request sent by a client; `stored` is set if it replaces another version.
    pub fn written(command: &PlaceCommand, stored: Option<Uuid>) -> RequestSubject {
        RequestSubject {
            request: stored,
            item: command.request.item_id(),
            title: command.request.instance_id(),
            requester: command.request.requester_id(),
            proxy: command.request.proxy_user_id(),
            copies: match command.is_title_level() {
                true => Copies::ForNewRequest,
                false => Copies::Never,
            },
        }
    }
}

/// Reads all records for a decision about a request. One round trip.
pub async fn read_request(
    desk: &Desk,
    session: &Session,
    subject: RequestSubject,
    now: Timestamp,
) -> Result<(RequestContext, Arc<Configuration>), StoreError> {
    let RequestSubject { request, item, title, requester, proxy, copies } = subject;
    let (now, copies) = (stored(now).to_string(), copies.name());
    let parameters: [store::db::Parameter<'_>; 7] = [&request, &item, &title, &requester, &proxy, &now, &copies];
    let row = session.get(READ_REQUEST, &parameters).await?;
    let configuration = desk.configuration(session, row.column("configuration_version")?).await?;
    let requester = match row.record("requester")? {
        None => None,
        Some(patron) => Some(FoundRequester {
            patron,
            manual_blocks: row.record("manual_blocks")?.unwrap_or_default(),
            standing: row.record("standing")?.unwrap_or_default(),
        }),
    };
    let context = RequestContext {
        existing: row.record("existing")?,
        item: row.record("item")?,
        item_title: row.column("item_title")?,
        source: row.record("source")?,
        title: row.record("title")?,
        loan: row.record("loan")?,
        requester,
        proxy: row.record("proxy")?,
        proxy_relationships: row.record("proxy_relationships")?.unwrap_or_default(),
        requests: row.record("requests")?.unwrap_or_default(),
        copies: row.record("copies")?.unwrap_or_default(),
        own_loan: row.record("own_loan")?,
        borrower: row.record("borrower")?,
        has_holdings: row.column("has_holdings")?,
        queue_of: (row.column("queue_of_item")?, row.column("queue_of_title")?),
    };
    Ok((context, configuration))
}

/// The record to store, without `metadata`.
fn kept(mut request: Request) -> Result<Request, Failed> {
    request.set_metadata(None);
    let mut record = REQUESTS.schema.accept(request.into_record().into())?;
    if let Some(check) = REQUESTS.check {
        check(&mut record)?;
    }
    Ok(Request::new(record))
}

/// Sets `metadata`, and the ID of a new request.
fn stamp(change: &mut RequestChange, context: &RequestContext, operator: Operator, now: Timestamp) {
    let request = &mut change.request;
    if request.known_id().is_none() {
        request.set_id(store::new_id());
    }
    match context.existing.as_ref().and_then(Request::metadata) {
        Some(metadata) => request.set_metadata(metadata),
        None => request.stamp(created(operator, now)),
    }
    request.stamp(updated(operator, now));
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
    let kept = matches!(change.deed, RequestDeed::Made | RequestDeed::Changed);
    let replaces = matches!(change.deed, RequestDeed::Changed | RequestDeed::Deleted);
    let request = kept.then_some(Json(&change.request));
    let before = context.existing.as_ref().filter(|_| replaces).map(Json);
    let loan_before = change.loan_before.as_ref().map(Json);
    let (items, stamp) = (items(change, now), updated(operator, now));
    let loan = change.loan.clone().filter(|_| loan_before.is_some());
    let loan = loan.map(|mut loan| {
        loan.stamp(stamp.clone());
        Json(loan)
    });
    let queue = queue(change, context);
    let parameters: [store::db::Parameter<'_>; 9] =
        [&items, &stamp, &queue, &request, &before, &loan, &loan_before, &events, &change.through_override];
    session.query(WRITE_REQUEST, &parameters).await?;
    Ok(())
}

fn items(change: &RequestChange, now: Timestamp) -> Value {
    let changed = change.items.iter().map(|(item, status)| {
        let status = DatedStatus::since(*status, now);
        json!({"id": item.id, "version": item.version, "status": status})
    });
    let changes = |item: &&Item| change.items.iter().any(|(changed, _)| changed.id == item.id);
    let relied_on = change.relied_on.iter().filter(|item| !changes(item));
    let relied_on = relied_on.map(|item| json!({"id": item.id, "version": item.version}));
    changed.chain(relied_on).collect()
}

/// The queue as read, with the other requests that move.
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
            item.status = DatedStatus::since(*status, self.now);
        }
        let due = change.loan.as_ref().and_then(|loan| loan.due_date_text());
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
