//! Records found by their identifiers, and the feed of deleted records (contract 3.5).

use serde_json::{Value, json};

use super::{Archives, anonymous, archives, component, resource, signed_in, user};

impl Archives {
    async fn found(&self, path: &str, of: &str) -> Vec<String> {
        let answer = self.get(path).await;
        let refs = answer[of].as_array().expect(of).iter();
        refs.map(|one| one["ref"].as_str().expect("a reference").to_owned()).collect()
    }
}

#[tokio::test]
async fn records_are_found_by_identifiers() {
    let archives = archives().await;
    let (repository, other) = (archives.repository("FND").await, archives.repository("OTH").await);
    let mut sent = resource("MS");
    sent["id_1"] = json!("1");
    let top = archives.add(&format!("{repository}/resources"), &sent).await;
    let elsewhere = archives.add(&format!("{other}/resources"), &sent).await;
    let mut node = component("Letters", &top, None);
    node["ref_id"] = json!("ref-1");
    node["component_id"] = json!("C1");
    let first = archives.add(&format!("{repository}/archival_objects"), &node).await;
    node["ref_id"] = json!("ref-2");
    let second = archives.add(&format!("{repository}/archival_objects"), &node).await;
    let object = json!({"title": "Scan", "digital_object_id": "D1"});
    let object = archives.add(&format!("{repository}/digital_objects"), &object).await;
    let part = json!({"title": "Page", "component_id": "P1", "digital_object": {"ref": object}});
    let part = archives.add(&format!("{repository}/digital_object_components"), &part).await;
    let container = json!({"indicator": "7", "type": "box", "barcode": "1234567"});
    let container = archives.add(&format!("{repository}/top_containers"), &container).await;

    let by = |query: &str| format!("{repository}/find_by_id/{query}");
    let none: [&String; 0] = [];
    for (query, of, expected) in [
        (r#"resources?identifier[]=["MS","1"]"#, "resources", vec![&top]),
        (r#"resources?identifier[]=["MS","1",null,null]&identifier[]=["X"]"#, "resources", vec![&top]),
        (r#"resources?identifier[]=["MS"]"#, "resources", none.to_vec()),
        ("resources?identifier[]=7", "resources", none.to_vec()),
        ("resources", "resources", none.to_vec()),
        ("resources?ark[]=ark:/1", "resources", none.to_vec()),
        ("archival_objects?ref_id[]=ref-2", "archival_objects", vec![&second]),
        ("archival_objects?ref_id[]=ref-2&ref_id[]=ref-1", "archival_objects", vec![&first, &second]),
        ("archival_objects?component_id[]=C1", "archival_objects", vec![&first, &second]),
        ("archival_objects?component_id[]=C1&ref_id[]=ref-1", "archival_objects", vec![&first]),
        ("digital_objects?digital_object_id[]=D1", "digital_objects", vec![&object]),
        ("digital_object_components?component_id[]=P1", "digital_object_components", vec![&part]),
        ("top_containers?indicator[]=7", "top_containers", vec![&container]),
        ("top_containers?barcode[]=1234567&indicator[]=7", "top_containers", vec![&container]),
        ("top_containers?barcode[]=1234567&indicator[]=8", "top_containers", none.to_vec()),
    ] {
        let query = query.replace('"', "%22");
        assert_eq!(archives.found(&by(&query), of).await.iter().collect::<Vec<_>>(), expected, "{query}");
    }
    let bare = archives.admin.get(&by("resources?identifier[]=MS")).await.expect(400).json();
    assert!(bare["error"].as_str().is_some_and(|error| error.starts_with("Had some trouble parsing")), "{bare}");
    let resolved = archives.get(&by("archival_objects?ref_id[]=ref-1&resolve[]=archival_objects")).await;
    assert_eq!(resolved["archival_objects"][0]["_resolved"]["title"], "Letters");
    let there = format!("{other}/find_by_id/resources?identifier[]=[%22MS%22,%221%22]");
    assert_eq!(archives.found(&there, "resources").await, [elsewhere]);
    assert_eq!(archives.admin.get(&by("archival_objects?ref_id=ref-1")).await.status, 400);
    assert_eq!(anonymous(&archives.library).get(&by("resources")).await.status, 403);
}

#[tokio::test]
async fn records_are_found_by_identifiers_of_other_systems() {
    let archives = archives().await;
    let repository = archives.repository("EXT").await;
    let mut sent = resource("1");
    sent["external_ids"] = json!([{"external_id": "3854", "source": "old system"}]);
    let top = archives.add(&format!("{repository}/resources"), &sent).await;
    // The client goes where a 303 sends it.
    assert_eq!(archives.get("/by-external-id?eid=3854").await["uri"], top);
    let mut node = component("Letters", &top, None);
    node["external_ids"] = sent["external_ids"].clone();
    let node = archives.add(&format!("{repository}/archival_objects"), &node).await;
    let both = archives.admin.get("/by-external-id?eid=3854").await.expect(300).json();
    assert_eq!(both, json!([node, top]));
    assert_eq!(archives.get("/by-external-id?eid=3854&type[]=archival_object").await["uri"], node);
    assert_eq!(archives.admin.get("/by-external-id?eid=385").await.expect(404).json(), json!([]));
    assert_eq!(archives.admin.get("/by-external-id").await.status, 400);
    user(&archives.library, "reader", &[]).await;
    assert_eq!(signed_in(&archives.library, "reader").await.get("/by-external-id?eid=1").await.status, 403);
}

#[tokio::test]
async fn deleted_records_are_fed() {
    let archives = archives().await;
    let repository = archives.repository("DEL").await;
    let top = archives.add(&format!("{repository}/resources"), &resource("1")).await;
    let node = archives.add(&format!("{repository}/archival_objects"), &component("Letters", &top, None)).await;
    let location = archives.add("/locations", &json!({"building": "Main", "barcode": "1"})).await;
    archives.admin.delete(&location).await.expect(200);
    archives.admin.delete(&top).await.expect(200);
    let feed = archives.get("/delete-feed?page=1").await;
    let mut deleted: Vec<&str> =
        feed["results"].as_array().expect("addresses").iter().filter_map(Value::as_str).collect();
    assert_eq!(deleted.remove(0), location);
    deleted.sort_unstable();
    assert_eq!(deleted, [node.as_str(), top.as_str()]);
    assert_eq!((&feed["first_page"], &feed["this_page"], &feed["last_page"]), (&json!(1), &json!(1), &json!(1)));
    let last = archives.get("/delete-feed?page=3&page_size=1").await;
    assert_eq!((last["results"].as_array().map(Vec::len), &last["last_page"]), (Some(1), &json!(3)));
    let none = archives.get("/delete-feed?page=1&modified_since=99999999999").await;
    assert_eq!((&none["results"], &none["last_page"]), (&json!([]), &json!(1)));
    assert_eq!(archives.admin.get("/delete-feed").await.status, 400);
    assert_eq!(anonymous(&archives.library).get("/delete-feed?page=1").await.status, 403);
}
