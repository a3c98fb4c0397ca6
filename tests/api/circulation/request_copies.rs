//! What stored requests copy from other records follows them (docs/folio/requests.md#stored-requests).

use serde_json::{Value, json};

use super::LendingLibrary;

const STORED: &str = "/request-storage/requests";

#[tokio::test]
async fn copies_follow_the_item() {
    let library = LendingLibrary::new().await;
    let item = library.item("i-1", json!({})).await;
    let (first, second) = (library.patron("p-1", json!({})).await, library.patron("p-2", json!({})).await);
    let requests = [library.hold(&item, &first, 1, json!({})).await, library.hold(&item, &second, 2, json!({})).await];
    let other = library.item("i-2", json!({})).await;
    let untouched = library.hold(&other, &first, 1, json!({})).await;
    let before = library.stored(STORED, &untouched).await;
    let mut annex = library.stored("/locations", &library.location).await;
    for (name, value) in [("name", "Annex"), ("code", "annex"), ("id", "5c1b4c1e-9f5e-4f0e-8a8c-0d1f5a5b0001")] {
        annex[name] = value.into();
    }
    library.desk.create("/locations", &annex).await;
    let path = format!("/item-storage/items/{item}");
    let members = json!({"itemLevelCallNumber": "QA 76", "itemLevelCallNumberPrefix": "Rare", "permanentLocationId": annex["id"]});
    library.change(&path, members).await;
    let order = library.desk.get(&path).await.json()["effectiveShelvingOrder"].clone();
    assert!(order.is_string());
    for request in &requests {
        let stored = library.stored(STORED, request).await;
        assert_eq!(stored["searchIndex"]["callNumberComponents"], json!({"callNumber": "QA 76", "prefix": "Rare"}));
        assert_eq!(stored["searchIndex"]["shelvingOrder"], order);
        assert_eq!(stored["item"]["itemEffectiveLocationId"], annex["id"]);
        assert_eq!(stored["item"]["itemEffectiveLocationName"], "Annex");
        assert_eq!(stored["item"]["retrievalServicePointName"], "Desk");
    }
    let found = library.desk.query(STORED, "item.itemEffectiveLocationName==Annex").await.expect(200).json();
    assert_eq!(found["totalRecords"], 2);
    assert_eq!(library.stored(STORED, &untouched).await, before);

    // The call number of the holdings is that of the item, if it has none of its own.
    let members = json!({"callNumber": "Z 1"});
    library.change(&format!("/holdings-storage/holdings/{}", library.holdings), members).await;
    let stored = library.stored(STORED, &untouched).await;
    assert_eq!(stored["searchIndex"]["callNumberComponents"]["callNumber"], "Z 1");
    assert_eq!(stored["metadata"], before["metadata"]);
}

#[tokio::test]
async fn names_of_places_follow_in_open_requests() {
    let library = LendingLibrary::new().await;
    let item = library.item("i-1", json!({})).await;
    let patron = library.patron("p-1", json!({})).await;
    let closed = library.ask("Page", &item, &patron, json!({})).await.expect(201).json();
    library.check_in("i-1", json!({})).await.expect(200);
    library.check_out("i-1", "p-1", json!({})).await.expect(201);
    let other = library.item("i-2", json!({})).await;
    let open = library.ask("Page", &other, &patron, json!({})).await.expect(201).json();
    library.change(&format!("/service-points/{}", library.service_point), json!({"name": "Front desk"})).await;
    library.change(&format!("/locations/{}", library.location), json!({"name": "Basement"})).await;
    let stored = library.stored(STORED, open["id"].as_str().expect("an id")).await;
    assert_eq!(stored["searchIndex"]["pickupServicePointName"], "Front desk");
    assert_eq!(stored["item"]["retrievalServicePointName"], "Front desk");
    assert_eq!(stored["item"]["itemEffectiveLocationName"], "Basement");
    assert_eq!(stored["item"]["barcode"], "i-2");
    let stored = library.stored(STORED, closed["id"].as_str().expect("an id")).await;
    assert_eq!(stored["status"], "Closed - Filled");
    let kept = |stored: &Value| {
        assert_eq!(stored["searchIndex"]["pickupServicePointName"], "Desk");
        assert_eq!(stored["item"]["itemEffectiveLocationName"], "Stacks");
    };
    kept(&stored);
    // Also when its item changes.
    library.change(&format!("/item-storage/items/{item}"), json!({"itemLevelCallNumber": "QA 77"})).await;
    let stored = library.stored(STORED, closed["id"].as_str().expect("an id")).await;
    assert_eq!(stored["searchIndex"]["callNumberComponents"]["callNumber"], "QA 77");
    kept(&stored);

    let point = json!({"name": "Annex", "code": "annex", "discoveryDisplayName": "Annex"});
    let point = library.desk.create("/service-points", &point).await;
    let members = json!({"primaryServicePoint": point["id"], "servicePointIds": [point["id"]]});
    library.change(&format!("/locations/{}", library.location), members).await;
    let stored = library.stored(STORED, open["id"].as_str().expect("an id")).await;
    assert_eq!(stored["item"]["retrievalServicePointId"], point["id"]);
    assert_eq!(stored["item"]["retrievalServicePointName"], "Annex");
}
