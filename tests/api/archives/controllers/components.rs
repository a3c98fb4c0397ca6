//! Archival objects.

use super::*;

struct Papers {
    archives: Archives,
    repository: String,
    root: String,
    nodes: String,
}

async fn papers() -> Papers {
    let archives = archives().await;
    let repository = archives.repository("COM").await;
    let root = archives.add(&format!("{repository}/resources"), &resource("1")).await;
    let nodes = format!("{repository}/archival_objects");
    Papers { archives, repository, root, nodes }
}

impl Papers {
    async fn node(&self, title: &str, parent: Option<&str>) -> String {
        self.archives.add(&self.nodes, &component(title, &self.root, parent)).await
    }

    async fn children(&self, of: &str) -> Vec<String> {
        texts(&self.archives.get(&format!("{of}/children")).await, "uri")
    }

    async fn accept(&self, target: &str, children: &[String], position: usize) -> Answer {
        let form: Vec<String> = children.iter().map(|uri| format!("children[]={uri}")).collect();
        let form = format!("{}&position={position}", form.join("&"));
        let client = self.archives.admin.with_header("content-type", "application/x-www-form-urlencoded");
        client.send(Method::POST, &format!("{target}/accept_children"), Some(form.into())).await
    }
}

#[tokio::test]
async fn a_component_takes_the_place_it_says() {
    let Papers { archives, root, nodes, .. } = papers().await;
    let placed = |title: &str, position: i64| with(component(title, &root, None), json!({"position": position}));
    // Past the end is the end.
    let first = archives.add(&nodes, &placed("AO1", 1)).await;
    archives.add(&nodes, &component("AO2", &root, None)).await;
    archives.add(&nodes, &placed("AO3", 1)).await;
    assert_eq!(top(&archives, &root).await, ["AO1", "AO3", "AO2"]);
    archives.edit(&first, |record| record["position"] = 1.into()).await;
    assert_eq!(top(&archives, &root).await, ["AO3", "AO1", "AO2"]);
}

#[tokio::test]
async fn a_component_keeps_its_ref_id() {
    let Papers { archives, repository, root, nodes } = papers().await;
    let other = archives.add(&format!("{repository}/resources"), &resource("2")).await;
    let known = |root: &str, id: &str| with(component("A", root, None), json!({"ref_id": id}));
    let uri = archives.add(&nodes, &known(&root, ":crazy.times:")).await;
    assert_eq!(archives.get(&uri).await["ref_id"], ":crazy.times:");
    archives.add(&nodes, &known(&other, ":crazy.times:")).await;
    assert_eq!(archives.refuses(&nodes, &known(&root, ":crazy.times:")).await, 400);
    let changed = archives
        .edit(&uri, |record| {
            record["ref_id"] = "foo".into();
            record["title"] = "A brand new title".into();
        })
        .await;
    assert_eq!((&changed["ref_id"], &changed["title"]), (&json!(":crazy.times:"), &json!("A brand new title")));
    let made = archives.get(&archives.add(&nodes, &component("B", &root, None)).await).await;
    assert!(made["ref_id"].as_str().is_some_and(|id| !id.is_empty()), "{made}");
    assert_eq!(archives.refuses(&nodes, &component("C", "/bad/uri", None)).await, 400);
    let elsewhere = archives.repository("ELSE").await;
    archives.admin.get(&uri.replace(&repository, &elsewhere)).await.expect(404);
}

#[tokio::test]
async fn what_a_component_has_is_resolved() {
    let papers = papers().await;
    let archives = &papers.archives;
    let location = json!({"building": "Annex", "room": "2", "barcode": "1", "temporary": "conservation"});
    let location = archives.add("/locations", &location).await;
    let place = json!([{"ref": location, "status": "current", "start_date": "2020-01-01", "end_date": "2021-01-01"}]);
    let container = json!({"indicator": "1", "container_locations": place});
    let container = archives.add(&format!("{}/top_containers", papers.repository), &container).await;
    let topic = archives.add("/subjects", &subject("Letters")).await;
    let scans = json!({"title": "Scans", "digital_object_id": "do.1", "publish": true});
    let scans = archives.add(&format!("{}/digital_objects", papers.repository), &scans).await;
    let more = json!({"subjects": [{"ref": topic}],
        "rights_statements": [{"rights_type": "copyright", "status": "copyrighted", "jurisdiction": "AU",
            "start_date": "1999-01-01"}],
        "lang_materials": [{"language_and_script": {"language": "ger"}}],
        "instances": [{"instance_type": "text", "sub_container": {"top_container": {"ref": container}}},
            {"instance_type": "digital_object", "digital_object": {"ref": scans}}]});
    let uri = archives.add(&papers.nodes, &with(component("A", &papers.root, None), more)).await;
    let read = archives.get(&format!("{uri}?resolve[]=subjects&resolve[]=top_container::container_locations")).await;
    assert_eq!(read["subjects"][0]["_resolved"]["terms"][0]["term"], "Letters");
    let at = &read["instances"][0]["sub_container"]["top_container"]["_resolved"]["container_locations"][0];
    assert_eq!((&at["status"], &at["_resolved"]["building"]), (&json!("current"), &json!("Annex")));
    assert!(read["rights_statements"][0]["identifier"].as_str().is_some_and(|id| !id.is_empty()), "{read}");
    assert_eq!(read["lang_materials"][0]["language_and_script"]["language"], "ger");
    let node = archives.get(&format!("{}/tree/node?node_uri={uri}", papers.root)).await;
    assert_eq!(node["has_digital_instance"], true);
    assert_eq!(texts(&archives.get(&scans).await["linked_instances"], "ref"), [uri.as_str()]);
    assert_eq!(archives.get(&format!("{}?page=1", papers.nodes)).await["total"], 1);
}

#[tokio::test]
async fn long_notes_are_kept_and_published() {
    let papers = papers().await;
    let uri = papers.node("A", None).await;
    let long = "x".repeat(40_000);
    let notes = json!([bibliography(&long), {"jsonmodel_type": "note_index", "publish": false, "content": ["Names"],
        "items": [{"value": "A", "type": "name"}]}]);
    let read = papers.archives.edit(&uri, |record| record["notes"] = notes).await;
    assert_eq!(read["notes"][0]["content"], json!([long]));
    papers.archives.act(&format!("{uri}/publish")).await;
    let notes = papers.archives.get(&uri).await["notes"].clone();
    assert_eq!((&notes[0]["publish"], &notes[1]["publish"]), (&json!(true), &json!(true)));
}

#[tokio::test]
async fn publishing_goes_down_and_not_up() {
    let Papers { archives, repository, nodes, .. } = papers().await;
    let shown = |record: &Value| {
        [&record["publish"], &record["notes"][0]["publish"], &record["external_documents"][0]["publish"]]
            .map(Value::clone)
    };
    let root = archives.add(&format!("{repository}/resources"), &with(resource("2"), unpublished_parts())).await;
    let upper = archives.add(&nodes, &with(component("A", &root, None), unpublished_parts())).await;
    let lower = archives.add(&nodes, &with(component("B", &root, Some(&upper)), unpublished_parts())).await;
    let all = async || {
        [shown(&archives.get(&root).await), shown(&archives.get(&upper).await), shown(&archives.get(&lower).await)]
    };
    let (off, on) = ([json!(false), json!(false), json!(false)], [json!(true), json!(true), json!(true)]);
    archives.act(&format!("{upper}/publish")).await;
    assert_eq!(all().await, [off.clone(), on.clone(), on.clone()]);
    archives.act(&format!("{root}/publish")).await;
    assert_eq!(all().await, [on.clone(), on.clone(), on.clone()]);
    archives.act(&format!("{upper}/unpublish")).await;
    assert_eq!(all().await, [on, off.clone(), off.clone()]);
    archives.act(&format!("{root}/unpublish")).await;
    assert_eq!(all().await, [off.clone(), off.clone(), off]);
}

#[tokio::test]
async fn children_are_added_in_a_list() {
    let papers = papers().await;
    let parent = papers.node("A", None).await;
    let children = json!({"children": [{"title": "One", "level": "file"}, {"title": "Two", "level": "file"}]});
    let added = papers.archives.admin.post(&format!("{parent}/children"), &children).await.expect(200).json();
    assert_eq!(added["status"], "Updated");
    let read = papers.archives.get(&format!("{parent}/children")).await;
    assert_eq!(texts(&read, "title"), ["One", "Two"]);
    for child in read.as_array().expect("a list") {
        assert_eq!((&child["parent"]["ref"], &child["resource"]["ref"]), (&json!(parent), &json!(papers.root)));
    }
    papers.archives.admin.post(&format!("{}/children", papers.root), &children).await.expect(200);
    assert_eq!(top(&papers.archives, &papers.root).await, ["A", "One", "Two"]);
}

#[tokio::test]
async fn a_hundred_children_keep_their_order() {
    let papers = papers().await;
    let parent = papers.node("A", None).await;
    let hundred: Vec<Value> = (0..100).map(|n| json!({"title": format!("{n}"), "level": "file"})).collect();
    papers.archives.admin.post(&format!("{parent}/children"), &json!({"children": hundred})).await.expect(200);
    let mut expected = papers.children(&parent).await;
    assert_eq!(expected.len(), 100);
    let gone: Vec<String> = expected.drain(19..39).collect();
    let form: Vec<String> = gone.iter().map(|uri| format!("record_uris[]={uri}")).collect();
    let client = papers.archives.admin.with_header("content-type", "application/x-www-form-urlencoded");
    client.send(Method::POST, "/batch_delete", Some(form.join("&").into())).await.expect(200);
    assert_eq!(papers.children(&parent).await, expected);
    // Up, from the end.
    let movers = expected.split_off(70);
    papers.accept(&parent, &movers, 20).await.expect(200);
    expected.splice(20..20, movers);
    assert_eq!(papers.children(&parent).await, expected);
    // Down, from the beginning: positions are those without the ones that move.
    let movers: Vec<String> = expected.drain(..10).collect();
    papers.accept(&parent, &movers, 20).await.expect(200);
    expected.splice(20..20, movers);
    assert_eq!(papers.children(&parent).await, expected);
}

#[tokio::test]
async fn nobody_is_below_themselves() {
    let papers = papers().await;
    let parent = papers.node("A", None).await;
    let child = papers.node("B", Some(&parent)).await;
    let grandchild = papers.node("C", Some(&child)).await;
    papers.accept(&grandchild, std::slice::from_ref(&parent), 0).await.expect(409);
    let moved = papers.accept(&papers.root, &[child, grandchild], 0).await.expect(200).json();
    assert_eq!(moved["status"], "Updated");
    assert_eq!(top(&papers.archives, &papers.root).await, ["B", "C", "A"]);
}
