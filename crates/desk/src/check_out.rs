//! Check-out: read, decide, write.

use std::sync::Arc;

use circulation::{
    blocks::automated::{Standing, automated_blocks},
    check_out::{self, CheckOut, CheckOutCommand, CheckOutContext, FoundItem, FoundPatron, SameKind},
    configuration::Configuration,
    dates::stored,
    fees::changes::FeeChanges,
    item_facts::{Done, item_facts},
    notices::{Event, Happenings},
    records::{DatedStatus, Instance, Item, ItemStatus, Loan, LoanAction, Patron, ProxyRelationship},
    representation::{self, LoanSurroundings},
    requests::queue::QueueChange,
    why::WhatIf,
};
use jiff::Timestamp;
use postgres_types::Json;
use refusals::Refused;
use rust_decimal::Decimal;
use serde::Deserialize;
use serde_json::{Value, json};
use store::{
    Session, StoreError,
    circulation::lock_of,
    statements::{
        circulation::{CHECK_OUT, COUNT_SAME_KIND, READ_CHECK_OUT},
        writes::WRITE_CHECK_OUT,
    },
};
use uuid::Uuid;

use super::{
    Columns, Desk, Failed, Operator,
    at_rest::until_at_rest,
    collections::rest,
    created,
    ordinary::{self, StateRead, has_common_status},
    requests::Changes,
    updated,
};

/// A completed check-out.
#[derive(Debug)]
pub struct CheckedOut {
    /// The loan, as stored.
    pub loan: Loan,
    /// The item after the check-out.
    pub item: Item,
    /// The name of the item's status before.
    pub status_before: &'static str,
    /// The item's instance.
    pub instance: Instance,
    /// The borrower.
    pub patron: Patron,
    /// The borrower's open loans, this one among them.
    pub open_loans: i64,
    /// The borrower's loans and debts, this loan among them.
    standing: Standing,
    /// The decision behind it.
    pub decision: CheckOut,
    /// The configuration used.
    pub configuration: Arc<Configuration>,
    now: Timestamp,
}

/// The policies that would apply to a loan.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Policies {
    /// ID of the loan policy.
    pub loan: Uuid,
    /// ID of the overdue fine policy.
    pub overdue_fine: Uuid,
    /// ID of the lost item policy.
    pub lost_item: Uuid,
    /// ID of the patron notice policy.
    pub notice: Uuid,
}

/// The records read.
pub(super) struct Read {
    /// What the decision reads.
    pub context: CheckOutContext,
    /// The configuration of that moment.
    pub configuration: Arc<Configuration>,
    /// The item's state, for the write.
    state: Option<StateRead>,
    /// Whether the patron has counters, as everybody has who ever borrowed.
    is_counted: bool,
}

/// The user with the proxy's barcode, and the relationships with the patron.
#[derive(Default, Deserialize)]
#[serde(default)]
struct FoundProxy {
    user: Option<Patron>,
    relationships: Vec<ProxyRelationship>,
}

impl Read {
    /// Whether one plain statement can write the check-out.
    fn is_ordinary(&self) -> bool {
        self.is_counted && self.context.requests.is_empty() && !self.configuration.has_listeners
    }
}

/// Checks out an item. Two round trips, and one each when the patron has as many loans as the loan policy's item limit, and
/// when the library has check-out locks.
pub async fn check_out(
    desk: &Desk,
    session: &Session,
    command: &CheckOutCommand,
    operator: Operator,
    now: Timestamp,
) -> Result<CheckedOut, Failed> {
    until_at_rest("the item or the patron", || async {
        let read = read(desk, session, command, &WhatIf::default(), now).await?;
        let decision = check_out::decide(&read.context, &read.configuration, command, now)?;
        let (Some(found), Some(patron)) = (&read.context.item, &read.context.patron) else {
            return Err(Refused::default().into());
        };
        let made = complete(decision, found, patron, &read, operator, now);
        write(session, &made, &read, operator, now).await?;
        Ok(made)
    })
    .await
}

/// Runs every check of a check-out without writing. One round trip.
pub async fn dry_run(
    desk: &Desk,
    session: &Session,
    command: &CheckOutCommand,
    now: Timestamp,
) -> Result<Policies, Failed> {
    let read = read(desk, session, command, &WhatIf::default(), now).await?;
    let admission = check_out::admit(&read.context, &read.configuration, command, now)?;
    Ok(Policies {
        loan: admission.loan_policy.id,
        overdue_fine: admission.overdue_fine_policy_id,
        lost_item: admission.lost_item_policy_id,
        notice: admission.notice_policy_id,
    })
}

/// Reads the records of a check-out and puts other values into them, if any are to be tried. One round trip, and one each
/// when the patron has as many loans as the loan policy's item limit, and when the library has check-out locks.
pub(super) async fn read(
    desk: &Desk,
    session: &Session,
    command: &CheckOutCommand,
    what_if: &WhatIf,
    now: Timestamp,
) -> Result<Read, StoreError> {
    let (item, patron, proxy) = (&command.item_barcode, &command.user_barcode, &command.proxy_barcode);
    let row = session.get(READ_CHECK_OUT, &[item, patron, proxy, &stored(now).to_string()]).await?;
    let configuration = desk.configuration(session, row.column("configuration_version")?).await?;
    let has_open_loan = row.column("has_open_loan")?;
    let instance = row.record("instance")?.unwrap_or_default();
    let item = ordinary::item(&row)?.map(|item| FoundItem { item, instance, has_open_loan });
    let patron = match row.record::<Patron>("patron")? {
        None => None,
        Some(patron) => {
            let standing: Standing = row.record("standing")?.unwrap_or_default();
            Some(FoundPatron {
                locked: configuration.check_out_lock && lock_of(session, patron.id, now).await?.is_some(),
                manual_blocks: row.record("manual_blocks")?.unwrap_or_default(),
                open_loans: standing.all_open_loans(),
                same_kind: SameKind::default(),
                patron,
                standing,
            })
        }
    };
    let proxy: FoundProxy = row.record("proxy")?.unwrap_or_default();
    let mut context = CheckOutContext {
        item,
        patron,
        proxy: proxy.user,
        proxy_relationships: proxy.relationships,
        requests: row.record("requests")?.unwrap_or_default(),
    };
    if let Some(found) = &mut context.item {
        what_if.change_item(&mut found.item);
    }
    if let Some(found) = &mut context.patron {
        what_if.change_patron(&mut found.patron);
    }
    if check_out::limit_is_near(&context, &configuration, command) {
        count_same_kind(session, &mut context).await?;
    }
    Ok(Read { context, configuration, state: StateRead::of(&row)?, is_counted: row.column("is_counted")? })
}

/// Counts the patron's loans of the same kind of item. One round trip.
async fn count_same_kind(session: &Session, context: &mut CheckOutContext) -> Result<(), StoreError> {
    if let (Some(found), Some(patron)) = (&context.item, &mut context.patron) {
        let item = &found.item;
        let parameters: [store::db::Parameter<'_>; 3] =
            [&patron.patron.id, &item.material_type_id, &item.loan_type_id()];
        let Json(same_kind) = session.value(COUNT_SAME_KIND, &parameters).await?;
        patron.same_kind = same_kind;
    }
    Ok(())
}

/// Sets the loan's ID and `metadata`, and the item's new state.
fn complete(
    decision: CheckOut,
    found: &FoundItem,
    patron: &FoundPatron,
    read: &Read,
    operator: Operator,
    now: Timestamp,
) -> CheckedOut {
    let mut loan = decision.loan.clone();
    loan.set_id(store::new_id());
    loan.stamp(created(operator, now));
    let mut item = found.item.clone();
    item.status = DatedStatus::since(ItemStatus::CheckedOut, now);
    item.in_transit_destination_service_point_id = None;
    let mut standing = patron.standing.clone();
    standing.open_loans += 1;
    CheckedOut {
        loan,
        item,
        status_before: found.item.status.name(),
        instance: found.instance.clone(),
        patron: patron.patron.clone(),
        open_loans: patron.open_loans + 1,
        standing,
        decision,
        configuration: Arc::clone(&read.configuration),
        now,
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
    let borrower = read.context.patron.as_ref().filter(|_| made.decision.limited);
    let counted = borrower.and_then(|borrower| i32::try_from(borrower.open_loans).ok());
    let session_id = store::new_id();
    let stamp = updated(operator, now);
    let events = events(made);
    if let Some(read_state) = &read.state
        && read.is_ordinary()
    {
        let next = read_state.next(&state, &stamp);
        let was_uncommon = read.context.item.as_ref().is_some_and(|found| !has_common_status(&found.item));
        let loan = &made.loan;
        let parameters: [store::db::Parameter<'_>; 23] = [
            &made.item.id,
            &read_state.row,
            &next,
            &loan.id(),
            &rest(loan),
            &store::new_id(),
            &made.patron.id,
            &counted,
            &loan.proxy_user_id(),
            &session_id,
            &stored(now).to_string(),
            &operator.0,
            &events,
            &was_uncommon,
            &loan.loan_date_text(),
            &loan.due_date_text(),
            &loan.location_at_check_out(),
            &loan.action().map(LoanAction::name),
            &loan.loan_policy_id(),
            &loan.overdue_fine_policy_id(),
            &loan.lost_item_policy_id(),
            &loan.check_out_point(),
            &loan.patron_group_at_check_out(),
        ];
        session.query(CHECK_OUT, &parameters).await?;
        return Ok(());
    }
    let patron_session = json!({
        "id": session_id, "patronId": made.patron.id, "loanId": made.loan.id(),
        "actionType": "Check-out", "metadata": created(operator, now),
    });
    let requests = requests(&made.decision.queue, &read.context);
    let parameters: [store::db::Parameter<'_>; 10] = [
        &made.item.id,
        &made.item.version,
        &state,
        &stamp,
        &Json(&made.loan),
        &made.patron.id,
        &counted,
        &requests,
        &patron_session,
        &events,
    ];
    session.query(WRITE_CHECK_OUT, &parameters).await?;
    Ok(())
}

/// Events for the due date and the filled request, whose notices no longer apply. The check-out notice waits for the
/// end of the session.
fn events(made: &CheckedOut) -> Option<Value> {
    let mut happened = Happenings::new(&made.configuration);
    happened.loan(Event::DueDate, made.loan.id());
    if let Some(filled) = made.decision.queue.filled {
        happened.request(Event::RequestExpiration, Some(filled));
    }
    happened.into_value()
}

fn requests(change: &QueueChange, context: &CheckOutContext) -> Value {
    let found = context.item.as_ref();
    let (item, title) = (found.map(|f| f.item.id), found.map(|f| f.instance.id));
    let mut changes = Changes::new(item, title, &context.requests);
    changes.fill(change.filled);
    changes.shift(&change.moved);
    changes.into_value()
}

impl CheckedOut {
    /// What staff must not miss about the item, and what the loan changes of the borrower.
    pub fn item_facts(&self) -> Value {
        let mut facts = item_facts(&self.item, self.status_before, Done::CheckOut, &FeeChanges::default());
        let blocks = automated_blocks(&self.standing, self.patron.patron_group, &self.configuration, self.now);
        facts["patron"] = json!({"openLoans": self.open_loans, "automatedPatronBlocks": blocks});
        facts
    }

    /// The check-out response (docs/folio/loans.md#how-a-loan-is-shown).
    pub fn representation(&self) -> Value {
        let around = LoanSurroundings {
            item: Some((&self.item, &self.instance)),
            borrower: Some(&self.patron),
            service_points: false,
            remaining_fees: Some(Decimal::ZERO),
        };
        let mut shown = representation::loan(&self.loan, &around, &self.configuration);
        for (member, changed) in [
            ("dueDateChangedByNearExpireUser", self.decision.due_date_changed_by_near_expire_user),
            ("dueDateChangedByHold", self.decision.due_date_changed_by_hold),
        ] {
            if changed {
                shown[member] = true.into();
            }
        }
        shown
    }
}
