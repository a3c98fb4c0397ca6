//! Signing in with everything the desk needs, and composite users.

use serde_json::{Value, json};
use testkit::library;
use uuid::Uuid;

use super::*;

#[tokio::test]
async fn a_log_in_returns_everything_the_desk_needs() {
    let library = library().await;
    let clerk = clerk(&library).await;
    let answer = library.open.post("/bl-users/login", &credentials()).await.expect(201);
    assert!(answer.header("x-okapi-token").unwrap().starts_with("eyJ"));
    assert!(answer.round_trips() <= 3, "{} round trips", answer.round_trips());
    let body = answer.json();
    assert_eq!(body["user"]["id"], json!(clerk.id));
    assert_eq!(body["patronGroup"], clerk.group);
    assert_eq!(body["permissions"]["id"], clerk.holder["id"]);
    assert_eq!(body["permissions"]["permissions"], json!(["tags.all"]));
    assert_eq!(body["servicePointsUser"]["servicePoints"], json!([clerk.service_point]));
    assert_eq!(body["servicePointsUser"]["defaultServicePointId"], clerk.service_point["id"]);
    assert_eq!(body["tenant"], "test");
    assert!(body.get("proxiesFor").is_none() && body.get("tokenExpiration").is_none());

    let with_expiry = library.open.post("/bl-users/login-with-expiry", &credentials()).await.expect(201);
    assert_eq!(with_expiry.headers.get_all("set-cookie").iter().count(), 2);
    assert!(with_expiry.json()["tokenExpiration"]["accessTokenExpiration"].is_string());
}

#[tokio::test]
async fn the_members_of_the_answer_can_be_chosen() {
    let library = library().await;
    clerk(&library).await;
    let log_in = |parameters: &str| {
        let (client, path) = (library.open.clone(), format!("/bl-users/login?{parameters}"));
        async move { client.post(&path, &credentials()).await.expect(201).json() }
    };
    let members = |body: &Value| body.as_object().unwrap().keys().cloned().collect::<Vec<_>>();
    assert_eq!(members(&log_in("include=groups").await), ["user", "patronGroup", "tenant"]);
    assert_eq!(
        members(&log_in("include=perms&include=servicepoints").await),
        ["user", "permissions", "servicePointsUser", "tenant"]
    );
    let expanded = log_in("expandPermissions=true&fullPermissions=true").await;
    let permissions = expanded["permissions"]["permissions"].as_array().unwrap();
    let find = |name: &str| permissions.iter().find(|p| p["permissionName"] == name).cloned();
    assert_eq!(find("tags.all").unwrap()["grantedTo"], json!([expanded["permissions"]["id"]]));
    assert_eq!(find("tags.collection.get").unwrap()["childOf"], json!(["tags.all"]));
}

#[tokio::test]
async fn users_without_data_lack_members_and_bad_requests_are_refused() {
    let library = library().await;
    let user = json!({"username": "bare", "active": true, "personal": {"lastName": "x"}});
    let id = library.open.create("/users", &user).await["id"].clone();
    let sent = json!({"username": "bare", "password": "x"});
    library.open.post("/authn/credentials", &sent).await.expect(201);
    let bare = library.open.post("/bl-users/login", &sent).await.expect(201).json();
    assert_eq!(bare.as_object().unwrap().keys().collect::<Vec<_>>(), ["user", "tenant"]);
    let expanded = library.open.post("/bl-users/login?expandPermissions=true", &sent).await.expect(404);
    assert!(expanded.text.starts_with("No record found for query '"), "{}", expanded.text);
    let wrong = json!({"username": "bare", "password": "wrong"});
    library.open.post("/bl-users/login", &wrong).await.expect(422);
    for bad in [json!({"username": "bare"}), json!({"userId": id, "password": "x"}), json!({})] {
        let refused = library.open.post("/bl-users/login", &bad).await.expect(400);
        assert_eq!(refused.text, "Improperly formatted request");
    }
}

#[tokio::test]
async fn composite_users_have_their_parts() {
    let library = library().await;
    let clerk = clerk(&library).await;
    let proxy = json!({"userId": clerk.id, "proxyUserId": Uuid::new_v4()});
    library.open.create("/proxiesfor", &proxy).await;
    for path in [format!("/bl-users/by-id/{}", clerk.id), "/bl-users/by-username/CLERK".to_owned()] {
        let answer = library.open.get(&format!("{path}?include=groups&include=proxiesfor")).await.expect(200);
        assert_eq!(answer.round_trips(), 1);
        let body = answer.json();
        assert_eq!((&body["user"]["barcode"], &body["patronGroup"]["group"]), (&json!("42"), &json!("staff")));
        assert_eq!(body["proxiesFor"].as_array().unwrap().len(), 1);
    }
    library.open.get(&format!("/bl-users/by-id/{}", Uuid::new_v4())).await.expect(404);
    library.open.get("/bl-users/by-id/nobody").await.expect(404);
    library.open.get("/bl-users/by-username/nobody").await.expect(404);
    library.open.get("/bl-users/_self").await.expect(400);
    let page = library.open.query("/bl-users", "username==clerk").await.expect(200);
    assert_eq!(page.round_trips(), 1);
    let page = page.json();
    assert_eq!((&page["totalResults"], &page["recordCount"]), (&json!(1), &json!(1)));
    assert_eq!(page["compositeUsers"][0]["users"]["username"], "clerk");
    assert_eq!(page["compositeUsers"][0]["groups"]["group"], "staff");
    assert_eq!(page["compositeUsers"][0]["permissions"], json!({"permissions": ["tags.all"]}));
    assert_eq!(page["compositeUsers"][0].get("proxiesFor"), None);
    let bare = json!({"username": "bare", "personal": {"lastName": "x"}});
    library.open.create("/users", &bare).await;
    let list = library.open.query("/bl-users?include=proxiesfor", "cql.allRecords=1 sortby username").await.json();
    let members: Vec<Vec<_>> = list["compositeUsers"]
        .as_array()
        .unwrap()
        .iter()
        .map(|one| one.as_object().unwrap().keys().collect())
        .collect();
    assert_eq!(members, [vec!["users"], vec!["users", "proxiesFor"]]);
    let wrong = library.open.query("/bl-users", "username==(").await;
    wrong.expect(400);
}

/// Clients read `permissions.permissions` without asking whether the user has any.
#[tokio::test]
async fn a_composite_user_always_has_permissions() {
    let library = library().await;
    let bare = json!({"username": "bare", "personal": {"lastName": "x"}});
    library.open.create("/users", &bare).await;
    clerk(&library).await;
    for (path, names) in [
        ("/bl-users/by-username/bare", json!([])),
        ("/bl-users/by-username/bare?include=servicepoints", json!([])),
        ("/bl-users/by-username/clerk?include=servicepoints", json!([])),
        ("/bl-users/by-username/clerk", json!(["tags.all"])),
    ] {
        let read = library.open.get(path).await.expect(200).json();
        assert_eq!(read["permissions"], json!({"permissions": names}), "{path}");
    }
}

/// FOLIO announces routes for writing composite users, but has never served them.
#[tokio::test]
async fn composite_users_are_not_written() {
    let library = library().await;
    let sent = json!({"user": {"username": "x"}});
    let refused = library.open.post("/bl-users", &sent).await.expect(405);
    let text = "API resource does not support this HTTP method (verb)";
    assert_eq!(refused.text, text);
    let path = format!("/bl-users/{}", Uuid::new_v4());
    let refused = library.open.put(&path, &sent).await.expect(404);
    assert_eq!(refused.text, "Resource not found");
}

#[tokio::test]
async fn the_users_own_record_comes_from_the_token() {
    let library = library().await;
    let clerk = clerk(&library).await;
    let enable = json!([{"id": "mod-authtoken", "action": "enable"}]);
    library.open.post("/_/proxy/tenants/test/install", &enable).await.expect(200);
    let answer = library.open.post("/bl-users/login", &credentials()).await.expect(201);
    let token = answer.header("x-okapi-token").unwrap().to_owned();
    let own = library.with_token(&token).get("/bl-users/_self").await.expect(200).json();
    assert_eq!(own["user"]["id"], json!(clerk.id));
}

#[tokio::test]
async fn a_user_with_open_transactions_is_not_deleted() {
    let library = library().await;
    let clerk = clerk(&library).await;
    let path = format!("/bl-users/by-id/{}", clerk.id);
    let block = json!({"userId": clerk.id, "desc": "Lost card", "type": "Manual", "expirationDate": "2999-01-01T00:00:00Z",
        "borrowing": true, "renewals": false, "requests": false});
    let block = library.open.create("/manualblocks", &block).await;
    let open = library.open.get(&format!("{path}/open-transactions")).await.expect(200);
    assert_eq!(open.round_trips(), 1);
    assert_eq!(
        open.json(),
        json!({"userId": clerk.id, "userBarcode": "42", "hasOpenTransactions": true, "loans": 0, "requests": 0,
               "feesFines": 0, "proxies": 0, "blocks": 1})
    );
    assert_eq!(library.open.delete(&path).await.expect(409).json(), open.json());
    let by_name = library.open.get("/bl-users/by-username/clerk/open-transactions").await.expect(200);
    assert_eq!(by_name.json(), open.json());
    let block = format!("/manualblocks/{}", block["id"].as_str().unwrap());
    library.open.delete(&block).await.expect(204);
    library.open.delete(&path).await.expect(204);
    let gone = library.open.delete(&path).await.expect(404);
    assert_eq!(gone.text, format!("User with id '{}' not found", clerk.id));
    let gone = library.open.get("/bl-users/by-username/clerk/open-transactions").await.expect(404);
    assert_eq!(gone.text, "Users with username 'clerk' not found");
    let credentials = format!("/authn/credentials-existence?userId={}", clerk.id);
    assert_eq!(library.open.get(&credentials).await.json()["credentialsExist"], false);
    let held = library.open.query("/perms/users", &format!("userId=={}", clerk.id)).await.json();
    assert_eq!(held["totalRecords"], 0);
}

/// As in FOLIO, which asks for all of the user's manual blocks: without an end, or with one that is past.
#[tokio::test]
async fn every_manual_block_keeps_a_user() {
    let library = library().await;
    let clerk = clerk(&library).await;
    let path = format!("/bl-users/by-id/{}", clerk.id);
    for (end, count) in [(None, 1), (Some("2001-01-01T00:00:00Z"), 2)] {
        let mut block = json!({"userId": clerk.id, "desc": "Lost card", "borrowing": true});
        if let Some(end) = end {
            block["expirationDate"] = end.into();
        }
        library.open.create("/manualblocks", &block).await;
        let open = library.open.get(&format!("{path}/open-transactions")).await.expect(200).json();
        assert_eq!((&open["blocks"], &open["hasOpenTransactions"]), (&json!(count), &json!(true)));
        library.open.delete(&path).await.expect(409);
    }
}
