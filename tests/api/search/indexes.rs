//! What is saved is found by the next search, and the index is built again while it is searched.

use std::time::Duration;

use testkit::library_with;

use super::*;

const REINDEX: &str = "/search/index/instance-records/reindex";

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
    let mut turns = tokio::time::interval(Duration::from_millis(20));
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
    all.client.post(&format!("{REINDEX}/full"), &json!({})).await.expect(200);
    // It is searched meanwhile.
    assert!(all.total("cql.allRecords=1").await > 30);
    all.until_built().await;
    let parts = all.client.get(&format!("{REINDEX}/status")).await.expect(200).json();
    let time = |name: &str| parts[0][name].as_str().map(str::to_owned).unwrap_or_else(|| panic!("no {name}: {parts}"));
    assert!(time("startTimeUpload") <= time("endTimeUpload"), "{parts}");
    assert_eq!((time("startTimeMerge"), time("endTimeMerge")), (time("startTimeUpload"), time("endTimeUpload")));
    assert!(all.total("cql.allRecords=1").await > 30);
    all.client.post(&format!("{REINDEX}/upload"), &json!({"entityTypes": ["nothing"]})).await.expect(400);
    all.client.post(&format!("{REINDEX}/upload"), &json!({})).await.expect(400);
    let resource = json!({"resourceName": "instance"});
    for path in ["/search/index/indices", "/search/index/mappings"] {
        assert_eq!(all.client.post(path, &resource).await.expect(200).json(), json!({"status": "success"}));
    }
    assert_eq!(all.client.put("/search/index/settings", &resource).await.expect(200).json()["status"], "success");
    let unknown = json!({"resourceName": "nothing"});
    for (path, message) in [
        (
            "/search/index/indices",
            "Index cannot be created for the resource because resource description is not found.",
        ),
        ("/search/index/mappings", "Mappings cannot be updated, resource name is invalid."),
    ] {
        let refused = all.client.post(path, &unknown).await.expect(400).json();
        let parameters = json!([{"key": "resourceName", "value": "unknown"}]);
        assert_eq!(
            (&refused["errors"][0]["message"], &refused["errors"][0]["parameters"]),
            (&json!(message), &parameters)
        );
    }
    let refused = all.client.put("/search/index/settings", &unknown).await.expect(400).json();
    assert_eq!(refused["errors"][0]["message"], "Index Settings cannot be updated, resource name is invalid.");
    assert_eq!(all.client.post("/search/index/records", &json!([])).await.expect(200).json()["status"], "success");
    let refused = all.client.post("/search/index/inventory/reindex", &resource).await.expect(400).json();
    assert_eq!(refused["errors"][0]["message"], "Reindex request contains invalid resource name");
    let locations = json!({"resourceName": "location"});
    let job = all.client.post("/search/index/inventory/reindex", &locations).await.expect(200).json();
    assert_eq!(job["jobStatus"], "Completed");
}

impl Searched {
    async fn until_built(&self) {
        let mut turns = tokio::time::interval(Duration::from_millis(20));
        for _ in 0..1_000 {
            let parts = self.client.get(&format!("{REINDEX}/status")).await.expect(200).json();
            assert_eq!(parts.as_array().map(Vec::len), Some(5));
            if parts[0]["status"] == "Upload Completed" {
                return;
            }
            turns.tick().await;
        }
        panic!("the index is not built");
    }
}

#[tokio::test]
async fn a_second_rebuild_is_refused_while_one_runs() {
    let all = Searched::new().await;
    let many = all.total("cql.allRecords=1").await;
    let held = all.hold("instance").await;
    let upload = json!({"entityTypes": ["subject", "instance"]});
    all.client.post(&format!("{REINDEX}/upload"), &upload).await.expect(200);
    for (path, message, key, value) in [
        ("upload", "Reindex Upload in Progress", "entityType", "subject"),
        ("full", "Reindex is already in progress for: INSTANCE", "reindexStatus", "Upload In Progress"),
    ] {
        let refused = all.client.post(&format!("{REINDEX}/{path}"), &upload).await.expect(400).json();
        let error = &refused["errors"][0];
        assert_eq!((&error["message"], &error["code"]), (&json!(message), &json!("validation_error")));
        assert_eq!(error["parameters"], json!([{"key": key, "value": value}]));
    }
    // Nothing has failed, so nothing is to be tried again.
    all.client.post(&format!("{REINDEX}/merge/failed"), &json!({})).await.expect(200);
    let parts = all.client.get(&format!("{REINDEX}/status")).await.expect(200).json();
    for part in parts.as_array().expect("a list") {
        assert_eq!(part["status"], "Upload In Progress");
        assert!(part["processedUploadRanges"].as_u64() < part["totalUploadRanges"].as_u64(), "{part}");
    }
    held.commit().await.expect("let go");
    all.until_built().await;
    assert_eq!(all.total("cql.allRecords=1").await, many);
    all.client.post(&format!("{REINDEX}/upload"), &upload).await.expect(200);
}

#[tokio::test]
async fn a_query_is_refused_without_waiting_for_the_index() {
    let all = Searched::new().await;
    // The index cannot be opened.
    let held = all.hold("search_language").await;
    let refused = async {
        for path in [
            "/search/instances?query=nothing%3Dx",
            "/search/instances/ids?query=title%3D(",
            "/search/instances/facets?query=cql.allRecords%3D1&facet=nothing",
            "/search/instances/facets?query=nothing%3Dx&facet=nothing",
            "/search/subjects/facets?query=nothing%3Dx&facet=sourceId",
            "/search/subjects/facets?query=cql.allRecords%3D1&facet=nothing",
            "/browse/subjects/instances?query=nothing%3Dx",
            "/browse/call-numbers/nothing/instances?query=fullCallNumber%3E%3Dx",
            "/browse/authorities?query=nothing%3Dx",
        ] {
            let told = all.client.get(path).await.expect(400).error_messages();
            assert!(!told.is_empty(), "{path}");
        }
    };
    tokio::time::timeout(Duration::from_secs(60), refused).await.expect("it waits for the index");
    held.commit().await.expect("let go");
    assert!(all.total("cql.allRecords=1").await > 30);
}

#[tokio::test]
async fn a_search_before_the_first_index_is_made_is_refused_for_now() {
    let library = library_with(|settings| {
        settings.allow_open_tenants = true;
        settings.search_patience = Duration::ZERO;
    });
    let all = Searched::of(library.await).await;
    let held = all.hold("instance").await;
    for path in ["/search/instances", "/search/instances/ids"] {
        let answer = all.client.query(path, "cql.allRecords=1").await.expect(503);
        assert_eq!(answer.header("retry-after"), Some("2"));
        assert_eq!(answer.error_messages(), ["The index is being built. Try again later."]);
    }
    held.commit().await.expect("let go");
    let mut turns = tokio::time::interval(Duration::from_millis(20));
    for _ in 0..1_000 {
        let answer = all.client.query("/search/instances", "cql.allRecords=1").await;
        if answer.status == 200 {
            assert!(answer.json()["totalRecords"].as_u64() > Some(30), "{}", answer.text);
            return;
        }
        turns.tick().await;
    }
    panic!("the index is never made");
}
