//! Many locations from one request (contract 3.4).

use super::*;

fn batch() -> Value {
    json!({"building": "Main", "floor": "2",
        "coordinate_1_range": {"label": "Row", "start": "1", "end": "2", "prefix": "R"},
        "coordinate_2_range": {"label": "Shelf", "start": "a", "end": "c"}})
}

#[tokio::test]
async fn ranges_stand_for_locations() {
    let archives = archives().await;
    let titles = archives.admin.post("/locations/batch?dry_run=true", &batch()).await.expect(200).json();
    let titles: Vec<_> = titles.as_array().expect("a list").iter().filter_map(Value::as_str).collect();
    assert_eq!(titles[0], "Main, 2 [Row: R1, Shelf: a]");
    assert_eq!((titles.len(), titles[5]), (6, "Main, 2 [Row: R2, Shelf: c]"));
    assert_eq!(archives.get("/locations?all_ids=true").await, json!([]));
    let made = archives.admin.post("/locations/batch", &batch()).await.expect(200);
    assert_eq!(made.round_trips(), 1);
    assert_eq!(made.json().as_array().map(Vec::len), Some(6));
    let last = made.json()[5].as_str().expect("an address").to_owned();
    assert_eq!(archives.get(&last).await["title"], titles[5]);
    let mut wrong = batch();
    wrong.as_object_mut().expect("an object").remove("coordinate_1_range");
    let refused = archives.admin.post("/locations/batch", &wrong).await.expect(400).json();
    assert_eq!(refused["error"]["coordinate_1_range"], json!(["Property is required but was missing"]));
    let mut many = batch();
    many["coordinate_1_range"] = json!({"label": "Row", "start": "1", "end": "1000"});
    many["coordinate_2_range"] = json!({"label": "Bay", "start": "1", "end": "1000"});
    archives.admin.post("/locations/batch", &many).await.expect(400);
    user(&archives.library, "nobody", &[]).await;
    let nobody = signed_in(&archives.library, "nobody").await;
    nobody.post("/locations/batch", &batch()).await.expect(403);
    nobody.post("/locations/batch_update", &json!({"record_uris": []})).await.expect(403);
}

#[tokio::test]
async fn many_locations_change_at_once() {
    let archives = archives().await;
    let uris = archives.admin.post("/locations/batch", &batch()).await.expect(200).json();
    let (first, second) = (uris[0].as_str().expect("an address"), uris[1].as_str().expect("an address"));
    let sent = json!({"record_uris": [first, second], "building": "Annex", "temporary": "loan"});
    let answer = archives.admin.post("/locations/batch_update", &sent).await.expect(200);
    assert_eq!((answer.round_trips(), answer.json()), (2, json!([first, second])));
    let changed = archives.get(first).await;
    assert_eq!((&changed["title"], &changed["temporary"]), (&json!("Annex, 2 [Row: R1, Shelf: a]"), &json!("loan")));
    assert_eq!(changed["lock_version"], 1);
    assert_eq!(archives.get(uris[2].as_str().expect("an address")).await["building"], "Main");
    let unknown = json!({"record_uris": [first, "/locations/99"], "building": "Nowhere"});
    archives.admin.post("/locations/batch_update", &unknown).await.expect(404);
    assert_eq!(archives.get(first).await["building"], "Annex");
    let missing = json!({"record_uris": [first], "location_profile": {"ref": "/location_profiles/9"}});
    archives.admin.post("/locations/batch_update", &missing).await.expect(400);
}
