use serde_json::{Value, json};

use super::*;
use crate::{
    records::{ItemStatus, Loan, QueuedRequest},
    requests::FoundRequester,
    testing::{
        DESK, INSTANCE, ITEM, NOBODY, OTHER_READER, READER, REQUESTS, item, now, patron, records, request, with,
        with_titles,
    },
};

const OTHER_ITEM: Uuid = Uuid::from_u128(0xd1);

fn parsed<T: serde::de::DeserializeOwned>(value: Value) -> T {
    serde_json::from_value(value).expect("a record")
}

/// A hold on the loaned item, first of two in its queue, to be moved to another item with this status.
fn moving(members: Value, status: &str) -> RequestContext {
    let mut row = request(1, READER, 1);
    row["request"] = with(row["request"].clone(), members);
    let destination = json!({"id": OTHER_ITEM, "status": {"name": status}});
    RequestContext {
        existing: row["request"].as_object().cloned().map(Request::new),
        item: Some(parsed(with(item(), destination))),
        item_title: Some(INSTANCE),
        source: Some(parsed(with(item(), json!({"status": {"name": "Paged"}})))),
        requester: Some(FoundRequester { patron: parsed(patron(READER)), ..FoundRequester::default() }),
        requests: vec![parsed(row), parsed(request(2, OTHER_READER, 2))],
        ..RequestContext::default()
    }
}

fn moved(context: &RequestContext, records: &Value) -> Result<RequestChange, Refused> {
    let configuration = Configuration::read(1, records);
    let command = MoveCommand { kind: None, destination: Some(OTHER_ITEM), granted: Granted::default() };
    relocate(context, &configuration, &command, now())
}

fn message(refused: Refused) -> String {
    let messages = refused.0.iter().map(|refusal| refusal.message());
    messages.collect::<Vec<_>>().join("; ")
}

#[test]
fn each_refusal_of_a_move_has_its_words() {
    let title = |kind: &str| json!({"requestLevel": "Title", "requestType": kind});
    let titles = with_titles(records(), true);
    let no_holds = json!({"requestPolicies": [{"id": REQUESTS, "name": "Some", "requestTypes": ["Page"]}]});
    let lent_to_reader = |context: &mut RequestContext| {
        let loan = json!({"id": NOBODY, "userId": READER, "itemId": OTHER_ITEM});
        context.loan = Some(Loan::new(parsed(loan)));
    };
    let waits_there = |context: &mut RequestContext| {
        let mut row = request(3, READER, 1);
        row["request"]["itemId"] = json!(OTHER_ITEM);
        context.requests.push(parsed::<QueuedRequest>(row));
    };
    type Change = Box<dyn Fn(&mut RequestContext)>;
    let nothing = || -> Change { Box::new(|_| {}) };
    let cases: Vec<(Value, &str, Value, Change, &str)> = vec![
        (
            json!({}),
            "Checked out",
            records(),
            Box::new(|c| c.existing = None),
            "requests record with ID \"null\" cannot be found",
        ),
        (
            json!({"status": "Closed - Filled"}),
            "Checked out",
            records(),
            nothing(),
            "The Request has already been closed",
        ),
        (title("Page"), "Available", records(), nothing(), "Can not process TLR - TLR feature is disabled"),
        (title("Hold"), "Checked out", titles.clone(), nothing(), "Not allowed to move from/to Hold TLR"),
        (
            with(title("Recall"), json!({"itemId": OTHER_ITEM})),
            "Checked out",
            titles,
            nothing(),
            "Not allowed to move title level page request to the same item",
        ),
        (
            json!({}),
            "Checked out",
            records(),
            Box::new(|c| c.item_title = Some(DESK)),
            "Request can only be moved to an item with the same instance ID",
        ),
        (
            json!({}),
            "Withdrawn",
            records(),
            nothing(),
            "Hold requests are not allowed for this patron and item combination",
        ),
        (
            json!({}),
            "Checked out",
            with(records(), no_holds),
            nothing(),
            "Hold requests are not allowed for this patron and item combination",
        ),
        (
            json!({}),
            "Checked out",
            records(),
            Box::new(waits_there),
            "This requester already has an open request for this item",
        ),
        (json!({}), "Checked out", records(), Box::new(lent_to_reader), "This requester already has this item on loan"),
    ];
    for (members, status, records, change, expected) in cases {
        let mut context = moving(members.clone(), status);
        change(&mut context);
        let refused = moved(&context, &records).map(|change| change.request);
        assert_eq!(refused.map_err(message), Err(expected.to_owned()), "{members}");
    }
}

#[test]
fn a_moved_request_joins_one_queue_and_leaves_the_other() {
    let change = moved(&moving(json!({}), "Available"), &records()).expect("a move");
    let record = Value::Object(change.request.into_record());
    assert_eq!((&record["requestType"], &record["position"]), (&json!("Page"), &json!(1)));
    assert_eq!(record["itemId"], json!(OTHER_ITEM));
    let statuses: Vec<_> = change.items.iter().map(|(item, status)| (item.id, *status)).collect();
    assert_eq!(statuses, [(OTHER_ITEM, ItemStatus::Paged)], "the other item is still waited for");
    let up: Vec<_> = change.moved.iter().map(|m| (m.id.as_u128(), m.position)).collect();
    assert_eq!(up, [(2, 1)]);
    let mut alone = moving(json!({}), "Checked out");
    alone.requests.truncate(1);
    let change = moved(&alone, &records()).expect("a move");
    let statuses: Vec<_> = change.items.iter().map(|(item, status)| (item.id, *status)).collect();
    assert_eq!(statuses, [(ITEM, ItemStatus::Available)]);
}
