//! Billing aged to lost items: read, decide, write. Two round trips per thousand loans.

use std::sync::Arc;

use circulation::{
    configuration::Configuration,
    dates::stored,
    fees::changes::{FeeChanges, FeeSubject},
    lost_items::billing::bill,
    notices::{Event, Happenings},
    records::{DatedStatus, Instance, Item, ItemStatus, Loan, Patron},
};
use jiff::Timestamp;
use serde_json::{Value, json};
use store::{
    Session, StoreError,
    db::Row,
    statements::{circulation::READ_LOANS_TO_BILL, writes::WRITE_BILLED},
};
use uuid::Uuid;

use crate::{Columns, Desk, Operator, at_rest::until_at_rest, fees, loans::writing::stamped, updated};

/// Loans per transaction, small enough to keep desk operations from waiting long.
const BATCH: i64 = 1_000;

/// The end of a batch: billing date and ID of its last loan.
type Place = (String, Uuid);

/// A batch to write.
#[derive(Default)]
struct Batch {
    loans: Vec<Value>,
    fees: FeeChanges,
    last: Option<Place>,
    read: usize,
    configuration: Arc<Configuration>,
}

/// Bills every due loan of an aged to lost item and returns their number.
///
/// # Errors
/// [`StoreError`]. Loans already billed stay so; the next run continues.
pub async fn bill_lost_items(
    desk: &Desk,
    session: &Session,
    operator: Operator,
    now: Timestamp,
) -> Result<usize, StoreError> {
    let mut after: Place = (String::new(), Uuid::nil());
    let mut total = 0;
    loop {
        let batch = until_at_rest("the batch", || async {
            let batch = read(desk, session, &after, operator, now).await?;
            write(session, &batch, operator, now).await?;
            Ok::<_, StoreError>(batch)
        })
        .await?;
        total += batch.loans.len();
        match batch.last {
            Some(last) if batch.read as i64 == BATCH => after = last,
            _ => return Ok(total),
        }
    }
}

async fn read(
    desk: &Desk,
    session: &Session,
    (date, id): &Place,
    operator: Operator,
    now: Timestamp,
) -> Result<Batch, StoreError> {
    let now_as_stored = stored(now).to_string();
    let rows = session.query(READ_LOANS_TO_BILL, &[&now_as_stored, date, id, &BATCH]).await?;
    let mut batch = Batch::default();
    let Some(first) = rows.first() else {
        return Ok(batch);
    };
    let configuration = desk.configuration(session, first.column("configuration_version")?).await?;
    batch.configuration = Arc::clone(&configuration);
    for row in &rows {
        batch.read += 1;
        batch.last = Some((row.column("date")?, row.column("id")?));
        batch.add(row, &configuration, operator, now)?;
    }
    Ok(batch)
}

impl Batch {
    fn add(
        &mut self,
        row: &Row,
        configuration: &Configuration,
        operator: Operator,
        now: Timestamp,
    ) -> Result<(), StoreError> {
        let loan: Loan = row.record("loan")?.unwrap_or_default();
        let item: Item = row.record("item")?.unwrap_or_default();
        let instance: Instance = row.record("instance")?.unwrap_or_default();
        let borrower: Option<Patron> = row.record("borrower")?;
        let subject = FeeSubject { loan: &loan, item: &item, instance: &instance, borrower: borrower.as_ref() };
        let Some(billed) = bill(subject, row.column("permanent_location")?, configuration, now) else {
            return Ok(());
        };
        let mut change = json!({
            "before": loan, "after": stamped(&billed.loan, operator, now),
        });
        if billed.is_over {
            change["state"] = json!({"status": DatedStatus::since(ItemStatus::LostAndPaid, now)});
            change["version"] = item.version.into();
        }
        self.loans.push(change);
        self.fees.add(billed.fees);
        Ok(())
    }
}

async fn write(session: &Session, batch: &Batch, operator: Operator, now: Timestamp) -> Result<(), StoreError> {
    if batch.loans.is_empty() {
        return Ok(());
    }
    let loans = Value::from(batch.loans.clone());
    let fees = fees::written(&batch.fees, operator, now);
    let parameters: [store::db::Parameter<'_>; 4] =
        [&loans, &updated(operator, now), &fees, &events(batch, fees.as_ref())];
    session.query(WRITE_BILLED, &parameters).await?;
    Ok(())
}

/// Events for the charges.
fn events(batch: &Batch, fees: Option<&Value>) -> Option<Value> {
    let mut happened = Happenings::new(&batch.configuration);
    happened.fees(Event::AgedToLostFineCharged, None, fees, None, |done| done.starts_with("Lost item"));
    happened.into_value()
}
