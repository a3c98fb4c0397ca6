//! Refusals of requests that cannot be placed or moved, and the members of those that can
//! (docs/folio/requests.md#placing-a-request).

use serde_json::{Value, json};

use super::{LendingLibrary, id, requests::instant};

const PATH: &str = "/circulation/requests";

#[tokio::test]
async fn a_print_is_shown_with_the_request_and_who_printed() {
    let library = LendingLibrary::new().await;
    let setting = json!({"name": "printEventLogFeature", "value": {"enablePrintLog": "true"}});
    library.desk.create("/circulation/settings", &setting).await;
    let item = library.item("i-1", json!({})).await;
    let patron = library.patron("p-1", json!({})).await;
    let request = library.ask("Page", &item, &patron, json!({})).await;
    let path = format!("{PATH}/{}", id(&request.expect(201).json()));
    let request = path.rsplit('/').next().unwrap_or_default();
    for day in ["01", "02"] {
        let event = json!({"requestIds": [request], "requesterId": library.librarian,
            "requesterName": "Librarian", "printEventDate": format!("2026-01-{day}T00:00:00Z")});
        let logged = library.desk.post("/circulation/print-events-entry", &event);
        assert_eq!(logged.await.expect(204).round_trips(), 2);
    }
    let mut printed = json!({"printCount": 2, "requesterId": library.librarian, "isPrinted": true,
        "printEventDate": "2026-01-02T00:00:00.000+00:00"});
    let stored = library.stored("/request-storage/requests", request).await;
    assert_eq!(stored["printDetails"], printed);
    let shown = library.desk.get(&path).await.expect(200).json();
    assert_eq!(shown["printDetails"]["lastPrintRequester"], json!({"lastName": "Librarian"}));
    library.desk.put(&path, &shown).await.expect(204);
    let kept = library.desk.get(&path).await.expect(200).json();
    printed["lastPrintRequester"] = json!({"lastName": "Librarian"});
    assert_eq!(kept["printDetails"], printed);
    let queue = library.desk.get(&format!("{PATH}/queue/item/{item}")).await.expect(200).json();
    assert_eq!(queue["requests"][0]["printDetails"], printed);
}

#[tokio::test]
async fn a_waiting_recall_shortens_a_loan_record() {
    let library = LendingLibrary::new().await;
    let item = library.item("i-1", json!({})).await;
    let [one, two] = [library.patron("p-1", json!({})).await, library.patron("p-2", json!({})).await];
    library.check_out("i-1", "p-1", json!({})).await.expect(201);
    for patron in [&one, &two] {
        let kind = if patron == &one { "Hold" } else { "Recall" };
        let member = json!({"requesterId": patron, "requestType": kind});
        library.hold(&item, patron, if kind == "Hold" { 1 } else { 2 }, member).await;
    }
    let checked_out = library.desk.query("/loan-storage/loans", &format!("itemId=={item}")).await.json();
    let first = id(&checked_out["loans"][0]);
    library.desk.delete(&format!("/loan-storage/loans/{first}")).await.expect(204);
    let mut stored = library.stored("/item-storage/items", &item).await;
    stored["status"] = json!({"name": "Available"});
    library.desk.put(&format!("/item-storage/items/{item}"), &stored).await.expect(204);

    let loan = json!({"userId": one, "itemId": item, "loanDate": "2026-11-20T10:00:00Z",
        "dueDate": "2027-06-01T10:00:00Z", "status": {"name": "Open"}, "action": "checkedout"});
    let made = library.desk.post("/circulation/loans", &loan).await.expect(201).json();
    let stored = library.stored("/loan-storage/loans", &id(&made)).await;
    assert_eq!(stored["dueDateChangedByRecall"], true);
    let due = stored["dueDate"].as_str().expect("a date");
    assert!(due < "2027-06-01", "{due}");
    assert_eq!(stored["action"], "checkedout");
}

#[tokio::test]
async fn a_title_that_cannot_be_paged_is_one_error() {
    let library = LendingLibrary::new().await;
    library.allow_titles().await;
    library.item("i-1", json!({"status": {"name": "Missing"}})).await;
    let patron = library.patron("p-1", json!({})).await;
    library.ask_title("Hold", &patron).await.expect(201);
    let refused = library.ask_title("Page", &patron).await.expect(422);
    assert_eq!(
        refused.error_messages(),
        ["Cannot create page TLR for this instance ID - no pageable available items found"]
    );
}

#[tokio::test]
async fn rules_that_fit_no_copy_are_one_error_among_others() {
    let library = LendingLibrary::new().await;
    let patron = library.patron("p-1", json!({})).await;
    library.item("i-1", json!({"status": {"name": "Missing"}})).await;
    library.item("i-2", json!({"materialTypeId": library.map})).await;
    // The request policy of maps no longer exists.
    let gone = json!({"name": "Gone", "requestTypes": ["Page"]});
    let gone = id(&library.desk.create("/request-policy-storage/request-policies", &gone).await);
    let maps = library.policies(&library.loan_policy).replace(&library.request_policy, &gone);
    let rules = library.rules();
    let (kept, _) = rules.rsplit_once('\n').expect("two lines");
    let rules = format!("{kept}\nm {}: {maps}", library.map);
    library.write_rules(&rules).await.expect(204);
    let path = format!("/request-policy-storage/request-policies/{gone}");
    library.desk.delete(&path).await.expect(204);
    let asked = json!({"instanceId": library.instance, "requesterId": patron,
        "requestDate": "2026-11-01T00:00:00Z", "pickupServicePointId": library.service_point});
    let hold = library.desk.post(&format!("{PATH}/instances"), &asked).await;
    assert_eq!(hold.expect(201).json()["requestType"], "Hold");

    let other = library.patron("p-2", json!({})).await;
    let mut asked = asked;
    asked["requesterId"] = json!(other);
    let lost = library.desk.query("/item-storage/items", "barcode==i-1").await.json()["items"][0].clone();
    let mut lost = lost;
    lost["status"] = json!({"name": "Long missing"});
    library.desk.put(&format!("/item-storage/items/{}", id(&lost)), &lost).await.expect(204);
    let refused = library.desk.post(&format!("{PATH}/instances"), &asked).await.expect(422);
    let messages = refused.error_messages();
    assert_eq!(messages.len(), 4, "{messages:?}");
    assert!(messages[0].contains(&gone), "{messages:?}");
}

#[tokio::test]
async fn a_title_level_request_keeps_proxy_tags_and_comments() {
    let library = LendingLibrary::new().await;
    library.allow_titles().await;
    library.item("i-1", json!({})).await;
    let patron = library.patron("p-1", json!({})).await;
    let proxy = library.patron("p-2", json!({})).await;
    let relationship = json!({"userId": patron, "proxyUserId": proxy, "status": "Active",
        "requestForSponsor": "Yes"});
    library.desk.create("/proxiesfor", &relationship).await;
    let asked = json!({"instanceId": library.instance, "requesterId": patron, "proxyUserId": proxy,
        "requestDate": "2026-11-01T00:00:00Z", "pickupServicePointId": library.service_point,
        "tags": {"tagList": ["urgent"]}, "patronComments": "Soon"});
    let placed = library.desk.post(&format!("{PATH}/instances"), &asked).await.expect(201).json();
    assert_eq!(placed["requestLevel"], "Title");
    for member in ["proxyUserId", "tags", "patronComments"] {
        assert_eq!(placed[member], asked[member], "{placed}");
    }
    assert_eq!(placed["proxy"]["barcode"], "p-2");
    let mut odd = asked;
    odd["proxyUserId"] = Value::from("x");
    let refused = library.desk.post(&format!("{PATH}/instances"), &odd).await;
    assert!((400..500).contains(&refused.status), "{}", refused.text);
}

#[tokio::test]
async fn a_request_for_any_copy_needs_its_members() {
    let library = LendingLibrary::new().await;
    let patron = library.patron("p-1", json!({})).await;
    let whole = json!({"instanceId": library.instance, "requesterId": patron,
        "requestDate": "2026-11-01T00:00:00Z", "pickupServicePointId": library.service_point});
    let path = format!("{PATH}/instances");
    for (member, message) in [
        ("requestDate", "Request must have a request date"),
        ("requesterId", "Request must have a requester id"),
        ("instanceId", "Request must have an instance id"),
    ] {
        let mut body = whole.clone();
        body.as_object_mut().expect("an object").remove(member);
        let refused = library.desk.post(&path, &body).await.expect(422);
        assert_eq!(refused.error_messages(), [message]);
        body[member] = json!("not one");
        let odd = library.desk.post(&path, &body).await;
        assert!((400..500).contains(&odd.status), "{member}: {}", odd.text);
    }
    let mut body = whole.clone();
    body["instanceId"] = json!(patron);
    let refused = library.desk.post(&path, &body).await.expect(422);
    assert_eq!(refused.error_messages(), ["There are no holdings for this instance"]);
    for body in [json!([]), json!("text"), Value::Null] {
        let odd = library.desk.post(&path, &body).await;
        assert!((400..500).contains(&odd.status), "{body}: {}", odd.text);
    }
}

#[tokio::test]
async fn all_faults_of_a_service_point_query_are_reported() {
    let library = LendingLibrary::new().await;
    let item = library.item("i-1", json!({})).await;
    let ask = |query: String| {
        let path = format!("{PATH}/allowed-service-points?{query}");
        let client = library.desk.clone();
        async move { client.get(&path).await }
    };
    for (query, expected) in [
        (format!("operation=create&patronGroupId=x&itemId={item}"), "Patron Group ID is not a valid UUID: x."),
        (
            "operation=create&requesterId=x&itemId=y".to_owned(),
            "Requester ID is not a valid UUID: x. Item ID is not a valid UUID: y.",
        ),
        (
            format!("operation=create&patronGroupId={}&itemId={item}&useStubItem=perhaps", library.group),
            "useStubItem is not a valid boolean: perhaps.",
        ),
    ] {
        assert_eq!(ask(query).await.expect(400).text, expected);
    }
    let known = format!("operation=create&patronGroupId={}&itemId={item}", library.group);
    let types = |answer: Value| {
        let types = answer.as_object().expect("an object").keys().cloned();
        types.collect::<Vec<_>>()
    };
    let of_item = ask(known.clone()).await.expect(200).json();
    assert_eq!(types(of_item), ["Page"]);
    let of_any = ask(format!("{known}&useStubItem=true")).await.expect(200);
    assert_eq!(types(of_any.json()), ["Hold", "Recall", "Page"]);
}

#[tokio::test]
async fn a_delivery_goes_to_the_requesters_address() {
    let library = LendingLibrary::new().await;
    let item = library.item("i-1", json!({})).await;
    let kind = id(&library.desk.create("/addresstypes", &json!({"addressType": "Home"})).await);
    let address = json!({"addressTypeId": kind, "addressLine1": "1 Main Street", "city": "Town"});
    let personal = json!({"personal": {"lastName": "Reader", "addresses": [address]}});
    let patron = library.patron("p-1", personal).await;
    let delivery = json!({"fulfillmentPreference": "Delivery", "deliveryAddressTypeId": kind,
        "pickupServicePointId": null});
    let placed = library.ask("Page", &item, &patron, delivery).await.expect(201).json();
    assert_eq!(placed["deliveryAddress"], address);
    assert_eq!(placed.get("pickupServicePoint"), None);
    let read = library.stored(PATH, &id(&placed)).await;
    assert_eq!(read["deliveryAddress"], address);
    library.check_in("i-1", json!({})).await.expect(200);
    let read = library.stored(PATH, &id(&placed)).await;
    assert_eq!(read["status"], "Open - Awaiting delivery");
}

#[tokio::test]
async fn a_recall_moved_to_another_loan_recalls_that_loan() {
    let library = LendingLibrary::new().await;
    let mut items = Vec::new();
    for number in [1, 2] {
        let (item, reader) = (format!("i-{number}"), format!("p-{number}"));
        items.push(library.item(&item, json!({})).await);
        library.patron(&reader, json!({})).await;
        library.check_out(&item, &reader, json!({})).await.expect(201);
    }
    let patron = library.patron("p-3", json!({})).await;
    let recall = library.ask("Recall", &items[0], &patron, json!({})).await;
    let path = format!("{PATH}/{}/move", id(&recall.expect(201).json()));
    let to = json!({"destinationItemId": items[1], "requestType": "Recall"});
    let moved = library.desk.post(&path, &to).await.expect(200).json();
    assert_eq!(moved["itemId"], json!(items[1]));
    assert_eq!((&moved["requestType"], &moved["position"]), (&json!("Recall"), &json!(1)));
    let loans = format!("itemId=={}", items[1]);
    let loans = library.desk.query("/loan-storage/loans", &loans).await.json();
    assert_eq!(loans["loans"][0]["action"], "recallrequested");
    assert_eq!(loans["loans"][0]["dueDateChangedByRecall"], true);
    let due = [&moved["loan"]["dueDate"], &loans["loans"][0]["dueDate"]];
    assert_eq!(instant(due[0]), instant(due[1]));
}

#[tokio::test]
async fn a_page_of_a_title_moves_to_another_copy_but_not_to_its_own() {
    let library = LendingLibrary::new().await;
    library.allow_titles().await;
    let items = [library.item("i-1", json!({})).await, library.item("i-2", json!({})).await];
    let patron = library.patron("p-1", json!({})).await;
    let page = library.ask_title("Page", &patron).await.expect(201).json();
    let from = page["itemId"].as_str().expect("an item").to_owned();
    let to = items.iter().find(|item| **item != from).expect("another");
    let path = format!("{PATH}/{}/move", id(&page));
    let own = json!({"destinationItemId": from, "requestType": "Recall"});
    let refused = library.desk.post(&path, &own).await.expect(422).json();
    let error = &refused["errors"][0];
    assert_eq!(
        (&error["message"], &error["code"]),
        (
            &json!("Not allowed to move title level page request to the same item"),
            &json!("MOVING_REQUEST_TO_THE_SAME_ITEM")
        )
    );
    let moved = library.desk.post(&path, &json!({"destinationItemId": to})).await;
    let moved = moved.expect(200).json();
    assert_eq!((&moved["itemId"], &moved["position"]), (&json!(to), &json!(1)));
    assert_eq!((&moved["requestLevel"], &moved["requestType"]), (&json!("Title"), &json!("Page")));
    for (item, status) in [(&from, "Available"), (to, "Paged")] {
        let item = library.stored("/item-storage/items", item).await;
        assert_eq!(item["status"]["name"], status);
    }
}

#[tokio::test]
async fn refusals_of_a_request_come_before_its_invalid_id() {
    let library = LendingLibrary::new().await;
    let patron = library.patron("p-1", json!({})).await;
    let item = library.item("i-1", json!({})).await;
    let odd = json!({"id": "#(requestId)"});
    let hold = library.ask("Hold", &item, &patron, odd.clone()).await;
    let refused = hold.expect(422).error_messages();
    assert!(!refused.iter().any(|message| message.contains("must match")), "{refused:?}");
    let page = library.ask("Page", &item, &patron, odd).await;
    assert_eq!(page.expect(422).json()["errors"][0]["parameters"][0]["key"], "id");
}

#[tokio::test]
async fn the_items_holdings_replace_those_in_the_body() {
    let library = LendingLibrary::new().await;
    let patron = library.patron("p-1", json!({})).await;
    let item = library.item("i-1", json!({})).await;
    let odd = json!({"holdingsRecordId": "#(holdingsRecordId)"});
    let page = library.ask("Page", &item, &patron, odd.clone()).await;
    let mut page = page.expect(201).json();
    let holdings = page["holdingsRecordId"].clone();
    assert_ne!(holdings, odd["holdingsRecordId"]);
    page["holdingsRecordId"] = odd["holdingsRecordId"].clone();
    page["status"] = json!("Closed - Cancelled");
    let path = format!("{PATH}/{}", id(&page));
    library.desk.put(&path, &page).await.expect(204);
    let kept = library.desk.get(&path).await.expect(200).json();
    assert_eq!(kept["holdingsRecordId"], holdings);
}
