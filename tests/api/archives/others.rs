//! Digital objects, and the profiles and locations of containers (contract 3.4, 4.4, 4.8).

use super::*;

#[tokio::test]
async fn a_digital_object_knows_what_it_is_an_instance_of() {
    let archives = archives().await;
    let repository = archives.repository("A").await;
    let sent = json!({"title": "Scans", "digital_object_id": "do.1"});
    let digital = archives.add(&format!("{repository}/digital_objects"), &sent).await;
    let taken = archives.admin.post(&format!("{repository}/digital_objects"), &sent).await.expect(400).json();
    assert_eq!(taken, json!({"error": {"digital_object_id": ["Must be unique"]}}));
    let resource = archives.add(&format!("{repository}/resources"), &resource("MS 1")).await;
    let mut file = component("Letters", &resource, None);
    file["instances"] = json!([{"instance_type": "digital_object", "digital_object": {"ref": digital}}]);
    let file = archives.add(&format!("{repository}/archival_objects"), &file).await;
    let found = archives.get(&digital).await;
    assert_eq!(found["linked_instances"], json!([{"ref": file}]));
    assert_eq!(found["collection"], json!([{"ref": resource}]));
    assert_eq!(found["tree"], json!({"ref": format!("{digital}/tree")}));
    let page = archives.get(&format!("{resource}/tree/root")).await;
    assert_eq!(page["precomputed_waypoints"][""]["0"][0]["has_digital_instance"], true);
    // An instance of a digital object is nothing without it.
    archives.admin.delete(&digital).await.expect(200);
    assert_eq!(archives.get(&file).await["instances"], json!([]));
}

#[tokio::test]
async fn a_digital_object_has_a_tree_of_components() {
    let archives = archives().await;
    let repository = archives.repository("A").await;
    let sent = json!({"title": "Scans", "digital_object_id": "do.1"});
    let digital = archives.add(&format!("{repository}/digital_objects"), &sent).await;
    let components = format!("{repository}/digital_object_components");
    for label in ["recto", "verso"] {
        archives.add(&components, &json!({"label": label, "digital_object": {"ref": digital}})).await;
    }
    let second = archives.get(&format!("{components}/2")).await;
    assert_eq!((&second["position"], &second["display_string"]), (&json!(1), &json!("verso")));
    let root = archives.get(&format!("{digital}/tree/root")).await;
    assert_eq!((&root["child_count"], &root["jsonmodel_type"]), (&json!(2), &json!("digital_object")));
    archives.admin.get(&format!("{digital}/ordered_records")).await.expect(404);
}

#[tokio::test]
async fn profiles_and_locations_are_shown_in_words() {
    let archives = archives().await;
    let profile = json!({"name": "Hollinger", "dimension_units": "inches", "extent_dimension": "width",
        "height": "10", "width": "5", "depth": "12"});
    let uri = archives.add("/container_profiles", &profile).await;
    let found = archives.get(&uri).await;
    assert_eq!(found["display_string"], "Hollinger [12d, 10h, 5w inches] extent measured by width");
    let taken = archives.admin.post("/container_profiles", &profile).await.expect(400).json();
    assert_eq!(taken, json!({"error": {"name": ["container profile name not unique"]}}));
    let shelf = json!({"building": "Main", "floor": "2", "barcode": "8675", "coordinate_1_label": "Shelf",
        "coordinate_1_indicator": "7"});
    let uri = archives.add("/locations", &shelf).await;
    assert_eq!(archives.get(&uri).await["title"], "Main, 2 [8675, Shelf: 7]");
    // Everybody reads them; they belong to no repository.
    let anonymous = anonymous(&archives.library);
    assert_eq!(anonymous.get("/locations?all_ids=true").await.expect(200).json(), json!([1]));
    anonymous.post("/locations", &shelf).await.expect(403);
    let nowhere = archives.admin.post("/locations", &json!({"building": "Main"})).await.expect(400);
    assert!(nowhere.json()["error"].is_object(), "{}", nowhere.text);
}
