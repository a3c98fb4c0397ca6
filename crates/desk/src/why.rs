//! "Why?": reads what the desk reads and returns the trace of its decision; nothing is written. Each use case takes one
//! round trip; a check-out takes two when the patron is near an item limit.

use std::sync::Arc;

use circulation::{
    check_out::CheckOutCommand,
    configuration::Configuration,
    renewal::RenewalCommand,
    requests::place::PlaceCommand,
    why::{self, Explanation, FeeExplanation, FeeRecords, LoanExplanation, LoanRecords, WhatIf},
};
use jiff::Timestamp;
use store::{
    Session,
    statements::{circulation::READ_LOAN_CHANGES, fees::READ_FEE},
};
use uuid::Uuid;

use crate::{Columns, Desk, Failed, Operator, RequestSubject, check_out, read_request, renew};

/// An explanation, and the configuration that names what is in it.
pub type Explained<T> = (T, Arc<Configuration>);

/// Why an item would be checked out until a date, or would not. One round trip, two near an item limit.
pub async fn explain_check_out(
    desk: &Desk,
    session: &Session,
    (command, what_if): (&CheckOutCommand, &WhatIf),
    now: Timestamp,
) -> Result<Explained<Explanation>, Failed> {
    let read = check_out::read(desk, session, command, what_if, now).await?;
    what_if.check(&read.configuration)?;
    Ok((why::check_out(&read.context, &read.configuration, command, now), read.configuration))
}

/// Why a loan would be renewed until a date, or would not. One round trip.
pub async fn explain_renewal(
    desk: &Desk,
    session: &Session,
    (command, what_if): (&RenewalCommand, &WhatIf),
    operator: Operator,
    now: Timestamp,
) -> Result<Explained<Explanation>, Failed> {
    let (mut context, configuration) = renew::read(desk, session, command, operator, now).await?;
    what_if.check(&configuration)?;
    context.item.iter_mut().for_each(|item| what_if.change_item(item));
    context.borrower.iter_mut().for_each(|patron| what_if.change_patron(patron));
    Ok((why::renewal(&context, &configuration, command, now), configuration))
}

/// Why a request would be accepted or refused. One round trip.
pub async fn explain_request(
    desk: &Desk,
    session: &Session,
    (command, what_if): (&PlaceCommand, &WhatIf),
    now: Timestamp,
) -> Result<Explained<Explanation>, Failed> {
    let subject = RequestSubject::written(command, None);
    let (mut context, configuration) = read_request(desk, session, subject, now).await?;
    what_if.check(&configuration)?;
    let copies = context.copies.iter_mut().map(|copy| &mut copy.item);
    context.item.iter_mut().chain(copies).for_each(|item| what_if.change_item(item));
    context.requester.iter_mut().for_each(|found| what_if.change_patron(&mut found.patron));
    Ok((why::request(&context, &configuration, command, now), configuration))
}

/// Why a loan is due when it is; `None` if there is no such loan. One round trip.
pub async fn explain_loan(
    desk: &Desk,
    session: &Session,
    id: Uuid,
    what_if: &WhatIf,
) -> Result<Option<Explained<LoanExplanation>>, Failed> {
    let Some(row) = session.find(READ_LOAN_CHANGES, &[&id]).await? else {
        return Ok(None);
    };
    let configuration = desk.configuration(session, row.column("configuration_version")?).await?;
    what_if.check(&configuration)?;
    let records = LoanRecords {
        loan: row.record("loan")?.unwrap_or_default(),
        item: row.record("item")?,
        borrower: row.record("borrower")?,
        changes: row.record("changes")?.unwrap_or_default(),
    };
    Ok(Some((why::loan(&records, &configuration, what_if), configuration)))
}

/// Why a fee was charged; `None` if there is no such fee. One round trip.
pub async fn explain_fee(
    desk: &Desk,
    session: &Session,
    id: Uuid,
    what_if: &WhatIf,
) -> Result<Option<Explained<FeeExplanation>>, Failed> {
    let Some(row) = session.find(READ_FEE, &[&id]).await? else {
        return Ok(None);
    };
    let configuration = desk.configuration(session, row.column("configuration_version")?).await?;
    what_if.check(&configuration)?;
    let records = FeeRecords {
        account: row.record("account")?.unwrap_or_default(),
        loan: row.record("loan")?,
        item: row.record("item")?,
        borrower: row.record("borrower")?,
    };
    Ok(Some((why::fee(&records, &configuration, what_if), configuration)))
}
