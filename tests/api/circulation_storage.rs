//! The storage of circulation: the text of the rules, settings by name, loans with history, locks
//! (docs/folio/circulation-rules.md, docs/folio/settings.md, docs/folio/loans.md, docs/folio/desk-records.md).

use jiff::SignedDuration;
use serde_json::{Value, json};
use testkit::{Client, Library, library};
use uuid::Uuid;

struct Policies {
    fallback: String,
}

async fn policies(client: &Client) -> Policies {
    let id = |record: Value| record["id"].as_str().expect("an id").to_owned();
    let loan = json!({"name": "l", "loanable": false, "renewable": false});
    let loan = id(client.create("/loan-policy-storage/loan-policies", &loan).await);
    let request = json!({"name": "r", "requestTypes": ["Hold"]});
    let request = id(client.create("/request-policy-storage/request-policies", &request).await);
    let notice = json!({"name": "n"});
    let notice = id(client.create("/patron-notice-policy-storage/patron-notice-policies", &notice).await);
    let overdue = id(client.create("/overdue-fines-policies", &json!({"name": "o"})).await);
    let lost = id(client.create("/lost-item-fees-policies", &json!({"name": "i"})).await);
    Policies { fallback: format!("l {loan} r {request} n {notice} o {overdue} i {lost}") }
}

#[tokio::test]
async fn rules_must_parse_and_name_existing_policies() {
    let library = library().await;
    let client = &library.open;
    let blank = client.get("/circulation/rules").await.expect(200).json();
    assert_eq!(blank["rulesAsText"], "");
    let known = policies(client).await;
    let text = format!("priority: last-line\nfallback-policy: {}", known.fallback);
    client.put("/circulation/rules", &json!({"rulesAsText": text})).await.expect(204);
    let kept = client.get("/circulation/rules").await.expect(200).json();
    assert_eq!(kept["rulesAsText"], *text);
    assert!(blank["id"].is_string());
    assert_eq!(kept["id"], blank["id"], "there is one record of rules, always");
    assert_eq!(client.get("/circulation-rules-storage").await.json()["rulesAsText"], *text);

    let absent = Uuid::new_v4();
    let unknown = text.replace("fallback-policy: l ", &format!("fallback-policy: l {absent}\nm x: l "));
    let refused = client.put("/circulation/rules", &json!({"rulesAsText": unknown})).await.expect(422);
    let body = refused.json();
    assert_eq!(body.as_object().unwrap().keys().collect::<Vec<_>>(), ["message", "line", "column"]);
    client.put("/circulation/rules", &json!({})).await.expect(422);
    assert_eq!(client.get("/circulation/rules").await.json()["rulesAsText"], *text);
}

#[tokio::test]
async fn a_setting_with_a_known_name_replaces_its_value() {
    let library = library().await;
    let client = &library.open;
    let path = "/circulation/settings";
    let first = client.create(path, &json!({"name": "other_settings", "value": {"a": 1}})).await;
    let second = client.create(path, &json!({"name": "other_settings", "value": {"b": 2}})).await;
    assert_eq!(first["id"], second["id"]);
    assert_eq!(second["value"], json!({"b": 2}));
    let list = client.query(path, "name==other_settings").await.expect(200).json();
    assert_eq!(
        (list["totalRecords"].clone(), list["circulationSettings"][0]["value"].clone()),
        (json!(1), json!({"b": 2}))
    );
    for bad in [json!({"name": "x"}), json!({"name": "x", "value": {}, "y": 1}), json!({"value": {}})] {
        let refused = client.post(path, &bad).await.expect(422);
        assert_eq!(refused.error_messages(), ["Circulation setting JSON is invalid"], "{bad}");
    }
    let refused = client.post(path, &json!({"id": "1", "name": "x", "value": {}})).await.expect(422);
    assert_eq!(refused.error_messages(), ["Circulation setting ID is not a valid UUID"]);
    let id = Uuid::new_v4();
    assert_eq!(
        client.get(&format!("{path}/{id}")).await.expect(404).text,
        format!("circulationSettings record with ID \"{id}\" cannot be found")
    );
    client.delete(&format!("{path}/{id}")).await.expect(204);
    for answer in [client.get(&format!("{path}/x")).await, client.delete(&format!("{path}/x")).await] {
        let refused = answer.expect(422).json();
        let expected = json!({"message": "Circulation setting ID is not a valid UUID",
            "parameters": [{"key": "", "value": ""}]});
        assert_eq!(refused["errors"], json!([expected]));
    }
}

async fn item_and_user(library: &Library) -> (String, String) {
    let client = &library.open;
    let id = |record: Value| record["id"].as_str().expect("an id").to_owned();
    let kind = id(client.create("/instance-types", &json!({"name": "text", "code": "txt", "source": "local"})).await);
    let instance = json!({"title": "A title", "source": "FOLIO", "instanceTypeId": kind});
    let instance = id(client.create("/instance-storage/instances", &instance).await);
    let unit = json!({"name": "u", "code": "u"});
    let institution = id(client.create("/location-units/institutions", &unit).await);
    let campus = json!({"name": "u", "code": "u", "institutionId": institution});
    let campus = id(client.create("/location-units/campuses", &campus).await);
    let branch = json!({"name": "u", "code": "u", "campusId": campus});
    let branch = id(client.create("/location-units/libraries", &branch).await);
    let desk = json!({"name": "Desk", "code": "d", "discoveryDisplayName": "Desk"});
    let desk = id(client.create("/service-points", &desk).await);
    let location = json!({"name": "Main", "code": "m", "institutionId": institution, "campusId": campus,
        "libraryId": branch, "primaryServicePoint": desk, "servicePointIds": [desk]});
    let location = id(client.create("/locations", &location).await);
    let source = id(client.create("/holdings-sources", &json!({"name": "FOLIO", "source": "folio"})).await);
    let holdings = json!({"instanceId": instance, "permanentLocationId": location, "sourceId": source});
    let holdings = id(client.create("/holdings-storage/holdings", &holdings).await);
    let material = id(client.create("/material-types", &json!({"name": "book"})).await);
    let loan_type = id(client.create("/loan-types", &json!({"name": "can circulate"})).await);
    let item = json!({"holdingsRecordId": holdings, "status": {"name": "Available"}, "barcode": "1",
        "materialTypeId": material, "permanentLoanTypeId": loan_type});
    let item = id(client.create("/item-storage/items", &item).await);
    let user = json!({"username": "reader", "active": true, "personal": {"lastName": "Reader"}});
    (item, id(client.create("/users", &user).await))
}

fn open_loan(item: &str, user: &str) -> Value {
    json!({"itemId": item, "userId": user, "status": {"name": "Open"}, "action": "checkedout",
        "loanDate": "2026-01-01T10:00:00.000Z"})
}

#[tokio::test]
async fn an_item_has_one_open_loan_and_every_change_is_in_its_history() {
    let library = library().await;
    let client = &library.open;
    let (item, user) = item_and_user(&library).await;
    let (path, loan) = ("/loan-storage/loans", open_loan(&item, &user));
    let mut stored = client.create(path, &loan).await;
    assert_eq!(stored["loanDate"], "2026-01-01T10:00:00.000Z");
    let again = client.post(path, &loan).await.expect(422);
    let message = "Cannot have more than one open loan for the same item";
    assert_eq!(again.error_messages(), [message]);

    stored["status"]["name"] = "Closed".into();
    stored["action"] = "checkedin".into();
    let one = format!("{path}/{}", stored["id"].as_str().unwrap());
    client.put(&one, &stored).await.expect(204);
    client.create(path, &loan).await;
    let cql = format!("loan.id=={}", stored["id"].as_str().unwrap());
    let history = client.query("/loan-storage/loan-history", &cql).await.expect(200);
    assert_eq!(history.round_trips(), 1);
    let history = history.json();
    let operations: Vec<_> = history["loansHistory"]
        .as_array()
        .unwrap()
        .iter()
        .map(|entry| (entry["operation"].as_str().unwrap(), entry["loan"]["action"].as_str().unwrap()))
        .collect();
    assert_eq!(operations, [("U", "checkedin"), ("I", "checkedout")]);

    let absent = json!({"itemId": item, "status": {"name": "Open"}, "action": "checkedout", "loanDate": "2026-01-01"});
    let refused = client.post(path, &absent).await.expect(422);
    assert_eq!(refused.error_messages(), ["Open loan must have a user ID"]);
}

#[tokio::test]
async fn each_version_of_a_loan_is_the_loan_as_it_was() {
    let library = library().await;
    let client = &library.open;
    let (item, user) = item_and_user(&library).await;
    let (path, loan) = ("/loan-storage/loans", open_loan(&item, &user));
    let first = client.create(path, &loan).await;
    let one = format!("{path}/{}", first["id"].as_str().unwrap());
    let mut versions = vec![first.clone()];
    let renewed = json!({"action": "renewed", "dueDate": "2026-03-01T10:00:00.000Z", "renewalCount": 1});
    for (changed, gone) in [
        (renewed, ""),
        (json!({"action": "patronInfoAdded", "actionComment": "a note"}), "renewalCount"),
        (json!({"action": "checkedin", "status": {"name": "Closed"}}), "actionComment"),
    ] {
        let mut loan = versions.last().unwrap().clone();
        loan.as_object_mut().unwrap().extend(changed.as_object().unwrap().clone());
        loan.as_object_mut().unwrap().remove(gone);
        client.put(&one, &loan).await.expect(204);
        versions.push(client.get(&one).await.json());
    }
    client.delete(&one).await.expect(204);
    let mut removed = versions.last().unwrap().clone();
    removed["action"] = "deleted".into();
    versions.push(removed);
    // A new loan with the id of the old one, and the end of all loans: what was stays.
    versions.push(client.create(path, &first).await);
    client.delete(&format!("{path}?query=cql.allRecords=1")).await.expect(204);

    let history = |cql: String| async move {
        let list = client.query("/loan-storage/loan-history?limit=100", &cql).await.expect(200).json();
        list["loansHistory"].as_array().unwrap().iter().map(|entry| entry["loan"].clone()).collect::<Vec<_>>()
    };
    let id = first["id"].as_str().unwrap();
    assert_eq!(history(format!("loan.id=={id} sortby createdDate")).await, versions);
    assert_eq!(history("loan.actionComment==\"a note\"".into()).await, versions[2..3]);
    assert_eq!(history("loan.renewalCount==1".into()).await, versions[1..2]);
    let by_action =
        history(format!("loan.id=={id} and loan.status.name==Open sortby loan.action/sort.descending")).await;
    assert_eq!(
        by_action.iter().map(|loan| &loan["action"]).collect::<Vec<_>>(),
        ["renewed", "patronInfoAdded", "checkedout", "checkedout"]
    );
}

#[tokio::test]
async fn a_closed_loan_is_anonymized_with_its_history() {
    let library = library().await;
    let client = &library.open;
    let (item, user) = item_and_user(&library).await;
    let loan = json!({"itemId": item, "userId": user, "status": {"name": "Closed"}, "action": "checkedin",
        "loanDate": "2026-01-01T10:00:00.000Z"});
    let loan = client.create("/loan-storage/loans", &loan).await;
    let done = client.post(&format!("/loan-anonymization/by-user/{user}"), &json!({})).await.expect(200);
    assert_eq!(done.json(), json!({"anonymizedLoans": [loan["id"]], "errors": []}));
    let read = client.get(&format!("/loan-storage/loans/{}", loan["id"].as_str().unwrap())).await;
    assert_eq!(read.json().get("userId"), None);
    let history = client.get("/loan-storage/loan-history").await.json();
    let entries = history["loansHistory"].as_array().unwrap();
    assert!(!entries.is_empty());
    assert!(entries.iter().all(|entry| entry["loan"].get("userId").is_none()));
}

#[tokio::test]
async fn a_patron_is_locked_once_until_the_lock_ends() {
    let library = library().await;
    let client = &library.open;
    let path = "/check-out-lock-storage";
    let wanted = json!({"userId": Uuid::new_v4(), "ttlMs": 2000});
    let lock = client.create(path, &wanted).await;
    assert_eq!(client.post(path, &wanted).await.expect(503).text, "Unable to acquire lock");
    library.clock.advance(jiff::SignedDuration::from_millis(2001));
    let lock = client.create(path, &wanted).await["id"] != lock["id"];
    assert!(lock);
}

#[tokio::test]
async fn a_queue_is_renumbered_in_one_batch_or_not_at_all() {
    let library = library().await;
    let client = &library.open;
    let (item, user) = item_and_user(&library).await;
    let request = |position: i64| {
        json!({"id": Uuid::new_v4(), "requestLevel": "Item", "requestType": "Hold", "requestDate": "2026-01-01T00:00:00Z",
            "requesterId": user, "instanceId": Uuid::new_v4(), "holdingsRecordId": Uuid::new_v4(), "itemId": item,
            "status": "Open - Not yet filled", "fulfillmentPreference": "Hold Shelf", "position": position})
    };
    let (mut first, mut second) = (request(1), request(2));
    let made = client.create("/request-storage/requests", &first).await;
    library.clock.advance(SignedDuration::from_hours(1));
    client.create("/request-storage/requests", &second).await;
    let clash = client.post("/request-storage/requests", &request(2)).await.expect(422);
    let message = "Cannot have more than one request with the same position in the queue";
    assert_eq!(clash.error_messages(), [message]);
    first["position"] = 2.into();
    second["position"] = 1.into();
    let batch = json!({"requests": [first, second]});
    client.post("/request-storage-batch/requests", &batch).await.expect(201);
    let read = client.get(&format!("/request-storage/requests/{}", first["id"].as_str().unwrap())).await;
    assert_eq!(read.json()["position"], 2);
    assert_eq!(read.json()["metadata"]["createdDate"], made["metadata"]["createdDate"], "it was made before");
    // A batch makes no requests.
    let unknown = json!({"requests": [first, request(3)]});
    client.post("/request-storage-batch/requests", &unknown).await.expect(201);
    assert_eq!(client.get("/request-storage/requests").await.json()["totalRecords"], 2);
    second.as_object_mut().expect("a record").remove("id");
    first["position"] = 7.into();
    let nameless = json!({"requests": [first, second]});
    let refused = client.post("/request-storage-batch/requests", &nameless).await.expect(422).json();
    assert_eq!(refused["errors"][0]["parameters"][0]["key"], "requests[1].id");
    let read = client.get(&format!("/request-storage/requests/{}", first["id"].as_str().unwrap())).await;
    assert_eq!(read.json()["position"], 2);
}

#[tokio::test]
async fn requests_are_shown_with_their_item_title_and_people() {
    let library = library().await;
    let client = &library.open;
    let (item, user) = item_and_user(&library).await;
    let holdings = client.get(&format!("/item-storage/items/{item}")).await.json()["holdingsRecordId"].clone();
    let path = format!("/holdings-storage/holdings/{}", holdings.as_str().unwrap());
    let instance = client.get(&path).await.json()["instanceId"].clone();
    let desk = client.get("/service-points").await.json()["servicepoints"][0]["id"].clone();
    let request = json!({"requestLevel": "Item", "requestType": "Page", "requestDate": "2026-01-01T00:00:00Z",
        "requesterId": user, "instanceId": instance, "holdingsRecordId": holdings, "itemId": item, "position": 1,
        "status": "Open - Not yet filled", "fulfillmentPreference": "Hold Shelf", "pickupServicePointId": desk});
    let id = client.create("/request-storage/requests", &request).await["id"].clone();
    let id = id.as_str().unwrap();

    let one = format!("/circulation/requests/{id}");
    // The first call also loads the configuration.
    client.get(&one).await.expect(200);
    let read = client.get(&one).await.expect(200);
    assert_eq!(read.round_trips(), 1);
    let shown = read.json();
    assert_eq!(shown["item"]["status"], "Available");
    assert_eq!(shown["item"]["location"], json!({"name": "Main", "libraryName": "u", "code": "m"}));
    assert_eq!(shown["instance"]["title"], "A title");
    assert_eq!(shown["requester"], json!({"lastName": "Reader"}));
    assert_eq!(shown["pickupServicePoint"]["name"], "Desk");

    let list = client.query("/circulation/requests", &format!("requesterId=={user}")).await.expect(200);
    assert_eq!((list.round_trips(), list.json()["totalRecords"].clone()), (1, json!(1)));
    assert_eq!(list.json()["requests"][0], shown);
    let queue = client.get(&format!("/circulation/requests/queue/item/{item}")).await.expect(200).json();
    assert_eq!(queue["requests"], json!([shown]));
    let none = client.query("/circulation/requests", "itemId==NOT_FOUND").await.expect(200).json();
    assert_eq!(none, json!({"requests": [], "totalRecords": 0}));
    let absent = Uuid::new_v4();
    assert_eq!(
        client.get(&format!("/circulation/requests/{absent}")).await.expect(404).text,
        format!("requests record with ID \"{absent}\" cannot be found")
    );
}

#[tokio::test]
async fn prints_are_logged_if_the_library_wants_it() {
    let library = library().await;
    let client = &library.open;
    let id = Uuid::new_v4();
    let event = json!({"requestIds": [id], "requesterId": Uuid::new_v4(), "requesterName": "Reader",
        "printEventDate": "2026-01-01T00:00:00Z"});
    let path = "/circulation/print-events-entry";
    let refused = |answer: testkit::Answer| answer.expect(422).error_messages();
    let invalid = ["Print Event Request  JSON is invalid"];
    assert_eq!(refused(client.post(path, &json!({"requestIds": [id]})).await), invalid);
    assert_eq!(refused(client.post(path, &event).await), ["No configuration found for print event feature"]);
    let setting = |on: &str| json!({"name": "printEventLogFeature", "value": {"enablePrintLog": on}});
    client.create("/circulation/settings", &setting("false")).await;
    assert_eq!(refused(client.post(path, &event).await), ["print event feature is disabled for this tenant"]);
    client.create("/circulation/settings", &setting("true")).await;
    assert_eq!(refused(client.post(path, &event).await), ["invalid request found"]);

    let storage = "/print-events-storage";
    for _ in 0..2 {
        client.post(&format!("{storage}/print-events-entry"), &event).await.expect(201);
    }
    let asked = json!({"requestIds": [id]});
    let status = client.post(&format!("{storage}/print-events-status"), &asked).await.expect(200).json();
    assert_eq!(status["printEventsStatusResponses"][0]["count"], 2);
    assert_eq!(status["totalRecords"], 1);
}

#[tokio::test]
async fn storage_is_emptied_at_once_and_loans_only_by_query() {
    let library = library().await;
    let client = &library.open;
    let path = "/cancellation-reason-storage/cancellation-reasons";
    client.create(path, &json!({"name": "Not needed"})).await;
    client.delete(path).await.expect(204);
    assert_eq!(client.get(path).await.json()["totalRecords"], 0);
    let loans = client.delete("/loan-storage/loans").await.expect(400);
    assert_eq!(loans.text, "Expected CQL but query parameter is empty");
    client.delete("/loan-storage/loans?query=cql.allRecords%3D1").await.expect(204);
}
