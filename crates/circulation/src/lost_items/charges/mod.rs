//! Fees for lost items, and their refund when the item is found (docs/folio/lost-items.md#what-a-lost-item-costs).

use jiff::Timestamp;
use rust_decimal::Decimal;
use serde_json::{Map, Value, json};
use uuid::Uuid;
use vocabulary::{ActualCostStatus, PaymentStatus};

use crate::{
    configuration::{Configuration, FeeOwner},
    dates::{parse_date_time, stored},
    fees::{
        account::Account,
        action::{self, Subject},
        changes::{Cause, Charge, FeeChanges, FeeKind, FeeSubject, object},
        lost_item::{ChargedAccount, LostFees},
        money,
        request::{Action, ActionRequest},
    },
    policies::lost_item::{Loss, LostItemPolicy},
    records::{Instance, ItemStatus, Loan},
};

/// Maximum seconds between fees that belong to the same loss.
const CHARGED_TOGETHER: i64 = 60;

/// Why fees are refunded.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Comeback {
    /// The item was checked in.
    Returned,
    /// The loan was renewed.
    Renewed,
    /// An aged to lost item was declared lost, which charges new fees.
    DeclaredLost,
}

impl Comeback {
    fn cancellation(self) -> PaymentStatus {
        match self {
            Comeback::Returned => PaymentStatus::CancelledItemReturned,
            Comeback::Renewed => PaymentStatus::CancelledItemRenewed,
            Comeback::DeclaredLost => PaymentStatus::CancelledItemDeclaredLost,
        }
    }

    fn told(self) -> &'static str {
        match self {
            Comeback::Returned => "Lost item was returned",
            Comeback::Renewed => "Lost item was renewed",
            Comeback::DeclaredLost => "Aged to lost item was declared lost",
        }
    }
}

/// The loan's lost item policy; if there is none, a policy that charges nothing.
pub(crate) fn policy_of(loan: &Loan, configuration: &Configuration) -> LostItemPolicy {
    let id = loan.lost_item_policy_id();
    let policy = id.and_then(|id| configuration.lost_item_policies.get(&id));
    policy.cloned().unwrap_or_default()
}

/// A lost item and the fee owner that charges for it.
#[derive(Debug, Clone, Copy)]
pub struct LostItem<'c> {
    /// How the item was lost.
    pub loss: Loss,
    /// Start of the period for determining the actual cost: when staff declared the item lost, or when it aged to lost.
    pub since: Timestamp,
    /// The loan the fees belong to.
    pub subject: FeeSubject<'c>,
    /// ID of the item's permanent location, otherwise that of its holdings.
    pub permanent_location: Option<Uuid>,
    /// Fee owner for that location.
    pub owner: &'c FeeOwner,
}

/// The charges for a lost item: a set cost or an actual cost record, and the processing fee. If there are none, the
/// loan closes at once.
pub fn charge(lost: LostItem<'_>, cause: &Cause, (configuration, now): (&Configuration, Timestamp)) -> FeeChanges {
    let LostItem { loss, subject, owner, .. } = lost;
    let policy = policy_of(subject.loan, configuration);
    let at = (configuration, now);
    let charge = |kind, amount: Option<Decimal>| {
        amount.map(|amount| Charge::new(kind, money::charged(amount), owner, subject, cause, at))
    };
    let charges = [
        charge(FeeKind::LostItem, policy.set_cost()),
        charge(FeeKind::LostItemProcessing, policy.processing_fee(loss)),
    ];
    let cost = policy.has_actual_cost().then(|| {
        let until = policy.cost_known_until(lost.since);
        cost_record(lost, until, configuration)
    });
    FeeChanges {
        charges: charges.into_iter().flatten().collect(),
        new_costs: cost.into_iter().collect(),
        ..FeeChanges::default()
    }
}

/// A record for staff to determine the actual cost.
fn cost_record(lost: LostItem<'_>, until: Option<Timestamp>, configuration: &Configuration) -> Map<String, Value> {
    let (subject, owner) = (lost.subject, lost.owner);
    let (type_id, type_name) = FeeKind::LostItemActualCost.named();
    let loss = match lost.loss {
        Loss::Declared => ItemStatus::DeclaredLost,
        Loss::Aged => ItemStatus::AgedToLost,
    };
    object(json!({
        "status": ActualCostStatus::Open, "lossType": loss, "lossDate": stored(lost.since).to_string(),
        "expirationDate": until.map(|until| stored(until).to_string()),
        "user": cost_user(subject, configuration),
        "loan": {"id": subject.loan.id()},
        "item": cost_item(lost, configuration),
        "instance": cost_instance(subject.instance, configuration),
        "feeFine": {"ownerId": owner.id, "owner": owner.owner, "typeId": type_id, "type": type_name},
    }))
}

fn cost_user(subject: FeeSubject<'_>, configuration: &Configuration) -> Map<String, Value> {
    let Some(user) = subject.borrower else {
        return object(json!({"id": subject.loan.user_id()}));
    };
    let group = user.patron_group.and_then(|id| configuration.patron_groups.get(&id));
    object(json!({
        "id": user.id, "barcode": user.barcode, "firstName": user.personal.first_name,
        "lastName": user.personal.last_name, "middleName": user.personal.middle_name,
        "patronGroupId": user.patron_group, "patronGroup": group.map(|group| &group.group),
    }))
}

fn cost_instance(instance: &Instance, configuration: &Configuration) -> Value {
    let identifiers = instance.identifiers.iter().map(|identifier| {
        let kind = identifier.identifier_type_id;
        let name = kind.and_then(|id| configuration.identifier_types.get(&id));
        json!({"identifierTypeId": kind, "identifierType": name.map_or("", String::as_str),
            "value": identifier.value})
    });
    let contributors = instance.contributors.iter();
    let contributors = contributors.map(|contributor| json!({"name": contributor.name}));
    json!({
        "id": instance.id, "title": instance.title,
        "identifiers": identifiers.collect::<Value>(), "contributors": contributors.collect::<Value>(),
    })
}

fn cost_item(lost: LostItem<'_>, configuration: &Configuration) -> Map<String, Value> {
    let item = lost.subject.item;
    let home = configuration.location(lost.permanent_location);
    let location = configuration.location(item.effective_location_id);
    let loan_type = item.loan_type_id();
    let loan_type_name = loan_type.and_then(|id| configuration.loan_types.get(&id));
    let call_number = item
        .effective_call_number_components
        .as_ref()
        .map(|parts| object(json!({"callNumber": parts.call_number, "prefix": parts.prefix, "suffix": parts.suffix})));
    object(json!({
        "id": item.id, "barcode": item.barcode, "holdingsRecordId": item.holdings_record_id,
        "materialTypeId": item.material_type_id,
        "materialType": configuration.material_type(item.material_type_id),
        "permanentLocationId": lost.permanent_location,
        "permanentLocation": home.map_or("", |location| &location.name),
        "effectiveLocationId": item.effective_location_id,
        "effectiveLocation": location.map(|location| &location.name),
        "loanTypeId": loan_type, "loanType": loan_type_name,
        "effectiveCallNumberComponents": call_number, "volume": item.volume,
        "enumeration": item.enumeration, "chronology": item.chronology,
        "displaySummary": item.display_summary, "copyNumber": item.copy_number,
    }))
}

/// Fees to refund and cancel. `loan` is the loan before the change that ends the loss.
pub fn refund(
    why: Comeback,
    fees: &LostFees,
    loan: &Loan,
    cause: &Cause,
    configuration: &Configuration,
    now: Timestamp,
) -> FeeChanges {
    let policy = policy_of(loan, configuration);
    let mut changes = FeeChanges::default();
    if !policy.refunds(loan.lost_since(), now) {
        return changes;
    }
    for charged in fees.refundable(&policy) {
        let Some((after, movements)) = charged.settled(why, cause, now) else {
            continue;
        };
        changes.accounts.push((charged.account.clone(), after));
        changes.movements.extend(movements);
    }
    if policy.has_actual_cost()
        && let Some(open) = fees.last_open_cost()
    {
        let mut cancelled = open.clone();
        cancelled.insert("status".into(), ActualCostStatus::Cancelled.name().into());
        cancelled.insert("additionalInfoForStaff".into(), why.told().into());
        changes.costs.push((open.clone(), cancelled));
    }
    changes
}

impl LostFees {
    /// The latest lost item fee and, if charged together with it, the processing fee.
    fn refundable(&self, policy: &LostItemPolicy) -> Vec<&ChargedAccount> {
        let item_fee = match policy.has_actual_cost() {
            true => FeeKind::LostItemActualCost,
            false => FeeKind::LostItem,
        };
        let mut kinds = vec![item_fee.named().1];
        if policy.returned_lost_item_processing_fee {
            kinds.push(FeeKind::LostItemProcessing.named().1);
        }
        let Some(last) = self.last_of(&kinds) else {
            return Vec::new();
        };
        kinds.retain(|kind| *kind != last.kind());
        let together = self.last_of(&kinds).filter(|other| {
            let apart = self.decided(last).zip(other.created());
            let apart = apart.map(|(first, second)| (first - second).get_seconds().abs());
            !other.is_cancelled() && apart.is_some_and(|apart| apart <= CHARGED_TOGETHER)
        });
        [Some(last), together].into_iter().flatten().collect()
    }

    fn last_of(&self, kinds: &[&str]) -> Option<&ChargedAccount> {
        let of_kind =
            self.accounts.iter().filter(|account| kinds.contains(&account.kind()) && account.created().is_some());
        of_kind.max_by_key(|account| account.created())
    }

    /// When a fee was decided: for an actual cost, when its record was created.
    fn decided(&self, charged: &ChargedAccount) -> Option<Timestamp> {
        let id = charged.account.known_id();
        let mut costs = self.costs.iter();
        let cost = costs.find(|cost| cost.get("feeFine").and_then(|f| f["accountId"].as_str()) == id);
        match cost {
            Some(cost) => created(cost),
            None => charged.created(),
        }
    }

    fn last_open_cost(&self) -> Option<&Map<String, Value>> {
        let is_open = |cost: &&Map<_, _>| cost.get("status") == Some(&ActualCostStatus::Open.name().into());
        let open = self.costs.iter().filter(is_open);
        open.max_by_key(|cost| created(cost))
    }
}

impl ChargedAccount {
    fn kind(&self) -> &str {
        self.account.fee_type().unwrap_or_default()
    }

    fn created(&self) -> Option<Timestamp> {
        self.account.created_date()
    }

    fn is_cancelled(&self) -> bool {
        self.account.payment_status().is_some_and(PaymentStatus::is_cancelled)
    }

    /// Refunds what was paid, then cancels what remains; `None` if there is nothing to do.
    fn settled(&self, why: Comeback, cause: &Cause, now: Timestamp) -> Option<(Account, Vec<Map<String, Value>>)> {
        let mut subject = Subject { account: self.account.clone(), movements: self.movements.clone() };
        let mut movements = Vec::new();
        let paid = action::refundable(&subject);
        for (action, due) in [(Action::Refund, paid > Decimal::ZERO), (Action::Cancel, true)] {
            let owed = subject.account.remaining() > Decimal::ZERO;
            if !due || (action == Action::Cancel && !owed) {
                continue;
            }
            let asked = [(subject.account.id().to_owned(), Some(subject.clone()))];
            let request = request(action, paid, why, cause);
            let decision = action::decide(action, &asked, &request, now).ok()?;
            subject.account = decision.accounts.into_iter().next()?;
            movements.extend(decision.movements);
        }
        (!movements.is_empty()).then_some((subject.account, movements))
    }
}

fn request(action: Action, paid: Decimal, why: Comeback, cause: &Cause) -> ActionRequest {
    let refund = action == Action::Refund;
    ActionRequest {
        amount: refund.then(|| money::printed(paid)),
        notify: Some(true),
        service_point: cause.service_point.map(|id| id.to_string()),
        user_name: cause.source.clone(),
        payment_method: refund.then(|| "Lost item found".to_owned()),
        cancellation_reason: (!refund).then(|| why.cancellation().name().to_owned()),
        ..ActionRequest::default()
    }
}

fn created(record: &Map<String, Value>) -> Option<Timestamp> {
    let metadata = record.get("metadata")?;
    metadata["createdDate"].as_str().and_then(parse_date_time)
}

#[cfg(test)]
mod tests;
