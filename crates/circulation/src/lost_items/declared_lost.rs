//! Items declared lost by staff, or marked missing after a claim that they were returned (docs/folio/lost-items.md).

use jiff::Timestamp;
use refusals::{Refusal, Refused};
use uuid::Uuid;

use crate::{
    configuration::{Configuration, FeeOwner},
    dates::parse_date_time,
    fees::changes::{Cause, FeeChanges, FeeSubject},
    loans::change::{
        LoanContext, found_item, is_open,
        refusal::{CLOSED, NO_SUCH_LOAN},
    },
    lost_items::{
        charges::{self, Comeback, LostItem},
        refusal::{
            ALREADY_DECLARED_LOST, NO_COMMENT, NO_DECLARED_DATE, NO_FEE_OWNER, NO_GENERAL_NOTE_TYPE, NO_SERVICE_POINT,
            NOT_CLAIMED_RETURNED,
        },
    },
    policies::lost_item::Loss,
    records::{ItemStatus, Loan, LoanAction, LoanStatus},
};

/// Changes to the loan of a lost or missing item.
#[derive(Debug, Clone, PartialEq)]
pub struct LostChange {
    /// The new versions of the loan, in order; loan history keeps each one.
    pub versions: Vec<Loan>,
    /// The item's new status.
    pub item_status: ItemStatus,
    /// Note to add to the borrower's record.
    pub note: Option<&'static str>,
    /// Fee changes: refunds for an aged to lost item, then new charges (docs/folio/lost-items.md#giving-fees-back).
    pub fees: FeeChanges,
}

/// A declaration by staff that an item is lost.
#[derive(Debug, Clone, Copy, Default)]
pub struct Declaration<'a> {
    /// Service point ID, as sent by the client.
    pub service_point: Option<&'a str>,
    /// Date of the loss as sent by the client; absent means now.
    pub declared: Option<&'a str>,
    /// Comment by staff.
    pub comment: Option<&'a str>,
}

/// Decides on declaring an item lost. The loan closes if its policy charges nothing.
pub fn declare_lost(
    context: &LoanContext,
    configuration: &Configuration,
    declaration: Declaration<'_>,
    now: Timestamp,
) -> Result<LostChange, Refused> {
    let service_point = declaration.service_point;
    if service_point.is_none_or(|point| point.trim().is_empty()) {
        return Err(NO_SERVICE_POINT.with("servicePointId", service_point).into());
    }
    let declared = declared_at(declaration.declared, now)?;
    let mut loan = open_loan(context)?;
    let item = found_item(context, &loan)?;
    if item.is(ItemStatus::DeclaredLost) {
        return Err(ALREADY_DECLARED_LOST.with("itemId", item.id).into());
    }
    let policy = loan.lost_item_policy_id();
    let policy = policy.and_then(|id| configuration.lost_item_policies.get(&id));
    let charges_fees = policy.is_some_and(|policy| policy.charges_anything(Loss::Declared));
    let owner = match charges_fees {
        true => Some(fee_owner(context, configuration)?),
        false => None,
    };
    let note = item.is(ItemStatus::ClaimedReturned).then_some("Claimed returned item marked declared lost");
    refuse_without_note_type(context, note)?;
    loan.set_action(LoanAction::DeclaredLost);
    loan.set_action_comment(declaration.comment.unwrap_or_default());
    loan.set_item_status(ItemStatus::DeclaredLost);
    loan.set_declared_lost_date(declared);
    let fees = fees(&loan, context, configuration, declaration, owner, now);
    let mut change = LostChange { versions: vec![loan.clone()], item_status: ItemStatus::DeclaredLost, note, fees };
    if !charges_fees {
        change.versions.push(closed_as_paid(loan, now));
        change.item_status = ItemStatus::LostAndPaid;
    }
    Ok(change)
}

/// Decides on marking a claimed returned item missing.
pub fn mark_missing(context: &LoanContext, comment: Option<&str>) -> Result<LostChange, Refused> {
    let comment = comment.ok_or(NO_COMMENT)?;
    let mut loan = open_loan(context)?;
    let item = found_item(context, &loan)?;
    if !item.is(ItemStatus::ClaimedReturned) {
        return Err(NOT_CLAIMED_RETURNED.with("itemId", item.id).into());
    }
    let note = Some("Claimed returned item marked missing");
    refuse_without_note_type(context, note)?;
    loan.set_status(LoanStatus::Closed);
    loan.set_action(LoanAction::MarkedMissing);
    loan.set_action_comment(comment);
    loan.set_item_status(ItemStatus::Missing);
    Ok(LostChange { versions: vec![loan], item_status: ItemStatus::Missing, note, fees: FeeChanges::default() })
}

/// Closes the loan of a lost item that has nothing left to pay.
pub(crate) fn closed_as_paid(mut loan: Loan, now: Timestamp) -> Loan {
    loan.set_status(LoanStatus::Closed);
    loan.set_action(LoanAction::ClosedLoan);
    loan.set_action_comment(None);
    loan.set_return_date(now);
    loan.set_item_status(ItemStatus::LostAndPaid);
    loan
}

fn declared_at(text: Option<&str>, now: Timestamp) -> Result<Timestamp, Refusal> {
    match text.filter(|text| !text.trim().is_empty()) {
        None => Ok(now),
        Some(text) => parse_date_time(text).ok_or_else(|| NO_DECLARED_DATE.with("declaredLostDateTime", text)),
    }
}

fn open_loan(context: &LoanContext) -> Result<Loan, Refusal> {
    let loan = context.existing.clone().ok_or(NO_SUCH_LOAN)?;
    match is_open(&loan)? {
        true => Ok(loan),
        false => Err(CLOSED.with("loanId", loan.id())),
    }
}

/// The owner for lost item fees: the one that serves the primary service point of the item's permanent location.
fn fee_owner<'c>(context: &LoanContext, configuration: &'c Configuration) -> Result<&'c FeeOwner, Refusal> {
    let owner = configuration.fee_owner_at(context.permanent_location);
    owner.ok_or_else(|| NO_FEE_OWNER.with("locationId", context.permanent_location))
}

/// Refunds earlier lost item fees of the loan, however its item was lost, before charging new ones; the time in which fees are
/// refunded begins again with the declaration (mod-circulation's `LostItemFeeChargingService`). The period for determining the
/// actual cost starts now, whatever date staff enter.
fn fees(
    declared: &Loan,
    context: &LoanContext,
    configuration: &Configuration,
    declaration: Declaration<'_>,
    owner: Option<&FeeOwner>,
    now: Timestamp,
) -> FeeChanges {
    let Some(item) = &context.item else {
        return FeeChanges::default();
    };
    let service_point = declaration.service_point;
    let service_point = service_point.and_then(|id| Uuid::try_parse(id).ok());
    let cause = Cause::at(context.operator.as_ref(), service_point);
    let why = Comeback::DeclaredLost;
    let mut changes = charges::refund(why, &context.lost_fees, declared, &cause, configuration, now);
    if let Some(owner) = owner {
        let subject =
            FeeSubject { loan: declared, item, instance: &context.instance, borrower: context.patron.as_ref() };
        let lost = LostItem {
            loss: Loss::Declared,
            since: now,
            subject,
            permanent_location: context.permanent_location,
            owner,
        };
        changes.add(charges::charge(lost, &cause, (configuration, now)));
    }
    changes
}

fn refuse_without_note_type(context: &LoanContext, note: Option<&str>) -> Result<(), Refusal> {
    match note.is_some() && context.general_note_type.is_none() {
        true => Err(NO_GENERAL_NOTE_TYPE.into()),
        false => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};
    use uuid::Uuid;

    use super::*;
    use crate::testing::*;

    const OWNER: Uuid = Uuid::from_u128(0xf1);

    fn context(status: &str, members: Value) -> LoanContext {
        let out = with(item(), json!({"status": {"name": status}}));
        let loan = json!({"id": Uuid::from_u128(7), "userId": READER, "itemId": ITEM, "action": "checkedout",
            "status": {"name": "Open"}, "lostItemPolicyId": LOST, "itemStatus": status, "dueDate": "x"});
        LoanContext {
            existing: with(loan, members).as_object().cloned().map(Loan::new),
            item: serde_json::from_value(out).expect("an item"),
            permanent_location: Some(STACKS),
            general_note_type: Some(NOBODY),
            ..LoanContext::default()
        }
    }

    fn library(policy: Value, owners: Value) -> Configuration {
        let policy = with(json!({"id": LOST, "name": "Lost"}), policy);
        let more = json!({"lostItemPolicies": [policy], "feeOwners": owners});
        Configuration::read(1, &with(records(), more))
    }

    fn charging() -> Value {
        json!({"chargeAmountItem": {"chargeType": "anotherCost", "amount": 10.0}})
    }

    fn owners() -> Value {
        json!([{"id": OWNER, "owner": "Desk", "servicePointOwner": [{"value": DESK, "label": "Desk"}]}])
    }

    fn declaration() -> Declaration<'static> {
        Declaration {
            service_point: Some("00000000-0000-4000-8000-000000000001"),
            declared: Some("2026-05-30T10:00:00Z"),
            comment: Some("gone"),
        }
    }

    fn refused(result: Result<LostChange, Refused>) -> (String, Vec<(String, Option<String>)>) {
        let entry = result.expect_err("a refusal").entries().remove(0);
        (entry.message, entry.parameters)
    }

    #[test]
    fn a_lost_item_that_costs_something_stays_on_an_open_loan() {
        let configuration = library(charging(), owners());
        let context = context("Checked out", json!({}));
        let change = declare_lost(&context, &configuration, declaration(), now()).expect("a change");
        assert!(change.note.is_none());
        assert_eq!(change.fees.charges.len(), 1);
        assert_eq!(change.item_status.name(), "Declared lost");
        let [loan] = &change.versions[..] else { panic!("{change:?}") };
        for (member, value) in [
            ("action", json!("declaredLost")),
            ("actionComment", json!("gone")),
            ("itemStatus", json!("Declared lost")),
            ("declaredLostDate", json!("2026-05-30T10:00:00.000+00:00")),
            ("status", json!({"name": "Open"})),
        ] {
            assert_eq!(loan.record()[member], value, "{member}");
        }
    }

    #[test]
    fn a_lost_item_that_costs_nothing_closes_the_loan() {
        let configuration = library(json!({}), json!([]));
        let context = context("Aged to lost", json!({}));
        let change = declare_lost(&context, &configuration, declaration(), now()).expect("a change");
        assert!(change.fees.is_empty());
        assert_eq!(change.item_status.name(), "Lost and paid");
        let actions: Vec<_> = change.versions.iter().map(|loan| loan.record()["action"].as_str()).collect();
        assert_eq!(actions, [Some("declaredLost"), Some("closedLoan")]);
        let closed = &change.versions[1];
        assert_eq!(closed.record()["status"], json!({"name": "Closed"}));
        assert_eq!(closed.record()["returnDate"], "2026-06-01T10:00:00.000Z");
        assert_eq!(closed.action_comment(), None);
    }

    #[test]
    fn a_declaration_is_refused() {
        let charged = library(charging(), json!([]));
        let open = || context("Checked out", json!({}));
        let (item, loan) = (ITEM.to_string(), Uuid::from_u128(7).to_string());
        let nowhere = Declaration { service_point: None, ..declaration() };
        let someday = Declaration { declared: Some("someday"), ..declaration() };
        let closed = context("Checked out", json!({"status": {"name": "Closed"}}));
        let mut no_type = context("Claimed returned", json!({}));
        no_type.general_note_type = None;
        for (context, declaration, message, key, value) in [
            (open(), nowhere, "A service point is required for item to be declared lost", "servicePointId", None),
            (
                open(),
                someday,
                "Text 'someday' could not be parsed at index 0",
                "declaredLostDateTime",
                Some("someday".to_owned()),
            ),
            (closed, declaration(), "Loan is closed", "loanId", Some(loan)),
            (
                context("Declared lost", json!({})),
                declaration(),
                "The item is already declared lost",
                "itemId",
                Some(item),
            ),
            (
                open(),
                declaration(),
                "No fee/fine owner found for item's permanent location",
                "locationId",
                Some(STACKS.to_string()),
            ),
        ] {
            let result = declare_lost(&context, &charged, declaration, now());
            assert_eq!(refused(result), (message.to_owned(), vec![(key.to_owned(), value)]));
        }
        let result = declare_lost(&no_type, &library(json!({}), json!([])), declaration(), now());
        assert_eq!(refused(result).0, "No General note type found");
    }

    #[test]
    fn a_claim_that_is_not_believed_is_noted() {
        let configuration = library(json!({}), json!([]));
        let claimed = context("Claimed returned", json!({}));
        let change = declare_lost(&claimed, &configuration, declaration(), now()).expect("a change");
        assert_eq!(change.note, Some("Claimed returned item marked declared lost"));
        let missing = mark_missing(&claimed, Some("not found")).expect("a change");
        assert_eq!(missing.note, Some("Claimed returned item marked missing"));
        assert_eq!(missing.item_status.name(), "Missing");
        let loan = &missing.versions[0];
        for (member, value) in [
            ("action", json!("markedMissing")),
            ("actionComment", json!("not found")),
            ("status", json!({"name": "Closed"})),
            ("itemStatus", json!("Missing")),
        ] {
            assert_eq!(loan.record()[member], value, "{member}");
        }
    }

    #[test]
    fn only_a_claimed_item_goes_missing() {
        let out = context("Checked out", json!({}));
        let item = Some(ITEM.to_string());
        assert_eq!(
            refused(mark_missing(&out, Some("x"))),
            ("Item is not Claimed returned".to_owned(), vec![("itemId".to_owned(), item)])
        );
        assert_eq!(
            refused(mark_missing(&out, None)),
            ("Comment is a required field".to_owned(), vec![("comment".to_owned(), None)])
        );
    }
}
