//! What is saved is found by the next search, and the index is built again while it is searched.

use super::*;

#[tokio::test]
async fn what_is_saved_is_found_by_the_next_search() {
    let all = Searched::new().await;
    let one = all.instance(json!({"title": "Zzsaved"})).await;
    let other = all.instance(json!({"title": "Zzother"})).await;
    assert_eq!(all.total("title=zzsaved").await, 1);
    all.change(&format!("/instance-storage/instances/{one}"), "title", "Zzchanged".into()).await;
    assert_eq!((all.total("title=zzsaved").await, all.total("title=zzchanged").await), (0, 1));
    let holdings = all.holdings(&one, json!({"callNumber": "ZZ1"})).await;
    let item = all.item(&holdings, json!({"barcode": "zz1"})).await;
    assert_eq!(all.titles("items.barcode==zz1").await, ["Zzchanged"]);
    let path = format!("/item-storage/items/{item}");
    all.change(&path, "status", json!({"name": "Missing"})).await;
    assert_eq!(all.titles("items.barcode==zz1 and items.status.name==Missing").await, ["Zzchanged"]);
    // The call number of an item comes from its holdings.
    all.change(&format!("/holdings-storage/holdings/{holdings}"), "callNumber", "ZZ2".into()).await;
    assert_eq!(all.titles("itemFullCallNumbers==zz2").await, ["Zzchanged"]);
    // Holdings that move take their items along.
    all.change(&format!("/holdings-storage/holdings/{holdings}"), "instanceId", json!(other)).await;
    assert_eq!(all.titles("items.barcode==zz1").await, ["Zzother"]);
    // Items can be bound with holdings of other instances.
    let second = all.holdings(&one, json!({})).await;
    let part = json!({"itemId": item, "holdingsRecordId": second});
    let part = id(&all.client.create("/inventory-storage/bound-with-parts", &part).await);
    assert_eq!(all.titles("items.barcode==zz1 sortby title").await, ["Zzchanged", "Zzother"]);
    assert_eq!(all.titles("title=zz* and isBoundWith==true").await, ["Zzchanged"]);
    all.change(&path, "barcode", "zz3".into()).await;
    assert_eq!(all.titles("items.barcode==zz3 sortby title").await, ["Zzchanged", "Zzother"]);
    all.client.delete(&format!("/inventory-storage/bound-with-parts/{part}")).await.expect(204);
    assert_eq!(all.titles("items.barcode==zz3").await, ["Zzother"]);
    all.client.delete(&path).await.expect(204);
    assert_eq!(all.total("items.barcode==zz3").await, 0);
    for holdings in [holdings, second] {
        all.client.delete(&format!("/holdings-storage/holdings/{holdings}")).await.expect(204);
    }
    all.client.delete(&format!("/instance-storage/instances/{one}")).await.expect(204);
    assert_eq!(all.titles("title=zz*").await, ["Zzother"]);
}

/// What is called ISBN is searched as one.
#[tokio::test]
async fn types_say_how_identifiers_are_searched() {
    let all = Searched::new().await;
    let value = json!([{"value": "0-306-40615-2", "identifierTypeId": ISBN}]);
    all.instance(json!({"title": "Zztyped", "identifiers": value})).await;
    assert_eq!(all.titles("isbn=9780306406157").await, ["Zztyped"]);
    all.change(&format!("/identifier-types/{ISBN}"), "name", "Not an ISBN".into()).await;
    let mut turns = tokio::time::interval(std::time::Duration::from_millis(20));
    for _ in 0..1_000 {
        if all.client.query("/search/instances", "isbn=9780306406157").await.expect(200).json()["totalRecords"] == 0 {
            return;
        }
        turns.tick().await;
    }
    panic!("the index is not built again");
}

#[tokio::test]
async fn the_index_is_built_again_on_request() {
    let all = Searched::new().await;
    assert!(all.total("cql.allRecords=1").await > 30);
    all.client.post("/search/index/instance-records/reindex/full", &json!({})).await.expect(200);
    // It is searched meanwhile.
    assert!(all.total("cql.allRecords=1").await > 30);
    let status = "/search/index/instance-records/reindex/status";
    let mut turns = tokio::time::interval(std::time::Duration::from_millis(20));
    for _ in 0..1_000 {
        let parts = all.client.get(status).await.expect(200).json();
        assert_eq!(parts.as_array().map(Vec::len), Some(5));
        if parts[0]["status"] == "Upload Completed" {
            break;
        }
        turns.tick().await;
    }
    assert!(all.total("cql.allRecords=1").await > 30);
    all.client
        .post("/search/index/instance-records/reindex/upload", &json!({"entityTypes": ["nothing"]}))
        .await
        .expect(400);
    all.client.post("/search/index/instance-records/reindex/upload", &json!({})).await.expect(400);
    let resource = json!({"resourceName": "instance"});
    for path in ["/search/index/indices", "/search/index/mappings"] {
        assert_eq!(all.client.post(path, &resource).await.expect(200).json(), json!({"status": "success"}));
    }
    assert_eq!(all.client.put("/search/index/settings", &resource).await.expect(200).json()["status"], "success");
    assert_eq!(all.client.post("/search/index/records", &json!([])).await.expect(200).json()["status"], "success");
    let refused = all.client.post("/search/index/inventory/reindex", &resource).await.expect(400).json();
    assert_eq!(refused["errors"][0]["message"], "Reindex request contains invalid resource name");
    let locations = json!({"resourceName": "location"});
    let job = all.client.post("/search/index/inventory/reindex", &locations).await.expect(200).json();
    assert_eq!(job["jobStatus"], "Completed");
}
