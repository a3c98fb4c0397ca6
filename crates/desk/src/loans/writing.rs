//! Writes a new version of a loan and its related changes in one round trip.

use circulation::records::{Item, Loan};
use jiff::Timestamp;
use postgres_types::Json;
use serde_json::Value;
use store::{Session, StoreError, statements::writes::WRITE_LOAN};

use crate::{Operator, created, updated};

/// The changes to write. The database repeats the assumptions behind them and raises a conflict if they no longer hold.
pub(crate) struct LoanWriting<'a> {
    /// The item, in the version that was read.
    pub item: Option<&'a Item>,
    /// The changed members of the item's state.
    pub new_state: Option<Value>,
    /// The new version of the loan.
    pub loan: &'a Loan,
    /// The loan as read; `None` for a new one.
    pub before: Option<&'a Loan>,
    /// The changed requests.
    pub requests: Value,
    /// The fee changes.
    pub fees: Option<Value>,
    /// Events for patron notices.
    pub events: Option<Value>,
}

impl LoanWriting<'_> {
    /// Writes all changes.
    ///
    /// # Errors
    /// [`StoreError::Conflict`] if another operation changed the records first.
    pub async fn write(&self, session: &Session, operator: Operator, now: Timestamp) -> Result<(), StoreError> {
        let (item, version) = match self.item {
            Some(item) => (Some(item.id), Some(item.version)),
            None => (None, None),
        };
        let loan = Json(stamped(self.loan, operator, now));
        let before = self.before.map(Json);
        let stamp = updated(operator, now);
        let parameters: [store::db::Parameter<'_>; 9] =
            [&item, &version, &self.new_state, &stamp, &loan, &before, &self.requests, &self.fees, &self.events];
        session.query(WRITE_LOAN, &parameters).await?;
        Ok(())
    }
}

/// The loan with this change in its `metadata`.
pub(crate) fn stamped(loan: &Loan, operator: Operator, now: Timestamp) -> Loan {
    let mut loan = loan.clone();
    loan.stamp(match loan.metadata().is_some_and(|known| !known.is_empty()) {
        true => updated(operator, now),
        false => created(operator, now),
    });
    loan
}
