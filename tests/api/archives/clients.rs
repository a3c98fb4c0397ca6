//! Templates for entry, ARKs, names in addresses, who is editing what, and feeds of changes (contract 3.5).

use http::Method;
use serde_json::{Value, json};

use super::{Archives, anonymous, archives, component, resource, signed_in, texts, user};

#[tokio::test]
async fn templates_for_entry_are_kept() {
    let archives = archives().await;
    let (repository, other) = (archives.repository("RDE").await, archives.repository("OTH").await);
    let path = format!("{repository}/rde_templates");
    let template = json!({"record_type": "archival_object", "name": "Boxes", "order": ["colLevel", "colTitle"],
        "visible": ["colTitle"], "defaults": {"colTitle": "Box", "colLevel": "item"}});
    let saved = archives.add(&path, &template).await;
    assert_eq!(saved, format!("{path}/1"));
    let read = archives.get(&saved).await;
    assert_eq!((&read["defaults"], &read["order"]), (&template["defaults"], &template["order"]));
    archives.add(&path, &json!({"record_type": "digital_object_component", "name": "Pages"})).await;
    assert_eq!(texts(&archives.get(&path).await, "name"), ["Boxes", "Pages"]);
    assert_eq!(archives.get(&format!("{other}/rde_templates")).await, json!([]));
    let wrong = archives.admin.post(&path, &json!({"record_type": "resource", "name": "x"})).await.expect(400).json();
    assert!(wrong["error"]["record_type"].is_array(), "{wrong}");
    user(&archives.library, "viewer", &[]).await;
    let viewer = signed_in(&archives.library, "viewer").await;
    assert_eq!(viewer.post(&path, &template).await.status, 403);
    assert_eq!(viewer.delete(&saved).await.status, 403);
    assert_eq!(viewer.get(&saved).await.status, 200);
    archives.admin.delete(&saved).await.expect(200);
    assert_eq!(archives.admin.get(&saved).await.expect(404).json(), json!({"error": "RdeTemplate not found"}));
    archives.admin.delete(&format!("{path}/2")).await.expect(200);
    archives.admin.post(&path, &template).await.expect(200);
    archives.admin.delete(&repository).await.expect(200);
}

#[tokio::test]
async fn administrators_give_arks() {
    let archives = archives().await;
    let repository = archives.repository("ARK").await;
    let one = archives.add(&format!("{repository}/resources"), &resource("1")).await;
    let other = archives.add(&format!("{repository}/resources"), &resource("2")).await;
    let path = format!("{one}/ark_name");
    assert_eq!(archives.get(&path).await, Value::Null);
    let ark = json!({"current": "https://n2t.net/ark:/1/7", "previous": ["https://n2t.net/ark:/1/6"]});
    assert_eq!(archives.admin.post(&path, &ark).await.expect(200).json(), json!({"status": "Updated"}));
    let shown = json!({"current": ark["current"], "current_is_external": true, "previous": ark["previous"]});
    assert_eq!(archives.get(&path).await, shown);
    // An update of the record does not change them.
    let record = archives.get(&one).await;
    assert_eq!((&record["ark_name"], &record["external_ark_url"]), (&shown, &ark["current"]));
    archives.admin.post(&one, &record).await.expect(200);
    assert_eq!(archives.get(&path).await, shown);
    for asked in ["ark:/1/7", "https://example.org/ark:/1/6"] {
        let found = archives.get(&format!("{repository}/find_by_id/resources?ark[]={asked}")).await;
        assert_eq!(found, json!({"resources": [{"ref": one}]}), "{asked}");
    }
    let taken = archives.admin.post(&format!("{other}/ark_name"), &json!({"current": "ark:/1/7"})).await.expect(400);
    assert_eq!(taken.json(), json!({"error": {"ark": ["ark_collision"]}}));
    let wrong = archives.admin.post(&path, &json!({"previous": ["7"]})).await.expect(400).json();
    assert_eq!(wrong, json!({"error": {"ark": ["ark_format_error"]}}));
    let node = archives.add(&format!("{repository}/archival_objects"), &component("Letters", &one, None)).await;
    archives.admin.post(&format!("{node}/ark_name"), &json!({"current": "ark:/99999/8"})).await.expect(200);
    assert_eq!(archives.get(&node).await["ark_name"]["current_is_external"], false);
    archives.admin.post(&path, &json!({})).await.expect(200);
    archives.admin.post(&format!("{other}/ark_name"), &json!({"current": "ark:/1/7"})).await.expect(200);
    user(&archives.library, "mara", &[]).await;
    let mara = signed_in(&archives.library, "mara").await;
    assert_eq!((mara.get(&path).await.status, mara.post(&path, &ark).await.status), (403, 403));
    assert_eq!(archives.admin.get(&format!("{repository}/resources/99/ark_name")).await.status, 404);
}

#[tokio::test]
async fn records_are_found_by_their_names_in_addresses() {
    let archives = archives().await;
    let repository = archives.repository("Foo Bar&").await;
    let id = |uri: &str| uri.rsplit('/').next().and_then(|id| id.parse::<i64>().ok()).expect("an id");
    let of_repository = id(&repository);
    assert_eq!(archives.get(&repository).await["slug"], "foo_bar");
    let second = archives.repository("foo bar").await;
    assert_eq!(archives.get(&second).await["slug"], "foo_bar_1");
    let again = archives.get(&second).await;
    archives.admin.post(&second, &again).await.expect(200);
    assert_eq!(archives.get(&second).await["slug"], "foo_bar_1");
    let mut sent = resource("1");
    sent["slug"] = json!("My Papers!");
    sent["is_slug_auto"] = json!(false);
    let papers = archives.add(&format!("{repository}/resources"), &sent).await;
    assert_eq!(archives.get(&papers).await["slug"], "my_papers");
    let person = json!({"names": [{"primary_name": "A", "name_order": "direct", "source": "local", "sort_name": "A"}],
        "slug": "my_papers", "is_slug_auto": false});
    let person = archives.add("/agents/people", &person).await;
    let found = |slug: &str, page: &str, action: &str| format!("/slug?slug={slug}&controller={page}&action={action}");
    for (path, expected) in [
        (
            found("foo_bar", "repositories", "show"),
            json!({"id": of_repository, "table": "repository", "repo_id": null}),
        ),
        (
            found("My%20Papers!", "resources", "show"),
            json!({"id": id(&papers), "table": "resource", "repo_id": of_repository}),
        ),
        (found("my_papers_1", "agents", "show"), json!({"id": id(&person), "table": "agent_person", "repo_id": null})),
        (found("my_papers", "subjects", "show"), json!({"id": -1, "table": "subject", "repo_id": -1})),
        (found("none", "objects", "show"), json!({"id": -1, "table": null, "repo_id": -1})),
        (found("none", "classifications", "term"), json!({"id": -1, "table": "classification_term", "repo_id": -1})),
    ] {
        assert_eq!(anonymous(&archives.library).get(&path).await.expect(200).json(), expected, "{path}");
    }
}

#[tokio::test]
async fn clients_tell_who_is_editing_what() {
    let archives = archives().await;
    let repository = archives.repository("EDT").await;
    let path = archives.add(&format!("{repository}/resources"), &resource("1")).await;
    let now = archives.library.clock.now();
    let edit = |user: &str, uri: &str, at: jiff::Timestamp| json!({"user": user, "uri": uri, "time": at.to_string()});
    let old = now - jiff::SignedDuration::from_secs(60);
    let sent =
        json!({"active_edits": [edit("mara", &path, now), edit("otto", &path, old), edit("mara", "/elsewhere", now)]});
    let told = archives.admin.post("/update_monitor", &sent).await.expect(200).json();
    assert_eq!((&told[&path]["lock_version"], &told["/elsewhere"]["lock_version"]), (&json!(0), &Value::Null));
    let editors = |told: &Value| -> Vec<String> {
        told[&path]["edited_by"].as_object().into_iter().flatten().map(|(name, _)| name.clone()).collect()
    };
    assert_eq!(editors(&told), ["mara"]);
    let sent = json!({"active_edits": [edit("otto", &path, now)]});
    let told = archives.admin.post("/update_monitor", &sent).await.expect(200).json();
    assert_eq!(editors(&told), ["mara", "otto"]);
    archives.library.clock.advance(jiff::SignedDuration::from_secs(40));
    let told = archives.admin.post("/update_monitor", &json!({"active_edits": []})).await.expect(200).json();
    assert_eq!(told, json!({}));
    assert_eq!(anonymous(&archives.library).post("/update_monitor", &sent).await.status, 403);
}

impl Archives {
    async fn updates(&self, after: i64) -> Vec<Value> {
        let path = format!("/update-feed?last_sequence={after}&resolve[]=repository");
        self.get(&path).await.as_array().expect("a list").clone()
    }
}

#[tokio::test]
async fn clients_wait_for_changes() {
    let archives = archives().await;
    let repository = archives.repository("FEED").await;
    let newest = |feed: &[Value]| feed.last().and_then(|entry| entry["sequence"].as_i64()).expect("a number");
    let before = newest(&archives.updates(0).await);
    let path = archives.add(&format!("{repository}/resources"), &resource("1")).await;
    let feed = archives.updates(before).await;
    let entry = feed.iter().find(|entry| entry["uri"] == path.as_str()).expect("the resource");
    assert_eq!(
        (&entry["record"]["title"], entry["record"]["repository"]["_resolved"]["repo_code"].as_str()),
        (&json!("Papers 1"), Some("FEED"))
    );
    assert!(entry["timestamp"].is_i64());
    let before = newest(&feed);
    archives.admin.delete(&path).await.expect(200);
    let feed = archives.updates(before).await;
    let entry = feed.iter().find(|entry| entry["uri"] == path.as_str()).expect("the resource");
    assert_eq!(entry["record"], "deleted");
    assert_eq!(anonymous(&archives.library).get("/update-feed").await.status, 403);
    let told = texts(&anonymous(&archives.library).get("/notifications").await.expect(200).json(), "code");
    for code in ["REFRESH_ACLS", "REPOSITORY_CHANGED"] {
        assert!(told.iter().any(|one| one == code), "{code} is not in {told:?}");
    }
    let told = anonymous(&archives.library).get("/notifications").await.expect(200).json();
    let last = newest(told.as_array().expect("a list"));
    archives.admin.post("/config/enumerations", &json!({"name": "of_mine", "values": ["a"]})).await.expect(200);
    let told = archives.get(&format!("/notifications?last_sequence={last}")).await;
    assert!(texts(&told, "code").iter().all(|code| code == "ENUMERATION_CHANGED"), "{told}");
}

#[tokio::test]
async fn administrators_look_into_the_server() {
    let archives = archives().await;
    archives.repository("SYS").await;
    let info = archives.get("/system/info").await;
    assert_eq!((&info["version"], &info["db_info"]["name"]), (&json!("v4.2.1"), &json!("PostgreSQL")));
    let log = archives.admin.get("/system/log").await.expect(200);
    assert!(log.text.contains(" POST /repositories 200\n"), "{}", log.text);
    assert!(!log.text.contains("password="), "{}", log.text);
    let events = archives.get("/system/events").await;
    assert!(events.as_array().is_some_and(|events| events.iter().any(|one| one["id"] == 125)), "{events}");
    user(&archives.library, "mara", &[]).await;
    let mara = signed_in(&archives.library, "mara").await;
    for path in ["/system/info", "/system/log", "/system/events"] {
        assert_eq!(mara.get(path).await.status, 403, "{path}");
    }
}

#[tokio::test]
async fn no_mail_is_sent_to_forgetful_users() {
    let archives = archives().await;
    let anyone = anonymous(&archives.library);
    let refused = anyone.send(Method::POST, "/users/reset-password?email=a@example.org", None).await.expect(400);
    assert_eq!(refused.json(), json!({"error": "NotAllowed"}));
    let refused = anyone.send(Method::POST, "/users/admin/0123456789abcdef", None).await.expect(403);
    assert_eq!(refused.json(), json!({"error": "Login failed"}));
}
