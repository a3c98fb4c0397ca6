//! What forms start with and require, templates, lists of values, vocabularies, profiles, names in addresses and permissions.

use super::*;

#[tokio::test]
async fn defaults_show_what_they_refer_to() {
    let archives = archives().await;
    let (repository, other) = (archives.repository("DEF").await, archives.repository("ELSE").await);
    let agent = with(person("A"), json!({"agent_contacts": [{"name": "Desk"}]}));
    let agent = archives.add("/agents/people", &agent).await;
    let papers = archives.add(&format!("{repository}/resources"), &resource("1")).await;
    let secret = archives.add(&format!("{other}/resources"), &resource("2")).await;
    let path = format!("{repository}/default_values/classification_terms");
    let sent = json!({"record_type": "classification_term",
        "defaults": {"creator": {"ref": agent}, "linked_records": [{"ref": papers}, {"ref": secret}]}});
    let saved = archives.admin.post(&path, &sent).await.expect(200).json();
    assert_eq!(saved["uri"], format!("{repository}/default_values/classification_term"));
    let viewer = archives.member("viewer", &repository, &["repository-viewers"]).await;
    let read = viewer.get(&path).await.expect(200).json();
    let (creator, linked) = (&read["defaults"]["creator"], &read["defaults"]["linked_records"]);
    assert_eq!((&creator["_resolved"]["title"], &creator["_resolved"]["agent_contacts"]), (&json!("A"), &json!([])));
    assert_eq!(linked[0]["_resolved"]["title"], "Papers 1");
    // Nobody checks what is kept here, so it opens no other repository.
    assert_eq!(linked[1], json!({"ref": secret}));
    // What is read can be sent back, and stays current.
    archives.admin.post(&path, &archives.get(&path).await).await.expect(200);
    archives.edit(&papers, |record| record["title"] = "Letters".into()).await;
    assert_eq!(archives.get(&path).await["defaults"]["linked_records"][0]["_resolved"]["title"], "Letters");
}

#[tokio::test]
async fn defaults_are_kept_for_each_type() {
    let archives = archives().await;
    let repository = archives.repository("DEF").await;
    for (kind, first, member, second) in [
        ("resource", json!({"title": "TITLE"}), "title", json!("NEW TITLE")),
        ("resource", json!({"title": "TITLE"}), "finding_aid_language", json!("eng")),
        ("accession", json!({"id_0": "0123"}), "languages", json!({"language": "eng", "script": "Latn"})),
        ("accession", json!({"id_0": "0123"}), "script", json!("Latn")),
        ("container_profile", json!({"name": "BOX", "extent_dimension": "width"}), "extent_dimension", json!("height")),
    ] {
        let path = format!("{repository}/default_values/{kind}");
        let sent = json!({"record_type": kind, "defaults": first});
        archives.admin.post(&path, &sent).await.expect(200);
        let read = archives.edit(&path, |record| record["defaults"][member] = second.clone()).await;
        assert_eq!(read["defaults"][member], second, "{kind}");
    }
}

#[tokio::test]
async fn requirements_are_for_agents() {
    let archives = archives().await;
    let repository = archives.repository("REQ").await;
    let of = |kind: &str| {
        json!({"record_type": kind, "subrecord_requirements": [{"record_type": "metadata_rights_declaration",
            "property": "metadata_rights_declarations", "required": true,
            "required_fields": ["xlink_title_attribute", "xlink_role_attribute"]}]})
    };
    let path = format!("{repository}/required_fields/agent_person");
    archives.admin.post(&path, &of("agent_person")).await.expect(200);
    let requirement = archives.get(&path).await["subrecord_requirements"][0].clone();
    for (member, value) in of("agent_person")["subrecord_requirements"][0].as_object().expect("members") {
        assert_eq!(&requirement[member], value, "{member}");
    }
    archives.admin.post(&format!("{repository}/required_fields/resource"), &of("resource")).await.expect(400);
}

#[tokio::test]
async fn templates_for_entry_and_reports_are_for_those_who_may() {
    let archives = archives().await;
    let repository = archives.repository("TEM").await;
    let template = |name: &str| {
        json!({"record_type": "archival_object", "name": name, "order": ["colLevel", "colTitle"],
            "visible": ["colTitle"], "defaults": {"colTitle": "DEFAULT TITLE", "colLevel": "item"}})
    };
    let all = format!("{repository}/rde_templates");
    for name in ["one", "two", "three"] {
        let uri = archives.add(&all, &template(name)).await;
        let read = archives.get(&uri).await;
        assert_eq!((&read["defaults"]["colTitle"], &read["name"]), (&json!("DEFAULT TITLE"), &json!(name)));
    }
    assert_eq!(texts(&archives.get(&all).await, "name"), ["one", "two", "three"]);
    let group = json!({"group_code": "reporters", "description": "Make reports",
        "grants_permissions": ["manage_custom_report_templates"]});
    archives.add(&format!("{repository}/groups"), &group).await;
    let manager = archives.member("manager", &repository, &["reporters"]).await;
    let intern = archives.member("intern", &repository, &[]).await;
    let sent = json!({"name": "Mine", "data": r#"{"custom_record_type": "resource", "fields": {}}"#, "limit": 10});
    let path = format!("{repository}/custom_report_templates");
    manager.post(&path, &sent).await.expect(200);
    intern.post(&path, &sent).await.expect(403);
}

#[tokio::test]
async fn a_list_keeps_what_is_used_or_suppressed() {
    let archives = archives().await;
    let repository = archives.repository("ENU").await;
    let list = archives.add("/config/enumerations", &json!({"name": "test_enum", "values": ["abc", "def"]})).await;
    let values = |list: &Value| -> Vec<String> {
        list["values"].as_array().expect("values").iter().filter_map(|one| one.as_str().map(str::to_owned)).collect()
    };
    let read = archives.get(&list).await;
    assert_eq!((values(&read), &read["default_value"]), (vec!["abc".to_owned(), "def".to_owned()], &Value::Null));
    assert!(texts(&archives.get("/config/enumerations").await, "name").contains(&"test_enum".to_owned()));
    assert_eq!(
        archives.edit(&list, |list| list["values"] = json!(["abc", "def", "unused"])).await["values"][2],
        "unused"
    );
    assert_eq!(values(&archives.edit(&list, |list| list["values"] = json!(["abc", "def"])).await), ["abc", "def"]);
    assert_eq!(archives.edit(&list, |list| list["default_value"] = "abc".into()).await["default_value"], "abc");
    let wrong = archives.edit(&list, |list| list["default_value"] = "banana".into()).await;
    assert_ne!(wrong["default_value"], "banana");
    let first = archives.get(&list).await["enumeration_values"][0]["uri"].as_str().expect("an address").to_owned();
    archives.act(&format!("{first}/suppressed?suppressed=true")).await;
    assert_eq!(values(&archives.get(&list).await), ["def"]);
    let more = archives.edit(&list, |list| list["values"] = json!(["def", "more"])).await;
    assert_eq!(values(&more), ["def", "more"]);
    assert!(texts(&more["enumeration_values"], "value").contains(&"abc".to_owned()), "{more}");
    archives.act(&format!("{first}/suppressed?suppressed=false")).await;
    assert!(values(&archives.get(&list).await).contains(&"abc".to_owned()));
    let moved = archives.act(&format!("{first}/position?position=3")).await;
    assert_eq!(moved["status"], "Updated");
    assert_eq!(values(&archives.get(&list).await).last().map(String::as_str), Some("abc"));
    // What a record has cannot go, until it has another.
    let used = "/config/enumerations/names/resource_resource_type";
    let used = archives.get(used).await["uri"].as_str().expect("an address").to_owned();
    archives.edit(&used, |list| list["values"].as_array_mut().expect("values").push("novel".into())).await;
    let sent = with(resource("1"), json!({"resource_type": "novel"}));
    let papers = archives.add(&format!("{repository}/resources"), &sent).await;
    let mut without = archives.get(&used).await;
    without["values"].as_array_mut().expect("values").retain(|value| value != "novel");
    archives.admin.post(&used, &without).await.expect(409);
    let before = archives.get(&papers).await["system_mtime"].clone();
    archives.library.clock.advance(jiff::SignedDuration::from_secs(10));
    let migration = json!({"enum_uri": used, "from": "novel", "to": "papers"});
    archives.admin.post("/config/enumerations/migration", &migration).await.expect(200);
    let after = archives.get(&papers).await;
    assert_eq!(after["resource_type"], "papers");
    assert_ne!(after["system_mtime"], before);
}

#[tokio::test]
async fn vocabularies_and_profiles_are_listed_and_changed() {
    let archives = archives().await;
    let uri = archives.add("/vocabularies", &json!({"name": "ABC", "ref_id": "abc"})).await;
    archives.add("/vocabularies", &json!({"name": "XYZ", "ref_id": "xyz"})).await;
    assert_eq!(archives.edit(&uri, |record| record["name"] = "New".into()).await["name"], "New");
    assert_eq!(texts(&archives.get("/vocabularies?ref_id=xyz").await, "name"), ["XYZ"]);
    archives.admin.post("/vocabularies/999999", &json!({"name": "A", "ref_id": "b"})).await.expect(404);
    let sent = json!({"source": "local", "vocabulary": uri,
        "terms": [{"term": "Heroes", "term_type": "cultural_context", "vocabulary": uri}]});
    archives.add("/subjects", &sent).await;
    assert_eq!(texts(&archives.get(&format!("{uri}/terms")).await, "term"), ["Heroes"]);
    let profile = json!({"name": "cp-01", "dimension_units": "inches", "extent_dimension": "height", "depth": "1",
        "height": "1", "width": "1"});
    archives.admin.post("/container_profiles/9999", &profile).await.expect(404);
    let uri = archives.add("/container_profiles", &profile).await;
    assert_eq!(archives.edit(&uri, |record| record["name"] = "cp-02".into()).await["name"], "cp-02");
    assert_eq!(archives.get("/container_profiles?page=1").await["total"], 1);
    archives.admin.delete(&uri).await.expect(200);
    archives.admin.get(&uri).await.expect(404);
    let location = archives.add("/locations", &json!({"building": "Annex", "barcode": "1"})).await;
    assert_eq!(archives.edit(&location, |record| record["room"] = "2-26".into()).await["room"], "2-26");
    for (level, expected) in [("repository", 200), ("all", 200), ("somethinginvalid", 400)] {
        archives.admin.get(&format!("/permissions?level={level}")).await.expect(expected);
    }
    archives.admin.get("/permissions").await.expect(400);
    let version = archives.admin.get("/version").await.expect(200).text;
    assert!(version.starts_with("ArchivesSpace ("), "{version}");
    archives.admin.get("/system/events").await.expect(200);
}

#[tokio::test]
async fn every_kind_of_record_is_found_by_its_name_in_addresses() {
    let archives = archives().await;
    let repository = archives.repository("SLU").await;
    let papers = archives.add(&format!("{repository}/resources"), &resource("0")).await;
    let scans = json!({"title": "Scans", "digital_object_id": "0"});
    let scans = archives.add(&format!("{repository}/digital_objects"), &scans).await;
    let [(people, person), (families, family), (bodies, body), (software, program)] = agents("A");
    let within = |path: &str| format!("{repository}/{path}");
    for (path, record, controller, table) in [
        (within("resources"), resource("1"), "resources", "resource"),
        (within("digital_objects"), json!({"title": "S", "digital_object_id": "1"}), "objects", "digital_object"),
        (within("accessions"), accession("1"), "accessions", "accession"),
        (within("classifications"), json!({"title": "C", "identifier": "c"}), "classifications", "classification"),
        (within("archival_objects"), component("A", &papers, None), "objects", "archival_object"),
        (
            within("digital_object_components"),
            json!({"title": "S", "digital_object": {"ref": scans}}),
            "objects",
            "digital_object_component",
        ),
        ("/subjects".to_owned(), subject("Letters"), "subjects", "subject"),
        (people.to_owned(), person, "agents", "agent_person"),
        (families.to_owned(), family, "agents", "agent_family"),
        (bodies.to_owned(), body, "agents", "agent_corporate_entity"),
        (software.to_owned(), program, "agents", "agent_software"),
        ("/repositories".to_owned(), json!({"repo_code": "N", "name": "N"}), "repositories", "repository"),
    ] {
        // Only names that somebody chose are cleaned.
        let chosen = table.starts_with("agent_") || table == "repository";
        let name = if chosen { format!("name_of_{table}") } else { format!("NameOf_{table}") };
        let more = if chosen { json!({"slug": name, "is_slug_auto": false}) } else { json!({"slug": name}) };
        let uri = archives.add(&path, &with(record, more)).await;
        let found = archives.get(&format!("/slug?slug={name}&controller={controller}&action=show")).await;
        let id: i64 = uri.rsplit('/').next().and_then(|id| id.parse().ok()).expect("an id");
        assert_eq!((&found["id"], &found["table"]), (&json!(id), &json!(table)), "{found}");
    }
}

#[tokio::test]
async fn records_of_the_same_identifier_of_elsewhere_are_all_told() {
    let archives = archives().await;
    let repository = archives.repository("EXT").await;
    let ids = json!({"external_ids": [{"external_id": "my_magic_id", "source": "this test"}]});
    let papers = archives.add(&format!("{repository}/resources"), &resource("1")).await;
    archives.admin.get("/by-external-id?eid=my_magic_id").await.expect(404);
    let gift = archives.add(&format!("{repository}/accessions"), &with(accession("1"), ids.clone())).await;
    let one = archives.admin.without_following().get("/by-external-id?eid=my_magic_id").await.expect(303);
    assert_eq!(one.header("location"), Some(gift.as_str()));
    let node = with(component("A", &papers, None), ids);
    let node = archives.add(&format!("{repository}/archival_objects"), &node).await;
    let both = archives.admin.get("/by-external-id?eid=my_magic_id").await.expect(300).json();
    let mut found: Vec<&str> = both.as_array().expect("a list").iter().filter_map(Value::as_str).collect();
    found.sort_unstable();
    let mut expected = [gift.as_str(), node.as_str()];
    expected.sort_unstable();
    assert_eq!(found, expected);
}

#[tokio::test]
async fn a_tree_of_terms_goes_with_its_classification() {
    let archives = archives().await;
    let repository = archives.repository("CLA").await;
    let creator = archives.add("/agents/people", &person("A")).await;
    let papers = archives.add(&format!("{repository}/resources"), &resource("1")).await;
    let sent = json!({"title": "Top", "identifier": "abcdef", "creator": {"ref": creator}});
    let root = archives.add(&format!("{repository}/classifications"), &sent).await;
    let terms = format!("{repository}/classification_terms");
    let term = |title: &str, more: Value| {
        with(json!({"title": title, "identifier": title, "classification": {"ref": root}}), more)
    };
    let links = json!({"creator": {"ref": creator}, "linked_records": [{"ref": papers}]});
    let first = archives.add(&terms, &term("TERM1", links)).await;
    let below = archives.add(&terms, &term("TERM1", json!({"parent": {"ref": first}}))).await;
    archives.add(&terms, &term("TERM2", json!({"position": 1}))).await;
    let read = archives.get(&format!("{first}?resolve[]=creator&resolve[]=linked_records")).await;
    assert_eq!(read["creator"]["_resolved"]["title"], "A");
    assert_eq!(read["linked_records"][0]["_resolved"]["title"], "Papers 1");
    let node = archives.get(&format!("{root}/tree/node?node_uri={first}")).await;
    assert_eq!(texts(&node["precomputed_waypoints"][&first]["0"], "uri"), [below.as_str()]);
    assert_eq!(top(&archives, &root).await, ["TERM1", "TERM2"]);
    archives.edit(&first, |record| record["position"] = 1.into()).await;
    assert_eq!(top(&archives, &root).await, ["TERM2", "TERM1"]);
    archives.admin.delete(&root).await.expect(200);
    for uri in [first, below] {
        archives.admin.get(&uri).await.expect(404);
    }
}
