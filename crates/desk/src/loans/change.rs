//! Loan records that clients create and change themselves (docs/folio/loans.md#loan-records-of-clients).

use circulation::{loans::change, records::Loan};
use jiff::Timestamp;
use store::Session;
use uuid::Uuid;

use super::{Changed, Subject, change_loan};
use crate::{Desk, Failed, Operator};

type Done = Result<Changed, Failed>;

/// Creates a loan record. Two round trips.
pub async fn create_loan(desk: &Desk, session: &Session, written: &Loan, operator: Operator, now: Timestamp) -> Done {
    let subject = Subject::written(written, None);
    change_loan(desk, session, subject, operator, now, |context, configuration| {
        change::create(context, configuration, written.clone(), now)
    })
    .await
}

/// Replaces a loan record. Two round trips.
pub async fn replace_loan(
    desk: &Desk,
    session: &Session,
    (loan, written): (Uuid, &Loan),
    operator: Operator,
    now: Timestamp,
) -> Done {
    let subject = Subject::written(written, Some(loan));
    change_loan(desk, session, subject, operator, now, |context, configuration| {
        change::replace(context, configuration, written.clone(), now)
    })
    .await
}

/// Adds a note for the patron or staff as a loan action with a comment. Two round trips.
pub async fn add_info(
    desk: &Desk,
    session: &Session,
    (loan, action, comment): (Uuid, Option<&str>, Option<&str>),
    operator: Operator,
    now: Timestamp,
) -> Done {
    change_loan(desk, session, Subject::stored(loan), operator, now, |context, _| {
        change::add_info(context, action, comment)
    })
    .await
}

/// Sets the due date to the client's date. Two round trips.
pub async fn change_due_date(
    desk: &Desk,
    session: &Session,
    (loan, due): (Uuid, Option<&str>),
    operator: Operator,
    now: Timestamp,
) -> Done {
    change_loan(desk, session, Subject::stored(loan), operator, now, |context, configuration| {
        change::change_due_date(context, configuration, due)
    })
    .await
}

/// Marks the item as claimed returned, with the client's date and comment. Two round trips.
pub async fn claim_returned(
    desk: &Desk,
    session: &Session,
    (loan, at, comment): (Uuid, Option<&str>, Option<&str>),
    operator: Operator,
    now: Timestamp,
) -> Done {
    change_loan(desk, session, Subject::stored(loan), operator, now, |context, _| {
        change::claim_returned(context, at, comment)
    })
    .await
}
