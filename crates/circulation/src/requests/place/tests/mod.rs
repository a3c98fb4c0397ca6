//! Placing requests: item level, title level and overrides.

mod item;
mod overriding;
mod title;

use serde_json::{Value, json};
use uuid::{Uuid, uuid};

use super::*;
use crate::{
    blocks::{BlockKind, Granted, ManualBlock},
    records::{ProxyRelationship, QueuedRequest},
    refusal::{NOT_AN_OBJECT, RULES_NOT_APPLICABLE, not_an_id},
    requests::{Copy, FoundRequester},
    testing::{
        BRANCH, CIRCULATE, DESK, INSTANCE, ITEM, NOBODY, OTHER_READER, READER, REQUESTS, STACKS, instance, item, now,
        patron, records, request, with, with_titles,
    },
};

const LOAN: Uuid = uuid!("00000000-0000-4000-8000-0000000000c1");

/// A context, configuration and body that place a hold on a checked out item; tests change parts of them.
struct Case {
    context: RequestContext,
    records: Value,
    body: Value,
    granted: Granted,
}

fn parsed<T: serde::de::DeserializeOwned>(value: Value) -> T {
    serde_json::from_value(value).expect("a record")
}

fn loan(user: Uuid, item: Uuid) -> Loan {
    let loan = json!({"id": LOAN, "userId": user, "itemId": item, "status": {"name": "Open"},
        "loanDate": "2026-05-20T10:00:00Z", "dueDate": "2026-06-20T23:59:59.000+00:00", "action": "checkedout"});
    Loan::new(parsed(loan))
}

fn copy(id: u128, status: &str, lent: bool) -> Copy {
    let id = Uuid::from_u128(id);
    Copy {
        item: parsed(with(item(), json!({"id": id, "status": {"name": status}}))),
        loan: lent.then(|| loan(OTHER_READER, id)),
        borrower: lent.then(|| parsed(patron(OTHER_READER))),
    }
}

impl Case {
    fn hold() -> Case {
        let context = RequestContext {
            item: Some(parsed(with(item(), json!({"status": {"name": "Checked out"}})))),
            item_title: Some(INSTANCE),
            title: Some(parsed(instance())),
            loan: Some(loan(OTHER_READER, ITEM)),
            borrower: Some(parsed(patron(OTHER_READER))),
            requester: Some(FoundRequester { patron: parsed(patron(READER)), ..FoundRequester::default() }),
            ..RequestContext::default()
        };
        let body = json!({"requestLevel": "Item", "requestType": "Hold", "requestDate": "2026-06-01T09:00:00Z",
            "instanceId": INSTANCE, "itemId": ITEM, "holdingsRecordId": NOBODY, "requesterId": READER,
            "fulfillmentPreference": "Hold Shelf", "pickupServicePointId": DESK});
        Case { context, records: records(), body, granted: Granted::default() }
    }

    /// A title-level request with these copies.
    fn of_title(kind: &str, copies: Vec<Copy>) -> Case {
        let mut case = Case::hold().body(json!({"requestLevel": "Title", "requestType": kind}));
        let body = case.body.as_object_mut().expect("an object");
        body.shift_remove("itemId");
        body.shift_remove("holdingsRecordId");
        case.records = with_titles(case.records, true);
        case.context.item = None;
        case.context.loan = None;
        case.context.copies = copies;
        case
    }

    fn body(mut self, members: Value) -> Case {
        self.body = with(self.body, members);
        self
    }

    fn change(mut self, change: impl FnOnce(&mut RequestContext)) -> Case {
        change(&mut self.context);
        self
    }

    fn records(mut self, members: Value) -> Case {
        self.records = with(self.records, members);
        self
    }

    fn command(&self) -> PlaceCommand {
        PlaceCommand::read(self.body.clone(), self.granted.clone()).expect("a request")
    }

    fn decide(&self) -> Result<RequestChange, Refused> {
        let configuration = Configuration::read(1, &self.records);
        decide(&self.context, &configuration, &self.command(), now())
    }

    fn placed(&self) -> RequestChange {
        self.decide().expect("a request that nothing speaks against")
    }

    /// The refusals as text: message, code and parameters.
    fn told(&self) -> Vec<String> {
        match self.decide() {
            Ok(_) => Vec::new(),
            Err(Refused(refusals)) if refusals[0].is(RULES_NOT_APPLICABLE) => {
                vec![refusals[0].message()]
            }
            Err(refused) => refused
                .entries()
                .iter()
                .map(|entry| {
                    let keys: Vec<_> = entry.parameters.iter().map(|(key, _)| key.as_str()).collect();
                    let code = entry.code.as_deref().unwrap_or("-");
                    format!("{} | {code} | {}", entry.message, keys.join(", "))
                })
                .collect(),
        }
    }
}
