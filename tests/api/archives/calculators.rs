//! Dates, extents and room for containers, and the files that represent records (contract 3.4, 4.1).

use super::*;

fn profile(name: &str, size: [&str; 3]) -> Value {
    json!({"name": name, "dimension_units": "inches", "extent_dimension": "width", "width": size[0], "height": size[1],
        "depth": size[2]})
}

fn held(container: &str) -> Value {
    json!([{"instance_type": "text", "sub_container": {"top_container": {"ref": container}}}])
}

#[tokio::test]
async fn dates_and_extents_are_of_all_below_a_record() {
    let archives = archives().await;
    let repository = archives.repository("A").await;
    let flat = archives.add("/container_profiles", &profile("Flat", ["6", "1", "1"])).await;
    let container = |indicator: &str, profile: Option<&str>| {
        let mut sent = json!({"indicator": indicator});
        if let Some(profile) = profile {
            sent["container_profile"] = json!({"ref": profile});
        }
        sent
    };
    let containers = format!("{repository}/top_containers");
    let one = archives.add(&containers, &container("1", Some(&flat))).await;
    let two = archives.add(&containers, &container("2", Some(&flat))).await;
    let bare = archives.add(&containers, &container("3", None)).await;
    let papers = archives.add(&format!("{repository}/resources"), &resource("MS 1")).await;
    let date = |label: &str, begin: &str, end: Option<&str>| {
        let mut date = json!({"date_type": "inclusive", "label": label, "begin": begin});
        if let Some(end) = end {
            date["end"] = end.into();
        }
        date
    };
    let nodes = format!("{repository}/archival_objects");
    let mut series = component("series", &papers, None);
    series["dates"] = json!([date("creation", "1900-02", Some("1904-02"))]);
    series["instances"] = held(&one);
    let series = archives.add(&nodes, &series).await;
    for (dates, container) in [
        (json!([date("creation", "1901", None), date("publication", "1850-05-06", Some("1999"))]), &two),
        (json!([date("creation", "1903-12-31", Some("1903-12-31"))]), &two),
        (json!([]), &bare),
    ] {
        let mut file = component("file", &papers, Some(&series));
        file["dates"] = dates;
        file["instances"] = held(container);
        archives.add(&nodes, &file).await;
    }
    let answer = archives.admin.get(&format!("/date_calculator?record_uri={papers}")).await.expect(200);
    assert_eq!(answer.round_trips(), 1);
    assert_eq!(
        answer.json(),
        json!({"object": {"uri": papers, "jsonmodel_type": "resource", "title": "Papers MS 1", "id": 1},
               "resource": {"uri": papers, "title": "Papers MS 1"}, "label": null, "min_begin_date": "1850-05-06",
               "min_begin": "1850-05-06", "max_end_date": "1999-12-31", "max_end": "1999"})
    );
    let created = archives.get(&format!("/date_calculator?record_uri={papers}&label=creation")).await;
    let span = ["min_begin_date", "min_begin", "max_end_date", "max_end"].map(|name| created[name].clone());
    assert_eq!(span, [json!("1900-02-01"), json!("1900-02"), json!("1904-02-29"), json!("1904-02")]);
    let below = archives.get(&format!("/date_calculator?record_uri={series}&label=creation")).await;
    assert_eq!((&below["max_end"], &below["resource"]["uri"]), (&json!("1903-12-31"), &json!(papers)));
    let none = archives.get(&format!("/date_calculator?record_uri={papers}&label=event")).await;
    assert_eq!(none["min_begin"], Value::Null);

    let answer = archives.admin.get(&format!("/extent_calculator?record_uri={papers}&unit=feet")).await.expect(200);
    assert_eq!(answer.round_trips(), 1);
    let found = answer.json();
    assert_eq!(
        (&found["total_extent"], &found["units"], &found["volume"]),
        (&json!(1.0), &json!("feet"), &json!(false))
    );
    assert_eq!((&found["container_count"], &found["container_without_profile_count"]), (&json!(3), &json!(1)));
    let name = "Flat [1d, 1h, 6w inches] extent measured by width";
    assert_eq!(found["containers"], json!({name: {"count": 2, "extent": 1.0}}));
    assert_eq!(found["resource"], Value::Null);
    let usual = archives.get(&format!("/extent_calculator?record_uri={series}")).await;
    assert_eq!((&usual["total_extent"], &usual["units"]), (&json!(12.0), &json!("inches")));
    assert_eq!(usual["resource"]["uri"], json!(papers));
    for path in [
        format!("/extent_calculator?record_uri={papers}&unit=miles"),
        "/date_calculator".to_owned(),
        "/date_calculator?record_uri=/subjects/1".to_owned(),
    ] {
        archives.admin.get(&path).await.expect(400);
    }
    archives.admin.get(&format!("/date_calculator?record_uri={repository}/resources/9")).await.expect(404);
    user(&archives.library, "nobody", &[]).await;
    let nobody = signed_in(&archives.library, "nobody").await;
    for calculator in ["date", "extent"] {
        nobody.get(&format!("/{calculator}_calculator?record_uri={papers}")).await.expect(403);
    }
}

#[tokio::test]
async fn containers_are_counted_that_fit_in_locations() {
    let archives = archives().await;
    let repository = archives.repository("A").await;
    let small = archives.add("/container_profiles", &profile("Small", ["2", "3", "4"])).await;
    let shelf = json!({"name": "Shelf", "dimension_units": "inches", "width": "10", "height": "6", "depth": "8"});
    let shelf = archives.add("/location_profiles", &shelf).await;
    let location = |indicator: &str, profile: Option<&str>| {
        let mut sent = json!({"building": "Main", "floor": "2", "coordinate_1_label": "Shelf",
            "coordinate_1_indicator": indicator});
        if let Some(profile) = profile {
            sent["location_profile"] = json!({"ref": profile});
        }
        sent
    };
    let first = archives.add("/locations", &location("1", Some(&shelf))).await;
    let second = archives.add("/locations", &location("2", None)).await;
    let sent = json!({"indicator": "1", "container_profile": {"ref": small},
        "container_locations": [{"ref": first, "status": "current", "start_date": "2020-01-01"}]});
    archives.add(&format!("{repository}/top_containers"), &sent).await;
    let of = format!("container_profile_uri={small}");
    let path = format!("/space_calculator/by_location?{of}&location_uris[]={first}&location_uris[]={second}");
    let found = archives.get(&path).await;
    assert_eq!((&found["total_spaces_available"], &found["total_containers_of_type"]), (&json!(19), &json!(1)));
    assert_eq!(found["locations_with_space"][0]["count"], 19);
    let resolved = &found["locations_with_space"][0]["_resolved"];
    assert_eq!(resolved["location_profile"]["_resolved"]["name"], "Shelf");
    assert_eq!(found["uncalculatable_locations"][0]["reason"], "location_lacks_a_profile");
    let building = archives.get(&format!("/space_calculator/by_building?{of}&building=Main&floor=2")).await;
    assert_eq!(building["total_spaces_available"], 19);
    let elsewhere = archives.get(&format!("/space_calculator/by_building?{of}&building=Main&floor=3")).await;
    assert_eq!(elsewhere["locations_with_space"], json!([]));
    let buildings = archives.get("/space_calculator/buildings").await;
    assert_eq!(buildings, json!({"Main": {"2": {"[no room]": []}}}));
    for path in [
        format!("by_building?{of}"),
        "by_building?building=Main&container_profile_uri=/container_profiles/9".to_owned(),
        format!("by_location?{of}&location_uris[]=/subjects/1"),
    ] {
        archives.admin.get(&format!("/space_calculator/{path}")).await.expect(400);
    }
}

#[tokio::test]
async fn a_file_represents_its_record() {
    let archives = archives().await;
    let repository = archives.repository("A").await;
    let file = |uri: &str, members: Value| {
        let mut file = json!({"file_uri": uri, "publish": true});
        file.as_object_mut().expect("an object").extend(members.as_object().cloned().expect("an object"));
        file
    };
    let files = json!([
        file("http://example.org/embedded", json!({"xlink_show_attribute": "embed"})),
        file("http://example.org/hidden", json!({"use_statement": "image-thumbnail", "publish": false})),
        file("http://example.org/small", json!({"use_statement": "image-thumbnail"})),
        file("http://example.org/large", json!({}))
    ]);
    let sent = json!({"title": "D", "digital_object_id": "d1", "file_versions": files});
    let object = archives.add(&format!("{repository}/digital_objects"), &sent).await;
    let shown = archives.get(&object).await["representative_file_version"].clone();
    assert_eq!((&shown["file_uri"], &shown["link_uri"]), (&files[2]["file_uri"], &files[3]["file_uri"]));
    let mut record = archives.get(&object).await;
    record["file_versions"][3]["is_representative"] = true.into();
    archives.admin.post(&object, &record).await.expect(200);
    let shown = archives.get(&object).await["representative_file_version"].clone();
    assert_eq!((&shown["file_uri"], &shown["link_uri"]), (&files[3]["file_uri"], &Value::Null));
    let mut papers = resource("MS 1");
    papers["instances"] =
        json!([{"instance_type": "digital_object", "digital_object": {"ref": object}, "is_representative": true}]);
    let papers = archives.add(&format!("{repository}/resources"), &papers).await;
    let shown = archives.get(&papers).await["representative_file_version"].clone();
    assert_eq!((&shown["file_uri"], &shown["derived_from"]), (&files[3]["file_uri"], &json!(object)));
    let bare =
        archives.add(&format!("{repository}/digital_objects"), &json!({"title": "E", "digital_object_id": "e"})).await;
    assert_eq!(archives.get(&bare).await.get("representative_file_version"), None);
}

#[tokio::test]
async fn a_component_represents_a_digital_object_without_a_file_of_its_own() {
    let archives = archives().await;
    let repository = archives.repository("A").await;
    let object = json!({"title": "D", "digital_object_id": "d1",
        "file_versions": [{"file_uri": "http://example.org/hidden", "publish": false}]});
    let object = archives.add(&format!("{repository}/digital_objects"), &object).await;
    let add = async |title: &str, parent: Option<&str>, files: Value| {
        let mut part = json!({"title": title, "digital_object": {"ref": object}, "file_versions": files});
        if let Some(parent) = parent {
            part["parent"] = json!({"ref": parent});
        }
        archives.add(&format!("{repository}/digital_object_components"), &part).await
    };
    let small = |uri: &str| json!([{"file_uri": uri, "publish": true, "use_statement": "image-thumbnail"}]);
    let first = add("One", None, json!([])).await;
    add("Two", None, small("http://example.org/second")).await;
    let records = [
        (format!("{repository}/resources"), resource("MS 1")),
        (format!("{repository}/accessions"), json!({"id_0": "1", "accession_date": "2020-01-01"})),
    ];
    let mut made = Vec::new();
    for (path, mut record) in records {
        record["instances"] =
            json!([{"instance_type": "digital_object", "digital_object": {"ref": object}, "is_representative": true}]);
        made.push(archives.add(&path, &record).await);
    }
    let shows = async |uri: &str, from: &str| {
        for record in &made {
            let shown = archives.get(record).await["representative_file_version"].clone();
            assert_eq!((&shown["file_uri"], &shown["derived_from"]), (&json!(uri), &json!(from)), "{record}");
        }
    };
    let second = archives.get(&format!("{object}/tree/root")).await;
    let second = second["precomputed_waypoints"][""]["0"][1]["uri"].as_str().expect("the second").to_owned();
    shows("http://example.org/second", &second).await;
    // From top to bottom: what is below the first comes before the second.
    let below = add("Below", Some(&first), small("http://example.org/below")).await;
    shows("http://example.org/below", &below).await;
    let marked = json!([{"file_uri": "http://example.org/marked", "publish": true, "is_representative": true}]);
    let marked = add("Marked", None, marked).await;
    shows("http://example.org/marked", &marked).await;
    assert_eq!(archives.get(&object).await.get("representative_file_version"), None, "only other records look there");
}
