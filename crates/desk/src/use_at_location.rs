//! Holding or handing out an item for use at location: read, decide, write. Two round trips.

use std::sync::Arc;

use circulation::{
    configuration::Configuration,
    loans::use_at_location::{self, UsageChange, UsageCommand, UsageContext},
    representation,
};
use jiff::Timestamp;
use postgres_types::Json;
use serde_json::{Value, json};
use store::{
    Session, StoreError,
    statements::{circulation::READ_USE_AT_LOCATION, writes::CHANGE_LOAN},
};
use uuid::Uuid;

use super::{Columns, Desk, Failed, Operator, at_rest::until_at_rest, updated};

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
        decided.loan.stamp(stamp);
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
        loan: row.record("loan")?,
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
    let before = context.loan.as_ref().map(Json);
    session.query(CHANGE_LOAN, &[&Json(&decided.loan), &before, stamp]).await?;
    Ok(())
}

impl UsageChanged {
    /// ID of the loan.
    pub fn loan_id(&self) -> Uuid {
        self.decided.loan.id().unwrap_or_default()
    }

    /// The loan as FOLIO stores it; also the response when an item is picked up again.
    pub fn loan(&self) -> Value {
        let mut loan = self.decided.loan.clone();
        loan.set_use_at_location(self.decided.now_is.computed());
        Value::Object(loan.into_record())
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
