//! Refusals of the storage of circulation, fees and fines beyond those of every collection, in their modules' words
//! (docs/folio/circulation.md#stored-records).

use serde_json::{Value, json};
use store::record::VERSIONED_UUID_PATTERN;
use testkit::{Client, library};
use uuid::Uuid;

const NOTICES: &str = "/patron-notice-policy-storage/patron-notice-policies";
const REQUESTS: &str = "/request-policy-storage/request-policies";

fn one(path: &str, record: &Value) -> String {
    format!("{path}/{}", record["id"].as_str().expect("an id"))
}

/// The record with changed members.
fn with(record: &Value, changes: &Value) -> Value {
    let mut changed = record.clone();
    let members = changes.as_object().expect("an object").clone();
    changed.as_object_mut().expect("an object").extend(members);
    changed
}

#[tokio::test]
async fn a_notice_policy_is_validated_when_it_is_replaced() {
    let library = library().await;
    let client = &library.open;
    let notice = json!({"name": "n", "templateId": Uuid::new_v4(), "format": "Email", "realTime": true,
        "sendOptions": {"sendWhen": "Renewed", "sendHow": "Before"}});
    let policy = json!({"name": "Notices", "loanNotices": [notice]});
    let policy = client.create(NOTICES, &policy).await;
    let refused = client.put(&one(NOTICES, &policy), &policy).await.expect(422);
    assert_eq!(
        refused.json()["errors"],
        json!([{"message": "This option is not valid for selected Triggering event", "type": "1", "code": "-1",
            "parameters": [{"key": "sendHow", "value": "Before"}]}])
    );
    let silent = with(&policy, &json!({"loanNotices": []}));
    client.put(&one(NOTICES, &policy), &silent).await.expect(204);
    let unknown = format!("{NOTICES}/{}", Uuid::new_v4());
    client.put(&unknown, &json!({"name": "x"})).await.expect(404);
}

#[tokio::test]
async fn notices_have_the_events_and_intervals_of_their_list() {
    let library = library().await;
    let client = library.open.malformed();
    let policy = |list: &str, options: Value| {
        json!({"name": Uuid::new_v4(),
            list: [{"templateId": Uuid::new_v4(), "format": "Email", "realTime": true, "sendOptions": options}]})
    };
    for (list, event) in [
        ("loanNotices", "Aged to lost"),
        ("requestNotices", "Request cancellation"),
        ("feeFineNotices", "Aged to lost & item replaced - fine adjusted"),
    ] {
        for (interval, status) in [
            (json!({"duration": 1, "intervalId": "Minutes"}), 201),
            (json!({"duration": 100, "intervalId": "Years"}), 201),
            (json!({"duration": 1, "intervalId": "Eons"}), 400),
        ] {
            let options = json!({"sendHow": "After", "sendWhen": event, "sendBy": interval});
            client.post(NOTICES, &policy(list, options)).await.expect(status);
        }
        for (duration, message) in
            [(0, "must be greater than or equal to 1"), (101, "must be less than or equal to 100")]
        {
            let interval = json!({"duration": duration, "intervalId": "Days"});
            let options = json!({"sendHow": "After", "sendWhen": event, "sendEvery": interval});
            let refused = client.post(NOTICES, &policy(list, options)).await.expect(422);
            let key = format!("{list}[0].sendOptions.sendEvery.duration");
            assert_eq!(refused.error_messages(), [message]);
            let parameters = json!([{"key": key, "value": duration.to_string()}]);
            assert_eq!(refused.json()["errors"][0]["parameters"], parameters);
        }
        for other in ["Bogus", "due date"] {
            client.post(NOTICES, &policy(list, json!({"sendWhen": other}))).await.expect(400);
        }
    }
    for (list, event) in [("requestNotices", "Due date"), ("loanNotices", "Available"), ("feeFineNotices", "Renewed")] {
        client.post(NOTICES, &policy(list, json!({"sendWhen": event}))).await.expect(400);
    }
    let before = json!({"sendWhen": "Overdue fine returned", "sendHow": "Before"});
    client.post(NOTICES, &policy("feeFineNotices", before)).await.expect(400);
}

#[tokio::test]
async fn a_notice_policy_used_by_the_rules_cannot_be_deleted() {
    let library = library().await;
    let client = &library.open;
    let policy = client.create(NOTICES, &json!({"name": "Notices"})).await;
    let rules = format!("n {}", policy["id"].as_str().expect("an id"));
    client.put("/circulation-rules-storage", &json!({"rulesAsText": rules})).await.expect(204);
    let path = one(NOTICES, &policy);
    let refused = client.delete(&path).await.expect(400);
    assert_eq!(refused.text, "Cannot delete in use notice policy");
    client.put("/circulation-rules-storage", &json!({"rulesAsText": "n"})).await.expect(204);
    client.delete(&path).await.expect(204);
    client.delete(&path).await.expect(404);
}

#[tokio::test]
async fn each_module_words_the_refusal_of_a_duplicate_name() {
    let library = library().await;
    let client = &library.open;
    let overdue = "The Overdue fine policy name entered already exists. Please enter a different name.";
    let lost = "The Lost item fee policy name entered already exists. Please enter a different name.";
    for (path, message, code) in [
        (NOTICES, "'Twice' name in not unique", "duplicate.name"),
        ("/overdue-fines-policies", overdue, "feesfines.policy.overdue.duplicate"),
        ("/lost-item-fees-policies", lost, "feesfines.policy.lost.duplicate"),
    ] {
        client.create(path, &json!({"name": "Twice"})).await;
        let refused = client.post(path, &json!({"name": "Twice"})).await;
        let expected = json!([{"message": message, "parameters": [], "code": code}]);
        assert_eq!(refused.expect(422).json()["errors"], expected, "{path}");
        let other = client.create(path, &json!({"name": "Once"})).await;
        let renamed = with(&other, &json!({"name": "Twice"}));
        let refused = client.put(&one(path, &other), &renamed).await;
        assert_eq!(refused.expect(422).json()["errors"], expected, "{path}");
    }
    let slips = "/staff-slips-storage/staff-slips";
    let slip = json!({"name": "Twice", "template": "t"});
    client.create(slips, &slip).await;
    let refused = client.post(slips, &slip).await.expect(400);
    assert!(refused.text.contains("already exists in table staff_slips"));
    client.post(slips, &json!({"name": "No template"})).await.expect(422);
    let nameless = client.post(slips, &json!({"name": "", "template": ""})).await.expect(400);
    assert_eq!(nameless.text, "Name is a required property\nTemplate is a required property");
}

#[tokio::test]
async fn a_put_creates_missing_policies() {
    let library = library().await;
    let client = &library.open;
    let due = "/fixed-due-date-schedule-storage/fixed-due-date-schedules";
    let loan = "/loan-policy-storage/loan-policies";
    for (path, record) in [
        (REQUESTS, json!({"name": "New", "requestTypes": ["Hold"]})),
        (due, json!({"name": "New"})),
        (loan, json!({"name": "New", "loanable": false, "renewable": false})),
    ] {
        let path = format!("{path}/{}", Uuid::new_v4());
        client.put(&path, &record).await.expect(204);
        assert_eq!(client.get(&path).await.expect(200).json()["name"], "New");
    }
    let taken = format!("{REQUESTS}/{}", Uuid::new_v4());
    let taken = client.put(&taken, &json!({"name": "New"})).await;
    assert!(taken.expect(400).text.contains("already exists"));
}

#[tokio::test]
async fn a_request_policy_names_each_of_its_service_points_once() {
    let library = library().await;
    let client = &library.open;
    let point = json!({"name": "Desk", "code": "D", "discoveryDisplayName": "Desk", "pickupLocation": true,
        "holdShelfExpiryPeriod": {"duration": 2, "intervalId": "Days"}});
    let point = client.create("/service-points", &point).await;
    let id = &point["id"];
    let policy = json!({"name": "p", "requestTypes": ["Hold"], "allowedServicePoints": {"Hold": [id, id]}});
    let policy = client.create(REQUESTS, &policy).await;
    assert_eq!(policy["allowedServicePoints"], json!({"Hold": [id]}));
    let none = with(&policy, &json!({"id": Uuid::new_v4(), "name": "q", "allowedServicePoints": {"Hold": []}}));
    let size = "size must be between 1 and 2147483647";
    let refused = client.post(REQUESTS, &none).await.expect(422);
    assert_eq!(refused.error_messages(), [size]);
    let refused = client.put(&one(REQUESTS, &policy), &none).await.expect(422);
    assert_eq!(refused.error_messages(), [size]);
}

#[tokio::test]
async fn a_patron_has_one_request_preference() {
    let library = library().await;
    let client = &library.open;
    let path = "/request-preference-storage/request-preference";
    let of = |user: &Uuid| json!({"userId": user, "holdShelf": true, "delivery": false});
    let (ann, bea) = (Uuid::new_v4(), Uuid::new_v4());
    client.create(path, &of(&ann)).await;
    let expected = json!([{"message": "Request preference for specified user already exists", "type": "1", "code": "-1",
        "parameters": [{"key": "userId", "value": ann}]}]);
    let refused = client.post(path, &of(&ann)).await.expect(422);
    assert_eq!(refused.json()["errors"], expected);
    let other = client.create(path, &of(&bea)).await;
    let moved = with(&other, &json!({"userId": ann}));
    let refused = client.put(&one(path, &other), &moved).await.expect(422);
    assert_eq!(refused.json()["errors"], expected);
    client.put(&one(path, &other), &other).await.expect(204);
}

async fn below_nothing(client: &Client, path: &str, record: Value, key: &str, value: &str) {
    let refused = client.post(path, &record).await.expect(422);
    assert_eq!(refused.error_messages(), ["must be greater than or equal to 0"]);
    let parameters = &refused.json()["errors"][0]["parameters"];
    assert_eq!(parameters, &json!([{"key": key, "value": value}]));
}

#[tokio::test]
async fn counts_and_amounts_are_not_negative() {
    let library = library().await;
    let client = &library.open;
    let id = Uuid::new_v4();
    let check_in = json!({"occurredDateTime": "2026-01-01T00:00:00Z", "itemId": id, "servicePointId": id,
        "performedByUserId": id, "requestQueueSize": -1});
    let check_ins = "/check-in-storage/check-ins";
    below_nothing(client, check_ins, check_in, "requestQueueSize", "-1").await;
    let costs = "/actual-cost-record-storage/actual-cost-records";
    let mut cost = crate::circulation_records::cost();
    cost["feeFine"]["billedAmount"] = json!(-9.99);
    below_nothing(client, costs, cost, "feeFine.billedAmount", "-9.99").await;
    let bill = json!({"actualCostRecordId": id, "amount": -9.99});
    below_nothing(client, "/actual-cost-fee-fine/bill", bill, "amount", "-9.99").await;
    let page = client.get(&format!("{check_ins}?offset=-10")).await;
    assert_eq!(
        page.expect(400).text,
        "'offset' parameter is incorrect. parameter value {-10} is not valid: must be greater than or equal to 0"
    );
    let policy = json!({"name": "p", "overdueFine": {"quantity": "-1", "intervalId": "day"}});
    let refused = client.post("/overdue-fines-policies", &policy).await;
    assert_eq!(
        refused.expect(422).json()["errors"][0]["parameters"],
        json!([{"key": "overdueFine.quantity", "value": "-1.00"}])
    );
}

#[tokio::test]
async fn an_existing_fee_type_is_not_created_again() {
    let library = library().await;
    let client = &library.open;
    let owner = client.create("/owners", &json!({"owner": "Main"})).await;
    let kind = json!({"feeFineType": "Damage", "ownerId": owner["id"], "defaultAmount": "1.00"});
    let made = client.create("/feefines", &kind).await;
    let again = client.post("/feefines", &kind).await.expect(400);
    assert_eq!(again.text, "Unable to process request");
    let same_id = with(&made, &json!({"feeFineType": "Other"}));
    let again = client.post("/feefines", &same_id).await.expect(400);
    assert_eq!(again.text, "Unable to process request");
    let automatic = json!({"id": "9523cb96-e752-40c2-89da-60f3961a488d", "feeFineType": "Other"});
    let refused = client.post("/feefines", &automatic).await.expect(422);
    assert_eq!(refused.error_messages(), ["Attempt to change an automatic fee/fine type"]);
}

#[tokio::test]
async fn malformed_queries_about_sessions_locks_and_prints_are_refused() {
    let library = library().await;
    let client = &library.open;
    let expired = "/patron-action-session-storage/expired-session-patron-ids?action_type=";
    for (query, message, key, value) in [
        (
            "Check-out&session_inactivity_time_limit=soon",
            "Date cannot be parsed",
            "session_inactivity_time_limit",
            "soon",
        ),
        ("Renewal&session_inactivity_time_limit=2026-01-01", "Invalid action type value", "action_type", "2026-01-01"),
    ] {
        let refused = client.get(&format!("{expired}{query}")).await.expect(422);
        assert_eq!(refused.error_messages(), [message]);
        let parameters = &refused.json()["errors"][0]["parameters"];
        assert_eq!(parameters, &json!([{"key": key, "value": value}]));
    }
    let locks = "/check-out-lock-storage";
    for reply in [client.get(&format!("{locks}/abcd")).await, client.delete(&format!("{locks}/1234")).await] {
        assert_eq!(reply.expect(400).text, "Invalid lock id");
    }
    let absent = json!({"userId": "", "ttlMs": 1000});
    client.post(locks, &absent).await.expect(422);
    let absent = client.get(&format!("{locks}?userId=")).await.expect(422);
    assert_eq!(absent.text, "Invalid Parameters");
}

#[tokio::test]
async fn faults_of_a_print_event_are_reported() {
    let library = library().await;
    let (entry, status) = ("/print-events-storage/print-events-entry", "/print-events-storage/print-events-status");
    let id = "1135727e-f42d-4d61-8e5f-a0aa0a65c88b";
    let event = json!({"requestIds": [id], "requesterId": id, "requesterName": "Reader",
        "printEventDate": "2024-08-05T14:30:00Z"});
    let none = "size must be between 1 and 2147483647";
    let odd = "elements in list must match pattern";
    let pattern = format!("must match \"{VERSIONED_UUID_PATTERN}\"");
    for (path, change, message) in [
        (entry, json!({"requestIds": []}), none),
        (entry, json!({"requestIds": null}), none),
        (entry, json!({"requestIds": ["a", "b"]}), odd),
        (entry, json!({"requesterId": "12345"}), &pattern),
        (entry, json!({"requesterName": null}), "must not be null"),
        (entry, json!({"requesterName": " "}), r#"must match "^(?!\s*$).+""#),
        (status, json!({"requestIds": []}), none),
        (status, json!({}), none),
        (status, json!({"requestIds": ["a"]}), odd),
    ] {
        let sent = match path == entry {
            true => with(&event, &change),
            false => change.clone(),
        };
        let refused = library.open.post(path, &sent).await.expect(422);
        assert_eq!(refused.error_messages(), [message], "{change}");
    }
    let with_more = with(&event, &json!({"printer": "left"}));
    library.open.post(entry, &with_more).await.expect(201);
}

#[tokio::test]
async fn an_older_lock_ends_after_the_new_locks_time() {
    let library = library().await;
    let client = &library.open;
    let lock = |ttl: i64| json!({"userId": "7c5abc9f-f3d7-4856-b8d7-6712462ca007", "ttlMs": ttl});
    let path = "/check-out-lock-storage";
    client.create(path, &lock(60_000)).await;
    client.post(path, &lock(1000)).await.expect(503);
    library.clock.advance(jiff::SignedDuration::from_millis(1001));
    client.post(path, &lock(2000)).await.expect(503);
    client.create(path, &lock(1000)).await;
}

#[tokio::test]
async fn a_put_refuses_a_taken_queue_position_in_json() {
    let library = library().await;
    let client = &library.open;
    let path = "/request-storage/requests";
    let item = Uuid::new_v4();
    let request = |position: i64| {
        json!({"id": Uuid::new_v4(), "requestLevel": "Item", "requestType": "Hold", "requestDate": "2026-01-01T00:00:00Z",
            "requesterId": Uuid::new_v4(), "instanceId": Uuid::new_v4(), "holdingsRecordId": Uuid::new_v4(),
            "itemId": item, "status": "Open - Not yet filled", "fulfillmentPreference": "Hold Shelf",
            "position": position})
    };
    let first = request(1);
    client.put(&one(path, &first), &first).await.expect(204);
    let second = request(1);
    let refused = client.put(&one(path, &second), &second).await.expect(422);
    assert_eq!(refused.error_messages(), ["Cannot have more than one request with the same position in the queue"]);
}

#[tokio::test]
async fn a_request_needs_a_status_and_a_target() {
    let library = library().await;
    let client = &library.open;
    let path = "/request-storage/requests";
    let request = json!({"requestLevel": "Item", "requestType": "Hold", "requestDate": "2026-01-01T00:00:00Z",
        "requesterId": Uuid::new_v4(), "instanceId": Uuid::new_v4(), "fulfillmentPreference": "Hold Shelf"});
    let silent = client.post(path, &request).await.expect(422);
    let error = &silent.json()["errors"][0];
    assert_eq!(error["message"], "must not be null");
    assert_eq!(error["parameters"], json!([{"key": "status", "value": "null"}]));
    let open = with(&request, &json!({"status": "Open - Not yet filled"}));
    assert_eq!(
        client.post(path, &open).await.expect(422).error_messages(),
        [
            "Item ID in item level request should not be absent",
            "Holdings record ID in item level request should not be absent"
        ]
    );
}

#[tokio::test]
async fn fees_and_fines_accept_uuids_of_known_versions_only() {
    let library = library().await;
    let client = &library.open;
    let unknown = "00000000-0000-0000-0000-000000000001";
    for (path, record, key) in [
        ("/overdue-fines-policies", json!({"id": unknown, "name": "p"}), "id"),
        ("/manualblocks", json!({"userId": unknown, "desc": "d"}), "userId"),
        ("/payments", json!({"ownerId": unknown, "nameMethod": "Cash"}), "ownerId"),
    ] {
        let refused = client.post(path, &record).await.expect(422);
        let error = &refused.json()["errors"][0];
        assert_eq!(
            error["message"],
            "must match \"^[a-fA-F0-9]{8}-[a-fA-F0-9]{4}-[1-5][a-fA-F0-9]{3}-[89abAB][a-fA-F0-9]{3}-[a-fA-F0-9]{12}$\""
        );
        assert_eq!(error["parameters"], json!([{"key": key, "value": unknown}]));
    }
}
