//! Changes to a patron's fees and fines that come with a loan: charges, refunds, cancellations, and actual cost
//! records, which await billing by staff (docs/folio/fees-fines.md, docs/folio/lost-items.md).

use jiff::Timestamp;
use rust_decimal::Decimal;
use serde_json::{Map, Value, json};
use uuid::Uuid;
use vocabulary::{AccountStatus, PaymentStatus};

use crate::{
    configuration::{Configuration, FeeOwner},
    dates::stored,
    fees::{account::Account, money, types},
    records::{Instance, Item, Loan, Patron},
};

/// A fee/fine type that FOLIO charges automatically.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FeeKind {
    /// Fine for a late return.
    OverdueFine,
    /// Set cost of a lost item.
    LostItem,
    /// Processing fee for a lost item.
    LostItemProcessing,
    /// Actual cost of a lost item.
    LostItemActualCost,
    /// Fee for a reminder.
    Reminder,
}

impl FeeKind {
    /// Id and name of the fee/fine type.
    pub fn named(self) -> (Uuid, &'static str) {
        match self {
            FeeKind::OverdueFine => (types::OVERDUE_FINE, "Overdue fine"),
            FeeKind::LostItem => (types::LOST_ITEM_FEE, "Lost item fee"),
            FeeKind::LostItemProcessing => (types::LOST_ITEM_PROCESSING_FEE, "Lost item processing fee"),
            FeeKind::LostItemActualCost => (types::LOST_ITEM_ACTUAL_COST, "Lost item fee (actual cost)"),
            FeeKind::Reminder => (types::REMINDER_FEE, "Reminder fee"),
        }
    }
}

/// The loan to which fees apply, with its related records.
#[derive(Debug, Clone, Copy)]
pub struct FeeSubject<'c> {
    /// The loan.
    pub loan: &'c Loan,
    /// Its item.
    pub item: &'c Item,
    /// The instance of the item.
    pub instance: &'c Instance,
    /// The loan's patron, if known.
    pub borrower: Option<&'c Patron>,
}

/// The source of a charge or refund.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Cause {
    /// `Last, First` of the operator, or `System`.
    pub source: Option<String>,
    /// The service point where it is made; absent for jobs.
    pub service_point: Option<Uuid>,
}

impl Cause {
    /// An operator at a service point.
    pub fn at(operator: Option<&Patron>, service_point: Option<Uuid>) -> Cause {
        Cause { source: operator.map(Patron::name), service_point }
    }

    /// An automatic job.
    pub fn system() -> Cause {
        Cause { source: Some("System".to_owned()), service_point: None }
    }
}

/// A new account and the action that records its charge, both without ids.
#[derive(Debug, Clone, PartialEq)]
pub struct Charge {
    /// The new account.
    pub account: Account,
    /// The charge as a fee/fine action.
    pub movement: Map<String, Value>,
}

impl Charge {
    /// A charge of `amount` to the borrower.
    pub fn new(
        kind: FeeKind,
        amount: Decimal,
        owner: &FeeOwner,
        subject: FeeSubject<'_>,
        cause: &Cause,
        (configuration, now): (&Configuration, Timestamp),
    ) -> Charge {
        let (type_id, type_name) = kind.named();
        let mut account = described(subject, configuration);
        let money = money::stored(amount);
        account.extend(object(json!({
            "amount": money, "remaining": money,
            "status": {"name": AccountStatus::Open}, "paymentStatus": {"name": PaymentStatus::Outstanding},
            "feeFineId": type_id, "feeFineType": type_name,
            "ownerId": owner.id, "feeFineOwner": owner.owner,
        })));
        let movement = object(json!({
            "dateAction": stored(now).to_string(), "typeAction": type_name, "notify": false,
            "amountAction": money, "balance": money, "transactionInformation": "-",
            "createdAt": cause.service_point, "source": cause.source,
            "userId": account.get("userId"),
        }));
        Charge { account: Account::new(account), movement }
    }
}

/// The properties of an account that describe the loan and its item.
fn described(subject: FeeSubject<'_>, configuration: &Configuration) -> Map<String, Value> {
    let FeeSubject { loan, item, instance, .. } = subject;
    let call_number = item.effective_call_number_components.as_ref();
    let date = |moment: Option<Timestamp>| Some(stored(moment?).to_string());
    let contributors = instance.contributors.iter();
    let contributors: Vec<_> = contributors.map(|c| json!({"name": c.name})).collect();
    object(json!({
        "title": instance.title,
        "barcode": item.barcode,
        "callNumber": call_number.and_then(|components| components.call_number.clone()),
        "location": configuration.location(item.effective_location_id).map(|l| &l.name),
        "materialType": configuration.material_type(item.material_type_id),
        "materialTypeId": item.material_type_id,
        "loanId": loan.id(),
        "userId": loan.user_id(),
        "itemId": item.id,
        "dueDate": date(loan.due_date()),
        "returnedDate": date(loan.return_date()),
        "contributors": contributors,
        "loanPolicyId": loan.loan_policy_id(),
        "overdueFinePolicyId": loan.overdue_fine_policy_id(),
        "lostItemFeePolicyId": loan.lost_item_policy_id(),
    }))
}

/// The properties that are not null.
pub(crate) fn object(value: Value) -> Map<String, Value> {
    let Value::Object(members) = value else {
        return Map::new();
    };
    let known = members.into_iter().filter(|(_, value)| !value.is_null());
    known.collect()
}

/// All changes to fees and fines that are written together.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct FeeChanges {
    /// New accounts.
    pub charges: Vec<Charge>,
    /// Changed accounts, before and after.
    pub accounts: Vec<(Account, Account)>,
    /// Fee/fine actions on these accounts, without ids.
    pub movements: Vec<Map<String, Value>>,
    /// New actual cost records, without ids.
    pub new_costs: Vec<Map<String, Value>>,
    /// Changed actual cost records, before and after.
    pub costs: Vec<(Map<String, Value>, Map<String, Value>)>,
}

impl FeeChanges {
    /// Whether nothing changes.
    pub fn is_empty(&self) -> bool {
        self.charges.is_empty() && self.accounts.is_empty() && self.new_costs.is_empty() && self.costs.is_empty()
    }

    /// Adds the changes of `other`.
    pub fn add(&mut self, other: FeeChanges) {
        self.charges.extend(other.charges);
        self.accounts.extend(other.accounts);
        self.movements.extend(other.movements);
        self.new_costs.extend(other.new_costs);
        self.costs.extend(other.costs);
    }

    /// The changes for a charge, if there is one.
    pub fn charge(charge: Option<Charge>) -> FeeChanges {
        FeeChanges { charges: charge.into_iter().collect(), ..FeeChanges::default() }
    }
}
