//! The changes that a check-out makes (docs/folio/check-out.md#what-a-loan-changes).

use jiff::Timestamp;
use refusals::{Refusal, Refused};
use uuid::Uuid;

use super::{Admission, CheckOutCommand};
use crate::{
    configuration::Configuration,
    dates::Moment,
    due_dates::Terms,
    loans::use_at_location::{Usage, Use},
    records::{ItemStatus, Loan, LoanAction, LoanStatus},
    requests::queue::{Queue, QueueChange},
};

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

pub(super) fn of(
    admission: Admission<'_>,
    configuration: &Configuration,
    command: &CheckOutCommand,
    now: Timestamp,
) -> Result<CheckOut, Refused> {
    let (queue, change) = fill_request(&admission);
    let due = due(&admission, &queue, configuration, command, now)?;
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
    configuration: &Configuration,
    command: &CheckOutCommand,
    now: Timestamp,
) -> Result<Due, Refusal> {
    let item = admission.item.item.id;
    let overridden = command.overrides.item_not_loanable.as_ref();
    let terms = terms(admission, configuration, command);
    let mut due = match overridden.and_then(|due| due.moment()) {
        Some(Moment { timestamp, .. }) => {
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
) -> Terms<'a> {
    let loans = admission.loan_policy.loans_policy.as_ref();
    let schedule = loans.and_then(|loans| loans.fixed_due_date_schedule_id);
    Terms {
        policy: admission.loan_policy,
        schedule: schedule.and_then(|id| configuration.schedules.get(&id)),
        loan_date: command.loan_date,
        hold_is_waiting: admission.queue.has_waiting_hold(admission.item.item.id),
        openings: configuration.openings_of(command.service_point_id),
        zone: configuration.zone(),
        patron_expires: admission.patron.expires(),
    }
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
