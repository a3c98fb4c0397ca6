//! Merging.

use super::*;

fn request(into: &str, from: &[&str]) -> Value {
    let from: Vec<Value> = from.iter().map(|uri| json!({"ref": uri})).collect();
    json!({"merge_destination": {"ref": into}, "merge_candidates": from})
}

struct Merging {
    archives: Archives,
    repository: String,
}

async fn merging() -> Merging {
    let archives = archives().await;
    let repository = archives.repository("MER").await;
    Merging { archives, repository }
}

impl Merging {
    /// Where records of a type are merged.
    fn path(&self, kind: &str) -> String {
        let within = ["resource", "digital_object", "top_container"].contains(&kind);
        let number = self.repository.rsplit('/').next().expect("a number");
        let query = if within { format!("?repo_id={number}") } else { String::new() };
        format!("/merge_requests/{kind}{query}")
    }

    async fn merge(&self, kind: &str, into: &str, from: &[&str]) -> Answer {
        self.archives.admin.post(&self.path(kind), &request(into, from)).await
    }

    /// A record of each type whose records are linked to subjects and agents.
    async fn linking(&self, number: usize, links: &Value) -> Vec<String> {
        let add = async |path: &str, record: Value| {
            self.archives.add(&format!("{}/{path}", self.repository), &with(record, links.clone())).await
        };
        let root = self.archives.add(&format!("{}/resources", self.repository), &resource(&format!("r{number}"))).await;
        let scans = json!({"title": "Scans", "digital_object_id": format!("d{number}")});
        let digital = add("digital_objects", scans).await;
        let part = json!({"title": "Scan", "digital_object": {"ref": digital}});
        vec![
            add("accessions", accession(&format!("a{number}"))).await,
            add("resources", resource(&format!("l{number}"))).await,
            add("archival_objects", component("A", &root, None)).await,
            add("digital_object_components", part).await,
            digital,
        ]
    }

    async fn container(&self, indicator: &str, more: Value) -> String {
        let sent = with(json!({"indicator": indicator, "type": "box"}), more);
        self.archives.add(&format!("{}/top_containers", self.repository), &sent).await
    }
}

#[tokio::test]
async fn links_to_merged_subjects_are_there_once() {
    let merging = merging().await;
    let (one, two) = (
        merging.archives.add("/subjects", &subject("A")).await,
        merging.archives.add("/subjects", &subject("B")).await,
    );
    let only = merging.linking(1, &json!({"subjects": [{"ref": two}]})).await;
    let both = merging.linking(2, &json!({"subjects": [{"ref": one}, {"ref": two}]})).await;
    merging.merge("subject", &one, &[&two]).await.expect(200);
    for uri in only.iter().chain(&both) {
        assert_eq!(texts(&merging.archives.get(uri).await["subjects"], "ref"), [one.as_str()], "{uri}");
    }
}

#[tokio::test]
async fn links_to_merged_agents_are_there_once_for_each_role() {
    let merging = merging().await;
    let (one, two) = (
        merging.archives.add("/agents/people", &person("A")).await,
        merging.archives.add("/agents/people", &person("B")).await,
    );
    let link = |uri: &str, role: &str| json!({"ref": uri, "role": role});
    let same = merging.linking(1, &json!({"linked_agents": [link(&one, "creator"), link(&two, "creator")]})).await;
    let roles = merging.linking(2, &json!({"linked_agents": [link(&two, "source"), link(&one, "creator")]})).await;
    let alone = merging.linking(3, &json!({"linked_agents": [link(&two, "creator")]})).await;
    merging.merge("agent", &one, &[&two]).await.expect(200);
    merging.archives.admin.get(&two).await.expect(404);
    for (uris, expected) in [(same, vec!["creator"]), (roles, vec!["creator", "source"]), (alone, vec!["creator"])] {
        for uri in uris {
            let linked = merging.archives.get(&uri).await["linked_agents"].clone();
            let mut found = texts(&linked, "role");
            found.sort();
            assert_eq!(found, expected, "{uri}");
            assert!(texts(&linked, "ref").iter().all(|of| *of == one), "{linked}");
        }
    }
}

/// One record of each type that can be merged.
async fn one_of_each(merging: &Merging) -> [(&'static str, String); 6] {
    let Merging { archives, repository } = merging;
    let profile = json!({"name": "Box", "dimension_units": "inches", "extent_dimension": "height", "depth": "1",
        "height": "1", "width": "1"});
    let scans = json!({"title": "Scans", "digital_object_id": "d"});
    [
        ("subject", archives.add("/subjects", &subject("A")).await),
        ("top_container", merging.container("1", json!({})).await),
        ("container_profile", archives.add("/container_profiles", &profile).await),
        ("agent", archives.add("/agents/people", &person("A")).await),
        ("resource", archives.add(&format!("{repository}/resources"), &resource("1")).await),
        ("digital_object", archives.add(&format!("{repository}/digital_objects"), &scans).await),
    ]
}

#[tokio::test]
async fn only_records_of_one_type_and_repository_are_merged() {
    let merging = merging().await;
    let all = one_of_each(&merging).await;
    for (kind, uri) in &all {
        // A record merged with itself stays as it is.
        merging.merge(kind, uri, &[uri]).await.expect(200);
        merging.archives.get(uri).await;
        for (_, other) in all.iter().filter(|(other, _)| other != kind) {
            merging.merge(kind, uri, &[other]).await.expect(400);
        }
    }
    let elsewhere = merging.archives.repository("ELSE").await;
    for (kind, path, record) in [
        ("resource", "resources", resource("9")),
        ("digital_object", "digital_objects", json!({"title": "Scans", "digital_object_id": "d"})),
        ("top_container", "top_containers", json!({"indicator": "1"})),
    ] {
        let there = merging.archives.add(&format!("{elsewhere}/{path}"), &record).await;
        let here = &all.iter().find(|(of, _)| *of == kind).expect("one of each").1;
        merging.merge(kind, here, &[&there]).await.expect(400);
    }
    let company = merging.archives.add("/agents/corporate_entities", &agents("C")[2].1).await;
    merging.merge("agent", &all[3].1, &[&company]).await.expect(200);
    merging.archives.admin.get(&company).await.expect(404);
}

#[tokio::test]
async fn merged_trees_have_the_components_of_both_and_an_event() {
    let merging = merging().await;
    let Merging { archives, repository } = &merging;
    let resources = format!("{repository}/resources");
    let (one, two) = (archives.add(&resources, &resource("1")).await, archives.add(&resources, &resource("2")).await);
    archives.add(&format!("{repository}/archival_objects"), &component("A", &two, None)).await;
    merging.merge("resource", &one, &[&two]).await.expect(200);
    let scans = |id: &str| json!({"title": format!("Scans {id}"), "digital_object_id": id});
    let digital = format!("{repository}/digital_objects");
    let (first, second) = (archives.add(&digital, &scans("1")).await, archives.add(&digital, &scans("2")).await);
    let part = json!({"title": "B", "digital_object": {"ref": second}});
    archives.add(&format!("{repository}/digital_object_components"), &part).await;
    merging.merge("digital_object", &first, &[&second]).await.expect(200);
    for (into, from, title, part) in [(&one, &two, "Papers 2", "A"), (&first, &second, "Scans 2", "B")] {
        archives.admin.get(from).await.expect(404);
        assert_eq!(top(archives, into).await, [part]);
        let events = archives.get(&format!("{repository}/events?page=1")).await;
        let notes = texts(&events["results"], "outcome_note");
        assert!(notes.iter().any(|note| note.contains(title)), "{notes:?}");
    }
}

#[tokio::test]
async fn a_merged_container_gets_what_it_lacks() {
    let merging = merging().await;
    let archives = &merging.archives;
    let profile = async |name: &str, height: &str| {
        let sent = json!({"name": name, "dimension_units": "inches", "extent_dimension": "height", "depth": "1",
            "height": height, "width": "1"});
        archives.add("/container_profiles", &sent).await
    };
    let (small, large) = (profile("Small", "1").await, profile("Large", "2").await);
    let of = |uri: &str| json!({"container_profile": {"ref": uri}});
    // From whichever has one; its own wins.
    for (number, (own, others, expected)) in [
        (None, vec![Some(&large)], &large),
        (None, vec![Some(&large), Some(&large)], &large),
        (Some(&small), vec![None], &small),
        (Some(&small), vec![Some(&large)], &small),
    ]
    .into_iter()
    .enumerate()
    {
        let container = async |name: &str, profile: Option<&String>| {
            merging.container(&format!("{name}{number}"), profile.map_or(json!({}), |uri| of(uri))).await
        };
        let into = container("into", own).await;
        let mut from = Vec::new();
        for (place, other) in others.into_iter().enumerate() {
            from.push(container(&format!("from{place}"), other).await);
        }
        let from: Vec<&str> = from.iter().map(String::as_str).collect();
        merging.merge("top_container", &into, &from).await.expect(200);
        assert_eq!(archives.get(&into).await["container_profile"]["ref"], expected.as_str(), "{number}");
        archives.admin.get(from[0]).await.expect(404);
    }
}

#[tokio::test]
async fn a_merged_container_keeps_its_place_and_takes_events() {
    let merging = merging().await;
    let archives = &merging.archives;
    let agent = archives.add("/agents/people", &person("A")).await;
    let mut containers = Vec::new();
    for room in ["1", "2"] {
        let location = archives
            .add("/locations", &json!({"building": "Annex", "room": room, "barcode": room, "temporary": "exhibit"}))
            .await;
        let place =
            json!({"container_locations": [{"ref": location, "status": "current", "start_date": "2020-01-01"}]});
        let container = merging.container(room, place).await;
        let event = json!({"event_type": "accession", "date": {"date_type": "single", "label": "event", "begin": "2000"},
            "linked_agents": [{"ref": agent, "role": "authorizer"}],
            "linked_records": [{"ref": container, "role": "source"}]});
        let event = archives.add(&format!("{}/events", merging.repository), &event).await;
        containers.push((container, location, event));
    }
    let [(into, location, first), (from, _, second)] = &containers[..] else { panic!("two") };
    merging.merge("top_container", into, &[from]).await.expect(200);
    let merged = archives.get(into).await;
    assert_eq!(texts(&merged["container_locations"], "ref"), [location.as_str()]);
    for event in [first, second] {
        assert_eq!(texts(&archives.get(event).await["linked_records"], "ref"), [into.as_str()]);
    }
}

#[tokio::test]
async fn instances_in_merged_containers_are_there_once_unless_they_differ() {
    let merging = merging().await;
    let archives = &merging.archives;
    for (path, record) in [("accessions", accession("1")), ("resources", resource("1"))] {
        let (one, two) =
            (merging.container(path, json!({})).await, merging.container(&format!("x{path}"), json!({})).await);
        let of = |uri: &str, folder: Option<&str>| {
            let mut boxed = json!({"top_container": {"ref": uri}});
            if let Some(folder) = folder {
                boxed["type_2"] = "folder".into();
                boxed["indicator_2"] = folder.into();
            }
            json!({"instance_type": "text", "sub_container": boxed})
        };
        let add = async |id: &str, instances: Value| {
            let sent = with(record.clone(), json!({"id_0": format!("{path}{id}"), "instances": instances}));
            archives.add(&format!("{}/{path}", merging.repository), &sent).await
        };
        let same = add("1", json!([of(&one, None), of(&two, None)])).await;
        let other = add("2", json!([of(&one, Some("1")), of(&two, Some("2"))])).await;
        let (first, second) = (add("3", json!([of(&one, None)])).await, add("4", json!([of(&two, None)])).await);
        merging.merge("top_container", &one, &[&two]).await.expect(200);
        for (uri, expected) in [(same, 1), (other, 2), (first, 1), (second, 1)] {
            let read = archives.get(&uri).await;
            let instances = read["instances"].as_array().expect("instances");
            assert_eq!(instances.len(), expected, "{uri}");
            assert!(instances.iter().all(|one_of| one_of["sub_container"]["top_container"]["ref"] == one.as_str()));
        }
    }
}

/// Rules for the parts of agents, in the order of the list that a client shows.
#[tokio::test]
async fn parts_of_agents_are_replaced_added_or_changed() {
    let merging = merging().await;
    let archives = &merging.archives;
    let rules = |all: [&str; 2], note: &str| -> Value {
        all.iter().map(|rule| json!({"name_rule": rule, "citation": rule, "descriptive_note": note})).collect()
    };
    for (number, (action, position, expected)) in [
        (json!({"replace": "REPLACE", "position": "0"}), 0, ["rda", "dacs"].as_slice()),
        (json!({"append": "REPLACE", "position": "0"}), 0, &["aacr", "dacs", "rda"]),
        (json!({"descriptive_note": "REPLACE", "position": "0"}), 0, &["aacr", "dacs"]),
        (json!({"replace": "REPLACE", "position": "0"}), 1, &["aacr", "rda"]),
        (json!({"append": "REPLACE", "position": "0"}), 1, &["aacr", "dacs", "rda"]),
        (json!({"descriptive_note": "REPLACE", "position": "0"}), 1, &["aacr", "dacs"]),
    ]
    .into_iter()
    .enumerate()
    {
        let agent = |name: &str, parts: Value| {
            with(person(&format!("{name}{number}")), json!({"agent_conventions_declarations": parts}))
        };
        let into = archives.add("/agents/people", &agent("A", rules(["aacr", "dacs"], "ours"))).await;
        let from = archives.add("/agents/people", &agent("B", rules(["rda", "local"], "theirs"))).await;
        let chosen: Vec<Value> = (0..position).map(|_| json!({"position": "1"})).chain([action.clone()]).collect();
        let sent = with(request(&into, &[&from]), json!({"selections": {"agent_conventions_declarations": chosen}}));
        archives.admin.post("/merge_requests/agent_detail", &sent).await.expect(200);
        archives.admin.get(&from).await.expect(404);
        let merged = archives.get(&into).await["agent_conventions_declarations"].clone();
        assert_eq!(texts(&merged, "name_rule"), expected, "{action} at {position}");
        let note = if action.get("descriptive_note").is_some() { "theirs" } else { "" };
        let changed = texts(&merged, "descriptive_note");
        assert!(note.is_empty() || changed[position] == note && changed[1 - position] == "ours", "{changed:?}");
    }
}
