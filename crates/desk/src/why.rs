//! "Why?": reads what the desk reads and returns the trace of its decision; nothing is written. Each use case takes one
//! round trip; a check-out takes two when the patron is near an item limit, a check-in two when there is such an item.

use std::sync::Arc;

use circulation::{
    check_in::CheckInCommand,
    check_out::CheckOutCommand,
    configuration::Configuration,
    dates::stored,
    records::{Loan, Patron},
    renewal::RenewalCommand,
    requests::place::PlaceCommand,
    why::{
        self, Explanation, FeeExplanation, FeeRecords, LastReturn, LoanExplanation, LoanRecords, PatronExplanation,
        PatronRecords, WhatIf,
    },
};
use jiff::Timestamp;
use store::{
    Session,
    statements::{
        circulation::{READ_LAST_RETURN, READ_LOAN_CHANGES},
        fees::READ_FEE,
    },
};
use uuid::Uuid;

use crate::{Columns, Desk, Failed, Operator, RequestSubject, check_in, check_out, read_request, renew};

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

/// Why a return would be refused, or was. Two round trips, one if there is no such item.
pub async fn explain_check_in(
    desk: &Desk,
    session: &Session,
    command: &CheckInCommand,
    now: Timestamp,
) -> Result<Explained<Explanation>, Failed> {
    let (_, mut context, configuration) = check_in::read(desk, session, command).await?;
    let mut last: Option<LastReturn> = None;
    if let Some(item) = &context.item {
        let loan = context.loan.as_ref().and_then(Loan::id);
        let row = session.get(READ_LAST_RETURN, &[&item.id, &loan]).await?;
        context.claim = row.record("claim")?;
        last = row.record("last_return")?;
    }
    Ok((why::check_in(&context, last.as_ref(), &configuration, command, now), configuration))
}

/// Which limits block a patron; `None` if there is no such patron. One round trip.
pub async fn explain_patron(
    desk: &Desk,
    session: &Session,
    user: Uuid,
    what_if: &WhatIf,
    now: Timestamp,
) -> Result<Option<Explained<PatronExplanation>>, Failed> {
    let Some(found) = store::circulation::patron_standing(session, user, &stored(now).to_string()).await? else {
        return Ok(None);
    };
    let configuration = desk.configuration(session, found.version).await?;
    what_if.check(&configuration)?;
    let patron = Patron { id: user, patron_group: found.group, ..Patron::default() };
    let records = PatronRecords { patron, standing: serde_json::from_value(found.standing).unwrap_or_default() };
    Ok(Some((why::blocks(&records, &configuration, what_if, now), configuration)))
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
