//! Renewal: read, decide, write.

use std::sync::Arc;

use circulation::{
    configuration::Configuration,
    dates::{computed, stored},
    notices::{Event, Happenings},
    records::{DatedStatus, Item, ItemStatus},
    renewal::{self, Renewal, RenewalCommand, RenewalContext},
    representation::{self, LoanSurroundings},
};
use jiff::Timestamp;
use serde_json::{Value, json};
use store::{Session, StoreError, statements::circulation::READ_RENEWAL};

use super::{
    Columns, Desk, Failed, Operator, at_rest::until_at_rest, fees, loans::writing::LoanWriting, requests::Changes,
};

/// A completed renewal.
#[derive(Debug)]
pub struct Renewed {
    /// The decision behind it.
    pub decided: Renewal,
    /// The item after the renewal.
    pub item: Item,
    context: RenewalContext,
    configuration: Arc<Configuration>,
}

/// Renews a loan. Two round trips.
pub async fn renew(
    desk: &Desk,
    session: &Session,
    command: &RenewalCommand,
    operator: Operator,
    now: Timestamp,
) -> Result<Renewed, Failed> {
    until_at_rest("the loan", || async {
        let (context, configuration) = read(desk, session, command, operator, now).await?;
        let decided = renewal::decide(&context, &configuration, command, now)?;
        let item = item_after(&decided, &context, now);
        let renewed = Renewed { decided, item, context, configuration };
        renewed.write(session, operator, now).await?;
        Ok(renewed)
    })
    .await
}

pub(super) async fn read(
    desk: &Desk,
    session: &Session,
    command: &RenewalCommand,
    operator: Operator,
    now: Timestamp,
) -> Result<(RenewalContext, Arc<Configuration>), StoreError> {
    let (barcode, id) = (command.item_barcode(), command.item_id());
    let row = session.get(READ_RENEWAL, &[&barcode, &id, &stored(now).to_string(), &operator.0]).await?;
    let configuration = desk.configuration(session, row.column("configuration_version")?).await?;
    let context = RenewalContext {
        item: row.record("item")?,
        instance: row.record("instance")?.unwrap_or_default(),
        loan: row.record("loan")?,
        borrower: row.record("borrower")?,
        manual_blocks: row.record("manual_blocks")?.unwrap_or_default(),
        standing: row.record("standing")?.unwrap_or_default(),
        requests: row.record("requests")?.unwrap_or_default(),
        operator: row.record("operator")?,
        lost_fees: row.record("lost_fees")?.unwrap_or_default(),
    };
    Ok((context, configuration))
}

fn item_after(decided: &Renewal, context: &RenewalContext, now: Timestamp) -> Item {
    let mut item = context.item.clone().unwrap_or_default();
    if decided.item_comes_back {
        item.status = DatedStatus::since(ItemStatus::CheckedOut, now);
    }
    item
}

/// Events for the renewal, its due date and a fine. Refunded lost item fees have none, as no item was returned.
fn events(decided: &Renewal, fees: Option<&Value>, configuration: &Configuration) -> Option<Value> {
    let loan = decided.loan.id();
    let mut happened = Happenings::new(configuration);
    happened.loan(Event::Renewed, loan).loan(Event::DueDate, loan);
    happened.fees(Event::OverdueFineRenewed, loan, fees, None, |done| done == "Overdue fine");
    happened.into_value()
}

impl Renewed {
    async fn write(&self, session: &Session, operator: Operator, now: Timestamp) -> Result<(), StoreError> {
        let Renewed { decided, item, context, configuration } = self;
        let fees = fees::written(&decided.fees, operator, now);
        let queue = Changes::new(Some(item.id), Some(context.instance.id), &context.requests);
        let writing = LoanWriting {
            item: Some(item),
            new_state: decided.item_comes_back.then(|| json!({"status": item.status})),
            loan: &decided.loan,
            before: context.loan.as_ref(),
            requests: queue.into_value(),
            events: events(decided, fees.as_ref(), configuration),
            fees,
        };
        writing.write(session, operator, now).await
    }

    /// The renewal response: the loan with its new due date printed as computed (docs/folio/circulation.md#dates).
    pub fn representation(&self) -> Value {
        let around = LoanSurroundings {
            item: Some((&self.item, &self.context.instance)),
            borrower: self.context.borrower.as_ref(),
            service_points: false,
            remaining_fees: None,
        };
        let mut shown = representation::loan(&self.decided.loan, &around, &self.configuration);
        shown["dueDate"] = computed(self.decided.due).to_string().into();
        if self.decided.due_date_changed_by_near_expire_user {
            shown["dueDateChangedByNearExpireUser"] = true.into();
        }
        shown
    }
}
