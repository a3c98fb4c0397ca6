//! An item that is read in the library is put aside or handed out again, from the read to the write. Two round trips.

use std::sync::Arc;

use circulation::{
    configuration::Configuration,
    loans::{
        representation,
        use_at_location::{
            self, FOR_USE_AT_LOCATION, UsageChange, UsageCommand, UsageContext, UsageRefusal,
        },
    },
    records::Loan,
};
use jiff::Timestamp;
use serde_json::{Map, Value, json};
use store::{
    Session, StoreError,
    statements::circulation::{CHANGE_LOAN, READ_USE_AT_LOCATION},
};

use super::{Columns, Desk, Failed, Operator, at_rest::until_at_rest, stamp_record, updated};

/// Another use of an item that has been written.
#[derive(Debug)]
pub struct UsageChanged {
    decided: UsageChange,
    context: UsageContext,
    configuration: Arc<Configuration>,
}

/// Puts an item aside or hands it out again. Two round trips.
///
/// # Errors
/// [`Failed`].
pub async fn change_usage(
    desk: &Desk,
    session: &Session,
    command: &UsageCommand,
    operator: Operator,
    now: Timestamp,
) -> Result<UsageChanged, Failed<UsageRefusal>> {
    until_at_rest("the loan", || async {
        let (context, configuration) = read(desk, session, command).await?;
        let mut decided = use_at_location::decide(&context, &configuration, command, now)
            .map_err(Failed::Refused)?;
        let stamp = updated(operator, now);
        write(session, &decided, &context, &stamp).await?;
        stamp_record(&mut decided.loan.record, &stamp);
        Ok(UsageChanged {
            decided,
            context,
            configuration,
        })
    })
    .await
}

async fn read(
    desk: &Desk,
    session: &Session,
    command: &UsageCommand,
) -> Result<(UsageContext, Arc<Configuration>), StoreError> {
    let row = session
        .get(READ_USE_AT_LOCATION, &[&command.item_barcode()])
        .await?;
    let configuration = desk.configuration(session, row.column(0)?).await?;
    let context = UsageContext {
        item: row.record(1)?,
        instance: row.record(2)?.unwrap_or_default(),
        loan: row.record::<Map<String, Value>>(3)?.map(Loan::new),
        borrower: row.record(4)?,
    };
    Ok((context, configuration))
}

async fn write(
    session: &Session,
    decided: &UsageChange,
    context: &UsageContext,
    stamp: &Value,
) -> Result<(), StoreError> {
    let record = |loan: &Loan| Value::Object(loan.record.clone());
    let before = context.loan.as_ref().map(record);
    let parameters: [store::db::Parameter<'_>; 3] = [&record(&decided.loan), &before, stamp];
    session.query(CHANGE_LOAN, &parameters).await?;
    Ok(())
}

impl UsageChanged {
    /// The loan's id.
    pub fn loan_id(&self) -> &str {
        self.decided.loan.text("id").unwrap_or_default()
    }

    /// The loan as FOLIO keeps it, which is what it answers when an item is handed out again.
    pub fn loan(&self) -> Value {
        let mut loan = self.decided.loan.clone();
        loan.set(FOR_USE_AT_LOCATION, self.decided.now_is.computed());
        Value::Object(loan.record)
    }

    /// The answer when an item is put aside: the loan, with its item.
    pub fn held(&self) -> Value {
        let mut loan = self.loan();
        let instance = &self.context.instance;
        if let Some(item) = &self.context.item {
            loan["item"] = representation::item(item, instance, &self.configuration);
        }
        json!({"loan": loan})
    }
}
