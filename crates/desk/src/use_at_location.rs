//! Holding or handing out an item for use at location: read, decide, write. Two round trips.

use std::sync::Arc;

use circulation::{
    configuration::Configuration,
    loans::use_at_location::{self, FOR_USE_AT_LOCATION, UsageChange, UsageCommand, UsageContext},
    records::Loan,
    representation,
};
use jiff::Timestamp;
use serde_json::{Map, Value, json};
use store::{
    Session, StoreError,
    statements::circulation::{CHANGE_LOAN, READ_USE_AT_LOCATION},
};

use super::{Columns, Desk, Failed, Operator, at_rest::until_at_rest, stamp_record, updated};

/// A completed change of use at location.
#[derive(Debug)]
pub struct UsageChanged {
    decided: UsageChange,
    context: UsageContext,
    configuration: Arc<Configuration>,
}

/// Puts an item for use at location on hold, or hands it out again. Two round trips.
pub async fn change_usage(
    desk: &Desk,
    session: &Session,
    command: &UsageCommand,
    operator: Operator,
    now: Timestamp,
) -> Result<UsageChanged, Failed> {
    until_at_rest("the loan", || async {
        let (context, configuration) = read(desk, session, command).await?;
        let mut decided = use_at_location::decide(&context, &configuration, command, now)?;
        let stamp = updated(operator, now);
        write(session, &decided, &context, &stamp).await?;
        stamp_record(&mut decided.loan.record, &stamp);
        Ok(UsageChanged { decided, context, configuration })
    })
    .await
}

async fn read(
    desk: &Desk,
    session: &Session,
    command: &UsageCommand,
) -> Result<(UsageContext, Arc<Configuration>), StoreError> {
    let row = session.get(READ_USE_AT_LOCATION, &[&command.item_barcode()]).await?;
    let configuration = desk.configuration(session, row.column("configuration_version")?).await?;
    let context = UsageContext {
        item: row.record("item")?,
        instance: row.record("instance")?.unwrap_or_default(),
        loan: row.record::<Map<String, Value>>("loan")?.map(Loan::new),
        borrower: row.record("borrower")?,
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
    /// ID of the loan.
    pub fn loan_id(&self) -> &str {
        self.decided.loan.text("id").unwrap_or_default()
    }

    /// The loan as FOLIO stores it; also the response when an item is picked up again.
    pub fn loan(&self) -> Value {
        let mut loan = self.decided.loan.clone();
        loan.set(FOR_USE_AT_LOCATION, self.decided.now_is.computed());
        Value::Object(loan.record)
    }

    /// The response when an item is put on hold: the loan with its item.
    pub fn held(&self) -> Value {
        let mut loan = self.loan();
        let instance = &self.context.instance;
        if let Some(item) = &self.context.item {
            loan["item"] = representation::item(item, instance, &self.configuration);
        }
        json!({"loan": loan})
    }
}
