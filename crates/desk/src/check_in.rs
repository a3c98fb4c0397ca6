//! Check-in: read, decide, write.

use std::sync::Arc;

use circulation::{
    check_in::{self, CheckInCommand, CheckInContext, LostItem, Return},
    configuration::Configuration,
    dates::stored,
    item_facts::{Done, item_facts},
    notices::{Event, Happenings},
    records::{ItemStatus, Loan, PaymentStatus},
    representation::{self, LoanSurroundings},
    slips,
};
use jiff::Timestamp;
use postgres_types::Json;
use rust_decimal::Decimal;
use serde_json::{Map, Value, json};
use store::{
    Session, StoreError,
    db::Row,
    statements::{
        circulation::{CHECK_IN, READ_CHECK_IN},
        writes::WRITE_CHECK_IN,
    },
};
use uuid::Uuid;

use super::{
    Columns, Desk, Failed, Operator,
    at_rest::until_at_rest,
    collections, created, fees,
    ordinary::{self, Replaced, StateRead, has_common_status},
    requests::Changes,
    updated,
};

/// A completed check-in.
#[derive(Debug)]
pub struct CheckedIn {
    /// The decision behind it.
    pub decided: Return,
    /// The records read for it.
    pub context: CheckInContext,
    /// The configuration used.
    pub configuration: Arc<Configuration>,
    service_point: Uuid,
    now: Timestamp,
}

/// Checks in an item. Two round trips.
pub async fn check_in(
    desk: &Desk,
    session: &Session,
    command: &CheckInCommand,
    now: Timestamp,
) -> Result<CheckedIn, Failed> {
    until_at_rest("the item", || async {
        let (row, context, configuration) = read(desk, session, command).await?;
        let decided = check_in::decide(&context, &configuration, command, now)?;
        write(session, &decided, &context, &configuration, &row, command, now).await?;
        Ok(CheckedIn { decided, context, configuration, service_point: command.service_point_id, now })
    })
    .await
}

/// The records that decide, with the row that also has what only the writing needs.
pub(super) async fn read(
    desk: &Desk,
    session: &Session,
    command: &CheckInCommand,
) -> Result<(Row, CheckInContext, Arc<Configuration>), StoreError> {
    let returned = stored(command.check_in_date.timestamp).to_string();
    let row = session.get(READ_CHECK_IN, &[&command.item_barcode, &command.operator, &returned]).await?;
    let configuration = desk.configuration(session, row.column("configuration_version")?).await?;
    let context = context(&row)?;
    Ok((row, context, configuration))
}

fn context(row: &Row) -> Result<CheckInContext, StoreError> {
    let lost: LostItem = row.record("lost")?.unwrap_or_default();
    Ok(CheckInContext {
        item: ordinary::item(row)?,
        instance: row.record("instance")?.unwrap_or_default(),
        loan: collections::loan(row)?,
        borrower: row.record("borrower")?,
        last_loan: lost.loan,
        requests: row.record("requests")?.unwrap_or_default(),
        operator: row.record("operator")?,
        lost_fees: lost.fees,
        claim: None,
    })
}

async fn write(
    session: &Session,
    decided: &Return,
    context: &CheckInContext,
    configuration: &Configuration,
    row: &Row,
    command: &CheckInCommand,
    now: Timestamp,
) -> Result<(), StoreError> {
    let operator = Operator(Some(command.operator));
    let stamp = updated(operator, now);
    let loan = decided.loan.clone().map(|mut loan| {
        loan.stamp(stamp.clone());
        Json(loan)
    });
    let before = context.loan.as_ref().map(Json);
    let (check_in_id, session_id) = (store::new_id(), store::new_id());
    let fees = fees::written(&decided.fees, operator, now);
    let events = events(decided, context, fees.as_ref(), command, configuration);
    let state = state(decided);
    let is_ordinary = context.item.as_ref().is_some_and(has_common_status)
        && context.requests.is_empty()
        && fees.is_none()
        && !configuration.has_listeners
        && collections::is_returned_in_columns(row)?;
    let borrower = context.loan.as_ref().and_then(Loan::user_id);
    if is_ordinary
        && borrower.is_some()
        && let (Some(read_state), Some(loan), Some(before)) = (StateRead::of(row)?, &loan, &context.loan)
    {
        let uncommon = decided.item.status.name.filter(|_| !has_common_status(&decided.item)).map(ItemStatus::name);
        let next = read_state.next(&state, &stamp);
        let replaced = Replaced::of(before.record(), loan.0.record());
        let parameters: [store::db::Parameter<'_>; 22] = [
            &decided.item.id,
            &read_state.row,
            &next,
            &before.id(),
            &row.column::<Option<String>>("loan_row")?,
            &before.item_status().map(ItemStatus::name),
            &loan.0.item_status().map(ItemStatus::name),
            &borrower,
            &store::new_id(),
            &check_in_id,
            &stored(now).to_string(),
            &session_id,
            &client_session(command),
            &events,
            &uncommon,
            &replaced.members,
            &replaced.added,
            &command.service_point_id,
            &command.operator,
            &decided.status_before,
            &decided.item.effective_location_id,
            &loan.0.return_date_text(),
        ];
        session.query(CHECK_IN, &parameters).await?;
        return Ok(());
    }
    let check_in = check_in_record(check_in_id, decided, command, now);
    let patron_session = decided.loan.as_ref().and_then(|loan| session_record(session_id, loan, command, now));
    let requests = requests(decided, context);
    let parameters: [store::db::Parameter<'_>; 11] = [
        &decided.item.id,
        &decided.item.version,
        &state,
        &stamp,
        &loan,
        &before,
        &requests,
        &check_in,
        &patron_session,
        &fees,
        &events,
    ];
    session.query(WRITE_CHECK_IN, &parameters).await?;
    Ok(())
}

/// Events for a fine, refunded fees and an item on the hold shelf. The check-in notice waits for the end of the
/// session.
fn events(
    decided: &Return,
    context: &CheckInContext,
    fees: Option<&Value>,
    command: &CheckInCommand,
    configuration: &Configuration,
) -> Option<Value> {
    let mut happened = Happenings::new(configuration);
    let loan = decided.loan.as_ref().and_then(Loan::id);
    let session = command.session_id.as_deref().filter(|id| Uuid::try_parse(id).is_ok());
    happened.fees(Event::OverdueFineReturned, loan, fees, session, |done| done == "Overdue fine");
    let last = context.last_loan.as_ref();
    // FOLIO sends this one however the item was lost (mod-circulation's `LostItemFeeRefundService`).
    if let Some(lost) = context.loan.as_ref().or(last) {
        happened.fees(Event::AgedToLostReturned, lost.id(), fees, None, is_given_back);
    }
    if let Some(fulfilled) = &decided.fulfilled {
        happened.fulfilled(&fulfilled.request, &context.requests);
    }
    happened.into_value()
}

/// True for fee actions that refund or cancel.
fn is_given_back(done: &str) -> bool {
    let done = PaymentStatus::from_name(done);
    done.is_some_and(|done| done.is_refunded() || done.is_cancelled())
}

/// The members of the item's state that a check-in sets.
fn state(decided: &Return) -> Value {
    let item = &decided.item;
    let mut state = json!({"status": item.status});
    if let Some(destination) = item.in_transit_destination_service_point_id {
        state["inTransitDestinationServicePointId"] = json!(destination);
    }
    if let Some(last) = &item.last_check_in {
        state["lastCheckIn"] = json!(last);
    }
    state
}

fn check_in_record(id: Uuid, decided: &Return, command: &CheckInCommand, now: Timestamp) -> Value {
    let mut record = json!({
        "id": id,
        "occurredDateTime": stored(now).to_string(),
        "itemId": decided.item.id,
        "servicePointId": command.service_point_id,
        "performedByUserId": command.operator,
        "itemStatusPriorToCheckIn": decided.status_before,
        "requestQueueSize": decided.queue_length,
    });
    if let Some(location) = decided.item.effective_location_id {
        record["itemLocationId"] = json!(location);
    }
    record
}

fn session_record(id: Uuid, loan: &Loan, command: &CheckInCommand, now: Timestamp) -> Option<Value> {
    let mut record = json!({
        "id": id,
        "patronId": loan.user_id()?,
        "loanId": loan.id()?,
        "actionType": "Check-in",
        "metadata": created(Operator(Some(command.operator)), now),
    });
    if let Some(session) = client_session(command) {
        record["sessionId"] = json!(session);
    }
    Some(record)
}

/// The client's id of the session, if it is one.
fn client_session(command: &CheckInCommand) -> Option<Uuid> {
    command.session_id.as_deref().and_then(|id| Uuid::try_parse(id).ok())
}

fn requests(decided: &Return, context: &CheckInContext) -> Value {
    let (item, title) = (decided.item.id, context.instance.id);
    let mut changes = Changes::new(Some(item), Some(title), &context.requests);
    if let Some(fulfilled) = &decided.fulfilled {
        let id = fulfilled.request.id();
        if let Some(before) = context.requests.iter().find(|queued| queued.request.id() == id) {
            changes.change(&before.request, fulfilled.request.clone(), &decided.moved);
        }
    }
    changes.shift(&decided.moved);
    changes.into_value()
}

impl CheckedIn {
    /// What staff must not miss about the item.
    pub fn item_facts(&self) -> Value {
        let Return { item, status_before, fees, afterwards, .. } = &self.decided;
        let mut facts = item_facts(item, status_before, Done::CheckIn, fees);
        if let Some(refusal) = afterwards {
            facts["refusal"] = refusal.message().into();
        }
        facts
    }

    /// The check-in response (docs/folio/check-in.md#the-answer).
    pub fn representation(&self) -> Value {
        let (item, instance) = (&self.decided.item, &self.context.instance);
        let mut shown = Map::new();
        if let Some(loan) = &self.decided.loan {
            let around = LoanSurroundings {
                item: Some((item, instance)),
                borrower: self.context.borrower.as_ref(),
                service_points: true,
                // FOLIO reads no accounts at check-in, so even a fine it charges does not show here.
                remaining_fees: Some(Decimal::ZERO),
            };
            shown.insert("loan".into(), representation::loan(loan, &around, &self.configuration));
        }
        let summary = representation::item(item, instance, &self.configuration);
        shown.insert("item".into(), summary);
        let fulfilled = self.decided.fulfilled.as_ref();
        let slip = slips::context(item, instance, fulfilled, self.service_point, &self.configuration, self.now);
        shown.insert("staffSlipContext".into(), slip);
        shown.insert("inHouseUse".into(), self.decided.in_house_use.into());
        Value::Object(shown)
    }
}
