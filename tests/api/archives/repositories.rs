//! Repositories: with their agent in one body, their place in lists, and their end (contract 3.1).

use http::Method;
use serde_json::{Value, json};

use super::{
    archives, component,
    jobs::{enter, finding_aid, import_job},
    resource, signed_in, user,
};

#[tokio::test]
async fn a_repository_comes_with_the_agent_of_the_body() {
    let archives = archives().await;
    let name = json!({"primary_name": "Harbour Archive", "source": "local", "sort_name_auto_generate": true});
    let contact = json!({"name": "Desk", "email": "desk@example.org"});
    let sent = json!({"repository": {"repo_code": "HARB", "name": "Harbour"},
        "agent_representation": {"names": [name], "agent_contacts": [contact]}});
    let saved = archives.admin.post("/repositories/with_agent", &sent).await.expect(200).json();
    assert_eq!(saved["status"], "Created");
    let path = format!("/repositories/with_agent/{}", saved["id"]);
    let mut pair = archives.get(&path).await;
    assert_eq!((&pair["jsonmodel_type"], &pair["uri"]), (&json!("repository_with_agent"), &json!(path)));
    assert_eq!((&pair["repository"]["repo_code"], &pair["repository"]["position"]), (&json!("HARB"), &json!(1)));
    assert_eq!(pair["agent_representation"]["title"], "Harbour Archive");
    assert_eq!(pair["repository"]["agent_representation"]["ref"], pair["agent_representation"]["uri"]);
    pair["repository"]["name"] = json!("Harbour and Coast");
    pair["agent_representation"]["names"][0]["primary_name"] = json!("Harbour and Coast Archive");
    archives.admin.post(&path, &pair).await.expect(200);
    let now = archives.get(&path).await;
    assert_eq!((&now["repository"]["name"], &now["repository"]["position"]), (&json!("Harbour and Coast"), &json!(1)));
    assert_eq!(now["agent_representation"]["title"], "Harbour and Coast Archive");
    assert_eq!(archives.admin.post(&path, &pair).await.status, 409);
    let wrong = json!({"repository": {"name": "Harbour"}});
    let wrong = archives.admin.post("/repositories/with_agent", &wrong).await.expect(400).json();
    assert_eq!(wrong["error"]["repository/repo_code"], json!(["Property is required but was missing"]));
    assert_eq!(archives.admin.get("/repositories/with_agent/999").await.status, 404);
    user(&archives.library, "reader", &[]).await;
    let reader = signed_in(&archives.library, "reader").await;
    assert_eq!(reader.post("/repositories/with_agent", &sent).await.status, 403);
    assert_eq!(reader.get(&path).await.expect(200).json()["agent_representation"]["agent_contacts"], json!([]));
}

#[tokio::test]
async fn repositories_change_their_places() {
    let archives = archives().await;
    let mut paths = Vec::new();
    for code in ["ONE", "TWO", "THREE"] {
        paths.push(archives.repository(code).await);
    }
    let position = async |path: &String| archives.get(path).await["position"].clone();
    let moved = archives.admin.send(Method::POST, &format!("{}/position?position=3", paths[0]), None).await.expect(200);
    assert_eq!(moved.json()["status"], "Updated");
    let places = [position(&paths[0]).await, position(&paths[1]).await, position(&paths[2]).await];
    assert_eq!(places, [json!(3), json!(2), json!(1)]);
    user(&archives.library, "reader", &[]).await;
    let reader = signed_in(&archives.library, "reader").await;
    assert_eq!(reader.send(Method::POST, &format!("{}/position?position=1", paths[0]), None).await.status, 403);
}

#[tokio::test]
async fn a_repository_is_deleted_with_its_descriptions() {
    let archives = archives().await;
    let (path, other) = (archives.repository("GONE").await, archives.repository("STAYS").await);
    let top = archives.add(&format!("{path}/resources"), &resource("1")).await;
    archives.add(&format!("{path}/archival_objects"), &component("Letters", &top, None)).await;
    archives.add(&format!("{path}/digital_objects"), &json!({"title": "x", "digital_object_id": "1"})).await;
    let kept = archives.add(&format!("{other}/resources"), &resource("1")).await;
    let container = archives.add(&format!("{path}/top_containers"), &json!({"indicator": "1", "type": "box"})).await;
    let location = json!({"building": "Main", "barcode": "1", "owner_repo": {"ref": path}});
    let location = archives.add("/locations", &location).await;

    user(&archives.library, "reader", &[]).await;
    assert_eq!(signed_in(&archives.library, "reader").await.delete(&path).await.status, 403);
    let left = archives.admin.delete(&path).await.expect(409).json();
    assert_eq!(left, json!({"error": "Repository not empty"}));
    archives.get(&top).await;
    archives.admin.delete(&container).await.expect(200);
    archives.admin.delete(&path).await.expect(200);
    assert_eq!(archives.admin.get(&path).await.status, 404);
    assert_eq!(archives.admin.get(&top).await.status, 400, "the repository of the path must exist");
    assert_eq!(archives.get(&kept).await["title"], "Papers 1");
    assert_eq!(archives.get(&location).await["owner_repo"], Value::Null);
    let feed = archives.get("/delete-feed?page=1&page_size=50").await;
    assert!(feed["results"].as_array().expect("addresses").contains(&json!(path)), "{feed}");
    let codes: Vec<Value> = archives
        .get("/repositories")
        .await
        .as_array()
        .expect("a list")
        .iter()
        .map(|one| one["repo_code"].clone())
        .collect();
    assert_eq!(codes, ["STAYS"]);
    assert_eq!(archives.admin.delete(&path).await.status, 400);
    assert_eq!(archives.admin.delete("/repositories/1").await.status, 400);
    // Its code is free again.
    archives.repository("GONE").await;
}

#[tokio::test]
async fn a_repository_is_deleted_with_the_jobs_that_are_over() {
    let archives = archives().await;
    let path = archives.repository("GONE").await;
    let aid = finding_aid("MS1", "");
    let job = enter(&archives, &import_job(&["a.xml"]), &[&aid]).await;
    let left = archives.admin.delete(&path).await.expect(409).json();
    assert_eq!(left, json!({"error": "Repository not empty"}));
    archives.library.run_jobs().await;
    assert_eq!(archives.get(&job).await["status"], "failed", "it has no dates");
    let waiting = enter(&archives, &import_job(&["a.xml"]), &[&aid]).await;
    archives.admin.delete(&path).await.expect(409);
    archives.admin.send(Method::POST, &format!("{waiting}/cancel"), None).await.expect(200);
    let answer = archives.admin.delete(&path).await.expect(200);
    assert!(answer.round_trips() <= 2, "{}", answer.round_trips());
    assert_eq!(archives.admin.get(&job).await.status, 400, "the repository of the path must exist");
    let feed = archives.get("/delete-feed?page=1&page_size=50").await;
    assert!(feed["results"].as_array().expect("addresses").contains(&json!(job)), "{feed}");
    archives.library.run_jobs().await;
}
