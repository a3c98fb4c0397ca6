//! Trees of components (contract 3.2, 7.2).

use super::*;

/// A resource with two series: the first has three files, the second none.
struct Tree {
    archives: Archives,
    nodes: String,
    resource: String,
    series: Vec<String>,
    files: Vec<String>,
}

async fn tree() -> Tree {
    let archives = archives().await;
    let repository = archives.repository("A").await;
    let resource = archives.add(&format!("{repository}/resources"), &resource("MS 1")).await;
    let nodes = format!("{repository}/archival_objects");
    let (mut series, mut files) = (Vec::new(), Vec::new());
    for title in ["One", "Two"] {
        series.push(archives.add(&nodes, &component(title, &resource, None)).await);
    }
    for title in ["a", "b", "c"] {
        files.push(archives.add(&nodes, &component(title, &resource, Some(&series[0]))).await);
    }
    Tree { archives, nodes, resource, series, files }
}

fn id(uri: &str) -> i64 {
    uri.rsplit('/').next().and_then(|id| id.parse().ok()).expect("an id")
}

impl Tree {
    /// The titles of the children of a node, by their positions.
    async fn children(&self, uri: &str) -> Vec<String> {
        let children = self.archives.get(&format!("{uri}/children")).await;
        for (place, child) in children.as_array().expect("a list").iter().enumerate() {
            assert_eq!(child["position"], place, "{child}");
        }
        texts(&children, "title")
    }

    async fn post(&self, path: &str) -> Answer {
        self.archives.admin.send(Method::POST, path, None).await
    }
}

#[tokio::test]
async fn a_component_knows_its_place() {
    let tree = tree().await;
    let answer = tree.archives.admin.get(&tree.files[2]).await.expect(200);
    assert_eq!(answer.round_trips(), 1);
    let file = answer.json();
    assert_eq!(file["position"], 2);
    assert_eq!((&file["resource"]["ref"], &file["parent"]["ref"]), (&json!(tree.resource), &json!(tree.series[0])));
    assert_eq!(
        file["ancestors"],
        json!([{"ref": tree.series[0], "level": "file"}, {"ref": tree.resource, "level": "collection"}])
    );
    assert_eq!(file["ref_id"].as_str().map(str::len), Some(32));
    assert_eq!(tree.archives.get(&tree.series[1]).await["position"], 1);
}

#[tokio::test]
async fn the_tree_comes_in_pages() {
    let tree = tree().await;
    let answer = tree.archives.admin.get(&format!("{}/tree/root", tree.resource)).await.expect(200);
    assert!(answer.round_trips() <= 4, "{}", answer.round_trips());
    let root = answer.json();
    assert_eq!((&root["child_count"], &root["waypoints"], &root["waypoint_size"]), (&json!(2), &json!(1), &json!(200)));
    assert_eq!((&root["title"], &root["identifier"]), (&json!("Papers MS 1"), &json!("MS 1")));
    let first = &root["precomputed_waypoints"][""]["0"];
    assert_eq!(texts(first, "title"), ["One", "Two"]);
    assert_eq!((&first[0]["child_count"], &first[1]["child_count"]), (&json!(3), &json!(0)));
    assert_eq!((&first[1]["position"], &first[1]["parent_id"]), (&json!(1), &Value::Null));
    let path = format!("{}/tree/waypoint?offset=0&parent_node={}", tree.resource, tree.series[0]);
    let answer = tree.archives.admin.get(&path).await.expect(200);
    assert_eq!(answer.round_trips(), 1);
    assert_eq!(texts(&answer.json(), "title"), ["a", "b", "c"]);
    let node = tree.archives.get(&format!("{}/tree/node?node_uri={}", tree.resource, tree.series[1])).await;
    assert_eq!((&node["position"], &node["child_count"]), (&json!(2), &json!(0)));
    assert_eq!(node["precomputed_waypoints"], json!({}));
    tree.archives.admin.get(&format!("{}/tree/waypoint", tree.resource)).await.expect(400);
    tree.archives.admin.get("/repositories/2/resources/99/tree/root").await.expect(404);
    let public = tree.archives.get(&format!("{}/tree/root?published_only=true", tree.resource)).await;
    assert_eq!(public["child_count"], 0);
}

#[tokio::test]
async fn the_way_to_a_node_is_told_from_the_top() {
    let tree = tree().await;
    let asked = id(&tree.files[1]);
    let path = format!("{}/tree/node_from_root?node_ids[]={asked}", tree.resource);
    let found = tree.archives.get(&path).await;
    assert_eq!(
        found[asked.to_string()],
        json!([
            {"node": null, "root_record_uri": tree.resource, "offset": 0, "jsonmodel_type": "resource",
             "title": "Papers MS 1", "parsed_title": "Papers MS 1"},
            {"node": tree.series[0], "root_record_uri": tree.resource, "offset": 0,
             "jsonmodel_type": "archival_object", "title": "One", "parsed_title": "One"}])
    );
    tree.archives.admin.get(&format!("{}/tree/node_from_root?node_ids[]=99", tree.resource)).await.expect(404);
}

#[tokio::test]
async fn the_old_tree_is_nested() {
    let tree = tree().await;
    let whole = tree.archives.get(&format!("{}/tree", tree.resource)).await;
    assert_eq!((&whole["node_type"], &whole["record_uri"]), (&json!("resource"), &json!(tree.resource)));
    assert_eq!(texts(&whole["children"], "title"), ["One", "Two"]);
    assert_eq!(texts(&whole["children"][0]["children"], "record_uri"), tree.files);
    let part = tree.archives.get(&format!("{}/tree?limit_to={}", tree.resource, tree.series[1])).await;
    assert_eq!((&part["children"][0]["children"], &part["children"][0]["has_children"]), (&json!([]), &json!(true)));
}

#[tokio::test]
async fn the_records_of_a_tree_have_one_order() {
    let tree = tree().await;
    let path = format!("{}/ordered_records", tree.resource);
    assert_eq!(tree.archives.get(&path).await["uris"], json!([]));
    tree.post(&format!("{}/publish", tree.resource)).await.expect(200);
    let all = tree.archives.get(&path).await;
    assert_eq!(all["jsonmodel_type"], "resource_ordered_records");
    assert_eq!(texts(&all["uris"], "display_string"), ["Papers MS 1", "One", "a", "b", "c", "Two"]);
    let depths: Vec<_> = all["uris"].as_array().expect("a list").iter().map(|one| one["depth"].as_i64()).collect();
    assert_eq!(depths, [0, 1, 2, 2, 2, 1].map(Some));
    tree.post(&format!("{}/unpublish", tree.series[0])).await.expect(200);
    assert_eq!(texts(&tree.archives.get(&path).await["uris"], "display_string"), ["Papers MS 1", "Two"]);
}

#[tokio::test]
async fn nodes_move_within_their_siblings_and_elsewhere() {
    let tree = tree().await;
    let (one, two) = (id(&tree.series[0]), id(&tree.series[1]));
    let moved = tree.post(&format!("{}/parent?parent={one}&position=0", tree.files[2])).await.expect(200);
    assert_eq!(moved.json()["status"], "Updated");
    assert_eq!(tree.children(&tree.series[0]).await, ["c", "a", "b"]);
    tree.post(&format!("{}/parent?parent={one}&position=1", tree.files[2])).await.expect(200);
    assert_eq!(tree.children(&tree.series[0]).await, ["a", "c", "b"]);
    tree.post(&format!("{}/parent?parent={two}&position=5", tree.files[0])).await.expect(200);
    assert_eq!(tree.children(&tree.series[0]).await, ["c", "b"]);
    assert_eq!(tree.children(&tree.series[1]).await, ["a"]);
    // To the first level, between the series.
    tree.post(&format!("{}/parent?position=1", tree.files[1])).await.expect(200);
    let root = tree.archives.get(&format!("{}/tree/waypoint?offset=0", tree.resource)).await;
    assert_eq!(texts(&root, "title"), ["One", "b", "Two"]);
    tree.post(&format!("{}/parent?parent=99&position=0", tree.files[1])).await.expect(404);
}

#[tokio::test]
async fn a_node_accepts_children_in_their_order() {
    let tree = tree().await;
    let [a, b, c] = &tree.files[..] else { panic!("three files") };
    let path = format!("{}/accept_children?children[]={c}&children[]={a}&position=0", tree.series[1]);
    tree.post(&path).await.expect(200);
    assert_eq!(tree.children(&tree.series[1]).await, ["c", "a"]);
    assert_eq!(tree.children(&tree.series[0]).await, ["b"]);
    let path = format!("{}/accept_children?children[]={b}&position=1", tree.series[1]);
    tree.post(&path).await.expect(200);
    assert_eq!(tree.children(&tree.series[1]).await, ["c", "b", "a"]);
    // Among siblings that already are there.
    let path = format!("{}/accept_children?children[]={a}&children[]={c}&position=0", tree.series[1]);
    tree.post(&path).await.expect(200);
    assert_eq!(tree.children(&tree.series[1]).await, ["a", "c", "b"]);
    let path = format!("{}/accept_children?children[]={}&position=0", tree.files[0], tree.series[1]);
    let circle = tree.post(&path).await.expect(409).json();
    assert_eq!(circle, json!({"error": "Can't make a parent into its own child"}));
    let path = format!("{}/accept_children?children[]={a}&position=0", tree.resource);
    tree.post(&path).await.expect(200);
    let root = tree.archives.get(&format!("{}/tree/waypoint?offset=0", tree.resource)).await;
    assert_eq!(texts(&root, "title"), ["a", "One", "Two"]);
}

#[tokio::test]
async fn children_are_added_after_those_that_are_there() {
    let tree = tree().await;
    let sent = json!({"children": [{"title": "d", "level": "file"}, {"title": "e", "level": "file"}]});
    let path = format!("{}/children", tree.series[0]);
    tree.archives.admin.post(&path, &sent).await.expect(200);
    assert_eq!(tree.children(&tree.series[0]).await, ["a", "b", "c", "d", "e"]);
    let sent = json!({"children": [{"title": "Three", "level": "series"}]});
    tree.archives.admin.post(&format!("{}/children", tree.resource), &sent).await.expect(200);
    let root = tree.archives.get(&format!("{}/tree/waypoint?offset=0", tree.resource)).await;
    assert_eq!(texts(&root, "title"), ["One", "Two", "Three"]);
    let wrong = json!({"children": [{"title": "f", "level": "file"}, {"title": "g"}]});
    let refused = tree.archives.admin.post(&path, &wrong).await.expect(400).json();
    assert_eq!(refused["error"], json!({"children/1/level": ["Property is required but was missing"]}));
    for strange in [json!([1]), json!("x"), json!(5), json!({"children": "x"}), json!({"children": [5]})] {
        tree.archives.admin.post(&path, &strange).await.expect(400);
        tree.archives.admin.post(&format!("{}/children", tree.resource), &strange).await.expect(400);
    }
    assert_eq!(tree.children(&tree.series[0]).await.len(), 5);
}

#[tokio::test]
async fn a_position_may_come_with_the_record() {
    let tree = tree().await;
    let mut record = component("first", &tree.resource, Some(&tree.series[0]));
    record["position"] = 0.into();
    let uri = tree.archives.add(&tree.nodes, &record).await;
    assert_eq!(tree.children(&tree.series[0]).await, ["first", "a", "b", "c"]);
    let mut record = tree.archives.get(&uri).await;
    record["position"] = 2.into();
    tree.archives.admin.post(&uri, &record).await.expect(200);
    assert_eq!(tree.children(&tree.series[0]).await, ["a", "b", "first", "c"]);
}

#[tokio::test]
async fn the_node_before_is_a_sibling_or_the_parent() {
    let tree = tree().await;
    for (of, before) in [(&tree.files[1], &tree.files[0]), (&tree.files[0], &tree.series[0])] {
        assert_eq!(tree.archives.get(&format!("{of}/previous")).await["uri"], json!(before));
    }
    tree.archives.admin.get(&format!("{}/previous", tree.series[0])).await.expect(404);
}

#[tokio::test]
async fn positions_stay_whole_when_many_move_at_once() {
    let tree = tree().await;
    for title in ["d", "e", "f", "g", "h"] {
        tree.archives.add(&tree.nodes, &component(title, &tree.resource, Some(&tree.series[0]))).await;
    }
    let all = tree.archives.get(&format!("{}/children", tree.series[0])).await;
    let uris = texts(&all, "uri");
    let one = id(&tree.series[0]);
    // More moves to one place than there is room between ranks.
    let moves = (0..64_usize).map(|n| {
        let (client, uri) = (tree.archives.admin.clone(), uris[n % uris.len()].clone());
        tokio::spawn(async move {
            client.send(Method::POST, &format!("{uri}/parent?parent={one}&position=1"), None).await.expect(200);
        })
    });
    for done in moves.collect::<Vec<_>>() {
        done.await.expect("a move");
    }
    let mut after = tree.children(&tree.series[0]).await;
    after.sort_unstable();
    assert_eq!(after, ["a", "b", "c", "d", "e", "f", "g", "h"]);
}

#[tokio::test]
async fn resolving_is_bounded() {
    let tree = tree().await;
    let mut deepest = tree.series[1].clone();
    for level in 0..80 {
        deepest =
            tree.archives.add(&tree.nodes, &component(&format!("level {level}"), &tree.resource, Some(&deepest))).await;
    }
    let of = |steps: usize| format!("{deepest}?resolve[]={}", vec!["ancestors"; steps].join("::"));
    let once = tree.archives.get(&of(1)).await;
    assert_eq!(once["ancestors"][0]["_resolved"]["title"], "level 78");
    let refused = tree.archives.admin.get(&of(4)).await.expect(400).json();
    let text = "The resolved records would have more than 33554432 bytes; resolve less at once";
    assert_eq!(refused, json!({"error": {"resolve": [text]}}));
}

#[tokio::test]
async fn a_place_past_the_end_is_the_end() {
    let tree = tree().await;
    let one = id(&tree.series[0]);
    tree.post(&format!("{}/parent?parent={one}&position=99", tree.files[0])).await.expect(200);
    assert_eq!(tree.children(&tree.series[0]).await, ["b", "c", "a"]);
    let mut record = component("d", &tree.resource, Some(&tree.series[0]));
    record["position"] = i64::MAX.into();
    tree.archives.add(&tree.nodes, &record).await;
    assert_eq!(tree.children(&tree.series[0]).await, ["b", "c", "a", "d"]);
    let [a, b, _] = &tree.files[..] else { panic!("three files") };
    let path = format!("{}/accept_children?children[]={b}&children[]={a}&position=4", tree.series[0]);
    tree.post(&path).await.expect(200);
    assert_eq!(tree.children(&tree.series[0]).await, ["c", "d", "b", "a"]);
}

#[tokio::test]
async fn a_node_that_names_another_resource_moves_there_with_all_below_it() {
    let tree = tree().await;
    let repository = tree.nodes.trim_end_matches("/archival_objects");
    let other = tree.archives.add(&format!("{repository}/resources"), &resource("MS 2")).await;
    let mut series = tree.archives.get(&tree.series[0]).await;
    series["resource"] = json!({"ref": other});
    tree.archives.admin.post(&tree.series[0], &series).await.expect(200);
    let file = tree.archives.get(&tree.files[1]).await;
    assert_eq!((&file["resource"]["ref"], &file["parent"]["ref"]), (&json!(other), &json!(tree.series[0])));
    assert_eq!(texts(&tree.archives.get(&format!("{other}/tree/waypoint?offset=0")).await, "title"), ["One"]);
    assert_eq!(texts(&tree.archives.get(&format!("{}/tree/waypoint?offset=0", tree.resource)).await, "title"), ["Two"]);
    // Identifiers moved along: the old tree has them free, the new one does not.
    let mut twin = component("twin", &tree.resource, None);
    twin["ref_id"] = file["ref_id"].clone();
    tree.archives.add(&tree.nodes, &twin).await;
    twin["resource"] = json!({"ref": other});
    tree.archives.admin.post(&tree.nodes, &twin).await.expect(400);
    let mut lost = tree.archives.get(&tree.series[1]).await;
    let nowhere = format!("{repository}/resources/99");
    lost["resource"] = json!({"ref": nowhere});
    let refused = tree.archives.admin.post(&tree.series[1], &lost).await.expect(400).json();
    assert_eq!(refused, json!({"error": format!("Reference does not exist! (Reference: '{nowhere}')")}));
}

#[tokio::test]
async fn a_node_that_names_another_tree_goes_below_the_parent_that_it_names() {
    let archives = archives().await;
    let repository = archives.repository("A").await;
    let add = async |kind: &str, record: Value| archives.add(&format!("{repository}/{kind}"), &record).await;
    for (number, (root, roots, nodes)) in [
        ("resource", "resources", "archival_objects"),
        ("digital_object", "digital_objects", "digital_object_components"),
        ("classification", "classifications", "classification_terms"),
    ]
    .into_iter()
    .enumerate()
    {
        let at_the_top = |name: &str| match root {
            "resource" => resource(name),
            "digital_object" => json!({"title": name, "digital_object_id": name}),
            _ => json!({"title": name, "identifier": name}),
        };
        let node = |title: &str, top: &str, parent: Option<&str>| {
            let mut record = json!({"title": title, "identifier": title, "level": "file"});
            if root != "classification" {
                record.as_object_mut().expect("an object").remove("identifier");
            }
            if root != "resource" {
                record.as_object_mut().expect("an object").remove("level");
            }
            record[root] = json!({"ref": top});
            if let Some(parent) = parent {
                record["parent"] = json!({"ref": parent});
            }
            record
        };
        let (here, there) =
            (add(roots, at_the_top(&format!("A{number}"))).await, add(roots, at_the_top(&format!("B{number}"))).await);
        let (old, new) = (add(nodes, node("old", &here, None)).await, add(nodes, node("new", &there, None)).await);
        add(nodes, node("first", &there, Some(&new))).await;
        let moved = add(nodes, node("moved", &here, Some(&old))).await;
        let below = add(nodes, node("below", &here, Some(&moved))).await;
        let mut record = archives.get(&moved).await;
        // A parent in the same tree is not looked at.
        record.as_object_mut().expect("an object").remove("parent");
        archives.admin.post(&moved, &record).await.expect(200);
        record = archives.get(&moved).await;
        assert_eq!(record["parent"]["ref"], json!(old));
        // One that is left behind is none in the new tree.
        record[root] = json!({"ref": there});
        let refused = archives.admin.post(&moved, &record).await.expect(400).json();
        assert_eq!(refused, json!({"error": format!("Reference does not exist! (Reference: '{old}')")}));
        record["parent"] = json!({"ref": new});
        archives.admin.post(&moved, &record).await.expect(200);
        let found = archives.get(&moved).await;
        assert_eq!(
            (&found[root]["ref"], &found["parent"]["ref"], &found["position"]),
            (&json!(there), &json!(new), &json!(1)),
            "{found}"
        );
        let found = archives.get(&below).await;
        assert_eq!((&found[root]["ref"], &found["parent"]["ref"]), (&json!(there), &json!(moved)));
    }
}

#[tokio::test]
async fn the_tree_of_a_digital_object_shows_labels_dates_and_files() {
    let archives = archives().await;
    let repository = archives.repository("A").await;
    let object = json!({"title": "Album", "digital_object_id": "D 1"});
    let object = archives.add(&format!("{repository}/digital_objects"), &object).await;
    let components = format!("{repository}/digital_object_components");
    let files = json!([{"file_uri": "http://example.com/1"}, {"file_uri": "http://example.com/2"}]);
    let page = json!({"label": "Page 1", "digital_object": {"ref": object}, "file_versions": files,
        "dates": [{"date_type": "single", "label": "creation", "expression": "1990", "begin": "1990"}]});
    archives.add(&components, &page).await;
    archives.add(&components, &json!({"title": "Page 2", "digital_object": {"ref": object}})).await;
    let found = archives.get(&format!("{object}/tree/waypoint?offset=0")).await;
    assert_eq!(found[0]["label"], "Page 1");
    assert_eq!(found[0]["file_uri_summary"], "http://example.com/1, http://example.com/2");
    let dates = json!([{"type": "single", "label": "creation", "expression": "1990", "begin": "1990"}]);
    assert_eq!(found[0]["dates"], dates);
    let none = ["label", "file_uri_summary", "dates"].map(|member| found[1].get(member).is_some());
    assert_eq!(none, [false; 3]);
}

#[tokio::test]
async fn a_component_that_names_another_resource_comes_last_there() {
    let archives = archives().await;
    let repository = archives.repository("A").await;
    let nodes = format!("{repository}/archival_objects");
    let here = archives.add(&format!("{repository}/resources"), &resource("1")).await;
    let there = archives.add(&format!("{repository}/resources"), &resource("2")).await;
    let one = archives.add(&nodes, &component("One", &here, None)).await;
    archives.add(&nodes, &component("Two", &there, None)).await;
    let mut moved = archives.get(&one).await;
    assert_eq!(moved["position"], 0);
    moved["resource"] = json!({"ref": there});
    archives.admin.post(&one, &moved).await.expect(200);
    let found = archives.get(&format!("{there}/tree/waypoint?offset=0")).await;
    assert_eq!(texts(&found, "title"), ["Two", "One"]);
}
