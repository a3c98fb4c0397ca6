//! Repositories, resources and archival objects: what is saved, refused, listed and deleted (contract 1.3, 2, 3.1).

use super::*;

#[tokio::test]
async fn a_repository_comes_with_an_agent() {
    let archives = archives().await;
    let uri = archives.repository("MSS").await;
    let found = archives.get(&uri).await;
    assert_eq!(found["display_string"], "Library of MSS (MSS)");
    assert_eq!(found["agent_representation"], json!({"ref": "/agents/corporate_entities/1"}));
    assert_eq!((&found["jsonmodel_type"], &found["lock_version"]), (&json!("repository"), &json!(0)));
    let taken = archives.admin.post("/repositories", &json!({"repo_code": "MSS", "name": "Again"})).await.expect(400);
    assert_eq!(taken.json(), json!({"error": {"repo_code": ["short name already in use"]}}));
    let listed = archives.get("/repositories?page=1&page_size=1&resolve[]=agent_representation").await;
    assert_eq!(listed.as_array().map(Vec::len), Some(1));
    assert_eq!(listed[0]["agent_representation"]["_resolved"]["jsonmodel_type"], "agent_corporate_entity");
}

#[tokio::test]
async fn a_saved_resource_is_read_as_it_was_sent() {
    let archives = archives().await;
    let repository = archives.repository("A").await;
    let resources = format!("{repository}/resources");
    let saved = archives.admin.post(&resources, &resource("MS 1")).await.expect(200);
    assert_eq!(
        saved.json(),
        json!({"status": "Created", "id": 1, "lock_version": 0, "stale": true, "uri": format!("{resources}/1"),
               "warnings": []})
    );
    assert_eq!(saved.round_trips(), 1);
    let answer = archives.admin.get(&format!("{resources}/1")).await.expect(200);
    assert_eq!(answer.round_trips(), 1);
    let found = answer.json();
    for (name, value) in resource("MS 1").as_object().expect("an object") {
        match value {
            Value::Array(parts) => assert_eq!(found[name].as_array().map(Vec::len), Some(parts.len()), "{name}"),
            value => assert_eq!(&found[name], value, "{name}"),
        }
    }
    assert_eq!(found["extents"][0]["extent_type"], "linear_feet");
    assert_eq!(found["extents"][0]["jsonmodel_type"], "extent");
    assert_eq!(found["tree"], json!({"ref": format!("{resources}/1/tree")}));
    assert_eq!(found["repository"], json!({"ref": repository}));
    assert_eq!((&found["publish"], &found["suppressed"]), (&json!(false), &json!(false)));
    assert_eq!((&found["created_by"], &found["last_modified_by"]), (&json!("admin"), &json!("admin")));
    let time = found["create_time"].as_str().expect("a time");
    assert!(time.len() == 20 && time.ends_with('Z'), "{time}");
}

#[tokio::test]
async fn a_record_that_is_read_can_be_sent_back() {
    let archives = archives().await;
    let repository = archives.repository("A").await;
    let uri = archives.add(&format!("{repository}/resources"), &resource("MS 1")).await;
    let node = archives.add(&format!("{repository}/archival_objects"), &component("Letters", &uri, None)).await;
    for uri in [uri, node] {
        let mut record = archives.get(&format!("{uri}?resolve[]=resource")).await;
        record["title"] = "Changed".into();
        let answer = archives.admin.post(&uri, &record).await.expect(200).json();
        assert_eq!((&answer["status"], &answer["lock_version"]), (&json!("Updated"), &json!(1)));
        let mut after = archives.get(&uri).await;
        assert_eq!(after["title"], "Changed");
        for member in ["lock_version", "user_mtime", "system_mtime", "title", "display_string"] {
            (after[member], record[member]) = (Value::Null, Value::Null);
        }
        record["resource"]["_resolved"] = Value::Null;
        after["resource"]["_resolved"] = Value::Null;
        assert_eq!(after, record);
        // The version that was read is no longer the newest.
        let stale = archives.admin.post(&uri, &archives.get(&uri).await).await.expect(200);
        assert_eq!(stale.json()["lock_version"], 2);
        record["lock_version"] = 0.into();
        record["title"] = "Late".into();
        let stale = archives.admin.post(&uri, &record).await.expect(409).json();
        let text = "The record you tried to update has been modified since you fetched it.";
        assert_eq!(stale, json!({"error": text}));
        record.as_object_mut().expect("an object").remove("lock_version");
        let without = archives.admin.post(&uri, &record).await.expect(409).json();
        assert_eq!(without, json!({"error": "You must provide a lock_version in your request"}));
    }
}

#[tokio::test]
async fn what_is_wrong_is_told_by_its_path() {
    let archives = archives().await;
    let repository = archives.repository("A").await;
    let resources = format!("{repository}/resources");
    let mut wrong = resource("MS 1");
    wrong["extents"][0].as_object_mut().expect("an extent").remove("number");
    wrong["title"] = "".into();
    wrong["level"] = "shelf".into();
    let refused = archives.admin.post(&resources, &wrong).await.expect(400).json();
    let errors = &refused["error"];
    assert_eq!(errors["extents/0/number"], json!(["Property is required but was missing"]));
    assert_eq!(errors["title"], json!(["Property is required but was missing"]));
    assert!(errors["level"][0].as_str().is_some_and(|text| text.contains("Invalid value 'shelf'.  Must be one of: ")));
    let broken = archives.admin.send(Method::POST, &resources, Some("{".into())).await.expect(400).json();
    assert!(broken["error"].as_str().is_some_and(|text| text.starts_with("Had some trouble parsing your request: ")));
    let strange = json!({"title": "a\u{0}b"}).to_string().into_bytes();
    let refused = archives.admin.send(Method::POST, &resources, Some(strange)).await.expect(400).json();
    assert!(refused["error"].as_str().is_some_and(|text| text.contains("U+0000")), "{refused}");
    let nowhere = archives.admin.get("/repositories/99/resources?page=1").await.expect(400).json();
    assert_eq!(nowhere, json!({"error": {"repo_id": ["Failed validation -- The Repository must exist"]}}));
    for (path, parameter, text) in [
        (format!("{resources}/x"), "id", "Wanted type Integer but got 'x'"),
        (resources.clone(), "page", "Parameter required but no value provided"),
        (resources.clone(), "all_ids", "Parameter required but no value provided"),
        (format!("{resources}?page=x"), "page", "Wanted type RESTHelpers::NonNegativeInteger but got 'x'"),
    ] {
        let refused = archives.admin.get(&path).await.expect(400).json();
        assert_eq!(refused["error"][parameter], json!([text]), "{path}: {refused}");
    }
    let missing = archives.admin.get(&format!("{resources}/1")).await.expect(404).json();
    assert_eq!(missing, json!({"error": "Resource not found"}));
    assert_eq!(
        archives.admin.get(&format!("{repository}/archival_objects/1")).await.expect(404).json(),
        json!({"error": "ArchivalObject not found"})
    );
    archives.admin.get("/nothing").await.expect(404);
}

#[tokio::test]
async fn identifiers_are_unique_where_they_must_be() {
    let archives = archives().await;
    let (one, other) = (archives.repository("A").await, archives.repository("B").await);
    let mut first = resource("MS 1");
    first["ead_id"] = "ms1".into();
    let uri = archives.add(&format!("{one}/resources"), &first).await;
    let again = archives.admin.post(&format!("{one}/resources"), &first).await.expect(400).json();
    assert_eq!(again, json!({"error": {"id_0": ["That ID is already in use"], "ead_id": ["Must be unique"]}}));
    archives.add(&format!("{other}/resources"), &first).await;
    let nodes = format!("{one}/archival_objects");
    let mut node = component("Letters", &uri, None);
    node["ref_id"] = "letters".into();
    archives.add(&nodes, &node).await;
    let again = archives.admin.post(&nodes, &node).await.expect(400).json();
    let text = "An Archival Object Ref ID must be unique to its resource";
    assert_eq!(again, json!({"error": {"ref_id": [text]}}));
    // A freed identifier can be used again.
    archives.admin.delete(&uri).await.expect(200);
    archives.add(&format!("{one}/resources"), &first).await;
}

#[tokio::test]
async fn of_clients_that_save_the_same_identifier_one_wins() {
    let archives = archives().await;
    let repository = archives.repository("A").await;
    let path = format!("{repository}/resources");
    let saves = (0..8).map(|_| {
        let (client, path) = (archives.admin.clone(), path.clone());
        tokio::spawn(async move { client.post(&path, &resource("MS 1")).await })
    });
    let mut statuses = Vec::new();
    for save in saves.collect::<Vec<_>>() {
        let answer = save.await.expect("an answer");
        if answer.status == 400 {
            assert_eq!(answer.json(), json!({"error": {"id_0": ["That ID is already in use"]}}));
        }
        statuses.push(answer.status);
    }
    statuses.sort_unstable();
    assert_eq!(statuses, [200, 400, 400, 400, 400, 400, 400, 400]);
}

#[tokio::test]
async fn a_component_cannot_refer_to_what_is_not_there() {
    let archives = archives().await;
    let (one, other) = (archives.repository("A").await, archives.repository("B").await);
    let elsewhere = archives.add(&format!("{other}/resources"), &resource("MS 1")).await;
    let here = archives.add(&format!("{one}/resources"), &resource("MS 1")).await;
    let nodes = format!("{one}/archival_objects");
    let missing = format!("{one}/archival_objects/99");
    let nowhere = format!("{one}/resources/99");
    for (record, reference) in [
        (component("x", &elsewhere, None), &elsewhere),
        (component("x", &here, Some(&missing)), &missing),
        // The first that is missing is named.
        (component("x", &nowhere, Some(&missing)), &nowhere),
    ] {
        let refused = archives.admin.post(&nodes, &record).await.expect(400).json();
        assert_eq!(refused, json!({"error": format!("Reference does not exist! (Reference: '{reference}')")}));
    }
    let mut subject = component("x", &here, None);
    subject["subjects"] = json!([{"ref": "/subjects/7"}]);
    let refused = archives.admin.post(&nodes, &subject).await.expect(400).json();
    assert_eq!(refused, json!({"error": "Reference does not exist! (Reference: '/subjects/7')"}));
    let same_number = here.replace(&one, "/repositories/99");
    let refused = archives.admin.post(&nodes, &component("x", &same_number, None)).await.expect(400).json();
    assert_eq!(refused, json!({"error": format!("Reference does not exist! (Reference: '{same_number}')")}));
    // A parent in another tree is none.
    let second = archives.add(&format!("{one}/resources"), &resource("MS 2")).await;
    let foreign = archives.add(&nodes, &component("foreign", &second, None)).await;
    let refused = archives.admin.post(&nodes, &component("x", &here, Some(&foreign))).await.expect(400).json();
    assert_eq!(refused, json!({"error": format!("Reference does not exist! (Reference: '{foreign}')")}));
}

#[tokio::test]
async fn lists_come_in_three_forms() {
    let archives = archives().await;
    let repository = archives.repository("A").await;
    let path = format!("{repository}/resources");
    let empty = archives.get(&format!("{path}?page=1")).await;
    assert_eq!(empty, json!({"first_page": 1, "last_page": 1, "this_page": 1, "total": 0, "results": []}));
    for number in 1..=12 {
        archives.add(&path, &resource(&format!("MS {number:02}"))).await;
    }
    let answer = archives.admin.get(&format!("{path}?page=2")).await.expect(200);
    assert_eq!(answer.round_trips(), 1);
    let page = answer.json();
    assert_eq!((&page["last_page"], &page["this_page"], &page["total"]), (&json!(2), &json!(2), &json!(12)));
    assert_eq!(texts(&page["results"], "id_0"), ["MS 11", "MS 12"]);
    let ids: Vec<i64> = (1..=12).collect();
    assert_eq!(archives.get(&format!("{path}?all_ids=True")).await, json!(ids));
    let some = archives.get(&format!("{path}?id_set=3,1,99")).await;
    assert_eq!(texts(&some, "id_0"), ["MS 01", "MS 03"]);
    let turned = archives.get(&format!("{path}?id_set=3,1&sort_direction=desc")).await;
    assert_eq!(texts(&turned, "id_0"), ["MS 03", "MS 01"]);
    let sorted = archives.get(&format!("{path}?page=1&page_size=2&sort_field=title&sort_direction=desc")).await;
    assert_eq!(texts(&sorted["results"], "id_0"), ["MS 12", "MS 11"]);
    let past = archives.get(&format!("{path}?page=9&page_size=300")).await;
    assert_eq!((&past["results"], &past["last_page"]), (&json!([]), &json!(1)));
    archives.admin.get(&format!("{path}?page=1&sort_field=doc")).await.expect(400);
    for field in ["accession_date", "barcode", "name", "identifier", "suppressed", "lock_version", "system_mtime"] {
        let turned = archives.get(&format!("{path}?page=1&sort_field={field}&sort_direction=asc")).await;
        assert_eq!(turned["total"], 12, "{field}");
    }
    let sorted = archives.get(&format!("{path}?page=1&page_size=2&sort_field=identifier&sort_direction=desc")).await;
    assert_eq!(texts(&sorted["results"], "id_0"), ["MS 12", "MS 11"]);
    let later = archives.library.app.clock.as_ref()().as_second() + 60;
    for form in ["all_ids=true", "id_set=1,2"] {
        assert_eq!(archives.get(&format!("{path}?{form}&modified_since={later}")).await, json!([]));
    }
}

#[tokio::test]
async fn publishing_reaches_everything_below() {
    let archives = archives().await;
    let repository = archives.repository("A").await;
    let mut record = resource("MS 1");
    let content = json!([{"jsonmodel_type": "note_text", "content": r#"says "publish": false, she does"#}]);
    record["notes"] = json!([{"jsonmodel_type": "note_multipart", "type": "scopecontent", "subnotes": content}]);
    let uri = archives.add(&format!("{repository}/resources"), &record).await;
    let nodes = format!("{repository}/archival_objects");
    let series = archives.add(&nodes, &component("Series", &uri, None)).await;
    let file = archives.add(&nodes, &component("File", &uri, Some(&series))).await;
    assert_eq!(archives.get(&file).await["has_unpublished_ancestor"], true);
    let published = archives.admin.send(Method::POST, &format!("{uri}/publish"), None).await.expect(200).json();
    assert_eq!(published, json!({"status": "Updated", "id": 1, "lock_version": 1, "stale": null}));
    let after = archives.get(&uri).await;
    assert_eq!((&after["publish"], &after["notes"][0]["publish"]), (&json!(true), &json!(true)));
    assert_eq!(after["notes"][0]["subnotes"][0]["content"], r#"says "publish": false, she does"#);
    let below = archives.get(&file).await;
    assert_eq!((&below["publish"], &below["has_unpublished_ancestor"]), (&json!(true), &json!(false)));
    archives.admin.send(Method::POST, &format!("{series}/unpublish"), None).await.expect(200);
    assert_eq!(archives.get(&uri).await["publish"], true);
    assert_eq!(archives.get(&file).await["publish"], false);
}

#[tokio::test]
async fn a_suppressed_record_cannot_be_changed() {
    let archives = archives().await;
    let repository = archives.repository("A").await;
    let uri = archives.add(&format!("{repository}/resources"), &resource("MS 1")).await;
    let node = archives.add(&format!("{repository}/archival_objects"), &component("Letters", &uri, None)).await;
    let path = format!("{uri}/suppressed");
    archives.admin.send(Method::POST, &path, None).await.expect(400);
    let answer = archives.admin.send(Method::POST, &format!("{path}?suppressed=true"), None).await.expect(200).json();
    assert_eq!(answer, json!({"status": "Suppressed", "id": 1, "suppressed_state": true}));
    let below = archives.get(&node).await;
    assert_eq!(below["suppressed"], true);
    let refused = archives.admin.post(&node, &below).await.expect(409).json();
    assert_eq!(refused, json!({"error": "Can't update an object that has been suppressed"}));
    archives.admin.send(Method::POST, &format!("{path}?suppressed=false"), None).await.expect(200);
    archives.admin.post(&node, &below).await.expect(200);
}

#[tokio::test]
async fn a_deleted_record_takes_all_below_it_along() {
    let archives = archives().await;
    let repository = archives.repository("A").await;
    let uri = archives.add(&format!("{repository}/resources"), &resource("MS 1")).await;
    let nodes = format!("{repository}/archival_objects");
    let series = archives.add(&nodes, &component("Series", &uri, None)).await;
    let file = archives.add(&nodes, &component("File", &uri, Some(&series))).await;
    let other = archives.add(&nodes, &component("Other", &uri, None)).await;
    let answer = archives.admin.delete(&series).await.expect(200).json();
    assert_eq!(answer, json!({"status": "Deleted", "id": 1}));
    archives.admin.get(&file).await.expect(404);
    assert_eq!(archives.get(&other).await["position"], 0);
    archives.admin.delete(&series).await.expect(404);
    archives.admin.delete(&uri).await.expect(200);
    archives.admin.get(&other).await.expect(404);
}

#[tokio::test]
async fn entries_of_an_index_lead_to_the_components_they_name() {
    let archives = archives().await;
    let repository = archives.repository("A").await;
    let papers = archives.add(&format!("{repository}/resources"), &resource("MS 1")).await;
    let other = archives.add(&format!("{repository}/resources"), &resource("MS 2")).await;
    let objects = format!("{repository}/archival_objects");
    for (title, of, ref_id) in [("Elsewhere", &other, "elsewhere"), ("Letters", &papers, "letters")] {
        let mut part = component(title, of, None);
        part["ref_id"] = ref_id.into();
        archives.add(&objects, &part).await;
    }
    let entry = |reference: &str| json!({"value": reference, "type": "subject", "reference": reference});
    let index = json!([
        {"jsonmodel_type": "note_bibliography", "content": ["Books"]},
        {"jsonmodel_type": "note_index", "content": ["Index"], "publish": true,
         "items": [entry("letters"), entry("elsewhere"), {"value": "x", "type": "name"}]}]);
    let mut described = component("Index", &papers, None);
    described["notes"] = index.clone();
    let described = archives.add(&objects, &described).await;
    let mut record = archives.get(&papers).await;
    record["notes"] = index;
    archives.admin.post(&papers, &record).await.expect(200);
    for uri in [&papers, &described] {
        let read = archives.get(&format!("{uri}?resolve[]=reference_ref")).await;
        let items = &read["notes"][1]["items"];
        assert_eq!(items[0]["reference_ref"]["ref"], format!("{objects}/2"), "{read}");
        assert_eq!((items[1].get("reference_ref"), items[2].get("reference_ref")), (None, None), "{read}");
        assert_eq!((&read["notes"][0]["content"], &items[1]["reference"]), (&json!(["Books"]), &json!("elsewhere")));
        // What was read can be saved again.
        archives.admin.post(uri, &archives.get(uri).await).await.expect(200);
    }
    archives.admin.delete(&format!("{objects}/2")).await.expect(200);
    assert_eq!(archives.get(&described).await["notes"][1]["items"][0].get("reference_ref"), None);
}

#[tokio::test]
async fn ids_and_records_with_ids_are_sorted_as_pages_are() {
    let archives = archives().await;
    let all = format!("{}/resources", archives.repository("A").await);
    for (id, title) in [("1", "B"), ("2", "C"), ("3", "A")] {
        let mut sent = resource(id);
        sent["title"] = json!(title);
        archives.add(&all, &sent).await;
    }
    for (sort, wanted) in [
        ("", [1, 2, 3]),
        ("&sort_direction=desc", [3, 2, 1]),
        ("&sort_field=title", [3, 1, 2]),
        ("&sort_field=title&sort_direction=desc", [2, 1, 3]),
    ] {
        let ids = archives.admin.get(&format!("{all}?all_ids=true{sort}")).await.expect(200);
        assert_eq!((ids.json(), ids.round_trips()), (json!(wanted), 1), "{sort}");
        let chosen = archives.admin.get(&format!("{all}?id_set=1,2,3{sort}")).await.expect(200);
        let found = texts(&chosen.json(), "uri");
        assert_eq!((found, chosen.round_trips()), (wanted.map(|id| format!("{all}/{id}")).to_vec(), 1), "{sort}");
    }
    archives.admin.get(&format!("{all}?all_ids=true&sort_field=colour")).await.expect(400);
    archives.admin.get(&format!("{all}?id_set=1&sort_direction=up")).await.expect(400);
    let reversed = archives.get("/users?all_ids=true&sort_field=username&sort_direction=desc").await;
    assert!(reversed.as_array().is_some_and(|ids| !ids.is_empty()), "{reversed}");
}
