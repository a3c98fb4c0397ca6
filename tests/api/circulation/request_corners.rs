//! Corner cases of requests that FOLIO's clients rely on (docs/folio/requests.md, docs/folio/slips-and-reports.md).

use serde_json::{Value, json};

use super::{LendingLibrary, id};

const PATH: &str = "/circulation/requests";

fn members(object: &Value) -> Vec<&str> {
    let object = object.as_object().expect("an object");
    object.keys().map(String::as_str).collect()
}

#[tokio::test]
async fn a_title_level_page_uses_a_copy_at_the_requested_location() {
    let library = LendingLibrary::new().await;
    library.allow_titles().await;
    // The codes of the location, its library, campus and institution.
    for code in ["st", "m", "c", "u"] {
        let item = library.item(&format!("i-{code}"), json!({})).await;
        let patron = library.patron(&format!("p-{code}"), json!({})).await;
        let place = json!({"requestLevel": "Title", "itemId": null, "holdingsRecordId": null,
            "itemLocationCode": code});
        let placed = library.ask("Page", "", &patron, place).await.expect(201);
        assert_eq!(placed.json()["itemId"], json!(item), "{code}");
    }
    library.item("i-5", json!({})).await;
    let patron = library.patron("p-5", json!({})).await;
    let place = json!({"requestLevel": "Title", "itemId": null, "holdingsRecordId": null,
        "itemLocationCode": "nowhere"});
    let refused = library.ask("Page", "", &patron, place).await.expect(422);
    assert_eq!(
        refused.json()["errors"],
        json!([{"message": "Cannot create page TLR for this instance ID - no pageable available items found \
                            in requested location",
            "parameters": [{"key": "itemLocationCode", "value": "nowhere"}]}])
    );
}

#[tokio::test]
async fn a_page_without_a_title_is_refused() {
    let library = LendingLibrary::new().await;
    library.allow_titles().await;
    let item = library.item("i-1", json!({})).await;
    let patron = library.patron("p-1", json!({})).await;
    let titleless = json!({"requestLevel": "Title", "instanceId": null});
    let refused = library.ask("Page", &item, &patron, titleless).await;
    assert_eq!(
        refused.expect(422).json()["errors"],
        json!([{"message": "Cannot create page TLR for this instance ID - no pageable available items found",
            "parameters": [{"key": "instanceId", "value": null}]}])
    );
}

#[tokio::test]
async fn a_request_is_shown_with_what_folio_shows() {
    let library = LendingLibrary::new().await;
    let item = library.item("i-1", json!({"volume": "v.1", "enumeration": "e", "copyNumber": "2"})).await;
    library.patron("p-1", json!({})).await;
    library.check_out("i-1", "p-1", json!({})).await.expect(201);
    let patron = library.patron("p-2", json!({})).await;
    let dates = json!({"requestExpirationDate": "2027-07-30", "holdShelfExpirationDate": "2027-08-31"});
    let placed = library.ask("Hold", &item, &patron, dates).await.expect(201).json();
    let path = format!("{PATH}/queue/item/{item}");
    let queue = library.desk.get(&path).await.expect(200).json();
    for shown in [&placed, &queue["requests"][0]] {
        assert_eq!(
            members(&shown["instance"]),
            ["title", "identifiers", "contributorNames", "publication", "editions"]
        );
        assert_eq!(members(&shown["requester"]), ["lastName", "firstName", "barcode", "patronGroup", "patronGroupId"]);
        assert_eq!(
            members(&shown["pickupServicePoint"]),
            ["name", "code", "discoveryDisplayName", "description", "shelvingLagTime", "pickupLocation"]
        );
        let due = shown["loan"]["dueDate"].as_str().expect("a date");
        assert!(due.ends_with("T23:59:59.000Z"), "{due}");
    }
    assert_eq!(placed["requestExpirationDate"], "2027-07-30T23:59:59.000+00:00");
}

#[tokio::test]
async fn requests_for_deleted_items_and_patrons_can_be_closed() {
    let library = LendingLibrary::new().await;
    let mut requests = Vec::new();
    for number in 1..=4 {
        let item = library.item(&format!("i-{number}"), json!({})).await;
        let patron = library.patron(&format!("p-{number}"), json!({})).await;
        let placed = library.ask("Page", &item, &patron, json!({})).await.expect(201);
        requests.push(placed.json());
    }
    for request in &requests[..2] {
        let path = format!("/item-storage/items/{}", request["itemId"].as_str().expect("an id"));
        library.desk.delete(&path).await.expect(204);
    }
    for request in &requests[2..] {
        let path = format!("/users/{}", request["requesterId"].as_str().expect("an id"));
        library.desk.delete(&path).await.expect(204);
    }
    for request in [&requests[0], &requests[2]] {
        let path = format!("{PATH}/{}", id(request));
        library.desk.delete(&path).await.expect(204);
    }
    for (request, lost) in [(&requests[1], "item"), (&requests[3], "requester")] {
        let path = format!("{PATH}/{}", id(request));
        let mut changed = request.clone();
        changed["status"] = "Closed - Cancelled".into();
        library.desk.put(&path, &changed).await.expect(204);
        let shown = library.desk.get(&path).await.expect(200).json();
        assert_eq!(shown.get(lost), None, "{shown}");
        assert_eq!(shown["status"], "Closed - Cancelled");
    }
}

#[tokio::test]
async fn requests_without_a_position_can_be_cancelled() {
    let library = LendingLibrary::new().await;
    let item = library.item("i-1", json!({})).await;
    library.patron("p-1", json!({})).await;
    library.check_out("i-1", "p-1", json!({})).await.expect(201);
    let mut held = Vec::new();
    for reader in ["p-2", "p-3"] {
        let patron = library.patron(reader, json!({})).await;
        let request = json!({"requestLevel": "Item", "requestType": "Hold", "itemId": item,
            "instanceId": library.instance, "holdingsRecordId": library.holdings, "requesterId": patron,
            "requestDate": "2026-11-01T00:00:00Z", "status": "Open - Not yet filled",
            "fulfillmentPreference": "Hold Shelf", "pickupServicePointId": library.service_point});
        held.push(library.desk.create("/request-storage/requests", &request).await);
    }
    for mut request in held {
        let path = format!("{PATH}/{}", id(&request));
        request.as_object_mut().expect("an object").remove("metadata");
        request["status"] = "Closed - Cancelled".into();
        library.desk.put(&path, &request).await.expect(204);
    }
    assert_eq!(library.waiting("item", &item).await, []);
}

#[tokio::test]
async fn unknown_service_points_do_not_prevent_a_check_in() {
    let library = LendingLibrary::new().await;
    let nowhere = "00000000-0000-4000-8000-000000000bad";
    for (barcode, request) in [("i-1", true), ("i-2", false)] {
        let item = library.item(barcode, json!({})).await;
        let desk = match request {
            true => {
                let patron = library.patron("p-1", json!({})).await;
                let placed = library.ask("Page", &item, &patron, json!({})).await.expect(201);
                let path = format!("/request-storage/requests/{}", id(&placed.json()));
                let mut stored = library.desk.get(&path).await.expect(200).json();
                stored["pickupServicePointId"] = nowhere.into();
                library.desk.put(&path, &stored).await.expect(204);
                library.service_point.as_str()
            }
            false => nowhere,
        };
        let returned = library.check_in(barcode, json!({"servicePointId": desk})).await;
        assert_eq!(returned.expect(200).json()["item"]["status"]["name"], "In transit");
    }
    let path = "/inventory-reports/items-in-transit";
    let report = library.desk.get(path).await.expect(200).json();
    assert_eq!(report["totalRecords"], 2, "{report}");
}

#[tokio::test]
async fn the_in_transit_report_has_circulations_date_format() {
    let library = LendingLibrary::new().await;
    let item = library.item("i-1", json!({})).await;
    library.patron("p-1", json!({})).await;
    library.check_out("i-1", "p-1", json!({})).await.expect(201);
    let other = library.patron("p-2", json!({})).await;
    let elsewhere = json!({"pickupServicePointId": library.branch, "requestExpirationDate": "2027-01-01"});
    library.ask("Hold", &item, &other, elsewhere).await.expect(201);
    library.check_in("i-1", json!({})).await.expect(200);
    let path = "/inventory-reports/items-in-transit";
    let report = library.desk.get(path).await.expect(200).json();
    let shown = &report["items"][0];
    for date in [
        &shown["request"]["requestDate"],
        &shown["request"]["requestExpirationDate"],
        &shown["loan"]["checkInDateTime"],
        &shown["lastCheckIn"]["dateTime"],
    ] {
        let date = date.as_str().expect("a date");
        assert!(date.ends_with(".000Z") || date.len() == 24, "{date}");
        assert!(date.ends_with('Z'), "{date}");
    }
}

#[tokio::test]
async fn requests_are_found_by_the_staff_pages_queries() {
    let library = LendingLibrary::new().await;
    let mut requests = Vec::new();
    for (number, shelf) in [("1", "FAT-5355CN"), ("2", "FAT5355CN")] {
        let call_number = json!({"itemLevelCallNumber": shelf, "itemLevelCallNumberPrefix": "itemPref",
            "itemLevelCallNumberSuffix": "itemSuf"});
        let item = library.item(&format!("FAT-ITEM-{number}"), call_number).await;
        let patron = library.patron(&format!("requester-{number}"), json!({})).await;
        let placed = library.ask("Page", &item, &patron, json!({})).await.expect(201);
        requests.push(id(&placed.json()));
    }
    let typed = |text: &str| {
        format!(
            "((id==\"{text}\" or requesterId==\"{text}\" or requester.barcode==\"{text}*\" or instance.title=\"{text}*\" \
             or instanceId=\"{text}*\" or item.barcode=\"{text}*\" or itemId==\"{text}\" or itemIsbn==\"{text}\" \
             or searchIndex.callNumberComponents.callNumber==\"{text}*\" or fullCallNumberIndex==\"{text}*\")) \
             sortby requestDate"
        )
    };
    let both = [requests[0].clone(), requests[1].clone()];
    for (query, found) in [
        ("searchIndex.callNumberComponents.callNumber==FAT-5*".to_owned(), &both[..1]),
        ("searchIndex.callNumberComponents.callNumber==FAT*".to_owned(), &both[..]),
        ("fullCallNumberIndex==itemPref FAT-5355CN itemSuf".to_owned(), &both[..1]),
        ("fullCallNumberIndex==itemPref FAT5355CN itemSuf".to_owned(), &both[1..]),
        (format!("id==({} OR {})", both[0], both[1]), &both[..]),
        ("printDetails.isPrinted==true".to_owned(), &both[..0]),
        (typed("FAT-ITEM-1"), &both[..1]),
        (typed(&both[1]), &both[1..]),
        (typed("requester-1"), &both[..1]),
        (typed("A ti"), &both[..]),
        (
            "requestLevel==Item AND requestType==Page sortby searchIndex.shelvingOrder/sort.descending".to_owned(),
            &both[..],
        ),
    ] {
        let answer = library.desk.query(PATH, &query).await.expect(200).json();
        let mut ids: Vec<String> = answer["requests"].as_array().expect("requests").iter().map(id).collect();
        ids.sort();
        let mut found = found.to_vec();
        found.sort();
        assert_eq!(ids, found, "{query}");
    }
}

/// The dialog "Move request" of ui-requests puts a quote after its query.
#[tokio::test]
async fn requests_are_found_by_a_query_with_a_stray_quote() {
    let library = LendingLibrary::new().await;
    let (item, other) = (library.item("i-1", json!({})).await, library.item("i-2", json!({})).await);
    let patron = library.patron("p-1", json!({})).await;
    let placed = library.ask("Page", &item, &patron, json!({})).await.expect(201).json();
    library.ask("Page", &other, &patron, json!({})).await.expect(201);
    let open = "status==\"Open - Not yet filled\" or status==\"Open - Awaiting pickup\"";
    let found = library.desk.query(PATH, &format!("(itemId=={item}) and ({open})\")")).await.expect(200).json();
    assert_eq!((&found["totalRecords"], &found["requests"][0]["id"]), (&json!(1), &placed["id"]));
    library.desk.query(PATH, &format!("(itemId=={item} and ({open})\")")).await.expect(400);
}

#[tokio::test]
async fn requests_are_found_by_the_isbns_of_their_title() {
    let library = LendingLibrary::new().await;
    let path = format!("/instance-storage/instances/{}", library.instance);
    let (valid, invalid) = ("8261054f-be78-422d-bd51-4ed9f33c3422", "fcca2643-406a-482a-b760-7a7f8aec640e");
    let identifiers = json!([{"value": "978-0-552-16754-3 (pbk.)", "identifierTypeId": valid},
        {"value": "0552167541", "identifierTypeId": valid}, {"value": "1234567890", "identifierTypeId": invalid}]);
    let mut instance = library.desk.get(&path).await.expect(200).json();
    instance["identifiers"] = identifiers;
    library.desk.put(&path, &instance).await.expect(204);
    let item = library.item("i-1", json!({})).await;
    let patron = library.patron("p-1", json!({})).await;
    library.ask("Page", &item, &patron, json!({})).await.expect(201);
    for (term, found) in [
        ("9780552167543", 1),
        ("978-0-552-16754-3", 1),
        ("97805521*", 1),
        ("978-0-552*", 1),
        ("0-552-16754-1", 1),
        ("552167543", 0),
        ("1234567890", 0),
    ] {
        for path in [PATH, "/request-storage/requests"] {
            let list = library.desk.query(path, &format!("itemIsbn=\"{term}\"")).await.expect(200).json();
            assert_eq!(list["totalRecords"], found, "{path} {term}");
        }
    }
}

#[tokio::test]
async fn a_request_may_name_a_title_other_than_its_items() {
    let library = LendingLibrary::new().await;
    let other = library.stored("/instance-storage/instances", &library.instance).await;
    let other = json!({"title": "Another title", "source": "local", "instanceTypeId": other["instanceTypeId"]});
    let other = id(&library.desk.create("/instance-storage/instances", &other).await);
    let item = library.item("i-1", json!({})).await;
    library.patron("p-1", json!({})).await;
    library.check_out("i-1", "p-1", json!({})).await.expect(201);
    let mut order = Vec::new();
    for (number, position) in [(2, 2), (3, 1)] {
        let patron = library.patron(&format!("p-{number}"), json!({})).await;
        let placed = library.ask("Hold", &item, &patron, json!({"instanceId": other})).await;
        let placed = placed.expect(201).json();
        assert_eq!((&placed["position"], &placed["instanceId"]), (&json!(number - 1), &json!(other)));
        order.push(json!({"id": placed["id"], "newPosition": position}));
    }
    let path = format!("{PATH}/queue/item/{item}/reorder");
    let body = json!({"reorderedQueue": order});
    library.desk.post(&path, &body).await.expect(200);
    let waiting = library.waiting("item", &item).await;
    assert_eq!(waiting[0].0, order[1]["id"]);
    library.check_in("i-1", json!({})).await.expect(200);
    library.check_out("i-1", "p-3", json!({})).await.expect(201);
}
