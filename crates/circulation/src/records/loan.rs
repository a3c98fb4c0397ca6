//! Loans.

use jiff::Timestamp;
use serde_json::{Map, Value};
use uuid::Uuid;
use vocabulary::{ItemStatus, LoanAction, LoanStatus};

use super::typed::{ComputedDate, Date, Plain, Text, put, record};
use crate::dates::Moment;

record! {
    /// A loan record; keeps members unknown to the server.
    Loan {
        id: Plain<Uuid> = "id";
        /// Absent once the loan is anonymized.
        user_id / set_user_id: Plain<Uuid> = "userId";
        proxy_user_id / set_proxy_user_id: Plain<Uuid> = "proxyUserId";
        item_id / set_item_id: Plain<Uuid> = "itemId";
        location_at_check_out / set_location_at_check_out: Plain<Uuid> = "itemEffectiveLocationIdAtCheckOut";
        status / set_status: Plain<LoanStatus> = "status.name";
        status_text: Text = "status.name";
        /// As the client of the check-out wrote it.
        loan_date_text / set_loan_date_text: Text = "loanDate";
        due_date / set_due_date: Date = "dueDate";
        due_date_text: Text = "dueDate";
        return_date / set_return_date: ComputedDate = "returnDate";
        return_date_text: Text = "returnDate";
        system_return_date / set_system_return_date: Date = "systemReturnDate";
        claimed_returned_date / set_claimed_returned_date: Date = "claimedReturnedDate";
        declared_lost_date / set_declared_lost_date: Date = "declaredLostDate";
        /// The last action on the loan.
        action / set_action: Plain<LoanAction> = "action";
        action_comment / set_action_comment: Text = "actionComment";
        /// The status of its item after the last action.
        item_status / set_item_status: Plain<ItemStatus> = "itemStatus";
        renewal_count / set_renewal_count: Plain<i64> = "renewalCount";
        /// True if a recall set the due date.
        due_by_recall / set_due_by_recall: Plain<bool> = "dueDateChangedByRecall";
        is_dcb / set_is_dcb: Plain<bool> = "isDcb";
        loan_policy_id / set_loan_policy_id: Plain<Uuid> = "loanPolicyId";
        overdue_fine_policy_id / set_overdue_fine_policy_id: Plain<Uuid> = "overdueFinePolicyId";
        lost_item_policy_id / set_lost_item_policy_id: Plain<Uuid> = "lostItemPolicyId";
        check_out_point / set_check_out_point: Plain<Uuid> = "checkoutServicePointId";
        check_in_point / set_check_in_point: Plain<Uuid> = "checkinServicePointId";
        check_in_point_text: Text = "checkinServicePointId";
        check_out_point_text: Text = "checkoutServicePointId";
        patron_group_at_check_out / set_patron_group_at_check_out: Plain<Uuid> = "patronGroupIdAtCheckout";
        billed_reminders / set_billed_reminders: Plain<Map<String, Value>> = "reminders";
        reminder_count / set_reminder_count: Plain<i64> = "reminders.lastFeeBilled.number";
        last_reminder / set_last_reminder: Date = "reminders.lastFeeBilled.date";
        use_at_location / set_use_at_location: Plain<Value> = "forUseAtLocation";
        ageing / set_ageing: Plain<Map<String, Value>> = "agedToLostDelayedBilling";
        aged_to_lost_date: Date = "agedToLostDelayedBilling.agedToLostDate";
        /// Whether the lost item fees of an aged loan are charged.
        is_billed / set_billed: Plain<bool> = "agedToLostDelayedBilling.lostItemHasBeenBilled";
        billing_date / set_billing_date: Date = "agedToLostDelayedBilling.dateLostItemShouldBeBilled";
        metadata / set_metadata: Plain<Map<String, Value>> = "metadata";
    }
}

impl Loan {
    /// True while the status is open.
    pub fn is_open(&self) -> bool {
        self.status() == Some(LoanStatus::Open)
    }

    /// When the item was declared lost or aged to lost, whichever is later.
    pub(crate) fn lost_since(&self) -> Option<Timestamp> {
        self.declared_lost_date().max(self.aged_to_lost_date())
    }

    /// When the item was checked out.
    pub fn loan_date(&self) -> Option<Moment> {
        Moment::parse(self.loan_date_text()?)
    }

    /// True if a recall set the due date.
    pub(crate) fn is_due_by_recall(&self) -> bool {
        self.due_by_recall() == Some(true)
    }

    /// Number of renewals.
    pub fn renewals(&self) -> i64 {
        self.renewal_count().unwrap_or_default()
    }

    /// Number of billed reminders.
    pub fn reminders(&self) -> i64 {
        self.reminder_count().unwrap_or_default()
    }

    /// Clears the pending lost item billing; keeps the date the item aged to lost.
    pub(crate) fn forget_billing_of_ageing(&mut self) {
        self.set_billed(None);
        self.set_billing_date(None);
    }

    /// Leaves the last action empty, as FOLIO does when it bills an aged loan.
    pub(crate) fn empty_action(&mut self) {
        put(&mut self.0, "action", Some("".into()));
    }
}
