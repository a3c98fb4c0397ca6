//! Title-level requests.

use super::*;

#[test]
fn a_title_is_paged_from_the_nearest_shelf() {
    let far = uuid!("00000000-0000-4000-8000-000000000012");
    let places = json!({"locations": [
        {"id": STACKS, "name": "Stacks", "code": "st", "primaryServicePoint": DESK, "institutionId": CIRCULATE},
        {"id": far, "name": "Store", "code": "store", "primaryServicePoint": BRANCH, "libraryId": LOAN, "campusId": LOAN},
    ]});
    let mut stored = copy(1, "Available", false);
    stored.item.effective_location_id = Some(far);
    let copies = || vec![copy(3, "Checked out", true), stored.clone(), copy(2, "Available", false)];
    for (point, code, expected) in [(DESK, Value::Null, 2), (BRANCH, Value::Null, 1), (DESK, json!("store"), 1)] {
        let members = json!({"pickupServicePointId": point, "itemLocationCode": code});
        let case = Case::of_title("Page", copies()).records(places.clone()).body(members);
        let change = case.placed();
        assert_eq!(change.request.record()["itemId"], json!(Uuid::from_u128(expected)), "{point} {code}");
        assert_eq!(change.items[0].1.name(), "Paged");
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
    late.loan.as_mut().expect("a loan").set_due_date(crate::testing::at("2026-06-30T00:00:00Z"));
    let copies = || vec![late.clone(), copy(2, "Checked out", true), copy(3, "Missing", false)];
    let chosen = |requests: Vec<QueuedRequest>| {
        let case = Case::of_title("Recall", copies()).change(|context| context.requests = requests);
        case.placed().request.record()["itemId"].clone()
    };
    let item = |id: u128| json!(Uuid::from_u128(id));
    assert_eq!(chosen(Vec::new()), item(2), "the one due first");
    assert_eq!(chosen(vec![recall_of(8, 2)]), item(1), "the one nobody recalled");
    assert_eq!(chosen(vec![recall_of(8, 2), recall_of(9, 1)]), item(2), "recalled once each");
    assert_eq!(chosen(vec![recall_of(7, 2), recall_of(8, 2), recall_of(9, 1)]), item(1), "recalled less often");
}

#[test]
fn each_refusal_of_a_title_has_its_words() {
    let lent = || vec![copy(1, "Checked out", true)];
    let shelved = || vec![copy(1, "Available", false)];
    let follow = json!({"circulationSettings": [{"name": "generalTlr", "value":
        {"titleLevelRequestsFeatureEnabled": true, "tlrHoldShouldFollowCirculationRules": true}}]});
    let pages_only = json!({"requestPolicies": [{"id": REQUESTS, "name": "Some", "requestTypes": ["Page"]}]});
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
            Case::of_title("Page", lent()).body(json!({"itemId": ITEM, "holdingsRecordId": NOBODY})),
            vec!["Cannot create page TLR for this instance ID - no pageable available items found | - | instanceId"],
        ),
        (
            Case::of_title("Page", shelved()).body(json!({"itemId": ITEM, "holdingsRecordId": NOBODY})),
            vec![
                "Cannot create a title level page request for this instance ID with no item ID | \
                 CANNOT_CREATE_PAGE_TLR_WITHOUT_ITEM_ID | itemId, holdingsRecordId",
            ],
        ),
        (
            Case::of_title("Page", lent()).change(waits("Title")),
            vec!["Cannot create page TLR for this instance ID - no pageable available items found | - | instanceId"],
        ),
        (Case::of_title("Hold", shelved()), vec![found]),
        (
            Case::of_title("Recall", vec![copy(1, "Missing", false)]),
            vec!["Request has no loan or recallable item | - | loan"],
        ),
        (
            Case::of_title("Hold", lent()).records(follow).records(pages_only),
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
            Case::of_title("Hold", lent()).change(|context| context.own_loan = Some(loan(READER, ITEM))),
            vec![
                "This requester already has a loan for one of the instance's items | \
                REQUESTER_ALREADY_HAS_LOAN_FOR_ONE_OF_INSTANCES_ITEMS | itemId, userId",
            ],
        ),
    ] {
        assert_eq!(case.told(), expected, "{}", case.body);
    }
}
