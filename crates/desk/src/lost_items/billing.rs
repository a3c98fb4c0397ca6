//! The jobs around fees of lost items, from the read to the write: two round trips for every thousand loans.

use std::sync::Arc;

use circulation::{
    configuration::Configuration,
    dates::stored,
    fees::changes::{FeeChanges, FeeSubject},
    lost_items::billing::bill,
    notices::{Event, Happenings},
    records::{Instance, Item, Loan, Patron},
};
use jiff::Timestamp;
use serde_json::{Map, Value, json};
use store::{
    Session, StoreError,
    db::Row,
    statements::circulation::{EXPIRE_ACTUAL_COSTS, READ_LOANS_TO_BILL, WRITE_BILLED},
};
use uuid::Uuid;

use crate::{
    Columns, Desk, Operator, at_rest::until_at_rest, fees, loans::writing::stamped, updated,
};

/// How many loans are billed in one transaction: few enough that the desk never waits long for one of them.
const BATCH: i64 = 1_000;

/// How many records of costs expire in one transaction.
const EXPIRE_BATCH: i32 = 500;

/// Where a batch ends: the date of billing and the id of its last loan.
type Place = (String, Uuid);

/// A batch that is to be written.
#[derive(Default)]
struct Batch {
    loans: Vec<Value>,
    fees: FeeChanges,
    last: Option<Place>,
    read: usize,
    configuration: Arc<Configuration>,
}

/// Bills every loan of an item that aged to lost and whose time has come; how many these were.
///
/// # Errors
/// [`StoreError`]. What has been billed by then stays so; the next run goes on.
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
    let rows = session
        .query(READ_LOANS_TO_BILL, &[&now_as_stored, date, id, &BATCH])
        .await?;
    let mut batch = Batch::default();
    let Some(first) = rows.first() else {
        return Ok(batch);
    };
    let configuration = desk.configuration(session, first.column(0)?).await?;
    batch.configuration = Arc::clone(&configuration);
    for row in &rows {
        batch.read += 1;
        batch.last = Some((row.column(1)?, row.column(2)?));
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
        let loan = Loan::new(row.record::<Map<String, Value>>(3)?.unwrap_or_default());
        let item: Item = row.record(4)?.unwrap_or_default();
        let instance: Instance = row.record(5)?.unwrap_or_default();
        let borrower: Option<Patron> = row.record(6)?;
        let subject = FeeSubject {
            loan: &loan,
            item: &item,
            instance: &instance,
            borrower: borrower.as_ref(),
        };
        let Some(billed) = bill(subject, row.column(7)?, configuration, now) else {
            return Ok(());
        };
        let mut change = json!({
            "before": loan.record, "after": stamped(&billed.loan, operator, now),
        });
        if billed.is_over {
            let status = json!({"name": "Lost and paid", "date": stored(now).to_string()});
            change["state"] = json!({"status": status});
            change["version"] = item.version.into();
        }
        self.loans.push(change);
        self.fees.add(billed.fees);
        Ok(())
    }
}

async fn write(
    session: &Session,
    batch: &Batch,
    operator: Operator,
    now: Timestamp,
) -> Result<(), StoreError> {
    if batch.loans.is_empty() {
        return Ok(());
    }
    let loans = Value::from(batch.loans.clone());
    let fees = fees::written(&batch.fees, operator, now);
    let parameters: [store::db::Parameter<'_>; 4] = [
        &loans,
        &updated(operator, now),
        &fees,
        &events(batch, fees.as_ref()),
    ];
    session.query(WRITE_BILLED, &parameters).await?;
    Ok(())
}

/// The charges.
fn events(batch: &Batch, fees: Option<&Value>) -> Option<Value> {
    let mut happened = Happenings::new(&batch.configuration);
    happened.fees(Event::AgedToLostFineCharged, None, fees, None, |done| {
        done.starts_with("Lost item")
    });
    happened.into_value()
}

/// Lets the records of costs expire that nobody has found out in time; how many these were. One round trip for every
/// five hundred of them, and one that finds no more.
///
/// # Errors
/// [`StoreError`]. What has expired by then stays so; the next run goes on.
pub async fn expire_actual_costs(
    session: &Session,
    operator: Operator,
    now: Timestamp,
) -> Result<i64, StoreError> {
    let (stamp, now) = (updated(operator, now), stored(now).to_string());
    let mut after: Place = (String::new(), Uuid::nil());
    let mut total = 0;
    loop {
        let (date, id) = &after;
        let parameters: [store::db::Parameter<'_>; 5] = [&now, &stamp, date, id, &EXPIRE_BATCH];
        let expire = || session.get(EXPIRE_ACTUAL_COSTS, &parameters);
        let row = until_at_rest("the batch", expire).await?;
        total += row.column::<i64>(0)?;
        match (row.column(1)?, row.column(2)?) {
            (Some(date), Some(id)) => after = (date, id),
            _ => return Ok(total),
        }
    }
}
