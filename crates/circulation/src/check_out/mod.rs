//! Check-out (docs/folio/check-out.md).
//!
//! [`admit`] runs all checks in order and collects every refusal; a dry run ends there. [`decide`] then determines the
//! due date, the request to fill, and everything to write.

mod checks;
pub(crate) mod refusal;

use jiff::Timestamp;
use refusals::{Refusal, Refused};
use serde_json::Value;
use uuid::Uuid;

use checks::admit_and_note;
pub use checks::{admit, limit_is_near};

use crate::{
    blocks::{Granted, ManualBlock, Overrides, automated::Standing},
    configuration::Configuration,
    dates::{Moment, computed},
    due_dates::Terms,
    loans::use_at_location::{Usage, Use},
    policies::LoanPolicy,
    records::{Instance, Item, ItemStatus, Loan, LoanAction, LoanStatus, Patron, ProxyRelationship, QueuedRequest},
    refusal::{NOT_AN_OBJECT, not_an_id},
    requests::queue::{Queue, QueueChange},
    text::text,
    trace::{Mover, Step, Trace},
};
use refusal::LOAN_DATE_INVALID;

/// A requested check-out.
#[derive(Debug, Clone, PartialEq)]
pub struct CheckOutCommand {
    /// Barcode of the item.
    pub item_barcode: Option<String>,
    /// Barcode of the patron.
    pub user_barcode: Option<String>,
    /// Barcode of the proxy who acts for the patron.
    pub proxy_barcode: Option<String>,
    /// The service point of the check-out; a dry run may omit it.
    pub service_point_id: Option<Uuid>,
    /// The start of the loan.
    pub loan_date: Moment,
    /// The loan date as the client sent it, which the loan record keeps.
    pub loan_date_text: String,
    /// A loan policy to use instead of the one that the circulation rules choose.
    pub force_loan_policy_id: Option<Uuid>,
    /// Blocks to override.
    pub overrides: Overrides,
    /// Blocks that the caller has permission to override.
    pub granted: Granted,
    /// Whether to run only the checks.
    pub dry_run: bool,
}

impl CheckOutCommand {
    /// Reads the body of a request; properties that FOLIO does not know are ignored.
    ///
    /// # Errors
    /// The first invalid property.
    pub fn read(body: &Value, granted: Granted, dry_run: bool, now: Timestamp) -> Result<CheckOutCommand, Refusal> {
        if !body.is_object() {
            return Err(NOT_AN_OBJECT.into());
        }
        let loan_date_text = text(&body["loanDate"]).unwrap_or_else(|| computed(now).to_string());
        Ok(CheckOutCommand {
            item_barcode: text(&body["itemBarcode"]),
            user_barcode: text(&body["userBarcode"]),
            proxy_barcode: text(&body["proxyUserBarcode"]),
            service_point_id: id(body, "servicePointId")?,
            loan_date: Moment::parse(&loan_date_text).ok_or(LOAN_DATE_INVALID)?,
            loan_date_text,
            force_loan_policy_id: id(body, "forceLoanPolicyId")?,
            overrides: Overrides::read(&body["overrideBlocks"]),
            granted,
            dry_run,
        })
    }
}

fn id(body: &Value, member: &'static str) -> Result<Option<Uuid>, Refusal> {
    let id = text(&body[member]).map(|text| Uuid::try_parse(&text));
    id.transpose().map_err(|_| not_an_id(member))
}

/// The records read to decide a check-out.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct CheckOutContext {
    /// The item with the requested barcode.
    pub item: Option<FoundItem>,
    /// The patron with the requested barcode.
    pub patron: Option<FoundPatron>,
    /// The proxy with the requested barcode.
    pub proxy: Option<Patron>,
    /// The proxy relationships between patron and proxy.
    pub proxy_relationships: Vec<ProxyRelationship>,
    /// Open requests for the item or its instance.
    pub requests: Vec<QueuedRequest>,
}

/// An item, and whether it is on loan.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct FoundItem {
    /// The item.
    pub item: Item,
    /// The instance of the item.
    pub instance: Instance,
    /// Whether the item has an open loan.
    pub has_open_loan: bool,
}

/// A patron with blocks, loans and debts.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct FoundPatron {
    /// The patron.
    pub patron: Patron,
    /// Manual blocks.
    pub manual_blocks: Vec<ManualBlock>,
    /// Loans and debts.
    pub standing: Standing,
    /// The number of open loans.
    pub open_loans: i64,
    /// Open loans of similar items, counted only when [`limit_is_near`].
    pub same_kind: SameKind,
    /// Whether a client holds a check-out lock on the patron.
    pub locked: bool,
}

/// A patron's open loans by kind of item, without items claimed returned.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, serde::Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct SameKind {
    /// All loans.
    pub any: i64,
    /// Loans with the same material type.
    pub material_type: i64,
    /// Loans with the same loan type.
    pub loan_type: i64,
    /// Loans with the same material type and loan type.
    pub both: i64,
}

/// A check-out that passed every check.
#[derive(Debug, Clone)]
pub struct Admission<'c> {
    /// The item.
    pub item: &'c FoundItem,
    /// The patron.
    pub patron: &'c Patron,
    /// The proxy who acts for the patron.
    pub proxy: Option<&'c Patron>,
    /// The loan policy that applies.
    pub loan_policy: &'c LoanPolicy,
    /// The overdue fine policy that applies.
    pub overdue_fine_policy_id: Uuid,
    /// The lost item fee policy that applies.
    pub lost_item_policy_id: Uuid,
    /// The patron notice policy that applies.
    pub notice_policy_id: Uuid,
    /// The item's request queue.
    pub queue: Queue,
    /// The patron's own request, which the check-out fills.
    pub filled: Option<Uuid>,
    /// Whether the patron's loans were counted against limits.
    pub limited: bool,
}

/// Decides a check-out.
pub fn decide(
    context: &CheckOutContext,
    configuration: &Configuration,
    command: &CheckOutCommand,
    now: Timestamp,
) -> Result<CheckOut, Refused> {
    decide_and_note(context, configuration, command, now, Trace::OFF)
}

/// The same, with notes of what decides.
pub(crate) fn decide_and_note(
    context: &CheckOutContext,
    configuration: &Configuration,
    command: &CheckOutCommand,
    now: Timestamp,
    trace: Trace<'_>,
) -> Result<CheckOut, Refused> {
    let admission = admit_and_note(context, configuration, command, now, trace)?;
    refuse_while_locked(context, configuration)?;
    changes(admission, configuration, command, now, trace)
}

/// Refuses the check-out while a client holds a lock on the patron, once all other checks have passed. Carrel takes no
/// lock itself: the write repeats the count that was compared with limits.
fn refuse_while_locked(context: &CheckOutContext, configuration: &Configuration) -> Result<(), Refused> {
    let locked = context.patron.as_ref().is_some_and(|found| found.locked);
    match configuration.check_out_lock && locked {
        true => Err(refusal::PATRON_LOCKED.with("", "").into()),
        false => Ok(()),
    }
}

/// A decided check-out: everything to write, except ids and the operator.
#[derive(Debug, Clone, PartialEq)]
pub struct CheckOut {
    /// The loan, without an id.
    pub loan: Loan,
    /// Whether a waiting hold shortened the loan.
    pub due_date_changed_by_hold: bool,
    /// Whether the expiration of the patron's registration shortened the loan.
    pub due_date_changed_by_near_expire_user: bool,
    /// Changes to the request queue.
    pub queue: QueueChange,
    /// The patron notice policy, from which notices are scheduled.
    pub notice_policy_id: Uuid,
    /// Whether the patron's loans were counted against limits; their number must then be unchanged when the loan is
    /// written.
    pub limited: bool,
}

/// The due date of a loan, and what shortened it.
struct Due {
    at: Timestamp,
    by_hold: bool,
    by_near_expire_user: bool,
    by_recall: bool,
}

fn changes(
    admission: Admission<'_>,
    configuration: &Configuration,
    command: &CheckOutCommand,
    now: Timestamp,
    trace: Trace<'_>,
) -> Result<CheckOut, Refused> {
    let (queue, change) = fill_request(&admission);
    let terms = terms(&admission, configuration, command, trace);
    let due = due(&admission, &queue, terms, command, now)?;
    Ok(CheckOut {
        loan: loan(&admission, configuration, command, &due, now),
        due_date_changed_by_hold: due.by_hold,
        due_date_changed_by_near_expire_user: due.by_near_expire_user,
        queue: change,
        notice_policy_id: admission.notice_policy_id,
        limited: admission.limited,
    })
}

fn fill_request(admission: &Admission<'_>) -> (Queue, QueueChange) {
    let queue = admission.queue.clone();
    let Some(filled) = admission.filled else {
        return (queue, QueueChange::default());
    };
    let queue = queue.without(filled);
    let moved = queue.moved();
    let filled = Some(filled);
    (queue, QueueChange { filled, moved })
}

fn due(
    admission: &Admission<'_>,
    queue: &Queue,
    terms: Terms<'_>,
    command: &CheckOutCommand,
    now: Timestamp,
) -> Result<Due, Refusal> {
    let item = admission.item.item.id;
    let overridden = command.overrides.item_not_loanable.as_ref();
    let mut due = match overridden.and_then(|due| due.moment()) {
        Some(Moment { timestamp, .. }) => {
            let from = command.loan_date.timestamp;
            terms.trace.note(|| Step::Date { from, to: timestamp, by: Mover::Staff });
            Due { at: timestamp, by_hold: false, by_near_expire_user: false, by_recall: false }
        }
        None => {
            let due = terms.due_date()?;
            Due {
                at: due.at,
                by_hold: due.changed_by_hold,
                by_near_expire_user: due.changed_by_near_expire_user,
                by_recall: false,
            }
        }
    };
    if queue.has_recall_of(item) {
        let (recalled, expires) = terms.recalled(due.at, now)?;
        due.at = recalled;
        due.by_near_expire_user |= expires;
        due.by_recall = true;
    }
    Ok(due)
}

fn terms<'a>(
    admission: &'a Admission<'_>,
    configuration: &'a Configuration,
    command: &CheckOutCommand,
    trace: Trace<'a>,
) -> Terms<'a> {
    let (policy, patron) = (admission.loan_policy, admission.patron);
    let begins = (command.loan_date, command.service_point_id);
    let hold_is_waiting = admission.queue.has_waiting_hold(admission.item.item.id);
    Terms { hold_is_waiting, ..Terms::of_loan(policy, begins, patron, configuration, trace) }
}

/// The properties of a loan, in the order of FOLIO's schema.
fn loan(
    admission: &Admission<'_>,
    configuration: &Configuration,
    command: &CheckOutCommand,
    due: &Due,
    now: Timestamp,
) -> Loan {
    let item = &admission.item.item;
    let overridden = command.overrides.any();
    let mut loan = Loan::default();
    loan.set_user_id(admission.patron.id);
    loan.set_proxy_user_id(admission.proxy.map(|proxy| proxy.id));
    loan.set_item_id(item.id);
    loan.set_location_at_check_out(item.effective_location_id);
    loan.set_status(LoanStatus::Open);
    if configuration.use_at_location && admission.loan_policy.is_for_use_at_location() {
        loan.set_use_at_location(Use::begun(Usage::InUse, now).stored());
    }
    loan.set_loan_date_text(command.loan_date_text.as_str());
    loan.set_due_date(due.at);
    loan.set_action(match overridden {
        true => LoanAction::CheckedOutThroughOverride,
        false => LoanAction::CheckedOut,
    });
    if overridden {
        loan.set_action_comment(command.overrides.comment.as_deref());
    }
    loan.set_item_status(ItemStatus::CheckedOut);
    loan.set_loan_policy_id(admission.loan_policy.id);
    loan.set_check_out_point(command.service_point_id);
    loan.set_patron_group_at_check_out(admission.patron.patron_group);
    if due.by_recall {
        loan.set_due_by_recall(true);
    }
    loan.set_is_dcb(admission.patron.is_dcb());
    loan.set_overdue_fine_policy_id(admission.overdue_fine_policy_id);
    loan.set_lost_item_policy_id(admission.lost_item_policy_id);
    loan
}

#[cfg(test)]
mod tests;
