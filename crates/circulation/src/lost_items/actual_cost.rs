//! Actual costs of lost items: staff determine the cost and bill the patron, or cancel the bill
//! (docs/folio/lost-items.md#actual-costs).

use jiff::Timestamp;
use refusals::Refusal;
use rust_decimal::Decimal;
use serde_json::{Map, Value, json};
use uuid::Uuid;
use vocabulary::{AccountStatus, ActualCostStatus, PaymentStatus};

use crate::{
    dates::{parse_date_time, stored},
    fees::{
        account::Account,
        changes::{Cause, Charge, FeeChanges, object},
        money,
    },
    lost_items::refusal::{LOAN_GONE, NOT_OPEN},
    records::Loan,
};

/// Comments on a bill or its cancellation.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Said {
    /// Comment for staff.
    pub for_staff: Option<String>,
    /// Comment for the patron.
    pub for_patron: Option<String>,
}

impl Said {
    /// Both comments in the format of a fee action.
    fn comments(&self) -> String {
        let present = |text: &Option<String>| text.clone().filter(|text| !text.trim().is_empty());
        let staff = present(&self.for_staff).map(|text| format!("STAFF : {text}"));
        let patron = present(&self.for_patron).map(|text| format!("PATRON : {text}"));
        let said: Vec<_> = [staff, patron].into_iter().flatten().collect();
        said.join(" \n ")
    }
}

/// Cancels an actual cost record.
///
/// # Errors
/// The record is not open.
pub fn cancel(record: &Map<String, Value>, said: &Said) -> Result<Map<String, Value>, Refusal> {
    refuse_unless_open(record)?;
    Ok(decided(record, ActualCostStatus::Cancelled, said))
}

/// Bills `amount`: returns the charge, without its account ID, and the billed record.
///
/// # Errors
/// The record is not open, or its loan is gone.
pub fn bill(
    record: &Map<String, Value>,
    loan: Option<&Loan>,
    amount: Decimal,
    said: &Said,
    cause: &Cause,
    now: Timestamp,
) -> Result<(Charge, Map<String, Value>), Refusal> {
    refuse_unless_open(record)?;
    let loan = loan.ok_or_else(|| {
        let id = record.get("loan").and_then(|loan| loan["id"].as_str());
        LOAN_GONE.with("id", id.unwrap_or_default())
    })?;
    let money = money::stored(amount);
    let account = account(record, loan, &money);
    let movement = object(json!({
        "dateAction": stored(now).to_string(), "typeAction": account.fee_type(), "notify": false,
        "amountAction": money, "balance": money, "transactionInformation": "-",
        "createdAt": cause.service_point, "source": cause.source, "comments": said.comments(),
        "userId": account.user_id(),
    }));
    let mut billed = decided(record, ActualCostStatus::Billed, said);
    if let Some(Value::Object(fee)) = billed.get_mut("feeFine") {
        fee.insert("billedAmount".into(), money);
    }
    Ok((Charge { account, movement }, billed))
}

/// The changes of a bill, once its account has an ID.
pub fn billed(
    before: Map<String, Value>,
    (mut charge, mut after): (Charge, Map<String, Value>),
    account: Uuid,
) -> (FeeChanges, Map<String, Value>) {
    charge.account.set_id(account);
    if let Some(Value::Object(fee)) = after.get_mut("feeFine") {
        fee.insert("accountId".into(), account.to_string().into());
    }
    let changes = FeeChanges { charges: vec![charge], costs: vec![(before, after.clone())], ..FeeChanges::default() };
    (changes, after)
}

fn refuse_unless_open(record: &Map<String, Value>) -> Result<(), Refusal> {
    let text = |member: &str| {
        let value = record.get(member).and_then(Value::as_str);
        value.unwrap_or_default().to_owned()
    };
    match text("status") {
        status if status == ActualCostStatus::Open.name() => Ok(()),
        status => Err(NOT_OPEN.with("id", text("id")).with("status", status)),
    }
}

fn decided(record: &Map<String, Value>, status: ActualCostStatus, said: &Said) -> Map<String, Value> {
    let mut record = record.clone();
    record.insert("status".into(), status.name().into());
    for (member, text) in [("additionalInfoForStaff", &said.for_staff), ("additionalInfoForPatron", &said.for_patron)] {
        match text {
            Some(text) => record.insert(member.into(), text.as_str().into()),
            None => record.shift_remove(member),
        };
    }
    record
}

fn account(record: &Map<String, Value>, loan: &Loan, money: &Value) -> Account {
    let record = Value::Object(record.clone());
    let (item, instance, fee) = (&record["item"], &record["instance"], &record["feeFine"]);
    let contributors = instance["contributors"].as_array();
    let printed = |date: Option<&str>| date.and_then(parse_date_time).map(|moment| stored(moment).to_string());
    Account::new(object(json!({
        "amount": money, "remaining": money,
        "status": {"name": AccountStatus::Open}, "paymentStatus": {"name": PaymentStatus::Outstanding},
        "feeFineId": fee["typeId"], "feeFineType": fee["type"],
        "ownerId": fee["ownerId"], "feeFineOwner": fee["owner"],
        "title": instance["title"], "barcode": item["barcode"],
        "callNumber": item["effectiveCallNumberComponents"]["callNumber"],
        "location": item["effectiveLocation"], "materialType": item["materialType"],
        "materialTypeId": item["materialTypeId"], "loanId": record["loan"]["id"],
        "userId": record["user"]["id"], "itemId": item["id"],
        "contributors": contributors.cloned().unwrap_or_default(),
        "dueDate": printed(loan.due_date_text()), "returnedDate": printed(loan.return_date_text()),
        "loanPolicyId": loan.loan_policy_id(),
        "overdueFinePolicyId": loan.overdue_fine_policy_id(),
        "lostItemFeePolicyId": loan.lost_item_policy_id(),
    })))
}
