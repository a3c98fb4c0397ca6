//! Digital objects and their components.

use super::*;

fn file(publish: bool) -> Value {
    json!({"file_uri": "https://example.org/scan.tif", "publish": publish})
}

struct Scans {
    archives: Archives,
    repository: String,
    root: String,
    nodes: String,
}

async fn scans() -> Scans {
    let archives = archives().await;
    let repository = archives.repository("DIG").await;
    let sent = with(
        json!({"title": "Scans", "digital_object_id": "do.1", "file_versions": [file(false)],
        "lang_materials": [{"language_and_script": {"language": "ger"}}]}),
        unpublished_parts(),
    );
    let root = archives.add(&format!("{repository}/digital_objects"), &sent).await;
    let nodes = format!("{repository}/digital_object_components");
    Scans { archives, repository, root, nodes }
}

impl Scans {
    async fn node(&self, title: &str, more: Value) -> String {
        let sent = json!({"title": title, "digital_object": {"ref": self.root}});
        self.archives.add(&self.nodes, &with(sent, more)).await
    }
}

#[tokio::test]
async fn a_digital_object_is_published_with_its_parts_and_components() {
    let scans = scans().await;
    let node = scans
        .node(
            "A",
            with(
                json!({"file_versions": [file(false)],
        "lang_materials": [{"language_and_script": {"language": "ger"}}]}),
                unpublished_parts(),
            ),
        )
        .await;
    let shown = |record: &Value| {
        let parts = ["notes", "external_documents", "file_versions"].map(|name| record[name][0]["publish"].clone());
        let of_parts = parts.iter().all(|publish| *publish == record["publish"]);
        (record["publish"].clone(), of_parts)
    };
    for (path, publish) in [(scans.root.clone(), false), (node.clone(), false)] {
        let read = scans.archives.get(&path).await;
        assert_eq!(shown(&read), (json!(publish), true), "{read}");
        assert_eq!(read["file_versions"][0]["file_uri"], "https://example.org/scan.tif");
        assert_eq!(read["lang_materials"][0]["language_and_script"]["language"], "ger");
    }
    scans.archives.act(&format!("{}/publish", scans.root)).await;
    for path in [&scans.root, &node] {
        assert_eq!(shown(&scans.archives.get(path).await), (json!(true), true), "{path}");
    }
}

#[tokio::test]
async fn components_of_digital_objects_are_in_a_tree() {
    let scans = scans().await;
    let archives = &scans.archives;
    let earth = scans.node("earth", json!({})).await;
    let below = scans.node("australia", json!({"parent": {"ref": earth}})).await;
    scans.node("moon", json!({})).await;
    let tree = archives.get(&format!("{}/tree/root", scans.root)).await;
    assert_eq!(tree["child_count"], 2);
    let node = archives.get(&format!("{}/tree/node?node_uri={earth}", scans.root)).await;
    assert_eq!(texts(&node["precomputed_waypoints"][&earth]["0"], "uri"), [below.as_str()]);
    archives.edit(&earth, |record| record["position"] = 1.into()).await;
    assert_eq!(top(archives, &scans.root).await, ["moon", "earth"]);
    assert_eq!(archives.edit(&below, |record| record["title"] = "brand new".into()).await["title"], "brand new");
    let more = json!({"children": [{"title": "One"}, {"title": "Two"}]});
    archives.admin.post(&format!("{earth}/children"), &more).await.expect(200);
    let children = archives.get(&format!("{earth}/children")).await;
    assert_eq!(texts(&children, "title"), ["brand new", "One", "Two"]);
    assert_eq!(
        (&children[1]["parent"]["ref"], &children[1]["digital_object"]["ref"]),
        (&json!(earth), &json!(scans.root))
    );
    archives.admin.post(&format!("{}/children", scans.root), &more).await.expect(200);
    assert_eq!(top(archives, &scans.root).await, ["moon", "earth", "One", "Two"]);
    let uris = texts(&children, "uri");
    let moved = format!("{}/accept_children?children[]={}&children[]={}&position=0", scans.root, uris[1], uris[2]);
    assert_eq!(archives.act(&moved).await["status"], "Updated");
    assert_eq!(top(archives, &scans.root).await, ["One", "Two", "moon", "earth", "One", "Two"]);
    let moved = format!("{below}/accept_children?children[]={}&position=0", uris[1]);
    archives.act(&moved).await;
    assert_eq!(texts(&archives.get(&format!("{below}/children")).await, "uri"), [uris[1].as_str()]);
    assert_eq!(archives.get(&format!("{}?page=1", scans.nodes)).await["total"], 7);
}

#[tokio::test]
async fn a_digital_object_does_not_take_its_instances_along() {
    let scans = scans().await;
    let archives = &scans.archives;
    let instances = json!({"instances": [{"instance_type": "digital_object", "digital_object": {"ref": scans.root}}]});
    let papers =
        archives.add(&format!("{}/resources", scans.repository), &with(resource("1"), instances.clone())).await;
    let node = with(component("A", &papers, None), instances);
    let node = archives.add(&format!("{}/archival_objects", scans.repository), &node).await;
    let changed = archives.edit(&scans.root, |record| record["title"] = "updated".into()).await;
    assert_eq!((&changed["title"], changed["linked_instances"].as_array().map(Vec::len)), (&json!("updated"), Some(2)));
    for uri in [&papers, &node] {
        assert_eq!(archives.get(uri).await["instances"].as_array().map(Vec::len), Some(1));
    }
    archives.admin.delete(&scans.root).await.expect(200);
    archives.admin.get(&scans.root).await.expect(404);
    for uri in [&papers, &node] {
        assert_eq!(archives.get(uri).await["instances"], json!([]));
    }
}
