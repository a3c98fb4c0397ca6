//! `/_/discovery`, `/_/deployment`, `/_/env`.

use super::*;

#[tokio::test]
async fn deployments_and_environment_are_kept() {
    let library = library().await;
    let running = library.open.get("/_/discovery/modules").await.expect(200).json();
    assert!(running.as_array().unwrap().iter().any(|m| m["srvcId"] == "mod-users-19.5.4"));
    let sent = json!({"srvcId": "mod-own-1.0.0", "instId": "here", "url": "http://localhost:1"});
    library.open.post("/_/discovery/modules", &sent).await.expect(201);
    library.open.post("/_/discovery/modules", &sent).await.expect(400);
    library.open.get("/_/discovery/modules/mod-own-1.0.0/here").await.expect(200);
    library.open.get("/_/discovery/modules/mod-own-1.0.0").await.expect(200);
    library.open.delete("/_/discovery/modules/mod-own-1.0.0/here").await.expect(204);
    library.open.delete("/_/discovery/modules/mod-own-1.0.0/here").await.expect(404);
    library.open.get("/_/discovery/nodes").await.expect(200);
    library.open.get("/_/discovery/health").await.expect(200);
    library.open.get("/_/deployment/modules").await.expect(200);

    let entry = json!({"name": "DB_HOST", "value": "postgres", "description": "unused"});
    assert_eq!(library.open.create("/_/env", &entry).await, entry);
    assert_eq!(library.open.get("/_/env/DB_HOST").await.expect(200).json(), entry);
    assert_eq!(library.open.get("/_/env").await.expect(200).json(), json!([entry]));
    library.open.delete("/_/env/DB_HOST").await.expect(204);
    library.open.get("/_/env/DB_HOST").await.expect(404);
}

#[tokio::test]
async fn deployments_say_what_runs_and_where() {
    let client = &library().await.open;
    let path = "/_/discovery/modules";
    let deployment = json!({"srvcId": "mod-own-1.0.0", "url": "http://localhost:1"});
    let with = |member: &str, value: Value| {
        let mut sent = deployment.clone();
        sent[member] = value;
        sent
    };
    for (sent, status, text) in [
        (deployment.clone(), 400, "Needs instId"),
        (with("srvcId", json!("")), 400, "Empty srvcId not allowed"),
        (with("descriptor", json!({"exec": "run"})), 400, "missing nodeId"),
        (with("nodeId", json!("carrel")), 404, "mod-own-1.0.0"),
        (json!({"instId": "here"}), 400, "Needs srvcId"),
    ] {
        assert_eq!(client.post(path, &sent).await.expect(status).text, text, "{sent}");
    }
    client.post(path, &with("instId", json!("here"))).await.expect(201);
    for missing in ["mod-own-2.0.0", "mod-own-1.0.0/there", "mod-own-2.0.0/here"] {
        for below in ["modules", "health"] {
            assert_eq!(client.get(&format!("/_/discovery/{below}/{missing}")).await.expect(404).text, missing);
        }
        assert_eq!(client.delete(&format!("{path}/{missing}")).await.expect(404).text, missing);
    }
}

#[tokio::test]
async fn nodes_and_the_health_of_single_modules_can_be_read() {
    let client = &library().await.open;
    let nodes = client.get("/_/discovery/nodes").await.expect(200).json();
    assert_eq!(client.get("/_/discovery/nodes/carrel").await.expect(200).json(), nodes[0]);
    assert_eq!(client.get("/_/discovery/nodes/gyf").await.expect(404).text, "Node gyf not found");
    let sent = json!({"srvcId": "mod-own-1.0.0", "instId": "here", "url": "http://localhost:1"});
    client.post("/_/discovery/modules", &sent).await.expect(201);
    for (id, instance, is_here, text) in
        [("mod-users-19.5.4", "mod-users-19.5.4", true, "OK"), ("mod-own-1.0.0", "here", false, "Unknown")]
    {
        let health = json!({"instId": instance, "srvcId": id, "healthMessage": text, "healthStatus": is_here});
        let path = format!("/_/discovery/health/{id}");
        assert_eq!(client.get(&path).await.expect(200).json(), json!([health]));
        assert_eq!(client.get(&format!("{path}/{instance}")).await.expect(200).json(), health);
    }
}

#[tokio::test]
async fn an_environment_entry_has_a_name_and_a_value() {
    let client = &library().await.open;
    for (sent, text) in [(json!({"value": "v"}), "missing name"), (json!({"name": "n"}), "missing value")] {
        assert_eq!(client.post("/_/env", &sent).await.expect(400).text, text);
    }
}
