//! Users, their groups and what those grant (contract 1.1, 1.2, 3.5).

use http::Method;
use serde_json::{Value, json};
use testkit::Client;

use super::{Archives, PASSWORD, anonymous, archives, log_in, resource, signed_in, texts, uri, user};

impl Archives {
    /// A user that the archives made, with the test's password; returns the address.
    async fn archivist(&self, name: &str) -> String {
        let sent = json!({"username": name, "name": format!("Archivist {name}")});
        let password = PASSWORD.replace(' ', "+");
        uri(&self.admin.post(&format!("/users?password={password}"), &sent).await.expect(200))
    }

    /// A group of a repository, by its code.
    pub(super) async fn group(&self, repository: &str, code: &str) -> Value {
        let found = self.get(&format!("{repository}/groups?group_code={code}")).await;
        assert_eq!(found.as_array().map(Vec::len), Some(1), "{code}");
        found[0].clone()
    }

    async fn set_members(&self, repository: &str, code: &str, names: &[&str]) {
        let mut group = self.group(repository, code).await;
        group["member_usernames"] = json!(names);
        self.admin.post(group["uri"].as_str().expect("an address"), &group).await.expect(200);
    }
}

async fn send(client: &Client, path: &str) -> testkit::Answer {
    client.send(Method::POST, path, None).await
}

#[tokio::test]
async fn a_user_is_made_and_signs_in_to_both_halves() {
    let archives = archives().await;
    let sent = json!({"username": " Mara ", "name": "Mara Reading", "email": "mara@example.org", "title": "Archivist",
        "first_name": "Mara", "last_name": "Reading", "telephone": "12", "department": "Maps",
        "additional_contact": "Desk 2"});
    let saved = archives.admin.post("/users?password=a+good+long+password", &sent).await.expect(200).json();
    assert_eq!((&saved["status"], &saved["lock_version"]), (&json!("Created"), &json!(0)));
    let path = saved["uri"].as_str().expect("an address").to_owned();
    let read = archives.get(&path).await;
    for (name, value) in sent.as_object().expect("an object") {
        let expected = if name == "username" { &json!("mara") } else { value };
        assert_eq!(&read[name], expected, "{name}");
    }
    assert_eq!(
        (&read["is_admin"], &read["is_active_user"], &read["source"]),
        (&json!(false), &json!(true), &json!("local"))
    );
    let agent = archives.get(read["agent_record"]["ref"].as_str().expect("an agent")).await;
    assert_eq!(agent["title"], "Mara Reading");
    assert_eq!(agent["is_user"], "mara");

    let session = signed_in(&archives.library, "mara").await;
    let me = session.get("/users/current-user").await.expect(200).json();
    assert_eq!((&me["uri"], &me["permissions"]["_archivesspace"]), (&json!(path), &json!(["edit_user_self"])));
    let found = archives.library.open.get("/users?query=username==mara").await.expect(200).json();
    let found = &found["users"][0];
    assert_eq!((&found["personal"]["lastName"], &found["personal"]["phone"]), (&json!("Reading"), &json!("12")));

    let taken = archives.admin.post("/users?password=x", &sent).await.expect(400).json();
    assert_eq!(taken["error"]["username"], json!(["Username 'mara' is already in use"]));
    for name in ["a/b", "a  b"] {
        let wrong = json!({"username": name, "name": "x"});
        let wrong = archives.admin.post("/users?password=x", &wrong).await.expect(400).json();
        assert_eq!(wrong, json!({"error": "Invalid username"}), "{name}");
    }
    for (method, path, text) in [
        (Method::POST, "/users/nobody/become-user", "NotFoundException"),
        (Method::GET, "/schemas/nothing", "NotFoundException"),
        (Method::GET, "/users/99", "User wasn't found"),
        (Method::DELETE, "/users/99", "User not found"),
    ] {
        let unknown = archives.admin.send(method, path, None).await.expect(404).json();
        assert_eq!(unknown, json!({"error": text}), "{path}");
    }
    let missing = archives.admin.post("/users", &sent).await.expect(400).json();
    assert_eq!(missing["error"]["password"], json!(["Parameter required but no value provided"]));
    // A second person of the same name.
    let other = json!({"username": "mara2", "name": "Mara Reading"});
    archives.admin.post("/users?password=x", &other).await.expect(200);
}

#[tokio::test]
async fn the_agent_of_a_user_may_have_the_name_of_another() {
    let archives = archives().await;
    let mut agents = Vec::new();
    for username in ["mara", "mara2"] {
        let sent = json!({"username": username, "name": "Mara"});
        let user = archives.admin.post("/users?password=secret", &sent).await.expect(200).json();
        let user = archives.get(user["uri"].as_str().expect("an address")).await;
        agents.push(user["agent_record"]["ref"].as_str().expect("an address").to_owned());
    }
    for uri in &agents {
        let mut agent = archives.get(uri).await;
        agent["publish"] = json!(true);
        archives.admin.post(uri, &agent).await.expect(200);
    }
    // It is in nobody's way either, and other agents are still told apart.
    let name = archives.get(&agents[0]).await["names"][0].clone();
    let same = json!({"names": [{"primary_name": name["primary_name"], "name_order": name["name_order"],
        "source": name["source"], "sort_name": name["sort_name"], "sort_name_auto_generate": true}]});
    archives.admin.post("/agents/people", &same).await.expect(200);
    archives.admin.post("/agents/people", &same).await.expect(400);
    for uri in &agents {
        let agent = archives.get(uri).await;
        archives.admin.post(uri, &agent).await.expect(200);
    }
    let sources = archives.get("/config/enumerations/names/name_source").await["uri"].clone();
    let renamed = json!({"enum_uri": sources, "from": name["source"], "to": "naf"});
    archives.admin.post("/config/enumerations/migration", &renamed).await.expect(200);
    // Identifiers are of one agent.
    let mut agent = archives.get(&agents[0]).await;
    agent["names"][0]["authority_id"] = json!("n1");
    archives.admin.post(&agents[0], &agent).await.expect(200);
    let mut other = archives.get(&agents[1]).await;
    other["names"][0]["authority_id"] = json!("n1");
    archives.admin.post(&agents[1], &other).await.expect(400);
}

#[tokio::test]
async fn users_are_listed() {
    let archives = archives().await;
    archives.archivist("first").await;
    archives.archivist("second").await;
    let page = archives.get("/users?page=1").await;
    assert_eq!((&page["total"], &page["last_page"]), (&json!(3), &json!(1)));
    let names: Vec<_> = page["results"].as_array().expect("users").iter().map(|one| one["username"].clone()).collect();
    assert_eq!(names, ["admin", "first", "second"]);
    let last = archives.get("/users?page=1&page_size=1&sort_direction=desc").await;
    assert_eq!((&last["results"][0]["username"], &last["last_page"]), (&json!("second"), &json!(3)));
    for (sorted, names) in [
        ("username", ["admin", "first", "second"]),
        ("username&sort_direction=desc", ["second", "first", "admin"]),
        ("create_time&sort_direction=asc", ["admin", "first", "second"]),
    ] {
        let page = archives.get(&format!("/users?page=1&sort_field={sorted}")).await;
        assert_eq!(texts(&page["results"], "username"), names, "{sorted}");
    }
    let wrong = archives.admin.get("/users?page=1&sort_field=password").await.expect(400).json();
    assert_eq!(wrong["error"]["sort_field"], json!(["Records cannot be sorted by 'password'"]));
    let ids = archives.get("/users?all_ids=true").await;
    assert_eq!(ids.as_array().map(Vec::len), Some(3));
    let set = archives.get(&format!("/users?id_set={},{}", ids[1], ids[2])).await;
    assert_eq!((&set[0]["username"], &set[1]["username"]), (&json!("first"), &json!("second")));
    assert_eq!(archives.get("/users/complete?query=SEC").await, json!(["second"]));
    assert_eq!(archives.get("/users/complete?query=%25").await, json!([]));
    let missing = archives.admin.get("/users/9999").await.expect(404).json();
    assert_eq!(missing, json!({"error": "User wasn't found"}));
}

#[tokio::test]
async fn who_may_not_is_refused() {
    let archives = archives().await;
    let path = archives.archivist("other").await;
    let reader_path = archives.archivist("reader").await;
    let reader = signed_in(&archives.library, "reader").await;
    let sent = json!({"username": "x", "name": "x", "lock_version": 0});
    for client in [anonymous(&archives.library), reader.clone()] {
        assert_eq!(client.post("/users?password=x", &sent).await.status, 403);
        assert_eq!(client.post(&path, &sent).await.status, 403);
        assert_eq!(client.delete(&path).await.status, 403);
        for route in
            ["/users?page=1".to_owned(), path.clone(), format!("{path}/activate"), format!("{path}/deactivate")]
        {
            assert_eq!(client.get(&route).await.status, 403, "{route}");
        }
        assert_eq!(send(&client, &format!("{path}/password?password=x")).await.status, 403);
        assert_eq!(send(&client, &format!("{path}/groups?remove_groups=true&repo_id=1")).await.status, 403);
        assert_eq!(send(&client, "/users/admin/become-user").await.status, 403);
        assert_eq!(client.get("/repositories/1/groups").await.status, 403);
        assert_eq!(client.get(&format!("/repositories/1{path}")).await.status, 403);
    }
    assert_eq!(anonymous(&archives.library).get("/users/complete?query=a").await.status, 403);
    // Users change themselves, but not into administrators.
    let mut own = archives.get(&reader_path).await;
    own["is_admin"] = json!(true);
    own["name"] = json!("A New Name");
    own["username"] = json!("admin");
    reader.post(&reader_path, &own).await.expect(200);
    let own = archives.get(&reader_path).await;
    assert_eq!(
        (&own["is_admin"], &own["name"], &own["username"]),
        (&json!(false), &json!("A New Name"), &json!("reader"))
    );
    assert_eq!(
        reader.post(&reader_path, &json!({"username": "reader", "name": "x", "lock_version": 0})).await.status,
        409
    );
}

#[tokio::test]
async fn an_administrator_makes_administrators() {
    let archives = archives().await;
    let path = archives.archivist("deputy").await;
    let mut deputy = archives.get(&path).await;
    deputy["is_admin"] = json!(true);
    archives.admin.post(&path, &deputy).await.expect(200);
    let client = signed_in(&archives.library, "deputy").await;
    let me = client.get("/users/current-user").await.expect(200).json();
    assert_eq!(me["is_admin"], true);
    client.post("/repositories", &json!({"repo_code": "DEP", "name": "Deputy's"})).await.expect(200);
    let mut deputy = archives.get(&path).await;
    deputy["is_admin"] = json!(false);
    archives.admin.post(&path, &deputy).await.expect(200);
    assert_eq!(client.post("/repositories", &json!({"repo_code": "D2", "name": "x"})).await.status, 403);
    assert_eq!(archives.get(&path).await["is_admin"], false);
}

#[tokio::test]
async fn groups_grant_what_their_members_may_do() {
    let archives = archives().await;
    let repository = archives.repository("GRP").await;
    archives.archivist("viewer").await;
    let viewer = signed_in(&archives.library, "viewer").await;
    let resources = format!("{repository}/resources");
    assert_eq!(viewer.get(&format!("{resources}?page=1")).await.status, 403);
    archives.set_members(&repository, "repository-viewers", &["viewer"]).await;
    viewer.get(&format!("{resources}?page=1")).await.expect(200);
    assert_eq!(viewer.post(&resources, &resource("1")).await.status, 403);
    archives.set_members(&repository, "repository-archivists", &["Viewer", "admin"]).await;
    viewer.post(&resources, &resource("1")).await.expect(200);
    assert_eq!(viewer.get(&format!("{repository}/groups")).await.status, 403);
    let members = archives.group(&repository, "repository-archivists").await["member_usernames"].clone();
    assert_eq!(members, json!(["admin", "viewer"]));
    let me = viewer.get("/users/current-user").await.expect(200).json();
    let codes = me["permissions"][&repository].as_array().expect("codes").clone();
    assert!(
        codes.contains(&json!("update_resource_record")) && codes.contains(&json!("update_subject_record")),
        "{codes:?}"
    );
    archives.set_members(&repository, "repository-viewers", &[]).await;
    archives.set_members(&repository, "repository-archivists", &["admin"]).await;
    assert_eq!(viewer.get(&format!("{resources}?page=1")).await.status, 403);
}

#[tokio::test]
async fn groups_are_made_changed_and_deleted() {
    let archives = archives().await;
    let (repository, other) = (archives.repository("GRA").await, archives.repository("GRB").await);
    archives.archivist("herman").await;
    archives.archivist("elaine").await;
    let all = format!("{repository}/groups");
    let new = json!({"group_code": "swordfighters", "description": "Those who fight with words",
        "member_usernames": ["herman"], "grants_permissions": ["view_repository", "update_subject_record"]});
    let path = archives.add(&all, &new).await;
    let group = archives.get(&path).await;
    assert_eq!(group["member_usernames"], json!(["herman"]));
    assert_eq!(group["grants_permissions"], json!(["view_repository"]), "codes that follow from others are left out");
    assert_eq!(archives.get(&format!("{path}?with_members=false")).await["member_usernames"], json!([]));
    let mut change = group.clone();
    change["member_usernames"] = json!(["elaine"]);
    archives.admin.post(&format!("{path}?with_members=false"), &change).await.expect(200);
    assert_eq!(archives.get(&path).await["member_usernames"], json!(["herman"]));
    assert_eq!(archives.admin.post(&path, &change).await.status, 409);
    change["lock_version"] = json!(1);
    archives.admin.post(&path, &change).await.expect(200);
    assert_eq!(archives.get(&path).await["member_usernames"], json!(["elaine"]));

    change["lock_version"] = json!(2);
    change["member_usernames"] = json!(["guybrush"]);
    let unknown = archives.admin.post(&path, &change).await.expect(400).json();
    assert_eq!(unknown, json!({"error": {"member_usernames": ["User guybrush does not exist"]}}));
    change["member_usernames"] = json!(["guybrush", "elaine", "stan"]);
    let unknown = archives.admin.post(&path, &change).await.expect(400).json();
    assert_eq!(unknown["error"]["member_usernames"], json!(["Users guybrush, stan do not exist"]));
    change["member_usernames"] = json!([]);
    for (code, status) in [("administer_system", 403), ("no_such_code", 400)] {
        change["grants_permissions"] = json!([code]);
        assert_eq!(archives.admin.post(&path, &change).await.status, status, "{code}");
    }
    let taken = archives.admin.post(&all, &new).await.expect(400).json();
    assert_eq!(taken["error"]["group_code"], json!(["Group code must be unique within a repository"]));
    archives.add(&format!("{other}/groups"), &new).await;

    let codes: Vec<Value> =
        archives.get(&all).await.as_array().expect("groups").iter().map(|one| one["group_code"].clone()).collect();
    assert_eq!(codes.len(), 7);
    assert_eq!(
        codes.iter().filter(|code| **code == "swordfighters").count(),
        1,
        "those of other repositories are not there"
    );
    archives.admin.delete(&path).await.expect(200);
    assert_eq!(archives.admin.get(&path).await.status, 404);
}

#[tokio::test]
async fn a_user_gets_groups() {
    let archives = archives().await;
    let (repository, other) = (archives.repository("UGA").await, archives.repository("UGB").await);
    let viewers =
        archives.group(&repository, "repository-viewers").await["uri"].as_str().expect("an address").to_owned();
    let managers = archives.group(&other, "repository-managers").await["uri"].as_str().expect("an address").to_owned();
    let sent = json!({"username": "mara", "name": "Mara"});
    let path = format!("/users?password=a+good+long+password&groups[]={viewers}&groups[]={managers}");
    let path = uri(&archives.admin.post(&path, &sent).await.expect(200));
    assert_eq!(archives.get(&format!("{repository}{path}")).await["groups"], json!([viewers]));
    assert_eq!(archives.get(&format!("{other}{path}")).await["groups"], json!([managers]));
    let archivists =
        archives.group(&repository, "repository-archivists").await["uri"].as_str().expect("an address").to_owned();
    let number = repository.rsplit('/').next().expect("a number");
    let route = format!("{path}/groups?groups[]={archivists}&groups[]={managers}&remove_groups=true&repo_id={number}");
    assert_eq!(send(&archives.admin, &route).await.expect(200).json(), json!({"status": "OK"}));
    assert_eq!(archives.get(&format!("{repository}{path}")).await["groups"], json!([archivists]));
    assert_eq!(archives.get(&format!("{other}{path}")).await["groups"], json!([managers]), "of another repository");
    let wrong = format!("/users?password=x&groups[]=/repositories/{number}/groups/99999");
    let refused = archives.admin.post(&wrong, &json!({"username": "x", "name": "x"})).await;
    assert_eq!(refused.status, 404);
    // Managers manage only their own repository.
    let mara = signed_in(&archives.library, "mara").await;
    assert_eq!(mara.get(&format!("{other}/groups")).await.status, 200);
    assert_eq!(send(&mara, &route).await.status, 403);
}

#[tokio::test]
async fn a_password_is_changed_and_ends_the_session() {
    let archives = archives().await;
    let path = archives.archivist("mara").await;
    let mara = signed_in(&archives.library, "mara").await;
    send(&mara, &format!("{path}/password?password=another")).await.expect(200);
    assert_eq!(mara.get("/users/current-user").await.status, 412);
    assert_eq!(log_in(&archives.library, "mara", "password=a+good+long+password").await.status, 403);
    assert_eq!(log_in(&archives.library, "mara", "password=another").await.status, 200);
    let mut user = archives.get(&path).await;
    user["name"] = json!("Mara Reading");
    archives.admin.post(&format!("{path}?password=third"), &user).await.expect(200);
    assert_eq!(log_in(&archives.library, "mara", "password=third").await.status, 200);
    assert_eq!(archives.get(&path).await["name"], "Mara Reading");
}

#[tokio::test]
async fn users_are_deactivated_and_deleted() {
    let archives = archives().await;
    let path = archives.archivist("mara").await;
    let mara = signed_in(&archives.library, "mara").await;
    assert_eq!(archives.get(&format!("{path}/deactivate")).await["is_active_user"], false);
    assert_eq!(mara.get("/users/current-user").await.status, 412);
    assert_eq!(log_in(&archives.library, "mara", "password=a+good+long+password").await.status, 403);
    assert_eq!(archives.get(&format!("{path}/activate")).await["is_active_user"], true);
    signed_in(&archives.library, "mara").await;
    archives.admin.delete(&path).await.expect(200);
    assert_eq!(archives.admin.get(&path).await.status, 404);
    let found = archives.library.open.get("/users?query=username==mara").await.expect(200).json();
    assert_eq!(found["totalRecords"], 0);
    // One of the library's own stays there.
    user(&archives.library, "patron", &[]).await;
    let patron = signed_in(&archives.library, "patron").await;
    let path =
        patron.get("/users/current-user").await.expect(200).json()["uri"].as_str().expect("an address").to_owned();
    archives.admin.delete(&path).await.expect(200);
    assert_eq!(patron.get("/users/current-user").await.status, 412);
    let found = archives.library.open.get("/users?query=username==patron").await.expect(200).json();
    assert_eq!(found["totalRecords"], 1);
}

#[tokio::test]
async fn the_administrator_admin_stays() {
    let archives = archives().await;
    let deputy = archives.archivist("deputy").await;
    let mut record = archives.get(&deputy).await;
    record["is_admin"] = json!(true);
    archives.admin.post(&deputy, &record).await.expect(200);
    let deputy = signed_in(&archives.library, "deputy").await;
    let me = archives.get("/users/current-user").await["uri"].as_str().expect("an address").to_owned();
    for client in [&archives.admin, &deputy] {
        let refused = client.delete(&me).await.expect(403).json();
        assert_eq!(refused, json!({"error": "Access denied"}));
        assert_eq!(client.get(&format!("{me}/deactivate")).await.status, 404);
    }
    assert_eq!(archives.get(&me).await["is_admin"], true);
    // Whoever else administers may go, also by their own hand.
    let own =
        deputy.get("/users/current-user").await.expect(200).json()["uri"].as_str().expect("an address").to_owned();
    deputy.delete(&own).await.expect(200);
    assert_eq!(archives.admin.get(&own).await.status, 404);
}

#[tokio::test]
async fn a_session_acts_as_another_user() {
    let archives = archives().await;
    archives.archivist("mara").await;
    let answer = send(&archives.admin, "/users/Mara/become-user").await.expect(200).json();
    assert_eq!((&answer["user"]["username"], &answer["user"]["is_admin"]), (&json!("mara"), &json!(false)));
    assert_eq!(archives.admin.get("/users/current-user").await.expect(200).json()["username"], "mara");
    assert_eq!(archives.admin.get("/users?page=1").await.status, 403);
    let again = signed_in(&archives.library, "admin").await;
    assert_eq!(send(&again, "/users/nobody/become-user").await.status, 404);
}
