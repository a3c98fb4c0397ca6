//! A box on its way: made, paged, lent to a reader, returned; and what a library sees of it.

use super::*;

#[tokio::test]
async fn nothing_is_an_item_before_an_administrator_says_so() {
    let room = ReadingRoom::closed().await;
    let one = room.container("1", "b1").await;
    assert_eq!(room.items("b1").await, Vec::<Value>::new());
    assert_eq!(room.get(&one).await.get("circulation"), None);
    let off = room.admin.get(&room.path()).await.expect(404).json();
    assert_eq!(off["error"], "The containers of this repository do not circulate");
    user(&room.lending.library, "reader", &[]).await;
    let other = signed_in(&room.lending.library, "reader").await;
    other.post(&room.path(), &json!({})).await.expect(403);
    other.delete(&room.path()).await.expect(403);
    let search = format!("{}/search?page=1&type[]=top_container", room.repository);
    let circulates = async || {
        let found = room.get(&search).await;
        let record = found["results"][0]["json"].as_str().expect("a record").to_owned();
        serde_json::from_str::<Value>(&record).expect("a record").get("circulation").is_some()
    };
    assert!(!circulates().await);
    // Existing ones become items with the switch, later ones when they are saved.
    let none = json!({"status": "Updated", "items": 1});
    let opened = room.open(json!({})).await.expect(200);
    assert_eq!((opened.json(), opened.round_trips()), (none, 1));
    assert!(circulates().await);
    room.container("2", "b2").await;
    room.add(&format!("{}/top_containers", room.repository), &json!({"indicator": "3"})).await;
    let circulation = room.circulation().await;
    assert_eq!((&circulation["items"], &circulation["location_id"]), (&json!(2), &json!(room.lending.location)));
    for barcode in ["b1", "b2"] {
        assert_eq!(room.item(barcode).await["status"]["name"], "Available");
    }
    room.agrees().await;
    room.admin.delete(&room.path()).await.expect(200);
    assert_eq!(room.items("b1").await, Vec::<Value>::new());
    assert_eq!(room.get(&one).await.get("circulation"), None);
    room.admin.delete(&room.path()).await.expect(404);
    let titles = room.lending.desk.query("/instance-storage/instances", "source==ARCHIVES").await.expect(200).json();
    assert_eq!(titles["totalRecords"], 0);
    // A repository with a history of boxes can be deleted.
    room.open(json!({})).await.expect(200);
    let containers = room.get(&format!("{}/top_containers?all_ids=true", room.repository)).await;
    for container in containers.as_array().expect("a list") {
        room.admin.delete(&format!("{}/top_containers/{container}", room.repository)).await.expect(200);
    }
    room.admin.delete(&room.repository).await.expect(200);
    let titles = room.lending.desk.query("/instance-storage/instances", "source==ARCHIVES").await.expect(200).json();
    assert_eq!(titles["totalRecords"], 0);
}

#[tokio::test]
async fn a_box_is_an_item_with_what_the_archives_say_of_it() {
    let room = ReadingRoom::new().await;
    let annex = json!({"name": "Annex", "code": "an", "primaryServicePoint": room.lending.branch,
        "servicePointIds": [room.lending.branch]});
    let mut location = room.lending.stored("/locations", &room.lending.location).await;
    for (name, value) in annex.as_object().expect("an object") {
        location[name] = value.clone();
    }
    location.as_object_mut().expect("an object").remove("id");
    let annex = id(&room.lending.desk.create("/locations", &location).await);
    let buildings = json!([{"building": "Annex", "location_id": annex}]);
    room.open(json!({"buildings": buildings})).await.expect(200);
    let shelf = json!({"building": "Annex", "coordinate_1_label": "Shelf", "coordinate_1_indicator": "7"});
    let shelf = room.add("/locations", &shelf).await;
    let sent = json!({"indicator": "3", "type": "box", "barcode": "b3",
        "container_locations": [{"ref": shelf, "status": "current", "start_date": "2020-01-01"}]});
    let one = room.add(&format!("{}/top_containers", room.repository), &sent).await;
    // In no collection yet, it is one of the repository's.
    let (_, instance) = room.above(&room.item("b3").await).await;
    assert_eq!(instance["title"], "Containers of Manuscripts");
    let papers = room.collection("MS 1").await;
    room.file(&papers, &one).await;
    let item = room.item("b3").await;
    let (holdings, instance) = room.above(&item).await;
    assert_eq!((&instance["title"], &instance["source"]), (&json!("Papers MS 1"), &json!("ARCHIVES")));
    assert_eq!(
        (&instance["discoverySuppress"], &instance["electronicAccess"][0]["uri"]),
        (&json!(true), &json!(papers))
    );
    assert_eq!((&holdings["callNumber"], &holdings["effectiveLocationId"]), (&json!("MS 1"), &json!(annex)));
    assert_eq!(item["volume"], "Box 3");
    assert_eq!(item["displaySummary"], "Box 3, Annex [Shelf: 7]");
    assert_eq!(item["effectiveLocationId"], json!(annex));
    assert_eq!(item["effectiveShelvingOrder"], "MS 1 Box 3");
    assert_eq!(item["electronicAccess"], json!([{"uri": one, "linkText": "Archival record"}]));
    assert_eq!(item["materialTypeId"], json!(room.material_type));
    assert_eq!(item["permanentLoanTypeId"], json!(room.loan_type));
    let shown = room.get(&one).await["circulation"].clone();
    assert_eq!(
        (&shown["status"], &shown["location"], &shown["requests"]),
        (&json!("Available"), &json!("Annex"), &json!(0))
    );
    assert_eq!(shown["item_id"], item["id"]);
    room.agrees().await;
    // Types that the library already has, and locations that it has not.
    let unknown = uuid::Uuid::new_v4();
    let refused = room.open(json!({"material_type_id": unknown})).await.expect(400).json();
    assert_eq!(refused, json!({"error": {"material_type_id": ["The inventory has no such record"]}}));
    let refused = room.open(json!({"location_id": "x"})).await.expect(400).json();
    assert_eq!(refused, json!({"error": {"location_id": ["Must be the id of a record of the inventory"]}}));
    room.open(json!({"material_type_id": room.lending.map})).await.expect(200);
    assert_eq!(room.item("b3").await["materialTypeId"], json!(room.lending.map));
    // With other locations boxes move, and leave no empty holdings behind.
    room.open(json!({"buildings": []})).await.expect(200);
    assert_eq!(room.item("b3").await["effectiveLocationId"], json!(room.lending.location));
    let of_instance = format!("instanceId=={}", id(&instance));
    let holdings = room.lending.desk.query("/holdings-storage/holdings", &of_instance).await.expect(200).json();
    assert_eq!(holdings["totalRecords"], 1);
    room.agrees().await;
}

#[tokio::test]
async fn a_box_is_paged_read_and_put_back() {
    let room = ReadingRoom::new().await;
    let desk = &room.lending;
    let (reader, other) = (desk.patron("p-1", json!({})).await, desk.patron("p-2", json!({})).await);
    let one = room.container("3", "b3").await;
    let papers = room.collection("MS 1").await;
    room.file(&papers, &one).await;
    // Boxes are read for a day, books are lent for three weeks.
    let day = json!({"name": "Reading room day", "loanable": true, "renewable": false, "loansPolicy": {
        "profileId": "Rolling", "period": {"duration": 1, "intervalId": "Days"},
        "closedLibraryDueDateManagementId": "CURRENT_DUE_DATE"}});
    let day = id(&desk.desk.create("/loan-policy-storage/loan-policies", &day).await);
    let rules = format!("{}\nm {} + t {}: {}", desk.rules(), room.material_type, room.loan_type, desk.policies(&day));
    desk.write_rules(&rules).await.expect(204);
    let state = |name: &'static str| {
        let (room, one) = (&room, one.clone());
        async move { room.get(&one).await["circulation"][name].clone() }
    };
    let request = room.ask("b3", &reader).await.expect(201).json();
    assert_eq!((&request["requestType"], &request["status"]), (&json!("Page"), &json!("Open - Not yet filled")));
    assert_eq!((state("status").await, state("requests").await), (json!("Paged"), json!(1)));
    let slips = desk.desk.get(&format!("/circulation/pick-slips/{}", desk.service_point)).await.expect(200).json();
    let slip = &slips["pickSlips"][0]["item"];
    assert_eq!(slip["displaySummary"], "Box 3");
    assert_eq!(
        (&slip["title"], &slip["barcode"], &slip["volume"]),
        (&json!("Papers MS 1"), &json!("b3"), &json!("Box 3"))
    );
    // Somebody else also wants it.
    let mut second = room.ask("b3", &other).await;
    assert_eq!(second.status, 422, "a page of a paged item");
    let hold = {
        let item = room.item("b3").await;
        let (holdings, instance) = room.above(&item).await;
        json!({"requestLevel": "Item", "requestType": "Hold", "itemId": item["id"], "instanceId": instance["id"],
            "holdingsRecordId": holdings["id"], "requesterId": other, "requestDate": "2026-11-01T00:00:00Z",
            "fulfillmentPreference": "Hold Shelf", "pickupServicePointId": desk.branch})
    };
    second = desk.desk.post("/circulation/requests", &hold).await;
    second.expect(201);
    // The box comes to the reading room, and to its reader.
    desk.check_in("b3", json!({})).await.expect(200);
    let held = room.get(&one).await["circulation"].clone();
    assert_eq!(
        (&held["status"], &held["on_hold_at"], &held["requests"]),
        (&json!("Awaiting pickup"), &json!("Desk"), &json!(2))
    );
    desk.check_out("b3", "p-2", json!({})).await.expect(422);
    let lent = desk.check_out("b3", "p-1", json!({})).await.expect(201);
    assert_eq!(lent.round_trips(), 2);
    let loan = lent.json();
    assert_eq!(
        (&loan["loanPolicy"]["name"], &loan["item"]["title"]),
        (&json!("Reading room day"), &json!("Papers MS 1"))
    );
    let lent = room.get(&one).await;
    assert_eq!(
        (&lent["circulation"]["status"], &lent["circulation"]["due"]),
        (&json!("Checked out"), &loan["dueDate"])
    );
    // Nobody is named.
    let text = lent.to_string();
    assert!(!text.contains(&reader) && !text.contains("p-1"), "{text}");
    let listed = room.get(&format!("{}/top_containers?page=1", room.repository)).await;
    assert_eq!(listed["results"][0]["circulation"]["status"], "Checked out");
    let returned = desk.check_in("b3", json!({})).await.expect(200);
    assert!(returned.round_trips() <= 2, "{}", returned.round_trips());
    let moving = room.get(&one).await["circulation"].clone();
    assert_eq!((&moving["status"], &moving["in_transit_to"]), (&json!("In transit"), &json!("Branch")));
    desk.check_in("b3", json!({"servicePointId": desk.branch})).await.expect(200);
    assert_eq!(state("on_hold_at").await, "Branch");
    desk.check_out("b3", "p-2", json!({"servicePointId": desk.branch})).await.expect(201);
    desk.check_in("b3", json!({})).await.expect(200);
    let back = room.get(&one).await;
    assert_eq!((&back["circulation"]["status"], &back["circulation"]["requests"]), (&json!("Available"), &json!(0)));
    // What was read can be saved: where the box is, is not its archivist's to say.
    room.admin.post(&one, &back).await.expect(200);
    assert_eq!(room.circulation().await["on_loan"], 0);
    room.agrees().await;
}
