//! That an explanation is the decision's own, and what it tells.

mod agreement;
mod limits;
mod returns;
mod telling;

use proptest::{prelude::*, sample::select};
use serde_json::{Value, json};

use super::*;
use crate::{
    blocks::{Granted, ManualBlock, Overrides},
    check_out::{FoundItem, FoundPatron},
    records::{Loan, QueuedRequest},
    renewal::{NamedBy, RenewalOverrides},
    testing::*,
    trace::Mover,
};

fn parsed<T: serde::de::DeserializeOwned>(value: Value) -> T {
    serde_json::from_value(value).expect("a record")
}

/// A library whose desk is open from 9 to 17 on weekdays of 2026, closed on Whit Monday.
fn library(policy: Value) -> Configuration {
    let usual = json!({
        "id": THREE_WEEKS, "name": "Three weeks", "loanable": true, "renewable": true,
        "renewalsPolicy": {"numberAllowed": 1, "renewFromId": "SYSTEM_DATE"},
    });
    let weekdays = ["MONDAY", "TUESDAY", "WEDNESDAY", "THURSDAY", "FRIDAY"];
    let hours = weekdays.map(|day| json!({"startDay": day, "startTime": "09:00", "endDay": day, "endTime": "17:00"}));
    let fines = json!({
        "id": FINES, "name": "Fines", "countClosed": false, "forgiveOverdueFine": false,
        "overdueFine": {"quantity": 0.25, "intervalId": "hour"}, "maxOverdueFine": 3,
        "overdueRecallFine": {"quantity": 1, "intervalId": "hour"}, "maxOverdueRecallFine": 0,
    });
    let members = json!({
        "loanPolicies": [with(usual, policy),
            {"id": TWO_DVDS, "name": "Two DVDs", "loanable": true, "renewable": false, "loansPolicy": {
                "profileId": "Rolling", "period": {"duration": 1, "intervalId": "Weeks"}, "itemLimit": 2,
                "closedLibraryDueDateManagementId": "END_OF_THE_NEXT_OPEN_DAY"}},
            {"id": READING_ROOM, "name": "Reading room", "loanable": false, "renewable": false}],
        "schedules": [{"id": SCHEDULE, "name": "Term", "schedules": [{"from": "2026-05-01T00:00:00Z",
            "to": "2026-06-30T23:59:59Z", "due": "2026-06-14T21:59:59Z"}]}],
        "calendars": [{"id": DESK, "startDate": "2026-01-01", "endDate": "2026-12-31", "assignments": [DESK],
            "normalHours": hours, "exceptions": [
                {"name": "Whit Monday", "startDate": "2026-06-22", "endDate": "2026-06-22", "openings": []}]}],
        "overdueFinePolicies": [fines],
        "feeOwners": [{"id": NOBODY, "owner": "Desk", "servicePointOwner": [{"value": DESK, "label": "Desk"}]}],
        "locale": {"timezone": "Europe/Berlin"},
    });
    Configuration::read(1, &with(records(), members))
}

const SCHEDULE: Uuid = Uuid::from_u128(0x5c);

fn rolling(duration: i64, interval: &str, strategy: &str) -> Value {
    json!({"profileId": "Rolling", "period": {"duration": duration, "intervalId": interval},
        "closedLibraryDueDateManagementId": strategy})
}

fn found(item_members: Value, patron_members: Value) -> CheckOutContext {
    CheckOutContext {
        item: Some(FoundItem {
            item: parsed(with(item(), item_members)),
            instance: parsed(instance()),
            has_open_loan: false,
        }),
        patron: Some(FoundPatron { patron: parsed(with(patron(READER), patron_members)), ..FoundPatron::default() }),
        ..CheckOutContext::default()
    }
}

fn command(loan_date: &str) -> CheckOutCommand {
    let body = json!({"itemBarcode": "i-1", "userBarcode": "p-1", "servicePointId": DESK, "loanDate": loan_date});
    CheckOutCommand::read(&body, Granted::default(), false, now()).expect("a command")
}

fn renewing() -> RenewalCommand {
    RenewalCommand {
        named_by: NamedBy::Id,
        item: ITEM.to_string(),
        user: READER.to_string(),
        service_point_id: Some(DESK),
        overrides: RenewalOverrides::default(),
        granted: Granted::default(),
    }
}

/// The loan as the desk would store it at `moment`.
fn stamped(mut loan: Loan, moment: Timestamp) -> Loan {
    loan.set_id(Uuid::from_u128(7));
    loan.stamp(json!({"updatedDate": crate::dates::stored(moment).to_string()}));
    loan
}

fn change(loan: &Loan, before: Option<&Loan>) -> DueDateChange {
    DueDateChange { loan: loan.clone(), before: before.cloned(), by: None }
}

fn out() -> Item {
    parsed(with(item(), json!({"status": {"name": "Checked out"}})))
}
