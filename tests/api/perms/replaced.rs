//! Superseded permissions: users with the old name have the new one.

use super::*;

#[tokio::test]
async fn superseded_permissions_still_grant_access() {
    let library = &library().await;
    // A set of a client's module has an old name, too.
    let module = json!({"id": "folio_desk-1.0.0", "permissionSets": [
        {"permissionName": "ui-desk.limits", "subPermissions": ["patron-block-limits.collection.get"]}]});
    library.open.post("/_/proxy/modules", &module).await.expect(201);
    let enable = json!([{"id": "folio_desk-1.0.0", "action": "enable"}]);
    let path = "/_/proxy/tenants/test/install";
    library.open.post(path, &enable).await.expect(200);
    let old = ["ui-desk.limits", "patron-block-conditions.collection.get", "accounts.check-pay.post"];
    let (clerk, id) = signed_in(library, &old).await;
    clerk.get("/patron-block-limits").await.expect(200);
    clerk.get("/patron-block-conditions").await.expect(200);
    let account = Uuid::new_v4();
    let check = format!("/accounts/{account}/check-pay");
    clerk.post(&check, &json!({"amount": "1.00"})).await.expect(404);
    clerk.post("/patron-block-limits", &json!({})).await.expect(403);

    let (reader, _) = (clerk, id);
    let me = reader.get("/bl-users/_self?expandPermissions=true").await.expect(200).json();
    let mine = names(&me["permissions"]["permissions"]);
    for name in [
        "patron-blocks.patron-block-limits.collection.get",
        "patron-blocks.patron-block-conditions.collection.get",
        "feesfines.accounts.check-pay.post",
    ] {
        assert!(mine.iter().any(|held| held == name), "{name}: {mine:?}");
    }
}

#[tokio::test]
async fn a_users_permissions_include_their_replacements() {
    let library = &library().await;
    let holder = holder(library, &["accounts.pay.post"]).await;
    let path = format!("/perms/users/{}/permissions", holder["id"].as_str().unwrap());
    let shown = library.open.get(&path).await.expect(200).json();
    assert_eq!(names(&shown["permissionNames"]), ["accounts.pay.post"]);
    let shown = library.open.get(&format!("{path}?expanded=true")).await.expect(200).json();
    assert_eq!(names(&shown["permissionNames"]), ["accounts.pay.post", "feesfines.accounts.pay.post"]);
}

/// A superseded name is no longer defined, but still grants what its replacement grants.
#[tokio::test]
async fn a_superseded_name_cannot_grant_more_than_the_giver_has() {
    let library = &library().await;
    let (clerk, _) = signed_in(library, &["perms.users.item.post"]).await;
    let sent = json!({"userId": Uuid::new_v4(), "permissions": ["accounts.pay.post"]});
    let refused = clerk.post("/perms/users", &sent).await.expect(403);
    assert!(refused.text.contains("feesfines.accounts.pay.post"), "{}", refused.text);
}
