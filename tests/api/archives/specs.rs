//! What ArchivesSpace's own tests expect of its API, where no other file here holds it.

use http::Method;
use jiff::SignedDuration;
use serde_json::{Value, json};

use super::{Archives, archives, component, resource, texts, uri};

fn person(name: &str) -> Value {
    json!({"names": [{"primary_name": name, "name_order": "direct", "source": "local", "sort_name_auto_generate": true}]})
}

fn subject(term: &str) -> Value {
    json!({"source": "local", "vocabulary": "/vocabularies/1",
        "terms": [{"term": term, "term_type": "topical", "vocabulary": "/vocabularies/1"}]})
}

#[tokio::test]
async fn parts_that_can_be_only_once_are_refused_twice() {
    let archives = archives().await;
    let repository = archives.repository("TWI").await;
    let documents = |titles: [&str; 2]| -> Value {
        titles.iter().map(|title| json!({"title": title, "location": "http://example.org"})).collect()
    };
    let message = json!(["location and title must have unique values within a record"]);
    let accession = json!({"id_0": "1", "external_documents": documents(["A", "A"])});
    let refused = archives.admin.post(&format!("{repository}/accessions"), &accession).await.expect(400).json();
    assert_eq!(refused["error"], json!({"external_documents/1/location": message}));
    let rights = json!([{"rights_type": "copyright", "status": "copyrighted", "jurisdiction": "AU", "start_date": "1999-01-01",
        "external_documents": [{"title": "A", "location": "b", "identifier_type": "trove"},
                               {"title": "A", "location": "b", "identifier_type": "trove"}]}]);
    let accession = json!({"id_0": "1", "rights_statements": rights});
    let refused = archives.admin.post(&format!("{repository}/accessions"), &accession).await.expect(400).json();
    assert_eq!(refused["error"], json!({"rights_statements/0/external_documents/1/location": message}));
    let accession = json!({"id_0": "1", "external_documents": documents(["A", "B"])});
    archives.admin.post(&format!("{repository}/accessions"), &accession).await.expect(200);
    let contact = |name: &str| json!({"name": name, "is_representative": true});
    let mut agent = person("A");
    agent["agent_contacts"] = json!([contact("a"), contact("b")]);
    let refused = archives.admin.post("/agents/people", &agent).await.expect(400).json();
    let message = "A agent_person can have only one AgentContact defined as: is_representative";
    assert_eq!(refused["error"], json!({"agent_contacts/1/is_representative": [message]}));
    let groups = format!("{repository}/groups");
    let group = |code: &str| json!({"group_code": code, "description": "x"});
    archives.admin.post(&groups, &group("Readers")).await.expect(200);
    let refused = archives.admin.post(&groups, &group("rEADERS")).await.expect(400).json();
    assert_eq!(refused["error"], json!({"group_code": ["Group code must be unique within a repository"]}));
}

#[tokio::test]
async fn a_reference_stays_within_its_repository() {
    let archives = archives().await;
    let (repository, other) = (archives.repository("ONE").await, archives.repository("TWO").await);
    let accession = archives.add(&format!("{other}/accessions"), &json!({"id_0": "1"})).await;
    let mut sent = resource("1");
    sent["related_accessions"] = json!([{"ref": accession}]);
    let refused = archives.admin.post(&format!("{repository}/resources"), &sent).await.expect(400).json();
    let number = repository.rsplit('/').next().expect("a number");
    let expected = format!(
        "Inter-repository links are not allowed in this operation! (Bad link: '{accession}'; Active repo: \
         '#/repositories/{number}')"
    );
    assert_eq!(refused["error"], expected.as_str());
}

#[tokio::test]
async fn the_agent_of_a_user_stays() {
    let archives = archives().await;
    let user = json!({"username": "mara", "name": "Mara Reading"});
    let user = uri(&archives.admin.post("/users?password=a+good+long+password", &user).await.expect(200));
    let agent = archives.get(&user).await["agent_record"]["ref"].as_str().expect("an agent").to_owned();
    assert_eq!(archives.get(&agent).await["agent_contacts"], json!([]), "it has all lists");
    let refused = archives.admin.delete(&agent).await.expect(409).json();
    assert_eq!(refused, json!({"error": "linked_to_user"}));
}

#[tokio::test]
async fn parts_say_when_they_were_changed() {
    let archives = archives().await;
    let repository = archives.repository("AUD").await;
    let agent = archives.add("/agents/people", &person("A")).await;
    let mut sent = resource("1");
    sent["linked_agents"] = json!([{"ref": agent, "role": "creator"}]);
    let saved = archives.admin.post(&format!("{repository}/resources"), &sent).await.expect(200);
    assert_eq!(saved.json()["stale"], true);
    let path = uri(&saved);
    let record = archives.get(&format!("{path}?resolve[]=linked_agents")).await;
    let audit = |part: &Value| {
        ["lock_version", "created_by", "last_modified_by", "create_time", "system_mtime", "user_mtime"]
            .map(|name| part[name].clone())
    };
    let (who, when) = (&record["last_modified_by"], &record["user_mtime"]);
    let expected = [json!(0), who.clone(), who.clone(), when.clone(), when.clone(), when.clone()];
    let name = &record["linked_agents"][0]["_resolved"]["names"][0];
    for part in [&record["extents"][0], &record["lang_materials"][0]["language_and_script"], name] {
        assert_eq!(audit(part), expected, "{part}");
    }
    assert_eq!(record["linked_agents"][0].get("user_mtime"), None);
    let listed = archives.get(&format!("{repository}/resources?page=1")).await;
    assert_eq!(audit(&listed["results"][0]["dates"][0]), expected);
    // What is read can be sent back.
    archives.admin.post(&path, &record).await.expect(200);
    let container = archives.admin.post(&format!("{repository}/top_containers"), &json!({"indicator": "1"})).await;
    assert_eq!(container.expect(200).json()["stale"], Value::Null);
}

#[tokio::test]
async fn trees_are_resolved() {
    let archives = archives().await;
    let repository = archives.repository("TRE").await;
    let mut sent = resource("1");
    sent["publish"] = json!(true);
    let path = archives.add(&format!("{repository}/resources"), &sent).await;
    let nodes = format!("{repository}/archival_objects");
    let mut shown = component("Shown", &path, None);
    shown["publish"] = json!(true);
    archives.add(&nodes, &shown).await;
    let hidden = archives.add(&nodes, &component("Hidden", &path, None)).await;
    let mut below = component("Below", &path, Some(&hidden));
    below["publish"] = json!(true);
    archives.add(&nodes, &below).await;
    let record = archives.get(&format!("{path}?resolve[]=tree")).await;
    let tree = &record["tree"]["_resolved"];
    assert_eq!(texts(&tree["children"], "title"), ["Shown", "Hidden"]);
    assert_eq!(texts(&tree["children"][1]["children"], "title"), ["Below"]);
    let listed = archives.get(&format!("{repository}/resources?page=1&resolve[]=tree")).await;
    assert_eq!(listed["results"][0]["tree"]["_resolved"]["jsonmodel_type"], "resource_tree");
    let public = archives.get(&format!("/search/published_tree?node_uri={path}")).await;
    let whole: Value = serde_json::from_str(public["whole_tree_json"].as_str().expect("a text")).expect("JSON");
    assert_eq!((texts(&whole["children"], "title"), &public["node_uri"]), (vec!["Shown".to_owned()], &json!(path)));
    let unpublished = archives.add(&format!("{repository}/resources"), &resource("2")).await;
    let refused =
        archives.admin.get(&format!("/search/published_tree?node_uri={unpublished}")).await.expect(404).json();
    assert_eq!(refused, json!({"error": "Tree not found"}));
}

#[tokio::test]
async fn a_repository_and_its_agent_change_together() {
    let archives = archives().await;
    let repository = archives.repository("PAI").await;
    let path = repository.replace("/repositories/", "/repositories/with_agent/");
    let mut pair = archives.get(&path).await;
    pair["repository"]["name"] = json!("New name");
    pair["agent_representation"]["lock_version"] = json!(7);
    archives.admin.post(&path, &pair).await.expect(409);
    assert_eq!(archives.get(&repository).await["name"], "Library of PAI");
    pair["agent_representation"]["lock_version"] = json!(0);
    pair["agent_representation"]["agent_contacts"][0]["city"] = json!("Town");
    let saved = archives.admin.post(&path, &pair).await.expect(200).json();
    assert_eq!(saved["lock_version"], 1);
    let pair = archives.get(&path).await;
    assert_eq!(pair["repository"]["name"], "New name");
    assert_eq!(pair["agent_representation"]["agent_contacts"][0]["city"], "Town");
}

#[tokio::test]
async fn a_detailed_merge_is_made_whole_or_not_at_all() {
    let archives = archives().await;
    let named = |name: &str, id: &str| {
        let mut agent = person(name);
        agent["names"][0]["authority_id"] = json!(id);
        agent
    };
    let (one, two) = (
        archives.add("/agents/people", &named("A", "a")).await,
        archives.add("/agents/people", &named("B", "b")).await,
    );
    let request = |candidate: &str, field: &str| {
        json!({"merge_destination": {"ref": one}, "merge_candidates": [{"ref": candidate}],
            "selections": {"names": [{(field): "REPLACE", "position": "0"}]}})
    };
    let merged = archives.admin.post("/merge_requests/agent_detail", &request(&two, "authority_id")).await.expect(200);
    assert_eq!(merged.json()["result"]["names"][0]["authority_id"], "b");
    archives.admin.get(&two).await.expect(404);
    // The same names as a third agent's are refused, and nothing is merged.
    let three = archives.add("/agents/people", &person("C")).await;
    let four = archives.add("/agents/people", &person("D")).await;
    let (mut fifth, names) = (person("C"), json!([{"primary_name": "REPLACE", "position": "0"}]));
    fifth["dates_of_existence"] = json!([{"date_label": "existence", "date_type_structured": "single",
        "structured_date_single": {"date_role": "begin", "date_expression": "1900"}}]);
    let fifth = archives.add("/agents/people", &fifth).await;
    let request = json!({"merge_destination": {"ref": four}, "merge_candidates": [{"ref": fifth}],
        "selections": {"names": names}});
    let refused = archives.admin.post("/merge_requests/agent_detail", &request).await.expect(400).json();
    assert_eq!(refused["error"]["conflicting_record"], json!([three]));
    assert_eq!(archives.get(&fifth).await["title"], "C (1900)");
}

impl Archives {
    async fn touched(&self, path: &str) -> String {
        self.get(path).await["system_mtime"].as_str().expect("a time").to_owned()
    }

    /// Changes a record a while after everything before.
    async fn change_later(&self, path: &str, member: &str, value: Value) {
        self.library.clock.advance(SignedDuration::from_secs(10));
        let mut record = self.get(path).await;
        record[member] = value;
        self.admin.post(path, &record).await.expect(200);
    }
}

#[tokio::test]
async fn the_containers_of_trees_that_become_others_count_as_changed() {
    let archives = archives().await;
    let repository = archives.repository("BOX").await;
    let mut trees = Vec::new();
    for number in ["1", "2", "3"] {
        let mut uris = Vec::new();
        for kind in ["of the resource", "of a component"] {
            let container = json!({"indicator": format!("{number} {kind}")});
            uris.push(archives.add(&format!("{repository}/top_containers"), &container).await);
        }
        let held = |uri: &str| json!([{"instance_type": "audio", "sub_container": {"top_container": {"ref": uri}}}]);
        let mut papers = resource(number);
        papers["instances"] = held(&uris[0]);
        let papers = archives.add(&format!("{repository}/resources"), &papers).await;
        let series = component("Series", &papers, None);
        let series = archives.add(&format!("{repository}/archival_objects"), &series).await;
        let mut file = component("File", &papers, Some(&series));
        file["instances"] = held(&uris[1]);
        archives.add(&format!("{repository}/archival_objects"), &file).await;
        uris.extend([papers, series]);
        trees.push(uris);
    }
    let [one, two, three] = &trees[..] else { panic!("three trees") };
    let transfer = format!("{repository}/component_transfers?target_resource={}&component={}", two[2], one[3]);
    let merge = json!({"merge_destination": {"ref": two[2]}, "merge_candidates": [{"ref": three[2]}]});
    for (path, sent, touched) in [
        (transfer, None, vec![&one[1], &one[2], &two[0], &two[1], &two[2]]),
        (
            format!("/merge_requests/resource?repo_id={}", repository.rsplit('/').next().expect("an id")),
            Some(merge),
            vec![&one[1], &two[0], &two[1], &two[2], &three[0], &three[1], &three[3]],
        ),
    ] {
        let mut before = Vec::new();
        for uri in &touched {
            before.push(archives.touched(uri).await);
        }
        archives.library.clock.advance(SignedDuration::from_secs(10));
        let body = sent.map(|sent| sent.to_string().into_bytes());
        archives.admin.send(Method::POST, &path, body).await.expect(200);
        for (uri, before) in touched.into_iter().zip(before) {
            let after = archives.touched(uri).await;
            assert!(after > before, "{path}: {uri} is still of {before}");
        }
    }
}

#[tokio::test]
async fn what_shows_a_changed_record_counts_as_changed() {
    let archives = archives().await;
    let repository = archives.repository("TOU").await;
    let later = || archives.library.clock.advance(SignedDuration::from_secs(10));
    let profile = json!({"name": "Box", "dimension_units": "inches", "extent_dimension": "height", "depth": "1",
        "height": "1", "width": "1"});
    let profile = archives.add("/container_profiles", &profile).await;
    let container = json!({"indicator": "1", "container_profile": {"ref": profile}});
    let container = archives.add(&format!("{repository}/top_containers"), &container).await;
    let (agent, term) =
        (archives.add("/agents/people", &person("A")).await, archives.add("/subjects", &subject("Letters")).await);
    let papers = archives.add(&format!("{repository}/resources"), &resource("1")).await;
    let mut before = archives.touched(&papers).await;
    // The resource with every change of its tree.
    later();
    let mut sent = component("Letters", &papers, None);
    sent["instances"] = json!([{"instance_type": "audio", "sub_container": {"top_container": {"ref": container}}}]);
    sent["linked_agents"] = json!([{"ref": agent, "role": "creator"}]);
    sent["subjects"] = json!([{"ref": term}]);
    let node = archives.add(&format!("{repository}/archival_objects"), &sent).await;
    let child =
        archives.add(&format!("{repository}/archival_objects"), &component("Child", &papers, Some(&node))).await;
    let mut steps: Vec<(&str, String)> = vec![("added", archives.touched(&papers).await)];
    archives.change_later(&node, "title", json!("Old letters")).await;
    steps.push(("changed", archives.touched(&papers).await));
    later();
    archives.admin.send(Method::POST, &format!("{child}/parent?position=0"), None).await.expect(200);
    steps.push(("moved", archives.touched(&papers).await));
    later();
    archives.admin.send(Method::POST, &format!("{node}/publish"), None).await.expect(200);
    steps.push(("published", archives.touched(&papers).await));
    later();
    archives.admin.delete(&child).await.expect(200);
    steps.push(("deleted", archives.touched(&papers).await));
    for (step, after) in steps {
        assert!(after > before, "{step}: {after} is not after {before}");
        before = after;
    }
    // A container with its records and its profile, records with their containers, agents and subjects.
    for (changed, member, value, touched) in [
        (&node, "title", json!("Letters"), &container),
        (&papers, "title", json!("Papers of A"), &container),
        (&profile, "name", json!("Big box"), &container),
        (&container, "indicator", json!("2"), &node),
        (&agent, "publish", json!(true), &node),
        (&term, "terms", subject("Diaries")["terms"].clone(), &node),
    ] {
        let before = archives.touched(touched).await;
        archives.change_later(changed, member, value).await;
        let after = archives.touched(touched).await;
        assert!(after > before, "{member} of {changed}: {after} is not after {before}");
    }
    later();
    let since = archives.library.clock.now().as_second();
    let listed = format!("{repository}/resources?all_ids=true&modified_since={since}");
    assert_eq!(archives.get(&listed).await, json!([]));
    archives.change_later(&node, "title", json!("Diaries")).await;
    assert_eq!(archives.get(&listed).await, json!([1]));
    // The record itself is as its last user left it.
    let record = archives.get(&papers).await;
    assert!(record["user_mtime"].as_str() < record["system_mtime"].as_str(), "{record}");
    assert_eq!(record["lock_version"], 1);
}
