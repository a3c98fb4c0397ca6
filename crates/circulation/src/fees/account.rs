//! Accounts: single fees or fines of a patron (docs/folio/fees-fines.md#accounts).

use rust_decimal::Decimal;
use serde_json::Value;
use uuid::Uuid;
use vocabulary::{AccountStatus, PaymentStatus};

use super::money;
use crate::records::typed::{Date, Kind, Plain, Text, record};

/// An amount of money; what is no amount reads as zero.
pub struct Money;

impl Kind for Money {
    type Value<'r> = Decimal;

    fn read(value: &Value) -> Option<Decimal> {
        Some(money::read(Some(value)))
    }

    fn write(value: Decimal) -> Value {
        money::stored(value)
    }
}

record! {
    /// A fee or fine, open or closed; keeps members unknown to the server.
    Account {
        known_id: Text = "id";
        user_id: Text = "userId";
        /// The amount charged.
        known_amount: Money = "amount";
        known_remaining / set_remaining: Money = "remaining";
        status / set_status: Plain<AccountStatus> = "status.name";
        status_text: Text = "status.name";
        /// The status that the latest action left.
        payment_status / set_payment_status: Plain<PaymentStatus> = "paymentStatus.name";
        payment_status_text: Text = "paymentStatus.name";
        item_id: Plain<Uuid> = "itemId";
        fee_type_id: Plain<Uuid> = "feeFineId";
        fee_type: Text = "feeFineType";
        owner: Text = "feeFineOwner";
        due_date: Date = "dueDate";
        returned_date: Date = "returnedDate";
        date_created / set_date_created: Text = "dateCreated";
        created_date: Date = "metadata.createdDate";
        overdue_fine_policy_id: Plain<Uuid> = "overdueFinePolicyId";
        lost_item_policy_id: Plain<Uuid> = "lostItemFeePolicyId";
    }
}

impl Account {
    /// The id of the account; empty for a new one.
    pub fn id(&self) -> &str {
        self.known_id().unwrap_or_default()
    }

    /// The amount charged.
    pub fn amount(&self) -> Decimal {
        self.known_amount().unwrap_or_default()
    }

    /// The amount still owed.
    pub fn remaining(&self) -> Decimal {
        self.known_remaining().unwrap_or_default()
    }

    /// Whether the account is closed, so that no further action is expected.
    pub fn is_closed(&self) -> bool {
        let closed = AccountStatus::Closed.name();
        self.status_text().is_some_and(|name| name.eq_ignore_ascii_case(closed))
    }

    /// Whether the account is closed and nothing is owed.
    #[must_use]
    pub(crate) fn is_settled(&self) -> bool {
        self.is_closed() && self.remaining().is_zero()
    }

    /// Records the result of an action: the amount still owed and the payment status. What owes nothing is closed.
    pub(super) fn change(&mut self, remaining: Decimal, paid: PaymentStatus) {
        self.set_remaining(remaining);
        self.set_status(match remaining.is_zero() {
            true => AccountStatus::Closed,
            false => AccountStatus::Open,
        });
        self.set_payment_status(paid);
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::records::tests::unknown;

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(32))]

        #[test]
        fn members_are_read_as_written_and_leave_others_alone(others in unknown()) {
            Account::check_members(&others);
        }
    }
}
