//! Names that another name replaces: who holds the old one has the new one.

use super::*;

#[tokio::test]
async fn a_user_with_superseded_names_may_do_what_they_allowed() {
    let library = &library().await;
    // A set of a client's module has an old name, too.
    let module = json!({"id": "folio_desk-1.0.0", "permissionSets": [
        {"permissionName": "ui-desk.limits", "subPermissions": ["patron-block-limits.collection.get"]}]});
    library
        .open
        .post("/_/proxy/modules", &module)
        .await
        .expect(201);
    let enable = json!([{"id": "folio_desk-1.0.0", "action": "enable"}]);
    let path = "/_/proxy/tenants/test/install";
    library.open.post(path, &enable).await.expect(200);
    let old = [
        "ui-desk.limits",
        "patron-block-conditions.collection.get",
        "accounts.check-pay.post",
    ];
    let (clerk, id) = signed_in(library, &old).await;
    clerk.get("/patron-block-limits").await.expect(200);
    clerk.get("/patron-block-conditions").await.expect(200);
    let account = Uuid::new_v4();
    let check = format!("/accounts/{account}/check-pay");
    clerk
        .post(&check, &json!({"amount": "1.00"}))
        .await
        .expect(404);
    clerk
        .post("/patron-block-limits", &json!({}))
        .await
        .expect(403);

    let (reader, _) = (clerk, id);
    let me = reader
        .get("/bl-users/_self?expandPermissions=true")
        .await
        .expect(200)
        .json();
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
async fn what_a_user_holds_is_told_with_what_replaces_it() {
    let library = &library().await;
    let holder = holder(library, &["accounts.pay.post"]).await;
    let path = format!(
        "/perms/users/{}/permissions",
        holder["id"].as_str().unwrap()
    );
    let told = library.open.get(&path).await.expect(200).json();
    assert_eq!(names(&told["permissionNames"]), ["accounts.pay.post"]);
    let told = library
        .open
        .get(&format!("{path}?expanded=true"))
        .await
        .expect(200)
        .json();
    assert_eq!(
        names(&told["permissionNames"]),
        ["accounts.pay.post", "feesfines.accounts.pay.post"]
    );
}

/// An old name is not defined any more, but it opens what a defined one does.
#[tokio::test]
async fn nobody_is_given_by_an_old_name_what_the_giver_may_not_give() {
    let library = &library().await;
    let (clerk, _) = signed_in(library, &["perms.users.item.post"]).await;
    let sent = json!({"userId": Uuid::new_v4(), "permissions": ["accounts.pay.post"]});
    let refused = clerk.post("/perms/users", &sent).await.expect(403);
    assert!(
        refused.text.contains("feesfines.accounts.pay.post"),
        "{}",
        refused.text
    );
}
