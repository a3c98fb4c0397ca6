//! Resources.

use super::*;

#[tokio::test]
async fn a_resource_needs_an_identifier_languages_and_listed_values() {
    let archives = archives().await;
    let all = format!("{}/resources", archives.repository("RES").await);
    let without = |member: &str| {
        let mut record = resource("1");
        record.as_object_mut().expect("an object").shift_remove(member);
        record
    };
    for member in ["id_0", "lang_materials", "finding_aid_language", "finding_aid_script"] {
        let refused = archives.admin.post(&all, &without(member)).await.expect(400).json();
        assert!(refused["error"].get(member).is_some(), "{member}: {refused}");
    }
    for wrong in [
        json!({"finding_aid_language": "klingon"}),
        json!({"lang_materials": [{"language_and_script": {"language": "eng", "script": "scripty"}}]}),
        json!({"related_accessions": [{"ref": "/repositories/99999/accessions/1"}]}),
    ] {
        assert_eq!(archives.refuses(&all, &with(resource("1"), wrong.clone())).await, 400, "{wrong}");
    }
    let uri = archives.add(&all, &resource("1")).await;
    let empty = archives.get(&format!("{uri}/tree/root")).await;
    assert_eq!(empty["child_count"], 0);
    assert_eq!(archives.edit(&uri, |record| record["title"] = "Updated".into()).await["title"], "Updated");
}

#[tokio::test]
async fn a_resource_has_what_it_was_given() {
    let archives = archives().await;
    let repository = archives.repository("RES").await;
    let gift = archives.add(&format!("{repository}/accessions"), &accession("1")).await;
    let topic = archives.add("/subjects", &subject("Letters")).await;
    let container = archives.add(&format!("{repository}/top_containers"), &json!({"indicator": "1"})).await;
    let scans = json!({"title": "Scans", "digital_object_id": "do.1", "publish": true});
    let scans = archives.add(&format!("{repository}/digital_objects"), &scans).await;
    let boxed = json!({"instance_type": "text", "sub_container": {"top_container": {"ref": container},
        "type_2": "folder", "indicator_2": "3"}});
    let more = json!({"subjects": [{"ref": topic}], "related_accessions": [{"ref": gift}],
        "instances": [boxed, {"instance_type": "digital_object", "digital_object": {"ref": scans}}],
        "deaccessions": [{"scope": "whole", "description": "Sold",
            "date": {"date_type": "single", "label": "deaccession", "begin": "2012-05-14"}}],
        "notes": [with(bibliography("One"), json!({"persistent_id": "something"})), bibliography("Two")]});
    let uri = archives.add(&format!("{repository}/resources"), &with(resource("1"), more)).await;
    let read = archives.get(&format!("{uri}?resolve[]=subjects")).await;
    assert_eq!(read["subjects"][0]["_resolved"]["terms"][0]["term"], "Letters");
    assert_eq!(texts(&read["related_accessions"], "ref"), [gift.as_str()]);
    assert_eq!(read["instances"][0]["sub_container"]["type_2"], "folder");
    assert_eq!(read["deaccessions"][0]["date"]["begin"], "2012-05-14");
    assert_eq!(read["extents"][0]["portion"], "whole");
    let notes = &read["notes"];
    assert_eq!((&notes[0]["persistent_id"], &notes[1]["content"]), (&json!("something"), &json!(["Two"])));
    assert!(notes[1]["persistent_id"].as_str().is_some_and(|id| !id.is_empty()), "{notes}");
    assert_eq!(archives.get(&format!("{uri}/tree/root")).await["has_digital_instance"], true);
    assert_eq!(texts(&archives.get(&scans).await["linked_instances"], "ref"), [uri.as_str()]);
    let changed = archives.edit(&uri, |record| record["instances"][0]["instance_type"] = "audio".into()).await;
    assert_eq!(changed["instances"][0]["instance_type"], "audio");
    let graph = archives.get(&format!("{uri}/models_in_graph")).await;
    let graph = graph.as_array().expect("a list");
    assert!(graph.contains(&json!("extent")) && !graph.contains(&json!("subject")), "{graph:?}");
    // Extents of a component are its own.
    let extents = json!({"extents": [{"portion": "part", "number": "1", "extent_type": "reels"}]});
    archives.add(&format!("{repository}/archival_objects"), &with(component("A", &uri, None), extents)).await;
    assert_eq!(archives.get(&uri).await["extents"].as_array().map(Vec::len), Some(1));
}

#[tokio::test]
async fn linked_agents_keep_their_order_and_title() {
    let archives = archives().await;
    let all = format!("{}/resources", archives.repository("RES").await);
    let mut uris = Vec::new();
    for (path, agent) in agents("A") {
        uris.push(archives.add(path, &agent).await);
    }
    let links = |order: &[usize]| -> Value {
        let link = |place: &usize| json!({"ref": uris[*place], "role": "creator", "title": format!("title {place}"), "is_primary": false});
        order.iter().map(link).collect()
    };
    let uri = archives.add(&all, &with(resource("1"), json!({"linked_agents": links(&[0, 1])}))).await;
    assert_eq!(texts(&archives.get(&uri).await["linked_agents"], "title"), ["title 0", "title 1"]);
    let changed = archives.edit(&uri, |record| record["linked_agents"] = links(&[2, 1, 0])).await;
    assert_eq!(texts(&changed["linked_agents"], "title"), ["title 2", "title 1", "title 0"]);
    assert_eq!(changed["linked_agents"][0]["is_primary"], false);
}
