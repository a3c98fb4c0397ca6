//! Agents (contract 1.2, 1.3, 2, 3.3, 4.7).

use super::*;

const PEOPLE: &str = "/agents/people";

fn person(primary: &str, rest: &str) -> Value {
    json!({"names": [{"primary_name": primary, "rest_of_name": rest, "name_order": "inverted", "source": "local",
                      "sort_name_auto_generate": true}]})
}

/// One agent of each type.
fn one_of_each() -> [(&'static str, Value, &'static str); 4] {
    let family = json!({"names": [{"family_name": "Garnet", "source": "local", "sort_name_auto_generate": true}]});
    let body =
        json!({"names": [{"primary_name": "Harbour Board", "source": "local", "sort_name_auto_generate": true}]});
    let software = json!({"names": [{"software_name": "Ledger", "version": "2", "source": "local",
                                     "sort_name_auto_generate": true}]});
    [
        (PEOPLE, person("Garnet", "Ada"), "Garnet, Ada"),
        ("/agents/families", family, "Garnet"),
        ("/agents/corporate_entities", body, "Harbour Board"),
        ("/agents/software", software, "Ledger 2"),
    ]
}

#[tokio::test]
async fn an_agent_is_titled_by_the_name_it_is_shown_with() {
    let archives = archives().await;
    for (path, agent, title) in one_of_each() {
        let saved = archives.admin.post(path, &agent).await.expect(200);
        assert!(saved.round_trips() <= 2, "{path}: {}", saved.round_trips());
        let uri = uri(&saved);
        assert!(uri.starts_with(path), "{uri}");
        let answer = anonymous(&archives.library).get(&uri).await.expect(200);
        assert_eq!(answer.round_trips(), 1, "{path}");
        let found = answer.json();
        assert_eq!((&found["title"], &found["display_name"]["sort_name"]), (&json!(title), &json!(title)));
        assert_eq!((&found["names"][0]["authorized"], &found["publish"]), (&json!(true), &json!(false)));
        assert_eq!(found["agent_type"], found["jsonmodel_type"]);
        assert_eq!(found["is_linked_to_published_record"], false);
        assert_eq!(found["linked_agent_roles"], json!([]));
        let list = archives.admin.get(&format!("{path}?page=1")).await.expect(200);
        assert_eq!(list.round_trips(), 1, "{path}");
        assert_eq!(texts(&list.json()["results"], "title"), [title]);
        let published = archives.admin.send(Method::POST, &format!("{uri}/publish"), None).await.expect(200).json();
        assert_eq!(published["lock_version"], 1);
        assert_eq!(archives.get(&uri).await["publish"], true);
        archives.admin.delete(&uri).await.expect(200);
        archives.admin.get(&uri).await.expect(404);
    }
}

#[tokio::test]
async fn a_changed_agent_keeps_up_with_its_names() {
    let archives = archives().await;
    let uri = archives.add(PEOPLE, &person("Garnet", "Ada")).await;
    let mut agent = archives.get(&uri).await;
    agent["names"][0]["rest_of_name"] = "Ida".into();
    archives.admin.post(&uri, &agent).await.expect(200);
    assert_eq!(archives.get(&uri).await["title"], "Garnet, Ida");
    let refused = archives.admin.post(PEOPLE, &json!({"names": []})).await.expect(400).json();
    assert_eq!(refused["error"]["names"], json!(["At least 1 item(s) is required"]));
}

#[tokio::test]
async fn the_same_agent_is_there_once() {
    let archives = archives().await;
    let uri = archives.add(PEOPLE, &person("Garnet", "Ada")).await;
    let expected = json!({"error": {"names": ["Agent must be unique"], "conflicting_record": [uri]}});
    assert_eq!(archives.admin.post(PEOPLE, &person("Garnet", "Ada")).await.expect(400).json(), expected);
    let other = archives.add(PEOPLE, &person("Garnet", "Ida")).await;
    let mut changed = archives.get(&other).await;
    changed["names"][0]["rest_of_name"] = "Ada".into();
    assert_eq!(archives.admin.post(&other, &changed).await.expect(400).json(), expected);
}

#[tokio::test]
async fn an_identifier_of_an_authority_is_one_agents() {
    let archives = archives().await;
    let mut first = person("Garnet", "Ada");
    first["names"][0]["authority_id"] = "n1".into();
    let uri = archives.add(PEOPLE, &first).await;
    let (_, mut family, _) = one_of_each()[1].clone();
    family["names"][0]["authority_id"] = "n1".into();
    let refused = archives.admin.post("/agents/families", &family).await.expect(400).json();
    let text = "Authority ID must be unique";
    assert_eq!(refused, json!({"error": {"names/0/authority_id": [text], "conflicting_record": [uri]}}));
    // Nor does one agent have it twice.
    let mut twice = person("Garnet", "Ida");
    twice["names"]
        .as_array_mut()
        .expect("names")
        .extend(person("Garnet", "I.")["names"].as_array().cloned().expect("names"));
    (twice["names"][0]["authority_id"], twice["names"][1]["authority_id"]) = ("n2".into(), "n2".into());
    let refused = archives.admin.post(PEOPLE, &twice).await.expect(400).json();
    assert_eq!(refused, json!({"error": {"names/0/authority_id": [text]}}));
}

#[tokio::test]
async fn contacts_are_for_those_who_may_see_them() {
    let archives = archives().await;
    let mut agent = person("Garnet", "Ada");
    agent["agent_contacts"] = json!([{"name": "Front desk", "city": "Harbour"}]);
    let uri = archives.add(PEOPLE, &agent).await;
    assert_eq!(archives.get(&uri).await["agent_contacts"][0]["city"], "Harbour");
    let repository = archives.repository("A").await;
    let mut described = resource("MS 1");
    described["linked_agents"] = json!([{"ref": uri, "role": "creator"}]);
    archives.add(&format!("{repository}/resources"), &described).await;
    let visitor = anonymous(&archives.library);
    assert_eq!(visitor.get(&uri).await.expect(200).json()["agent_contacts"], json!([]));
    let listed = visitor.get(&format!("{PEOPLE}?page=1")).await.expect(200).json();
    assert_eq!(listed["results"][0]["agent_contacts"], json!([]));
    let path = "/repositories?resolve[]=agent_representation";
    let resolved = visitor.get(path).await.expect(200).json();
    assert_eq!(resolved[0]["agent_representation"]["_resolved"]["agent_contacts"], json!([]));
    visitor.post(PEOPLE, &person("Garnet", "Ida")).await.expect(403);
    visitor.delete(&uri).await.expect(403);
}

#[tokio::test]
async fn an_agent_knows_what_has_it() {
    let archives = archives().await;
    let public = json!({"repo_code": "A", "name": "Library of A", "publish": true});
    let repository = archives.add("/repositories", &public).await;
    let agent = archives.add(PEOPLE, &person("Garnet", "Ada")).await;
    let mut described = resource("MS 1");
    described["linked_agents"] = json!([{"ref": agent, "role": "creator"}, {"ref": agent, "role": "subject"}]);
    let resource = archives.add(&format!("{repository}/resources"), &described).await;
    let nodes = format!("{repository}/archival_objects");
    let series = archives.add(&nodes, &component("Series", &resource, None)).await;
    let mut file = component("File", &resource, Some(&series));
    file["linked_agents"] = json!([{"ref": agent, "role": "source"}]);
    let file = archives.add(&nodes, &file).await;
    let linked = archives.get(&agent).await;
    assert_eq!(linked["linked_agent_roles"], json!(["creator", "source", "subject"]));
    // The file is published, but not what is above it.
    archives.admin.send(Method::POST, &format!("{file}/publish"), None).await.expect(200);
    assert_eq!(archives.get(&agent).await["is_linked_to_published_record"], false);
    archives.admin.send(Method::POST, &format!("{resource}/publish"), None).await.expect(200);
    archives.admin.send(Method::POST, &format!("{series}/unpublish"), None).await.expect(200);
    assert_eq!(archives.get(&agent).await["is_linked_to_published_record"], true);
    let mut record = archives.get(&resource).await;
    record["linked_agents"] = json!([]);
    archives.admin.post(&resource, &record).await.expect(200);
    let linked = archives.get(&agent).await;
    assert_eq!(
        (&linked["is_linked_to_published_record"], &linked["linked_agent_roles"]),
        (&json!(false), &json!(["source"]))
    );
    archives.admin.send(Method::POST, &format!("{series}/publish"), None).await.expect(200);
    assert_eq!(archives.get(&agent).await["is_linked_to_published_record"], true);
    // What had the agent lives on without it.
    archives.admin.delete(&agent).await.expect(200);
    assert_eq!(archives.get(&file).await["linked_agents"], json!([]));
}

#[tokio::test]
async fn the_agent_of_a_repository_stays() {
    let archives = archives().await;
    let repository = archives.repository("A").await;
    let mut record = archives.get(&repository).await;
    record["name"] = "Renamed".into();
    archives.admin.post(&repository, &record).await.expect(200);
    let agent = archives.get(&repository).await["agent_representation"]["ref"].as_str().expect("an agent").to_owned();
    assert_eq!(archives.get(&agent).await["is_repo_agent"], "Renamed");
    let refused = archives.admin.delete(&agent).await.expect(409).json();
    assert_eq!(refused, json!({"error": "This agent is linked to a repository and can't be removed"}));
}
