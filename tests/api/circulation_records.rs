//! Circulation and fee records that only settings pages use: each is stored, read, changed and deleted.

use serde_json::{Value, json};
use testkit::library;
use uuid::Uuid;

fn kinds() -> Vec<(&'static str, Value)> {
    let schedule = json!({"from": "2026-01-01T00:00:00.000Z", "to": "2026-06-30T23:59:59.000Z",
        "due": "2026-07-31T23:59:59.000Z"});
    let group = "3684a786-6671-4268-8ed0-9db82ebca60b";
    vec![
        ("/loan-policy-storage/loan-policies", json!({"name": "A", "loanable": false, "renewable": false})),
        ("/request-policy-storage/request-policies", json!({"name": "A", "requestTypes": ["Hold"]})),
        ("/patron-notice-policy-storage/patron-notice-policies", json!({"name": "A"})),
        ("/fixed-due-date-schedule-storage/fixed-due-date-schedules", json!({"name": "A", "schedules": [schedule]})),
        ("/overdue-fines-policies", json!({"name": "A"})),
        ("/lost-item-fees-policies", json!({"name": "A"})),
        ("/cancellation-reason-storage/cancellation-reasons", json!({"name": "A"})),
        ("/staff-slips-storage/staff-slips", json!({"name": "A", "template": "<p></p>"})),
        ("/circulation-settings-storage/circulation-settings", json!({"id": group, "name": "A", "value": {}})),
        ("/circulation/settings", json!({"name": "B", "value": {}})),
        ("/feefines", json!({"feeFineType": "A"})),
        ("/owners", json!({"owner": "A"})),
        ("/payments", json!({"nameMethod": "A"})),
        ("/waives", json!({"nameReason": "A"})),
        ("/refunds", json!({"nameReason": "A"})),
        ("/transfers", json!({"accountName": "A"})),
        ("/comments", json!({"paid": false, "waived": false, "refunded": false, "transferredManually": false})),
        ("/transfer-criterias", json!({"criteria": "A"})),
        ("/manual-block-templates", json!({"name": "A", "blockTemplate": {"desc": "A", "borrowing": true}})),
        (
            "/patron-action-session-storage/patron-action-sessions",
            json!({"patronId": group, "loanId": group, "actionType": "Check-in"}),
        ),
        (
            "/request-preference-storage/request-preference",
            json!({"userId": group, "holdShelf": true, "delivery": false}),
        ),
        (
            "/scheduled-notice-storage/scheduled-notices",
            json!({"nextRunTime": "2026-12-01T00:00:00.000+00:00", "loanId": group, "triggeringEvent": "Due date",
                "noticeConfig": {"timing": "Before", "templateId": group, "format": "Email", "sendInRealTime": false}}),
        ),
        ("/actual-cost-record-storage/actual-cost-records", cost()),
        ("/feefineactions", json!({"accountId": group, "userId": group, "typeAction": "Staff info only"})),
        ("/manualblocks", json!({"userId": group, "desc": "A", "type": "Manual"})),
        (
            "/patron-block-limits",
            json!({"id": group, "patronGroupId": group, "conditionId": "3d7c52dc-c732-4223-8bf8-e5917801386f", "value": 5}),
        ),
    ]
}

/// An actual cost record with its required members.
pub fn cost() -> Value {
    let id = Uuid::new_v4();
    json!({"lossType": "Declared lost", "lossDate": "2026-11-20T00:00:00.000+00:00", "status": "Open",
        "user": {"id": id, "lastName": "Reader"}, "loan": {"id": id},
        "item": {"id": id, "materialTypeId": id, "materialType": "book", "loanTypeId": id,
            "loanType": "Can circulate", "holdingsRecordId": id},
        "instance": {"id": id, "title": "A title", "identifiers": [], "contributors": []},
        "feeFine": {"ownerId": id, "owner": "Desk", "typeId": id, "type": "Lost item fee (actual cost)"}})
}

/// Members that FOLIO's schemas require in addition, as the refusal names them.
#[tokio::test]
async fn nested_required_members_are_required() {
    let library = library().await;
    let id = Uuid::new_v4();
    let period = json!({"duration": 1});
    for (path, record, keys) in [
        (
            "/actual-cost-record-storage/actual-cost-records",
            json!({"user": {}, "loan": {}, "item": {"id": id}, "instance": {}, "feeFine": {}}),
            vec![
                "lossType",
                "lossDate",
                "user.id",
                "user.lastName",
                "loan.id",
                "item.materialTypeId",
                "item.materialType",
                "item.loanTypeId",
                "item.loanType",
                "item.holdingsRecordId",
                "instance.id",
                "instance.title",
                "feeFine.ownerId",
                "feeFine.owner",
                "feeFine.typeId",
                "feeFine.type",
            ],
        ),
        ("/patron-block-limits", json!({"patronGroupId": id, "conditionId": id, "value": 1}), vec!["id"]),
        ("/circulation-settings-storage/circulation-settings", json!({"name": "A", "value": {}}), vec!["id"]),
        (
            "/loan-policy-storage/loan-policies",
            json!({"name": "A", "loanable": true, "renewable": true,
                "loansPolicy": {"period": period, "gracePeriod": {"intervalId": "Days"}}}),
            vec!["loansPolicy.period.intervalId", "loansPolicy.gracePeriod.duration"],
        ),
        (
            "/patron-notice-policy-storage/patron-notice-policies",
            json!({"name": "A", "loanNotices": [{"templateId": id, "format": "Email", "realTime": true,
                "sendOptions": {"sendWhen": "Due date", "sendBy": period}}]}),
            vec!["loanNotices[0].sendOptions.sendBy.intervalId"],
        ),
        (
            "/overdue-fines-policies",
            json!({"name": "A", "reminderFeesPolicy": {"reminderSchedule": [{"interval": 1}]}}),
            vec![
                "reminderFeesPolicy.reminderSchedule[0].timeUnitId",
                "reminderFeesPolicy.reminderSchedule[0].reminderFee",
                "reminderFeesPolicy.reminderSchedule[0].noticeTemplateId",
            ],
        ),
        (
            "/scheduled-notice-storage/scheduled-notices",
            json!({"nextRunTime": "2026-12-01T00:00:00Z", "noticeConfig": {"timing": "Before", "templateId": id,
                "format": "Email", "recurringPeriod": period}}),
            vec!["noticeConfig.recurringPeriod.intervalId"],
        ),
    ] {
        let refused = library.open.post(path, &record).await.expect(422).json();
        let errors = refused["errors"].as_array().expect("errors").iter();
        let reported: Vec<_> = errors.map(|error| error["parameters"][0]["key"].as_str().expect("a key")).collect();
        assert_eq!(reported, keys, "{path}");
    }
}

#[tokio::test]
async fn each_kind_is_kept_read_changed_and_deleted() {
    let library = library().await;
    let client = &library.open;
    for (path, record) in kinds() {
        let kept = client.create(path, &record).await;
        let one = format!("{path}/{}", kept["id"].as_str().expect("an id"));
        let read = client.get(&one).await.expect(200).json();
        for (member, value) in record.as_object().expect("members") {
            if !value.is_array() {
                assert_eq!(&read[member], value, "{path}");
            }
        }
        client.put(&one, &read).await.expect(204);
        client.delete(&one).await.expect(204);
        client.get(&one).await.expect(404);
        let again = if path == "/circulation/settings" { 204 } else { 404 };
        client.delete(&one).await.expect(again);
    }
}

#[tokio::test]
async fn storage_is_emptied_at_once() {
    let library = library().await;
    let client = &library.open;
    let emptied = [
        "/loan-policy-storage/loan-policies",
        "/request-policy-storage/request-policies",
        "/fixed-due-date-schedule-storage/fixed-due-date-schedules",
        "/staff-slips-storage/staff-slips",
    ];
    for (path, record) in kinds().into_iter().filter(|(path, _)| emptied.contains(path)) {
        client.create(path, &record).await;
        client.delete(path).await.expect(204);
        assert_eq!(client.get(path).await.expect(200).json()["totalRecords"], 0, "{path}");
    }
    let requests = "/request-storage/requests";
    let request = json!({"requestLevel": "Title", "requestType": "Hold", "requestDate": "2026-01-01T00:00:00Z",
        "requesterId": Uuid::new_v4(), "instanceId": Uuid::new_v4(), "status": "Closed - Filled",
        "fulfillmentPreference": "Hold Shelf"});
    for all in [requests.to_owned(), format!("{requests}?query=cql.allRecords%3D1")] {
        client.create(requests, &request).await;
        client.delete(&all).await.expect(204);
        assert_eq!(client.get(requests).await.expect(200).json()["totalRecords"], 0, "{all}");
    }
    let kept = client.create(requests, &request).await;
    let one = format!("{requests}/{}", kept["id"].as_str().expect("an id"));
    client.delete(&one).await.expect(204);
    client.get(&one).await.expect(404);
    client.delete("/scheduled-notice-storage/scheduled-notices").await.expect(204);
    let loan = json!({"itemId": Uuid::new_v4(), "loanDate": "2026-01-01T00:00:00Z", "action": "checkedin",
        "status": {"name": "Closed"}});
    client.create("/loan-storage/loans", &loan).await;
    client.delete("/circulation/loans").await.expect(204);
    assert_eq!(client.get("/loan-storage/loans").await.expect(200).json()["totalRecords"], 0);
}

#[tokio::test]
async fn contradictory_requests_are_not_stored() {
    let library = library().await;
    let request = |members: Value| {
        let mut request = json!({"requestLevel": "Item", "requestType": "Hold", "requestDate": "2026-01-01T00:00:00Z",
            "requesterId": Uuid::new_v4(), "instanceId": Uuid::new_v4(), "status": "Open - Not yet filled",
            "fulfillmentPreference": "Hold Shelf", "itemId": Uuid::new_v4(), "holdingsRecordId": Uuid::new_v4()});
        let request_members = request.as_object_mut().expect("members");
        request_members.extend(members.as_object().expect("members").clone());
        request_members.retain(|_, value| !value.is_null());
        request
    };
    for (members, message) in [
        (json!({"itemId": null}), "Item ID in item level request should not be absent"),
        (json!({"holdingsRecordId": null}), "Holdings record ID in item level request should not be absent"),
        (
            json!({"requestLevel": "Title", "itemId": null}),
            "Title level request must have both itemId and holdingsRecordId or neither",
        ),
    ] {
        let refused = library.open.post("/request-storage/requests", &request(members)).await.expect(422);
        assert!(refused.error_messages().contains(&message.to_owned()), "{}", refused.text);
    }
}

#[tokio::test]
async fn small_refusals_of_records() {
    let library = library().await;
    let client = &library.open;
    let request = json!({"requestLevel": "Title", "requestType": "Hold", "requestDate": "2026-01-01T00:00:00Z",
        "requesterId": Uuid::new_v4(), "instanceId": Uuid::new_v4(), "status": "Closed - Cancelled",
        "fulfillmentPreference": "Hold Shelf", "cancellationReasonId": Uuid::new_v4()});
    let unknown = client.post("/request-storage/requests", &request).await.expect(422);
    assert_eq!(unknown.error_messages(), ["Cancellation reason does not exist"]);
    let point = json!({"occurredDateTime": "2026-01-01T00:00:00.000+00:00", "itemId": Uuid::new_v4(),
        "servicePointId": Uuid::new_v4(), "performedByUserId": Uuid::new_v4()});
    client.create("/check-in-storage/check-ins", &point).await;
    let slip = json!({"name": "A", "template": ""});
    let slip = client.post("/staff-slips-storage/staff-slips", &slip).await.expect(400);
    assert_eq!(slip.text, "Template is a required property");
    let policy = json!({"name": "A", "lostItemProcessingFee": -1});
    let policy = client.post("/lost-item-fees-policies", &policy).await.expect(422);
    assert_eq!(policy.error_messages(), ["The value must greater than or equal to 0"]);
    let limit = json!({"id": Uuid::new_v4(), "patronGroupId": Uuid::new_v4(), "conditionId": "cf7a0d5f-a327-4ca1-aa9e-dc55ec006b8a",
        "value": -0.5});
    let refused = client.post("/patron-block-limits", &limit).await.expect(422);
    assert_eq!(refused.error_messages(), ["Must be blank or a number from 0.00 to 999999.99"]);
    let zero = json!({"id": Uuid::new_v4(), "patronGroupId": Uuid::new_v4(), "conditionId": limit["conditionId"], "value": "00.0"});
    let zero = client.malformed().post("/patron-block-limits", &zero).await.expect(201).json();
    assert_eq!(zero["value"], 0.0);
}

#[tokio::test]
async fn a_lock_on_a_patron_is_read_and_released() {
    let library = library().await;
    let client = &library.open;
    let path = "/check-out-lock-storage";
    let user = Uuid::new_v4();
    let lock = client.create(path, &json!({"userId": user, "ttlMs": 60_000})).await;
    let one = format!("{path}/{}", lock["id"].as_str().expect("an id"));
    let of_user = client.get(&format!("{path}?userId={user}")).await.expect(200).json();
    assert_eq!(of_user["totalRecords"], 1);
    assert_eq!(of_user["checkoutLocks"][0]["id"], lock["id"]);
    assert_eq!(client.get(&one).await.expect(200).json()["userId"], json!(user));
    client.delete(&one).await.expect(204);
    client.delete(&one).await.expect(404);
}

#[tokio::test]
async fn expired_sessions_are_found() {
    let library = library().await;
    let client = &library.open;
    let sessions = "/patron-action-session-storage";
    let session = json!({"patronId": Uuid::new_v4(), "loanId": Uuid::new_v4(), "actionType": "Check-out"});
    client.create(&format!("{sessions}/patron-action-sessions"), &session).await;
    let later = "session_inactivity_time_limit=2999-01-01T00:00:00Z";
    let path = format!("{sessions}/expired-session-patron-ids?action_type=Check-out&{later}");
    let expired = client.get(&path).await.expect(200).json();
    assert_eq!(expired["expiredSessions"], json!([{"patronId": session["patronId"], "actionType": "Check-out"}]));
}

#[tokio::test]
async fn several_calendars_are_deleted_at_once() {
    let library = library().await;
    let client = &library.open;
    let mut query = Vec::new();
    for name in ["Spring", "Autumn"] {
        let calendar = json!({"name": name, "startDate": "2026-01-01", "endDate": "2026-12-31", "assignments": [],
            "normalHours": [], "exceptions": []});
        let made = client.create("/calendar/calendars", &calendar).await;
        query.push(format!("id={}", made["id"].as_str().expect("an id")));
    }
    let all = format!("/calendar/calendars?{}", query.join("&"));
    client.delete(&all).await.expect(204);
    client.delete(&all).await.expect(404);
}
