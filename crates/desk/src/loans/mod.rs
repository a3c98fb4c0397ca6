//! Loans apart from check-out, check-in and renewal: changes by clients, each read, decided and written in two round
//! trips, and anonymization.

mod anonymizing;
mod anonymizing_chosen;
mod change;
pub(crate) mod writing;

use std::sync::Arc;

use circulation::{
    configuration::Configuration,
    loans::change::{
        LoanChange, LoanContext,
        refusal::{NO_SUCH_ITEM, NO_SUCH_PATRON, OPEN_LOAN_EXISTS},
    },
    notices::{Event, Happenings},
    records::{DatedStatus, Loan},
};
use jiff::Timestamp;
use refusals::Refused;
use serde_json::{Value, json};
use store::{Session, StoreError, statements::circulation::READ_LOAN};
use uuid::Uuid;

pub use anonymizing::{Anonymized, Forgets, PastLoans, anonymize_and_tell, anonymize_requests, forgets};
pub use anonymizing_chosen::{anonymize_all_of_user, anonymize_listed, anonymize_request, anonymize_user};
pub use change::{add_info, change_due_date, claim_returned, create_loan, replace_loan};

use crate::{Columns, Desk, Failed, Operator, at_rest::until_at_rest, requests::Changes};
use writing::{LoanWriting, stamped};

/// The IDs to read when a loan record is created or changed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Subject {
    /// The stored loan; absent for a new one.
    pub loan: Option<Uuid>,
    /// Item; by default that of the stored loan.
    pub item: Option<Uuid>,
    /// Borrower; by default that of the stored loan.
    pub patron: Option<Uuid>,
    /// Proxy of the borrower.
    pub proxy: Option<Uuid>,
}

impl Subject {
    /// The IDs for a stored loan.
    pub fn stored(loan: Uuid) -> Subject {
        Subject { loan: Some(loan), ..Subject::default() }
    }

    /// The IDs for a loan sent by a client; `stored` is set if it replaces another version.
    pub fn written(loan: &Loan, stored: Option<Uuid>) -> Subject {
        Subject { loan: stored, item: loan.item_id(), patron: loan.user_id(), proxy: loan.proxy_user_id() }
    }
}

/// A loan change after it was written.
#[derive(Debug)]
pub struct Changed {
    /// The decided change.
    pub change: LoanChange,
    /// The records read for it.
    pub context: LoanContext,
    /// The configuration used.
    pub configuration: Arc<Configuration>,
}

/// Reads the records, calls `decide` and writes the result.
async fn change_loan(
    desk: &Desk,
    session: &Session,
    subject: Subject,
    operator: Operator,
    now: Timestamp,
    decide: impl Fn(&LoanContext, &Configuration) -> Result<LoanChange, Refused>,
) -> Result<Changed, Failed> {
    until_at_rest("the loan", || async {
        let (context, configuration) = read(desk, session, subject, operator).await?;
        let mut change = decide(&context, &configuration)?;
        change.loan = stamped(&change.loan, operator, now);
        let written = write(session, &change, &context, &configuration, operator, now).await;
        written.map_err(|error| refused(error, &change))?;
        Ok(Changed { change, context, configuration })
    })
    .await
}

/// Turns database errors into refusals: a second open loan of an item, or an unknown borrower or item, is the client's
/// mistake here, and a retry would not help.
fn refused(error: StoreError, change: &LoanChange) -> Failed {
    match error {
        StoreError::Duplicate { constraint, .. } if constraint == "loan_one_open_for_an_item" => {
            OPEN_LOAN_EXISTS.with("itemId", change.loan.item_id()).into()
        }
        StoreError::ForeignKey { constraint, .. } if constraint == "loan_open_borrower_fkey" => {
            NO_SUCH_PATRON.with("userId", change.loan.user_id()).into()
        }
        StoreError::ForeignKey { constraint, .. } if constraint == "loan_open_item_fkey" => {
            NO_SUCH_ITEM.with("itemId", change.loan.item_id()).into()
        }
        error => Failed::Store(error),
    }
}

pub(crate) async fn read(
    desk: &Desk,
    session: &Session,
    subject: Subject,
    operator: Operator,
) -> Result<(LoanContext, Arc<Configuration>), StoreError> {
    let Subject { loan, item, patron, proxy } = subject;
    let row = session.get(READ_LOAN, &[&loan, &item, &patron, &proxy, &operator.0]).await?;
    let configuration = desk.configuration(session, row.column("configuration_version")?).await?;
    let context = LoanContext {
        existing: row.record("loan")?,
        item: row.record("item")?,
        instance: row.record("instance")?.unwrap_or_default(),
        patron: row.record("patron")?,
        proxy_relationships: row.record("proxy_relationships")?.unwrap_or_default(),
        requests: row.record("requests")?.unwrap_or_default(),
        permanent_location: row.column("permanent_location")?,
        general_note_type: row.column("general_note_type")?,
        operator: row.record("operator")?,
        lost_fees: row.record("lost_fees")?.unwrap_or_default(),
    };
    Ok((context, configuration))
}

async fn write(
    session: &Session,
    change: &LoanChange,
    context: &LoanContext,
    configuration: &Configuration,
    operator: Operator,
    now: Timestamp,
) -> Result<(), StoreError> {
    let state = change.item_status.map(|status| json!({"status": DatedStatus::since(status, now)}));
    let writing = LoanWriting {
        item: context.item.as_ref(),
        new_state: state,
        loan: &change.loan,
        before: context.existing.as_ref(),
        requests: requests(change, context),
        fees: None,
        events: events(change, context, configuration),
    };
    writing.write(session, operator, now).await
}

/// Events for a new due date, a closed request and a fulfilled one.
fn events(change: &LoanChange, context: &LoanContext, configuration: &Configuration) -> Option<Value> {
    let mut happened = Happenings::new(configuration);
    let (loan, before) = (change.loan.id(), context.existing.as_ref());
    if before.map(Loan::due_date) != Some(change.loan.due_date()) {
        if before.is_some() {
            happened.loan(Event::ManualDueDateChange, loan);
        }
        happened.loan(Event::DueDate, loan);
    }
    if let Some(filled) = change.filled {
        happened.request(Event::RequestExpiration, Some(filled));
    }
    if let Some(fulfilled) = &change.fulfilled {
        happened.fulfilled(&fulfilled.request, &context.requests);
    }
    happened.into_value()
}

fn requests(change: &LoanChange, context: &LoanContext) -> Value {
    let find = |id: Uuid| context.requests.iter().find(|queued| queued.request.id() == id);
    let item = context.item.as_ref().map(|item| item.id);
    let mut changes = Changes::new(item, Some(context.instance.id), &context.requests);
    changes.fill(change.filled);
    if let Some(fulfilled) = &change.fulfilled
        && let Some(before) = find(fulfilled.request.id())
    {
        changes.change(&before.request, fulfilled.request.clone(), &change.moved);
    }
    changes.shift(&change.moved);
    changes.into_value()
}
