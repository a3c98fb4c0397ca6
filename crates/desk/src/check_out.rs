//! A check-out from the read to the write.

use std::sync::Arc;

use circulation::{
    check_out::{
        self, CheckOutCommand, CheckOutContext, FoundItem, FoundPatron, Lending, NotLent, SameKind,
    },
    configuration::Configuration,
    dates::stored,
    loans::representation::{self, LoanSurroundings},
    notices::{Event, Happenings},
    records::{Instance, Item, ItemStatus, Loan, Patron},
    requests::queue::QueueChange,
};
use jiff::Timestamp;
use rust_decimal::Decimal;
use serde_json::{Map, Value, json};
use store::{
    Session, StoreError,
    statements::circulation::{COUNT_SAME_KIND, READ_CHECK_OUT, WRITE_CHECK_OUT},
};
use uuid::Uuid;

use super::{
    Columns, Desk, Failed, Operator, at_rest::until_at_rest, created, requests::Changes, updated,
};

/// A loan that has been made.
#[derive(Debug)]
pub struct CheckedOut {
    /// The loan, as stored.
    pub loan: Loan,
    /// The item as it is now.
    pub item: Item,
    /// What it is a copy of.
    pub instance: Instance,
    /// Who has it.
    pub patron: Patron,
    /// What was decided.
    pub lending: Lending,
    /// By which configuration.
    pub configuration: Arc<Configuration>,
}

/// The policies that a loan would have.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Policies {
    /// Loan policy.
    pub loan: Uuid,
    /// Overdue fine policy.
    pub overdue_fine: Uuid,
    /// Lost item policy.
    pub lost_item: Uuid,
    /// Patron notice policy.
    pub notice: Uuid,
}

/// What was read.
struct Read {
    context: CheckOutContext,
    configuration: Arc<Configuration>,
    /// The number of the patron's open loans.
    open_loans: i32,
}

/// Lends an item. Two round trips; three when the patron has as many items as the loan policy allows of one kind.
///
/// # Errors
/// [`Failed`].
pub async fn check_out(
    desk: &Desk,
    session: &Session,
    command: &CheckOutCommand,
    operator: Operator,
    now: Timestamp,
) -> Result<CheckedOut, Failed<NotLent>> {
    until_at_rest("the item or the patron", || async {
        let read = read(desk, session, command, now).await?;
        let lending = check_out::decide(&read.context, &read.configuration, command, now)
            .map_err(Failed::Refused)?;
        let (Some(found), Some(patron)) = (&read.context.item, &read.context.patron) else {
            return Err(Failed::Refused(NotLent::Refused(Vec::new())));
        };
        let made = complete(lending, found, &patron.patron, &read, operator, now);
        write(session, &made, &read, operator, now).await?;
        Ok(made)
    })
    .await
}

/// Makes every check of a check-out and writes nothing. One round trip.
///
/// # Errors
/// [`Failed`].
pub async fn dry_run(
    desk: &Desk,
    session: &Session,
    command: &CheckOutCommand,
    now: Timestamp,
) -> Result<Policies, Failed<NotLent>> {
    let read = read(desk, session, command, now).await?;
    let admission = check_out::admit(&read.context, &read.configuration, command, now)
        .map_err(Failed::Refused)?;
    Ok(Policies {
        loan: admission.loan_policy.id,
        overdue_fine: admission.overdue_fine_policy_id,
        lost_item: admission.lost_item_policy_id,
        notice: admission.notice_policy_id,
    })
}

async fn read(
    desk: &Desk,
    session: &Session,
    command: &CheckOutCommand,
    now: Timestamp,
) -> Result<Read, StoreError> {
    let (item, patron, proxy) = (
        &command.item_barcode,
        &command.user_barcode,
        &command.proxy_barcode,
    );
    let row = session
        .get(
            READ_CHECK_OUT,
            &[item, patron, proxy, &stored(now).to_string()],
        )
        .await?;
    let configuration = desk.configuration(session, row.column(0)?).await?;
    let (has_open_loan, open_loans): (bool, i32) = (row.column(3)?, row.column(11)?);
    let instance = row.record(2)?.unwrap_or_default();
    let item = row.record(1)?.map(|item| FoundItem {
        item,
        instance,
        has_open_loan,
    });
    let patron = match row.record(4)? {
        None => None,
        Some(patron) => Some(FoundPatron {
            patron,
            manual_blocks: row.record(5)?.unwrap_or_default(),
            standing: row.record(6)?.unwrap_or_default(),
            open_loans: open_loans.into(),
            same_kind: SameKind::default(),
            locked: row.column(10)?,
        }),
    };
    let mut context = CheckOutContext {
        item,
        patron,
        proxy: row.record(7)?,
        proxy_relationships: row.record(8)?.unwrap_or_default(),
        requests: row.record(9)?.unwrap_or_default(),
    };
    if check_out::limit_is_near(&context, &configuration, command) {
        count_same_kind(session, &mut context).await?;
    }
    Ok(Read {
        context,
        configuration,
        open_loans,
    })
}

/// Counts the patron's items that are like the one asked for. One round trip.
async fn count_same_kind(
    session: &Session,
    context: &mut CheckOutContext,
) -> Result<(), StoreError> {
    if let (Some(found), Some(patron)) = (&context.item, &mut context.patron) {
        let parameters: [store::db::Parameter<'_>; 2] = [&patron.patron.id, &found.item.id];
        let row = session.get(COUNT_SAME_KIND, &parameters).await?;
        patron.same_kind = row.record(0)?.unwrap_or_default();
    }
    Ok(())
}

/// Gives the loan its id and `metadata`, and the item its new state.
fn complete(
    lending: Lending,
    found: &FoundItem,
    patron: &Patron,
    read: &Read,
    operator: Operator,
    now: Timestamp,
) -> CheckedOut {
    let mut record = Map::new();
    record.insert("id".into(), json!(store::new_id()));
    record.extend(lending.loan.record.clone());
    record.insert("metadata".into(), created(operator, now));
    let mut item = found.item.clone();
    item.status = ItemStatus {
        name: "Checked out".to_owned(),
        date: Some(stored(now).to_string()),
    };
    item.in_transit_destination_service_point_id = None;
    CheckedOut {
        loan: Loan::new(record),
        item,
        instance: found.instance.clone(),
        patron: patron.clone(),
        lending,
        configuration: Arc::clone(&read.configuration),
    }
}

async fn write(
    session: &Session,
    made: &CheckedOut,
    read: &Read,
    operator: Operator,
    now: Timestamp,
) -> Result<(), StoreError> {
    let state = json!({"status": made.item.status});
    let counted = made.lending.limited.then_some(read.open_loans);
    let loan = Value::Object(made.loan.record.clone());
    let requests = requests(&made.lending.queue, &read.context);
    let patron_session = json!({
        "id": store::new_id(), "patronId": made.patron.id, "loanId": loan["id"],
        "actionType": "Check-out", "metadata": created(operator, now),
    });
    let stamp = updated(operator, now);
    let events = events(made);
    let parameters: [store::db::Parameter<'_>; 10] = [
        &made.item.id,
        &made.item.version,
        &state,
        &stamp,
        &loan,
        &made.patron.id,
        &counted,
        &requests,
        &patron_session,
        &events,
    ];
    session.query(WRITE_CHECK_OUT, &parameters).await?;
    Ok(())
}

/// The loan has a due date, and the request that it fills has none any more. That something was lent is told at the end
/// of the session.
fn events(made: &CheckedOut) -> Option<Value> {
    let mut happened = Happenings::new(&made.configuration);
    happened.loan(Event::DueDate, made.loan.id());
    if let Some(filled) = made.lending.queue.filled {
        happened.request(Event::RequestExpiration, Some(filled));
    }
    happened.into_value()
}

fn requests(change: &QueueChange, context: &CheckOutContext) -> Value {
    let found = context.item.as_ref();
    let (item, title) = (found.map(|f| f.item.id), found.map(|f| f.instance.id));
    let mut changes = Changes::new(item, title, &context.requests);
    let filled = context
        .requests
        .iter()
        .find(|queued| Some(queued.request.id) == change.filled);
    if let Some(filled) = filled {
        changes.change(filled, QueueChange::filled_members(), &[]);
    }
    changes.shift(&change.moved);
    changes.into_value()
}

impl CheckedOut {
    /// The answer to a check-out (docs/folio/loans.md#how-a-loan-is-shown).
    pub fn representation(&self) -> Value {
        let around = LoanSurroundings {
            item: Some((&self.item, &self.instance)),
            borrower: Some(&self.patron),
            service_points: false,
            remaining_fees: Some(Decimal::ZERO),
        };
        let mut shown = representation::loan(&self.loan, &around, &self.configuration);
        for (member, changed) in [
            (
                "dueDateChangedByNearExpireUser",
                self.lending.due_date_changed_by_near_expire_user,
            ),
            (
                "dueDateChangedByHold",
                self.lending.due_date_changed_by_hold,
            ),
        ] {
            if changed {
                shown[member] = true.into();
            }
        }
        shown
    }
}
