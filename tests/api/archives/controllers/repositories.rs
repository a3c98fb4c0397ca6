//! Repositories, what their groups may do, moves between them, and harvesting.

use super::*;

#[tokio::test]
async fn a_repository_is_made_changed_and_not_found() {
    let archives = archives().await;
    let repository = archives.repository("REP").await;
    assert!(texts(&archives.get("/repositories").await, "repo_code").contains(&"REP".to_owned()));
    assert_eq!(archives.edit(&repository, |record| record["name"] = "A new name".into()).await["name"], "A new name");
    archives.admin.get("/repositories/99").await.expect(404);
    archives.admin.get("/repositories/with_agent/99").await.expect(404);
    let groups = texts(&archives.get(&format!("{repository}/groups")).await, "group_code");
    for code in ["repository-managers", "repository-archivists"] {
        let grants = archives.group(&repository, code).await["grants_permissions"].clone();
        assert!(grants.as_array().is_some_and(|all| all.contains(&json!("show_full_agents"))), "{code}: {grants}");
    }
    for code in ["repository-managers", "repository-archivists", "repository-viewers"] {
        assert!(groups.contains(&code.to_owned()), "{groups:?}");
    }
    let nobody = archives.member("nobody", &repository, &[]).await;
    nobody.post("/repositories", &json!({"repo_code": "NEW", "name": "New"})).await.expect(403);
    archives.add(&format!("{repository}/accessions"), &accession("1")).await;
    archives.admin.delete(&repository).await.expect(200);
    archives.admin.get(&repository).await.expect(404);
}

#[tokio::test]
async fn project_managers_describe_and_set_lists_but_no_locations() {
    let archives = archives().await;
    let repository = archives.repository("PRO").await;
    let location = archives.add("/locations", &json!({"building": "Annex", "barcode": "1"})).await;
    let manager = archives.member("petra", &repository, &["repository-project-managers"]).await;
    manager.post("/config/enumerations", &json!({"name": "hello", "values": ["world"]})).await.expect(200);
    let found = manager.get(&location).await.expect(200).json();
    manager.post(&location, &found).await.expect(403);
    let gift = uri(&manager.post(&format!("{repository}/accessions"), &accession("1")).await.expect(200));
    let agent = with(agents("A")[2].1.clone(), json!({"agent_contacts": [{"name": "Desk"}]}));
    let agent = uri(&manager.post("/agents/corporate_entities", &agent).await.expect(200));
    for (uri, member, value) in
        [(&gift, "title", json!("Changed")), (&agent, "agent_contacts", json!([{"name": "Door"}]))]
    {
        let mut record = manager.get(uri).await.expect(200).json();
        record[member] = value;
        manager.post(uri, &record).await.expect(200);
    }
    assert_eq!(archives.get(&agent).await["agent_contacts"][0]["name"], "Door");
    manager.post("/subjects", &subject("Letters")).await.expect(200);
    let event = json!({"event_type": "accession", "date": {"date_type": "single", "label": "event", "begin": "2000"},
        "linked_agents": [{"ref": agent, "role": "authorizer"}], "linked_records": [{"ref": gift, "role": "source"}]});
    manager.post(&format!("{repository}/events"), &event).await.expect(200);
}

#[tokio::test]
async fn who_views_a_repository_does_not_add_to_it() {
    let archives = archives().await;
    let repository = archives.repository("VIE").await;
    let all = format!("{repository}/accessions");
    let viewer = archives.member("viewer", &repository, &["repository-viewers"]).await;
    let archivist = archives.member("archivist", &repository, &["repository-archivists"]).await;
    viewer.post(&all, &accession("1")).await.expect(403);
    archivist.post(&all, &accession("1")).await.expect(200);
    viewer.get(&format!("{all}?page=1")).await.expect(200);
    // Groups are for managers, and the users who may be their members.
    let manager = archives.member("manager", &repository, &["repository-managers"]).await;
    manager.get("/users?page=1").await.expect(200);
    viewer.get("/users?page=1").await.expect(403);
    let groups = format!("{repository}/groups");
    let first = manager.get(&groups).await.expect(200).json()[0].clone();
    let one = first["uri"].as_str().expect("an address");
    for client in [viewer, archivist] {
        client.get(&groups).await.expect(403);
        client.get(one).await.expect(403);
        client.post(one, &first).await.expect(403);
    }
}

#[tokio::test]
async fn a_group_has_members_who_may_be_left_alone() {
    let archives = archives().await;
    let (repository, other) = (archives.repository("GRO").await, archives.repository("ELSE").await);
    for name in ["herman", "guybrush", "elaine"] {
        archives.member(name, &repository, &[]).await;
    }
    let sent = json!({"group_code": "crew", "description": "Sails", "member_usernames": ["herman"],
        "grants_permissions": ["transfer_repository"]});
    let group = archives.add(&format!("{repository}/groups"), &sent).await;
    let read = archives.get(&group).await;
    assert_eq!((&read["description"], &read["member_usernames"]), (&json!("Sails"), &json!(["herman"])));
    let mut record = read;
    record["member_usernames"] = json!(["guybrush", "elaine"]);
    archives.admin.post(&format!("{group}?with_members=false"), &record).await.expect(200);
    assert_eq!(archives.get(&group).await["member_usernames"], json!(["herman"]));
    assert_eq!(archives.get(&format!("{group}?with_members=false")).await["member_usernames"], json!([]));
    let changed = archives.edit(&group, |record| record["member_usernames"] = json!(["guybrush", "elaine"])).await;
    let mut members: Vec<&str> =
        changed["member_usernames"].as_array().expect("a list").iter().filter_map(Value::as_str).collect();
    members.sort_unstable();
    assert_eq!(members, ["elaine", "guybrush"]);
    let answer = log_in(&archives.library, "guybrush", "password=a+good+long+password").await.expect(200).json();
    assert_eq!(answer["user"]["permissions"][&repository], json!(["transfer_repository"]));
    let user = archives.get(answer["user"]["uri"].as_str().expect("an address")).await;
    assert_eq!(user["permissions"][&repository], json!(["transfer_repository"]));
    assert!(!texts(&archives.get(&format!("{other}/groups")).await, "group_code").contains(&"crew".to_owned()));
    // What is granted everywhere is not granted by a repository.
    let mut record = archives.get(&group).await;
    record["grants_permissions"] = json!(["create_repository"]);
    archives.admin.post(&group, &record).await.expect(403);
}

#[tokio::test]
async fn moves_need_the_right_on_both_sides() {
    let archives = archives().await;
    let (from, to) = (archives.repository("FROM").await, archives.repository("TO").await);
    let gift = archives.add(&format!("{from}/accessions"), &accession("1")).await;
    let one = format!("{gift}/transfer?target_repo={to}");
    let all = format!("{from}/transfer?target_repo={to}");
    let mover = archives.member("mover", &from, &["repository-archivists"]).await;
    mover.send(Method::POST, &one, None).await.expect(403);
    mover.send(Method::POST, &all, None).await.expect(403);
    let join = async |repository: &str| {
        let found = archives.get(&format!("{repository}/groups?group_code=repository-archivists")).await;
        let uri = found[0]["uri"].as_str().expect("an address").to_owned();
        archives
            .edit(&uri, |group| {
                group["member_usernames"] = json!(["mover"]);
                group["grants_permissions"].as_array_mut().expect("a list").push("transfer_repository".into());
            })
            .await;
    };
    join(&from).await;
    let mover = signed_in(&archives.library, "mover").await;
    mover.send(Method::POST, &all, None).await.expect(403);
    join(&to).await;
    let mover = signed_in(&archives.library, "mover").await;
    mover.send(Method::POST, &one, None).await.expect(200);
    // The same identifier on both sides is in the way.
    let clash = archives.add(&format!("{from}/accessions"), &accession("1")).await;
    let refused = mover.send(Method::POST, &all, None).await.expect(409).json();
    assert_eq!(refused["error"][&clash][0]["json_property"], "id_0");
    archives.admin.delete(&clash).await.expect(200);
    mover.send(Method::POST, &all, None).await.expect(200);
}

#[tokio::test]
async fn there_is_one_configuration_of_harvesting_and_a_form() {
    let archives = archives().await;
    let mut config = archives.get("/oai_config").await[0].clone();
    config["oai_admin_email"] = "harvest@example.org".into();
    archives.admin.post("/oai_config", &config).await.expect(200);
    assert_eq!(archives.get("/oai_config").await[0]["oai_admin_email"], "harvest@example.org");
    let form = anonymous(&archives.library).get("/oai_sample").await.expect(200);
    assert!(form.header("content-type").is_some_and(|media| media.starts_with("text/html")));
    assert!(form.text.contains("<form action=\"oai\""), "{}", form.text);
}

/// Whoever indexes sees what is suppressed, and changes nothing.
#[tokio::test]
async fn the_indexer_sees_everything_and_changes_nothing() {
    let archives = first_users::started().await;
    let repository = archives.repository("IND").await;
    let gift = archives.add(&format!("{repository}/accessions"), &accession("1")).await;
    archives.act(&format!("{gift}/suppressed?suppressed=true")).await;
    let viewer = archives.member("nobody", &repository, &["repository-viewers"]).await;
    viewer.get(&gift).await.expect(404);
    let hidden = first_users::hidden(&archives.admin).await;
    let indexer = hidden.iter().find(|(_, user)| user["username"] == "search_indexer");
    let (path, user) = indexer.expect("the indexer");
    let path = format!("{path}?password={}", PASSWORD.replace(' ', "+"));
    archives.admin.post(&path, user).await.expect(200);
    let robot = signed_in(&archives.library, "search_indexer").await;
    let record = robot.get(&gift).await.expect(200).json();
    robot.post(&gift, &record).await.expect(403);
}
