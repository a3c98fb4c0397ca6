//! Loans beside check-out, check-in and renewal: changed by clients, each from the read to the write in two round trips, and
//! anonymized.

mod anonymizing;
mod change;
pub(crate) mod writing;

use std::sync::Arc;

use circulation::{
    configuration::Configuration,
    dates::stored,
    loans::change::{LoanChange, LoanContext, LoanRefusal, NotChanged},
    notices::{Event, Happenings},
    records::Loan,
    requests::queue::QueueChange,
};
use jiff::Timestamp;
use serde_json::{Map, Value, json};
use store::{Session, StoreError, statements::circulation::READ_LOAN};
use uuid::Uuid;

pub use anonymizing::{
    Anonymized, Forgets, PastLoans, anonymize_and_tell, anonymize_requests, forgets,
};
pub use change::{add_info, change_due_date, claim_returned, create_loan, replace_loan};

use crate::{Columns, Desk, Failed, Operator, at_rest::until_at_rest, requests::Changes};
use writing::{LoanWriting, stamped};

/// Which loan record is made or changed: the ids that it and its neighbours are read by.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Subject {
    /// The loan, when there is one already.
    pub loan: Option<Uuid>,
    /// Its item; that of the stored loan by default.
    pub item: Option<Uuid>,
    /// Its borrower; that of the stored loan by default.
    pub patron: Option<Uuid>,
    /// Who acts for the borrower.
    pub proxy: Option<Uuid>,
}

impl Subject {
    /// A stored loan.
    pub fn stored(loan: Uuid) -> Subject {
        Subject {
            loan: Some(loan),
            ..Subject::default()
        }
    }

    /// A loan as a client wrote it; `stored` when it replaces another version.
    pub fn written(loan: &Loan, stored: Option<Uuid>) -> Subject {
        Subject {
            loan: stored,
            item: loan.id_of("itemId"),
            patron: loan.id_of("userId"),
            proxy: loan.id_of("proxyUserId"),
        }
    }
}

/// A change of a loan record that has been written.
#[derive(Debug)]
pub struct Changed {
    /// What was decided.
    pub change: LoanChange,
    /// What it was decided by.
    pub context: LoanContext,
    /// By which configuration.
    pub configuration: Arc<Configuration>,
}

/// Reads, lets `decide` decide, and writes.
async fn change_loan(
    desk: &Desk,
    session: &Session,
    subject: Subject,
    operator: Operator,
    now: Timestamp,
    decide: impl Fn(&LoanContext, &Configuration) -> Result<LoanChange, NotChanged>,
) -> Result<Changed, Failed<NotChanged>> {
    until_at_rest("the loan", || async {
        let (context, configuration) = read(desk, session, subject, operator).await?;
        let mut change = decide(&context, &configuration).map_err(Failed::Refused)?;
        change.loan = Loan::new(stamped(&change.loan, operator, now));
        let written = write(session, &change, &context, &configuration, operator, now).await;
        written.map_err(|error| refused(error, &change))?;
        Ok(Changed {
            change,
            context,
            configuration,
        })
    })
    .await
}

/// A second open loan of an item, and a borrower or an item that is not there, are the client's mistakes here: deciding
/// again would not help.
fn refused(error: StoreError, change: &LoanChange) -> Failed<NotChanged> {
    match error {
        StoreError::Duplicate { constraint, .. } if constraint == "loan_one_open_for_an_item" => {
            let item = change.loan.id_of("itemId").unwrap_or_default();
            Failed::Refused(NotChanged::Refused(LoanRefusal::OpenLoanExists(item)))
        }
        StoreError::ForeignKey { constraint, .. } if constraint == "loan_open_borrower_fkey" => {
            let patron = change.loan.id_of("userId");
            Failed::Refused(NotChanged::Refused(LoanRefusal::NoSuchPatron(patron)))
        }
        StoreError::ForeignKey { constraint, .. } if constraint == "loan_open_item_fkey" => {
            let item = change.loan.text("itemId").map(str::to_owned);
            Failed::Refused(NotChanged::Refused(LoanRefusal::NoSuchItem(item)))
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
    let Subject {
        loan,
        item,
        patron,
        proxy,
    } = subject;
    let row = session
        .get(READ_LOAN, &[&loan, &item, &patron, &proxy, &operator.0])
        .await?;
    let configuration = desk.configuration(session, row.column(0)?).await?;
    let context = LoanContext {
        existing: row.record::<Map<String, Value>>(1)?.map(Loan::new),
        item: row.record(2)?,
        instance: row.record(3)?.unwrap_or_default(),
        patron: row.record(4)?,
        proxy_relationships: row.record(5)?.unwrap_or_default(),
        requests: row.record(6)?.unwrap_or_default(),
        permanent_location: row.column(7)?,
        general_note_type: row.column(8)?,
        operator: row.record(9)?,
        lost_fees: row.record(10)?.unwrap_or_default(),
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
    let state = change
        .item_status
        .as_ref()
        .map(|status| json!({"status": {"name": status, "date": stored(now).to_string()}}));
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

/// A new due date, a request that is over and one whose item has come.
fn events(
    change: &LoanChange,
    context: &LoanContext,
    configuration: &Configuration,
) -> Option<Value> {
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
    if let Some(fulfilment) = &change.fulfilled {
        let request = Some(fulfilment.queued.request.id);
        if change.item_status.as_deref() == Some("Awaiting pickup") {
            happened.request(Event::Available, request);
        }
        happened.request(Event::RequestExpiration, request);
    }
    happened.into_value()
}

fn requests(change: &LoanChange, context: &LoanContext) -> Value {
    let find = |id: Uuid| {
        context
            .requests
            .iter()
            .find(|queued| queued.request.id == id)
    };
    let item = context.item.as_ref().map(|item| item.id);
    let mut changes = Changes::new(item, Some(context.instance.id), &context.requests);
    if let Some(filled) = change.filled.and_then(find) {
        changes.change(filled, QueueChange::filled_members(), &[]);
    }
    if let Some(fulfilment) = &change.fulfilled
        && let Some(before) = find(fulfilment.queued.request.id)
    {
        changes.change(before, fulfilment.changes.clone(), &change.moved);
    }
    changes.shift(&change.moved);
    changes.into_value()
}
