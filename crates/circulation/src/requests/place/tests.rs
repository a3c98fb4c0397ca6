use serde_json::{Value, json};
use uuid::{Uuid, uuid};

use super::*;
use crate::{
    blocks::{BlockKind, Granted, ManualBlock},
    records::{ProxyRelationship, QueuedRequest},
    requests::{Copy, FoundRequester},
    testing::{
        BRANCH, CIRCULATE, DESK, INSTANCE, ITEM, NOBODY, OTHER_READER, READER, REQUESTS, STACKS,
        instance, item, now, patron, records, request, with, with_titles,
    },
};

const LOAN: Uuid = uuid!("00000000-0000-4000-8000-0000000000c1");

/// A context, a configuration and a body that make a hold of an item that is out; tests change parts of them.
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
            item: Some(parsed(with(
                item(),
                json!({"status": {"name": "Checked out"}}),
            ))),
            item_title: Some(INSTANCE),
            title: Some(parsed(instance())),
            loan: Some(loan(OTHER_READER, ITEM)),
            borrower: Some(parsed(patron(OTHER_READER))),
            requester: Some(FoundRequester {
                patron: parsed(patron(READER)),
                ..FoundRequester::default()
            }),
            ..RequestContext::default()
        };
        let body = json!({"requestLevel": "Item", "requestType": "Hold", "requestDate": "2026-06-01T09:00:00Z",
            "instanceId": INSTANCE, "itemId": ITEM, "holdingsRecordId": NOBODY, "requesterId": READER,
            "fulfillmentPreference": "Hold Shelf", "pickupServicePointId": DESK});
        Case {
            context,
            records: records(),
            body,
            granted: Granted::default(),
        }
    }

    /// A request for the title, with these copies.
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

    fn decide(&self) -> Result<RequestChange, NotPlaced> {
        let configuration = Configuration::read(1, &self.records);
        decide(&self.context, &configuration, &self.command(), now())
    }

    fn placed(&self) -> RequestChange {
        self.decide()
            .expect("a request that nothing speaks against")
    }

    /// What is told of the refusals: message, code, and parameters.
    fn told(&self) -> Vec<String> {
        match self.decide() {
            Ok(_) => Vec::new(),
            Err(NotPlaced::RulesFailed(text)) => vec![text],
            Err(NotPlaced::Refused(refusals)) => refusals
                .iter()
                .map(|refusal| {
                    let told = refusal.told(&self.granted);
                    let keys: Vec<_> = told.parameters.iter().map(|(key, _)| *key).collect();
                    let code = told.code.unwrap_or("-");
                    format!("{} | {code} | {}", told.message, keys.join(", "))
                })
                .collect(),
        }
    }
}

#[test]
fn a_hold_is_put_at_the_end_and_changes_nothing_else() {
    let mut case = Case::hold().body(json!({"requestExpirationDate": "2026-07-01T00:00:00Z"}));
    case.context.requests = vec![parsed(request(7, OTHER_READER, 1))];
    let change = case.placed();
    let record = Value::Object(change.request);
    assert_eq!(record["position"], 2);
    assert_eq!(record["status"], "Open - Not yet filled");
    assert_eq!(
        record["requestExpirationDate"],
        "2026-07-01T23:59:59.000+00:00"
    );
    assert_eq!(record["item"]["barcode"], "i-1");
    assert_eq!(record["item"]["retrievalServicePointName"], "Desk");
    assert_eq!(record["instance"]["title"], "A title");
    assert_eq!(record["requester"]["lastName"], "Reader");
    assert_eq!(record["searchIndex"]["pickupServicePointName"], "Desk");
    assert!(change.items.is_empty() && change.moved.is_empty() && change.loan_before.is_none());
}

#[test]
fn a_page_pages_the_item_and_a_recall_recalls_the_loan() {
    let available = |context: &mut RequestContext| {
        context.item = Some(parsed(item()));
        context.loan = None;
    };
    let page = Case::hold()
        .body(json!({"requestType": "Page"}))
        .change(available);
    assert_eq!(page.placed().items[0].1, "Paged");
    let restricted = page.change(|context| {
        context.item = Some(parsed(with(
            item(),
            json!({"status": {"name": "Restricted"}}),
        )));
    });
    assert!(restricted.placed().items.is_empty());
    let recall = Case::hold().body(json!({"requestType": "Recall"})).placed();
    assert_eq!(recall.loan_before, Some(loan(OTHER_READER, ITEM)));
    let recalled = recall.loan.expect("a loan");
    assert_eq!(recalled.record["dueDateChangedByRecall"], true);
    assert_eq!(recalled.text("action"), Some("recallrequested"));
}

#[test]
fn clients_that_know_items_only_are_served() {
    let mut case = Case::hold();
    let body = case.body.as_object_mut().expect("an object");
    ["requestLevel", "instanceId", "holdingsRecordId"]
        .iter()
        .for_each(|member| drop(body.shift_remove(*member)));
    let record = Value::Object(case.placed().request);
    assert_eq!(record["requestLevel"], "Item");
    assert_eq!(record["instanceId"], json!(INSTANCE));
    assert_eq!(record["holdingsRecordId"], json!(NOBODY));
}

#[test]
fn each_refusal_of_an_item_has_its_words() {
    let no_group = |context: &mut RequestContext| {
        let found = context.requester.as_mut().expect("a requester");
        found.patron.patron_group = None;
    };
    let of_reader = |context: &mut RequestContext| context.loan = Some(loan(READER, ITEM));
    let waits = |context: &mut RequestContext| {
        context.requests = vec![parsed(request(7, READER, 1))];
    };
    let inactive = |context: &mut RequestContext| {
        let found = context.requester.as_mut().expect("a requester");
        found.patron.active = Some(false);
    };
    let closed_desk =
        json!({"servicePoints": [{"id": DESK, "name": "Desk", "pickupLocation": false}]});
    let policy = |more: Value| json!({"requestPolicies": [with(json!({"id": REQUESTS, "name": "Some"}), more)]});
    let elsewhere = json!({"requestTypes": ["Hold"], "allowedServicePoints": {"Hold": [BRANCH]}});
    for (case, expected) in [
        (
            Case::hold().body(json!({"requestLevel": "Title"})),
            vec![
                "Request level must be one of the following: \"Item\" | REQUEST_LEVEL_IS_NOT_ALLOWED | requestLevel",
            ],
        ),
        (
            Case::hold().body(json!({"fulfillmentPreference": "Mail"})),
            vec![
                "Fulfillment preference must be one of the following: Hold Shelf, Delivery | \
                FULFILLMENT_PREFERENCE_IS_NOT_ALLOWED | fulfillmentPreference",
            ],
        ),
        (
            Case::hold().body(json!({"instanceId": null})),
            vec!["Cannot create a request with no instance ID | - | instanceId"],
        ),
        (
            Case::hold().body(json!({"itemId": null})),
            vec!["Cannot create an item level request with no item ID | - | itemId"],
        ),
        (
            Case::hold().body(json!({"holdingsRecordId": null})),
            vec![
                "Cannot create a request with item ID but no holdings record ID | - | holdingsRecordId",
            ],
        ),
        (
            Case::hold().body(json!({"requestDate": null})),
            vec!["Cannot create a request with no requestDate | - | requestDate"],
        ),
        (
            Case::hold().change(|context| context.title = None),
            vec!["Instance does not exist | - | instanceId"],
        ),
        (
            Case::hold().change(|context| context.item = None),
            vec!["Item does not exist | - | itemId"],
        ),
        (
            Case::hold().body(json!({"proxyUserId": OTHER_READER})),
            vec!["proxyUserId is not valid | - | proxyUserId"],
        ),
        (
            Case::hold().body(json!({"proxyUserId": READER})),
            vec![
                "User cannot be proxy for themselves | USER_CANNOT_BE_PROXY_FOR_THEMSELVES | proxyUserId",
            ],
        ),
        (
            Case::hold().body(json!({"pickupServicePointId": null})),
            vec![
                "Hold shelf fulfillment requests require a Pickup service point | \
                HOLD_SHELF_REQUESTS_REQUIRE_PICKUP_SERVICE_POINT | id",
            ],
        ),
        (
            Case::hold().body(json!({"pickupServicePointId": LOAN})),
            vec!["Pickup service point does not exist | - | pickupServicePointId"],
        ),
        (
            Case::hold().records(closed_desk),
            vec![
                "Service point is not a pickup location | SERVICE_POINT_IS_NOT_PICKUP_LOCATION | pickupServicePointId",
            ],
        ),
        (
            Case::hold().change(|context| context.requester = None),
            vec!["A valid user and patron group are required. User is null | - | userId"],
        ),
        (
            Case::hold().change(no_group),
            vec!["A valid patron group is required. PatronGroup ID is null | - | PatronGroupId"],
        ),
        (
            Case::hold().change(inactive),
            vec!["Inactive users cannot make requests | - | requesterId, itemId"],
        ),
        (
            Case::hold().change(waits),
            vec![
                "This requester already has an open request for this item | ITEM_ALREADY_REQUESTED | \
                requesterId, itemId, requestId",
            ],
        ),
        (
            Case::hold().body(json!({"requestType": "Page"})),
            vec![
                "Page requests are not allowed for this patron and item combination | \
                REQUEST_NOT_ALLOWED_FOR_PATRON_ITEM_COMBINATION | requestType",
            ],
        ),
        (
            Case::hold().change(of_reader),
            vec![
                "This requester already has this item on loan | REQUESTER_ALREADY_HAS_THIS_ITEM_ON_LOAN | \
                itemId, userId, loanId",
            ],
        ),
        (
            Case::hold().records(policy(json!({"requestTypes": ["Page"]}))),
            vec![
                "Hold requests are not allowed for this patron and item combination | \
                REQUEST_NOT_ALLOWED_FOR_PATRON_ITEM_COMBINATION | requestType",
            ],
        ),
        (
            Case::hold().records(policy(elsewhere)),
            vec![
                "One or more Pickup locations are no longer available | \
                REQUEST_PICKUP_SERVICE_POINT_IS_NOT_ALLOWED | pickupServicePointId, requestType, requestPolicyId",
            ],
        ),
    ] {
        assert_eq!(case.told(), expected);
    }
}

#[test]
fn refusals_are_told_together_in_their_order() {
    let case = Case::hold()
        .body(json!({"proxyUserId": READER, "pickupServicePointId": LOAN, "requestType": "Page"}))
        .change(|context| {
            context.loan = Some(loan(READER, ITEM));
            context.requests = vec![parsed(request(7, READER, 1))];
            let found = context.requester.as_mut().expect("a requester");
            found.patron.active = Some(false);
        });
    let told = case.told();
    let messages: Vec<_> = told
        .iter()
        .filter_map(|told| told.split(" | ").next())
        .collect();
    assert_eq!(
        messages,
        [
            "User cannot be proxy for themselves",
            "Pickup service point does not exist",
            "Inactive users cannot make requests",
            "This requester already has an open request for this item",
            "Page requests are not allowed for this patron and item combination",
            "This requester already has this item on loan",
        ]
    );
}

#[test]
fn a_request_that_is_over_already_has_no_place() {
    let closed = Case::hold().body(json!({"status": "Closed - Filled", "position": 1}));
    assert_eq!(closed.placed().request.get("position"), None);
}

#[test]
fn an_active_proxy_may_ask() {
    let case = Case::hold()
        .body(json!({"proxyUserId": OTHER_READER}))
        .change(|context| {
            context.proxy = Some(parsed(patron(OTHER_READER)));
            context.proxy_relationships = vec![ProxyRelationship {
                status: Some("Active".to_owned()),
                expiration_date: None,
            }];
        });
    assert_eq!(case.placed().request["proxy"]["lastName"], "Reader");
}

#[test]
fn blocks_stop_requests_unless_staff_override_them() {
    let blocked = || {
        Case::hold().change(|context| {
            let found = context.requester.as_mut().expect("a requester");
            found.manual_blocks = vec![ManualBlock {
                desc: "Owes a book".to_owned(),
                requests: true,
                ..ManualBlock::default()
            }];
        })
    };
    let manual = "Patron blocked from requesting | USER_IS_BLOCKED_MANUALLY | reason";
    assert_eq!(blocked().told(), [manual]);
    let overriding = || {
        blocked()
            .body(json!({"requestProcessingParameters": {"overrideBlocks": {"patronBlock": {}}}}))
    };
    let insufficient = "Insufficient override permissions | INSUFFICIENT_OVERRIDE_PERMISSIONS | ";
    assert_eq!(overriding().told(), [insufficient]);
    let mut allowed = overriding();
    allowed.granted = Granted(vec![BlockKind::Patron]);
    assert!(allowed.told().is_empty());
    let borrowing_only = blocked().change(|context| {
        let found = context.requester.as_mut().expect("a requester");
        found.manual_blocks[0].requests = false;
        found.manual_blocks[0].borrowing = true;
    });
    assert!(borrowing_only.told().is_empty());
}

#[test]
fn automated_blocks_have_their_own_message() {
    let condition = json!([{"id": crate::testing::CHARGED_OUT, "name": "Maximum", "blockBorrowing": true,
        "blockRequests": true, "message": "Too many items"}]);
    let with_loans = |loans| {
        Case::hold()
            .records(json!({"blockConditions": condition}))
            .change(move |context| {
                let found = context.requester.as_mut().expect("a requester");
                found.standing.open_loans = loans;
            })
    };
    assert!(
        with_loans(5).told().is_empty(),
        "at the limit only borrowing stops"
    );
    assert_eq!(
        with_loans(6).told(),
        ["Too many items | USER_IS_BLOCKED_AUTOMATICALLY | "]
    );
}

#[test]
fn a_title_is_paged_from_the_nearest_shelf() {
    let far = uuid!("00000000-0000-4000-8000-000000000012");
    let places = json!({"locations": [
        {"id": STACKS, "name": "Stacks", "code": "st", "primaryServicePoint": DESK, "institutionId": CIRCULATE},
        {"id": far, "name": "Store", "code": "store", "primaryServicePoint": BRANCH, "libraryId": LOAN, "campusId": LOAN},
    ]});
    let mut stored = copy(1, "Available", false);
    stored.item.effective_location_id = Some(far);
    let copies = || {
        vec![
            copy(3, "Checked out", true),
            stored.clone(),
            copy(2, "Available", false),
        ]
    };
    for (point, code, expected) in [
        (DESK, Value::Null, 2),
        (BRANCH, Value::Null, 1),
        (DESK, json!("store"), 1),
    ] {
        let members = json!({"pickupServicePointId": point, "itemLocationCode": code});
        let case = Case::of_title("Page", copies())
            .records(places.clone())
            .body(members);
        let change = case.placed();
        assert_eq!(
            change.request["itemId"],
            json!(Uuid::from_u128(expected)),
            "{point} {code}"
        );
        assert_eq!(change.items[0].1, "Paged");
        assert_eq!(change.relied_on.len(), 3, "the choice stands on all copies");
    }
}

#[test]
fn a_title_is_recalled_from_who_has_it_longest_and_was_recalled_least() {
    let recall_of = |id: u128, item: u128| {
        let mut row = request(id, OTHER_READER, 1);
        row["request"]["requestType"] = "Recall".into();
        row["request"]["itemId"] = json!(Uuid::from_u128(item));
        parsed::<QueuedRequest>(row)
    };
    let mut late = copy(1, "Checked out", true);
    late.loan
        .as_mut()
        .expect("a loan")
        .set("dueDate", "2026-06-30T00:00:00Z");
    let copies = || {
        vec![
            late.clone(),
            copy(2, "Checked out", true),
            copy(3, "Missing", false),
        ]
    };
    let chosen = |requests: Vec<QueuedRequest>| {
        let case = Case::of_title("Recall", copies()).change(|context| context.requests = requests);
        case.placed().request["itemId"].clone()
    };
    let item = |id: u128| json!(Uuid::from_u128(id));
    assert_eq!(chosen(Vec::new()), item(2), "the one due first");
    assert_eq!(
        chosen(vec![recall_of(8, 2)]),
        item(1),
        "the one nobody recalled"
    );
    assert_eq!(
        chosen(vec![recall_of(8, 2), recall_of(9, 1)]),
        item(2),
        "recalled once each"
    );
    assert_eq!(
        chosen(vec![recall_of(7, 2), recall_of(8, 2), recall_of(9, 1)]),
        item(1),
        "recalled less often"
    );
}

#[test]
fn each_refusal_of_a_title_has_its_words() {
    let lent = || vec![copy(1, "Checked out", true)];
    let shelved = || vec![copy(1, "Available", false)];
    let follow = json!({"circulationSettings": [{"name": "generalTlr", "value":
        {"titleLevelRequestsFeatureEnabled": true, "tlrHoldShouldFollowCirculationRules": true}}]});
    let pages_only =
        json!({"requestPolicies": [{"id": REQUESTS, "name": "Some", "requestTypes": ["Page"]}]});
    let waits = |level: &str| {
        let mut row = request(7, READER, 1);
        row["request"]["requestLevel"] = level.into();
        move |context: &mut RequestContext| context.requests = vec![parsed(row)]
    };
    let found = "Hold/Recall title level request not allowed: pageable available item found for instance | \
        HOLD_AND_RECALL_TLR_NOT_ALLOWED_PAGEABLE_AVAILABLE_ITEM_FOUND | itemId, instanceId";
    for (case, expected) in [
        (Case::of_title("Hold", lent()), vec![]),
        (Case::of_title("Hold", Vec::new()), vec![]),
        (
            Case::of_title("Page", lent())
                .body(json!({"itemId": ITEM, "holdingsRecordId": NOBODY})),
            vec![
                "Cannot create page TLR for this instance ID - no pageable available items found | - | instanceId",
            ],
        ),
        (
            Case::of_title("Page", shelved())
                .body(json!({"itemId": ITEM, "holdingsRecordId": NOBODY})),
            vec![
                "Cannot create a title level page request for this instance ID with no item ID | \
                 CANNOT_CREATE_PAGE_TLR_WITHOUT_ITEM_ID | itemId, holdingsRecordId",
            ],
        ),
        (
            Case::of_title("Page", lent()).change(waits("Title")),
            vec![
                "Cannot create page TLR for this instance ID - no pageable available items found | - | instanceId",
            ],
        ),
        (Case::of_title("Hold", shelved()), vec![found]),
        (
            Case::of_title("Recall", vec![copy(1, "Missing", false)]),
            vec!["Request has no loan or recallable item | - | loan"],
        ),
        (
            Case::of_title("Hold", lent())
                .records(follow)
                .records(pages_only),
            vec![
                "Hold requests are not allowed for this patron and title combination | \
                REQUEST_NOT_ALLOWED_FOR_PATRON_TITLE_COMBINATION | requesterId, instanceId",
            ],
        ),
        (
            Case::of_title("Hold", lent()).change(waits("Title")),
            vec![
                "This requester already has an open request for this instance | INSTANCE_ALREADY_REQUESTED | \
                requesterId, instanceId",
            ],
        ),
        (
            Case::of_title("Hold", lent()).change(waits("Item")),
            vec![
                "This requester already has an open request for one of the instance's items | \
                ITEM_OF_THIS_INSTANCE_ALREADY_REQUESTED | requesterId, instanceId",
            ],
        ),
        (
            Case::of_title("Hold", lent())
                .change(|context| context.own_loan = Some(loan(READER, ITEM))),
            vec![
                "This requester already has a loan for one of the instance's items | \
                REQUESTER_ALREADY_HAS_LOAN_FOR_ONE_OF_INSTANCES_ITEMS | itemId, userId",
            ],
        ),
    ] {
        assert_eq!(case.told(), expected, "{}", case.body);
    }
}

#[test]
fn bodies_that_cannot_be_read() {
    let read = |body: Value| PlaceCommand::read(body, Granted::default()).err();
    assert_eq!(read(json!([])), Some(Unreadable::NotAnObject));
    assert_eq!(read(json!({"itemId": "i"})), Some(Unreadable::Id("itemId")));
    assert_eq!(read(json!({"status": "Open"})), Some(Unreadable::Status));
    assert_eq!(read(json!({"status": "Closed - Filled"})), None);
    assert!(Unreadable::status_text().starts_with(
        "Request status must be one of the following: \"Open - Not yet filled\", \"Open - Awaiting pickup\", "
    ));
}
