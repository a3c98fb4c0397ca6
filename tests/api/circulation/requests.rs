//! Requests placed, changed and cancelled (docs/folio/requests.md).

use serde_json::{Value, json};
use testkit::Answer;

use super::{LendingLibrary, id};

pub const PATH: &str = "/circulation/requests";
const STORED: &str = "/request-storage/requests";

impl LendingLibrary {
    /// Places a request for an item, for pickup at the first service point.
    pub async fn ask(&self, kind: &str, item: &str, patron: &str, more: Value) -> Answer {
        let mut body = json!({"requestLevel": "Item", "requestType": kind, "itemId": item,
            "instanceId": self.instance, "holdingsRecordId": self.holdings, "requesterId": patron,
            "requestDate": "2026-11-01T00:00:00Z", "fulfillmentPreference": "Hold Shelf",
            "pickupServicePointId": self.service_point});
        if let (Some(body), Value::Object(more)) = (body.as_object_mut(), more) {
            body.extend(more);
            body.retain(|_, value| !value.is_null());
        }
        self.desk.post(PATH, &body).await
    }

    /// Places a title-level request.
    pub async fn ask_title(&self, kind: &str, patron: &str) -> Answer {
        let more = json!({"requestLevel": "Title", "itemId": null, "holdingsRecordId": null});
        self.ask(kind, "", patron, more).await
    }

    pub async fn allow_titles(&self) {
        let value = json!({"titleLevelRequestsFeatureEnabled": true});
        let setting = json!({"name": "TLR", "value": value});
        self.desk.create("/circulation/settings", &setting).await;
    }

    /// Ids and positions of the open requests for an item or the title.
    pub async fn waiting(&self, owner: &str, id: &str) -> Vec<(String, i64)> {
        let path = format!("{PATH}/queue/{owner}/{id}");
        let queue = self.desk.get(&path).await.expect(200).json();
        places(&queue)
    }

    pub async fn item_status(&self, item: &str) -> Value {
        self.stored("/item-storage/items", item).await["status"]["name"].clone()
    }

    pub async fn on_loan(&self, barcode: &str, patron: &str) -> String {
        let item = self.item(barcode, json!({})).await;
        self.check_out(barcode, patron, json!({})).await.expect(201);
        item
    }
}

/// Parses a moment in any format.
pub fn instant(text: &Value) -> jiff::Timestamp {
    let moment = text.as_str().and_then(|text| text.parse().ok());
    moment.expect("a date and time")
}

pub fn places(queue: &Value) -> Vec<(String, i64)> {
    let requests = queue["requests"].as_array().expect("requests").iter();
    requests.map(|request| (id(request), request["position"].as_i64().expect("a position"))).collect()
}

#[tokio::test]
async fn a_page_reserves_the_item_in_two_round_trips() {
    let library = LendingLibrary::new().await;
    let item = library.item("i-1", json!({})).await;
    let patron = library.patron("p-1", json!({})).await;
    let expires = json!({"requestExpirationDate": "2026-12-24T10:00:00Z"});
    let answer = library.ask("Page", &item, &patron, expires).await.expect(201);
    assert!(answer.round_trips() <= 3, "two, and one for the configuration");
    let request = answer.json();
    assert_eq!(request["position"], 1);
    assert_eq!(request["status"], "Open - Not yet filled");
    assert_eq!(request["requestExpirationDate"], "2026-12-24T23:59:59.000+00:00");
    assert_eq!(request["item"]["status"], "Paged");
    assert_eq!(request["item"]["location"]["name"], "Stacks");
    assert_eq!(request["instance"]["title"], "A title");
    assert_eq!(request["requester"]["patronGroup"]["group"], "staff");
    assert_eq!(request["pickupServicePoint"]["name"], "Desk");
    assert_eq!(request.get("searchIndex"), None);
    assert_eq!(library.item_status(&item).await, "Paged");
    let stored = library.stored(STORED, &id(&request)).await;
    assert_eq!(stored["searchIndex"]["pickupServicePointName"], "Desk");
    assert_eq!(stored["requester"]["barcode"], "p-1");

    let other = library.patron("p-2", json!({})).await;
    let hold = library.ask("Hold", &item, &other, json!({})).await.expect(201);
    assert_eq!(hold.round_trips(), 2);
    assert_eq!(hold.json()["position"], 2);
    let refused = library.ask("Page", &item, &other, json!({})).await.expect(422);
    let messages = refused.error_messages();
    assert_eq!(
        messages,
        [
            "This requester already has an open request for this item",
            "Page requests are not allowed for this patron and item combination"
        ]
    );
    library.check_in("i-1", json!({})).await.expect(200);
    assert_eq!(library.item_status(&item).await, "Awaiting pickup");
}

#[tokio::test]
async fn a_recall_changes_the_loan_once() {
    let library = LendingLibrary::new().await;
    library.patron("p-1", json!({})).await;
    let item = library.on_loan("i-1", "p-1").await;
    let mut due = Vec::new();
    for reader in ["p-2", "p-3"] {
        let patron = library.patron(reader, json!({})).await;
        let request = library.ask("Recall", &item, &patron, json!({})).await.expect(201).json();
        due.push(request["loan"]["dueDate"].clone());
    }
    assert_eq!(due[0], due[1]);
    let loans = library.desk.query("/loan-storage/loans", &format!("itemId=={item}")).await.json();
    let loan = &loans["loans"][0];
    assert_eq!(loan["action"], "recallrequested");
    assert_eq!(loan["dueDateChangedByRecall"], true);
    assert_eq!(instant(&loan["dueDate"]), instant(&due[0]));
}

#[tokio::test]
async fn impossible_requests_are_refused() {
    let library = LendingLibrary::new().await;
    let item = library.item("i-1", json!({})).await;
    let patron = library.patron("p-1", json!({})).await;
    let odd = library.ask("Page", &item, &patron, json!({"status": "Lost"})).await.expect(400);
    assert!(odd.text.starts_with("Request status must be one of the following: \"Open - Not yet filled\", "));
    library.ask("Page", "no-id", &patron, json!({})).await.expect(422);
    library.ask("Page", &item, &patron, json!({"surprise": 1})).await.expect(422);
    let unknown = library.ask("Page", &item, &library.location, json!({})).await.expect(422);
    assert_eq!(
        unknown.json()["errors"][0],
        json!({"message": "A valid user and patron group are required. User is null",
            "parameters": [{"key": "userId", "value": library.location}]})
    );
    assert_eq!(library.item_status(&item).await, "Available");
    for path in [format!("{PATH}/x"), format!("{PATH}/{item}")] {
        library.desk.delete(&path).await.expect(404);
    }
}

#[tokio::test]
async fn a_blocked_patron_can_request_with_an_override_only() {
    let library = LendingLibrary::new().await;
    let item = library.item("i-1", json!({})).await;
    let patron = library.patron("p-1", json!({})).await;
    let block = json!({"userId": patron, "type": "Manual", "desc": "Owes a book", "borrowing": false,
        "renewals": false, "requests": true});
    library.desk.create("/manualblocks", &block).await;
    let refused = library.ask("Page", &item, &patron, json!({})).await.expect(422);
    assert_eq!(
        refused.json()["errors"],
        json!([{"message": "Patron blocked from requesting", "code": "USER_IS_BLOCKED_MANUALLY",
            "parameters": [{"key": "reason", "value": "Owes a book"}], "overridableBlock": {"name": "patronBlock",
                "missingPermissions": ["circulation.override-patron-block.post"]}}])
    );
    let overrides = json!({"requestProcessingParameters": {"overrideBlocks": {"patronBlock": {}, "comment": "ok"}}});
    let refused = library.ask("Page", &item, &patron, overrides).await.expect(422);
    assert_eq!(refused.error_messages(), ["Insufficient override permissions"]);
}

#[tokio::test]
async fn a_cancelled_request_leaves_its_queue() {
    let library = LendingLibrary::new().await;
    library.patron("p-1", json!({})).await;
    let item = library.on_loan("i-1", "p-1").await;
    let mut requests = Vec::new();
    for reader in ["p-2", "p-3", "p-4"] {
        let patron = library.patron(reader, json!({})).await;
        requests.push(library.ask("Hold", &item, &patron, json!({})).await.expect(201).json());
    }
    let mut first = requests.remove(0);
    first["status"] = "Closed - Cancelled".into();
    let path = format!("{PATH}/{}", id(&first));
    let mut rewritten = first.clone();
    rewritten["patronComments"] = "another".into();
    let refused = library.desk.put(&path, &rewritten).await.expect(422);
    assert_eq!(refused.error_messages(), ["Patron comments are not allowed to change"]);
    let mut unfounded = first.clone();
    unfounded["cancellationReasonId"] = library.location.clone().into();
    for path in [path.clone(), format!("{STORED}/{}", id(&first))] {
        let mut unfounded = unfounded.clone();
        if path.starts_with(STORED) {
            let shown = ["loan", "pickupServicePoint", "item", "instance", "requester"];
            let record = unfounded.as_object_mut().expect("a record");
            record.retain(|member, _| !shown.contains(&member.as_str()));
        }
        let refused = library.desk.put(&path, &unfounded).await.expect(422);
        let error = &refused.json()["errors"][0];
        assert_eq!(error["message"], "Cancellation reason does not exist");
        assert_eq!(error["code"], "INVALID_CANCELLATION_REASON");
    }
    let cancelled = library.desk.put(&path, &first).await.expect(204);
    assert_eq!(cancelled.round_trips(), 2);
    let stored = library.stored(STORED, &id(&first)).await;
    assert_eq!((stored.get("position"), &stored["status"]), (None, &json!("Closed - Cancelled")));
    let expected = [(id(&requests[0]), 1), (id(&requests[1]), 2)];
    assert_eq!(library.waiting("item", &item).await, expected);
    let again = library.desk.put(&path, &first).await.expect(422);
    assert_eq!(again.json()["errors"][0]["code"], "REQUEST_ALREADY_CLOSED");

    library.desk.delete(&format!("{PATH}/{}", id(&requests[0]))).await.expect(204);
    assert_eq!(library.waiting("item", &item).await, [(id(&requests[1]), 1)]);
    library.desk.delete(PATH).await.expect(204);
    assert_eq!(library.waiting("item", &item).await, []);
}

#[tokio::test]
async fn a_paged_item_without_requests_is_available_again() {
    let library = LendingLibrary::new().await;
    let patron = library.patron("p-1", json!({})).await;
    for delete in [true, false] {
        let item = library.item(&format!("i-{delete}"), json!({})).await;
        let mut request = library.ask("Page", &item, &patron, json!({})).await.expect(201).json();
        let path = format!("{PATH}/{}", id(&request));
        if delete {
            library.desk.delete(&path).await.expect(204);
        } else {
            request["status"] = "Closed - Cancelled".into();
            library.desk.put(&path, &request).await.expect(204);
        }
        assert_eq!(library.item_status(&item).await, "Available", "{delete}");
    }
}

#[tokio::test]
async fn a_request_leaving_the_shelf_keeps_the_date_and_the_item_stays() {
    let library = LendingLibrary::new().await;
    let item = library.item("i-1", json!({})).await;
    let patron = library.patron("p-1", json!({})).await;
    let request = id(&library.ask("Page", &item, &patron, json!({})).await.expect(201).json());
    library.check_in("i-1", json!({})).await.expect(200);
    let path = format!("{PATH}/{request}");
    let mut shelved = library.desk.get(&path).await.expect(200).json();
    shelved["status"] = "Closed - Cancelled".into();
    library.desk.put(&path, &shelved).await.expect(204);
    assert_eq!(library.item_status(&item).await, "Awaiting pickup");
    let stored = library.stored(STORED, &request).await;
    assert_eq!(stored["awaitingPickupRequestClosedDate"], stored["metadata"]["updatedDate"]);
}

#[tokio::test]
async fn a_put_places_an_unknown_request() {
    let library = LendingLibrary::new().await;
    let item = library.item("i-1", json!({})).await;
    let patron = library.patron("p-1", json!({})).await;
    let body = json!({"requestLevel": "Item", "requestType": "Page", "itemId": item, "instanceId": library.instance,
        "holdingsRecordId": library.holdings, "requesterId": patron, "requestDate": "2026-11-01T00:00:00Z",
        "fulfillmentPreference": "Hold Shelf", "pickupServicePointId": library.service_point});
    let new = "00000000-0000-4000-8000-00000000abcd";
    library.desk.put(&format!("{PATH}/{new}"), &body).await.expect(204);
    assert_eq!(library.waiting("item", &item).await, [(new.to_owned(), 1)]);
}

#[tokio::test]
async fn only_a_new_request_may_omit_the_level() {
    let library = LendingLibrary::new().await;
    let item = library.item("i-1", json!({})).await;
    let patron = library.patron("p-1", json!({})).await;
    let items_only = json!({"requestLevel": null, "instanceId": null, "holdingsRecordId": null});
    let placed = library.ask("Page", &item, &patron, items_only).await;
    let placed = placed.expect(201).json();
    assert_eq!(placed["requestLevel"], "Item");
    assert_eq!(placed["instanceId"], library.instance.as_str());

    let mut body = library.stored(STORED, &id(&placed)).await;
    for member in ["requestLevel", "instanceId", "holdingsRecordId"] {
        body.as_object_mut().expect("a request").remove(member);
        for stored in [id(&placed), "00000000-0000-4000-8000-00000000abcd".into()] {
            let path = format!("{PATH}/{stored}");
            let refused = library.desk.put(&path, &body).await.expect(422);
            let error = &refused.json()["errors"][0];
            assert_eq!(error["code"], "REQUEST_LEVEL_IS_NOT_ALLOWED", "{error}");
        }
    }
}
