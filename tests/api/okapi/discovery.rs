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
