//! Top containers: their derived texts, changes of many at once, and what containers a record has (contract 3.4, 4.4).

use super::*;

/// An instance in a container.
fn held(container: &str, barcode: Option<&str>) -> Value {
    let mut part = json!({"top_container": {"ref": container}, "type_2": "folder", "indicator_2": "1"});
    if let Some(barcode) = barcode {
        part["barcode_2"] = barcode.into();
    }
    json!({"instance_type": "mixed_materials", "sub_container": part})
}

/// The member with the address of each entry of a list.
fn refs(list: &Value) -> Vec<String> {
    texts(list, "ref")
}

async fn container(archives: &Archives, repository: &str, indicator: &str) -> String {
    let sent = json!({"indicator": indicator, "type": "box"});
    archives.add(&format!("{repository}/top_containers"), &sent).await
}

async fn location(archives: &Archives, shelf: &str, temporary: bool) -> String {
    let mut sent = json!({"building": "Main", "coordinate_1_label": "Shelf", "coordinate_1_indicator": shelf});
    if temporary {
        sent["temporary"] = "exhibit".into();
    }
    archives.add("/locations", &sent).await
}

#[tokio::test]
async fn a_container_tells_what_is_in_it() {
    let archives = archives().await;
    let repository = archives.add("/repositories", &json!({"repo_code": "A", "name": "A", "publish": true})).await;
    let profile = json!({"name": "Flat", "dimension_units": "inches", "extent_dimension": "width", "height": "1",
        "width": "2", "depth": "3"});
    let profile = archives.add("/container_profiles", &profile).await;
    let shelf = location(&archives, "1", false).await;
    let sent = json!({"indicator": "1", "type": "BOX".to_lowercase(), "barcode": "b1",
        "container_profile": {"ref": profile},
        "container_locations": [{"ref": shelf, "status": "current", "start_date": "2020-01-01"}]});
    let path = format!("{repository}/top_containers");
    let saved = archives.admin.post(&path, &sent).await.expect(200);
    assert_eq!(saved.round_trips(), 1);
    let one = uri(&saved);
    let answer = archives.admin.get(&one).await.expect(200);
    assert_eq!(answer.round_trips(), 1);
    let empty = answer.json();
    assert_eq!(empty["display_string"], "Box 1: [Barcode: b1]");
    assert_eq!(empty["long_display_string"], "Box 1 [Barcode: b1], Flat, Main [Shelf: 1]");
    assert_eq!((&empty["collection"], &empty["series"]), (&json!([]), &json!([])));
    assert_eq!((&empty["restricted"], &empty["active_restrictions"]), (&json!(false), &json!([])));
    assert_eq!(
        (&empty["is_linked_to_published_record"], &empty["subcontainer_barcodes"]),
        (&json!(false), &Value::Null)
    );

    let mut papers = resource("MS 1");
    papers["id_1"] = "2".into();
    papers["publish"] = true.into();
    let papers = archives.add(&format!("{repository}/resources"), &papers).await;
    let nodes = format!("{repository}/archival_objects");
    let mut series = component("Letters", &papers, None);
    series["level"] = "series".into();
    series["component_id"] = "I".into();
    series["publish"] = true.into();
    let restriction = |begin: &str, end: Option<&str>| {
        let mut restriction = json!({"begin": begin, "local_access_restriction_type": ["RestrictedSpecColl"]});
        if let Some(end) = end {
            restriction["end"] = end.into();
        }
        json!({"jsonmodel_type": "note_multipart", "type": "accessrestrict", "rights_restriction": restriction,
            "subnotes": [{"jsonmodel_type": "note_text", "content": "closed"}]})
    };
    series["notes"] = json!([restriction("2000-01-01", None), restriction("1990-01-01", Some("1991-01-01"))]);
    let series = archives.add(&nodes, &series).await;
    let mut file = component("To A", &papers, Some(&series));
    file["publish"] = true.into();
    file["instances"] = json!([held(&one, Some("s1")), held(&one, Some("s2"))]);
    let file = archives.add(&nodes, &file).await;

    let found = archives.get(&format!("{one}?resolve[]=container_locations&resolve[]=collection")).await;
    assert_eq!(found["display_string"], "Box 1: Series I [Barcode: b1]");
    let long = "Box 1 [Barcode: b1], Flat, Main [Shelf: 1], MS 1--2, Papers MS 1, Series I";
    assert_eq!(found["long_display_string"], long);
    assert_eq!(refs(&found["collection"]), [papers.as_str()]);
    assert_eq!(found["collection"][0]["identifier"], "MS 1--2");
    assert_eq!(found["collection"][0]["display_string"], "Papers MS 1");
    assert_eq!(found["collection"][0]["_resolved"]["title"], "Papers MS 1");
    assert_eq!(
        found["series"],
        json!([{"ref": series, "identifier": "I", "display_string": "Letters", "level_display_string": "Series",
                "publish": true}])
    );
    assert_eq!(found["container_locations"][0]["_resolved"]["title"], "Main [Shelf: 1]");
    assert_eq!(found["subcontainer_barcodes"], "s1 s2 ");
    assert_eq!((&found["restricted"], &found["is_linked_to_published_record"]), (&json!(true), &json!(true)));
    let active = found["active_restrictions"].as_array().expect("a list");
    assert_eq!(active.len(), 1);
    assert_eq!(active[0]["begin"], "2000-01-01");
    assert_eq!(
        (&active[0]["linked_records"]["ref"], &active[0]["restriction_note_type"]),
        (&json!(series), &json!("accessrestrict"))
    );
    // The record that was read can be sent back; a tree shows the container.
    archives.admin.post(&one, &found).await.expect(200);
    let shown = archives.get(&format!("{papers}/tree/node?node_uri={series}")).await;
    let item = &shown["precomputed_waypoints"][&series]["0"][0];
    assert_eq!((&item["uri"], &item["containers"][0]["top_container_barcode"]), (&json!(file), &json!("b1")));
    assert_eq!(refs(&archives.get(&format!("{papers}/top_containers")).await), [one.as_str()]);
    // Nothing published is in it once the series above is not.
    archives.admin.post(&format!("{series}/unpublish"), &json!({})).await.expect(200);
    let hidden = archives.get(&one).await;
    assert_eq!(hidden["is_linked_to_published_record"], false);
    assert_eq!(archives.get(&format!("{papers}/top_containers")).await, json!([]));
    let types = archives.get(&format!("{papers}/models_in_graph")).await;
    let expected =
        ["archival_object", "date", "extent", "instance", "lang_material", "language_and_script", "sub_container"];
    assert_eq!(types, json!(expected));
    // With the container go the instances in it.
    archives.admin.delete(&one).await.expect(200);
    assert_eq!(archives.get(&file).await["instances"], json!([]));
    archives.admin.get(&one).await.expect(404);
}

#[tokio::test]
async fn a_list_of_containers_is_one_round_trip() {
    let archives = archives().await;
    let repository = archives.repository("A").await;
    let papers = archives.add(&format!("{repository}/resources"), &resource("MS 1")).await;
    for number in 1..=5 {
        let one = container(&archives, &repository, &number.to_string()).await;
        let mut file = component("A", &papers, None);
        file["instances"] = json!([held(&one, None)]);
        archives.add(&format!("{repository}/archival_objects"), &file).await;
    }
    let answer = archives.admin.get(&format!("{repository}/top_containers?page=1&page_size=250")).await.expect(200);
    assert_eq!(answer.round_trips(), 1);
    let listed = answer.json();
    assert_eq!(texts(&listed["results"], "display_string"), ["Box 1", "Box 2", "Box 3", "Box 4", "Box 5"]);
    assert_eq!(refs(&listed["results"][4]["collection"]), [papers]);
}

#[tokio::test]
async fn a_barcode_is_of_one_container_of_a_repository() {
    let archives = archives().await;
    let (one, other) = (archives.repository("A").await, archives.repository("B").await);
    let sent = json!({"indicator": "1", "barcode": "b1"});
    let uri = archives.add(&format!("{one}/top_containers"), &sent).await;
    assert_eq!(archives.get(&uri).await["display_string"], " 1: [Barcode: b1]");
    let taken = archives.admin.post(&format!("{one}/top_containers"), &sent).await.expect(400).json();
    assert_eq!(taken, json!({"error": {"barcode": ["A barcode must be unique within a repository"]}}));
    archives.add(&format!("{other}/top_containers"), &sent).await;
    let missing =
        archives.admin.post(&format!("{one}/top_containers"), &json!({"type": "box"})).await.expect(400).json();
    assert_eq!(missing["error"], json!({"indicator": ["Property is required but was missing"]}));
}

#[tokio::test]
async fn only_a_temporary_location_can_be_left() {
    let archives = archives().await;
    let repository = archives.repository("A").await;
    let (fixed, exhibit) = (location(&archives, "1", false).await, location(&archives, "2", true).await);
    let stay = |location: &str| json!({"ref": location, "status": "previous", "start_date": "2020-01-01", "end_date": "2020-02-01"});
    let path = format!("{repository}/top_containers");
    let sent = |locations: Value| json!({"indicator": "1", "container_locations": locations});
    let refused = archives.admin.post(&path, &sent(json!([stay(&exhibit), stay(&fixed)]))).await.expect(400).json();
    let message = json!(["cannot be previous if Location is not temporary"]);
    assert_eq!(refused, json!({"error": {"container_locations/1/status": message}}));
    let uri = archives.add(&path, &sent(json!([stay(&exhibit)]))).await;
    let mut record = archives.get(&uri).await;
    record["container_locations"][0]["ref"] = fixed.into();
    archives.admin.post(&uri, &record).await.expect(400);
}

#[tokio::test]
async fn many_containers_get_the_same_value() {
    let archives = archives().await;
    let repository = archives.repository("A").await;
    let (one, two) = (container(&archives, &repository, "1").await, container(&archives, &repository, "2").await);
    let (first, second) = (location(&archives, "1", false).await, location(&archives, "2", true).await);
    let batch = |name: &str, value: &str| {
        // Who gives a holding need not know which containers are left.
        let ids = if name == "ils_holding_id" { "ids[]=1&ids[]=2&ids[]=99" } else { "ids[]=1&ids[]=2" };
        let path = format!("{repository}/top_containers/batch/{name}?{ids}&{value}");
        let client = archives.admin.clone();
        async move { client.send(Method::POST, &path, None).await }
    };
    let answer = batch("ils_holding_id", "ils_holding_id=h1").await.expect(200);
    assert_eq!((answer.round_trips(), answer.json()), (1, json!({"records_updated": 2})));
    assert_eq!(archives.get(&one).await["ils_holding_id"], "h1");
    batch("ils_holding_id", "ils_holding_id=").await.expect(200);
    assert_eq!(archives.get(&one).await["ils_holding_id"], Value::Null);
    let profile = json!({"name": "Flat", "dimension_units": "inches", "extent_dimension": "width", "height": "1",
        "width": "2", "depth": "3"});
    let profile = archives.add("/container_profiles", &profile).await;
    batch("container_profile", &format!("container_profile_uri={profile}")).await.expect(200);
    assert_eq!(archives.get(&two).await["container_profile"], json!({"ref": profile}));
    let missing = batch("container_profile", "container_profile_uri=/container_profiles/9").await.expect(200).json();
    let error = "Container profile not found: /container_profiles/9";
    assert_eq!(missing, json!({"records_updated": 0, "error": error}));
    assert_eq!(archives.get(&two).await["container_profile"], json!({"ref": profile}));
    batch("container_profile", "container_profile_uri=").await.expect(200);
    assert_eq!(archives.get(&two).await["container_profile"], Value::Null);
    // A container keeps where it has been, and is now elsewhere.
    let mut record = archives.get(&one).await;
    record["container_locations"] = json!([
        {"ref": first, "status": "current", "start_date": "2020-01-01"},
        {"ref": second, "status": "previous", "start_date": "2019-01-01", "end_date": "2020-01-01"}]);
    archives.admin.post(&one, &record).await.expect(200);
    let moved = batch("location", &format!("location_uri={second}")).await.expect(200).json();
    assert_eq!(moved, json!({"records_updated": 2}));
    let stays = archives.get(&one).await["container_locations"].clone();
    assert_eq!(texts(&stays, "ref"), [second.clone(), second.clone()]);
    assert_eq!(texts(&stays, "status"), ["current", "previous"]);
    assert_eq!(stays[0]["start_date"].as_str().map(str::len), Some(10));
    for nowhere in ["/subjects/1", "/locations/99"] {
        let refused = batch("location", &format!("location_uri={nowhere}")).await.expect(200).json();
        let error = format!("Location not found: {nowhere}");
        assert_eq!(refused, json!({"records_updated": 0, "error": error}));
    }
    assert_eq!(archives.get(&one).await["container_locations"], stays);
    let linked = archives.admin.delete(&second).await.expect(409).json();
    assert_eq!(linked, json!({"error": "Location cannot be deleted if linked"}));
    archives.admin.delete(&first).await.expect(200);
}

#[tokio::test]
async fn each_container_gets_its_own_value() {
    let archives = archives().await;
    let repository = archives.repository("A").await;
    let (one, two) = (container(&archives, &repository, "1").await, container(&archives, &repository, "2").await);
    let bulk = |name: &str| format!("{repository}/top_containers/bulk/{name}");
    let barcodes = |first: &str, second: &str| json!({(one.as_str()): first, (two.as_str()): second});
    let answer = archives.admin.post(&bulk("barcodes"), &barcodes("x", "y")).await.expect(200);
    assert_eq!((answer.round_trips(), answer.json()), (1, json!({"updated": [1, 2]})));
    // They can be exchanged in one step.
    archives.admin.post(&bulk("barcodes"), &barcodes("y", "x")).await.expect(200);
    assert_eq!(archives.get(&one).await["barcode"], "y");
    let refused =
        |uri: &str| json!({"error": {"barcode": ["A barcode must be unique within a repository"]}, "uri": uri});
    let same = archives.admin.post(&bulk("barcodes"), &barcodes("z", "z")).await.expect(400).json();
    assert_eq!(same, refused(&two));
    archives.add(&format!("{repository}/top_containers"), &json!({"indicator": "3", "barcode": "z"})).await;
    let taken = archives.admin.post(&bulk("barcodes"), &json!({(one.as_str()): "z"})).await.expect(400).json();
    assert_eq!(taken, refused(&one));
    assert_eq!(archives.get(&one).await["barcode"], "y");
    archives.admin.post(&bulk("barcodes"), &json!({(one.as_str()): null})).await.expect(200);
    assert_eq!(archives.get(&one).await["barcode"], Value::Null);
    let sent = json!({(one.as_str()): "7a", (two.as_str()): null});
    let updated = archives.admin.post(&bulk("indicators"), &sent).await.expect(200).json();
    assert_eq!(updated, json!({"updated": [1]}));
    assert_eq!(archives.get(&one).await["display_string"], "Box 7a");
    let empty = archives.admin.post(&bulk("indicators"), &json!({(one.as_str()): ""})).await.expect(400).json();
    assert_eq!(empty["uri"], one.as_str());
    let shelf = location(&archives, "1", false).await;
    let moved = archives.admin.post(&bulk("locations"), &json!({(one.as_str()): shelf})).await.expect(200).json();
    assert_eq!(moved, json!({"records_ids_updated": [1], "records_updated": 1}));
    for (path, body) in
        [("locations", json!({(one.as_str()): "/locations/9"})), ("locations", json!({(one.as_str()): null}))]
    {
        archives.admin.post(&bulk(path), &body).await.expect(400);
    }
    let unknown = json!({format!("{repository}/top_containers/99"): "x"});
    let unknown = archives.admin.post(&bulk("barcodes"), &unknown).await.expect(404).json();
    assert_eq!(unknown, json!({"error": "TopContainer not found"}));
}

#[tokio::test]
async fn nothing_to_change_is_no_fault() {
    let archives = archives().await;
    let repository = archives.repository("A").await;
    let one = container(&archives, &repository, "1").await;
    let shelf = location(&archives, "1", false).await;
    let all = format!("{repository}/top_containers");
    let post = async |path: &str, body: Value| {
        let answer = archives.admin.post(&format!("{all}/{path}"), &body).await;
        answer.expect(200).json()
    };
    let holdings = post("batch/ils_holding_id?ids[]=99&ils_holding_id=x", json!({})).await;
    assert_eq!(holdings, json!({"records_updated": 0}));
    for ids in ["ids[]=99", "ids[]=1&ids[]=99"] {
        let answer = post(&format!("batch/location?{ids}&location_uri={shelf}"), json!({})).await;
        assert_eq!(answer, json!({"records_updated": 0, "error": "TopContainer not found"}));
    }
    assert_eq!(archives.get(&one).await["container_locations"], json!([]));
    for (name, body) in
        [("barcodes", json!({})), ("indicators", json!({})), ("indicators", json!({(one.as_str()): null}))]
    {
        let shown = body.to_string();
        assert_eq!(post(&format!("bulk/{name}"), body).await, json!({"updated": []}), "{name} {shown}");
    }
    let none = json!({"records_ids_updated": [], "records_updated": 0});
    assert_eq!(post("bulk/locations", json!({})).await, none);
}

#[tokio::test]
async fn containers_are_for_those_who_may() {
    let archives = archives().await;
    let repository = archives.repository("A").await;
    container(&archives, &repository, "1").await;
    user(&archives.library, "nobody", &[]).await;
    let nobody = signed_in(&archives.library, "nobody").await;
    for path in
        ["top_containers?page=1", "top_containers/1", "resources/1/top_containers", "resources/1/models_in_graph"]
    {
        nobody.get(&format!("{repository}/{path}")).await.expect(403);
    }
    for path in ["top_containers", "top_containers/1", "top_containers/bulk/barcodes", "top_containers/bulk/locations"]
    {
        nobody.post(&format!("{repository}/{path}"), &json!({"indicator": "1"})).await.expect(403);
    }
    let path = format!("{repository}/top_containers/batch/location?ids[]=1&location_uri=");
    nobody.send(Method::POST, &path, None).await.expect(403);
    nobody.delete(&format!("{repository}/top_containers/1")).await.expect(403);
    archives.admin.get(&format!("{repository}/resources/9/top_containers")).await.expect(404);
    archives.admin.get(&format!("{repository}/resources/9/models_in_graph")).await.expect(404);
}
