//! Users.

use super::*;

#[tokio::test]
async fn users_change_themselves_but_not_their_rights() {
    let archives = archives().await;
    let repository = archives.repository("USE").await;
    let own = archives.member("self", &repository, &[]).await;
    let mut me = own.get("/users/current-user").await.expect(200).json();
    let uri = me["uri"].as_str().expect("an address").to_owned();
    me["name"] = "A New Name".into();
    me["is_admin"] = true.into();
    let group = archives.get(&format!("{repository}/groups?group_code=repository-managers")).await;
    let group = group[0]["uri"].as_str().expect("an address").to_owned();
    own.post(&format!("{uri}?groups[]={group}"), &me).await.expect(200);
    let user = archives.get(&uri).await;
    assert_eq!((&user["name"], &user["is_admin"]), (&json!("A New Name"), &json!(false)));
    assert_eq!(archives.get(&group).await["member_usernames"], json!([]));
}

#[tokio::test]
async fn administrators_rename_and_make_administrators() {
    let archives = archives().await;
    let repository = archives.repository("USE").await;
    let add = "/users?password=a+good+long+password";
    let user = uri(&archives.admin.post(add, &json!({"username": "herman-toothrot", "name": "H"})).await.expect(200));
    assert_eq!(archives.get(&user).await["username"], "herman-toothrot");
    let mut record = archives.get(&user).await;
    record["username"] = "herman".into();
    archives.admin.post(&format!("{user}?password=another+long+password"), &record).await.expect(200);
    assert_eq!(archives.get(&user).await["username"], "herman");
    log_in(&archives.library, "herman", "password=another+long+password").await.expect(200);
    let boss = json!({"username": "boss", "name": "B", "is_admin": true});
    let boss = uri(&archives.admin.post(add, &boss).await.expect(200));
    assert_eq!(archives.get(&boss).await["is_admin"], true);
    let changed = archives.edit(&boss, |record| record["name"] = "A New Name".into()).await;
    assert_eq!((&changed["name"], &changed["is_admin"]), (&json!("A New Name"), &json!(true)));
    let names = texts(&archives.get("/users?page=1").await["results"], "username");
    for name in ["admin", "boss", "herman"] {
        assert!(names.contains(&name.to_owned()), "{names:?}");
    }
    archives.admin.get("/users/343439").await.expect(404);
    let gone = "/users?password=x&groups[]=/repositories/0/groups/999999999";
    archives.admin.post(gone, &json!({"username": "x", "name": "X"})).await.expect(404);
    let anyone = anonymous(&archives.library);
    let groups = archives.get(&format!("{repository}/groups")).await;
    let into = format!("{add}&groups[]={}", groups[0]["uri"].as_str().expect("an address"));
    anyone.post(&into, &json!({"username": "y", "name": "Y"})).await.expect(403);
    anyone.post(add, &json!({"username": "y", "name": "Y", "is_admin": true})).await.expect(403);
}
