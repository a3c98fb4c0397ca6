//! Instances with holdings and items, items with their references, bare ids (docs/folio/inventory-links-and-views.md).

use serde_json::json;

use super::SmallInventory;

#[tokio::test]
async fn instances_are_shown_with_holdings_and_items() {
    let inventory = SmallInventory::new().await;
    let c = inventory.client();
    let item = inventory.item(json!({"barcode": "1"})).await;
    let instance = inventory.get("/instance-storage/instances", &json!(inventory.instance)).await;
    let holdings = inventory.get("/holdings-storage/holdings", &json!(inventory.holdings)).await;
    let answer = c.query("/inventory-view/instances?withBoundedItems=true", "title=primer").await.expect(200);
    assert_eq!(answer.round_trips(), 1);
    let expected = json!({"instances": [{"instanceId": inventory.instance, "isBoundWith": false, "instance": instance,
        "holdingsRecords": [holdings], "items": [item]}], "totalRecords": 1,
        "resultInfo": {"totalRecords": 1, "facets": [], "diagnostics": []}});
    assert_eq!(answer.json(), expected);
    for (query, found) in [
        ("instance.title=primer and isBoundWith==false", 1),
        ("instance.hrid==in*", 1),
        ("isBoundWith==true", 0),
        ("instance.discoverySuppress<>true sortby instance.title", 1),
        (&format!("instanceId=={}", inventory.instance), 1),
    ] {
        let list = c.query("/inventory-view/instances", query).await.expect(200).json();
        assert_eq!(list["totalRecords"], found, "{query}");
    }

    let answer = c.get("/inventory-view/instance-set?instance=true&items=true&precedingTitles=true").await.expect(200);
    let set = &answer.json()["instanceSets"][0];
    assert_eq!(*set, json!({"id": inventory.instance, "instance": instance, "items": [item], "precedingTitles": []}));
    let all = "/inventory-view/instance-set?holdingsRecords=true&succeedingTitles=true\
        &superInstanceRelationships=true&subInstanceRelationships=true";
    let set = c.get(all).await.expect(200).json()["instanceSets"][0].clone();
    assert_eq!(set["holdingsRecords"], json!([holdings]));
    assert_eq!(set["subInstanceRelationships"], json!([]));
    assert_eq!(set.get("instance"), None);
}

#[tokio::test]
async fn dereferenced_items_hold_whole_records() {
    let inventory = SmallInventory::new().await;
    let c = inventory.client();
    let item = inventory.item(json!({"barcode": "1"})).await;
    let listed = c.query("/item-storage-dereferenced/items", "barcode==1").await.expect(200).json();
    let shown = &listed["dereferencedItems"][0];
    assert_eq!(shown["materialType"]["name"], "book");
    assert_eq!(shown["effectiveLocation"]["code"], "main");
    assert_eq!(shown["instanceRecord"]["title"], "A semantic web primer");
    assert_eq!(shown["holdingsRecord"]["id"], *inventory.holdings);
    assert_eq!((shown.get("materialTypeId"), shown.get("holdingsRecordId")), (None, None));
    let one = format!("/item-storage-dereferenced/items/{}", item["id"].as_str().unwrap());
    assert_eq!(c.get(&one).await.expect(200).json(), *shown);
}

#[tokio::test]
async fn ids_come_in_bulk() {
    let inventory = SmallInventory::new().await;
    let c = inventory.client();
    let answer = c.get("/record-bulk/ids?recordType=INSTANCE&field=id&limit=5").await.expect(200);
    let info = |total: i64| json!({"totalRecords": total, "facets": [], "diagnostics": []});
    let one = json!([{"id": inventory.instance}]);
    assert_eq!(answer.json(), json!({"ids": one, "totalRecords": 1, "resultInfo": info(1)}));
    let none = c.query("/record-bulk/ids?recordType=HOLDING", "items.effectiveLocationId==x").await.expect(200);
    assert_eq!(none.json(), json!({"ids": [], "totalRecords": 0, "resultInfo": info(0)}));
    // A part tells how many there are.
    for _ in 0..2 {
        c.create("/instance-storage/instances", &inventory.new_instance()).await;
    }
    let part = c.get("/record-bulk/ids?limit=1").await.expect(200);
    assert_eq!(part.round_trips(), 1);
    assert_eq!(part.json(), json!({"ids": one, "totalRecords": 3, "resultInfo": info(3)}));
    let last = c.get("/record-bulk/ids?limit=5&offset=2").await.expect(200).json();
    assert_eq!((last["ids"].as_array().map(Vec::len), &last["totalRecords"]), (Some(1), &json!(3)));
    assert_eq!(c.get("/record-bulk/ids").await.expect(200).json()["totalRecords"], 3);
    c.query("/record-bulk/ids", "title==").await.expect(400);
    c.get("/record-bulk/ids?recordType=ITEM").await.expect(400);
}

#[tokio::test]
async fn lists_can_be_requested_by_post() {
    let inventory = SmallInventory::new().await;
    let c = inventory.client();
    let item = inventory.item(json!({"barcode": "1"})).await;
    let body = json!({"query": "barcode==1", "limit": 1, "offset": 0});
    let answer = c.post("/item-storage/items/retrieve", &body).await.expect(200);
    assert_eq!((answer.json()["items"].clone(), answer.round_trips()), (json!([item]), 1));
    let answer = c.post("/holdings-storage/holdings/retrieve", &json!({"limit": 0})).await.expect(200).json();
    assert_eq!((&answer["holdingsRecords"], &answer["totalRecords"]), (&json!([]), &json!(1)));
    c.post("/instance-storage/instances/retrieve", &json!({"limit": -1})).await.expect(400);
}

#[tokio::test]
async fn fields_of_neighbours_are_searched() {
    let inventory = SmallInventory::new().await;
    let c = inventory.client();
    inventory.item(json!({"barcode": "b 1", "permanentLocationId": inventory.annex})).await;
    let annex = &inventory.annex;
    for (path, query, total) in [
        ("/instance-storage/instances", "item.barcode==\"b 1\"".to_owned(), 1),
        ("/instance-storage/instances", "holdingsRecords.callNumber==\"PN2 .A6\"".to_owned(), 1),
        ("/instance-storage/instances", "title all \"web semantic\"".to_owned(), 1),
        ("/instance-storage/instances", format!("item.effectiveLocationId=={annex}"), 1),
        ("/holdings-storage/holdings", format!("item.effectiveLocationId=={annex}"), 1),
        (
            "/holdings-storage/holdings",
            "instance.title=primer sortBy effectiveLocation.name callNumberPrefix".to_owned(),
            1,
        ),
        ("/holdings-storage/holdings", "fullCallNumber==\"PN2*\"".to_owned(), 1),
        ("/item-storage/items", "instance.title==\"A semantic*\" and status.name==Available".to_owned(), 1),
        ("/item-storage/items", "holdingsRecords.hrid==ho00000000001".to_owned(), 1),
        ("/item-storage/items", "fullCallNumber==\"PN2 .A6\"".to_owned(), 1),
        ("/item-storage/items", "nothing==x".to_owned(), 0),
    ] {
        let answer = c.query(path, &query).await.expect(200);
        assert_eq!(answer.json()["totalRecords"], total, "{query}");
    }
}
