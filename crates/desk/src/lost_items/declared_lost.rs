//! Declaring items lost, and marking claimed returned items missing (docs/folio/lost-items.md).

use circulation::{
    configuration::Configuration,
    loans::change::LoanContext,
    lost_items::declared_lost::{self, Declaration, LostChange},
    records::DatedStatus,
};
use jiff::Timestamp;
use postgres_types::Json;
use refusals::Refused;
use serde_json::{Value, json};
use store::{Session, StoreError, statements::writes::WRITE_LOST};
use uuid::Uuid;

use crate::{
    Desk, Failed, Operator,
    at_rest::until_at_rest,
    created, fees,
    loans::{Subject, read},
    updated,
};

/// Declares the item of a loan lost. Two round trips.
pub async fn declare_lost(
    desk: &Desk,
    session: &Session,
    (loan, declaration): (Uuid, Declaration<'_>),
    operator: Operator,
    now: Timestamp,
) -> Result<LostChange, Failed> {
    change(desk, session, loan, operator, now, |context, configuration| {
        declared_lost::declare_lost(context, configuration, declaration, now)
    })
    .await
}

/// Marks a claimed returned item missing. Two round trips.
pub async fn mark_missing(
    desk: &Desk,
    session: &Session,
    (loan, comment): (Uuid, Option<&str>),
    operator: Operator,
    now: Timestamp,
) -> Result<LostChange, Failed> {
    change(desk, session, loan, operator, now, |context, _| declared_lost::mark_missing(context, comment)).await
}

/// Reads the records, calls `decide` and writes the result.
async fn change(
    desk: &Desk,
    session: &Session,
    loan: Uuid,
    operator: Operator,
    now: Timestamp,
    decide: impl Fn(&LoanContext, &Configuration) -> Result<LostChange, Refused>,
) -> Result<LostChange, Failed> {
    until_at_rest("the loan", || async {
        let (context, configuration) = read(desk, session, Subject::stored(loan), operator).await?;
        let change = decide(&context, &configuration)?;
        write(session, &change, &context, operator, now).await?;
        Ok(change)
    })
    .await
}

async fn write(
    session: &Session,
    change: &LostChange,
    context: &LoanContext,
    operator: Operator,
    now: Timestamp,
) -> Result<(), StoreError> {
    let item = context.item.as_ref();
    let (item, version) = item.map_or((None, None), |item| (Some(item.id), Some(item.version)));
    let state = json!({"status": DatedStatus::since(change.item_status, now)});
    let (versions, before) = (Json(&change.versions), context.existing.as_ref().map(Json));
    let note = note(change, context, operator, now);
    let stamp = updated(operator, now);
    let fees = fees::written(&change.fees, operator, now);
    let parameters: [store::db::Parameter<'_>; 8] = [&item, &version, &state, &stamp, &versions, &before, &note, &fees];
    session.query(WRITE_LOST, &parameters).await?;
    Ok(())
}

/// The note about the borrower, linked to the user so that clients find it.
fn note(change: &LostChange, context: &LoanContext, operator: Operator, now: Timestamp) -> Option<Value> {
    let text = change.note?;
    let borrower = context.existing.as_ref()?.user_id()?;
    Some(json!({
        "id": store::new_id(), "typeId": context.general_note_type?, "title": text, "content": text,
        "domain": "users", "links": [{"id": borrower, "type": "user"}],
        "popUpOnCheckOut": false, "popUpOnUser": false, "metadata": created(operator, now),
    }))
}
