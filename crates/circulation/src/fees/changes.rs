//! What happens to a patron's fees and fines together with a loan: new charges, refunds, cancellations, and the
//! records of items whose cost somebody is to find out (docs/folio/fees-fines.md, docs/folio/lost-items.md).

use jiff::Timestamp;
use rust_decimal::Decimal;
use serde_json::{Map, Value, json};
use uuid::Uuid;

use crate::{
    configuration::{Configuration, FeeOwner},
    dates::{parse_date_time, stored},
    fees::{account::Account, money, types},
    records::{Instance, Item, Loan, Patron},
};

/// A fee/fine type that is charged by itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FeeKind {
    /// For a late return.
    OverdueFine,
    /// For a lost item, at a set cost.
    LostItem,
    /// For the work a lost item makes.
    LostItemProcessing,
    /// For a lost item, at what it costs.
    LostItemActualCost,
    /// For a reminder.
    Reminder,
}

impl FeeKind {
    /// Id and name of the type.
    pub fn named(self) -> (Uuid, &'static str) {
        match self {
            FeeKind::OverdueFine => (types::OVERDUE_FINE, "Overdue fine"),
            FeeKind::LostItem => (types::LOST_ITEM_FEE, "Lost item fee"),
            FeeKind::LostItemProcessing => {
                (types::LOST_ITEM_PROCESSING_FEE, "Lost item processing fee")
            }
            FeeKind::LostItemActualCost => {
                (types::LOST_ITEM_ACTUAL_COST, "Lost item fee (actual cost)")
            }
            FeeKind::Reminder => (types::REMINDER_FEE, "Reminder fee"),
        }
    }
}

/// The loan that fees are about.
#[derive(Debug, Clone, Copy)]
pub struct FeeSubject<'c> {
    /// The loan.
    pub loan: &'c Loan,
    /// Its item.
    pub item: &'c Item,
    /// What the item is a copy of.
    pub instance: &'c Instance,
    /// Who has, or had, the item.
    pub borrower: Option<&'c Patron>,
}

/// Who causes a charge or a refund, and where.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Cause {
    /// `Last, First` of who is at the desk, or `System`.
    pub source: Option<String>,
    /// The service point.
    pub service_point: Option<Uuid>,
}

impl Cause {
    /// Somebody at a service point.
    pub fn at(operator: Option<&Patron>, service_point: Option<Uuid>) -> Cause {
        Cause {
            source: operator.map(Patron::name),
            service_point,
        }
    }

    /// A job.
    pub fn system() -> Cause {
        Cause {
            source: Some("System".to_owned()),
            service_point: None,
        }
    }
}

/// A new account and the movement that says so, both without ids.
#[derive(Debug, Clone, PartialEq)]
pub struct Charge {
    /// The account.
    pub account: Map<String, Value>,
    /// The movement.
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
            "status": {"name": "Open"}, "paymentStatus": {"name": "Outstanding"},
            "feeFineId": type_id, "feeFineType": type_name,
            "ownerId": owner.id, "feeFineOwner": owner.owner,
        })));
        let movement = object(json!({
            "dateAction": stored(now).to_string(), "typeAction": type_name, "notify": false,
            "amountAction": money, "balance": money, "transactionInformation": "-",
            "createdAt": cause.service_point, "source": cause.source,
            "userId": account.get("userId"),
        }));
        Charge { account, movement }
    }

    /// What is charged.
    pub fn amount(&self) -> Decimal {
        money::read(self.account.get("amount"))
    }
}

/// The members of an account that say what it is about.
fn described(subject: FeeSubject<'_>, configuration: &Configuration) -> Map<String, Value> {
    let FeeSubject {
        loan,
        item,
        instance,
        ..
    } = subject;
    let call_number = item.effective_call_number_components.as_ref();
    let date = |member: &str| {
        let moment = parse_date_time(loan.text(member)?)?;
        Some(stored(moment).to_string())
    };
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
        "userId": loan.id_of("userId"),
        "itemId": item.id,
        "dueDate": date("dueDate"),
        "returnedDate": date("returnDate"),
        "contributors": contributors,
        "loanPolicyId": loan.text("loanPolicyId"),
        "overdueFinePolicyId": loan.text("overdueFinePolicyId"),
        "lostItemFeePolicyId": loan.text("lostItemPolicyId"),
    }))
}

/// The members that are not null.
pub(crate) fn object(value: Value) -> Map<String, Value> {
    let Value::Object(members) = value else {
        return Map::new();
    };
    let known = members.into_iter().filter(|(_, value)| !value.is_null());
    known.collect()
}

/// Everything that happens to fees in one go.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct FeeChanges {
    /// New accounts.
    pub charges: Vec<Charge>,
    /// Accounts as they were and as they are from now on.
    pub accounts: Vec<(Account, Account)>,
    /// What was done about these accounts; without ids.
    pub movements: Vec<Map<String, Value>>,
    /// New records of items whose cost is not known, without ids.
    pub new_costs: Vec<Map<String, Value>>,
    /// Such records as they were and as they are from now on.
    pub costs: Vec<(Map<String, Value>, Map<String, Value>)>,
}

impl FeeChanges {
    /// Nothing happens.
    pub fn is_empty(&self) -> bool {
        self.charges.is_empty()
            && self.accounts.is_empty()
            && self.new_costs.is_empty()
            && self.costs.is_empty()
    }

    /// Everything of `other` as well.
    pub fn add(&mut self, other: FeeChanges) {
        self.charges.extend(other.charges);
        self.accounts.extend(other.accounts);
        self.movements.extend(other.movements);
        self.new_costs.extend(other.new_costs);
        self.costs.extend(other.costs);
    }

    /// One charge.
    pub fn charge(charge: Option<Charge>) -> FeeChanges {
        FeeChanges {
            charges: charge.into_iter().collect(),
            ..FeeChanges::default()
        }
    }
}
