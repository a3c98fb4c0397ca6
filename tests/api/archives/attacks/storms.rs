//! Many who edit one tree at once: no node is lost or doubled, positions have no gaps, and there are no circles.

use std::collections::{BTreeMap, BTreeSet};

use super::*;

/// The children of each node as the tree tells them, in their order; the resource has the empty address.
fn children(tree: &Value) -> BTreeMap<String, Vec<String>> {
    let mut all = BTreeMap::new();
    let mut waiting = vec![(String::new(), tree)];
    while let Some((uri, node)) = waiting.pop() {
        let below: Vec<_> = node["children"].as_array().into_iter().flatten().collect();
        let address = |child: &&Value| child["record_uri"].as_str().expect("an address").to_owned();
        all.insert(uri, below.iter().map(address).collect());
        waiting.extend(below.into_iter().map(|child| (address(&child), child)));
    }
    all
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn hundreds_of_edits_at_once_leave_a_whole_tree() {
    let all = collection().await;
    let nodes = format!("{}/archival_objects", all.repository);
    let mut parents = all.series.clone();
    parents.extend(all.files.clone());
    for number in 0..20 {
        let parent = &parents[number % parents.len()];
        parents.push(all.archives.add(&nodes, &component(&format!("n{number}"), &all.resource, Some(parent))).await);
    }
    let number = |uri: &str| uri.rsplit('/').next().unwrap_or_default().to_owned();
    let edits = (0..300_usize).map(|turn| {
        let (client, nodes, resource) = (all.archives.admin.clone(), nodes.clone(), all.resource.clone());
        let one = parents[(turn * 7) % parents.len()].clone();
        let other = parents[(turn * 13 + 5) % parents.len()].clone();
        let third = parents[(turn * 5 + 1) % parents.len()].clone();
        let to = number(&other);
        tokio::spawn(async move {
            match turn % 6 {
                0 => {
                    let mut record = component(&format!("new {turn}"), &resource, Some(&one));
                    record["position"] = (turn % 3).into();
                    client.post(&nodes, &record).await
                }
                1 => {
                    let path = format!("{one}/parent?parent={to}&position={}", turn % 4);
                    client.send(Method::POST, &path, None).await
                }
                2 => {
                    let path = format!("{other}/accept_children?children[]={one}&children[]={third}&position=1");
                    client.send(Method::POST, &path, None).await
                }
                3 => client.send(Method::POST, &format!("{one}/parent?position={}", turn % 5), None).await,
                4 => {
                    let fresh = json!({"children": [component("x", &resource, None), component("y", &resource, None)]});
                    client.post(&format!("{one}/children"), &fresh).await
                }
                _ => {
                    let path = format!("{resource}/accept_children?children[]={one}&position=0");
                    client.send(Method::POST, &path, None).await
                }
            }
        })
    });
    let (mut added, mut circles) = (0, 0);
    for (turn, edit) in edits.collect::<Vec<_>>().into_iter().enumerate() {
        let answer = edit.await.expect("an answer");
        match (answer.status, turn % 6) {
            (200, 0) => added += 1,
            (200, 4) => added += 2,
            (200, _) => {}
            // Who would be below themselves.
            (409, 1 | 2) => circles += 1,
            _ => panic!("edit {turn}: {} {}", answer.status, answer.text),
        }
    }
    assert_eq!(added, 150);
    assert!(circles < 100, "{circles}");
    let tree = children(&all.archives.get(&format!("{}/tree", all.resource)).await);
    let reached: Vec<&String> = tree.values().flatten().collect();
    let distinct: BTreeSet<&String> = reached.iter().copied().collect();
    assert_eq!(reached.len(), distinct.len(), "a node is in two places");
    let ids = all.archives.get(&format!("{nodes}?all_ids=true")).await;
    let stored: BTreeSet<String> = ids.as_array().expect("ids").iter().map(|id| format!("{nodes}/{id}")).collect();
    assert_eq!(distinct.into_iter().cloned().collect::<BTreeSet<_>>(), stored, "a node cannot be reached");
    assert_eq!(stored.len(), 25 + added);
    for (parent, below) in &tree {
        for (place, uri) in below.iter().enumerate() {
            let record = all.archives.get(uri).await;
            assert_eq!(record["position"], place, "{uri} below '{parent}'");
            assert_eq!(record["parent"]["ref"].as_str().unwrap_or_default(), parent, "{uri}");
        }
    }
}
