//! `/_/proxy/tenants`.

use super::*;

#[tokio::test]
async fn a_tenant_is_created_renamed_and_deleted() {
    let library = library().await;
    let tenants = "/_/proxy/tenants";
    let sent = json!({"id": "lib1", "name": "Library 1", "description": "The first"});
    let created = library.open.post(tenants, &sent).await.expect(201);
    assert_eq!(created.header("location"), Some("/_/proxy/tenants/lib1"));
    assert_eq!(created.json(), sent);
    assert_eq!(library.open.get("/_/proxy/tenants/lib1").await.expect(200).json(), sent);

    let again = library.open.post(tenants, &sent).await.expect(400);
    assert_eq!(again.text, "Duplicate tenant id lib1");
    let modules = library.open.get("/_/proxy/tenants/lib1/modules").await.expect(200);
    assert_eq!(modules.json(), json!([{"id": "okapi-6.2.6"}]));

    let renamed = json!({"id": "lib1", "name": "Library One"});
    assert_eq!(library.open.put("/_/proxy/tenants/lib1", &renamed).await.expect(200).json(), renamed);
    library.open.put("/_/proxy/tenants/lib1", &json!({"id": "lib2", "name": "x"})).await.expect(400);
    library.open.put("/_/proxy/tenants/nobody", &json!({"name": "x"})).await.expect(404);

    library.open.delete("/_/proxy/tenants/lib1").await.expect(204);
    library.open.delete("/_/proxy/tenants/lib1").await.expect(404);
    library.open.get("/_/proxy/tenants/lib1").await.expect(404);
    assert_eq!(at(&library, "lib1").get("/users").await.expect(400).text, "No such Tenant lib1");
}

#[tokio::test]
async fn a_tenant_id_is_generated_or_checked() {
    let library = library().await;
    let made_up = library.open.create("/_/proxy/tenants", &json!({"name": "No id"})).await;
    let id = made_up["id"].as_str().unwrap();
    library.open.get(&format!("/_/proxy/tenants/{id}")).await.expect(200);
    for (id, text) in [
        ("a_b", "Tenant id must not contain underscore: a_b"),
        ("a-b", "Tenant id must not contain minus: a-b"),
        ("Lib", "Invalid tenant id, may only contain a-z and 0-9 and must match '[a-z][a-z0-9]{0,30}' but it is Lib"),
    ] {
        let refused = library.open.post("/_/proxy/tenants", &json!({"id": id, "name": "x"})).await;
        assert_eq!(refused.expect(400).text, text);
    }
    library.open.post("/_/proxy/tenants", &json!([])).await.expect(400);
}
